"""Fitted classifiers and test samples of the folds of a cross-validation."""

import reprlib
from collections.abc import Mapping
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import indexable

from .._input.arrays import as_column, check_weight
from .._input.estimators import (
    RESPONSE_METHODS,
    available_method,
    check_scoring_estimator,
    one_class_scores,
    own_pos_label,
    take,
)
from .._input.frames import check_order
from .._input.labels import distinct_labels, need_no_name, warn_of_labels
from .._input.options import check_option
from .cv_results_from_scores import GivenScores

# The way out for the results of a regressor.
_OF_PREDICTIONS = "cv_results_from_scores(cross_val_predict(model, X, y, cv=cv), test_fold)"


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
    if are_scores(cv_results):
        data = cv_results, y, sample_weight, response_method, pos_label
        yield from _folds_of_scores(*data)
        return
    y, sample_weight, tests = _checked_samples(cv_results, y, sample_weight, {"X": X})
    check_scoring_estimator(cv_results["estimator"][0], _OF_PREDICTIONS)
    for estimator, test in zip(cv_results["estimator"], tests, strict=True):
        own = take(X, test), y[test]
        method = available_method(estimator, response_method)
        pos_label = own_pos_label(estimator, pos_label)
        pos_label, score = one_class_scores(estimator, *own, method, pos_label)
        weight = None if sample_weight is None else sample_weight[test]
        yield Fold(estimator, *own, weight, pos_label, score, test)


def are_scores(cv_results):
    """Whether the result of a cross-validation is that of cv_results_from_scores."""
    if not isinstance(cv_results, Mapping):
        got = "None" if cv_results is None else type(cv_results).__name__
        raise _malformed(got)
    estimators = cv_results.get("estimator")
    return isinstance(estimators, list) and {*map(type, estimators)} == {GivenScores}


def frames_of(cv_results):
    """Pandas objects and other frames that the scores of cv_results_from_scores came in.

    Names are those of its arguments; there are none for fitted models.
    """
    entries = cv_results["estimator"] if are_scores(cv_results) else []
    return {name: values for entry in entries for name, values in entry.frames.items()}


def warn_of_given_labels(cv_results, y):
    """Warn if scores of cv_results_from_scores, by name, are the two labels of `y`.

    The labels 0 and 1, or -1 and 1, warn where the scores are passed.
    """
    for name, results in cv_results.items():
        scores = [one.score for one in results["estimator"]] if are_scores(results) else []
        # Labels that are numbers are integers, and most scores are not.
        if not scores or not float(scores[0].item(0)).is_integer():
            continue
        labels = distinct_labels(as_column(y, "y"), "y")
        if not need_no_name(labels) and warn_of_labels(name, *scores, labels=labels):
            return


def _malformed(got):
    """The error for results that lack estimators or indices."""
    return ValueError(
        "`cv_results` must be what cross_validate returns for this `X` and `y`, with "
        f"return_estimator=True and return_indices=True. Got {got}."
    )


def _folds_of_scores(cv_results, y, sample_weight, response_method, pos_label):
    """`folds_of` a result of cv_results_from_scores: no input, and no method to call."""
    check_option(response_method, "response_method", RESPONSE_METHODS[1:])
    entries = cv_results["estimator"]
    check_order(y=y, sample_weight=sample_weight, **frames_of(cv_results))
    column = as_column(y, "y")
    labels = distinct_labels(column, "y")
    for entry in entries:
        entry.check_labels(column, labels)
    y, sample_weight, tests = _checked_samples(cv_results, y, sample_weight, {})
    for entry, test in zip(entries, tests, strict=True):
        pos_label, score = entry.of_label(pos_label, labels)
        weight = None if sample_weight is None else sample_weight[test]
        yield Fold(entry, None, y[test], weight, pos_label, score, test)


def _checked_samples(cv_results, y, sample_weight, inputs):
    """Labels, weights and indices of the test samples of each fold, as arrays.

    `inputs` has the argument `X` if it is used; all are checked to be of the same samples.
    """
    check_order(y=y, **inputs, sample_weight=sample_weight)
    y = as_column(y, "y")
    try:
        for name, values in inputs.items():
            if not hasattr(values, "__len__") or isinstance(values, str | Mapping):
                raise TypeError(f"`{name}` is {reprlib.repr(values)}")
        *_, y, sample_weight = indexable(*inputs.values(), y, sample_weight)
    except (TypeError, ValueError) as error:
        raise type(error)(
            "`X`, `y` and, if passed, `sample_weight` must have one entry per sample that "
            f"was cross-validated. {str(error).rstrip('.')}."
        ) from error
    sample_weight = check_weight(sample_weight, len(y))
    return y, sample_weight, _test_indices(cv_results, len(y))


def _test_indices(cv_results, n_samples):
    """Indices of the test samples of each fold, after a check of the number of samples."""
    tests = taken(cv_results, "test", repeat(np.arange(n_samples)))
    # If a fold tests the last sample, there were at least as many samples. A dict that the
    # user made may lack the training samples.
    last_tested = max(map(np.max, tests), default=-1)
    if last_tested == n_samples - 1 or "train" not in cv_results["indices"]:
        return tests
    trains = taken(cv_results, "train", repeat(np.arange(n_samples)))
    is_used = np.zeros(n_samples, dtype=bool)
    is_used[np.concatenate(tests + trains)] = True
    n_used = np.count_nonzero(is_used)
    # A splitter may leave out samples, but hardly exactly the last ones.
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
        if not found:
            raise ValueError("no folds")
        for i, one in enumerate(found):
            if one.ndim != 1 or len(one) == 0:
                raise ValueError(
                    f"the {part} indices of fold {i} are empty or not one-dimensional"
                )
    except (IndexError, KeyError, TypeError, ValueError) as error:
        found = f"{type(error).__name__}: {error}"
        if isinstance(error, KeyError):
            found = f"no key {error}"
        raise _malformed(found) from error
    return found
