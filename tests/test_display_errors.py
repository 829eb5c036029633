"""Data and options that `AchievablePRDisplay` cannot draw."""

import sys
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from cases import each
from drawing import (
    CLASS_SCORES,
    CLASSES,
    IS_CLASS,
    NAMES,
    SITUATIONS,
    folds,
    of_estimator,
    of_folds,
    of_samples,
)
from sklearn.datasets import load_iris
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from tuning_sets import Dropping

from sklearn_achievable_pr import AchievablePRDisplay

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")


def model_and_data(model, y=None):
    """A classifier of three species, and data for it."""
    X, species = load_iris(return_X_y=True)
    return {"estimator": model.fit(X, species), "X": X, "y": species if y is None else y}


def of_one_split(model, y):
    """Arguments of `from_cv_results` for a model that is tested on its training data."""
    cv_results = {"estimator": [model.fit(CLASS_SCORES, y)]}
    cv_results["indices"] = {"test": [np.arange(len(y))]}
    return {"cv_results": cv_results, "X": CLASS_SCORES, "y": y}


TIES = dict(zip(("y_true", "y_score"), SITUATIONS["ties"], strict=True))
THREE_CLASSES = {"y_true": CLASSES, "y_score": CLASS_SCORES}
RESULTS = dict(zip(("cv_results", "X", "y"), folds(), strict=True))
SPECIES = np.repeat([0.0, 1.0, 2.0], 50)


@each(
    wrong=[
        ("one", {"band": "folds"}, "`band` must be one of None, 'pointwise', 'simult"),
        ("one", {"band": "pointwise", "prevalence": 0.1}, "`band`=.*`prevalence`=0.1"),
        ("one", {"band": "simultaneous", "curve": "both"}, "has known coverage with c"),
        ("one", {"interval": 0.9}, "`interval` must be True or False. Got 0.9"),
        ("one", {"y_true": np.zeros(300)}, "`y_true` has no positive samples"),
        ("one", {"y_true": np.ones(300)}, "`y_true` has no negative samples"),
        ("classes", {"y_score": CLASS_SCORES[:, :2]}, r"`y_score` must .* \(200, 3\)"),
        ("classes", {"y_true": IS_CLASS[:, :2]}, r"`y_score` must have shape \(200, 2\)"),
        ("classes", {"y_true": IS_CLASS & [1, 1, 0]}, "`y_true` has no pos.* 'Class 2'"),
        ("classes", {"name": NAMES[:2]}, "`name` must be a list of one string per class"),
        ("classes", {"name": ["a", "a", "b"]}, "`name` must be .* all different"),
        (
            "classes",
            {"pos_label": 1},
            "`pos_label` must be left out: each class of .* Got 1",
        ),
        ("classes", {"pos_label": "bee"}, "`pos_label` is for a binary `y_true`"),
        (
            "classes",
            {
                "y_true": pd.DataFrame(IS_CLASS, columns=NAMES),
                "y_score": pd.DataFrame(CLASS_SCORES, columns=NAMES[::-1]),
            },
            "`y_score` must have its columns in the order",
        ),
        (
            "estimator",
            {"estimator": GaussianNB().fit(CLASS_SCORES, IS_CLASS[:, 0]), "y": SPECIES},
            r"`y` must hold only classes of .* Got \[2\.0\]",
        ),
        (
            "estimator",
            {"estimator": GaussianNB().fit(CLASS_SCORES, IS_CLASS[:, 0]), "y": 1},
            r"`y` must not be empty, .*Got an array of shape \(\)",
        ),
        ("estimator", {"y": np.where(SPECIES, SPECIES, np.nan)}, "`y` has missing labels"),
        (
            "estimator",
            model_and_data(SVC(decision_function_shape="ovo")),
            "`estimator` must have one score per class, 3",
        ),
        ("one", {"legend": "left"}, "`legend` must be True, False or a dict.* Got 'left'"),
        ("folds", {"band": "folds", "summary": False}, "lies around .* Pass summary=True"),
        ("folds", {"band": "pointwise"}, "`band` must be one of None, 'folds'"),
        ("folds", {"summary": "mean"}, "`summary` must be True or False"),
        ("folds", {"prevalence": 0}, "`prevalence` must be the fraction of positives"),
        ("folds", {"prevalence": 0, "summary": False}, r"`prevalence` must be .* Got 0\.0"),
        ("folds", {"curve_kwargs": 6 * [{}]}, r"list of one dict per summary, 1\. Got 6"),
        ("folds", {"name": 5 * ["a"]}, r"`name` must have one entry per curve, 6\. G"),
        (
            "folds",
            {**of_one_split(GaussianNB(), IS_CLASS[:, 0]), "band": "folds"},
            "`band`='folds' needs at least two folds.*Got 1",
        ),
        ("folds", of_one_split(GaussianNB(), CLASSES), "a binary classifier. Got 3"),
        (
            "folds",
            of_one_split(OneVsRestClassifier(GaussianNB()), IS_CLASS[:, :2]),
            "must be one-dimens",
        ),
    ]
)
def test_data_and_options_that_cannot_be_drawn(wrong):
    way, given, message = wrong
    draw, data = {
        "one": (of_samples, TIES),
        "classes": (of_samples, THREE_CLASSES),
        "estimator": (of_estimator, model_and_data(GaussianNB())),
        "folds": (of_folds, RESULTS),
    }[way]
    with pytest.raises((TypeError, ValueError), match=message):
        draw(**data | given)
    assert plt.get_fignums() == []


@pytest.mark.parametrize("classes", [(0, 1), (0, 1, 2)])
@pytest.mark.parametrize("n_more", [-1, 1])
def test_scores_of_another_number_than_samples(classes, n_more):
    estimator, X = Dropping(classes, n_more).fit(None, None), np.ones((6, 3))
    with pytest.raises(ValueError, match=rf"decision_function\(X\)` .* 6 .* {6 + n_more}"):
        of_estimator(estimator, X, np.arange(6) % len(classes))


@each(
    wrong=[
        ("recall", [0.5, 1.0], "must fall from point to point"),
        ("recall", [0.0, 0.0], "must fall from point to point"),
        ("recall", [1.0, 0.5, 0.0], r"must have shape \(2,\)\. Got \(3,\)"),
        ("precision", [0.0, 0.5], "must be above 0 where `recall` is"),
        ("precision", [2.0, 0.5], r"must lie within \[0, 1\]"),
        ("precision", [np.nan, 0.5], r"must lie within \[0, 1\]"),
        ("precision", None, ""),
        ("thresholds", [0.1, 0.2], r"must have shape \(1,\)"),
        ("thresholds", ["a"], ""),
        ("aucnpr", [0.5], ""),
        ("name", ["a"], "must be a string"),
        ("prevalence", 1.0, "must be the fraction of positives"),
        ("curve", "convex", "must be one of 'empirical', 'achievable'"),
        ("predicted_point", (0.5,), r"must have shape \(2,\)"),
        ("interval", (0.5, 1.4), r"must lie within \[0, 1\]. Got 1.4"),
        ("band", np.zeros((2, 5)), r"must have shape \(3, .* Got \(2, 5\)"),
        ("summary", None, ""),
    ]
)
def test_invalid_curves_raise(wrong):
    label, value, message = wrong
    points = {"precision": [0.4, 0.5], "recall": [1.0, 0.0], label: value}
    several = {key: [value, value] for key, value in points.items()}
    for parameters in [points] if value is None else [points, several]:
        with pytest.raises((TypeError, ValueError), match=f"`{label}`.*{message}"):
            AchievablePRDisplay(**parameters).plot()


@each(
    wrong=[("recall", [[1.0, 0.0]]), ("prevalence", [0.1] * 3), ("band", [np.ones((3, 2))])]
)
def test_lists_of_different_lengths(wrong):
    label, column = wrong
    points = {"precision": 2 * [[0.4, 0.5]], "recall": 2 * [[1.0, 0.0]], label: column}
    with pytest.raises(ValueError, match=f"`{label}` must have one entry per curve, 2. "):
        AchievablePRDisplay(**points).plot()


@each(
    wrong=[
        ({"ax": 3}, r"`ax` must be a matplotlib Axes, .* new figure.* Got 3\."),
        ({"ax": [None]}, r"`ax` must be .* several pass one, e\.g\. ax\[0\]"),
        ({"name": 3}, r"`name` must be a string, or .* Got 3"),
        ({"curve_kwargs": 3}, "`curve_kwargs` must be a dict .* Got 3"),
        ({"curve_kwargs": ["r"]}, "`curve_kwargs` must be a dict .* Got 'r'"),
        ({"despine": "no"}, "`despine` must be True or False"),
        ({"plot_minimum": None}, "`plot_minimum` must be True or False"),
        ({"plot_chance_level": 2}, "`plot_chance_level` must be True or False"),
        ({"plot_iso_f1": 1}, "`plot_iso_f1` must be True or False"),
        ({"legend": "best"}, "`legend` must be True, False or a dict .* Got 'best'"),
        ({"legend": {"lok": 1}}, "`legend` must be True, False or a dict .* Got .*'lok'"),
    ]
)
def test_options_of_wrong_types(wrong):
    option, message = wrong
    with pytest.raises(TypeError, match=message):
        AchievablePRDisplay([0.4, 0.5], [1.0, 0.0]).plot(**option)
    assert plt.get_fignums() == []


def test_an_unknown_place_of_the_legend_names_the_places():
    display = AchievablePRDisplay([0.4, 0.5], [1.0, 0.0])
    with pytest.raises(
        ValueError, match=r"`legend` must be .* 'somewhere' .* 'lower left'"
    ):
        display.plot(legend={"loc": "somewhere"})
    assert plt.get_fignums() == []


@pytest.mark.parametrize("way", ["from_predictions", "from_estimator", "from_cv_results"])
def test_options_of_plot_are_passed_on(way):
    cv_results, X, y = folds(2)
    data = {
        "from_predictions": (y, X[:, 0]),
        "from_estimator": (cv_results["estimator"][0], X, y),
        "from_cv_results": (cv_results, X, y),
    }[way]
    draw = partial(getattr(AchievablePRDisplay, way), *data)
    display = draw(plot_minimum=False, plot_iso_f1=True)
    assert display.minimum_ is None
    assert len(display.iso_f1_) == 4
    plt.close("all")
    for wrong in ({"ax": 3}, {"name": 3}, {"despine": "no"}, {"unknown": {}}):
        with pytest.raises(TypeError, match="".join(wrong)):
            draw(**wrong)
    assert plt.get_fignums() == []


def test_matplotlib_missing_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.axes", None)
    with pytest.raises(ImportError, match=r'pip install "sklearn-achievable-pr\[plot\]"'):
        of_samples(*SITUATIONS["ties"])
