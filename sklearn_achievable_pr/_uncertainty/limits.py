"""Confidence limits and p-values from an estimate, its standard error or resamples."""

import numpy as np
from scipy.special import betaincinv, expit, logit, ndtr, ndtri, stdtr, stdtrit


def confidence_interval(low, high, alternative, lowest, highest):
    """The limits within [lowest, highest]; a one-sided interval has one of these ends."""
    low = lowest if alternative == "less" else low
    high = highest if alternative == "greater" else high
    return tuple(np.clip([low, high], lowest, highest).tolist())


def beta_limits(value, standard_error, df, min_effective_class_size, tail):
    """Clopper-Pearson limits of a proportion with this value and standard error.

    Korn and Graubard (1998): the effective sample size is v (1 - v) / SE^2, reduced if the
    standard error has few degrees of freedom. If the standard error is 0, the effective
    sample size is `min_effective_class_size`.
    """
    variance = value * (1 - value)
    n = min_effective_class_size
    if standard_error > 0 and variance > 0:
        n = variance / standard_error / standard_error  # the square may underflow
    beside = tail + 1e-6 * (tail == 0.5)  # where both quantiles are 0
    n *= (ndtri(beside) / t_quantile(df, beside)) ** 2
    return clopper_pearson(n * value, n * (1 - value), tail)


def clopper_pearson(successes, failures, tail):
    """Exact limits of a proportion; the numbers need not be integers."""
    # The function is inaccurate where the numbers exceed those that float64 counts.
    scale = min(1.0, 1e15 / max(successes + failures, 1.0))
    successes, failures = successes * scale, failures * scale
    low = betaincinv(successes, failures + 1, tail) if successes > 0 else 0.0
    high = betaincinv(successes + 1, failures, 1 - tail) if failures > 0 else 1.0
    return low, high


def mover_sum(estimate, moved, correlation):
    """Limits of a function of several proportions (MOVER; Zou and Donner 2008).

    Row i of `moved` has the values of the function with proportion i at its lower and at
    its upper limit, and the other proportions as estimated. The distances from the estimate
    add up like standard errors; those of the last two proportions have this `correlation`.
    """
    change = np.asarray(moved) - estimate
    rises = np.sign(change[-2:, 1] - change[-2:, 0])
    ends = []
    for distance in (change.min(axis=1), change.max(axis=1)):
        square = distance @ distance + 2 * correlation * np.prod(rises * distance[-2:])
        ends.append(estimate + np.sign(distance.sum()) * np.sqrt(max(square, 0.0)))
    return tuple(ends)


def logit_limits(value, standard_error, df, min_effective_class_size, tail):
    """Limits of a proportion v by t limits of logit(v); both are v if v is 0 or 1."""
    variance = value * (1 - value)
    if variance <= 0:
        return value, value
    reach = t_quantile(df, tail) * standard_error / variance
    return expit(logit(value) - reach), expit(logit(value) + reach)


def t_quantile(df, tail):
    """Quantile 1 - tail of the t distribution; infinite for 0 degrees of freedom."""
    return -stdtrit(df, tail) if df > 0 else np.inf


def t_pvalue(statistic, df, alternative):
    """P-value of a t test; NaN if the statistic is NaN."""
    below, above = stdtr(df, statistic), stdtr(df, -statistic)
    return _of_alternative(below, above, alternative)


def percentile_limits(distribution, tail):
    """Quantiles of B resamples; the k-th smallest is the quantile at k / (B + 1)."""
    return np.quantile(distribution, [tail, 1 - tail], method="weibull")


def permutation_pvalue(observed, null, alternative, exact=False):
    """P-value: share of the null distribution at least as extreme as the observed value.

    As in `scipy.stats.permutation_test`, values that differ only by rounding count as
    equal, and the two-sided p-value is twice the smaller one-sided p-value. Unless `exact`,
    the observed arrangement is added to the random arrangements (Phipson and Smyth 2010).
    """
    others = 0 if exact else 1
    below, above = (
        (np.count_nonzero(excess >= -1e-12) + others) / (len(null) + others)
        for excess in (observed - null, null - observed)
    )
    return _of_alternative(below, above, alternative)


def _of_alternative(below, above, alternative):
    """P-value of the alternative from the two one-sided p-values."""
    if alternative == "two-sided":
        return float(np.minimum(1.0, 2 * np.minimum(below, above)))
    return float(below if alternative == "less" else above)


def bca_limits(distribution, value, acceleration, tail):
    """Percentile limits corrected for bias and acceleration (Efron 1987)."""
    below = np.mean(distribution < value) + np.mean(distribution == value) / 2
    half_step = 0.5 / len(distribution)
    bias = ndtri(np.clip(below, half_step, 1 - half_step))
    z = bias + ndtri(np.array([tail, 1 - tail]))
    at = ndtr(bias + z / (1 - acceleration * z))
    return np.quantile(distribution, at, method="weibull")


def holm(pvalues):
    """P-values adjusted by the step-down method of Holm (1979); NaN stays NaN."""
    pvalues = np.asarray(pvalues, dtype=np.float64)
    order = np.argsort(pvalues)  # NaN last
    n_tests = np.count_nonzero(~np.isnan(pvalues))
    steps = (n_tests - np.arange(len(pvalues))) * pvalues[order]
    adjusted = np.empty(len(pvalues))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted
