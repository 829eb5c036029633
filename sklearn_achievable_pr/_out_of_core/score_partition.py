"""Ranges of scores, each with its part of the ROC curve."""

from __future__ import annotations

import math
from functools import partial
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from .._roc.counting import breakpoints
from .._roc.curve import Points, ROCCurve


class Range(NamedTuple):
    """Neighbouring bins and where the ROC curve enters and leaves them.

    Attributes
    ----------
    number : int
        From 0, by falling score.
    bins : slice
    n_rows : int
    start, end : tuple
        False and true positives.
    points : Points or None
        The ROC curve between, if it is known without the rows.
    """

    number: int
    bins: slice
    n_rows: int
    start: tuple
    end: tuple
    points: Points | None


def divided(table, most_rows, start=(0, 0)):
    """Ranges of at most so many rows, or of one bin.

    Bins of one score or one class need no rows: where many of them follow one another they
    are a range by themselves.

    Parameters
    ----------
    table : BinCounts
    most_rows : int
    start : tuple
        False and true positives above all bins.

    Returns
    -------
    list of Range
    """
    used = table.rows.any(axis=1).nonzero()[0][::-1]
    fps, tps = np.zeros((2, len(used) + 1), dtype=table.counts.dtype)
    np.cumsum(table.counts[used, 0], out=fps[1:])
    np.cumsum(table.counts[used, 1], out=tps[1:])
    fps, tps = fps + start[0], tps + start[1]
    above = np.concatenate(([0], np.cumsum(table.rows[used].sum(axis=1))))
    ranges = []
    for first, stop, settled in _stretches(table.mixed[used], above, most_rows):
        points = slice(first, stop + 1)
        ranges.append(
            Range(
                len(ranges),
                slice(int(used[stop - 1]), int(used[first]) + 1),
                int(above[stop] - above[first]),
                (fps[first].item(), tps[first].item()),
                (fps[stop].item(), tps[stop].item()),
                Points(fps[points], tps[points], None) if settled else None,
            )
        )
    return ranges


def _stretches(mixed, above, most_rows):
    """First bin, bin after the last one, and whether the ROC curve between is known."""
    edges = [0, *((mixed[1:] != mixed[:-1]).nonzero()[0] + 1).tolist(), len(mixed)]
    done = 0
    for first, stop in pairwise(edges):
        if not mixed[first] and 4 * (above[stop] - above[first]) >= most_rows:
            yield from _of_at_most(most_rows, above, done, first)
            yield first, stop, True
            done = stop
    yield from _of_at_most(most_rows, above, done, len(mixed))


def _of_at_most(most_rows, above, first, last):
    if first == last:
        return
    n_parts = math.ceil((above[last] - above[first]) / most_rows)
    size = (above[last] - above[first]) / n_parts  # about the same for all
    while first < last:
        stop = int(np.searchsorted(above, above[first] + size, "right")) - 1
        stop = min(max(stop, first + 1), last)
        yield first, stop, False
        first = stop


def range_of_bin(ranges, n_bins):
    """Number of the range that needs the rows of each bin, -1 where none does."""
    numbers = np.full(n_bins, -1, dtype=np.int32)
    for part in ranges:
        if part.points is None:
            numbers[part.bins] = part.number
    return numbers


def measured(measure, run, totals, curve, prevalence, low, high):
    """A measure of the ROC curve through all ranges.

    Parameters
    ----------
    measure : callable
        `area`, or what has its parameters.
    run : callable
        Runs a task, which takes a range and its rows, on all ranges; returns the results by
        falling score.
    totals : tuple
        Negatives and positives.
    curve, prevalence, low, high
        As everywhere.

    Returns
    -------
    float

    Raises
    ------
    MissingClassError
    """
    roc = ROCCurve((), totals[1], totals[0], None)
    if curve == "achievable":
        roc = roc._replace(parts=run(_hull_candidates)).hull()
        return measure(roc.at_prevalence(prevalence), low, high)

    def total(terms, roc, low, high):
        task = partial(_terms, terms=terms, roc=roc, low=low, high=high)
        return math.fsum(chain.from_iterable(run(task)))

    return measure(roc.at_prevalence(prevalence), low, high, total=total)


def _terms(part, rows, *, terms, roc, low, high):
    return list(terms(roc._replace(parts=PartOfPath(part, rows)), low, high))


def _hull_candidates(part, rows):
    n_neg, n_pos = part.end
    (points,) = ROCCurve(PartOfPath(part, rows), n_pos, n_neg, None).hull().parts
    return points._replace(n_above=None)


class PartOfPath:
    """The ROC curve in a range, as parts that are made when they are asked for.

    Parameters
    ----------
    part : Range
    rows : tuple
        What `breakpoints` takes; of no use where the ROC curve is known.
    """

    def __init__(self, part, rows):
        self.part = part
        if part.points is None:
            check_rows(part.n_rows, len(rows[1]))
            self.roc = breakpoints(rows)

    def __iter__(self):
        if self.part.points is not None:
            yield self.part.points
            return
        (f0, t0), (f1, t1) = self.part.start, self.part.end
        for points in self.roc.parts:
            # Running totals of weights may leave the range by their rounding.
            fps, tps = np.minimum(points.fps + f0, f1), np.minimum(points.tps + t0, t1)
            yield Points(fps, tps, None)
        if (fps[-1], tps[-1]) != (f1, t1):
            yield Points(np.array([fps[-1], f1]), np.array([tps[-1], t1]), None)


def check_rows(counted, found):
    """Refuse rows that are not those counted before."""
    if counted != found:
        raise ValueError(
            "The second pass must meet the rows of the first one. Got "
            f"{found} rows where {counted} were counted. Batches must come from a callable "
            "that starts anew each time, without shuffling or sampling."
        )
