"""Formulas on the straight pieces of a ROC path, seen in precision-recall space.

A path is given by its points in counts, `fps` and `tps`, both non-decreasing. It
starts at (0, 0), or where a range of recall was cut off. Between two points both
counts grow linearly: that is the only interpolation there is (Davis & Goadrich
2006, section 4).
"""

import math

import numpy as np

# Pieces worked on at a time, so that their temporaries stay in the cache.
_BLOCK = 1 << 13
# Steps up to this part of the rows already predicted positive take the series.
_SERIES_STEP = 0.25


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


def area_below(fps, tps, n_pos):
    """Area under the curve over the recalls of the path: the integral of t/(t+f).

    With m = t + f running from n0 to n0 (1 + x) along a piece, s = T / (T + F) and
    t = t0 + s (m - n0), the piece has

        (1/P) integral of t/m dt = (s/P) [t0 log1p(x) + s n0 (x - log1p(x))].

    Both terms are positive: nothing cancels as long as x - log1p(x) is known to full
    relative precision.
    """
    return _integral(fps, tps, n_pos, below=True)


def area_above(fps, tps, n_pos):
    """Area between the curve and precision 1: the same integral of f/(t+f)."""
    return _integral(fps, tps, n_pos, below=False)


def _integral(fps, tps, n_pos, *, below):
    total = fps[-1] + tps[-1]
    parts = [
        _piece_integrals(fps[block] / total, tps[block] / total, below)
        for block in (
            slice(start, start + _BLOCK + 1) for start in range(0, len(tps) - 1, _BLOCK)
        )
    ]
    return math.fsum(parts) / float(n_pos / total)


def _piece_integrals(f, t, below):
    """Sum over the pieces of one block of the integral of t/(t+f) or f/(t+f) dt."""
    n = t + f
    moves = np.concatenate(([True], n[1:] > n[:-1]))
    if not moves.all():  # weights so small that they left no trace in the totals
        f, t, n = f[moves], t[moves], n[moves]
    part = t if below else f
    step = n[1:] - n[:-1]
    share_t = (t[1:] - t[:-1]) / step
    share = share_t if below else (f[1:] - f[:-1]) / step
    log, rest = log1p_and_rest(step, n[:-1])
    return float(np.dot(share_t, part[:-1] * log + share * rest))


def log1p_and_rest(step, n):
    """log1p(x) and n (x - log1p(x)) of x = step / n, to full relative precision.

    With r = x / (2 + x): log1p(x) = 2 artanh(r) = 2 r + 2 r^3 tail(r^2) and
    x - log1p(x) = r x - 2 r^3 tail(r^2).
    """
    r = step / (n + n + step)
    largest = _SERIES_STEP / (2.0 + _SERIES_STEP)
    by_series = r <= largest
    all_by_series = by_series.all()
    square = r * r if all_by_series else np.where(by_series, r, 0.0) ** 2
    cubic = square * _artanh_tail(square)
    cubic += cubic
    log = r * (2.0 + cubic)
    rest = r * (step - n * cubic)
    if not all_by_series:
        far = ~by_series
        step, n = step[far], n[far]
        # At a start of 0 rows `log` is multiplied by 0 and has only to be finite.
        log[far] = np.log1p(step / np.maximum(n, step * 1e-300))
        rest[far] = step - n * log[far]
    return log, rest


def _artanh_tail(square):
    """(artanh(r) - r) / r^3 = 1/3 + r^2/5 + r^4/7 + ..., as many terms as needed."""
    largest = float(square.max(initial=0.0))
    n_terms = 2 if largest < 1e-18 else 2 + math.ceil(-37.5 / math.log(largest))
    tail = np.full_like(square, 1.0 / (2 * n_terms + 1))
    for k in range(n_terms - 1, 0, -1):
        tail *= square
        tail += 1.0 / (2 * k + 1)
    return tail


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
