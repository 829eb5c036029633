"""What a display draws: the curves of labels and scores, of estimators and of folds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .._input.arrays import as_numbers
from .._input.estimators import check_classifier, classes_of, label_index, response_of
from .._input.labels import check_binary
from .._input.options import (
    MissingClassError,
    check_flag,
    check_fractions,
    check_number,
    check_option,
    check_prevalence,
    require_classes,
)
from .._roc.counting import every_threshold
from .._roc.curve import PLOT_TOLERANCE, interpolated_evenly, precision_of
from .._uncertainty.likelihood import (
    SIMULTANEOUS_QUANTILE,
    design_effect,
    pointwise_quantile,
    precision_limits,
)
from ..areas import area, normalized_area
from ..curves import curve_of
from ..folds import area_of_folds, check_folds, curve_of_folds
from ..uncertainty import auc_pr_interval
from .fold_bands import band_of_folds

KINDS = {
    "empirical": ("empirical",),
    "achievable": ("achievable",),
    "both": ("empirical", "achievable"),
}
# Bands of the curve of one data set, and of the summary of folds.
BANDS, FOLD_BANDS = (None, "pointwise", "simultaneous"), (None, "folds", "resampled")
# Metric and method of the interval of each curve's AUC-PR.
_INTERVALS = {
    "empirical": ("auc_pr_interpolated", "beta"),
    "achievable": ("achievable_auc_pr", "percentile"),
}
_CONFIDENCE_LEVEL = 0.95
# Narrower intervals say only that all resamples have the same value.
_MIN_WIDTH = 1e-9
# The coverage of bands of one curve was simulated at these recalls.
_BAND_RECALL = np.linspace(0.05, 0.95, 181)
_FOLD_BAND_RECALL = np.linspace(0, 1, 251)


class Curve(NamedTuple):
    """One curve of a display."""

    precision: np.ndarray  # by falling recall
    recall: np.ndarray
    thresholds: np.ndarray | None = None  # one fewer than points, NaN between vertices
    auc_pr: float | None = None
    aucnpr: float | None = None
    name: str | None = None
    prevalence: float | None = None
    kind: str = "empirical"
    operating_point: tuple[float, float] | None = None  # precision, recall
    interval: tuple[float, float] | None = None  # of the AUC-PR
    band: np.ndarray | None = None  # recall, lowest and highest precision, one per row
    summary: bool = False  # of the curves of folds


# The parameters of a display

# Those that are columns of the curves, in the order of the fields of `Curve`.
COLUMNS = tuple("curve" if field == "kind" else field for field in Curve._fields)


def check_curves(columns: dict[str, Any]) -> list[Curve]:
    """The parameters of a display as one record per curve."""
    precision = columns["precision"]
    if not isinstance(precision, list) or not any(np.iterable(p) for p in precision):
        return [_check_curve(columns)]
    columns = {
        label: values
        if isinstance(values, list | np.ndarray)
        else [values] * len(precision)
        for label, values in columns.items()
    }
    for label, values in columns.items():
        if len(values) != len(precision):
            raise ValueError(
                f"`{label}` must have one entry per curve, {len(precision)}. Got "
                f"{len(values)}."
            )
    curves = zip(*columns.values(), strict=True)
    return [_check_curve(dict(zip(columns, curve, strict=True))) for curve in curves]


def _check_curve(columns):
    check_option(columns["curve"], "curve", KINDS["both"])
    optional = {
        label: None if columns[label] is None else check(columns[label], label)
        for label, check in _CHECKS.items()
    }
    curve = Curve(
        check_fractions(columns["precision"], "precision"),
        check_fractions(columns["recall"], "recall"),
        kind=columns["curve"],
        summary=check_flag(columns["summary"], "summary"),
        **optional,
    )
    shape, recall = curve.precision.shape, curve.recall
    if len(shape) != 1 or shape != recall.shape or len(recall) < 2:
        raise ValueError(
            "`precision` and `recall` must be of one length, two points at least. Got "
            f"shapes {shape} and {recall.shape}."
        )
    if np.any(np.diff(recall) > 0):
        raise ValueError(
            "`recall` must fall from point to point, as the curve functions return it. "
            "Reverse points in another order, e.g. `recall[::-1]`."
        )
    if np.any(empty := (curve.precision == 0) & (recall > 0)):
        raise ValueError(
            "`precision` must be above 0 where `recall` is: there are true positives. Got "
            f"0 at recall {recall[empty][0]}."
        )
    if curve.thresholds is not None and curve.thresholds.shape != (len(recall) - 1,):
        raise ValueError(
            "`thresholds` must be one fewer than points: the last point, at recall 0, has "
            f"none. Got shape {curve.thresholds.shape} for {len(recall)} points."
        )
    return curve


def check_name(name: Any, label: str = "name") -> str | None:
    """The name; raise TypeError for one that is no string."""
    if not isinstance(name, str | None):
        raise TypeError(
            f"`name` must be a string, or with several curves a list of one string per "
            f"curve. Got {name!r}; pass it as text, e.g. {str(name)!r}."
        )
    return name


def _check_value(value, label):
    if not np.isfinite(check_number(value, label)):
        raise ValueError(f"`{label}` must be finite, or None. Got {value}.")
    return float(value)


def _check_pair(pair, label):
    values = check_fractions(pair, label)
    if values.shape != (2,) or (label == "interval" and values[0] > values[1]):
        raise ValueError(
            f"`{label}` must be a pair of numbers, of an interval the lower limit first. "
            f"Got {pair!r}."
        )
    return values[0], values[1]


def _check_band(band, label):
    limits = check_fractions(band, label)
    shaped = limits.ndim == 2 and len(limits) == 3
    if not shaped or np.any(np.diff(limits[0]) < 0) or np.any(limits[1] > limits[2]):
        raise ValueError(
            f"`{label}` must have three rows: recall, rising, and the lowest and highest "
            f"precision there. Got shape {limits.shape}."
        )
    return limits


# The checks of optional columns.
_CHECKS: dict[str, Callable] = {
    "thresholds": lambda thresholds, label: as_numbers(np.asarray(thresholds), label),
    "auc_pr": _check_value,
    "aucnpr": _check_value,
    "name": check_name,
    "prevalence": lambda prevalence, label: check_prevalence(prevalence),
    "operating_point": _check_pair,
    "interval": _check_pair,
    "band": _check_band,
}


def parameters_of(curves: list[Curve]) -> dict[str, Any]:
    """Curves as the arguments of a display: lists only where there are several curves."""
    columns = zip(COLUMNS, map(list, zip(*curves, strict=True)), strict=True)
    return {label: v if len(curves) > 1 else v[0] for label, v in columns}


# The curves of a data set


def curves_of(data, curve, prevalence, name, *, band=None, interval=False):
    """The curves of one binary problem; parameters as `from_predictions` has them."""
    roc = every_threshold(data)
    try:
        require_classes(roc.n_pos, roc.n_neg, negatives=True)
    except MissingClassError as missing:
        raise ValueError(
            f"`y_true` has no {missing} samples: precision-recall curve and minimum curve "
            "need both classes. Pass data with both."
        ) from None
    limits = None if band is None else _band(data, roc, band)
    return [
        _curve_of(roc.at_prevalence(prevalence), kind, prevalence)._replace(
            name=name,
            band=limits,
            interval=_interval(data, prevalence, kind) if interval else None,
        )
        for kind in KINDS[curve]
    ]


def check_band(band, curve, prevalence):
    """Raise ValueError for a band whose coverage is not known."""
    check_option(band, "band", BANDS)
    if band is not None and curve != "empirical":
        raise ValueError(
            f"`band`={band!r} is that of the empirical curve; `curve`={curve!r} draws the "
            "achievable curve, which is optimistic on the data that it is made of, so that "
            'a band around it has no known coverage. Pass curve="empirical".'
        )
    if band is not None and prevalence is not None:
        raise ValueError(
            f"`band`={band!r} cannot be drawn with `prevalence`={prevalence}: the coverage "
            "of a band at a reference prevalence is not known. Leave out one of them."
        )


def _band(data, roc, band):
    """Recall, lowest and highest precision of a confidence band of the empirical curve."""
    quantile = SIMULTANEOUS_QUANTILE
    if band == "pointwise":
        quantile = pointwise_quantile(_CONFIDENCE_LEVEL)
    if data.weight is not None:
        quantile = quantile * design_effect(data, roc, _BAND_RECALL)
    return np.array([_BAND_RECALL, *precision_limits(roc, _BAND_RECALL, quantile)])


def _interval(data, prevalence, kind):
    """The interval of the AUC-PR; None if no resample differs, which says nothing."""
    metric, method = _INTERVALS[kind]
    options = {"confidence_level": _CONFIDENCE_LEVEL, "method": method, "random_state": 0}
    low, high = auc_pr_interval(
        data.positive,
        data.score,
        metric=metric,
        sample_weight=data.weight,
        prevalence=prevalence,
        **options,
    ).confidence_interval
    return (low, high) if high - low > _MIN_WIDTH else None


def _curve_of(roc, kind, prevalence):
    """The curve of a ROC curve at a prevalence; None is that of its samples."""
    roc = roc.hull() if kind == "achievable" else roc
    precision, recall, thresholds = curve_of(roc, PLOT_TOLERANCE, interpolated_evenly)
    if prevalence is None:
        n_pos = float(roc.n_pos)
        prevalence = n_pos / (n_pos + float(roc.n_neg))
    return Curve(
        precision,
        recall,
        thresholds,
        auc_pr=area(roc),
        aucnpr=normalized_area(roc),
        prevalence=prevalence,
        kind=kind,
    )


# Estimators


def estimator_curves(fold, response_method, pos_label, *, prevalence, **options):
    """The curves of a fitted classifier on some data, and its positive label."""
    pos_label = _positive_label(fold.estimator, pos_label)
    score = response_of(fold.estimator, fold.X, response_method, pos_label)
    data = check_binary(fold.y, score, pos_label, fold.sample_weight)
    curves = curves_of(data, prevalence=prevalence, **options)
    point = _operating_point(fold, pos_label, prevalence)
    return [curve._replace(operating_point=point) for curve in curves], pos_label


def _operating_point(fold, pos_label, prevalence):
    """Precision and recall of the predictions of a classifier that keeps thresholds.

    The predictions are a score of two values: its ROC curve has one point between.
    """
    if not keeps_thresholds(fold.estimator):
        return None
    predicted = np.asarray(fold.estimator.predict(fold.X) == pos_label, dtype=np.float64)
    data = check_binary(fold.y, predicted, pos_label, fold.sample_weight)
    if not data.score.any():
        return None
    fps, tps, _ = every_threshold(data).at_prevalence(prevalence).concatenated()
    return float(tps[1] / (tps[1] + fps[1])), float(tps[1] / tps[-1])


def _positive_label(estimator, pos_label):
    check_classifier(estimator)
    labels = classes_of(estimator).tolist()
    if pos_label is None and keeps_thresholds(estimator):
        pos_label = getattr(last_step(estimator), "pos_label", None)
    if pos_label is None:
        return labels[1]
    return labels[label_index(labels, pos_label, "`estimator` has")]


def keeps_thresholds(estimator: Any) -> bool:
    """Whether the estimator is, or ends in, a fitted HullThresholdClassifierCV."""
    fitted = ("thresholds_", "threshold_", "tuning_counts_", "operating_point_")
    return all(hasattr(last_step(estimator), name) for name in fitted)


def last_step(estimator):
    """The best estimator of a search, the last step of a pipeline, or the estimator."""
    estimator = getattr(estimator, "best_estimator_", estimator)
    steps = getattr(estimator, "steps", None)
    return steps[-1][1] if steps else estimator


# Folds


def fold_curves(folds, response_method, pos_label, curve, prevalence, summary, band):
    """Curves of all folds, kind by kind, then their summaries, and the positive label.

    A fold in which a class is missing is left out, with a warning. With a summary, all
    folds are at one prevalence; else `prevalence=None` keeps that of each fold.
    """
    for fold in folds:
        check_classifier(fold.estimator)
    pos_label = _positive_label(folds[0].estimator, pos_label)
    checked = check_folds(
        [fold.y for fold in folds],
        [response_of(f.estimator, f.X, response_method, pos_label) for f in folds],
        [fold.sample_weight for fold in folds],
        None,
        prevalence or ("pooled" if summary else 0.5),
        "empirical",
        pos_label,
    )
    at = checked.prevalence if summary else prevalence
    rocs = [every_threshold(data).at_prevalence(at) for data in checked.data_sets]
    points = [_operating_point(folds[i], pos_label, at) for i in checked.kept]
    curves = [
        _curve_of(roc, kind, at)._replace(operating_point=point)
        for kind in KINDS[curve]
        for roc, point in zip(rocs, points, strict=True)
    ]
    return curves + (summaries_of(checked, curve, band) if summary else []), pos_label


def summaries_of(folds, curve, band, name=None):
    """Summary curves of folds, one per kind; `folds` are empirical."""
    curves = []
    for kind in KINDS[curve]:
        if kind == "achievable":
            folds = folds._replace(rocs=[roc.hull() for roc in folds.rocs], curve=kind)
        limits = None
        if band is not None:
            limits = band_of_folds(folds, _FOLD_BAND_RECALL, band)
            limits = np.array([_FOLD_BAND_RECALL, *limits])
        precision, recall = curve_of_folds(folds)
        curves.append(
            Curve(
                precision,
                recall,
                auc_pr=area_of_folds(folds),
                aucnpr=area_of_folds(folds, metric="aucnpr"),
                name=name,
                prevalence=folds.prevalence,
                kind=kind,
                band=limits,
                summary=True,
            )
        )
    return curves


# Polylines


def polyline(curve: Curve) -> tuple[np.ndarray, np.ndarray]:
    """Recall and precision by rising recall, so dense that straight lines do not show."""
    recall, precision = curve.recall[::-1], curve.precision[::-1]
    if curve.summary:  # not the curve of one ROC curve: its points are dense enough
        return recall, precision
    inner = recall > 0
    t, f = recall[inner], recall[inner] * (1 - precision[inner]) / precision[inner]
    if not inner.all() and len(t):
        negatives_first = np.any(precision[~inner] == 0)
        t = np.concatenate(([0.0], t))
        f = np.concatenate(([f[0] if negatives_first else 0.0], f))
    f, t, _ = interpolated_evenly(f, t, PLOT_TOLERANCE)
    return t, precision_of(f, t)


def minimum_line(prevalence: float) -> tuple[np.ndarray, np.ndarray]:
    """Recall and precision of the minimum curve: all negatives come first."""
    fps, tps = np.full(2, (1 - prevalence) / prevalence), np.array([0.0, 1.0])
    fps, tps, _ = interpolated_evenly(fps, tps, PLOT_TOLERANCE)
    return tps, precision_of(fps, tps)


def iso_f1_line(level: float) -> tuple[np.ndarray, np.ndarray]:
    """Recall and precision where F1 has a value; symmetric in the two."""
    half = np.linspace(level, 1.0, 200)
    other = level * half / (2 * half - level)
    return np.concatenate((other[::-1], half)), np.concatenate((half[::-1], other))
