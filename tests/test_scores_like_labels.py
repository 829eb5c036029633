"""Predicted labels passed for scores: one warning per call, and none for anything else."""

import warnings
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from cases import each
from public_names import CALLABLES, SIGNATURES
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import cross_validate
from sklearn.tree import DecisionTreeClassifier

import sklearn_achievable_pr as apr

RNG = np.random.default_rng(3)
N = 300
Y = (RNG.random(N) < 0.4).astype(int)
SCORE = Y + RNG.normal(size=N)
PREDICTED = (SCORE > 0.5).astype(int)
CLASSES = np.arange(N) % 3
TEXT = (
    "`{}` has only {} and 1, like predicted labels. Pass scores or probabilities; to tune "
    "a threshold, use `HullThresholdClassifierCV`."
)

OPTIONS = {
    "auc_pr_chance_test": {"n_resamples": 99, "random_state": 0},
    "operating_point_interval": {"recall": 0.5},
    "precision_at_k": {"k": [1, 3]},
    "precision_at_recall": {"recall": [0.3, 0.5]},
    "recall_at_fpr": {"fpr": [0.1, 0.5]},
    "recall_at_k": {"k": [1, 3]},
    "recall_at_precision": {"precision": [0.3, 0.5]},
    "select_positives": {"new_score": SCORE, "max_fdr": 0.2},
    "threshold_table": {"k": [20, 50]},
}
# Functions of one array of scores, by the name of that argument.
PARAMETER = {
    name: next(p for p in signature.parameters if p.startswith("y_score"))
    for name, signature in SIGNATURES.items()
    if {"y_true"} < {*signature.parameters} and "frame" not in signature.parameters
    if any(p.startswith("y_score") for p in signature.parameters)
    if not name.startswith("PRCounts.")
}
OF_FOLDS = ("summary_auc_pr", "summary_pr_curve")


def call(name, score, labels=Y, **options):
    """Call a function with these scores, of one model, of two or of two folds."""
    function = partial(CALLABLES[name], **OPTIONS.get(name, {}), **options)
    if name in OF_FOLDS:
        return function(np.split(labels, 2), np.split(score, 2))
    if name == "compare_subgroups":
        return function(labels, score, CLASSES)
    if PARAMETER[name] == "y_scores":
        return function(labels, {"a": SCORE, "x": score, "y": score})
    return function(labels, *[score] * (1 + (PARAMETER[name] == "y_score_a")))


@pytest.mark.parametrize("score", [PREDICTED, 2.0 * PREDICTED - 1], ids=["int", "signs"])
@each(name=PARAMETER)
def test_predicted_labels_warn_once_in_every_function(name, score):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(name, score)
    argument = PARAMETER[name] + "['x']" * (PARAMETER[name] == "y_scores")
    found = [(str(w.message), w.category, w.filename) for w in caught]
    text = TEXT.format(argument, f"{min(score):g}")
    assert found == [(text, UserWarning, __file__)]


@each(name=PARAMETER)
def test_two_other_scores_do_not_warn(name):
    call(name, 0.9 * PREDICTED)


@each(name=PARAMETER)
def test_the_two_labels_as_scores_warn_in_every_function(name):
    with pytest.warns(UserWarning, match="has only 5 and 7, like predicted") as caught:
        call(name, 2.0 * PREDICTED + 5, labels=2 * Y + 5, pos_label=7)
    assert len(caught) == 1


OF_TYPES = {
    "uint8": PREDICTED.astype(np.uint8),
    "float64": PREDICTED.astype(np.float64),
    "float32": PREDICTED.astype(np.float32),
    "float16": PREDICTED.astype(np.float16),
    "bool": PREDICTED == 1,
    "list": PREDICTED.tolist(),
    "object": PREDICTED.astype(object),
    "pandas": pd.Series(PREDICTED, dtype="float64"),
    "pandas with NA": pd.Series(PREDICTED, dtype="Int64"),
    "polars": pl.Series(PREDICTED).cast(pl.Float32),
    "arrow": pa.array(PREDICTED.astype(float)),
}


@each(kind=OF_TYPES)
def test_predicted_labels_of_any_type_warn(kind):
    with pytest.warns(UserWarning, match="`y_score` has only 0 and 1"):
        found = apr.auc_pr_interpolated(Y, OF_TYPES[kind])
    assert found == apr.auc_pr_interpolated(Y, PREDICTED / 2)


def test_the_dtype_of_labels_and_scores_may_differ():
    with pytest.warns(UserWarning, match="`y_score` has only 1 and 2"):
        apr.auc_pr_interpolated(Y + 1, PREDICTED + 1.0, pos_label=2)


def test_the_second_score_is_named():
    with pytest.warns(UserWarning, match="`y_score_b` has only 0 and 1"):
        apr.dominates(Y, SCORE, PREDICTED)


@pytest.mark.parametrize("y_true", [CLASSES, np.eye(3, dtype=int)[CLASSES]])
@pytest.mark.parametrize(
    "function", [apr.auc_pr_interpolated, apr.AchievablePRDisplay.from_predictions]
)
def test_several_classes_warn_once(function, y_true):
    with pytest.warns(UserWarning, match="labels") as caught:
        function(y_true, np.eye(3)[np.where(SCORE > 0, CLASSES, 0)])
    assert [str(w.message) for w in caught] == [TEXT.format("y_score", 0)]


SCORER = make_scorer(apr.auc_pr_interpolated)


def test_a_scorer_without_response_method_warns():
    model = LogisticRegression().fit(SCORE[:, np.newaxis], Y)
    with pytest.warns(UserWarning, match="labels") as caught:
        SCORER(model, SCORE[:, np.newaxis], Y)
    assert [str(w.message) for w in caught] == [TEXT.format("y_score", 0)]


@pytest.mark.parametrize(
    "score",
    [PREDICTED + 1, 2.0 * PREDICTED, PREDICTED < 0, CLASSES],
)
def test_other_values_do_not_warn(score):
    apr.auc_pr_interpolated(Y, score)


def test_one_fold_may_have_0_and_1_only():
    folds = np.split(PREDICTED * 1.0, 2)
    folds[1] = folds[1] * 2
    apr.summary_auc_pr(np.split(Y, 2), folds)


def test_folds_may_each_have_one_predicted_label():
    y_true, y_score = [[0, 1], [0, 1]], [[0, 0], [1, 1]]
    with pytest.warns(UserWarning, match="`y_score` has only 0 and 1"):
        apr.summary_auc_pr(y_true, y_score)


def test_samples_of_weight_0_do_not_count():
    y_score = [0, 1, 1, 0, 2]
    with pytest.warns(UserWarning, match="`y_score` has only 0 and 1"):
        apr.auc_pr_interpolated([0, 1, 0, 1, 1], y_score, sample_weight=[1, 1, 1, 1, 0])


@pytest.mark.parametrize(
    "score",
    [PREDICTED.astype(float), PREDICTED.astype(np.float32), PREDICTED == 1, PREDICTED],
    ids=["float64", "float32", "bool", "int"],
)
def test_predicted_labels_in_batches_warn_once(score):
    """A batch may have one of the two."""
    order = np.argsort(PREDICTED)
    parts = [(Y[some], score[some]) for some in np.array_split(order, 3)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        apr.auc_pr_from_batches(lambda: parts)
    found = [(str(w.message), w.category, w.filename) for w in caught]
    assert found == [(TEXT.format("y_score", 0), UserWarning, __file__)]


@pytest.mark.parametrize("labels", [(-1, 1), (3, 7)])
def test_the_two_labels_of_y_true_in_batches_warn(labels):
    y_true, score = (np.choose(column, labels) for column in (Y, PREDICTED))
    with pytest.warns(UserWarning, match="`y_score` has only {} and {}".format(*labels)):
        apr.auc_pr_from_batches(lambda: [(y_true, score)], pos_label=labels[1])


FRAME = pd.DataFrame({"y": Y, "s": PREDICTED})
WITHOUT = {
    "batches": lambda: apr.auc_pr_from_batches(lambda: [(Y, PREDICTED / 2)]),
    "counts": lambda: apr.PRCounts().update(Y, PREDICTED).auc_pr(),
    "counts of a frame": lambda: apr.PRCounts.from_frame(FRAME, "y", "s"),
    "y_pred": lambda: apr.f1_above_chance_score(Y, PREDICTED),
}


@pytest.mark.parametrize("case", WITHOUT)
def test_other_data_do_not_warn(case):
    WITHOUT[case]()


# What the package asked an estimator for


X = SCORE[:, np.newaxis]
TREE = DecisionTreeClassifier(random_state=0)
FOLDS = cross_validate(TREE, X, Y, cv=3, return_estimator=True, return_indices=True)
ASKED = {
    "scorer": lambda: apr.auc_pr_interpolated_scorer(TREE.fit(X, Y), X, Y),
    "from_estimator": lambda: apr.AchievablePRDisplay.from_estimator(TREE.fit(X, Y), X, Y),
    "from_cv_results": lambda: apr.AchievablePRDisplay.from_cv_results(FOLDS, X, Y),
    "auc_pr_interval_cv": lambda: apr.auc_pr_interval_cv(FOLDS, X, Y),
}


@pytest.mark.parametrize("case", ASKED)
def test_the_probabilities_0_and_1_of_a_grown_tree_do_not_warn(case):
    ASKED[case]()


@pytest.mark.parametrize("dtype", [np.int64, np.float64, np.float16])
def test_labels_of_cross_val_predict_as_scores_of_folds_warn(dtype):
    with pytest.warns(UserWarning, match="`y_score` has only 0 and 1"):
        cv_results = apr.cv_results_from_scores(PREDICTED.astype(dtype), CLASSES)
    # No function that takes these results warns again.
    apr.auc_pr_interval_cv(cv_results, None, Y)
