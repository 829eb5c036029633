"""Checked samples with one score, and what an interval needs of them."""

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from .._input.arrays import kish_sample_size
from .._input.labels import BinaryData
from .._input.undefined import require_classes
from .._roc.curve import ROCCurve
from ..metrics._table import MetricWithOptions
from ._limits import Proportion
from ._standard_error import influence_values, influence_values_of, standard_error_and_df
from ._unseen import loss, n_lost, weight_of_unseen
from ._validity import NO_SPREAD


def has_equal_weights(data):
    """Whether the samples of `BinaryData` have no weights, or equal ones.

    Intervals and tests of areas and rates do not depend on the unit of the weights.
    """
    weight = data.weight
    # Mostly the first and the last weight differ.
    return weight is None or (weight[0] == weight[-1] and np.ptp(weight) == 0)


def of_several(clusters):
    """The fields `clusters` and `is_grouped` of a `Sample`.

    Clusters of one sample each are none: the samples are independent.
    """
    if clusters is None:
        return None, False
    is_each_alone = clusters.max() + 1 == len(clusters)
    return None if is_each_alone else clusters, True


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
        Of `data`, in one part; with the order of the samples if segments are needed.
    clusters : ndarray of int64, shape (n_samples,), or None
        Index of the cluster of each sample. None: samples are independent.
    is_grouped : bool
        Whether samples have clusters, even if each of them is a cluster of its own.
    """

    metric: MetricWithOptions
    data: BinaryData
    roc: ROCCurve
    clusters: np.ndarray | None = None
    is_grouped: bool = False

    def __post_init__(self):
        if self.roc.n_pos and self.roc.n_neg:  # float64 has to hold their ratio
            require_classes(self.roc.n_pos, self.roc.n_neg, negatives=True)

    @cached_property
    def value_and_influence(self):
        """The metric and its derivatives; None for these without an influence function."""
        return self.metric.value_and_influence(self.roc)

    @property
    def value(self):
        """The metric."""
        return self.value_and_influence[0]

    @cached_property
    def segment(self):
        """Index of the segment of the ROC curve that each sample lies on."""
        n_above = self.roc.concatenated().n_above
        size = n_above[1:] - n_above[:-1]
        found = np.empty(len(self.roc.order), dtype=np.int64)
        found[self.roc.order] = np.arange(len(size)).repeat(size)
        return found

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
        # Both classes, positives first, in one array: each sample gathers only once.
        return by_segment.T.ravel().take(2 * self.segment + ~self.data.positive)

    @cached_property
    def proportion(self):
        """The metric with the standard error of its influence values."""
        value, highest = float(self.value), self.metric.highest
        n_smaller, error, df, unseen = self.min_effective_class_size, np.nan, 0.0, 0.0
        if n_smaller > NO_SPREAD:
            parts = [influence_values(self)]
            error, df = standard_error_and_df(parts, self.value, n_smaller)
            lost = n_lost(self.metric, self.roc, n_smaller, value)
            unseen = weight_of_unseen(parts, error, df, lost)
        loss_of = partial(loss, self.metric, self.roc)
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

    @cached_property
    def is_simple(self):
        """Whether samples are independent and have no weights, or equal ones."""
        return self.clusters is None and has_equal_weights(self.data)

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
    def class_share(self):
        """Class share of each cluster, as in `InfluenceValues`."""
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
