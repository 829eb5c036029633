"""`threshold_table`: counts, rates by definition, limits by other routes, errors."""

import re

import numpy as np
import pytest
from scipy.special import rel_entr
from scipy.stats import beta, binomtest, norm, t
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning
from slow_twins import beta_limits, error_and_df, kish

from sklearn_achievable_pr import (
    CoverageWarning,
    auc_pr_interval,
    precision_at_k,
    recall_at_k,
    threshold_table,
)

RNG = np.random.default_rng(5)
N = 400
Y = RNG.random(N) < 0.3
UNTIED = RNG.normal(size=N) + 1.2 * Y
SCORE = np.round(UNTIED, 1)
WEIGHT = RNG.uniform(0.3, 3, N)
THRESHOLDS = [1.0, -0.35, 2.0]
RATES = ("recall", "specificity", "precision", "npv", "f1", "selection_rate")
AT_K = {"precision": precision_at_k, "recall": recall_at_k}


def limits(rate, *data, **options):
    """Both confidence limits of a rate in the first row of a table."""
    table = threshold_table(*data, **options)
    return tuple(getattr(table, f"{rate}_{end}")[0] for end in ("low", "high"))


def by_definition(threshold, weight=None):
    """Rates by scikit-learn: those of negatives are those of the swapped labels."""
    predicted = threshold <= SCORE
    given, swapped = (Y, predicted), (~Y, ~predicted)
    return {
        "recall": metrics.recall_score(*given, sample_weight=weight),
        "specificity": metrics.recall_score(*swapped, sample_weight=weight),
        "precision": metrics.precision_score(*given, sample_weight=weight),
        "npv": metrics.precision_score(*swapped, sample_weight=weight),
        "f1": metrics.f1_score(*given, sample_weight=weight),
        "selection_rate": np.average(predicted, weights=weight),
    }


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["", "weighted"])
def test_rates_are_those_of_the_confusion_matrix(weight):
    table = threshold_table(Y, SCORE, thresholds=THRESHOLDS, sample_weight=weight)
    expected = [[*by_definition(t, weight).values()] for t in THRESHOLDS]
    found = np.transpose([getattr(table, rate) for rate in RATES])
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    np.testing.assert_array_equal(table.threshold, THRESHOLDS)


def test_samples_at_a_threshold_are_predicted_positive():
    table = threshold_table(Y, SCORE, thresholds=1.0)
    above = SCORE >= 1
    assert (table.n_predicted, table.tps, table.fps) == (
        above.sum(), (above & Y).sum(), (above & ~Y).sum()
    )  # fmt: skip


@pytest.mark.parametrize("rate", ["recall", "npv", "f1", "selection_rate"])
def test_limits_of_independent_samples_are_exact(rate):
    above = SCORE >= 1
    right, whole = {
        "recall": (above & Y, Y),
        "npv": (~above & ~Y, ~above),
        "f1": (above & Y, above | Y),
        "selection_rate": (above, np.ones(N)),
    }[rate]
    share = binomtest(right.sum(), int(whole.sum())).proportion_ci(0.9)
    expected = np.array(share)
    if rate == "f1":  # it rises with the share tp / (tp + fp + fn)
        expected = 2 * expected / (1 + expected)
    found = limits(rate, Y, SCORE, thresholds=1.0, confidence_level=0.9)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.filterwarnings("ignore:The scores rank negatives above positives")
@pytest.mark.parametrize("rate", RATES[1:5])
def test_a_rate_of_no_sample_of_its_part_has_the_exact_upper_limit(rate):
    """F1 of no true positive and 28 others is at most 0.22."""
    y, score = np.repeat([True, False], [9, 19]), np.repeat([0.0, 1.0], [9, 19])
    whole = {"recall": 9, "specificity": 19, "precision": 19, "npv": 9, "f1": 28}[rate]
    low, high = limits(rate, y, score + np.arange(28) / 100, thresholds=0.9)
    share = upper(0, whole)
    assert low == 0
    assert high == pytest.approx(2 * share / (1 + share) if rate == "f1" else share)


every_place = pytest.mark.parametrize("place", [{"thresholds": 1.0}, {"k": 0.15}], ids=str)
every_weight = pytest.mark.parametrize("weight", [None, WEIGHT], ids=["", "weighted"])


@pytest.mark.parametrize(
    ("rate", "k", "score", "weight"),
    [
        ("precision", 60, SCORE, None),
        ("precision", 0.21, UNTIED, WEIGHT),
        ("recall", 60, UNTIED, None),
        ("recall", 0.21, SCORE, WEIGHT),
    ],
    ids=["tied", "weighted", "untied", "tied weighted"],
)
def test_rates_at_k_are_the_public_values(rate, k, score, weight):
    table = threshold_table(Y, score, k=k, sample_weight=weight)
    expected = AT_K[rate](Y, score, k=k, sample_weight=weight)
    # Weights at k are added in another order.
    np.testing.assert_allclose(getattr(table, rate), expected, rtol=1e-14)


@every_weight
@every_place
def test_limits_enclose_the_rate(place, weight):
    table = threshold_table(Y, np.round(SCORE), sample_weight=weight, **place)
    for rate in RATES[:5]:
        low, value, high = (getattr(table, rate + end)[0] for end in ("_low", "", "_high"))
        assert 0 <= low < value < high <= 1


def test_the_selection_rate_at_k_is_known():
    table = threshold_table(Y, SCORE, k=0.15)
    ends = table.selection_rate_low[0], table.selection_rate_high[0]
    assert (*ends, table.selection_rate[0]) == pytest.approx((0.15, 0.15, 0.15))


@every_place
@pytest.mark.parametrize("rate", ["recall", "npv"])
def test_copies_of_samples_in_one_cluster_count_once(rate, place):
    twice = [np.repeat(values, 2) for values in (Y, UNTIED, np.arange(N))]
    copies = np.diff(limits(rate, *twice[:2], groups=twice[2], **place))
    alone = np.diff(limits(rate, Y, UNTIED, **place))
    assert copies == pytest.approx(alone, rel=0.06)


@every_place
@pytest.mark.parametrize(("y", "rate"), [(Y, "recall"), (~Y, "specificity")])
def test_counted_samples_of_one_cluster_give_the_widest_interval(y, rate, place):
    groups = np.where(Y, 0, np.arange(N))
    with pytest.warns(UndefinedMetricWarning, match="spread between samples is unknown"):
        assert limits(rate, y, UNTIED, groups=groups, **place) == (0.0, 1.0)


def test_positives_of_one_cluster_leave_the_specificity_as_it_is():
    groups = np.where(Y, 0, np.arange(N))
    with pytest.warns(UndefinedMetricWarning, match="spread between samples is unknown"):
        found = limits("specificity", Y, UNTIED, groups=groups, thresholds=1.0)
    np.testing.assert_allclose(
        found, limits("specificity", Y, UNTIED, thresholds=1.0), atol=0.005
    )


@every_place
@pytest.mark.parametrize(
    "design",
    [{"sample_weight": np.full(N, 0.3)}, {"groups": RNG.permutation(N)}],
    ids=["equal weights", "clusters of one"],
)
def test_equal_weights_and_clusters_of_one_sample_are_none(design, place):
    found, expected = (
        threshold_table(Y, np.round(SCORE), **place, **options) for options in (design, {})
    )
    for name in (rate + end for rate in RATES for end in ("_low", "_high")):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-9)


def test_weights_of_light_positives_do_not_take_heavy_ones_for_known():
    """Two of 30 positives are missed; all of these happen to weigh 1, many others 20."""
    y = np.arange(400) < 30
    score = np.where(np.arange(400) < 28, 0.9, 0.1)
    weight = np.where(y, 1.0, np.where(np.arange(400) % 2, 1.0, 20.0))
    unequal = np.where(np.arange(400) == 29, 20.0, weight)
    low, high = limits("recall", y, score, thresholds=0.5, sample_weight=unequal)
    assert low < 0.25
    assert high > 0.9


def test_the_reach_for_unseen_weights_by_hand():
    """One light positive of ten is missed, and the others weigh 1 or 20."""
    y, weight = np.arange(60) < 10, np.where(np.arange(60) % 3, 1.0, 20.0)
    score = np.where(np.arange(60) == 1, 0.1, 0.9)
    value = 1 - 1 / weight[y].sum()
    n = kish(weight[y])
    psi = y * weight * ((score > 0.5) - value) / weight[y].sum()
    error, df = error_and_df(psi, 1 / n, n)
    squares = psi**2
    m = squares.sum() ** 2 / np.sum(squares**2)
    fade = np.exp(-(min(m, (n * error) ** 2) ** 3) / 3)
    reach = np.sqrt(fade) * (1 - 0.025 ** (1 / n))
    assert reach > 0.05
    low, high = beta_limits(value, error, df, n, 0.025)
    expected = value - np.hypot(value - low, reach), value + np.hypot(high - value, reach)
    found = limits("recall", y, score, thresholds=0.5, sample_weight=weight)
    np.testing.assert_allclose(found, np.minimum(expected, 1))


@pytest.mark.parametrize("heavy", [1, 20])
def test_a_precision_of_1_allows_false_positives_of_any_weight(heavy):
    """Weights that vary in a class: the wider one of both limits."""
    y = np.arange(200) < 50
    weight = np.where(np.arange(200) % 2, 1.0, 20.0) * np.where(y, 1.0, heavy)
    low, high = limits("precision", y, y * 0.9, thresholds=0.9, sample_weight=weight)
    n = kish(weight[y])
    n_effective = n * (norm.ppf(0.025) / t.ppf(0.025, n - 1)) ** 2
    share = 0.025 ** (1 / n_effective)
    assert high == 1
    assert low == pytest.approx(share / (share + heavy * (1 - share)))


@pytest.mark.filterwarnings("ignore:At `prevalence`")
@pytest.mark.parametrize(
    ("rate", "weight"), [("precision", None), ("npv", None), ("f1", WEIGHT)], ids=RATES[2:5]
)
def test_a_prevalence_is_the_same_as_weights(rate, weight):
    own = 1.0 if weight is None else weight
    odds = np.sum((own * Y)[Y]) / np.sum((own * ~Y)[~Y])
    both = own * np.where(Y, 1.0, 9 * odds)
    found = limits(rate, Y, SCORE, thresholds=1.0, prevalence=0.1, sample_weight=weight)
    expected = limits(rate, Y, SCORE, thresholds=1.0, sample_weight=both)
    np.testing.assert_allclose(found, expected, rtol=1e-7)


@pytest.mark.filterwarnings("ignore:At `prevalence`")
@pytest.mark.parametrize("rate", RATES[2:])
def test_limits_at_an_extreme_prevalence_are_finite(rate):
    found = limits(rate, Y, UNTIED, thresholds=1.0, prevalence=1e-120)
    assert np.isfinite(found).all()


HEAVY = np.where(Y, 1.0, 0.96 / 0.04 * Y.sum() / (~Y).sum())


@every_place
def test_heavy_negatives_give_a_warning(place):
    with pytest.warns(CoverageWarning, match=r"`sample_weight`.* too high, and intervals"):
        threshold_table(Y, UNTIED, sample_weight=HEAVY, **place)


@pytest.mark.parametrize("rate", [("specificity", "recall"), ("npv", "precision")])
@pytest.mark.parametrize("score", [SCORE, np.arange(N) % 7 + Y], ids=["some", "many_ties"])
def test_rates_of_negatives_at_k_are_those_of_swapped_labels(rate, score):
    of_negatives, swapped = rate
    found, other = threshold_table(Y, score, k=90), threshold_table(~Y, -score, k=N - 90)
    for end, rtol in (("", 1e-12), ("_low", 1e-9), ("_high", 1e-9)):
        ends = getattr(found, of_negatives + end), getattr(other, swapped + end)
        np.testing.assert_allclose(*ends, rtol=rtol)


def test_at_another_prevalence_by_bayes():
    here = threshold_table(Y, SCORE, thresholds=THRESHOLDS)
    there = threshold_table(Y, SCORE, thresholds=THRESHOLDS, prevalence=0.1)
    for rate in ("recall", "specificity", "recall_low", "specificity_high"):
        np.testing.assert_array_equal(getattr(there, rate), getattr(here, rate))
    tp, tn = 0.1 * here.recall, 0.9 * here.specificity
    np.testing.assert_allclose(there.precision, tp / (tp + 0.9 - tn), rtol=1e-12)
    np.testing.assert_allclose(there.npv, tn / (tn + 0.1 - tp), rtol=1e-12)
    np.testing.assert_allclose(there.f1, 2 * tp / (tp + 0.9 - tn + 0.1), rtol=1e-12)
    assert "at prevalence 0.1" in str(there)


@pytest.mark.parametrize(
    ("threshold", "undefined", "message"),
    [
        (np.inf, "precision", "No sample is predicted positive"),
        (-np.inf, "npv", "No sample is predicted negative"),
    ],
)
def test_undefined_rates_are_nan(threshold, undefined, message):
    with pytest.warns(UndefinedMetricWarning, match=message):
        table = threshold_table(Y, SCORE, thresholds=threshold)
    for rate in RATES:
        assert np.isnan(getattr(table, rate)[0]) == (rate == undefined)
    low, high = (getattr(table, f"{undefined}_{end}") for end in ("low", "high"))
    assert (low, high) == (0, 1)


@pytest.mark.parametrize(("value", "predicted"), [(np.inf, "positive"), (-np.inf, "negat")])
def test_undefined_rates_of_many_rows_give_one_warning(value, predicted):
    with pytest.warns(UndefinedMetricWarning) as caught:
        threshold_table(Y, SCORE, thresholds=[value] * 80 + [1.0])
    (warning,) = caught
    assert f"No sample is predicted {predicted}" in str(warning.message)
    assert " in 80 rows: the " in str(warning.message)


def of_polars(values):
    return pytest.importorskip("polars").Series(
        values, dtype=pytest.importorskip("polars").Float32
    )


def of_pandas(values):
    return pytest.importorskip("pandas").Series(values, dtype="Float32")


def of_array_api_strict(values):
    strict = pytest.importorskip("array_api_strict")
    return strict.asarray(np.array(values, dtype=np.float32))


class BFloat16:
    """Scores of a library that has this dtype, which NumPy has not."""

    dtype = "bfloat16"

    def __init__(self, values):
        self.values = np.array(values, dtype=np.float32).view(np.uint32) + 0x8000

    def __array__(self, dtype=None, copy=None):
        return (self.values & 0xFFFF0000).astype(np.uint32).view(np.float32)


def of_torch(values):
    torch = pytest.importorskip("torch")
    return torch.tensor(values, dtype=torch.float32)


def rounded_threshold(make):
    """The threshold 0.7 of a table, for scores of this kind, which is checked."""
    score = make([0.1, 0.3, 0.7, 0.7, 0.7, 0.9])
    table = threshold_table([0, 1, 0, 1, 1, 1], score, thresholds=[0.7, 0.3])
    assert table.n_predicted.tolist() == [4, 5]
    return table.threshold[0]


def big_endian(values):
    return np.array(values, dtype=">f4")


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        (np.float16, 0.7001953125),
        (big_endian, 0.699999988079071),
        (np.longdouble, 0.7),
        (BFloat16, 0.69921875),
    ],
)
def test_thresholds_are_rounded_to_the_dtype_of_the_scores(dtype, expected):
    assert rounded_threshold(dtype) == expected


@pytest.mark.parametrize("make", [of_polars, of_pandas, of_array_api_strict, of_torch])
def test_thresholds_are_rounded_to_the_float32_of_other_libraries(make):
    assert rounded_threshold(make) == 0.699999988079071


@pytest.mark.parametrize(
    ("threshold", "rounded"),
    # Numbers of bfloat16 from 1 to 2 are 1/128 apart.
    [
        (1 + 1 / 256, 1),
        (1 + 3 / 256, 1 + 4 / 256),
        (1 + 0.99 / 256, 1),
        (1 + 1.01 / 256, 1 + 2 / 256),
    ],
)
def test_thresholds_of_bfloat16_are_rounded_to_nearest_ties_to_even(threshold, rounded):
    score = BFloat16([0.5, 1, 1.5, 2])
    table = threshold_table([0, 1, 0, 1], score, thresholds=[threshold])
    assert table.threshold.tolist() == [rounded]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64])
def test_thresholds_of_integer_scores_are_not_rounded(dtype):
    score = np.array([0, 1, 2, 100], dtype=dtype)
    table = threshold_table([0, 1, 0, 1], score, thresholds=[1.7, 0.3, 99.99999, 1.00001])
    assert table.n_predicted.tolist() == [2, 3, 1, 2]
    assert table.threshold.tolist() == [1.7, 0.3, 99.99999, 1.00001]


@pytest.mark.parametrize(("threshold", "n_predicted"), [(1e5, 0), (-1e5, 4)])
def test_thresholds_beyond_the_range_of_the_dtype(threshold, n_predicted):
    score = np.array([-60000, 0.1, 0.2, 60000], dtype=np.float16)
    with pytest.warns(UndefinedMetricWarning, match="No sample is predicted"):
        table = threshold_table([0, 1, 0, 1], score, thresholds=threshold)
    assert table.n_predicted == n_predicted


@pytest.mark.parametrize("heaviest", [1, 1e20])  # 1e20 + 1 == 1e20
def test_all_samples_at_k(heaviest):
    weight = np.where(SCORE >= 1, heaviest, WEIGHT)
    with pytest.warns(UndefinedMetricWarning, match="the NPV is undefined"):
        table = threshold_table(Y, SCORE, k=1.0, sample_weight=weight)
    assert (table.recall, table.specificity) == (1, 0)


# Samples of one class


def upper(failures, n):
    return binomtest(failures, n).proportion_ci().high


def test_without_positives_only_the_recall_is_undefined():
    n_above, n_below = np.count_nonzero(SCORE >= 1), np.count_nonzero(SCORE < 1)
    with pytest.warns(UndefinedMetricWarning) as caught:
        table = threshold_table(np.zeros(N), SCORE, thresholds=1.0)
    (warning,) = caught
    expected = "No positive samples in `y_true`: the recall is undefined."
    assert str(warning.message) == expected
    assert np.isnan(table.recall[0])
    assert (table.recall_low[0], table.recall_high[0]) == (0, 1)
    assert table.specificity == n_below / N
    interval = binomtest(n_below, N).proportion_ci()
    assert (table.specificity_low[0], table.specificity_high[0]) == pytest.approx(interval)
    assert (table.precision[0], table.precision_low[0]) == (0, 0)
    assert table.precision_high[0] == pytest.approx(upper(0, n_above))
    assert (table.npv[0], table.npv_high[0]) == (1, 1)
    assert table.npv_low[0] == pytest.approx(1 - upper(0, n_below))
    assert (table.f1[0], table.f1_low[0]) == (0, 0)
    share = upper(0, n_above)
    assert table.f1_high[0] == pytest.approx(2 * share / (1 + share))


def test_without_negatives_only_the_specificity_is_undefined():
    n_above = np.count_nonzero(SCORE >= 1)
    with pytest.warns(UndefinedMetricWarning, match="`y_true`: the specificity is undef"):
        table = threshold_table(np.ones(N), SCORE, thresholds=1.0)
    assert np.isnan(table.specificity[0])
    assert table.recall == n_above / N
    assert (table.precision[0], table.precision_high[0]) == (1, 1)
    assert table.precision_low[0] == pytest.approx(1 - upper(0, n_above))
    assert (table.npv[0], table.npv_low[0]) == (0, 0)
    assert table.npv_high[0] == pytest.approx(upper(0, N - n_above))
    assert table.f1[0] == pytest.approx(2 * n_above / (n_above + N))
    assert table.f1_low[0] < table.f1[0] < table.f1_high[0]


DESIGNS = {
    "weights": {"sample_weight": WEIGHT},
    "clusters": {"groups": np.arange(N) // 2},
    "both": {"sample_weight": WEIGHT, "groups": np.arange(N) // 2},
    "none": {},
}


@pytest.mark.parametrize(
    ("label", "design", "place"),
    [
        (0, "weights", {"thresholds": 1.0}),
        (1, "clusters", {"thresholds": 1.0}),
        (1, "both", {"k": 0.15}),
        (0, "none", {"k": 0.15}),
    ],
    ids=str,
)
def test_rates_of_one_class_have_limits_with_every_design(label, design, place):
    rate, undefined = ("specificity", "recall")[:: 1 - 2 * label]
    with pytest.warns(UndefinedMetricWarning, match=f"the {undefined} is undefined"):
        table = threshold_table(np.full(N, label), SCORE, **DESIGNS[design], **place)
    assert np.isnan(getattr(table, undefined)[0])
    ends = (getattr(table, f"{rate}_{end}")[0] for end in ("low", "high"))
    low, high = ends
    assert 0 < low < getattr(table, rate)[0] < high < 1
    assert table.precision[0] == label
    assert table.npv[0] == 1 - label
    for of in ("precision", "npv"):
        assert 0 < getattr(table, f"{of}_high")[0] - getattr(table, f"{of}_low")[0] < 0.2


def test_f1_without_positives_needs_a_false_positive():
    with pytest.warns(UndefinedMetricWarning) as caught:
        table = threshold_table(np.zeros(N), SCORE, thresholds=[np.inf, 1.0])
    (warning,) = caught
    assert str(warning.message) == (
        "No positive samples in `y_true`: the recall is undefined. No sample is predicted "
        "positive: the precision is undefined. No sample is positive or predicted "
        "positive: the F1 is undefined."
    )
    assert np.isnan(table.f1).tolist() == [True, False]


@pytest.mark.parametrize("label", [0, 1])
def test_a_reference_prevalence_needs_both_classes(label):
    undefined, rate = ("recall", "specificity")[:: 1 - 2 * label]
    match = f"the {undefined}, the precision, the NPV, the F1 and the selection rate are"
    with pytest.warns(UndefinedMetricWarning, match=match):
        table = threshold_table(np.full(N, label), SCORE, thresholds=1.0, prevalence=0.1)
    for name in RATES:
        assert np.isnan(getattr(table, name)[0]) == (name != rate)


def test_one_positive_gives_no_warning_at_a_threshold():
    """Exact limits need no spread between samples."""
    y = np.arange(N) == np.argmax(SCORE)
    table = threshold_table(y, SCORE, thresholds=1.0)
    assert (table.recall[0], table.recall_high[0]) == (1, 1)
    assert table.recall_low[0] == pytest.approx(0.025)


def test_all_k_positive_has_the_exact_limit_of_k_samples():
    low, high = limits("precision", np.arange(1000) < 300, -np.arange(1000.0), k=50)
    assert high == 1
    assert low == pytest.approx(binomtest(50, 50).proportion_ci().low, abs=3e-3)


@pytest.mark.parametrize("score", [SCORE, UNTIED], ids=["tied", "untied"])
def test_the_unit_of_weights_does_not_matter_at_k(score):
    one, other = (
        limits("precision", Y, score, k=0.15, sample_weight=unit * WEIGHT)
        for unit in (1, 1000)
    )
    np.testing.assert_allclose(one, other, rtol=1e-9)


@pytest.mark.parametrize(("metric", "odds"), [("precision", 4), ("npv", 1 / 4)])
def test_a_class_that_is_not_counted_may_have_another_weight(metric, odds):
    """The limit of the share of the other class, by Bayes' theorem."""
    y, score = np.arange(200) < 100, np.where(np.arange(200) < 100, 5.0, 0.0)
    low, high = limits(metric, y, score, thresholds=1, prevalence=0.2)
    share = auc_pr_interval(y, score).confidence_interval.low
    assert high == 1
    assert low == pytest.approx(share / (share + odds * (1 - share)))


@pytest.mark.filterwarnings("ignore:.*The scores rank negatives")
@pytest.mark.parametrize(("metric", "odds"), [("precision", 4), ("npv", 1 / 4)])
def test_a_class_of_which_no_sample_is_counted_may_have_another_weight(metric, odds):
    """The upper limit of a rate of 0, by Bayes' theorem."""
    y = np.arange(200) < 100
    low, high = limits(metric, y, np.where(y, 0.0, 5.0), thresholds=1, prevalence=0.2)
    share = 1 - auc_pr_interval(y, y * 5.0).confidence_interval.low
    assert low == 0
    assert high == pytest.approx(share / (share + odds * (1 - share)))


@pytest.mark.filterwarnings("ignore:.*The scores rank negatives")
@pytest.mark.parametrize("prevalence", [0.2, 0.9])
@pytest.mark.parametrize("is_right", [True, False])
def test_f1_of_0_or_1_where_false_samples_may_be_of_either_class(prevalence, is_right):
    """No limit is nearer than with equal weights."""
    y = np.arange(200) < 100
    equal, other = (
        threshold_table(y, (y == is_right) * 0.9, thresholds=[0.9], prevalence=p)
        for p in (0.5, prevalence)
    )
    assert other.f1 == equal.f1 == is_right
    assert other.f1_low <= equal.f1_low
    assert other.f1_high >= equal.f1_high


def test_samples_of_a_tie_at_k_count_by_their_share():
    plain = limits("precision", Y, Y / 2, k=5)
    weighted = limits("precision", Y, Y / 2, k=5, sample_weight=np.ones(N))
    assert plain == pytest.approx(weighted)


def samples_in_a_tie(n_positive, n):
    """Labels and scores with these numbers above a tie, in it and below it."""
    pairs = zip(n_positive, n, strict=True)
    y = np.concatenate([np.arange(size) * p % size < p for p, size in pairs])
    place = np.repeat([1.0, 0.0, -1.0], n)
    return y, place * (1 + np.arange(len(y)) / len(y))


def union_by_definition(rate, tps, fps, k, z):
    """Extremes over many points of a curve, and over many ways to share the quantile."""
    at = np.linspace(0, len(tps) - 1, 20 * len(tps))
    tp, fp = (np.interp(at, np.arange(len(tps)), counts) for counts in (tps, fps))
    n_pos, n_neg = tps[-1], fps[-1]
    n, selected = n_pos + n_neg, tp + fp
    deviance = 2 * (rel_entr(selected, k) + rel_entr(n - selected, n - k))
    kept = deviance <= z**2
    tp, fp, rest = tp[kept], fp[kept], np.sqrt(z**2 - deviance[kept])

    def limit(yes, no, z, side):
        if side > 0:
            return np.where(no > 0, beta.isf(norm.sf(z), yes + 1, np.maximum(no, 1e-9)), 1)
        return np.where(yes > 0, beta.ppf(norm.sf(z), np.maximum(yes, 1e-9), no + 1), 0)

    ends = []
    for side in (-1, 1):
        values = []
        for angle in np.linspace(0, np.pi / 2, 31):
            above = limit(tp, fp, rest * np.cos(angle), side)
            fn, tn = np.maximum(n_pos - tp, 0), np.maximum(n_neg - fp, 0)
            below = limit(fn, tn, rest * np.sin(angle), -side)
            cells = k * above, k * (1 - above), (n - k) * below, (n - k) * (1 - below)
            values.append(of_cells(rate, *cells))
        ends.append(side * np.max(side * np.array(values)))
    return ends


def of_cells(rate, tp, fp, fn, tn):
    """The rate of a confusion matrix."""
    return {
        "precision": tp / (tp + fp),
        "recall": tp / (tp + fn),
        "npv": tn / (tn + fn),
        "f1": 2 * tp / (2 * tp + fp + fn),
    }[rate]


@pytest.mark.parametrize(
    ("rate", "score"),
    [("precision", SCORE), ("recall", UNTIED), ("npv", np.round(SCORE)), ("f1", SCORE)],
    ids=["precision", "recall", "npv", "f1"],
)
def test_limits_at_k_are_extremes_over_the_points_of_the_curve(rate, score):
    values = np.unique(score)[::-1]
    tps, fps = ([0, *(np.sum(score[c] >= v) for v in values)] for c in (Y, ~Y))
    expected = union_by_definition(rate, tps, fps, 90, norm.ppf(0.975))
    found = limits(rate, Y, score, k=90)
    np.testing.assert_allclose(found, expected, atol=0.01 * np.ptp(expected))


def test_limits_do_not_shrink_from_the_edge_of_a_tie_into_it():
    """45 negatives above the tie do not tell that new samples there are negative."""
    y, score = samples_in_a_tie([0, 20, 4], [45, 300, 155])
    table = threshold_table(y, score, k=[45, 46, 52])
    assert table.precision_high[0] > 0.08
    assert np.all(table.precision_high[1:] > 0.9 * table.precision_high[0])


def test_weights_of_very_unequal_size_have_limits():
    weight = 10.0 ** RNG.uniform(-8, 8, N)
    assert not np.isnan(limits("recall", Y, UNTIED, k=0.05, sample_weight=weight)).any()


@pytest.mark.filterwarnings("ignore:No sample is predicted negative")
def test_a_cut_within_rounding_of_all_samples_has_about_their_limits():
    """The last sample has a weight of 1e-14 of the total."""
    y, score, weight = np.arange(100) % 2 == 0, -np.arange(100.0), np.ones(100)
    weight[-1] = 1e-12
    found = threshold_table(y, score, k=99, sample_weight=weight)
    assert found.precision == 50 / 99
    # Without the last sample k is all samples, and the precision their prevalence.
    expected = limits("precision", y[:99], score[:99], k=99, sample_weight=np.ones(99))
    ends = found.precision_low[0], found.precision_high[0]
    np.testing.assert_allclose(ends, expected, rtol=1e-2)


@pytest.mark.parametrize("k", [777, 5000])
def test_the_threshold_at_k_is_the_kth_highest_score(k):
    y = RNG.random(20_000) < 0.01
    score = RNG.normal(size=20_000) + y
    assert threshold_table(y, score, k=k).threshold == np.sort(score)[-k]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "Pass exactly one of `thresholds`, `k`. Got none"),
        ({"thresholds": [1, np.nan]}, "`thresholds` must not have NaN"),
        ({"thresholds": []}, "`thresholds` must be one-dimensional, and"),
        ({"thresholds": 1, "confidence_level": 95}, "`confidence_level` must be"),
    ],
)
def test_errors_name_the_argument(options, message):
    with pytest.raises(ValueError, match=message):
        threshold_table(Y, SCORE, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": [[1, 2]]}, "`k` must be one-dimensional"),
        ({"k": [5, 0]}, "`k` must be a number of samples, an integer from"),
        ({"k": N + 1}, "`k` must not exceed the number of samples"),
        ({"k": 5, "prevalence": 0.1}, "`prevalence` needs `thresh"),
    ],
)
def test_errors_at_k_name_the_argument(options, message):
    with pytest.raises(ValueError, match=message):
        threshold_table(Y, SCORE, **options)


def test_thresholds_of_text_raise():
    with pytest.raises(TypeError, match="`thresholds` must hold real numbers"):
        threshold_table(Y, SCORE, thresholds="1")


def test_rows_of_the_frame():
    frame = threshold_table(Y, SCORE, thresholds=THRESHOLDS).to_frame()
    assert frame["threshold"].tolist() == THRESHOLDS
    assert {"npv", "npv_low", "f1_high", "tps"} <= set(frame)


@every_weight
def test_the_frame_has_the_confusion_matrix(weight):
    table = threshold_table(Y, SCORE, thresholds=THRESHOLDS, sample_weight=weight)
    cells = table.to_frame()[["tns", "fps", "fns", "tps"]].to_numpy()
    expected = [
        metrics.confusion_matrix(Y, threshold <= SCORE, sample_weight=weight).ravel()
        for threshold in THRESHOLDS
    ]
    np.testing.assert_allclose(cells, expected, rtol=1e-12)


@pytest.mark.parametrize("rate", ["recall", "selection_rate"])
def test_the_frame_has_intervals_as_text_beside_the_numbers(rate):
    frame = threshold_table(Y, SCORE, thresholds=THRESHOLDS).to_frame()
    names = [rate, f"{rate}_low", f"{rate}_high", f"{rate} (interval)"]
    place = frame.columns.get_loc(rate)
    assert frame.columns[place : place + 4].tolist() == names
    numbers = frame[f"{rate} (interval)"].str.findall(r"[\d.]+").tolist()
    expected = frame[names[:3]].to_numpy()
    np.testing.assert_allclose(np.array(numbers, dtype=float), expected, atol=0.005)


@pytest.mark.parametrize(
    ("weight", "titles"),
    [
        (None, "threshold +predicted +true positives +recall"),
        (np.ones(N), "threshold +predicted +true positives +recall"),
        (WEIGHT, r"threshold +predicted \(weight\) +true positives \(weight\) +recall"),
    ],
    ids=["no weights", "ones", "weights"],
)
def test_counts_of_weights_are_called_weights(weight, titles):
    table = threshold_table(Y, SCORE, thresholds=THRESHOLDS, sample_weight=weight)
    assert re.match(titles, str(table))


def test_a_long_table_prints_its_first_rows():
    table = threshold_table(Y, SCORE, thresholds=np.linspace(0, 1, 30))
    assert len(str(table).splitlines()) == 3 * (21 + 1) + 3
    assert "and 10 more rows" in str(table)


def test_a_negative_threshold_that_float32_rounds_to_zero_has_no_sign():
    table = threshold_table(Y, SCORE.astype(np.float32), thresholds=[-1e-50])
    assert str(table).splitlines()[1].split()[0] == "0"


@pytest.mark.parametrize(
    ("rate", "clustered"),
    [("recall", False), ("npv", False), ("precision", True), ("f1", True)],
)
def test_limits_of_weights_at_a_threshold_follow_from_differences(rate, clustered):
    """The influence of each sample is the difference quotient of the rate."""
    above, step = SCORE >= 1, 1e-6 * np.eye(N)
    right, counted = {
        "recall": (Y & above, Y),
        "precision": (Y & above, above),
        "npv": (~Y & ~above, ~above),
        "f1": (Y & above, Y | above),
    }[rate]
    high, low = ((w @ right) / (w @ counted) for w in (WEIGHT + step, WEIGHT - step))
    units = np.arange(N) // 3 if clustered else np.arange(N)
    parts, wholes = (np.bincount(units, WEIGHT * share) for share in (counted, counted > 0))
    n_effective = parts.sum() ** 2 / (parts @ wholes)
    n = kish(wholes)
    share = wholes / wholes.sum() if clustered else np.where(wholes > 0, 1 / n, 0)
    influence = np.bincount(units, WEIGHT * (high - low) / 2e-6)
    value = WEIGHT @ right / (WEIGHT @ counted)
    error, df = error_and_df(influence, share, n)
    expected = np.array(beta_limits(value, error, df, n_effective, 0.025))
    if rate == "f1":
        expected = 2 * expected / (1 + expected)
    design = {"sample_weight": WEIGHT, "groups": units if clustered else None}
    found = limits(rate, Y, SCORE, thresholds=1.0, **design)
    np.testing.assert_allclose(found, expected, rtol=1e-7)
