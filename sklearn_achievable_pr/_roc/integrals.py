"""Integrals over the segments of a ROC curve, in precision-recall space.

On a segment t = t0 + s (n - n0), where n = t + f, s = T / (T + F), and T and F are the
increments of true and false positives. The area under the segment, over true positives, is

    integral of t/n dt = s integral of t/n dn,

and the area between the segment and precision 1 is the same integral of f/n.
"""

import math
from itertools import starmap

import numpy as np

# Up to this r = step / (n0 + n1), four terms of a series in r are used, with an error below
# 2^-54. Above this r, the closed form loses less than two digits to cancellation.
_SERIES_LIMIT = 1 / 65
_TINY = 5e-324
# Coefficients of r^(2 k) in the series of 2 artanh(r) / r.
_ARTANH = [2.0 / (2 * k + 1) for k in range(8)]
# Up to this many segments, arithmetic on Python floats costs less than calls of NumPy.
_FEW_SEGMENTS = 32


def area_below(segments, scale=1.0):
    """Sum over the segments of the integrals of t/n dt, times `scale`, a power of two.

    Where the positives have a very small weight, a larger scale avoids underflow.
    """
    t0, delta_t = segments.t0, segments.delta_t
    if scale != 1:
        t0, delta_t = t0 * scale, delta_t * scale
    return _integral_dt(segments, t0, delta_t)


def area_above(segments):
    """Sum over the segments of the integrals of f/n dt, computed without `area_below`.

    The integrals of t/n and f/n add up to the increments of true positives, but the smaller
    integral cannot be computed from the larger without cancellation.
    """
    return _integral_dt(segments, segments.f0, segments.delta_f)


def _integral_dt(segments, a0, delta_a):
    """Sum over the segments of the integrals of a/n dt, a linear along each segment."""
    f0, t0, delta_f, delta_t = segments
    if len(f0) <= _FEW_SEGMENTS:
        lists = (column.tolist() for column in (f0, t0, delta_f, delta_t, a0, delta_a))
        return math.fsum(starmap(_integral_of_one, zip(*lists, strict=True)))
    step = delta_f + delta_t
    share = delta_t / step  # dt/dn
    slope = share if delta_a is delta_t else delta_a / step
    values = integral_over_n(f0 + t0, step, a0, delta_a, slope)
    values *= share
    # A pairwise sum has less rounding than a dot product.
    return float(np.add.reduce(values))


def _integral_of_one(f0, t0, delta_f, delta_t, a0, delta_a):
    """The integral on one segment, computed with Python floats."""
    n0, step = f0 + t0, delta_f + delta_t
    slope, r = delta_a / step, step / (n0 + n0 + step)
    if r > _SERIES_LIMIT:
        value = _by_logarithm(math.log1p, max, n0, step, a0, slope)
    else:
        value = _by_series(n0, a0, delta_a, slope, r)
    return delta_t / step * value


def area_above_worst(n_neg, t0, delta_t):
    """Integral of 1 - precision of the worst ranking, which has all negatives first."""
    return n_neg * math.log1p(delta_t / (n_neg + t0))


def integral_over_n(n0, step, a0, delta_a, slope):
    """Integral of a/n dn, n from n0 to n1 = n0 + step, a linear from a0 to a0 + delta_a.

    With s = delta_a / step, the `slope`, and L = log(n1 / n0) the integral is

        a0 L + s (step - n0 L),

    whose last difference cancels where the step is small. There, with
    r = step / (n0 + n1), L = 2 artanh(r) = 2 r + c r, c = 2 r^2 (1/3 + r^2/5 + ...),
    and the integral is

        r [2 a0 + delta_a + c (a0 - s n0)],

    whose last term is small against the others. At n0 = 0, where a0 is 0 too, it is
    delta_a.
    """
    r = step / (n0 + n0 + step)
    far = (r > _SERIES_LIMIT).nonzero()[0]
    if len(far):
        r[far] = _SERIES_LIMIT  # this placeholder is replaced below
    value = _by_series(n0, a0, delta_a, slope, r)
    if len(far):
        given = (column.take(far) for column in (n0, step, a0, slope))
        value[far] = _by_logarithm(np.log1p, np.maximum, *given)
    return value


def _by_logarithm(log1p, maximum, n0, step, a0, slope):
    """The integral in closed form, for arrays or for Python floats."""
    # At n0 = 0 the logarithm is multiplied by 0 and has only to be finite.
    log = log1p(step / maximum(n0, step * 1e-300 + _TINY))
    return a0 * log + slope * (step - n0 * log)


def _by_series(n0, a0, delta_a, slope, r):
    """The integral by the series in r^2."""
    c = artanh_series(r * r, 4)
    c *= a0 - slope * n0
    c += a0
    c += a0
    c += delta_a
    c *= r
    return c


def artanh_series(square, n_terms):
    """The first terms of 2 (artanh(r) / r - 1) = 2 r^2 (1/3 + r^2/5 + ...), from r^2."""
    c = square * _ARTANH[n_terms]
    for coefficient in _ARTANH[n_terms - 1 : 0 : -1]:
        c += coefficient
        c *= square
    return c
