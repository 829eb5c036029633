"""`compare_subgroups`: numbers of the parts, unpaired tests, notes, errors, the plot."""

import itertools
import json
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning
from slow_twins import error_and_df

from sklearn_achievable_pr import (
    CoverageWarning,
    auc_pr_influence,
    auc_pr_interval,
    compare_auc_pr,
    compare_subgroups,
)

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
    "weights": {"sample_weight": WEIGHT},
    "groups": {"groups": GROUPS},
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
        assert result.prevalences[name] == pytest.approx(prevalence, rel=1e-14)


def by_hand(first, second, options):
    """Difference, standard error and p-value from the influence in each subgroup."""
    weight, groups = (options.get(name) for name in OF_SAMPLES)
    weight = np.ones(N) if weight is None else weight
    value, share, values, sizes = [], np.zeros((2, N)), np.zeros(N), []
    for is_in, sign in ((first, 1), (second, -1)):
        of_part = part({k: v for k, v in options.items() if k != "groups"}, is_in)
        value.append(auc_pr_interval(Y[is_in], SCORE[is_in], **of_part).estimate)
        influence = auc_pr_influence(Y[is_in], SCORE[is_in], **of_part)
        values[is_in] += sign * weight[is_in] * influence
        for of_class in (Y & is_in, ~Y & is_in):
            w = np.where(of_class, weight, 0)
            if groups is not None:
                w = np.bincount(groups, w)
                share[0, : len(w)] = np.maximum(share[0, : len(w)], w / w.sum())
            else:
                share[0, of_class] = np.sum(w**2) / w.sum() ** 2
            sizes.append(w.sum() ** 2 / np.sum(w**2))
    share, used = share[0], first | second
    if groups is not None:
        values, used = np.bincount(groups, values), np.unique(groups[used])
        share = share[: len(values)]
    error, df = error_and_df(values[used], share[used], min(sizes))
    difference = value[0] - value[1]
    return difference, error, df, 2 * stats.t.sf(abs(difference / error), df)


FIELDS = ("difference", "standard_error", "df", "pvalue")


@pytest.mark.parametrize("reference", [None, "rest"])
@pytest.mark.parametrize("design", [d for d in DESIGNS if d != "average precision"])
def test_pairs_have_the_unpaired_test_of_their_influence_values(design, reference):
    result = compare_subgroups(Y, SCORE, BY, reference=reference, **DESIGNS[design])
    for (a, b), pair in result.pairs.items():
        other = a != BY if b == "rest" else b == BY
        expected = by_hand(a == BY, other, DESIGNS[design])
        found = [getattr(pair, field) for field in FIELDS]
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_without_clusters_the_variances_of_the_subgroups_add_up():
    result = compare_subgroups(Y, SCORE, BY, prevalence=0.3)
    for (a, b), pair in result.pairs.items():
        errors = [result.subgroups[name].standard_error for name in (a, b)]
        assert pair.standard_error == pytest.approx(np.hypot(*errors), rel=1e-12)


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
        (np.where(BY == "a", 10, 9), [9, 10]),
        (np.where(BY == "a", 10.5, 9.0), [9.0, 10.5]),
        ([*np.where(BY == "a", "m", "f")], ["f", "m"]),
        (np.array([*np.where(BY == "a", "m", "f")], dtype=object), ["f", "m"]),
        ((BY == "a")[:, np.newaxis], [False, True]),
        (np.where(BY == "a", 9, 10).astype(object), [9, 10]),
    ],
)
def test_labels_of_subgroups(by, labels):
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


@pytest.mark.parametrize("kind", ORDERED)
@pytest.mark.parametrize("as_series", [False, True])
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


def test_resamples_of_subgroups_are_independent():
    by = np.where(np.arange(2 * N) < N, "x", "y")  # the same samples twice
    y, score = np.tile(Y, 2), np.tile(SCORE, 2)
    found = compare_subgroups(y, score, by, metric="auprg", n_resamples=199, random_state=0)
    pair = found.pairs["x", "y"]
    assert pair.method == "percentile"
    errors = [one.standard_error for one in found.subgroups.values()]
    assert pair.standard_error == pytest.approx(np.hypot(*errors), rel=0.2)
    assert pair.confidence_interval.low < 0 < pair.confidence_interval.high


# Few samples of a class

FEW = np.where(np.arange(N) < 40, "few", BY)
Y_FEW = np.where(FEW == "few", np.arange(N) < 7, Y)


@pytest.fixture(scope="module")
def of_few():
    with pytest.warns(CoverageWarning, match="Subgroup 'few': Only 7 samples of a class"):
        return compare_subgroups(Y_FEW, SCORE, FEW)


def test_few_positives_are_noted(of_few):
    assert of_few.notes == {"a": "", "b": "", "c": "", "few": "only 7 positives"}
    assert "only 7 positives" in str(of_few)
    assert np.isfinite(of_few.subgroups["few"].confidence_interval).all()


@pytest.mark.parametrize(("label", "note"), [(0, "no positives"), (1, "no negatives")])
@pytest.mark.parametrize("reference", [None, "rest"])
def test_a_subgroup_without_a_class_stays(label, note, reference):
    y = np.where(BY == "b", label, Y)
    which = note.removeprefix("no ").removesuffix("s")
    with pytest.warns(UndefinedMetricWarning, match=f"Subgroup 'b': No {which} samples"):
        result = compare_subgroups(y, SCORE, BY, reference=reference)
    assert result.notes["b"] == note
    assert np.isnan(result.subgroups["b"].estimate)
    undefined = {pair for pair, p in result.adjusted_pvalues.items() if np.isnan(p)}
    assert undefined == {pair for pair in result.pairs if "b" in pair}
    pytest.importorskip("pandas")
    assert [*result.to_frame()["note"]] == ["", note, ""]


def test_one_positive_gives_no_standard_error():
    y = np.where(BY == "b", np.arange(N) == np.flatnonzero(BY == "b")[0], Y)
    with pytest.warns(UndefinedMetricWarning, match="Subgroup 'b': The spread"):
        result = compare_subgroups(y, SCORE, BY)
    assert result.notes["b"] == "only 1 positive"
    assert np.isnan(result.pairs["a", "b"].pvalue)
    assert [*result.pairs["a", "b"].confidence_interval] == [-1, 1]


@pytest.mark.parametrize("method", ["influence", "percentile"])
def test_two_perfect_rankings_give_no_standard_error(method):
    """A difference of 0 with a standard error of 0 would have an interval of width 0."""
    with pytest.warns(UndefinedMetricWarning, match="no sample has an influence"):
        result = compare_subgroups(Y, Y / 2, BY == "a", method=method, n_resamples=39)
    (pair,) = result.pairs.values()
    assert pair.difference == 0
    assert np.isnan(pair.pvalue)
    assert [*pair.confidence_interval] == [-1, 1]


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
    assert [lines[2].split()[0], lines[3].split()[0]] == texts
    assert lines[-1].startswith(f"{texts[1]} - {texts[0]}  ")
    first, second = found.plot()
    assert [label.get_text() for label in first.get_yticklabels()] == texts
    assert second.get_title().startswith(f"Difference from {texts[0]},")


def test_numbers_of_subgroups_are_printed_with_all_digits():
    day = np.where(np.arange(N) % 2, 20240101.0, 20240102.0)
    assert re.search(r"^20240101\.0 +450 ", str(compare_subgroups(Y, SCORE, day)), re.M)


# Errors

WITH_REST = np.where(BY == "a", "rest", BY)
BAD = {
    "missing": ([None, *BY[1:]], {}, "Got 1 missing labels, and the types NoneType"),
    "NaN": (
        [np.nan, *GROUPS[1:]],
        {},
        "`by` must .* Got 1 missing labels, and the types fl",
    ),
    "types": (np.array([1, *BY[1:]], object), {}, "`by` must be .* the types int, str"),
    "columns": (np.column_stack((BY, BY)), {}, "`by` must .* Combine several columns"),
    "one subgroup": (np.zeros(N, int), {}, "`by` must have at least two subgroups"),
    "rest": (WITH_REST, {"reference": "rest"}, "Rename the subgroup"),
    "length": (BY[1:], {}, "`by` must have one label for each"),
    "reference": (BY, {"reference": "d"}, "`reference` must be one of None, 'rest', 'a'"),
    "method": (BY, {"method": "permutation"}, "`method` must be one of 'auto', 'infl"),
    "metric": (
        BY,
        {"metric": "auprg", "method": "influence"},
        "one of 'auto', 'percentile'. Got",
    ),
    "clusters": (
        BY,
        {"metric": "auprg", "groups": GROUPS},
        "`groups` must not reach over subgroups",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_errors_name_the_argument(name):
    by, options, message = BAD[name]
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


def test_scores_of_different_samples_lead_to_subgroups():
    with pytest.raises(ValueError, match=r"`y_score_a` and `y_score_b`.*compare_subgroups"):
        compare_auc_pr(Y, SCORE, SCORE[1:])


# Tables and the plot


@pytest.mark.parametrize("text", ["tests: influence", "a - b", "adjusted (Holm)"])
def test_subgroups_and_pairs_are_printed(text):
    assert text in str(compare_subgroups(Y, SCORE, BY))


def test_frames_have_the_numbers_of_the_result(of_few):
    pytest.importorskip("pandas")
    subgroups, pairs = of_few.to_frame(), of_few.to_frame("pairs")
    assert [*subgroups["subgroup"]] == ["a", "b", "c", "few"]
    sizes = subgroups[["n_samples", "n_positive"]].to_numpy()
    assert sizes[3].tolist() == [40, 7]
    assert subgroups["own_prevalence"][3] == 7 / 40
    assert pairs["subgroup_b"][0] == "b"
    assert pairs["pvalue"][0] == of_few.pairs["a", "b"].pvalue


@pytest.mark.parametrize(("reference", "shown"), [("rest", [0, 1, 2]), ("b", [0, 2])])
def test_the_forest_plot_shows_subgroups_in_their_order(reference, shown):
    pytest.importorskip("matplotlib")
    result = compare_subgroups(Y, SCORE, BY, reference=reference)
    left, right = result.plot()
    assert [text.get_text() for text in left.get_yticklabels()] == ["a", "b", "c"]
    (points,) = (line for line in right.lines if line.get_marker() == "o")
    assert [*points.get_ydata()] == shown
    differences = [pair.difference for pair in result.pairs.values()]
    np.testing.assert_array_equal(points.get_xdata(), differences)
    assert f"Difference from {reference}" in right.get_title()


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
