"""What a value is of a sample, and how far it moves from one sample to the next."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ._influence import area_influence, at_fixed_prevalence, normalized_area_influence
from ._input.labels import Problem
from ._path.counting import corners, every_threshold
from .areas import area, average_precision, normalized_area
from .unachievable import average_precision_bounds

# The metrics that are a smooth function of the weights of the rows.
SMOOTH = ("auc_pr_interpolated", "aucnpr")
# Those that see every threshold, and neither a range of recall nor a prevalence.
STEPWISE = ("average_precision", "normalized_average_precision")
# A standard error of this part of the value or less is rounding.
_ROUNDING = 1e-13
METRICS = (*SMOOTH, "achievable_auc_pr", *STEPWISE)


class Measure(NamedTuple):
    """A metric and its options.

    Attributes
    ----------
    metric : str
        One of `METRICS`.
    low, high : float
        The range of recall.
    prevalence : float or None
    """

    metric: str
    low: float
    high: float
    prevalence: float | None

    @property
    def largest(self):
        """The value of a perfect ranking."""
        is_area = self.metric in ("auc_pr_interpolated", "achievable_auc_pr")
        return self.high - self.low if is_area else 1.0

    def path(self, problem):
        """The path whose pieces the metric needs, in one part."""
        path = (every_threshold if self.metric in STEPWISE else corners)(problem)
        return path._replace(parts=[path.whole()])

    def of(self, path):
        """The value, the path being what `path` returns."""
        if self.metric == "average_precision":
            return average_precision(path)[0]
        if self.metric == "normalized_average_precision":
            n_pos = np.array([float(path.n_pos)])
            lowest, room = average_precision_bounds(n_pos, float(path.n_neg))
            below, above = average_precision(path)
            return 1 - above / room if below > 0.5 else (below - lowest) / room
        path = path.at_prevalence(self.prevalence)
        if self.metric == "achievable_auc_pr":
            path = path.hull()
        measure = normalized_area if self.metric == "aucnpr" else area
        return measure(path, self.low, self.high)

    def with_influence(self, path):
        """The value and its derivatives by the weights of the rows of each piece.

        Returns
        -------
        float, RunInfluence
        """
        path = path.at_prevalence(self.prevalence)
        ends, (fps, tps, _) = (self.low, self.high), path.whole()
        value = area(path, *ends)
        influence = area_influence(fps, tps, value, *ends)
        if self.metric == "aucnpr":
            value = normalized_area(path, *ends)
            influence = normalized_area_influence(path, value, influence, *ends)
        if self.prevalence is not None:
            influence = at_fixed_prevalence(influence, fps, tps, path.negative_weight)
        return value, influence

    def row_influence(self, problem):
        """The value and its derivative by the weight of each row."""
        path = self.path(problem)
        value, influence = self.with_influence(path)
        piece = pieces_of_rows(path, path.whole(), problem.score)
        by_class = influence.positive[piece], influence.negative[piece]
        return value, np.where(problem.positive, *by_class)


def pieces_of_rows(path, points, score):
    """Which piece of the path each score lies on."""
    thresholds = path.thresholds(points)[::-1]
    return len(thresholds) - np.searchsorted(thresholds, score, side="right")


class Sample(NamedTuple):
    """Rows, and which of them were drawn together.

    Attributes
    ----------
    problem : Problem
    unit : ndarray of int64, shape (n_rows,), or None
        The number of the row's group; None if each row was drawn for itself.
    fixed_class_counts : bool
        Each class was drawn for itself, as many rows as there are.
    """

    problem: Problem
    unit: np.ndarray | None
    fixed_class_counts: bool

    @property
    def units(self):
        """The unit of each row."""
        if self.unit is None:
            return np.arange(len(self.problem.positive))
        return self.unit

    @property
    def n_units(self):
        """How many were drawn."""
        return len(self.problem.positive) if self.unit is None else int(self.unit.max()) + 1

    @property
    def strata(self):
        """Units among which as many were drawn as there are."""
        positive = self.problem.positive
        if self.fixed_class_counts:
            return [positive.nonzero()[0], (~positive).nonzero()[0]]
        return [np.arange(self.n_units)]

    def n_with(self, positive):
        """How many units have a row of that class."""
        rows = self.problem.positive == positive
        if self.unit is None:
            return int(np.count_nonzero(rows))
        return len(np.unique(self.unit[rows]))

    @property
    def n_fewest(self):
        """How many units speak for the rarer class, so many of the same weight."""
        weight = self.problem.weight
        if weight is None:
            return float(min(self.n_with(True), self.n_with(False)))
        found = []
        for rows in (self.problem.positive, ~self.problem.positive):
            held = np.bincount(self.units[rows], weights=weight[rows])
            found.append(held.sum() ** 2 / (held**2).sum())
        return min(found)


def standard_error(moves, value):
    """Of a sum of draws from strata, 0.0 where it is nothing but rounding.

    Parameters
    ----------
    moves : list of (ndarray, ndarray)
        Of each stratum what a unit adds, and how many units add it.
    value : float
        The sum itself.
    """
    variance = 0.0
    for move, count in moves:
        n = np.sum(count)
        centred = move - np.sum(count * move) / n
        variance += n / (n - 1) * np.sum(count * centred * centred)
    error = float(np.sqrt(variance))
    return error if error > _ROUNDING * value else 0.0


def moves_of_runs(measure, path):
    """The value, and what the rows of weight 1 of each piece add to it, by class."""
    value, influence = measure.with_influence(path)
    fps, tps, _ = path.whole()
    return value, [(influence.positive, np.diff(tps)), (influence.negative, np.diff(fps))]


def moves_of_units(sample, influence):
    """What each unit adds, from the derivatives by its rows' weights, in one stratum."""
    weight = sample.problem.weight
    moved = influence if weight is None else weight * influence
    if sample.unit is not None:
        moved = np.bincount(sample.unit, weights=moved)
        return [(moved, np.ones(len(moved)))]
    positive = sample.problem.positive
    return [
        (moved[rows], np.ones(np.count_nonzero(rows))) for rows in (positive, ~positive)
    ]


def value_and_moves(measure, sample):
    """The value of a sample, and the moves whose standard error is its own.

    Where the class counts are fixed, or the prevalence is, the classes are strata.
    """
    if sample.unit is None and sample.problem.weight is None:
        value, moves = moves_of_runs(measure, measure.path(sample.problem))
    else:
        value, influence = measure.row_influence(sample.problem)
        moves = moves_of_units(sample, influence)
    return value, in_strata(moves, sample, measure.prevalence)


def in_strata(moves, sample, prevalence):
    """Moves of the two classes joined unless the classes are strata."""
    if sample.fixed_class_counts or prevalence is not None:
        return moves
    return [tuple(map(np.concatenate, zip(*moves, strict=True)))]
