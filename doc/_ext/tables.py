"""Tables of measured numbers.

``.. measured:: coverage.csv`` shows a file of ``doc/benchmark``. ``:columns:`` chooses and
names columns; ``:part:`` is the part of cells such as ``0.95/0.48`` that is shown, 1 or 2.
Long integers in such tables are grouped by three digits. All numbers of a column have the
same number of decimals, at most ``:decimals:`` (3), or more if the largest number has fewer
than three significant digits then. Numbers of a column that spans three decades or more, up
to 10 or above, have three significant digits. Columns of text are aligned to the left.
"""

import csv
import io
import math
import re
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.parsers.rst.directives.tables import CSVTable

NARROW_SPACE = "\u202f"
FOLDER = Path(__file__).parents[1] / "benchmark"


def rows_of(name):
    """One dict per row of a CSV file."""
    with open(FOLDER / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def chosen_columns(rows, columns):
    """Key and title of each column that is shown."""
    if columns is None:
        return {key: key for key in rows[0]}
    pairs = (" ".join(entry.split()).partition("=") for entry in columns.split(","))
    return {key.strip(): title.strip() or key.strip() for key, _, title in pairs}


def cell_text(text, part):
    """A cell, or one part of it if it consists of two numbers.

    The error of a number, 0.472(32), is written as in 0.472 +- 0.032.
    """
    number = r"[-+]?\d[\d.]*(?:\(\d+\))?"
    pieces = re.fullmatch(f"({number})/({number})", str(text))
    if text == "-":  # a list item in reStructuredText
        return "\N{EN DASH}"
    text = pieces[part] if part and pieces else str(text)
    return re.sub(r"([-+]?\d+\.(\d+))\((\d+)\)", _with_error, text)


def _with_error(found):
    decimals = len(found[2])
    return f"{found[1]} \N{PLUS-MINUS SIGN} {int(found[3]) / 10**decimals:.{decimals}f}"


def even_digits(cells, most=3):
    """The cells of a column, its numbers with the same number of decimals."""
    numbers = [cell for cell in cells if cell not in ("", "\N{EN DASH}")]
    found = [re.fullmatch(r"-?\d+(?:\.(\d+))?(e[-+]\d+)?", cell) for cell in numbers]
    if not all(found) or not any(match[1] for match in found):
        return cells  # text or integers
    own = max(len(match[1] or "") for match in found)
    sizes = [abs(float(cell)) for cell in numbers]
    if max(sizes) >= max(10, 1000 * min(filter(None, sizes), default=0)):
        return [three_digits(cell) if cell in numbers else cell for cell in cells]
    decimals = min(own, decimals_of(sizes, most))
    return [f"{float(cell):.{decimals}f}" if cell in numbers else cell for cell in cells]


def three_digits(cell):
    """A number with three significant digits; an integer keeps all of its digits."""
    size = abs(float(cell))
    decimals = max(0, 2 - math.floor(math.log10(size))) if size else 0
    return f"{float(cell):.{decimals}f}"


def decimals_of(sizes, most):
    """Number of decimals of a column of numbers, at most `most` where this is enough."""
    largest = max(sizes)
    if 0.02 <= largest < 10:
        return most
    if largest == 0:
        return 0
    least = min(size for size in sizes if size)
    # Three significant digits of the largest number, or two of the smallest.
    enough = max(0, 2 - math.floor(math.log10(largest)))
    return max(enough, min(most, 1 - math.floor(math.log10(least))))


def is_text(cell):
    """Whether a cell has words, other than the "to" of a range."""
    return bool(re.search(r"[^\W\d_]{2,}", re.sub(r"\bto\b|\binf\b", "", cell)))


class Measured(CSVTable):
    """Table of a measured result."""

    option_spec = CSVTable.option_spec | {
        "columns": directives.unchanged,
        "part": directives.positive_int,
        "decimals": directives.positive_int,
    }

    def run(self):
        """Read the file and make a table with a header."""
        self.measured_file = self.arguments.pop()
        self.options["header-rows"] = 1
        self.options.setdefault("class", []).append("numbers")
        found = super().run()
        for row in found[0].findall(nodes.row):
            for cell, with_words in zip(row.children, self.with_words, strict=True):
                cell["classes"] += ["text"] * with_words
        return found

    def get_csv_data(self):
        """Lines of CSV, and where they come from."""
        rows = rows_of(self.measured_file)
        columns = chosen_columns(rows, self.options.get("columns"))
        lines = io.StringIO()
        writer = csv.writer(lines)
        writer.writerow(columns.values())
        shown = [
            even_digits(
                [cell_text(row[key], self.options.get("part")) for row in rows],
                self.options.get("decimals", 3),
            )
            for key in columns
        ]
        writer.writerows(zip(*shown, strict=True))
        self.with_words = [any(map(is_text, column)) for column in shown]
        source = str(FOLDER / self.measured_file)
        self.state.document.settings.record_dependencies.add(source)
        return lines.getvalue().splitlines(), source


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
    app.add_directive("measured", Measured)
    app.connect("doctree-read", group_digits)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
