"""A classifier whose thresholds come from the ROC hull of held-out tuning scores."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Callable, Iterable, Mapping
from inspect import isclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
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
    label_index,
    listed,
    response_of,
)
from ._input.labels import drop_zero_weight
from ._input.options import check_flag, check_number
from ._threshold.choice import (
    Guarantee,
    OperatingPoint,
    TuningCounts,
    TuningPath,
    check_floor,
    check_objective,
    choose,
    columns_of,
    floors_not_met,
    kept,
    tuning_path,
)
from ._threshold.risk_control import proven_thresholds
from ._threshold.tuning_fits import (
    CallbackSupportMixin,
    NoCallbacks,
    fit_and_score,
    fit_as_task,
    with_callbacks,
)
from ._threshold.tuning_splits import check_one_split, splits_of, splitter

# Pickles of fitted estimators name these by this module.
__all__ = [
    "Guarantee",
    "HullThresholdClassifierCV",
    "OperatingPoint",
    "TuningCounts",
    "TuningPath",
]

# Scores looked at in one go: as many as the second-level cache holds.
_BLOCK = 1 << 16


class HullThresholdClassifierCV(
    CallbackSupportMixin, ClassifierMixin, MetaEstimatorMixin, BaseEstimator
):
    r"""Binary classifier with thresholds from the ROC hull of held-out scores.

    A hull, or a threshold, that is looked up on the test data flatters the classifier.
    This meta-estimator takes both from a tuning set [1]_: clones of `estimator` score
    the samples that they were not fitted on, the scores of all folds are pooled, and
    the thresholds at the vertices of the pooled set's ROC convex hull are kept. Among
    the vertices :math:`(f_i, t_i)` (false and true positives) the one with the greatest

    .. math:: \mathrm{objective}(t_i, f_i, P - t_i, N - f_i)

    is chosen, :math:`P` and :math:`N` being the weights of the positives and negatives.
    Then `estimator` is fitted on all the data.

    For every objective that has a name, and for gains, no threshold at all is better on
    the tuning set than the best vertex. With a floor one between two vertices may be, so
    then the best of all tuning thresholds that meet the floors is chosen, and kept beside
    the vertices. Nothing else can ever be an operating point.

    A floor that is met on the tuning set is missed on new data about half of the time.
    `confidence` is for floors that hold there too: of recall by an order statistic of the
    positives' scores, of precision by tests of thresholds in a fixed sequence [2]_.

    Read more in the :ref:`User Guide <hull_thresholds>`.

    Parameters
    ----------
    estimator : estimator instance
        A binary classifier with `decision_function` or `predict_proba`. It is cloned,
        except a :class:`~sklearn.frozen.FrozenEstimator`: that one is used as it is,
        and all samples given to `fit` are the tuning set (`cv` plays no part).
    objective : str, dict or callable, default="f1"
        What to maximise: `"f1"` or any other `"f<beta>"` such as `"f2"` and `"f0.5"`,
        `"balanced_accuracy"`, `"youden"` (true minus false positive rate), `"precision"`,
        `"recall"`, `"mcc"` (Matthews correlation); a dict of what a sample gains by its
        outcome, such as `{"tp": 10, "fp": -1, "fn": -50}`, costs being negative, of which
        the mean over all samples is maximised; or a callable
        `(tps, fps, fns, tns) -> array`. It is given float64 arrays of shape (n_points,)
        and returns as many numbers; infinities may rank, NaN may not. Of equal values
        that of a vertex is taken, and the one at the highest threshold.
    min_recall : float, default=None
        Floor of the recall on the tuning set, within [0, 1].
    min_precision : float, default=None
        Floor of the precision on the tuning set, within [0, 1]. A threshold that
        predicts nothing positive has precision 0.
    interpolate : bool, default=False
        Whether a coin may mix two neighbouring thresholds of the hull so that a floor is
        met with equality (in the expected counts of the tuning set). It is tossed only
        where that raises the objective above the best vertex's. Without a floor it makes
        no difference.
    response_method : {"auto", "decision_function", "predict_proba"}, default="auto"
        Where scores come from; ``"auto"`` takes the first of the other two that the
        estimator has.
    pos_label : int, float, bool or str, default=None
        The positive class, either one; None is `classes_[1]`.
    cv : int, float, cross-validation generator or iterable, default=None
        How tuning samples are held out. None is 5 stratified folds; a float is the
        fraction of one stratified hold-out; an iterable yields (train, test) indices.
        If a sample is held out several times, each of its scores is a tuning sample.
    n_jobs : int, default=None
        How many folds are fitted at a time, as in :class:`joblib.Parallel`.
    random_state : int, RandomState instance or None, default=None
        Draws the hold-out of a float `cv`, and the fifth of the tuning set on which a
        precision with a `confidence` is not tested; tosses the coin in `predict`. An int
        gives the same tosses on every call: predicting row by row, pass an instance.
    store_cv_results : bool, default=False
        Whether to keep every fold's own hull and choice in `cv_results_`, and what every
        threshold does on the tuning set in `tuning_curve_`.
    refit : bool, default=True
        Whether `estimator` is fitted on all the data in the end. With False, `cv` must
        give one split, and the classifier fitted on its training part is kept: that one
        which the thresholds were made for.
    confidence : float, default=None
        The probability, over tuning sets, that the floors hold for new data, all of them
        together, inside (0, 1). It takes a score that is fixed before the tuning set is
        seen: a :class:`~sklearn.frozen.FrozenEstimator`, or `refit=False`; and tuning
        samples drawn one by one as new ones will be, without `sample_weight` or `groups`.
        A float `cv` then holds out rows whatever their class where there is a
        `min_precision`. With None the floors are met on the tuning set only.

    Attributes
    ----------
    estimator_ : estimator instance
        `estimator` fitted on all the data, or as `refit` says.
    classes_ : ndarray of shape (2,)
        The class labels, sorted.
    thresholds_ : ndarray of shape (n_thresholds,)
        Thresholds at the hull's vertices, and the chosen one, falling. The first is inf:
        nothing is positive. The others lie midway between a tuning score and the next
        lower one; the last, where there is none, is -inf: everything is positive.
        Scores are those of the positive class.
    is_vertex_ : ndarray of bool, shape (n_thresholds,)
        Which of `thresholds_` the hull has: all, but for one that was chosen under a
        floor.
    tuning_counts_ : TuningCounts
        `fps` and `tps` of the tuning set at each of `thresholds_`.
    threshold_ : float
        The chosen one of `thresholds_`: a score that reaches it is predicted positive.
    coin_ : RandomizedThreshold or None
        `threshold` and `probability`: samples that reach this lower one of
        `thresholds_`, but not `threshold_`, are predicted positive at random. None
        unless `interpolate=True` gained by it.
    operating_point_ : OperatingPoint
        `precision`, `recall` and `objective` of the choice on the tuning set, and as an
        attribute `guarantee` what holds for new data: `confidence`, `recall` and
        `precision`, or None.
    n_features_in_ : int
        Number of features seen in `fit`, where `estimator_` says so.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of features seen in `fit`, where `estimator_` says so.
    cv_results_ : dict
        With `store_cv_results=True`, for the hull of each split's held-out samples by
        itself: lists of arrays `thresholds`, `fps`, `tps` and `is_vertex`; the choice on
        it as arrays `threshold`, `precision`, `recall` and `objective`, NaN where a class
        is missing or a floor cannot be met; and the list `coin`.
    tuning_curve_ : TuningPath
        With `store_cv_results=True`, `fps` and `tps` of the tuning set at every
        threshold, `scores` (falling, one fewer), and which points are `vertices`.

    See Also
    --------
    roc_convex_hull : The hull of given scores.
    achievable_pr_curve : The hull in precision-recall space.
    sklearn.model_selection.TunedThresholdClassifierCV : Tunes over evenly spaced
        thresholds for any scorer.
    sklearn.calibration.CalibratedClassifierCV : With `method="isotonic"` it fits the
        same steps as `predict_proba` here, fold by fold.

    HullThresholdDisplay : What each threshold does on the tuning set.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, sections 3, 4. :doi:`10.1145/1143844.1143874`
    .. [2] Angelopoulos et al. (2021), Learn then test. :arxiv:`2110.01052`

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
        objective: str | Mapping[str, float] | Callable[..., ArrayLike] = "f1",
        min_recall: float | None = None,
        min_precision: float | None = None,
        interpolate: bool = False,
        response_method: str = "auto",
        pos_label: int | float | bool | str | None = None,
        cv: int | float | Iterable | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        store_cv_results: bool = False,
        refit: bool = True,
        confidence: float | None = None,
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
        self.refit = refit
        self.confidence = confidence

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
            Input values, whatever the estimator takes.
        y : array-like of shape (n_samples,)
            Binary labels.
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
            not two classes; no threshold meets the floors, or none is proven to; the
            objective returns another shape or NaN; `estimator` is no classifier, lacks
            the response method or gives scores that are not finite.
        TypeError
            If `estimator` is no estimator instance, a floor no number, a switch neither
            True nor False, or the objective takes other than four arrays.
        """
        self._check_parameters()
        X, y, weight = self._check_data(X, y, sample_weight)
        fit_params, split_params = self._route(weight, params)
        self._check_provable(weight, split_params)

        splits = self._splits(X, y, split_params)
        root, tuning, refit = self._callback_contexts(len(splits))
        root.call_on_fit_task_begin(estimator=self, X=X, y=y)
        folds = self._tuning_scores(X, y, splits, fit_params, tuning)
        self._choose_threshold(y, weight, folds)
        self._keep_estimator(X, y, folds, fit_params, refit)
        root.call_on_fit_task_end(estimator=self, X=X, y=y)
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predict the class at the chosen threshold.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Input values, whatever the estimator takes.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels. With a coin (see `coin_`) those of the samples between its two
            thresholds are random.
        """
        score = self._score(X)
        positive = _reaches(score, self.threshold_)
        if self.randomized_threshold_ is not None:
            undecided = np.flatnonzero(
                ~positive & (score >= self.randomized_threshold_.threshold)
            )
            tosses = check_random_state(self.random_state).uniform(size=len(undecided))
            positive[undecided] = tosses < self.randomized_threshold_.probability
        return self._labels(positive if self._positive_index() else ~positive)

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Level of each sample, shifted so that > 0 is `predict`.

        The level is the number of `thresholds_` that the sample's score reaches. A curve
        drawn from it has no thresholds but these.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Input values, whatever the estimator takes.

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
        shifted = level - (
            below_chosen + (0.5 if self.randomized_threshold_ is None else 0.0)
        )
        return shifted if self._positive_index() else -shifted

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Fraction of positives among the tuning samples of the sample's hull segment.

        A segment is what lies between two neighbouring vertices of the hull. These
        fractions are the isotonic regression of the labels on the tuning scores. They
        do not depend on the objective: the greater one need not be what `predict` says.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Input values, whatever the estimator takes.

        Returns
        -------
        ndarray of float64, shape (n_samples, 2)
            Probabilities of `classes_`. 0 and 1 do occur.
        """
        level = self._level(X)
        # Pickles of a time when there were only vertices do not say that they are.
        is_vertex = getattr(self, "is_vertex_", np.ones(len(self.thresholds_), dtype=bool))
        columns = [np.diff(counts[is_vertex]) for counts in self.tuning_counts_]
        if not self._positive_index():
            columns.reverse()
        of_segment = np.column_stack(columns)
        of_segment = of_segment / of_segment.sum(axis=1, keepdims=True)
        # The last vertex before the highest threshold that is reached starts the segment.
        segment = np.cumsum(is_vertex) - 1
        return of_segment[segment[len(is_vertex) - 1 - level]]

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
        for name in ("interpolate", "store_cv_results", "refit"):
            check_flag(getattr(self, name), name)
        self._check_confidence()
        check_response_method(self.response_method)
        _check_n_jobs(self.n_jobs)
        _check_random_state(self.random_state)

    def _check_confidence(self):
        if self.confidence is None:
            return
        if not 0 < check_number(self.confidence, "confidence") < 1:
            raise ValueError(
                "`confidence` must be None or lie inside (0, 1), e.g. 0.95. Got "
                f"{self.confidence}."
            )
        if not any(self._floors().values()):
            raise ValueError(
                f"`confidence`={self.confidence} is that of a floor: pass `min_recall` or "
                "`min_precision` above 0, or leave it out."
            )
        if self.interpolate:
            raise ValueError(
                f"`confidence`={self.confidence} cannot be had with `interpolate=True`: a "
                "coin meets a floor with equality, on the tuning set. Leave out either."
            )
        if self.refit and not self._is_frozen():
            raise ValueError(
                f"`confidence`={self.confidence} needs a score that has seen none of the "
                "tuning set, and stays: pooled folds have several, and the refit makes "
                "another. Pass `refit=False` with one split, e.g. `cv=0.3`, or a fitted "
                "classifier in a FrozenEstimator."
            )

    def _check_provable(self, weight, split_params):
        """Refuse rows for which nothing is proven."""
        for name, given in (
            ("sample_weight", weight),
            ("groups", split_params.get("groups")),
        ):
            if self.confidence is not None and given is not None:
                raise ValueError(
                    f"`confidence`={self.confidence} is proven for tuning rows that are "
                    f"independent and count one each, not with `{name}`. Leave out either."
                )

    def _is_frozen(self):
        return isinstance(self.estimator, FrozenEstimator)

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
        if weight is not None and not self._is_frozen():
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
        if self._is_frozen():
            return [(None, rows)]
        independent = self.confidence is not None and bool(self.min_precision)
        cv = splitter(self.cv, y, self.random_state, independent)
        splits = splits_of(cv, X, y, split_params)
        if not self.refit:
            check_one_split(splits, self.confidence)
        return splits

    def _tuning_scores(self, X, y, splits, fit_params, context):
        """Scores of the samples held out by each split."""
        contexts = [
            context.subcontext(task_name="split", task_id=number)
            for number in range(len(splits))
            if splits[number][0] is not None
        ] or [None]
        return Parallel(n_jobs=self.n_jobs)(
            delayed(fit_and_score)(
                self, clone(self.estimator), X, y, train, test, fit_params, subcontext
            )
            for (train, test), subcontext in zip(splits, contexts, strict=True)
        )

    def _choose_threshold(self, y, weight, folds):
        """The pooled tuning set, its hull, and the operating point."""
        samples = self._samples(y, weight, folds)
        if samples is None:
            raise ValueError(
                "`cv` must hold out both classes: the tuning set, all held-out samples "
                "of positive weight together, has only one. Use a splitter that holds "
                "every sample out, or a larger fraction."
            )
        roc = tuning_path(samples)
        choice = self._choice_on(roc, samples)
        if choice is None:
            raise ValueError(floors_not_met(roc, self._floors(), self.interpolate))
        self.thresholds_, self.tuning_counts_, self.is_vertex_ = kept(roc, choice)
        self.threshold_, self.randomized_threshold_ = choice.threshold, choice.coin
        self.operating_point_ = choice.point
        self._store_cv_results(roc, choice, y, weight, folds)

    def _store_cv_results(self, roc, choice, y, weight, folds):
        for name in ("cv_results_", "tuning_path_"):
            vars(self).pop(name, None)
        if not self.store_cv_results:
            return
        rocs, choices = [roc], [choice]
        if len(folds) > 1:
            samples = [self._samples(y, weight, [fold]) for fold in folds]
            rocs = [None if split is None else tuning_path(split) for split in samples]
            choices = [roc and self._choice_on(roc) for roc in rocs]
        self.cv_results_ = columns_of(rocs, choices)
        self.tuning_curve_ = roc

    def _samples(self, y, weight, folds):
        """The folds' samples together; None without both classes."""
        rows = np.concatenate([fold.rows for fold in folds])
        score = np.concatenate([fold.score for fold in folds])
        if weight is not None:
            weight = weight[rows]
            if not weight.any():
                return None
        samples = drop_zero_weight(self._is_positive(y[rows]), score, weight)
        if samples.positive.all() or not samples.positive.any():
            return None
        return samples

    def _choice_on(self, roc, samples=None):
        proven = None
        if self.confidence is not None:
            proven = proven_thresholds(
                samples,
                roc,
                objective=self.objective,
                floors={name: floor for name, floor in self._floors().items() if floor},
                confidence=self.confidence,
                random_state=check_random_state(self.random_state),
            )
        return choose(
            roc,
            self.objective,
            self._floors(),
            interpolate=self.interpolate,
            proven=proven,
        )

    def _keep_estimator(self, X, y, folds, fit_params, context):
        """Refit on all the data, or take what was fitted."""
        self.estimator_ = clone(self.estimator)
        if not (self.refit or self._is_frozen()):
            self.estimator_ = folds[0].estimator
        elif not self._is_frozen():
            fit_as_task(self, self.estimator_, X, y, fit_params, context)
        for name in ("n_features_in_", "feature_names_in_"):
            vars(self).pop(name, None)
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))

    def _callback_contexts(self, n_splits):
        """The task of `fit`, and its two subtasks with fits of `estimator` in them."""
        if self._is_frozen():
            return self._init_callback_context(), NoCallbacks(), NoCallbacks()
        root = self._init_callback_context(max_subtasks=2 if self.refit else 1)
        tuning = root.subcontext(
            task_name="tuning-scores", max_subtasks=n_splits, sequential_subtasks=False
        )
        refit = root.subcontext(task_name="refit") if self.refit else NoCallbacks()
        return root, tuning, refit

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
        """How many thresholds each score reaches: 1 to n_thresholds - 1."""
        score = self._score(X)
        check_finite_scores(score)
        return np.searchsorted(self.thresholds_[:0:-1], score, side="right")


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
