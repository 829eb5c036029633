r"""Coverage of intervals and tests of areas that rest on few samples.

Two paired scores are drawn from populations with known areas: one score loses a share of
the positives that the other one ranks above all negatives; both are normal in each class,
also with nearly perfect areas; both are out-of-fold scores of learners on data sets of
scikit-learn. Prints the coverage of the difference and of the interval of one score, the
type I error rate and the widths, with and without the variance of unseen samples, and the
Monte Carlo error of one population::

    python benchmarks/simulations/unseen_samples.py \
        [--quick] [--repetitions 400] [--out DIR]

The results without it are those of the influence values alone, as in version 1.0.0rc2.
"""

import itertools
import warnings
from operator import itemgetter
from typing import NamedTuple
from unittest import mock

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, monte_carlo_error, out_of_fold_score
from few_positives import normal, shift_for
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import sklearn_achievable_pr
from sklearn_achievable_pr import (
    auc_pr_interpolated,
    auc_pr_interval,
    aucnpr,
    compare_models,
    compare_models_cv,
)

METRICS = {
    "auc_pr_interpolated": auc_pr_interpolated,
    "aucnpr": aucnpr,
    "average_precision": average_precision_score,
}
# The module of unseen samples; without their share nothing of them counts.
UNSEEN = "sklearn_achievable_pr._inference.unseen"
POSITIVES, PREVALENCE = (10, 30, 100), 0.1
# Below this area and from this number of positives on, intervals are ordinary.
ORDINARY, ENOUGH = 0.9, 30


class Cell(NamedTuple):
    """A population of two paired scores and a number of positives.

    `draw(rng, n_pos)` returns labels, both scores and the options of the design, and
    `values` are the areas of both scores in the population.
    """

    group: str
    name: str
    n_pos: int
    draw: object
    values: tuple
    options: dict


def labels(rng, n_pos):
    """Labels with this expected number of positives, at least two of each class."""
    n = round(n_pos / PREVALENCE)
    y_true = rng.random(n) < PREVALENCE
    y_true[:4] = True, True, False, False
    return rng.permutation(y_true)


# Scores that lose positives


def losing(y_true, share, rng):
    """Scores of which this share of the positives is among the negatives."""
    lost = rng.random(len(y_true)) < share
    return rng.random(len(y_true)) + (y_true & ~lost)


def value_of_losing(share, metric, **options):
    """The value of the metric in the population, by quadrature."""
    m = 5000
    grid = np.arange(m) / m
    weight = np.repeat(
        [(1 - share) * PREVALENCE, share * PREVALENCE / m, (1 - PREVALENCE) / m], [1, m, m]
    )
    y_true, score = np.arange(2 * m + 1) <= m, np.concatenate([[2], grid, grid])
    some = weight > 0
    return METRICS[metric](y_true[some], score[some], sample_weight=weight[some], **options)


def lost_positives():
    """One score is perfect, the other one loses positives; several metrics and designs."""
    designs = {
        **{metric: {"metric": metric} for metric in METRICS},
        **{f"recall {a:g} to {b:g}": {"recall_range": (a, b)} for a, b in
           ((0, 0.5), (0.5, 1), (0.8, 1))},
        "weights": {},
        "clusters": {},
        "average of three labels": {},
    }  # fmt: skip
    for (name, options), share, n_pos in itertools.product(
        designs.items(), (0.01, 0.03, 0.1), POSITIVES
    ):
        if share == 0.01 and name not in METRICS:
            continue

        def draw(rng, n_pos, share=share, name=name):
            y_true = labels(rng, n_pos)
            scores = losing(y_true, 0, rng), losing(y_true, share, rng)
            if name == "average of three labels":
                others = [labels(rng, n_pos) for _ in range(2)]
                scores = [
                    np.column_stack([score, *(losing(y, q, rng) for y in others)])
                    for score, q in zip(scores, (0, share), strict=True)
                ]
                return np.column_stack([y_true, *others]), *scores, {}
            if name == "weights":
                return y_true, *scores, {"sample_weight": rng.uniform(0.5, 2, len(y_true))}
            if name == "clusters":  # three copies of each sample
                copies = (np.repeat(x, 3) for x in (y_true, *scores))
                return *copies, {"groups": np.repeat(np.arange(len(y_true)), 3)}
            return y_true, *scores, {}

        own = {k: v for k, v in options.items() if k == "recall_range"}
        metric = options.get("metric", "auc_pr_interpolated")
        values = tuple(value_of_losing(q, metric, **own) for q in (0, share))
        text = f"{name}, {share:.0%} lost"
        yield Cell("lost positives", text, n_pos, draw, values, options)


# Normal scores


def normal_scores():
    """Both scores are normal in each class, with half of the noise in common."""
    areas = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)
    pairs = [*((a, a) for a in areas), *itertools.pairwise(reversed(areas))]
    for values, n_pos in itertools.product(pairs, POSITIVES):

        def draw(rng, n_pos, values=values):
            y_true = labels(rng, n_pos)
            shared, *own = rng.normal(size=(3, len(y_true)))
            scores = (
                normal(
                    (shared + noise) / np.sqrt(2), y_true, shift_for(normal, PREVALENCE, v)
                )
                for noise, v in zip(own, values, strict=True)
            )
            return y_true, *scores, {}

        text = f"AUC-PR {values[0]:g} and {values[1]:g}"
        yield Cell("normal scores", text, n_pos, draw, values, {})


# Fitted learners


def data_sets():
    """Names, features and labels."""
    rng = np.random.default_rng(0)
    digits, cancer, wine = load_digits(), load_breast_cancer(), load_wine()
    noise = rng.normal(size=digits.data.shape)
    repeated = np.repeat(wine.data, 3, axis=0)
    repeated = repeated + 0.5 * wine.data.std(axis=0) * rng.normal(size=repeated.shape)
    return {
        "digit 9, heavy noise": (digits.data + 10 * noise, digits.target == 9),
        "digit 3, noise": (digits.data + 4 * noise, digits.target == 3),
        "malignant, two features": (cancer.data[:, [1, 9]], cancer.target == 0),
        "malignant, 30 features": (cancer.data, cancer.target == 0),
        "wine, noise": (repeated, np.repeat(wine.target == 2, 3)),
    }


LEARNERS = {
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "tree": DecisionTreeClassifier(max_depth=5, min_samples_leaf=5, random_state=0),
    "boosting": HistGradientBoostingClassifier(max_iter=50, random_state=0),
    "neighbors": make_pipeline(StandardScaler(), KNeighborsClassifier(15)),
}


def fitted_learners(n_data_sets=None):
    """Both scores are out-of-fold scores, drawn with replacement class by class."""
    for name, (X, y) in itertools.islice(data_sets().items(), n_data_sets):
        pool = {
            learner: out_of_fold_score(model, X, y) for learner, model in LEARNERS.items()
        }
        rows = [np.flatnonzero(y == c) for c in (False, True)]
        for (a, b), n_pos in itertools.product(itertools.combinations(pool, 2), POSITIVES):

            def draw(rng, n_pos, scores=(pool[a], pool[b]), rows=rows):
                y_true = labels(rng, n_pos)
                drawn = [rng.choice(of_class, len(y_true)) for of_class in rows]
                chosen = np.where(y_true, drawn[1], drawn[0])
                return y_true, *(score[chosen] for score in scores), {}

            values = tuple(
                auc_pr_interpolated(y, pool[learner], prevalence=PREVALENCE)
                for learner in (a, b)
            )
            yield Cell("fitted learners", f"{name}: {a}, {b}", n_pos, draw, values, {})


# Folds


class Column(ClassifierMixin, BaseEstimator):
    """Its score is the first feature."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return X[:, 0]

    def predict(self, X):
        return self.classes_[(X[:, 0] > 0).astype(int)]


COLUMN = Column().fit(None, [0, 1])


def compared_in_folds(y_true, a, b):
    """The interval of the difference over five folds."""
    X, y = {"a": a[:, np.newaxis], "b": b[:, np.newaxis]}, y_true.astype(int)
    train, test = zip(*StratifiedKFold(5).split(a, y), strict=True)
    run = {"estimator": [COLUMN] * 5, "indices": {"train": train, "test": test}}
    return compare_models_cv({"a": run, "b": run}, X, y).pairs["a", "b"]


def folds():
    """One learner is perfect in five folds, the other one loses positives."""
    for share, n_pos in itertools.product((0.01, 0.03, 0.1), (50, 150)):

        def draw(rng, n_pos, share=share):
            y_true = labels(rng, n_pos)
            return y_true, losing(y_true, 0, rng), losing(y_true, share, rng), {}

        values = tuple(value_of_losing(q, "auc_pr_interpolated") for q in (0, share))
        yield Cell("five folds", f"{share:.0%} lost", n_pos, draw, values, {"folds": True})


# Measurements


def measured(y_true, a, b, truths, folds=False, **options):
    """Whether both intervals cover, their widths, and whether the test rejects."""
    if folds:
        pair, one = compared_in_folds(y_true, a, b), None
    else:
        models = compare_models(y_true, {"a": a, "b": b}, **options)
        pair = models.pairs["a", "b"]
        one = auc_pr_interval(y_true, b, **options)
    row = []
    for found, truth in ((pair, truths[0] - truths[1]), (one, truths[1])):
        low, high = (np.nan, np.nan) if found is None else found.confidence_interval
        row += [low - 1e-9 <= truth <= high + 1e-9, high - low]
    return [*row, pair.pvalue <= 0.05]


def of_cell(cell, repetitions, seed):
    """One row of results, with the variance of unseen samples and without it."""
    rng, found, without = np.random.default_rng(seed), [], []
    for _ in range(repetitions):
        y_true, a, b, design = cell.draw(rng, cell.n_pos)
        data = y_true, a, b, cell.values
        options = cell.options | design
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            found.append(measured(*data, **options))
            with mock.patch(f"{UNSEEN}.fade", return_value=0.0):
                without.append(measured(*data, **options))
    found, without = np.array(found, dtype=float), np.array(without, dtype=float)
    pair, width, one, width_of_one, rejected = found.T
    one_without = without[:, 2].mean()
    if cell.options.get("folds"):  # the interval of one learner was not computed
        one = one_without = np.array(np.nan)
    return {
        "group": cell.group,
        "population": cell.name,
        "positives": cell.n_pos,
        "area a": cell.values[0],
        "area b": cell.values[1],
        "coverage without": without[:, 0].mean(),
        "coverage": pair.mean(),
        "rejected without": without[:, 4].mean(),
        "rejected": rejected.mean(),
        "width ratio": ratio(width, without[:, 1]),
        "one score, coverage without": float(one_without),
        "one score, coverage": one.mean(),
        "one score, width ratio": ratio(width_of_one, without[:, 3]),
    }


def ratio(widths, others):
    """Median ratio of the widths of intervals that have a width without unseen samples."""
    has_width = others > 1e-9
    return np.median(widths[has_width] / others[has_width]) if has_width.any() else np.nan


def is_ordinary(row):
    # Areas of a recall range are small, whatever the ranking.
    is_high = max(row["area a"], row["area b"]) >= ORDINARY or "recall" in row["population"]
    return row["positives"] >= ENOUGH and not is_high


def summary(rows):
    """Rows of differences by group and number of positives."""
    key = itemgetter("group", "positives")
    found = []
    for (group, n_pos), cells in itertools.groupby(sorted(rows, key=key), key):
        cells = [*cells]
        row = {"population": group, "positives": n_pos, "cells": len(cells)}
        for which, name in (("without", " without"), ("with", "")):
            covered = [cell[f"coverage{name}"] for cell in cells]
            row |= {
                f"coverage {which}, least": min(covered),
                f"coverage {which}, mean": np.mean(covered),
            }
        equal = [cell for cell in cells if cell["area a"] == cell["area b"]]
        for which, name in (("without", " without"), ("with", "")):
            rejected = [cell[f"rejected{name}"] for cell in equal]
            row[f"type I {which}, most"] = max(rejected) if equal else ""
        found.append(row)
    return found


def summary_of_one(rows):
    """Rows of intervals of one score by group and number of positives."""
    key, found = itemgetter("group", "positives"), []
    rows = [row for row in rows if not np.isnan(row["one score, coverage"])]
    for (group, n_pos), cells in itertools.groupby(sorted(rows, key=key), key):
        cells = [*cells]
        row = {"population": group, "positives": n_pos, "cells": len(cells)}
        for which, name in (("without", " without"), ("with", "")):
            covered = [cell[f"one score, coverage{name}"] for cell in cells]
            row |= {
                f"coverage {which}, least": min(covered),
                f"coverage {which}, mean": np.mean(covered),
            }
        found.append(row)
    return found


def table_of_widths(rows):
    """Ratios of widths, with to without, of ordinary and of other populations."""
    found = []
    for name, chosen in (
        (f"both areas below {ORDINARY:g}, {ENOUGH} or more positives", is_ordinary),
        ("others", lambda row: not is_ordinary(row)),
    ):
        cells = [row for row in rows if chosen(row)]
        row = {"population": name, "cells": len(cells)}
        for what, column in (
            ("difference", "width ratio"),
            ("one score", "one score, width ratio"),
        ):
            ratios = [cell[column] for cell in cells if not np.isnan(cell[column])]
            row[f"{what}, median"] = np.median(ratios) if ratios else ""
            row[f"{what}, most"] = max(ratios, default="")
        found.append(row)
    return found


def main():
    options = command_line(__doc__, repetitions={"type": int, "default": 400})
    n, every = (20, 7) if options.quick else (options.repetitions, 1)
    report = Report(options, np, scipy, sklearn, sklearn_achievable_pr)
    cells = [*lost_positives(), *normal_scores(), *folds()][::every]
    cells += fitted_learners(1 if options.quick else None)
    rows = [of_cell(cell, n, seed) for seed, cell in enumerate(cells)]
    error = f"Monte Carlo error of one cell {monte_carlo_error(n):.4f}"
    report.table("unseen_cells", f"All cells; {error}", rows)
    report.table("unseen", f"Differences of two scores; {error}", summary(rows))
    report.table(
        "unseen_one_score", f"Intervals of one score; {error}", summary_of_one(rows)
    )
    report.table("unseen_widths", "Ratio of widths, with to without", table_of_widths(rows))
    report.close()


if __name__ == "__main__":
    main()
