"""`AchievablePRDisplay.from_predictions`: classes, models, intervals and bands."""

import warnings
from functools import partial

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from drawing import (
    CLASS_SCORES,
    CLASSES,
    IS_CLASS,
    KINDS,
    MODELS,
    NAMES,
    SITUATIONS,
    assert_draws,
    legend,
    of_samples,
    ranking,
)
from sklearn.utils.class_weight import compute_sample_weight

import sklearn_achievable_pr as apr

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")


# Several classes


@pytest.mark.parametrize(
    ("target", "prevalence", "curve"),
    [
        (CLASSES, None, "empirical"),
        (CLASSES, 0.2, "achievable"),
        (pd.DataFrame(IS_CLASS, columns=NAMES), None, "achievable"),
        (pd.DataFrame(IS_CLASS, columns=NAMES), 0.2, "empirical"),
    ],
)
def test_one_curve_per_class(target, prevalence, curve):
    options = {"prevalence": prevalence, "curve": curve}
    options["sample_weight"] = np.random.default_rng(1).random(200)
    display = of_samples(target, CLASS_SCORES, **options, legend=False)
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


@pytest.mark.slow
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
    display = of_samples(y, score, legend=False)
    styles = [(line.get_color(), line.get_linestyle()) for line in display.line_]
    assert len(set(styles)) == 20
    assert len({color for color, _ in styles[:10]}) == 10
    assert display.name[:2] == ["Class 0", "Class 1"]


def test_a_class_label_with_a_leading_underscore_is_in_the_legend():
    """matplotlib hides such labels; earlier versions lost the entry."""
    y = np.where(CLASSES == "ant", "_ant", CLASSES)
    display = of_samples(y, CLASS_SCORES)
    assert [text.split(" (")[0] for text in legend(display)] == [" _ant", "bee", "cat"]


# Several models


@pytest.mark.parametrize("curve", KINDS)
def test_one_curve_per_model(curve):
    y, weight = IS_CLASS[:, 0], np.random.default_rng(1).random(200)
    options = {"curve": curve, "sample_weight": weight}
    display = of_samples(y, MODELS, **options, legend=False)
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
    scores = {name: score + 9 * y for name, score in MODELS.items()}
    match = r"^Curve 'a', Curve 'b', Curve '\$c\$': Only 3 samples are positive"
    with pytest.warns(apr.CoverageWarning, match=match) as caught:
        display = of_samples(y, scores, interval=True, legend=False)
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = [
            apr.auc_pr_interval(y, score).confidence_interval for score in scores.values()
        ]
    assert display.interval == expected


def test_one_warning_for_all_models_whose_scores_look_like_labels():
    y = IS_CLASS[:, 0]
    with pytest.warns(UserWarning, match=r"`y_score\['a'\]` has only 0 and 1") as caught:
        of_samples(y, {"a": y, "b": y}, legend=False)
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


# Bands and intervals


@pytest.mark.slow
def test_the_interval_in_the_legend():
    y, score, rng = ranking(60)
    options = {"sample_weight": rng.random(len(y)) + 0.1, "prevalence": 0.05}
    display = of_samples(y, score, curve="both", interval=True, name="m", **options)
    expected = [
        apr.auc_pr_interval(y, score, metric=metric, **options)
        for metric in ("auc_pr_interpolated", "achievable_auc_pr")
    ]
    for own, found in zip(display.interval, expected, strict=True):
        assert own == pytest.approx(found.confidence_interval, rel=1e-12)
    assert display.auc_pr == pytest.approx([found.estimate for found in expected])
    low, high = display.interval[0]
    area = f"{display.auc_pr[0]:.2f}"
    text = f"AUC-PR = {area}, 95 % CI {low:.2f} to {high:.2f}, at prevalence 0.05"
    assert legend(display)[0] == f"m\n{text}"
    assert of_samples(y, score).interval is None
    # A perfect ranking of these samples need not be perfect in the population.
    display = of_samples(*SITUATIONS["perfect"], curve="both", interval=True)
    for low, high in display.interval:
        assert low < 0.9 < high == 1
    text = "Classifier\nachievable AUC-PR = 1.00, 95 % CI 0.61 to 1.00"
    assert legend(display)[1] == text


@pytest.mark.parametrize("weighted", [False, True])
def test_a_pointwise_band_has_the_limits_at_each_recall(weighted):
    y, score, rng = ranking(150)
    options = {"sample_weight": rng.random(len(y)) + 0.1 if weighted else None}
    display = of_samples(y, score, band="pointwise", **options, legend=False)
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
    assert legend(display)[1] == "95 % simultaneous band, recall 0.05 to 0.95"


def test_classes_of_one_prevalence_but_for_rounding_have_a_minimum_curve():
    rng = np.random.default_rng(0)
    y, score = rng.integers(0, 5, 100), rng.normal(size=(100, 5))
    weight = compute_sample_weight("balanced", y)
    display = of_samples(y, score, sample_weight=weight, legend=False)
    assert display.prevalence == pytest.approx([0.2] * 5)


# Scores that look wrong


@pytest.mark.parametrize(
    ("curve", "interval"),
    [("empirical", False), ("empirical", True), ("achievable", True), ("both", False)],
)
def test_a_reversed_score_warns_once(curve, interval):
    y, score, _ = ranking()
    with pytest.warns(UserWarning, match="^The scores rank negatives above") as caught:
        of_samples(y, -score, curve=curve, interval=interval, legend=False)
    assert len([w for w in caught if w.category is UserWarning]) == 1


@pytest.mark.parametrize(
    ("changed", "text"),
    [(np.zeros_like, "All samples have one score"), (np.negative, "The scores rank neg")],
)
def test_the_curve_whose_scores_look_wrong_is_named(changed, text):
    y, score, _ = ranking()
    with pytest.warns(UserWarning, match=f"^Curve 'b': {text}") as caught:
        of_samples(y, {"a": score, "b": changed(score)}, legend=False)
    assert len(caught) == 1


@pytest.mark.parametrize("unit", [1, 0.3, 7])
def test_equal_weights_give_the_band_and_the_legend_without_weights(unit):
    y, score, _ = ranking()
    options = {"band": "pointwise", "interval": True}
    plain = of_samples(y, score, **options)
    weighted = of_samples(y, score, sample_weight=np.full(len(y), unit), **options)
    np.testing.assert_array_equal(weighted.band, plain.band)
    assert legend(weighted) == legend(plain)
