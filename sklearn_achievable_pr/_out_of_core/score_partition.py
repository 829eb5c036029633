"""Ranges of scores: each can be sorted and integrated by itself.

A histogram says how many samples of either class lie above each range, and so where the
ROC curve enters it. Integrals over ranges add up, and vertices of the hull of all samples
are vertices of the hull of their range.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from .._input.options import value_or_warn
from .._roc.counting import breakpoints
from .._roc.curve import Points, ROCCurve
from .bins import LeadingBits, Refined

# Bins that hold too many samples are divided into so many parts in all, and into so many
# at least.
_N_PARTS, _MIN_PARTS = 2**16, 16


class ScoreRange(NamedTuple):
    """Neighbouring bins, and where the ROC curve enters and leaves them.

    Attributes
    ----------
    n_samples : list of int
        Negatives and positives, unweighted.
    start, end : list
        False and true positives.
    points : Points or None
        The ROC curve between them if it is known without the samples.
    """

    n_samples: list
    start: list
    end: list
    points: Points | None


def cut_ranges(count, max_samples):
    """Ranges that hold few enough samples, or one bin.

    Bins of one score or one class need no samples: many of them in sequence are a range of
    their own.

    Parameters
    ----------
    count : callable
        The `BinCounts` of all samples in given bins. Called again, with finer bins, where
        a bin holds too many samples.
    max_samples : callable
        How many samples a bin may hold, from a `BinCounts`; a range may hold twice as many.

    Returns
    -------
    ranges : list of ScoreRange
        By falling score.
    bins : Bins
        The bins that the ranges are made of.
    range_of_bin : ndarray of int32, shape (n_bins,)
        Number of the range of each bin; that after the last one for empty bins.
    """
    bins = LeadingBits(2**16)
    while True:
        table = count(bins)
        n_samples = table.samples.sum(axis=1)
        if not n_samples.any():
            raise ValueError(
                "`batches` or `frame` must hold at least one sample of positive weight. "
                "Got none."
            )
        limit = max_samples(table)
        divisible = np.diff(bins.lowest_keys()).view(np.uint64) > 1
        crowded = table.mixed & divisible & (n_samples > limit)
        if not crowded.any():
            break
        n_parts = max(_N_PARTS // np.count_nonzero(crowded), _MIN_PARTS)
        bins = Refined(bins, np.where(crowded, n_parts, 1))

    used = n_samples.nonzero()[0][::-1]
    mixed, n_samples = table.mixed[used], n_samples[used]
    sequence = np.cumsum(np.diff(mixed, prepend=mixed[:1]))
    in_sequence = np.bincount(sequence, n_samples)[sequence]
    known = ~mixed & (4 * in_sequence >= limit)
    part = np.where(known, -1, np.cumsum(n_samples) // limit)
    first = np.diff(part, prepend=-2).nonzero()[0]
    edges = [*first.tolist(), len(used)]

    above = np.concatenate(([[0, 0]], np.cumsum(table.weights[used], axis=0)))
    counted = np.add.reduceat(table.samples[used], first).tolist()
    ranges = []
    for number, (start, stop) in enumerate(pairwise(edges)):
        points = Points(*above[start : stop + 1].T, None) if known[start] else None
        ends = above[[start, stop]].tolist()
        ranges.append(ScoreRange(counted[number], *ends, points))
    range_of_bin = np.full(bins.n_bins, len(ranges), dtype=np.int32)
    range_of_bin[used] = np.repeat(np.arange(len(ranges)), np.diff(edges))
    return ranges, bins, range_of_bin


def check_unchanged(counted, found):
    """Raise if negatives and positives in each range are not as many as were counted."""
    for expected, got in zip(counted, found, strict=True):
        if expected != got:
            raise ValueError(
                "Every pass over `batches` or `frame` must meet the same samples. Got "
                f"{got[0]} negatives and {got[1]} positives in a range of scores where "
                f"{expected[0]} and {expected[1]} were counted. Batches must come from a "
                "callable that starts anew each time, without shuffling or sampling."
            )


def area_over_ranges(metric, ranges, run):
    """A metric of the ROC curve through all ranges.

    Parameters
    ----------
    metric : MetricWithOptions
        An area.
    ranges : list of ScoreRange
    run : callable
        Calls a task with each range and its `BinaryData`; returns the results by falling
        score. The task can be pickled.

    Returns
    -------
    float
        NaN, with a warning, if a class is missing.
    """
    n_neg, n_pos = ranges[-1].end
    roc = ROCCurve((), n_pos, n_neg, None)

    def value():
        if metric.metric.on_hull:
            return metric.value(roc._replace(parts=run(partial(_hull, roc=roc))))
        return metric.metric.value(
            roc.at_prevalence(metric.prevalence), metric.low, metric.high, total=total
        )

    def total(terms, roc, low, high):
        task = partial(_terms, terms=terms, roc=roc, low=low, high=high)
        return math.fsum(chain.from_iterable(run(task)))

    what = "AUCNPR" if metric.metric.needs_negatives else "the area"
    return value_or_warn(value, np.nan, what)


def _terms(part, data, *, terms, roc, low, high):
    return list(terms(roc._replace(parts=_parts(part, data)), low, high))


def _hull(part, data, *, roc):
    return roc._replace(parts=_parts(part, data)).hull().parts[0]


def _parts(part, data):
    """The parts of the ROC curve within a range; `data` is not used if they are known."""
    return [part.points] if part.points else ShiftedParts(part, breakpoints(data))


@dataclass(frozen=True)
class ShiftedParts:
    """Parts of a ROC curve from the start of a range, made at each iteration."""

    part: ScoreRange
    roc: ROCCurve

    def __iter__(self):
        (f0, t0), (f1, t1) = self.part.start, self.part.end
        for fps, tps, _ in self.roc.parts:
            # Rounded running totals of weights may exceed the end of the range.
            yield Points(np.minimum(fps + f0, f1), np.minimum(tps + t0, t1), None)
