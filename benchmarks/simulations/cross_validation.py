r"""Coverage of intervals and type I error of tests under cross-validation.

Draws data sets from three populations, cross-validates three learners, and compares the
intervals of `auc_pr_interval_cv` with three values of models that are measured on a large
test set: the mean AUC-PR of the fitted models of the folds (T1), its expectation (T2), and
the AUC-PR of the model refitted on all samples (T3). For the tests every learner is fitted
to two sets of features of the same distribution, so the expected difference is 0; for their
power noise is added to one of the two sets. Other methods are measured on the same data
sets. The last table has the bias of the mean over folds with few positives::

    python benchmarks/simulations/cross_validation.py \
        [--quick] [--repetitions 250] [--out DIR]

Numbers in parentheses are Monte Carlo errors of the last digits. The exit status is 1 if
an interval covers less than 0.95, or a test rejects more than 0.06, by more than two Monte
Carlo errors.
"""

import sys
import warnings
from collections import defaultdict
from functools import partial
from typing import NamedTuple

import numpy as np
import sklearn
from _bench import Report, command_line
from scipy.stats import t
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_achievable_pr import (
    auc_pr_interpolated,
    auc_pr_interval,
    compare_models_cv,
    fold_predictions,
)

OURS = "influence (this package)"
METHODS = OURS, "t over folds", "corrected t over folds", "pooled scores"
LEAST_COVERAGE, MOST_REJECTIONS = 0.95, 0.06
N_FEATURES = 4
# Positives and negatives of the large test set, reweighted to the prevalence.
N_TEST = 3000, 9000


class Population(NamedTuple):
    name: str
    n_samples: int
    prevalence: float
    kind: str

    def features(self, rng, y):
        """Two sets of features with the same distribution, shape (2, n, N_FEATURES)."""
        shape = 2, len(y), N_FEATURES
        positive = y[:, np.newaxis] == 1
        if self.kind == "shift":
            return rng.normal(size=shape) + 0.6 * positive
        if self.kind == "spread":  # not linearly separable
            return rng.normal(size=shape) * np.where(positive, 2.0, 1.0) + 0.4 * positive
        # Each positive differs in one feature, and features have heavy tails.
        which = rng.integers(N_FEATURES, size=(2, len(y), 1)) == np.arange(N_FEATURES)
        return rng.standard_t(3, size=shape) + 3.0 * (positive & which)

    def draw(self, rng):
        n_pos = rng.binomial(self.n_samples, self.prevalence)
        y = (np.arange(self.n_samples) < n_pos).astype(int)
        return self.features(rng, y), y


POPULATIONS = (
    Population("shifted normal", 200, 0.3, "shift"),
    Population("wider normal", 600, 0.1, "spread"),
    Population("heavy tails", 1200, 0.05, "mixture"),
)
LEARNERS = {
    "logistic regression": LogisticRegression(),
    "naive Bayes": GaussianNB(),
    "decision tree": DecisionTreeClassifier(max_leaf_nodes=8, random_state=0),
}
DESIGNS = {
    "hold-out of a fifth": partial(StratifiedShuffleSplit, n_splits=1, test_size=0.2),
    "5 folds": partial(StratifiedKFold, n_splits=5, shuffle=True),
    "10 folds": partial(StratifiedKFold, n_splits=10, shuffle=True),
    "8 x 5 folds": partial(RepeatedStratifiedKFold, n_splits=5, n_repeats=8),
}
REPEATED = "8 x 5 folds"
# Standard deviation of the noise of the worse learner, in the power of tests.
NOISE = 2.0
# One data set in this number is cross-validated repeatedly.
ONE_IN = 4


def cross_validated(model, X, y, splits):
    """What cross_validate returns, without its scores."""
    trains, tests = zip(*splits, strict=True)
    return {
        "estimator": [clone(model).fit(X[train], y[train]) for train in trains],
        "indices": {"train": trains, "test": tests},
    }


def true_area(model, X, y, prevalence):
    score = getattr(model, "decision_function", None) or model.predict_proba
    score = score(X)
    return auc_pr_interpolated(
        y, score.T[-1] if score.ndim > 1 else score, prevalence=prevalence
    )


def t_interval(values, factor):
    """Interval and p-value of 0 of a t test; `factor` multiplies the sample variance."""
    mean, df = np.mean(values), len(values) - 1
    error = np.std(values, ddof=1) * np.sqrt(factor)
    reach = t.ppf(0.975, df) * error
    pvalue = 2 * t.sf(abs(mean) / error, df) if error > 0 else float(mean == 0)
    return (mean - reach, mean + reach), pvalue


def one_data_set(population, learner, splitter, large, rng, noise=0.0):
    """Values of the models, and intervals and p-values of each method.

    `noise` is the standard deviation of what is added to the features of the second model.
    """
    (X, X_b), y = population.draw(rng)
    if noise:
        X_b = X_b + noise * rng.normal(size=X_b.shape)
    splits = list(splitter.split(X, y))
    a, b = (cross_validated(learner, features, y, splits) for features in (X, X_b))
    found = compare_models_cv({"a": a, "b": b}, {"a": X, "b": X_b}, y)
    ours, pair = found.models["a"], found.pairs["a", "b"]
    areas = [true_area(m, *large, population.prevalence) for m in a["estimator"]]
    refitted = true_area(clone(learner).fit(X, y), *large, population.prevalence)
    intervals = {OURS: tuple(ours.confidence_interval)}
    pvalues = {OURS: pair.pvalue}
    if len(splits) > 1:
        values = np.array([found.models[name].fold_values for name in "ab"])
        n, share = len(splits), np.mean([len(test) / len(train) for train, test in splits])
        factors = {"t over folds": 1 / n, "corrected t over folds": 1 / n + share}
        for name, factor in factors.items():
            intervals[name], _ = t_interval(values[0], factor)
            _, pvalues[name] = t_interval(values[0] - values[1], factor)
        labels, scores, _ = fold_predictions(a, X, y)
        pooled = auc_pr_interval(np.concatenate(labels), np.concatenate(scores))
        intervals["pooled scores"] = tuple(pooled.confidence_interval)
    return ours.estimate, np.mean(areas), refitted, intervals, pvalues


def rate(hits):
    """Share of True, with its Monte Carlo error in the last digits."""
    return f"{np.mean(hits):.3f}({1000 * error_of(np.mean(hits), len(hits)):.0f})"


def error_of(share, n):
    """Monte Carlo error of a share; positive also for 0 and 1."""
    share = (share * n + 1) / (n + 2)
    return np.sqrt(share * (1 - share) / n)


def cell(population, design, name, repetitions):
    """Rows of the coverage and of the tests of one learner, and whether the limits hold."""
    seed = [
        POPULATIONS.index(population),
        [*DESIGNS].index(design),
        [*LEARNERS].index(name),
    ]
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], N_TEST)
    large = population.features(rng, y)[0], y
    estimates, means, refits = [], [], []
    intervals, rejected = defaultdict(list), defaultdict(list)
    for _ in range(repetitions):
        state = int(rng.integers(2**31))
        splitter = DESIGNS[design](random_state=state)
        results = one_data_set(population, LEARNERS[name], splitter, large, rng)
        for kept, value in zip((estimates, means, refits), results, strict=False):
            kept.append(value)
        for method, interval in results[3].items():
            intervals[method].append(interval)
        for method, pvalue in results[4].items():
            rejected[method].append(pvalue < 0.05)
    targets = {"T1": np.array(means), "T2": np.mean(means), "T3": np.array(refits)}
    which = {"population": population.name, "learner": name, "design": design}
    rows, holds = [], True
    for method, limits in intervals.items():
        low, high = np.transpose(limits)
        covered = {key: (low <= value) & (value <= high) for key, value in targets.items()}
        rows.append(
            which | {"method": method} | {k: rate(hits) for k, hits in covered.items()}
        )
        rows[-1] |= {
            "width": np.mean(high - low),
            "bias": np.mean(estimates) - targets["T2"],
        }
        if method == OURS:
            least = min(
                np.mean(hits) + 2 * error_of(0.95, repetitions) for hits in covered.values()
            )
            holds &= least >= LEAST_COVERAGE
    tests = which | {method: rate(hits) for method, hits in rejected.items()}
    most = np.mean(rejected[OURS]) - 2 * error_of(0.06, repetitions)
    return rows, tests, holds and most <= MOST_REJECTIONS


def power(population, design, repetitions):
    """Share of data sets in which each test finds the learner with worse features."""
    rng = np.random.default_rng([1, POPULATIONS.index(population)])
    y = np.repeat([1, 0], N_TEST)
    large = population.features(rng, y)[0], y
    rejected = defaultdict(list)
    for _ in range(repetitions):
        splitter = DESIGNS[design](random_state=int(rng.integers(2**31)))
        learner = LEARNERS["logistic regression"]
        *_, pvalues = one_data_set(population, learner, splitter, large, rng, NOISE)
        for method in (OURS, "corrected t over folds"):
            rejected[method].append(pvalues[method] < 0.05)
    rates = {method: rate(hits) for method, hits in rejected.items()}
    return {"population": population.name, "design": design} | rates


def bias(population, n_per_fold, repetitions):
    """Bias of the mean AUC-PR of five folds with this number of positives each."""
    rng = np.random.default_rng([2, POPULATIONS.index(population), n_per_fold])
    of_large = np.repeat([1, 0], N_TEST)
    large = population.features(rng, of_large)[0], of_large
    y = np.repeat([1, 0], [5 * n_per_fold, round(5 * n_per_fold / population.prevalence)])
    estimates, means = [], []
    for _ in range(repetitions):
        X = population.features(rng, y)[0]
        splits = StratifiedKFold(5, shuffle=True, random_state=int(rng.integers(2**31)))
        splits = list(splits.split(X, y))
        fitted = cross_validated(LEARNERS["logistic regression"], X, y, splits)
        _, tests = zip(*splits, strict=True)
        of_folds = zip(fitted["estimator"], tests, strict=True)
        areas = [true_area(m, X[test], y[test], None) for m, test in of_folds]
        truth = [true_area(m, *large, np.mean(y)) for m in fitted["estimator"]]
        estimates.append(np.mean(areas))
        means.append(np.mean(truth))
    difference = np.subtract(estimates, means)
    return {
        "population": population.name,
        "positives per fold": n_per_fold,
        "AUC-PR": np.mean(means),
        "bias": np.mean(difference),
        "error of the bias": np.std(difference) / np.sqrt(repetitions),
    }


def summary(coverage, tests):
    """Per method: the least coverage of all cells, and the mean and most rejections."""
    rows = []
    for designs in (("5 folds", "10 folds"), ("hold-out of a fifth",), (REPEATED,)):
        for method in METHODS:
            own = [r for r in coverage if r["method"] == method and r["design"] in designs]
            if not own:
                continue
            found = {"design": " and ".join(designs), "method": method, "cells": len(own)}
            for key in ("T1", "T2", "T3"):
                found[key] = min(number(row[key]) for row in own)
            found["mean width"] = np.mean([row["width"] for row in own])
            cells = [row[method] for row in tests if row["design"] in designs]
            rejected = [number(text) for text in cells if text != "-"]
            found["rejected: mean"] = float(np.mean(rejected)) if rejected else "-"
            found["rejected: most"] = max(rejected, default="-")
            rows.append(found)
    return rows


def number(text):
    """A rate without its Monte Carlo error."""
    return float(text.partition("(")[0])


def main():
    options = command_line(__doc__, repetitions={"type": int, "default": 250})
    repetitions = 40 if options.quick else options.repetitions
    warnings.simplefilter("ignore", UserWarning)
    report = Report(options, np, sklearn, repetitions=repetitions)
    coverage, tests, all_hold = [], [], True
    for population in POPULATIONS:
        for design in DESIGNS:
            n = repetitions // ONE_IN if design == REPEATED else repetitions
            for name in LEARNERS:
                rows, of_tests, holds = cell(population, design, name, n)
                coverage += rows
                tests.append(of_tests | {m: of_tests.get(m, "-") for m in METHODS})
                all_hold &= holds
    report.table("cross_validation", "Least coverage of 0.95", summary(coverage, tests))
    ours = [row for row in coverage if row.pop("method") == OURS]
    report.table("cross_validation_coverage", "Coverage of 0.95 by this package", ours)
    report.table("cross_validation_tests", "Type I error rates at 0.05", tests)
    found = [
        power(population, design, repetitions // (ONE_IN if design == REPEATED else 1))
        for population in POPULATIONS
        for design in ("5 folds", REPEATED)
    ]
    title = f"Power if noise ({NOISE} standard deviations) is added to one of the features"
    report.table("cross_validation_power", title, found)
    found = [bias(p, n, repetitions) for p in POPULATIONS for n in (2, 3, 5, 10, 40)]
    report.table("cross_validation_bias", "Bias of the mean over five folds", found)
    report.close()
    sys.exit(not all_hold)


if __name__ == "__main__":
    main()
