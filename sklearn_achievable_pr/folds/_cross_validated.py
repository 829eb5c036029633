"""Fitted classifiers and test samples of the folds of a cross-validation."""

from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import indexable

from .._input.arrays import as_column, check_weight
from .._input.estimators import (
    available_method,
    binary_scores,
    check_scoring_estimator,
    own_pos_label,
    take,
)
from .._input.frames import check_order


class Fold(NamedTuple):
    """A fitted classifier, its test samples, the positive label, scores and indices."""

    estimator: Any
    X: Any
    y: Any
    sample_weight: Any
    pos_label: Any
    score: Any
    indices: np.ndarray


def folds_of(cv_results, X, y, sample_weight, response_method, pos_label):
    """Yield one `Fold` per fold of a cross-validation, all with one positive label."""
    try:
        X, y, sample_weight = indexable(X, y, sample_weight)
        if X is None:
            raise TypeError("`X` is None")
    except (TypeError, ValueError) as error:
        raise type(error)(
            "`X`, `y` and, if passed, `sample_weight` must have one entry per sample that "
            f"was cross-validated. {str(error).rstrip('.')}."
        ) from error
    check_order(y=y, X=X, sample_weight=sample_weight)
    y = as_column(y, "y")
    sample_weight = check_weight(sample_weight, len(y))
    tests = _test_indices(cv_results, len(y))
    check_scoring_estimator(cv_results["estimator"][0])
    for estimator, test in zip(cv_results["estimator"], tests, strict=True):
        own = take(X, test), y[test]
        weight = None if sample_weight is None else sample_weight[test]
        method = available_method(estimator, response_method)
        pos_label = own_pos_label(estimator, pos_label)
        pos_label, score = binary_scores(estimator, *own, method, pos_label)
        yield Fold(estimator, *own, weight, pos_label, score, test)


def _test_indices(cv_results, n_samples):
    """Indices of the test samples of each fold; checks that there were so many samples."""
    tests = taken(cv_results, "test", repeat(np.arange(n_samples)))
    # Where the last sample is tested, there were no fewer. A dict that the user made may
    # have no training samples.
    last_tested = max(map(np.max, tests), default=-1)
    if last_tested == n_samples - 1 or "train" not in cv_results["indices"]:
        return tests
    trains = taken(cv_results, "train", repeat(np.arange(n_samples)))
    is_used = np.zeros(n_samples, dtype=bool)
    is_used[np.concatenate(tests + trains)] = True
    n_used = np.count_nonzero(is_used)
    # A splitter may leave samples out of all folds, but hardly just the last ones.
    if n_used < n_samples and is_used[:n_used].all():
        raise ValueError(
            "`cv_results` must be the result of cross_validate for this `X` and `y`. Its "
            f"folds divide {n_used} samples, and `y` has {n_samples}: pass the data that "
            "were passed to cross_validate or, if its splitter leaves the last samples "
            f"out, `X[:{n_used}]` and `y[:{n_used}]`."
        )
    return tests


def taken(cv_results, part, columns):
    """Entries of the column of each fold, for its "train" or "test" samples."""
    try:
        indices = cv_results["indices"][part]
        found = [column[own] for column, own in zip(columns, indices, strict=False)]
        if not len(cv_results["estimator"]) == len(indices) == len(found):
            raise ValueError("different numbers of estimators and folds")
        for i, one in enumerate(found):
            if one.ndim != 1 or len(one) == 0:
                raise ValueError(
                    f"the {part} indices of fold {i} are empty or not one-dimensional"
                )
    except (IndexError, KeyError, TypeError, ValueError) as error:
        found = f"{type(error).__name__}: {error}"
        if isinstance(error, KeyError):
            found = f"no key {error}"
        raise ValueError(
            "`cv_results` must be what cross_validate returns for this `X` and `y`, with "
            f"return_estimator=True and return_indices=True. Got {found}."
        ) from error
    return found
