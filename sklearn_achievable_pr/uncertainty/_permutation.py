"""The permutation test of labels that are independent of the scores.

Scores are sorted only once. `chance_test` draws `n_resamples` permutations of the
labels at random or, if there are at most `n_resamples` permutations, uses each of them
once.
"""

import itertools
import math

import numpy as np

from .._inference.doubts import lacks_class
from .._inference.limits import permutation_pvalue
from .._roc.blocks import PermutationBlock
from ..results import AucPRChanceResult
from ._samples import AreaSample

# The largest arrays of a block have at most this many bytes; about ten of them exist at a
# time.
_BLOCK_BYTES = 1 << 17


def chance_test(metric, data, n_resamples, rng):
    """The `AucPRChanceResult` of a metric of independent `BinaryData` without weights.

    It tests whether the metric is higher than with labels independent of the scores.
    """
    roc = metric.roc_of(data, every_threshold=True, with_order=True)
    sample = AreaSample(data, roc, metric=metric)
    fields = {
        "n_samples": len(data.positive),
        "n_positive": int(np.count_nonzero(data.positive)),
        "method": "permutation",
        **metric.fields(),
    }
    if lacks_class(sample, "the test"):
        return AucPRChanceResult(**fields)
    permutations = LabelPermutation(sample)
    is_exact = permutations.n_distinct <= n_resamples
    n_permutations = permutations.n_distinct if is_exact else n_resamples
    sizes = _block_sizes(n_permutations, permutations.n_pos)
    if is_exact:
        each = permutations.every()
        blocks = (np.array(list(itertools.islice(each, size))) for size in sizes)
    else:
        blocks = (permutations.drawn(rng, size) for size in sizes)
    null = np.concatenate([permutations.values_of(block) for block in blocks])
    observed = permutations.values_of(permutations.observed[np.newaxis])[0]
    scale = metric.rounding_scale(sample.value)
    pvalue = permutation_pvalue(observed, null, "greater", scale, is_exact)
    return AucPRChanceResult(
        **fields, estimate=float(sample.value), pvalue=pvalue, null_distribution=null
    )


class LabelPermutation:
    """Permutations of the labels of independent samples without weights.

    Parameters
    ----------
    sample : AreaSample
        Samples with a ROC curve at every threshold.

    Attributes
    ----------
    observed : ndarray of int64, shape (n_pos,)
        The labels of the data, one row for `values_of`: increasing positions of the
        positives in the order of decreasing score.
    n_distinct : int
        Number of distinct labelings, or some number above 1e23.
    n_samples, n_pos : int
        Numbers of samples and of positives.
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

    def drawn(self, rng, size):
        """Increasing positions of the positives in the order of decreasing score."""
        positions = np.empty((size, self.n_pos), dtype=np.int64)
        for row in positions:
            row[:] = rng.choice(self.n_samples, self.n_pos, replace=False, shuffle=False)
        positions.sort(axis=1)
        return positions

    def every(self):
        """All rows that `drawn` may return."""
        return itertools.combinations(range(self.n_samples), self.n_pos)

    def values_of(self, positions):
        """The metric for each row of positions.

        A permutation has points at its positives only.
        """
        steps = self._tied_steps if self.is_tied else self._untied_steps
        n_rows, n_neg = len(positions), float(self.n_samples - self.n_pos)
        totals = np.full((n_rows, 1), float(self.n_pos)), np.full((n_rows, 1), n_neg)
        t0, t1, f0, f1 = steps(positions)
        return self.metric.of_block(PermutationBlock(t0, t1, f0, f1, *totals))

    def _untied_steps(self, positions):
        """Counts before and after each positive: t0, t1, f0, f1 of a `PermutationBlock`.

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
        # A positive that comes just before the first one of a tie is the last one of the
        # tie before. `np.roll` moves the first column behind the last one, so positives of
        # the last column are lasts, because those of the first column are always firsts.
        is_last = np.roll(is_first, -1, axis=1)
        ends = np.where(is_last, n_before + 1, self.n_pos)
        t1 = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
        f1 = stop - t1
        t0 = np.where(is_first, n_before, t1)
        # Before the first positive of a tie, all positives lie above the tie, like the
        # `start` samples. Before its other positives, some lie within the tie.
        f0 = np.where(is_first, start - n_before, f1)
        return t0, t1, f0, f1


def _block_sizes(n_permutations, n_per_permutation):
    """Numbers of permutations per block; each takes `n_per_permutation` numbers."""
    size = max(1, _BLOCK_BYTES // (8 * n_per_permutation))
    full, rest = divmod(n_permutations, size)
    return [size] * full + [rest] * (rest > 0)


def _n_choices(n, k):
    """Number of ways to choose k of n, or some number above 1e23 if it is larger.

    With 1e6 samples the number may have 3e5 digits. There are more than 1e23 ways to choose
    40 of at least 80, far more than any number of permutations.
    """
    return math.comb(n, min(k, n - k, 40))
