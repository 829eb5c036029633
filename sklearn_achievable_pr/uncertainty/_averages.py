"""Intervals and tests of a metric that is averaged over classes or labels.

The values of all labels depend on the same samples. So the influence of a sample on the
average is the sum of its influences on the labels, each times the weight of the label, and
independence is that of samples (or clusters), never of labels.

The values of labels with few positives are too high, all in the same direction, while the
standard error of their mean falls with the number of labels. The interval of the mean would
therefore lie too high. The jackknife's estimate of this bias moves the limit that it makes
unsafe, and leaves the estimate as it is (the *guard*).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._input.arrays import as_array
from .._input.labels import BinaryData, MultilabelData, check_binary_or_labels
from .._input.options import AVERAGES, check_option, listed
from .._input.undefined import warn_undefined
from ..metrics._averaging import columns_of
from ..metrics._jackknife import leave_one_out
from ..metrics._table import MetricWithOptions
from . import _checks, _limits
from ._differences import by_t_test
from ._inference import comparison as comparison_of_samples
from ._inference import interval as interval_of_sample
from ._limits import Proportion
from ._standard_error import (
    InfluenceValues,
    Sample,
    influence_values_of,
    standard_error_and_df,
    zero_if_rounding,
)
from ._validity import NO_SPREAD, warn_no_spread

# Averages and metrics whose intervals were simulated.
_AVERAGES = ("macro", "weighted", "micro")
_METRICS = ("auc_pr_interpolated", "aucnpr", "average_precision")
_METHODS = ("beta", "influence")
# The average itself is too high if its bias exceeds this share of the standard error.
_LARGE_BIAS = 0.5
# Of the smallest class, at most this share is taken as that of one unit: a label with one
# positive has no spread of its own, and its correction would be infinite.
_MOST_SHARE = 0.5


def check_samples(metric, y_true, scores, average, design, options):
    """The `LabelSample` of each score, or None if the scores are of one binary label.

    Scores of several labels have one column per label. Options that were not simulated for
    these raise.

    Parameters
    ----------
    metric : MetricWithOptions
    y_true : array-like
    scores : dict of str to array-like
        By the names of their arguments.
    average : str
    design : Design
    options : Options

    Returns
    -------
    list of LabelSample, or None
    """
    if average in AVERAGES and average not in _AVERAGES:
        raise ValueError(
            f"`average` must be one of {_AVERAGES} here. Got {average!r}: compute values "
            "per label or sample with `auc_pr_interpolated`, or the interval of one label "
            "at a time, `y_true[:, i], y_score[:, i]`."
        )
    check_option(average, "average", _AVERAGES)
    if not any(_has_columns(score, name) for name, score in scores.items()):
        return None
    not_simulated = {
        f"`metric`={metric.name!r}": metric.name not in _METRICS,
        f"`method`={options.method!r}": options.method not in _METHODS,
        "`sample_weight`": design.sample_weight is not None,
        "`recall_range`": (metric.low, metric.high) != (0.0, 1.0),
        "`prevalence`": metric.prevalence is not None,
    }
    found = [name for name, is_used in not_simulated.items() if is_used]
    if found:
        raise ValueError(
            f"Averages over labels have no interval with {' and '.join(found)}: its "
            f"coverage is not known. Leave it out (`metric` can be one of {_METRICS}), or "
            "pass one label at a time, `y_true[:, i], y_score[:, i]`."
        )
    targets = [
        check_binary_or_labels(y_true, score, design.pos_label, None, name)
        for name, score in scores.items()
    ]
    # Every label has its samples: those of one column are as good as any.
    clusters = _checks.check_clusters(targets[0].positive[:, 0], design)
    return [LabelSample(metric, target, average, clusters) for target in targets]


def _has_columns(score, name):
    """Whether scores have several columns; a list of arrays of labels raises."""
    if isinstance(score, Sequence) and len(score) and np.ndim(score[0]) == 2:
        raise ValueError(
            f"`{name}` must be one array with one column per label. Got a list of "
            f"{len(score)} arrays, as `predict_proba` of several outputs returns. Pass "
            f"`np.column_stack([p[:, 1] for p in {name}])`."
        )
    shape = getattr(score, "shape", None)
    if shape is None:
        is_table = isinstance(score, Sequence) and len(score) and np.ndim(score[0]) == 1
        shape = as_array(score, name).shape if is_table else ()
    return len(shape) == 2 and shape[1] > 1


@dataclass(frozen=True)
class LabelSample:
    """A metric averaged over labels, checked samples and their sampling design.

    Attributes
    ----------
    metric : MetricWithOptions
    target : MultilabelData
        Without weights.
    average : {"macro", "weighted", "micro"}
    clusters : ndarray of int64, shape (n_samples,), or None
        Index of the cluster of each sample. None: samples are independent.
    """

    metric: MetricWithOptions
    target: MultilabelData
    average: str
    clusters: np.ndarray | None

    @cached_property
    def n_positive(self):
        """Number of positives of each label."""
        return np.count_nonzero(self.target.positive, axis=0)

    @cached_property
    def averaged(self):
        """The `Average`, macro or weighted."""
        return _average_of(self)

    @cached_property
    def of_entries(self):
        """The `Sample` of all entries of all labels; those of one sample are a cluster."""
        n_samples, n_labels = self.target.positive.shape
        units = np.arange(n_samples) if self.clusters is None else self.clusters
        data = BinaryData(self.target.positive.ravel(), self.target.score.ravel())
        roc = self.metric.roc_of(data, with_order=True)
        return Sample(self.metric, data, roc, np.repeat(units, n_labels))

    @cached_property
    def lacks_class(self):
        """Whether the average is undefined, because a label lacks a class; if so, warn.

        A label without positives has the weight 0 in the weighted average.
        """
        n_pos, n_samples = self.n_positive, len(self.target.positive)
        if self.average == "micro":
            n_pos, n_samples = n_pos.sum(keepdims=True), self.target.positive.size
        no_positive, no_negative = n_pos == 0, n_pos == n_samples
        if self.average == "weighted" and n_pos.any():
            no_positive = np.zeros_like(no_positive)
        lacking = np.flatnonzero(no_positive | no_negative)
        if not len(lacking):
            return False
        first, n_others = lacking[0], len(lacking) - 1
        missing = "positive" if no_positive[first] else "negative"
        label = (
            "" if self.average == "micro" else f" of label {self.target.labels[first]!r}"
        )
        more = f" {n_others} more labels lack a class." if n_others else ""
        warn_undefined(
            f"No {missing} samples{label} in `y_true`: the average over the labels is "
            f"undefined.{more} Leave such labels out, or pass more samples."
        )
        return True

    def fields(self, options):
        """What was averaged, and by which options, as fields of a result."""
        n_samples, n_labels = self.target.positive.shape
        return {
            "n_samples": n_samples,
            "n_positive": tuple(self.n_positive.tolist()),
            "n_clusters": None if self.clusters is None else int(self.clusters.max()) + 1,
            "average": self.average,
            "n_labels": n_labels,
            **self.metric.fields(),
            **options.fields(),
        }


@dataclass(frozen=True)
class Average:
    """A metric averaged over labels, with what its limits and tests need.

    A *unit* is an independent observation: a sample or, with clusters, a whole cluster.

    Attributes
    ----------
    value : float
        The average.
    bias : float
        The jackknife's estimate of how much the value is too high.
    influence : ndarray of shape (n_units,)
        Derivative of the average by the weight of each unit.
    corrected : ndarray of shape (n_units,)
        The influence with the leverage correction HC2 of each label; the sum of its squares
        is the squared standard error.
    without : ndarray of shape (n_samples,)
        The average without each sample.
    n_effective : float
        The number of units that counts: those of the smaller class of the rarest label or,
        where more, the inverse of the largest mean share of one unit.
    is_clustered : bool
        Whether units are clusters.
    """

    value: float
    bias: float
    influence: np.ndarray
    corrected: np.ndarray
    without: np.ndarray
    n_effective: float
    is_clustered: bool

    def proportion(self, value):
        """A value with the standard error of the average."""
        error, df = np.nan, 0.0
        if self.n_effective > NO_SPREAD:
            error = zero_if_rounding(float(np.sqrt(np.sum(self.corrected**2))), self.value)
            df = _satterthwaite(self.influence, self.n_effective)
        return Proportion(value, error, df, self.n_effective, 1.0)


def _average_of(labels):
    """The `Average` of a `LabelSample`, label after label; each has both classes."""
    metric, target, clusters = labels.metric, labels.target, labels.clusters
    n_pos, is_weighted = labels.n_positive, labels.average == "weighted"
    shares = n_pos / n_pos.sum() if is_weighted else np.full(len(n_pos), 1 / len(n_pos))
    n_samples = len(target.positive)
    value, n_effective = 0.0, np.inf
    influence = corrected = unit_share = 0.0
    # Sums over the labels of each sample: leave-one-out values with their weights, the
    # values of its own labels, and the number of these.
    without, of_weights, of_own, n_own = np.zeros((4, n_samples))
    for data, label_share in zip(columns_of(target), shares, strict=True):
        if label_share == 0:
            continue
        roc = metric.roc_of(data, with_order=True)
        sample = Sample(metric, data, roc, clusters)
        values, _, share = influence_values_of(sample, sample.derivative)
        value += label_share * sample.value
        influence = influence + label_share * values
        corrected = corrected + label_share * values / np.sqrt(
            1 - np.minimum(share, _MOST_SHARE)
        )
        unit_share = unit_share + label_share * share
        n_effective = min(n_effective, sample.min_effective_class_size)
        weight = roc.n_pos - data.positive if is_weighted else 1.0
        without += weight * _without_each(sample)
        of_weights += weight
        of_own += data.positive * sample.value
        n_own += data.positive
    without /= of_weights
    if is_weighted:  # the weights of the labels are counts of samples, too
        moved = (of_own - value * n_own) / n_pos.sum()
        moved = moved if clusters is None else np.bincount(clusters, moved)
        influence, corrected = influence + moved, corrected + moved
    bias = (n_samples - 1) * (without.mean() - value)
    if clusters is not None:  # the bias grows as the variance does
        of_samples = np.sum((without - value) ** 2) or 1.0
        bias *= np.sum((influence - influence.mean()) ** 2) / of_samples
    return Average(
        float(value),
        float(bias),
        influence,
        corrected,
        without,
        max(1 / unit_share.max(), n_effective),
        clusters is not None,
    )


def _without_each(sample):
    """The metric without each sample.

    The only positive cannot be left out; there the value is that of its influence twice.
    """
    by_segment = leave_one_out(sample.roc, sample.metric.name)
    found = sample.of_segments(by_segment)
    if sample.roc.n_pos == 1:
        only = sample.data.positive
        found[only] = sample.value - 2 * sample.derivative[only]
    return found


def _satterthwaite(influence, n_effective):
    """Degrees of freedom of the squares of influence values; at most `n_effective` - 1."""
    alone = np.broadcast_to(1, len(influence)), np.broadcast_to(0.0, len(influence))
    return standard_error_and_df([InfluenceValues(influence, *alone)], 0.0, n_effective)[1]


def interval(sample, options):
    """Fields of the `AucPRIntervalResult` of an average over labels, as a dict."""
    described = sample.fields(options)
    if sample.lacks_class:
        return described | {"bias": np.nan}
    if sample.average == "micro":
        return interval_of_sample(sample.of_entries, options) | described
    found = sample.averaged
    at_low = found.proportion(found.value - max(found.bias, 0.0))
    at_high = found.proportion(found.value - min(found.bias, 0.0))
    if np.isnan(at_low.standard_error):
        warn_no_spread("all positive samples of all labels are one sample or group")
    ends = at_low.beta_limits(options.tail)[0], at_high.beta_limits(options.tail)[1]
    return described | {
        "estimate": found.value,
        "standard_error": at_low.standard_error,
        "confidence_interval": _limits.confidence_interval(
            *ends, options.alternative, 0.0, 1.0
        ),
        "df": at_low.df,
        "bias": found.bias,
    }


def comparison(first, second, options):
    """Fields of the `AucPRComparisonResult` of two averages over labels, as a dict."""
    described = first.fields(options)
    if first.lacks_class:
        return described
    if first.average == "micro":
        return (
            comparison_of_samples(first.of_entries, second.of_entries, options) | described
        )
    found = _by_averages(first.averaged, second.averaged, options)
    return described | found.fields(first.metric, options.alternative)


def _by_averages(first, second, options):
    """The `Difference` of two averages over labels of the same samples.

    Of independent samples the standard error is that of the jackknife, with clusters that
    of the influence values.
    """
    values = first.value, second.value
    if first.n_effective <= NO_SPREAD:
        return by_t_test(values, np.nan, 0.0, options)
    if first.is_clustered:
        corrected = first.corrected - second.corrected
        influence = first.influence - second.influence
        error = np.sqrt(np.sum(corrected**2))
    else:
        without = first.without - second.without
        influence = without - without.mean()
        error = np.sqrt(np.sum(influence**2) * (1 - 1 / len(influence)))
    error = zero_if_rounding(float(error), max(values))
    return by_t_test(values, error, _satterthwaite(influence, first.n_effective), options)


def doubts(samples):
    """Pairs of a reason and a text that says why results of averages are not nominal.

    `samples` is a dict of `LabelSample` by the words that a text starts with.
    """
    first = next(iter(samples.values()))
    if first.lacks_class or first.average == "micro":
        return
    n_pos, labels = first.n_positive, first.target.labels
    fewest = np.minimum(n_pos, len(first.target.positive) - n_pos)
    if first.average == "weighted":  # a label without positives has the weight 0
        fewest = np.where(n_pos > 0, fewest, len(first.target.positive))
    rare = [labels[i] for i in np.flatnonzero(fewest == 1)]
    if rare:
        yield (
            "few samples",
            f"Labels with one positive or one negative sample: {listed(rare)}. Intervals "
            "may be too narrow and t tests may reject too often (coverage 0.92 of 0.95 and "
            "type I error 0.12 at 0.05 in simulations).",
        )
    for subject, sample in samples.items():
        bias, error = sample.averaged.bias, sample.averaged.proportion(0.0).standard_error
        if abs(bias) > _LARGE_BIAS * error:
            yield (
                "bias",
                f"{subject}The value itself is about {abs(bias):.1g} too "
                f"{'high' if bias > 0 else 'low'}: labels with few positives.",
            )
