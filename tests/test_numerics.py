"""Numerical accuracy: extreme weights, counts, prevalences and score types."""

from fractions import Fraction
from functools import partial

import mpmath
import numpy as np
import pytest
import slow_twins as slow
import strategies
from cases import case
from closeness import PROMISED, assert_exact
from hypothesis import example, given, settings
from hypothesis import strategies as st
from situations import random_problem

import sklearn_achievable_pr as apr
from sklearn_achievable_pr._input.labels import BinaryData
from sklearn_achievable_pr._roc.counting import every_threshold

LOST_WEIGHTS = {
    "area": apr.auc_pr_interpolated,
    "achievable area": partial(apr.auc_pr_interpolated, curve="achievable"),
    "aucnpr": apr.aucnpr,
    "precision": partial(apr.precision_at_recall, recall=0.2),
    "normalized average precision": apr.normalized_average_precision_score,
    "interval": lambda *data, **weight: apr.auc_pr_interval(*data, **weight).estimate,
}

RANGES = [(0.0, 1.0), (0.25, 0.75), (0.0, 1e-3), (0.999, 1.0)]


# Weights


@pytest.mark.parametrize("factor", [1e-300, 1e-160, 1e-12, 3.7, 1e150, 1e300])
@pytest.mark.parametrize("curve", ["empirical", "achievable"])
def test_only_the_ratio_of_weights_matters(factor, curve):
    y_true, y_score, weight = random_problem(0, 60, n_levels=8, weights="whole")
    options = {"curve": curve, "recall_range": (0.1, 0.9)}
    plain = apr.auc_pr_interpolated(y_true, y_score, sample_weight=weight, **options)
    scaled = apr.auc_pr_interpolated(
        y_true, y_score, sample_weight=weight * factor, **options
    )
    assert scaled == pytest.approx(plain, rel=PROMISED)


@pytest.mark.parametrize("n_samples", [1000, 20_000], ids=["few", "many"])
@pytest.mark.parametrize("metric", [*LOST_WEIGHTS], ids=str)
def test_weights_too_small_to_change_the_totals_change_no_metric(metric, n_samples):
    rng = np.random.default_rng(0)
    y_true, weight = rng.random(n_samples) < 0.4, np.ones(n_samples)
    y_score = np.round(rng.normal(size=n_samples) + y_true, 3)
    weight[rng.random(n_samples) < 0.3] = 1e-20
    kept = weight == 1
    found = LOST_WEIGHTS[metric](y_true, y_score, sample_weight=weight)
    expected = LOST_WEIGHTS[metric](y_true[kept], y_score[kept])
    assert found == pytest.approx(expected, rel=1e-12)


def test_a_million_weights_of_a_tenth_give_the_unweighted_area():
    rng = np.random.default_rng(0)
    y_true = rng.random(10**6) < 0.3
    y_score = np.round(rng.normal(size=10**6) + y_true, 2)
    weight = np.full(10**6, 0.1)
    for curve in ("empirical", "achievable"):
        plain = apr.auc_pr_interpolated(y_true, y_score, curve=curve)
        tenths = apr.auc_pr_interpolated(y_true, y_score, curve=curve, sample_weight=weight)
        assert tenths == pytest.approx(plain, rel=PROMISED)
    np.testing.assert_array_equal(
        apr.roc_convex_hull(y_true, y_score, sample_weight=weight)[2],
        apr.roc_convex_hull(y_true, y_score)[2],
    )


# Counts


def test_curve_of_huge_counts():
    """Precision is accurate at the vertices of a curve with a billion samples."""
    fps, tps = [0, 10, 5 * 10**8, 10**9], [0, 3, 10**6, 10**9]
    precision, recall, _ = apr.pr_curve_from_counts(tps, fps, interpolate=False)
    assert len(precision) == 4  # (0, 0) is added
    for p, r, f, t in zip(precision[:3], recall[:3], fps[:0:-1], tps[:0:-1], strict=True):
        assert_exact(p, Fraction(t, t + f), 1e-15)
        assert_exact(r, Fraction(t, tps[-1]), 1e-15)


# Prevalence and minimum curve


@pytest.mark.parametrize("prevalence", [1e-300, 1e-12, 1e-6, 0.5, 1 - 1e-9, 1 - 2**-53])
def test_minimum_precision_at_extreme_prevalence(prevalence):
    half = Fraction(prevalence) / 2
    assert_exact(apr.precision_min(0.5, prevalence), half / (1 - half), 1e-15)


@pytest.mark.parametrize(
    ("n_pos", "n_neg"),
    [(1, 10**9), (10**9, 1), (10**6, 10**6), (10**5, 10**12), (10**9, 10**9)],
)
def test_lowest_average_precision_of_huge_counts(n_pos, n_neg):
    """sum i/(i + N) = P - N (H(N + P) - H(N)), by the digamma function."""
    with mpmath.workdps(60):
        n = mpmath.mpf(n_neg)
        harmonic = mpmath.digamma(n + n_pos + 1) - mpmath.digamma(n + 1)
        exact = 1 - n * harmonic / n_pos
    assert_exact(apr.average_precision_min(n_pos, n_neg), exact)


def test_lowest_average_precision_without_negatives():
    """Few or many positives, integer or fractional: every term is 1."""
    for n_pos in (1, 63.5, 64, 65, 100.25, 1000, 1e9, 1e300):
        assert apr.average_precision_min(n_pos, 0) == pytest.approx(1, rel=1e-15)


# Dominance


@st.composite
def two_weighted_scores(draw):
    """Two scores that differ slightly, with weights around a power of two."""
    rows = draw(strategies.rows_of_bytes(10))
    labels = rows % 2
    labels[:2] = 0, 1
    a = rows // 2 % 8
    b = a.copy()
    b[draw(st.integers(0, len(rows) - 1))] += draw(st.integers(-2, 2))
    unit = 2.0 ** draw(st.integers(17, 24) | st.integers(0, 45))
    weight = np.floor(unit * (1 + rows // 64 / 7)) + rows // 16 % 4
    if draw(st.booleans()):  # not integers
        weight += rows // 64 / 2**7
    return labels, a, b, weight


@settings(max_examples=60)
@example(rows=(np.array([0, 1, 1]), np.array([2, 1, 3]), np.array([1, 1, 3]), [1, 1, 0.5]))
@given(rows=two_weighted_scores())
def test_dominance_with_weights_of_any_size(rows):
    """Exact for integer weights: a difference of one decides, at 2**45 as at 1."""
    labels, a, b, weight = rows
    roc_a, roc_b = (slow.roc(labels, score, weight) for score in (a, b))
    for one, other, of_one, of_other in [(a, b, roc_a, roc_b), (b, a, roc_b, roc_a)]:
        expected = slow.nowhere_below(of_one, of_other)
        # As floats: integers of 0 and 1 alone look like predicted labels.
        found = apr.dominates(labels, one * 1.0, other * 1.0, sample_weight=weight)
        assert found is expected


def test_dominance_by_a_larger_first_tie():
    """The first tie has more negatives, but is nowhere below the other ROC curve."""
    labels = [1] * 10 + [0] * 5
    a = [2] * 10 + [2, 2, 2, 1, 1]
    b = [2] + [1] * 9 + [2, 2, 1, 1, 1]
    assert apr.dominates(labels, a, b)
    assert not apr.dominates(labels, b, a)


def test_dominance_where_weights_are_summed_in_another_order():
    """Samples of one class change places: the same curve up to rounding of sums."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        labels = rng.random(40) < 0.5
        labels[0] = True
        weight = rng.integers(1, 100, 40) / 10
        runs = np.split(np.arange(40), np.flatnonzero(np.diff(labels)) + 1)
        a = -np.arange(40)
        b = a[np.concatenate([rng.permutation(run) for run in runs])]
        with case(seed):
            assert apr.dominates(labels, a, b, sample_weight=weight)
            assert apr.dominates(labels, b, a, sample_weight=weight)


# Types of scores


def test_half_precision_scores_are_counted_in_full_precision():
    """70000 samples: counts beyond 65504, the largest float16."""
    rng = np.random.default_rng(0)
    labels = rng.random(70_000) < 0.5
    score = (rng.random(70_000) + labels).astype(np.float16)
    roc = every_threshold(BinaryData(labels, score))
    assert roc.n_pos + roc.n_neg == 70_000
    assert apr.auc_pr_interpolated(labels, score) == apr.auc_pr_interpolated(
        labels, score.astype(float)
    )


# Points


@pytest.mark.parametrize("n_pos", [25, 60, 151])
def test_precision_at_recalls_that_are_not_floats(n_pos):
    """k / P is the recall of a point for every k, although P (k / P) may differ from k.

    Beyond a point, even by rounding only, precision is that of the next segment.
    """
    y_true = np.tile([1, 0, 0], n_pos)
    tps = np.arange(1, n_pos + 1)
    assert (tps / n_pos * n_pos > tps).any()
    np.testing.assert_allclose(
        apr.precision_at_recall(y_true, -np.arange(len(y_true)), recall=tps / n_pos),
        tps / (3 * tps - 2),
        rtol=1e-14,
    )


@given(points=strategies.points())
def test_precision_at_every_fifth_of_a_positive(points):
    """The recall k / P belongs to the point, although k / P is rounded."""
    n_pos = int(points[-1].t)
    exactly = [Fraction(k, 5 * n_pos) for k in range(1, 5 * n_pos + 1)]
    y_true, y_score, weight = slow.samples_of(points)
    asked = [0.0, *map(float, exactly)]
    at_zero, *found = apr.precision_at_recall(
        y_true, y_score, recall=asked, sample_weight=weight
    )
    assert at_zero == float(slow.precision_at_zero(points))
    for got, recall in zip(found, exactly, strict=True):
        assert_exact(got, slow.precision_at(points, recall), 1e-13)
