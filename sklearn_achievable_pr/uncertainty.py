"""How sure: standard errors, intervals, paired comparisons, and chance.

All of it is about new rows for scores that are fixed. What another training set would have
done to the scores is in none of these numbers.
"""

from __future__ import annotations

import numbers

import numpy as np
from numpy.typing import ArrayLike

from ._input.arrays import as_column, check_same_length, check_weight, is_missing
from ._input.labels import check_binary
from ._input.options import (
    Label,
    check_flag,
    check_number,
    check_option,
    warn_caller,
)
from ._metrics import METRICS, SMOOTH, MetricWithOptions, check_metric
from ._uncertainty.inference import (
    FROM_INFLUENCE,
    FROM_POSITIVES,
    FROM_RESAMPLES,
    AucPRChanceResult,
    AucPRComparisonResult,
    AucPRIntervalResult,
    Comparison,
    arrangement_of,
    boyd_interval,
    influence_interval,
    no_interval,
    read_only,
    resampled_interval,
)
from ._uncertainty.permutation import null_values
from ._uncertainty.standard_error import Sample, sample_influence

_ALTERNATIVES = ("two-sided", "less", "greater")
# Below so many rows of a class a standard error is itself a guess.
_FEW = 10


# Influence


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
    r"""How the exact area moves with the weight of each row.

    Element i is the derivative :math:`D_i = \partial A / \partial w_i`, exact, of

    .. math:: A = \frac{1}{P} \int_{aP}^{bP} \frac{t}{t + f(t)}\, dt,

    f(t) the false positives at t true positives [1]_: the influence function [2]_. Twice
    the weight on all rows changes nothing, so :math:`\sum w_i D_i = 0`. Large values are
    rows that the area hangs on. For rows drawn each for itself the standard error of A is
    about :math:`\sqrt{\sum (w_i D_i)^2}`, and with ties and weights too; of a difference
    between two scores of the same rows it is that of the difference of their influences.
    All rows of one class between two of the other have the same value, so it costs little
    more than the area. Where `recall_range` ends at a recall at which precision falls
    straight down, as it often does without weights, the derivative is different for more
    and for less weight: it is the mean of both.

    For a constant, no-skill score, all of it one tie, it is that of the prevalence,
    :math:`(y_i - \pi) / n`. A missing class is an error, not an
    :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. {0, 1}, {-1, 1} and booleans are understood; other labels need
        `pos_label`.
    y_score : array-like of shape (n_samples,)
        Scores that are higher for the positive class: decision values, probabilities,
        anything real and finite. Positive means `y_score >= threshold`.
    metric : str, default="auc_pr_interpolated"
        What is estimated: a key of `SCORERS`, or ``"average_precision"``. Here
        ``"auc_pr_interpolated"`` or ``"aucnpr"``: the others are no smooth functions of
        the weights.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative. A weight of k counts as k copies of the row in the value,
        but is one draw: a weight of 0 is the same as no row.
    recall_range : (float, float), default=(0.0, 1.0)
        Recalls a < b within [0, 1] to integrate over. The area is not divided by b - a:
        parts of a range sum to the whole.
    prevalence : float, default=None
        Fraction of positives, inside (0, 1), that the data are to stand for: true and
        false positive rates are kept and the negatives are reweighted. It undoes
        down-sampling. None keeps the fraction of the data.

    Returns
    -------
    ndarray of float64, shape (n_samples,)
        Element i is the derivative by the weight of row i; 0.0 for a row of weight 0, which
        is no row.

    Raises
    ------
    ValueError
        If a class is missing, a score has NaN or infinite values or the wrong shape,
        `y_true` is empty, has missing or continuous values or labels for which
        `pos_label` is needed or absent, `sample_weight` is negative, not finite, all 0 or
        of another length, `metric` is neither of the two,
        `recall_range` is no pair 0 <= a < b <= 1, or `prevalence` leaves (0, 1).
    TypeError
        If a score or `sample_weight` are not real numbers, `y_true` is not labels, or an
        option is of the wrong kind.

    See Also
    --------
    auc_pr_interval : The interval that it leads to.
    compare_auc_pr : The test of a difference.

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
    measure = check_metric(metric, SMOOTH, recall_range, prevalence, sample_weight)
    sample = _check_sample(y_true, y_score, pos_label, sample_weight)
    influence = sample_influence(measure, sample.data)[1]
    if sample_weight is None:
        return influence
    weight = as_column(sample_weight, "sample_weight").astype(np.float64)
    present = weight > 0
    found = np.zeros(len(weight))
    # Weights far from 1 were brought nearer by a power of two.
    found[present] = influence * (sample.data.weight.max() / weight.max())
    return found


# One score


def auc_pr_interval(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    metric: str = "auc_pr_interpolated",
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    method: str = "beta",
    fixed_class_counts: bool = False,
    groups: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
    n_resamples: int = 1999,
    rng: int | np.random.Generator | None = None,
) -> AucPRIntervalResult:
    r"""Standard error and confidence interval of an area for a fixed score.

    The interval covers the area of the population that the rows were drawn from, with the
    score as it is: it says what other test rows would have given, not another training set.
    The standard error is that of the influence function,

    .. math:: \mathrm{SE}^2 = \sum_i \frac{(w_i D_i)^2}{1 - h_i},

    h the part that a row is of its class, with `groups` both summed per group first, and
    the terms centred within each class where its size or the prevalence is fixed. Its
    degrees of freedom are one less than the rows, or groups, of the rarer class, or
    Satterthwaite's [3]_ where a few rows make most of the sum.

    The beta interval is that of Korn and Graubard for proportions in surveys [2]_. It
    takes the area for one that :math:`A (1 - A) / \mathrm{SE}^2` rows would know as well,
    fewer where the degrees of freedom are few, and gives its Clopper-Pearson limits: it has
    a width at a perfect ranking too. For a constant, no-skill score, all of it one tie, it
    is an interval of the prevalence.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. {0, 1}, {-1, 1} and booleans are understood; other labels need
        `pos_label`.
    y_score : array-like of shape (n_samples,)
        Scores that are higher for the positive class: decision values, probabilities,
        anything real and finite. Positive means `y_score >= threshold`.
    metric : str, default="auc_pr_interpolated"
        What is estimated: a key of `SCORERS`, or ``"average_precision"``. All but
        ``"auc_pr_interpolated"`` and ``"aucnpr"`` by resampling only.
    confidence_level : float, default=0.95
        Level of the interval, inside (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        As in :mod:`scipy.stats`: which side the interval or the test is for.
    method : str, default="beta"
        How the limits are found.

        - ``"beta"``: from the standard error as above; right from four positives up;
        - ``"logit"``: logit(A) and a t quantile; no width at a perfect ranking;
        - ``"boyd_logit"``, ``"boyd_binomial"``: as if A were a proportion of the positives
          [1]_, :math:`\mathrm{logit} A \pm z / \sqrt{P A (1 - A)}` and
          :math:`A \pm z \sqrt{A (1 - A) / P}`; for the whole area of rows without weights
          or groups. They do not reach their level with more rows;
        - ``"percentile"``, ``"bca"``: quantiles of resamples, plain or corrected for bias
          and skew; too short below fifty positives or near 1.
    fixed_class_counts : bool, default=False
        Whether the design set how many rows of each class there are, as in a case-control
        study, and not chance. Not with `groups`.
    groups : array-like of shape (n_samples,), default=None
        Labels of clusters: rows of one group are drawn, or permuted, together. None takes
        every row for a cluster of its own.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative. A weight of k counts as k copies of the row in the value,
        but is one draw: a weight of 0 is the same as no row.
    recall_range : (float, float), default=(0.0, 1.0)
        Recalls a < b within [0, 1] to integrate over. The area is not divided by b - a:
        parts of a range sum to the whole.
    prevalence : float, default=None
        Fraction of positives, inside (0, 1), that the data are to stand for: true and
        false positive rates are kept and the negatives are reweighted. It undoes
        down-sampling. None keeps the fraction of the data.
    n_resamples : int, default=1999
        How many times the rows are drawn anew.
    rng : {None, int, `numpy.random.Generator`}, default=None
        Draws the resamples. None draws others every time, an int always the same.

    Returns
    -------
    AucPRIntervalResult
        With the attributes

        - estimate: the value itself, what the function of that metric returns;
        - standard_error: of the influence function; of Boyd's formula; the standard
          deviation of the resamples;
        - confidence_interval: `low` and `high`; the side that `alternative` leaves open is
          the least or the largest value of all;
        - df: degrees of freedom as above (with weights: of as many rows of one weight as
          would know as much); infinite for Boyd's intervals, None for resampling;
        - bootstrap_distribution: the values of the resamples, or None. A resample without
          positives (or negatives, where it takes both) has no value and is drawn again.

        Where all positives or all negatives are one row or one group nothing is known
        about their spread: the standard error is NaN and the interval all that there is,
        with an :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    Raises
    ------
    ValueError
        If a class is missing, a score has NaN or infinite values or the wrong shape,
        `y_true` is empty, has missing or continuous values or labels for which
        `pos_label` is needed or absent, `sample_weight` is negative, not finite, all 0 or
        of another length, `groups` is of another length or has missing labels, an
        option is unknown or out of range, or does not go with another.
    TypeError
        If a score or `sample_weight` are not real numbers, `y_true` is not labels, or an
        option is of the wrong kind.

    See Also
    --------
    compare_auc_pr : Whether one score is better than another. Not by two intervals.
    auc_pr_chance_test : Whether a score is better than chance.
    auc_pr_influence : Which rows the area hangs on.

    References
    ----------
    .. [1] Boyd, Eng and Page (2013), ECML 24, 451-466. :doi:`10.1007/978-3-642-40994-3_29`
    .. [2] Korn and Graubard (1998), Survey Methodology 24, 193-201.
    .. [3] Satterthwaite (1946), Biometrics Bulletin 2, 110-114. :doi:`10.2307/3002019`

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_achievable_pr import auc_pr_interval
    >>> rng = np.random.default_rng(0)
    >>> y_true = rng.random(500) < 0.1
    >>> y_score = rng.normal(size=500) + 1.5 * y_true
    >>> result = auc_pr_interval(y_true, y_score)
    >>> round(result.estimate, 3), round(result.standard_error, 3)
    (0.575, 0.075)
    >>> low, high = result.confidence_interval
    >>> round(low, 3), round(high, 3)
    (0.412, 0.726)
    """
    check_option(method, "method", FROM_INFLUENCE + FROM_POSITIVES + FROM_RESAMPLES)
    measure = check_metric(metric, METRICS, recall_range, prevalence, sample_weight)
    _check_chance(confidence_level, alternative, n_resamples)
    sample = _check_sample(
        y_true, y_score, pos_label, sample_weight, groups, fixed_class_counts
    )
    if method not in FROM_RESAMPLES:
        _check_smooth(metric, "method", method, FROM_RESAMPLES)
    if method in FROM_POSITIVES:
        _check_boyd(method, measure, sample)
        found = boyd_interval(measure, sample, method, confidence_level, alternative)
    elif not sample.spread_is_known:
        found = no_interval(measure, sample)
    elif method in FROM_INFLUENCE:
        found = influence_interval(measure, sample, method, confidence_level, alternative)
    else:
        rng = _check_rng(rng)
        found = resampled_interval(
            measure, sample, method, confidence_level, alternative, n_resamples, rng
        )
    return found


# Two scores


def compare_auc_pr(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    metric: str = "auc_pr_interpolated",
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    method: str = "influence",
    fixed_class_counts: bool = False,
    groups: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
    n_resamples: int = 9999,
    rng: int | np.random.Generator | None = None,
) -> AucPRComparisonResult:
    r"""Whether one fixed score is better than another on the same rows.

    The same rows are hard for both scores, so the difference is known far better than
    either area: two intervals that overlap say nothing. The difference of the influence
    functions [1]_, row by row, has its standard error,

    .. math:: \mathrm{SE}^2 = \sum_i \frac{w_i^2 (D^a_i - D^b_i)^2}{1 - h_i},

    h the part that a row is of its class, and difference / SE is compared with a t
    distribution. The permutation exchanges, row
    by row or group by group, the places that the two scores give it, where a coin says so:
    it keeps its level with two positives too. Ties are steps, as everywhere; two constant,
    no-skill scores have the difference 0 and the p-value 1.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. {0, 1}, {-1, 1} and booleans are understood; other labels need
        `pos_label`.
    y_score_a, y_score_b : array-like of shape (n_samples,)
        Two scores of the same samples, higher for the positive class, real and finite.
    metric : str, default="auc_pr_interpolated"
        What is estimated: a key of `SCORERS`, or ``"average_precision"``. All but
        ``"auc_pr_interpolated"`` and ``"aucnpr"`` by resampling only.
    confidence_level : float, default=0.95
        Level of the interval, inside (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        As in :mod:`scipy.stats`: which side the interval or the test is for.
    method : {"influence", "permutation", "percentile"}, default="influence"
        How the p-value is found: the t test above; the part of exchanges (each of them
        once, if there are no more than `n_resamples`) that make as large a difference; or
        the smallest level at which the percentile interval of resamples leaves out 0.
    fixed_class_counts : bool, default=False
        Whether the design set how many rows of each class there are, as in a case-control
        study, and not chance. Not with `groups`.
    groups : array-like of shape (n_samples,), default=None
        Labels of clusters: rows of one group are drawn, or permuted, together. None takes
        every row for a cluster of its own.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative. A weight of k counts as k copies of the row in the value,
        but is one draw: a weight of 0 is the same as no row.
    recall_range : (float, float), default=(0.0, 1.0)
        Recalls a < b within [0, 1] to integrate over. The area is not divided by b - a:
        parts of a range sum to the whole.
    prevalence : float, default=None
        Fraction of positives, inside (0, 1), that the data are to stand for: true and
        false positive rates are kept and the negatives are reweighted. It undoes
        down-sampling. None keeps the fraction of the data.
    n_resamples : int, default=9999
        How many times the rows are drawn anew.
    rng : {None, int, `numpy.random.Generator`}, default=None
        Draws the resamples. None draws others every time, an int always the same.

    Returns
    -------
    AucPRComparisonResult
        With the attributes

        - estimates: the values of a and of b;
        - difference: that of a less that of b;
        - standard_error: of the difference, from the influence functions; from the
          resamples with ``"percentile"``, from the exchanges for a metric without an
          influence function;
        - statistic: difference / standard_error, 0.0 if both are 0;
        - pvalue: under equal areas, of such a statistic or a more extreme one;
        - confidence_interval: `low` and `high` of the difference, from the standard error
          and a t quantile, or the percentiles of resamples;
        - df: degrees of freedom as for `auc_pr_interval`; None for ``"percentile"``;
        - null_distribution, bootstrap_distribution: differences under exchanges, of
          resamples, or None.

        Where the sample shows no spread, because all positives or all negatives are one
        row or one group or both scores rank without error, but differently, standard
        error and p-value are NaN and the interval is all that there is, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`; the p-value of a permutation
        stands.

    Raises
    ------
    ValueError
        If a class is missing, a score has NaN or infinite values or the wrong shape,
        `y_true` is empty, has missing or continuous values or labels for which
        `pos_label` is needed or absent, `sample_weight` is negative, not finite, all 0 or
        of another length, `groups` is of another length or has missing labels, an
        option is unknown or out of range, or does not go with another.
    TypeError
        If a score or `sample_weight` are not real numbers, `y_true` is not labels, or an
        option is of the wrong kind.

    Warns
    -----
    UserWarning
        With fewer than ten rows, or groups, of a class, unless `method` is
        ``"permutation"``, which alone keeps its level there.

    See Also
    --------
    auc_pr_interval : The interval of one score.
    dominates : Whether one curve is nowhere below the other.

    References
    ----------
    .. [1] Hampel (1974), JASA 69, 383-393. :doi:`10.1080/01621459.1974.10482962`

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_achievable_pr import compare_auc_pr
    >>> rng = np.random.default_rng(0)
    >>> y_true = rng.random(500) < 0.1
    >>> shared = rng.normal(size=500)
    >>> y_score_a = 2 * y_true + shared + 0.4 * rng.normal(size=500)
    >>> y_score_b = 1.5 * y_true + shared + 0.4 * rng.normal(size=500)
    >>> result = compare_auc_pr(y_true, y_score_a, y_score_b)
    >>> round(result.difference, 3), round(result.standard_error, 3)
    (0.213, 0.049)
    >>> result.pvalue < 0.001
    True
    """
    check_option(method, "method", ("influence", "permutation", "percentile"))
    measure = check_metric(metric, METRICS, recall_range, prevalence, sample_weight)
    _check_chance(confidence_level, alternative, n_resamples)
    samples = [
        _check_sample(
            y_true, score, pos_label, sample_weight, groups, fixed_class_counts, name
        )
        for score, name in ((y_score_a, "y_score_a"), (y_score_b, "y_score_b"))
    ]
    if method == "influence":
        _check_smooth(metric, "method", method, ("permutation", "percentile"))
    if method != "permutation":
        _warn_few(samples[0])
    estimates = tuple(float(measure.value(measure.roc_of(s.data))) for s in samples)
    comparison = Comparison(measure, samples, estimates, confidence_level, alternative)
    if method == "influence":
        return comparison.by_influence()
    rng = _check_rng(rng)
    if method == "permutation":
        return comparison.by_permutation(n_resamples, rng)
    return comparison.by_resampling(n_resamples, rng)


# Chance


def auc_pr_chance_test(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    metric: str = "auc_pr_interpolated",
    n_resamples: int = 9999,
    groups: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
) -> AucPRChanceResult:
    r"""Whether a score is better than chance.

    Under the null hypothesis labels know nothing of the scores: every way to give the same
    labels to the rows is as likely. The p-value is the part of them that reach the value
    or a higher one, exact with any ties. Of B of them drawn at random, k reaching it,

    .. math:: p = \frac{k + 1}{B + 1},

    the data being one of the ways [1]_. Chance is not the prevalence: a random ranking
    without ties has a larger area on average, clearly so with few positives. A constant,
    no-skill score has the p-value 1. A missing class is an error, not an
    :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    With `groups` the labels of a group, and weights, stay together. If each group has rows
    of one class only and there are no weights, any groups may be the positive ones; else
    groups of the same size exchange their labels, row by row in the order given.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. {0, 1}, {-1, 1} and booleans are understood; other labels need
        `pos_label`.
    y_score : array-like of shape (n_samples,)
        Scores that are higher for the positive class: decision values, probabilities,
        anything real and finite. Positive means `y_score >= threshold`.
    metric : str, default="auc_pr_interpolated"
        What is estimated: a key of `SCORERS`, or ``"average_precision"``.
    n_resamples : int, default=9999
        How many times the rows are drawn anew.
    groups : array-like of shape (n_samples,), default=None
        Labels of clusters: rows of one group are drawn, or permuted, together. None takes
        every row for a cluster of its own.
    rng : {None, int, `numpy.random.Generator`}, default=None
        Draws the resamples. None draws others every time, an int always the same.
    pos_label : int, float, bool or str, default=None
        The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
        booleans; other labels need it.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, not negative. A weight of k counts as k copies of the row in the value,
        but is one draw: a weight of 0 is the same as no row.
    recall_range : (float, float), default=(0.0, 1.0)
        Recalls a < b within [0, 1] to integrate over. The area is not divided by b - a:
        parts of a range sum to the whole.
    prevalence : float, default=None
        Fraction of positives, inside (0, 1), that the data are to stand for: true and
        false positive rates are kept and the negatives are reweighted. It undoes
        down-sampling. None keeps the fraction of the data.

    Returns
    -------
    AucPRChanceResult
        With the attributes

        - statistic: the value itself;
        - pvalue: one-sided, as in :func:`scipy.stats.permutation_test`. Where there are no
          more than `n_resamples` arrangements each is taken once, and it is their part;
        - null_distribution: the values of the arrangements.

    Raises
    ------
    ValueError
        If a class is missing, a score has NaN or infinite values or the wrong shape,
        `y_true` is empty, has missing or continuous values or labels for which
        `pos_label` is needed or absent, `sample_weight` is negative, not finite, all 0 or
        of another length, `groups` is of another length, has missing labels or leaves
        nothing to exchange, or an option is unknown or out of range.
    TypeError
        If a score or `sample_weight` are not real numbers, `y_true` is not labels, or an
        option is of the wrong kind.

    See Also
    --------
    auc_pr_interval : How far the area may be from its value in the population.
    sklearn.model_selection.permutation_test_score : Fits a model to permuted labels anew.

    References
    ----------
    .. [1] Phipson and Smyth (2010), SAGMB 9 (1), 39. :doi:`10.2202/1544-6115.1585`

    Examples
    --------
    >>> from sklearn_achievable_pr import auc_pr_chance_test
    >>> y_true, y_score = [1, 1, 0, 1, 0, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1]
    >>> result = auc_pr_chance_test(y_true, y_score)
    >>> len(result.null_distribution), round(result.pvalue, 4)
    (56, 0.0357)
    """
    measure = check_metric(metric, METRICS, recall_range, prevalence, sample_weight)
    _check_chance(0.95, "greater", n_resamples)
    sample = _check_sample(y_true, y_score, pos_label, sample_weight, groups)
    null = null_values(arrangement_of(measure, sample), n_resamples, _check_rng(rng))
    value = measure.value(measure.roc_of(sample.data))
    return AucPRChanceResult(float(value), null.pvalue("greater"), read_only(null.values))


# Checks


def _check_sample(
    y_true,
    y_score,
    pos_label,
    sample_weight,
    groups=None,
    fixed_class_counts=False,
    score_name="y_score",
):
    data = check_binary(y_true, y_score, pos_label, sample_weight, score_name)
    for name, n_rows in (
        ("positive", np.count_nonzero(data.positive)),
        ("negative", np.count_nonzero(~data.positive)),
    ):
        if n_rows == 0:
            raise ValueError(
                f"`y_true` has no {name} samples (of a weight above 0): both classes are "
                "needed to say how sure a value is."
            )
    fixed_class_counts = check_flag(fixed_class_counts, "fixed_class_counts")
    if groups is None:
        return Sample(data, None, fixed_class_counts)
    if fixed_class_counts:
        raise ValueError(
            "`fixed_class_counts` does not go with `groups`: groups are drawn whole, with "
            "as many rows of each class as they have. Leave out one of them."
        )
    unit = _numbered(groups, as_column(y_true, "y_true"))
    present = _present(sample_weight)
    if present is not None and not present.all():
        unit = np.unique(unit[present], return_inverse=True)[1].reshape(-1)
    return Sample(data, unit, False)


def _numbered(groups, target):
    """Groups of any kind by number."""
    groups = as_column(groups, "groups")
    check_same_length("y_true", target, "groups", groups)
    if groups.dtype.kind in "biuU":
        return np.unique(groups, return_inverse=True)[1].reshape(-1)
    labels = groups.tolist()
    try:
        number = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    except TypeError as error:
        raise TypeError(f"`groups` must hold labels. Got {error}.") from error
    if any(map(is_missing, number)):
        raise ValueError(
            "`groups` has missing labels (None or NaN). Give each of these rows a group "
            "of its own, or drop them."
        )
    return np.array([number[label] for label in labels], dtype=np.int64)


def _present(sample_weight):
    """Which rows have a weight above 0; None if all have one."""
    if sample_weight is None:
        return None
    weight = as_column(sample_weight, "sample_weight")
    return check_weight(weight, len(weight)) > 0


def _check_chance(confidence_level, alternative, n_resamples):
    confidence_level = check_number(confidence_level, "confidence_level")
    if not 0 < confidence_level < 1:
        raise ValueError(
            f"`confidence_level` must be inside (0, 1), e.g. 0.95. Got {confidence_level}."
        )
    check_option(alternative, "alternative", _ALTERNATIVES)
    if not isinstance(n_resamples, numbers.Integral) or isinstance(n_resamples, bool):
        raise TypeError(f"`n_resamples` must be a whole number. Got {n_resamples!r}.")
    if n_resamples < 1:
        raise ValueError(f"`n_resamples` must be 1 or more. Got {n_resamples}.")


def _check_smooth(metric, name, value, others):
    if metric not in SMOOTH:
        choices = " or ".join(repr(other) for other in others)
        raise ValueError(
            f"`{name}`={value!r} is for the metrics {' and '.join(map(repr, SMOOTH))}. "
            f"Pass {name}={choices} for {metric!r}."
        )


def _check_boyd(method, measure, sample):
    plain = sample.unit is None and sample.data.weight is None
    if (
        measure != MetricWithOptions("auc_pr_interpolated")
        or not plain
        or sample.fixed_class_counts
    ):
        raise ValueError(
            f"`method`={method!r} knows nothing but the area and the number of positives: "
            "it takes no other metric, no `recall_range`, `prevalence`, `groups`, "
            '`sample_weight` and `fixed_class_counts`. method="beta" does.'
        )


def _check_rng(rng):
    """A generator from what SciPy takes for one."""
    if isinstance(rng, np.random.RandomState):
        raise TypeError(
            "`rng` must be an int, a numpy.random.Generator or None. Got a RandomState; "
            "pass numpy.random.default_rng(seed)."
        )
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"`rng` must be an int, a numpy.random.Generator or None. Got {rng!r}."
        ) from error


def _warn_few(sample):
    min_effective_class_size = min(sample.n_with(True), sample.n_with(False))
    if 2 <= min_effective_class_size < _FEW:
        what = "rows" if sample.unit is None else "groups with rows"
        warn_caller(
            f"Only {min_effective_class_size} {what} of a class: the standard error of a "
            f"difference is a guess below {_FEW}. "
            'method="permutation" keeps its level there.',
        )
