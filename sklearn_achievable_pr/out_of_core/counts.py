"""Histograms of scores by class that can be merged, with bounds of AUC-PR."""

from __future__ import annotations

from copy import copy
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from .._input import options
from .._input.labels import check_batches
from .._input.options import Label
from .._input.undefined import value_or_warn
from ..metrics._chance import REVERSED_SCORES, warn_if_reversed
from ..metrics._operating_points import precision_at
from ..metrics._table import OF_SEGMENTS, check_metric
from ..results import Bounds
from ._bins import MAX_BINS, MIN_BINS, leading_bits
from ._frames import source_of
from ._histogram import BinCounts


class PRCounts:
    r"""Histogram of scores by class, with guaranteed bounds of AUC-PR.

    How high is the AUC-PR of a stream, or of counts from several machines? Scores of any
    number of samples are counted in a fixed number of bins, and the exact area lies between
    the bounds that the counts give, for any `recall_range` and `prevalence`. The width of
    the bounds depends on the bins and hardly on the number of samples.

    The area is highest if the positives come first in each bin, and lowest if the negatives
    come first. The hulls of the two ROC curves give bounds of the achievable area, and the
    bounds of the area give bounds of AUCNPR. Some order of the samples within the bins
    attains each bound; the computed bounds are rounded outward. In a bin with a single
    score the samples are tied: if all bins have a single score, both bounds equal the exact
    area up to rounding. Average precision, a step-wise sum, has no such bounds.

    Higher is better; a constant, no-skill score has the prevalence as its area over all
    recalls.

    Read more in the :ref:`User Guide <large_data>`.

    Parameters
    ----------
    n_bins : int, default=2**16
        Maximum number of bins, from 512 to 2**24. The default gives 62401 bins.

    Attributes
    ----------
    n_bins : int
        Number of bins, including empty ones.
    n_pos, n_neg : int or float
        Numbers of positives and negatives counted, or the sums of their weights.

    See Also
    --------
    auc_pr_from_batches : The exact area from batches.
    auc_pr_from_frame : The exact area of the columns of a data frame.
    auc_pr_interpolated : The exact area in memory.

    Notes
    -----
    With P positives and f(t) false positives at t true positives [1]_, the area over
    recalls from a to b is

    .. math::

        A = \frac{1}{P} \int_{aP}^{bP} \frac{t}{t + f(t)}\, dt

    The default bins do not depend on the data: scores share a bin if their sign and their
    leading binary digits agree. For example, 512 bins lie between 1/4 and 1/2, and 512
    between 1/8 and 1/4. These bins suit probabilities and decision values of any dtype.

    A pickled counter is compressed; with the default bins it takes some tens of kilobytes,
    with weights up to a megabyte. Without weights, the result of merging counters does not
    depend on their order.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`

    Examples
    --------
    Two batches:

    >>> import numpy as np
    >>> from sklearn_achievable_pr import PRCounts
    >>> rng = np.random.default_rng(0)
    >>> counts = PRCounts()
    >>> for _ in range(2):
    ...     y_true = rng.random(5000) < 0.1
    ...     counts.update(y_true, rng.normal(size=5000) + y_true)
    <PRCounts of 527 positives and 4473 negatives in 62401 bins>
    <PRCounts of 1039 positives and 8961 negatives in 62401 bins>
    >>> low, high, estimate = counts.auc_pr()
    >>> print(f"{low:.4f} <= {estimate:.4f} <= {high:.4f}")
    0.3365 <= 0.3370 <= 0.3374
    """

    def __init__(self, n_bins: int = 2**16):
        n_bins = options.check_integer(n_bins, "n_bins", MIN_BINS, MAX_BINS)
        self._table = BinCounts(leading_bits(n_bins))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        y_true: str,
        y_score: str,
        *,
        pos_label: Label | None = None,
        sample_weight: str | None = None,
        n_bins: int = 2**16,
    ) -> PRCounts:
        """New counter of the samples in the columns of a data frame, read in one pass.

        Frames of one process, including a PyArrow RecordBatchReader, are read in batches.
        Partitions of Spark and Dask frames are counted on the workers, and the histograms
        are merged.

        Parameters
        ----------
        frame : data frame
            Data frame or table of pandas, Polars (eager or lazy), DuckDB, PyArrow, Spark or
            Dask.
        y_true : str
            Name of the column of labels.
        y_score : str
            Name of the column of scores.
        pos_label : int, float, bool or str, default=None
            The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
            booleans; other labels need `pos_label`.
        sample_weight : str, default=None
            Name of the column of weights.
        n_bins : int, default=2**16
            Maximum number of bins, from 512 to 2**24.

        Returns
        -------
        PRCounts
            A new counter. It can be merged with counters of other data and the same
            `n_bins`.

        Raises
        ------
        ValueError
            If the frame has more than two labels, or a weight above 1e250.

        Examples
        --------
        >>> import pandas as pd
        >>> from sklearn_achievable_pr import PRCounts
        >>> frame = pd.DataFrame({"fraud": [1, 0, 1, 0, 0], "p": [0.9, 0.8, 0.7, 0.2, 0.1]})
        >>> counts = PRCounts.from_frame(frame, "fraud", "p")
        >>> counts
        <PRCounts of 2 positives and 3 negatives in 62401 bins>
        >>> round(counts.auc_pr().low, 4)
        0.7973
        """
        counts = cls(n_bins)
        source = source_of(frame, y_true, y_score, sample_weight, pos_label)
        counts._table = source.counted(counts._table.bins)
        return counts

    @property
    def n_bins(self) -> int:
        """Number of bins, including empty ones."""
        return self._table.bins.n_bins

    @property
    def n_pos(self) -> float:
        """Number of positives counted, or the sum of their weights."""
        return self._table.weights[:, 1].sum().item()

    @property
    def n_neg(self) -> float:
        """Number of negatives counted, or the sum of their weights."""
        return self._table.weights[:, 0].sum().item()

    def update(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: Label | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> PRCounts:
        """Count more samples; a batch may be empty or have samples of one class only.

        Code labels alike in all batches and pass the same `pos_label`: all batches together
        must have at most two labels.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Binary labels. Labels other than {0, 1}, {-1, 1} and booleans need `pos_label`.
        y_score : array-like of shape (n_samples,)
            Real, finite scores, higher for the positive class, such as decision values or
            probabilities. A sample is predicted positive if `y_score >= threshold`.
        pos_label : int, float, bool or str, default=None
            The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
            booleans; other labels need `pos_label`.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights. A weight of k is the same as k copies of the sample, a
            weight of 0 the same as leaving the sample out.

        Returns
        -------
        PRCounts
            This counter.

        Raises
        ------
        ValueError
            If `y_true` has other labels than the batches before, or a weight is above
            1e250.
        """
        self._table.add(check_batches([(y_true, y_score, sample_weight)], pos_label))
        return self

    def merge(self, other: PRCounts) -> PRCounts:
        """Add the counts of another counter with the same bins to this counter.

        Parameters
        ----------
        other : PRCounts
            The other counter; it is not changed.

        Returns
        -------
        PRCounts
            This counter. ``a + b`` returns a new counter.

        Raises
        ------
        ValueError
            If the bins or the labels of the counters differ.
        TypeError
            If `other` is not a PRCounts, or labels of one counter are strings and those of
            the other are numbers.
        """
        if not isinstance(other, PRCounts):
            raise TypeError(f"`other` must be a PRCounts. Got {type(other).__name__}.")
        if self._table.bins != other._table.bins:
            raise ValueError(
                "`other` must have the same bins. Make both with the same `n_bins`. Got "
                f"{other!r} for {self!r}."
            )
        self._table.merge(other._table)
        return self

    def __getstate__(self):
        _, counts = self._table.__getstate__()
        return self.n_bins, counts

    def __setstate__(self, state):
        n_bins, counts = state
        self.__init__(n_bins)  # type: ignore[misc]
        self._table.__setstate__((self._table.bins, counts))

    def __copy__(self):
        counts = object.__new__(type(self))
        counts._table = BinCounts(self._table.bins)
        return counts.merge(self)

    def __add__(self, other: PRCounts | Literal[0]) -> PRCounts:
        return copy(self) if other == 0 else copy(self).merge(other)  # sum() starts with 0

    __radd__ = __add__

    def __eq__(self, other):
        return isinstance(other, PRCounts) and self._table == other._table

    def __repr__(self):
        counts = f"{self.n_pos} positives and {self.n_neg} negatives"
        if self._table.is_weighted:
            counts = f"positives of weight {self.n_pos:g} and negatives of {self.n_neg:g}"
        return f"<PRCounts of {counts} in {self.n_bins} bins>"

    def auc_pr(
        self,
        *,
        metric: str = "auc_pr_interpolated",
        recall_range: tuple[float, float] = (0.0, 1.0),
        prevalence: float | None = None,
    ) -> Bounds:
        """Guaranteed bounds of an area under the precision-recall curve, and an estimate.

        The bounds `low` and `high` are valid for any order of the samples within the bins.
        The `estimate` is the value if all samples of a bin were tied, not necessarily the
        midpoint of the bounds.

        Parameters
        ----------
        metric : str, default="auc_pr_interpolated"
            Name of the metric: ``"auc_pr_interpolated"``, ``"achievable_auc_pr"``,
            ``"aucnpr"`` or ``"achievable_aucnpr"``. The achievable metrics are those of the
            ROC convex hull.
        recall_range : (float, float), default=(0.0, 1.0)
            Recall range (a, b) to integrate over, 0 <= a < b <= 1. An area is not divided
            by the width b - a: areas of adjacent ranges add up. AUCNPR is normalized by the
            minimum and the maximum area of this range.
        prevalence : float, default=None
            Reference prevalence (fraction of positives), inside (0, 1). Negatives are
            reweighted so that the data have this prevalence; true and false positive rates
            do not change. Use a reference prevalence to undo down-sampling. None keeps the
            prevalence of the data.

        Returns
        -------
        Bounds
            `low`, `high` and `estimate`. Without positives, and without negatives if the
            metric is normalized or `prevalence` is given, they are NaN, with an
            :class:`~sklearn.exceptions.UndefinedMetricWarning`.

        Raises
        ------
        ValueError
            If no sample was counted.

        Warns
        -----
        UserWarning
            If the scores are reversed: the area under the ROC curve is below 1/2 by more
            than 3.3 standard errors of a score without skill, and AUC-PR is below its
            chance level.

        Examples
        --------
        >>> from sklearn_achievable_pr import PRCounts
        >>> counts = PRCounts().update([1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.2, 0.1])
        >>> bounds = counts.auc_pr(metric="aucnpr")
        >>> print(f"{bounds.low:.4f} <= {bounds.estimate:.4f} <= {bounds.high:.4f}")
        0.7354 <= 0.7354 <= 0.7354
        """
        wanted = check_metric(metric, OF_SEGMENTS, recall_range, prevalence)
        slack = None
        if not wanted.has_relative_error:
            # The recalls at the ends of the range have less than half of the error, which a
            # normalized metric divides by the width of the range.
            slack = max(4.0, wanted.highest / (wanted.high - wanted.low) / 2)

        def value(roc, first):
            if first is None:
                sizes = self._table.effective_class_sizes
                warn_if_reversed(roc, REVERSED_SCORES, sizes)
            return wanted.value(roc)

        return self._bounds(value, wanted.entry.label, wanted.highest, slack)

    def precision_at_recall(
        self,
        *,
        recall: ArrayLike,
        at_least: bool = False,
        curve: str = "empirical",
        prevalence: float | None = None,
    ) -> Bounds:
        """Guaranteed bounds of the precision at given recalls, and an estimate.

        The precision is that of the function `precision_at_recall`. The bounds `low` and
        `high` are valid for any order of the samples within the bins. The `estimate` is the
        value if all samples of a bin were tied, not necessarily the midpoint of the bounds.

        Parameters
        ----------
        recall : float or array-like
            Recalls within [0, 1].
        at_least : bool, default=False
            If True, return the maximum precision over all recalls greater than or equal to
            `recall`.
        curve : {"empirical", "achievable"}, default="empirical"
            The curve through all thresholds (empirical), or the curve of the ROC convex
            hull (achievable).
        prevalence : float, default=None
            Reference prevalence (fraction of positives), inside (0, 1). Negatives are
            reweighted so that the data have this prevalence; true and false positive rates
            do not change. Use a reference prevalence to undo down-sampling. None keeps the
            prevalence of the data.

        Returns
        -------
        Bounds
            `low`, `high` and `estimate` in the shape of `recall`. Without positives, and
            without negatives if `prevalence` is given, they are NaN, with an
            :class:`~sklearn.exceptions.UndefinedMetricWarning`.

        Raises
        ------
        ValueError
            If no sample was counted.

        Examples
        --------
        >>> from sklearn_achievable_pr import PRCounts
        >>> counts = PRCounts().update([1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.2, 0.1])
        >>> round(counts.precision_at_recall(recall=1.0).low, 4)
        0.6667
        """
        recall = options.check_fractions(recall, "recall")
        options.check_flag(at_least, "at_least")
        options.check_option(curve, "curve", options.CURVES)
        prevalence = options.check_prevalence(prevalence)
        # Recalls of weighted samples are rounded, and precision may fall at a recall. The
        # lower bound is that after the fall, the upper bound that before it.
        error = self._table.rounding_error
        recall_of = {0: np.minimum(recall * (1 + error), 1), 1: recall * (1 - error)}

        def value(roc, first):
            roc = roc.of_kind(curve).at_prevalence(prevalence)
            return precision_at(roc, recall_of.get(first, recall), at_least)

        return self._bounds(value, "precision at a recall", shape=recall.shape)

    def _bounds(self, metric, what, limit=1.0, slack=None, shape=()):
        """`Bounds` of a metric, of this shape; NaN and a warning if undefined.

        `metric`, `limit` and `slack` are those of `BinCounts.bounds`; `what` names the
        metric.
        """
        if not self._table.samples.any():
            raise ValueError("There are no samples to measure. Call `update` first.")

        low_high_estimate = value_or_warn(
            lambda: self._table.bounds(metric, limit, slack),
            np.full((3, *shape), np.nan),
            what,
        )
        return Bounds(*map(options.float_if_scalar, low_high_estimate))
