"""Legend entries of displays that stand for several artists."""

import numpy as np
import pytest

pytest.importorskip("matplotlib")
from matplotlib.colors import to_rgb
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate

from sklearn_achievable_pr import AchievablePRDisplay

RNG = np.random.default_rng(0)
Y = RNG.random(300) < 0.3
SCORES = {name: Y + spread * RNG.normal(size=300) for name, spread in (("a", 1), ("b", 2))}


def handle_of(display, text):
    """The artist beside the first entry of the legend that begins with a text."""
    legend = display.ax_.get_legend()
    texts = [each.get_text() for each in legend.get_texts()]
    place = next(i for i, entry in enumerate(texts) if entry.startswith(text))
    return legend.legend_handles[place]


def test_the_band_of_one_model_has_its_color_in_the_legend():
    display = AchievablePRDisplay.from_predictions(Y, SCORES["a"], band="pointwise")
    patch = handle_of(display, "95 % pointwise band")
    assert to_rgb(patch.get_facecolor()) == to_rgb(display.line_.get_color())


def test_bands_of_several_models_share_an_entry_in_the_color_of_none():
    display = AchievablePRDisplay.from_predictions(Y, SCORES, band="pointwise")
    patch = handle_of(display, "95 % pointwise band")
    colors = [to_rgb(line.get_color()) for line in display.line_]
    assert to_rgb(patch.get_facecolor()) not in colors


def test_the_hatched_region_is_shown_beside_its_minimum_curve():
    display = AchievablePRDisplay.from_predictions(Y, SCORES["a"])
    legend = display.ax_.get_legend()
    hatched = [each for each in legend.findobj() if getattr(each, "get_hatch", str)()]
    assert len(hatched) == 1
    assert hatched[0].get_hatch() == display.unachievable_.get_hatch()


def test_without_a_minimum_curve_the_legend_shows_no_hatching():
    display = AchievablePRDisplay.from_predictions(Y, SCORES["a"], plot_minimum=False)
    legend = display.ax_.get_legend()
    assert not [each for each in legend.findobj() if getattr(each, "get_hatch", str)()]


@pytest.mark.parametrize(
    ("name", "entry"), [(None, "Mean of 3 folds ("), ("tree", "tree, mean of 3 folds (")]
)
def test_an_entry_begins_with_a_capital_letter_or_the_name(name, entry):
    X = SCORES["a"][:, None]
    cv_results = cross_validate(
        LogisticRegression(), X, Y, cv=3, return_estimator=True, return_indices=True
    )
    display = AchievablePRDisplay.from_cv_results(cv_results, X, Y, name=name, summary=True)
    assert display.ax_.get_legend().get_texts()[0].get_text().startswith(entry)


def test_a_band_of_all_recalls_names_none():
    band = [[0.0, 1.0], [0.2, 0.2], [1.0, 1.0]]
    display = AchievablePRDisplay([0.4, 0.5], [1.0, 0.0], band=band).plot()
    assert display.ax_.get_legend().get_texts()[0].get_text() == "Band"
