"""The upper convex hull of a ROC path, decided on counts."""

import numpy as np
from scipy.optimize import isotonic_regression

# Up to this many points a walk in Python costs less than vectorised passes.
_WALK_SIZE = 96
# int64 holds the difference of two products of counts if each is below this.
_EXACT_PRODUCT = 2**62
# float64 holds every whole number up to this one.
_EXACT_WHOLE = 2**53
# Means of slopes are told apart while rows^2 * points is below this, 1 / (16 eps).
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
        A ROC path in counts from (0, 0), non-decreasing, its points distinct.

    Returns
    -------
    ndarray of int64, shape (n_vertices,)
        Rising; the first is 0 and the last is `n_points - 1`.

    Notes
    -----
    The slopes of the hull are the isotonic regression of those of the path. Where means
    in floating point might mistake one slope for another, the hull is found without any: a
    point on or below the chord of its two neighbours is no vertex, whatever becomes of
    the neighbours, so each pass drops all such points at once. When few are left, or few
    go, a monotone chain ends the work.
    """
    fps, tps, exact = _comparable(fps, tps)
    if len(fps) > _WALK_SIZE and exact and _slopes_differ(fps, tps):
        return _vertices_by_slope(fps, tps)
    kept = _outside(fps, tps, exact)
    return kept[_chain(fps[kept].tolist(), tps[kept].tolist(), exact)]


def hull_slopes(gain):
    """Slopes of the hull of a path with a point after every row of weight 1.

    Parameters
    ----------
    gain : ndarray of float64, shape (n_rows,)
        Those of the path: by falling score, 1 for a positive and 0 for a negative.

    Returns
    -------
    ndarray of float64, shape (n_rows,)
        How many positives each row is on the hull, falling.
    """
    return isotonic_regression(gain, increasing=False).x


def hull_row_by_row(gain, tps):
    """The hull with a point after every row, from such a path.

    Parameters
    ----------
    gain : ndarray of float64, shape (n_rows,)
        As `hull_slopes` takes it.
    tps : ndarray of float64, shape (n_rows,)
        True positives after each row.

    Returns
    -------
    gain, tps : ndarray of float64, shape (n_rows,)
    """
    slopes = hull_slopes(gain)
    # The hull comes back to the path: sums of the distance stay small, and so their error.
    return slopes, tps + np.add.accumulate(slopes - gain)


def where_slopes_change(slopes, n_rows):
    """The ends of pieces whose slopes are the same but for rounding.

    Parameters
    ----------
    slopes : ndarray of float64, shape (n_pieces,)
        Of whole counts.
    n_rows : int
        All pieces together, at most 2**16: then two slopes differ by more than rounding.

    Returns
    -------
    ndarray of int64, shape (n_points,)
        From 0 to `n_pieces`.
    """
    change = np.abs(slopes[1:] - slopes[:-1]) > 0.5 / n_rows**2
    return np.concatenate(([0], change.nonzero()[0] + 1, [len(slopes)]))


def likely_vertices(fps, tps):
    """Indices of points among which the vertices are, without those soon ruled out."""
    fps, tps, exact = _comparable(fps, tps)
    if exact and _slopes_differ(fps, tps):
        return _vertices_by_slope(fps, tps)
    return _outside(fps, tps, exact)


def _comparable(fps, tps):
    """Counts of which products can be formed, and whether they are exact."""
    fps, tps, exact = whole_if_possible(fps, tps)
    return (fps, tps, True) if exact else (_scaled(fps), _scaled(tps), False)


def _outside(fps, tps, exact):
    kept = np.arange(len(fps))
    if exact:
        largest_product = int(fps[-1]) * int(tps[-1])
        if largest_product >= _EXACT_PRODUCT:
            return kept
        if largest_product < _EXACT_WHOLE:
            # Whole numbers that float64 holds too, and multiplies faster.
            fps, tps = fps.astype(np.float64), tps.astype(np.float64)
    if not exact:
        # Weights without a trace in the totals repeat a point, and a repeated vertex
        # would be on the chord between its neighbour and itself.
        differs = (fps[1:] > fps[:-1]) | (tps[1:] > tps[:-1])
        kept = kept[np.concatenate((differs, [True]))]
        fps, tps = fps[kept], tps[kept]
    n_before = 2 * len(kept)
    while len(kept) > _WALK_SIZE and len(kept) < 0.9 * n_before:
        n_before = len(kept)
        gain_f, gain_t = fps[1:] - fps[:-1], tps[1:] - tps[:-1]
        outside = np.ones(len(kept), dtype=bool)
        outside[1:-1] = _turns_right(
            gain_f[:-1], gain_t[:-1], gain_f[1:], gain_t[1:], fps[2:], tps[2:], exact
        )
        outside = outside.nonzero()[0]
        kept, fps, tps = kept[outside], fps[outside], tps[outside]
    return kept


def _slopes_differ(fps, tps):
    """Whether the slopes of whole steps are told apart after any pooling.

    Of n rows they differ by 1 / n^2 at least, and a mean of means is off by a few eps a
    piece at most.
    """
    n_rows = _n_rows(fps, tps)
    return n_rows * n_rows * len(fps) < _MANY_SLOPES


def _n_rows(fps, tps):
    return int(fps[-1] - fps[0]) + int(tps[-1] - tps[0])


def _vertices_by_slope(fps, tps):
    gain = tps[1:] - tps[:-1]
    steps = fps[1:] - fps[:-1] + gain
    slopes = isotonic_regression(gain / steps, weights=steps, increasing=False).x
    return where_slopes_change(slopes, _n_rows(fps, tps))


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


def _turns_right(f01, t01, f12, t12, f2, t2, exact):
    """Whether the path turns right between two steps, the second ending at (f2, t2)."""
    if exact:
        return t01 * f12 > t12 * f01
    slack = COUNT_ROUNDING * (t2 * (f01 + f12) + f2 * (t01 + t12))
    return t01 * f12 - t12 * f01 > slack


def _chain(fps, tps, exact):
    """Indices of the hull's vertices, one point after the other (Andrew 1979)."""
    hull = []
    for i, (f2, t2) in enumerate(zip(fps, tps, strict=True)):
        while len(hull) > 1:
            (f0, t0, _), (f1, t1, _) = hull[-2:]
            left, right = (t2 - t1) * (f1 - f0), (t1 - t0) * (f2 - f1)
            if right > left and (
                exact or _turns_right(f1 - f0, t1 - t0, f2 - f1, t2 - t1, f2, t2, exact)
            ):
                break
            hull.pop()
        hull.append((f2, t2, i))
    return [i for _, _, i in hull]
