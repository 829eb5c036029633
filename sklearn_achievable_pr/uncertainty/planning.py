"""Plans of studies: how many samples AUC-PR needs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from scipy.special import ndtr, ndtri

from .._inference.design import exactly_one
from .._inference.limits import beta_limits, find_root, t_quantile
from .._input import options
from .._roc.counting import from_counts
from ..metrics._table import METRICS, MetricWithOptions
from ..results import (
    AucPRComparisonResult,
    AucPRIntervalResult,
    IntervalResult,
    SampleSizeResult,
)

# A reliable pilot or plan has at least `_FEWEST` positives and negatives, and limits are
# accurate up to `_MOST` samples.
_FEWEST, _MOST = 10, 1e15


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
    to `prevalence`. For other scores, the width can be far from the planned one.

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
        population = _binormal_population(*assumed, *paired)
    else:
        usable = IntervalResult if difference is None else AucPRComparisonResult
        if not isinstance(pilot, usable):
            raise TypeError(
                "`pilot` must be a pair of `compare_models`, such as "
                '`result.pairs["A", "B"]`, or with `width` also a result of '
                f"`auc_pr_interval`. Got {type(pilot).__name__}."
            )
        population = _pilot_population(pilot)
    sizes = _sample_size(population, name, target, tail, planned.get("power"))
    return SampleSizeResult(**sizes, **planned)


class _Population(NamedTuple):
    """Properties of a population that determine the sample size.

    Attributes
    ----------
    value : float or None
        The metric. None for a difference of two scores.
    highest : float
        Value of a perfect ranking.
    variance : float
        n SE^2 for n units; a unit is a sample or, in clustered data, a cluster.
    class_size : float
        Effective number of units of the smaller class per unit.
    prevalence : float
        Fraction of positives.
    cluster_size : float or None
        Mean number of samples per cluster. None if samples are independent.
    """

    value: float | None
    highest: float
    variance: float
    class_size: float
    prevalence: float
    cluster_size: float | None = None

    def width(self, n_units, tail):
        """Width of the interval of n units."""
        df, error = n_units * self.class_size - 1, np.sqrt(self.variance / n_units)
        if self.value is None:
            return 2 * t_quantile(df, tail) * error
        v = self.value / self.highest
        low, high = beta_limits(v, error / self.highest, df, n_units, tail)
        return self.highest * (high - low)

    def difference(self, n_units, tail, power):
        """Difference that the test of n units detects with probability `power`."""
        t = t_quantile(n_units * self.class_size - 1, tail)
        return (t + ndtri(power)) * np.sqrt(self.variance / n_units)


def _sample_size(population, name, target, tail, power):
    """Numbers of samples for a `width`, or a `difference`, of at most `target`, as a dict.

    `name` is the name of the target, and `power` that of the test of a difference.
    """

    def excess(n_units):
        if name == "width":
            return population.width(n_units, tail) - target
        return population.difference(n_units, tail, power) - target

    per_unit, prevalence = population.cluster_size or 1.0, population.prevalence
    n_fewer = per_unit * min(prevalence, 1 - prevalence)
    n_units = fewest = max(_FEWEST / n_fewer, 2 / population.class_size)
    while excess(n_units) > 0:
        n_units *= 2
        if n_units > _MOST:
            raise ValueError(
                f"`{name}`={target:g} would need more than 10**15 samples. Pass a larger "
                "number."
            )
    if n_units == fewest:
        raise ValueError(
            f"`{name}`={target:g} would need fewer than {_FEWEST} positives or negatives, "
            "and such plans are unreliable. Collect "
            f"{np.ceil(fewest * per_unit):.0f} samples, or pass `{name}` below "
            f"{target + excess(fewest):.3g}."
        )
    n_units = int(np.ceil(find_root(excess, n_units / 2, n_units)))
    n_samples = round(n_units * per_unit)
    return {
        "n_samples": n_samples,
        "n_positive": round(n_samples * prevalence),
        "n_clusters": n_units if population.cluster_size else None,
    }


def _pilot_population(pilot):
    """The `_Population` estimated by a result of `auc_pr_interval` or a pair of models."""
    if fault := _fault_of(pilot):
        raise ValueError(f"`pilot` must {fault}, or pass `auc_pr` and `prevalence`.")
    error, n_samples, n_pos = pilot.standard_error, pilot.n_samples, pilot.n_positive
    n_fewer = min(n_pos, n_samples - n_pos)
    metric = MetricWithOptions(pilot.metric, *pilot.recall_range)
    value = getattr(pilot, "estimate", None)
    n_units = pilot.n_clusters or n_samples
    # The degrees of freedom include the effect of clusters and of unequal weights.
    df = pilot.df or min(n_fewer, n_units) - 1
    per_unit = n_units * error**2, (df + 1) / n_units
    cluster_size = None if pilot.n_clusters is None else n_samples / n_units
    prevalence = n_pos / n_samples
    return _Population(value, metric.highest, *per_unit, prevalence, cluster_size)


def _fault_of(pilot):
    """Why a pilot cannot plan: what is needed, what came and a way out; None if it can."""
    if pilot.average is not None:
        got = f"Got the {pilot.average} average of {pilot.n_labels} labels"
        return f"be of one binary label. {got}: take the result of the rarest label"
    if pilot.metric not in METRICS:
        return f"be of an area. Got {pilot.metric!r}: take a metric of `auc_pr_interval`"
    metric = MetricWithOptions(pilot.metric, *pilot.recall_range)
    # The interval of an achievable area does not follow from its standard error alone.
    if metric.entry.empirical is not None:
        got = f"Got {pilot.metric!r}: take {metric.entry.empirical!r}"
        return f"be of the empirical curve. {got}"
    value = getattr(pilot, "estimate", None)
    n_fewer = min(pilot.n_positive, pilot.n_samples - pilot.n_positive)
    if pilot.method == "cross-validation":
        function = "compare_models" if value is None else "auc_pr_interval"
        got = f"Got `method`={pilot.method!r}: take a result of `{function}`"
        return f"come from one fixed score, not from several models. {got}"
    if n_fewer < _FEWEST:
        which = "positives" if pilot.n_positive == n_fewer else "negatives"
        return (
            f"have at least {_FEWEST} {which}. Got {n_fewer} {which} in {pilot.n_samples} "
            "samples: take a larger one"
        )
    # The highest value is excluded with `<`, because it may be rounded if weights are very
    # unequal. The inverse square of a value below 1e-100 could exceed float64.
    if value is not None and not 1e-100 < value < metric.highest:
        ranking = "perfect" if value >= metric.highest else "worst"
        return (
            f"not be a {ranking} ranking. Got the estimate {value:g}: take a larger pilot"
        )
    if not pilot.standard_error > 0:
        got = f"Got {pilot.standard_error:g}: take a larger pilot"
        return f"have a positive standard error. {got}"
    return None


def _binormal_population(auc_pr, prevalence, spread, difference=None, correlation=0.0):
    """The `_Population` of one binormal score, or of the difference of two scores."""
    z, mass, influence = _binormal(auc_pr, prevalence, spread)
    value, variance = auc_pr, np.sum(mass * influence**2)
    if difference is not None:
        # The two scores are bivariate normal within each class. Gauss-Hermite quadrature
        # integrates over the second score given the first.
        other_z, _, other_influence = _binormal(auc_pr + difference, prevalence, spread)
        nodes, weights = hermegauss(40)
        value, variance = None, 0.0
        for i in (0, 1):
            given = correlation * z[i, :, None] + np.sqrt(1 - correlation**2) * nodes
            given = np.interp(given, other_z[i, ::-1], other_influence[i, ::-1])
            squares = (influence[i, :, None] - given) ** 2
            variance += mass[i] @ squares @ weights / weights.sum()
    fewer = min(prevalence, 1 - prevalence)
    return _Population(value, 1.0, variance, fewer, prevalence)


def _binormal(area, prevalence, spread):
    """Standardized scores, masses and influences of cells of each class at this AUC-PR.

    Scores are N(0, 1) for negatives and N(distance, spread^2) for positives; AUC-PR
    determines the distance. The score axis is divided into cells, whose probability masses
    sum to 1 over both classes.
    """
    # Each class has 1,000 thresholds at its quantiles, so that the cells are small for any
    # `spread`.
    grid, far = np.linspace(-9, 9, 1000), 100 * (1 + spread)
    shares = np.array([[1 - prevalence], [prevalence]])
    metric = MetricWithOptions("auc_pr_interpolated")

    def cells(distance):
        c = np.unique(np.concatenate(([-far, far], grid, distance + spread * grid)))[::-1]
        z = np.array([c, (c - distance) / spread])
        counts = shares * ndtr(-z)
        return z, counts, *metric.value_and_influence(from_counts(*counts))

    def excess(distance):
        return cells(distance)[2] - area

    if not excess(-far / 10) < 0 < excess(far / 10):
        raise ValueError(
            "`auc_pr`, and `auc_pr` + `difference`, must be below 1 and above the minimum "
            f"AUC-PR, {area + excess(-far / 10):.3g} at this `prevalence`. Got {area:g}."
        )
    z, counts, _, influence = cells(find_root(excess, -far / 10, far / 10))
    middle = (z[:, 1:] + z[:, :-1]) / 2
    return middle, np.diff(counts), influence[::-1]
