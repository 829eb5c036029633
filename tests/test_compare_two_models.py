"""`compare_models`: test and limits of a difference of areas, by hand and in simulation."""

import numpy as np
import pytest
import slow_twins as twins
from inference import (
    SMOOTH,
    VALUES,
    S,
    Y,
    compare_two,
    every_metric,
    influence_by_differences,
    two_scores,
)
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_achievable_pr import (
    auc_pr_influence,
    auc_pr_interpolated,
    compare_models,
)

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")


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
    error, df = twins.with_unseen(moves, error, df, min(counts), lost)
    found = compare_two(y_true, a, b, metric=metric)
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
        one_sided = compare_two(y_true, a, b, metric=metric, alternative=alternative)
        assert one_sided.pvalue == pytest.approx(tail(found.statistic, df), rel=1e-9)
    assert one_sided.confidence_interval.low == -1


def test_comparison_is_antisymmetric():
    y_true, a, b = two_scores(1, 100)
    forth, back = compare_two(y_true, a, b), compare_two(y_true, b, a)
    assert back.difference == -forth.difference
    assert back.pvalue == pytest.approx(forth.pvalue, rel=1e-9)
    np.testing.assert_allclose(
        back.confidence_interval, [-limit for limit in forth.confidence_interval[::-1]]
    )


@pytest.mark.filterwarnings("ignore:.*The scores rank negatives")
def test_the_best_and_the_worst_ranking_differ_by_less_than_1_in_the_population():
    """No sample has an influence on the difference, whose limits are of unseen samples."""
    y_true, score = np.arange(40) < 20, np.arange(40)
    found = compare_two(y_true, -score, score, metric="aucnpr")
    low, high = found.confidence_interval
    reach = stats.t.ppf(0.975, 19) * np.sqrt(2) / 22
    assert low == pytest.approx(1 - reach, abs=1e-3)
    assert high == 1
    assert found.pvalue <= 0.001


# Scores that rank the samples alike


def assert_alike(found, n, loss=1.0):
    """Assert the interval of one unseen discordant sample of each score, by hand.

    n is the effective size of the smaller class, and `loss` how much a perfect ranking
    loses in the recall range if all its positives are last.
    """
    reach = stats.t.ppf(0.975, n - 1) * np.sqrt(2) * loss / (n + 2)
    assert found.difference == found.statistic == 0
    assert found.pvalue == 1
    assert found.confidence_interval == pytest.approx((-reach, reach), rel=1e-9)


@pytest.mark.parametrize("metric", SMOOTH)
def test_scores_that_rank_alike_may_differ_in_the_population(metric):
    y_true, a, _ = two_scores(2, 100)
    assert_alike(compare_two(y_true, a, 3 * a + 1, metric=metric), y_true.sum())


@pytest.mark.parametrize(
    ("recall_range", "loss"), [((0, 0.5), 0.5), ((0.5, 1), 1), ((0.2, 0.9), 0.7)]
)
def test_scores_that_rank_alike_in_a_recall_range(recall_range, loss):
    y_true, a, _ = two_scores(2, 200)
    found = compare_two(y_true, a, 3 * a + 1, recall_range=recall_range)
    assert_alike(found, y_true.sum(), loss)


def test_scores_that_rank_alike_with_clusters_of_unequal_size():
    y_true, a, _ = two_scores(2, 200)
    groups = np.arange(200) % 60 // 2
    found = compare_two(y_true, a, 3 * a + 1, groups=groups)
    assert_alike(found, min(twins.kish(np.bincount(groups, y_true == c)) for c in (0, 1)))


def test_scores_that_rank_alike_with_weights():
    y_true, a, _ = two_scores(2, 200)
    weight = np.random.default_rng(0).uniform(0.2, 2, 200)
    found = compare_two(y_true, a, 3 * a + 1, sample_weight=weight)
    assert_alike(found, min(twins.kish(weight[y_true == c]) for c in (0, 1)))


# Comparisons that rest on few samples


def two_perfect_scores(n_pos, n_neg, n_lost=0, seed=0):
    """Labels, a perfect score, and another one that loses some of the positives."""
    rng = np.random.default_rng(seed)
    y_true = np.repeat([1, 0], [n_pos, n_neg])
    a, b = 10 * y_true + rng.normal(size=(2, n_pos + n_neg))
    b[:n_lost] -= 10
    return y_true, a, b


@pytest.mark.parametrize("metric", SMOOTH)
def test_two_perfect_rankings_may_differ_in_the_population(metric):
    y_true, a, b = two_perfect_scores(10, 1000)
    found = compare_two(y_true, a, b, metric=metric)
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
    error, df = twins.with_unseen(*seen, 10, 10 * (1 - area))
    found = compare_two(y_true, a, b)
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    assert found.standard_error > 1.1 * seen[1]
    assert found.df == pytest.approx(df, rel=1e-9)
    assert found.pvalue == pytest.approx(2 * stats.t.sf((1 - area) / error, df), rel=1e-9)


@pytest.mark.parametrize(
    ("recall_range", "loss"),
    [((0, 0.5), 0.5), ((0.5, 1), 1), ((0.8, 1), 1), ((0, 1), 1)],
)
def test_a_lost_positive_is_lost_at_the_end_of_a_recall_range(recall_range, loss):
    y_true, a, b = two_perfect_scores(30, 300)
    found = compare_two(y_true, a, b, recall_range=recall_range)
    assert found.standard_error == pytest.approx(loss * np.sqrt(2) / 32, rel=1e-9)


@pytest.mark.parametrize("n_lost", [0, 1, 2])
def test_intervals_of_few_samples_are_nested_and_agree_with_the_pvalue(n_lost):
    y_true, a, b = two_perfect_scores(20, 200, n_lost)
    lows = []
    for level in (0.5, 0.8, 0.9, 0.95, 0.99):
        found = compare_two(y_true, a, b, confidence_level=level)
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
        low, high = compare_two(y_true, a, b).confidence_interval
        covered.append(low <= 1 - area <= high)
    assert np.mean(covered) > 0.93


def test_an_undefined_standard_error_of_a_comparison_warns_once():
    with pytest.warns(UndefinedMetricWarning, match="The spread between") as caught:
        compare_two([1, 0, 0, 0], [4, 3, 2, 1], [3, 4, 2, 1])
    assert [warning.category for warning in caught] == [UndefinedMetricWarning]


def test_a_comparison_with_one_positive_has_no_standard_error():
    y_true, a, b = np.eye(30)[4], *np.random.default_rng(0).normal(size=(2, 30))
    with pytest.warns(UndefinedMetricWarning, match="in one sample"):
        found = compare_two(y_true, a, b)
    assert np.isnan([found.standard_error, found.pvalue]).all()
    assert found.confidence_interval == (-1, 1)


# Errors


@pytest.mark.parametrize(
    ("metric", "empirical"),
    [
        ("achievable_auc_pr", "auc_pr_interpolated"),
        ("achievable_aucnpr", "aucnpr"),
        ("auprg", "auc_pr_interpolated"),
    ],
)
def test_comparisons_of_metrics_without_a_valid_test_raise(metric, empirical):
    text = f"'{metric}' has no valid test .*Compare '{empirical}'"
    with pytest.raises(ValueError, match=text):
        compare_models(Y, {"a": S, "b": S[::-1]}, metric=metric)


@pytest.mark.parametrize(
    ("score", "error"),
    [(0.5, ValueError), (np.array(0.5), ValueError), ("scores", TypeError)],
    ids=["", "0-d", "text"],
)
def test_one_number_or_text_as_scores_names_the_argument(score, error):
    with pytest.raises(error, match=r"`y_scores\['a'\]` must be "):
        compare_two([0, 1, 1], score, [1, 2, 3])


def test_equal_weights_give_the_test_without_weights():
    y_true, a, b = two_scores(0, 60)
    weighted = compare_two(y_true, a, b, sample_weight=np.full(60, 0.3))
    assert weighted == compare_two(y_true, a, b)
