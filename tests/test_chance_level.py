"""Chance level: the mean of a metric over all arrangements of the labels."""

from decimal import Decimal, localcontext
from itertools import combinations

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import average_precision_score
from sklearn.model_selection import cross_validate

import sklearn_achievable_pr as apr
from sklearn_achievable_pr.metrics._chance import (
    mean_area,
    mean_average_precision,
    mean_normalized_area,
    mean_normalized_average_precision,
)

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")

VALUES = {
    "auc_pr_interpolated": apr.auc_pr_interpolated,
    "aucnpr": apr.aucnpr,
    "average_precision": average_precision_score,
    "normalized_average_precision": apr.normalized_average_precision_score,
}
MEANS = {
    "auc_pr_interpolated": mean_area,
    "aucnpr": mean_normalized_area,
    "average_precision": mean_average_precision,
    "normalized_average_precision": mean_normalized_average_precision,
}
# Scores of eight samples.
SCORES = {
    "untied": [8, 7, 6, 5, 4, 3, 2, 1],
    "tied above": [5, 5, 5, 4, 3, 2, 2, 1],
    "tied below": [5, 4, 3, 2, 1, 1, 1, 1],
    "two": [2, 2, 2, 1, 1, 1, 1, 1],
    "constant": [0.5] * 8,
}
every_metric = pytest.mark.parametrize("metric", VALUES)


def level(y, score, **options):
    return apr.auc_pr_interval(y, score, **options).chance_level


@pytest.mark.filterwarnings("ignore:.*All samples have one score")
@every_metric
def test_it_is_the_mean_over_all_arrangements_of_the_labels(metric):
    def values(n_pos, score):
        arrangements = [np.isin(range(8), c) for c in combinations(range(8), n_pos)]
        mean = np.mean([VALUES[metric](y, score) for y in arrangements])
        return level(arrangements[3], score, metric=metric), mean

    found = np.array([values(n_pos, s) for s in SCORES.values() for n_pos in (2, 6)])
    np.testing.assert_allclose(found[:, 0], found[:, 1], rtol=1e-13)


@pytest.mark.parametrize(("metric", "n_pos"), [*zip(VALUES, (1, 3, 40, 199), strict=True)])
def test_the_formulas_with_and_without_ties_agree(metric, n_pos):
    sizes = np.ones(200, dtype=int)
    untied = MEANS[metric](n_pos, 200 - n_pos, None)
    assert MEANS[metric](n_pos, 200 - n_pos, sizes) == pytest.approx(untied, rel=1e-12)


@pytest.mark.parametrize(
    ("n_pos", "n", "expected"), [(5, 500, 0.0160), (20, 200, 0.112), (100, 1000, 0.103)]
)
def test_published_values_of_the_area(n_pos, n, expected):
    y = np.arange(n) < n_pos
    assert level(y, -np.arange(n)) == pytest.approx(expected, abs=0.0005)


@pytest.mark.parametrize(
    ("n", "above"), [(10, False), (32, True), (33, True), (3000, False)]
)
def test_the_area_has_full_precision_with_one_positive(n, above):
    """Log of a factorial with 60 digits."""
    product = 1
    for i in range(2, n + 1):
        product *= i
    with localcontext() as context:
        context.prec = 60
        of_n = Decimal(n).ln() - Decimal(product).ln() / n
        expected = float(of_n if above else 1 - of_n)
    assert mean_area(1, n - 1, None, above) == pytest.approx(expected, rel=3e-15)


@pytest.mark.parametrize("n_pos", [1000, 10**9 - 1])
@pytest.mark.parametrize(
    ("mean", "rest"),
    [
        (mean_area, np.log(2 * np.pi * 10**9) / 2 - 1),
        (mean_average_precision, np.log(10**9) + np.euler_gamma - 1),
    ],
)
def test_a_thousand_million_samples_have_the_level_of_the_limit(mean, rest, n_pos):
    """pi + (1 - pi) rest / n, and the same for 1 minus the metric."""
    n = 10**9
    above = (n - n_pos) / n * (1 - rest / n)
    assert mean(n_pos, n - n_pos, None) == pytest.approx(
        n_pos / n + (n - n_pos) / n * rest / n, rel=1e-7
    )
    assert mean(n_pos, n - n_pos, None, above=True) == pytest.approx(above, rel=1e-7)


@pytest.mark.parametrize(
    ("mean", "normalized", "lowest"),
    [
        (mean_area, mean_normalized_area, apr.auc_pr_min(1e-6)),
        (
            mean_average_precision,
            mean_normalized_average_precision,
            apr.average_precision_min(1000, 10**9 - 1000),
        ),
    ],
)
def test_normalized_levels_of_rare_positives_are_normalized_by_the_minimum(
    mean, normalized, lowest
):
    data = 1000, 10**9 - 1000, None
    expected = (mean(*data) - lowest) / (1 - lowest)
    assert normalized(*data) == pytest.approx(expected, rel=1e-9)


@every_metric
def test_ties_of_many_samples_have_full_precision_at_a_low_prevalence(metric):
    """Blocks of a thousand samples in the order of 1e9 samples, against their mean."""
    sizes = np.full(10**6, 1000)
    found = MEANS[metric](1, 10**9 - 1, sizes)
    blocks = np.arange(1, 10**6 + 1)
    if "average" in metric:
        expected = np.sum(1 / (1000.0 * blocks)) / 10**6
    else:
        below = blocks - 1
        expected = np.sum(1 - below * np.log1p(1 / np.maximum(below, 1e-300))) / 10**9
    if metric == "aucnpr":
        expected -= 0.5e-9
    if metric == "normalized_average_precision":
        expected -= 1e-9
    assert found == pytest.approx(expected, rel=1e-6)


@every_metric
def test_large_samples_have_the_prevalence_or_its_normalized_value(metric):
    y, constant = np.arange(10**5) < 3 * 10**4, np.ones(10**5)
    expected = VALUES[metric](y, constant)
    found = level(y, -np.arange(10**5), metric=metric)
    assert found == pytest.approx(expected, abs=2e-4)
    assert found > expected


RNG = np.random.default_rng(0)
Y = RNG.random(300) < 0.2
SCORE = np.round(RNG.normal(size=300) + Y, 2)
WEIGHT = RNG.uniform(0.5, 2, 300)


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("auc_pr_interpolated", {"sample_weight": WEIGHT}),
        ("auc_pr_interpolated", {"prevalence": 0.05}),
        ("auc_pr_interpolated", {"recall_range": (0.5, 1.0)}),
        ("aucnpr", {"recall_range": (0.5, 1.0)}),
    ],
    ids=["weights", "prevalence", "recall range", "aucnpr"],
)
def test_with_options_it_is_the_value_of_a_constant_score(metric, options):
    expected = VALUES[metric](Y, np.ones(300), **options)
    assert level(Y, SCORE, metric=metric, **options) == pytest.approx(expected, rel=1e-13)


def test_weighted_average_precision_of_a_constant_score():
    found = level(Y, SCORE, metric="average_precision", sample_weight=WEIGHT)
    assert found == pytest.approx(np.average(Y, weights=WEIGHT), rel=1e-13)


@pytest.mark.parametrize(
    ("dtype", "share"),
    [("float64", 0.01), ("float16", 0.4), ("int64", 0.99), ("uint8", 0.01)],
)
def test_ties_of_every_kind_of_sort_are_found(dtype, share):
    """Scores are sorted in different ways by their number, type and share of positives."""
    rng = np.random.default_rng(1)
    y = rng.random(5000) < share
    score = rng.integers(0, 200, 5000).astype(dtype)
    sizes = np.bincount(score.astype(int))[::-1]
    expected = mean_area(int(y.sum()), int((~y).sum()), sizes[sizes > 0])
    assert level(y, score) == pytest.approx(expected, rel=1e-13)


def test_clusters_have_the_level_of_independent_samples():
    assert level(Y, SCORE, groups=np.arange(300) // 3) == level(Y, SCORE)


@pytest.mark.parametrize("metric", ["achievable_auc_pr", "achievable_aucnpr"])
def test_it_is_not_known_of_achievable_metrics(metric):
    result = apr.auc_pr_interval(Y, SCORE, metric=metric)
    assert result.chance_level is None
    assert "chance" not in str(result)


@every_metric
def test_one_class_has_no_level(metric):
    with pytest.warns(UndefinedMetricWarning):
        result = apr.auc_pr_interval(np.zeros(5), np.arange(5), metric=metric)
    assert np.isnan(result.chance_level)
    assert "chance" not in str(result)


# Folds


@pytest.fixture(scope="module")
def folds():
    X = np.column_stack((np.ones(300), SCORE))
    results = cross_validate(
        DummyClassifier(), X, Y, cv=3, return_estimator=True, return_indices=True
    )
    return results, X, Y


@pytest.mark.filterwarnings("ignore:.*All samples have one score")
def test_a_cross_validation_has_the_mean_over_the_test_folds(folds):
    expected = np.mean([
        level(Y[test], np.ones(len(test))) for test in folds[0]["indices"]["test"]
    ])  # fmt: skip
    found = apr.auc_pr_interval_cv(*folds)
    assert found.chance_level == pytest.approx(expected, rel=1e-13)
    assert "300 samples, 58 positive; chance level: 0.193" in str(found)


# Text


def test_the_line_of_the_samples_has_the_level():
    y = np.arange(2000) < 110
    text = str(apr.auc_pr_interval(y, -np.arange(2000.0)))
    assert "2000 samples, 110 positive; chance level: 0.057" in text.splitlines()


def test_a_low_level_has_two_digits():
    y = np.arange(20000) < 5
    assert "; chance level: 0.00049" in str(apr.auc_pr_interval(y, -np.arange(20000.0)))


def test_models_with_the_same_level_have_it_under_the_table():
    result = apr.compare_models(Y, {"a": SCORE, "b": SCORE**3})
    lines = str(result).splitlines()
    assert lines[-1].endswith(f"positive; chance level: {level(Y, SCORE):.3f}")
    assert str(result).count("chance level") == 1


def test_models_with_different_levels_have_a_column():
    rounded = np.round(SCORE)
    result = apr.compare_models(Y, {"a": SCORE, "b": rounded})
    first, second = (f"{level(Y, score):.3f}" for score in (SCORE, rounded))
    assert first != second
    lines = str(result).splitlines()
    assert lines[0].endswith("chance level")
    assert {line.split()[-1] for line in lines if line.endswith((first, second))} == {
        first,
        second,
    }
    assert str(result).count("chance level") == 1


@pytest.mark.filterwarnings("ignore:.*All samples have one score")
def test_comparisons_of_subgroups_and_of_folds_do_not_show_it(folds):
    by = np.arange(300) % 2
    assert "chance" not in str(apr.compare_subgroups(Y, SCORE, by))
    results, X, y = folds
    other = cross_validate(
        DummyClassifier(strategy="prior"), X, y, cv=3, return_estimator=True,
        return_indices=True,
    )  # fmt: skip
    assert "chance" not in str(apr.compare_models_cv({"a": results, "b": other}, X, y))
