"""Tables of measured numbers.

``.. measured:: coverage.csv`` shows a file of ``doc/benchmark``. ``:columns:`` chooses and
names columns; ``:part:`` is the part of cells such as ``0.95/0.48`` that is shown, 1 or 2.
Long integers in such tables are grouped by three digits. Numbers of one column have the
same number of decimals, at most ``:decimals:`` (3), or three significant digits if the
largest is below 0.05 or 10 and more.
"""

import csv
import io
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
    """A cell, or one part of it if it consists of two numbers."""
    number = r"[-+]?\d[\d.]*(?:\(\d+\))?"
    pieces = re.fullmatch(f"({number})/({number})", str(text))
    if text == "-":  # a list item in reStructuredText
        return "\N{EN DASH}"
    return pieces[part] if part and pieces else str(text)


def even_digits(cells, most=3):
    """The cells of a column, its numbers with the same number of digits."""
    numbers = [cell for cell in cells if cell not in ("", "\N{EN DASH}")]
    found = [re.fullmatch(r"-?\d+(?:\.(\d+))?(e-\d+)?", cell) for cell in numbers]
    if not all(found) or not any(match[1] for match in found):
        return cells  # text or integers
    if 0.05 <= max(abs(float(cell)) for cell in numbers) < 10:
        form = f".{min(max(len(match[1] or '') for match in found), most)}f"
    else:
        form = "#.3g"
    return [
        f"{float(cell):{form if abs(float(cell)) < 100 else '.0f'}}"
        if cell in numbers
        else cell
        for cell in cells
    ]


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
        return super().run()

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
