"""Draw the pictures of README and of the front page from the example on model selection.

``python doc/front_picture.py`` writes ``front_light.png`` for README into ``doc/_static``,
and its two panels, light and dark, for the front page, where they are side by side or, on
a narrow screen, below each other. Run it when the example or the display has changed.
"""

import runpy
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

HERE = Path(__file__).resolve().parent
STYLES = {"light": "default", "dark": "dark_background"}
# Lighter variants for a dark background, also distinguishable for color-blind readers.
DARK_COLORS = {
    "random forest": "#2bd9a2", "logistic regression": "#6cb8f0", "tree": "#ff9a4d"
}  # fmt: skip
BACKGROUND = {"figure.facecolor": "#14181e", "axes.facecolor": "#14181e"}  # as the theme


def main(folder=HERE / "_static"):
    """Run the main job once, and draw it light and dark."""
    sys.path.insert(0, str(HERE.parent))
    job = runpy.run_path(
        str(HERE.parent / "examples" / "plot_model_selection.py"), run_name="picture"
    )
    plt.close("all")
    for look, style in STYLES.items():
        with plt.style.context([style, BACKGROUND] if look == "dark" else style):
            if look == "dark":
                job["COLORS"].update(DARK_COLORS)
            pictures = {
                f"front_curves_{look}": job["draw"](job["draw_curves"]),
                f"front_differences_{look}": job["draw"](job["draw_differences"]),
            }
            if look == "light":
                panels = job["draw_curves"], job["draw_differences"]
                pictures["front_light"] = job["draw"](*panels)
            for name, figure in pictures.items():
                figure.savefig(folder / f"{name}.png", dpi=120, metadata={"Software": None})
                plt.close(figure)


if __name__ == "__main__":
    main()
