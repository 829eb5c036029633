"""Estimate and confidence limits of precision or recall at one operating point."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._input.options import warn_undefined
from .._metrics.points import counts_at_k, precision_at, recall_reaching
from . import limits
from .inference import NO_SPREAD, counts_of, warn_of_data
from .likelihood import design_effect, pointwise_quantile, precision_limits, recall_limits
from .standard_error import influence_values_of, kish_sample_size


def operating_point(sample, metric, where, value, confidence_level, alternative):
    """Fields of the `OperatingPointResult` of a metric, as a dict.

    `where` is "threshold", "recall", "precision" or "k", and `value` is its value.
    """
    sample = _at_prevalence(sample)
    method = "likelihood" if where in ("recall", "precision") else "beta"
    if where == "threshold" and sample.is_simple:
        method = "clopper-pearson"
    warn_of_data(sample, "interval", method, (where, metric) != ("threshold", "recall"))
    tail = limits.tail_of(confidence_level, alternative)
    if method == "likelihood" and tail >= 0.5:
        raise ValueError(
            "`confidence_level` must be above 0.5 for a one-sided interval at a recall or "
            f"a precision: likelihood limits enclose the estimate. Got {confidence_level}."
        )
    described = {"metric": metric, "point": f"{where} = {value}", "method": method}
    described |= {"confidence_level": confidence_level, "alternative": alternative}
    described |= counts_of(sample)
    if not sample.has_both_classes:
        return described
    limits_at = _by_likelihood if method == "likelihood" else _by_influence
    estimate, ends, cut, n_predicted = limits_at(sample, metric, where, value, tail)
    if method != "clopper-pearson" and sample.min_effective_class_size <= NO_SPREAD:
        ends = 0.0, 1.0
    return described | {
        "estimate": float(estimate),
        "confidence_interval": limits.confidence_interval(*ends, alternative, 0.0, 1.0),
        "threshold": float(cut),
        "n_predicted": float(n_predicted),
        "tie": tie_at(sample, cut, n_predicted),
    }


def tie_at(sample, cut, n_predicted):
    """Weight of the samples at the cut if only a part is predicted positive, or None."""
    score, weight = sample.data.score, sample.weight
    at_cut = score == np.array([cut], dtype=np.float64)
    reached = weight[score >= np.array([cut], dtype=np.float64)].sum()
    if n_predicted < reached * (1 - 1e-12) and np.count_nonzero(at_cut) > 1:
        return float(weight[at_cut].sum())
    return None


def _at_prevalence(sample):
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


# The next two functions return the estimate, its limits, the lowest score that is predicted
# positive, and the number of samples predicted positive.


def _by_influence(sample, metric, where, value, tail):
    """Precision or recall at a threshold or at k, by the influence of each sample.

    Independent samples at a threshold have Clopper-Pearson limits, else beta limits.
    """
    positive, score, n_pos = sample.data.positive, sample.data.score, sample.roc.n_pos
    if where == "threshold":
        # An array, because NumPy 1 rounds a number to the dtype of the scores.
        cut = value
        above = of_total = score >= np.array([cut], dtype=np.float64)
        tps, n_predicted = (sample.weight[w].sum() for w in (above & positive, above))
        of_tps = positive * above
    else:
        (tps, n_predicted), cut, share, at_cut = _cut_at_k(sample.roc, value)
        # Samples tied at the cut are among the k with the probability `share`.
        above = np.where(score == cut, share, score > cut)
        of_total = n_predicted / (float(n_pos) + float(sample.roc.n_neg))
        # More weight above the cut moves the cut.
        of_tps = (positive - at_cut) * above + at_cut * of_total
    counted, total = above, n_predicted
    if metric == "recall":
        counted = of_total = positive
        total = float(n_pos)
    if total == 0:
        warn_undefined("No score reaches `threshold`: the precision is undefined.")
        return np.nan, (0.0, 1.0), cut, 0.0
    estimate, n_smaller = min(tps / total, 1.0), sample.min_effective_class_size
    n_effective, ends = total, (0.0, 1.0)
    if where == "threshold" and sample.is_simple:
        ends = limits.clopper_pearson(tps, total - tps, tail)
    elif n_smaller > NO_SPREAD:
        values = influence_values_of(sample, (of_tps - estimate * of_total) / total)
        if not sample.is_simple:
            weights = np.bincount(sample.units, weights=sample.weight * counted)
            n_effective = kish_sample_size(weights)
            n_smaller = min(n_smaller, n_effective)
        error, df = values.standard_error(estimate), values.degrees_of_freedom(n_smaller)
        ends = limits.beta_limits(estimate, error, df, n_effective, tail)
    return estimate, ends, cut, n_predicted


def _cut_at_k(roc, k):
    """Counts at k, and the cut: its score, the share above it, and its precision.

    Returns
    -------
    counts : tuple of float
        True positives, and samples predicted positive.
    cut, share, at_cut : float
        The score at the cut; of the samples with this score, the share that is predicted
        positive; and the precision that samples at the cut have.
    """
    fps, tps, _ = points = roc.concatenated()
    *counts, end = (n.item() for n in counts_at_k(roc, k))
    predicted, n_predicted = fps + tps, counts[1]
    width, q = predicted[end] - predicted[end - 1], n_predicted / predicted[-1]
    share = (n_predicted - predicted[end - 1]) / width
    cut = roc.thresholds(points.take([0, end]))[0]
    segment = np.array([end - 1])
    if width**2 <= predicted[-1] * q * (1 - q):
        # Unless a tie is so wide that the cut of another sample would lie in this tie too,
        # the slope of the hull is used; at a vertex, the mean of the slopes on both sides.
        fps, tps, _ = roc.hull().concatenated()
        around = np.searchsorted(fps + tps, n_predicted * np.array([1 - 1e-12, 1 + 1e-12]))
        segment = np.minimum(around, len(tps) - 1) - 1
    slope = np.mean(np.diff(tps)[segment] / np.diff(fps + tps)[segment])
    return counts, cut, share, slope


def _by_likelihood(sample, metric, where, value, tail):
    """Precision at a recall, or recall at a precision, by the empirical likelihood."""
    roc, quantile = sample.roc, pointwise_quantile(1 - 2 * tail)
    recall = at = np.float64(value)
    if where == "precision":
        recall = recall_reaching(roc, at)
        # The design effect is that of a recall with positives on either side.
        margin = 0.5 / np.count_nonzero(sample.data.positive)
        at = np.clip(recall, margin, 1 - margin)
    if not sample.is_simple:
        quantile *= design_effect(sample, np.array([at]), 1 - 2 * tail)[0]
    if where == "precision":
        ends = recall_limits(roc, value, quantile, float(recall))
        if recall == 0:
            return 0.0, ends, np.inf, 0.0
    else:
        ends = np.ravel(precision_limits(roc, [value], quantile))
    points, precision = roc.concatenated(), precision_at(roc, recall)
    tps = recall * float(points.tps[-1])
    end = max(np.searchsorted(points.tps, tps * (1 - 1e-15)), 1)
    cut = roc.thresholds(points.take([0, end]))[0]
    return precision if where == "recall" else recall, ends, cut, tps / precision
