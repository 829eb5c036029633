"""Draw the picture of README and of the front page, light and dark.

``python doc/front_picture.py`` writes ``front_light.png`` and ``front_dark.png`` into
``doc/_static``. Run it when the display has changed.
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Patch

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from sklearn_achievable_pr import AchievablePRDisplay, choose_threshold  # noqa: E402

LOOKS = {"light": "default", "dark": "dark_background"}
# Lighter variants for a dark background, also distinguishable for color-blind readers.
COLORS = {"light": ("#0072b2", "#d55e00"), "dark": ("#6cb8f0", "#ff9a4d")}
BACKGROUND = {"figure.facecolor": "#14181e", "axes.facecolor": "#14181e"}  # as the theme


def draw(colors):
    """Curves of two models with bands, and a threshold of one, in the current style."""
    rng = np.random.default_rng(0)
    y_true = rng.random(2000) < 0.05
    a = rng.normal(size=2000) + 2.5 * y_true
    b = a / 2 + 0.8 * rng.normal(size=2000) + y_true / 2
    figure, ax = plt.subplots(figsize=(6.2, 2.5), layout="constrained")
    of_a, of_b = (
        AchievablePRDisplay.from_predictions(
            y_true, score, name=f"Model {name}", ax=ax, band="pointwise", interval=True,
            curve_kwargs={"color": color, "linestyle": style}, plot_minimum=False,
            legend=False,
        )
        for name, score, color, style in zip("AB", (a, b), colors, ("-", "--"), strict=True)
    )  # fmt: skip
    chosen = choose_threshold(
        y_true, a, objective="precision", min_recall=0.8, confidence_level=0.9
    )
    (star,) = ax.plot(
        chosen.recall, chosen.precision, "*", markersize=16, color=colors[0], zorder=3,
        markeredgecolor=ax.get_facecolor(),
        label="Threshold of A: recall at least\n0.8 on new data, confidence 0.9",
    )  # fmt: skip
    ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.03), aspect="auto")
    ax.set(xlabel="Recall", ylabel="Precision", title="2000 samples, 110 positive")
    helpers = {
        Patch(facecolor="0.5", alpha=0.4): "95 % pointwise band",
        of_a.chance_level_: f"Chance level (prevalence {y_true.mean():.3g})",
    }
    curves = [of_a.line_, of_b.line_, star]
    ax.legend(
        handles=[*curves, *helpers],
        labels=[*(each.get_label() for each in curves), *helpers.values()],
        loc="center left", bbox_to_anchor=(1, 0.5), fontsize="small",
        frameon=False,
    )  # fmt: skip
    return figure


def main(folder=HERE / "_static"):
    """Draw and save the picture, light and dark."""
    for look, style in LOOKS.items():
        sheet = [style, {"font.size": 10.5} | (BACKGROUND if look == "dark" else {})]
        with plt.style.context(sheet):
            figure = draw(COLORS[look])
            path = folder / f"front_{look}.png"
            figure.savefig(path, dpi=120, metadata={"Software": None})
            plt.close(figure)


if __name__ == "__main__":
    main()
