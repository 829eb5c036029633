"""The gallery: order, alternative text of thumbnails, and boxes for wide pictures."""

import re
import struct
from pathlib import Path

import matplotlib
from docutils import nodes

# Models and thresholds first, then prevalence, classes, data sets, definitions, large data.
ORDER = (
    "model_selection",
    "threshold_choice",
    "clinical_report",
    "alerts",
    "downsampling",
    "one_vs_rest",
    "five_clinics",
    "definitions",
    "large_data",
    "papers",
)
WIDE = 720  # pixels; the text of wider pictures is too small on a phone


def order(name):
    """Position of an example in the gallery, by the name of its file."""
    return ORDER.index(name.removeprefix("plot_").removesuffix(".py"))


def enlarge_text(config, example):
    """Before each example: text that is readable on a phone."""
    matplotlib.rcParams.update({"font.size": 12, "figure.figsize": (5.4, 4.2)})


def title_of(script):
    """The heading of the docstring of an example."""
    lines = script.read_text("utf-8").splitlines()
    return next(line for line in lines if re.match(r"\w", line))


def name_thumbnails(app, doctree):
    """Use the title of an example as the alternative text of its thumbnail."""
    examples = Path(app.config.sphinx_gallery_conf["examples_dirs"])
    for image in doctree.findall(nodes.image):
        found = re.search(r"sphx_glr_(plot_\w+)_thumb", image["uri"])
        if found and not image.get("alt"):
            image["alt"] = title_of(examples / f"{found[1]}.py")


def width_of(picture):
    """Width in pixels, from the header of a PNG file."""
    return struct.unpack(">I", picture.read_bytes()[16:20])[0]


def box_pictures(app, doctree):
    """Put each picture of an example into a box; boxes of wide pictures scroll."""
    for image in list(doctree.findall(nodes.Element)):
        if image.get("class") == ["sphx-glr-single-img"]:
            wide = width_of(Path(app.srcdir, image["uri"].lstrip("/"))) > WIDE
            box = nodes.container(classes=["picture"] + ["wide"] * wide)
            image.replace_self(box)
            box += image


def setup(app):
    """Connect."""
    app.connect("doctree-read", name_thumbnails)
    app.connect("doctree-read", box_pictures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
