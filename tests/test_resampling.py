"""Resamples have the correct probabilities and metrics."""

import itertools
import os
import subprocess
import sys
import tracemalloc
from collections import Counter

import numpy as np
import pytest
from scipy import stats
from situations import FUNCTIONS, random_problem

from sklearn_achievable_pr import auc_pr_interval, compare_auc_pr

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")


def values_of(y_true, y_score, metric="auc_pr_interpolated", **options):
    """The bootstrap distribution."""
    return auc_pr_interval(
        y_true, y_score, metric=metric, method="percentile", **options
    ).bootstrap_distribution


def test_the_standard_error_is_the_standard_deviation_of_the_distribution():
    y_true, first = random_problem(0, 60)[:2]
    options = {"method": "percentile", "n_resamples": 99, "random_state": 0}
    interval = auc_pr_interval(y_true, first, **options)
    difference = compare_auc_pr(y_true, first, np.arange(60), **options)
    for found in (interval, difference):
        deviations = found.bootstrap_distribution - found.bootstrap_distribution.mean()
        # Of 99 resamples, with the mean estimated from them.
        assert found.standard_error == pytest.approx(np.sqrt(np.sum(deviations**2) / 98))


# The metric of a resample is the metric of its samples


class DrawnBefore(np.random.Generator):
    """Returns given samples in place of random ones."""

    def __init__(self, drawn):
        super().__init__(np.random.PCG64(0))
        self.drawn = iter(drawn)

    def integers(self, n, size):
        return next(self.drawn)


# The options of metrics that have not both of them.
OPTIONS_OF = {
    "auprg": ["prevalence"],
    "average_precision": ["prevalence"],
    "normalized_average_precision": [],
}
PROBLEMS = {
    "untied": random_problem(7, 60),
    "ties": random_problem(7, 60, n_levels=5),
    "weighted ties": random_problem(
        5, 3000, prevalence=0.2, n_levels=60, weights="fractional"
    ),
}


@pytest.mark.parametrize(
    "problem",
    ["untied", "ties", pytest.param("weighted ties", marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("low_high", [(0.0, 1.0), (0.2, 0.7), (0.5, 1.0)])
@pytest.mark.parametrize("prevalence", [None, 0.02])
@pytest.mark.parametrize("metric", FUNCTIONS)
def test_a_resample_has_the_metric_of_its_samples(metric, prevalence, low_high, problem):
    y_true, y_score, weight = PROBLEMS[problem]
    if metric == "normalized_average_precision":
        weight = None
    given = {"prevalence": prevalence, "recall_range": low_high}
    options = {name: given[name] for name in OPTIONS_OF.get(metric, given)}
    drawn = np.random.default_rng(0).integers(len(y_true), size=(20, len(y_true)))
    found = values_of(
        y_true,
        y_score,
        metric,
        sample_weight=weight,
        confidence_level=0.9,  # of 20 resamples
        n_resamples=20,
        random_state=DrawnBefore(drawn),
        **options,
    )
    expected = []
    for i in drawn:
        if weight is not None:
            options["sample_weight"] = weight[i]
        expected.append(FUNCTIONS[metric](y_true[i], y_score[i], **options))
    # The areas of resamples are computed by a shorter formula than the value itself.
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-12)


# The draws


def assert_likely(found, expected, n):
    """Chi-square test of counts against probabilities, at significance level 1e-6."""
    chances = np.array([expected[key] for key in sorted(expected)])
    counts = np.array([found.get(key, 0) for key in sorted(expected)])
    assert counts.sum() == n
    assert stats.chisquare(counts, chances / chances.sum() * n).pvalue > 1e-6


def counted(values):
    distinct, counts = np.unique(np.round(values, 9), return_counts=True)
    return dict(zip(distinct.tolist(), counts.tolist(), strict=True))


def brute_force(y_true, y_score, *, groups=None, **options):
    """Probability of each value over all resamples that have a value."""
    metric = options.pop("metric", "auc_pr_interpolated")
    samples = np.array([y_true, y_score, options.pop("sample_weight", np.ones(5))])
    units = np.arange(5) if groups is None else np.array(groups)
    draws = itertools.product({*units}, repeat=len({*units}))
    chances = Counter()
    # The order of the draws does not matter.
    for draw, n_orders in Counter(tuple(sorted(draw)) for draw in draws).items():
        drawn = np.concatenate([np.flatnonzero(units == unit) for unit in draw])
        labels, scores, weight = samples[:, drawn]
        needs_negatives = metric == "aucnpr" or "prevalence" in options
        if labels.any() and not (needs_negatives and labels.all()):
            value = FUNCTIONS[metric](labels, scores, sample_weight=weight, **options)
            chances[round(float(value), 9)] += n_orders
    return chances


DESIGNS = {
    "samples": {},
    "groups": {"groups": [0, 1, 1, 2, 2]},
    "weights": {"sample_weight": [1.0, 2.0, 0.5, 1.5, 3.0]},
    "aucnpr": {"metric": "aucnpr"},
    "prevalence": {"prevalence": 0.3},
    "achievable": {"metric": "achievable_auc_pr"},
    "average_precision": {"metric": "average_precision"},
}


@pytest.mark.filterwarnings("ignore:At `prevalence`")
def test_a_resample_without_weight_of_a_class_does_not_stop_the_others():
    """At a prevalence a class of almost no weight is reweighted within the resample."""
    y_true, weight = np.repeat([1, 0], 6), np.repeat([1e-300, 1, 1e2], [3, 3, 6])
    result = auc_pr_interval(
        y_true,
        np.arange(12) % 5,
        sample_weight=weight,
        metric="achievable_auc_pr",
        prevalence=0.1,
        confidence_level=0.9,
        n_resamples=199,
        random_state=0,
    )
    low, high = result.confidence_interval
    assert 0 < low < result.estimate < high <= 1


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
def test_bootstrap_by_brute_force_on_5_samples(design):
    """All 5^5 resamples; those without a class that is needed are drawn again."""
    y_true, y_score = [1, 0, 1, 0, 1], [6, 5, 4, 4, 2]
    options = DESIGNS[design]
    expected = brute_force(y_true, y_score, **options)
    n = 2_000
    found = counted(values_of(y_true, y_score, n_resamples=n, random_state=0, **options))
    assert_likely(found, expected, n)


# Seeds and blocks


def test_small_integers_do_not_overflow():
    y_true, y_score, _ = random_problem(3, 60)
    how = {"method": "percentile", "random_state": 0, "confidence_level": 0.5}
    expected = auc_pr_interval(y_true, y_score, n_resamples=100, **how)
    found = auc_pr_interval(y_true, y_score, n_resamples=np.int8(100), **how)
    assert found.confidence_interval == expected.confidence_interval


@pytest.mark.parametrize("random_state", [[], True, [1, 2], np.ones((2, 2), int), 1.5])
def test_seeds_that_are_no_integers_raise(random_state):
    how = {"method": "percentile", "random_state": random_state}
    with pytest.raises(TypeError, match="`random_state` must be an integer"):
        auc_pr_interval([1, 0, 1, 0], [4, 3, 2, 1], **how)


@pytest.mark.parametrize("options", DESIGNS.values(), ids=DESIGNS)
def test_the_same_seed_gives_the_same_result(options):
    y_true, y_score = [1, 0, 1, 0, 1], [6, 5, 4, 3, 2]
    results = [
        values_of(y_true, y_score, n_resamples=99, random_state=seed, **options)
        for seed in (7, 7, np.random.default_rng(7), np.random.RandomState(7), None)
    ]
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])
    for other in results[3:]:
        assert not np.array_equal(results[0], other)


@pytest.mark.parametrize("options", [{}, {"groups": np.arange(20_000) // 2}])
def test_memory_does_not_grow_with_the_resamples(options):
    y_true, y_score, _ = random_problem(1, 20_000, prevalence=0.1)
    options |= {"metric": "aucnpr", "random_state": 0}

    def peak(n_resamples):
        tracemalloc.start()
        values_of(y_true, y_score, n_resamples=n_resamples, **options)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(39)
    few, many = peak(39), peak(219)
    # The values, and what a list of the blocks' arrays takes.
    assert many < few + 180 * 1024
    assert many < 50 * 2**20


def test_resamples_of_a_comparison_agree_with_its_influence():
    rng = np.random.default_rng(0)
    y_true = rng.random(1500) < 0.3
    a, b = rng.normal(size=(2, 1500)) + rng.normal(size=1500) + y_true
    groups = rng.integers(300, size=1500)
    for design in ({}, {"groups": groups}):
        resampled = compare_auc_pr(
            y_true, a, b, method="percentile", n_resamples=1000, random_state=1, **design
        )
        influence = compare_auc_pr(y_true, a, b, **design)
        # With 1000 resamples a standard error has a relative error of 1/45.
        assert resampled.standard_error == pytest.approx(influence.standard_error, rel=0.08)
        np.testing.assert_allclose(
            resampled.confidence_interval,
            influence.confidence_interval,
            atol=0.3 * influence.standard_error,
        )


PROGRAM = """
import numpy as np
from sklearn_achievable_pr import auc_pr_interval

y, score = np.arange(900) % 7 == 0, np.sin(np.arange(900.0))
options = {"method": "percentile", "n_resamples": 40, "random_state": 5}
designs = {}, {"groups": np.arange(900) // 3}, {"metric": "achievable_auc_pr"}
found = [auc_pr_interval(y, score, **options, **design) for design in designs]
values = np.concatenate([result.bootstrap_distribution for result in found])
print(values.tobytes().hex())
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


@pytest.mark.filterwarnings("ignore:Only 4 samples")
@pytest.mark.parametrize("seed", [10, 33])
def test_positives_that_are_lost_in_the_totals_of_one_score(seed):
    rng = np.random.default_rng(seed)
    y_true, scores = np.arange(40) % 10 == 0, rng.normal(size=(2, 40))
    weight = np.where(rng.random(40) < 0.5, 1.0, 1e16)
    options = {"method": "percentile", "n_resamples": 99, "random_state": 0}
    found = compare_auc_pr(y_true, *scores, sample_weight=weight, **options)
    assert np.isfinite(found.bootstrap_distribution).all()
