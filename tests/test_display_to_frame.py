"""`AchievablePRDisplay.to_frame`: the drawn data as a table."""

import numpy as np
import pytest
from cases import each
from drawing import (
    IS_CLASS,
    KINDS,
    MODELS,
    SITUATIONS,
    folds,
    of_folds,
    of_samples,
    ranking,
)

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")


@pytest.mark.filterwarnings("ignore:.*The scores rank negatives")
@pytest.mark.parametrize("curve", KINDS)
@each(name=SITUATIONS)
def test_the_table_has_the_points_of_the_line(name, curve):
    display = of_samples(*SITUATIONS[name], curve=curve, legend=False)
    frame = display.to_frame()
    assert list(frame) == ["name", "threshold", "precision", "recall", "low", "high"]
    points = frame[["recall", "precision"]].to_numpy()[::-1]
    np.testing.assert_array_equal(points, display.line_.get_xydata())
    assert frame[["low", "high"]].isna().all(axis=None)
    assert set(frame["name"]) == {"Classifier"}


@pytest.mark.filterwarnings("ignore:.*The scores rank negatives")
@pytest.mark.parametrize("curve", KINDS)
@each(name=SITUATIONS)
def test_thresholds_of_the_table_have_their_precision_and_recall(name, curve):
    y, score = map(np.asarray, SITUATIONS[name])
    display = of_samples(y, score, curve=curve, legend=False)
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
    display = of_samples(*ranking()[:2], band="pointwise", legend=False)
    frame = display.to_frame()
    recall, *limits = display.band
    inside = frame["recall"].between(recall[0], recall[-1])
    for column, limit in zip(("low", "high"), limits, strict=True):
        expected = np.interp(frame["recall"][inside], recall, limit)
        np.testing.assert_array_equal(frame[column][inside], expected)
        assert frame[column][~inside].isna().all()


def test_names_in_the_table_tell_curves_apart():
    models = of_samples(IS_CLASS[:, 0], MODELS, curve="both", legend=False).to_frame()
    kinds = [f"{name}, {kind}" for name in MODELS for kind in KINDS]
    assert [*models["name"].unique()] == kinds
    of_cv = of_folds(*folds(3), name="tree", legend=False).to_frame()
    numbered = ["tree, 1 of 3", "tree, 2 of 3", "tree, 3 of 3", "tree, mean"]
    assert [*of_cv["name"].unique()] == numbered
    summary = of_cv[of_cv["name"] == "tree, mean"]
    assert summary["threshold"].isna().all()
