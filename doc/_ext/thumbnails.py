"""Thumbnails of the gallery have the example's title as their text."""

import re
from pathlib import Path

from docutils import nodes


def title_of(script):
    """The heading in the docstring that an example starts with."""
    lines = script.read_text("utf-8").splitlines()
    return next(line for line in lines if re.match(r"\w", line))


def name_thumbnails(app, doctree):
    """Give each thumbnail without a text the title of its example."""
    examples = Path(app.config.sphinx_gallery_conf["examples_dirs"])
    for image in doctree.findall(nodes.image):
        found = re.search(r"sphx_glr_(plot_\w+)_thumb", image["uri"])
        if found and not image.get("alt"):
            image["alt"] = title_of(examples / f"{found[1]}.py")


def setup(app):
    """Connect."""
    app.connect("doctree-read", name_thumbnails)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
