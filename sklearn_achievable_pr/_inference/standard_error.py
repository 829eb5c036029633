"""Standard error of a metric from the influence values of its samples."""

from typing import NamedTuple

import numpy as np

# An effective sample size of 1 in a class gives no information about the variance.
NO_SPREAD = 1 + 1e-13
# Standard errors up to this fraction of the estimate are rounding errors of zero.
_ROUNDING = 1e-13


class InfluenceValues(NamedTuple):
    """Influence values of independent units; those of a sample add up to 0.

    Attributes
    ----------
    values : ndarray of shape (n_values,)
        Weight of a sample times the derivative of the metric by this weight, summed per
        unit.
    leverage : ndarray of shape (n_values,)
        Leverage h. For a sample, sum w^2 / (sum w)^2 over its class: the mean share of a
        sample in the weight of the class. For a cluster, its share in the weight of a
        class; the larger share if it has samples of both classes.
    n : ndarray of shape (n_values,), default=None
        Number of units with each value; None if each value is that of one unit.
    """

    values: np.ndarray
    leverage: np.ndarray
    n: np.ndarray | None = None

    def largest(self):
        """The largest magnitude: values divided by it keep their digits in squares."""
        return max(self.values.max(), -self.values.min())

    def square_sums(self, scale):
        """The `SquareSums` of the values divided by `scale`."""
        square = (self.values / scale) ** 2
        counted = square if self.n is None else self.n * square
        return SquareSums(
            n_units=len(square) if self.n is None else self.n.sum(),
            squares=counted.sum(),
            corrected=(counted / (1 - self.leverage)).sum(),
            fourth_powers=counted.dot(square),
        )


class SquareSums(NamedTuple):
    """Sums over independent units, of the squares s of their influence values.

    Attributes
    ----------
    n_units : float
        Number of units.
    squares, fourth_powers : float
        Sums of s and of s^2.
    corrected : float
        Sum of s / (1 - h), where h is the leverage.
    """

    n_units: float
    squares: float
    corrected: float
    fourth_powers: float


def standard_error_and_df(parts, estimate, min_effective_class_size):
    """Standard error of a metric whose value is `estimate`, and its degrees of freedom.

    `parts` are `InfluenceValues` of different units, such as those of several folds, or
    other records that have their `square_sums`.

    The square s of each influence value is divided by 1 - h, where h is the leverage.
    This is the correction HC2 of linear regression; for equal leverages it is the factor
    n / (n - 1).

    The degrees of freedom are Satterthwaite's, 2 / (sum s^2 / (sum s)^2 - 1/n), at most
    `min_effective_class_size` - 1. They are few if a few units contribute most of the
    variance.
    """
    largest = max(part.largest() for part in parts) or 1.0
    sums_by_part = [part.square_sums(largest) for part in parts]
    sums = SquareSums(*map(sum, zip(*sums_by_part, strict=True)))
    # The ratio sum s^2 / (sum s)^2 is 1/m if m units share the variance. If all n units do,
    # it is 1/n, and Satterthwaite's degrees of freedom are infinite.
    share_of_one = sums.fourth_powers / (sums.squares**2 or 1.0)
    concentration = max(share_of_one - 1 / sums.n_units, 1e-300)
    df = float(min(min_effective_class_size - 1, 2 / concentration))
    error = float(largest * np.sqrt(sums.corrected))
    return 0.0 if error <= _ROUNDING * estimate else error, df


def influence_values(sample):
    """The `InfluenceValues` of the independent units of a sample.

    Unweighted independent samples of one class on one segment have one influence value.
    Storing this value once, with its multiplicity, is five times faster.
    """
    if not sample.is_simple or sample.data.weight is not None:
        return influence_values_of(sample, sample.derivative)
    _, values = sample.value_and_influence
    points = sample.roc.concatenated()
    counts = np.array([points.tps, points.fps])
    n = counts[:, 1:] - counts[:, :-1]
    leverage = (1 / counts[:, -1]).repeat(n.shape[1])
    return InfluenceValues(values.ravel(), leverage, n.ravel())


def influence_values_of(sample, derivative):
    """The `InfluenceValues` of the units, from the derivative by each sample's weight."""
    positive = sample.data.positive
    values = derivative if sample.data.weight is None else sample.data.weight * derivative
    if sample.clusters is None:
        # The leverage is the mean share of a sample in its class. With the sample's own
        # share, the correction would be huge for a sample that has nearly all the weight.
        n_neg, n_pos = sample.effective_class_sizes
        leverage = np.where(positive, 1 / n_pos, 1 / n_neg)
    else:
        values = np.bincount(sample.clusters, weights=values)
        leverage = sample.class_leverage
    return InfluenceValues(values, leverage)
