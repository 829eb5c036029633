"""Histograms of scores by class, and extreme ROC curves with the same histogram."""

import pickle
import zlib

import numpy as np

from .._input.arrays import rescale
from .._input.labels import merged_labels
from .._roc.counting import from_counts

# This many samples are counted at a time, because larger temporary arrays would not reuse
# memory.
_BLOCK = 1 << 15
# float64 distinguishes all integers up to this one.
_EXACT_INTEGER = 2.0**53
_EPS = np.finfo(np.float64).eps
# A metric of exact counts has at most this relative rounding error.
_FORMULA_ERROR = 2.0**-43


class BinCounts:
    """Counts per bin and class, and the score of each bin with a single score.

    Attributes
    ----------
    bins : Bins
        The bins that are counted.
    samples : ndarray of int64, shape (n_bins, 2)
        Numbers of negatives and of positives.
    weights : ndarray of float64, shape (n_bins, 2)
        The sums of their weights; the array `samples` itself without weights.
    score : ndarray of float64, shape (n_bins,)
        The score of each bin with a single score; infinity for empty bins, NaN for bins
        with several scores.
    labels : frozenset
        The labels of all samples, as from `check_batches`.
    has_fractions : bool
        Whether a weight is not an integer.
    squares : ndarray of float64, shape (2,)
        The sums of the squared weights of the negatives and of the positives; without
        weights, their numbers.
    """

    def __init__(self, bins):
        self.bins = bins
        self.samples = self.weights = np.zeros((bins.n_bins, 2), dtype=np.int64)
        self.score = np.full(bins.n_bins, np.inf)
        self.labels: frozenset = frozenset()
        self.has_fractions = False
        self.squares = np.zeros(2)

    @property
    def is_weighted(self):
        """Whether samples with weights were counted."""
        return self.weights is not self.samples

    @property
    def effective_class_sizes(self):
        """Effective sample sizes (Kish) of the negatives and of the positives.

        A size is 0 if float64 cannot hold the squares of the weights.
        """
        squares = self.squares.tolist()
        if not self.is_weighted:
            return squares
        # This is faster than the sum along an axis.
        totals = [column.sum().item() for column in self.weights.T]
        pairs = zip(totals, squares, strict=True)
        return [total * (total / square) if square else 0.0 for total, square in pairs]

    @property
    def rounding_error(self):
        """The largest relative rounding error of running totals; 0 for exact sums."""
        if not self.has_fractions and self.weights.sum() <= _EXACT_INTEGER:
            return 0.0
        # There is one rounding per sample and per bin of each class.
        return 4 * _EPS * float(self.samples.sum() + 2 * self.bins.n_bins)

    @property
    def mixed(self):
        """Mask of bins with several scores and both classes, where the order is unknown."""
        n_neg, n_pos = self.samples.T
        return np.isnan(self.score) & (n_neg > 0) & (n_pos > 0)

    def add(self, batches):
        """Add samples in batches from `check_batches`; returns this histogram."""
        for data, labels in batches:
            self.labels = merged_labels(self.labels, labels)
            for start in range(0, len(data.score), _BLOCK):
                self._count(*data.take(slice(start, start + _BLOCK)))
        return self

    def _count(self, positive, score, weight):
        """Count the samples of one block."""
        index = self.bins.index(score)
        self._note_scores(index, score)
        if weight is not None:
            self._use_weights()
            if not self.has_fractions:
                self.has_fractions = bool((weight != np.floor(weight)).any())
        cell = 2 * index + positive
        np.add.at(self.samples.reshape(-1), cell, 1)
        if self.is_weighted:
            np.add.at(self.weights.reshape(-1), cell, 1.0 if weight is None else weight)
        self.squares += _sums_of_squares(positive, weight)

    def _use_weights(self):
        """Store weights separately from counts from now on."""
        if not self.is_weighted:
            self.weights = self.samples.astype(np.float64)

    def _note_scores(self, index, score):
        """Record the score of the bin of each score, or that the bin has several scores.

        NaN stands for several scores.
        """
        known = self.score.take(index)
        unmarked = (~np.isnan(known)).nonzero()[0]
        if not len(unmarked):  # this is soon the case in most batches
            return
        index, score, known = (each.take(unmarked) for each in (index, score, known))
        wide, is_new = score.astype(np.float64), np.isinf(known)
        self.score[index[is_new]] = wide[is_new]
        differs = self.score.take(index) != wide
        if score.dtype not in (np.float32, np.float64):
            # Several such scores may be the same number in float64.
            differs |= (wide != score) | (np.abs(wide) >= _EXACT_INTEGER)
        self.score[index[differs]] = np.nan

    def merge(self, other):
        """Add the counts of another histogram of the same bins; returns this one."""
        self.labels = merged_labels(self.labels, other.labels)
        self.has_fractions |= other.has_fractions
        if other.is_weighted:
            self._use_weights()
        if self.is_weighted:
            self.weights += other.weights
        self.samples += other.samples
        self.squares += other.squares
        used = np.flatnonzero(other.score != np.inf)
        self._note_scores(used, other.score.take(used))
        return self

    def roc(self, first):
        """The `ROCCurve` for one order of the samples within each bin.

        Parameters
        ----------
        first : {0, 1} or None
            The class that comes first in bins of several scores; with None such a bin is a
            tie.
        """
        used = np.flatnonzero(self.samples.any(axis=1))[::-1]
        # The origin comes first, then two steps for each bin.
        steps = np.zeros((2, 1 + 2 * len(used)), dtype=self.weights.dtype)
        steps[:, 1::2] = self.weights[used].T
        if first is not None:
            mixed, later = 1 + 2 * self.mixed[used].nonzero()[0], steps[1 - first]
            later[mixed + 1] = later[mixed]
            later[mixed] = 0
        is_point = np.append([True], steps[:, 1:].any(axis=0))
        points = np.cumsum(steps[:, is_point], axis=1)
        if self.is_weighted:
            points = rescale(points, points[:, -1].max())
        return from_counts(*points)

    def bounds(self, value, limit, slack):
        """Lower bound, upper bound and estimate of a metric, rounded outward.

        Parameters
        ----------
        value : callable
            ``value(roc, first)`` is the metric of the `ROCCurve` from ``roc(first)``, a
            float or an array.
        limit : float
            The highest value of the metric.
        slack : float or None
            The size of the value that the rounding error is relative to; None means the
            bounds themselves.

        Returns
        -------
        ndarray of float64, shape (3, ...)
            Values with the negatives first in each bin, the positives first, and ties.
        """
        error = _FORMULA_ERROR + self.rounding_error
        lowest, highest, estimate = (value(self.roc(i), i) for i in (0, 1, None))
        down, up = (lowest, highest) if slack is None else (slack, slack)
        return np.clip([lowest - down * error, highest + up * error, estimate], 0, limit)

    def __getstate__(self):
        """The bins and, compressed, which of them are used and their counts.

        Arrays are stored as bytes, because NumPy 1.25 does not load an array that NumPy 2
        has pickled.
        """
        used = self.score != np.inf
        samples = self.samples[used]
        samples = samples.astype(np.min_scalar_type(samples.max(initial=0)))
        columns = [np.packbits(used), samples, self.score[used]]
        if self.is_weighted:
            columns.append(self.weights[used])
        columns = [(column.dtype.str, column.tobytes()) for column in columns]
        state = self.labels, self.has_fractions, self.squares.tolist(), columns
        return self.bins, zlib.compress(pickle.dumps(state), 1)

    def __setstate__(self, state):
        bins, counts = state
        self.__init__(bins)  # type: ignore[misc]
        counts = pickle.loads(zlib.decompress(counts))
        self.labels, self.has_fractions, squares, columns = counts
        self.squares = np.array(squares)
        used, samples, score, *weights = (np.frombuffer(data, t) for t, data in columns)
        used = np.unpackbits(used, count=bins.n_bins).view(bool).nonzero()[0]
        self.samples[used] = samples.reshape(-1, 2)
        self.score[used] = score
        if weights:
            self._use_weights()
            self.weights[used] = weights[0].reshape(-1, 2)

    def __eq__(self, other):
        return (self.bins, self.labels, self.has_fractions) == (
            other.bins,
            other.labels,
            other.has_fractions,
        ) and all(
            np.array_equal(getattr(self, name), getattr(other, name), equal_nan=True)
            for name in ("samples", "weights", "score")
        )


def _sums_of_squares(positive, weight):
    """The sums of the squared weights of the negatives and of the positives of a block."""
    if weight is None:
        n_pos = np.count_nonzero(positive)
        return len(positive) - n_pos, n_pos
    of_class = weight * positive
    with np.errstate(over="ignore"):
        of_positives = np.dot(of_class, of_class)
        np.subtract(weight, of_class, out=of_class)
        return np.dot(of_class, of_class), of_positives
