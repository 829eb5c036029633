"""Rows counted in bins of their scores: what adds up, and the ROC curves it leaves open."""

from __future__ import annotations

import zlib
from typing import NamedTuple

import numpy as np

from .._input.arrays import rescale
from .bins import Refined

# Rows put into bins at a time: their temporaries stay in the cache.
_BLOCK = 1 << 15
# float64 tells whole numbers apart up to this one.
_EXACT_WHOLE = 2.0**53
_LARGEST = np.finfo(np.float64).max


class Groups(NamedTuple):
    """Rows of one bin and class that are counted together; groups may share both.

    Attributes
    ----------
    bin : ndarray of intp, shape (n_groups,)
    positive : ndarray of bool
    rows : ndarray of int64
    weight : ndarray of float64, or None
    lowest, highest : ndarray of float64
        Scores.
    inexact : ndarray of bool
        Whether float64 may not tell apart all scores of the group.
    """

    bin: np.ndarray
    positive: np.ndarray
    rows: np.ndarray
    weight: np.ndarray | None
    lowest: np.ndarray
    highest: np.ndarray
    inexact: np.ndarray


class BinCounts:
    """How many rows of each class each bin has, and whether they all have one score.

    Attributes
    ----------
    bins : LeadingBits, Edges or Refined
    rows : ndarray of int64, shape (n_bins, 2)
        Negatives and positives.
    weights : ndarray of float64, shape (n_bins, 2), or None
        What they weigh.
    score : ndarray of float64, shape (n_bins,)
        The only score of each bin; NaN where a bin has none or several.
    several : ndarray of bool, shape (n_bins,)
        Bins with rows of more than one score.
    """

    def __init__(self, bins):
        self.bins = bins
        self.rows = np.zeros((bins.n_bins, 2), dtype=np.int64)
        self.weights = None
        self.score = np.full(bins.n_bins, np.nan)
        self.several = np.zeros(bins.n_bins, dtype=bool)
        # So many weights were added up one by one at most, and so many such sums.
        self._longest_sum = self._n_sums = 0

    @property
    def counts(self):
        """Weights if there are any, else rows."""
        return self.rows if self.weights is None else self.weights

    def add(self, positive, score, weight=None):
        """Count rows.

        Parameters
        ----------
        positive : ndarray of bool, shape (n_rows,)
        score : ndarray of shape (n_rows,)
            Finite, of any real dtype.
        weight : ndarray of float64, shape (n_rows,), default=None
            Positive.
        """
        score, inexact = as_float(score)
        if weight is not None:
            self._use_weights()
        elif self.weights is not None:
            weight = np.ones(len(score))
        for start in range(0, len(score), _BLOCK):
            block = slice(start, start + _BLOCK)
            index = self.bins.index(score[block])
            self._note_scores(index, score[block])
            if inexact is not None:
                self._note_several(index[inexact[block]])
            index <<= 1
            index += positive[block]
            np.add.at(self.rows.reshape(-1), index, 1)
            if weight is not None:
                self._add_weights(index, weight[block])

    def _use_weights(self):
        if self.weights is None:
            self.weights = self.rows.astype(np.float64)

    def _add_weights(self, index, weight):
        table = self.weights.reshape(-1)
        if len(index) < len(table) // 8:
            np.add.at(table, index, weight)
            self._n_sums += len(index)
        else:  # short sums err less
            table += np.bincount(index, weight, minlength=len(table))
            self._longest_sum = max(self._longest_sum, len(index))
            self._n_sums += 1

    def _note_scores(self, index, score):
        """Remember the score of bins that have had none, mark those with another one."""
        rows = (~self.several.take(index)).nonzero()[0]
        if not len(rows):
            return
        index, score = index.take(rows), score.take(rows).astype(np.float64)
        known = self.score.take(index)
        new = np.isnan(known).nonzero()[0]
        if len(new):
            self.score[index[new]] = score[new]
            known = self.score.take(index)
        self._note_several(index[known != score])

    def _note_several(self, bins):
        self.several[bins] = True
        self.score[bins] = np.nan

    def add_groups(self, groups):
        """Count rows that an engine has counted."""
        where = groups.bin, groups.positive.astype(np.intp)
        if groups.weight is not None:
            self._use_weights()
            np.add.at(self.weights, where, groups.weight)
            self._longest_sum = max(self._longest_sum, int(groups.rows.max(initial=0)))
            self._n_sums += len(groups.bin)
        np.add.at(self.rows, where, groups.rows)
        self._note_scores(groups.bin, groups.lowest)
        self._note_scores(groups.bin, groups.highest)
        self._note_several(groups.bin[groups.inexact])

    def merge(self, other):
        """Add the counts of the same bins."""
        if self.weights is not None or other.weights is not None:
            self._use_weights()
            self.weights += other.counts
            self._n_sums += 1 + other._n_sums
            self._longest_sum = max(self._longest_sum, other._longest_sum)
        self.rows += other.rows
        unknown = np.isnan(self.score)
        differs = ~unknown & ~np.isnan(other.score) & (self.score != other.score)
        self.score = np.where(unknown, other.score, self.score)
        self._note_several(self.several | other.several | differs)

    def roc(self, order):
        """Points of the ROC curve if the rows of each bin came in that order.

        Parameters
        ----------
        order : {"positives first", "negatives first", "ties"}
            A bin of one score is a tie whatever is asked for.

        Returns
        -------
        fps, tps : ndarray of int64 or float64, shape (n_points,)
            From (0, 0) to the totals.
        """
        used = self.rows.any(axis=1).nonzero()[0][::-1]
        gain = np.zeros((2, len(used), 2), dtype=self.counts.dtype)
        gain[:, :, 0] = self.counts[used].T
        if order != "ties":
            later = self.mixed[used].nonzero()[0]
            of_class = 0 if order == "positives first" else 1
            gain[of_class, later, 1] = gain[of_class, later, 0]
            gain[of_class, later, 0] = 0
        gain = gain.reshape(2, -1)
        gain = gain[:, gain.any(axis=0)]
        points = np.zeros((2, gain.shape[1] + 1), dtype=gain.dtype)
        np.cumsum(gain, axis=1, out=points[:, 1:])
        if self.weights is not None:
            points = rescale(points, points[:, -1].max())
        return tuple(points)

    @property
    def mixed(self):
        """Bins whose rows may come in more than one order that matters."""
        return self.several & self.rows.all(axis=1)

    @property
    def n_roundings(self):
        """How many roundings, relative to itself, a count may be off by."""
        if self.weights is None:
            return 0
        one_by_one = self._longest_sum + self._n_sums
        return min(one_by_one, int(self.rows.sum())) + 2 * len(self.rows)

    def refined(self, n_bins):
        """Bins in proportion to the root of what each of these adds to the bounds' width.

        Empty bins and neighbours of one and the same class are joined; bins of one score
        stay as they are.
        """
        mixed = self.mixed
        n_parts = np.ones(len(self.rows), dtype=np.int64)
        n_parts[1:][self._joins_the_one_before()] = 0
        fewest = int(n_parts.sum())
        if fewest > n_bins:
            raise ValueError(
                f"`n_bins` must be at least {fewest} here, to tell the classes apart as "
                f"well as these bins do. Got {n_bins}."
            )
        need = np.sqrt(self._widths()[mixed])
        if need.any():
            n_parts[mixed] += (need * ((n_bins - fewest) / need.sum())).astype(np.int64)
        return Refined(self.bins, n_parts)

    def _joins_the_one_before(self):
        """Whether each bin but the first can be one with its neighbour below."""
        kind = self.rows.astype(bool) @ [1, 2]
        used = np.maximum.accumulate(np.where(kind > 0, np.arange(len(kind)), 0))
        return (kind[1:] == 0) | ((kind[1:] < 3) & (kind[1:] == kind[used[:-1]]))

    def _widths(self):
        """The area between the highest and the lowest ROC curve in each bin, times P."""
        negatives, positives = self.counts[::-1].T.astype(np.float64)
        f0, t0 = np.cumsum(negatives) - negatives, np.cumsum(positives) - positives

        def area(f):
            # Integral of t / (t + f) over the positives of the bin.
            n0 = t0 + f
            longer = np.divide(positives, n0, out=np.zeros(len(n0)), where=n0 > 0)
            return positives - f * np.log1p(longer)

        return np.maximum(area(f0) - area(f0 + negatives), 0)[::-1]

    def __getstate__(self):
        used = self.rows.any(axis=1).nonzero()[0]
        return self.__dict__ | {
            "used": _packed(np.diff(used, prepend=0)),
            "rows": _packed(self.rows[used].T),
            "weights": None if self.weights is None else _packed(self.weights[used].T),
            "several": _packed(np.packbits(self.several[used])),
            "score": _packed(self.score[used][~self.several[used]]),
        }

    def __setstate__(self, state):
        self.__init__(state["bins"])
        self._longest_sum, self._n_sums = state["_longest_sum"], state["_n_sums"]
        used = np.cumsum(_unpacked(state["used"]).astype(np.int64))
        self.rows[used] = _unpacked(state["rows"]).reshape(2, -1).T
        if state["weights"] is not None:
            self._use_weights()
            self.weights[used] = _unpacked(state["weights"]).reshape(2, -1).T
        several = np.unpackbits(_unpacked(state["several"]), count=len(used)).astype(bool)
        self.several[used] = several
        self.score[used[~several]] = _unpacked(state["score"])

    def __eq__(self, other):
        return (
            self.bins == other.bins
            and (self.weights is None) == (other.weights is None)
            and np.array_equal(self.counts, other.counts)
            and np.array_equal(self.rows, other.rows)
            and np.array_equal(self.several, other.several)
            and np.array_equal(self.score, other.score, equal_nan=True)
        )

    __hash__ = None  # type: ignore[assignment]


def as_float(score):
    """Scores as float32 or float64 in the same order, and where that may join some.

    Returns
    -------
    score : ndarray of float32 or float64
    inexact : ndarray of bool, or None
    """
    if score.dtype in (np.float32, np.float64):
        return score, None
    if score.dtype == np.float16:
        return score.astype(np.float32), None
    if score.dtype.kind in "iub":
        wide = score.astype(np.float64)
        inexact = np.abs(wide) >= _EXACT_WHOLE
    else:
        wide = np.clip(score, -_LARGEST, _LARGEST).astype(np.float64)
        inexact = wide != score
    return wide, inexact if inexact.any() else None


def _packed(array):
    """Array to compressed bytes; whole numbers, never negative, in as few as they need."""
    if array.dtype.kind == "i" and array.size:
        array = array.astype(np.min_scalar_type(array.max()))
    return zlib.compress(np.ascontiguousarray(array).tobytes(), 1), array.dtype.str


def _unpacked(packed):
    data, dtype = packed
    return np.frombuffer(zlib.decompress(data), dtype)
