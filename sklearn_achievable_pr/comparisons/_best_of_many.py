"""A lower limit of the best of many models, which holds although it was chosen.

The model with the highest estimate owes its rank in part to the samples that it is measured
on, so that its own lower limit is too high. One-sided limits of all K models that hold
*together* with probability 1 - alpha hold for a chosen one, too. The estimates are about
normal, with the correlations R of the influence values of the models. So all limits have
the same tail

    tail = P(Z_1 > c),   where P(max of Z_1, ..., Z_K > c) = alpha,

and Z_1, ..., Z_K are standard normal with the correlations R. The tail is alpha / K if
at most one of them exceeds c at a time (Bonferroni), and alpha if they are equal. In
between,

    P(max > c) = K tail M,   M = mean of 1 / N over the models i, given that Z_i exceeds c,

where N is the number of models that exceed c. (A maximum above c is counted N times by the
sum of K tails, and each time as 1 / N by M.) M is computed from random draws, of which far
fewer are needed than for a share of rare events (Owen, Maximov and Chertkov 2019).
"""

import numpy as np
from scipy.special import ndtri, owens_t

from .._inference.doubts import weight_of_a_negative
from .._inference.limits import find_root

# With this many pairs of draws, and quantiles of the model that exceeds c, the probability
# 0.05 has a standard error of 0.0002 for 4 models, and of at most 0.0014 for 50.
_N_PAIRS, _N_QUANTILES = 2500, 200
# Where negatives weigh more than positives, the few that are ranked high make estimates too
# high. With a larger weight of a negative relative to a positive there is no limit.
_HEAVY = 1.2
# Equal models have a matrix of correlations without a root. This is added to its diagonal.
_RIDGE = 1e-9


def lower_limit_of_best(samples, intervals, confidence_level):
    """Lower limit of the model with the highest estimate.

    None if a standard error is unknown, or if negatives weigh much more than positives.

    Parameters
    ----------
    samples : dict of str to AreaSample, or MultilabelSample
    intervals : dict of str to AucPRIntervalResult
        The interval of each model.
    confidence_level : float
    """
    if np.isnan([each.standard_error for each in intervals.values()]).any():
        return None
    # In the order of rank, the draws do not depend on the order of the models.
    names = sorted(intervals, key=lambda name: -intervals[name].estimate)
    best, sample = intervals[names[0]], samples[names[0]]
    has_weights = best._is_weighted or best.prevalence is not None
    if has_weights and weight_of_a_negative(sample.data, best.prevalence) > _HEAVY:
        return None
    correlation = _correlation_of_models([samples[name].influence for name in names])
    tail = simultaneous_tail(correlation, 1 - confidence_level)
    low, _ = sample.limits(tail)
    return float(max(low, 0.0))  # no metric is negative


def _correlation_of_models(influence):
    """Correlations of models by their influence values; without any they are 0."""
    values = np.array(influence)
    lengths = np.linalg.norm(values, axis=1, keepdims=True)
    values /= np.where(lengths > 0, lengths, 1.0)
    correlation = values @ values.T
    np.fill_diagonal(correlation, 1.0)
    return correlation


def simultaneous_tail(correlation, alpha):
    """The tail of each limit if together they miss any value with probability `alpha`.

    `correlation` is the matrix of correlations of the estimates.
    """
    probability = _of_two(correlation) if len(correlation) == 2 else _of_many(correlation)

    def log_ratio(log_tail):
        """Nearly linear in the logarithm, so that few steps find where it is 0."""
        return np.log(probability(np.exp(log_tail)) / alpha)

    # The ends are the tails of Bonferroni and of equal models, up to rounding.
    low, high = np.log([0.999 * alpha / len(correlation), min(1.001 * alpha, 1.0)])
    return float(np.exp(find_root(log_ratio, low, high, xtol=1e-4)))


def _of_two(correlation):
    """Function of the tail that gives P(max > c) of two normal variables.

    Owen (1956) has it in closed form, which is ten times as fast as draws.
    """
    r = np.clip(correlation[0, 1], -1 + 1e-12, 1.0)
    slope = np.sqrt((1 - r) / (1 + r))
    return lambda tail: tail + 2 * owens_t(-ndtri(tail), slope)


def _of_many(correlation):
    """Function of the tail that gives P(max > c) of several normal variables."""
    n_models = len(correlation)
    rng = np.random.default_rng(0)
    root = np.linalg.cholesky(correlation + _RIDGE * np.eye(n_models))
    # Each draw has its opposite (antithetic variates), which halves the variance.
    draws = np.arange(_N_PAIRS)
    half = root @ rng.standard_normal((n_models, _N_PAIRS))
    normal = np.hstack([half, -half])
    # In each draw one model exceeds c, at a quantile of its distance. Other models are
    # shifted as far as they are correlated with it.
    exceeding = np.tile(draws % n_models, 2)
    quantile = np.tile(rng.permutation(draws) % _N_QUANTILES, 2)
    own, shift = normal[exceeding, np.arange(2 * _N_PAIRS)], correlation[:, exceeding]
    shares = (np.arange(_N_QUANTILES) + 0.5) / _N_QUANTILES

    def probability(tail):
        distance = -ndtri(tail * shares)
        given = normal + shift * (distance[quantile] - own)
        n_exceeding = np.count_nonzero(given > -ndtri(tail), axis=0)
        return n_models * tail * np.mean(1 / np.maximum(n_exceeding, 1))

    return probability
