"""Tables of numbers: long whole numbers in groups of three digits."""

import re

from docutils import nodes

NARROW_SPACE = "\u202f"


def group_digits(app, doctree):
    """Write 10000 and above with narrow spaces, in tables of the class `numbers`."""
    for table in doctree.findall(nodes.table):
        if "numbers" not in table["classes"]:
            continue
        for text in list(table.findall(nodes.Text)):
            grouped = re.sub(
                r"(?<![\w.])\d{5,}(?![\w.])",
                lambda found: f"{int(found[0]):,}".replace(",", NARROW_SPACE),
                text.astext(),
            )
            text.parent.replace(text, nodes.Text(grouped))


def setup(app):
    """Connect."""
    app.connect("doctree-read", group_digits)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
