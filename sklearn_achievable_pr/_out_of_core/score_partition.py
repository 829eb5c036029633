"""Partition of the scores into ranges that are sorted and integrated independently.

A histogram gives the number of samples of each class above each range, which is the point
where the ROC curve enters the range. Integrals over ranges add up, and every vertex of the
hull of all samples is a vertex of the hull of its range.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise

import numpy as np

from .._input.options import value_or_warn
from .._roc.counting import breakpoints
from .._roc.curve import Points, ROCCurve
from .bins import LeadingBits, Refined

# Bins with too many samples are divided: total number of parts, and minimum per bin.
_N_PARTS, _MIN_PARTS = 2**16, 16


def cut_ranges(count):
    """Ranges of neighbouring bins, each with few enough samples or a single bin.

    The ROC curve within a bin of one score or one class is known without its samples. A
    long sequence of such bins is a separate range.

    Parameters
    ----------
    count : callable
        Returns the `BinCounts` of all samples in given bins, and the maximum number of
        samples per bin; a range may have twice this number. It is called again with finer
        bins if a bin has more samples.

    Returns
    -------
    ranges : list of Points
        The ROC curve within each range, by decreasing score: all points if known, else the
        first and the last.
    n_needed : ndarray of int64, shape (n_ranges + 1, 2)
        Numbers of negatives and positives of each range; the last row counts samples that
        no range needs.
    table : BinCounts
        The counts of the bins that the ranges are made of.
    range_of_bin : ndarray of int32, shape (n_bins,)
        The range that needs the samples of each bin, or `n_ranges`.
    """
    bins = LeadingBits(2**16)
    while True:
        table, limit = count(bins)
        n_samples = table.samples.sum(axis=1)
        if not n_samples.any():
            raise ValueError(
                "`batches` or `frame` must hold at least one sample of positive weight. "
                "Got none."
            )
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
    number = np.repeat(np.arange(len(first)), np.diff(first, append=len(used)))
    number[known] = len(first)

    above = np.concatenate(([[0, 0]], np.cumsum(table.weights[used], axis=0)))
    ranges = []
    for start, stop in pairwise([*first, len(used)]):
        index = slice(start, stop + 1) if known[start] else [start, stop]
        ranges.append(Points(*above[index].T, None))
    n_needed = np.zeros((len(ranges) + 1, 2), dtype=np.int64)
    np.add.at(n_needed, number, table.samples[used])
    range_of_bin = np.full(bins.n_bins, len(ranges), dtype=np.int32)
    range_of_bin[used] = number
    return ranges, n_needed, table, range_of_bin


def check_unchanged(counted, found):
    """Raise `ValueError` unless the second pass found the counts of the first pass."""
    if not np.array_equal(counted, found):
        raise ValueError(
            "Every pass over `batches` or `frame` must meet the same samples. Got other "
            "labels, scores or weights than in the pass before. Batches must come from a "
            "callable that starts anew each time, without shuffling or sampling."
        )


def area_over_ranges(metric, ranges, n_needed, integrate):
    """The value of a metric of the ROC curve through all ranges.

    Parameters
    ----------
    metric : MetricWithOptions
        An area.
    ranges, n_needed
        What `cut_ranges` returns.
    integrate : callable
        ``integrate(task, indices)`` calls `task`, which can be pickled, with the points and
        the `BinaryData` of each range with these indices, and returns the results in an
        iterable. Only ranges that need samples are passed.

    Returns
    -------
    float
        NaN, with a warning, if a class is missing.
    """
    n_neg, n_pos = ranges[-1].fps[-1].item(), ranges[-1].tps[-1].item()
    roc = ROCCurve((), n_pos, n_neg, None)

    needs_samples = n_needed[:-1].any(axis=1)

    def run(task):
        numbers = needs_samples.nonzero()[0].tolist()
        results = iter(integrate(task, numbers) if numbers else ())
        return [
            next(results) if needed else task(points, None)
            for points, needed in zip(ranges, needs_samples, strict=True)
        ]

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


def _terms(points, data, *, terms, roc, low, high):
    return list(terms(roc._replace(parts=_parts(points, data)), low, high))


def _hull(points, data, *, roc):
    return roc._replace(parts=_parts(points, data)).hull().parts[0]


def _parts(points, data):
    return [points] if data is None else ShiftedParts(points, breakpoints(data))


@dataclass(frozen=True)
class ShiftedParts:
    """Parts of a ROC curve between the two points of a range, recomputed when iterated."""

    ends: Points
    roc: ROCCurve

    def __iter__(self):
        (f0, f1), (t0, t1), _ = self.ends
        for fps, tps, _ in self.roc.parts:
            # Rounded running totals of weights may exceed the end of the range.
            yield Points(np.minimum(fps + f0, f1), np.minimum(tps + t0, t1), None)
