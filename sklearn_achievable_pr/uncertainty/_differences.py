"""Differences of two values: the ways to make the interval and the test of one.

Two scores of the same samples are compared by the influence of each sample on both values,
two subgroups by the limits of both values.
"""

import itertools
from functools import cache, partial
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from ..results import AucPRComparisonResult
from . import _limits, _unseen
from ._standard_error import influence_values_of, standard_error_and_df, zero_if_rounding
from ._validity import NO_SPREAD, no_spread, warn_once

# P-values from limits are at least this, because quantiles of t and beta are inaccurate
# further out.
_SMALLEST_PVALUE = 1e-50


class Difference(NamedTuple):
    """Two values, and the interval and the test of their difference.

    Attributes
    ----------
    values : tuple of (float, float)
        The difference is the first minus the second.
    standard_error : float
        Standard error of the difference; NaN if it is undefined.
    ends : tuple of (float, float)
        Limits of the difference; infinite if they are unknown.
    pvalue : float
        P-value of the hypothesis that the difference is 0.
    statistic, df : float or None
        Statistic and degrees of freedom of the t test; None without a t test.
    """

    values: tuple[float, float]
    standard_error: float
    ends: tuple[float, float] = (-np.inf, np.inf)
    pvalue: float = np.nan
    statistic: float | None = None
    df: float | None = None

    def times(self, factor):
        """The `Difference` of both values times a positive number."""
        if factor == 1:
            return self
        return self._replace(
            values=tuple(factor * value for value in self.values),
            standard_error=factor * self.standard_error,
            ends=tuple(factor * end for end in self.ends),
        )

    def result(self, metric, /, *, alternative, **fields):
        """The `AucPRComparisonResult`; `fields` are its other fields."""
        width = metric.highest
        return AucPRComparisonResult(
            **fields,
            alternative=alternative,
            estimates=(float(self.values[0]), float(self.values[1])),
            difference=float(self.values[0] - self.values[1]),
            standard_error=float(self.standard_error),
            confidence_interval=_limits.confidence_interval(
                self.ends, alternative, -width, width
            ),
            statistic=self.statistic,
            df=self.df,
            pvalue=float(self.pvalue),
        )


def differences(samples, options, reference):
    """Dict from a pair of names to the `AucPRComparisonResult` of their samples.

    All pairs are compared or, with the name of a `reference`, each other name with the
    reference. `samples` is a dict from a name to a sample that has a method `difference`.
    """
    pairs = pairs_of(samples, reference)
    return {(a, b): samples[a].difference(samples[b], options, (a, b)) for a, b in pairs}


def pairs_of(names, reference):
    """Pairs of names to compare: all pairs, or each other name with the reference."""
    if reference is None:
        return [*itertools.combinations(names, 2)]
    return [(name, reference) for name in names if name != reference]


def by_t_test(values, standard_error, df, options):
    """The `Difference` with t limits and the p-value of the t test.

    If both scores rank the samples alike, standard error and difference are 0, up to the
    rounding of the values, and so is the statistic. If only the standard error is 0, it
    becomes undefined, with a warning. `options.tail` is the probability beyond each limit.
    """
    difference = values[0] - values[1]
    if standard_error == 0 and zero_if_rounding(abs(difference), max(values)):
        warn_once([no_spread("no sample has an influence on the difference")])
        standard_error = np.nan
    statistic = 0.0 if standard_error == 0 else float(difference / standard_error)
    ends = -np.inf, np.inf
    if not np.isnan(standard_error):
        reach = 0.0
        if standard_error > 0:
            reach = _limits.t_quantile(df, options.tail) * standard_error
        ends = difference - reach, difference + reach
    pvalue = _limits.t_pvalue(statistic, df, options.alternative)
    return Difference(values, standard_error, ends, pvalue, statistic, float(df))


def by_influence(first, second, options):
    """The `Difference` of areas of two scores of the same samples, by influence values.

    The variance of samples that the data do not show is added (`_unseen`).
    """
    values = first.value, second.value
    n_smaller = _min_effective_class_size(first, second)
    if n_smaller <= NO_SPREAD:
        return by_t_test(values, np.nan, n_smaller - 1, options)
    parts, error, df = _seen_error(first, second)
    unseen = _unseen_error(first, second, parts, error, df)
    error, df = _unseen.combined(error, df, unseen, n_smaller)
    return by_t_test(values, error, df, options)


def _seen_error(first, second):
    """Influence values of the difference, and the standard error and df that they give."""
    # Both samples have the same weights and clusters; those of the first are used.
    parts = [influence_values_of(first, first.derivative - second.derivative)]
    n_smaller = _min_effective_class_size(first, second)
    return parts, *standard_error_and_df(parts, max(first.value, second.value), n_smaller)


def _unseen_error(first, second, parts, standard_error, df):
    """Standard error of the difference of two areas by samples that are not seen.

    `parts`, `standard_error` and `df` are those of the samples that are seen.
    """
    metric, n_smaller = first.metric, _min_effective_class_size(first, second)
    lost = _unseen.n_lost(metric, n_smaller, first.value, second.value)
    weight = _unseen.weight_of_unseen(parts, standard_error, df, lost)
    loss_of = partial(_unseen.loss, metric)
    return metric.highest * _unseen.paired_error(weight, n_smaller, loss_of)


def by_limits(first, second, correlation, options):
    """The `Difference` of two `Proportion`, from the limits of both (MOVER).

    `correlation` is the correlation of the two values. The interval and the test are
    two-sided: comparisons of subgroups have no `alternative`.
    """
    values = first.value, second.value
    errors = first.standard_error, second.standard_error
    # Var(a - b) = Var(a) + Var(b) - 2 Cov(a, b)
    covariance = correlation * errors[0] * errors[1]
    error = np.sqrt(max(errors[0] ** 2 + errors[1] ** 2 - 2 * covariance, 0.0))

    def limits(tail):
        """Limits of the difference that miss it with probability `tail` on each side."""
        both = first.limits(tail), second.limits(tail)
        return _limits.mover_limits(values, *both, correlation)

    both = first.limits(options.tail), second.limits(options.tail)
    if not np.isfinite(both).all():  # the limits of a value are unknown
        return Difference(values, np.nan)
    ends = _limits.mover_limits(values, *both, correlation)
    pvalue = pvalue_by_inversion(values[0] - values[1], limits)
    return Difference(values, error, ends, pvalue)


def pvalue_by_inversion(difference, limits):
    """Two-sided p-value: the significance level at which an interval just excludes 0.

    ``limits(tail)`` are the limits of the difference; the significance level is twice the
    tail. As the level grows, the limit that is nearer to 0 moves from the far side of 0
    towards the difference::

        level     the nearer limit ( of a positive difference *
        small     ------(----0----------*------        gap to zero < 0
        p-value   -----------(----------*------        0
        1         -----------0--------(-*------        > 0

    This limit moves about linearly in the normal quantile of the tail. So the quantile at
    which the gap is 0 is found as a root in few steps, if the ends of the search are near.
    """

    @cache
    def gap_to_zero(quantile):
        """How far the nearer limit lies on the side of the difference; else negative."""
        low, high = limits(ndtr(-quantile))
        return low if difference > 0 else -high

    # Clopper-Pearson limits are conservative: even at the tail 1/2 they do not meet, and
    # may enclose 0.
    if difference == 0 or gap_to_zero(0.0) <= 0:
        return 1.0
    below, above = 0.0, 2.0
    while gap_to_zero(above) > 0:
        below, above = above, 2 * above
        if 2 * ndtr(-below) < _SMALLEST_PVALUE:
            return _SMALLEST_PVALUE
    root = brentq(gap_to_zero, below, above, xtol=1e-7)
    return max(2 * ndtr(-root), _SMALLEST_PVALUE)


def _min_effective_class_size(first, second):
    """Effective sample size of the smaller class of two scores."""
    return min(first.min_effective_class_size, second.min_effective_class_size)
