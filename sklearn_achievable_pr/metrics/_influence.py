"""Derivatives of the exact area, and of average precision, by the weights of the samples.

The area over the recalls from a to b is

    A = (1/P) integral of p(t) dt, t from a P to b P,      p(t) = t / (t + f(t)),

where f(t), the false positives at t true positives, is linear on each segment of the ROC
curve. The weight of a sample changes P, hence the limits of the integral, and f(t):

    P dA = [b p(bP) - a p(aP) - A] dP - integral of t / (t + f)^2 df(t) dt.

On a segment from (f0, t0) to (f1, t1), at the fraction u of it,

    df(t) = (1 - u) (df0 - F/T dt0) + u (df1 - F/T dt1),    T = t1 - t0, F = f1 - f0.

So two integrals per segment serve all four derivatives: with n = t + f, m = T + F and I[h]
the integral of h over u from 0 to 1,

    y = m I[t / n^2],      z = m I[u t / n^2].

The weight of a positive in segment k changes t1 of that segment, and t0 and t1 of all later
ones. The weight of a negative changes f1 of its segment, and f0 and f1 of all later ones.
All samples of one class in a segment have the same derivative.

Average precision is a sum over the points k of the curve, AP = (1/P) sum of T p(k), where
T = t(k) - t(k - 1) and p = t / n. The weight of a sample changes t or f at the point of its
score and at all later points.

Derivatives are arrays of shape (2, n_points - 1): for a positive (row 0) and for a negative
(row 1) on the segment that ends at point `i + 1`.
"""

import numpy as np

from .._roc.counting import from_counts
from .._roc.curve import EQUAL_WITHIN, fps_at
from .._roc.integrals import area_above_worst, artanh_series
from ._areas import area, average_precision
from ._unachievable import average_precision_bounds

# A block has this many segments, so that its temporary arrays stay in the cache.
_BLOCK = 1 << 14
# Up to this r = step / (samples before and after), artanh(r) is computed by a series. Above
# this r, the closed form loses at most two digits to cancellation.
_SERIES_LIMIT = 1 / 16
# Values of r are limited to this number, because r may round to 1 and (1 + r) / (1 - r)
# must stay finite.
_LARGEST_R = 1 - np.finfo(np.float64).eps
# This number replaces a denominator of 0 where the numerator is 0 as well.
_TINY = 5e-324
# If the negatives have less weight than this, relative to the positives, cancellation
# leaves the derivatives of AUCNPR fewer than three digits.
_LEAST_NEGATIVES = 1e-12


def area_influence(roc, value, low, high):
    """Derivatives of the exact area, over recalls from `low` to `high`, by weights.

    At a recall where only negatives follow, precision jumps. If the range starts or ends
    there, the left and right derivatives differ, and their mean is returned.

    Parameters
    ----------
    roc : ROCCurve
        Without repeated points.
    value : float
        The exact area over these recalls.
    low, high : float
        The recall range.

    Returns
    -------
    ndarray of float64, shape (2, n_points - 1)
    """
    points = roc.concatenated()
    fps, tps = points.fps, points.tps
    n_pos = float(tps[-1])
    start = _recall_to_count(tps, low) if low > 0 else -np.inf
    stop = _recall_to_count(tps, high) if high < 1 else np.inf
    # A weight changes the end of its own segment, and both ends of the later ones.
    own, later = np.empty((2, 2, len(tps) - 1))
    for first in range(0, len(tps) - 1, _BLOCK):
        segment, point = slice(first, first + _BLOCK), slice(first, first + _BLOCK + 1)
        f, t = fps[point].astype(np.float64), tps[point].astype(np.float64)
        shares, y, z = _segment_integrals(f, t, start, stop)
        np.multiply(shares, z, out=own[:, segment])
        np.multiply(shares, y, out=later[:, segment])
    # Running totals from the last segment backwards are the sums over later segments.
    later = later[:, ::-1]
    np.add.accumulate(later, axis=1, out=later)
    own[:, :-1] += later[:, -2::-1]
    # This is the first term of P dA in the docstring of this module: the limits of the
    # integral move with P.
    at_stop = (
        _precision_at(fps, tps, stop) * high if high < 1 else n_pos / (n_pos + fps[-1])
    )
    at_start = _precision_at(fps, tps, start) * low if low > 0 else 0.0
    own[0] += at_stop - at_start - value
    own /= n_pos
    np.subtract(0.0, own[1], out=own[1])
    return own


def normalized_area_influence(roc, value, low, high):
    """Derivatives of (A - Amin) / (Amax - Amin), whose value is `value`, by weights.

    Parameters and result are those of `area_influence`.
    """
    area_values = area_influence(roc, area(roc, low, high), low, high)
    n_pos, n_neg = float(roc.n_pos), float(roc.n_neg) * roc.negative_weight
    span = area_above_worst(n_neg, low * n_pos, (high - low) * n_pos) / n_pos
    return (area_values - (1 - value) * _minimum_influence(roc, low, high)) / span


def _minimum_influence(roc, low, high):
    """Derivatives of the minimum area by the weight of a positive and of a negative.

    Returns
    -------
    ndarray of float64, shape (2, 1)
    """
    n_pos, n_neg = float(roc.n_pos), float(roc.n_neg) * roc.negative_weight
    if n_neg < _LEAST_NEGATIVES * n_pos:
        raise ValueError(
            "`sample_weight` and `prevalence` must give the negatives at least "
            f"{_LEAST_NEGATIVES} of the weight of the positives for derivatives of AUCNPR. "
            f"Got {n_neg / n_pos:.3g}; use the metric 'auc_pr_interpolated'."
        )
    worst = from_counts(np.array([0.0, n_neg, n_neg]), np.array([0.0, 0.0, n_pos]))
    influence = area_influence(worst, area(worst, low, high), low, high)
    # The worst ranking has its positives on the second segment and its negatives on the
    # first.
    return influence[[0, 1], [1, 0]][:, np.newaxis]


def average_precision_influence(roc, value, low, high):
    """Derivatives of average precision, whose value is `value`, by weights.

    `roc` needs a point at every score of a positive; `low` and `high` are ignored.
    """
    points = roc.concatenated()
    fps, tps = points.fps, points.tps
    n_above = (fps + tps)[1:].astype(np.float64)
    precision = tps[1:] / n_above
    share = np.diff(tps) / n_above
    # The derivatives d p / d t = f / n^2 and d p / d f = -t / n^2 count at this point and
    # at all later ones.
    by_tps, by_fps = (
        np.cumsum((share * rate)[::-1])[::-1] for rate in (fps[1:] / n_above, precision)
    )
    n_pos = float(tps[-1])
    return np.array([precision - value + by_tps, 0.0 - by_fps]) / n_pos


def normalized_average_precision_influence(roc, value, low, high):
    """Derivatives of (AP - APmin) / (1 - APmin), whose value is `value`, by weights.

    APmin is a sum over the positives, defined for integers; its derivatives are those of
    its limit for many samples, the minimum area. Samples must have no weights. Parameters
    and result are those of `average_precision_influence`.
    """
    stepwise_values = average_precision_influence(roc, average_precision(roc), low, high)
    n_pos, n_neg = float(roc.n_pos), float(roc.n_neg)
    _, span = average_precision_bounds(np.ones(int(n_pos)), n_neg)
    return (stepwise_values - (1 - value) * _minimum_influence(roc, 0.0, 1.0)) / span


def at_fixed_prevalence(influence, roc):
    """Derivatives at a reference prevalence, by the weights before reweighting.

    The negatives share a factor `negative_weight` that is proportional to P / N. So more
    weight of one sample reduces the share of the other samples of its class.

    Parameters
    ----------
    influence : ndarray of shape (2, n_points - 1)
        Derivatives by the weights after the negatives are multiplied by `negative_weight`.
    roc : ROCCurve
        With the reweighted negatives.

    Returns
    -------
    ndarray of float64, shape (2, n_points - 1)
    """
    points = roc.concatenated()
    fps, tps = points.fps, points.tps
    counts = np.array([tps, fps])
    shared = np.sum(influence * np.diff(counts), axis=1, keepdims=True) / counts[:, -1:]
    return (influence - shared) * [[1.0], [roc.negative_weight]]


def _segment_integrals(f, t, start, stop):
    """F/m and T/m of each segment, and its integrals y and z where `start` < t < `stop`."""
    delta_t, t0, n0 = t[1:] - t[:-1], t[:-1], t[:-1] + f[:-1]
    shares = np.array([f[1:] - f[:-1], delta_t])
    step = shares[0] + delta_t
    # Adding a very small weight may leave the running total unchanged.
    shares /= np.maximum(step, _TINY)
    if start <= t[0] and stop >= t[-1]:
        return shares, *_integrals(t0, n0, step, shares[1])
    jump = delta_t == 0
    delta_t[jump] = 1.0
    left, right = ((np.clip(end, start, stop) - t0) / delta_t for end in (t0, t[1:]))
    # Where the range ends at a jump, half of the jump counts.
    inside = (np.sign(t0 - start) + 1) / 2 * ((np.sign(stop - t0) + 1) / 2)
    left[jump], right[jump], inside[~jump] = 0.0, 1.0, 1.0
    part = right - left
    y, z = _integrals(t0 + left * delta_t, n0 + left * step, part * step, shares[1])
    return shares, inside * y, inside * (left * y + part * z)


def _integrals(t0, n0, step, share):
    """Integrals y and z of each segment: m I[t / n^2] and m I[u t / n^2].

    With the precision p0 before the segment, s = T / m, r = step / (samples before and
    after) and a = artanh(r) / r - 1 these are sums of terms that are not negative,

        y = p0 2 r / (1 + r) + s 2 r (r / (1 + r) + a),
        z = p0 (1 - r) (r / (1 + r) + a) + s 2 (r^2 / (1 + r) - (1 - r) a).
    """
    from_origin = len(n0) > 0 and n0[0] == 0
    r = step / np.maximum(n0 + n0 + step, _TINY)
    if from_origin:
        r[0] = 0.0
    a = _artanh_over_r_less_1(r)
    r_part, r_left = r / (1 + r), 1 - r
    # If the weight of negatives underflows at a reference prevalence, later points repeat
    # the origin.
    precision = np.divide(t0, n0, out=np.zeros(len(n0)), where=n0 > 0)
    both = r_part + a
    y = 2 * (precision * r_part + share * r * both)
    z = precision * r_left * both + 2 * share * (r * r_part - r_left * a)
    if from_origin:  # no weight changes the origin, so t = s n on the first segment
        y[0] = z[0] = share[0]
    return y, z


def _artanh_over_r_less_1(r):
    """artanh(r) / r - 1 = r^2 / 3 + r^4 / 5 + ..., for 0 <= r < 1."""
    far = (r > _SERIES_LIMIT).nonzero()[0]
    near = np.minimum(r, _SERIES_LIMIT)
    values = artanh_series(near * near, 7) / 2
    r = np.minimum(r.take(far), _LARGEST_R)
    values[far] = np.log1p(2 * r / (1 - r)) / (2 * r) - 1
    return values


def _recall_to_count(tps, recall):
    """True positives at a recall; those of the nearest point if it is within rounding."""
    count = recall * float(tps[-1])
    nearest = float(tps[np.argmin(np.abs(tps - count))])
    return nearest if abs(nearest - count) <= EQUAL_WITHIN * tps[-1] else count


def _precision_at(fps, tps, count):
    """Precision at a number of true positives; at a jump the mean of both sides."""
    first, last = np.searchsorted(tps, count, "left"), np.searchsorted(tps, count, "right")
    if first < last:
        return (count / (count + fps[first]) + count / (count + fps[last - 1])) / 2
    return count / (count + fps_at(fps, tps, last - 1, count))
