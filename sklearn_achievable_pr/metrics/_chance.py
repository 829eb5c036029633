"""Chance level: the mean of a metric if scores are as they are and labels are random.

Every choice of P of the n samples as positives is equally likely. A tie of m samples has
T positives and F negatives; the n0 samples above it have t0 positives and f0 negatives.
Their products have the means

    E[T t0] = m n0 P (P - 1) / (n (n - 1)),   E[T f0] = m n0 P N / (n (n - 1)),
    E[T T] = m (m - 1) P (P - 1) / (n (n - 1)) + m P / n,
    E[T F] = m (m - 1) P N / (n (n - 1)).

The area and the average precision are linear in these products, and so are the area and the
average above them, 1 minus the metric, in the products with false positives. Each mean is a
sum of positive terms without cancellation. Lopes and Bontempi (2014) derive the mean of the
area without ties, for several interpolations.
"""

import math

import numpy as np
from scipy.special import digamma

from .._roc.integrals import area_above_worst, integral_over_n
from ._unachievable import average_precision_bounds, lowest_area

# From this n on, four terms of Stirling's series give full precision.
_STIRLING = 32


def mean_area(n_pos, n_neg, sizes, above=False):
    """Mean of the area under the curve.

    Parameters
    ----------
    n_pos, n_neg : int
    sizes : ndarray of integers, or None
        Numbers of samples with each distinct score, by falling score; None without ties.
    above : bool, default=False
        Whether the mean is that of the area above the curve, 1 minus the area.

    Returns
    -------
    float
    """
    n = n_pos + n_neg
    if sizes is None:
        # The area above is N/(n - 1) (log n - log(n!)/n), log n! = n log n - n + rest.
        rest = _rest_of_stirling(n) / n
        weighted = n_neg * (1 - rest) if above else n_pos - 1 + n_neg * rest
        return weighted / (n - 1)
    m, n0, start, rise = _products(n_pos, n_neg, sizes, above)
    # Along a tie, t = t0 + u T and f = f0 + u F, with u from 0 to 1.
    return float(np.add.reduce(integral_over_n(n0, m, start, rise, rise / m) / m))


def mean_average_precision(n_pos, n_neg, sizes, above=False):
    """Mean of the average precision; parameters as those of `mean_area`."""
    n = n_pos + n_neg
    if sizes is None:
        of_rank = (digamma(n + 1) - digamma(1)) / n  # this is the mean of 1 / rank
        others = (1 - of_rank) / (n - 1)
        return float(others * n_neg if above else of_rank + others * (n_pos - 1))
    m, n0, start, rise = _products(n_pos, n_neg, sizes, above)
    return float(np.add.reduce((start + rise) / (n0 + m)))


def mean_normalized_area(n_pos, n_neg, sizes):
    """Mean of the normalized area; parameters as those of `mean_area`."""
    lowest = float(lowest_area(n_pos / (n_pos + n_neg)))
    span = area_above_worst(n_neg, 0.0, n_pos) / n_pos
    return _normalized(mean_area, (n_pos, n_neg, sizes), lowest, span)


def mean_normalized_average_precision(n_pos, n_neg, sizes):
    """Mean of the normalized average precision; parameters as those of `mean_area`."""
    bounds = average_precision_bounds(np.array([float(n_pos)]), n_neg)
    return _normalized(mean_average_precision, (n_pos, n_neg, sizes), *bounds)


def _normalized(mean_of, data, lowest, span):
    """The mean of a metric, normalized by its minimum and `span`, 1 minus the minimum."""
    mean = mean_of(*data)
    # Each of the two differences may cancel, but never both for the same mean.
    return (mean - lowest) / span if mean < 0.5 else 1 - mean_of(*data, above=True) / span


def _products(n_pos, n_neg, sizes, above):
    """Sizes m of the ties, n0, and the means of T t0 and T T, divided by P.

    With `above` T t0 and T T are replaced by T f0 and T F.
    """
    m, n = sizes.astype(np.float64), float(n_pos + n_neg)
    n0 = np.add.accumulate(m) - m
    pairs = m * ((n_neg if above else n_pos - 1) / (n * (n - 1)))
    rise = pairs * (m - 1)
    return m, n0, pairs * n0, rise if above else rise + m / n


def _rest_of_stirling(n):
    """log(n!) - n log(n) + n."""
    if n < _STIRLING:
        return math.lgamma(n + 1) - n * math.log(n) + n
    series = (1 / 12 - (1 / 360 - 1 / 1260 / n**2) / n**2) / n
    return math.log(2 * math.pi * n) / 2 + series
