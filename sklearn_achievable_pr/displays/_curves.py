"""Curves that a display draws, computed from labels and scores, estimators or folds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from .._inference.design import Options, check_clusters, shared_clusters
from .._inference.doubts import (
    doubts_of_folds,
    doubts_of_ranking,
    doubts_of_samples,
    warn_once,
)
from .._inference.limits import t_quantile
from .._inference.samples import Sample
from .._input import estimators, options
from .._input.arrays import as_column, as_response, check_in_memory, check_weight
from .._input.estimators import decision_values_separate, saturated
from .._input.frames import check_order, column_names
from .._input.labels import (
    BinaryData,
    are_models,
    check_binary_or_labels,
    check_predictions,
    check_scores,
    drop_equal_weights,
    drop_zero_weight,
)
from .._roc.counting import at_breakpoints, every_threshold, from_counts
from .._roc.curve import precision_of
from ..folds._cross_validation import OVERLAP, clusters_overlap
from ..folds._summaries import area_of_folds, check_folds, curve_of_folds
from ..metrics._averaging import columns_of
from ..metrics._operating_points import precision_at
from ..metrics._table import MetricWithOptions
from ..metrics._unachievable import lowest_precision
from ..rates._cuts import CutSample
from ..rates._intervals import POINTWISE_QUANTILE, SIMULTANEOUS_QUANTILE, precision_band
from ..uncertainty._samples import AreaSample
from ._drawn import Curve, drawn_curve, kinds_of

# Prevalences of classes that differ by less than this are the same.
_ROUNDING = 1e-12
# The bands of one curve are computed at these recalls, where their coverage was simulated.
_BAND_RECALL = np.linspace(0.05, 0.95, 181)
_FOLD_RECALL = np.linspace(0, 1, 251)
# The metric of the interval in the legend, for each kind of curve.
_WITH_INTERVAL = {"empirical": "auc_pr_interpolated", "achievable": "achievable_auc_pr"}


# The curves of a data set


class Problems(NamedTuple):
    """Binary problems of the same samples: of one score, of each class, or of each model.

    Attributes
    ----------
    named : list of (str, BinaryData)
        The name of each curve, and its data.
    clusters : tuple of (ndarray or None, bool)
        The fields `clusters` and `is_grouped` of a `Sample`.
    """

    named: list[tuple[str, BinaryData]]
    clusters: tuple


def check_problems(y_true, y_score, design, name):
    """The checked `Problems` of labels and scores, with one curve each.

    There are several models if `y_score` is a mapping or a data frame of models.
    """
    check_in_memory(y_score, "y_score")
    if isinstance(y_score, Mapping) or are_models(y_true, y_score):
        named = _named_models(y_true, y_score, design, name)
    else:
        named = _named_classes(y_true, y_score, design, name)
    return Problems(named, shared_clusters(check_clusters(y_true, design)))


def _named_classes(y_true, y_score, design, name):
    """Name and `BinaryData` of a score, or of each class against the rest."""
    pos_label, sample_weight, groups = design
    others = {"sample_weight": sample_weight, "groups": groups}
    check_order(y_true=y_true, y_score=y_score, **others)
    target = check_binary_or_labels(y_true, y_score, pos_label, sample_weight)
    if isinstance(target, BinaryData):
        return [("Classifier" if name is None else name, target)]
    labels = target.labels
    if name is None:
        name = [each if isinstance(each, str) else f"Class {each}" for each in labels]
    if np.shape(name) != (len(labels),) or len(set(name)) < len(name):
        raise ValueError(
            "`name` must be a list of one string per class, all different, for the classes "
            f"{options.listed(labels)}. Got {name!r}."
        )
    if pos_label is not None:
        raise ValueError(
            f"`pos_label` must be left out: each class of {options.listed(labels)} is the "
            f"positive one in turn. Got {pos_label!r}."
        )
    return [*zip(name, columns_of(target), strict=True)]


def _named_models(y_true, y_scores, design, name):
    """Names and `BinaryData` of several models of one binary target."""
    names = column_names(y_scores) or [*y_scores]
    n_names = len({each for each in names if isinstance(each, str)})
    if n_names < max(1, len(names)):
        raise TypeError(
            "`y_score` must be an array, or a mapping from the names of models, which are "
            "strings, to their scores, or a data frame with such names of columns. Got the "
            f"names {options.listed(names)}."
        )
    if name is not None:
        raise ValueError(
            "`name` must be left out: the keys or columns of `y_score` name the models. "
            f"Got {name!r}."
        )
    scores = {f"y_score[{each!r}]": y_scores[each] for each in names}
    checked = check_scores(y_true, scores, **design._asdict())
    return [*zip(names, checked, strict=True)]


def curves_of(problems, curve, prevalence, band, interval):
    """The curves of `Problems`, with bands and intervals, after one warning of each kind.

    The prevalence of the curves is None if the problems have different prevalences.
    """
    kinds, prevalence = kinds_of(curve), options.check_prevalence(prevalence)
    options.check_flag(interval, "interval")
    options.check_option(band, "band", (None, "pointwise", "simultaneous"))
    if band is not None and (curve != "empirical" or prevalence is not None):
        raise ValueError(
            f"`band`={band!r} has known coverage with curve='empirical' and prevalence=None"
            f" only. Got `curve`={curve!r} and `prevalence`={prevalence}; leave out `band`."
        )
    curves, doubts = [], []
    for name, data in problems.named:
        sample = _sample_of(name, data, problems.clusters, interval)
        limits = None if band is None else _band(sample, band)
        areas = {kind: _area_sample(sample, kind, prevalence) for kind in kinds}
        # The doubts are the same for both kinds of curve.
        own = _doubts(areas[kinds[0]], band, interval)
        subject = f"Curve {name!r}" if len(problems.named) > 1 else ""
        doubts += [doubt.about(subject) for doubt in own]
        for kind, area_sample in areas.items():
            drawn = drawn_curve(sample.roc, kind, prevalence)
            drawn = replace(drawn, interval=_interval(area_sample) if interval else None)
            curves.append(replace(drawn, name=name, band=limits))
    warn_once(doubts)
    prevalences = [curve.prevalence for curve in curves]
    shared = prevalences[0] if np.ptp(prevalences) <= _ROUNDING else None
    return [replace(curve, prevalence=shared) for curve in curves]


def _sample_of(name, data, clusters, with_order):
    """The `Sample` of a curve, with a point at every threshold; needs both classes."""
    data = drop_equal_weights(data)
    sample = CutSample(data, every_threshold(data, with_order=with_order), *clusters)
    if not sample.has_both_classes:
        missing = "negative" if data.positive.any() else "positive"
        raise ValueError(
            f"`y_true` has no {missing} samples for the curve {name!r}: pass data with "
            "both classes."
        )
    return sample


def _band(sample, band):
    """Recall, lowest and highest precision of a confidence band of the empirical curve."""
    lowest, highest = np.zeros(len(_BAND_RECALL)), np.ones(len(_BAND_RECALL))
    if sample.has_spread:
        z = SIMULTANEOUS_QUANTILE if band == "simultaneous" else POINTWISE_QUANTILE
        lowest, highest = precision_band(sample, _BAND_RECALL, z)
    return np.array([_BAND_RECALL, lowest, highest])


def _area_sample(sample, kind, prevalence):
    """The `AreaSample` of the AUC-PR of one kind of curve."""
    metric = MetricWithOptions(_WITH_INTERVAL[kind], prevalence=prevalence)
    roc = at_breakpoints(sample.roc)
    roc = roc._replace(parts=[roc.concatenated()])
    clusters = sample.clusters, sample.is_grouped
    return AreaSample(sample.data, roc, *clusters, metric=metric)


def _doubts(sample, band, interval):
    """The doubts of a curve, of its band and of the interval in its legend."""
    if interval:  # these include the doubts of a band
        return [*sample.shared_doubts("interval"), *sample.own_doubts()]
    of_band = []
    if band is not None:
        of_band = doubts_of_samples(sample, "interval", is_conservative=True)
    return [*of_band, *doubts_of_ranking(sample)]


def _interval(sample):
    """The limits of the interval in the legend."""
    return sample.interval(Options()).confidence_interval


# Estimators


def unsaturated(estimator, X, y, sample_weight, pos_label, probability):
    """Decision values in place of saturated probabilities; others are unchanged."""
    if not estimators.has_both_methods(estimator):
        return probability
    counted = probability
    if sample_weight is not None:  # NaN is neither 0 nor 1, so it does not count
        weight = check_weight(sample_weight, len(probability))
        counted = np.where(weight > 0, probability, np.nan)
    tied = saturated(BinaryData(as_column(y, "y") == pos_label, counted))
    if not tied:
        return probability
    _, values = estimators.binary_scores(estimator, X, y, "decision_function", pos_label)
    return values if decision_values_separate(tied, values) else probability


def predicted_point(estimator, X, y, sample_weight, pos_label, prevalence):
    """Precision and recall of what a HullThresholdClassifierCV predicts for `X`.

    None for other classifiers, which choose no threshold, and if no sample is predicted
    positive.
    """
    if not estimators.keeps_thresholds(estimator):
        return None
    data = check_predictions(y, estimator.predict(X), pos_label, sample_weight)
    positive, predicted, weight = data
    if not predicted.any():
        return None
    tn, fp, fn, tp = np.bincount(2 * positive + predicted, weight, minlength=4)
    counts = np.cumsum([[0.0, fp, tn], [0.0, tp, fn]], axis=1)
    points = from_counts(*counts).at_prevalence(prevalence).concatenated()
    fps, tps = points.fps, points.tps
    return float(precision_of(fps, tps)[1]), float(tps[1] / tps[-1])


# Folds


def fold_curves(cv_results, folds, clusters, curve, prevalence, summary, band):
    """Curves of all folds by kind, then their summaries, after the warnings of the folds.

    A fold in which a class is missing is omitted with a warning. With a summary, all folds
    are reweighted to one prevalence; otherwise `prevalence=None` keeps the prevalence of
    each fold. `clusters` has the cluster of each sample of the data set, or is None.
    """
    checked = _checked_folds(folds, prevalence, summary)
    kept = [folds[i] for i in checked.kept]
    n_repeats = _mean_repeats(kept, clusters)
    of_scores = _doubts_of_scores(kept, checked.rocs, checked.kept, clusters, n_repeats)
    warn_once([*_doubts_of_clusters(cv_results, folds, clusters), *of_scores])
    at = checked.prevalence if summary else prevalence
    points = [
        predicted_point(f.estimator, f.X, f.y, f.sample_weight, f.pos_label, at)
        for f in kept
    ]
    curves, summaries = [], []
    for kind in kinds_of(curve):
        for roc, point in zip(checked.rocs, points, strict=True):
            own = drawn_curve(roc._replace(negative_weight=1.0), kind, at)
            curves.append(replace(own, predicted_point=point))
        if summary:
            n_of_band = len(kept) / n_repeats if band else None
            summaries.append(summary_of(checked, kind, n_of_band))
    return curves + summaries


def _checked_folds(folds, prevalence, summary):
    """The `Folds` that have both classes, with a point at every threshold."""
    if prevalence is None and not summary:
        prevalence = 0.5  # it is not used, so any number will do
    positive = [fold.y == fold.pos_label for fold in folds]
    score = [as_response(fold.score) for fold in folds]
    data = positive, score, [fold.sample_weight for fold in folds], None
    checked = check_folds(data, prevalence, None, every_threshold)
    # The parts are read more than once: for the curve, the summary and the warnings.
    rocs = [roc._replace(parts=[*roc.parts]) for roc in checked.rocs]
    return checked._replace(rocs=rocs)


def _doubts_of_clusters(cv_results, folds, clusters):
    """The doubt of clusters in both parts of a fold, in a list; else an empty list."""
    if clusters is None:
        return []
    tests = [fold.indices for fold in folds]
    overlaps = clusters_overlap(cv_results, tests, clusters, len(clusters))
    return [OVERLAP] if overlaps else []


def _doubts_of_scores(folds, rocs, numbers, clusters, n_repeats):
    """The doubts of folds whose score has one value, and of scores that may be reversed."""
    samples = {}
    for number, fold, roc in zip(numbers, folds, rocs, strict=True):
        weight = fold.sample_weight
        data = drop_zero_weight(fold.y == fold.pos_label, fold.score, weight)
        of_fold = None
        if clusters is not None:
            of_fold = clusters[fold.indices]
            of_fold = of_fold if weight is None else of_fold[weight > 0]
        samples[number] = Sample(data, roc, of_fold)
    return doubts_of_folds(samples, n_repeats)


def _mean_repeats(folds, clusters):
    """Mean number of folds that test a sample or, with clusters, a part of a cluster."""
    tested = [fold.indices for fold in folds]
    if clusters is not None:
        tested = [np.unique(clusters[indices]) for indices in tested]
    return np.unique(np.concatenate(tested), return_counts=True)[1].mean()


def summary_of(folds, kind, n_of_band=None):
    """The summary curve of folds with empirical curves.

    `n_of_band` is the number of folds that count in its band; None: there is no band.
    """
    folds = folds.on_curve(kind)
    auc_pr = area_of_folds(folds, MetricWithOptions("auc_pr_interpolated"))
    aucnpr = area_of_folds(folds, MetricWithOptions("aucnpr"))
    limits = None if n_of_band is None else _band_of_folds(folds, n_of_band)
    mean = Curve(*curve_of_folds(folds), auc_pr=auc_pr, aucnpr=aucnpr, band=limits)
    return replace(mean, prevalence=folds.prevalence, curve=kind, summary=True)


def _band_of_folds(folds, n_folds):
    """Recall, lowest and highest precision of the t interval over the folds.

    In a repeated cross-validation `n_folds` is the number of folds of one repeat, because
    further repeats test the same samples, or clusters, again.
    """
    if len(folds.rocs) < 2 or n_folds < 1.5:
        raise ValueError(
            "`band`='folds' needs at least two folds that have both classes and test "
            f"different samples, or clusters. Got {n_folds:.3g}: pass a cross-validation "
            "of more folds, by a group splitter for `groups`, or `band=None`."
        )
    # At recalls 0 and 1 several precisions are possible, so the limits are those at recalls
    # next to them.
    recall = np.clip(_FOLD_RECALL, 1e-12, 1 - 1e-12)
    values = np.array([precision_at(roc, recall) for roc in folds.rocs])
    mean, error = values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(n_folds)
    reach = t_quantile(n_folds - 1, 0.025) * error
    lowest = lowest_precision(recall, folds.prevalence)
    return np.vstack((_FOLD_RECALL, np.clip([mean - reach, mean + reach], lowest, 1)))
