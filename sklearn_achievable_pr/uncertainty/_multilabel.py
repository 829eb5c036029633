"""Checked samples of several classes or labels, the averages of a metric and differences.

A micro average is the metric of all entries as one binary problem, in which the entries of
a sample are a cluster. It has the interval and the test of that problem. Macro and weighted
averages have those of `_averages`.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from .._inference.doubts import Doubt, doubts_of_clusters, doubts_of_ranking, no_spread
from .._inference.limits import confidence_interval
from .._inference.standard_error import influence_values_of
from .._input.labels import BinaryData, MultilabelData
from .._input.options import listed
from ..metrics._averaging import columns_of
from ..metrics._table import MetricWithOptions
from ..results import AucPRComparisonResult, AucPRIntervalResult
from ._averages import Average, LabelEstimate, difference_of_averages
from ._bias import bias_of
from ._doubts import doubts_of_interval
from ._samples import AreaSample

# The average itself is too high if its bias exceeds this share of the standard error.
_LARGE_BIAS = 0.5


def multilabel_sample(metric, target, average, clusters, is_grouped):
    """The `MicroSample` or the `MultilabelSample` of checked data without weights.

    `clusters` and `is_grouped` are those of a `Sample`.
    """
    if average != "micro":
        return MultilabelSample(metric, target, average, clusters, is_grouped)
    units = np.arange(len(target.positive)) if clusters is None else clusters
    data = BinaryData(target.positive.ravel(), target.score.ravel())
    clusters = np.repeat(units, target.positive.shape[1])
    roc = metric.roc_of(data, with_order=True)
    return MicroSample(data, roc, clusters, is_grouped, metric=metric, target=target)


@dataclass(frozen=True)
class MicroSample(AreaSample):
    """The entries of multilabel data; the entries of a sample, or cluster, are a cluster.

    Attributes
    ----------
    target : MultilabelData
    """

    target: MultilabelData = field(kw_only=True)

    def counts(self):
        """Numbers of samples, of positives per label, of clusters and of labels."""
        n_clusters = self.n_units if self.is_grouped else None
        return _counts(self.target, "micro", n_clusters)

    def shared_doubts(self, result):
        """The doubts that hold for every score, as those of `doubts_of_samples`."""
        if self.has_both_classes:
            yield from super().shared_doubts(result)
        else:
            missing = "negative" if self.data.positive.any() else "positive"
            yield _undefined(missing)


@dataclass(frozen=True)
class MultilabelSample:
    """A macro or weighted average of a metric, checked samples and their design.

    Attributes
    ----------
    metric : MetricWithOptions
    target : MultilabelData
        Samples have no weights.
    average : {"macro", "weighted"}
    clusters : ndarray of int64, shape (n_samples,), or None
        Index of the cluster of each sample. None if samples are independent.
    is_grouped : bool
        Whether samples have clusters, even if each of them is a cluster of its own.
    """

    metric: MetricWithOptions
    target: MultilabelData
    average: str
    clusters: np.ndarray | None
    is_grouped: bool

    @cached_property
    def n_positive(self):
        """Number of positives of each label."""
        return self.target.n_positive()

    @cached_property
    def averaged(self):
        """The `Average` of labels with both classes."""
        labels = [label for label, _ in self._labels_and_doubts]
        average = Average.macro if self.average == "macro" else Average.weighted
        return average(labels)

    @property
    def influence(self):
        """Influence value of each unit on the average."""
        return self.averaged.influence

    @cached_property
    def _labels_and_doubts(self):
        """The `LabelEstimate` and the doubts of each label that has positives."""
        # A label is read at a time, and its sorted scores are not kept, to save memory.
        return [
            _label_and_doubts(self.metric, data, self.clusters)
            for data in columns_of(self.target)
            if data.positive.any()
        ]

    @property
    def _label_names(self):
        """The labels that have positives, which are those of the average."""
        return [self.target.labels[i] for i in np.flatnonzero(self.n_positive)]

    @cached_property
    def _missing(self):
        """The `Doubt` of a label that lacks a class; None if every label has both.

        A label without positives has the weight 0 in the weighted average.
        """
        n_samples = len(self.target.positive)
        no_positive, no_negative = self.n_positive == 0, self.n_positive == n_samples
        if self.average == "weighted" and self.n_positive.any():
            no_positive = np.zeros_like(no_positive)
        lacking = np.flatnonzero(no_positive | no_negative)
        if not len(lacking):
            return None
        first, n_others = lacking[0], len(lacking) - 1
        missing = "positive" if no_positive[first] else "negative"
        more = f" {n_others} more labels lack a class." if n_others else ""
        return _undefined(missing, f" of label {self.target.labels[first]!r}", more)

    def common_fields(self, options):
        """The samples, the metric and the options, as keywords of a result."""
        n_units = len(self.target.positive)
        if self.clusters is not None:
            n_units = int(self.clusters.max()) + 1
        counts = _counts(self.target, self.average, n_units if self.is_grouped else None)
        return counts | self.metric.fields() | options.fields()

    def limits(self, tail):
        """Confidence limits of the average, each missed with the probability `tail`."""
        return self.averaged.limits(tail)

    def interval(self, options):
        """The `AucPRIntervalResult` of the average."""
        fields = self.common_fields(options) | {"method": "beta", "df": None}
        if self._missing:
            return AucPRIntervalResult(**fields, bias=np.nan)
        average, ends = self.averaged, self.limits(options.tail)
        return AucPRIntervalResult(
            **fields,
            estimate=average.value,
            standard_error=average.standard_error,
            confidence_interval=confidence_interval(ends, options.alternative, 0.0, 1.0),
            bias=average.bias,
        )

    def difference(self, other, options, names):
        """The `AucPRComparisonResult` of two averages over the same labels."""
        fields = self.common_fields(options) | {"names": names, "method": "influence"}
        if self._missing:
            return AucPRComparisonResult(**fields, statistic=None, df=None)
        difference = difference_of_averages(self.averaged, other.averaged, options)
        return difference.result(self.metric, **fields)

    def shared_doubts(self, result):
        """The doubts that hold for every score."""
        if self._missing:
            yield self._missing
        elif not self.averaged.has_spread:
            unit = "sample" if self.clusters is None else "cluster"
            yield no_spread(f"for every label one class of `y_true` is a single {unit}")
        else:
            yield from self._doubts_of_rare_labels()

    def _doubts_of_rare_labels(self):
        """The doubt of labels whose own interval is [0, 1]."""
        is_known = self.averaged.are_spreads_known
        if is_known.all():
            return
        rare = [self._label_names[i] for i in np.flatnonzero(~is_known)]
        few = "only one positive or one negative sample"
        if self.clusters is not None:
            few = "all positives or all negatives in one cluster"
        yield Doubt(
            "Few positives or negatives",
            f"Intervals are very wide, because some labels have {few}: {listed(rare)}.",
            UserWarning,
        )

    def own_doubts(self):
        """The doubts of the scores of labels, and of a value that is too high."""
        if self._missing:
            return
        for name, (_, doubts) in zip(
            self._label_names, self._labels_and_doubts, strict=True
        ):
            yield from (doubt.about(f"Label {name!r}") for doubt in doubts)
        bias, error = self.averaged.bias, self.averaged.standard_error
        # Where no sample has an influence, the bias is a rounding error.
        if abs(bias) > _LARGE_BIAS * error > 0:
            yield Doubt(
                "Bias of an average over labels",
                f"The value itself is about {abs(bias):.1g} too "
                f"{'high' if bias > 0 else 'low'}, because some labels have few positives.",
                UserWarning,
            )

    def doubts_of_pair(self, other, pair):
        """No doubts: a pair of averages has none of its own."""
        return ()


def _counts(target, average, n_clusters):
    """Numbers of samples, of positives per label, of clusters and of labels, by name."""
    n_positive = target.n_positive()
    return {
        "n_samples": len(target.positive),
        "n_positive": tuple(n_positive.tolist()),
        "n_clusters": n_clusters,
        "average": average,
        "n_labels": len(n_positive),
    }


def _undefined(missing, where="", more=""):
    """The `Doubt` of an average that is undefined, because a class is missing somewhere."""
    text = (
        f"No {missing} samples{where} in `y_true`: the average over the labels is "
        f"undefined.{more} Leave such labels out, or pass more samples."
    )
    return Doubt("missing class", text, UndefinedMetricWarning)


def _label_and_doubts(metric, data, clusters):
    """The `LabelEstimate` of the `BinaryData` of one label, and a list of its doubts."""
    sample = AreaSample.of(metric, data, clusters, clusters is not None)
    influence = influence_values_of(sample, sample.derivative)
    bias, positives = bias_of(sample.roc, metric.name), data.positive
    if clusters is not None:
        # This bias is that of independent samples. Like the variance, it is larger by the
        # ratio of the variance between clusters to that between samples.
        of_samples = np.sum(sample.derivative**2) or 1.0
        bias *= float(np.sum(influence.values**2) / of_samples)
        positives = np.bincount(clusters, weights=positives)
    # That few samples determine the standard error of a label is common among many labels,
    # and no reason to doubt their average.
    doubts = [
        *doubts_of_clusters(sample),
        *doubts_of_ranking(sample),
        *doubts_of_interval(sample),
    ]
    return LabelEstimate(sample.estimate, influence, positives, bias), doubts
