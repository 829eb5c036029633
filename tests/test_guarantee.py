"""Constraints with a confidence: exact binomial facts, errors, and simulation."""

import pickle
import re
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import binom, norm
from sklearn.base import clone
from sklearn.datasets import make_multilabel_classification
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import recall_score
from sklearn.model_selection import (
    ShuffleSplit,
    StratifiedShuffleSplit,
    cross_val_predict,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from tuning_sets import (
    ALL_OR_NONE,
    all_thresholds,
    counts_at,
    tuned_on,
    two_classes,
)

from sklearn_achievable_pr import HullThresholdClassifierCV, choose_threshold
from sklearn_achievable_pr.results import Guarantee


def binormal(rng, n_samples, prevalence, distance, levels=None):
    """Scores and labels; `levels` is the number of scores per standard deviation."""
    y = (rng.random(n_samples) < prevalence).astype(int)
    score = rng.normal(size=n_samples) + distance * y
    return (score if levels is None else np.floor(score * levels) / levels), y


def truth(threshold, prevalence, distance):
    """Rates of new data at a threshold, without ties."""
    recall, fpr = norm.sf(threshold - distance), norm.sf(threshold)
    selected = prevalence * recall + (1 - prevalence) * fpr
    return {
        "recall": recall,
        "precision": prevalence * recall / selected,
        "selection_rate": selected,
        "fpr": fpr,
    }


# Recall, selection rate, false positive rate


def probability_of_missing(m, n, limit):
    """Exact probability that at most m of n samples are in the outermost `limit`."""
    limit = Fraction(limit)
    return sum(comb(n, i) * limit**i * (1 - limit) ** (n - i) for i in range(m + 1))


@pytest.mark.parametrize(
    ("bound", "error_rate"), [(0.5, 0.5), (0.75, 0.1), (0.9, 0.05), (0.99, 0.01)]
)
def test_the_missed_positives_that_a_recall_allows_are_those_of_exact_tails(
    bound, error_rate
):
    limit = 1 - Fraction(str(bound))
    error = Fraction(str(error_rate))
    params = {"min_recall": bound, "confidence_level": 1 - error_rate}
    # The highest threshold that passes is best.
    params["objective"] = lambda tps, fps, fns, tns: -tps - fps
    for n_pos in (1, 2, 5, 29, 58, 401):
        score, y = separated(n_pos, 1)
        score = score + 0.5  # scores of 0 and 1 would look like labels
        try:
            point = choose_threshold(y, score, **params)
        except ValueError as caught:
            needed = int(re.search(r"that takes (\d+) positives", str(caught))[1])
            assert n_pos < needed
            assert (1 - limit) ** needed <= error < (1 - limit) ** (needed - 1)
            continue
        n_missed = np.count_nonzero(score[y] < point.threshold)
        # Rounding may exclude an exact equality.
        assert probability_of_missing(n_missed, n_pos, limit) <= error
        rounded = error * (1 - Fraction(1, 10**12))
        assert probability_of_missing(n_missed + 1, n_pos, limit) > rounded


def separated(n_pos, n_neg):
    """Positives above all negatives, scores one apart."""
    return np.arange(n_pos + n_neg), np.arange(n_pos + n_neg) >= n_neg


@pytest.mark.parametrize(
    ("name", "bound", "n_pos", "n_neg", "threshold", "kind"),
    [
        ("min_recall", 0.9, 29, 40, 39.5, "29 positives"),
        ("max_fpr", 0.1, 40, 29, 28.5, "29 negatives"),
        # Selecting no sample is no candidate, so one may be selected: binom.cdf(1, 46, .1)
        # <= .05.
        ("max_selection_rate", 0.1, 20, 26, 44.5, "46 samples"),
    ],
)
def test_the_stated_number_of_samples_is_enough(name, bound, n_pos, n_neg, threshold, kind):
    params = {"objective": "f1", name: bound, "confidence_level": 0.95}
    score, y = separated(n_pos, n_neg)
    model = tuned_on(score, y.astype(int), **params)
    assert model.threshold_ == threshold
    fewer = separated(n_pos - (name == "min_recall"), n_neg - (name != "min_recall"))
    with pytest.raises(ValueError, match="cannot be guaranteed") as caught:
        tuned_on(fewer[0], fewer[1].astype(int), **params)
    n_needed, _, what = kind.partition(" ")
    parts = re.fullmatch(
        rf"`{name}`={bound} cannot be guaranteed with `confidence_level`=0\.95: that takes "
        rf"{n_needed} {what} in the tuning set\. Got {int(n_needed) - 1}\. These samples "
        rf"guarantee `{name}`=([\d.]+)\. Hold out more samples, or relax `{name}` or "
        rf"`confidence_level`\.",
        str(caught.value),
    )
    # The bound can be guaranteed, and a tighter one not.
    best, step = float(parts[1]), 0.001 if name == "min_recall" else -0.001
    tuned_on(fewer[0], fewer[1].astype(int), **params | {name: best})
    with pytest.raises(ValueError, match="cannot be guaranteed"):
        tuned_on(fewer[0], fewer[1].astype(int), **params | {name: best + step})


@pytest.mark.parametrize(
    ("name", "seed"),
    [("min_recall", 0), ("min_recall", 1), ("max_selection_rate", 3), ("max_fpr", 4)],
)
def test_no_guaranteed_threshold_is_better(name, seed):
    rng = np.random.default_rng(seed)
    score, y = binormal(rng, 400, 0.3, 1.0, levels=3 if seed % 2 else None)
    table = all_thresholds(score, y)
    fp, tp = table["counts"]
    violations, n = {
        "min_recall": (y.sum() - tp, y.sum()),
        "max_selection_rate": (tp + fp, 400),
        "max_fpr": (fp, 400 - y.sum()),
    }[name]
    bound = 0.8 if name == "min_recall" else 0.2
    # Selecting no sample is no candidate.
    allowed = (binom.cdf(violations, n, 0.2) <= 0.1) & (tp + fp > 0)
    utility = -(fp + 2 * (y.sum() - tp)) / 400
    for objective, values in (
        *((named, table[named]) for named in ("precision", "recall", "f1")),
        ({"fp": -1, "fn": -2}, utility),
    ):
        model = tuned_on(
            score, y, objective=objective, confidence_level=0.9, **{name: bound}
        )
        best = values[allowed].max()
        assert model.operating_point_.objective_value == pytest.approx(best, rel=1e-12)


# Precision


def test_precision_is_tested_on_four_fifths():
    """The other fifth, which gives the order, is drawn by the random state."""
    rng = np.random.default_rng(0)
    score, y = binormal(rng, 1000, 0.3, 2.0)
    params = {"objective": "recall", "min_precision": 0.7, "confidence_level": 0.9}
    model = tuned_on(score, y, random_state=4, **params)
    testing = np.random.default_rng(4).permutation(1000)[200:]
    # The next lower score of the samples that test was tested and failed.
    lower = score[testing][score[testing] < model.threshold_].max()
    for threshold, passed in ((model.threshold_, True), (lower, False)):
        fp, tp = counts_at(threshold, score[testing], y[testing])
        tail = probability_of_missing(int(fp), int(tp + fp), Fraction(3, 10))
        assert (tail <= Fraction(1, 10)) == passed
    same, other = (tuned_on(score, y, random_state=seed, **params) for seed in (4, 5))
    assert same.threshold_ == model.threshold_ != other.threshold_


def test_the_threshold_of_a_guarantee_is_a_kept_one():
    for seed in range(4):
        rng = np.random.default_rng(seed)
        score, y = binormal(rng, 500, 0.4, 2.0)
        params = {"min_precision": 0.6, "confidence_level": 0.9, "random_state": seed}
        model, free = tuned_on(score, y, **params), tuned_on(score, y)
        assert model.threshold_ in model.thresholds_
        np.testing.assert_array_equal(model.thresholds_[model.is_vertex_], free.thresholds_)
        for i, threshold in enumerate(model.thresholds_):
            found = tuple(counts[i] for counts in model.tuning_counts_)
            assert found == counts_at(threshold, score, y)
        X = score.reshape(-1, 1)
        np.testing.assert_array_equal(model.predict_proba(X), free.predict_proba(X))
        np.testing.assert_array_equal(model.decision_function(X) > 0, model.predict(X) == 1)


@pytest.mark.parametrize(
    ("objective", "low", "high"),
    [
        ("precision", 0, 0.12),
        ("recall", 0.87, 0.93),
        ("f1", 0.74, 0.83),
        ("mcc", 0.74, 0.83),
    ],
)
def test_the_sequence_goes_towards_the_objective(objective, low, high):
    """Mean recall of 20 tuning sets; tested the other way round, 0.5 for precision."""
    params = {"objective": objective, "min_precision": 0.6, "confidence_level": 0.9}
    points = [
        tuned_on(
            *binormal(np.random.default_rng(seed), 2000, 0.3, 2.0), **params, random_state=0
        ).operating_point_
        for seed in range(20)
    ]
    assert low < np.mean([point.recall for point in points]) < high
    assert min(point.precision for point in points) >= 0.6


@ALL_OR_NONE
@pytest.mark.parametrize("objective", ["recall", "f1", {"tp": 1, "fp": -1}], ids=str)
def test_parts_of_one_class(objective):
    # The fifth that orders the tests has no positive more often than not.
    score, y = np.arange(60.0), np.arange(60) % 20 == 19
    params = {"objective": objective, "min_precision": 0.04, "confidence_level": 0.5}
    n_found = 0
    for seed in range(20):
        try:
            model = tuned_on(score, y.astype(int), random_state=seed, **params)
            n_found += model.operating_point_.precision >= 0.04
        except ValueError as error:
            if "cannot be guaranteed" not in str(error):
                raise
    assert n_found > 6


@pytest.mark.parametrize("groups", [None, [0, 0, 1, 1]], ids=["samples", "clusters"])
@pytest.mark.parametrize(
    ("bound", "needed"), [(1e-30, "more than 10**15"), (1e-9, "2303000000")]
)
def test_a_number_of_samples_that_nobody_has_is_short(bound, needed, groups):
    y, score = [0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4]
    with pytest.raises(ValueError, match=f"that takes {re.escape(needed)} "):
        choose_threshold(y, score, max_fpr=bound, confidence_level=0.9, groups=groups)


def test_thresholds_that_pass_the_tests_but_miss_the_bound_on_all_samples():
    rule = {"min_precision": 0.6, "confidence_level": 0.1, "random_state": 0}
    with pytest.raises(ValueError, match="no threshold passes the tests and meets"):
        choose_threshold([1, 0, 0, 0, 1], [5, 4, 3, 2, 1], **rule)


def test_a_precision_that_no_threshold_guarantees():
    score, y = separated(30, 60)
    params = {"objective": "recall", "min_precision": 0.9, "confidence_level": 0.95}
    # 29 true positives without a false one prove 0.9; four fifths of them are tested.
    match = (
        r"`min_precision`=0\.9 cannot be guaranteed with `confidence_level`=0\.95: no "
        r"threshold passes the tests and meets the constraints on the tuning set\. "
        r"`min_precision` takes 29 or more predicted positives among the 72 tested "
        r"samples\. These samples guarantee `min_precision`=(0\.8\d+)\. Hold out more "
        "samples, or "
    )
    with pytest.raises(ValueError, match=match) as caught:
        tuned_on(score, y.astype(int), random_state=0, **params)
    best = float(re.search(match, str(caught.value))[1])
    tuned_on(score, y.astype(int), random_state=0, **params | {"min_precision": best})
    with pytest.raises(ValueError, match="cannot be guaranteed"):
        tuned_on(
            score, y.astype(int), random_state=0, **params | {"min_precision": best + 1e-3}
        )
    score, y = separated(200, 60)
    model = tuned_on(score, y.astype(int), random_state=0, **params)
    assert model.operating_point_.precision >= 0.9


def test_a_precision_guaranteed_with_equality():
    # Two of two positives guarantee precision .5 with confidence .75: .5 ** 2 == 1 - .75.
    score, y = np.r_[np.arange(8.0), 100, 101, 102], np.repeat([0, 1], [8, 3])
    params = {"min_precision": 0.5, "confidence_level": 0.75, "objective": "precision"}
    learned = [np.random.default_rng(seed).permutation(11)[:2] for seed in range(99)]
    seed = next(i for i, part in enumerate(learned) if 8 in part and min(part) < 7)
    assert tuned_on(score, y, random_state=seed, **params).operating_point_.recall > 0


@ALL_OR_NONE
def test_parts_of_one_sample():
    params = {"min_precision": 0.3, "confidence_level": 0.5}
    for seed in range(20):
        if np.random.default_rng(seed).permutation(2)[1] == 0:  # the positive is tested
            # The other sample alone determines the order: the test is that of all
            # thresholds.
            model = tuned_on([1.0, 0.0], [1, 0], random_state=seed, **params)
            assert model.threshold_ == 0.5


@pytest.mark.parametrize(
    ("name", "bound"),
    [
        ("min_recall", 1),
        ("min_precision", 1),
        ("max_selection_rate", 0),
        ("max_fpr", 0),
    ],
)
def test_no_number_of_samples_guarantees_recall_1(name, bound):
    score, y = separated(1000, 1000)
    with pytest.raises(ValueError, match=f"`{name}`={bound}.0 cannot be guar.*: no finite"):
        tuned_on(score, y.astype(int), confidence_level=0.9, **{name: bound})


# Both


def test_constraints_share_the_error_rate():
    score, y = separated(36, 60)
    params = {"min_recall": 0.9, "confidence_level": 0.95}
    tuned_on(score, y.astype(int), **params)
    assert 0.9**36 <= 0.025 < 0.9**35
    tuned_on(score, y.astype(int), min_precision=0.3, random_state=0, **params)
    score, y = separated(35, 60)
    with pytest.raises(
        ValueError,
        match=r"with `confidence_level`=0\.95, shared by 2 constraints: that takes 36 "
        r"positives in the tuning set\. Got 35",
    ):
        tuned_on(score, y.astype(int), min_precision=0.3, random_state=0, **params)


def test_constraints_that_cannot_be_guaranteed_together():
    score, y = binormal(np.random.default_rng(0), 2000, 0.3, 1.0)
    constraints = {"min_recall": 0.9, "min_precision": 0.4, "max_fpr": 0.8}
    for name, bound in constraints.items():
        tuned_on(score, y, confidence_level=0.9, random_state=0, **{name: bound})
    match = (
        "`min_recall`=.* and `min_precision`=.* and `max_fpr`=.* cannot be guaranteed with "
        "`confidence_level`=.*, shared by 3 constraints: no threshold passes the tests"
    )
    with pytest.raises(ValueError, match=match):
        tuned_on(score, y, confidence_level=0.9, random_state=0, **constraints)


def test_the_operating_point_has_its_guarantee():
    score, y = binormal(np.random.default_rng(0), 2000, 0.3, 2.0)
    constraints = {"min_recall": 0.6, "min_precision": 0.5, "max_fpr": 0.5}
    model = tuned_on(score, y, confidence_level=0.9, random_state=0, **constraints)
    point = model.operating_point_
    assert point.threshold == model.threshold_
    assert point.guarantee == Guarantee(0.9, 0.6, 0.5, max_fpr=0.5)
    assert pickle.loads(pickle.dumps(point)) == point
    assert (
        "On new data recall is at least 0.6 and precision is at least 0.5 and false "
        "positive rate is at most 0.5, with confidence 0.9, for independent samples of "
        "this population. Tuning set:"
    ) in " ".join(str(point).split())
    free = tuned_on(score, y, **constraints).operating_point_
    assert point.objective_value_without_guarantee == free.objective_value
    with pytest.raises(AttributeError, match="cannot assign"):
        point.recall = 1

    alone = tuned_on(score, y, confidence_level=0.9, min_recall=0.6)
    assert alone.operating_point_.guarantee == Guarantee(0.9, min_recall=0.6)
    trivial = {"min_precision": 0, "max_fpr": 1, "max_selection_rate": 1.0}
    same = tuned_on(score, y, confidence_level=0.9, min_recall=0.6, **trivial)
    assert same.operating_point_ == alone.operating_point_
    assert tuned_on(score, y, **constraints).operating_point_.guarantee is None


# The order from other samples


def rates_at(threshold, score, y):
    """Part and whole of each rate at a threshold, counted."""
    above = [label for s, label in zip(score, y, strict=True) if s >= threshold]
    tp, n_pos = sum(above), sum(y)
    return {
        "min_recall": (tp, n_pos),
        "min_precision": (tp, len(above)),
        "min_npv": (len(y) - len(above) - n_pos + tp, len(y) - len(above)),
        "max_selection_rate": (len(above), len(y)),
        "max_fpr": (len(above) - tp, len(y) - n_pos),
    }


def p_value(name, bound, part, whole):
    """The exact binomial test that a rate violates its bound."""
    if name.startswith("min"):
        return binom.sf(part - 1, whole, bound) if whole else 1.0
    return binom.cdf(part, whole, bound)


def passed_by_a_loop(score, y, other, constraints, error_rate):
    """Scores before the first that fails as a threshold, of an order that goes down."""
    other_y, other_score = other
    z = {}
    for threshold in sorted(set(other_score.tolist()), reverse=True):
        statistics = []
        for name, bound in constraints.items():
            part, whole = rates_at(threshold, other_score, other_y)[name]
            sign = 1 if name.startswith("min") else -1
            spread = np.sqrt(whole * bound * (1 - bound))
            excess = sign * (part - bound * whole)
            statistics.append(excess / spread if whole else -np.inf)
        z[threshold] = min(statistics)
    start = max(z, key=z.get)
    falling = sorted(set(score.tolist()), reverse=True)
    first = max(sum(threshold >= start for threshold in falling), 1) - 1
    passed = []
    for threshold in falling[first:]:
        rates = rates_at(threshold, score, y)
        p = max(p_value(name, bound, *rates[name]) for name, bound in constraints.items())
        if p > error_rate:
            break
        passed.append(threshold)
    return passed


# Constraints, and the number of scores per standard deviation.
JOINT = [
    ({"min_precision": 0.5}, None),
    ({"min_recall": 0.4, "max_selection_rate": 0.5}, 4),
    ({"min_precision": 0.5, "min_recall": 0.3, "max_fpr": 0.3}, 4),
    ({"min_precision": 0.4, "min_npv": 0.75, "max_selection_rate": 0.6}, None),
]


@pytest.mark.slow
@pytest.mark.parametrize(("constraints", "levels"), JOINT)
def test_an_order_from_other_samples_against_a_loop(constraints, levels):
    n_found = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        score, y = binormal(rng, 300, 0.3, 1.5, levels)
        other = binormal(rng, 250, 0.3, 1.5, levels)[::-1]
        passed = passed_by_a_loop(score, y, other, constraints, 0.1)
        params = {"objective": "recall", "confidence_level": 0.9, "order_from": other}
        if not passed:
            with pytest.raises(ValueError, match="no threshold passes the tests"):
                choose_threshold(y, score, **params, **constraints)
            continue
        n_found += 1
        point = choose_threshold(y, score, **params, **constraints)
        assert score[score >= point.threshold].min() in passed
        tps, n_pos = rates_at(passed[-1], score, y)["min_recall"]
        assert point.recall == tps / n_pos
        assert point.guarantee == Guarantee(0.9, **constraints)
    assert n_found > 6


@ALL_OR_NONE
@pytest.mark.parametrize(
    ("bound", "error_rate", "prevalence"),
    [(0.02, 1e-9, 0.2), (0.3, 0.7, 0.3), (0.3, 1e-6, 0.5), (0.95, 0.5, 0.97)],
)
def test_a_precision_passes_while_its_exact_p_value_is_at_most_the_error_rate(
    bound, error_rate, prevalence
):
    n_found = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        score, y = binormal(rng, 150, prevalence, 1.5)
        other = binormal(rng, 150, prevalence, 1.5)[::-1]
        rule = {"min_precision": bound}
        passed = passed_by_a_loop(score, y, other, rule, error_rate)
        if not passed:
            continue
        n_found += 1
        point = choose_threshold(
            y, score, objective="recall", confidence_level=1 - error_rate,
            order_from=other, **rule,
        )  # fmt: skip
        assert point.recall == np.mean(score[y == 1] >= passed[-1])
    assert n_found > 3


def ordered(seed=0, n_samples=500):
    """Labels and scores of tuning samples and of other samples."""
    rng = np.random.default_rng(seed)
    tuning, other = binormal(rng, n_samples, 0.3, 1.5), binormal(rng, n_samples, 0.3, 1.5)
    return tuning[::-1], other[::-1]


PRECISE = {"objective": "recall", "min_precision": 0.6, "confidence_level": 0.9}


def test_other_samples_find_more_than_a_fifth_of_the_tuning_set():
    reached = {"fifth": [], "other": []}
    for seed in range(20):
        tuning, other = ordered(seed)
        for name, order_from in (("fifth", None), ("other", other)):
            params = PRECISE | {"min_recall": 0.3, "order_from": order_from}
            try:
                point = choose_threshold(*tuning, random_state=0, **params)
                reached[name].append(point.recall)
            except ValueError:
                reached[name].append(0)
    assert np.mean(reached["other"]) > np.mean(reached["fifth"]) + 0.05


def test_permuted_tuning_samples_give_the_same_threshold():
    (y, score), other = ordered()
    mixed = np.random.default_rng(1).permutation(len(y))
    first, second = (
        choose_threshold(y[rows], score[rows], order_from=other, **PRECISE)
        for rows in (slice(None), mixed)
    )
    assert first == second


def test_a_useless_order_gives_a_guarantee_or_none():
    """Its thresholds pass the same tests: the precision of the tuning set is above 0.6."""
    tuning, (y, score) = ordered(n_samples=2000)
    n_found = 0
    for seed in range(20):
        useless = np.random.default_rng(seed).permutation(y), score
        try:
            point = choose_threshold(*tuning, order_from=useless, **PRECISE)
        except ValueError:
            continue
        n_found += 1
        above = round(point.selection_rate * 2000)
        tps = round(point.recall * tuning[0].sum())
        assert binom.sf(tps - 1, above, 0.6) <= 0.1
    assert 0 < n_found < 20


RESCALED = {
    "a third": lambda score: score / 3,
    "a float32": lambda score: score.astype(np.float32),
    "shifted": lambda score: 1e-6 * score - 1234.5,
    "an exponential": np.exp,
}


def random_rule(seed):
    """Tuning samples with scores that a float32 holds, and keywords of a guarantee."""
    rng = np.random.default_rng(seed)
    (y, score), other = ordered(seed, 200)
    params = {"objective": ["recall", "f1", "specificity"][seed % 3], "random_state": 0}
    params |= {["min_precision", "min_npv"][seed % 2]: rng.uniform(0.3, 0.8)}
    params |= {"confidence_level": rng.uniform(0.3, 0.9)}
    if seed % 5 == 0:
        params["sample_weight"] = rng.choice([1.0, 2.0], 200)
    if seed % 4 > 1:
        params["order_from"] = other
    return y, score.astype(np.float32).astype(np.float64), params


def predicted_or_error(y, score, params):
    """Samples that a chosen threshold predicts positive, or the error as text."""
    try:
        return (score >= choose_threshold(y, score, **params).threshold).tolist()
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("rescale", RESCALED.values(), ids=[*RESCALED])
def test_the_scale_and_the_dtype_of_the_scores_change_no_choice(rescale):
    for seed in range(60):
        y, score, params = random_rule(seed)
        rescaled = dict(params)
        if "order_from" in params:
            other_y, other = params["order_from"]
            rescaled["order_from"] = other_y, rescale(other)
        found = predicted_or_error(y, rescale(score), rescaled)
        assert found == predicted_or_error(y, score, params)


def test_a_confidence_of_nearly_0():
    (y, score), other = ordered()
    params = PRECISE | {"confidence_level": 1e-300, "order_from": other}
    assert choose_threshold(y, score, **params).recall > 0


@pytest.mark.parametrize(
    "constraint", [{"min_recall": 0.6}, {"max_fpr": 0.3}, {"max_selection_rate": 0.4}]
)
def test_one_constraint_without_min_precision_needs_no_order(constraint):
    tuning, other = ordered()
    with_order, without = (
        choose_threshold(*tuning, confidence_level=0.9, order_from=given, **constraint)
        for given in (other, None)
    )
    assert with_order == without


def test_float32_scores_compare_as_float64():
    (y, score), other = ordered()
    score = score.astype(np.float32)
    point = choose_threshold(y, score, order_from=other, **PRECISE)
    at = np.float32(point.threshold)
    np.testing.assert_array_equal(score >= at, score.astype(np.float64) >= point.threshold)


(Y_TUNE, SCORE_TUNE), (Y_OTHER, SCORE_OTHER) = ordered()


@pytest.mark.parametrize(
    ("order_from", "match"),
    [
        (Y_OTHER, "`order_from` must be a pair .*, without weights. Got ndarray"),
        ((Y_OTHER, SCORE_OTHER[1:]), "In `order_from`: `y_true` and `y_score`"),
        ((Y_OTHER * 0, SCORE_OTHER), "`order_from` must have .* Got no positive one"),
        ((Y_TUNE.copy(), SCORE_TUNE.tolist()), "Got the tuning samples: pass out-of-fold"),
    ],
)
def test_other_samples_that_cannot_order_raise(order_from, match):
    with pytest.raises(ValueError, match=match):
        choose_threshold(Y_TUNE, SCORE_TUNE, order_from=order_from, **PRECISE)


def test_an_order_without_a_guarantee_raises():
    other = Y_OTHER, SCORE_OTHER
    with pytest.raises(ValueError, match="`order_from` orders the tests of a guarantee: p"):
        choose_threshold(Y_TUNE, SCORE_TUNE, order_from=other, min_precision=0.5)
    with pytest.raises(ValueError, match="needs a constraint that some threshold violates"):
        choose_threshold(Y_TUNE, SCORE_TUNE, order_from=other, confidence_level=0.9)


class Counted(GaussianNB):
    """Counts its fits."""

    n_fits = 0

    def fit(self, X, y, sample_weight=None):
        type(self).n_fits += 1
        return super().fit(X, y, sample_weight)


def test_the_classifier_orders_by_out_of_fold_scores_of_its_training_part():
    X, y = two_classes(n_samples=1200, weights=[0.6])
    train, test = np.arange(700), np.arange(700, 1200)
    params = {"objective": "recall", "min_precision": 0.6, "min_recall": 0.2}
    Counted.n_fits = 0
    model = HullThresholdClassifierCV(
        Counted(), cv=[(train, test)], refit=False, confidence_level=0.9, **params
    ).fit(X, y)
    assert Counted.n_fits == 6
    out_of_fold = cross_val_predict(
        GaussianNB(), X[train], y[train], cv=5, method="predict_proba"
    )[:, 1]
    fitted = GaussianNB().fit(X[train], y[train])
    point = choose_threshold(
        y[test],
        fitted.predict_proba(X[test])[:, 1],
        confidence_level=0.9,
        order_from=(y[train], out_of_fold),
        **params,
    )
    assert model.threshold_ == point.threshold
    assert model.operating_point_.guarantee == point.guarantee


@pytest.mark.filterwarnings("ignore:The chosen threshold")
@pytest.mark.parametrize(
    ("params", "n_fits"),
    [
        ({"min_precision": 0.5}, 1),
        ({"min_recall": 0.5, "max_fpr": 0.9, "confidence_level": 0.9}, 1),
        ({"min_precision": 0.3, "confidence_level": 0.9}, 4),
    ],
)
def test_fits_of_the_order_are_as_few_as_needed(params, n_fits):
    X, y = two_classes(n_samples=600, weights=[0.6])
    train = np.r_[np.flatnonzero(y == 1)[:3], np.flatnonzero(y == 0)[:200]]
    test = np.setdiff1d(np.arange(600), train)
    Counted.n_fits = 0
    HullThresholdClassifierCV(
        Counted(), objective="recall", cv=[(train, test)], refit=False, **params
    ).fit(X, y)
    assert Counted.n_fits == n_fits


# Requirements on the score, and refit=False


def test_refit_false_keeps_the_classifier_of_the_split():
    X, y = two_classes(n_samples=600)
    train, test = next(StratifiedShuffleSplit(1, test_size=0.3, random_state=3).split(X, y))
    fitted = GaussianNB().fit(X[train], y[train])
    expected = HullThresholdClassifierCV(FrozenEstimator(fitted)).fit(X[test], y[test])
    for cv in (
        0.3,
        [(train, test)],
        StratifiedShuffleSplit(1, test_size=0.3, random_state=3),
    ):
        model = HullThresholdClassifierCV(GaussianNB(), cv=cv, random_state=3, refit=False)
        model.fit(X, y)
        np.testing.assert_array_equal(model.estimator_.theta_, fitted.theta_)
        np.testing.assert_array_equal(model.thresholds_, expected.thresholds_)
        np.testing.assert_array_equal(model.predict(X), expected.predict(X))
        assert model.n_features_in_ == 20
        assert clone(model).refit is False


@pytest.mark.parametrize("wrapper", [OneVsRestClassifier, MultiOutputClassifier])
def test_each_label_of_a_wrapper_keeps_its_guarantee(wrapper):
    """scikit-learn's tuner in `OneVsRestClassifier` has 0.78 to 0.86 on such data."""
    X, Y = make_multilabel_classification(20_000, n_classes=3, random_state=0)
    tuned = HullThresholdClassifierCV(
        LogisticRegression(), objective="specificity", min_recall=0.95,
        confidence_level=0.99, cv=0.5, refit=False, random_state=0,
    )  # fmt: skip
    predicted = wrapper(tuned).fit(X[:5000], Y[:5000]).predict(X[5000:])
    recall = recall_score(Y[5000:], predicted, average=None)
    assert np.all(recall >= 0.95)
    assert np.all(recall < 0.98)


def test_refit_false_needs_one_split():
    X, y = two_classes(n_samples=600)
    for cv, n_splits in ((None, 5), (3, 3), (ShuffleSplit(2), 2)):
        with pytest.raises(
            ValueError,
            match="`cv` must give a split and, with `refit=False`, only one, whose "
            f"classifier is kept. Got {n_splits} splits: pass a fraction",
        ):
            HullThresholdClassifierCV(GaussianNB(), cv=cv, refit=False).fit(X, y)
    repeated = [(np.arange(len(y)), np.arange(len(y)))]  # needs no `confidence_level`
    HullThresholdClassifierCV(GaussianNB(), cv=repeated, refit=False).fit(X, y)
    frozen = FrozenEstimator(GaussianNB().fit(X, y))
    assert (
        HullThresholdClassifierCV(frozen, cv=3, refit=False).fit(X, y).estimator_ is frozen
    )


def fails(match, fit=None, base=None, **params):
    X, y = two_classes(n_samples=600)
    params = {
        "confidence_level": 0.9,
        "min_recall": 0.5,
        "cv": 0.5,
        "refit": False,
        **params,
    }
    with pytest.raises(ValueError, match=match) as caught:
        HullThresholdClassifierCV(base or GaussianNB(), **params).fit(X, y, **(fit or {}))
    return str(caught.value)


def test_a_score_that_is_not_fixed_raises():
    for cv in (0.5, 5, None):
        message = fails(
            "`confidence_level`=0.9 needs a score that was fixed", cv=cv, refit=True
        )
        assert "Pass `refit=False` with one split, e.g. `cv=0.3`" in message
    fails("with `refit=False`, only one", cv=5)


def test_samples_that_are_not_independent_raise():
    X, y = two_classes(n_samples=600)
    samples = np.arange(600)
    for split in (
        (samples, samples),
        (samples[:301], samples[300:]),
        (samples[:300], [400, 400, 401]),
    ):
        fails("needs a split that holds out each sample once, and no sample of", cv=[split])
    params = {"refit": False, "confidence_level": 0.5, "min_recall": 0.5}
    HullThresholdClassifierCV(
        GaussianNB(), cv=[(samples[:300], samples[300:])], **params
    ).fit(X, y)


def test_hold_out_of_a_guarantee():
    X, y = two_classes(n_samples=600)
    params = {"min_precision": 0.3, "min_recall": None}
    message = fails(
        "`cv` must draw samples without regard to their classes",
        cv=StratifiedShuffleSplit(1, test_size=0.5),
        **params,
    )
    assert "pass a fraction, or a ShuffleSplit" in message
    model = HullThresholdClassifierCV(
        GaussianNB(), cv=0.5, refit=False, confidence_level=0.8, random_state=5,
        min_precision=0.3, objective="recall",
    ).fit(X, y)  # fmt: skip
    _, test = next(ShuffleSplit(1, test_size=0.5, random_state=5).split(X))
    assert model.tuning_counts_.tps[-1] == y[test].sum()
    # For recall the number of positives may be fixed: both are guaranteed.
    for cv in (0.5, StratifiedShuffleSplit(1, test_size=0.5, random_state=5)):
        model = HullThresholdClassifierCV(
            GaussianNB(),
            cv=cv,
            refit=False,
            confidence_level=0.8,
            random_state=5,
            min_recall=0.5,
        ).fit(X, y)
        _, test = next(StratifiedShuffleSplit(1, test_size=0.5, random_state=5).split(X, y))
        assert model.tuning_counts_.tps[-1] == y[test].sum()


@pytest.mark.parametrize("value", [0, 1, -0.1, np.nan])
def test_a_confidence_outside_its_range_raises(value):
    fails("`confidence_level` must be inside", confidence_level=value)


def test_a_confidence_without_constraints_raises():
    fails(
        "needs a constraint that some threshold violates. Pass one, such as `min_rec",
        min_recall=None,
    )
    fails(
        "needs a constraint that some threshold violates",
        min_recall=0.0,
        min_precision=0,
        max_fpr=1.0,
    )
    fails("cannot be combined with `randomize=True`.* Leave out one", randomize=True)
    with pytest.raises(
        TypeError, match=r"`confidence_level` must be a real number. Got '0\.9'"
    ):
        HullThresholdClassifierCV(GaussianNB(), confidence_level="0.9").fit(*two_classes())


def test_cv_results_of_one_split_are_the_chosen_threshold():
    X, y = two_classes(n_samples=600)
    model = HullThresholdClassifierCV(
        GaussianNB(), cv=0.5, refit=False, confidence_level=0.8, min_precision=0.3,
        objective="recall", store_cv_results=True,
    ).fit(X, y)  # fmt: skip
    results = model.cv_results_
    assert results["threshold"].tolist() == [model.threshold_]
    np.testing.assert_array_equal(results["thresholds"][0], model.thresholds_)
    np.testing.assert_array_equal(results["is_vertex"][0], model.is_vertex_)


# Simulation; benchmarks/simulations/guarantees.py has more of it

N_TIMES = 100


@pytest.mark.slow
@pytest.mark.parametrize(
    ("constraints", "n_samples", "distance", "levels"),
    [
        ({"min_recall": 0.8}, 150, 1.5, None),
        ({"min_precision": 0.6}, 500, 1.5, 4),
        ({"min_recall": 0.6, "min_precision": 0.5}, 1000, 1.6, None),
        ({"max_selection_rate": 0.3, "min_recall": 0.4, "max_fpr": 0.3}, 300, 1.5, 4),
    ],
)
def test_constraints_are_met_on_new_data_with_the_confidence(
    constraints, n_samples, distance, levels
):
    rng = np.random.default_rng(0)
    confidence, prevalence = 0.8, 0.3
    # An objective for which the constraints are active.
    objective = "precision" if "min_recall" in constraints else "recall"
    options = {"objective": objective, "confidence_level": confidence}
    n_missed = n_guaranteed = 0
    for seed in range(N_TIMES):
        score, y = binormal(rng, n_samples, prevalence, distance, levels)
        try:
            model = tuned_on(score, y, **options, random_state=seed, **constraints)
        except ValueError as error:
            if "cannot be guaranteed" not in str(error):
                raise
            continue
        n_guaranteed += 1
        # Scores are rounded down, so all within a step reach a threshold or none does.
        at = model.threshold_
        at = at if levels is None else np.ceil(at * levels) / levels
        rates = truth(at, prevalence, distance)
        n_missed += any(
            rates[name[4:]] < bound if name.startswith("min") else rates[name[4:]] > bound
            for name, bound in constraints.items()
        )
    allowed = 1 - confidence
    error = np.sqrt(allowed * confidence / N_TIMES)
    assert n_missed / N_TIMES <= allowed + 2 * error
    assert n_guaranteed > N_TIMES / 2
