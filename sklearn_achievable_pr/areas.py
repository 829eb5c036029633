"""Areas under precision-recall curves, and normalized for the unachievable region."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from ._averaging import averaged
from ._input.arrays import returns_in_input_namespace
from ._input.labels import check_binary_or_labels
from ._input.options import (
    CURVES,
    Label,
    check_counts,
    check_number,
    check_option,
    check_prevalence,
    check_recall_range,
    require_classes,
    value_or_warn,
)
from ._roc.counting import breakpoints, every_threshold, from_counts, positive_thresholds
from ._roc.curve import Segments
from ._roc.integrals import (
    area_above,
    area_above_minimum,
    area_above_worst,
    area_below,
)
from .unachievable import average_precision_bounds

_METHODS = ("exact", "davis_goadrich")
# Thresholds per block, to stay in the cache.
_THRESHOLDS = 1 << 13
# From here on 1 - x would have less than 14 digits.
_NEAR_MINIMUM = 1 - 1 / 64


@returns_in_input_namespace
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
    positives; between two of them the counts grow linearly [1]_. With
    :math:`T = t_1 - t_0`, :math:`F = f_1 - f_0`, :math:`n_0 = t_0 + f_0` and
    :math:`s = T / (T + F)` a segment has the area

    .. math::

        \frac{s}{P} \left[ T + (t_0 - s\, n_0) \ln\left(1 + \frac{T + F}{n_0}\right)
        \right], \qquad \frac{s T}{P} \text{ if } n_0 = 0,

    computed in a form in which nothing cancels. Tied scores are one segment.

    Higher is better, 1 (the width of `recall_range`) is perfect. A constant,
    no-skill score has exactly the prevalence :math:`\pi` (times the width); a random
    untied one lies somewhat above it on average, less so with many samples. The worst
    ranking has `auc_pr_min`. The achievable area is never below :math:`\pi` nor the
    empirical one. Another `prevalence` leaves the ROC curve as it is [2]_.

    Replaces :func:`sklearn.metrics.average_precision_score`, which sums steps, and
    ``auc(recall, precision)``, which draws straight lines where there are none.

    Read more in the :ref:`User Guide <area>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        Binary labels ({0, 1}, {-1, 1} and booleans are understood, others need
        `pos_label`), a multilabel indicator matrix, or multiclass labels.
    y_score : array-like of shape (n_samples,) or (n_samples, n_labels)
        Scores that are higher for the positive class: decision values, probabilities,
        anything real and finite. Positive means `y_score >= threshold`. One column per
        label for a multilabel indicator matrix, or per class, in sorted order, for
        multiclass labels.
    average : {"macro", "weighted", "micro", "samples"} or None, default="macro"
        As in :func:`sklearn.metrics.average_precision_score`; ignored for binary labels.

        - ``"macro"``: the mean over the labels;
        - ``"weighted"``: the mean weighted by each label's (weighted) positives, so that
          a label without positives does not count;
        - ``"micro"``: all entries of the matrix as one binary problem;
        - ``"samples"``: the mean over the samples, each a problem of its own;
        - ``None``: one value per label.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative. A weight of k is the same as k copies of the sample, a
        weight of 0 the same as leaving the sample out.
    curve : {"empirical", "achievable"}, default="empirical"
        The curve through all thresholds, or that of the ROC convex hull.
    recall_range : (float, float), default=(0.0, 1.0)
        Recalls a < b within [0, 1] to integrate over. The area is not divided by b - a:
        parts of a range sum to the whole.
    prevalence : float, default=None
        Fraction of positives, inside (0, 1), that the data are to stand for: true and
        false positive rates are kept and the negatives are reweighted. It undoes
        down-sampling. None keeps the fraction of the data.
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
    aucnpr : This area, normalized for the unachievable region.
    auc_pr_from_counts : The same from confusion counts.
    pr_curve_interpolated : The curve.
    sklearn.metrics.average_precision_score : The sum of steps.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] Boyd et al. (2012), ICML 29, section 4.3. :arxiv:`1206.4667`

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
    # Where positives follow one another the stepwise method sees their every threshold.
    path_of, measure = (
        (breakpoints, area) if method == "exact" else (every_threshold, davis_goadrich_area)
    )

    def value(data):
        return measure(apply_curve_options(path_of(data), curve, prevalence), low, high)

    return averaged(value, target, average, replace_undefined_by, "the area")


@returns_in_input_namespace
def aucnpr(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    curve: str = "empirical",
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
    replace_undefined_by: float = np.nan,
) -> float | np.ndarray:
    r"""Area under the precision-recall curve, normalized for the unachievable region.

    .. math::

        \mathrm{AUCNPR} = \frac{A - A_{\min}}{A_{\max} - A_{\min}}

    with :math:`A` the exact area of `auc_pr_interpolated` [2]_, :math:`A_{\min}` that of
    the worst ranking, `auc_pr_min` of the same prevalence and recalls, and
    :math:`A_{\max} = b - a`.

    Higher is better: 1 for the best ranking and 0 for the worst one, whatever the
    prevalence. It removes the minimum area [1]_, not the area of chance at a prevalence:
    a constant, no-skill score has :math:`(\pi - A_{\min}) / (1 - A_{\min})`, 0.279 at
    prevalence :math:`\pi` = 0.5, 0.051 at 0.1, about :math:`\pi / 2` where positives are
    rare. On one data set it orders models as the area does; across data sets or labels
    compare it at one `prevalence` [3]_ [4]_, across folds by `summary_auc_pr`.
    Tied scores are one segment.

    Read more in the :ref:`User Guide <minimum>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        Binary labels ({0, 1}, {-1, 1} and booleans are understood, others need
        `pos_label`), a multilabel indicator matrix, or multiclass labels.
    y_score : array-like of shape (n_samples,) or (n_samples, n_labels)
        Scores that are higher for the positive class: decision values, probabilities,
        anything real and finite. Positive means `y_score >= threshold`. One column per
        label for a multilabel indicator matrix, or per class, in sorted order, for
        multiclass labels.
    average : {"macro", "weighted", "micro", "samples"} or None, default="macro"
        As in :func:`sklearn.metrics.average_precision_score`; ignored for binary labels.

        - ``"macro"``: the mean over the labels;
        - ``"weighted"``: the mean weighted by each label's (weighted) positives, so that
          a label without positives does not count;
        - ``"micro"``: all entries of the matrix as one binary problem;
        - ``"samples"``: the mean over the samples, each a problem of its own;
        - ``None``: one value per label.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative. A weight of k is the same as k copies of the sample, a
        weight of 0 the same as leaving the sample out.
    curve : {"empirical", "achievable"}, default="empirical"
        The curve through all thresholds, or that of the ROC convex hull.
    recall_range : (float, float), default=(0.0, 1.0)
        Recalls a < b within [0, 1] to integrate over. The area is not divided by b - a:
        parts of a range sum to the whole.
    prevalence : float, default=None
        Fraction of positives, inside (0, 1), that the data are to stand for: true and
        false positive rates are kept and the negatives are reweighted. It undoes
        down-sampling. None keeps the fraction of the data.
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
        `sample_weight` is negative, not finite, all 0 or of another length, an option is
        unknown, `recall_range` is no pair 0 <= a < b <= 1, or `prevalence` leaves (0, 1).
    TypeError
        If `y_score` or `sample_weight` are not real numbers, or `y_true` is not labels.

    See Also
    --------
    auc_pr_interpolated : The area itself.
    auc_pr_min : The minimum area.
    normalized_average_precision_score : The same idea for average precision.
    summary_auc_pr : Of several folds or data sets, at one prevalence.

    References
    ----------
    .. [1] Boyd et al. (2012), ICML 29, section 3. :arxiv:`1206.4667`
    .. [2] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`
    .. [3] Siblini et al. (2020), IDA 18. :arxiv:`1909.02827`
    .. [4] Brabec et al. (2020), ICCS 20. :arxiv:`2001.05571`

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
    check_option(curve, "curve", CURVES)
    low, high = check_recall_range(recall_range)
    prevalence = check_prevalence(prevalence)
    target = check_binary_or_labels(y_true, y_score, pos_label, sample_weight)

    def value(data):
        roc = apply_curve_options(breakpoints(data), curve, prevalence)
        return normalized_area(roc, low, high)

    return averaged(value, target, average, replace_undefined_by, "AUCNPR")


@returns_in_input_namespace
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
    :math:`\mathrm{AP}_{\min}` of `average_precision_min`. Average precision is
    a step-wise sum, whose minimum is larger than that of the interpolated area.

    Higher is better: 1 for the best ranking, 0 for the worst. A constant,
    no-skill score has :math:`(\pi - \mathrm{AP}_{\min}) / (1 - \mathrm{AP}_{\min})`, about
    half the prevalence where positives are rare but many. Tied scores are one segment.

    In the minimum, too, a weight of k counts as k positives; a fractional weight counts as
    positives of weight 1 and a lighter one.

    Read more in the :ref:`User Guide <minimum>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        Binary labels ({0, 1}, {-1, 1} and booleans are understood, others need
        `pos_label`), a multilabel indicator matrix, or multiclass labels.
    y_score : array-like of shape (n_samples,) or (n_samples, n_labels)
        Scores that are higher for the positive class: decision values, probabilities,
        anything real and finite. Positive means `y_score >= threshold`. One column per
        label for a multilabel indicator matrix, or per class, in sorted order, for
        multiclass labels.
    average : {"macro", "weighted", "micro", "samples"} or None, default="macro"
        As in :func:`sklearn.metrics.average_precision_score`; ignored for binary labels.

        - ``"macro"``: the mean over the labels;
        - ``"weighted"``: the mean weighted by each label's (weighted) positives, so that
          a label without positives does not count;
        - ``"micro"``: all entries of the matrix as one binary problem;
        - ``"samples"``: the mean over the samples, each a problem of its own;
        - ``None``: one value per label.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative. A weight of k is the same as k copies of the sample, a
        weight of 0 the same as leaving the sample out.
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
    average_precision_min : The minimum.
    sklearn.metrics.average_precision_score : Average precision itself.

    References
    ----------
    .. [1] Boyd et al. (2012), ICML 29, Theorem 3 and section 3. :arxiv:`1206.4667`

    Examples
    --------
    >>> from sklearn_achievable_pr import normalized_average_precision_score
    >>> round(normalized_average_precision_score([1, 0, 1], [0.9, 0.8, 0.7]), 4)
    0.6
    >>> normalized_average_precision_score([1, 0, 1], [0.1, 0.8, 0.7])
    0.0
    """
    target = check_binary_or_labels(y_true, y_score, pos_label, sample_weight)

    def value(data):
        weights = None if data.weight is None else data.weight[data.positive]
        return normalized_average_precision(positive_thresholds(data), weights=weights)

    return averaged(
        value,
        target,
        average,
        replace_undefined_by,
        "normalized average precision",
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
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Exact area under the precision-recall curve of given confusion counts.

    The area of `auc_pr_interpolated` [1]_ without scores: with :math:`T = t_1 - t_0`,
    :math:`F = f_1 - f_0`, :math:`n_0 = t_0 + f_0` and :math:`s = T / (T + F)` the segment
    between two points has

    .. math::

        \frac{s}{P} \left[ T + (t_0 - s\, n_0) \ln\left(1 + \frac{T + F}{n_0}\right)
        \right], \qquad \frac{s T}{P} \text{ if } n_0 = 0.

    Higher is better, 1 (the width of `recall_range`) is perfect, the prevalence (times the
    width) the value of a constant, no-skill score, `auc_pr_min` the lowest. Repeated points
    are one. Exact for counts of any size, whole up to 2**53. Another `prevalence` leaves
    the ROC curve as it is [2]_.

    Read more in the :ref:`User Guide <area>`.

    Parameters
    ----------
    tps, fps : array-like of shape (n_points,)
        True and false positives at falling thresholds, so neither may fall. The ROC curve
        is completed from (0, 0) and to (`n_neg`, `n_pos`). Counts may be fractional
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
        down-sampling. None keeps the fraction of the data.
    replace_undefined_by : float, default=np.nan
        What stands for an undefined value, label by label before averaging. The scorers
        use 0.0, because a NaN in one fold makes a grid search rank nothing.

    Returns
    -------
    float
        The area. Without positives it is undefined: `replace_undefined_by`, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`. Without negatives it is the
        width of `recall_range` (undefined if `prevalence` is given).

    Raises
    ------
    ValueError
        If `tps` or `fps` fall, are negative, not finite, empty, of different lengths or
        above their totals, `curve` is unknown, `recall_range` is no pair 0 <= a < b <= 1,
        or `prevalence` leaves (0, 1).
    TypeError
        If `tps`, `fps`, a total or `replace_undefined_by` is not a real number.

    See Also
    --------
    auc_pr_interpolated : The same from labels and scores.
    pr_curve_from_counts : The curve.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] Boyd et al. (2012), ICML 29, section 4.3. :arxiv:`1206.4667`

    Examples
    --------
    Curve II of Davis and Goadrich's Figure 7: all 20 positives after 500 of 2000
    negatives, as one step.

    >>> from sklearn_achievable_pr import auc_pr_from_counts
    >>> round(auc_pr_from_counts([20], [500], n_pos=20, n_neg=2000), 4)
    0.0385
    """
    counts = tps, fps, n_pos, n_neg
    return _from_counts(
        area, "the area", counts, curve, recall_range, prevalence, replace_undefined_by
    )


def aucnpr_from_counts(
    tps: ArrayLike,
    fps: ArrayLike,
    *,
    n_pos: float | None = None,
    n_neg: float | None = None,
    curve: str = "empirical",
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Normalized area under the precision-recall curve of given confusion counts.

    .. math::

        \mathrm{AUCNPR} = \frac{A - A_{\min}}{A_{\max} - A_{\min}}

    with :math:`A` the exact area of `auc_pr_from_counts` [2]_, :math:`A_{\min}` that of the
    worst ranking, `auc_pr_min` of the same prevalence and recalls, and
    :math:`A_{\max} = b - a` [1]_.

    Higher is better: 1 for the best ranking and 0 for the worst one. A constant, no-skill
    score has :math:`(\pi - A_{\min}) / (1 - A_{\min})` at prevalence :math:`\pi`. Repeated
    points are one. Exact for counts of any size, whole up to 2**53.

    Read more in the :ref:`User Guide <minimum>`.

    Parameters
    ----------
    tps, fps : array-like of shape (n_points,)
        True and false positives at falling thresholds, so neither may fall. The ROC curve
        is completed from (0, 0) and to (`n_neg`, `n_pos`). Counts may be fractional
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
        down-sampling. None keeps the fraction of the data.
    replace_undefined_by : float, default=np.nan
        What stands for an undefined value, label by label before averaging. The scorers
        use 0.0, because a NaN in one fold makes a grid search rank nothing.

    Returns
    -------
    float
        Within [0, 1]. Undefined without positives and without negatives:
        `replace_undefined_by`, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning` that names the missing class.

    Raises
    ------
    ValueError
        If `tps` or `fps` fall, are negative, not finite, empty, of different lengths or
        above their totals, `curve` is unknown, `recall_range` is no pair 0 <= a < b <= 1,
        or `prevalence` leaves (0, 1).
    TypeError
        If `tps`, `fps`, a total or `replace_undefined_by` is not a real number.

    See Also
    --------
    aucnpr : The same from labels and scores.
    auc_pr_from_counts : The area itself.

    References
    ----------
    .. [1] Boyd et al. (2012), ICML 29, section 3. :arxiv:`1206.4667`
    .. [2] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`

    Examples
    --------
    >>> from sklearn_achievable_pr import aucnpr_from_counts
    >>> round(aucnpr_from_counts([20], [500], n_pos=20, n_neg=2000), 4)
    0.0337
    >>> aucnpr_from_counts([0, 20], [2000, 2000])  # the worst ranking
    0.0
    """
    counts = tps, fps, n_pos, n_neg
    return _from_counts(
        normalized_area,
        "AUCNPR",
        counts,
        curve,
        recall_range,
        prevalence,
        replace_undefined_by,
    )


# Areas of a ROC curve


def apply_curve_options(roc, curve, prevalence):
    """The empirical or achievable ROC curve, reweighted to a reference prevalence."""
    return (roc.hull() if curve == "achievable" else roc).at_prevalence(prevalence)


def total(terms, roc, low, high):
    """Sum of ``terms(roc, low, high)``, numbers that each belong to some segments."""
    return math.fsum(terms(roc, low, high))


def _below(roc, low, high):
    return map(area_below, roc.segments(low, high))


def _above(roc, low, high):
    return map(area_above, roc.segments(low, high))


def area(roc, low=0.0, high=1.0, total=total):
    """Exact area under the curve between two recalls.

    Parameters
    ----------
    roc : ROCCurve
    low, high : float
    total : callable, default=total
        Reduction over segments.

    Returns
    -------
    float

    Raises
    ------
    MissingClassError
    """
    require_classes(roc.n_pos, roc.n_neg, negatives=False)
    return total(_below, roc, low, high) / float(roc.n_pos)


def normalized_area(roc, low=0.0, high=1.0, total=total):
    """(A - Amin) / (Amax - Amin). Parameters, result and error as `area`."""
    require_classes(roc.n_pos, roc.n_neg, negatives=True)
    n_pos, n_neg = float(roc.n_pos), float(roc.n_neg) * roc.negative_weight
    largest = area_above_worst(n_neg, low * n_pos, (high - low) * n_pos)
    above = total(_above, roc, low, high) / largest
    if above < _NEAR_MINIMUM:
        value = 1 - above
    else:  # that would cancel
        value = total(_above_minimum, roc, low, high) / largest
    return min(max(value, 0.0), 1.0)  # Theorem 2 of Boyd et al.; only rounding leaves it


def _above_minimum(roc, low, high):
    unweighted = roc._replace(negative_weight=1.0)
    mirrored = unweighted._replace(
        parts=[part._replace(fps=roc.n_neg - part.fps) for part in roc.parts]
    )
    segments = zip(
        unweighted.segments(low, high), mirrored.segments(low, high), strict=True
    )
    totals = float(roc.n_neg), roc.negative_weight
    return (area_above_minimum(*both, *totals) for both in segments)


def davis_goadrich_area(roc, low=0.0, high=1.0):
    """Trapezoids between points one true positive apart, over recalls [low, high].

    As in the program AUCCalculator, points without true positives are dropped, and the
    curve is flat from recall 0 to the first remaining point. Parameters, result and error
    as `area`; the ROC curve has a point at every threshold.
    """
    require_classes(roc.n_pos, roc.n_neg, negatives=False)
    low, high = low * roc.n_pos, high * roc.n_pos
    total = []
    for block in roc.segments():
        is_flat = block.t0 == 0
        n_steps = np.where(is_flat, 1, np.maximum(np.ceil(block.delta_t - 1e-9), 1))
        n_steps = n_steps.astype(np.int64)
        segment = np.repeat(np.arange(len(n_steps)), n_steps)
        start = np.arange(len(segment)) - (np.cumsum(n_steps) - n_steps)[segment]
        here = Segments(*(column[segment] for column in block))
        stop = np.where(start == n_steps[segment] - 1, here.delta_t, start + 1.0)
        left, right = (
            t / (t + here.fps_after(t - here.t0))
            for t in (here.t0 + np.where(is_flat[segment], stop, start), here.t0 + stop)
        )
        a, b = (np.clip(here.t0 + end, low, high) for end in (start, stop))
        middle = ((a + b) / 2 - here.t0 - start) / (stop - start)
        total.append(float(np.sum((b - a) * (left + (right - left) * middle))))
    return math.fsum(total) / float(roc.n_pos)


def average_precision(roc, low=0.0, high=1.0):
    """Average precision as scikit-learn defines it, over all recalls.

    Parameters and error as `area`; the ROC curve has a point at every score of a positive.
    """
    return _average_precision_and_complement(roc)[0]


def normalized_average_precision(roc, low=0.0, high=1.0, weights=None):
    """(AP - APmin) / (1 - APmin); `weights` are those of the positives, 1 if None.

    Other parameters and error as `average_precision`.
    """
    require_classes(roc.n_pos, roc.n_neg, negatives=True)
    if weights is None:
        weights = np.array([float(roc.n_pos)])
    lowest, largest_gain = average_precision_bounds(weights, float(roc.n_neg))
    value, complement = _average_precision_and_complement(roc)
    # The form in which nothing cancels.
    if value > 0.5:
        normalized = 1 - complement / largest_gain
    else:
        normalized = (value - lowest) / largest_gain
    return float(min(max(normalized, 0.0), 1.0))  # Theorem 3; only rounding leaves it


def _average_precision_and_complement(roc):
    """Average precision and 1 minus it, each a sum of positive terms."""
    require_classes(roc.n_pos, roc.n_neg, negatives=False)
    sums = []
    for part in roc.weighted_parts():
        for start in range(0, len(part.tps) - 1, _THRESHOLDS):
            block = slice(start, start + _THRESHOLDS + 1)
            fps, tps = part.fps[block].astype(float), part.tps[block].astype(float)
            step = tps[1:] - tps[:-1]
            fps, tps = fps[1:], tps[1:]
            step /= fps + tps
            sums.append((np.dot(step, tps), np.dot(step, fps)))
    value, complement = (math.fsum(column) for column in zip(*sums, strict=True))
    return value / float(roc.n_pos), complement / float(roc.n_pos)


def _from_counts(measure, what, counts, curve, recall_range, prevalence, replacement):
    check_option(curve, "curve", CURVES)
    low, high = check_recall_range(recall_range)
    prevalence = check_prevalence(prevalence)
    replacement = check_number(replacement, "replace_undefined_by")
    roc = from_counts(*check_counts(*counts))
    return value_or_warn(
        lambda: measure(apply_curve_options(roc, curve, prevalence), low, high),
        replacement,
        what,
    )
