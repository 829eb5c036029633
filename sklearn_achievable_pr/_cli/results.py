"""Files to the values and curves that the program prints, writes and draws."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import trapezoid
from sklearn.exceptions import UndefinedMetricWarning

from .._input.labels import BinaryData
from .._input.options import check_counts
from .._roc.counting import every_threshold, from_counts
from .._roc.curve import ROCCurve
from ..areas import area, average_precision, davis_goadrich_area, normalized_area
from ..curves import curve_of
from ..unachievable import auc_pr_min
from .beyond_memory import BOUND_TITLES, bounds_of, exact_of, room_for_rows
from .by_fold import folds_of, parts_of, rows_of, summary_of
from .files import ColumnSpec, FileError, Table, read_scores
from .how_sure import INTERVAL_TITLES, Scored, heard, interval_of
from .opened import opened, shown_name
from .points import read_points

CURVES = ("empirical", "achievable")
ALL_RECALLS = (0.0, 1.0)
_MOST_STEPS = 10**8
# The keys of a result's values, and what the table calls them: of what, and which.
_OF_WHAT = {
    "n": "n",
    "positives": "positives",
    "prevalence": "prevalence",
    "assumed_prevalence": "assumed prevalence",
    "recall_low": "from recall",
    "recall_high": "to recall",
}
_FLOOR = {"auc_pr_min": "floor of AUC-PR"}
_EXACT = {
    "auc_pr": "AUC-PR, exact",
    "auc_pr_achievable": "AUC-PR, achievable",
    "aucnpr": "AUCNPR",
    **_FLOOR,
    "auc_pr_davis_goadrich": "AUC-PR, as AUCCalculator",
    "average_precision": "average precision",
    "auc_roc": "AUC-ROC",
}


class Curve(NamedTuple):
    """Points of a curve by falling recall, and its areas over the recalls asked for."""

    precision: np.ndarray
    recall: np.ndarray
    thresholds: np.ndarray
    auc_pr: float
    aucnpr: float | None  # None without negatives, as the next
    prevalence: float | None
    summary: bool = False  # of folds
    band: np.ndarray | None = None


class Result(NamedTuple):
    """All that the scores of one column of one file give."""

    file: str
    score: str  # the column; "" if one column a file is read
    values: dict[str, Any]  # by the keys of `titles`; NaN undefined, None not meant
    curves: dict[str, Curve]  # by kind; empty if none was asked for
    notes: tuple[str, ...] = ()  # what there is to warn of
    fold: str | None = ""  # "" if none are read, None for their summary


def asked_of(options) -> ColumnSpec:
    """The columns that are asked for."""
    scores = tuple(dict.fromkeys(options.score))
    texts = dict.fromkeys(filter(None, (options.groups, options.fold)))
    return ColumnSpec(scores, options.label, options.weight, options.pos_label, (*texts,))


def titles(options) -> dict[str, str]:
    """Keys of the values, and what the table calls them."""
    if options.bounds:
        return _OF_WHAT | BOUND_TITLES | _FLOOR
    how_sure = {} if options.interval is None else INTERVAL_TITLES
    return _OF_WHAT | _EXACT | how_sure


def results_of(file: str, options, kept: list[Scored]) -> Iterator[Result]:
    """A result for each column of scores of a file, or for each of its folds.

    Parameters
    ----------
    file : str
    options : argparse.Namespace
    kept : list of Scored
        Where columns are kept that are to be compared.

    Yields
    ------
    Result
    """
    if options.points:
        yield _of_points(file, options)
        return
    name = shown_name(file)
    if options.bounds:
        yield from _of_tables(file, options, bounds_of(file, asked_of(options), options))
        return
    data = read_scores(opened(file), name, asked_of(options), room_for_rows(options))
    if data is None:
        yield from _of_tables(file, options, exact_of(file, asked_of(options), options))
        return
    for column, score in data.scores.items():
        result = Result(file, column if len(data.scores) > 1 else "", {}, {})
        if options.fold is not None:
            yield from _of_folds(result, data, score, options)
        else:
            yield _of_rows(result, data, score, options)
        if options.compare:
            called = (file if len(options.files) > 1 else "", result.score)
            kept.append(Scored(name, ": ".join(filter(None, called)), data, score))


def _of_points(file: str, options) -> Result:
    n_pos, n_neg = options.n_pos, options.n_neg
    if os.path.isdir(file):
        raise FileError(f"{shown_name(file)}: is a folder: --points reads files.")
    for stream, name, on_bytes in opened(file):
        fps, tps = read_points(stream, name, options.points, n_pos, n_neg, on_bytes)
    path = from_counts(*check_counts(tps, fps, n_pos, n_neg))
    n = {"n": n_pos + n_neg, "positives": n_pos}
    return _measured(Result(file, "", n, {}), path, max(1, n_pos / _MOST_STEPS), options)


def _of_tables(file: str, options, found) -> Iterator[Result]:
    """A result for each column that is measured some rows at a time."""
    for column, (values, notes) in found.items():
        name = column if len(found) > 1 else ""
        values = dict.fromkeys(titles(options)) | _as_asked(options) | values
        yield Result(file, name, values, {}, notes)


def _as_asked(options):
    low, high = options.recall_range
    return {
        "assumed_prevalence": options.prevalence,
        "recall_low": low,
        "recall_high": high,
    }


def _of_rows(result: Result, data: Table, score, options) -> Result:
    n = {"n": len(data.positive), "positives": int(np.count_nonzero(data.positive))}
    spacing = 1
    if data.weight is not None and n["positives"]:
        spacing = data.weight[data.positive].mean()
    path = every_threshold(BinaryData(data.positive, score, data.weight))
    result = _measured(result._replace(values=n), path, spacing, options)
    return _how_sure(result, data, score, options)


def _of_folds(result: Result, data: Table, score, options) -> Iterator[Result]:
    """A result a fold, all at one prevalence, then that of their summary."""
    parts, name = parts_of(data, options.fold), shown_name(result.file)
    notes: list[str] = []
    with heard(notes, UndefinedMetricWarning):
        found = folds_of(parts, data, score, options.prevalence, name)
    at = argparse.Namespace(**vars(options) | {"prevalence": found.prevalence})
    for fold, rows in parts.items():
        of_fold = result._replace(fold=fold)
        yield _of_rows(of_fold, rows_of(data, rows), score[rows], at)
    which = options.which if options.curve or options.plot else None
    low, high = options.recall_range
    measured, drawn = summary_of(found, (low, high), which)
    values = dict.fromkeys(titles(at)) | _as_asked(at) | measured
    values["n"] = len(data.positive)
    values["positives"] = int(np.count_nonzero(data.positive))
    values["prevalence"] = float(np.average(data.positive, weights=data.weight))
    curves = {}
    for c in drawn:
        nowhere = np.full(len(c.recall) - 1, np.nan)
        areas = c.auc_pr, c.aucnpr, c.prevalence
        curves[c.kind] = Curve._make((c.precision, c.recall, nowhere, *areas, True, c.band))
    yield result._replace(values=values, curves=curves, notes=(*notes,), fold=None)


def _measured(result: Result, path: ROCCurve, spacing: float, options) -> Result:
    """The result with what a path through every threshold gives."""
    low, high = options.recall_range
    found = float(path.n_pos / (path.n_pos + path.n_neg))
    values = dict.fromkeys(_OF_WHAT | _EXACT, math.nan) | _as_asked(options) | result.values
    values["prevalence"] = found
    takes_steps = options.weight is None and path.n_pos <= _MOST_STEPS
    values["auc_pr_davis_goadrich"] = math.nan if takes_steps else None
    mixed = found < 1
    if found == 0 or not (mixed or options.prevalence is None):
        return result._replace(values=values)
    if mixed:
        values["auc_roc"] = _area_under_roc(path)
    path = path.at_prevalence(options.prevalence)
    hull = path.hull()
    prevalence, curves = options.prevalence or found, {}
    values["auc_pr"] = area(path, low, high)
    values["auc_pr_achievable"] = area(hull, low, high)
    values["aucnpr"] = normalized_area(path, low, high) if mixed else math.nan
    values["auc_pr_min"] = auc_pr_min(prevalence, (low, high)) if mixed else high - low
    values["average_precision"] = average_precision(path)
    if takes_steps:
        values["auc_pr_davis_goadrich"] = davis_goadrich_area(path, low, high)
    for kind, curve in zip(CURVES, (path, hull), strict=True):
        if (options.curve or options.plot) and options.which in (kind, "both"):
            normalized = normalized_area(curve, low, high) if mixed else None
            measures = area(curve, low, high), normalized, prevalence if mixed else None
            curves[kind] = Curve._make((*curve_of(curve, spacing), *measures, False, None))
    return result._replace(values=values, curves=curves)


def _area_under_roc(path):
    # Of rates: products of large weights overflow.
    n_pos, n_neg = float(path.n_pos), float(path.n_neg)
    parts = (trapezoid(part.tps / n_pos, part.fps / n_neg) for part in path.parts)
    return math.fsum(map(float, parts))


def _how_sure(result: Result, data: Table, score, options) -> Result:
    """The result with the interval, if that is asked for."""
    if options.interval is None:
        return result
    rows = {"sample_weight": data.weight, "groups": data.texts.get(options.groups)}
    notes: list[str] = []
    with heard(notes):
        values = interval_of(data.positive, score, options, **rows)
    return result._replace(values=result.values | values, notes=(*notes,))


def undefined(values):
    """What to say of the values that are undefined; None if none is."""
    if values["positives"] == 0:
        return "has no positives: every area is undefined"
    if values["positives"] < values["n"]:
        return None
    if values["assumed_prevalence"] is None:
        of_rows = values.get("auc_roc") is not None
        what = "AUCNPR and AUC-ROC are" if of_rows else "AUCNPR is"
        return f"has no negatives: {what} undefined"
    return "has no negatives: nothing can be told of another prevalence, all is undefined"
