"""The choice of HullThresholdClassifierCV against brute force over all thresholds."""

import functools

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, fbeta_score, precision_score, recall_score
from tuning_sets import (
    BY_SKLEARN,
    OBJECTIVES,
    all_thresholds,
    counts_at,
    meeting,
    tied_problem,
    tuned_on,
)

from sklearn_achievable_pr import HullThresholdClassifierCV, hull_threshold
from sklearn_achievable_pr._input.labels import BinaryData
from sklearn_achievable_pr._threshold.choice import choose, floors_not_met, tuning_path

# The operating point


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_best_vertex_is_best_of_all_thresholds(objective, weighted):
    for seed in range(12):
        score, y, weight = tied_problem(
            seed, prevalence=(0.1, 0.3, 0.8)[seed % 3], weighted=weighted
        )
        value = BY_SKLEARN[objective]
        best = all_thresholds(score, y, weight)[objective].max()
        model = tuned_on(score, y, objective=objective, sample_weight=weight)
        predicted = model.predict(score.reshape(-1, 1))
        np.testing.assert_allclose(value(y, predicted, weight), best, rtol=1e-12)
        point = model.operating_point_
        np.testing.assert_allclose(point.objective, best, rtol=1e-12)
        np.testing.assert_allclose(
            point.recall, recall_score(y, predicted, sample_weight=weight), rtol=1e-12
        )
        np.testing.assert_allclose(
            point.precision,
            precision_score(y, predicted, sample_weight=weight, zero_division=0.0),
            rtol=1e-12,
        )
        assert model.threshold_ in model.thresholds_


@pytest.mark.parametrize(
    "objective",
    [
        lambda tps, fps, fns, tns: -(7 * fns + 2 * fps),
        lambda tps, fps, fns, tns: tps / (tps + fps + fns),
        lambda tps, fps, fns, tns: 1.25 * tps / (1.25 * tps + fps + 0.25 * fns),
    ],
    ids=["cost", "jaccard", "f_half"],
)
def test_callable_objective(objective):
    for seed in range(8):
        score, y, _ = tied_problem(seed)
        fps, tps = np.transpose([counts_at(t, score, y) for t in [9, *np.unique(score)]])
        best = objective(tps, fps, y.sum() - tps, (1 - y).sum() - fps).max()
        found = tuned_on(score, y, objective=objective).operating_point_.objective
        np.testing.assert_allclose(found, best, rtol=1e-12)


def test_callable_is_given_the_vertices_counts():
    given = []

    def objective(*counts):
        given.append(counts)
        return counts[0]

    score, y, _ = tied_problem(0)
    model = tuned_on(score, y, objective=objective)
    tps, fps, fns, tns = given[0]
    np.testing.assert_array_equal(tps, model.tuning_counts_.tps)
    np.testing.assert_array_equal(fps, model.tuning_counts_.fps)
    np.testing.assert_array_equal(tps + fns, y.sum())
    np.testing.assert_array_equal(fps + tns, (1 - y).sum())
    assert {counts.dtype for counts in given[0]} == {np.dtype(np.float64)}


def test_nothing_positive_can_be_the_best():
    score, y = np.array([9.0, 8, 7, 6, 5]), np.array([0, 1, 1, 0, 0])
    model = tuned_on(score, y, objective=lambda tps, fps, fns, tns: -100 * fps - fns)
    assert model.threshold_ == np.inf
    assert not model.predict(score.reshape(-1, 1)).any()
    assert (model.decision_function(score.reshape(-1, 1)) < 0).all()
    assert model.operating_point_.precision == 0
    assert model.operating_point_.recall == 0


def test_quasi_concave_objective_can_be_better_off_the_hull():
    """The geometric mean of the two rates, the guide's example."""

    def geometric_mean(tps, fps, fns, tns):
        return np.sqrt(tps / (tps + fns) * tns / (fps + tns))

    # Counts (f, t): (0, 0), (0, 1), (4, 6), (7, 10), (10, 10); (4, 6) is below the hull.
    y = np.repeat([1, 0, 1, 0, 1, 0], [1, 4, 5, 3, 4, 3])
    score = np.repeat([4.0, 3.0, 2.0, 1.0], [1, 9, 7, 3])
    model = tuned_on(score, y, objective=geometric_mean)
    np.testing.assert_array_equal(model.tuning_counts_.fps, [0, 0, 7, 10])
    assert model.operating_point_.objective == pytest.approx(0.3**0.5)
    assert geometric_mean(6, 4, 4, 6) == pytest.approx(0.6)


def test_equal_values_take_the_higher_threshold():
    # (0, 1) and (2, 2) of 4 negatives and 2 positives have Youden's J of 1/2 both.
    model = tuned_on([9.0, 8, 7, 6, 5, 4], [1, 0, 0, 1, 0, 0], objective="youden")
    assert model.operating_point_.objective == 0.5
    assert model.threshold_ == 8.5


def test_no_skill_predicts_nothing():
    model = tuned_on(np.zeros(10), np.arange(10) % 2, objective="youden")
    np.testing.assert_array_equal(model.thresholds_, [np.inf, -np.inf])
    assert model.threshold_ == np.inf


def test_rare_events():
    rng = np.random.default_rng(0)
    score = np.concatenate(([0.0050, 0.0045, 0.95], rng.random(197) * 0.004))
    y = np.array([1, 1] + [0] * 198)
    model = tuned_on(score, y)
    np.testing.assert_allclose(model.operating_point_.objective, 0.8, rtol=1e-15)
    assert 0.004 < model.threshold_ <= 0.0045
    assert f1_score(y, model.predict(score.reshape(-1, 1))) == pytest.approx(0.8)


# All thresholds under a floor, against brute force


GAINS = {"tp": 10.0, "fp": -1, "fn": -50.0}
NET_BENEFIT = {"tp": 1, "fp": -0.25}  # of a decision curve at a risk of .2


def f_beta(beta, table):
    """As van Rijsbergen has it, 0 where precision and recall are."""
    precision, recall = table["precision"], table["recall"]
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(
            (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
        )


def mean_gain(gains, table):
    fp, tp = table["counts"]
    of = {"tp": tp, "fp": fp, "fn": tp[-1] - tp, "tn": fp[-1] - fp}
    return sum(gains.get(outcome, 0) * of[outcome] for outcome in of) / (tp[-1] + fp[-1])


# Every kind of objective, and its value from what `all_thresholds` knows.
BY_DEFINITION = {
    **{name: (name, lambda table, name=name: table[name]) for name in OBJECTIVES},
    "f2": ("f2", functools.partial(f_beta, 2)),
    "f0.5": ("f0.5", functools.partial(f_beta, 0.5)),
    "gains": (GAINS, functools.partial(mean_gain, GAINS)),
    "net_benefit": (NET_BENEFIT, functools.partial(mean_gain, NET_BENEFIT)),
    "geometric_mean": (
        lambda tps, fps, fns, tns: np.sqrt(tps / (tps + fns) * tns / (fps + tns)),
        lambda table: (
            np.sqrt((1 - table["counts"] / table["counts"][:, -1:])[0])
            * np.sqrt(table["recall"])
        ),
    ),
}


def random_set(seed):
    """A tuning set of any size, prevalence, and number of ties; and floors to be had."""
    rng = np.random.default_rng(seed)
    score, y, weight = tied_problem(
        seed,
        int(rng.integers(3, 120)),
        prevalence=rng.choice([0.05, 0.3, 0.5, 0.9]),
        levels=rng.choice([2, 6, 40]),
        weighted=bool(seed % 2),
    )
    table = all_thresholds(score, y, weight)
    recall, precision = rng.random(2)
    if seed % 3 == 0:  # floors that a threshold meets with equality
        at = rng.integers(1, len(table["recall"]))
        recall, precision = table["recall"][at], table["precision"][at]
    floors = {"min_recall": recall, "min_precision": precision}
    return score, y, weight, table, floors


@pytest.mark.parametrize("names", [(), ("min_recall",), ("min_precision",), "both"])
def test_no_threshold_that_meets_the_floors_is_better(names):
    """300 tuning sets, every objective, against brute force."""
    n_feasible = 0
    for seed in range(300):
        score, y, weight, table, floors = random_set(seed)
        floors = {name: floors[name] for name in floors if names in ("both", (name,))}
        ok = meeting(floors, table)
        roc = tuning_path(BinaryData(y == 1, score, weight))
        for name, (objective, by_definition) in BY_DEFINITION.items():
            choice = choose(roc, objective, floors)
            assert (choice is None) == (not ok.any())
            if choice is None:
                assert "cannot be met" in floors_not_met(roc, floors, False)
                continue
            n_feasible += 1
            values = by_definition(table)
            fp, tp = counts_at(choice.threshold, score, y, weight)
            at = np.flatnonzero((table["counts"] == [[fp], [tp]]).all(axis=0))
            assert len(at) == 1
            assert ok[at[0]]
            found = values[at[0]]
            assert choice.point.objective == pytest.approx(found, rel=1e-12, abs=1e-13)
            if name != "geometric_mean" or floors:  # that one may be best off the hull
                assert found >= values[ok].max() - 1e-12 * max(1, abs(values).max())
            if not floors:
                assert choice.at in roc.vertices
    assert n_feasible >= 300 * len(BY_DEFINITION) / 4


@pytest.mark.parametrize("pos_label", [0, 1])
@pytest.mark.parametrize("seed", range(60))
def test_the_classifier_predicts_what_was_chosen(seed, pos_label):
    score, y, weight, table, floors = random_set(seed)
    name, (objective, by_definition) = list(BY_DEFINITION.items())[seed % 11]
    kept = [{}, {"min_recall"}, {"min_precision"}, {"min_recall", "min_precision"}]
    floors = {floor: floors[floor] for floor in floors if floor in kept[seed // 11 % 4]}
    ok = meeting(floors, table)
    params = {"objective": objective, "pos_label": pos_label, **floors}
    given = (score, y) if pos_label else (-score, 1 - y)
    if not ok.any():
        with pytest.raises(ValueError, match="cannot be met"):
            tuned_on(*given, sample_weight=weight, **params)
        return
    model = tuned_on(*given, sample_weight=weight, **params)
    X = given[0].reshape(-1, 1)
    positive = model.predict(X) == pos_label
    np.testing.assert_array_equal(model.decision_function(X) > 0, model.predict(X) == 1)
    np.testing.assert_array_equal(positive, score >= model.threshold_)
    assert np.min(score[positive], initial=np.inf) in table["threshold"][ok]
    fp, tp = counts_at(model.threshold_, score, y, weight)
    at = np.flatnonzero((table["counts"] == [[fp], [tp]]).all(axis=0))[0]
    assert by_definition(table)[at] == pytest.approx(
        model.operating_point_.objective, rel=1e-12, abs=1e-13
    ), name


def test_the_issue_s_example_of_a_threshold_off_the_hull():
    X, y = make_classification(
        2000,
        n_features=12,
        n_informative=4,
        weights=[0.93],
        flip_y=0.03,
        random_state=0,
    )
    model = HullThresholdClassifierCV(
        LogisticRegression(), objective="precision", min_recall=0.7
    ).fit(X, y)
    assert model.operating_point_.precision == pytest.approx(0.101, abs=5e-4)
    assert model.operating_point_.recall == pytest.approx(0.718, abs=5e-4)


def hull_and_one(seed):
    """A model whose threshold is none of the hull's, and the one without a floor."""
    score, y, weight = tied_problem(seed, n_samples=200, levels=400, weighted=seed % 2 > 0)
    params = {"objective": "precision", "sample_weight": weight}
    free, floored = (
        tuned_on(score, y, **params),
        tuned_on(score, y, min_recall=0.7, **params),
    )
    return score, y, weight, free, floored


@pytest.mark.parametrize("seed", range(8))
def test_the_chosen_threshold_joins_the_hull_s(seed):
    score, y, weight, free, model = hull_and_one(seed)
    np.testing.assert_array_equal(free.is_vertex_, True)
    np.testing.assert_array_equal(model.thresholds_[model.is_vertex_], free.thresholds_)
    assert np.count_nonzero(~model.is_vertex_) <= 1
    assert model.threshold_ in model.thresholds_
    assert model.is_vertex_.all() == (model.threshold_ in free.thresholds_)
    assert (np.diff(model.thresholds_) < 0).all()
    for i, threshold in enumerate(model.thresholds_):
        found = [counts[i] for counts in model.tuning_counts_]
        np.testing.assert_allclose(
            found, counts_at(threshold, score, y, weight), rtol=1e-12
        )
    # Midway to the next lower tuning score, as at every other threshold.
    below = score[score < model.threshold_].max()
    above = score[score >= model.threshold_].min()
    assert model.threshold_ == pytest.approx((above + below) / 2, rel=1e-12)


def test_a_threshold_off_the_hull_is_chosen_now_and_then():
    assert sum(not hull_and_one(seed)[-1].is_vertex_.all() for seed in range(8)) >= 5


@pytest.mark.parametrize("seed", range(8))
def test_the_chosen_threshold_changes_no_probability(seed):
    score, _, _, free, model = hull_and_one(seed)
    X = np.concatenate((score, np.linspace(-9, 9, 500))).reshape(-1, 1)
    np.testing.assert_array_equal(model.predict_proba(X), free.predict_proba(X))
    level = (model.thresholds_ <= X).sum(axis=1)
    assert np.ptp(model.decision_function(X) - level) == 0


def test_curves_under_a_floor_have_the_frozen_thresholds_only():
    for seed in range(8):
        *_, model = hull_and_one(seed)
        test, y_test, _ = tied_problem(seed + 50, n_samples=150, levels=40)
        expected = {tuple(counts_at(t, test, y_test)) for t in model.thresholds_[1:]}
        response = model.decision_function(test.reshape(-1, 1))
        found = {tuple(counts_at(value, response, y_test)) for value in np.unique(response)}
        assert found == expected - {(0, 0)}


def test_pickles_from_before_say_nothing_of_vertices():
    score, *_, free, _ = hull_and_one(1)
    X = score.reshape(-1, 1)
    probability = free.predict_proba(X)
    del free.is_vertex_
    np.testing.assert_array_equal(free.predict_proba(X), probability)
    np.testing.assert_array_equal(free.predict(X), score >= free.threshold_)
    assert hull_threshold.OperatingPoint(0.5, 0.25, 0.125).guarantee is None
    for name in ("RandomizedThreshold", "TuningCounts", "OperatingPoint"):
        assert hasattr(hull_threshold, name)


def test_of_equal_values_a_vertex_is_taken_before_a_higher_threshold():
    # Precision is 1 at 9, 8 and 7; the hull has only the last of them.
    score, y = np.arange(10.0)[::-1], np.array([1, 1, 1, 0, 0, 0, 0, 1, 0, 0])
    model = tuned_on(score, y, objective="precision", min_recall=0.5)
    assert model.threshold_ == 6.5
    assert model.is_vertex_.all()


# Objectives


@pytest.mark.parametrize(
    "beta", ["1", "2", "0.5", "3.", ".25", "0", "10", "0.333", "1000000"]
)
def test_every_f_beta(beta):
    for seed in range(6):
        score, y, weight = tied_problem(seed, weighted=bool(seed % 2))
        model = tuned_on(score, y, objective=f"f{beta}", sample_weight=weight)
        point = model.operating_point_
        best = max(
            fbeta_score(y, score >= t, beta=float(beta), sample_weight=weight)
            for t in np.unique(score)
        )
        assert point.objective == pytest.approx(best, rel=1e-12)
        predicted = model.predict(score.reshape(-1, 1))
        found = fbeta_score(y, predicted, beta=float(beta), sample_weight=weight)
        assert found == pytest.approx(best, rel=1e-12)


def test_f_beta_of_any_size():
    score, y, _ = tied_problem(0)
    for beta, name in (("1" + 200 * "0", "recall"), ("0", "precision")):
        far = tuned_on(score, y, objective=f"f{beta}")
        assert far.operating_point_.objective == pytest.approx(
            tuned_on(score, y, objective=name).operating_point_.objective, rel=1e-12
        )


def test_gains_are_means_over_the_samples():
    # Counts (f, t): (0, 0), (0, 1), (1, 3), (4, 4) of 4 negatives and 4 positives.
    score, y = [9.0, 8, 8, 8, 7, 7, 7, 7], [1, 1, 1, 0, 1, 0, 0, 0]
    model = tuned_on(score, y, objective={"tp": 1, "fp": -2, "fn": -1, "tn": 0.5})
    assert model.threshold_ == 7.5
    assert model.operating_point_.objective == (3 - 2 - 1 + 3 * 0.5) / 8
    costly = tuned_on(score, y, objective={"fp": -1, "fn": -0.3})
    assert costly.threshold_ == 8.5
    assert costly.operating_point_.objective == -3 * 0.3 / 8
    doubled = tuned_on(score, y, objective={"fp": -1, "fn": -0.3}, sample_weight=[2] * 8)
    assert doubled.operating_point_.objective == costly.operating_point_.objective


def test_net_benefit_of_a_decision_curve():
    """Vickers and Elkin 2006: tp/n - fp/n times the odds of the risk."""
    score, y, _ = tied_problem(5, n_samples=200)
    for risk in (0.05, 0.3, 0.6):
        odds = risk / (1 - risk)
        model = tuned_on(score, y, objective={"tp": 1, "fp": -odds})
        by_hand = [
            np.mean((score >= t) & (y == 1)) - odds * np.mean((score >= t) & (y == 0))
            for t in [np.inf, *np.unique(score)]
        ]
        assert model.operating_point_.objective == pytest.approx(max(by_hand), rel=1e-12)


@pytest.mark.parametrize(
    ("gains", "error", "match"),
    [
        ({}, ValueError, "must have gains for some of 'tp'"),
        ({"TP": 1}, ValueError, "must have gains for some of 'tp'"),
        (
            {"tp": 1, "cost": 2},
            ValueError,
            "is left out gains 0. Got {'tp': 1, 'cost'",
        ),
        ({"tp": "1"}, TypeError, r"`objective`\['tp'\] must be a real number. Got '1'"),
        ({"fn": np.nan}, ValueError, r"`objective`\['fn'\] must be finite. Got nan"),
        ({"tn": np.inf}, ValueError, r"`objective`\['tn'\] must be finite"),
        ({"fp": 1, "fn": 50}, ValueError, "a cost is negative"),
        ({"tp": -1}, ValueError, "tp >= fn and tn >= fp. Got {'tp': -1}"),
        ({"fp": 0.5, "tp": 3}, ValueError, "must not gain more by a wrong prediction"),
    ],
)
def test_refuses_gains_that_are_none(gains, error, match):
    with pytest.raises(error, match=match):
        tuned_on([1.0, 2.0], [0, 1], objective=gains)


@pytest.mark.parametrize("name", ["f", "f-1", "fbeta", "f1e3", "F2", "f 2", "f1_0", "finf"])
def test_refuses_what_is_no_f_beta(name):
    with pytest.raises(ValueError, match="or another 'f<beta>' such as") as caught:
        tuned_on([1.0, 2.0], [0, 1], objective=name)
    assert f"Got {name!r}" in str(caught.value)


# Floors


def test_floor_reached_but_for_rounding():
    # The vertex with three of ten positives has recall .3, just below .1 + .2.
    score, y = np.arange(15.0)[::-1], np.array([1] * 3 + [0] * 5 + [1] * 7)
    floor = 0.1 + 0.2
    assert floor > 3 / 10
    for weight in (None, np.full(15, 0.1)):
        model = tuned_on(
            score, y, objective="precision", min_recall=floor, sample_weight=weight
        )
        assert model.threshold_ == 11.5


def test_floor_at_its_ends():
    score, y, _ = tied_problem(1)
    everything = tuned_on(score, y, objective="precision", min_recall=1.0)
    assert everything.operating_point_.recall == 1
    assert everything.threshold_ <= score[y == 1].min()
    free, floored = tuned_on(score, y), tuned_on(score, y, min_recall=0, min_precision=0.0)
    assert free.threshold_ == floored.threshold_


def test_threshold_off_the_hull_can_be_better_under_a_floor():
    # Counts (f, t): (0, 1), (2, 3), (4, 9), (10, 10): (2, 3) is below the hull.
    y = np.repeat([1, 0, 1, 0, 1, 0, 1], [1, 2, 2, 2, 6, 6, 1])
    score = np.repeat([5.0, 4.0, 3.0, 2.0], [1, 4, 8, 7])
    floored = {"objective": "precision", "min_recall": 0.3}
    vertex = tuned_on(score, y, **floored)
    coin = tuned_on(score, y, randomize=True, **floored)
    assert vertex.operating_point_.recall == 0.9
    assert coin.operating_point_.recall == pytest.approx(0.3)
    off_hull = 3 / 5
    assert vertex.operating_point_.precision > off_hull  # the hull bulges here
    assert coin.operating_point_.precision >= vertex.operating_point_.precision


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("floors", [{"min_recall": 0.6}, {"min_precision": 0.4}, "both"])
def test_coin_is_as_good_as_any_threshold_that_meets_the_floors(floors, objective):
    if floors == "both":
        floors = {"min_recall": 0.3, "min_precision": 0.35}
    n_coins = 0
    for seed in range(15):
        score, y, _ = tied_problem(seed)
        table = all_thresholds(score, y)
        ok = meeting(floors, table)
        if not ok.any():
            continue
        model = tuned_on(score, y, objective=objective, randomize=True, **floors)
        point = model.operating_point_
        assert point.objective >= table[objective][ok].max() * (1 - 1e-12)
        assert point.recall >= floors.get("min_recall", 0) * (1 - 1e-12)
        assert point.precision >= floors.get("min_precision", 0) * (1 - 1e-12)
        n_coins += model.randomized_threshold_ is not None
    if (objective, *floors) in {("precision", "min_recall"), ("recall", "min_precision")}:
        assert n_coins >= 10


@pytest.mark.parametrize(
    ("params", "floored"),
    [
        ({"objective": "precision", "min_recall": 0.62}, "recall"),
        ({"objective": "recall", "min_precision": 0.47}, "precision"),
        ({"objective": "f1", "min_recall": 0.93}, "recall"),
        ({"objective": "f1", "min_precision": 0.62}, "precision"),
        ({"objective": "precision", "min_recall": 0.62, "min_precision": 0.2}, "recall"),
        ({"objective": "recall", "min_recall": 0.1, "min_precision": 0.47}, "precision"),
    ],
)
def test_coin_meets_the_floor_with_equality_in_expectation(params, floored):
    score, y, _ = tied_problem(4, n_samples=300)
    floor = params[f"min_{floored}"]
    model = tuned_on(score, y, randomize=True, random_state=0, **params)
    assert getattr(model.operating_point_, floored) == pytest.approx(floor, rel=1e-12)

    # Expected counts by definition: sure ones, and the coin's share of the undecided.
    threshold, probability = model.randomized_threshold_
    assert threshold in model.thresholds_
    assert 0 < probability < 1
    sure, both = counts_at(model.threshold_, score, y), counts_at(threshold, score, y)
    fp, tp = np.array(sure) + probability * (np.array(both) - sure)
    expected = {"recall": tp / y.sum(), "precision": tp / (tp + fp)}
    assert expected[floored] == pytest.approx(floor, rel=1e-12)

    # And tossed: the mean counts of many predictions agree.
    X = np.tile(score, 400).reshape(-1, 1)
    positive = model.predict(X) == 1
    n_undecided = 400 * (sum(both) - sum(sure))
    error = np.sqrt(n_undecided * probability * (1 - probability)) / 400
    tossed = positive.sum() / 400
    assert abs(tossed - (fp + tp)) < 4 * error


def test_coin_decides_the_middle_level_only():
    score, y, _ = tied_problem(4, n_samples=300)
    X = score.reshape(-1, 1)
    params = {"objective": "precision", "min_recall": 0.62, "randomize": True}
    model = tuned_on(score, y, random_state=0, **params)
    response, predicted = model.decision_function(X), model.predict(X)
    undecided = response == 0
    np.testing.assert_array_equal(
        undecided,
        (score < model.threshold_) & (score >= model.randomized_threshold_.threshold),
    )
    assert 0 < predicted[undecided].mean() < 1
    np.testing.assert_array_equal(response[~undecided] > 0, predicted[~undecided] == 1)
    assert (response % 1 == 0).all()

    # The same seen from the other class.
    other = tuned_on(-score, 1 - y, random_state=0, pos_label=0, **params)
    np.testing.assert_array_equal(other.decision_function(-X), -response)
    np.testing.assert_array_equal(other.predict(-X), 1 - predicted)


def test_coin_is_repeatable_for_a_random_state():
    score, y, _ = tied_problem(4, n_samples=300)
    X = score.reshape(-1, 1)
    params = {"objective": "precision", "min_recall": 0.62, "randomize": True}
    model = tuned_on(score, y, random_state=3, **params)
    first = model.predict(X)
    np.testing.assert_array_equal(first, model.predict(X))
    np.testing.assert_array_equal(
        first, tuned_on(score, y, random_state=3, **params).predict(X)
    )
    assert (tuned_on(score, y, random_state=4, **params).predict(X) != first).any()
    # None is numpy's own generator, so that each call tosses anew.
    unseeded = tuned_on(score, y, **params)
    np.random.seed(11)  # noqa: NPY002
    once = unseeded.predict(X)
    assert (unseeded.predict(X) != once).any()
    np.random.seed(11)  # noqa: NPY002
    np.testing.assert_array_equal(unseeded.predict(X), once)
    # An instance is drawn from on and on, so that single rows are tossed anew.
    instance = tuned_on(score, y, random_state=np.random.RandomState(3), **params)
    assert (instance.predict(X) != instance.predict(X)).any()


def test_no_coin_where_it_gains_nothing():
    score, y, _ = tied_problem(4, n_samples=300)
    free = tuned_on(score, y)
    for params in ({}, {"min_recall": 0.1}, {"min_recall": 0.1, "min_precision": 0.01}):
        model = tuned_on(score, y, randomize=True, **params)
        assert model.randomized_threshold_ is None
        assert model.threshold_ == free.threshold_
    # On the first edge precision is constant: no coin there.
    y, score = np.array([1, 0, 1, 0, 0, 0]), np.array([3.0, 3, 3, 2, 2, 1])
    first = tuned_on(score, y, objective="precision", min_recall=1 / 3, randomize=True)
    assert first.randomized_threshold_ is None
    assert first.operating_point_ == (2 / 3, 1.0, 2 / 3)


def infeasible_case():
    # Counts (f, t): (0, 0), (1, 3), (3, 4), (6, 4); precision .75, then 4/7.
    y = np.repeat([1, 0, 0, 1, 0], [3, 1, 2, 1, 3])
    score = np.repeat([8.0, 4.0, 2.0], [4, 3, 3])
    return score, y


def test_infeasible_floor_says_the_best_and_where():
    score, y = infeasible_case()
    with pytest.raises(
        ValueError, match=r"`min_precision`=0\.8 cannot be met at any threshold"
    ) as caught:
        tuned_on(score, y, min_precision=0.8)
    assert "the best precision is 0.75, at threshold 6." in str(caught.value)
    assert "Lower it." in str(caught.value)


def test_infeasible_floors_together_say_the_best_of_each():
    score, y = infeasible_case()
    floors = {"min_recall": 0.9, "min_precision": 0.7}
    with pytest.raises(
        ValueError,
        match=r"`min_recall`=0\.9 and `min_precision`=0\.7 cannot be met together",
    ) as caught:
        tuned_on(score, y, **floors)
    assert (
        "the best recall with `min_precision`=0.7 is 0.75, at threshold 6; "
        "the best precision with `min_recall`=0.9 is 0.5714, at threshold 3."
    ) in str(caught.value)
    assert "randomize" not in str(caught.value)

    # A coin reaches recall 3.5/4 at precision 3.5/5.5: the message says so.
    floors = {"min_recall": 0.85, "min_precision": 0.63}
    with pytest.raises(ValueError, match="or pass `randomize=True`: a coin"):
        tuned_on(score, y, **floors)
    point = tuned_on(score, y, randomize=True, **floors).operating_point_
    assert point.recall >= 0.85 * (1 - 1e-12)
    assert point.precision >= 0.63 * (1 - 1e-12)

    with pytest.raises(ValueError, match=r"no recall has `min_precision`=0\.8"):
        tuned_on(score, y, min_recall=0.9, min_precision=0.8)
    with pytest.raises(ValueError, match="at a coin between threshold 6 and 3"):
        tuned_on(score, y, min_recall=0.85, min_precision=0.7, randomize=True)
