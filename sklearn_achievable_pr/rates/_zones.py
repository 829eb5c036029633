"""Samples at a cut, by zone: of each class those above the cut, at it and below it.

The samples of a zone have the same part in each cell of the confusion matrix, and the same
derivative of a rate by their weight. So a few sums of their weights per zone, or the weight
of each cluster in each zone, give the standard errors of all rates at the cut.

Arrays of zones have six elements: the positives above, at and below the cut, then the
negatives.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from .._inference.standard_error import InfluenceValues, SquareSums

N_ZONES = 6
# The only unit of a class would have the leverage 1, and infinite influence.
_HIGHEST_LEVERAGE = 0.5
POSITIVE = np.repeat([1.0, 0.0], N_ZONES // 2)


class Counted(NamedTuple):
    """The units, samples or clusters, that a rate counts.

    Attributes
    ----------
    n : float
        Effective number (Kish), (sum w c)^2 / sum w^2 c over units with the weights w, of
        which the fraction c is counted: a cut counts a part of a tie that it divides.
    leverage : ndarray
        Share of a unit in the weight of all counted units: of samples the mean share, 1/n,
        in every counted zone, of clusters the share of each one. If the cut moves with the
        weights, units that are not counted have an influence, too, and their leverage is
        the share in the weight of these. A cluster with both kinds of samples has the
        larger of both shares.
    """

    n: float
    leverage: np.ndarray


def zones_at(positive, score, value, divides_tie):
    """The zone of each sample at the score `value`.

    If the cut divides the samples that have this score (`divides_tie`), they are zones of
    their own. Otherwise they are all predicted positive, and count as above the cut.
    """
    # An array stays float64 in comparisons. NumPy 1 would convert a number to float16, with
    # three digits, where the scores are integers of 8 bits.
    value = np.array([value])
    below = (score < value).view(np.int8)
    zone = below + (score <= value).view(np.int8) if divides_tie else 2 * below
    zone[~positive] += N_ZONES // 2
    return zone


def weights_of(sample, zone):
    """The `SampleWeights` or the `ClusterWeights` of each zone."""
    if sample.clusters is None:
        return _sample_weights(sample, zone)
    index = zone.astype(np.int64) * sample.n_units + sample.clusters
    size = N_ZONES * sample.n_units
    weights = np.bincount(index, weights=sample.data.weight, minlength=size)
    # Without weights these are numbers of samples, as integers.
    return ClusterWeights(weights.reshape(N_ZONES, -1).astype(np.float64, copy=False))


def _sample_weights(sample, zone):
    """The `SampleWeights` of independent samples."""
    n = np.bincount(zone, minlength=N_ZONES).astype(np.float64)
    if sample.data.weight is None:
        return SampleWeights(
            total=n, n=n, largest=np.ones(N_ZONES), squares=n, fourth_powers=n
        )
    largest, sums = np.zeros(N_ZONES), np.zeros((3, N_ZONES))
    for i in np.flatnonzero(n):
        weight = sample.data.weight[zone == i]
        largest[i] = weight.max()
        square = (weight / largest[i]) ** 2
        sums[:, i] = weight.sum(), square.sum(), square @ square
    total, squares, fourth_powers = sums
    return SampleWeights(total, n, largest, squares, fourth_powers)


class SampleWeights(NamedTuple):
    """What variances need of the weights of independent samples, in each zone.

    All arrays are of shape (6,).

    Attributes
    ----------
    total : ndarray
        Sum of the weights. Without weights it is the array `squares` itself.
    n : ndarray
        Number of samples.
    largest : ndarray
        The largest weight. Powers of weights relative to it do not underflow.
    squares, fourth_powers : ndarray
        Sums of the powers of the weights divided by `largest`.
    """

    total: np.ndarray
    n: np.ndarray
    largest: np.ndarray
    squares: np.ndarray
    fourth_powers: np.ndarray

    def influence_values(self, derivative, leverage):
        """The `InfluenceByZone` from the derivative by a sample's weight in each zone.

        `leverage` is that of a sample of each zone.
        """
        has_samples = self.n > 0
        return InfluenceByZone(
            values=derivative[has_samples] * self.largest[has_samples],
            n=self.n[has_samples],
            squares=self.squares[has_samples],
            fourth_powers=self.fourth_powers[has_samples],
            leverage=leverage[has_samples],
        )

    def class_leverage(self, sample):
        """Leverage of a sample of each zone: its mean share in the weight of its class."""
        n_neg, n_pos = sample.effective_class_sizes
        return np.where(POSITIVE, 1 / n_pos, 1 / n_neg)

    def counted(self, whole, moves):
        """The samples that a rate counts, as `Counted`.

        Parameters
        ----------
        whole : ndarray of shape (6,)
            How much of a sample of each zone is in the whole of the rate, from 0 to 1.
            Precondition: at least one counted zone has samples.
        moves : bool
            Whether the cut moves with the weights.
        """
        is_counted = whole > 0
        n = self._effective_size(whole)
        leverage = np.where(is_counted, 1 / n, 0.0)
        if moves and self.n[~is_counted].any():
            leverage[~is_counted] = 1 / self._effective_size(~is_counted)
        return Counted(n, np.minimum(leverage, _HIGHEST_LEVERAGE))

    def _effective_size(self, counted):
        """Effective number of samples; of each zone the fraction `counted` counts."""
        if self.squares is self.total:  # there are no weights
            return self.total @ counted
        # Squares of weights divided by `scale` do not underflow.
        scale = self.largest[counted > 0].max()
        total, squares = self.total / scale, self.squares * (self.largest / scale) ** 2
        return (total @ counted) ** 2 / (squares @ counted)

    def variance_ratio(self, derivative):
        """Variance of a rate relative to that of independent samples of weight 1.

        `derivative` is that of the rate by the weight of a sample of each zone.
        """
        scale = self.largest.max()
        square = derivative**2
        squares = self.squares * (self.largest / scale) ** 2
        return scale * (square @ squares) / (square @ (self.total / scale))


class InfluenceByZone(NamedTuple):
    """Influence values of independent samples, which are their weights times a derivative.

    A standard error needs only sums of their squares, so sums of powers of the weights. All
    arrays have one element for each zone with samples.

    Attributes
    ----------
    values : ndarray
        Influence value of a sample of the largest weight.
    n, squares, fourth_powers : ndarray
        As in `SampleWeights`.
    leverage : ndarray
        As in `InfluenceValues`.
    """

    values: np.ndarray
    n: np.ndarray
    squares: np.ndarray
    fourth_powers: np.ndarray
    leverage: np.ndarray

    def largest(self):
        """The largest magnitude: values divided by it keep their digits in squares."""
        return max(self.values.max(), -self.values.min())

    def square_sums(self, scale):
        """The `SquareSums` of the influence values divided by `scale`."""
        square = (self.values / scale) ** 2
        by_zone = square * self.squares
        return SquareSums(
            n_units=self.n.sum(),
            squares=by_zone.sum(),
            corrected=(by_zone / (1 - self.leverage)).sum(),
            fourth_powers=(square**2).dot(self.fourth_powers),
        )


@dataclass(frozen=True)
class ClusterWeights:
    """Weights of clusters in each zone.

    Attributes
    ----------
    weights : ndarray of shape (6, n_clusters)
        Sum of the weights of the samples.
    """

    weights: np.ndarray

    @cached_property
    def total(self):
        """Weight of the samples of each zone."""
        return self.weights.sum(axis=1)

    @cached_property
    def largest(self):
        """The largest weight: squares of weights divided by it are finite."""
        return self.weights.max()

    def influence_values(self, derivative, leverage):
        """`InfluenceValues` from the derivative by a sample's weight in each zone.

        `leverage` is that of each cluster.
        """
        return InfluenceValues(derivative @ self.weights, leverage)

    def class_leverage(self, sample):
        """Leverage of each cluster: its share in the weight of a class, the larger one."""
        return sample.class_leverage

    def counted(self, whole, moves):
        """The clusters that a rate counts, as `SampleWeights.counted` for samples."""
        is_counted = (whole > 0).astype(np.float64)
        counted = is_counted @ self.weights  # weights w of clusters in zones that count
        leverage = counted / counted.sum()
        if moves and not is_counted.all():
            outside = (1 - is_counted) @ self.weights
            leverage = np.maximum(leverage, outside / (outside.sum() or 1.0))
        scale = counted.max()  # divided by it, squares of weights stay within float64
        relative = part = counted / scale
        if np.any(is_counted != whole):  # of a tie that is divided a part counts
            part = whole @ self.weights / scale
        n = part.sum() ** 2 / (part @ relative)
        return Counted(n, np.minimum(leverage, _HIGHEST_LEVERAGE))

    def variance_ratio(self, derivative):
        """Variance of a rate relative to that of independent samples of weight 1."""
        by_cluster = derivative @ self.weights / self.largest
        of_equal = derivative**2 @ (self.total / self.largest)
        return self.largest * (by_cluster @ by_cluster) / of_equal
