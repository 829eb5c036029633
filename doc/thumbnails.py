"""Draw the thumbnails of the gallery: one panel of each example, without a legend.

``python doc/thumbnails.py`` runs the examples and writes ``doc/_static/thumbnails``. Run it
when an example has changed.
"""

import runpy
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

HERE = Path(__file__).resolve().parent
# Figure and axes of each example, counted from 0.
PANELS = {
    "model_selection": (0, 0),
    "five_points_eight_answers": (1, 0),
    "metric_changes_selection": (0, 0),
    "downsampling": (0, 0),
    "one_vs_rest": (0, 0),
    "folds_of_different_skew": (1, 0),
    "coverage": (0, 0),
    "hull_thresholds": (0, 0),
    "threshold_choice": (0, 0),
    "clinical_report": (0, 0),
    "alerts": (0, 0),
    "large_data": (0, 0),
    "davis_goadrich_figures": (1, 0),
    "boyd_figures": (2, 0),
}


def save_panel(figure, shown, path):
    """Save one of the axes of a figure, without legends."""
    for ax in figure.axes:
        if (legend := ax.get_legend()) is not None:
            legend.remove()
    for legend in figure.legends:
        legend.remove()
    if not shown.get_ylabel():  # the y axis is shared
        shown.set_ylabel(figure.axes[0].get_ylabel())
        shown.tick_params(labelleft=True)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for ax in figure.axes:
        ax.set_visible(ax is shown)
    box = shown.get_tightbbox().transformed(figure.dpi_scale_trans.inverted())
    figure.savefig(path, dpi=90, bbox_inches=box.padded(0.08), metadata={"Software": None})


def main(folder=HERE / "_static" / "thumbnails"):
    """Run all examples, and save a panel of each."""
    sys.path.insert(0, str(HERE.parent))
    folder.mkdir(exist_ok=True)
    for name, (number, place) in PANELS.items():
        plt.close("all")
        example = HERE.parent / "examples" / f"plot_{name}.py"
        runpy.run_path(str(example), run_name="picture")
        figure = plt.figure(plt.get_fignums()[number])
        save_panel(figure, figure.axes[place], folder / f"{name}.png")


if __name__ == "__main__":
    main()
