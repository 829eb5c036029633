"""Thresholds at which constraints are met on new data with a given confidence.

Assumptions: the classifier was not fitted on the tuning samples, and tuning samples and new
samples, or their clusters, are drawn independently from one distribution. Nothing is
assumed about the scores.
"""

from bisect import bisect_left
from functools import cached_property, lru_cache
from math import log
from typing import NamedTuple

import numpy as np
from scipy.special import rel_entr
from scipy.stats import binom

from ..metrics._rates import CONSTRAINTS
from ._choice import (
    Rule,
    TuningROC,
    best_candidate,
    best_choice,
    evenly_spaced,
    listed_constraints,
    points_reached,
    reachable,
    tuning_roc,
)
from ._units import MOST_NEEDED, UnitTests, needed_text, number_of, or_more

# This share of the tuning samples orders the thresholds, and the others test them. With a
# share of 1/2, precision exceeds its bound by a fifth more. With 1/10, the first threshold
# that is tested fails too often.
_LEARNING = 0.2
# Units test at most this many thresholds in order, because each test takes a pass over the
# samples.
_MOST_IN_ORDER = 200
# The message of an error suggests one of this many bounds between the given bound and none.
_STEPS = 1000


class BinomialTests:
    """Exact tests of constraints at the points of a tuning curve, by its samples."""

    def __init__(self, curve: TuningROC):
        self.curve = curve

    @cached_property
    def counts(self):
        """The counts of the samples at all points."""
        return self.curve.counts

    @property
    def tested(self):
        """How many samples test, as text."""
        return number_of(self.curve.n_above[-1], "tested samples")

    def passed(self, name, bound, points, error_rate):
        """Mask of the points at which a constraint passes."""
        return has_passed(name, bound, [count[points] for count in self.counts], error_rate)

    def all_passed(self, bounds, points, error_rate):
        """Mask of the points at which all constraints pass."""
        counts = [count[points] for count in self.counts]
        passes = (
            has_passed(name, bound, counts, error_rate) for name, bound in bounds.items()
        )
        return np.logical_and.reduce([*passes])

    def shortage(self, name, bound, error_rate):
        """Text on the samples that a constraint needs and has; None if it has enough."""
        violations, n, limit = _violations(name, bound, self.counts)
        fewest = int(violations[1:].min())
        if fewest <= most_violations(n, limit, error_rate):
            return None
        needed = needed_text(samples_needed(fewest, limit, error_rate))
        what = f"{needed} {CONSTRAINTS[name].counted}"
        return f"that takes {what} in the tuning set. Got {n}."

    def needed(self, name, bound, error_rate):
        """Text with the least number of samples that a constraint needs."""
        limit = 1 - bound if CONSTRAINTS[name].sign > 0 else bound
        needed = or_more(samples_needed(0, limit, error_rate))
        return f"{needed} {CONSTRAINTS[name].counted}"


class _Tests(NamedTuple):
    """What tests the constraints of a rule.

    Attributes
    ----------
    rule : Rule
    by_all : BinomialTests or UnitTests
        All tuning samples. They test each constraint that is not tested in order.
    in_order : list of str
        Constraints that are tested together, threshold after threshold.
    ordering_curve : TuningROC or None
        The samples that order the thresholds.
    tests_in_order : BinomialTests, UnitTests or None
        The samples that test the constraints in order: all tuning samples if other samples
        order the thresholds, else the tuning samples that do not order them.
    error_rate : float
        The error rate of each test.
    level : str
        The confidence as text.
    """

    rule: Rule
    by_all: BinomialTests | UnitTests
    in_order: list[str]
    ordering_curve: TuningROC | None
    tests_in_order: BinomialTests | UnitTests | None
    error_rate: float
    level: str

    @property
    def at_once(self):
        """The other constraints, which are tested at all thresholds at once."""
        return [name for name in self.rule.constraints if name not in self.in_order]


def guaranteed_choice(samples, curve, rule, random_state, ordering, units=None):
    """The `Choice` among thresholds that meet the constraints on new data, too.

    The guarantee is simultaneous for all these thresholds, so any objective may choose
    among them.

    Parameters
    ----------
    samples : BinaryData
        The tuning set.
    curve : TuningROC
        Counts of the tuning set at every threshold.
    rule : Rule
        With constraints and a confidence.
    random_state : Generator
        Draws the samples that determine the order of the tests, if other samples do not.
    ordering : BinaryData or None
        Other samples, whose labels determine the order of the tests.
    units : Units or None
        The units of the tuning set, if they are not samples of equal weight.

    Returns
    -------
    Choice
        With its `guarantee`.

    Raises
    ------
    ValueError
        If there is no such threshold. The message names the number of samples that a
        constraint takes, and bounds that these samples guarantee.
    """
    for name, bound in rule.constraints.items():
        if bound == int(CONSTRAINTS[name].sign > 0):
            raise ValueError(
                f"`{name}`={bound} cannot be guaranteed: no finite sample rules out every "
                "exception. Relax it."
            )
    ordering_curve = None
    if ordering is not None:
        ordering_curve = tuning_roc(ordering, rule.prevalence)
    tests = _tests_of(samples, curve, rule, random_state, ordering_curve, units)
    choice = _choice_of(tests)
    if choice is None:
        raise ValueError(_not_guaranteed(tests))
    guarantee = {"confidence_level": rule.confidence_level} | rule.constraints
    return choice._replace(guarantee=guarantee)


def _tests_of(samples, curve, rule, random_state, ordering_curve, units):
    """The `_Tests` of a rule; `ordering_curve` is that of other samples, or None.

    With other samples the error rate is not divided: a threshold that violates a constraint
    passes the test of this constraint with probability `error_rate` at most, whatever the
    others are (an intersection-union test).
    """
    constraints, level = rule.constraints, f"`confidence_level`={rule.confidence_level}"
    # A confidence near 0 is not rounded to an error rate of 1, whose complement is 0.
    error_rate = min(1 - rule.confidence_level, np.nextafter(1, 0))
    by_all = BinomialTests(curve) if units is None else UnitTests(units, curve)
    if ordering_curve is not None and (rule.in_order or len(constraints) > 1):
        in_order = [*constraints]
        return _Tests(rule, by_all, in_order, ordering_curve, by_all, error_rate, level)
    parts = _parts_of_error(rule)
    error_rate /= len(parts)
    if len(parts) > 1:
        level += f", shared by {len(parts)} constraints"
        as_one = [text for text, names in parts.items() if len(names) > 1]
        level += "".join(f" ({text} count as one)" for text in as_one)
    ordering_curve = tests_in_order = None
    if rule.in_order:
        ordering_curve, tests_in_order = _learn_and_test(samples, units, random_state)
    return _Tests(
        rule, by_all, rule.in_order, ordering_curve, tests_in_order, error_rate, level
    )


def _parts_of_error(rule):
    """The constraints that share a part of the error rate, by the name of the part in text.

    Constraints that are tested in order share one sequence of tests. The two upper bounds
    need no sequence: the thresholds at which the true false positive rate is too high, and
    those at which the true selection rate is, are nested half-lines, and both bounds are
    kept unless a threshold in the longer line passes the test of that line's bound.
    """
    in_order, constraints = rule.in_order, rule.constraints
    upper_bounds = ["max_selection_rate", "max_fpr"]
    if not all(name in constraints for name in upper_bounds):
        upper_bounds = []  # one of them counts like any other constraint
    alone = [name for name in constraints if name not in (*in_order, *upper_bounds)]
    parts = {
        "the two upper bounds": upper_bounds,
        " and ".join(f"`{name}`" for name in in_order): in_order,
        **{f"`{name}`": [name] for name in alone},
    }
    return {text: names for text, names in parts.items() if names}


def _learn_and_test(samples, units, random_state):
    """The curve of a random share of the tuning set, and the tests by the others."""
    if units is not None:
        if len(units.weight) == 1:
            raise ValueError(
                "`groups` must have two clusters or more if there is no `order_from`: one "
                "orders the thresholds, and another one tests them. Got 1 cluster; pass "
                "samples of more clusters."
            )
        learning, testing = units.split(random_state, _LEARNING)
        curve = tuning_roc(testing.samples, None)
        return tuning_roc(learning.samples, None), UnitTests(testing, curve)
    mixed = random_state.permutation(len(samples.positive))
    n_learning = max(1, round(_LEARNING * len(mixed)))
    learned, tested = (
        tuning_roc(samples.take(part), None) for part in np.split(mixed, [n_learning])
    )
    return learned, BinomialTests(tested)


def _choice_of(tests):
    """The `Choice` among the thresholds at which all tests pass; None if there is none."""
    rule, curve = tests.rule, tests.by_all.curve
    points = np.arange(1, len(curve.tps))  # point 0 predicts no sample positive
    if tests.in_order:
        points = _passed_in_order(tests)
        if not len(points):
            return None
    holds = np.ones(len(points), dtype=bool)
    for name in tests.at_once:
        bound = rule.constraints[name]
        holds &= tests.by_all.passed(name, bound, points, tests.error_rate)
    return best_choice(curve, rule, points[holds])


# The test of one constraint at one threshold


def has_passed(name, bound, counts, error_rate):
    """Mask of the points at which the exact binomial test of a constraint passes."""
    if not CONSTRAINTS[name].has_fixed_whole:
        part, whole = CONSTRAINTS[name].parts(*counts)
        # Chernoff's bound of both tails, exp(-n KL), decides most points in a fourth of the
        # time of an exact p-value, which is left for rates near the bound.
        expected = bound * whole
        n_kl = rel_entr(part, expected) + rel_entr(whole - part, whole - expected)
        passes = part > expected
        near = np.flatnonzero(n_kl < -log(min(error_rate, 1 - error_rate)))
        passes[near] = binom.sf(part[near] - 1, whole[near], bound) <= error_rate
        return passes
    violations, n, limit = _violations(name, bound, counts)
    return violations <= most_violations(n, limit, error_rate)


def _violations(name, bound, counts):
    """Samples that violate a constraint at each point, of how many, and the limit."""
    part, whole = CONSTRAINTS[name].parts(*counts)
    n = int(whole[0])
    return (n - part, n, 1 - bound) if CONSTRAINTS[name].sign > 0 else (part, n, bound)


@lru_cache
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

    The result is `MOST_NEEDED` + 1 if more are needed.
    """
    numbers = range(MOST_NEEDED + 1)
    return bisect_left(
        numbers, True, key=lambda n: binom.cdf(fewest, n, limit) <= error_rate
    )


# Tests in order: learn, then test


def _passed_in_order(tests):
    """Points of the tuning curve whose thresholds pass the tests in order.

    All real thresholds are tested in turn, until the first that fails a test
    (fixed-sequence testing, Angelopoulos et al. 2021). Thresholds between two neighboring
    scores of the samples that test have one result, so there is one test for each point of
    their curve, and the choice does not depend on the scale of the scores. The order does
    not depend on the labels that test. The first threshold in this order that violates a
    constraint passes with probability `error_rate` at most, and the thresholds after it
    pass only if it passes. Units test only some of the points.
    """
    by, scores = tests.tests_in_order, tests.tests_in_order.curve.scores
    order = _testing_order(tests, scores)
    if isinstance(by, UnitTests):
        order = evenly_spaced(order, _MOST_IN_ORDER)
    bounds = {name: tests.rule.constraints[name] for name in tests.in_order}
    is_passed = np.zeros(len(by.curve.tps), dtype=bool)
    # Most sequences end early, so blocks of tests start small and double in size.
    start, size = 0, 64
    while start < len(order):
        points = order[start : start + size]
        passes = by.all_passed(bounds, points, tests.error_rate)
        is_passed[points[np.logical_and.accumulate(passes)]] = True
        if not passes.all():
            break
        start, size = start + size, 2 * size
    if by is tests.by_all:
        return 1 + np.flatnonzero(is_passed[1:])
    # The tuning set has more scores than the samples that test.
    tested = points_reached(scores, tests.by_all.curve.scores)
    return 1 + np.flatnonzero(is_passed[tested])


def _testing_order(tests, scores):
    """Points of the curve of the samples that test, in the order of the tests.

    `scores` are those of the points of this curve, from the second one on. The first
    threshold is the score most likely to pass on the samples that give the order. The
    thresholds towards the best objective of these samples follow, up to the end of the
    curve, and then those on the other side. A last point at which a rate is 0/0, such as
    NPV, is left out, because it would end the tests.
    """
    ordering_curve, n_points = tests.ordering_curve, len(scores) + 1
    counts = ordering_curve.counts
    surest = _surest(counts, tests.rule, tests.in_order)
    lowest = ordering_curve.scores_above(ordering_curve.n_above[[surest]])
    start = points_reached(scores, lowest).item()
    last = [count[-1] for count in counts]
    n_points -= any(CONSTRAINTS[name].parts(*last)[1] == 0 for name in tests.in_order)
    down, up = np.arange(start, n_points), np.arange(start - 1, 0, -1)
    found = best_candidate(ordering_curve, tests.rule)
    n_first = 1 if found is not None and found[0].stricter < surest else len(down)
    return np.concatenate((down[:n_first], up, down[n_first:]))


def _surest(counts, rule, names):
    """The point most likely to pass: its lowest z statistic of a constraint is highest."""
    z, counts = np.inf, [count[1:] for count in counts]
    for name in names:
        constraint, bound = CONSTRAINTS[name], rule.constraints[name]
        part, whole = constraint.parts(*counts)
        excess = constraint.sign * (part - bound * whole)
        spread = np.sqrt(whole)
        of_rate = np.full(len(whole), -np.inf)
        np.divide(excess, spread, out=of_rate, where=spread > 0)
        z = np.minimum(z, of_rate / np.sqrt(bound * (1 - bound)))
    return 1 + int(np.argmax(z))


# Messages


def _not_guaranteed(tests):
    """Error message: what is missing, and bounds that the samples guarantee."""
    constraints = tests.rule.constraints
    for name in tests.at_once:
        what = tests.by_all.shortage(name, constraints[name], tests.error_rate)
        if what is not None:
            return _message(tests, [name], what)
    what = "no threshold passes the tests and meets the constraints on the tuning set."
    for name in tests.rule.in_order:
        needed = tests.tests_in_order.needed(name, constraints[name], tests.error_rate)
        what += f" `{name}` takes {needed} among the {tests.tests_in_order.tested}."
    return _message(tests, [*constraints], what)


def _message(tests, names, what):
    """The whole message: `names` cannot be guaranteed, for the reason `what`."""
    constraints = tests.rule.constraints
    bounds = {name: constraints[name] for name in names}
    found = [f"`{name}`={bound}" for name in names if (bound := _relaxed(tests, name))]
    instead = f" These samples guarantee {' or '.join(found)}" if found else ""
    if found and len(constraints) > 1:
        instead += " with the other bounds unchanged"
    return (
        f"{listed_constraints(bounds)} cannot be guaranteed with {tests.level}: {what}"
        f"{instead}{'.' * bool(found)} Hold out more samples, or relax "
        f"{' or '.join(f'`{name}`' for name in (*names, 'confidence_level'))}."
    )


def _relaxed(tests, name):
    """The tightest bound of a constraint that the samples guarantee, as text, or None.

    It is one of `_STEPS` bounds, rounded to the safe side; the others stay as they are.
    """
    constraint, bound = CONSTRAINTS[name], tests.rule.constraints[name]
    end = int(constraint.sign < 0)  # every threshold meets this bound

    def bound_at(step):
        return reachable(bound + (end - bound) * step / _STEPS, constraint.sign)

    def is_guaranteed(step):
        relaxed = float(bound_at(step))
        if relaxed == end:
            return True
        rule = tests.rule._replace(constraints=tests.rule.constraints | {name: relaxed})
        return _choice_of(tests._replace(rule=rule)) is not None

    found = bound_at(bisect_left(range(_STEPS), True, lo=1, key=is_guaranteed))
    return None if float(found) == end else found
