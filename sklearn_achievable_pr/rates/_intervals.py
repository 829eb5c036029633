"""Standard errors and limits of a rate at a cut.

At a threshold or at k they depend only on the units, samples or clusters, that the rate
counts, which are those in its whole: for recall the positives, for specificity the
negatives, for precision (NPV) the units predicted positive (negative), and for F1 all but
the true negatives. Let c be the effective number of these units (Kish). The leverage of a
unit is its share in their weight, 1/c for equal weights, and there are at most c - 1
degrees of freedom.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from .._inference.limits import beta_limits, clopper_pearson
from .._inference.standard_error import NO_SPREAD, standard_error_and_df
from .._inference.unseen import fade, n_contributing
from ..metrics._rates import PRECISION, RECALL
from ._cuts import cut_at
from ._union import CurveCounts, DesignEffect, union_at

# The rates at a recall, a precision or a false positive rate.
OF_CURVE = {"recall": PRECISION, "precision": RECALL, "fpr": RECALL}
# Normal quantiles of bands of the curve. The square of the second one, 9.8, is the quantile
# 0.95 of the supremum of the deviance over recalls 0.05 to 0.95, a conservative value from
# simulations (benchmarks/simulations/operating_points.py).
POINTWISE_QUANTILE, SIMULTANEOUS_QUANTILE = ndtri(0.975), 9.8**0.5
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
    n_counted : float
        Effective number of units that the rate counts. At a recall or an FPR it is 1
        divided by the change of the rate if one sample crosses the cut.
    n_limiting : float
        The number of units that limits the degrees of freedom: `n_counted` or, at a recall
        or an FPR, the effective size of the smaller class.
    leverage : ndarray
        Leverage of a sample of each zone, or of each cluster.
    unseen : float
        How much the limits reach for weights that the data set may not show, from 0 to 1.
    """

    value: float
    standard_error: float
    df: float
    n_counted: float
    n_limiting: float
    leverage: np.ndarray
    unseen: float = 0.0


def method_at(sample, where):
    """The method of the limits of rates."""
    if where != "threshold":
        return "union"
    return "clopper-pearson" if sample.is_simple else "beta"


def value_at(sample, cut, rate):
    """The rate at a cut; NaN if it counts no sample (0/0).

    At a reference prevalence a rate of both classes is NaN if one of them is missing.
    """
    is_reweighted = sample.reference_prevalence is not None and not rate.is_within_class
    if is_reweighted and not sample.has_both_classes:
        return np.nan
    part, whole = rate.parts(*cut.cells)
    return float(rate.of_share(min(part / whole, 1.0))) if whole else np.nan


def limits_at_threshold(sample, cut, rate, tail, spread=None):
    """Both limits of a rate at a threshold; those of an undefined rate are 0 and 1.

    `spread` is that of `spread_at`, if it is known.
    """
    value = value_at(sample, cut, rate)
    if np.isnan(value):
        return 0.0, 1.0
    if sample.is_simple:
        return _exact_limits(sample, cut, rate, tail)
    spread = spread or spread_at(sample, cut, rate, value)
    return _beta_limits(sample, cut, rate, spread, tail)


def spread_at(sample, cut, rate, value, kind="threshold"):
    """The `Spread` of a rate at a cut of this kind, whose value is defined.

    The cut at a recall or an FPR moves with both classes, so that they limit the degrees of
    freedom, and the leverage of a unit is its share of its class.
    """
    if kind in OF_CURVE:
        above, _, below = cut.derivative_of(rate).reshape(2, 3).T
        n_counted = 1 / np.abs(above - below).max() / sample.weight.mean()
        n, leverage = sample.min_effective_class_size, cut.weights.class_leverage(sample)
    else:
        _, whole = rate.parts(*cut.shares)
        n, leverage = cut.weights.counted(whole, cut.moves)
        n_counted = n
    if n <= NO_SPREAD:
        return Spread(value, np.nan, 0.0, n_counted, n, leverage)
    values = cut.weights.influence_values(cut.derivative_of(rate), leverage)
    error, df = standard_error_and_df([values], value, n)
    unseen = 0.0
    if error > 0 and has_unequal_weights(sample):
        unseen = np.sqrt(fade(min(n_contributing([values]), (n * error) ** 2)))
    return Spread(value, error, df, n_counted, n, leverage, unseen)


def has_unequal_weights(sample):
    """Whether independent samples have weights that vary within a class."""
    if sample.clusters is not None or sample.is_simple:
        return False
    few = sample.effective_class_sizes < _NEARLY_EQUAL * sample.n_units_by_class
    return bool(few.any())


def _exact_limits(sample, cut, rate, tail):
    """Clopper-Pearson limits of a rate of independent samples of equal weights."""
    part, whole = rate.parts(*cut.cells)
    weight = 1.0 if sample.data.weight is None else sample.data.weight[0]
    rest = max(whole - part, 0.0)
    ends = clopper_pearson(part / weight, rest / weight, tail)
    return tuple(map(rate.of_share, ends))


def _beta_limits(sample, cut, rate, spread, tail):
    """Beta limits of a rate, from the influence of each sample on its share."""
    if np.isnan(spread.standard_error):
        return 0.0, 1.0
    part, whole = rate.parts(*cut.cells)
    share = min(part / whole, 1.0)
    n, error = spread.n_counted, spread.standard_error / rate.slope(share)
    low, high = beta_limits(share, error, spread.df, n, tail)
    is_at_end = share <= _ROUNDING or share >= 1 - _ROUNDING  # the share is 0 or 1
    if error == 0 and is_at_end and not sample.is_simple and sample.has_both_classes:
        low, high = _limits_at_end(sample, rate, low, high)
    elif spread.unseen:
        reach = spread.unseen * (1 - tail ** (1 / n))
        low = max(share - np.hypot(share - low, reach), 0.0)
        high = min(share + np.hypot(high - share, reach), 1.0)
    return rate.of_share(low), rate.of_share(high)


def _limits_at_end(sample, rate, low, high):
    """Limits of a share of 0 or 1: all counted samples are in its part, or none are.

    The given limits are those of samples of equal weights. Here the unseen samples have the
    mean weight of their class. If a sample outside of the part weighs w times as much as
    one in it, a limit with the odds o = limit / (1 - limit) becomes the limit with the odds
    o / w. For example, the precision of samples without a false positive has the odds

        weight of true positives / weight of false positives = o / w.

    If samples outside of the part may be of both classes, or of any weight, the wider
    limits are taken.
    """
    positive = sample.data.positive
    of_negatives, of_positives = (sample.weight[positive == c].mean() for c in (0, 1))
    by_cell = of_positives, of_negatives, of_positives, of_negatives
    part, whole = rate.parts(*np.eye(4))
    ratios = [
        of_outside / of_part
        for of_part, is_part in zip(by_cell, part, strict=True)
        for of_outside, is_outside in zip(by_cell, whole - part, strict=True)
        if is_part and is_outside
    ]
    ratios += [1.0] * has_unequal_weights(sample)
    w_low, w_high = max(ratios), min(ratios)
    return low / (low + w_low * (1 - low)), high / (high + w_high * (1 - high))


def design_effect(sample, cut, rate, df):
    """The `DesignEffect` of a rate at a cut, with the degrees of freedom of its variance.

    It is at least the mean weight, because influences of a few samples may cancel, and has
    the factor n / (n - 1) of n units of the smaller class.
    """
    derivative = np.where(cut.weights.total > 0, cut.derivative_of(rate), 0.0)
    if not derivative.any():  # all samples that are counted are in the part, or none are
        _, derivative = rate.parts(*cut.shares)
    # Divided by the largest one, squares of the derivatives do not overflow.
    ratio = cut.weights.variance_ratio(derivative / np.abs(derivative).max())
    n = min(n for n in sample.n_units_by_class if n)
    ratio = max(ratio * n / max(n - 1, 1), sample.weight.mean())
    return DesignEffect(ratio, df)


def effect_of_curve(sample, kind, at):
    """The `DesignEffect` of the precision at a recall, or of the recall at an FPR."""
    if sample.is_simple:
        return _equal_effect(sample)
    rate, cut = OF_CURVE[kind], cut_at(sample, kind, at)
    part, whole = rate.parts(*cut.cells)
    df = spread_at(sample, cut, rate, part / whole, kind).df
    return design_effect(sample, cut, rate, df)


def union_of_curve(sample, kind, at):
    """The `Union` of the precision at a recall, or of the recall at an FPR."""
    effect = effect_of_curve(sample, kind, at)
    return union_at(kind, CurveCounts.of(sample.roc), np.array([at]), effect)


def precision_band(sample, recall, z):
    """Both limits of the precision at several recalls, at a normal quantile."""
    effects = [_equal_effect(sample)]
    if not sample.is_simple:
        effects = [effect_of_curve(sample, "recall", r) for r in recall]
    curve = CurveCounts.of(sample.roc)
    union = union_at("recall", curve, recall, _in_rows(effects))
    return union.limits(np.full(len(recall), z))


def _in_rows(effects):
    """Several `DesignEffect` as one, with a row for each."""
    columns = zip(*effects, strict=True)
    return DesignEffect(*(np.array(column)[:, np.newaxis] for column in columns))


def union_at_k(sample, cut, rates, spreads):
    """The `Union` of rates at k, which are defined, with a row for each.

    `spreads` is a dict from a rate to its `Spread`, which simple samples do not need. The
    standard errors are known.
    """
    effect = _equal_effect(sample)
    if not sample.is_simple:
        effects = [design_effect(sample, cut, rate, spreads[rate].df) for rate in rates]
        effect = _in_rows(effects)
    selected = sum(cut.cells[:2]) / sum(cut.cells)
    return union_at("k", CurveCounts.of(sample.roc), np.array([selected]), effect, rates)


def _equal_effect(sample):
    """The `DesignEffect` of independent samples of equal weights."""
    weight = sample.data.weight
    return DesignEffect(1.0 if weight is None else float(weight[0]))


def limits_at_k(sample, cut, rates, tail):
    """Both limits of each rate at a k; 0 and 1 if it, or its variance, is unknown."""
    limits = dict.fromkeys(rates, (0.0, 1.0))
    values = {rate: value_at(sample, cut, rate) for rate in rates}
    known = [rate for rate, value in values.items() if not np.isnan(value)]
    spreads = {}
    if not sample.is_simple:
        spreads = {r: spread_at(sample, cut, r, values[r], "k") for r in known}
        known = [r for r, s in spreads.items() if not np.isnan(s.standard_error)]
    if known:
        union = union_at_k(sample, cut, known, spreads)
        ends = union.limits(np.full(len(known), -ndtri(tail)))
        limits |= dict(zip(known, zip(*ends, strict=True), strict=True))
    return [*limits.values()]
