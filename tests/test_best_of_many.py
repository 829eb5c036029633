"""`best_low` of `compare_models`: by slow numerical integration, and as it is printed."""

import dataclasses

import numpy as np
import pytest
from inference import derivatives
from scipy.optimize import brentq
from scipy.stats import multivariate_normal, norm

import sklearn_achievable_pr as apr

# Samples of these tests are small.
pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning"),
    pytest.mark.filterwarnings("ignore:.*The value itself"),
]

N = 80
RNG = np.random.default_rng(5)
Y = RNG.random(N) < 0.3
SHARED = RNG.normal(size=N) + Y
SCORES = {name: SHARED + 0.6 * RNG.normal(size=N) + 0.4 * Y for name in "abcd"}
LABELS = np.column_stack([Y, RNG.random(N) < 0.5])
COLUMNS = {
    name: np.column_stack([score, score[::-1] + LABELS[:, 1]])
    for name, score in SCORES.items()
}


def tail_by_integration(correlation, alpha):
    """The tail of each of several normal variables of which any exceeds c at `alpha`."""
    n = len(correlation)

    def missed(c):
        # A generator with the same seed makes the integral a smooth function of c.
        normal = type(multivariate_normal)(seed=0)
        return normal.cdf(np.full(n, c), cov=correlation, abseps=1e-4) - 1 + alpha

    c = brentq(missed, -1, 4, xtol=1e-4)
    return norm.sf(c)


def best_low_by_hand(y_true, scores, influence, confidence_level=0.95, **options):
    """Lower limit of the best score; `influence` has a row of units for each score."""
    tail = tail_by_integration(np.corrcoef(influence), 1 - confidence_level)
    intervals = [
        apr.auc_pr_interval(
            y_true, score, confidence_level=1 - tail, alternative="greater", **options
        )
        for score in scores.values()
    ]
    best = max(intervals, key=lambda interval: interval.estimate)
    return best.confidence_interval.low


def influence_of(score, sample_weight=1.0, **options):
    """Weight of each sample times the derivative of the metric by it."""
    if not np.isscalar(sample_weight):
        options["sample_weight"] = sample_weight
    return sample_weight * apr.auc_pr_influence(Y, score, **options)


def influence_on_average(score, average):
    """The numerical derivative of an average over labels by the weight of each sample."""

    def value(weight):
        return apr.auc_pr_interpolated(LABELS, score, average=average, sample_weight=weight)

    return derivatives(value, np.ones(N))


@pytest.mark.parametrize(
    "options",
    [
        {"confidence_level": 0.9},
        {"metric": "average_precision"},
        {"sample_weight": RNG.uniform(0.5, 2, N)},
    ],
    ids=["AUC-PR", "AP", "weights"],
)
def test_the_limit_by_numerical_integration(options):
    measured = {key: options[key] for key in options if key != "confidence_level"}
    influence = [influence_of(score, **measured) for score in SCORES.values()]
    expected = best_low_by_hand(Y, SCORES, influence, **options)
    found = apr.compare_models(Y, SCORES, **options)
    assert found.best_low == pytest.approx(expected, abs=1e-3)


def test_influence_values_are_summed_over_clusters():
    groups = np.arange(N) // 4
    of_samples = np.array([influence_of(score) for score in SCORES.values()])
    influence = np.add.reduceat(of_samples, np.arange(0, N, 4), axis=1)
    expected = best_low_by_hand(Y, SCORES, influence, groups=groups)
    found = apr.compare_models(Y, SCORES, groups=groups)
    assert found.best_low == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
def test_the_limit_of_an_average_over_labels(average):
    influence = [influence_on_average(score, average) for score in COLUMNS.values()]
    expected = best_low_by_hand(LABELS, COLUMNS, influence, average=average)
    found = apr.compare_models(LABELS, COLUMNS, average=average)
    assert found.best_low == pytest.approx(expected, abs=1e-3)


def one_sided_low(score, tail):
    found = apr.auc_pr_interval(Y, score, confidence_level=1 - tail, alternative="greater")
    return found.confidence_interval.low


@pytest.mark.parametrize("n_models", [2, 3, 20])
def test_equal_models_have_the_one_sided_limit_of_one_model(n_models):
    scores = dict.fromkeys(map(str, range(n_models)), SHARED)
    expected = one_sided_low(SHARED, 0.05)
    assert apr.compare_models(Y, scores).best_low == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("n_models", [2, 3, 20])
def test_perfect_models_without_influence_are_independent(n_models):
    scores = {f"{i}": 9 * Y + RNG.random(N) for i in range(n_models)}
    expected = one_sided_low(scores["0"], 1 - 0.95 ** (1 / n_models))
    assert apr.compare_models(Y, scores).best_low == pytest.approx(expected, abs=1e-3)


def test_more_models_lower_the_limit():
    others = {f"{i}": RNG.normal(size=N) for i in range(10)}
    few, many = apr.compare_models(Y, SCORES), apr.compare_models(Y, SCORES | others)
    assert many.best_low < few.best_low


@pytest.mark.parametrize(
    "options",
    [
        {"reference": "b"},
        {"alternative": "greater"},
        {"adjust": None},
        {"groups": np.arange(N)},
    ],
    ids=lambda options: next(iter(options)),
)
def test_the_limit_does_not_depend_on_how_pairs_are_tested(options):
    found = apr.compare_models(Y, SCORES, **options)
    assert found.best_low == pytest.approx(apr.compare_models(Y, SCORES).best_low, rel=1e-9)


def test_the_limit_does_not_depend_on_the_order_of_models_and_samples():
    order = RNG.permutation(N)
    scores = {name: SCORES[name][order] for name in "dbca"}
    found = apr.compare_models(Y[order], scores)
    assert found.best_low == pytest.approx(apr.compare_models(Y, SCORES).best_low, rel=1e-9)


@pytest.mark.filterwarnings("ignore:The spread between samples is unknown")
@pytest.mark.parametrize(
    ("y_true", "options"),
    [
        (Y, {"metric": "recall_at_fpr", "at": 0.2}),
        (np.arange(N) == 3, {}),
        (Y, {"prevalence": 0.1}),
        (Y, {"sample_weight": np.where(Y, 1.0, 2.0)}),
    ],
    ids=["rate", "one positive", "prevalence", "heavy negatives"],
)
def test_there_is_no_limit(y_true, options):
    found = apr.compare_models(y_true, SCORES, **options)
    assert found.best_low is None
    assert "chosen as the best" not in str(found)
    assert found.to_dict()["best_low"] is None


@pytest.mark.slow
def test_the_best_model_of_many_is_covered():
    """Of 20 equally good models; the one-sided limit of the best one covers about 0.45."""
    rng, y_true = np.random.default_rng(0), np.arange(300) < 30
    large = np.arange(1_000_000) < 100_000
    area = apr.auc_pr_interpolated(large, 2 * large + rng.normal(size=len(large)))
    covered = []
    for _ in range(100):
        scores = {f"{i}": 2 * y_true + rng.normal(size=300) for i in range(20)}
        found = apr.compare_models(y_true, scores, reference="0")
        covered.append(found.best_low <= area)
    assert np.mean(covered) >= 0.9


@pytest.mark.parametrize(
    "options",
    [{"prevalence": 0.4}, {"sample_weight": np.where(Y, 2.0, 1.0)}],
    ids=["prevalence", "weights"],
)
def test_light_negatives_have_a_limit(options):
    assert 0 < apr.compare_models(Y, SCORES, **options).best_low < 1


# The printed line


def line_of(result):
    """The printed line about the best model."""
    lines = [line for line in str(result).splitlines() if "chosen as the best" in line]
    return lines[0] if lines else None


def test_three_models_have_a_line_about_the_best_one():
    result = apr.compare_models(Y, SCORES, confidence_level=0.9)
    best = min(result.ranks, key=result.ranks.get)
    result = dataclasses.replace(result, best_low=0.4567)
    assert line_of(result) == (
        f"{best}, chosen as the best of 4, has AUC-PR of at least 0.45 (90 % confidence)."
    )


@pytest.mark.parametrize("low", [0.29, 0.57, 0.58])
def test_a_limit_with_two_decimals_is_printed_as_it_is(low):
    result = dataclasses.replace(apr.compare_models(Y, SCORES), best_low=low)
    assert f"at least {low} (" in line_of(result)


def test_the_line_names_the_average_over_labels():
    result = apr.compare_models(LABELS, COLUMNS, metric="average_precision")
    assert "has macro average precision of at least" in line_of(result)


def test_the_line_is_about_the_first_model_with_a_reference_too():
    result = apr.compare_models(Y, SCORES, reference="a")
    assert line_of(result) == line_of(apr.compare_models(Y, SCORES))


def test_two_models_have_a_limit_and_no_line():
    result = apr.compare_models(Y, {name: SCORES[name] for name in "ab"})
    assert line_of(result) is None
    assert result.to_dict()["best_low"] == result.best_low
    assert 0 < result.best_low < max(m.estimate for m in result.models.values())
