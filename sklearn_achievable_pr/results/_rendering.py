"""The family of results: base classes, and results as text, notebook table and dict."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from html import escape
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any, dataclass_transform

import numpy as np

from .._input.options import check_integer, check_option, text_of
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
            if (safe := _read_only(value)) is not value:
                object.__setattr__(self, name, safe)

    def __setstate__(self, state):
        # A pickle does not tell that an array is read-only.
        vars(self).update(state)
        Result.__post_init__(self)

    def __eq__(self, other):
        return type(self) is type(other) and is_equal(vars(self), vars(other))

    def __hash__(self):
        return hash(type(self))

    def _blocks(self):
        """What is shown: sentences (str), labeled values (dict) and tables (list of rows).

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
    header, *lines = ((), *block.items()) if isinstance(block, dict) else block
    rows = ["".join(f"<th>{escape(cell)}</th>" for cell in header)]
    for label, *cells in lines:
        values = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        rows.append(f"<th>{escape(label)}</th>{values}")
    table = "".join(f"<tr>{row}</tr>" for row in rows if row)
    return f'<table border="1" class="dataframe">{table}</table>'


def short(value):
    """A number with six digits, or with all if six digits would show an integer."""
    text = f"{value:.6g}"
    return str(value).removesuffix(".0") if float(text).is_integer() else text


def three_digits(value):
    """A number with three digits, or as `short` if three digits would show an integer."""
    text = f"{value:.3g}"
    return short(value) if float(text).is_integer() else text


def filled(*lines):
    """Lines of text, each broken where it is wider than 88 characters."""
    wrap = TextWrapper(88, break_on_hyphens=False)
    return "\n".join(map(wrap.fill, lines))


def compared(response_method):
    """What a threshold is compared with, as text: the scores that a method computes."""
    if response_method is None:
        return "y_score"
    # The method of the classifier inside: a wrapper with thresholds has its own.
    method = response_method.removeprefix("-")
    return f"{'-' * response_method.startswith('-')}estimator_.{method}"


class SizedResult(Result, kw_only=True):
    """Base class of results with the sizes of the samples."""

    n_samples: int
    n_positive: int
    n_clusters: int | None

    def _sizes(self, samples="", positives="positive"):
        """The sizes of the samples as text."""
        n = self.n_clusters
        clusters = "" if n is None else f" in {n} cluster{'s' * (n != 1)}"
        return f"{self.n_samples}{samples}{clusters}, {self.n_positive} {positives}"


class SampleResult(SizedResult, kw_only=True):
    """Base class of results with a metric and a method.

    A subclass says in `_values` what it shows besides these, as a dict of labeled values.
    """

    metric: str
    method: str

    def _blocks(self):
        return [self._values() | self._context()]

    def _context(self):
        """The sizes of the samples and the method, as labeled values."""
        return {"samples": self._sizes(), "method": self.method}


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
        if self.prevalence is not None:
            label += f", at prevalence {self.prevalence:g}"
        return label

    @property
    def _label(self):
        """What is measured, as text that begins a line."""
        return self._measured[0].upper() + self._measured[1:]


# Several models or subgroups

# The columns of a table of members that are printed, and titles unlike their names.
_PRINTED = ("rank", "model", "subgroup", "n_samples", "n_positive", "own_prevalence")
_PRINTED += ("estimate (interval)", "note")
_TITLES = {"n_samples": "samples", "n_positive": "positive", "own_prevalence": "prevalence"}


class ComparisonResult(Result):
    """Base class of the results with intervals of several members and tests of pairs.

    A subclass has the fields `pairs`, `reference` and `adjust`, and a dict of its members
    in the field that `_kind` names, with an s; ``_described(name)`` are the columns of a
    member beside its estimate.
    """

    @property
    def _members(self):
        """Dict from the name of each member to its interval, in the order of the tables."""
        return getattr(self, f"{self._kind}s")

    @property
    def adjusted_pvalues(self: Any) -> dict[tuple[str, str], float]:
        """Dict from a pair of names to its p-value, adjusted as `adjust` says."""
        pvalues = np.array([pair.pvalue for pair in self.pairs.values()])
        if self.adjust == "holm":
            pvalues = holm(pvalues)
        return dict(zip(self.pairs, pvalues.tolist(), strict=True))

    def to_dict(self: Any) -> dict[str, Any]:
        """The members, a list of the pairs, `reference` and `adjust` as plain values.

        Returns
        -------
        dict
            As `to_dict` of every result; pairs have their `names` and `adjusted_pvalue`.
            Labels of subgroups are strings.
        """
        members, adjusted = f"{self._kind}s", self.adjusted_pvalues
        of_members = {
            text_of(name): self._described(name) | member.to_dict()
            for name, member in getattr(self, members).items()
        }
        of_pairs = [
            pair.to_dict() | {"names": [*map(text_of, ab)], "adjusted_pvalue": adjusted[ab]}
            for ab, pair in self.pairs.items()
        ]
        reference = None if self.reference is None else text_of(self.reference)
        options = {"reference": reference, "adjust": self.adjust}
        return plain({members: of_members, "pairs": of_pairs} | options)

    def to_frame(self: Any, table: str | None = None, *, decimals: int = 2) -> pd.DataFrame:
        """Table of the members or of the pairs as a pandas DataFrame.

        Parameters
        ----------
        table : {"models", "subgroups", "pairs"}, default=None
            One row per model (the highest estimate first) or per subgroup, which is what
            None means, or one row per pair.
        decimals : int, default=2
            Number of decimals in the column of text such as ``0.44 (0.38, 0.50)``.

        Returns
        -------
        pandas.DataFrame
            Columns of models: ``model``, ``rank``, ``estimate``, ``standard_error``,
            ``low``, ``high`` and, as text, ``estimate (interval)``. Subgroups have
            ``subgroup``, ``n_samples``, ``n_positive``, ``own_prevalence`` and ``note`` in
            place of ``model`` and ``rank``. Columns of pairs: ``model_a`` and ``model_b``
            (``subgroup_a`` and ``subgroup_b``), ``difference``, ``standard_error``,
            ``low``, ``high``, as text ``difference (unadjusted interval)``, then
            ``statistic``, ``pvalue`` and ``adjusted_pvalue``. Without adjustment the text
            is in the column ``difference (interval)``.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = import_pandas()
        members = f"{self._kind}s"
        check_option(table, "table", (None, members, "pairs"))
        decimals = check_integer(decimals, "decimals", 0)
        return pd.DataFrame(self._records(table or members, decimals))

    def plot(self, ax=None):
        """Forest plot of estimates and of differences, with confidence intervals.

        Models are sorted by their estimates, subgroups by their labels. The second panel
        shows the difference of each one from the reference (without a reference, from the
        one with the highest estimate) and the adjusted p-value.

        Parameters
        ----------
        ax : sequence of two matplotlib Axes, default=None
            Axes of the estimates and of the differences. None draws on a new figure.

        Returns
        -------
        ndarray of two matplotlib Axes
            The axes of the estimates and of the differences.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        from ..displays._forest import draw_forest  # drawing comes after results

        return draw_forest(self, self._members, ax)

    @property
    def _interval(self):
        """What the intervals of differences are called beside adjusted p-values."""
        return "unadjusted interval" if self.adjust else "interval"

    def _blocks(self):
        first, members = next(iter(self._members.values())), f"{self._kind}s"
        _, *sentences = first._blocks()  # the same for all members
        records, context = self._records(members, 4), first._context()
        samples, method = context.pop("samples"), context.pop("method")
        # Members of their own sizes have these in their rows.
        sizes = "" if "n_samples" in records[0] else f"samples: {samples}; "
        tests = ", ".join(sorted({pair.method for pair in self.pairs.values()}))
        methods = f"intervals: {method}, tests: {tests}"
        title = f"{len(self._members)} {members}; {sizes}{methods}"
        titles = _TITLES | {"estimate (interval)": f"{first._label} ({first._level()})"}
        # Without small subgroups there are no notes to show.
        shown = [key for key in _PRINTED if any(row.get(key, "") != "" for row in records)]
        table = [[titles.get(key, key) for key in shown]]
        for record in records:
            record[self._kind] = text_of(record[self._kind])  # with all digits of a number
            cells = map(record.get, shown)
            table.append([f"{c:.6g}" if isinstance(c, float) else str(c) for c in cells])
        adjusted = ("adjusted (Holm)",) if self.adjust else ()
        level = first._level(self._interval)
        pairs = [("pair", f"difference ({level})", "p-value", *adjusted)]
        for (a, b), record in zip(self.pairs, self._records("pairs", 4), strict=True):
            cells = (f"{record[key]:.4g}" for key in ("pvalue", "adjusted_pvalue"))
            names = f"{text_of(a)} - {text_of(b)}"
            row = (names, record[f"difference ({self._interval})"], *cells)
            pairs.append(row[: len(pairs[0])])
        return [title, *([context] if context else []), *sentences, table, pairs]

    def _records(self, table, decimals):
        """Rows of the table of members or of pairs."""
        if table != "pairs":
            return [
                {self._kind: name}
                | self._described(name)
                | _row("estimate", "interval", member, decimals)
                for name, member in self._members.items()
            ]
        adjusted = self.adjusted_pvalues
        return [
            {f"{self._kind}_a": names[0], f"{self._kind}_b": names[1]}
            | _row("difference", self._interval, pair, decimals)
            | {"statistic": pair.statistic, "pvalue": pair.pvalue}
            | {"adjusted_pvalue": adjusted[names]}
            for names, pair in self.pairs.items()
        ]


def holm(pvalues):
    """P-values adjusted by the step-down method of Holm (1979); NaN stays NaN."""
    pvalues = np.asarray(pvalues, dtype=np.float64)
    order = np.argsort(pvalues)  # NaN last
    n_tests = np.count_nonzero(~np.isnan(pvalues))
    steps = (n_tests - np.arange(len(pvalues))) * pvalues[order]
    adjusted = np.empty(len(pvalues))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def _row(value_name, interval, result, decimals):
    """Columns of one estimate and its interval, also as text such as 0.44 (0.38, 0.50)."""
    value, (low, high) = getattr(result, value_name), result.confidence_interval
    shown = f"{value:.{decimals}f} ({low:.{decimals}f}, {high:.{decimals}f})"
    return {
        value_name: value,
        "standard_error": result.standard_error,
        "low": low,
        "high": high,
        f"{value_name} ({interval})": shown,
    }
