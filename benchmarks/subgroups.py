"""Type I error rate of `compare_subgroups` for two equally good subgroups.

Scores of positives and of negatives have the same distributions in both subgroups. Prints
the share of data sets in which the subgroups differ significantly at 0.05, for the area and
for average precision, with Monte Carlo errors::

    python benchmarks/subgroups.py [--quick] [--repetitions 2000] [--out DIR]
"""

import warnings

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line

import sklearn_achievable_pr
from sklearn_achievable_pr import compare_subgroups

METRICS = "auc_pr_interpolated", "average_precision"


def independent(rng, sizes, prevalences, shift=1.5):
    """Independent samples of two subgroups."""
    by = np.repeat([0, 1], sizes)
    y_true = rng.random(len(by)) < np.take(prevalences, by)
    return y_true, rng.normal(size=len(by)) + shift * y_true, by, None


def clustered(rng, n_clusters, size, shared, by_sample, prevalence=0.2, shift=1.5):
    """Clusters that share a part of the noise.

    A cluster reaches over both subgroups, or lies in one of them if not `by_sample`.
    """
    groups = np.repeat(np.arange(n_clusters), size)
    by = rng.integers(2, size=len(groups)) if by_sample else groups % 2
    y_true = rng.random(len(groups)) < prevalence
    noise = np.sqrt(1 - shared) * rng.normal(size=len(groups))
    noise += np.sqrt(shared) * rng.normal(size=n_clusters)[groups]
    return y_true, noise + shift * y_true, by, groups


# Name, function that draws the samples, its arguments, reference prevalence.
HALF = "200 clusters of 5, half of the noise shared,"
SETTINGS = [
    ("400 + 400, prevalence 0.1", independent, ((400, 400), (0.1, 0.1)), None),
    ("800 + 800, prevalence 0.2", independent, ((800, 800), (0.2, 0.2)), None),
    ("200 + 1800, prevalence 0.1", independent, ((200, 1800), (0.1, 0.1)), None),
    ("800 + 800, 0.1 and 0.3, both at 0.2", independent, ((800, 800), (0.1, 0.3)), 0.2),
    (f"{HALF} over both", clustered, (200, 5, 0.5, True), None),
    (f"{HALF} each in one", clustered, (200, 5, 0.5, False), None),
]


def rejected(draw, arguments, prevalence, repetitions, seed=0):
    """For each metric, the share of data sets with a p-value of at most 0.05."""
    rng = np.random.default_rng(seed)
    found = {metric: [] for metric in METRICS}
    for _ in range(repetitions):
        y_true, y_score, by, groups = draw(rng, *arguments)
        for metric in METRICS:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                result = compare_subgroups(
                    y_true, y_score, by, metric=metric, prevalence=prevalence, groups=groups
                )
            found[metric].append(result.pairs[0, 1].pvalue <= 0.05)
    return {metric: float(np.mean(shares)) for metric, shares in found.items()}


def main():
    options = command_line(__doc__, repetitions={"type": int, "default": 2000})
    n = 100 if options.quick else options.repetitions
    report = Report("subgroups", options, np, scipy, sklearn, sklearn_achievable_pr)
    report.table(
        "subgroups",
        f"Rejected at 0.05; Monte Carlo error {np.sqrt(0.05 * 0.95 / n):.4f}",
        [{"setting": name} | rejected(*setting, n) for name, *setting in SETTINGS],
    )
    report.close()


if __name__ == "__main__":
    main()
