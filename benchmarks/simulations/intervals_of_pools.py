r"""Intervals and tests of areas on data sets drawn from pools of real, scored samples.

A pool has the out-of-fold scores of a learner on a data set that ships with scikit-learn,
with noise in the features. A data set has a fixed number of positives and of negatives of
the pool, drawn with replacement, so the value of the pool at this prevalence is the true
value. Three tables, each with a summary:

- achievable areas: coverage of their intervals;
- low areas with few positives: coverage, and the share of data sets with a warning;
- two scores that rank nearly all samples alike: coverage of the interval of the difference,
  and type I error rate of its test for two scores that differ by a small jitter.

A summary has one row per kind of population: the lowest and the mean coverage, and the mean
of the other columns. Monte Carlo errors are in the titles::

    python benchmarks/simulations/intervals_of_pools.py \
        [--quick] [--repetitions 500] [--out DIR]
"""

import itertools
import warnings
from functools import cache

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, monte_carlo_error, out_of_fold_score
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import sklearn_achievable_pr
from sklearn_achievable_pr import (
    CoverageWarning,
    auc_pr_interpolated,
    auc_pr_interval,
    compare_models,
)

LEARNERS = {
    "logistic": LogisticRegression(max_iter=1000),
    "Bayes": GaussianNB(),
    "neighbors": KNeighborsClassifier(15),
    "tree": DecisionTreeClassifier(min_samples_leaf=10, random_state=0),
}
# Data set, its positive class, and the standard deviation of the noise in its features.
DATA = {
    "digit 8": (load_digits, 8, 1.0),
    "digit 8, noisy": (load_digits, 8, 3.0),
    "digit 9, very noisy": (load_digits, 9, 8.0),
    "cancer": (load_breast_cancer, 0, 1.0),
    "cancer, noisy": (load_breast_cancer, 0, 4.0),
    "wine, very noisy": (load_wine, 2, 4.0),
}
# Numbers of positives and prevalences of the data sets that are drawn.
LOW = [(5, 0.05), (5, 0.01), (8, 0.03), (10, 0.01), (10, 0.05), (15, 0.02), (30, 0.01)]
HULLS = [(10, 0.1), (30, 0.1), (100, 0.3)]
ORDINARY = (200, 0.2)
ALIKE = [(25, 0.1), (20, 0.02), (30, 0.01), (30, 0.5)]


@cache
def pool(data, learner, copies=4):
    """Labels and scores of a pool: out-of-fold scores of noisy copies of a data set."""
    load, positive, noise = DATA[data]
    X, y = load(return_X_y=True)
    rng = np.random.default_rng(0)
    X = np.tile(StandardScaler().fit_transform(X), (copies, 1))
    X += noise * rng.normal(size=X.shape)
    y = np.tile(y == positive, copies)
    return y, out_of_fold_score(LEARNERS[learner], X, y)


def draw(rng, y, n_pos, prevalence):
    """Indices of a data set with this number of positives and this prevalence."""
    n_neg = round(n_pos * (1 - prevalence) / prevalence)
    classes = np.flatnonzero(y), np.flatnonzero(~y)
    sizes = n_pos, n_neg
    return np.concatenate([rng.choice(c, n) for c, n in zip(classes, sizes, strict=True)])


def interval_and_warning(*args, **options):
    """An interval, and whether a `CoverageWarning` came with it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = auc_pr_interval(*args, **options)
    return found, any(issubclass(w.category, CoverageWarning) for w in caught)


def coverage(data, learner, n_pos, prevalence, repetitions, *, metric, reference=None):
    """Coverage, misses of both limits, mean width and share of warnings of intervals.

    With a `reference` prevalence the data sets have the given one, and are reweighted.
    """
    y, score = pool(data, learner)
    at = prevalence if reference is None else reference
    curve = "achievable" if metric.startswith("achievable") else "empirical"
    truth = auc_pr_interpolated(y, score, curve=curve, prevalence=at)
    rng, limits, warned = np.random.default_rng(1), [], []
    for _ in range(repetitions):
        i = draw(rng, y, n_pos, prevalence)
        found, has_warning = interval_and_warning(
            y[i], score[i], metric=metric, prevalence=reference
        )
        limits.append(found.confidence_interval)
        warned.append(has_warning)
    low, high = np.transpose([*map(tuple, limits)])
    return {
        "pool": f"{data}, {learner}",
        "positives": n_pos,
        "prevalence": prevalence,
        "reference": "" if reference is None else reference,
        "true value": float(truth),
        "coverage": float(np.mean((low <= truth) & (truth <= high))),
        "low too high": float(np.mean(low > truth)),
        "high too low": float(np.mean(high < truth)),
        "width": float(np.mean(high - low)),
        "warned": float(np.mean(warned)),
    }


def difference(data, learner, n_pos, prevalence, repetitions, lost):
    """Coverage of the difference of two scores; the second score loses positives.

    The second score gives a share `lost` of the positives the lowest score; with
    ``lost=0`` both are jittered, and the share of p-values below 0.05 is a type I error.
    """
    y, score = pool(data, learner)
    rng = np.random.default_rng(2)
    is_lost = y & (np.random.default_rng(3).random(len(y)) < lost)
    other = np.where(is_lost, score.min() - 1, score)
    jitter = 0.05 * np.std(score) * (lost == 0)
    truth = auc_pr_interpolated(y, score, prevalence=prevalence)
    truth -= auc_pr_interpolated(y, other, prevalence=prevalence)
    inside, rejected, widths = [], [], []
    for _ in range(repetitions):
        i = draw(rng, y, n_pos, prevalence)
        noise = jitter * rng.normal(size=(2, len(i)))
        scores = {"a": score[i] + noise[0], "b": other[i] + noise[1]}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pair = compare_models(y[i], scores).pairs["a", "b"]
        low, high = pair.confidence_interval
        inside.append(low <= truth <= high)
        rejected.append(pair.pvalue < 0.05)
        widths.append(high - low)
    return {
        "pool": f"{data}, {learner}",
        "positives": n_pos,
        "prevalence": prevalence,
        "lost": lost,
        "true difference": float(truth),
        "coverage": float(np.mean(inside)),
        "p below 0.05": float(np.mean(rejected)),
        "width": float(np.mean(widths)),
    }


def expected_at_top(row):
    """The kind of an interval of a low area, for its summary.

    A number of positives times their area is the number of positives of precision 1 that
    have this area.
    """
    if row["reference"]:
        return "reweighted to a prevalence of 0.01"
    if row["positives"] == ORDINARY[0]:
        return f"ordinary: {ORDINARY[0]} positives, prevalence {ORDINARY[1]}"
    n_best = row["positives"] * row["true value"]
    bounds = 0, 0.5, 1, 2, 4, np.inf
    low, high = next(b for b in itertools.pairwise(bounds) if b[0] <= n_best < b[1])
    return f"{low} or more" if high == np.inf else f"{low} to {high}"


def summary(rows, kind_of, name, extra):
    """Rows of the lowest and mean coverage, and the means of the columns `extra`."""
    kinds = {}
    for row in rows:
        kinds.setdefault(kind_of(row), []).append(row)

    def mean(of_kind, column):
        return float(np.mean([row[column] for row in of_kind]))

    return [
        {
            name: kind,
            "populations": len(of_kind),
            "lowest coverage": min(row["coverage"] for row in of_kind),
            "mean coverage": mean(of_kind, "coverage"),
        }
        | {column: mean(of_kind, column) for column in extra}
        for kind, of_kind in sorted(kinds.items())
    ]


def main():
    options = command_line(__doc__, repetitions={"type": int, "default": 500})
    n = 20 if options.quick else options.repetitions
    report = Report(options, np, scipy, sklearn, sklearn_achievable_pr, repetitions=n)
    pools = [(data, learner) for data in DATA for learner in LEARNERS]
    if options.quick:
        pools = pools[::5]
    error = f"(Monte Carlo error {monte_carlo_error(n):.3f})"
    rows = [
        coverage(*each, *size, n, metric="achievable_auc_pr")
        for each in pools
        for size in HULLS
    ]
    report.table("pools_achievable", f"Intervals of the achievable AUC-PR {error}", rows)
    rows = summary(
        rows,
        lambda row: row["positives"],
        "positives",
        ("low too high", "high too low", "width", "warned"),
    )
    report.table("pools_achievable_summary", f"Summary {error}", rows)
    rows = [
        coverage(*each, *size, n, metric="auc_pr_interpolated")
        for each in pools
        for size in LOW
    ]
    rows += [
        coverage(*each, n_pos, 0.3, n, metric="auc_pr_interpolated", reference=0.01)
        for each in pools
        for n_pos in (5, 10, 20, 40)
    ]
    rows += [coverage(*each, *ORDINARY, n, metric="auc_pr_interpolated") for each in pools]
    report.table("pools_low", f"Intervals of low areas {error}", rows)
    name = "positives times area"
    rows = summary(rows, expected_at_top, name, ("high too low", "width", "warned"))
    report.table("pools_low_summary", f"Summary {error}", rows)
    rows = [
        difference(*each, *size, n, lost)
        for each in pools[::3]
        for size in ALIKE
        for lost in (0, 0.02, 0.1)
    ]
    report.table("pools_alike", f"Scores that rank nearly alike {error}", rows)
    most = max(row["p below 0.05"] for row in rows if not row["lost"])
    rows = summary(rows, lambda row: row["lost"], "lost", ("p below 0.05", "width"))
    title = f"Summary {error}; highest type I error rate {most:.3f}"
    report.table("pools_alike_summary", title, rows)
    report.close()


if __name__ == "__main__":
    main()
