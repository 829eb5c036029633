"""What a display draws: the curves of labels and scores, of estimators and of folds.

The numbers come from the public measures of one `Path` a curve.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._input.estimators import (
    check_classifier,
    classes_of,
    label_index,
    response_of,
)
from .._input.labels import check_binary
from .._input.options import (
    check_flag,
    check_fractions,
    check_option,
    check_prevalence,
    require_classes,
)
from .._roc.counting import breakpoints, every_threshold
from .._roc.curve import PLOT_TOLERANCE, interpolated_evenly
from .._uncertainty.inference import precision_band
from .._uncertainty.standard_error import Sample
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


# What a band can be: of the curve of some data, and of the summary of folds.
BANDS, FOLD_BANDS = (None, "pointwise"), (None, "folds", "resampled")
# Metric and method of the interval of each curve's area.
_INTERVALS = {
    "empirical": ("auc_pr_interpolated", "beta"),
    "achievable": ("achievable_auc_pr", "percentile"),
}
_LEVEL, _N_RESAMPLES = 0.95, 499
_NO_WIDTH = 1e-9
# Where a band has points.
_BAND_RECALL = np.linspace(0, 1, 251)


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
    interval: tuple[float, float] | None = None  # of the area
    band: np.ndarray | None = None  # recall, lowest and highest precision, one a row
    summary: bool = False  # of the curves of folds


# The parameters of a display


def checked_curves(precision: Any, recall: Any, **others: Any) -> list[Curve]:
    """One curve for each of several, their parameters checked."""
    check_name(others["name"])
    several = (
        isinstance(precision, list | tuple)
        and len(precision) > 0
        and np.ndim(precision[0]) == 1
    )
    n_curves = len(precision) if several else 1
    given = {"precision": precision, "recall": recall, **others}
    columns = [
        _one_a_curve(values, label, n_curves) if several else [values]
        for label, values in given.items()
    ]
    return [
        _check_curve(**dict(zip(given, row, strict=True)))
        for row in zip(*columns, strict=True)
    ]


def check_name(name: Any, *, several: bool = True) -> None:
    """Refuse what names no curve; None passes."""
    names = name if several and isinstance(name, list | tuple) else [name]
    for each in names:
        if not isinstance(each, str | None):
            raise TypeError(
                "`name` must be a string"
                + (" or a list of one string a curve" if several else "")
                + f". Got {each!r}; pass it as text, e.g. {str(each)!r}."
            )


def _one_a_curve(values, label, n_curves):
    if not isinstance(values, list | np.ndarray):
        return [values] * n_curves
    if len(values) != n_curves:
        raise ValueError(
            f"`{label}` must have one entry a curve, {n_curves}. Got {len(values)}."
        )
    return list(values)


def _check_curve(
    *, precision, recall, thresholds, curve, prevalence, interval, band, summary, **others
):
    check_option(curve, "curve", KINDS["both"])
    precision = check_fractions(precision, "precision")
    recall = check_fractions(recall, "recall")
    if precision.ndim != 1 or precision.shape != recall.shape or len(recall) < 2:
        raise ValueError(
            "`precision` and `recall` must be of one length, two points at least. Got "
            f"shapes {precision.shape} and {recall.shape}."
        )
    if np.any(np.diff(recall) > 0):
        raise ValueError(
            "`recall` must fall from point to point, as the curve functions return it. "
            "Turn points in another order round, e.g. `recall[::-1]`."
        )
    if np.any((precision == 0) & (recall > 0)):
        raise ValueError(
            "`precision` must be above 0 where `recall` is: there are true positives. Got "
            f"0 at recall {recall[(precision == 0) & (recall > 0)][0]}."
        )
    if thresholds is not None:
        thresholds = np.asarray(thresholds)
        if thresholds.shape != (len(recall) - 1,):
            raise ValueError(
                "`thresholds` must be one fewer than points: the last, at recall 0, has "
                f"none. Got shape {thresholds.shape} for {len(recall)} points."
            )
    return Curve(
        precision,
        recall,
        thresholds,
        prevalence=check_prevalence(prevalence),
        kind=curve,
        interval=None if interval is None else _check_interval(interval),
        band=None if band is None else _check_band(band),
        summary=check_flag(summary, "summary"),
        **others,
    )


def _check_interval(interval):
    limits = check_fractions(interval, "interval")
    if limits.shape != (2,) or limits[0] > limits[1]:
        raise ValueError(
            f"`interval` must be a pair, the lower limit first. Got {interval!r}."
        )
    return limits[0], limits[1]


def _check_band(band):
    limits = check_fractions(band, "band")
    if limits.ndim != 2 or len(limits) != 3:
        raise ValueError(
            "`band` must have three rows: recall, lowest and highest precision. Got shape "
            f"{limits.shape}."
        )
    recall, low, high = limits
    if np.any(np.diff(recall) < 0) or np.any(low > high):
        raise ValueError(
            "`band` must have its first row, the recall, rising, and its second row, the "
            "lowest precision, nowhere above the third."
        )
    return limits


def parameters_of(curves: list[Curve]) -> dict[str, Any]:
    """Curves as the arguments of the display: lists only where there are several."""
    columns: dict[str, Any] = {
        field: [getattr(curve, field) for curve in curves] for field in Curve._fields
    }
    columns["curve"] = columns.pop("kind")
    if len(curves) == 1:
        return {label: value for label, (value,) in columns.items()}
    if len(set(columns["name"])) == 1:
        columns["name"] = columns["name"][0]
    for field in ("thresholds", "operating_point", "interval", "band"):
        if all(value is None for value in columns[field]):
            columns[field] = None
    if not any(columns["summary"]):
        columns["summary"] = False
    return columns


# Labels and scores


def curves_of(data, curve, prevalence, name, *, every, band=None, interval=False):
    """The curves of one binary problem.

    Parameters
    ----------
    data : BinaryData
    curve, prevalence, name, band, interval
        As `AchievablePRDisplay.from_predictions` has them.
    every : bool
        Whether every threshold is to be a point. Corners give the same curve with fewer.

    Returns
    -------
    list of Curve

    Raises
    ------
    MissingClassError
    """
    roc = (every_threshold if every else breakpoints)(data)
    require_classes(roc.n_pos, roc.n_neg, negatives=True)
    roc = roc.at_prevalence(prevalence)
    curves = [_curve_of(roc, kind, prevalence, name) for kind in KINDS[curve]]
    return [
        found._replace(
            band=None if band is None else _band(data, prevalence, found.kind),
            interval=_interval(data, prevalence, found.kind) if interval else None,
        )
        for found in curves
    ]


def _band(data, prevalence, kind):
    """The same for the same data."""
    rng = np.random.default_rng(0)
    sample = Sample(data, None, False)
    limits = precision_band(
        sample, _BAND_RECALL, _LEVEL, _N_RESAMPLES, rng, prevalence, kind
    )
    return np.array([_BAND_RECALL, *limits])


def _interval(data, prevalence, kind):
    """The same for the same data; None if no resample differs, which says nothing."""
    metric, method = _INTERVALS[kind]
    found = auc_pr_interval(
        data.positive,
        data.score,
        metric=metric,
        confidence_level=_LEVEL,
        method=method,
        sample_weight=data.weight,
        prevalence=prevalence,
        random_state=0,
    )
    low, high = found.confidence_interval
    return (low, high) if high - low > _NO_WIDTH else None


def _curve_of(roc, kind, prevalence, name=None):
    """The curve of a ROC curve that has the prevalence; None is that of its rows."""
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
        name=name,
        prevalence=prevalence,
        kind=kind,
    )


# Estimators


def estimator_curves(fold, response_method, pos_label, **options):
    """The curves of a fitted classifier on some data, and its positive label.

    Parameters
    ----------
    fold : Fold
    response_method, pos_label
        As `AchievablePRDisplay.from_estimator` has them.
    **options
        What else `curves_of` takes.

    Returns
    -------
    curves : list of Curve
    pos_label : int, float, bool or str

    Raises
    ------
    MissingClassError
    """
    estimator, X, y, sample_weight = fold
    pos_label = _positive_label(estimator, pos_label)
    score = response_of(estimator, X, response_method, pos_label)
    curves = curves_of(check_binary(y, score, pos_label, sample_weight), **options)
    point = _operating_point(fold, pos_label, options["prevalence"])
    return [curve._replace(operating_point=point) for curve in curves], pos_label


def _operating_point(fold, pos_label, prevalence):
    """Precision and recall of what is predicted where it has frozen thresholds.

    What is predicted is a score of two values: its ROC curve has one point between.
    """
    if not is_frozen(fold.estimator):
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
    if pos_label is None and is_frozen(estimator):
        pos_label = getattr(_last_step(estimator), "pos_label", None)
    if pos_label is None:
        return labels[1]
    return labels[label_index(labels, pos_label, "`estimator` has")]


def is_frozen(estimator: Any) -> bool:
    """Whether the estimator, or the last step of it, keeps a hull's thresholds."""
    return all(
        hasattr(_last_step(estimator), fitted)
        for fitted in ("thresholds_", "threshold_", "tuning_counts_", "operating_point_")
    )


def _last_step(estimator):
    estimator = getattr(estimator, "best_estimator_", estimator)
    steps = getattr(estimator, "steps", None)
    return steps[-1][1] if steps else estimator


def missing_class(missing):
    """The error of a picture for which a class is missing."""
    lost = {
        "positive": "no precision-recall curve",
        "negative": "no floor and no AUCNPR",
    }[str(missing)]
    return ValueError(
        f"`y_true` has no {missing} samples: there is {lost}. Draw data with both classes."
    )


# Folds


def fold_curves(folds, response_method, pos_label, *, curve, prevalence, every):
    """Curves of all folds, kind by kind, and the positive label.

    A fold in which a class is missing is left out, with a warning.

    Parameters
    ----------
    folds : list of Fold
    response_method, pos_label, curve, prevalence
        As `AchievablePRDisplay.from_cv_results` has them without a summary.
    every : bool
        As `curves_of` has it.

    Returns
    -------
    curves : list of Curve
    pos_label : int, float, bool or str
    """
    found, pos_label = _checked_folds(folds, response_method, pos_label, prevalence or 0.5)
    if prevalence is None:
        own = [roc._replace(negative_weight=1.0) for roc in found.rocs]
        found = found._replace(rocs=own)
    return _curves_of_folds(folds, found, pos_label, curve, prevalence, every), pos_label


def summarised_curves(folds, response_method, pos_label, *, curve, prevalence, every, band):
    """Curves of all folds at one prevalence, then their summaries, and the positive label.

    Parameters
    ----------
    folds : list of Fold
    response_method, pos_label, curve, prevalence, band
        As `AchievablePRDisplay.from_cv_results` has them with a summary.
    every : bool
        As `curves_of` has it.

    Returns
    -------
    curves : list of Curve
    pos_label : int, float, bool or str
    """
    prevalence = "pooled" if prevalence is None else prevalence
    found, pos_label = _checked_folds(folds, response_method, pos_label, prevalence)
    curves = _curves_of_folds(folds, found, pos_label, curve, found.prevalence, every)
    return curves + summaries_of(found, curve, band), pos_label


def summaries_of(found, curve, band, name=None):
    """Summary curves of folds, one a kind.

    Parameters
    ----------
    found : Folds
        Their empirical ROC curves.
    curve : {"empirical", "achievable", "both"}
    band : {"folds", "resampled"} or None
    name : str or None

    Returns
    -------
    list of Curve
    """
    curves = []
    for kind in KINDS[curve]:
        if kind == "achievable":
            hulls = [roc.hull() for roc in found.rocs]
            found = found._replace(rocs=hulls, curve=kind)
        limits = None
        if band is not None:
            limits = np.array([_BAND_RECALL, *band_of_folds(found, _BAND_RECALL, band)])
        precision, recall = curve_of_folds(found)
        curves.append(
            Curve(
                precision,
                recall,
                auc_pr=area_of_folds(found),
                aucnpr=area_of_folds(found, metric="aucnpr"),
                name=name,
                prevalence=found.prevalence,
                kind=kind,
                band=limits,
                summary=True,
            )
        )
    return curves


def _checked_folds(folds, response_method, pos_label, prevalence):
    """Folds with both classes at a prevalence, and the positive label."""
    for fold in folds:
        check_classifier(fold.estimator)
    pos_label = _positive_label(folds[0].estimator, pos_label)
    scores = [
        response_of(fold.estimator, fold.X, response_method, pos_label) for fold in folds
    ]
    labels, weights = [fold.y for fold in folds], [fold.sample_weight for fold in folds]
    return (
        check_folds(labels, scores, weights, None, prevalence, "empirical", pos_label),
        pos_label,
    )


def _curves_of_folds(folds, found, pos_label, curve, prevalence, every):
    """Curves of the folds that were found to have both classes, kind by kind."""
    curves = []
    points = [_operating_point(folds[i], pos_label, prevalence) for i in found.kept]
    for kind in KINDS[curve]:
        for roc, data, point in zip(found.rocs, found.data_sets, points, strict=True):
            if every:
                roc = every_threshold(data).at_prevalence(prevalence)
            curves.append(_curve_of(roc, kind, prevalence)._replace(operating_point=point))
    return curves
