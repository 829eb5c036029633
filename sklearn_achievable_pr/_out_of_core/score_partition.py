"""Ranges of scores: each can be sorted and integrated by itself.

A histogram says how many samples of either class lie above each range, and so where the
ROC curve enters it. Integrals over ranges add up, and vertices of the hull of all samples
are vertices of the hull of their range.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from .._input.options import value_or_warn
from .._roc.counting import breakpoints
from .._roc.curve import Points, ROCCurve
from .bins import LeadingBits, Refined

_BINS = LeadingBits.at_most(2**16)
# Bins that hold too many samples are divided into so many parts in all, and into so many
# at least.
_N_PARTS, _MIN_PARTS = 2**16, 16


class ScoreRange(NamedTuple):
    """Neighbouring bins, and where the ROC curve enters and leaves them.

    Attributes
    ----------
    number : int
        From 0, by falling score.
    bins : slice
    n_samples : tuple of int
        Negatives and positives, unweighted.
    start, end : tuple
        False and true positives.
    points : Points or None
        The ROC curve between them if it is known without the samples.
    """

    number: int
    bins: slice
    n_samples: tuple
    start: tuple
    end: tuple
    points: Points | None


def cut_ranges(count, max_samples):
    """Ranges that hold few enough samples, or one score.

    Parameters
    ----------
    count : callable
        The `BinCounts` of all samples in given bins. Called again, with finer bins, where
        a bin holds too many samples.
    max_samples : callable
        How many samples a range may hold, from a `BinCounts`.

    Returns
    -------
    ranges : list of ScoreRange
    bins : LeadingBits or Refined
        The bins that the ranges are made of.
    """
    bins = _BINS
    while True:
        table = count(bins)
        if not table.samples.any():
            raise ValueError(
                "`batches` or `frame` must hold at least one sample of positive weight. "
                "Got none."
            )
        limit = max_samples(table)
        divisible = np.diff(bins.lowest_keys()).view(np.uint64) > 1
        crowded = table.mixed & divisible & (table.samples.sum(axis=1) > 2 * limit)
        if not crowded.any():
            return divide(table, limit), bins
        n_parts = max(_N_PARTS // np.count_nonzero(crowded), _MIN_PARTS)
        bins = Refined(bins, np.where(crowded, n_parts, 1))


def divide(table, max_samples):
    """Ranges of at most `max_samples` samples each, or of one bin.

    Bins of one score or one class need no samples: many of them in sequence are a range of
    their own.
    """
    used = table.samples.any(axis=1).nonzero()[0][::-1]
    samples_above, counts_above = (
        np.concatenate((np.zeros((1, 2), counts.dtype), np.cumsum(counts[used], axis=0)))
        for counts in (table.samples, table.counts)
    )
    ranges = []
    n_above = samples_above.sum(axis=1)
    for first, stop, known in _runs_of_bins(table.mixed[used], n_above, max_samples):
        fps, tps = counts_above[first : stop + 1].T
        ranges.append(
            ScoreRange(
                len(ranges),
                slice(int(used[stop - 1]), int(used[first]) + 1),
                tuple((samples_above[stop] - samples_above[first]).tolist()),
                tuple(counts_above[first].tolist()),
                tuple(counts_above[stop].tolist()),
                Points(fps, tps, None) if known else None,
            )
        )
    return ranges


def _runs_of_bins(mixed, n_above, max_samples):
    """First bin, bin after the last one, and whether the ROC curve between is known."""
    edges = [0, *((mixed[1:] != mixed[:-1]).nonzero()[0] + 1).tolist(), len(mixed)]
    done = 0
    for first, stop in pairwise(edges):
        if not mixed[first] and 4 * (n_above[stop] - n_above[first]) >= max_samples:
            yield from _balanced_runs(n_above, max_samples, done, first)
            yield first, stop, True
            done = stop
    yield from _balanced_runs(n_above, max_samples, done, len(mixed))


def _balanced_runs(n_above, max_samples, first, last):
    """Runs of bins of about equal numbers of samples, to be read."""
    n_samples = n_above[last] - n_above[first]
    size = n_samples / max(math.ceil(n_samples / max_samples), 1)
    while first < last:
        stop = int(np.searchsorted(n_above, n_above[first] + size, "right")) - 1
        stop = min(max(stop, first + 1), last)
        yield first, stop, False
        first = stop


def range_of_bin(ranges, n_bins, other):
    """Number of the range that holds each bin; `other` for bins in none."""
    numbers = np.full(n_bins, other, dtype=np.int32)
    for part in ranges:
        numbers[part.bins] = part.number
    return numbers


def value_over_ranges(metric, run, totals):
    """A metric of the ROC curve through all ranges.

    Parameters
    ----------
    metric : MetricWithOptions
        An area.
    run : callable
        Calls a task with each range and its `BinaryData`; returns the results by falling
        score. The task can be pickled.
    totals : tuple
        Negatives and positives.

    Returns
    -------
    float
        NaN, with a warning, if a class is missing.
    """
    n_neg, n_pos = totals
    roc = ROCCurve((), n_pos, n_neg, None)

    def value():
        if metric.metric.on_hull:
            return metric.value(roc._replace(parts=run(_hull_candidates)))
        return metric.metric.value(
            roc.at_prevalence(metric.prevalence), metric.low, metric.high, total=total
        )

    def total(terms, roc, low, high):
        task = partial(_terms, terms=terms, roc=roc, low=low, high=high)
        return math.fsum(chain.from_iterable(run(task)))

    what = "AUCNPR" if metric.metric.needs_negatives else "the area"
    return value_or_warn(value, np.nan, what)


def _terms(part, data, *, terms, roc, low, high):
    return list(terms(roc._replace(parts=RangeOfCurve(part, data)), low, high))


def _hull_candidates(part, data):
    n_neg, n_pos = part.end
    (points,) = ROCCurve(RangeOfCurve(part, data), n_pos, n_neg, None).hull().parts
    return points._replace(n_above=None)


class RangeOfCurve:
    """The ROC curve within a range, as `Points` made one part after the other.

    Parameters
    ----------
    part : ScoreRange
    data : BinaryData
        Not used where the ROC curve is known.
    """

    def __init__(self, part, data):
        self.part = part
        if part.points is None:
            n_pos = int(np.count_nonzero(data.positive))
            check_unchanged(part.n_samples, (len(data.positive) - n_pos, n_pos))
            self.roc = breakpoints(data)

    def __iter__(self):
        if self.part.points is not None:
            yield self.part.points
            return
        (f0, t0), (f1, t1) = self.part.start, self.part.end
        for points in self.roc.parts:
            # Rounded running totals of weights may exceed the end of the range.
            fps, tps = np.minimum(points.fps + f0, f1), np.minimum(points.tps + t0, t1)
            yield Points(fps, tps, None)
        if (fps[-1], tps[-1]) != (f1, t1):
            yield Points(np.array([fps[-1], f1]), np.array([tps[-1], t1]), None)


def check_unchanged(counted, found):
    """Raise if negatives and positives in a range are not as many as were counted."""
    if tuple(counted) != tuple(found):
        raise ValueError(
            "Every pass over `batches` or `frame` must meet the same samples. Got "
            f"{found[0]} negatives and {found[1]} positives in a range of scores where "
            f"{counted[0]} and {counted[1]} were counted. Batches must come from a "
            "callable that starts anew each time, without shuffling or sampling."
        )
