"""What a value is of a sample, and how far it moves from one sample to the next."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._input.labels import BinaryData

# A standard error of this part of the value or less is rounding.
_ROUNDING = 1e-13


def sample_influence(measure, data):
    """The value and its derivative by the weight of each sample."""
    roc = measure.roc_of(data)
    value, influence = measure.value_and_influence(roc)
    segment = segments_of_samples(roc, roc.concatenated(), data.score)
    by_class = influence.positive[segment], influence.negative[segment]
    return value, np.where(data.positive, *by_class)


def segments_of_samples(roc, points, score):
    """Which segment of the ROC curve each score lies on."""
    thresholds = roc.thresholds(points)[::-1]
    return len(thresholds) - np.searchsorted(thresholds, score, side="right")


class Sample(NamedTuple):
    """Rows, and which of them were drawn together.

    Attributes
    ----------
    data : BinaryData
    unit : ndarray of int64, shape (n_rows,), or None
        The number of the row's group; None if each row was drawn for itself.
    fixed_class_counts : bool
        Each class was drawn for itself, as many rows as there are.
    """

    data: BinaryData
    unit: np.ndarray | None
    fixed_class_counts: bool

    @property
    def units(self):
        """The unit of each row."""
        if self.unit is None:
            return np.arange(len(self.data.positive))
        return self.unit

    @property
    def n_units(self):
        """How many were drawn."""
        return len(self.data.positive) if self.unit is None else int(self.unit.max()) + 1

    @property
    def strata(self):
        """Units among which as many were drawn as there are."""
        positive = self.data.positive
        if self.fixed_class_counts:
            return [positive.nonzero()[0], (~positive).nonzero()[0]]
        return [np.arange(self.n_units)]

    def n_with(self, positive):
        """How many units have a row of that class."""
        rows = self.data.positive == positive
        if self.unit is None:
            return int(np.count_nonzero(rows))
        return len(np.unique(self.unit[rows]))

    @property
    def min_effective_class_size(self):
        """Units of the rarer class: as many equal ones as would know as much."""
        positive, weight = self.data.positive, self.data.weight
        if self.unit is None and weight is None:
            return float(min(self.n_with(True), self.n_with(False)))
        weight = np.ones(len(positive)) if weight is None else weight
        return min(self._kish_sample_size(rows, weight) for rows in (positive, ~positive))

    def _kish_sample_size(self, rows, weight):
        held = weight[rows]
        if self.unit is not None:
            held = np.bincount(self.unit[rows], weights=held)
        return float(held.sum() ** 2 / (held * held).sum())

    @property
    def spread_is_known(self):
        """Whether no unit is all of a class."""
        return self.min_effective_class_size > 1 + _ROUNDING


class InfluenceValues(NamedTuple):
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

    def degrees_of_freedom(self, min_effective_class_size):
        """Of that standard error: as its own spread has it, or less with few units.

        Satterthwaite: a variance from squares s has 2 / (sum s^2 / (sum s)^2 - 1/n). Where
        a few rows make most of it these are few, however many there are.
        """
        square = self.move**2
        total = np.sum(self.n_alike * square)
        if total == 0:
            return min_effective_class_size - 1
        concentration = np.sum(self.n_alike * square**2) / total**2 - 1 / self.n_units
        found = 2 / concentration if concentration > 0 else np.inf
        return float(min(min_effective_class_size - 1, max(1.0, found)))

    def skew(self):
        """A sixth of the skew of the sum, the acceleration of BCa."""
        square = np.sum(self.n_alike * self.move**2)
        cube = np.sum(self.n_alike * self.move**3)
        return float(cube / (6 * square**1.5)) if square > 0 else 0.0


def influence_values(measure, sample):
    """The value of a sample and its moves, those of the rows of a run in one.

    Returns
    -------
    float, InfluenceValues
    """
    data = sample.data
    weighted = data.weight is not None
    if sample.unit is not None or (weighted and sample.fixed_class_counts):
        value, influence = sample_influence(measure, data)
        return value, influence_values_of_samples(sample, influence)
    roc = measure.roc_of(data)
    value, influence = measure.value_and_influence(roc)
    counts = _gains(roc)
    moves, shares = list(influence), [np.full(len(n), 1 / n.sum()) for n in counts]
    if weighted:
        moves, counts, shares = _moves_of_weighted_runs(measure, data, influence, counts)
    elif sample.fixed_class_counts:
        moves = list(map(_centred, moves, counts))
    columns = map(np.concatenate, (moves, counts, shares))
    return value, InfluenceValues(*columns, sample.n_units)


def _gains(roc):
    """Positives and negatives of each segment."""
    fps, tps, _ = roc.concatenated()
    return [np.diff(tps), np.diff(fps)]


def _moves_of_weighted_runs(measure, data, influence, first):
    """InfluenceValues that have the second and fourth moments of w D in each run.

    With the sums W2 and W4 of w^2 and w^4 over a run these are those of W2^2 / W4 rows that
    weigh sqrt(W4 / W2) each. Three sorts cost less than to look up the run of each row.
    """
    largest = data.weight.max()
    scaled = data.weight / largest
    second, fourth = (
        _gains(measure.roc_of(data._replace(weight=scaled**power))) for power in (2, 4)
    )
    moves, counts, shares = [], [], []
    for derivative, w1, w2, w4 in zip(influence, first, second, fourth, strict=True):
        some = w4 > 0
        moves.append(largest * derivative[some] * np.sqrt(w4[some] / w2[some]))
        counts.append(w2[some] ** 2 / w4[some])
        share = w2.sum() / (w1.sum() / largest) ** 2
        shares.append(np.full(np.count_nonzero(some), share))
    return moves, counts, shares


def influence_values_of_samples(sample, influence):
    """InfluenceValues of the units, from the derivatives by their rows' weights."""
    positive, weight = sample.data.positive, sample.data.weight
    weight = np.ones(len(positive)) if weight is None else weight
    move = weight * influence
    if sample.fixed_class_counts:
        for rows in (positive, ~positive):
            move[rows] = _centred(move[rows])
    if sample.unit is None:
        share = np.empty(len(move))
        for rows in (positive, ~positive):
            share[rows] = np.sum(weight[rows] ** 2) / np.sum(weight[rows]) ** 2
        return InfluenceValues(move, np.ones(len(move)), share, len(move))
    move, *of_class = (
        np.bincount(sample.unit, weights=held)
        for held in (move, weight * positive, weight * ~positive)
    )
    share = np.maximum(*(held / held.sum() for held in of_class))
    return InfluenceValues(move, np.ones(len(move)), share, len(move))


def _centred(move, count=None):
    return move - np.average(move, weights=count)
