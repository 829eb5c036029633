"""The metric where labels know nothing of the scores, or two scores are exchangeable.

Scores are sorted once. An arrangement moves labels among rows, or rows between two scores;
`null_values` takes many at random or, where there are no more, each of them once.
"""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np

from .._roc.blocks import BootstrapBlock, CellLayout
from .._roc.counting import every_threshold
from .resampling import Difference, Statistic, block_sizes, unit_table
from .standard_error import segments_of_samples

# Values that differ by less than this are the same but for rounding.
_ROUNDING = 1e-12


class NullValues(NamedTuple):
    """A statistic, and what it is over arrangements that are as likely under the null.

    Attributes
    ----------
    observed : float
    values : ndarray of float64
    exact : bool
        The values are those of every arrangement, once each.
    """

    observed: float
    values: np.ndarray
    exact: bool

    def pvalue(self, alternative):
        """Chance of what was observed or more, counted as SciPy's `permutation_test` does.

        Unless all arrangements are there the observed one is counted with them.
        """
        greater = self._at_least(self.values - self.observed)
        less = self._at_least(self.observed - self.values)
        two_sided = min(1.0, 2 * min(greater, less))
        found = {"greater": greater, "less": less, "two-sided": two_sided}
        return float(found[alternative])

    def _at_least(self, excess):
        others = 0 if self.exact else 1
        return (np.count_nonzero(excess >= -_ROUNDING) + others) / (len(excess) + others)


def null_values(arrangement, n_resamples, rng):
    """The statistic of the data and of arrangements of them.

    Parameters
    ----------
    arrangement : PairedExchange, PositiveUnits or BlockPermutation
    n_resamples : int
    rng : numpy.random.Generator

    Returns
    -------
    NullValues
    """
    exact = arrangement.n_distinct <= n_resamples
    if exact:
        each = arrangement.every()
        sizes = block_sizes(arrangement.n_distinct, arrangement.n_values)
        blocks = (np.array(list(itertools.islice(each, size))) for size in sizes)
    else:
        sizes = block_sizes(n_resamples, arrangement.n_values)
        blocks = (arrangement.drawn(rng, size) for size in sizes)
    values = np.concatenate([arrangement.values_of(block) for block in blocks])
    observed = arrangement.values_of(arrangement.observed[np.newaxis])[0]
    return NullValues(float(observed), values, exact)


# Two scores exchanged


class PairedExchange:
    """Two scores of the same rows, a row's two places exchanged where a coin says so.

    Parameters
    ----------
    data_sets : pair of BinaryData
        The same rows with either score.
    unit : ndarray of int64, shape (n_rows,)
        Rows of one unit share the coin.
    measure : MetricWithOptions
    """

    def __init__(self, data_sets, unit, measure):
        positive, weight = data_sets[0].positive, data_sets[0].weight
        n_units = int(unit.max()) + 1
        places = midranks(*map(ties_of, data_sets))
        levels = np.unique(np.concatenate([place[positive] for place in places]))
        n_cells = 3 * len(levels) + 1
        first, second = (
            unit_table(cells_on(levels, place, positive), unit, weight, n_cells, n_units)
            for place in places
        )
        one = Statistic(measure, len(levels))
        self.statistic = Difference(one, one, n_cells)
        self.change = (second - first).tocsr()
        self.first, self.second = (
            np.asarray(table.sum(axis=1)).reshape(-1, 1) for table in (first, second)
        )
        self.observed = np.zeros(n_units)
        self.n_distinct = 2**n_units if n_units < 64 else math.inf
        self.n_values = 2 * n_cells + n_units

    def values_of(self, coins):
        """The difference for each row of coins."""
        moved = self.change @ coins.T.astype(np.float64)
        return self.statistic(np.vstack((self.first + moved, self.second - moved)).T)

    def drawn(self, rng, size):
        """Random coins."""
        return rng.integers(2, size=(size, len(self.observed)), dtype=np.uint8)

    def every(self):
        """All rows of coins."""
        return itertools.product((0, 1), repeat=len(self.observed))


class Ties(NamedTuple):
    """Ties by falling score, a row by itself being one.

    Attributes
    ----------
    of_row : ndarray of int64, shape (n_rows,)
        The tie of each row.
    end : ndarray, shape (n_ties,)
        Twice the rows, or weights, down to the tie and with it.
    middle : ndarray, shape (n_ties,)
        The same down to the tie's middle.
    """

    of_row: np.ndarray
    end: np.ndarray
    middle: np.ndarray


def ties_of(data):
    """The ties of a score.

    Returns
    -------
    Ties
    """
    roc = every_threshold(data)
    points = roc.concatenated()
    end = points.fps + points.tps
    of_row = segments_of_samples(roc, points, data.score)
    return Ties(of_row, 2 * end[1:], end[:-1] + end[1:])


def midranks(first, second):
    """Where each row stands by falling score, of either score on the same scale.

    That is the middle of its tie. Where a tie of one score and one of the other hold each
    other's middle, theirs is the same, half-way: to exchange their rows then parts no tie
    of grades that both scores give, though they give them to not quite as many rows.

    Returns
    -------
    list of ndarray, shape (n_rows,)
    """
    places = []
    for own, other in ((first, second), (second, first)):
        held = np.searchsorted(other.end[:-1], own.middle)
        holder = np.searchsorted(own.end[:-1], other.middle[held])
        place = 2 * own.middle
        same = holder == np.arange(len(place))
        place[same] = own.middle[same] + other.middle[held[same]]
        places.append(place[own.of_row])
    return places


def cells_on(levels, place, positive):
    """Cells of rows where the steps are these rising places, all those of positives."""
    steps = CellLayout(len(levels), None)
    step = np.searchsorted(levels, place)
    tied = levels.take(step, mode="clip") == place
    negative = np.where(tied, steps.tie_of(step), steps.gap_of(step))
    return np.where(positive, step, negative)


# Labels that know nothing of the scores


class LabelPermutation:
    """Any rows may be the positive ones, as many as there are.

    Parameters
    ----------
    data : BinaryData
        Without weights.
    measure : MetricWithOptions
    """

    def __init__(self, data, measure):
        _, tps, n_above = every_threshold(data).concatenated()
        self.n_rows, self.n_pos = int(n_above[-1]), int(tps[-1])
        size = np.diff(n_above)
        self.untied = len(size) == self.n_rows
        self.tie_start, self.tie_stop = (
            np.repeat(ends, size) for ends in (n_above[:-1], n_above[1:])
        )
        self.statistic = Statistic(measure, self.n_pos)
        # The first places of each tie are as good as any.
        before = np.repeat(n_above[:-1] - tps[:-1], np.diff(tps))
        self.observed = before + np.arange(self.n_pos)
        self.n_distinct = n_choices(self.n_rows, self.n_pos)
        self.n_values = self.n_pos

    def drawn(self, rng, size):
        """Places of the positives among the rows by falling score, rising."""
        found = np.empty((size, self.n_pos), dtype=np.int64)
        for row in found:
            row[:] = rng.choice(self.n_rows, self.n_pos, replace=False, shuffle=False)
        found.sort(axis=1)
        return found

    def every(self):
        """All choices of places."""
        return itertools.combinations(range(self.n_rows), self.n_pos)

    def values_of(self, places):
        """The metric for each row of places."""
        return self.statistic.measure.of_block(self._replicates(places))

    def _replicates(self, places):
        n_pos = self.n_pos
        before = np.broadcast_to(np.arange(n_pos, dtype=np.float64), places.shape)
        if self.untied:
            f0 = f1 = places - before
            t0, t1 = before, before + 1
        else:
            start, stop = self.tie_start[places], self.tie_stop[places]
            # All of a tie's positives make one step, at the place of the first.
            is_first = np.ones(places.shape, dtype=bool)
            is_first[:, 1:] = start[:, 1:] != start[:, :-1]
            is_last = np.roll(is_first, -1, axis=1)
            t1 = np.where(is_last, before + 1, n_pos)[:, ::-1]
            t1 = np.minimum.accumulate(t1, axis=1)[:, ::-1]
            t0 = np.where(is_first, before, t1)
            f1 = stop - t1
            f0 = np.where(is_first, start - t0, f1)
        totals = np.full((2, len(places), 1), [[[n_pos]], [[self.n_rows - n_pos]]])
        return BootstrapBlock(t0, t1, f0, f1, *totals.astype(np.float64))


class _LabelledRows:
    """Arrangements that give each row a label and a weight."""

    def __init__(self, data, measure):
        self.data = data
        roc = every_threshold(data)
        points = roc.concatenated()
        tie, n_rows = segments_of_samples(roc, points, data.score), len(data.score)
        self.rows_of_ties = unit_table(
            tie, np.arange(n_rows), None, len(points.tps) - 1, n_rows
        )
        self.statistic = Statistic(measure, len(points.tps) - 1)
        self.n_values = 4 * n_rows

    def values_of(self, choices):
        """The metric for each row of choices."""
        positive, weight = self._labels(choices)
        positive_weight = np.where(positive, 1.0 if weight is None else weight, 0.0)
        everything = np.ones(positive.shape) if weight is None else weight
        delta_t, gain = (
            (self.rows_of_ties @ rows.T).T for rows in (positive_weight, everything)
        )
        t1, n1 = np.cumsum(delta_t, axis=1), np.cumsum(gain, axis=1)
        f1, delta_f = n1 - t1, gain - delta_t
        block = BootstrapBlock(t1 - delta_t, t1, f1 - delta_f, f1, t1[:, -1:], f1[:, -1:])
        return self.statistic.measure.of_block(block)


class GroupPermutation(_LabelledRows):
    """Any groups may be the positive ones; each has rows of one class only.

    Parameters
    ----------
    data : BinaryData
        Without weights.
    group : ndarray of int64, shape (n_rows,)
    measure : MetricWithOptions
    """

    def __init__(self, data, group, measure):
        super().__init__(data, measure)
        self.group, self.n_groups = group, int(group.max()) + 1
        self.observed = np.unique(group[data.positive])
        self.n_distinct = n_choices(self.n_groups, len(self.observed))

    def drawn(self, rng, size):
        """Numbers of the positive groups."""
        n_pos = len(self.observed)
        return np.array(
            [rng.choice(self.n_groups, n_pos, replace=False) for _ in range(size)]
        )

    def every(self):
        """All choices of groups."""
        return itertools.combinations(range(self.n_groups), len(self.observed))

    def _labels(self, choices):
        positive = np.zeros((len(choices), self.n_groups), dtype=bool)
        np.put_along_axis(positive, choices, True, axis=1)
        return positive[:, self.group], None


class BlockPermutation(_LabelledRows):
    """Groups of the same size exchange their labels and weights, row by row.

    Parameters
    ----------
    data : BinaryData
    group : ndarray of int64, shape (n_rows,)
    measure : MetricWithOptions
    """

    def __init__(self, data, group, measure):
        super().__init__(data, measure)
        rows, size = np.argsort(group, kind="stable"), np.bincount(group)
        start = np.cumsum(size) - size
        # By size of the groups, a table with the rows of one group a row.
        self.tables = [
            rows[start[size == n][:, np.newaxis] + np.arange(n)] for n in np.unique(size)
        ]
        self.observed = np.arange(len(group))
        self.n_distinct = math.inf if max(map(len, self.tables)) > 1 else 1

    def drawn(self, rng, size):
        """The row that each row has its label and weight from."""
        found = np.empty((size, len(self.observed)), dtype=np.int64)
        for source in found:
            for table in self.tables:
                source[table] = table[rng.permutation(len(table))]
        return found

    def every(self):
        """The one arrangement of groups that all differ in size."""
        return iter([self.observed])

    def _labels(self, sources):
        weight = self.data.weight
        return self.data.positive[sources], None if weight is None else weight[sources]


def n_choices(n, k):
    """Ways to choose k of n; infinite where there are more than anyone can count."""
    k = min(k, n - k)
    return math.comb(n, k) if k <= 40 else math.inf
