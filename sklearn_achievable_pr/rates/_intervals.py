"""Standard errors and limits of a rate at a cut.

At a threshold or at k they depend only on the units, samples or clusters, that the rate
counts, which are those in its whole: for recall the positives, for specificity the
negatives, for precision (NPV) the units predicted positive (negative), and for F1 all but
the true negatives. Let c be the effective number of these units (Kish). The leverage of a
unit is its share in their weight, 1/c for equal weights, and there are at most c - 1
degrees of freedom.
"""

from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from .._inference.differences import QUANTILES, TAILS
from .._inference.limits import beta_limits, clopper_pearson
from .._inference.standard_error import NO_SPREAD, standard_error_and_df
from .._inference.unseen import fade, n_contributing
from ..metrics._rates import PRECISION, Rate
from ..metrics._rates_at import OF_CURVE
from ._cuts import Cut, cut_at
from ._union import DesignEffect, recall_limits, union_at

# Normal quantiles of bands of the curve. The square of the second one, 9.8, is the quantile
# 0.95 of the supremum of the deviance over recalls 0.05 to 0.95, a conservative value from
# simulations (benchmarks/simulations/operating_points.py).
POINTWISE_QUANTILE, SIMULTANEOUS_QUANTILE = ndtri(0.975), 9.8**0.5
# A search for a p-value begins at some of these.
_FIRST_TAILS = frozenset(TAILS)
# A rate that is nearer than this to 0 or to 1 is treated as 0 or 1.
_ROUNDING = 1e-12


class Spread(NamedTuple):
    """How much a rate at a cut varies, and what its limits need.

    Attributes
    ----------
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

    standard_error: float
    df: float
    n_counted: float
    n_limiting: float
    leverage: np.ndarray
    unseen: float = 0.0


@dataclass(frozen=True)
class RateEstimate:
    """A rate at a cut, with its standard error and its limits.

    Attributes
    ----------
    cut : Cut
    rate : Rate
    """

    cut: Cut
    rate: Rate
    # From a tail to both limits.
    _known: dict = field(default_factory=dict, init=False, repr=False, compare=False)
    # From a side to the limits at all `TAILS`, a dict. They are computed together.
    _first_limits: dict = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def sample(self):
        """The `CutSample`."""
        return self.cut.sample

    @property
    def is_of_curve(self):
        """Whether the cut is at a recall, a precision or an FPR: it needs both classes."""
        return self.cut.kind in OF_CURVE

    @cached_property
    def value(self):
        """The rate; NaN if it counts no sample (0/0).

        At a reference prevalence a rate of both classes is NaN if one of them is missing.
        """
        is_reweighted = self.sample.reference_prevalence is not None
        needs_classes = self.is_of_curve or (
            is_reweighted and not self.rate.is_within_class
        )
        if needs_classes and not self.sample.has_both_classes:
            return np.nan
        part, whole = self.rate.parts(*self.cut.cells)
        return float(self.rate.of_share(min(part / whole, 1.0))) if whole else np.nan

    @property
    def standard_error(self):
        """Standard error of the rate; NaN if the rate, or its spread, is undefined."""
        return np.nan if np.isnan(self.value) else self.spread.standard_error

    @property
    def df(self):
        """Degrees of freedom of the standard error."""
        return self.spread.df

    @cached_property
    def by_zone(self):
        """Derivative of the rate by the weight of a sample of each zone."""
        return self.cut.derivative_of(self.rate)

    @property
    def derivative(self):
        """Derivative of the rate by the weight of each sample."""
        return self.by_zone.take(self.cut.zones)

    @cached_property
    def influence(self):
        """Influence value of each unit."""
        if self.sample.clusters is not None:
            return self.by_zone @ self.cut.weights.weights
        weight = self.sample.data.weight
        return self.derivative if weight is None else self.derivative * weight

    @cached_property
    def leverage(self):
        """Leverage of each unit."""
        leverage = self.spread.leverage
        is_by_unit = self.sample.clusters is not None
        return leverage if is_by_unit else leverage.take(self.cut.zones)

    @cached_property
    def spread(self):
        """The `Spread` of the rate, which is defined.

        The cut at a recall or an FPR moves with both classes, so that they limit the
        degrees of freedom, and the leverage of a unit is its share of its class.
        """
        cut, sample = self.cut, self.sample
        if self.is_of_curve:
            above, _, below = self.by_zone.reshape(2, 3).T
            n_counted = 1 / np.abs(above - below).max() / sample.mean_weight
            n = sample.min_effective_class_size
            leverage = cut.weights.class_leverage(sample)
        else:
            _, whole = self.rate.parts(*cut.shares)
            n, leverage = cut.weights.counted(whole, cut.moves)
            n_counted = n
        if n <= NO_SPREAD:
            return Spread(np.nan, 0.0, n_counted, n, leverage)
        values = cut.weights.influence_values(self.by_zone, leverage)
        error, df = standard_error_and_df([values], self.value, n)
        unseen = 0.0
        if error > 0 and sample.has_unequal_weights:
            unseen = np.sqrt(fade(min(n_contributing([values]), (n * error) ** 2)))
        return Spread(error, df, n_counted, n, leverage, unseen)

    @cached_property
    def effect(self):
        """The `DesignEffect` of the rate; None for independent samples of equal weights."""
        return None if self.sample.is_simple else design_effect(self)

    @cached_property
    def union(self):
        """The `Union` of the rate at a recall, an FPR or a k."""
        if self.cut.kind == "fpr" and self.sample.data.weight is not None:
            # The recall at an FPR does not depend on the mean weights of the classes.
            cut = cut_at(self.sample.of_mean_weights(), "fpr", self.cut.at)
            return _union_of([RateEstimate(cut, self.rate)])
        return _union_of([self])

    def limits(self, tail):
        """Both limits of the rate, which it exceeds with the probability `tail` each.

        They are 0 and 1 if the rate is undefined, and infinite if a class has no spread at
        a recall, a precision or an FPR.
        """
        if tail not in self._known:
            self._known[tail] = self._limits_at(tail)
        return self._known[tail]

    def limit(self, tail, side):
        """The lower (`side` -1) or upper one (1) of the `limits`.

        The search for a p-value needs one of them, which takes half of the time of both.
        """
        if tail in self._known or not self.has_union:
            return self.limits(tail)[side > 0]
        if tail in _FIRST_TAILS:
            if side not in self._first_limits:
                (ends,) = self.union.limits(QUANTILES, (side,))
                self._first_limits[side] = dict(zip(TAILS, ends.tolist(), strict=True))
            return self._first_limits[side][tail]
        (end,) = self.union.limits([-ndtri(tail)], (side,))
        return end.item()

    def _limits_at(self, tail):
        """Both limits, computed; see `limits`."""
        if self.has_union:
            return tuple(end.item() for end in self.union.limits([-ndtri(tail)]))
        if self.is_of_curve and not self.sample.has_spread:
            return -np.inf, np.inf
        if np.isnan(self.value):
            return 0.0, 1.0
        if self.cut.kind == "threshold":
            limits = _exact_limits if self.sample.is_simple else _beta_limits
            return limits(self, tail)
        if self.cut.kind == "precision":
            return _limits_at_precision(self, tail)
        return 0.0, 1.0  # the variance of a rate at k is unknown

    @cached_property
    def has_union(self):
        """Whether the limits are those of the `union`.

        They are at a recall, an FPR or a k, if the variance is known or not needed.
        """
        if self.cut.kind in ("threshold", "precision") or np.isnan(self.value):
            return False
        if self.is_of_curve:
            return self.sample.has_spread
        return self.sample.is_simple or not np.isnan(self.standard_error)


def limits_of_several(estimates, tail):
    """Compute limits of rates at several k.

    Computed together, the limits of a small table take a third of the time.
    """
    known = [estimate for estimate in estimates if estimate.has_union]
    known = sorted(known, key=attrgetter("rate.name"))  # a union has runs of each rate
    if known:
        ends = _union_of(known).limits(np.full(len(known), -ndtri(tail)))
        for estimate, low, high in zip(known, *ends, strict=True):
            estimate._known[tail] = low, high


def method_at(sample, kind):
    """The method of the limits of rates."""
    if kind != "threshold":
        return "union"
    return "clopper-pearson" if sample.is_simple else "beta"


def _exact_limits(estimate, tail):
    """Clopper-Pearson limits of a rate of independent samples of equal weights."""
    rate, weight = estimate.rate, estimate.sample.data.weight
    part, whole = rate.parts(*estimate.cut.cells)
    weight = 1.0 if weight is None else weight[0]
    rest = max(whole - part, 0.0)
    ends = clopper_pearson(part / weight, rest / weight, tail)
    return tuple(map(rate.of_share, ends))


def _beta_limits(estimate, tail):
    """Beta limits of a rate, from the influence of each sample on its share."""
    sample, rate, spread = estimate.sample, estimate.rate, estimate.spread
    if np.isnan(spread.standard_error):
        return 0.0, 1.0
    part, whole = rate.parts(*estimate.cut.cells)
    share = min(part / whole, 1.0)
    n, error = spread.n_counted, spread.standard_error / rate.slope(share)
    low, high = beta_limits(share, error, spread.df, n, tail)
    is_at_end = share <= _ROUNDING or share >= 1 - _ROUNDING  # the share is 0 or 1
    if error == 0 and is_at_end and sample.has_both_classes:
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
    ratios += [1.0] * sample.has_unequal_weights
    w_low, w_high = max(ratios), min(ratios)
    return low / (low + w_low * (1 - low)), high / (high + w_high * (1 - high))


def _limits_at_precision(estimate, tail):
    """Limits of the last recall with a precision.

    The design effect is that of the precision at this recall, or nearby with positives on
    either side.
    """
    sample, recall = estimate.sample, estimate.value
    margin = 0.5 / np.count_nonzero(sample.data.positive)
    effect = _estimate_at_recall(sample, np.clip(recall, margin, 1 - margin)).effect
    curve = sample.curve_in_samples
    return recall_limits(curve, estimate.cut.at, recall, effect, -ndtri(tail))


def design_effect(estimate):
    """The `DesignEffect` of a rate, with the degrees of freedom of its variance.

    It is at least the mean weight, because influences of a few samples may cancel, and has
    the factor n / (n - 1) of n units of the smaller class.
    """
    cut, rate, sample = estimate.cut, estimate.rate, estimate.sample
    derivative = np.where(cut.weights.total > 0, estimate.by_zone, 0.0)
    if not derivative.any():  # all samples that are counted are in the part, or none are
        _, derivative = rate.parts(*cut.shares)
    # Divided by the largest one, squares of the derivatives do not overflow.
    ratio = cut.weights.variance_ratio(derivative / np.abs(derivative).max())
    n = min(n for n in sample.n_units_by_class if n)
    ratio = max(ratio * n / max(n - 1, 1), sample.mean_weight)
    return DesignEffect(ratio, estimate.df)


def _estimate_at_recall(sample, recall):
    """The `RateEstimate` of the precision at a recall."""
    return RateEstimate(cut_at(sample, "recall", recall), PRECISION)


def precision_band(sample, recall, z):
    """Both limits of the precision at several recalls, at a normal quantile."""
    effect = None
    if not sample.is_simple:
        effect = _in_rows([_estimate_at_recall(sample, r).effect for r in recall])
    union = union_at("recall", sample.curve_in_samples, recall, effect)
    return union.limits(np.full(len(recall), z))


def _in_rows(effects):
    """Several `DesignEffect` as one, with a row for each."""
    columns = zip(*effects, strict=True)
    return DesignEffect(*(np.array(column)[:, np.newaxis] for column in columns))


def _union_of(estimates):
    """The `Union` of one rate, or of rates at several k, which have a row each."""
    first = estimates[0]
    effect = None
    if not first.sample.is_simple:
        effect = _in_rows([estimate.effect for estimate in estimates])
    held = np.array([estimate.cut.held for estimate in estimates])
    rates = [estimate.rate for estimate in estimates]
    return union_at(first.cut.kind, first.sample.curve_in_samples, held, effect, rates)
