"""Metric functions and scorers as objectives of a threshold."""

import warnings
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from sklearn import metrics
from sklearn.metrics import make_scorer
from tuning_sets import ALL_OR_NONE, all_thresholds, meeting, tied_problem, tuned_on

from sklearn_achievable_pr import choose_threshold


def g_mean(y_true, y_pred, sample_weight):
    recalls = metrics.recall_score(
        y_true, y_pred, average=None, labels=[0, 1], sample_weight=sample_weight
    )
    return np.sqrt(recalls.prod())


# By their names in the tests, as a metric of 0 and 1.
METRICS = {
    "f2": partial(metrics.fbeta_score, beta=2),
    "kappa": metrics.cohen_kappa_score,
    "jaccard": metrics.jaccard_score,
    "g_mean": g_mean,
}


def best_value(metric, score, y, weight, constraints):
    """The highest value of a metric of predictions at thresholds that meet constraints."""
    table = all_thresholds(score, y, weight)
    ok = meeting(constraints, table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = [
            metric(y, (score >= t).astype(int), sample_weight=weight)
            for t in table["threshold"][ok]
        ]
    return max(values, default=None)


def scorer_of(metric):
    # scikit-learn 1.6 needs the name of the function, which a partial lacks.
    if isinstance(metric, partial):
        return make_scorer(metric.func, **metric.keywords)
    return make_scorer(metric)


@pytest.mark.slow
@ALL_OR_NONE
@pytest.mark.parametrize(
    ("name", "kind", "constraints"),
    [
        ("f2", "scorer", {}),
        ("kappa", "metric", {}),
        ("jaccard", "scorer", {"min_recall": 0.4, "max_fpr": 0.6}),
        ("g_mean", "metric", {"min_recall": 0.4, "max_fpr": 0.6}),
    ],
)
def test_no_threshold_has_a_higher_metric(name, kind, constraints):
    metric = METRICS[name]
    for seed in range(4):
        score, y, weight = tied_problem(seed, 60, weighted=seed % 2 > 0)
        best = best_value(metric, score, y, weight, constraints)
        objective = metric if kind == "metric" else scorer_of(metric)
        if best is None:
            continue
        point = choose_threshold(
            y, score, objective=objective, sample_weight=weight, **constraints
        )
        found = metric(y, (score >= point.threshold).astype(int), sample_weight=weight)
        assert point.objective_value == pytest.approx(best, rel=1e-12)
        assert found == pytest.approx(best, rel=1e-12)


def test_on_many_samples_the_metric_is_nearly_the_best():
    score, y, _ = tied_problem(0, 5000, levels=10**6)
    assert choose_threshold(y, score, objective=metrics.f1_score).objective_value == (
        pytest.approx(choose_threshold(y, score).objective_value, abs=0.005)
    )


@pytest.mark.parametrize("name", ["accuracy", "jaccard", "f1_macro", "neg_hamming_loss"])
def test_a_name_is_the_scorer_of_that_name(name):
    if name not in metrics.get_scorer_names():
        name = "matthews_corrcoef"
    score, y, _ = tied_problem(1)
    named = choose_threshold(y, score, objective=name)
    assert named.objective == name
    same = choose_threshold(y, score, objective=metrics.get_scorer(name))
    assert same.threshold == named.threshold


def test_a_scorer_gets_the_labels_of_the_target():
    score, y, _ = tied_problem(1)
    text = np.where(y == 1, "bad", "good")
    objective = make_scorer(metrics.f1_score, pos_label="bad")
    by_name = choose_threshold(y, score)
    found = choose_threshold(text, score, objective=objective, pos_label="bad")
    assert found.threshold == by_name.threshold
    model = tuned_on(
        score, text, classes=("bad", "good"), objective=objective, pos_label="good"
    )
    assert model.operating_point_.objective.startswith("make_scorer(f1_score")


@pytest.mark.parametrize("name", ["jaccard", "f1_macro"])
def test_the_name_of_a_scorer_is_for_any_labels(name):
    score, y, _ = tied_problem(1)
    text = np.where(y == 1, "yes", "no")
    expected = choose_threshold(y, score, objective=name)
    found = choose_threshold(text, score, objective=name, pos_label="yes")
    assert found == replace(expected, pos_label="yes")
    swapped = choose_threshold(1 - y, score, objective=name, pos_label=0)
    assert swapped == expected
    model = tuned_on(score, text, classes=("no", "yes"), objective=name, pos_label="yes")
    assert model.operating_point_.objective_value == expected.objective_value


def test_a_scorer_without_the_positive_label_of_text():
    score, y, _ = tied_problem(1)
    text = np.where(y == 1, "yes", "no")
    with pytest.raises(ValueError, match=r"`make_scorer\(jaccard_score, pos_label=...\)`"):
        choose_threshold(
            text, score, objective=make_scorer(metrics.jaccard_score), pos_label="yes"
        )


def test_a_metric_gets_labels_0_and_1():
    score, y, _ = tied_problem(1)
    text = np.where(y == 1, "bad", "good")
    found = choose_threshold(text, score, objective=metrics.f1_score, pos_label="bad")
    assert found.threshold == choose_threshold(y, score).threshold


def without_weights(y_true, y_pred):
    return 1.0


def with_amounts(y_true, y_pred, sample_weight):
    return np.average(np.arange(80.0) * (y_true == y_pred), weights=sample_weight)


def log_loss_of(y_true, y_proba=None, *, sample_weight=None):
    return metrics.log_loss(y_true, y_proba, sample_weight=sample_weight)


def refused(objective, message):
    """Assert that no threshold is chosen with such an objective."""
    score, y, _ = tied_problem(0)
    with pytest.raises(ValueError, match=f"^`objective` .*{message}"):
        choose_threshold(y, score, objective=objective)
    with pytest.raises(ValueError, match=r"^`objective` "):
        tuned_on(score, y, objective=objective)


@pytest.mark.parametrize(
    ("objective", "message"),
    [
        (metrics.roc_auc_score, "a metric of scores .`y_score`.: pass a metric of"),
        (log_loss_of, "a metric of scores .`y_proba`.: pass a metric of"),
        ("roc_auc", "Got roc_auc, a metric of scores: pass a metric of"),
        ("neg_log_loss", "Got neg_log_loss, a metric of scores: pass a metric of"),
    ],
)
def test_a_metric_or_scorer_of_scores_is_refused(objective, message):
    refused(objective, message)


@pytest.mark.parametrize(
    ("objective", "message"),
    [
        (without_weights, "Got without_weights, with the parameters"),
        (make_scorer(without_weights), "raised TypeError"),
        (with_amounts, "Got with_amounts, which raised ValueError.* amounts as"),
        (dict, "with the parameters unknown"),
    ],
)
def test_a_function_that_is_no_metric_of_weighted_predictions_is_refused(
    objective, message
):
    refused(objective, message)


@pytest.mark.parametrize(
    ("objective", "message"),
    [
        (metrics.zero_one_loss, "a loss: it is 0 if all predictions are right and 1 if"),
        (partial(metrics.f1_score, average=None), "Got f1_score, which raised TypeError"),
        (metrics.fbeta_score, "Got fbeta_score, which raised TypeError"),
        (partial(metrics.precision_score, zero_division=np.nan), "must not return NaN"),
    ],
)
def test_a_metric_that_has_no_highest_number_is_refused(objective, message):
    refused(objective, message)


@pytest.mark.parametrize("name", ["f" + 400 * "9", "f" + 60_000 * "1" + "x"])
def test_a_very_long_name_is_refused_at_once(name):
    # A pattern that tries every division of the digits takes a minute.
    refused(name, "must be one of 'f1'")


def test_a_scorer_of_other_labels_is_refused():
    refused(make_scorer(metrics.f1_score, pos_label="yes"), "raised ValueError")


@pytest.mark.parametrize(
    ("word", "ours"),
    [
        ("F1", "f1"),
        ("f1_score", "f1"),
        ("PPV", "precision"),
        ("tpr", "recall"),
    ],
)
def test_an_objective_by_another_word_is_answered_with_its_name_here(word, ours):
    score, y, _ = tied_problem(0)
    with pytest.raises(ValueError, match=f"Got '{word}', which is '{ours}' here"):
        choose_threshold(y, score, objective=word)


@pytest.mark.parametrize("word", ["auprc", "average_precision_score", "aucnpr"])
def test_a_metric_of_scores_is_no_objective(word):
    score, y, _ = tied_problem(0)
    with pytest.raises(ValueError, match=f"Got '{word}', which is a metric of scores"):
        choose_threshold(y, score, objective=word)


def test_an_objective_named_as_a_function_has_the_name_of_its_scorer():
    score, y, _ = tied_problem(0)
    with pytest.raises(ValueError, match="Got 'accuracy_score', which is 'accuracy' here"):
        choose_threshold(y, score, objective="accuracy_score")


def test_predicting_nothing_gives_one_warning():
    score, y, _ = tied_problem(0)
    with pytest.warns(UserWarning, match="threshold is inf: no tuning sample") as caught:
        assert choose_threshold(y, -score, objective="accuracy").threshold == np.inf
    assert len(caught) == 1
    choose_threshold(y, score, objective=metrics.precision_score)


# Choosing from arrays


@pytest.mark.parametrize("seed", range(4))
def test_arrays_and_a_frozen_classifier_have_the_same_operating_point(seed):
    score, y, weight = tied_problem(seed, weighted=seed % 2 > 0)
    options = {"objective": "precision", "min_recall": 0.6}
    if weight is None:
        options |= {"confidence_level": 0.7, "max_fpr": 0.9, "random_state": 0}
    found = choose_threshold(y, score, sample_weight=weight, **options)
    model = tuned_on(score, y, sample_weight=weight, **options)
    assert found.response_method is None
    assert model.operating_point_ == replace(found, response_method="decision_function")


def test_a_class_without_samples_is_an_error():
    with pytest.raises(ValueError, match="Got no negative one: add some"):
        choose_threshold([1, 1], [0.1, 0.2])
    with pytest.raises(ValueError, match="Got no positive one"):
        choose_threshold([1, 0], [0.1, 0.2], sample_weight=[0, 1])
    with pytest.raises(ValueError, match="Got no positive one"):
        choose_threshold(["no"], [1.0], objective="jaccard", pos_label="yes")


@ALL_OR_NONE
@pytest.mark.parametrize(
    ("y", "score", "costs", "threshold", "unit"),
    [
        ([1, 0, 0, 1, 0], [6, 2, 1, 0, 2], (0, 0, -3, 1), 4.0, 0.1),
        ([0, 0, 1, 1], [5, 1, 4, 3], (2, -3, 1, -1), np.inf, np.pi),
        ([0, 1, 0, 1, 1], [4, 0, 5, 6, 4], (2, -3, -1, 0), 5.5, 1 / 3),
        ([0, 1, 0, 1, 1], [4, 0, 5, 6, 4], (2, -3, -1, 0), 5.5, 1e300),
    ],
)
def test_equal_utilities_are_ties_whatever_their_unit(y, score, costs, threshold, unit):
    costs = dict(zip(("tp", "fp", "fn", "tn"), np.multiply(unit, costs), strict=True))
    assert choose_threshold(y, score, objective=costs).threshold == threshold


@ALL_OR_NONE
@pytest.mark.parametrize("fp", [-3, -2, -1.5, -0.25])
def test_mean_utilities_of_integers_are_rounded_once(fp):
    y, rule = [0] * 6 + [1] * 9, {"objective": {"tp": 2, "fp": fp}, "min_recall": 0.9}
    found = choose_threshold(y, [1] * 15, **rule)
    assert found.objective_value == (9 * 2 + 6 * fp) / 15


def test_utilities_near_the_largest_float():
    y, score = [0] + [1] * 9, np.arange(10)
    found = choose_threshold(y, score, objective={"tp": 1e308, "fp": -1e308})
    assert found.objective_value == pytest.approx(0.9e308, rel=1e-15)


def test_a_metric_may_work_in_place():
    def negative_error(y_true, y_pred, sample_weight=None):
        y_pred -= y_true
        return -np.average(np.abs(y_pred), weights=sample_weight)

    y, score = [0, 1, 1, 0], [0.1, 0.4, 0.3, 0.2]
    found = choose_threshold(y, score, objective=negative_error)
    assert (found.threshold, found.objective_value) == (0.25, 0)


@pytest.mark.parametrize("objective", ["precision", "f0", "f0.0", "f0.000000001"])
def test_among_equal_precisions_below_a_cap_the_highest_threshold_is_chosen(objective):
    y, score = [1, 1, 1, 1, 0, 1, 0, 0, 0, 0], np.arange(10, 0, -1.0)
    rule = {"objective": objective, "max_selection_rate": 0.3}
    assert choose_threshold(y, score, **rule).threshold == 9.5
    assert choose_threshold(y, score, **rule, min_recall=0.3).threshold == 8.5


def test_the_best_rate_in_a_message_is_that_of_all_thresholds():
    y, score = [1, 1, 0, 0, 0, 1, 1, 1, 1, 0], np.arange(10, 0, -1)
    limits = {"min_recall": 0.6, "max_selection_rate": 0.5}
    with pytest.raises(ValueError, match=r"with `min_recall`=0\.6 is 0\.7, at"):
        choose_threshold(y, score, **limits)


def test_upper_bounds_do_not_share_the_error_rate():
    rng = np.random.default_rng(0)
    y = (rng.random(1000) < 0.3).astype(int)
    score = rng.normal(size=1000) + 1.5 * y
    options = {"objective": "recall", "confidence_level": 0.9}
    caps = {"max_fpr": 0.1, "max_selection_rate": 0.3}
    alone = [choose_threshold(y, score, **options, **{n: c}) for n, c in caps.items()]
    both = choose_threshold(y, score, **options, **caps)
    assert both.threshold == max(point.threshold for point in alone)
    with pytest.raises(ValueError, match=r"shared by 2 constraints \(the two upper bounds"):
        choose_threshold(y[:30], score[:30], **options, **caps, min_recall=0.8)


@pytest.mark.parametrize(
    ("cap", "levels"), [(0.013, 10**6), (0.5, 3), (0.5, 10**6), (5999 / 6000, 10**6)]
)
def test_a_capacity_is_used_up_to_the_last_tie_below_it(cap, levels):
    score, y, _ = tied_problem(0, 6000, levels=levels)
    point = choose_threshold(y, score, objective="recall", max_selection_rate=cap)
    shares = [np.mean(score >= t) for t in np.unique(score)]
    n_most = max(share for share in shares if share <= cap)
    best = max(y[score >= t].sum() for t in np.unique(score) if np.mean(score >= t) <= cap)
    assert point.recall == best / y.sum()
    assert point.selection_rate <= n_most
