"""The upper convex hull of a ROC curve, computed from counts."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import isotonic_regression

# Up to this many points the monotone chain in Python costs less than vectorized passes.
_CHAIN_SIZE = 32
# int64 holds the difference of two products of counts if each is below this.
EXACT_PRODUCT = 2**62
# float64 holds every integer up to this one.
_EXACT_INTEGER = 2**53
# Rounding cannot confuse two slopes while n^2 * n_points is at most 1 / (16 eps).
_MAX_FOR_SLOPES = 2**48
# The running totals of fractional weights have rounding errors of about this size, relative
# to the totals.
COUNT_ROUNDING = 8 * np.finfo(np.float64).eps


class Counts(NamedTuple):
    """Counts of the points of a ROC curve, and whether they are exact integers."""

    fps: np.ndarray
    tps: np.ndarray
    exact: bool


def strict_upper_hull(fps, tps):
    """Indices of the vertices of the upper hull; collinear points are not vertices.

    Integer counts are compared exactly. With fractional weights a point is collinear if its
    distance from the line is within the rounding of the running totals.

    Parameters
    ----------
    fps, tps : ndarray of shape (n_points,)
        A part of a ROC curve in counts, non-decreasing, its points distinct.

    Returns
    -------
    ndarray of int64, shape (n_vertices,)
        Increasing; the first is 0 and the last is `n_points - 1`.

    Notes
    -----
    The slopes of the hull are the isotonic regression of the slopes of the ROC curve. Where
    rounding could confuse two slopes, a vectorized pass drops every point on or below the
    chord of its two neighbors (such a point is not a vertex, even if a neighbor is
    dropped), and is repeated. When few points are left, or few are dropped, Andrew's
    monotone chain finds the vertices.
    """
    fps, tps, exact = integers_if_possible(fps, tps)
    if exact and len(fps) > _CHAIN_SIZE:
        n_samples = int(fps[-1] - fps[0]) + int(tps[-1] - tps[0])
        if n_samples * n_samples * len(fps) <= _MAX_FOR_SLOPES:
            return _vertices_by_slope(fps, tps, n_samples)
    elif not exact:
        # Counts are scaled by a power of two to totals near 2**500, so that no weight
        # underflows and products of two totals do not overflow.
        fps, tps = (np.ldexp(c, 500 - np.frexp(c[-1])[1]) for c in (fps, tps))
    kept = _above_chords(fps, tps, exact)
    return kept[_monotone_chain(fps[kept].tolist(), tps[kept].tolist(), exact)]


def _vertices_by_slope(fps, tps, n_samples):
    """Indices of the vertices for integer counts, from an isotonic regression.

    Shares of up to n samples are equal or differ by at least 1 / n^2.
    """
    delta_f = fps[1:] - fps[:-1]
    steps = tps[1:] - tps[:-1]
    steps += delta_f
    # The hull is the least concave majorant of the ROC curve. Its slopes are the isotonic
    # regression of the slopes, weighted by the samples of each step (Barlow et al. 1972):
    # steps along a dent are pooled to their mean. The share of negatives is used in place
    # of the slope, because it is finite on vertical steps; it increases along the hull. For
    # example, equal steps with shares 0, 1/2, 0, 1 are fitted by 0, 1/4, 1/4, 1, so the
    # point in the dent is dropped.
    fit = isotonic_regression(delta_f / steps, weights=steps)
    # Rounding can make the means of collinear blocks differ, so blocks are joined unless
    # their shares differ by more than half of the least possible difference.
    shares = fit.x.take(fit.blocks[:-1])
    is_vertex = np.ones(len(fit.blocks), dtype=bool)
    np.greater(shares[1:] - shares[:-1], 0.5 / n_samples**2, out=is_vertex[1:-1])
    return fit.blocks[is_vertex]


def _above_chords(fps, tps, exact):
    """Indices of the points that repeated passes leave above the chords of neighbors."""
    kept = np.arange(len(fps))
    if exact and int(fps[-1] - fps[0]) * int(tps[-1] - tps[0]) >= EXACT_PRODUCT:
        return kept
    n_before = 2 * len(kept)
    while len(kept) > _CHAIN_SIZE and len(kept) < 0.9 * n_before:
        n_before = len(kept)
        f, t = fps[kept], tps[kept]
        is_above = np.ones(n_before, dtype=bool)
        # The comparison makes no allowance for rounding, because two vertices that are
        # close to each other would then drop each other.
        is_above[1:-1] = _turns_right(
            (f[:-2], t[:-2]), (f[1:-1], t[1:-1]), (f[2:], t[2:]), exact=True
        )
        kept = kept[is_above]
    return kept


def integers_if_possible(fps, tps):
    """The `Counts`, as integers where the weights allow it."""
    if fps.dtype.kind != "f":
        return Counts(fps, tps, True)
    if fps[-1] + tps[-1] >= _EXACT_INTEGER or (fps % 1).any() or (tps % 1).any():
        return Counts(fps, tps, False)
    return Counts(fps.astype(np.int64), tps.astype(np.int64), True)


def _turns_right(before, point, after, exact):
    """Whether the ROC curve turns right at `point`; points are pairs (fps, tps)."""
    (f0, t0), (f1, t1), (f2, t2) = before, point, after
    f01, t01, f12, t12 = f1 - f0, t1 - t0, f2 - f1, t2 - t1
    # The sign of the cross product of both steps: their slopes t01/f01 > t12/f12, without a
    # division, so that vertical steps need no case of their own and integers stay exact.
    if exact:
        return t01 * f12 > t12 * f01
    # A difference has the rounding error of the larger total; a difference of equal true
    # positives is exactly 0.
    slack = t01 * f2 + f12 * t1 + t12 * f1 + f01 * t2 * (t12 > 0)
    return t01 * f12 - t12 * f01 > COUNT_ROUNDING * slack


def _monotone_chain(fps, tps, exact):
    """Indices of the vertices by the monotone chain algorithm (Andrew 1979)."""
    hull: list[tuple[int, tuple]] = []
    for i, point in enumerate(zip(fps, tps, strict=True)):
        while len(hull) > 1 and not _turns_right(hull[-2][1], hull[-1][1], point, exact):
            hull.pop()
        hull.append((i, point))
    return [i for i, _ in hull]
