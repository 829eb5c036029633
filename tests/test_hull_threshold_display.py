"""HullThresholdDisplay: every line against the definition of the metric."""

from inspect import signature

import matplotlib.pyplot as plt
import numpy as np
import pytest
from cases import each
from score_files import legend_of
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, fbeta_score, make_scorer
from tuning_sets import all_thresholds, counts_at, tied_problem, tuned_on

from sklearn_achievable_pr import (
    HullThresholdClassifierCV,
    HullThresholdDisplay,
    choose_threshold,
)

DOTS = "Vertices of the ROC hull"


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("objective", "labels"),
    [
        ("mcc", ["Precision", "Recall", "MCC (objective)"]),
        ("precision", ["Precision (objective)", "Recall"]),
    ],
)
def test_lines_are_the_metrics_at_every_threshold(objective, labels, weighted):
    score, y, weight = tied_problem(3, n_samples=200, weighted=weighted)
    model = tuned_on(
        score,
        y,
        objective=objective,
        min_recall=0.7,
        sample_weight=weight,
        store_cv_results=True,
    )
    display = HullThresholdDisplay.from_estimator(model, legend=False)
    table = all_thresholds(score, y, weight)
    names = ["precision", "recall", *([objective] if objective != "precision" else [])]
    assert [line.get_label() for line in display.lines_] == labels
    for line, name in zip(display.lines_, names, strict=True):
        x, values = line.get_data()
        np.testing.assert_array_equal(x, table["threshold"][1:])
        np.testing.assert_allclose(values, table[name][1:], rtol=1e-12, atol=1e-14)
    # The kept thresholds are marked.
    for marks, line in zip(display.marks_, display.lines_, strict=True):
        at, values = marks.get_data()
        assert {counts_at(t, score, y, weight) for t in at} == {
            counts_at(t, score, y, weight) for t in model.thresholds_[1:]
        }
        x, y_line = line.get_data()
        assert line.get_drawstyle() == "steps-post"
        np.testing.assert_array_equal(values, y_line[np.searchsorted(-x, -at)])
    (choice,) = display.choice_
    assert set(choice.get_xdata()) == {model.threshold_}
    (constraint,) = display.constraints_
    assert set(constraint.get_ydata()) == {0.7}
    assert display.right_ax_ is display.ax_


def test_without_cv_results_the_kept_thresholds_are_drawn():
    score, y, _ = tied_problem(3, n_samples=200)
    model = tuned_on(score, y)
    display = HullThresholdDisplay.from_estimator(model)
    x, values = display.lines_[1].get_data()
    np.testing.assert_array_equal(x, model.thresholds_[1:-1])
    counts = model.tuning_counts_
    np.testing.assert_allclose(values, (counts.tps / counts.tps[-1])[1:-1])
    assert display.lines_[0].get_drawstyle() == "default"
    assert len(display.marks_[0].get_xdata()) == len(x)
    assert display.constraints_ == []
    assert legend_of(display.ax_) == [
        "Precision",
        "Recall",
        "F1 (objective)",
        DOTS,
        f"Chosen threshold: {model.threshold_}",
    ]
    ax = display.ax_
    assert (
        ax.get_xlabel()
        == "Threshold\n(positive if estimator_.decision_function ≥ threshold)"
    )
    assert all((ax.get_title(), ax.get_ylabel()))
    assert HullThresholdDisplay.from_estimator(model, legend=False).ax_.get_legend() is None


@pytest.mark.parametrize(
    ("objective", "name"),
    [({"tp": 10, "fp": -1, "fn": -10}, "Mean utility"), ("youden", "Youden's J")],
)
def test_an_objective_outside_0_to_1_has_its_own_axis(objective, name):
    score, y, _ = tied_problem(4, n_samples=300)
    y = np.where(score > np.quantile(score, 0.9), 0, y)  # there J is negative
    display = HullThresholdDisplay.from_estimator(
        tuned_on(score, y, objective=objective, store_cv_results=True), despine=True
    )
    assert display.right_ax_ is not display.ax_
    assert display.right_ax_.get_ylabel() == f"{name} (objective)"
    assert legend_of(display.ax_)[:3] == ["Precision", "Recall", f"{name} (objective)"]
    assert not display.ax_.spines["top"].get_visible()
    assert display.right_ax_.spines["right"].get_visible()


@pytest.mark.parametrize(
    ("objective", "constraints", "names"),
    [
        ("f0.5", {}, ["Precision", "Recall", "F0.5 (objective)"]),
        (
            "balanced_accuracy",
            {},
            ["Precision", "Recall", "Balanced accuracy (objective)"],
        ),
        (
            "recall",
            {"max_fpr": 0.3},
            ["Precision", "Recall (objective)", "False positive rate"],
        ),
        (
            "specificity",
            {"min_npv": 0.5},
            ["Precision", "Recall", "Specificity (objective)", "NPV"],
        ),
    ],
)
def test_each_metric_has_one_line_with_a_readable_name(objective, constraints, names):
    score, y, _ = tied_problem(4, n_samples=300)
    display = HullThresholdDisplay.from_predictions(
        y, score, objective=objective, **constraints
    )
    assert list(display.values) == names
    assert legend_of(display.ax_)[: len(names)] == names


def test_a_constraint_on_the_objective_has_the_color_of_its_line():
    score, y, _ = tied_problem(4, n_samples=300)
    display = HullThresholdDisplay.from_predictions(
        y, score, objective="precision", min_precision=0.2
    )
    (constraint,) = display.constraints_
    assert constraint.get_color() == display.lines_[0].get_color()


def test_the_dot_in_the_legend_has_none_of_the_colors_of_the_lines():
    display = HullThresholdDisplay([3, 2, 1], {"Recall": [0, 0.5, 1]}, chosen=2).plot()
    handles = display.ax_.get_legend().legend_handles
    dot = handles[legend_of(display.ax_).index(DOTS)]
    assert dot.get_marker() == display.marks_[0].get_marker()
    assert dot.get_color() not in {line.get_color() for line in display.lines_}


def test_a_diamond_on_each_line_is_at_the_chosen_threshold():
    values = {"Recall": [0, 0.5, 1], "Precision": [1, 0.5, 0.3]}
    display = HullThresholdDisplay([3, 2, 1], values, chosen=2).plot()
    diamonds = [line for line in display.ax_.lines if line.get_marker() == "D"]
    assert [[*line.get_xydata()[0]] for line in diamonds] == [[2, 0.5], [2, 0.5]]
    handle = display.ax_.get_legend().legend_handles[-1]
    assert legend_of(display.ax_)[-1] == "Chosen threshold: 2"
    assert (handle.get_marker(), handle.get_linestyle()) == ("D", "-")


def test_an_infinite_threshold_has_no_diamond():
    display = HullThresholdDisplay([3, 2], {"Recall": [0.5, 1]}, chosen=np.inf).plot()
    assert not [line for line in display.ax_.lines if line.get_marker() == "D"]


def test_the_long_name_of_a_scorer_has_several_lines():
    objective = make_scorer(fbeta_score, beta=2, zero_division=0)
    display = HullThresholdDisplay.from_predictions(
        [0, 1, 0, 1], [0.1, 0.3, 0.5, 0.7], objective=objective
    )
    text = legend_of(display.ax_)[2]
    assert text.replace("\n", " ") == f"{objective} (objective)"
    assert max(map(len, text.split("\n"))) <= 40


def test_the_legend_is_below_both_lines_of_the_axis_label():
    display = HullThresholdDisplay([3, 2, 1], {"Recall": [0, 0.5, 1]}, chosen=2).plot()
    legend, label = display.ax_.get_legend(), display.ax_.xaxis.label
    assert not legend.get_window_extent().overlaps(label.get_window_extent())


def log_of_no_false_positive(tps, fps, fns, tns):
    return np.log(1.0 * (fps < 1))


def test_randomized_thresholds_and_guarantees_are_in_the_legend():
    score, y, _ = tied_problem(4, n_samples=300)
    mixed = tuned_on(score, y, objective="precision", min_recall=0.62, randomize=True)
    lower = mixed.operating_point_.randomized_threshold.threshold
    display = HullThresholdDisplay.from_estimator(mixed)
    assert [set(line.get_xdata()) for line in display.choice_] == [
        {mixed.threshold_},
        {lower},
    ]
    assert legend_of(display.ax_)[-1] == f"Lower randomized threshold: {lower}"

    sure = tuned_on(score, y, objective="precision", min_recall=0.6, confidence_level=0.9)
    display = HullThresholdDisplay.from_estimator(sure)
    words = "Constraint: recall ≥ 0.6 on new data,\nwith confidence 0.9"
    assert words in legend_of(display.ax_)
    sure.set_params(confidence_level=0.5)  # without effect before the next fit
    assert words in legend_of(HullThresholdDisplay.from_estimator(sure).ax_)

    with pytest.warns(UserWarning, match="no tuning sample is predicted positive"):
        nothing = tuned_on([9.0, 8, 7], [0, 1, 0], objective=log_of_no_false_positive)
    assert nothing.threshold_ == np.inf
    display = HullThresholdDisplay.from_estimator(nothing)
    assert display.choice_ == []
    assert display.right_ax_ is display.ax_  # values of minus infinity leave gaps


@pytest.mark.parametrize(
    ("constraint", "name"),
    [("max_selection_rate", "Selection rate"), ("max_fpr", "False positive rate")],
)
def test_a_rate_with_a_constraint_is_drawn(constraint, name):
    score, y, _ = tied_problem(4, n_samples=300)
    model = tuned_on(
        score, y, objective="recall", store_cv_results=True, **{constraint: 0.3}
    )
    display = HullThresholdDisplay.from_estimator(model)
    line = display.lines_[-1]
    assert line.get_label() == name
    of = np.ones(len(y), bool) if name == "Selection rate" else y == 0
    x, rates = line.get_data()
    np.testing.assert_allclose(rates, [np.mean(score[of] >= t) for t in x])
    assert f"Constraint: {name.lower()} ≤ 0.3" in legend_of(display.ax_)


@each(
    wrong_and_error=[
        ({"thresholds": [3, 2]}, ValueError, "values.'Recall'.` and `thresholds` must"),
        ({"thresholds": [1, 2, 3]}, ValueError, "`thresholds` must be .* in decreasing"),
        ({"thresholds": [3, np.nan, 1]}, ValueError, "`thresholds` .* without NaN"),
        ({"thresholds": ["a", "b", "c"]}, TypeError, "`thresholds`"),
        ({"values": [1, 2, 3]}, TypeError, "dictionary"),
        ({"values": {"Recall": ["a", "b", "c"]}}, TypeError, "`values.'Recall'.`"),
        ({"chosen": "best"}, TypeError, "`chosen` must be a real number"),
        ({"is_kept": [True]}, ValueError, "`is_kept` and `thresholds` must have the same"),
        ({"constraints": {"recall": 0.3}}, ValueError, "`constraints` must be one of 'min"),
        ({"constraints": {"min_recall": "a"}}, TypeError, "`min_recall` must be a real"),
    ]
)
def test_invalid_columns_raise(wrong_and_error):
    wrong, error, message = wrong_and_error
    right = {"thresholds": [3, 2, 1], "values": {"Recall": [0, 0.5, 1]}, "chosen": 2}
    HullThresholdDisplay(**right).plot(legend=False)
    with pytest.raises(error, match=message):
        HullThresholdDisplay(**{**right, **wrong}).plot()


def test_a_metric_with_a_leading_underscore_is_in_the_legend():
    values = {"_private": [0, 0.5, 1], "Recall": [0, 0.5, 1]}
    display = HullThresholdDisplay([3, 2, 1], values, chosen=2).plot()
    assert legend_of(display.ax_) == [" _private", "Recall", DOTS, "Chosen threshold: 2"]


def test_the_frame_is_what_is_drawn():
    score, y, _ = tied_problem(3, n_samples=200)
    model = tuned_on(score, y, objective="youden", store_cv_results=True)
    display = HullThresholdDisplay.from_estimator(model, legend=False)
    frame = display.to_frame()
    assert frame.columns.tolist() == ["name", "threshold", "value", "is_kept"]
    names = ["Precision", "Recall", "Youden's J (objective)"]
    assert frame["name"].unique().tolist() == names
    curves = [rows for _, rows in frame.groupby("name", sort=False)]
    for rows, line, marks in zip(curves, display.lines_, display.marks_, strict=True):
        np.testing.assert_array_equal(rows[["threshold", "value"]], line.get_xydata())
        kept = rows.loc[rows["is_kept"], ["threshold", "value"]]
        np.testing.assert_array_equal(kept, marks.get_xydata())


def test_the_frame_needs_no_plot_and_leaves_out_infinite_thresholds():
    values = {"Recall": [0, 0.5, 1], "Cost": [7.0, 5.0, 9.0]}
    frame = HullThresholdDisplay([np.inf, 2, -np.inf], values, chosen=2).to_frame()
    assert frame.to_dict("list") == {
        "name": ["Recall", "Cost"],
        "threshold": [2.0, 2.0],
        "value": [0.5, 5.0],
        "is_kept": [True, True],
    }


def test_a_display_without_metrics_has_an_empty_frame():
    assert HullThresholdDisplay([2, 1], {}, chosen=2).to_frame().empty


def test_dollars_in_names_are_text():
    values = {r"$\frac$": [0, 5, 1], r"$\sqrt$": [0, 0.5, 1]}
    display = HullThresholdDisplay([3, 2, 1], values, chosen=2, response_method=r"$\x$")
    figure = display.plot().figure_
    figure.draw_without_rendering()
    shown = [*legend_of(display.ax_)[:2], display.right_ax_.get_ylabel()]
    assert shown == [r"\$\frac\$", r"\$\sqrt\$", r"\$\frac\$"]
    assert (
        display.ax_.get_xlabel()
        == "Threshold\n(positive if estimator_.\\$\\x\\$ ≥ threshold)"
    )


def test_invalid_estimators_and_options():
    score, y, _ = tied_problem(4)
    model = tuned_on(score, y)
    for wrong in (HullThresholdClassifierCV(LogisticRegression()), None):
        with pytest.raises(TypeError, match="`estimator` must be a fitted HullThreshold"):
            HullThresholdDisplay.from_estimator(wrong)
    with pytest.raises(TypeError, match=r"`ax` must be a matplotlib Axes.* Got 3\."):
        HullThresholdDisplay.from_estimator(model, ax=3)
    with pytest.raises(TypeError, match="`despine` must be True or False"):
        HullThresholdDisplay.from_estimator(model, despine="no")


# From labels and scores


@pytest.mark.parametrize("constraints", [{}, {"min_recall": 0.8, "max_fpr": 0.9}], ids=str)
def test_predictions_and_a_frozen_classifier_are_drawn_alike(constraints):
    score, y, weight = tied_problem(1, weighted=True)
    model = tuned_on(score, y, sample_weight=weight, store_cv_results=True, **constraints)
    expected = HullThresholdDisplay.from_estimator(model, legend=False)
    found = HullThresholdDisplay.from_predictions(
        y, score, sample_weight=weight, **constraints, legend=False
    )
    assert found.chosen == expected.chosen
    assert found.constraints == expected.constraints
    np.testing.assert_array_equal(found.thresholds, expected.thresholds)
    np.testing.assert_array_equal(found.is_kept, expected.is_kept)
    for name, values in expected.values.items():
        np.testing.assert_allclose(found.values[name], values, rtol=1e-12)


def test_passed_axes_are_drawn_on():
    score, y, _ = tied_problem(1, 100, levels=10)
    _, ax = plt.subplots()
    display = HullThresholdDisplay.from_predictions(y, score, ax=ax, legend=False)
    assert display.ax_ is ax
    assert {line.axes for line in display.lines_} == {ax}


@pytest.mark.slow
def test_a_metric_function_is_drawn():
    score, y, _ = tied_problem(1, 600, levels=10**6)
    found = HullThresholdDisplay.from_predictions(
        y, score, objective=f1_score, legend=False
    )
    named = HullThresholdDisplay.from_predictions(y, score, legend=False)
    values = named.values["F1 (objective)"]
    np.testing.assert_allclose(found.values["f1_score (objective)"], values, atol=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("store", [None, False, True])
def test_a_metric_is_exact_at_the_chosen_threshold_of_rare_positives(store):
    rng = np.random.default_rng(0)
    y = rng.random(20_000) < 0.005
    score = rng.normal(size=len(y)) + 3 * y
    if store is None:
        display = HullThresholdDisplay.from_predictions(
            y, score, objective=f1_score, legend=False
        )
    else:
        model = tuned_on(score, y, objective=f1_score, store_cv_results=store)
        display = HullThresholdDisplay.from_estimator(model, legend=False)
    best = choose_threshold(y, score, objective="f1").objective_value
    assert max(display.values["f1_score (objective)"]) == pytest.approx(best)


def test_a_function_named_as_a_rate_is_drawn():
    def recall(tps, fps, fns, tns):
        return tps - fps

    display = HullThresholdDisplay.from_predictions(
        [0, 1], [0.2, 0.7], objective=recall, legend=False
    )
    assert list(display.values) == ["Precision", "Recall", "recall (objective)"]


def test_predictions_take_the_parameters_of_choose_threshold():
    of_display = [*signature(HullThresholdDisplay.from_predictions).parameters]
    assert of_display == [*signature(choose_threshold).parameters, "ax", "plot_options"]


def test_labels_of_the_user_are_those_of_the_metrics():
    display = HullThresholdDisplay(
        [0.8, 0.5], {"Precision": [1.0, 0.8], "Recall": [0.2, 0.7]}, chosen=0.5
    ).plot()
    handles = display.ax_.legend(["A", "B"]).legend_handles
    colors = [handle.get_color() for handle in handles]
    assert colors == [line.get_color() for line in display.lines_]
