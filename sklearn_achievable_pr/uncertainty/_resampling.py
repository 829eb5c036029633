"""Bootstrap: the metric of resamples of samples or clusters, without sorting again.

The samples of a ROC curve fall into cells (see `_roc.blocks`). A resample is one count or
weight per cell, and the metric is computed for a block of resamples at once. Results do not
depend on the number of threads.
"""

import numpy as np
from scipy.sparse import csr_array

from .._roc.blocks import bootstrap_block

# The largest arrays of a block have at most this many bytes; about ten of them exist at a
# time.
_BLOCK_BYTES = 1 << 17


def block_sizes(n_resamples, n_values):
    """Numbers of resamples per block if a resample takes `n_values` numbers."""
    size = max(1, _BLOCK_BYTES // (8 * n_values))
    full, rest = divmod(n_resamples, size)
    return [size] * full + [rest] * (rest > 0)


def _cell_table(sample):
    """Weight of each unit in each cell; cells are defined in `_roc.blocks`.

    Returns
    -------
    csr_array of float64, shape (3 * n_steps + 1, n_units)
        A step is a segment that has positives.
    """
    steps = np.flatnonzero(np.diff(sample.roc.concatenated().tps))
    step, n_steps = np.searchsorted(steps, sample.segment), len(steps)
    tied = steps.take(step, mode="clip") == sample.segment
    first = np.where(sample.data.positive, 0, np.where(tied, 2 * n_steps + 1, n_steps))
    shape = 3 * n_steps + 1, sample.n_units
    return csr_array((sample.weight, (first + step, sample.units)), shape)


def _metric_of_cells(metrics, cells):
    """The metric, or the difference of two scores, of each row of weights per cell.

    `metrics` has the metric of each score, and `cells` one array of shape (n_resamples,
    n_cells) for each score.
    """
    blocks = map(bootstrap_block, cells)
    first, *second = (m.of_block(block) for m, block in zip(metrics, blocks, strict=True))
    return first - second[0] if second else first


class Bootstrap:
    """Bootstrap resamples: samples, or whole clusters, drawn with replacement.

    Parameters
    ----------
    samples : list of Sample
        The samples with one score, or with two, whose difference is then resampled.
    """

    def __init__(self, samples):
        self.sample, self.metrics = samples[0], [sample.metric for sample in samples]
        self.tables = [_cell_table(sample) for sample in samples]

    def values(self, n_resamples, rng):
        """The metric, or the difference of two, of each resample."""
        blocks, n_values = [], sum(table.shape[0] for table in self.tables)
        for size in block_sizes(n_resamples, n_values):
            resamples = (self._resample(rng) for _ in range(size))
            cells = map(np.array, zip(*resamples, strict=True))
            blocks.append(_metric_of_cells(self.metrics, cells))
        return np.concatenate(blocks)

    def _resample(self, rng):
        """Weight per cell of one resample, one array per score.

        Units are drawn with replacement, and again while the resample has no positives, or
        no negatives although the metric needs them.
        """
        n_units = self.sample.n_units
        while True:
            times = np.bincount(rng.integers(n_units, size=n_units), minlength=n_units)
            cells = [table @ times for table in self.tables]
            # Rounding may remove a small weight from the totals of one score and not from
            # those of the other, so both are checked.
            positives = [each[: len(each) // 3].any() for each in cells]
            negative = cells[0][len(cells[0]) // 3 :]
            if all(positives) and (not self.metrics[0].needs_negatives or negative.any()):
                return cells
