"""Pandas objects with the same samples in another order raise, in every public function.

Values are matched by position. Where an index says otherwise the caller made an error, and
no result would show it.
"""

from itertools import combinations

import numpy as np
import pandas as pd
import polars
import pytest
from cases import each
from public_calls import ARGUMENTS, PER_SAMPLE, N, Y, call_public
from sklearn.metrics import average_precision_score

import sklearn_achievable_pr as apr

# Labels of samples as after a random split of a table.
RNG = np.random.default_rng(1)
INDEX = RNG.permutation(N) + 100
PAIRS = [
    (name, pair)
    for name, arguments in ARGUMENTS.items()
    for pair in combinations(arguments, 2)
]


def series(name, index=INDEX):
    return pd.Series(PER_SAMPLE[name], index=index)


def in_another_order(name):
    return series(name).sort_index()


@each(name_and_pair=PAIRS)
def test_every_pair_of_arguments_is_compared(name_and_pair):
    name, (first, second) = name_and_pair
    said = f"`{second}` and `{first}` must have their samples in one order"
    with pytest.raises(ValueError, match=said):
        call_public(name, **{first: series(first), second: in_another_order(second)})


@each(name=ARGUMENTS)
def test_objects_in_one_order_are_taken(name):
    scores = [name for name in ARGUMENTS[name] if name.startswith("y_")]
    call_public(name, **{argument: series(argument) for argument in scores})


def score(**given):
    return apr.auc_pr_interpolated(**{"y_true": Y, "y_score": series("y_score"), **given})


def test_scores_sorted_with_their_index_raise_and_both_ways_out_are_shown():
    y_true, y_score = series("y_true"), series("y_score")
    falling = y_score.sort_values()
    with pytest.raises(
        ValueError,
        match=r"Pass `y_score.reindex\(y_true.index\)` or, if the rows do correspond, "
        r"`y_score.to_numpy\(\)`\.",
    ):
        apr.auc_pr_interpolated(y_true, falling)
    right = apr.auc_pr_interpolated(y_true, y_score)
    assert apr.auc_pr_interpolated(y_true, falling.reindex(y_true.index)) == right
    by_position = apr.auc_pr_interpolated(Y, falling.to_numpy())
    assert apr.auc_pr_interpolated(y_true, falling.to_numpy()) == by_position != right


def test_predictions_with_the_default_index_are_taken_by_position():
    """A Series made from an array of predictions, beside labels that were shuffled."""
    labels = pd.Series(Y).sample(frac=1, random_state=0)
    scores = pd.Series(PER_SAMPLE["y_score"])
    expected = average_precision_score(labels, scores)
    found = apr.auc_pr_interval(labels, scores, metric="average_precision")
    assert found.estimate == pytest.approx(expected, abs=1e-15)


def test_labels_with_the_default_index_tell_the_order():
    scores = pd.Series(PER_SAMPLE["y_score"])
    with pytest.raises(ValueError, match="`y_score` and `y_true`"):
        apr.auc_pr_interpolated(pd.Series(Y), scores.sort_values())


def test_a_named_index_of_integers_is_not_the_default_index():
    patients = pd.RangeIndex(N, name="patient")
    with pytest.raises(ValueError, match="`y_score` and `y_true`"):
        apr.auc_pr_interpolated(
            pd.Series(Y, patients).sample(frac=1, random_state=0),
            pd.Series(PER_SAMPLE["y_score"], patients),
        )


@pytest.mark.parametrize(
    "index",
    [
        INDEX[::-1] // 2,  # labels that occur twice
        INDEX[::-1] + 1,  # other labels
        [f"patient {i}" for i in INDEX[::-1]],
        pd.MultiIndex.from_arrays([INDEX[::-1], INDEX]),
    ],
    ids=["repeated", "other", "text", "several levels"],
)
def test_other_indexes_are_taken_by_position(index):
    expected = apr.auc_pr_interpolated(Y, PER_SAMPLE["y_score"])
    y_true, y_score = series("y_true"), series("y_score", index)
    assert apr.auc_pr_interpolated(y_true, y_score) == expected
    assert apr.auc_pr_interpolated(series("y_true", index), series("y_score")) == expected


@pytest.mark.parametrize(
    "index",
    [
        [f"patient {i}" for i in range(N)],
        pd.MultiIndex.from_product([range(N // 2), ["left", "right"]]),
        pd.Index([None, *range(1, N)], dtype=object),
        pd.IntervalIndex.from_arrays(np.arange(N), np.arange(N) + 2),
    ],
    ids=["text", "several levels", "a missing label", "overlapping intervals"],
)
def test_labels_of_any_type_tell_the_order(index):
    y_score = series("y_score", index).iloc[::-1]
    with pytest.raises(ValueError, match="`y_score` and `y_true`"):
        apr.auc_pr_interpolated(series("y_true", index), y_score)


@pytest.mark.parametrize("n_levels", [2, 3])
def test_indexes_of_different_numbers_of_levels_are_taken_by_position(n_levels):
    """Labels by patient and visit, and scores by patient, visit and model, say."""
    levels = [INDEX, INDEX // 7, INDEX // 9]
    y_true = series("y_true", pd.MultiIndex.from_arrays(levels[:n_levels]))
    y_score = series("y_score", pd.MultiIndex.from_arrays(levels[: 5 - n_levels])[::-1])
    expected = apr.auc_pr_interpolated(Y, PER_SAMPLE["y_score"])
    assert apr.auc_pr_interpolated(y_true, y_score) == expected


def test_indexes_that_pandas_cannot_compare_are_taken_by_position():
    missing = pd.Index(pd.array([None, *range(1, N)], dtype="Int64"))
    y_score = series("y_score", pd.Index(range(N), dtype="uint8"))
    expected = apr.auc_pr_interpolated(Y, PER_SAMPLE["y_score"])
    assert apr.auc_pr_interpolated(series("y_true", missing), y_score) == expected


def test_objects_of_another_length_have_the_error_of_lengths():
    with pytest.raises(ValueError, match="must have the same length"):
        apr.auc_pr_interpolated(series("y_true"), series("y_score").sort_index()[1:])


def test_polars_has_no_index():
    y_score = polars.Series(PER_SAMPLE["y_score"])
    expected = apr.auc_pr_interpolated(Y, PER_SAMPLE["y_score"])
    assert apr.auc_pr_interpolated(series("y_true"), y_score) == expected


MODELS = {"A": series("y_score_a"), "B": in_another_order("y_score_b")}


@pytest.mark.parametrize(
    "options",
    [{}, {"metric": "recall_at_threshold", "at": 0.5}, {"groups": PER_SAMPLE["groups"]}],
    ids=["area", "rate", "clusters"],
)
def test_models_of_a_dict_are_compared(options):
    with pytest.raises(ValueError, match=r"`y_scores\['B'\]` and `y_scores\['A'\]`"):
        apr.compare_models(Y, MODELS, **options)


@pytest.mark.parametrize("options", [{}, {"metric": "recall_at_threshold", "at": 0.5}])
def test_a_data_frame_of_models_is_compared_with_groups(options):
    models = pd.DataFrame({name: series(f"y_score_{name}") for name in "ab"})
    groups = in_another_order("groups")
    with pytest.raises(ValueError, match=r"`groups` and `y_scores\['a'\]`"):
        apr.compare_models(Y, models, groups=groups, **options)


def test_models_of_a_display_are_compared():
    with pytest.raises(ValueError, match=r"`y_score\['B'\]` and `y_score\['A'\]`"):
        apr.AchievablePRDisplay.from_predictions(Y, MODELS)


LABELED = np.arange(N) % 3
CLASS_SCORES = np.eye(3)[LABELED] + RNG.random((N, 3))


@pytest.mark.parametrize("function", [apr.auc_pr_interpolated, apr.auc_pr_interval])
@pytest.mark.parametrize("labels", [LABELED, np.eye(3, dtype=int)[LABELED]])
def test_scores_of_several_classes_are_compared(function, labels):
    y_true = pd.DataFrame(labels, INDEX) if labels.ndim == 2 else pd.Series(labels, INDEX)
    y_score = pd.DataFrame(CLASS_SCORES, INDEX).sort_index()
    with pytest.raises(ValueError, match="`y_score` and `y_true`"):
        function(y_true, y_score)


def test_clusters_beside_several_classes_are_compared():
    y_score = pd.DataFrame(CLASS_SCORES, INDEX)
    with pytest.raises(ValueError, match="`groups` and `y_score"):
        apr.auc_pr_interval(LABELED, y_score, groups=in_another_order("groups"))


def test_two_scores_of_several_classes_are_compared():
    first = pd.DataFrame(CLASS_SCORES, INDEX)
    with pytest.raises(ValueError, match=r"`y_scores\['b'\]` and `y_scores\['a'\]`"):
        apr.compare_models(LABELED, {"a": first, "b": first.sort_index()})


@pytest.mark.parametrize("function", [apr.summary_pr_curve, apr.summary_auc_pr])
def test_samples_of_each_fold_are_compared(function):
    y_score = [series("y_score"), in_another_order("y_score")]
    with pytest.raises(ValueError, match="Fold 1: `y_score` and `y_true`"):
        function([series("y_true")] * 2, y_score)


def test_samples_of_each_batch_are_compared():
    def batches():
        return [(series("y_true"), in_another_order("y_score"))]

    with pytest.raises(ValueError, match="`y_score` and `y_true`"):
        apr.auc_pr_from_batches(batches)


def choose(**options):
    return apr.choose_threshold(
        Y, series("y_score"), min_precision=0.2, confidence_level=0.5, **options
    )


def test_the_pair_that_orders_thresholds_is_compared_within():
    pair = series("y_true"), in_another_order("y_score_a")
    with pytest.raises(ValueError, match="In `order_from`: `y_score` and `y_true`"):
        choose(order_from=pair)


def test_the_pair_that_orders_thresholds_is_of_other_samples():
    choose(order_from=(in_another_order("y_true"), in_another_order("y_score_a")))


def test_new_scores_are_of_other_samples():
    new = in_another_order("y_score_a")
    apr.select_positives(series("y_true"), series("y_score"), new, max_fdr=0.2)
