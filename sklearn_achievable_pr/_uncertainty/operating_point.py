"""Estimate and confidence limits of precision or recall at one operating point."""

from __future__ import annotations

import numpy as np

from .._input.options import warn_undefined
from ..curves import precision_at
from ..operating_points import counts_at_k, recall_reaching
from . import limits
from .inference import NO_SPREAD, counts_of, lacks_class, warn_of_data
from .likelihood import design_effect, pointwise_quantile, precision_limits, recall_limits
from .results import ConfidenceInterval, OperatingPointResult
from .standard_error import InfluenceValues, influence_values_of, kish_sample_size


def operating_point(sample, metric, where, value, confidence_level, alternative):
    """The `OperatingPointResult` of `metric` at the operating point `where` = `value`."""
    is_exact = where == "threshold" and sample.is_simple
    methods = {"threshold": "clopper-pearson" if is_exact else "beta", "k": "beta"}
    described = counts_of(sample) | {
        "metric": metric,
        "point": f"{where} = {value}",
        "method": methods.get(where, "likelihood"),
        "confidence_level": confidence_level,
    }
    if is_exact:
        lacks_class(sample, "the interval")
    else:
        warn_of_data(sample, "interval", described["method"])
    if not sample.has_both_classes:
        return OperatingPointResult(**described)
    tail = limits.tail_of(confidence_level, alternative)
    estimate, ends, threshold, n_predicted = _AT[where](sample, metric, value, tail)
    if not is_exact and sample.min_effective_class_size <= NO_SPREAD:
        ends, alternative = (0.0, 1.0), "two-sided"
    ends = limits.one_or_two_sided(*ends, alternative, (0.0, 1.0))
    return OperatingPointResult(
        estimate=estimate,
        confidence_interval=ConfidenceInterval(*ends),
        threshold=threshold,
        n_predicted=n_predicted,
        **described,
    )


# Each of the next four functions returns the estimate, its limits, the lowest score that is
# predicted positive, and the number of samples predicted positive.


def _at_threshold(sample, metric, threshold, tail):
    """Precision or recall at a threshold: Clopper-Pearson limits for independent samples.

    Beta limits for weighted or clustered samples.
    """
    fps, tps, _ = points = sample.roc.concatenated()
    # As float64: a threshold is not rounded to the dtype of the scores.
    thresholds = sample.roc.thresholds(points).astype(np.float64)
    cut = int(np.count_nonzero(thresholds >= threshold))
    n_predicted = float(fps[cut] + tps[cut])
    total = n_predicted if metric == "precision" else float(tps[-1])
    estimate = float(tps[cut]) / total if total > 0 else np.nan
    if total == 0:
        warn_undefined("No score reaches `threshold`: the precision is undefined.")
    if sample.is_simple or total == 0:
        ends = limits.clopper_pearson(tps[cut], total - tps[cut], tail)
    else:
        # The threshold is fixed: weights do not change which samples are above it.
        at_cut = estimate if metric == "precision" else 0.0
        ends = _beta_limits(sample, metric, estimate, total, (cut, 0.0), at_cut, 0.0, tail)
    return estimate, ends, threshold, n_predicted


def _at_k(sample, metric, k, tail):
    """Precision or recall at k: beta limits from the influence."""
    roc = sample.roc
    fps, tps, _ = points = roc.concatenated()
    tps_at_k, n_predicted = (float(count) for count in counts_at_k(roc, k))
    total = n_predicted if metric == "precision" else float(tps[-1])
    estimate = min(tps_at_k / total, 1.0)
    predicted = fps + tps
    cut = min(max(int(np.searchsorted(predicted, n_predicted)), 1), len(predicted) - 1) - 1
    width, q = predicted[cut + 1] - predicted[cut], n_predicted / predicted[-1]
    if width**2 > predicted[-1] * q * (1 - q):
        # The tie is so wide that the cut of another sample would lie in it too.
        at_cut = (tps[cut + 1] - tps[cut]) / width
    else:
        at_cut = _precision_at_cut(roc.hull(), n_predicted)
    # Within the tie at the cut each sample is among the k with this probability.
    share = (n_predicted - predicted[cut]) / width
    ends = _beta_limits(sample, metric, estimate, total, (cut, share), at_cut, q, tail)
    return estimate, ends, float(roc.thresholds(points)[cut]), n_predicted


def _at_recall(sample, metric, recall, tail):
    """Precision at a recall, by the empirical likelihood."""
    estimate = float(precision_at(sample.roc, recall))
    low, high = precision_limits(sample.roc, [recall], _quantile(sample, recall, tail))
    return estimate, (low[0], high[0]), *_cut_at(sample.roc, recall)


def _at_precision(sample, metric, precision, tail):
    """Recall at a precision, by the empirical likelihood."""
    roc = sample.roc
    estimate = float(recall_reaching(roc, np.asarray(precision)))
    # The design effect is that of a recall with positives on either side.
    margin = 0.5 / np.count_nonzero(sample.data.positive)
    quantile = _quantile(sample, np.clip(estimate, margin, 1 - margin), tail)
    ends = recall_limits(roc, precision, quantile, estimate)
    return estimate, ends, *_cut_at(roc, estimate)


_AT = {
    "threshold": _at_threshold,
    "recall": _at_recall,
    "precision": _at_precision,
    "k": _at_k,
}


def _quantile(sample, recall, tail):
    """Quantile of the deviance, times the design effect."""
    quantile = pointwise_quantile(1 - 2 * tail)
    if not sample.is_simple:
        data, roc, clusters = sample.data, sample.roc, sample.clusters
        recall = np.array([recall])
        quantile *= design_effect(data, roc, recall, clusters, 1 - 2 * tail)[0]
    return quantile


def _cut_at(roc, recall):
    """Highest threshold that reaches a recall, and number of samples predicted positive."""
    if recall == 0:
        return np.inf, 0.0
    points = roc.concatenated()
    tps = recall * float(points.tps[-1])
    segment = max(int(np.searchsorted(points.tps, tps * (1 - 1e-15))), 1) - 1
    n_predicted = tps / float(precision_at(roc, np.asarray(recall)))
    return float(roc.thresholds(points)[segment]), n_predicted


def _beta_limits(sample, metric, estimate, total, cut, at_cut, q, tail):
    """Beta limits of true positives over `total`, from the influence of each sample.

    Parameters
    ----------
    sample : Sample
    metric : {"precision", "recall"}
    estimate, total : float
    cut : (int, float)
        The segment at the cut, and the share of it that is predicted positive.
    at_cut, q : float
        See `derivatives`.
    tail : float
    """
    n_smaller, (cut, share) = sample.min_effective_class_size, cut
    if n_smaller <= NO_SPREAD:
        return 0.0, 1.0
    above = np.array([1.0, share, 0.0])
    moved = derivatives(metric, estimate, above, at_cut, q) / total
    if sample.is_simple:
        # Above, at and below the cut the samples of a class have the same influence.
        fps, tps, _ = sample.roc.concatenated()
        places = [0, cut, cut + 1, -1]
        counts = np.array([np.diff(fps[places]), np.diff(tps[places])])
        class_share = np.repeat(1 / counts.sum(axis=1), 3)
        columns = moved.ravel(), counts.ravel(), class_share
        values, n_effective = InfluenceValues(*columns, sample.n_units), total
    else:
        positive, place = sample.data.positive, np.sign(sample.segment - cut) + 1
        values = influence_values_of(sample, moved[positive.astype(int), place])
        counted = sample.weight * (above[place] if metric == "precision" else positive)
        n_effective = kish_sample_size(np.bincount(sample.units, weights=counted))
        n_smaller = min(n_smaller, n_effective)
    error, df = values.standard_error(estimate), values.degrees_of_freedom(n_smaller)
    return limits.beta_limits(estimate, error, df, n_effective, tail)


def derivatives(metric, estimate, above, at_cut, q=0.0):
    """Derivatives of the metric by the weight of a sample, times the denominator.

    Parameters
    ----------
    metric : {"precision", "recall"}
    estimate : float
    above : ndarray of float64, shape (n_places,)
        Probabilities that a sample is predicted positive.
    at_cut : float
        Precision of the samples at the cut. The cut depends on the weights.
    q : float, default=0.0
        Share of samples predicted positive if k is fixed, else 0.

    Returns
    -------
    ndarray of float64, shape (2, n_places)
        For negatives and positives.
    """
    positive = np.array([[0.0], [1.0]])
    influence = (positive - at_cut) * above + at_cut * q
    return influence - estimate * (q if metric == "precision" else positive)


def _precision_at_cut(hull, n_predicted):
    """Slope of true positives by predicted positives; at a vertex, mean of both sides."""
    fps, tps, _ = hull.concatenated()
    predicted = fps + tps
    before = np.searchsorted(predicted, n_predicted * (1 - 1e-12), "left") - 1
    after = np.searchsorted(predicted, n_predicted * (1 + 1e-12), "right") - 1
    segment = np.clip([before, after], 0, len(predicted) - 2)
    return float(np.mean(np.diff(tps)[segment] / np.diff(predicted)[segment]))
