"""The ROC curve in counts, from sorted samples.

A breakpoint is a point at which the ROC curve may change its direction: a run of samples of
one class, or a tie, is one straight segment and needs no inner points. The breakpoints
determine an area; curves and sums over thresholds need more points.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from . import sorting
from .curve import Points, ROCCurve
from .sorting import SortedSamples, edges, low_bit

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
    return _roc_curve(data, _breakpoints, with_order)


def every_threshold(data, *, with_order=False):
    """The ROC curve at every distinct score; parameters and result as in `breakpoints`."""
    return _roc_curve(data, _ends_of_ties, with_order)


def at_breakpoints(roc):
    """A ROC curve of `every_threshold` through its breakpoints, without another sort.

    For small data sets it is returned as it is.
    """
    if isinstance(roc.parts, _Parts):
        return roc._replace(parts=_Parts(roc.parts.samples, _breakpoints))
    return roc


def positive_thresholds(data, *, with_order=False):
    """The ROC curve at the scores of positives, on which average precision depends.

    For small data sets, and if most samples are positive, the result has a point at every
    distinct score. Parameters and result as in `breakpoints`.
    """
    is_minority = 2 * np.count_nonzero(data.positive) <= len(data.positive)
    ends_of = _ends_of_minority_ties if is_minority else _ends_of_ties
    return _roc_curve(data, ends_of, with_order)


def from_counts(fps, tps):
    """The ROC curve of counts that rise from (0, 0) to the totals without repetition."""
    return ROCCurve([Points(fps, tps, None)], tps[-1], fps[-1])


def _roc_curve(data, ends_of, with_order):
    """The `ROCCurve` through the points that ``ends_of(keys, is_marked)`` selects."""
    if len(data.score) <= sorting.FEW_SAMPLES:
        return _of_few_samples(data, breakpoints_only=ends_of is _breakpoints)
    look_up = ends_of is not _ends_of_ties
    samples = sorting.sort_samples(data, look_up=look_up, with_order=with_order)
    found = samples.minority is not None
    parts = [_looked_up(samples)] if found else _Parts(samples, ends_of)
    n_pos = np.count_nonzero(data.positive)
    totals = n_pos, len(data.positive) - n_pos
    if samples.weights is not None:
        totals = tuple(total[-1] for total in samples.weights)
    return ROCCurve(parts, *totals, samples.scores_above, samples.order)


def _of_few_samples(data, *, breakpoints_only):
    """The ROC curve of a small data set, sorted by `argsort`.

    It has a point at every distinct score. With `breakpoints_only=True`, and if no scores
    are tied, it has only the breakpoints.
    """
    order, n_above = sorting.by_falling_score(data.score)
    positive = data.positive.take(order)
    if breakpoints_only and len(n_above) > len(order):
        n_above = edges(positive).nonzero()[0]
    weights = None
    if data.weight is not None:
        weights = sorting.weights_above(data.positive, data.weight, order)
    points = _weighted(n_above, _number_before(positive)[n_above], weights)
    scores_above = partial(sorting.lowest_of_highest, data.score, order)
    return ROCCurve([points], points.tps[-1], points.fps[-1], scores_above, order)


@dataclass(frozen=True)
class _Parts:
    """The parts of a ROC curve, computed anew at each iteration to save memory.

    Each part starts with the last point of the part before. A part ends between two scores,
    so its ends may not be breakpoints.

    Attributes
    ----------
    samples : SortedSamples
    ends_of : callable
        Maps keys, and their marks of the minority class, to the positions of the points
        among them, in a new array that starts with 0 and ends with the number of keys.
    """

    samples: SortedSamples
    ends_of: Callable

    def __iter__(self) -> Iterator[Points]:
        keys = self.samples.keys
        start = n_marked = 0
        while start < len(keys):
            stop = start + _PART
            if stop < len(keys):  # extend the part to the end of the tie
                tie = keys[stop - 1] | keys.dtype.type(1)
                stop = start + int(np.searchsorted(keys[start:], tie, "right"))
            is_marked = low_bit(keys[start:stop])
            ends = self.ends_of(keys[start:stop], is_marked)
            marked = _number_before(is_marked)[ends]
            marked += n_marked
            ends += start
            yield _points(self.samples, ends, marked)
            start, n_marked = stop, marked[-1]


def _points(samples, n_above, marked):
    """Points from the numbers of all samples and of minority samples above each."""
    tps = marked if samples.marks_positive else n_above - marked
    return _weighted(n_above, tps, samples.weights)


def _weighted(n_above, tps, weights):
    """Points from the numbers of all samples and of positives above each."""
    fps = n_above - tps
    if weights is not None:
        tps, fps = weights[0][tps], weights[1][fps]
    return Points(fps, tps, n_above)


def _number_before(chosen):
    """Number of True elements before each position and before the end."""
    number = np.zeros(len(chosen) + 1, dtype=np.int64)
    number[1:] = chosen  # a cumulative sum that also casts takes five times as long
    np.add.accumulate(number[1:], out=number[1:])
    return number


def _ends_of_ties(keys, is_marked):
    """Positions after the samples of each distinct score."""
    return edges(keys >> keys.dtype.type(1)).nonzero()[0]


def _ends_of_minority_ties(keys, is_marked):
    """Positions after each distinct score of a sample of the minority class."""
    is_end = edges(keys)
    is_end[1:-1] &= is_marked[:-1]  # that class comes last in a tie
    return is_end.nonzero()[0]


def _breakpoints(keys, is_marked):
    """Positions of the breakpoints.

    Without ties these are the ends of runs, samples of one class next to one another. If a
    run ends inside a tie, the ends of the tie are the breakpoints instead.
    """
    is_end = edges(is_marked)
    ends = is_end.nonzero()[0]
    # The two keys of a tie of both classes differ in the lowest bit only.
    in_tie = (keys[1:] ^ keys[:-1] == 1).nonzero()[0] + 1
    if not len(in_tie):
        return ends
    key = keys.take(in_tie)
    is_end[in_tie] = False
    is_end[np.searchsorted(keys, key - keys.dtype.type(1), "left")] = True
    is_end[np.searchsorted(keys, key, "right")] = True
    return is_end.nonzero()[0]


def _looked_up(samples):
    """The points at both ends of each minority score, found among all sorted scores."""
    keys, minority = samples.keys, samples.minority
    marked = edges(minority).nonzero()[0]
    value = minority.take(marked[1:] - 1)
    start = np.searchsorted(keys, value, "left")
    stop = start + np.diff(marked)
    # Samples of the other class may have this score as well.
    tied = (keys.take(stop, mode="clip") == value).nonzero()[0]
    stop[tied] = np.searchsorted(keys, value.take(tied), "right")
    n_above = np.concatenate(([0], np.column_stack((start, stop)).ravel(), [len(keys)]))
    is_new = np.diff(n_above, prepend=-1) > 0
    return _points(samples, n_above[is_new], marked.repeat(2)[is_new])
