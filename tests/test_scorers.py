"""get_scorer with options, its names, and the class that a scorer scores."""

import re

import numpy as np
import pandas as pd
import pytest
from cases import each
from detectors import INLIER, IS_OUTLIER, POINTS, Plain, Radius, Untagged
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import IsolationForest, RandomForestClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LinearRegression
from sklearn.metrics import get_scorer, make_scorer, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
)
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, OneClassSVM
from tuning_sets import ALL_OR_NONE, Scorer

import sklearn_achievable_pr as apr

X, BENIGN = load_breast_cancer(return_X_y=True)
X = X[:, :4]
WORDS = np.array(["sick", "well"])[BENIGN]
FITTED = GaussianNB().fit(X, BENIGN)
# The function and options of each name.
WITH_OPTIONS = {
    "auc_pr_interpolated": (
        apr.auc_pr_interpolated,
        {"recall_range": (0.8, 1), "prevalence": 0.05, "method": "exact"},
    ),
    "achievable_auc_pr": (
        lambda *given, **options: apr.auc_pr_interpolated(
            *given, curve="achievable", **options
        ),
        {"recall_range": (0.5, 0.9)},
    ),
    "aucnpr": (apr.aucnpr, {"recall_range": (0.8, 1), "prevalence": 0.3}),
    "auprg": (apr.auprg_score, {}),
    "normalized_average_precision": (apr.normalized_average_precision_score, {}),
    "precision_at_recall": (apr.precision_at_recall, {"recall": 0.9, "at_least": True}),
    "recall_at_precision": (
        apr.recall_at_precision,
        {"precision": np.float32(0.75), "curve": "achievable", "prevalence": 0.2},
    ),
    "recall_at_fpr": (apr.recall_at_fpr, {"fpr": 0.01, "curve": "achievable"}),
    "precision_at_k": (apr.precision_at_k, {"k": 100, "prevalence": 0.2}),
    "recall_at_k": (apr.recall_at_k, {"k": np.float64(0.25)}),
}
# An area, a preset option, a point of the curve, and a rate of the samples.
of_each_kind = pytest.mark.parametrize(
    "name", ["aucnpr", "achievable_auc_pr", "recall_at_precision", "precision_at_k"]
)


@pytest.mark.parametrize("pos_label", [None, "well", "sick"])
@each(name=WITH_OPTIONS)
def test_options_reach_the_metric(name, pos_label):
    metric, options = WITH_OPTIONS[name]
    y, options = BENIGN, dict(options)
    score = FITTED.predict_proba(X)[:, 1]
    if pos_label is not None:
        y, options["pos_label"] = WORDS, pos_label
        score = score if pos_label == "well" else 1 - score
    fitted = GaussianNB().fit(X, y)
    found = apr.get_scorer(name, **options)(fitted, X, y)
    assert found == pytest.approx(metric(y, score, **options), rel=1e-9)


@of_each_kind
def test_an_undefined_fold_has_the_score_0(name):
    _, options = WITH_OPTIONS[name]
    scorer = apr.get_scorer(name, **options)
    with pytest.warns(UndefinedMetricWarning):
        assert scorer(FITTED, X, np.zeros(len(X), dtype=int)) == 0


def test_an_undefined_fold_has_the_score_that_was_asked_for():
    scorer = apr.get_scorer("auprg", replace_undefined_by=0.25)
    with pytest.warns(UndefinedMetricWarning):
        assert scorer(FITTED, X, np.zeros(len(X), dtype=int)) == 0.25


def test_a_warning_in_a_cross_validation_points_at_its_line():
    """Joblib is between scikit-learn and the scorer."""
    scorer = apr.auc_pr_interpolated_scorer
    y = np.where(np.arange(len(X)) < 300, BENIGN, 0)  # the last of three folds has no 1
    with pytest.warns(UndefinedMetricWarning) as caught:
        cross_val_score(GaussianNB(), X, y, scoring=scorer, cv=KFold(3))
    assert [warning.filename for warning in caught] == [__file__]


# The class that is scored


FLOWERS, SPECIES = load_iris(return_X_y=True)
FLOWERS = np.round(FLOWERS[:, :2], 0)  # with errors


def test_a_class_that_was_not_in_training_raises():
    model = GaussianNB().fit(FLOWERS, SPECIES)
    other = np.where(SPECIES == 2, 3, SPECIES)
    with pytest.raises(ValueError, match=r"only classes of .*\[0, 1, 2\]\. Got \[3\]"):
        apr.auc_pr_interpolated_scorer(model, FLOWERS, other)


@pytest.mark.parametrize("name", ["aucnpr", "precision_at_recall"])
def test_text_labels_raise_and_show_the_scorer_with_a_positive_label(name):
    options = {"recall": 0.9} if name == "precision_at_recall" else {}
    model = GaussianNB().fit(X, WORDS)
    with pytest.raises(ValueError, match="must name the positive class") as caught:
        apr.get_scorer(name, **options)(model, X, WORDS)
    *_, well = re.findall(r"`(get_scorer.*?)`", str(caught.value))
    found = cross_val_score(
        model, X, WORDS, scoring=eval(well, {"get_scorer": apr.get_scorer})
    )
    expected = cross_val_score(model, X, BENIGN, scoring=apr.get_scorer(name, **options))
    np.testing.assert_allclose(found, expected)


def test_two_classes_of_which_one_was_not_in_training_raise():
    model = GaussianNB().fit(X, BENIGN + 1)
    with pytest.raises(ValueError, match=r"only classes of .*\[1, 2\]\. Got \[0\]"):
        apr.auc_pr_interpolated_scorer(model, X, BENIGN)


def test_a_class_without_samples_in_a_fold_raises():
    model = GaussianNB().fit(FLOWERS, SPECIES)
    with pytest.raises(ValueError, match=r"all classes of .*\[0, 1\]: .* stratified"):
        apr.auc_pr_interpolated_scorer(model, FLOWERS[:100], SPECIES[:100])


@pytest.mark.parametrize("n_pipelines", [0, 1, 2])
def test_scores_of_pairs_of_classes_raise(n_pipelines):
    model = SVC(decision_function_shape="ovo")
    for _ in range(n_pipelines):
        model = make_pipeline(model)
    model.fit(FLOWERS, SPECIES)
    with pytest.raises(ValueError, match=r"one score per class, 3\. Got scores of pairs"):
        apr.auc_pr_interpolated_scorer(model, FLOWERS, SPECIES)


class Unsorted(ClassifierMixin, BaseEstimator):
    """A classifier with its classes in a given order."""

    def __init__(self, order=(1, 0)):
        self.order = order

    def fit(self, X, y):
        self.classes_ = np.array(self.order)
        self.model_ = GaussianNB().fit(X, y)
        return self

    def predict_proba(self, X):
        return self.model_.predict_proba(X)[:, self.classes_]


@pytest.mark.parametrize(
    ("order", "X", "y"),
    [((1, 0), X, BENIGN), ((2, 0, 1), FLOWERS, SPECIES)],
    ids=["binary", "multiclass"],
)
def test_classes_in_another_order_have_their_own_columns(order, X, y):
    found = apr.auc_pr_interpolated_scorer(Unsorted(order).fit(X, y), X, y)
    assert found == apr.auc_pr_interpolated_scorer(GaussianNB().fit(X, y), X, y)


class OfFrames(GaussianNB):
    """A classifier whose probabilities are a data frame, with the last class first."""

    def predict_proba(self, X):
        return pd.DataFrame(super().predict_proba(X), columns=self.classes_).iloc[:, ::-1]


@pytest.mark.parametrize(("X", "y"), [(X, BENIGN), (FLOWERS, SPECIES)])
def test_columns_of_probabilities_that_are_not_in_the_order_of_classes_raise(X, y):
    with pytest.raises(ValueError, match=r"`estimator.predict_proba\(X\)` must .* order"):
        apr.auc_pr_interpolated_scorer(OfFrames().fit(X, y), X, y)


def test_decision_values_of_classes_in_another_order_are_those_of_the_label_1():
    model = Scorer(classes=(1, 0)).fit(None, None)
    found = apr.auc_pr_interpolated_scorer(model, X, BENIGN)
    assert found == apr.auc_pr_interpolated(BENIGN, -X[:, 0])


@pytest.mark.parametrize("reverse", [False, True])
def test_scorers_of_one_search_score_their_own_positive_label(reverse):
    scorers = {
        "well": apr.get_scorer("auc_pr_interpolated", pos_label=1),
        "sick": apr.get_scorer("auc_pr_interpolated", pos_label=0),
        "roc": get_scorer("roc_auc"),
    }
    if reverse:
        scorers = dict(reversed(scorers.items()))
    score = FITTED.predict_proba(X)
    whole = [(np.arange(len(X)), np.arange(len(X)))]
    found = cross_validate(GaussianNB(), X, BENIGN, scoring=scorers, cv=whole)
    assert found["test_well"] == [apr.auc_pr_interpolated(BENIGN, score[:, 1])]
    assert found["test_sick"] == [apr.auc_pr_interpolated(1 - BENIGN, score[:, 0])]
    assert found["test_roc"] == [roc_auc_score(BENIGN, score[:, 1])]


def test_scorers_of_one_search_share_the_responses_of_an_estimator():
    scorers = {name: apr.get_scorer(name) for name in ("aucnpr", "auprg")}
    calls = []

    class Counted(GaussianNB):
        def predict_proba(self, X):
            calls.append(len(X))
            return super().predict_proba(X)

    cross_validate(Counted(), X, BENIGN, scoring=scorers, cv=3)
    assert len(calls) == 3


LABELS = np.column_stack((BENIGN, 1 - BENIGN, np.zeros_like(BENIGN)))
WITHOUT_LABEL_2 = RandomForestClassifier(3, max_depth=2, random_state=0).fit(X, LABELS)


def test_a_label_that_no_training_sample_has_raises():
    with pytest.raises(ValueError, match=r"only labels that .*Got label 2"):
        apr.auc_pr_interpolated_scorer(WITHOUT_LABEL_2, X, LABELS[:, [0, 1, 0]])


def test_a_label_that_no_sample_has_is_below_the_others_in_a_micro_average():
    scorer = apr.get_scorer("auc_pr_interpolated", average="micro")
    score = [p[:, 1] for p in WITHOUT_LABEL_2.predict_proba(X)[:2]] + [np.zeros(len(X))]
    expected = apr.auc_pr_interpolated(LABELS, np.column_stack(score), average="micro")
    assert scorer(WITHOUT_LABEL_2, X, LABELS) == expected


@pytest.mark.parametrize("pos_label", [0, 1])
def test_a_multi_output_classifier_of_one_label_is_binary(pos_label):
    model = MultiOutputClassifier(GaussianNB()).fit(X, BENIGN[:, np.newaxis])
    scorer = apr.get_scorer("auc_pr_interpolated", pos_label=pos_label)
    expected = scorer(FITTED, X, BENIGN)
    assert scorer(model, X, BENIGN[:, np.newaxis]) == expected
    assert scorer(model, X, BENIGN) == expected


@pytest.mark.parametrize("n_labels", [2, 3])
def test_one_of_several_labels_raises(n_labels):
    model = MultiOutputClassifier(GaussianNB()).fit(X, np.column_stack([BENIGN] * n_labels))
    with pytest.raises(ValueError, match=f"each of the {n_labels} labels of `estimator`"):
        apr.auc_pr_interpolated_scorer(model, X, BENIGN)


# Outlier detectors, and estimators of no type


DETECTOR = IsolationForest(n_estimators=20, random_state=0).fit(POINTS)
SCALED = make_pipeline(StandardScaler(), clone(DETECTOR)).fit(POINTS)
every_detector = pytest.mark.parametrize("detector", [DETECTOR, SCALED], ids=["", "scaled"])


@every_detector
def test_outliers_have_high_scores_if_they_are_the_positive_label(detector):
    scorer = apr.get_scorer("auc_pr_interpolated", pos_label=-1)
    score = -detector.decision_function(POINTS)
    expected = apr.auc_pr_interpolated(INLIER == -1, score)
    assert scorer(detector, POINTS, INLIER) == expected > 0.7


@every_detector
def test_inliers_are_the_positive_label_of_a_detector_by_default(detector):
    expected = apr.auc_pr_interpolated(INLIER == 1, detector.decision_function(POINTS))
    assert apr.auc_pr_interpolated_scorer(detector, POINTS, INLIER) == expected


@pytest.mark.parametrize(
    "y", [INLIER == -1, (INLIER == -1) * 1, np.where(INLIER == -1, "fraud", "legit")]
)
def test_other_labels_of_a_detector_raise_and_show_the_recoding(y):
    with pytest.raises(ValueError, match=r"`y` .* pass `np\.where\(y == 1, -1, 1\)`"):
        apr.get_scorer("aucnpr", pos_label=y[-1].item())(SCALED, POINTS, y)


def test_a_search_selects_the_best_detector():
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    scorer = apr.get_scorer("auc_pr_interpolated", pos_label=-1)
    search = GridSearchCV(OneClassSVM(nu=0.1), {"gamma": [0.1, 100]}, scoring=scorer, cv=cv)
    search.fit(POINTS, INLIER)
    assert search.best_params_ == {"gamma": 0.1}
    found = scorer(search, POINTS, INLIER)
    assert found == scorer(search.best_estimator_, POINTS, INLIER)


RADIUS = Radius().fit(POINTS)
of_pyod = pytest.mark.parametrize(
    "detector",
    [
        RADIUS,
        make_pipeline(Radius()).fit(POINTS),
        Untagged().fit(POINTS),
        Plain().fit(POINTS),
    ],
    ids=["tagged", "pipeline", "untagged", "plain"],
)


@of_pyod
@each(side=[(None, 1), (1, 1), (0, -1)])
def test_a_detector_that_predicts_0_and_1_has_high_scores_for_1(detector, side):
    pos_label, sign = side
    found = apr.get_scorer("aucnpr", pos_label=pos_label)(detector, POINTS, IS_OUTLIER)
    score = sign * RADIUS.decision_function(POINTS)
    assert found == apr.aucnpr(IS_OUTLIER, score, pos_label=pos_label)


@of_pyod
def test_the_labels_of_scikit_learns_detectors_raise_for_one_that_predicts_0_and_1(
    detector,
):
    scorer = apr.get_scorer("aucnpr", pos_label=-1)
    with pytest.raises(ValueError, match="0 for inliers and 1 for outliers") as caught:
        scorer(detector, POINTS, INLIER)
    (advice,) = re.findall(r"pass `(.*?)`, without `pos_label`", str(caught.value))
    recoded = eval(advice, {"np": np, "y": INLIER})
    np.testing.assert_array_equal(recoded, IS_OUTLIER)


def test_the_label_minus_1_is_unknown_to_a_detector_that_predicts_0_and_1():
    scorer = apr.get_scorer("aucnpr", pos_label=-1)
    with pytest.raises(ValueError, match=r"`pos_label`=-1 is not a label of .*\[0, 1\]"):
        scorer(RADIUS, POINTS, IS_OUTLIER)


def test_a_detector_that_predicts_only_1_is_one_of_scikit_learn():
    inside = POINTS[:3]
    assert set(DETECTOR.predict(inside)) == {1}
    with pytest.raises(ValueError, match=r"pass `np\.where\(y == 1, -1, 1\)`"):
        apr.aucnpr_scorer(DETECTOR, inside, [0, 0, 1])


def test_an_untagged_detector_that_predicts_minus_1_and_1_is_one_of_scikit_learn():
    class OfScikitLearn(Untagged):
        def predict(self, X):
            return 1 - 2 * super().predict(X)

    detector = OfScikitLearn().fit(POINTS)
    found = apr.get_scorer("aucnpr", pos_label=-1)(detector, POINTS, INLIER)
    assert found == apr.aucnpr(IS_OUTLIER, -detector.decision_function(POINTS))
    with pytest.raises(ValueError, match=r"pass `np\.where\(y == 1, -1, 1\)`"):
        apr.aucnpr_scorer(detector, POINTS, IS_OUTLIER)


@pytest.mark.parametrize("detector", [Radius(), make_pipeline(Radius())])
def test_a_search_over_a_detector_that_predicts_0_and_1(detector):
    limit = "limit" if isinstance(detector, Radius) else "radius__limit"
    cv, scorer = StratifiedKFold(4), apr.aucnpr_scorer
    search = GridSearchCV(detector, {limit: [9.0]}, scoring=scorer, cv=cv)
    search.fit(POINTS, IS_OUTLIER)
    folds = [
        apr.aucnpr(IS_OUTLIER[test], Radius().fit(POINTS[train]).decision_function(
            POINTS[test]
        ))
        for train, test in cv.split(POINTS, IS_OUTLIER)
    ]  # fmt: skip
    assert search.best_score_ == pytest.approx(np.mean(folds), rel=1e-12)
    assert scorer(search, POINTS, IS_OUTLIER) == scorer(RADIUS, POINTS, IS_OUTLIER)


def test_scorers_of_one_search_share_the_predictions_of_a_detector():
    scorers = {name: apr.get_scorer(name) for name in ("aucnpr", "auprg")}
    found = cross_validate(
        Radius(), POINTS, IS_OUTLIER, scoring=scorers, cv=StratifiedKFold(3),
        return_estimator=True,
    )  # fmt: skip
    assert [detector.n_calls for detector in found["estimator"]] == [1, 1, 1]


def test_the_predictions_of_a_classifier_are_not_needed():
    class WithoutPredictions(GaussianNB):
        def predict(self, X):
            raise AssertionError

    model = WithoutPredictions().fit(X, BENIGN)
    expected = apr.aucnpr_scorer(FITTED, X, BENIGN)
    assert apr.aucnpr_scorer(model, X, BENIGN) == expected


class Untyped(BaseEstimator):
    """An estimator without a mixin, whose decision function is the first column."""

    def fit(self, X, y):
        return self

    def decision_function(self, X):
        return X[:, 0]


class Typed(ClassifierMixin, Untyped):
    """A classifier without `classes_`."""


@pytest.mark.parametrize("labels", [(0, 1), (-1, 1), (False, True)], ids=str)
@each(position=[0, 1])
def test_high_decision_values_without_classes_mean_the_label_1(labels, position):
    y, sign = np.array(labels)[BENIGN], (-1, 1)[position]
    found = apr.get_scorer("aucnpr", pos_label=labels[position])(Untyped(), X, y)
    assert found == apr.aucnpr(position == BENIGN, sign * X[:, 0])


@pytest.mark.parametrize(
    ("model", "y", "pos_label"), [(Typed(), BENIGN, None), (Untyped(), WORDS, "well")]
)
def test_an_estimator_without_classes_names_them(model, y, pos_label):
    with pytest.raises(
        ValueError, match=r"no `classes_`.*self\.classes_ = np\.unique\(y\)"
    ):
        apr.get_scorer("aucnpr", pos_label=pos_label)(model, X, y)


# Regressors, and classifiers that keep few thresholds


def test_a_regressor_raises_and_shows_the_scorer_of_its_predictions():
    model = LinearRegression().fit(X, BENIGN)
    with pytest.raises(ValueError, match="Got LinearRegression") as caught:
        apr.achievable_auc_pr_scorer(model, X, BENIGN)
    (advice,) = re.findall(r"`(make_scorer.*?)`", str(caught.value))
    names = {"make_scorer": make_scorer, "auc_pr_interpolated": apr.auc_pr_interpolated}
    expected = apr.auc_pr_interpolated(BENIGN, model.predict(X), curve="achievable")
    assert eval(advice, names)(model, X, BENIGN) == expected


THRESHOLDED = apr.HullThresholdClassifierCV(GaussianNB(), cv=2)


@pytest.mark.parametrize("n_jobs", [None, 1])
@pytest.mark.parametrize("model", [THRESHOLDED, make_pipeline(THRESHOLDED)])
def test_a_search_over_models_with_thresholds_warns_once(model, n_jobs):
    search = GridSearchCV(model, {}, scoring=apr.aucnpr_scorer, cv=3, n_jobs=n_jobs)
    for _ in range(2):  # each search has its own warning
        with pytest.warns(UserWarning, match="have the same score, so AUC-PR") as caught:
            search.fit(X, BENIGN)
        assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize("nested", [False, True])
def test_a_cross_validation_of_models_with_thresholds_warns_once(nested):
    scorers = {"aucnpr": apr.aucnpr_scorer, "auprg": apr.get_scorer("auprg")}
    model = THRESHOLDED
    if nested:
        model = GridSearchCV(model, {}, scoring=apr.aucnpr_scorer, cv=2)
    with pytest.warns(UserWarning, match="have the same score, so AUC-PR") as caught:
        cross_validate(model, X, BENIGN, scoring=scorers, cv=3)
    assert len(caught) == 1


@ALL_OR_NONE
def test_the_advice_for_models_with_thresholds_is_the_score_of_the_model_inside():
    model = clone(THRESHOLDED).fit(X, BENIGN)
    with pytest.warns(UserWarning, match="pass the fitted `estimator_` to the scorer"):
        tied = apr.auc_pr_interpolated_scorer(model, X, BENIGN)
    assert apr.auc_pr_interpolated_scorer(model.estimator_, X, BENIGN) > tied


# Names


def test_each_call_makes_a_new_scorer():
    one, two = (apr.get_scorer("aucnpr") for _ in range(2))
    assert one is not two
    with config_context(enable_metadata_routing=True):
        one.set_score_request(sample_weight=True)
        assert repr(one.get_metadata_routing()) != repr(two.get_metadata_routing())


def test_names_of_scorers_are_sorted_and_complete():
    assert apr.get_scorer_names() == sorted(WITH_OPTIONS)


@pytest.mark.parametrize("name", [None, 3, ["aucnpr"]])
def test_a_name_is_a_string(name):
    with pytest.raises(TypeError, match="`name` must be the name of a scorer"):
        apr.get_scorer(name)


@pytest.mark.parametrize("name", ["auc_pr", "AUPRC", "auc_pr_interpolated_scorer"])
def test_a_scorer_by_another_word_is_answered_with_its_name_here(name):
    with pytest.raises(
        ValueError, match=f"Got '{name}', which is 'auc_pr_interpolated' he"
    ):
        apr.get_scorer(name)


# Unknown and missing options raise in get_scorer; a search turns errors of scorers into NaN


@pytest.mark.parametrize(
    ("name", "options", "match"),
    [
        ("aucnpr", {"recall": 0.9}, r"unexpected keyword argument 'recall'.*'aucnpr'\)"),
        (
            "aucnpr",
            {"sample_weight": [1, 1]},
            r"`sample_weight` is no option .* `scorer\(estimator, X, y, sample_weight=",
        ),
        ("achievable_auc_pr", {"curve": "empirical"}, "multiple .* 'curve'"),
        ("precision_at_k", {}, r"missing .* 'k'.*get_scorer.'precision_at_k', k=...\)"),
    ],
)
def test_unknown_and_missing_options_raise(name, options, match):
    with pytest.raises(TypeError, match=match):
        apr.get_scorer(name, **options)


@pytest.mark.parametrize("name", ["nothing", "roc_auc", "average_precision"])
def test_a_name_of_no_scorer_of_this_package_raises(name):
    ours = r"`name` must be one of 'achievable_auc_pr', .*, 'recall_at_precision'\. "
    with pytest.raises(
        ValueError, match=ours + f"Got '{name}'. .* call sklearn.metrics.get_scorer"
    ):
        apr.get_scorer(name, pos_label=1)


def test_a_value_out_of_range_raises_where_the_scorer_is_called():
    scorer = apr.get_scorer("precision_at_k", k=10**9)
    with pytest.raises(ValueError, match="`k` must not exceed the number of samples"):
        scorer(FITTED, X, BENIGN)


# precision_at_recall(at_least=True)


def vertices(y, score):
    tps = np.cumsum(np.bincount(np.unique(-score, return_inverse=True)[1], weights=y))
    return tps / tps[-1]


@pytest.mark.parametrize("curve", ["empirical", "achievable"])
@each(seed=range(4))
def test_at_least_is_the_maximum_over_higher_recalls(seed, curve):
    rng = np.random.default_rng(seed)
    y = rng.random(60) < 0.3
    y[:2] = False, True
    score = np.round((rng.normal(size=60) + y) * 4) / 4
    prevalence = None if seed % 2 else 0.05
    recalls = [0.0, 1e-9, 0.1, 0.37, 0.5, 0.8, 0.99, 1.0, *vertices(y, score)[:5]]
    options = {"curve": curve, "prevalence": prevalence}
    found = apr.precision_at_recall(y, score, recall=recalls, at_least=True, **options)
    for recall, value in zip(recalls, found, strict=True):
        # The maximum is always at a vertex, so the grid finds it.
        at = np.concatenate((np.linspace(recall, 1, 4001), vertices(y, score)))
        expected = apr.precision_at_recall(y, score, recall=at[at >= recall], **options)
        assert value == pytest.approx(expected.max(), rel=1e-12)
    by_recall = found[np.argsort(recalls)]
    assert (np.diff(by_recall) <= 0).all()
