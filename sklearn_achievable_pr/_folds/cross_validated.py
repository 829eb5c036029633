"""Fitted classifiers and test samples of the folds of a cross-validation."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import indexable

from .._input.arrays import as_column, check_weight
from .._input.estimators import take


class Fold(NamedTuple):
    """A fitted classifier and its test samples."""

    estimator: Any
    X: Any
    y: Any
    sample_weight: Any


def folds_of(cv_results, X, y, sample_weight):
    """List with one `Fold` per fold of a cross-validation."""
    X, y, sample_weight = indexable(X, y, sample_weight)
    y, sample_weight = as_column(y, "y"), check_weight(sample_weight, len(y))
    try:
        tests = [np.arange(len(y))[test] for test in cv_results["indices"]["test"]]
        folds = list(zip(cv_results["estimator"], tests, strict=True))
        if min(len(test) for test in tests) == 0:
            raise ValueError("a fold has no samples")
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            "`cv_results` must have the keys 'estimator' and 'indices', as cross_validate "
            "returns them for this `X` and `y` with return_estimator=True and "
            f"return_indices=True. Got {type(error).__name__}: {error}."
        ) from error
    columns = X, y, sample_weight
    return [
        Fold(estimator, *(None if c is None else take(c, test) for c in columns))
        for estimator, test in folds
    ]
