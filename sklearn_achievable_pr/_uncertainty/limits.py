"""Confidence limits from an estimate within [0, 1] and its standard error."""

from __future__ import annotations

import numpy as np
from scipy.special import betaincinv, expit, logit, ndtr, ndtri, stdtrit


def tail_of(confidence_level, alternative):
    """Probability left out at each end that has a limit."""
    return (1 - confidence_level) / (2 if alternative == "two-sided" else 1)


def one_or_two_sided(low, high, alternative, ends):
    """Limits within `ends`; the side that `alternative` leaves open is its end."""
    low, high = (min(max(float(limit), ends[0]), ends[1]) for limit in (low, high))
    return (
        ends[0] if alternative == "less" else low,
        ends[1] if alternative == "greater" else high,
    )


def beta_limits(value, standard_error, df, min_effective_class_size, tail):
    """Clopper-Pearson limits of a proportion that is known as well as the value is.

    Korn and Graubard: n = v (1 - v) / SE^2 rows would have that standard error, less
    where the standard error is itself from few rows. `min_effective_class_size` rows are
    taken for it where the sample shows no spread at all.
    """
    spread = value * (1 - value)
    n = min_effective_class_size
    if standard_error > 0 and spread > 0:
        n = spread / standard_error**2
    n *= (ndtri(tail) / t_quantile(df, tail)) ** 2
    successes, failures = n * value, n * (1 - value)
    low = betaincinv(successes, failures + 1, tail) if successes > 0 else 0.0
    high = betaincinv(successes + 1, failures, 1 - tail) if failures > 0 else 1.0
    return low, high


def logit_limits(value, standard_error, quantile):
    """Symmetric around logit(v); at 0 and 1 no more than the value itself."""
    spread = value * (1 - value)
    if spread <= 0:
        return value, value
    reach = quantile * standard_error / spread
    return expit(logit(value) - reach), expit(logit(value) + reach)


def boyd_limits(value, n_pos, tail, scale):
    """Boyd, Eng and Page: as if the value were a proportion of the positives."""
    z = -ndtri(tail)
    if scale == "logit":
        spread = value * (1 - value)
        return logit_limits(value, np.sqrt(spread / n_pos), z)
    reach = z * np.sqrt(value * (1 - value) / n_pos)
    return value - reach, value + reach


def t_quantile(df, tail):
    """The upper quantile of the t distribution; infinite with no degree of freedom."""
    return -stdtrit(df, tail) if df > 0 else np.inf


def percentile_limits(distribution, tail):
    """Quantiles of the replicates, the k-th of B of them at k / (B + 1)."""
    return np.quantile(distribution, [tail, 1 - tail], method="weibull")


def bca_limits(distribution, value, acceleration, tail):
    """Percentiles moved by the bias of the replicates and by the skew of the rows."""
    below = np.mean(distribution < value) + np.mean(distribution == value) / 2
    half_step = 0.5 / len(distribution)
    bias = ndtri(np.clip(below, half_step, 1 - half_step))
    z = bias + ndtri(np.array([tail, 1 - tail]))
    at = ndtr(bias + z / (1 - acceleration * z))
    return np.quantile(distribution, at, method="weibull")
