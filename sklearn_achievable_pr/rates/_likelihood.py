"""Empirical likelihood of a point of the precision-recall curve or of the ROC curve.

"At some threshold the recall is r and the precision is p" is a hypothesis about the four
cells of a confusion matrix. With t of P positives and f negatives at or above a threshold,
its likelihood ratio statistic, maximized over the prevalence, is the sum of two binomial
deviances,

    D(r, p) = 2 P KL(t/P, r) + 2 (P + f) KL(f/(P + f), q/(1 + q)),  q = r (1 - p) / p,

where q is the number of false positives per positive and KL the divergence of two Bernoulli
distributions (`_divergence`). "At some threshold the false positive
rate is u and the recall is r" is a hypothesis about two independent proportions. With f of
N negatives, its deviance is

    D(u, r) = 2 N KL(f/N, u) + 2 P KL(t/P, r).

The minimum of either over all points (f, t) of the ROC curve, interpolated linearly, has a
chi-squared distribution with one degree of freedom in the limit (Qin and Lawless 1994, Chen
and Hall 1993).
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri, rel_entr

from ..metrics._operating_points import recall_at_fpr
from ..uncertainty._limits import t_quantile

# This number is quantile 0.95 of the supremum of the deviance over recalls 0.05 to 0.95, a
# conservative value from simulations (benchmarks/simulations/operating_points.py).
SIMULTANEOUS_QUANTILE = 9.8
# One recall is compared with points that are evenly spaced in true positives, from 0 to 1
# of a range, and with jumps of the curve, at most this many of them.
_EVENLY_SPACED, _MAX_JUMPS = np.arange(129) / 128, 2048
# One false positive rate is compared with this many points, evenly spaced in false
# positives, besides the points of the curve.
_N_EVEN_AT_FPR = 257
# The logarithm of q is searched between plus and minus this number, where the precision
# rounds to 0 and to 1.
_LOG_RATIO = 40.0
_LEAST_RATIO = np.exp(-_LOG_RATIO)
_N_BISECTIONS = 50
# Limits of a recall are searched on this grid of recalls.
_RECALL_GRID = np.linspace(0, 1, 131)[1:-1]
# The slope of the curve is that of a secant, which reaches this number times n^(-1/5) to
# both sides, in probits.
_REACH = 1.5


def pointwise_quantile(tail):
    """Quantile 1 - 2 tail of the deviance D at one point, which is chi-squared."""
    return ndtri(tail) ** 2


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
    curve = _curve_of(roc)
    ratio = curve.fps_at(recall * curve.n_pos) / curve.n_pos
    estimate = np.log(np.clip(ratio, _LEAST_RATIO, 1 / _LEAST_RATIO))
    candidates = _candidates_of(curve, recall, quantile)

    def is_within(log_ratio):
        return _least_deviance(candidates, log_ratio) <= quantile

    low, high = (
        recall / (recall + np.exp(_farthest(is_within, estimate, bound)))
        for bound in (_LOG_RATIO, -_LOG_RATIO)
    )
    return low, high


def _farthest(is_within, start, bound):
    """The numbers from `start` towards `bound` up to which ``is_within`` is true."""
    inside, outside = start, np.full(start.shape, bound)
    for _ in range(_N_BISECTIONS):
        middle = (inside + outside) / 2
        within = is_within(middle)
        inside = np.where(within, middle, inside)
        outside = np.where(within, outside, middle)
    return inside


def recall_limits(roc, precision, quantile, estimate):
    """Confidence limits of the recall at a precision.

    D at a recall is the deviance of the hypothesis that the curve has the precision there.
    A recall is *rejected* if D exceeds `quantile`.

    Parameters
    ----------
    roc : ROCCurve
        The empirical curve. With weights or clusters, multiply `quantile` by
        `design_effect`.
    precision : float
        Inside (0, 1).
    quantile : float
        Quantile of the distribution of D, such as 3.84 for a confidence level of 0.95.
    estimate : float
        The largest recall at which the curve has this precision; 0 if no recall has it.

    Returns
    -------
    low, high : float
        Limits of the last crossing: recalls above `high` are rejected, because the curve is
        below the precision, and `low` is the largest rejected recall at which the curve is
        above it, 0 if there is none. Both are searched on a grid of recalls, and the root
        of D - `quantile` between its neighbors is the limit. If even `estimate` is
        rejected, it is the limit.

    Notes
    -----
    The recalls around `estimate` that are not rejected would be the usual interval. Where
    the precision rises and then falls, all of them may lie below the last crossing.
    """
    curve, grid = _curve_of(roc), _RECALL_GRID
    excess = partial(_excess_at, curve, precision, quantile)
    lower, higher = grid[grid < estimate], grid[grid > estimate]
    recalls = np.concatenate((lower, [estimate], higher))

    # The others are rejected without computing D, to save time.
    is_near = ~_is_far_below(higher, precision, curve, quantile)
    last_kept = _last_recall(excess, higher[is_near], is_rejected=False)
    last_kept = estimate if last_kept is None else last_kept
    beyond = recalls[recalls > last_kept]
    high = _boundary(excess, last_kept, beyond[0], estimate) if len(beyond) else 1.0

    t = lower * curve.n_pos
    is_above = (1 - precision) * t > precision * curve.fps_at(t)
    last_rejected = _last_recall(excess, lower[is_above], is_rejected=True)
    if last_rejected is None:
        return 0.0, high
    first_kept = recalls[recalls > last_rejected][0]
    return _boundary(excess, first_kept, last_rejected, estimate), high


def _excess_at(curve, precision, quantile, recall):
    """How much D exceeds the quantile at a precision and each recall."""
    q = np.maximum(recall * (1 - precision) / precision, _LEAST_RATIO)
    candidates = _candidates_of(curve, recall, quantile)
    return _least_deviance(candidates, np.log(q)) - quantile


def _last_recall(excess, recalls, *, is_rejected):
    """The last of the recalls that is rejected, or is not; None without any."""
    # Recalls are evaluated in blocks from the end, because the last recall with this
    # property is usually near the end.
    for stop in range(len(recalls), 0, -16):
        block = recalls[max(stop - 16, 0) : stop]
        matching = block[(excess(block) > 0) == is_rejected]
        if len(matching):
            return matching[-1]
    return None


def _boundary(excess, kept, rejected, estimate):
    """The recall between a kept and a rejected one at which D is the quantile.

    The two recalls are neighbors on the grid. `kept` is a recall that is not rejected, or
    the estimate, or the recall after a rejected one.
    """
    if excess(np.array([kept])) >= 0:
        # `kept` is rejected, too. If it is the estimate, for example because the prevalence
        # is above the precision, it is the limit. Otherwise the curve is below the
        # precision at `kept` and above it at `rejected`, so the crossing lies between the
        # two, and the farther recall is the safe limit.
        return kept if kept == estimate else rejected
    return brentq(lambda r: excess(np.array([r]))[0], kept, rejected, xtol=1e-10)


def _is_far_below(recall, precision, curve, quantile):
    """Whether a lower bound of D shows that the curve at a recall is below `precision`.

    At points with fewer than `t` true positives the term of the recall exceeds the
    quantile, by Pinsker's inequality. At all others the term of the precision is at least
    that of the fewest false positives.
    """
    n_pos = curve.n_pos
    t = recall * n_pos - np.sqrt(quantile * n_pos) / 2
    least = np.interp(t, curve.jump_tps, curve.jump_start) / n_pos
    q = recall * (1 - precision) / precision
    share = (1 + least) / (1 + q)
    deviance = 2 * n_pos * (rel_entr(least, share * q) + rel_entr(1, share))
    return (least > q) & (deviance > quantile)


class _Curve(NamedTuple):
    """A ROC curve as numbers of false positives f over true positives t.

    A *jump* is a part of the curve at one t, where only negatives follow. There is a jump
    at the t of every point; it may have length 0::

        f |            o---
          |            |      jump_end
          |            |
          |        .---o      jump_start
          |    .--'
          +------------------ t
                   jump_tps

    Attributes
    ----------
    fps, tps : ndarray of float64, shape (n_points,)
        The points.
    jump_tps, jump_start, jump_end : ndarray of float64, shape (n_jumps,)
        True positives of each jump, and its least and most false positives.
    """

    fps: np.ndarray
    tps: np.ndarray
    jump_tps: np.ndarray
    jump_start: np.ndarray
    jump_end: np.ndarray

    @property
    def n_pos(self):
        """The number of positives."""
        return self.tps[-1]

    def fps_at(self, t):
        """False positives at numbers of true positives, interpolated linearly."""
        return np.interp(t, self.tps, self.fps)


def _curve_of(roc):
    """The `_Curve` of a `ROCCurve`."""
    points = roc.concatenated()
    fps, tps = points.fps.astype(np.float64), points.tps.astype(np.float64)
    last = np.append(np.flatnonzero(np.diff(tps)), len(tps) - 1)
    first = np.append(0, last[:-1] + 1)
    return _Curve(fps, tps, tps[last], fps[first], fps[last])


class _JumpEnds(NamedTuple):
    """The same end of several jumps: false positives f, and logarithms of f / P."""

    fps: np.ndarray
    log_ratio: np.ndarray
    log1p_ratio: np.ndarray


def _jump_ends(fps, n_pos):
    """The `_JumpEnds` with these false positives.

    A ratio of 0 gets a finite logarithm, below that of every q, which is at least
    `_LEAST_RATIO`.
    """
    ratio = np.maximum(fps / n_pos, _LEAST_RATIO**2)
    return _JumpEnds(fps, np.log(ratio), np.log1p(ratio))


class _Candidates(NamedTuple):
    """Jumps of the curve that are compared with recalls, a row of them for each recall.

    They are jumps as in `_Curve`, a selection if there are many, and points between them as
    jumps of length 0. At the parts of the curve that are left out because they are far from
    the recall, the deviance exceeds the quantile.

    Attributes
    ----------
    n_pos : float
        The number of positives P.
    recall_term : ndarray of float64, shape (n_recalls, n_candidates)
        P KL(t/P, r) = t log(t / (P r)) + (P - t) log((P - t) / (P (1 - r))).
    start, end : _JumpEnds
        Both ends of the jumps, with the fewest and with the most false positives.
    """

    n_pos: float
    recall_term: np.ndarray
    start: _JumpEnds
    end: _JumpEnds


def _candidates_of(curve, recall, quantile):
    """The `_Candidates` for the deviance at recalls; both classes have samples."""
    n_pos, r = curve.n_pos, recall[:, None]
    # By Pinsker's inequality twice the term of the recall exceeds `quantile` at all true
    # positives outside of [low_t, high_t].
    reach = np.sqrt(quantile * n_pos) / 2
    low_t = np.maximum(recall * n_pos - reach, 0)[:, None]
    high_t = np.minimum(recall * n_pos + reach, n_pos)[:, None]
    jumps = _chosen_jumps(curve.jump_tps, low_t, high_t)
    spaced_t = low_t + (high_t - low_t) * _EVENLY_SPACED
    spaced_t[:, -1:] = high_t
    spaced_fps = curve.fps_at(spaced_t)
    t = np.concatenate((curve.jump_tps[jumps], spaced_t), axis=1)
    start, end = (
        _jump_ends(np.concatenate((fps[jumps], spaced_fps), axis=1), n_pos)
        for fps in (curve.jump_start, curve.jump_end)
    )
    recall_term = rel_entr(t, n_pos * r) + rel_entr(n_pos - t, n_pos * (1 - r))
    return _Candidates(n_pos, recall_term, start, end)


def _least_deviance(candidates, log_q):
    """The least deviance D over the candidates, at each recall and its log(q).

    q = r (1 - p) / p is the number of false positives per positive of the hypothesis. A
    result above the `quantile` that `_candidates_of` had is only an upper bound of D over
    the curve, because a part of the curve that was left out may have less. D is twice the
    sum of `recall_term` and of the term of the precision,

        (P + f) KL(f/(P + f), q/(1 + q))
            = (P + f) (log(1 + q) - log(1 + f/P)) - f (log q - log(f/P)).

    This term is 0 at f = P q and grows to both sides. So at a jump it is 0 if P q lies
    between both ends, otherwise it is that of the nearer end. In a tie of both classes the
    curve is straight.
    """
    n_pos, recall_term, start, end = candidates
    z = log_q[:, None]
    is_before, is_after = z < start.log_ratio, z > end.log_ratio
    # For each jump the fields of the nearer end are taken, which is the start if q lies
    # before the jump.
    f, log_ratio, log1p_ratio = map(partial(np.where, is_before), start, end)
    precision_term = (n_pos + f) * (np.logaddexp(0, z) - log1p_ratio) - f * (z - log_ratio)
    precision_term[~(is_before | is_after)] = 0.0
    return 2 * (recall_term + precision_term).min(axis=1)


def _chosen_jumps(jump_tps, low, high):
    """Indices of the jumps between two numbers of true positives, a selection if many.

    The last jump before and the first one after them are among them. Recalls with fewer
    jumps than others have some of them twice.

    Returns
    -------
    ndarray of int64, shape (n_recalls, n_chosen)
    """
    start = np.maximum(jump_tps.searchsorted(low) - 1, 0)
    stop = np.minimum(jump_tps.searchsorted(high, "right"), len(jump_tps) - 1)
    n_steps = min(int((stop - start).max()), _MAX_JUMPS - 1)
    step = (stop - start) / max(n_steps, 1)
    return np.rint(start + step * np.arange(n_steps + 1)).astype(np.int64)


def design_effect(sample, recall, tail=0.025):
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
    tail : float, default=0.025
        Probability beyond each limit.

    Returns
    -------
    ndarray of float64, shape (n_recalls,)
    """
    data, roc, weight = sample.data, sample.roc, sample.weight
    points = roc.concatenated()
    fps, tps = points.fps, points.tps
    at = recall * tps[-1]
    slope = _slope_in_window(sample, recall, tail)
    cuts = roc.thresholds(points.take(np.append(0, np.searchsorted(tps, at))))
    precision = at / (at + np.interp(at, tps, fps))
    effects = np.empty(len(recall))
    for i, (r, p, s, cut) in enumerate(zip(recall, precision, slope, cuts, strict=True)):
        above = data.score >= cut
        if_positive = (1 - p) * r + p * s * (above - r)
        influence = np.where(data.positive, if_positive, -p * above)
        effects[i] = effect_of_units(sample, weight, influence, tail)
    return effects


def _slope_in_window(sample, recall, tail):
    """The slope df/dt of the ROC curve at recalls, for a design effect.

    It is that of finite differences, with the bandwidth of Hall and Sheather (1988). Where
    the hull has the larger slope, the mean of the two is taken, so that a window with few
    false positives does not make the slope too small.

    The design effect is the ratio of two variances with this slope, so that most of its
    error cancels. In simulations coverage was 0.94 to 0.99. A standard error has no such
    ratio and needs the secant in probits (`slope_by_probits`).
    """
    points, hull = sample.roc.concatenated(), sample.roc.hull().concatenated()
    fps, tps = points.fps, points.tps
    at = recall * tps[-1]
    z, z2_per_positive = ndtri(recall), ndtri(tail) ** 2 * sample.weight.mean() / tps[-1]
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    width = (1.5 * density**2 / (2 * z**2 + 1) * z2_per_positive) ** (1 / 3)
    width = np.minimum(width, np.minimum(recall, 1 - recall)) * tps[-1]
    slope = np.interp(at + width, tps, fps) - np.interp(at - width, tps, fps)
    slope /= 2 * width
    segment = np.maximum(np.searchsorted(hull.tps, at), 1) - 1
    slope_of_hull = np.diff(hull.fps)[segment] / np.diff(hull.tps)[segment]
    return (np.maximum(slope_of_hull, slope) + slope) / 2


def effect_of_units(sample, weight, influence, tail):
    """The design effect from the influence of each sample, as in `design_effect`."""
    if not influence.any():  # there are no false positives above the cut
        influence = sample.data.positive.astype(np.float64)
    influence = influence / np.abs(influence).max()  # dividing avoids overflow of squares
    influence_of_units = np.bincount(sample.units, weights=weight * influence)
    effect = np.sum(influence_of_units**2) / np.sum(weight * influence**2)
    n_groups = sample.n_units_by_class[1]
    effect = max(effect * n_groups / max(n_groups - 1, 1), weight.mean())
    df = sample.min_effective_class_size - 1
    # The ratio is limited, because its square overflows if one unit has nearly all the
    # weight of a class.
    return effect * max(t_quantile(df, tail) / ndtri(tail), -1e20) ** 2


def recall_limits_at_fpr(roc, sizes, fpr, quantile):
    """Confidence limits of the recall at a false positive rate.

    Parameters
    ----------
    roc : ROCCurve
        The empirical curve.
    sizes : (int, int)
        Numbers of negatives and of positives, also if the curve has weights.
    fpr : float
        Inside (0, 1).
    quantile : float
        Quantile of the deviance. With weights or clusters, multiply it by
        `design_effect_at_fpr`.

    Returns
    -------
    low, high : float
        A point of the curve admits the recalls r with 2 P KL(t/P, r) <= `quantile` - 2 N
        KL(f/N, fpr); the limits are the extremes of these recalls over all points.
    """
    n_neg, n_pos = sizes
    x, y = _rates(roc)
    # By Pinsker's inequality the term of the negatives exceeds `quantile` outside of this
    # range.
    reach = np.sqrt(quantile / n_neg) / 2
    low, high = max(fpr - reach, 0.0), min(fpr + reach, 1.0)
    even = np.append(np.linspace(low, high, _N_EVEN_AT_FPR), fpr)
    near = slice(*np.searchsorted(x, [low, np.nextafter(high, 2)]))
    at_even = np.interp(even, x, y)
    x, y = np.append(x[near], even), np.append(y[near], at_even)
    rest = quantile - 2 * n_neg * _divergence(x, fpr)
    y, rest = y[rest >= 0], rest[rest >= 0] / (2 * n_pos)

    def is_admitted(recall):
        return _divergence(y, recall) <= rest

    low, high = (_farthest(is_admitted, y, bound) for bound in (0.0, 1.0))
    return low.min().item(), high.max().item()


def design_effect_at_fpr(sample, fpr, tail):
    """Divisor of the deviance of weighted or clustered samples.

    It is computed as in `design_effect`, but from the influence of each sample on the
    recall r at a false positive rate u. With the slope b of the ROC curve at u, this
    influence is (a - r) / P for positives and b (u - a) / N for negatives, where a is 1 if
    the sample is predicted positive, else 0. Weights are divided by the mean weight of
    their class, which does not change the ROC curve.
    """
    data, positive = sample.data, sample.data.positive
    n_pos, n_all = np.count_nonzero(positive), len(positive)
    n_neg = n_all - n_pos
    x, y = _rates(sample.roc)
    recall = recall_at_fpr(sample.roc, np.float64(fpr))
    end = np.searchsorted(x, fpr * (1 - 1e-15))
    points = sample.roc.concatenated()
    above = data.score >= sample.roc.thresholds(points.take(np.array([0, end])))[0]
    # The curve is converted to numbers of samples, in which its slope is b P / N. The tests
    # at an FPR (`rates._samples`) use the same slope.
    slope = slope_by_probits(
        fpr * n_neg, lambda fps: n_pos * np.interp(fps / n_neg, x, y), n_neg, n_pos
    )
    influence = np.where(positive, above - recall, slope * (fpr - above)) / n_pos
    weight = sample.weight.astype(np.float64)
    for in_class in (positive, ~positive):
        weight[in_class] /= weight[in_class].mean()
    return effect_of_units(sample, weight, influence, tail)


def _rates(roc):
    """False positive rates and recalls of the points of a ROC curve."""
    points = roc.concatenated()
    return points.fps / float(points.fps[-1]), points.tps / float(points.tps[-1])


def _divergence(p, q):
    """Kullback-Leibler divergence KL(p, q) between Bernoulli distributions."""
    return rel_entr(p, q) + rel_entr(1 - p, 1 - q)


def slope_by_probits(at, other_at, n, n_other):
    """The slope d other / d count of the ROC curve at a count of `n` samples of one class.

    It is that of a secant in probit coordinates, in which the curve of two normal
    distributions is straight. So the secant can reach far, 1.5 n^(-1/5) to both sides, with
    little bias. Other slopes are used at k (the hull), in a wide tie and in
    `_slope_in_window` (a window), for reasons that are given there.

    Parameters
    ----------
    at : float
        The count.
    other_at : callable
        ``other_at(counts)`` are the counts of the other class, of `n_other` samples, there.
    n, n_other : int
    """

    def probit(count, n):
        return ndtri((count + 0.5) / (n + 1))  # this stays half a sample away from 0 and 1

    z, reach = probit(at, n), _REACH * n**-0.2
    ends = ndtr(np.array([z - reach, z + reach])) * (n + 1) - 0.5
    low, high = np.clip(ends, 0, n)
    v_low, v, v_high = probit(other_at(np.array([low, at, high])), n_other)
    secant = (v_high - v_low) / (probit(high, n) - probit(low, n))
    # d other / d count = (dv / dz) density(v) n_other / (density(z) n)
    return secant * np.exp((z**2 - v**2) / 2) * n_other / n
