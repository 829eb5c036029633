"""Floors with a confidence: exact binomial facts, refusals, and simulation."""

import pickle
import re
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import norm
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GroupShuffleSplit,
    ShuffleSplit,
    StratifiedShuffleSplit,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from tuning_sets import counts_at, tuned_on

from sklearn_achievable_pr import HullThresholdClassifierCV
from sklearn_achievable_pr._input.labels import BinaryData
from sklearn_achievable_pr._threshold.choice import tuning_path
from sklearn_achievable_pr._threshold.risk_control import (
    _testing_order,
    lowest_with_recall,
    positives_needed,
)
from sklearn_achievable_pr.hull_threshold import Guarantee


def data(n_samples=600, seed=0):
    return make_classification(n_samples, weights=[0.8], flip_y=0.1, random_state=seed)


def binormal(rng, n_rows, prevalence, distance, levels=None):
    """Scores and labels; `levels` a unit of the score, or any number."""
    y = (rng.random(n_rows) < prevalence).astype(int)
    score = rng.normal(size=n_rows) + distance * y
    return (score if levels is None else np.floor(score * levels) / levels), y


def truth(threshold, prevalence, distance):
    """Recall and precision of new data at a threshold, without ties."""
    recall, fpr = norm.sf(threshold - distance), norm.sf(threshold)
    return recall, prevalence * recall / (prevalence * recall + (1 - prevalence) * fpr)


# Recall


def probability_of_missing(k, n_pos, recall):
    """Exactly: fewer than k of the positives are among the lowest 1 - recall of all."""
    missed = 1 - Fraction(recall)
    return sum(comb(n_pos, i) * missed**i * (1 - missed) ** (n_pos - i) for i in range(k))


@pytest.mark.parametrize("recall", [0.5, 0.75, 0.9, 0.99, 0.999])
@pytest.mark.parametrize("error_rate", [0.5, 0.1, 0.05, 0.01])
def test_order_statistic_is_the_highest_that_is_sure_enough(recall, error_rate):
    for n_pos in (1, 2, 5, 28, 29, 30, 58, 59, 100, 401):
        k = lowest_with_recall(n_pos, recall, error_rate)
        if k:
            assert probability_of_missing(k, n_pos, recall) <= Fraction(error_rate)
        # An exact tie may be refused for rounding.
        rounded = Fraction(error_rate) * (1 - Fraction(1, 10**12))
        assert probability_of_missing(k + 1, n_pos, recall) > rounded
        assert (k > 0) == (n_pos >= positives_needed(recall, error_rate))


def test_positives_needed_in_tables():
    # Wilks 1941: 59 for 95 % coverage at 95 % confidence, 299 for 99 %, 29 for 90 %.
    assert positives_needed(0.9, 1 - 0.95) == 29
    assert positives_needed(0.95, 1 - 0.95) == 59
    assert positives_needed(0.99, 1 - 0.95) == 299
    assert positives_needed(0.9, 0.01) == 44
    assert positives_needed(0.5, 0.5) == 1
    assert positives_needed(0.5, 0.25) == 2
    assert positives_needed(1e-9, 0.5) == 1


def separated(n_pos, n_neg):
    """Positives above all negatives, scores one apart."""
    return np.arange(n_pos + n_neg), np.arange(n_pos + n_neg) >= n_neg


def test_as_many_positives_as_are_needed():
    params = {"objective": "precision", "min_recall": 0.9, "confidence": 0.95}
    score, y = separated(29, 40)
    model = tuned_on(score, y.astype(int), **params)
    assert model.threshold_ == 39.5  # at the lowest positive
    assert model.operating_point_.recall == 1
    score, y = separated(28, 40)
    with pytest.raises(
        ValueError,
        match=r"`min_recall`=0\.9 cannot be promised with `confidence`=0\.95: that takes "
        r"29 positives in the tuning set\. Got 28\. Hold out more, or lower one of the two",
    ):
        tuned_on(score, y.astype(int), **params)


@pytest.mark.parametrize("n_pos", [29, 46, 47, 100, 1000])
def test_threshold_is_at_the_order_statistic(n_pos):
    rng = np.random.default_rng(n_pos)
    y = np.repeat([1, 0], [n_pos, 5 * n_pos])
    score = rng.normal(size=len(y)) + 1.5 * y
    model = tuned_on(score, y, objective="precision", min_recall=0.9, confidence=0.95)
    k = lowest_with_recall(n_pos, 0.9, 1 - 0.95)
    at_most = np.partition(score[y == 1], k - 1)[k - 1]
    assert model.threshold_ <= at_most
    assert model.operating_point_.recall >= (n_pos - k + 1) / n_pos
    # Precision falls with the recall here, all in all: the floor is what binds.
    assert model.operating_point_.recall <= (n_pos - k + 1) / n_pos + 0.1
    free = tuned_on(score, y, objective="precision", min_recall=0.9)
    assert free.operating_point_.recall <= model.operating_point_.recall


def test_no_threshold_that_is_proven_is_better():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        score, y = binormal(rng, 400, 0.3, 1.0, levels=3 if seed % 2 else None)
        k = lowest_with_recall(y.sum(), 0.8, 0.1)
        fp, tp = np.transpose([counts_at(t, score, y) for t in np.unique(score)])
        proven = tp >= y.sum() - k + 1
        for objective, values in (
            ("precision", tp / (tp + fp)),
            ("f1", 2 * tp / (tp + fp + y.sum())),
            ({"fp": -1, "fn": -2}, -(fp + 2 * (y.sum() - tp)) / 400),
        ):
            model = tuned_on(score, y, objective=objective, min_recall=0.8, confidence=0.9)
            assert model.operating_point_.objective == pytest.approx(
                values[proven].max(), rel=1e-12
            )


def test_ties_do_not_matter_to_the_guarantee():
    # All positives share a score: the lowest of them accepts all.
    score, y = np.repeat([2.0, 1.0], [40, 60]), np.repeat([1, 0], [40, 60])
    model = tuned_on(score, y, objective="precision", min_recall=0.9, confidence=0.95)
    assert model.threshold_ == 1.5


# Precision


def test_precision_is_tested_on_four_fifths():
    """The threshold is one of a fifth of the scores, drawn by the random state."""
    rng = np.random.default_rng(0)
    score, y = binormal(rng, 1000, 0.3, 2.0)
    params = {"objective": "recall", "min_precision": 0.7, "confidence": 0.9}
    model = tuned_on(score, y, random_state=4, **params)
    mixed = np.random.RandomState(4).permutation(1000)
    learning = np.sort(score[mixed[:200]])
    at = np.searchsorted(learning, model.threshold_)
    assert model.threshold_ == (learning[at - 1] + learning[at]) / 2

    testing = mixed[200:]
    fp, tp = counts_at(model.threshold_, score[testing], y[testing])
    tail = sum(
        comb(int(tp + fp), i) * Fraction(7, 10) ** i * Fraction(3, 10) ** int(tp + fp - i)
        for i in range(int(tp), int(tp + fp) + 1)
    )
    assert tail <= Fraction(1, 10)
    # The next threshold down was tested and failed, or a test before it did.
    lower = (learning[at - 2] + learning[at - 1]) / 2
    fp, tp = counts_at(lower, score[testing], y[testing])
    tail = sum(
        comb(int(tp + fp), i) * Fraction(7, 10) ** i * Fraction(3, 10) ** int(tp + fp - i)
        for i in range(int(tp), int(tp + fp) + 1)
    )
    assert tail > Fraction(1, 10)

    again = tuned_on(score, y, random_state=4, **params)
    assert again.threshold_ == model.threshold_
    assert tuned_on(score, y, random_state=5, **params).threshold_ != model.threshold_


def test_the_tested_threshold_is_kept_to_the_last_bit():
    """A vertex's threshold between the same two tuning scores gives way to it."""
    n_replaced = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        score, y = binormal(rng, 500, 0.4, 2.0)
        model = tuned_on(
            score, y, objective="f1", min_precision=0.6, confidence=0.9, random_state=seed
        )
        free = tuned_on(score, y)
        assert model.threshold_ in model.thresholds_
        assert (np.diff(model.thresholds_) < 0).all()
        assert (
            np.count_nonzero(model.thresholds_[model.is_vertex_] != free.thresholds_) <= 1
        )
        n_replaced += model.is_vertex_.all()
        for i, threshold in enumerate(model.thresholds_):
            found = tuple(counts[i] for counts in model.tuning_counts_)
            assert found == counts_at(threshold, score, y)
        X = score.reshape(-1, 1)
        np.testing.assert_array_equal(model.predict_proba(X), free.predict_proba(X))
        np.testing.assert_array_equal(model.decision_function(X) > 0, model.predict(X) == 1)
    assert n_replaced < 30


@pytest.mark.parametrize("objective", ["precision", "recall", "f1", "mcc"])
def test_the_sequence_goes_towards_the_objective(objective):
    rng = np.random.default_rng(1)
    score, y = binormal(rng, 4000, 0.3, 2.0)
    model = tuned_on(
        score, y, objective=objective, min_precision=0.6, confidence=0.9, random_state=0
    )
    recall = model.operating_point_.recall
    low, high = {
        "precision": (0.0, 0.6),
        "recall": (0.84, 0.93),
        "f1": (0.65, 0.86),
        "mcc": (0.65, 0.86),
    }[objective]
    assert low < recall < high
    assert model.operating_point_.precision >= 0.6


def test_positives_that_would_do_for_a_precision():
    score, y = separated(30, 60)
    params = {"objective": "recall", "min_precision": 0.9, "confidence": 0.95}
    with pytest.raises(ValueError, match="cannot be promised") as caught:
        tuned_on(score, y.astype(int), random_state=0, **params)
    message = str(caught.value)
    found = re.match(
        r"`min_precision`=0\.9 cannot be promised with `confidence`=0\.95: of 72 rows of "
        r"the tuning set that it is tested on, (\d+) reach threshold [\d.]+, where it is "
        r"likeliest to hold, and \1 of these are positive\. If its precision, 1, is the "
        r"true one, about (\d+) positives in the tuning set would do instead of 30\. ",
        message,
    )
    # 29 true positives without a false one prove .9, of which four fifths are tested.
    n_needed = int(found[2])
    assert 29 / 0.8 <= n_needed <= 1.3 * 29 / 0.8
    score, y = separated(2 * n_needed, 100)
    assert (
        tuned_on(score, y.astype(int), random_state=0, **params).randomized_threshold_
        is None
    )


def test_positives_that_would_do_mostly_do():
    rng = np.random.default_rng(2)
    params = {"objective": "recall", "min_precision": 0.6, "confidence": 0.95}
    enough = []
    for seed in range(60):
        score, y = binormal(rng, 150, 0.3, 1.5)
        try:
            tuned_on(score, y, random_state=seed, **params)
        except ValueError as error:
            said = re.search(r"about (\d+) positives", str(error))
            if said:
                enough.append(int(said[1]))
    assert len(enough) > 10
    n_rows = int(np.median(enough) / 0.3)
    found = 0
    for seed in range(40):
        try:
            tuned_on(*binormal(rng, n_rows, 0.3, 1.5), random_state=seed, **params)
            found += 1
        except ValueError:
            pass
    assert found > 20


def test_a_precision_that_is_not_there():
    score, y = binormal(np.random.default_rng(0), 500, 0.1, 0.5)
    with pytest.raises(ValueError, match="cannot be promised") as caught:
        tuned_on(score, y, min_precision=0.9, confidence=0.9, random_state=0)
    assert re.search(
        r"The precision there is 0\.\d+: lower one of the two\.", str(caught.value)
    )


@pytest.mark.parametrize("objective", ["precision", "recall", "f1"])
def test_every_threshold_has_its_turn(objective):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        score, y = binormal(rng, 100, 0.4, 1.5, levels=4)
        learned = tuning_path(BinaryData(y == 1, score, None))
        order = _testing_order(learned, objective, {"min_precision": 0.5})
        assert sorted(order) == list(range(1, len(learned.tps)))
        # The surest is the one that is farthest above the floor, in standard errors.
        fp, tp = np.transpose([counts_at(t, score, y) for t in np.unique(score)[::-1]])
        excess = (tp - 0.5 * (tp + fp)) / np.sqrt(tp + fp)
        assert excess[order[0] - 1] == excess.max()
        # On either side the thresholds follow one another.
        assert set(np.abs(np.diff(order))[np.diff(np.sign(order - order[0])) == 0]) <= {1}


def test_parts_of_one_class_or_one_row():
    # The fifth that says in which order to test has no positive more often than not.
    score, y = np.arange(60.0), np.arange(60) % 20 == 19
    n_found = 0
    for seed in range(20):
        for objective in ("recall", "f1", {"tp": 1, "fp": -1}):
            try:
                model = tuned_on(
                    score, y.astype(int), objective=objective, min_precision=0.04,
                    confidence=0.5, random_state=seed,
                )  # fmt: skip
                n_found += model.operating_point_.precision >= 0.04
            except ValueError as error:
                if "cannot be promised" not in str(error):
                    raise
    assert n_found > 20
    found = [
        np.isfinite(
            tuned_on(
                [1.0, 0.0], [1, 0], min_precision=0.3, confidence=0.5, random_state=seed
            ).threshold_
        )
        for seed in range(20)
        if np.random.RandomState(seed).permutation(2)[1] == 0  # the positive is tested
    ]
    assert found == [False] * len(found)  # of the other row alone: everything is positive


def test_no_number_of_samples_proves_perfection():
    score, y = separated(1000, 1000)
    for floor, what in (
        ("min_recall", "none will be missed"),
        ("min_precision", "no false"),
    ):
        with pytest.raises(ValueError, match=f"`{floor}`=1.0 cannot be promised") as caught:
            tuned_on(score, y.astype(int), confidence=0.9, **{floor: 1.0})
        assert what in str(caught.value)


# Both


def test_both_floors_share_what_may_go_wrong():
    score, y = separated(36, 60)
    params = {"min_recall": 0.9, "confidence": 0.95}
    tuned_on(score, y.astype(int), **params)
    assert positives_needed(0.9, 0.025) == 36
    tuned_on(score, y.astype(int), min_precision=0.3, random_state=0, **params)
    score, y = separated(35, 60)
    with pytest.raises(
        ValueError,
        match=r"with `confidence`=0\.95, shared by two floors: that takes 36 positives in "
        r"the tuning set\. Got 35",
    ):
        tuned_on(score, y.astype(int), min_precision=0.3, random_state=0, **params)


def test_floors_that_cannot_be_promised_together():
    score, y = binormal(np.random.default_rng(0), 2000, 0.3, 1.0)
    for floor in ({"min_recall": 0.9}, {"min_precision": 0.5}):
        tuned_on(score, y, confidence=0.9, random_state=0, **floor)
    with pytest.raises(ValueError, match="cannot be promised together") as caught:
        tuned_on(
            score, y, min_recall=0.9, min_precision=0.5, confidence=0.9, random_state=0
        )
    highest, lowest, top = map(
        float, re.search(r"up to threshold (\S+), the precision from (\S+) to (\S+)\. ",
                         str(caught.value)).groups()
    )  # fmt: skip
    assert highest < lowest <= top
    assert truth(highest, 0.3, 1.0)[0] > 0.9
    assert truth(lowest, 0.3, 1.0)[1] > 0.5


def test_the_operating_point_says_what_is_promised():
    score, y = binormal(np.random.default_rng(0), 2000, 0.3, 2.0)
    floors = {"min_recall": 0.6, "min_precision": 0.5}
    point = tuned_on(score, y, confidence=0.9, random_state=0, **floors).operating_point_
    assert point.guarantee == Guarantee(confidence=0.9, recall=0.6, precision=0.5)
    assert len(point) == 3
    assert tuple(point) == (point.precision, point.recall, point.objective)
    assert repr(point).startswith("OperatingPoint(precision=0.")
    assert repr(point).endswith(
        ", guarantee=Guarantee(confidence=0.9, recall=0.6, precision=0.5))"
    )
    thawed = pickle.loads(pickle.dumps(point))
    assert thawed == point
    assert thawed.guarantee == point.guarantee

    alone = tuned_on(score, y, confidence=0.9, min_recall=0.6).operating_point_
    assert alone.guarantee == Guarantee(0.9, 0.6, None)
    nothing_to_promise = tuned_on(
        score, y, confidence=0.9, min_recall=0.6, min_precision=0
    ).operating_point_
    assert nothing_to_promise.guarantee == alone.guarantee
    assert nothing_to_promise == alone

    free = tuned_on(score, y, **floors).operating_point_
    assert free.guarantee is None
    assert "guarantee" not in repr(free)


# What is needed of the score, and refit=False


def test_refit_false_keeps_the_classifier_of_the_split():
    X, y = data()
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
    assert (
        HullThresholdClassifierCV(GaussianNB(), cv=0.3).fit(X, y).estimator_.theta_[0, 0]
        == GaussianNB().fit(X, y).theta_[0, 0]
    )


def test_refit_false_in_a_cross_validation():
    X, y = data()
    model = HullThresholdClassifierCV(
        LogisticRegression(), cv=0.3, refit=False, random_state=0,
        min_recall=0.7, confidence=0.8, objective="precision",
    )  # fmt: skip
    found = cross_validate(model, X, y, cv=3, return_estimator=True, error_score="raise")
    for fitted in found["estimator"]:
        assert fitted.operating_point_.guarantee == Guarantee(0.8, 0.7, None)


def test_refit_false_takes_one_split():
    X, y = data()
    for cv, n_splits in ((None, 5), (3, 3), (ShuffleSplit(2), 2)):
        with pytest.raises(
            ValueError,
            match="`refit=False` keeps the classifier of the only split there is. `cv` "
            f"gives {n_splits}: pass a fraction",
        ):
            HullThresholdClassifierCV(GaussianNB(), cv=cv, refit=False).fit(X, y)
    frozen = FrozenEstimator(GaussianNB().fit(X, y))
    assert (
        HullThresholdClassifierCV(frozen, cv=3, refit=False).fit(X, y).estimator_ is frozen
    )


def refused(match, X=None, y=None, fit=None, base=None, **params):
    X, y = data() if X is None else (X, y)
    params = {"confidence": 0.9, "min_recall": 0.5, "cv": 0.5, "refit": False, **params}
    with pytest.raises(ValueError, match=match) as caught:
        HullThresholdClassifierCV(base or GaussianNB(), **params).fit(X, y, **(fit or {}))
    return str(caught.value)


def test_refuses_scores_that_are_not_fixed():
    for cv in (0.5, 5, None):
        message = refused(
            "`confidence`=0.9 needs a score that has seen none", cv=cv, refit=True
        )
        assert "Pass `refit=False` with one split, e.g. `cv=0.3`" in message
        assert "in a FrozenEstimator" in message
    refused("`refit=False` keeps", cv=5)


def test_refuses_rows_that_are_not_independent():
    X, y = data()
    rows = np.arange(600)
    for split in ((rows, rows), (rows[:301], rows[300:]), (rows[:300], [400, 400, 401])):
        refused("needs a split that holds out each row once, and no row of", cv=[split])
    assert HullThresholdClassifierCV(
        GaussianNB(),
        cv=[(rows[:300], rows[300:])],
        refit=False,
        confidence=0.5,
        min_recall=0.5,
    ).fit(X, y)
    refused(
        "not with `sample_weight`. Leave out either", fit={"sample_weight": np.ones(600)}
    )
    groups = {"groups": rows // 2}
    refused("count one each, not with `groups`", fit=groups, cv=GroupShuffleSplit(1))
    refused("not with `groups`", fit=groups, base=FrozenEstimator(GaussianNB().fit(X, y)))
    with config_context(enable_metadata_routing=True):
        refused("not with `groups`", fit=groups, cv=GroupShuffleSplit(1))
        base = GaussianNB().set_fit_request(sample_weight=True)
        refused("with `sample_weight`", fit={"sample_weight": np.ones(600)}, base=base)


def test_rows_are_drawn_whatever_their_class_where_precision_is_promised():
    X, y = data()
    params = {"min_precision": 0.3, "min_recall": None}
    message = refused(
        "`cv` must draw rows without regard to their classes",
        cv=StratifiedShuffleSplit(1, test_size=0.5),
        **params,
    )
    assert "pass a fraction, or a ShuffleSplit" in message
    model = HullThresholdClassifierCV(
        GaussianNB(), cv=0.5, refit=False, confidence=0.8, random_state=5,
        min_precision=0.3, objective="recall",
    ).fit(X, y)  # fmt: skip
    _, test = next(ShuffleSplit(1, test_size=0.5, random_state=5).split(X))
    assert model.tuning_counts_.tps[-1] == y[test].sum()
    # For recall the number of positives is as good as given: both are proven.
    for cv in (0.5, StratifiedShuffleSplit(1, test_size=0.5, random_state=5)):
        model = HullThresholdClassifierCV(
            GaussianNB(), cv=cv, refit=False, confidence=0.8, random_state=5, min_recall=0.5
        ).fit(X, y)
        _, test = next(StratifiedShuffleSplit(1, test_size=0.5, random_state=5).split(X, y))
        assert model.tuning_counts_.tps[-1] == y[test].sum()


@pytest.mark.parametrize("value", [0, 1, 1.5, -0.1, np.nan, True])
def test_refuses_a_confidence_that_is_none(value):
    refused(rf"`confidence` must be None or lie inside .* Got {value}", confidence=value)


def test_refuses_a_confidence_of_nothing():
    refused("is that of a floor: pass `min_recall` or", min_recall=None)
    refused("is that of a floor", min_recall=0.0, min_precision=0)
    message = refused("cannot be had with `randomize=True`", randomize=True)
    assert "Leave out either." in message
    with pytest.raises(TypeError, match=r"`confidence` must be a real number. Got '0\.9'"):
        HullThresholdClassifierCV(GaussianNB(), confidence="0.9").fit(*data())


def test_results_of_the_split_are_those_of_the_choice():
    X, y = data()
    model = HullThresholdClassifierCV(
        GaussianNB(), cv=0.5, refit=False, confidence=0.8, min_precision=0.3,
        objective="recall", store_cv_results=True,
    ).fit(X, y)  # fmt: skip
    results = model.cv_results_
    assert results["threshold"].tolist() == [model.threshold_]
    np.testing.assert_array_equal(results["thresholds"][0], model.thresholds_)
    np.testing.assert_array_equal(results["is_vertex"][0], model.is_vertex_)


# Simulation; benchmarks/guarantee.py has more of it

N_TIMES = 250


@pytest.mark.parametrize(
    ("floors", "n_rows", "prevalence", "distance"),
    [
        ({"min_recall": 0.8}, 150, 0.3, 1.5),
        ({"min_recall": 0.95}, 3000, 0.03, 2.0),
        ({"min_precision": 0.6}, 500, 0.3, 1.5),
        ({"min_precision": 0.4}, 2000, 0.05, 2.5),
        ({"min_recall": 0.6, "min_precision": 0.5}, 1000, 0.3, 1.6),
    ],
)
@pytest.mark.parametrize("levels", [None, 4], ids=["continuous", "discrete"])
def test_floors_hold_for_new_data_as_often_as_promised(
    floors, n_rows, prevalence, distance, levels
):
    rng = np.random.default_rng(0)
    confidence = 0.8
    n_missed = 0
    for seed in range(N_TIMES):
        score, y = binormal(rng, n_rows, prevalence, distance, levels)
        try:
            model = tuned_on(
                score, y, objective="f1", confidence=confidence, random_state=seed, **floors
            )
        except ValueError as error:
            if "cannot be promised" not in str(error):
                raise
            continue
        # Rounded down, scores reach a threshold where before they reached the next level.
        at = (
            model.threshold_
            if levels is None
            else np.ceil(model.threshold_ * levels) / levels
        )
        recall, precision = truth(at, prevalence, distance)
        n_missed += recall < floors.get("min_recall", 0) or precision < floors.get(
            "min_precision", 0
        )
    allowed = 1 - confidence
    error = np.sqrt(allowed * confidence / N_TIMES)
    assert n_missed / N_TIMES <= allowed + 2 * error
