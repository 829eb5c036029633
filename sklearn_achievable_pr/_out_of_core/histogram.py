"""Histograms of scores by class: what adds up, and the ROC curves that remain possible."""

from __future__ import annotations

import pickle
import zlib

import numpy as np

from .._input.arrays import rescale
from .bins import Refined

# Samples counted at a time, so that temporary arrays stay in the cache.
_BLOCK = 1 << 15
# float64 distinguishes all integers up to this one.
_EXACT_INTEGER = 2.0**53
_LARGEST = np.finfo(np.float64).max


class BinCounts:
    """Samples of each class in each bin, and whether all samples of a bin share one score.

    Attributes
    ----------
    bins : LeadingBits, Edges or Refined
    samples : ndarray of int64, shape (n_bins, 2)
        Negatives and positives.
    weights : ndarray of float64, shape (n_bins, 2), or None
        The sums of their weights.
    score : ndarray of float64, shape (n_bins,)
        The only score of each bin; NaN for a bin with none or several.
    several : ndarray of bool, shape (n_bins,)
        Bins that hold more than one score.
    """

    def __init__(self, bins):
        self.bins = bins
        self.samples = np.zeros((bins.n_bins, 2), dtype=np.int64)
        self.weights = None
        self.score = np.full(bins.n_bins, np.nan)
        self.several = np.zeros(bins.n_bins, dtype=bool)

    @property
    def counts(self):
        """Sums of weights if there are any, else numbers of samples."""
        return self.samples if self.weights is None else self.weights

    @property
    def mixed(self):
        """Bins with several scores and both classes: the order of their samples matters."""
        return self.several & self.samples.all(axis=1)

    @property
    def n_roundings(self):
        """How many roundings, each relative to the result, a running total may contain."""
        if self.weights is None:
            return 0
        return int(self.samples.sum()) + 2 * len(self.samples)

    def add(self, positive, score, weight=None):
        """Count samples.

        Parameters
        ----------
        positive : ndarray of bool, shape (n_samples,)
        score : ndarray of shape (n_samples,)
            Finite, of any real dtype.
        weight : ndarray of float64, shape (n_samples,), default=None
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
            np.add.at(self.samples.reshape(-1), index, 1)
            if weight is not None:
                np.add.at(self.weights.reshape(-1), index, weight[block])

    def _use_weights(self):
        if self.weights is None:
            self.weights = self.samples.astype(np.float64)

    def _note_scores(self, index, score):
        """Store the score of bins without one, mark the bins that hold another one."""
        unmarked = (~self.several.take(index)).nonzero()[0]
        if not len(unmarked):
            return
        index, score = index.take(unmarked), score.take(unmarked).astype(np.float64)
        known = self.score.take(index)
        new = np.isnan(known).nonzero()[0]
        if len(new):
            self.score[index[new]] = score[new]
            known = self.score.take(index)
        self._note_several(index[known != score])

    def _note_several(self, bins):
        self.several[bins] = True
        self.score[bins] = np.nan

    def merge(self, other):
        """Add the counts of another histogram of the same bins."""
        if self.weights is not None or other.weights is not None:
            self._use_weights()
            self.weights += other.counts
        self.samples += other.samples
        unknown = np.isnan(self.score)
        differs = ~unknown & ~np.isnan(other.score) & (self.score != other.score)
        self.score = np.where(unknown, other.score, self.score)
        self._note_several(self.several | other.several | differs)

    def roc(self, order):
        """Points of the ROC curve for one order of the samples within each bin.

        Parameters
        ----------
        order : {"positives first", "negatives first", "ties"}
            A bin of one score is a tie in any case.

        Returns
        -------
        fps, tps : ndarray of int64 or float64, shape (n_points,)
            From (0, 0) to the totals.
        """
        used = self.samples.any(axis=1).nonzero()[0][::-1]
        # Increments by class and bin, in one step or in two.
        increments = np.zeros((2, len(used), 2), dtype=self.counts.dtype)
        increments[:, :, 0] = self.counts[used].T
        if order != "ties":
            later = self.mixed[used].nonzero()[0]
            second = 0 if order == "positives first" else 1
            increments[second, later] = increments[second, later, ::-1]
        increments = increments.reshape(2, -1)
        increments = increments[:, increments.any(axis=0)]
        points = np.zeros((2, increments.shape[1] + 1), dtype=increments.dtype)
        np.cumsum(increments, axis=1, out=points[:, 1:])
        if self.weights is not None:
            points = rescale(points, points[:, -1].max())
        return tuple(points)

    def refined(self, n_bins):
        """Bins in proportion to the root of what each of these adds to the bounds' width.

        Empty bins and neighbours of one and the same class are joined; bins of one score
        stay as they are.
        """
        mixed = self.mixed
        n_parts = np.ones(len(self.samples), dtype=np.int64)
        n_parts[1:][self._can_join_previous()] = 0
        fewest = int(n_parts.sum())
        if fewest > n_bins:
            raise ValueError(
                f"`n_bins` must be at least {fewest} here, to separate the classes as well "
                f"as these bins do. Got {n_bins}."
            )
        need = np.sqrt(self._widths()[mixed])
        if need.any():
            n_parts[mixed] += (need * ((n_bins - fewest) / need.sum())).astype(np.int64)
        return Refined(self.bins, n_parts)

    def _can_join_previous(self):
        """Whether each bin but the first can be joined with its neighbour below."""
        kind = self.samples.astype(bool) @ [1, 2]  # no samples, negatives, positives, both
        used = np.maximum.accumulate(np.where(kind > 0, np.arange(len(kind)), 0))
        return (kind[1:] == 0) | ((kind[1:] < 3) & (kind[1:] == kind[used[:-1]]))

    def _widths(self):
        """The area between the highest and the lowest curve in each bin, times P."""
        negatives, positives = self.counts[::-1].T.astype(np.float64)
        f0, t0 = np.cumsum(negatives) - negatives, np.cumsum(positives) - positives

        def area(f):
            # Integral of t / (t + f) over the positives of the bin.
            n0 = t0 + f
            ratio = np.divide(positives, n0, out=np.zeros(len(n0)), where=n0 > 0)
            return positives - f * np.log1p(ratio)

        return np.maximum(area(f0) - area(f0 + negatives), 0)[::-1]

    def __getstate__(self):
        """The bins that hold samples, compressed."""
        used = self.samples.any(axis=1)
        state = {"bins": self.bins, "used": np.packbits(used)}
        for name in ("samples", "weights", "score", "several"):
            array = getattr(self, name)
            state[name] = None if array is None else array[used]
        return zlib.compress(pickle.dumps(state), 1)

    def __setstate__(self, state):
        state = pickle.loads(zlib.decompress(state))
        self.__init__(state["bins"])
        used = np.unpackbits(state["used"], count=self.bins.n_bins).astype(bool)
        if state["weights"] is not None:
            self._use_weights()
            self.weights[used] = state["weights"]
        for name in ("samples", "score", "several"):
            getattr(self, name)[used] = state[name]

    def __eq__(self, other):
        return (
            self.bins == other.bins
            and (self.weights is None) == (other.weights is None)
            and np.array_equal(self.counts, other.counts)
            and np.array_equal(self.samples, other.samples)
            and np.array_equal(self.several, other.several)
            and np.array_equal(self.score, other.score, equal_nan=True)
        )

    __hash__ = None  # type: ignore[assignment]


def as_float(score):
    """Scores as float32 or float64 in the same order, and where some may become equal.

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
        inexact = np.abs(wide) >= _EXACT_INTEGER
    else:
        wide = np.clip(score, -_LARGEST, _LARGEST).astype(np.float64)
        inexact = wide != score
    return wide, inexact if inexact.any() else None
