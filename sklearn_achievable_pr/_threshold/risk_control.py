"""Thresholds at which constraints hold for new data, with a confidence.

Assumptions: the classifier has not seen the tuning samples, and these are drawn
independently, as new samples will be. Nothing is assumed about the scores.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.stats import binom

from .._input.labels import BinaryData
from .choice import (
    Guarantee,
    GuaranteedThresholds,
    TuningCurve,
    choose,
    points_reached,
    thresholds_at,
    tuning_curve,
    vertices_first,
)
from .objectives import CONSTRAINTS

# The part of the tuning samples that orders the thresholds that are tested on the rest.
# With a half, precision exceeds its bound by a fifth more; with a tenth, the order too
# often starts badly.
_LEARNING = 0.2
# The power at which an error message states how many positives would be enough.
_POWER = 0.8


def guaranteed_thresholds(
    samples: BinaryData,
    curve: TuningCurve,
    *,
    objective: Any,
    constraints: Mapping[str, float],
    confidence: float,
    random_state: np.random.Generator,
) -> GuaranteedThresholds:
    """Thresholds at which all constraints hold for new data, with this confidence.

    Each constraint gets the same share of `1 - confidence`. All thresholds that are
    returned hold at once, so any of them may be chosen by any rule.

    Parameters
    ----------
    samples : BinaryData
        The tuning set, without weights.
    curve : TuningCurve
        Its counts.
    objective : str, dict or callable
        Decides on which side of the most certain threshold a better one is looked for.
    constraints : dict
        Bounds by the names of `CONSTRAINTS`, each with values that do not meet it.
    confidence : float
        Inside (0, 1).
    random_state : Generator
        Draws the samples that order the tests of precision.

    Returns
    -------
    GuaranteedThresholds

    Raises
    ------
    ValueError
        If there is no such threshold. The message says how many samples would be enough.
    """
    level = f"`confidence`={confidence}"
    if len(constraints) > 1:
        level += f", shared by {len(constraints)} constraints"
    error_rate = (1 - confidence) / len(constraints)
    points = vertices_first(curve, np.arange(1, len(curve.tps)))
    thresholds = thresholds_at(curve, points)
    if "min_precision" in constraints:
        thresholds = _precise_thresholds(
            samples, curve, objective, constraints, error_rate, level, random_state
        )
        points = points_reached(curve, thresholds)

    holds, where = np.ones(len(points), dtype=bool), []
    for name, bound in constraints.items():
        if name == "min_precision":
            extent = thresholds
        else:
            allowed, violations = _violations(curve, name, bound, error_rate, level)
            holds &= violations[points] <= allowed
            extent = thresholds_at(curve, 1 + np.flatnonzero(violations[1:] <= allowed))
        where.append(f"`{name}` from {extent.min():.6g} to {extent.max():.6g}")
    if not holds.any():
        wanted = " and ".join(f"`{name}`={bound}" for name, bound in constraints.items())
        raise ValueError(
            f"{wanted} cannot be guaranteed together with {level}: by threshold, there are "
            f"guarantees of {', '.join(where)}. Relax one of them."
        )
    guarantee = Guarantee(confidence, **constraints)
    return GuaranteedThresholds(points[holds], thresholds[holds], guarantee)


# Recall, selection rate, false positive rate: order statistics


def most_violations(n: int, limit: float, error_rate: float) -> int:
    """The most of `n` samples that may violate a constraint; -1 if none may.

    A sample violates `min_recall` if it is a positive below the threshold, `max_fpr` if
    it is a negative at or above it, `max_selection_rate` if it is at or above it. Among
    the `n` samples at most m lie in the outermost `limit` of all new ones with the
    probability `binom.cdf(m, n, limit)`. Only then can a threshold with m violations,
    or fewer, have a rate of violations above `limit` for new data.
    """
    most = int(binom.ppf(error_rate, n, limit))
    return most if binom.cdf(most, n, limit) <= error_rate else most - 1


def samples_needed(fewest: int, limit: float, error_rate: float) -> int:
    """The smallest number of samples of which `fewest` may violate a constraint."""
    low, high = fewest, fewest + 1  # at `low` even a rate of 1 is possible
    while binom.cdf(fewest, high, limit) > error_rate:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if binom.cdf(fewest, middle, limit) <= error_rate:
            high = middle
        else:
            low = middle
    return high


def _violations(curve, name, bound, error_rate, level):
    """How many samples may violate a constraint, and how many do at each point."""
    constraint = CONSTRAINTS[name]
    part, n = constraint.parts(curve.fps, curve.tps, *curve.totals)
    violations, limit = (n - part, 1 - bound) if constraint.is_minimum else (part, bound)
    if limit == 0:
        raise ValueError(
            f"`{name}`={bound} cannot be guaranteed: no number of samples proves that "
            "there will be no exception. Relax it."
        )
    allowed, fewest = most_violations(n, limit, error_rate), violations[1:].min()
    if fewest > allowed:
        kind = {"pos": "positives", "neg": "negatives"}.get("".join(constraint.denominator))
        raise ValueError(
            f"`{name}`={bound} cannot be guaranteed with {level}: that takes "
            f"{samples_needed(int(fewest), limit, error_rate)} {kind or 'samples'} in the "
            f"tuning set. Got {n}. Hold out more, or relax one of the two."
        )
    return allowed, violations


# Precision: learn, then test


def _precise_thresholds(
    samples, curve, objective, constraints, error_rate, level, random_state
):
    """Thresholds that pass a test of their precision, by falling value.

    Some samples are set aside to order the thresholds. On the others each threshold is
    tested in turn by the exact binomial test, until the first that fails (fixed-sequence
    testing, Angelopoulos et al. 2021). Of the thresholds with too low a precision, the
    first in that order passes with a probability of `error_rate` at most, and the others
    never pass without it.
    """
    precision = constraints["min_precision"]
    if precision == 1:
        raise ValueError(
            f"`min_precision`={precision} cannot be guaranteed: no number of samples "
            "proves that there will be no exception. Relax it."
        )
    mixed = random_state.permutation(len(samples.positive))
    n_learning = max(1, round(_LEARNING * len(mixed)))
    learned, tested = (
        tuning_curve(BinaryData(samples.positive[part], samples.score[part], None))
        for part in (mixed[:n_learning], mixed[n_learning:])
    )
    order = _testing_order(learned, objective, constraints)
    thresholds = thresholds_at(learned, order)
    reached = points_reached(tested, thresholds)
    tps = tested.tps[reached]
    p_value = binom.sf(tps - 1, tps + tested.fps[reached], precision)
    passed = np.logical_and.accumulate(p_value <= error_rate)
    if not passed[0]:
        raise ValueError(
            _not_precise(curve, tested, thresholds[0], precision, error_rate, level)
        )
    return thresholds_at(learned, np.sort(order[passed]))


def _testing_order(learned, objective, constraints):
    """Points of the tuning curve in the order in which they are tested."""
    n_points = len(learned.tps)
    tps, n_above = learned.tps[1:], learned.tps[1:] + learned.fps[1:]
    excess = tps - constraints["min_precision"] * n_above
    surest = 1 + int(np.argmax(excess / np.sqrt(n_above)))
    down, up = np.arange(surest, n_points), np.arange(surest - 1, 0, -1)
    if learned.tps[-1] and learned.fps[-1]:
        best = choose(learned, objective, constraints)
        if best is not None and best.at < surest:
            return np.concatenate((down[:1], up, down[1:]))
    return np.concatenate((down, up))


def _not_precise(curve, tested, threshold, precision, error_rate, level):
    """The threshold tested first, what it did, and what would be enough."""
    (fps, tps), (all_fps, all_tps) = (
        (counts.fps[at], counts.tps[at])
        for counts in (tested, curve)
        for at in points_reached(counts, np.array([threshold]))
    )
    text = (
        f"`min_precision`={precision} cannot be guaranteed with {level}: of "
        f"{sum(tested.totals)} samples of the tuning set that it is tested on, "
        f"{fps + tps} reach threshold {threshold:.6g}, where it is likeliest to hold, and "
        f"{tps} of these are positive. "
    )
    found = all_tps / (all_tps + all_fps)
    # How many predicted positives mostly prove a bound below the precision found.
    n_above = np.unique(np.geomspace(1, 1e8, 400).round())
    n_true = binom.ppf(1 - _POWER, n_above, found)
    enough = n_above[binom.sf(n_true - 1, n_above, precision) <= error_rate]
    if not len(enough) or not fps + tps:
        return f"{text}The precision there is {found:.4g}: relax one of the two."
    n_pos = math.ceil(enough[0] / (fps + tps) * int(tested.tps[-1]) / (1 - _LEARNING))
    return (
        f"{text}If its precision, {found:.4g}, is the true one, about {n_pos} positives in "
        f"the tuning set would do instead of {curve.tps[-1]}. Hold out more, or relax one "
        "of the two."
    )
