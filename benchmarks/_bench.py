"""What the benchmarks share: data, medians of interleaved runs, tables, the machine."""

import platform
import statistics
import sys
import time
import tracemalloc

import numpy as np

PREVALENCES = (0.01, 0.1, 0.3, 0.5, 0.9)


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


def medians(*functions, seconds=0.4, at_least=3):
    """Median seconds of each function; they take turns, so that all meet the same noise.

    A turn lasts two milliseconds or one call, so that a call of a few microseconds is
    not measured by what the turn before it left in the processor's caches.
    """
    for function in functions:
        function()
    calls = [max(1, round(2e-3 / _seconds(function, 1))) for function in functions]
    turns = [[] for _ in functions]
    end = time.perf_counter() + seconds * len(functions)
    while len(turns[0]) < at_least or time.perf_counter() < end:
        for function, n_calls, taken in zip(functions, calls, turns, strict=True):
            taken.append(_seconds(function, n_calls))
    return [statistics.median(taken) for taken in turns]


def _seconds(function, n_calls):
    start = time.perf_counter()
    for _ in range(n_calls):
        function()
    return (time.perf_counter() - start) / n_calls


def peak_memory(function):
    """Bytes allocated at the worst moment of one call."""
    function()
    tracemalloc.start()
    function()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


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
    return facts


def print_facts(facts):
    """Print versions and machine on one line."""
    print(", ".join(f"{name} {value}" for name, value in facts.items()))


def print_table(title, rows):
    """Rows are dicts with the same keys; numbers get four significant digits."""
    print(f"\n{title}")
    cells = [[cell(value) for value in row.values()] for row in rows]
    head = list(rows[0])
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    for line in (head, *cells):
        print("  ".join(f"{cell:>{w}}" for cell, w in zip(line, widths, strict=True)))
    sys.stdout.flush()


def cell(value):
    """Text of a table's entry."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
