"""Intervals and comparisons of averages over classes and labels."""

import re
import warnings

import numpy as np
import pytest
from scipy.stats import beta, norm
from scipy.stats import t as student
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.multioutput import MultiOutputClassifier

from sklearn_achievable_pr import (
    CoverageWarning,
    auc_pr_interpolated,
    auc_pr_interval,
    aucnpr,
    compare_auc_pr,
    compare_models,
)

METRICS = {
    "auc_pr_interpolated": auc_pr_interpolated,
    "aucnpr": aucnpr,
    "average_precision": average_precision_score,
}
AVERAGES = ("macro", "weighted", "micro")


def labels_and_scores(seed=0, n_samples=60, n_labels=4, decimals=None, n_scores=1):
    """Multilabel data with scores, rounded for ties."""
    rng = np.random.default_rng(seed)
    y_true = rng.random((n_samples, n_labels)) < np.linspace(0.15, 0.5, n_labels)
    scores = [y_true + rng.normal(size=y_true.shape) for _ in range(n_scores)]
    scores = scores if decimals is None else [score.round(decimals) for score in scores]
    return y_true, *scores


def without_each(metric, y_true, y_score, average):
    """The average without each sample, one after the other."""
    kept = ~np.eye(len(y_true), dtype=bool)
    return np.array([METRICS[metric](y_true[k], y_score[k], average=average) for k in kept])


@pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")
@pytest.mark.parametrize("decimals", [None, 0], ids=["untied", "tied"])
@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("metric", METRICS)
def test_the_bias_is_that_of_the_jackknife(metric, average, decimals):
    y_true, y_score = labels_and_scores(decimals=decimals)
    left_out = without_each(metric, y_true, y_score, average)
    value = METRICS[metric](y_true, y_score, average=average)
    result = auc_pr_interval(y_true, y_score, metric=metric, average=average)
    assert result.estimate == pytest.approx(value, rel=1e-12)
    bias = (len(y_true) - 1) * (left_out.mean() - value)
    assert result.bias == pytest.approx(bias, rel=1e-9, abs=1e-12)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")
@pytest.mark.parametrize("decimals", [None, 0], ids=["untied", "tied"])
@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("metric", METRICS)
def test_the_error_of_a_difference_is_that_of_the_jackknife(metric, average, decimals):
    y_true, a, b = labels_and_scores(decimals=decimals, n_scores=2)
    left_out = without_each(metric, y_true, a, average)
    left_out -= without_each(metric, y_true, b, average)
    error = np.sqrt((len(y_true) - 1) * left_out.var())
    result = compare_auc_pr(y_true, a, b, metric=metric, average=average)
    assert result.standard_error == pytest.approx(error, rel=1e-9)


def test_the_lower_limit_is_that_of_the_estimate_less_the_bias():
    y_true, y_score = labels_and_scores(3, 200)
    result = auc_pr_interval(y_true, y_score)
    assert result.bias > 0
    value = result.estimate - result.bias
    n = value * (1 - value) / result.standard_error**2
    n *= (norm.isf(0.025) / student.isf(0.025, result.df)) ** 2
    low = beta.ppf(0.025, n * value, n * (1 - value) + 1)
    assert result.confidence_interval.low == pytest.approx(low, rel=1e-9)


@pytest.mark.parametrize("groups", [None, np.arange(200) // 2], ids=["samples", "pairs"])
@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("metric", METRICS)
def test_a_label_repeated_has_the_error_of_this_label(metric, average, groups):
    y_true, y_score = (column[:, :1] for column in labels_and_scores(1, 200))
    twice = (np.hstack([column, column]) for column in (y_true, y_score))
    options = {"metric": metric, "groups": groups}
    result = auc_pr_interval(*twice, average=average, **options)
    alone = auc_pr_interval(y_true, y_score, **options)
    assert result.estimate == pytest.approx(alone.estimate, rel=1e-12)
    assert result.standard_error == pytest.approx(alone.standard_error, rel=1e-12)
    assert result.df == pytest.approx(alone.df, rel=1e-9)


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


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_clusters_of_one_sample_are_samples(average):
    y_true, y_score = labels_and_scores(4, 150)
    result = auc_pr_interval(y_true, y_score, average=average)
    groups = np.random.default_rng(0).permutation(150)
    clustered = auc_pr_interval(y_true, y_score, average=average, groups=groups)
    assert clustered.standard_error == pytest.approx(result.standard_error, rel=1e-12)
    assert clustered.n_clusters == 150


def test_micro_is_one_problem_with_the_samples_as_clusters():
    y_true, y_score = labels_and_scores(5, 150)
    result = auc_pr_interval(y_true, y_score, average="micro")
    groups = np.repeat(np.arange(150), 4)
    entries = auc_pr_interval(y_true.ravel(), y_score.ravel(), groups=groups)
    assert result.confidence_interval == entries.confidence_interval
    assert result.bias is None


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


def test_models_have_the_results_of_both_functions():
    y_true, a, b = labels_and_scores(8, 200, n_scores=2)
    result = compare_models(y_true, {"a": a, "b": b}, average="weighted")
    assert result.models["a"] == auc_pr_interval(y_true, a, average="weighted")
    pair = compare_auc_pr(y_true, a, b, average="weighted")
    assert result.pairs["a", "b"].pvalue == pair.pvalue
    assert result.pairs["a", "b"].n_labels == 4


def test_a_score_does_not_differ_from_itself():
    y_true, y_score = labels_and_scores(9)
    result = compare_auc_pr(y_true, y_score, y_score)
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


def test_a_label_with_one_positive_warns():
    y_true, y_score = labels_and_scores(11, 200)
    y_true[:, 1] = np.arange(200) == 7
    with pytest.warns(CoverageWarning) as caught:
        result = auc_pr_interval(y_true, y_score)
    assert any("one positive or one negative sample: [1]" in str(w.message) for w in caught)
    assert np.isfinite(result.standard_error)


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
        assert np.isnan(compare_auc_pr(y_true, a, b).pvalue)


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
    with pytest.warns(CoverageWarning, match=r"The value itself is about 0.\d+ too high"):
        result = auc_pr_interval(y_true, y_score)
    assert result.bias > result.standard_error / 2


# Errors


NOT_SIMULATED = {
    "`metric`='auprg'": {"metric": "auprg"},
    "`metric`='normalized_average_precision'": {"metric": "normalized_average_precision"},
    "`metric`='achievable_auc_pr'": {"metric": "achievable_auc_pr"},
    "`method`='percentile'": {"method": "percentile"},
    "`sample_weight`": {"sample_weight": np.arange(1.0, 61)},
    "`recall_range`": {"recall_range": (0.5, 1)},
    "`prevalence`": {"prevalence": 0.1},
}


@pytest.mark.parametrize("text", NOT_SIMULATED)
def test_what_was_not_simulated_raises(text):
    y_true, y_score = labels_and_scores()
    with pytest.raises(ValueError, match=re.escape(text) + ".*one label at a time"):
        auc_pr_interval(y_true, y_score, **NOT_SIMULATED[text])


def test_resampled_comparisons_of_averages_raise():
    y_true, a, b = labels_and_scores(n_scores=2)
    with pytest.raises(ValueError, match="`method`='percentile'"):
        compare_auc_pr(y_true, a, b, method="percentile")


@pytest.mark.parametrize("average", ["samples", None])
def test_averages_without_an_interval_say_what_to_do(average):
    y_true, y_score = labels_and_scores()
    with pytest.raises(ValueError, match=r"`average` must be one of .*one label at a time"):
        auc_pr_interval(y_true, y_score, average=average)


def test_an_unknown_average_raises():
    y_true, y_score = labels_and_scores()
    with pytest.raises(ValueError, match="`average` must be"):
        auc_pr_interval(y_true, y_score, average="mean")


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
    with pytest.raises(ValueError, match="`y_score_b` must have shape"):
        compare_auc_pr(y_true, a, b[:, :3])


def test_groups_of_another_length_raise():
    y_true, y_score = labels_and_scores()
    with pytest.raises(ValueError, match="`groups` must have one label"):
        auc_pr_interval(y_true, y_score, groups=np.arange(59))


@pytest.mark.filterwarnings("ignore:There are only 10 clusters")
@pytest.mark.parametrize("groups", [None, np.arange(20) // 2], ids=["samples", "groups"])
@pytest.mark.parametrize("seed", range(4))
def test_perfect_and_worst_rankings_have_a_difference_below_1_in_the_population(
    seed, groups
):
    """No sample has an influence on the difference, whose limits are of unseen samples."""
    rng = np.random.default_rng(seed)
    y_true = np.arange(20)[:, np.newaxis] % [3, 4] == 0
    perfect, worst = (sign * y_true + 0.3 * rng.random((20, 2)) for sign in (1, -1))
    found = compare_auc_pr(y_true, perfect, worst, metric="aucnpr", groups=groups)
    assert found.difference == pytest.approx(1)
    low, high = found.confidence_interval
    assert 0.4 < low < 0.8
    assert high == 1
    assert found.pvalue < 0.01


@pytest.mark.parametrize("n_samples", [20, 60])
def test_a_worst_ranking_has_no_warning_of_a_bias(n_samples):
    """Its AUCNPR is 0 without each sample, up to rounding."""
    y_true = np.arange(n_samples)[:, np.newaxis] % [3, 4] == 0
    worst = 0.3 * np.random.default_rng(0).random((n_samples, 2)) - y_true
    found = auc_pr_interval(y_true, worst, metric="aucnpr")
    assert found.standard_error == 0
    assert found.bias == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("n_clusters", "warns"), [(59, True), (60, False)])
@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_averages_with_fewer_than_60_clusters_warn(average, n_clusters, warns):
    groups = np.repeat(np.arange(n_clusters), 5)
    y_true, score = np.random.default_rng(0).normal(size=(2, len(groups), 3))
    score += y_true
    for function in (
        lambda **options: auc_pr_interval(y_true > 0, score, **options),
        lambda **options: compare_auc_pr(y_true > 0, score, -score, **options),
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            function(average=average, groups=groups)
        texts = [str(warning.message) for warning in caught]
        assert (
            any(text.startswith("There are only 59 clusters. With fewer") for text in texts)
            is warns
        )


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
    with pytest.warns(CoverageWarning, match=f"^There are only .* {expected}"):
        auc_pr_interval(y_true, scores["a"], average="micro")
    with pytest.warns(CoverageWarning, match=f"^Model 'a', Model 'b': .* {expected}"):
        compare_models(y_true, scores, average="micro")
