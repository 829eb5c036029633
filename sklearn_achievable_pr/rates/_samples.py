"""A rate at an operating point of one score: its interval, its tests and its warnings.

The difference of a rate of two scores of the same samples has the limits of
`_inference.differences.by_limits`, with the correlation of the influence values psi of both
rates on the units (samples or clusters). Two scores may decide alike by chance, so half a
discordant sample is taken from a positive correlation (Newcombe 1998): with the numbers n
of units that the rates count, it is

    r = r0 - r0^2 / (2 n_a n_b |psi_a| |psi_b|),   r0 = sum psi_a psi_b / (|psi_a| |psi_b|).

Where the two scores decide alike for every sample that the rates count, the difference is
at most the share of discordant samples, and none of n samples was discordant.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from .._inference.differences import Difference, by_limits
from .._inference.doubts import (
    Doubt,
    doubts_of_ranking,
    doubts_of_samples,
    missing_class,
)
from .._inference.limits import confidence_interval
from .._inference.standard_error import (
    NO_SPREAD,
    InfluenceValues,
    standard_error_and_df,
)
from .._input.arrays import check_thresholds
from .._roc.short_threshold import FEWEST_DIGITS, FEWEST_OF_GIVEN, short_threshold
from ..metrics._operating_points import n_predicted_at
from ..metrics._rates import PRECISION
from ..metrics._rates_at import OF_CURVE, RateAt
from ..results import AucPRComparisonResult, RateIntervalResult
from ._cuts import CutSample, check_fpr, cut_at, roc_at_thresholds
from ._intervals import RateEstimate, method_at

# With fewer true positives, false positives or missed positives at a cut that moves with
# the sample, limits from influence values are not valid.
_FEW = 5
# With fewer positives on one side of a recall, limits of the precision are very wide: their
# coverage was 0.99 to 1.00 in simulations.
_FEW_AT_RECALL = 3


@dataclass(frozen=True)
class RateSample:
    """A rate at an operating point of one score: its interval, differences and warnings.

    It holds its sample and is none itself: a sample that has a cut, which refers to the
    sample, would keep its arrays in memory until a garbage collection.

    Attributes
    ----------
    sample : CutSample
    metric : RateAt
    """

    sample: CutSample
    metric: RateAt

    @classmethod
    def of(cls, metric, data, clusters=None, is_grouped=False, unit=1.0, argument="at"):
        """The rate of checked data, which are reweighted to the prevalence of the rate.

        Errors are about the `argument` that is the operating point.
        """
        check_thresholds(data.score)
        prevalence = metric.prevalence
        if metric.kind == "fpr":
            # The weights of a class do not matter: as at this prevalence, a negative
            # counts as much as a positive.
            prevalence = np.mean(data.positive)
        design = clusters, is_grouped, unit, prevalence
        sample = CutSample(data, roc_at_thresholds(data), *design)
        if metric.kind == "fpr" and sample.has_both_classes:
            check_fpr(metric.at, np.count_nonzero(~data.positive), argument)
        if metric.kind == "k":  # the call raises an error if there are fewer than k samples
            total = float(sample.roc.n_pos + sample.roc.n_neg)
            n_predicted_at(np.asarray(metric.at), total, argument)
        return cls(
            sample.at_prevalence() if metric.entry.has_prevalence else sample, metric
        )

    @cached_property
    def estimate(self):
        """The `RateEstimate` at the operating point."""
        cut = cut_at(self.sample, self.metric.kind, self.metric.at)
        return RateEstimate(cut, self.metric.entry.rate)

    @property
    def is_of_curve(self):
        """Whether the cut is at a recall, a precision or an FPR: it needs both classes."""
        return self.metric.kind in OF_CURVE

    @property
    def is_defined(self):
        """Whether the rate is defined."""
        is_possible = self.sample.has_both_classes or not self.is_of_curve
        return is_possible and not np.isnan(self.estimate.value)

    @property
    def influence(self):
        """Influence value of each unit."""
        return self.estimate.influence

    def interval(self, options):
        """The `RateIntervalResult` of the rate."""
        kind = self.metric.kind
        fields = {
            "metric": self.metric.entry.rate.name,
            "at_kind": kind,
            "at": self.metric.at,
            "method": method_at(self.sample, kind),
            "prevalence": self.metric.prevalence,
            "_is_weighted": self.sample.is_weighted,
            **self.sample.counts(),
            **options.fields(),
        }
        if self.is_of_curve and not self.sample.has_both_classes:
            return RateIntervalResult(**fields)
        estimate, cut = self.estimate, self.estimate.cut
        ends = estimate.limits(options.tail)
        tied = cut.tied_weight
        fewest = FEWEST_OF_GIVEN if kind == "threshold" else FEWEST_DIGITS
        return RateIntervalResult(
            **fields,
            estimate=estimate.value,
            confidence_interval=confidence_interval(ends, options.alternative, 0.0, 1.0),
            threshold=float(cut.score),
            n_predicted=float(cut.n_predicted) * self.sample.unit,
            tie=None if tied is None else tied * self.sample.unit,
            _shown=short_threshold(self.sample.data.score, cut.score, fewest),
        )

    @cached_property
    def precision_at_same_k(self):
        """The `RateEstimate` of the precision in place of the recall at k."""
        return replace(self.estimate, rate=PRECISION)

    def difference(self, other, options, names):
        """The `AucPRComparisonResult` of two scores of the same samples.

        A recall at k is the precision at k times k / P. The scores are compared by the
        precision, so that both metrics have one p-value.
        """
        has_weights = self.sample.data.weight is not None
        fields = self.sample.counts() | self.metric.fields() | options.fields()
        fields |= {"names": names, "method": "mover"}
        fields |= {"_is_weighted": has_weights and self.metric.prevalence is None}
        if self.metric.at != other.metric.at:
            fields["at"] = self.metric.at, other.metric.at
        if not (self.is_defined and other.is_defined):
            return AucPRComparisonResult(**fields, statistic=None, df=None)
        a, b, scale = self.estimate, other.estimate, 1.0
        if self.metric.entry.is_compared_by_precision:
            a, b = self.precision_at_same_k, other.precision_at_same_k
            scale = float(a.cut.n_predicted / self.sample.roc.n_pos)
        difference = _paired_difference(a, b, options).times(scale)
        return difference.result(self.metric, **fields)

    def shared_doubts(self, result):
        """The doubts that hold for every score, as those of `doubts_of_samples`.

        At a threshold or at k a missing class leaves the other rates defined, and exact
        limits need no spread between samples.
        """
        needs_no_spread = self.metric.kind == "threshold" and self.sample.is_simple
        if self.is_of_curve or (self.sample.has_both_classes and not needs_no_spread):
            is_conservative = result == "interval"
            yield from doubts_of_samples(self.sample, result, is_conservative)
        if self.metric.kind == "recall" and self.sample.has_both_classes:
            yield from _doubts_of_recall(
                self.metric.at, np.count_nonzero(self.sample.data.positive)
            )

    def own_doubts(self):
        """The doubts that depend on the score.

        An undefined rate at a recall or an FPR lacks a class, which has its own doubt.
        """
        yield from doubts_of_ranking(self.sample)
        if not (self.is_of_curve or self.is_defined):
            rate = self.metric.entry.rate
            text = f"{why_undefined(self.sample, rate)}: {are_undefined([rate])}"
            yield Doubt("undefined rate", text, UndefinedMetricWarning)

    def doubts_of_pair(self, other, pair):
        """The doubts of the `AucPRComparisonResult` of this and another score."""
        if self.metric.kind not in ("fpr", "k") or not self.sample.has_both_classes:
            return
        if min(*self.estimate.cut.cells[:3], *other.estimate.cut.cells[:3]) < _FEW:
            yield Doubt(
                "Few samples at the cut",
                f"A score has fewer than {_FEW} true positives, false positives or missed "
                "positives at the cut. Intervals are wide, and tests find only large "
                "differences. Collect more samples, or move the cut.",
            )


def _doubts_of_recall(recall, n_positive):
    """The doubt of a recall with few positives on one side."""
    n_fewer = min(recall, 1 - recall) * n_positive
    if n_fewer < _FEW_AT_RECALL:
        yield Doubt(
            "A recall with few positives on one side",
            f"At recall {recall:g}, only {n_fewer:.2g} of {n_positive} positives are on "
            f"one side of the cut. With fewer than {_FEW_AT_RECALL}, intervals are wide, "
            "and tests find only large differences. Collect more positives.",
        )


def why_undefined(sample, rate):
    """Why a rate is undefined, as text."""
    missing = missing_class(sample)
    if missing and (rate.is_within_class or sample.reference_prevalence is not None):
        return missing
    return rate.if_undefined


def are_undefined(rates):
    """That these rates are undefined, as a sentence without its first capital."""
    *first, last = (f"the {rate.label}" for rate in rates)
    if not first:
        return f"{last} is undefined."
    return f"{', '.join(first)} and {last} are undefined."


def _paired_difference(first, second, options):
    """The `Difference` of two `RateEstimate` of the same samples."""
    error, df = _standard_error_and_df(first, second)
    if not first.cut.moves and _decide_alike(first, second):
        ends = _limits_without_discordant(first, second, options.tail)
        return Difference((first.value, second.value), error, ends, pvalue=1.0)
    r = _correlation_of_rates(first, second)
    return by_limits(first, second, r, error, df, options)


def _standard_error_and_df(first, second):
    """Standard error of the difference, and its degrees of freedom; NaN, 0 if unknown."""
    n = min(first.spread.n_limiting, second.spread.n_limiting)
    if n <= NO_SPREAD:
        return np.nan, 0.0
    values = first.influence - second.influence
    leverage = np.maximum(first.leverage, second.leverage)
    influence = InfluenceValues(values, leverage)
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
    parts = [estimate.rate.parts(*estimate.cut.shares) for estimate in (first, second)]
    return all(
        np.array_equal(one[first.cut.zones], other[second.cut.zones])
        for one, other in zip(*parts, strict=True)
    )


def _limits_without_discordant(first, second, tail):
    """Limits of a difference of 0 if none of n counted units decides otherwise."""
    n = min(first.spread.n_counted, second.spread.n_counted)
    reach = 1 - tail ** (1 / max(n, 1.0))
    return -reach, reach
