"""Intervals and tests of a metric that is averaged over classes or labels.

With the value A_l and the weight w_l of each label l, the average is

    A = sum of w_l A_l over the labels.

- macro: w_l = 1 / L for each of L labels.
- weighted: w_l = P_l / P, if P_l of all P positives are positives of label l.
- micro: the metric of all entries as one binary problem, in which the entries of a sample
  are a cluster (`MultilabelSample.entries`). It has the interval and test of that problem.

The interval of a macro or weighted average is built from the intervals of its labels. (The
standard error of a rare label is small where its value is small, so the standard error of
the average alone does not tell how far the average may be from the truth. The beta limits
of the label do.)

The values of all labels depend on the same *units* (samples or, with clusters, clusters).
The direction e_l of a label is the vector of its influence values of the units, divided by
its length. So labels add up as far as they depend on the same units:

    SE = |sum of a_l e_l + m|,    a_l = w_l SE_l,

where SE_l is the standard error of the label, and |x| the length of a vector. m is what a
unit changes through the weights of a weighted average: P_l and P grow with the weight of a
sample, so that m is the sum of (A_l - A) / P over the labels that the sample has.

Of each label let W_l be w_l times the distance from its value to one of its beta limits,
and s_l = w_l t_l SE_l, at most w_l times half of the width of its interval, where t_l is
its quantile of the t distribution. W_l^2 - s_l^2 is the part of the skewness, which a mean
of many labels has less of. The distance R from A to its limit is the solution of

    R^2 = S^2 + h R,    S = SE sqrt((sum of s_l^2 + z^2 |m|^2) / (sum of a_l^2 + |m|^2)),
    h = c max of (W_l^2 - s_l^2) / W_l,    c = |sum of w_l e_l|^2 / sum of w_l^2,

where z is the normal quantile. For one label, or copies of one label, R is W. For equal
perfect labels without common units, R is W_l, as the exact limit of all their samples is.

The values of labels with few positives are too high (`_bias`), all in the same direction.
Their own limits allow for this bias, but R is shorter than the mean of their distances. So
the share 1 - SE / sum of a_l of the bias of the average moves the limit that it would make
unsafe, and leaves the estimate as it is (the *guard*).

The difference A - B of two averages has the same standard error and the same guard, where
SE_l is that of the difference of both values of the label, e_l is the direction of the
difference of their influence values, and the biases and m are subtracted. Its limits have
the distance S, where s_l is w_l t_l SE_l, at most w_l times the distance of the limits of
both values if they are independent (MOVER; `limits.mover_limits`).
"""

from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri
from sklearn.exceptions import UndefinedMetricWarning

from .._inference.differences import Difference, pvalue_of_tail, tail_by_inversion
from .._inference.doubts import (
    NO_SPREAD,
    Doubt,
    doubts_of_clusters,
    doubts_of_interval,
    doubts_of_ranking,
    no_spread,
)
from .._inference.limits import Proportion, confidence_interval, t_quantile
from .._inference.standard_error import (
    InfluenceValues,
    influence_values_of,
    standard_error_and_df,
)
from .._inference.unseen import combined, paired_error, weight_of_unseen
from .._input.labels import BinaryData, MultilabelData
from .._input.options import listed
from ..metrics._averaging import columns_of
from ..metrics._table import MetricWithOptions
from ..results import AucPRComparisonResult, AucPRIntervalResult
from ._bias import bias_of
from ._samples import AreaSample

# The average itself is too high if its bias exceeds this share of the standard error.
_LARGE_BIAS = 0.5
# The tails of two-sided intervals of levels from 0.5 to 0.999.
_USUAL_TAILS = 0.25, 0.1, 0.05, 0.025, 0.005, 0.0005
# Influence values whose length is up to this number are rounding errors of 0.
_ROUNDING = 1e-14
# The value of a label whose spread is unknown is anything from 0 to 1, and has at most this
# standard error.
_LARGEST_ERROR = 0.5


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
    is_grouped : bool
        Whether samples have clusters, even if each of them is a cluster of its own.
    """

    metric: MetricWithOptions
    target: MultilabelData
    average: str
    clusters: np.ndarray | None
    is_grouped: bool

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
        return _average_of(self)

    @cached_property
    def entries(self):
        """The binary `AreaSample` of all entries; those of one sample are a cluster."""
        units = np.arange(self.n_samples) if self.clusters is None else self.clusters
        data = BinaryData(self.target.positive.ravel(), self.target.score.ravel())
        clusters = np.repeat(units, len(self.n_positive))
        return AreaSample.of(self.metric, data, clusters, self.is_grouped)

    @property
    def n_units(self):
        """Number of samples or, with clusters, of clusters."""
        return self.n_samples if self.clusters is None else int(self.clusters.max()) + 1

    @property
    def influence(self):
        """Influence value of each unit on the average."""
        if self.average == "micro":
            return self.entries.influence
        return self.averaged.influence

    def per_unit(self, values):
        """Sums of the values of the samples of each unit."""
        if self.clusters is None:
            return values
        return np.bincount(self.clusters, weights=values)

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
            "n_clusters": self.n_units if self.is_grouped else None,
            "average": self.average,
            "n_labels": len(self.n_positive),
            **self.metric.fields(),
            **options.fields(),
        }

    def interval(self, options):
        """The `AucPRIntervalResult` of the average."""
        fields = self.common_fields(options)
        if self.average == "micro":
            return replace(self.entries.interval(options), **fields)
        if self.undefined:
            return AucPRIntervalResult(**fields, df=None, bias=np.nan)
        average = self.averaged
        ends = average.limits(options.tail)
        return AucPRIntervalResult(
            **fields,
            estimate=average.value,
            standard_error=average.standard_error,
            confidence_interval=confidence_interval(ends, options.alternative, 0.0, 1.0),
            df=None,
            bias=average.bias,
        )

    def difference(self, other, options, names):
        """The `AucPRComparisonResult` of two averages over the same labels."""
        fields = self.common_fields(options) | {"names": names}
        if self.average == "micro":
            difference = self.entries.difference(other.entries, options, names)
            return replace(difference, **fields)
        if self.undefined:
            return AucPRComparisonResult(**fields, statistic=None, df=None)
        difference = _difference_of_averages(self.averaged, other.averaged, options)
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
            yield from self._doubts_of_rare_labels()

    def _doubts_of_rare_labels(self):
        """The doubt of labels whose own interval is [0, 1]."""
        is_known = self.averaged.is_spread_known
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

    def own_doubts(self, what, method):
        """The doubts of the scores of labels, and of a value that is too high."""
        if self.undefined:
            return
        if self.average == "micro":
            yield from self.entries.own_doubts(what, method)
            return
        average = self.averaged
        for name, label in zip(self._label_names, average.labels, strict=True):
            yield from (doubt.about(f"Label {name!r}") for doubt in label.doubts)
        bias, error = average.bias, average.standard_error
        # Where no sample has an influence, the bias is a rounding error.
        if abs(bias) > _LARGE_BIAS * error > 0:
            yield Doubt(
                "Bias of an average over labels",
                f"The value itself is about {abs(bias):.1g} too "
                f"{'high' if bias > 0 else 'low'}, because some labels have few positives.",
                UserWarning,
            )

    @property
    def _label_names(self):
        """The labels that have positives, which are those of the average."""
        return [
            label
            for label, n in zip(self.target.labels, self.n_positive, strict=True)
            if n > 0
        ]

    def doubts_of_pair(self, other, pair):
        """The doubts of a pair: of micro averages those of their entries."""
        if self.undefined or self.average != "micro":
            return ()
        return self.entries.doubts_of_pair(other.entries, pair)


class _Label(NamedTuple):
    """A label of an average.

    Attributes
    ----------
    proportion : Proportion
        Its value, which has limits.
    influence : InfluenceValues
        Those of the units on its value.
    positives : ndarray of shape (n_units,)
        Number of positives of each unit.
    bias : float
        How much its value is too high.
    doubts : list of Doubt
        Those of its scores and of its classes.
    """

    proportion: Proportion
    influence: InfluenceValues
    positives: np.ndarray
    bias: float
    doubts: list[Doubt]


@dataclass(frozen=True)
class Average:
    """A metric averaged over labels, with what its limits and tests need.

    The letters in parentheses are those of the docstring of this module.

    Attributes
    ----------
    labels : list of _Label
    weights : ndarray of shape (n_labels,)
        Weights of the labels (w); they add up to 1.
    values : ndarray of shape (n_labels,)
        The value of each label.
    bias : float
        How much the average is too high.
    through_weights : ndarray of shape (n_units,), or 0.0
        What each unit changes through the weights of the labels (m).
    """

    labels: list[_Label]
    weights: np.ndarray
    values: np.ndarray
    bias: float
    through_weights: np.ndarray | float

    @property
    def value(self):
        """The average (A)."""
        return float(self.weights @ self.values)

    @cached_property
    def is_spread_known(self):
        """Whether each label has more than one unit of each class."""
        n_smaller = [label.proportion.min_effective_class_size for label in self.labels]
        return np.array(n_smaller) > NO_SPREAD

    @property
    def has_spread(self):
        """Whether the spread of any label is known."""
        return self.is_spread_known.any()

    @property
    def influence(self):
        """Influence value of each unit."""
        of_labels = np.array([label.influence.values for label in self.labels])
        return self.weights @ of_labels + self.through_weights

    @cached_property
    def directions(self):
        """The direction (e) of each label, shape (n_labels, n_units)."""
        influence = [label.influence.values for label in self.labels]
        return _directions(influence, self.labels)[0]

    @cached_property
    def label_errors(self):
        """Standard error of each label, and its degrees of freedom."""
        of_labels = [label.proportion for label in self.labels]
        errors, df = np.array([(each.standard_error, each.df) for each in of_labels]).T
        return np.where(self.is_spread_known, errors, _LARGEST_ERROR), df

    @cached_property
    def standard_error(self):
        """Standard error of the average; NaN if the spread of no label is known."""
        if not self.has_spread:
            return np.nan
        errors, _ = self.label_errors
        return _length(self.weights * errors, self.directions, self.through_weights)

    @cached_property
    def overlap(self):
        """How much the labels depend on the same units (c): 1 if not at all."""
        length = _length(self.weights, self.directions)
        return length**2 / np.sum(self.weights**2)

    @cached_property
    def label_limits(self):
        """The function `_label_limits`, computed once for each tail."""
        return cache(self._label_limits)

    def _label_limits(self, tail):
        """Lower and upper limits of each label, shape (2, n_labels)."""
        limits = [label.proportion.limits(tail) for label in self.labels]
        return np.clip(limits, 0.0, 1.0).T

    def limits(self, tail):
        """Limits of the average."""
        if not self.has_spread:
            return -np.inf, np.inf
        # With few samples a distance may be shorter than at a lower level, because the
        # limits of a label cannot move beyond 0 and 1. The longest one makes intervals of
        # the usual levels contain each other.
        tails = [tail, *(usual for usual in _USUAL_TAILS if usual > tail)]
        distances = np.max([self._distances(each) for each in tails], axis=0)
        errors = self.weights * self.label_errors[0]
        return _guarded(self.value, distances, self.bias, errors, self.standard_error)

    def _distances(self, tail):
        """Distances (R) of both limits from the average."""
        tail = min(tail, 0.5)  # beyond 1/2 distances would be negative
        low, high = self.label_limits(tail)
        errors, df = self.label_errors
        spread = np.minimum(_t_quantiles(df, tail) * errors, (high - low) / 2)
        spread, errors = self.weights * spread, self.weights * errors
        total = self.standard_error * _multiple(spread, errors, self.through_weights, tail)
        far = self.weights * np.array([self.values - low, high - self.values])
        # A distance of 0 has no skewness.
        skewness = np.full(far.shape, -np.inf)
        np.divide(far**2 - spread**2, far, out=skewness, where=far > 0)
        most = self.overlap * np.where((far > 0).any(axis=1), skewness.max(axis=1), 0.0)
        return (most + np.hypot(most, 2 * total)) / 2


def _average_of(sample):
    """The `Average`, macro or weighted, of a `MultilabelSample`."""
    # A label is read at a time, and its sorted scores are not kept, to save memory.
    labels = [
        _label_of(sample, data) for data in columns_of(sample.target) if data.positive.any()
    ]
    n_positive = sample.n_positive[sample.n_positive > 0]
    weights = np.full(len(labels), 1 / len(labels))
    if sample.average == "weighted":
        weights = n_positive / n_positive.sum()
    values = np.array([label.proportion.value for label in labels])
    through_weights, bias_of_weights = 0.0, 0.0
    if sample.average == "weighted":
        through_weights, bias_of_weights = _of_weights(labels, weights, values)
    bias = float(weights @ [label.bias for label in labels]) + bias_of_weights
    return Average(labels, weights, values, bias, through_weights)


def _label_of(sample, data):
    """The `_Label` of the `BinaryData` of one label of a `MultilabelSample`."""
    label = AreaSample.of(sample.metric, data, sample.clusters, sample.is_grouped)
    influence = influence_values_of(label, label.derivative)
    bias = bias_of(label.roc, label.metric.name)
    if sample.clusters is not None:
        # This bias is that of independent samples. Like the variance, it is larger by the
        # ratio of the variance between clusters to that between samples.
        of_samples = np.sum(label.derivative**2) or 1.0
        bias *= float(np.sum(influence.values**2) / of_samples)
    return _Label(
        # Without a recall range, the loss is the share. The loss of `label` would keep its
        # ROC curve.
        label.proportion._replace(loss=float),
        influence,
        sample.per_unit(data.positive),
        bias,
        # That few samples determine the standard error of a label is common among many
        # labels, and no reason to doubt their average.
        [*doubts_of_clusters(label), *doubts_of_ranking(label), *doubts_of_interval(label)],
    )


def _of_weights(labels, weights, values):
    """What each unit changes through the weights of a weighted average, and the bias.

    A unit with many positives of a label raises both the value and the weight of the label.
    The bias is the sum of these products over the units, to the second order in the
    weights.
    """
    positives = np.array([label.positives for label in labels], dtype=np.float64)
    influence = np.array([label.influence.values for label in labels])
    n_positive, n_of_unit = positives.sum(), positives.sum(axis=0)
    through_weights = (values - weights @ values) @ positives / n_positive
    products = np.sum(influence * positives)
    products -= n_of_unit @ (weights @ influence + through_weights)
    return through_weights, float(products / n_positive)


def _directions(influence, labels):
    """Vectors of length 1 with the directions of influence values of the labels.

    And whether each label has them. Where no unit has an influence, as on a perfect
    ranking, the direction is that of the positives that are not seen, and would lower the
    value.
    """
    directions = np.array(influence)
    lengths = np.linalg.norm(directions, axis=1)
    is_seen = lengths > _ROUNDING
    for k in np.flatnonzero(~is_seen):
        directions[k] = -1.0 * labels[k].positives
        lengths[k] = np.linalg.norm(directions[k])
    directions /= lengths[:, np.newaxis]
    return directions, is_seen


def _length(distances, directions, added=0.0):
    """Length of the sum of distances in their directions, plus another vector."""
    return float(np.linalg.norm(distances @ directions + added))


def _multiple(spread, errors, through_weights, tail):
    """The mean multiple of the standard errors of the labels that their spread is.

    What units change through the weights of the labels has the normal quantile.
    """
    added = np.sum(np.square(through_weights))
    whole = np.sum(errors**2) + added
    return np.sqrt((np.sum(spread**2) + ndtri(tail) ** 2 * added) / (whole or 1.0))


def _guarded(value, distances, bias, errors, error):
    """Limits at two distances from a value, of which its bias moves one (the guard).

    `errors` are the standard errors of the labels times their weights, and `error` is that
    of the average.
    """
    # The limits of the labels allow for the other part of the bias.
    guard = bias * max(1 - error / (errors.sum() or 1.0), 0.0)
    # If the value is too high, the lower limit is too high as well, so it is lowered; the
    # upper limit is safe and stays. If the value is too low, the upper limit is raised.
    below, above = distances
    return value - max(guard, 0.0) - below, value - min(guard, 0.0) + above


def _t_quantiles(df, tail):
    """The quantile of the t distribution for each of several degrees of freedom."""
    return np.array([t_quantile(each, tail) for each in df])


def _difference_of_averages(first, second, options):
    """The `Difference` of two averages over the labels of the same samples."""
    values = first.value, second.value
    if not first.has_spread:
        return Difference(values, np.nan)
    pairs = [*zip(first.labels, second.labels, strict=True)]
    influence = [a.influence.values - b.influence.values for a, b in pairs]
    errors = [_paired_error(a, b, d) for (a, b), d in zip(pairs, influence, strict=True)]
    errors, df = np.array(errors).T
    through_weights = first.through_weights - second.through_weights
    directions, is_seen = _directions(influence, first.labels)
    weighted = first.weights * errors
    # Both scores may be the worse one for samples that are not seen. So these samples have
    # no covariance with those that are seen.
    error = np.hypot(
        _length(weighted * is_seen, directions, through_weights),
        _length(weighted * ~is_seen, directions),
    )
    difference, bias = values[0] - values[1], first.bias - second.bias

    def limits(tail, has_caps=True):
        """Limits of the difference that miss it with probability `tail` on each side."""
        tail = min(tail, 0.5)
        spread = _t_quantiles(df, tail) * errors
        at_most = _independent_distances(first, second, tail) if has_caps else [np.inf] * 2
        distances = [
            error
            * _multiple(
                first.weights * np.minimum(spread, most), weighted, through_weights, tail
            )
            for most in at_most
        ]
        return _guarded(difference, distances, bias, weighted, error)

    # The caps are seldom shorter, and take most of the time.
    without_caps = partial(limits, has_caps=False)
    tail = tail_by_inversion(difference, without_caps)
    if limits(tail) != without_caps(tail):
        tail = tail_by_inversion(difference, limits)
    pvalue = pvalue_of_tail(tail, difference, options.alternative)
    return Difference(values, error, limits(options.tail), pvalue)


def _independent_distances(first, second, tail):
    """Distances of the limits of the difference of each label if scores are independent."""
    (low_a, high_a), (low_b, high_b) = first.label_limits(tail), second.label_limits(tail)
    a, b = first.values, second.values
    return np.hypot(a - low_a, high_b - b), np.hypot(high_a - a, b - low_b)


def _paired_error(first, second, influence):
    """Standard error of the difference of two scores of one label, and its df."""
    n = first.proportion.min_effective_class_size
    if n <= NO_SPREAD:  # the difference may be anything
        return 2 * _LARGEST_ERROR, 0.0
    values = first.proportion.value, second.proportion.value
    parts = [first.influence._replace(values=influence)]
    error, df = standard_error_and_df(parts, max(values), n)
    weight = weight_of_unseen(parts, error, df, n * (2 - sum(values)))
    unseen = paired_error(weight, n, float)
    return combined(error, df, unseen, n)
