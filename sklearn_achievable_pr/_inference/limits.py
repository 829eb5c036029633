"""Confidence limits and p-values from a value and its standard error."""

import weakref
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import betainccinv, betaincinv, ndtri, stdtr, stdtrit


def confidence_interval(ends, alternative, lowest, highest):
    """The limits within [lowest, highest]; a one-sided interval has one of these ends."""
    low, high = ends
    low = lowest if alternative == "less" else low
    high = highest if alternative == "greater" else high
    low, high = (float(min(max(end, lowest), highest)) for end in (low, high))
    return low, high


def mover_limits(values, first, second, correlation=0.0):
    """Limits of a difference a - b from the limits of a and b (Zou and Donner 2008).

    The distances from each value to its limits are combined as standard errors are. With
    limits (la, ua) of a and (lb, ub) of b the lower limit is

        a - b - sqrt((a - la)^2 + (ub - b)^2 - 2 correlation (a - la) (ub - b)).
    """
    (a, b), (low_a, high_a), (low_b, high_b) = values, first, second

    def reach(x, y):
        return np.sqrt(max(x**2 + y**2 - 2 * correlation * x * y, 0.0))

    return a - b - reach(a - low_a, high_b - b), a - b + reach(high_a - a, b - low_b)


def beta_limits(value, standard_error, df, min_effective_class_size, tail):
    """Clopper-Pearson limits of a proportion with this value and standard error.

    Korn and Graubard (1998): the effective sample size is v (1 - v) / SE^2, reduced if the
    standard error has few degrees of freedom. If the standard error is 0, the effective
    sample size is `min_effective_class_size`.
    """
    variance = value * (1 - value)
    n = min_effective_class_size
    if standard_error > 0 and variance > 0:
        # Dividing twice avoids a square that may underflow.
        n = variance / standard_error / standard_error
    beside = tail + 1e-6 * (tail == 0.5)  # at 1/2 both quantiles are 0
    # Normal limits of this many samples are as wide as t limits of n (Korn and Graubard).
    n *= (ndtri(beside) / t_quantile(df, beside)) ** 2
    return clopper_pearson(n * value, n * (1 - value), tail)


def clopper_pearson(successes, failures, tail):
    """Exact limits of a proportion; the numbers need not be integers."""
    # `betaincinv` is inaccurate if the numbers are beyond the exact integers of float64.
    scale = min(1.0, 1e15 / max(successes + failures, 1.0))
    successes, failures = successes * scale, failures * scale
    low = betaincinv(successes, failures + 1, tail) if successes > 0 else 0.0
    high = betainccinv(successes + 1, failures, tail) if failures > 0 else 1.0
    return low, high


def t_quantile(df, tail):
    """Quantile 1 - tail of the t distribution; infinite for 0 degrees of freedom."""
    return -stdtrit(df, tail) if df > 0 else np.inf


def t_pvalue(statistic, df, alternative):
    """P-value of a t test; NaN if the statistic is NaN."""
    below, above = stdtr(df, statistic), stdtr(df, -statistic)
    return of_alternative(below, above, alternative)


def find_root(function, low, high, xtol=2e-12):
    """A root of a function that has different signs at both ends.

    SciPy wraps the function in an object that refers to itself and lives until the next
    garbage collection. With a weak reference, this object does not keep the arrays of the
    function in memory.
    """
    reference: Any = weakref.ref(function)
    return brentq(lambda x: reference()(x), low, high, xtol=xtol)


def permutation_pvalue(observed, null, alternative, scale, exact=False):
    """P-value: share of the null distribution at least as extreme as the observed value.

    As in `scipy.stats.permutation_test`, values that differ only by rounding count as
    equal, and the two-sided p-value is twice the smaller one-sided p-value. The rounding
    error is relative to `scale`, the observed value or, for a difference, the values that
    were subtracted. Unless `exact`, the observed value is added to the random values
    (Phipson and Smyth 2010).
    """
    others, rounding = 0 if exact else 1, 100 * np.finfo(np.float64).eps * scale
    below, above = (
        (np.count_nonzero(excess >= -rounding) + others) / (len(null) + others)
        for excess in (observed - null, null - observed)
    )
    return of_alternative(below, above, alternative)


def of_alternative(below, above, alternative):
    """P-value of the alternative from the two one-sided p-values."""
    if alternative == "two-sided":
        return float(np.minimum(1.0, 2 * np.minimum(below, above)))
    return float(below if alternative == "less" else above)
