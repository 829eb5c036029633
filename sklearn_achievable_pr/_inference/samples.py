"""Checked samples with one score: their ROC curve, and how they were drawn."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._input.arrays import kish_sample_size
from .._input.labels import BinaryData, drop_equal_weights
from .._input.undefined import require_classes
from .._roc.curve import ROCCurve
from ..metrics._chance import is_reversed
from .standard_error import NO_SPREAD


@dataclass(frozen=True)
class Sample:
    """Checked samples, their ROC curve and their sampling design.

    A *unit* is an independent observation: a sample or, with `clusters`, a whole cluster.

    Attributes
    ----------
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

    data: BinaryData
    roc: ROCCurve
    clusters: np.ndarray | None = None
    is_grouped: bool = False
    unit: float = 1.0

    def __post_init__(self):
        if self.roc.n_pos and self.roc.n_neg:  # float64 must hold the ratio of the classes
            require_classes(self.roc.n_pos, self.roc.n_neg, negatives=True)

    @property
    def reference_prevalence(self):
        """The prevalence to which negatives are reweighted; None if they are not."""
        return None

    def counts(self):
        """Numbers of samples, of positives and of clusters, as keywords of a result."""
        return {
            "n_samples": len(self.data.positive),
            "n_positive": int(np.count_nonzero(self.data.positive)),
            "n_clusters": self.n_clusters,
        }

    @cached_property
    def has_both_classes(self):
        """Whether there are positives and negatives."""
        positive = self.data.positive
        return 0 < np.count_nonzero(positive) < len(positive)

    @property
    def has_spread(self):
        """Whether both classes have units that show how much units differ."""
        return self.has_both_classes and self.min_effective_class_size > NO_SPREAD

    @property
    def is_reversed(self):
        """Whether the score ranks the samples far worse than a random score does."""
        return is_reversed([self.roc_at_turns()], [self.effective_class_sizes])

    def roc_at_turns(self):
        """The ROC curve with a point wherever it turns."""
        return self.roc

    @cached_property
    def segment(self):
        """Index of the segment of the ROC curve that each sample lies on."""
        n_above = self.roc.concatenated().n_above
        size = np.diff(n_above)
        segment = np.empty(len(self.data.positive), dtype=np.int64)
        segment[self.roc.order] = np.arange(len(size)).repeat(size)
        return segment

    def of_segments(self, by_segment):
        """Value of each sample, from those of a positive and of a negative per segment."""
        # Both classes are in one array, positives first, so that each sample looks up one
        # value.
        return by_segment.T.ravel().take(2 * self.segment + ~self.data.positive)

    @property
    def prevalence(self):
        """The prevalence that the estimate is for, by weight."""
        if self.reference_prevalence is not None:
            return self.reference_prevalence
        return float(self.roc.n_pos) / (float(self.roc.n_pos) + float(self.roc.n_neg))

    @cached_property
    def is_simple(self):
        """Whether samples are independent and have no weights, or equal ones."""
        return self.clusters is None and drop_equal_weights(self.data).weight is None

    @cached_property
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
