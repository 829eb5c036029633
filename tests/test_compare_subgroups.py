"""`compare_subgroups`: numbers of the parts, unpaired tests, notes, errors, the plot."""

import itertools
import json
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_achievable_pr import (
    CoverageWarning,
    auc_pr_influence,
    auc_pr_interval,
    compare_subgroups,
)

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")

RNG = np.random.default_rng(5)
N = 900
BY = RNG.choice(["a", "b", "c"], N, p=[0.5, 0.3, 0.2])
Y = RNG.random(N) < np.where(BY == "a", 0.2, 0.4)
SCORE = (Y + RNG.normal(size=N)).round(1)
WEIGHT = RNG.uniform(0.5, 2, N)
GROUPS = np.arange(N) // 3  # reach over subgroups
DESIGNS = {
    "plain": {},
    "AUCNPR of a part": {"metric": "aucnpr", "recall_range": (0.2, 0.9)},
    "average precision": {"metric": "average_precision", "prevalence": 0.3},
    "weights and groups": {"sample_weight": WEIGHT, "groups": GROUPS},
}
OF_SAMPLES = ("sample_weight", "groups")


def part(options, is_in):
    """Options of a subgroup."""
    return {k: v[is_in] if k in OF_SAMPLES else v for k, v in options.items()}


@pytest.mark.parametrize("design", DESIGNS)
def test_subgroups_have_the_intervals_of_auc_pr_interval(design):
    options = DESIGNS[design]
    result = compare_subgroups(Y, SCORE, BY, **options)
    assert [*result.subgroups] == ["a", "b", "c"]
    for name, found in result.subgroups.items():
        is_in = name == BY
        alone = auc_pr_interval(Y[is_in], SCORE[is_in], **part(options, is_in))
        assert found.to_dict() == alone.to_dict()
        weights = options.get("sample_weight", np.ones(N))[is_in]
        prevalence = np.average(Y[is_in], weights=weights)
        assert result.own_prevalences[name] == pytest.approx(prevalence, rel=1e-14)


def by_hand(first, second, options):
    """The difference, its limits by the formula of the docstring, its standard error."""
    found = [
        auc_pr_interval(Y[is_in], SCORE[is_in], **part(options, is_in))
        for is_in in (first, second)
    ]
    a, b = found
    (low_a, high_a), (low_b, high_b) = a.confidence_interval, b.confidence_interval
    r = correlation(first, second, options)
    squares = [found[i].standard_error ** 2 for i in (0, 1)]
    error = np.sqrt(sum(squares) - 2 * r * np.sqrt(np.prod(squares)))
    df = sum(squares) ** 2 / (squares[0] ** 2 / a.df + squares[1] ** 2 / b.df)
    quantile = t.ppf(0.975, df)
    shared = (quantile * (a.standard_error - b.standard_error)) ** 2

    def reach(x, y):
        square = x**2 + y**2 - 2 * r * x * y
        if r > 0:
            square = (1 - r) * (x**2 + y**2) + r * shared
        return max(quantile * error, np.sqrt(square))

    d = a.estimate - b.estimate
    low = d - reach(a.estimate - low_a, high_b - b.estimate)
    return d, low, d + reach(high_a - a.estimate, b.estimate - low_b), error


def correlation(first, second, options):
    """Correlation of the sums of weighted influence values of the clusters; 0 without."""
    if "groups" not in options:
        return 0.0
    weight, sums = options.get("sample_weight", np.ones(N)), []
    for is_in in (first, second):
        of_part = part({k: v for k, v in options.items() if k != "groups"}, is_in)
        values = weight[is_in] * auc_pr_influence(Y[is_in], SCORE[is_in], **of_part)
        sums.append(np.bincount(options["groups"][is_in], values, GROUPS.max() + 1))
    one, other = sums
    return one @ other / np.sqrt((one @ one) * (other @ other))


@pytest.mark.parametrize("reference", [None, "rest"])
@pytest.mark.parametrize("design", ["average precision", "weights and groups"])
def test_pairs_have_limits_by_the_limits_of_both_subgroups(design, reference):
    result = compare_subgroups(Y, SCORE, BY, reference=reference, **DESIGNS[design])
    for (a, b), pair in result.pairs.items():
        other = a != BY if b == "rest" else b == BY
        expected = by_hand(a == BY, other, DESIGNS[design])
        found = pair.difference, *pair.confidence_interval, pair.standard_error
        np.testing.assert_allclose(found, expected, rtol=1e-9)
        assert (pair.method, pair.statistic, pair.df) == ("mover", None, None)


@pytest.mark.parametrize("design", DESIGNS)
def test_the_pvalue_is_the_level_at_which_the_interval_excludes_0(design):
    result = compare_subgroups(Y, SCORE, BY, **DESIGNS[design])
    for names, pair in result.pairs.items():
        at_level = compare_subgroups(
            Y, SCORE, BY, confidence_level=1 - pair.pvalue, **DESIGNS[design]
        )
        limits = at_level.pairs[names].confidence_interval
        nearest = limits.low if pair.difference > 0 else limits.high
        assert nearest == pytest.approx(0, abs=1e-7)


def test_equal_values_have_the_pvalue_1():
    y, score = np.tile(Y, 2), np.tile(SCORE, 2)
    pair = compare_subgroups(y, score, np.arange(2 * N) < N).pairs[False, True]
    assert (pair.difference, pair.pvalue) == (0, 1)


@pytest.mark.filterwarnings("ignore:.*The scores rank negatives")
def test_very_different_subgroups_have_a_small_pvalue_that_is_not_0():
    score = np.where(BY == "a", 1, -1) * (Y + 0.0)
    pair = compare_subgroups(Y, score, BY == "a").pairs[False, True]
    assert 0 < pair.pvalue < 1e-20


def test_clusters_of_one_subgroup_each_do_not_correlate_the_values():
    groups = np.unique(np.stack((GROUPS, BY == "a")), axis=1, return_inverse=True)[1]
    result = compare_subgroups(Y, SCORE, BY == "a", groups=groups.reshape(-1))
    errors = [one.standard_error for one in result.subgroups.values()]
    pair = result.pairs[False, True]
    assert pair.standard_error == pytest.approx(np.hypot(*errors), rel=1e-12)


def test_the_smallest_cluster_of_a_subgroup_may_have_any_number():
    """Clusters are numbered in the whole data set, not from 0 in each subgroup."""
    groups = np.where(BY == "a", GROUPS, 5000 - GROUPS)
    found = compare_subgroups(Y, SCORE, BY == "a", groups=groups)
    names = np.char.add("patient ", groups.astype(str))
    other = compare_subgroups(Y, SCORE, BY == "a", groups=names)
    assert found.pairs[False, True].pvalue == pytest.approx(
        other.pairs[False, True].pvalue, rel=1e-9
    )


def test_clusters_of_both_subgroups_are_counted_once():
    pair = compare_subgroups(Y, SCORE, BY == "a", groups=GROUPS).pairs[False, True]
    assert (pair.n_samples, pair.n_positive, pair.n_clusters) == (N, Y.sum(), N // 3)


@pytest.mark.parametrize(
    ("reference", "pairs"),
    [
        (None, [*itertools.combinations("abc", 2)]),
        ("b", [("a", "b"), ("c", "b")]),
        ("rest", [("a", "rest"), ("b", "rest"), ("c", "rest")]),
    ],
)
def test_pairs_of_a_reference(reference, pairs):
    assert [*compare_subgroups(Y, SCORE, BY, reference=reference).pairs] == pairs


def test_a_reference_is_a_string_in_a_dict_like_every_label():
    by = BY == "a"
    found = compare_subgroups(Y, SCORE, by, reference=np.bool_(True)).to_dict()
    assert found["reference"] in found["subgroups"]
    json.dumps(found)


def test_the_rest_is_one_subgroup():
    rest = compare_subgroups(Y, SCORE, BY, reference="rest", groups=GROUPS)
    two = compare_subgroups(Y, SCORE, np.where(BY == "b", "b", "x"), groups=GROUPS)
    found, expected = rest.pairs["b", "rest"], two.pairs["b", "x"]
    assert found.to_dict() | {"names": ["b", "x"]} == expected.to_dict()


@pytest.mark.parametrize(
    ("by", "labels"),
    [
        ([*np.where(BY == "a", "m", "f")], ["f", "m"]),
        (np.array([*np.where(BY == "a", "m", "f")], dtype=object), ["f", "m"]),
        ((BY == "a")[:, np.newaxis], [False, True]),
        (np.where(BY == "a", 9, 10).astype(object), [9, 10]),
    ],
)
def test_subgroups_are_named_by_their_sorted_labels(by, labels):
    assert [*compare_subgroups(Y, SCORE, by).subgroups] == labels


def test_subgroups_of_a_categorical_column():
    found = compare_subgroups(Y, SCORE, pd.Series(BY).astype("category"))
    assert str(found) == str(compare_subgroups(Y, SCORE, BY))


ORDERED = {
    "texts": (["b", "c", "unused", "a"], BY),
    "numbers": ([2, 0, 1], np.arange(N) % 3),
    "dates": (
        np.array(["2024-03-01", "2023-01-01"], dtype="M8[ns]"),
        np.array(["2023-01-01", "2024-03-01"], dtype="M8[ns]")[np.arange(N) % 2],
    ),
}


@pytest.mark.parametrize(
    ("kind", "as_series"),
    [("texts", False), ("texts", True), ("numbers", True), ("dates", False)],
)
def test_ordered_categories_keep_their_order(kind, as_series):
    categories, labels = ORDERED[kind]
    by = pd.Categorical(labels, categories, ordered=True)
    found = compare_subgroups(Y, SCORE, pd.Series(by) if as_series else by)
    assert [*found.subgroups] == [name for name in categories if name != "unused"]
    in_sorted_order = compare_subgroups(Y, SCORE, labels)
    for name, one in found.subgroups.items():
        assert one == in_sorted_order.subgroups[name]


def test_samples_of_weight_0_are_left_out():
    weight = (BY != "c").astype(float)
    used = weight > 0
    found = compare_subgroups(Y, SCORE, BY, sample_weight=weight, groups=GROUPS)
    alone = compare_subgroups(Y[used], SCORE[used], BY[used], groups=GROUPS[used])
    assert found.adjusted_pvalues == pytest.approx(alone.adjusted_pvalues, rel=1e-12)


# Few samples of a class

FEW = np.where(np.arange(N) < 40, "few", BY)
Y_FEW = np.where(FEW == "few", np.arange(N) < 3, Y)


@pytest.fixture(scope="module")
def of_few():
    with pytest.warns(CoverageWarning, match="Subgroup 'few': Only 3 samples are positive"):
        return compare_subgroups(Y_FEW, SCORE, FEW)


def test_few_positives_are_noted(of_few):
    assert str(of_few).splitlines()[-1] == "few: only 3 positives"
    assert np.isfinite(of_few.subgroups["few"].confidence_interval).all()


@pytest.mark.parametrize(("label", "note"), [(0, "no positives"), (1, "no negatives")])
@pytest.mark.parametrize("reference", [None, "rest"])
def test_a_subgroup_without_a_class_stays(label, note, reference):
    y = np.where(BY == "b", label, Y)
    which = note.removeprefix("no ").removesuffix("s")
    with pytest.warns(UndefinedMetricWarning, match=f"Subgroup 'b': No {which} samples"):
        result = compare_subgroups(y, SCORE, BY, reference=reference)
    assert str(result).splitlines()[-1] == f"b: {note}"
    assert np.isnan(result.subgroups["b"].estimate)
    undefined = {pair for pair, p in result.adjusted_pvalues.items() if np.isnan(p)}
    assert undefined == {pair for pair in result.pairs if "b" in pair}


def test_a_subgroup_without_a_class_prints_the_threshold():
    y = np.where(BY == "b", 0, Y)
    with pytest.warns(UndefinedMetricWarning, match="Subgroup 'b': No positive"):
        result = compare_subgroups(y, SCORE, BY, metric="recall_at_threshold", at=0.25)
    row = next(line for line in str(result).splitlines() if line.startswith("b "))
    assert row.split()[4] == "0.25"


def test_one_positive_gives_no_standard_error():
    y = np.where(BY == "b", np.arange(N) == np.flatnonzero(BY == "b")[0], Y)
    with pytest.warns(UndefinedMetricWarning, match="Subgroup 'b': The spread"):
        result = compare_subgroups(y, SCORE, BY)
    assert str(result).splitlines()[-1] == "b: only 1 positive"
    assert np.isnan(result.pairs["a", "b"].pvalue)
    assert [*result.pairs["a", "b"].confidence_interval] == [-1, 1]


def test_two_perfect_rankings_have_an_interval_of_positive_width():
    result = compare_subgroups(Y, Y / 2, BY == "a")
    (pair,) = result.pairs.values()
    low = [one.confidence_interval.low for one in result.subgroups.values()]
    assert [*pair.confidence_interval] == pytest.approx([low[0] - 1, 1 - low[1]])
    assert (pair.difference, pair.standard_error, pair.pvalue) == (0, 0, 1)


def test_dates_with_nanoseconds_stay_dates():
    month = np.array(["2024-01", "2024-02"], dtype="M8[ns]")
    found = compare_subgroups(Y, SCORE, month[np.arange(N) % 2], reference=month[0])
    assert [*found.subgroups] == [*month]


@pytest.mark.parametrize(
    ("times", "texts"),
    [
        (["2024-01-01", "2024-02-01"], ["2024-01-01", "2024-02-01"]),
        (["2024-01-01T06", "2024-01-01T12:30"], ["2024-01-01T06:00", "2024-01-01T12:30"]),
    ],
)
def test_dates_have_no_digits_that_nobody_needs(times, texts):
    by = np.array(times, dtype="M8[ns]")[np.arange(N) % 2]
    found = compare_subgroups(Y, SCORE, by, reference=by[0])
    assert [*found.to_dict()["subgroups"]] == texts
    assert found.to_dict()["reference"] == texts[0]
    lines = str(found).splitlines()
    assert [lines[1].split()[0], lines[2].split()[0]] == texts
    assert lines[-1].startswith(f"{texts[1]} - {texts[0]}  ")
    first, second = found.plot()
    assert [label.get_text() for label in first.get_yticklabels()] == texts
    assert second.get_title() == f"{texts[1]} - {texts[0]}"


def test_numbers_of_subgroups_are_printed_with_all_digits():
    day = np.where(np.arange(N) % 2, 20240101.0, 20240102.0)
    assert re.search(r"^20240101\.0 +450 ", str(compare_subgroups(Y, SCORE, day)), re.M)


# Errors

WITH_REST = np.where(BY == "a", "rest", BY)
BAD_LABELS = {
    "missing": ([None, *BY[1:]], {}, "Got 1 missing labels, and the types NoneType"),
    "types": (np.array([1, *BY[1:]], object), {}, "`by` must be .* the types int, str"),
    "columns": (np.column_stack((BY, BY)), {}, "`by` must .* Combine several columns"),
    "length": (BY[1:], {}, "Pass them in the order of `y_true`"),
}
BAD_SUBGROUPS = {
    "one subgroup": (np.zeros(N, int), {}, "`by` must have at least two subgroups"),
    "rest": (WITH_REST, {"reference": "rest"}, "Rename the subgroup"),
    "reference": (BY, {"reference": "d"}, "`reference` must be one of None, 'rest', 'a'"),
    "metric": (
        BY,
        {"metric": "auprg"},
        "`metric` must be one of 'auc_pr_interpolated', 'aucnpr', 'average_prec",
    ),
}


@pytest.mark.parametrize("name", BAD_LABELS)
def test_errors_name_the_labels(name):
    by, options, message = BAD_LABELS[name]
    with pytest.raises(ValueError, match=message):
        compare_subgroups(Y, SCORE, by, **options)


@pytest.mark.parametrize("name", BAD_SUBGROUPS)
def test_errors_name_the_subgroups_and_options(name):
    by, options, message = BAD_SUBGROUPS[name]
    with pytest.raises(ValueError, match=message):
        compare_subgroups(Y, SCORE, by, **options)


def test_a_label_that_is_a_number_may_be_the_reference():
    result = compare_subgroups(Y, SCORE, np.arange(len(Y)) % 3, reference=0)
    assert [*result.pairs] == [(1, 0), (2, 0)]


def test_the_reference_is_printed_as_its_subgroup():
    by = np.where(BY == "a", 1.0, 0.0)
    found = compare_subgroups(Y, SCORE, by, reference=True)
    assert str(found) == str(compare_subgroups(Y, SCORE, by, reference=1.0))


def test_a_subgroup_may_be_called_rest_without_this_reference():
    assert "rest" in compare_subgroups(Y, SCORE, WITH_REST).subgroups


# Tables and the plot


@pytest.mark.parametrize("text", ["a - b", "p-value (Holm)"])
def test_subgroups_and_pairs_are_printed(text):
    assert text in str(compare_subgroups(Y, SCORE, BY))


@pytest.mark.parametrize("reference", [None, "rest"])
def test_clusters_are_counted_in_the_last_line(reference):
    """A cluster of several subgroups counts once."""
    found = compare_subgroups(Y, SCORE, BY, groups=GROUPS, reference=reference)
    sizes = f"{N} samples in {len(np.unique(GROUPS))} clusters, {Y.sum()} positive"
    assert str(found).splitlines()[-1] == sizes


def test_own_prevalences_are_told_from_the_reference_prevalence():
    assert "  prevalence  " in str(compare_subgroups(Y, SCORE, BY))
    assert "  own prevalence  " in str(compare_subgroups(Y, SCORE, BY, prevalence=0.3))


@pytest.mark.parametrize("rate", ["recall", "precision", "npv", "f1"])
def test_a_reference_prevalence_leaves_the_own_prevalences_of_a_rate(rate):
    options = {"metric": f"{rate}_at_threshold", "at": 0.5}
    found = compare_subgroups(Y, SCORE, BY, prevalence=0.3, **options)
    for name, prevalence in found.own_prevalences.items():
        assert prevalence == pytest.approx(Y[name == BY].mean(), rel=1e-14)


def test_frames_have_the_numbers_of_the_result(of_few):
    pytest.importorskip("pandas")
    subgroups, pairs = of_few.to_frame(), of_few.to_frame("pairs")
    assert [*subgroups["subgroup"]] == ["a", "b", "c", "few"]
    sizes = subgroups[["n_samples", "n_positive"]].to_numpy()
    assert sizes[3].tolist() == [40, 3]
    assert subgroups["own_prevalence"][3] == 3 / 40
    assert pairs["subgroup_b"][0] == "b"
    assert pairs["pvalue"][0] == of_few.pairs["a", "b"].pvalue


@pytest.mark.parametrize(
    ("reference", "shown", "title"),
    [
        ("rest", [0, 1, 2], "Difference from rest"),
        ("b", [0, 2], "Difference from b"),
        (None, [1, 2], "a - other subgroup"),
    ],
)
def test_the_forest_plot_shows_subgroups_in_their_order(reference, shown, title):
    pytest.importorskip("matplotlib")
    result = compare_subgroups(Y, SCORE, BY, reference=reference)
    left, right = result.plot()
    assert [text.get_text() for text in left.get_yticklabels()] == ["a", "b", "c"]
    (points,) = (line for line in right.lines if line.get_marker() == "o")
    assert [*points.get_ydata()] == shown
    differences = [pair.difference for pair in result.pairs.values()][: len(shown)]
    np.testing.assert_array_equal(points.get_xdata(), differences)
    assert right.get_title().startswith(f"{title}\n")


def test_a_subgroup_without_influence_does_not_set_the_scale_of_the_others():
    """At a very small prevalence the squares of influence values would underflow."""
    y_true, by = np.arange(400) % 5 < 2, np.repeat([0, 1], 200)
    y_score = np.where(by == 0, 0, np.random.default_rng(0).normal(size=400) + y_true)
    y_score[200 + np.flatnonzero(~y_true[200:])[:3]] = 99
    pvalues = []
    for prevalence in (1e-9, 1e-90):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = compare_subgroups(y_true, y_score, by, prevalence=prevalence)
        pvalues += [pair.pvalue for pair in found.pairs.values()]
    assert pvalues[1] == pytest.approx(pvalues[0], rel=1e-6)


@pytest.mark.parametrize("n_lost", [0, 1, 2])
def test_subgroups_that_rest_on_few_samples_differ_by_the_limits_of_their_rows(n_lost):
    """The lower limits of the rows count samples that the data do not show."""
    rng = np.random.default_rng(0)
    y_true, by = np.repeat([1, 0], [40, 400]), np.tile(["a", "b"], 220)
    score = 10 * y_true + rng.normal(size=440)
    score[: 2 * n_lost : 2] -= 10
    found = compare_subgroups(y_true, score, by)
    a, b = (found.subgroups[name] for name in "ab")
    (pair,) = found.pairs.values()
    below = a.estimate - a.confidence_interval.low, b.confidence_interval.high - b.estimate
    above = a.confidence_interval.high - a.estimate, b.estimate - b.confidence_interval.low
    assert b.confidence_interval.low < 0.85
    expected = pair.difference - np.hypot(*below), pair.difference + np.hypot(*above)
    assert pair.confidence_interval == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_several_undefined_subgroups_are_counted_in_one_warning():
    y_true, by = np.repeat([0, 1, 0], 100), np.repeat(["b", "a", "c"], 100)
    y_true[50:100] = 1
    with pytest.warns(UndefinedMetricWarning) as caught:
        compare_subgroups(y_true, np.arange(300.0), by)
    (text,) = [str(one.message) for one in caught]
    assert text == (
        "Subgroup 'a': No negative samples in `y_true`: the interval is undefined. 1 more "
        "like this."
    )


def test_measurements_in_place_of_subgroups_raise():
    age = np.random.default_rng(0).normal(60, 10, N)
    with pytest.raises(ValueError, match=r"different numbers, .*`pd.qcut\(by, 4\)`"):
        compare_subgroups(Y, SCORE, age)


def test_20_measurements_are_still_subgroups():
    level = np.arange(N) % 20 + 0.5
    assert len(compare_subgroups(Y, SCORE, level, reference=0.5).subgroups) == 20


@pytest.mark.parametrize(
    ("n_subgroups", "reference", "way_out"),
    [(101, None, "as `reference`"), (5001, "rest", ": merge small subgroups")],
)
def test_more_than_5000_pairs_raise(n_subgroups, reference, way_out):
    by = np.arange(2 * n_subgroups) // 2
    labels, score = np.arange(len(by)) % 2, np.arange(len(by))
    with pytest.raises(ValueError, match=f"at most 5000 pairs .*{way_out}"):
        compare_subgroups(labels, score, by, reference=reference)


# Scores that look wrong


@pytest.mark.parametrize(
    ("changed", "text"),
    [(np.zeros_like, "All samples have one score"), (np.negative, "The scores rank neg")],
)
def test_a_subgroup_whose_scores_look_wrong_is_named(changed, text):
    score = np.where(BY == "b", changed(SCORE), SCORE)
    with pytest.warns(UserWarning, match=f"^Subgroup 'b': {text}") as caught:
        compare_subgroups(Y, score, BY)
    assert len(caught) == 1


@pytest.mark.parametrize("unit", [1, 0.3, 7])
def test_equal_weights_give_the_comparison_without_weights(unit):
    weighted = compare_subgroups(Y, SCORE, BY, sample_weight=np.full(N, unit))
    assert weighted.to_dict() == compare_subgroups(Y, SCORE, BY).to_dict()
