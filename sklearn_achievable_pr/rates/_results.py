"""Results of rates: the interval at an operating point and the table of all rates."""

from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np
from scipy.special import ndtri

from .._inference.doubts import doubts_of_ranking, doubts_of_samples, warn_once
from .._inference.limits import confidence_interval
from .._input.arrays import check_thresholds
from .._roc.short_threshold import FEWEST_DIGITS, FEWEST_OF_GIVEN, short_threshold
from ..metrics._operating_points import precision_at, recall_at_fpr, recall_reaching
from ..metrics._rates import RATES
from ..results import RateIntervalResult, ThresholdTable
from ._cuts import check_fpr, cut_at
from ._intervals import (
    OF_CURVE,
    effect_of_curve,
    limits_at_k,
    limits_at_threshold,
    method_at,
    union_of_curve,
    value_at,
)
from ._net_benefit import net_benefit_at
from ._union import CurveCounts, recall_limits
from ._validity import doubts_of_recall, warn_of_undefined_rates


def operating_point(sample, where, value, options):
    """The `RateIntervalResult` at a recall, a precision or an FPR, with its warnings."""
    check_thresholds(sample.data.score)
    sample = at_prevalence(sample)
    weighed = sample
    if where == "fpr":  # the mean weights of the classes, and their ratio, do not matter
        own_prevalence = np.mean(sample.data.positive)
        weighed = replace(sample, reference_prevalence=own_prevalence)
    of_samples = doubts_of_samples(weighed, "interval", is_conservative=True)
    doubts = of_samples, doubts_of_ranking(weighed)
    if where == "recall" and sample.has_both_classes:
        n_positive = np.count_nonzero(sample.data.positive)
        doubts = *doubts, doubts_of_recall(value, n_positive)
    warn_once(chain(*doubts))
    if options.tail >= 0.5:
        raise ValueError(
            "`confidence_level` must be above 0.5 for a one-sided interval, because limits "
            f"enclose the estimate. Got {options.confidence_level}."
        )
    limits = partial(_limits_of_curve, sample, where, value)
    return interval_at(sample, where, value, options, OF_CURVE[where], limits)


def interval_at(sample, where, value, options, rate, limits):
    """The `RateIntervalResult` at an operating point.

    ``limits(tail)`` are the limits of the rate. At a threshold or at k the sample is a
    `RateSample`.
    """
    method = method_at(sample, where)
    fields = {
        "metric": rate.name,
        "at_kind": where,
        "at": value,
        "prevalence": sample.reference_prevalence,
        "_is_weighted": is_weighted(sample),
        "method": method,
        **sample.counts(),
        **options.fields(),
    }
    if where in OF_CURVE:
        if not sample.has_both_classes:
            return RateIntervalResult(**fields)
        point_at = _at_fpr if where == "fpr" else _at_recall_or_precision
        estimate, score, n_predicted = point_at(sample, where, value)
    else:
        cut, estimate = sample.cut, sample.value
        score, n_predicted = cut.score, sum(cut.cells[:2])
    least = FEWEST_OF_GIVEN if where == "threshold" else FEWEST_DIGITS
    ends = limits(options.tail)
    interval = confidence_interval(ends, options.alternative, 0.0, 1.0)
    return RateIntervalResult(
        **fields,
        estimate=float(estimate),
        confidence_interval=interval,
        threshold=float(score),
        n_predicted=float(n_predicted) * sample.unit,
        tie=_tied_weight(sample, score, n_predicted),
        _shown=short_threshold(sample.data.score, score, least),
    )


def _limits_of_curve(sample, where, value, tail):
    """Both limits of the rate at a recall, a precision or a false positive rate."""
    if not sample.has_spread:
        return 0.0, 1.0
    z = -ndtri(tail)
    if where != "precision":
        sample = _of_mean_weights(sample) if where == "fpr" else sample
        low, high = union_of_curve(sample, where, value).limits([z])
        return low.item(), high.item()
    recall = float(recall_reaching(sample.roc, np.float64(value)))
    # The design effect is that of a recall with positives on either side.
    margin = 0.5 / np.count_nonzero(sample.data.positive)
    at = np.clip(recall, margin, 1 - margin)
    effect = effect_of_curve(sample, "recall", at)
    return recall_limits(CurveCounts.of(sample.roc), value, recall, effect, z)


def _of_mean_weights(sample):
    """The sample with weights of mean 1 in each class, which leave the FPR and recall."""
    data = sample.data
    if data.weight is None:
        return sample
    weight = data.weight.astype(np.float64)
    for in_class in (data.positive, ~data.positive):
        if np.ptp(weight[in_class]):
            weight[in_class] /= weight[in_class].mean()
        else:
            weight[in_class] = 1.0
    points, n_pos = sample.roc.concatenated(), np.count_nonzero(data.positive)
    n_neg = len(data.positive) - n_pos
    points = points._replace(
        fps=points.fps * (n_neg / points.fps[-1]), tps=points.tps * (n_pos / points.tps[-1])
    )
    roc = sample.roc._replace(
        parts=[points], n_pos=float(n_pos), n_neg=float(n_neg), negative_weight=1.0
    )
    return replace(sample, data=data._replace(weight=weight), roc=roc)


def _tied_weight(sample, cut, n_predicted):
    """Weight of the samples at the cut if only a part is predicted positive, or None."""
    score, weight = sample.data.score, sample.weight
    cut = np.array([cut], dtype=np.float64)
    is_at_cut = score == cut
    if np.count_nonzero(is_at_cut) > 1:
        reached = weight[score >= cut].sum()
        if n_predicted < reached * (1 - 1e-12):
            return float(weight[is_at_cut].sum()) * sample.unit
    return None


def at_prevalence(sample):
    """The sample with weights that give it the reference prevalence.

    The limits are those of the same weights passed as `sample_weight`. They include the
    variance due to random class counts and are conservative if the prevalence is known.
    """
    if sample.reference_prevalence is None or not sample.has_both_classes:
        return sample
    roc = sample.roc.at_prevalence(sample.reference_prevalence)
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
        warn_once(doubts_of_ranking(elsewhere))
    elif elsewhere.has_both_classes:
        is_conservative = elsewhere.reference_prevalence is not None
        of_samples = doubts_of_samples(elsewhere, "interval", is_conservative)
        warn_once([*of_samples, *doubts_of_ranking(elsewhere)])
    rows = []
    for value in values:
        cut = cut_at(sample, where, value)
        own = cut if elsewhere is sample else cut_at(elsewhere, where, value)
        counts = np.array([sum(cut.cells[:2]), *cut.cells]) * sample.unit
        rows.append([cut.score, *counts])
        rows[-1] += _rates_with_limits((sample, cut), (elsewhere, own), where, options.tail)
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
        prevalence=sample.reference_prevalence,
        _is_weighted=is_weighted(sample),
        _shown=np.array(shown),
    )


def _rates_with_limits(here, elsewhere, where, tail):
    """The value and the limits of each rate, of a sample and its cut.

    `elsewhere` are those at the reference prevalence, for rates that depend on it.
    """
    rows, ends_at_k = [], {}
    if where == "k":  # there is no reference prevalence
        rates = [*RATES.values()]
        sample, cut = here
        ends_at_k = dict(zip(rates, limits_at_k(sample, cut, rates, tail), strict=True))
    for rate in RATES.values():
        sample, cut = here if rate.is_within_class else elsewhere
        ends = ends_at_k.get(rate) or limits_at_threshold(sample, cut, rate, tail)
        rows += [value_at(sample, cut, rate), *ends]
    return rows


def is_weighted(sample):
    """Whether the totals of the sample are weights, not numbers of samples."""
    return bool(np.any(sample.weight != 1))


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
