"""Saturated probabilities: samples of both classes tied at 0 or 1."""

import re
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import PredefinedSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_achievable_pr import AchievablePRDisplay, HullThresholdClassifierCV
from sklearn_achievable_pr import choose_threshold as choose

CANCER = load_breast_cancer(return_X_y=True)
LINEAR = make_pipeline(StandardScaler(), LogisticRegression(C=1e12, max_iter=1000))
TAKES = '`response_method`="auto" takes "decision_function", because .* samples of both'


class Clipped(ClassifierMixin, BaseEstimator):
    """Decision values are the first column of X, probabilities the same clipped to [0, 1].

    Calls of `decision_function` are counted.
    """

    n_calls = 0

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        type(self).n_calls += 1
        return np.asarray(X)[:, 0]

    def predict_proba(self, X):
        p = np.clip(np.asarray(X)[:, :1], 0, 1)
        return np.hstack((1 - p, p))


class OfProbabilities(Clipped):
    """Has no decision function."""

    decision_function = None

    def __getattribute__(self, name):
        if name == "decision_function":
            raise AttributeError(name)
        return super().__getattribute__(name)


def fitted(base, score, y, **options):
    """A hull classifier of a frozen one, whose tuning set is `score` and `y`."""
    X = np.reshape(score, (-1, 1)).astype(float)
    base = FrozenEstimator(base.fit(X, y))
    return HullThresholdClassifierCV(base, **options).fit(X, y)


# Real data


@pytest.mark.filterwarnings("ignore:.*verge")
@pytest.mark.parametrize(
    "rule", [{"max_fpr": 0.005}, {"min_precision": 0.99}], ids=["max_fpr", "min_precision"]
)
def test_saturated_probabilities_are_replaced_by_decision_values(rule):
    rule |= {"objective": "recall"}
    with pytest.warns(UserWarning, match=TAKES):
        auto = HullThresholdClassifierCV(LINEAR, **rule).fit(*CANCER).operating_point_
    named = HullThresholdClassifierCV(LINEAR, response_method="decision_function", **rule)
    assert auto == named.fit(*CANCER).operating_point_
    assert auto.response_method == "decision_function"
    assert auto.recall > 0


@pytest.mark.parametrize(
    "base",
    [
        make_pipeline(StandardScaler(), LogisticRegression()),
        RandomForestClassifier(20, random_state=0),
        KNeighborsClassifier(),
        DecisionTreeClassifier(random_state=0),
    ],
    ids=["logistic regression", "forest", "neighbors", "tree"],
)
def test_other_classifiers_keep_probabilities_without_a_warning(base):
    model = HullThresholdClassifierCV(base).fit(*CANCER)
    assert model.operating_point_.response_method == "predict_proba"


# The rule

Y = np.array([1, 1, 0, 1, 0, 0])
SATURATED = {
    "both classes at 1": [4, 3, 2, 0.5, 0.4, 0.3],
    "both classes at 0": [0.9, 0.8, 0.7, -1, -2, -3],
}
NOT_SATURATED = {
    "positives at 1": [4, 3, 0.9, 0.5, 0.4, 0.3],
    "negatives at 0": [0.9, 0.8, 0.7, 0.6, -2, -3],
    "both classes at 0.5": [0.9, 0.5, 0.5, 0.5, 0.2, 0.1],
    "one decision value": [1, 1, 1, 0.5, 0.4, 0.3],
}


@pytest.mark.parametrize("pos_label", [1, 0])
@pytest.mark.parametrize("name", SATURATED)
def test_a_tie_of_both_classes_that_decision_values_separate(name, pos_label):
    with pytest.warns(UserWarning, match=TAKES) as caught:
        model = fitted(Clipped(), SATURATED[name], Y, pos_label=pos_label)
    assert len(caught) == 1
    sign = "" if pos_label else "-"
    assert model.operating_point_.response_method == f"{sign}decision_function"
    X = np.reshape(SATURATED[name], (-1, 1))
    reached = (X[:, 0] if pos_label else -X[:, 0]) >= model.threshold_
    np.testing.assert_array_equal(model.predict(X) == pos_label, reached)


@pytest.mark.parametrize("name", NOT_SATURATED)
def test_other_ties_keep_probabilities(name):
    model = fitted(Clipped(), NOT_SATURATED[name], Y)
    assert model.operating_point_.response_method == "predict_proba"


def test_the_warning_names_the_samples_and_the_probability():
    match = "because 3 samples of both classes have the probability 1, where"
    with pytest.warns(UserWarning, match=match):
        fitted(Clipped(), SATURATED["both classes at 1"], Y)
    match = "because 6 samples of both classes have the probability 1 or 0, where"
    with pytest.warns(UserWarning, match=match):
        fitted(Clipped(), [4, 3, 2, -1, -2, -3], Y)


@pytest.mark.parametrize("method", ["predict_proba", "decision_function"])
def test_a_named_method_is_obeyed_without_a_warning(method):
    score = SATURATED["both classes at 1"]
    model = fitted(Clipped(), score, Y, response_method=method)
    assert model.operating_point_.response_method == method


def test_the_samples_of_all_folds_count_together():
    """The positives of one fold are tied with the negatives of the other."""
    X = np.reshape([4.0, 3, 0.2, 0.1, 2, 1.5, 0.3, 0.6], (-1, 1))
    y = np.array([1, 1, 0, 0, 0, 0, 1, 1])
    cv = PredefinedSplit(np.repeat([0, 1], 4))
    with pytest.warns(UserWarning, match="because 4 samples of both classes"):
        model = HullThresholdClassifierCV(Clipped(), cv=cv).fit(X, y)
    named = HullThresholdClassifierCV(Clipped(), cv=cv, response_method="decision_function")
    np.testing.assert_array_equal(model.thresholds_, named.fit(X, y).thresholds_)


@pytest.mark.parametrize("refit", [True, False])
def test_a_hold_out_with_saturated_probabilities(refit):
    X = np.reshape(np.tile(SATURATED["both classes at 1"], 10), (-1, 1))
    options = {"cv": 0.5, "refit": refit, "random_state": 0}
    with pytest.warns(UserWarning, match=TAKES):
        model = HullThresholdClassifierCV(Clipped(), **options).fit(X, np.tile(Y, 10))
    assert model.operating_point_.response_method == "decision_function"


def test_samples_without_weight_count_as_left_out():
    X = np.reshape(SATURATED["both classes at 1"], (-1, 1))
    weight = np.array([1, 1, 0, 1, 1, 1])
    base = FrozenEstimator(Clipped().fit(X, Y))
    model = HullThresholdClassifierCV(base).fit(X, Y, sample_weight=weight)
    assert model.operating_point_.response_method == "predict_proba"
    display = AchievablePRDisplay.from_estimator(base, X, Y, sample_weight=weight)
    assert display.thresholds.max() == 1


def test_decision_values_are_not_computed_without_saturation():
    Clipped.n_calls = 0
    X = np.reshape(NOT_SATURATED["positives at 1"] * 10, (-1, 1))
    HullThresholdClassifierCV(Clipped(), cv=3).fit(X, np.tile(Y, 10))
    AchievablePRDisplay.from_estimator(Clipped().fit(X, np.tile(Y, 10)), X, np.tile(Y, 10))
    plt.close("all")
    assert Clipped.n_calls == 0


# The display


@pytest.mark.parametrize("pos_label", [None, 0])
def test_a_display_takes_decision_values_in_place_of_saturated_probabilities(pos_label):
    X = np.reshape(SATURATED["both classes at 1"], (-1, 1))
    with pytest.warns(UserWarning, match=TAKES):
        display = AchievablePRDisplay.from_estimator(
            Clipped().fit(X, Y), X, Y.tolist(), pos_label=pos_label
        )
    sign = 1 if pos_label is None else -1
    assert set(display.thresholds) == set(sign * X[:, 0])


def test_a_display_obeys_a_named_method():
    X = np.reshape(SATURATED["both classes at 1"], (-1, 1))
    display = AchievablePRDisplay.from_estimator(
        Clipped().fit(X, Y), X, Y, response_method="predict_proba"
    )
    assert display.thresholds.max() == 1


# Without decision values

TIED_AT_1 = [1, 1, 1, 0.5, 0.4, 0.3]


def test_an_error_names_the_tie_without_which_a_constraint_is_met():
    match = (
        r"the best precision is 0\.75, at threshold 0\.\d+\. Relax it\. 2 positive and 1 "
        "negative samples share the score 1: use scores that tell them apart, such as "
    )
    with pytest.raises(ValueError, match=match):
        fitted(OfProbabilities(), TIED_AT_1, Y, min_precision=0.9)


def test_a_warning_names_the_tie_without_which_a_sample_is_predicted_positive():
    match = (
        "The chosen threshold is inf: no tuning sample is predicted positive. 2 positive "
        "and 1 negative samples share the score 1: use scores that tell them apart"
    )
    with pytest.warns(UserWarning, match=match):
        fitted(OfProbabilities(), TIED_AT_1, Y, max_fpr=0.3, objective="recall")
    with pytest.warns(UserWarning, match=match):
        choose(Y, TIED_AT_1, max_fpr=0.3)


@pytest.mark.filterwarnings("ignore:`y_score` has only 0 and 1")
def test_ties_at_1_and_0_are_named_if_both_are_in_the_way():
    match = (
        "2 positive and 1 negative samples share the score 1, 1 positive and 2 negative "
        "samples share the score 0: use"
    )
    with pytest.raises(ValueError, match=match):
        choose(Y, [1.0, 1, 1, 0, 0, 0], min_recall=1, min_precision=0.7)


def test_a_tie_that_is_not_in_the_way_is_not_named():
    y, score = [0, 1, 0, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0, 0]
    with pytest.raises(ValueError, match=r"Relax it\.$"):
        choose(y, score, min_precision=0.9)
    with pytest.warns(UserWarning, match=r"predicted positive\. Check that"):
        choose(y, score, max_fpr=0.1)


def test_a_tie_that_a_constraint_allows_has_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        point = fitted(OfProbabilities(), TIED_AT_1, Y, max_fpr=0.5).operating_point_
    assert not re.search("share the score", str(point))
