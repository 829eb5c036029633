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
from matplotlib.gridspec import GridSpec

HERE = Path(__file__).resolve().parent
# Figure and axes of each example, counted from 0.
PANELS = {
    "model_selection": (0, 0),
    "threshold_choice": (0, 0),
    "clinical_report": (0, 0),
    "alerts": (0, 0),
    "downsampling": (0, 0),
    "one_vs_rest": (0, 0),
    "five_clinics": (1, 0),
    "definitions": (1, 0),
    "large_data": (0, 0),
    "papers": (5, 0),
}
# A card shows the picture about 4 inches wide; the text is that of the page around it.
SIZE = (4.0, 2.8)
TEXT = {"ticks": 13, "labels": 14, "others": 13}


def save_panel(figure, shown, path):
    """Save one of the axes of a figure, without legends and title, with large text."""
    # A shared axis has its label in another panel.
    shown.set_ylabel(shown.get_ylabel() or figure.axes[0].get_ylabel())
    shown.set_xlabel(shown.get_xlabel() or figure.axes[-1].get_xlabel())
    for legend in [*figure.legends, *(ax.get_legend() for ax in figure.axes)]:
        if legend is not None:
            legend.remove()
    for ax in figure.axes:
        if ax is not shown:
            ax.remove()
    figure.suptitle("")
    shown.set_title("")
    shown.set_title("", loc="left")
    shown.set_subplotspec(GridSpec(1, 1, figure)[0])
    shown.set_aspect("auto")
    shown.tick_params(labelsize=TEXT["ticks"], labelleft=True, labelbottom=True)
    for axis in (shown.xaxis, shown.yaxis):
        axis.label.set_size(TEXT["labels"])
        name = axis.label.get_text().replace("\n", " ").split(" (")[0]
        axis.label.set_text(name)
    for text in shown.texts:
        text.set_size(TEXT["others"])
    figure.set_size_inches(SIZE)
    figure.set_layout_engine("constrained")
    figure.savefig(path, dpi=150, metadata={"Software": None})


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
