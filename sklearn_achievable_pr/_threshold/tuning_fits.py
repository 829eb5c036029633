"""Fits of the wrapped classifier, and its scores of the rows that were held out."""

from __future__ import annotations

from contextlib import nullcontext
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
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


class Fold(NamedTuple):
    """One split's held-out samples and their scores, and who gave these, if kept."""

    rows: np.ndarray
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
    """Fit on the rows `train`, score the rows `test`; train None: fitted already."""
    if train is not None:
        pairwise = get_tags(estimator).input_tags.pairwise
        X_train, X_test = (
            rows_of(X, rows, train if pairwise else None) for rows in (train, test)
        )
        params = {
            name: parameter_rows(value, train, len(y)) for name, value in fit_params.items()
        }
        fit_as_task(caller, estimator, X_train, y[train], params, context)
    else:
        X_test, known = X, classes_of(estimator)
        if not np.array_equal(np.sort(known), caller.classes_):
            raise ValueError(
                "`y` must hold the two classes of the frozen `estimator`, "
                f"{listed(known)}. Got {listed(caller.classes_)}."
            )
    label = caller.classes_[caller._positive_index()]
    score = response_of(estimator, X_test, caller.response_method, label)
    check_finite_scores(score)
    return Fold(test, score, None if caller.refit else estimator)


def fit_as_task(caller, estimator, X, y, params, context):
    """Fit `estimator` as one task of `caller`, callbacks passed on to it."""
    try:
        with context.propagate_callback_context(estimator):
            context.call_on_fit_task_begin(estimator=caller, X=X, y=y)
            estimator.fit(X, y, **params)
    finally:
        context.call_on_fit_task_end(estimator=caller, X=X, y=y)
