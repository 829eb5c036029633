"""Blocks of permutations of the labels: counts at their positives, and integrals."""

from typing import NamedTuple

import numpy as np

from .._input.arrays import grows
from .counting import from_counts

# Denominators are kept above these two bounds, a relative and an absolute one, to avoid a
# division by 0.
_TINY, _SMALLEST = 1e-300, 5e-324


class PermutationBlock(NamedTuple):
    """A block of permutations, one per row.

    A *step* is the set of positives of one segment of the ROC curve.

    Attributes
    ----------
    t0, t1, f0, f1 : ndarray of shape (n_permutations, n_steps)
        True and false positives before and after each step.
    n_pos, n_neg : ndarray of shape (n_permutations, 1)
        Totals.
    """

    t0: np.ndarray
    t1: np.ndarray
    f0: np.ndarray
    f1: np.ndarray
    n_pos: np.ndarray
    n_neg: np.ndarray

    def at_prevalence(self, prevalence):
        """The block with negatives reweighted to a reference prevalence, unless None."""
        if prevalence is None:
            return self
        weight = (1 - prevalence) / prevalence * self.n_pos / self.n_neg
        f0, f1, n_neg = (fps * weight for fps in (self.f0, self.f1, self.n_neg))
        return self._replace(f0=f0, f1=f1, n_neg=n_neg)

    def rocs(self):
        """The ROC curve of each permutation, through the ends of its steps."""
        for t0, t1, f0, f1, n_pos, n_neg in zip(*self, strict=True):
            fps = np.concatenate(([0.0], np.column_stack((f0, f1)).ravel(), n_neg))
            tps = np.concatenate(([0.0], np.column_stack((t0, t1)).ravel(), n_pos))
            is_new = np.append(True, grows(fps, tps))
            yield from_counts(fps[is_new], tps[is_new])


def areas_of_block(block, low, high):
    """The exact area over the recalls from `low` to `high` of each permutation."""
    t0, t1, f0, f1, n_pos, _ = block
    if (low, high) != (0.0, 1.0):
        # Each step is cut to the range; outside, it is left with length 0.
        start, stop = (np.clip(t, low * n_pos, high * n_pos) for t in (t0, t1))
        slope = (f1 - f0) / np.where(t1 > t0, t1 - t0, 1)
        f0, f1 = f0 + slope * (start - t0), f0 + slope * (stop - t0)
        t0, t1 = start, stop
    delta_t, n0 = t1 - t0, t0 + f0
    step = delta_t + (f1 - f0)
    # Davis and Goadrich's interpolation in closed form (`integrals.integral_over_n`). At
    # n0 = 0 the logarithm is multiplied by 0 and has only to be finite.
    log = np.log1p(step / np.maximum(n0, step * _TINY + _SMALLEST))
    share = delta_t / np.where(step > 0, step, 1)
    return np.sum(share * (delta_t + (t0 - share * n0) * log), axis=1) / n_pos[:, 0]


def average_precisions_of_block(block, low, high):
    """Average precision of each permutation."""
    delta_t, predicted = block.t1 - block.t0, block.t1 + block.f1
    precision = block.t1 / np.maximum(predicted, _TINY)
    return np.sum(delta_t * precision, axis=1) / block.n_pos[:, 0]
