"""The family of results: base classes, and results as text, notebook table and dict."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from html import escape
from itertools import zip_longest
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any, dataclass_transform

import numpy as np

from ..metrics._table import METRICS

if TYPE_CHECKING:
    import pandas as pd


@dataclass_transform(eq_default=False, frozen_default=True, field_specifiers=(field,))
@dataclass(frozen=True, repr=False, eq=False)
class Result:
    """Base class of all results: text, notebook table, dict and DataFrame.

    Results are frozen dataclasses: attributes cannot be assigned. ``print(result)`` shows
    the values as text, and a notebook shows them as a table.
    """

    # Every subclass becomes a frozen dataclass, and says in `_blocks` what is shown.
    def __init_subclass__(cls, *, kw_only=False):
        dataclass(frozen=True, repr=False, eq=False, kw_only=kw_only)(cls)

    def __post_init__(self):
        for name, value in vars(self).items():
            if isinstance(value, (list, np.ndarray)):
                object.__setattr__(self, name, _read_only(value))

    def __setstate__(self, state):
        # A pickle does not tell that an array is read-only.
        vars(self).update(state)
        Result.__post_init__(self)

    def __eq__(self, other):
        return type(self) is type(other) and is_equal(vars(self), vars(other))

    def __hash__(self):
        return hash(type(self))

    def _blocks(self):
        """What is shown: sentences (str), labeled values (dict) and tables (list of dict).

        The keys of the rows of a table are its titles.
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
            Arrays are lists, other results are dicts, infinities are ``"inf"`` and
            ``"-inf"``, and NaN is None. Distributions of resamples and permutations are
            left out.
        """
        return plain(self)

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
        pd = import_pandas()
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.repr}
        arrays = {k: v for k, v in values.items() if isinstance(v, np.ndarray)}
        if arrays:
            return pd.DataFrame(arrays)
        row = pd.json_normalize(plain(self, keep=True), sep="_")
        return row.rename(columns=lambda name: name.removeprefix("confidence_interval_"))


def _read_only(value):
    """The value with read-only views, because arrays themselves may be the caller's."""
    if isinstance(value, list):
        return [*map(_read_only, value)]
    if isinstance(value, np.ndarray):
        value = value.view()
        value.flags.writeable = False
    return value


class Record(Result, Sequence):
    """A result that can be unpacked into its fields, and equals a tuple of them."""

    def __getitem__(self, index):
        return tuple(getattr(self, f.name) for f in fields(self))[index]

    def __len__(self):
        return len(fields(self))

    def __eq__(self, other):
        if not isinstance(other, tuple | Record):
            return NotImplemented
        return is_equal(self[:], other[:])

    def __hash__(self):
        return hash(tuple(map(_hashable, self)))


def _hashable(value):
    """A value whose hash equal values share: arrays and lists as tuples, NaN as None."""
    value = value.tolist() if isinstance(value, np.ndarray) else value
    if isinstance(value, list):
        return tuple(map(_hashable, value))
    return None if value != value else value


def is_equal(one, other):
    """Whether two values of fields are equal: NaN equals NaN, arrays by their elements."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        one, other = np.asarray(one), np.asarray(other)
        can_be_nan = one.dtype.kind == other.dtype.kind == "f"
        return np.array_equal(one, other, equal_nan=can_be_nan)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(is_equal(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(is_equal, one, other))
    return bool(one == other or (one != one and other != other))


def plain(value, *, keep=False):
    """A value as JSON takes it; with `keep` numbers that are not finite stay numbers."""
    if isinstance(value, Result):
        value = {f.name: getattr(value, f.name) for f in fields(value) if f.repr}
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {key: plain(one, keep=keep) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one, keep=keep) for one in value]
    if isinstance(value, float) and not (keep or math.isfinite(value)):
        return None if math.isnan(value) else str(value)
    return value


def import_pandas():
    """The module; without it `ImportError` says how to get it."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("`to_frame` needs pandas: pip install pandas") from error
    return pandas


# Text and notebook tables

# Greatest numbers of characters of a line and of a line of a cell, so that two cells fit.
WIDTH, CELL_WIDTH, _GAP = 88, 43, "  "
_WRAP = TextWrapper(WIDTH, break_on_hyphens=False)
_NARROW = TextWrapper(CELL_WIDTH, break_on_hyphens=False)


def shown(value):
    """A number or an array as text, without digits that nobody needs."""
    return np.array2string(np.asarray(value), precision=8, threshold=20)


def _text(block):
    """One block of `_blocks` as text, at most 88 characters wide."""
    if isinstance(block, list):
        return "\n".join(map(_lines_of, _parts(block)))
    if isinstance(block, dict):
        block = "\n".join(f"{label}: {value}" for label, value in block.items())
    return "\n".join(_WRAP.fill(line) for line in block.split("\n"))


def _parts(rows):
    """A table as tables that fit: lists of lines, all with the same first column.

    A line is a list of cells, and the first line has the titles.
    """
    lines = [[*rows[0]], *([*row.values()] for row in rows)]
    columns = zip(*lines, strict=True)
    first, *others = ([_NARROW.fill(cell) for cell in column] for column in columns)
    parts, width_left = [], 0
    for column in others:
        width = _width(column) + len(_GAP)
        if width > width_left:
            parts.append([first])
            width_left = WIDTH - _width(first)
        parts[-1].append(column)
        width_left -= width
    return [[*zip(*part, strict=True)] for part in parts]


def _width(column):
    """Number of characters of the widest line of the cells of a column."""
    return max(len(line) for cell in column for line in cell.split("\n"))


def _lines_of(part):
    """A table that fits as text; a cell may have several lines."""
    widths = [_width(column) for column in zip(*part, strict=True)]
    lines = []
    for cells in part:
        for texts in zip_longest(*(cell.split("\n") for cell in cells), fillvalue=""):
            padded = (text.ljust(n) for text, n in zip(texts, widths, strict=True))
            lines.append(_GAP.join(padded).rstrip())
    return "\n".join(lines)


def _html(block):
    """One block of `_blocks` as HTML, with the class that pandas gives its tables."""
    if isinstance(block, str):
        return f"<div>{escape(block)}</div>"
    if isinstance(block, list):
        return "\n".join(_html_table(*part) for part in _parts(block))
    return _html_table((), *block.items())


def _html_table(titles, *lines):
    """A table as HTML; the first cell of each line is its label."""
    rows = ["".join(f"<th>{escape(title)}</th>" for title in titles)]
    for label, *cells in lines:
        values = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        rows.append(f"<th>{escape(label)}</th>{values}")
    table = "".join(f"<tr>{row}</tr>" for row in rows if row)
    return f'<table border="1" class="dataframe">{table}</table>'


def sentence(text):
    """A text with an upper-case first letter."""
    return text[0].upper() + text[1:]


def number_text(value, digits=None):
    """A number with these digits, or with six without trailing zeros.

    A number that is not an integer does not look like one: a probability just below 1 has
    all its digits.
    """
    forms = [".6g"] if digits is None else [f"#.{digits}g", ".6g"]
    texts = (format(value, form) for form in forms)
    # Sums of weights have rounding errors, which ten digits do not show.
    full = f"{value:.10g}" if value > 1 else str(value).removesuffix(".0")
    return next((text for text in texts if not float(text).is_integer()), full)


# An interval up to this wide has equal limits but for the rounding of values up to 1.
_NO_WIDTH = 1e-14


def decimals_for(width, least=2):
    """Number of decimals that show two digits of a number, the width of an interval."""
    if not _NO_WIDTH < width < math.inf:
        return 4
    return max(least, 1 - math.floor(math.log10(width)))


def rounded(value, decimals):
    """A number with these decimals; a number that rounds to 0 has no sign."""
    return f"{value:z.{decimals}f}"


def with_limits(value, limits, decimals=None):
    """A value and its limits as text such as 0.70 (0.61, 0.78)."""
    low, high = limits
    decimals = decimals_for(high - low) if decimals is None else decimals
    value, low, high = (rounded(number, decimals) for number in (value, low, high))
    return f"{value} ({low}, {high})"


def pvalue_text(pvalue):
    """A p-value with three decimals."""
    return "< 0.001" if pvalue < 0.001 else f"{pvalue:.3f}"


def percent(level):
    """A confidence level as text such as 95 %."""
    return f"{100 * level:.10g} %"


def at_prevalence(prevalence):
    """A reference prevalence as text; empty for None."""
    return "" if prevalence is None else f", at prevalence {number_text(prevalence)}"


def compared(response_method):
    """What a threshold is compared with, as text: the scores that a method computes."""
    if response_method is None:
        return "y_score"
    # The method of the classifier inside: a wrapper with thresholds has its own.
    method = response_method.removeprefix("-")
    return f"{'-' * response_method.startswith('-')}estimator_.{method}"


class SizedResult(Result, kw_only=True):
    """Base class of results with the sizes of the samples, and perhaps of clusters."""

    n_samples: int
    n_positive: int

    def _sizes(self, positives="positive"):
        """The sizes of the samples as text."""
        return f"{self._n_samples_text()}, {self.n_positive} {positives}"

    def _n_samples_text(self):
        """Numbers of samples and of clusters as text."""
        n = getattr(self, "n_clusters", None)
        clusters = "" if n is None else f" in {n} cluster{'s' * (n != 1)}"
        return f"{self.n_samples} sample{'s' * (self.n_samples != 1)}{clusters}"


class SampleResult(SizedResult, kw_only=True):
    """Base class of results with a metric and a method.

    A subclass says in `_measured` what is measured, as text, in `_values` what it shows
    besides, as a dict of labeled values, and in `_DEFAULTS` which methods are not printed.
    """

    metric: str
    method: str

    @property
    def _label(self):
        """What is measured, as text that begins a line."""
        return sentence(self._measured)

    def _blocks(self):
        method = self._method
        return [self._values(), *self._context(), *([f"method: {method}"] * bool(method))]

    def _context(self):
        """Sentences about the samples."""
        return [self._sizes()]

    def _largest_value(self):
        """A sentence on the largest value, in a list, if it is that of a recall range."""
        return []

    @property
    def _method(self):
        """The method as text, empty for a default."""
        return "" if self.method in self._DEFAULTS else self.method


class AreaResult(SampleResult, kw_only=True):
    """Base class of the results that measure a metric over a range of recalls."""

    recall_range: tuple[float, float]
    prevalence: float | None = None

    @property
    def _measured(self):
        """The metric as text, with its recall range and reference prevalence."""
        label = METRICS[self.metric].label
        if self.recall_range != (0.0, 1.0):
            label += ", recall {:g} to {:g}".format(*self.recall_range)
        return label + at_prevalence(self.prevalence)

    def _context(self):
        return [*super()._context(), *self._largest_value()]

    def _largest_value(self):
        low, high = self.recall_range
        if (low, high) == (0.0, 1.0) or not METRICS[self.metric].is_area:
            return []
        return [f"largest possible value: {high - low:g}, the width of the recall range"]
