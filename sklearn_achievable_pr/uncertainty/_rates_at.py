"""Comparisons of a rate at an operating point.

Each rate is a part of a whole, sums of the four cells of the confusion matrix at a cut, and
the cut of a score moves with the weights of the samples. With the derivatives dT and dF of
true and false positives at the cut by the weight of a sample (y is its class, a the share
of it above the cut, s the precision *at* the cut, dT / d(T + F) along the curve)

    recall r      dT = r y                              dF = (1 - y) a + y (r - a)(1 - s)/s
    FPR f         dT = y a + (1 - y)(f - a) s/(1 - s)   dF = f (1 - y)
    k, share q    dT = (y - s) a + s q                  dF = q - dT
    threshold     dT = y a                              dF = (1 - y) a

the influence of a sample on the rate follows by the quotient rule.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from .._roc.curve import EQUAL_WITHIN
from ._differences import by_influence, by_limits, by_resampling
from ._inference import counts_of
from ._likelihood_at_fpr import slope_by_probits
from ._operating_points import (
    Cut,
    cells_of,
    cut_at,
    interval_at,
    likelihood_limits,
    method_at,
    rate_with_limits,
)
from ._standard_error import Sample, influence_values_of, standard_error_and_df
from ._validity import NO_SPREAD
from ._zones import N_ZONES, POSITIVE, weights_of, zones_at

# With fewer true positives, false positives or missed positives at a cut that moves with
# the sample, influence values are no basis of limits.
FEW = 5


@dataclass(frozen=True)
class RateSample(Sample):
    """A `Sample` with a `RateAt` as its metric, and its ROC curve at every threshold."""

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
        return (_moving_cut if self.kind in ("recall", "fpr") else cut_at)(
            self, self.kind, at
        )

    @cached_property
    def value(self):
        """The rate; NaN where it is undefined."""
        part, whole = self.rate.parts(*self.cut.cells)
        return float(min(part / whole, 1.0)) if whole else np.nan

    @property
    def is_undefined(self):
        """Whether no sample counts for the rate, although there are both classes."""
        return self.has_both_classes and np.isnan(self.value)

    @cached_property
    def derivative(self):
        """Derivative of the rate by the weight of each sample."""
        return self.cut.derivative_of(self.rate, self.value).take(self.cut.zones)

    @property
    def proportion(self):
        """What has a value, a standard error and limits: the sample itself."""
        return self

    @cached_property
    def standard_error(self):
        """Standard error of the rate, from the influence of each sample."""
        n_smaller = self.min_effective_class_size
        if n_smaller <= NO_SPREAD or np.isnan(self.value):
            return np.nan
        by_zone = self.cut.derivative_of(self.rate, self.value)
        values = self.cut.weights.influence_values(self, by_zone)
        return standard_error_and_df([values], self.value, n_smaller)[0]

    def limits(self, tail):
        """Confidence limits of the rate."""
        method = method_at(self, self.kind, self.rate)
        if method != "likelihood":
            return rate_with_limits(self, self.cut, self.rate, method, tail)[1:]
        if tail >= 0.5:
            return self.value, self.value
        return likelihood_limits(self, self.kind, self.metric.at, tail)

    @property
    def n_counted(self):
        """Effective number of samples that the rate counts."""
        return self.rate.parts(*self.cut.cells)[1] / self.weight.mean()

    @cached_property
    def of_precision(self):
        """The sample with the precision at k in place of the recall at k."""
        return replace(self, metric=replace(self.metric, name="precision_at_k"))


def interval(sample, options):
    """Fields of the `RateIntervalResult` of one score, as a dict."""
    return interval_at(sample, sample.kind, sample.metric.at, options, sample.rate)


def comparison(first, second, options):
    """Fields of the `AucPRComparisonResult` of two scores of the same samples, as a dict.

    A recall at k is the precision at k times k / P. The scores are compared by the
    precision, so that both metrics have one p-value.
    """
    described = counts_of(first) | first.metric.fields()
    if first.metric.at != second.metric.at:
        described["at"] = first.metric.at, second.metric.at
    a, b, scale = first, second, 1.0
    if first.has_both_classes and first.metric.name == "recall_at_k":
        a, b = first.of_precision, second.of_precision
        scale = float(sum(first.cut.cells[:2]) / first.roc.n_pos)
    method = method_of(a, b, options.method)
    described |= options._replace(method=method).fields()
    if not first.has_both_classes or np.isnan(a.value + b.value):
        return described | (
            {} if method == "influence" else {"statistic": None, "df": None}
        )
    found = _DIFFERENCES[method](a, b, options)
    return described | found.times(scale).fields(first.metric, options.alternative)


def method_of(first, second, method):
    """The method of a comparison, for "auto" by the counts of both scores at their cuts."""
    if method == "auto":
        method = first.metric.entry.test_methods[0]
        if method == "influence" and first.has_both_classes and has_few(first, second):
            return "mover"
    return method


def has_few(first, second):
    """Whether there are few true, false or missed positives at a cut that moves."""
    if first.kind == "threshold":
        return False
    return min(*first.cut.cells[:3], *second.cut.cells[:3]) < FEW


def _by_influence(first, second, options):
    """The t test of both rates, with an interval where no sample tells them apart.

    If no sample has an influence on a difference of 0, the scores decide alike for every
    sample that the rate counts, and the difference is at most the share of samples with
    different decisions: it has the upper limit of a share of which none of m was seen.
    """
    found = by_influence(first, second, options)
    # A standard error of 0 is undefined where the difference is not 0.
    if found.standard_error == 0:
        m = min(first.n_counted, second.n_counted)
        reach = 1 - (2 * options.tail) ** (1 / max(m, 1.0))
        return found._replace(ends=(-reach, reach))
    return found


def _by_limits(first, second, options):
    """The `Difference` from the limits of both rates and the correlation of influences."""
    return by_limits(first, second, _correlation(first, second), options)


def _correlation(first, second):
    """Correlation of two rates, by the influence of each sample; 0 if one has no spread."""
    if np.isnan(first.standard_error + second.standard_error):
        return 0.0
    a, b = (influence_values_of(s, s.derivative).values for s in (first, second))
    return float(a @ b / ((np.linalg.norm(a) * np.linalg.norm(b)) or 1.0))


def _by_resampling(first, second, options):
    """The `Difference` with percentile limits."""
    return by_resampling(_resampled(first), _resampled(second), options)


def _resampled(sample):
    """The sample with the order of its samples, for resampling.

    At a threshold the scores are the predictions, so that the curve has one cut.
    """
    data, metric = sample.data, sample.metric
    if metric.entry.at_kind == "threshold":
        predicted = data.score >= np.array([metric.at])
        has_tps = bool(np.any(predicted & data.positive))
        data = data._replace(score=predicted.astype(np.float64))
        metric = replace(metric, at=1.0, has_tps=has_tps)
    roc = metric.roc_of(data, with_order=True)
    return replace(sample, metric=metric, data=data, roc=roc)


_DIFFERENCES = {
    "influence": _by_influence,
    "mover": _by_limits,
    "percentile": _by_resampling,
}


def _moving_cut(sample, kind, at):
    """The `Cut` at a recall or at a false positive rate."""
    points = sample.roc.concatenated()
    fps, tps = points.fps.astype(np.float64), points.tps.astype(np.float64)
    fixed = tps if kind == "recall" else fps
    target = at * fixed[-1]
    if kind == "recall":  # the fewest false positives
        start = max(int(np.searchsorted(fixed, target * (1 - EQUAL_WITHIN))), 1) - 1
    else:  # the most true positives
        start = int(np.searchsorted(fixed, target * (1 + EQUAL_WITHIN), "right")) - 1
        start = min(start, len(fixed) - 2)
    width = fixed[start + 1] - fixed[start]
    along = min((target - fixed[start]) / width, 1.0) if width else 1.0
    tp, fp = (c[start] + along * (c[start + 1] - c[start]) for c in (tps, fps))
    slope = _slope_in_tie(fps, tps, start, tp + fp)
    if slope is None:
        slope = _slope_by_probits(fps, tps, kind, tp if kind == "recall" else fp)
    slope = np.clip(slope, 1e-6, 1 - 1e-6)
    above = np.tile([1.0, along, 0.0], N_ZONES // 3)
    if kind == "recall":
        moved = POSITIVE * at
        predicted = moved + (1 - POSITIVE) * above
        predicted += POSITIVE * (at - above) * (1 - slope) / slope
    else:
        moved = POSITIVE * above + (1 - POSITIVE) * (at - above) * slope / (1 - slope)
        predicted = moved + at * (1 - POSITIVE)
    score = sample.roc.thresholds(points.take([0, start + 1]))[0]
    zones = zones_at(sample.data.positive, sample.data.score, score, has_tie=True)
    return Cut(
        score,
        zones,
        weights_of(sample, zones),
        cells_of(POSITIVE * above, above),
        cells_of(moved, predicted),
        (tp, fp, tps[-1] - tp, fps[-1] - fp),
    )


def _slope_in_tie(fps, tps, start, n_predicted):
    """The precision in a tie so wide that the cut of another sample would lie in it too.

    None if the tie is not as wide.
    """
    n, q = fps[-1] + tps[-1], n_predicted / (fps[-1] + tps[-1])
    of_tie = tps[start + 1] - tps[start]
    width = of_tie + fps[start + 1] - fps[start]
    return of_tie / width if width > 1 and width**2 > n * q * (1 - q) else None


def _slope_by_probits(fps, tps, kind, at):
    """Slope dT / d(T + F) from a secant of the ROC curve in probit coordinates.

    The slope of the hull is biased, and that of a window in counts to the other side.
    """
    fixed, other = (tps, fps) if kind == "recall" else (fps, tps)

    def other_at(x):
        """The other count, in the middle of a part of the curve along which x is fixed."""
        first = np.searchsorted(fixed, x, "left")
        last = np.searchsorted(fixed, x, "right") - 1
        middle = (other[np.minimum(first, len(other) - 1)] + other[last]) / 2
        return np.where(last >= first, middle, np.interp(x, fixed, other))

    slope = slope_by_probits(at, other_at, fixed[-1], other[-1])
    return 1 / (1 + slope) if kind == "recall" else slope / (1 + slope)
