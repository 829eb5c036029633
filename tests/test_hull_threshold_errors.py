"""What `HullThresholdClassifierCV` cannot fit, and every kind of number that it takes."""

import re
from fractions import Fraction

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC, OneClassSVM
from tuning_sets import ALL_OR_NONE, Dropping, Scorer, tied_problem, tuned_on, two_classes

from sklearn_achievable_pr.thresholds.hull_threshold import HullThresholdClassifierCV

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
NO_NEGATIVE_HELD_OUT = "`y`, or what `cv` holds out, must have .* both classes"


@pytest.mark.parametrize(
    ("y", "match"),
    [
        (EVERY % 8, r"Only binary cl.*Got \[0, 1, 2, 3, 4, 5, ...\]. Binarize"),
        (np.zeros(len(Y), int), TWO_CLASSES),
        (np.linspace(0, 1, len(Y)), "Unknown label type: continuous"),
        (np.where(Y, None, "a"), "`y` has missing labels"),
    ],
)
def test_fails_with_labels_that_are_not_of_two_classes(y, match):
    fails(ValueError, match, y=y)


def test_fails_with_masked_labels():
    fails(ValueError, "`y` has masked entries", y=np.ma.array(Y, mask=EVERY < 3))


@pytest.mark.parametrize(
    ("splits", "match"),
    [
        ([], "`cv` must give a split.* Got 0 splits"),
        ([(EVERY, EVERY), (EVERY, [])], "Got no held-out sample in split 1"),
        ([([], EVERY)], "Got no training sample in split 0"),
        ([(EVERY, np.flatnonzero(Y == 0))], NO_NEGATIVE_HELD_OUT),
    ],
)
def test_fails_with_splits_that_give_no_tuning_set(splits, match):
    fails(ValueError, match, cv=splits)


@pytest.mark.parametrize("rows", [np.flatnonzero(Y == 0), np.flatnonzero(Y)])
def test_fails_with_a_training_part_of_one_class(rows):
    fails(ValueError, ONE_CLASS, cv=[(EVERY, EVERY), (rows, EVERY)])


@pytest.mark.parametrize("cv", [1.0, np.nan, np.int64(1), "five"])
def test_fails_with_a_wrong_number_of_folds(cv):
    match = r"inside \(0, 1\)|n_splits=2 or more|Expected `?cv`?|NaN"
    fails(ValueError, match, cv=cv)


def test_fails_with_prefit():
    match = r"Got 'prefit': pass .* FrozenEstimator\(estimator\)"
    fails(ValueError, match, cv="prefit")


@pytest.mark.parametrize(
    ("base", "match"),
    [
        (FrozenEstimator(LinearRegression()), REGRESSOR),
        (make_pipeline(OneClassSVM()), REGRESSOR + ".* pass its scores to choose_thresh"),
        (Untyped(), REGRESSOR + ".* must inherit from ClassifierMixin"),
        (WithoutClasses(), r"no `classes_`.* `fit` set `self\.classes_ = np.un"),
    ],
)
def test_fails_with_an_estimator_that_is_no_classifier(base, match):
    fails(ValueError, match, base=base)


@pytest.mark.parametrize(
    ("base", "method", "match"),
    [
        (BAYES, "predict", "`response_method` must be one of"),
        (Silent(), "auto", "='auto' needs .* predict_proba. Got Silent"),
        (LinearSVC(), "predict_proba", "='predict_proba' needs .* Got LinearSVC"),
    ],
)
def test_fails_with_a_method_that_the_estimator_does_not_have(base, method, match):
    fails(ValueError, match, base=base, response_method=method)


@pytest.mark.parametrize(
    ("score", "match"),
    [
        (MASKED, "`estimator.decision_f.*has masked"),
        (0.5, r"`estimator.decision_f.*shape \(\)"),
        (np.ones((4, 2)), r"1 column.s.. Got shape \(4, 2\)"),
    ],
)
def test_fails_with_decision_values_that_are_not_one_per_sample(score, match):
    fails(ValueError, match, base=returning(score), **FOUR)


@pytest.mark.parametrize("pos_label", ["yes", "1"])
def test_fails_with_a_positive_label_that_y_does_not_have(pos_label):
    match = rf"`pos_label`='{pos_label}' is not a label of `y`, \[0, 1\]"
    fails(ValueError, match, pos_label=pos_label)


@pytest.mark.parametrize("name", ["brier", "F1", None, ("f1",)])
def test_fails_with_an_unknown_objective(name):
    match = rf"`objective` must be one of 'f1'.*Got {re.escape(repr(name))}"
    fails(ValueError, match, objective=name)


@pytest.mark.parametrize(
    ("objective", "match"),
    [
        (lambda *counts: 1.0, r"Got shape \(\)"),
        (lambda *counts: counts[0][1:], "`objective` must return one number"),
        (lambda tps, fps, fns, tns: tps / (tps + fps), "first at tps=0, fps=0"),
        (lambda tps, fps: tps, "Got <lambda>, with the parameters tps, fps"),
    ],
)
def test_fails_with_a_callable_that_is_no_objective(objective, match):
    fails(ValueError, match, objective=objective)


@pytest.mark.parametrize("objective", [lambda *c: "best", lambda *c: c[0] + 1j])
def test_fails_with_values_of_an_objective_that_are_no_real_numbers(objective):
    fails(TypeError, "`objective` must hold real numbers", objective=objective)


@pytest.mark.parametrize("name", LIMITS)
def test_fails_with_a_limit_outside_0_and_1(name):
    for value in (-0.1, 1.1, np.nan):
        fails(ValueError, rf"`{name}` must lie within \[0, 1\]", **{name: value})


@pytest.mark.parametrize("name", LIMITS)
def test_fails_with_a_limit_that_is_no_number(name):
    for value in ("0.5", [0.5], True):
        fails(TypeError, f"`{name}` must be a real number. Got ", **{name: value})


@pytest.mark.parametrize("name", ["randomize", "store_cv_results", "refit"])
def test_fails_with_a_flag_that_is_no_boolean(name):
    for value in ("yes", None, 1):
        match = rf"`{name}` must be True or False. Got {value!r}"
        fails(TypeError, match, **{name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pos_label", np.array([1, 0])),
        ("n_jobs", 1.5),
        ("random_state", True),
        ("objective", {"tp": True, "fp": -1}),
    ],
)
def test_fails_with_a_parameter_of_the_wrong_type(name, value):
    fails(TypeError, f"`{name}.* must be .* Got ", **{name: value})


@pytest.mark.parametrize("base", [LogisticRegression, "logistic", None])
def test_a_wrong_estimator_is_named_by_other_tools(base):
    with pytest.raises(ValueError, match="`estimator` must be an instance"):
        cross_validate(HullThresholdClassifierCV(base), DATA, Y, error_score="raise")


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


@pytest.mark.parametrize("make", [np.random.default_rng, int])
@pytest.mark.parametrize("refit", [True, False])
def test_every_kind_of_random_state_draws_a_hold_out(make, refit):
    X, y = two_classes()
    one, two = (
        HullThresholdClassifierCV(GaussianNB(), cv=0.3, refit=refit, random_state=make(7))
        for _ in range(2)
    )
    np.testing.assert_array_equal(one.fit(X, y).thresholds_, two.fit(X, y).thresholds_)
    assert clone(one).fit(X, y).tuning_counts_.tps[-1] == one.tuning_counts_.tps[-1]


def test_without_a_seed_no_tuning_sample_has_trained_the_kept_estimator():
    # scikit-learn's TunedThresholdClassifierCV draws two splits here (its issue 33540).
    scored = []

    class Recorder(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_, self.trained_on_ = np.unique(y), set(X[:, 0])
            return self

        def predict_proba(self, X):
            scored.extend(X[:, 0])
            return np.column_stack([1 - X[:, 1], X[:, 1]])

    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = np.column_stack([np.arange(200), (rng.random(200) + 2 * y) / 3])
    model = HullThresholdClassifierCV(Recorder(), cv=0.5, refit=False).fit(X, y)
    assert len(scored) == 100
    assert not model.estimator_.trained_on_ & set(scored)


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
