"""`CoverageWarning`: samples whose intervals and tests are not nominal, and others."""

import warnings
from contextlib import contextmanager
from functools import partial

import numpy as np
import pytest
from inference import (
    INFERENCES,
    SMOOTH,
    compare_two,
    no_coverage_warning,
    two_scores,
)

import sklearn_achievable_pr as apr
from sklearn_achievable_pr import (
    CoverageWarning,
    auc_pr_interval,
    compare_models,
)

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")


def test_a_recall_range_with_few_positives():
    y_true, y_score = np.arange(100) % 5 == 0, np.arange(100.0)
    for function in (auc_pr_interval, INFERENCES["comparison"]):
        with pytest.warns(
            CoverageWarning,
            match=r"`recall_range`=\(0.8, 1.0\) holds only 4 pos.* fewer than 5,",
        ):
            function(y_true, y_score, recall_range=(0.8, 1))
        function(y_true, y_score, recall_range=(0.75, 1))


def test_the_text_ends_with_the_section_that_explains_it():
    y_true, y_score = np.arange(100) % 5 == 0, np.arange(100.0)
    section = 'See "Few positives in a recall range" in "Warnings, and what to do".$'
    with pytest.warns(CoverageWarning, match=section):
        auc_pr_interval(y_true, y_score, recall_range=(0.8, 1))


def heavy_negatives(name, ratio):
    """Labels, and options by which each negative weighs `ratio` positives."""
    y_true = np.arange(100) % 2 == 0
    weight = np.where(y_true, 1.0, ratio)
    by = {"prevalence": 1 / (1 + ratio), "sample_weight": weight}
    return y_true, np.arange(100.0), {name: by[name]}


@pytest.mark.parametrize("name", ["prevalence", "sample_weight"])
@pytest.mark.parametrize("function", [auc_pr_interval, INFERENCES["comparison"]])
def test_negatives_that_weigh_many_positives(name, function):
    y_true, y_score, options = heavy_negatives(name, 5.5)
    text = f"`{name}`.* each negative weighs as much as 5.5 positives. With more than 5, "
    with pytest.warns(CoverageWarning, match=text):
        function(y_true, y_score, **options)
    y_true, y_score, options = heavy_negatives(name, 4.5)
    with no_coverage_warning():
        function(y_true, y_score, **options)


@pytest.mark.parametrize("function", [auc_pr_interval, INFERENCES["comparison"]])
def test_the_warning_names_the_fewest_negatives_that_do_not_weigh_too_much(function):
    n_pos, prevalence, most = 15, 0.05, 5
    fewest = int(np.ceil(n_pos * (1 - prevalence) / (most * prevalence)))
    for n_neg in (25, fewest - 1):
        y_true = np.arange(n_pos + n_neg) < n_pos
        with pytest.warns(CoverageWarning, match=f"at least {fewest} negatives"):
            function(y_true, y_true + np.sin(np.arange(n_pos + n_neg)), prevalence=0.05)
    y_true = np.arange(n_pos + fewest) < n_pos
    with no_coverage_warning():
        function(y_true, y_true + np.sin(np.arange(n_pos + fewest)), prevalence=0.05)


HEAVY_NEGATIVES = {
    # Samples above a threshold were labeled, and one in twenty of the others.
    "no positive among the others": (np.arange(100) >= 40, 1, 20, True),
    "a positive among the others": (
        (np.arange(100) >= 40) | (np.arange(100) == 19),
        1,
        20,
        False,
    ),
    "positives kept, negatives down-sampled": (np.zeros(100, dtype=bool), 1, 4, False),
    "weights that differ little": (np.arange(100) >= 40, 1, 2.9, False),
    "few heavy negatives": (np.arange(100) >= 99, 1, 5, False),
}
FUNCTIONS_WITH_WEIGHTS = {
    "interval": auc_pr_interval,
    "models at a threshold": lambda y, s, **kw: compare_models(
        y, {"a": s, "b": s - 1}, metric="recall_at_threshold", at=-30, **kw
    ),
    "threshold table": partial(apr.threshold_table, thresholds=-30),
    "recall at an FPR": partial(apr.operating_point_interval, fpr=0.3),
    "choice": partial(apr.choose_threshold, objective="f1"),
}


@contextmanager
def no_coverage_warning_but_of_low_areas():
    with no_coverage_warning():
        warnings.filterwarnings("ignore", ".*The area is only")
        yield


def heaviest(situation):
    """Labels, a score and weights of a situation."""
    is_heavy, light, heavy, _ = HEAVY_NEGATIVES[situation]
    y_true, score = np.arange(100) < 20, -np.arange(100.0)
    score[20:40] += 25  # false positives
    if situation.startswith("positives kept"):
        is_heavy = ~y_true
    return y_true, score, np.where(is_heavy, heavy, light)


HEAVIEST = "No positive is among the samples of the largest weights .up to 20; positives"


# Each of the five situations has its own condition.
@pytest.mark.filterwarnings("ignore:.*The area is only")
@pytest.mark.parametrize("situation", HEAVY_NEGATIVES)
def test_no_positive_among_the_samples_of_the_largest_weights(situation):
    y_true, score, weight = heaviest(situation)
    warns = HEAVY_NEGATIVES[situation][-1]
    context = no_coverage_warning_but_of_low_areas()
    with pytest.warns(CoverageWarning, match=HEAVIEST) if warns else context:
        auc_pr_interval(y_true, score, sample_weight=weight)


@pytest.mark.parametrize(
    "function",
    ["models at a threshold", "threshold table", "recall at an FPR", "choice"],
)
def test_heaviest_samples_without_a_positive_warn_in_every_function(function):
    y_true, score, weight = heaviest("no positive among the others")
    with pytest.warns(CoverageWarning, match=HEAVIEST):
        FUNCTIONS_WITH_WEIGHTS[function](y_true, score, sample_weight=weight)


@pytest.mark.parametrize("function", ["interval", "threshold table", "choice"])
def test_largest_weights_are_those_before_a_reference_prevalence(function):
    y_true = np.arange(100) < 20
    weight = np.where(np.arange(100) >= 60, 2, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", CoverageWarning)
        warnings.filterwarnings("ignore", "At `prevalence`")
        FUNCTIONS_WITH_WEIGHTS[function](
            y_true, -np.arange(100.0), sample_weight=weight, prevalence=0.04
        )


@pytest.mark.parametrize("name", ["prevalence", "sample_weight"])
@pytest.mark.parametrize(
    "function",
    [partial(apr.threshold_table, thresholds=50), apr.choose_threshold],
    ids=["threshold table", "choice"],
)
def test_rates_and_choices_with_negatives_that_weigh_many_positives(name, function):
    y_true, y_score, options = heavy_negatives(name, 5.5)
    y_score += 50 * y_true
    text = f"`{name}`.* each negative weighs as much as 5.5 positives"
    with pytest.warns(CoverageWarning, match=text):
        function(y_true, y_score, **options)
    _, _, options = heavy_negatives(name, 4.5)
    with no_coverage_warning():
        function(y_true, y_score, **options)


def test_unequal_weights_of_negatives_are_not_those_of_down_sampling():
    y_true, y_score, options = heavy_negatives("sample_weight", 20)
    weight = options["sample_weight"] * np.where(np.arange(100) % 4 == 1, 0.5, 1.5)
    auc_pr_interval(y_true, y_score, sample_weight=np.where(y_true, 1, weight))


# Few samples


@pytest.mark.parametrize("n", [9, 10])
@pytest.mark.parametrize("label", ["positive", "negative"])
def test_comparisons_of_fewer_than_ten_samples_of_a_class_warn(label, n):
    y_true, a, b = two_scores(3, 60)
    few = np.zeros(60, dtype=int)
    few[np.flatnonzero(y_true)[:n]] = 1
    few = few if label == "positive" else 1 - few
    with pytest.warns(CoverageWarning) as caught:  # intervals of few samples warn, too
        compare_two(few, a, b)
    text = f"Only {n} samples are {label}. With fewer than 10, the t test is conservative"
    assert any(str(warning.message).startswith(text) for warning in caught) == (n < 10)


@pytest.mark.parametrize(("n_largest", "warns"), [(1, False), (300, True)])
@pytest.mark.parametrize("name", ["interval", "comparison"])
def test_clusters_of_very_unequal_size_warn(name, n_largest, warns):
    rng = np.random.default_rng(0)
    groups = np.append(np.arange(300), np.zeros(n_largest, dtype=int))
    y_true = np.arange(len(groups)) % 2
    score = rng.normal(size=len(groups)) + y_true
    expected = pytest.warns(
        CoverageWarning, match="spread very unequally over the clusters: 15. clusters with"
    )
    with expected if warns else no_coverage_warning():
        INFERENCES[name](y_true, score, groups=groups)


@pytest.mark.parametrize("groups", [None, np.arange(100) // 5])
def test_intervals_with_fewer_than_four_samples_or_clusters_of_a_class_warn(groups):
    step, few = (1, "samples are") if groups is None else (5, "clusters have")
    for n, context in ((3, None), (4, no_coverage_warning())):
        y_true = np.arange(100) < n * step
        expected = pytest.warns(
            CoverageWarning,
            match=f"Only 3 {few} positive.*fewer than 4, an interval is mostly very wide",
        )
        with context or expected:
            auc_pr_interval(y_true, y_true + np.arange(100) / 100, groups=groups)


@pytest.mark.parametrize(
    ("n_pos", "n_neg", "warns"), [(90, 79, True), (90, 80, False), (78, 79, False)]
)
def test_few_negatives_above_a_prevalence_of_one_half_warn(n_pos, n_neg, warns):
    y_true = np.arange(n_pos + n_neg) < n_pos
    score = np.random.default_rng(0).normal(size=len(y_true)) + y_true
    expected = pytest.warns(
        CoverageWarning, match="Only 79 samples are negative, at a prevalence above"
    )
    with expected if warns else no_coverage_warning():
        auc_pr_interval(y_true, score)


def few_that_decide(n_top):
    """Two positives in 200 far above all other samples, at a prevalence of 0.02."""
    rng = np.random.default_rng(0)
    y_true = np.arange(10_000) < 200
    score = rng.normal(size=10_000)
    score[:n_top] += 1000
    return y_true, score


def test_a_standard_error_that_rests_on_few_samples_warns_and_prints_its_df():
    with pytest.warns(
        CoverageWarning, match="About 2 of 200 samples determine the standard error"
    ):
        found = auc_pr_interval(*few_that_decide(2))
    assert found.df < 5
    assert f"degrees of freedom {found.df:.2g})" in str(found)


def test_a_standard_error_of_many_samples_prints_no_df():
    with no_coverage_warning():
        found = auc_pr_interval(*few_that_decide(0))
    assert "degrees" not in str(found)


def test_a_comparison_that_rests_on_few_samples_warns():
    y_true, score = few_that_decide(2)
    with pytest.warns(CoverageWarning, match="samples determine the standard error"):
        compare_two(y_true, score, few_that_decide(0)[1])


def test_models_with_the_same_doubt_have_one_warning():
    y_true, score = few_that_decide(2)
    with pytest.warns(CoverageWarning, match="^Model 'a', Model 'b': About 2") as caught:
        compare_models(y_true, {"a": score, "b": score + y_true / 100})
    assert len(caught) == 1


@pytest.mark.parametrize(
    "metric",
    ["auc_pr_interpolated", "aucnpr", "normalized_average_precision", "achievable_auc_pr"],
)
def test_ordinary_samples_give_no_coverage_warning(metric):
    rng = np.random.default_rng(0)
    y_true = rng.random(1000) < 0.1
    a, b = rng.normal(size=(2, 1000)) + 1.5 * y_true
    with no_coverage_warning():
        auc_pr_interval(y_true, a, metric=metric)
        if metric in SMOOTH:
            compare_models(y_true, {"a": a, "b": b}, metric=metric)


def test_few_negatives_are_counted_in_clusters():
    y_true, patient = np.repeat([1, 0], [39, 18]).repeat(5), np.arange(57).repeat(5)
    score = np.random.default_rng(0).normal(size=285) + y_true
    with pytest.warns(CoverageWarning, match="Only 18 clusters have negatives"):
        auc_pr_interval(y_true, score, groups=patient)


def test_the_high_prevalence_is_that_of_the_estimate():
    y_true = np.repeat([1, 0], [60, 40])
    score = np.random.default_rng(0).normal(size=100) + y_true
    with no_coverage_warning():
        auc_pr_interval(y_true, score, prevalence=0.4)


# Low areas with few positives; the AUC-PR of a constant score is the prevalence


LOW_AREA = "The area is only .* The upper limit is too low if the best-ranked positives"


@pytest.mark.filterwarnings("ignore:.*All samples have one score")
@pytest.mark.parametrize(
    ("n_pos", "n_neg", "warns"),
    [(20, 181, True), (20, 179, False), (60, 5000, True), (61, 5000, False)],
)
def test_a_low_area_with_few_positives_warns(n_pos, n_neg, warns):
    y_true = np.arange(n_pos + n_neg) < n_pos
    expected = pytest.warns(CoverageWarning, match=LOW_AREA)
    with expected if warns else no_coverage_warning():
        auc_pr_interval(y_true, np.zeros(n_pos + n_neg))


@pytest.mark.filterwarnings("ignore:.*All samples have one score")
@pytest.mark.parametrize(
    ("options", "warns"),
    [
        ({"prevalence": 0.199}, True),
        ({"prevalence": 0.201}, False),
        # 10 clusters of two positives.
        ({"prevalence": 0.3, "groups": np.arange(200) // 2}, True),
        ({"prevalence": 0.3, "recall_range": (0, 0.5)}, False),
    ],
    ids=["below", "above", "clusters", "recall range"],
)
def test_a_low_area_at_a_prevalence_warns_of_twice_as_many_positives(options, warns):
    y_true = np.arange(200) < 20
    expected = pytest.warns(CoverageWarning, match=LOW_AREA)
    with expected if warns else no_coverage_warning():
        auc_pr_interval(y_true, np.zeros(200), **options)


def test_a_low_area_names_its_model():
    y_true = np.arange(600) < 20
    scores = {"good": y_true + np.sin(np.arange(600)), "bad": np.sin(np.arange(600))}
    with pytest.warns(CoverageWarning, match="^Model 'bad': The area is only") as caught:
        compare_models(y_true, scores)
    assert len(caught) == 1
