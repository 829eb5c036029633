"""Confidence intervals and tests from the results of a cross-validation.

The results describe how the mean of a metric over the folds varies with the samples, which
are training samples and test samples.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from .._inference.design import Design, Options, by_name, check_level
from .._inference.differences import differences
from .._input.options import Label, check_option, listed
from ..metrics._table import check_metric
from ..results import (
    AucPRIntervalCVResult,
    ModelComparisonResult,
)
from . import _cross_validation
from ._cross_validated import warn_of_given_labels

# The coverage under cross-validation was simulated for these metrics.
_METRICS = ("auc_pr_interpolated", "aucnpr", "average_precision")


def auc_pr_interval_cv(
    cv_results: Mapping[str, Any],
    X: Any,
    y: ArrayLike,
    *,
    metric: str = "auc_pr_interpolated",
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    groups: ArrayLike | None = None,
    response_method: str | tuple[str, ...] = ("decision_function", "predict_proba"),
    pos_label: Label | None = None,
) -> AucPRIntervalCVResult:
    r"""Standard error and confidence interval of a cross-validated AUC-PR.

    Typical call::

        run = cross_validate(model, X, y, return_estimator=True, return_indices=True)
        print(auc_pr_interval_cv(run, X, y))

    How good are the models that this learner fits? The estimate is the mean of the metric
    over the folds, which is also the mean score of the scorer of this metric in
    `cross_validate`. The interval is for the expected value of models that this learner
    fits to as many samples as the training samples of one fold. If each fold has at least
    three quarters of all samples for training, the interval is also for the model refitted
    on all samples. Tied scores count as in the metric.

    The interval is conservative: in each of 36 simulated settings, 95 % intervals contained
    the true value in at least 94.8 % of the data sets (Monte Carlo error 1.4 %). Intervals
    computed from the spread of the folds' scores contained it in as few as 78 %, because
    folds share training samples.

    Read more in the :ref:`User Guide <folds>`.

    Parameters
    ----------
    cv_results : dict
        The result of :func:`sklearn.model_selection.cross_validate` with
        ``return_estimator=True`` and ``return_indices=True``, for any splitter of
        independent samples or groups: repeated, stratified, group, or one hold-out. The
        result of `cv_results_from_scores` is accepted, too.
    X : {array-like, sparse matrix} of shape (n_samples, n_features), or None
        Input of the estimator. It is not used, and may be None, with
        `cv_results_from_scores`.
    y : array-like of shape (n_samples,)
        Labels; each must be one of the `classes_` of every estimator. For outlier detectors
        they are the labels that the detectors predict, -1 (outliers) and 1, or 0 and 1
        (outliers). With more than two classes, `pos_label` is compared with all others.
    metric : str, default="auc_pr_interpolated"
        Name of the metric: ``"auc_pr_interpolated"``, ``"aucnpr"`` or
        ``"average_precision"``.
    confidence_level : float, default=0.95
        Confidence level of the interval, inside (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Sides of the interval: ``"less"`` has only an upper limit, ``"greater"`` only a
        lower limit.
    groups : array-like of shape (n_samples,), default=None
        Cluster labels, e.g. the patient of each sample. Samples of one cluster count as one
        observation in intervals and tests. Pass the `groups` of a group splitter here too.
        If None, samples are treated as independent.
    response_method : str or tuple of str, default=("decision_function", "predict_proba")
        Method that computes the scores, ``"decision_function"`` or ``"predict_proba"``, or
        a tuple of both; the first one that the estimator has is called. The default is the
        order of the scorers. It is not used with `cv_results_from_scores`.
    pos_label : int, float, bool or str, default=None
        The positive label. None means the `pos_label` of a `HullThresholdClassifierCV` and,
        without it, 1 for labels {0, 1} and {-1, 1}, and True for booleans; other labels
        need `pos_label`.

    Returns
    -------
    AucPRIntervalCVResult
        With the attributes of the result of `auc_pr_interval`, and

        - fold_values: value of the metric for each fold; `estimate` is their mean, and
          `chance_level` that of the chance levels of the test folds;
        - n_folds, n_repeats: number of folds, and largest number of folds that test one
          sample;
        - fewest_positives: number of positives in the fold with the fewest;
        - n_samples, n_positive, n_clusters: of the test samples of all folds, each counted
          once;
        - n_train: number of training samples of each fold; one that a bootstrap sample has
          several times counts once. For `cv_results_from_scores` it is the `n_train` that
          was passed there, or that of all other folds.

    Raises
    ------
    ValueError
        If a fold has fewer than two positives or negatives (with `groups`, clusters with
        positives or negatives), a fold tests a sample twice or, without `groups`, one of
        its training samples, or `cv_results` is not of this `X` and `y`.
    TypeError
        If an argument is of the wrong type.

    Warns
    -----
    UserWarning
        If the score is constant in a fold, or is reversed in the mean over the folds, as in
        `auc_pr_interval`. If the models are `HullThresholdClassifierCV`, whose scores are
        tied between thresholds.
    CoverageWarning
        If a fold has fewer than five positives or negatives: coverage is then not known,
        and with few positives the mean over the folds is biased upward. If a group of
        `groups`, with its samples, is in the training and in the test part of a fold: the
        estimate is then optimistic. If the number of training samples of a fold differs
        from the median of the folds by more than 1 % and by more than one sample (with
        `groups`, the largest group).

    See Also
    --------
    compare_models_cv : Intervals and tests of several models.
    cv_results_from_scores : `cv_results` from out-of-fold scores of any framework.
    auc_pr_interval : Interval of one fitted model on a test set.
    summary_auc_pr : AUC-PR of folds at one prevalence.

    Notes
    -----
    Let :math:`D_{ik}` be the influence of sample i on the metric of fold k
    (`auc_pr_influence`), or 0 if the fold does not test the sample. With K folds the
    standard error is

    .. math::

        \mathrm{SE}^2 = \left(1 + \frac{n_{\text{tested}}}{n_{\text{train}}}\right)
            \sum_i \frac{d_i^2}{1 - h_i},
        \qquad d_i = \frac{1}{K} \sum_k D_{ik}

    where :math:`h_i` is the mean, over the folds that test sample i, of 1 divided by the
    number of test samples of its class in the fold. LeDell et al. [2]_ estimate the
    variance of a cross-validated area under the ROC curve by such a sum; Bayle et al. [3]_
    give conditions under which a mean error over folds is asymptotically normal.

    The first factor is that of Nadeau and Bengio [1]_: :math:`n_{\text{tested}}` is the
    number of samples that at least one fold tests (all 300, not 60, in a 5-fold
    cross-validation of 300 samples), and :math:`n_{\text{train}}` is the mean number of
    training samples. With `groups`, :math:`d_i` is summed per cluster, and :math:`h_i` is
    the larger share of the cluster in a class. In a repeated cross-validation a sample that
    several folds test has one :math:`d_i`, because repeats are not new samples.

    The limits are beta limits, as in `auc_pr_interval`. The lower limit allows for samples
    that the data do not show, as Notes of that function explain.

    References
    ----------
    .. [1] Nadeau and Bengio (2003), Mach Learn 52, 239-281. :doi:`10.1023/A:1024068626366`
    .. [2] LeDell et al. (2015), Electron J Stat 9, 1583-1607. :doi:`10.1214/15-EJS1035`
    .. [3] Bayle et al. (2020), NeurIPS 33. :arxiv:`2007.12671`

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_achievable_pr import auc_pr_interval_cv
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    >>> cv_results = cross_validate(
    ...     tree, X, y, return_estimator=True, return_indices=True
    ... )
    >>> print(auc_pr_interval_cv(cv_results, X, y, pos_label=0))
    AUC-PR: 0.90 (standard error 0.029)
    95 % confidence interval: 0.82 to 0.95
    569 samples, 212 positive; chance level: 0.375
    5 folds, at least 42 positives in each
    valid for models fitted to 455 samples; conservative for the refit on all 569
    """
    measured = check_metric(metric, _METRICS)
    options = check_level(Options(confidence_level, alternative))
    design = Design(pos_label, groups=groups)
    warn_of_given_labels({"y_score": cv_results}, y)
    data = cv_results, X, y, design, response_method
    learner = _cross_validation.learner_of(measured, *data, by_sample=False)
    _cross_validation.check_learners({"cv_results": learner})

    return learner.interval(options)


def compare_models_cv(
    cv_results: Mapping[str, Mapping[str, Any]],
    X: Any,
    y: ArrayLike,
    *,
    metric: str = "auc_pr_interpolated",
    confidence_level: float = 0.95,
    reference: str | None = None,
    adjust: str | None = "holm",
    groups: ArrayLike | None = None,
    response_method: str | tuple[str, ...] = ("decision_function", "predict_proba"),
    pos_label: Label | None = None,
) -> ModelComparisonResult:
    r"""Confidence intervals and paired tests of several models on the same folds.

    Typical call::

        runs = {"A": run_a, "B": run_b}  # of `cross_validate`, on the same folds
        print(compare_models_cv(runs, X, y))

    Which learner is best? The result has the interval of `auc_pr_interval_cv` for each
    model and, for each pair, the difference of the means over the folds, its interval and
    its p-value. The p-values are adjusted for the number of pairs by Holm's method, as in
    `compare_models`; the intervals are not adjusted. Tied scores count as in the metric.

    The test is a t test with the factor of Nadeau and Bengio [1]_. It is conservative: in
    simulations of learners with equal means, at significance level 0.05, it rejected in
    0.014 of the data sets in one cross-validation, and in at most 0.056 in a hold-out. A t
    test of the folds' differences rejected in up to 0.104.

    Read more in the :ref:`User Guide <folds>`.

    Parameters
    ----------
    cv_results : mapping of str to dict
        From the name of each model, at least two, to its result of
        :func:`sklearn.model_selection.cross_validate` with ``return_estimator=True`` and
        ``return_indices=True``, or of `cv_results_from_scores`. All must have the same
        folds, in any order: pass the same `cv`, with an int as its `random_state`.
    X : {array-like, sparse matrix} of shape (n_samples, n_features), mapping, or None
        Input of the estimators. If models have different features, a mapping from their
        names to their inputs. It is not used, and may be None, for models of
        `cv_results_from_scores`.
    y : array-like of shape (n_samples,)
        Labels; each must be one of the `classes_` of every estimator. For outlier detectors
        they are the labels that the detectors predict, -1 (outliers) and 1, or 0 and 1
        (outliers). With more than two classes, `pos_label` is compared with all others.
    metric : str, default="auc_pr_interpolated"
        Name of the metric: ``"auc_pr_interpolated"``, ``"aucnpr"`` or
        ``"average_precision"``.
    confidence_level : float, default=0.95
        Confidence level of the intervals, inside (0, 1).
    reference : str, default=None
        Name of the model that all others are compared with. With None all pairs are
        compared.
    adjust : {"holm", None}, default="holm"
        How the p-values are adjusted for the number of pairs. None does not adjust them.
    groups : array-like of shape (n_samples,), default=None
        Cluster labels, e.g. the patient of each sample. Samples of one cluster count as one
        observation in intervals and tests. Pass the `groups` of a group splitter here too.
        If None, samples are treated as independent.
    response_method : str or tuple of str, default=("decision_function", "predict_proba")
        Method that computes the scores, ``"decision_function"`` or ``"predict_proba"``, or
        a tuple of both; the first one that the estimator has is called. The default is the
        order of the scorers. It is not used with `cv_results_from_scores`.
    pos_label : int, float, bool or str, default=None
        The positive label. None means the `pos_label` of a `HullThresholdClassifierCV` and,
        without it, 1 for labels {0, 1} and {-1, 1}, and True for booleans; other labels
        need `pos_label`.

    Returns
    -------
    ModelComparisonResult
        As the result of `compare_models`; `models` has results of `auc_pr_interval_cv`.

    Raises
    ------
    ValueError
        If the models have different folds, or pandas objects with their samples in
        different orders, or `auc_pr_interval_cv` raises for one of them.
    TypeError
        If `cv_results` is not a mapping of at least two names to results, or another
        argument is of the wrong type.

    Warns
    -----
    UserWarning, CoverageWarning
        In the cases in which `auc_pr_interval_cv` warns.

    See Also
    --------
    auc_pr_interval_cv : Confidence interval of one model.
    cv_results_from_scores : `cv_results` from out-of-fold scores of any framework.
    compare_models : Tests of fitted models on one test set.

    Notes
    -----
    The standard error of a difference is computed as in `auc_pr_interval_cv`, from the
    differences :math:`D_{ik}^a - D_{ik}^b` of the influence values of each sample. To its
    square is added the variance of samples that the data do not show,

    .. math::

        \left(1 + \frac{n_{\text{tested}}}{n_{\text{train}}}\right) V_0(n),
        \qquad n = \frac{K n_{\min}}{R}

    with :math:`V_0` of `compare_models`, K folds, :math:`n_{\min}` samples of the smallest
    class of a fold, and R folds that test a sample, on average.

    References
    ----------
    .. [1] Nadeau and Bengio (2003), Mach Learn 52, 239-281. :doi:`10.1023/A:1024068626366`

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_achievable_pr import compare_models_cv
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> models = {
    ...     "naive Bayes": GaussianNB(),
    ...     "tree": DecisionTreeClassifier(max_depth=2, random_state=0),
    ... }
    >>> cv_results = {
    ...     name: cross_validate(
    ...         model, X, y, return_estimator=True, return_indices=True
    ...     )
    ...     for name, model in models.items()
    ... }
    >>> print(compare_models_cv(cv_results, X, y, pos_label=0))
    rank  model        AUC-PR (95 % confidence interval)
    1     naive Bayes  0.973 (0.917, 0.995)
    2     tree         0.897 (0.822, 0.948)
    <BLANKLINE>
    pair                difference (95 % interval)  p-value
    naive Bayes - tree  0.08 (0.02, 0.13)           0.006
    <BLANKLINE>
    569 samples, 212 positive
    5 folds, at least 42 positives in each
    valid for models fitted to 455 samples; conservative for the refit on all 569
    """
    names = [*by_name(cv_results, "cv_results", "results of cross_validate")]
    check_option(reference, "reference", (None, *names))
    check_option(adjust, "adjust", ("holm", None))
    inputs = X if isinstance(X, Mapping) else dict.fromkeys(names, X)
    if inputs.keys() != cv_results.keys():
        raise ValueError(
            "`X` must be an input of all models, or a mapping with the names of "
            f"`cv_results`, {listed(names)}. Got {listed(inputs)}."
        )
    measured, design = check_metric(metric, _METRICS), Design(pos_label, groups=groups)
    options = check_level(Options(confidence_level))
    _cross_validation.check_orders(cv_results, X, y, groups)
    warn_of_given_labels({f"y_score[{name!r}]": cv_results[name] for name in names}, y)
    learners = {}
    for name in names:
        data = cv_results[name], inputs[name], y, design, response_method
        learners[name] = _cross_validation.learner_of(measured, *data, by_sample=True)
    learners = _cross_validation.check_learners(learners)

    models = {name: learner.interval(options) for name, learner in learners.items()}
    pairs = differences(learners, options, reference)
    return ModelComparisonResult(models, pairs, reference, adjust)
