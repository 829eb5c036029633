"""Formulas on the straight segments of a ROC ROC curve, seen in precision-recall space.

On a segment t = t0 + s (n - n0) with n = t + f and s = T / (T + F), where T and F are the
true and false positives that it gains. The area under it, over the counts of true
positives, is

    integral of t/n dt = s integral of t/n dn,

and the area between it and precision 1 the same integral with f for t.
"""

from __future__ import annotations

import math

import numpy as np

# Segments of at most this r = step / (rows before and after) take a series in r: they are
# up to 1/32 longer. Above, the closed form loses less than two digits to cancellation.
_SERIES_LIMIT = 1 / 65
_TINY = 5e-324
# On a segment whose denominators no more than double, so many nodes are exact to 1e-18.
_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(12)


def area_below(segments):
    """Sum over the segments of the integrals of t/n dt."""
    n0, step, share = _along(segments)
    return _sum_of_products(
        share, integral_over_n(n0, step, segments.t0, segments.delta_t, share)
    )


def area_above(segments):
    """Sum over the segments of the integrals of f/n dt.

    With `area_below` it makes the true positives gained, but the smaller of the two is not
    to be had from the larger.
    """
    n0, step, share = _along(segments)
    return _sum_of_products(
        share,
        integral_over_n(n0, step, segments.f0, segments.delta_f, segments.delta_f / step),
    )


def _sum_of_products(share, values):
    """Changes the values. A pairwise sum errs less than a dot product, at no cost here."""
    values *= share
    return float(np.add.reduce(values))


def area_above_worst(n_neg, t0, delta_t):
    """What `area_above` is for the worst ranking, all negatives first."""
    return n_neg * math.log1p(delta_t / (n_neg + t0))


def _along(segments):
    step = segments.delta_f + segments.delta_t
    return segments.f0 + segments.t0, step, segments.delta_t / step


def integral_over_n(n0, step, a0, gain, share):
    """Integral of a/n dn, n from n0 to n1 = n0 + step, a linear from a0 to a0 + gain.

    With s = gain / step, the `share`, and L = log(n1 / n0) the integral is

        a0 L + s (step - n0 L),

    whose last difference cancels where the step is small. There, with
    r = step / (n0 + n1), L = 2 artanh(r) = 2 r + c r, c = 2 r^2 (1/3 + r^2/5 + ...),
    and the integral is

        r [2 a0 + gain + c (a0 - s n0)],

    whose last term is small against the others. At n0 = 0, where a0 is 0 too, it is the
    gain.
    """
    r = step / (n0 + n0 + step)
    largest = np.maximum.reduce(r, initial=0.0)
    far = None
    if largest > _SERIES_LIMIT:
        far = (r > _SERIES_LIMIT).nonzero()[0]
        r[far] = largest = _SERIES_LIMIT  # a stand-in, replaced below
    value = share * n0
    np.subtract(a0, value, out=value)
    value *= _twice_artanh_less_twice_r(r * r, float(largest) ** 2)
    value += a0
    value += a0
    value += gain
    value *= r
    if far is not None:
        n0, step = n0[far], step[far]
        # At n0 = 0 the logarithm is multiplied by 0 and has only to be finite.
        log = np.log1p(step / np.maximum(n0, step * 1e-300 + _TINY))
        value[far] = a0[far] * log + share[far] * (step - n0 * log)
    return value


def _twice_artanh_less_twice_r(square, largest):
    """(2 artanh(r) - 2 r) / r = 2 r^2 (1/3 + r^2/5 + r^4/7 + ...)."""
    n_terms = _n_terms(largest)
    c = square * (2.0 / (2 * n_terms + 1))
    for k in range(n_terms - 1, 0, -1):
        c += 2.0 / (2 * k + 1)
        c *= square
    return c


def _n_terms(square):
    """Terms of the series until the first one left out is below 2^-54."""
    return 2 if square < 1e-12 else max(2, math.ceil(-37.5 / math.log(square)))


def area_above_floor(segments, mirrored, n_neg, negative_weight):
    """Sum over the segments of the integrals of t/n - t/(t + N) dt.

    The difference is t (N - f) / (n (t + N)): where the curve hardly leaves the floor the
    two areas would cancel, these terms are all positive. By Gauss's rule on parts on
    which n and t + N no more than double.

    Parameters
    ----------
    segments : Segments
        Negatives not weighted.
    mirrored : Segments
        The same with N - f for f, which would cancel here.
    n_neg, negative_weight : float
    """
    weight = negative_weight
    n0 = segments.t0 + weight * segments.f0
    from_start = n0 == 0  # where t/n is constant along the segment
    step = np.where(from_start, 0, weight * segments.delta_f) + segments.delta_t
    growth = step / np.where(from_start, weight * n_neg, n0)
    log_growth = np.log1p(growth)
    n_parts = np.ceil(log_growth / np.log(2)).astype(np.int64)
    segment = np.repeat(np.arange(len(n0)), n_parts)
    nth = np.arange(len(segment)) - (np.cumsum(n_parts) - n_parts)[segment]
    start, stop = (
        np.expm1(log_growth[segment] * (k / n_parts[segment])) / growth[segment]
        for k in (nth, nth + 1)
    )
    along = start[:, np.newaxis] + (stop - start)[:, np.newaxis] * ((_NODES + 1) / 2)
    t, f, left = (
        first[segment, np.newaxis] + along * gain[segment, np.newaxis]
        for first, gain in (
            (segments.t0, segments.delta_t),
            (segments.f0, segments.delta_f),
            (mirrored.f0, mirrored.delta_f),
        )
    )
    above = t * (weight * left) / ((t + weight * f) * (t + weight * n_neg))
    width = (stop - start) * segments.delta_t[segment]
    return float(np.dot(width, above @ _NODE_WEIGHTS) / 2)
