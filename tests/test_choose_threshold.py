"""The choice of HullThresholdClassifierCV against brute force over all thresholds."""

import functools

import numpy as np
import pytest
from sklearn.metrics import fbeta_score
from tuning_sets import (
    ALL_OR_NONE,
    OBJECTIVES,
    all_thresholds,
    counts_at,
    meeting,
    short_between,
    tied_problem,
    tuned_on,
)

from sklearn_achievable_pr import choose_threshold, roc_convex_hull

# The operating point


@pytest.mark.parametrize("constraints", [{}, {"min_recall": 0.5}, {"max_fpr": 0.5}])
def test_callable_gets_the_counts_of_every_tuning_threshold(constraints):
    given = []

    def objective(*counts):
        given.append(counts)
        return counts[0]

    score, y, _ = tied_problem(0)
    tuned_on(score, y, objective=objective, **constraints)
    tps, fps, fns, tns = given[0]
    by_definition = [counts_at(t, score, y) for t in [np.inf, *np.unique(score)]]
    assert sorted(zip(fps, tps, strict=True)) == sorted(by_definition)
    np.testing.assert_array_equal(tps + fns, y.sum())
    np.testing.assert_array_equal(fps + tns, (1 - y).sum())
    assert {counts.dtype for counts in given[0]} == {np.dtype(np.float64)}


def test_predicting_no_sample_positive_can_be_best():
    score, y = np.array([9.0, 8, 7, 6, 5]), np.array([0, 1, 1, 0, 0])
    match = "The chosen threshold is inf: no tuning sample is predicted positive. Check"
    with pytest.warns(UserWarning, match=match):
        model = tuned_on(score, y, objective=lambda tps, fps, fns, tns: -100 * fps - fns)
    assert model.threshold_ == np.inf
    assert not model.predict(score.reshape(-1, 1)).any()
    assert (model.decision_function(score.reshape(-1, 1)) < 0).all()
    assert np.isnan(model.operating_point_.precision)
    assert model.operating_point_.recall == 0


def test_equal_values_take_the_higher_threshold():
    # (0, 1) and (2, 2) of 4 negatives and 2 positives have Youden's J of 1/2 both.
    model = tuned_on([9.0, 8, 7, 6, 5, 4], [1, 0, 0, 1, 0, 0], objective="youden")
    assert model.operating_point_.objective_value == 0.5
    assert model.threshold_ == 8.5


# All thresholds under constraints, against brute force


UTILITIES = {"tp": 10.0, "fp": -1, "fn": -50.0}
NET_BENEFIT = {"tp": 1, "fp": -0.25}  # of a decision curve at a risk of .2


def f_beta(beta, table):
    """As van Rijsbergen defines it; 0 where precision and recall are 0."""
    precision, recall = table["precision"], table["recall"]
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(
            (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
        )


def mean_utility(utilities, table):
    fp, tp = table["counts"]
    of = {"tp": tp, "fp": fp, "fn": tp[-1] - tp, "tn": fp[-1] - fp}
    return sum(utilities.get(outcome, 0) * of[outcome] for outcome in of) / (
        tp[-1] + fp[-1]
    )


# Every kind of objective, and its value from a table of `all_thresholds`.
BY_DEFINITION = {
    **{name: (name, lambda table, name=name: table[name]) for name in OBJECTIVES},
    "f2": ("f2", functools.partial(f_beta, 2)),
    "f0.5": ("f0.5", functools.partial(f_beta, 0.5)),
    "utilities": (UTILITIES, functools.partial(mean_utility, UTILITIES)),
    "net_benefit": (NET_BENEFIT, functools.partial(mean_utility, NET_BENEFIT)),
    "geometric_mean": (
        lambda tps, fps, fns, tns: np.sqrt(tps / (tps + fns) * tns / (fps + tns)),
        lambda table: (
            np.sqrt((1 - table["counts"] / table["counts"][:, -1:])[0])
            * np.sqrt(table["recall"])
        ),
    ),
}


NAMES = ("min_recall", "min_precision", "min_npv", "max_selection_rate", "max_fpr")
# None, two pairs, all.
SETS_OF_NAMES = [(), NAMES[:2], NAMES[2:4], NAMES]


def random_set(seed):
    """A tuning set of any size, prevalence and number of ties, and random constraints."""
    rng = np.random.default_rng(seed)
    n_samples = int(rng.integers(3, 120))
    kind = {"prevalence": rng.choice([0.05, 0.3, 0.5, 0.9]), "weighted": seed % 2 > 0}
    score, y, weight = tied_problem(seed, n_samples, levels=rng.choice([2, 6, 40]), **kind)
    table = all_thresholds(score, y, weight)
    bounds = rng.random(5)
    if seed % 3 == 0:  # bounds that a threshold meets with equality
        at = rng.integers(1, len(table["recall"]))
        bounds = [table[name.partition("_")[2]][at] for name in NAMES]
    return score, y, weight, table, dict(zip(NAMES, bounds, strict=True))


@pytest.mark.slow
@ALL_OR_NONE
@pytest.mark.parametrize("names", SETS_OF_NAMES, ids=" ".join)
def test_no_threshold_that_meets_the_constraints_is_better(names):
    """Tuning sets, every objective, against brute force."""
    n_feasible = 0
    for seed in range(24):
        score, y, weight, table, bounds = random_set(seed)
        constraints = {name: bounds[name] for name in names}
        ok = meeting(constraints, table)
        fpr, tpr, _ = roc_convex_hull(y, score, sample_weight=weight)
        for objective, by_definition in BY_DEFINITION.values():
            options = {"objective": objective, "sample_weight": weight, **constraints}
            if not ok.any():
                with pytest.raises(ValueError, match="cannot be met"):
                    choose_threshold(y, score, **options)
                continue
            n_feasible += 1
            choice = choose_threshold(y, score, **options)
            values = by_definition(table)
            fp, tp = counts_at(choice.threshold, score, y, weight)
            at = np.flatnonzero((table["counts"] == [[fp], [tp]]).all(axis=0))
            assert len(at) == 1
            assert ok[at[0]]
            found = values[at[0]]
            assert choice.objective_value == pytest.approx(found, rel=1e-12, abs=1e-13)
            assert found >= values[ok].max() - 1e-12 * max(1, abs(values).max())
            if not (constraints or callable(objective)):
                assert np.isclose(fpr, choice.fpr).any(where=np.isclose(tpr, choice.recall))
            for rate in ("recall", "precision", "npv", "selection_rate", "fpr"):
                rated = np.nan_to_num(getattr(choice, rate))  # 0/0 is 0 in the table
                assert rated == pytest.approx(table[rate][at[0]], rel=1e-12)
    assert n_feasible >= 6 * len(BY_DEFINITION)


@ALL_OR_NONE
@pytest.mark.parametrize(("seed", "pos_label"), [(0, 1), (4, 0), (9, 1), (11, 0)])
def test_the_classifier_predicts_with_the_chosen_threshold(seed, pos_label):
    score, y, weight, table, bounds = random_set(seed)
    name, (objective, by_definition) = list(BY_DEFINITION.items())[seed % 13]
    constraints = {name: bounds[name] for name in SETS_OF_NAMES[seed % 4]}
    ok = meeting(constraints, table)
    params = {"objective": objective, "pos_label": pos_label, **constraints}
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
        model.operating_point_.objective_value, rel=1e-12, abs=1e-13
    ), name


def hull_and_one(seed):
    """A model whose threshold may be off the hull, and one without a constraint."""
    score, y, weight = tied_problem(seed, n_samples=200, levels=400, weighted=seed % 2 > 0)
    params = {"objective": "precision", "sample_weight": weight}
    free = tuned_on(score, y, **params)
    return score, y, weight, free, tuned_on(score, y, min_recall=0.7, **params)


@ALL_OR_NONE
@pytest.mark.parametrize("seed", range(4))
def test_the_chosen_threshold_is_added_to_the_vertices(seed):
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
    # In the middle half above the next lower tuning score, as every other threshold.
    if np.isfinite(model.threshold_):
        below = score[score < model.threshold_].max()
        above = score[score >= model.threshold_].min()
        assert model.threshold_ == short_between(below, above)


@pytest.mark.parametrize("seed", range(4))
def test_the_chosen_threshold_changes_no_probability(seed):
    score, _, _, free, model = hull_and_one(seed)
    X = np.concatenate((score, np.linspace(-9, 9, 500))).reshape(-1, 1)
    np.testing.assert_array_equal(model.predict_proba(X), free.predict_proba(X))
    level = (model.thresholds_ <= X).sum(axis=1)
    assert np.ptp(model.decision_function(X) - level) == 0


def test_of_equal_values_a_vertex_is_taken_before_a_higher_threshold():
    # Precision is 1 at 9, 8 and 7; the hull has only the last of them.
    score, y = np.arange(10.0)[::-1], np.array([1, 1, 1, 0, 0, 0, 0, 1, 0, 0])
    model = tuned_on(score, y, objective="precision", min_recall=0.5)
    assert model.threshold_ == 6.5
    assert model.is_vertex_.all()


def test_of_equal_values_a_vertex_is_taken_before_a_point_on_an_edge_of_the_hull():
    # Youden's J is 1/4 at 8, 6, 4 and 2; only the first and the last are vertices.
    score, y = np.arange(8.0, 0.0, -1.0), np.tile([1, 0], 4)
    model = tuned_on(score, y, objective="youden", min_recall=0.5)
    assert model.threshold_ == 1.5
    assert model.is_vertex_.all()


# Objectives


@pytest.mark.parametrize("beta", ["3.", ".25", "0", "1000000"])
def test_f_beta_is_maximized_for_every_beta(beta):
    for seed in range(2):
        score, y, weight = tied_problem(seed, weighted=bool(seed % 2))
        model = tuned_on(score, y, objective=f"f{beta}", sample_weight=weight)
        point = model.operating_point_
        best = max(
            fbeta_score(y, score >= t, beta=float(beta), sample_weight=weight)
            for t in np.unique(score)
        )
        assert point.objective_value == pytest.approx(best, rel=1e-12)


def test_f_beta_of_any_size():
    score, y, _ = tied_problem(0)
    for beta, name in (("1" + 200 * "0", "recall"), ("0", "precision")):
        far = tuned_on(score, y, objective=f"f{beta}")
        assert far.operating_point_.objective_value == pytest.approx(
            tuned_on(score, y, objective=name).operating_point_.objective_value, rel=1e-12
        )


def test_utilities_are_means_over_the_samples():
    # Counts (f, t): (0, 0), (0, 1), (1, 3), (4, 4) of 4 negatives and 4 positives.
    score, y = [9.0, 8, 8, 8, 7, 7, 7, 7], [1, 1, 1, 0, 1, 0, 0, 0]
    model = tuned_on(score, y, objective={"tp": 1, "fp": -2, "fn": -1, "tn": 0.5})
    assert model.threshold_ == 7.5
    assert model.operating_point_.objective_value == (3 - 2 - 1 + 3 * 0.5) / 8
    costly = tuned_on(score, y, objective={"fp": -1, "fn": -0.3})
    assert costly.threshold_ == 8.5
    assert costly.operating_point_.objective_value == -3 * 0.3 / 8
    doubled = tuned_on(score, y, objective={"fp": -1, "fn": -0.3}, sample_weight=[2] * 8)
    assert (
        doubled.operating_point_.objective_value == costly.operating_point_.objective_value
    )


def test_utilities_may_depend_on_the_negatives_alone():
    score, y = np.arange(8.0), np.tile([0, 1], 4)
    point = choose_threshold(y, score, objective={"tn": 1}, min_recall=0.75)
    assert point.threshold == 2.5
    assert point.objective_value == 2 / 8


@pytest.mark.parametrize(
    ("utilities", "error", "match"),
    [
        ({"TP": 1}, ValueError, "must have utilities of some of 'tp'"),
        ({"tp": "1"}, TypeError, r"`objective\['tp'\]` must be a real number. Got '1'"),
        ({"tn": np.inf}, ValueError, "must have finite utilities"),
        ({"tp": -1}, ValueError, "tp >= fn and tn >= fp.* Got {'tp': -1}"),
        (
            {"fp": 0.5, "tp": 3},
            ValueError,
            "tp >= fn and tn >= fp: a cost is negative. Got",
        ),
    ],
)
def test_bad_utilities_raise(utilities, error, match):
    with pytest.raises(error, match=match):
        tuned_on([1.0, 2.0], [0, 1], objective=utilities)


@pytest.mark.parametrize("name", ["f-1", "f1e3", "F2", "finf"])
def test_bad_f_beta_raises(name):
    with pytest.raises(ValueError, match="or another 'f<beta>' such as") as caught:
        tuned_on([1.0, 2.0], [0, 1], objective=name)
    assert f"Got {name!r}" in str(caught.value)


# Constraints


def test_bound_met_up_to_rounding():
    # The vertex with three of ten positives has recall .3, just below .1 + .2.
    score, y = np.arange(15.0)[::-1], np.array([1] * 3 + [0] * 5 + [1] * 7)
    bound = 0.1 + 0.2
    assert bound > 3 / 10
    for weight in (None, np.full(15, 0.1)):
        model = tuned_on(
            score, y, objective="precision", min_recall=bound, sample_weight=weight
        )
        assert model.threshold_ == 11.5


def test_trivial_bounds_have_no_effect():
    score, y, _ = tied_problem(1)
    everything = tuned_on(score, y, objective="precision", min_recall=1.0)
    assert everything.operating_point_.recall == 1
    assert everything.threshold_ <= score[y == 1].min()
    trivial = {"min_recall": 0, "min_precision": 0.0, "max_selection_rate": 1, "max_fpr": 1}
    assert tuned_on(score, y).threshold_ == tuned_on(score, y, **trivial).threshold_


@ALL_OR_NONE
@pytest.mark.parametrize("name", ["max_selection_rate", "max_fpr"])
def test_an_upper_bound_of_0(name):
    score, y, _ = tied_problem(1)
    point = tuned_on(score, y, **{name: 0}).operating_point_
    assert getattr(point, name.partition("_")[2]) == 0


@ALL_OR_NONE
@pytest.mark.parametrize(
    ("constraints", "objective"),
    [
        ({"min_recall": 0.6}, "precision"),
        ({"min_npv": 0.9}, "specificity"),
        ({"max_fpr": 0.17}, "recall"),
        ({"min_recall": 0.4, "max_selection_rate": 0.4, "max_fpr": 0.3}, "f1"),
    ],
)
def test_randomized_threshold_is_as_good_as_any_threshold(constraints, objective):
    n_randomized = 0
    for seed in range(6):
        score, y, _ = tied_problem(seed)
        table = all_thresholds(score, y)
        ok = meeting(constraints, table)
        if not ok.any():
            continue
        model = tuned_on(score, y, objective=objective, randomize=True, **constraints)
        point = model.operating_point_
        assert point.objective_value >= table[objective][ok].max() * (1 - 1e-12)
        names = "recall", "precision", "npv", "selection_rate", "fpr"
        rates = {name: np.nan_to_num([getattr(point, name)]) for name in names}
        looser = {
            name: bound * (1 - 1e-12 if name.startswith("min") else 1 + 1e-12)
            for name, bound in constraints.items()
        }
        assert meeting(looser, rates).all()
        n_randomized += model.operating_point_.randomized_threshold is not None
    if len(constraints) == 1:
        assert n_randomized >= 4


def share(part, whole):
    """Part of a whole; 0 where it is 0/0."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


ORACLE = {
    "f1": lambda tp, fp, fn, tn: share(2 * tp, 2 * tp + fp + fn),
    "recall": lambda tp, fp, fn, tn: share(tp, tp + fn),
    "precision": lambda tp, fp, fn, tn: share(tp, tp + fp),
    "npv": lambda tp, fp, fn, tn: share(tn, tn + fn),
    "selection_rate": lambda tp, fp, fn, tn: share(tp + fp, tp + fp + fn + tn),
    "fpr": lambda tp, fp, fn, tn: share(fp, fp + tn),
    "specificity": lambda tp, fp, fn, tn: share(tn, fp + tn),
    "mcc": lambda tp, fp, fn, tn: share(
        tp * tn - fp * fn, np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    ),
}
RANDOMIZED = [
    *({name: bound} for name in NAMES for bound in (1 / 3, 0.5, 0.7)),
    {"min_recall": 0.5, "max_fpr": 0.4},
    {"min_precision": 0.5, "max_selection_rate": 0.6},
    {"min_recall": 1 / 3, "min_npv": 0.6},
]


def cells(fp, tp, y):
    """tp, fp, fn, tn."""
    return tp, fp, y.sum() - tp, len(y) - y.sum() - fp


def meets(constraints, counts):
    """Mask of the counts that meet the constraints up to rounding."""
    is_met = np.ones(len(counts[0]), dtype=bool)
    for name, bound in constraints.items():
        rate = ORACLE[name[4:]](*counts)
        is_met &= rate >= bound - 1e-12 if name[:3] == "min" else rate <= bound + 1e-12
    return is_met


def mixtures(y, constraints):
    """Counts of mixtures of neighboring vertices, a grid on each edge of the hull.

    Along an edge that ends where precision, or NPV, is 0/0, this rate is constant, and the
    best of all mixtures may not exist: with a constraint of the rate the edge is left out.
    """
    fpr, tpr, _ = roc_convex_hull(y, -np.arange(len(y)))
    fps, tps, grid = fpr * (len(y) - y.sum()), tpr * y.sum(), np.linspace(0, 1, 25)
    first, last = "min_precision" in constraints, len(fps) - ("min_npv" in constraints)
    edges = range(first, last - 1)
    return np.hstack([
        [c[i] + grid * (c[i + 1] - c[i]) for c in (fps, tps)] for i in edges
    ] or [[[], []]])  # fmt: skip


@pytest.mark.slow
@ALL_OR_NONE
@pytest.mark.parametrize("objective", ["f1", "precision", "specificity", "mcc"])
def test_no_threshold_and_no_mixture_is_better_than_a_randomized_threshold(objective):
    """Every vector of three to eight labels of untied samples."""
    every = [(n, code) for n in range(3, 9) for code in range(1, 2**n - 1)]
    for n_samples, code in every:
        score, y = 0.5 - np.arange(n_samples), (code >> np.arange(n_samples)) & 1
        of_cuts = np.array([[0, *np.cumsum(1 - y)], [0, *np.cumsum(y)]])
        constraints = RANDOMIZED[code % len(RANDOMIZED)]
        fp, tp = np.hstack((of_cuts, mixtures(y, constraints)))
        counts = cells(fp, tp, y)
        is_met = meets(constraints, counts)
        if not is_met.any():
            continue
        model = tuned_on(score, y, objective=objective, randomize=True, **constraints)
        found = model.operating_point_
        best = ORACLE[objective](*(count[is_met] for count in counts)).max()
        assert found.objective_value >= best - 1e-9


def test_a_threshold_off_the_hull_competes_with_randomized_thresholds():
    # At each vertex NPV is 1/2 of no true positive, or 0/0.
    score, y = [4.0, 3, 2, 1], [0, 1, 0, 1]
    model = tuned_on(score, y, min_npv=0.5, randomize=True, random_state=0)
    assert model.operating_point_.objective_value == 0.5
    assert model.operating_point_.randomized_threshold is None


def test_of_a_threshold_and_an_equally_good_randomized_one_the_threshold_is_chosen():
    # The two samples with the highest scores are half of each class. So are, on average,
    # half of all samples, drawn at random: a mixture of the two vertices of the hull.
    model = tuned_on(
        [4.0, 3, 2, 1], [0, 1, 0, 1], min_recall=0.5, max_fpr=0.5, randomize=True
    )
    assert model.threshold_ == 2.5
    assert model.operating_point_.randomized_threshold is None


@pytest.mark.parametrize(
    ("params", "binding"),
    [
        ({"objective": "precision", "min_recall": 0.62}, "min_recall"),
        ({"objective": "f1", "min_precision": 0.62}, "min_precision"),
        ({"objective": "recall", "max_selection_rate": 0.1234}, "max_selection_rate"),
        (
            {"objective": "recall", "min_recall": 0.1, "min_precision": 0.47},
            "min_precision",
        ),
    ],
)
def test_randomized_threshold_meets_a_constraint_with_equality(params, binding):
    score, y, _ = tied_problem(4, n_samples=300)
    rate, bound = binding.partition("_")[2], params[binding]
    model = tuned_on(score, y, randomize=True, random_state=0, **params)
    assert getattr(model.operating_point_, rate) == pytest.approx(bound, rel=1e-12)

    # Expected counts by definition: certain ones, and a share of the undecided.
    threshold, probability = model.operating_point_.randomized_threshold
    assert threshold in model.thresholds_
    assert 0 < probability < 1
    sure, both = counts_at(model.threshold_, score, y), counts_at(threshold, score, y)
    fp, tp = np.array(sure) + probability * (np.array(both) - sure)
    expected = {
        "recall": tp / y.sum(),
        "precision": tp / (tp + fp),
        "selection_rate": (tp + fp) / len(y),
        "fpr": fp / (1 - y).sum(),
    }
    assert expected[rate] == pytest.approx(bound, rel=1e-12)

    # The mean counts of many predictions agree with it.
    X = np.tile(score, 400).reshape(-1, 1)
    n_undecided = 400 * (sum(both) - sum(sure))
    error = np.sqrt(n_undecided * probability * (1 - probability)) / 400
    assert abs(model.predict(X).sum() / 400 - (fp + tp)) < 4 * error


def test_randomized_threshold_decides_between_its_two_thresholds_only():
    score, y, _ = tied_problem(4, n_samples=300)
    X = score.reshape(-1, 1)
    params = {"objective": "precision", "min_recall": 0.62, "randomize": True}
    model = tuned_on(score, y, random_state=0, **params)
    response, predicted = model.decision_function(X), model.predict(X)
    undecided = response == 0
    lower = model.operating_point_.randomized_threshold.threshold
    np.testing.assert_array_equal(undecided, (score < model.threshold_) & (score >= lower))
    assert 0 < predicted[undecided].mean() < 1
    np.testing.assert_array_equal(response[~undecided] > 0, predicted[~undecided] == 1)
    assert (response % 1 == 0).all()

    # The same seen from the other class.
    other = tuned_on(-score, 1 - y, random_state=0, pos_label=0, **params)
    np.testing.assert_array_equal(other.decision_function(-X), -response)
    np.testing.assert_array_equal(other.predict(-X), 1 - predicted)


def test_random_predictions_follow_the_random_state():
    score, y, _ = tied_problem(4, n_samples=300)
    X = score.reshape(-1, 1)
    params = {"objective": "precision", "min_recall": 0.62, "randomize": True}
    first = tuned_on(score, y, random_state=3, **params)
    np.testing.assert_array_equal(first.predict(X), first.predict(X))
    same, other, unseeded = (
        tuned_on(score, y, random_state=state, **params) for state in (3, 4, None)
    )
    np.testing.assert_array_equal(same.predict(X), first.predict(X))
    assert (other.predict(X) != first.predict(X)).any()
    assert (unseeded.predict(X) != unseeded.predict(X)).any()
    # An instance moves on, so that samples predicted one by one get their own draws.
    for make in (np.random.RandomState, np.random.default_rng):
        one, two = (tuned_on(score, y, random_state=make(3), **params) for _ in range(2))
        once = one.predict(X)
        np.testing.assert_array_equal(two.predict(X), once)
        assert (one.predict(X) != once).any()


def test_no_randomized_threshold_where_it_does_not_raise_the_objective():
    score, y, _ = tied_problem(4, n_samples=300)
    free = tuned_on(score, y)
    for params in ({}, {"min_recall": 0.1}, {"min_recall": 0.1, "max_fpr": 0.99}):
        model = tuned_on(score, y, randomize=True, **params)
        assert model.operating_point_.randomized_threshold is None
        assert model.threshold_ == free.threshold_
    # On the first edge precision is constant.
    y, score = np.array([1, 0, 1, 0, 0, 0]), np.array([3.0, 3, 3, 2, 2, 1])
    first = tuned_on(score, y, objective="precision", min_recall=1 / 3, randomize=True)
    assert first.operating_point_.randomized_threshold is None
    assert first.threshold_ == 2.5


def infeasible_case():
    # Counts (f, t): (0, 0), (1, 3), (3, 4), (6, 4); precision .75, then 4/7.
    y = np.repeat([1, 0, 0, 1, 0], [3, 1, 2, 1, 3])
    score = np.repeat([8.0, 4.0, 2.0], [4, 3, 3])
    return score, y


def test_a_best_rate_that_is_undefined_is_called_so_in_the_error():
    match = r"the best precision with `max_fpr`=0\.0 is undefined, at threshold inf; the"
    with pytest.raises(ValueError, match=match):
        choose_threshold([0, 1], [2.0, 1.0], min_precision=0.3, max_fpr=0)


def test_a_best_rate_in_an_error_is_not_rounded_down_by_the_rounding_of_weights():
    # In float64, the share 0.6 / 1.5 is just below 0.4.
    y, score = [0, 1, 0, 0, 1, 0, 0, 0], -np.arange(8.0)
    with pytest.raises(ValueError, match=r"best precision with `min_recall`=0\.9 is 0\.4,"):
        choose_threshold(
            y, score, min_precision=0.95, min_recall=0.9, sample_weight=np.full(8, 0.3)
        )


@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        (
            {"min_precision": 0.8},
            "`min_precision`=0.8 cannot be met at any threshold of the tuning set: the "
            "best precision is 0.75, at threshold 6. Relax it.",
        ),
        (
            {"min_recall": 0.9, "min_precision": 0.7},
            "`min_recall`=0.9 and `min_precision`=0.7 cannot be met at any threshold "
            "of the tuning set: the best recall with `min_precision`=0.7 is "
            "0.75, at threshold 6; the best precision with `min_recall`=0.9 is 0.5714, at "
            "threshold 3. Relax one of them.",
        ),
        (
            {"min_recall": 0.9, "max_selection_rate": 0.4},
            "`min_recall`=0.9 and `max_selection_rate`=0.4 cannot be met at any threshold "
            "of the tuning set: the best recall with `max_selection_rate`=0.4 is "
            "0.75, at threshold 6; the best selection rate with `min_recall`=0.9 is 0.7, "
            "at threshold 3. Relax one of them.",
        ),
        (
            {"min_recall": 0.9, "min_precision": 0.8, "max_fpr": 0.4},
            "no threshold has `min_precision`=0.8 and `max_fpr`=0.4; no threshold has "
            "`min_recall`=0.9 and `max_fpr`=0.4; no",
        ),
    ],
)
def test_constraints_that_no_threshold_meets(constraints, message):
    # Counts (f, t): (0, 0), (1, 3), (3, 4), (6, 4); precision .75, then 4/7.
    with pytest.raises(ValueError, match="cannot be met") as caught:
        tuned_on(*infeasible_case(), **constraints)
    assert message in str(caught.value)


def test_constraints_that_a_randomized_threshold_meets():
    score, y = infeasible_case()
    constraints = {"min_recall": 0.85, "min_precision": 0.63}
    with pytest.raises(ValueError, match="cannot be met"):
        tuned_on(score, y, **constraints)
    point = tuned_on(score, y, randomize=True, **constraints).operating_point_
    assert point.recall >= 0.85 * (1 - 1e-12)
    assert point.precision >= 0.63 * (1 - 1e-12)
    constraints["min_precision"] = 0.7
    with pytest.raises(ValueError, match=r"cannot be met .*at threshold 6; .*Relax one of"):
        tuned_on(score, y, randomize=True, **constraints)
