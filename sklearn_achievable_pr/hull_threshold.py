"""A classifier whose thresholds come from the ROC hull of held-out tuning scores."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from inspect import isclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import StratifiedShuffleSplit, check_cv
from sklearn.utils import Tags, assert_all_finite, check_random_state, get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, column_or_1d, has_fit_parameter

from ._input.arrays import check_weight
from ._input.estimators import (
    check_classifier,
    check_finite_scores,
    check_response_method,
    classes_of,
    label_index,
    listed,
    parameter_rows,
    response_of,
    rows_of,
)
from ._input.labels import without_weightless
from ._input.options import check_flag
from ._operating_point import (
    Coin,
    OperatingPoint,
    TuningCounts,
    check_floor,
    check_objective,
    choose,
    columns_of,
    floors_not_met,
    tuning_hull,
)

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn < 1.9 has no callbacks

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in for scikit-learn's mixin where there are no callbacks."""

        def _init_callback_context(self, **_):
            return _NoCallbacks()

    def with_callbacks(method):
        """Leave the method as it is."""
        return method


# Pickles of fitted estimators name these by this module.
__all__ = ["Coin", "HullThresholdClassifierCV", "OperatingPoint", "TuningCounts"]

# Scores looked at in one go: as many as the second-level cache holds.
_BLOCK = 1 << 16


class _Fold(NamedTuple):
    """One split's held-out samples and their scores."""

    rows: np.ndarray
    score: np.ndarray


class _NoCallbacks:
    """A callback context that calls nothing."""

    def subcontext(self, **_):
        return self

    def propagate_callback_context(self, sub_estimator):
        return nullcontext()

    def call_on_fit_task_begin(self, **_):
        return self

    def call_on_fit_task_end(self, **_):
        return False


class HullThresholdClassifierCV(
    CallbackSupportMixin, ClassifierMixin, MetaEstimatorMixin, BaseEstimator
):
    r"""Binary classifier with thresholds from the ROC hull of held-out scores.

    A hull, or a threshold, that is looked up on the test data flatters the classifier.
    This meta-estimator takes both from a tuning set [1]_: clones of `estimator` score
    the samples that they were not fitted on, the scores of all folds are pooled, and
    the thresholds at the vertices of the pooled set's ROC convex hull are kept. Nothing
    else can ever be an operating point. Among the vertices
    :math:`(f_i, t_i)` (false and true positives) the one with the greatest

    .. math:: \mathrm{objective}(t_i, f_i, P - t_i, N - f_i)

    that meets the floors is chosen, :math:`P` and :math:`N` being the weights of the
    positives and negatives. Then `estimator` is fitted on all the data.

    For `"f1"`, `"balanced_accuracy"`, `"youden"`, `"precision"`, `"recall"` and
    `"mcc"`, as for any cost linear in the counts, no threshold at all is better on the
    tuning set than the best vertex. With a floor some threshold between two vertices
    may be better; a coin tossed between these two (`interpolate=True`) is as good at
    least.

    Read more in the :ref:`User Guide <hull_thresholds>`.

    Parameters
    ----------
    estimator : estimator instance
        A binary classifier with `decision_function` or `predict_proba`. It is cloned,
        except a :class:`~sklearn.frozen.FrozenEstimator`: that one is used as it is,
        and all samples given to `fit` are the tuning set (`cv` plays no part).
    objective : str or callable, default="f1"
        What to maximise: `"f1"`, `"balanced_accuracy"`, `"youden"` (true minus false
        positive rate), `"precision"`, `"recall"`, `"mcc"` (Matthews correlation), or a
        callable `(tps, fps, fns, tns) -> array`. It is given float64 arrays of shape
        (n_points,) and returns as many numbers; infinities may rank, NaN may not.
        Of equal values the one at the highest threshold is taken.
    min_recall : float, default=None
        Floor of the recall on the tuning set, within [0, 1].
    min_precision : float, default=None
        Floor of the precision on the tuning set, within [0, 1]. A threshold that
        predicts nothing positive has precision 0.
    interpolate : bool, default=False
        Whether a coin may mix two neighbouring thresholds so that a floor is met with
        equality (in the expected counts of the tuning set). It is tossed only where
        that raises the objective above the best vertex's. Without a floor it makes no
        difference.
    response_method : {"auto", "decision_function", "predict_proba"}, default="auto"
        Where scores come from; `"auto"` takes the first of the two that there is.
    pos_label : int, float, bool or str, default=None
        The positive class, either one; None is `classes_[1]`.
    cv : int, float, cross-validation generator or iterable, default=None
        How tuning samples are held out. None is 5 stratified folds; a float is the
        fraction of one stratified hold-out; an iterable yields (train, test) indices.
        If a sample is held out several times, each of its scores is a tuning sample.
    n_jobs : int, default=None
        How many folds are fitted at a time, as in :class:`joblib.Parallel`.
    random_state : int, RandomState instance or None, default=None
        Draws the hold-out of a float `cv`, and tosses the coin in `predict`. An int
        gives the same tosses on every call: predicting row by row, pass an instance.
    store_cv_results : bool, default=False
        Whether to keep every fold's own hull and choice in `cv_results_`.

    Attributes
    ----------
    estimator_ : estimator instance
        `estimator` fitted on all the data.
    classes_ : ndarray of shape (2,)
        The class labels, sorted.
    thresholds_ : ndarray of shape (n_vertices,)
        Thresholds at the hull's vertices, falling. The first is inf: nothing is
        positive. The others lie midway between the vertex's score and the next lower
        tuning score; the last, where there is none, is -inf: everything is positive.
        Scores are those of the positive class.
    tuning_counts_ : TuningCounts
        `fps` and `tps` of the tuning set at each of `thresholds_`.
    threshold_ : float
        The chosen one of `thresholds_`: a score that reaches it is predicted positive.
    coin_ : Coin or None
        `threshold` and `probability`: samples that reach this lower one of
        `thresholds_`, but not `threshold_`, are predicted positive at random. None
        unless `interpolate=True` gained by it.
    operating_point_ : OperatingPoint
        `precision`, `recall` and `objective` of the choice on the tuning set.
    n_features_in_ : int
        Number of features seen in `fit`, where `estimator_` says so.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of features seen in `fit`, where `estimator_` says so.
    cv_results_ : dict
        With `store_cv_results=True`, for the hull of each split's held-out samples by
        itself: lists of arrays `thresholds`, `fps` and `tps`; the choice on it as
        arrays `threshold`, `precision`, `recall` and `objective`, NaN where a class is
        missing or a floor cannot be met; and the list `coin`.

    See Also
    --------
    roc_convex_hull : The hull of given scores.
    achievable_pr_curve : The hull in precision-recall space.
    sklearn.model_selection.TunedThresholdClassifierCV : Tunes over evenly spaced
        thresholds for any scorer.
    sklearn.calibration.CalibratedClassifierCV : With `method="isotonic"` it fits the
        same steps as `predict_proba` here, fold by fold.

    References
    ----------
    .. [1] J. Davis and M. Goadrich (2006). The relationship between Precision-Recall
       and ROC curves. Proceedings of the 23rd International Conference on Machine
       Learning, 233-240, sections 3 and 4. :doi:`10.1145/1143844.1143874`

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn_achievable_pr import HullThresholdClassifierCV
    >>> X, y = make_classification(n_samples=2000, weights=[0.95], random_state=0)
    >>> model = HullThresholdClassifierCV(
    ...     LogisticRegression(), objective="precision", min_recall=0.6
    ... ).fit(X, y)
    >>> bool(model.operating_point_.recall >= 0.6)
    True
    >>> len(model.thresholds_) == len(model.tuning_counts_.tps)
    True
    >>> sorted(set(model.predict(X).tolist()))
    [0, 1]
    """

    def __init__(
        self,
        estimator: BaseEstimator,
        *,
        objective: str | Callable[..., ArrayLike] = "f1",
        min_recall: float | None = None,
        min_precision: float | None = None,
        interpolate: bool = False,
        response_method: str = "auto",
        pos_label: int | float | bool | str | None = None,
        cv: int | float | Iterable | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        store_cv_results: bool = False,
    ):
        self.estimator = estimator
        self.objective = objective
        self.min_recall = min_recall
        self.min_precision = min_precision
        self.interpolate = interpolate
        self.response_method = response_method
        self.pos_label = pos_label
        self.cv = cv
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.store_cv_results = store_cv_results

    @with_callbacks
    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        **params: Any,
    ) -> HullThresholdClassifierCV:
        """Choose thresholds on held-out scores, then fit `estimator` on all the data.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Whatever `estimator` takes.
        y : array-like of shape (n_samples,)
            Labels of two classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, not negative. They count in the hull and the objective, and are
            passed to `estimator.fit` where it takes them (with metadata routing: where
            it requests them).
        **params : dict
            Passed on. With `enable_metadata_routing=True`, to whichever of
            `estimator.fit` and `cv.split` requests the name. Otherwise `groups` goes to
            `cv.split` and the rest to `estimator.fit`, each array with one entry a
            sample cut to the samples that are fitted.

        Returns
        -------
        HullThresholdClassifierCV
            The estimator itself, fitted.

        Raises
        ------
        ValueError
            If a parameter is out of its range; `y` or the training part of a split has
            not two classes; no point of the hull meets the floors; the objective
            returns another shape or NaN; `estimator` is no classifier, lacks the
            response method or gives scores that are not finite.
        TypeError
            If `estimator` is no estimator instance or a floor no number.
        """
        self._check_parameters()
        X, y, weight = self._check_data(X, y, sample_weight)
        fit_params, split_params = self._route(weight, params)

        splits = self._splits(X, y, split_params)
        root, tuning, refit = self._callback_contexts(len(splits))
        root.call_on_fit_task_begin(estimator=self, X=X, y=y)
        folds = self._tuning_scores(X, y, splits, fit_params, tuning)
        self._choose_threshold(y, weight, folds)
        self._refit(X, y, fit_params, refit)
        root.call_on_fit_task_end(estimator=self, X=X, y=y)
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predict the class at the chosen threshold.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Whatever `estimator` takes.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels. With a coin (see `coin_`) those of the samples between its two
            thresholds are random.
        """
        score = self._score(X)
        positive = _reaches(score, self.threshold_)
        if self.coin_ is not None:
            undecided = np.flatnonzero(~positive & (score >= self.coin_.threshold))
            tosses = check_random_state(self.random_state).uniform(size=len(undecided))
            positive[undecided] = tosses < self.coin_.probability
        return self._labels(positive if self._positive_index() else ~positive)

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Hull level of each sample, shifted so that > 0 is `predict`.

        The level is the number of hull thresholds that the sample's score reaches. A
        curve drawn from it has no thresholds but the tuning set's.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Whatever `estimator` takes.

        Returns
        -------
        ndarray of float64, shape (n_samples,)
            Positive where `predict` gives `classes_[1]`, else negative: whole numbers
            and a half. With a coin whole numbers, 0 where it decides. Higher means
            more likely `classes_[1]`, whichever class is the positive one.
        """
        level = self._level(X)
        below_chosen = np.searchsorted(self.thresholds_[::-1], self.threshold_)
        # With a coin, the level just below the chosen threshold is the middle one.
        shifted = level - (below_chosen + (0.5 if self.coin_ is None else 0.0))
        return shifted if self._positive_index() else -shifted

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Fraction of positives among the tuning samples of the sample's hull segment.

        A segment is what lies between two neighbouring thresholds of the hull. These
        fractions are the isotonic regression of the labels on the tuning scores. They
        do not depend on the objective: the greater one need not be what `predict` says.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Whatever `estimator` takes.

        Returns
        -------
        ndarray of float64, shape (n_samples, 2)
            Probabilities of `classes_`. 0 and 1 do occur.
        """
        level = self._level(X)
        counts = self.tuning_counts_
        columns = [np.diff(counts.fps), np.diff(counts.tps)]
        if not self._positive_index():
            columns.reverse()
        of_segment = np.column_stack(columns)
        of_segment = of_segment / of_segment.sum(axis=1, keepdims=True)
        return of_segment[len(of_segment) - level]

    def get_metadata_routing(self) -> MetadataRouter:
        """Say who may be given what.

        Returns
        -------
        MetadataRouter
            `fit` passes metadata to `estimator.fit` and `cv.split`.
        """
        return (
            MetadataRouter(owner=self)
            .add_self_request(self)
            .add(
                estimator=self.estimator,
                method_mapping=MethodMapping().add(caller="fit", callee="fit"),
            )
            .add(
                splitter=self.cv,
                method_mapping=MethodMapping().add(caller="fit", callee="split"),
            )
        )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if hasattr(self.estimator, "__sklearn_tags__") and not isclass(self.estimator):
            tags.input_tags = get_tags(self.estimator).input_tags
        tags.classifier_tags.multi_class = False
        return tags

    # Fitting: checks

    def _check_parameters(self):
        check_classifier(self.estimator)
        check_objective(self.objective)
        for name, floor in self._floors().items():
            check_floor(floor, name)
        for name in ("interpolate", "store_cv_results"):
            check_flag(getattr(self, name), name)
        check_response_method(self.response_method)
        _check_n_jobs(self.n_jobs)
        _check_random_state(self.random_state)

    def _floors(self):
        floors = {"min_recall": self.min_recall, "min_precision": self.min_precision}
        return {name: floor for name, floor in floors.items() if floor is not None}

    def _check_data(self, X, y, sample_weight):
        if y is None:
            raise ValueError(
                "`y` must be given: this estimator requires y to be passed, but the "
                "target y is None."
            )
        X, y = indexable(X, column_or_1d(y, warn=True))
        assert_all_finite(y, input_name="y")
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        n_classes = len(self.classes_)
        if n_classes != 2:
            got = "1 class" if n_classes == 1 else f"{n_classes} classes"
            way_out = (
                "Add samples of the other class."
                if n_classes == 1
                else "Binarise it first, e.g. `y == label`."
            )
            raise ValueError(
                "Only binary classification is supported. `y` must have two classes. "
                f"Got {got}, {listed(self.classes_)}. {way_out}"
            )
        self._positive_index()  # refuses an unknown `pos_label`
        return X, y, check_weight(sample_weight, len(y))

    def _positive_index(self):
        """Where the positive class stands in `classes_`."""
        if self.pos_label is None:
            return 1
        return label_index(self.classes_, self.pos_label, "`y` holds")

    def _is_positive(self, y):
        return y == self.classes_[self._positive_index()]

    def _route(self, weight, params):
        """What goes to `estimator.fit` and what to `cv.split`."""
        if get_config()["enable_metadata_routing"]:
            if weight is not None:
                params = {**params, "sample_weight": weight}
            routed = process_routing(self, "fit", **params)
            return routed.estimator.fit, routed.splitter.split
        fit_params = dict(params)
        groups = fit_params.pop("groups", None)
        if weight is not None and not isinstance(self.estimator, FrozenEstimator):
            if has_fit_parameter(self.estimator, "sample_weight"):
                fit_params["sample_weight"] = weight
            else:
                warnings.warn(
                    f"`estimator` ({type(self.estimator).__name__}) has no "
                    "`sample_weight` in its `fit`: the weights count only in choosing "
                    "the threshold. With metadata routing they can be passed further.",
                    UserWarning,
                    stacklevel=4,
                )
        return fit_params, {} if groups is None else {"groups": groups}

    # Fitting: the four steps

    def _splits(self, X, y, split_params):
        """Pairs of row numbers (train, test); train is None if nothing is fitted."""
        rows = np.arange(len(y))
        if isinstance(self.estimator, FrozenEstimator):
            return [(None, rows)]
        cv = _splitter(self.cv, y, self.random_state)
        given = cv.split(X, y, **split_params) if hasattr(cv, "split") else cv
        splits = [_parts(number, split, len(y)) for number, split in enumerate(given)]
        if not splits:
            raise ValueError(f"`cv` must give one split at least. Got none from {self.cv}.")
        positive = self._is_positive(y)
        for number, (train, _) in enumerate(splits):
            self._check_training_part(number, positive[train])
        return splits

    def _check_training_part(self, number, positive):
        if positive.all() or not positive.any():
            held = self.classes_[self._positive_index() ^ (not positive.any())]
            raise ValueError(
                "`cv` must leave two classes in every training part. That of split "
                f"{number} holds only {listed([held])}: use fewer or stratified folds, "
                "or add samples of the other class."
            )

    def _tuning_scores(self, X, y, splits, fit_params, context):
        """Scores of the samples held out by each split."""
        contexts = [
            context.subcontext(task_name="split", task_id=number)
            for number in range(len(splits))
            if splits[number][0] is not None
        ] or [None]
        return Parallel(n_jobs=self.n_jobs)(
            delayed(_fit_and_score)(
                self, clone(self.estimator), X, y, train, test, fit_params, subcontext
            )
            for (train, test), subcontext in zip(splits, contexts, strict=True)
        )

    def _choose_threshold(self, y, weight, folds):
        """The pooled hull, and the operating point on it."""
        hull = self._hull_of(y, weight, folds)
        if hull is None:
            raise ValueError(
                "`cv` must hold out both classes: the tuning set, all held-out samples "
                "of positive weight together, has only one. Use a splitter that holds "
                "every sample out, or a larger fraction."
            )
        choice = self._choice_on(hull)
        if choice is None:
            raise ValueError(floors_not_met(hull, self._floors(), self.interpolate))
        self.thresholds_ = hull.thresholds
        self.tuning_counts_ = TuningCounts(hull.fps, hull.tps)
        self.threshold_, self.coin_ = choice.threshold, choice.coin
        self.operating_point_ = choice.point
        vars(self).pop("cv_results_", None)
        if self.store_cv_results:
            hulls = [self._hull_of(y, weight, [fold]) for fold in folds]
            choices = [hull and self._choice_on(hull) for hull in hulls]
            self.cv_results_ = columns_of(hulls, choices)

    def _hull_of(self, y, weight, folds):
        """The hull of the folds' samples together; None without both classes."""
        rows = np.concatenate([fold.rows for fold in folds])
        score = np.concatenate([fold.score for fold in folds])
        if weight is not None:
            weight = weight[rows]
            if not weight.any():
                return None
        samples = without_weightless(self._is_positive(y[rows]), score, weight)
        if samples.positive.all() or not samples.positive.any():
            return None
        return tuning_hull(*samples)

    def _choice_on(self, hull):
        return choose(hull, self.objective, self._floors(), self.interpolate)

    def _refit(self, X, y, fit_params, context):
        self.estimator_ = clone(self.estimator)
        if not isinstance(self.estimator, FrozenEstimator):
            _fit_as_task(self, self.estimator_, X, y, fit_params, context)
        for name in ("n_features_in_", "feature_names_in_"):
            vars(self).pop(name, None)
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))

    def _callback_contexts(self, n_splits):
        """The task of `fit`, and its two subtasks with fits of `estimator` in them."""
        if isinstance(self.estimator, FrozenEstimator):
            return self._init_callback_context(), _NoCallbacks(), _NoCallbacks()
        root = self._init_callback_context(max_subtasks=2)
        tuning = root.subcontext(
            task_name="tuning-scores", max_subtasks=n_splits, sequential_subtasks=False
        )
        return root, tuning, root.subcontext(task_name="refit")

    # Predicting

    def _score(self, X):
        check_is_fitted(self, "threshold_")
        label = self.classes_[self._positive_index()]
        score = response_of(self.estimator_, X, self.response_method, label)
        # Single precision cannot hold the thresholds of double precision.
        return score.astype(np.float64, copy=False)

    def _labels(self, is_class_1):
        if np.array_equal(self.classes_, (0, 1)):  # a cast is the fastest way by far
            return is_class_1.astype(self.classes_.dtype)
        return np.where(is_class_1, self.classes_[1:], self.classes_[:1])

    def _level(self, X):
        """How many hull thresholds each score reaches: 1 to n_vertices - 1."""
        score = self._score(X)
        check_finite_scores(score)
        return np.searchsorted(self.thresholds_[:0:-1], score, side="right")


# Folds


def _splitter(cv, y, random_state):
    """A splitter, or an iterable of splits as it is."""
    if isinstance(cv, numbers.Integral) and not isinstance(cv, bool):
        if cv < 2:
            raise ValueError(
                f"`cv` as an int is the number of folds, 2 at least. Got {cv}; for one "
                "hold-out pass the fraction that is held out, e.g. 0.3."
            )
    elif isinstance(cv, numbers.Real) and not isinstance(cv, bool):
        if not 0 < cv < 1:
            raise ValueError(
                "`cv` as a float is the fraction that is held out, inside (0, 1). "
                f"Got {cv}; for a number of folds pass an int."
            )
        return StratifiedShuffleSplit(
            n_splits=1, test_size=float(cv), random_state=random_state
        )
    elif isinstance(cv, str) or not (
        cv is None or hasattr(cv, "split") or isinstance(cv, Iterable)
    ):
        raise ValueError(
            "`cv` must be a number of folds, a fraction that is held out, a splitter of "
            f"sklearn.model_selection, or an iterable of (train, test) rows. Got {cv!r}."
        )
    elif cv is not None:
        return cv
    return check_cv(cv, y, classifier=True)


def _parts(number, split, n_rows):
    """Row numbers of the training and the held-out part of one split."""
    try:
        train, test = (np.arange(n_rows)[part] for part in split)
    except (IndexError, TypeError, ValueError) as error:
        raise ValueError(
            "`cv` must give pairs (train, test) of row numbers or masks for the "
            f"{n_rows} rows of `y`. Split {number} is none: {error}."
        ) from error
    if not (len(train) and len(test)):
        empty = "held-out" if len(train) else "training"
        raise ValueError(
            f"`cv` must give two parts with rows. The {empty} part of split {number} is "
            "empty."
        )
    return train, test


# Fits and scores


def _fit_and_score(caller, estimator, X, y, train, test, fit_params, context):
    """Fit on the rows `train`, score the rows `test`; train None: fitted already."""
    if train is not None:
        pairwise = get_tags(estimator).input_tags.pairwise
        X_train, X_test = (
            rows_of(X, rows, train if pairwise else None) for rows in (train, test)
        )
        params = {
            name: parameter_rows(value, train, len(y)) for name, value in fit_params.items()
        }
        _fit_as_task(caller, estimator, X_train, y[train], params, context)
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
    return _Fold(test, score)


def _fit_as_task(caller, estimator, X, y, params, context):
    """Fit `estimator` as one task of `caller`, callbacks passed on to it."""
    try:
        with context.propagate_callback_context(estimator):
            context.call_on_fit_task_begin(estimator=caller, X=X, y=y)
            estimator.fit(X, y, **params)
    finally:
        context.call_on_fit_task_end(estimator=caller, X=X, y=y)


def _reaches(score, threshold):
    """Which scores reach the threshold; each is brought into the cache once."""
    reached = np.empty(len(score), dtype=bool)
    for start in range(0, len(score), _BLOCK):
        block = score[start : start + _BLOCK]
        check_finite_scores(block)
        np.greater_equal(block, threshold, out=reached[start : start + _BLOCK])
    return reached


# Options


def _check_n_jobs(n_jobs):
    whole = isinstance(n_jobs, numbers.Integral) and not isinstance(n_jobs, bool)
    if n_jobs is not None and not (whole and n_jobs):
        raise (ValueError if whole else TypeError)(
            "`n_jobs` must be None or an int other than 0, e.g. -1 for all processors. "
            f"Got {n_jobs!r}."
        )


def _check_random_state(random_state):
    try:
        check_random_state(random_state)
    except (TypeError, ValueError) as error:
        raise ValueError(
            "`random_state` must be None, an int from 0 to 2**32 - 1, or a "
            f"numpy.random.RandomState. Got {random_state!r}."
        ) from error
