"""The folds of a column of scores, and their summary."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._plot.display_data import Curve, summaries_of
from ..folds import Folds, area_of_folds, check_folds
from ..unachievable import auc_pr_min
from .files import FileError, Table


def parts_of(data: Table, column: str) -> dict[str, np.ndarray]:
    """The rows of each fold, by their text in a column, in order of appearance."""
    texts = data.texts[column]
    return {text: np.flatnonzero(texts == text) for text in dict.fromkeys(texts.tolist())}


def rows_of(data: Table, rows: np.ndarray) -> Table:
    """Some rows, without their scores."""
    weight = None if data.weight is None else data.weight[rows]
    texts = {column: texts[rows] for column, texts in data.texts.items()}
    return Table({}, data.positive[rows], weight, texts)


def folds_of(parts: dict, data: Table, score, prevalence, file: str) -> Folds:
    """Folds with both classes at one prevalence.

    Parameters
    ----------
    parts : dict
        As `parts_of` returns them.
    data : Table
    score : ndarray
    prevalence : float or None
        None takes that of all rows.
    file : str
        What errors call it.

    Returns
    -------
    Folds
    """
    each = [data.positive[rows] for rows in parts.values()]
    if not any(positive.any() and not positive.all() for positive in each):
        raise FileError(f"{file}: --fold: no fold has rows of both classes.")
    weights = None
    if data.weight is not None:
        weights = [data.weight[rows] for rows in parts.values()]
    scores = [score[rows] for rows in parts.values()]
    wanted = "pooled" if prevalence is None else prevalence
    return check_folds(each, scores, weights, None, wanted, "empirical", None)


def summary_of(
    found: Folds, recall_range, which: str | None
) -> tuple[dict[str, Any], list[Curve]]:
    """Values of the summary by their keys, and its curves with the same areas.

    Parameters
    ----------
    found : Folds
        Their empirical paths.
    recall_range : (float, float)
    which : {"empirical", "achievable", "both"} or None
        The curves to make; None makes none.

    Returns
    -------
    values : dict
    curves : list of Curve
    """
    low, high = recall_range
    hulls = [path.hull() for path in found.rocs]
    of_kind = {
        "empirical": found,
        "achievable": found._replace(rocs=hulls, curve="achievable"),
    }
    areas = {k: area_of_folds(f, low=low, high=high) for k, f in of_kind.items()}
    values = {
        "auc_pr": areas["empirical"],
        "auc_pr_achievable": areas["achievable"],
        "aucnpr": area_of_folds(found, metric="aucnpr", low=low, high=high),
        "auc_pr_min": auc_pr_min(found.prevalence, (low, high)),
    }
    if which is None:
        return values, []
    band = "folds" if len(found.rocs) > 1 else None
    curves = []
    for curve in summaries_of(found, which, band):
        of = of_kind[curve.kind]
        normalized = area_of_folds(of, metric="aucnpr", low=low, high=high)
        curves.append(curve._replace(auc_pr=areas[curve.kind], aucnpr=normalized))
    return values, curves
