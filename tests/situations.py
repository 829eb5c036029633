"""Named situations on which every metric is tested, and the table of metrics."""

import warnings
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import average_precision_score

import sklearn_achievable_pr as apr


class Situation(NamedTuple):
    y_true: np.ndarray
    y_score: np.ndarray
    weight: np.ndarray | None = None


def _of(labels, scores, weight=None):
    return Situation(
        np.array(labels),
        np.array(scores, dtype=np.float64),
        None if weight is None else np.array(weight, dtype=np.float64),
    )


def random_problem(seed, n_rows, *, prevalence=0.4, n_levels=None, weights=None):
    """A noisy score, optionally with ties and weights; both classes are present."""
    rng = np.random.default_rng(seed)
    labels = (rng.random(n_rows) < prevalence).astype(int)
    labels[:2] = 0, 1
    scores = rng.normal(size=n_rows) + labels
    if n_levels is not None:
        scores = np.round(scores * n_levels / 6)
    weight = {
        None: lambda: None,
        "whole": lambda: rng.integers(0, 5, n_rows) + (np.arange(n_rows) < 2.0),
        "fractional": lambda: rng.random(n_rows) + 0.01,
    }[weights]()
    return Situation(labels, scores, weight)


# Both classes are present.
SITUATIONS = {
    "ties_at_top": _of([1, 0, 1, 0, 1, 0], [9, 9, 9, 4, 2, 1]),
    "ties_at_bottom": _of([1, 0, 1, 0, 1, 0], [9, 8, 7, 1, 1, 1]),
    "negatives_first": _of([0, 0, 1, 0, 1, 1, 0], [9, 8, 7, 6, 5, 4, 3]),
    "perfect": _of([1, 1, 1, 0, 0, 0, 0], [9, 8, 7, 6, 5, 4, 3]),
    "reversed": _of([0, 0, 0, 0, 1, 1, 1], [9, 8, 7, 6, 5, 4, 3]),
    "constant_score": _of([0, 1, 0, 1, 0, 0], [0.5] * 6),
    "one_positive": _of([0, 0, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1]),
    "one_negative": _of([1, 1, 0, 1, 1, 1], [6, 5, 4, 3, 2, 1]),
    "two_rows": _of([0, 1], [1.5, 2.5]),
    # (f, t) = (0, 1), (1, 2), (2, 3), (3, 4) lie on one line.
    "collinear_run": _of([1, 0, 1, 0, 1, 0, 1, 0], [9, 8, 8, 7, 7, 6, 6, 5]),
    "signed_zeros": _of([1, 0, 1, 0, 1, 0], [0.0, -0.0, 1.0, -1.0, -0.0, 0.0]),
    "both_signs": random_problem(0, 40),
    "tied": random_problem(1, 60, n_levels=8),
    "rare": random_problem(2, 90, prevalence=0.03),
    "common": random_problem(3, 80, prevalence=0.95, n_levels=12),
    "whole_weights": random_problem(4, 50, n_levels=10, weights="whole"),
    "fractional_weights": random_problem(5, 50, n_levels=10, weights="fractional"),
    "denormal_weight": _of(
        [1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1], [1, 5e-324, 5e-324, 2, 1, 1e-310]
    ),
    "denormal_weight_first": _of([1, 0, 1, 0], [4, 3, 2, 1], [1e-320, 1, 1, 2]),
    "tiny_weights": _of([1, 0, 1, 0, 1], [5, 4, 3, 2, 1], [1e-200, 3e-200] * 2 + [4e-200]),
    "huge_weights": _of([1, 0, 1, 0, 1], [5, 4, 3, 2, 1], [1e200, 3e200] * 2 + [4e200]),
}
UNWEIGHTED = {name: s for name, s in SITUATIONS.items() if s.weight is None}
# One class is missing: undefined values are NaN, with a warning.
SINGLE_CLASS = {
    "no_positives": _of([0, 0, 0, 0], [4, 3, 3, 1]),
    "no_negatives": _of([1, 1, 1, 1], [4, 3, 3, 1]),
}


def average_precision(y_true, y_score, *, sample_weight=None, prevalence=None):
    """That of scikit-learn, with negatives reweighted to a reference prevalence."""
    if prevalence is not None:
        weight = np.ones(len(y_true)) if sample_weight is None else sample_weight
        n_pos, n_neg = (weight[y_true == label].sum() for label in (1, 0))
        odds = (1 - prevalence) / prevalence * n_pos / n_neg
        sample_weight = np.where(y_true == 1, weight, odds * weight)
    return average_precision_score(y_true, y_score, sample_weight=sample_weight)


# The function of each `metric`.
FUNCTIONS = {
    "auc_pr_interpolated": apr.auc_pr_interpolated,
    "achievable_auc_pr": partial(apr.auc_pr_interpolated, curve="achievable"),
    "aucnpr": apr.aucnpr,
    "auprg": apr.auprg_score,
    "normalized_average_precision": apr.normalized_average_precision_score,
    "average_precision": average_precision,
}

_RANGES = [(0.0, 0.3), (0.25, 0.75), (0.5, 1.0)]

# name -> f(y_true, y_score, sample_weight=None), one number, at most 1.
AREAS = {
    "empirical_area": apr.auc_pr_interpolated,
    "achievable_area": partial(apr.auc_pr_interpolated, curve="achievable"),
    "area_at_prevalence": partial(apr.auc_pr_interpolated, prevalence=0.01),
    **{
        f"{curve}_area_over_{a}_{b}": partial(
            apr.auc_pr_interpolated, curve=curve, recall_range=(a, b)
        )
        for curve, (a, b) in product(("empirical", "achievable"), _RANGES)
    },
    "aucnpr": apr.aucnpr,
    "aucnpr_over_a_range": partial(apr.aucnpr, recall_range=(0.25, 0.75)),
    "aucnpr_at_prevalence": partial(apr.aucnpr, prevalence=0.9),
    "auprg": apr.auprg_score,
    "achievable_auprg": partial(apr.auprg_score, curve="achievable"),
    "normalized_average_precision": apr.normalized_average_precision_score,
}
# Functions of the same form that take no weights.
STEPWISE = {
    "davis_goadrich": partial(apr.auc_pr_interpolated, method="davis_goadrich"),
    "davis_goadrich_hull": partial(
        apr.auc_pr_interpolated, method="davis_goadrich", curve="achievable"
    ),
}
_RECALLS = [0.0, 0.1, 1 / 3, 0.5, 0.77, 1.0]
_PRECISIONS = [0.0, 0.2, 0.41, 0.6, 0.9, 1.0]
POINTS = {
    "precision_at_recall": partial(apr.precision_at_recall, recall=_RECALLS),
    "achievable_precision_at_recall": partial(
        apr.precision_at_recall, recall=_RECALLS, curve="achievable", prevalence=0.3
    ),
    "recall_at_precision": partial(apr.recall_at_precision, precision=_PRECISIONS),
    "achievable_recall_at_precision": partial(
        apr.recall_at_precision, precision=_PRECISIONS, curve="achievable"
    ),
}
# f(...) -> (x, y, thresholds)
VERTICES = {
    "empirical_vertices": partial(apr.pr_curve_interpolated, interpolate=False),
    "achievable_vertices": partial(apr.achievable_pr_curve, interpolate=False),
    "vertices_at_prevalence": partial(
        apr.achievable_pr_curve, interpolate=False, prevalence=0.2
    ),
    "roc_hull": apr.roc_convex_hull,
}
DENSE = {
    "empirical_curve": apr.pr_curve_interpolated,
    "achievable_curve": apr.achievable_pr_curve,
}
CURVES = {**VERTICES, **DENSE}
METRICS = {**AREAS, **STEPWISE, **POINTS, **CURVES}


def applies(metric, situation):
    """Whether a metric of the table takes this situation's weights."""
    return situation.weight is None or metric not in STEPWISE


def value(metric, y_true, y_score, weight=None, **options):
    """The result as a flat list of arrays, thresholds last, without warnings."""
    if weight is not None:
        options["sample_weight"] = weight
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        found = METRICS[metric](y_true, y_score, **options)
    return [np.asarray(part) for part in (found if metric in CURVES else (found,))]
