"""The upper convex hull of a ROC path, decided on counts."""

import numpy as np

# Up to this many points a walk in Python costs less than vectorised passes.
_WALK_SIZE = 96
# int64 holds the difference of two products of counts if each is below this.
_EXACT_PRODUCT = 2**62
# float64 holds every whole number up to this one.
_EXACT_WHOLE = 2**53
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
    A point on or below the chord of its two neighbours is no vertex, whatever
    becomes of the neighbours: so each pass drops all such points at once. When few
    are left, or few go, a monotone chain ends the work.
    """
    fps, tps, exact = _comparable(fps, tps)
    kept = _outside(fps, tps, exact)
    return kept[_chain(fps[kept].tolist(), tps[kept].tolist(), exact)]


def likely_vertices(fps, tps):
    """Indices of points among which the vertices are, without those soon ruled out."""
    return _outside(*_comparable(fps, tps))


def _comparable(fps, tps):
    """Counts of which products can be compared, and whether they are exact."""
    fps, tps, exact = whole_if_possible(fps, tps)
    if not exact:
        return _scaled(fps), _scaled(tps), False
    if int(fps[-1]) * int(tps[-1]) < _EXACT_WHOLE:
        # Products are whole numbers that float64 holds, and forms faster.
        return fps.astype(np.float64), tps.astype(np.float64), True
    return fps, tps, True


def _outside(fps, tps, exact):
    kept = np.arange(len(fps))
    if exact and int(fps[-1]) * int(tps[-1]) >= _EXACT_PRODUCT:
        return kept
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
