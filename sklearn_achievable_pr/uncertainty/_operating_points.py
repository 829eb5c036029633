"""Estimates and confidence limits of rates at operating points."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from .._input.arrays import check_thresholds, kish_sample_size
from .._input.undefined import warn_undefined
from ..metrics._operating_points import counts_at_k, precision_at, recall_reaching
from . import _limits
from ._inference import counts_of
from ._likelihood import design_effect, pointwise_quantile, precision_limits, recall_limits
from ._standard_error import influence_values_of, standard_error_and_df
from ._validity import NO_SPREAD, warn_of_data

# Each rate as a part of a whole, both sums of cells of the confusion matrix.
RATES = {
    "recall": lambda tp, fp, fn, tn: (tp, tp + fn),
    "specificity": lambda tp, fp, fn, tn: (tn, fp + tn),
    "precision": lambda tp, fp, fn, tn: (tp, tp + fp),
    "npv": lambda tp, fp, fn, tn: (tn, fn + tn),
    "f1": lambda tp, fp, fn, tn: (tp, tp + (fp + fn) / 2),
}
# A rate that differs by less from 0 or 1 is that.
_ROUNDING = 1e-12
# At a threshold these do not depend on the prevalence.
WITHIN_CLASS = ("recall", "specificity")


class Cut(NamedTuple):
    """The samples that are predicted positive at a threshold or at k.

    Attributes
    ----------
    score : float
        The threshold, or the lowest score that is predicted positive.
    cells : tuple of float
        The weights of true and false positives, false and true negatives.
    shares : tuple of ndarray, each of shape (n_samples,)
        The share of each sample in each cell.
    influence : tuple of ndarray, each of shape (n_samples,)
        The derivative of each cell by the weight of each sample.
    tie : Tie or None
        The tie around a cut at k, if limits are from its shares.
    """

    score: float
    cells: tuple
    shares: tuple
    influence: tuple
    tie: "Tie | None" = None


class Tie(NamedTuple):
    """The confusion matrix at a k inside a wide tie, as a function of five proportions.

    These are the shares of positives above the tie, in it and below it, and the shares of
    the samples above and below it. The influence of the samples is no basis of limits here:
    if all samples above the tie are of one class, it takes their share as known.

    Attributes
    ----------
    cells : tuple of ndarray, each of shape (5, 2)
        The cells with each proportion at its lower and at its upper confidence limit.
    correlation : float
        Correlation of the numbers of samples above and below the tie.
    """

    cells: tuple
    correlation: float

    def limits(self, metric, estimate):
        """Confidence limits of a rate whose value is `estimate`."""
        part, whole = RATES[metric](*self.cells)
        unmoved = np.full(part.shape, estimate)
        moved = np.divide(part, whole, out=unmoved, where=whole > 0)
        return np.clip(_limits.mover_sum(estimate, moved, self.correlation), 0.0, 1.0)


def operating_point(sample, where, value, options):
    """Fields of the `RateIntervalResult` at a recall or a precision, as a dict."""
    check_thresholds(sample.data.score)
    sample, tail = _at_prevalence(sample), options.tail
    warn_of_data({"": sample}, "rate", "likelihood")
    if tail >= 0.5:
        raise ValueError(
            "`confidence_level` must be above 0.5 for a one-sided interval: limits enclose "
            f"the estimate. Got {options.confidence_level}."
        )
    described = counts_of(sample) | options._replace(method="likelihood").fields()
    described |= {"metric": "precision" if where == "recall" else "recall"}
    described |= {"at_kind": where, "at": value, "prevalence": sample.metric.prevalence}
    described["_is_weighted"] = _is_weighted(sample)
    if not sample.has_both_classes:
        return described
    estimate, ends, cut, n_predicted = _by_likelihood(sample, where, value, tail)
    if sample.min_effective_class_size <= NO_SPREAD:
        ends = 0.0, 1.0
    interval = _limits.confidence_interval(*ends, options.alternative, 0.0, 1.0)
    return described | {
        "estimate": float(estimate),
        "confidence_interval": interval,
        "threshold": float(cut),
        "n_predicted": float(n_predicted),
        "tie": _tie_at(sample, cut, n_predicted),
    }


def _method(sample, where):
    """The method of the limits at a threshold or a k."""
    return "clopper-pearson" if where == "threshold" and sample.is_simple else "beta"


def _tie_at(sample, cut, n_predicted):
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


def threshold_table(sample, where, values, options):
    """Fields of the `ThresholdTable` at thresholds or at several k, as a dict."""
    check_thresholds(sample.data.score)
    method, elsewhere = _method(sample, where), _at_prevalence(sample)
    warn_of_data({"": elsewhere}, "rate", "beta")  # limits of F1
    rows = []
    for value in values:
        cut = _cut(sample, where, value, options.tail)
        own = cut if elsewhere is sample else _cut(elsewhere, where, value, options.tail)
        rows.append([cut.score, sum(cut.cells[:2]), *cut.cells])
        for metric in RATES:
            at = (sample, cut) if metric in WITHIN_CLASS else (elsewhere, own)
            rows[-1] += _rate(*at, metric, _method(at[0], where), options.tail)
    names = ["threshold", "n_predicted", "tps", "fps", "fns", "tns"]
    names += [metric + end for metric in RATES for end in ("", "_low", "_high")]
    fields = dict(zip(names, np.array(rows, dtype=np.float64).T.copy(), strict=True))
    if sample.has_both_classes:
        for metric in RATES:
            _warn_of_undefined(metric, np.count_nonzero(np.isnan(fields[metric])))
    fields |= {"method": method, "confidence_level": options.confidence_level}
    fields["_is_weighted"] = _is_weighted(sample)
    return fields | counts_of(sample) | {"prevalence": sample.metric.prevalence}


def _is_weighted(sample):
    """Whether the totals of the sample are weights, not numbers of samples."""
    return bool(np.any(sample.weight != 1))


def _warn_of_undefined(metric, n_rows):
    """Warn once if the precision or the NPV is undefined in one or several rows."""
    if n_rows:
        predicted = "positive" if metric == "precision" else "negative"
        rows = f" in {n_rows} rows" if n_rows > 1 else ""
        warn_undefined(
            f"No sample is predicted {predicted}{rows}: the {metric} is undefined."
        )


def _cut(sample, where, value, tail):
    """The `Cut` at a threshold or at k."""
    positive, score, tie = sample.data.positive, sample.data.score, None
    if where == "threshold":
        # An array, because NumPy 1 compares integers with a number in float16.
        above = score >= np.array([value])
        shares = influence = _cells(positive, positive * above, above)
    else:
        q, value, share, at_cut, tie = _cut_at_k(sample, value, tail)
        # Samples tied at the cut are among the k with the probability `share`. All samples
        # are, if they are the k, even those whose weight is lost in the total.
        above = np.where(score == value, share, (score > value) | (q == 1))
        shares = _cells(positive, positive * above, above)
        # More weight above the cut moves the cut.
        influence = _cells(positive, (positive - at_cut) * above + at_cut * q, q)
    cells = tuple(np.sum(sample.weight * share) for share in shares)
    return Cut(value, cells, shares, influence, tie)


def _cells(positive, tps, predicted):
    """True and false positives, false and true negatives, of shares of each sample."""
    fps, positive = predicted - tps * 1.0, positive * 1.0
    return tps * 1.0, fps, positive - tps, 1 - positive - fps


def _rate(sample, cut, metric, method, tail):
    """A rate and its two limits; beta limits are from the influence of each sample."""
    if not sample.has_both_classes:
        return np.nan, np.nan, np.nan
    part, whole = RATES[metric](*cut.cells)
    if whole == 0:
        return np.nan, 0.0, 1.0
    estimate = min(part / whole, 1.0)
    if method == "clopper-pearson" and metric != "f1":
        return estimate, *_limits.clopper_pearson(part, whole - part, tail)
    n_effective, n_smaller = whole, sample.min_effective_class_size
    if n_smaller <= NO_SPREAD:
        return estimate, 0.0, 1.0
    if cut.tie is not None:
        return estimate, *cut.tie.limits(metric, estimate)
    of_part, of_whole = RATES[metric](*cut.influence)
    values = influence_values_of(sample, (of_part - estimate * of_whole) / whole)
    if not sample.is_simple:
        # Kish's number of units; those with a share of 1/2 count half.
        _, counted = RATES[metric](*cut.shares)
        parts, wholes = (
            np.bincount(sample.units, weights=sample.weight * share)
            for share in (counted, counted > 0)
        )
        parts = parts / wholes.max()  # avoids underflow and overflow of squares
        n_effective = parts.sum() ** 2 / (parts @ (wholes / wholes.max()))
        n_smaller = min(n_smaller, kish_sample_size(wholes))
    error, df = standard_error_and_df([values], estimate, n_smaller)
    ends = _limits.beta_limits(estimate, error, df, n_effective, tail)
    if error == 0 and not _ROUNDING < estimate < 1 - _ROUNDING:
        # All counted samples are of one class, and the limits are those of a share of equal
        # weights. An unseen sample of the other class has the mean weight of its class.
        positive = sample.data.positive
        odds = sample.weight[~positive].mean() / sample.weight[positive].mean()
        by_metric = {"precision": (odds, odds), "npv": (1 / odds, 1 / odds)}
        by_metric["f1"] = max(odds, 1.0), min(odds, 1.0)  # false ones are of both classes
        pairs = zip(ends, by_metric.get(metric, (1.0, 1.0)), strict=True)
        ends = [end / (end + weight * (1 - end)) for end, weight in pairs]
    return estimate, *ends


def _cut_at_k(sample, k, tail):
    """The cut at k: the share of all samples above it, its score, and its precision.

    Returns
    -------
    q : float
        Share of all samples that is predicted positive.
    cut, share, at_cut : float
        The score at the cut; of the samples with this score, the share that is predicted
        positive; and the precision that samples at the cut have.
    tie : Tie or None
        If the cut lies in a wide tie of independent samples of equal weight; with others no
        simulation has shown coverage.
    """
    roc = sample.roc
    fps, tps, _ = points = roc.concatenated()
    _, n_predicted, end = (n.item() for n in counts_at_k(roc, k))
    predicted = fps + tps
    width, q = predicted[end] - predicted[end - 1], n_predicted / predicted[-1]
    share = (n_predicted - predicted[end - 1]) / width
    cut = roc.thresholds(points.take([0, end]))[0]
    segment, tie = np.array([end - 1]), None
    n_tied = width / sample.weight.mean()
    if n_tied**2 <= len(sample.weight) * q * (1 - q):
        # Unless a tie is so wide that the cut of another sample would lie in this tie too,
        # the slope of the hull is used; at a vertex, the mean of the slopes on both sides.
        fps, tps, _ = roc.hull().concatenated()
        around = np.searchsorted(fps + tps, n_predicted * np.array([1 - 1e-12, 1 + 1e-12]))
        segment = np.minimum(around, len(tps) - 1) - 1
    elif n_tied > 1 and sample.clusters is None and np.ptp(sample.weight) == 0:
        ends = [0, end - 1, end, len(tps) - 1]
        n, n_positive = np.diff([predicted[ends], tps[ends]]) / sample.weight[0]
        tie = _tie(n_predicted / sample.weight[0], n, n_positive, tail)
    slope = np.mean(np.diff(tps)[segment] / np.diff(fps + tps)[segment])
    return q, cut, share, slope, tie


def _tie(k, n, n_positive, tail):
    """The `Tie` with these numbers of samples, and of positives, above, in and below it."""
    total, outer = n.sum(), n[[0, 2]]
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
    tps = positives[0] + (k - n[0]) * shares[1]
    fns = positives.sum(axis=0) - tps
    odds = outer / (total - outer)
    return Tie((tps, k - tps, fns, total - k - fns), -np.sqrt(odds.prod()))


def _by_likelihood(sample, where, value, tail):
    """Precision at a recall, or recall at a precision, by the empirical likelihood.

    Returns the estimate, its limits, the lowest score that is predicted positive, and the
    number of samples predicted positive.
    """
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
