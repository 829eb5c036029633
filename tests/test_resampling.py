"""Resamples: each as likely as it should be, whatever is sorted or drawn in blocks."""

import itertools
import os
import subprocess
import sys
import tracemalloc
import warnings
from collections import Counter
from functools import partial

import numpy as np
import pytest
import slow_twins as twins
from scipy import stats
from situations import random_problem, scipy_seed
from sklearn.exceptions import UndefinedMetricWarning

import sklearn_achievable_pr as apr
from sklearn_achievable_pr import auc_pr_interval, compare_auc_pr
from sklearn_achievable_pr._input.labels import BinaryData
from sklearn_achievable_pr._metrics import METRICS, MetricWithOptions
from sklearn_achievable_pr._uncertainty.resampling import Bootstrap
from sklearn_achievable_pr._uncertainty.standard_error import Sample

METRIC_VALUES = {
    "auc_pr_interpolated": apr.auc_pr_interpolated,
    "achievable_auc_pr": partial(apr.auc_pr_interpolated, curve="achievable"),
    "aucnpr": apr.aucnpr,
    "auprg": apr.auprg_score,
    "normalized_average_precision": apr.normalized_average_precision_score,
    "average_precision": lambda y, s, sample_weight=None: float(
        twins.average_precision(twins.roc(y, s, sample_weight))
    ),
}


def values_of(y_true, y_score, metric="auc_pr_interpolated", **options):
    """The bootstrap distribution."""
    return auc_pr_interval(
        y_true, y_score, metric=metric, method="percentile", **options
    ).bootstrap_distribution


# The metric of a resample is the metric of its samples


class DrawnBefore:
    """Returns samples drawn before in place of random ones."""

    def __init__(self, drawn):
        self.drawn = iter(drawn)

    def integers(self, n, size):
        return next(self.drawn)


@pytest.mark.parametrize("n_levels", [None, 5])
@pytest.mark.parametrize("low_high", [(0.0, 1.0), (0.2, 0.7), (0.5, 1.0)])
@pytest.mark.parametrize("prevalence", [None, 0.02])
@pytest.mark.parametrize("metric", METRIC_VALUES)
def test_a_resample_has_the_metric_of_its_samples(metric, prevalence, low_high, n_levels):
    taken = METRICS[metric]
    options = {}
    if prevalence is not None and taken.takes_prevalence:
        options["prevalence"] = prevalence
    if low_high != (0, 1) and taken.takes_recall_range:
        options["recall_range"] = low_high
    y_true, y_score, _ = random_problem(7, 60, n_levels=n_levels)
    drawn = np.random.default_rng(0).integers(60, size=(20, 60))
    measure = MetricWithOptions(
        metric, *options.get("recall_range", (0, 1)), options.get("prevalence")
    )
    data = BinaryData(y_true == 1, y_score, None)
    bootstrap = Bootstrap(measure, [Sample(data, measure.roc_of(data))])
    found = bootstrap.values(20, DrawnBefore(drawn))
    value = METRIC_VALUES[metric]
    expected = [value(y_true[i], y_score[i], **options) for i in drawn]
    # The areas of resamples are computed by a shorter formula than the value itself.
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("metric", METRIC_VALUES)
def test_the_estimate_is_the_public_value(metric):
    y_true, y_score, weight = random_problem(8, 80, n_levels=9, weights="fractional")
    options = {"sample_weight": weight} if METRICS[metric].takes_weights else {}
    found = auc_pr_interval(
        y_true, y_score, metric=metric, method="percentile", n_resamples=39, **options
    )
    expected = METRIC_VALUES[metric](y_true, y_score, **options)
    assert found.estimate == pytest.approx(expected, rel=1e-14)


# The draws


def assert_likely(found, expected, n):
    """Counts of values against their chances, by chi-square at one in 10^6."""
    chances = np.array([expected[key] for key in sorted(expected)])
    counts = np.array([found.get(key, 0) for key in sorted(expected)])
    assert counts.sum() == n
    assert stats.chisquare(counts, chances / chances.sum() * n).pvalue > 1e-6


def counted(values):
    distinct, counts = np.unique(np.round(values, 9), return_counts=True)
    return dict(zip(distinct.tolist(), counts.tolist(), strict=True))


def brute_force(y_true, y_score, units, weight=None, *, fixed=False, metric=None):
    """Chance of each value over all resamples of units that have one."""
    value = METRIC_VALUES[metric or "auc_pr_interpolated"]
    distinct = sorted({*units})
    rows_of = {u: [i for i, unit in enumerate(units) if unit == u] for u in distinct}
    draws = itertools.product(distinct, repeat=len(distinct))
    if fixed:
        classes = [[u for u in distinct if y_true[u] == label] for label in (0, 1)]
        each = [itertools.product(part, repeat=len(part)) for part in classes]
        draws = (a + b for a, b in itertools.product(*each))
    chances = {}
    # The order of the draws does not matter.
    for draw, n_orders in Counter(tuple(sorted(draw)) for draw in draws).items():
        samples = [i for u in draw for i in rows_of[u]]
        labels = np.array([y_true[i] for i in samples])
        if labels.sum() == 0 or (metric == "aucnpr" and labels.all()):
            continue
        found = round(
            float(
                value(
                    labels,
                    np.array([y_score[i] for i in samples]),
                    sample_weight=(
                        None if weight is None else np.array([weight[i] for i in samples])
                    ),
                )
            ),
            9,
        )
        chances[found] = chances.get(found, 0) + n_orders
    return chances


DESIGNS = {
    "samples": {},
    "fixed_class_counts": {"fixed_class_counts": True},
    "groups": {"groups": [0, 1, 1, 2, 3, 3]},
    "weights": {"sample_weight": [1.0, 2.0, 0.5, 1.5, 3.0, 0.25]},
    "aucnpr": {"metric": "aucnpr"},
    "achievable": {"metric": "achievable_auc_pr"},
    "average_precision": {"metric": "average_precision"},
}


@pytest.mark.parametrize("design", DESIGNS)
def test_bootstrap_by_brute_force_on_6_rows(design):
    """All 6^6 resamples; those without positives are drawn again."""
    y_true, y_score = [1, 0, 1, 0, 0, 1], [6, 5, 4, 4, 2, 1]
    options = DESIGNS[design]
    expected = brute_force(
        y_true,
        y_score,
        options.get("groups", range(6)),
        options.get("sample_weight"),
        fixed="fixed_class_counts" in options,
        metric=options.get("metric"),
    )
    n = 6_000
    found = counted(values_of(y_true, y_score, n_resamples=n, random_state=0, **options))
    assert_likely(found, expected, n)


@pytest.mark.parametrize("metric", ["auc_pr_interpolated", "average_precision"])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_bootstrap_agrees_with_scipy(method, metric):
    y_true, y_score, _ = random_problem(3, 60, n_levels=15)
    value = _average_precision if metric == "average_precision" else METRIC_VALUES[metric]
    expected = stats.bootstrap(
        (y_true, y_score),
        value,
        paired=True,
        vectorized=False,
        n_resamples=1500,
        method=method,
        **scipy_seed(0),
    )
    found = auc_pr_interval(
        y_true, y_score, metric=metric, method=method, n_resamples=3000, random_state=1
    )
    assert found.standard_error == pytest.approx(expected.standard_error, rel=0.1)
    for got, wanted in zip(
        found.confidence_interval, expected.confidence_interval, strict=True
    ):
        # Quantiles at .025 have a Monte Carlo error of some .07 standard errors.
        assert abs(got - wanted) < 0.4 * found.standard_error


def _average_precision(y_true, y_score):
    """The sum of steps, in a few lines."""
    order = np.argsort(-y_score, kind="stable")
    last = np.append(np.diff(y_score[order]) != 0, True)
    tps = np.cumsum(y_true[order])[last]
    precision = tps / (np.flatnonzero(last) + 1)
    return float(np.sum(np.diff(tps, prepend=0) * precision) / tps[-1])


def test_fixed_class_counts_stay():
    """The area of a constant score is the prevalence of the resample."""
    y_true, y_score = np.arange(20) < 7, np.zeros(20)
    fixed = values_of(y_true, y_score, fixed_class_counts=True, n_resamples=99)
    np.testing.assert_allclose(fixed, 0.35, rtol=1e-14)
    assert values_of(y_true, y_score, n_resamples=99).std() > 0.05


def test_a_resample_without_positives_is_drawn_again():
    """With two positives among twenty samples one resample in eight has none."""
    y_true, y_score = np.arange(20) < 2, np.arange(20)
    for metric in ("auc_pr_interpolated", "aucnpr"):
        found = values_of(y_true, y_score, metric, n_resamples=999, random_state=0)
        assert len(found) == 999
        assert np.isfinite(found).all()
    negatives = values_of(y_true, y_score, prevalence=0.3, n_resamples=99, random_state=0)
    assert np.isfinite(negatives).all()
    found = values_of(~y_true, y_score, "aucnpr", n_resamples=999, random_state=0)
    assert np.isfinite(found).all()


# Seeds and blocks


@pytest.mark.parametrize("options", DESIGNS.values(), ids=DESIGNS)
def test_the_same_seed_gives_the_same_result(options):
    y_true, y_score = [1, 0, 1, 0, 0, 1], [6, 5, 4, 3, 2, 1]
    results = [
        values_of(y_true, y_score, n_resamples=99, random_state=seed, **options)
        for seed in (7, 7, np.random.default_rng(7), np.random.RandomState(7), None)
    ]
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])
    for other in results[3:]:
        assert not np.array_equal(results[0], other)


def test_a_generator_advances():
    y_true, y_score, _ = random_problem(1, 40)
    rng = np.random.default_rng(0)
    first, second = (
        values_of(y_true, y_score, n_resamples=50, random_state=rng) for _ in "ab"
    )
    assert not np.array_equal(first, second)


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


def test_resamples_of_a_comparison_are_of_the_same_rows():
    """Two scores that differ by a constant have the same area in every resample."""
    y_true, y_score, _ = random_problem(5, 60)
    found = compare_auc_pr(
        y_true, y_score, y_score + 1, method="percentile", n_resamples=99, random_state=0
    )
    np.testing.assert_array_equal(found.bootstrap_distribution, 0)


def test_resamples_of_a_comparison_agree_with_its_influence():
    rng = np.random.default_rng(0)
    y_true = rng.random(1500) < 0.3
    a, b = rng.normal(size=(2, 1500)) + rng.normal(size=1500) + y_true
    groups = rng.integers(300, size=1500)
    for design in ({}, {"groups": groups}, {"fixed_class_counts": True}):
        resampled = compare_auc_pr(
            y_true, a, b, method="percentile", n_resamples=2000, random_state=1, **design
        )
        influence = compare_auc_pr(y_true, a, b, **design)
        # Of 2000 resamples a standard error is known to a part in 60.
        assert resampled.standard_error == pytest.approx(influence.standard_error, rel=0.06)
        np.testing.assert_allclose(
            resampled.confidence_interval,
            influence.confidence_interval,
            atol=0.3 * influence.standard_error,
        )


# Leaving one out


@pytest.mark.parametrize("design", ["samples", "groups", "weights"])
def test_acceleration_by_leaving_each_unit_out(design):
    """The jackknife of a metric without an influence function, each value by itself."""
    y_true, y_score = [1, 0, 1, 0, 0, 1, 0, 1], [8, 7, 6, 6, 4, 3, 2, 1]
    groups = [0, 1, 1, 2, 3, 3, 4, 2] if design == "groups" else list(range(8))
    weight = np.arange(1.0, 9) if design == "weights" else np.ones(8)
    value = METRIC_VALUES["achievable_auc_pr"]
    without = []
    for unit in sorted({*groups}):
        samples = [i for i in range(8) if groups[i] != unit]
        without.append(
            value(
                np.array(y_true)[samples],
                np.array(y_score)[samples],
                sample_weight=weight[samples],
            )
        )
    moves = np.mean(without) - np.array(without)
    acceleration = np.sum(moves**3) / (6 * np.sum(moves**2) ** 1.5)
    options = (
        {}
        if design == "samples"
        else {"groups": {"groups": groups}, "weights": {"sample_weight": weight}}[design]
    )
    found = auc_pr_interval(
        y_true, y_score, metric="achievable_auc_pr", method="bca", random_state=0, **options
    )
    values = found.bootstrap_distribution
    below = np.mean(values < found.estimate) + np.mean(values == found.estimate) / 2
    bias = stats.norm.ppf(below)
    z = bias + stats.norm.ppf([0.025, 0.975])
    at = stats.norm.cdf(bias + z / (1 - acceleration * z))
    np.testing.assert_allclose(
        found.confidence_interval, np.quantile(values, at, method="weibull"), rtol=1e-9
    )


def test_one_positive_has_no_percentiles():
    with (
        warnings.catch_warnings(record=True) as caught,
        pytest.warns(UndefinedMetricWarning, match="one sample"),
    ):
        found = auc_pr_interval([1, 0, 0], [3, 2, 1], method="percentile")
    assert not caught
    assert found.bootstrap_distribution is None


@pytest.mark.parametrize("n_threads", ["1", "3"])
def test_threads_change_nothing(n_threads):
    program = (
        "import numpy as np; from sklearn_achievable_pr import auc_pr_interval as f; "
        "y = np.arange(3000) % 7 == 0; s = np.sin(np.arange(3000.0)); "
        "options = {'method': 'percentile', 'n_resamples': 40, 'random_state': 5}; "
        "values = [f(y, s, **options, **more).bootstrap_distribution for more in "
        "({}, {'groups': np.arange(3000) // 3}, {'metric': 'achievable_auc_pr'})]; "
        "print(np.concatenate(values).tobytes().hex())"
    )
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    run = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | dict.fromkeys(names, n_threads),
    )
    y_true, y_score = np.arange(3000) % 7 == 0, np.sin(np.arange(3000.0))
    expected = [
        values_of(y_true, y_score, n_resamples=40, random_state=5, **more)
        for more in (
            {},
            {"groups": np.arange(3000) // 3},
            {"metric": "achievable_auc_pr"},
        )
    ]
    assert bytes.fromhex(run.stdout.strip()) == np.concatenate(expected).tobytes()
