"""Curves that a display draws, computed from labels and scores, estimators or folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._inference.design import Options
from .._inference.doubts import doubts_of_folds, doubts_of_ranking, warn_once
from .._inference.limits import t_quantile
from .._inference.samples import Sample
from .._input import estimators, options
from .._input.arrays import (
    as_numbers,
    as_response,
    check_in_memory,
    check_weight,
    on_host,
)
from .._input.estimators import decision_values_separate, saturated
from .._input.frames import column_names
from .._input.labels import (
    BinaryData,
    are_models,
    check_binary_or_labels,
    check_predictions,
    check_scores,
    drop_equal_weights,
    drop_zero_weight,
)
from .._input.options import Label
from .._roc.counting import at_breakpoints, every_threshold, from_counts
from .._roc.curve import inserted, precision_of
from ..folds._cross_validated import Fold
from ..folds._data_sets import check_folds
from ..folds._summaries import area_of_folds, curve_of_folds
from ..metrics._areas import area, normalized_area
from ..metrics._averaging import columns_of
from ..metrics._operating_points import curve_of, precision_at
from ..metrics._table import MetricWithOptions
from ..metrics._unachievable import lowest_precision
from ..rates._intervals import POINTWISE_QUANTILE, SIMULTANEOUS_QUANTILE, precision_band
from ..uncertainty._samples import AreaSample
from ._styles import BAND_LABELS

# Prevalences of classes that differ by less than this are the same.
_ROUNDING = 1e-12
# The bands of one curve are computed at these recalls, where their coverage was simulated.
_BAND_RECALL = np.linspace(0.05, 0.95, 181)
_FOLD_RECALL = np.linspace(0, 1, 251)
# The metric of the interval in the legend, for each kind of curve.
_WITH_INTERVAL = {"empirical": "auc_pr_interpolated", "achievable": "achievable_auc_pr"}


@dataclass(eq=False, repr=False)
class Curve:
    """Parameters of a display: of one curve, or lists with one entry per curve."""

    precision: ArrayLike | Sequence[ArrayLike]
    recall: ArrayLike | Sequence[ArrayLike]
    _: KW_ONLY
    thresholds: ArrayLike | Sequence[ArrayLike | None] | None = None
    auc_pr: float | Sequence[float | None] | None = None
    aucnpr: float | Sequence[float | None] | None = None
    name: str | Sequence[str | None] | None = None
    prevalence: float | Sequence[float | None] | None = None
    pos_label: Label | None = None
    curve: str | Sequence[str] = "empirical"
    predicted_point: ArrayLike | Sequence[ArrayLike | None] | None = None
    interval: ArrayLike | Sequence[ArrayLike | None] | None = None
    band: ArrayLike | Sequence[ArrayLike | None] | None = None
    band_kind: str | None = None
    summary: bool | Sequence[bool] = False


def check_curves(display: Any) -> list[Any]:
    """The checked parameters of a display as one `Curve` per curve."""
    points = display.precision
    several = isinstance(points, list) and any(map(np.iterable, points))
    n_curves = len(points) if several else 1
    columns = {field.name: getattr(display, field.name) for field in fields(Curve)}
    for label, values in columns.items():
        if not several or not isinstance(values, list | np.ndarray):
            values = [values] * n_curves
        if len(values) != n_curves:
            raise ValueError(
                f"`{label}` must have one entry per curve, {n_curves}. Got {len(values)}."
            )
        columns[label] = values
    rows = zip(*columns.values(), strict=True)
    return [_checked_curve(Curve(**dict(zip(columns, row, strict=True)))) for row in rows]


def _checked_curve(curve):
    """The curve with arrays instead of array-likes; raises if a value is invalid."""
    of_points = {
        name: on_host(getattr(curve, name), name) for name in ("precision", "band")
    }
    n_points = max(of_points["precision"].size, 2)
    shapes = {"precision": (n_points,), "recall": (n_points,), "auc_pr": (), "aucnpr": ()}
    shapes["thresholds"] = (n_points - 1,)  # recall 0 has no threshold
    shapes |= {"predicted_point": (2,), "interval": (2,)}
    shapes["band"] = (3, of_points["band"].size // 3)
    for label, shape in shapes.items():
        values = getattr(curve, label)
        if values is None and label not in ("precision", "recall"):
            continue
        values = as_numbers(on_host(values, label), label)
        if values.shape != shape:
            raise ValueError(f"`{label}` must have shape {shape}. Got {values.shape}.")
        if label not in ("thresholds", "auc_pr", "aucnpr"):
            values = options.check_fractions(values, label)
        curve = replace(curve, **{label: values})
    options.check_prevalence(curve.prevalence)
    options.check_flag(curve.summary, "summary")
    options.check_option(curve.band_kind, "band_kind", tuple(BAND_LABELS))
    options.check_option(curve.curve, "curve", options.CURVES)
    if curve.recall[0] == 0 or np.any(np.diff(curve.recall) > 0):
        raise ValueError(
            "`recall` must fall from point to point, as the curve functions return it. "
            "Reverse points in another order, e.g. `recall[::-1]`."
        )
    if np.any((curve.precision == 0) & (curve.recall > 0)):
        raise ValueError("`precision` must be above 0 where `recall` is. Got 0.")
    needed = "a string, or with several curves a list of one string per curve"
    options.check_type(curve.name, "name", str | None, needed)
    return curve


def table_of(curve, recall, precision, threshold):
    """Columns of the table of a curve with these points: also the limits of its band."""
    low = high = np.full(len(recall), np.nan)
    if curve.band is not None:
        at, *limits = curve.band
        low, high = (np.interp(recall, at, y, left=np.nan, right=np.nan) for y in limits)
    columns = {"threshold": threshold, "precision": precision, "recall": recall}
    return columns | {"low": low, "high": high}


def names_of(curves):
    """A name per curve, all different: numbers tell apart curves that share a name."""
    several_kinds = len({curve.curve for curve in curves}) > 1
    keys = [(curve.name, curve.curve, curve.summary) for curve in curves]
    names = []
    for i, (name, kind, summary) in enumerate(keys):
        n_same = keys.count(keys[i])
        parts = [name] if name else []
        parts += [kind] if several_kinds else []
        parts += [f"{keys[:i].count(keys[i]) + 1} of {n_same}"] if n_same > 1 else []
        parts += ["mean"] if summary else []
        names.append(", ".join(parts))
    return names


# The curves of a data set


def binary_problems(y_true, y_score, sample_weight, pos_label, name):
    """Names and `BinaryData` of the curves, and the positive label.

    There is one curve, one per class, or one per model if `y_score` is a mapping or a data
    frame of models.
    """
    check_in_memory(y_score, "y_score")
    if isinstance(y_score, Mapping) or are_models(y_true, y_score):
        return _models(y_true, y_score, sample_weight, pos_label, name)
    target = check_binary_or_labels(y_true, y_score, pos_label, sample_weight)
    if isinstance(target, BinaryData):
        name = "Classifier" if name is None else name
        return [(name, target)], 1 if pos_label is None else pos_label
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
    return list(zip(name, columns_of(target), strict=True)), None


def _models(y_true, y_scores, sample_weight, pos_label, name):
    """Names and `BinaryData` of several models of one binary target, and its label."""
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
    checked = check_scores(y_true, scores, pos_label, sample_weight)
    return list(zip(names, checked, strict=True)), 1 if pos_label is None else pos_label


def curves_of(problems, curve, prevalence, band, interval):
    """The curves of binary problems, given as pairs of a name and `BinaryData`.

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
    for name, data in problems:
        data = drop_equal_weights(data)
        roc = every_threshold(data, with_order=interval)
        if roc.n_pos == 0 or roc.n_neg == 0:
            raise ValueError(
                f"`y_true` has no {'negative' if roc.n_pos else 'positive'} samples for "
                f"the curve {name!r}: pass data with both classes."
            )
        limits = _band(data, roc, band) if band else None
        samples = {kind: _sample(data, roc, prevalence, kind) for kind in kinds}
        # The doubts are the same for both kinds of curve.
        own = _doubts(samples[kinds[0]], interval)
        subject = f"Curve {name!r}" if len(problems) > 1 else ""
        doubts += [doubt.about(subject) for doubt in own]
        for kind, sample in samples.items():
            drawn = drawn_curve(roc, kind, prevalence)
            drawn = replace(drawn, interval=_interval(sample) if interval else None)
            curves.append(replace(drawn, name=name, band=limits))
    warn_once(doubts)
    prevalences = [curve.prevalence for curve in curves]
    shared = prevalences[0] if np.ptp(prevalences) <= _ROUNDING else None
    return [replace(curve, prevalence=shared) for curve in curves]


def kinds_of(curve):
    """The kinds of curve that the option `curve` means: one kind, or both."""
    options.check_option(curve, "curve", (*options.CURVES, "both"))
    return options.CURVES if curve == "both" else (curve,)


def _band(data, roc, band):
    """Recall, lowest and highest precision of a confidence band of the empirical curve."""
    z = SIMULTANEOUS_QUANTILE if band == "simultaneous" else POINTWISE_QUANTILE
    limits = precision_band(Sample(data, roc), _BAND_RECALL, z)
    return np.array([_BAND_RECALL, *limits])


def _sample(data, roc, prevalence, kind):
    """The `AreaSample` for the interval of the AUC-PR of one curve."""
    metric = MetricWithOptions(_WITH_INTERVAL[kind], prevalence=prevalence)
    roc = at_breakpoints(roc)
    return AreaSample(data, roc._replace(parts=[roc.concatenated()]), metric=metric)


def _doubts(sample, interval):
    """The doubts of a curve and, if the legend shows one, of its interval."""
    if not interval:
        return doubts_of_ranking(sample)
    return [*sample.shared_doubts("interval"), *sample.own_doubts()]


def _interval(sample):
    """The limits of the interval in the legend."""
    return sample.interval(Options()).confidence_interval


def _after_negatives(fps, tps, step):
    """The points and, if negatives come first, one more just after the last of these.

    The precision of this point shows how many negatives come first; the precision 0 at
    recall 0 does not. Parameters and result are those of `interpolated`; `step` is a
    fraction of the segment.
    """
    last = np.searchsorted(tps, 0, "right") - 1
    segment = np.array([last] if last else [], dtype=np.int64)
    return inserted(fps, tps, segment, step * tps[segment + 1])


def drawn_curve(roc, kind, prevalence, spacing=1e-12, between=_after_negatives):
    """The `Curve` of a ROC curve; `prevalence=None` keeps the prevalence of the samples.

    `spacing` and `between` are the parameters of `curve_of`. By default the curve has only
    the points that determine it; a display interpolates when it draws.
    """
    roc = roc.of_kind(kind).at_prevalence(prevalence)
    if prevalence is None:
        prevalence = float(roc.n_pos) / (float(roc.n_pos) + float(roc.n_neg))
    precision, recall, thresholds = curve_of(roc, spacing, between)
    unmeasured = Curve(precision, recall, thresholds=thresholds, prevalence=prevalence)
    return replace(unmeasured, auc_pr=area(roc), aucnpr=normalized_area(roc), curve=kind)


# Estimators


def unsaturated(estimator, X, y, sample_weight, pos_label, probability):
    """Decision values in place of saturated probabilities; others are unchanged."""
    if not estimators.has_both_methods(estimator):
        return probability
    counted = probability
    if sample_weight is not None:  # NaN is neither 0 nor 1, so it does not count
        weight = check_weight(sample_weight, len(probability))
        counted = np.where(weight > 0, probability, np.nan)
    tied = saturated(BinaryData(np.ravel(y) == pos_label, counted))
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


def fold_curves(folds, curve, prevalence, summary, band):
    """Curves of all folds by kind, then their summaries.

    A fold in which a class is missing is omitted with a warning. With a summary, all folds
    are reweighted to one prevalence; otherwise `prevalence=None` keeps the prevalence of
    each fold.
    """
    columns = Fold(*zip(*folds, strict=True))
    # Without a summary the prevalence of the folds is not used, so any number will do.
    to = prevalence if summary or prevalence is not None else 0.5
    positive = [fold.y == fold.pos_label for fold in folds]
    data = positive, [*map(as_response, columns.score)], columns.sample_weight, None
    checked = check_folds(data, to, None, every_threshold)
    _warn_of_folds(folds, positive, checked)
    checked = checked._replace(
        rocs=[roc._replace(parts=[*roc.parts]) for roc in checked.rocs]
    )
    at = checked.prevalence if summary else prevalence
    kept = [folds[i] for i in checked.kept]
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
            n_of_band = len(kept) / _mean_repeats(kept) if band else None
            summaries.append(summary_of(checked, kind, n_of_band))
    return curves + summaries


def _warn_of_folds(folds, positive, checked):
    """Warn of folds whose score has one value, and of scores that may be reversed."""
    samples = {}
    for i, roc in zip(checked.kept, checked.rocs, strict=True):
        data = BinaryData(positive[i], folds[i].score, folds[i].sample_weight)
        samples[i] = Sample(drop_zero_weight(*data), roc)
    n_repeats = _mean_repeats([folds[i] for i in checked.kept])
    warn_once(doubts_of_folds(samples, n_repeats))


def _mean_repeats(folds):
    """Mean number of folds that test a sample."""
    n_tests = np.unique(np.concatenate([f.indices for f in folds]), return_counts=True)[1]
    return n_tests.mean()


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
    further repeats test the same samples again.
    """
    if len(folds.rocs) < 2 or n_folds < 1.5:
        raise ValueError(
            "`band`='folds' needs at least two folds that have both classes and test "
            f"different samples. Got {n_folds:.3g}: pass a cross-validation of more folds, "
            "or `band=None`."
        )
    # At recalls 0 and 1 several precisions are possible, so the limits are those at recalls
    # next to them.
    recall = np.clip(_FOLD_RECALL, 1e-12, 1 - 1e-12)
    values = np.array([precision_at(roc, recall) for roc in folds.rocs])
    mean, error = values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(n_folds)
    reach = t_quantile(n_folds - 1, 0.025) * error
    lowest = lowest_precision(recall, folds.prevalence)
    return np.vstack((_FOLD_RECALL, np.clip([mean - reach, mean + reach], lowest, 1)))
