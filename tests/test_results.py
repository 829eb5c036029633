"""The family of results: text, notebook table, dict, DataFrame and pickles."""

import copy
import dataclasses
import itertools
import json
import math
import pickle
import re
import sys

import numpy as np
import pandas as pd
import pytest
from inference import compare_two
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB

import sklearn_achievable_pr as apr
from sklearn_achievable_pr import results

RNG = np.random.default_rng(7)
Y = RNG.random(400) < 0.2
SCORE = Y + RNG.normal(size=400)
SCORES = {name: SCORE + RNG.normal(size=400) for name in ("a", "b", "c", "d", "e")}
FEATURES = SCORE[:, np.newaxis]
CV_RESULTS = cross_validate(
    GaussianNB(), FEATURES, Y, return_estimator=True, return_indices=True
)
SEEDED = {"n_resamples": 99, "random_state": 0}

RESULTS = {
    "interval": apr.auc_pr_interval(Y, SCORE),
    "one-sided interval": apr.auc_pr_interval(Y, SCORE, alternative="greater"),
    "comparison": compare_two(Y, SCORE, SCORES["a"]),
    "chance": apr.auc_pr_chance_test(Y, SCORE, **SEEDED),
    "operating point": apr.operating_point_interval(Y, SCORE, recall=0.8),
    "rates": apr.threshold_table(Y, SCORE, thresholds=[0.0, 1.0], prevalence=0.3),
    "sample size": apr.required_sample_size(width=0.1, auc_pr=0.6, prevalence=0.1),
    "models": apr.compare_models(Y, SCORES),
    "cross-validation": apr.auc_pr_interval_cv(CV_RESULTS, FEATURES, Y),
    "models of a cross-validation": apr.compare_models_cv(
        {"a": CV_RESULTS, "b": CV_RESULTS}, FEATURES, Y
    ),
    "subgroups": apr.compare_subgroups(Y, SCORE, np.arange(400) % 3),
    "limits": results.ConfidenceInterval(0.1, 0.2),
    "guarantee": results.Guarantee(0.9, min_recall=0.8),
    "chosen threshold": apr.choose_threshold(
        Y, SCORE, objective="precision", min_recall=0.7, confidence_level=0.9
    ),
    "randomized threshold": results.RandomizedThreshold(0.5, 0.25),
    "tuning counts": results.TuningCounts(np.array([0, 2]), np.array([0, 3])),
    "tuning curve": results.TuningCurve(
        np.array([0, 2]), np.array([0, 3]), np.array([0.5]), np.array([0, 1])
    ),
    "fold predictions": apr.fold_predictions(CV_RESULTS, FEATURES, Y),
    "bounds": results.Bounds(0.1, 0.3, 0.2),
}
LONGEST = {"models": 2600, "subgroups": 1200, "rates": 700, "chosen threshold": 900}
# Dicts of results, arrays, a result in a result, and lists of arrays that can be unpacked.
every_kind = pytest.mark.parametrize(
    "name", ["models", "rates", "chosen threshold", "fold predictions"]
)


@every_kind
def test_results_are_frozen_dataclasses_of_the_public_module(name):
    result = RESULTS[name]
    assert type(result) is getattr(results, type(result).__name__)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(result, dataclasses.fields(result)[0].name, None)


def test_results_have_at_most_three_ancestors():
    own = [
        [one for one in getattr(results, name).__mro__[1:] if "results" in one.__module__]
        for name in results.__all__
    ]
    assert max(map(len, own)) <= 3


@every_kind
def test_repr_is_the_printed_text_and_short(name):
    assert repr(RESULTS[name]) == str(RESULTS[name])
    assert 0 < len(str(RESULTS[name])) < LONGEST.get(name, 600)
    assert " \n" not in str(RESULTS[name])


LONG = "gradient boosting with isotonic calibration, all features, third run of the search"
WIDE_RESULTS = RESULTS | {
    "weights": apr.threshold_table(
        Y, SCORE, thresholds=[1 / 3, 0.5], sample_weight=np.linspace(1, 2, 400)
    ),
    "long names": apr.compare_models(
        Y,
        dict.fromkeys((LONG, LONG.title()), SCORE),
        recall_range=(0.25, 0.75),
        prevalence=0.3,
    ),
    "long names of a pair": dataclasses.replace(
        RESULTS["comparison"], names=(LONG, LONG.title())
    ),
    "pilot": apr.required_sample_size(
        difference=0.05, auc_pr=0.7, prevalence=0.12345, spread=1.2345, correlation=0.123
    ),
}


@pytest.mark.parametrize("name", ["rates", "long names", "long names of a pair", "pilot"])
def test_a_print_is_at_most_88_characters_wide(name):
    assert max(map(len, str(WIDE_RESULTS[name]).splitlines())) <= 88


BLOCKS = [
    ("rates", ["recall", "precision"]),
    ("weights", ["recall", "specificity", "selection rate"]),
]


@pytest.mark.parametrize(("name", "rates"), BLOCKS)
def test_a_wide_table_is_printed_in_blocks_with_the_same_first_column(name, rates):
    blocks = [block.splitlines() for block in str(WIDE_RESULTS[name]).split("\n\n")]
    blocks = blocks[: len(rates)]
    firsts = [[line.split()[0] for line in block] for block in blocks]
    assert firsts == [firsts[0]] * len(rates)
    assert firsts[0][0] == "threshold"
    for rate, block in zip(rates, blocks, strict=True):
        assert rate in block[0]


@pytest.mark.parametrize(("name", "rates"), BLOCKS)
def test_a_notebook_shows_the_blocks_of_a_wide_table(name, rates):
    tables = WIDE_RESULTS[name]._repr_html_().split("<table")[1:]
    assert len(tables) == len(rates)
    for rate, table in zip(rates, tables, strict=True):
        assert "<tr><th>threshold</th>" in table
        assert f"<th>{rate}</th>" in table


@pytest.mark.parametrize(
    ("limits", "shown"),
    [
        ((0.6110, 0.7751), "0.70 (0.61, 0.78)"),
        ((0.00512, 0.00766), "0.6977 (0.0051, 0.0077)"),
        ((0.69, 0.69), "0.6977 (0.6900, 0.6900)"),
        ((np.nan, np.nan), "0.6977 (undefined)"),
    ],
)
def test_an_interval_has_the_digits_that_its_width_needs(limits, shown):
    assert printed_differences(limits) == [shown]


@pytest.mark.parametrize(
    ("limits", "shown"),
    [
        ((-0.239, -0.0049), "0.698 (-0.239, -0.005)"),
        ((0.00012, 0.7), "0.6977 (0.0001, 0.7000)"),
        ((-0.0049, 0.7), "0.698 (-0.005, 0.700)"),
        ((0.0, 0.7), "0.70 (0.00, 0.70)"),
    ],
)
def test_a_limit_of_a_difference_looks_like_0_only_if_it_is_0(limits, shown):
    assert printed_differences(limits) == [shown]


def printed_differences(*limits):
    """The printed differences of 0.6977 with these limits."""
    models = RESULTS["models"]
    names = [*models.pairs][: len(limits)]
    pairs = {
        key: dataclasses.replace(
            models.pairs[key], difference=0.6977, confidence_interval=one
        )
        for key, one in zip(names, limits, strict=True)
    }
    text = str(dataclasses.replace(models, pairs=pairs, reference=None))
    rows = re.findall("^[a-e] - [a-e] +.*", text, re.MULTILINE)
    return [re.split("  +", row)[1] for row in rows]


def test_a_column_has_the_decimals_of_its_narrowest_interval():
    scores = {"narrow": Y + SCORE / 10, "wide": SCORES["a"]}
    frame = apr.compare_models(Y, scores).to_frame()
    n_decimals = {len(text) for text in re.findall(r"\.(\d+)", "".join(frame.iloc[:, -1]))}
    width = (frame["high"] - frame["low"]).min()
    assert n_decimals == {1 - math.floor(math.log10(width))}


def test_an_empty_line_stands_beside_the_tables_of_a_print():
    blocks = str(apr.compare_models(Y, SCORES)).split("\n\n")
    assert [block.split()[0] for block in blocks[:2]] == ["rank", "pair"]
    assert blocks[2].splitlines()[1].startswith("400 samples")


def test_a_print_without_a_table_has_no_empty_line():
    assert "\n\n" not in str(apr.auc_pr_interval(Y, SCORE))


@pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")
def test_limits_that_differ_by_rounding_have_four_decimals():
    y_true, y_score = [1] * 8 + [0] * 4, [*range(20, 12, -1), *range(4)]
    result = apr.auc_pr_interval(
        y_true, y_score, recall_range=(0.08, 0.48), alternative="less"
    )
    assert 0 < result.confidence_interval.high - result.estimate < 1e-15
    assert str(result).startswith("AUC-PR, recall 0.08 to 0.48: 0.4000 (standard error 0, ")


def test_the_digits_of_a_one_sided_interval_follow_its_distance_from_the_estimate():
    result = dataclasses.replace(
        RESULTS["one-sided interval"], estimate=0.00631, confidence_interval=(0.00512, 1)
    )
    assert "AUC-PR: 0.0063 (" in str(result)
    assert "at least 0.0051\n" in str(result)


@pytest.mark.parametrize(
    ("pvalue", "shown"),
    [(0.0009, "< 0.001"), (0.001, "0.001"), (0.3951, "0.395"), (np.nan, "undefined")],
)
def test_a_small_p_value_is_printed_as_less_than_0_001(pvalue, shown):
    result = dataclasses.replace(RESULTS["chance"], pvalue=pvalue)
    assert f"p-value: {shown} (" in str(result)
    assert result.to_dict()["pvalue"] == pytest.approx(pvalue) or np.isnan(pvalue)


@pytest.mark.parametrize(
    ("models", "adjust", "title"),
    [
        ("abc", "holm", "p-value (Holm)"),
        ("abc", None, "p-value"),
        ("ab", "holm", "p-value"),
    ],
)
def test_adjusted_p_values_are_named_where_several_pairs_are_adjusted(
    models, adjust, title
):
    scores = {name: SCORES[name] for name in models}
    lines = str(apr.compare_models(Y, scores, adjust=adjust)).splitlines()
    assert lines[len(models) + 2].endswith(f"difference (95 % interval)  {title}")


def test_pairs_are_shown_as_better_minus_worse():
    scores = {"worst": SCORE[::-1], "best": SCORE, "middle": SCORES["a"]}
    found = apr.compare_models(Y, scores)
    pairs = found.to_frame("pairs")
    names = [*zip(pairs["model_a"], pairs["model_b"], strict=True)]
    assert names == [("best", "middle"), ("best", "worst"), ("middle", "worst")]
    assert (pairs[["difference", "statistic"]] > 0).to_numpy().all()
    passed = found.pairs["worst", "best"]
    assert pairs["difference"][1] == -passed.difference
    assert (pairs["low"][1], pairs["high"][1]) == (
        -passed.confidence_interval.high,
        -passed.confidence_interval.low,
    )
    assert pairs["adjusted_pvalue"][1] == found.adjusted_pvalues["worst", "best"]
    printed = [line.split("  ")[0] for line in str(found).splitlines()[6:9]]
    assert printed == [" - ".join(pair) for pair in names]


def test_a_reference_stays_the_second_of_each_printed_pair():
    found = apr.compare_models(Y, {"worst": SCORE[::-1], "best": SCORE}, reference="best")
    assert "\nworst - best  -" in str(found)


def test_an_undefined_model_is_the_last():
    models = RESULTS["models"].models | {
        "a": dataclasses.replace(RESULTS["models"].models["a"], estimate=np.nan)
    }
    found = dataclasses.replace(RESULTS["models"], models=models)
    assert [*found.to_frame()["model"]] == ["c", "e", "b", "d", "a"]


def test_a_test_against_chance_has_no_clusters():
    assert not hasattr(RESULTS["chance"], "n_clusters")


@every_kind
def test_html_shows_the_numbers_of_the_text(name):
    html = RESULTS[name]._repr_html_()
    for word in str(RESULTS[name]).replace("(", " ").replace(",", " ").split():
        if word.rstrip(".").replace(".", "").isdigit():
            assert word.rstrip(".") in html


@every_kind
def test_dicts_are_plain_values(name):
    found = RESULTS[name].to_dict()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert "distribution" not in json.dumps(found)


@every_kind
def test_frames_have_a_row(name):
    frame = RESULTS[name].to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame)


@every_kind
def test_pickles_load(name):
    again = pickle.loads(pickle.dumps(RESULTS[name]))
    assert type(again) is type(RESULTS[name])
    assert str(again) == str(RESULTS[name])


def test_names_are_escaped_in_html():
    names = {"<b>": SCORE, "b": SCORE[::-1]}
    assert "&lt;b&gt;" in apr.compare_models(Y, names)._repr_html_()


def test_infinities_are_text_and_nan_is_none_in_a_dict():
    found = results.Bounds(np.array([-np.inf, np.nan]), np.inf, 0.5).to_dict()
    assert found == {"low": ["-inf", None], "high": "inf", "estimate": 0.5}


def arrays_of(result):
    """All arrays in a result."""
    for value in vars(result).values():
        value = [*value.values()] if isinstance(value, dict) else value
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, results.Result):
                yield from arrays_of(one)
            elif isinstance(one, np.ndarray):
                yield one


WITH_ARRAYS = [
    "chance", "rates", "tuning counts", "tuning curve", "fold predictions",
]  # fmt: skip


def test_these_results_have_arrays():
    assert [name for name in RESULTS if [*arrays_of(RESULTS[name])]] == WITH_ARRAYS


COPIES = {
    "itself": lambda result: result,
    "pickle": lambda result: pickle.loads(pickle.dumps(result)),
    "deep copy": copy.deepcopy,
    "replaced": dataclasses.replace,
}


@pytest.mark.parametrize("copied", COPIES)
def test_arrays_are_read_only(copied):
    copies = [COPIES[copied](RESULTS[name]) for name in WITH_ARRAYS]
    for array in itertools.chain.from_iterable(map(arrays_of, copies)):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_the_arrays_of_the_caller_stay_writeable():
    fps, tps = np.array([0, 2]), np.array([0, 3])
    results.TuningCounts(fps, tps)
    fps[0] = tps[0] = 1


def test_no_result_shares_memory_with_the_arrays_of_the_caller():
    y_score, thresholds = np.sort(SCORE), np.array([0.0, 1.0])
    found = (
        apr.threshold_table(Y, y_score, thresholds=thresholds),
        apr.auc_pr_chance_test(Y, y_score, **SEEDED),
    )
    for array in itertools.chain.from_iterable(map(arrays_of, found)):
        assert not np.shares_memory(array, y_score)
        assert not np.shares_memory(array, thresholds)


def test_records_can_be_unpacked_and_compared_with_tuples():
    low, high = RESULTS["interval"].confidence_interval
    assert RESULTS["interval"].confidence_interval == (low, high)
    assert hash(RESULTS["interval"].confidence_interval) == hash((low, high))
    zeros, ones = np.zeros((2, 3)), np.ones((2, 3))
    assert results.TuningCounts(*zeros) == results.TuningCounts(*zeros.copy())
    assert results.TuningCounts(*zeros) != results.TuningCounts(*ones)


def test_equal_records_have_equal_hashes():
    counts = results.TuningCounts(np.array([0, 2]), np.array([0, 3]))
    assert {counts, ((0, 2), (0, 3)), counts} == {counts}
    assert hash(RESULTS["tuning curve"]) == hash(((0, 2), (0, 3), (0.5,), (0, 1)))
    assert hash(results.Bounds(*np.ones((3, 2, 2)))) == hash(3 * (((1, 1), (1, 1)),))


@pytest.mark.parametrize("below", [0.9999999, np.nextafter(1, 0)])
def test_a_number_just_below_1_is_not_printed_as_1(below):
    table = apr.threshold_table(Y, SCORE, thresholds=[below], prevalence=0.3)
    assert "\n0.999" in str(table)
    guarantee = results.Guarantee(below, max_fpr=below)
    assert f"rate is at most {below}, with confidence {below}," in " ".join(
        str(guarantee).split()
    )


def test_counts_are_printed_in_full_and_without_their_rounding():
    counts = np.array([2245391.0, 50 * (1 + 1e-15)])
    lines = str(dataclasses.replace(RESULTS["rates"], n_predicted=counts)).splitlines()
    assert [line.split()[1] for line in lines[1:3]] == ["2245391", "50"]


def test_results_are_equal_if_all_their_values_are():
    """In earlier versions tables of other thresholds of the same samples were equal."""
    assert apr.auc_pr_interval(Y, SCORE) == RESULTS["interval"]
    assert hash(apr.auc_pr_interval(Y, SCORE)) == hash(RESULTS["interval"])
    assert apr.auc_pr_interval(Y, SCORE, metric="aucnpr") != RESULTS["interval"]
    other = apr.threshold_table(Y, SCORE, thresholds=[0.0, 2.0], prevalence=0.3)
    assert other != RESULTS["rates"]


CHANGES = [
    ("chosen threshold", {"threshold": np.inf}, {"threshold": -np.inf}),
    ("chosen threshold", {"threshold": np.inf}, {"threshold": np.nan}),
    ("interval", {"df": None}, {"df": np.nan}),
    ("rates", {"recall": np.array([1, np.nan])}, {"recall": np.array([1, np.inf])}),
]


@pytest.mark.parametrize(("name", "one", "other"), CHANGES)
def test_results_of_different_values_are_not_equal(name, one, other):
    result = RESULTS[name]
    assert dataclasses.replace(result, **one) != dataclasses.replace(result, **other)


UNDEFINED = [
    ("interval", lambda: {"df": float("nan"), "confidence_interval": (float("nan"), 1.0)}),
    ("rates", lambda: {"recall": np.array([1, np.nan])}),
    ("sample size", lambda: {"width": float("nan")}),
]


@pytest.mark.parametrize(("name", "undefined"), UNDEFINED)
def test_nan_equals_nan(name, undefined):
    one, other = (dataclasses.replace(RESULTS[name], **undefined()) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)


@every_kind
def test_equal_results_have_one_hash(name):
    again = copy.deepcopy(RESULTS[name])
    assert again == RESULTS[name]
    assert hash(again) == hash(RESULTS[name])


def test_bounds_of_several_recalls_have_a_hash():
    low, high = np.array([0.1, 0.2]), np.array([0.3, np.nan])
    one, other = (results.Bounds(low.copy(), high.copy(), float("nan")) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)


def test_subgroups_of_a_number_and_its_text_are_not_equal():
    by = np.arange(400) % 3
    found = [apr.compare_subgroups(Y, SCORE, labels) for labels in (by, by.astype(str))]
    assert found[0] != found[1]


@pytest.mark.filterwarnings("ignore:.*The scores rank negatives")
def test_a_frame_keeps_numbers_that_are_not_finite():
    row = apr.operating_point_interval(Y, -SCORE, precision=0.9).to_frame()
    assert row["threshold"].item() == np.inf
    assert row["estimate"].dtype == float


def test_a_reference_prevalence_is_printed():
    found = apr.operating_point_interval(Y, SCORE, recall=0.8, prevalence=0.3)
    assert "Precision at recall 0.8, at prevalence 0.3: " in str(found)


@pytest.mark.parametrize(
    "options",
    [{"prevalence": 0.3}, {"sample_weight": np.linspace(1, 2, 400)}],
    ids=["prevalence", "weights"],
)
def test_the_weight_predicted_positive_is_called_a_weight(options):
    found = apr.operating_point_interval(Y, SCORE, recall=0.8, **options)
    assert f"predicted positive: weight {found.n_predicted:.6g}, down to" in str(found)


@pytest.mark.parametrize(
    ("error", "df", "text"),
    [
        (0.05, 7.25, "(standard error 0.050, degrees of freedom 7.2)"),
        (0.0123, 148.0, "(standard error 0.012, degrees of freedom 150)"),
    ],
)
def test_a_standard_error_has_two_digits(error, df, text):
    result = dataclasses.replace(
        RESULTS["interval"],
        standard_error=error,
        df=df,
        n_samples=10**5,
        n_positive=10**4,
    )
    assert text in str(result)


def test_a_guarantee_of_several_constraints_is_filled_to_the_width():
    one = results.Guarantee(0.9, min_recall=0.5)
    condition = "for independent samples, or groups, of this population."
    assert str(one).splitlines()[1] == condition
    five = results.Guarantee(0.9, 0.5, 0.5, 0.5, 0.5, 0.5)
    assert len(str(five).splitlines()) == 3


@pytest.mark.parametrize(
    ("n_predicted", "shown"),
    [(73.4371, "73.4 (interpolated)"), (73.99, "74.0 (interpolated)"), (73 + 1e-12, "73")],
)
def test_a_number_of_samples_between_two_integers_is_called_interpolated(
    n_predicted, shown
):
    result = dataclasses.replace(RESULTS["operating point"], n_predicted=n_predicted)
    assert f"predicted positive: {shown}, down to" in str(result)
    weighted = dataclasses.replace(result, _is_weighted=True)
    assert "interpolated" not in str(weighted)


def test_an_undefined_rate_is_printed_without_a_cut():
    with pytest.warns(UndefinedMetricWarning):
        found = apr.operating_point_interval(np.zeros(9), np.arange(9), recall=0.5)
    assert "predicted positive" not in str(found)


WEIGHT = np.linspace(1, 2, 400)
WEIGHTED = {
    "interval": lambda **w: apr.auc_pr_interval(Y, SCORE, **w),
    "models at a threshold": lambda **w: apr.compare_models(
        Y, SCORES, metric="recall_at_threshold", at=0.5, **w
    ),
    "subgroups": lambda **w: apr.compare_subgroups(Y, SCORE, np.arange(400) % 3, **w),
    "rates": lambda **w: apr.threshold_table(Y, SCORE, thresholds=[0.0, 1.0], **w),
}


@pytest.mark.parametrize("name", WEIGHTED)
def test_the_print_says_that_samples_are_weighted(name):
    sizes = f"400 samples (weighted), {np.count_nonzero(Y)} positive"
    assert sizes in str(WEIGHTED[name](sample_weight=WEIGHT))
    assert "(weighted)" not in str(WEIGHTED[name]())


def test_the_print_of_weighted_clusters_names_both():
    found = apr.auc_pr_interval(Y, SCORE, sample_weight=WEIGHT, groups=np.arange(400) // 2)
    assert "400 samples (weighted) in 200 clusters, " in str(found)


def test_the_print_of_folds_says_that_samples_are_weighted():
    folds = apr.fold_predictions(CV_RESULTS, FEATURES, Y, sample_weight=WEIGHT)
    assert str(folds).startswith("400 samples (weighted), ")


def test_the_text_of_weighted_counts_calls_them_weights():
    counts = apr.PRCounts()
    counts.update([0, 1, 1], [1, 2, 3], sample_weight=[0.5, 1, 2])
    assert "positives of weight 3 and negatives of 0.5 in" in repr(counts)


def test_a_frame_has_the_limits_as_columns():
    result = RESULTS["interval"]
    row = result.to_frame().iloc[0]
    assert (row["low"], row["high"]) == tuple(result.confidence_interval)


def test_arrays_are_columns_of_a_frame():
    frame = RESULTS["tuning curve"].to_frame()
    assert frame.to_dict("list") == {
        "score": [np.inf, 0.5],
        "fps": [0, 2],
        "tps": [0, 3],
        "is_vertex": [True, True],
    }


@every_kind
def test_pandas_is_named_where_it_is_missing(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="`to_frame` needs pandas"):
        RESULTS[name].to_frame()


@pytest.mark.parametrize("threshold", [0.9999999, 1e9 + 0.5, 3.0, np.inf])
def test_the_printed_threshold_is_not_rounded_to_a_whole_number(threshold):
    point = dataclasses.replace(RESULTS["chosen threshold"], threshold=threshold)
    printed = str(point).splitlines()[0].split(">= ")[1].split(":")[0].rstrip(".")
    assert float(printed) == threshold
    assert len(printed) <= 12


def recall_minus_fpr(tps, fps, fns, tns):
    return tps / (tps + fns) - fps / (fps + tns)


recall_minus_fpr.__name__ = "recall"


def test_the_value_of_an_objective_named_as_a_rate_is_printed():
    point = apr.choose_threshold(Y, SCORE, objective=recall_minus_fpr)
    assert f" Objective: recall {point.objective_value:#.2g}." in str(point)


def test_a_share_just_below_100_percent_is_not_printed_as_100():
    y, score = np.arange(10_000) % 2, np.arange(10_000)
    printed = str(apr.choose_threshold(y, score, objective="recall", max_fpr=0.9999))
    assert "\n99.99 % predicted positive." in printed


WIDE = {
    "threshold": -0.12345678901234567,
    "precision": 1 - 2**-52,
    "recall": 1 - 2**-52,
    "npv": 1 - 2**-52,
    "selection_rate": 0.123456,
    "fpr": 0.5,
    "objective": "make_scorer(fbeta_score, response_method='predict', beta=0.12345678)",
    "objective_value": -0.123456789,
    "response_method": "-decision_function",
    "n_samples": 123_456_789,
    "n_positive": 12_345_678,
}


@pytest.mark.parametrize(
    "more",
    [
        {"threshold": -np.inf},
        {"guarantee": results.Guarantee(0.123456, *5 * [0.123456])},
        {"prevalence": 0.12345678},
        {"randomized_threshold": (-0.12345678901234567, 0.5)},
    ],
    ids=str,
)
def test_an_operating_point_is_printed_at_most_88_characters_wide(more):
    point = results.OperatingPoint(**{**WIDE, **more})
    assert max(map(len, str(point).splitlines())) <= 88


def test_the_value_of_an_objective_is_printed_if_it_equals_a_rate():
    assert str(apr.choose_threshold([0, 0, 1, 1], [1, 2, 3, 4])).endswith(
        " Objective: f1 1."
    )


def test_the_printed_interval_says_what_it_is_of():
    result = apr.auc_pr_interval(
        Y, SCORE, metric="aucnpr", groups=np.arange(400) // 2, recall_range=(0, 0.5),
        prevalence=0.1, alternative="less",
    )  # fmt: skip
    high = result.confidence_interval.high
    assert str(result).splitlines() == [
        f"AUCNPR, recall 0 to 0.5, at prevalence 0.1: {result.estimate:.2f} (standard "
        f"error {result.standard_error:.2g})",
        f"one-sided 95 % confidence interval: at most {high:.2f}",
        f"400 samples in 200 clusters, {Y.sum()} positive; chance level: 0.075",
    ]


@pytest.mark.parametrize(
    "function",
    [
        lambda **options: apr.auc_pr_interval(Y, SCORE, **options),
        lambda **options: apr.compare_models(Y, {"a": SCORE, "b": SCORE[::-1]}, **options),
        lambda **options: apr.compare_subgroups(Y, SCORE, np.arange(400) % 2, **options),
        lambda **options: apr.auc_pr_chance_test(Y, SCORE, n_resamples=9, **options),
    ],
    ids=["interval", "models", "subgroups", "chance test"],
)
def test_the_area_of_a_recall_range_is_printed_with_its_largest_value(function):
    text = "largest possible value: 0.2, the width of the recall range"
    assert str(function(recall_range=(0.8, 1))).splitlines()[-1] == text
    for options in ({}, {"metric": "aucnpr", "recall_range": (0.8, 1)}):
        assert "largest possible value" not in str(function(**options))


def test_an_undefined_standard_error_is_not_printed():
    result = dataclasses.replace(RESULTS["interval"], standard_error=np.nan)
    assert str(result).startswith(f"AUC-PR: {result.estimate:.2f}\n95 %")


def test_a_single_cluster_is_printed_in_the_singular():
    result = dataclasses.replace(RESULTS["interval"], n_clusters=1)
    assert f"400 samples in 1 cluster, {Y.sum()} positive" in str(result)


def test_a_cut_inside_a_tie_is_named():
    result = apr.operating_point_interval(Y, np.round(SCORE), recall=0.6)
    tie = np.count_nonzero(np.round(SCORE) == result.threshold)
    assert f"down to the score {result.threshold:g}, inside a tie of {tie}" in str(result)


def test_a_threshold_is_not_printed_as_a_score():
    options = {"metric": "recall_at_threshold", "at": 0.25}
    models = apr.compare_models(Y, {"a": SCORE, "b": SCORE[::-1]}, **options).models
    n_predicted = np.count_nonzero(SCORE >= 0.25)
    assert f"predicted positive: {n_predicted}, y_score >= 0.25" in str(models["a"])


def test_thresholds_of_opposite_infinities_are_not_equal():
    low, high = (results.RandomizedThreshold(end, 0.5) for end in (-np.inf, np.inf))
    assert low != high
    assert low == results.RandomizedThreshold(-np.inf, 0.5)


def test_a_result_equals_no_value_of_another_type():
    plan = apr.required_sample_size(width=0.1, auc_pr=0.6, prevalence=0.1)
    assert plan not in (5, None, plan.to_dict())


def test_an_objective_that_is_a_rate_is_printed_once():
    y_true, y_score = [0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5]
    printed = str(apr.choose_threshold(y_true, y_score, objective="precision"))
    assert printed.count("precision") == 1
