"""Samples with a rate at an operating point, and the differences of two of them."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from scipy.special import ndtri

from .._inference.differences import QUANTILES, TAILS
from .._inference.doubts import doubts_of_ranking, doubts_of_samples
from .._inference.samples import Sample
from .._input.arrays import check_thresholds
from .._roc.counting import every_threshold
from ..metrics._operating_points import n_predicted_at
from ..metrics._rates_at import RateAt
from ..results import AucPRComparisonResult
from ._cuts import check_fpr, cut_at
from ._intervals import (
    OF_CURVE,
    limits_at_threshold,
    spread_at,
    union_at_k,
    union_of_curve,
    value_at,
)
from ._pairs import paired_difference
from ._results import at_prevalence, interval_at
from ._validity import FEW, doubts_of_recall, few_at_the_cut, undefined_rate
from ._zones import ClusterWeights


@dataclass(frozen=True)
class CutSample(Sample):
    """A `Sample` for cuts of a score: its ROC curve has a point at every threshold.

    Attributes
    ----------
    reference_prevalence : float or None
    """

    reference_prevalence: float | None = None


@dataclass(frozen=True)
class RateSample(Sample):
    """A `Sample` with a rate at a cut, and its ROC curve at every threshold.

    Attributes
    ----------
    metric : RateAt
    """

    metric: RateAt = field(kw_only=True)

    @classmethod
    def of(cls, rate, data, clusters=None, is_grouped=False, unit=1.0):
        """The sample of checked data, which have the reference prevalence of the rate."""
        check_thresholds(data.score)
        roc = roc_at_thresholds(data)
        sample = cls(data, roc, clusters, is_grouped, unit, metric=rate)
        if sample.kind == "fpr" and sample.has_both_classes:
            check_fpr(rate.at, np.count_nonzero(~data.positive), "at")
        if sample.kind == "k":  # the call raises an error if there are fewer than k samples
            total = float(sample.roc.n_pos + sample.roc.n_neg)
            n_predicted_at(np.asarray(rate.at), total, "at")
        return sample if rate.entry.rate.is_within_class else at_prevalence(sample)

    @property
    def reference_prevalence(self):
        """The prevalence to which negatives are reweighted; None if they are not."""
        return self.metric.prevalence

    @property
    def kind(self):
        """What is fixed at the cut."""
        return self.metric.entry.at_kind

    @property
    def rate(self):
        """The `Rate`."""
        return self.metric.entry.rate

    @cached_property
    def cut(self):
        """The `Cut` of the operating point."""
        return cut_at(self, self.kind, self.metric.at)

    @cached_property
    def value(self):
        """The rate; NaN where it is undefined."""
        if self.kind in OF_CURVE and not self.has_both_classes:
            return np.nan
        return value_at(self, self.cut, self.rate)

    @property
    def is_defined(self):
        """Whether the rate is defined."""
        return not np.isnan(self.value)

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
        if isinstance(self.cut.weights, ClusterWeights):
            return self.by_zone @ self.cut.weights.weights
        weight = self.data.weight
        return self.derivative if weight is None else self.derivative * weight

    @property
    def leverage(self):
        """Leverage of each unit."""
        leverage = self.spread.leverage
        is_by_unit = isinstance(self.cut.weights, ClusterWeights)
        return leverage if is_by_unit else leverage.take(self.cut.zones)

    @property
    def estimate(self):
        """The sample itself, which has a value, a standard error and limits."""
        return self

    @property
    def standard_error(self):
        """Standard error of the rate; NaN if the rate, or its spread, is undefined."""
        return np.nan if np.isnan(self.value) else self.spread.standard_error

    @property
    def df(self):
        """Degrees of freedom of the standard error."""
        return self.spread.df

    @cached_property
    def spread(self):
        """The `Spread` of the rate, which is defined."""
        return spread_at(self, self.cut, self.rate, self.value, self.kind)

    @cached_property
    def union(self):
        """The `Union` of the rate at a cut that moves."""
        if self.kind == "k":
            return union_at_k(self, self.cut, [self.rate], {self.rate: self.spread})
        return union_of_curve(self, self.kind, self.metric.at)

    @cached_property
    def _known_limits(self):
        """Limits that were computed, by the probability beyond each of them.

        Comparisons with several other scores need the same ones. At a cut that moves, those
        at the levels of a search for a p-value are computed together.
        """
        if self.kind == "threshold":
            return {}
        ends = (end.tolist() for end in self.union.limits(QUANTILES))
        return dict(zip(TAILS, zip(*ends, strict=True), strict=True))

    def limits(self, tail):
        """Confidence limits of the rate; those of an undefined rate are 0 and 1.

        At a recall or an FPR they are infinite if a class has one unit.
        """
        if self.kind in OF_CURVE and np.isnan(self.standard_error):
            return -np.inf, np.inf
        is_unknown = self.kind == "k" and not self.is_simple
        if np.isnan(self.standard_error if is_unknown else self.value):
            return 0.0, 1.0
        if tail not in self._known_limits:
            self._known_limits[tail] = self._limits_at(tail)
        return self._known_limits[tail]

    def _limits_at(self, tail):
        """Confidence limits of the rate, which is defined."""
        if self.kind == "threshold":
            return limits_at_threshold(self, self.cut, self.rate, tail, self.spread)
        low, high = self.union.limits([-ndtri(tail)])
        return low.item(), high.item()

    @cached_property
    def at_same_k_by_precision(self):
        """The sample with the precision at k in place of the recall at k."""
        return replace(self, metric=replace(self.metric, name="precision_at_k"))

    def interval(self, options):
        """The `RateIntervalResult` of the rate."""
        point = self.kind, self.metric.at
        return interval_at(self, *point, options, self.rate, self.limits)

    def difference(self, other, options, names):
        """The `AucPRComparisonResult` of two scores of the same samples.

        A recall at k is the precision at k times k / P. The scores are compared by the
        precision, so that both metrics have one p-value.
        """
        is_weighted = self.reference_prevalence is None and self.data.weight is not None
        fields = self.counts() | self.metric.fields() | {"names": names, "method": "mover"}
        fields |= {"_is_weighted": is_weighted}
        if self.metric.at != other.metric.at:
            fields["at"] = self.metric.at, other.metric.at
        fields |= options.fields()
        if np.isnan(self.value + other.value):
            return AucPRComparisonResult(**fields, statistic=None, df=None)
        a, b, scale = self, other, 1.0
        if self.metric.name == "recall_at_k":
            a, b = self.at_same_k_by_precision, other.at_same_k_by_precision
            scale = float(sum(self.cut.cells[:2]) / self.roc.n_pos)
        difference = paired_difference(a, b, options).times(scale)
        return difference.result(self.metric, **fields)

    def shared_doubts(self, result):
        """The doubts that hold for every score, as those of `doubts_of_samples`.

        At a threshold or at k a missing class leaves the other rates defined, and exact
        limits need no spread between samples.
        """
        needs_no_spread = self.kind == "threshold" and self.is_simple
        if self.kind in OF_CURVE or (self.has_both_classes and not needs_no_spread):
            is_conservative = result == "interval"
            yield from doubts_of_samples(self, result, is_conservative)
        if self.kind == "recall" and self.has_both_classes:
            yield from doubts_of_recall(
                self.metric.at, np.count_nonzero(self.data.positive)
            )

    def own_doubts(self):
        """The doubts that depend on the score.

        An undefined rate at a recall or an FPR lacks a class, which has its own doubt.
        """
        yield from doubts_of_ranking(self)
        if not (self.is_defined or self.kind in OF_CURVE):
            yield undefined_rate(self)

    def doubts_of_pair(self, other, pair):
        """The doubts of the `AucPRComparisonResult` of this and another score."""
        if self.kind in ("fpr", "k") and self.has_both_classes and has_few(self, other):
            yield few_at_the_cut()


def roc_at_thresholds(data):
    """The `ROCCurve` of `BinaryData` at every threshold, in one part."""
    roc = every_threshold(data)
    return roc._replace(parts=[roc.concatenated()])


def has_few(first, second):
    """Whether there are few true, false or missed positives at a cut that moves."""
    return min(*first.cut.cells[:3], *second.cut.cells[:3]) < FEW
