"""One precision-recall curve and one AUC-PR of several folds or data sets.

Every fold is reweighted to the same reference prevalence. The summary curve has the mean of
the precisions of the folds at each recall, so its area is the mean of the areas of the
folds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._input.arrays import as_response
from .._input.options import CURVES, Label, check_flag, check_option
from ..metrics._table import OF_SEGMENTS, check_metric
from ..results import FoldPredictions
from ._cross_validated import folds_of, warn_of_given_labels
from ._summaries import area_of_folds, check_folds, curve_of_folds


def summary_pr_curve(
    y_true: Iterable[ArrayLike],
    y_score: Iterable[ArrayLike],
    *,
    curve: str = "empirical",
    pos_label: Label | None = None,
    sample_weight: Iterable[ArrayLike | None] | None = None,
    fold_weight: ArrayLike | None = None,
    prevalence: float | None = None,
    interpolate: bool = True,
) -> tuple[np.ndarray, np.ndarray]:
    r"""One precision-recall curve for several folds or data sets.

    Typical call::

        folds = fold_predictions(cv_results, X, y)
        precision, recall = summary_pr_curve(folds.y_true, folds.y_score)

    What precision does a fold have on average at each recall? Each fold is reweighted to
    one reference prevalence, and the precisions of the folds are averaged at each recall,
    with the weights `fold_weight`. The result is the expected precision of a fold drawn at
    random. Tied scores are one segment of the ROC curve.

    The area under the summary, over any range of recalls, is the weighted mean of the areas
    of the folds at the reference prevalence. The summary lies on or above the minimum curve
    of this prevalence, and its false positive rate does not decrease with recall, as for
    the curve of a classifier. Boyd et al. [1]_ leave open how to summarize folds; Siblini
    et al. [2]_ recommend one reference prevalence.

    Higher is better. If the scores of all folds are constant, no-skill scores, the
    precision is the reference prevalence everywhere.

    Read more in the :ref:`User Guide <folds>`.

    Parameters
    ----------
    y_true : sequence of array-like, one of shape (n_samples,) per fold
        Binary labels. Labels other than {0, 1}, {-1, 1} and booleans need `pos_label`.
    y_score : sequence of array-like, one of shape (n_samples,) per fold
        Real, finite scores, higher for the positive class, such as decision values or
        probabilities. A sample is predicted positive if `y_score >= threshold`. The scores
        of different folds are never compared.
    curve : {"empirical", "achievable"}, default="empirical"
        The curve through all thresholds (empirical), or the curve of the ROC convex hull
        (achievable).
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`.
    sample_weight : sequence of array-like of shape (n_samples,), default=None
        Non-negative weights, or None, per fold. A weight of k is the same as k copies of
        the sample, a weight of 0 the same as leaving the sample out.
    fold_weight : array-like of shape (n_folds,), default=None
        Non-negative weights of the folds; only ratios matter. None gives all folds the same
        weight. A weight of 0 is the same as leaving the fold out.
    prevalence : float, default=None
        Reference prevalence, inside (0, 1), to which every fold is reweighted. None, meant
        for the folds of one data set, takes the prevalence of all samples of all folds of
        positive weight, including omitted folds. For data sets with different prevalences
        pass a number.
    interpolate : bool, default=True
        Whether to add points between the breakpoints (the points where the ROC curve of a
        fold changes direction), so that a polyline through all points looks like the curve.
        False returns the breakpoints of all folds only; between them the curve is not a
        straight line.

    Returns
    -------
    precision : ndarray of float64, shape (n_points,)
        Element i is the precision at `recall[i]`. Where the curve falls vertically there
        are two points of the same recall, the lower first. The last element, at recall 0,
        is the mean of the limits on the first segments of the folds.
    recall : ndarray of float64, shape (n_points,)
        Non-increasing, from 1 to 0.

    Raises
    ------
    ValueError
        If no fold has both classes, or an argument is invalid. The message about the labels
        or scores of a fold has its index, from 0.

    Warns
    -----
    UndefinedMetricWarning
        If folds lack a class: they are omitted, together with their weights.
    UserWarning
        If `prevalence` is None and a chi-square test at significance level 0.001 finds that
        the prevalences of the folds differ.

    See Also
    --------
    summary_auc_pr : The area under this curve.
    fold_predictions : Labels, scores and weights of the folds of a cross-validation.
    pr_curve_interpolated : The curve of one fold.

    Notes
    -----
    With the false positive rate :math:`x_k(r)` of fold k at recall r, the weights
    :math:`w_k` of the folds and the reference prevalence q, the precision of the summary is

    .. math::

        p(r) = \frac{1}{\sum_k w_k} \sum_k w_k \frac{r}{r + x_k(r)\, (1 - q) / q}

    References
    ----------
    .. [1] Boyd et al. (2012), ICML 29, section 5. :arxiv:`1206.4667`
    .. [2] Siblini et al. (2020), IDA 18. :arxiv:`1909.02827`

    Examples
    --------
    Two folds with one positive and two negatives each, one perfect, one reversed:

    >>> from sklearn_achievable_pr import summary_pr_curve
    >>> y_true = [[1, 0, 0], [1, 0, 0]]
    >>> y_score = [[0.9, 0.5, 0.1], [0.1, 0.5, 0.9]]
    >>> precision, recall = summary_pr_curve(y_true, y_score, interpolate=False)
    >>> precision.round(4).tolist()
    [0.3333, 0.6667, 0.5]
    >>> recall.tolist()
    [1.0, 1.0, 0.0]
    """
    interpolate = check_flag(interpolate, "interpolate")
    data = y_true, y_score, sample_weight, fold_weight
    check_option(curve, "curve", CURVES)
    folds = check_folds(data, prevalence, pos_label).on_curve(curve)
    return curve_of_folds(folds, interpolate)


def summary_auc_pr(
    y_true: Iterable[ArrayLike],
    y_score: Iterable[ArrayLike],
    *,
    metric: str = "auc_pr_interpolated",
    pos_label: Label | None = None,
    sample_weight: Iterable[ArrayLike | None] | None = None,
    fold_weight: ArrayLike | None = None,
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
) -> float:
    r"""Exact area under the summary curve of several folds or data sets.

    Typical call::

        folds = fold_predictions(cv_results, X, y)
        area = summary_auc_pr(folds.y_true, folds.y_score)

    Which one number describes the AUC-PR of all folds? The area is that under the curve of
    `summary_pr_curve`, over `recall_range`. It is the weighted mean of the areas of the
    folds at one prevalence, because integration is linear. Likewise the AUCNPR of the
    summary is the weighted mean of the AUCNPR of the folds, because all folds have the same
    minimum AUC-PR. Tied scores are one segment of the ROC curve. Boyd et al. [1]_ leave
    open how to summarize folds; Siblini et al. [2]_ recommend one reference prevalence.

    Higher is better. If the scores of all folds are constant, no-skill scores, AUC-PR over
    all recalls is the reference prevalence.

    Read more in the :ref:`User Guide <folds>`.

    Parameters
    ----------
    y_true : sequence of array-like, one of shape (n_samples,) per fold
        Binary labels. Labels other than {0, 1}, {-1, 1} and booleans need `pos_label`.
    y_score : sequence of array-like, one of shape (n_samples,) per fold
        Real, finite scores, higher for the positive class, such as decision values or
        probabilities. A sample is predicted positive if `y_score >= threshold`. The scores
        of different folds are never compared.
    metric : str, default="auc_pr_interpolated"
        Name of the metric: ``"auc_pr_interpolated"``, ``"achievable_auc_pr"``, ``"aucnpr"``
        or ``"achievable_aucnpr"``. The achievable metrics are those of the ROC convex hull.
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`.
    sample_weight : sequence of array-like of shape (n_samples,), default=None
        Non-negative weights, or None, per fold. A weight of k is the same as k copies of
        the sample, a weight of 0 the same as leaving the sample out.
    fold_weight : array-like of shape (n_folds,), default=None
        Non-negative weights of the folds; only ratios matter. None gives all folds the same
        weight. A weight of 0 is the same as leaving the fold out.
    recall_range : (float, float), default=(0.0, 1.0)
        Recall range (a, b) to integrate over, 0 <= a < b <= 1. An area is not divided by
        the width b - a: areas of adjacent ranges add up. AUCNPR is normalized by the
        minimum and the maximum area of this range.
    prevalence : float, default=None
        Reference prevalence, inside (0, 1), to which every fold is reweighted. None, meant
        for the folds of one data set, takes the prevalence of all samples of all folds of
        positive weight, including omitted folds. For data sets with different prevalences
        pass a number.

    Returns
    -------
    float
        AUC-PR, between 0 and the width of `recall_range`, or AUCNPR, within [0, 1].

    Raises
    ------
    ValueError
        If no fold has both classes, or an argument is invalid. The message about the labels
        or scores of a fold has its index, from 0.

    Warns
    -----
    UndefinedMetricWarning
        If folds lack a class: they are omitted, together with their weights.
    UserWarning
        If `prevalence` is None and a chi-square test at significance level 0.001 finds that
        the prevalences of the folds differ.

    See Also
    --------
    summary_pr_curve : The curve.
    fold_predictions : Labels, scores and weights of the folds of a cross-validation.
    aucnpr : The normalized area of one fold.

    Notes
    -----
    With the area :math:`A_k` of fold k at the reference prevalence over `recall_range`, and
    the weights :math:`w_k` of the folds, the area is

    .. math::

        \frac{\sum_k w_k A_k}{\sum_k w_k}

    References
    ----------
    .. [1] Boyd et al. (2012), ICML 29, section 5. :arxiv:`1206.4667`
    .. [2] Siblini et al. (2020), IDA 18. :arxiv:`1909.02827`

    Examples
    --------
    >>> from sklearn_achievable_pr import auc_pr_interpolated, summary_auc_pr
    >>> y_true = [[1, 0, 1, 0, 0], [0, 1, 0, 0, 1]]
    >>> y_score = [[0.9, 0.6, 0.6, 0.2, 0.1], [0.8, 0.7, 0.5, 0.3, 0.3]]
    >>> round(summary_auc_pr(y_true, y_score, prevalence=0.1), 4)
    0.3907
    >>> each = [
    ...     auc_pr_interpolated(labels, scores, prevalence=0.1)
    ...     for labels, scores in zip(y_true, y_score)
    ... ]
    >>> round(sum(each) / 2, 4)
    0.3907
    """
    measured = check_metric(metric, OF_SEGMENTS, recall_range)
    data = y_true, y_score, sample_weight, fold_weight
    folds = check_folds(data, prevalence, pos_label).on_curve(measured.entry.curve)
    return area_of_folds(folds, measured)


def fold_predictions(
    cv_results: Mapping[str, Any],
    X: Any,
    y: ArrayLike,
    *,
    response_method: str | tuple[str, ...] = ("decision_function", "predict_proba"),
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> FoldPredictions:
    """Labels, scores and weights of each fold of a cross-validation.

    The result is the input of `summary_pr_curve` and `summary_auc_pr`. Each estimator
    returned by :func:`sklearn.model_selection.cross_validate` scores its test samples;
    `cv_results_from_scores` has their scores.

    Read more in the :ref:`User Guide <folds>`.

    Parameters
    ----------
    cv_results : dict
        The result of :func:`sklearn.model_selection.cross_validate` with
        ``return_estimator=True`` and ``return_indices=True``, or the result of
        `cv_results_from_scores`.
    X : {array-like, sparse matrix} of shape (n_samples, n_features), or None
        Input of the estimator. It is not used, and may be None, with
        `cv_results_from_scores`.
    y : array-like of shape (n_samples,)
        Labels; each must be one of the `classes_` of every estimator. For outlier detectors
        they are the labels that the detectors predict, -1 (outliers) and 1, or 0 and 1
        (outliers). With more than two classes, `pos_label` is compared with all others.
    response_method : str or tuple of str, default=("decision_function", "predict_proba")
        Method that computes the scores, ``"decision_function"`` or ``"predict_proba"``, or
        a tuple of both; the first one that the estimator has is called. The default is the
        order of the scorers. It is not used with `cv_results_from_scores`.
    pos_label : int, float, bool or str, default=None
        The positive label. None means the `pos_label` of a `HullThresholdClassifierCV` and,
        without it, 1 for labels {0, 1} and {-1, 1}, and True for booleans; other labels
        need `pos_label`.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. A weight of k is the same as k copies of the sample, a weight
        of 0 the same as leaving the sample out.

    Returns
    -------
    FoldPredictions
        Can be unpacked into `y_true` (boolean labels, which need no `pos_label` in
        `summary_auc_pr` and `summary_pr_curve`), `y_score` and `sample_weight`: lists with
        one array per fold. `sample_weight` is None if none was passed.

    Raises
    ------
    ValueError
        If `cv_results` lacks estimators or indices or is not of this `X` and `y`, or `y`
        has labels that are not classes of an estimator.

    See Also
    --------
    summary_auc_pr : One area for all folds.
    summary_pr_curve : One curve for all folds.
    cv_results_from_scores : `cv_results` from out-of-fold scores of any framework.
    AchievablePRDisplay.from_cv_results : Plot of the curves of all folds.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_achievable_pr import fold_predictions, summary_auc_pr
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    >>> cv_results = cross_validate(
    ...     tree, X, y, cv=3, return_estimator=True, return_indices=True
    ... )
    >>> y_true, y_score, _ = fold_predictions(cv_results, X, y, pos_label=0)
    >>> round(summary_auc_pr(y_true, y_score), 3)
    0.828
    >>> fold_predictions(cv_results, X, y, pos_label=0)
    569 samples, 212 positive
    3 folds, at least 70 positives in each
    """
    warn_of_given_labels({"y_score": cv_results}, y)
    samples = cv_results, X, y, sample_weight
    folds = [*folds_of(*samples, response_method, pos_label)]
    weights = None if sample_weight is None else [fold.sample_weight for fold in folds]
    labels = [fold.y == fold.pos_label for fold in folds]
    # Marked scores do not warn in summary_auc_pr, although those of a tree may be 0 and 1.
    scores = [as_response(fold.score) for fold in folds]
    tests = [fold.indices for fold in folds]
    return FoldPredictions(labels, scores, weights, _tests=tests)
