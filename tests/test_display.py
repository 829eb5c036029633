"""Displays draw the values of the metrics, and legends name them."""

import re
import sys
import warnings
from functools import cache, partial

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from cases import each
from matplotlib.cbook import is_math_text
from scipy import stats
from scipy.sparse import coo_array
from score_files import legend_of
from sklearn.datasets import load_iris, make_classification
from sklearn.ensemble import IsolationForest, StackingClassifier
from sklearn.exceptions import NotFittedError, UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import precision_score, recall_score
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.class_weight import compute_sample_weight
from tuning_sets import Dropping, Scorer

import sklearn_achievable_pr as apr
from sklearn_achievable_pr import AchievablePRDisplay, HullThresholdClassifierCV

of_samples = AchievablePRDisplay.from_predictions
of_estimator = AchievablePRDisplay.from_estimator
of_folds = AchievablePRDisplay.from_cv_results
# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")

KINDS = ("empirical", "achievable")
# Half the spacing of drawn points, which is invisible in a figure of 500 pixels.
INVISIBLE = 1e-3


def ranking(n_samples=300, prevalence=0.3, decimals=1, seed=0):
    rng = np.random.default_rng(seed)
    y = (rng.random(n_samples) < prevalence).astype(int)
    return y, np.round(rng.normal(size=n_samples) + 1.2 * y, decimals), rng


SITUATIONS = {
    "ties": ranking()[:2],
    "untied": ranking(decimals=12)[:2],
    "tie_before_tie": ([1, 1, 1, 0, 0, 0, 0, 0, 0, 0], [0.5] + 9 * [0.0]),
    "one_positive": ([0, 0, 1, 0, 0, 0], [6, 5, 4, 4, 4, 1]),
    "negatives_first_in_a_tie": ([0, 0, 0, 1, 0, 1], [3, 3, 2, 2, 2, 2]),
    "reversed": ([0] * 50 + [1] * 10, np.arange(60)[::-1]),
    "perfect": ([1] * 10 + [0] * 50, np.arange(60)[::-1]),
    "a_cliff": ([1] * 9 + [0] * 5000 + [1] * 300, [2.0] * 9 + [1.0] * 5300),
    # The plain formula (A - Amin) / (1 - Amin) has a relative error of 4e-11 here.
    "near_the_minimum": ([0] * 100_000 + [1] * 3000 + [0], np.arange(103_001)[::-1]),
}


def legend(display):
    return legend_of(display.ax_)


def assert_draws(line, y, score, curve, **options):
    """The line has points on the curve, and looks like the curve between its points."""
    x, drawn = line.get_data()
    assert np.all(np.diff(x) >= 0)
    recall = np.linspace(0, 1, 4003)[1:-1]
    drops = x[np.r_[True, np.diff(x) == 0]]
    recall = recall[np.min(np.abs(recall[:, None] - drops), 1) > 1e-6]
    expected = apr.precision_at_recall(y, score, recall=recall, curve=curve, **options)
    assert np.max(np.abs(np.interp(recall, x, drawn) - expected)) < INVISIBLE
    rising = np.r_[x[0] > 0, np.diff(x) > 1e-9]  # at a drop the highest point counts
    at_points = apr.precision_at_recall(y, score, recall=x[rising], curve=curve, **options)
    np.testing.assert_allclose(drawn[rising], at_points, rtol=1e-9, atol=1e-12)


# The line


@pytest.mark.parametrize("curve", KINDS)
@pytest.mark.parametrize("name", SITUATIONS)
def test_the_drawn_line_is_the_curve(name, curve):
    y, score = SITUATIONS[name]
    display = of_samples(y, score, curve=curve)
    assert_draws(display.line_, y, score, curve)
    expected = [
        area(y, score, curve=curve) for area in (apr.auc_pr_interpolated, apr.aucnpr)
    ]
    assert [display.auc_pr, display.aucnpr] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("curve", KINDS)
@pytest.mark.parametrize("prevalence", [None, 0.02])
def test_weights_and_a_prevalence_change_line_and_minimum(curve, prevalence):
    y, score, rng = ranking()
    weight = rng.gamma(1.0, size=len(y)) * (rng.random(len(y)) < 0.8)
    options = {"sample_weight": weight, "prevalence": prevalence}
    display = of_samples(y, score, curve=curve, **options)
    assert_draws(display.line_, y, score, curve, **options)
    pi = np.average(y, weights=weight) if prevalence is None else prevalence
    assert display.prevalence == pytest.approx(pi, rel=1e-12)
    recall, minimum = display.minimum_.get_data()
    np.testing.assert_allclose(minimum, apr.precision_min(recall, display.prevalence))
    assert (recall[0], recall[-1]) == (0.0, 1.0)
    assert max(np.diff(recall).max(), np.diff(minimum).max()) < 0.003
    np.testing.assert_allclose(display.chance_level_.get_ydata(), pi, rtol=1e-12)


@pytest.mark.parametrize("interpolate", [True, False])
@pytest.mark.parametrize("curve", KINDS)
def test_a_display_of_vertices_draws_the_curve(curve, interpolate):
    y, score = SITUATIONS["ties"]
    function = (
        apr.pr_curve_interpolated if curve == "empirical" else apr.achievable_pr_curve
    )
    precision, recall, thresholds = function(y, score, interpolate=interpolate)
    display = AchievablePRDisplay(precision, recall, thresholds=thresholds, curve=curve)
    assert_draws(display.plot().line_, y, score, curve)


# Attributes, legend, styles


@pytest.mark.parametrize("curve", KINDS)
def test_a_display_has_one_threshold_per_score_or_vertex_and_one_point_more(curve):
    y, score = SITUATIONS["ties"]
    display = of_samples(y, score, curve=curve)
    thresholds = np.unique(score)
    if curve == "achievable":
        thresholds = apr.achievable_pr_curve(y, score, interpolate=False)[2]
        assert len(thresholds) < len(np.unique(score))
    np.testing.assert_array_equal(display.thresholds, thresholds)
    assert len(display.precision) == len(display.recall) == len(thresholds) + 1
    assert display.recall[-1] == 0


def test_attributes_of_a_single_curve():
    y, score = SITUATIONS["ties"]
    display = of_samples(y, score)
    assert isinstance(display.line_, mpl.lines.Line2D)
    assert display.figure_ is display.ax_.figure
    assert (display.pos_label, display.name) == (1, "Classifier")
    assert display.threshold_marks_ is display.predicted_point_ is display.iso_f1_ is None
    assert display.ax_.get_xlabel() == "Recall (Positive label: 1)"
    assert len(display.thresholds) == len(display.precision) - 1 == len(display.recall) - 1
    assert plt.get_fignums() == [display.figure_.number]


def test_the_legend_names_the_area():
    y, score = SITUATIONS["ties"]
    pi = np.mean(y)
    area, best = (apr.auc_pr_interpolated(y, score, curve=curve) for curve in KINDS)
    normalized, best_normalized = (apr.aucnpr(y, score, curve=curve) for curve in KINDS)
    display = of_samples(y, score, curve="both", name="mine")
    levels = [
        f"Minimum curve (AUC-PR = {apr.auc_pr_min(pi):.2f})",
        f"Chance level (prevalence {pi:.3g})",
    ]
    assert legend(display) == [
        f"mine (AUC-PR = {area:.2f})",
        f"mine (achievable AUC-PR = {best:.2f})",
        *levels,
    ]
    assert display.curve == list(KINDS)
    assert legend(display.plot(show_aucnpr=True)) == [
        f"mine (AUC-PR = {area:.2f}, AUCNPR = {normalized:.2f})",
        f"mine\nachievable AUC-PR = {best:.2f}, AUCNPR = {best_normalized:.2f}",
        *levels,
    ]


def test_several_models_share_minimum_curve_and_chance_level():
    y, score = SITUATIONS["ties"]
    first = of_samples(y, score, name="a", plot_iso_f1=True)
    others = [
        of_samples(y, score**power, name=str(power), ax=first.ax_, plot_iso_f1=True)
        for power in (2, 3, 5)
    ]
    lines = [display.line_ for display in (first, *others)]
    assert len({line.get_color() for line in lines}) == 4
    for shared in ("minimum_", "chance_level_", "unachievable_", "iso_f1_"):
        assert all(getattr(d, shared) == getattr(first, shared) for d in others)
    assert [text.split(" (")[0] for text in legend(first)[:4]] == ["a", "2", "3", "5"]
    assert len(legend(first)) == 6


@pytest.mark.parametrize("prevalences", [(1e-5, 0.4), (0.4, 0.05)])
def test_no_curve_on_the_axes_can_enter_the_hatched_region(prevalences):
    y, score = SITUATIONS["ties"]
    ax = None
    for prevalence in prevalences:
        display = of_samples(y, score, prevalence=prevalence, ax=ax)
        ax = display.ax_
    (region,) = ax.collections
    assert region is display.unachievable_
    assert region.get_paths()[0].vertices[:, 1].max() == pytest.approx(min(prevalences))


def test_options_switch_off_parts_of_the_plot():
    draw = partial(of_samples, *SITUATIONS["ties"])
    display = draw(plot_minimum=False, plot_chance_level=False)
    assert display.minimum_ is display.chance_level_ is display.unachievable_ is None
    assert len(display.ax_.lines) == 1
    display.plot()
    assert display.unachievable_.get_hatch() == "///"
    spines = display.plot(despine=True).ax_.spines
    assert [side for side in spines if spines[side].get_visible()] == ["left", "bottom"]
    assert spines["left"].get_bounds() == (0, 1)


def test_keywords_by_short_and_long_names():
    display = of_samples(*SITUATIONS["ties"])
    display.plot(
        curve_kwargs={"c": "red", "ls": ":", "label": "own"},
        minimum_kwargs={"lw": 5},
        chance_level_kwargs={"color": "green", "label": "guess"},
    )
    assert (display.line_.get_color(), display.line_.get_linestyle()) == ("red", ":")
    assert display.minimum_.get_linewidth() == 5
    assert [legend(display)[i] for i in (0, -1)] == ["own", "guess"]
    with pytest.raises(TypeError, match=r"'c' and 'color'|'color' and 'c'"):
        display.plot(curve_kwargs={"c": "red", "color": "blue"})


@pytest.mark.parametrize("through", ["plot", "from_predictions"])
@pytest.mark.parametrize("option", ["color", "label", "lw"])
def test_keywords_of_lines_are_told_to_be_curve_kwargs(option, through):
    draw = partial(of_samples, *SITUATIONS["ties"])
    if through == "plot":
        draw = draw().plot
    with pytest.raises(TypeError, match=f"^`{option}` is not an option .* `curve_kwargs`"):
        draw(**{option: "red"})


@pytest.mark.parametrize("n_curves", [1, 10])
def test_axes_keep_most_of_the_width_beside_long_names(n_curves):
    y, score = SITUATIONS["ties"]
    precision, recall, _ = apr.pr_curve_interpolated(y, score)
    values = {"auc_pr": 0.5, "aucnpr": 0.4, "interval": (0.4, 0.6), "prevalence": 0.3}
    names = [f"a classifier with {i} {20 * 'long '}names" for i in range(n_curves)]
    curves = n_curves * [precision], n_curves * [recall]
    display = AchievablePRDisplay(*curves, **values, name=names)
    display.plot(plot_iso_f1=True).figure_.canvas.draw()
    legend = display.ax_.get_legend().get_window_extent()
    axes, figure = display.ax_.get_window_extent(), display.figure_.bbox
    assert figure.x0 <= legend.x0 < legend.x1 <= figure.x1
    assert figure.y0 <= legend.y0 < legend.y1 <= figure.y1
    assert not legend.overlaps(axes)
    assert axes.width / figure.width > 0.6


def test_passed_axes_are_used_with_the_legend_inside():
    _, ax = plt.subplots()
    place = ax.get_position(original=True).bounds
    for name in ("perfect", "ties"):
        display = of_samples(*SITUATIONS[name], ax=ax)
    assert (display.ax_, len(plt.get_fignums())) == (ax, 1)
    ax.figure.canvas.draw()
    legend, axes = ax.get_legend().get_window_extent(), ax.get_window_extent()
    assert axes.x0 < legend.x0 < legend.x1 < axes.x1
    assert axes.y0 < legend.y0 < legend.y1 < axes.y1
    assert ax.get_position(original=True).bounds == place


@pytest.mark.parametrize("n_curves", [2, 10])
def test_a_legend_inside_passed_axes_takes_a_small_part_of_them(n_curves):
    """In earlier versions that of ten classes covered most curves."""
    y = np.arange(400) % n_curves
    score = np.random.default_rng(0).normal(size=(400, n_curves)) + 2 * np.eye(n_curves)[y]
    if n_curves == 2:
        y, score = y == 1, score[:, 1]
    _, ax = plt.subplots(figsize=(4.5, 4.2))
    options = {"band": "pointwise", "interval": True} if n_curves == 2 else {}
    of_samples(y, score, ax=ax, **options)
    ax.figure.canvas.draw()
    box, axes = ax.get_legend().get_window_extent(), ax.get_window_extent()
    assert box.width * box.height < 0.4 * axes.width * axes.height


def test_the_legend_can_be_placed_and_left_out():
    draw = partial(of_samples, *SITUATIONS["ties"])
    assert draw(legend=False).ax_.get_legend() is None
    display = draw(legend={"loc": "lower left", "bbox_to_anchor": (1, 0), "title": "T"})
    placed = display.ax_.get_legend()
    display.figure_.canvas.draw()
    assert placed.get_title().get_text() == "T"
    assert placed.get_window_extent().x0 >= display.ax_.get_window_extent().x1


def test_a_legend_below_the_axes_stays_there():
    first = of_samples(*SITUATIONS["ties"], name="a")
    of_samples(*SITUATIONS["ties"], name="b", ax=first.ax_)
    first.figure_.canvas.draw()
    assert first.ax_.get_legend().get_window_extent().y1 < first.ax_.bbox.y0


def test_a_band_has_one_legend_entry_for_all_displays():
    y, score = SITUATIONS["ties"]
    first = of_samples(y, score, band="pointwise")
    of_samples(y, -score, band="pointwise", ax=first.ax_)
    assert legend(first).count("95 % pointwise band") == 1


def test_thresholds_are_marked_on_the_curve():
    y, score = SITUATIONS["ties"]
    display = of_samples(y, score).plot(mark_thresholds=True)
    precision, recall, thresholds = apr.pr_curve_interpolated(y, score, interpolate=False)
    marked = display.threshold_marks_.get_xydata()
    np.testing.assert_allclose(marked, np.column_stack((recall, precision))[:-1])
    own = display.thresholds[~np.isnan(display.thresholds)]
    np.testing.assert_array_equal(own, thresholds)
    assert legend(display)[1] == "Thresholds"
    for given in (apr.pr_curve_from_counts([1, 2], [0, 5])[2], None):
        display = AchievablePRDisplay([0.4, 0.5, 0.5], [1.0, 0.5, 0.0], thresholds=given)
        with pytest.raises(ValueError, match="`mark_thresholds` needs `thresholds`"):
            display.plot(mark_thresholds=True)


def test_the_repr_of_a_display_lists_no_points():
    display = AchievablePRDisplay([0.4, 0.5, 0.5], [1.0, 0.5, 0.0])
    assert repr(display) == object.__repr__(display)


def test_thresholds_are_marked_only_if_every_curve_has_them():
    display = AchievablePRDisplay(
        [[0.4, 1.0, 1.0], [0.5, 0.5, 1.0]],
        [[1.0, 0.5, 0.0], [1.0, 0.5, 0.0]],
        thresholds=[[0.1, 0.2], None],
    )
    with pytest.raises(ValueError, match="`mark_thresholds` needs `thresholds`"):
        display.plot(mark_thresholds=True)


# Legends of the user


def test_a_legend_of_the_user_names_the_curves_alone():
    X, y = data()
    ax = plt.subplots()[1]
    model = HullThresholdClassifierCV(GaussianNB()).fit(X, y)
    options = {"ax": ax, "legend": False, "band": "pointwise", "plot_iso_f1": True}
    displays = [of_estimator(model, X, y, name=name, **options) for name in ("a", "b")]
    assert all(display.predicted_point_ for display in displays)
    handles, labels = ax.get_legend_handles_labels()
    assert handles == [display.line_ for display in displays]
    assert [text.split(" (")[0] for text in labels] == ["a", "b"]


def test_labels_of_the_user_are_those_of_the_curves_of_two_displays():
    X, y = data()
    ax = plt.subplots()[1]
    model = HullThresholdClassifierCV(GaussianNB()).fit(X, y)
    options = {"ax": ax, "band": "pointwise", "plot_iso_f1": True}
    lines = [of_estimator(model, X, y, **options).line_ for _ in range(2)]
    of_user = ax.legend(["A", "B"])
    colors = [handle.get_color() for handle in of_user.legend_handles]
    assert colors == [line.get_color() for line in lines]
    assert legend_of(ax) == ["A", "B"]


def test_labels_of_the_user_are_those_of_the_summaries_of_folds():
    ax = plt.subplots()[1]
    summaries = [of_folds(*folds(shift=s), ax=ax).line_[-1] for s in (0, 1)]
    widths = [handle.get_linewidth() for handle in ax.legend(["A", "B"]).legend_handles]
    assert widths == [line.get_linewidth() for line in summaries]
    assert ax.get_legend_handles_labels()[0] == summaries


def test_unnamed_curves_take_labels_of_the_user():
    points = [0.4, 0.5], [1.0, 0.5]
    ax = plt.subplots()[1]
    lines = [AchievablePRDisplay(*points, prevalence=0.4).plot(ax).line_ for _ in "AB"]
    handles = ax.legend(["A", "B"]).legend_handles
    assert [h.get_color() for h in handles] == [line.get_color() for line in lines]
    assert lines[0].get_color() != lines[1].get_color()


def test_a_legend_with_artists_of_the_user_has_their_labels():
    display = of_samples(*SITUATIONS["ties"])
    line = display.ax_.axhline(0.5, label="target")
    assert legend(display.plot(display.ax_, legend={"handles": [line]})) == ["target"]


def test_a_line_of_the_user_at_the_prevalence_keeps_its_label():
    ax = plt.subplots()[1]
    line = ax.axhline(0.4, label="base rate")
    display = AchievablePRDisplay([0.4, 0.5], [1.0, 0.5], prevalence=0.4).plot(ax)
    assert line.get_label() == "base rate"
    assert display.chance_level_ is not line
    assert {"base rate", "Chance level (prevalence 0.4)"} <= set(legend(display))


def test_a_helper_that_is_removed_leaves_the_legend():
    display = of_samples(*SITUATIONS["ties"], name="a")
    display.chance_level_.remove()
    display.plot(display.ax_, name="b", plot_chance_level=False)
    assert [text.split(" (")[0] for text in legend(display)] == ["a", "b", "Minimum curve"]


@pytest.mark.parametrize(
    ("prevalence", "text"),
    [
        (433 / 56597, "prevalence 0.00765"),
        (0.5, "prevalence 0.5"),
        ([0.3, 0.057], "prevalence 0.057 to 0.3"),
    ],
)
def test_the_chance_level_says_its_prevalence(prevalence, text):
    points = [0.4, 0.5], [1.0, 0.5]
    if isinstance(prevalence, list):
        points = [2 * [each] for each in points]
    display = AchievablePRDisplay(*points, prevalence=prevalence).plot()
    assert legend(display)[-1] == f"Chance level ({text})"


# Several curves in one display


@pytest.mark.parametrize(
    "draw", [of_samples, of_estimator, of_folds], ids=lambda f: f.__name__
)
def test_the_legend_names_the_reference_prevalence(draw):
    X, y = data()
    model = GaussianNB().fit(X, y)
    given = {
        of_samples: (y, model.predict_proba(X)[:, 1]),
        of_estimator: (model, X, y),
        of_folds: (
            cross_validate(model, X, y, cv=3, return_estimator=True, return_indices=True),
            X,
            y,
        ),
    }
    display = draw(*given[draw], prevalence=0.0125, name="m")
    assert re.search(r"AUC-PR = 0\.\d\d, at prevalence 0\.0125", legend(display)[0])
    assert "at prevalence 0.0125" in legend(display.plot(name="n"))[0]
    assert "at prevalence" not in "".join(legend(draw(*given[draw], name="m")))


FORMULA = r"$\frac$"  # no valid one: matplotlib would raise


def drawn_texts(display):
    """The texts with the formula, after they were drawn."""
    display.figure_.draw_without_rendering()
    texts = display.figure_.findobj(mpl.text.Text)
    return [text for text in texts if "frac" in text.get_text()]


def test_dollars_in_names_and_labels_are_text():
    y, score = SITUATIONS["ties"]
    y = np.where(y, FORMULA, "other")
    texts = drawn_texts(of_samples(y, score, pos_label=FORMULA, name=f"{FORMULA} model"))
    assert len(texts) == 3  # of both axes and of the legend
    for text in texts:
        assert not is_math_text(text.get_text())
        assert FORMULA in text.get_text().replace(r"\$", "$")


def test_dollars_in_class_labels_are_text():
    texts = drawn_texts(
        of_samples(np.where(CLASSES == "ant", FORMULA, CLASSES), CLASS_SCORES)
    )
    assert [text.get_text().split(" (")[0] for text in texts] == [r"\$\frac\$"]


def test_curves_share_a_legend_entry_unless_named():
    y, score = SITUATIONS["ties"]
    curves = [apr.pr_curve_interpolated(y, s)[:2] for s in (score, score**2)]
    precision, recall = map(list, zip(*curves, strict=True))
    display = AchievablePRDisplay(precision, recall, auc_pr=[0.25, 0.75], name="x")
    assert legend(display.plot()) == ["x (AUC-PR = 0.50 +/- 0.25)"]
    assert len({line.get_color() for line in display.line_}) == 1
    assert legend(display.plot(name=["a", "b"])) == [
        "a (AUC-PR = 0.25)",
        "b (AUC-PR = 0.75)",
    ]
    assert len({line.get_color() for line in display.line_}) == 2
    assert len({line.get_linestyle() for line in display.line_}) == 2
    assert legend(display.plot(name=["_a", "b"]))[0].startswith(" _a (")
    assert len(legend(display.plot(curve_kwargs=[{"lw": 3}, {}]))) == 2
    assert display.line_[0].get_linewidth() == 3
    with pytest.raises(ValueError, match=r"one dict per curve, 2\. Got 1"):
        display.plot(curve_kwargs=[{}])


@pytest.mark.parametrize(
    ("given", "entry"),
    [
        ({"name": "x", "auc_pr": 0.25}, ["x (AUC-PR = 0.25)"]),
        ({"auc_pr": 0.25}, ["AUC-PR = 0.25"]),
        ({"name": "x"}, ["x"]),
    ],
)
def test_a_legend_entry_has_the_name_and_the_area_that_are_given(given, entry):
    display = AchievablePRDisplay([0.4, 0.5], [1.0, 0.0], **given)
    assert legend(display.plot()) == entry


# Estimators


def data(labels=(0, 1)):
    X, y = make_classification(400, weights=[0.7], flip_y=0.2, random_state=0)
    return X, np.array(labels)[y]


@pytest.mark.parametrize("labels", [(0, 1), ("ham", "spam")])
@pytest.mark.parametrize("position", [0, 1])
def test_either_class_can_be_positive(labels, position):
    X, y = data(labels)
    model = RidgeClassifier().fit(X, y)
    label = labels[position]
    display = of_estimator(model, X, y, pos_label=label)
    score = model.decision_function(X) * (1 if position else -1)
    assert_draws(display.line_, y, score, "empirical", pos_label=label)
    assert display.pos_label == label
    assert (display.name, display.prevalence) == ("RidgeClassifier", np.mean(y == label))
    assert f"Positive label: {label}" in display.ax_.get_xlabel()


def test_the_positive_label_of_0_and_1_is_1():
    X, y = data()
    assert of_estimator(RidgeClassifier().fit(X, y), X, y).pos_label == 1


def test_the_positive_label_of_classes_in_another_order_is_1():
    X, y = data()
    display = of_estimator(Scorer(classes=(1, 0)).fit(X, y), X, y)
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
    display = of_estimator(model, X, y, pos_label=pos_label)
    score = sign * model.decision_function(X)
    assert_draws(display.line_, y, score, "empirical", pos_label=sign)


def test_labels_of_an_outlier_detector_other_than_its_own_raise():
    X, y = data()
    with pytest.raises(ValueError, match=r"pass `np\.where\(y == 1, -1, 1\)`"):
        of_estimator(IsolationForest(n_estimators=5).fit(X), X, y)


def test_data_other_than_those_that_were_cross_validated_raise():
    cv_results, X, y = folds(3)
    X, y = np.r_[X, X], np.r_[y, y]
    with pytest.raises(ValueError, match="the result of cross_validate for this `X` and"):
        of_folds(cv_results, X, y)


def test_scores_of_an_estimator_are_probabilities_and_of_folds_decision_values():
    cv_results, X, y = folds(2)
    model = cv_results["estimator"][0]
    for method, display in {
        "predict_proba": of_estimator(model, X, y),
        "decision_function": of_folds(cv_results, X, y),
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
            draw(first, X, y, response_method=method).thresholds
            for method in (order, order[0])
        )
        np.testing.assert_equal(found, expected)


def test_a_positive_label_that_is_passed_is_that_of_the_curve_of_tuned_thresholds():
    X, y = data()
    model = HullThresholdClassifierCV(LogisticRegression(), cv=0.5).fit(X, y)
    assert of_estimator(model, X, y, pos_label=0).prevalence == np.mean(y == 0)


def test_an_estimator_whose_methods_come_with_fit_is_named_as_not_fitted():
    model = StackingClassifier([("logistic", LogisticRegression())])
    with pytest.raises(NotFittedError, match="StackingClassifier instance is not fitted"):
        of_estimator(model, *data())


def test_the_curve_of_tuned_thresholds_tells_all_of_them_apart():
    X, y = data()
    model = HullThresholdClassifierCV(LogisticRegression(), min_recall=0.9).fit(X, y)
    found = of_estimator(model, X, y).auc_pr
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


NAMES = ["ant", "bee", "cat"]
CLASSES = np.repeat(NAMES, [30, 60, 110])
IS_CLASS = CLASSES[:, None] == NAMES
CLASS_SCORES = np.round(np.random.default_rng(0).normal(size=(200, 3)) + IS_CLASS, 1)


@pytest.mark.parametrize("target", [CLASSES, pd.DataFrame(IS_CLASS, columns=NAMES)])
@pytest.mark.parametrize("prevalence", [None, 0.2])
@pytest.mark.parametrize("curve", KINDS)
def test_one_curve_per_class(target, prevalence, curve):
    options = {"prevalence": prevalence, "curve": curve}
    options["sample_weight"] = np.random.default_rng(1).random(200)
    display = of_samples(target, CLASS_SCORES, **options)
    areas = apr.auc_pr_interpolated(target, CLASS_SCORES, average=None, **options)
    assert display.auc_pr == pytest.approx(areas, rel=1e-13)
    for i, line in enumerate(display.line_):
        assert_draws(line, IS_CLASS[:, i], CLASS_SCORES[:, i], **options)
    assert display.name == NAMES
    assert display.prevalence == 3 * [prevalence]
    assert display.ax_.get_xlabel() == "Recall"
    assert len({line.get_color() for line in display.line_}) == 3
    # Classes of different prevalence have different minimum curves: none is drawn.
    assert (display.minimum_ is None) is (prevalence is None)


def test_classes_of_one_prevalence_share_the_minimum_curve():
    y = np.arange(60) % 3
    score = np.random.default_rng(0).random((60, 3))
    names = np.array(NAMES)
    display = of_samples(y, score, name=names, curve="both", band=None, interval=True)
    assert display.prevalence == 6 * [1 / 3]
    assert display.name == [name for name in NAMES for _ in KINDS]
    assert display.curve == 3 * list(KINDS)
    assert display.minimum_.get_ydata()[-1] == pytest.approx(1 / 3)
    looks = {(line.get_color(), line.get_linestyle()) for line in display.line_}
    assert len(looks) == 6
    assert len({color for color, _ in looks}) == 3
    assert legend(display)[0].startswith("ant\nAUC-PR = ")
    bands = of_samples(y, score, band="pointwise").band
    alone = of_samples(y == 2, score[:, 2], band="pointwise").band
    np.testing.assert_array_equal(bands[2], alone)


def test_many_classes_differ_in_color_or_line_style():
    y = np.arange(200) % 20
    score = np.random.default_rng(0).random((200, 20))
    display = of_samples(y, score)
    styles = [(line.get_color(), line.get_linestyle()) for line in display.line_]
    assert len(set(styles)) == 20
    assert len({color for color, _ in styles[:10]}) == 10
    assert display.name[:2] == ["Class 0", "Class 1"]


def test_a_class_label_with_a_leading_underscore_is_in_the_legend():
    """matplotlib hides such labels; earlier versions lost the entry."""
    y = np.where(CLASSES == "ant", "_ant", CLASSES)
    display = of_samples(y, CLASS_SCORES)
    assert [text.split(" (")[0] for text in legend(display)] == [" _ant", "bee", "cat"]


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
    display = of_estimator(model, CLASS_SCORES, y)
    assert display.auc_pr == pytest.approx(apr.auc_pr_interpolated(y, score, average=None))


# Several models

MODELS = {"a": CLASS_SCORES[:, 0], "b": CLASS_SCORES[:, 1], "$c$": -CLASS_SCORES[:, 2]}


@pytest.mark.parametrize("curve", KINDS)
def test_one_curve_per_model(curve):
    y, weight = IS_CLASS[:, 0], np.random.default_rng(1).random(200)
    options = {"curve": curve, "sample_weight": weight}
    display = of_samples(y, MODELS, **options)
    assert display.name == [*MODELS]
    for line, area, score in zip(
        display.line_, display.auc_pr, MODELS.values(), strict=True
    ):
        assert_draws(line, y, score, **options)
        expected = apr.auc_pr_interpolated(y, score, **options)
        assert area == pytest.approx(expected, rel=1e-13)
    assert display.prevalence == pytest.approx(3 * [np.average(y, weights=weight)])
    assert len({line.get_color() for line in display.line_}) == 3


def test_models_share_minimum_curve_and_positive_label():
    y = np.where(IS_CLASS[:, 0], "sick", "well")
    display = of_samples(y, MODELS, pos_label="sick")
    names = [text.split(" (")[0] for text in legend(display)]
    assert names == ["a", "b", r"\$c\$", "Minimum curve", "Chance level"]
    assert display.ax_.get_xlabel() == "Recall (Positive label: sick)"


def test_one_warning_for_the_intervals_of_all_models():
    y = np.arange(200) % 70 == 0
    with pytest.warns(apr.CoverageWarning, match="Curve 'a': Only 3 .* 2 more") as caught:
        display = of_samples(y, MODELS, interval=True)
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = [
            apr.auc_pr_interval(y, score).confidence_interval for score in MODELS.values()
        ]
    assert display.interval == expected


def test_one_warning_for_all_models_whose_scores_look_like_labels():
    y = IS_CLASS[:, 0]
    with pytest.warns(UserWarning, match=r"`y_score\['a'\]` has only 0 and 1") as caught:
        of_samples(y, {"a": y, "b": ~y})
    assert len(caught) == 1


@pytest.mark.parametrize(
    ("y_score", "option", "error", "message"),
    [
        ({}, {}, TypeError, r"`y_score` must be an array, or a mapping.*Got the names"),
        ({1: MODELS["a"]}, {}, TypeError, r"names of models, which are strings"),
        (MODELS, {"name": "x"}, ValueError, r"`name` must be left out: the keys.*'x'"),
        ({"a": [1.0]}, {}, ValueError, r"`y_true` and `y_score\['a'\]` must have"),
    ],
)
def test_invalid_mappings_of_models(y_score, option, error, message):
    with pytest.raises(error, match=message):
        of_samples(IS_CLASS[:, 0], y_score, **option)


# The drawn data as a table


@pytest.mark.parametrize("curve", KINDS)
@pytest.mark.parametrize("name", SITUATIONS)
def test_the_table_has_the_points_of_the_line(name, curve):
    display = of_samples(*SITUATIONS[name], curve=curve)
    frame = display.to_frame()
    assert list(frame) == ["name", "threshold", "precision", "recall", "low", "high"]
    points = frame[["recall", "precision"]].to_numpy()[::-1]
    np.testing.assert_array_equal(points, display.line_.get_xydata())
    assert frame[["low", "high"]].isna().all(axis=None)
    assert set(frame["name"]) == {"Classifier"}


@pytest.mark.parametrize("curve", KINDS)
@pytest.mark.parametrize("name", SITUATIONS)
def test_thresholds_of_the_table_have_their_precision_and_recall(name, curve):
    y, score = map(np.asarray, SITUATIONS[name])
    display = of_samples(y, score, curve=curve)
    frame = display.to_frame().dropna(subset="threshold")
    # The line has one point of recall 0, however many thresholds have this recall.
    known = np.isfinite(display.thresholds) & (display.recall[:-1] > 0)
    np.testing.assert_array_equal(frame["threshold"], display.thresholds[known])
    some = frame.iloc[:: max(len(frame) // 20, 1)]
    for threshold, precision, recall in some.iloc[:, 1:4].to_numpy():
        positive = score >= threshold
        assert precision == pytest.approx(np.mean(y[positive]), rel=1e-9, abs=1e-11)
        assert recall == pytest.approx(y[positive].sum() / y.sum(), rel=1e-12)


def test_the_table_has_the_limits_of_the_band():
    display = of_samples(*ranking()[:2], band="pointwise")
    frame = display.to_frame()
    recall, *limits = display.band
    inside = frame["recall"].between(recall[0], recall[-1])
    for column, limit in zip(("low", "high"), limits, strict=True):
        expected = np.interp(frame["recall"][inside], recall, limit)
        np.testing.assert_array_equal(frame[column][inside], expected)
        assert frame[column][~inside].isna().all()


def test_names_in_the_table_tell_curves_apart():
    models = of_samples(IS_CLASS[:, 0], MODELS, curve="both").to_frame()
    kinds = [f"{name}, {kind}" for name in MODELS for kind in KINDS]
    assert [*models["name"].unique()] == kinds
    of_cv = of_folds(*folds(3), name="tree").to_frame()
    numbered = ["tree, 1 of 3", "tree, 2 of 3", "tree, 3 of 3", "tree, mean"]
    assert [*of_cv["name"].unique()] == numbered
    summary = of_cv[of_cv["name"] == "tree, mean"]
    assert summary["threshold"].isna().all()


# Folds


def test_one_curve_per_fold():
    X, y = data()
    weight = np.random.default_rng(0).random(len(y)) + 0.1
    cv_results, *_ = folds(3)
    inputs = cv_results, coo_array(X), pd.Series(y)
    display = of_folds(*inputs, sample_weight=weight, name="folds", summary=False)
    values = []
    for line, estimator, test in zip(
        display.line_, cv_results["estimator"], cv_results["indices"]["test"], strict=True
    ):
        score = estimator.predict_proba(X[test])[:, 1]
        options = {"sample_weight": weight[test]}
        assert_draws(line, y[test], score, "empirical", **options)
        values.append(apr.aucnpr(y[test], score, **options))
    assert display.aucnpr == pytest.approx(values)
    mean, std = np.mean(display.auc_pr), np.std(display.auc_pr)
    assert legend(display)[0] == f"folds (AUC-PR = {mean:.2f} +/- {std:.2f})"
    assert len(display.minimum_) == len(display.chance_level_) == len(legend(display)) == 3


@pytest.mark.parametrize("summary", [False, True])
def test_a_fold_without_a_class_is_omitted(summary):
    X, y = data()
    model = LogisticRegression().fit(X, y)
    tests = [np.flatnonzero(y == 0)[:5], np.arange(50, 150)]
    cv_results = {"estimator": [model, model], "indices": {"test": tests}}
    draw = partial(of_folds, X=X, y=y, summary=summary)
    with pytest.warns(UndefinedMetricWarning, match="1 of 2: no positive .* fold 0"):
        display = draw(cv_results)
    if summary:
        assert len(display.line_) == 2
        assert legend(display)[0].startswith("1 fold (")
        # The omitted fold still counts for the prevalence of all samples.
        assert display.prevalence[0] == pytest.approx(
            np.mean(y[np.concatenate(tests)]), rel=1e-15
        )
    else:
        assert isinstance(display.line_, mpl.lines.Line2D)
    cv_results = {"estimator": [model], "indices": {"test": tests[:1]}}
    with pytest.warns(UndefinedMetricWarning), pytest.raises(ValueError, match="by Strat"):
        draw(cv_results)


# Bands and intervals


def test_the_interval_in_the_legend():
    y, score, rng = ranking(60)
    options = {"sample_weight": rng.random(len(y)) + 0.1, "prevalence": 0.05}
    display = of_samples(y, score, curve="both", interval=True, name="m", **options)
    interval = partial(apr.auc_pr_interval, y, score, random_state=0, **options)
    expected = [
        interval(metric="auc_pr_interpolated", method="beta"),
        interval(metric="achievable_auc_pr", method="percentile"),
    ]
    for own, found in zip(display.interval, expected, strict=True):
        assert own == pytest.approx(found.confidence_interval, rel=1e-12)
    assert display.auc_pr == pytest.approx([found.estimate for found in expected])
    low, high = display.interval[0]
    area = f"{display.auc_pr[0]:.2f}"
    text = f"AUC-PR = {area}, 95 % CI {low:.2f} to {high:.2f}, at prevalence 0.05"
    assert legend(display)[0] == f"m\n{text}"
    assert of_samples(y, score).interval is None
    # All resamples of a perfect ranking are perfect, which the population need not be.
    display = of_samples(*SITUATIONS["perfect"], curve="both", interval=True)
    for low, high in display.interval:
        assert low < 0.9 < high == 1
    text = "Classifier\nachievable AUC-PR = 1.00, 95 % CI 0.61 to 1.00"
    assert legend(display)[1] == text


@pytest.mark.parametrize("weighted", [False, True])
def test_a_pointwise_band_has_the_limits_at_each_recall(weighted):
    y, score, rng = ranking(150)
    options = {"sample_weight": rng.random(len(y)) + 0.1 if weighted else None}
    display = of_samples(y, score, band="pointwise", **options)
    assert (display.band[0, 0], display.band[0, -1]) == (0.05, 0.95)
    for recall, *limits in display.band.T[::30]:
        found = apr.operating_point_interval(y, score, recall=recall, **options)
        assert limits == pytest.approx(found.confidence_interval, rel=1e-9)


def test_bands_of_a_curve():
    y, score, _ = ranking(150)
    draw = partial(of_samples, y, score, name="m")
    pointwise, display = draw(band="pointwise"), draw(band="simultaneous")
    recall, low, high = display.band
    at = apr.precision_at_recall(y, score, recall=recall)
    assert np.all((low < pointwise.band[1]) & (pointwise.band[1] <= at))
    assert np.all((at <= pointwise.band[2]) & (pointwise.band[2] <= high))
    fill, line = display.band_, display.line_
    assert fill.get_zorder() < line.get_zorder()
    assert fill.get_facecolor()[0, :3] == pytest.approx(mpl.colors.to_rgb(line.get_color()))
    assert legend(display)[1] == "95 % simultaneous band"


# The summary of folds


@cache
def folds(n_folds=5, model=None, labels=(0, 1), shift=0.0):
    """Results of a cross-validation, and labels and scores of each fold."""
    X, y = data(labels)
    model = LogisticRegression(C=0.1) if model is None else model
    cv_results = cross_validate(
        model, X + shift, y, cv=n_folds, return_estimator=True, return_indices=True
    )
    return cv_results, X + shift, y


@pytest.mark.parametrize("curve", KINDS)
@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_the_drawn_summary_is_summary_pr_curve(curve, prevalence):
    cv_results, X, y = folds()
    weight = np.random.default_rng(0).random(len(y)) + 0.1
    display = of_folds(
        cv_results, X, y, sample_weight=weight, curve=curve, prevalence=prevalence, name="m"
    )
    labels, scores, weights = apr.fold_predictions(cv_results, X, y, sample_weight=weight)
    options = {"sample_weight": weights, "prevalence": prevalence}
    names = ("auc_pr_interpolated", "aucnpr")
    if curve == "achievable":
        names = ("achievable_auc_pr", "achievable_aucnpr")
    area, normalized = (
        apr.summary_auc_pr(labels, scores, metric=name, **options) for name in names
    )
    own = display.auc_pr[-1], display.aucnpr[-1]
    assert own == pytest.approx((area, normalized), rel=1e-13)
    assert np.mean(display.auc_pr[:-1]) == pytest.approx(area, rel=1e-13)
    pi = prevalence or np.average(y, weights=weight)
    assert display.prevalence == pytest.approx(6 * [pi])
    assert display.summary == 5 * [False] + [True]

    x, drawn = display.line_[-1].get_data()
    single = np.r_[False, np.minimum(np.diff(x)[1:], np.diff(x)[:-1]) > 1e-6, False]
    options = {"recall": x[single], "curve": curve, "prevalence": pi}
    each = [
        apr.precision_at_recall(*fold, sample_weight=own, **options)
        for *fold, own in zip(labels, scores, weights, strict=True)
    ]
    np.testing.assert_allclose(drawn[single], np.mean(each, axis=0), rtol=1e-9)
    assert np.all(drawn >= apr.precision_min(x, pi) - 1e-12)
    entry = f"m, mean of 5 folds (AUC-PR = {area:.2f})"
    if curve == "achievable":
        entry = f"m, mean of 5 folds\nachievable AUC-PR = {area:.2f}"
    if prevalence is not None:
        entry = entry.replace(" (", "\n").rstrip(")") + ", at prevalence 0.05"
    assert legend(display) == [
        entry,
        "Single folds",
        f"Minimum curve (AUC-PR = {apr.auc_pr_min(pi):.2f})",
        f"Chance level (prevalence {pi:.3g})",
    ]


def test_the_summary_is_in_front_of_thin_folds_of_its_color():
    first = of_folds(*folds(), name="a")
    second = of_folds(*folds(shift=1.0), name="b", curve="both", ax=first.ax_)
    summaries = [first.line_[-1], *second.line_[-2:]]
    thin = [*first.line_[:-1], *second.line_[:-2]]
    assert len(thin) == 15
    assert max(line.get_zorder() for line in thin) < min(s.get_zorder() for s in summaries)
    for display, summary in ((first, summaries[0]), (second, summaries[1])):
        assert {line.get_color() for line in display.line_} == {summary.get_color()}
    assert summaries[0].get_color() != summaries[1].get_color()
    assert len({line.get_linestyle() for line in summaries}) == 3
    assert [re.split(r"[\n(]", text)[0].strip() for text in legend(first)][:4] == [
        "a, mean of 5 folds",
        "b, mean of 5 folds",
        "b, mean of 5 folds",
        "Single folds",
    ]
    assert second.minimum_ is first.minimum_


def test_curve_kwargs_apply_to_the_summary_and_their_color_to_the_folds():
    draw = partial(of_folds, *folds())
    display = draw(curve_kwargs={"c": "red", "lw": 5, "label": "own"})
    assert {line.get_color() for line in display.line_} == {"red"}
    assert [line.get_linewidth() for line in display.line_] == 5 * [0.7] + [5]
    assert legend(display)[0] == "own"
    both = draw(curve="both", curve_kwargs=[{"c": "red"}, {"c": "blue"}])
    colors = [line.get_color() for line in both.line_]
    assert colors == 5 * ["red"] + 5 * ["blue"] + ["red", "blue"]


def test_a_band_of_folds_is_that_of_the_mean_curve():
    cv_results, X, y = folds(3)
    display, n_folds = of_folds(cv_results, X, y, band="folds", curve="both"), 6
    assert all(limits is None for limits in display.band[:n_folds])
    labels, scores, _ = apr.fold_predictions(cv_results, X, y)
    for i, (kind, artist) in enumerate(zip(KINDS, display.band_, strict=True)):
        recall, *limits = display.band[n_folds + i]
        assert (recall[0], recall[-1]) == (0, 1)
        options = {"recall": recall[1:-1], "curve": kind, "prevalence": np.mean(y)}
        each = [
            apr.precision_at_recall(*fold, **options)
            for fold in zip(labels, scores, strict=True)
        ]
        reach = stats.t.ppf(0.975, 2) * stats.sem(each, axis=0)
        ends = np.mean(each, axis=0) + np.array([[-1], [1]]) * reach
        ends = np.clip(ends, apr.precision_min(recall[1:-1], np.mean(y)), 1)
        np.testing.assert_allclose([limit[1:-1] for limit in limits], ends, rtol=1e-9)
        color = mpl.colors.to_rgb(display.line_[n_folds + i].get_color())
        assert artist.get_facecolor()[0, :3] == pytest.approx(color)
        assert artist.get_zorder() < display.line_[0].get_zorder()
    assert legend(display).count("95 % band, t interval over folds") == 1


def test_folds_of_tuned_thresholds_have_predicted_points_and_marks_without_a_summary():
    model = HullThresholdClassifierCV(
        LogisticRegression(), cv=0.5, random_state=0, pos_label="spam"
    )
    cv_results, X, y = folds(3, model, labels=("ham", "spam"))
    display = of_folds(cv_results, X, y)
    assert display.threshold_marks_ is None
    assert display.pos_label == "spam"
    assert len(display.predicted_point_) == 3
    assert display.predicted_point[-1] is None
    of_fold = display.predicted_point[:-1], cv_results["estimator"]
    tests = cv_results["indices"]["test"]
    for (_, recall), estimator, test in zip(*of_fold, tests, strict=True):
        predicted = estimator.predict(X[test])
        assert recall == pytest.approx(recall_score(y[test], predicted, pos_label="spam"))
    assert len(display.plot(mark_thresholds=True).threshold_marks_) == 3
    alone = of_folds(cv_results, X, y, summary=False)
    assert len(alone.threshold_marks_) == 3


# Errors


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
            r"`y` must be one-dimensional, and not empty\. Got an array of shape \(\)",
        ),
        ("estimator", {"y": np.where(SPECIES, SPECIES, np.nan)}, "`y` has missing labels"),
        (
            "estimator",
            model_and_data(SVC(decision_function_shape="ovo")),
            "`estimator` must have one score per class, 3",
        ),
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
            "`band`='folds' needs two folds.*Got 1",
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


def test_classes_of_one_prevalence_but_for_rounding_have_a_minimum_curve():
    rng = np.random.default_rng(0)
    y, score = rng.integers(0, 5, 100), rng.normal(size=(100, 5))
    weight = compute_sample_weight("balanced", y)
    display = of_samples(y, score, sample_weight=weight)
    assert display.prevalence == pytest.approx([0.2] * 5)
