"""Tests of fixed scores: of several models, and in subgroups.

The results describe how the metric varies with the test samples. They do not include the
variation with the training set.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from .._inference.design import (
    Options,
    by_name,
    check_clusters,
    check_level,
    design_of,
)
from .._inference.differences import differences
from .._inference.doubts import warn_of, warn_of_models
from .._input.arrays import unit_of
from .._input.labels import check_binary
from .._input.options import Label, check_option, is_one_of
from ..metrics._table import SMOOTH, check_metric
from ..rates._checks import (
    check_rate,
    check_rate_samples,
    check_rates,
    is_at_point,
    with_rounded_threshold,
)
from ..rates._samples import RateSample
from ..results import ModelComparisonResult, SubgroupComparisonResult
from ..uncertainty._checks import check_samples
from ..uncertainty._samples import AreaSample
from ._best_of_many import lower_limit_of_best
from ._subgroups import by_subject, check_subgroups, subgroups_and_pairs

# Differences of the metrics on the left have no valid test. Those of the metrics on the
# right, which are of the empirical curve, have one.
_EMPIRICAL = {
    "achievable_auc_pr": "auc_pr_interpolated",
    "achievable_aucnpr": "aucnpr",
    "auprg": "auc_pr_interpolated",
}


def compare_models(
    y_true: ArrayLike,
    y_scores: Mapping[str, ArrayLike],
    *,
    metric: str = "auc_pr_interpolated",
    at: float | Mapping[str, float] | None = None,
    average: str = "macro",
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    reference: str | None = None,
    adjust: str | None = "holm",
    groups: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
) -> ModelComparisonResult:
    r"""Confidence intervals of several models and tests of their pairwise differences.

    Typical call::

        result = compare_models(y_true, {"A": y_score_a, "B": y_score_b})
        print(result)

    Which model is best, and by how much is it better than each other model? The result has
    the interval of `auc_pr_interval` for each model. For each pair of models it has the
    difference, its interval and its p-value. With a rate as `metric`, intervals and tests
    are those of the rate at the operating point `at`. Tied scores are interpolated as in
    `auc_pr_interpolated`.

    The test is for AUC-PR what DeLong's test is for the area under the ROC curve. It is the
    t test of the difference of the areas divided by its standard error. The errors of two
    models on the same samples are usually correlated, so overlapping intervals of the
    models do not imply that there is no difference. To compare scores of different samples,
    use `compare_subgroups`.

    Several pairs mean several tests, so the p-values are adjusted by Holm's method [1]_: if
    differences with an adjusted p-value of at most 0.05 are called significant, the
    probability of any false rejection is at most 0.05. The intervals are not adjusted. With
    a `reference` there are fewer tests, so the adjusted p-values are smaller.

    The model with the highest estimate owes its rank in part to chance, so its own interval
    is too high. `best_low` is a lower limit that holds although this model was chosen as
    the best one on the same samples; it is printed from three models on.

    Read more in the :ref:`User Guide <compare_models>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
        Binary labels (labels other than {0, 1}, {-1, 1} and booleans need `pos_label`), a
        multilabel indicator matrix, or multiclass labels.
    y_scores : mapping of str to array-like of shape (n_samples,), or DataFrame
        Scores of at least two models on the same samples: a mapping from the name of each
        model to its scores, or a DataFrame with one column per model. Scores of several
        labels have shape (n_samples, n_labels).
    metric : str, default="auc_pr_interpolated"
        Name of the metric, or of a rate. The tests need the influence of each sample on the
        metric (see `auc_pr_influence`), which achievable metrics and AUPRG do not have.

        - ``"auc_pr_interpolated"``, ``"aucnpr"``;
        - ``"average_precision"``: takes no `recall_range`;
        - ``"normalized_average_precision"``: takes no `recall_range`, `prevalence` or
          `sample_weight`;
        - ``"precision_at_recall"``, ``"recall_at_fpr"``, ``"precision_at_k"``,
          ``"recall_at_k"``, ``"recall_at_threshold"``, ``"specificity_at_threshold"``,
          ``"precision_at_threshold"``, ``"npv_at_threshold"``, ``"f1_at_threshold"``,
          ``"selection_rate_at_threshold"``: a rate at the operating point `at`, of binary
          labels; takes no `recall_range`, and `sample_weight` and `prevalence` only at
          thresholds without `groups`.
    at : int, float or mapping of str to float, default=None
        The operating point of a rate, which other metrics do not take: the recall or the
        false positive rate, inside (0, 1); k, a number of samples (an integer) or a share
        of them (a float); the threshold, or a mapping from the name of each model to its
        own. A threshold must be chosen on other data.
    average : {"macro", "weighted", "micro"}, default="macro"
        How a metric of several classes or labels is averaged, as in `auc_pr_interpolated`:
        ``"macro"``, the mean; ``"weighted"``, weighted by the positives of each label;
        ``"micro"``, all entries as one binary problem. No effect on one binary label.
        Averages are available for AUC-PR, AUCNPR and average precision, without
        `sample_weight`, `recall_range` and `prevalence`.
    confidence_level : float, default=0.95
        Confidence level of the intervals, inside (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Alternative hypothesis on each difference, the first model of the pair minus the
        second in the order of `y_scores`, or a model minus the `reference`:
        ``"two-sided"``, it is not 0; ``"less"``, it is below 0, and its interval has only
        an upper limit; ``"greater"``, it is above 0, and its interval has only a lower
        limit. A model is not inferior to the reference by more than a margin if the lower
        limit of ``"greater"`` is above minus the margin. The intervals of the models are
        always two-sided.
    reference : str, default=None
        Name of the model that all others are compared with. With None all pairs are
        compared.
    adjust : {"holm", None}, default="holm"
        How the p-values are adjusted for the number of pairs. None does not adjust them.
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
    ModelComparisonResult
        Dicts from the name of a model:

        - models: the result of `auc_pr_interval`, or at an operating point a
          :class:`~sklearn_achievable_pr.results.RateIntervalResult`;
        - ranks: 1 for the highest estimate; equal estimates share a rank.

        Dicts from a pair of names, in the order of `y_scores`; a `reference` is the second
        name:

        - pairs: an :class:`~sklearn_achievable_pr.results.AucPRComparisonResult` with the
          difference of the first and the second model, its standard error, its interval and
          its p-value, such as ``result.pairs["A", "B"].pvalue``;
        - adjusted_pvalues: the adjusted p-value.

        The print shows the better model of each pair first. With a `reference` or a
        one-sided `alternative` it shows the pairs as they are.

        - best_low: lower limit of the model with the highest estimate that holds after the
          choice, at the `confidence_level`; None for rates, and where a negative has more
          than 1.2 times the weight of a positive, on average, by `sample_weight` or
          `prevalence`, because the limit is then too high.

        ``to_frame("models")`` and ``to_frame("pairs")`` return pandas DataFrames,
        ``plot()`` draws a forest plot. If a class is missing, estimates, limits and
        p-values are NaN, with an :class:`~sklearn.exceptions.UndefinedMetricWarning`. Rates
        at thresholds and at k that do not need this class are defined, as in
        `threshold_table`, and compared. If a class consists of one sample or one cluster,
        the p-values of areas are NaN and the intervals of differences contain every
        possible value, with the same warning.

    Raises
    ------
    ValueError
        If `metric` is achievable or AUPRG, `at` does not fit `metric`, a false positive
        rate is less than one negative, or another argument is invalid.
    TypeError
        If `y_scores` is not a mapping or a DataFrame of at least two different names, or
        another argument is of the wrong type.

    Warns
    -----
    UserWarning, CoverageWarning
        In the cases in which `auc_pr_interval` warns, and with few samples of a class or at
        the operating point, where intervals are wide. One warning per reason names the
        models. :ref:`warnings` lists the reasons, and what to do.

    See Also
    --------
    auc_pr_interval : Confidence interval of one score.
    compare_subgroups : Comparison of scores of different samples.
    dominates : Whether one curve is nowhere below the other.
    threshold_table, operating_point_interval : Intervals at an operating point.

    Notes
    -----
    Holm's method [1]_ adjusts m p-values. With the p-values in increasing order,
    :math:`p_{(1)} \le \ldots \le p_{(m)}`, the i-th smallest becomes

    .. math::

        \tilde p_{(i)} = \min\left(1, \max_{j \le i} (m - j + 1)\, p_{(j)}\right)

    This controls the probability of any false rejection for any dependence between the
    tests.

    **Areas.** Let :math:`D_i^a` and :math:`D_i^b` be the influence values [2]_ of sample i
    for the two models (see `auc_pr_influence`), and :math:`w_i` its weight. With the
    squares :math:`s_i` the squared standard error of the difference is

    .. math::

        \mathrm{SE}^2 = \sum_i \frac{s_i}{1 - h_i},
        \qquad s_i = \left(w_i (D_i^a - D_i^b)\right)^2

    where :math:`h_i` is defined in `auc_pr_interval`. A variance for samples that the data
    do not show is added to :math:`\mathrm{SE}^2` [3]_, so that two models that rank all
    samples alike have an interval of positive width.

    **Rates.** The interval of a difference is made of the intervals of both rates (MOVER
    [4]_), with the correlation of the decisions of both models. The p-value is the
    significance level at which the interval just excludes 0. If both models decide alike
    for every sample that a rate at a threshold counts, the p-value is 1.

    **The best of many.** `best_low` is the lower limit of the first model, computed as for
    its own interval, at the quantile of the largest of as many correlated normal variables
    as there are models [5]_. From three models on it is computed by random draws with a
    fixed seed.

    :ref:`which-interval` has the formulas, also of averages over labels. Achievable metrics
    and AUPRG have no influence function, and no valid test of a difference.

    References
    ----------
    .. [1] Holm (1979), Scandinavian Journal of Statistics 6, 65-70.
    .. [2] Hampel (1974), JASA 69, 383-393. :doi:`10.1080/01621459.1974.10482962`
    .. [3] Bonett and Price (2012), J Educ Behav Stat. :doi:`10.3102/1076998611411915`
    .. [4] Zou and Donner (2008), Stat Med 27, 1693-1702. :doi:`10.1002/sim.3095`
    .. [5] Owen et al. (2019), Electron J Stat 13, 231-254. :doi:`10.1214/18-EJS1527`

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_achievable_pr import compare_models
    >>> rng = np.random.default_rng(0)
    >>> y_true = rng.random(500) < 0.1
    >>> shared = rng.normal(size=500)
    >>> y_scores = {
    ...     "forest": 2 * y_true + shared + 0.4 * rng.normal(size=500),
    ...     "logistic": 1.5 * y_true + shared + 0.4 * rng.normal(size=500),
    ...     "tree": 1.4 * y_true + shared,
    ... }
    >>> print(compare_models(y_true, y_scores, reference="logistic"))
    rank  model     AUC-PR (95 % confidence interval)
    1     forest    0.71 (0.56, 0.84)
    2     tree      0.53 (0.37, 0.69)
    3     logistic  0.50 (0.34, 0.66)
    <BLANKLINE>
    pair               difference (95 % interval)  p-value (Holm)
    forest - logistic  0.21 (0.11, 0.31)           < 0.001
    tree - logistic    0.03 (-0.04, 0.10)          0.395
    <BLANKLINE>
    forest, chosen as the best of 3, has AUC-PR of at least 0.56 (95 % confidence).
    500 samples, 47 positive; chance level: 0.099
    >>> at_recall = compare_models(y_true, y_scores, metric="precision_at_recall", at=0.8)
    >>> print(at_recall.to_frame("pairs")["difference (interval)"].tolist())
    ['0.175 (0.004, 0.339)', '0.216 (0.044, 0.385)', '0.041 (-0.077, 0.158)']

    Is the tree worse than the logistic regression by at most 0.05? It is not inferior by
    this margin, because the lower limit of the difference is above -0.05.

    >>> two = {name: y_scores[name] for name in ("tree", "logistic")}
    >>> result = compare_models(y_true, two, alternative="greater")
    >>> print(result.pairs["tree", "logistic"])
    AUC-PR of tree: 0.53
    AUC-PR of logistic: 0.50
    difference tree - logistic: 0.03
    one-sided 95 % confidence interval: at least -0.03
    p-value: 0.198 (greater, statistic 0.8641)
    500 samples, 47 positive
    """
    _check_has_test(metric)
    check_option(adjust, "adjust", ("holm", None))
    what = "scores, or a pandas or Polars DataFrame with one column per model"
    scores = by_name(y_scores, "y_scores", what)
    check_option(reference, "reference", (None, *scores))
    design = design_of(y_true, pos_label, sample_weight, groups)
    by_argument = {f"y_scores[{name!r}]": score for name, score in scores.items()}
    is_rate = is_at_point(metric, SMOOTH, at)
    options = check_level(Options(confidence_level, alternative))
    if is_rate:
        rates = check_rates(metric, at, scores, design, recall_range, prevalence)
        samples = check_rate_samples(rates, y_true, by_argument, design)
    else:
        weight = design.sample_weight
        metric = check_metric(metric, SMOOTH, recall_range, prevalence, weight)
        samples = check_samples(
            metric, y_true, by_argument, average, design, by_sample=True
        )
    samples = dict(zip(scores, samples, strict=True))
    for_intervals = Options(options.confidence_level)
    models = {name: sample.interval(for_intervals) for name, sample in samples.items()}
    pairs = differences(samples, options, reference)
    warn_of_models(samples, pairs)

    best_low = None
    if not is_rate:  # the limit was not simulated for rates
        best_low = lower_limit_of_best(samples, models, options.confidence_level)

    return ModelComparisonResult(models, pairs, reference, adjust, best_low)


def _check_has_test(metric):
    """Raise for a metric without an influence function, whose differences have no test."""
    if is_one_of(metric, _EMPIRICAL):
        raise ValueError(
            f"`metric`={metric!r} has no valid test of a difference. Compare "
            f"{_EMPIRICAL[metric]!r}, which is of the empirical curve."
        )


def compare_subgroups(
    y_true: ArrayLike,
    y_score: ArrayLike,
    by: ArrayLike,
    *,
    metric: str = "auc_pr_interpolated",
    at: float | None = None,
    confidence_level: float = 0.95,
    reference: Label | None = None,
    adjust: str | None = "holm",
    groups: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
) -> SubgroupComparisonResult:
    r"""Confidence intervals of AUC-PR in subgroups, and tests of their differences.

    Typical call::

        result = compare_subgroups(y_true, y_score, hospital)
        print(result)

    The subgroups are disjoint parts of the samples: men and women, two hospitals, months.
    To compare two independent samples, pass their concatenation with two subgroups. Each
    subgroup has the interval of `auc_pr_interval`, or of the rate that is the `metric`. The
    interval of a difference is computed from the intervals of both subgroups (MOVER [1]_).
    The p-value is the smallest significance level at which this interval excludes 0. The
    test is unpaired, and it controls the type I error rate also if the subgroups differ in
    size.

    AUC-PR depends on the prevalence: a constant, no-skill score has the prevalence of the
    subgroup as its AUC-PR. So equally good scores have different AUC-PR in subgroups of
    different prevalence. Pass `prevalence` to compare subgroups at one prevalence. Tied
    scores are interpolated as in `auc_pr_interpolated`. The p-values are adjusted as in
    `compare_models`; the intervals are not.

    Read more in the :ref:`User Guide <subgroups>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. Labels other than {0, 1}, {-1, 1} and booleans need `pos_label`.
    y_score : array-like of shape (n_samples,)
        Real, finite scores, higher for the positive class, such as decision values or
        probabilities. A sample is predicted positive if `y_score >= threshold`.
    by : array-like of shape (n_samples,)
        Label of the subgroup of each sample, such as a string or an integer.
    metric : str, default="auc_pr_interpolated"
        Name of the metric, or of a rate. Intervals need the influence of each sample on the
        metric (see `auc_pr_influence`), which achievable metrics and AUPRG do not have.

        - ``"auc_pr_interpolated"``, ``"aucnpr"``;
        - ``"average_precision"``: takes no `recall_range`;
        - ``"normalized_average_precision"``: takes no `recall_range`, `prevalence` or
          `sample_weight`;
        - ``"precision_at_recall"``, ``"recall_at_fpr"``, ``"precision_at_k"``,
          ``"recall_at_k"``, ``"recall_at_threshold"``, ``"specificity_at_threshold"``,
          ``"precision_at_threshold"``, ``"npv_at_threshold"``, ``"f1_at_threshold"``,
          ``"selection_rate_at_threshold"``: a rate at the operating point `at`, of binary
          labels; takes no `recall_range`, and `sample_weight` and `prevalence` only at
          thresholds without `groups`.
    at : int or float, default=None
        The operating point of a rate, as in `compare_models`: one number for all subgroups.
        k counts within each subgroup; pass it as a share of the samples, so that subgroups
        of different size are treated alike.
    confidence_level : float, default=0.95
        Confidence level of the intervals, inside (0, 1).
    reference : label, default=None
        Label of the subgroup that all others are compared with. ``"rest"`` compares each
        subgroup with all other samples. With None all pairs are compared.
    adjust : {"holm", None}, default="holm"
        How the p-values are adjusted for the number of pairs. None does not adjust them.
    groups : array-like of shape (n_samples,), default=None
        Cluster labels, e.g. the patient of each sample. Samples of one cluster count as one
        observation in intervals and tests. Clusters with samples in both subgroups of a
        pair correlate the two values, which the interval of their difference takes into
        account. If None, samples are treated as independent.
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. A weight of 0 is the same as leaving the sample out. In an
        estimate a weight of k is the same as k copies of the sample; in intervals and tests
        a sample of any weight counts as one observation.
    recall_range : (float, float), default=(0.0, 1.0)
        Recall range (a, b) to integrate over, 0 <= a < b <= 1. An area is not divided by
        the width b - a: areas of adjacent ranges add up. AUCNPR is normalized by the
        minimum and the maximum area of this range.
    prevalence : float, default=None
        Reference prevalence (fraction of positives), inside (0, 1), of all subgroups. The
        negatives of each subgroup are reweighted to this prevalence; true and false
        positive rates do not change. None keeps the prevalence of each subgroup.

    Returns
    -------
    SubgroupComparisonResult
        Dicts from the label of a subgroup, in sorted order or in that of ordered
        categories:

        - subgroups: the result of `auc_pr_interval`, or at an operating point a
          :class:`~sklearn_achievable_pr.results.RateIntervalResult`;
        - own_prevalences: the fraction of positives of the subgroup.

        Dicts from a pair of labels; a `reference` is the second label:

        - pairs: an :class:`~sklearn_achievable_pr.results.AucPRComparisonResult` with the
          difference of the first and the second subgroup, its interval and its p-value;
        - adjusted_pvalues: the adjusted p-value.

        ``to_frame("subgroups")`` and ``to_frame("pairs")`` return pandas DataFrames,
        ``plot()`` draws a forest plot. A subgroup without one of the classes, and its
        pairs, stay in the tables, with NaN and an
        :class:`~sklearn.exceptions.UndefinedMetricWarning` that names the subgroup; rates
        at thresholds and at k that do not need this class are defined, as in
        `threshold_table`, and compared. For areas, and rates at a recall or a false
        positive rate, a pair with a subgroup that has only one sample, or cluster, of a
        class has the p-value NaN and the interval of all possible differences, with the
        same warning.

    Raises
    ------
    ValueError
        If `by` has fewer than two subgroups, several columns, missing labels or labels of
        several types; or `reference` is no subgroup, or ``"rest"`` although a subgroup has
        this name; or `at` does not fit `metric`.

    Warns
    -----
    UserWarning, CoverageWarning
        In the cases in which `auc_pr_interval` warns, and with fewer than three positives
        on one side of a recall, where intervals are wide. One warning per reason names the
        subgroups.

    See Also
    --------
    compare_models : Comparison of scores of the same samples.
    auc_pr_interval : Confidence interval of one sample.

    Notes
    -----
    The difference of A and B, the values of two subgroups with the intervals
    :math:`(l_a, u_a)` and :math:`(l_b, u_b)`, has the limits

    .. math::

        L = A - B - \max\left(t\,\mathrm{SE},\,
            \sqrt{(A - l_a)^2 + (u_b - B)^2}\right)
        \qquad
        U = A - B + \max\left(t\,\mathrm{SE},\,
            \sqrt{(u_a - A)^2 + (B - l_b)^2}\right)

    The square roots are those of MOVER [1]_. :math:`\mathrm{SE}` is the standard error of
    the difference, and t a quantile with the degrees of freedom of Welch. If clusters have
    samples in both subgroups, the two values have a correlation r, and the square roots are
    the function R of :ref:`which-interval`.

    References
    ----------
    .. [1] Zou and Donner (2008), Stat Med 27, 1693-1702. :doi:`10.1002/sim.3095`

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_achievable_pr import compare_subgroups
    >>> rng = np.random.default_rng(0)
    >>> sex = rng.choice(["F", "M"], 2000)
    >>> y_true = rng.random(2000) < np.where(sex == "F", 0.1, 0.2)
    >>> y_score = rng.normal(size=2000) + 1.5 * y_true
    >>> print(compare_subgroups(y_true, y_score, sex))
    subgroup  samples  positive  prevalence  AUC-PR (95 % confidence interval)
    F         957      108       0.113       0.54 (0.44, 0.63)
    M         1043     224       0.215       0.66 (0.59, 0.72)
    <BLANKLINE>
    pair   difference (95 % interval)  p-value
    F - M  -0.122 (-0.239, -0.005)     0.041
    >>> same = compare_subgroups(y_true, y_score, sex, prevalence=0.15)
    >>> print(same.to_frame("pairs")["difference (interval)"].item())
    0.02 (-0.09, 0.13)
    """
    design = design_of(y_true, pos_label, sample_weight, groups)
    is_rate = is_at_point(metric, SMOOTH, at)
    if is_rate:
        rate = check_rate(metric, at, design, recall_range, prevalence)
    else:
        weight = design.sample_weight
        metric = check_metric(metric, SMOOTH, recall_range, prevalence, weight)
    options = check_level(Options(confidence_level))
    check_option(adjust, "adjust", ("holm", None))
    samples = y_true, y_score, pos_label, design.sample_weight
    data = check_binary(*samples, by=by, groups=groups)
    clusters = check_clusters(y_true, design)
    is_in = check_subgroups(by, y_true, design.sample_weight, reference)
    # The reference becomes the label of the samples, because 1, 1.0 and True are equal but
    # are printed differently.
    reference = next((name for name in is_in if name == reference), reference)
    if is_rate:
        rate = with_rounded_threshold(rate, data.score, y_score)
        unit = unit_of(design.sample_weight, data.weight)
        sample_of = partial(RateSample.of, rate, unit=unit)
    else:
        # Clusters that two subgroups share need the influence of each sample.
        sample_of = partial(AreaSample.of, metric, by_sample=clusters is not None)
    subgroups, pairs = subgroups_and_pairs(
        sample_of, data, is_in, clusters, reference, options
    )
    warn_of(by_subject(subgroups))

    return SubgroupComparisonResult(
        {name: subgroup.interval for name, subgroup in subgroups.items()},
        {name: subgroup.prevalence for name, subgroup in subgroups.items()},
        pairs,
        reference,
        adjust,
        None if clusters is None else len(np.unique(clusters)),
    )
