"""Bad input raises errors that name the argument: every public function, every bad input.

Each entry has the type of the error and text that its message must contain: the argument in
backticks and the value that was passed.
"""

import re
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from cases import each
from inference import compare_two
from public_calls import ARGUMENTS, PER_SAMPLE, Y, call_public
from scipy.sparse import csr_array
from sklearn.metrics import roc_curve

import sklearn_achievable_pr as apr


class Bad(NamedTuple):
    arguments: dict
    error: type
    said: tuple  # every one is in the message


def bad(error, *said, **arguments):
    return Bad(arguments, error, said)


invalid, mistyped = partial(bad, ValueError), partial(bad, TypeError)


def refuses(call, case):
    with pytest.raises(case.error) as caught:
        call(**case.arguments)
    message = str(caught.value)
    assert len(message) < 500
    for part in case.said:
        assert part in message, f"{part!r} is not in: {message}"


# Functions of labels and scores


LABELS, SCORES = [0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8]


def _scored(function, **options):
    def call(y_true=LABELS, y_score=SCORES, **others):
        return function(y_true, y_score, **options, **others)

    return call


def _dominating(which):
    def call(y_true=LABELS, y_score=SCORES, **options):
        scores = {"a": (y_score, SCORES), "b": (SCORES, y_score)}[which]
        return apr.dominates(y_true, *scores, **options)

    return call


AVERAGED = {
    "auc_pr_interpolated": _scored(apr.auc_pr_interpolated),
    "aucnpr": _scored(apr.aucnpr),
    "auprg_score": _scored(apr.auprg_score),
    "normalized_average_precision_score": _scored(apr.normalized_average_precision_score),
}
BINARY = {
    "achievable_pr_curve": _scored(apr.achievable_pr_curve),
    "pr_curve_interpolated": _scored(apr.pr_curve_interpolated),
    "pr_gain_curve": _scored(apr.pr_gain_curve),
    "precision_at_recall": _scored(apr.precision_at_recall, recall=0.5),
    "recall_at_precision": _scored(apr.recall_at_precision, precision=0.5),
    "recall_at_fpr": _scored(apr.recall_at_fpr, fpr=0.5),
    "roc_convex_hull": _scored(apr.roc_convex_hull),
    "dominates_a": _dominating("a"),
    "dominates_b": _dominating("b"),
}
SCORED = {**AVERAGED, **BINARY}


def predicted(y_true=LABELS, y_score=(0, 1, 1, 1), **options):
    return apr.f1_above_chance_score(y_true, y_score, **options)


# One function of each kind: an average over labels, a curve or a rate of binary labels, a
# function of two scores, and one of predicted labels.
OF_EACH_KIND = {
    name: SCORED[name] for name in ("aucnpr", "precision_at_recall", "dominates_b")
}
LABELED = {**OF_EACH_KIND, "f1_above_chance_score": predicted}
WORDS = ["ham", "spam", "ham", "spam"]

# Errors of every function that takes labels.
BAD_LABELS = {
    "nan_target": invalid("`y_true`", "NaN", y_true=[0, 1, np.nan, 1]),
    "none_target": invalid("`y_true`", "None", y_true=[0, 1, None, 1]),
    "nan_among_words": invalid(
        "`y_true`",
        "NaN",
        y_true=np.array(["a", "b", np.nan, "b"], dtype=object),
        pos_label="a",
    ),
    "nan_among_listed_words": invalid(
        "`y_true`", "NaN", y_true=["a", "b", np.nan, "b"], pos_label="a"
    ),
    "pandas_missing": invalid(
        "`y_true`", "NaN", y_true=pd.array([0, 1, pd.NA, 1], dtype="Int64")
    ),
    "infinite_decimal": invalid(
        "`y_true`", "continuous", "Infinity", y_true=[Decimal("inf"), Decimal(1)] * 2
    ),
    "longer_target": invalid("`y_true` and `y_", "Got 5 and 4", y_true=[0, 1, 0, 1, 1]),
    "empty_target": invalid("`y_true`", "empty", "(0,)", y_true=[]),
    "scalar_target": invalid("`y_true`", "shape ()", y_true=1),
    "target_of_three_dimensions": invalid(
        "`y_true`", "(1, 2, 2)", y_true=np.zeros((1, 2, 2))
    ),
    "ragged_target": invalid("`y_true`", y_true=[[0, 1], [0], [1], [1]]),
    "sparse_target": mistyped(
        "`y_true`", "csr_array", "toarray", y_true=csr_array([[0, 1, 0, 1]])
    ),
    "masked_target": invalid(
        "`y_true`", "masked", y_true=np.ma.array([0, 1, 0, 1], mask=[1, 0, 0, 0])
    ),
    "complex_target": mistyped("`y_true`", "1j", y_true=np.array([0, 1, 0, 1j])),
    "dates_as_target": mistyped(
        "`y_true`", "2020-01-01", y_true=np.array(["2020-01-01"] * 4, "M8[D]")
    ),
    "times_as_target": mistyped(
        "`y_true`", ".astype(str)", y_true=np.array(LABELS, "M8[ns]")
    ),
    "time_spans_as_target": mistyped(
        "`y_true`", "timedelta64", y_true=np.array(LABELS, "m8[ns]")
    ),
    "time_span_objects_as_target": mistyped(
        "`y_true`", "timedelta64", y_true=[np.timedelta64(label, "D") for label in LABELS]
    ),
    "mixed_labels": mistyped(
        "`y_true`", "'a'", y_true=np.array([0, "a", 0, "a"], dtype=object)
    ),
    "continuous_target": invalid("`y_true`", "continuous", "0.3", y_true=[0.3, 1, 0.3, 1]),
    "iterator": mistyped(
        "`y_true`", "list_iterator", "a list in the order", y_true=iter(LABELS)
    ),
    "set": mistyped("`y_true`", "Got set", "a list in the order", y_true={0, 1}),
    "three_classes": invalid("`y_true`", "[0, 1, 2]", y_true=[0, 1, 2, 1]),
    "labels_one_and_two": invalid(
        "`y_true`", "[1, 2]", "pass pos_label=1 or pos_label=2.", y_true=[1, 2, 1, 2]
    ),
    "words_without_pos_label": invalid(
        "`y_true`", "pass pos_label='ham' or pos_label='spam'.", y_true=WORDS
    ),
    "one_word_without_pos_label": invalid(
        "`y_true`", "['ham']", "by `pos_label`.", y_true=["ham"] * 4
    ),
    "pos_label_absent": invalid("`pos_label`=3", "[0, 1]", pos_label=3),
    "pos_label_a_word_among_numbers": invalid("`pos_label`='1'", "[0, 1]", pos_label="1"),
    "pos_label_absent_among_words": invalid(
        "`pos_label`='eggs'", "'spam'", y_true=WORDS, pos_label="eggs"
    ),
    "pos_label_a_time_span": mistyped(
        "`pos_label` must be a label", "timedelta64(1", pos_label=np.timedelta64(1, "D")
    ),
    "pos_label_a_list": mistyped("`pos_label`", "[1]", pos_label=[1]),
}


@each(name=BAD_LABELS)
def test_bad_labels_raise(name):
    refuses(SCORED["auc_pr_interpolated"], BAD_LABELS[name])


@pytest.mark.parametrize("function", LABELED)
def test_bad_labels_raise_in_every_function(function):
    refuses(LABELED[function], BAD_LABELS["none_target"])


NEED_POSITIVE_LABEL = {
    "words": (
        np.array(["disease", "healthy"]),
        r"pos_label='disease' or pos_label='healthy'",
    ),
    "numbers": (np.array([1, 2]), "pos_label=1 or pos_label=2"),
}


@each(name=ARGUMENTS, labels=NEED_POSITIVE_LABEL)
def test_the_positive_class_is_never_guessed(name, labels):
    of_class, said = NEED_POSITIVE_LABEL[labels]
    predicted = {"y_pred": of_class[PER_SAMPLE["y_pred"]]}
    with pytest.raises(ValueError, match=said):
        call_public(
            name, y_true=of_class[Y], **predicted if "y_pred" in ARGUMENTS[name] else {}
        )


@each(labels=NEED_POSITIVE_LABEL)
@each(
    function=[
        lambda y, s: apr.compare_models(y, {"a": s, "b": s}),
        lambda y, s: apr.AchievablePRDisplay.from_predictions(y, {"a": s, "b": s}),
        lambda y, s: apr.summary_auc_pr([y, y], [s, s]),
        lambda y, s: apr.summary_pr_curve([y, y], [s, s]),
        lambda y, s: apr.auc_pr_from_batches(lambda: [(y, s)]),
        lambda y, s: apr.auc_pr_from_frame(pd.DataFrame({"y": y, "s": s}), "y", "s"),
        lambda y, s: apr.PRCounts.from_frame(pd.DataFrame({"y": y, "s": s}), "y", "s"),
    ]
)
def test_the_positive_class_of_several_scores_is_never_guessed(function, labels):
    of_class, said = NEED_POSITIVE_LABEL[labels]
    with pytest.raises(ValueError, match=said):
        function(of_class[Y], PER_SAMPLE["y_score"])


BAD_WEIGHTS = {
    "negative": invalid(
        "`sample_weight`", "-0.5", "position 2", sample_weight=[1, 1, -0.5, 1]
    ),
    "nan": invalid("`sample_weight`", "nan", sample_weight=[1, np.nan, 1, 1]),
    "all_zero": invalid("`sample_weight`", "zero everywhere", sample_weight=[0] * 4),
    "too_short": invalid("`sample_weight`", "4", "Got 3", sample_weight=[1, 1, 1]),
    "empty": invalid("`sample_weight`", "empty", sample_weight=[]),
    "table": invalid("`sample_weight`", "(4, 2)", sample_weight=np.ones((4, 2))),
    "complex": mistyped("`sample_weight`", "complex", sample_weight=[1, 1, 1, 1j]),
    "none_inside": invalid("`sample_weight`", "nan", sample_weight=[1, None, 1, 1]),
}


@each(name=BAD_WEIGHTS)
def test_bad_weights_raise(name):
    refuses(SCORED["auc_pr_interpolated"], BAD_WEIGHTS[name])


@pytest.mark.parametrize("function", LABELED)
def test_bad_weights_raise_in_every_function(function):
    refuses(LABELED[function], BAD_WEIGHTS["negative"])


BAD_SCORES = {
    "nan": invalid("`y_score`", "nan", "position 1", y_score=[0.1, np.nan, 0.3, 1]),
    "minus_infinite": invalid(
        "`y_score`", "-inf. Pass `np.nan_to_num(y_score)`", y_score=[-np.inf, 1, 2, 3]
    ),
    "generator": mistyped(
        "`y_score`", "generator", "a list in the order", y_score=(score for score in SCORES)
    ),
    "values_of_a_dict": mistyped(
        "`y_score`", "a list in the order", y_score=dict(enumerate(SCORES)).values()
    ),
    "dict": mistyped("`y_score`", "Got dict", y_score=dict(enumerate(SCORES))),
    "nan_longdouble": invalid(
        "`y_score`", "nan", y_score=np.array([0, 1, 2, np.nan], np.longdouble)
    ),
    "none": invalid("`y_score`", "nan", y_score=[0.1, None, 0.3, 1]),
    "missing_among_objects": invalid(
        "`y_score`", "NAType", y_score=np.array([0.1, pd.NA, 0.3, 1], dtype=object)
    ),
    "too_short": invalid("`y_true` and `y_score", "Got 4 and 3", y_score=[0.1, 0.2, 0.3]),
    "empty": invalid("`y_score", "empty", y_score=[]),
    "scalar": invalid("`y_score", "shape ()", y_score=0.5),
    "two_columns": invalid("`y_score", "(4, 2)", y_score=np.zeros((4, 2))),
    "three_dimensions": invalid("`y_score", "(4, 1, 1)", y_score=np.zeros((4, 1, 1))),
    "ragged": invalid("`y_score", y_score=[[1], [1, 2], [1], [1]]),
    "words": mistyped("`y_score", y_score=["0.1", "0.2", "0.3", "0.4"]),
    "words_as_objects": mistyped(
        "`y_score", "dtype", y_score=np.array(["a", 1, 2, 3], dtype=object)
    ),
    "complex": mistyped("`y_score", "complex", y_score=[1j, 2, 3, 4]),
    "date_objects": mistyped("`y_score", y_score=[datetime(2020, 1, 1)] * 4),
    "sparse": mistyped("`y_score", "dense", y_score=csr_array(np.ones((4, 1)))),
    "masked": invalid("`y_score", "masked", y_score=np.ma.array(SCORES, mask=[0, 0, 1, 0])),
}


def test_infinite_scores_are_not_made_finite_where_others_are_nan():
    """`np.nan_to_num` would make 0 of NaN."""
    with pytest.raises(ValueError, match="NaN or infinite") as caught:
        apr.auc_pr_interpolated(LABELS, [np.inf, 1, np.nan, 0])
    assert "nan_to_num" not in str(caught.value)


def test_infinite_scores_made_finite_keep_their_order():
    finite = np.nan_to_num([np.inf, 2, 1, -np.inf])
    expected = apr.auc_pr_interpolated([1, 0, 1, 0], [4, 2, 1, 0])
    assert apr.auc_pr_interpolated([1, 0, 1, 0], finite) == expected


@each(name=BAD_SCORES)
def test_bad_scores_raise(name):
    refuses(SCORED["achievable_pr_curve"], BAD_SCORES[name])


@pytest.mark.parametrize("function", OF_EACH_KIND)
def test_bad_scores_raise_in_every_function(function):
    name = f"y_score_{function[-1]}" if function.startswith("dominates") else "y_score"
    refuses(SCORED[function], invalid(f"`{name}`", "nan", y_score=[0, 1, 2, np.nan]))


BAD_PREDICTIONS = {
    "nan": invalid("`y_pred`", "NaN", y_score=[0, 1, np.nan, 1]),
    "too_short": invalid("`y_true` and `y_pred`", "Got 4 and 3", y_score=[0, 1, 1]),
    "scores": invalid("`y_pred`", "continuous", "0.1", y_score=SCORES),
    "another_label": invalid("`y_true` and `y_pred`", "[0, 1, 2]", y_score=[0, 2, 0, 2]),
    "words_for_numbers": mistyped("`y_pred`", "'spam'", y_score=WORDS),
}


@each(name=BAD_PREDICTIONS)
def test_bad_predictions_raise(name):
    refuses(predicted, BAD_PREDICTIONS[name])


# Multilabel indicator matrices


TABLE = np.array([[1, 0, 0], [0, 1, 1], [1, 0, 1], [0, 1, 0]])
CLASSES = [0, 1, 2, 1]
COLUMNS = np.arange(12.0).reshape(4, 3)
BAD_TABLES = {
    "fewer_score_columns": invalid(
        "`y_score`", "(4, 3)", "(4, 2)", y_true=TABLE, y_score=COLUMNS[:, :2]
    ),
    "fewer_rows": invalid(
        "`y_true` and `y_score`", "Got 4 and 3", y_true=TABLE, y_score=COLUMNS[:3]
    ),
    "counts_for_labels": invalid(
        "`y_true`", "{0, 1}", "[0, 2", y_true=2 * TABLE, y_score=COLUMNS
    ),
    "words_for_labels": invalid(
        "`y_true`", y_true=np.array([["a", "b"]] * 4), y_score=COLUMNS[:, :2]
    ),
    "labels_of_some_tasks_missing": invalid(
        "`y_true` has missing labels",
        "`y_true[known, i]` and `y_score[known, i]`",
        y_true=np.where(TABLE == 0, np.nan, TABLE),
        y_score=COLUMNS,
    ),
    "probabilities_per_label": invalid(
        "`y_score`",
        "(3, 4, 2)",
        "`np.column_stack([p[:, 1] for p in y_score])`",
        y_true=TABLE,
        y_score=[np.zeros((4, 2))] * 3,
    ),
    "nan_score": invalid(
        "`y_score`", "nan", y_true=TABLE, y_score=np.where(COLUMNS == 3, np.nan, COLUMNS)
    ),
    "pos_label": invalid("`pos_label`", "0", y_true=TABLE, y_score=COLUMNS, pos_label=0),
    "classes_and_fewer_columns": invalid(
        "`y_score`", "(4, 3)", "(4, 2)", y_true=CLASSES, y_score=COLUMNS[:, :2]
    ),
    "binary_labels_by_name": invalid(
        "pass one column", y_true=["a", "b"] * 2, y_score=COLUMNS, pos_label="b"
    ),
    "a_class_missing": invalid(
        "(4, 2)", "Leave out the column", y_true=LABELS, y_score=COLUMNS
    ),
    "unknown_average": invalid(
        "`average`", "'mean'", y_true=TABLE, y_score=COLUMNS, average="mean"
    ),
    "two_classes_two_columns": invalid(
        "`y_score`", "(4, 2)", y_true=LABELS, y_score=COLUMNS[:, :2]
    ),
}


@each(name=BAD_TABLES)
def test_bad_multilabel_indicator_matrices(name):
    refuses(SCORED["auc_pr_interpolated"], BAD_TABLES[name])


OF_BINARY = ("pr_gain_curve", "precision_at_recall", "roc_convex_hull", "dominates_b")


@pytest.mark.parametrize("function", OF_BINARY)
def test_multilabel_data_where_binary_labels_are_needed(function):
    refuses(BINARY[function], invalid("`y_true`", "(4, 3)", y_true=TABLE, y_score=SCORES))


@pytest.mark.parametrize("function", OF_BINARY)
def test_scores_of_several_classes_where_binary_scores_are_needed(function):
    case = invalid("binarize, e.g. `y_true == label`", y_true=CLASSES, y_score=COLUMNS)
    refuses(BINARY[function], case)


# Options


@pytest.mark.parametrize("function", LABELED)
@each(pos_label=[[0, 1], np.array([0, 1]), np.array(1), {}])
def test_a_positive_label_that_is_no_label(function, pos_label):
    refuses(LABELED[function], mistyped("`pos_label` must be a label", pos_label=pos_label))


COUNTS = {
    "auc_pr_from_counts": partial(apr.auc_pr_from_counts, [1, 2], [0, 3]),
    "pr_curve_from_counts": partial(apr.pr_curve_from_counts, [1, 2], [0, 3]),
}
RANGED = {name: SCORED[name] for name in ("auc_pr_interpolated", "aucnpr")} | {
    "auc_pr_from_counts": COUNTS["auc_pr_from_counts"],
    "auc_pr_min": partial(apr.auc_pr_min, 0.5),
}
NOT_RANGES = [
    (0.5, 0.5),
    (0.7, 0.2),
    (-0.1, 1),
    (0, 1.1),
    (0,),
    (0, 0.5, 1),
    (False, True),
    0.5,
    None,
    (np.nan, 1),
    (0, np.nan),
    (0, np.inf),
    ("a", "b"),
    "01",
    ([0, 1], 1),
]


@each(recall_range=NOT_RANGES)
def test_bad_recall_ranges_raise(recall_range):
    case = invalid("`recall_range`", "Got", recall_range=recall_range)
    for call in RANGED.values():
        refuses(call, case)


WITHOUT_PREVALENCE = {
    *("normalized_average_precision_score", "recall_at_fpr", "roc_convex_hull"),
    *("dominates_a", "dominates_b"),
}
AT_PREVALENCE = COUNTS | {n: SCORED[n] for n in SCORED if n not in WITHOUT_PREVALENCE}


@each(prevalence=[0, 1, -0.2, 1.5, np.nan, np.inf])
def test_prevalence_outside_its_range(prevalence):
    case = invalid("`prevalence`", str(float(prevalence)), prevalence=prevalence)
    for call in AT_PREVALENCE.values():
        refuses(call, case)


@each(prevalence=["0.5", [0.5], 0.5j, True, np.array([0.5, 0.5])])
def test_prevalence_that_is_no_number(prevalence):
    case = mistyped("`prevalence`", repr(prevalence), prevalence=prevalence)
    for call in AT_PREVALENCE.values():
        refuses(call, case)


WITH_CURVE = {"pr_curve_from_counts": COUNTS["pr_curve_from_counts"]} | {
    name: SCORED[name]
    for name in (*("auc_pr_interpolated", "pr_gain_curve", "recall_at_fpr"),)
}


@pytest.mark.parametrize("function", WITH_CURVE)
@each(curve=["hull", "", None, 1, ["empirical"], [["empirical"], []]])
def test_unknown_curves_raise(function, curve):
    case = invalid("`curve`", "'empirical', 'achievable'", repr(curve), curve=curve)
    refuses(WITH_CURVE[function], case)


@each(metric=["auprg", "area", None, ["aucnpr"]])
def test_metric_that_is_no_area_of_counts(metric):
    areas = ("auc_pr_interpolated", "achievable_auc_pr", "aucnpr", "achievable_aucnpr")
    case = invalid("`metric`", ", ".join(map(repr, areas)), repr(metric), metric=metric)
    refuses(COUNTS["auc_pr_from_counts"], case)


OUR_NAMES = {
    "ppv_at_threshold": "precision here",
    "sensitivity": "recall here, a rate at one threshold: see `threshold_table`, "
    "`recall_at_precision` and 'recall_at_threshold' of `compare_models`.",
    "TPR": "recall here",
    "ppv": "precision here, a rate at one threshold: see `threshold_table`, "
    "`precision_at_recall` and 'precision_at_threshold' of `compare_models`.",
    "specificity": "a rate at one threshold: see `threshold_table` and "
    "'specificity_at_threshold' of `compare_models`.",
    "roc_auc": "the area under the ROC curve: see sklearn.metrics.roc_auc_score.",
    "fpr_at_threshold": "1 - specificity here, a rate at one threshold: see "
    "`threshold_table` and 'specificity_at_threshold' of `compare_models`.",
    "F1": "f1 here, a rate at one threshold: see `threshold_table` and 'f1_at_threshold' "
    "of `compare_models`.",
    "AUPRC": "'auc_pr_interpolated' here.",
    "pr-auc": "'auc_pr_interpolated' here.",
    "pr_auc": "'auc_pr_interpolated' here.",
    "ap": "'average_precision' here.",
    "average_precision_score": "'average_precision' here.",
    "AUPRG_score": "'auprg' here.",
    "recall_at_fpr": "a rate at an operating point: see `compare_models`",
}


@each(metric=OUR_NAMES)
def test_metric_by_another_word_is_answered_with_its_name_here(metric):
    said = f"Got {metric!r}, which is {OUR_NAMES[metric]}"
    case = invalid("`metric` must be one of 'auc_pr_interpolated'", said, metric=metric)
    refuses(partial(apr.auc_pr_interval, LABELS, SCORES), case)
    refuses(COUNTS["auc_pr_from_counts"], case)


@each(curve=["Achievable", "ACHIEVABLE"])
def test_an_option_in_capitals_is_answered_with_its_name_here(curve):
    case = invalid("`curve`", f"Got {curve!r}, which is 'achievable' here.", curve=curve)
    refuses(SCORED["aucnpr"], case)


@each(metric=["best", 3])
def test_a_metric_that_no_function_knows_by_another_name_has_no_answer(metric):
    case = invalid("`metric`", f"Got {metric!r}.", metric=metric)
    refuses(COUNTS["auc_pr_from_counts"], case)


WITH_GROUPS = {
    "auc_pr_interval": apr.auc_pr_interval,
    "operating_point_interval": partial(apr.operating_point_interval, recall=0.5),
    "threshold_table": partial(apr.threshold_table, thresholds=[0.3]),
    "compare_models": lambda y_true, y_score, groups: apr.compare_models(
        y_true, {"a": y_score, "b": y_score}, groups=groups
    ),
}


@pytest.mark.parametrize("function", WITH_GROUPS)
def test_short_labels_beside_groups(function):
    """The scores and the groups agree on the number of samples."""
    short = invalid(
        "`y_true` and `y_score", "same length", "Got 3 and 4", y_true=LABELS[:3]
    )
    call = partial(WITH_GROUPS[function], y_score=SCORES, groups=[1, 2, 3, 4])
    refuses(call, short)


@each(method=["trapezoid", None, 0, np.array(["exact", "exact"])])
def test_unknown_methods_raise(method):
    case = invalid("`method`", "'exact', 'davis_goadrich'", repr(method), method=method)
    refuses(SCORED["auc_pr_interpolated"], case)


def test_davis_goadrich_with_weights():
    given = {"method": "davis_goadrich", "sample_weight": [1, 1, 1, 1]}
    case = invalid("`method`='davis_goadrich'", "`sample_weight`", **given)
    refuses(SCORED["auc_pr_interpolated"], case)


@pytest.mark.parametrize("function", AVERAGED)
@each(average=["mean", "binary", 1, ["macro"]])
def test_unknown_averages_raise(function, average):
    """Also for a binary target, where it has no effect."""
    case = invalid("`average`", "'macro'", repr(average), average=average)
    refuses(AVERAGED[function], case)


@each(function=[apr.auc_pr_interval, partial(compare_two, y_score_b=SCORES)])
def test_an_array_as_average_of_an_interval_raises(function):
    with pytest.raises(ValueError, match="`average` must be one of 'macro'"):
        function(LABELS, SCORES, average=np.array([1, 2]))


@each(name=["a", "b"])
def test_two_columns_of_scores_of_a_comparison_are_named(name):
    scores = {"a": SCORES, "b": SCORES, name: np.ones((4, 2))}
    with pytest.raises(ValueError, match=rf"`y_scores\['{name}'\]` must be one-dimensi"):
        apr.compare_models(LABELS, scores)


@pytest.mark.parametrize(
    ("y_true", "n_columns", "has_missing_classes"),
    [
        ([0, 1, 2], 4, True),
        ([0, 1, 2], 2, False),
        ([[0, 1], [1, 0], [1, 1]], 3, False),
        ([[0, 1, 1], [1, 0, 0], [1, 1, 0]], 2, False),
    ],
)
def test_the_column_to_leave_out_is_named_only_where_classes_have_no_samples(
    y_true, n_columns, has_missing_classes
):
    with pytest.raises(ValueError, match=r"`y_score\w*` must have shape") as error:
        apr.aucnpr(y_true, np.zeros((3, n_columns)))
    advice = "Leave out the column of a class without samples"
    assert (advice in str(error.value)) == has_missing_classes


@pytest.mark.parametrize("function", AVERAGED)
@each(replacement=["0", None, [0], 1j, False])
def test_replacements_that_are_no_numbers_raise(function, replacement):
    """Also where nothing is undefined."""
    given = {"replace_undefined_by": replacement}
    case = mistyped("`replace_undefined_by`", repr(replacement), **given)
    refuses(AVERAGED[function], case)


@pytest.mark.parametrize("value", [pd.NA, np.array(1), np.array([1, 0]), []])
def test_options_whose_comparison_is_not_a_boolean_raise(value):
    labels = np.array([[0, 1], [1, 0], [1, 1]])
    with pytest.raises(
        ValueError, match=r"`pos_label` is for a binary `y_true`: .*: leave it out"
    ):
        apr.aucnpr(labels, labels, pos_label=value)
    with pytest.raises(
        ValueError, match="`curve` must be one of 'empirical', 'achievable'"
    ):
        apr.aucnpr(labels, labels, curve=value)


@pytest.mark.parametrize("interpolate", ["no", None, 1, np.array([True, False])])
def test_interpolate_is_true_or_false(interpolate):
    for curve, data in (
        (apr.pr_curve_interpolated, ([0, 1], [0.2, 0.7])),
        (apr.achievable_pr_curve, ([0, 1], [0.2, 0.7])),
        (apr.pr_curve_from_counts, ([0, 1], [0, 1])),
        (apr.summary_pr_curve, ([[0, 1]], [[0.2, 0.7]])),
    ):
        with pytest.raises(TypeError, match="`interpolate` must be True or False"):
            curve(*data, interpolate=interpolate)


# Fractions


FRACTIONS = {
    "recall_at_fpr": (partial(apr.recall_at_fpr, LABELS, SCORES), ["fpr"]),
    "auc_pr_min": (apr.auc_pr_min, ["prevalence"]),
    "is_achievable": (apr.is_achievable, ["precision", "recall", "prevalence"]),
    "roc_to_pr": (apr.roc_to_pr, ["fpr", "tpr", "prevalence"]),
}


@pytest.mark.parametrize("function", FRACTIONS)
@each(
    value_and_said=[
        (-0.1, "-0.1"),
        (1.1, "1.1"),
        (np.nan, "nan"),
        (np.inf, "inf"),
        ([0.5, 2.0], "2.0"),
        ([[0.5], [-1]], "-1.0"),
    ]
)
def test_numbers_outside_the_unit_interval(function, value_and_said):
    call, arguments = FRACTIONS[function]
    argument, (value, said) = arguments[-1], value_and_said
    given = dict.fromkeys(arguments, 0.5) | {argument: value}
    interval = "(0, 1)" if argument == "prevalence" else "[0, 1]"
    refuses(call, Bad(given, ValueError, (f"`{argument}`", interval, said)))


@pytest.mark.parametrize("function", FRACTIONS)
@each(value=["0.5", 0.5j, ["a"], {}, True, datetime(2020, 1, 1)])
def test_fractions_of_wrong_type(function, value):
    call, arguments = FRACTIONS[function]
    argument = arguments[0]
    given = dict.fromkeys(arguments, 0.5) | {argument: value}
    refuses(call, Bad(given, TypeError, (f"`{argument}`",)))


@pytest.mark.parametrize(
    "function", [n for n, (_, arguments) in FRACTIONS.items() if "prevalence" in arguments]
)
@each(end=[0, 1])
def test_prevalence_of_a_missing_class(function, end):
    call, arguments = FRACTIONS[function]
    given = dict.fromkeys(arguments, 0.5) | {"prevalence": end}
    refuses(call, Bad(given, ValueError, ("`prevalence`", "(0, 1)", str(float(end)))))


def test_at_recall_0_a_precision_may_be_missing_but_not_above_1():
    assert np.isnan(apr.pr_to_roc([np.nan, 0.5], 0.0, 0.5)[0]).all()
    given = {"precision": 5.0, "recall": 0.0, "prevalence": 0.5}
    refuses(apr.pr_to_roc, invalid("`precision`", "[0, 1]", "5.0", **given))


def test_unachievable_points_have_no_roc_point():
    given = {"precision": [0.9, 0.2], "recall": [0.6, 0.6], "prevalence": 1 / 3}
    refuses(apr.pr_to_roc, invalid("`precision`", "0.2", "0.6", "precision_min", **given))


@pytest.mark.parametrize("argument", ["n_pos", "n_neg"])
@each(
    refused=[
        (-1, ValueError, "-1"),
        (np.nan, ValueError, "nan"),
        (np.inf, ValueError, "inf"),
        ([3, -2], ValueError, "-2"),
        ("3", TypeError, ""),
        (3j, TypeError, ""),
    ]
)
def test_bad_totals_of_the_lowest_average_precision(argument, refused):
    value, error, said = refused
    given = {"n_pos": 3, "n_neg": 3} | {argument: value}
    refuses(apr.average_precision_min, Bad(given, error, (f"`{argument}`", said)))


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("y_score", lambda x: apr.auc_pr_interpolated([0, 1], [1, x])),
        ("prevalence", lambda x: apr.precision_min(0.5, x)),
        ("tps", lambda x: apr.auc_pr_from_counts([1, x], [1, 2])),
        ("k", lambda x: apr.precision_at_k([0, 1], [1, 2], k=x)),
    ],
)
def test_numbers_beyond_float64_raise(name, function):
    with pytest.raises(ValueError, match=f"`{name}` must .* fit into float64"):
        function(10**400)


def test_ragged_recalls_and_precisions_raise():
    for name, function in (
        ("recall", apr.precision_at_recall),
        ("precision", apr.recall_at_precision),
    ):
        with pytest.raises(ValueError, match=f"`{name}` cannot be converted to an array"):
            function([0, 1], [0, 1], **{name: [[0.1], [0.2, 0.3]]})


def test_ragged_precisions_of_points_raise():
    with pytest.raises(ValueError, match="`precision` cannot be converted to an array"):
        apr.pr_to_roc([[0.1], [0.2, 0.3]], 0.5, 0.2)


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda: apr.average_precision_min([1, 2], [1, 2, 3]), ("n_pos", "n_neg")),
        (lambda: apr.precision_min([0.1, 0.2], [0.1] * 3), ("recall", "prevalence")),
        (lambda: apr.is_achievable([0.1] * 2, [0.1] * 3, 0.5), ("precision", "recall")),
        (lambda: apr.pr_to_roc([0.1] * 2, [0.1] * 3, 0.5), ("precision", "recall")),
    ],
)
def test_shapes_that_do_not_match_raise(call, names):
    with pytest.raises(ValueError, match="Shapes do not match") as error:
        call()
    assert all(f"`{name}`" in str(error.value) for name in names)


# Counts


BAD_COUNTS = {
    "tps_fall": invalid("`tps`", "decrease", "5, then 4", tps=[1, 5, 4], fps=[0, 1, 2]),
    "fps_fall": invalid("`fps`", "3, then 2", tps=[1, 2, 3], fps=[1, 3, 2]),
    "negative_tps": invalid("`tps`", "-1", tps=[-1, 2], fps=[0, 1]),
    "lengths": invalid("`tps` and `fps`", "Got 2 and 3", tps=[1, 2], fps=[0, 1, 2]),
    "empty": invalid("`tps`", "empty", tps=[], fps=[]),
    "nan": invalid("`tps`", "nan", tps=[1, np.nan], fps=[0, 1]),
    "words": mistyped("`tps`", tps=["1", "2"], fps=[0, 1]),
    "table": invalid("`tps`", "(2, 2)", tps=[[1, 2], [3, 4]], fps=[0, 1]),
    "above_n_pos": invalid("`tps`", "`n_pos`", "Got 2", tps=[1, 3], fps=[0, 1], n_pos=2),
    "above_n_neg": invalid("`fps`", "`n_neg`", "Got 1", tps=[1, 3], fps=[0, 2], n_neg=1),
    "negative_n_pos": invalid("`n_pos`", "-1", tps=[0], fps=[1], n_pos=-1),
    "nan_n_neg": invalid("`n_neg`", "nan", tps=[0], fps=[1], n_neg=np.nan),
    "infinite_n_pos": invalid("`n_pos`", "inf", tps=[1], fps=[1], n_pos=np.inf),
    "n_pos_beyond_float64": invalid("`n_pos`", "fit into", tps=[1], fps=[1], n_pos=2**2000),
    "word_n_pos": mistyped("`n_pos`", "'9'", tps=[1], fps=[1], n_pos="9"),
}


FROM_COUNTS = (apr.auc_pr_from_counts, apr.pr_curve_from_counts)


@each(name=BAD_COUNTS)
def test_bad_counts_raise(name):
    refuses(apr.auc_pr_from_counts, BAD_COUNTS[name])


@pytest.mark.parametrize("function", FROM_COUNTS, ids=lambda function: function.__name__)
def test_bad_counts_raise_in_every_function(function):
    refuses(function, BAD_COUNTS["tps_fall"])


def rates_of_points():
    """False and true positive rates as from `roc_curve`, totals, and the area."""
    rng = np.random.default_rng(0)
    y_true = rng.random(400) < 0.3
    y_score = rng.normal(size=400) + 1.3 * y_true
    fpr, tpr, _ = roc_curve(y_true, y_score)
    totals = {"n_pos": int(y_true.sum()), "n_neg": int((~y_true).sum())}
    return fpr, tpr, totals, apr.auc_pr_interpolated(y_true, y_score)


def call_in(error):
    """The call at the end of an error."""
    return str(error.value).split("`")[-2]


def test_rates_with_totals_raise_with_a_call_that_is_right():
    fpr, tpr, totals, area = rates_of_points()
    with pytest.raises(ValueError, match="`tps` and `fps` must be counts") as error:
        apr.auc_pr_from_counts(tpr, fpr, **totals)
    names = {"auc_pr_from_counts": apr.auc_pr_from_counts, "tpr": tpr, "fpr": fpr}
    assert eval(call_in(error), names) == pytest.approx(area, rel=1e-12)


def test_a_part_of_the_rates_raises_with_a_call_that_is_right():
    with pytest.raises(ValueError, match=r"fractions up to 0\.8 and 0\.2") as error:
        apr.auc_pr_from_counts([0.8], [0.2], n_pos=50, n_neg=950)
    names = {"auc_pr_from_counts": apr.auc_pr_from_counts, "tpr": [0.8], "fpr": [0.2]}
    area = apr.auc_pr_from_counts([40], [190], n_pos=50, n_neg=950)
    assert eval(call_in(error), names) == pytest.approx(area, rel=1e-12)


@pytest.mark.parametrize("function", FROM_COUNTS, ids=lambda function: function.__name__)
def test_rates_alone_raise(function):
    fpr, tpr, _, _ = rates_of_points()
    call = rf"`{function.__name__}\(tpr, fpr, prevalence=n_positive / n_samples\)`"
    with pytest.raises(ValueError, match=call):
        function(tpr, fpr)


@pytest.mark.parametrize(
    "totals",
    [
        {"n_pos": 1, "n_neg": 20},
        {"n_pos": 30},
        {"n_neg": 20.5},
        {"n_pos": 30, "n_neg": 20, "prevalence": 0.1},
    ],
    ids=str,
)
def test_rates_with_a_total_above_1_raise(totals):
    with pytest.raises(ValueError, match="like true and false positive rates"):
        apr.auc_pr_from_counts([0, 1], [0.3, 1], **totals)


@pytest.mark.parametrize(
    "counts",
    [
        {"tps": [1], "fps": [0], "n_pos": 5, "n_neg": 95},
        {"tps": [2.5, 4.1], "fps": [0.7, 6.3], "n_pos": 6.0, "n_neg": 20.5},
        {"tps": [0.1, 0.3], "fps": [0.2, 0.7]},
        {"tps": [0.1], "fps": [0.2], "n_pos": 0.3, "n_neg": 0.9},
    ],
    ids=["integers", "weights", "normalized weights", "small weights"],
)
def test_counts_that_are_no_rates_are_valid(counts):
    eightfold = {name: 8 * np.array(values) for name, values in counts.items()}
    eightfold |= {name: float(eightfold[name]) for name in counts if "_" in name}
    area = apr.auc_pr_from_counts(**eightfold)
    assert apr.auc_pr_from_counts(**counts) == pytest.approx(area, rel=1e-12)


@pytest.mark.parametrize("function", FROM_COUNTS, ids=lambda function: function.__name__)
def test_counts_from_the_lowest_score_warn(function):
    tps, fps = [2, 5, 10, 17, 26, 36, 48], [180, 290, 350, 380, 395, 403, 406]
    message = "The counts rank negatives above .* Cumulate them from the highest score down"
    with pytest.warns(UserWarning, match=message) as caught:
        function(tps, fps)
    assert len(caught) == 1


def test_a_curve_larger_than_memory_raises_with_its_name():
    message = r"`interpolate`=True .*at most 100000000 .*Got 100000001; .*interpolate=False"
    with pytest.raises(ValueError, match=message):
        apr.pr_curve_from_counts([10**8 + 1], [1])
    precision, _, _ = apr.pr_curve_from_counts([10**15], [1], interpolate=False)
    assert precision == pytest.approx([1, 1], rel=1e-14)


# Unusual inputs that are valid


def test_labels_of_a_single_class():
    """With one class present, `pos_label` may be the missing class, or None."""
    for labels in ([1, 1, 1, 1], [True] * 4, [1.0] * 4):
        assert apr.auc_pr_interpolated(labels, SCORES) == 1.0
    assert apr.auc_pr_interpolated(["a"] * 4, SCORES, pos_label="a") == 1.0


def test_recall_range_can_be_any_sequence_of_two():
    for pair in ((0, 1), [0, 1], np.array([0.0, 1.0]), (np.float32(0), Fraction(1))):
        assert apr.auc_pr_min(0.5, recall_range=pair) == apr.auc_pr_min(0.5)


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"confidence_level": 95}, "For 95 % pass 0.95."),
        ({"confidence_level": 99.5}, "For 99.5 % pass 0.995."),
        ({"confidence_level": 200}, "Got 200.0."),
        ({"confidence_level": -3}, "Got -3.0."),
    ],
)
def test_a_percentage_is_answered_with_its_fraction(options, hint):
    with pytest.raises(ValueError, match=f"`confidence_level` .* {re.escape(hint)}$"):
        apr.auc_pr_interval(LABELS, SCORES, **options)


def test_a_percentage_among_rates_is_answered_with_its_fraction():
    with pytest.raises(ValueError, match=r"Got 90\.0\. For 90 % pass 0\.9\.$"):
        apr.precision_at_recall(LABELS, SCORES, recall=[0.5, 90])


def test_a_word_for_random_state_raises_and_names_what_is_possible():
    with pytest.raises(TypeError, match=r"a Generator or None\. Got 'seed'"):
        apr.auc_pr_chance_test(LABELS, SCORES, random_state="seed")


def test_groups_of_another_length_raise_and_name_the_way_out():
    with pytest.raises(
        ValueError, match=r"`groups` must have .* Pass them in the order of"
    ):
        apr.auc_pr_interval(LABELS, SCORES, groups=[1])


def text_in_place_of(argument):
    """A call of a public function with the name of a column in place of the column."""
    calls = {
        "y_true": lambda: apr.auc_pr_interpolated("label", [0.1, 0.4]),
        "y_score": lambda: apr.auc_pr_interval([0, 1], "score"),
        "groups": lambda: apr.auc_pr_interval([0, 1], [0.1, 0.4], groups="patient"),
        "by": lambda: apr.compare_subgroups([0, 1], [0.1, 0.4], "sex"),
    }
    return calls[argument]


@pytest.mark.parametrize("argument", ["y_true", "y_score", "groups", "by"])
def test_the_name_of_a_column_asks_for_the_column(argument):
    match = rf"`{argument}` must be an array or a list. Got .*: pass the column itself"
    with pytest.raises(TypeError, match=match):
        text_in_place_of(argument)()


@pytest.mark.parametrize("argument", ["y_true", "y_score"])
def test_none_in_place_of_an_array_raises(argument):
    samples = {"y_true": [0, 1], "y_score": [0.1, 0.4]} | {argument: None}
    with pytest.raises(TypeError, match=f"`{argument}` must be an array .* Got None"):
        apr.auc_pr_interpolated(**samples)


@pytest.mark.parametrize(
    "call",
    [
        lambda frame: apr.auc_pr_interpolated([0, 1], frame),
        lambda frame: apr.compare_models([0, 1], frame),
        lambda frame: apr.AchievablePRDisplay.from_predictions([0, 1], frame),
    ],
    ids=["area", "models", "display"],
)
def test_a_lazy_frame_must_be_collected(call):
    polars = pytest.importorskip("polars")
    with pytest.raises(TypeError, match=r"Got LazyFrame. Pass `y_scores?.collect\(\)`"):
        call(polars.LazyFrame({"a": [0.1, 0.4], "b": [0.3, 0.2]}))


def test_ordered_categories_as_scores_name_their_codes():
    grade = pd.Series(pd.Categorical(["low", "high"], ["low", "high"], ordered=True))
    with pytest.raises(
        TypeError, match=r"Got categories, .*`pandas.Series\(y_score\).cat.codes`"
    ):
        apr.auc_pr_interpolated([0, 1], grade)


@pytest.mark.parametrize(
    "labels",
    [
        [b"well", b"sick"],
        pd.to_datetime(["2024-01-01", "2024-01-02"]),
        pd.cut([1, 4], [0, 2, 5]),
        [1, "sick"],
    ],
    ids=["bytes", "dates", "intervals", "mixed"],
)
def test_labels_of_other_types_say_how_to_convert_them(labels):
    with pytest.raises(TypeError, match=r"pass e\.g\. `np\.asarray") as caught:
        apr.auc_pr_interpolated(labels, [0.1, 0.4])
    text = eval(str(caught.value).split("`")[-2], {"np": np, "y_true": labels})
    found = [apr.auc_pr_interpolated(text, [0.1, 0.4], pos_label=p) for p in text]
    assert found == pytest.approx([1 - np.log(2), 1], rel=1e-12)


@pytest.mark.parametrize(
    "call",
    [apr.auc_pr_interpolated, apr.auc_pr_interval, apr.precision_at_k],
)
def test_missing_scores_are_dropped_or_if_not_returned_rank_last(call):
    options = {"k": 1} if call is apr.precision_at_k else {}
    match = r"Drop samples .*, `y_score.fillna\(y_score.min\(\) - 1\)`"
    with pytest.raises(ValueError, match=match):
        call([0, 1, 1], [0.2, np.nan, 0.4], **options)
