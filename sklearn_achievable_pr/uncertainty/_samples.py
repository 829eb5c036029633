"""Checked samples with one score, the interval of a metric and its differences.

`RateSample`, `MultilabelSample` and the `Learner` of a cross-validation answer the same
questions for rates, averages over labels and means over folds.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property

from .._inference.differences import by_influence
from .._inference.doubts import doubts_of_ranking, doubts_of_samples
from .._inference.estimates import Estimate
from .._inference.limits import confidence_interval
from .._inference.samples import Sample
from .._inference.standard_error import influence_values, influence_values_of
from .._input.labels import drop_equal_weights
from .._roc.counting import breakpoints
from ..metrics._table import MetricWithOptions
from ..results import AucPRComparisonResult, AucPRIntervalResult
from ._doubts import doubts_of_df, doubts_of_interval, doubts_of_range, doubts_of_sizes


@dataclass(frozen=True)
class AreaSample(Sample):
    """A `Sample` with the metric of an area, or of average precision.

    Attributes
    ----------
    metric : MetricWithOptions
        The metric. The ROC curve has the points that it depends on.
    """

    metric: MetricWithOptions = field(kw_only=True)

    @classmethod
    def of(cls, metric, data, clusters=None, is_grouped=False, *, by_sample=True):
        """The sample of checked data, with the ROC curve that it needs.

        Differences of scores and clusters need the influence of each sample, and so the
        order of the samples. An interval alone does not (``by_sample=False``):
        samples of one class on one segment have the same influence value.
        """
        data = drop_equal_weights(data)
        roc = metric.roc_of(data, with_order=by_sample or clusters is not None)
        return cls(data, roc, clusters, is_grouped, metric=metric)

    @property
    def reference_prevalence(self):
        """The prevalence to which negatives are reweighted; None if they are not."""
        return self.metric.prevalence

    @cached_property
    def value_and_influence(self):
        """The metric and its derivatives; None for these without an influence function."""
        return self.metric.value_and_influence(self.roc)

    @property
    def value(self):
        """The metric."""
        return self.value_and_influence[0]

    def common_fields(self, options):
        """The samples, the metric and the options, as keywords of a result."""
        weighted = {"_is_weighted": self.data.weight is not None}
        return self.counts() | weighted | self.metric.fields() | options.fields()

    def interval(self, options):
        """The `AucPRIntervalResult` of the metric."""
        fields = self.common_fields(options) | {"method": "beta"}
        fields["chance_level"] = self._chance_level
        if not self.has_both_classes:
            return AucPRIntervalResult(**fields)
        of_empirical = self.empirical.estimate
        return AucPRIntervalResult(
            **fields,
            estimate=float(self.value),
            standard_error=of_empirical.standard_error,
            df=of_empirical.df,
            confidence_interval=confidence_interval(
                self.limits(options.tail), options.alternative, 0.0, self.metric.highest
            ),
        )

    @property
    def empirical(self):
        """The sample with the metric of the empirical curve, also of an achievable one."""
        # It is not cached, because an object that refers to itself keeps its arrays until a
        # garbage collection.
        return self if self.metric.entry.empirical is None else self._with_empirical

    @cached_property
    def _with_empirical(self):
        """The sample with the empirical metric in place of the achievable one."""
        metric = self.metric._replace(name=self.metric.entry.empirical)
        return replace(self, metric=metric)

    def limits(self, tail):
        """Confidence limits of the metric, each missed with the probability `tail`.

        In the sample and in the population, the area of the empirical curve is at most that
        of the hull, and the area of the hull is too high on average. So the lower limit of
        the empirical area and the upper limit at the value of the hull enclose the area of
        the hull in the population.
        """
        estimate = self.empirical.estimate
        low, high = estimate.limits(tail)
        if self.empirical is not self:
            _, high = estimate._replace(value=float(self.value)).limits(tail)
        return low, high

    def difference(self, other, options, names):
        """The `AucPRComparisonResult` of this and another score of the same samples."""
        fields = self.common_fields(options) | {"names": names, "method": "influence"}
        if not (self.has_both_classes and other.has_both_classes):
            return AucPRComparisonResult(**fields)
        # Both samples have the same weights and clusters.
        parts = [influence_values_of(self, self.derivative - other.derivative)]
        difference = by_influence(self.estimate, other.estimate, parts, options)
        return difference.result(self.metric, **fields)

    def shared_doubts(self, result):
        """The doubts that hold for every score, as those of `doubts_of_samples`."""
        yield from doubts_of_samples(self, result)
        yield from doubts_of_sizes(self, result)
        yield from doubts_of_range(self, result)

    def own_doubts(self):
        """The doubts that depend on the score."""
        # The metric of an interval or a comparison is computed anyway, so that most scores
        # need no pass over their curve here.
        yield from doubts_of_ranking(self, self.is_above_chance)
        if self.has_both_classes:
            yield from doubts_of_interval(self)
            yield from doubts_of_df(self.empirical.estimate.df, self)

    def doubts_of_pair(self, other, pair):
        """The doubts of the `AucPRComparisonResult` of this and another score."""
        return doubts_of_df(pair.df, self)

    @cached_property
    def _chance_level(self):
        """What the metric is without skill; None where that is not known."""
        return self.metric.chance_level(self.data, self.roc)

    @property
    def is_above_chance(self):
        """Whether the metric is known to be what it is without skill, or higher."""
        is_known = self._chance_level is not None and self.metric.is_whole
        if not (is_known and self.has_both_classes):
            return False
        return self.value >= self._chance_level

    @property
    def is_reversed(self):
        """Whether the score ranks the samples far worse than a random score does."""
        # The sort for the turns is needed only where the metric is low.
        if self.metric.entry.omits_turns and self.is_above_chance:
            return False
        return super().is_reversed

    def roc_at_turns(self):
        """The ROC curve with a point wherever it turns."""
        if not self.metric.entry.omits_turns:
            return self.roc
        return breakpoints(self.data)

    @cached_property
    def derivative(self):
        """Derivative of the metric by the weight of each sample."""
        return self.of_segments(self.value_and_influence[1])

    @cached_property
    def influence(self):
        """Influence value of each unit."""
        return influence_values_of(self, self.derivative).values

    @cached_property
    def estimate(self):
        """The `Estimate` of the metric."""
        estimate = Estimate(
            float(self.value),
            self.min_effective_class_size,
            highest=self.metric.highest,
            recall_range=(self.metric.low, self.metric.high),
        )
        if not self.has_spread:
            return estimate
        return estimate.with_influence([influence_values(self)])

    @property
    def is_defined(self):
        """Whether the metric and its interval are defined."""
        return self.has_both_classes
