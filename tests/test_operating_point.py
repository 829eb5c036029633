"""`operating_point_interval`: estimates, independently computed limits, errors."""

from itertools import product

import numpy as np
import pytest
from scipy.special import xlogy
from scipy.stats import binomtest
from sklearn.exceptions import UndefinedMetricWarning

import sklearn_achievable_pr as apr
from sklearn_achievable_pr._input.arrays import kish_sample_size
from sklearn_achievable_pr._input.labels import check_binary
from sklearn_achievable_pr._roc.counting import every_threshold
from sklearn_achievable_pr.uncertainty._limits import beta_limits
from sklearn_achievable_pr.uncertainty._standard_error import (
    Sample,
    influence_values_of,
    standard_error_and_df,
)

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")

RNG = np.random.default_rng(5)
N = 600
Y = RNG.random(N) < 0.3
UNTIED = RNG.normal(size=N) + 1.2 * Y
SCORES = {"untied": UNTIED, "tied": np.round(UNTIED, 1), "ordinal": np.round(UNTIED)}
WEIGHT = RNG.uniform(0.3, 3, N)
every_score = pytest.mark.parametrize("score", SCORES)
every_point = pytest.mark.parametrize(
    "point", [{"recall": 0.5}, {"precision": 0.5}, {"k": 0.15}, {"threshold": 1.0}], ids=str
)
every_weight = pytest.mark.parametrize("weight", [None, WEIGHT], ids=["", "weighted"])

SAME = [
    (apr.precision_at_recall, {"recall": 0.37}, {}),
    (apr.recall_at_precision, {"precision": 0.6}, {}),
    (apr.precision_at_k, {"k": 0.21}, {}),
    (apr.precision_at_k, {"k": 60}, {"metric": "precision"}),
    (apr.recall_at_k, {"k": 60}, {"metric": "recall"}),
]


@every_weight
@every_score
@pytest.mark.parametrize(("function", "point", "metric"), SAME)
def test_the_estimate_is_the_public_value(function, point, metric, score, weight):
    options = {"sample_weight": weight, **point}
    found = apr.operating_point_interval(Y, SCORES[score], **options, **metric)
    # Weights at k are added in another order.
    assert found.estimate == pytest.approx(function(Y, SCORES[score], **options), rel=1e-14)


@every_weight
@every_score
@every_point
def test_the_interval_contains_the_estimate(point, score, weight):
    found = apr.operating_point_interval(Y, SCORES[score], sample_weight=weight, **point)
    low, high = found.confidence_interval
    assert 0 <= low < found.estimate < high <= 1


def likelihood_ratio(t, f, n_pos, n_neg, recall, precision):
    """2 log of the likelihood ratio of the four cells, at each point of a curve."""
    n = n_pos + n_neg
    share = (n_pos + f) / (n * (1 + recall * (1 - precision) / precision))
    false = share * recall * (1 - precision) / precision
    cells = share * recall, share * (1 - recall), false, 1 - share - false
    counts = t, n_pos - t, f, n_neg - f
    return 2 * sum(
        xlogy(c, c / n) - xlogy(c, p) for c, p in zip(counts, cells, strict=True)
    )


@pytest.mark.parametrize(
    ("where", "value"), [*product(["recall"], [0.3, 0.6, 0.9]), ("precision", 0.6)]
)
@every_score
def test_the_likelihood_ratio_at_the_limits_is_the_quantile(score, where, value):
    score = SCORES[score]
    values = np.unique(score)[::-1]
    counts = [[0, *(np.sum(score[c] >= v) for v in values)] for c in (Y, ~Y)]
    at = np.linspace(0, len(values), 4000 * len(values) + 1)
    t, f = (np.interp(at, np.arange(len(values) + 1), c) for c in counts)
    found = apr.operating_point_interval(Y, score, **{where: value})
    for limit in found.confidence_interval:
        point = (value, limit) if where == "recall" else (limit, value)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = likelihood_ratio(t, f, np.sum(Y), np.sum(~Y), *point)
        assert np.nanmin(ratio) == pytest.approx(3.8414588, rel=2e-3)


def last_crossing(y, score, precision, n_points):
    """The limits by their definition, on grids of recalls and of points of the curve."""
    order = np.argsort(-score)
    t, f = (np.append(0, np.cumsum(y[order] == c)) for c in (True, False))
    at = np.linspace(0, len(y), 8 * len(y) + 1)
    points = [np.interp(at, np.arange(len(y) + 1), c) for c in (t, f)]
    recall = np.linspace(0, 1, n_points)[1:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        is_outside = np.array([
            np.nanmin(likelihood_ratio(*points, t[-1], f[-1], r, precision)) > 3.8414588
            for r in recall
        ])  # fmt: skip
    tps = recall * t[-1]
    is_above = tps > precision * (tps + np.interp(tps, t, f))
    possible = recall[~is_outside | is_above]
    return max(recall[is_outside & is_above], default=0.0), possible[-1]


@pytest.mark.parametrize("seed", [6, 7, 10])
def test_limits_at_a_precision_are_those_of_the_last_crossing(seed):
    """The curve rises to a precision of 0.77 at recall 0.8, then falls."""
    rng = np.random.default_rng(seed)
    y = rng.random(N) < 0.5
    score = np.where(y, 1 + 0.4 * rng.normal(size=N), rng.normal(size=N))
    found = apr.operating_point_interval(y, score, precision=0.73).confidence_interval
    expected = last_crossing(y, score, 0.73, 1301)
    np.testing.assert_allclose(found, expected, atol=1 / 1300)


@pytest.mark.parametrize("sign", [1, -1], ids=["good", "bad"])
@pytest.mark.parametrize("metric", ["precision", "recall"])
def test_limits_at_k_in_a_tie_of_weights_follow_from_differences(metric, sign):
    """The influence of each sample is the difference quotient of the metric."""
    score, k, step, weight = sign * SCORES["ordinal"], 0.31, 1e-6, WEIGHT
    function = {"precision": apr.precision_at_k, "recall": apr.recall_at_k}[metric]
    values = []
    for i in range(N):
        moved = weight + step * (np.arange(N) == i), weight - step * (np.arange(N) == i)
        high, low = (function(Y, score, k=k, sample_weight=w) for w in moved)
        values.append((high - low) / (2 * step))
    above = np.cumsum(weight[np.argsort(-score, kind="stable")])
    cut = np.sort(score)[::-1][np.searchsorted(above, k * weight.sum())]
    share = k * weight.sum() - weight[score > cut].sum()
    share /= weight[score == cut].sum()
    counted = Y if metric == "recall" else np.where(score == cut, share, score > cut)
    n_effective = kish_sample_size(weight * counted)
    data = check_binary(Y, score, None, weight)
    sample = Sample(None, data, every_threshold(data))
    influence = influence_values_of(sample, np.array(values))
    value = function(Y, score, k=k, sample_weight=weight)
    n_smaller = min(sample.min_effective_class_size, n_effective)
    error, df = standard_error_and_df([influence], value, n_smaller)
    expected = beta_limits(value, error, df, n_effective, 0.025)
    found = apr.operating_point_interval(Y, score, k=k, metric=metric, sample_weight=weight)
    np.testing.assert_allclose(found.confidence_interval, expected, rtol=1e-7)


def test_limits_at_k_follow_from_the_variance_of_the_top_fraction():
    """n Var = p (1 - p) / q + (1 - q) / q (p - p_c)^2, p_c the slope of the hull at k."""
    k = 100
    fpr, tpr, _ = apr.roc_convex_hull(Y, UNTIED)
    tps = tpr * np.sum(Y)
    predicted = tps + fpr * np.sum(~Y)
    end = np.searchsorted(predicted, k)
    assert predicted[end - 1] < k < predicted[end]
    p_c = (tps[end] - tps[end - 1]) / (predicted[end] - predicted[end - 1])
    p, q = apr.precision_at_k(Y, UNTIED, k=k), k / N
    above = np.sort(UNTIED)[-k] <= UNTIED
    influence = ((Y - p_c) * above + p_c * q - p * q) / k
    variance = p * (1 - p) / q + (1 - q) / q * (p - p_c) ** 2
    assert N * np.sum(influence**2) == pytest.approx(variance, rel=1e-12)
    data = check_binary(Y, UNTIED, None, None)
    sample = Sample(None, data, every_threshold(data))
    values = influence_values_of(sample, influence)
    n_smaller = sample.min_effective_class_size
    error, df = standard_error_and_df([values], p, n_smaller)
    expected = beta_limits(p, error, df, k, 0.025)
    found = apr.operating_point_interval(Y, UNTIED, k=k)
    np.testing.assert_allclose(found.confidence_interval, expected, rtol=1e-9)


def test_all_k_positive_has_nearly_the_exact_limit():
    y = np.arange(1000) < 300
    found = apr.operating_point_interval(y, -np.arange(1000.0), k=50)
    low, high = found.confidence_interval
    assert (found.estimate, high) == (1.0, 1.0)
    assert low == pytest.approx(binomtest(50, 50).proportion_ci().low, abs=2e-3)


@every_point
@pytest.mark.parametrize("side", ["less", "greater"])
def test_a_one_sided_limit_is_that_of_two_sides_at_twice_the_tail(side, point):
    one = apr.operating_point_interval(Y, UNTIED, alternative=side, **point)
    two = apr.operating_point_interval(Y, UNTIED, confidence_level=0.9, **point)
    expected = {
        "less": (0.0, two.confidence_interval.high),
        "greater": (two.confidence_interval.low, 1.0),
    }
    assert one.confidence_interval == pytest.approx(expected[side], rel=1e-9)


@every_point
def test_copies_of_samples_in_one_cluster_count_once(point):
    twice = [np.repeat(values, 2) for values in (Y, UNTIED, np.arange(N))]
    copies = apr.operating_point_interval(*twice[:2], groups=twice[2], **point)
    alone = apr.operating_point_interval(Y, UNTIED, **point)
    width, expected = (np.diff(r.confidence_interval)[0] for r in (copies, alone))
    assert width == pytest.approx(expected, rel=0.06)


@pytest.mark.parametrize(
    ("point", "expected"),
    [
        ({"threshold": 0.5}, (0.5, 3)),
        ({"k": 2}, (0.7, 2)),
        ({"recall": 0.9}, (0.5, 2.7)),
        ({"precision": 0.7}, (0.5, 3)),
    ],
    ids=str,
)
def test_threshold_and_number_predicted_positive(point, expected):
    y, score = [1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.5, 0.4, 0.3, 0.1]
    found = apr.operating_point_interval(y, score, **point)
    assert (found.threshold, found.n_predicted) == pytest.approx(expected)


def test_a_precision_that_is_not_reached():
    found = apr.operating_point_interval([0, 1, 0, 1], [4, 3, 2, 1], precision=0.9)
    assert (found.estimate, found.threshold, found.n_predicted) == (0.0, np.inf, 0.0)
    assert found.confidence_interval.low == 0


def test_results_describe_the_metric_and_the_samples():
    found = apr.operating_point_interval(Y, UNTIED, recall=0.5, groups=np.arange(N) // 2)
    assert (found.metric, found.method, found.point) == (
        "precision", "likelihood", "recall = 0.5"
    )  # fmt: skip
    assert (found.n_samples, found.n_positive, found.n_clusters) == (N, Y.sum(), N // 2)


@pytest.mark.parametrize("metric", ["recall", "specificity"])
def test_rates_of_one_class_at_a_threshold_do_not_depend_on_the_prevalence(metric):
    options = {"threshold": 1.0, "metric": metric}
    found = apr.operating_point_interval(Y, UNTIED, prevalence=0.01, **options)
    assert found == apr.operating_point_interval(Y, UNTIED, **options)


def heavy(prevalence):
    """Weights that give the samples this prevalence."""
    return np.where(Y, 1.0, (1 - prevalence) / prevalence * Y.sum() / (~Y).sum())


@every_score
def test_the_unit_of_weights_does_not_matter_at_k(score):
    rates = [
        apr.operating_point_interval(Y, SCORES[score], k=0.15, sample_weight=unit * WEIGHT)
        for unit in (1, 1000)
    ]
    np.testing.assert_allclose(*(r.confidence_interval for r in rates), rtol=1e-9)


@pytest.mark.parametrize(("metric", "odds"), [("precision", 4), ("npv", 1 / 4)])
def test_a_class_that_is_not_counted_may_have_another_weight(metric, odds):
    """The limit of the share of the other class, by Bayes' theorem."""
    y, score = np.arange(200) < 100, np.where(np.arange(200) < 100, 5.0, 0.0)
    found = apr.operating_point_interval(
        y, score, metric=metric, threshold=1, prevalence=0.2
    ).confidence_interval
    share = apr.auc_pr_interval(y, score).confidence_interval.low
    assert found.high == 1
    assert found.low == pytest.approx(share / (share + odds * (1 - share)))


@pytest.mark.parametrize("prevalence", [0.2, 0.9])
@pytest.mark.parametrize("is_right", [True, False])
def test_f1_of_0_or_1_where_false_samples_may_be_of_either_class(prevalence, is_right):
    """No limit is nearer than with equal weights."""
    y = np.arange(200) < 100
    equal, other = (
        apr.threshold_table(y, (y == is_right) * 1.0, thresholds=[1], prevalence=p)
        for p in (0.5, prevalence)
    )
    assert other.f1 == equal.f1 == is_right
    assert other.f1_low <= equal.f1_low
    assert other.f1_high >= equal.f1_high


def test_samples_of_a_tie_at_k_count_by_their_share():
    plain = apr.operating_point_interval(Y, Y / 2, k=5)
    weighted = apr.operating_point_interval(Y, Y / 2, k=5, sample_weight=np.ones(N))
    assert plain.confidence_interval == pytest.approx(weighted.confidence_interval)


@every_point
@every_weight
@every_score
def test_a_prevalence_is_the_same_as_weights(point, weight, score):
    score, own = SCORES[score], 1.0 if weight is None else weight
    odds = np.sum((own * Y)[Y]) / np.sum((own * ~Y)[~Y])
    both = own * np.where(Y, 1.0, 9 * odds)
    found = apr.operating_point_interval(
        Y, score, prevalence=0.1, sample_weight=weight, **point
    )
    same = apr.operating_point_interval(Y, score, sample_weight=both, **point)
    assert found.estimate == pytest.approx(same.estimate, rel=1e-9)
    assert found.n_predicted == pytest.approx(same.n_predicted, rel=1e-9)
    assert found.threshold == same.threshold
    np.testing.assert_allclose(
        found.confidence_interval, same.confidence_interval, rtol=1e-7
    )


@pytest.mark.parametrize("point", [{"recall": 0.5}, {"k": 0.1}], ids=str)
def test_limits_at_an_extreme_prevalence_are_finite(point):
    with pytest.warns(apr.CoverageWarning, match="a negative weighs"):
        found = apr.operating_point_interval(Y, UNTIED, prevalence=1e-120, **point)
    assert np.isfinite(found.confidence_interval).all()


HEAVY = {"prevalence": 0.04, "sample_weight": heavy(0.04)}


@pytest.mark.parametrize("point", [{"recall": 0.5}, {"k": 0.1}, {"threshold": 1}], ids=str)
@pytest.mark.parametrize("name", HEAVY)
def test_heavy_negatives_give_a_warning(name, point):
    with pytest.warns(
        apr.CoverageWarning, match=f"`{name}`.* a negative weighs 11 positives"
    ):
        apr.operating_point_interval(Y, UNTIED, **{name: HEAVY[name]}, **point)


def test_heavy_negatives_do_not_matter_for_recall_at_a_threshold():
    options = {"threshold": 1.0, "metric": "recall", "sample_weight": heavy(0.01)}
    assert apr.operating_point_interval(Y, UNTIED, **options).estimate > 0


BAD = {
    "none": ({}, ValueError, "exactly one of `threshold`.* Got none"),
    "two": ({"k": 3, "recall": 0.5}, ValueError, "exactly one of .* Got recall, k"),
    "recall 0": ({"recall": 0}, ValueError, r"`recall` must be inside \(0, 1\)"),
    "precision 1": ({"precision": 1}, ValueError, r"`precision` must be inside \(0, 1\)"),
    "threshold": ({"threshold": np.nan}, ValueError, "`threshold` must be one number"),
    "text": ({"recall": "0.5"}, TypeError, "`recall` must be a real number"),
    "tiny k": ({"k": 1e-300}, ValueError, "`k` must be .* from 1e-100 to 1"),
    "k too large": ({"k": N + 1}, ValueError, "`k` must not exceed"),
    "several k": ({"k": [1, 2]}, ValueError, "`k` must be one number"),
    "metric": ({"recall": 0.5, "metric": "recall"}, ValueError, "`metric` must be one of"),
    "level": ({"k": 3, "confidence_level": 95}, ValueError, "`confidence_level` must"),
    "one-sided level": (
        {"recall": 0.5, "confidence_level": 0.5, "alternative": "less"},
        ValueError,
        "`confidence_level` must be above 0.5 for a one-sided interval",
    ),
    "alternative": ({"k": 3, "alternative": "up"}, ValueError, "`alternative` must"),
    "prevalence": ({"k": 3, "prevalence": 1.0}, ValueError, "`prevalence` must be the"),
    "groups": ({"k": 3, "groups": [1]}, ValueError, "`groups`"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_errors_name_the_argument(name):
    options, error, message = BAD[name]
    with pytest.raises(error, match=message):
        apr.operating_point_interval(Y, UNTIED, **options)


@every_point
def test_a_missing_class_gives_nan(point):
    with pytest.warns(UndefinedMetricWarning, match="No positive samples"):
        found = apr.operating_point_interval(np.zeros(N), UNTIED, **point)
    assert np.isnan([found.estimate, *found.confidence_interval, found.n_predicted]).all()


@every_point
def test_positives_of_one_cluster_give_the_widest_interval(point):
    groups = np.where(Y, 0, np.arange(N))
    with pytest.warns(UndefinedMetricWarning, match="spread between samples is unknown"):
        found = apr.operating_point_interval(Y, UNTIED, groups=groups, **point)
    assert found.confidence_interval == (0.0, 1.0)


@pytest.mark.parametrize(("k", "text"), [(1, "k = 1"), (1.0, "k = 1.0"), (599, "k = 599")])
def test_the_point_as_text(k, text):
    assert apr.operating_point_interval(Y, UNTIED, k=k).point == text


# Positives and samples above a tie, in it and below it, and k.
IN_TIES = {
    "no positives above": ([0, 20, 4], [45, 300, 155], 52),
    "only positives above": ([30, 20, 4], [30, 300, 155], 200),
    "nothing above": ([0, 20, 4], [0, 300, 155], 60),
    "nothing below": ([10, 100, 0], [40, 300, 0], 90),
    "more positives below": ([5, 60, 90], [45, 200, 155], 80),
    "the lower end": ([20, 40, 2], [45, 300, 155], 345),
}


def samples_in_a_tie(n_positive, n):
    """Labels and scores with these numbers above a tie, in it and below it."""
    pairs = zip(n_positive, n, strict=True)
    y = np.concatenate([np.arange(size) * p % size < p for p, size in pairs])
    place = np.repeat([1.0, 0.0, -1.0], n)
    return y, place * (1 + np.arange(len(y)) / len(y))


def tie_limits(rate, n_positive, n, k):
    """MOVER by one proportion after the other, in plain numbers."""
    total = sum(n)

    def value(shares, above, below):
        tied = total - above - below
        tp = above * shares[0] + (k - above) * shares[1]
        positives = above * shares[0] + tied * shares[1] + below * shares[2]
        tn = total - k - positives + tp
        return {
            "precision": tp / k,
            "recall": tp / positives,
            "specificity": tn / (total - positives),
            "npv": tn / (total - k),
            "f1": 2 * tp / (k + positives),
        }[rate]

    def ends(part, whole):
        return binomtest(part, whole).proportion_ci() if whole else (0.0, 1.0)

    share = [
        p / size if size else n_positive[1] / n[1]
        for p, size in zip(n_positive, n, strict=True)
    ]
    estimate, changes = value(share, n[0], n[2]), []
    for i in range(3):
        moved = [[*share[:i], end, *share[i + 1 :]] for end in ends(n_positive[i], n[i])]
        changes.append([value(shares, n[0], n[2]) - estimate for shares in moved])
    most = n[0] + n[1], n[1] + n[2]
    above = [min(end * total, most[0]) for end in ends(n[0], total)]
    below = [min(end * total, most[1]) for end in ends(n[2], total)]
    changes.append([value(share, size, n[2]) - estimate for size in above])
    changes.append([value(share, n[0], size) - estimate for size in below])
    odds = n[0] * n[2] / ((total - n[0]) * (total - n[2]))
    # Both shares of samples raise the rate, or one of them lowers it.
    signs = [np.sign(high - low) for low, high in changes[3:]]
    found = []
    for side, of in ((-1, min), (1, max)):
        reach = [of(pair) for pair in changes]
        square = sum(x**2 for x in reach)
        square -= 2 * np.sqrt(odds) * signs[0] * signs[1] * reach[3] * reach[4]
        found.append(estimate + side * np.sqrt(square))
    return np.clip(found, 0, 1)


@pytest.mark.parametrize("name", IN_TIES)
@pytest.mark.parametrize("rate", ["precision", "recall", "specificity", "npv", "f1"])
def test_limits_at_k_in_a_tie_are_from_the_shares_of_its_parts(rate, name):
    n_positive, n, k = IN_TIES[name]
    table = apr.threshold_table(*samples_in_a_tie(n_positive, n), k=k)
    found = (getattr(table, f"{rate}_{end}")[0] for end in ("low", "high"))
    np.testing.assert_allclose(
        tuple(found), tie_limits(rate, n_positive, n, k), rtol=1e-9, atol=1e-12
    )


def test_limits_do_not_shrink_from_the_edge_of_a_tie_into_it():
    """45 negatives above the tie do not tell that new samples there are negative."""
    y, score = samples_in_a_tie(*IN_TIES["no positives above"][:2])
    table = apr.threshold_table(y, score, k=[45, 46, 52])
    assert table.precision_high[0] > 0.08
    assert np.all(table.precision_high[1:] > 0.9 * table.precision_high[0])


def test_limits_from_the_shares_of_a_tie_are_named():
    y, score = samples_in_a_tie(*IN_TIES["no positives above"][:2])
    methods = [apr.operating_point_interval(y, score, k=k).method for k in (45, 52)]
    assert methods == ["beta", "mover"]


@pytest.mark.parametrize("design", [{"groups": np.arange(500)},
                                    {"sample_weight": 1 + np.arange(500) % 2}],
                         ids=["groups", "weights"])  # fmt: skip
def test_clusters_and_unequal_weights_keep_beta_limits_in_a_tie(design):
    data = samples_in_a_tie(*IN_TIES["no positives above"][:2])
    assert apr.operating_point_interval(*data, k=60, **design).method == "beta"


def test_a_threshold_is_rounded_to_the_dtype_of_the_scores():
    score = np.array([0.6, 0.7, 0.7, 0.8], dtype=np.float32)
    found = apr.operating_point_interval([1, 0, 0, 1], score, threshold=0.7)
    assert (found.n_predicted, found.threshold) == (3, float(np.float32(0.7)))
    assert found.point == "threshold = 0.7"


def test_every_sample_is_above_minus_infinity():
    assert apr.operating_point_interval(Y, UNTIED, threshold=-np.inf).n_predicted == N


def test_a_recall_of_1_has_limits_with_weights():
    found = apr.operating_point_interval(Y, UNTIED, precision=0.3, sample_weight=WEIGHT)
    assert found.estimate == found.confidence_interval.high == 1
    assert 0.9 < found.confidence_interval.low < 1


def test_weights_of_very_unequal_size_have_limits():
    weight = 10.0 ** RNG.uniform(-8, 8, N)
    options = {"k": 0.05, "metric": "recall", "sample_weight": weight}
    assert not np.isnan(
        apr.operating_point_interval(Y, UNTIED, **options).confidence_interval
    ).any()


def test_weights_where_every_sample_above_the_cut_is_positive():
    y, weight = np.arange(100) < 40, np.linspace(1, 2, 100)
    with np.errstate(all="raise"):
        found = apr.operating_point_interval(
            y, -np.arange(100.0), recall=0.5, sample_weight=weight
        )
    assert found.estimate == found.confidence_interval.high == 1.0
    assert 0.6 < found.confidence_interval.low < 1


def test_a_cut_within_rounding_of_all_samples_has_the_slope_of_the_last_segment():
    """The last sample has a weight of 1e-14 of the total."""
    y, score, weight = np.arange(10) % 2 == 0, -np.arange(10.0), np.ones(10)
    equal = apr.operating_point_interval(y, score, k=9, sample_weight=weight)
    weight[-1] = 1e-13
    found = apr.operating_point_interval(y, score, k=9, sample_weight=weight)
    assert found.estimate == equal.estimate == 5 / 9
    # Without the last sample k is all samples, and the precision their prevalence.
    expected = apr.operating_point_interval(
        y[:9], score[:9], k=9, sample_weight=np.ones(9)
    ).confidence_interval
    np.testing.assert_allclose(found.confidence_interval, expected, rtol=1e-6)


@pytest.mark.parametrize("k", [777, 5000])
def test_the_threshold_at_k_is_the_kth_highest_score(k):
    y = RNG.random(20_000) < 0.01
    score = RNG.normal(size=20_000) + y
    assert apr.operating_point_interval(y, score, k=k).threshold == np.sort(score)[-k]
