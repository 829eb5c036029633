"""Widths of 95 % intervals of rates at a cut that moves, in ordinary populations.

Scores of negatives are standard normal, and those of positives are higher. Samples are
independent, have weights, or come in clusters of three with a common shift of the scores.
With `--tree`, the same data sets are also given to the package in another checkout. Prints
one row for each rate and design: the mean width over data sets and populations and, with
`--tree`, that of the other checkout and the lowest and highest ratio in a population::

    python benchmarks/simulations/rate_widths.py [--quick] [--repetitions 200]
        [--tree PATH] [--out DIR]
"""

import argparse
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line

import sklearn_achievable_pr as pr

# Samples, prevalence, shift of the positives' scores, and step of rounded scores.
POPULATIONS = [
    (300, 0.3, 1.0, 0.0),
    (500, 0.5, 1.0, 0.0),
    (1000, 0.1, 1.5, 0.0),
    (1000, 0.1, 1.5, 0.5),
    (5000, 0.02, 2.0, 0.0),
]
DESIGNS = ("independent", "clusters", "weights")


def draw(rng, design, n_samples, prevalence, shift, step):
    """Labels, scores and the keywords of the design."""
    y_true = rng.random(n_samples) < prevalence
    y_score, options = rng.normal(size=n_samples) + shift * y_true, {}
    if design == "clusters":
        groups = np.arange(n_samples) // 3
        y_score += rng.normal(scale=0.5, size=n_samples // 3 + 1)[groups]
        options = {"groups": groups}
    elif design == "weights":
        options = {"sample_weight": rng.uniform(0.5, 2, n_samples)}
    if step:
        y_score = step * np.round(y_score / step)
    return y_true.astype(int), y_score, options


def widths_of(y_true, y_score, options, prevalence):
    """Dict from a rate to the width of its interval."""
    points = {
        "precision at recall 0.8": {"recall": 0.8},
        "recall at a precision": {"precision": (1 + prevalence) / 2},
        "recall at FPR 0.1": {"fpr": 0.1},
    }
    widths = {}
    for name, point in points.items():
        result = pr.operating_point_interval(y_true, y_score, **point, **options)
        widths[name] = result.confidence_interval.high - result.confidence_interval.low
    table = pr.threshold_table(y_true, y_score, k=prevalence, **options).to_dict()
    for rate in ("precision", "recall"):
        ends = (table[f"{rate}_{end}"][0] for end in ("high", "low"))
        widths[f"{rate} at k"] = float(np.subtract(*ends))
    return widths


def mean_widths(repetitions):
    """Dict from a design and a rate, in one text, to the mean width in each population."""
    warnings.simplefilter("ignore", pr.CoverageWarning)
    means = {}
    for design in DESIGNS:
        for seed, population in enumerate(POPULATIONS):
            rng = np.random.default_rng(seed)
            found = [
                widths_of(*draw(rng, design, *population), population[1])
                for _ in range(repetitions)
            ]
            for rate in found[0]:
                of_rate = means.setdefault(f"{design}: {rate}", [])
                of_rate.append(np.mean([widths[rate] for widths in found]))
    return means


def mean_widths_in(tree, repetitions):
    """Version of the package in another checkout, and its result of `mean_widths`."""
    answer = subprocess.run(
        [sys.executable, __file__, "--serve", "--repetitions", str(repetitions)],
        env=os.environ | {"PYTHONPATH": str(tree)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(answer.stdout)


def main():
    options = command_line(
        __doc__,
        repetitions={"type": int, "default": 200},
        tree={"type": Path, "metavar": "PATH", "help": "another checkout to compare with"},
        serve={"action": "store_true", "help": argparse.SUPPRESS},
    )
    repetitions = 5 if options.quick else options.repetitions
    here = mean_widths(repetitions)
    if options.serve:
        print(json.dumps([pr.__version__, here]))
        return
    version, there = None, {}
    if options.tree:
        version, there = mean_widths_in(options.tree, repetitions)
    rows = []
    for name, widths in here.items():
        design, rate = name.split(": ")
        rows.append({"rate": rate, "samples": design, "mean width": np.mean(widths)})
        if there:
            ratios = np.array(widths) / there[name]
            rows[-1] |= {
                f"mean width of {version}": np.mean(there[name]),
                "lowest ratio": ratios.min(),
                "highest ratio": ratios.max(),
            }
    rows.sort(key=lambda row: row["rate"])
    report = Report(options, np, scipy, sklearn, pr, repetitions=repetitions)
    report.table("rate_widths", "Mean width of 95 % intervals", rows)
    report.close()


if __name__ == "__main__":
    main()
