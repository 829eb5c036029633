"""The ROC curve in counts, from sorted samples.

A breakpoint is a point at which the ROC curve may change its direction: a run of samples of
one class, or a tie, is one straight segment and needs no inner points. The breakpoints
determine an area; curves and sums over thresholds need more points.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

import numpy as np

from . import sorting
from .curve import Points, ROCCurve
from .sorting import edges, reversed_

# A part of a ROC curve has this many samples: enough that the cost of calls is negligible,
# and few enough that temporary arrays reuse allocated memory.
_PART = 1 << 15
# Up to this share of the samples, looking up the scores of the minority class among all
# sorted scores costs less than sorting labels and scores together.
_MINORITY = 1 / 32


class PointsAt(Enum):
    """Where a ROC curve needs points, besides its start and its end.

    Seven samples at five scores, as an example. A point lies after the samples of a score;
    * marks these points, | the start and the end of the curve::

        score                    9    8    7    6    5
        labels                   ++   -    +-   -    -
        EVERY_SCORE         |    *    *    *    *    |
        POSITIVE_SCORES     |    *         *         |
        BREAKPOINTS         |    *    *    *         |
    """

    BREAKPOINTS = auto()
    EVERY_SCORE = auto()
    POSITIVE_SCORES = auto()


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
    return _roc_curve(data, PointsAt.BREAKPOINTS, with_order)


def every_threshold(data, *, with_order=False):
    """The ROC curve at every distinct score; parameters and result as in `breakpoints`."""
    return _roc_curve(data, PointsAt.EVERY_SCORE, with_order)


def at_breakpoints(roc):
    """A ROC curve through its breakpoints; other points lie within runs of one class."""
    parts = [part.distinct() for part in roc.parts]
    parts = [part.take(_is_breakpoint(part.fps, part.tps)) for part in parts]
    return roc._replace(parts=parts)


def positive_thresholds(data, *, with_order=False):
    """The ROC curve at the scores of positives, on which average precision depends.

    For small data sets, and if most samples are positive, the result may have a point at
    every distinct score. Parameters and result as in `breakpoints`.
    """
    return _roc_curve(data, PointsAt.POSITIVE_SCORES, with_order)


def from_counts(fps, tps):
    """The ROC curve of counts that rise from (0, 0) to the totals without repetition."""
    return ROCCurve([Points(fps, tps, None)], tps[-1], fps[-1])


def _roc_curve(data, points_at, with_order):
    """The `ROCCurve` through these points, by the sort that costs least.

    =============================================  =======================================
    The first that is true                         The sort
    =============================================  =======================================
    the order is needed, or there are weights or   indices of samples (`_by_order`)
    few samples
    few are of one class, and not every score is   all scores, and those of this class
    needed                                         (`_by_lookup`)
    the scores have a free bit                     scores with the class as their last bit
                                                   (`_by_keys`)
    else                                           indices of samples (`_by_order`)
    =============================================  =======================================
    """
    if with_order or data.weight is not None or len(data.score) <= sorting.FEW_SAMPLES:
        return _by_order(data, points_at)
    minority = _minority_of(data.positive)
    if points_at is PointsAt.POSITIVE_SCORES and not minority.is_positive:
        points_at = PointsAt.EVERY_SCORE  # most scores then have a positive
    if minority.is_rare and points_at is not PointsAt.EVERY_SCORE:
        return _by_lookup(data.score, minority)
    roc = _by_keys(data.score, minority, points_at)
    return _by_order(data, points_at) if roc is None else roc


def _by_order(data, points_at):
    """The `ROCCurve` from the order of the samples. Few samples may leave extra points."""
    order, n_above = sorting.falling_order(data.score)
    ends = n_above
    positive = data.positive.take(order)
    # `n_above` has a 0 and one element per distinct score.
    is_tied = len(n_above) - 1 < len(order)
    if points_at is PointsAt.BREAKPOINTS and not is_tied:
        n_above, tps = _runs(positive)
    else:
        tps = _number_before(positive, n_above)
        # With few samples, keeping a point that is not needed costs less than leaving it
        # out.
        if points_at is not PointsAt.EVERY_SCORE and len(order) > sorting.FEW_SAMPLES:
            kept = _is_needed(points_at, n_above - tps, tps)
            n_above, tps = n_above[kept], tps[kept]
    fps = n_above - tps
    if data.weight is not None:  # counts of samples become running totals of their weights
        weight_of_tps, weight_of_fps = sorting.weights_above(
            positive, data.weight.take(order)
        )
        tps, fps = weight_of_tps[tps], weight_of_fps[fps]

    def scores_above(n):  # `n` is at least 1, because no samples have no lowest score
        lowest = data.score.take(order.take(n - 1))
        # Adding 0.0 turns -0.0 into 0.0.
        return lowest + 0.0 if lowest.dtype.kind == "f" else lowest

    points = Points(fps, tps, n_above)
    return ROCCurve(
        [points], tps[-1], fps[-1], scores_above, order, ends_of_ties=lambda: ends
    )


def _by_lookup(score, minority):
    """The `ROCCurve` through both ends of each score of the minority.

    These are all breakpoints and, if the positives are the minority, all their scores.
    """
    # `reversed_` reverses the order of both arrays, so that the highest score comes first.
    scores, minority_scores = sorting.sorted_apart(score, minority.is_member)
    points = _looked_up(scores, minority_scores, minority.is_positive)
    return minority.roc_curve([points], scores, reversed_, has_class=False)


def _by_keys(score, minority, points_at):
    """The `ROCCurve` in parts, from scores sorted with the class; None if not possible."""
    keys_and_decoder = sorting.sorted_keys(score, minority.is_member)
    if keys_and_decoder is None:
        return None
    keys, decode = keys_and_decoder
    parts = _Parts(keys, minority.is_positive, _ENDS[points_at])
    return minority.roc_curve(parts, keys, decode, has_class=True)


class _Minority(NamedTuple):
    """The class with fewer samples, which sorts of keys mark; positives if both are equal.

    Attributes
    ----------
    is_member : ndarray of bool, shape (n_samples,)
    is_positive : bool
        Whether the positives are the minority.
    n_pos, n_neg : int
    """

    is_member: np.ndarray
    is_positive: bool
    n_pos: int
    n_neg: int

    @property
    def is_rare(self):
        """Whether looking up the scores of the class costs less than sorting all scores."""
        return min(self.n_pos, self.n_neg) <= _MINORITY * len(self.is_member)

    def roc_curve(self, parts, keys, decode, has_class):
        """The `ROCCurve` of these parts; ``decode`` makes scores of the sorted keys.

        With `has_class` the last bit of a key is the class.
        """

        def ends_of_ties():
            return edges(keys >> keys.dtype.type(1) if has_class else keys).nonzero()[0]

        def scores_above(n):  # `n` is at least 1, because no samples have no lowest score
            return decode(keys[n - 1])

        totals = self.n_pos, self.n_neg
        return ROCCurve(parts, *totals, scores_above, ends_of_ties=ends_of_ties)


def _minority_of(positive):
    """The `_Minority` of these labels."""
    n_pos = int(np.count_nonzero(positive))
    n_neg = len(positive) - n_pos
    is_positive = n_pos <= n_neg
    return _Minority(positive if is_positive else ~positive, is_positive, n_pos, n_neg)


def _is_needed(points_at, fps, tps):
    """Whether each point, one per distinct score, is at a breakpoint or positive score."""
    if points_at is PointsAt.BREAKPOINTS:
        return _is_breakpoint(fps, tps)
    has_positive = edges(tps)[:-1]
    has_positive[-1] = True  # the last point is the end of the curve
    return has_positive


def _is_breakpoint(fps, tps):
    """Whether each point is an end of the curve, or not within a run of one class."""
    is_inner = np.zeros(len(tps), dtype=bool)
    for counts in (fps, tps):
        is_level = counts[1:] == counts[:-1]
        is_inner[1:-1] |= is_level[1:] & is_level[:-1]
    return ~is_inner


@dataclass(frozen=True)
class _Parts:
    """The parts of a ROC curve, computed anew at each iteration to save memory.

    Each part starts with the last point of the part before. A part ends between two scores,
    so its ends may not be breakpoints.

    Attributes
    ----------
    keys : ndarray of int32 or int64
        As from `sorted_keys`.
    marks_positive : bool
        Whether the marked class, the minority, is the positive class.
    ends_of : callable
        Maps keys, and whether each is of the minority class, to the positions of the points
        among the keys, from 0 to their number, and the number of minority samples before
        each position; both in new arrays.
    """

    keys: np.ndarray
    marks_positive: bool
    ends_of: Callable

    def __iter__(self) -> Iterator[Points]:
        keys = self.keys
        start = n_marked_before = 0
        while start < len(keys):
            stop = start + _PART
            if stop < len(keys):  # extend the part to the end of the tie
                tie = keys[stop - 1] | keys.dtype.type(1)
                stop = start + int(np.searchsorted(keys[start:], tie, "right"))
            is_marked = (keys[start:stop].astype(np.uint8) & 1).view(bool)
            n_above, n_marked = self.ends_of(keys[start:stop], is_marked)
            n_above += start
            n_marked += n_marked_before
            yield _points(n_above, n_marked, self.marks_positive)
            start, n_marked_before = stop, n_marked[-1]


def _points(n_above, n_marked, marks_positive):
    """Points from the numbers of all samples and of minority samples above each."""
    n_others = n_above - n_marked
    fps, tps = (n_others, n_marked) if marks_positive else (n_marked, n_others)
    return Points(fps, tps, n_above)


def _number_before(chosen, ends):
    """Number of True elements before each of these positions."""
    number = np.zeros(len(chosen) + 1, dtype=np.int64)
    number[1:] = chosen  # a cumulative sum that also casts takes five times as long
    np.add.accumulate(number[1:], out=number[1:])
    return number.take(ends)


def _runs(chosen):
    """Ends of the runs of True and of False elements, and the number of True before each.

    Only the runs are summed: a sum over all elements takes a sixth of the time of an area.
    """
    # As an example, `chosen` is T T F F F T. Its runs end at 0 2 5 6 and have the lengths 2
    # 3 1. The runs of True have the lengths 2 1, with the sums 0 2 3, repeated 0 0 2 2 3 3.
    # The first run is True, so the result starts at the second element: 0 2 2 3.
    ends = edges(chosen).nonzero()[0]
    first = 0 if chosen[0] else 1  # runs of True and of False alternate
    length = (ends[1:] - ends[:-1])[first::2]
    number = np.zeros(len(length) + 1, dtype=np.int64)
    np.add.accumulate(length, out=number[1:])
    return ends, number.repeat(2)[1 - first : len(ends) + 1 - first]


def _ends_of_ties(keys, is_marked):
    """Positions after each distinct score; minority samples before each."""
    ends = edges(keys >> keys.dtype.type(1)).nonzero()[0]
    return ends, _number_before(is_marked, ends)


def _ends_of_positive_ties(keys, is_marked):
    """`_ends_of_ties` of the scores of positives only, if positives are the minority."""
    is_end = edges(keys)
    is_end[1:-1] &= is_marked[:-1]  # the minority comes last in a tie
    ends = is_end.nonzero()[0]
    return ends, _number_before(is_marked, ends)


def _breakpoints(keys, is_marked):
    """Positions of the breakpoints, and the number of minority samples before each.

    Without ties these are the ends of runs, samples of one class next to one another. If a
    run ends inside a tie, the ends of the tie are the breakpoints instead.
    """
    # The two keys of a tie of both classes differ only in the lowest bit: 7 follows 6
    # within a tie, but 8 follows 7 between two scores. `in_tie` are the positions of the
    # first minority key of each such tie.
    in_tie = (keys[1:] ^ keys[:-1] == 1).nonzero()[0] + 1
    if not len(in_tie):
        return _runs(is_marked)
    key, is_end = keys.take(in_tie), edges(is_marked)
    is_end[in_tie] = False
    is_end[np.searchsorted(keys, key - keys.dtype.type(1), "left")] = True
    is_end[np.searchsorted(keys, key, "right")] = True
    ends = is_end.nonzero()[0]
    return ends, _number_before(is_marked, ends)


# These functions find the points among sorted keys (the attribute `ends_of` of `_Parts`).
_ENDS = {
    PointsAt.BREAKPOINTS: _breakpoints,
    PointsAt.EVERY_SCORE: _ends_of_ties,
    PointsAt.POSITIVE_SCORES: _ends_of_positive_ties,
}


def _looked_up(scores, minority_scores, marks_positive):
    """The points at both ends of each minority score, found among all sorted scores.

    The curve has a step at each score of the minority, and is straight between two steps::

        sorted scores      -  -  -  +  -  -  +- -  -        + the minority, +- a tie
        start, stop               ^  ^       ^ ^            both ends of its scores
    """
    n_marked = edges(minority_scores).nonzero()[0]
    distinct = minority_scores.take(n_marked[1:] - 1)
    start = np.searchsorted(scores, distinct, "left")
    stop = start + np.diff(n_marked)
    # Samples of the other class may have this score as well.
    tied = (scores.take(stop, mode="clip") == distinct).nonzero()[0]
    stop[tied] = np.searchsorted(scores, distinct.take(tied), "right")
    n_above = np.concatenate(([0], np.column_stack((start, stop)).ravel(), [len(scores)]))
    is_new = np.diff(n_above, prepend=-1) > 0
    return _points(n_above[is_new], n_marked.repeat(2)[is_new], marks_positive)
