"""Splits that hold out the tuning set, and fits that report to callbacks."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit, check_cv

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn < 1.9 has no callbacks

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Replaces scikit-learn's mixin in versions without callbacks."""

        def _init_callback_context(self, **_):
            return NoCallbacks()

    def with_callbacks(method):
        """The method unchanged, because this version has no callbacks."""
        return method


class NoCallbacks:
    """Callback context without callbacks, for versions of scikit-learn without them."""

    def subcontext(self, **_):
        return self

    def propagate_callback_context(self, sub_estimator):
        return nullcontext()

    def call_on_fit_task_begin(self, **_):
        pass

    call_on_fit_task_end = call_on_fit_task_begin


def fit_as_task(caller, estimator, X, y, params, context):
    """Fit `estimator` as one task of `caller`, passing on the callbacks."""
    with context.propagate_callback_context(estimator):
        context.call_on_fit_task_begin(estimator=caller, X=X, y=y)
        estimator.fit(X, y, **params)
    context.call_on_fit_task_end(estimator=caller, X=X, y=y)


def tuning_splits(
    cv: Any, X: Any, y: np.ndarray, split_params: dict, random_state: Any, independent: bool
) -> list:
    """Pairs (train, test) of sample indices.

    Parameters
    ----------
    cv : int, float, cross-validation generator, iterable or None
        As the user passed it.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Passed to `cv.split`.
    y : ndarray of shape (n_samples,)
        Labels of two classes.
    split_params : dict
        More parameters of `cv.split`.
    random_state : None, int, RandomState or Generator
        Draws the hold-out of a float `cv`.
    independent : bool
        Whether samples must be held out independently, without stratification.

    Returns
    -------
    list of (ndarray of int64, ndarray of int64)
    """
    if isinstance(cv, str) and cv == "prefit":
        raise ValueError(
            "`cv` must be a number of folds, a fraction, a splitter or an iterable of "
            "splits. Got 'prefit': pass a fitted classifier as FrozenEstimator(estimator), "
            "and leave `cv` out."
        )
    if independent and isinstance(cv, StratifiedShuffleSplit):
        raise ValueError(
            "`cv` must draw samples without regard to their classes where `min_precision` "
            "or `max_selection_rate` has a `confidence`: the guarantee is for independent "
            f"samples. Got {cv}; pass a fraction, or a ShuffleSplit."
        )
    if isinstance(cv, float | np.floating):
        if isinstance(random_state, np.random.Generator):
            # scikit-learn's splitters take no Generator.
            random_state = int(random_state.integers(2**32))
        one_split = ShuffleSplit if independent else StratifiedShuffleSplit
        cv = one_split(n_splits=1, test_size=float(cv), random_state=random_state)
    samples = np.arange(len(y))
    splits = [
        (samples[train], samples[test])
        for train, test in check_cv(cv, y, classifier=True).split(X, y, **split_params)
    ]
    if not splits:
        raise ValueError("`cv` must give one split at least. Got none.")
    return splits


def check_one_split(splits: list, confidence: float | None) -> None:
    """Raise unless there is one split; with `confidence`, of distinct samples."""
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
