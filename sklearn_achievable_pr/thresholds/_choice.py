"""Choice of a threshold on a tuning set, from its counts at every threshold."""

import math
from collections.abc import Callable, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from typing import Any, NamedTuple

import numpy as np

from .._input.labels import BinaryData
from .._input.options import Label, exact
from .._roc.counting import breakpoints, every_threshold
from .._roc.short_threshold import rounded_to, short_decimal
from ..metrics._rates import CONSTRAINTS, ROUNDING
from ._objectives import Objective, outcomes

# A slow objective is evaluated at no more than this many points of each kind: vertices,
# points next to those that miss a constraint, and points evenly spaced in rank.
_MOST_OF_EACH = 100


class Rule(NamedTuple):
    """What the threshold is chosen by.

    Attributes
    ----------
    objective : Objective
    constraints : dict
        Bounds by name, without minimum 0 and maximum 1, which always hold.
    randomize : bool
        Whether thresholds may be randomized.
    confidence_level : float or None
        The confidence with which the constraints are met on new data.
    prevalence : float or None
        The prevalence to which the tuning set is reweighted.
    pos_label : int, float, bool, str or None
        The positive label; None for labels {0, 1} and {-1, 1}, and for booleans.
    """

    objective: Objective
    constraints: dict[str, float]
    randomize: bool = False
    confidence_level: float | None = None
    prevalence: float | None = None
    pos_label: Label | None = None

    @property
    def of_prevalence(self):
        """Names of the constraints of rates that depend on the prevalence."""
        return [name for name in self.constraints if not CONSTRAINTS[name].is_within_class]

    @property
    def in_order(self):
        """Names of the constraints that a guarantee tests threshold after threshold.

        Their rates are not monotone: the samples that they count depend on the threshold.
        """
        return [name for name in self.constraints if not CONSTRAINTS[name].has_fixed_whole]


class TuningROC(NamedTuple):
    """Counts of the tuning set at its thresholds, from the highest down.

    Attributes
    ----------
    fps, tps : ndarray of shape (n_points,)
        At the first point no sample is predicted positive, at the last point every sample.
        At another prevalence `fps` are weighted.
    n_above : ndarray of int64, shape (n_points,)
        Number of samples predicted positive.
    scores_above : callable
        ``scores_above(n)`` is the lowest of the n highest scores, for n >= 1.
    vertices : ndarray of int64
        Indices of the points that are vertices of the hull.
    unit : float
        The user's counts are those of the curve times this number, see `unit_of`.
    """

    fps: np.ndarray
    tps: np.ndarray
    n_above: np.ndarray
    scores_above: Callable[[np.ndarray], np.ndarray]
    vertices: np.ndarray
    unit: float = 1.0

    @property
    def totals(self):
        """Totals of negatives and positives."""
        return self.fps[-1], self.tps[-1]

    def of_user(self, *counts):
        """Counts in the unit of the user's weights."""
        return counts if self.unit == 1 else tuple(count * self.unit for count in counts)

    @property
    def counts(self):
        """The counts (tps, fps, fns, tns), without the weights of a prevalence.

        With weights of the samples, they are sums of the weights.
        """
        if self.tps.dtype.kind == "f":
            return outcomes(self.fps, self.tps, self.totals)
        fps = self.n_above - self.tps
        return outcomes(fps, self.tps, (fps[-1], self.tps[-1]))

    @property
    def scores(self):
        """The lowest score predicted positive at each point but the first."""
        return self.scores_above(self.n_above[1:])

    def is_vertex(self, points):
        """Mask of the points that are vertices of the hull."""
        at = np.searchsorted(self.vertices, points)
        return self.vertices.take(at, mode="clip") == points


class Choice(NamedTuple):
    """The chosen operating point; named as the fields of an `OperatingPoint`.

    Attributes
    ----------
    at : int
        Index of the point on the tuning curve.
    threshold : float
    rates : dict
        The rates of `CONSTRAINTS` by name; NaN where a rate is 0/0.
    objective_value : float
    randomized_threshold : tuple or None
        The lower threshold and its probability.
    guarantee : dict or None
        The confidence and the constraints that are guaranteed.
    objective_value_without_guarantee : float or None
    """

    at: int
    threshold: float
    rates: dict[str, float]
    objective_value: float
    randomized_threshold: tuple[float, float] | None = None
    guarantee: dict[str, float] | None = None
    objective_value_without_guarantee: float | None = None


def tuning_roc(
    samples: BinaryData, prevalence: float | None, points_of: Callable = every_threshold
) -> TuningROC:
    """The `TuningROC` at every threshold, or at the points that `points_of` finds.

    Without one of the classes there is no choice, and nothing to reweight.
    """
    roc = points_of(samples)
    roc = roc._replace(parts=list(roc.parts))
    if roc.n_pos and roc.n_neg:
        roc = roc.at_prevalence(prevalence)
    points, hull = roc.concatenated(), roc.hull().concatenated()
    vertices = np.searchsorted(points.n_above, hull.n_above)
    counts = points.fps, points.tps, points.n_above
    return TuningROC(*counts, roc.scores_above, vertices)


def curve_for(rule: Rule, samples: BinaryData) -> TuningROC:
    """The `TuningROC` at the thresholds among which a rule finds its choice."""
    if not _breakpoints_suffice(rule, samples):
        return tuning_roc(samples, rule.prevalence)
    curve = tuning_roc(samples, rule.prevalence, breakpoints)
    cap = rule.constraints.get("max_selection_rate")
    if cap is None:
        return curve
    # The last point that the cap allows may be within a run of positives.
    n_samples = curve.n_above[-1]
    n_allowed = min(int(cap * (1 + ROUNDING) * n_samples), n_samples - 1)
    is_above = samples.score > curve.scores_above(np.array([n_allowed + 1]))
    if not np.any(is_above & ~samples.positive):
        # All allowed points have precision 1, so that the best one may be any of them.
        return tuning_roc(samples, rule.prevalence)
    return _with_point(curve, samples, is_above)


def _breakpoints_suffice(rule, samples):
    """Whether the choice of a rule is at a breakpoint, or where its cap cuts a run.

    Along a run of positives, recall, precision, NPV and every named objective do not fall,
    and the false positive rate is constant: the end of the run is best, and meets each
    constraint that a point of the run meets. Along a run of negatives the same is true of
    its start. Only the selection rate rises along both. With weights, and at another
    prevalence, the selection rate is not a count.
    """
    is_capped = "max_selection_rate" in rule.constraints
    is_weighted = samples.weight is not None or rule.prevalence is not None
    return (
        rule.confidence_level is None
        and rule.objective.kind == "named"
        and not (is_capped and is_weighted)
    )


def _with_point(curve, samples, is_above):
    """The curve with the point at which these samples are predicted positive.

    The point is on an edge of the hull, or equal to a point of the curve.
    """
    n_above = np.count_nonzero(is_above)
    tps = np.count_nonzero(is_above & samples.positive)
    at = np.searchsorted(curve.n_above, n_above)
    fps, tps, n_above = np.insert(curve[:3], at, (n_above - tps, tps, n_above), axis=1)
    vertices = curve.vertices + (curve.vertices >= at)
    return curve._replace(fps=fps, tps=tps, n_above=n_above, vertices=vertices)


def thresholds_at(curve: TuningROC, points: np.ndarray) -> np.ndarray:
    """Thresholds between the lowest score of a point and the next lower score.

    inf predicts no sample positive, -inf every sample.
    """
    thresholds = np.where(points == 0, np.inf, -np.inf)
    inner = (points > 0) & (points < len(curve.tps) - 1)
    n_above = curve.n_above[points[inner]]
    thresholds[inner] = _between(
        curve.scores_above(n_above + 1), curve.scores_above(n_above)
    )
    return thresholds


def _between(below, above):
    """Thresholds that reach `above`, but not `below`, as float64.

    They are short decimals, in the middle half between the two where possible: a threshold
    is printed in full, and noise in the last bits of a score changes nothing.
    """
    middle = above / 2 + below / 2  # the sum of both could overflow
    ends = zip(below, above, middle, strict=True)
    return np.array(
        [_short_between(float(a), float(b), float(c), middle.dtype) for a, b, c in ends]
    )


def _short_between(below, above, middle, dtype):
    """The short decimal of one threshold.

    A threshold that the dtype of the scores cannot hold is rounded up by it, so that all
    scores of this dtype compare with it as they do in float64.
    """

    def is_allowed(number):
        return below < number <= above and number <= rounded_to(dtype, number)

    # Adjacent floats have no midpoint, and halves of subnormal numbers are rounded.
    if not below < middle <= above:
        middle = above
    half = 2 * (above / 4 - below / 4)  # of the gap, which could overflow
    if half == 0:
        return middle
    return short_decimal(middle, math.floor(math.log10(half)), is_allowed)


def points_reached(scores: np.ndarray, thresholds: np.ndarray) -> np.ndarray:
    """Indices of the points at the given thresholds of a curve with these scores."""
    rising = scores[::-1]
    return len(rising) - np.searchsorted(rising, thresholds, side="left")


# The choice


class _Candidates(NamedTuple):
    """Thresholds among which a rule chooses, the randomized ones last.

    Attributes
    ----------
    stricter, laxer : ndarray of int64
        Two points of the tuning curve, of the higher and of the lower threshold. They
        differ only for randomized thresholds.
    share : ndarray of float64
        Probability that the samples between the two points are predicted positive; 0 where
        the threshold is not randomized.
    counts : tuple of ndarray
        The expected counts (tps, fps, fns, tns).
    """

    stricter: np.ndarray
    laxer: np.ndarray
    share: np.ndarray
    counts: tuple

    def take(self, which):
        """The candidates at these positions, or the one at this position."""
        return _Candidates(
            self.stricter[which],
            self.laxer[which],
            self.share[which],
            tuple(count[which] for count in self.counts),
        )


def best_choice(
    curve: TuningROC, rule: Rule, points: np.ndarray | None = None
) -> Choice | None:
    """The `Choice` of the best point that meets the constraints.

    None if no point does, or if a class is missing. If `points` of the curve are given,
    only these are candidates.
    """
    found = best_candidate(curve, rule, points)
    if found is None:
        return None
    best, value = found
    randomized = None
    if best.share:
        lower = thresholds_at(curve, np.array([best.laxer])).item()
        randomized = lower, best.share.item()
    counts = [count.item() for count in best.counts]
    return Choice(
        best.stricter.item(),
        thresholds_at(curve, np.array([best.stricter])).item(),
        {rate.name: _rate_at(rate, counts) for rate in CONSTRAINTS.values()},
        value.item(),
        randomized,
    )


def best_candidate(curve, rule, points=None):
    """The best of the `_Candidates` and its value; parameters and None as `best_choice`."""
    if not all(curve.totals):
        return None
    candidates, objective = _candidates(curve, rule, points), rule.objective
    is_met = np.ones(len(candidates.stricter), dtype=bool)
    for name, bound in rule.constraints.items():
        is_met &= CONSTRAINTS[name].is_met(bound, *candidates.counts)
    met = np.flatnonzero(is_met)
    if not len(met):
        return None
    if objective.kind == "metric":
        met = met[_some(curve, candidates.take(met))]
        counts = candidates.take(met).counts
        values = objective.values(*curve.of_user(*counts))
    elif objective.kind == "counts":  # a function of the user gets every candidate
        values = objective.values(*curve.of_user(*candidates.counts))[met]
    else:
        values = objective.values(*candidates.counts)[met]
    # Values that differ only by rounding are ties.
    size = objective.magnitude(*candidates.counts)[met] if objective.magnitude else 0
    ties = np.flatnonzero(np.isclose(values, values.max(), ROUNDING, ROUNDING * size))
    best = ties[_preferred(curve, objective, candidates.take(met[ties]))]
    return candidates.take(met[best]), values[best]


def _preferred(curve, objective, tied):
    """Position of the choice among equally good candidates.

    Randomized candidates stand last in the arrays, and the first of them is chosen only if
    there are no others. Of the others, a vertex is preferred, or else the first one. If the
    negatives alone determine the objective, only the last of the candidates with equal
    false positives is considered.
    """
    among = np.flatnonzero(tied.share == 0)
    if not len(among):
        return 0
    if objective.is_of_negatives:  # the end of a run of positives has the best recall
        fps = tied.counts[1][among]
        among = among[np.append(fps[1:] != fps[:-1], True)]
    return among[curve.is_vertex(tied.stricter[among]).argmax()]


def _rate_at(rate, counts):
    """A rate at one point; NaN where it is 0/0, although such a rate is ranked as 0."""
    part, whole = rate.parts(*counts)
    return part / whole if whole > 0 else np.nan


def _some(curve, candidates):
    """Positions of the candidates at which a slow objective is evaluated.

    These are the few randomized candidates, which come last, and at most 300 points: evenly
    spaced choices of at most 100 vertices, 100 points next to a point that misses a
    constraint, and 100 of all points.
    """
    n_points = np.count_nonzero(candidates.share == 0)
    if n_points <= 3 * _MOST_OF_EACH:
        return np.arange(len(candidates.stricter))
    points = candidates.stricter[:n_points]
    randomized = np.arange(n_points, len(candidates.stricter))
    has_gap = np.abs(np.diff(points)) > 1
    beside = np.append(True, has_gap) | np.append(has_gap, True)
    groups = curve.is_vertex(points), beside, np.ones(len(points), dtype=bool)
    chosen = [evenly_spaced(np.flatnonzero(mask), _MOST_OF_EACH) for mask in groups]
    return np.append(np.unique(np.concatenate(chosen)), randomized)


def evenly_spaced(indices: np.ndarray, most: int) -> np.ndarray:
    """At most `most` of the indices, the first and the last among them."""
    n_kept = min(len(indices), most)
    return indices[np.linspace(0, len(indices) - 1, n_kept).round().astype(int)]


def _candidates(curve, rule, points):
    """The `_Candidates` of a rule; only the given `points` if any.

    Named objectives and utilities have their maximum at a vertex of the hull. Under a
    constraint any threshold may be better, or a randomized one where the constraint cuts an
    edge of the hull. A callable or a metric may have its maximum at any threshold.
    """
    if points is None:
        points = curve.vertices
        if rule.objective.kind in ("counts", "metric") or rule.constraints:
            points = np.arange(len(curve.tps))
    stricter, laxer, share = points, points, np.zeros(len(points))
    fps, tps = curve.fps[stricter], curve.tps[stricter]
    if rule.randomize:
        cuts = [_cuts(curve, *bound) for bound in rule.constraints.items()]
        stricter, laxer, share = map(
            np.concatenate, zip((stricter, laxer, share), *cuts, strict=True)
        )
        fps, tps = (
            count[stricter] + share * (count[laxer] - count[stricter])
            for count in (curve.fps, curve.tps)
        )
    return _Candidates(stricter, laxer, share, outcomes(fps, tps, curve.totals))


def _cuts(curve, name, bound):
    """The ends of the edges of the hull that a constraint cuts, and the shares there."""
    fps, tps = curve.fps[curve.vertices], curve.tps[curve.vertices]
    part, whole = CONSTRAINTS[name].parts(*outcomes(fps, tps, curve.totals))
    # The excess is 0 at the bound. It is linear in the counts, so it is linear along an
    # edge.
    excess = part - bound * whole
    edges = np.flatnonzero(excess[:-1] * excess[1:] < 0)
    share = excess[edges] / (excess[edges] - excess[edges + 1])
    return curve.vertices[edges], curve.vertices[edges + 1], share


def constraints_not_met(curve: TuningROC, rule: Rule) -> str:
    """Error message for constraints that no point meets, with the best possible values."""
    reached, constraints = [], rule.constraints
    for name in constraints:
        others = {other: constraints[other] for other in constraints if other != name}
        constraint = CONSTRAINTS[name]
        of_rate = Objective(constraint.name, constraint.objective, "counts")
        best = best_choice(curve, rule._replace(objective=of_rate, constraints=others))
        if best is None:
            reached.append(f"no threshold has {listed_constraints(others)}")
            continue
        what = constraint.label + (f" with {listed_constraints(others)}" if others else "")
        rate = best.rates[constraint.name]
        bound = "undefined" if np.isnan(rate) else reachable(rate, constraint.sign)
        threshold = exact(best.threshold)
        reached.append(f"the best {what} is {bound}, at threshold {threshold}")
    return (
        f"{listed_constraints(constraints)} cannot be met at any threshold of the tuning "
        f"set: {'; '.join(reached)}. Relax {'one of them' if others else 'it'}."
    )


def reachable(rate: float, sign: int) -> str:
    """A rate in four digits, as a bound that it meets: rounded down if `sign` is 1."""
    digits = Context(prec=4, rounding=ROUND_FLOOR if sign > 0 else ROUND_CEILING)
    # A bound is met up to rounding, so 0.5 that is rounded to the number below stays 0.5.
    return exact(digits.create_decimal(repr(float(rate * (1 + sign * ROUNDING / 2)))))


def listed_constraints(constraints: Mapping[str, float]) -> str:
    """Names and bounds of constraints as text for a message."""
    return " and ".join(f"`{name}`={bound}" for name, bound in constraints.items())


# Kept thresholds


def kept_thresholds(curve: TuningROC, choice: Choice | None) -> tuple:
    """Thresholds of the hull and the chosen one; their fps, tps and `is_vertex`."""
    points = np.union1d(curve.vertices, [choice.at] if choice else curve.vertices)
    if not all(curve.totals):
        points = points[:0]
    is_vertex = curve.is_vertex(points)
    counts = curve.of_user(curve.fps[points], curve.tps[points])
    return thresholds_at(curve, points), *counts, is_vertex


def cv_results_of(curves, choices):
    """Thresholds and choice of each split as `cv_results_` columns; NaN where undefined."""
    kept = map(kept_thresholds, curves, choices)
    thresholds, fps, tps, is_vertex = map(list, zip(*kept, strict=True))
    columns: dict[str, Any] = {"thresholds": thresholds, "fps": fps, "tps": tps}
    columns["is_vertex"] = is_vertex
    found = [
        {
            "threshold": choice.threshold,
            "objective_value": choice.objective_value,
            **choice.rates,
        }
        if choice
        else {}
        for choice in choices
    ]
    for name in ("threshold", "objective_value", *(c.name for c in CONSTRAINTS.values())):
        columns[name] = np.array([values.get(name, np.nan) for values in found])
    randomized = [choice and choice.randomized_threshold for choice in choices]
    return columns | {"randomized_threshold": randomized}
