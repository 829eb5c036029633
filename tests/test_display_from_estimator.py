"""`AchievablePRDisplay.from_estimator`: scores, classes and tuned thresholds."""

import numpy as np
import pytest
from detectors import INLIER, IS_OUTLIER, POINTS, Plain, Radius
from drawing import (
    CLASS_SCORES,
    CLASSES,
    IS_CLASS,
    assert_draws,
    data,
    folds,
    legend,
    of_estimator,
    of_folds,
)
from sklearn.ensemble import IsolationForest, StackingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.metrics import precision_score, recall_score
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tuning_sets import Scorer

import sklearn_achievable_pr as apr
from sklearn_achievable_pr import HullThresholdClassifierCV

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")


@pytest.mark.parametrize("labels", [(0, 1), ("ham", "spam")])
@pytest.mark.parametrize("position", [0, 1])
def test_either_class_can_be_positive(labels, position):
    X, y = data(labels)
    model = RidgeClassifier().fit(X, y)
    label = labels[position]
    display = of_estimator(model, X, y, pos_label=label, legend=False)
    score = model.decision_function(X) * (1 if position else -1)
    assert_draws(display.line_, y, score, "empirical", pos_label=label)
    assert display.pos_label == label
    assert (display.name, display.prevalence) == ("RidgeClassifier", np.mean(y == label))
    assert f"Positive label: {label}" in display.ax_.get_xlabel()


def test_a_positive_label_that_needs_no_name_is_not_on_the_axes():
    cv_results, X, y = folds(2)
    for display in (
        of_estimator(cv_results["estimator"][0], X, y, legend=False),
        of_folds(cv_results, X, y, legend=False),
    ):
        assert display.pos_label is None
        assert display.ax_.get_xlabel() == "Recall"


def test_the_positive_label_of_classes_in_another_order_is_1():
    X, y = data()
    display = of_estimator(Scorer(classes=(1, 0)).fit(X, y), X, y, legend=False)
    assert display.auc_pr == apr.auc_pr_interpolated(y, -X[:, 0])


@pytest.mark.parametrize("draw", [of_estimator, of_folds])
def test_labels_that_do_not_tell_the_positive_class_raise_and_are_named(draw):
    X, y = data(("ham", "spam"))
    model = RidgeClassifier().fit(X, y)
    if draw is of_folds:
        model, X, y = folds(3, model, labels=("ham", "spam"))
    with pytest.raises(ValueError, match="pass pos_label='ham' or pos_label='spam'"):
        draw(model, X, y)


@pytest.mark.parametrize(("pos_label", "sign"), [(None, 1), (-1, -1)])
def test_the_curve_of_an_outlier_detector(pos_label, sign):
    X, y = data((-1, 1))
    model = make_pipeline(
        StandardScaler(), IsolationForest(n_estimators=5, random_state=0)
    ).fit(X)
    display = of_estimator(model, X, y, pos_label=pos_label, legend=False)
    score = sign * model.decision_function(X)
    assert_draws(display.line_, y, score, "empirical", pos_label=sign)


def test_labels_of_an_outlier_detector_other_than_its_own_raise():
    X, y = data()
    with pytest.raises(ValueError, match=r"pass `np\.where\(y == 1, -1, 1\)`"):
        of_estimator(IsolationForest(n_estimators=5).fit(X), X, y)


@pytest.mark.parametrize("detector", [Radius(), make_pipeline(Radius()), Plain()])
def test_the_curve_of_a_detector_that_predicts_0_and_1_is_that_of_its_decision_values(
    detector,
):
    """The probabilities of such a detector, as of those of PyOD, are tied at 1."""
    detector.fit(POINTS)
    display = of_estimator(detector, POINTS, IS_OUTLIER, legend=False)
    score = detector.decision_function(POINTS)
    assert_draws(display.line_, IS_OUTLIER, score, "empirical", pos_label=1)
    assert getattr(detector, "n_calls", 1) == 1
    with pytest.raises(ValueError, match=r"pass `np\.where\(y == -1, 1, 0\)`"):
        of_estimator(detector, POINTS, INLIER)


def test_a_regressor_raises_and_shows_the_display_of_its_predictions():
    X, y = data()
    model = LinearRegression().fit(X, y)
    with pytest.raises(ValueError, match="Got LinearRegression") as caught:
        of_estimator(model, X, y)
    *_, advice, _ = str(caught.value).split("`")
    names = {"AchievablePRDisplay": apr.AchievablePRDisplay, "estimator": model, "y": y}
    found = eval(advice, {"X": X} | names)
    assert found.auc_pr == apr.auc_pr_interpolated(y, model.predict(X))


def test_scores_of_an_estimator_are_probabilities_and_of_folds_decision_values():
    cv_results, X, y = folds(2)
    model = cv_results["estimator"][0]
    for method, display in {
        "predict_proba": of_estimator(model, X, y, legend=False),
        "decision_function": of_folds(cv_results, X, y, legend=False),
    }.items():
        thresholds = np.ravel(
            display.thresholds[0] if display.summary else display.thresholds
        )
        outside = np.nanmin(thresholds) < 0 or np.nanmax(thresholds) > 1
        assert outside == (method == "decision_function")


@pytest.mark.parametrize("draw", [of_estimator, of_folds])
def test_methods_are_tried_in_the_order_that_is_passed(draw):
    cv_results, X, y = folds(2)
    first = cv_results["estimator"][0] if draw is of_estimator else cv_results
    both = ("decision_function", "predict_proba")
    for order in (both, both[::-1]):
        found, expected = (
            draw(first, X, y, response_method=method, legend=False).thresholds
            for method in (order, order[0])
        )
        np.testing.assert_equal(found, expected)


def test_a_positive_label_that_is_passed_is_that_of_the_curve_of_tuned_thresholds():
    X, y = data()
    model = HullThresholdClassifierCV(LogisticRegression(), cv=0.5).fit(X, y)
    display = of_estimator(model, X, y, pos_label=0, legend=False)
    assert display.prevalence == np.mean(y == 0)


def test_an_estimator_whose_methods_come_with_fit_is_named_as_not_fitted():
    model = StackingClassifier([("logistic", LogisticRegression())])
    with pytest.raises(NotFittedError, match="StackingClassifier instance is not fitted"):
        of_estimator(model, *data())


def test_the_curve_of_tuned_thresholds_tells_all_of_them_apart():
    X, y = data()
    model = HullThresholdClassifierCV(LogisticRegression(), min_recall=0.9).fit(X, y)
    found = of_estimator(model, X, y, legend=False).auc_pr
    assert found == apr.auc_pr_interpolated(y, model.decision_function(X))
    assert found != apr.auc_pr_interpolated(y, model.predict_proba(X)[:, 1])


@pytest.mark.parametrize("wrapped", ["pipeline", "pipelines", "search"])
def test_tuned_thresholds_are_marked(wrapped):
    X, y = data()
    model = HullThresholdClassifierCV(LogisticRegression(), cv=0.5, random_state=0)
    if wrapped.startswith("pipeline"):
        model = make_pipeline(StandardScaler(), model)
        model = make_pipeline(model) if wrapped == "pipelines" else model
    else:
        model = GridSearchCV(model, {"objective": ["f1", "mcc"]}, cv=2)
    model.fit(X[::2], y[::2])
    X, y = X[1::2], y[1::2]
    rng = np.random.default_rng(0)
    weight = rng.random(len(y)) + 0.1
    display = of_estimator(model, X, y, sample_weight=weight)
    predicted = model.predict(X)
    scores = precision_score, recall_score
    point = [function(y, predicted, sample_weight=weight) for function in scores]
    assert display.predicted_point == pytest.approx(point)
    at = display.predicted_point_.get_xydata()
    assert at[0, ::-1] == pytest.approx(point)
    levels = np.unique(model.predict_proba(X)[:, 1])
    assert len(display.threshold_marks_.get_xdata()) == len(levels)
    # The operating point is one of the kept thresholds.
    marked = display.threshold_marks_.get_xydata()
    assert np.min(np.abs(marked - at).sum(axis=1)) < 1e-12
    assert legend(display)[1:3] == ["Thresholds of the tuning set", "Operating point"]
    assert display.plot().threshold_marks_ is None


# Several classes


@pytest.mark.parametrize("model", [LogisticRegression(), RidgeClassifier()])
def test_classes_of_an_estimator(model):
    """Logits of one class of a multinomial model do not rank the samples."""
    X = np.column_stack((CLASS_SCORES, CLASS_SCORES.max(axis=1)))
    model.fit(X, CLASSES)
    ask = getattr(model, "predict_proba", model.decision_function)
    expected = apr.auc_pr_interpolated(CLASSES, ask(X), average=None)
    display = of_estimator(model, X, CLASSES)
    assert display.auc_pr == pytest.approx(expected, rel=1e-13)
    assert display.name == model.classes_.tolist()
    with pytest.raises(ValueError, match=r"`y` must hold all classes of `estimator`, \['a"):
        of_estimator(model, X[30:], CLASSES[30:])


@pytest.mark.parametrize("n_labels", [2, 3])
@pytest.mark.parametrize("make_model", [MultiOutputClassifier, OneVsRestClassifier])
def test_labels_of_a_multilabel_estimator(make_model, n_labels):
    """Both fit one classifier per label; one of them returns a list of probabilities."""
    y = IS_CLASS[:, :n_labels].astype(int)
    model = make_model(GaussianNB()).fit(CLASS_SCORES, y)
    each = [GaussianNB().fit(CLASS_SCORES, label) for label in y.T]
    score = np.column_stack([one.predict_proba(CLASS_SCORES)[:, 1] for one in each])
    display = of_estimator(model, CLASS_SCORES, y, legend=False)
    assert display.auc_pr == pytest.approx(apr.auc_pr_interpolated(y, score, average=None))
