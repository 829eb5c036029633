"""HullThresholdClassifierCV against brute force, its own counts, and scikit-learn."""

import pickle
import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_backend
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import check_estimator
from tuning_sets import Scorer, counts_at, tied_problem, tuned_on, two_classes

from sklearn_achievable_pr import roc_convex_hull
from sklearn_achievable_pr.thresholds.hull_threshold import HullThresholdClassifierCV

# The estimator's protocol

FOLDS_ARE_NOT_WEIGHTS = (
    "folds are drawn by samples: one of weight 2 stays in one fold, two copies need not"
)
MAY_FAIL = {
    "check_classifiers_train": "the greater of predict_proba and the operating point "
    "are two rules, and need not agree",
    "check_sample_weight_equivalence_on_dense_data": FOLDS_ARE_NOT_WEIGHTS,
    "check_sample_weight_equivalence_on_sparse_data": FOLDS_ARE_NOT_WEIGHTS,
}


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # scikit-learn's checks warn on purpose
@pytest.mark.parametrize(
    "estimator",
    [
        HullThresholdClassifierCV(LogisticRegression(), cv=3, objective="mcc"),
        HullThresholdClassifierCV(GaussianNB(), cv=3, store_cv_results=True),
        HullThresholdClassifierCV(
            LogisticRegression(),
            objective={"tp": 3, "fp": -1},
            min_recall=0.1,
            cv=0.5,
            random_state=0,
            refit=False,
        ),
    ],
    ids=["mcc", "proba_only", "kept"],
)
def test_the_checks_of_scikit_learn_pass(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(
            estimator, expected_failed_checks=MAY_FAIL, on_fail=None, on_skip=None
        )
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"}
    assert not failed
    assert sum(r["status"] == "passed" for r in results) > 40


def test_a_clone_is_not_fitted_and_a_pickle_is():
    X, y = two_classes()
    model = HullThresholdClassifierCV(
        GaussianNB(), objective="youden", min_recall=0.4, store_cv_results=True
    ).fit(X, y)
    copy = clone(model)
    assert not hasattr(copy, "threshold_")
    assert copy.get_params()["objective"] == "youden"
    assert copy.fit(X, y).threshold_ == model.threshold_

    thawed = pickle.loads(pickle.dumps(model))
    assert thawed.threshold_ == model.threshold_
    np.testing.assert_array_equal(thawed.tuning_counts_.tps, model.tuning_counts_.tps)
    np.testing.assert_array_equal(thawed.predict_proba(X), model.predict_proba(X))


def test_refitting_deletes_old_attributes():
    X, y = two_classes()
    model = HullThresholdClassifierCV(
        GaussianNB(), objective="precision", min_recall=0.8, randomize=True
    )
    model.set_params(store_cv_results=True).fit(pd.DataFrame(X).add_prefix("f"), y)
    assert model.operating_point_.randomized_threshold is not None
    model.set_params(store_cv_results=False, randomize=False).fit(X, y)
    assert model.operating_point_.randomized_threshold is None
    assert not hasattr(model, "cv_results_")
    assert not hasattr(model, "feature_names_in_")


# The hull and its thresholds


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_vertices_are_the_public_hull(seed, weighted):
    score, y, weight = tied_problem(seed, weighted=weighted)
    model = tuned_on(score, y, sample_weight=weight)
    fpr, tpr, hull_thresholds = roc_convex_hull(y, score, sample_weight=weight)
    fps, tps = model.tuning_counts_
    np.testing.assert_allclose(fps / fps[-1], fpr, rtol=1e-12)
    np.testing.assert_allclose(tps / tps[-1], tpr, rtol=1e-12)
    # The vertex's score reaches its threshold, the next lower one does not.
    assert len(model.thresholds_) == len(fps)
    for threshold, f, t in zip(model.thresholds_, fps, tps, strict=True):
        np.testing.assert_allclose(counts_at(threshold, score, y, weight), (f, t))
    assert (model.thresholds_[1:] <= hull_thresholds[-len(fps) + 1 :]).all()


def test_thresholds_lie_midway():
    model = tuned_on([8.0, 4.0, 3.0, 1.0], [1, 0, 1, 0])
    # Vertices: 8 alone; 8, 4 and 3; everything.
    np.testing.assert_array_equal(model.thresholds_, [np.inf, 6.0, 2.0, -np.inf])
    np.testing.assert_array_equal(model.tuning_counts_.fps, [0, 0, 1, 2])
    np.testing.assert_array_equal(model.tuning_counts_.tps, [0, 1, 2, 2])
    assert model.tuning_counts_.fps.dtype == np.int64


@pytest.mark.parametrize(
    ("place", "dtype"),
    [
        ("one", np.float32),
        ("denormal", np.float64),
        ("opposite_ends", np.float64),
        ("zero", np.float32),
    ],
)
def test_threshold_separates_neighboring_floats(place, dtype):
    info = np.finfo(dtype)
    high = {
        "one": dtype(1),
        "denormal": info.smallest_subnormal,
        "opposite_ends": info.max,
        "zero": dtype(0),
    }[place]
    low = -info.max if place == "opposite_ends" else np.nextafter(high, dtype(-np.inf))
    assert low < high
    score = np.array([high, high, low, low], dtype=dtype)
    model = tuned_on(score, [1, 1, 0, 0])
    assert np.isfinite(model.threshold_)
    assert low.item() < model.threshold_ <= high.item()
    assert low < dtype(model.threshold_) <= high
    np.testing.assert_array_equal(model.predict(score.reshape(-1, 1)), [1, 1, 0, 0])
    # and the same scores in double precision
    np.testing.assert_array_equal(
        model.predict(score.astype(np.float64).reshape(-1, 1)), [1, 1, 0, 0]
    )


def test_single_precision_after_tuning_in_double():
    score = np.array([1 + 2e-9, 1.0])
    model = tuned_on(score, [1, 0])
    rounded = score.astype(np.float32).reshape(-1, 1)
    np.testing.assert_array_equal(model.predict(rounded), [0, 0])
    np.testing.assert_array_equal(model.decision_function(rounded), [-0.5, -0.5])


# No optimism from the test data


@pytest.mark.parametrize("pos_label", [0, 1])
@pytest.mark.parametrize("seed", range(2))
def test_curves_on_test_data_have_kept_thresholds_only(seed, pos_label):
    (tune, y_tune, _), (test, y_test, _) = (tied_problem(s, 150) for s in (seed, seed + 99))
    sign = 1 if pos_label else -1  # scores are those of class 1
    y_tune, y_test = (y if pos_label else 1 - y for y in (y_tune, y_test))
    model = tuned_on(sign * tune, y_tune, pos_label=pos_label)
    X = (sign * test).reshape(-1, 1)
    np.testing.assert_array_equal(model.decision_function(X) > 0, model.predict(X) == 1)
    positive = (y_test == pos_label).astype(int)
    expected = {counts_at(threshold, test, positive) for threshold in model.thresholds_}
    for response in (
        sign * model.decision_function(X),
        model.predict_proba(X)[:, pos_label],
    ):
        found = {counts_at(value, response, positive) for value in np.unique(response)}
        assert found == expected - {(0, 0)}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_probabilities_are_isotonic_regression(seed, weighted):
    score, y, weight = tied_problem(seed, n_samples=200, weighted=weighted)
    model = tuned_on(score, y, sample_weight=weight)
    isotonic = IsotonicRegression().fit(score, y, sample_weight=weight)
    probability = model.predict_proba(score.reshape(-1, 1))
    np.testing.assert_allclose(probability[:, 1], isotonic.predict(score), rtol=1e-12)
    np.testing.assert_allclose(probability.sum(axis=1), 1, rtol=1e-15)


# Hold-out of the tuning set


@pytest.mark.parametrize(
    "cv",
    [None, 3, StratifiedKFold(4, shuffle=True, random_state=0), KFold(5)],
    ids=["default", "int", "splitter", "unstratified"],
)
def test_pools_out_of_fold_scores(cv):
    X, y = two_classes(seed=1)
    base = LogisticRegression()
    model = HullThresholdClassifierCV(base, cv=cv).fit(X, y)
    pooled = cross_val_predict(base, X, y, cv=cv, method="predict_proba")[:, 1]
    expected = tuned_on(pooled, y)
    np.testing.assert_array_equal(model.thresholds_, expected.thresholds_)
    np.testing.assert_array_equal(model.tuning_counts_.tps, expected.tuning_counts_.tps)
    assert model.threshold_ == expected.threshold_
    # and the final classifier has seen all samples
    np.testing.assert_array_equal(model.estimator_.coef_, clone(base).fit(X, y).coef_)


def test_float_cv_is_one_stratified_hold_out():
    X, y = two_classes(seed=1)
    model = HullThresholdClassifierCV(GaussianNB(), cv=0.25, random_state=7).fit(X, y)
    splitter = StratifiedShuffleSplit(1, test_size=0.25, random_state=7)
    train, test = next(splitter.split(X, y))
    score = GaussianNB().fit(X[train], y[train]).predict_proba(X[test])[:, 1]
    expected = tuned_on(score, y[test])
    np.testing.assert_array_equal(model.thresholds_, expected.thresholds_)
    assert sum(counts[-1] for counts in model.tuning_counts_) == 100
    np.testing.assert_array_equal(model.estimator_.theta_, GaussianNB().fit(X, y).theta_)


def test_iterable_of_splits_also_as_masks():
    X, y = two_classes()
    splits = list(StratifiedKFold(3).split(X, y))
    masks = [tuple(np.isin(np.arange(len(y)), part) for part in split) for split in splits]
    by_number, by_index, by_mask = (
        HullThresholdClassifierCV(GaussianNB(), cv=cv).fit(X, y)
        for cv in (3, iter(splits), masks)
    )
    np.testing.assert_array_equal(by_number.thresholds_, by_index.thresholds_)
    np.testing.assert_array_equal(by_number.thresholds_, by_mask.thresholds_)


def test_frozen_estimator_is_used_as_it_is():
    X, y = two_classes()
    base = FrozenEstimator(LogisticRegression().fit(X[:200], y[:200]))
    model = HullThresholdClassifierCV(base).fit(X[200:], y[200:])
    assert model.estimator_ is base
    assert sum(counts[-1] for counts in model.tuning_counts_) == 200
    expected = tuned_on(base.predict_proba(X[200:])[:, 1], y[200:])
    np.testing.assert_array_equal(model.thresholds_, expected.thresholds_)
    assert model.n_features_in_ == X.shape[1]


def test_cv_results_contain_hull_and_choice_of_each_fold():
    X, y = two_classes(seed=2)
    model = HullThresholdClassifierCV(
        GaussianNB(), cv=3, objective="precision", min_recall=0.6, store_cv_results=True
    ).fit(X, y)
    results = model.cv_results_
    for number, (train, test) in enumerate(StratifiedKFold(3).split(X, y)):
        score = GaussianNB().fit(X[train], y[train]).predict_proba(X[test])[:, 1]
        fold = tuned_on(score, y[test], objective="precision", min_recall=0.6)
        np.testing.assert_array_equal(results["thresholds"][number], fold.thresholds_)
        np.testing.assert_array_equal(results["fps"][number], fold.tuning_counts_.fps)
        np.testing.assert_array_equal(results["tps"][number], fold.tuning_counts_.tps)
        assert results["threshold"][number] == fold.threshold_
        assert results["randomized_threshold"][number] is None
        for name in ("precision", "recall", "selection_rate", "fpr", "objective_value"):
            assert results[name][number] == getattr(fold.operating_point_, name)
    assert len(results["threshold"]) == 3


def test_cv_results_where_a_fold_has_no_choice():
    score = np.array([9.0, 8, 7, 6, 5, 4, 3, 2])
    y = np.array([1, 1, 0, 0, 0, 1, 0, 0])
    splits = [
        (np.arange(8), np.array([0, 1])),  # one class
        (np.arange(8), np.array([2, 3, 4, 5, 6, 7])),  # precision 1/4 at best
        (np.arange(8), np.array([0, 1, 2, 3])),
    ]
    model = HullThresholdClassifierCV(
        Scorer(), cv=splits, min_precision=0.6, store_cv_results=True
    ).fit(score.reshape(-1, 1), y)
    results = model.cv_results_
    np.testing.assert_array_equal(results["threshold"], [np.nan, np.nan, 7.5])
    np.testing.assert_array_equal(results["objective_value"], [np.nan, np.nan, 1.0])
    assert [len(hull) for hull in results["thresholds"]] == [0, 3, 3]
    for counts in ("fps", "tps"):
        assert [len(hull) for hull in results[counts]] == [0, 3, 3]
        assert results[counts][0].shape == (0,)
    np.testing.assert_array_equal(results["tps"][2], [0, 2, 2])
    np.testing.assert_array_equal(results["fps"][2], [0, 0, 2])
    assert results["randomized_threshold"] == [None, None, None]
    np.testing.assert_array_equal(results["recall"], [np.nan, np.nan, 1.0])


def test_n_jobs_has_no_effect():
    X, y = two_classes()
    with parallel_backend("threading"):  # processes take seconds to start
        one, two = (
            HullThresholdClassifierCV(GaussianNB(), n_jobs=n_jobs, cv=3).fit(X, y)
            for n_jobs in (1, 2)
        )
    np.testing.assert_array_equal(one.thresholds_, two.thresholds_)
    assert one.operating_point_ == two.operating_point_


# Base estimators, inputs and labels


@pytest.mark.parametrize(
    ("base", "method"),
    [
        (GaussianNB(), "predict_proba"),
        (LinearSVC(), "decision_function"),
        (LogisticRegression(), "predict_proba"),
        (make_pipeline(StandardScaler(), Perceptron()), "decision_function"),
    ],
    ids=["proba_only", "decision_only", "both", "pipeline"],
)
def test_auto_takes_probabilities_first(base, method):
    X, y = two_classes()
    auto = HullThresholdClassifierCV(base, cv=3).fit(X, y)
    named = HullThresholdClassifierCV(base, cv=3, response_method=method).fit(X, y)
    assert auto.operating_point_.response_method == method
    np.testing.assert_array_equal(auto.thresholds_, named.thresholds_)
    response = getattr(auto.estimator_, method)(X)
    response = response[:, 1] if method == "predict_proba" else response
    np.testing.assert_array_equal(auto.predict(X), response >= auto.threshold_)


def test_methods_are_tried_in_the_order_that_is_passed():
    X, y = two_classes()
    both = ("decision_function", "predict_proba")
    for order in (both, both[::-1]):
        model = HullThresholdClassifierCV(LogisticRegression(), response_method=order)
        assert model.fit(X, y).operating_point_.response_method == order[0]


def test_a_named_method_is_called_although_there_are_probabilities():
    X, y = two_classes()
    model = HullThresholdClassifierCV(
        LogisticRegression(), response_method="decision_function"
    ).fit(X, y)
    reached = model.estimator_.decision_function(X) >= model.threshold_
    np.testing.assert_array_equal(model.predict(X) == model.classes_[1], reached)
    assert "positive if estimator_.decision_function >= " in str(model.operating_point_)


def test_the_printed_scale_is_that_of_the_threshold():
    """Of the first class the decision values are negated."""
    X, y = two_classes(seed=5)
    model = HullThresholdClassifierCV(LinearSVC(random_state=0), pos_label=0).fit(X, y)
    assert "positive if -estimator_.decision_function >= " in str(model.operating_point_)
    reached = -model.estimator_.decision_function(X) >= model.threshold_
    np.testing.assert_array_equal(model.predict(X) == 0, reached)


@pytest.mark.parametrize(
    ("labels", "dtype"),
    [
        (("no", "yes"), object),
        ((False, True), None),
        ((3, 8), np.int8),
        ((0, 1), np.float32),
    ],
)
def test_either_label_can_be_positive(labels, dtype):
    X, y = two_classes(seed=5)
    named = np.array(labels, dtype=dtype)[y]
    plain = HullThresholdClassifierCV(LogisticRegression()).fit(X, y)
    upper = HullThresholdClassifierCV(LogisticRegression(), pos_label=labels[1])
    upper.fit(X, named)
    lower = HullThresholdClassifierCV(LogisticRegression(), pos_label=labels[0])
    lower.fit(X, np.array(labels[::-1], dtype=dtype)[y])  # class 1 gets the lower label

    assert upper.classes_.tolist() == sorted(labels)
    assert upper.predict(X).dtype == named.dtype
    np.testing.assert_array_equal(upper.predict(X) == labels[1], plain.predict(X) == 1)
    np.testing.assert_allclose(upper.thresholds_, plain.thresholds_, rtol=1e-9)
    # Renaming the classes changes the sign of the base's score, not the operating point.
    np.testing.assert_allclose(lower.thresholds_, plain.thresholds_, rtol=1e-3)
    np.testing.assert_array_equal(lower.predict(X) == labels[0], plain.predict(X) == 1)
    np.testing.assert_array_equal(
        lower.decision_function(X) > 0, lower.predict(X) == labels[1]
    )
    np.testing.assert_allclose(
        lower.predict_proba(X)[:, 0], plain.predict_proba(X)[:, 1], rtol=1e-12
    )


FIRST_OR_SECOND = r"'healthy' is taken .* pos_label='healthy' or pos_label='disease'"


def test_a_positive_label_that_is_not_named_warns_once_per_fit():
    X, y = two_classes()
    words = np.array(["disease", "healthy"])[y]
    with pytest.warns(UserWarning, match=FIRST_OR_SECOND) as caught:
        model = HullThresholdClassifierCV(LogisticRegression()).fit(X, words)
    assert [warning.filename for warning in caught] == [__file__]
    named = HullThresholdClassifierCV(LogisticRegression(), pos_label="healthy")
    assert named.fit(X, words).operating_point_ == model.operating_point_


@pytest.mark.parametrize(
    ("labels", "position", "start"),
    [
        (("disease", "healthy"), 0, "Predict 'disease' if "),
        ((1, 2), 0, "Predict 1 if "),
        ((0, 1), 0, "Predict positive if "),
        ((-1, 1), 1, "Predict positive if "),
    ],
)
def test_the_printed_rule_names_a_positive_label_that_is_needed(labels, position, start):
    X, y = two_classes()
    label = labels[position]
    model = HullThresholdClassifierCV(LogisticRegression(), pos_label=label)
    point = model.fit(X, np.array(labels)[y]).operating_point_
    assert str(point).startswith(start)
    assert point.to_dict()["pos_label"] == (None if "positive" in start else label)


def test_samples_in_another_order_raise():
    X, y = two_classes()
    data = pd.DataFrame(X, index=np.arange(len(y)) + 3)
    with pytest.raises(
        ValueError, match="`X` and `y` must have their samples in one order"
    ):
        HullThresholdClassifierCV(GaussianNB()).fit(data, pd.Series(y, data.index)[::-1])


def test_groups_in_another_order_raise():
    X, y = two_classes()
    y = pd.Series(y, index=np.arange(len(y)) + 3)
    groups = pd.Series(np.arange(len(y)) // 4, y.index)[::-1]
    with pytest.raises(
        ValueError, match="`groups` and `y` must have their samples in one order"
    ):
        HullThresholdClassifierCV(GaussianNB(), cv=GroupKFold()).fit(X, y, groups=groups)


@pytest.mark.parametrize("labels", [(False, True), (0, 1), (-1.0, 1.0)], ids=str)
def test_numbers_and_booleans_may_be_objects(labels):
    X, y = two_classes()
    y = np.array(labels)[y]
    model = HullThresholdClassifierCV(GaussianNB()).fit(X, y.astype(object))
    assert model.classes_.tolist() == list(labels)
    np.testing.assert_array_equal(
        model.predict(X), HullThresholdClassifierCV(GaussianNB()).fit(X, y).predict(X)
    )


def test_decimals_are_labels():
    X, y = two_classes()
    model = HullThresholdClassifierCV(GaussianNB()).fit(X, [*map(Decimal, y.tolist())])
    np.testing.assert_array_equal(
        model.predict(X), HullThresholdClassifierCV(GaussianNB()).fit(X, y).predict(X)
    )


def test_pandas_names_are_kept():
    X, y = two_classes(n_features=5)
    frame = pd.DataFrame(X, columns=list("abcde"))
    model = HullThresholdClassifierCV(LogisticRegression()).fit(frame, pd.Series(y))
    assert model.feature_names_in_.tolist() == list("abcde")
    assert model.n_features_in_ == 5
    np.testing.assert_array_equal(
        model.predict(frame),
        HullThresholdClassifierCV(LogisticRegression()).fit(X, y).predict(X),
    )
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[list("edcba")])


def test_polars_and_sparse_and_lists():
    polars = pytest.importorskip("polars")
    X, y = two_classes(n_features=5, n_samples=100)
    expected = HullThresholdClassifierCV(LogisticRegression()).fit(X, y).predict(X)
    for other in (
        csr_matrix(X),
        csr_matrix(X).tocoo(),
        X.tolist(),
        polars.DataFrame(X, schema=list("abcde")),
    ):
        model = HullThresholdClassifierCV(LogisticRegression()).fit(other, y)
        np.testing.assert_array_equal(model.predict(other), expected)


def test_a_precomputed_kernel_gives_the_thresholds_of_the_features():
    X, y = two_classes(n_samples=120)
    by_kernel = HullThresholdClassifierCV(SVC(kernel="precomputed"), cv=3).fit(X @ X.T, y)
    linear = HullThresholdClassifierCV(SVC(kernel="linear"), cv=3).fit(X, y)
    np.testing.assert_allclose(by_kernel.thresholds_, linear.thresholds_, atol=1e-6)
    search = GridSearchCV(
        HullThresholdClassifierCV(SVC(kernel="precomputed"), cv=3),
        {"estimator__C": [0.1, 1.0]},
        cv=2,
    )
    assert search.fit(X @ X.T, y).best_estimator_.n_features_in_ == 120
