"""Cells of stacked tables know the title of their column.

On a phone, the cells of a row stand below each other and the header is hidden, so that a
cell such as "0.003" has no meaning without the title of its column.
"""

import re

from bs4 import BeautifulSoup

TABLE = re.compile(r"<table class=\"[^\"]*\bstacked\b.*?</table>", re.DOTALL)


def labeled(found):
    """The HTML of a table, with the titles of columns as labels of all cells but the first.

    A table of two columns needs none: the second cell answers the first.
    """
    table = BeautifulSoup(found[0], "html.parser")
    titles = [" ".join(each.get_text().split()) for each in table.select("thead th")]
    for row in table.select("tbody tr"):
        for title, cell in [*zip(titles, row.find_all("td"), strict=False)][1:]:
            if title and len(titles) > 2:
                cell["data-label"] = title
    return str(table)


def label_cells(app, pagename, templatename, context, doctree):
    """Add labels to the cells of the tables of a page."""
    if "body" in context:
        context["body"] = TABLE.sub(labeled, context["body"])


def setup(app):
    """Connect."""
    app.connect("html-page-context", label_cells)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
