"""Number of samples for an interval of a given width or a test of a given power."""

from typing import NamedTuple

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from .._inference.limits import beta_limits, t_quantile
from .._roc.counting import from_counts
from ..metrics._table import METRICS, MetricWithOptions

# A reliable pilot or plan has at least `_FEWEST` positives and negatives, and limits are
# accurate up to `_MOST` samples.
_FEWEST, _MOST = 10, 1e15


class Population(NamedTuple):
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


def sample_size(population, name, target, tail, power):
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
    n_units = int(np.ceil(brentq(excess, n_units / 2, n_units)))
    n_samples = round(n_units * per_unit)
    return {
        "n_samples": n_samples,
        "n_positive": round(n_samples * prevalence),
        "n_clusters": n_units if population.cluster_size else None,
    }


def pilot_population(pilot):
    """The `Population` estimated by a result of `auc_pr_interval` or a pair of models."""
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
    return Population(value, metric.highest, *per_unit, prevalence, cluster_size)


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


def binormal_population(auc_pr, prevalence, spread, difference=None, correlation=0.0):
    """The `Population` of one binormal score, or of the difference of two scores."""
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
    return Population(value, 1.0, variance, fewer, prevalence)


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
    z, counts, _, influence = cells(brentq(excess, -far / 10, far / 10))
    middle = (z[:, 1:] + z[:, :-1]) / 2
    return middle, np.diff(counts), influence[::-1]
