"""The tuning set: how samples are held out, and their scores by fitted classifiers."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from contextlib import nullcontext
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit, check_cv
from sklearn.utils import get_tags

from .._input.estimators import (
    check_finite_scores,
    classes_of,
    listed,
    parameter_rows,
    response_of,
    rows_of,
)

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn < 1.9 has no callbacks

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in for scikit-learn's mixin where there are no callbacks."""

        def _init_callback_context(self, **_):
            return NoCallbacks()

    def with_callbacks(method):
        """Leave the method as it is."""
        return method


# Splits


def splitter(cv: Any, y: np.ndarray, random_state: Any, independent: bool) -> Any:
    """A splitter, or an iterable of splits as it is.

    Parameters
    ----------
    cv : int, float, cross-validation generator, iterable or None
        As the user passed it.
    y : ndarray of shape (n_samples,)
    random_state : None, int, RandomState or Generator
        Draws the hold-out of a float `cv`.
    independent : bool
        Whether a sample must be held out whatever the classes of the others.

    Returns
    -------
    cross-validation generator or iterable
    """
    if independent and isinstance(cv, StratifiedShuffleSplit):
        raise ValueError(
            "`cv` must draw samples without regard to their classes where `min_precision` "
            "or `max_selection_rate` has a `confidence`: the guarantee is for independent "
            f"samples. Got {cv}; pass a fraction, or a ShuffleSplit."
        )
    is_number = isinstance(cv, numbers.Real) and not isinstance(cv, bool)
    if is_number and not isinstance(cv, numbers.Integral):
        if not 0 < float(cv) < 1:
            raise ValueError(
                "`cv` as a float is the fraction that is held out, inside (0, 1). "
                f"Got {cv}; for a number of folds pass an int."
            )
        if isinstance(random_state, np.random.Generator):
            # scikit-learn's splitters take no Generator.
            random_state = int(random_state.integers(2**32))
        one_split = ShuffleSplit if independent else StratifiedShuffleSplit
        return one_split(n_splits=1, test_size=float(cv), random_state=random_state)
    if is_number and cv < 2:
        raise ValueError(
            "`cv` as an int is the number of folds, 2 at least. Got "
            f"{cv}; for one hold-out pass the fraction that is held out, e.g. 0.3."
        )
    if cv is None or is_number:
        return check_cv(cv, y, classifier=True)
    if isinstance(cv, str) or not (hasattr(cv, "split") or isinstance(cv, Iterable)):
        raise ValueError(
            "`cv` must be a number of folds, a fraction that is held out, a splitter of "
            "sklearn.model_selection, or an iterable of (train, test) indices. Got "
            f"{cv!r}."
        )
    return cv


def splits_of(cv: Any, X: Any, y: np.ndarray, split_params: dict) -> list:
    """Pairs (train, test) of sample indices; each training part has both classes."""
    given = cv.split(X, y, **split_params) if hasattr(cv, "split") else cv
    splits = [_parts(number, split, len(y)) for number, split in enumerate(given)]
    if not splits:
        raise ValueError(f"`cv` must give one split at least. Got none from {cv}.")
    for number, (train, _) in enumerate(splits):
        present = y[train]
        if (present == present[0]).all():
            raise ValueError(
                "`cv` must leave two classes in every training part. That of split "
                f"{number} holds only {listed(present[:1])}: use fewer or stratified "
                "folds, or add samples of the other class."
            )
    return splits


def check_one_split(splits: list, confidence: float | None) -> None:
    """Raise unless there is one split, with a guarantee one of distinct samples."""
    if len(splits) > 1:
        raise ValueError(
            "`refit=False` keeps the classifier of the only split there is. `cv` gives "
            f"{len(splits)}: pass a fraction, e.g. `cv=0.3`, or `refit=True`."
        )
    train, test = splits[0]
    if confidence is not None and (
        np.isin(test, train).any() or len(np.unique(test)) < len(test)
    ):
        raise ValueError(
            f"`confidence`={confidence} needs a split that holds out each sample once, and "
            "no sample of the training part."
        )


def _parts(number, split, n_samples):
    """Indices of the training and the held-out part of one split."""
    try:
        train, test = (np.arange(n_samples)[part] for part in split)
    except (IndexError, TypeError, ValueError) as error:
        raise ValueError(
            "`cv` must give pairs (train, test) of sample indices or masks for the "
            f"{n_samples} samples of `y`. Split {number} does not: {error}."
        ) from error
    if not (len(train) and len(test)):
        empty = "held-out" if len(train) else "training"
        raise ValueError(
            f"`cv` must give two parts with samples. The {empty} part of split {number} is "
            "empty."
        )
    return train, test


# Fits


class TuningFold(NamedTuple):
    """Held-out samples of one split, their scores, and the fitted classifier if kept."""

    indices: np.ndarray
    score: np.ndarray
    estimator: BaseEstimator | None


class NoCallbacks:
    """A callback context that calls nothing."""

    def subcontext(self, **_):
        return self

    def propagate_callback_context(self, sub_estimator):
        return nullcontext()

    def call_on_fit_task_begin(self, **_):
        return self

    def call_on_fit_task_end(self, **_):
        return False


def fit_and_score(caller, estimator, X, y, train, test, fit_params, context):
    """Fit on the samples `train`, score the samples `test`; train None: fitted already."""
    if train is None:
        X_test, known = X, classes_of(estimator)
        if not np.array_equal(np.sort(known), caller.classes_):
            raise ValueError(
                "`y` must hold the two classes of the frozen `estimator`, "
                f"{listed(known)}. Got {listed(caller.classes_)}."
            )
    else:
        columns = train if get_tags(estimator).input_tags.pairwise else None
        X_train, X_test = (rows_of(X, part, columns) for part in (train, test))
        params = {
            name: parameter_rows(value, train, len(y)) for name, value in fit_params.items()
        }
        fit_as_task(caller, estimator, X_train, y[train], params, context)
    label = caller.classes_[caller._positive_index()]
    score = response_of(estimator, X_test, caller.response_method, label)
    check_finite_scores(score)
    return TuningFold(test, score, None if caller.refit else estimator)


def fit_as_task(caller, estimator, X, y, params, context):
    """Fit `estimator` as one task of `caller`, callbacks passed on to it."""
    try:
        with context.propagate_callback_context(estimator):
            context.call_on_fit_task_begin(estimator=caller, X=X, y=y)
            estimator.fit(X, y, **params)
    finally:
        context.call_on_fit_task_end(estimator=caller, X=X, y=y)
