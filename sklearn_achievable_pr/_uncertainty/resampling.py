"""The metric of many resamples of the same rows, sorted once.

The rows of a ROC curve fall into cells: the positives of each of its segments that has some
(a step), the negatives between one step and the next (a gap), and those tied with the
positives of a step. A resample is a weight a cell, and a metric is a function of a block
of such rows of weights. Blocks are as large as a part of the memory allows, so that the
number of resamples costs no memory but for their values.

Nothing here uses threads, nor sums whose order depends on them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.special import gammaln, xlogy

from .._metrics import MetricWithOptions
from .._roc.blocks import bootstrap_block, cell_layout
from .standard_error import InfluenceValues, segments_of_samples

# Bytes of a block's largest arrays, of which some ten exist at a time.
_BLOCK_BYTES = 1 << 17
# Poisson numbers of rates up to this one are drawn from tables.
_MOST_TABLED = 100
# The cell of each row is listed for so many rows, else looked up.
_MOST_ROWS_LISTED = 1 << 20


def cells_of_rows(roc, data):
    """The cell that each row is in."""
    points = roc.concatenated()
    steps = cell_layout(points.fps, points.tps)
    segment = segments_of_samples(roc, points, data.score)
    has_positives = np.diff(points.tps) > 0
    step = (np.cumsum(has_positives) - has_positives)[segment]
    negative = np.where(has_positives[segment], steps.tie_of(step), steps.gap_of(step))
    return np.where(data.positive, step, negative)


# Metrics of blocks


class Statistic(NamedTuple):
    """A metric of the resamples of one ROC curve.

    Attributes
    ----------
    measure : MetricWithOptions
    n_steps : int
        Of the ROC curve.
    """

    measure: MetricWithOptions
    n_steps: int

    def __call__(self, cells):
        """The metric of each row of weights of cells."""
        return self.measure.of_block(bootstrap_block(cells, self.n_steps))

    def is_defined(self, cells):
        """Whether each row of weights of cells has the classes that the metric needs."""
        found = np.any(cells[:, : self.n_steps], axis=1)
        if self.measure.needs_negatives:
            found &= np.any(cells[:, self.n_steps :], axis=1)
        return found


class Difference(NamedTuple):
    """One statistic less another; the cells of the second ROC curve follow the first's."""

    first: Statistic
    second: Statistic
    n_first: int

    def __call__(self, cells):
        return self.first(cells[:, : self.n_first]) - self.second(cells[:, self.n_first :])

    def is_defined(self, cells):
        # Both are of the same rows.
        return self.first.is_defined(cells[:, : self.n_first])


# Draws


def block_sizes(n_resamples, n_values):
    """Sizes of blocks of rows with so many values each."""
    size = max(1, _BLOCK_BYTES // (8 * n_values))
    full, rest = divmod(n_resamples, size)
    return [size] * full + [rest] * (rest > 0)


class Urn:
    """Draws with replacement, counted by cell, in proportion to what the cells hold.

    With a Poisson number from each cell, the numbers are those of that many draws whatever
    their total is. So the rates are set to make a total that is seldom too large (then all
    are drawn again), and the draws still missing are made one by one.

    Parameters
    ----------
    counts : ndarray of int64, shape (n_cells,)
        As many draws are made as rows are counted here.
    """

    def __init__(self, counts):
        self.n_rows = int(counts.sum())
        self.rows_before = np.cumsum(counts)
        self.cell_of_row = None
        if self.n_rows <= _MOST_ROWS_LISTED:
            self.cell_of_row = np.repeat(np.arange(len(counts)), counts)
        rates = counts * max(0.0, 1 - 2 / self.n_rows**0.5)
        self.larger = (counts > _MOST_TABLED).nonzero()[0]
        self.larger_rates = rates[self.larger]
        rates[self.larger] = 0.0
        rates, which = np.unique(rates, return_inverse=True)
        tables = [_poisson_aliases(rate) for rate in rates.tolist()]
        sizes = np.array([len(chance) for chance, _ in tables])
        self.size_of = sizes[which].astype(np.float64)
        self.start_of = (np.cumsum(sizes) - sizes)[which]
        self.chance, self.other = np.hstack(tables)

    def __call__(self, rng, size):
        """Counts of each cell, float64 of shape (size, n_cells)."""
        found = self._poisson(rng, size)
        totals = found.sum(axis=1)
        while len(beyond := (totals > self.n_rows).nonzero()[0]):
            found[beyond] = self._poisson(rng, len(beyond))
            totals[beyond] = found[beyond].sum(axis=1)
        missing = (self.n_rows - totals).astype(np.int64)
        cell = self._cells(rng.integers(self.n_rows, size=missing.sum()))
        cell += np.repeat(np.arange(size) * found.shape[1], missing)
        found += np.bincount(cell, minlength=found.size).reshape(found.shape)
        return found

    def _cells(self, row):
        if self.cell_of_row is None:
            return np.searchsorted(self.rows_before, row, side="right")
        return self.cell_of_row.take(row)

    def _poisson(self, rng, size):
        place = rng.random((size, len(self.size_of)))
        place *= self.size_of
        number = place.astype(np.int64)
        place -= number
        entry = number + self.start_of
        found = np.where(place < self.chance.take(entry), number, self.other.take(entry))
        if len(self.larger):
            shape = (size, len(self.larger))
            found[:, self.larger] = rng.poisson(self.larger_rates, size=shape)
        return found


def _poisson_aliases(rate):
    """Walker's tables of the Poisson distribution: one look-up draws a number.

    Number k is taken with the chance in `chance[k]`, else `other[k]`.

    Returns
    -------
    chance, other : ndarray of float64
    """
    # What lies beyond has a chance below 1e-16.
    number = np.arange(int(rate + 9 * rate**0.5 + 18))
    chance = np.exp(xlogy(number, rate) - rate - gammaln(number + 1))
    chance = (chance * (len(number) / chance.sum())).tolist()
    other = list(range(len(chance)))
    small = [k for k, part in enumerate(chance) if part < 1]
    large = [k for k, part in enumerate(chance) if part >= 1]
    while small and large:
        k = small.pop()
        other[k] = large[-1]
        chance[large[-1]] -= 1 - chance[k]
        if chance[large[-1]] < 1:
            small.append(large.pop())
    return np.array(chance), np.array(other, dtype=np.float64)


class RowDraws:
    """Rows of weight 1 drawn each for itself.

    Parameters
    ----------
    steps : CellLayout
    fixed_class_counts : bool
        Draw as many rows of each class as there are.
    """

    def __init__(self, steps, fixed_class_counts):
        parts = np.split(steps.counts, [steps.n_steps] if fixed_class_counts else [])
        self.urns = [Urn(part) for part in parts]
        self.n_values = len(steps.counts)
        self.counts, self.cells = steps.counts, steps.counts.nonzero()[0]

    def __call__(self, rng, size):
        return np.hstack([urn(rng, size) for urn in self.urns])

    def left_out(self):
        """Blocks of samples without one row of a cell each, and how many rows it has."""
        for cell in np.array_split(self.cells, max(1, len(self.cells) // 64)):
            without = np.tile(self.counts.astype(np.float64), (len(cell), 1))
            without[np.arange(len(cell)), cell] -= 1
            yield without, self.counts[cell]


class UnitDraws:
    """Units, rows with their weights or groups of rows, drawn with replacement.

    Parameters
    ----------
    table : sparse array of shape (n_cells, n_units)
        What a unit brings into each cell.
    strata : list of ndarray
        Units among which as many are drawn as there are.
    """

    def __init__(self, table, strata):
        self.table, self.strata = table, strata
        self.urns = [Urn(np.ones(len(units), dtype=np.int64)) for units in strata]
        self.n_values = sum(table.shape)

    def __call__(self, rng, size):
        counts = np.empty((self.table.shape[1], size))
        for units, urn in zip(self.strata, self.urns, strict=True):
            counts[units] = urn(rng, size).T
        return (self.table @ counts).T

    def left_out(self):
        """Blocks of samples without one unit each, and how many units are alike."""
        whole = np.asarray(self.table.sum(axis=1)).reshape(-1, 1)
        for start in range(0, self.table.shape[1], 64):
            without = self.table[:, start : start + 64].toarray()
            yield (whole - without).T, np.ones(without.shape[1])


def unit_table(cell, unit, weight, n_cells, n_units):
    """What each unit brings into each cell, as `UnitDraws` takes it."""
    weight = np.ones(len(cell)) if weight is None else weight
    return csr_array((weight, (cell, unit)), shape=(n_cells, n_units))


def resampled(statistic, draws, n_resamples, rng):
    """The statistic of resamples, of shape (n_resamples,).

    A resample that has no value, for want of positives say, is drawn again: the
    distribution is that of the samples that have one.

    Parameters
    ----------
    statistic : Statistic or Difference
    draws : callable
        ``draws(rng, size)`` returns `size` rows of weights of cells.
    n_resamples : int
    rng : numpy.random.Generator
    """
    return np.concatenate(
        [
            statistic(drawn_with_value(statistic, draws, rng, size))
            for size in block_sizes(n_resamples, draws.n_values)
        ]
    )


def drawn_with_value(statistic, draws, rng, size):
    """Rows of weights of cells for which the statistic is defined."""
    cells = draws(rng, size)
    while len(without := (~statistic.is_defined(cells)).nonzero()[0]):
        cells[without] = draws(rng, len(without))
    return cells


def left_out(statistic, draws):
    """InfluenceValues of the units: how far the statistic falls without each of them.

    Returns
    -------
    InfluenceValues
    """
    found, counts = zip(
        *((statistic(cells), count) for cells, count in draws.left_out()), strict=True
    )
    found, counts = -np.concatenate(found), np.concatenate(counts)
    centred = found - np.average(found, weights=counts)
    return InfluenceValues(centred, counts, np.zeros(len(found)), int(counts.sum()))
