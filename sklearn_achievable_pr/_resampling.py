"""The metric of many resamples of the same rows, sorted once.

The rows of a path fall into cells: the positives of each of its pieces that has some
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

from ._path.counting import from_counts
from ._spread import Measure, Moves, pieces_of_rows
from .areas import area
from .curves import precision_at
from .gain import gain_area
from .unachievable import average_precision_bounds

# Bytes of a block's largest arrays, of which some ten exist at a time.
_BLOCK_BYTES = 1 << 17
# Poisson numbers of rates up to this one are drawn from tables.
_MOST_TABLED = 100
# The cell of each row is listed for so many rows, else looked up.
_MOST_ROWS_LISTED = 1 << 20
_TINY, _SMALLEST = 1e-300, 5e-324


class Steps(NamedTuple):
    """The cells of a path, in the order steps, gaps, ties.

    Attributes
    ----------
    n_steps : int
        There are as many steps, one gap more (the last one below all positives), and as
        many ties or, if no negative is tied with a positive, none.
    counts : ndarray of shape (n_cells,)
        What the path has in each: rows, or weight.
    """

    n_steps: int
    counts: np.ndarray

    def gap_of(self, step):
        return self.n_steps + step

    def tie_of(self, step):
        return 2 * self.n_steps + 1 + step


def steps_of(fps, tps):
    """Cells of a path, weighted as the path is."""
    gain_f, gain_t = np.diff(fps), np.diff(tps)
    has_positives = gain_t > 0
    n_steps = np.count_nonzero(has_positives)
    gaps = np.bincount(
        np.cumsum(has_positives)[~has_positives],
        weights=gain_f[~has_positives],
        minlength=n_steps + 1,
    ).astype(gain_f.dtype)
    cells = [gain_t[has_positives], gaps]
    if np.any(gain_f[has_positives]):
        cells.append(gain_f[has_positives])
    return Steps(n_steps, np.concatenate(cells))


def cells_of_rows(path, problem):
    """The cell that each row is in."""
    points = path.whole()
    steps = steps_of(points.fps, points.tps)
    piece = pieces_of_rows(path, points, problem.score)
    has_positives = np.diff(points.tps) > 0
    step = (np.cumsum(has_positives) - has_positives)[piece]
    negative = np.where(has_positives[piece], steps.tie_of(step), steps.gap_of(step))
    return np.where(problem.positive, step, negative)


# Metrics of blocks


class Replicates(NamedTuple):
    """A block of resamples, one a row.

    Attributes
    ----------
    t0, t1, f0, f1 : ndarray of shape (n_replicates, n_steps)
        True and false positives before and after each step; `f1` is `f0` itself where no
        negative is tied with a positive.
    n_pos, n_neg : ndarray of shape (n_replicates, 1)
        Totals.
    """

    t0: np.ndarray
    t1: np.ndarray
    f0: np.ndarray
    f1: np.ndarray
    n_pos: np.ndarray
    n_neg: np.ndarray

    def with_negatives_times(self, weight):
        """The same with each replicate's negatives weighted."""
        f0 = self.f0 * weight
        f1 = f0 if self.f1 is self.f0 else self.f1 * weight
        return self._replace(f0=f0, f1=f1, n_neg=self.n_neg * weight)


def replicates_of(cells, n_steps):
    """What a block of weights of cells says about each step."""
    gain_t = cells[:, :n_steps]
    gaps, ties = cells[:, n_steps : 2 * n_steps + 1], cells[:, 2 * n_steps + 1 :]
    t1 = np.cumsum(gain_t, axis=1, dtype=np.float64)
    f0 = np.cumsum(gaps[:, :-1], axis=1, dtype=np.float64)
    f1 = f0
    if ties.shape[1]:
        tied = np.cumsum(ties, axis=1, dtype=np.float64)
        f1 = f0 + tied
        f0 = f1 - ties
    n_pos = t1[:, -1:]
    return Replicates(t1 - gain_t, t1, f0, f1, n_pos, f1[:, -1:] + gaps[:, -1:])


def areas_of(block, low, high):
    """The exact area over the recalls from `low` to `high` of each replicate."""
    t0, t1, f0, f1, n_pos, _ = block
    tied = f1 is not f0
    if (low, high) != (0.0, 1.0):
        start, stop = (np.clip(t, low * n_pos, high * n_pos) for t in (t0, t1))
        if tied:
            slope = (f1 - f0) / np.where(t1 > t0, t1 - t0, 1)
            f0, f1 = f0 + slope * (start - t0), f0 + slope * (stop - t0)
        t0, t1 = start, stop
    gain, n0 = t1 - t0, t0 + f0
    step = gain + (f1 - f0) if tied else gain
    # At n0 = 0 the logarithm is multiplied by 0 and has only to be finite.
    log = np.log1p(step / np.maximum(n0, step * _TINY + _SMALLEST))
    if tied:
        share = gain / np.where(step > 0, step, 1)
        found = share * (gain + (t0 - share * n0) * log)
    else:
        found = gain - f0 * log
    return np.sum(found, axis=1) / n_pos[:, 0]


def _normalized_areas(block, low, high):
    n_pos, n_neg = block.n_pos[:, 0], block.n_neg[:, 0]
    width = high - low
    room = n_neg / n_pos * np.log1p(width * n_pos / (n_neg + low * n_pos))
    return np.clip(1 - (width - areas_of(block, low, high)) / room, 0.0, 1.0)


def _achievable_areas(block, low, high):
    paths = (_path_of(*columns).hull() for columns in zip(*block, strict=True))
    return np.array([area(path, low, high) for path in paths])


def _gain_areas(block, *_):
    paths = (_path_of(*columns) for columns in zip(*block, strict=True))
    return np.array([gain_area(path) for path in paths])


def _path_of(t0, t1, f0, f1, n_pos, n_neg):
    """The path of one replicate through the ends of its steps."""
    fps = np.concatenate(([0.0], np.column_stack((f0, f1)).ravel(), n_neg))
    tps = np.concatenate(([0.0], np.column_stack((t0, t1)).ravel(), n_pos))
    distinct = np.ones(len(fps), dtype=bool)
    distinct[1:] = (fps[1:] > fps[:-1]) | (tps[1:] > tps[:-1])
    return from_counts(fps[distinct], tps[distinct])


def _average_precisions(block, *_):
    gain, predicted = block.t1 - block.t0, block.t1 + block.f1
    precision = block.t1 / np.maximum(predicted, _TINY)
    return np.sum(gain * precision, axis=1) / block.n_pos[:, 0]


def _normalized_average_precisions(block, *_):
    found = _average_precisions(block)
    totals = np.column_stack((block.n_pos, block.n_neg))
    distinct, which = np.unique(totals, axis=0, return_inverse=True)
    bounds = np.array([average_precision_bounds(t[:1], t[1]) for t in distinct])
    lowest, room = bounds[which.reshape(-1)].T
    return np.clip((found - lowest) / room, 0.0, 1.0)


_METRICS = {
    "auc_pr_interpolated": areas_of,
    "achievable_auc_pr": _achievable_areas,
    "aucnpr": _normalized_areas,
    "auprg": _gain_areas,
    "normalized_average_precision": _normalized_average_precisions,
    "average_precision": _average_precisions,
}
# Without negatives they are undefined.
_OF_BOTH_CLASSES = ("aucnpr", "auprg", "normalized_average_precision")


class Statistic(NamedTuple):
    """A metric of the replicates of one path.

    Attributes
    ----------
    measure : Measure
    n_steps : int
        Of the path.
    """

    measure: Measure
    n_steps: int

    def __call__(self, cells):
        """The metric of each row of weights of cells."""
        return self.of(replicates_of(cells, self.n_steps))

    def of(self, block):
        """The metric of each replicate."""
        metric, low, high, prevalence = self.measure
        if prevalence is not None:
            odds = (1 - prevalence) / prevalence
            block = block.with_negatives_times(odds * block.n_pos / block.n_neg)
        return _METRICS[metric](block, low, high)

    def is_defined(self, cells):
        """Whether each row of weights of cells has the classes that the metric needs."""
        found = np.any(cells[:, : self.n_steps], axis=1)
        metric, prevalence = self.measure.metric, self.measure.prevalence
        if prevalence is not None or metric in _OF_BOTH_CLASSES:
            found &= np.any(cells[:, self.n_steps :], axis=1)
        return found


class Difference(NamedTuple):
    """One statistic less another; the cells of the second path follow the first's."""

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
    steps : Steps
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
    """Moves of the units: how far the statistic falls without each of them.

    Returns
    -------
    Moves
    """
    found, counts = zip(
        *((statistic(cells), count) for cells, count in draws.left_out()), strict=True
    )
    found, counts = -np.concatenate(found), np.concatenate(counts)
    centred = found - np.average(found, weights=counts)
    return Moves(centred, counts, np.zeros(len(found)), int(counts.sum()))


def precisions_of(statistic, draws, recall, on_hull, n_resamples, rng):
    """Precision at recalls of resamples, of shape (n_resamples, n_recalls).

    Parameters as `resampled`, and whether it is that of the achievable curve.
    """
    found = []
    for size in block_sizes(n_resamples, draws.n_values):
        cells = drawn_with_value(statistic, draws, rng, size)
        block = replicates_of(cells, statistic.n_steps)
        for columns in zip(*block, strict=True):
            path = _path_of(*columns).at_prevalence(statistic.measure.prevalence)
            found.append(precision_at(path.hull() if on_hull else path, recall))
    return np.array(found)
