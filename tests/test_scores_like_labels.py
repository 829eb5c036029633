"""Predicted labels passed for scores: one warning per call, and none for anything else."""

import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from public_names import CALLABLES, SIGNATURES
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.tree import DecisionTreeClassifier

import sklearn_achievable_pr as apr

RNG = np.random.default_rng(3)
N = 300
Y = (RNG.random(N) < 0.4).astype(int)
SCORE = Y + RNG.normal(size=N)
PREDICTED = (SCORE > 0.5).astype(int)
CLASSES = np.arange(N) % 3
TEXT = (
    "`{}` has only 0 and 1, like predicted labels. Pass scores or probabilities; to tune a "
    "threshold, use `HullThresholdClassifierCV`."
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
    "threshold_table": {"thresholds": [0.5, 0.7]},
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


def call(name, score):
    """Call a function with these scores, of one model, of two or of two folds."""
    function = partial(CALLABLES[name], **OPTIONS.get(name, {}))
    if name in OF_FOLDS:
        return function(np.split(Y, 2), np.split(score, 2))
    if name == "compare_subgroups":
        return function(Y, score, CLASSES)
    if PARAMETER[name] == "y_scores":
        return function(Y, {"a": SCORE, "x": score, "y": score})
    return function(Y, *[score] * (1 + (PARAMETER[name] == "y_score_a")))


@pytest.mark.parametrize("name", PARAMETER)
def test_predicted_labels_warn_once_in_every_function(name):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(name, PREDICTED)
    argument = PARAMETER[name] + "['x']" * (PARAMETER[name] == "y_scores")
    found = [(str(w.message), w.category, w.filename) for w in caught]
    assert found == [(TEXT.format(argument), UserWarning, __file__)]


@pytest.mark.parametrize("name", PARAMETER)
def test_floats_do_not_warn(name):
    call(name, PREDICTED.astype(float))


@pytest.mark.parametrize(
    "score",
    [
        PREDICTED.astype(np.uint8),
        PREDICTED == 1,
        np.zeros(N, dtype=bool),
        PREDICTED.tolist(),
        PREDICTED.astype(object),
        pd.Series(PREDICTED, dtype="Int64"),
    ],
)
def test_predicted_labels_of_any_type_warn(score):
    with pytest.warns(UserWarning, match="`y_score` has only 0 and 1"):
        found = apr.auc_pr_interpolated(Y, score)
    assert found == apr.auc_pr_interpolated(Y, np.asarray(score, dtype=float))


def test_the_second_score_is_named():
    with pytest.warns(UserWarning, match="`y_score_b` has only 0 and 1"):
        apr.dominates(Y, SCORE, PREDICTED)


@pytest.mark.parametrize("y_true", [CLASSES, np.eye(3, dtype=int)[CLASSES]])
@pytest.mark.parametrize(
    "function", [apr.auc_pr_interpolated, apr.AchievablePRDisplay.from_predictions]
)
def test_several_classes_warn_once(function, y_true):
    with pytest.warns(UserWarning, match="labels") as caught:
        function(y_true, np.eye(3, dtype=int)[CLASSES[::-1]])
    assert [str(w.message) for w in caught] == [TEXT.format("y_score")]


SCORER = make_scorer(apr.auc_pr_interpolated)


def test_a_scorer_without_response_method_warns():
    model = LogisticRegression().fit(SCORE[:, np.newaxis], Y)
    with pytest.warns(UserWarning, match="labels") as caught:
        SCORER(model, SCORE[:, np.newaxis], Y)
    assert [str(w.message) for w in caught] == [TEXT.format("y_score")]


@pytest.mark.parametrize(
    "score", [PREDICTED + 1, 2 * PREDICTED, PREDICTED * 0, PREDICTED - 1, CLASSES]
)
def test_other_integers_do_not_warn(score):
    apr.auc_pr_interpolated(Y, score)


def test_one_fold_of_integers_may_have_0_and_1_only():
    folds = np.split(PREDICTED * 1, 2)
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


FRAME = pd.DataFrame({"y": Y, "s": PREDICTED})
WITHOUT = {
    "batches": lambda: apr.auc_pr_from_batches(lambda: [(Y, PREDICTED)]),
    "frame": lambda: apr.auc_pr_from_frame(FRAME, "y", "s"),
    "counts": lambda: apr.PRCounts().update(Y, PREDICTED).auc_pr(),
    "counts of a frame": lambda: apr.PRCounts.from_frame(FRAME, "y", "s"),
    "y_pred": lambda: apr.f1_above_chance_score(Y, PREDICTED),
    "probabilities 0 and 1": lambda: apr.AchievablePRDisplay.from_estimator(
        DecisionTreeClassifier(random_state=0).fit(SCORE[:, np.newaxis], Y),
        SCORE[:, np.newaxis],
        Y,
    ),
}


@pytest.mark.parametrize("case", WITHOUT)
def test_other_data_do_not_warn(case):
    WITHOUT[case]()
