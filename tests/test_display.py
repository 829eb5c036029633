"""The picture: what is drawn is what the metrics say, and the legend says what it is."""

import builtins
import subprocess
import sys

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError, UndefinedMetricWarning
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.metrics import precision_recall_curve, precision_score, recall_score
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_achievable_pr import (
    AchievablePRDisplay,
    HullThresholdClassifierCV,
    achievable_pr_curve,
    auc_pr_interpolated,
    auc_pr_min,
    aucnpr,
    min_precision,
    pr_curve_from_counts,
    pr_curve_interpolated,
    precision_at_recall,
)
from sklearn_achievable_pr.display import with_points_between

mpl.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")

KINDS = ("empirical", "achievable")
# Half a step of the drawn points: what no eye sees in a picture of 500 pixels.
INVISIBLE = 1e-3


@pytest.fixture(autouse=True)
def _no_figure_left_open():
    plt.close("all")
    yield
    plt.close("all")


def problem(n_rows=300, prevalence=0.3, decimals=1, seed=0):
    rng = np.random.default_rng(seed)
    y = (rng.random(n_rows) < prevalence).astype(int)
    return y, np.round(rng.normal(size=n_rows) + 1.2 * y, decimals), rng


SITUATIONS = {
    "ties": problem()[:2],
    "untied": problem(decimals=12)[:2],
    "tie_before_tie": ([1, 1, 1, 0, 0, 0, 0, 0, 0, 0], [0.5] + 9 * [0.0]),
    "constant_score": ([1, 1, 0, 0, 0], 5 * [1.0]),
    "one_positive": ([0, 0, 1, 0, 0, 0], [6, 5, 4, 4, 4, 1]),
    "one_negative": ([1, 1, 0, 1, 1], [5, 4, 3, 3, 1]),
    "negatives_first_in_a_tie": ([0, 0, 0, 1, 0, 1], [3, 3, 2, 2, 2, 2]),
    "reversed": ([0] * 50 + [1] * 10, np.arange(60)[::-1]),
    "perfect": ([1] * 10 + [0] * 50, np.arange(60)[::-1]),
}
SITUATIONS["a_cliff"] = ([1] * 9 + [0] * 5000 + [1] * 300, [2.0] * 9 + [1.0] * 5300)


def legend(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def on_line(line, recall):
    """Precision of the drawn line at recalls that are not at its vertical drops."""
    x, y = line.get_data()
    assert np.all(np.diff(x) >= 0)
    return np.interp(recall, x, y)


def assert_draws(line, y, score, curve, **options):
    """The line is on the curve at its own points and, for the eye, between them."""
    x, drawn = line.get_data()
    recall = np.linspace(0, 1, 4003)[1:-1]
    recall = recall[
        np.min(np.abs(recall[:, None] - x[np.r_[True, np.diff(x) == 0]]), 1) > 1e-6
    ]
    expected = precision_at_recall(y, score, recall=recall, curve=curve, **options)
    assert np.max(np.abs(on_line(line, recall) - expected)) < INVISIBLE
    rising = np.r_[x[0] > 0, np.diff(x) > 1e-9]  # at a drop the highest point counts
    at_points = precision_at_recall(y, score, recall=x[rising], curve=curve, **options)
    np.testing.assert_allclose(drawn[rising], at_points, rtol=1e-9, atol=1e-12)


# The line


@pytest.mark.parametrize("curve", KINDS)
@pytest.mark.parametrize("name", SITUATIONS)
def test_the_line_is_the_curve(name, curve):
    y, score = SITUATIONS[name]
    display = AchievablePRDisplay.from_predictions(y, score, curve=curve)
    assert_draws(display.line_, y, score, curve)
    assert display.auc_pr == pytest.approx(
        auc_pr_interpolated(y, score, curve=curve), rel=1e-12
    )


@pytest.mark.parametrize("curve", KINDS)
@pytest.mark.parametrize("prevalence", [None, 0.02, 0.9])
def test_weights_and_prevalence(curve, prevalence):
    y, score, rng = problem()
    weight = rng.gamma(1.0, size=len(y)) * (rng.random(len(y)) < 0.8)
    options = {"sample_weight": weight, "prevalence": prevalence}
    display = AchievablePRDisplay.from_predictions(y, score, curve=curve, **options)
    assert_draws(display.line_, y, score, curve, **options)
    pi = np.average(y, weights=weight) if prevalence is None else prevalence
    assert display.prevalence == pytest.approx(pi, rel=1e-12)
    assert display.auc_pr == pytest.approx(
        auc_pr_interpolated(y, score, curve=curve, **options), rel=1e-12
    )
    recall, floor = display.minimum_.get_data()
    np.testing.assert_allclose(floor, min_precision(recall, display.prevalence), rtol=1e-12)
    assert (recall[0], recall[-1]) == (0.0, 1.0)
    assert max(np.diff(recall).max(), np.diff(floor).max()) < 0.003
    np.testing.assert_allclose(display.chance_level_.get_ydata(), pi, rtol=1e-12)


@pytest.mark.parametrize("name", SITUATIONS)
def test_normalised_area(name):
    y, score = SITUATIONS[name]
    display = AchievablePRDisplay.from_predictions(y, score)
    assert display.aucnpr == pytest.approx(aucnpr(y, score), abs=1e-14)


@pytest.mark.parametrize("interpolate", [True, False])
@pytest.mark.parametrize(
    ("curve", "function"),
    [("empirical", pr_curve_interpolated), ("achievable", achievable_pr_curve)],
)
def test_vertices_alone_are_enough(curve, function, interpolate):
    y, score = SITUATIONS["ties"]
    precision, recall, thresholds = function(y, score, interpolate=interpolate)
    display = AchievablePRDisplay(precision, recall, thresholds=thresholds, curve=curve)
    assert_draws(display.plot().line_, y, score, curve)


def test_long_pieces_are_bent_from_vertices_of_counts():
    precision, recall, _ = pr_curve_from_counts(
        [9], [0], n_pos=433, n_neg=56_164, interpolate=False
    )
    x, drawn = AchievablePRDisplay(precision, recall).plot().line_.get_data()
    t = 433 * x[x >= 9 / 433]
    f = 56_164 * (t - 9) / 424
    np.testing.assert_allclose(drawn[x >= 9 / 433], t / (t + f), rtol=1e-9)
    assert max(np.diff(x).max(), np.abs(np.diff(drawn)).max()) < 0.003


def test_no_piece_is_straight():
    y, score = SITUATIONS["one_positive"]
    assert not np.isnan(pr_curve_interpolated(y, score)[2]).any()  # vertices alone
    x, drawn = AchievablePRDisplay.from_predictions(y, score).line_.get_data()
    inside = (x > 0) & (x < 1)
    # Two negatives first, then a tie of one positive and two negatives.
    np.testing.assert_allclose(drawn[inside], x[inside] / (2 + 3 * x[inside]), rtol=1e-9)
    assert inside.sum() > 400


def test_the_point_that_scikit_learn_makes_up_is_not_drawn():
    y, score = SITUATIONS["tie_before_tie"]
    precision, recall, _ = precision_recall_curve([0, *y], [0.5, *score])
    assert precision[-1] == 1
    display = AchievablePRDisplay(precision, recall).plot()
    assert display.line_.get_ydata()[0] == 0.5


def test_sorted_points_have_steps_of_the_stated_size():
    fps, tps, index = with_points_between(
        np.array([0, 0, 900, 900]), np.array([0, 3, 5, 9])
    )
    assert np.all(np.diff(fps) >= 0)
    assert np.all(np.diff(tps) >= 0)
    assert index[index >= 0].tolist() == [0, 1, 2, 3]
    precision = tps[1:] / (fps + tps)[1:]
    assert np.abs(np.diff(precision)).max() <= 1 / 500 + 1e-12
    assert np.diff(tps / 9).max() <= 1 / 500 + 1e-12


def test_many_rows_make_few_vertices_and_the_same_picture():
    y, score, _ = problem(200_000, decimals=12)
    line = AchievablePRDisplay.from_predictions(y, score).line_
    assert len(line.get_xdata()) < 10_000
    recall = np.linspace(0.01, 1, 997)
    expected = precision_at_recall(y, score, recall=recall)
    # Points go that lie within a column of the picture, 1/2000 wide, and within its range.
    assert np.max(np.abs(on_line(line, recall) - expected)) < 2 * INVISIBLE
    every = AchievablePRDisplay.from_predictions(y, score).precision
    assert (line.get_ydata().min(), line.get_ydata().max()) == pytest.approx(
        (every.min(), every.max())
    )


# Attributes, legend, styles


def test_attributes_of_a_single_curve():
    y, score = SITUATIONS["ties"]
    display = AchievablePRDisplay.from_predictions(y, score)
    assert isinstance(display, AchievablePRDisplay)
    assert isinstance(display.line_, mpl.lines.Line2D)
    assert display.figure_ is display.ax_.figure
    assert display.pos_label == 1
    assert display.name == "Classifier"
    assert display.threshold_marks_ is display.operating_point_ is display.iso_f1_ is None
    assert display.ax_.get_xlabel() == "Recall (Positive label: 1)"
    assert display.ax_.get_ylabel() == "Precision (Positive label: 1)"
    assert display.ax_.get_aspect() == 1
    assert len(display.thresholds) == len(display.precision) - 1 == len(display.recall) - 1
    assert plt.get_fignums() == [display.figure_.number]


def test_an_axes_given_makes_no_figure():
    _, ax = plt.subplots()
    display = AchievablePRDisplay.from_predictions(*SITUATIONS["ties"], ax=ax)
    assert display.ax_ is ax
    assert len(plt.get_fignums()) == 1


def test_the_legend_says_which_area_it_is():
    y, score = SITUATIONS["ties"]
    pi = np.mean(y)
    area, best = (auc_pr_interpolated(y, score, curve=curve) for curve in KINDS)
    floor = auc_pr_min(pi)
    normalized = (best - floor) / (1 - floor)
    display = AchievablePRDisplay.from_predictions(y, score, curve="both", name="mine")
    assert legend(display) == [
        f"mine\ninterpolated AUC-PR = {area:.2f}, AUCNPR = {aucnpr(y, score):.2f}",
        f"mine\nachievable AUC-PR = {best:.2f}, AUCNPR = {normalized:.2f}",
        f"Minimum (AUC-PR = {floor:.2f})",
        f"Chance level (AUC-PR = {pi:.2f})",
    ]
    assert display.curve == list(KINDS)
    assert display.auc_pr == pytest.approx([area, best])


def test_both_curves_differ_in_line_style_not_in_colour():
    display = AchievablePRDisplay.from_predictions(*SITUATIONS["ties"], curve="both")
    empirical, achievable = display.line_
    assert empirical.get_color() == achievable.get_color()
    assert empirical.get_linestyle() != achievable.get_linestyle()


def test_several_models_share_floor_and_chance_level():
    y, score = SITUATIONS["ties"]
    first = AchievablePRDisplay.from_predictions(y, score, name="a", plot_iso_f1=True)
    others = [
        AchievablePRDisplay.from_predictions(
            y, score**power, name=str(power), ax=first.ax_, plot_iso_f1=True
        )
        for power in (2, 3, 5)
    ]
    lines = [display.line_ for display in (first, *others)]
    assert len({line.get_color() for line in lines}) == 4
    assert len({str(line._dash_pattern) for line in lines}) == 4
    assert all(display.minimum_ is first.minimum_ for display in others)
    assert all(display.chance_level_ is first.chance_level_ for display in others)
    assert all(display.unachievable_ is first.unachievable_ for display in others)
    assert len(first.ax_.collections) == 1
    assert len(first.ax_.texts) == 4
    assert [text.split("\n")[0] for text in legend(first)[:4]] == ["a", "2", "3", "5"]
    assert len(legend(first)) == 6


def test_floors_of_other_prevalences_look_different():
    y, score = SITUATIONS["ties"]
    first = AchievablePRDisplay.from_predictions(y, score)
    second = AchievablePRDisplay.from_predictions(y, score, prevalence=0.05, ax=first.ax_)
    for artist in ("minimum_", "chance_level_"):
        a, b = getattr(first, artist), getattr(second, artist)
        assert a._dash_pattern != b._dash_pattern
        assert a.get_label() != b.get_label()


@pytest.mark.parametrize("prevalences", [(0.05, 0.4), (0.4, 0.05), (1e-5, 0.4)])
def test_what_is_hatched_no_curve_on_the_axes_can_enter(prevalences):
    y, score = SITUATIONS["ties"]
    ax = None
    for prevalence in prevalences:
        display = AchievablePRDisplay.from_predictions(
            y, score, prevalence=prevalence, ax=ax
        )
        ax = display.ax_
    (region,) = ax.collections
    assert region is display.unachievable_
    assert region.get_paths()[0].vertices[:, 1].max() == pytest.approx(min(prevalences))


def test_what_is_not_wanted_is_not_drawn():
    display = AchievablePRDisplay.from_predictions(
        *SITUATIONS["ties"],
        plot_minimum=False,
        plot_chance_level=False,
        fill_unachievable=False,
        despine=True,
    )
    assert display.minimum_ is display.chance_level_ is display.unachievable_ is None
    assert len(display.ax_.lines) == 1
    assert not display.ax_.spines["top"].get_visible()
    assert display.ax_.spines["left"].get_bounds() == (0, 1)


def test_the_region_has_a_label_where_its_line_has_none():
    display = AchievablePRDisplay.from_predictions(*SITUATIONS["ties"], plot_minimum=False)
    assert (
        legend(display)[1] == f"Unachievable (area = {auc_pr_min(display.prevalence):.2f})"
    )
    assert display.unachievable_.get_hatch() == "///"


def test_keywords_by_short_and_long_names():
    display = AchievablePRDisplay.from_predictions(
        *SITUATIONS["ties"],
        curve_kwargs={"c": "red", "ls": ":", "label": "own"},
        minimum_kw={"lw": 5},
        chance_level_kw={"color": "green", "label": "guess"},
    )
    assert (display.line_.get_color(), display.line_.get_linestyle()) == ("red", ":")
    assert display.minimum_.get_linewidth() == 5
    assert legend(display)[0] == "own"
    assert legend(display)[-1] == "guess"
    with pytest.raises(TypeError, match="'c' and 'color', which are the same"):
        display.plot(curve_kwargs={"c": "red", "color": "blue"})


@pytest.mark.parametrize("style", ["default", "dark_background"])
def test_everything_stands_out_from_the_background(style):
    with plt.style.context(style):
        display = AchievablePRDisplay.from_predictions(
            *SITUATIONS["ties"], curve="both", plot_iso_f1=True, mark_thresholds=True
        )
        for power in range(2, 7):
            y, score = SITUATIONS["ties"]
            AchievablePRDisplay.from_predictions(y, score**power, ax=display.ax_)
        background = luminance(display.ax_.get_facecolor())
        for line in display.ax_.lines:
            high, low = sorted((luminance(line.get_color()), background), reverse=True)
            assert (high + 0.05) / (low + 0.05) > 2
        display.figure_.canvas.draw()


def luminance(colour):
    """Relative luminance as the WCAG defines it."""
    rgb = np.array(mpl.colors.to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def test_no_text_lies_on_another():
    display = AchievablePRDisplay.from_predictions(
        *SITUATIONS["ties"],
        curve="both",
        plot_iso_f1=True,
        mark_thresholds=True,
        name="a classifier with a rather long name",
    )
    AchievablePRDisplay.from_predictions(
        *SITUATIONS["untied"], plot_iso_f1=True, name="another", ax=display.ax_
    )
    display.figure_.canvas.draw()
    renderer = display.figure_.canvas.get_renderer()
    boxes = [text.get_window_extent(renderer) for text in display.ax_.texts]
    boxes.append(display.ax_.get_legend().get_window_extent(renderer))
    boxes.append(display.ax_.get_window_extent(renderer))
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[i + 1 :])
        assert box.x0 >= 0
        assert box.x1 <= display.figure_.bbox.x1


def test_iso_f1_lines():
    display = AchievablePRDisplay.from_predictions(*SITUATIONS["ties"], plot_iso_f1=True)
    for line, level in zip(display.iso_f1_, (0.2, 0.4, 0.6, 0.8), strict=True):
        r, p = line.get_data()
        np.testing.assert_allclose(2 * p * r / (p + r), level, rtol=1e-12)
        assert (r.max(), p.max()) == pytest.approx((1, 1))
    assert [text.get_text() for text in display.ax_.texts] == [
        "F1 = 0.2",
        "F1 = 0.4",
        "F1 = 0.6",
        "F1 = 0.8",
    ]


def test_marks_are_at_the_thresholds():
    y, score = SITUATIONS["ties"]
    display = AchievablePRDisplay.from_predictions(y, score, mark_thresholds=True)
    precision, recall, thresholds = pr_curve_interpolated(y, score, interpolate=False)
    marked = display.threshold_marks_.get_xydata()
    np.testing.assert_allclose(marked[::-1], np.column_stack((recall, precision))[:-1])
    own = display.thresholds[~np.isnan(display.thresholds)]
    np.testing.assert_array_equal(own, thresholds)
    assert legend(display)[1] == "Thresholds"


# Several curves in one display


def several_curves():
    y, score = SITUATIONS["ties"]
    curves = [pr_curve_interpolated(y, s)[:2] for s in (score, score**2)]
    return [c[0] for c in curves], [c[1] for c in curves]


def test_curves_share_an_entry_unless_named():
    precision, recall = several_curves()
    display = AchievablePRDisplay(precision, recall, aucnpr=[0.25, 0.75], name="x")
    assert legend(display.plot()) == ["x\ninterpolated AUCNPR = 0.50 +/- 0.25"]
    first, second = display.line_
    assert first.get_color() == second.get_color()
    assert legend(display.plot(name=["a", "b"])) == [
        "a\ninterpolated AUCNPR = 0.25",
        "b\ninterpolated AUCNPR = 0.75",
    ]
    first, second = display.line_
    assert first.get_color() != second.get_color()
    assert first.get_linestyle() != second.get_linestyle()
    assert len(legend(display.plot(curve_kwargs=[{"lw": 3}, {}]))) == 2
    assert display.line_[0].get_linewidth() == 3


def test_without_names_areas_and_prevalence_there_is_no_legend():
    precision, recall = several_curves()
    display = AchievablePRDisplay(precision, recall).plot()
    assert display.ax_.get_legend() is None
    assert display.minimum_ is display.chance_level_ is display.unachievable_ is None


# Estimators


def data(labels=(0, 1), weights=(0.7,), **options):
    X, y = make_classification(400, weights=weights, flip_y=0.2, random_state=0, **options)
    return X, np.array(labels)[y]


@pytest.mark.parametrize("labels", [(0, 1), ("ham", "spam"), (False, True)])
@pytest.mark.parametrize("position", [0, 1])
@pytest.mark.parametrize("model", [LogisticRegression(), RidgeClassifier()])
def test_either_class_can_be_positive(labels, position, model):
    X, y = data(labels)
    model = clone(model).fit(X, y)
    label = labels[position]
    display = AchievablePRDisplay.from_estimator(model, X, y, pos_label=label)
    score = model.decision_function(X) * (1 if position else -1)
    assert_draws(display.line_, y, score, "empirical", pos_label=label)
    assert display.pos_label == label
    assert display.name == type(model).__name__
    assert display.prevalence == np.mean(y == label)
    assert f"Positive label: {label}" in display.ax_.get_xlabel()


def test_the_second_class_is_the_default():
    X, y = data(("ham", "spam"))
    model = LogisticRegression().fit(X, y)
    assert AchievablePRDisplay.from_estimator(model, X, y).pos_label == "spam"


def test_response_methods():
    X, y = data()
    tree = DecisionTreeClassifier(max_depth=2).fit(X, y)
    with pytest.raises(
        ValueError, match="`estimator` must be a classifier with decision_f"
    ):
        AchievablePRDisplay.from_estimator(tree, X, y, response_method="decision_function")
    with pytest.raises(ValueError, match="`response_method` must be one of"):
        AchievablePRDisplay.from_estimator(tree, X, y, response_method="predict")


def test_estimators_that_cannot_be_drawn():
    X, y = data()
    with pytest.raises(ValueError, match="`estimator` must be a classifier with"):
        AchievablePRDisplay.from_estimator(LinearRegression().fit(X, y), X, y)
    with pytest.raises(NotFittedError):
        AchievablePRDisplay.from_estimator(LogisticRegression(), X, y)
    three = LogisticRegression().fit(X, np.arange(len(y)) % 3)
    with pytest.raises(ValueError, match=r"Got 3 classes\. Use from_predictions"):
        AchievablePRDisplay.from_estimator(three, X, y)
    two = LogisticRegression().fit(X, y)
    with pytest.raises(ValueError, match="`pos_label`=7 is not a class"):
        AchievablePRDisplay.from_estimator(two, X, y, pos_label=7)


@pytest.mark.parametrize("wrapped", ["alone", "pipeline", "search"])
def test_frozen_thresholds_are_marked(wrapped):
    X, y = data()
    model = HullThresholdClassifierCV(LogisticRegression())
    if wrapped == "pipeline":
        model = make_pipeline(StandardScaler(), model)
    elif wrapped == "search":
        model = GridSearchCV(model, {"objective": ["f1", "mcc"]})
    model.fit(X[::2], y[::2])
    X, y = X[1::2], y[1::2]
    rng = np.random.default_rng(0)
    weight = rng.random(len(y)) + 0.1
    display = AchievablePRDisplay.from_estimator(model, X, y, sample_weight=weight)
    predicted = model.predict(X)
    assert display.operating_point == pytest.approx(
        (
            precision_score(y, predicted, sample_weight=weight),
            recall_score(y, predicted, sample_weight=weight),
        )
    )
    assert display.operating_point_.get_xydata()[0, ::-1] == pytest.approx(
        display.operating_point
    )
    levels = np.unique(model.predict_proba(X)[:, 1])
    assert len(display.threshold_marks_.get_xdata()) == len(levels)
    # The operating point is one of the frozen thresholds.
    marked = display.threshold_marks_.get_xydata()
    assert (
        np.min(np.abs(marked - display.operating_point_.get_xydata()).sum(axis=1)) < 1e-12
    )
    assert legend(display)[1:3] == ["Frozen thresholds", "Operating point"]
    plain = AchievablePRDisplay.from_estimator(model, X, y, mark_thresholds=False)
    assert plain.threshold_marks_ is None


def test_the_positive_class_of_the_frozen_thresholds_is_the_default():
    X, y = data(("ham", "spam"))
    model = HullThresholdClassifierCV(LogisticRegression(), pos_label="ham").fit(X, y)
    assert AchievablePRDisplay.from_estimator(model, X, y).pos_label == "ham"


# Folds


@pytest.mark.parametrize("container", [np.asarray, pd.DataFrame, coo_array, list])
def test_one_curve_a_fold(container):
    X, y = data()
    inputs = [row.tolist() for row in X] if container is list else container(X)
    target = pd.Series(y) if container is pd.DataFrame else y
    weight = np.random.default_rng(0).random(len(y)) + 0.1
    cv_results = cross_validate(
        LogisticRegression(), X, y, cv=3, return_estimator=True, return_indices=True
    )
    for estimator in cv_results["estimator"]:
        if container is pd.DataFrame:
            estimator.feature_names_in_ = None
            del estimator.feature_names_in_
    display = AchievablePRDisplay.from_cv_results(
        cv_results, inputs, target, sample_weight=weight, name="folds"
    )
    values = []
    for line, estimator, test in zip(
        display.line_, cv_results["estimator"], cv_results["indices"]["test"], strict=True
    ):
        score = estimator.predict_proba(X[test])[:, 1]
        options = {"sample_weight": weight[test]}
        assert_draws(line, y[test], score, "empirical", **options)
        values.append(aucnpr(y[test], score, **options))
    assert display.aucnpr == pytest.approx(values)
    mean, std = np.mean(values), np.std(values)
    assert legend(display)[0] == f"folds\ninterpolated AUCNPR = {mean:.2f} +/- {std:.2f}"
    assert len(display.minimum_) == len(display.chance_level_) == 3
    assert len(legend(display)) == 3


def test_folds_with_both_curves_and_a_curve_for_each():
    X, y = data()
    cv_results = cross_validate(
        LogisticRegression(), X, y, cv=3, return_estimator=True, return_indices=True
    )
    display = AchievablePRDisplay.from_cv_results(cv_results, X, y, curve="both")
    assert display.curve == 3 * ["empirical"] + 3 * ["achievable"]
    assert [text.split(" =")[0] for text in legend(display)] == [
        "interpolated AUCNPR",
        "achievable AUCNPR",
        "Minimum (AUC-PR",
        "Chance level (AUC-PR",
    ]
    named = AchievablePRDisplay.from_cv_results(cv_results, X, y, name=["1", "2", "3"])
    assert [text.split("\n")[0] for text in legend(named)[:3]] == ["1", "2", "3"]


def test_the_lowest_floor_is_filled():
    X, y = data()
    cv_results = cross_validate(
        LogisticRegression(), X, y, cv=3, return_estimator=True, return_indices=True
    )
    display = AchievablePRDisplay.from_cv_results(cv_results, X, y)
    points = display.unachievable_.get_paths()[0].vertices
    lowest = min(display.prevalence)
    assert points[:, 1].max() == pytest.approx(lowest)
    assert max(display.prevalence) > lowest


def test_a_fold_without_a_class_is_left_out():
    X, y = data()
    model = LogisticRegression().fit(X, y)
    tests = [np.flatnonzero(y == 0), np.arange(50, 150)]
    cv_results = {"estimator": [model, model], "indices": {"test": tests}}
    with pytest.warns(UndefinedMetricWarning, match="No positive samples in fold 0"):
        display = AchievablePRDisplay.from_cv_results(cv_results, X, y)
    assert isinstance(display.line_, mpl.lines.Line2D)
    cv_results = {"estimator": [model], "indices": {"test": tests[:1]}}
    with (
        pytest.warns(UndefinedMetricWarning),
        pytest.raises(ValueError, match=r"with both classes\. Split it stratified"),
    ):
        AchievablePRDisplay.from_cv_results(cv_results, X, y)


def test_cv_results_that_do_not_fit():
    X, y = data()
    model = LogisticRegression().fit(X, y)
    with pytest.raises(ValueError, match="return_estimator=True and return_indices=True"):
        AchievablePRDisplay.from_cv_results({"estimator": [model]}, X, y)
    cv_results = {"estimator": [model], "indices": {"test": [np.array([400])]}}
    with pytest.raises(ValueError, match="has a test row 400, `y` has 400 rows"):
        AchievablePRDisplay.from_cv_results(cv_results, X, y)


# Refusals


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0, 0], "no positive samples: there is no precision-recall curve"),
        ([1, 1], "no negative samples: there is no floor and no AUCNPR"),
    ],
)
def test_a_missing_class_is_refused(y, message):
    with pytest.raises(ValueError, match=message):
        AchievablePRDisplay.from_predictions(y, [0.2, 0.1])
    assert plt.get_fignums() == []


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"recall": [0.5, 1.0]}, "`recall` must fall from point to point"),
        ({"recall": [1.0, 0.5, 0.0]}, "must be of one length"),
        ({"precision": [0.0, 0.5]}, "`precision` must be above 0 where `recall` is"),
        ({"precision": [2.0, 0.5]}, r"`precision` must lie within \[0, 1\]"),
        ({"precision": [np.nan, 0.5]}, r"`precision` must lie within \[0, 1\]"),
        ({"thresholds": [0.1, 0.2]}, "`thresholds` must be one fewer than points"),
        ({"prevalence": 1.0}, r"`prevalence` must be the fraction of positives"),
        ({"curve": "convex"}, "`curve` must be one of 'empirical', 'achievable'"),
    ],
)
def test_points_that_are_no_curve(parameters, message):
    points = {"precision": [0.4, 0.5], "recall": [1.0, 0.0]}
    display = AchievablePRDisplay(**{**points, **parameters})
    with pytest.raises(ValueError, match=message):
        display.plot()
    assert plt.get_fignums() == []


def test_lists_of_other_lengths():
    precision, recall = several_curves()
    for parameters in ({"auc_pr": [0.1]}, {"name": ["a"]}, {"prevalence": [0.1, 0.2, 0.3]}):
        (label,) = parameters
        with pytest.raises(ValueError, match=f"`{label}` must have one entry a curve, 2"):
            AchievablePRDisplay(precision, recall, **parameters).plot()
    with pytest.raises(ValueError, match="`curve_kwargs` must be a dict or a list of one"):
        AchievablePRDisplay(precision, recall).plot(curve_kwargs=[{}])


def test_marks_without_thresholds():
    precision, recall, thresholds = pr_curve_from_counts([1, 2], [0, 5])
    with pytest.raises(ValueError, match="`mark_thresholds` needs `thresholds`"):
        AchievablePRDisplay(precision, recall, thresholds=thresholds).plot(
            mark_thresholds=True
        )
    with pytest.raises(ValueError, match="`mark_thresholds` needs `thresholds`"):
        AchievablePRDisplay([0.4, 0.5], [1.0, 0.0]).plot(mark_thresholds=True)


@pytest.mark.parametrize("way", ["plot", "from_predictions", "from_estimator", "folds"])
def test_matplotlib_missing_names_the_extra(monkeypatch, way):
    real_import = builtins.__import__

    def without_matplotlib(name, *args, **kwargs):
        if name.startswith("matplotlib"):
            raise ImportError(f"No module named {name!r}")
        return real_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_matplotlib)
    draw = {
        "plot": AchievablePRDisplay([0.4, 0.5], [1.0, 0.0]).plot,
        "from_predictions": lambda: AchievablePRDisplay.from_predictions([1, 0], [1, 0]),
        "from_estimator": lambda: AchievablePRDisplay.from_estimator(None, None, None),
        "folds": lambda: AchievablePRDisplay.from_cv_results({}, None, None),
    }[way]
    with pytest.raises(ImportError, match=r'pip install "sklearn-achievable-pr\[plot\]"'):
        draw()


def test_the_package_does_not_import_matplotlib():
    code = (
        "import sys, sklearn_achievable_pr; sklearn_achievable_pr.AchievablePRDisplay;"
        "assert 'matplotlib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
