"""Precision-recall curves and points on them."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from .._input import options
from .._input.arrays import check_integers
from .._input.labels import check_binary
from .._input.options import Label
from .._roc.counting import breakpoints, every_threshold, from_counts
from ._operating_points import curve_of, curve_or_nan

# More interpolated points than this may not fit into memory.
_MOST_POINTS = 10**8


def achievable_pr_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    prevalence: float | None = None,
    interpolate: bool = True,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    r"""Precision-recall curve of the ROC convex hull.

    Typical call::

        precision, recall, thresholds = achievable_pr_curve(y_true, y_score)
        vertices = achievable_pr_curve(y_true, y_score, interpolate=False)

    Which combinations of precision and recall can be reached with this score? A classifier
    that switches at random between two thresholds reaches every point of the curve between
    them. The achievable curve is the best curve that can be reached in this way (Corollary
    3.1 of [1]_). Its vertices are those of the upper convex hull of the ROC curve;
    collinear points are not vertices. Tied scores are one segment of the ROC curve.

    Both coordinates lie in [0, 1], higher is better; precision is never below the
    prevalence, the precision of a constant, no-skill score. Reweighting to a reference
    `prevalence` follows [2]_.

    A hull that is computed and evaluated on the same data is optimistic. Use
    `HullThresholdClassifierCV` to choose thresholds on a tuning set.

    Read more in the :ref:`User Guide <achievable>`.

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
        Non-negative weights. A weight of k is the same as k copies of the sample, a weight
        of 0 the same as leaving the sample out.
    prevalence : float, default=None
        Reference prevalence (fraction of positives), inside (0, 1). Negatives are
        reweighted so that the data have this prevalence; true and false positive rates do
        not change. Use a reference prevalence to undo down-sampling. None keeps the
        prevalence of the data.
    interpolate : bool, default=True
        Whether to add interpolated points between the vertices of the hull, one per true
        positive (with weights, one per mean weight of a positive), so that a polyline looks
        like the curve. False returns the vertices only.

    Returns
    -------
    precision : ndarray of float64, shape (n_points,)
        Element i is the precision at `recall[i]`. The last element, at recall 0, is the
        precision at the end of the first segment of the hull, on which precision is
        constant. It is not set to 1 as in scikit-learn. Without negatives every precision
        is 1. Without positives, and without negatives if `prevalence` is given, every
        precision is NaN, with an :class:`~sklearn.exceptions.UndefinedMetricWarning`.
    recall : ndarray of float64, shape (n_points,)
        Non-increasing, from 1 to 0. NaN where the precision is NaN.
    thresholds : ndarray of shape (n_points - 1,)
        Increasing; `precision[i]` is the precision of predicting samples with ``y_score >=
        thresholds[i]`` positive. NaN at interpolated points, which need a random choice
        between the two neighboring thresholds. The last point, at recall 0, has no
        threshold.

    Raises
    ------
    ValueError
        If an argument is invalid; with `interpolate`, also for more than 1e8 positives and
        for integer scores above 2**53.

    See Also
    --------
    pr_curve_interpolated : The curve through every threshold.
    roc_convex_hull : The vertices of this curve in ROC space.
    auc_pr_interpolated : The area, with ``curve="achievable"``.
    sklearn.metrics.precision_recall_curve : Points without interpolation.

    Notes
    -----
    The points (f, t) of the ROC curve in counts are false and true positives, starting at
    (0, 0). Between the vertices :math:`(f_0, t_0)` and :math:`(f_1, t_1)` of the hull both
    counts grow linearly. With P positives,

    .. math::

        \mathrm{precision} = \frac{t}{t + f(t)}
        \qquad
        \mathrm{recall} = \frac{t}{P}
        \qquad
        f(t) = f_0 + (f_1 - f_0) \frac{t - t_0}{t_1 - t_0}

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, sections 3, 4. :doi:`10.1145/1143844.1143874`
    .. [2] Boyd et al. (2012), ICML 29, section 4.3. :arxiv:`1206.4667`

    Examples
    --------
    >>> from sklearn_achievable_pr import achievable_pr_curve
    >>> y_true = [1, 0, 1, 1, 0, 0]
    >>> y_score = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    >>> precision, recall, thresholds = achievable_pr_curve(
    ...     y_true, y_score, interpolate=False
    ... )
    >>> precision.tolist()
    [0.5, 0.75, 1.0, 1.0]
    >>> recall.round(3).tolist()
    [1.0, 1.0, 0.333, 0.0]
    >>> thresholds.tolist()
    [0.4, 0.6, 0.9]
    """
    data = check_binary(y_true, y_score, pos_label, sample_weight)
    interpolate = options.check_flag(interpolate, "interpolate")
    prevalence = options.check_prevalence(prevalence)
    return _curve(breakpoints(data).hull(), prevalence, interpolate, data)


def pr_curve_interpolated(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    prevalence: float | None = None,
    interpolate: bool = True,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    r"""Precision-recall curve through every threshold, correctly interpolated.

    Typical call::

        precision, recall, thresholds = pr_curve_interpolated(y_true, y_score)
        at_thresholds = pr_curve_interpolated(y_true, y_score, interpolate=False)

    What precision does the score have at each recall? The curve passes through the point of
    every distinct score. Between two neighboring points the numbers of true and false
    positives grow linearly, so precision is not linear in recall [1]_. Straight lines
    between the points, as in many plots, can be far too high. Tied scores are one segment,
    so the order of tied samples does not matter.

    Both coordinates lie in [0, 1], higher is better; a constant, no-skill score has the
    prevalence as its precision. Reweighting to a reference `prevalence` follows [2]_.

    Read more in the :ref:`User Guide <curve>`.

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
        Non-negative weights. A weight of k is the same as k copies of the sample, a weight
        of 0 the same as leaving the sample out.
    prevalence : float, default=None
        Reference prevalence (fraction of positives), inside (0, 1). Negatives are
        reweighted so that the data have this prevalence; true and false positive rates do
        not change. Use a reference prevalence to undo down-sampling. None keeps the
        prevalence of the data.
    interpolate : bool, default=True
        Whether to add interpolated points between the points of the thresholds, one per
        true positive (with weights, one per mean weight of a positive), so that a polyline
        looks like the curve. False returns the points of the thresholds only.

    Returns
    -------
    precision : ndarray of float64, shape (n_points,)
        Element i is the precision at `recall[i]`. The last element, at recall 0, is the
        limit of the precision on the first segment of the ROC curve: 0 if negatives come
        first, and otherwise the precision at the end of this segment. It is not set to 1 as
        in scikit-learn. Without negatives every precision is 1. Without positives, and
        without negatives if `prevalence` is given, every precision is NaN, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`.
    recall : ndarray of float64, shape (n_points,)
        Non-increasing, from 1 to 0. NaN where the precision is NaN.
    thresholds : ndarray of shape (n_points - 1,)
        Increasing; `precision[i]` is the precision of predicting samples with ``y_score >=
        thresholds[i]`` positive. NaN at interpolated points, which need a random choice
        between the two neighboring thresholds. The last point, at recall 0, has no
        threshold.

    Raises
    ------
    ValueError
        If an argument is invalid; with `interpolate`, also for more than 1e8 positives and
        for integer scores above 2**53.

    See Also
    --------
    achievable_pr_curve : The curve of the ROC convex hull, never below this one.
    pr_curve_from_counts : The curve from confusion counts.
    auc_pr_interpolated : The area under this curve.
    sklearn.metrics.precision_recall_curve : Points without interpolation.

    Notes
    -----
    The ROC curve in counts starts at (0, 0) and has a point (f, t), false and true
    positives, at every distinct score. Between two points :math:`(f_0, t_0)` and
    :math:`(f_1, t_1)` both counts grow linearly. With P positives,

    .. math::

        \mathrm{precision} = \frac{t}{t + f(t)}
        \qquad
        \mathrm{recall} = \frac{t}{P}
        \qquad
        f(t) = f_0 + (f_1 - f_0) \frac{t - t_0}{t_1 - t_0}

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] Boyd et al. (2012), ICML 29, section 4.3. :arxiv:`1206.4667`

    Examples
    --------
    Two positives and two negatives are tied. The curve has one interpolated point inside
    this tie, at the second true positive.

    >>> from sklearn_achievable_pr import pr_curve_interpolated
    >>> precision, recall, thresholds = pr_curve_interpolated(
    ...     [1, 1, 1, 0, 0], [0.9, 0.5, 0.5, 0.5, 0.5]
    ... )
    >>> precision.round(3).tolist()
    [0.6, 0.667, 1.0, 1.0]
    >>> recall.round(3).tolist()
    [1.0, 0.667, 0.333, 0.0]
    >>> thresholds.tolist()
    [0.5, nan, 0.9]
    """
    data = check_binary(y_true, y_score, pos_label, sample_weight)
    interpolate = options.check_flag(interpolate, "interpolate")
    prevalence = options.check_prevalence(prevalence)
    return _curve(every_threshold(data), prevalence, interpolate, data)


def pr_curve_from_counts(
    tps: ArrayLike,
    fps: ArrayLike,
    *,
    n_pos: float | None = None,
    n_neg: float | None = None,
    curve: str = "empirical",
    prevalence: float | None = None,
    interpolate: bool = True,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    r"""Precision-recall curve of given confusion counts, published or aggregated.

    Typical call::

        tps, fps = [5, 10, 20], [5, 30, 500]
        precision, recall, _ = pr_curve_from_counts(tps, fps, n_pos=20, n_neg=2000)

    Use this function where scores are not available: for example with a table of counts at
    several thresholds, or with counts summed over shards of the data. The result is the
    curve of `pr_curve_interpolated` or `achievable_pr_curve`: between two points the
    numbers of true and false positives grow linearly [1]_. Repeated points count once. One
    confusion matrix has the curve of a score with two levels, which need not be near the
    curve of the scores.

    Both coordinates lie in [0, 1], higher is better; a constant, no-skill score has the
    prevalence as its precision. Reweighting to a reference `prevalence` follows [2]_.

    Read more in the :ref:`User Guide <curve>`.

    Parameters
    ----------
    tps, fps : array-like of shape (n_points,)
        True and false positives at decreasing thresholds; both must be non-decreasing. The
        ROC curve starts at (0, 0) and ends at (`n_neg`, `n_pos`), whether or not these
        points are given. Counts may be fractions, such as sums of weights; if both end at 1
        or below, pass `n_pos` and `n_neg`. True and false positive rates need `prevalence`
        and, if they end below 1, ``n_pos=1, n_neg=1``.
    n_pos, n_neg : float, default=None
        Totals of positives and negatives. None takes the last element of `tps` and of
        `fps`.
    curve : {"empirical", "achievable"}, default="empirical"
        The curve through all thresholds (empirical), or the curve of the ROC convex hull
        (achievable).
    prevalence : float, default=None
        Reference prevalence (fraction of positives), inside (0, 1). Negatives are
        reweighted so that the data have this prevalence; true and false positive rates do
        not change. Use a reference prevalence to undo down-sampling. None keeps the
        prevalence of the data.
    interpolate : bool, default=True
        Whether to add interpolated points between the given points, one per true positive,
        so that a polyline looks like the curve. False returns only the given points and the
        two end points or, with ``curve="achievable"``, the vertices of the hull.

    Returns
    -------
    precision : ndarray of float64, shape (n_points,)
        Element i is the precision at `recall[i]`. The last element, at recall 0, is the
        limit of the precision on the first segment of the ROC curve: 0 if negatives come
        first, and otherwise the precision at the end of this segment. It is not set to 1 as
        in scikit-learn. Without negatives every precision is 1. Without positives, and
        without negatives if `prevalence` is given, every precision is NaN, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`.
    recall : ndarray of float64, shape (n_points,)
        Non-increasing, from 1 to 0. NaN where the precision is NaN.
    thresholds : ndarray of shape (n_points - 1,)
        All NaN, because counts have no thresholds.

    Raises
    ------
    ValueError
        If an argument is invalid, e.g. rates without `prevalence`, or `interpolate` needs
        more than 1e8 points.

    See Also
    --------
    auc_pr_from_counts : The area under this curve.
    pr_curve_interpolated : The curve from labels and scores.

    Notes
    -----
    Between two points :math:`(f_0, t_0)` and :math:`(f_1, t_1)`, false and true positives,
    both counts grow linearly. With P positives,

    .. math::

        \mathrm{precision} = \frac{t}{t + f(t)}
        \qquad
        \mathrm{recall} = \frac{t}{P}
        \qquad
        f(t) = f_0 + (f_1 - f_0) \frac{t - t_0}{t_1 - t_0}

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] Boyd et al. (2012), ICML 29, section 4.3. :arxiv:`1206.4667`

    Examples
    --------
    Table 1 of Davis and Goadrich: 20 positives, 2000 negatives, from (t, f) = (5, 5) to
    (10, 30).

    >>> from sklearn_achievable_pr import pr_curve_from_counts
    >>> precision, recall, _ = pr_curve_from_counts(
    ...     [5, 10], [5, 30], n_pos=20, n_neg=2000
    ... )
    >>> precision[10:16].round(3).tolist()
    [0.25, 0.265, 0.286, 0.318, 0.375, 0.5]
    >>> recall[10:16].round(3).tolist()
    [0.5, 0.45, 0.4, 0.35, 0.3, 0.25]
    """
    options.check_option(curve, "curve", options.CURVES)
    counts = tps, fps, n_pos, n_neg, prevalence
    roc = from_counts(*options.check_counts(*counts, "pr_curve_from_counts"))
    interpolate = options.check_flag(interpolate, "interpolate")
    prevalence = options.check_prevalence(prevalence)
    return _curve(roc.of_kind(curve), prevalence, interpolate)


def _curve(roc, prevalence, interpolate, data=None):
    """The curve of a ROC curve, of these samples or of counts, with interpolated points."""
    spacing = None
    if interpolate:
        n_points = roc.n_pos
        if data is not None:
            # Integer thresholds cannot hold the NaN of interpolated points.
            needed = "`interpolate`=True needs thresholds"
            check_integers(data.score, needed, "interpolate=False")
            n_points = np.count_nonzero(data.positive)
        if n_points > _MOST_POINTS:
            raise ValueError(
                "`interpolate`=True adds a point per positive and takes at most "
                f"{_MOST_POINTS} positives. Got {n_points:.0f}; pass interpolate=False for "
                "the vertices."
            )
        spacing = roc.n_pos / (n_points or 1)
    return curve_or_nan(partial(curve_of, spacing=spacing), roc, prevalence)
