"""ROC convex hull, dominance, and conversion between ROC and precision-recall space."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from .._input import options
from .._input.arrays import as_numbers, check_integers, on_host
from .._input.labels import check_binary, check_scores
from .._input.options import Label
from .._input.undefined import require_classes, value_or_warn
from .._roc.counting import breakpoints
from .._roc.dominance import is_nowhere_below

_EPS = np.finfo(np.float64).eps


def roc_convex_hull(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    r"""Upper convex hull of the ROC curve, without collinear points.

    Which thresholds can be optimal? For any costs of false positives and false negatives,
    and at any prevalence, the lowest mean cost is at a vertex of the hull. The first and
    the last point are vertices. Another point of the ROC curve is a vertex if it lies
    strictly above every straight line from a point before it to a point after it [1]_.
    Vertices are found from counts, not from rates, with a tolerance for rounding, so that
    no collinear points are left. Tied scores are one segment of the ROC curve.

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

    Returns
    -------
    fpr : ndarray of float64, shape (n_vertices,)
        False positive rates, non-decreasing from 0 to 1 as in
        :func:`sklearn.metrics.roc_curve`. NaN without negatives, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`.
    tpr : ndarray of float64, shape (n_vertices,)
        True positive rates, non-decreasing from 0 to 1, never below `fpr`. NaN without
        positives, with an :class:`~sklearn.exceptions.UndefinedMetricWarning`.
    thresholds : ndarray of shape (n_vertices,)
        Decreasing; point i belongs to predicting samples with ``y_score >= thresholds[i]``
        positive. The first threshold is infinite: no sample is predicted positive.

    Raises
    ------
    ValueError
        If an argument is invalid.

    See Also
    --------
    achievable_pr_curve : The hull in precision-recall space.
    sklearn.metrics.roc_curve : All points of the ROC curve.

    Notes
    -----
    The slopes of the hull decrease: neighboring vertices :math:`(f_0, t_0)`,
    :math:`(f_1, t_1)` and :math:`(f_2, t_2)`, false and true positives, have

    .. math::

        (t_1 - t_0) (f_2 - f_1) > (t_2 - t_1) (f_1 - f_0)

    The slopes of the hull are the isotonic regression of the slopes of the ROC curve.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 3. :doi:`10.1145/1143844.1143874`

    Examples
    --------
    >>> from sklearn_achievable_pr import roc_convex_hull
    >>> fpr, tpr, thresholds = roc_convex_hull(
    ...     [1, 0, 1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    ... )
    >>> fpr.round(3).tolist()
    [0.0, 0.0, 0.333, 1.0]
    >>> tpr.round(3).tolist()
    [0.0, 0.333, 1.0, 1.0]
    >>> thresholds.tolist()
    [inf, 0.9, 0.6, 0.4]
    """
    data = check_binary(y_true, y_score, pos_label, sample_weight)
    check_integers(data.score)
    roc = breakpoints(data).hull()
    points = roc.concatenated()
    fps, tps = points.fps, points.tps
    thresholds = roc.thresholds(points) * 1.0  # integers become floats
    thresholds = np.concatenate((np.array([np.inf], thresholds.dtype), thresholds))

    # Only the presence of both classes is checked, because rates do not depend on the ratio
    # of the totals.
    both = partial(require_classes, tps[-1] > 0, fps[-1] > 0, negatives=True)
    value_or_warn(both, None, "the rate of this class")
    with np.errstate(invalid="ignore"):  # the rate of a missing class is 0 / 0
        return fps / fps[-1], tps / tps[-1], thresholds


def roc_to_pr(
    fpr: ArrayLike, tpr: ArrayLike, prevalence: ArrayLike
) -> tuple[options.FloatOrArray, options.FloatOrArray]:
    r"""Precision and recall of points in ROC space.

    Use this function to compute precision from sensitivity and specificity (1 - `fpr`) at a
    given prevalence. The conversion is one-to-one for points with a recall above 0 (Theorem
    3.1 of [1]_). The diagonal of ROC space, the curve of a no-skill score, is converted to
    the line whose precision is the prevalence. Arguments are broadcast.

    Read more in the :ref:`User Guide <curve>`.

    Parameters
    ----------
    fpr, tpr : float or array-like
        False and true positive rates, within [0, 1].
    prevalence : float or array-like
        Fraction of positives, inside (0, 1).

    Returns
    -------
    precision : float or ndarray of float64
        Within [0, 1]; element i belongs to the i-th point. NaN for the point (0, 0), where
        precision is 0/0.
    recall : float or ndarray of float64
        The true positive rates.

    Raises
    ------
    ValueError
        If a rate is outside [0, 1] or `prevalence` is outside (0, 1).

    See Also
    --------
    pr_to_roc : The inverse.
    achievable_pr_curve : A whole curve, with its limit at recall 0.

    Notes
    -----
    At prevalence q,

    .. math::

        \mathrm{precision} = \frac{q\,\mathrm{tpr}}{q\,\mathrm{tpr} + (1 - q)\,\mathrm{fpr}}
        \qquad
        \mathrm{recall} = \mathrm{tpr}

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, Theorem 3.1. :doi:`10.1145/1143844.1143874`

    Examples
    --------
    >>> from sklearn_achievable_pr import roc_to_pr
    >>> precision, recall = roc_to_pr(fpr=0.25, tpr=0.5, prevalence=0.5)
    >>> round(precision, 4), recall
    (0.6667, 0.5)
    """
    fpr, tpr, pi = options.broadcast_fractions(fpr=fpr, tpr=tpr, prevalence=prevalence)
    positive = pi * tpr
    predicted = positive + (1 - pi) * fpr
    precision = np.full(fpr.shape, np.nan)
    np.divide(positive, predicted, out=precision, where=predicted > 0)
    return options.float_if_scalar(precision), options.float_if_scalar(tpr.copy())


def pr_to_roc(
    precision: ArrayLike, recall: ArrayLike, prevalence: ArrayLike
) -> tuple[options.FloatOrArray, options.FloatOrArray]:
    r"""False and true positive rates of points in precision-recall space.

    Use this function to compute specificity (1 - false positive rate) from precision and
    recall at a given prevalence. The conversion is one-to-one for points with a recall
    above 0 (Theorem 3.1 of [1]_). At recall 0 the precision has no influence; it may be
    NaN, as returned by `roc_to_pr`. A point with a precision below `precision_min` does not
    correspond to a point of ROC space. Points whose precision is the prevalence, the
    precision of a no-skill score, lie on the diagonal of ROC space. Arguments are
    broadcast.

    Read more in the :ref:`User Guide <curve>`.

    Parameters
    ----------
    precision, recall : float or array-like
        Coordinates of the points, within [0, 1].
    prevalence : float or array-like
        Fraction of positives, inside (0, 1).

    Returns
    -------
    fpr : float or ndarray of float64
        Within [0, 1]; element i belongs to the i-th point. NaN at recall 0, where the
        precision does not determine the false positive rate.
    tpr : float or ndarray of float64
        The recalls.

    Raises
    ------
    ValueError
        If an argument is outside its range, or the precision of a point with a recall above
        0 is NaN or not achievable.

    See Also
    --------
    roc_to_pr : The inverse.
    is_achievable : Whether a point can be converted.

    Notes
    -----
    With precision p, recall r and prevalence q,

    .. math::

        \mathrm{fpr} = \frac{q r (1 - p)}{(1 - q)\, p}
        \qquad
        \mathrm{tpr} = r

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, Theorem 3.1. :doi:`10.1145/1143844.1143874`

    Examples
    --------
    >>> from sklearn_achievable_pr import pr_to_roc
    >>> fpr, tpr = pr_to_roc([0.5, 1.0], [0.8, 0.6], prevalence=0.2)
    >>> fpr.round(3).tolist(), tpr.tolist()
    ([0.2, 0.0], [0.8, 0.6])
    """
    p, r = options.broadcast(
        precision=as_numbers(on_host(precision, "precision"), "precision"),
        recall=options.check_fractions(recall, "recall"),
    )
    p = np.where((r == 0) & np.isnan(p), np.ones_like(p), p)
    p, r, pi = options.broadcast_fractions(precision=p, recall=r, prevalence=prevalence)
    has_image = r > 0
    fpr = np.full(r.shape, np.nan)
    np.divide(pi * r * (1 - p), (1 - pi) * p, out=fpr, where=has_image & (p > 0))
    fpr[has_image & (p == 0)] = np.inf
    # A precision on the minimum curve may be rounded; this tolerance is relative to 1 -
    # precision.
    slack = 16 * _EPS / np.maximum(1 - p, _EPS)
    below = has_image & (fpr > 1 + slack)
    if below.any():
        raise ValueError(
            "`precision` must be achievable: not below precision_min(recall, prevalence). "
            f"Got precision {p[below].flat[0]} at recall {r[below].flat[0]} and prevalence "
            f"{pi[below].flat[0]}; `is_achievable` finds such points."
        )
    return options.float_if_scalar(np.minimum(fpr, 1)), options.float_if_scalar(r.copy())


def dominates(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> bool:
    r"""Whether the curve of one score lies nowhere below the curve of another score.

    Is one score at least as good as the other at every recall? Score a dominates score b if
    curve a has at most as many false positives as curve b at every number of true
    positives. Dominance in ROC space is equivalent to dominance in precision-recall space
    (Theorem 3.2 of [1]_). A curve dominates itself; if two curves cross, neither dominates.
    The empirical curves through every threshold are compared; tied scores are one segment
    of the ROC curve. Without weights, or with integer weights, the comparison is exact;
    otherwise the comparison allows for rounding of the totals.

    Read more in the :ref:`User Guide <curve>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. Labels other than {0, 1}, {-1, 1} and booleans need `pos_label`.
    y_score_a, y_score_b : array-like of shape (n_samples,)
        Two scores of the same samples, higher for the positive class, real and finite.
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. A weight of k is the same as k copies of the sample, a weight
        of 0 the same as leaving the sample out.

    Returns
    -------
    bool
        True if the curve of a is nowhere below the curve of b. Without positives there is
        no curve, and the result is False, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`. Without negatives both curves
        have precision 1 everywhere, and the result is True.

    Raises
    ------
    ValueError
        If an argument is invalid.

    See Also
    --------
    compare_models : Test whether the areas of two scores differ.
    achievable_pr_curve : The curve of the hull, which dominates the empirical curve.

    Notes
    -----
    With :math:`f_a(t)` and :math:`f_b(t)` false positives at t true positives, of P, score
    a dominates score b if

    .. math::

        f_a(t) \le f_b(t) \text{ for all } 0 < t \le P

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, Theorem 3.2. :doi:`10.1145/1143844.1143874`

    Examples
    --------
    >>> from sklearn_achievable_pr import dominates
    >>> y_true = [0, 0, 1, 1]
    >>> dominates(y_true, [0.1, 0.2, 0.3, 0.4], [0.1, 0.3, 0.2, 0.4])
    True
    >>> dominates(y_true, [0.1, 0.3, 0.2, 0.4], [0.1, 0.2, 0.3, 0.4])
    False
    """
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    both = check_scores(y_true, scores, pos_label, sample_weight)
    rocs = [breakpoints(data).concatenated() for data in both]
    return value_or_warn(partial(is_nowhere_below, *rocs), False, "dominance")
