"""Difference of a rate of two scores of the same samples.

It has the limits of `_inference.differences.by_limits`, with the correlation of the
influence values psi of both rates on the units (samples or clusters). Two scores may decide
alike by chance, so half a discordant sample is taken from a positive correlation (Newcombe
1998): with the numbers n of units that the rates count, it is

    r = r0 - r0^2 / (2 n_a n_b |psi_a| |psi_b|),   r0 = sum psi_a psi_b / (|psi_a| |psi_b|).

Where the two scores decide alike for every sample that the rates count, the difference is
at most a share of discordant samples of which none was seen among n.
"""

import numpy as np

from .._inference.differences import Difference, by_limits
from .._inference.standard_error import NO_SPREAD, InfluenceValues, standard_error_and_df


def paired_difference(first, second, options):
    """The `Difference` of two `RateSample` of the same samples."""
    error, df = _standard_error_and_df(first, second)
    if first.kind == "threshold" and _decide_alike(first, second):
        ends = _limits_without_discordant(first, second, options.tail)
        return Difference((first.value, second.value), error, ends, pvalue=1.0)
    return by_limits(
        first, second, _correlation_of_rates(first, second), error, df, options
    )


def _standard_error_and_df(first, second):
    """Standard error of the difference, and its degrees of freedom; NaN, 0 if unknown."""
    n = min(first.spread.n_limiting, second.spread.n_limiting)
    if n <= NO_SPREAD:
        return np.nan, 0.0
    values = first.influence - second.influence
    leverage = np.maximum(first.leverage, second.leverage)
    influence = InfluenceValues(values, np.ones(len(values)), leverage)
    return standard_error_and_df([influence], max(first.value, second.value), n)


def _correlation_of_rates(first, second):
    """Correlation of the two rates, less half a discordant sample."""
    if min(first.spread.n_limiting, second.spread.n_limiting) <= NO_SPREAD:
        return 0.0
    a, b = first.influence, second.influence
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    if norms == 0:
        return 0.0
    r = float(a @ b / norms)
    if r <= 0:
        return r
    n_a, n_b = first.spread.n_counted, second.spread.n_counted
    return max(r - r**2 / (2 * n_a * n_b * norms), 0.0)


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
    n = min(first.spread.n_counted, second.spread.n_counted)
    reach = 1 - tail ** (1 / max(n, 1.0))
    return -reach, reach
