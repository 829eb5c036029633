"""Splits that hold out the tuning set, and fits that report to callbacks."""

from collections.abc import Sequence
from contextlib import nullcontext
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import (
    GroupShuffleSplit,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    check_cv,
)

from .._input.labels import BinaryData
from .._input.options import check_inside
from ._units import number_of

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


# By default the tuning set has this many folds, as in scikit-learn.
_N_FOLDS = 5
# The scores of this many folds of the training part order the tests of a guarantee.
_ORDER_FOLDS = 5


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


def tuning_splits(model, X, y, split_params, rule, clusters):
    """Pairs (train, test) of sample indices.

    With a guarantee, each sample must be held out once, and clusters whole. Of splitters
    that draw samples by their classes, only StratifiedShuffleSplit is recognized; it is
    rejected if a guaranteed rate depends on the prevalence.

    Parameters
    ----------
    model : HullThresholdClassifierCV
        With the parameters `estimator`, `cv`, `refit` and `random_state`.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Passed to `cv.split`.
    y : ndarray of shape (n_samples,)
        Labels of two classes.
    split_params : dict
        More parameters of `cv.split`.
    rule : Rule
        With a confidence, it needs samples that are held out independently.
    clusters : ndarray of int or None
        The cluster of each sample.

    Returns
    -------
    list of (ndarray of int64, ndarray of int64)
        Empty for a FrozenEstimator.
    """
    if isinstance(model.estimator, FrozenEstimator):
        return []
    _check_options(model, rule)
    splitter = check_cv(_splitter(model, rule, split_params), y, classifier=True)
    samples = np.arange(len(y))
    splits = [
        (samples[train], samples[test])
        for train, test in splitter.split(X, y, **split_params)
    ]
    _check_not_empty(splits)
    if not splits or (len(splits) > 1 and not model.refit):
        raise ValueError(
            "`cv` must give a split and, with `refit=False`, only one, whose classifier is "
            f"kept. Got {len(splits)} splits: pass a fraction, e.g. `cv=0.3`."
        )
    if rule.confidence_level is not None:
        # There is no other split: `_check_options` has made sure that `refit=False`, with
        # which only one split is allowed.
        _check_independent(*splits[0], clusters, rule)
    return splits


def _may_be_stratified(rule):
    """Whether the numbers of positives and negatives that are held out may be fixed.

    For guaranteed rates within one class a stratified hold-out is valid, too.
    """
    return rule.confidence_level is None or not rule.of_prevalence


def _check_options(model, rule):
    """Raise `ValueError` if `cv` and `refit` cannot give the tuning set of the rule."""
    cv = model.cv
    if rule.confidence_level is not None and model.refit:
        raise ValueError(
            f"`confidence_level`={rule.confidence_level} needs a score that was fixed "
            "before the tuning set was seen. Pass `refit=False` with one split, e.g. "
            "`cv=0.3`, or a FrozenEstimator."
        )
    if isinstance(cv, str) and cv == "prefit":
        raise ValueError(
            "`cv` must be a number of folds, a fraction, a splitter or splits. Got "
            "'prefit': pass a fitted classifier as FrozenEstimator(estimator)."
        )
    if isinstance(cv, StratifiedShuffleSplit) and not _may_be_stratified(rule):
        raise ValueError(
            "`cv` must draw samples without regard to their classes: "
            f"`{rule.of_prevalence[0]}` is guaranteed for independent samples. Got {cv}; "
            "pass a fraction, or a ShuffleSplit."
        )


def _splitter(model, rule, split_params):
    """The splitter that a fraction, or a number of folds of groups, stands for; or `cv`."""
    cv, random_state, has_groups = model.cv, model.random_state, "groups" in split_params
    if isinstance(cv, float | np.floating):
        if isinstance(random_state, np.random.Generator):
            # scikit-learn's splitters take no Generator.
            random_state = int(random_state.integers(2**32))
        one_split = StratifiedShuffleSplit if _may_be_stratified(rule) else ShuffleSplit
        one_split = GroupShuffleSplit if has_groups else one_split
        test_size = check_inside(cv, "cv", 0, 1)
        return one_split(n_splits=1, test_size=test_size, random_state=random_state)
    if has_groups and (cv is None or isinstance(cv, Integral)):
        return StratifiedGroupKFold(_N_FOLDS if cv is None else cv)
    return cv


def _check_independent(train, test, clusters, rule):
    """Raise `ValueError` unless samples are held out once, and clusters whole."""
    given = f"`confidence_level`={rule.confidence_level}"
    if len(np.unique(test)) < len(test) or np.isin(test, train).any():
        raise ValueError(
            f"{given} needs a split that holds out each sample once, and no sample of "
            "the training part."
        )
    if clusters is None:
        return
    divided = np.intersect1d(clusters[test], clusters[train])
    if len(divided):
        raise ValueError(
            f"{given} with `groups` needs a split that holds out whole groups. Got "
            f"{number_of(len(divided), 'groups')} with samples in both parts: pass a "
            "fraction, e.g. `cv=0.3`, or a splitter of groups, such as "
            "GroupShuffleSplit(1)."
        )


def _check_not_empty(splits):
    """Raise `ValueError` if a split has no training samples or no held-out samples."""
    for i, split in enumerate(splits):
        for part, own in zip(("training", "held-out"), split, strict=True):
            if len(own) == 0:
                raise ValueError(
                    "`cv` must give splits with training and with held-out samples. Got no "
                    f"{part} sample in split {i}: pass splits without empty parts."
                )


def order_splits(y, splits, rule, clusters):
    """Splits of the training part whose held-out scores order the tests of a guarantee.

    The list is empty without such tests, without a training part, and if a class has only
    one sample, or cluster, in it. Clusters are held out whole, so that their scores are
    those of new data.
    """
    if rule.confidence_level is None or not rule.in_order:
        return []
    ((train, _),) = splits or [([], [])]
    units = np.arange(len(y)) if clusters is None else clusters
    classes = np.unique(y[train]) if splits else np.array([])
    sizes = [len(np.unique(units[train][y[train] == label])) for label in classes]
    n_folds = min(_ORDER_FOLDS, *sizes) if len(sizes) == 2 else 0
    if n_folds < 2:
        return []
    if clusters is None:
        folds = StratifiedKFold(n_folds).split(train, y[train])
    else:
        folds = StratifiedGroupKFold(n_folds).split(train, y[train], clusters[train])
    pairs = [(train[fitted], train[held_out]) for fitted, held_out in folds]
    # All clusters of a class may be in one fold; the other folds then lack the class.
    return [pair for pair in pairs if len(np.unique(y[pair[0]])) == 2]


class ScoredFolds(NamedTuple):
    """The classifiers of all splits, and the samples that they hold out, with scores.

    Attributes
    ----------
    fitted : sequence of estimator
        The classifiers of the splits of the tuning set, then of those that order the tests;
        None in place of a classifier that is not used again.
    tuning, ordering : sequence of BinaryData
        The tuning set, one entry per split, and the samples that order the tests.
    response_method : str or tuple of str
        What the scores are, in the form of the parameter `response_method`.
    """

    fitted: Sequence[Any]
    tuning: Sequence[BinaryData]
    ordering: Sequence[BinaryData]
    response_method: str | tuple[str, ...]


def pooled(folds):
    """The samples of several `BinaryData` as one."""
    positive, score, weights = zip(*folds, strict=True)
    weight = None if weights[0] is None else np.concatenate(weights)
    return BinaryData(np.concatenate(positive), np.concatenate(score), weight)
