"""Intervals and comparisons of averages over classes and labels."""

import re

import numpy as np
import pytest
from inference import compare_two
from scipy.stats import norm
from scipy.stats import t as student
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.multioutput import MultiOutputClassifier

from sklearn_achievable_pr import (
    CoverageWarning,
    auc_pr_influence,
    auc_pr_interpolated,
    auc_pr_interval,
    auc_pr_min,
    aucnpr,
    compare_models,
)

# Labels of these tests have few positives.
pytestmark = pytest.mark.filterwarnings("ignore:.*The area is only")

METRICS = {
    "auc_pr_interpolated": auc_pr_interpolated,
    "aucnpr": aucnpr,
    "average_precision": average_precision_score,
}
AVERAGES = ("macro", "weighted", "micro")


def labels_and_scores(seed=0, n_samples=60, n_labels=4, decimals=None, n_scores=1):
    """Multilabel data with scores, rounded for ties."""
    rng = np.random.default_rng(seed)
    y_true = rng.random((n_samples, n_labels)) < np.linspace(0.15, 0.4, n_labels)
    scores = [y_true + rng.normal(size=y_true.shape) for _ in range(n_scores)]
    scores = scores if decimals is None else [score.round(decimals) for score in scores]
    return y_true, *scores


# The bias


def bias_by_positive(y_true, y_score, metric):
    """The bias of one label, from each positive and the samples above it."""
    n_pos, terms = y_true.sum(), []
    for value in np.unique(y_score[y_true]):
        above, tie = y_score > value, y_score == value
        t, f = np.sum(above & y_true), np.sum(above & ~y_true)
        found, other = np.sum(tie & y_true), np.sum(tie & ~y_true)
        for k in range(found):
            if metric == "average_precision":
                own, part = 1.0, 1.0
                positives, negatives = t + found, f + other
            else:
                part = (k + 0.5) / found
                own = part if other else 0.5
                positives, negatives = t + k + 0.5, f + other * part
            n = positives + negatives
            terms.append(negatives / max(n - own, 0.5) * (own - positives / n_pos) / n)
            if other:  # a ratio of sums in which the samples of the tie count as `part`
                terms[-1] += part * (1 - part) * (found * f - other * t) / n**3
    bias = np.sum(terms) / n_pos
    order = np.argsort(-y_score)
    is_end = np.diff(y_score[order[:3]]) < 0  # whether a tie ends at the first and second
    if metric == "average_precision":
        n_first = 2 if is_end[1] else int(is_end[0])
    else:
        n_first = 2 * is_end.all()
    if y_true[order[:n_first]].sum() == 1:
        bias += (1 - 1 / n_pos) / (2 * n_pos)
    n_neg = len(y_true) - n_pos
    return bias / (1 - auc_pr_min(n_pos / (n_pos + n_neg)) if metric == "aucnpr" else 1)


@pytest.mark.filterwarnings("ignore:The value itself")
@pytest.mark.parametrize(
    ("metric", "decimals"),
    [
        ("auc_pr_interpolated", None),
        ("auc_pr_interpolated", 0),
        ("aucnpr", None),
        ("average_precision", 0),
    ],
)
def test_the_bias_is_the_mean_of_those_of_the_labels(metric, decimals):
    y_true, y_score = labels_and_scores(decimals=decimals)
    expected = [
        bias_by_positive(y, s, metric) for y, s in zip(y_true.T, y_score.T, strict=True)
    ]
    result = auc_pr_interval(y_true, y_score, metric=metric)
    assert result.bias == pytest.approx(np.mean(expected), rel=1e-10)


@pytest.mark.filterwarnings("ignore:.*The value itself")
def test_the_bias_in_clusters_is_larger_by_the_ratio_of_the_variances():
    y_true, y_score = labels_and_scores()
    groups, expected = np.arange(60) // 3, []
    for y, s in zip(y_true.T, y_score.T, strict=True):
        influence = auc_pr_influence(y, s)
        of_clusters = np.bincount(groups, weights=influence)
        ratio = of_clusters @ of_clusters / (influence @ influence)
        expected.append(ratio * bias_by_positive(y, s, "auc_pr_interpolated"))
    result = auc_pr_interval(y_true, y_score, groups=groups)
    assert result.bias == pytest.approx(np.mean(expected), rel=1e-10)


@pytest.mark.filterwarnings("ignore:.*The value itself")
def test_the_bias_of_a_weighted_average_has_a_part_by_its_weights():
    y_true, y_score = labels_and_scores()
    labels = [*zip(y_true.T, y_score.T, strict=True)]
    weight, n_positive = y_true.mean(axis=0) / y_true.mean(axis=0).sum(), y_true.sum()
    value = np.array([auc_pr_interpolated(y, s) for y, s in labels])
    influence = np.array([auc_pr_influence(y, s) for y, s in labels])
    through_weights = (value - weight @ value) @ y_true.T / n_positive
    # A sample with many positives has this influence on the whole average.
    on_average = weight @ influence + through_weights
    products = np.sum(influence * y_true.T) - y_true.sum(axis=1) @ on_average
    of_labels = [bias_by_positive(y, s, "auc_pr_interpolated") for y, s in labels]
    result = auc_pr_interval(y_true, y_score, average="weighted")
    expected = weight @ of_labels + products / n_positive
    assert result.bias == pytest.approx(expected, rel=1e-10)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("is_clustered", [False, True], ids=["samples", "clusters"])
@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_estimates_less_their_bias_are_right_on_average(average, is_clustered):
    pool, pool_score = labels_and_scores(12, 50_000, decimals=1)
    truth = auc_pr_interpolated(pool, pool_score, average=average)
    rng = np.random.default_rng(0)
    errors, biases = [], []
    for _ in range(400):
        rows = rng.integers(0, len(pool), 60)
        groups = np.repeat(np.arange(60), 2) if is_clustered else None
        rows = rows.repeat(2) if is_clustered else rows
        result = auc_pr_interval(
            pool[rows], pool_score[rows], average=average, groups=groups
        )
        errors.append(result.estimate - truth)
        biases.append(result.bias)
    error = np.std(errors) / np.sqrt(len(errors))
    assert np.mean(errors) > 3 * error
    assert np.mean(biases) == pytest.approx(np.mean(errors), abs=3 * error)


# The interval


def parts_of_labels(y_true, y_score, metric):
    """Interval of each label, and directions of their influence values."""
    labels = [*zip(y_true.T, y_score.T, strict=True)]
    results = [auc_pr_interval(y, s, metric=metric) for y, s in labels]
    influence = np.array([auc_pr_influence(y, s, metric=metric) for y, s in labels])
    return results, influence / np.linalg.norm(influence, axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("average", "metric"),
    [
        ("macro", "auc_pr_interpolated"),
        ("macro", "average_precision"),
        ("weighted", "auc_pr_interpolated"),
        ("weighted", "aucnpr"),
    ],
)
def test_limits_combine_those_of_the_labels(average, metric):
    y_true, y_score = labels_and_scores(3, 300)
    results, directions = parts_of_labels(y_true, y_score, metric)
    value = np.array([each.estimate for each in results])
    weight, m = np.full(4, 1 / 4), 0.0
    if average == "weighted":
        weight = y_true.sum(axis=0) / y_true.sum()
        m = y_true @ value / y_true.sum()
        m -= weight @ value * y_true.sum(axis=1) / y_true.sum()
    low, high = np.array([each.confidence_interval for each in results]).T
    own_errors = np.array([weight * [each.standard_error for each in results]])[0]
    spread = own_errors * [student.isf(0.025, each.df) for each in results]
    error = np.linalg.norm(own_errors @ directions + m)
    overlap = np.sum((weight @ directions) ** 2) / np.sum(weight**2)
    of_m = np.sum(np.square(m))
    squares = (spread @ spread + norm.isf(0.025) ** 2 * of_m) / (
        own_errors @ own_errors + of_m
    )
    result = auc_pr_interval(y_true, y_score, metric=metric, average=average)
    assert result.standard_error == pytest.approx(error, rel=1e-9)
    guard = result.bias * (1 - error / own_errors.sum())
    ends = []
    for far in (weight * (value - low), weight * (high - value)):
        skewness = overlap * np.max((far**2 - spread**2) / far)
        # R^2 = S^2 + h R
        ends.append(np.roots([1, -skewness, -(error**2) * squares]).max())
    expected = result.estimate - guard - ends[0], result.estimate + ends[1]
    assert guard > 0
    assert result.confidence_interval == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("metric", "average", "groups"),
    [
        ("auc_pr_interpolated", "macro", None),
        ("auc_pr_interpolated", "weighted", np.arange(200) // 2),
        ("aucnpr", "macro", np.arange(200) // 2),
        ("average_precision", "weighted", None),
    ],
)
def test_copies_of_a_label_have_the_interval_of_this_label(metric, average, groups):
    y_true, y_score = (column[:, :1] for column in labels_and_scores(1, 200))
    copies = (np.repeat(column, 3, axis=1) for column in (y_true, y_score))
    options = {"metric": metric, "groups": groups}
    result = auc_pr_interval(*copies, average=average, **options)
    alone = auc_pr_interval(y_true, y_score, **options)
    assert result.estimate == pytest.approx(alone.estimate, rel=1e-12)
    assert result.standard_error == pytest.approx(alone.standard_error, rel=1e-12)
    assert result.confidence_interval == pytest.approx(alone.confidence_interval, rel=1e-12)
    assert result.df is None


def test_copies_of_a_label_have_the_test_of_this_label():
    y_true, a, b = (column[:, :1] for column in labels_and_scores(1, 200, n_scores=2))
    copies = [np.repeat(column, 3, axis=1) for column in (y_true, a, b)]
    result, alone = compare_two(*copies), compare_two(y_true, a, b)
    assert result.confidence_interval == pytest.approx(alone.confidence_interval, rel=1e-12)
    assert result.pvalue == pytest.approx(alone.pvalue, rel=1e-5)
    assert result.statistic is None


@pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")
@pytest.mark.filterwarnings("ignore:The value itself")
def test_differences_of_few_positives_have_at_most_the_limits_of_independent_scores():
    """With two positives the t quantile alone gives a wider interval."""
    y_true = np.arange(60)[:, np.newaxis] < 2
    a, b = np.random.default_rng(0).normal(size=(2, 60, 1)) + [[[3]], [[1]]] * y_true
    copies = [np.repeat(column, 3, axis=1) for column in (y_true, a, b)]
    compared = compare_models(y_true[:, 0], {"a": a[:, 0], "b": b[:, 0]})
    (low_a, high_a), (low_b, high_b) = (
        model.confidence_interval for model in compared.models.values()
    )
    value_a, value_b = (model.estimate for model in compared.models.values())
    expected = (
        value_a - value_b - np.hypot(value_a - low_a, high_b - value_b),
        value_a - value_b + np.hypot(high_a - value_a, value_b - low_b),
    )
    found = compare_two(*copies).confidence_interval
    assert found == pytest.approx(np.clip(expected, -1, 1), rel=1e-9)
    assert np.ptp(found) < np.ptp(compared.pairs["a", "b"].confidence_interval)


def test_perfect_labels_without_common_samples_are_one_sample():
    y_true = np.eye(4, dtype=int)[np.arange(80) % 4]
    noise = np.random.default_rng(0).random(320) / 2
    result = auc_pr_interval(y_true, y_true + noise.reshape(80, 4))
    pooled = np.arange(320) < 80
    expected = auc_pr_interval(pooled, pooled + noise).confidence_interval.low
    assert 1 - result.confidence_interval.low == pytest.approx(1 - expected, rel=0.15)


LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)


@pytest.mark.filterwarnings("ignore:The value itself")
@pytest.mark.parametrize("seed", range(4))
def test_intervals_contain_those_of_lower_levels(seed):
    classes = np.random.default_rng(seed).permutation(np.repeat(range(4), [3, 5, 9, 13]))
    y_true = np.eye(4, dtype=int)[classes]
    score = 3 * y_true + np.random.default_rng(seed).normal(size=y_true.shape)
    found = [auc_pr_interval(y_true, score, confidence_level=level) for level in LEVELS]
    low, high = np.array([each.confidence_interval for each in found]).T
    assert (np.diff(low) <= 0).all()
    assert (np.diff(high) >= 0).all()


@pytest.mark.filterwarnings("ignore:.*The value itself")
@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("seed", [0, 2])
def test_pvalues_agree_with_the_intervals_of_differences(seed, average):
    y_true, a, b = labels_and_scores(seed, 80, n_scores=2)
    a += (0.3 + 0.2 * seed) * y_true
    for level in LEVELS:
        found = compare_two(y_true, a, b, average=average, confidence_level=level)
        low, high = found.confidence_interval
        assert (found.pvalue < 1 - level) == (low > 0 or high < 0)


@pytest.mark.filterwarnings("ignore:.*The value itself")
def test_a_comparison_is_symmetric():
    y_true, a, b = labels_and_scores(4, 100, n_scores=2)
    a[:, 0] = b[:, 0] = y_true[:, 0]
    found, other = compare_two(y_true, a, b), compare_two(y_true, b, a)
    low, high = other.confidence_interval
    assert found.confidence_interval == pytest.approx((-high, -low), rel=1e-12)
    assert found.pvalue == pytest.approx(other.pvalue, rel=1e-6)


@pytest.mark.filterwarnings("ignore")
def test_one_sided_pvalues_are_a_half_of_the_two_sided_one_and_the_rest():
    y_true, a, b = labels_and_scores(5, 100, n_scores=2)
    two_sided, less, greater = (
        compare_two(y_true, a, b, alternative=alternative).pvalue
        for alternative in ("two-sided", "less", "greater")
    )
    assert min(less, greater) == pytest.approx(two_sided / 2, rel=1e-9)
    assert less + greater == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("average", AVERAGES)
def test_the_order_of_labels_does_not_matter(average):
    y_true, y_score = labels_and_scores(2, 150)
    result = auc_pr_interval(y_true, y_score, average=average)
    other = auc_pr_interval(y_true[:, ::-1], y_score[:, ::-1], average=average)
    assert other.confidence_interval.low == pytest.approx(
        result.confidence_interval.low, rel=1e-12
    )
    assert other.n_positive == result.n_positive[::-1]


@pytest.mark.parametrize("average", AVERAGES)
def test_the_order_of_samples_does_not_matter(average):
    y_true, y_score = labels_and_scores(2, 150, decimals=1)
    order = np.random.default_rng(0).permutation(150)
    result = auc_pr_interval(y_true, y_score, average=average)
    other = auc_pr_interval(y_true[order], y_score[order], average=average)
    assert other.standard_error == pytest.approx(result.standard_error, rel=1e-12)


@pytest.mark.parametrize("average", AVERAGES)
def test_clusters_of_one_sample_are_samples(average):
    y_true, a, b = labels_and_scores(4, 150, n_scores=2)
    groups = np.random.default_rng(0).permutation(150)
    result, clustered = (
        compare_models(y_true, {"a": a, "b": b}, average=average, groups=each)
        for each in (None, groups)
    )
    assert clustered.models["a"].n_clusters == 150
    interval, pair = result.models["a"], result.pairs["a", "b"]
    other_interval, other_pair = clustered.models["a"], clustered.pairs["a", "b"]
    assert other_interval.confidence_interval == interval.confidence_interval
    assert other_pair.confidence_interval == pair.confidence_interval
    assert other_pair.pvalue == pair.pvalue


def test_micro_is_one_problem_with_the_samples_as_clusters():
    y_true, y_score = labels_and_scores(5, 150)
    result = auc_pr_interval(y_true, y_score, average="micro")
    groups = np.repeat(np.arange(150), 4)
    entries = auc_pr_interval(y_true.ravel(), y_score.ravel(), groups=groups)
    assert result.confidence_interval == entries.confidence_interval
    assert result.bias is None
    assert result.n_clusters is None


@pytest.mark.parametrize("metric", METRICS)
def test_one_column_is_one_binary_label(metric):
    y_true, y_score = (column[:, :1] for column in labels_and_scores(6, 200))
    result = auc_pr_interval(y_true, y_score, metric=metric)
    assert result == auc_pr_interval(y_true[:, 0], y_score[:, 0], metric=metric)
    assert result.average is None
    assert result.n_labels is None
    assert result.bias is None


@pytest.mark.parametrize("average", AVERAGES)
def test_the_average_has_no_effect_on_one_binary_label(average):
    y_true, y_score = (column[:, 0] for column in labels_and_scores(6, 200))
    assert auc_pr_interval(y_true, y_score, average=average) == auc_pr_interval(
        y_true, y_score
    )


def test_classes_are_one_label_each():
    rng = np.random.default_rng(7)
    classes = np.array(["cat", "dog", "owl"])
    y_true = rng.integers(0, 3, 200)
    y_score = np.eye(3)[y_true] + rng.normal(size=(200, 3))
    result = auc_pr_interval(classes[y_true], y_score)
    assert result == auc_pr_interval(np.eye(3, dtype=int)[y_true], y_score)
    assert result.n_labels == 3
    assert result.n_positive == tuple(np.bincount(y_true))


def test_models_have_the_intervals_of_averages():
    y_true, a, b = labels_and_scores(8, 200, n_scores=2)
    result = compare_models(y_true, {"a": a, "b": b}, average="weighted")
    assert result.models["a"] == auc_pr_interval(y_true, a, average="weighted")
    assert result.pairs["a", "b"].n_labels == 4


def test_a_score_does_not_differ_from_itself():
    y_true, y_score = labels_and_scores(9)
    result = compare_two(y_true, y_score, y_score)
    assert result.difference == 0
    assert result.pvalue == 1


# What is undefined, and what is not nominal


@pytest.mark.parametrize("positive", [False, True])
def test_a_label_of_one_class_is_undefined_and_named(positive):
    y_true, y_score = labels_and_scores(10)
    y_true[:, 2] = positive
    which = "negative" if positive else "positive"
    with pytest.warns(UndefinedMetricWarning, match=f"No {which} samples of label 2"):
        result = auc_pr_interval(y_true, y_score)
    assert np.isnan(result.estimate)
    assert np.isnan(result.confidence_interval.low)


def test_a_label_without_positives_has_no_weight():
    y_true, y_score = labels_and_scores(10)
    y_true[:, 2] = False
    kept = [0, 1, 3]
    result = auc_pr_interval(y_true, y_score, average="weighted")
    alone = auc_pr_interval(y_true[:, kept], y_score[:, kept], average="weighted")
    assert result.confidence_interval == alone.confidence_interval


@pytest.mark.filterwarnings("ignore:.*The value itself")
@pytest.mark.parametrize(
    ("groups", "text"),
    [
        (None, "only one positive or one negative sample: [1]"),
        (np.arange(200) // 2, "all positives or all negatives in one cluster: [1]"),
    ],
    ids=["samples", "clusters"],
)
def test_a_label_with_one_positive_makes_intervals_very_wide(groups, text):
    y_true, y_score = labels_and_scores(11, 200)
    y_true[:, 1] = np.arange(200) // 2 == 7
    y_true[14, 1] = groups is not None
    text = re.escape(f"Intervals are very wide, because some labels have {text}.")
    with pytest.warns(UserWarning, match=f"^{text}$") as caught:
        low, high = auc_pr_interval(y_true, y_score, groups=groups).confidence_interval
    assert not any(warning.category is CoverageWarning for warning in caught)
    assert high - low > 0.2
    with pytest.warns(UserWarning, match=f"^{text}$"):
        difference = compare_two(y_true, y_score, -y_score[:, ::-1], groups=groups)
    assert np.ptp(difference.confidence_interval) > 0.2


@pytest.mark.parametrize("is_positive", [True, False], ids=["positive", "negative"])
def test_one_sample_of_a_class_in_every_label_has_no_spread(is_positive):
    rng = np.random.default_rng(0)
    y_true = np.full((40, 2), not is_positive)
    y_true[7] = is_positive
    a, b = rng.normal(size=(2, 40, 2))
    words = "for every label one class of `y_true` is a single sample"
    with pytest.warns(UndefinedMetricWarning, match=words):
        assert np.isnan(auc_pr_interval(y_true, a).standard_error)
    with pytest.warns(UndefinedMetricWarning, match=words):
        assert np.isnan(compare_two(y_true, a, b).pvalue)


def test_an_undefined_average_of_models_warns_once():
    y_true, a, b = labels_and_scores(n_scores=2)
    y_true[:, 0] = True
    with pytest.warns(UndefinedMetricWarning) as caught:
        compare_models(y_true, {"a": a, "b": b})
    assert len(caught) == 1


def test_a_large_bias_warns_and_says_its_size():
    rng = np.random.default_rng(0)
    y_true = np.zeros((300, 30), dtype=bool)
    for k in range(30):
        y_true[rng.choice(300, 3, replace=False), k] = True
    y_score = rng.normal(size=y_true.shape) + y_true
    with pytest.warns(
        UserWarning, match=r"The value itself is about 0.\d+ too h"
    ) as caught:
        result = auc_pr_interval(y_true, y_score)
    (of_bias,) = (w for w in caught if "The value itself" in str(w.message))
    assert of_bias.category is UserWarning
    assert result.bias > result.standard_error / 2


@pytest.mark.filterwarnings("ignore:.*The value itself")
def test_a_doubt_of_a_label_is_one_of_the_average():
    y_true, y_score = labels_and_scores(13, 100)
    y_true[:, 2] = np.arange(100) > 30
    with pytest.warns(CoverageWarning, match="^Label 2: Only 31 samples are negative"):
        auc_pr_interval(y_true, y_score)
    with pytest.warns(CoverageWarning, match="^Model 'a': Label 2, Model 'b'"):
        compare_models(y_true, {"a": y_score, "b": y_score[:, ::-1]})


def test_labels_in_clusters_of_very_unequal_size_warn():
    y_true, y_score = labels_and_scores(14, 2000)
    groups = np.maximum(np.arange(2000) - 1500, 0)  # one cluster has most of the samples
    with pytest.warns(CoverageWarning, match="^Label 0.*are spread very unequally"):
        auc_pr_interval(y_true, y_score, groups=groups)


def test_reversed_scores_of_a_label_warn():
    y_true, y_score = labels_and_scores(15, 300)
    y_score[:, 1] *= -1
    with pytest.warns(UserWarning, match="^Label 1: The scores rank negatives above"):
        auc_pr_interval(y_true, y_score)


# Errors


NOT_SIMULATED = {
    "`metric`='normalized_average_precision'": {"metric": "normalized_average_precision"},
    "`sample_weight`": {"sample_weight": np.arange(1.0, 61)},
    "`recall_range`": {"recall_range": (0.5, 1)},
    "`prevalence`": {"prevalence": 0.1},
}


@pytest.mark.parametrize("text", NOT_SIMULATED)
def test_what_was_not_simulated_raises(text):
    y_true, y_score = labels_and_scores()
    match = re.escape(text) + ".*one label at a time.*`y_true == label, "
    with pytest.raises(ValueError, match=match):
        auc_pr_interval(y_true, y_score, **NOT_SIMULATED[text])


@pytest.mark.parametrize("average", ["samples", None])
def test_averages_without_an_interval_say_what_to_do(average):
    y_true, y_score = labels_and_scores()
    with pytest.raises(ValueError, match=r"`average` must be one of .*one label at a time"):
        auc_pr_interval(y_true, y_score, average=average)


def test_an_unknown_average_raises():
    y_true, y_score = labels_and_scores()
    with pytest.raises(ValueError, match="`average` must be"):
        auc_pr_interval(y_true, y_score, average="mean")


@pytest.mark.filterwarnings("ignore:.*at a prevalence above 0.5")
def test_the_probabilities_of_several_outputs_are_answered_with_how_to_stack_them():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y_true = X[:, :2] + rng.normal(size=(80, 2)) > 0
    model = MultiOutputClassifier(LogisticRegression()).fit(X, y_true)
    y_score = model.predict_proba(X)
    with pytest.raises(ValueError, match=r"np.column_stack\(\[p\[:, 1\] for p in y_score"):
        auc_pr_interval(y_true, y_score)
    stacked = np.column_stack([p[:, 1] for p in y_score])
    assert auc_pr_interval(y_true, stacked).n_labels == 2


def test_scores_of_another_number_of_labels_name_the_score():
    y_true, a, b = labels_and_scores(n_scores=2)
    with pytest.raises(ValueError, match=r"`y_scores\['b'\]` must have shape"):
        compare_two(y_true, a, b[:, :3])


def test_groups_of_another_length_raise():
    y_true, y_score = labels_and_scores()
    with pytest.raises(ValueError, match="`groups` must have one label"):
        auc_pr_interval(y_true, y_score, groups=np.arange(59))


@pytest.mark.filterwarnings("ignore:.*The scores rank negatives above positives")
@pytest.mark.parametrize("groups", [None, np.arange(20) // 2], ids=["samples", "groups"])
@pytest.mark.parametrize("seed", [0, 1])
def test_perfect_and_worst_rankings_have_a_difference_below_1_in_the_population(
    seed, groups
):
    """No sample has an influence on the difference, whose limits are of unseen samples."""
    rng = np.random.default_rng(seed)
    y_true = np.arange(20)[:, np.newaxis] % [3, 4] == 0
    perfect, worst = (sign * y_true + 0.3 * rng.random((20, 2)) for sign in (1, -1))
    found = compare_two(y_true, perfect, worst, metric="aucnpr", groups=groups)
    assert found.difference == pytest.approx(1)
    low, high = found.confidence_interval
    assert 0.4 < low < 0.8
    assert high == 1
    assert found.pvalue < 0.01


@pytest.mark.filterwarnings("ignore:.*The scores rank negatives above positives")
@pytest.mark.parametrize("n_samples", [20, 60])
def test_a_worst_ranking_has_no_warning_of_a_bias(n_samples):
    y_true = np.arange(n_samples)[:, np.newaxis] % [3, 4] == 0
    worst = 0.3 * np.random.default_rng(0).random((n_samples, 2)) - y_true
    found = auc_pr_interval(y_true, worst, metric="aucnpr")
    assert found.standard_error == 0


# Results


def test_prints_name_the_average_and_the_rarest_label():
    y_true, y_score = labels_and_scores(3, 200)
    lines = str(auc_pr_interval(y_true, y_score)).split("\n")
    assert lines[0].startswith("Macro AUC-PR of 4 labels: ")
    fewest, most = (f(y_true.sum(axis=0)) for f in (min, max))
    assert lines[2] == f"200 samples; 4 labels, {fewest} to {most} positive"


def test_models_have_one_row_each():
    y_true, a, b = labels_and_scores(8, 200, n_scores=2)
    result = compare_models(y_true, {"a": a, "b": b}, average="micro")
    assert len(result.to_frame()) == 2
    assert "Micro AUC-PR of 4 labels (95 % interval)" in str(result)


@pytest.mark.parametrize(
    ("groups", "unit"), [(None, "sample"), (np.arange(90) // 3, "clu")]
)
@pytest.mark.parametrize("n_positive", [1, 3])
def test_warnings_of_a_micro_average_count_samples_unless_there_are_groups(
    groups, unit, n_positive
):
    y_true = np.zeros((90, 3), dtype=int)
    y_true[::30][:n_positive] = 1
    y_score = np.random.default_rng(0).normal(size=(90, 3))
    says = {1: f"are in one {unit}", 3: f"^Only 3 {unit}.* have positives"}
    expected = {1: UndefinedMetricWarning, 3: CoverageWarning}
    with pytest.warns(expected[n_positive], match=says[n_positive]):
        auc_pr_interval(y_true, y_score, average="micro", groups=groups)


@pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")
def test_models_of_a_micro_average_warn_as_their_intervals_do():
    rng = np.random.default_rng(0)
    y_true = (rng.random((12, 3)) < 0.8).astype(int)
    scores = {name: rng.normal(size=(12, 3)) + y_true for name in "ab"}
    expected = "negatives, at a prevalence above 0.5"
    with pytest.warns(CoverageWarning, match=f"^Only .* {expected}"):
        auc_pr_interval(y_true, scores["a"], average="micro")
    with pytest.warns(CoverageWarning, match=f"^Model 'a', Model 'b': .* {expected}"):
        compare_models(y_true, scores, average="micro")
