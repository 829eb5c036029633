"""ROC space: its convex hull, dominance, and the way to precision-recall space and back."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from ._input.arrays import as_numbers, returns_in_input_namespace
from ._input.labels import check_binary
from ._input.options import (
    Label,
    broadcast,
    check_fractions,
    float_if_scalar,
    require_classes,
    value_or_warn,
)
from ._roc.counting import breakpoints
from ._roc.hull import COUNT_ROUNDING, integers_if_possible

# Products of counts stay exact in int64 below this.
_EXACT_PRODUCT = 2**62
_EPS = np.finfo(np.float64).eps


@returns_in_input_namespace
def roc_convex_hull(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    r"""Strict upper convex hull of the ROC curve.

    A point is a vertex if it lies strictly above every line between two others: with
    false and true positives (f, t) along the curve, where

    .. math:: (t_1 - t_0)(f_2 - f_1) > (t_2 - t_1)(f_1 - f_0).

    Counts are compared, not rates, so that no collinear point is kept for a rounding
    error. Tied scores are one segment.

    Read more in the :ref:`User Guide <achievable>`.

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
        Weights, not negative. A weight of k is the same as k copies of the sample, a
        weight of 0 the same as leaving the sample out.

    Returns
    -------
    fpr : ndarray of float64, shape (n_vertices,)
        False positive rates, rising from 0 to 1, as
        :func:`sklearn.metrics.roc_curve` orders them. NaN without negatives.
    tpr : ndarray of float64, shape (n_vertices,)
        True positive rates, rising from 0 to 1; above `fpr`, the value of a no-skill
        score, or equal to it. NaN without positives. A missing class comes with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`.
    thresholds : ndarray of shape (n_vertices,)
        Falling; point i is that of predicting positive where
        ``y_score >= thresholds[i]``. The first is infinite: nothing is positive.

    Raises
    ------
    ValueError
        If `y_score` has NaN or infinite values or the wrong shape, `y_true` is empty, has
        missing or continuous values or labels for which `pos_label` is needed or absent,
        or `sample_weight` is negative, not finite, all 0 or of another length.
    TypeError
        If `y_score` or `sample_weight` are not real numbers, or `y_true` is not labels.

    See Also
    --------
    achievable_pr_curve : The same vertices in precision-recall space.
    sklearn.metrics.roc_curve : All points.

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
    roc = breakpoints(check_binary(y_true, y_score, pos_label, sample_weight)).hull()
    fps, tps, _ = points = roc.concatenated()
    thresholds = roc.thresholds(points)
    dtype = thresholds.dtype if thresholds.dtype.kind == "f" else np.float64

    def rates():
        require_classes(tps[-1], fps[-1], negatives=True)
        return fps / fps[-1], tps / tps[-1]

    one_missing = (
        fps / fps[-1] if fps[-1] else np.full(len(fps), np.nan),
        tps / tps[-1] if tps[-1] else np.full(len(tps), np.nan),
    )
    fpr, tpr = value_or_warn(rates, one_missing, "its rate in the ROC curve")
    return fpr, tpr, np.concatenate((np.array([np.inf], dtype), thresholds.astype(dtype)))


def roc_to_pr(
    fpr: ArrayLike, tpr: ArrayLike, prevalence: ArrayLike
) -> tuple[float | np.ndarray, float | np.ndarray]:
    r"""Precision and recall of points in ROC space.

    .. math::

        \mathrm{precision} = \frac{\pi\, \mathrm{tpr}}{\pi\, \mathrm{tpr} + (1 - \pi)\,
        \mathrm{fpr}}, \qquad \mathrm{recall} = \mathrm{tpr}

    One to one where the recall is not 0 (Theorem 3.1 of [1]_). The no-skill diagonal
    becomes the line at precision :math:`\pi`. Arguments are broadcast.

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
        Within [0, 1], in the order given. That of (0, 0) is 0/0: NaN.
    recall : float or ndarray of float64
        The true positive rates.

    Raises
    ------
    ValueError
        If a rate leaves [0, 1] or `prevalence` leaves (0, 1).
    TypeError
        If one is not made of real numbers.

    See Also
    --------
    pr_to_roc : The way back.
    achievable_pr_curve : A whole curve, with its limit at recall 0.

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
    fpr, tpr, pi = broadcast(
        fpr=check_fractions(fpr, "fpr"),
        tpr=check_fractions(tpr, "tpr"),
        prevalence=check_fractions(prevalence, "prevalence", open_ended=True),
    )
    positive = pi * tpr
    predicted = positive + (1 - pi) * fpr
    precision = np.full(fpr.shape, np.nan)
    np.divide(positive, predicted, out=precision, where=predicted > 0)
    return float_if_scalar(precision), float_if_scalar(tpr.copy())


def pr_to_roc(
    precision: ArrayLike, recall: ArrayLike, prevalence: ArrayLike
) -> tuple[float | np.ndarray, float | np.ndarray]:
    r"""False and true positive rate of points in precision-recall space.

    .. math::

        \mathrm{fpr} = \frac{\pi\, r\, (1 - p)}{(1 - \pi)\, p}, \qquad \mathrm{tpr} = r

    for precision p and recall r. One to one where the recall is not 0 (Theorem 3.1 of
    [1]_): the precision of a point at recall 0 may be NaN, as `roc_to_pr` has it. A point
    below `min_precision` has no image. Points at the prevalence, the no-skill value, go to
    the diagonal. Arguments are broadcast.

    Read more in the :ref:`User Guide <curve>`.

    Parameters
    ----------
    precision, recall : float or array-like
        The points, each coordinate within [0, 1].
    prevalence : float or array-like
        Fraction of positives, inside (0, 1).

    Returns
    -------
    fpr : float or ndarray of float64
        Within [0, 1], in the order given. Recall 0 has no inverse: NaN.
    tpr : float or ndarray of float64
        The recalls.

    Raises
    ------
    ValueError
        If a coordinate leaves [0, 1], a point is not achievable, or `prevalence` leaves
        (0, 1).
    TypeError
        If one is not made of real numbers.

    See Also
    --------
    roc_to_pr : The way back.
    is_achievable : Which points have an image.

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
    r = check_fractions(recall, "recall")
    given, r, pi = broadcast(
        precision=as_numbers(np.asarray(precision), "precision"),
        recall=r,
        prevalence=check_fractions(prevalence, "prevalence", open_ended=True),
    )
    has_image = r > 0
    p = np.ones(r.shape)
    p[has_image] = check_fractions(given[has_image], "precision")
    fpr = np.full(r.shape, np.nan)
    np.divide(pi * r * (1 - p), (1 - pi) * p, out=fpr, where=has_image & (p > 0))
    fpr[has_image & (p == 0)] = np.inf
    # Rounding of a precision on the minimum curve, relative to 1 - precision.
    slack = 16 * _EPS / np.maximum(1 - p, _EPS)
    below = has_image & (fpr > 1 + slack)
    if below.any():
        raise ValueError(
            "`precision` must be achievable: not below min_precision(recall, prevalence). "
            f"Got precision {p[below].flat[0]} at recall {r[below].flat[0]} and prevalence "
            f"{pi[below].flat[0]}; `is_achievable` finds such points."
        )
    return float_if_scalar(np.minimum(fpr, 1)), float_if_scalar(r.copy())


def dominates(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> bool:
    r"""Whether the curve of one score lies nowhere below that of another.

    For every number of true positives t the first curve has no more false positives,

    .. math:: f_a(t) \le f_b(t) \quad \text{for all } 0 \le t \le P,

    in ROC space and, which is the same (Theorem 3.2 of [1]_), in precision-recall space.
    A curve dominates itself; of two curves that cross neither dominates. Both are the
    empirical curves through every threshold, ties one segment. With unit or whole weights
    the comparison is exact, else within the rounding of the totals. The best
    ranking dominates all; a constant, no-skill score those below the diagonal.

    Read more in the :ref:`User Guide <achievable>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. {0, 1}, {-1, 1} and booleans are understood; other labels need
        `pos_label`.
    y_score_a, y_score_b : array-like of shape (n_samples,)
        Two scores of the same samples, higher for the positive class, real and finite.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative. A weight of k is the same as k copies of the sample, a
        weight of 0 the same as leaving the sample out.

    Returns
    -------
    bool
        True if a is nowhere below b. Without positives there is no curve: False, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`. Without negatives both
        curves are at precision 1: True.

    Raises
    ------
    ValueError
        If a score has NaN or infinite values or the wrong shape, `y_true` is empty, has
        missing or continuous values or labels for which `pos_label` is needed or absent,
        or `sample_weight` is negative, not finite, all 0 or of another length.
    TypeError
        If a score or `sample_weight` are not real numbers, or `y_true` is not labels.

    See Also
    --------
    achievable_pr_curve : The curve that dominates all others made of the same points.

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
    rocs = [
        breakpoints(
            check_binary(y_true, score, pos_label, sample_weight, score_name=name)
        ).concatenated()
        for name, score in (("y_score_a", y_score_a), ("y_score_b", y_score_b))
    ]

    def nowhere_below():
        require_classes(rocs[0].tps[-1], rocs[0].fps[-1], negatives=False)
        return _nowhere_below(*(integers_if_possible(roc.fps, roc.tps) for roc in rocs))

    return value_or_warn(nowhere_below, False, "dominance")


def _nowhere_below(a, b):
    """Whether curve a has at most the false positives of curve b at every breakpoint."""
    (fps_a, tps_a, exact), (fps_b, tps_b, _) = a, b
    slack_f = slack_t = 0
    largest_steps = np.diff(tps_a).max(), np.diff(tps_b).max()
    if not exact:
        # Each ROC curve summed the weights in its own order.
        slack_f, slack_t = COUNT_ROUNDING * fps_a[-1], COUNT_ROUNDING * tps_a[-1]
    elif math.prod(int(n) for n in (fps_a[-1], *largest_steps)) >= _EXACT_PRODUCT:
        fps_a, tps_a, fps_b, tps_b = (
            c.astype(object) for c in (fps_a, tps_a, fps_b, tps_b)
        )
    # f_a(t - slack_t) <= f_b(t) + slack_f has to hold where either side has a breakpoint.
    at_a = np.concatenate((tps_a, np.maximum(tps_b - slack_t, 0)))
    at_b = np.concatenate((tps_a + slack_t, tps_b))
    for side in ("left", "right"):
        f_a, den_a = _fps_fraction(fps_a, tps_a, at_a, side)
        f_b, den_b = _fps_fraction(fps_b, tps_b, at_b, side)
        if not np.all(f_a * den_b <= f_b * den_a + slack_f * den_a * den_b):
            return False
    return True


def _fps_fraction(fps, tps, at, side):
    """False positives at `at` true positives, as numerators and denominators.

    Not by `fps_at`, which divides: these products of integer counts are exact. Where the
    curve is horizontal, `side` selects its left or right end.
    """
    end = np.searchsorted(tps, at, side)
    segment = np.clip(end - 1, 0, len(tps) - 2)
    # The ends of the ROC curve, and its points, need no interpolation.
    ahead = np.where(end == 0, 0, np.where(end == len(tps), len(tps) - 1, segment))
    inside = (tps[ahead] < at) & (ahead < len(tps) - 1)
    delta_t = np.where(inside, tps[segment + 1] - tps[segment], 1)
    along = np.where(inside, at - tps[segment], 0)
    return fps[ahead] * delta_t + (fps[segment + 1] - fps[segment]) * along, delta_t
