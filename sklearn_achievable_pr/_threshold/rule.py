"""The rule of a choice, and the choice by it: the core of `choose_threshold` and `fit`."""

from functools import partial

import numpy as np

from .._input.arrays import as_column, check_thresholds
from .._input.labels import BinaryData, check_binary, positives
from .._input.options import check_fractions, check_number, check_random_state
from .._roc.counting import breakpoints, every_threshold
from .._roc.curve import Points
from .choice import Rule, choose, constraints_not_met, listed_constraints, tuning_curve
from .objectives import CONSTRAINTS, ROUNDING, check_objective
from .risk_control import guaranteed_thresholds


def check_rule(objective, bounds, confidence, labels, randomize=False, **excluded):
    """The checked `Rule`.

    `bounds` are in the order of `CONSTRAINTS`, `labels` are the negative and the positive
    label, and `excluded` the arguments by name that must be None with a `confidence`.
    """
    constraints = {}
    for (name, constraint), value in zip(CONSTRAINTS.items(), bounds, strict=True):
        bound = _fraction(value, name)
        if bound not in (None, int(constraint.sign < 0)):
            constraints[name] = bound
    confidence = _fraction(confidence, "confidence", open_ended=True)
    rule = Rule(check_objective(objective, labels), constraints, randomize, confidence)
    if confidence is None:
        return rule
    given = f"`confidence`={confidence}"
    if not constraints:
        raise ValueError(
            f"{given} is the confidence of a constraint: pass `min_recall` or "
            "`min_precision` above 0, or `max_selection_rate` or `max_fpr` below 1, or "
            "leave it out."
        )
    for name, value in (excluded | {"randomize=True": randomize or None}).items():
        if value is not None:
            raise ValueError(
                f"{given} cannot be combined with `{name}`: the guarantee is for one "
                "threshold and independent tuning samples of weight 1. Leave out one "
                "of them."
            )
    return rule


def check_classes(samples):
    """Check that tuning samples have both classes."""
    if samples.positive.all() or not samples.positive.any():
        which = "negative" if samples.positive.any() else "positive"
        raise ValueError(
            "`y_true`, or what `cv` holds out, must have samples of both classes, of "
            f"positive weight. Got no {which} one: add some, or pass another `pos_label`."
        )


def choose_from_arrays(data, objective, bounds, confidence, random_state, every=False):
    """The checked `Rule`, and the result of `choose_by`, from labels and scores.

    `data` are the arguments `y_true`, `y_score`, `pos_label` and `sample_weight`.
    """
    samples = check_binary(*data)
    if random_state is not None:
        random_state = check_random_state(random_state)
    check_thresholds(samples.score)
    check_classes(samples)
    y_true, _, pos_label, sample_weight = data
    target = as_column(y_true, "y_true")
    positive = positives(target, pos_label)
    labels = target[[np.argmin(positive), np.argmax(positive)]]
    rule = check_rule(objective, bounds, confidence, labels, sample_weight=sample_weight)
    return rule, *choose_by(rule, samples, random_state, every)


def _fraction(value, name, open_ended=False):
    """A fraction as a float; None stays None."""
    if value is None:
        return None
    return check_fractions(check_number(value, name), name, open_ended=open_ended).item()


def choose_by(rule: Rule, samples: BinaryData, random_state, every=False):
    """The tuning curve, and the `Choice` with all fields of its `OperatingPoint`.

    The curve has a point at every threshold if `every` or if the choice needs it.
    """
    objective, constraints, _, confidence = rule
    cap = constraints.get("max_selection_rate", 1.0)
    # Along a run of samples of one class, a named objective and all constraints but one are
    # best at an end, so that breakpoints are candidates enough.
    at_ends = objective.kind == "named" and (cap == 1 or samples.weight is None)
    every = every or confidence is not None or not at_ends
    points_of = every_threshold if every else partial(_breakpoints_and_cap, cap)
    curve = tuning_curve(samples, points_of)
    points = None
    if confidence is not None:
        rng = check_random_state(random_state)
        points, thresholds = guaranteed_thresholds(samples, curve, rule, rng)
    chosen = choose(curve, rule, points)
    if chosen is None and points is not None:
        raise ValueError(
            f"{listed_constraints(constraints)} cannot be guaranteed with `confidence`="
            f"{confidence}: no threshold that passes the tests meets the constraints on "
            "the whole tuning set. Hold out more, or relax one of them."
        )
    if chosen is None:
        raise ValueError(constraints_not_met(tuning_curve(samples), rule))
    fields = chosen.fields
    fields |= {"objective_name": objective.name}
    fields["n_samples"] = len(samples.positive)
    fields["n_positive"] = int(np.count_nonzero(samples.positive))
    if points is not None:
        fields["threshold"] = thresholds[np.searchsorted(points, chosen.at)].item()
        fields["guarantee"] = {"confidence": confidence} | constraints
        # A guaranteed threshold meets the constraints on the tuning set as well.
        fields["objective_without_guarantee"] = choose(curve, rule).fields["objective"]
    return curve, chosen


def _breakpoints_and_cap(cap, samples):
    """The ROC curve through its breakpoints and the last point with this selection rate.

    If no negative is above the cap, all thresholds down to it have precision 1, and the
    curve has a point at each. For samples without weights, unless the cap is 1.
    """
    roc, n_samples = breakpoints(samples), len(samples.positive)
    n_most = int(cap * (1 + ROUNDING) * n_samples)
    if n_most == n_samples:
        return roc
    above = samples.score > roc.scores_above(np.array([n_most + 1]))
    n_above, tps = np.count_nonzero(above), np.count_nonzero(above & samples.positive)
    if tps == n_above:
        return every_threshold(samples)
    parts = []
    for part in roc.parts:
        at = np.searchsorted(part.n_above, n_above)
        if 0 < at < len(part.tps) and part.n_above[at] != n_above:
            counts = zip(part, (n_above - tps, tps, n_above), strict=True)
            part = Points(*(np.insert(column, at, count) for column, count in counts))
        parts.append(part)
    return roc._replace(parts=parts)
