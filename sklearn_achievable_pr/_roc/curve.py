"""A ROC ROC curve in counts: its points, its parts, its prevalence, its cut.

Everything that is measured is measured on a `ROCCurve`, whatever made it. Between two
points both counts grow linearly, and that is the only interpolation there is (Davis &
Goadrich 2006, section 4): `fps_at`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from .._input.options import require_classes
from .hull import strict_upper_hull

# Segments handed over at a time, so that what is made of them stays in the cache.
_BLOCK = 1 << 13

# As near to one another as two points of a segment have to be, in recall and precision,
# that straight lines between them do not show.
PLOT_TOLERANCE = 1 / 500


class Points(NamedTuple):
    """Consecutive points of a ROC curve.

    Attributes
    ----------
    fps, tps : ndarray of shape (n_points,)
        False and true positives, neither falling. int64 without weights, else float64.
    n_above : ndarray of int64, shape (n_points,), or None
        Rows predicted positive. None if the counts were given.
    """

    fps: np.ndarray
    tps: np.ndarray
    n_above: np.ndarray | None

    def take(self, index):
        """Some of the points."""
        return Points(*(None if column is None else column[index] for column in self))


class Segments(NamedTuple):
    """Straight segments of a ROC curve on which true positives are gained.

    Attributes
    ----------
    f0, t0 : ndarray of float64, shape (n_pieces,)
        False and true positives at their starts.
    delta_f, delta_t : ndarray of float64, shape (n_pieces,)
        How many more there are at their ends; `delta_t` is positive.
    """

    f0: np.ndarray
    t0: np.ndarray
    delta_f: np.ndarray
    delta_t: np.ndarray


class ROCCurve(NamedTuple):
    """A ROC ROC curve in counts, from (0, 0) to all rows predicted positive.

    Attributes
    ----------
    parts : iterable of Points
        Can be gone through again. Each part starts with the point that ended the one
        before.
    n_pos, n_neg : int or float
        Totals of positives and negatives, the last point.
    scores_above : callable or None
        The lowest of so many highest scores. None if the counts were given.
    negative_weight : float
        What each negative weighs, to have the prevalence that was asked for.
    """

    parts: Iterable[Points]
    n_pos: float
    n_neg: float
    scores_above: Callable[[np.ndarray], np.ndarray] | None
    negative_weight: float = 1.0

    def at_prevalence(self, prevalence):
        """The ROC curve with negatives so weighted that positives are this fraction.

        Parameters
        ----------
        prevalence : float or None
            None leaves the ROC curve as it is.

        Returns
        -------
        ROCCurve

        Raises
        ------
        MissingClassError
            Without positives; without negatives if there is a prevalence to be had.
        """
        require_classes(self.n_pos, self.n_neg, negatives=prevalence is not None)
        if prevalence is None:
            return self
        odds = float(self.n_pos) / float(self.n_neg)
        return self._replace(negative_weight=(1 - prevalence) / prevalence * odds)

    def hull(self):
        """The vertices of the strict upper hull, found part by part."""
        parts = [part.take(strict_upper_hull(part.fps, part.tps)) for part in self.parts]
        points = _joined(parts)
        if len(parts) > 1:
            points = points.take(strict_upper_hull(points.fps, points.tps))
        return self._replace(parts=[points])

    def concatenated(self):
        """All points in one, negatives weighted."""
        return _joined(list(self.weighted_parts()))

    def weighted_parts(self) -> Iterator[Points]:
        """The parts, negatives weighted."""
        for part in self.parts:
            if self.negative_weight != 1:
                part = part._replace(fps=part.fps * self.negative_weight)
            yield part

    def thresholds(self, points):
        """The lowest score predicted positive at each point but the first."""
        if self.scores_above is None or points.n_above is None:
            return np.full(len(points.tps) - 1, np.nan)
        return self.scores_above(points.n_above[1:])

    def segments(self, low=0.0, high=1.0) -> Iterator[Segments]:
        """The segments between two recalls in blocks, negatives weighted.

        Ends that are cut off are computed in fractions and rounded once, so that a sliver
        of a segment is right to the last digits too.
        """
        for part in self.parts:
            if (low, high) != (0.0, 1.0):
                n_pos = _exactly(self.n_pos)
                part, ends = _cut(part, Fraction(low) * n_pos, Fraction(high) * n_pos)
                yield self._weighted(ends)
            for start in range(0, len(part.tps) - 1, _BLOCK):
                block = slice(start, start + _BLOCK + 1)
                yield self._weighted(_gaining(part.fps[block], part.tps[block]))

    def _weighted(self, segments):
        if self.negative_weight == 1:
            return segments
        return segments._replace(
            f0=segments.f0 * self.negative_weight,
            delta_f=segments.delta_f * self.negative_weight,
        )


def fps_at(fps, tps, segment, at):
    """False positives where a segment has `at` true ones: the only interpolation.

    Parameters
    ----------
    fps, tps : ndarray of shape (n_points,)
    segment : int or ndarray of int
        The segment from this point to the next; it gains true positives.
    at : number or ndarray
        True positives, between those of the two points.
    """
    f0, t0 = fps[segment], tps[segment]
    return f0 + (fps[segment + 1] - f0) * ((at - t0) / (tps[segment + 1] - t0))


def interpolated(fps, tps, spacing):
    """Points with others between them, `spacing` true positives apart.

    Returns
    -------
    fps, tps : ndarray of float64, shape (n_points,)
    index : ndarray of int64, shape (n_points,)
        Which of the points given this is, -1 for those between.
    """
    # A gain that is a whole number of spacings but for rounding gets no extra point.
    segment, nth, _ = _divided((tps[1:] - tps[:-1]) / spacing, 1e-9)
    return _with(
        fps, tps, segment, np.minimum(tps[segment] + nth * spacing, tps[segment + 1])
    )


def interpolated_evenly(fps, tps, spacing):
    """Points with others between them, `spacing` of recall and of precision apart at most.

    Where no true positives are added the curve falls straight down and has no points
    between. Result as `interpolated`.
    """
    gain, n = np.diff(tps), fps + tps
    by_recall, nth, n_steps = _divided(gain / (tps[-1] * spacing), 1e-6)
    along_recall = nth / n_steps
    # Along a segment precision is linear in 1/n, n = t + f.
    rise = np.where(gain > 0, np.abs(np.diff(precision_of(fps, tps))), 0.0)
    by_precision, nth, n_steps = _divided(rise / spacing, 1e-6)
    part, n0, n1 = nth / n_steps, n[by_precision], n[by_precision + 1]
    along_precision = part * n0 / (n1 - part * (n1 - n0))

    segment = np.concatenate((by_recall, by_precision))
    at = tps[segment] + gain[segment] * np.concatenate((along_recall, along_precision))
    at = np.minimum(at, tps[segment + 1])
    order = np.lexsort((at, segment))
    return _with(fps, tps, segment[order], at[order])


def _divided(n_steps, tolerance):
    """Segments, each as often as points divide it into so many steps or one more.

    Returns
    -------
    segment, nth, n_steps : ndarray of int64
        Which segment, the how manieth point on it, and its number of steps.
    """
    n_between = np.maximum(np.ceil(n_steps - tolerance).astype(np.int64) - 1, 0)
    segment = np.repeat(np.arange(len(n_between)), n_between)
    nth = np.arange(len(segment)) - (np.cumsum(n_between) - n_between)[segment] + 1
    return segment, nth, n_between[segment] + 1


def _with(fps, tps, segment, at):
    """The points and others on their segments, with so many true positives."""
    return (
        np.insert(fps.astype(np.float64), segment + 1, fps_at(fps, tps, segment, at)),
        np.insert(tps.astype(np.float64), segment + 1, at),
        np.insert(np.arange(len(tps)), segment + 1, -1),
    )


def precision_of(fps, tps):
    """Precision t / (t + f) at each point; at (0, 0) its limit along the ROC curve."""
    predicted = tps + fps
    precision = np.divide(tps, predicted, out=np.zeros(len(tps)), where=predicted > 0)
    start = np.searchsorted(predicted, 0, side="right")
    if 0 < start < len(precision):
        precision[:start] = precision[start]
    return precision


def _joined(parts):
    """Parts in one; the last point of each is the first of the next."""
    if len(parts) == 1:
        return parts[0]
    columns = zip(*parts, strict=True)
    return Points(
        *(
            None if first is None else np.concatenate([first, *(c[1:] for c in others)])
            for first, *others in columns
        )
    )


def _gaining(fps, tps):
    """The segments between points; those without a gain in true positives are left out."""
    fps, tps = fps.astype(np.float64), tps.astype(np.float64)
    segment = (tps[1:] > tps[:-1]).nonzero()[0]
    f0, t0 = fps[segment], tps[segment]
    segment += 1
    return Segments(f0, t0, fps[segment] - f0, tps[segment] - t0)


def _cut(points, low, high):
    """The points between two numbers of true positives, and the segments cut at either end.

    Parameters
    ----------
    points : Points
    low, high : Fraction

    Returns
    -------
    points : Points
    ends : Segments
        From `low` to the first of the points, and from the last of them to `high`, or the
        one segment between; none where `low` or `high` lies outside the part.
    """
    first, last = _n_below(points.tps, low, "right"), _n_below(points.tps, high, "left")
    fps, tps = points.fps, points.tps
    if first == last:
        cuts = [(first, low, high)]
    else:
        cuts = [
            (first, low, _exactly(tps[first])),
            (last, _exactly(tps[last - 1]), high),
        ]
    ends = [_between(fps, tps, *cut) for cut in cuts if 0 < cut[0] < len(tps)]
    columns = np.array(ends, dtype=np.float64).reshape(-1, 4)
    return points.take(slice(first, last)), Segments(*columns[columns[:, 3] > 0].T)


def _n_below(tps, at, side):
    """How many points have fewer true positives, or as many where `side` is right."""
    nearest = float(at)
    if nearest != at:  # no point has exactly that many
        side = "right" if nearest < at else "left"
    return int(np.searchsorted(tps, nearest, side))


def _between(fps, tps, end, low, high):
    """What the segment that ends with a point has between two numbers of true positives."""
    f0, f1, t0, t1 = (_exactly(n) for c in (fps, tps) for n in c[end - 1 : end + 1])
    slope = (f1 - f0) / (t1 - t0)
    return f0 + slope * (low - t0), low, slope * (high - low), high - low


def _exactly(count):
    return Fraction(count.item() if isinstance(count, np.generic) else count)
