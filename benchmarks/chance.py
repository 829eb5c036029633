"""Type I error rates of the test against chance with clusters and weights.

Draws samples whose scores have no skill: the class is independent of the score. The size of
a cluster, and the weight of a sample, depend on the class, on the score or on neither.
Prints the share of samples that `auc_pr_chance_test` rejects at 0.05, with Monte Carlo
errors::

    python benchmarks/chance.py [--quick] [--repetitions 2000] [--out DIR]
"""

import itertools

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line
from joblib import Parallel, delayed

from sklearn_achievable_pr import auc_pr_chance_test

N_CLUSTERS, N_SAMPLES, PREVALENCE = 60, 150, 0.3
SIZES = ("no clusters", "neither", "class", "score", "both classes in a cluster")
WEIGHTS = ("no weights", "neither", "class", "score", "unequal in one class")


def one_sample(rng, size_by, weight_by):
    """Labels, scores and options of a sample without skill."""
    n_units = N_SAMPLES if size_by == "no clusters" else N_CLUSTERS
    by_cluster = size_by != "both classes in a cluster"
    effect, y_unit = rng.normal(size=n_units), rng.random(n_units) < PREVALENCE
    mean_size = {
        "no clusters": np.zeros(n_units),
        "class": np.where(y_unit, 4.0, 1.0),
        "score": np.exp(effect),
    }
    size = 1 + rng.poisson(mean_size.get(size_by, np.full(n_units, 1.5)))
    group = np.repeat(np.arange(n_units), size)
    y_true = y_unit[group] if by_cluster else rng.random(len(group)) < PREVALENCE
    noise = rng.normal(size=(2, len(group)))
    y_score = (effect[group] + noise[0]) / np.sqrt(2)
    weight = {
        "no weights": None,
        "neither": np.exp(noise[1] / 2),
        "class": np.where(y_true, 1.0, 4.0),
        "score": np.exp(y_score / 2),
        "unequal in one class": np.where(y_true, np.exp(noise[1]), 1.0),
    }
    groups = None if size_by == "no clusters" else group
    return y_true, y_score, {"groups": groups, "sample_weight": weight[weight_by]}


def rejected(seed, setting, repetitions):
    """Share of samples with a p-value of at most 0.05."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(repetitions):
        y_true, y_score, options = one_sample(rng, *setting)
        # A share 0.05 of the permutations, plus one, is ten.
        test = auc_pr_chance_test(
            y_true, y_score, n_resamples=199, random_state=rng, **options
        )
        found.append(test.pvalue <= 0.05)
    return np.mean(found)


def main():
    """Run all settings and write the table."""
    options = command_line(__doc__, repetitions={"type": int, "default": 2000})
    n = 50 if options.quick else options.repetitions
    report = Report("chance", options, np, scipy, sklearn)
    settings = list(itertools.product(SIZES, WEIGHTS))
    found = Parallel(n_jobs=-1)(
        delayed(rejected)(seed, setting, n) for seed, setting in enumerate(settings)
    )
    rates = dict(zip(settings, found, strict=True))
    rows = [
        {"size of clusters": size} | {by: f"{rates[size, by]:.3f}" for by in WEIGHTS}
        for size in SIZES
    ]
    error = np.sqrt(0.05 * 0.95 / n)
    report.table("chance", f"Rejected at 0.05; Monte Carlo error {error:.4f}", rows)
    report.close()


if __name__ == "__main__":
    main()
