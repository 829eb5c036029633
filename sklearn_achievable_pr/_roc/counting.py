"""The ROC curve in counts, from sorted samples.

A breakpoint is a point at which the ROC curve may change its direction: a run of samples of
one class, or a tie, is one straight segment and needs no inner points. The breakpoints
determine an area; curves and sums over thresholds need more points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from . import sorting
from .curve import Points, ROCCurve
from .sorting import SortedSamples, low_bit, running_total

# Samples per part of a ROC curve: enough to make the cost of calls negligible, and few
# enough that temporary arrays reuse allocated memory.
_PART = 1 << 15


def breakpoints(data):
    """The ROC curve through its breakpoints, at most `2 min(P, N) + 2` of them.

    Ends of parts, which lie between two scores, are points too. For small data sets with
    tied scores the result has a point at every distinct score.

    Parameters
    ----------
    data : tuple
        Arguments of `sorting.sort_samples`: positive, score, weight.

    Returns
    -------
    ROCCurve
    """
    if len(data[1]) <= sorting.FEW_SAMPLES:
        return _of_few_samples(data, breakpoints_only=True)
    samples = sorting.sort_samples(*data)
    if samples.minority is not None:
        counts = _minority_breakpoints(samples)
        return _roc_curve(samples, [_counts_above(samples, *counts)])
    return _roc_curve(samples, _Parts(samples, _breakpoints))


def every_threshold(data):
    """The ROC curve at every distinct score; parameters and result as in `breakpoints`."""
    if len(data[1]) <= sorting.FEW_SAMPLES:
        return _of_few_samples(data)
    samples = sorting.sort_samples(*data, look_up=False)
    return _roc_curve(samples, _Parts(samples, _tie_ends))


def positive_thresholds(data):
    """The ROC curve at the scores of positives, on which average precision depends.

    For small data sets the result has a point at every distinct score. Parameters and
    result as in `breakpoints`.
    """
    if len(data[1]) <= sorting.FEW_SAMPLES:
        return _of_few_samples(data)
    is_minority = 2 * np.count_nonzero(data[0]) <= len(data[0])
    samples = sorting.sort_samples(*data, look_up=is_minority)
    if samples.minority is None:
        points_of = partial(_scores_of_positives, are_marked=is_minority)
        return _roc_curve(samples, _Parts(samples, points_of))
    value, marked_below = _distinct(samples.minority)
    below = np.searchsorted(samples.keys, value, "left")
    totals = len(samples.keys), len(samples.minority)
    counts = _with_ends(below, marked_below, *totals)
    return _roc_curve(samples, [_counts_above(samples, *counts)])


def from_counts(fps, tps):
    """The ROC curve of counts that rise from (0, 0) to the totals without repetition."""
    return ROCCurve([Points(fps, tps, None)], tps[-1], fps[-1], None)


def _of_few_samples(data, *, breakpoints_only=False):
    """The ROC curve of a small data set, sorted by `argsort`.

    It has a point at every distinct score. With `breakpoints_only=True`, and if no scores
    are tied, it has only the breakpoints.
    """
    positive, score, weight, n_above = sorting.by_falling_score(*data)
    if breakpoints_only and len(n_above) > len(score):
        n_above, tps = _changes_of_class(positive)
    else:
        tps = _number_before(positive)[n_above]
    fps = n_above - tps
    if weight is not None:
        tps = running_total(weight[positive])[tps]
        fps = running_total(weight[~positive])[fps]

    def scores_above(n_above):
        return sorting.without_sign(score[n_above - 1])

    return ROCCurve([Points(fps, tps, n_above)], tps[-1], fps[-1], scores_above)


def _roc_curve(samples, parts):
    """The `ROCCurve` of sorted samples with these parts."""
    return ROCCurve(parts, samples.n_pos, samples.n_neg, samples.scores_above)


@dataclass(frozen=True)
class _Parts:
    """The parts of a ROC curve, computed anew at each iteration to save memory.

    Each part starts with the last point of the part before. A part ends between two scores,
    so its ends may not be breakpoints.

    Attributes
    ----------
    samples : SortedSamples
    points_of : callable
        Maps keys to the numbers of all samples and of minority samples below each point, by
        increasing score.
    """

    samples: SortedSamples
    points_of: Callable

    def __iter__(self) -> Iterator[Points]:
        keys = self.samples.keys
        n_above = marked_above = 0
        stop = len(keys)
        # There are more thresholds than breakpoints: shorter parts stay in the cache.
        size = _PART if self.points_of is _breakpoints else max(1, _PART // 2)
        while stop > 0:
            start = max(0, stop - size)
            if start > 0:  # extend the part to the lower end of the tie
                tie = keys[start] & ~keys.dtype.type(1)
                start = int(np.searchsorted(keys[:stop], tie, "left"))
            below, marked_below = self.points_of(keys[start:stop])
            yield _counts_above(self.samples, below, marked_below, n_above, marked_above)
            n_above += stop - start
            marked_above += int(marked_below[-1])
            stop = start


def _counts_above(samples, below, marked_below, n_above=0, marked_above=0):
    """Points by decreasing score, from numbers of samples below by increasing score."""
    n_above = (n_above + below[-1] - below)[::-1]
    marked = (marked_above + marked_below[-1] - marked_below)[::-1]
    unmarked = n_above - marked
    if samples.marked_weights is not None:
        marked = samples.marked_weights[marked]
        unmarked = samples.unmarked_weights[unmarked]
    fps, tps = (unmarked, marked) if samples.marks_positive else (marked, unmarked)
    return Points(fps, tps, n_above)


def _scores_of_positives(keys, are_marked):
    """Numbers of samples as `_tie_ends` returns them, at the scores of positives only."""
    at = (low_bit(keys) == are_marked).nonzero()[0]
    value, positives_below = _distinct(keys.take(at))
    below = at.take(positives_below)
    if not are_marked:  # samples of the majority class come first in a tie
        n_marked = len(keys) - len(at)
        return _with_ends(below, below - positives_below, len(keys), n_marked)
    tied = (keys[below - 1] + keys.dtype.type(1) == value).nonzero()[0]
    below[tied] = np.searchsorted(keys, value[tied] - keys.dtype.type(1), "left")
    return _with_ends(below, positives_below, len(keys), len(at))


def _distinct(values):
    """The distinct values of a sorted array, and the first position of each."""
    is_first = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=is_first[1:])
    first = is_first.nonzero()[0]
    return values if len(first) == len(values) else values.take(first), first


def _with_ends(below, marked_below, n_samples, n_marked):
    """Numbers of samples below each point, with the ends 0 and all samples added."""
    skip = 1 if len(below) and below[0] == 0 else 0
    return (
        np.concatenate(([0], column[skip:], [end]))
        for column, end in ((below, n_samples), (marked_below, n_marked))
    )


def _tie_ends(keys):
    """Numbers of samples below each distinct score, as `_breakpoints` returns them."""
    marked_below = _number_before(low_bit(keys))
    value = keys >> keys.dtype.type(1)
    is_end = np.ones(len(keys) + 1, dtype=bool)
    np.not_equal(value[1:], value[:-1], out=is_end[1:-1])
    if np.count_nonzero(is_end) == len(is_end):  # no ties: nothing to select
        return np.arange(len(is_end)), marked_below
    below = is_end.nonzero()[0]
    return below, marked_below[below]


def _number_before(chosen):
    """Number of True elements before each position and before the end."""
    number = np.zeros(len(chosen) + 1, dtype=np.int64)
    number[1:] = chosen  # a cumulative sum that also casts takes five times as long
    np.add.accumulate(number[1:], out=number[1:])
    return number


def _breakpoints(keys):
    """Numbers of all samples and of minority samples below each breakpoint, by score.

    A run is a maximal sequence of minority samples in the sorted order. If the sample
    before a run has the same score as its first sample, the run starts inside a tie, and
    the ends of that tie are the breakpoints.
    """
    marked = low_bit(keys)
    below, marked_below = _changes_of_class(marked)
    # Both ends of the keys, and between them starts and stops of runs alternately.
    first = 0 if marked[0] else 1

    # For start = 0 this compares keys[-1], the largest key, which is never one less.
    start = below[first:-1:2]
    key = keys.take(start)
    in_tie = (keys.take(start - 1) + keys.dtype.type(1) == key).nonzero()[0]
    if not len(in_tie):
        return below, marked_below
    stop = below[first + 1 :: 2]
    marked_to_start, marked_to_stop = marked_below[first:-1:2], marked_below[first + 1 :: 2]
    tie_start, tie_stop, key = start.copy(), start.copy(), key[in_tie]
    tie_start[in_tie] = np.searchsorted(keys, key - keys.dtype.type(1), "left")
    tie_stop[in_tie] = np.searchsorted(keys, key, "right")
    marked_to_tie_stop = marked_to_start + (tie_stop - start)
    below, first = _distinct(_interleaved(len(keys), tie_start, tie_stop, stop))
    marked_below = marked_to_start, marked_to_tie_stop, marked_to_stop
    return below, _interleaved(marked_to_stop[-1], *marked_below)[first]


def _changes_of_class(marked):
    """Positions where the class changes, and both ends; the marked samples before each."""
    is_edge = np.ones(len(marked) + 1, dtype=bool)
    np.not_equal(marked[1:], marked[:-1], out=is_edge[1:-1])
    edge = is_edge.nonzero()[0]
    length = edge[1:] - edge[:-1]
    first = 0 if marked[0] else 1  # every second run is one of marked samples
    marked_before = np.zeros(len(edge), dtype=np.int64)
    np.add.accumulate(length[first::2], out=marked_before[first + 1 :: 2])
    marked_before[first + 2 :: 2] = marked_before[first + 1 : -1 : 2]
    return edge, marked_before


def _minority_breakpoints(samples):
    """The result of `_breakpoints`, from the positions of few minority scores among all."""
    keys, minority = samples.keys, samples.minority
    value, marked_start = _distinct(minority)
    marked_stop = np.append(marked_start, len(minority))[1:]
    start = np.searchsorted(keys, value, "left")
    stop = start + (marked_stop - marked_start)
    # The other samples of the same score are of the majority class.
    pure = (stop == len(keys)) | (keys.take(stop, mode="clip") != value)
    mixed = (~pure).nonzero()[0]
    stop[mixed] = np.searchsorted(keys, value[mixed], "right")
    # Between two neighbouring scores of minority samples only there is no breakpoint.
    first, last = np.ones((2, len(pure)), dtype=bool)
    first[1:] = last[:-1] = ~(pure[1:] & pure[:-1] & (start[1:] == stop[:-1]))
    below, distinct = _distinct(_interleaved(len(keys), start[first], stop[last]))
    marked_below = _interleaved(len(minority), marked_start[first], marked_stop[last])
    return below, marked_below[distinct]


def _interleaved(last, *columns):
    """0, then the first of each column, the second of each, ..., then `last`."""
    n_columns = len(columns)
    values = np.empty(n_columns * len(columns[0]) + 2, dtype=np.int64)
    values[0], values[-1] = 0, last
    for i, column in enumerate(columns):
        values[i + 1 : -1 : n_columns] = column
    return values
