"""Time of every public call of one or two scores without resampling, in areas.

An area is the time of `auc_pr_interpolated` on the same labels and scores, without weights,
in the same run: medians of alternating runs, one in ten samples positive::

    python benchmarks/speed/calls.py [--quick] [--out DIR]

How long the system takes for fresh memory differs between machines. With these settings of
glibc freed memory is kept, and the times are those of the calls alone::

    export MALLOC_MMAP_THRESHOLD_=4000000000 MALLOC_TRIM_THRESHOLD_=4000000000

Clusters have three samples on average. Tables have three rows. Averages are over two
labels. A threshold with `order_from`, and a selection from new scores, take twice as many
samples.

With `--tree`, the same calls are timed with the package that this program imports and with
that of another checkout::

    python benchmarks/speed/calls.py --tree PATH [--only TEXT] [--quick] [--out DIR]

Each tree has a process of one thread that keeps freed memory. The two take turns, each of
some milliseconds of CPU time, which other programs on the machine disturb less than wall
time. The ratio is the median of the ratios of turns that follow each other. Rows whose
ratio is above 1.05 are timed again, for longer and in new processes, and marked if their
ratio still is. `--only` chooses the rows whose call and options contain a text. A call that
one of the trees does not have is marked.
"""

import argparse
import os
import statistics
import subprocess
import sys
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import scipy
import sklearn
from _bench import (
    Report,
    command_line,
    cpu_seconds_of,
    labels_and_scores,
    medians,
    turns,
    weights,
)

import sklearn_achievable_pr as pr

PREVALENCE = 0.1
HIGHEST_RATIO = 1.05  # of the times of two trees; higher ratios are marked
TOO_HIGH = f"above {HIGHEST_RATIO}"
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
KEPT_MEMORY = {f"MALLOC_{name}_THRESHOLD_": "4000000000" for name in ("MMAP", "TRIM")}


def calls(n_samples):
    """Dict from the name of a call, and what else it is given, to a function."""
    y, s = labels_and_scores(n_samples, PREVALENCE)
    rng = np.random.default_rng(1)
    other = s + rng.normal(size=n_samples)
    further_y, further_s = labels_and_scores(n_samples, PREVALENCE, seed=2)
    one = {"y_true": y, "y_score": s}
    two = {"y_true": y, "y_score_a": s, "y_score_b": other}
    models = {"y_true": y, "y_scores": {"a": s, "b": other}}
    subgroups = one | {"by": rng.integers(2, size=n_samples)}
    at_recall, at_precision = one | {"recall": 0.8}, one | {"precision": 0.3}
    at_fpr = one | {"fpr": 0.1}
    at_thresholds = one | {"thresholds": [0.0, 1.0, 2.0]}
    at_k = one | {"k": [n_samples // 100, n_samples // 20, n_samples // 10]}

    probabilities = {"y_true": y, "y_score": 1 / (1 + np.exp(-s))}
    benefit = {"thresholds": [0.2, 0.5, 0.8], "net_benefit": True}
    labels = {"y_true": np.column_stack((y, further_y))}
    of_labels = labels | {"y_score": np.column_stack((s, further_s))}
    others = np.column_stack((other, further_s))
    models_of_labels = labels | {"y_scores": {"a": of_labels["y_score"], "b": others}}
    # Comparisons of a rate are at one operating point.
    rates = {
        "at recall": {"metric": "precision_at_recall", "at": 0.8},
        "at FPR": {"metric": "recall_at_fpr", "at": 0.1},
        "at k": {"metric": "precision_at_k", "at": n_samples // 10},
        "at threshold": {"metric": "recall_at_threshold", "at": 1.0},
    }

    plain = {"": {}}
    hull, prevalence = {"curve": "achievable"}, {"prevalence": 0.2}
    weight = {"sample_weight": weights(n_samples)}
    clusters = {"groups": rng.integers(n_samples // 3, size=n_samples)}
    # A guarantee needs several samples of the largest weight.
    of_three_weights = {"sample_weight": rng.choice([1.0, 2.0, 4.0], n_samples)}
    weighted = plain | {"weights": weight}
    reweighted = weighted | {"prevalence": prevalence}
    curves = reweighted | {"hull": hull}
    both = {"clusters": clusters, "weights and clusters": weight | clusters}
    designs = weighted | both
    metrics = {
        "AUCNPR": {"metric": "aucnpr"},
        "AP": {"metric": "average_precision"},
        "normalized AP": {"metric": "normalized_average_precision"},
    }
    of_precision = {"min_precision": 0.12, "confidence_level": 0.8, "random_state": 0}
    rules = reweighted | {
        "constraint": {"min_recall": 0.8},
        "constraint, prevalence": {"min_recall": 0.8, **prevalence},
        "guaranteed recall": {"min_recall": 0.5, "confidence_level": 0.8},
        "guaranteed precision": of_precision,
        "guaranteed precision, order_from": of_precision
        | {"order_from": (further_y, further_s)},
        "guaranteed NPV": {
            "objective": "specificity",
            "min_npv": 0.85,
            "confidence_level": 0.8,
            "random_state": 0,
        },
        "guaranteed FPR": {"max_fpr": 0.2, "confidence_level": 0.8},
        "guaranteed selection rate": {
            "objective": "recall",
            "max_selection_rate": 0.2,
            "confidence_level": 0.8,
        },
    }
    guarantees = {key: rule for key, rule in rules.items() if "guaranteed" in key}
    for name, units in (("clusters", clusters), ("weights", of_three_weights)):
        rules |= {f"{key}, {name}": rule | units for key, rule in guarantees.items()}
    averages = {name: {"average": name} for name in ("macro", "weighted", "micro")}
    averages_of_clusters = averages | {"macro, clusters": clusters}

    table = [
        ("auc_pr_interpolated", "", one, curves),
        ("auc_pr_interpolated", "labels", of_labels, averages),
        ("aucnpr", "", one, curves),
        ("auprg_score", "", one, curves),
        ("normalized_average_precision_score", "", one, weighted),
        ("pr_curve_interpolated", "", one, reweighted),
        ("achievable_pr_curve", "", one, reweighted),
        ("pr_gain_curve", "", one, curves),
        ("roc_convex_hull", "", one, weighted),
        ("dominates", "", two, weighted),
        ("precision_at_recall", "", at_recall, curves),
        ("recall_at_precision", "", at_precision, curves),
        ("recall_at_fpr", "", at_fpr, weighted | {"hull": hull}),
        ("precision_at_k", "", at_k, reweighted),
        ("recall_at_k", "", at_k, reweighted),
        ("f1_above_chance_score", "", {"y_true": y, "y_pred": s > 1}, weighted),
        ("summary_pr_curve", "", {"y_true": [y], "y_score": [s]}, plain),
        ("summary_auc_pr", "", {"y_true": [y], "y_score": [s]}, plain),
        ("auc_pr_influence", "", one, reweighted),
        ("auc_pr_interval", "", one, reweighted | both | metrics),
        ("auc_pr_interval", "labels", of_labels, averages_of_clusters),
        ("compare_models", "", models, reweighted | both | metrics | rates),
        ("compare_models", "labels", models_of_labels, averages_of_clusters),
        ("compare_subgroups", "", subgroups, designs | rates),
        ("operating_point_interval", "recall", at_recall, reweighted | both),
        ("operating_point_interval", "precision", at_precision, reweighted | both),
        ("operating_point_interval", "fpr", at_fpr, designs),
        ("threshold_table", "thresholds", at_thresholds, reweighted | both),
        ("threshold_table", "k", at_k, designs),
        ("threshold_table", "net benefit", probabilities | benefit, reweighted | both),
        ("choose_threshold", "", one, rules),
        ("select_positives", "", one | {"new_score": further_s, "max_fdr": 0.5}, plain),
    ]
    return {
        (name, ", ".join(filter(None, (at, further)))): partial(
            getattr(pr, name, not_in_this_tree), **data, **options
        )
        for name, at, data, variants in table
        for further, options in variants.items()
    }


def not_in_this_tree(**options):
    """In place of a public function that another version of the package does not have."""
    raise NotImplementedError("no such function")


def in_areas(sizes):
    """Rows of the table: a call, its milliseconds at the first size, and its areas."""
    rows = {}
    for n_samples in sizes:
        of_size = calls(n_samples)
        every = of_size.values()
        area, *seconds = medians(next(iter(every)), *every, seconds=0.15)
        for (name, given), time in zip(of_size, seconds, strict=True):
            row = rows.setdefault((name, given), {"call": name, "with": given})
            row.setdefault(f"ms at {sizes[0]}", 1e3 * time)
            row[f"areas at {n_samples}"] = time / area
    return [*rows.values()]


class Tree:
    """The calls on `n_samples` samples, in a process that imports from `folder`."""

    def __init__(self, folder, n_samples):
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--serve", str(n_samples)],
            env=os.environ | ONE_THREAD | KEPT_MEMORY | {"PYTHONPATH": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        imported = Path(self.process.stdout.readline().strip())
        if not imported.is_relative_to(folder):
            raise RuntimeError(f"{imported} was imported, not the package of {folder}.")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.communicate()  # the end of its input ends the process

    def seconds_of(self, row, n_calls=1):
        """Mean CPU seconds of `n_calls` calls of a row of the table."""
        self.process.stdin.write(f"{row} {n_calls}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        try:
            return float(answer)
        except ValueError:
            raise RuntimeError(answer or "The process ended.") from None


def serve(n_samples):
    """Answer each line `row n_calls` of the input with seconds, or with an error."""
    print(pr.__file__, flush=True)
    every = [*calls(n_samples).values()]
    for line in sys.stdin:
        row, n_calls = map(int, line.split())
        try:
            print(cpu_seconds_of(every[row], n_calls), flush=True)
        except Exception as error:
            print(f"{type(error).__name__}: {error}".splitlines()[0], flush=True)


def rows_of_trees(there, n_samples, only):
    """Rows of the table of two trees: milliseconds of each, and their ratio."""
    names = [*calls(n_samples)]
    chosen = [i for i, name in enumerate(names) if only in " ".join(name)]
    if not chosen:
        sys.exit(f"No row has the text {only!r}.")
    entries = entries_of(there, n_samples, chosen)
    high = [i for i in chosen if entries[i]["remark"] == TOO_HIGH]
    entries |= entries_of(there, n_samples, high, seconds=4)
    return [dict(zip(("call", "with"), names[i], strict=True)) | entries[i] for i in chosen]


def entries_of(there, n_samples, rows, seconds=0.4):
    """Dict from each of the rows, given by its number, to its times in both trees."""
    here = Path(pr.__file__).parents[1]
    with Tree(here, n_samples) as this, Tree(there, n_samples) as other:
        return {row: times_in(this, other, row, seconds) for row in rows}


def times_in(this, other, row, seconds):
    """Times of one row in two trees, or how it fails in one of them."""
    for tree, where in ((this, "here"), (other, "there")):
        try:
            tree.seconds_of(row)
        except RuntimeError as error:
            remark = f"fails {where}: {error}"
            return {"ms here": "", "ms there": "", "ratio": "", "remark": remark}
    here, there = turns(
        partial(this.seconds_of, row),
        partial(other.seconds_of, row),
        seconds=seconds,
        at_least=5,
        timed=lambda seconds_of, n_calls=1: seconds_of(n_calls),
    )
    ratio = statistics.median(a / b for a, b in zip(here, there, strict=True))
    return {
        "ms here": 1e3 * statistics.median(here),
        "ms there": 1e3 * statistics.median(there),
        "ratio": ratio,
        "remark": TOO_HIGH if ratio > HIGHEST_RATIO else "",
    }


def main():
    options = command_line(
        __doc__,
        tree={"type": Path, "metavar": "PATH", "help": "another checkout to compare with"},
        only={"default": "", "metavar": "TEXT", "help": "rows of `--tree` with this text"},
        serve={"type": int, "help": argparse.SUPPRESS},
    )
    # Few samples have intervals that are not nominal, and say so.
    warnings.simplefilter("ignore", pr.CoverageWarning)
    sizes = (300, 10**4) if options.quick else (300, 10**4, 10**5, 10**6)
    if options.serve:
        serve(options.serve)
    elif options.tree:
        report = Report(options, np, scipy, sklearn, clock="CPU time")
        for n_samples in sizes:
            title = f"{n_samples} samples: median milliseconds of CPU time, one thread"
            rows = rows_of_trees(options.tree.resolve(), n_samples, options.only)
            report.table(f"calls_of_trees_{n_samples}", title, rows)
        report.close()
    else:
        report = Report(options, np, scipy, sklearn, pr)
        report.table("calls", "Time of public calls", in_areas(sizes))
        report.close()


if __name__ == "__main__":
    main()
