"""`AchievablePRDisplay.plot`: the line of the curve, styles and the legend."""

import re
from functools import partial

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from cases import each
from drawing import (
    CLASS_SCORES,
    CLASSES,
    KINDS,
    SITUATIONS,
    assert_draws,
    data,
    folds,
    legend,
    of_estimator,
    of_folds,
    of_samples,
    ranking,
)
from matplotlib.cbook import is_math_text
from score_files import legend_of
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB

import sklearn_achievable_pr as apr
from sklearn_achievable_pr import AchievablePRDisplay, HullThresholdClassifierCV

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")


# The line


@pytest.mark.filterwarnings("ignore:.*The scores rank negatives")
@pytest.mark.parametrize("curve", KINDS)
@each(name=SITUATIONS)
def test_the_drawn_line_is_the_curve(name, curve):
    y, score = SITUATIONS[name]
    display = of_samples(y, score, curve=curve, legend=False)
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
    display = of_samples(y, score, curve=curve, **options, legend=False)
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
    assert_draws(display.plot(legend=False).line_, y, score, curve)


# Attributes, legend, styles


@pytest.mark.parametrize("curve", KINDS)
def test_a_display_has_one_threshold_per_score_or_vertex_and_one_point_more(curve):
    y, score = SITUATIONS["ties"]
    display = of_samples(y, score, curve=curve, legend=False)
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
    assert (display.pos_label, display.name) == (None, "Classifier")
    assert display.threshold_marks_ is display.predicted_point_ is display.iso_f1_ is None
    assert display.ax_.get_xlabel() == "Recall"
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
        display = of_samples(y, score, prevalence=prevalence, ax=ax, legend=False)
        ax = display.ax_
    (region,) = ax.collections
    assert region is display.unachievable_
    assert region.get_paths()[0].vertices[:, 1].max() == pytest.approx(min(prevalences))


def test_options_switch_off_parts_of_the_plot():
    draw = partial(of_samples, *SITUATIONS["ties"])
    display = draw(plot_minimum=False, plot_chance_level=False, legend=False)
    assert display.minimum_ is display.chance_level_ is display.unachievable_ is None
    assert len(display.ax_.lines) == 1
    display.plot(legend=False)
    assert display.unachievable_.get_hatch() == "///"
    spines = display.plot(despine=True, legend=False).ax_.spines
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


@pytest.mark.parametrize(
    ("through", "option"),
    [("plot", "color"), ("plot", "lw"), ("from_predictions", "label")],
)
def test_keywords_of_lines_are_told_to_be_curve_kwargs(option, through):
    draw = partial(of_samples, *SITUATIONS["ties"])
    if through == "plot":
        draw = draw().plot
    with pytest.raises(TypeError, match=f"^`{option}` is not an option .* `curve_kwargs`"):
        draw(**{option: "red"})


@pytest.mark.parametrize("n_curves", [1, pytest.param(10, marks=pytest.mark.slow)])
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
    of_samples(y, np.round(score), band="pointwise", ax=first.ax_)
    assert legend(first).count("95 % pointwise band, recall 0.05 to 0.95") == 1


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
