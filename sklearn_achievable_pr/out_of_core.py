"""Areas of data beyond memory: counts in bins with bounds, exact areas from batches."""

from __future__ import annotations

import math
import numbers
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike

from ._input.arrays import as_column, check_score
from ._input.labels import check_batch, check_binary
from ._input.options import (
    CURVES,
    Label,
    check_flag,
    check_fractions,
    check_option,
    check_prevalence,
    check_recall_range,
    value_or_warn,
)
from ._out_of_core.batches import run_on_files, sorted_by_range
from ._out_of_core.bins import DTYPES, FEWEST_BINS, MOST_BINS, Edges, LeadingBits
from ._out_of_core.distributed import DaskColumns, is_dask, rows_a_task, run_on_spark
from ._out_of_core.frames import (
    arrays_of,
    columns_of,
    counted,
    on_spark,
    run_in_turn,
    stretches,
)
from ._out_of_core.histogram import BinCounts, as_float
from ._out_of_core.score_partition import measured
from ._roc.counting import breakpoints, from_counts
from .areas import apply_curve_options, area, normalized_area
from .curves import precision_at

_EPS = sys.float_info.epsilon
# What the formulas may be off by in relation to a value, beyond the rounding of counts.
_ROUNDING = 2.0**-43
_BINS = LeadingBits.at_most(2**16, "float32")
METRICS = {
    "auc_pr_interpolated": (area, None),
    "achievable_auc_pr": (area, "achievable"),
    "aucnpr": (normalized_area, None),
}
_LEAST_MEMORY = 2**26
# What a row of a frame takes at most while it is fetched and sorted.
_BYTES_A_ROW = 64


class Bounds(NamedTuple):
    """What a value of the rows lies between.

    Attributes
    ----------
    low, high : float or ndarray of float64
        No arrangement of the rows within their bins is below or above.
    estimate : float or ndarray of float64
        The value if each bin were a tie.
    """

    low: float | np.ndarray
    high: float | np.ndarray
    estimate: float | np.ndarray


class PRCounts:
    r"""Labels counted in bins of their scores: areas between certified bounds.

    Scores of any number are counted in a table of fixed size. Where positives come first in
    each bin the area under the curve,

    .. math::

        A = \frac{1}{P} \int_0^P \frac{t}{t + f(t)}\, dt

    with t true and f false positives, is as high as it can be with these counts, where
    negatives come first as low; the area of the rows lies between, over any range of recall
    and at any prevalence. The hulls of the two paths bound the achievable area, and AUCNPR
    rises with the area. Both ends are attained, and rounded outward. A bin of one score is
    a tie, so that few distinct scores are measured exactly. Average precision, a sum of
    steps, is not bounded so.

    Higher is better; a constant, no-skill score has the prevalence as its area. How far the
    bounds are apart depends on the bins, hardly on the rows.

    Parameters
    ----------
    n_bins : int, default=2**16
        How many bins there are at most, from 512 to 2**24.
    edges : array-like of shape (n_edges,), default=None
        Rising scores at each of which a bin starts, instead of `n_bins`: for quantiles of a
        sample, say.
    dtype : {"float32", "float64"}, default="float32"
        How bins are spread over magnitudes. ``"float32"`` puts most of them between 2**-31
        and 2**17, where probabilities and decision values are; ``"float64"`` treats all
        exponents alike. Both take scores of any dtype.

    Attributes
    ----------
    n_bins : int
        How many bins there are.
    n_pos, n_neg : int or float
        How many positives and negatives are counted, or their weights.

    See Also
    --------
    count_scores : Counts from a data frame, by its own engine.
    auc_pr_from_batches : The exact area in two passes.
    auc_pr_interpolated : The exact area in memory.

    Notes
    -----
    Bins are fixed beforehand: scores that agree in sign and leading digits, in base 2,
    share one. Of 2**16 there are 512 between 1/4 and 1/2, and as many between 1/8 and 1/4.

    Counters pickle to some tens of kilobytes. Merging them in another order gives the same
    counts to the last bit, without weights.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`

    Examples
    --------
    Two batches, as they come.

    >>> import numpy as np
    >>> from sklearn_achievable_pr import PRCounts
    >>> rng = np.random.default_rng(0)
    >>> counts = PRCounts()
    >>> for _ in range(2):
    ...     y_true = rng.random(5000) < 0.1
    ...     counts.update(y_true, rng.normal(size=5000) + y_true)
    <PRCounts of 527 positives and 4473 negatives in 65143 bins>
    <PRCounts of 1039 positives and 8961 negatives in 65143 bins>
    >>> low, high, estimate = counts.auc_pr()
    >>> print(f"{low:.4f} <= {estimate:.4f} <= {high:.4f}")
    0.3365 <= 0.3370 <= 0.3374
    """

    def __init__(
        self,
        n_bins: int = 2**16,
        *,
        edges: ArrayLike | None = None,
        dtype: str = "float32",
    ):
        if edges is not None:
            bins = Edges(_check_edges(edges))
        else:
            bins = _leading_bits(n_bins, dtype)
        self._table = BinCounts(bins)

    @classmethod
    def _of(cls, table):
        counts = cls.__new__(cls)
        counts._table = table
        return counts

    @property
    def n_bins(self) -> int:
        """How many bins there are, those without a row included."""
        return self._table.bins.n_bins

    @property
    def n_pos(self) -> float:
        """How many positives are counted, or their weight."""
        return self._table.counts[:, 1].sum().item()

    @property
    def n_neg(self) -> float:
        """How many negatives are counted, or their weight."""
        return self._table.counts[:, 0].sum().item()

    def update(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Label | None = None,
    ) -> PRCounts:
        """Count more rows, perhaps none, or of one class only.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Binary labels. {0, 1}, {-1, 1} and booleans are understood; other labels need
            `pos_label`.
        y_score : array-like of shape (n_samples,)
            Scores that are higher for the positive class: decision values, probabilities,
            anything real and finite. Positive means `y_score >= threshold`.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, not negative. A weight of k is the same as k copies of the row, a
            weight of 0 the same as no row.
        pos_label : int, float, bool or str, default=None
            The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
            booleans; other labels need it.

        Returns
        -------
        PRCounts
            This counter.
        """
        rows = check_batch(y_true, y_score, sample_weight, pos_label)
        if rows is not None:
            self._table.add(*rows)
        return self

    def merge(self, other: PRCounts) -> PRCounts:
        """Add the counts of another counter with the same bins.

        Parameters
        ----------
        other : PRCounts
            Stays as it is.

        Returns
        -------
        PRCounts
            This counter. ``a + b`` makes a new one.
        """
        if not isinstance(other, PRCounts):
            raise TypeError(f"`other` must be a PRCounts. Got {type(other).__name__}.")
        if self._table.bins != other._table.bins:
            raise ValueError(
                "`other` must have the same bins. Make both with the same `n_bins`, "
                "`edges` and `dtype`, or copy one `refined` counter. Got "
                f"{other!r} for {self!r}."
            )
        self._table.merge(other._table)
        return self

    def __add__(self, other):
        if isinstance(other, numbers.Number) and other == 0:  # where sum() starts
            other = PRCounts._of(BinCounts(self._table.bins))
        if not isinstance(other, PRCounts):
            return NotImplemented
        return PRCounts._of(BinCounts(self._table.bins)).merge(self).merge(other)

    __radd__ = __add__

    def __eq__(self, other):
        if not isinstance(other, PRCounts):
            return NotImplemented
        return self._table == other._table

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self):
        return (
            f"<PRCounts of {self.n_pos:g} positives and {self.n_neg:g} negatives in "
            f"{self.n_bins} bins>"
        )

    def auc_pr(
        self,
        *,
        curve: str = "empirical",
        recall_range: tuple[float, float] = (0.0, 1.0),
        prevalence: float | None = None,
    ) -> Bounds:
        """What `auc_pr_interpolated` of the rows lies between.

        Parameters
        ----------
        curve : {"empirical", "achievable"}, default="empirical"
            The curve through all thresholds, or that of the ROC convex hull.
        recall_range : (float, float), default=(0.0, 1.0)
            Recalls a < b within [0, 1] to integrate over. The area is not divided by b - a:
            parts of a range sum to the whole.
        prevalence : float, default=None
            Fraction of positives, inside (0, 1), that the data are to stand for: true and
            false positive rates are kept and the negatives are reweighted. It undoes
            down-sampling. None keeps the fraction of the data.

        Returns
        -------
        Bounds
            `low`, `high` and `estimate`, the value if each bin were a tie. NaN without
            positives (of either class if `prevalence` is given), with an
            :class:`~sklearn.exceptions.UndefinedMetricWarning`.
        """
        low, high = check_recall_range(recall_range)

        def value(roc):
            return area(roc, low, high)

        slack = self._slack()
        lowest, highest, estimate = self._ends(value, curve, prevalence, "the area")
        width = (high - low) * (1 + 4 * _EPS)
        return Bounds(lowest * (1 - slack), min(highest * (1 + slack), width), estimate)

    def aucnpr(
        self,
        *,
        curve: str = "empirical",
        recall_range: tuple[float, float] = (0.0, 1.0),
        prevalence: float | None = None,
    ) -> Bounds:
        """What `aucnpr` of the rows lies between.

        Parameters
        ----------
        curve : {"empirical", "achievable"}, default="empirical"
            The curve through all thresholds, or that of the ROC convex hull.
        recall_range : (float, float), default=(0.0, 1.0)
            Recalls a < b within [0, 1] to integrate over. The area is not divided by b - a:
            parts of a range sum to the whole.
        prevalence : float, default=None
            Fraction of positives, inside (0, 1), that the data are to stand for: true and
            false positive rates are kept and the negatives are reweighted. It undoes
            down-sampling. None keeps the fraction of the data.

        Returns
        -------
        Bounds
            `low`, `high` and `estimate`, the value if each bin were a tie. NaN without
            positives and without negatives, with an
            :class:`~sklearn.exceptions.UndefinedMetricWarning`.
        """
        low, high = check_recall_range(recall_range)

        def value(roc):
            return normalized_area(roc, low, high)

        slack = 4 * self._slack()
        lowest, highest, estimate = self._ends(value, curve, prevalence, "AUCNPR")
        return Bounds(
            float(np.maximum(lowest - slack, 0.0)),
            float(np.minimum(highest + slack, 1.0)),
            estimate,
        )

    def precision_at_recall(
        self,
        recall: ArrayLike,
        *,
        at_least: bool = False,
        curve: str = "empirical",
        prevalence: float | None = None,
    ) -> Bounds:
        """What `precision_at_recall` of the rows lies between.

        Parameters
        ----------
        recall : float or array-like
            Recalls within [0, 1].
        at_least : bool, default=False
            Whether the highest precision at this recall or a higher one is meant. It never
            rises with the recall.
        curve : {"empirical", "achievable"}, default="empirical"
            The curve through all thresholds, or that of the ROC convex hull.
        prevalence : float, default=None
            Fraction of positives, inside (0, 1), that the data are to stand for: true and
            false positive rates are kept and the negatives are reweighted. It undoes
            down-sampling. None keeps the fraction of the data.

        Returns
        -------
        Bounds
            `low`, `high` and `estimate`, the value if each bin were a tie, in the shape of
            `recall`. NaN without positives (of either class if `prevalence` is given), with
            an :class:`~sklearn.exceptions.UndefinedMetricWarning`.
        """
        recall = check_fractions(recall, "recall")
        check_flag(at_least, "at_least")

        def value(roc):
            found = precision_at(roc, recall, at_least)
            return float(found) if recall.ndim == 0 else found

        slack = self._slack()
        what = "precision at a recall"
        lowest, highest, estimate = self._ends(value, curve, prevalence, what)
        return Bounds(lowest * (1 - slack), highest * (1 + slack), estimate)

    def refined(self, n_bins: int | None = None) -> PRCounts:
        """An empty counter for a second pass, its bins where they narrow the bounds most.

        Each bin is divided into a number of parts in proportion to the root of what it adds
        to the width of the bounds. The bounds come out right whatever rows are counted, and
        narrow for the rows that were counted here.

        Parameters
        ----------
        n_bins : int, default=None
            How many bins there are at most. None stands for as many as here.

        Returns
        -------
        PRCounts
            Make it once and hand out copies: only counters with the same bins add up.
        """
        n_bins = self.n_bins if n_bins is None else check_n_bins(n_bins)
        return PRCounts._of(BinCounts(self._table.refined(n_bins)))

    def _ends(self, measure, curve, prevalence, what):
        """The measure of the lowest curve, of the highest one, and of ties."""
        check_option(curve, "curve", CURVES)
        prevalence = check_prevalence(prevalence)
        if not self._table.rows.any():
            raise ValueError("There are no rows to measure. Call `update` first.")

        def values():
            return [
                measure(
                    apply_curve_options(
                        from_counts(*self._table.roc(order)), curve, prevalence
                    )
                )
                for order in ("negatives first", "positives first", "ties")
            ]

        return value_or_warn(values, [np.nan] * 3, what)

    def _slack(self):
        """What rounding may change a value by, in relation to it."""
        return _ROUNDING + 4 * _EPS * self._table.n_roundings


def _silent(done, n_rows):
    """What is told of progress where nobody asks."""


def auc_pr_from_batches(
    batches: Callable[[], Iterable[tuple]],
    *,
    metric: str = "auc_pr_interpolated",
    pos_label: Label | None = None,
    curve: str = "empirical",
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
    max_memory: int = 2**30,
    temp_folder: str | os.PathLike | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> float:
    r"""Exact area under the precision-recall curve of more rows than memory holds.

    .. math::

        A = \frac{1}{P} \int_0^P \frac{t}{t + f(t)}\, dt

    with t true and f false positives [1]_, as `auc_pr_interpolated` has it, in two passes.
    The first counts the rows in bins of their scores. That gives ranges of scores and how
    many rows of each class lie above each of them, so that a range can be measured by
    itself. The second writes the rows to a file a range, which are sorted one after the
    other. Higher is better; a constant, no-skill score has the prevalence. Tied scores are
    one step.

    Parameters
    ----------
    batches : callable
        Returns an iterable of batches, of the same rows each time it is called. A batch is
        ``(y_true, y_score)`` or ``(y_true, y_score, sample_weight)``, arrays of one length.
        Rows may be in any order.
    metric : {"auc_pr_interpolated", "achievable_auc_pr", "aucnpr"}
        What is measured, the first by default. ``"achievable_auc_pr"`` is the first with
        ``curve="achievable"``.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    curve : {"empirical", "achievable"}, default="empirical"
        The curve through all thresholds, or that of the ROC convex hull.
    recall_range : (float, float), default=(0.0, 1.0)
        Recalls a < b within [0, 1] to integrate over. The area is not divided by b - a:
        parts of a range sum to the whole.
    prevalence : float, default=None
        Fraction of positives, inside (0, 1), that the data are to stand for: true and
        false positive rates are kept and the negatives are reweighted. It undoes
        down-sampling. None keeps the fraction of the data.
    max_memory : int, default=2**30
        How many bytes sorting may take, in all threads together or on each worker.
    temp_folder : str or path-like, default=None
        Where a folder for the files is made; they take the size of the scores and weights,
        and are gone when the function returns or raises. None takes the system's.
    n_jobs : int, default=None
        How many threads sort, as in :class:`joblib.Parallel`. They share `max_memory`.
    verbose : int, default=0
        Whether progress is printed to standard error.

    Returns
    -------
    float
        The area. NaN without positives, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`; the width of `recall_range`
        without negatives (NaN if `prevalence` is given or AUCNPR asked for).

    Raises
    ------
    ValueError
        If a batch has NaN or infinite scores, missing or ambiguous labels or invalid
        weights, there are no rows, the second pass meets others than the first one, an
        option is unknown, or `max_memory` is less than 64 MiB.
    TypeError
        If `batches` is no callable or a batch no tuple of two or three arrays of numbers.

    See Also
    --------
    PRCounts : Bounds in one pass.
    auc_pr_from_frame : The same from the columns of a data frame.
    auc_pr_interpolated : The same in memory.

    Notes
    -----
    Average precision and other sums of steps are not offered.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_achievable_pr import auc_pr_from_batches
    >>> def batches():
    ...     for seed in range(3):
    ...         rng = np.random.default_rng(seed)
    ...         y_true = rng.random(1000) < 0.1
    ...         yield y_true, rng.normal(size=1000) + y_true
    >>> round(auc_pr_from_batches(batches), 4)
    0.2865
    """
    measure = wanted(metric, curve, recall_range, prevalence)
    _check_memory(max_memory)
    if not callable(batches):
        raise TypeError(
            "`batches` must be a callable that returns an iterable of batches, since there "
            f"are two passes. Got {type(batches).__name__}. Pass e.g. `lambda: batches`."
        )

    def rows():
        for batch in batches():
            found = check_batch(*_columns_of(batch), pos_label)
            if found is not None and len(found.score):
                yield found

    report = _reporter(verbose)
    _, (value,) = exact_areas([measure], rows, max_memory, temp_folder, n_jobs, report)
    return value


def exact_areas(measures, rows, max_memory, temp_folder, n_jobs=None, report=_silent):
    """Several measures of rows that are sorted once.

    Parameters
    ----------
    measures : list of Wanted
    rows : callable
        Returns an iterable of Problem, the same each time.
    max_memory, temp_folder, n_jobs
        As in `auc_pr_from_batches`.
    report : callable
        Told what is done to how many rows.

    Returns
    -------
    totals : tuple
        Negatives and positives.
    values : list of float
    """
    room = max_memory // (2 * effective_n_jobs(n_jobs))
    with tempfile.TemporaryDirectory(dir=temp_folder, prefix="achievable_pr_") as folder:
        found = sorted_by_range(rows, Path(folder), room, report)
        run = partial(run_on_files, found=found, n_jobs=n_jobs, report=report)
        totals = found[-1].part.end
        return totals, [measure.of_ranges(run, totals) for measure in measures]


def count_scores(
    frame: Any,
    y_true: str,
    y_score: str,
    *,
    sample_weight: str | None = None,
    pos_label: Label | None = None,
    n_bins: int = 2**16,
    dtype: str = "float32",
) -> PRCounts:
    r"""A data frame's labels, counted in bins of its scores.

    The frame's own engine counts: bins are arithmetic on the column, which Polars, DuckDB,
    Spark and others run where the rows are, and one grouping. Dask counts each partition.
    Only counts come back. The bins are those of `PRCounts` with the same `n_bins` and
    `dtype`, to the last bit, so that counts of several engines add up; the area

    .. math::

        A = \frac{1}{P} \int_0^P \frac{t}{t + f(t)}\, dt

    with t true and f false positives [1]_ then has certified bounds. Higher is better; a
    constant, no-skill score has the prevalence. A bin of tied scores is exact.

    Parameters
    ----------
    frame : data frame
        Any that narwhals knows, eager or lazy: of Polars, DuckDB, PySpark, pandas, PyArrow
        and others; or one of Dask. The extras ``frames``, ``spark`` and ``dask`` have what
        is needed.
    y_true : str
        Name of the column of labels.
    y_score : str
        Name of the column of scores.
    sample_weight : str, default=None
        Name of the column of weights.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    n_bins : int, default=2**16
        How many bins there are at most, from 512 to 2**24.
    dtype : {"float32", "float64"}, default="float32"
        How bins are spread over magnitudes. ``"float32"`` puts most of them between 2**-31
        and 2**17, where probabilities and decision values are; ``"float64"`` treats all
        exponents alike. Both take scores of any dtype.

    Returns
    -------
    PRCounts
        Its values are NaN without positives, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    Raises
    ------
    ValueError
        If a name is not that of a column, a score is missing, NaN or infinite, a weight
        negative, missing or not finite, labels are missing or ambiguous, there are no rows,
        or `n_bins` leaves its range.
    TypeError
        If `frame` is no data frame or a column does not hold numbers.

    See Also
    --------
    auc_pr_from_frame : The exact area.
    PRCounts : What the counts tell.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn_achievable_pr import count_scores
    >>> frame = pd.DataFrame({"fraud": [1, 0, 1, 0, 0], "p": [0.9, 0.8, 0.7, 0.2, 0.1]})
    >>> counts = count_scores(frame, "fraud", "p")
    >>> counts
    <PRCounts of 2 positives and 3 negatives in 65143 bins>
    >>> round(counts.auc_pr().low, 4)
    0.7973
    """
    bins = _leading_bits(n_bins, dtype)
    names = y_true, y_score, sample_weight
    if is_dask(frame):
        return PRCounts._of(DaskColumns(frame, *names, pos_label).counted(bins))
    columns = columns_of(frame, *names)
    arrays = arrays_of(columns)
    if arrays is None:
        return PRCounts._of(counted(columns, bins, pos_label).table)
    y_true, y_score, sample_weight = arrays
    return PRCounts._of(BinCounts(bins)).update(
        y_true, y_score, sample_weight=sample_weight, pos_label=pos_label
    )


def auc_pr_from_frame(
    frame: Any,
    y_true: str,
    y_score: str,
    *,
    sample_weight: str | None = None,
    metric: str = "auc_pr_interpolated",
    pos_label: Label | None = None,
    curve: str = "empirical",
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
    max_memory: int = 2**30,
) -> float:
    r"""Exact area under the precision-recall curve from the columns of a data frame.

    .. math::

        A = \frac{1}{P} \int_0^P \frac{t}{t + f(t)}\, dt

    with t true and f false positives [1]_, as `auc_pr_interpolated` has it. `count_scores`
    gives ranges of scores and how many rows lie above each. Where the engine has several
    workers, Dask's or Spark's, it brings the rows of a range to one of them, which sorts
    and integrates: rows stay on the workers, and counts, integrals and points that may be
    vertices of the hull come back. Of other lazy frames one range after the other is
    fetched. Higher is better; a constant, no-skill score has the prevalence. Tied scores
    are one step.

    Parameters
    ----------
    frame : data frame
        Any that narwhals knows, eager or lazy: of Polars, DuckDB, PySpark, pandas, PyArrow
        and others; or one of Dask. The extras ``frames``, ``spark`` and ``dask`` have what
        is needed.
    y_true : str
        Name of the column of labels.
    y_score : str
        Name of the column of scores.
    sample_weight : str, default=None
        Name of the column of weights.
    metric : {"auc_pr_interpolated", "achievable_auc_pr", "aucnpr"}
        What is measured, the first by default. ``"achievable_auc_pr"`` is the first with
        ``curve="achievable"``.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    curve : {"empirical", "achievable"}, default="empirical"
        The curve through all thresholds, or that of the ROC convex hull.
    recall_range : (float, float), default=(0.0, 1.0)
        Recalls a < b within [0, 1] to integrate over. The area is not divided by b - a:
        parts of a range sum to the whole.
    prevalence : float, default=None
        Fraction of positives, inside (0, 1), that the data are to stand for: true and
        false positive rates are kept and the negatives are reweighted. It undoes
        down-sampling. None keeps the fraction of the data.
    max_memory : int, default=2**30
        How many bytes sorting may take, in all threads together or on each worker.

    Returns
    -------
    float
        The area. NaN without positives, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`; the width of `recall_range`
        without negatives (NaN if `prevalence` is given or AUCNPR asked for).

    Raises
    ------
    ValueError
        If a name is not that of a column, a score is missing, NaN or infinite, a weight
        negative, missing or not finite, labels are missing or ambiguous, there are no rows,
        the frame changes meanwhile, an option is unknown, or `max_memory` is less than 64
        MiB.
    TypeError
        If `frame` is no data frame or a column does not hold numbers.

    See Also
    --------
    count_scores : Bounds in one pass.
    auc_pr_from_batches : The same from batches.
    auc_pr_interpolated : The same in memory.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn_achievable_pr import auc_pr_from_frame
    >>> frame = pd.DataFrame({"fraud": [1, 0, 1, 0, 0], "p": [0.9, 0.8, 0.7, 0.2, 0.1]})
    >>> round(auc_pr_from_frame(frame, "fraud", "p"), 4)
    0.7973
    """
    exact = wanted(metric, curve, recall_range, prevalence)
    most_rows = _check_memory(max_memory) // (2 * _BYTES_A_ROW)
    names = y_true, y_score, sample_weight
    if is_dask(frame):
        rows = DaskColumns(frame, *names, pos_label)
        ranges, bins = rows.ranges(_BINS, most_rows)
        return exact.of_ranges(partial(rows.run, ranges=ranges, bins=bins), ranges[-1].end)
    columns = columns_of(frame, *names)
    arrays = arrays_of(columns)
    if arrays is not None:
        labels, scores, weights = arrays
        return exact.of_problem(check_binary(labels, scores, pos_label, weights))
    tally = counted(columns, _BINS, pos_label)
    run = run_in_turn
    if on_spark(columns):
        run, most_rows = run_on_spark, rows_a_task(tally.table, most_rows)
    found = stretches(columns, tally, most_rows)
    run = partial(run, columns=columns, tally=tally, found=found)
    return exact.of_ranges(run, found[-1].part.end)


class Wanted(NamedTuple):
    """What is to be measured, checked."""

    measure: Callable
    curve: str
    prevalence: float | None
    low: float
    high: float

    def of_ranges(self, run, totals):
        """The measure of the curve through ranges of scores."""
        measure, *options = self
        return self._defined(lambda: measured(measure, run, totals, *options))

    def of_problem(self, data):
        """The measure of rows in memory."""
        measure, curve, prevalence, low, high = self
        return self._defined(
            lambda: measure(
                apply_curve_options(breakpoints(data), curve, prevalence), low, high
            )
        )

    def _defined(self, value):
        what = "AUCNPR" if self.measure is normalized_area else "the area"
        return value_or_warn(value, np.nan, what)


def wanted(metric, curve, recall_range, prevalence):
    check_option(metric, "metric", tuple(METRICS))
    check_option(curve, "curve", CURVES)
    measure, of_curve = METRICS[metric]
    return Wanted(
        measure,
        of_curve or curve,
        check_prevalence(prevalence),
        *check_recall_range(recall_range),
    )


def _check_memory(max_memory):
    if not isinstance(max_memory, numbers.Integral) or isinstance(max_memory, bool):
        raise TypeError(
            f"`max_memory` must be a whole number of bytes. Got {max_memory!r}."
        )
    if max_memory < _LEAST_MEMORY:
        raise ValueError(
            f"`max_memory` must be {_LEAST_MEMORY} bytes or more, 64 MiB. Got {max_memory}."
        )
    return int(max_memory)


def _columns_of(batch):
    if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
        raise TypeError(
            "`batches` must hold tuples (y_true, y_score) or (y_true, y_score, "
            f"sample_weight). Got {type(batch).__name__}"
            + (f" of {len(batch)}." if isinstance(batch, tuple | list) else ".")
        )
    return *batch, *[None] * (3 - len(batch))


def _reporter(verbose):
    """What tells how many rows are done, once a second, if that is wanted."""
    told = -math.inf

    def report(done, n_rows):
        nonlocal told
        if verbose and time.monotonic() > told + 1:
            told = time.monotonic()
            print(f"auc_pr_from_batches: {n_rows:,} rows {done}", file=sys.stderr)

    return report


def _check_edges(edges):
    edges, _ = as_float(check_score(as_column(edges, "edges"), "edges"))
    edges = edges.astype(np.float64) + 0.0  # no -0.0
    falls = (edges[1:] <= edges[:-1]).nonzero()[0]
    if len(falls):
        at = falls[0] + 1
        raise ValueError(
            f"`edges` must rise. Got {edges[at - 1]} before {edges[at]} at position {at}."
        )
    return edges


def _leading_bits(n_bins, dtype):
    name = np.dtype(dtype).name
    check_option(name, "dtype", DTYPES)
    return LeadingBits.at_most(check_n_bins(n_bins), name)


def check_n_bins(n_bins):
    """A whole number of bins."""
    if not isinstance(n_bins, numbers.Integral) or isinstance(n_bins, bool):
        raise TypeError(f"`n_bins` must be a whole number. Got {n_bins!r}.")
    if not FEWEST_BINS <= n_bins <= MOST_BINS:
        raise ValueError(
            f"`n_bins` must lie from {FEWEST_BINS} to {MOST_BINS}. Got {n_bins}. Fewer "
            "bins of your own can be given as `edges`."
        )
    return int(n_bins)
