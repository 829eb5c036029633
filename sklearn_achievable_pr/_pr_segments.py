"""Formulas on the straight pieces of a ROC path, seen in precision-recall space.

A path is given by its points in counts, `fps` and `tps`, both non-decreasing. It
starts at (0, 0), or where a range of recall was cut off. Between two points both
counts grow linearly: that is the only interpolation there is (Davis & Goadrich
2006, section 4).
"""

import math
from typing import NamedTuple

import numpy as np

# Pieces worked on at a time, so that their temporaries stay in the cache.
_BLOCK = 1 << 13
# Paths of so few points cost less piece by piece than by operations on arrays.
_FEW_POINTS = 128
# Pieces of at most this r = step / (rows before and after) take a series in r: they are
# up to 1/32 longer. Above, the closed form loses less than two digits to cancellation.
_SERIES_LIMIT = 1 / 65
_TINY = 5e-324
# The integrals over one row are kept for paths of up to so many rows.
MOST_ROWS = 4096


class EveryRow(NamedTuple):
    """A whole path with a point after every row of weight 1, `MOST_ROWS` at most.

    Attributes
    ----------
    gain, tps : ndarray of float64, shape (n_rows,)
        By falling score, how many positives the row is, 1 or 0 or on a hull between
        them, and how many it and the rows before it are.
    """

    gain: np.ndarray
    tps: np.ndarray


def precision_of(fps, tps):
    """Precision t / (t + f) at each point; at (0, 0) its limit along the path."""
    predicted = tps + fps
    precision = np.divide(tps, predicted, out=np.zeros(len(tps)), where=predicted > 0)
    start = np.searchsorted(predicted, 0, side="right")
    if 0 < start < len(precision):
        precision[:start] = precision[start]
    return precision


def cut(fps, tps, lowest, highest):
    """The part of the path with `lowest <= tps <= highest`, ends interpolated."""
    first = np.searchsorted(tps, lowest, side="right")
    last = np.searchsorted(tps, highest, side="left")
    return (
        np.concatenate(
            (
                [_fps_on(fps, tps, first - 1, lowest)],
                fps[first:last],
                [_fps_on(fps, tps, last - 1, highest)],
            )
        ),
        np.concatenate(([lowest], tps[first:last], [highest])),
    )


def _fps_on(fps, tps, piece, at):
    """False positives where the piece after point `piece` has `at` true positives."""
    along = (at - tps[piece]) / (tps[piece + 1] - tps[piece])
    return fps[piece] + (fps[piece + 1] - fps[piece]) * along


def area_below(path, n_pos):
    """Area under the curve over the recalls of the path.

    On a piece t = t0 + s (n - n0) with n = t + f and s = T / (T + F), so that its area is

        (1/P) integral of t/n dt = (s/P) integral of t/n dn,

    which `integrals_over_n` gives.
    """
    return _summed(path, n_pos, above=False)[0]


def areas(path, n_pos):
    """Areas below and above the curve over the recalls of the path.

    Above it is the same integral with f for the t under it. The two sum to the width of
    the path in recall, but the smaller one is not to be had from the larger.
    """
    return _summed(path, n_pos, above=True)


def integrals_over_n(n0, step, *parts):
    """Integrals of a/n dn, n from n0 to n1 = n0 + step, of linear parts a.

    A part is (a0, a1, s): a goes from a0 to a1 and s is (a1 - a0) / step. With
    L = log(n1 / n0) the integral is

        a0 L + s (step - n0 L),

    whose last difference cancels where the step is small. There, with
    r = step / (n0 + n1), L = 2 artanh(r) = 2 r + c r, c = 2 r^2 (1/3 + r^2/5 + ...),
    and the integral is

        r [a0 + a1 + c (a0 - s n0)],

    whose last term is small against the others. At n0 = 0, where a0 is 0 too, it is a1.
    """
    r = step / (n0 + n0 + step)
    largest = np.maximum.reduce(r, initial=0.0)
    far = None
    if largest > _SERIES_LIMIT:
        far = (r > _SERIES_LIMIT).nonzero()[0]
        r[far] = largest = _SERIES_LIMIT  # a stand-in, replaced below
        far_n0, far_step = n0[far], step[far]
        # At n0 = 0 the logarithm is multiplied by 0 and has only to be finite.
        log = np.log1p(far_step / np.maximum(far_n0, far_step * 1e-300 + _TINY))
    c = _twice_artanh_less_twice_r(r * r, float(largest) ** 2)
    found = []
    for a0, a1, share in parts:
        value = share * n0
        np.subtract(a0, value, out=value)
        value *= c
        value += a0
        value += a1
        value *= r
        if far is not None:
            value[far] = a0[far] * log + share[far] * (far_step - far_n0 * log)
        found.append(value)
    return found


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


_FEW_TERMS = [2.0 / (2 * k + 1) for k in range(_n_terms(_SERIES_LIMIT**2), 0, -1)]


def _row_integrals():
    """By the rows n0 before it: n0, and the integrals of 1/n and (n - n0)/n over a row."""
    n0 = np.arange(float(MOST_ROWS))
    zero, one = np.zeros(MOST_ROWS), np.ones(MOST_ROWS)
    return np.array([n0, *integrals_over_n(n0, one, (one, one, zero), (zero, one, one))])


_ROW_INTEGRALS = _row_integrals()


def _summed(path, n_pos, *, above):
    if isinstance(path, EveryRow):
        return [total / float(n_pos) for total in _single_rows(*path)]
    fps, tps = path[:2]
    sums = []
    few = len(tps) <= _FEW_POINTS
    for start in range(0, len(tps) - 1, _BLOCK):
        block = slice(start, start + _BLOCK + 1)
        f, t = fps[block], tps[block]
        if few:
            sums.append(few_pieces(f.tolist(), t.tolist()))
        else:
            sums.append(_pieces(f.astype(np.float64), t.astype(np.float64), above))
    return [math.fsum(parts) / float(n_pos) for parts in zip(*sums, strict=True)]


def _pieces(f, t, above):
    """Sums over the pieces of one block of the integrals of t/n dt and of f/n dt."""
    piece = (t[1:] > t[:-1]).nonzero()[0]  # the others add nothing
    f0, t0 = f[piece], t[piece]
    piece += 1
    f1, t1 = f[piece], t[piece]
    n0, gain = t0 + f0, t1 - t0
    step = f1 - f0
    step += gain
    share = gain / step
    parts = [(t0, t1, share)]
    if above:
        parts.append((f0, f1, (f1 - f0) / step))
    return [float(np.dot(share, part)) for part in integrals_over_n(n0, step, *parts)]


def _single_rows(gain, tps):
    """What `_pieces` sums, both of them; of 1/n the integrals over a row are at hand."""
    n0, constant, rising = _ROW_INTEGRALS[:, : len(gain)]
    t0, square = tps - gain, gain * gain
    below = np.dot(gain * t0, constant) + np.dot(square, rising)
    above = np.dot(gain * (n0 - t0), constant) + np.dot(gain - square, rising)
    return below, above


def few_pieces(f, t):
    """What `_pieces` sums, both of them, without arrays.

    Parameters
    ----------
    f, t : list of int or float
        The points of a path, or of a part of it.

    Returns
    -------
    below, above : float
        Integrals of t/n dt and of f/n dt.
    """
    below = above = 0.0
    for f0, t0, f1, t1 in zip(f, t, f[1:], t[1:], strict=False):
        if t1 == t0:
            continue
        n0, n1 = t0 + f0, t1 + f1
        step = n1 - n0
        share_t, share_f = (t1 - t0) / step, (f1 - f0) / step
        r = step / (n0 + n1)
        if r > _SERIES_LIMIT:
            log = math.log1p(step / max(n0, step * 1e-300 + _TINY))
            rest = step - n0 * log
            below += share_t * (t0 * log + share_t * rest)
            above += share_t * (f0 * log + share_f * rest)
        else:
            c = 0.0
            for coefficient in _FEW_TERMS:
                c = (c + coefficient) * (r * r)
            below += share_t * r * (t0 + t1 + c * (t0 - share_t * n0))
            above += share_t * r * (f0 + f1 + c * (f0 - share_f * n0))
    return below, above


def interpolated(fps, tps, spacing):
    """The path with points between its own, `spacing` true positives apart.

    Returns
    -------
    fps, tps : ndarray of float64, shape (n_points,)
    index : ndarray of int64, shape (n_points,)
        Which point of the path this is, -1 for those between.
    """
    gain = np.diff(tps)
    # A gain that is a whole number of spacings but for rounding gets no extra point.
    n_between = np.maximum(np.ceil(gain / spacing - 1e-9).astype(np.int64) - 1, 0)
    piece = np.repeat(np.arange(len(gain)), n_between + 1)
    end = np.cumsum(n_between + 1)
    nth = np.arange(len(piece)) - (end - n_between - 1)[piece] + 1
    along = nth * spacing
    between = nth <= n_between[piece]
    new_tps = tps[1:].astype(np.float64)[piece]
    new_fps = fps[1:].astype(np.float64)[piece]
    inner, along = piece[between], along[between]
    new_tps[between] = tps[inner] + along
    new_fps[between] = fps[inner] + np.diff(fps)[inner] * along / gain[inner]
    return (
        np.concatenate((fps[:1], new_fps)),
        np.concatenate((tps[:1], new_tps)),
        np.concatenate(([0], np.where(between, -1, piece + 1))),
    )


def davis_goadrich_area(fps, tps, low, high):
    """Trapezoids between points one true positive apart, over recalls [low, high].

    Points without true positives are dropped, and the curve runs flat from recall 0
    to the first point that is left: so does the program AUCCalculator.
    """
    first = np.searchsorted(tps, 0, side="right")
    fps, tps, _ = interpolated(fps[first:], tps[first:], 1)
    recall = np.concatenate(([0.0], tps / tps[-1]))
    precision = tps / (tps + fps)
    precision = np.concatenate((precision[:1], precision))
    start, stop = np.clip(recall[:-1], low, high), np.clip(recall[1:], low, high)
    inside = stop > start
    start, stop = start[inside], stop[inside]
    width = np.diff(recall)[inside]
    left, rise = precision[:-1][inside], np.diff(precision)[inside]
    middle = ((start + stop) / 2 - recall[:-1][inside]) / width
    return float(np.sum((stop - start) * (left + rise * middle)))


def precision_at(fps, tps, recall):
    """Precision at recalls; the highest where the curve falls straight down."""
    # A recall that is a point's but for rounding is that point's: the next piece may
    # start far below.
    at = recall * tps[-1]
    piece = np.searchsorted(tps, at * (1 - 4 * np.finfo(np.float64).eps)) - 1
    piece = np.maximum(piece, 0)
    gain = tps[piece + 1] - tps[piece]
    along = np.clip((at - tps[piece]) / np.where(gain > 0, gain, 1), 0, 1)
    at_fps = fps[piece] + (fps[piece + 1] - fps[piece]) * along
    at_tps = tps[piece] + gain * along
    at_zero = at == 0
    return np.where(
        at_zero,
        precision_of(fps, tps)[0],
        at_tps / np.where(at_zero, 1, at_tps + at_fps),
    )


def recall_reaching(fps, tps, precision):
    """The largest recall at which the curve has at least this precision, else 0."""
    at_points = precision_of(fps, tps)
    rises = np.diff(tps) > 0
    reached = np.flatnonzero(rises & (at_points[1:] >= precision))
    falls_through = np.flatnonzero(
        rises & (at_points[1:] < precision) & (at_points[:-1] > precision)
    )
    largest = tps[reached[-1] + 1] if len(reached) else 0
    if len(falls_through) and (not len(reached) or falls_through[-1] > reached[-1]):
        i = falls_through[-1]
        gain_t, gain_f = tps[i + 1] - tps[i], fps[i + 1] - fps[i]
        # t (1 - precision) = precision f(t), f linear in t.
        above = (1 - precision) * tps[i] - precision * fps[i]
        largest = tps[i] + gain_t * above / (precision * gain_f - (1 - precision) * gain_t)
    return float(largest / tps[-1])
