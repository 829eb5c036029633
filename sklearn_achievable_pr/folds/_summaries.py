"""Folds at one prevalence, and their summary curve: the mean precision at each recall."""

import math
import reprlib
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy.stats import chi2_contingency

from .._input import options
from .._input.arrays import Response, as_column, kish_sample_size
from .._input.labels import (
    binary_data,
    joined,
    labels_if_named,
    positives,
    warn_of_labels,
)
from .._input.undefined import warn_undefined
from .._roc.counting import breakpoints
from .._roc.curve import (
    PLOT_TOLERANCE,
    ROCCurve,
    fps_at,
    interpolated_evenly,
    precision_of,
)

# A test of equal prevalence of the folds at this significance level leads to a warning.
_SIGNIFICANCE = 1e-3
# In points that are added for drawing, recalls that differ by at most this are equal.
_SAME_RECALL = 2.0**-40


class Folds(NamedTuple):
    """Folds that have both classes, reweighted to one prevalence.

    Attributes
    ----------
    rocs : list of ROCCurve
        ROC curves with negatives reweighted to `prevalence`.
    weight : ndarray of float64, shape (n_folds,)
        The weight of each fold; weights sum to 1.
    prevalence : float
        The reference prevalence.
    kept : list of int
        The indices of these folds among the passed folds.
    """

    rocs: list[ROCCurve]
    weight: np.ndarray
    prevalence: float
    kept: list[int]

    def on_curve(self, curve):
        """These folds with empirical ROC curves, or with the hulls of these."""
        rocs = [roc.of_kind(curve) for roc in self.rocs]
        return self._replace(rocs=rocs)


def check_folds(data, prevalence, pos_label, roc_of=breakpoints):
    """`Folds` with both classes at one prevalence; others are omitted with a warning.

    `data` are the arguments `y_true`, `y_score`, `sample_weight` and `fold_weight`, and
    `roc_of` makes the ROC curve of `BinaryData`. `prevalence=None` is the prevalence of all
    samples of all folds.
    """
    y_true, y_score, sample_weight, fold_weight = data
    prevalence = options.check_prevalence(prevalence)
    data_sets = _check_data_sets(y_true, y_score, sample_weight, pos_label)
    weight = np.ones(len(data_sets))
    if fold_weight is not None:
        weight = options.check_totals(fold_weight, "fold_weight")
    if weight.shape != (len(data_sets),) or weight.max() == 0:
        raise ValueError(
            f"`fold_weight` must have one weight per fold, {len(data_sets)}, and not be "
            f"zero everywhere. Got {fold_weight!r}."
        )
    weight = weight / weight.max()
    rocs = [roc_of(data) for data in data_sets]
    used = np.flatnonzero(weight).tolist()
    if prevalence is None:
        prevalence = _prevalence_of_all([(data_sets[i], rocs[i]) for i in used])
    kept = [i for i in used if rocs[i].n_pos and rocs[i].n_neg]
    _warn_of_omitted(rocs, [i for i in used if i not in kept])
    if not kept:
        raise ValueError(
            "`y_true` must have a fold with both classes. Got none: split the data "
            "stratified, e.g. by StratifiedKFold."
        )
    rocs = [rocs[i].at_prevalence(prevalence) for i in kept]
    return Folds(rocs, weight[kept] / math.fsum(weight[kept]), prevalence, kept)


def _warn_of_omitted(rocs, omitted):
    """One warning that counts the folds that lack a class."""
    if not omitted:
        return
    missing = []
    for class_name, folds in (
        ("positive", [i for i in omitted if not rocs[i].n_pos]),
        ("negative", [i for i in omitted if rocs[i].n_pos]),
    ):
        if folds:
            plural = "s" * (len(folds) > 1)
            indices = options.listed(folds)[1:-1]
            missing.append(f"no {class_name} samples in fold{plural} {indices}")
    warn_undefined(
        f"Folds of `y_true` without both classes are left out, {len(omitted)} of "
        f"{len(rocs)}: {', '.join(missing)}."
    )


def _check_data_sets(y_true, y_score, sample_weight, pos_label):
    """`BinaryData` of each fold."""
    columns = [_as_folds(y_true, "y_true"), _as_folds(y_score, "y_score")]
    names = "`y_true` and `y_score`"
    if sample_weight is not None:
        columns.append(_as_folds(sample_weight, "sample_weight"))
        names = "`y_true`, `y_score` and `sample_weight`"
    n_folds = [len(column) for column in columns]
    if len(set(n_folds)) > 1:
        raise ValueError(f"{names} must have one array per fold. Got {n_folds} folds.")
    if sample_weight is None:
        columns.append([None] * n_folds[0])
    data_sets = []
    for i, (labels, scores, weight) in enumerate(zip(*columns, strict=True)):
        try:
            data_sets.append(binary_data(labels, scores, pos_label, weight))
        except (TypeError, ValueError) as error:
            raise type(error)(f"Fold {i}: {error}") from error
    # So far only each fold was checked. `positives` raises if all folds together do not
    # have two labels.
    targets = [as_column(labels, "y_true") for labels in columns[0]]
    firsts = [target[[0, (target != target[0]).argmax()]] for target in targets]
    positives(joined(firsts), pos_label)
    if not all(isinstance(scores, Response) for scores in columns[1]):
        labels = labels_if_named(joined(firsts), pos_label)
        warn_of_labels("y_score", *(data.score for data in data_sets), labels=labels)
    return data_sets


def _as_folds(values, name):
    """A sequence of arrays as a list, checked to have one array per fold."""
    is_iterable = isinstance(values, Iterable) and getattr(values, "ndim", 1) > 0
    folds = list(values) if is_iterable else []
    if not folds or any(map(_is_number, folds)):
        raise TypeError(
            f"`{name}` must be a sequence with one array per fold, e.g. a list of arrays. "
            f"Got {reprlib.repr(values)}; for one fold pass [{name}], for the folds of a "
            "splitter [array[test] for _, test in splitter.split(X, y)]."
        )
    return folds


def _is_number(fold):
    """Whether a fold is a number or a string, where an array or None is needed."""
    return not (fold is None or isinstance(fold, list | tuple)) and np.ndim(fold) == 0


def _prevalence_of_all(folds):
    """The fraction of positives in all samples; warns if prevalences of folds differ."""
    n_pos, n_neg = np.array([(roc.n_pos, roc.n_neg) for _, roc in folds], np.float64).T
    each = n_pos / (n_pos + n_neg)
    pooled = float(n_pos.sum() / (n_pos + n_neg).sum())
    n_samples = [
        len(data.score) if data.weight is None else kish_sample_size(data.weight)
        for data, _ in folds
    ]
    by_class = np.multiply(n_samples, [each, 1 - each])
    if not by_class.any(axis=1).all():
        return pooled
    p_value = chi2_contingency(by_class, correction=False).pvalue
    if p_value < _SIGNIFICANCE:
        options.warn_caller(
            f"The folds' prevalences, {each.min():.3g} to {each.max():.3g}, differ by more "
            f"than chance allows (chi-square test, p = {p_value:.1g}). `prevalence`=None, "
            "the prevalence of all folds together, is for folds of one data set. Pass a "
            f"reference prevalence; that of all folds together is {pooled:.6g}."
        )
    return pooled


# The summary


def curve_of_folds(folds, interpolate=True):
    """Precision and recall of the summary curve, by decreasing recall."""
    rates = []
    for roc in folds.rocs:  # counts are divided by the number of positives
        points = roc.concatenated()
        fps, tps = points.fps, points.tps
        rates.append((fps / float(roc.n_pos), tps / float(roc.n_pos)))
    recall = _recalls_of(rates, interpolate)
    # The two limits are means of the precisions at the first and at the last point with
    # each recall.
    limits = np.zeros((2, len(recall)))
    for weight, (fps, tps) in zip(folds.weight, rates, strict=True):
        limits += weight * _precision_around(fps, tps, recall)
    # If all folds have precision 1, rounding of the weights can give more than 1.
    precision, recall = _points_of_limits(recall, *np.minimum(limits, 1))
    return precision[::-1].copy(), recall[::-1].copy()


def area_of_folds(folds, metric):
    """AUC-PR or AUCNPR of the summary curve; `metric` is a `MetricWithOptions`."""
    return math.fsum(np.multiply(folds.weight, [*map(metric.value, folds.rocs)]))


def _recalls_of(rates, interpolate):
    """The recalls of all breakpoints and, with `interpolate`, of interpolated points."""
    at_breakpoints = np.unique(np.concatenate([tps for _, tps in rates]))
    if not interpolate:
        return at_breakpoints
    dense = [interpolated_evenly(fps, tps, PLOT_TOLERANCE) for fps, tps in rates]
    between = np.concatenate([tps[index < 0] for _, tps, index in dense])
    # Recalls of several ROC curves are often the same up to rounding.
    between = np.rint(between / _SAME_RECALL) * _SAME_RECALL
    # `n_near` counts the breakpoints within the tolerance below or above.
    n_near = np.searchsorted(at_breakpoints, between + _SAME_RECALL, "right")
    n_near -= np.searchsorted(at_breakpoints, between - _SAME_RECALL, "left")
    return np.union1d(at_breakpoints, between[n_near == 0])


def _fps_around(fps, tps, recall):
    """False positives at the first and last point of a ROC curve with each recall.

    The recalls of all points of the ROC curve are among `recall`.
    """
    n_points = np.bincount(np.searchsorted(recall, tps), minlength=len(recall))
    last = np.cumsum(n_points) - 1
    before, after = fps[last + 1 - n_points], fps[last]
    between = np.flatnonzero(n_points == 0)
    before[between] = fps_at(fps, tps, last[between], recall[between])
    after[between] = before[between]
    return before, after


def _precision_around(fps, tps, recall):
    """Precision at the first and last point of a curve with each recall."""
    f = np.array(_fps_around(fps, tps, recall))
    precision = np.full(f.shape, precision_of(fps, tps)[0])
    return np.divide(recall, recall + f, out=precision, where=recall > 0)


def _points_of_limits(recall, before, after):
    """The two limits at each recall as consecutive points; one point if they are equal."""
    kept = np.column_stack((np.ones(len(recall), dtype=bool), before != after)).ravel()
    limits = np.column_stack((before, after)).ravel()
    return limits[kept], np.repeat(recall, 2)[kept]
