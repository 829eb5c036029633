"""Floors that hold for new data: the thresholds at which a tuning set proves them.

What is assumed: the classifier has seen none of the tuning rows, and these are drawn, one
by one, as the new data will be. Nothing is assumed about the scores.
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
    TuningPath,
    choose,
    points_reached,
    threshold_of,
    thresholds_at,
    tuning_path,
    vertices_first,
)

# The part of the tuning rows that says in which order thresholds are tested on the rest.
# A half costs a fifth of what the floor is overshot by, a tenth too often starts badly.
_LEARNING = 0.2
# The chance of success for which the number of positives is told that would be enough.
_POWER = 0.8


def proven_thresholds(
    samples: BinaryData,
    roc: TuningPath,
    *,
    objective: Any,
    floors: Mapping[str, float],
    confidence: float,
    random_state: np.random.RandomState,
) -> GuaranteedThresholds:
    """Thresholds at which all floors hold for new data, together with this confidence.

    Each floor gets the same part of `1 - confidence`, and all thresholds that are returned
    hold at once, so any of them may be chosen by whatever rule.

    Parameters
    ----------
    samples : BinaryData
        The tuning set, without weights.
    roc : TuningPath
        Its ROC curve.
    objective : str, dict or callable
        Says on which side of the surest threshold a better one is looked for.
    floors : dict
        `"min_recall"`, `"min_precision"` or both, above 0.
    confidence : float
        Inside (0, 1).
    random_state : RandomState
        Draws the rows on which nothing is tested.

    Returns
    -------
    GuaranteedThresholds

    Raises
    ------
    ValueError
        If there is no such threshold; it says how many positives would be enough.
    """
    guarantee = Guarantee(confidence, floors.get("min_recall"), floors.get("min_precision"))
    error_rate = (1 - confidence) / len(floors)
    points = vertices_first(roc, np.arange(1, len(roc.tps)))
    thresholds = thresholds_at(roc, points)
    enough = 0
    if guarantee.recall is not None:
        enough = _true_positives_needed(int(roc.tps[-1]), guarantee, error_rate)
    if guarantee.precision is not None:
        thresholds = _precise(
            samples, roc, objective, floors, guarantee, error_rate, random_state
        )
        points = points_reached(roc, thresholds)
    recalled = roc.tps[points] >= enough
    if not recalled.any():
        raise ValueError(_not_together(roc, thresholds, enough, guarantee))
    return GuaranteedThresholds(points[recalled], thresholds[recalled], guarantee)


# Recall: order statistics


def lowest_with_recall(n_pos: int, recall: float, error_rate: float) -> int:
    """Which of the lowest positive scores, counted from 1, has this recall; 0 if none.

    New positives reach the k-th lowest of `n_pos` scores with a probability below `recall`
    only if fewer than k of these are among the lowest `1 - recall` of all there could be:
    as often as `binom.cdf(k - 1, n_pos, 1 - recall)` at most, with ties less often.
    """
    if recall**n_pos > error_rate:
        return 0
    fewer = int(binom.ppf(error_rate, n_pos, 1 - recall))
    return max(1, fewer + int(binom.cdf(fewer, n_pos, 1 - recall) <= error_rate))


def positives_needed(recall: float, error_rate: float) -> int:
    """How many positives prove a recall: the fewest of which the lowest score has it."""
    needed = 1 + math.ceil(math.log(error_rate) / math.log(recall))  # or one fewer
    while needed > 1 and recall ** (needed - 1) <= error_rate:
        needed -= 1
    return needed


def _true_positives_needed(n_pos, guarantee, error_rate):
    """True positives on the tuning set that prove the floor of recall."""
    recall = guarantee.recall
    if recall == 1:
        raise ValueError(
            f"`min_recall`={recall} cannot be promised: no number of positives proves that "
            "none will be missed. Lower it."
        )
    lowest = lowest_with_recall(n_pos, recall, error_rate)
    if not lowest:
        raise ValueError(
            f"`min_recall`={recall} cannot be promised with {_level(guarantee)}: that "
            f"takes {positives_needed(recall, error_rate)} positives in the tuning set. "
            f"Got {n_pos}. Hold out more, or lower one of the two."
        )
    return n_pos - lowest + 1


# Precision: learn, then test


def _precise(samples, roc, objective, floors, guarantee, error_rate, random_state):
    """Thresholds that pass a test of their precision, by falling value.

    Some rows are set aside to put thresholds into an order. On the others each is tested
    in its turn by the exact binomial test until the first that fails (a fixed sequence).
    Of the thresholds with too low a precision the first one in that order is passed with
    a probability of `error_rate` at most, and the others never without it.
    """
    precision = guarantee.precision
    if precision == 1:
        raise ValueError(
            f"`min_precision`={precision} cannot be promised: no number of samples proves "
            "that there will be no false positive. Lower it."
        )
    learning, testing = _parted(samples, random_state)
    learned, tested = tuning_path(learning), tuning_path(testing)
    order = _testing_order(learned, objective, floors)
    thresholds = thresholds_at(learned, order)
    reached = points_reached(tested, thresholds)
    tps = tested.tps[reached]
    n_above = tps + tested.fps[reached]
    p_value = binom.sf(tps - 1, n_above, precision)
    passed = np.logical_and.accumulate(p_value <= error_rate)
    if not passed[0]:
        raise ValueError(_not_precise(roc, tested, thresholds[0], guarantee, error_rate))
    is_proven = np.zeros(len(learned.tps), dtype=bool)
    is_proven[order[passed]] = True
    return thresholds_at(learned, np.flatnonzero(is_proven))


def _parted(samples, random_state):
    """Rows to learn the order from, and rows to test on, by lot."""
    n_rows = len(samples.positive)
    mixed = random_state.permutation(n_rows)
    n_learning = max(1, round(_LEARNING * n_rows))
    return (
        BinaryData(samples.positive[rows], samples.score[rows], None)
        for rows in (mixed[:n_learning], mixed[n_learning:])
    )


def _testing_order(learned, objective, floors):
    """Points of the ROC curve in the order in which they are tested."""
    n_points = len(learned.tps)
    tps, n_above = learned.tps[1:], learned.tps[1:] + learned.fps[1:]
    excess = tps - floors["min_precision"] * n_above
    surest = 1 + int(np.argmax(excess / np.sqrt(n_above)))
    down, up = np.arange(surest, n_points), np.arange(surest - 1, 0, -1)
    if learned.tps[-1] and learned.fps[-1]:
        best = choose(learned, objective, floors)
        if best is not None and best.at < surest:
            return np.concatenate((down[:1], up, down[1:]))
    return np.concatenate((down, up))


# Messages


def _level(guarantee):
    if guarantee.recall is None or guarantee.precision is None:
        return f"`confidence`={guarantee.confidence}"
    return f"`confidence`={guarantee.confidence}, shared by two floors"


def _not_precise(roc, tested, threshold, guarantee, error_rate):
    """The threshold tested first, what it did, and what would be enough."""
    floor = guarantee.precision
    at = points_reached(tested, np.array([threshold]))[0]
    n_true, n_above = int(tested.tps[at]), int(tested.tps[at] + tested.fps[at])
    text = (
        f"`min_precision`={floor} cannot be promised with {_level(guarantee)}: of "
        f"{tested.tps[-1] + tested.fps[-1]} rows of the tuning set that it is tested on, "
        f"{n_above} reach threshold {threshold:.6g}, where it is likeliest to hold, and "
        f"{n_true} of these are positive. "
    )
    at = points_reached(roc, np.array([threshold]))[0]
    precision = roc.tps[at] / (roc.tps[at] + roc.fps[at])
    needed = _n_above_needed(precision, floor, error_rate)
    if needed is None or not n_above:
        return f"{text}The precision there is {precision:.4g}: lower one of the two."
    n_pos = math.ceil(needed / n_above * int(tested.tps[-1]) / (1 - _LEARNING))
    return (
        f"{text}If its precision, {precision:.4g}, is the true one, about {n_pos} "
        f"positives in the tuning set would do instead of {roc.tps[-1]}. Hold out more, "
        "or lower one of the two."
    )


def _n_above_needed(precision, floor, error_rate):
    """Rows predicted positive that mostly prove a floor below their precision, or None."""
    n_above = np.unique(np.geomspace(1, 1e8, 400).round())
    n_true = binom.ppf(1 - _POWER, n_above, precision)
    proves = np.flatnonzero(binom.sf(n_true - 1, n_above, floor) <= error_rate)
    return n_above[proves[0]] if len(proves) else None


def _not_together(roc, thresholds, enough, guarantee):
    highest = threshold_of(roc, int(np.searchsorted(roc.tps, enough)))
    return (
        f"`min_recall`={guarantee.recall} and `min_precision`={guarantee.precision} cannot "
        f"be promised together with `confidence`={guarantee.confidence}: the recall is "
        f"proven up to threshold {highest:.6g}, the precision from {thresholds.min():.6g} "
        f"to {thresholds.max():.6g}. Lower one of the three."
    )
