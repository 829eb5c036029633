"""Sorted rows to a ROC curve of counts.

Where the ROC curve is straight it needs no points: rows of one class only, or one tie that
holds both. Its breakpoints are all that an area depends on, and a curve takes every
threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from . import sorting
from .curve import Points, ROCCurve
from .sorting import SortedSamples, low_bit, running_total

# Rows of which a part of the ROC curve is made: more make each part's calls count less.
_PART = 1 << 16


def breakpoints(data):
    """The ROC curve through its breakpoints, at most `2 min(P, N) + 2` of them.

    Ends of parts between two scores, and for few rows every distinct score, are points too.

    Parameters
    ----------
    data : tuple
        What `sorting.sort_samples` takes: whether each row is positive, its score, its
        weight.

    Returns
    -------
    ROCCurve
    """
    if len(data[1]) <= sorting.FEW_SAMPLES:
        return _few_samples(data)
    rows = sorting.sort_samples(*data)
    if rows.rare is not None:
        return _path_of(rows, [_counts_above(rows, *_rare_breakpoints(rows))])
    return _path_of(rows, _Parts(rows, _breakpoints))


def every_threshold(data):
    """The ROC curve at every distinct score. Parameters and result as `breakpoints`."""
    if len(data[1]) <= sorting.FEW_SAMPLES:
        return _few_samples(data)
    rows = sorting.sort_samples(*data, look_up=False)
    return _path_of(rows, _Parts(rows, _ends_of_ties))


def positive_thresholds(data):
    """The ROC curve at the scores of positives: all that a sum of steps depends on.

    Where positives are the common class, and for few rows, all others are there too.
    Parameters and result as `breakpoints`.
    """
    if len(data[1]) <= sorting.FEW_SAMPLES:
        return _few_samples(data)
    rare = 2 * np.count_nonzero(data[0]) <= len(data[0])
    rows = sorting.sort_samples(*data, look_up=rare)
    if rows.rare is not None:
        value, marked_below = _distinct(rows.rare)
        below = np.searchsorted(rows.keys, value, "left")
        return _path_of(
            rows,
            [
                _counts_above(
                    rows, *_with_ends(below, marked_below, len(rows.keys), len(rows.rare))
                )
            ],
        )
    return _path_of(rows, _Parts(rows, _starts_of_marked if rare else _ends_of_ties))


def from_counts(fps, tps):
    """The ROC curve of given counts, from (0, 0) to the totals, no point repeated."""
    return ROCCurve([Points(fps, tps, None)], tps[-1], fps[-1], None)


def _few_samples(data):
    rows = sorting.by_falling_score(*data)
    positive, score, weight, n_above = rows
    tps = np.zeros(len(score) + 1, dtype=np.int64)
    np.add.accumulate(positive, out=tps[1:], dtype=np.int64)
    tps = tps[n_above]
    fps = n_above - tps
    if weight is not None:
        tps = running_total(weight[positive])[tps]
        fps = running_total(weight[~positive])[fps]
    return ROCCurve(
        [Points(fps, tps, n_above)], tps[-1], fps[-1], lambda n_above: score[n_above - 1]
    )


def _path_of(rows, parts):
    return ROCCurve(parts, rows.n_pos, rows.n_neg, rows.scores_above)


@dataclass(frozen=True)
class _Parts:
    """The parts of a ROC curve, made when they are asked for and kept by nobody.

    Each starts with the point that ended the one before. A part ends between two scores,
    so its ends may not be breakpoints.

    Attributes
    ----------
    rows : SortedSamples
    points_of : callable
        Keys to how many rows, and how many marked rows, lie below each point, by rising
        score.
    """

    rows: SortedSamples
    points_of: Callable

    def __iter__(self) -> Iterator[Points]:
        keys = self.rows.keys
        n_above = marked_above = 0
        stop = len(keys)
        while stop > 0:
            start = max(0, stop - _PART)
            if start > 0:  # at the lower end of a tie
                tie = keys[start] & ~keys.dtype.type(1)
                start = int(np.searchsorted(keys[:stop], tie, "left"))
            below, marked_below = self.points_of(keys[start:stop])
            yield _counts_above(self.rows, below, marked_below, n_above, marked_above)
            n_above += stop - start
            marked_above += int(marked_below[-1])
            stop = start


def _counts_above(rows, below, marked_below, n_above=0, marked_above=0):
    """Points by falling score after `n_above` rows; what is counted below is by rising."""
    n_above = (n_above + below[-1] - below)[::-1]
    marked = (marked_above + marked_below[-1] - marked_below)[::-1]
    unmarked = n_above - marked
    if rows.marked_weights is not None:
        marked, unmarked = rows.marked_weights[marked], rows.unmarked_weights[unmarked]
    fps, tps = (unmarked, marked) if rows.marks_positive else (marked, unmarked)
    return Points(fps, tps, n_above)


def _starts_of_marked(keys):
    """What `_ends_of_ties` finds, at the scores of marked rows only."""
    at = low_bit(keys).nonzero()[0]
    value, marked_below = _distinct(keys[at])
    below = at[marked_below]
    tied = keys[below - 1] + keys.dtype.type(1) == value
    tied = tied.nonzero()[0]
    below[tied] = np.searchsorted(keys, value[tied] - keys.dtype.type(1), "left")
    return _with_ends(below, marked_below, len(keys), len(at))


def _distinct(values):
    """The distinct ones of sorted values, and where each is first."""
    is_first = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=is_first[1:])
    first = is_first.nonzero()[0]
    return values[first], first


def _with_ends(below, marked_below, n_rows, n_marked):
    """The points, after one with no row below it and before one with all."""
    skip = 1 if len(below) and below[0] == 0 else 0
    ends = (n_rows, n_marked)
    return (
        np.concatenate(([0], column[skip:], [end]))
        for column, end in zip((below, marked_below), ends, strict=True)
    )


def _ends_of_ties(keys):
    """What `_breakpoints` finds, at every distinct score."""
    value = keys >> keys.dtype.type(1)
    first = (value[1:] != value[:-1]).nonzero()[0] + 1
    below = np.concatenate(([0], first, [len(keys)]))
    marked_below = np.zeros(len(keys) + 1, dtype=np.int64)
    np.add.accumulate(low_bit(keys), out=marked_below[1:], dtype=np.int64)
    return below, marked_below[below]


def _breakpoints(keys):
    """Corners by rising score: how many rows, and how many marked rows, lie below.

    A run is a maximal stretch of marked rows. It starts inside a tie when the row
    before it has the same score; then the breakpoints are the ends of that tie.
    """
    n_rows = len(keys)
    marked = np.zeros(n_rows + 2, dtype=bool)  # an unmarked row before and after
    marked[1:-1] = low_bit(keys)
    edges = (marked[1:] != marked[:-1]).nonzero()[0]
    start, stop = edges[::2], edges[1::2]
    length = stop - start
    marked_to_stop = length.cumsum()
    marked_to_start = marked_to_stop - length

    # keys[-1], before row 0, is no smaller than keys[0], so never one less.
    key = keys[start]
    in_tie = (keys[start - 1] + keys.dtype.type(1) == key).nonzero()[0]
    if not len(in_tie):
        # The ends of all rows count once where a run has them too.
        inner = slice(1 if marked[1] else 0, -1 if marked[-2] else None)
        return (
            _interleaved(n_rows, start, stop)[inner],
            _interleaved(marked_to_stop[-1:].sum(), marked_to_start, marked_to_stop)[inner],
        )
    tie_start, tie_stop, key = start.copy(), start.copy(), key[in_tie]
    tie_start[in_tie] = np.searchsorted(keys, key - keys.dtype.type(1), "left")
    tie_stop[in_tie] = np.searchsorted(keys, key, "right")
    below = _interleaved(n_rows, tie_start, tie_stop, stop)
    marked_below = _interleaved(
        marked_to_stop[-1],
        marked_to_start,
        marked_to_start + (tie_stop - start),
        marked_to_stop,
    )
    distinct = np.ones(len(below), dtype=bool)
    np.not_equal(below[1:], below[:-1], out=distinct[1:])
    return below[distinct], marked_below[distinct]


def _rare_breakpoints(rows):
    """What `_breakpoints` gives, from where the few marked scores stand among all."""
    keys, rare = rows.keys, rows.rare
    value, marked_start = _distinct(rare)
    marked_stop = np.append(marked_start, len(rare))[1:]
    start = np.searchsorted(keys, value, "left")
    stop = start + (marked_stop - marked_start)
    # Rows beyond these of the same score are of the common class.
    pure = (stop == len(keys)) | (keys.take(stop, mode="clip") != value)
    mixed = (~pure).nonzero()[0]
    stop[mixed] = np.searchsorted(keys, value[mixed], "right")
    # Where scores of marked rows alone follow one another there is no breakpoint.
    first, last = np.ones((2, len(pure)), dtype=bool)
    first[1:] = last[:-1] = ~(pure[1:] & pure[:-1] & (start[1:] == stop[:-1]))
    below = _interleaved(len(keys), start[first], stop[last])
    marked_below = _interleaved(len(rare), marked_start[first], marked_stop[last])
    distinct = np.ones(len(below), dtype=bool)
    distinct[1:] = below[1:] != below[:-1]
    return below[distinct], marked_below[distinct]


def _interleaved(last, *columns):
    """0, then the first of each column, the second of each, ..., then `last`."""
    n_columns = len(columns)
    values = np.empty(n_columns * len(columns[0]) + 2, dtype=np.int64)
    values[0], values[-1] = 0, last
    for i, column in enumerate(columns):
        values[i + 1 : -1 : n_columns] = column
    return values
