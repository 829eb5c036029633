"""Difference of a rate of two scores of the same samples, at cuts of any kind.

Each rate R has limits (l, u) at the confidence level, influence values psi of its units
(samples or clusters), a standard error SE, and n, the effective number of units that it
counts. The difference d = a - b has the standard error SE_d and the t quantile of its
degrees of freedom. With

    r0 = sum psi_a psi_b / (|psi_a| |psi_b|), 0 if a norm is 0,
    r = r0 - r0^2 / (2 n_a n_b |psi_a| |psi_b|), at least 0, if r0 > 0; else r0,
    reach(x, y)^2 = (1 - r) (x^2 + y^2) + r (t (SE_a - SE_b))^2   if r > 0,
                    x^2 + y^2 - 2 r x y                           if r <= 0

the limits of the difference are

    low = d - max(t SE_d, reach(a - l_a, u_b - b)),
    high = d + max(t SE_d, reach(u_a - a, b - l_b)).

r0 is the correlation of the rates, and r the same less half a discordant sample (Newcombe
1998), because two scores may decide alike by chance. For r <= 0 the reach is that of MOVER
(Zou and Donner 2008). For r > 0 MOVER subtracts products of distances that need not grow
with the confidence level as the others do. Here every term grows with the level, so that
intervals are nested, and the p-value is the level at which the interval just excludes 0.

Where the two scores decide alike for every sample that the rates count, the difference is
at most a share of discordant samples of which none was seen among n.
"""

import numpy as np

from ..uncertainty import _limits
from ..uncertainty._differences import Difference, by_t_test, pvalue_by_inversion
from ..uncertainty._standard_error import InfluenceValues, standard_error_and_df
from ..uncertainty._validity import NO_SPREAD


def by_rule(first, second, options):
    """The `Difference` of two `RateSample`, by the rule of this module."""
    values = first.value, second.value
    error, df = _standard_error_and_df(first, second)
    if first.kind == "threshold" and _decide_alike(first, second):
        ends = _limits_without_discordant(first, second, options.tail)
        return Difference(values, error, ends, pvalue=1.0)
    r = _correlation_of_rates(first, second)

    def limits(tail):
        """Limits of the difference that miss it with probability `tail` on each side."""
        return _limits_at(tail, first, second, r, error, df)

    ends = limits(options.tail)
    if not np.isfinite(ends).all():  # at a recall or an FPR, a class has only one unit
        return Difference(values, np.nan)
    pvalue = pvalue_by_inversion(values[0] - values[1], limits)
    return Difference(values, error, ends, pvalue)


def by_rate_influence(first, second, options):
    """The `Difference` of two `RateSample`, by the t test of their influence values.

    Where no sample has an influence on a difference of 0, the interval is that of scores
    without a discordant sample.
    """
    values = first.value, second.value
    error, df = _standard_error_and_df(first, second)
    difference = by_t_test(values, error, df, options)
    # A standard error of 0 is undefined where the difference is not 0.
    if difference.standard_error == 0:
        ends = _limits_without_discordant(first, second, options.tail)
        return difference._replace(ends=ends)
    return difference


def _standard_error_and_df(first, second):
    """Standard error of the difference, and its degrees of freedom; NaN, 0 if unknown."""
    n = min(first.spread.n_with_whole_tie, second.spread.n_with_whole_tie)
    if n <= NO_SPREAD:
        return np.nan, 0.0
    values = first.influence - second.influence
    leverage = np.maximum(first.leverage, second.leverage)
    influence = InfluenceValues(values, np.ones(len(values)), leverage)
    return standard_error_and_df([influence], max(first.value, second.value), n)


def _correlation_of_rates(first, second):
    """Correlation of the two rates, less half a discordant sample."""
    if min(first.spread.n_with_whole_tie, second.spread.n_with_whole_tie) <= NO_SPREAD:
        return 0.0
    a, b = first.influence, second.influence
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    if norms == 0:
        return 0.0
    r = float(a @ b / norms)
    if r <= 0:
        return r
    n_a, n_b = first.spread.n_with_part_of_tie, second.spread.n_with_part_of_tie
    return max(r - r**2 / (2 * n_a * n_b * norms), 0.0)


def _limits_at(tail, first, second, r, error, df):
    """Limits of the difference with the correlation r, standard error and df."""
    quantile = _limits.t_quantile(df, tail)
    least = shared = 0.0
    if not np.isnan(error):  # if it is NaN, a rate counts only one unit and r is 0
        least = quantile * error
        shared = quantile * (first.standard_error - second.standard_error)
    a, b = first.value, second.value
    (low_a, high_a), (low_b, high_b) = first.limits(tail), second.limits(tail)

    def reach(x, y):
        square = x**2 + y**2 - 2 * r * x * y
        if r > 0:
            square = (1 - r) * (x**2 + y**2) + r * shared**2
        return max(least, np.sqrt(square))

    return a - b - reach(a - low_a, high_b - b), a - b + reach(high_a - a, b - low_b)


def _decide_alike(first, second):
    """Whether both scores decide alike for every sample that the rates count."""
    both = zip(
        first.rate.parts(*first.cut.shares),
        second.rate.parts(*second.cut.shares),
        strict=True,
    )
    return all(
        np.array_equal(one[first.cut.zones], other[second.cut.zones]) for one, other in both
    )


def _limits_without_discordant(first, second, tail):
    """Limits of a difference of 0 if none of n counted units decides otherwise."""
    n = min(first.spread.n_with_part_of_tie, second.spread.n_with_part_of_tie)
    reach = 1 - tail ** (1 / max(n, 1.0))
    return -reach, reach
