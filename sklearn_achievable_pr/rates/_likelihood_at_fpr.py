"""Empirical likelihood of a point of the ROC curve: the recall at a false positive rate.

"At some threshold the false positive rate is f and the recall is R" is a hypothesis about
two independent proportions. At a point of the ROC curve with the false positive rate x and
the recall y, of N negatives and P positives, it has the deviance

    D(f, R) = 2 N KL(x, f) + 2 P KL(y, R).

As in `_likelihood`, the minimum over all points (x, y) of the curve, interpolated linearly,
has a chi-squared distribution with one degree of freedom in the limit. So a point admits
the recalls with 2 P KL(y, R) <= quantile - 2 N KL(x, f), and the limits are the extremes of
these recalls over all points.
"""

import numpy as np
from scipy.special import ndtr, ndtri, rel_entr

from ..metrics._operating_points import recall_at_fpr
from ._likelihood import effect_of_units

# Number of points of the curve, evenly spaced in false positives, besides its own points.
_N_EVEN = 257
_N_BISECTIONS = 50
# Reach of the secant that is the slope of the curve, in probits, times n^(1/5).
_REACH = 1.5


def recall_limits_at_fpr(roc, sizes, fpr, quantile):
    """Confidence limits of the recall at a false positive rate.

    Parameters
    ----------
    roc : ROCCurve
        The empirical curve.
    sizes : (int, int)
        Numbers of negatives and of positives. Weights scale the curve, not these.
    fpr : float
        Inside (0, 1).
    quantile : float
        Quantile of the deviance. With weights or clusters, multiply it by
        `design_effect_at_fpr`.

    Returns
    -------
    low, high : float
    """
    n_neg, n_pos = sizes
    x, y = _rates(roc)
    # By Pinsker's inequality the term of the negatives exceeds `quantile` elsewhere.
    reach = np.sqrt(quantile / n_neg) / 2
    low, high = max(fpr - reach, 0.0), min(fpr + reach, 1.0)
    even = np.append(np.linspace(low, high, _N_EVEN), fpr)
    near = slice(*np.searchsorted(x, [low, np.nextafter(high, 2)]))
    at_even = np.interp(even, x, y)
    x, y = np.append(x[near], even), np.append(y[near], at_even)
    rest = quantile - 2 * n_neg * _divergence(x, fpr)
    y, rest = y[rest >= 0], rest[rest >= 0] / (2 * n_pos)
    return _farthest(y, rest, 0.0).min().item(), _farthest(y, rest, 1.0).max().item()


def design_effect_at_fpr(sample, fpr, tail):
    """Divisor of the deviance of weighted or clustered samples.

    As `design_effect` of the precision at a recall, from the influence of each sample on
    the recall R at a false positive rate f. With the slope b of the ROC curve there it is
    (a - R) / P for positives and b (f - a) / N for negatives, where a is 1 if the sample is
    predicted positive, else 0. Weights are divided by the mean weight of their class, which
    does not change the ROC curve.
    """
    data, positive = sample.data, sample.data.positive
    n_pos, n_all = np.count_nonzero(positive), len(positive)
    n_neg = n_all - n_pos
    x, y = _rates(sample.roc)
    recall = recall_at_fpr(sample.roc, np.float64(fpr))
    end = np.searchsorted(x, fpr * (1 - 1e-15))
    points = sample.roc.concatenated()
    above = data.score >= sample.roc.thresholds(points.take(np.array([0, end])))[0]
    # Weights scale the curve, not the numbers of samples. In counts the slope is b P / N.
    slope = slope_by_probits(
        fpr * n_neg, lambda fps: n_pos * np.interp(fps / n_neg, x, y), n_neg, n_pos
    )
    influence = np.where(positive, above - recall, slope * (fpr - above)) / n_pos
    weight = sample.weight.astype(np.float64)
    for of_class in (positive, ~positive):
        weight[of_class] /= weight[of_class].mean()
    return effect_of_units(sample, weight, influence, tail)


def _rates(roc):
    """False positive rates and recalls of the points of a ROC curve."""
    points = roc.concatenated()
    return points.fps / float(points.fps[-1]), points.tps / float(points.tps[-1])


def _divergence(p, q):
    """Kullback-Leibler divergence KL(p, q) between Bernoulli distributions."""
    return rel_entr(p, q) + rel_entr(1 - p, 1 - q)


def _farthest(share, most, bound):
    """The proportions p between `share` and `bound` with the largest KL(share, p) <= most.

    KL(share, p) grows from 0 at `share`, so bisection finds them.
    """
    inside, outside = share, np.full(share.shape, bound)
    for _ in range(_N_BISECTIONS):
        middle = (inside + outside) / 2
        within = _divergence(share, middle) <= most
        inside = np.where(within, middle, inside)
        outside = np.where(within, outside, middle)
    return inside


def slope_by_probits(at, other_at, n, n_other):
    """The slope d other / d count of the ROC curve at a count of `n` samples of one class.

    It is that of a secant in probit coordinates, in which the curve of two normal
    distributions is straight. So the secant can reach far: 1.5 n^(-1/5) to both sides.

    Parameters
    ----------
    at : float
        The count.
    other_at : callable
        ``other_at(counts)`` are the counts of the other class, of `n_other` samples, there.
    n, n_other : int
    """

    def probit(count, n):
        return ndtri((count + 0.5) / (n + 1))  # half a sample away from 0 and 1

    z, reach = probit(at, n), _REACH * n**-0.2
    ends = ndtr(np.array([z - reach, z + reach])) * (n + 1) - 0.5
    low, high = np.clip(ends, 0, n)
    v_low, v, v_high = probit(other_at(np.array([low, at, high])), n_other)
    secant = (v_high - v_low) / (probit(high, n) - probit(low, n))
    # d other / d count = (dv / dz) density(v) n_other / (density(z) n)
    return secant * np.exp((z**2 - v**2) / 2) * n_other / n
