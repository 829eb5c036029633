"""HullThresholdClassifierCV against brute force, its own counts, and scikit-learn."""

import pickle
import re
import warnings
from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_backend
from scipy.sparse import csr_matrix
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import IsolationForest
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import (
    LinearRegression,
    LogisticRegression,
    Perceptron,
    SGDClassifier,
)
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_predict,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC, OneClassSVM
from sklearn.utils.estimator_checks import check_estimator
from tuning_sets import (
    ALL_OR_NONE,
    Dropping,
    Scorer,
    counts_at,
    tied_problem,
    tuned_on,
    two_classes,
)

from sklearn_achievable_pr import roc_convex_hull
from sklearn_achievable_pr.thresholds.hull_threshold import (
    HullThresholdClassifierCV,
)

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
@pytest.mark.parametrize("seed", range(5))
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


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    "place", ["one", "denormal", "largest", "opposite_ends", "negative", "zero"]
)
def test_threshold_separates_neighboring_floats(place, dtype):
    info = np.finfo(dtype)
    high = {
        "one": dtype(1),
        "denormal": info.smallest_subnormal,
        "largest": info.max,
        "opposite_ends": info.max,
        "negative": dtype(-1),
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
@pytest.mark.parametrize("seed", range(4))
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
@pytest.mark.parametrize("seed", range(3))
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
        ((False, True), 1, "Predict positive if "),
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


# Weights and metadata


def test_weights_are_used_in_the_hull_and_the_fits():
    X, y = two_classes()
    weight = np.random.default_rng(0).integers(1, 4, len(y))
    model = HullThresholdClassifierCV(GaussianNB(), cv=4).fit(X, y, sample_weight=weight)
    options = {"params": {"sample_weight": weight}, "method": "predict_proba"}
    score = cross_val_predict(GaussianNB(), X, y, cv=4, **options)[:, 1]
    expected = tuned_on(score, y, sample_weight=weight)
    np.testing.assert_array_equal(model.thresholds_, expected.thresholds_)
    assert model.threshold_ == expected.threshold_
    assert model.tuning_counts_.tps[-1] == weight[y == 1].sum()
    whole = GaussianNB().fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(model.estimator_.theta_, whole.theta_)


def test_estimators_without_weights_give_a_warning():
    X, y = two_classes()
    base = make_pipeline(StandardScaler(), GaussianNB())
    weight = np.random.default_rng(0).random(len(y))
    match = "`estimator` .Pipeline. has no `sample_weight`"
    with pytest.warns(UserWarning, match=match) as caught:
        model = HullThresholdClassifierCV(base).fit(X, y, sample_weight=weight)
    assert caught[0].filename == __file__
    np.testing.assert_allclose(model.tuning_counts_.tps[-1], weight[y == 1].sum())
    np.testing.assert_array_equal(model.estimator_[-1].theta_, base.fit(X, y)[-1].theta_)


class Notes(Scorer):
    """Records the parameters of every fit."""

    def __init__(self, seen=None):
        self.seen = seen

    def __sklearn_clone__(self):
        return Notes(self.seen)

    def fit(self, X, y, **params):
        self.classes_ = np.unique(y)
        self.seen.append((len(y), params))
        return self


@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series])
def test_fit_parameters_with_one_entry_per_sample_are_cut(kind):
    seen = []
    X = np.arange(20.0).reshape(-1, 1)
    splits = [(np.arange(0, 20, 3), np.arange(20)), (np.arange(15), np.arange(15, 20))]
    HullThresholdClassifierCV(Notes(seen), cv=splits).fit(
        X, np.arange(20) % 2, given=kind(range(20))
    )
    assert [list(params["given"]) for _, params in seen] == [
        list(range(0, 20, 3)),
        list(range(15)),
        list(range(20)),
    ]


def test_fits_do_not_share_array_parameters():
    X, y = two_classes()
    start = np.full(X.shape[1], 5.0)
    model = HullThresholdClassifierCV(SGDClassifier(random_state=0), cv=3)
    model.fit(X, y, coef_init=start.copy())
    whole = SGDClassifier(random_state=0).fit(X, y, coef_init=start.copy())
    np.testing.assert_array_equal(model.estimator_.coef_, whole.coef_)
    pooled = np.empty(len(y))
    for train, test in StratifiedKFold(3).split(X, y):
        fitted = SGDClassifier(random_state=0).fit(
            X[train], y[train], coef_init=start.copy()
        )
        pooled[test] = fitted.decision_function(X[test])
    np.testing.assert_array_equal(model.thresholds_, tuned_on(pooled, y).thresholds_)


def grouped():
    X, y = two_classes()
    return X, y, np.arange(len(y)) // 10


def test_groups_reach_the_split_without_routing():
    X, y, groups = grouped()
    model = HullThresholdClassifierCV(GaussianNB(), cv=GroupKFold(4))
    model.fit(X, y, groups=groups)
    folds = list(GroupKFold(4).split(X, y, groups))
    pooled = cross_val_predict(GaussianNB(), X, y, cv=folds, method="predict_proba")
    np.testing.assert_array_equal(model.thresholds_, tuned_on(pooled[:, 1], y).thresholds_)
    with pytest.raises(ValueError, match="groups"):
        model.fit(X, y)


class _SplitterWithoutGroups:
    """A splitter of the user's, whose `split` takes X and y only."""

    def split(self, X, y):
        return StratifiedKFold(3).split(X, y)

    def get_n_splits(self, X=None, y=None, groups=None):
        return 3


def test_a_splitter_that_takes_no_groups():
    X, y, _ = grouped()
    own, given = (
        HullThresholdClassifierCV(GaussianNB(), cv=cv).fit(X, y)
        for cv in (_SplitterWithoutGroups(), StratifiedKFold(3))
    )
    np.testing.assert_array_equal(own.thresholds_, given.thresholds_)


def test_groups_and_weights_with_routing():
    X, y, groups = grouped()
    weight = np.random.default_rng(0).random(len(y)) + 0.1
    plain = HullThresholdClassifierCV(GaussianNB(), cv=GroupKFold(4))
    plain.fit(X, y, sample_weight=weight, groups=groups)
    with config_context(enable_metadata_routing=True):
        base = GaussianNB().set_fit_request(sample_weight=True)
        routed = HullThresholdClassifierCV(base, cv=GroupKFold(4))
        routed.fit(X, y, sample_weight=weight, groups=groups)
        np.testing.assert_array_equal(routed.thresholds_, plain.thresholds_)
        np.testing.assert_array_equal(routed.estimator_.theta_, plain.estimator_.theta_)

        # Weights that the base estimator does not request still count in the hull.
        base = GaussianNB().set_fit_request(sample_weight=False)
        counted = HullThresholdClassifierCV(base, cv=GroupKFold(4))
        counted.fit(X, y, sample_weight=weight, groups=groups)
        np.testing.assert_array_equal(
            counted.estimator_.theta_, GaussianNB().fit(X, y).theta_
        )
        np.testing.assert_allclose(counted.tuning_counts_.tps[-1], weight[y == 1].sum())

        with pytest.raises(ValueError, match="sample_weight"):
            HullThresholdClassifierCV(GaussianNB()).fit(X, y, sample_weight=weight)
        with pytest.raises(TypeError, match="nonsense"):
            HullThresholdClassifierCV(GaussianNB()).fit(X, y, nonsense=weight)


# Inside other meta-estimators


def test_routed_weights_have_to_be_requested_by_the_wrapper_too():
    X, y, _ = grouped()
    with config_context(enable_metadata_routing=True):
        base = GaussianNB().set_fit_request(sample_weight=True)
        weight = {"sample_weight": np.ones(len(y))}
        with pytest.raises(ValueError, match="HullThresholdClassifierCV"):
            cross_validate(HullThresholdClassifierCV(base), X, y, params=weight)


def test_callbacks_reach_the_fits():
    callback = pytest.importorskip("sklearn.callback")

    class Recorder:
        """Records the tasks that begin; passed on to the inner estimators."""

        max_propagation_depth = None

        def __init__(self):
            self.begun, self.ended, self.is_set_up = [], [], 0

        def setup(self, estimator, context):
            self.is_set_up += 1

        def teardown(self, estimator, context):
            self.is_set_up -= 1

        def on_fit_task_begin(self, estimator, context):
            self.begun.append((type(estimator).__name__, context.task_name))

        def on_fit_task_end(self, estimator, context):
            self.ended.append((type(estimator).__name__, context.task_name))

    assert isinstance(Recorder(), callback.AutoPropagatedCallback)
    X, y = two_classes()
    recorder = Recorder()
    base = make_pipeline(LogisticRegression())  # a pipeline that takes callbacks
    model = HullThresholdClassifierCV(base, cv=3).set_callbacks(recorder).fit(X, y)
    ours = [task for name, task in recorder.begun if name == "HullThresholdClassifierCV"]
    assert ours.count("fit") == 1
    inner_fits = [pair for pair in recorder.begun if pair == ("Pipeline", "fit")]
    assert len(inner_fits) == 4  # three splits and the refit
    assert sorted(recorder.begun) == sorted(recorder.ended)
    assert recorder.is_set_up == 0
    assert not hasattr(model.estimator_, "_parent_callback_ctx")

    guaranteed = HullThresholdClassifierCV(
        base, min_precision=0.3, confidence_level=0.5, cv=0.5, refit=False, random_state=0
    )
    ordering = Recorder()
    guaranteed.set_callbacks(ordering).fit(X, y)
    assert (
        ordering.begun.count(("Pipeline", "fit")) == 6
    )  # the split and five for the order

    # Callbacks of an outer meta-estimator reach the inner fits.
    outer = Recorder()
    search = GridSearchCV(
        HullThresholdClassifierCV(base, cv=3), {"objective": ["f1", "mcc"]}, cv=2
    )
    search.set_callbacks(outer).fit(X, y)
    assert outer.begun.count(("Pipeline", "fit")) == (2 * 2 + 1) * 4

    frozen = HullThresholdClassifierCV(FrozenEstimator(model.estimator_))
    alone = Recorder()
    frozen.set_callbacks(alone).fit(X, y)
    assert alone.begun == [("HullThresholdClassifierCV", "fit")]


# Errors

LIMITS = ("min_recall", "min_precision", "max_selection_rate", "max_fpr")
DATA, Y = two_classes()
BAYES = GaussianNB()


def fails(error, match, *, X=DATA, y=Y, base=BAYES, **params):
    with pytest.raises(error, match=match):
        HullThresholdClassifierCV(base, **params).fit(X, y)


def returning(score):
    """A frozen classifier with this decision function of every input."""

    class Returning(Scorer):
        def decision_function(self, X):
            return score

    return FrozenEstimator(Returning().fit(None, None))


class Silent(ClassifierMixin, BaseEstimator):
    """A classifier without scores."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self


class Untyped(BaseEstimator):
    """An estimator without a mixin."""

    def fit(self, X, y):
        return self

    def decision_function(self, X):
        return X[:, 0]


class WithoutClasses(ClassifierMixin, Untyped):
    """A classifier that sets no attribute in `fit`."""


EVERY = np.arange(len(Y))
MASKED = np.ma.array([1, 2, 3, 4], mask=[0, 0, 1, 0])
FOUR = {"X": np.arange(4.0).reshape(-1, 1), "y": [0, 1, 0, 1]}
ONE_CLASS = "`estimator` must be a binary classifier. Got 1 class"
TWO_CLASSES = "`y` must have two classes.*Got .0.. Binarize `y`"
REGRESSOR = "`estimator` must be an instance of a classifier"
BAD_VALUES = [
    ({"y": EVERY % 3}, r"Only binary cl.*Got \[0, 1, 2\]. Binarize"),
    ({"y": np.zeros(len(Y), int)}, TWO_CLASSES),
    ({"y": np.linspace(0, 1, len(Y))}, "Unknown label type: continuous"),
    ({"y": EVERY % 8}, r"Got \[0, 1, 2, 3, 4, 5, ...\]"),
    ({"y": np.ma.array(Y, mask=EVERY < 3)}, "`y` has masked entries"),
    ({"cv": [(EVERY, EVERY), (np.flatnonzero(Y == 0), EVERY)]}, ONE_CLASS),
    ({"cv": [(EVERY, EVERY), (np.flatnonzero(Y), EVERY)]}, ONE_CLASS),
    ({"cv": []}, "`cv` must give a split.* Got 0 splits"),
    ({"cv": [(EVERY, EVERY), (EVERY, [])]}, "Got no held-out sample in split 1"),
    ({"cv": [([], EVERY)]}, "Got no training sample in split 0"),
    (
        {"cv": [(EVERY, np.flatnonzero(Y == 0))]},
        "`y`, or what `cv` holds out, must have .* both classes",
    ),
    ({"cv": "prefit"}, r"Got 'prefit': pass .* FrozenEstimator\(estimator\)"),
    *[
        ({"base": base}, "`estimator` must be an instance")
        for base in (LogisticRegression, "logistic", 3, None)
    ],
    ({"base": LinearRegression()}, REGRESSOR),
    ({"base": FrozenEstimator(LinearRegression())}, REGRESSOR),
    ({"base": IsolationForest()}, REGRESSOR + ".* pass its scores to choose_threshold"),
    ({"base": make_pipeline(OneClassSVM())}, REGRESSOR + ".* to choose_threshold"),
    ({"base": Untyped()}, REGRESSOR + ".* must inherit from ClassifierMixin"),
    ({"base": WithoutClasses()}, r"no `classes_`.* `fit` set `self\.classes_ = np.un"),
    (
        {"base": LinearSVC(), "response_method": "predict_proba"},
        "`response_method`='predict_proba' needs .* predict_proba. Got LinearSVC",
    ),
    ({"response_method": "predict"}, "`response_method` must be one of"),
    ({"response_method": "predict", "cv": []}, "`response_method` must be one of"),
    ({"base": Silent()}, "='auto' needs .* predict_proba. Got Silent"),
    ({"base": returning(MASKED), **FOUR}, "`estimator.decision_f.*has masked"),
    ({"base": returning(0.5), **FOUR}, r"`estimator.decision_f.*shape \(\)"),
    ({"base": returning(np.ones((4, 2))), **FOUR}, r"1 column.s.. Got shape \(4, 2\)"),
    ({"y": np.where(Y, None, "a")}, "`y` has missing labels"),
    ({"pos_label": "yes"}, r"`pos_label`='yes' is not a label of `y`, \[0, 1\]"),
    ({"pos_label": "1"}, "`pos_label`='1' is not a label"),
    *[
        ({"cv": cv}, r"inside \(0, 1\)|n_splits=2 or more|Expected `?cv`?|NaN")
        for cv in (0.0, 1.0, np.nan, 1, np.int64(1), True, "five", object)
    ],
    *[
        (
            {"objective": name},
            rf"`objective` must be one of 'f1'.*Got {re.escape(repr(name))}",
        )
        for name in ("brier", "F1", None, 1.0, ("f1",))
    ],
    *[
        ({name: value}, rf"`{name}` must lie within \[0, 1\]")
        for name, value in product(LIMITS, (-0.1, 1.1, np.nan))
    ],
    ({"objective": lambda *counts: 1.0}, r"Got shape \(\)"),
    ({"objective": lambda *counts: counts[0][1:]}, "`objective` must return one number"),
    ({"objective": lambda *counts: np.stack(counts)}, r"Got shape \(4, "),
    ({"objective": lambda tps, fps, fns, tns: tps / (tps + fps)}, "first at tps=0, fps=0"),
    ({"objective": lambda tps, fps: tps}, "Got <lambda>, with the parameters tps, fps"),
]
BAD_TYPES = [
    *[
        ({name: value}, rf"`{name}` must be True or False. Got {value!r}")
        for name in ("randomize", "store_cv_results")
        for value in ("yes", "no", None, 1, 0.0)
    ],
    *[
        ({name: value}, f"`{name}` must be a real number. Got ")
        for name, value in product(LIMITS, ("0.5", [0.5], True))
    ],
    ({"pos_label": [1, 0]}, "`pos_label.* must be .* Got "),
    ({"pos_label": np.array([1, 0])}, "`pos_label.* must be .* Got "),
    ({"n_jobs": "two"}, "`n_jobs.* must be .* Got "),
    ({"n_jobs": 1.5}, "`n_jobs.* must be .* Got "),
    ({"random_state": []}, "`random_state.* must be .* Got "),
    ({"random_state": True}, "`random_state.* must be .* Got "),
    ({"objective": {"tp": True, "fp": -1}}, "`objective.* must be .* Got "),
    ({"objective": lambda *counts: "best"}, "`objective` must hold real numbers"),
    ({"objective": lambda *counts: counts[0] + 1j}, "must hold .* complex128"),
]


@pytest.mark.parametrize(("given", "match"), BAD_VALUES)
def test_fails_with_bad_values(given, match):
    fails(ValueError, match, **given)


@pytest.mark.parametrize("base", [LogisticRegression, "logistic", None])
def test_a_wrong_estimator_is_named_by_other_tools(base):
    with pytest.raises(ValueError, match="`estimator` must be an instance"):
        cross_validate(HullThresholdClassifierCV(base), DATA, Y, error_score="raise")


@pytest.mark.parametrize(("given", "match"), BAD_TYPES)
def test_fails_with_bad_types(given, match):
    fails(TypeError, match, **given)


def test_fails_with_samples_of_positive_weight_of_one_class():
    with pytest.raises(ValueError, match=r"of positive weight\. Got no positive one"):
        tuned_on(EVERY, Y, sample_weight=Y == 0)


@ALL_OR_NONE
def test_infinite_objectives_are_ordered():
    score, y, _ = tied_problem(3)
    ratio = tuned_on(
        score, y, objective=lambda tps, fps, fns, tns: np.where(fns == 0, np.inf, tps)
    )
    assert ratio.operating_point_.recall == 1
    nowhere = tuned_on(score, y, objective=lambda *counts: np.full(len(counts[0]), -np.inf))
    assert nowhere.threshold_ == np.inf


def test_fails_with_invalid_scores():
    y = np.arange(20) % 2
    score = np.linspace(0, 1, 20)
    for bad in (np.nan, np.inf):
        spoilt = np.where(score == 1, bad, score)
        with pytest.raises(ValueError, match=r"X\)` must be finite") as caught:
            tuned_on(spoilt, y)
        assert "1 of 20 values" in str(caught.value)
        model, X = tuned_on(score, y), np.tile(spoilt, 7000).reshape(-1, 1)
        for method in (model.predict, model.decision_function, model.predict_proba):
            with pytest.raises(ValueError, match="must be finite"):
                method(X)
    # Their sum overflows, but they are finite.
    assert tuned_on([1e308, 1e308, -1e308, -1e308], [1, 1, 0, 0]).threshold_ == 0


@pytest.mark.parametrize("n_more", [-1, 1])
@pytest.mark.parametrize("frozen", [False, True])
def test_fails_with_another_number_of_scores(n_more, frozen):
    base = Dropping(n_more=n_more).fit(None, None)
    n_tuned = 20 if frozen else 4
    message = (
        rf"decision_function\(X\)` must return .* {n_tuned} s.* Got {n_tuned + n_more}"
    )
    given = {"X": np.arange(20.0).reshape(-1, 1), "y": np.arange(20) % 2}
    fails(ValueError, message, base=FrozenEstimator(base) if frozen else base, **given)


@pytest.mark.parametrize("kind", [Fraction, np.longdouble, np.float16])
def test_limits_and_utilities_of_any_numeric_type(kind):
    X, y = two_classes()
    points = []
    for number in (float, kind):
        limits = {"min_recall": number(0.75), "max_selection_rate": number(0.5)}
        utilities = {"tp": number(100), "fp": number(-100)}
        model = HullThresholdClassifierCV(GaussianNB(), objective=utilities, **limits)
        points.append(model.fit(X, y).operating_point_)
    assert points[0] == points[1]


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState, int])
@pytest.mark.parametrize("refit", [True, False])
def test_every_kind_of_random_state_draws_a_hold_out(make, refit):
    X, y = two_classes()
    one, two = (
        HullThresholdClassifierCV(GaussianNB(), cv=0.3, refit=refit, random_state=make(7))
        for _ in range(2)
    )
    np.testing.assert_array_equal(one.fit(X, y).thresholds_, two.fit(X, y).thresholds_)
    assert clone(one).fit(X, y).tuning_counts_.tps[-1] == one.tuning_counts_.tps[-1]


def test_fails_with_labels_that_the_frozen_estimator_does_not_know():
    X, y = two_classes()
    for classes in (["a", "b"], [1, 2]):
        frozen = FrozenEstimator(GaussianNB().fit(X, np.array(classes)[y]))
        message = (
            rf"`y` must hold only classes of `estim.*{re.escape(str(classes))}. Got .0"
        )
        fails(ValueError, message, base=frozen)
    unfitted = FrozenEstimator(GaussianNB())
    fails(NotFittedError, "FrozenEstimator instance is not fitted", base=unfitted)
    three = FrozenEstimator(GaussianNB().fit(X, np.arange(len(y)) % 3))
    fails(ValueError, r"Got 3 classes, \[0, 1, 2\]", base=three)
