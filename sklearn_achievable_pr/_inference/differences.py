"""Differences of two values: the ways to make the interval and the test of one.

Two scores of the same samples are compared by the influence of each sample on their areas;
rates of two scores, and two subgroups, by the limits of both values.
"""

import itertools
from bisect import bisect_left
from functools import cache
from math import isinf
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from ..results import AucPRComparisonResult
from .estimates import error_of_difference
from .limits import (
    confidence_interval,
    find_root,
    of_alternative,
    t_pvalue,
    t_quantile,
)

# Normal quantiles at which the search for a p-value starts, and their tails.
QUANTILES = np.arange(9.0)
TAILS = tuple(ndtr(-QUANTILES).tolist())
# P-values from limits are at least this, because quantiles of t and beta are inaccurate
# further out.
_SMALLEST_PVALUE = 1e-50
# Error of the normal quantile of a p-value at which the search ends: a p-value of 0.05 then
# has an error of 1.2e-7 at most. Where a limit jumps, it may be twice as large.
_QUANTILE_ERROR = 1e-6


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
            confidence_interval=confidence_interval(self.ends, alternative, -width, width),
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


def by_influence(first, second, parts, options, n_unseen=None):
    """The `Difference` of two estimates of the same units, by a t test.

    The arguments are those of `error_of_difference`; `options.tail` is the probability
    beyond each limit.
    """
    difference = first.value - second.value
    error, df = error_of_difference(first, second, parts, n_unseen)
    statistic, ends = float(difference / error), (-np.inf, np.inf)
    if not np.isnan(error):
        reach = t_quantile(df, options.tail) * error
        ends = difference - reach, difference + reach
    pvalue = t_pvalue(statistic, df, options.alternative)
    return Difference((first.value, second.value), error, ends, pvalue, statistic, df)


def by_limits(first, second, correlation, standard_error, df, options):
    """The `Difference` of two values a and b, from the limits of both.

    With their limits (l_a, u_a) and (l_b, u_b), their standard errors, the standard error
    SE of the difference, a t quantile and the correlation r of the two values

        low = a - b - max(t SE, reach(a - l_a, u_b - b)),
        high = a - b + max(t SE, reach(u_a - a, b - l_b)),
        reach(x, y)^2 = (1 - r) (x^2 + y^2) + r (t (SE_a - SE_b))^2   if r > 0,
                        x^2 + y^2 - 2 r x y                           if r <= 0.

    For r <= 0 this is the reach of MOVER (Zou and Donner 2008). For r > 0 MOVER subtracts
    products of distances that need not grow with the confidence level as the others do.
    Here every term grows with the level, so that intervals are nested, and the p-value is
    the level at which the interval just excludes 0.

    Parameters
    ----------
    first, second : Estimate or RateEstimate
    correlation, standard_error, df : float
        `standard_error` and `df` are those of the difference; NaN and 0 if they are
        unknown, with the correlation 0.
    options : Options
    """
    a, b = first.value, second.value
    difference_of_errors = first.standard_error - second.standard_error

    def limit(tail, side):
        """The lower (`side` -1) or upper limit (1), missed with the probability `tail`."""
        least = shared = 0.0
        if standard_error > 0:  # it is NaN if a value counts only one unit
            quantile = t_quantile(df, tail)
            least = quantile * standard_error
            shared = quantile * difference_of_errors
        x = side * (first.limit(tail, side) - a)
        y = -side * (second.limit(tail, -side) - b)
        if isinf(x) or isinf(y):  # the limits of a value are unknown
            return side * np.inf
        square = x**2 + y**2 - 2 * correlation * x * y
        if correlation > 0:
            square = (1 - correlation) * (x**2 + y**2) + correlation * shared**2
        return a - b + side * max(least, square**0.5)

    ends = limit(options.tail, -1), limit(options.tail, 1)
    if isinf(ends[0]):
        return Difference((a, b), np.nan)
    tail = tail_by_inversion(a - b, limit)
    pvalue = pvalue_of_tail(tail, a - b, options.alternative)
    return Difference((a, b), standard_error, ends, pvalue)


def pvalue_of_tail(tail, difference, alternative):
    """P-value if an interval with this tail just excludes 0.

    A two-sided p-value is twice the tail.
    """
    beyond = (1 - tail, tail) if difference > 0 else (tail, 1 - tail)
    return of_alternative(*beyond, alternative)


def tail_by_inversion(difference, limit):
    """The tail of the interval that just excludes 0; 1/2 if there is none.

    ``limit(tail, side)`` is the lower (`side` -1) or upper limit (1) of the difference; the
    two-sided significance level is twice the tail. As the level grows, the limit that is
    nearer to 0 moves from the far side of 0 towards the difference::

        level     the nearer limit ( of a positive difference *
        small     ------(----0----------*------        gap to zero < 0
        p-value   -----------(----------*------        0
        1         -----------0--------(-*------        > 0

    This limit moves about linearly in the normal quantile of the tail. So the quantile at
    which the gap is 0 is found in few steps from the two `QUANTILES` next to it. Values
    that are compared several times keep their limits at these. An interval that ends at 0
    does not exclude it.
    """
    nearer = -1 if difference > 0 else 1

    @cache
    def gap_to_zero(tail):
        """How far the nearer limit lies on the side of the difference; else negative."""
        return -nearer * limit(tail, nearer)

    # Clopper-Pearson limits are conservative: even at the tail 1/2 they do not meet, and
    # may enclose 0.
    if difference == 0 or gap_to_zero(TAILS[0]) <= 0:
        return 0.5
    n_excluding = bisect_left(TAILS, True, key=lambda tail: gap_to_zero(tail) <= 0)
    if n_excluding < len(TAILS):
        below, above = QUANTILES[n_excluding - 1 : n_excluding + 1]
    else:
        below, above = QUANTILES[-1], 2 * QUANTILES[-1]
        while gap_to_zero(ndtr(-above)) > 0:
            below, above = above, 2 * above
            if 2 * ndtr(-below) < _SMALLEST_PVALUE:
                return _SMALLEST_PVALUE / 2
    start, end = gap_to_zero(ndtr(-below)), gap_to_zero(ndtr(-above))
    # Near its zero the gap changes at least this much with the error of the quantile.
    negligible = _QUANTILE_ERROR * min(start, -end) / (above - below)

    def gap_at(quantile):
        """The gap at a normal quantile; 0 ends the search."""
        gap = gap_to_zero(ndtr(-quantile))
        # A limit may be 0 at many quantiles. A negative value in place of the gap makes the
        # search find the lowest of them.
        if gap == 0:
            return -start
        return gap if abs(gap) > negligible else 0.0

    root = find_root(gap_at, below, above, xtol=2 * _QUANTILE_ERROR)
    return max(ndtr(-root), _SMALLEST_PVALUE / 2)
