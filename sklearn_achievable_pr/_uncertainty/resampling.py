"""Bootstrap: the metric of resamples of samples or clusters, without sorting again.

The samples of a ROC curve fall into cells (see `_roc.blocks`). A resample is one count or
weight per cell, and the metric is computed for a block of resamples at once. Results do not
depend on the number of threads.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from .._roc.blocks import bootstrap_block
from .standard_error import InfluenceValues

# Bytes of the largest arrays of a block; about ten of them exist at a time.
_BLOCK_BYTES = 1 << 17
# Number of jackknife values per block.
_JACKKNIFE_BLOCK = 64


def block_sizes(n_resamples, n_values):
    """Numbers of resamples per block if a resample takes `n_values` numbers."""
    size = max(1, _BLOCK_BYTES // (8 * n_values))
    full, rest = divmod(n_resamples, size)
    return [size] * full + [rest] * (rest > 0)


def cells_of_samples(steps, place, positive):
    """Index of the cell of each sample; cells are defined in `_roc.blocks`.

    Parameters
    ----------
    steps : ndarray, shape (n_steps,)
        Distinct segments of the positives, by decreasing score.
    place, positive : ndarray, shape (n_samples,)
        Segment and class of each sample.
    """
    step = np.searchsorted(steps, place)
    tied = steps.take(step, mode="clip") == place
    first_gap, first_tie = len(steps), 2 * len(steps) + 1
    return np.where(positive, step, np.where(tied, first_tie, first_gap) + step)


class Layout(NamedTuple):
    """The cells of a ROC curve: the cell of each sample, numbers of steps and of cells."""

    cell: np.ndarray
    n_steps: int
    n_cells: int


class Bootstrap:
    """Bootstrap resamples: samples, or whole clusters, drawn with replacement.

    Parameters
    ----------
    samples : list of Sample
        The samples with one score, or with two, whose difference is then resampled.
    """

    def __init__(self, samples):
        self.sample, self.metric = samples[0], samples[0].metric
        positive = self.sample.data.positive
        self.layouts = []  # one per score
        for sample in samples:
            steps = np.flatnonzero(np.diff(sample.roc.concatenated().tps))
            cell, n_steps = cells_of_samples(steps, sample.segment, positive), len(steps)
            n_cells = (3 if cell.max() > 2 * n_steps else 2) * n_steps + 1
            self.layouts.append(Layout(cell, n_steps, n_cells))
        # Units and their number; as many of them are drawn.
        self.strata = [(slice(None), self.sample.n_units)]
        if self.sample.fixed_class_counts:
            self.strata = [(c, np.count_nonzero(c)) for c in (positive, ~positive)]

    def values(self, n_resamples, rng):
        """The metric, or the difference of two, of each resample."""
        found, n_values = [], sum(layout.n_cells for layout in self.layouts)
        for size in block_sizes(n_resamples, n_values):
            resamples = (self._resample(rng) for _ in range(size))
            found.append(self._metric(map(np.array, zip(*resamples, strict=True))))
        return np.concatenate(found)

    def jackknife(self):
        """`InfluenceValues` from the metric without each unit in turn."""
        ((cell, _, n_cells),) = self.layouts
        unit, weight, multiplicity = self.sample.units, self.sample.weight, 1
        whole = np.bincount(cell, weights=weight, minlength=n_cells)
        if self.sample.is_simple:
            # Samples of one cell have the same jackknife value: compute it once per cell.
            cell = whole.nonzero()[0]
            unit, multiplicity = np.arange(len(cell)), whole[cell]
            weight = np.ones(len(cell))
        table = csr_array((weight, (unit, cell)), shape=(unit.max() + 1, n_cells))
        values = -np.concatenate(
            [
                self._metric([whole - table[i : i + _JACKKNIFE_BLOCK].toarray()])
                for i in range(0, table.shape[0], _JACKKNIFE_BLOCK)
            ]
        )
        values -= np.sum(multiplicity * values) / self.sample.n_units
        return InfluenceValues(values, multiplicity, 0, self.sample.n_units)

    def _metric(self, blocks):
        """The metric, or the difference of two, of each row of cells."""
        first, *second = (
            self.metric.of_block(bootstrap_block(cells, layout.n_steps))
            for cells, layout in zip(blocks, self.layouts, strict=True)
        )
        return first - second[0] if second else first

    def _resample(self, rng):
        """Weight per cell of one resample, one array per score.

        Units are drawn with replacement, and again while the resample has no positives, or
        no negatives although the metric needs them.
        """
        n_steps = self.layouts[0].n_steps
        while True:
            weight = np.empty(self.sample.n_units, dtype=np.int64)
            for units, n in self.strata:
                weight[units] = np.bincount(rng.integers(n, size=n), minlength=n)
            if self.sample.clusters is not None:
                weight = weight[self.sample.clusters]
            if self.sample.data.weight is not None:
                weight = weight * self.sample.data.weight
            cells = [
                np.bincount(layout.cell, weights=weight, minlength=layout.n_cells)
                for layout in self.layouts
            ]
            # Two scores have the same labels.
            n_pos, n_neg = cells[0][:n_steps].sum(), cells[0][n_steps:].sum()
            if n_pos and (n_neg or not self.metric.needs_negatives):
                return cells
