"""Operating points: precision and recall at one point of a curve, top-k, and F1."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._input import options
from .._input.labels import check_binary, check_predictions
from .._input.options import FloatOrArray, Label
from .._roc.counting import breakpoints, every_threshold
from . import _operating_points
from ._averaging import averaged


def precision_at_recall(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    recall: ArrayLike,
    at_least: bool = False,
    curve: str = "empirical",
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    prevalence: float | None = None,
    replace_undefined_by: float = np.nan,
) -> FloatOrArray:
    r"""Precision (positive predictive value) of the interpolated curve at given recalls.

    Typical call::

        precision = precision_at_recall(y_true, y_score, recall=0.8)
        best = precision_at_recall(y_true, y_score, recall=0.8, at_least=True)

    What share of the predicted positives is correct if this share of all positives is to be
    found? The recall need not be that of a threshold: between two neighboring thresholds
    the numbers of true and false positives grow linearly [1]_. Tied scores are one segment
    of the ROC curve. Where the curve falls vertically (negatives only), the highest
    precision is returned. At recall 0 the precision is the limit on the first segment.

    Within [0, 1], higher is better; the chance level is the prevalence, the precision of a
    constant, no-skill score. Reweighting to a reference `prevalence` follows [2]_.

    Read more in the :ref:`User Guide <operating_points>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. Labels other than {0, 1}, {-1, 1} and booleans need `pos_label`.
    y_score : array-like of shape (n_samples,)
        Real, finite scores, higher for the positive class, such as decision values or
        probabilities. A sample is predicted positive if `y_score >= threshold`.
    recall : float or array-like
        Recalls within [0, 1].
    at_least : bool, default=False
        If True, return the maximum precision over all recalls greater than or equal to
        `recall`.
    curve : {"empirical", "achievable"}, default="empirical"
        The curve through all thresholds (empirical), or the curve of the ROC convex hull
        (achievable).
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. A weight of k is the same as k copies of the sample, a weight
        of 0 the same as leaving the sample out.
    prevalence : float, default=None
        Reference prevalence (fraction of positives), inside (0, 1). Negatives are
        reweighted so that the data have this prevalence; true and false positive rates do
        not change. Use a reference prevalence to undo down-sampling. None keeps the
        prevalence of the data.
    replace_undefined_by : float, default=np.nan
        Value to return where the metric is undefined. The scorers use 0.0, because a grid
        search cannot rank candidates if one fold has the score NaN.

    Returns
    -------
    float or ndarray of float64
        One precision per recall, in the shape of `recall`. Without positives the precision
        is undefined: the function returns `replace_undefined_by`, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`. Without negatives it is 1
        (undefined if `prevalence` is given).

    Raises
    ------
    ValueError
        If an argument is invalid.

    See Also
    --------
    operating_point_interval : The precision with a confidence interval.
    choose_threshold : A threshold with at least this recall (``min_recall=``).
    recall_at_precision, recall_at_fpr : Recall at a precision, or a false positive rate.
    pr_curve_interpolated : The whole curve.

    Notes
    -----
    At recall r, with P positives, the precision is

    .. math::

        \frac{t}{t + f(t)}, \qquad t = r P,
        \qquad f(t) = f_0 + (f_1 - f_0) \frac{t - t_0}{t_1 - t_0}

    where :math:`(f_0, t_0)` and :math:`(f_1, t_1)`, false and true positives, are the
    points of the ROC curve in counts before and after t.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] Boyd et al. (2012), ICML 29, section 4.3. :arxiv:`1206.4667`

    Examples
    --------
    >>> from sklearn_achievable_pr import precision_at_recall
    >>> y_true, y_score = [1, 0, 1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    >>> precision_at_recall(y_true, y_score, recall=1.0)
    0.75
    >>> precision_at_recall(y_true, y_score, recall=[0.2, 0.5]).tolist()
    [1.0, 0.6]
    >>> precision_at_recall(y_true, y_score, recall=[0.2, 0.5], at_least=True).tolist()
    [1.0, 0.75]
    """
    recall = options.check_fractions(recall, "recall")
    at_least = options.check_flag(at_least, "at_least")
    options.check_option(curve, "curve", options.CURVES)
    prevalence = options.check_prevalence(prevalence)
    data = check_binary(y_true, y_score, pos_label, sample_weight)

    def value(data):
        roc = breakpoints(data).of_kind(curve).at_prevalence(prevalence)
        return _operating_points.precision_at(roc, recall, at_least)

    what = "precision at a recall"
    return _value_at(recall, value, data, replace_undefined_by, what)


def recall_at_precision(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    precision: ArrayLike,
    curve: str = "empirical",
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    prevalence: float | None = None,
    replace_undefined_by: float = np.nan,
) -> FloatOrArray:
    r"""Largest recall (sensitivity) at which the curve has at least a given precision.

    Typical call::

        recall = recall_at_precision(y_true, y_score, precision=0.9)
        recalls = recall_at_precision(y_true, y_score, precision=[0.5, 0.9])

    What share of all positives can be found if this share of the predicted positives must
    be correct? Between two neighboring thresholds the numbers of true and false positives
    grow linearly [1]_; tied scores are one segment of the ROC curve. The result is 0.0 if
    no point with a positive recall has this precision.

    Within [0, 1], higher is better; a constant, no-skill score has 1 for precisions up to
    the prevalence and 0 above. Reweighting to a reference `prevalence` follows [2]_.

    Read more in the :ref:`User Guide <operating_points>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. Labels other than {0, 1}, {-1, 1} and booleans need `pos_label`.
    y_score : array-like of shape (n_samples,)
        Real, finite scores, higher for the positive class, such as decision values or
        probabilities. A sample is predicted positive if `y_score >= threshold`.
    precision : float or array-like
        Precisions within [0, 1].
    curve : {"empirical", "achievable"}, default="empirical"
        The curve through all thresholds (empirical), or the curve of the ROC convex hull
        (achievable).
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. A weight of k is the same as k copies of the sample, a weight
        of 0 the same as leaving the sample out.
    prevalence : float, default=None
        Reference prevalence (fraction of positives), inside (0, 1). Negatives are
        reweighted so that the data have this prevalence; true and false positive rates do
        not change. Use a reference prevalence to undo down-sampling. None keeps the
        prevalence of the data.
    replace_undefined_by : float, default=np.nan
        Value to return where the metric is undefined. The scorers use 0.0, because a grid
        search cannot rank candidates if one fold has the score NaN.

    Returns
    -------
    float or ndarray of float64
        One recall per precision, in the shape of `precision`. Without positives the recall
        is undefined: the function returns `replace_undefined_by`, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`. Without negatives it is 1
        (undefined if `prevalence` is given).

    Raises
    ------
    ValueError
        If an argument is invalid.

    See Also
    --------
    operating_point_interval : The recall with a confidence interval.
    choose_threshold : A threshold with at least this precision (``min_precision=``).
    precision_at_recall : Precision at a recall.
    recall_at_fpr : Recall at a false positive rate.

    Notes
    -----
    At precision p, with P positives, the result is

    .. math::

        \max\left\{\frac{t}{P} : t \ge p\, (t + f(t))\right\}

    where f(t) is the number of false positives at t true positives, which is linear in t on
    each segment of the ROC curve in counts.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] Boyd et al. (2012), ICML 29, section 4.3. :arxiv:`1206.4667`

    Examples
    --------
    >>> from sklearn_achievable_pr import recall_at_precision
    >>> y_true, y_score = [1, 0, 1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    >>> recall_at_precision(y_true, y_score, precision=0.75)
    1.0
    >>> round(recall_at_precision(y_true, y_score, precision=0.9), 4)
    0.3333
    """
    precision = options.check_fractions(precision, "precision")
    options.check_option(curve, "curve", options.CURVES)
    prevalence = options.check_prevalence(prevalence)
    data = check_binary(y_true, y_score, pos_label, sample_weight)

    def value(data):
        roc = breakpoints(data).of_kind(curve).at_prevalence(prevalence)
        return _operating_points.recall_reaching(roc, precision)

    what = "recall at a precision"
    return _value_at(precision, value, data, replace_undefined_by, what)


def recall_at_fpr(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    fpr: ArrayLike,
    curve: str = "empirical",
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> FloatOrArray:
    r"""Recall (true positive rate) of the ROC curve at given false positive rates.

    Typical call::

        recall = recall_at_fpr(y_true, y_score, fpr=0.01)
        recalls = recall_at_fpr(y_true, y_score, fpr=[0.01, 0.1])

    What share of the positives is found if this share of the negatives may be false alarms?
    Between two neighboring thresholds the numbers of true and false positives grow linearly
    [1]_; tied scores are one segment of the ROC curve. Where the curve is vertical
    (positives only), the highest recall is returned. The result does not depend on the
    prevalence.

    Within [0, 1], higher is better; a constant, no-skill score has the false positive rate
    as its recall.

    Read more in the :ref:`User Guide <operating_points>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. Labels other than {0, 1}, {-1, 1} and booleans need `pos_label`.
    y_score : array-like of shape (n_samples,)
        Real, finite scores, higher for the positive class, such as decision values or
        probabilities. A sample is predicted positive if `y_score >= threshold`.
    fpr : float or array-like
        False positive rates (1 - specificity) within [0, 1]. Below that of a single false
        positive, the recall is interpolated between no and one false positive.
    curve : {"empirical", "achievable"}, default="empirical"
        The ROC curve through all thresholds (empirical), or the ROC convex hull
        (achievable).
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. A weight of k is the same as k copies of the sample, a weight
        of 0 the same as leaving the sample out.
    replace_undefined_by : float, default=np.nan
        Value to return where the metric is undefined. The scorers use 0.0, because a grid
        search cannot rank candidates if one fold has the score NaN.

    Returns
    -------
    float or ndarray of float64
        One recall per false positive rate, in the shape of `fpr`. Without positives or
        without negatives the recall is undefined: the function returns
        `replace_undefined_by`, with an :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    Raises
    ------
    ValueError
        If an argument is invalid.

    See Also
    --------
    operating_point_interval : The recall with a confidence interval.
    choose_threshold : A threshold with at most this false positive rate (``max_fpr=``).
    precision_at_recall, recall_at_precision : Points of the precision-recall curve.

    Notes
    -----
    At the false positive rate x, with P positives and N negatives, the recall is

    .. math::

        \frac{t}{P}, \qquad t = t_0 + (t_1 - t_0) \frac{f - f_0}{f_1 - f_0},
        \qquad f = x N

    where :math:`(f_0, t_0)` and :math:`(f_1, t_1)`, false and true positives, are the
    points of the ROC curve in counts before and after f.

    References
    ----------
    .. [1] Fawcett (2006), Pattern Recognit Lett 27. :doi:`10.1016/j.patrec.2005.10.010`

    Examples
    --------
    >>> from sklearn_achievable_pr import recall_at_fpr
    >>> y_true, y_score = [1, 0, 1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    >>> recall_at_fpr(y_true, y_score, fpr=1 / 3)
    1.0
    >>> recall_at_fpr(y_true, y_score, fpr=[0, 0.2]).round(3).tolist()
    [0.333, 0.333]
    >>> recall_at_fpr(y_true, y_score, fpr=[0, 0.2], curve="achievable").round(3).tolist()
    [0.333, 0.733]
    """
    fpr = options.check_fractions(fpr, "fpr")
    options.check_option(curve, "curve", options.CURVES)
    data = check_binary(y_true, y_score, pos_label, sample_weight)

    def value(data):
        return _operating_points.recall_at_fpr(breakpoints(data).of_kind(curve), fpr)

    what = "recall at a false positive rate"
    return _value_at(fpr, value, data, replace_undefined_by, what)


def precision_at_k(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: ArrayLike,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    prevalence: float | None = None,
    replace_undefined_by: float = np.nan,
) -> FloatOrArray:
    r"""Precision among the k samples with the highest scores (top-k).

    Typical call::

        precision = precision_at_k(y_true, y_score, k=100)
        of_upper_tenth = precision_at_k(y_true, y_score, k=0.1)

    If only the k highest scores are reviewed, what share of them is positive? If k divides
    a tie, tied samples count in expectation, as in random order, so the result does not
    depend on the order of the samples. Along a tie the ROC curve is linear [1]_.

    Within [0, 1], higher is better; the chance level is the prevalence, the precision of a
    constant, no-skill score. To get the lift at k, divide the precision by the prevalence.
    Reweighting to a reference `prevalence` follows [2]_.

    Read more in the :ref:`User Guide <operating_points>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. Labels other than {0, 1}, {-1, 1} and booleans need `pos_label`.
    y_score : array-like of shape (n_samples,)
        Real, finite scores, higher for the positive class, such as decision values or
        probabilities. A sample is predicted positive if `y_score >= threshold`.
    k : int, float or array-like
        Number of samples to select: an integer, or a float from 1e-100 to 1 as a fraction
        of all samples. In an array with a float all elements are fractions: ``[1, 0.5]``
        means all samples and half of them. With `sample_weight`, k is an integer total
        weight or a fraction of the total weight. With `prevalence`, k refers to a
        population with the number of positives in the data and with negatives reweighted
        to this prevalence.
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. A weight of k is the same as k copies of the sample, a weight
        of 0 the same as leaving the sample out.
    prevalence : float, default=None
        Reference prevalence (fraction of positives), inside (0, 1). Negatives are
        reweighted so that the data have this prevalence; true and false positive rates do
        not change. Use a reference prevalence to undo down-sampling. None keeps the
        prevalence of the data.
    replace_undefined_by : float, default=np.nan
        Value to return where the metric is undefined. The scorers use 0.0, because a grid
        search cannot rank candidates if one fold has the score NaN.

    Returns
    -------
    float or ndarray of float64
        One precision per `k`, in the shape of `k`. Without positives it is 0.0, without
        negatives 1.0. With a `prevalence` the precision is undefined if a class is missing:
        the function returns `replace_undefined_by`, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    Raises
    ------
    ValueError
        If an argument is invalid, e.g. an integer `k` above the number of samples (their
        total weight, or the size of the reweighted population).

    See Also
    --------
    recall_at_k : Share of all positives that are among the k samples.
    threshold_table : Both rates at k, with intervals.
    precision_at_recall : Precision at a recall instead of a number of samples.

    Notes
    -----
    With the expected number t(k) of positives among the k highest scores,

    .. math::

        \mathrm{precision@}k = \frac{t(k)}{k}

    where t(k) is the number of true positives at the point of the ROC curve in counts where
    true and false positives add up to k.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] Boyd et al. (2012), ICML 29, section 4.3. :arxiv:`1206.4667`

    Examples
    --------
    Two samples are tied across the cut at k = 2, and one of them is positive.

    >>> from sklearn_achievable_pr import precision_at_k
    >>> y_true, y_score = [1, 0, 1, 0, 0], [0.9, 0.5, 0.5, 0.1, 0.0]
    >>> precision_at_k(y_true, y_score, k=2)
    0.75
    >>> precision_at_k(y_true, y_score, k=[1, 3]).round(3).tolist()
    [1.0, 0.667]

    The lift of the upper fifth, at prevalence 0.4:

    >>> precision_at_k(y_true, y_score, k=0.2) / 0.4
    2.5
    """
    k = options.check_k(k)
    prevalence = options.check_prevalence(prevalence)
    data = check_binary(y_true, y_score, pos_label, sample_weight)

    def value(data):
        # With a point at every distinct score, an integer k that divides no tie is a point.
        roc = every_threshold(data)
        if prevalence is not None:
            roc = roc.at_prevalence(prevalence)
        return _operating_points.precision_at_k(roc, k)

    return _value_at(k, value, data, replace_undefined_by, "precision at k")


def recall_at_k(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: ArrayLike,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    prevalence: float | None = None,
    replace_undefined_by: float = np.nan,
) -> FloatOrArray:
    r"""Recall among the k samples with the highest scores (top-k).

    Typical call::

        recall = recall_at_k(y_true, y_score, k=100)
        of_upper_tenth = recall_at_k(y_true, y_score, k=0.1)

    If only the k highest scores are reviewed, what share of all positives is found? If k
    divides a tie, tied samples count in expectation, as in random order, so the result does
    not depend on the order of the samples. Along a tie the ROC curve is linear [1]_.

    Within [0, 1], higher is better; a constant, no-skill score has the fraction of samples
    that are selected, k divided by the number of samples. Reweighting to a reference
    `prevalence` follows [2]_.

    Read more in the :ref:`User Guide <operating_points>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. Labels other than {0, 1}, {-1, 1} and booleans need `pos_label`.
    y_score : array-like of shape (n_samples,)
        Real, finite scores, higher for the positive class, such as decision values or
        probabilities. A sample is predicted positive if `y_score >= threshold`.
    k : int, float or array-like
        Number of samples to select: an integer, or a float from 1e-100 to 1 as a fraction
        of all samples. In an array with a float all elements are fractions: ``[1, 0.5]``
        means all samples and half of them. With `sample_weight`, k is an integer total
        weight or a fraction of the total weight. With `prevalence`, k refers to a
        population with the number of positives in the data and with negatives reweighted
        to this prevalence.
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. A weight of k is the same as k copies of the sample, a weight
        of 0 the same as leaving the sample out.
    prevalence : float, default=None
        Reference prevalence (fraction of positives), inside (0, 1). Negatives are
        reweighted so that the data have this prevalence; true and false positive rates do
        not change. Use a reference prevalence to undo down-sampling. None keeps the
        prevalence of the data.
    replace_undefined_by : float, default=np.nan
        Value to return where the metric is undefined. The scorers use 0.0, because a grid
        search cannot rank candidates if one fold has the score NaN.

    Returns
    -------
    float or ndarray of float64
        One recall per `k`, in the shape of `k`. Without positives, and without negatives if
        `prevalence` is given, the recall is undefined: the function returns
        `replace_undefined_by`, with an :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    Raises
    ------
    ValueError
        If an argument is invalid, e.g. an integer `k` above the number of samples (their
        total weight, or the size of the reweighted population).

    See Also
    --------
    precision_at_k : Share of positives among the k samples.
    threshold_table : Both rates at k, with intervals.
    recall_at_precision : Recall at a precision instead of a number of samples.

    Notes
    -----
    With P positives and the expected number t(k) of positives among the k highest scores,

    .. math::

        \mathrm{recall@}k = \frac{t(k)}{P}

    where t(k) is the number of true positives at the point of the ROC curve in counts where
    true and false positives add up to k.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] Boyd et al. (2012), ICML 29, section 4.3. :arxiv:`1206.4667`

    Examples
    --------
    >>> from sklearn_achievable_pr import recall_at_k
    >>> y_true, y_score = [1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1]
    >>> recall_at_k(y_true, y_score, k=2)
    0.75
    >>> recall_at_k(y_true, y_score, k=[0.25, 1.0]).tolist()
    [0.5, 1.0]
    """
    k = options.check_k(k)
    prevalence = options.check_prevalence(prevalence)
    data = check_binary(y_true, y_score, pos_label, sample_weight)

    def value(data):
        # With a point at every distinct score, an integer k that divides no tie is a point.
        roc = every_threshold(data).at_prevalence(prevalence)
        return _operating_points.recall_at_k(roc, k)

    return _value_at(k, value, data, replace_undefined_by, "recall at k")


def f1_above_chance_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""F1 score that is 0 for predictions no better than chance.

    Are the predictions better than chance? The F1 score of random predictions is above 0.
    This score replaces the precision in F1 by the part of it that is above the prevalence,
    and is 0 where the precision is at most the prevalence. Boyd et al. [1]_ show that no
    score can be 0 on the whole minimum curve and also increase with precision and with
    recall everywhere; they propose this score.

    Within [0, 1], higher is better. Perfect predictions have 1; no-skill predictions, and
    predictions without predicted positives, have 0.

    Read more in the :ref:`User Guide <f1-above-chance>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. Labels other than {0, 1}, {-1, 1} and booleans need `pos_label`.
    y_pred : array-like of shape (n_samples,)
        Predicted labels; `y_true` and `y_pred` together have at most two labels.
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. A weight of k is the same as k copies of the sample, a weight
        of 0 the same as leaving the sample out.
    replace_undefined_by : float, default=np.nan
        Value to return where the metric is undefined. For a grid search pass
        ``make_scorer(f1_above_chance_score, replace_undefined_by=0.0)``: NaN in one fold
        prevents ranking the candidates.

    Returns
    -------
    float
        Value of the score. Without positives or without negatives in `y_true` the score is
        undefined: the function returns `replace_undefined_by`, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning` that names the missing class.

    Raises
    ------
    ValueError
        If an argument is invalid, e.g. `y_true` and `y_pred` together have more than two
        labels, or the weights of the classes have a ratio beyond 1e300.

    See Also
    --------
    sklearn.metrics.f1_score : F1 score, which is positive at chance level.
    aucnpr : AUC-PR, normalized for the unachievable region.

    Notes
    -----
    With precision p, recall r and prevalence q, the score is

    .. math::

        \begin{cases}
            \frac{2 r g}{r + g} & p > q \\
            0 & p \le q
        \end{cases}
        \qquad g = \frac{p - q}{1 - q}

    References
    ----------
    .. [1] Boyd et al. (2012), ICML 29, section 4.4. :arxiv:`1206.4667`

    Examples
    --------
    Predicting every sample positive has an F1 score of 0.67, but is not above chance.

    >>> from sklearn_achievable_pr import f1_above_chance_score
    >>> f1_above_chance_score([1, 1, 0, 0], [1, 1, 1, 1])
    0.0
    >>> round(f1_above_chance_score([1, 1, 0, 0], [1, 1, 1, 0]), 4)
    0.5
    """
    data = check_predictions(y_true, y_pred, pos_label, sample_weight)
    value = _operating_points.f1_above_chance
    return averaged(value, data, None, replace_undefined_by, "F1 above chance")


def _value_at(points, value, data, replace_undefined_by, what):
    """``value(data)``: a float for one point (recall, precision or k), else an array."""
    values = averaged(value, data, None, replace_undefined_by, what)
    return options.float_if_scalar(np.full(points.shape, values))
