"""Rules that summarize folds, compared with a known truth.

Prints two tables. The first has the bias and the root mean square error of the area for
each rule, with Monte Carlo errors. Scores are binormal, and all folds have the same ROC
curve but different prevalences. The second has the coverage of bands around the summary:
at one recall, and at 19 recalls simultaneously::

    python benchmarks/simulations/folds.py [--quick] [--repeats 300] [--out DIR]

`--quick` reduces the repetitions of the second table. The exit status is 1 if the bias of
the default rule is above 0.01 in a setting of the first table.
"""

import warnings
from functools import partial
from typing import NamedTuple

import numpy as np
import sklearn
from _bench import Report, command_line
from scipy.stats import norm, rankdata
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate

from sklearn_achievable_pr import (
    auc_pr_from_counts,
    auc_pr_interpolated,
    fold_predictions,
    precision_min,
    summary_auc_pr,
)
from sklearn_achievable_pr.displays._curves import _band_of_folds
from sklearn_achievable_pr.folds._summaries import check_folds
from sklearn_achievable_pr.metrics._operating_points import precision_at as precision_of

MOST_BIAS = 0.01
SKEWED = (0.02, 0.05, 0.1, 0.2, 0.45)


# The truth


def fpr_at(recall, distance):
    """False positive rate of a binormal score with this distance between the classes."""
    return norm.cdf(norm.ppf(recall) - distance)


def precision_at(recall, distance, prevalence):
    kappa = (1 - prevalence) / prevalence
    return recall / (recall + kappa * fpr_at(recall, distance))


def true_area(distance, prevalence):
    nodes, weights = np.polynomial.legendre.leggauss(400)
    return weights @ precision_at((nodes + 1) / 2, distance, prevalence) / 2


# Rules


def own_prevalences(labels, scores, prevalence):
    return np.mean([*map(auc_pr_interpolated, labels, scores)])


def pooled_scores(labels, scores, prevalence):
    return auc_pr_interpolated(np.concatenate(labels), np.concatenate(scores))


def pooled_ranks(labels, scores, prevalence):
    ranks = [rankdata(s) / len(s) for s in scores]
    return auc_pr_interpolated(np.concatenate(labels), np.concatenate(ranks))


def mean_tpr_at_fpr(labels, scores, prevalence):
    """ROC curves averaged vertically, a common plot."""
    fpr = np.linspace(0, 1, 2001)
    tpr = np.zeros(len(fpr))
    for y, s in zip(labels, scores, strict=True):
        y = y[np.argsort(-s, kind="stable")]
        rates = [np.append(0, np.cumsum(side)) / side.sum() for side in (1 - y, y)]
        tpr += np.interp(fpr, *rates) / len(labels)
    return auc_pr_from_counts(tpr, fpr, n_pos=1, n_neg=1, prevalence=prevalence)


def summary(labels, scores, prevalence, **options):
    return summary_auc_pr(labels, scores, prevalence=prevalence, **options)


def by_information(labels, scores, prevalence):
    """Folds weighted by P N / (P + N)."""
    weight = [len(y) * y.mean() * (1 - y.mean()) for y in labels]
    return summary(labels, scores, prevalence, fold_weight=weight)


DEFAULT = "Mean precision at each recall (default)"
RULES = {
    "Mean of curves at their own prevalence": own_prevalences,
    "Pooled scores": pooled_scores,
    "Pooled ranks": pooled_ranks,
    "Mean TPR at each FPR": mean_tpr_at_fpr,
    DEFAULT: summary,
    "Mean precision, folds weighted by PN/(P+N)": by_information,
}


class Setting(NamedTuple):
    name: str
    prevalences: tuple
    n_rows: int  # per fold
    shift: float  # standard deviation of the folds' offsets
    distance: float = 1.75


SETTINGS = (
    Setting("Prevalence varies, scores shifted, 5 x 400", SKEWED, 400, 1.0),
    Setting("Prevalence varies, scores shifted, 5 x 4000", SKEWED, 4000, 1.0),
    Setting(
        "Prevalence varies, no shift, 10 x 100", (0.05, 0.1, 0.2, 0.3, 0.5) * 2, 100, 0.0
    ),
)


def draw(setting, rng, distances=None):
    """Labels and scores of all folds."""
    if distances is None:
        distances = [setting.distance] * len(setting.prevalences)
    labels, scores = [], []
    for prevalence, distance in zip(setting.prevalences, distances, strict=True):
        y = (np.arange(setting.n_rows) < round(prevalence * setting.n_rows)).astype(int)
        labels.append(y)
        offset = setting.shift * rng.normal()
        scores.append(rng.normal(size=setting.n_rows) + distance * y + offset)
    return labels, scores


def bias_table(n_repeats):
    """For each rule, bias and error of the area, and the largest bias of the default."""
    rows = {name: {"Rule": name} for name in RULES}
    worst = 0.0
    for place, setting in enumerate(SETTINGS):
        rng = np.random.default_rng([4, place])
        prevalence = float(np.mean(setting.prevalences))
        truth = true_area(setting.distance, prevalence)
        errors = {name: [] for name in RULES}
        for _ in range(n_repeats):
            folds = draw(setting, rng)
            for name, rule in RULES.items():
                errors[name].append(rule(*folds, prevalence) - truth)
        for name, error in errors.items():
            bias, rmse = np.mean(error), np.sqrt(np.mean(np.square(error)))
            mc = np.std(error, ddof=1) / np.sqrt(n_repeats)
            rows[name][setting.name] = f"{bias:+.3f}({1e3 * mc:.0f})/{rmse:.3f}"
        worst = max(worst, abs(np.mean(errors[DEFAULT])))
    return list(rows.values()), worst


# Bands


RECALL = np.arange(1, 20) / 20


def sd_of_folds(folds, n_folds):
    """The mean plus and minus one standard deviation of the folds, a common band."""
    values = np.array([precision_of(roc, RECALL) for roc in folds.rocs])
    mean, sd = values.mean(axis=0), values.std(axis=0, ddof=1)
    return np.clip([mean - sd, mean + sd], precision_min(RECALL, folds.prevalence), 1)


def t_interval_of_folds(folds, n_folds):
    """The band of the displays, as it is drawn between its points."""
    recall, low, high = _band_of_folds(folds, n_folds)
    return np.interp(RECALL, recall, low), np.interp(RECALL, recall, high)


BANDS = {
    "+-1 sd of folds": sd_of_folds,
    "folds": t_interval_of_folds,
}
FEW = Setting("5 x 400, folds alike", SKEWED, 400, 1.0)
MANY = Setting("10 x 100, folds alike", (0.05, 0.1, 0.2, 0.3, 0.5) * 2, 100, 0.0)
FEW_DIFFER = Setting("5 x 400, folds truly differ", SKEWED, 400, 1.0)
MANY_DIFFER = Setting("10 x 400, folds truly differ", SKEWED * 2, 400, 1.0)
SPREAD = 0.4  # standard deviation of the distances between classes, if folds truly differ


def simulated_folds(setting, spread, rng):
    """Folds, and their number."""
    n_folds, prevalence = len(setting.prevalences), float(np.mean(setting.prevalences))
    distances = setting.distance + spread * rng.normal(size=n_folds)
    folds = draw(setting, rng, distances)
    return check_folds((*folds, None, None), prevalence, None), n_folds


def expected_precision(setting, spread):
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    prevalence = float(np.mean(setting.prevalences))
    curves = [
        precision_at(RECALL, setting.distance + spread * node, prevalence) for node in nodes
    ]
    return weights @ np.array(curves) / weights.sum()


SITUATIONS = ((FEW, 0), (MANY, 0), (FEW_DIFFER, SPREAD), (MANY_DIFFER, SPREAD))
N_FEATURES, N_ROWS, PREVALENCE = 10, 400, 0.2
DIRECTION = np.full(N_FEATURES, 1.75 / np.sqrt(N_FEATURES))


def classification(rng, n_rows=N_ROWS):
    y = (np.arange(n_rows) < PREVALENCE * n_rows).astype(int)
    return rng.normal(size=(n_rows, N_FEATURES)) + np.outer(y, DIRECTION), y


def cross_validated(n_repeats, rng):
    """Five folds, maybe repeated; two models share three quarters of the training data."""
    X, y = classification(rng)
    seed = int(rng.integers(2**31))
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=n_repeats, random_state=seed)
    results = cross_validate(
        LogisticRegression(), X, y, cv=cv, return_estimator=True, return_indices=True
    )
    return check_folds((*fold_predictions(results, X, y), None), PREVALENCE, None), 5


def expected_of_models(rng, n_models=2000):
    """A linear score of these classes is binormal with a known distance."""
    curves = np.zeros(len(RECALL))
    for _ in range(n_models):
        X, y = classification(rng, N_ROWS * 4 // 5)
        coef = LogisticRegression().fit(X, y).coef_[0]
        distance = coef @ DIRECTION / np.linalg.norm(coef)
        curves += precision_at(RECALL, distance, PREVALENCE) / n_models
    return curves


def coverage_table(n_repeats):
    """Coverage of bands at level 0.95: at one recall / at all recalls."""
    cases = [
        (s.name, partial(simulated_folds, s, spread), expected_precision(s, spread))
        for s, spread in SITUATIONS
    ]
    models = expected_of_models(np.random.default_rng(5), max(4 * n_repeats, 200))
    for n, name in (1, "cross-validation, 5 x 80"), (10, "the same, repeated 10 times"):
        cases.append((name, partial(cross_validated, n), models))
    rows = []
    for place, (name, make, truth) in enumerate(cases):
        rng = np.random.default_rng([6, place])
        inside = {band: [] for band in BANDS}
        for _ in range(n_repeats):
            folds, n_folds = make(rng)
            for band, of in BANDS.items():
                low, high = of(folds, n_folds)
                inside[band].append((low <= truth) & (truth <= high))
        row = {"setting": name}
        for band, covered in inside.items():
            whole = np.all(covered, axis=1)
            mc = np.sqrt(np.mean(whole) * (1 - np.mean(whole)) / n_repeats)
            row[band] = f"{np.mean(covered):.2f}/{np.mean(whole):.2f}({1e2 * mc:.0f})"
        rows.append(row)
    return rows


def main():
    options = command_line(__doc__, repeats={"type": int, "default": 300})
    report = Report(options, np, sklearn, repeats=options.repeats)
    warnings.simplefilter("error")
    bias, worst = bias_table(options.repeats)
    title = "Area: bias (Monte Carlo error in the last digit) / rmse"
    report.table("folds_bias", title, bias)
    coverage = coverage_table(40 if options.quick else options.repeats)
    title = "Coverage of bands at 0.95: at one recall / at all recalls"
    report.table("folds_coverage", title, coverage)
    report.close()
    return 0 if worst <= MOST_BIAS else 1


if __name__ == "__main__":
    raise SystemExit(main())
