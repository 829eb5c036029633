"""The exact area and its hull beside scikit-learn's functions and the bare sort.

Medians of milliseconds on the same arrays in one run::

    python benchmarks/bench_area.py
"""

import numpy as np
import scipy
import sklearn
from _bench import (
    PREVALENCES,
    labels_and_scores,
    machine,
    medians,
    print_facts,
    print_table,
)
from sklearn.metrics import average_precision_score, precision_recall_curve

import sklearn_achievable_pr
from sklearn_achievable_pr import auc_pr_interpolated


def row(n_rows, prevalence):
    y_true, y_score = labels_and_scores(n_rows, prevalence)
    area, hull, steps, curve, sort = (
        1e3 * seconds
        for seconds in medians(
            lambda: auc_pr_interpolated(y_true, y_score),
            lambda: auc_pr_interpolated(y_true, y_score, curve="achievable"),
            lambda: average_precision_score(y_true, y_score),
            lambda: precision_recall_curve(y_true, y_score),
            lambda: np.sort(y_score),
        )
    )
    return {
        "n": n_rows,
        "prevalence": prevalence,
        "exact area": area,
        "achievable": hull,
        "average precision": steps,
        "precision_recall_curve": curve,
        "np.sort": sort,
        "AP / exact": steps / area,
        "achievable / exact": hull / area,
    }


if __name__ == "__main__":
    print_facts(machine(np, scipy, sklearn, sklearn_achievable_pr))
    print_table(
        "Milliseconds, untied float64 decision values",
        [row(n, prevalence) for n in (10**3, 10**5, 10**6) for prevalence in PREVALENCES],
    )
