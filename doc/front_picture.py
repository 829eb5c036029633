"""The picture of README and of the front page, from the main job in ``examples``.

``python doc/front_picture.py`` writes ``doc/_static/front_light.png`` and
``front_dark.png``. Run it when the example or the look of the display has changed.
"""

import runpy
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

HERE = Path(__file__).resolve().parent
STYLES = {"light": "default", "dark": "dark_background"}
# Lighter, so that they stand out on a dark ground; as far apart for every eye.
ON_DARK = {"random forest": "#2bd9a2", "tree": "#6cb8f0", "naive Bayes": "#ff9a4d"}
GROUND = {"figure.facecolor": "#14181e", "axes.facecolor": "#14181e"}  # the theme's own


def main(folder=HERE / "_static"):
    """Run the main job once, and draw it light and dark."""
    sys.path.insert(0, str(HERE.parent))
    job = runpy.run_path(
        str(HERE.parent / "examples" / "plot_model_selection.py"), run_name="picture"
    )
    plt.close("all")
    for look, style in STYLES.items():
        with plt.style.context([style, GROUND] if look == "dark" else style):
            if look == "dark":
                job["COLOURS"].update(ON_DARK)
            figure = job["draw"]()
            figure.savefig(
                folder / f"front_{look}.png", dpi=120, metadata={"Software": None}
            )
            plt.close(figure)


if __name__ == "__main__":
    main()
