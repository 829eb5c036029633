"""`fold_predictions`: labels and scores of the folds of a cross-validation."""

import pickle

import numpy as np
import pandas as pd
import pytest
from detectors import INLIER, IS_OUTLIER, POINTS, Radius
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import IsolationForest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from tuning_sets import ALL_OR_NONE

import sklearn_achievable_pr as apr

X, BENIGN = load_breast_cancer(return_X_y=True)
X = X[:, :4]
MODEL = make_pipeline(StandardScaler(), LogisticRegression())


def cross_validated(model, X, y, cv, **options):
    options |= {"return_estimator": True, "return_indices": True, "error_score": "raise"}
    return cross_validate(model, X, y, cv=cv, **options)


def test_folds_of_a_cross_validation():
    results = cross_validated(MODEL, X, BENIGN, StratifiedKFold(4))
    y_true, y_score, weight = apr.fold_predictions(results, X, BENIGN)
    assert weight is None
    assert len(apr.fold_predictions(results, X, BENIGN)) == 3
    assert len(y_true) == len(y_score) == 4
    each = []
    for fold, model, test in zip(
        range(4), results["estimator"], results["indices"]["test"], strict=True
    ):
        np.testing.assert_array_equal(y_true[fold], BENIGN[test] == 1)
        np.testing.assert_array_equal(y_score[fold], model.decision_function(X[test]))
        each.append(
            apr.auc_pr_interpolated(BENIGN[test], y_score[fold], prevalence=BENIGN.mean())
        )
    found = apr.summary_auc_pr(y_true, y_score)
    assert found == pytest.approx(np.mean(each), rel=1e-14)


def test_other_response_label_and_weights():
    words = np.where(BENIGN == 1, "benign", "malignant")
    weight = np.arange(len(words)) % 3 + 1.0
    results = cross_validated(MODEL, X, words, KFold(3))
    y_true, y_score, weights = apr.fold_predictions(
        results, X, words, sample_weight=weight, pos_label="benign",
        response_method="predict_proba",
    )  # fmt: skip
    for k, test in enumerate(results["indices"]["test"]):
        np.testing.assert_array_equal(y_true[k], words[test] == "benign")
        np.testing.assert_array_equal(weights[k], weight[test])
        proba = results["estimator"][k].predict_proba(X[test])[:, 0]
        np.testing.assert_array_equal(y_score[k], proba)
    # No label is needed from here on.
    apr.summary_auc_pr(y_true, y_score, prevalence=0.4)


@pytest.mark.parametrize(
    ("response_method", "first"),
    [
        ({}, "decision_function"),
        ({"response_method": ("decision_function", "predict_proba")}, "decision_function"),
        ({"response_method": ("predict_proba", "decision_function")}, "predict_proba"),
        ({"response_method": "predict_proba"}, "predict_proba"),
    ],
)
def test_the_first_method_that_the_estimator_has_is_called(response_method, first):
    results = cross_validated(MODEL, X, BENIGN, KFold(3))
    _, y_score, _ = apr.fold_predictions(results, X, BENIGN, **response_method)
    expected = getattr(results["estimator"][0], first)(X[results["indices"]["test"][0]])
    np.testing.assert_array_equal(
        y_score[0], expected.T[-1] if expected.ndim > 1 else expected
    )


def test_a_method_that_the_estimator_lacks_is_passed_over():
    results = cross_validated(DummyClassifier(), X, BENIGN, KFold(3))
    _, y_score, _ = apr.fold_predictions(results, X, BENIGN)
    expected = results["estimator"][0].predict_proba(X[results["indices"]["test"][0]])
    np.testing.assert_array_equal(y_score[0], expected[:, 1])


@pytest.mark.parametrize("weight", [None, np.arange(len(X)) + 0.5])
def test_the_frame_of_predictions_has_one_row_per_test_sample(weight):
    pytest.importorskip("pandas")
    results = cross_validated(MODEL, X, BENIGN, KFold(3))
    found = apr.fold_predictions(results, X, BENIGN, sample_weight=weight)
    frame = found.to_frame()
    assert list(frame) == ["fold", "sample", "y_true", "y_score", "sample_weight"]
    weight = np.ones(len(X)) if weight is None else weight
    for fold, test in enumerate(results["indices"]["test"]):
        rows = frame[frame["fold"] == fold]
        np.testing.assert_array_equal(rows["sample"], test)
        np.testing.assert_array_equal(rows["y_true"], BENIGN[test] == 1)
        np.testing.assert_array_equal(rows["y_score"], found.y_score[fold])
        np.testing.assert_array_equal(rows["sample_weight"], weight[test])


def test_probabilities_0_and_1_of_a_grown_tree_are_no_labels():
    """Neither here nor in functions of the predictions of folds."""
    results = cross_validated(
        DecisionTreeClassifier(random_state=0), X, BENIGN, StratifiedKFold(3),
        scoring=apr.auc_pr_interpolated_scorer,
    )  # fmt: skip
    y_true, y_score, _ = apr.fold_predictions(results, X, BENIGN)
    assert {*np.concatenate(y_score)} == {0, 1}
    assert repr(y_score[0]) == repr(np.array(y_score[0]))
    assert type(pickle.loads(pickle.dumps(y_score[0]))) is np.ndarray
    apr.summary_auc_pr(y_true, y_score)
    apr.auc_pr_interval_cv(results, X, BENIGN)
    apr.compare_models_cv({"a": results, "b": results}, X, BENIGN)


def test_the_print_of_predictions_has_their_sizes():
    results = cross_validated(MODEL, X, BENIGN, StratifiedKFold(3))
    found = apr.fold_predictions(results, X, BENIGN)
    assert (
        str(found) == "569 samples, 357 positive\n3 folds, at least 119 positives in each"
    )


def test_repeats_count_each_sample_once():
    splitter = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    results = cross_validated(MODEL, X, BENIGN, splitter)
    found = apr.fold_predictions(results, X, BENIGN)
    first, second = str(found).splitlines()
    assert first == "569 samples, 357 positive"
    assert second == "6 folds in 2 repeats, at least 119 positives in each"


def test_repeats_are_the_clusters_of_a_guarantee():
    splitter = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    results = cross_validated(MODEL, X, BENIGN, splitter)
    frame = apr.fold_predictions(results, X, BENIGN).to_frame()
    point = apr.choose_threshold(
        frame["y_true"], frame["y_score"], groups=frame["sample"], min_recall=0.9,
        confidence_level=0.9,
    )  # fmt: skip
    assert (point.n_samples, point.n_clusters) == (2 * 569, 569)


def test_frames_and_lists_give_the_predictions_of_arrays():
    pandas = pytest.importorskip("pandas")
    frame, column = pandas.DataFrame(X), pandas.Series(BENIGN, index=range(7, 7 + len(X)))
    results = cross_validated(MODEL, frame, column, KFold(3))
    expected = apr.fold_predictions(results, X, BENIGN)
    found = apr.fold_predictions(results, frame, column, sample_weight=[1.0] * len(X))
    for a, b in zip(found[:2], expected[:2], strict=True):
        for one, other in zip(a, b, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12)
    assert all((w == 1).all() for w in found[2])


MALFORMED = "`cv_results` must be what cross_validate returns"


@pytest.mark.parametrize(
    "changed",
    [
        {"estimator": None},
        {"estimator": [], "indices": {"train": [], "test": []}},
        {"estimator": []},
        {"indices": None},
    ],
    ids=str,
)
def test_results_without_estimators_or_indices_raise(changed):
    results = cross_validated(DummyClassifier(), X, BENIGN, KFold(3))
    with pytest.raises(ValueError, match=MALFORMED):
        apr.fold_predictions({**results, **changed}, X, BENIGN)


@pytest.mark.parametrize(
    "indices",
    [
        {"test": [[0.5]] * 3},
        {"test": [[10**6]] * 3},
        {"test": [[0], [[1]], [2]]},
        {"test": [[0]]},
    ],
    ids=str,
)
def test_indices_of_no_samples_raise(indices):
    results = cross_validated(DummyClassifier(), X, BENIGN, KFold(3))
    with pytest.raises(ValueError, match=MALFORMED):
        apr.fold_predictions(results | {"indices": indices}, X, BENIGN)


@pytest.mark.parametrize(
    "indices",
    [
        {"test": [[0], [], [1]]},
        {"test": [[0], [1], [2]], "train": [[1], [2], []]},
    ],
    ids=str,
)
def test_folds_without_samples_raise(indices):
    results = cross_validated(DummyClassifier(), X, BENIGN, KFold(3))
    with pytest.raises(ValueError, match=f"{MALFORMED}.* are empty"):
        apr.fold_predictions(results | {"indices": indices}, X, BENIGN)


@pytest.mark.parametrize("cv_results", [[], None])
def test_no_results_of_a_cross_validation_raise(cv_results):
    with pytest.raises(ValueError, match=MALFORMED):
        apr.fold_predictions(cv_results, X, BENIGN)


UNKNOWN = "`y` must hold only classes of `estimator`, "


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.full(len(X), np.nan), UNKNOWN),
        (BENIGN + 2, UNKNOWN),
        (np.where(BENIGN, "a", "b"), UNKNOWN),
        (np.ma.array(BENIGN, mask=BENIGN), "`y` has masked entries"),
    ],
)
def test_labels_that_the_estimators_do_not_know_raise(y, message):
    results = cross_validated(DummyClassifier(), X, BENIGN, KFold(3))
    with pytest.raises(ValueError, match=message):
        apr.fold_predictions(results, X, y)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"X": X[:99], "y": BENIGN[:99]}, ValueError, "for this `X` and `y`.*out of bo"),
        ({"pos_label": 7}, ValueError, "`pos_label`=7 is not a label"),
        ({"sample_weight": np.full(len(X), np.nan)}, ValueError, "`sample_w.* finite"),
        ({"sample_weight": ["1"] * len(X)}, TypeError, "`sample_weight` must .*real"),
    ],
)
def test_bad_arguments_of_fold_predictions(given, error, message):
    results = cross_validated(DummyClassifier(), X, BENIGN, KFold(3))
    data = {"cv_results": results, "X": X, "y": BENIGN}
    with pytest.raises(error, match=message):
        apr.fold_predictions(**data | given)


WORDS = np.where(BENIGN == 1, "benign", "malignant")
BOTH = "pass pos_label='benign' or pos_label='malignant'"


def test_labels_that_do_not_tell_the_positive_class_raise_and_are_named():
    results = cross_validated(DummyClassifier(), X, WORDS, KFold(3))
    with pytest.raises(ValueError, match=BOTH):
        apr.fold_predictions(results, X, WORDS)


@pytest.mark.parametrize("cv", [KFold(3), TimeSeriesSplit(3)])
def test_data_with_more_samples_than_were_cross_validated_raise(cv):
    results = cross_validated(DummyClassifier(), X[169:], BENIGN[169:], cv)
    message = "for this `X` and `y`. Its folds divide 400 samples, and `y` has 569"
    with pytest.raises(ValueError, match=message):
        apr.fold_predictions(results, X, BENIGN)


def test_a_splitter_that_leaves_the_last_samples_out_has_a_way_out():
    cv = [(np.arange(200), np.arange(200, 300)), (np.arange(300), np.arange(300, 400))]
    results = cross_validated(DummyClassifier(), X, BENIGN, cv)
    with pytest.raises(ValueError, match=r"leaves the last .*`X\[:400\]` and `y\[:400\]`"):
        apr.fold_predictions(results, X, BENIGN)
    y_true, *_ = apr.fold_predictions(results, X[:400], BENIGN[:400])
    assert [*map(len, y_true)] == [100, 100]


def test_folds_of_a_part_of_the_samples():
    cv = ShuffleSplit(2, train_size=0.2, test_size=0.2, random_state=0)
    results = cross_validated(DummyClassifier(), X, BENIGN, cv)
    assert len(apr.fold_predictions(results, X, BENIGN).y_true) == 2


@pytest.mark.parametrize(
    ("pos_label", "sign", "share"), [(None, 1, 0.9), (1, 1, 0.9), (-1, -1, 0.1)]
)
def test_folds_of_an_outlier_detector(pos_label, sign, share):
    y = np.where(np.arange(len(X)) % 10, 1, -1)
    detector = make_pipeline(
        StandardScaler(), IsolationForest(n_estimators=5, random_state=0)
    )
    scorer = apr.auc_pr_interpolated_scorer  # a detector has no default one
    results = cross_validated(detector, X, y, KFold(3), scoring=scorer)
    y_true, y_score, _ = apr.fold_predictions(results, X, y, pos_label=pos_label)
    assert np.mean(y_true[0]) == pytest.approx(share, abs=0.01)
    expected = results["estimator"][0].decision_function(X[results["indices"]["test"][0]])
    np.testing.assert_array_equal(y_score[0], sign * expected)


@pytest.mark.parametrize("pos_label", [None, 0])
def test_folds_of_a_detector_that_predicts_0_and_1(pos_label):
    detector = make_pipeline(Radius())
    splitter, scorer = StratifiedKFold(3), apr.auc_pr_interpolated_scorer
    results = cross_validated(detector, POINTS, IS_OUTLIER, splitter, scoring=scorer)
    y_true, y_score, _ = apr.fold_predictions(
        results, POINTS, IS_OUTLIER, pos_label=pos_label
    )
    test = results["indices"]["test"][0]
    is_outlier, score = IS_OUTLIER[test], results["estimator"][0].decision_function(
        POINTS[test]
    )  # fmt: skip
    if pos_label == 0:
        is_outlier, score = 1 - is_outlier, -score
    np.testing.assert_array_equal(y_true[0], is_outlier)
    np.testing.assert_array_equal(y_score[0], score)
    with pytest.raises(ValueError, match=r"pass `np\.where\(y == -1, 1, 0\)`"):
        apr.fold_predictions(results, POINTS, INLIER)


@pytest.mark.parametrize("other", ["X", "sample_weight"])
def test_samples_of_a_data_frame_in_another_order_raise(other):
    index = np.random.default_rng(0).permutation(len(X)) + 5
    data = {
        "X": pd.DataFrame(X, index=index),
        "y": pd.Series(BENIGN, index=index),
        "sample_weight": pd.Series(1.0, index=index),
    }
    results = cross_validated(DummyClassifier(), data["X"], data["y"], KFold(3))
    apr.fold_predictions(results, **data)
    data[other] = data[other].sort_index()
    with pytest.raises(
        ValueError, match=f"`{other}` and `y` must have their samples in one order"
    ):
        apr.fold_predictions(results, **data)


def test_classifiers_of_other_classes():
    models = [DummyClassifier().fit(X, BENIGN + more) for more in (0, 2)]
    tests = [np.flatnonzero(label == BENIGN) for label in (1, 0)]
    results = {"estimator": models, "indices": {"test": tests}}
    y = np.where(BENIGN == 1, 0, 2)
    with pytest.raises(ValueError, match=r"`pos_label`=1 is .*`estimator`, \[2, 3\]"):
        apr.fold_predictions(results, X, y)


@ALL_OR_NONE
def test_the_positive_label_of_a_hull_classifier():
    model = apr.HullThresholdClassifierCV(DummyClassifier(), pos_label=0, cv=3)
    results = cross_validated(model, X, BENIGN, KFold(3))
    labels, scores, _ = apr.fold_predictions(results, X, BENIGN)
    expected = apr.fold_predictions(results, X, BENIGN, pos_label=0)
    for found, same in zip(labels + scores, expected[0] + expected[1], strict=True):
        np.testing.assert_array_equal(found, same)
