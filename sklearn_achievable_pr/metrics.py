"""Precision-recall curves, the areas under them and their operating points."""

import math

import numpy as np
from numpy.typing import ArrayLike

from ._averaging import averaged
from ._pr_segments import (
    MOST_ROWS,
    EveryRow,
    area_below,
    areas,
    cut,
    davis_goadrich_area,
    few_pieces,
    interpolated,
    precision_at,
    precision_of,
    recall_reaching,
)
from ._roc_hull import (
    hull_row_by_row,
    hull_slopes,
    likely_vertices,
    strict_upper_hull,
    where_slopes_change,
)
from ._threshold_counts import (
    FEW_ROWS,
    ThresholdCounts,
    all_counts,
    by_falling_score,
    corner_blocks,
    corner_counts,
    counts_of,
    sort_rows,
    thresholds_at,
)
from ._validation import (
    CURVES,
    Label,
    check_binary,
    check_binary_or_labels,
    check_counts,
    check_fractions,
    check_option,
    check_predictions,
    check_prevalence,
    check_recall_range,
    or_undefined,
    require_classes,
)
from .unachievable import average_precision_bounds

_METHODS = ("exact", "davis_goadrich")


# Curves


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

    The best curve that can be had from the thresholds of a score, flipping a coin between
    two of them where that helps: no other curve made of these points lies above it
    (Corollary 3.1 of [1]_). Its vertices are those of the strict upper hull of the ROC
    points (f, t), false and true positives, from the origin; no collinear point is one.
    Between vertices (f0, t0) and (f1, t1) the counts grow linearly,

    .. math::

        \mathrm{precision}(t) = \frac{t}{t + f_0 + (f_1 - f_0)\frac{t - t_0}{t_1 - t_0}},
        \qquad \mathrm{recall} = t / P.

    Tied scores are one step. Both coordinates lie in [0, 1], higher is better; precision
    never falls below the prevalence, the value of a constant, no-skill score.

    A hull chosen on the data it is shown for is optimistic. To keep the thresholds of a
    tuning set use `HullThresholdClassifierCV`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. {0, 1}, {-1, 1} and booleans are understood; other labels need
        `pos_label`.
    y_score : array-like of shape (n_samples,)
        Scores that are higher for the positive class: decision values, probabilities,
        anything real and finite. Positive means `y_score >= threshold`.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative. A weight of k is the same as k copies of the row, a weight
        of 0 the same as no row.
    prevalence : float, default=None
        Fraction of positives, inside (0, 1), that the data are to stand for: true and
        false positive rates are kept and the negatives are reweighted. It undoes
        down-sampling [2]_. None keeps the fraction of the data.
    interpolate : bool, default=True
        Whether points are put between the vertices, one per true positive (per mean
        weight of a positive with `sample_weight`), on the Davis-Goadrich curve. False
        gives the vertices only.

    Returns
    -------
    precision : ndarray of float64, shape (n_points,)
        Element i is the precision at `recall[i]`. The last one, at recall 0, is the limit
        of the curve's first piece: t / (t + f) of that piece, 0 if negatives come first.
        Never an artificial 1.
    recall : ndarray of float64, shape (n_points,)
        Falling from 1 to 0.
    thresholds : ndarray of shape (n_points - 1,)
        Rising; `precision[i]` is had by predicting positive where
        `y_score >= thresholds[i]`. NaN at the points between vertices: these are reached
        by a coin between the two neighbouring thresholds, not by one threshold. The last
        point, recall 0, has no threshold.

        All NaN precision and recall without positives, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`. Precision is 1 everywhere
        without negatives (undefined if `prevalence` is given).

    Raises
    ------
    ValueError
        If `y_score` has NaN or infinite values or the wrong shape, `y_true` is empty, has
        missing or continuous values or labels for which `pos_label` is needed or absent,
        `sample_weight` is negative, not finite, all 0 or of another length, or
        `prevalence` leaves (0, 1).
    TypeError
        If `y_score` or `sample_weight` are not real numbers, or `y_true` is not labels.

    See Also
    --------
    pr_curve_interpolated : The curve through every threshold.
    roc_convex_hull : The same vertices in ROC space.
    auc_pr_interpolated : The area, with ``curve="achievable"``.
    sklearn.metrics.precision_recall_curve : Points without interpolation.

    References
    ----------
    .. [1] J. Davis and M. Goadrich (2006). The relationship between precision-recall and
       ROC curves. Proceedings of the 23rd International Conference on Machine Learning,
       233-240, Corollary 3.1 and section 4. :doi:`10.1145/1143844.1143874`
    .. [2] K. Boyd, V. Santos Costa, J. Davis and C. D. Page (2012). Unachievable region
       in precision-recall space and its effect on empirical evaluation. Proceedings of
       the 29th International Conference on Machine Learning, section 4.3.
       :arxiv:`1206.4667`

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
    problem = check_binary(y_true, y_score, pos_label, sample_weight)
    prevalence = check_prevalence(prevalence)
    return _curve(_hull_counts(problem), prevalence, _spacing(problem, interpolate))


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

    The ROC path goes from (f, t) = (0, 0), false and true positives, through the counts
    at every distinct score to the totals. Between its points the counts grow linearly, so
    precision does not:

    .. math::

        \mathrm{precision}(t) = \frac{t}{t + f_0 + (f_1 - f_0)\frac{t - t_0}{t_1 - t_0}},
        \qquad \mathrm{recall} = t / P.

    Tied scores are one step, whatever the order of the rows. Both coordinates lie in
    [0, 1], higher is better; a constant, no-skill score has the prevalence as precision.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. {0, 1}, {-1, 1} and booleans are understood; other labels need
        `pos_label`.
    y_score : array-like of shape (n_samples,)
        Scores that are higher for the positive class: decision values, probabilities,
        anything real and finite. Positive means `y_score >= threshold`.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative. A weight of k is the same as k copies of the row, a weight
        of 0 the same as no row.
    prevalence : float, default=None
        Fraction of positives, inside (0, 1), that the data are to stand for: true and
        false positive rates are kept and the negatives are reweighted. It undoes
        down-sampling [2]_. None keeps the fraction of the data.
    interpolate : bool, default=True
        Whether points are put between the vertices, one per true positive (per mean
        weight of a positive with `sample_weight`), on the Davis-Goadrich curve. False
        gives the vertices only.

    Returns
    -------
    precision : ndarray of float64, shape (n_points,)
        Element i is the precision at `recall[i]`. The last one, at recall 0, is the limit
        of the curve's first piece: t / (t + f) of that piece, 0 if negatives come first.
        Never an artificial 1.
    recall : ndarray of float64, shape (n_points,)
        Falling from 1 to 0.
    thresholds : ndarray of shape (n_points - 1,)
        Rising; `precision[i]` is had by predicting positive where
        `y_score >= thresholds[i]`. NaN at the points between vertices: these are reached
        by a coin between the two neighbouring thresholds, not by one threshold. The last
        point, recall 0, has no threshold.

        All NaN precision and recall without positives, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`. Precision is 1 everywhere
        without negatives (undefined if `prevalence` is given).

    Raises
    ------
    ValueError
        If `y_score` has NaN or infinite values or the wrong shape, `y_true` is empty, has
        missing or continuous values or labels for which `pos_label` is needed or absent,
        `sample_weight` is negative, not finite, all 0 or of another length, or
        `prevalence` leaves (0, 1).
    TypeError
        If `y_score` or `sample_weight` are not real numbers, or `y_true` is not labels.

    See Also
    --------
    achievable_pr_curve : The curve of the ROC convex hull, never below this one.
    pr_curve_from_counts : The same from confusion counts.
    auc_pr_interpolated : The area under it.
    sklearn.metrics.precision_recall_curve : Points without interpolation.

    References
    ----------
    .. [1] J. Davis and M. Goadrich (2006). The relationship between precision-recall and
       ROC curves. Proceedings of the 23rd International Conference on Machine Learning,
       233-240, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] K. Boyd, V. Santos Costa, J. Davis and C. D. Page (2012). Unachievable region
       in precision-recall space and its effect on empirical evaluation. Proceedings of
       the 29th International Conference on Machine Learning, section 4.3.
       :arxiv:`1206.4667`

    Examples
    --------
    A tie of two positives and two negatives is crossed along a curve, with one point at
    the true positive inside it.

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
    problem = check_binary(y_true, y_score, pos_label, sample_weight)
    prevalence = check_prevalence(prevalence)
    return _curve(all_counts(*problem), prevalence, _spacing(problem, interpolate))


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
    r"""Precision-recall curve from published or aggregated confusion counts.

    What `pr_curve_interpolated` and `achievable_pr_curve` give, without scores: from the
    confusion matrices in a paper, or counts summed over shards of the data. Between two
    points (f0, t0) and (f1, t1) the counts grow linearly,

    .. math::

        \mathrm{precision}(t) = \frac{t}{t + f_0 + (f_1 - f_0)\frac{t - t_0}{t_1 - t_0}},
        \qquad \mathrm{recall} = t / P.

    Repeated points are one. Both coordinates lie in [0, 1], higher is better; a
    constant, no-skill score has the prevalence as its precision.

    Parameters
    ----------
    tps, fps : array-like of shape (n_points,)
        True and false positives at falling thresholds, so neither may fall. The path is
        completed from (0, 0) and to (`n_neg`, `n_pos`). Counts may be fractional
        (weighted).
    n_pos, n_neg : float, default=None
        Totals of positives and negatives. None takes the last of `tps`, of `fps`.
    curve : {"empirical", "achievable"}, default="empirical"
        The curve through all thresholds, or that of the ROC convex hull.
    prevalence : float, default=None
        Fraction of positives, inside (0, 1), that the data are to stand for: true and
        false positive rates are kept and the negatives are reweighted. It undoes
        down-sampling [2]_. None keeps the fraction of the data.
    interpolate : bool, default=True
        Whether points are put between the vertices, one per true positive: as many points
        as there are positives. False gives the vertices only.

    Returns
    -------
    precision : ndarray of float64, shape (n_points,)
        Element i is the precision at `recall[i]`. The last one, at recall 0, is the limit
        of the curve's first piece: t / (t + f) of that piece, 0 if negatives come first.
        Never an artificial 1.
    recall : ndarray of float64, shape (n_points,)
        Falling from 1 to 0.
    thresholds : ndarray of shape (n_points - 1,)
        All NaN: counts carry no thresholds.

        All NaN precision and recall without positives, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`. Precision is 1 everywhere
        without negatives (undefined if `prevalence` is given).

    Raises
    ------
    ValueError
        If `tps` or `fps` fall, are negative, not finite, empty, of different lengths or
        above their totals, `curve` is unknown, or `prevalence` leaves (0, 1).
    TypeError
        If `tps`, `fps` or a total are not real numbers.

    See Also
    --------
    auc_pr_from_counts : The area under it.
    pr_curve_interpolated : The same from labels and scores.

    References
    ----------
    .. [1] J. Davis and M. Goadrich (2006). The relationship between precision-recall and
       ROC curves. Proceedings of the 23rd International Conference on Machine Learning,
       233-240, section 4 and Table 1. :doi:`10.1145/1143844.1143874`
    .. [2] K. Boyd, V. Santos Costa, J. Davis and C. D. Page (2012). Unachievable region
       in precision-recall space and its effect on empirical evaluation. Proceedings of
       the 29th International Conference on Machine Learning, section 4.3.
       :arxiv:`1206.4667`

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
    check_option(curve, "curve", CURVES)
    prevalence = check_prevalence(prevalence)
    counts = _given_counts(tps, fps, n_pos, n_neg, curve)
    return _curve(counts, prevalence, 1 if interpolate else None)


# Areas


def auc_pr_interpolated(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    curve: str = "empirical",
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
    method: str = "exact",
    replace_undefined_by: float = np.nan,
) -> float | np.ndarray:
    r"""Exact area under the correctly interpolated precision-recall curve.

    The curve runs from the ROC origin through all points (f, t) of false and true
    positives; between two of them the counts grow linearly. With :math:`T = t_1 - t_0`,
    :math:`F = f_1 - f_0`, :math:`n_0 = t_0 + f_0` and :math:`s = T / (T + F)` a piece has
    the area

    .. math::

        \frac{s}{P} \left[ T + (t_0 - s\, n_0) \ln\left(1 + \frac{T + F}{n_0}\right)
        \right], \qquad \frac{s T}{P} \text{ if } n_0 = 0,

    computed in a form in which nothing cancels. Tied scores are one step.

    Higher is better, 1 (the width of `recall_range`) is perfect. A constant,
    no-skill score has exactly the prevalence :math:`\pi` (times the width); a random
    untied one lies somewhat above it on average, less so with many rows. The worst
    ranking has `auc_pr_min`. The achievable area is never below :math:`\pi` nor the
    empirical one.

    Replaces :func:`sklearn.metrics.average_precision_score`, which sums steps, and
    ``auc(recall, precision)``, which draws straight lines where there are none.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        Binary labels ({0, 1}, {-1, 1} and booleans are understood, others need
        `pos_label`), a multilabel indicator table, or multiclass labels.
    y_score : array-like of shape (n_samples,) or (n_samples, n_labels)
        Scores that are higher for the positive class: decision values, probabilities,
        anything real and finite. One column a label for a table, one column a class, in
        sorted order, for multiclass labels. Positive means `y_score >= threshold`.
    average : {"macro", "weighted", "micro", "samples"} or None, default="macro"
        As in :func:`sklearn.metrics.average_precision_score`; ignored for binary labels.

        - ``"macro"``: the mean over the labels;
        - ``"weighted"``: the mean weighted by each label's (weighted) positives, so that
          a label without positives does not count;
        - ``"micro"``: all entries of the table as one binary problem;
        - ``"samples"``: the mean over the rows, each a problem of its own;
        - ``None``: one value a label.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative. A weight of k is the same as k copies of the row, a weight
        of 0 the same as no row.
    curve : {"empirical", "achievable"}, default="empirical"
        The curve through all thresholds, or that of the ROC convex hull.
    recall_range : (float, float), default=(0.0, 1.0)
        Recalls a < b within [0, 1] to integrate over. The area is not divided by b - a:
        parts of a range sum to the whole.
    prevalence : float, default=None
        Fraction of positives, inside (0, 1), that the data are to stand for: true and
        false positive rates are kept and the negatives are reweighted. It undoes
        down-sampling [2]_. None keeps the fraction of the data.
    method : {"exact", "davis_goadrich"}, default="exact"
        The closed form, or trapezoids between points one true positive apart. The latter
        drops points without true positives and runs flat from recall 0 to the first point
        left: what Davis and Goadrich's program AUCCalculator prints, also with a minimum
        recall a as ``recall_range=(a, 1)``. Not with `sample_weight`.
    replace_undefined_by : float, default=np.nan
        What stands for an undefined value, label by label before averaging. The scorers
        use 0.0, because a NaN in one fold makes a grid search rank nothing.

    Returns
    -------
    float or ndarray of float64, shape (n_labels,)
        The area; an array with ``average=None`` and more than one label. Without positives
        it is undefined: `replace_undefined_by`, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`. Without negatives it is the
        width of `recall_range` (undefined if `prevalence` is given).

    Raises
    ------
    ValueError
        If `y_score` has NaN or infinite values or the wrong shape, `y_true` is empty, has
        missing or continuous values or labels for which `pos_label` is needed or absent,
        `sample_weight` is negative, not finite, all 0 or of another length, an option is
        unknown, `recall_range` is no pair 0 <= a < b <= 1, `prevalence` leaves (0, 1), or
        `method` is ``"davis_goadrich"`` with weights.
    TypeError
        If `y_score` or `sample_weight` are not real numbers, or `y_true` is not labels.

    See Also
    --------
    aucnpr : This area above the floor that every model gets for free.
    auc_pr_from_counts : The same from confusion counts.
    pr_curve_interpolated : The curve.
    sklearn.metrics.average_precision_score : The sum of steps.

    References
    ----------
    .. [1] J. Davis and M. Goadrich (2006). The relationship between precision-recall and
       ROC curves. Proceedings of the 23rd International Conference on Machine Learning,
       233-240, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] K. Boyd, V. Santos Costa, J. Davis and C. D. Page (2012). Unachievable region
       in precision-recall space and its effect on empirical evaluation. Proceedings of
       the 29th International Conference on Machine Learning, section 4.3.
       :arxiv:`1206.4667`

    Examples
    --------
    >>> from sklearn_achievable_pr import auc_pr_interpolated
    >>> y_true = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    >>> y_score = [0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    >>> round(auc_pr_interpolated(y_true, y_score), 4)
    0.6141
    >>> round(auc_pr_interpolated(y_true, y_score, method="davis_goadrich"), 4)
    0.6712
    >>> round(auc_pr_interpolated(y_true, y_score, recall_range=(0.5, 1.0)), 4)
    0.1759
    """
    check_option(curve, "curve", CURVES)
    check_option(method, "method", _METHODS)
    low, high = check_recall_range(recall_range)
    prevalence = check_prevalence(prevalence)
    if method == "davis_goadrich" and sample_weight is not None:
        raise ValueError(
            "`method`='davis_goadrich' takes one step per true positive and has no "
            "meaning with `sample_weight`. Leave one of them out: method='exact' takes "
            "weights."
        )
    target = check_binary_or_labels(y_true, y_score, pos_label, sample_weight)

    def measure(problem):
        if method == "exact":
            return _area(*_path(problem, curve), prevalence, low, high)
        # Where positives follow one another this method sees their every threshold.
        counts = _hull_counts(problem) if curve == "achievable" else all_counts(*problem)
        return davis_goadrich_area(*_at_prevalence(counts, prevalence), low, high)

    return averaged(measure, target, average, replace_undefined_by, "the area")


def aucnpr(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
    replace_undefined_by: float = np.nan,
) -> float | np.ndarray:
    r"""Area under the precision-recall curve, normalised for the unachievable region.

    .. math::

        \mathrm{AUCNPR} = \frac{A - A_{\min}}{A_{\max} - A_{\min}}

    with :math:`A` the exact area of `auc_pr_interpolated` [2]_, :math:`A_{\min}` that of
    the worst ranking, `auc_pr_min` of the same prevalence and recalls, and
    :math:`A_{\max} = b - a`.

    Higher is better: 1 for the best ranking and 0 for the worst one, whatever the
    prevalence. On one data set it orders models as the area does; across folds or tasks
    of different prevalence it is the one to average [1]_. A constant, no-skill score has
    :math:`(\pi - A_{\min}) / (1 - A_{\min})`, .279 at prevalence :math:`\pi` = .5 and about
    :math:`\pi / 2` where positives are rare. Tied scores are one step.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        Binary labels ({0, 1}, {-1, 1} and booleans are understood, others need
        `pos_label`), a multilabel indicator table, or multiclass labels.
    y_score : array-like of shape (n_samples,) or (n_samples, n_labels)
        Scores that are higher for the positive class: decision values, probabilities,
        anything real and finite. One column a label for a table, one column a class, in
        sorted order, for multiclass labels. Positive means `y_score >= threshold`.
    average : {"macro", "weighted", "micro", "samples"} or None, default="macro"
        As in :func:`sklearn.metrics.average_precision_score`; ignored for binary labels.

        - ``"macro"``: the mean over the labels;
        - ``"weighted"``: the mean weighted by each label's (weighted) positives, so that
          a label without positives does not count;
        - ``"micro"``: all entries of the table as one binary problem;
        - ``"samples"``: the mean over the rows, each a problem of its own;
        - ``None``: one value a label.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative. A weight of k is the same as k copies of the row, a weight
        of 0 the same as no row.
    recall_range : (float, float), default=(0.0, 1.0)
        Recalls a < b within [0, 1] to integrate over. The area is not divided by b - a:
        parts of a range sum to the whole.
    prevalence : float, default=None
        Fraction of positives, inside (0, 1), that the data are to stand for: true and
        false positive rates are kept and the negatives are reweighted. It undoes
        down-sampling [1]_. None keeps the fraction of the data.
    replace_undefined_by : float, default=np.nan
        What stands for an undefined value, label by label before averaging. The scorers
        use 0.0, because a NaN in one fold makes a grid search rank nothing.

    Returns
    -------
    float or ndarray of float64, shape (n_labels,)
        Within [0, 1]; an array with ``average=None`` and more than one label. Undefined
        without positives and without negatives: `replace_undefined_by`, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning` that names the missing class.

    Raises
    ------
    ValueError
        If `y_score` has NaN or infinite values or the wrong shape, `y_true` is empty, has
        missing or continuous values or labels for which `pos_label` is needed or absent,
        `sample_weight` is negative, not finite, all 0 or of another length, `average` is
        unknown, `recall_range` is no pair 0 <= a < b <= 1, or `prevalence` leaves (0, 1).
    TypeError
        If `y_score` or `sample_weight` are not real numbers, or `y_true` is not labels.

    See Also
    --------
    auc_pr_interpolated : The area itself.
    auc_pr_min : The floor.
    normalized_average_precision_score : The same idea for average precision.

    References
    ----------
    .. [1] K. Boyd, V. Santos Costa, J. Davis and C. D. Page (2012). Unachievable region
       in precision-recall space and its effect on empirical evaluation. Proceedings of
       the 29th International Conference on Machine Learning, section 3.
       :arxiv:`1206.4667`
    .. [2] J. Davis and M. Goadrich (2006). The relationship between precision-recall and
       ROC curves. Proceedings of the 23rd International Conference on Machine Learning,
       233-240, section 4. :doi:`10.1145/1143844.1143874`

    Examples
    --------
    >>> from sklearn_achievable_pr import aucnpr
    >>> y_true = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    >>> y_score = [0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    >>> round(aucnpr(y_true, y_score), 4)
    0.5364
    >>> aucnpr([0, 0, 1], [0.9, 0.8, 0.1])  # the worst ranking
    0.0
    """
    low, high = check_recall_range(recall_range)
    prevalence = check_prevalence(prevalence)
    target = check_binary_or_labels(y_true, y_score, pos_label, sample_weight)

    def measure(problem):
        return _normalized_area(*_path(problem, "empirical"), prevalence, low, high)

    return averaged(measure, target, average, replace_undefined_by, "AUCNPR")


def normalized_average_precision_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float | np.ndarray:
    r"""Average precision above the lowest that these samples can have.

    .. math::

        \frac{\mathrm{AP} - \mathrm{AP}_{\min}}{1 - \mathrm{AP}_{\min}}

    with AP as :func:`sklearn.metrics.average_precision_score` defines it and
    :math:`\mathrm{AP}_{\min}` of `average_precision_min`. A sum of steps is paired with its
    own floor: the floor of the interpolated area is lower.

    Higher is better: 1 for the best ranking, 0 for the worst. A constant,
    no-skill score has :math:`(\pi - \mathrm{AP}_{\min}) / (1 - \mathrm{AP}_{\min})`, about
    half the prevalence where positives are rare but many. Tied scores are one step.

    A weight of k counts as k positives in the floor too, a fractional weight as whole
    positives and a lighter one: the lowest average precision of any ranking of those.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        Binary labels ({0, 1}, {-1, 1} and booleans are understood, others need
        `pos_label`), a multilabel indicator table, or multiclass labels.
    y_score : array-like of shape (n_samples,) or (n_samples, n_labels)
        Scores that are higher for the positive class: decision values, probabilities,
        anything real and finite. One column a label for a table, one column a class, in
        sorted order, for multiclass labels. Positive means `y_score >= threshold`.
    average : {"macro", "weighted", "micro", "samples"} or None, default="macro"
        As in :func:`sklearn.metrics.average_precision_score`; ignored for binary labels.

        - ``"macro"``: the mean over the labels;
        - ``"weighted"``: the mean weighted by each label's (weighted) positives, so that
          a label without positives does not count;
        - ``"micro"``: all entries of the table as one binary problem;
        - ``"samples"``: the mean over the rows, each a problem of its own;
        - ``None``: one value a label.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative. A weight of k is the same as k copies of the row, a weight
        of 0 the same as no row.
    replace_undefined_by : float, default=np.nan
        What stands for an undefined value, label by label before averaging. The scorers
        use 0.0, because a NaN in one fold makes a grid search rank nothing.

    Returns
    -------
    float or ndarray of float64, shape (n_labels,)
        Within [0, 1]; an array with ``average=None`` and more than one label. Undefined
        without positives and without negatives: `replace_undefined_by`, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning` that names the missing class.

    Raises
    ------
    ValueError
        If `y_score` has NaN or infinite values or the wrong shape, `y_true` is empty, has
        missing or continuous values or labels for which `pos_label` is needed or absent,
        `sample_weight` is negative, not finite, all 0 or of another length, or `average`
        is unknown.
    TypeError
        If `y_score` or `sample_weight` are not real numbers, or `y_true` is not labels.

    See Also
    --------
    aucnpr : The same idea for the exact area.
    average_precision_min : The floor.
    sklearn.metrics.average_precision_score : Average precision itself.

    References
    ----------
    .. [1] K. Boyd, V. Santos Costa, J. Davis and C. D. Page (2012). Unachievable region
       in precision-recall space and its effect on empirical evaluation. Proceedings of
       the 29th International Conference on Machine Learning, Theorem 3 and section 3.
       :arxiv:`1206.4667`

    Examples
    --------
    >>> from sklearn_achievable_pr import normalized_average_precision_score
    >>> round(normalized_average_precision_score([1, 0, 1], [0.9, 0.8, 0.7]), 4)
    0.6
    >>> normalized_average_precision_score([1, 0, 1], [0.1, 0.8, 0.7])
    0.0
    """
    target = check_binary_or_labels(y_true, y_score, pos_label, sample_weight)
    return averaged(
        _normalized_average_precision,
        target,
        average,
        replace_undefined_by,
        "normalised average precision",
    )


def auc_pr_from_counts(
    tps: ArrayLike,
    fps: ArrayLike,
    *,
    n_pos: float | None = None,
    n_neg: float | None = None,
    curve: str = "empirical",
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
) -> float:
    r"""Exact area under the precision-recall curve of given confusion counts.

    The area of `auc_pr_interpolated` without scores: with :math:`T = t_1 - t_0`,
    :math:`F = f_1 - f_0`, :math:`n_0 = t_0 + f_0` and :math:`s = T / (T + F)` the piece
    between two points has

    .. math::

        \frac{s}{P} \left[ T + (t_0 - s\, n_0) \ln\left(1 + \frac{T + F}{n_0}\right)
        \right], \qquad \frac{s T}{P} \text{ if } n_0 = 0.

    Higher is better, 1 (the width of `recall_range`) is perfect, the prevalence (times the
    width) the value of a constant, no-skill score, `auc_pr_min` the lowest. Repeated points
    are one. Exact for counts of any size, whole up to 2**53.

    Parameters
    ----------
    tps, fps : array-like of shape (n_points,)
        True and false positives at falling thresholds, so neither may fall. The path is
        completed from (0, 0) and to (`n_neg`, `n_pos`). Counts may be fractional
        (weighted).
    n_pos, n_neg : float, default=None
        Totals of positives and negatives. None takes the last of `tps`, of `fps`.
    curve : {"empirical", "achievable"}, default="empirical"
        The curve through all thresholds, or that of the ROC convex hull.
    recall_range : (float, float), default=(0.0, 1.0)
        Recalls a < b within [0, 1] to integrate over. The area is not divided by b - a:
        parts of a range sum to the whole.
    prevalence : float, default=None
        Fraction of positives, inside (0, 1), that the data are to stand for: true and
        false positive rates are kept and the negatives are reweighted. It undoes
        down-sampling [2]_. None keeps the fraction of the data.

    Returns
    -------
    float
        The area. NaN without positives, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`; the width of `recall_range`
        without negatives (NaN if `prevalence` is given).

    Raises
    ------
    ValueError
        If `tps` or `fps` fall, are negative, not finite, empty, of different lengths or
        above their totals, `curve` is unknown, `recall_range` is no pair 0 <= a < b <= 1,
        or `prevalence` leaves (0, 1).
    TypeError
        If `tps`, `fps` or a total are not real numbers.

    See Also
    --------
    auc_pr_interpolated : The same from labels and scores.
    pr_curve_from_counts : The curve.

    References
    ----------
    .. [1] J. Davis and M. Goadrich (2006). The relationship between precision-recall and
       ROC curves. Proceedings of the 23rd International Conference on Machine Learning,
       233-240, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] K. Boyd, V. Santos Costa, J. Davis and C. D. Page (2012). Unachievable region
       in precision-recall space and its effect on empirical evaluation. Proceedings of
       the 29th International Conference on Machine Learning, section 4.3.
       :arxiv:`1206.4667`

    Examples
    --------
    Curve II of Davis and Goadrich's Figure 7: all 20 positives after 500 of 2000
    negatives, as one step.

    >>> from sklearn_achievable_pr import auc_pr_from_counts
    >>> round(auc_pr_from_counts([20], [500], n_pos=20, n_neg=2000), 4)
    0.0385
    """
    check_option(curve, "curve", CURVES)
    low, high = check_recall_range(recall_range)
    prevalence = check_prevalence(prevalence)
    counts = _given_counts(tps, fps, n_pos, n_neg, curve)

    def value():
        fps, tps, _ = counts
        return _area([(fps, tps)], tps[-1], fps[-1], prevalence, low, high)

    return or_undefined(value, np.nan, "the area")


# Operating points


def precision_at_recall(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    recall: ArrayLike,
    curve: str = "empirical",
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    prevalence: float | None = None,
) -> float | np.ndarray:
    r"""Precision of the interpolated curve at given recalls.

    .. math::

        \mathrm{precision}(t) = \frac{t}{t + f_0 + (f_1 - f_0)\frac{t - t_0}{t_1 - t_0}},
        \qquad t = \mathrm{recall} \cdot P,

    on the piece of the ROC path that first reaches t. Where negatives follow one another
    the curve falls straight down and the highest precision counts, that of the fewest
    false positives. At recall 0 it is the limit of the curve's first piece. Within [0, 1],
    higher is better, the prevalence for a constant, no-skill score. Tied scores are one
    step.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. {0, 1}, {-1, 1} and booleans are understood; other labels need
        `pos_label`.
    y_score : array-like of shape (n_samples,)
        Scores that are higher for the positive class: decision values, probabilities,
        anything real and finite. Positive means `y_score >= threshold`.
    recall : float or array-like
        Recalls within [0, 1].
    curve : {"empirical", "achievable"}, default="empirical"
        The curve through all thresholds, or that of the ROC convex hull.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative. A weight of k is the same as k copies of the row, a weight
        of 0 the same as no row.
    prevalence : float, default=None
        Fraction of positives, inside (0, 1), that the data are to stand for: true and
        false positive rates are kept and the negatives are reweighted. It undoes
        down-sampling [2]_. None keeps the fraction of the data.

    Returns
    -------
    float or ndarray of float64
        One precision a recall, in the shape of `recall`. NaN without positives, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`; 1 without negatives
        (undefined if `prevalence` is given).

    Raises
    ------
    ValueError
        If `y_score` has NaN or infinite values or the wrong shape, `y_true` is empty, has
        missing or continuous values or labels for which `pos_label` is needed or absent,
        `sample_weight` is negative, not finite, all 0 or of another length, `recall`
        leaves [0, 1], `curve` is unknown, or `prevalence` leaves (0, 1).
    TypeError
        If `y_score` or `sample_weight` are not real numbers, or `y_true` is not labels,
        or `recall` is not real.

    See Also
    --------
    recall_at_precision : The other way round.
    pr_curve_interpolated : The whole curve.

    References
    ----------
    .. [1] J. Davis and M. Goadrich (2006). The relationship between precision-recall and
       ROC curves. Proceedings of the 23rd International Conference on Machine Learning,
       233-240, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] K. Boyd, V. Santos Costa, J. Davis and C. D. Page (2012). Unachievable region
       in precision-recall space and its effect on empirical evaluation. Proceedings of
       the 29th International Conference on Machine Learning, section 4.3.
       :arxiv:`1206.4667`

    Examples
    --------
    >>> from sklearn_achievable_pr import precision_at_recall
    >>> y_true, y_score = [1, 0, 1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    >>> precision_at_recall(y_true, y_score, recall=1.0)
    0.75
    >>> precision_at_recall(y_true, y_score, recall=[0.2, 0.5]).tolist()
    [1.0, 0.6]
    """
    check_option(curve, "curve", CURVES)
    recall = check_fractions(recall, "recall")
    prevalence = check_prevalence(prevalence)
    problem = check_binary(y_true, y_score, pos_label, sample_weight)

    def value():
        return precision_at(*_whole_path(problem, curve, prevalence), recall)

    undefined = np.full(recall.shape, np.nan)
    return _like(recall, or_undefined(value, undefined, "precision at a recall"))


def recall_at_precision(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    precision: ArrayLike,
    curve: str = "empirical",
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    prevalence: float | None = None,
) -> float | np.ndarray:
    r"""Largest recall at which the interpolated curve still has a given precision.

    The largest :math:`t / P` with

    .. math:: t \ge \mathrm{precision} \cdot (t + f(t)),

    f linear in t on each piece of the ROC path; 0.0 if the curve nowhere has that
    precision at a positive recall. Within [0, 1], higher is better; a constant,
    no-skill score has 1 up to the prevalence and 0 above. Tied scores are one step.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. {0, 1}, {-1, 1} and booleans are understood; other labels need
        `pos_label`.
    y_score : array-like of shape (n_samples,)
        Scores that are higher for the positive class: decision values, probabilities,
        anything real and finite. Positive means `y_score >= threshold`.
    precision : float or array-like
        Precisions within [0, 1].
    curve : {"empirical", "achievable"}, default="empirical"
        The curve through all thresholds, or that of the ROC convex hull.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative. A weight of k is the same as k copies of the row, a weight
        of 0 the same as no row.
    prevalence : float, default=None
        Fraction of positives, inside (0, 1), that the data are to stand for: true and
        false positive rates are kept and the negatives are reweighted. It undoes
        down-sampling [2]_. None keeps the fraction of the data.

    Returns
    -------
    float or ndarray of float64
        One recall a precision, in the shape of `precision`. NaN without positives, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`; 1 without negatives
        (undefined if `prevalence` is given).

    Raises
    ------
    ValueError
        If `y_score` has NaN or infinite values or the wrong shape, `y_true` is empty, has
        missing or continuous values or labels for which `pos_label` is needed or absent,
        `sample_weight` is negative, not finite, all 0 or of another length, `precision`
        leaves [0, 1], `curve` is unknown, or `prevalence` leaves (0, 1).
    TypeError
        If `y_score` or `sample_weight` are not real numbers, or `y_true` is not labels,
        or `precision` is not real.

    See Also
    --------
    precision_at_recall : The other way round.
    HullThresholdClassifierCV : A classifier with a floor under its precision.

    References
    ----------
    .. [1] J. Davis and M. Goadrich (2006). The relationship between precision-recall and
       ROC curves. Proceedings of the 23rd International Conference on Machine Learning,
       233-240, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] K. Boyd, V. Santos Costa, J. Davis and C. D. Page (2012). Unachievable region
       in precision-recall space and its effect on empirical evaluation. Proceedings of
       the 29th International Conference on Machine Learning, section 4.3.
       :arxiv:`1206.4667`

    Examples
    --------
    >>> from sklearn_achievable_pr import recall_at_precision
    >>> y_true, y_score = [1, 0, 1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    >>> recall_at_precision(y_true, y_score, precision=0.75)
    1.0
    >>> round(recall_at_precision(y_true, y_score, precision=0.9), 4)
    0.3333
    """
    check_option(curve, "curve", CURVES)
    precision = check_fractions(precision, "precision")
    prevalence = check_prevalence(prevalence)
    problem = check_binary(y_true, y_score, pos_label, sample_weight)

    def value():
        fps, tps = _whole_path(problem, curve, prevalence)
        found = [recall_reaching(fps, tps, p) for p in precision.ravel().tolist()]
        return np.array(found).reshape(precision.shape)

    undefined = np.full(precision.shape, np.nan)
    return _like(precision, or_undefined(value, undefined, "recall at a precision"))


def f1_above_chance_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    r"""F1 score that gives nothing for predictions no better than chance.

    .. math::

        \frac{2\, r\, q}{r + q}, \qquad q = \frac{p - \pi}{1 - \pi},

    with precision p, recall r and prevalence :math:`\pi`, and 0 where
    :math:`p \le \pi`. Boyd et al. show that no score can be 0 on the whole minimum curve
    and yet rise with precision and recall everywhere; this one is the relaxed version they
    describe. Within [0, 1], higher is better, 1 is perfect, 0 for a no-skill prediction and
    where nothing is predicted positive.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. {0, 1}, {-1, 1} and booleans are understood; other labels need
        `pos_label`.
    y_pred : array-like of shape (n_samples,)
        Predicted labels, of the same two labels.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative. A weight of k is the same as k copies of the row, a weight
        of 0 the same as no row.

    Returns
    -------
    float
        NaN without positives and without negatives, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning` that names the missing class.

    Raises
    ------
    ValueError
        If `y_true` or `y_pred` are empty, of different lengths, have missing or
        continuous values, more than two labels between them or labels for which
        `pos_label` is needed or absent, or `sample_weight` is negative, not finite, all 0
        or of another length.
    TypeError
        If `sample_weight` is not real numbers, or `y_true` or `y_pred` are not labels.

    See Also
    --------
    sklearn.metrics.f1_score : The F1 score itself.
    aucnpr : The area above the minimum curve.

    References
    ----------
    .. [1] K. Boyd, V. Santos Costa, J. Davis and C. D. Page (2012). Unachievable region
       in precision-recall space and its effect on empirical evaluation. Proceedings of
       the 29th International Conference on Machine Learning, section 4.4.
       :arxiv:`1206.4667`

    Examples
    --------
    Everything called positive has F1 .67, and nothing above chance.

    >>> from sklearn_achievable_pr import f1_above_chance_score
    >>> f1_above_chance_score([1, 1, 0, 0], [1, 1, 1, 1])
    0.0
    >>> round(f1_above_chance_score([1, 1, 0, 0], [1, 1, 1, 0]), 4)
    0.5
    """
    truth, predicted, weight = check_predictions(y_true, y_pred, pos_label, sample_weight)
    weight = np.ones(len(truth)) if weight is None else weight
    n_pos, n_neg = weight[truth].sum(), weight[~truth].sum()
    tp, fp = weight[truth & predicted].sum(), weight[~truth & predicted].sum()

    def value():
        require_classes(n_pos, n_neg, negatives=True)
        above_chance = tp * n_neg - fp * n_pos  # has the sign of precision - prevalence
        if above_chance <= 0:
            return 0.0
        recall, normalized = tp / n_pos, above_chance / ((tp + fp) * n_neg)
        return float(2 * recall * normalized / (recall + normalized))

    return or_undefined(value, np.nan, "F1 above chance")


# Paths


def _hull_of(counts):
    vertices = strict_upper_hull(counts.fps, counts.tps)
    return ThresholdCounts(
        counts.fps[vertices], counts.tps[vertices], counts.thresholds[vertices[1:] - 1]
    )


def _hull_points(rows):
    """`fps`, `tps` and `n_above` of the hull's vertices, found part by part."""
    points = []
    for part in corner_blocks(rows):
        kept = likely_vertices(*part[:2])
        if points:
            kept = kept[1:]  # the last point of the part before
        points.append([counts[kept] for counts in part])
    points = [np.concatenate(counts) for counts in zip(*points, strict=True)]
    vertices = strict_upper_hull(*points[:2])
    return [counts[vertices] for counts in points]


def _row_by_row(rows):
    """Whether each of few rows is a piece of the path, of length 1."""
    return rows.weight is None and rows.untied and len(rows.score) <= MOST_ROWS


def _hull_counts(problem):
    if len(problem.score) <= FEW_ROWS:
        rows = by_falling_score(*problem)
        if not _row_by_row(rows):
            return _hull_of(counts_of(rows))
        slopes = hull_slopes(rows.positive.astype(np.float64))
        return counts_of(rows, where_slopes_change(slopes, len(slopes)))
    rows = sort_rows(*problem)
    fps, tps, n_above = _hull_points(rows)
    return ThresholdCounts(fps, tps, thresholds_at(rows, n_above[1:]))


def _path(problem, curve):
    """The path in parts, `fps` and `tps` first, and the totals of both classes."""
    if len(problem.score) <= FEW_ROWS:
        rows = by_falling_score(*problem)
        if _row_by_row(rows):
            gain = rows.positive.astype(np.float64)
            path = EveryRow(gain, np.add.accumulate(gain))
            n_pos = int(path.tps[-1])
            if curve == "achievable":
                path = EveryRow(*hull_row_by_row(*path))
            return [path], n_pos, len(gain) - n_pos
        counts = counts_of(rows)
        if curve == "achievable":
            counts = _hull_of(counts)
        return [counts], counts.tps[-1], counts.fps[-1]
    rows = sort_rows(*problem)
    parts = [_hull_points(rows)] if curve == "achievable" else corner_blocks(rows)
    return parts, rows.n_pos, rows.n_neg


def _whole_path(problem, curve, prevalence):
    """`fps` and `tps` of the whole path; raises `MissingClassError`."""
    counts = _hull_counts(problem) if curve == "achievable" else corner_counts(*problem)
    return _at_prevalence(counts, prevalence)


def _at_prevalence(counts, prevalence):
    """`fps` and `tps`, the false positives weighted so that `prevalence` holds."""
    fps, tps = counts.fps, counts.tps
    require_classes(tps[-1], fps[-1], negatives=prevalence is not None)
    if prevalence is not None:
        fps = fps * _negative_weight(tps[-1], fps[-1], prevalence)
    return fps, tps


def _negative_weight(n_pos, n_neg, prevalence):
    """What each negative has to weigh for that prevalence; 1 if it is None."""
    if prevalence is None:
        return 1.0
    return (1 - prevalence) / prevalence * (float(n_pos) / float(n_neg))


def _given_counts(tps, fps, n_pos, n_neg, curve):
    fps, tps = check_counts(tps, fps, n_pos, n_neg)
    counts = ThresholdCounts(fps, tps, np.full(len(tps) - 1, np.nan))
    return _hull_of(counts) if curve == "achievable" else counts


# Curves from paths


def _spacing(problem, interpolate):
    """One point per true positive, or per mean weight of a positive."""
    if not interpolate:
        return None
    if problem.weight is None:
        return 1
    return problem.weight[problem.positive].mean() if problem.positive.any() else 1


def _curve(counts, prevalence, spacing):
    """Precision, recall and thresholds by falling recall."""
    thresholds = counts.thresholds

    def path():
        return _at_prevalence(counts, prevalence)

    found = or_undefined(path, None, "the curve")
    if found is None:
        undefined = np.full(len(counts.tps), np.nan)
        return undefined, undefined.copy(), thresholds[::-1].copy()
    fps, tps = found
    if spacing is not None:
        fps, tps, index = interpolated(fps, tps, spacing)
        index = index[1:]
        dtype = thresholds.dtype if thresholds.dtype.kind == "f" else np.float64
        thresholds = np.where(
            index < 0, np.nan, thresholds[np.maximum(index, 1) - 1]
        ).astype(dtype)
    precision, recall = precision_of(fps, tps), tps / tps[-1]
    return precision[::-1].copy(), recall[::-1].copy(), thresholds[::-1].copy()


# Areas from paths


def _area(parts, n_pos, n_neg, prevalence, low, high):
    require_classes(n_pos, n_neg, negatives=prevalence is not None)
    weight = _negative_weight(n_pos, n_neg, prevalence)

    def area_of(part):
        return area_below(_between(part, n_pos, weight, low, high), n_pos)

    # A map holds no part while the next one is made.
    return math.fsum(map(area_of, parts))


def _normalized_area(parts, n_pos, n_neg, prevalence, low, high):
    """(A - Amin) / (Amax - Amin), from the side of A that does not cancel."""
    require_classes(n_pos, n_neg, negatives=True)
    weight = _negative_weight(n_pos, n_neg, prevalence)

    def areas_of(part):
        return areas(_between(part, n_pos, weight, low, high), n_pos)

    area, above = map(math.fsum, zip(*map(areas_of, parts), strict=True))
    n_pos, n_neg = float(n_pos), float(n_neg) * weight
    worst = few_pieces([n_neg, n_neg], [low * n_pos, high * n_pos])
    floor, room = (integral / n_pos for integral in worst)
    value = (area - floor) / room if area < above else 1 - above / room
    return min(max(value, 0.0), 1.0)  # Theorem 2; only rounding can leave it


def _corners(path):
    """`fps` and `tps` of the corners, whole numbers."""
    n_above = where_slopes_change(path.gain, len(path.gain))
    tps = np.concatenate(([0], np.rint(path.tps)))[n_above]
    return n_above - tps, tps


def _between(part, n_pos, negative_weight, low, high):
    """A part of the path as far as it lies between two recalls, negatives weighted."""
    whole = (low, high) == (0.0, 1.0)
    if whole and negative_weight == 1:
        return part
    fps, tps, *_ = _corners(part) if isinstance(part, EveryRow) else part
    if negative_weight != 1:
        fps = fps * negative_weight
    if whole:
        return fps, tps
    start, stop = max(low * n_pos, tps[0]), min(high * n_pos, tps[-1])
    return cut(fps, tps, start, stop) if start < stop else (fps[:1], tps[:1])


def _normalized_average_precision(problem):
    counts = all_counts(*problem)
    fps, tps = counts.fps, counts.tps
    n_pos, n_neg = float(tps[-1]), float(fps[-1])
    require_classes(n_pos, n_neg, negatives=True)
    weights = (
        np.array([n_pos]) if problem.weight is None else problem.weight[problem.positive]
    )
    lowest, room = average_precision_bounds(weights, n_neg)
    gain, predicted = np.diff(tps), (tps + fps)[1:]
    average_precision = np.sum(gain * (tps[1:] / predicted)) / n_pos
    if average_precision > 0.5:
        value = 1 - np.sum(gain * (fps[1:] / predicted)) / n_pos / room
    else:
        value = (average_precision - lowest) / room
    return float(min(max(value, 0.0), 1.0))  # Theorem 3; only rounding can leave it


def _like(asked, found):
    return float(found) if asked.ndim == 0 else found
