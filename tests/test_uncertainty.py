"""Intervals and tests, against independent twins and the formulas by hand."""

import itertools
import warnings
from contextlib import contextmanager
from functools import partial

import numpy as np
import pytest
import slow_twins as twins
from scipy import stats
from situations import FUNCTIONS, SINGLE_CLASS, SITUATIONS, random_problem
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import average_precision_score

import sklearn_achievable_pr as apr
from sklearn_achievable_pr import (
    CoverageWarning,
    auc_pr_chance_test,
    auc_pr_influence,
    auc_pr_interpolated,
    auc_pr_interval,
    aucnpr,
    average_precision_min,
    compare_auc_pr,
    compare_models,
)
from sklearn_achievable_pr.metrics._table import METRICS, SMOOTH

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")

VALUES = {
    name: FUNCTIONS[name] for name in ("auc_pr_interpolated", "aucnpr", "average_precision")
}
RANGES = [(0.0, 1.0), (0.0, 0.37), (0.23, 0.71), (0.41, 1.0)]
PREVALENCES = [None, None, 0.03, 0.6]
every_metric = pytest.mark.parametrize("metric", sorted(VALUES))


# Influence


def derivatives(value, weight):
    """The derivative by each weight to fourth order."""

    def moved(steps):
        is_moved = np.eye(len(weight), dtype=bool)
        return np.array([value(row) for row in weight + steps * is_moved])

    step = 3e-4 * weight
    near, far = (moved(n * step) - moved(-n * step) for n in (1, 2))
    return (8 * near - far) / (12 * step)


def nearest_point(data, recalls):
    """Smallest distance in recall of a point from the ends of a range within (0, 1)."""
    tps = [float(p.t) for p in twins.roc(*data)]
    ends = [recall for recall in recalls if 0 < recall < 1]
    return min((abs(t / tps[-1] - end) for t in tps for end in ends), default=1.0)


@every_metric
@pytest.mark.parametrize("seed", range(24))
def test_influence_is_the_derivative(metric, seed):
    n_samples = 8 + 4 * (seed % 8)
    kind = {"prevalence": (0.1, 0.3, 0.5, 0.8)[seed % 4], "weights": "fractional"}
    kind["n_levels"] = (None, 4, 10)[seed % 3]
    y_true, y_score, weight = random_problem(seed, n_samples, **kind)
    weight += 0.2
    low, high = RANGES[seed // 3 % 4]
    options = {"recall_range": (low, high), "prevalence": PREVALENCES[seed // 5 % 4]}
    # Finite differences across a point at the end of a range would mix two derivatives.
    if nearest_point((y_true, y_score, weight), (low, high)) < 4e-3:
        high, low = 1.0, 0.0
        options["recall_range"] = (low, high)
    if metric == "average_precision":
        del options["recall_range"]

    def value(weight):
        return VALUES[metric](y_true, y_score, sample_weight=weight, **options)

    found = auc_pr_influence(
        y_true, y_score, metric=metric, sample_weight=weight, **options
    )
    expected = derivatives(value, weight)
    # The finite differences are accurate to 1e-16 / 1e-4 of the value.
    tolerance = max(1e-9 * np.max(np.abs(expected)), 5e-12)
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance)
    assert abs(np.sum(weight * found)) < 1e-12


@pytest.mark.parametrize(("seed", "decimals"), [(0, 9), (1, 1), (2, 0)])
def test_influence_on_normalized_average_precision_by_its_formula(seed, decimals):
    """(AP - m) / (1 - m), whose minimum m is that of many samples in its derivative."""
    y_true, y_score, _ = random_problem(seed, 200)
    y_score = y_score.round(decimals)
    n_pos, n = int(np.sum(y_true)), len(y_true)
    pi, least = n_pos / n, average_precision_min(n_pos, n - n_pos)
    stepwise = average_precision_score(y_true, y_score)
    of_stepwise = auc_pr_influence(y_true, y_score, metric="average_precision")
    slope = -(np.log(1 - pi) + pi) / pi**2
    of_least = slope * (np.asarray(y_true) - pi) / n
    expected = of_stepwise / (1 - least) + (stepwise - 1) * of_least / (1 - least) ** 2
    found = auc_pr_influence(y_true, y_score, metric="normalized_average_precision")
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-15)


def test_a_perfect_ranking_has_the_same_interval_by_every_smooth_metric():
    y_true = np.arange(100) < 12
    area, normalized = (
        auc_pr_interval(y_true, y_true + 0.0, metric=metric).confidence_interval
        for metric in ("auc_pr_interpolated", "normalized_average_precision")
    )
    assert area.low < 1
    assert normalized == area


@pytest.mark.parametrize("metric", METRICS)
def test_the_default_method_suits_the_metric(metric):
    is_smooth = metric in VALUES or metric == "normalized_average_precision"
    of_interval = "beta" if is_smooth else "percentile"
    y_true, y_score, _ = random_problem(2, 60)
    options = {"metric": metric, "n_resamples": 99, "random_state": 0}
    assert auc_pr_interval(y_true, y_score, **options).method == of_interval


@pytest.mark.parametrize("metric", SMOOTH)
def test_the_default_test_is_the_t_test_of_the_influence(metric):
    y_true, y_score, _ = random_problem(2, 60)
    compared = compare_auc_pr(y_true, y_score, -y_score, metric=metric)
    models = compare_models(y_true, {"a": y_score, "b": -y_score}, metric=metric)
    assert {compared.method, models.pairs["a", "b"].method} == {"influence"}


@every_metric
@pytest.mark.parametrize("situation", sorted(SITUATIONS))
def test_influence_sums_to_zero(metric, situation):
    """Weighted influence values sum to 0, also with weights of 1e-310 or 1e200."""
    y_true, y_score, weight = SITUATIONS[situation]
    found = auc_pr_influence(y_true, y_score, metric=metric, sample_weight=weight)
    assert np.isfinite(found).all()
    weight = np.ones(len(found)) if weight is None else weight
    # Large weights times small derivatives, and the other way round.
    assert abs(np.sum(weight / weight.max() * (found * weight.max()))) < 1e-12


def test_influence_by_hand():
    """One positive between two negatives: A = w / (w + v) with v the weight before it.

    A = integral of t / (t + v) from 0 to w, over w = 1 - v / w log((w + v) / v).
    """
    w, v = 2.0, 3.0
    found = auc_pr_influence([0, 1, 0], [3, 2, 1], sample_weight=[v, w, 5.0])
    log = np.log((w + v) / v)
    by_v = -log / w + 1 / (w + v)
    by_w = v / w**2 * log - v / (w * (w + v))
    np.testing.assert_allclose(found, [by_v, by_w, 0.0], rtol=1e-13, atol=0)


def test_influence_where_precision_falls_vertically():
    """At recall 1/2 of this ranking: the mean of the derivatives to either side."""
    y_true, y_score = [1, 0, 1], [3, 2, 1]
    options = {"recall_range": (0.0, 0.5)}
    found = auc_pr_influence(y_true, y_score, **options)

    def slope(i, step):
        weight = np.ones(3)
        weight[i] += step
        moved = auc_pr_interpolated(y_true, y_score, sample_weight=weight, **options)
        return (moved - auc_pr_interpolated(y_true, y_score, **options)) / step

    for i in range(3):
        sides = [slope(i, step) for step in (1e-7, -1e-7)]
        assert found[i] == pytest.approx(np.mean(sides), abs=1e-6)
    assert abs(slope(0, 1e-7) - slope(0, -1e-7)) > 0.05


def test_samples_between_two_of_the_other_class_have_one_influence():
    y_true, y_score, _ = random_problem(3, 400, prevalence=0.2)
    found = auc_pr_influence(y_true, y_score)
    order = np.argsort(-y_score)
    same_class = np.diff(y_true[order]) == 0
    np.testing.assert_array_equal(np.diff(found[order])[same_class], 0)


def test_a_sample_of_weight_0_has_no_influence():
    weight = [1.0, 0.0, 2.0, 0.0, 1.0, 3.0]
    found = auc_pr_influence([1, 1, 0, 0, 1, 0], [6, 5, 4, 3, 2, 1], sample_weight=weight)
    without = auc_pr_influence([1, 0, 1, 0], [6, 4, 2, 1], sample_weight=[1, 2, 1, 3])
    np.testing.assert_array_equal(found[[1, 3]], 0)
    np.testing.assert_array_equal(found[[0, 2, 4, 5]], without)


# Standard errors


def influence_by_differences(y_true, y_score, metric, **options):
    def value(weight):
        return VALUES[metric](y_true, y_score, sample_weight=weight, **options)

    return derivatives(value, np.ones(len(y_true)))


@every_metric
def test_standard_error_by_design(metric):
    """Samples, groups and prevalence, from derivatives by sample."""
    y_true, y_score, _ = random_problem(8, 30, n_levels=10)
    values = influence_by_differences(y_true, y_score, metric)
    groups = np.arange(30) // 3
    classes = [y_true == label for label in (0, 1)]

    def error(**options):
        return auc_pr_interval(y_true, y_score, metric=metric, **options).standard_error

    def by_class(values):
        return np.sqrt(
            sum(c.sum() / (c.sum() - 1) * np.sum(values[c] ** 2) for c in classes)
        )

    close = {"rel": 1e-9}  # the error of the finite differences
    assert error() == pytest.approx(by_class(values), **close)
    share = np.max([np.bincount(groups, weights=c) / c.sum() for c in classes], axis=0)
    per_group = np.bincount(groups, weights=values)
    expected = np.sqrt(np.sum(per_group**2 / (1 - share)))
    assert error(groups=groups) == pytest.approx(expected, **close)
    values = influence_by_differences(y_true, y_score, metric, prevalence=0.2)
    for in_class in classes:
        assert abs(np.sum(values[in_class])) < 1e-10
    assert error(prevalence=0.2) == pytest.approx(by_class(values), **close)


def test_standard_error_with_weights():
    y_true, y_score, weight = random_problem(8, 60, n_levels=20, weights="fractional")
    values = weight * derivatives(
        lambda w: auc_pr_interpolated(y_true, y_score, sample_weight=w), weight
    )
    share = (
        np.bincount(y_true, weights=weight**2) / np.bincount(y_true, weights=weight) ** 2
    )
    expected, df = twins.error_and_df(values, share[y_true], 1 / share.max())
    for scale in (1.0, 1e90, 1e-90):
        found = auc_pr_interval(y_true, y_score, sample_weight=scale * weight)
        assert found.standard_error == pytest.approx(expected, rel=1e-9)
        assert found.df == pytest.approx(df, rel=1e-9)
        other_way = compare_auc_pr(
            y_true, y_score, np.zeros(60), sample_weight=scale * weight
        )
        assert 0 < other_way.standard_error < 2 * expected


def test_degrees_of_freedom_are_of_the_smaller_class_or_satterthwaite():
    """Size of the smaller class minus 1, or Satterthwaite's if few samples dominate."""
    few = auc_pr_interval([1, 0, 1, 0, 0, 0, 0, 1], [8, 7, 6, 5, 4, 3, 2, 1])
    assert few.df == 2
    # One negative above all positives contributes most of the variance.
    y_true = np.arange(300) < 150
    y_score = -np.arange(300.0)
    y_score[299] = 1
    influence = auc_pr_influence(y_true, y_score)
    _, expected = twins.error_and_df(influence, 1 / 150, 150)
    found = auc_pr_interval(y_true, y_score)
    assert found.df == pytest.approx(expected, rel=1e-12)
    assert found.df < 5


def test_a_weight_is_one_observation_and_copies_are_several():
    y_true, y_score, _ = random_problem(9, 80)
    weight = np.full(80, 3.0)
    once = auc_pr_interval(y_true, y_score)
    weighted = auc_pr_interval(y_true, y_score, sample_weight=weight)
    copies = [np.repeat(samples, 3) for samples in (y_true, y_score, np.arange(80))]
    copied = auc_pr_interval(*copies[:2])
    grouped = auc_pr_interval(*copies[:2], groups=copies[2])
    for same in (weighted, grouped):
        np.testing.assert_allclose(same.confidence_interval, once.confidence_interval)
        assert same.standard_error == pytest.approx(once.standard_error)
        assert same.df == pytest.approx(once.df)
    assert copied.standard_error == pytest.approx(
        once.standard_error / np.sqrt(3), rel=0.03
    )


def test_clusters_of_one_sample_are_samples():
    y_true, y_score, weight = random_problem(10, 70, n_levels=12, weights="fractional")
    for sample_weight in (None, weight):
        samples = auc_pr_interval(y_true, y_score, sample_weight=sample_weight)
        groups = auc_pr_interval(
            y_true, y_score, sample_weight=sample_weight, groups=np.arange(70)[::-1]
        )
        # For clusters the share of each cluster counts, for samples the mean share.
        close = 1e-11 if sample_weight is None else 0.01
        assert groups.standard_error == pytest.approx(samples.standard_error, rel=close)
        np.testing.assert_allclose(
            groups.confidence_interval, samples.confidence_interval, rtol=close
        )


KINDS_OF_GROUPS = {
    "int": np.arange(40) // 4,
    "float": np.arange(40) // 4 / 2,
    "list_of_str": [f"p{i // 4}" for i in range(40)],
    "datetime": np.datetime64("2020-01-01") + np.arange(40) // 4,
    "uint8": (np.arange(40) // 4).astype(np.uint8),
    "str": (np.arange(40) // 4).astype("U3"),
    "ends_of_int64": np.r_[[-(2**63)] * 4, 2**63 - 1 - np.arange(36) // 4],
}


@pytest.mark.parametrize("kind", KINDS_OF_GROUPS)
def test_groups_of_any_type(kind):
    y_true, y_score, _ = random_problem(11, 40)
    found = auc_pr_interval(y_true, y_score, groups=KINDS_OF_GROUPS[kind])
    assert found == auc_pr_interval(y_true, y_score, groups=KINDS_OF_GROUPS["int"])
    assert found.standard_error != auc_pr_interval(y_true, y_score).standard_error


def test_samples_of_weight_0_are_in_no_cluster():
    y_true, y_score, _ = random_problem(12, 60)
    groups, weight = np.arange(60) // 3, np.ones(60)
    weight[:9] = 0  # three groups
    present = weight > 0
    found = auc_pr_interval(y_true, y_score, groups=groups, sample_weight=weight)
    expected = auc_pr_interval(y_true[present], y_score[present], groups=groups[present])
    np.testing.assert_allclose(found.confidence_interval, expected.confidence_interval)


# Intervals


def test_beta_interval_by_hand():
    y_true, y_score, _ = random_problem(1, 200, prevalence=0.1)
    value, n_pos = auc_pr_interpolated(y_true, y_score), y_true.sum()
    found = auc_pr_interval(y_true, y_score, confidence_level=0.9)
    df, error = found.df, found.standard_error
    assert df <= n_pos - 1
    n = value * (1 - value) / error**2 * (stats.norm.ppf(0.95) / stats.t.ppf(0.95, df)) ** 2
    x = n * value
    assert found.estimate == value
    assert found.bootstrap_distribution is None
    assert found.confidence_interval.low == pytest.approx(
        stats.beta.ppf(0.05, x, n - x + 1)
    )
    assert found.confidence_interval.high == pytest.approx(
        stats.beta.ppf(0.95, x + 1, n - x)
    )


@pytest.mark.parametrize("method", ["beta", "percentile"])
def test_one_sided_intervals_are_halves_of_wider_ones(method):
    y_true, y_score, _ = random_problem(5, 150)

    def limits(**options):
        return auc_pr_interval(
            y_true, y_score, method=method, random_state=1, n_resamples=299, **options
        ).confidence_interval

    both = limits(confidence_level=0.9)
    assert limits(alternative="less") == pytest.approx((0.0, both.high), rel=1e-12)
    assert limits(alternative="greater") == pytest.approx((both.low, 1.0), rel=1e-12)
    assert limits(confidence_level=0.99).low < both.low < both.high


def test_a_one_sided_limit_of_level_one_half():
    y_true, y_score, _ = random_problem(5, 60)
    low, middle, high = (
        auc_pr_interval(y_true, y_score, confidence_level=level, alternative="less")
        for level in (0.499, 0.5, 0.501)
    )
    limits = [each.confidence_interval.high for each in (low, middle, high)]
    assert limits[1] == pytest.approx((limits[0] + limits[2]) / 2, rel=1e-5)


def test_limits_for_a_recall_range_stay_within_its_width():
    y_true, y_score, _ = random_problem(6, 90)
    part = {"recall_range": (0.2, 0.6)}
    found = auc_pr_interval(y_true, y_score, **part)
    assert 0 < found.confidence_interval.low < found.estimate
    assert found.estimate < found.confidence_interval.high < 0.4
    above = auc_pr_interval(y_true, y_score, alternative="greater", **part)
    assert above.confidence_interval.high == pytest.approx(0.4)
    normalized = auc_pr_interval(y_true, y_score, metric="aucnpr", **part)
    assert normalized.estimate == aucnpr(y_true, y_score, **part)


def limit_of_perfect(n, tail=0.025):
    """Lower limit of a proportion with n successes in n trials, as of few samples."""
    n_effective = n * (stats.norm.ppf(1 - tail) / stats.t.ppf(1 - tail, n - 1)) ** 2
    return tail ** (1 / n_effective)


@pytest.mark.parametrize("method", ["auto", "percentile"])
@pytest.mark.parametrize("metric", METRICS)
def test_a_perfect_ranking_has_the_interval_of_a_proportion_of_1(metric, method):
    """A lost positive is among the negatives, and has their odds as its recall gain."""
    y_true, y_score = [1] * 10 + [0] * 40, np.arange(50, 0, -1)
    found = auc_pr_interval(y_true, y_score, metric=metric, method=method, random_state=0)
    lost = (1 - limit_of_perfect(10)) * (10 / 40 if metric == "auprg" else 1)
    assert found.estimate == 1
    assert found.confidence_interval == pytest.approx((1 - lost, 1), rel=1e-9)


@pytest.mark.parametrize(
    ("recall_range", "low", "high"),
    [
        ((0, 1), limit_of_perfect(30), 1),
        ((0, 0.5), 0.5 * limit_of_perfect(30), 0.5),
        # Positives without a high score have the highest recalls.
        ((0.5, 1), limit_of_perfect(30) - 0.5, 0.5),
        ((0.9, 1), 0, 0.1),
    ],
)
def test_a_perfect_ranking_may_lose_the_high_recalls_of_a_recall_range(
    recall_range, low, high
):
    y_true, y_score = [1] * 30 + [0] * 300, np.arange(330, 0, -1)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "`recall_range`")
        found = auc_pr_interval(y_true, y_score, recall_range=recall_range)
    assert found.confidence_interval == pytest.approx((low, high), rel=1e-9)


@pytest.mark.parametrize("method", ["beta", "percentile"])
@pytest.mark.parametrize("n", [10, 100])
def test_an_interval_does_not_jump_where_a_ranking_becomes_perfect(n, method):
    """With one negative above the last positive the lower limit is lower, not higher."""
    y_true = np.array([1] * n + [0] * 10 * n)
    perfect = np.arange(11 * n, 0, -1.0)
    nearly = perfect.copy()
    nearly[n - 1] -= 1.5
    limits = [
        auc_pr_interval(y_true, score, method=method, random_state=0).confidence_interval
        for score in (perfect, nearly)
    ]
    assert limits[0].low - 2 / n < limits[1].low < limits[0].low


def test_a_reversed_ranking_has_the_minimum_and_an_interval():
    """Its area is the minimum, which depends on the class counts alone: AUCNPR is 0."""
    y_true, y_score = [0] * 40 + [1] * 10, np.arange(50, 0, -1)
    found = auc_pr_interval(y_true, y_score)
    assert found.standard_error > 0
    assert found.estimate == pytest.approx(apr.auc_pr_min(0.2))
    assert 0 < found.confidence_interval.low < found.estimate
    assert found.estimate < found.confidence_interval.high < 1
    normalized = auc_pr_interval(y_true, y_score, metric="aucnpr")
    assert normalized.confidence_interval.low == 0
    assert 0 < normalized.confidence_interval.high < 0.5


def test_tied_scores_have_nearly_the_interval_of_a_proportion():
    """The area is the prevalence: the interval is nearly that of a proportion."""
    y_true = np.arange(100) < 20
    found = auc_pr_interval(y_true, np.zeros(100))
    # Positives change the prevalence by .8/100 each, negatives by .2/100.
    expected = np.sqrt(20 / 19 * 20 * 0.008**2 + 80 / 79 * 80 * 0.002**2)
    assert found.standard_error == pytest.approx(expected, rel=1e-12)
    clopper_pearson = stats.binomtest(20, 100).proportion_ci()
    np.testing.assert_allclose(found.confidence_interval, clopper_pearson, atol=0.015)


@pytest.mark.parametrize("method", ["beta", "percentile"])
@pytest.mark.parametrize("situation", ["one_positive", "one_negative", "two_rows"])
def test_one_sample_of_a_class_has_no_standard_error(method, situation):
    y_true, y_score, _ = SITUATIONS[situation]
    with pytest.warns(UndefinedMetricWarning, match="one sample") as caught:
        found = auc_pr_interval(y_true, y_score, method=method)
    assert caught[0].filename == __file__
    assert np.isnan(found.standard_error)
    assert found.confidence_interval == (0, 1)
    assert found.estimate == auc_pr_interpolated(y_true, y_score)


def test_one_cluster_of_a_class_has_no_standard_error():
    y_true = np.arange(60) < 3
    with pytest.warns(UndefinedMetricWarning, match="or all their weight, are one cluster"):
        auc_pr_interval(y_true, np.arange(60) % 7, groups=np.arange(60) // 3)


INFERENCES = {
    "influence": auc_pr_influence,
    "interval": auc_pr_interval,
    "test": auc_pr_chance_test,
    "comparison": lambda y, s, **options: compare_auc_pr(y, s, s, **options),
}
TAKE_WEIGHTS = ("influence", "interval", "comparison")


@pytest.mark.parametrize("situation", SINGLE_CLASS)
@pytest.mark.parametrize("name", INFERENCES)
def test_a_missing_class_is_nan_with_a_warning(name, situation):
    y_true, y_score, _ = SINGLE_CLASS[situation]
    missing = situation.removeprefix("no_").removesuffix("s")
    text = f"No {missing} samples in `y_true`: the {name} is undefined"
    with pytest.warns(UndefinedMetricWarning, match=text) as caught:
        found = INFERENCES[name](y_true, y_score)
    assert caught[0].filename == __file__
    if name == "influence":
        assert np.isnan(found).all()
        return
    assert (found.n_samples, found.n_positive) == (len(y_true), np.sum(y_true))
    numbers = [getattr(found, name, np.nan) for name in NUMBERS]
    assert np.isnan(np.hstack(numbers)).all()
    assert "nan" in str(found)


NUMBERS = (
    *("estimate", "estimates", "difference", "standard_error", "statistic", "pvalue"),
    *("confidence_interval", "df"),
)


def test_a_class_of_weight_0_is_missing():
    weight = [1.0, 0.0, 1.0]
    with pytest.warns(UndefinedMetricWarning, match="No positive samples"):
        found = auc_pr_influence([0, 1, 0], [1, 2, 3], sample_weight=weight)
    np.testing.assert_array_equal(found, [np.nan, 0, np.nan])


@pytest.mark.parametrize("situation", sorted(SITUATIONS))
@pytest.mark.parametrize("metric", METRICS)
def test_every_situation_has_an_interval(situation, metric):
    y_true, y_score, weight = SITUATIONS[situation]
    if metric == "normalized_average_precision" and weight is not None:
        return
    smooth = metric in VALUES
    with warnings.catch_warnings():
        if min(np.bincount(y_true)) < 2 or "denormal" in situation:
            warnings.simplefilter("ignore", UndefinedMetricWarning)
        options = {"metric": metric, "n_resamples": 39, "random_state": 0}
        found = auc_pr_interval(y_true, y_score, sample_weight=weight, **options)
    low, high = found.confidence_interval
    assert low >= 0 or metric == "auprg"
    assert low <= high <= 1
    if metric in FUNCTIONS:
        value = FUNCTIONS[metric](y_true, y_score, sample_weight=weight)
        assert found.estimate == pytest.approx(value, rel=1e-14, abs=1e-16)
    if smooth:
        assert low <= found.estimate <= high


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


def weighted_classes(of_positives, of_negatives):
    """Labels, a score, and one weight per class."""
    y_true, y_score, _ = random_problem(0, 60)
    return y_true, y_score, np.where(y_true == 1, of_positives, of_negatives)


@pytest.mark.parametrize("weights", [(1e-310, 1.0), (1.0, 1e-310), (1e308, 1e-10)])
@pytest.mark.parametrize("name", TAKE_WEIGHTS)
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


@pytest.mark.filterwarnings("ignore:At `prevalence`")
def test_squares_of_influence_values_do_not_overflow():
    y, score = np.tile([0, 0, 1, 0, 1], 20), np.arange(100)
    low, lower = (apr.auc_pr_interval(y, score, prevalence=p) for p in (1e-9, 1e-180))
    assert lower.standard_error == pytest.approx(low.standard_error * 1e-171, rel=1e-6)


@pytest.mark.parametrize("weights", [(1.0, 1e-200), (1e-200, 1.0), (1e-100, 1e100)])
def test_intervals_at_a_prevalence_do_not_depend_on_the_weights_of_the_classes(weights):
    numbers = []
    for of_positives, of_negatives in (weights, (1.0, 0.5)):
        y_true, y_score, weight = weighted_classes(of_positives, of_negatives)
        found = auc_pr_interval(y_true, y_score, sample_weight=weight, prevalence=0.3)
        numbers.append(found.confidence_interval)
    np.testing.assert_allclose(*numbers, rtol=1e-10)


def test_negatives_whose_weight_underflows_at_a_prevalence():
    y_true = np.append([0, 0], np.tile([1, 0, 1], 20))
    weight = np.where(y_true == 1, 1e-20, 1.0)
    weight[:2] = 1e-308
    found = auc_pr_interval(y_true, -np.arange(62), sample_weight=weight, prevalence=0.5)
    expected = auc_pr_interval(y_true[2:], -np.arange(60), prevalence=0.5)
    assert found.estimate == pytest.approx(expected.estimate, rel=1e-12)
    assert found.standard_error == pytest.approx(expected.standard_error, rel=1e-12)


# Warnings


def test_a_recall_range_with_few_positives():
    y_true, y_score = np.arange(100) % 5 == 0, np.arange(100.0)
    for function in (auc_pr_interval, INFERENCES["comparison"]):
        with pytest.warns(
            CoverageWarning, match=r"`recall_range`=\(0.8, 1.0\) holds only 4 pos"
        ):
            function(y_true, y_score, recall_range=(0.8, 1))
        function(y_true, y_score, recall_range=(0.75, 1))


@contextmanager
def no_coverage_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error", CoverageWarning)
        yield


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
    text = f"`{name}`.* each negative counts as 5.5 positives. With more than 5, estimates"
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
        with pytest.warns(CoverageWarning, match=f"Collect at least {fewest} negatives"):
            function(y_true, np.sin(np.arange(len(y_true))), prevalence=prevalence)
    y_true = np.arange(n_pos + fewest) < n_pos
    with no_coverage_warning():
        function(y_true, np.sin(np.arange(len(y_true))), prevalence=prevalence)


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
    "comparison": INFERENCES["comparison"],
    "models": lambda y, s, **kw: compare_models(y, {"a": s, "b": np.sin(s)}, **kw),
    "models at a threshold": lambda y, s, **kw: compare_models(
        y, {"a": s, "b": s - 1}, metric="recall_at_threshold", at=-30, **kw
    ),
    "threshold table": partial(apr.threshold_table, thresholds=-30),
    "recall at an FPR": partial(apr.operating_point_interval, fpr=0.3),
    "choice": partial(apr.choose_threshold, objective="f1"),
}


@pytest.mark.parametrize("function", FUNCTIONS_WITH_WEIGHTS)
@pytest.mark.parametrize("situation", HEAVY_NEGATIVES)
def test_no_positive_among_the_samples_of_the_largest_weights(situation, function):
    is_heavy, light, heavy, warns = HEAVY_NEGATIVES[situation]
    y_true, score = np.arange(100) < 20, -np.arange(100.0)
    score[20:40] += 25  # false positives
    weight = np.where(is_heavy, heavy, light)
    if situation.startswith("positives kept"):
        weight = np.where(y_true, light, heavy)
    text = "No positive is among the samples of the largest weights .up to 20; positives"
    expected = pytest.warns(CoverageWarning, match=text) if warns else no_coverage_warning()
    with expected:
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
    text = f"`{name}`.* each negative counts as 5.5 positives"
    with pytest.warns(CoverageWarning, match=text):
        function(y_true, y_score, **options)
    _, _, options = heavy_negatives(name, 4.5)
    with no_coverage_warning():
        function(y_true, y_score, **options)


def test_unequal_weights_of_negatives_are_not_those_of_down_sampling():
    y_true, y_score, options = heavy_negatives("sample_weight", 20)
    weight = options["sample_weight"] * np.where(np.arange(100) % 4 == 1, 0.5, 1.5)
    auc_pr_interval(y_true, y_score, sample_weight=np.where(y_true, 1, weight))


# Comparison


def two_scores(seed, n_samples, prevalence=0.3, shift=0.7):
    rng = np.random.default_rng(seed)
    y_true = (rng.random(n_samples) < prevalence).astype(int)
    y_true[:4] = 0, 1, 0, 1
    shared = rng.normal(size=n_samples) + y_true
    noise = rng.normal(size=(2, n_samples))
    return y_true, shared + noise[0] + shift * y_true, shared + noise[1]


@every_metric
def test_comparison_by_hand(metric):
    y_true, a, b = two_scores(0, 30)
    moves = influence_by_differences(y_true, a, metric) - influence_by_differences(
        y_true, b, metric
    )
    counts, value = np.bincount(y_true), VALUES[metric]
    error, df = twins.error_and_df(moves, 1 / counts[y_true], min(counts))
    values = value(y_true, a), value(y_true, b)
    lost = min(counts) * (2 - sum(values))
    error, df = twins.with_unseen(moves, error, df, min(counts), lost, len(a))
    found = compare_auc_pr(y_true, a, b, metric=metric)
    assert found.estimates == pytest.approx(values, rel=1e-14)
    assert found.difference == pytest.approx(values[0] - values[1], rel=1e-13)
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    assert found.df == pytest.approx(df, rel=1e-7)
    assert found.statistic == pytest.approx(found.difference / error, rel=1e-9)
    assert found.pvalue == pytest.approx(2 * stats.t.sf(abs(found.statistic), df), rel=1e-9)
    reach = stats.t.ppf(0.975, df) * error
    np.testing.assert_allclose(
        found.confidence_interval,
        [found.difference - reach, found.difference + reach],
        rtol=1e-9,
    )
    for alternative, tail in (("greater", stats.t.sf), ("less", stats.t.cdf)):
        one_sided = compare_auc_pr(y_true, a, b, metric=metric, alternative=alternative)
        assert one_sided.pvalue == pytest.approx(tail(found.statistic, df), rel=1e-9)
    assert one_sided.confidence_interval.low == -1


@pytest.mark.parametrize("method", ["influence", "percentile"])
def test_comparison_is_antisymmetric(method):
    y_true, a, b = two_scores(1, 100)
    options = {"method": method, "n_resamples": 999, "random_state": 3}
    forth, back = (
        compare_auc_pr(y_true, a, b, **options),
        compare_auc_pr(y_true, b, a, **options),
    )
    assert back.difference == -forth.difference
    assert back.pvalue == pytest.approx(forth.pvalue, rel=1e-9)
    np.testing.assert_allclose(
        back.confidence_interval, [-limit for limit in forth.confidence_interval[::-1]]
    )


@pytest.mark.parametrize("method", ["influence", "percentile"])
def test_a_score_compared_with_itself(method):
    y_true, a, _ = two_scores(2, 100)
    found = compare_auc_pr(
        y_true, a, 3 * a + 1, method=method, n_resamples=99, random_state=0
    )
    assert found.difference == found.statistic == 0
    assert found.pvalue == 1
    assert found.confidence_interval == (0, 0)


@pytest.mark.parametrize("method", ["influence", "percentile"])
def test_the_best_and_the_worst_ranking_differ_by_less_than_1_in_the_population(method):
    """No sample has an influence on the difference, whose limits are of unseen samples."""
    y_true, score = np.arange(40) < 20, np.arange(40)
    found = compare_auc_pr(
        y_true, -score, score, method=method, random_state=0, metric="aucnpr"
    )
    low, high = found.confidence_interval
    reach = stats.t.ppf(0.975, 19) * np.sqrt(2) / 22
    assert low == pytest.approx(1 - reach, abs=1e-3)
    assert high == 1
    assert found.pvalue <= 0.001


# Comparisons that rest on few samples


def two_perfect_scores(n_pos, n_neg, n_lost=0, seed=0):
    """Labels, a perfect score, and another one that loses some of the positives."""
    rng = np.random.default_rng(seed)
    y_true = np.repeat([1, 0], [n_pos, n_neg])
    a, b = 10 * y_true + rng.normal(size=(2, n_pos + n_neg))
    b[:n_lost] -= 10
    return y_true, a, b


@pytest.mark.parametrize("method", ["influence", "percentile"])
@pytest.mark.parametrize("metric", SMOOTH)
def test_two_perfect_rankings_may_differ_in_the_population(metric, method):
    y_true, a, b = two_perfect_scores(10, 1000)
    options = {"method": method, "n_resamples": 199, "random_state": 0}
    found = compare_auc_pr(y_true, a, b, metric=metric, **options)
    reach = stats.t.ppf(0.975, 9) * np.sqrt(2) / 12
    low, high = found.confidence_interval
    assert found.difference == 0
    assert (low, high) == pytest.approx((-reach, reach), rel=0.05)
    assert found.pvalue == 1
    assert found.standard_error > 0.2 * reach


def test_a_perfect_ranking_and_one_that_loses_two_positives_by_hand():
    y_true, a, b = two_perfect_scores(10, 200, n_lost=2)
    moves = auc_pr_influence(y_true, a) - auc_pr_influence(y_true, b)
    counts, area = np.bincount(y_true), auc_pr_interpolated(y_true, b)
    seen = moves, *twins.error_and_df(moves, 1 / counts[y_true], 10)
    error, df = twins.with_unseen(*seen, 10, 10 * (1 - area), 210)
    found = compare_auc_pr(y_true, a, b)
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    assert found.standard_error > 1.1 * seen[1]
    assert found.df == pytest.approx(df, rel=1e-9)
    assert found.pvalue == pytest.approx(2 * stats.t.sf((1 - area) / error, df), rel=1e-9)


def test_perfect_rankings_that_differ_in_few_samples_have_a_smaller_difference():
    y_true, a, _ = two_perfect_scores(10, 1000)
    b = a.copy()
    b[:2] = b[[1, 0]]
    found, other = (
        compare_auc_pr(y_true, a, c) for c in (b, two_perfect_scores(10, 1000)[2])
    )
    ratio = found.standard_error / other.standard_error
    assert ratio == pytest.approx(np.sqrt(2 / 10), rel=1e-9)


@pytest.mark.parametrize(
    ("recall_range", "loss"),
    [((0, 0.5), 0.5), ((0.5, 1), 1), ((0.8, 1), 1), ((0, 1), 1)],
)
def test_a_lost_positive_is_lost_at_the_end_of_a_recall_range(recall_range, loss):
    y_true, a, b = two_perfect_scores(30, 300)
    found = compare_auc_pr(y_true, a, b, recall_range=recall_range)
    assert found.standard_error == pytest.approx(loss * np.sqrt(2) / 32, rel=1e-9)


@pytest.mark.parametrize("n_lost", [0, 1, 2])
@pytest.mark.parametrize("method", ["influence", "percentile"])
def test_intervals_of_few_samples_are_nested_and_agree_with_the_pvalue(method, n_lost):
    y_true, a, b = two_perfect_scores(20, 200, n_lost)
    options = {"method": method, "random_state": 0}
    lows = []
    for level in (0.5, 0.8, 0.9, 0.95, 0.99):
        found = compare_auc_pr(y_true, a, b, confidence_level=level, **options)
        low, _ = found.confidence_interval
        lows.append(low)
        assert (low > 0) == (found.pvalue < 1 - level)
    assert lows == sorted(lows, reverse=True)


def test_a_score_that_loses_few_positives_is_covered():
    """30 positives, of which the other score loses 3 %: it covered 0.56 without unseen."""
    y_true = np.repeat([1, 0], [30, 300])
    rng, covered = np.random.default_rng(0), []
    # The population: lost positives have the scores of the negatives.
    grid = np.arange(3000) / 3000
    scores = np.concatenate([[2], grid, grid])
    weight = np.repeat([0.97 * 30, 0.03 * 30 / 3000, 300 / 3000], [1, 3000, 3000])
    area = auc_pr_interpolated(np.arange(6001) <= 3000, scores, sample_weight=weight)
    for _ in range(300):
        a, b = 2 * y_true + rng.random((2, 330))
        lost = (rng.random(330) < 0.03) & (y_true == 1)
        b[lost] -= 2
        low, high = compare_auc_pr(y_true, a, b).confidence_interval
        covered.append(low <= 1 - area <= high)
    assert np.mean(covered) > 0.93


@pytest.mark.parametrize("label", ["positive", "negative"])
def test_comparisons_of_fewer_than_ten_samples_of_a_class_warn(label):
    y_true, a, b = two_scores(3, 60)
    for n in (9, 10):
        few = np.zeros(60, dtype=int)
        few[np.flatnonzero(y_true)[:n]] = 1
        few = few if label == "positive" else 1 - few
        text = f"Only 9 .* {label}: below 10 the t test is conservative"
        expected = pytest.warns(CoverageWarning, match=text)
        with expected if n < 10 else no_coverage_warning():
            compare_auc_pr(few, a, b)


@pytest.mark.parametrize(("n_largest", "warns"), [(1, False), (300, True)])
@pytest.mark.parametrize("name", ["interval", "comparison"])
def test_clusters_of_very_unequal_size_warn(name, n_largest, warns):
    rng = np.random.default_rng(0)
    groups = np.append(np.arange(300), np.zeros(n_largest, dtype=int))
    y_true = np.arange(len(groups)) % 2
    score = rng.normal(size=len(groups)) + y_true
    expected = pytest.warns(
        CoverageWarning, match="The clusters are of very unequal size: 15. with"
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
            match=f"Only 3 {few} positive.*fewer than 4 an interval is mostly very wide",
        )
        with context or expected:
            auc_pr_interval(y_true, np.tile(np.arange(4.0), 25), groups=groups)


@pytest.mark.parametrize(
    ("n_pos", "n_neg", "warns"), [(90, 79, True), (90, 80, False), (78, 79, False)]
)
def test_few_negatives_above_a_prevalence_of_one_half_warn(n_pos, n_neg, warns):
    y_true = np.arange(n_pos + n_neg) < n_pos
    score = np.random.default_rng(0).normal(size=len(y_true)) + y_true
    expected = pytest.warns(
        CoverageWarning, match="Only 79 negatives at a prevalence above"
    )
    with expected if warns else no_coverage_warning():
        auc_pr_interval(y_true, score)


@pytest.mark.parametrize(
    ("n_pos", "shift", "warns"), [(49, 1, True), (50, 1, False), (60, 5, True)]
)
def test_intervals_of_the_hull_warn_with_few_positives_or_near_1(n_pos, shift, warns):
    y_true = np.arange(300) < n_pos
    score = np.random.default_rng(0).normal(size=300) + shift * y_true
    options = {"metric": "achievable_auc_pr", "n_resamples": 39, "random_state": 0}
    expected = pytest.warns(CoverageWarning, match="achievable curve are too narrow")
    with expected if warns else no_coverage_warning():
        auc_pr_interval(y_true, score, **options)


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


@pytest.mark.parametrize("method", ["influence", "percentile"])
def test_an_undefined_standard_error_of_a_comparison_warns_once(method):
    with pytest.warns(UndefinedMetricWarning, match="The spread between") as caught:
        compare_auc_pr([1, 0, 0, 0], [4, 3, 2, 1], [3, 4, 2, 1], method=method)
    assert [warning.category for warning in caught] == [UndefinedMetricWarning]


def test_a_standard_error_of_many_samples_prints_no_df():
    with no_coverage_warning():
        found = auc_pr_interval(*few_that_decide(0))
    assert "degrees" not in str(found)


def test_a_comparison_that_rests_on_few_samples_warns():
    y_true, score = few_that_decide(2)
    with pytest.warns(CoverageWarning, match="samples determine the standard error"):
        compare_auc_pr(y_true, score, few_that_decide(0)[1])


def test_models_with_the_same_doubt_have_one_warning():
    y_true, score = few_that_decide(2)
    with pytest.warns(
        CoverageWarning, match="^Model 'a': About 2 of.* 1 more like"
    ) as caught:
        compare_models(y_true, {"a": score, "b": score + y_true / 100})
    assert len(caught) == 1


@pytest.mark.parametrize("metric", sorted(METRICS))
def test_ordinary_samples_give_no_coverage_warning(metric):
    rng = np.random.default_rng(0)
    y_true = rng.random(1000) < 0.1
    a, b = rng.normal(size=(2, 1000)) + 1.5 * y_true
    options = {"metric": metric, "n_resamples": 39, "random_state": 0}
    with no_coverage_warning():
        auc_pr_interval(y_true, a, **options)
        if metric in SMOOTH:
            compare_models(y_true, {"a": a, "b": b}, **options)


@pytest.mark.parametrize("method", ["influence", "percentile"])
def test_a_comparison_with_one_positive_has_no_standard_error(method):
    y_true, a, b = np.eye(30)[4], *np.random.default_rng(0).normal(size=(2, 30))
    with pytest.warns(UndefinedMetricWarning, match="all positive samples"):
        found = compare_auc_pr(y_true, a, b, method=method)
    assert np.isnan([found.standard_error, found.pvalue]).all()
    assert found.confidence_interval == (-1, 1)


def test_permutations_of_a_very_short_recall_range_are_told_apart():
    """All areas are below 1e-13; only rounding errors of these count as equal."""
    y_true = np.arange(1000) < 2
    found = auc_pr_chance_test(
        y_true, -np.arange(1000.0), recall_range=(0, 1e-13), random_state=0
    )
    assert found.pvalue == pytest.approx(0.002, abs=0.001)


def test_by_default_there_are_1999_resamples():
    y_true, a, b = two_scores(6, 40)
    found = compare_auc_pr(y_true, a, b, method="percentile", random_state=0)
    assert len(found.bootstrap_distribution) == 1999
    found = auc_pr_interval(y_true, a, method="percentile")
    assert len(found.bootstrap_distribution) == 1999


# Chance


def test_by_default_there_are_9999_permutations():
    y_true, y_score, _ = two_scores(6, 40)
    assert len(auc_pr_chance_test(y_true, y_score).null_distribution) == 9999


@pytest.mark.parametrize("method", ["permutation", "beta"])
def test_methods_that_comparisons_do_not_have_raise(method):
    with pytest.raises(ValueError, match="one of 'auto', 'influence', 'percentile'"):
        compare_auc_pr([0, 1, 0, 1], [1, 2, 3, 4], [4, 3, 2, 1], method=method)


@pytest.mark.parametrize("metric", FUNCTIONS)
@pytest.mark.parametrize(
    "y_score",
    [[4, 4, 3, 3, 3, 2, 1, 1], [7, 6, 5, 5, 4, 3, 2, 1], [8, 7, 6, 5, 4, 3, 2, 1]],
)
def test_chance_by_enumeration_on_8_samples(metric, y_score):
    y_true = [1, 1, 0, 1, 0, 0, 0, 0]
    value = FUNCTIONS[metric]
    expected = [
        value([i in positives for i in range(8)], y_score)
        for positives in itertools.combinations(range(8), 3)
    ]
    observed = value(y_true, y_score)
    found = auc_pr_chance_test(y_true, y_score, metric=metric)
    assert found.estimate == pytest.approx(observed, rel=1e-14)
    null = np.sort(found.null_distribution)
    np.testing.assert_allclose(null, np.sort(expected), rtol=1e-13, atol=1e-15)
    assert found.pvalue == np.mean(np.array(expected) >= observed - 1e-12)
    options = {"n_resamples": 50, "random_state": 0}
    drawn = auc_pr_chance_test(y_true, y_score, metric=metric, **options)
    assert {*drawn.null_distribution.round(9)} <= {*np.round(expected, 9)}


# Errors


Y, S = [0, 1, 0, 1, 1, 0], [1, 2, 3, 4, 5, 6]
VALUE_ERRORS = {
    "`metric` must be one of": {"metric": "roc_auc"},
    "`method` must be one of 'auto', 'beta'": {"method": "wald"},
    "`alternative` must be one of": {"alternative": "more"},
    "`confidence_level` must be inside": {"confidence_level": 95},
    "`n_resamples` must be at least 2": {"n_resamples": 1},
    "at least 39 for percentile limits": {"n_resamples": 38, "method": "percentile"},
    "`random_state` must be at least 0": {"random_state": -1, "method": "percentile"},
    r"`groups` must have one label for each .* Got shape \(2,\)": {"groups": [1, 2]},
    "`groups` must be .* Got 1 missing": {"groups": [1, 1, None, 2, 2, 2]},
    "`groups` must be .* no missing labels .* Got 1 missing": {
        "groups": [1, 1, np.nan, 2, 2, 2]
    },
    "`groups` must .* Combine several columns": {"groups": [[1, 2]] * 6},
    "`method` of .* `auprg` must .* 'percentile'": {"metric": "auprg", "method": "beta"},
    "`recall_range` must be a pair": {"recall_range": (1, 0)},
    "`prevalence` must be the fraction": {"prevalence": 2},
}
TYPE_ERRORS = {
    "`confidence_level` must be a real number": {"confidence_level": "95%"},
    "`n_resamples` must be an integer": {"n_resamples": 99.0},
    r"`n_resamples` must be an integer. Got .*timedelta64": {
        "n_resamples": np.timedelta64(99, "D")
    },
    "`random_state` must be an integer": {"random_state": "now", "method": "percentile"},
}


@pytest.mark.parametrize("text", [*VALUE_ERRORS, *TYPE_ERRORS])
def test_errors_name_the_argument(text):
    error = ValueError if text in VALUE_ERRORS else TypeError
    with pytest.raises(error, match=text):
        auc_pr_interval(Y, S, **(VALUE_ERRORS | TYPE_ERRORS)[text])


@pytest.mark.parametrize(
    ("metric", "option", "value"),
    [
        ("average_precision", "recall_range", (0, 0.5)),
        ("auprg", "recall_range", (0, 0.5)),
        ("normalized_average_precision", "sample_weight", [1] * 6),
    ],
)
def test_options_not_available_for_a_metric(metric, option, value):
    with pytest.raises(ValueError, match=f"`metric`='{metric}' takes no `{option}`"):
        auc_pr_interval(Y, S, metric=metric, method="percentile", **{option: value})


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("influence", "`metric` must be one of", {"metric": "auprg"}),
        ("comparison", "`n_resamples` must be at least 2", {"n_resamples": 1}),
        ("test", "`n_resamples` must be at least 2", {"n_resamples": 1}),
    ],
)
def test_errors_of_other_functions_name_the_argument(name, text, options):
    with pytest.raises(ValueError, match=text):
        INFERENCES[name](Y, S, **options)


@pytest.mark.parametrize(
    ("metric", "empirical"),
    [
        ("achievable_auc_pr", "auc_pr_interpolated"),
        ("achievable_aucnpr", "aucnpr"),
        ("auprg", "auc_pr_interpolated"),
    ],
)
@pytest.mark.parametrize("method", ["auto", "percentile"])
def test_comparisons_of_metrics_without_a_valid_test_raise(metric, empirical, method):
    how = {"metric": metric, "method": method}
    text = f"'{metric}' has no valid test .*Compare '{empirical}'.*`auc_pr_interval`"
    with pytest.raises(ValueError, match=text):
        compare_auc_pr(Y, S, S[::-1], **how)
    with pytest.raises(ValueError, match=text):
        compare_models(Y, {"a": S, "b": S[::-1]}, **how)


def test_errors_name_the_invalid_score():
    with pytest.raises(ValueError, match="`y_score_b` must be finite"):
        compare_auc_pr(Y, S, [np.nan] * 6)


@pytest.mark.parametrize(
    "labels_of",
    [
        lambda index: index - 30,
        lambda index: index.astype(np.int8),
        lambda index: index * 2**55 - 2**61,
        lambda index: index.astype(np.uint64) + np.uint64(2**63),
        lambda index: index / 3,
        lambda index: index.astype("m8[ns]"),
        lambda index: np.char.add("patient ", index.astype(str)),
        lambda index: np.array([f"patient {i}" for i in index], dtype=object),
    ],
    ids=["negative", "int8", "far apart", "uint64", "float", "times", "str", "object"],
)
def test_clusters_may_have_any_labels(labels_of):
    rng = np.random.default_rng(0)
    y_true, y_score = rng.random(300) < 0.4, rng.normal(size=300)
    index = rng.permutation(np.arange(300) % 120)
    expected = auc_pr_interval(y_true, y_score, groups=index)
    found = auc_pr_interval(y_true, y_score, groups=labels_of(index))
    # Sums over clusters in another order are rounded otherwise.
    assert found.standard_error == pytest.approx(expected.standard_error, rel=1e-13)
    assert found.n_clusters == 120


@pytest.mark.parametrize("missing", [None, np.nan, np.datetime64("NaT", "D")], ids=str)
def test_a_missing_label_of_a_cluster_is_an_error(missing):
    dtype = "M8[D]" if isinstance(missing, np.datetime64) else object
    groups = np.array([missing, *range(19)], dtype=dtype)
    with pytest.raises(ValueError, match=r"Got 1 missing labels"):
        auc_pr_interval(np.arange(20) % 2, np.arange(20), groups=groups)


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
@pytest.mark.parametrize("method", ["auto", "percentile"])
def test_equal_weights_and_clusters_of_one_sample_are_none(design, method):
    rng = np.random.default_rng(1)
    y, a, b = rng.random(120) < 0.3, rng.normal(size=120), rng.normal(size=120)
    kept = design.get("sample_weight", np.ones(120)) > 0
    options = {"method": method, "random_state": 0, "n_resamples": 49}
    found = auc_pr_interval(y, y + a, **design, **options)
    expected = auc_pr_interval(y[kept], (y + a)[kept], **options)
    assert found.confidence_interval == expected.confidence_interval
    assert found.standard_error == expected.standard_error
    found = compare_auc_pr(y, y + a, y + b, **design, **options)
    expected = compare_auc_pr(y[kept], (y + a)[kept], (y + b)[kept], **options)
    assert found.confidence_interval == expected.confidence_interval
    assert found.pvalue == expected.pvalue
