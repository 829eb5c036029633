"""A binary classifier with thresholds from the ROC convex hull of held-out scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from inspect import isclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.utils import Tags, assert_all_finite, get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, column_or_1d, has_fit_parameter

from .._inference.design import Design, check_clusters
from .._input import estimators, options
from .._input.arrays import as_numbers, check_weight, on_host, unit_of
from .._input.estimators import decision_values_separate, saturated
from .._input.frames import check_order
from .._input.labels import (
    distinct_labels,
    drop_zero_weight,
    encoded,
    label_index,
    need_no_name,
)
from .._input.options import RandomState
from ..results import TuningCounts, TuningCurve
from . import _choice, _tuning
from ._rule import check_classes, choose, rule_of


class HullThresholdClassifierCV(
    _tuning.CallbackSupportMixin, ClassifierMixin, MetaEstimatorMixin, BaseEstimator
):
    r"""Binary classifier with thresholds from the ROC convex hull of held-out scores.

    Typical call::

        tuned = HullThresholdClassifierCV(model, objective="f1").fit(X, y)
        y_pred = tuned.predict(X_new)

    Choosing a threshold on the test data overestimates the performance of a classifier.
    This meta-estimator chooses thresholds on a tuning set [1]_ (also called validation
    set): clones of `estimator` score samples that they were not fitted on, and the scores
    of all folds are pooled. The chosen threshold maximizes `objective` on the pooled
    scores, as `choose_threshold` does. The meta-estimator keeps this threshold and those at
    the vertices of the ROC convex hull. Finally `estimator` is fitted on all the data.

    `predict` applies the chosen threshold to the scores of `estimator_`. The values of
    `decision_function` and `predict_proba` change only at the kept `thresholds_`, so they
    rank samples more coarsely than `estimator_` does. Compute curves with all thresholds,
    and ranking metrics such as average precision, from the scores of `estimator_`.

    A constraint that is just met on the tuning set is missed on new data about half of the
    time. With `confidence_level` new data meet the constraints with this probability.

    Read more in the :ref:`User Guide <hull_thresholds>`.

    Parameters
    ----------
    estimator : estimator instance
        A binary classifier with `decision_function` or `predict_proba`. Clones of
        `estimator` are fitted. A :class:`~sklearn.frozen.FrozenEstimator` is not refitted:
        all samples passed to `fit` are the tuning set, and `cv` is ignored.
    objective : str, dict or callable, default="f1"
        As in `choose_threshold`: what to maximize, e.g. `"f1"`, utilities such as
        `{"tp": 10, "fp": -1, "fn": -50}`, a callable of counts, a metric or a scorer.
    min_recall, min_precision, min_npv, max_selection_rate, max_fpr : float, default=None
        As in `choose_threshold`: bounds of the recall (sensitivity), the precision (PPV),
        the negative predictive value (NPV), the share of samples predicted positive and the
        false positive rate (1 - specificity) on the tuning set, within [0, 1].
    confidence_level : float, default=None
        The probability, over tuning sets, that new data meet all constraints, inside
        (0, 1); at least one constraint is needed. Tuning samples and new samples must be
        independent and from one distribution. If instead clusters of samples are
        independent, pass them to `fit` as `groups`; each cluster then counts once. The
        classifier must not be fitted on the tuning set: pass a
        :class:`~sklearn.frozen.FrozenEstimator`, or `refit=False` with one split. With
        `min_precision` or `min_npv` thresholds are tested in sequence [2]_. With
        `refit=False` all tuning samples test all constraints together, in an order from
        out-of-fold scores of the training part. These scores take five more fits, on five
        stratified folds (fewer if a class has fewer samples). A FrozenEstimator has no
        training part, so a random fifth of the tuning set orders these tests; if you have
        scores of other samples, use ``choose_threshold(order_from=)``. With
        `min_precision`, `min_npv` or `max_selection_rate` a float `cv` is not stratified.
        `randomize=True` raises `ValueError`.
    randomize : bool, default=False
        Whether two neighboring thresholds of the hull may be mixed at random, so that the
        expected counts of the tuning set meet a constraint with equality. They are mixed
        only if the objective is then higher than at every threshold that meets the
        constraints. Without constraints the parameter has no effect.
    response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        Method that computes the scores. ``"auto"`` takes `predict_proba`, and
        `decision_function` of an estimator without it or with saturated probabilities: if
        positive and negative tuning samples share the probability 1, or 0, and have more
        than one decision value, a threshold of decision values is chosen, with a warning.
        A tuple of both methods takes the first one that the estimator has.
    pos_label : int, float, bool or str, default=None
        The label of the positive class. None means `classes_[1]`, with a warning for labels
        other than {0, 1}, {-1, 1} and booleans.
    prevalence : float, default=None
        Reference prevalence, inside (0, 1), to which the tuning set is reweighted, as in
        `choose_threshold`; `estimator` is fitted without these weights. `predict_proba` and
        the false positives of `tuning_counts_`, `tuning_curve_` and `cv_results_` (each
        split with the weight from its own class counts) are those at this prevalence.
    cv : int, float, cross-validation generator or iterable, default=None
        How the samples of the tuning set are held out. None means 5 stratified folds; a
        float is the fraction of one stratified hold-out; an iterable yields (train, test)
        indices. With `groups` in `fit`, None and an integer mean folds of whole groups
        (:class:`~sklearn.model_selection.StratifiedGroupKFold`), and a float is a fraction
        of the groups. A sample that is held out several times is in the tuning set several
        times.
    refit : bool, default=True
        Whether to fit `estimator` on all the data after choosing thresholds. With False,
        `cv` must give one split.
    n_jobs : int, default=None
        Number of classifiers that are fitted in parallel, as in :class:`joblib.Parallel`.
    random_state : int, RandomState instance, Generator or None, default=None
        Seed or source of random numbers for the hold-out of a float `cv`, the random fifth
        of `confidence_level`, and the predictions of a randomized threshold. With an int
        every call of `predict` uses the same random numbers; pass an instance if samples
        are predicted one by one.
    store_cv_results : bool, default=False
        Whether to store `cv_results_` and `tuning_curve_`.

    Attributes
    ----------
    estimator_ : estimator instance
        `estimator` fitted on all the data or, with `refit=False`, on the training part.
    classes_ : ndarray of shape (2,)
        The class labels, sorted.
    thresholds_ : ndarray of shape (n_thresholds,)
        The kept thresholds, decreasing. The first is inf (no sample is predicted positive),
        the last -inf (every sample is predicted positive). The others lie between two
        scores of the tuning set.
    is_vertex_ : ndarray of bool, shape (n_thresholds,)
        Whether each of `thresholds_` is at a vertex of the hull; False only for a chosen
        threshold between two vertices.
    tuning_counts_ : TuningCounts
        `fps` and `tps` of the tuning set at each of `thresholds_`.
    threshold_ : float
        The chosen one of `thresholds_`. Samples with scores >= `threshold_` are predicted
        positive. If the positive label is `classes_[0]`, scores are its probabilities or
        the decision values times -1.
    operating_point_ : OperatingPoint
        The chosen operating point, as from `choose_threshold`. It also has
        `response_method`, which is the scale of the threshold, and `randomized_threshold`,
        if `randomize=True` increased the objective: samples with scores from its
        `threshold` up to, but not including, `threshold_` are predicted positive with its
        `probability`.
    n_features_in_ : int
        Number of features seen in `fit`, if `estimator_` has this attribute.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of features seen in `fit`, if `estimator_` has this attribute.
    cv_results_ : dict
        Only with `store_cv_results=True`: results for the held-out samples of each split
        alone. `thresholds`, `fps`, `tps` and `is_vertex` of the hull are lists of arrays.
        `threshold`, `precision`, `recall`, `npv`, `selection_rate`, `fpr` and
        `objective_value` of the chosen threshold are arrays, NaN where a class is missing,
        the constraints cannot be met, or a rate is undefined. `randomized_threshold` is a
        list of pairs (threshold, probability), or None.
    tuning_curve_ : TuningCurve
        Only with `store_cv_results=True`: `fps` and `tps` of the tuning set at every
        threshold, its `scores`, and the indices `vertices`.

    See Also
    --------
    choose_threshold : The same choice from labels and scores.
    HullThresholdDisplay : Precision, recall and objective at each threshold.
    roc_convex_hull : The ROC convex hull of given scores.
    sklearn.model_selection.TunedThresholdClassifierCV : Tunes over evenly spaced
        thresholds for any scorer.
    sklearn.calibration.CalibratedClassifierCV : Calibrates probabilities; with
        `method="isotonic"` by the same regression as `predict_proba` here, per fold.

    Notes
    -----
    Let :math:`(f_k, t_k)` be the vertices of the hull, numbers of false and true positives
    of the tuning set. A sample with a score in the segment between the vertices
    :math:`k - 1` and :math:`k` has the probability

    .. math::

        \frac{t_k - t_{k-1}}{(t_k - t_{k-1}) + (f_k - f_{k-1})}

    of the positive class. The objectives are defined in Notes of `choose_threshold`.

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
        min_npv: float | None = None,
        max_selection_rate: float | None = None,
        max_fpr: float | None = None,
        confidence_level: float | None = None,
        randomize: bool = False,
        response_method: str | tuple[str, ...] = "auto",
        pos_label: int | float | bool | str | None = None,
        prevalence: float | None = None,
        cv: int | float | Iterable | None = None,
        refit: bool = True,
        n_jobs: int | None = None,
        random_state: RandomState | None = None,
        store_cv_results: bool = False,
    ):
        self.estimator = estimator
        self.objective = objective
        self.min_recall = min_recall
        self.min_precision = min_precision
        self.min_npv = min_npv
        self.max_selection_rate = max_selection_rate
        self.max_fpr = max_fpr
        self.confidence_level = confidence_level
        self.randomize = randomize
        self.response_method = response_method
        self.pos_label = pos_label
        self.prevalence = prevalence
        self.cv = cv
        self.refit = refit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.store_cv_results = store_cv_results

    @_tuning.with_callbacks
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
            Input of the estimator.
        y : array-like of shape (n_samples,)
            Binary labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights, for the hull, the objective and the constraints, and for
            `estimator.fit` if it accepts weights (with metadata routing: requests them).
        **params : dict
            Metadata. `groups` has the cluster of each sample: whole groups are held out,
            and they are the clusters of a guarantee. With `enable_metadata_routing=True`,
            each name is passed to `estimator.fit` or `cv.split` if they request it.
            Otherwise `groups` is passed to `cv.split` and all others to `estimator.fit`; of
            arrays with one entry per sample, only the entries of the fitted samples are
            passed.

        Returns
        -------
        HullThresholdClassifierCV
            The estimator itself, fitted.

        Raises
        ------
        ValueError
            If a class is missing; if no threshold meets the constraints, or they can be
            guaranteed at none; if the objective returns NaN; if `estimator` does not
            score every sample; if `groups` do not have one label for each sample; or if a
            guarantee has `groups`, and the split divides one.

        Warns
        -----
        UserWarning
            If `sample_weight` is passed, but `estimator.fit` does not accept it; if
            `response_method="auto"` takes `decision_function` because probabilities are
            saturated; if `pos_label` is None and the labels are not {0, 1}, {-1, 1} or
            booleans; if the chosen threshold predicts every tuning sample positive, or no
            sample.
        CoverageWarning
            If weights or the `prevalence` make estimates of the tuning set too high, or a
            guarantee too weak, as in `choose_threshold`.
        """
        self._check_parameters()
        for name in ("cv_results_", "tuning_curve_", "n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)  # delete attributes of an earlier fit
        check_order(y=y, X=X, sample_weight=sample_weight, **params)
        X, y, weight = self._check_data(X, y, sample_weight)
        self._warn_of_positive_label()
        fit_params, split_params, groups = self._route(weight, params)
        rule = rule_of(self)
        clusters = check_clusters(y, Design(groups=groups))
        if np.ndim(split_params.get("groups")) > 1:  # splitters take no column
            split_params = {**split_params, "groups": clusters}
        splits = _tuning.tuning_splits(self, X, y, split_params, rule, clusters)
        of_order = _tuning.order_splits(y, splits, rule, clusters)
        n_fits = len(splits) + len(of_order) + self.refit if splits else 0
        task = self._init_callback_context(max_subtasks=n_fits, sequential_subtasks=False)
        task.call_on_fit_task_begin(estimator=self, X=X, y=y)
        data = X, y, weight
        scored = self._scored_folds(data, splits, of_order, fit_params, task)
        tuning = splits[0][1] if splits else np.arange(len(y))
        clusters = _tuning_clusters(rule, clusters, tuning, weight)
        chosen = self._choose_threshold(
            rule, scored, clusters, unit_of(sample_weight, weight)
        )
        self.estimator_ = scored.fitted[0]
        if splits and self.refit:
            self.estimator_ = clone(self.estimator)
            context = task.subcontext(task_name="refit", task_id=len(splits))
            _tuning.fit_as_task(self, self.estimator_, X, y, fit_params, context)
        self._set_rule(chosen, scored.response_method)
        task.call_on_fit_task_end(estimator=self, X=X, y=y)
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predict the class of each sample at the chosen threshold.

        A sample is predicted positive if its score by `estimator_` is at least
        `threshold_`. The method that computes the scores is
        `operating_point_.response_method`.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Input of the estimator.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels. With a randomized threshold the labels of the samples between the two
            thresholds are random; an int as `random_state` makes them reproducible.
        """
        score = self._score(X)
        positive = score >= self.threshold_
        if (randomized := self.operating_point_.randomized_threshold) is not None:
            lower, probability = randomized
            undecided = np.flatnonzero(~positive & (score >= lower))
            rng = options.check_random_state(self.random_state)
            positive[undecided] = rng.uniform(size=len(undecided)) < probability
        is_class_1 = positive if self._positive_index() else ~positive
        return self.classes_.take(is_class_1)

    @property
    def _keeps_thresholds(self):
        """Whether the classifier is fitted, so that its scores are ordinal."""
        return hasattr(self, "tuning_counts_")

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Ordinal score of each sample, positive if `predict` returns `classes_[1]`.

        The ordinal score is the number of `thresholds_` that are at most the score of the
        sample, minus a constant; if `pos_label` is `classes_[0]`, its sign is reversed.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Input of the estimator.

        Returns
        -------
        ndarray of float64, shape (n_samples,)
            Integers plus one half or, with a randomized threshold, integers, 0 where the
            prediction is random. A higher score means that `classes_[1]` is more likely,
            for either choice of `pos_label`.
        """
        n_reached = self._n_reached(X)
        below_chosen = np.searchsorted(self.thresholds_[::-1], self.threshold_)
        # Between the two thresholds that are mixed at random, the ordinal score is 0.
        half = 0.5 if self.operating_point_.randomized_threshold is None else 0.0
        shifted = n_reached - (below_chosen + half)
        return shifted if self._positive_index() else -shifted

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Class probabilities: shares of the classes in the hull segment of each sample.

        A segment of the hull lies between two neighboring vertices. The probability is the
        fraction of positives among the tuning samples of the segment, which is the isotonic
        regression of the labels on the scores of the tuning set. Probabilities do not
        depend on the objective, so `predict` may return the less probable class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Input of the estimator.

        Returns
        -------
        ndarray of float64, shape (n_samples, 2)
            Probabilities of `classes_`, which may be 0 or 1.
        """
        n_reached, is_vertex = self._n_reached(X), self.is_vertex_
        counts = np.diff(np.column_stack(self.tuning_counts_)[is_vertex], axis=0)
        if not self._positive_index():
            counts = counts[:, ::-1]
        of_segment = counts / counts.sum(axis=1, keepdims=True)
        # The segment of a sample starts at the last vertex before the highest threshold
        # that its score reaches.
        segment = np.cumsum(is_vertex) - 1
        return of_segment[segment[len(is_vertex) - 1 - n_reached]]

    def get_metadata_routing(self) -> MetadataRouter:
        """Router of the metadata of `fit` to `estimator.fit` and `cv.split`.

        Returns
        -------
        MetadataRouter
            The router.
        """
        to_fit = MethodMapping().add(caller="fit", callee="fit")
        to_split = MethodMapping().add(caller="fit", callee="split")
        router = MetadataRouter(owner=self).add_self_request(self)
        router.add(estimator=self.estimator, method_mapping=to_fit)
        if self.confidence_level is not None:  # a guarantee takes `groups`, too
            router.add(guarantee=StratifiedGroupKFold(), method_mapping=to_split)
        is_number = self.cv is None or isinstance(self.cv, Real)
        splitter = StratifiedGroupKFold() if is_number else self.cv
        return router.add(splitter=splitter, method_mapping=to_split)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if hasattr(self.estimator, "__sklearn_tags__") and not isclass(self.estimator):
            tags.input_tags = get_tags(self.estimator).input_tags
        tags.classifier_tags.multi_class = False
        return tags

    # Fitting: checks

    def _check_parameters(self):
        """Raise an error for parameters that are wrong whatever the data are."""
        estimators.check_classifier(self.estimator)
        for name in ("randomize", "store_cv_results", "refit"):
            options.check_flag(getattr(self, name), name)
        if self.n_jobs is not None:
            options.check_integer(self.n_jobs, "n_jobs")
        methods = estimators.RESPONSE_METHODS
        options.check_option(self.response_method, "response_method", methods)
        options.check_random_state(self.random_state)

    def _check_data(self, X, y, sample_weight):
        """Checked X, y and weights; sets `classes_`."""
        X, y = indexable(X, column_or_1d(on_host(y, "y"), warn=True))
        if y.dtype.kind == "O":
            labels = distinct_labels(y, "y")  # raises for missing and for mixed labels
            if not isinstance(labels[0], str):
                y = as_numbers(y, "y")  # scikit-learn refuses numbers as objects
        assert_all_finite(y, input_name="y")
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) != 2:
            raise ValueError(
                "Only binary classification is supported: `y` must have two classes, "
                f"neither one class nor more. Got {options.listed(self.classes_)}. "
                "Binarize `y`, e.g. `y == label`, or add samples of the other class."
            )
        return X, y, check_weight(sample_weight, len(y))

    def _warn_of_positive_label(self):
        """Warn where the labels do not tell which one is positive."""
        labels = self.classes_.tolist()
        if self.pos_label is None and not need_no_name(labels):
            options.warn_caller(
                f"`pos_label` is None, and the labels are {options.listed(labels)}: "
                f"{labels[1]!r} is taken as the positive class. Pass "
                f"pos_label={labels[1]!r} or pos_label={labels[0]!r}."
            )

    def _positive_index(self):
        """Index of the positive class in `classes_`; raises for an unknown `pos_label`."""
        if self.pos_label is None:
            return 1
        return label_index(self.classes_, self.pos_label, "y")

    def _positive_label(self):
        return self.classes_.tolist()[self._positive_index()]

    def _route(self, weight, params):
        """Parameters of `estimator.fit` and of `cv.split`, and the groups, if any."""
        if get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", sample_weight=weight, **params)
            groups = params.get("groups")
            return routed.estimator.fit, routed.splitter.split, groups
        groups = params.pop("groups", None)
        if weight is not None and not isinstance(self.estimator, FrozenEstimator):
            if has_fit_parameter(self.estimator, "sample_weight"):
                params["sample_weight"] = weight
            else:
                options.warn_caller(
                    f"`estimator` ({type(self.estimator).__name__}) has no `sample_weight` "
                    "in its `fit`: the weights count only in choosing the threshold."
                )
        # A splitter of the user may not take groups.
        return params, {} if groups is None else {"groups": groups}, groups

    # Fitting: the steps

    def _scored_folds(self, data, splits, of_order, fit_params, task):
        """Fit a classifier on each split; return the `ScoredFolds` of what they hold out.

        `data` are X, y and weights. With `response_method="auto"`, decision values replace
        probabilities that are saturated for the tuning set.
        """
        method, n_tuning = self.response_method, len(splits) or 1
        splits = splits + of_order
        if splits:
            fits = Parallel(n_jobs=self.n_jobs)(
                delayed(self._fit_and_score)(
                    *data, fit_params, *split, task.subcontext(task_name="split", task_id=i)
                )
                for i, split in enumerate(splits)
            )
            fitted, folds = zip(*fits, strict=True)
        else:
            fitted = (self.estimator,)
            folds = (self._samples(self.estimator, method, *data),)
        scored = _tuning.ScoredFolds(fitted, folds[:n_tuning], folds[n_tuning:], method)
        if method != "auto" or not all(map(estimators.has_both_methods, fitted)):
            return scored
        tied = saturated(_tuning.pooled(scored.tuning))
        if not tied:
            return scored
        by_values = self._by_decision_values(scored, data, splits)
        values = _tuning.pooled(by_values.tuning).score
        return by_values if decision_values_separate(tied, values) else scored

    def _by_decision_values(self, scored, data, splits):
        """The `ScoredFolds` of the same classifiers with decision values as scores."""
        method, n_tuning, folds = "decision_function", len(scored.tuning), []
        for estimator, split in zip(scored.fitted, splits or [None], strict=True):
            own = self._held_out(*data, *split) if split else data
            folds.append(self._samples(estimator, method, *own))
        return _tuning.ScoredFolds(
            scored.fitted, folds[:n_tuning], folds[n_tuning:], method
        )

    def _held_out(self, X, y, weight, train, test):
        """Input, labels and weights of the samples that are held out."""
        X = estimators.take(X, test)
        if get_tags(self.estimator).input_tags.pairwise:
            X = X[:, train]
        return X, y[test], None if weight is None else weight[test]

    def _fit_and_score(self, X, y, weight, fit_params, train, test, context):
        """Fitted clone (None if not used again), and the held-out `BinaryData`."""
        estimator = clone(self.estimator)
        X_train = estimators.take(X, train)
        if get_tags(estimator).input_tags.pairwise:
            X_train = X_train[:, train]
        # Parameters are copied, because some classifiers write into an array of start
        # values.
        params = estimators.take_parameters(deepcopy(fit_params), len(y), train)
        _tuning.fit_as_task(self, estimator, X_train, y[train], params, context)
        own, method = self._held_out(X, y, weight, train, test), self.response_method
        samples = self._samples(estimator, method, *own)
        # The classifier is kept until all folds together show whether decision values are
        # needed.
        is_kept = method == "auto" and estimators.has_both_methods(estimator)
        return estimator if is_kept or not self.refit else None, samples

    def _choose_threshold(self, rule, scored, clusters, unit):
        """The choice from pooled scores; sets the kept thresholds."""
        folds = scored.tuning
        samples = _tuning.pooled(folds)
        check_classes(samples, "`y`, or what `cv` holds out,")
        ordering = _tuning.pooled(scored.ordering) if scored.ordering else None
        every, random_state = self.store_cv_results, self.random_state
        chosen = choose(rule, samples, random_state, every, ordering, clusters, unit)
        kept = _choice.kept_thresholds(chosen.curve, chosen.choice)
        self.thresholds_, *counts, self.is_vertex_ = kept
        self.tuning_counts_ = TuningCounts(*counts)
        if self.store_cv_results:
            curve = chosen.curve
            fps, tps = curve.of_user(curve.fps, curve.tps)
            self.tuning_curve_ = TuningCurve(fps, tps, curve.scores, curve.vertices)
            curves, choices = [curve], [chosen.choice]
            if len(folds) > 1:
                curves = [_choice.tuning_roc(fold, self.prevalence) for fold in folds]
                curves = [curve._replace(unit=unit) for curve in curves]
                choices = [_choice.best_choice(curve, rule) for curve in curves]
            self.cv_results_ = _choice.cv_results_of(curves, choices)
        return chosen

    def _set_rule(self, chosen, response_method):
        """Set the threshold and the method that it is compared with."""
        # What `predict` calls. The operating point says in text how the values are used.
        self._score_method = method = estimators.available_method(
            self.estimator_, response_method, "predict_proba"
        )
        is_negated = method == "decision_function" and not self._positive_index()
        self.operating_point_ = chosen.point("-" * is_negated + method)
        self.threshold_ = self.operating_point_.threshold
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))

    def _samples(self, estimator, response_method, X, y, weight):
        """Samples with scores of the positive class; all labels must be known."""
        label = self._positive_label()
        method = estimators.available_method(estimator, response_method, "predict_proba")
        _, score = estimators.binary_scores(estimator, X, y, method, label)
        return drop_zero_weight(y == label, score, weight)

    # Predicting

    def _score(self, X):
        """Scores of the positive class from `estimator_`, as float64."""
        check_is_fitted(self, "threshold_")
        method = self._score_method
        index = label_index(self.estimator_.classes_, self._positive_label(), "estimator")
        score = estimators.scores_of_class(
            getattr(self.estimator_, method)(X), method, index
        )
        # Scores become float64 like the thresholds. For float32 scores both dtypes give the
        # same predictions.
        return score.astype(np.float64, copy=False)

    def _n_reached(self, X):
        """Number of thresholds that each score reaches, from 1 to n_thresholds - 1."""
        score = self._score(X)
        return np.searchsorted(self.thresholds_[:0:-1], score, side="right")


def _tuning_clusters(rule, clusters, tuning, weight):
    """The clusters of the tuning samples that choose the threshold; None if none count.

    `tuning` are the indices of the samples that are held out in the only split. Clusters
    count in a guarantee, and samples of weight 0 do not.
    """
    if clusters is None or rule.confidence_level is None:
        return None
    if weight is not None:
        tuning = tuning[weight[tuning] > 0]
    return encoded(clusters[tuning])[1]
