"""The upper convex hull of a ROC ROC curve, decided on counts."""

from __future__ import annotations

import numpy as np
from scipy.optimize import isotonic_regression

# Up to this many points a walk in Python costs less than vectorised passes.
_WALK_SIZE = 96
# int64 holds the difference of two products of counts if each is below this.
_EXACT_PRODUCT = 2**62
# float64 holds every whole number up to this one.
_EXACT_WHOLE = 2**53
# Means of slopes are told apart while rows^2 * points is at most this, 1 / (16 eps).
_MANY_SLOPES = 2**48
# How far from a line, relative to the running totals, fractional weights may be off it
# by rounding alone.
COUNT_ROUNDING = 8 * np.finfo(np.float64).eps


def strict_upper_hull(fps, tps):
    """Indices of the vertices of the upper hull; no collinear point is one.

    Whole counts are compared exactly. With fractional weights a point is collinear
    where its distance from the line is within the rounding of the running totals.

    Parameters
    ----------
    fps, tps : ndarray of shape (n_points,)
        A part of a ROC ROC curve in counts, non-decreasing, its points distinct.

    Returns
    -------
    ndarray of int64, shape (n_vertices,)
        Rising; the first is 0 and the last is `n_points - 1`.

    Notes
    -----
    The slopes of the hull are the isotonic regression of those of the ROC curve. Where
    means in floating point might mistake one slope for another, the hull is found without
    any: a point on or below the chord of its two neighbours is no vertex, whatever becomes
    of the neighbours, so each pass drops all such points at once. When few are left, or few
    go, a monotone chain ends the work.
    """
    fps, tps, exact = whole_if_possible(fps, tps)
    if not exact:
        fps, tps = _scaled(fps), _scaled(tps)
    elif len(fps) > _WALK_SIZE and _slopes_differ(fps, tps):
        return _vertices_by_slope(fps, tps)
    kept = _outside(fps, tps, exact)
    return kept[_chain(fps[kept].tolist(), tps[kept].tolist(), exact)]


def _slopes_differ(fps, tps):
    """Whether the slopes of whole steps are told apart after any pooling.

    Of n rows they differ by 1 / n^2 at least, and a mean of means is off by a few eps a
    segment at most.
    """
    n_rows = _n_rows(fps, tps)
    return n_rows * n_rows * len(fps) <= _MANY_SLOPES


def _n_rows(fps, tps):
    return int(fps[-1] - fps[0]) + int(tps[-1] - tps[0])


def _vertices_by_slope(fps, tps):
    gain = tps[1:] - tps[:-1]
    steps = fps[1:] - fps[:-1] + gain
    slopes = isotonic_regression(gain / steps, weights=steps, increasing=False).x
    change = np.abs(slopes[1:] - slopes[:-1]) > 0.5 / _n_rows(fps, tps) ** 2
    return np.concatenate(([0], change.nonzero()[0] + 1, [len(slopes)]))


def _outside(fps, tps, exact):
    """Indices of points that no pass has found on or below a chord."""
    kept = np.arange(len(fps))
    if exact and int(fps[-1] - fps[0]) * int(tps[-1] - tps[0]) >= _EXACT_PRODUCT:
        return kept
    if not exact:
        # Weights without a trace in the totals repeat a point, and a repeated vertex
        # would be on the chord between its neighbour and itself.
        differs = (fps[1:] > fps[:-1]) | (tps[1:] > tps[:-1])
        kept = kept[np.concatenate((differs, [True]))]
    n_before = 2 * len(kept)
    while len(kept) > _WALK_SIZE and len(kept) < 0.9 * n_before:
        n_before = len(kept)
        f, t = fps[kept], tps[kept]
        outside = np.ones(n_before, dtype=bool)
        outside[1:-1] = _turns_right(
            (f[:-2], t[:-2]), (f[1:-1], t[1:-1]), (f[2:], t[2:]), exact
        )
        kept = kept[outside]
    return kept


def whole_if_possible(fps, tps):
    """Counts as whole numbers where weights allow it, and whether they are exact."""
    if fps.dtype.kind != "f":
        return fps, tps, True
    whole = fps[-1] + tps[-1] < _EXACT_WHOLE and not (
        np.count_nonzero(fps % 1) or np.count_nonzero(tps % 1)
    )
    return (
        (fps.astype(np.int64), tps.astype(np.int64), True) if whole else (fps, tps, False)
    )


def _scaled(counts):
    """Counts of the size of 1, by a power of two: their products can be formed."""
    return np.ldexp(counts, -np.frexp(counts[-1])[1])


def _turns_right(before, point, after, exact):
    """Whether the ROC curve turns right at a point, each (false, true) positives."""
    (f0, t0), (f1, t1), (f2, t2) = before, point, after
    f01, t01, f12, t12 = f1 - f0, t1 - t0, f2 - f1, t2 - t1
    if exact:
        return t01 * f12 > t12 * f01
    # A difference is off by the rounding of the larger total, but nothing gained is exact.
    slack = t01 * f2 * (f12 > 0) + f12 * t1 * (t01 > 0)
    slack += t12 * f1 * (f01 > 0) + f01 * t2 * (t12 > 0)
    return t01 * f12 - t12 * f01 > COUNT_ROUNDING * slack


def _chain(fps, tps, exact):
    """Indices of the hull's vertices, one point after the other (Andrew 1979)."""
    hull = []
    for i, point in enumerate(zip(fps, tps, strict=True)):
        while len(hull) > 1 and not _turns_right(hull[-2][1], hull[-1][1], point, exact):
            hull.pop()
        hull.append((i, point))
    return [i for i, _ in hull]
