"""Thresholds chosen at a reference prevalence."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from tuning_sets import counts_at, tied_problem, tuned_on, two_classes

from sklearn_achievable_pr import (
    HullThresholdClassifierCV,
    HullThresholdDisplay,
    choose_threshold,
)
from sklearn_achievable_pr.results import Guarantee

# At these prevalences a negative counts as many positives.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")

RATES = ("threshold", "precision", "recall", "selection_rate", "fpr", "objective_value")


def reweighted(y, prevalence, weight=None):
    """Weights with which the positives have this share."""
    weight = np.ones(len(y)) if weight is None else weight
    n_pos, n_neg = weight[y == 1].sum(), weight[y == 0].sum()
    return weight * np.where(y == 1, 1, (1 - prevalence) / prevalence * n_pos / n_neg)


def a_count(tps, fps, fns, tns):
    return tps - 2 * fps


@pytest.mark.parametrize(
    ("params", "weighted"),
    [
        ({}, False),
        ({"objective": {"tp": 5, "fp": -1}}, True),
        ({"objective": a_count, "min_precision": 0.3}, False),
        ({"objective": "recall", "max_selection_rate": 0.2}, True),
    ],
)
def test_a_prevalence_is_the_same_as_its_weights(params, weighted):
    for seed in range(8):
        score, y, weight = tied_problem(seed, 200, weighted=weighted)
        score = score + y  # some precision at each prevalence
        own = reweighted(y, 0.1, weight)
        point = choose_threshold(y, score, sample_weight=weight, prevalence=0.1, **params)
        same = choose_threshold(y, score, sample_weight=own, **params)
        for name in RATES:
            assert getattr(point, name) == pytest.approx(getattr(same, name), rel=1e-12)


def test_rates_of_a_class_and_counts_stay():
    score, y, _ = tied_problem(0, 200)
    point = choose_threshold(y, score, objective="youden", prevalence=0.01)
    own = choose_threshold(y, score, objective="youden")
    for name in ("threshold", "recall", "fpr", "n_samples", "n_positive"):
        assert getattr(point, name) == getattr(own, name)
    assert point.precision < own.precision
    assert (point.prevalence, own.prevalence) == (0.01, None)


def test_the_print_names_the_prevalence():
    score, y, _ = tied_problem(0, 200)
    text = " ".join(str(choose_threshold(y, score, prevalence=0.01)).split())
    assert f"200 samples, {y.sum()} positive; at prevalence 0.01: recall" in text
    assert "at prevalence" not in str(choose_threshold(y, score))


def test_the_classifier_keeps_its_thresholds_and_reweights_its_counts():
    score, y, _ = tied_problem(1, 300)
    model, own = (tuned_on(score, y, prevalence=p) for p in (0.05, None))
    np.testing.assert_array_equal(model.thresholds_, own.thresholds_)
    weight = reweighted(y, 0.05)
    expected = np.transpose([counts_at(t, score, y, weight) for t in model.thresholds_])
    np.testing.assert_allclose(model.tuning_counts_.fps, expected[0], rtol=1e-12)
    np.testing.assert_array_equal(model.tuning_counts_.tps, expected[1])
    assert model.tuning_counts_.fps.dtype == np.float64


def test_probabilities_are_fractions_at_the_prevalence():
    score, y, _ = tied_problem(2, 300)
    X = score.reshape(-1, 1)
    model = tuned_on(score, y, prevalence=0.05)
    weight, probability = reweighted(y, 0.05), model.predict_proba(X)[:, 1]
    for value in np.unique(probability):
        own = probability == value
        assert value == pytest.approx(np.average(y[own], weights=weight[own]), abs=1e-12)
    assert np.average(probability, weights=weight) == pytest.approx(0.05)


def test_each_split_is_reweighted_by_its_own_totals():
    X, y = two_classes(n_samples=300)
    model = HullThresholdClassifierCV(
        GaussianNB(), cv=3, prevalence=0.01, store_cv_results=True
    ).fit(X, y)
    results, curve = model.cv_results_, model.tuning_curve_
    for fps, tps in [*zip(results["fps"], results["tps"], strict=True), curve[:2]]:
        assert tps[-1] / (tps[-1] + fps[-1]) == pytest.approx(0.01, rel=1e-12)


def test_a_split_of_one_class_has_no_choice():
    X, y = two_classes(n_samples=300)
    positives = np.flatnonzero(y == 1)[:30]
    rest = np.setdiff1d(np.arange(300), positives)
    splits = [(rest, positives), (rest[::2], rest[1::2])]
    model = HullThresholdClassifierCV(
        GaussianNB(), cv=splits, prevalence=0.1, store_cv_results=True
    ).fit(X, y)
    assert np.isnan(model.cv_results_["threshold"]).tolist() == [True, False]


def test_the_estimator_is_fitted_without_the_weights():
    X, y = two_classes(n_samples=300)
    model = HullThresholdClassifierCV(GaussianNB(), prevalence=0.01).fit(X, y)
    np.testing.assert_array_equal(model.estimator_.theta_, GaussianNB().fit(X, y).theta_)


@pytest.mark.parametrize(
    ("constraints", "has_order"),
    [
        ({"min_recall": 0.6}, False),
        ({"max_fpr": 0.3}, True),
        ({"min_recall": 0.5, "max_fpr": 0.5}, False),
        ({"min_recall": 0.5, "max_fpr": 0.5}, True),
    ],
)
def test_a_guarantee_counts_samples_without_weights(constraints, has_order):
    """Youden's J depends on no prevalence, so that the choice is the same."""
    score, y, _ = tied_problem(3, 400)
    other = tied_problem(4, 400)[1::-1] if has_order else None
    params = {"objective": "youden", "confidence_level": 0.9, "order_from": other}
    point, own = (
        choose_threshold(y, score + y, prevalence=p, **params, **constraints)
        for p in (0.01, None)
    )
    assert point.threshold == own.threshold
    assert point.guarantee == own.guarantee == Guarantee(0.9, **constraints)


@pytest.mark.parametrize("name", ["min_precision", "max_selection_rate"])
def test_a_rate_that_depends_on_the_prevalence_is_not_guaranteed_at_another(name):
    score, y, _ = tied_problem(0, 200)
    params = {name: 0.5, "prevalence": 0.1, "confidence_level": 0.9}
    match = f"cannot be combined with `prevalence` and `{name}`, which depends on"
    with pytest.raises(ValueError, match=match):
        choose_threshold(y, score, **params)
    with pytest.raises(ValueError, match=match):
        tuned_on(score, y, **params)


@pytest.mark.parametrize("prevalence", [0, 1, 1.5, np.nan])
def test_a_prevalence_outside_its_range_raises(prevalence):
    score, y, _ = tied_problem(0, 200)
    with pytest.raises(ValueError, match="`prevalence` must be"):
        choose_threshold(y, score, prevalence=prevalence)
    with pytest.raises(ValueError, match="`prevalence` must be"):
        tuned_on(score, y, prevalence=prevalence)


def test_the_display_draws_metrics_at_the_prevalence():
    score, y, _ = tied_problem(0, 200)
    point = choose_threshold(y, score, prevalence=0.05)
    display = HullThresholdDisplay.from_predictions(y, score, prevalence=0.05)
    assert display.chosen == point.threshold
    assert np.isclose(display.values["Precision"], point.precision).any()
    assert display.values["Precision"][-1] == pytest.approx(0.05)
    model = tuned_on(score, y, prevalence=0.05)
    drawn = HullThresholdDisplay.from_estimator(model)
    assert drawn.values["Precision"][-1] == pytest.approx(0.05)
