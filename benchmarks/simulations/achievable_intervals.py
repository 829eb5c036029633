"""Percentile intervals of the achievable AUC-PR: coverage and bias.

Draws many data sets from populations with a known AUC-PR. Their scores are normal with one
standard deviation in both classes, so the ROC curve of the population is its own convex
hull, and the achievable AUC-PR of the population is the AUC-PR. On each data set both
intervals are computed: the percentile interval of the achievable AUC-PR, and the beta
interval of the AUC-PR. Prints the share of the intervals that contain the true value, and
the mean of the estimates minus this value::

    python benchmarks/simulations/achievable_intervals.py [--quick] [--repetitions 300]
"""

import warnings

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, monte_carlo_error
from coverage import independent, population

import sklearn_achievable_pr
from sklearn_achievable_pr import auc_pr_interval

PREVALENCE = 0.1
POSITIVES = (20, 60, 200)
AREAS = (0.3, 0.6, 0.9)
N_RESAMPLES = 299


def coverage(n_pos, area, repetitions):
    """Coverage and bias of both metrics, on the same data sets."""
    rng, there = np.random.default_rng(0), population(PREVALENCE, area)
    n = round(n_pos / PREVALENCE)
    results = {"achievable_auc_pr": [], "auc_pr_interpolated": []}
    for _ in range(repetitions):
        y_true, y_score, _ = independent(rng, there, n)
        for metric, each in results.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                each.append(
                    auc_pr_interval(
                        y_true,
                        y_score,
                        metric=metric,
                        n_resamples=N_RESAMPLES,
                        random_state=rng,
                    )
                )
    row = {"positives": n_pos, "samples": n, "AUC-PR": area}
    for metric, each in results.items():
        limits = np.transpose([result.confidence_interval for result in each])
        is_inside = (limits[0] <= area) & (area <= limits[1])
        row[f"{metric} coverage"] = float(np.mean(is_inside))
        row[f"{metric} bias"] = float(np.mean([result.estimate for result in each]) - area)
    return row


def main():
    options = command_line(__doc__, repetitions={"type": int, "default": 300})
    n = 10 if options.quick else options.repetitions
    report = Report(options, np, scipy, sklearn, sklearn_achievable_pr, repetitions=n)
    rows = [coverage(n_pos, area, n) for n_pos in POSITIVES for area in AREAS]
    error = monte_carlo_error(n, 0.1)
    title = f"Coverage of 95 % intervals, and bias (Monte Carlo error {error:.3f})"
    report.table("achievable_intervals", title, rows)
    report.close()


if __name__ == "__main__":
    main()
