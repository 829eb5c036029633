"""Standard errors and limits of a rate at a threshold or at k.

They depend only on the units, samples or clusters, that the rate counts, which are those in
its whole: for recall the positives, for specificity the negatives, for precision (NPV) the
units predicted positive (negative), and for F1 all but the true negatives. Let c be the
effective number of these units (Kish). The leverage of a unit is its share in their weight,
1/c for equal weights, and there are at most c - 1 degrees of freedom.
"""

from typing import NamedTuple

import numpy as np

from ..metrics._rates import F1, NPV, PRECISION, RECALL
from ..uncertainty import _limits
from ..uncertainty._standard_error import standard_error_and_df
from ..uncertainty._unseen import fade, n_contributing
from ..uncertainty._validity import NO_SPREAD

# The empirical likelihood gives the limits of these rates: the precision at a recall, and
# the recall at a precision or a false positive rate.
LIKELIHOOD = {"recall": PRECISION, "precision": RECALL, "fpr": RECALL}
# A rate that is nearer than this to 0 or to 1 is treated as 0 or 1.
_ROUNDING = 1e-12
# If the effective sample size of each class is at least this share of its samples, weights
# are nearly constant within the classes, and a data set shows all weights that there are.
_NEARLY_EQUAL = 0.95


class Spread(NamedTuple):
    """A rate at a cut and what its limits need.

    Attributes
    ----------
    value : float
    standard_error, df : float
        NaN and 0 if one unit is counted.
    n_with_part_of_tie, n_with_whole_tie : float
        As in `Counted`.
    leverage : ndarray
        Leverage of a sample of each zone, or of each cluster.
    unseen : float
        How much the limits reach for weights that the data set may not show, from 0 to 1.
    """

    value: float
    standard_error: float
    df: float
    n_with_part_of_tie: float
    n_with_whole_tie: float
    leverage: np.ndarray
    unseen: float


def method_at(sample, where, rate=None):
    """The method of the limits of a rate, or (None) of all rates except F1."""
    if where in LIKELIHOOD:
        return "likelihood"
    is_exact = where == "threshold" and sample.is_simple and rate is not F1
    return "clopper-pearson" if is_exact else "beta"


def rate_with_limits(sample, cut, rate, where, tail):
    """A rate at a cut and its two limits; an undefined rate is NaN with the limits 0, 1."""
    value = value_at(sample, cut, rate)
    if np.isnan(value):
        return value, 0.0, 1.0
    if method_at(sample, where, rate) == "clopper-pearson":
        return value, *exact_limits(sample, cut, rate, tail)
    if cut.tie is not None:
        return value, *cut.tie.limits(rate, value, tail)
    return value, *rate_beta_limits(sample, rate, spread_at(sample, cut, rate, value), tail)


def value_at(sample, cut, rate):
    """The rate at a cut; NaN if it counts no sample (0/0).

    At a reference prevalence a rate of both classes is NaN if one of them is missing.
    """
    is_reweighted = sample.metric.prevalence is not None and not rate.is_within_class
    if is_reweighted and not sample.has_both_classes:
        return np.nan
    part, whole = rate.parts(*cut.cells)
    return float(min(part / whole, 1.0)) if whole else np.nan


def spread_at(sample, cut, rate, value):
    """The `Spread` of a rate at a cut, whose value is defined."""
    _, whole = rate.parts(*cut.shares)
    n_part, n, leverage = cut.weights.counted(whole, cut.moves)
    if n <= NO_SPREAD:
        return Spread(value, np.nan, 0.0, n_part, n, leverage, unseen=0.0)
    derivative = cut.derivative_of(rate, value)
    values = cut.weights.influence_values(derivative, leverage)
    error, df = standard_error_and_df([values], value, n)
    unseen = 0.0
    if error > 0 and has_unequal_weights(sample):
        unseen = np.sqrt(fade(min(n_contributing([values]), (n * error) ** 2)))
    return Spread(value, error, df, n_part, n, leverage, unseen)


def has_unequal_weights(sample):
    """Whether independent samples have weights that vary within a class."""
    if sample.clusters is not None or sample.is_simple:
        return False
    few = sample.effective_class_sizes < _NEARLY_EQUAL * sample.n_units_by_class
    return bool(few.any())


def exact_limits(sample, cut, rate, tail):
    """Clopper-Pearson limits of a rate of independent samples of equal weights."""
    part, whole = rate.parts(*cut.cells)
    weight = 1.0 if sample.data.weight is None else sample.data.weight[0]
    return _limits.clopper_pearson(part / weight, max(whole - part, 0.0) / weight, tail)


def rate_beta_limits(sample, rate, spread, tail):
    """Beta limits of a rate, from the influence of each sample."""
    value, error = spread.value, spread.standard_error
    if np.isnan(error):
        return 0.0, 1.0
    n = spread.n_with_part_of_tie
    low, high = _limits.beta_limits(value, error, spread.df, n, tail)
    is_at_end = value <= _ROUNDING or value >= 1 - _ROUNDING  # the rate is 0 or 1
    if error == 0 and is_at_end and not sample.is_simple and sample.has_both_classes:
        return _limits_at_end(sample, rate, low, high)
    if spread.unseen:
        reach = spread.unseen * (1 - tail ** (1 / spread.n_with_whole_tie))
        low = max(value - np.hypot(value - low, reach), 0.0)
        high = min(value + np.hypot(high - value, reach), 1.0)
    return low, high


def _limits_at_end(sample, rate, low, high):
    """Limits of a rate of 0 or 1: all counted samples are in its part, or none are.

    The given limits are those of samples of equal weights. Here the unseen samples have the
    mean weight of their class. If a false one weighs w times as much as a true one, a limit
    with the odds o = limit / (1 - limit) becomes the limit with the odds o / w. For
    example, the precision of samples without a false positive has the odds

        weight of true positives / weight of false positives = o / w,  w = weight_ratio.
    """
    positive = sample.data.positive
    weight_ratio = sample.weight[~positive].mean() / sample.weight[positive].mean()
    ratio_low = ratio_high = 1.0  # w is 1 for recall and specificity, which count one class
    if rate is PRECISION:
        ratio_low = ratio_high = weight_ratio
    elif rate is NPV:
        ratio_low = ratio_high = 1 / weight_ratio
    # False ones may be of both classes, or of any weight, so the wider limits are taken.
    if rate is F1:
        ratio_low, ratio_high = max(weight_ratio, 1.0), min(weight_ratio, 1.0)
    elif has_unequal_weights(sample):
        ratio_low, ratio_high = max(ratio_low, 1.0), min(ratio_high, 1.0)
    return low / (low + ratio_low * (1 - low)), high / (high + ratio_high * (1 - high))
