"""Shared functions of the benchmarks: data, timing, memory, tables, the command line.

A benchmark creates a `Report` and adds tables to it::

    report = Report("name", command_line(__doc__), numpy, sklearn)
    report.table("speed", "Milliseconds", [{"n": n, "ms": ...} for n in sizes])
    report.close()

Every benchmark has the options `--quick` and `--out DIR`.
"""

import argparse
import csv
import json
import os
import platform
import statistics
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np

PREVALENCES = (0.01, 0.1, 0.3, 0.5, 0.9)


# Data


def labels_and_scores(n_rows, prevalence, kind="decision float64", seed=0):
    """Untied normal scores, one standard deviation higher for the positives."""
    rng = np.random.default_rng(seed)
    y_true = rng.random(n_rows) < prevalence
    y_true[:2] = False, True
    y_score = rng.normal(size=n_rows) + y_true
    shape, dtype = kind.split()
    if shape == "probability":
        y_score = 1 / (1 + np.exp(-y_score))
    return y_true.astype(np.int64), y_score.astype(dtype)


def weights(n_rows, seed=1):
    """Fractional weights around 1."""
    return np.random.default_rng(seed).uniform(0.5, 2, n_rows)


def rare_events(n_rows, n_features=20, seed=0):
    """Noisy features and labels, about 2 % positive."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features))
    return X, (X[:, :5].sum(axis=1) + 2 * rng.normal(size=n_rows) > 6).astype(int)


# Time and memory


def seconds_of(function, n_calls=1, clock=time.perf_counter):
    """Mean seconds of `n_calls` calls."""
    start = clock()
    for _ in range(n_calls):
        function()
    return (clock() - start) / n_calls


def cpu_seconds_of(function, n_calls=1):
    """Mean CPU seconds of `n_calls` calls, of all threads of this process."""
    return seconds_of(function, n_calls, time.process_time)


def turns(*functions, seconds=0.4, at_least=3, timed=seconds_of):
    """Seconds of each turn of each function; turns alternate, so that noise is shared.

    A turn lasts at least two milliseconds or one call. It can take a third longer after the
    turn of a function that replaces much of the caches, so the order is random in each
    round. `timed(function, n_calls)` returns the mean seconds of calls.
    """
    for function in functions:
        timed(function)
    calls = [max(1, round(2e-3 / timed(function))) for function in functions]
    taken = [[] for _ in functions]
    end = time.perf_counter() + seconds * len(functions)
    rng = np.random.default_rng(0)
    while len(taken[0]) < at_least or time.perf_counter() < end:
        for i in rng.permutation(len(functions)):
            taken[i].append(timed(functions[i], calls[i]))
    return taken


def medians(*functions, seconds=0.4, at_least=3):
    """Median seconds of each function, from `turns`."""
    return [
        statistics.median(taken)
        for taken in turns(*functions, seconds=seconds, at_least=at_least)
    ]


def peak_memory(function):
    """Peak of the bytes allocated during one call."""
    function()
    tracemalloc.start()
    function()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


# Printed and written results


class Report:
    """Tables, printed when added, and written with a description of the machine at the end.

    Parameters
    ----------
    name : str
        Name of the JSON file.
    options : argparse.Namespace
        Result of `command_line`.
    modules : modules
        Modules whose versions are recorded.
    facts : anything
        Further information to record.
    """

    def __init__(self, name, options, *modules, **facts):
        self.name, self.out = name, options.out
        self.facts = machine(*modules) | facts
        self.tables = {}
        print(", ".join(f"{name} {value}" for name, value in self.facts.items()))

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
        """Write all tables to one JSON file and to CSV files in the folder `--out`."""
        if not self.out:
            return
        self.out.mkdir(parents=True, exist_ok=True)
        with open(self.out / f"{self.name}.json", "w") as file:
            json.dump({"machine": self.facts, "tables": self.tables}, file, indent=1)
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
    parser.add_argument("--out", type=Path, metavar="DIR", help="for JSON and CSV files")
    for name, settings in further.items():
        parser.add_argument(f"--{name.replace('_', '-')}", **settings)
    return parser.parse_args()
