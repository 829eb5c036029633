"""Empirical likelihood of a point of the precision-recall curve.

"At some threshold the recall is r and the precision is p" is a hypothesis about the four
cells of a confusion matrix. With t of P positives and f negatives at or above a threshold,
its likelihood ratio statistic, maximized over the prevalence, is the sum of two binomial
deviances,

    D(r, p) = 2 P KL(t/P, r) + 2 (P + f) KL(f/(P + f), q/(1 + q)),  q = r (1 - p) / p,

where q is the number of false positives per positive. The minimum over all points (f, t) of
the ROC curve, interpolated linearly, has a chi-squared distribution with one degree of
freedom in the limit (Qin and Lawless 1994, Chen and Hall 1993).
"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import chdtri, ndtri, rel_entr

from ._limits import t_quantile

# Quantile 0.95 of the supremum of the deviance over recalls 0.05 to 0.95, a conservative
# value from simulations (benchmarks/points.py).
SIMULTANEOUS_QUANTILE = 9.8
# Numbers of points of the curve that are compared with one recall: points evenly spaced in
# true positives, and vertical parts of the curve (a selection if many).
_N_EVEN, _MAX_VERTICAL = 129, 2048
# Bounds of the logarithm of q, at which the precision rounds to 0 and 1.
_LOG_RATIO = 40.0
_N_BISECTIONS = 50
# Grid of recalls on which the limits of a recall are searched.
_RECALL_GRID = np.linspace(0, 1, 131)[1:-1]


def pointwise_quantile(confidence_level):
    """Quantile of the deviance D at one point, of the chi-squared distribution."""
    return chdtri(1, 1 - confidence_level)


def precision_limits(roc, recall, quantile):
    """Confidence limits of the precision at given recalls: where D <= `quantile`.

    Parameters
    ----------
    roc : ROCCurve
        The empirical curve. With weights or clusters, multiply `quantile` by
        `design_effect`.
    recall : array-like of shape (n_recalls,)
        Inside (0, 1).
    quantile : float or ndarray of shape (n_recalls,)
        Quantile of the deviance.

    Returns
    -------
    low, high : ndarray of float64, shape (n_recalls,)
    """
    recall = np.asarray(recall, dtype=np.float64)
    fps, tps, vertical = _counts(roc)
    ratio = np.interp(recall * tps[-1], tps, fps) / tps[-1]
    estimate = np.log(np.clip(ratio, np.exp(-_LOG_RATIO), np.exp(_LOG_RATIO)))
    least_deviance = _least_deviance(fps, tps, vertical, recall, quantile)
    limits = []
    for bound in (_LOG_RATIO, -_LOG_RATIO):
        inside, outside = estimate, np.full(recall.shape, bound)
        for _ in range(_N_BISECTIONS):
            middle = (inside + outside) / 2
            within = least_deviance(middle) <= quantile
            inside = np.where(within, middle, inside)
            outside = np.where(within, outside, middle)
        limits.append(recall / (recall + np.exp(inside)))
    return tuple(limits)


def recall_limits(roc, precision, quantile, estimate):
    """Confidence limits of the recall at a precision.

    Parameters
    ----------
    roc : ROCCurve
        As for `precision_limits`.
    precision : float
        Inside (0, 1).
    quantile : float
        Quantile of the deviance.
    estimate : float
        The largest recall at which the curve has this precision; 0 if no recall has it.

    Returns
    -------
    low, high : float
        Limits of the last crossing: at recalls above `high` the curve is significantly
        below the precision (D > `quantile`), and `low` is the largest recall at which it is
        significantly above, 0 if there is none. Where the precision does not fall steadily,
        all recalls around `estimate` with D <= `quantile` may be too low.
    """
    fps, tps, vertical = _counts(roc)

    def excess(recall):
        ratio = np.maximum(recall * (1 - precision) / precision, np.exp(-_LOG_RATIO))
        ratio = np.log(ratio)
        return _least_deviance(fps, tps, vertical, recall, quantile)(ratio) - quantile

    def boundary(inside, outside):
        """The recall between two others at which D is the quantile."""
        if excess(np.array([inside])) >= 0:
            # D may exceed the quantile even at `estimate`, e.g. if the prevalence is above
            # the precision. At another recall that is significantly below the precision,
            # the crossing lies between the two: the limit is on the safe side.
            return inside if inside == estimate else outside
        ends = inside, outside
        return brentq(lambda r: excess(np.array([r]))[0], *ends, xtol=1e-10)

    def last(indices, where):
        """The last of these indices at which `where(excess)` is true, or None."""
        # Evaluated in parts, because the last one is mostly found soon.
        for stop in range(len(indices), 0, -16):
            part = indices[max(stop - 16, 0) : stop]
            found = part[where(excess(recalls[part]))]
            if len(found):
                return found[-1]
        return None

    grid = _RECALL_GRID
    recalls = np.concatenate((grid[grid < estimate], [estimate], grid[grid > estimate]))
    at, end = np.count_nonzero(grid < estimate), len(recalls) - 1
    is_near = ~_is_far_below(recalls, precision, vertical, quantile)
    is_near[: at + 1] = False
    inside = last(np.flatnonzero(is_near), lambda excess: excess <= 0)
    inside = at if inside is None else inside
    high = 1.0 if inside == end else boundary(recalls[inside], recalls[inside + 1])
    t = recalls[:at] * tps[-1]
    is_above = (1 - precision) * t > precision * np.interp(t, tps, fps)
    outside = last(np.flatnonzero(is_above), lambda excess: excess > 0)
    low = 0.0 if outside is None else boundary(recalls[outside + 1], recalls[outside])
    return low, high


def _is_far_below(recall, precision, vertical, quantile):
    """Whether a lower bound of D shows that the curve at a recall is below `precision`.

    At points with fewer than `t` true positives the term of the recall exceeds the
    quantile, by Pinsker's inequality. At all others the term of the precision is at least
    that of the fewest false positives.
    """
    n_pos = vertical[0, -1]
    t = recall * n_pos - np.sqrt(quantile * n_pos) / 2
    least = np.interp(t, vertical[0], vertical[1]) / n_pos
    q = recall * (1 - precision) / precision
    share = (1 + least) / (1 + q)
    deviance = 2 * n_pos * (rel_entr(least, share * q) + rel_entr(1, share))
    return (least > q) & (deviance > quantile)


def _counts(roc):
    """False and true positives of the points, and the vertical parts of the curve.

    The vertical parts are an array of shape (3, n_parts): numbers of true positives, and
    the least and the most false positives that the curve has there.
    """
    fps, tps = (c.astype(np.float64) for c in roc.concatenated()[:2])
    last = np.append(np.flatnonzero(np.diff(tps)), len(tps) - 1)
    first = np.append(0, last[:-1] + 1)
    return fps, tps, np.array([tps[last], fps[first], fps[last]])


def _least_deviance(fps, tps, vertical, recall, quantile):
    """Function that maps log(q) at each recall to the least deviance over the curve.

    Between positives the curve is vertical: its true positives stay t, and its false
    positives run from f0 to f1, in ties too. There the deviance of the precision is 0 if
    P q lies between f0 and f1; otherwise the deviance is taken at the nearer of f0 and f1.
    Ties of both classes are divided evenly.
    """
    n_pos, r = tps[-1], recall[:, None]
    # By Pinsker's inequality the term of the recall exceeds `quantile` at other points.
    reach = np.sqrt(quantile * n_pos) / 2
    low, high = np.clip([recall * n_pos - reach, recall * n_pos + reach], 0, n_pos)
    start = np.searchsorted(vertical[0], low) - 1
    stop = np.searchsorted(vertical[0], high, "right")
    start, stop = np.clip([start, stop], 0, vertical.shape[1] - 1)
    n_vertical = min(int(np.max(stop - start)) + 1, _MAX_VERTICAL)
    chosen = np.rint(np.linspace(start, stop, n_vertical, axis=1)).astype(np.int64)
    even = np.linspace(low, high, _N_EVEN, axis=1)
    at_even = np.array([even, *[np.interp(even, tps, fps)] * 2])
    t, *f = np.concatenate((vertical[:, chosen], at_even), axis=2)
    of_recall = rel_entr(t, n_pos * r) + rel_entr(n_pos - t, n_pos * (1 - r))
    q = np.maximum(np.divide(f, n_pos), np.exp(-2 * _LOG_RATIO))
    left, right = np.stack((f, np.log(q), np.log1p(q)), axis=1)

    def least_deviance(log_ratio):
        z = log_ratio[:, None]
        f, log_q, log1p_q = np.where(z < left[1], left, right)
        of_precision = (n_pos + f) * (np.logaddexp(0, z) - log1p_q) - f * (z - log_q)
        of_precision[(z >= left[1]) & (z <= right[1])] = 0.0
        return 2 * (of_recall + of_precision).min(axis=1)

    return least_deviance


def design_effect(sample, recall, confidence_level=0.95):
    """Divisor of the deviance of weighted or clustered samples.

    The design effect is the variance of the precision at a recall, divided by its variance
    for independent samples of weight 1. The numerator is the sum over clusters of the
    squared sums of weight times influence, the denominator the weighted sum of squared
    influences. The result is at least the mean weight, because near the ends of the curve
    the influences of a few samples may cancel. The result also has the factor (t / z)^2 of
    the quantiles of the t and the normal distribution, where the degrees of freedom of t
    are the effective number of units of the smaller class minus 1.

    Parameters
    ----------
    sample : Sample
        With a ROC curve at every threshold.
    recall : ndarray of shape (n_recalls,)
    confidence_level : float, default=0.95

    Returns
    -------
    ndarray of float64, shape (n_recalls,)
    """
    data, roc, weight = sample.data, sample.roc, sample.weight
    tail, df = (1 - confidence_level) / 2, sample.min_effective_class_size - 1
    fps, tps, _ = points = roc.concatenated()
    at = recall * tps[-1]
    # The slope df/dt by finite differences, with the bandwidth of Hall and Sheather (1988).
    # Where the hull has the larger slope, the mean of the two is taken.
    z, z2_per_positive = ndtri(recall), ndtri(tail) ** 2 * weight.mean() / tps[-1]
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    width = (1.5 * density**2 / (2 * z**2 + 1) * z2_per_positive) ** (1 / 3)
    width = np.minimum(width, np.minimum(recall, 1 - recall)) * tps[-1]
    slope = np.interp(at + width, tps, fps) - np.interp(at - width, tps, fps)
    slope /= 2 * width
    hull_fps, hull_tps, _ = roc.hull().concatenated()
    segment = np.maximum(np.searchsorted(hull_tps, at), 1) - 1
    of_hull = np.diff(hull_fps)[segment] / np.diff(hull_tps)[segment]
    slope = (np.maximum(of_hull, slope) + slope) / 2
    cuts = roc.thresholds(points.take(np.append(0, np.searchsorted(tps, at))))
    precision = at / (at + np.interp(at, tps, fps))
    found = np.empty(len(recall))
    for i, (r, p, s, cut) in enumerate(zip(recall, precision, slope, cuts, strict=True)):
        above = data.score >= cut
        of_positive = (1 - p) * r + p * s * (above - r)
        influence = np.where(data.positive, of_positive, -p * above)
        if not influence.any():  # no false positives above the cut
            influence = data.positive.astype(np.float64)
        influence /= np.abs(influence).max()  # avoids overflow of squares
        moved = np.bincount(sample.units, weights=weight * influence)
        found[i] = np.sum(moved**2) / np.sum(weight * influence**2)
    n_groups = sample.n_units_by_class[1]
    found = np.maximum(found * n_groups / max(n_groups - 1, 1), weight.mean())
    # The square overflows if nearly all weight of a class is that of one unit.
    return found * max(t_quantile(df, tail) / ndtri(tail), -1e20) ** 2
