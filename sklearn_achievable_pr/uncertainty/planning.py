"""Plans of studies: how many samples AUC-PR needs."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._inference.design import exactly_one
from .._input import options
from ..results import (
    AucPRComparisonResult,
    AucPRIntervalResult,
    IntervalResult,
    SampleSizeResult,
)
from . import _planning


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
    pilot: AucPRIntervalResult | AucPRComparisonResult | None = None,
) -> SampleSizeResult:
    r"""Number of samples for an interval of a given width or a test of a given power.

    Typical call::

        plan = required_sample_size(width=0.1, auc_pr=0.6, prevalence=0.05)
        print(plan.n_samples, plan.n_positive)

    How many samples does a study need? The result is the smallest number of samples at
    which the beta interval [2]_ of `auc_pr_interval` has at most the `width`, or at which
    the t test of `compare_models` detects a true `difference` with the `power`. It is
    computed from the variance of the influence function [1]_ in an assumed population or in
    a `pilot`.

    The assumed population is binormal: scores are normal, with mean 0 and standard
    deviation 1 for negatives, and with standard deviation `spread` for positives. The mean
    for positives is chosen so that AUC-PR is `auc_pr`; a no-skill score has `auc_pr` equal
    to `prevalence`. For scores that were not binormal, the mean width was 0.59 to 1.28 of
    the target in simulations.

    With a pilot, weights and the prevalence are assumed to be as in the pilot. A pilot with
    20 positives gives an imprecise plan; the User Guide shows a simulation.

    Read more in the :ref:`User Guide <plan_study>`.

    Parameters
    ----------
    width : float, default=None
        Width of the confidence interval, upper limit minus lower limit, inside (0, 1).
        About half of the studies have a narrower interval. Exactly one of `width` and
        `difference` is needed.
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
    pilot : result of `auc_pr_interval`, or pair of `compare_models`, default=None
        Result for a pilot sample, used instead of `auc_pr` and `prevalence`. A `difference`
        needs a pair of models, such as ``compare_models(...).pairs["A", "B"]``. With
        `width`, a pair plans the interval of the difference.

    Returns
    -------
    SampleSizeResult
        With the attributes

        - n_samples, n_positive: numbers of samples and, among them, of positives;
        - n_clusters: number of clusters if the pilot had clusters, else None. `n_samples`
          assumes the same mean size of clusters as in the pilot;
        - width, or difference and power: what was planned; the others are None;
        - confidence_level: as passed;
        - auc_pr, assumed_prevalence, spread, correlation: the assumed population. All are
          None with a `pilot`, and `correlation` is None with a `width`.

        ``print(result)`` shows the numbers and the assumptions.

    Raises
    ------
    ValueError
        If the pilot or the plan has fewer than ten positives or negatives; or if the pilot
        has a standard error of 0 or NaN, an achievable metric, several labels or an
        operating point, or comes from a cross-validation.
    TypeError
        If a number is not real, or `pilot` is not a result of `auc_pr_interval` or a pair
        of `compare_models` (with `difference`, a pair).

    See Also
    --------
    auc_pr_interval : Interval whose width is planned.
    compare_models : Test whose power is planned.

    Notes
    -----
    The squared standard error of AUC-PR, or of the difference between two scores of the
    same samples, is V / n for n samples, where V is the variance of the influence function.
    A test is planned for the smallest n with

    .. math::

        n \ge \frac{V (t + z)^2}{\mathit{difference}^2}

    where t is the quantile of the t distribution for the two-sided `confidence_level`, and
    z is the quantile of the normal distribution for the `power`. The degrees of freedom of
    t are the size of the smaller class minus 1; with a pilot, those of the pilot in
    proportion to n. With a pilot of m samples, or m clusters,
    :math:`V = m\,\mathrm{SE}^2`.

    References
    ----------
    .. [1] Hampel (1974), JASA 69, 383-393. :doi:`10.1080/01621459.1974.10482962`
    .. [2] Korn and Graubard (1998), Survey Methodology 24, 193-201.

    Examples
    --------
    >>> from sklearn_achievable_pr import required_sample_size
    >>> print(required_sample_size(width=0.1, auc_pr=0.6, prevalence=0.1))
    4085 samples, 408 of them positive, are needed
    for a 95 % confidence interval of width 0.1 (about +- 0.05).
    Assumed: binormal scores with AUC-PR 0.6, prevalence 0.1, spread 1.
    >>> plan = required_sample_size(difference=0.05, auc_pr=0.6, prevalence=0.1)
    >>> plan.n_samples, plan.n_positive
    (7804, 780)
    """
    name, target = exactly_one(width=width, difference=difference)
    if not (auc_pr is None) == (prevalence is None) == (pilot is not None):
        both = f"`auc_pr`={auc_pr}, `prevalence`={prevalence}"
        raise ValueError(
            "Pass either both `auc_pr` and `prevalence`, or `pilot`. Got "
            f"{both} and {'no' if pilot is None else 'a'} `pilot`."
        )
    target = options.check_inside(target, name, 0, 1)
    confidence_level = options.check_inside(confidence_level, "confidence_level", 0, 1)
    tail = (1 - confidence_level) / 2
    spread = options.check_inside(spread, "spread", 0, np.inf)
    correlation = options.check_inside(correlation, "correlation", -1, 1)
    planned: dict[str, Any] = {name: target, "confidence_level": confidence_level}
    # The power must be above `tail`, which is the power at a difference of 0.
    power = options.check_inside(power, "power", round(tail, 6), 1)
    if difference is not None:
        planned["power"] = power
    if pilot is None:
        auc_pr = options.check_inside(auc_pr, "auc_pr", 0, 1)
        prevalence = options.check_inside(prevalence, "prevalence", 0, 1)
        planned |= {"auc_pr": auc_pr, "assumed_prevalence": prevalence, "spread": spread}
        if difference is not None:
            planned["correlation"] = correlation
        assumed = auc_pr, prevalence, spread
        paired = () if difference is None else (target, correlation)
        population = _planning.binormal_population(*assumed, *paired)
    else:
        usable = IntervalResult if difference is None else AucPRComparisonResult
        if not isinstance(pilot, usable):
            raise TypeError(
                "`pilot` must be a pair of `compare_models`, such as "
                '`result.pairs["A", "B"]`, or with `width` also a result of '
                f"`auc_pr_interval`. Got {type(pilot).__name__}."
            )
        population = _planning.pilot_population(pilot)
    sizes = _planning.sample_size(population, name, target, tail, planned.get("power"))
    return SampleSizeResult(**sizes, **planned)
