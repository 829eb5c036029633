"""Type I error rate and coverage of `compare_subgroups` for two equally good subgroups.

Populations are out-of-fold scores of several learners on data sets of scikit-learn. Labels
and scores of both subgroups are drawn with replacement from the same population, at the
same prevalence. Prints, for each pair of sizes, the share of data sets in which the
subgroups differ significantly at 0.05 and the coverage of the difference 0 by 95 %
intervals: mean and extreme over the populations, with the Monte Carlo error of one::

    python benchmarks/simulations/subgroups.py [--quick] [--repetitions 500] [--out DIR]
"""

import warnings

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, monte_carlo_error, out_of_fold_score
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import AdaBoostClassifier, ExtraTreesClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import sklearn_achievable_pr
from sklearn_achievable_pr import compare_subgroups

METRICS = (
    "auc_pr_interpolated",
    "aucnpr",
    "average_precision",
    "normalized_average_precision",
)
# Expected positives of the two subgroups.
SIZES = [(150, 15), (150, 30), (120, 8), (60, 15), (300, 60), (20, 20)]


def populations():
    """Name, scores of negatives and of positives, and prevalence of each population."""
    rng = np.random.default_rng(0)
    digits, cancer, wine = load_digits(), load_breast_cancer(), load_wine()
    data = {
        "digit 9, heavy noise": (
            digits.data + rng.normal(scale=12, size=digits.data.shape),
            digits.target == 9,
        ),
        "digit 3, noise": (
            digits.data + rng.normal(scale=6, size=digits.data.shape),
            digits.target == 3,
        ),
        "malignant, two features": (cancer.data[:, [1, 9]], cancer.target == 0),
        "malignant, 30 features": (cancer.data, cancer.target == 0),
        "wine, noise": (
            np.repeat(wine.data, 5, axis=0) + 2 * wine.data.std(axis=0)
            * rng.normal(size=(5 * len(wine.data), wine.data.shape[1])),
            np.repeat(wine.target == 2, 5),
        ),
    }  # fmt: skip
    learners = {
        "discriminant": LinearDiscriminantAnalysis(),
        "SVM": make_pipeline(StandardScaler(), SVC()),
        "extra trees": ExtraTreesClassifier(50, min_samples_leaf=2, random_state=0),
        "AdaBoost": AdaBoostClassifier(n_estimators=30, random_state=0),
        "network": make_pipeline(
            StandardScaler(), MLPClassifier(30, max_iter=150, random_state=0)
        ),
    }
    chosen = [
        ("digit 9, heavy noise", "discriminant", 0.1),
        ("digit 9, heavy noise", "extra trees", 0.3),
        ("digit 9, heavy noise", "network", 0.05),
        ("digit 3, noise", "SVM", 0.1),
        ("digit 3, noise", "AdaBoost", 0.2),
        ("digit 3, noise", "extra trees", 0.05),
        ("malignant, two features", "AdaBoost", 0.3),
        ("malignant, two features", "network", 0.1),
        ("malignant, 30 features", "discriminant", 0.2),
        ("malignant, 30 features", "SVM", 0.1),
        ("wine, noise", "SVM", 0.05),
        ("wine, noise", "extra trees", 0.4),
    ]
    for name, learner, prevalence in chosen:
        X, y = data[name]
        method = "predict_proba"
        if not hasattr(learners[learner], method):
            method = "decision_function"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            score = out_of_fold_score(learners[learner], X, y, method)
        yield f"{name}: {learner}", score[~y], score[y], prevalence


def drawn(rng, population, n_positive):
    """Labels and scores with this expected number of positives; both classes are there."""
    _, negatives, positives, prevalence = population
    n = round(n_positive / prevalence)
    y_true = rng.random(n) < prevalence
    y_true[:2] = True, False
    return y_true, np.where(y_true, rng.choice(positives, n), rng.choice(negatives, n))


def two_subgroups(rng, population, sizes):
    """Independent samples of two subgroups."""
    parts = [drawn(rng, population, size) for size in sizes]
    by = np.repeat([0, 1], [len(y) for y, _ in parts])
    return *map(np.concatenate, zip(*parts, strict=True)), by, {}


def each_against_the_rest(rng, population, sizes):
    """Independent samples of several subgroups, each compared with all others."""
    parts = [drawn(rng, population, size) for size in sizes]
    by = np.repeat(np.arange(len(sizes)), [len(y) for y, _ in parts])
    return *map(np.concatenate, zip(*parts, strict=True)), by, {"reference": "rest"}


def clusters_over_both(rng, population, sizes):
    """Clusters of samples, each drawn twice, with each of its samples in one subgroup."""
    y_true, y_score = drawn(rng, population, sum(sizes) / 2)
    groups = np.repeat(np.arange(len(y_true)), 2)
    by = rng.random(len(groups)) < sizes[1] / sum(sizes)
    return np.repeat(y_true, 2), np.repeat(y_score, 2), by * 1, {"groups": groups}


SETTINGS = [
    *((f"{a} and {b}", two_subgroups, (a, b)) for a, b in SIZES),
    ("225 and four of 15, each with the rest", each_against_the_rest, (225,) + (15,) * 4),
    ("150 and 150, clusters over both", clusters_over_both, (150, 150)),
    ("150 and 30, clusters over both", clusters_over_both, (150, 30)),
]


def of_setting(draw, sizes, metric, population, repetitions, seed):
    """Share of data sets with any adjusted p-value <= 0.05, and coverage of 0."""
    rng, rejected, covered = np.random.default_rng(seed), [], []
    for _ in range(repetitions):
        y_true, y_score, by, options = draw(rng, population, sizes)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            found = compare_subgroups(y_true, y_score, by, metric=metric, **options)
        rejected.append(any(p <= 0.05 for p in found.adjusted_pvalues.values()))
        for pair in found.pairs.values():
            covered.append(
                pair.confidence_interval.low <= 0 <= pair.confidence_interval.high
            )
    return np.mean(rejected), np.mean(covered)


def main():
    options = command_line(__doc__, repetitions={"type": int, "default": 500})
    n = 20 if options.quick else options.repetitions
    report = Report(options, np, scipy, sklearn, sklearn_achievable_pr)
    pools = [*populations()]
    pools = pools[:2] if options.quick else pools
    rows = []
    for metric in METRICS:
        for setting, draw, sizes in SETTINGS:
            cells = [
                of_setting(draw, sizes, metric, pool, n, seed)
                for seed, pool in enumerate(pools)
            ]
            rejected, covered = np.array(cells).T
            rows.append(
                {
                    "positives": setting,
                    "metric": metric,
                    "rejected, mean": rejected.mean(),
                    "rejected, most": rejected.max(),
                    "coverage, mean": covered.mean(),
                    "coverage, least": covered.min(),
                }
            )
    error = monte_carlo_error(n)
    report.table(
        "subgroups",
        f"{len(pools)} populations; Monte Carlo error of one population {error:.4f}",
        rows,
    )
    report.close()


if __name__ == "__main__":
    main()
