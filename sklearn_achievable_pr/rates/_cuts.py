"""Estimates and confidence limits of rates at operating points."""

from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np

from .._input.arrays import check_thresholds
from ..metrics._operating_points import (
    counts_at_k,
    precision_at,
    recall_at_fpr,
    recall_reaching,
)
from ..metrics._rates import RATES
from ..results import RateIntervalResult, ThresholdTable
from ..uncertainty import _limits
from ..uncertainty._validity import NO_SPREAD, warn_of, warn_once
from ._intervals import LIKELIHOOD, method_at, rate_with_limits
from ._likelihood import (
    design_effect,
    design_effect_at_fpr,
    pointwise_quantile,
    precision_limits,
    recall_limits,
    recall_limits_at_fpr,
)
from ._net_benefit import net_benefit_at
from ._short_threshold import FEWEST_DIGITS, FEWEST_OF_GIVEN, short_threshold
from ._ties import Tie, is_wide
from ._validity import doubts_of_recall, warn_of_undefined_rates
from ._zones import N_ZONES, POSITIVE, ClusterWeights, SampleWeights, weights_of, zones_at


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
        The tie around a cut at k if it gives the limits; None if the influence does.
    """

    score: float
    zones: np.ndarray
    weights: SampleWeights | ClusterWeights
    shares: tuple
    influence: tuple
    cells: tuple
    tie: Tie | None = None

    @property
    def moves(self):
        """Whether the cut moves with the weights of the samples."""
        return self.influence is not self.shares

    def derivative_of(self, rate, value):
        """Derivative of a rate, whose value is `value`, by the weight of a sample."""
        return rate.influence(value, self.cells, self.influence)


def operating_point(sample, where, value, options):
    """The `RateIntervalResult` at a recall, a precision or an FPR, with its warnings."""
    check_thresholds(sample.data.score)
    sample = at_prevalence(sample)
    weighed = sample
    if where == "fpr":  # the mean weights of the classes, and their ratio, do not matter
        own = sample.metric._replace(prevalence=np.mean(sample.data.positive))
        weighed = replace(sample, metric=own)
    doubts = weighed.shared_doubts("rate", "likelihood"), weighed.own_doubts("rate", "")
    if where == "recall" and sample.has_both_classes:
        n_positive = np.count_nonzero(sample.data.positive)
        doubts = *doubts, doubts_of_recall(value, n_positive)
    warn_once(chain(*doubts))
    if options.tail >= 0.5:
        raise ValueError(
            "`confidence_level` must be above 0.5 for a one-sided interval, because limits "
            f"enclose the estimate. Got {options.confidence_level}."
        )
    return interval_at(sample, where, value, options, LIKELIHOOD[where])


def interval_at(sample, where, value, options, rate):
    """The `RateIntervalResult` at an operating point.

    At a threshold or at k the sample is a `RateSample`.
    """
    method = method_at(sample, where, rate)
    fields = {
        "metric": rate.name,
        "at_kind": where,
        "at": value,
        "prevalence": sample.metric.prevalence,
        "_is_weighted": is_weighted(sample),
        **sample.counts(),
        **options._replace(method=method).fields(),
    }
    if where in LIKELIHOOD:
        if not sample.has_both_classes:
            return RateIntervalResult(**fields)
        point_at = _at_fpr if where == "fpr" else _at_recall_or_precision
        estimate, score, n_predicted = point_at(sample, where, value)
        ends = 0.0, 1.0
        if sample.min_effective_class_size > NO_SPREAD:
            ends = likelihood_limits(sample, where, value, options.tail)
    else:
        cut, estimate, ends = sample.cut, sample.value, sample.limits(options.tail)
        score, n_predicted = cut.score, sum(cut.cells[:2])
    least = FEWEST_OF_GIVEN if where == "threshold" else FEWEST_DIGITS
    interval = _limits.confidence_interval(ends, options.alternative, 0.0, 1.0)
    return RateIntervalResult(
        **fields,
        estimate=float(estimate),
        confidence_interval=interval,
        threshold=float(score),
        n_predicted=float(n_predicted) * sample.unit,
        tie=_tied_weight(sample, score, n_predicted),
        _shown=short_threshold(sample.data.score, score, least),
    )


def _tied_weight(sample, cut, n_predicted):
    """Weight of the samples at the cut if only a part is predicted positive, or None."""
    score, weight = sample.data.score, sample.weight
    is_at_cut = score == np.array([cut], dtype=np.float64)
    reached = weight[score >= np.array([cut], dtype=np.float64)].sum()
    if n_predicted < reached * (1 - 1e-12) and np.count_nonzero(is_at_cut) > 1:
        return float(weight[is_at_cut].sum()) * sample.unit
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


def table_at(sample, where, values, options, net_benefit=False):
    """The `ThresholdTable` at thresholds or at several k."""
    check_thresholds(sample.data.score)
    method, elsewhere = method_at(sample, where), at_prevalence(sample)
    # Exact limits need no spread between samples.
    is_exact = where == "threshold" and elsewhere.is_simple
    if is_exact:
        warn_once(elsewhere.own_doubts("rate", method))
    elif elsewhere.has_both_classes:
        warn_of({"": elsewhere}, "rate", "beta")  # the limits of F1 need a spread
    rows = []
    for value in values:
        cut = cut_at(sample, where, value)
        own = cut if elsewhere is sample else cut_at(elsewhere, where, value)
        counts = np.array([sum(cut.cells[:2]), *cut.cells]) * sample.unit
        rows.append([cut.score, *counts])
        for rate in RATES.values():
            at = (sample, cut) if rate.is_within_class else (elsewhere, own)
            rows[-1] += rate_with_limits(*at, rate, where, options.tail)
        if net_benefit:
            rows[-1] += net_benefit_at(sample, cut, options.tail)
    names = ["threshold", "n_predicted", "tps", "fps", "fns", "tns"]
    with_limits = [*RATES, *(["net_benefit"] * net_benefit)]
    names += [name + end for name in with_limits for end in ("", "_low", "_high")]
    names += ["net_benefit_all"] * net_benefit
    fields = dict(zip(names, np.array(rows, dtype=np.float64).T.copy(), strict=True))
    n_undefined = {RATES[name]: np.count_nonzero(np.isnan(fields[name])) for name in RATES}
    warn_of_undefined_rates(sample, n_undefined)
    fewest = FEWEST_OF_GIVEN if where == "threshold" else FEWEST_DIGITS
    shown = [short_threshold(sample.data.score, x, fewest) for x in fields["threshold"]]
    return ThresholdTable(
        **sample.counts(),
        **fields,
        method=method,
        confidence_level=options.confidence_level,
        prevalence=sample.metric.prevalence,
        _is_weighted=is_weighted(sample),
        _shown=np.array(shown),
    )


def is_weighted(sample):
    """Whether the totals of the sample are weights, not numbers of samples."""
    return bool(np.any(sample.weight != 1))


def cut_at(sample, where, value):
    """The `Cut` at a threshold or at k."""
    if where == "k":
        return _cut_at_k(sample, value)
    # These are the shares of a sample above the cut, at the cut and below it that are
    # predicted positive. They are the same for both classes.
    predicted = np.tile([1.0, 1.0, 0.0], N_ZONES // 3)
    shares = cells_of(POSITIVE * predicted, predicted)
    return _cut_of(sample, value, shares, shares, divides_tie=False)


def _cut_of(sample, score, shares, influence, *, divides_tie, tie=None):
    """The `Cut` at a score from its shares and its influence by zone.

    `divides_tie` is that of `zones_at`; `tie` is None if the influence gives the limits.
    """
    zones = zones_at(sample.data.positive, sample.data.score, score, divides_tie)
    weights = weights_of(sample, zones)
    cells = tuple(weights.total @ share for share in shares)
    return Cut(score, zones, weights, shares, influence, cells, tie)


def cells_of(tps, predicted):
    """True and false positives, false and true negatives, of a sample of each zone.

    `tps` are its true positives and `predicted` its true and false positives together, or
    the derivatives of the two by its weight.
    """
    fps = predicted - tps
    return tps, fps, POSITIVE - tps, 1 - POSITIVE - fps


def _cut_at_k(sample, k):
    """The `Cut` at k.

    A tie at the cut is wide if the cut of a data set drawn anew would lie in it, too. Then
    the curve is straight around the cut, with the share of positives of the tie, and the
    limits come from the tie.
    """
    roc = sample.roc
    place = _place_of_k(roc, k)
    score = roc.thresholds(roc.concatenated().take([0, place.end]))[0]
    is_in_wide_tie = _is_in_wide_tie(sample, place, score)
    if is_in_wide_tie:
        local_precision = place.precision_of_tie
    else:
        local_precision = _precision_on_hull(sample.hull, place.n_predicted)
    # With unequal weights or clusters no simulation has shown the coverage of limits from
    # the tie. These samples have limits from the influence of each sample.
    has_limits_of_tie = is_in_wide_tie and sample.is_simple
    tie = _tie_at(place, sample.weight[0]) if has_limits_of_tie else None
    shares, influence = _shares_and_influence_at_k(place, local_precision)
    return _cut_of(sample, score, shares, influence, divides_tie=True, tie=tie)


class _PlaceOfK(NamedTuple):
    """Where the samples with the k highest scores end on a ROC curve.

    All numbers of samples are sums of their weights.

    Attributes
    ----------
    n_predicted : float
        The samples predicted positive: k itself, or the share k of all samples.
    tps, n : ndarray, each of shape (4,)
        The positives, and all samples, from the highest score to each of four points: 0,
        the last point above the samples that are tied at the cut, the point below them, and
        the end of the curve. A sample without equal scores is a tie of its own.
    end : int
        Index of the point below the tied samples.
    """

    n_predicted: float
    tps: np.ndarray
    n: np.ndarray
    end: int

    @property
    def selection_rate(self):
        """Share of all samples that is predicted positive."""
        return self.n_predicted / self.n[3]

    @property
    def weight_of_tie(self):
        """Weight of the samples that are tied at the cut."""
        return self.n[2] - self.n[1]

    @property
    def precision_of_tie(self):
        """Share of positives in the weight of the samples that are tied at the cut."""
        return (self.tps[2] - self.tps[1]) / self.weight_of_tie


def _place_of_k(roc, k):
    """The `_PlaceOfK` of k, a number (with weights, a total weight) or a share."""
    points = roc.concatenated()
    _, n_predicted, end = counts_at_k(roc, k)
    end = end.item()
    at = [0, end - 1, end, len(points.tps) - 1]
    tps = points.tps[at]
    return _PlaceOfK(n_predicted.item(), tps, points.fps[at] + tps, end)


def _is_in_wide_tie(sample, place, score):
    """Whether a cut at k lies in a wide tie, of several samples that have this score.

    A single sample is no tie, whatever its weight: its class alone is not the share of
    positives around the cut.
    """
    n_tied = place.weight_of_tie / sample.weight.mean()
    if not is_wide(n_tied, len(sample.weight), place.selection_rate):
        return False
    has_score = sample.data.score == np.array([score])
    return np.count_nonzero(has_score) > 1


def _precision_on_hull(hull, n_predicted):
    """Share of positives on the segment of the ROC convex hull that has the cut.

    At a vertex it is the mean of the segments on both sides. The secant in probits, which
    the cuts at a recall or an FPR need (`rates._samples`), gave the same results at k in
    simulations. The hull needs no bandwidth, so it stays.
    """
    tps, n = hull.tps, hull.fps + hull.tps
    around = np.searchsorted(n, n_predicted * np.array([1 - 1e-12, 1 + 1e-12]))
    end = np.minimum(around, len(tps) - 1)
    return np.mean((tps[end] - tps[end - 1]) / (n[end] - n[end - 1]))


def _tie_at(place, weight):
    """The `Tie` at a place, in numbers of samples that all have this weight."""
    n, n_positive = np.diff([place.n, place.tps]) / weight
    return Tie(place.n_predicted / weight, n, n_positive)


def _shares_and_influence_at_k(place, local_precision):
    """The `shares` and the `influence` of a `Cut` at k.

    `local_precision` is the share of positives among the samples next to the cut, which
    would take or give place if the cut moved.
    """
    selection_rate = place.selection_rate
    predicted_of_tied = (place.n_predicted - place.n[1]) / place.weight_of_tie
    # If k is the total weight, samples below the cut are also predicted positive, because
    # their weight is too small to change the total.
    predicted_below = float(selection_rate == 1)
    predicted = np.tile([1.0, predicted_of_tied, predicted_below], N_ZONES // 3)
    shares = cells_of(POSITIVE * predicted, predicted)
    # The number of samples n is fixed, so that a number k is the share q = k / n of them.
    # More weight above the cut moves the cut so that this share is kept. In the letters of
    # `rates._samples`: dT = (y - s) a + s q.
    tps = (POSITIVE - local_precision) * predicted + local_precision * selection_rate
    return shares, cells_of(tps, selection_rate)


def likelihood_limits(sample, where, value, tail):
    """Limits at a recall, a precision or an FPR, by the empirical likelihood."""
    roc, quantile = sample.roc, pointwise_quantile(tail)
    if where == "fpr":
        if not _is_simple_by_class(sample):
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
    elif sample.data.weight is not None:
        quantile *= sample.data.weight[0]
    if where == "precision":
        return recall_limits(roc, value, quantile, float(recall))
    return np.ravel(precision_limits(roc, [value], quantile))


def _is_simple_by_class(sample):
    """Whether independent samples of a class have equal weights: its rates need none."""
    positive, weight = sample.data.positive, sample.data.weight
    return sample.is_simple or (
        sample.clusters is None
        and np.ptp(weight[positive]) == 0
        and np.ptp(weight[~positive]) == 0
    )


def _at_recall_or_precision(sample, where, value):
    """Precision at a recall, or recall at a precision.

    The result also has the lowest score that is predicted positive, and the number of
    samples predicted positive.
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
