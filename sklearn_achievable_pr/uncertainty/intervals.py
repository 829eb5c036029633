"""Influence values, confidence intervals and the chance test of a fixed score.

The results describe how the metric varies with the test samples. They do not include the
variation with the training set.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._inference.design import Options, check_level, design_of
from .._inference.doubts import lacks_class, warn_of
from .._input.arrays import as_column, check_weight
from .._input.labels import check_binary
from .._input.options import Label, RandomState, check_integer, check_random_state
from ..metrics._table import METRICS, SMOOTH, WITH_INTERVAL, check_metric
from ..results import AucPRChanceResult, AucPRIntervalResult
from ._checks import check_samples
from ._permutation import chance_test
from ._samples import AreaSample

# `n_resamples=None` means this number.
_N_PERMUTATIONS = 9999


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
    r"""Influence of each sample on AUC-PR: its derivative by the weight of the sample.

    Typical call::

        influence = auc_pr_influence(y_true, y_score)
        standard_error = (influence**2).sum() ** 0.5  # about that of auc_pr_interval

    Which samples determine the metric? Those whose influence has a large absolute value.
    The standard error of the metric is computed from the influence values [2]_, and the
    standard error of a difference between two scores of the same samples from the
    differences of their influence values.

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
    compare_models : Intervals of several scores and tests of their differences.

    Notes
    -----
    The influence :math:`D_i` of sample i is the exact derivative of the metric A by the
    weight :math:`w_i` of the sample:

    .. math::

        D_i = \frac{\partial A}{\partial w_i},
        \qquad A = \frac{1}{P} \int_{aP}^{bP} \frac{t}{t + f(t)}\, dt

    where P is the number (total weight) of positives, f(t) is the number of false positives
    at t true positives [1]_, and (a, b) is the `recall_range`. With ``metric="aucnpr"`` it
    is the derivative of the normalized area. Multiplying all weights by a constant does not
    change A, so :math:`\sum_i w_i D_i = 0`.

    Average precision is a sum over the distinct scores :math:`s_k`. At :math:`s_k` there
    are :math:`T_k` positives; :math:`t_k` true and :math:`f_k` false positives have this
    score or a higher one:

    .. math::

        A = \frac{1}{P} \sum_k T_k\, p_k,
        \qquad p_k = \frac{t_k}{t_k + f_k}

    Its derivative for a positive and for a negative sample i is

    .. math::

        D_i = \frac{1}{P} \left(p_i - A
            + \sum_{s_k \le s_i} \frac{T_k f_k}{(t_k + f_k)^2}\right)
        \qquad
        D_i = -\frac{1}{P} \sum_{s_k \le s_i} \frac{T_k t_k}{(t_k + f_k)^2}

    where :math:`p_i` is the precision at the score :math:`s_i` of sample i. The minimum in
    normalized average precision is a sum over integers, so the derivative of the minimum
    AUC-PR takes the place of its derivative.

    Tied samples of one class have the same influence. For AUC-PR and AUCNPR, all samples of
    one class between two samples of the other class have the same influence, too. If
    precision jumps at an end of `recall_range`, the left and right derivatives differ;
    their mean is returned.

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
    sample = AreaSample.of(metric, data)
    derivative = np.full(len(sample.data.positive), np.nan)
    if not lacks_class(sample, "the influence"):
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
    groups: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
) -> AucPRIntervalResult:
    r"""Standard error and confidence interval of AUC-PR (AUPRC, PR-AUC) for a fixed score.

    Typical call::

        result = auc_pr_interval(y_true, y_score)
        low, high = result.confidence_interval

    How precisely do these test samples determine the metric? The interval is for the value
    of the metric in the population that the test samples were drawn from. The variation
    with the training set is not included. The standard error is computed from the influence
    of each sample (`auc_pr_influence`), without resampling. The beta interval has positive
    width even for a perfect ranking. Tied scores are interpolated as in
    `auc_pr_interpolated`.

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
        Name of the metric. AUPRG has no interval: no method that was tried has nominal
        coverage, because its estimate is biased where few positives are ranked first.

        - ``"auc_pr_interpolated"``, ``"aucnpr"``;
        - ``"average_precision"``: takes no `recall_range`;
        - ``"normalized_average_precision"``: takes no `recall_range`, `prevalence` or
          `sample_weight`;
        - ``"achievable_auc_pr"``, ``"achievable_aucnpr"``.
    average : {"macro", "weighted", "micro"}, default="macro"
        How a metric of several classes or labels is averaged, as in `auc_pr_interpolated`:
        ``"macro"``, the mean; ``"weighted"``, weighted by the positives of each label;
        ``"micro"``, all entries as one binary problem. No effect on one binary label.
        Averages are available for AUC-PR, AUCNPR and average precision, without
        `sample_weight`, `recall_range` and `prevalence`.
    confidence_level : float, default=0.95
        Confidence level of the interval, inside (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Sides of the interval: ``"less"`` has only an upper limit, ``"greater"`` only a
        lower limit.
    groups : array-like of shape (n_samples,), default=None
        Cluster labels, e.g. the patient of each sample. Samples of one cluster count as one
        observation in intervals and tests. If None, samples are treated as independent.
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

    Returns
    -------
    AucPRIntervalResult
        All its attributes: :class:`~sklearn_achievable_pr.results.AucPRIntervalResult`.

        - estimate: the value of the metric, as the function of this metric returns it;
        - standard_error: from the influence; for achievable metrics that of the empirical
          metric;
        - confidence_interval: `low` and `high`; for a one-sided `alternative`, one of the
          limits is the lowest or highest possible value;
        - chance_level: the mean of the metric over all arrangements of the labels [3]_,
          which is what the estimate is on average without skill; with weights,
          `recall_range` or `prevalence` the value of a constant score; None for achievable
          metrics, and macro and weighted averages. An interval above this level is no test
          of skill: see `auc_pr_chance_test`.

        If a class of one binary label consists of one sample or one cluster, the standard
        error is NaN and the interval contains every possible value, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`. If a class is missing
        (for several labels: in a label with non-zero weight), estimate, standard error and
        limits are NaN, with the same warning.

    Raises
    ------
    ValueError
        If `metric` is AUPRG, an option is not available for an average, or the weights of
        the classes have a ratio beyond 1e140.

    Warns
    -----
    UserWarning
        If the score looks like predicted labels, is constant, or is reversed: the area
        under the ROC curve is below 1/2 by more than 3.3 standard errors of a score without
        skill, and AUC-PR is below its chance level. For several labels, if an interval is
        very wide, because a label has a single positive or negative, or if the value itself
        is too high: its `bias` is above half of its standard error.
    CoverageWarning
        If the coverage may be below the confidence level:

        - a few of many samples determine the standard error (`df` below five, and below an
          eighth of the minority class), or clusters have very unequal sizes;
        - fewer than 80 negatives at a prevalence above 0.5;
        - at most 60 positives with a low area: their number times the area is below 2, or
          below 4 at a reference `prevalence`;
        - fewer than five positives in a `recall_range`;
        - a negative with more than five times the weight of a positive, at the reference
          `prevalence` or by nearly constant weights per class, as of down-sampled
          negatives: the estimate is then too high as well;
        - no positive is among the samples of the largest weights: negatives that weigh at
          least three times as much as every positive (apart from a factor of their class)
          have more than a tenth of the weight of all negatives, as where few samples below
          an alert threshold are labeled; the estimate is then too high as well;
        - for several labels: a class of one of them in the cases above, but not few samples
          that determine its standard error.

        Also with fewer than four samples, or clusters, of a class: the interval is then
        mostly very wide, and a narrow one may be so by chance.

    See Also
    --------
    compare_models : Intervals of several scores and tests of their differences.
    auc_pr_chance_test : Test whether a score is better than chance.
    auc_pr_influence : Influence of each sample on the area.

    Notes
    -----
    With the influence :math:`D_i` and the weight :math:`w_i` of sample i, the standard
    error is

    .. math::

        \mathrm{SE}^2 = \sum_i \frac{(w_i D_i)^2}{1 - h_i},
        \qquad h_i = \frac{\sum_j w_j^2}{\left(\sum_j w_j\right)^2}

    where the sums in :math:`h_i` are over the samples of the class of sample i: without
    weights, :math:`h_i` is 1 divided by the number of samples of the class. With `groups`,
    the terms :math:`w_i D_i` are first summed per cluster, and :math:`h_i` is the share of
    the cluster in the weight of its class (the larger share, if the cluster has both
    classes). At a reference `prevalence` the terms of each class add up to 0, so class
    counts that were fixed by design, as in a case-control study, have the same standard
    error. The degrees of freedom `df` are the number of samples, or clusters, of the
    smaller class (with weights or clusters, the effective number) minus 1, or fewer by
    Satterthwaite's formula [1]_ if a few samples contribute most of the sum.

    The beta interval is the interval of Korn and Graubard for proportions in surveys [2]_:
    the Clopper-Pearson limits at the effective sample size
    :math:`A (1 - A) / \mathrm{SE}^2` for the area A, reduced for few degrees of freedom.

    The area of the achievable curve is at least that of the empirical curve, and on test
    data it is too high on average. Its interval therefore has the lower limit of the
    empirical area, and the upper beta limit at its own value with the same standard error.

    Influence values show only samples that were seen. Therefore the lower limit L of an
    area A moves to

    .. math::

        A - \sqrt{(A - L)^2 + \varphi R^2},
        \qquad \varphi = \exp\left(-\frac{\min(m, n (1 - A))^3}{3}\right),
        \qquad m = \frac{\left(\sum_i s_i\right)^2}{\sum_i s_i^2}

    where n is the number of samples of the smaller class (effective number), R is the
    distance from 1 to the lower limit of a perfect ranking of n samples, and
    :math:`s_i = (w_i D_i)^2`. The share :math:`\varphi` is 1 for a perfect ranking, 0.07 if
    two samples determine the variance or two positives are lost, and practically 0 from
    four on. In a `recall_range` of width h, 1 is replaced by h, and R by the part of the
    range that the lost positives have, at least h R.

    For some data the coverage of 95 % intervals is below 0.95, mostly without a warning:

    - A single rare negative above all positives lowers the area by
      :math:`\ln(1 + n) / n`. The coverage is 0.64 if one or two data sets have it.
    - Trees have few negatives in the leaves of the highest scores.
    - A large share of the positives has scores like those of negatives (0.90).
    - Only two positives are expected in the random share of the samples below an alert
      threshold that is labeled (0.83).
    - Differences (`compare_models`) of areas such as 0.99 and 0.02 rest on 30 positives
      (0.89).
    - A rate at a recall (`operating_point_interval`) belongs to a score that ranks 10 % of
      the positives among the negatives (0.87).

    Limits corrected for bias and acceleration (BCa) are those of
    :func:`scipy.stats.bootstrap`: ``scipy.stats.bootstrap((y_true, y_score),
    auc_pr_interpolated, paired=True, vectorized=False, method="BCa")``.

    The interval of a macro or weighted average is built from the intervals of its labels.
    Samples are treated as independent, labels are not: the influence of a sample on the
    average is the sum of its influences on the labels, and on the weights of the labels.
    Let :math:`w_l` be the weight of label l, :math:`s_l` the standard error of its value
    times :math:`w_l` and the quantile of the t distribution, and :math:`W_l` the distance
    from its value to its limit, times :math:`w_l`. For independent labels, the distance R
    of the average from its limit is the solution of

    .. math::

        R^2 = \sum_l s_l^2 + R\, \max_l \frac{W_l^2 - s_l^2}{W_l}

    which is :math:`W_l` for one label. If influence values of labels are correlated, the
    sum is multiplied by the ratio of the squared standard error of the average to that of
    independent labels. The maximum is multiplied by the ratio that labels of equal standard
    errors would have.

    The values of labels with few positives are too high on average, all in the same
    direction. `bias` estimates this bias of the average from the precision p, the recall r
    and the number n of samples at each positive: it is the mean over the positives of
    :math:`(1 - p) (1/2 - r) / n`, with terms for ties and for the first two samples. The
    limits of a label allow for its own bias. The rest of the bias of the average, a share
    that grows with the number of labels, moves one limit, not the estimate: a positive bias
    lowers the lower limit, a negative bias raises the upper limit.

    Importance weights that grow with the score give intervals that are too narrow: in
    simulations, 95 % intervals contained the true value in 77 to 92 % of the data sets,
    without a warning.

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
    if metric == "auprg":
        raise ValueError(
            "`metric`='auprg' has no valid interval: its estimate is biased where few "
            'positives are ranked first. Choose "aucnpr" or "auc_pr_interpolated".'
        )
    design = design_of(y_true, pos_label, sample_weight, groups)
    metric = check_metric(
        metric, WITH_INTERVAL, recall_range, prevalence, design.sample_weight
    )
    options = check_level(Options(confidence_level, alternative))
    (sample,) = check_samples(
        metric, y_true, {"y_score": y_score}, average, design, by_sample=False
    )
    result = sample.interval(options)
    warn_of({"": sample})
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
    r"""Permutation test of whether a score is better than chance.

    Typical call::

        result = auc_pr_chance_test(y_true, y_score)
        print(result.pvalue)

    Could a score that knows nothing about the labels have a value as high as this one?
    Under the null hypothesis the labels are independent of the scores, so all permutations
    of the labels are equally likely. The p-value is the share of permutations with at least
    the observed value of the metric. For independent samples this test is exact, also with
    tied scores. The mean under the null hypothesis is not the prevalence: a random ranking
    without ties has a larger area on average, especially with few positives.

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

    Notes
    -----
    If k of B random permutations have at least the observed value, the p-value is [1]_

    .. math::

        p = \frac{k + 1}{B + 1}

    because the observed labels count as one of the permutations. If all different
    permutations are used, the p-value is the share of those with at least the observed
    value.

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
    if n_resamples is None:
        n_resamples = _N_PERMUTATIONS
    n_resamples = check_integer(n_resamples, "n_resamples", 2)
    rng = check_random_state(random_state)
    data = check_binary(y_true, y_score, pos_label, None)

    return chance_test(metric, data, n_resamples, rng)
