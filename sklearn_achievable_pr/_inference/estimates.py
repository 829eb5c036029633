"""Estimates with the standard error and the limits that their influence values give.

The area of one score, the area of one label of several, and the mean of areas over the
folds of a cross-validation are estimates of one kind.
"""

from typing import NamedTuple

import numpy as np

from .limits import beta_limits, confidence_interval
from .standard_error import NO_SPREAD, standard_error_and_df
from .unseen import combined, lower_limit, unseen_error_of_difference, weight_of_unseen


class Estimate(NamedTuple):
    """A value from 0 to `highest`, with what its limits need.

    Attributes
    ----------
    value : float
    n : float
        Effective number of units of the smaller class.
    standard_error, df : float
        NaN and 0 if the smaller class has one unit, which shows no spread.
    unseen : float
        The share of the unseen samples that counts, from 0 to 1; see `unseen`.
    highest : float
        The value of a perfect ranking.
    recall_range : (float, float)
        The range of recalls that the value is of.
    variance_factor : float
        Ratio of the variance to that of the influence values.
    """

    value: float
    n: float
    standard_error: float = np.nan
    df: float = 0.0
    unseen: float = 0.0
    highest: float = 1.0
    recall_range: tuple[float, float] = (0.0, 1.0)
    variance_factor: float = 1.0

    def with_influence(self, parts):
        """The estimate with the standard error that influence values give.

        `parts` are `InfluenceValues` as in `standard_error_and_df`.
        """
        error, df = standard_error_and_df(parts, self.value, self.n)
        unseen = weight_of_unseen(parts, error, df, self.n_lost(self.n))
        error *= self.variance_factor**0.5
        return self._replace(standard_error=error, df=df, unseen=unseen)

    def n_lost(self, n):
        """Number of n positives that a perfect ranking would have to lose for the value."""
        return n * max(self.highest - self.value, 0.0)

    def loss(self, share):
        """How much a perfect ranking loses if this share of its positives is last.

        The loss is a fraction of the value. A recall range that ends at 1 loses the part
        that the lost positives have of it; a range that ends below them loses this share of
        its width.
        """
        low, high = self.recall_range
        in_range = min(share, 1 - low) - min(share, 1 - high)
        return max(share, in_range / (high - low))

    def limit(self, tail, side):
        """The lower (`side` -1) or upper one (1) of the `limits`."""
        return self.limits(tail)[side > 0]

    def limits(self, tail):
        """Beta limits of the value; infinite if the standard error is unknown.

        Unseen samples move the lower limit.
        """
        if np.isnan(self.standard_error):
            return -np.inf, np.inf
        value = min(max(self.value / self.highest, 0.0), 1.0)
        error = self.standard_error / self.highest
        low, high = beta_limits(value, error, self.df, self.n, tail)
        if self.unseen:
            # The share of the positives that a perfect ranking may lose.
            lost = 1 - beta_limits(1.0, 0.0, self.n - 1, self.n, tail)[0]
            reach = self.loss(lost)
            if error == 0:  # `low` is the limit of a perfect ranking
                low = min(low, value - reach)
            else:
                low = lower_limit(value, low, np.sqrt(self.unseen) * reach)
        return max(low, 0.0) * self.highest, high * self.highest

    def interval(self, options):
        """The limits with the confidence level and the sides of the `Options`."""
        ends = self.limits(options.tail)
        return confidence_interval(ends, options.alternative, 0.0, self.highest)


def error_of_difference(first, second, parts, n_unseen=None):
    """Standard error of the difference of two estimates of the same units, and its df.

    They are NaN and 0 if the smaller class has one unit.

    Parameters
    ----------
    first, second : Estimate
    parts : list of InfluenceValues
        The influence values of the units on the difference.
    n_unseen : float, default=None
        The n of the variance of unseen samples; None for that of the estimates.
    """
    n = min(first.n, second.n)
    if n <= NO_SPREAD:
        return np.nan, 0.0
    error, df = standard_error_and_df(parts, max(first.value, second.value), n)
    n = n if n_unseen is None else n_unseen
    weight = weight_of_unseen(parts, error, df, first.n_lost(n) + second.n_lost(n))
    unseen_error = first.highest * unseen_error_of_difference(weight, n, first.loss)
    factor = first.variance_factor**0.5
    return combined(factor * error, df, factor * unseen_error, n)
