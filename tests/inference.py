"""What the tests of intervals, comparisons and influence values share."""

import warnings
from contextlib import contextmanager

import numpy as np
import pytest
from situations import FUNCTIONS, random_problem

from sklearn_achievable_pr import (
    CoverageWarning,
    auc_pr_chance_test,
    auc_pr_influence,
    auc_pr_interval,
    compare_models,
)

# Metrics with an influence function.
SMOOTH = (
    "auc_pr_interpolated",
    "aucnpr",
    "average_precision",
    "normalized_average_precision",
)
VALUES = {
    name: FUNCTIONS[name] for name in ("auc_pr_interpolated", "aucnpr", "average_precision")
}
every_metric = pytest.mark.parametrize("metric", sorted(VALUES))


def derivatives(value, weight):
    """The derivative by each weight to fourth order."""

    def moved(steps):
        is_moved = np.eye(len(weight), dtype=bool)
        return np.array([value(row) for row in weight + steps * is_moved])

    step = 3e-4 * weight
    near, far = (moved(n * step) - moved(-n * step) for n in (1, 2))
    return (8 * near - far) / (12 * step)


def influence_by_differences(y_true, y_score, metric, **options):
    def value(weight):
        return VALUES[metric](y_true, y_score, sample_weight=weight, **options)

    return derivatives(value, np.ones(len(y_true)))


def compare_two(y_true, y_score_a, y_score_b, **options):
    """The difference of two scores."""
    scores = {"a": y_score_a, "b": y_score_b}
    return compare_models(y_true, scores, **options).pairs["a", "b"]


INFERENCES = {
    "influence": auc_pr_influence,
    "interval": auc_pr_interval,
    "test": auc_pr_chance_test,
    "comparison": lambda y, s, **options: compare_two(y, s, s, **options),
}


def weighted_classes(of_positives, of_negatives):
    """Labels, a score, and one weight per class."""
    y_true, y_score, _ = random_problem(0, 60)
    return y_true, y_score, np.where(y_true == 1, of_positives, of_negatives)


@contextmanager
def no_coverage_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error", CoverageWarning)
        yield


def two_scores(seed, n_samples, prevalence=0.3, shift=0.7):
    rng = np.random.default_rng(seed)
    y_true = (rng.random(n_samples) < prevalence).astype(int)
    y_true[:4] = 0, 1, 0, 1
    shared = rng.normal(size=n_samples) + y_true
    noise = rng.normal(size=(2, n_samples))
    return y_true, shared + noise[0] + shift * y_true, shared + noise[1]


Y, S = [0, 1, 0, 1, 1, 0], [1, 2, 3, 4, 5, 6]
