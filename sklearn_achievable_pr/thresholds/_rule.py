"""The rule of a choice, and the choice by it: the core of `choose_threshold` and `fit`."""

from typing import NamedTuple

import numpy as np

from .._inference.design import Design, check_clusters
from .._inference.doubts import doubts_of_weights, warn_once
from .._input import options
from .._input.arrays import as_column, check_thresholds, unit_of
from .._input.estimators import saturated
from .._input.labels import (
    BinaryData,
    check_binary,
    label_index,
    need_no_name,
    positives,
)
from ..metrics._rates import CONSTRAINTS
from ..results import OperatingPoint
from ._choice import (
    Choice,
    Rule,
    TuningROC,
    best_candidate,
    best_choice,
    constraints_not_met,
    curve_for,
    tuning_roc,
)
from ._objectives import check_objective
from ._risk_control import guaranteed_choice
from ._units import units_of


def check_rule(
    objective,
    bounds,
    confidence_level,
    labels,
    *,
    randomize=False,
    prevalence=None,
):
    """The checked `Rule`.

    `bounds` are in the order of `CONSTRAINTS`, and `labels` are the negative and the
    positive label (None where only options are checked).
    """
    constraints = {}
    for (name, constraint), value in zip(CONSTRAINTS.items(), bounds, strict=True):
        if value is not None:
            bound = options.check_fractions(options.check_number(value, name), name).item()
            if bound != int(constraint.sign < 0):  # otherwise every threshold meets it
                constraints[name] = bound
    objective = check_objective(objective, labels)
    prevalence = options.check_prevalence(prevalence)
    both = [] if labels is None else labels.tolist()
    pos_label = None if need_no_name(both) else both[1]
    if confidence_level is None:
        return Rule(objective, constraints, randomize, None, prevalence, pos_label)
    confidence_level = options.check_inside(confidence_level, "confidence_level", 0, 1)
    given = f"`confidence_level`={confidence_level}"
    if not constraints:
        raise ValueError(
            f"{given} needs a constraint that some threshold violates. Pass one, such as "
            "`min_recall=0.9`, or leave `confidence_level` out."
        )
    if randomize:
        raise ValueError(
            f"{given} cannot be combined with `randomize=True`: it needs one threshold. "
            "Leave out one of them."
        )
    rule = Rule(objective, constraints, False, confidence_level, prevalence, pos_label)
    if prevalence is not None and rule.of_prevalence:
        raise ValueError(
            f"{given} cannot be combined with `prevalence` and `{rule.of_prevalence[0]}`, "
            "which depends on the prevalence: only `min_recall` and `max_fpr` are "
            "guaranteed at another one. Leave out one of the three."
        )
    return rule


def rule_of(classifier):
    """The checked `Rule` of a `HullThresholdClassifierCV` that has `classes_`."""
    positive = 1
    if classifier.pos_label is not None:
        positive = label_index(classifier.classes_, classifier.pos_label, "y")
    return check_rule(
        classifier.objective,
        [getattr(classifier, name) for name in CONSTRAINTS],
        classifier.confidence_level,
        classifier.classes_[[1 - positive, positive]],
        randomize=classifier.randomize,
        prevalence=classifier.prevalence,
    )


def check_classes(samples, name):
    """Check that samples have both classes; `name` is where they come from."""
    if samples.positive.all() or not samples.positive.any():
        which = "negative" if samples.positive.any() else "positive"
        raise ValueError(
            f"{name} must have samples of both classes, of positive weight. Got no {which} "
            "one: add some, or pass another `pos_label`."
        )


class Chosen(NamedTuple):
    """A tuning set with the choice by a rule."""

    rule: Rule
    samples: BinaryData
    curve: TuningROC
    choice: Choice
    n_clusters: int | None = None

    def point(self, response_method=None) -> OperatingPoint:
        """The operating point of the choice."""
        fields = self.choice._asdict()
        del fields["at"]
        weight = self.samples.weight
        return OperatingPoint(
            **fields.pop("rates"),
            **fields,
            objective=self.rule.objective.name,
            response_method=response_method,
            prevalence=self.rule.prevalence,
            pos_label=self.rule.pos_label,
            n_samples=len(self.samples.positive),
            n_positive=int(np.count_nonzero(self.samples.positive)),
            n_clusters=self.n_clusters,
            _is_weighted=weight is not None and bool(np.ptp(weight) > 0),
            _has_max_fpr="max_fpr" in self.rule.constraints,
        )


def choose_from_arrays(
    data,
    objective,
    bounds,
    confidence_level,
    order_from,
    groups,
    prevalence,
    random_state,
    every=False,
) -> Chosen:
    """The choice from labels and scores, by a rule that is checked here.

    `data` are the arguments `y_true`, `y_score`, `pos_label` and `sample_weight`.
    """
    samples = check_binary(*data, groups=groups)
    if random_state is not None:
        random_state = options.check_random_state(random_state)
    check_thresholds(samples.score)
    check_classes(samples, "`y_true`")
    y_true, _, pos_label, sample_weight = data
    target = as_column(y_true, "y_true")
    positive = positives(target, pos_label)
    labels = target[[np.argmin(positive), np.argmax(positive)]]
    rule = check_rule(objective, bounds, confidence_level, labels, prevalence=prevalence)
    if groups is not None and confidence_level is None:
        raise ValueError(
            "`groups` are the clusters of a guarantee, and change no choice without one: "
            "pass `confidence_level` and a constraint, or leave them out."
        )
    clusters = check_clusters(y_true, Design(pos_label, sample_weight, groups))
    ordering = None
    if order_from is not None:
        if confidence_level is None:
            raise ValueError(
                "`order_from` orders the tests of a guarantee: pass `confidence_level` and "
                "a constraint, or leave it out."
            )
        ordering = _check_order_from(order_from, samples, pos_label)
    unit = unit_of(sample_weight, samples.weight)
    return choose(rule, samples, random_state, every, ordering, clusters, unit)


def _check_order_from(order_from, samples, pos_label):
    """The other samples, checked to have both classes and not to be the tuning samples."""
    try:
        y_true, y_score = order_from
    except (TypeError, ValueError):
        raise ValueError(
            "`order_from` must be a pair `(y_true, y_score)` of other samples, without "
            f"weights. Got {type(order_from).__name__}."
        ) from None
    try:
        ordering = check_binary(y_true, y_score, pos_label, None)
        check_thresholds(ordering.score)
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"In `order_from`: {error}") from error
    check_classes(ordering, "`order_from`")
    if all(map(np.array_equal, ordering[:2], samples[:2])):
        raise ValueError(
            "`order_from` must have other samples, because labels cannot order their own "
            "tests. Got the tuning samples: pass out-of-fold scores of the training data, "
            "or leave it out."
        )
    return ordering


def choose(
    rule: Rule,
    samples: BinaryData,
    random_state,
    every: bool,
    ordering: BinaryData | None,
    clusters: np.ndarray | None = None,
    unit: float = 1.0,
) -> Chosen:
    """The choice by a rule; raises where no threshold meets its constraints.

    The tuning curve has a point at every threshold if `every` or if the choice needs it.
    `ordering` are other samples, which order the tests of a guarantee, and `clusters` those
    of the samples, as integers from 0. `unit` is that of the weights, see `unit_of`.
    """
    units = None
    if rule.confidence_level is not None:
        units = units_of(samples, clusters, unit)
    if rule.confidence_level is not None and units is None:  # equal weights have no effect
        samples, unit = samples._replace(weight=None), 1.0
    curve = tuning_roc(samples, rule.prevalence) if every else curve_for(rule, samples)
    curve = curve._replace(unit=unit)
    choice = best_choice(curve, rule)
    if choice is None:
        not_met = constraints_not_met(tuning_roc(samples, rule.prevalence), rule)
        raise ValueError(" ".join([not_met, *_tie_to_blame(rule, samples)]))
    if rule.confidence_level is not None:
        without = choice.objective_value
        rng = options.check_random_state(random_state)
        choice = guaranteed_choice(samples, curve, rule, rng, ordering, units)
        choice = choice._replace(objective_value_without_guarantee=without)
    _warn_of_all_or_none(rule, samples, choice)
    doubts = [] if units is None else units.doubts(unit)
    warn_once([*doubts_of_weights(samples, rule.prevalence), *doubts])
    n_clusters = None if clusters is None else int(clusters.max()) + 1
    return Chosen(rule, samples, curve, choice, n_clusters)


def _warn_of_all_or_none(rule, samples, choice):
    """Warn where a choice predicts every sample positive, or no sample."""
    threshold = choice.threshold
    if np.isfinite(threshold) or choice.randomized_threshold:
        return
    is_none = threshold > 0
    reasons = _tie_to_blame(rule, samples) if is_none else []
    reasons = reasons or [
        "Check that higher scores mean the positive class, and that `objective` and "
        "constraints ask for what you need."
    ]
    which = "no" if is_none else "every"
    options.warn_caller(
        f"The chosen threshold is {threshold}: {which} tuning sample is predicted "
        f"positive. {reasons[0]}"
    )


def _tie_to_blame(rule, samples):
    """A sentence on ties of both classes at 1, or at 1 and 0, in a list; else no sentence.

    They are to blame if no threshold meets the constraints and predicts a sample positive,
    and one would if the positive samples of a tie had higher scores than the negative ones.
    """
    ties = saturated(samples)
    if not ties or _meets(rule, samples):
        return []
    score, blamed = samples.score.astype(np.float64), []
    for end, tied in ties.items():
        # One class leaves the tie by the smallest float, away from the scores inside (0,
        # 1).
        moved = tied & (samples.positive if end else ~samples.positive)
        score[moved] = np.nextafter(end, 3 * end - 1)
        n_tied, n_positive = np.sum(tied), np.sum(tied & samples.positive)
        blamed.append(
            f"{n_positive} positive and {n_tied - n_positive} negative samples share the "
            f"score {end}"
        )
        if _meets(rule, samples._replace(score=score)):
            shared = ", ".join(blamed)
            return [f"{shared}: use scores that tell them apart, such as decision values."]
    return []


def _meets(rule, samples):
    """Whether a threshold meets the constraints and predicts a sample positive."""
    curve = tuning_roc(samples, rule.prevalence)
    return best_candidate(curve, rule, np.arange(1, len(curve.tps))) is not None
