"""`auc_pr_chance_test` against the enumeration of all arrangements."""

import itertools

import numpy as np
import pytest
from inference import two_scores
from situations import FUNCTIONS

from sklearn_achievable_pr import auc_pr_chance_test

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")


def test_permutations_of_a_very_short_recall_range_are_told_apart():
    """All areas are below 1e-13; only rounding errors of these count as equal."""
    y_true = np.arange(1000) < 2
    found = auc_pr_chance_test(
        y_true, -np.arange(1000.0), recall_range=(0, 1e-13), random_state=0
    )
    assert found.pvalue == pytest.approx(0.002, abs=0.001)


def test_by_default_there_are_9999_permutations():
    y_true, y_score, _ = two_scores(6, 40)
    assert len(auc_pr_chance_test(y_true, y_score).null_distribution) == 9999


@pytest.mark.parametrize("metric", FUNCTIONS)
@pytest.mark.parametrize(
    "y_score",
    [[4, 4, 3, 3, 3, 2, 1, 1], [7, 6, 5, 5, 4, 3, 2, 1], [8, 7, 6, 5, 4, 3, 2, 1]],
)
def test_chance_by_enumeration_on_8_samples(metric, y_score):
    y_true = [1, 1, 0, 1, 0, 0, 0, 0]
    value = FUNCTIONS[metric]
    expected = [
        value([i in positives for i in range(8)], y_score)
        for positives in itertools.combinations(range(8), 3)
    ]
    observed = value(y_true, y_score)
    found = auc_pr_chance_test(y_true, y_score, metric=metric)
    assert found.estimate == pytest.approx(observed, rel=1e-14)
    null = np.sort(found.null_distribution)
    np.testing.assert_allclose(null, np.sort(expected), rtol=1e-13, atol=1e-15)
    assert found.pvalue == np.mean(np.array(expected) >= observed - 1e-12)
    options = {"n_resamples": 50, "random_state": 0}
    drawn = auc_pr_chance_test(y_true, y_score, metric=metric, **options)
    assert {*drawn.null_distribution.round(9)} <= {*np.round(expected, 9)}
