"""Intervals and tests of a metric that is averaged over classes or labels.

With the value A_l and the weight w_l of each label l, the average is

    A = sum of w_l A_l over the labels.

The values of all labels depend on the same samples. So the influence values of a *unit* (a
sample or, with clusters, a cluster) on all labels are added up to that on the average, and
only units are independent, never labels:

    d = sum of w_l d_l over the labels, plus m
    c = sum of w_l d_l / sqrt(1 - h_l) over the labels, plus m
    SE^2 = sum of c^2 over the units

where d_l is the influence value of the unit on A_l and h_l its leverage, which is its share
of its class of label l. Dividing by sqrt(1 - h_l) is the correction HC2. m is what the unit
changes through the weights of the labels. There are three averages:

- macro: w_l = 1 / L for each of L labels, and m = 0.
- weighted: w_l = P_l / P, if P_l of all P positives are positives of label l. P_l and P
  also grow with the weight of a sample, so that m is the sum of (A_l - A) / P over the
  labels that the sample has.
- micro: the metric of all entries as one binary problem, in which the entries of a sample
  are a cluster (`MultilabelSample.entries`). It has the standard error of that problem.

The values of labels with few positives are too high, all in the same direction, while the
standard error of their mean falls with the number of labels. The interval of the mean would
therefore lie too high. The jackknife estimates this bias of N samples as

    bias = (N - 1) (mean of the jackknife values - A).

The *jackknife value* of a sample is the average without this sample.

The bias moves the limit that it would make unsafe, and leaves the estimate as it is (the
*guard*).
"""

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from .._input.labels import BinaryData, MultilabelData
from .._input.options import listed
from ..metrics._averaging import columns_of
from ..metrics._jackknife import leave_one_out
from ..metrics._table import MetricWithOptions
from ..results import AucPRComparisonResult, AucPRIntervalResult
from . import _unseen
from ._differences import by_t_test
from ._limits import Proportion, confidence_interval
from ._samples import Sample
from ._standard_error import (
    InfluenceValues,
    influence_values_of,
    standard_error_and_df,
    zero_if_rounding,
)
from ._validity import NO_SPREAD, Doubt, no_spread

# With fewer clusters the standard error of an average over labels is too small.
_FEW_CLUSTERS = 60
# The average itself is too high if its bias exceeds this share of the standard error.
_LARGE_BIAS = 0.5
# The only positive of a label has leverage 1, and its correction would be infinite. It gets
# the leverage that it would have beside a second positive. So does the only negative.
_MOST_LEVERAGE = 0.5


@dataclass(frozen=True)
class MultilabelSample:
    """A metric averaged over labels, checked samples and their sampling design.

    Attributes
    ----------
    metric : MetricWithOptions
    target : MultilabelData
        Samples have no weights.
    average : {"macro", "weighted", "micro"}
    clusters : ndarray of int64, shape (n_samples,), or None
        Index of the cluster of each sample. None if samples are independent.
    """

    metric: MetricWithOptions
    target: MultilabelData
    average: str
    clusters: np.ndarray | None

    @property
    def n_samples(self):
        """Number of samples."""
        return len(self.target.positive)

    @cached_property
    def n_positive(self):
        """Number of positives of each label."""
        return self.target.n_positive()

    @cached_property
    def averaged(self):
        """The `Average`, macro or weighted, of labels with both classes."""
        return _macro_average(self) if self.average == "macro" else _weighted_average(self)

    @cached_property
    def entries(self):
        """The binary `Sample` of all entries; those of one sample are a cluster."""
        units = np.arange(self.n_samples) if self.clusters is None else self.clusters
        data = BinaryData(self.target.positive.ravel(), self.target.score.ravel())
        clusters = np.repeat(units, len(self.n_positive))
        return Sample.of(self.metric, data, clusters, self.clusters is not None)

    @cached_property
    def undefined(self):
        """Why the average is undefined, as text; empty if every label has both classes.

        A label without positives has the weight 0 in the weighted average.
        """
        n_pos, n_entries = self.n_positive, self.n_samples
        if self.average == "micro":
            n_pos, n_entries = n_pos.sum(keepdims=True), self.target.positive.size
        no_positive, no_negative = n_pos == 0, n_pos == n_entries
        if self.average == "weighted" and n_pos.any():
            no_positive = np.zeros_like(no_positive)
        lacking = np.flatnonzero(no_positive | no_negative)
        if not len(lacking):
            return ""
        first, n_others = lacking[0], len(lacking) - 1
        missing = "positive" if no_positive[first] else "negative"
        label = (
            "" if self.average == "micro" else f" of label {self.target.labels[first]!r}"
        )
        more = f" {n_others} more labels lack a class." if n_others else ""
        return (
            f"No {missing} samples{label} in `y_true`: the average over the labels is "
            f"undefined.{more} Leave such labels out, or pass more samples."
        )

    def common_fields(self, options):
        """The samples, the metric and the options, as keywords of a result."""
        return {
            "n_samples": self.n_samples,
            "n_positive": tuple(self.n_positive.tolist()),
            "n_clusters": None if self.clusters is None else int(self.clusters.max()) + 1,
            "average": self.average,
            "n_labels": len(self.n_positive),
            **self.metric.fields(),
            **options.fields(),
        }

    def interval(self, options):
        """The `AucPRIntervalResult` of the average."""
        fields = self.common_fields(options)
        if self.undefined:
            return AucPRIntervalResult(**fields, bias=np.nan)
        if self.average == "micro":
            return replace(self.entries.interval(options), **fields)
        average = self.averaged
        ends = average.limits(options.tail)
        return AucPRIntervalResult(
            **fields,
            estimate=average.value,
            standard_error=average.standard_error,
            confidence_interval=confidence_interval(ends, options.alternative, 0.0, 1.0),
            df=average.df,
            bias=average.bias,
        )

    def difference(self, other, options, names):
        """The `AucPRComparisonResult` of two averages over the same labels."""
        fields = self.common_fields(options) | {"names": names}
        if self.undefined:
            return AucPRComparisonResult(**fields)
        if self.average == "micro":
            difference = self.entries.difference(other.entries, options, names)
            return replace(difference, **fields)
        n_different = partial(_n_ranked_differently_for_a_label, self, other)
        difference = _by_averages(self.averaged, other.averaged, options, n_different)
        return difference.result(self.metric, **fields)

    def shared_doubts(self, what, method):
        """The doubts that hold for every score of these samples; see `warn_of`."""
        if self.undefined:
            yield Doubt("missing class", self.undefined, UndefinedMetricWarning)
        elif self.average == "micro":
            yield from self.entries.shared_doubts(what, method)
        elif not self.averaged.has_spread:
            unit = "sample" if self.clusters is None else "cluster"
            yield no_spread(f"for every label one class of `y_true` is a single {unit}")
        else:
            yield from self._doubts_of_sizes()

    def _doubts_of_sizes(self):
        """The doubts of labels with one sample of a class, and of few clusters."""
        n_pos, labels = self.n_positive, self.target.labels
        fewest = np.minimum(n_pos, self.n_samples - n_pos)
        rare = [labels[i] for i in np.flatnonzero(fewest == 1)]
        if rare:
            yield Doubt(
                "Few positives or negatives",
                f"Labels with one positive or one negative sample: {listed(rare)}. "
                "Intervals may be too narrow and t tests may reject too often (in "
                "simulations, 95 % intervals contained the true value in 0.92 of the data "
                "sets, and tests at 0.05 rejected equal scores in up to 0.12). Collect "
                "more samples of these labels.",
            )
        n_clusters = None if self.clusters is None else int(self.clusters.max()) + 1
        if n_clusters is not None and n_clusters < _FEW_CLUSTERS:
            yield Doubt(
                "Few clusters in an average over labels",
                f"There are only {n_clusters} clusters. With fewer than {_FEW_CLUSTERS}, "
                "the standard error of an average over labels is too small (with 30 "
                "clusters and 30 labels, 95 % intervals contained the true value in 0.93 "
                "of the simulated data sets, and tests at 0.05 rejected equal scores in up "
                "to 0.088). Collect more clusters.",
            )

    def own_doubts(self, what, method):
        """The doubts that depend on the score: of a micro average those of its entries."""
        if self.undefined:
            return
        if self.average == "micro":
            yield from self.entries.own_doubts(what, method)
            return
        bias, error = self.averaged.bias, self.averaged.standard_error
        # Where no sample has an influence, the bias is a rounding error.
        if abs(bias) > _LARGE_BIAS * error > 0:
            yield Doubt(
                "Bias of an average over labels",
                f"The value itself is about {abs(bias):.1g} too "
                f"{'high' if bias > 0 else 'low'}, because some labels have few positives. "
                "The interval includes this bias; report the interval, or collect more.",
            )

    def doubts_of_pair(self, other, pair):
        """The doubts of a pair: of micro averages those of their entries."""
        if self.undefined or self.average != "micro":
            return ()
        return self.entries.doubts_of_pair(other.entries, pair)


@dataclass(frozen=True)
class Average:
    """A metric averaged over labels, with what its limits and tests need.

    Attributes
    ----------
    value : float
        The average.
    bias : float
        The jackknife's estimate of how much the value is too high.
    influence : ndarray of shape (n_units,)
        d of each unit, the derivative of the average by its weight.
    corrected : ndarray of shape (n_units,)
        c of each unit; the sum of its squares is the squared standard error.
    jackknife_values : ndarray of shape (n_samples,)
        The average without each sample.
    n_effective : float
        Effective number of units: the inverse of the largest leverage of a unit, where
        leverages are averaged over the labels. It is at least the effective size of the
        smallest class of a label, and equal to this size for one label.
    is_clustered : bool
        Whether units are clusters.
    """

    value: float
    bias: float
    influence: np.ndarray
    corrected: np.ndarray
    jackknife_values: np.ndarray
    n_effective: float
    is_clustered: bool

    @property
    def has_spread(self):
        """Whether more than one unit counts."""
        return self.n_effective > NO_SPREAD

    @cached_property
    def standard_error(self):
        """Standard error of the average; NaN if only one unit counts."""
        if not self.has_spread:
            return np.nan
        return zero_if_rounding(float(np.sqrt(np.sum(self.corrected**2))), self.value)

    @cached_property
    def df(self):
        """Degrees of freedom of the standard error."""
        return _satterthwaite(self.influence, self.n_effective) if self.has_spread else 0.0

    @cached_property
    def unseen(self):
        """The share of unseen samples that counts for the limits."""
        lost = self.n_effective * (1 - self.value)
        parts = [_alone(self.influence)]
        return _unseen.weight_of_unseen(parts, self.standard_error, self.df, lost)

    def limits(self, tail):
        """Beta limits, of which the bias moves the one that it makes unsafe (the guard)."""
        # If the value is too high, the lower limit is too high as well, so it is lowered;
        # the upper limit is safe and stays. If the value is too low, the upper limit is
        # raised.
        low, _ = self._beta_limits(self.value - max(self.bias, 0.0), tail)
        _, high = self._beta_limits(self.value - min(self.bias, 0.0), tail)
        return low, high

    def _beta_limits(self, value, tail):
        """Both beta limits with the standard error of the average, around a value."""
        error, df, n = self.standard_error, self.df, self.n_effective
        return Proportion(value, error, df, n, 1.0, self.unseen).limits(tail)


def _macro_average(sample):
    """The `Average` of a `MultilabelSample` in which all labels have the same weight."""
    sums, jackknife_values = _SumsOverLabels(), 0.0
    w = 1 / len(sample.n_positive)
    for label in _label_samples(sample):
        sums.add(label, w)
        jackknife_values += _jackknife_values(label)
    return _average_of(sample, sums, 0.0, jackknife_values / len(sample.n_positive))


def _weighted_average(sample):
    """The `Average` of a `MultilabelSample` in which labels weigh as their positives do.

    The samples have no weights, so that sums of weights are numbers of samples.
    """
    n_positive = sample.n_positive.sum()
    sums, jackknife_sum = _SumsOverLabels(), 0.0
    sum_of_values = 0.0  # for each sample, the sum over its labels
    for label in _label_samples(sample):
        has_label, n_of_label = label.data.positive, label.roc.n_pos
        sums.add(label, n_of_label / n_positive)
        sum_of_values += has_label * label.value
        # A label has less weight if one of its positives is left out.
        jackknife_sum += (n_of_label - has_label) * _jackknife_values(label)
    n_labels = sample.target.positive.sum(axis=1)  # number of labels of each sample
    m = (sum_of_values - sums.value * n_labels) / n_positive
    if sample.clusters is not None:
        m = np.bincount(sample.clusters, m)
    # The only sample with positives cannot be left out, because there is no average without
    # it.
    n_remaining = n_positive - n_labels
    jackknife_values = np.full(sample.n_samples, float(sums.value))
    np.divide(jackknife_sum, n_remaining, out=jackknife_values, where=n_remaining > 0)
    return _average_of(sample, sums, m, jackknife_values)


def _label_samples(sample):
    """The binary `Sample` of each label with positives, one at a time to save memory."""
    for data in columns_of(sample.target):
        if data.positive.any():
            yield Sample.of(sample.metric, data, sample.clusters)


class _SumsOverLabels:
    """Sums over the labels, and the size of their smallest class.

    Each term of a sum is multiplied by the weight w_l of its label. The letters are those
    of the module's docstring. Before the first label the arrays are the number 0.

    Attributes
    ----------
    value : float
        The average A.
    influence, corrected : ndarray of shape (n_units,)
        d and c of each unit, yet without their term m.
    leverage : ndarray of shape (n_units,)
        The weighted mean of h_l of each unit.
    smallest_class : float
        Effective size of the smallest class of a label.
    """

    def __init__(self):
        self.value = self.influence = self.corrected = self.leverage = 0.0
        self.smallest_class = np.inf

    def add(self, label, w):
        """Add the binary `Sample` of a label with the weight `w`."""
        influence = influence_values_of(label, label.derivative)
        d, h = influence.values, influence.leverage
        self.value += w * label.value
        self.influence += w * d
        self.corrected += w * d / np.sqrt(1 - np.minimum(h, _MOST_LEVERAGE))
        self.leverage += w * h
        self.smallest_class = min(self.smallest_class, label.min_effective_class_size)


def _average_of(sample, sums, m, jackknife_values):
    """The `Average` of a `MultilabelSample` from its sums over the labels.

    `m` is what each unit changes through the weights of the labels, and `jackknife_values`
    are those of each sample.
    """
    value, influence = float(sums.value), sums.influence + m
    bias = (sample.n_samples - 1) * (jackknife_values.mean() - value)
    if sample.clusters is not None:
        # The bias so far is that of independent samples. With clusters it is larger, like
        # the variance, by the ratio of the variance between clusters to that between
        # samples.
        variance_of_samples = np.sum((jackknife_values - value) ** 2) or 1.0
        bias *= np.sum((influence - influence.mean()) ** 2) / variance_of_samples
    return Average(
        value=value,
        bias=float(bias),
        influence=influence,
        corrected=sums.corrected + m,
        jackknife_values=jackknife_values,
        n_effective=max(1 / sums.leverage.max(), sums.smallest_class),
        is_clustered=sample.clusters is not None,
    )


def _jackknife_values(label):
    """The value of a label without each sample, from the binary `Sample` of the label.

    Without the only positive there is no value. Leaving out a sample with leverage h lowers
    the value by about d / (1 - h), where d is the derivative. The only positive, whose h is
    1, gets the leverage `_MOST_LEVERAGE`. Without the only negative the value is 1.
    """
    by_segment = leave_one_out(label.roc, label.metric.name)
    values = label.of_segments(by_segment)
    if label.roc.n_pos == 1:
        only = label.data.positive
        values[only] = label.value - label.derivative[only] / (1 - _MOST_LEVERAGE)
    return values


def _satterthwaite(influence, n_effective):
    """Degrees of freedom of the squares of influence values; at most `n_effective` - 1."""
    return standard_error_and_df([_alone(influence)], 0.0, n_effective)[1]


def _alone(influence):
    """The `InfluenceValues` of units with leverage 0, because it is corrected per label."""
    n, leverage = (np.broadcast_to(x, len(influence)) for x in (1, 0.0))
    return InfluenceValues(influence, n, leverage)


def _n_ranked_differently_for_a_label(first, second):
    """Number of samples that two scores rank differently for any label."""
    ranks = [map(_unseen.midranks, s.target.score.T) for s in (first, second)]
    return np.count_nonzero(np.any([a != b for a, b in zip(*ranks, strict=True)], axis=0))


def _by_averages(first, second, options, n_different):
    """The `Difference` of two averages over labels of the same samples.

    For independent samples the standard error is that of the jackknife, and with clusters
    that of the influence values. `n_different` returns the number of samples that the
    scores of any label rank differently.
    """
    values = first.value, second.value
    if not first.has_spread:
        return by_t_test(values, np.nan, 0.0, options)
    if first.is_clustered:
        corrected = first.corrected - second.corrected
        influence = first.influence - second.influence
        error = np.sqrt(np.sum(corrected**2))
    else:
        differences = first.jackknife_values - second.jackknife_values
        influence = differences - differences.mean()
        error = np.sqrt(np.sum(influence**2) * (1 - 1 / len(influence)))
    error, n = zero_if_rounding(float(error), max(values)), first.n_effective
    df, lost = _satterthwaite(influence, n), n * (2 - sum(values))
    weight = _unseen.weight_of_unseen([_alone(influence)], error, df, lost)
    unseen = _unseen.paired_error(weight, n, float, n_different)
    error, df = _unseen.combined(error, df, unseen, n)
    return by_t_test(values, error, df, options)
