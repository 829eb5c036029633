"""A classifier whose thresholds come from the ROC hull of held-out tuning scores."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from inspect import isclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils import Tags, assert_all_finite, get_tags, indexable
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
from ._input.labels import drop_zero_weight
from ._input.options import check_flag, check_fractions, check_number
from ._input.random_state import RandomState, check_random_state
from ._threshold import choice, tuning
from ._threshold.objectives import CONSTRAINTS, check_objective
from ._threshold.risk_control import guaranteed_thresholds


class HullThresholdClassifierCV(
    tuning.CallbackSupportMixin, ClassifierMixin, MetaEstimatorMixin, BaseEstimator
):
    r"""Binary classifier with thresholds from the ROC hull of held-out scores.

    A hull, or a threshold, that is chosen on the test data makes the classifier look
    better than it is. This meta-estimator chooses both on a tuning set [1]_ (others call
    it validation set): clones of `estimator` score the samples that they were not fitted
    on, the scores of all folds are pooled, and the thresholds at the vertices of the ROC
    convex hull of the pooled set are kept. Among the vertices :math:`(f_i, t_i)` (false
    and true positives) the one with the greatest

    .. math:: \mathrm{objective}(t_i, f_i, P - t_i, N - f_i)

    is chosen, :math:`P` and :math:`N` being the weights of the positives and negatives.
    Then `estimator` is fitted on all the data.

    For named objectives and for utilities, no threshold is better on the tuning set than
    the best vertex. Under a constraint, and for a callable, a threshold between two
    vertices may be better. Then all tuning thresholds are candidates, and the chosen one
    is kept beside the vertices.

    A constraint that is met on the tuning set is missed on new data about half of the
    time. With `confidence`, constraints hold for new data: recall, selection rate and
    false positive rate by order statistics of the scores, precision by tests of
    thresholds in a fixed sequence [2]_.

    Read more in the :ref:`User Guide <hull_thresholds>`.

    Parameters
    ----------
    estimator : estimator instance
        A binary classifier with `decision_function` or `predict_proba`. It is cloned,
        except a :class:`~sklearn.frozen.FrozenEstimator`: that one is used as it is,
        and all samples passed to `fit` are the tuning set (`cv` is ignored).
    objective : str, dict or callable, default="f1"
        What to maximise: `"f1"` or any other `"f<beta>"` such as `"f2"` and `"f0.5"`,
        `"balanced_accuracy"`, `"youden"` (true minus false positive rate), `"precision"`,
        `"recall"`, `"mcc"` (Matthews correlation); a dict of the utilities per outcome,
        such as `{"tp": 10, "fp": -1, "fn": -50}` (a cost is a negative utility), whose
        mean over all samples is maximised; or a callable
        `(tps, fps, fns, tns) -> array`. The callable gets float64 arrays of shape
        (n_points,), one point per tuning threshold, and returns one number per point;
        infinities are allowed, NaN is not. Of equal values that of a vertex is taken, and
        the one at the highest threshold.
    min_recall : float, default=None
        Lower bound of the recall on the tuning set, within [0, 1].
    min_precision : float, default=None
        Lower bound of the precision on the tuning set, within [0, 1]. A threshold that
        predicts nothing positive has precision 0.
    max_selection_rate : float, default=None
        Upper bound of the share of the tuning samples that are predicted positive, within
        [0, 1]. A capacity of 100 reviews in 4,000 samples is 0.025.
    max_fpr : float, default=None
        Upper bound of the false positive rate on the tuning set, within [0, 1].
    randomize : bool, default=False
        Whether two neighbouring thresholds of the hull may be mixed at random so that a
        constraint is met with equality (in the expected counts of the tuning set). It is
        done only where that raises the objective above the best vertex's. Without a
        constraint it has no effect.
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
    random_state : int, RandomState instance, Generator or None, default=None
        Draws the hold-out of a float `cv`, the fifth of the tuning set on which a
        precision with a `confidence` is not tested, and the random predictions of a
        randomised threshold. An int draws the same on every call of `predict`: if samples
        are predicted one by one, pass an instance.
    store_cv_results : bool, default=False
        Whether to keep every fold's own hull and choice in `cv_results_`, and the counts
        at every threshold of the tuning set in `tuning_curve_`.
    refit : bool, default=True
        Whether `estimator` is fitted on all the data in the end. With False, `cv` must
        give one split, and the classifier fitted on its training part, for which the
        thresholds were chosen, is kept.
    confidence : float, default=None
        The probability, over tuning sets, that all constraints together hold for new
        data, inside (0, 1). The score must be fixed before the tuning set is seen: pass a
        :class:`~sklearn.frozen.FrozenEstimator`, or `refit=False`. Tuning samples must be
        drawn independently, as new ones will be, without `sample_weight` or `groups`. A
        float `cv` then holds out samples whatever their class if `min_precision` or
        `max_selection_rate` is given. The guarantee of these two assumes that the
        prevalence does not change. With None the constraints are met on the tuning set
        only.

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
        Which of `thresholds_` are at vertices of the hull: all, except a chosen one
        between two vertices.
    tuning_counts_ : TuningCounts
        `fps` and `tps` of the tuning set at each of `thresholds_`.
    threshold_ : float
        The chosen one of `thresholds_`: a score that reaches it is predicted positive.
    randomized_threshold_ : RandomizedThreshold or None
        `threshold` and `probability`: samples that reach this lower one of
        `thresholds_`, but not `threshold_`, are predicted positive with this probability.
        None unless `randomize=True` raised the objective.
    operating_point_ : OperatingPoint
        `threshold`, and `precision`, `recall`, `selection_rate`, `fpr` and `objective` on
        the tuning set; `guarantee` is None, or with `confidence` what holds for new data:
        `confidence`, `min_recall`, `min_precision`, `max_selection_rate` and `max_fpr`.
    n_features_in_ : int
        Number of features seen in `fit`, where `estimator_` says so.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of features seen in `fit`, where `estimator_` says so.
    cv_results_ : dict
        With `store_cv_results=True`, for the hull of each split's held-out samples by
        itself: lists of arrays `thresholds`, `fps`, `tps` and `is_vertex`; the choice on
        it as arrays `threshold`, `precision`, `recall`, `selection_rate`, `fpr` and
        `objective`, NaN where a class is missing or the constraints cannot be met; and
        the list `randomized_threshold`.
    tuning_curve_ : TuningCurve
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

    HullThresholdDisplay : Precision, recall and objective at each threshold.

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
        max_selection_rate: float | None = None,
        max_fpr: float | None = None,
        randomize: bool = False,
        response_method: str = "auto",
        pos_label: int | float | bool | str | None = None,
        cv: int | float | Iterable | None = None,
        n_jobs: int | None = None,
        random_state: RandomState | None = None,
        store_cv_results: bool = False,
        refit: bool = True,
        confidence: float | None = None,
    ):
        self.estimator = estimator
        self.objective = objective
        self.min_recall = min_recall
        self.min_precision = min_precision
        self.max_selection_rate = max_selection_rate
        self.max_fpr = max_fpr
        self.randomize = randomize
        self.response_method = response_method
        self.pos_label = pos_label
        self.cv = cv
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.store_cv_results = store_cv_results
        self.refit = refit
        self.confidence = confidence

    @tuning.with_callbacks
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
            `cv.split` and the rest to `estimator.fit`, each array with one entry per
            sample restricted to the samples that are fitted.

        Returns
        -------
        HullThresholdClassifierCV
            The estimator itself, fitted.

        Raises
        ------
        ValueError
            If a parameter is out of its range; `y` or the training part of a split does
            not have two classes; no threshold meets the constraints, or none is
            guaranteed to; the objective returns another shape or NaN; `estimator` is not
            a classifier, lacks the response method or returns scores that are not finite.
        TypeError
            If `estimator` is not an estimator instance, a constraint not a number, a
            boolean parameter neither True nor False, or the objective does not take four
            arrays.
        """
        self._check_parameters()
        for name in ("cv_results_", "tuning_curve_", "n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)  # of an earlier fit
        X, y, weight = self._check_data(X, y, sample_weight)
        fit_params, split_params = self._route(weight, params)
        if self.confidence is not None:
            self._check_confidence(weight, split_params)

        splits = self._splits(X, y, split_params)
        n_fits = len(splits) + self.refit if splits else 0
        task = self._init_callback_context(max_subtasks=n_fits, sequential_subtasks=False)
        task.call_on_fit_task_begin(estimator=self, X=X, y=y)
        estimators, *folds = self._tuning_folds(X, y, splits, fit_params, task)
        self._choose_threshold(y, weight, *folds)
        self.estimator_ = estimators[0]
        if splits and self.refit:
            self.estimator_ = clone(self.estimator)
            context = task.subcontext(task_name="refit", task_id=len(splits))
            tuning.fit_as_task(self, self.estimator_, X, y, fit_params, context)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        task.call_on_fit_task_end(estimator=self, X=X, y=y)
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
            Labels. With a randomised threshold (see `randomized_threshold_`), the labels
            of the samples between the two thresholds are random.
        """
        score = self._score(X)
        positive = score >= self.threshold_
        if self.randomized_threshold_ is not None:
            undecided = np.flatnonzero(
                ~positive & (score >= self.randomized_threshold_.threshold)
            )
            draws = check_random_state(self.random_state).uniform(size=len(undecided))
            positive[undecided] = draws < self.randomized_threshold_.probability
        return self._labels(positive if self._positive_index() else ~positive)

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Ordinal score of each sample, > 0 where `predict` returns `classes_[1]`.

        The ordinal score is the number of `thresholds_` that the sample's score reaches,
        shifted. A curve drawn from it has no other thresholds than these.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Input values, whatever the estimator takes.

        Returns
        -------
        ndarray of float64, shape (n_samples,)
            Positive where `predict` returns `classes_[1]`, else negative: integers plus
            one half. With a randomised threshold integers, 0 where the prediction is
            random. Higher means more likely `classes_[1]`, whichever class is the
            positive one.
        """
        n_reached = self._n_reached(X)
        below_chosen = np.searchsorted(self.thresholds_[::-1], self.threshold_)
        # Between the two thresholds of a randomised one, the shifted score is 0.
        half = 0.5 if self.randomized_threshold_ is None else 0.0
        shifted = n_reached - (below_chosen + half)
        return shifted if self._positive_index() else -shifted

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Fraction of positives among the tuning samples of the sample's hull segment.

        A segment lies between two neighbouring vertices of the hull. The fractions are
        the isotonic regression of the labels on the tuning scores. They do not depend on
        the objective: the more probable class need not be the one that `predict` returns.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Input values, whatever the estimator takes.

        Returns
        -------
        ndarray of float64, shape (n_samples, 2)
            Probabilities of `classes_`. 0 and 1 are possible.
        """
        n_reached, is_vertex = self._n_reached(X), self.is_vertex_
        columns = [np.diff(counts[is_vertex]) for counts in self.tuning_counts_]
        if not self._positive_index():
            columns.reverse()
        of_segment = np.column_stack(columns)
        of_segment = of_segment / of_segment.sum(axis=1, keepdims=True)
        # The last vertex before the highest threshold that is reached starts the segment.
        segment = np.cumsum(is_vertex) - 1
        return of_segment[segment[len(is_vertex) - 1 - n_reached]]

    def get_metadata_routing(self) -> MetadataRouter:
        """Metadata that `fit` passes on.

        Returns
        -------
        MetadataRouter
            `fit` passes metadata to `estimator.fit` and `cv.split`.
        """
        to_fit = MethodMapping().add(caller="fit", callee="fit")
        to_split = MethodMapping().add(caller="fit", callee="split")
        router = MetadataRouter(owner=self).add_self_request(self)
        router.add(estimator=self.estimator, method_mapping=to_fit)
        return router.add(splitter=self.cv, method_mapping=to_split)

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
        for name in CONSTRAINTS:
            if getattr(self, name) is not None:
                check_number(getattr(self, name), name)
                check_fractions(getattr(self, name), name)
        for name in ("randomize", "store_cv_results", "refit"):
            check_flag(getattr(self, name), name)
        check_response_method(self.response_method)
        check_random_state(self.random_state)

    def _check_confidence(self, weight, split_params):
        """Raise if a guarantee is wanted where there is none."""
        given = f"`confidence`={self.confidence}"
        if not 0 < check_number(self.confidence, "confidence") < 1:
            raise ValueError(
                "`confidence` must be None or lie inside (0, 1), e.g. 0.95. Got "
                f"{self.confidence}."
            )
        if not self._constraints():
            raise ValueError(
                f"{given} is that of a constraint: pass `min_recall` or `min_precision` "
                "above 0, or `max_selection_rate` or `max_fpr` below 1, or leave it out."
            )
        if self.refit and not self._is_frozen():
            raise ValueError(
                f"{given} needs a score that was fixed before the tuning set was seen: "
                "pooled folds have several scores, and the refit has another. Pass "
                "`refit=False` with one split, e.g. `cv=0.3`, or a fitted classifier in a "
                "FrozenEstimator."
            )
        excluded = {
            "randomize=True": self.randomize or None,
            "sample_weight": weight,
            "groups": split_params.get("groups"),
        }
        for name, value in excluded.items():
            if value is not None:
                raise ValueError(
                    f"{given} does not go with `{name}`: the guarantee is for independent "
                    "tuning samples that count one each, and one threshold. Leave out "
                    "either."
                )

    def _is_frozen(self):
        return isinstance(self.estimator, FrozenEstimator)

    def _constraints(self):
        """The constraints that some threshold does not meet, whatever the data."""
        bounds = {name: getattr(self, name) for name in CONSTRAINTS}
        return {
            name: bound
            for name, bound in bounds.items()
            if bound not in (None, 0 if CONSTRAINTS[name].is_minimum else 1)
        }

    def _check_data(self, X, y, sample_weight):
        X, y = indexable(X, column_or_1d(y, warn=True))
        assert_all_finite(y, input_name="y")
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        n_classes = len(self.classes_)
        if n_classes != 2:
            raise ValueError(
                "Only binary classification is supported. `y` must have two classes. Got "
                f"{n_classes} class{'es' if n_classes > 1 else ''}, "
                f"{listed(self.classes_)}. Binarise `y`, e.g. `y == label`, or add samples "
                "of the other class."
            )
        self._positive_index()  # raises for an unknown `pos_label`
        return X, y, check_weight(sample_weight, len(y))

    def _positive_index(self):
        """The index of the positive class in `classes_`."""
        if self.pos_label is None:
            return 1
        return label_index(self.classes_, self.pos_label, "`y` holds")

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

    # Fitting: the steps

    def _splits(self, X, y, split_params):
        """Pairs of sample indices (train, test); none for a fitted classifier."""
        if self._is_frozen():
            return []
        # Within one class a stratified hold-out is as good as an independent one.
        independent = self.confidence is not None and not (
            {"min_recall", "max_fpr"} >= self._constraints().keys()
        )
        splits = tuning.tuning_splits(
            self.cv, X, y, split_params, self.random_state, independent
        )
        if not self.refit:
            tuning.check_one_split(splits, self.confidence)
        return splits

    def _tuning_folds(self, X, y, splits, fit_params, task):
        """Classifiers, the indices of their held-out samples, and their scores."""
        if not splits:
            known = classes_of(self.estimator)
            if not np.array_equal(np.sort(known), self.classes_):
                raise ValueError(
                    "`y` must hold the two classes of the frozen `estimator`, "
                    f"{listed(known)}. Got {listed(self.classes_)}."
                )
            score = self._finite_scores(self.estimator, X)
            return (self.estimator,), (np.arange(len(y)),), (score,)
        folds = Parallel(n_jobs=self.n_jobs)(
            delayed(self._fit_and_score)(
                X, y, *split, fit_params, task.subcontext(task_name="split", task_id=i)
            )
            for i, split in enumerate(splits)
        )
        return zip(*folds, strict=True)

    def _fit_and_score(self, X, y, train, test, fit_params, context):
        estimator = clone(self.estimator)
        columns = train if get_tags(estimator).input_tags.pairwise else None
        X_train, X_test = (rows_of(X, part, columns) for part in (train, test))
        params = {
            name: parameter_rows(value, train, len(y)) for name, value in fit_params.items()
        }
        tuning.fit_as_task(self, estimator, X_train, y[train], params, context)
        score = self._finite_scores(estimator, X_test)
        return None if self.refit else estimator, test, score

    def _choose_threshold(self, y, weight, indices, scores):
        """The pooled tuning set, its hull, and the operating point."""
        samples = self._samples(y, weight, np.concatenate(indices), np.concatenate(scores))
        if samples is None:
            raise ValueError(
                "`cv` must hold out both classes: the tuning set, all held-out samples "
                "of positive weight together, has only one. Use a splitter that holds "
                "every sample out, or a larger fraction."
            )
        curve, constraints = choice.tuning_curve(samples), self._constraints()
        guaranteed = None
        if self.confidence is not None:
            rng = check_random_state(self.random_state)
            guaranteed = guaranteed_thresholds(
                samples, curve, self.objective, constraints, self.confidence, rng
            )
        rule = self.objective, constraints, self.randomize
        chosen = choice.choose(curve, *rule, guaranteed)
        if chosen is None:
            raise ValueError(choice.constraints_not_met(curve, constraints, self.randomize))
        self.thresholds_, *counts, self.is_vertex_ = choice.kept_thresholds(curve, chosen)
        self.tuning_counts_ = choice.TuningCounts(*counts)
        self.threshold_ = chosen.point.threshold
        self.randomized_threshold_ = chosen.randomized
        self.operating_point_ = chosen.point
        if not self.store_cv_results:
            return
        curves, choices = [curve], [chosen]
        if len(scores) > 1:
            folds = [
                self._samples(y, weight, *f) for f in zip(indices, scores, strict=True)
            ]
            curves = [samples and choice.tuning_curve(samples) for samples in folds]
            choices = [split and choice.choose(split, *rule) for split in curves]
        self.cv_results_ = choice.columns_of(curves, choices)
        self.tuning_curve_ = curve

    def _samples(self, y, weight, indices, score):
        """Tuning samples as `BinaryData`; None without both classes."""
        weight = None if weight is None else weight[indices]
        positive = y[indices] == self.classes_[self._positive_index()]
        samples = drop_zero_weight(positive, score, weight)
        both = samples.positive.any() and not samples.positive.all()
        return samples if both else None

    def _finite_scores(self, estimator, X):
        """Scores of the positive class by a fitted classifier."""
        label = self.classes_[self._positive_index()]
        score = response_of(estimator, X, self.response_method, label)
        check_finite_scores(score)
        return score

    # Predicting

    def _score(self, X):
        check_is_fitted(self, "threshold_")
        # Single precision cannot hold the thresholds of double precision.
        return self._finite_scores(self.estimator_, X).astype(np.float64, copy=False)

    def _labels(self, is_class_1):
        if np.array_equal(self.classes_, (0, 1)):  # a cast is by far the fastest way
            return is_class_1.astype(self.classes_.dtype)
        return np.where(is_class_1, self.classes_[1:], self.classes_[:1])

    def _n_reached(self, X):
        """How many thresholds each score reaches: 1 to n_thresholds - 1."""
        score = self._score(X)
        return np.searchsorted(self.thresholds_[:0:-1], score, side="right")
