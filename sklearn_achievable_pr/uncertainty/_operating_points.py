"""Estimates and confidence limits of rates at operating points."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from .._input.arrays import check_thresholds
from .._input.undefined import warn_undefined
from ..metrics._operating_points import (
    counts_at_k,
    precision_at,
    recall_at_fpr,
    recall_reaching,
)
from ..metrics._rates import (
    F1,
    FALSE_POSITIVE_SHARE,
    FPR,
    NPV,
    PRECISION,
    RATES,
    RECALL,
    TRUE_POSITIVE_SHARE,
)
from . import _limits
from ._inference import counts_of
from ._likelihood import design_effect, pointwise_quantile, precision_limits, recall_limits
from ._likelihood_at_fpr import design_effect_at_fpr, recall_limits_at_fpr
from ._short_threshold import FEWEST_DIGITS, FEWEST_OF_GIVEN, short_threshold
from ._standard_error import standard_error_and_df
from ._validity import NO_SPREAD, warn_of_data
from ._zones import N_ZONES, POSITIVE, ClusterWeights, SampleWeights, weights_of, zones_at

# A rate that differs by less from 0 or 1 is 0 or 1.
_ROUNDING = 1e-12
# The rate at each point of a curve whose limits are those of the empirical likelihood.
_LIKELIHOOD = {"recall": PRECISION, "precision": RECALL, "fpr": RECALL}


class Cut(NamedTuple):
    """The samples that are predicted positive at a threshold or at k.

    Attributes
    ----------
    score : float
        The threshold, or the lowest score that is predicted positive.
    zones : ndarray of int8, shape (n_samples,)
        The zone of each sample.
    weights : SampleWeights or ClusterWeights
        Weights of the samples in each zone.
    shares : tuple of ndarray, each of shape (6,)
        For true and false positives, false and true negatives: how much of a sample of each
        zone is in this cell, from 0 to 1.
    influence : tuple of ndarray, each of shape (6,)
        The derivative of each cell by the weight of a sample of each zone.
    cells : tuple of float
        The weight in each cell.
    tie : Tie or None
        The tie around a cut at k, if limits are from its shares.
    """

    score: float
    zones: np.ndarray
    weights: SampleWeights | ClusterWeights
    shares: tuple
    influence: tuple
    cells: tuple
    tie: "Tie | None" = None

    def derivative_of(self, rate, value):
        """Derivative of a rate, whose value is `value`, by the weight of a sample."""
        return rate.influence(value, self.cells, self.influence)


class Tie(NamedTuple):
    """The confusion matrix at a k inside a wide tie, as a function of five proportions.

    The proportions are the precision (fraction of positives) of the samples above the tie,
    in it and below it, and the fractions of all samples that are above and below it. The
    influence of the samples is no basis of limits here: if all samples above the tie are of
    one class, it takes their precision as known. `_cut_at_k` says which ties are wide.

    Attributes
    ----------
    k : float
        Number of samples above the cut.
    n, n_positive : ndarray of float64, shape (3,)
        Numbers of samples, and of positives, above, in and below the tie.
    """

    k: float
    n: np.ndarray
    n_positive: np.ndarray

    def limits(self, rate, estimate, tail):
        """Confidence limits of a rate whose value is `estimate`."""
        part, whole = rate.parts(*self._cells(tail))
        unmoved = np.full(part.shape, estimate)
        moved = np.divide(part, whole, out=unmoved, where=whole > 0)
        odds = self.n[[0, 2]] / (self.n.sum() - self.n[[0, 2]])
        # The correlation is that of the numbers of samples above and below the tie.
        return np.clip(_limits.mover_sum(estimate, moved, -np.sqrt(odds.prod())), 0.0, 1.0)

    def _cells(self, tail):
        """The cells with each proportion at its lower and at its upper confidence limit.

        Four arrays of shape (5, 2).
        """
        n, n_positive, total = self.n, self.n_positive, self.n.sum()
        outer = n[[0, 2]]
        sizes, counts = [*n, total, total], [*n_positive, *outer]
        pairs = [
            _limits.clopper_pearson(count, size - count, tail)
            for count, size in zip(counts, sizes, strict=True)
        ]
        # Without samples above (below) the tie, their number does not matter.
        share = np.divide(n_positive, n, out=np.full(3, n_positive[1] / n[1]), where=n > 0)
        shares, n = (np.tile(x[:, np.newaxis, np.newaxis], (5, 2)) for x in (share, n))
        for i in range(3):
            shares[i, i] = pairs[i]
        for i, place in ((3, 0), (4, 2)):
            n[place, i] = np.minimum(np.multiply(pairs[i], total), (n[1] + n[place])[i])
        n[1] = total - n[0] - n[2]
        positives = shares * n
        tps = positives[0] + (self.k - n[0]) * shares[1]
        fns = positives.sum(axis=0) - tps
        return tps, self.k - tps, fns, total - self.k - fns


def operating_point(sample, where, value, options):
    """Fields of the `RateIntervalResult`, as a dict, with warnings of the data."""
    check_thresholds(sample.data.score)
    sample = at_prevalence(sample)
    weighed = sample
    if where == "fpr":  # the mean weights of the classes, and their ratio, do not matter
        own = sample.metric._replace(prevalence=np.mean(sample.data.positive))
        weighed = replace(sample, metric=own)
    warn_of_data({"": weighed}, "rate", "likelihood")
    if options.tail >= 0.5:
        raise ValueError(
            "`confidence_level` must be above 0.5 for a one-sided interval: limits enclose "
            f"the estimate. Got {options.confidence_level}."
        )
    return interval_at(sample, where, value, options, _LIKELIHOOD[where])


def interval_at(sample, where, value, options, rate):
    """Fields of the `RateIntervalResult` at an operating point, as a dict.

    At a threshold or at k the sample is a `RateSample`.
    """
    method = method_at(sample, where, rate)
    described = counts_of(sample) | options._replace(method=method).fields()
    described |= {"metric": rate.name, "at_kind": where, "at": value}
    described |= {"prevalence": sample.metric.prevalence}
    described["_is_weighted"] = is_weighted(sample)
    if where == "threshold":
        shown = short_threshold(sample.data.score, value, FEWEST_OF_GIVEN)
        described["_shown"] = shown
    if not sample.has_both_classes:
        return described
    if where in _LIKELIHOOD:
        point_at = _at_fpr if where == "fpr" else _at_recall_or_precision
        estimate, score, n_predicted = point_at(sample, where, value)
        ends = 0.0, 1.0
        if sample.min_effective_class_size > NO_SPREAD:
            ends = likelihood_limits(sample, where, value, options.tail)
    else:
        cut = sample.cut
        estimate, *ends = rate_with_limits(sample, cut, rate, method, options.tail)
        score, n_predicted = cut.score, sum(cut.cells[:2])
    if where != "threshold":
        described["_shown"] = short_threshold(sample.data.score, score, FEWEST_DIGITS)
    interval = _limits.confidence_interval(*ends, options.alternative, 0.0, 1.0)
    return described | {
        "estimate": float(estimate),
        "confidence_interval": interval,
        "threshold": float(score),
        "n_predicted": float(n_predicted),
        "tie": _tie_at(sample, score, n_predicted),
    }


def method_at(sample, where, rate=None):
    """The method of the limits of a rate at an operating point; None: of all but F1."""
    if where in _LIKELIHOOD:
        return "likelihood"
    is_exact = where == "threshold" and sample.is_simple and rate is not F1
    return "clopper-pearson" if is_exact else "beta"


def _tie_at(sample, cut, n_predicted):
    """Weight of the samples at the cut if only a part is predicted positive, or None."""
    score, weight = sample.data.score, sample.weight
    is_at_cut = score == np.array([cut], dtype=np.float64)
    reached = weight[score >= np.array([cut], dtype=np.float64)].sum()
    if n_predicted < reached * (1 - 1e-12) and np.count_nonzero(is_at_cut) > 1:
        return float(weight[is_at_cut].sum())
    return None


def at_prevalence(sample):
    """The sample with weights that give it the reference prevalence.

    The limits are those of the same weights passed as `sample_weight`. They include the
    variance due to random class counts and are conservative if the prevalence is known.
    """
    if sample.metric.prevalence is None or not sample.has_both_classes:
        return sample
    roc = sample.roc.at_prevalence(sample.metric.prevalence)
    weight = np.where(sample.data.positive, 1.0, roc.negative_weight) * sample.weight
    points = roc.concatenated()
    roc = roc._replace(parts=[points], n_neg=points.fps[-1], negative_weight=1.0)
    return replace(sample, data=sample.data._replace(weight=weight), roc=roc)


def threshold_table(sample, where, values, options, net_benefit=False):
    """Fields of the `ThresholdTable` at thresholds or at several k, as a dict."""
    check_thresholds(sample.data.score)
    method, elsewhere = method_at(sample, where), at_prevalence(sample)
    warn_of_data({"": elsewhere}, "rate", "beta")  # limits of F1
    rows = []
    for value in values:
        cut = cut_at(sample, where, value)
        own = cut if elsewhere is sample else cut_at(elsewhere, where, value)
        rows.append([cut.score, sum(cut.cells[:2]), *cut.cells])
        for rate in RATES.values():
            at = (sample, cut) if rate.is_within_class else (elsewhere, own)
            own_method = method_at(at[0], where, rate)
            rows[-1] += rate_with_limits(*at, rate, own_method, options.tail)
        if net_benefit:
            rows[-1] += _net_benefit(sample, cut, method, options.tail)
    names = ["threshold", "n_predicted", "tps", "fps", "fns", "tns"]
    with_limits = [*RATES, *(["net_benefit"] * net_benefit)]
    names += [name + end for name in with_limits for end in ("", "_low", "_high")]
    names += ["net_benefit_all"] * net_benefit
    fields = dict(zip(names, np.array(rows, dtype=np.float64).T.copy(), strict=True))
    if sample.has_both_classes:
        for name in RATES:
            _warn_of_undefined(name, np.count_nonzero(np.isnan(fields[name])))
    fields |= {"method": method, "confidence_level": options.confidence_level}
    fewest = FEWEST_OF_GIVEN if where == "threshold" else FEWEST_DIGITS
    shown = [short_threshold(sample.data.score, x, fewest) for x in fields["threshold"]]
    fields["_shown"] = np.array(shown)
    fields["_is_weighted"] = is_weighted(sample)
    return fields | counts_of(sample) | {"prevalence": sample.metric.prevalence}


def is_weighted(sample):
    """Whether the totals of the sample are weights, not numbers of samples."""
    return bool(np.any(sample.weight != 1))


def _warn_of_undefined(metric, n_rows):
    """Warn once if the precision or the NPV is undefined in one or several rows."""
    if n_rows:
        predicted = "positive" if metric == "precision" else "negative"
        rows = f" in {n_rows} rows" if n_rows > 1 else ""
        warn_undefined(
            f"No sample is predicted {predicted}{rows}: the {RATES[metric].label} is "
            "undefined."
        )


def cut_at(sample, where, value):
    """The `Cut` at a threshold or at k."""
    if where == "k":
        return _cut_at_k(sample, value)
    # How much of a sample above the cut, at it and below it is predicted positive, alike
    # for both classes.
    predicted = np.tile([1.0, 1.0, 0.0], N_ZONES // 3)
    shares = cells_of(POSITIVE * predicted, predicted)
    return _cut_of(sample, value, shares, shares, has_tie=False)


def _cut_of(sample, score, shares, influence, *, has_tie, tie=None):
    """The `Cut` at a score from its shares and its influence by zone."""
    zones = zones_at(sample.data.positive, sample.data.score, score, has_tie)
    weights = weights_of(sample, zones)
    cells = tuple(weights.total @ share for share in shares)
    return Cut(score, zones, weights, shares, influence, cells, tie)


def cells_of(tps, predicted):
    """True and false positives, false and true negatives, of a sample of each zone."""
    fps = predicted - tps
    return tps, fps, POSITIVE - tps, 1 - POSITIVE - fps


def rate_with_limits(sample, cut, rate, method, tail):
    """A rate at a cut and its two limits.

    An undefined rate (0/0) is NaN with the limits 0 and 1. If a class is missing, all are
    NaN.
    """
    if not sample.has_both_classes:
        return np.nan, np.nan, np.nan
    part, whole = rate.parts(*cut.cells)
    if whole == 0:
        return np.nan, 0.0, 1.0
    estimate = min(part / whole, 1.0)
    if method == "clopper-pearson":
        ends = _limits.clopper_pearson(part, whole - part, tail)
    elif sample.min_effective_class_size <= NO_SPREAD:
        ends = 0.0, 1.0
    elif cut.tie is not None:
        ends = cut.tie.limits(rate, estimate, tail)
    else:
        ends = _beta_limits(sample, cut, rate, estimate, tail)
    return estimate, *ends


def _net_benefit(sample, cut, method, tail):
    """Net benefit at a threshold, its two limits, and that of everybody predicted positive.

    It is the difference of two scaled rates: of the shares of true and of false positives
    among all samples, or, at a reference prevalence, of the recall and the false positive
    rate.
    """
    if not sample.has_both_classes:
        return [np.nan] * 4
    prevalence, t = sample.metric.prevalence, float(cut.score)
    odds = t / (1 - t)
    tp, fp, fn, tn = cut.cells
    of_positives = (tp + fn) / (tp + fp + fn + tn) if prevalence is None else prevalence
    of_negatives = 1 - of_positives
    is_exact, sides = method == "clopper-pearson", []
    for share, of_class, of_all, count, scale in (
        (of_positives, RECALL, TRUE_POSITIVE_SHARE, tp, 1.0),
        (of_negatives, FPR, FALSE_POSITIVE_SHARE, fp, odds),
    ):
        rate = of_all
        # The weights of one class say how large a count could be that is 0 in the sample.
        if prevalence is not None or not (is_exact or count):
            rate, scale = of_class, scale * share
        estimate, *ends = rate_with_limits(sample, cut, rate, method, tail)
        influence = cut.derivative_of(rate, estimate)
        sides.append((estimate * scale, np.array(ends) * scale, influence * scale))
    (a, ends_a, influence_a), (b, ends_b, influence_b) = sides
    n_smaller = sample.min_effective_class_size
    if is_exact or not (tp and fp) or n_smaller <= NO_SPREAD:
        # The two rates of a reference prevalence are those of different samples.
        r = 0.0 if prevalence is not None else _correlation_of_cells(*cut.cells)
        limits = _limits.mover_limits((a, b), ends_a, ends_b, r)
    else:
        values = cut.weights.influence_values(sample, influence_a - influence_b)
        error, df = standard_error_and_df([values], a - b, n_smaller)
        reach = _limits.t_quantile(df, tail) * error
        limits = max(a - b - reach, -ends_b[1]), min(a - b + reach, ends_a[1])
    return a - b, *limits, of_positives - of_negatives * odds


def _correlation_of_cells(tp, fp, fn, tn):
    """Correlation of the numbers of true and of false positives, of a multinomial."""
    return -np.sqrt(tp * fp / ((fp + fn + tn) * (tp + fn + tn)))


def _beta_limits(sample, cut, rate, estimate, tail):
    """Beta limits of a rate, from the influence of each sample."""
    influence = cut.derivative_of(rate, estimate)
    n_effective, n_smaller = _effective_sizes(sample, cut, rate)
    values = cut.weights.influence_values(sample, influence)
    error, df = standard_error_and_df([values], estimate, n_smaller)
    ends = _limits.beta_limits(estimate, error, df, n_effective, tail)
    is_at_end = estimate <= _ROUNDING or estimate >= 1 - _ROUNDING  # 0 or 1
    if error == 0 and is_at_end:
        return _limits_at_end(sample, rate, ends)
    return ends


def _effective_sizes(sample, cut, rate):
    """Effective numbers of the units that a rate counts, and of the smallest group of them.

    The first is the sample size of beta limits where the standard error is 0, the second,
    less 1, the most degrees of freedom.
    """
    _, n_counted = rate.parts(*cut.cells)
    n_smaller = sample.min_effective_class_size
    if sample.is_simple:
        return n_counted, n_smaller
    _, counted = rate.parts(*cut.shares)
    in_part, in_full = cut.weights.effective_sizes(counted)
    return in_part, min(n_smaller, in_full)


def _limits_at_end(sample, rate, ends):
    """Limits of a rate of 0 or 1: all counted samples are in its part, or none are.

    The given limits are those of samples of equal weights. Here the unseen samples have the
    mean weight of their class. If a false one weighs w times as much as a true one, a limit
    with the odds o = limit / (1 - limit) becomes the limit with the odds o / w. For
    example, the precision of samples without a false positive has the odds

        weight of true positives / weight of false positives = o / w,  w = weight_ratio.
    """
    positive = sample.data.positive
    weight_ratio = sample.weight[~positive].mean() / sample.weight[positive].mean()
    of_low = of_high = 1.0  # w of each limit; recall and specificity are of one class
    if rate is PRECISION:
        of_low = of_high = weight_ratio
    elif rate is NPV:
        of_low = of_high = 1 / weight_ratio
    elif rate is F1:  # false ones are of both classes: the wider limits
        of_low, of_high = max(weight_ratio, 1.0), min(weight_ratio, 1.0)
    return [
        end / (end + w * (1 - end)) for end, w in zip(ends, (of_low, of_high), strict=True)
    ]


def _cut_at_k(sample, k):
    """The `Cut` at k.

    A tie is wide if the cut of another sample of this size would lie in it, too.
    """
    roc = sample.roc
    points = roc.concatenated()
    fps, tps = points.fps, points.tps
    _, n_predicted, end = (n.item() for n in counts_at_k(roc, k))
    reached = fps + tps
    selection_rate = n_predicted / reached[-1]
    width = reached[end] - reached[end - 1]
    predicted_of_tied = (n_predicted - reached[end - 1]) / width
    score = roc.thresholds(points.take([0, end]))[0]
    segment, tie = np.array([end - 1]), None
    n_tied = width / sample.weight.mean()
    # Wide: more samples than the standard deviation of the number above a fixed score.
    if n_tied**2 <= len(sample.weight) * selection_rate * (1 - selection_rate):
        # Without a wide tie, the slope of the hull is used; at a vertex, the mean of the
        # slopes on both sides.
        fps, tps = sample.hull.fps, sample.hull.tps
        around = np.searchsorted(fps + tps, n_predicted * np.array([1 - 1e-12, 1 + 1e-12]))
        segment = np.minimum(around, len(tps) - 1) - 1
    elif n_tied > 1 and sample.clusters is None and np.ptp(sample.weight) == 0:
        # Of other samples no simulation has shown the coverage of limits from the tie.
        ends = [0, end - 1, end, len(tps) - 1]
        n, n_positive = np.diff([reached[ends], tps[ends]]) / sample.weight[0]
        tie = Tie(n_predicted / sample.weight[0], n, n_positive)
    # Fraction of positives among samples that would take the next places.
    precision = np.mean(np.diff(tps)[segment] / np.diff(fps + tps)[segment])
    # If k is the total weight, samples below the cut are predicted positive, too: their
    # weight is too small to change the total.
    predicted_below = float(selection_rate == 1)
    predicted = np.tile([1.0, predicted_of_tied, predicted_below], N_ZONES // 3)
    shares = cells_of(POSITIVE * predicted, predicted)
    # More weight above the cut moves the cut: samples at the cut, with their precision,
    # take or give place, and the selection rate is kept.
    moved = (POSITIVE - precision) * predicted + precision * selection_rate
    influence = cells_of(moved, selection_rate)
    return _cut_of(sample, score, shares, influence, has_tie=True, tie=tie)


def likelihood_limits(sample, where, value, tail):
    """Limits at a recall, a precision or an FPR, by the empirical likelihood."""
    roc, quantile = sample.roc, pointwise_quantile(tail)
    if where == "fpr":
        if not sample.is_simple:
            quantile *= design_effect_at_fpr(sample, value, tail)
        n_pos = np.count_nonzero(sample.data.positive)
        sizes = len(sample.data.positive) - n_pos, n_pos
        return recall_limits_at_fpr(roc, sizes, value, quantile)
    recall = at = np.float64(value)
    if where == "precision":
        recall = recall_reaching(roc, at)
        # The design effect is that of a recall with positives on either side.
        margin = 0.5 / np.count_nonzero(sample.data.positive)
        at = np.clip(recall, margin, 1 - margin)
    if not sample.is_simple:
        quantile *= design_effect(sample, np.array([at]), tail)[0]
    if where == "precision":
        return recall_limits(roc, value, quantile, float(recall))
    return np.ravel(precision_limits(roc, [value], quantile))


def _at_recall_or_precision(sample, where, value):
    """Precision at a recall, or recall at a precision.

    Also the lowest score that is predicted positive, and the number of samples predicted
    positive.
    """
    roc, recall = sample.roc, np.float64(value)
    if where == "precision":
        recall = recall_reaching(roc, recall)
        if recall == 0:
            return 0.0, np.inf, 0.0
    points, precision = roc.concatenated(), precision_at(roc, recall)
    tps = recall * float(points.tps[-1])
    score = _score_reaching(roc, points.tps, tps)
    return precision if where == "recall" else recall, score, tps / precision


def _at_fpr(sample, where, fpr):
    """Recall at a false positive rate; the results are those at a recall."""
    roc = sample.roc
    check_fpr(fpr, np.count_nonzero(~sample.data.positive))
    recall, points = recall_at_fpr(roc, np.float64(fpr)), roc.concatenated()
    n_predicted = fpr * float(roc.n_neg) + recall * float(roc.n_pos)
    score = _score_reaching(roc, points.fps + points.tps, n_predicted)
    return recall, score, n_predicted


def _score_reaching(roc, counts, target):
    """The score of the first point of the ROC curve at which a count is `target`."""
    end = max(np.searchsorted(counts, target * (1 - 1e-15)), 1)
    return roc.thresholds(roc.concatenated().take([0, end]))[0]


def check_fpr(fpr, n_neg, argument="fpr"):
    """Raise `ValueError` at a false positive rate of less than one negative."""
    if fpr * n_neg < 1 - 1e-12:
        raise ValueError(
            f"`{argument}`={fpr:g} of {n_neg} negatives is less than one negative, so the "
            "data do not say which recall belongs to it. Collect at least "
            f"{np.ceil((1 - 1e-12) / fpr):.0f} negatives, or pass a larger `{argument}`."
        )
