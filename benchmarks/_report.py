"""Tables and command line of the benchmarks.

A benchmark creates a `Report` and adds tables to it::

    report = Report(command_line(__doc__), numpy, sklearn)
    report.table("speed", "Milliseconds", [{"n": n, "ms": ...} for n in sizes])
    report.close()

Every benchmark has the options `--quick` and `--out DIR`.
"""

import argparse
import csv
import os
import platform
import sys
from pathlib import Path


class Report:
    """Tables, printed when added, and written to files at the end.

    Parameters
    ----------
    options : argparse.Namespace
        Result of `command_line`.
    modules : modules
        Modules whose versions are printed, after a description of the machine.
    facts : anything
        Further information to print.
    """

    def __init__(self, options, *modules, **facts):
        self.out, self.tables = options.out, {}
        facts = machine(*modules) | facts
        print(", ".join(f"{name} {value}" for name, value in facts.items()))

    def table(self, name, title, rows):
        """Add a table of dicts with the same keys; numbers get four significant digits."""
        self.tables[name] = rows
        print(f"\n{title}")
        cells = [[cell(value) for value in row.values()] for row in rows]
        head = list(rows[0])
        widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
        for line in (head, *cells):
            print("  ".join(f"{cell:>{w}}" for cell, w in zip(line, widths, strict=True)))
        sys.stdout.flush()
        return rows

    def close(self):
        """Write each table to a CSV file in the folder `--out`."""
        if not self.out:
            return
        self.out.mkdir(parents=True, exist_ok=True)
        for name, rows in self.tables.items():
            with open(self.out / f"{name}.csv", "w", newline="") as file:
                writer = csv.DictWriter(file, list(rows[0]))
                writer.writeheader()
                writer.writerows(
                    {key: cell(value) for key, value in row.items()} for row in rows
                )
        print(f"\nWritten to {self.out}")


def cell(value):
    """Text of an entry of a table."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def machine(*modules):
    """Versions and machine, as a dict of strings."""
    facts = {"machine": platform.machine(), "system": platform.system()}
    facts["python"] = platform.python_version()
    facts |= {module.__name__: module.__version__ for module in modules}
    try:
        with open("/proc/cpuinfo") as lines:
            names = (line for line in lines if line.startswith("model name"))
            facts["processor"] = next(names).split(":")[1].strip()
    except (OSError, StopIteration):
        facts["processor"] = platform.processor() or "unknown"
    name = "NPY_DISABLE_CPU_FEATURES"
    return facts | ({name: os.environ[name]} if name in os.environ else {})


def command_line(doc, **further):
    """Parsed options: `--quick`, `--out`, and `further` with keywords of `add_argument`."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, a minute")
    parser.add_argument("--out", type=Path, metavar="DIR", help="for CSV files")
    for name, settings in further.items():
        parser.add_argument(f"--{name.replace('_', '-')}", **settings)
    return parser.parse_args()
