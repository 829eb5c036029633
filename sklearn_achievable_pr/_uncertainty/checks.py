"""Checks of the options of intervals and tests."""

from __future__ import annotations

import math
import numbers

import numpy as np

from .._input.arrays import as_column, check_same_length, check_weight, is_missing
from .._input.options import check_flag, check_number, check_option, listed
from .._metrics import SMOOTH
from .inference import FROM_RESAMPLES
from .limits import tail_of


def check_clusters(groups, y_true, sample_weight, fixed_class_counts=False):
    """Cluster labels as integers, for the samples of positive weight; None stays None."""
    if check_flag(fixed_class_counts, "fixed_class_counts") and groups is not None:
        raise ValueError(
            "`fixed_class_counts` cannot be combined with `groups`: clusters are drawn "
            "whole, with as many samples of each class as they have. Leave out one of them."
        )
    if groups is None:
        return None
    groups, target = as_column(groups, "groups"), as_column(y_true, "y_true")
    check_same_length("y_true", target, "groups", groups)
    if sample_weight is not None:
        groups = groups[check_weight(sample_weight, len(groups)) > 0]
    if len(groups) and groups.dtype.kind in "iu" and groups.dtype != np.uint64:
        # Integers of a small range are counted, which costs less than sorting them.
        lowest, highest = int(groups.min()), int(groups.max())
        if highest - lowest < 4 * len(groups):
            offset = groups.astype(np.int64) - lowest
            present = np.bincount(offset) > 0
            return (np.cumsum(present) - 1)[offset]
    if groups.dtype.kind in "biuU":
        return np.unique(groups, return_inverse=True)[1].reshape(-1)
    labels = groups.tolist()
    number = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    if any(map(is_missing, number)):
        raise ValueError(
            "`groups` has missing labels (None or NaN). Give each of these samples a group "
            "of its own, or drop them."
        )
    return np.array([number[label] for label in labels], dtype=np.int64)


def check_options(
    metric, method, methods, confidence_level, alternative, n_resamples, random_state
):
    """The checked options that `interval` and `comparison` share.

    `methods` is a pair: methods for metrics with an influence function, and methods for all
    metrics.
    """
    for_smooth, for_all = methods
    check_option(method, "method", for_smooth + for_all)
    if method in for_smooth and metric not in SMOOTH:
        raise ValueError(
            f"`method`={method!r} is for the metrics {' and '.join(map(repr, SMOOTH))}. "
            f"Pass method={' or '.join(map(repr, for_all))} for {metric!r}."
        )
    check_level(confidence_level, alternative)
    least, why = 2, ""
    if method in FROM_RESAMPLES:
        # The k-th smallest of B resamples is their quantile at k / (B + 1).
        least = max(2, math.ceil(1 / tail_of(confidence_level, alternative) - 1e-9) - 1)
        why = f" for percentile limits at `confidence_level`={confidence_level}"
    check_n_resamples(n_resamples, least, why)
    return {
        "method": method,
        "confidence_level": confidence_level,
        "alternative": alternative,
        "n_resamples": n_resamples,
        "random_state": random_state,
    }


def check_level(confidence_level, alternative):
    """Raise unless `confidence_level` and `alternative` are valid."""
    check_inside(confidence_level, "confidence_level", 0, 1)
    check_option(alternative, "alternative", ("two-sided", "less", "greater"))


def check_inside(value, name, low, high):
    """A number strictly between two bounds as a float."""
    number = check_number(value, name)
    if not low < number < high:
        raise ValueError(f"`{name}` must be inside ({low}, {high}). Got {value}.")
    return number


def check_n_resamples(n_resamples, least=2, why=""):
    if not isinstance(n_resamples, numbers.Integral) or isinstance(n_resamples, bool):
        raise TypeError(f"`n_resamples` must be an integer. Got {n_resamples!r}.")
    if n_resamples < least:
        raise ValueError(f"`n_resamples` must be at least {least}{why}. Got {n_resamples}.")


def scores_by_name(y_scores):
    """The scores of each model, from a mapping or a DataFrame."""
    if hasattr(y_scores, "items"):
        named = list(y_scores.items())
    elif hasattr(y_scores, "iter_columns"):
        named = [(column.name, column) for column in y_scores.iter_columns()]
    else:
        raise TypeError(
            "`y_scores` must be a mapping of names to scores, or a pandas or Polars "
            f"DataFrame with one column per model. Got {type(y_scores).__name__}."
        )
    scores = dict(named)
    if len(scores) < max(2, len(named)):
        raise ValueError(
            "`y_scores` must have at least two models with different names. Got "
            f"{listed([name for name, _ in named])}."
        )
    if not all(isinstance(name, str) for name in scores):
        raise TypeError(
            f"The names in `y_scores` must be strings. Got {listed([*scores])}."
        )
    return scores
