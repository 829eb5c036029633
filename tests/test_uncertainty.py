"""What intervals, comparisons, influence values and the test of chance have in common."""

import inference
import numpy as np
import pytest
from inference import INFERENCES, S, Y, compare_two, weighted_classes
from situations import SINGLE_CLASS, random_problem
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_achievable_pr import auc_pr_interval

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")


TAKE_WEIGHTS = ("influence", "interval", "comparison")


@pytest.mark.parametrize(
    ("name", "situation"),
    [
        ("influence", "no_negatives"),
        ("interval", "no_positives"),
        ("test", "no_negatives"),
        ("comparison", "no_positives"),
    ],
)
def test_a_missing_class_is_nan_with_a_warning(name, situation):
    y_true, y_score, _ = SINGLE_CLASS[situation]
    missing = situation.removeprefix("no_").removesuffix("s")
    text = f"No {missing} samples in `y_true`: the {name} is undefined"
    with pytest.warns(UndefinedMetricWarning, match=text) as caught:
        found = INFERENCES[name](y_true, y_score)
    of_caller = inference.__file__ if name == "comparison" else __file__
    assert caught[0].filename == of_caller
    if name == "influence":
        assert np.isnan(found).all()
        return
    assert (found.n_samples, found.n_positive) == (len(y_true), np.sum(y_true))
    numbers = [getattr(found, name, np.nan) for name in NUMBERS]
    assert np.isnan(np.hstack(numbers)).all()
    assert "undefined" in str(found)


NUMBERS = (
    *("estimate", "estimates", "difference", "standard_error", "statistic", "pvalue"),
    *("confidence_interval", "df"),
)


@pytest.mark.parametrize("groups", [None, np.arange(60) // 3])
def test_results_describe_the_metric_and_the_samples(groups):
    y_true, y_score, _ = random_problem(1, 60)
    weight = np.arange(60) > 5  # two groups are dropped
    options = {"groups": groups, "sample_weight": weight, "recall_range": (0.1, 0.9)}
    for name in ("interval", "comparison"):
        found = INFERENCES[name](y_true, y_score, metric="aucnpr", **options)
        assert found.n_samples == 54
        assert found.n_positive == y_true[6:].sum()
        assert found.n_clusters == (None if groups is None else 18)
        assert (found.metric, found.recall_range) == ("aucnpr", (0.1, 0.9))
    assert found.method == "influence"
    df = auc_pr_interval(y_true, y_score, **options).df
    assert type(df) is float


# Weights


@pytest.mark.filterwarnings("ignore:Only 3 samples of a class")
@pytest.mark.parametrize("function", ["interval", "comparison"])
def test_weights_of_too_wide_a_range(function):
    """A standard error that overflows is an error, not 0."""
    weight = [1e-310, 2e-310, 1e-310, 1.0, 2.0, 3.0]
    with np.errstate(all="ignore"), pytest.raises(ValueError, match="`sample_weight`"):
        INFERENCES[function]([1, 1, 1, 0, 0, 0], [6, 4, 2, 5, 3, 1], sample_weight=weight)


@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("influence", (1e-310, 1.0)),
        ("interval", (1.0, 1e-310)),
        ("comparison", (1e308, 1e-10)),
    ],
)
def test_classes_whose_weights_are_too_unequal(name, weights):
    y_true, y_score, weight = weighted_classes(*weights)
    with pytest.raises(ValueError, match="`sample_weight`, or the counts, must give"):
        INFERENCES[name](y_true, y_score, sample_weight=weight, prevalence=0.3)


@pytest.mark.parametrize("name", TAKE_WEIGHTS)
def test_negatives_whose_weight_is_too_small_for_aucnpr(name):
    y_true, y_score, weight = weighted_classes(1.0, 1e-17)
    with pytest.raises(
        ValueError, match="`sample_weight` and `prevalence` must give the negatives at"
    ):
        INFERENCES[name](y_true, y_score, sample_weight=weight, metric="aucnpr")


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("influence", "`metric` must be one of", {"metric": "auprg"}),
        ("test", "`n_resamples` must be at least 2", {"n_resamples": 1}),
    ],
)
def test_errors_of_other_functions_name_the_argument(name, text, options):
    with pytest.raises(ValueError, match=text):
        INFERENCES[name](Y, S, **options)


@pytest.mark.parametrize(
    "design",
    [
        {"sample_weight": np.ones(120)},
        {"sample_weight": np.full(120, 0.3)},
        {"sample_weight": np.where(np.arange(120) < 100, 2.0, 0.0)},
        {"groups": np.random.default_rng(0).permutation(120)},
    ],
    ids=["ones", "0.3", "ones and zeros", "clusters of one"],
)
def test_equal_weights_and_clusters_of_one_sample_are_none(design):
    rng = np.random.default_rng(1)
    y, a, b = rng.random(120) < 0.3, rng.normal(size=120), rng.normal(size=120)
    kept = design.get("sample_weight", np.ones(120)) > 0
    found = auc_pr_interval(y, y + a, **design)
    expected = auc_pr_interval(y[kept], (y + a)[kept])
    assert found.confidence_interval == expected.confidence_interval
    assert found.standard_error == expected.standard_error
    found = compare_two(y, y + a, y + b, **design)
    expected = compare_two(y[kept], (y + a)[kept], (y + b)[kept])
    assert found.confidence_interval == expected.confidence_interval
    assert found.pvalue == expected.pvalue
