"""Null distributions: labels independent of the scores, or two exchangeable scores.

Scores are sorted once. An arrangement gives the labels to other samples, or exchanges
samples between two scores; `null_distribution` takes arrangements at random or, where
there are no more than that, each of them once.
"""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from .._roc.blocks import BootstrapBlock, CellLayout, bootstrap_block
from .resampling import block_sizes
from .standard_error import segments_of_samples


def null_distribution(arrangement, n_resamples, rng):
    """Values of a statistic over arrangements that are equally likely under the null.

    Parameters
    ----------
    arrangement : PairedExchange, LabelPermutation, GroupPermutation or BlockPermutation
    n_resamples : int
    rng : numpy.random.Generator

    Returns
    -------
    values : ndarray of float64
    exact : bool
        The values are those of every arrangement, once each.
    """
    exact = arrangement.n_distinct <= n_resamples
    n_values = arrangement.n_distinct if exact else n_resamples
    sizes = block_sizes(n_values, arrangement.n_values)
    if exact:
        each = arrangement.every()
        blocks = (np.array(list(itertools.islice(each, size))) for size in sizes)
    else:
        blocks = (arrangement.drawn(rng, size) for size in sizes)
    return np.concatenate([arrangement.values_of(block) for block in blocks]), exact


# Two scores exchanged


class PairedExchange:
    """Exchanges the ranks of a random half of the samples between two scores.

    Parameters
    ----------
    measure : MetricWithOptions
    samples : list of Sample
        The same samples with either score; samples of one cluster are exchanged together.
    rocs : list of ROCCurve
        The ROC curves of the scores at every threshold.
    """

    def __init__(self, measure, samples, rocs):
        sample, self.measure = samples[0], measure
        positive, n_units = sample.data.positive, sample.n_units
        ranks = midranks(
            *(ties_of(roc, s.data.score) for roc, s in zip(rocs, samples, strict=True))
        )
        # The distinct ranks of positives, of either score, are the steps of both.
        steps = np.unique(np.concatenate([rank[positive] for rank in ranks]))
        self.n_steps = len(steps)
        shape = 3 * len(steps) + 1, n_units
        first, second = (
            csr_array((sample.weight, (_cells(steps, rank, positive), sample.units)), shape)
            for rank in ranks
        )
        self.change = (second - first).tocsr()
        self.first, self.second = (
            np.asarray(table.sum(axis=1)).reshape(-1, 1) for table in (first, second)
        )
        self.observed = np.zeros(n_units)
        self.n_distinct = 2**n_units if n_units < 64 else math.inf
        self.n_values = 2 * shape[0] + n_units

    def values_of(self, exchanged):
        """The difference of the metrics, for each row that says which units to exchange."""
        change = self.change @ exchanged.T.astype(np.float64)
        first, second = (
            self.measure.of_block(bootstrap_block(cells.T, self.n_steps))
            for cells in (self.first + change, self.second - change)
        )
        return first - second

    def drawn(self, rng, size):
        return rng.integers(2, size=(size, len(self.observed)), dtype=np.uint8)

    def every(self):
        return itertools.product((0, 1), repeat=len(self.observed))


class Ties(NamedTuple):
    """Ties of a score by falling score; a sample without a tie is one by itself.

    Attributes
    ----------
    of_sample : ndarray of int64, shape (n_samples,)
        The tie of each sample.
    end, middle : ndarray, shape (n_ties,)
        Twice the number, or weight, of samples down to the end and to the middle of each
        tie.
    """

    of_sample: np.ndarray
    end: np.ndarray
    middle: np.ndarray


def ties_of(roc, score):
    """The `Ties` of a score from its ROC curve at every threshold."""
    points = roc.concatenated()
    end = points.fps + points.tps
    return Ties(segments_of_samples(roc, score), 2 * end[1:], end[:-1] + end[1:])


def midranks(first, second):
    """Rank of each sample by falling score, by either score on a common scale.

    The rank is the middle of the sample's tie. Where a tie of one score and a tie of the
    other contain each other's middle, both get the rank half-way: scores on one ordinal
    scale then keep their ties when samples are exchanged.

    Returns
    -------
    list of ndarray, shape (n_samples,)
    """
    ranks = []
    for own, other in ((first, second), (second, first)):
        in_other = np.searchsorted(other.end[:-1], own.middle)
        back = np.searchsorted(own.end[:-1], other.middle[in_other])
        rank = 2 * own.middle
        mutual = back == np.arange(len(rank))
        rank[mutual] = own.middle[mutual] + other.middle[in_other[mutual]]
        ranks.append(rank[own.of_sample])
    return ranks


def _cells(steps, rank, positive):
    """Cell of each sample, where the steps are the rising ranks of positives."""
    layout = CellLayout(len(steps), None)
    step = np.searchsorted(steps, rank)
    tied = steps.take(step, mode="clip") == rank
    negative = np.where(tied, layout.tie_of(step), layout.gap_of(step))
    return np.where(positive, step, negative)


# Labels independent of the scores


def label_arrangement(measure, sample, roc):
    """The arrangements of labels that are equally likely under the null hypothesis."""
    data, clusters = sample.data, sample.clusters
    if clusters is None and data.weight is None:
        return LabelPermutation(measure, roc)
    # Clusters of one class each: as many have positives or negatives as there are.
    n_pure = sample.n_units_with(True) + sample.n_units_with(False)
    if data.weight is None and n_pure == sample.n_units:
        return GroupPermutation(measure, sample, roc)
    found = BlockPermutation(measure, sample, roc)
    if found.n_distinct == 1:
        raise ValueError(
            "`groups` leaves nothing to exchange: each group has samples of both classes, "
            "or weights, and no two groups are of the same size. Leave out `groups` to "
            "permute samples instead, if they are independent."
        )
    return found


class LabelPermutation:
    """Any samples may be the positives, as many as there are.

    Parameters
    ----------
    measure : MetricWithOptions
    roc : ROCCurve
        At every threshold, without weights.
    """

    def __init__(self, measure, roc):
        _, tps, n_above = roc.concatenated()
        self.measure = measure
        self.n_samples, self.n_pos = int(n_above[-1]), int(tps[-1])
        size = np.diff(n_above)
        self.untied = len(size) == self.n_samples
        self.tie_start, self.tie_stop = (
            np.repeat(ends, size) for ends in (n_above[:-1], n_above[1:])
        )
        # Within a tie the order is arbitrary: its positives come first.
        before = np.repeat(n_above[:-1] - tps[:-1], np.diff(tps))
        self.observed = before + np.arange(self.n_pos)
        self.n_distinct = _n_choices(self.n_samples, self.n_pos)
        self.n_values = self.n_pos

    def drawn(self, rng, size):
        """Rising positions of the positives among the samples by falling score."""
        found = np.empty((size, self.n_pos), dtype=np.int64)
        for row in found:
            row[:] = rng.choice(self.n_samples, self.n_pos, replace=False, shuffle=False)
        found.sort(axis=1)
        return found

    def every(self):
        return itertools.combinations(range(self.n_samples), self.n_pos)

    def values_of(self, positions):
        """The metric for each row of positions."""
        n_pos = self.n_pos
        before = np.broadcast_to(np.arange(n_pos, dtype=np.float64), positions.shape)
        if self.untied:
            f0 = f1 = positions - before
            t0, t1 = before, before + 1
        else:
            start, stop = self.tie_start[positions], self.tie_stop[positions]
            # All positives of a tie make one step, at the place of the first.
            is_first = np.ones(positions.shape, dtype=bool)
            is_first[:, 1:] = start[:, 1:] != start[:, :-1]
            is_last = np.roll(is_first, -1, axis=1)
            t1 = np.where(is_last, before + 1, n_pos)[:, ::-1]
            t1 = np.minimum.accumulate(t1, axis=1)[:, ::-1]
            t0 = np.where(is_first, before, t1)
            f1 = stop - t1
            f0 = np.where(is_first, start - t0, f1)
        shape = len(positions), 1
        totals = np.full(shape, float(n_pos)), np.full(shape, float(self.n_samples - n_pos))
        return self.measure.of_block(BootstrapBlock(t0, t1, f0, f1, *totals))


class _LabelAssignment:
    """Arrangements that give a label, and maybe a weight, to each sample."""

    def __init__(self, measure, sample, roc):
        self.measure, self.data, self.clusters = measure, sample.data, sample.units
        n_samples = len(self.data.score)
        tie = segments_of_samples(roc, self.data.score)
        self.samples_of_ties = csr_array((np.ones(n_samples), (tie, np.arange(n_samples))))
        self.n_values = 4 * n_samples

    def values_of(self, choices):
        """The metric for each row of choices."""
        positive, weight = self._labels(choices)
        weight = np.ones(positive.shape) if weight is None else weight
        delta_t, delta_n = (
            (self.samples_of_ties @ w.T).T
            for w in (np.where(positive, weight, 0.0), weight)
        )
        t1, n1 = np.cumsum(delta_t, axis=1), np.cumsum(delta_n, axis=1)
        f1, delta_f = n1 - t1, delta_n - delta_t
        block = BootstrapBlock(t1 - delta_t, t1, f1 - delta_f, f1, t1[:, -1:], f1[:, -1:])
        return self.measure.of_block(block)


class GroupPermutation(_LabelAssignment):
    """Any clusters may be the positive ones; each has samples of one class, no weights."""

    def __init__(self, measure, sample, roc):
        super().__init__(measure, sample, roc)
        self.n_clusters = sample.n_clusters
        self.observed = np.unique(self.clusters[self.data.positive])
        self.n_distinct = _n_choices(self.n_clusters, len(self.observed))

    def drawn(self, rng, size):
        """Indices of the positive clusters."""
        n_pos = len(self.observed)
        return np.array(
            [rng.choice(self.n_clusters, n_pos, replace=False) for _ in range(size)]
        )

    def every(self):
        return itertools.combinations(range(self.n_clusters), len(self.observed))

    def _labels(self, choices):
        positive = np.zeros((len(choices), self.n_clusters), dtype=bool)
        np.put_along_axis(positive, choices, True, axis=1)
        return positive[:, self.clusters], None


class BlockPermutation(_LabelAssignment):
    """Clusters of the same size exchange their labels and weights, sample by sample."""

    def __init__(self, measure, sample, roc):
        super().__init__(measure, sample, roc)
        by_cluster, size = (
            np.argsort(self.clusters, kind="stable"),
            np.bincount(self.clusters),
        )
        start = np.cumsum(size) - size
        # Per size of cluster, a table of sample indices with one row per cluster.
        self.tables = [
            by_cluster[start[size == n][:, np.newaxis] + np.arange(n)]
            for n in np.unique(size)
        ]
        self.observed = np.arange(len(self.clusters))
        self.n_distinct = math.inf if max(map(len, self.tables)) > 1 else 1

    def drawn(self, rng, size):
        """Index of the sample whose label and weight each sample gets."""
        found = np.empty((size, len(self.observed)), dtype=np.int64)
        for source in found:
            for table in self.tables:
                source[table] = table[rng.permutation(len(table))]
        return found

    def _labels(self, sources):
        weight = self.data.weight
        return self.data.positive[sources], None if weight is None else weight[sources]


def _n_choices(n, k):
    """Number of ways to choose k of n; infinite where it exceeds any `n_resamples`."""
    k = min(k, n - k)
    return math.comb(n, k) if k <= 40 else math.inf
