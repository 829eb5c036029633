"""`auc_pr_influence` against numerical derivatives, and by hand."""

import numpy as np
import pytest
import slow_twins as twins
from inference import VALUES, derivatives
from situations import SITUATIONS, random_problem
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import average_precision_score

from sklearn_achievable_pr import (
    auc_pr_influence,
    auc_pr_interpolated,
    average_precision_min,
)

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")


def nearest_point(data, recalls):
    """Smallest distance in recall of a point from the ends of a range within (0, 1)."""
    tps = [float(p.t) for p in twins.roc(*data)]
    ends = [recall for recall in recalls if 0 < recall < 1]
    return min((abs(t / tps[-1] - end) for t in tps for end in ends), default=1.0)


@pytest.mark.parametrize(
    ("metric", "n_levels", "options"),
    [
        ("auc_pr_interpolated", None, {}),
        ("auc_pr_interpolated", 10, {"recall_range": (0.23, 0.71), "prevalence": 0.03}),
        ("aucnpr", 10, {"recall_range": (0.41, 1.0), "prevalence": 0.6}),
        ("average_precision", 10, {"prevalence": 0.03}),
    ],
)
def test_influence_is_the_derivative(metric, n_levels, options):
    y_true, y_score, weight = random_problem(2, 28, n_levels=n_levels, weights="fractional")
    weight += 0.2
    # Finite differences across a point at the end of a range would mix two derivatives.
    ends = options.get("recall_range", (0, 1))
    assert nearest_point((y_true, y_score, weight), ends) > 4e-3

    def value(weight):
        return VALUES[metric](y_true, y_score, sample_weight=weight, **options)

    found = auc_pr_influence(
        y_true, y_score, metric=metric, sample_weight=weight, **options
    )
    expected = derivatives(value, weight)
    # The finite differences are accurate to 1e-16 / 1e-4 of the value.
    tolerance = max(1e-9 * np.max(np.abs(expected)), 5e-12)
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance)
    assert abs(np.sum(weight * found)) < 1e-12


@pytest.mark.parametrize(("seed", "decimals"), [(0, 9), (1, 1), (2, 0)])
def test_influence_on_normalized_average_precision_by_its_formula(seed, decimals):
    """(AP - m) / (1 - m), whose minimum m is that of many samples in its derivative."""
    y_true, y_score, _ = random_problem(seed, 200)
    y_score = y_score.round(decimals)
    n_pos, n = int(np.sum(y_true)), len(y_true)
    pi, least = n_pos / n, average_precision_min(n_pos, n - n_pos)
    stepwise = average_precision_score(y_true, y_score)
    of_stepwise = auc_pr_influence(y_true, y_score, metric="average_precision")
    slope = -(np.log(1 - pi) + pi) / pi**2
    of_least = slope * (np.asarray(y_true) - pi) / n
    expected = of_stepwise / (1 - least) + (stepwise - 1) * of_least / (1 - least) ** 2
    found = auc_pr_influence(y_true, y_score, metric="normalized_average_precision")
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-15)


@pytest.mark.parametrize(
    ("metric", "situation"),
    [
        ("auc_pr_interpolated", "denormal_weight"),
        ("auc_pr_interpolated", "one_negative"),
        ("aucnpr", "huge_weights"),
        ("average_precision", "ties_at_top"),
    ],
)
def test_influence_sums_to_zero(metric, situation):
    """Weighted influence values sum to 0, also with weights of 1e-310 or 1e200."""
    y_true, y_score, weight = SITUATIONS[situation]
    found = auc_pr_influence(y_true, y_score, metric=metric, sample_weight=weight)
    assert np.isfinite(found).all()
    weight = np.ones(len(found)) if weight is None else weight
    # Large weights times small derivatives, and the other way round.
    assert abs(np.sum(weight / weight.max() * (found * weight.max()))) < 1e-12


def test_influence_by_hand():
    """One positive between two negatives: A = w / (w + v) with v the weight before it.

    A = integral of t / (t + v) from 0 to w, over w = 1 - v / w log((w + v) / v).
    """
    w, v = 2.0, 3.0
    found = auc_pr_influence([0, 1, 0], [3, 2, 1], sample_weight=[v, w, 5.0])
    log = np.log((w + v) / v)
    by_v = -log / w + 1 / (w + v)
    by_w = v / w**2 * log - v / (w * (w + v))
    np.testing.assert_allclose(found, [by_v, by_w, 0.0], rtol=1e-13, atol=0)


def test_influence_where_precision_falls_vertically():
    """At recall 1/2 of this ranking: the mean of the derivatives to either side."""
    y_true, y_score = [1, 0, 1], [3, 2, 1]
    options = {"recall_range": (0.0, 0.5)}
    found = auc_pr_influence(y_true, y_score, **options)

    def slope(i, step):
        weight = np.ones(3)
        weight[i] += step
        moved = auc_pr_interpolated(y_true, y_score, sample_weight=weight, **options)
        return (moved - auc_pr_interpolated(y_true, y_score, **options)) / step

    for i in range(3):
        sides = [slope(i, step) for step in (1e-7, -1e-7)]
        assert found[i] == pytest.approx(np.mean(sides), abs=1e-6)
    assert abs(slope(0, 1e-7) - slope(0, -1e-7)) > 0.05


def test_influence_on_a_range_that_starts_where_precision_falls_vertically():
    """Both ranges at recall 1/2 of this ranking add up to all recalls."""
    y_true, y_score = [1, 0, 1], [3, 2, 1]
    both = [
        auc_pr_influence(y_true, y_score, recall_range=recall_range)
        for recall_range in ((0.0, 0.5), (0.5, 1.0))
    ]
    np.testing.assert_allclose(sum(both), auc_pr_influence(y_true, y_score), atol=1e-15)


def test_samples_between_two_of_the_other_class_have_one_influence():
    y_true, y_score, _ = random_problem(3, 400, prevalence=0.2)
    found = auc_pr_influence(y_true, y_score)
    order = np.argsort(-y_score)
    same_class = np.diff(y_true[order]) == 0
    np.testing.assert_array_equal(np.diff(found[order])[same_class], 0)


def test_a_sample_of_weight_0_has_no_influence():
    weight = [1.0, 0.0, 2.0, 0.0, 1.0, 3.0]
    found = auc_pr_influence([1, 1, 0, 0, 1, 0], [6, 5, 4, 3, 2, 1], sample_weight=weight)
    without = auc_pr_influence([1, 0, 1, 0], [6, 4, 2, 1], sample_weight=[1, 2, 1, 3])
    np.testing.assert_array_equal(found[[1, 3]], 0)
    np.testing.assert_array_equal(found[[0, 2, 4, 5]], without)


def test_a_class_of_weight_0_is_missing():
    weight = [1.0, 0.0, 1.0]
    with pytest.warns(UndefinedMetricWarning, match="No positive samples"):
        found = auc_pr_influence([0, 1, 0], [1, 2, 3], sample_weight=weight)
    np.testing.assert_array_equal(found, [np.nan, 0, np.nan])
