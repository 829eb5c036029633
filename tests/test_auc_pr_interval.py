"""`auc_pr_interval`: standard errors, degrees of freedom and limits, by their formulas."""

import warnings

import numpy as np
import pytest
import slow_twins as twins
from inference import (
    S,
    Y,
    compare_two,
    derivatives,
    every_metric,
    influence_by_differences,
    no_coverage_warning,
    weighted_classes,
)
from scipy import stats
from situations import FUNCTIONS, SITUATIONS, random_problem
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import roc_auc_score

import sklearn_achievable_pr as apr
from sklearn_achievable_pr import (
    auc_pr_influence,
    auc_pr_interpolated,
    auc_pr_interval,
    aucnpr,
)

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")


def test_a_perfect_ranking_has_the_same_interval_by_every_smooth_metric():
    y_true = np.arange(100) < 12
    area, normalized = (
        auc_pr_interval(y_true, y_true / 2, metric=metric).confidence_interval
        for metric in ("auc_pr_interpolated", "normalized_average_precision")
    )
    assert area.low < 1
    assert normalized == area


# Standard errors


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
        other_way = compare_two(
            y_true, y_score, (np.arange(60) > 0) / 2, sample_weight=scale * weight
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
    "list_of_str": [f"p{i // 4}" for i in range(40)],
    "datetime": np.datetime64("2020-01-01") + np.arange(40) // 4,
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
    assert found.confidence_interval.low == pytest.approx(
        stats.beta.ppf(0.05, x, n - x + 1)
    )
    assert found.confidence_interval.high == pytest.approx(
        stats.beta.ppf(0.95, x + 1, n - x)
    )


@pytest.mark.parametrize("metric", ["auc_pr_interpolated", "achievable_auc_pr"])
def test_one_sided_intervals_are_halves_of_wider_ones(metric):
    y_true, y_score, _ = random_problem(5, 150)

    def limits(**options):
        found = auc_pr_interval(y_true, y_score, metric=metric, **options)
        return found.confidence_interval

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


@pytest.mark.parametrize(
    "metric",
    ["auc_pr_interpolated", "achievable_aucnpr", "aucnpr", "average_precision"],
)
def test_a_perfect_ranking_has_the_interval_of_a_proportion_of_1(metric):
    y_true, y_score = [1] * 10 + [0] * 40, np.arange(50, 0, -1)
    found = auc_pr_interval(y_true, y_score, metric=metric)
    assert found.estimate == 1
    assert found.confidence_interval == pytest.approx((limit_of_perfect(10), 1), rel=1e-9)


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


@pytest.mark.parametrize(
    ("n", "recall_range"), [(10, (0, 1)), (100, (0, 1)), (100, (0.5, 1))]
)
def test_an_interval_does_not_jump_where_a_ranking_becomes_perfect(n, recall_range):
    """With one negative above the last positive the lower limit is lower, not higher."""
    y_true = np.array([1] * n + [0] * 10 * n)
    perfect = np.arange(11 * n, 0, -1.0)
    nearly = perfect.copy()
    nearly[n - 1] -= 1.5
    limits = [
        auc_pr_interval(y_true, score, recall_range=recall_range).confidence_interval
        for score in (perfect, nearly)
    ]
    assert limits[0].low - 2 / n < limits[1].low < limits[0].low


@pytest.mark.filterwarnings("ignore:.*The scores rank negatives")
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


@pytest.mark.filterwarnings("ignore:.*All samples have one score")
def test_tied_scores_have_nearly_the_interval_of_a_proportion():
    """The area is the prevalence: the interval is nearly that of a proportion."""
    y_true = np.arange(100) < 20
    found = auc_pr_interval(y_true, np.zeros(100))
    # Positives change the prevalence by .8/100 each, negatives by .2/100.
    expected = np.sqrt(20 / 19 * 20 * 0.008**2 + 80 / 79 * 80 * 0.002**2)
    assert found.standard_error == pytest.approx(expected, rel=1e-12)
    clopper_pearson = stats.binomtest(20, 100).proportion_ci()
    np.testing.assert_allclose(found.confidence_interval, clopper_pearson, atol=0.015)


@pytest.mark.parametrize("situation", ["one_positive", "one_negative", "two_rows"])
def test_one_sample_of_a_class_has_no_standard_error(situation):
    y_true, y_score, _ = SITUATIONS[situation]
    with pytest.warns(UndefinedMetricWarning, match="one sample") as caught:
        found = auc_pr_interval(y_true, y_score)
    assert caught[0].filename == __file__
    assert np.isnan(found.standard_error)
    assert found.confidence_interval == (0, 1)
    assert found.estimate == auc_pr_interpolated(y_true, y_score)


def test_one_cluster_of_a_class_has_no_standard_error():
    y_true = np.arange(60) < 3
    with pytest.warns(
        UndefinedMetricWarning, match="or all their weight, are in one cluster"
    ):
        auc_pr_interval(y_true, np.arange(60) % 7, groups=np.arange(60) // 3)


@pytest.mark.filterwarnings("ignore:.*All samples have one score")
@pytest.mark.parametrize(
    ("situation", "metric"),
    [
        ("constant_score", "achievable_auc_pr"),
        ("one_positive", "normalized_average_precision"),
        ("denormal_weight", "aucnpr"),
        ("huge_weights", "average_precision"),
    ],
)
def test_extreme_samples_have_an_interval(situation, metric):
    y_true, y_score, weight = SITUATIONS[situation]
    with warnings.catch_warnings():
        if min(np.bincount(y_true)) < 2 or "denormal" in situation:
            warnings.simplefilter("ignore", UndefinedMetricWarning)
        found = auc_pr_interval(y_true, y_score, sample_weight=weight, metric=metric)
    low, high = found.confidence_interval
    assert 0 <= low <= found.estimate <= high <= 1
    options = {} if weight is None else {"sample_weight": weight}
    value = FUNCTIONS[metric](y_true, y_score, **options)
    assert found.estimate == pytest.approx(value, rel=1e-14, abs=1e-16)


# Achievable areas


DESIGNS = {
    "clusters": {"groups": np.arange(300) // 3},
    "weights": {"sample_weight": np.linspace(1, 2, 300)},
    "prevalence": {"prevalence": 0.15},
    "recall range": {"recall_range": (0.2, 0.9)},
}


@pytest.mark.parametrize(
    ("achievable", "empirical", "design"),
    [
        ("achievable_auc_pr", "auc_pr_interpolated", "clusters"),
        ("achievable_auc_pr", "auc_pr_interpolated", "recall range"),
        ("achievable_aucnpr", "aucnpr", "weights"),
        ("achievable_aucnpr", "aucnpr", "prevalence"),
    ],
)
def test_the_interval_of_an_achievable_area_contains_that_of_the_empirical_one(
    achievable, empirical, design
):
    y_true, y_score, _ = random_problem(3, 300)
    with no_coverage_warning():
        hull, curve = (
            auc_pr_interval(y_true, y_score, metric=metric, **DESIGNS[design])
            for metric in (achievable, empirical)
        )
    (low, high), (empirical_low, empirical_high) = (
        found.confidence_interval for found in (hull, curve)
    )
    assert low == empirical_low
    assert low <= curve.estimate < hull.estimate <= high
    assert high >= empirical_high
    assert (hull.standard_error, hull.df) == (curve.standard_error, curve.df)


def test_the_upper_limit_of_an_achievable_area_is_the_beta_limit_at_its_value():
    y_true, y_score, _ = random_problem(3, 300)
    found = auc_pr_interval(y_true, y_score, metric="achievable_auc_pr")
    _, high = twins.beta_limits(
        found.estimate, found.standard_error, found.df, min(np.bincount(y_true))
    )
    assert found.confidence_interval.high == pytest.approx(high, rel=1e-9)


def test_auprg_has_no_interval_and_the_error_names_metrics_that_have_one():
    text = '`metric`=\'auprg\' has no valid interval.* Choose "aucnpr" or "auc_pr_interp'
    with pytest.raises(ValueError, match=text):
        auc_pr_interval(Y, S, metric="auprg")


# Weights at a reference prevalence


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


# Errors


VALUE_ERRORS = {
    "`metric` must be one of": {"metric": "roc_auc"},
    "`alternative` must be one of": {"alternative": "more"},
    r"`groups` must have one label for each .* Got shape \(2,\)": {"groups": [1, 2]},
    "`groups` must .* Combine several columns": {"groups": [[1, 2]] * 6},
}


@pytest.mark.parametrize("text", VALUE_ERRORS)
def test_errors_name_the_argument(text):
    with pytest.raises(ValueError, match=text):
        auc_pr_interval(Y, S, **VALUE_ERRORS[text])


@pytest.mark.parametrize(
    ("metric", "option", "value"),
    [
        ("average_precision", "recall_range", (0, 0.5)),
        ("normalized_average_precision", "sample_weight", [1, 2] * 3),
    ],
)
def test_options_not_available_for_a_metric(metric, option, value):
    with pytest.raises(ValueError, match=f"`metric`='{metric}' takes no `{option}`"):
        auc_pr_interval(Y, S, metric=metric, **{option: value})


# Labels of clusters


@pytest.mark.parametrize(
    "labels_of",
    [
        lambda index: index.astype(np.int8) - 30,
        lambda index: index.astype(np.uint64) + np.uint64(2**63),
        lambda index: index / 3,
        lambda index: np.array([f"patient {i}" for i in index], dtype=object),
    ],
    ids=["negative", "uint64", "float", "object"],
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


# Scores that look wrong


NO_RANKING = "^All samples have one score"
REVERSED = "^The scores rank negatives above positives"


@pytest.mark.parametrize(
    "metric", ["auc_pr_interpolated", "aucnpr", "average_precision", "achievable_auc_pr"]
)
def test_a_constant_score_warns_once(metric):
    with pytest.warns(UserWarning, match=NO_RANKING) as caught:
        auc_pr_interval(np.arange(60) % 3 == 0, np.full(60, 0.4), metric=metric)
    about_score = [w for w in caught if not issubclass(w.category, apr.CoverageWarning)]
    assert len(about_score) == 1


@pytest.mark.parametrize("function", [auc_pr_interpolated, apr.auprg_score])
def test_a_metric_of_a_constant_score_does_not_warn(function):
    function(np.arange(60) % 3 == 0, np.full(60, 0.4))


def test_a_scorer_of_a_dummy_does_not_warn():
    y, X = np.arange(60) % 3, np.zeros((60, 1))
    dummy = DummyClassifier().fit(X, y > 1)
    assert apr.auc_pr_interpolated_scorer(dummy, X, y > 1) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("n_pos", "n_neg", "metric"),
    [
        (8, 12, "auc_pr_interpolated"),
        (8, 12, "achievable_aucnpr"),
        (5, 500, "average_precision"),
        (5, 500, "normalized_average_precision"),
    ],
)
def test_the_worst_ranking_warns_once(n_pos, n_neg, metric):
    y_true = np.arange(n_pos + n_neg) < n_pos
    with pytest.warns(UserWarning, match=REVERSED) as caught:
        auc_pr_interval(y_true, np.arange(len(y_true)), metric=metric)
    about_score = [w for w in caught if not issubclass(w.category, apr.CoverageWarning)]
    assert len(about_score) == 1


REVERSED_OF = {
    "weights": {"sample_weight": np.linspace(1, 3, 300)},
    "clusters": {"groups": np.arange(300) // 3},
    "a prevalence": {"prevalence": 0.1},
    "a range": {"recall_range": (0.2, 1)},
}


@pytest.mark.parametrize("design", REVERSED_OF)
def test_a_reversed_score_warns_in_every_design(design):
    y_true, y_score, _ = random_problem(3, 300)
    with pytest.warns(UserWarning, match=REVERSED):
        auc_pr_interval(y_true, -y_score, **REVERSED_OF[design])


def test_copies_in_clusters_do_not_make_a_score_reversed():
    """Alone, these 5 and 6 samples are too few to say so."""
    y_true, y_score = np.arange(11) < 5, np.arange(11)
    copies = [np.repeat(values, 30) for values in (y_true, y_score, np.arange(11))]
    with pytest.warns(UserWarning, match=REVERSED):
        auc_pr_interval(*copies[:2])
    auc_pr_interval(*copies[:2], groups=copies[2])


def useful_at_the_top():
    """A fifth of 40 positives above 360 negatives, and the others below the middle."""
    rng = np.random.default_rng(0)
    y_true = np.arange(400) < 40
    score = rng.random(400)
    score[:8] += 1
    score[8:40] *= 0.65
    return y_true, score


@pytest.mark.parametrize("metric", ["auc_pr_interpolated", "aucnpr", "average_precision"])
def test_a_score_that_is_useful_at_the_top_only_does_not_warn(metric):
    y_true, score = useful_at_the_top()
    assert roc_auc_score(y_true, score) < 0.47
    auc_pr_interval(y_true, score, metric=metric)


@pytest.mark.parametrize(
    ("metric", "unit"),
    [("auc_pr_interpolated", 0.3), ("average_precision", 1), ("achievable_auc_pr", 7)],
)
def test_equal_weights_give_the_result_without_weights(metric, unit):
    y_true, y_score, _ = random_problem(4, 70, n_levels=12)
    weight = np.full(70, unit)
    weighted = auc_pr_interval(y_true, y_score, sample_weight=weight, metric=metric)
    expected = auc_pr_interval(y_true, y_score, metric=metric)
    assert str(weighted) == str(expected)
    assert weighted == expected
