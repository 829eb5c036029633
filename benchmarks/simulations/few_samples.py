"""Coverage of intervals whose standard error rests on few samples or clusters.

Draws many data sets from populations with a known area: a few positives with far higher
scores, heavy tails, few samples of a class, few clusters of a class, clusters of very
unequal size. Prints the coverage of the beta interval, and whether the degrees of freedom
of its standard error show the intervals that miss the area, with Monte Carlo errors::

    python benchmarks/simulations/few_samples.py [--quick] [--repetitions 1000] [--out DIR]

A data set is *marked* if its degrees of freedom are below `FEW_DF` and below the number of
samples, or clusters, of the smaller class by a factor of `FACTOR`.
"""

import warnings
from functools import partial
from typing import NamedTuple

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, monte_carlo_error
from few_positives import (
    cauchy,
    compared,
    heavy,
    narrow,
    normal,
    ordinal,
    outliers,
    shift_for,
    spread,
    top,
    wide,
)

import sklearn_achievable_pr
from sklearn_achievable_pr import auc_pr_interval

FEW_DF, FACTOR = 5, 5


# Sizes of clusters


def equal(rng, n_clusters):
    return np.full(n_clusters, 5)


def lognormal(sigma):
    """Sizes with mean 5; the logarithm has the standard deviation `sigma`."""

    def lognormal(rng, n_clusters):
        size = 5 * np.exp(sigma * rng.normal(size=n_clusters) - sigma**2 / 2)
        return np.maximum(1, np.round(size)).astype(int)

    lognormal.__name__ = f"lognormal {sigma:g}"
    return lognormal


def pareto(rng, n_clusters):
    """Sizes of a Pareto distribution with exponent 0.8, at most 300."""
    return np.minimum(rng.random(n_clusters) ** -1.25, 300).astype(int)


# Data sets


class Independent(NamedTuple):
    """Independent samples; the number of positives is fixed if it is below ten."""

    shape: object
    n: int
    prevalence: float
    value: float

    @property
    def name(self):
        n_pos, what = round(self.n * self.prevalence), self.shape.__name__
        return f"{self.n} samples, {n_pos} positives, {what}, AUC-PR {self.value:g}"

    def draw(self, rng):
        """Labels, one score and the options of the interval."""
        n_pos = round(self.n * self.prevalence)
        positive = np.arange(self.n) < n_pos
        while n_pos >= 10:
            positive = rng.random(self.n) < self.prevalence
            if 2 <= np.count_nonzero(positive) <= self.n - 2:
                break
        shift = shift_for(self.shape, self.prevalence, self.value)
        return positive, self.shape(rng.normal(size=self.n), positive, shift), {}


class Clustered(NamedTuple):
    """Clusters that share half of the noise.

    With `n_pos`, all samples of this number of clusters are positive and those of the
    others are negative. Otherwise each sample is positive with the probability 0.3.
    """

    sizes: object
    n_clusters: int
    n_pos: int | None = None
    value: float = 0.6

    @property
    def name(self):
        positive = "" if self.n_pos is None else f", {self.n_pos} positive"
        return f"{self.n_clusters} clusters{positive}, sizes {self.sizes.__name__}"

    @property
    def prevalence(self):
        return 0.3 if self.n_pos is None else self.n_pos / self.n_clusters

    def noise(self, rng, group):
        shared = rng.normal(size=self.n_clusters)[group]
        return (rng.normal(size=len(group)) + shared) / np.sqrt(2)

    def draw_labels(self, rng):
        """Labels and clusters, with at least two clusters of each class."""
        while True:
            group = np.repeat(np.arange(self.n_clusters), self.sizes(rng, self.n_clusters))
            if self.n_pos is not None:
                return group < self.n_pos, group
            positive = rng.random(len(group)) < self.prevalence
            if min(len(np.unique(group[c])) for c in (positive, ~positive)) > 1:
                return positive, group

    def draw(self, rng, n_scores=1):
        """Labels, `n_scores` scores and the options of the interval or the test."""
        positive, group = self.draw_labels(rng)
        shift = shift_for(normal, self.prevalence, self.value)
        scores = [normal(self.noise(rng, group), positive, shift) for _ in range(n_scores)]
        return positive, *scores, {"groups": group}


def covered_width_and_df(positive, score, options, value):
    """Whether the interval contains the area, its width and its degrees of freedom."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = auc_pr_interval(positive, score, **options)
    low, high = found.confidence_interval
    return low <= value <= high, high - low, found.df


def smaller_class(positive, options):
    """Number of samples, or clusters, of the smaller class."""
    group = options.get("groups", np.arange(len(positive)))
    return min(len(np.unique(group[c])) for c in (positive, ~positive))


TOPS = [
    # A share of the positives is above all negatives.
    Independent(top(0.005), 5000, 0.02, 0.028),
    Independent(top(0.01), 5000, 0.02, 0.033),
    Independent(top(0.02), 2000, 0.02, 0.043),
    Independent(top(0.02), 5000, 0.02, 0.043),
    Independent(top(0.01), 25000, 0.01, 0.021),
    Independent(top(0.02), 2500, 0.1, 0.135),
    Independent(spread(3), 2000, 0.02, 0.04),
    Independent(spread(4), 2000, 0.02, 0.06),
    Independent(spread(3), 2000, 0.05, 0.1),
]
ORDINARY = [
    Independent(normal, 200, 0.1, 0.3),
    Independent(normal, 200, 0.1, 0.9),
    Independent(normal, 1000, 0.02, 0.15),
    Independent(normal, 1000, 0.02, 0.5),
    Independent(normal, 3000, 0.02, 0.1),
    Independent(normal, 2000, 0.01, 0.05),
    Independent(normal, 1000, 0.1, 0.6),
    Independent(normal, 200, 0.5, 0.9),
    Independent(normal, 500, 0.5, 0.97),
    Independent(normal, 200, 0.9, 0.97),
    Independent(narrow, 1000, 0.02, 0.3),
    Independent(wide, 1000, 0.02, 0.3),
    Independent(ordinal, 1000, 0.02, 0.3),
    Independent(ordinal, 1000, 0.1, 0.6),
    Independent(heavy, 200, 0.1, 0.6),
    Independent(cauchy, 1000, 0.1, 0.6),
    Independent(cauchy, 5000, 0.01, 0.03),
]
SMALL_CLASSES = [
    Independent(normal, 100, 0.02, 0.5),
    Independent(normal, 100, 0.02, 0.85),
    Independent(normal, 100, 0.03, 0.5),
    Independent(top(0.4), 100, 0.03, 0.5),
    Independent(normal, 100, 0.04, 0.5),
    Independent(top(0.4), 100, 0.04, 0.5),
    Independent(normal, 100, 0.08, 0.5),
    # Few negatives.
    Independent(normal, 100, 0.9, 0.97),
    Independent(outliers, 50, 0.6, 0.8),
    Independent(outliers, 100, 0.6, 0.8),
    Independent(outliers, 200, 0.6, 0.8),
    Independent(outliers, 100, 0.8, 0.9),
    Independent(outliers, 250, 0.8, 0.9),
    Independent(outliers, 500, 0.8, 0.9),
    Independent(outliers, 200, 0.9, 0.95),
    Independent(outliers, 500, 0.9, 0.95),
]
UNEQUAL_CLUSTERS = [
    Clustered(lognormal(1.5), 100, 30),
    Clustered(pareto, 100, 30),
    Clustered(lognormal(1.5), 100),
    Clustered(lognormal(2), 300),
    Clustered(pareto, 100),
    Clustered(pareto, 300),
]
FEW_CLUSTERS = [
    Clustered(
        sizes, n_clusters + (60 if by_cluster else 0), n_clusters * by_cluster or None
    )
    for by_cluster in (True, False)
    for sizes in (equal, lognormal(1.5))
    for n_clusters in (2, 3, 5, 10, 19, 30)
]


def table_of_marks(repetitions, settings):
    """Coverage of all data sets, and of those with and without few degrees of freedom."""
    rows = []
    for setting in settings:
        rng, found = np.random.default_rng(0), []
        for _ in range(repetitions):
            positive, score, options = setting.draw(rng)
            covered, width, df = covered_width_and_df(
                positive, score, options, setting.value
            )
            few = df < min(FEW_DF, smaller_class(positive, options) / FACTOR)
            found.append((covered, width, df, few))
        covered, width, df, few = np.array(found, dtype=float).T
        few = few.astype(bool)
        rows.append(
            {
                "setting": setting.name,
                "coverage": covered.mean(),
                "width": width.mean(),
                "df, median": np.median(df),
                "marked": few.mean(),
                "coverage, marked": covered[few].mean() if few.any() else "",
                "coverage, others": covered[~few].mean() if not few.all() else "",
            }
        )
    return rows


def table_of_clusters(repetitions, settings):
    """Coverage of the interval, and share of t tests that reject two equal scores."""
    rows = []
    test = partial(compared, metric="auc_pr_interpolated")
    for setting in settings:
        rng, found = np.random.default_rng(0), []
        for _ in range(repetitions):
            positive, first, second, options = setting.draw(rng, n_scores=2)
            covered = covered_width_and_df(positive, first, options, setting.value)
            found.append((*covered, test(positive, first, second, **options)))
        covered, width, df, rejected = np.array(found, dtype=float).T
        rows.append(
            {
                "setting": setting.name,
                "coverage": covered.mean(),
                "width": width.mean(),
                "df, median": np.median(df),
                "t test": rejected.mean(),
            }
        )
    return rows


def main():
    options = command_line(__doc__, repetitions={"type": int, "default": 1000})
    n, every = (20, 6) if options.quick else (options.repetitions, 1)
    report = Report(options, np, scipy, sklearn, sklearn_achievable_pr)
    error = monte_carlo_error(n)
    report.table(
        "few_samples",
        f"Coverage of the beta interval, 0.95; Monte Carlo error {error:.4f}",
        table_of_marks(n, (TOPS + UNEQUAL_CLUSTERS + ORDINARY)[::every]),
    )
    report.table(
        "few_of_a_class",
        f"Coverage of the beta interval, 0.95; Monte Carlo error {error:.4f}",
        table_of_marks(n, SMALL_CLASSES[::every]),
    )
    report.table(
        "few_clusters",
        f"Coverage of 0.95 and rejected at 0.05; Monte Carlo error {error:.4f}",
        table_of_clusters(n, FEW_CLUSTERS[::every]),
    )
    report.close()


if __name__ == "__main__":
    main()
