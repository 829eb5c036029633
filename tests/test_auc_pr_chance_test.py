"""`auc_pr_chance_test` against the enumeration of all arrangements."""

import itertools
import os
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from inference import S, Y, two_scores
from situations import FUNCTIONS, random_problem

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


@pytest.mark.parametrize(
    ("metric", "y_score"),
    [
        ("auc_pr_interpolated", [4, 4, 3, 3, 3, 2, 1, 1]),
        ("achievable_auc_pr", [7, 6, 5, 5, 4, 3, 2, 1]),
        ("auprg", [8, 7, 6, 5, 4, 3, 2, 1]),
        ("normalized_average_precision", [4, 4, 3, 3, 3, 2, 1, 1]),
    ],
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


# Permutations that are drawn


@pytest.mark.parametrize("metric", ["auc_pr_interpolated", "achievable_auc_pr"])
def test_the_same_seed_gives_the_same_permutations(metric):
    y_true, y_score, _ = random_problem(7, 60)
    first, same, generator, state, other = (
        auc_pr_chance_test(
            y_true, y_score, metric=metric, n_resamples=99, random_state=seed
        ).null_distribution
        for seed in (7, 7, np.random.default_rng(7), np.random.RandomState(7), None)
    )
    np.testing.assert_array_equal(first, same)
    np.testing.assert_array_equal(first, generator)
    assert not np.array_equal(first, state)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("random_state", [True, [1, 2], np.ones((2, 2), int), 1.5])
def test_seeds_that_are_no_integers_raise(random_state):
    with pytest.raises(TypeError, match="`random_state` must be an integer"):
        auc_pr_chance_test(Y, S, random_state=random_state)


def test_a_negative_seed_raises():
    with pytest.raises(ValueError, match="`random_state` must be at least 0"):
        auc_pr_chance_test(Y, S, random_state=-1)


@pytest.mark.parametrize("n_resamples", [99.0, np.timedelta64(99, "D")], ids=str)
def test_numbers_of_permutations_that_are_no_integers_raise(n_resamples):
    with pytest.raises(TypeError, match="`n_resamples` must be an integer"):
        auc_pr_chance_test(Y, S, n_resamples=n_resamples)


def test_small_integers_do_not_overflow():
    y_true, y_score, _ = random_problem(3, 60)
    expected, found = (
        auc_pr_chance_test(y_true, y_score, n_resamples=n, random_state=0)
        for n in (100, np.int8(100))
    )
    assert found == expected


def test_memory_does_not_grow_with_the_permutations():
    y_true, y_score, _ = random_problem(1, 20_000, prevalence=0.1)

    def peak(n_resamples):
        tracemalloc.start()
        auc_pr_chance_test(y_true, y_score, n_resamples=n_resamples, random_state=0)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(39)
    few, many = peak(39), peak(219)
    # The values, and what a list of the blocks' arrays takes.
    assert many < few + 180 * 1024
    assert many < 50 * 2**20


PROGRAM = """
import numpy as np
from sklearn_achievable_pr import auc_pr_chance_test

y, score = np.arange(900) % 7 == 0, np.sin(np.arange(900.0))
for metric in ("auc_pr_interpolated", "achievable_auc_pr"):
    found = auc_pr_chance_test(y, score, metric=metric, n_resamples=40, random_state=5)
    print(found.null_distribution.tobytes().hex())
"""


@pytest.mark.slow
def test_results_do_not_depend_on_threads(capsys):
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | dict.fromkeys(names, "1"),
    )
    exec(PROGRAM, {})
    assert run.stdout == capsys.readouterr().out
