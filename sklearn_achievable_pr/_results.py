"""The family of results: base classes, and results as text, notebook table and dict."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from ._metrics.table import METRICS

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Result:
    """Base class of all results: text, notebook table, dict and DataFrame.

    A subclass is a frozen dataclass and says in `_blocks` what is shown.
    """

    def _blocks(self):
        """What is shown: sentences (str), labelled values (dict) and tables (list of rows).

        The first row of a table is its header.
        """
        return [{f.name: shown(getattr(self, f.name)) for f in fields(self)}]

    def __str__(self):
        return "\n".join(map(_text, self._blocks()))

    __repr__ = __str__

    def _repr_html_(self):
        return "\n".join(map(_html, self._blocks()))

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values, for JSON and logs.

        Returns
        -------
        dict
            Arrays are lists, other results are dicts, and numbers that are not finite are
            None. Distributions of resamples and permutations are left out.
        """
        return {f.name: plain(getattr(self, f.name)) for f in fields(self) if f.repr}

    def to_frame(self) -> pd.DataFrame:
        """The fields as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            One row; the limits of a confidence interval are the columns ``low`` and
            ``high``. A result of arrays has these as columns, with one row per element,
            and no other columns.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.repr}
        arrays = {k: v for k, v in values.items() if isinstance(v, np.ndarray)}
        return frame(arrays or [_flat(self.to_dict())])


class Record(Result, Sequence):
    """A result that can be unpacked into its fields, and equals a tuple of them."""

    def __getitem__(self, index):
        return tuple(getattr(self, f.name) for f in fields(self))[index]

    def __len__(self):
        return len(fields(self))

    def __eq__(self, other):
        if not isinstance(other, tuple | Record):
            return NotImplemented
        return self[:] == tuple(other)

    def __hash__(self):
        return hash(self[:])


def plain(value):
    """A value as JSON takes it."""
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _flat(record):
    """A dict without nested dicts; the limits of an interval are `low` and `high`."""
    flat = {}
    for name, value in record.items():
        if isinstance(value, dict):
            prefix = "" if name == "confidence_interval" else f"{name}_"
            value = {f"{prefix}{key}": one for key, one in _flat(value).items()}
            flat |= value
        else:
            flat[name] = value
    return flat


def frame(data):
    """A pandas DataFrame of a list of rows, or of a dict of columns."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("`to_frame` needs pandas: pip install pandas") from error
    return pd.DataFrame(data)


# Text and notebook tables


def shown(value):
    """A number or an array as text, without digits that nobody needs."""
    return np.array2string(np.asarray(value), precision=8, threshold=20)


def _text(block):
    """One block of `_blocks` as text."""
    if isinstance(block, str):
        return block
    if isinstance(block, dict):
        return "\n".join(f"{label}: {value}" for label, value in block.items())
    widths = [max(map(len, column)) for column in zip(*block, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(n) for cell, n in zip(line, widths, strict=True)).rstrip()
        for line in block
    )


def _html(block):
    """One block of `_blocks` as HTML, with the class that pandas gives its tables."""
    if isinstance(block, str):
        return f"<div>{escape(block)}</div>"
    if isinstance(block, dict):
        rows = [_html_row((value,), label) for label, value in block.items()]
    else:
        header, *lines = block
        rows = ["<tr>", *(f"<th>{escape(cell)}</th>" for cell in header), "</tr>"]
        rows += [_html_row(cells, label) for label, *cells in lines]
    return f'<table border="1" class="dataframe">{"".join(rows)}</table>'


def _html_row(cells, label):
    """One row of a table with a label."""
    values = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f"<tr><th>{escape(label)}</th>{values}</tr>"


def percent(share):
    """A share as a percentage, such as 95 %."""
    return f"{100 * share:.10g} %"


@dataclass(frozen=True, repr=False, kw_only=True)
class SizedResult(Result):
    """Base class of results with the sizes of the samples."""

    n_samples: int
    n_positive: int
    n_clusters: int | None

    @property
    def _clusters(self):
        """The number of clusters as text, empty without clusters."""
        return "" if self.n_clusters is None else f" in {self.n_clusters} clusters"

    @property
    def _sizes(self):
        """The sizes of the samples as text."""
        return f"{self.n_samples}{self._clusters}, {self.n_positive} positive"


@dataclass(frozen=True, repr=False, kw_only=True)
class SampleResult(SizedResult):
    """Base class of results with a metric and a method."""

    metric: str
    method: str

    def _context(self):
        """The sizes of the samples and the method, as labelled values."""
        return {"samples": self._sizes, "method": self.method}


@dataclass(frozen=True, repr=False, kw_only=True)
class LimitsResult(SampleResult):
    """Base class of results with a `confidence_interval`, which they define."""

    confidence_level: float
    alternative: str = "two-sided"

    def _level(self, what="confidence interval"):
        """The confidence level, and whether the interval is one-sided."""
        sides = "" if self.alternative == "two-sided" else "one-sided "
        return f"{sides}{percent(self.confidence_level)} {what}"

    def _limits(self):
        """The limits of the confidence interval as text."""
        low, high = self.confidence_interval
        if self.alternative == "less":
            return f"at most {high:.4f}"
        if self.alternative == "greater":
            return f"at least {low:.4f}"
        return f"{low:.4f} to {high:.4f}"


@dataclass(frozen=True, repr=False, kw_only=True)
class AreaResult(SampleResult):
    """Base class of the results that measure a metric over a range of recalls."""

    recall_range: tuple[float, float]
    prevalence: float | None = None

    @property
    def _label(self):
        """The metric as text, with its recall range and reference prevalence."""
        label = METRICS[self.metric].label
        if self.recall_range != (0.0, 1.0):
            label += ", recall {:g} to {:g}".format(*self.recall_range)
        if self.prevalence is not None:
            label += f", at prevalence {self.prevalence:g}"
        return label[0].upper() + label[1:]
