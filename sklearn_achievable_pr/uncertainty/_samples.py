"""Checked samples with one score, the interval of a metric and its differences.

`RateSample`, `MultilabelSample` and the `Learner` of a cross-validation answer the same
questions for rates, averages over labels and means over folds.
"""

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from .._inference.differences import by_influence
from .._inference.doubts import (
    NO_SPREAD,
    doubts_of_df,
    doubts_of_interval,
    doubts_of_ranking,
    doubts_of_samples,
)
from .._inference.limits import Proportion, confidence_interval
from .._inference.standard_error import (
    influence_values,
    influence_values_of,
    standard_error_and_df,
)
from .._inference.unseen import loss, n_lost, weight_of_unseen
from .._input.arrays import kish_sample_size
from .._input.labels import BinaryData, drop_equal_weights
from .._input.undefined import require_classes
from .._roc.counting import breakpoints
from .._roc.curve import ROCCurve
from ..metrics._chance import is_reversed
from ..results import AucPRComparisonResult, AucPRIntervalResult


@dataclass(frozen=True)
class Sample:
    """A metric, checked samples, their ROC curve and their sampling design.

    A *unit* is an independent observation: a sample or, with `clusters`, a whole cluster.

    Attributes
    ----------
    metric : MetricWithOptions
        The metric.
    data : BinaryData
        Labels, scores and weights.
    roc : ROCCurve
        The ROC curve of `data`, in one part, with the order of the samples if segments are
        needed.
    clusters : ndarray of int64, shape (n_samples,), or None
        Index of the cluster of each sample. None if samples are independent.
    is_grouped : bool
        Whether samples have clusters, even if each of them is a cluster of its own.
    unit : float
        The user's weights are those of `data` times this number, see `unit_of`.
    """

    metric: Any  # a `RateSample` has a `RateAt`
    data: BinaryData
    roc: ROCCurve
    clusters: np.ndarray | None = None
    is_grouped: bool = False
    unit: float = 1.0

    @classmethod
    def of(cls, metric, data, clusters=None, is_grouped=False, *, by_sample=True):
        """The sample of checked data, with the ROC curve that it needs.

        Differences of scores and clusters need the influence of each sample, and so the
        order of the samples. An interval alone does not (``by_sample=False``):
        samples of one class on one segment have the same influence value.
        """
        data = drop_equal_weights(data)
        roc = metric.roc_of(data, with_order=by_sample or clusters is not None)
        return cls(metric, data, roc, clusters, is_grouped)

    def __post_init__(self):
        if self.roc.n_pos and self.roc.n_neg:  # float64 must hold the ratio of the classes
            require_classes(self.roc.n_pos, self.roc.n_neg, negatives=True)

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

    def counts(self):
        """Numbers of samples, of positives and of clusters, as keywords of a result."""
        return {
            "n_samples": len(self.data.positive),
            "n_positive": int(np.count_nonzero(self.data.positive)),
            "n_clusters": self.n_clusters,
        }

    def interval(self, options):
        """The `AucPRIntervalResult` of the metric."""
        fields = self.common_fields(options)
        fields["chance_level"] = self._chance_level
        if not self.has_both_classes:
            return AucPRIntervalResult(**fields)
        of_empirical = self.empirical.proportion
        return AucPRIntervalResult(
            **fields,
            estimate=float(self.value),
            standard_error=float(of_empirical.standard_error),
            df=of_empirical.df,
            confidence_interval=confidence_interval(
                self._limits(options.tail), options.alternative, 0.0, self.metric.highest
            ),
        )

    @cached_property
    def empirical(self):
        """The sample with the metric of the empirical curve, also of an achievable one."""
        name = self.metric.entry.empirical
        if name is None:
            return self
        return replace(self, metric=self.metric._replace(name=name))

    def _limits(self, tail):
        """Confidence limits of the metric.

        In the sample and in the population, the area of the empirical curve is at most that
        of the hull, and the area of the hull is too high on average. So the lower limit of
        the empirical area and the upper limit at the value of the hull enclose the area of
        the hull in the population.
        """
        proportion = self.empirical.proportion
        low, high = proportion.limits(tail)
        if self.empirical is not self:
            _, high = proportion._replace(value=float(self.value)).limits(tail)
        return low, high

    def difference(self, other, options, names):
        """The `AucPRComparisonResult` of this and another score of the same samples."""
        fields = self.common_fields(options) | {"names": names}
        if not (self.has_both_classes and other.has_both_classes):
            return AucPRComparisonResult(**fields)
        return by_influence(self, other, options).result(self.metric, **fields)

    def shared_doubts(self, what, method):
        """The doubts that hold for every score of these samples; see `warn_of`."""
        return doubts_of_samples(self, what, method)

    def own_doubts(self, what, method):
        """The doubts that depend on the score."""
        # The metric of an interval or a comparison is computed anyway, so that most scores
        # need no pass over their curve here.
        is_above_chance = what != "rate" and self.is_above_chance
        yield from doubts_of_ranking(self, is_above_chance)
        if what == "interval" and self.has_both_classes:
            yield from doubts_of_interval(self)
            yield from doubts_of_df(self.empirical.proportion.df, self)

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
        return is_reversed([self.roc_at_turns()], [self.effective_class_sizes])

    def roc_at_turns(self):
        """The ROC curve with a point wherever it turns."""
        if not self.metric.entry.omits_turns:
            return self.roc
        return breakpoints(self.data)

    @cached_property
    def segment(self):
        """Index of the segment of the ROC curve that each sample lies on."""
        n_above = self.roc.concatenated().n_above
        size = np.diff(n_above)
        segment = np.empty(len(self.data.positive), dtype=np.int64)
        segment[self.roc.order] = np.arange(len(size)).repeat(size)
        return segment

    @cached_property
    def derivative(self):
        """Derivative of the metric by the weight of each sample."""
        return self.of_segments(self.value_and_influence[1])

    @cached_property
    def influence(self):
        """Influence value of each unit."""
        return influence_values_of(self, self.derivative).values

    def of_segments(self, by_segment):
        """Value of each sample, from those of a positive and of a negative per segment."""
        # Both classes are in one array, positives first, so that each sample looks up one
        # value.
        return by_segment.T.ravel().take(2 * self.segment + ~self.data.positive)

    @cached_property
    def proportion(self):
        """The metric with the standard error of its influence values."""
        value, highest = float(self.value), self.metric.highest
        n_smaller, error, df, unseen = self.min_effective_class_size, np.nan, 0.0, 0.0
        if n_smaller > NO_SPREAD:
            parts = [influence_values(self)]
            error, df = standard_error_and_df(parts, self.value, n_smaller)
            lost = n_lost(self.metric, n_smaller, value)
            unseen = weight_of_unseen(parts, error, df, lost)
        loss_of = partial(loss, self.metric)
        return Proportion(value, error, df, n_smaller, highest, unseen, loss_of)

    @cached_property
    def has_both_classes(self):
        """Whether there are positives and negatives."""
        positive = self.data.positive
        return 0 < np.count_nonzero(positive) < len(positive)

    @property
    def is_defined(self):
        """Whether the metric and its interval are defined."""
        return self.has_both_classes

    @property
    def prevalence(self):
        """The prevalence that the estimate is for, by weight."""
        if self.metric.prevalence is not None:
            return self.metric.prevalence
        return float(self.roc.n_pos) / (float(self.roc.n_pos) + float(self.roc.n_neg))

    @cached_property
    def is_simple(self):
        """Whether samples are independent and have no weights, or equal ones."""
        return self.clusters is None and drop_equal_weights(self.data).weight is None

    @property
    def n_units(self):
        """Number of samples or, with clusters, of clusters."""
        if self.clusters is None:
            return len(self.data.positive)
        return int(self.clusters.max()) + 1

    @property
    def n_clusters(self):
        """Number of clusters; None without clusters."""
        return self.n_units if self.is_grouped or self.clusters is not None else None

    @property
    def unit_name(self):
        """What a unit is, as text.

        The entries of one sample of multilabel data are a cluster without `groups`.
        """
        return "cluster" if self.is_grouped and self.clusters is not None else "sample"

    @property
    def units(self):
        """Index of the unit of each sample."""
        return np.arange(self.n_units) if self.clusters is None else self.clusters

    @cached_property
    def weight(self):
        """Weight of each sample; 1 if there are no weights."""
        weight = self.data.weight
        return np.ones(len(self.data.positive)) if weight is None else weight

    @cached_property
    def unit_weights(self):
        """Weight of the negatives and of the positives of each unit, shape (2, n_units)."""
        positive = self.data.positive
        weights = np.where([~positive, positive], self.weight, 0.0)
        if self.clusters is None:
            return weights
        return np.array([np.bincount(self.clusters, weights=w) for w in weights])

    @cached_property
    def class_leverage(self):
        """Leverage of each cluster, as in `InfluenceValues`."""
        weights = self.unit_weights
        return np.max(weights / weights.sum(axis=1, keepdims=True), axis=0)

    @cached_property
    def hull(self):
        """The vertices of the ROC convex hull."""
        return self.roc.hull().concatenated()

    @cached_property
    def n_units_by_class(self):
        """Numbers of units with negatives and with positives."""
        if self.clusters is None:
            n_pos = np.count_nonzero(self.data.positive)
            return np.array([self.n_units - n_pos, n_pos])
        return np.count_nonzero(self.unit_weights, axis=1)

    @cached_property
    def effective_class_sizes(self):
        """Effective sample sizes (Kish) of the negatives and of the positives."""
        if self.is_simple:
            return self.n_units_by_class.astype(np.float64)
        weights = self.unit_weights
        return np.array([kish_sample_size(w) if w.any() else 0.0 for w in weights])

    @cached_property
    def min_effective_class_size(self):
        """Effective sample size of the smaller class."""
        return float(self.effective_class_sizes.min())
