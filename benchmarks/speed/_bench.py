"""Shared functions of the benchmarks of speed: data, time, memory, tables, command line."""

import statistics
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np

# A script finds the modules of its own folder only.
sys.path.append(str(Path(__file__).parents[1]))

from _report import Report, command_line

__all__ = [
    "PREVALENCES",
    "Report",
    "command_line",
    "cpu_seconds_of",
    "labels_and_scores",
    "medians",
    "peak_memory",
    "seconds_of",
    "weights",
]

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
