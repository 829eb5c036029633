"""Plans of studies: how many samples AUC-PR needs, and which samples to label."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from .._input import options
from .._input.arrays import as_column, check_same_length, finite_numbers
from .._input.options import RandomState
from ..metrics._table import check_metric
from ..results import (
    AucPRComparisonResult,
    AucPRIntervalResult,
    IntervalResult,
    LabelPlan,
    SampleSizeResult,
)
from . import _checks, _planning
from ._label_plan import label_plan

# Simulations: with fewer expected positives the estimate is biased upward; with a higher
# prevalence the plan saves less than half of the labels.
_FEWEST_POSITIVES, _FEW_POSITIVES, _HIGH_PREVALENCE = 3, 10, 0.2


def required_sample_size(
    *,
    width: float | None = None,
    difference: float | None = None,
    power: float = 0.8,
    confidence_level: float = 0.95,
    auc_pr: float | None = None,
    prevalence: float | None = None,
    spread: float = 1.0,
    correlation: float = 0.5,
    assurance: float | None = None,
    pilot: AucPRIntervalResult | AucPRComparisonResult | None = None,
) -> SampleSizeResult:
    """Number of samples needed for an interval of a given width or a test of a given power.

    The squared standard error of AUC-PR, or of the difference between two scores of the
    same samples, is V / n for n samples, where V is the variance of the influence function
    [1]_. The result is the smallest n at which the beta interval [2]_ of `auc_pr_interval`
    has at most the `width`, or at which n >= V (t + z)**2 / difference**2, where t and z
    are quantiles: t of the t distribution for the two-sided `confidence_level`, z of the
    normal distribution for the `power`. The degrees of freedom of t are the size of the
    smaller class minus 1; with a pilot, those of the pilot in proportion to n.

    V is computed from an assumed population or from a `pilot`. The assumed population is
    binormal: scores are normal, with mean 0 and standard deviation 1 for negatives, and
    mean d and standard deviation `spread` for positives. The mean d is chosen so that
    AUC-PR is `auc_pr`; a no-skill score has `auc_pr` equal to `prevalence`. For scores that
    were not binormal, the mean width was 0.59 to 1.28 of the target in simulations.

    With a pilot of m samples, or m clusters, V = m * SE**2. Weights and the
    prevalence are assumed to be as in the pilot. A pilot with 20 positives gives an
    imprecise plan; the User Guide shows a simulation.

    Read more in the :ref:`User Guide <plan_study>`.

    Parameters
    ----------
    width : float, default=None
        Width of the confidence interval, upper limit minus lower limit, inside (0, 1).
        Exactly one of `width` and `difference` is needed.
    difference : float, default=None
        Difference of AUC-PR between two scores of the same samples, inside (0, 1), that a
        two-sided test at significance level 1 - `confidence_level` should detect. Exactly
        one of `width` and `difference` is needed.
    power : float, default=0.8
        Probability that the test detects the `difference`, above (1 - `confidence_level`)
        / 2 and below 1. Not used with `width`.
    confidence_level : float, default=0.95
        Confidence level of the interval, inside (0, 1). The test has the significance level
        1 - `confidence_level`.
    auc_pr : float, default=None
        Assumed AUC-PR, between the minimum AUC-PR and 1. With `difference`, the AUC-PR of
        the reference model; the other model has `auc_pr` + `difference`, below 1.
    prevalence : float, default=None
        Assumed fraction of positives, inside (0, 1). Needed with `auc_pr`.
    spread : float, default=1.0
        Standard deviation of the scores of positives, relative to the standard deviation of
        the scores of negatives, above 0. Not used with `pilot`.
    correlation : float, default=0.5
        Correlation of the two scores within each class, inside (-1, 1). Not used with
        `width` or `pilot`.
    assurance : float, default=None
        Share of studies, inside (0, 1), in which the interval should have at most this
        `width`. Requires `width`. The result is approximate: for `assurance` 0.8, the
        share was 0.68 to 1.00 in simulations. None is the same as 0.5: about half of the
        studies have a narrower interval.
    pilot : result of `auc_pr_interval` or `compare_auc_pr`, default=None
        Result for a pilot sample, used instead of `auc_pr` and `prevalence`. A `difference`
        needs a result of `compare_auc_pr`. With `width`, a result of `compare_auc_pr` plans
        the interval of the difference. A pilot with the labels of `plan_labels` is not
        valid: its variance is not that of random labels.

    Returns
    -------
    SampleSizeResult
        With the attributes

        - n_samples, n_positive: numbers of samples and, among them, of positives;
        - n_clusters: number of clusters if the pilot had clusters, else None. `n_samples`
          assumes the same mean size of clusters as in the pilot;
        - width, power: as passed; `width` is None if a `difference` was planned, `power` is
          None if a `width` was planned.

        ``print(result)`` shows the numbers and the assumptions.

    Raises
    ------
    ValueError
        If the pilot or the plan has fewer than ten positives or negatives; or if the pilot
        has a standard error of 0 or NaN, a metric that can be negative, or comes from
        permutations or from a cross-validation.
    TypeError
        If a number is not real, or `pilot` is not a result of `auc_pr_interval` or
        `compare_auc_pr` (with `difference`, of `compare_auc_pr`).

    See Also
    --------
    auc_pr_interval : Interval whose width is planned.
    compare_auc_pr : Test whose power is planned.
    plan_labels : Which samples to label, if scores are free and labels are expensive.

    References
    ----------
    .. [1] Hampel (1974), JASA 69, 383-393. :doi:`10.1080/01621459.1974.10482962`
    .. [2] Korn and Graubard (1998), Survey Methodology 24, 193-201.

    Examples
    --------
    >>> from sklearn_achievable_pr import required_sample_size
    >>> print(required_sample_size(width=0.1, auc_pr=0.6, prevalence=0.1))
    4085 samples, 408 of them positive, are needed for an interval of width 0.1.
    Assumed: confidence level 0.95; binormal scores with AUC-PR 0.6, prevalence 0.1,
    spread 1.
    >>> plan = required_sample_size(difference=0.05, auc_pr=0.6, prevalence=0.1)
    >>> plan.n_samples, plan.n_positive
    (7804, 780)
    """
    name, target = _checks.exactly_one(width=width, difference=difference)
    if not (auc_pr is None) == (prevalence is None) == (pilot is not None):
        both = f"`auc_pr`={auc_pr}, `prevalence`={prevalence}"
        raise ValueError(
            "Pass either both `auc_pr` and `prevalence`, or `pilot`. Got "
            f"{both} and {'no' if pilot is None else 'a'} `pilot`."
        )
    if assurance is not None and width is None:
        raise ValueError("`assurance` needs `width`. For a `difference` pass `power`.")
    target = options.check_inside(target, name, 0, 1)
    confidence_level = options.check_inside(confidence_level, "confidence_level", 0, 1)
    tail, option = (1 - confidence_level) / 2, None
    spread = options.check_inside(spread, "spread", 0, np.inf)
    correlation = options.check_inside(correlation, "correlation", -1, 1)

    assumptions = [f"confidence level {confidence_level:g}"]
    if assurance is not None:
        option = options.check_inside(assurance, "assurance", 0, 1)
        assumptions += [f"{100 * option:g} % of such studies have at most this width"]
    if difference is not None:  # at a difference of 0 the power is `tail`
        option = options.check_inside(power, "power", round(tail, 6), 1)
        assumptions += [f"difference {target:g}"]
    if pilot is None:
        auc_pr = options.check_inside(auc_pr, "auc_pr", 0, 1)
        prevalence = options.check_inside(prevalence, "prevalence", 0, 1)
        assumed = [auc_pr, prevalence, spread]
        scores = f"binormal scores with AUC-PR {auc_pr:g}, prevalence {prevalence:g}"
        assumptions += [f"{scores}, spread {spread:g}"]
        if difference is not None:
            assumed += [target, correlation]
            assumptions += [f"correlation {correlation:g} of the two scores"]
        population = _planning.binormal_population(*assumed)
    else:
        usable = IntervalResult if difference is None else AucPRComparisonResult
        if not isinstance(pilot, usable):
            raise TypeError(
                "`pilot` must be a result of `compare_auc_pr`, or with `width` also of "
                f"`auc_pr_interval`. Got {type(pilot).__name__}."
            )
        population = _planning.pilot_population(pilot)
        sizes = f"{pilot.n_positive} positives of {pilot.n_samples} samples"
        assumptions += [f"the variance of a pilot with {sizes}"]
    planned = _planning.sample_size(population, name, target, option, tail)
    return SampleSizeResult(**planned, assumptions=tuple(assumptions))


def plan_labels(
    y_score: ArrayLike,
    n_labels: int,
    *,
    prevalence: float,
    y_score_b: ArrayLike | None = None,
    metric: str = "auc_pr_interpolated",
    random_state: RandomState | None = None,
) -> LabelPlan:
    """Which scored samples to label, so that AUC-PR is known with a small error.

    Use it where scores are free and labels are expensive, as in search, fraud detection and
    screening. Label the samples of the plan, and pass their labels, scores and weights to
    `auc_pr_interval`, or to `compare_auc_pr` for two scores::

        plan = plan_labels(y_score, 500, prevalence=0.02)
        y_true = ...  # labels of the samples plan.indices
        auc_pr_interval(y_true, y_score[plan.indices], sample_weight=plan.sample_weight)

    In simulations a plan was as precise as 4.6 to 5.5 times as many random labels at
    prevalence 0.02, as 2.8 times as many at prevalence 0.2, as 1.4 times as many for a
    nearly perfect ranking, and for the comparison of two scores as 2.2 to 8.8 times as
    many. Coverage was at least nominal, up to the Monte Carlo error.

    The samples of a plan are not a random sample of all samples. Their weights are valid
    for AUC-PR and for the comparison of two AUC-PR only. The plan is not valid for
    precision at a recall, `auc_pr_chance_test`, guarantees (``confidence=``), monitoring,
    or as a pilot of `required_sample_size` for random labels.

    Read more in the :ref:`User Guide <plan_labels>`.

    Parameters
    ----------
    y_score : array-like of shape (n_samples,)
        Real, finite scores, higher for the positive class, of all samples that could be
        labeled. Tied scores are ordered at random.
    n_labels : int
        Number of samples to label, from 40 to n_samples.
    prevalence : float
        Assumed fraction of positives, inside (0, 1). A value within a factor of three of
        the true one is enough: a wrong value widens the interval, which stays valid.
    y_score_b : array-like of shape (n_samples,), default=None
        Scores of a second model for the same samples, to plan the comparison of both.
    metric : str, default="auc_pr_interpolated"
        Name of a metric with an influence function (see `auc_pr_influence`).
    random_state : int, RandomState instance, Generator or None, default=None
        Seed or source of random numbers for the choice of the samples. Pass an int for
        reproducible results.

    Returns
    -------
    LabelPlan
        With the attributes

        - indices: the `n_labels` samples to label, in increasing order;
        - sample_weight, stratum: weight and stratum of each of these samples. The sum of
          the weights is n_samples;
        - n_samples: number of scores; n_scores: 1, or 2 with `y_score_b`;
        - metric: as passed;
        - expected_positives: `n_labels` times `prevalence`.

        ``print(result)`` shows what to do next.

    Raises
    ------
    ValueError
        If `n_labels` times `prevalence` is below 3.

    Warns
    -----
    UserWarning
        If `n_labels` times `prevalence` is below ten: the estimate is then biased upward.
        If `prevalence` is above 0.2: a plan then saves few labels.

    See Also
    --------
    auc_pr_interval : Confidence interval from the labels of a plan.
    compare_auc_pr : Comparison of two scores from the labels of a plan.
    required_sample_size : Number of random labels for an interval or a test.

    Notes
    -----
    The best probability to label a sample is proportional to the standard deviation of its
    influence [1]_. Labels are unknown, so the influence is computed for soft labels: with
    the share q of samples with at least its score, a sample is positive with probability
    min(0.9, 0.35 * prevalence * q**-0.65), also with logits that are halved, doubled, and
    shifted by 1 and -1. The means of these standard deviations count 0.6, those of a
    constant probability 0.4. Then 0.3 of the probability to be labeled is the same for all
    samples. Ten strata of consecutive scores (for two scores: of consecutive probabilities)
    with equal sums of these probabilities have equally many labels, drawn at random without
    replacement; a stratum with fewer samples is labeled whole. A weight is the size of the
    stratum divided by the number of its labels [2]_.

    References
    ----------
    .. [1] Neyman (1934), JRSS 97 (4), 558-625. :doi:`10.2307/2342192`
    .. [2] Horvitz and Thompson (1952), JASA 47. :doi:`10.1080/01621459.1952.10483446`

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_achievable_pr import auc_pr_interval, plan_labels
    >>> rng = np.random.default_rng(0)
    >>> labels = rng.random(20_000) < 0.05  # unknown until they are asked for
    >>> y_score = rng.normal(size=20_000) + 2 * labels
    >>> plan = plan_labels(y_score, 500, prevalence=0.05, random_state=0)
    >>> print(plan)
    Label these 500 of 20000 samples: plan.indices
    With their labels y_true, in this order:
    auc_pr_interval(y_true, y_score[plan.indices], sample_weight=plan.sample_weight)
    >>> y_true, chosen = labels[plan.indices], y_score[plan.indices]
    >>> print(auc_pr_interval(y_true, chosen, sample_weight=plan.sample_weight))
    Interpolated AUC-PR: 0.4130 (standard error 0.049)
    95 % confidence interval: 0.3125 to 0.5192
    samples: 500, 74 positive
    method: beta
    """
    metric = check_metric(metric, ("auc_pr_interpolated", "aucnpr", "average_precision"))
    scores = {"y_score": y_score} | ({} if y_score_b is None else {"y_score_b": y_score_b})
    columns = [finite_numbers(as_column(x, name), name) for name, x in scores.items()]
    check_same_length("y_score", columns[0], "y_score_b", columns[-1])
    n_labels, n_samples = options.check_integer(n_labels, "n_labels"), len(columns[0])
    if not 40 <= n_labels <= n_samples:
        raise ValueError(
            f"`n_labels` must lie from 40 to the number of samples, {n_samples}. Got "
            f"{n_labels}. Ask for 40 at least; label all of fewer than 40 samples."
        )
    prevalence = options.check_inside(prevalence, "prevalence", 0, 1)
    expected = n_labels * prevalence
    few = (
        f"`n_labels` times `prevalence` is {expected:.3g}. It must be at least "
        f"{_FEWEST_POSITIVES}, and below {_FEW_POSITIVES} the estimate is biased upward. "
        f"Label at least {math.ceil(_FEW_POSITIVES / prevalence)} samples."
    )
    if expected < _FEWEST_POSITIVES:
        raise ValueError(few)
    if expected < _FEW_POSITIVES:
        options.warn_caller(few)
    if prevalence > _HIGH_PREVALENCE:
        options.warn_caller(
            f"At `prevalence`={prevalence:g}, above {_HIGH_PREVALENCE}, a plan saves "
            "little. Random labels are valid for all functions of this package."
        )

    rng = options.check_random_state(random_state)
    return LabelPlan(**label_plan(metric, columns, n_labels, prevalence, rng))
