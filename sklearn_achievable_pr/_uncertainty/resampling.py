"""Bootstrap: the metric of resamples of samples or clusters, without sorting again.

The samples of a ROC curve fall into cells (see `_roc.blocks`). A resample is a count or a
weight per cell, and the metric is computed for a block of resamples at once. Nothing here
depends on the number of threads.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from .._roc.blocks import bootstrap_block, cell_layout
from .standard_error import InfluenceValues, segments_of_samples

# Bytes of the largest arrays of a block; about ten of them exist at a time.
_BLOCK_BYTES = 1 << 17
# Units left out of one block of the jackknife.
_JACKKNIFE_BLOCK = 64


def block_sizes(n_resamples, n_values):
    """Numbers of resamples per block, if each takes `n_values` numbers."""
    size = max(1, _BLOCK_BYTES // (8 * n_values))
    full, rest = divmod(n_resamples, size)
    return [size] * full + [rest] * (rest > 0)


class Bootstrap:
    """Resamples of the units of a sample, drawn with replacement.

    Parameters
    ----------
    measure : MetricWithOptions
    sample : Sample
    rocs : list of ROCCurve
        That of one score, or those of two scores, whose difference is then resampled.
    scores : list of ndarray, shape (n_samples,)
        The scores of which these are the ROC curves.
    """

    def __init__(self, measure, sample, rocs, scores):
        self.measure, self.sample = measure, sample
        layouts = [cell_layout(*roc.concatenated()[:2]) for roc in rocs]
        self.n_steps = [layout.n_steps for layout in layouts]
        self.n_cells = [len(layout.counts) for layout in layouts]
        self.cells = [
            _cells_of_samples(roc, layout, sample.data.positive, score)
            for roc, layout, score in zip(rocs, layouts, scores, strict=True)
        ]
        self.strata = None
        if sample.fixed_class_counts:
            positive = sample.data.positive
            self.strata = [positive.nonzero()[0], (~positive).nonzero()[0]]

    def values(self, n_resamples, rng):
        """The metric, or the difference of two, of each resample."""
        return np.concatenate([self._metric(b) for b in self._blocks(n_resamples, rng)])

    def jackknife(self):
        """`InfluenceValues` from the metric without each unit in turn."""
        (cell,), (n_cells,) = self.cells, self.n_cells
        unit, weight, multiplicity = self.sample.units, self.sample.weight, 1
        whole = np.bincount(cell, weights=weight, minlength=n_cells)
        if self.sample.clusters is None and self.sample.data.weight is None:
            # Samples in one cell are alike: one of each cell is left out.
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
        values = [
            self.measure.of_block(bootstrap_block(cells, n_steps))
            for cells, n_steps in zip(blocks, self.n_steps, strict=True)
        ]
        return values[0] if len(values) == 1 else values[0] - values[1]

    def _blocks(self, n_resamples, rng):
        """Blocks of resamples: for each ROC curve an array of shape (size, n_cells)."""
        for size in block_sizes(n_resamples, sum(self.n_cells)):
            blocks = [np.empty((size, n_cells)) for n_cells in self.n_cells]
            for i in range(size):
                for block, cells in zip(blocks, self._resample(rng), strict=True):
                    block[i] = cells
            yield blocks

    def _resample(self, rng):
        """Weight per cell of a resample; one without a needed class is drawn again."""
        while True:
            cells = self._count(self._draw(rng))
            n_steps = self.n_steps[0]  # two scores have the same labels
            if cells[0][:n_steps].any() and (
                not self.measure.needs_negatives or cells[0][n_steps:].any()
            ):
                return cells

    def _draw(self, rng):
        """Indices of as many units as there are, in each stratum if there are strata."""
        if self.strata is None:
            return rng.integers(self.sample.n_units, size=self.sample.n_units)
        return np.concatenate([s[rng.integers(len(s), size=len(s))] for s in self.strata])

    def _count(self, units):
        """Weight of the drawn units per cell of each ROC curve."""
        clusters, weight = self.sample.clusters, self.sample.data.weight
        if clusters is None:
            samples, weight = units, None if weight is None else weight.take(units)
        else:
            samples = slice(None)
            times_drawn = np.bincount(units, minlength=self.sample.n_units)[clusters]
            weight = times_drawn if weight is None else times_drawn * weight
        return [
            np.bincount(cell[samples], weights=weight, minlength=n_cells)
            for cell, n_cells in zip(self.cells, self.n_cells, strict=True)
        ]


def _cells_of_samples(roc, layout, positive, score):
    """Index of the cell of each sample."""
    segment = segments_of_samples(roc, score)
    has_positives = np.diff(roc.concatenated().tps) > 0
    step = (np.cumsum(has_positives) - has_positives)[segment]
    negative = np.where(has_positives[segment], layout.tie_of(step), layout.gap_of(step))
    return np.where(positive, step, negative)
