"""Areas under precision-recall curves, and areas normalized for the unachievable region."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._input import options
from .._input.labels import check_binary_or_labels
from .._input.options import Label
from .._roc.counting import breakpoints, every_threshold, from_counts, positive_thresholds
from ._areas import (
    area,
    davis_goadrich_area,
    normalized_area,
    normalized_average_precision,
)
from ._averaging import averaged
from ._chance import REVERSED_COUNTS, warn_if_reversed
from ._table import ADDITIVE, check_metric

# Each method has a function for the area and one for the points of the ROC curve that it
# needs. Davis and Goadrich's program needs every threshold, because its first segment ends
# at the highest score.
_METHODS = {
    "exact": (area, breakpoints),
    "davis_goadrich": (davis_goadrich_area, every_threshold),
}


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
) -> float | Any:
    r"""Exact area under the interpolated precision-recall curve (AUC-PR, AUPRC, PR-AUC).

    Typical call::

        area = auc_pr_interpolated(y_true, y_score)
        per_class = auc_pr_interpolated(y_multiclass, y_scores, average=None)

    How precise are the predictions of this score, as a mean over all recalls? The area is
    that of the curve from `pr_curve_interpolated`: the numbers of true and false positives
    grow linearly between two neighboring thresholds [1]_, so precision is not linear in
    recall. Each segment is integrated in closed form. Tied scores are one segment, so the
    order of tied samples does not matter.

    Higher is better. Over all recalls a perfect ranking has 1 and the worst ranking has
    `auc_pr_min`. A constant, no-skill score has exactly the prevalence; a random score
    without ties has slightly more on average, especially with few positives. With a
    `recall_range` the values for a perfect ranking and for a constant score are multiplied
    by its width. The achievable area is never below the empirical area nor below that of a
    constant score. Reweighting to a reference `prevalence` follows [2]_; values are too
    high if few negatives weigh as much as many positives.

    :func:`sklearn.metrics.average_precision_score` is another definition, a step-wise sum.
    The linear interpolation of ``auc(recall, precision)`` can be far too high.

    Read more in the :ref:`User Guide <area>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        Binary labels (labels other than {0, 1}, {-1, 1} and booleans need `pos_label`), a
        multilabel indicator matrix, or multiclass labels.
    y_score : array-like of shape (n_samples,) or (n_samples, n_labels)
        Real, finite scores, higher for the positive class, such as decision values or
        probabilities. A sample is predicted positive if `y_score >= threshold`. One column
        per label for a multilabel indicator matrix, or per class, in sorted order, for
        multiclass labels.
    average : {"macro", "weighted", "micro", "samples"} or None, default="macro"
        As in :func:`sklearn.metrics.average_precision_score`; ignored for binary labels. An
        undefined value enters a mean as `replace_undefined_by`.

        - ``"macro"``: the mean over the labels;
        - ``"weighted"``: the mean weighted by the number (weight) of positives of each
          label, so that a label without positives does not count;
        - ``"micro"``: all entries of the matrix as one binary problem;
        - ``"samples"``: the mean over the samples, where each sample is a binary problem of
          its labels;
        - ``None``: one value per label.
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`. With multilabel or multiclass `y_true` only
        None and 1, scikit-learn's default, are accepted; both have no effect there.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. A weight of k is the same as k copies of the sample, a weight
        of 0 the same as leaving the sample out.
    curve : {"empirical", "achievable"}, default="empirical"
        The curve through all thresholds (empirical), or the curve of the ROC convex hull
        (achievable).
    recall_range : (float, float), default=(0.0, 1.0)
        Recall range (a, b) to integrate over, 0 <= a < b <= 1. The area is not divided by
        the width b - a: areas of adjacent ranges add up.
    prevalence : float, default=None
        Reference prevalence (fraction of positives), inside (0, 1). Negatives are
        reweighted so that the data have this prevalence; true and false positive rates do
        not change. Use a reference prevalence to undo down-sampling. None keeps the
        prevalence of the data.
    method : {"exact", "davis_goadrich"}, default="exact"
        ``"exact"`` is the closed form in Notes. ``"davis_goadrich"`` sums trapezoids
        between points one true positive apart, as Davis and Goadrich's program
        AUCCalculator does.
        That program drops points without true positives and draws a horizontal line from
        recall 0 to the first remaining point. Its minimum recall a is
        ``recall_range=(a, 1)``. Not with `sample_weight`.
    replace_undefined_by : float, default=np.nan
        Value to return where the metric is undefined. The scorers use 0.0, because a grid
        search cannot rank candidates if one fold has the score NaN.

    Returns
    -------
    float or ndarray of float64, shape (n_labels,)
        The area; an array with ``average=None`` and more than one label. Without positives
        the area is undefined: the function returns `replace_undefined_by`, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`. Without negatives the area is
        the width of `recall_range` (undefined if `prevalence` is given).

    Raises
    ------
    ValueError
        If an argument is invalid, e.g. `method` is ``"davis_goadrich"`` with weights.

    See Also
    --------
    aucnpr : The area normalized for the unachievable region.
    auc_pr_from_counts : The area from confusion counts.
    pr_curve_interpolated : The curve.
    sklearn.metrics.average_precision_score : The sum of steps.

    Notes
    -----
    The ROC curve in counts starts at (0, 0) and has a point (f, t), false and true
    positives, at every distinct score. With f(t) false positives at t true positives, which
    is linear between two points, the area over recalls from a to b is

    .. math::

        A = \frac{1}{P} \int_{aP}^{bP} \frac{t}{t + f(t)}\, dt

    The area under the segment from :math:`(f_0, t_0)` to :math:`(f_1, t_1)` is

    .. math::

        \begin{cases}
            \frac{s}{P} \left(T + (t_0 - s\, n_0)
                \ln\left(1 + \frac{T + F}{n_0}\right)\right) & n_0 > 0 \\
            \frac{s\, T}{P} & n_0 = 0
        \end{cases}
        \qquad s = \frac{T}{T + F}

    where :math:`T = t_1 - t_0`, :math:`F = f_1 - f_0`, :math:`n_0 = t_0 + f_0` and P is the
    number (weight) of positives.

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
    options.check_option(method, "method", _METHODS)
    low, high = options.check_recall_range(recall_range)
    if method == "davis_goadrich" and sample_weight is not None:
        raise ValueError(
            "`method`='davis_goadrich' takes one step per true positive, and no "
            "`sample_weight`. Leave one of them out: method='exact' takes weights."
        )
    target = check_binary_or_labels(y_true, y_score, pos_label, sample_weight)
    options.check_option(curve, "curve", options.CURVES)
    prevalence = options.check_prevalence(prevalence)
    area_of, roc_of = _METHODS[method]

    def value(data):
        roc = roc_of(data).of_kind(curve).at_prevalence(prevalence)
        return area_of(roc, low, high)

    return averaged(value, target, average, replace_undefined_by, "AUC-PR")


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
) -> float | Any:
    r"""Area under the precision-recall curve, normalized for the unachievable region.

    Typical call::

        normalized = aucnpr(y_true, y_score)
        at_reference = aucnpr(y_true, y_score, prevalence=0.1)

    How far does the score lie between the worst possible ranking (0) and the perfect
    ranking (1) at this prevalence? The area is that of `auc_pr_interpolated` [1]_; tied
    scores are one segment of the ROC curve.

    Higher is better: 1 for the best ranking and 0 for the worst ranking, at every
    prevalence. The minimum area `auc_pr_min` is subtracted [2]_, not the chance level. Over
    all recalls, a constant, no-skill score has the value 0.279 at prevalence 0.5, 0.051 at
    0.1, and about half of the prevalence if positives are rare. For one binary label and
    one `recall_range`, AUCNPR and AUC-PR rank models in the same order; averages over
    labels may not. To compare data sets or labels, use the same reference `prevalence`
    [3]_ [4]_; to compare folds, use `summary_auc_pr`.

    Read more in the :ref:`User Guide <minimum>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        Binary labels (labels other than {0, 1}, {-1, 1} and booleans need `pos_label`), a
        multilabel indicator matrix, or multiclass labels.
    y_score : array-like of shape (n_samples,) or (n_samples, n_labels)
        Real, finite scores, higher for the positive class, such as decision values or
        probabilities. A sample is predicted positive if `y_score >= threshold`. One column
        per label for a multilabel indicator matrix, or per class, in sorted order, for
        multiclass labels.
    average : {"macro", "weighted", "micro", "samples"} or None, default="macro"
        As in :func:`sklearn.metrics.average_precision_score`; ignored for binary labels. An
        undefined value enters a mean as `replace_undefined_by`.

        - ``"macro"``: the mean over the labels;
        - ``"weighted"``: the mean weighted by the number (weight) of positives of each
          label, so that a label without positives does not count;
        - ``"micro"``: all entries of the matrix as one binary problem;
        - ``"samples"``: the mean over the samples, where each sample is a binary problem of
          its labels;
        - ``None``: one value per label.
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`. With multilabel or multiclass `y_true` only
        None and 1, scikit-learn's default, are accepted; both have no effect there.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. A weight of k is the same as k copies of the sample, a weight
        of 0 the same as leaving the sample out.
    curve : {"empirical", "achievable"}, default="empirical"
        The curve through all thresholds (empirical), or the curve of the ROC convex hull
        (achievable).
    recall_range : (float, float), default=(0.0, 1.0)
        Recall range (a, b) to integrate over, 0 <= a < b <= 1. The minimum and the maximum
        area are those of this range.
    prevalence : float, default=None
        Reference prevalence (fraction of positives), inside (0, 1). Negatives are
        reweighted so that the data have this prevalence; true and false positive rates do
        not change. Use a reference prevalence to undo down-sampling. None keeps the
        prevalence of the data.
    replace_undefined_by : float, default=np.nan
        Value to return where the metric is undefined. The scorers use 0.0, because a grid
        search cannot rank candidates if one fold has the score NaN.

    Returns
    -------
    float or ndarray of float64, shape (n_labels,)
        Within [0, 1]; an array with ``average=None`` and more than one label. Without
        positives or without negatives the value is undefined: the function returns
        `replace_undefined_by`, with an :class:`~sklearn.exceptions.UndefinedMetricWarning`
        that names the missing class.

    Raises
    ------
    ValueError
        If an argument is invalid, or the weights of the classes have a ratio beyond 1e300.

    See Also
    --------
    auc_pr_interpolated : The area before normalization.
    auc_pr_min : The minimum area.
    normalized_average_precision_score : Average precision, normalized by its minimum.
    summary_auc_pr : AUC-PR or AUCNPR of several folds or data sets at one prevalence.

    Notes
    -----
    With the area A over recalls from a to b, and the area :math:`A_{\min}` of the worst
    ranking over the same recalls at the same prevalence,

    .. math::

        \mathrm{AUCNPR} = \frac{A - A_{\min}}{A_{\max} - A_{\min}},
        \qquad A_{\max} = b - a

    A constant score has A = q (b - a) at prevalence q.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] Boyd et al. (2012), ICML 29, section 3. :arxiv:`1206.4667`
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
    low, high = options.check_recall_range(recall_range)
    options.check_option(curve, "curve", options.CURVES)
    prevalence = options.check_prevalence(prevalence)
    target = check_binary_or_labels(y_true, y_score, pos_label, sample_weight)

    def value(data):
        roc = breakpoints(data).of_kind(curve).at_prevalence(prevalence)
        return normalized_area(roc, low, high)

    return averaged(value, target, average, replace_undefined_by, "AUCNPR")


def normalized_average_precision_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float | Any:
    r"""Average precision, normalized by its minimum for these samples.

    Typical call::

        value = normalized_average_precision_score(y_true, y_score)
        per_class = normalized_average_precision_score(y_multiclass, y_scores, average=None)

    How far does :func:`sklearn.metrics.average_precision_score` lie between its minimum and
    1? Average precision is a step-wise sum, in which tied scores are one step. Its minimum
    `average_precision_min` is larger than `auc_pr_min`, the minimum of the interpolated
    area.

    Higher is better: 1 for the best ranking; 0 for the worst ranking if no positive is tied
    or has a weight above 1. A constant, no-skill score has about half of the prevalence if
    there are many positives at a low prevalence.

    Read more in the :ref:`User Guide <minimum>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        Binary labels (labels other than {0, 1}, {-1, 1} and booleans need `pos_label`), a
        multilabel indicator matrix, or multiclass labels.
    y_score : array-like of shape (n_samples,) or (n_samples, n_labels)
        Real, finite scores, higher for the positive class, such as decision values or
        probabilities. A sample is predicted positive if `y_score >= threshold`. One column
        per label for a multilabel indicator matrix, or per class, in sorted order, for
        multiclass labels.
    average : {"macro", "weighted", "micro", "samples"} or None, default="macro"
        As in :func:`sklearn.metrics.average_precision_score`; ignored for binary labels. An
        undefined value enters a mean as `replace_undefined_by`.

        - ``"macro"``: the mean over the labels;
        - ``"weighted"``: the mean weighted by the number (weight) of positives of each
          label, so that a label without positives does not count;
        - ``"micro"``: all entries of the matrix as one binary problem;
        - ``"samples"``: the mean over the samples, where each sample is a binary problem of
          its labels;
        - ``None``: one value per label.
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`. With multilabel or multiclass `y_true` only
        None and 1, scikit-learn's default, are accepted; both have no effect there.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. A weight of k is the same as k copies of the sample, a weight
        of 0 the same as leaving the sample out.
    replace_undefined_by : float, default=np.nan
        Value to return where the metric is undefined. The scorers use 0.0, because a grid
        search cannot rank candidates if one fold has the score NaN.

    Returns
    -------
    float or ndarray of float64, shape (n_labels,)
        Within [0, 1]; an array with ``average=None`` and more than one label. Without
        positives or without negatives the value is undefined: the function returns
        `replace_undefined_by`, with an :class:`~sklearn.exceptions.UndefinedMetricWarning`
        that names the missing class.

    Raises
    ------
    ValueError
        If an argument is invalid, or the weights of the classes have a ratio beyond 1e300.

    See Also
    --------
    aucnpr : Exact area, normalized by its minimum.
    average_precision_min : The minimum.
    sklearn.metrics.average_precision_score : Average precision before normalization.

    Notes
    -----
    With average precision AP and its minimum for these samples, the value is [1]_

    .. math::

        \frac{\mathrm{AP} - \mathrm{AP}_{\min}}{1 - \mathrm{AP}_{\min}}

    A constant score has AP = q at prevalence q. In the minimum a positive of weight k
    counts as k positives without ties. A weight of k + r, with an integer k and r < 1,
    counts as k positives of weight 1 and one of weight r.

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

    what = "normalized average precision"
    return averaged(value, target, average, replace_undefined_by, what)


def auc_pr_from_counts(
    tps: ArrayLike,
    fps: ArrayLike,
    *,
    metric: str = "auc_pr_interpolated",
    n_pos: float | None = None,
    n_neg: float | None = None,
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Exact area under the precision-recall curve of given confusion counts.

    Typical call::

        tps, fps = [5, 10, 20], [5, 30, 500]
        area = auc_pr_from_counts(tps, fps, n_pos=20, n_neg=2000)

    Use this function where scores are not available: for example with a table of counts at
    several thresholds, or with counts summed over shards of the data. The result is the
    area of `auc_pr_interpolated` or `aucnpr`: between two points the numbers of true and
    false positives grow linearly [1]_. Repeated points count once.

    One confusion matrix does not determine the area: the result is that of a score with two
    levels. For example, scores with any AUC-PR from 0.125 to 0.885 have, at one threshold,
    42 true positives, 118 false positives, 8 false negatives and 1832 true negatives.

    Higher is better. A perfect ranking has 1 and a constant, no-skill score has the
    prevalence, each times the width of `recall_range`; the worst ranking has `auc_pr_min`.
    AUCNPR is 1 for a perfect ranking and 0 for the worst ranking. Reweighting to a
    reference `prevalence` follows [2]_.

    Read more in the :ref:`User Guide <area>`.

    Parameters
    ----------
    tps, fps : array-like of shape (n_points,)
        True and false positives at decreasing thresholds; both must be non-decreasing. The
        ROC curve starts at (0, 0) and ends at (`n_neg`, `n_pos`), whether or not these
        points are given. Counts may be fractions, such as sums of weights; if both end at 1
        or below, pass `n_pos` and `n_neg`. True and false positive rates need `prevalence`
        and, if they end below 1, ``n_pos=1, n_neg=1``.
    metric : str, default="auc_pr_interpolated"
        Name of the metric: ``"auc_pr_interpolated"``, ``"achievable_auc_pr"``,
        ``"aucnpr"``, ``"achievable_aucnpr"`` or ``"average_precision"`` (which takes no
        `recall_range`). The achievable metrics are those of the ROC convex hull. Average
        precision is exact if there is a point at every score of a positive; positives that
        only `n_pos` counts are tied last (trec_eval's ``map`` counts them as 0).
    n_pos, n_neg : float, default=None
        Totals of positives and negatives. None takes the last element of `tps` and of
        `fps`.
    recall_range : (float, float), default=(0.0, 1.0)
        Recall range (a, b) to integrate over, 0 <= a < b <= 1. An area is not divided by
        the width b - a: areas of adjacent ranges add up. AUCNPR is normalized by the
        minimum and the maximum area of this range.
    prevalence : float, default=None
        Reference prevalence (fraction of positives), inside (0, 1). Negatives are
        reweighted so that the data have this prevalence; true and false positive rates do
        not change. Use a reference prevalence to undo down-sampling. None keeps the
        prevalence of the data.
    replace_undefined_by : float, default=np.nan
        Value to return where the metric is undefined.

    Returns
    -------
    float
        The area. Without positives, and without negatives if the metric is normalized or
        `prevalence` is given, the area is undefined: the function returns
        `replace_undefined_by`, with an :class:`~sklearn.exceptions.UndefinedMetricWarning`
        that names the missing class. Without negatives AUC-PR is the width of
        `recall_range`.

    Raises
    ------
    ValueError
        If an argument is invalid, e.g. counts that decrease or exceed their total, or rates
        without `prevalence` or with totals above 1.

    Warns
    -----
    UserWarning
        If the counts are of reversed scores, as they are if they were cumulated from the
        lowest score: the area under the ROC curve is below 1/2 by more than 3.3 standard
        errors of a score without skill, and AUC-PR is below its chance level.

    See Also
    --------
    auc_pr_interpolated : The area from labels and scores.
    aucnpr : The normalized area from labels and scores.
    pr_curve_from_counts : The curve.

    Notes
    -----
    The area under the segment from :math:`(f_0, t_0)` to :math:`(f_1, t_1)`, false and true
    positives, is

    .. math::

        \begin{cases}
            \frac{s}{P} \left(T + (t_0 - s\, n_0)
                \ln\left(1 + \frac{T + F}{n_0}\right)\right) & n_0 > 0 \\
            \frac{s\, T}{P} & n_0 = 0
        \end{cases}
        \qquad s = \frac{T}{T + F}

    where :math:`T = t_1 - t_0`, :math:`F = f_1 - f_0`, :math:`n_0 = t_0 + f_0` and P is the
    number (weight) of positives.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] Boyd et al. (2012), ICML 29, sections 3, 4.3. :arxiv:`1206.4667`

    Examples
    --------
    Curve II of Davis and Goadrich's Figure 7: one point with all 20
    positives and 500 of the 2000 negatives.

    >>> from sklearn_achievable_pr import auc_pr_from_counts
    >>> round(auc_pr_from_counts([20], [500], n_pos=20, n_neg=2000), 4)
    0.0385
    >>> counts = {"n_pos": 20, "n_neg": 2000}
    >>> round(auc_pr_from_counts([20], [500], metric="aucnpr", **counts), 4)
    0.0337
    """
    counts = tps, fps, n_pos, n_neg, prevalence
    roc = from_counts(*options.check_counts(*counts, "auc_pr_from_counts"))
    checked = check_metric(metric, ADDITIVE, recall_range, prevalence)
    warn_if_reversed(roc, REVERSED_COUNTS)
    return averaged(checked.value, roc, None, replace_undefined_by, checked.entry.label)
