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
        return min(self._n_as_good_as(rows, weight) for rows in (positive, ~positive))

    def _n_as_good_as(self, rows, weight):
        held = weight[rows]
        if self.unit is not None:
            held = np.bincount(self.unit[rows], weights=held)
        return float(held.sum() ** 2 / (held * held).sum())

    @property
    def spread_is_known(self):
        """Whether no unit is all of a class."""
        return self.n_fewest > 1 + _ROUNDING


class Moves(NamedTuple):
    """What the units of a sample add to a value, around the mean of their stratum.

    Attributes
    ----------
    move : ndarray of float64
    n_alike : ndarray
        How many units add as much.
    share : ndarray
        What part of its class such a unit is: of weighted rows the mean, weighted; of a
        group with rows of both the larger one.
    n_units : int
        How many there are.
    """

    move: np.ndarray
    n_alike: np.ndarray
    share: np.ndarray
    n_units: int

    def standard_error(self, value):
        """Of the sum of draws, the value; 0.0 where it is nothing but rounding.

        A unit that is a part h of its class pulls the value towards itself: its square is
        divided by 1 - h, as n / (n - 1) does for equal ones.
        """
        error = float(np.sqrt(np.sum(self.n_alike * self.move**2 / (1 - self.share))))
        return error if error > _ROUNDING * value else 0.0

    def degrees_of_freedom(self, n_fewest):
        """Of that standard error: as its own spread has it, or less with few units.

        Satterthwaite: a variance from squares s has 2 / (sum s^2 / (sum s)^2 - 1/n). Where
        a few rows make most of it these are few, however many there are.
        """
        square = self.move**2
        total = np.sum(self.n_alike * square)
        if total == 0:
            return n_fewest - 1
        concentration = np.sum(self.n_alike * square**2) / total**2 - 1 / self.n_units
        found = 2 / concentration if concentration > 0 else np.inf
        return float(min(n_fewest - 1, max(1.0, found)))

    def skew(self):
        """A sixth of the skew of the sum, the acceleration of BCa."""
        square = np.sum(self.n_alike * self.move**2)
        cube = np.sum(self.n_alike * self.move**3)
        return float(cube / (6 * square**1.5)) if square > 0 else 0.0


def moves_of(measure, sample):
    """The value of a sample and its moves, those of the rows of a run in one.

    Returns
    -------
    float, Moves
    """
    problem = sample.problem
    weighted = problem.weight is not None
    if sample.unit is not None or (weighted and sample.fixed_class_counts):
        value, influence = measure.row_influence(problem)
        return value, moves_of_rows(sample, influence)
    path = measure.path(problem)
    value, influence = measure.with_influence(path)
    counts = _gains(path)
    moves, shares = list(influence), [np.full(len(n), 1 / n.sum()) for n in counts]
    if weighted:
        moves, counts, shares = _moves_of_weighted_runs(measure, problem, influence, counts)
    elif sample.fixed_class_counts:
        moves = list(map(_centred, moves, counts))
    columns = map(np.concatenate, (moves, counts, shares))
    return value, Moves(*columns, sample.n_units)


def _gains(path):
    """Positives and negatives of each piece."""
    fps, tps, _ = path.whole()
    return [np.diff(tps), np.diff(fps)]


def _moves_of_weighted_runs(measure, problem, influence, first):
    """Moves that have the second and fourth moments of w D in each run.

    With the sums W2 and W4 of w^2 and w^4 over a run these are those of W2^2 / W4 rows that
    weigh sqrt(W4 / W2) each. Three sorts cost less than to look up the run of each row.
    """
    largest = problem.weight.max()
    scaled = problem.weight / largest
    second, fourth = (
        _gains(measure.path(problem._replace(weight=scaled**power))) for power in (2, 4)
    )
    moves, counts, shares = [], [], []
    for derivative, w1, w2, w4 in zip(influence, first, second, fourth, strict=True):
        some = w4 > 0
        moves.append(largest * derivative[some] * np.sqrt(w4[some] / w2[some]))
        counts.append(w2[some] ** 2 / w4[some])
        share = w2.sum() / (w1.sum() / largest) ** 2
        shares.append(np.full(np.count_nonzero(some), share))
    return moves, counts, shares


def moves_of_rows(sample, influence):
    """Moves of the units, from the derivatives by their rows' weights."""
    positive, weight = sample.problem.positive, sample.problem.weight
    weight = np.ones(len(positive)) if weight is None else weight
    move = weight * influence
    if sample.fixed_class_counts:
        for rows in (positive, ~positive):
            move[rows] = _centred(move[rows])
    if sample.unit is None:
        share = np.empty(len(move))
        for rows in (positive, ~positive):
            share[rows] = np.sum(weight[rows] ** 2) / np.sum(weight[rows]) ** 2
        return Moves(move, np.ones(len(move)), share, len(move))
    move, *of_class = (
        np.bincount(sample.unit, weights=held)
        for held in (move, weight * positive, weight * ~positive)
    )
    share = np.maximum(*(held / held.sum() for held in of_class))
    return Moves(move, np.ones(len(move)), share, len(move))


def _centred(move, count=None):
    return move - np.average(move, weights=count)
