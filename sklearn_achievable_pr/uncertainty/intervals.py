"""Influence values, confidence intervals and the chance test of a fixed score.

The results describe how the metric varies with the test samples. They do not include the
variation with the training set.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._input.arrays import as_column, check_weight
from .._input.labels import check_binary
from .._input.options import Label, RandomState
from ..metrics._table import METRICS, SMOOTH, check_metric
from ..results import AucPRChanceResult, AucPRIntervalResult
from . import _checks, _validity
from ._checks import Options
from ._permutation import chance_test
from ._samples import Sample


def auc_pr_influence(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    metric: str = "auc_pr_interpolated",
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
) -> np.ndarray:
    """Influence of each sample on AUC-PR: its derivative by the weight of the sample.

    Samples with large absolute values have the largest effect on the metric. For
    independent samples with the influence D_i [2]_ and the weight w_i, the standard error
    SE is about SE**2 = sum of (w_i * D_i)**2. The standard error of a difference between
    two scores of the same samples is computed from the difference of their influence
    values.

    Read more in the :ref:`User Guide <compare_models>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. Labels other than {0, 1}, {-1, 1} and booleans need `pos_label`.
    y_score : array-like of shape (n_samples,)
        Real, finite scores, higher for the positive class, such as decision values or
        probabilities. A sample is predicted positive if `y_score >= threshold`.
    metric : str, default="auc_pr_interpolated"
        Name of the metric: ``"auc_pr_interpolated"``, ``"aucnpr"``, ``"average_precision"``
        (which takes no `recall_range`) or ``"normalized_average_precision"`` (which takes
        no `recall_range`, `prevalence` or `sample_weight`). Influence values are not
        available for other metrics.
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. A weight of k is the same as k copies of the sample, a weight
        of 0 the same as leaving the sample out.
    recall_range : (float, float), default=(0.0, 1.0)
        Recall range (a, b) to integrate over, 0 <= a < b <= 1. An area is not divided by
        the width b - a: areas of adjacent ranges add up. AUCNPR is normalized by the
        minimum and the maximum area of this range.
    prevalence : float, default=None
        Reference prevalence (fraction of positives), inside (0, 1). Negatives are
        reweighted so that the data have this prevalence; true and false positive rates do
        not change. Use a reference prevalence to undo down-sampling. None keeps the
        prevalence of the data.

    Returns
    -------
    ndarray of float64, shape (n_samples,)
        Element i is the derivative by the weight of sample i; 0.0 for a sample of weight 0.
        If a class is missing all other elements are NaN, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    Raises
    ------
    ValueError
        If `metric` has no influence function or takes no `recall_range`, or the weights of
        the classes have a ratio beyond 1e140.

    See Also
    --------
    auc_pr_interval : Standard error and confidence interval from the influence.
    compare_auc_pr : Test of the difference between two scores.

    Notes
    -----
    With P positives (total weight) and f(t) false positives at t true positives [1]_, the
    area A is the integral of t / (t + f(t)) over t from a * P to b * P, divided by P, where
    (a, b) is the `recall_range`. D_i is the exact derivative of A by w_i, with
    ``metric="aucnpr"`` of the normalized area. Multiplying all weights by a constant does
    not change A, so the sum of w_i * D_i is 0.

    Average precision A is the sum of T_k p_k / P over the scores s_k, each with T_k
    positives and the precision p_k = t_k / n_k, n_k = t_k + f_k. Its derivative is
    (p_i - A + sum of T_k f_k / n_k**2) / P for a positive and -(sum of T_k t_k / n_k**2)
    / P for a negative, where p_i is the precision at the score of sample i and the sums are
    over the scores s_k up to this score. The minimum in normalized average precision is a
    sum over integers; the derivative of the minimum AUC-PR takes the place of its
    derivative.

    Tied samples of one class have the same value. For AUC-PR and AUCNPR so have all samples
    of one class between two samples of the other class. If precision jumps at an end of
    `recall_range`, the left and right derivatives differ; their mean is returned. Over all
    recalls and without weights, the influence on the AUC-PR of a constant, no-skill score
    is the influence on the prevalence q, (y_i - q) / n, where n is the number of samples
    and y_i is 1 for positives and 0 for negatives.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] Hampel (1974), JASA 69, 383-393. :doi:`10.1080/01621459.1974.10482962`

    Examples
    --------
    >>> from sklearn_achievable_pr import auc_pr_influence
    >>> y_true, y_score = [1, 0, 1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    >>> auc_pr_influence(y_true, y_score).round(4)
    array([ 0.1603, -0.1477, -0.0063, -0.0063,  0.    ,  0.    ])
    """
    metric = check_metric(metric, SMOOTH, recall_range, prevalence, sample_weight)
    data = check_binary(y_true, y_score, pos_label, sample_weight)
    sample = Sample.of(metric, data)
    derivative = np.full(len(sample.data.positive), np.nan)
    if not _validity.lacks_class(sample, "the influence"):
        derivative = sample.derivative
    if sample_weight is None:
        return derivative
    given = as_column(sample_weight, "sample_weight")
    # Undo the rescaling of extreme weights by a power of two.
    weight = check_weight(given, len(given))
    with_zero_weights = np.zeros(len(weight))
    with_zero_weights[weight > 0] = derivative * (weight.max() / float(given.max()))
    return with_zero_weights


def auc_pr_interval(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    metric: str = "auc_pr_interpolated",
    average: str = "macro",
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    method: str = "auto",
    groups: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
    n_resamples: int | None = None,
    random_state: RandomState | None = None,
) -> AucPRIntervalResult:
    """Standard error and confidence interval of AUC-PR (AUPRC, PR-AUC) for a fixed score.

    Typical call::

        result = auc_pr_interval(y_true, y_score)
        low, high = result.confidence_interval

    The interval is for the value of the metric in the population that the test samples were
    drawn from. The variation with the training set is not included. The standard error SE
    is computed from the influence D_i of each sample, the derivative of the metric by its
    weight w_i: SE**2 = sum of (w_i * D_i)**2 / (1 - h_i), see Notes. The beta interval has
    positive width even for a perfect ranking. For the AUC-PR of a constant, no-skill score
    over all recalls it is a confidence interval of the prevalence. Tied scores are
    interpolated as in `auc_pr_interpolated`.

    Read more in the :ref:`User Guide <compare_models>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        Binary labels (labels other than {0, 1}, {-1, 1} and booleans need `pos_label`), a
        multilabel indicator matrix, or multiclass labels.
    y_score : array-like of shape (n_samples,) or (n_samples, n_labels)
        Real, finite scores, higher for the positive class, such as decision values or
        probabilities. A sample is predicted positive if `y_score >= threshold`. One column
        per label for a multilabel indicator matrix, or per class, in sorted order, for
        multiclass labels.
    metric : str, default="auc_pr_interpolated"
        Name of the metric. The methods of the interval depend on it, see `method`.

        - ``"auc_pr_interpolated"``, ``"aucnpr"``;
        - ``"average_precision"``: takes no `recall_range`;
        - ``"normalized_average_precision"``: takes no `recall_range`, `prevalence` or
          `sample_weight`;
        - ``"achievable_auc_pr"``, ``"achievable_aucnpr"``;
        - ``"auprg"``: takes no `recall_range`.
    average : {"macro", "weighted", "micro"}, default="macro"
        How a metric of several classes or labels is averaged, as in `auc_pr_interpolated`:
        ``"macro"``, the mean; ``"weighted"``, weighted by the positives of each label;
        ``"micro"``, all entries as one binary problem. No effect on one binary label. An
        average takes the area, AUCNPR or average precision, no `sample_weight`,
        `recall_range` or `prevalence`, and only the default `method`.
    confidence_level : float, default=0.95
        Confidence level of the interval, inside (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Sides of the interval: ``"less"`` has only an upper limit, ``"greater"`` only a
        lower limit.
    method : {"auto", "beta", "percentile"}, default="auto"
        How the limits are computed.

        - ``"auto"``: ``"beta"`` for metrics with an influence function, else
          ``"percentile"``;
        - ``"beta"``: beta interval from the standard error, see Notes; valid with as few as
          four positives;
        - ``"percentile"``: quantiles of bootstrap resamples; too narrow with fewer than
          fifty positives or values near 1.
    groups : array-like of shape (n_samples,), default=None
        Cluster labels, e.g. the patient of each sample. Samples of one cluster count as one
        observation in intervals and tests. If None, samples are treated
        as independent.
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`. With multilabel or multiclass `y_true` only
        None and 1, scikit-learn's default, are accepted; both have no effect there.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. A weight of 0 is the same as leaving the sample out. In an
        estimate a weight of k is the same as k copies of the sample; in intervals and tests
        a sample of any weight counts as one observation.
    recall_range : (float, float), default=(0.0, 1.0)
        Recall range (a, b) to integrate over, 0 <= a < b <= 1. An area is not divided by
        the width b - a: areas of adjacent ranges add up. AUCNPR is normalized by the
        minimum and the maximum area of this range.
    prevalence : float, default=None
        Reference prevalence (fraction of positives), inside (0, 1). Negatives are
        reweighted so that the data have this prevalence; true and false positive rates do
        not change. Use a reference prevalence to undo down-sampling. None keeps the
        prevalence of the data.
    n_resamples : int, default=None
        Number of bootstrap resamples, at least 2; two-sided percentile limits at confidence
        level 0.95 need at least 39. None means 1,999.
    random_state : int, RandomState instance, Generator or None, default=None
        Seed or source of random numbers. Pass an int for reproducible results.

    Returns
    -------
    AucPRIntervalResult
        All its attributes: :class:`~sklearn_achievable_pr.results.AucPRIntervalResult`.

        - estimate: the value of the metric, as the function of this metric returns it;
        - standard_error: from the influence, or the standard deviation of the resamples;
        - confidence_interval: `low` and `high`; for a one-sided `alternative`, one of the
          limits is the lowest or highest possible value (-inf for ``"auprg"``);
        - chance_level: the mean of the metric over all arrangements of the labels [3]_,
          which is what the estimate is on average without skill; with weights,
          `recall_range` or `prevalence` the value of a constant score; None for achievable
          metrics, AUPRG, and macro and weighted averages. An interval above this level is
          no test of skill: see `auc_pr_chance_test`;
        - bootstrap_distribution: the value of the metric for each resample, or None. A
          resample without positives (or negatives, if the metric needs negatives) is drawn
          again.

        If a class of one binary label consists of one sample or one cluster, the standard
        error is NaN and the interval contains every possible value, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`. If a class is missing (of
        several labels, in one with weight), estimate, standard error and limits are NaN,
        with the same warning.

    Raises
    ------
    ValueError
        If `method` needs an influence function that `metric` does not have, an option is
        not available for an average, or the weights of the classes have a ratio beyond
        1e140.

    Warns
    -----
    CoverageWarning
        If the coverage may be below the confidence level:

        - a few of many samples determine the standard error (`df` below five, and below an
          eighth of the minority class), or clusters have very unequal sizes;
        - fewer than 80 negatives at a prevalence above 0.5;
        - fewer than five positives in a `recall_range`;
        - a negative with more than five times the weight of a positive, at the reference
          `prevalence` or by nearly constant weights per class, as of down-sampled
          negatives: the estimate is then too high as well;
        - no positive is among the samples of the largest weights: negatives that weigh at
          least three times as much as every positive (apart from a factor of their class)
          have more than a tenth of the weight of all negatives, as where few samples below
          an alert threshold are labeled; the estimate is then too high as well;
        - an achievable metric with fewer than 50 positives or above 0.9;
        - of several labels, one with a single positive or negative, or a `bias` above half
          of the standard error; averages over labels with fewer than 60 clusters.

        Also with fewer than four samples, or clusters, of a class: the interval is then
        mostly very wide, and a narrow one may be so by chance.

    See Also
    --------
    compare_auc_pr : Test whether one score is better than another.
    auc_pr_chance_test : Test whether a score is better than chance.
    auc_pr_influence : Influence of each sample on the area.

    Notes
    -----
    In the formula of the standard error, h_i is the sum of w**2 divided by the square of
    the sum of w, over the samples of the class of sample i: without weights, 1 divided by
    the number of samples of the class. With `groups` the terms w_i * D_i are first summed
    per cluster, and h_i is the share of the cluster in the weight of its class (of both
    classes, the larger share). At a reference `prevalence` the terms of each class add up
    to 0, so class counts that were fixed by design, as in a case-control study, have the
    same standard error. The degrees of freedom `df` are the number of samples, or clusters,
    of the smaller class (with weights or clusters, the effective number) minus 1, or fewer
    by Satterthwaite's formula [1]_ if a few samples contribute most of the sum.

    The beta interval is the interval of Korn and Graubard for proportions in surveys [2]_:
    the Clopper-Pearson limits at the effective sample size A (1 - A) / SE**2 for the area
    A, reduced for few degrees of freedom.

    The influence values show only samples that were seen. With n samples of the smaller
    class (effective number), the lower limit L of an area A therefore moves to
    A - sqrt((A - L)**2 + f * R**2), where R is the distance from 1 to the lower limit of a
    perfect ranking of n samples. The share f = exp(-min(m, n * (1 - A))**3 / 3) is 1 for a
    perfect ranking, 0.07 where two samples determine the variance or two positives are
    lost, and practically 0 from four on. Here m = (sum of s_i)**2 / sum of s_i**2, with
    the squared terms s_i = (w_i * D_i)**2. For percentile intervals it is
    exp(-(n * (1 - A))**3 / 3). In a `recall_range` of width h, 1 is replaced by h, and R by
    what the lost positives have of the range, at least h * R. For AUPRG, R and the lost
    positives are scaled by the odds of a positive, at most 1. Not repaired: a single rare
    negative above all positives, which costs log(1 + n) / n of the area (coverage 0.64
    where one or two data sets have one such negative), and trees with few negatives in the
    leaves of the highest scores.

    Limits corrected for bias and acceleration (BCa) are those of
    :func:`scipy.stats.bootstrap`: ``scipy.stats.bootstrap((y_true, y_score),
    auc_pr_interpolated, paired=True, vectorized=False, method="BCa")``.

    The influence of a sample on an average is the sum of its influences on the labels, and
    on their weights: samples are independent, labels never. The values of labels with few
    positives are too high, all in the same direction. `bias` is the jackknife's estimate of
    this for a macro or weighted average. It moves one limit, not the estimate: the lower
    limit is that of the estimate less a positive bias, the upper limit that of the estimate
    less a negative one.

    Importance weights that grow with the score give too narrow intervals: at the nominal
    level 0.95 their coverage was 0.77 to 0.92 in simulations, without a warning.

    References
    ----------
    .. [1] Satterthwaite (1946), Biometrics Bulletin 2, 110-114. :doi:`10.2307/3002019`
    .. [2] Korn and Graubard (1998), Survey Methodology 24, 193-201.
    .. [3] Lopes and Bontempi (2014), ECML PKDD. :doi:`10.1007/978-3-662-44851-9_21`

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_achievable_pr import auc_pr_interval
    >>> rng = np.random.default_rng(0)
    >>> y_true = rng.random(500) < 0.1
    >>> y_score = rng.normal(size=500) + 1.5 * y_true
    >>> print(auc_pr_interval(y_true, y_score))
    AUC-PR: 0.57 (standard error 0.075)
    95 % confidence interval: 0.41 to 0.73
    500 samples, 47 positive; chance level: 0.099
    """
    metric = check_metric(metric, METRICS, recall_range, prevalence, sample_weight)
    options = method, confidence_level, alternative, n_resamples, random_state
    options = _checks.check_options(
        metric, metric.entry.interval_methods, Options(*options)
    )
    design, scores = _checks.Design(pos_label, sample_weight, groups), {"y_score": y_score}
    (sample,) = _checks.check_samples(metric, y_true, scores, average, design, options)
    result = sample.interval(options)
    _validity.warn_of({"": sample}, "interval", options.method)

    return result


def auc_pr_chance_test(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    metric: str = "auc_pr_interpolated",
    pos_label: Label | None = None,
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
    n_resamples: int | None = None,
    random_state: RandomState | None = None,
) -> AucPRChanceResult:
    """Permutation test of whether a score is better than chance.

    Under the null hypothesis the labels are independent of the scores, so all permutations
    of the labels are equally likely. The p-value is the share of permutations with at least
    the observed value of the metric. For independent samples this test is exact, also with
    tied scores. If k of B random permutations have at least the observed value, p = (k + 1)
    / (B + 1), because the observed labels count as one of the permutations [1]_. The mean
    under the null hypothesis is not the prevalence: a random ranking without ties has a
    larger area on average, especially with few positives. A constant, no-skill score has
    the p-value 1.

    The test is for independent samples without weights. With clusters, compare the lower
    limit of ``auc_pr_interval(..., groups=groups, alternative="greater")`` over all recalls
    with the prevalence, which is the AUC-PR of a constant, no-skill score.

    Read more in the :ref:`User Guide <chance-test>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. Labels other than {0, 1}, {-1, 1} and booleans need `pos_label`.
    y_score : array-like of shape (n_samples,)
        Real, finite scores, higher for the positive class, such as decision values or
        probabilities. A sample is predicted positive if `y_score >= threshold`.
    metric : str, default="auc_pr_interpolated"
        Name of the metric.

        - ``"auc_pr_interpolated"``, ``"aucnpr"``;
        - ``"average_precision"``: takes no `recall_range`;
        - ``"normalized_average_precision"``: takes no `recall_range` or `prevalence`;
        - ``"achievable_auc_pr"``, ``"achievable_aucnpr"``;
        - ``"auprg"``: takes no `recall_range`.
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`.
    recall_range : (float, float), default=(0.0, 1.0)
        Recall range (a, b) to integrate over, 0 <= a < b <= 1. An area is not divided by
        the width b - a: areas of adjacent ranges add up. AUCNPR is normalized by the
        minimum and the maximum area of this range.
    prevalence : float, default=None
        Reference prevalence (fraction of positives), inside (0, 1). Negatives are
        reweighted so that the data have this prevalence; true and false positive rates do
        not change. Use a reference prevalence to undo down-sampling. None keeps the
        prevalence of the data.
    n_resamples : int, default=None
        Number of random permutations, at least 2. If there are at most this many different
        permutations, each one is used once instead. None means 9,999.
    random_state : int, RandomState instance, Generator or None, default=None
        Seed or source of random numbers. Pass an int for reproducible results.

    Returns
    -------
    AucPRChanceResult
        All its attributes: :class:`~sklearn_achievable_pr.results.AucPRChanceResult`.

        - estimate: the value of the metric, as the function of this metric returns it;
        - pvalue: one-sided, as in :func:`scipy.stats.permutation_test` with
          ``alternative="greater"``;
        - null_distribution: the value of the metric for each permutation; None if a class
          is missing.

        If a class is missing, value and p-value are NaN, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    Raises
    ------
    ValueError
        If `metric` is unknown or takes no `recall_range` or `prevalence`, or `n_resamples`
        is below 2.

    See Also
    --------
    auc_pr_interval : Confidence interval of the area, also with clusters.
    sklearn.model_selection.permutation_test_score : Test that refits the model.

    References
    ----------
    .. [1] Phipson and Smyth (2010), SAGMB 9 (1), 39. :doi:`10.2202/1544-6115.1585`

    Examples
    --------
    >>> from sklearn_achievable_pr import auc_pr_chance_test
    >>> y_true, y_score = [1, 1, 0, 1, 0, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1]
    >>> print(auc_pr_chance_test(y_true, y_score))
    AUC-PR: 0.904
    mean of the permutations: 0.462
    p-value: 0.036 (greater than chance)
    8 samples, 3 positive
    """
    metric = check_metric(metric, METRICS, recall_range, prevalence)
    options = Options("permutation", 0.95, "greater", n_resamples, random_state)
    options = _checks.check_options(metric, ("permutation",), options)
    data = check_binary(y_true, y_score, pos_label, None)

    return chance_test(metric, data, options)
