"""What a value is of a sample, and how far it moves from one sample to the next."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ._influence import area_influence, at_fixed_prevalence, normalized_area_influence
from ._input.labels import Problem
from ._path.counting import corners, every_threshold
from .areas import area, average_precision, normalized_area
from .gain import gain_area
from .unachievable import average_precision_bounds

# The metrics that are a smooth function of the weights of the rows.
SMOOTH = ("auc_pr_interpolated", "aucnpr")
# Those that see every threshold, and neither a range of recall nor a prevalence.
STEPWISE = ("average_precision", "normalized_average_precision")
# A standard error of this part of the value or less is rounding.
_ROUNDING = 1e-13
METRICS = (*SMOOTH, "achievable_auc_pr", "auprg", *STEPWISE)


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
    def smallest(self):
        """A value that none is below."""
        return -np.inf if self.metric == "auprg" else 0.0

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
        if self.metric == "auprg":
            return gain_area(path)
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
        """Units of the rarer class: as many equal ones as would know as much."""
        positive, weight = self.problem.positive, self.problem.weight
        if self.unit is None and weight is None:
            return float(min(self.n_with(True), self.n_with(False)))
        weight = np.ones(len(positive)) if weight is None else weight
        of_class = (
            np.bincount(self.units[rows], weights=weight[rows])
            for rows in (positive, ~positive)
        )
        return min(float(held.sum() ** 2 / (held**2).sum()) for held in of_class)

    @property
    def spread_is_known(self):
        """Whether no unit is all of a class."""
        return self.n_fewest > 1 + _ROUNDING


class Moves(NamedTuple):
    """What the units of a sample add to a value, around the mean of their stratum.

    Attributes
    ----------
    move : ndarray of float64
    count : ndarray
        How many units add as much.
    share : ndarray
        What part of its class such a unit is; of both, the larger one.
    """

    move: np.ndarray
    count: np.ndarray
    share: np.ndarray

    def standard_error(self, value):
        """Of the sum of draws, the value; 0.0 where it is nothing but rounding.

        A unit that is a part h of its class pulls the value towards itself: its square is
        divided by 1 - h, as n / (n - 1) does for equal ones.
        """
        error = float(np.sqrt(np.sum(self.count * self.move**2 / (1 - self.share))))
        return error if error > _ROUNDING * value else 0.0

    def degrees_of_freedom(self, n_fewest):
        """Of that standard error: as its own spread has it, or less with few units.

        Satterthwaite: a variance from squares s has 2 / (sum s^2 / (sum s)^2 - 1/n). Where
        a few rows make most of it these are few, however many there are.
        """
        square = self.move**2
        total = np.sum(self.count * square)
        if total == 0:
            return n_fewest - 1
        concentration = np.sum(self.count * square**2) / total**2 - 1 / np.sum(self.count)
        found = 2 / concentration if concentration > 0 else np.inf
        return float(min(n_fewest - 1, max(1.0, found)))

    def skew(self):
        """A sixth of the skew of the sum, the acceleration of BCa."""
        square = np.sum(self.count * self.move**2)
        cube = np.sum(self.count * self.move**3)
        return float(cube / (6 * square**1.5)) if square > 0 else 0.0


def moves_of(measure, sample):
    """The value of a sample and its moves.

    Returns
    -------
    float, Moves
    """
    if sample.unit is not None or sample.problem.weight is not None:
        value, influence = measure.row_influence(sample.problem)
        return value, moves_of_rows(sample, influence)
    path = measure.path(sample.problem)
    value, influence = measure.with_influence(path)
    fps, tps, _ = path.whole()
    classes = [
        (_centred(move, count) if sample.fixed_class_counts else move, count)
        for move, count in zip(influence, (np.diff(tps), np.diff(fps)), strict=True)
    ]
    shares = [np.full(len(count), 1 / np.sum(count)) for _, count in classes]
    return value, Moves(*map(np.concatenate, zip(*classes, strict=True)), np.hstack(shares))


def moves_of_rows(sample, influence):
    """Moves of the units, from the derivatives by their rows' weights."""
    positive, weight = sample.problem.positive, sample.problem.weight
    weight = np.ones(len(positive)) if weight is None else weight
    move = weight * influence
    if sample.fixed_class_counts:
        for rows in (positive, ~positive):
            move[rows] = _centred(move[rows], None)
    of_class = [np.where(rows, weight, 0.0) for rows in (positive, ~positive)]
    if sample.unit is not None:
        move, *of_class = (
            np.bincount(sample.unit, weights=rows) for rows in (move, *of_class)
        )
    share = np.maximum(*(held / held.sum() for held in of_class))
    return Moves(move, np.ones(len(move)), share)


def _centred(move, count):
    return move - np.average(move, weights=count)
