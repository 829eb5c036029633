"""Every public call sorts each score array once, in `_roc/sorting.py` and nowhere else."""

import inspect
import re
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from situations import random_problem
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate

import sklearn_achievable_pr as apr

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")


@pytest.fixture
def sorts_of(n_sorts):
    """A function that counts the sorts of each call of a table."""

    def sorts_of(calls, *args, **options):
        found = {}
        for name, call in calls.items():
            before = n_sorts()
            call(*args, **options)
            found[name] = n_sorts() - before
        return found

    return sorts_of


# Fewer and more samples than a gathered permutation is used for; positives rare or not.
FEW, MANY = 200, 5100
DATA = {
    "few": random_problem(0, FEW, n_levels=30),
    "many": random_problem(1, MANY),
    "rare": random_problem(2, MANY, prevalence=0.01),
    "weighted": random_problem(3, MANY, weights="fractional"),
}


def test_the_data_are_sorted_in_both_ways(tuning):
    assert FEW < tuning.few_samples < MANY


interval = apr.auc_pr_interval
draw = apr.AchievablePRDisplay.from_predictions


def unweighted_chance_test(y_true, y_score, sample_weight=None):
    return apr.auc_pr_chance_test(y_true, y_score, n_resamples=9, random_state=0)


def in_pairs(y_true, y_score, **options):
    return interval(y_true, y_score, groups=np.arange(len(y_true)) // 2, **options)


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
    "recall at a false positive rate": partial(apr.recall_at_fpr, fpr=[0.02, 0.5]),
    "influence": apr.auc_pr_influence,
    "interval": interval,
    "interval of average precision": partial(interval, metric="average_precision"),
    "interval with a prevalence": partial(interval, prevalence=0.3, metric="aucnpr"),
    "interval of the achievable area": partial(interval, metric="achievable_auc_pr"),
    "hull": apr.roc_convex_hull,
    "precision at k": partial(apr.precision_at_k, k=9),
    "recall at k": partial(apr.recall_at_k, k=[3, 9]),
    "interval at a precision": partial(apr.operating_point_interval, precision=0.5),
    "interval at a recall": partial(apr.operating_point_interval, recall=0.5),
    "threshold": partial(apr.choose_threshold, min_recall=0.5),
    "threshold by counts": partial(
        apr.choose_threshold, objective=lambda *counts: counts[0]
    ),
    "table": partial(apr.threshold_table, thresholds=[0.2, 0.5]),
    "table at k": partial(apr.threshold_table, k=[3, 9]),
    "chance test": unweighted_chance_test,
    "display": partial(draw, curve="both", interval=True),
    "display with a band": partial(draw, band="simultaneous", interval=True),
    "display at a prevalence": partial(draw, prevalence=0.3, interval=True),
    "interval with clusters": in_pairs,
}


def two_scores(function, **options):
    """A call of a function with two scores, one after the other or in a list."""

    def call(y_true, y_score, **weight):
        scores = [y_score, -y_score]
        if function is not apr.compare_models:
            return function(y_true, *scores, **weight, **options)
        return function(y_true, dict(zip("ab", scores, strict=True)), **weight, **options)

    return call


def two_subgroups(y_true, y_score, **weight):
    by = np.arange(len(y_true)) % 2
    return apr.compare_subgroups(y_true, y_score, by, **weight)


def two_labels(function, **options):
    def call(y_true, y_score, **weight):
        labels, scores = np.c_[y_true, 1 - y_true], np.c_[y_score, -y_score]
        return function(labels, scores, **weight, **options)

    return call


def two_folds(function, **options):
    def call(y_true, y_score, sample_weight):
        weight = None if sample_weight is None else halves(sample_weight)
        given = halves(y_true), halves(y_score)
        return function(*given, sample_weight=weight, **options)

    return call


def halves(values):
    return [values[::2], values[1::2]]


TWO_SORTS = {
    "compare_models": two_scores(apr.compare_models),
    "subgroups": two_subgroups,
    "dominance": two_scores(apr.dominates),
    "area of labels": two_labels(apr.auc_pr_interpolated),
    "AUPRG of labels": two_labels(apr.auprg_score, average=None),
    "display of labels": two_labels(draw, curve="both", interval=True),
    "mean over folds": two_folds(apr.summary_auc_pr),
    "AUCNPR of folds": two_folds(apr.summary_auc_pr, metric="aucnpr"),
    "mean curve": two_folds(apr.summary_pr_curve, curve="achievable"),
}


@pytest.mark.filterwarnings("ignore:.*The scores rank negatives")
@pytest.mark.slow
@pytest.mark.parametrize("data", DATA)
def test_each_score_is_sorted_once(data, sorts_of):
    y_true, y_score, weight = DATA[data]
    for n, calls in ((1, ONE_SORT), (2, TWO_SORTS)):
        found = sorts_of(calls, y_true, y_score, sample_weight=weight)
        assert found == dict.fromkeys(calls, n)


def test_data_larger_than_memory_are_sorted_once(sorts_of):
    y_true, y_score, _ = DATA["many"]
    frame = pd.DataFrame({"y": y_true, "score": y_score})
    batches = [*zip(halves(y_true), halves(y_score), strict=True)]
    calls = {
        "frame": lambda: apr.auc_pr_from_frame(frame, "y", "score", metric="aucnpr"),
        "batches": lambda: apr.auc_pr_from_batches(lambda: batches),
    }
    assert sorts_of(calls) == dict.fromkeys(calls, 1)


# Models


def classes():
    y = np.arange(400) % 2
    return np.random.default_rng(0).normal(size=(400, 3)) + y[:, None], y


def tuned(**options):
    options = {"cv": 0.5, "random_state": 0, **options}
    return apr.HullThresholdClassifierCV(LogisticRegression(), **options)


@pytest.mark.parametrize(
    ("n", "options"),
    [
        (1, {"cv": 4}),
        (1, {"randomize": True, "max_fpr": 0.3}),
        (1, {"confidence_level": 0.8, "min_recall": 0.5, "refit": False}),
        # The out-of-fold scores that order the thresholds are sorted, too.
        (2, {"confidence_level": 0.8, "min_precision": 0.6, "refit": False}),
    ],
)
def test_a_tuning_set_is_sorted_once(n, options, n_sorts):
    model = tuned(**options).fit(*classes())
    assert n_sorts() == n
    apr.HullThresholdDisplay.from_estimator(model)
    assert n_sorts() == n


CV = {"return_estimator": True, "return_indices": True, "cv": 5}


def results_of(model):
    """Results of a cross-validation and its data, the first arguments of many functions."""
    return cross_validate(model, *classes(), **CV), *classes()


on_folds = apr.AchievablePRDisplay.from_cv_results
FIVE_SORTS = {
    "display": on_folds,
    "both curves and a band": partial(on_folds, curve="both", band="folds"),
    "no summary": partial(on_folds, summary=False),
    "display at a prevalence": partial(on_folds, prevalence=0.2),
    "interval": apr.auc_pr_interval_cv,
    "scores, then their summary": lambda *data: apr.summary_auc_pr(
        *apr.fold_predictions(*data)[:2]
    ),
    "scorer": lambda _, X, y: cross_validate(
        LogisticRegression(), X, y, scoring=apr.aucnpr_scorer, cv=5
    ),
}


@pytest.mark.filterwarnings("ignore:Models of `cv_results`:UserWarning")
@pytest.mark.slow
@pytest.mark.parametrize("model", [LogisticRegression(), tuned()], ids=["plain", "tuned"])
def test_the_scores_of_each_fold_are_sorted_once(model, sorts_of):
    """A display sorted 10 times for 5 folds in earlier versions, 15 with a band."""
    cv_results, X, y = results_of(model)
    found = sorts_of(FIVE_SORTS, cv_results, X, y)
    assert found == dict.fromkeys(FIVE_SORTS, 5)
    compare = {"comparison": apr.compare_models_cv}
    assert sorts_of(compare, {"a": cv_results, "b": cv_results}, X, y) == {"comparison": 10}


def test_every_public_function_of_scores_is_in_this_file():
    """`f1_above_chance_score` has no scores, `select_positives` sorts parts of them.

    `cv_results_from_scores` sorts none: functions that take its result do.
    """
    here = Path(__file__).read_text(encoding="utf-8")
    takes_scores = {"y_score", "y_score_a", "y_scores", "cv_results", "batches", "frame"}
    assert not [
        name
        for name in apr.__all__
        if inspect.isfunction(function := getattr(apr, name))
        and takes_scores & inspect.signature(function).parameters.keys()
        and not re.search(rf"(\bapr\.|`){name}\b", here)
    ]


PACKAGE = Path(apr.__file__).parent
A_SORT = re.compile(
    r"\bnp\.(sort|argsort|lexsort|unique|partition|argpartition)\(|\bsorted\("
    r"|\.(sort|argsort|partition|argpartition)\((?![\"'])"
)
# Other sorts: of labels, clusters, bins, recalls, p-values, names, points of lines.
OTHER_SORTS = (
    "_cli/", "_inference/", "_input/", "_roc/curve.py", "comparisons/", "displays/",
    "folds/", "metrics/", "out_of_core/", "rates/_intervals.py", "results/", "thresholds/",
    "uncertainty/",
)  # fmt: skip


def test_scores_are_sorted_in_one_module():
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if A_SORT.search(path.read_text(encoding="utf-8"))
    }
    found.remove("_roc/sorting.py")
    assert not {path for path in found if not path.startswith(OTHER_SORTS)}
