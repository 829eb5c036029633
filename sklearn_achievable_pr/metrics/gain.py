"""Precision-recall-gain curves and the areas under them (Flach and Kull 2015).

A straight segment of the ROC curve is a straight segment of the precision-recall-gain
curve, so the exact area is a sum of trapezoids.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._input.labels import check_binary, check_binary_or_labels
from .._input.options import CURVES, Label, check_option, check_prevalence
from .._input.undefined import require_classes
from .._roc.counting import breakpoints, every_threshold
from .._roc.curve import EQUAL_WITHIN, fps_at
from ._averaging import averaged
from ._operating_points import curve_or_nan


def pr_gain_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    curve: str = "empirical",
    prevalence: float | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    r"""Precision-recall-gain curve: improvement over predicting every sample positive.

    Typical call::

        precision_gain, recall_gain, thresholds = pr_gain_curve(y_true, y_score)
        achievable = pr_gain_curve(y_true, y_score, curve="achievable")

    How much better are precision and recall than those of the classifier that predicts
    every sample positive? The gains [1]_ are precision and recall on a harmonic scale, on
    which this classifier has precision gain 0 and the perfect one 1. On a segment of the
    ROC curve, on which both counts grow linearly [2]_, the curve of the gains is a straight
    line, so no interpolated points are needed. Tied scores are one segment.

    Higher is better. A constant, no-skill score has precision gain 0 everywhere, a perfect
    score 1. At recalls below the prevalence the recall gain is negative; the curve ends
    exactly at recall gain 0. At precisions below the prevalence the precision gain is
    negative, and these points are kept. Reweighting to a reference `prevalence` changes the
    number of negatives, the recall gains, and so the last point, but not the precision gain
    at a threshold.

    Read more in the :ref:`User Guide <gain>`.

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
    curve : {"empirical", "achievable"}, default="empirical"
        The curve through all thresholds (empirical), or the curve of the ROC convex hull
        (achievable).
    prevalence : float, default=None
        Reference prevalence (fraction of positives), inside (0, 1). Negatives are
        reweighted so that the data have this prevalence; true and false positive rates do
        not change. Use a reference prevalence to undo down-sampling. None keeps the
        prevalence of the data.

    Returns
    -------
    precision_gain : ndarray of float64, shape (n_points,)
        Element i is the precision gain at `recall_gain[i]`, at most 1 and at least -N/P for
        N negatives and P positives. Without positives or without negatives every gain is
        NaN, with an :class:`~sklearn.exceptions.UndefinedMetricWarning`.
    recall_gain : ndarray of float64, shape (n_points,)
        Non-increasing, from 1 to 0. NaN where the precision gain is NaN.
    thresholds : ndarray of shape (n_points - 1,)
        Increasing. Element i of both gains is that of predicting samples with ``y_score >=
        thresholds[i]`` positive. The last point, at recall gain 0, has no threshold.

    Raises
    ------
    ValueError
        If an argument is invalid, or the weights of the classes have a ratio beyond 1e300.

    See Also
    --------
    auprg_score : The area under this curve.
    pr_curve_interpolated : The precision-recall curve.

    Notes
    -----
    With precision p, recall r and prevalence q, and with f false positives among N
    negatives and t true positives among P positives, the gains are [1]_

    .. math::

        \text{precision gain} = \frac{p - q}{(1 - q)\, p} = 1 - \frac{P f}{N t}
        \qquad
        \text{recall gain} = \frac{r - q}{(1 - q)\, r} = 1 - \frac{P (P - t)}{N t}

    Where both counts grow linearly, both gains are linear in 1 / t.

    References
    ----------
    .. [1] Flach and Kull (2015), NIPS 28, section 3.
    .. [2] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`

    Examples
    --------
    >>> from sklearn_achievable_pr import pr_gain_curve
    >>> y_true = [1, 0, 1, 1, 0, 0]
    >>> y_score = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    >>> precision_gain, recall_gain, thresholds = pr_gain_curve(y_true, y_score)
    >>> precision_gain.round(3).tolist()
    [0.0, 0.333, 0.667, 0.5, 0.333]
    >>> recall_gain.round(3).tolist()
    [1.0, 1.0, 1.0, 0.5, 0.0]
    >>> thresholds.tolist()
    [0.4, 0.5, 0.6, 0.7]
    """
    check_option(curve, "curve", CURVES)
    data = check_binary(y_true, y_score, pos_label, sample_weight)
    prevalence = check_prevalence(prevalence)
    roc = every_threshold(data).of_kind(curve)
    return curve_or_nan(gain_curve, roc, prevalence, "the precision-recall-gain curve")


def auprg_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    curve: str = "empirical",
    prevalence: float | None = None,
    replace_undefined_by: float = np.nan,
) -> float | Any:
    r"""Exact area under the precision-recall-gain curve.

    Typical call::

        area = auprg_score(y_true, y_score)
        per_class = auprg_score(y_multiclass, y_scores, average=None)

    How much better is the precision than that of predicting every sample positive, on the
    scale of `pr_gain_curve` and as a mean over all recall gains from 0 to 1 [1]_? A segment
    of the ROC curve [2]_ is a straight line in the gains, so the exact area is a sum of
    trapezoids. Recalls below the prevalence have negative recall gains and are excluded;
    the segment that contains this recall is cut there. Tied scores are one segment of the
    ROC curve.

    Higher is better, 1 is perfect. A constant, no-skill score has 0 at every prevalence.
    The worst ranking has a negative area, because precision gains may be negative. The area
    is a linear function of an expected F1 score on a harmonic scale [1]_, and can rank
    models in another order than `auc_pr_interpolated`.

    Read more in the :ref:`User Guide <gain>`.

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
        The area; an array with ``average=None`` and more than one label. Without positives
        or without negatives the area is undefined: the function returns
        `replace_undefined_by`, with an :class:`~sklearn.exceptions.UndefinedMetricWarning`
        that names the missing class.

    Raises
    ------
    ValueError
        If an argument is invalid, or the weights of the classes have a ratio beyond 1e300.

    See Also
    --------
    pr_gain_curve : The curve.
    aucnpr : AUC-PR, normalized for the unachievable region.

    Notes
    -----
    With N negatives, P positives and the precision gain g, the area under the segment from
    :math:`(f_0, t_0)` to :math:`(f_1, t_1)`, false and true positives, is

    .. math::

        \frac{P^2}{N} \left(\frac{1}{t_0} - \frac{1}{t_1}\right) \frac{g_0 + g_1}{2},
        \qquad g_i = 1 - \frac{P f_i}{N t_i}

    The worst ranking has the area :math:`-(1 - q) / (2 q)` at prevalence q.

    References
    ----------
    .. [1] Flach and Kull (2015), NIPS 28, section 4.
    .. [2] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`

    Examples
    --------
    >>> from sklearn_achievable_pr import auprg_score
    >>> y_true, y_score = [1, 0, 1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    >>> round(auprg_score(y_true, y_score), 4)
    0.5
    >>> abs(round(auprg_score(y_true, [0.5] * 6), 4))
    0.0
    """
    check_option(curve, "curve", CURVES)
    prevalence = check_prevalence(prevalence)
    target = check_binary_or_labels(y_true, y_score, pos_label, sample_weight)

    def value(data):
        return gain_area(breakpoints(data).of_kind(curve).at_prevalence(prevalence))

    return averaged(value, target, average, replace_undefined_by, "AUPRG")


def gain_curve(roc):
    """Precision gains, recall gains and thresholds of a ROC curve, by decreasing recall.

    Raises `MissingClassError` if a class is missing.

    Returns
    -------
    precision_gain, recall_gain, thresholds : ndarray
    """
    precision_gain, recall_gain, points = _gains(roc)
    columns = precision_gain, recall_gain, roc.thresholds(points)
    return tuple(column[::-1].copy() for column in columns)


def gain_area(roc, low=0.0, high=1.0):
    """Integral of the precision gain over all recall gains, from 0 to 1.

    `low` and `high` are ignored. Raises `MissingClassError` if a class is missing.
    """
    precision_gain, recall_gain, _ = _gains(roc)
    complement = 1 - precision_gain  # the area of a perfect ranking is exactly 1
    trapezoids = np.dot(np.diff(recall_gain), complement[1:] + complement[:-1]) / 2
    return 1 - float(trapezoids)


def _gains(roc):
    """Both gains from recall gain 0 on, and the ROC points, which start one point earlier.

    Raises `MissingClassError` if a class is missing.

    Returns
    -------
    precision_gain, recall_gain : ndarray of shape (n_points,)
    points : Points
        The first has no threshold; element i of both gains, i > 0, is that of point i.
    """
    require_classes(roc.n_pos, roc.n_neg, negatives=True)
    n_pos, n_neg = float(roc.n_pos), float(roc.n_neg)
    odds = n_pos / n_neg / roc.negative_weight
    points = roc._replace(negative_weight=1.0).concatenated()
    fpr, tpr = points.fps / n_neg, points.tps / n_pos
    # The recall gain is 0 where the recall is the prevalence.
    prevalence = odds / (1 + odds)
    first = int(np.searchsorted(tpr, prevalence * (1 - EQUAL_WITHIN)))
    start = fpr[first]
    if tpr[first] > prevalence:
        start = fps_at(fpr, tpr, first - 1, prevalence)
    fpr = np.concatenate(([start], fpr[first:]))
    tpr = np.concatenate(([prevalence], tpr[first:]))
    # Large odds multiply the difference, which is exact for counts, but not for rates.
    tps = points.tps[first:]
    recall_gain = np.concatenate(([0.0], np.maximum(1 - odds * ((n_pos - tps) / tps), 0)))
    return 1 - fpr / tpr, recall_gain, points.take(slice(first - 1, None))
