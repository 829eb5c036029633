"""The printed rule of a chosen threshold: typed back, it selects the same samples."""

import re

import numpy as np
import pytest
from cases import each
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from tuning_sets import short_between, tied_problem, tuned_on, two_classes

from sklearn_achievable_pr import (
    HullThresholdClassifierCV,
    HullThresholdDisplay,
    choose_threshold,
    compare_models,
    operating_point_interval,
    threshold_table,
)
from sklearn_achievable_pr.results import OperatingPoint, RandomizedThreshold

X, Y = two_classes(3, n_samples=300)
SVM = LinearSVC(random_state=0)

# The price of a guarantee


def point_with_price(objective_value, without):
    return OperatingPoint(
        threshold=0.5, precision=0.4, recall=0.9, npv=0.9, selection_rate=0.3, fpr=0.2,
        objective="f1", objective_value=objective_value, n_samples=100, n_positive=20,
        objective_value_without_guarantee=without,
    )  # fmt: skip


def test_the_print_has_the_best_value_without_the_guarantee():
    assert "guarantee: f1 0.60." in " ".join(str(point_with_price(0.55, 0.6)).split())


def test_a_guarantee_that_costs_nothing_has_no_price():
    assert "without" not in str(point_with_price(0.55, 0.55))


# The rule of a classifier is true of its `predict`


def predicted_by_the_printed_rule(model, X):
    """Labels by the printed sentence alone."""
    found = re.match(
        r"Predict positive if (-?)estimator_\.(\w+) >= (\S+) \(as predict does\)\.\n",
        str(model.operating_point_),
    )
    sign, method, threshold = found.groups()
    score = getattr(model.estimator_, method)(X)
    positive = model.classes_.tolist().index(
        model.classes_[1] if model.pos_label is None else model.pos_label
    )
    score = score[:, positive] if score.ndim == 2 else -score if sign else score
    return model.classes_[np.where(score >= float(threshold), positive, 1 - positive)]


@pytest.mark.parametrize(
    "model",
    [
        HullThresholdClassifierCV(SVM),
        HullThresholdClassifierCV(LogisticRegression(), pos_label=0),
        HullThresholdClassifierCV(SVM, pos_label=0, min_recall=0.3, objective="precision"),
        HullThresholdClassifierCV(FrozenEstimator(GaussianNB().fit(X[:100], Y[:100]))),
    ],
    ids=["decision values", "class 0", "class 0, decision values", "frozen"],
)  # fmt: skip
def test_the_printed_rule_is_predict(model):
    model.fit(X, Y)
    np.testing.assert_array_equal(predicted_by_the_printed_rule(model, X), model.predict(X))


def test_the_printed_rule_is_predict_at_the_end_of_a_pipeline():
    pipeline = make_pipeline(StandardScaler(), HullThresholdClassifierCV(GaussianNB()))
    pipeline.fit(X, Y)
    scaled = pipeline[:-1].transform(X)
    np.testing.assert_array_equal(
        predicted_by_the_printed_rule(pipeline[-1], scaled), pipeline.predict(X)
    )


def test_the_axis_of_a_display_names_the_scores_of_the_rule():
    display = HullThresholdDisplay.from_estimator(
        HullThresholdClassifierCV(SVM, pos_label=0).fit(X, Y)
    )
    label = "Threshold\n(positive if -estimator_.decision_function ≥ threshold)"
    assert display.ax_.get_xlabel() == label
    display = HullThresholdDisplay.from_predictions(Y, X[:, 0])
    assert display.ax_.get_xlabel() == "Threshold\n(positive if y_score ≥ threshold)"


# A printed threshold is the threshold


def digits():
    """Whether a digit is an 8, and scores."""
    features, target = load_digits(return_X_y=True)
    model = LogisticRegression(C=1e-4)
    score = cross_val_predict(model, features, target == 8, cv=3, method="predict_proba")
    return target == 8, score[:, 1]


def breast_cancer():
    features, target = load_breast_cancer(return_X_y=True)
    model = HistGradientBoostingClassifier(max_iter=20, random_state=0)
    score = cross_val_predict(model, features, target, cv=3, method="predict_proba")
    return target, score[:, 1]


def crowded():
    """Scores of which many are nearer to each other than six digits tell."""
    rng = np.random.default_rng(0)
    y = rng.random(5000) < 0.3
    return y, 1 - 1e-5 * rng.random(5000) ** (1 + y)


DATA = {"digits": digits, "breast cancer": breast_cancer, "crowded": crowded}
RULES = [
    ("crowded", {}),
    ("digits", {"objective": "precision", "min_recall": 0.8}),
    ("crowded", {"objective": "recall", "max_fpr": 0.1, "confidence_level": 0.9}),
    (
        "breast cancer",
        {"objective": "recall", "min_precision": 0.7, "confidence_level": 0.6},
    ),
]


def printed_threshold(point):
    return float(re.search(r">= (\S+)\.\n", str(point))[1])


@pytest.mark.parametrize(("name", "rule"), RULES)
def test_a_printed_threshold_has_the_stated_rates(name, rule):
    y, score = DATA[name]()
    point = choose_threshold(y, score, random_state=0, **rule)
    predicted = score >= printed_threshold(point)
    assert np.mean(predicted[y > 0]) == point.recall
    assert np.mean(predicted) == point.selection_rate


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@each(seed=range(20))
def test_a_threshold_selects_the_same_scores_in_a_narrow_dtype_and_in_float64(seed, dtype):
    rng = np.random.default_rng(seed)
    y = rng.random(3000) < 0.3
    score = (rng.normal(size=3000) + 2 * y).astype(dtype)
    threshold = choose_threshold(y, score).threshold
    near = np.array([np.nextafter(dtype(threshold), dtype(end)) for end in (-9, 9)])
    score = np.concatenate((score, near, [dtype(threshold)]))
    assert score.dtype == dtype
    np.testing.assert_array_equal(
        score >= dtype(threshold), score.astype(np.float64) >= threshold
    )


@pytest.mark.parametrize("scale", [1e-300, 1, 1e40, 1e304])
def test_a_threshold_is_the_short_decimal_between_two_scores(scale):
    y, score = [0, 0, 1, 1], scale * np.array([-2.0, -1.1, 3.3, 4.0])
    threshold = choose_threshold(y, score).threshold
    assert score[1] < threshold <= score[2]
    if scale < 1e300:
        assert threshold == short_between(score[1], score[2])
        assert len(str(abs(threshold))) <= 10


@pytest.mark.filterwarnings("error")
def test_a_threshold_between_huge_scores_has_no_warning_of_numpy():
    threshold = choose_threshold([0, 0, 1, 1], [-2e300, -1e299, 3e299, 4e300]).threshold
    assert -1e299 < threshold <= 3e299


def printed_in_table(table):
    """The thresholds of all rows as text."""
    return [line.split()[0] for line in str(table).splitlines()[1 : 1 + len(table.recall)]]


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("digits", np.float64),
        ("breast cancer", np.float32),
        ("crowded", np.float64),
        ("crowded", np.float32),
    ],
)
def test_the_printed_threshold_of_a_cut_selects_the_same_samples(name, dtype):
    y, score = DATA[name]()
    score = score.astype(dtype)
    low, high = np.sort(score)[[10, -10]]
    for options in ({"k": [5, 50, 500]}, {"thresholds": [low, high]}):
        table = threshold_table(y, score, **options)
        for printed, threshold in zip(
            printed_in_table(table), table.threshold, strict=True
        ):
            np.testing.assert_array_equal(score >= float(printed), score >= threshold)
    for options in ({"recall": 0.5}, {"fpr": 0.01}):
        found = operating_point_interval(y, score, **options)
        printed = re.search(r"down to the score ([^\s,]+)", str(found))[1]
        same = score >= dtype(found.threshold)
        np.testing.assert_array_equal(score >= float(printed), same)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_printed_threshold_of_a_cut_has_few_digits_between_distant_scores(dtype):
    score = np.array([0.1234567891, 0.3456789123, 0.5678912345, 0.7891234567], dtype)
    table = threshold_table([0, 1, 0, 1], score, k=[1, 2, 3])
    assert printed_in_table(table) == ["0.789", "0.567", "0.345"]


@pytest.mark.filterwarnings("ignore:No sample is predicted negative")
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_the_printed_threshold_of_the_extreme_scores_of_a_dtype_is_finite(dtype):
    largest = np.finfo(dtype).max
    score = np.array([-largest, 0.5, largest / 2, largest], dtype)
    table = threshold_table([0, 1, 0, 1], score, k=[1, 2, 3, 4])
    for shown, threshold in zip(printed_in_table(table), table.threshold, strict=True):
        assert np.isfinite(dtype(float(shown)))
        same = score >= dtype(threshold)
        np.testing.assert_array_equal(score >= dtype(float(shown)), same)


def test_the_printed_threshold_of_huge_scores_has_few_digits():
    score = [1.23456789e20, 2.3456789e20, 3.456789e20, 4.56789e20]
    table = threshold_table([0, 1, 0, 1], score, k=[1, 2])
    assert printed_in_table(table) == ["4.56e+20", "3.45e+20"]


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_given_thresholds_are_printed_as_they_were_given(dtype):
    y, score, given = [0, 1, 0, 1], [0.1, 0.35, 0.7, 0.9], [0.7, 0.45, 0.89]
    table = threshold_table(y, np.array(score, dtype), thresholds=given)
    assert [*map(float, printed_in_table(table))] == given
    models = {"a": np.array(score, dtype), "b": np.array(score[::-1], dtype)}
    found = compare_models(y, models, metric="recall_at_threshold", at=0.7)
    assert str(found).splitlines()[1].split()[:3] == ["1", "a", "0.7"]


def test_a_given_threshold_without_a_score_near_it_keeps_six_digits():
    score = [0.1, 0.2, 0.8, 0.9]
    table = threshold_table([0, 1, 0, 1], score, thresholds=[0.123456789, 0.5])
    assert printed_in_table(table) == ["0.123457", "0.5"]


def test_a_randomized_threshold_is_printed_in_full():
    lower = 0.12345678901234567
    assert f"From the score {lower} up to" in str(RandomizedThreshold(lower, 0.5))


@pytest.mark.filterwarnings("ignore:The chosen threshold is inf")
def test_a_precision_of_no_predicted_positive_is_printed_as_undefined():
    point = choose_threshold([0, 1, 1], [3.0, 2.0, 1.0], objective="precision", max_fpr=0)
    assert "recall 0, precision undefined, NPV 0.33," in str(point)
    assert "Objective: precision 0." in str(point)


def test_the_print_has_the_false_positive_rate_if_it_is_bounded():
    score, y, _ = tied_problem(0)
    bounded, free = (choose_threshold(y, score, max_fpr=bound) for bound in (0.2, None))
    assert f", false positive rate {bounded.fpr:.2g}," in str(bounded)
    assert "false positive rate" not in str(free)


# Bounds that an error names


@pytest.mark.parametrize(
    ("name", "asked", "kept"),
    [
        ("digits", {"min_precision": 1.0}, {"min_recall": 0.9}),
        ("breast cancer", {"min_recall": 1.0}, {"max_fpr": 0.001}),
        ("crowded", {"max_fpr": 0.0}, {"min_recall": 0.7}),
        ("digits", {"max_selection_rate": 1e-4}, {"min_recall": 0.7}),
    ],
    ids=str,
)
def test_a_bound_that_an_error_calls_reachable_is_met(name, asked, kept):
    y, score = DATA[name]()
    with pytest.raises(ValueError, match="cannot be met") as caught:
        choose_threshold(y, score, **asked, **kept)
    (bound,) = asked
    rate = {"max_fpr": "false positive rate"}.get(bound, bound[4:].replace("_", " "))
    found = re.search(rf"the best {rate} with `\w+`=[\d.]+ is (\S+), at", str(caught.value))
    point = choose_threshold(y, score, **kept, **{bound: float(found[1])})
    assert point.recall > 0


def test_a_reachable_bound_is_rounded_to_the_safe_side():
    with pytest.raises(ValueError, match=r"the best precision is 0\.1428, at threshold"):
        choose_threshold([1, 0, 0, 0, 0, 0, 0], [1] * 7, min_precision=0.1429)


# Every sample, or none


def test_the_score_of_the_wrong_class_warns_and_is_named_in_the_print():
    score, y, _ = tied_problem(0)
    match = (
        "threshold is -inf: every tuning sample is predicted positive. Check that higher"
    )
    with pytest.warns(UserWarning, match=match):
        point = choose_threshold(y, -score)
    first, *_ = str(point).splitlines()
    assert first == "Predict positive if y_score >= -inf: every sample."


def test_no_sample_is_named_in_the_print():
    with pytest.warns(UserWarning, match="no tuning sample is predicted positive"):
        model = tuned_on([3, 2, 1], [0, 1, 1], max_fpr=0.1)
    assert str(model.operating_point_).startswith(
        "Predict positive if estimator_.decision_function >= inf (as predict does): no "
        "sample.\n"
    )


def test_a_threshold_that_is_randomized_below_infinity_predicts_some_samples():
    y, score = [0, 1, 0, 1], [4.0, 3, 2, 1]
    rule = {"objective": "recall", "max_selection_rate": 0.1, "randomize": True}
    point = tuned_on(score, y, **rule).operating_point_
    assert point.threshold == np.inf
    assert isinstance(point, OperatingPoint)
    assert "no sample" not in str(point)
