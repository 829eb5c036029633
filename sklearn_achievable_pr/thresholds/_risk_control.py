"""Thresholds at which constraints are met on new data with a given confidence.

Assumptions: the classifier was not fitted on the tuning samples, and tuning samples and new
samples are drawn independently from one distribution. Nothing is assumed about the scores.
"""

from bisect import bisect_left

import numpy as np
from scipy.stats import binom

from .._input.options import exact
from ..metrics._rates import CONSTRAINTS
from ._choice import (
    best_choice,
    listed_constraints,
    points_reached,
    thresholds_at,
    tuning_curve,
)
from ._objectives import outcomes

# Share of the tuning samples that orders the thresholds; the others test the thresholds.
# With a share of 1/2, precision exceeds its bound by a fifth more; with 1/10, the first
# threshold tested too often fails.
_LEARNING = 0.2
# A larger number of samples is not computed.
_MOST = 10**15


def guaranteed_choice(samples, curve, rule, random_state):
    """The `Choice` among thresholds that meet the constraints on new data, too.

    The error rate `1 - confidence` is divided among `min_recall`, `min_precision` and the
    upper bounds. The two upper bounds need not share it: the thresholds at which the true
    false positive rate is too high, and those at which the true selection rate is, are
    nested half-lines, and both bounds are kept unless a threshold in the longer one passes.
    The guarantee is simultaneous for all these thresholds, so any objective may choose
    among them.

    Parameters
    ----------
    samples : BinaryData
        The tuning set, without weights.
    curve : TuningCurve
        Counts of the tuning set at every threshold.
    rule : Rule
        With constraints and a confidence. For `min_precision`, thresholds are tested from
        the one most likely to pass towards the maximum of its objective first.
    random_state : Generator
        Draws the samples that determine the order of the tests of precision.

    Returns
    -------
    Choice
        With its `guarantee`.

    Raises
    ------
    ValueError
        If there is no such threshold. The message says what is missing, where possible as a
        number of samples.
    """
    constraints, level = rule.constraints, f"`confidence_level`={rule.confidence_level}"
    has_both_caps = constraints.keys() >= {"max_selection_rate", "max_fpr"}
    n_sharing = len(constraints) - has_both_caps
    if n_sharing > 1:
        level += f", shared by {n_sharing} constraints"
        level += " (the two upper bounds count as one)" * has_both_caps
    error_rate = (1 - rule.confidence_level) / n_sharing
    for name, bound in constraints.items():
        if bound == int(CONSTRAINTS[name].sign > 0):
            raise ValueError(
                f"`{name}`={bound} cannot be guaranteed: no number of samples proves that "
                "there will be no exception. Relax it."
            )
    if "min_precision" in constraints:
        thresholds = _precise_thresholds(samples, rule, error_rate, level, random_state)
        points = points_reached(curve, thresholds)
    else:
        points = np.arange(1, len(curve.tps))  # point 0 predicts no sample positive

    counts = outcomes(curve.fps, curve.tps, curve.totals)
    holds = np.ones(len(points), dtype=bool)
    for name, bound in constraints.items():
        if name != "min_precision":
            holds &= _holds(counts, name, bound, error_rate, level)[points]
    chosen = best_choice(curve, rule, points[holds])
    if chosen is None:
        raise ValueError(
            f"{listed_constraints(constraints)} cannot be guaranteed with {level}: no "
            "threshold passes the tests and meets the constraints on the tuning set. Hold "
            "out more, or relax one of them."
        )
    guarantee = {"confidence_level": rule.confidence_level} | constraints
    chosen = chosen._replace(guarantee=guarantee)
    if "min_precision" in constraints:
        # A tested threshold may differ from that of its point on the tuning curve.
        tested = thresholds[holds][np.searchsorted(points[holds], chosen.at)]
        chosen = chosen._replace(threshold=tested.item())
    return chosen


# Recall, selection rate, false positive rate: order statistics


def most_violations(n: int, limit: float, error_rate: float) -> int:
    """Largest number of `n` samples that may violate a constraint; -1 if there is none.

    Positives with scores below the threshold violate `min_recall`, negatives with scores at
    or above the threshold violate `max_fpr`, and all samples with such scores violate
    `max_selection_rate`. If a share above `limit` of new samples violates the constraint,
    the probability that at most m of the `n` samples violate the constraint is at most
    `binom.cdf(m, n, limit)`. The result is the largest m at which this bound is at most
    `error_rate`.
    """
    most = int(binom.ppf(error_rate, n, limit))
    return most if binom.cdf(most, n, limit) <= error_rate else most - 1


def samples_needed(fewest: int, limit: float, error_rate: float) -> int:
    """The smallest number of samples at which `most_violations` is at least `fewest`.

    The result is `_MOST` + 1 if more are needed.
    """
    return bisect_left(
        range(_MOST + 1), True, key=lambda n: binom.cdf(fewest, n, limit) <= error_rate
    )


def _holds(counts, name, bound, error_rate, level):
    """Mask of the points of the tuning curve at which a constraint is guaranteed.

    Raises `ValueError` if there is no such point.
    """
    constraint = CONSTRAINTS[name]
    part, whole = constraint.parts(*counts)
    n = int(whole[0])
    violations, limit = (n - part, 1 - bound) if constraint.sign > 0 else (part, bound)
    allowed, fewest = most_violations(n, limit, error_rate), violations[1:].min()
    if fewest > allowed:
        kind = {"min_recall": "positives", "max_fpr": "negatives"}.get(name, "samples")
        needed = samples_needed(int(fewest), limit, error_rate)
        needed = f"{needed}" if needed <= _MOST else "more than 10**15"
        raise ValueError(
            f"`{name}`={bound} cannot be guaranteed with {level}: that takes "
            f"{needed} {kind} in the tuning set. Got {n}. Hold out more, or relax one of "
            "the two."
        )
    return violations <= allowed


# Precision: learn, then test


def _precise_thresholds(samples, rule, error_rate, level, random_state):
    """Thresholds that pass a test of their precision, in decreasing order.

    Some samples are set aside to order the thresholds. On the others each threshold is
    tested in turn by the exact binomial test, until the first that fails (fixed-sequence
    testing, Angelopoulos et al. 2021). The first threshold in this order whose precision is
    too low passes with probability `error_rate` at most. The thresholds after it pass only
    if it passes.
    """
    precision = rule.constraints["min_precision"]
    mixed = random_state.permutation(len(samples.positive))
    n_learning = max(1, round(_LEARNING * len(mixed)))
    parts = np.split(mixed, [n_learning])
    learned, tested = (tuning_curve(samples.take(part)) for part in parts)
    order = _testing_order(learned, rule)
    thresholds = thresholds_at(learned, order)
    reached = points_reached(tested, thresholds)
    n_above, tps = tested.n_above[reached], tested.tps[reached]
    p_value = binom.sf(tps - 1, n_above, precision)
    passed = np.logical_and.accumulate(p_value <= error_rate)
    if not passed[0]:
        raise ValueError(
            f"`min_precision`={precision} cannot be guaranteed with {level}: of "
            f"{sum(tested.totals)} tested samples {n_above[0]} reach threshold "
            f"{exact(thresholds[0])}, where it is likeliest to hold, and {tps[0]} of these "
            "are positive. Hold out more, or relax one of the two."
        )
    return np.sort(thresholds[passed])[::-1]


def _testing_order(learned, rule):
    """Points of the tuning curve in the order of their tests, most likely to pass first."""
    n_points = len(learned.tps)
    tps, n_above = learned.tps[1:], learned.n_above[1:]
    excess = tps - rule.constraints["min_precision"] * n_above
    surest = 1 + int(np.argmax(excess / np.sqrt(n_above)))
    down, up = np.arange(surest, n_points), np.arange(surest - 1, 0, -1)
    best = best_choice(learned, rule)
    n_first = 1 if best is not None and best.at < surest else len(down)
    return np.concatenate((down[:n_first], up, down[n_first:]))
