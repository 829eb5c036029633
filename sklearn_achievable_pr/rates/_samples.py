"""Comparisons of a rate at an operating point.

Each rate is a part of a whole, sums of the four cells of the confusion matrix at a cut. The
cut of a score moves with the weights of the samples, so that the recall, the FPR or the
share k stays as it is. The true positives T and the false positives F at the cut have the
derivatives dT and dF by the weight of a sample:

    recall r      dT = r y                              dF = (1 - y) a + y (r - a)(1 - s)/s
    FPR f         dT = y a + (1 - y)(f - a) s/(1 - s)   dF = f (1 - y)
    k, share q    dT = (y - s) a + s q                  dF = q - dT
    threshold     dT = y a                              dF = (1 - y) a

y is the class of the sample (1 if positive), a the share of it above the cut (0 or 1, or a
fraction in a tie that is divided), and s the *local precision*: the share of positives
among the samples next to the cut, dT / d(T + F) along the curve. The influence of a sample
on the rate follows by the quotient rule.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from .._input.arrays import check_thresholds
from .._roc.curve import EQUAL_WITHIN
from ..metrics._chance import is_reversed
from ..metrics._operating_points import n_predicted_at
from ..results import AucPRComparisonResult
from ..uncertainty._samples import Sample
from ..uncertainty._standard_error import standard_error_and_df
from ..uncertainty._validity import (
    NO_SPREAD,
    doubts_of_df,
    doubts_of_ranking,
    doubts_of_samples,
)
from ._cuts import (
    Cut,
    at_prevalence,
    cells_of,
    check_fpr,
    cut_at,
    interval_at,
    likelihood_limits,
)
from ._intervals import (
    LIKELIHOOD,
    Spread,
    exact_limits,
    method_at,
    rate_beta_limits,
    spread_at,
    value_at,
)
from ._likelihood import slope_by_probits
from ._pairs import by_rate_influence, by_rule
from ._ties import is_wide
from ._validity import FEW, doubts_of_recall, few_at_the_cut, undefined_rate
from ._zones import N_ZONES, POSITIVE, ClusterWeights, weights_of, zones_at


@dataclass(frozen=True)
class RateSample(Sample):
    """A `Sample` with a `RateAt` as its metric, and its ROC curve at every threshold."""

    @classmethod
    def of(  # type: ignore[override]
        cls, rate, data, clusters=None, is_grouped=False, unit=1.0
    ):
        """The sample of checked data, which have the reference prevalence of the rate."""
        check_thresholds(data.score)
        sample = cls(rate, data, rate.roc_of(data), clusters, is_grouped, unit)
        if sample.kind == "fpr" and sample.has_both_classes:
            check_fpr(rate.at, np.count_nonzero(~data.positive), "at")
        if sample.kind == "k":  # the call raises an error if there are fewer than k samples
            total = float(sample.roc.n_pos + sample.roc.n_neg)
            n_predicted_at(np.asarray(rate.at), total, "at")
        return sample if rate.entry.rate.is_within_class else at_prevalence(sample)

    @property
    def kind(self):
        """What is fixed at the cut."""
        return self.metric.entry.at_kind

    @property
    def rate(self):
        """The `Rate`."""
        return self.metric.entry.rate

    @cached_property
    def cut(self):
        """The `Cut` of the operating point."""
        at = np.asarray(self.metric.at)[()]
        if self.kind == "recall":
            return _cut_at_recall(self, at)
        if self.kind == "fpr":
            return _cut_at_fpr(self, at)
        return cut_at(self, self.kind, at)

    @cached_property
    def value(self):
        """The rate; NaN where it is undefined."""
        if self.kind in LIKELIHOOD and not self.has_both_classes:
            return np.nan
        return value_at(self, self.cut, self.rate)

    @property
    def is_defined(self):
        """Whether the rate is defined."""
        return not np.isnan(self.value)

    @cached_property
    def by_zone(self):
        """Derivative of the rate by the weight of a sample of each zone."""
        return self.cut.derivative_of(self.rate, self.value)

    @property
    def derivative(self):
        """Derivative of the rate by the weight of each sample."""
        return self.by_zone.take(self.cut.zones)

    @property
    def is_reversed(self):
        """Whether the score ranks the samples far worse than a random score does."""
        return is_reversed([self.roc], [self.effective_class_sizes])

    @cached_property
    def influence(self):
        """Influence value of each unit."""
        if isinstance(self.cut.weights, ClusterWeights):
            return self.by_zone @ self.cut.weights.weights
        weight = self.data.weight
        return self.derivative if weight is None else self.derivative * weight

    @property
    def leverage(self):
        """Leverage of each unit."""
        leverage = self.spread.leverage
        is_by_unit = isinstance(self.cut.weights, ClusterWeights)
        return leverage if is_by_unit else leverage.take(self.cut.zones)

    @property
    def proportion(self):
        """The sample itself, which has a value, a standard error and limits."""
        return self

    @property
    def standard_error(self):
        """Standard error of the rate; NaN if the rate, or its spread, is undefined."""
        return np.nan if np.isnan(self.value) else self.spread.standard_error

    @cached_property
    def spread(self):
        """The `Spread` of the rate, which is defined.

        The cut at a recall or an FPR moves with both classes, so that they limit the
        degrees of freedom, and the leverage of a unit is its share of its class.
        """
        if self.kind not in LIKELIHOOD:
            return spread_at(self, self.cut, self.rate, self.value)
        n, error, df = self.min_effective_class_size, np.nan, 0.0
        n_counted = self.rate.parts(*self.cut.cells)[1] / self.weight.mean()
        leverage = self.cut.weights.class_leverage(self)
        if n > NO_SPREAD:
            values = self.cut.weights.influence_values(self.by_zone, leverage)
            error, df = standard_error_and_df([values], self.value, n)
        return Spread(self.value, error, df, n_counted, n, leverage, 0.0)

    def limits(self, tail):
        """Confidence limits of the rate; those of an undefined rate are 0 and 1.

        At a recall or an FPR they are infinite if a class has one unit.
        """
        if self.kind in LIKELIHOOD:
            if np.isnan(self.standard_error):
                return -np.inf, np.inf
            if tail >= 0.5:
                return self.value, self.value
            return likelihood_limits(self, self.kind, self.metric.at, tail)
        if np.isnan(self.value):
            return 0.0, 1.0
        if method_at(self, self.kind, self.rate) == "clopper-pearson":
            return exact_limits(self, self.cut, self.rate, tail)
        if self.cut.tie is not None:
            return self.cut.tie.limits(self.rate, self.value, tail)
        return rate_beta_limits(self, self.rate, self.spread, tail)

    @cached_property
    def at_same_k_by_precision(self):
        """The sample with the precision at k in place of the recall at k."""
        return replace(self, metric=replace(self.metric, name="precision_at_k"))

    def interval(self, options):
        """The `RateIntervalResult` of the rate."""
        return interval_at(self, self.kind, self.metric.at, options, self.rate)

    def difference(self, other, options, names):
        """The `AucPRComparisonResult` of two scores of the same samples.

        A recall at k is the precision at k times k / P. The scores are compared by the
        precision, so that both metrics have one p-value.
        """
        is_weighted = self.metric.prevalence is None and self.data.weight is not None
        fields = self.counts() | self.metric.fields() | {"names": names}
        fields |= {"_is_weighted": is_weighted}
        if self.metric.at != other.metric.at:
            fields["at"] = self.metric.at, other.metric.at
        is_undefined = np.isnan(self.value + other.value)
        a, b, scale = self, other, 1.0
        if self.metric.name == "recall_at_k" and not is_undefined:
            a, b = self.at_same_k_by_precision, other.at_same_k_by_precision
            scale = float(sum(self.cut.cells[:2]) / self.roc.n_pos)
        method = options.method
        if method == "auto":
            method = "mover" if is_undefined else method_of(a, b)
        fields |= options._replace(method=method).fields()
        if is_undefined and method == "mover":
            return AucPRComparisonResult(**fields, statistic=None, df=None)
        if is_undefined:
            return AucPRComparisonResult(**fields)
        difference = _DIFFERENCES[method](a, b, options).times(scale)
        # Both values are exactly those of the models, not the products.
        difference = difference._replace(values=(self.value, other.value))
        return difference.result(self.metric, **fields)

    def shared_doubts(self, what, method):
        """The doubts that hold for every score of these samples; see `warn_of`.

        At a threshold or at k a missing class leaves the other rates defined, and exact
        limits need no spread between samples.
        """
        needs_no_spread = self.kind == "threshold" and self.is_simple
        if self.kind in LIKELIHOOD or (self.has_both_classes and not needs_no_spread):
            # The method "mover" leaves out the warning of few samples, which is about t
            # tests of areas.
            yield from doubts_of_samples(self, what, "mover")
        if self.kind == "recall" and self.has_both_classes:
            yield from doubts_of_recall(
                self.metric.at, np.count_nonzero(self.data.positive)
            )

    def own_doubts(self, what, method):
        """The doubts that depend on the score.

        An undefined rate at a recall or an FPR lacks a class, which has its own doubt.
        """
        yield from doubts_of_ranking(self)
        if not (self.is_defined or self.kind in LIKELIHOOD):
            yield undefined_rate(self)

    def doubts_of_pair(self, other, pair):
        """The doubts of the `AucPRComparisonResult` of this and another score."""
        is_likelihood = self.kind == "recall" and pair.method == "mover"
        if self.has_both_classes and not is_likelihood and has_few(self, other):
            yield few_at_the_cut(pair.method)
        yield from doubts_of_df(pair.df, self)


def method_of(first, second):
    """The default method: at k the t test, if no count at a cut is small."""
    default = first.metric.entry.test_methods[0]
    return "mover" if default == "influence" and has_few(first, second) else default


def has_few(first, second):
    """Whether there are few true, false or missed positives at a cut that moves."""
    if first.kind == "threshold":
        return False
    return min(*first.cut.cells[:3], *second.cut.cells[:3]) < FEW


_DIFFERENCES = {"influence": by_rate_influence, "mover": by_rule}


# Rates at a recall or an FPR take no weights, so that the sums of weights in the functions
# below are numbers of samples.


def _cut_at_recall(sample, r):
    """The `Cut` at a recall, with the fewest false positives.

    The letters are those of the module's docstring. If a point of the curve has the recall,
    the segment ends there.
    """
    fps, tps = _float_counts(sample.roc)
    target = r * tps[-1]
    start = max(int(np.searchsorted(tps, target * (1 - EQUAL_WITHIN))), 1) - 1
    a, cells = _shares_and_cells(fps, tps, start, _fraction_above(tps, start, target))
    s = _local_precision(fps, tps, start, cells, "recall")
    y = POSITIVE
    dT = r * y
    dF = (1 - y) * a + y * (r - a) * (1 - s) / s
    return _cut_on_segment(sample, start, a, cells, dT, dF)


def _cut_at_fpr(sample, f):
    """The `Cut` at a false positive rate, with the most true positives.

    The letters are those of the module's docstring. If a point of the curve has the rate,
    the segment starts there: no sample of it is above the cut.
    """
    fps, tps = _float_counts(sample.roc)
    target = f * fps[-1]
    start = int(np.searchsorted(fps, target * (1 + EQUAL_WITHIN), "right")) - 1
    start = min(start, len(fps) - 2)
    a, cells = _shares_and_cells(fps, tps, start, _fraction_above(fps, start, target))
    s = _local_precision(fps, tps, start, cells, "fpr")
    y = POSITIVE
    dT = y * a + (1 - y) * (f - a) * s / (1 - s)
    dF = f * (1 - y)
    return _cut_on_segment(sample, start, a, cells, dT, dF)


def _cut_on_segment(sample, start, a, cells, dT, dF):
    """The `Cut` on a segment of the ROC curve, whose samples are tied.

    `start` is the index of the point where the segment starts, with the higher score. a, dT
    and dF are those of a sample of each zone, and `cells` the four counts.
    """
    score = sample.roc.thresholds(sample.roc.concatenated().take([0, start + 1]))[0]
    zones = zones_at(sample.data.positive, sample.data.score, score, divides_tie=True)
    shares, influence = cells_of(POSITIVE * a, a), cells_of(dT, dT + dF)
    return Cut(score, zones, weights_of(sample, zones), shares, influence, cells)


def _float_counts(roc):
    """False and true positives of the points of a ROC curve, as float64."""
    points = roc.concatenated()
    return points.fps.astype(np.float64), points.tps.astype(np.float64)


def _fraction_above(counts, start, target):
    """The fraction of a segment at which a count that rises along it is `target`."""
    width = counts[start + 1] - counts[start]
    return min((target - counts[start]) / width, 1.0) if width else 1.0


def _shares_and_cells(fps, tps, start, fraction):
    """The share above the cut, a, of a sample of each zone, and the four counts of the cut.

    The cut is at this fraction of the segment from the point `start`.
    """
    tp, fp = (c[start] + fraction * (c[start + 1] - c[start]) for c in (tps, fps))
    cells = tp, fp, tps[-1] - tp, fps[-1] - fp
    return np.tile([1.0, fraction, 0.0], N_ZONES // 3), cells


def _local_precision(fps, tps, start, cells, kind):
    """The local precision s at a cut on a segment.

    In a wide tie, in which the cut of a data set drawn anew would lie, too, the curve is
    straight around the cut, with the share of positives of the tie. s is inside (0, 1),
    because dF and dT divide by s and by 1 - s. At k nothing is divided by it.
    """
    tp, fp, *_ = cells
    n = fps[-1] + tps[-1]
    positives_tied = tps[start + 1] - tps[start]
    n_tied = positives_tied + fps[start + 1] - fps[start]
    # A single sample is not a tie, because its class alone is not the share of positives
    # around it.
    if n_tied > 1 and is_wide(n_tied, n, (tp + fp) / n):
        s = positives_tied / n_tied
    else:
        s = _precision_by_probits(fps, tps, kind, tp if kind == "recall" else fp)
    return np.clip(s, 1e-6, 1 - 1e-6)


def _precision_by_probits(fps, tps, kind, count):
    """The local precision from the slope of a secant of the ROC curve in probits.

    `count` is the number of true positives at a recall, of false positives at an FPR.

    Unlike at k, the kind of slope matters. In simulations the slope of the hull made the
    local precision too high at high recalls, and tests of the precision at a recall
    rejected equal scores in up to 0.24 instead of 0.05. Finite differences in a window, as
    for a design effect, made it too low. With this secant tests rejected in at most 0.07.
    """
    held, other = (tps, fps) if kind == "recall" else (fps, tps)

    def other_at(x):
        """The other count where the held one is x; the middle one if there are several."""
        first = np.searchsorted(held, x, "left")
        last = np.searchsorted(held, x, "right") - 1
        middle = (other[np.minimum(first, len(other) - 1)] + other[last]) / 2
        return np.where(last >= first, middle, np.interp(x, held, other))

    slope = slope_by_probits(count, other_at, held[-1], other[-1])
    return 1 / (1 + slope) if kind == "recall" else slope / (1 + slope)
