"""Minimum precision, minimum area and lowest average precision (Boyd et al. 2012)."""

import numpy as np

from .._input.arrays import rescale
from .._input.options import LOWEST_PREVALENCE
from .._input.undefined import require_classes
from .._roc.curve import Segments
from .._roc.integrals import area_above_worst, area_below, integral_over_n

# This many terms of the sum for the lowest average precision are added one by one. The
# remainder of the Euler-Maclaurin formula after 64 terms is already below 1e-16 of the sum.
_N_TERMS = 512


def lowest_precision(recall, prevalence):
    """Minimum precision at a recall (Theorem 1 of Boyd et al. 2012)."""
    return prevalence * recall / (1 - prevalence + prevalence * recall)


def lowest_area(prevalence, low=0.0, high=1.0):
    """Minimum area over a range of recalls (Theorem 2), of an array of prevalences."""
    shape, pi = np.shape(prevalence), np.ravel(prevalence)
    # Below this prevalence the minimum area is proportional to the prevalence.
    used = np.maximum(pi, LOWEST_PREVALENCE)
    # Each prevalence has one segment, which starts after all negatives. Counts are divided
    # by the number of positives.
    n0 = (1 - used) / used + low
    start, stop = np.full(pi.shape, low), np.full(pi.shape, high)
    area = integral_over_n(n0, stop - start, start, stop - start, np.ones_like(n0))
    area *= pi / used
    return area.reshape(shape)


def lowest_average_precision(n_pos, n_neg):
    """Lowest average precision of checked totals; raises without positives."""
    require_classes(n_pos, n_neg, negatives=False)
    # Both totals can be limited: with many negatives the result is proportional to 1 /
    # n_neg, and with many positives it depends only on the ratio.
    near = min(n_neg, max(n_pos, 1.0) * 2.0**200)
    pos, neg = rescale(np.array([n_pos, near]), n_pos)
    lowest = average_precision_bounds(np.array([pos]), neg)[0]
    return lowest * (near / n_neg) if n_neg else lowest


def average_precision_bounds(weights, n_neg):
    """Lowest average precision of positives with these weights, and its complement.

    A weight of k + r, k an integer and r < 1, counts as k positives of weight 1 and one of
    weight r, so that a weight of k is the same as k copies. Lighter positives rank first,
    where they add least to the average precision.

    Returns
    -------
    lowest, complement : float
        The lowest average precision and 1 minus it, each a sum of positive terms without
        cancellation.
    """
    n_pos = weights.sum()
    rests = weights % 1
    n_whole = round((weights - rests).sum())
    below = above = below_rests = above_rests = start = 0.0
    # The worst ranking has all negatives first, then the remainders by rising weight, then
    # the positives of weight 1. Each positive has the precision i / (i + N), where i is the
    # weight of the positives down to it.
    if np.count_nonzero(rests):
        rests.sort()
        totals = np.cumsum(rests)
        predicted = np.where(totals > 0, totals + n_neg, 1)
        shares = rests / n_pos  # dividing first keeps the products from underflow
        below_rests = np.dot(shares, totals / predicted)
        above_rests = np.dot(shares, n_neg / predicted)
        start = totals[-1]

    # The sum of Theorem 3 of Boyd et al. (2012): its first terms are added, and the
    # Euler-Maclaurin formula gives the others.
    stop = start + n_whole
    first = np.arange(1.0, min(_N_TERMS, n_whole) + 1)
    first += start
    predicted = first + n_neg
    below += np.add.reduce(first / predicted)
    above += np.add.reduce(n_neg / predicted)
    start += _N_TERMS
    if stop > start:
        positives_last = Segments(*np.array([[n_neg], [start], [0.0], [stop - start]]))
        correction = _euler_maclaurin(stop, n_neg) - _euler_maclaurin(start, n_neg)
        below += area_below(positives_last) + correction
        above += area_above_worst(n_neg, start, stop - start) - correction
    return float(below_rests + below / n_pos), float(above_rests + above / n_pos)


def _euler_maclaurin(i, n_neg):
    """The terms of Euler-Maclaurin's formula for i/(i + N) at one end of the integral."""
    m = i + n_neg
    derivative = n_neg / m**2
    return i / m / 2 + derivative * (1 / 12 - (1 / 120 - 1 / 252 / m**2) / m**2)
