"""The ROC curve in counts, its segments, and the interpolation between its points.

Every metric is a function of a `ROCCurve`. Between two points both counts grow linearly
(Davis & Goadrich 2006, section 4). Only `fps_at` implements this interpolation.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from .._input.arrays import grows
from .._input.undefined import require_classes
from .hull import strict_upper_hull

# A block has this many segments, so that its temporary arrays stay in the second-level
# cache.
_BLOCK = 1 << 13

# Counts, recalls and precisions are treated as equal if their relative difference is below
# this number.
EQUAL_WITHIN = 4 * np.finfo(np.float64).eps

# A polyline looks like the curve if its points are at most this far apart in recall and in
# precision.
PLOT_TOLERANCE = 1 / 500


class Points(NamedTuple):
    """Consecutive points of a ROC curve.

    Attributes
    ----------
    fps, tps : ndarray of shape (n_points,)
        False and true positives, non-decreasing. int64 without weights, else float64.
    n_above : ndarray of int64, shape (n_points,), or None
        Number of samples predicted positive. None if the counts were given.
    """

    fps: np.ndarray
    tps: np.ndarray
    n_above: np.ndarray | None

    def take(self, index):
        """The points at these positions."""
        n_above = None if self.n_above is None else self.n_above[index]
        return Points(self.fps[index], self.tps[index], n_above)

    def distinct(self):
        """The last of each run of equal points.

        A weight that is too small to change the totals repeats a point.
        """
        if self.fps.dtype.kind != "f":
            return self
        is_last = np.append(grows(self.fps, self.tps), True)
        return self if is_last.all() else self.take(is_last)

    def vertices(self):
        """The vertices of the upper convex hull."""
        points = self.distinct()
        return points.take(strict_upper_hull(points.fps, points.tps))


class Segments(NamedTuple):
    """Straight segments of a ROC curve along which true positives increase.

    Attributes
    ----------
    f0, t0 : ndarray of float64, shape (n_segments,)
        False and true positives at the start of each segment.
    delta_f, delta_t : ndarray of float64, shape (n_segments,)
        Their increments along the segment; `delta_t` is positive.
    """

    f0: np.ndarray
    t0: np.ndarray
    delta_f: np.ndarray
    delta_t: np.ndarray


class ROCCurve(NamedTuple):
    """A ROC curve in counts, from (0, 0) to all samples predicted positive.

    Attributes
    ----------
    parts : iterable of Points
        Can be iterated repeatedly. Each part starts with the last point of the part
        before.
    n_pos, n_neg : int or float
        Totals of positives and negatives, the last point.
    scores_above : callable or None
        ``scores_above(n)`` is the lowest of the n highest scores. None if the counts were
        given.
    order : ndarray of integers, shape (n_samples,), or None
        Index of each sample in the data, by decreasing score. None if the sort has not
        found it, or the counts were given.
    negative_weight : float
        Weight of a negative at the reference prevalence, relative to its own weight.
    ends_of_ties : callable or None
        ``ends_of_ties()`` are 0 and the numbers of samples with each distinct score or a
        higher one. None if the counts were given.
    """

    parts: Iterable[Points]
    n_pos: float
    n_neg: float
    scores_above: Callable[[np.ndarray], np.ndarray] | None = None
    order: np.ndarray | None = None
    negative_weight: float = 1.0
    ends_of_ties: Callable[[], np.ndarray] | None = None

    def at_prevalence(self, prevalence):
        """The ROC curve reweighted to a reference prevalence; None leaves it unchanged.

        Raises `MissingClassError` without positives, and without negatives if they have to
        be reweighted; `ValueError` if float64 cannot hold their weight.
        """
        require_classes(self.n_pos, self.n_neg, negatives=prevalence is not None)
        if prevalence is None:
            return self
        odds = float(self.n_pos) / float(self.n_neg)
        weight = (1 - prevalence) / prevalence * odds
        if not 1e-300 <= weight <= 1e300:
            raise ValueError(
                "`prevalence` must be near enough to that of the samples for float64 to "
                f"hold the weight of a negative. Got {prevalence} for positives of "
                f"{odds:.3g} times the weight of the negatives; pass a less extreme one."
            )
        return self._replace(negative_weight=weight)

    def of_kind(self, curve):
        """The ROC curve ("empirical"), or that of its upper convex hull ("achievable")."""
        return self.hull() if curve == "achievable" else self

    def hull(self):
        """The ROC curve through the vertices of its upper convex hull."""
        parts = [part.vertices() for part in self.parts]
        points = _joined(parts)
        if len(parts) > 1:
            points = points.vertices()
        return self._replace(parts=[points])

    def concatenated(self):
        """All points in one part, with false positives multiplied by `negative_weight`."""
        return _joined(list(self.weighted_parts()))

    def weighted_parts(self) -> Iterator[Points]:
        """The parts, with false positives multiplied by `negative_weight`."""
        for part in self.parts:
            if self.negative_weight != 1:
                part = part._replace(fps=part.fps * self.negative_weight)
            yield part

    def of_parts(self, function):
        """``function(part)`` of each of the `weighted_parts`, as a list."""
        return [function(part) for part in self.weighted_parts()]

    def thresholds(self, points):
        """The threshold of each point except the first."""
        if points.n_above is None or self.scores_above is None:
            return np.full(len(points.tps) - 1, np.nan)
        return self.scores_above(points.n_above[1:])

    def segments(self, low=0.0, high=1.0) -> Iterator[Segments]:
        """Blocks of the `Segments` between two recalls, with weighted negatives."""
        for part in self.weighted_parts():
            if (low, high) != (0.0, 1.0):
                part = _points_between(
                    part, low * float(self.n_pos), high * float(self.n_pos)
                )
            for start in range(0, len(part.tps) - 1, _BLOCK):
                counts = (c[start : start + _BLOCK + 1] for c in (part.fps, part.tps))
                yield _rising_segments(*counts)

    def total(self, integral, low, high):
        """Sum of ``integral(segments)`` over the blocks of segments between two recalls."""
        return math.fsum(map(integral, self.segments(low, high)))


def _rising_segments(fps, tps):
    """The `Segments` between points along which true positives increase."""
    delta_t = tps[1:] - tps[:-1]
    rising = (delta_t > 0).nonzero()[0]
    f0, t0 = fps.take(rising), tps.take(rising)
    columns = f0, t0, fps.take(rising + 1) - f0, delta_t.take(rising)
    return Segments(*(column.astype(np.float64, copy=False) for column in columns))


def fps_at(fps, tps, segment, at):
    """False positives at `at` true positives, interpolated linearly on a segment.

    Parameters
    ----------
    fps, tps : sequence of shape (n_points,)
    segment : int or ndarray of int
        Index of the first point of the segment, along which true positives increase.
    at : number or ndarray
        True positives, between the values at both ends of the segment.
    """
    f0, t0 = fps[segment], tps[segment]
    delta_f, delta_t = fps[segment + 1] - f0, tps[segment + 1] - t0
    return f0 + delta_f * ((at - t0) / delta_t)


def interpolated(fps, tps, spacing):
    """The points of a ROC curve and interpolated points `spacing` true positives apart.

    Returns
    -------
    fps, tps : ndarray of float64, shape (n_points,)
    index : ndarray of int64, shape (n_points,)
        Position among the given points, -1 for an interpolated point.
    """
    # The tolerance keeps rounding from adding a point at the end of a segment.
    segment, nth, _ = _divided((tps[1:] - tps[:-1]) / spacing, 1e-9)
    at = np.minimum(tps[segment] + nth * spacing, tps[segment + 1])
    return inserted(fps, tps, segment, at)


def interpolated_evenly(fps, tps, spacing):
    """The points and interpolated points, at most `spacing` apart in recall and precision.

    No points are added where true positives do not increase: there the precision-recall
    curve falls vertically. The result has the form of `interpolated`.
    """
    gain, n = np.diff(tps), fps + tps
    by_recall, nth, n_steps = _divided(gain / (tps[-1] * spacing), 1e-6)
    along_recall = nth / n_steps
    # Along a segment t = t0 + s (n - n0), n = t + f, so precision t/n = s + (t0 - s n0) / n
    # is linear in 1/n: equal steps of precision are equal steps of 1/n. At the part u of
    # the way from 1/n0 to 1/n1, (n - n0) / (n1 - n0) = u n0 / (n1 - u (n1 - n0)).
    rise = np.where(gain > 0, np.abs(np.diff(precision_of(fps, tps))), 0.0)
    by_precision, nth, n_steps = _divided(rise / spacing, 1e-6)
    part, n0, n1 = nth / n_steps, n[by_precision], n[by_precision + 1]
    along_precision = part * n0 / (n1 - part * (n1 - n0))

    segment = np.concatenate((by_recall, by_precision))
    at = tps[segment] + gain[segment] * np.concatenate((along_recall, along_precision))
    at = np.minimum(at, tps[segment + 1])
    order = np.lexsort((at, segment))
    return inserted(fps, tps, segment[order], at[order])


def _divided(n_steps, tolerance):
    """Inner points that divide each segment into `n_steps` steps, rounded up.

    Returns
    -------
    segment, nth, n_steps : ndarray of int64, shape (n_inner_points,)
        The segment of each point, its number on that segment from 1, and the number of
        steps of that segment.
    """
    # As an example, with 3 steps on the first segment, 1 on the second and 2 on the third,
    # n_inner is 2 0 1, segment is 0 0 2 and nth is 1 2 1.
    n_inner = np.maximum(np.ceil(n_steps - tolerance).astype(np.int64) - 1, 0)
    segment = np.repeat(np.arange(len(n_inner)), n_inner)
    nth = np.arange(len(segment)) - (np.cumsum(n_inner) - n_inner)[segment] + 1
    return segment, nth, n_inner[segment] + 1


def inserted(fps, tps, segment, at):
    """The points, and new points at `at` true positives of the given segments."""
    return (
        np.insert(fps.astype(np.float64), segment + 1, fps_at(fps, tps, segment, at)),
        np.insert(tps.astype(np.float64), segment + 1, at),
        np.insert(np.arange(len(tps)), segment + 1, -1),
    )


def precision_of(fps, tps):
    """Precision t / (t + f) at each point; at (0, 0) its limit on the first segment."""
    predicted = tps + fps
    precision = np.divide(tps, predicted, out=np.zeros(len(tps)), where=predicted > 0)
    start = np.searchsorted(predicted, 0, side="right")
    if 0 < start < len(precision):
        precision[:start] = precision[start]
    return precision


def _joined(parts):
    """Consecutive parts joined; the last point of a part is the first of the next."""
    if len(parts) == 1:
        return parts[0]
    parts = [parts[0], *(part.take(slice(1, None)) for part in parts[1:])]
    fps, tps, n_above = zip(*parts, strict=True)
    has_order = n_above[0] is not None
    return Points(
        np.concatenate(fps),
        np.concatenate(tps),
        np.concatenate(n_above) if has_order else None,
    )


def _points_between(points, low, high):
    """The points between two numbers of true positives, and interpolated ones at both.

    The result has no points if the range ends before the first point or starts after the
    last.
    """
    fps, tps = points.fps, points.tps
    low, high = max(low, tps[0]), min(high, tps[-1])
    if low >= high:
        return points.take(slice(0, 0))
    # Points are shown as o, and the range goes from | to |:
    #
    #     o------|--o-----o-----o----|----o
    #            low  first last-1  high
    first = int(np.searchsorted(tps, low, "right"))
    last = int(np.searchsorted(tps, high, "left"))
    start, stop = fps_at(fps, tps, first - 1, low), fps_at(fps, tps, last - 1, high)
    return Points(
        np.concatenate(([start], fps[first:last], [stop])),
        np.concatenate(([low], tps[first:last], [high])),
        None,
    )
