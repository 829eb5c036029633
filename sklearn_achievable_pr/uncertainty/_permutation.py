"""Permutation tests: labels independent of the scores, or two exchangeable scores.

Scores are sorted only once. An *arrangement* is a permutation of the labels, or an exchange
of the ranks of some samples between two scores. `permutation_test` draws `n_resamples`
arrangements at random or, if there are at most `n_resamples` arrangements, uses each of
them once.
"""

import itertools
import math

import numpy as np
from scipy.sparse import hstack

from .._roc.blocks import BootstrapBlock
from ._limits import permutation_pvalue
from ._resampling import block_sizes, cell_table, metric_of_cells


def permutation_test(arrangements, alternative, n_resamples, rng, scale):
    """Test of a statistic over arrangements that are equally likely under the null.

    Parameters
    ----------
    arrangements : PairedExchange or LabelPermutation
    alternative : {"two-sided", "less", "greater"}
    n_resamples : int
    rng : numpy.random.Generator
    scale : float
        The size of the values to which the rounding error of the statistic is relative.

    Returns
    -------
    null : ndarray of float64
        The statistic of each arrangement.
    pvalue : float
        The p-value of the observed statistic.
    """
    exact = arrangements.n_distinct <= n_resamples
    n_values = arrangements.n_distinct if exact else n_resamples
    sizes = block_sizes(n_values, arrangements.n_values)
    if exact:
        each = arrangements.every()
        blocks = (np.array(list(itertools.islice(each, size))) for size in sizes)
    else:
        blocks = (arrangements.drawn(rng, size) for size in sizes)
    null = np.concatenate([arrangements.values_of(block) for block in blocks])
    observed = arrangements.values_of(arrangements.observed[np.newaxis])[0]
    return null, permutation_pvalue(observed, null, alternative, scale, exact)


class PairedExchange:
    """Exchanges of ranks between two scores, each sample with probability 1/2.

    Parameters
    ----------
    samples : list of Sample
        The same samples with the first and the second score, each with a ROC curve at every
        threshold. Samples of one cluster are exchanged together.

    Attributes
    ----------
    observed : ndarray, shape (n_units,)
        The arrangement of the data, one row for `values_of`: nothing is exchanged.
    n_distinct : int
        Number of arrangements.
    n_values : int
        Numbers that one arrangement takes in a block.
    """

    def __init__(self, samples):
        sample, self.metric = samples[0], samples[0].metric
        ranks = exchangeable_ranks(samples)
        # The steps of both curves are the distinct ranks of positives under both scores.
        steps = np.unique(np.concatenate([rank[sample.data.positive] for rank in ranks]))
        tables = [cell_table(sample, steps, rank) for rank in ranks]
        # Cells of units that are kept and that are exchanged, for both scores. Sums of
        # weights have no rounding errors of larger weights that were subtracted.
        self.tables = [hstack(pair, "csr") for pair in (tables, tables[::-1])]
        n_cells, n_units = tables[0].shape
        self.observed = np.zeros(n_units)
        self.n_distinct = 2**n_units
        self.n_values = 2 * n_cells + n_units

    def values_of(self, exchanged):
        """Difference of the metrics for each row of a boolean array of exchanged units."""
        chosen = np.hstack((1 - exchanged, exchanged)).T.astype(np.float64)
        cells = [(table @ chosen).T for table in self.tables]
        return metric_of_cells([self.metric] * 2, cells)

    def drawn(self, rng, size):
        """Whether each unit is exchanged, in `size` rows."""
        return rng.integers(2, size=(size, len(self.observed)), dtype=np.uint8)

    def every(self):
        """All rows that `drawn` may return."""
        return itertools.product((0, 1), repeat=len(self.observed))


def exchangeable_ranks(samples):
    """Rank of each sample by decreasing score, for both scores on a common scale.

    The rank of a sample is the midrank of its tie. If a tie of one score and a tie of the
    other score contain each other's midrank, both get the mean of the two midranks. Scores
    on the same ordinal scale then keep their ties when samples are exchanged.

    Returns
    -------
    list of ndarray, shape (n_samples,)
    """
    # Twice the number, or weight, of samples down to the end and to the middle of each
    # tie. An untied sample is a tie of one sample.
    ends, middles = [], []
    for sample in samples:
        points = sample.roc.concatenated()
        end = points.fps + points.tps
        ends.append(2 * end[1:])
        middles.append(end[:-1] + end[1:])
    # `partner` is the midrank of the tie of the other score around this midrank, `back` the
    # tie of this score around `partner`: each contains the other if it is the tie itself.
    ranks = []
    for own, other in ((0, 1), (1, 0)):
        partner = middles[other][np.searchsorted(ends[other][:-1], middles[own])]
        back = np.searchsorted(ends[own][:-1], partner)
        rank = middles[own] + np.where(back == np.arange(len(back)), partner, middles[own])
        ranks.append(rank[samples[own].segment])
    return ranks


class LabelPermutation:
    """Permutations of the labels of independent samples without weights.

    Parameters
    ----------
    sample : Sample
        Samples with a ROC curve at every threshold.

    Attributes
    ----------
    observed : ndarray of int64, shape (n_pos,)
        The arrangement of the data, one row for `values_of`: increasing positions of the
        positives in the order of decreasing score.
    n_distinct : int
        Number of arrangements, or some number above 1e23.
    n_values : int
        Numbers that one arrangement takes in a block.
    """

    def __init__(self, sample):
        points = sample.roc.concatenated()
        tps, n_above, self.metric = points.tps, points.n_above, sample.metric
        self.n_samples, self.n_pos = int(n_above[-1]), int(tps[-1])
        size = np.diff(n_above)
        self.is_tied = len(size) < self.n_samples
        self.tie_start = np.repeat(n_above[:-1], size)
        self.tie_stop = np.repeat(n_above[1:], size)
        # The order within a tie is arbitrary; here its positives come first.
        before = np.repeat(n_above[:-1] - tps[:-1], np.diff(tps))
        self.observed = before + np.arange(self.n_pos)
        self.n_distinct = _n_choices(self.n_samples, self.n_pos)
        self.n_values = self.n_pos

    def drawn(self, rng, size):
        """Increasing positions of the positives in the order of decreasing score."""
        found = np.empty((size, self.n_pos), dtype=np.int64)
        for row in found:
            row[:] = rng.choice(self.n_samples, self.n_pos, replace=False, shuffle=False)
        found.sort(axis=1)
        return found

    def every(self):
        """All rows that `drawn` may return."""
        return itertools.combinations(range(self.n_samples), self.n_pos)

    def values_of(self, positions):
        """The metric for each row of positions.

        A permutation has points at its positives only, as a resample of the bootstrap has,
        so a block of permutations is a `BootstrapBlock`.
        """
        steps = self._tied_steps if self.is_tied else self._untied_steps
        n_rows, n_neg = len(positions), float(self.n_samples - self.n_pos)
        totals = np.full((n_rows, 1), float(self.n_pos)), np.full((n_rows, 1), n_neg)
        return self.metric.of_block(BootstrapBlock(*steps(positions), *totals))

    def _untied_steps(self, positions):
        """Counts before and after each positive: t0, t1, f0, f1 of a `BootstrapBlock`.

        Each positive is a step of its own. One row of 3 positives among 6 samples::

            samples      -  +  +  -  -  +
            positions       1  2        5
            t0, t1         0,1 1,2     2,3      positives before and after
            f0 = f1         1  1        3       negatives before
        """
        t0 = np.broadcast_to(np.arange(self.n_pos, dtype=np.float64), positions.shape)
        fps = positions - t0
        return t0, t0 + 1, fps, fps

    def _tied_steps(self, positions):
        """Counts before and after each step where scores are tied, as `_untied_steps`.

        All positives of a tie are one step, which stands at the first of them; the others
        have steps of length 0, at the end of the tie. One row, with ties in brackets::

            samples      -  [+  +  -]  -  [- +]
            positions        1  2             6
            start, stop     1,4 1,4          5,7    of the tie, as numbers of samples
            is_first         T   F            T     of the positives of a tie
            is_last          F   T            T
            ends             3   2            3     if last, positives so far, else n_pos
            t1               2   2            3     smallest of `ends` from here on
            t0, t1          0,2 2,2          2,3
            f0, f1          1,2 2,2          3,4
        """
        n_before = np.arange(self.n_pos, dtype=np.float64)
        start, stop = self.tie_start[positions], self.tie_stop[positions]
        is_first = np.diff(start, axis=1, prepend=-1) != 0
        # A positive before a first is a last. `np.roll` moves the first column behind the
        # last one: its positives are always firsts, and those of the last column are lasts.
        is_last = np.roll(is_first, -1, axis=1)
        ends = np.where(is_last, n_before + 1, self.n_pos)
        t1 = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
        f1 = stop - t1
        t0 = np.where(is_first, n_before, t1)
        # All positives before the first of a tie are above the tie, as the `start` samples
        # are; before the others of the tie there are more.
        f0 = np.where(is_first, start - n_before, f1)
        return t0, t1, f0, f1


def _n_choices(n, k):
    """Number of ways to choose k of n, or some number above 1e23 if it is larger.

    With 1e6 samples the number may have 3e5 digits. A choice of 40 of at least 80 has more
    than 1e23 ways, far more than anybody draws.
    """
    return math.comb(n, min(k, n - k, 40))
