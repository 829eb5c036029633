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


def breakpoints(data, *, with_order=False):
    """The ROC curve through its breakpoints, at most `2 min(P, N) + 2` of them.

    Ends of parts, which lie between two scores, are points too. For small data sets with
    tied scores the result has a point at every distinct score.

    Parameters
    ----------
    data : BinaryData
    with_order : bool, default=False
        Whether the ROC curve needs the order of the samples. Up to `sorting.FEW_SAMPLES`
        samples, and with weights, it is always found.

    Returns
    -------
    ROCCurve
    """
    if len(data.score) <= sorting.FEW_SAMPLES:
        return _of_few_samples(data, breakpoints_only=True)
    samples = sorting.sort_samples(data, with_order=with_order)
    if samples.minority is not None:
        return _roc_curve(samples, [_points(samples, *_minority_breakpoints(samples))])
    return _roc_curve(samples, _Parts(samples, _breakpoints))


def every_threshold(data, *, with_order=False):
    """The ROC curve at every distinct score; parameters and result as in `breakpoints`."""
    if len(data.score) <= sorting.FEW_SAMPLES:
        return _of_few_samples(data)
    samples = sorting.sort_samples(data, look_up=False, with_order=with_order)
    return _roc_curve(samples, _Parts(samples, _tie_ends))


def at_breakpoints(roc):
    """A ROC curve of `every_threshold` through its breakpoints, without another sort.

    For small data sets it is returned as it is.
    """
    if isinstance(roc.parts, _Parts):
        return roc._replace(parts=_Parts(roc.parts.samples, _breakpoints))
    return roc


def positive_thresholds(data, *, with_order=False):
    """The ROC curve at the scores of positives, on which average precision depends.

    For small data sets the result has a point at every distinct score. Parameters and
    result as in `breakpoints`.
    """
    if len(data.score) <= sorting.FEW_SAMPLES:
        return _of_few_samples(data)
    is_minority = 2 * np.count_nonzero(data.positive) <= len(data.positive)
    samples = sorting.sort_samples(data, look_up=is_minority, with_order=with_order)
    if samples.minority is None:
        points_of = partial(_scores_of_positives, are_marked=is_minority)
        return _roc_curve(samples, _Parts(samples, points_of))
    value, marked_above = _distinct(samples.minority)
    n_above = np.searchsorted(samples.keys, value, "right")
    counts = _with_ends(n_above, marked_above, len(samples.keys), len(samples.minority))
    return _roc_curve(samples, [_points(samples, *counts)])


def from_counts(fps, tps):
    """The ROC curve of counts that rise from (0, 0) to the totals without repetition."""
    return ROCCurve([Points(fps, tps, None)], tps[-1], fps[-1])


def _of_few_samples(data, *, breakpoints_only=False):
    """The ROC curve of a small data set, sorted by `argsort`.

    It has a point at every distinct score. With `breakpoints_only=True`, and if no scores
    are tied, it has only the breakpoints.
    """
    order, n_above = sorting.by_falling_score(data.score)
    positive = data.positive.take(order)
    if breakpoints_only and len(n_above) > len(order):
        n_above, tps = _runs(positive)
    else:
        tps = _number_before(positive)[n_above]
    fps = n_above - tps
    if data.weight is not None:
        weight = data.weight.take(order)
        tps = running_total(weight[positive])[tps]
        fps = running_total(weight[~positive])[fps]
    scores_above = partial(sorting.lowest_of_highest, data.score, order)
    points = Points(fps, tps, n_above)
    return ROCCurve([points], tps[-1], fps[-1], scores_above, order)


def _roc_curve(samples, parts):
    """The `ROCCurve` of sorted samples with these parts."""
    totals = samples.n_pos, samples.n_neg
    return ROCCurve(parts, *totals, samples.scores_above, samples.order)


@dataclass(frozen=True)
class _Parts:
    """The parts of a ROC curve, computed anew at each iteration to save memory.

    Each part starts with the last point of the part before. A part ends between two scores,
    so its ends may not be breakpoints.

    Attributes
    ----------
    samples : SortedSamples
    points_of : callable
        Maps keys to the numbers of all samples and of minority samples before each point,
        in new arrays.
    """

    samples: SortedSamples
    points_of: Callable

    def __iter__(self) -> Iterator[Points]:
        keys = self.samples.keys
        start = n_marked = 0
        # There are more thresholds than breakpoints: shorter parts stay in the cache.
        size = _PART if self.points_of is _breakpoints else max(1, _PART // 2)
        while start < len(keys):
            stop = start + size
            if stop < len(keys):  # extend the part to the end of the tie
                tie = keys[stop - 1] | keys.dtype.type(1)
                stop = start + int(np.searchsorted(keys[start:], tie, "right"))
            n_above, marked = self.points_of(keys[start:stop])
            n_above += start
            marked += n_marked
            yield _points(self.samples, n_above, marked)
            start, n_marked = stop, marked[-1]


def _points(samples, n_above, marked):
    """Points from the numbers of all samples and of minority samples above each."""
    unmarked = n_above - marked
    if samples.marked_weights is not None:
        marked = samples.marked_weights[marked]
        unmarked = samples.unmarked_weights[unmarked]
    fps, tps = (unmarked, marked) if samples.marks_positive else (marked, unmarked)
    return Points(fps, tps, n_above)


def _scores_of_positives(keys, are_marked):
    """Numbers of all samples and of minority samples down to each score of a positive.

    Parameters
    ----------
    keys : ndarray
        As in `SortedSamples`, with the class in the lowest bit.
    are_marked : bool
        Whether the positives are the minority class.

    Returns
    -------
    n_above, marked : ndarray of int64
        Samples with this score or a higher one. Both start with 0 and end with the totals.
    """
    low_byte = keys.astype(np.uint8)
    is_positive = low_byte & 1 == are_marked
    n_above = is_positive.nonzero()[0]
    n_pos = len(n_above)
    if np.count_nonzero(is_positive[1:] & (keys[1:] == keys[:-1])):
        _, positives = _distinct(keys.take(n_above))
        n_above = n_above.take(positives - 1)
    else:
        positives = np.arange(1, n_pos + 1)
    n_above += 1
    if are_marked:  # samples of the minority class come last in a tie
        return _with_ends(n_above, positives, len(keys), n_pos)
    key, in_tie = _ties_of_both_classes(keys, low_byte)
    tied = np.searchsorted(n_above, in_tie)
    n_above[tied] = np.searchsorted(keys, key, "right")
    return _with_ends(n_above, n_above - positives, len(keys), len(keys) - n_pos)


def _distinct(values):
    """The distinct values of a sorted array, and the position after the last of each."""
    is_last = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=is_last[:-1])
    last = is_last.nonzero()[0]
    return values if len(last) == len(values) else values.take(last), last + 1


def _with_ends(n_above, marked, n_samples, n_marked):
    """Both numbers of samples above each point, with the first and the last point added."""
    stop = -1 if len(n_above) and n_above[-1] == n_samples else None
    return (
        np.concatenate(([0], column[:stop], [end]))
        for column, end in ((n_above, n_samples), (marked, n_marked))
    )


def _tie_ends(keys):
    """Numbers of all samples and of minority samples down to each distinct score."""
    marked = _number_before(low_bit(keys))
    value = keys >> keys.dtype.type(1)
    is_end = np.ones(len(keys) + 1, dtype=bool)
    np.not_equal(value[1:], value[:-1], out=is_end[1:-1])
    if np.count_nonzero(is_end) == len(is_end):  # no ties: nothing to select
        return np.arange(len(is_end)), marked
    n_above = is_end.nonzero()[0]
    return n_above, marked[n_above]


def _number_before(chosen):
    """Number of True elements before each position and before the end."""
    number = np.zeros(len(chosen) + 1, dtype=np.int64)
    number[1:] = chosen  # a cumulative sum that also casts takes five times as long
    np.add.accumulate(number[1:], out=number[1:])
    return number


def _breakpoints(keys):
    """Numbers of all samples and of minority samples before each breakpoint.

    Without ties these are the ends of runs. If the sample before a run of the minority
    class has the same score as its first sample, the run starts inside a tie, and the ends
    of that tie are the breakpoints.
    """
    low_byte = keys.astype(np.uint8)
    n_above, marked = _runs(low_byte & 1)
    key, in_tie = _ties_of_both_classes(keys, low_byte)
    if not len(key):
        return n_above, marked
    # Both ends of the keys, and between them starts and stops of runs alternately.
    first = 0 if low_byte[0] & 1 else 1
    start, stop = n_above[first:-1:2], n_above[first + 1 :: 2]
    marked_to_start, marked_to_stop = marked[first:-1:2], marked[first + 1 :: 2]
    tied = np.searchsorted(start, in_tie)
    tie_start, tie_stop = start.copy(), start.copy()
    tie_start[tied] = np.searchsorted(keys, key - keys.dtype.type(1), "left")
    tie_stop[tied] = np.searchsorted(keys, key, "right")
    marked_to_tie_stop = marked_to_start + (tie_stop - start)
    n_above, stops = _distinct(_interleaved(len(keys), tie_start, tie_stop, stop))
    marked = marked_to_start, marked_to_tie_stop, marked_to_stop
    return n_above, _interleaved(marked_to_stop[-1], *marked)[stops - 1]


def _ties_of_both_classes(keys, low_byte):
    """The keys of the minority class in ties of both classes, and the first index of each.

    The two keys of such a tie differ in the lowest bit only. So do their lowest bytes,
    which cost less to compare.
    """
    last = (low_byte[1:] ^ low_byte[:-1] == 1).nonzero()[0]
    key, first = keys.take(last) + keys.dtype.type(1), last + 1
    is_tie = keys.take(first) == key
    return key[is_tie], first[is_tie]


def _runs(marked):
    """Positions where the class changes, and the number of minority samples before each.

    The positions start with 0 and end with the number of samples. Between two of them lies
    a run: samples of one class, next to one another in the sorted order.
    """
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
    value, marked_stop = _distinct(minority)
    marked_start = np.append(0, marked_stop[:-1])
    start = np.searchsorted(keys, value, "left")
    stop = start + (marked_stop - marked_start)
    # A score is pure if only samples of the minority class have it.
    pure = (stop == len(keys)) | (keys.take(stop, mode="clip") != value)
    mixed = (~pure).nonzero()[0]
    stop[mixed] = np.searchsorted(keys, value[mixed], "right")
    # Between two neighboring scores of minority samples only there is no breakpoint.
    first, last = np.ones((2, len(pure)), dtype=bool)
    first[1:] = last[:-1] = ~(pure[1:] & pure[:-1] & (start[1:] == stop[:-1]))
    n_above, stops = _distinct(_interleaved(len(keys), start[first], stop[last]))
    marked = _interleaved(len(minority), marked_start[first], marked_stop[last])
    return n_above, marked[stops - 1]


def _interleaved(last, *columns):
    """0, then the first of each column, the second of each, ..., then `last`."""
    n_columns = len(columns)
    values = np.empty(n_columns * len(columns[0]) + 2, dtype=np.int64)
    values[0], values[-1] = 0, last
    for i, column in enumerate(columns):
        values[i + 1 : -1 : n_columns] = column
    return values
