"""Every public call sorts each score array once, in `_roc/sorting.py` and nowhere else."""

import re
from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from situations import random_problem
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB

import sklearn_achievable_pr as apr
from sklearn_achievable_pr._roc import sorting

# The functions of `_roc/sorting.py` that sort scores; each call is one sort.
SORTS = ("sort_samples", "by_falling_score")


@pytest.fixture
def n_sorts(monkeypatch):
    """Counts calls of the functions that sort scores."""
    counts = Counter()

    def counted(name, sort):
        def call(*args, **options):
            counts[name] += 1
            return sort(*args, **options)

        return call

    for name in SORTS:
        monkeypatch.setattr(sorting, name, counted(name, getattr(sorting, name)))
    return counts.total


# Fewer and more samples than a gathered permutation is used for; positives rare or not.
DATA = {
    "few": random_problem(0, 200, n_levels=30),
    "many": random_problem(1, sorting.FEW_SAMPLES + 100),
    "rare": random_problem(2, sorting.FEW_SAMPLES + 100, prevalence=0.01),
    "weighted": random_problem(3, sorting.FEW_SAMPLES + 100, weights="fractional"),
}
every_data = pytest.mark.parametrize("data", DATA)

interval, chance = apr.auc_pr_interval, apr.auc_pr_chance_test
resampled = partial(interval, n_resamples=39, random_state=0)
ONE_SORT = {
    "area": apr.auc_pr_interpolated,
    "part of the area": partial(apr.auc_pr_interpolated, recall_range=(0.2, 0.8)),
    "achievable area": partial(apr.auc_pr_interpolated, curve="achievable"),
    "AUCNPR": apr.aucnpr,
    "normalized average precision": apr.normalized_average_precision_score,
    "AUPRG": apr.auprg_score,
    "curve": apr.pr_curve_interpolated,
    "achievable curve": apr.achievable_pr_curve,
    "precision-recall-gain curve": apr.pr_gain_curve,
    "precision at recall": partial(apr.precision_at_recall, recall=[0.2, 0.5]),
    "recall at precision": partial(apr.recall_at_precision, precision=[0.2, 0.5]),
    "influence": apr.auc_pr_influence,
    "interval": interval,
    "interval of average precision": partial(interval, metric="average_precision"),
    "interval with a prevalence": partial(interval, prevalence=0.3, metric="aucnpr"),
    "percentile": partial(resampled, method="percentile"),
    "BCa": partial(resampled, method="bca"),
    "resampled AUPRG": partial(resampled, method="percentile", metric="auprg"),
    "precision at k": partial(apr.precision_at_k, k=9),
    "interval at a recall": partial(apr.operating_point_interval, recall=0.5),
    "interval at k": partial(apr.operating_point_interval, k=9),
    "threshold": partial(apr.choose_threshold, min_recall=0.5),
    "threshold by counts": partial(
        apr.choose_threshold, objective=lambda *counts: counts[0]
    ),
    "table": partial(apr.threshold_table, thresholds=[0.2, 0.5]),
    "table at k": partial(apr.threshold_table, k=[3, 9]),
    "chance test": partial(chance, n_resamples=9, random_state=0),
}


@every_data
@pytest.mark.parametrize("name", ONE_SORT)
def test_one_score_is_sorted_once(name, data, n_sorts):
    y_true, y_score, weight = DATA[data]
    ONE_SORT[name](y_true, y_score, sample_weight=weight)
    assert n_sorts() == 1


@pytest.mark.parametrize("design", ["groups", "fixed_class_counts"])
@pytest.mark.parametrize("method", ["beta", "percentile", "bca"])
@every_data
def test_an_interval_of_any_design_sorts_once(method, design, data, n_sorts):
    y_true, y_score, weight = DATA[data]
    value = np.arange(len(y_true)) // 2 if design == "groups" else True
    resampled(y_true, y_score, method=method, sample_weight=weight, **{design: value})
    assert n_sorts() == 1


@every_data
@pytest.mark.parametrize("method", ["influence", "percentile", "permutation"])
def test_a_comparison_sorts_each_score_once(method, data, n_sorts):
    y_true, y_score, weight = DATA[data]
    options = {"method": method, "n_resamples": 39, "random_state": 0}
    apr.compare_auc_pr(y_true, y_score, -y_score, sample_weight=weight, **options)
    assert n_sorts() == 2


@every_data
@pytest.mark.parametrize("method", ["influence", "percentile", "permutation"])
def test_a_comparison_of_models_sorts_each_score_once(method, data, n_sorts):
    y_true, y_score, weight = DATA[data]
    scores = {"a": y_score, "b": -y_score, "c": y_score**3}
    options = {"method": method, "n_resamples": 39, "random_state": 0}
    apr.compare_models(y_true, scores, sample_weight=weight, **options)
    assert n_sorts() == 3


@every_data
def test_cross_validations_sort_each_fold_once(data, n_sorts):
    y_true, y_score, _ = DATA[data]
    X = y_score[:, np.newaxis]
    cv_results = {
        name: cross_validate(
            model, X, y_true, cv=3, return_estimator=True, return_indices=True
        )
        for name, model in (("bayes", GaussianNB()), ("logistic", LogisticRegression()))
    }
    apr.compare_models_cv(cv_results, X, y_true)
    assert n_sorts() == 6
    apr.auc_pr_interval_cv(cv_results["bayes"], X, y_true)
    assert n_sorts() == 9


@every_data
def test_a_comparison_of_subgroups_sorts_the_samples_of_each_once(data, n_sorts):
    y_true, y_score, weight = DATA[data]
    by = np.arange(len(y_true)) % 2
    apr.compare_subgroups(y_true, y_score, by, sample_weight=weight)
    assert n_sorts() == 2


@every_data
@pytest.mark.parametrize(
    "options",
    [
        {"curve": "both", "interval": True},
        {"band": "simultaneous", "interval": True},
        {"prevalence": 0.3, "interval": True},
    ],
)
def test_a_display_sorts_once(options, data, n_sorts):
    """In earlier versions each interval sorted again."""
    y_true, y_score, weight = DATA[data]
    apr.AchievablePRDisplay.from_predictions(
        y_true, y_score, sample_weight=weight, **options, ax=Figure().subplots()
    )
    assert n_sorts() == 1


def test_a_display_of_classes_sorts_each_column_once(n_sorts):
    rng = np.random.default_rng(0)
    apr.AchievablePRDisplay.from_predictions(
        np.arange(300) % 3,
        rng.normal(size=(300, 3)),
        curve="both",
        interval=True,
        ax=Figure().subplots(),
    )
    assert n_sorts() == 3


@pytest.mark.parametrize(
    "options", [{"curve": "both", "band": "folds"}, {"summary": False}, {"prevalence": 0.2}]
)
@pytest.mark.parametrize("tuned", [False, True])
def test_a_display_of_folds_sorts_once_per_fold(tuned, options, n_sorts):
    """10 sorts for 5 folds in earlier versions, 15 with a band."""
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    X = rng.normal(size=(400, 3)) + y[:, None]
    model = LogisticRegression()
    if tuned:
        model = apr.HullThresholdClassifierCV(model, cv=0.5, random_state=0)
    cv_results = cross_validate(model, X, y, return_estimator=True, return_indices=True)
    before = n_sorts()
    apr.AchievablePRDisplay.from_cv_results(
        cv_results, X, y, **options, ax=Figure().subplots()
    )
    assert n_sorts() - before == 5


PACKAGE = Path(apr.__file__).parent
A_SORT = re.compile(
    r"\bnp\.(sort|argsort|lexsort|unique|partition|argpartition)\(|\bsorted\("
    r"|\.(sort|argsort|partition|argpartition)\((?![\"'])"
)
# Other sorts, by the start of the file's path.
OTHER_SORTS = {
    "_cli/": "names of files, p-values, points of a curve",
    "_input/": "labels, classes",
    "_metrics/": "class totals of resamples",
    "_out_of_core/": "bins of scores",
    "_plot/": "points of lines, entries of a legend",
    "_roc/curve.py": "points along a segment",
    "_threshold/": "sample indices, labels, sizes of tuning sets",
    "_uncertainty/checks.py": "clusters",
    "_uncertainty/likelihood.py": "recalls",
    "_uncertainty/subgroups.py": "clusters",
    "_uncertainty/adjustment.py": "p-values",
    "results.py": "ranks of models",
    "_uncertainty/sample_size.py": "thresholds of a population",
    "_uncertainty/label_plan.py": "indices of samples, tied scores at random",
    "_uncertainty/permutation.py": "ranks, positions, clusters",
    "display.py": "prevalences of curves",
    "_folds/": "recalls, clusters",
    "hull_threshold.py": "labels",
    "scorers.py": "names",
    "threshold_display.py": "names",
    "unachievable.py": "weights",
}


def test_scores_are_sorted_in_one_module():
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if A_SORT.search(path.read_text(encoding="utf-8"))
    }
    found.remove("_roc/sorting.py")
    assert not {path for path in found if not path.startswith(tuple(OTHER_SORTS))}
