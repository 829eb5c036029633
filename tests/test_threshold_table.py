"""`threshold_table`: counts, rates by definition, limits by other routes, errors."""

from functools import partial

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning
from slow_twins import error_and_df

from sklearn_achievable_pr import operating_point_interval, threshold_table
from sklearn_achievable_pr.uncertainty._limits import beta_limits

RNG = np.random.default_rng(5)
N = 400
Y = RNG.random(N) < 0.3
SCORE = np.round(RNG.normal(size=N) + 1.2 * Y, 1)
WEIGHT = RNG.uniform(0.3, 3, N)
THRESHOLDS = [1.0, -0.35, 2.0]
RATES = ("recall", "specificity", "precision", "npv", "f1")


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
    }


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["", "weighted"])
@pytest.mark.parametrize("rate", RATES)
def test_rates_at_thresholds(rate, weight):
    table = threshold_table(Y, SCORE, thresholds=THRESHOLDS, sample_weight=weight)
    expected = [by_definition(t, weight)[rate] for t in THRESHOLDS]
    np.testing.assert_allclose(getattr(table, rate), expected, rtol=1e-12)
    np.testing.assert_array_equal(table.threshold, THRESHOLDS)


def test_counts_at_thresholds():
    table = threshold_table(Y, SCORE, thresholds=1.0)
    above = SCORE >= 1
    assert (table.n_predicted, table.tps, table.fps) == (
        above.sum(), (above & Y).sum(), (above & ~Y).sum()
    )  # fmt: skip


@pytest.mark.parametrize("rate", RATES[:4])
def test_limits_of_independent_samples_are_exact(rate):
    above = SCORE >= 1
    right, whole = {
        "recall": (above & Y, Y),
        "specificity": (~above & ~Y, ~Y),
        "precision": (above & Y, above),
        "npv": (~above & ~Y, ~above),
    }[rate]
    expected = binomtest(right.sum(), whole.sum()).proportion_ci(0.9)
    table = threshold_table(Y, SCORE, thresholds=1.0, confidence_level=0.9)
    assert getattr(table, f"{rate}_low")[0] == pytest.approx(expected.low, rel=1e-9)
    assert getattr(table, f"{rate}_high")[0] == pytest.approx(expected.high, rel=1e-9)


@pytest.mark.parametrize("point", [{"threshold": 1.0}, {"k": 70}, {"k": 0.3}], ids=str)
@pytest.mark.parametrize("design", [{}, {"groups": np.arange(N) // 3}], ids=["", "groups"])
@pytest.mark.parametrize("rate", RATES[:4])
def test_rows_are_those_of_the_interval_of_one_rate(rate, design, point):
    one = operating_point_interval(Y, SCORE, metric=rate, **point, **design)
    name, value = next(iter(point.items()))
    of_table = {"thresholds" if name == "threshold" else name: [value]}
    table = threshold_table(Y, SCORE, **of_table, **design)
    low, high = one.confidence_interval
    ends = (getattr(table, f"{rate}{end}")[0] for end in ("", "_low", "_high"))
    assert tuple(ends) == (one.estimate, low, high)
    assert (table.threshold[0], table.n_predicted[0]) == (one.threshold, one.n_predicted)


@pytest.mark.parametrize("rate", [("specificity", "recall"), ("npv", "precision")])
@pytest.mark.parametrize("score", [SCORE, np.arange(N) % 7 + Y], ids=["some", "many_ties"])
def test_rates_of_negatives_at_k_are_those_of_swapped_labels(rate, score):
    of_negatives, swapped = rate
    found = operating_point_interval(Y, score, k=90, metric=of_negatives)
    other = operating_point_interval(~Y, -score, k=N - 90, metric=swapped)
    assert found.estimate == pytest.approx(other.estimate, rel=1e-12)
    np.testing.assert_allclose(
        found.confidence_interval, other.confidence_interval, rtol=1e-9
    )


def test_limits_of_f1_follow_from_its_derivative():
    predicted, step = SCORE >= 1, 1e-6
    f1 = metrics.f1_score(Y, predicted)
    moved = [
        metrics.f1_score(Y, predicted, sample_weight=1 + step * (np.arange(N) == i))
        for i in range(N)
    ]
    derivative = (np.array(moved) - f1) / step
    share = np.where(Y, 1 / Y.sum(), 1 / (~Y).sum())
    error, df = error_and_df(derivative, share, Y.sum())
    expected = beta_limits(f1, error, df, Y.sum(), 0.025)
    table = threshold_table(Y, SCORE, thresholds=1.0)
    np.testing.assert_allclose((table.f1_low[0], table.f1_high[0]), expected, rtol=1e-4)


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


def as_list(values):
    return np.asarray(values).tolist()


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


def of_torch(values, dtype="float32"):
    torch = pytest.importorskip("torch")
    return torch.tensor(values, dtype=getattr(torch, dtype))


ROUNDED = {
    "float16": (np.float16, 0.7001953125),
    "float32": (np.float32, 0.699999988079071),
    "big-endian float32": (lambda values: np.array(values, dtype=">f4"), 0.699999988079071),
    "float64": (np.float64, 0.7),
    "long double": (np.longdouble, 0.7),
    "list": (as_list, 0.7),
    "polars": (of_polars, 0.699999988079071),
    "pandas": (of_pandas, 0.699999988079071),
    "array_api_strict": (of_array_api_strict, 0.699999988079071),
    "torch": (of_torch, 0.699999988079071),
    "bfloat16 of torch": (partial(of_torch, dtype="bfloat16"), 0.69921875),
    "bfloat16": (BFloat16, 0.69921875),
}


@pytest.mark.parametrize("name", ROUNDED)
def test_thresholds_are_rounded_to_the_dtype_of_the_scores(name):
    make, expected = ROUNDED[name]
    score = make([0.1, 0.3, 0.7, 0.7, 0.7, 0.9])
    table = threshold_table([0, 1, 0, 1, 1, 1], score, thresholds=[0.7, 0.3])
    assert table.n_predicted.tolist() == [4, 5]
    assert table.threshold[0] == expected


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64])
def test_thresholds_of_integer_scores_are_not_rounded(dtype):
    score = np.array([0, 1, 2, 100], dtype=dtype)
    table = threshold_table([0, 1, 0, 1], score, thresholds=[1.7, 0.3, 99.99999, 1.00001])
    assert table.n_predicted.tolist() == [2, 3, 1, 2]
    assert table.threshold.tolist() == [1.7, 0.3, 99.99999, 1.00001]


@pytest.mark.parametrize(("threshold", "n_predicted"), [(1e5, 0), (-1e5, 4)])
def test_thresholds_beyond_the_range_of_the_dtype(threshold, n_predicted):
    score = np.array([-60000, 0.1, 0.2, 60000], dtype=np.float16)
    found = operating_point_interval(
        [0, 1, 0, 1], score, metric="recall", threshold=threshold
    )
    assert found.n_predicted == n_predicted


@pytest.mark.parametrize("heaviest", [1, 1e20])  # 1e20 + 1 == 1e20
def test_all_samples_at_k(heaviest):
    weight = np.where(SCORE >= 1, heaviest, WEIGHT)
    with pytest.warns(UndefinedMetricWarning, match="the npv is undefined"):
        table = threshold_table(Y, SCORE, k=1.0, sample_weight=weight)
    assert (table.recall, table.specificity) == (1, 0)


def test_a_class_without_samples():
    with pytest.warns(UndefinedMetricWarning, match="No positive samples"):
        table = threshold_table(np.zeros(N), SCORE, thresholds=THRESHOLDS)
    for rate in RATES:
        assert np.isnan([getattr(table, rate), getattr(table, f"{rate}_low")]).all()
    assert table.n_predicted[0] == np.count_nonzero(SCORE >= 1)


BAD = {
    "neither": ({}, ValueError, "Pass exactly one of `thresholds`, `k`. Got none"),
    "both": ({"k": 3, "thresholds": 1}, ValueError, "Got thresholds, k"),
    "nan": ({"thresholds": [1, np.nan]}, ValueError, "`thresholds` must not have NaN"),
    "text": ({"thresholds": "1"}, TypeError, "`thresholds` must hold real numbers"),
    "empty": ({"thresholds": []}, ValueError, "`thresholds` must not be empty"),
    "masked": ({"k": np.ma.array([1, 2], mask=[0, 1])}, ValueError, "`k` has masked"),
    "table": ({"k": [[1, 2]]}, ValueError, "`k` must be one-dimensional"),
    "k 0": ({"k": [5, 0]}, ValueError, "`k` must be a number of samples, an integer from"),
    "k too large": ({"k": N + 1}, ValueError, "`k` must not exceed the number of samples"),
    "prevalence": ({"k": 5, "prevalence": 0.1}, ValueError, "`prevalence` needs `thresh"),
    "level": ({"k": 5, "confidence_level": 95}, ValueError, "`confidence_level` must be"),
}


@pytest.mark.parametrize("name", BAD)
def test_errors_name_the_argument(name):
    options, error, message = BAD[name]
    with pytest.raises(error, match=message):
        threshold_table(Y, SCORE, **options)


def test_rows_of_the_frame():
    frame = threshold_table(Y, SCORE, thresholds=THRESHOLDS).to_frame()
    assert frame["threshold"].tolist() == THRESHOLDS
    assert {"npv", "npv_low", "f1_high", "tps"} <= set(frame)


def test_a_long_table_prints_its_first_rows():
    table = threshold_table(Y, SCORE, thresholds=np.linspace(0, 1, 30))
    assert len(str(table).splitlines()) == 23
    assert "and 10 more rows" in str(table)
