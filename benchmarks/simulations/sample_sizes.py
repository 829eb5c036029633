"""Planned samples against simulated widths of intervals and power of tests.

Plans a study with `required_sample_size`, draws many studies of that size from the assumed
population, and prints the mean width of their intervals and the power of their tests, with
Monte Carlo errors::

    python benchmarks/simulations/sample_sizes.py [--quick] [--repetitions 1000] [--out DIR]
"""

import warnings

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line
from coverage import labels, population

from sklearn_achievable_pr import auc_pr_interval, compare_models, required_sample_size

# Prevalence, AUC-PR, spread of the positives' scores, width.
WIDTHS = [
    (0.1, 0.3, 1.0, 0.2),
    (0.1, 0.6, 1.0, 0.1),
    (0.1, 0.6, 2.0, 0.2),
    (0.1, 0.9, 1.0, 0.1),
    (0.02, 0.2, 1.0, 0.2),
    (0.02, 0.5, 1.0, 0.2),
    (0.02, 0.8, 0.5, 0.1),
    (0.3, 0.5, 1.0, 0.1),
    (0.3, 0.8, 2.0, 0.1),
    (0.5, 0.7, 1.0, 0.1),
    (0.5, 0.9, 1.0, 0.05),
    (0.8, 0.95, 1.0, 0.05),
]
# Prevalence, AUC-PR of the reference, spread, difference, correlation.
POWERS = [
    (0.1, 0.6, 1.0, 0.1, 0.5),
    (0.1, 0.3, 1.0, 0.1, 0.8),
    (0.05, 0.5, 2.0, 0.2, 0.5),
    (0.3, 0.7, 1.0, 0.1, 0.0),
    (0.5, 0.8, 1.0, 0.05, 0.5),
    (0.02, 0.4, 1.0, 0.15, 0.8),
]


def widths(rng, setting, repetitions):
    """Mean width over the target."""
    prevalence, area, spread, width = setting
    where = population(prevalence, area, spread)
    row = dict(zip(("prevalence", "area", "spread", "target width"), setting, strict=True))
    plan = required_sample_size(
        width=width, auc_pr=area, prevalence=prevalence, spread=spread
    )
    found = []
    for _ in range(repetitions):
        y = labels(rng, plan.n_samples, prevalence)
        limits = auc_pr_interval(
            y, where.score(y, rng.normal(size=len(y)))
        ).confidence_interval
        found.append(limits.high - limits.low)
    return row | {
        "n": plan.n_samples,
        "positives": plan.n_positive,
        "width / target": np.mean(found) / width,
        "error": np.std(found) / width / np.sqrt(repetitions),
    }


def power(rng, setting, repetitions):
    """Share of studies whose test rejects, at the n planned for 0.8."""
    prevalence, area, spread, difference, correlation = setting
    names = ("prevalence", "area", "spread", "difference", "correlation")
    row = dict(zip(names, setting, strict=True))
    plan = required_sample_size(
        difference=difference,
        auc_pr=area,
        prevalence=prevalence,
        spread=spread,
        correlation=correlation,
    )
    first = population(prevalence, area, spread)
    second = population(prevalence, area + difference, spread)
    rejected = []
    for _ in range(repetitions):
        y = labels(rng, plan.n_samples, prevalence)
        noise, own = rng.normal(size=(2, len(y)))
        other = correlation * noise + np.sqrt(1 - correlation**2) * own
        scores = {"better": second.score(y, noise), "other": first.score(y, other)}
        pair = compare_models(y, scores).pairs["better", "other"]
        rejected.append(pair.pvalue < 0.05)
    return row | {
        "n": plan.n_samples,
        "positives": plan.n_positive,
        "power": np.mean(rejected),
        "error": np.sqrt(0.16 / repetitions),
    }


def main():
    """Run all settings and write the tables."""
    options = command_line(__doc__, repetitions={"type": int, "default": 1000})
    n, step = (100, 3) if options.quick else (options.repetitions, 1)
    report = Report(options, np, scipy, sklearn)
    rng = np.random.default_rng(0)
    # Small studies may warn that their test does not control the type I error rate.
    warnings.simplefilter("ignore")
    rows = [widths(rng, setting, n) for setting in WIDTHS[::step]]
    report.table("sample_size_widths", "Mean widths over the planned ones", rows)
    rows = [power(rng, setting, n) for setting in POWERS[::step]]
    report.table("sample_size_power", "Power of the test, planned 0.8", rows)
    report.close()


if __name__ == "__main__":
    main()
