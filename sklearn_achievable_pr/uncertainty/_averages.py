"""Limits and tests of macro and weighted averages over labels.

With the value A_l and the weight w_l of each label l, the average is

    A = sum of w_l A_l over the labels,

where w_l is 1 / L for each of L labels (macro), or P_l / P if P_l of all P positives are
positives of label l (weighted).

The interval of the average is built from the intervals of its labels. (The standard error
of a rare label is small where its value is small, so the standard error of the average
alone does not tell how far the average may be from the truth. The beta limits of the label
do.)

The values of all labels depend on the same *units* (samples or, with clusters, clusters).
The direction e_l of a label is the vector of its influence values of the units, divided by
its length. So labels add up as far as they depend on the same units:

    SE = |sum of a_l e_l + m|,    a_l = w_l SE_l,

where SE_l is the standard error of the label, and |x| the length of a vector. m is what a
unit changes through the weights of a weighted average: P_l and P grow with the weight of a
sample, so that m is the sum of (A_l - A) / P over the labels that the sample has. It is 0
for a macro average.

Of each label let W_l be w_l times the distance from its value to one of its beta limits,
and s_l = w_l t_l SE_l, at most w_l times half of the width of its interval, where t_l is
its quantile of the t distribution. W_l^2 - s_l^2 is the part of the skewness, which a mean
of many labels has less of. The distance R from A to its limit is the solution of

    R^2 = S^2 + h R,    S = SE sqrt((sum of s_l^2 + z^2 |m|^2) / (sum of a_l^2 + |m|^2)),
    h = c max of (W_l^2 - s_l^2) / W_l,    c = |sum of w_l e_l|^2 / sum of w_l^2,

where z is the normal quantile. For one label, or copies of one label, R is W. For equal
perfect labels (their SE_l is 0) without common units, R is W_l, as the exact limit of all
their samples is.

The values of labels with few positives are too high (`_bias`), all in the same direction.
Their own limits allow for this bias, but R is shorter than the mean of their distances. So
the share 1 - SE / sum of a_l of the bias of the average moves the limit that it would make
unsafe, and leaves the estimate as it is (the *guard*).

The difference A - B of two averages has the same guard. SE_l is that of the difference of
both values of the label, e_l is the direction of the difference of their influence values,
and the biases and m are subtracted. Let U be the labels for which both scores have the same
influence values. Their differences depend on samples that are not seen, which have no
covariance with those that are seen, so that

    SE^2 = |m + sum of a_l e_l over the labels not in U|^2 + |sum of a_l e_l over U|^2.

The limits have the distance S, where s_l is w_l t_l SE_l, at most w_l times the distance of
the limits of both values if they are independent (MOVER; `limits.mover_limits`).
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from .._inference.differences import Difference, pvalue_of_tail, tail_by_inversion
from .._inference.estimates import Estimate, error_of_difference
from .._inference.limits import t_quantile
from .._inference.standard_error import InfluenceValues

# The tails of two-sided intervals of levels from 0.5 to 0.999.
_USUAL_TAILS = 0.25, 0.1, 0.05, 0.025, 0.005, 0.0005
# Influence values whose length is up to this number are rounding errors of 0.
_ROUNDING = 1e-14
# The value of a label whose spread is unknown is anything from 0 to 1, and has at most this
# standard error.
_LARGEST_ERROR = 0.5


class LabelEstimate(NamedTuple):
    """The metric of a label, and what its average with other labels needs.

    Attributes
    ----------
    estimate : Estimate
    influence : InfluenceValues
        Those of the units on its value.
    positives : ndarray of shape (n_units,)
        Number of positives of each unit.
    bias : float
        How much its value is too high.
    """

    estimate: Estimate
    influence: InfluenceValues
    positives: np.ndarray
    bias: float


class WeightedSum(NamedTuple):
    """A weighted sum of the values of labels, or of the differences of two such values.

    The letters in parentheses are those of the docstring of this module.

    Attributes
    ----------
    value : float
        The sum (A, or A - B).
    standard_error : float
        Its standard error (SE).
    bias : float
        How much it is too high.
    weights, errors, df : ndarray of shape (n_labels,)
        Weight (w), standard error (SE_l) and degrees of freedom of each label.
    through_weights : ndarray of shape (n_units,), or 0.0
        What each unit changes through the weights of the labels (m).
    """

    value: float
    standard_error: float
    bias: float
    weights: np.ndarray
    errors: np.ndarray
    df: np.ndarray
    through_weights: np.ndarray | float

    def spread(self, tail, most):
        """Weighted distance of the limits of each label (s): by a t quantile, and capped.

        `most` has the largest distances, without the weights.
        """
        t = np.array([t_quantile(df, tail) for df in self.df])
        return self.weights * np.minimum(t * self.errors, most)

    def distance(self, tail, s):
        """Distance of a limit from the sum (S), by the spread of its labels."""
        a, z = self.weights * self.errors, ndtri(tail)
        square_of_m = np.sum(np.square(self.through_weights))
        whole = np.sum(a**2) + square_of_m
        multiple = np.sqrt((np.sum(s**2) + z**2 * square_of_m) / (whole or 1.0))
        return self.standard_error * multiple

    def limits(self, below, above):
        """Limits at two distances from the sum, one of which the guard moves."""
        # The limits of the labels allow for the other part of the bias.
        of_labels = np.sum(self.weights * self.errors)
        guard = self.bias * max(1 - self.standard_error / (of_labels or 1.0), 0.0)
        # If the value is too high, the lower limit is too high as well, so it is lowered;
        # the upper limit is safe and stays. If the value is too low, the upper limit is
        # raised.
        low = self.value - max(guard, 0.0) - below
        return low, self.value - min(guard, 0.0) + above


@dataclass(frozen=True)
class Average:
    """A macro or weighted average over labels; letters are those of the module's docstring.

    Attributes
    ----------
    labels : list of LabelEstimate
    weights : ndarray of shape (n_labels,)
        Weights of the labels (w); they add up to 1.
    bias : float
        How much the average is too high.
    through_weights : ndarray of shape (n_units,), or 0.0
        What each unit changes through the weights of the labels (m).
    """

    labels: list[LabelEstimate]
    weights: np.ndarray
    bias: float
    through_weights: np.ndarray | float = 0.0
    # Limits of the labels, by the probability beyond each of them.
    _known: dict = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def macro(cls, labels):
        """The mean over the labels."""
        weights = np.full(len(labels), 1 / len(labels))
        return cls(labels, weights, float(weights @ [label.bias for label in labels]))

    @classmethod
    def weighted(cls, labels):
        """The average weighted by the positives of each label.

        A unit with many positives of a label raises both the value and the weight of the
        label. The sum of these products over the units, to the second order in the weights,
        is a bias.
        """
        positives = np.array([label.positives for label in labels], dtype=np.float64)
        influence = np.array([label.influence.values for label in labels])
        values = np.array([label.estimate.value for label in labels])
        n_positive, n_of_unit = positives.sum(), positives.sum(axis=0)
        w = positives.sum(axis=1) / n_positive
        m = (values - w @ values) @ positives / n_positive
        products = np.sum(influence * positives) - n_of_unit @ (w @ influence + m)
        bias = w @ [label.bias for label in labels] + products / n_positive
        return cls(labels, w, float(bias), m)

    @property
    def influence(self):
        """Influence value of each unit."""
        of_labels = np.array([label.influence.values for label in self.labels])
        return self.weights @ of_labels + self.through_weights

    @cached_property
    def values(self):
        """The value of each label (A_l)."""
        return np.array([label.estimate.value for label in self.labels])

    @property
    def value(self):
        """The average (A)."""
        return float(self.weights @ self.values)

    @cached_property
    def errors(self):
        """Standard error of each label (SE_l); NaN if its spread is unknown."""
        return np.array([label.estimate.standard_error for label in self.labels])

    @property
    def are_spreads_known(self):
        """Mask of the labels with more than one unit of each class."""
        return ~np.isnan(self.errors)

    @property
    def has_spread(self):
        """Whether the spread of any label is known."""
        return self.are_spreads_known.any()

    @cached_property
    def directions(self):
        """The direction (e) of each label, shape (n_labels, n_units)."""
        influence = [label.influence.values for label in self.labels]
        return _directions(influence, self.labels)[0]

    @property
    def standard_error(self):
        """Standard error of the average; NaN if the spread of no label is known."""
        return self.total.standard_error if self.has_spread else np.nan

    @cached_property
    def total(self):
        """The `WeightedSum` of the labels."""
        errors = np.where(self.are_spreads_known, self.errors, _LARGEST_ERROR)
        df = np.array([label.estimate.df for label in self.labels])
        a, m = self.weights * errors, self.through_weights
        error = _length(a, self.directions, m)
        return WeightedSum(self.value, error, self.bias, self.weights, errors, df, m)

    def label_limits(self, tail):
        """Lower and upper limits of each label, shape (2, n_labels)."""
        if tail not in self._known:
            limits = [label.estimate.limits(tail) for label in self.labels]
            self._known[tail] = np.clip(limits, 0.0, 1.0).T
        return self._known[tail]

    def limits(self, tail):
        """Limits of the average."""
        if not self.has_spread:
            return -np.inf, np.inf
        # With few samples a distance may be shorter than at a lower level, because the
        # limits of a label cannot move beyond 0 and 1. The longest one makes intervals of
        # the usual levels contain each other.
        tails = [tail, *(usual for usual in _USUAL_TAILS if usual > tail)]
        return self.total.limits(*np.max([self._distances(each) for each in tails], axis=0))

    def _distances(self, tail):
        """Distances of both limits from the average (R)."""
        tail = min(tail, 0.5)  # beyond 1/2 distances would be negative
        low, high = self.label_limits(tail)
        s = self.total.spread(tail, (high - low) / 2)
        S = self.total.distance(tail, s)
        W = self.weights * np.array([self.values - low, high - self.values])
        # A distance of 0 has no skewness.
        skewness = np.full(W.shape, -np.inf)
        np.divide(W**2 - s**2, W, out=skewness, where=W > 0)
        h = self._inflation * np.where((W > 0).any(axis=1), skewness.max(axis=1), 0.0)
        return (h + np.hypot(h, 2 * S)) / 2

    @cached_property
    def _inflation(self):
        """Factor of the skewness (c): 1 without common units, L for L equal copies."""
        return _length(self.weights, self.directions) ** 2 / np.sum(self.weights**2)


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


def difference_of_averages(first, second, options):
    """The `Difference` of two averages over the labels of the same samples."""
    values = first.value, second.value
    if not first.has_spread:
        return Difference(values, np.nan)
    total = _sum_of_differences(first, second)

    def without_caps(tail):
        """Limits that miss the difference with probability `tail` on each side."""
        tail = min(tail, 0.5)
        distance = total.distance(tail, total.spread(tail, np.inf))
        return total.limits(distance, distance)

    def limits(tail):
        """The limits if those of the labels are at most those of independent scores."""
        tail = min(tail, 0.5)
        caps = _independent_distances(first, second, tail)
        return total.limits(*(total.distance(tail, total.spread(tail, c)) for c in caps))

    # The caps are seldom shorter, and take most of the time.
    tail = tail_by_inversion(total.value, lambda t, side: without_caps(t)[side > 0])
    if limits(tail) != without_caps(tail):
        tail = tail_by_inversion(total.value, lambda t, side: limits(t)[side > 0])
    pvalue = pvalue_of_tail(tail, total.value, options.alternative)
    return Difference(values, total.standard_error, limits(options.tail), pvalue)


def _sum_of_differences(first, second):
    """The `WeightedSum` of the differences of the labels of two averages."""
    pairs = [*zip(first.labels, second.labels, strict=True)]
    influence = [a.influence.values - b.influence.values for a, b in pairs]
    of_labels = [_paired_error(a, b, d) for (a, b), d in zip(pairs, influence, strict=True)]
    errors, df = np.array(of_labels).T
    directions, is_seen = _directions(influence, first.labels)
    a, m = first.weights * errors, first.through_weights - second.through_weights
    # Both scores may be the worse one for samples that are not seen. So these samples have
    # no covariance with those that are seen.
    seen, unseen = _length(a * is_seen, directions, m), _length(a * ~is_seen, directions)
    bias = first.bias - second.bias
    difference = first.value - second.value
    error = np.hypot(seen, unseen)
    return WeightedSum(difference, error, bias, first.weights, errors, df, m)


def _paired_error(first, second, influence):
    """Standard error of the difference of two scores of one label, and its df."""
    parts = [first.influence._replace(values=influence)]
    error, df = error_of_difference(first.estimate, second.estimate, parts)
    # Without spread the difference may be anything.
    return (2 * _LARGEST_ERROR if np.isnan(error) else error), df


def _independent_distances(first, second, tail):
    """Distances of the limits of the difference of each label if scores are independent."""
    (low_a, high_a), (low_b, high_b) = first.label_limits(tail), second.label_limits(tail)
    a, b = first.values, second.values
    return np.hypot(a - low_a, high_b - b), np.hypot(high_a - a, b - low_b)
