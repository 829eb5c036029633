"""Numerical accuracy: extreme weights, counts, prevalences and score types."""

from fractions import Fraction
from functools import partial

import mpmath
import numpy as np
import pytest
import slow_twins as slow
import strategies
from cases import case, each
from closeness import PROMISED, assert_exact
from hypothesis import example, given, settings
from hypothesis import strategies as st
from situations import random_problem

import sklearn_achievable_pr as apr

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


@pytest.mark.parametrize("n_samples", [1000, 20_000], ids=["few", "many"])
@each(metric=LOST_WEIGHTS)
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


def test_f1_above_chance_of_many_equal_weights():
    rng, n = np.random.default_rng(0), 10**6
    y_true = rng.random(n) < 0.5
    y_pred = rng.random(n) < 0.5 + 0.01 * y_true
    expected = apr.f1_above_chance_score(y_true, y_pred)
    weight = np.full(n, 0.1)
    score = apr.f1_above_chance_score(y_true, y_pred, sample_weight=weight)
    np.testing.assert_allclose(score, expected, rtol=1e-13)


@pytest.mark.parametrize(
    ("weight", "ratio"),
    [([1, 3e300], r"1e\+300"), ([1e-160, 1e160], r"1e\+320"), ([3e300, 1], "1e-300")],
)
@each(function=[apr.auprg_score, apr.aucnpr, apr.normalized_average_precision_score])
def test_classes_whose_ratio_is_beyond_float64(function, weight, ratio):
    message = (
        f"`sample_weight`, or the counts, must give .* Got positives of about {ratio} "
    )
    with pytest.raises(ValueError, match=message):
        function([0, 1], [1, 2], sample_weight=weight)


# All negatives before the positives, and all samples tied, at a ratio of the classes x < 1.
SMALL_POSITIVES = {"auc_pr_interpolated": (1 / 2, 1), "achievable_auc_pr": (1, 1)}


@pytest.mark.parametrize("ratio", [1e-170, 1e-299])
@pytest.mark.parametrize("metric", SMALL_POSITIVES)
def test_positives_of_small_weight(metric, ratio):
    worst, tied = (ratio * factor for factor in SMALL_POSITIVES[metric])
    assert apr.auc_pr_from_counts([0, ratio], [1, 1], metric=metric) == pytest.approx(
        worst, rel=1e-12, abs=0
    )
    assert apr.auc_pr_from_counts([ratio], [1], metric=metric) == pytest.approx(
        tied, rel=1e-12, abs=0
    )


def test_average_precision_of_positives_of_small_weight():
    # Tied, it is 2 x; its minimum is (x + 2 x) / 2.
    weight = [1, 1e-170, 1e-170]
    got = apr.normalized_average_precision_score([0, 1, 1], [1] * 3, sample_weight=weight)
    assert got == pytest.approx(0.5e-170, rel=1e-12, abs=0)


@pytest.mark.parametrize("scale", [1, 1e-80])
def test_partitions_of_positives_of_small_weight(scale):
    weight = [scale, scale * 1e-170]
    bounds = apr.PRCounts()
    bounds.update([0, 1], [2, 1], sample_weight=weight)
    assert bounds.auc_pr().estimate == pytest.approx(0.5e-170, rel=1e-9, abs=0)
    batches = [([0, 1], [2, 1], weight)]
    assert apr.auc_pr_from_batches(lambda: batches) == pytest.approx(
        0.5e-170, rel=1e-9, abs=0
    )


@pytest.mark.parametrize(
    "metric", ["auc_pr_interpolated", "average_precision", "achievable_auc_pr"]
)
def test_intervals_of_positives_whose_weight_is_lost(metric):
    message = "`sample_weight`, or the counts, must give .* from 1e-140 to 1e"
    with pytest.raises(ValueError, match=message):
        apr.auc_pr_interval(
            [0, 1] * 9, range(18), metric=metric, sample_weight=[1, 1e-150] * 9
        )


@pytest.mark.parametrize("weight", [[1e-160, 1e160], [1e160, 1e-160]])
def test_rates_of_classes_whose_ratio_is_beyond_float64(weight):
    fpr, tpr, _ = apr.roc_convex_hull([0, 1], [1, 2], sample_weight=weight)
    assert (fpr.tolist(), tpr.tolist()) == ([0, 0, 1], [0, 1, 1])


# Prevalence and minimum curve


@pytest.mark.parametrize("prevalence", [1e-300, 1e-12, 0.5, 1 - 2**-53])
def test_minimum_precision_at_extreme_prevalence(prevalence):
    half = Fraction(prevalence) / 2
    assert_exact(apr.precision_min(0.5, prevalence), half / (1 - half), 1e-15)


@pytest.mark.parametrize(
    ("n_pos", "n_neg"),
    [(1, 10**9), (10**9, 1), (10**5, 10**12), (10**9, 10**9)],
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


@pytest.mark.parametrize(
    ("prevalence", "weight"), [(1e-200, [1e-200, 1]), (1 - 1e-16, [1e290, 1])]
)
def test_prevalences_too_far_from_that_of_the_samples(prevalence, weight):
    with pytest.raises(ValueError, match="`prevalence` must be near enough"):
        apr.aucnpr([0, 1], [1, 2], sample_weight=weight, prevalence=prevalence)


def test_prevalences_that_no_weights_can_reach_raise():
    for call in (
        lambda p: apr.auc_pr_interpolated([0, 1], [0.2, 0.7], prevalence=p),
        lambda p: apr.auc_pr_from_counts([1], [1], prevalence=p),
        lambda p: apr.pr_curve_interpolated([0, 1], [0.2, 0.7], prevalence=p),
    ):
        with pytest.raises(ValueError, match=r"`prevalence` must be .* at least 1e-200"):
            call(1e-320)
    assert apr.auc_pr_interpolated([0, 1], [0.2, 0.7], prevalence=1e-200) == 1


def test_minima_of_extreme_totals():
    assert apr.auc_pr_min(1e-320) == 5e-321
    assert apr.auc_pr_min([1e-320, 0.5]).tolist() == [5e-321, apr.auc_pr_min(0.5)]
    assert_exact(
        apr.auc_pr_min(1e-250, recall_range=(0.25, 0.5)), mpmath.mpf("9.375e-252"), 1e-13
    )
    half = 1 - np.log(2)  # as many positives as negatives, infinitely many
    assert apr.average_precision_min(1e308, 1e308) == pytest.approx(half, rel=1e-14)
    assert apr.average_precision_min(2, 1e308) == pytest.approx(1.5e-308, rel=1e-14)
    assert apr.average_precision_min(1e308, 1) == 1
    assert apr.average_precision_min(0.25, 3) == pytest.approx(1 / 13, rel=1e-15)


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


@pytest.mark.filterwarnings("ignore:.*like predicted labels")  # a few small integers
@settings(max_examples=60)
@example(rows=(np.array([0, 1, 1]), np.array([2, 1, 3]), np.array([1, 1, 3]), [1, 1, 0.5]))
@given(rows=two_weighted_scores())
def test_dominance_with_weights_of_any_size(rows):
    """Exact for integer weights: a difference of one decides, at 2**45 as at 1."""
    labels, a, b, weight = rows
    roc_a, roc_b = (slow.roc(labels, score, weight) for score in (a, b))
    for one, other, of_one, of_other in [(a, b, roc_a, roc_b), (b, a, roc_b, roc_a)]:
        expected = slow.nowhere_below(of_one, of_other)
        found = apr.dominates(labels, one, other, sample_weight=weight)
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
    assert apr.auc_pr_interpolated(labels, score) == apr.auc_pr_interpolated(
        labels, score.astype(float)
    )


def test_integers_in_object_arrays_stay_integers():
    score = np.array([2**62 + 1, 2**62 + 2], dtype=object)
    assert apr.auc_pr_interpolated([0, 1], score) == 1
    assert apr.auc_pr_interpolated([0, 1], score[::-1]) == pytest.approx(1 - np.log(2))
    mixed = np.array([1, 2.5, True, 2], dtype=object)
    assert apr.auc_pr_interpolated([0, 1, 0, 1], mixed) == 1


@each(
    score=[
        [2**70, 2**70 + 1],
        [2**63 + 1, -1],
        (2**64 + 1, 2.5),
        [-(2**63) - 1, 0],
        [-(2**63) - 1, 0.5],
        [2**53 + 1, 0.5],
        (-(2**53) - 1, np.float32(0.5)),
    ]
)
def test_integers_that_float64_rounds(score):
    with pytest.raises(ValueError, match="`y_score` holds integers that float64 rounds"):
        apr.auc_pr_interpolated([0, 1], score)


def test_large_integers_that_float64_represents():
    assert apr.auc_pr_interpolated([0, 1], [2**70, 2**71]) == 1
    assert apr.auc_pr_interpolated([0, 1], [2**63, 2**63 + 1]) == 1
    assert apr.auc_pr_interpolated([0, 1], [0.5, 2**53 + 2]) == 1


@pytest.mark.parametrize("function", [apr.pr_curve_interpolated, apr.achievable_pr_curve])
@pytest.mark.parametrize("sign", [1, -1])
def test_thresholds_that_float64_rounds(function, sign):
    y_true, y_score = [1, 0, 1], sign * np.array([2**53 + 1, 2**53, 2**53 - 1])
    with pytest.raises(ValueError, match=r"90071992547.* pass interpolate=False"):
        function(y_true, y_score)
    assert set(function(y_true, y_score, interpolate=False)[2]) <= set(y_score)
    assert set(function(y_true, y_score - sign)[2]) <= set(y_score - sign)


WITH_THRESHOLDS = [
    apr.choose_threshold,
    apr.HullThresholdDisplay.from_predictions,
    partial(apr.operating_point_interval, recall=0.5),
    partial(apr.threshold_table, thresholds=[2**53 + 1]),
    partial(apr.threshold_table, k=[1]),
]


@each(function=WITH_THRESHOLDS)
@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 53, reason="a long double is float64")
def test_chosen_thresholds_of_long_doubles_that_float64_rounds(function):
    y_score = np.array([1, 2, 3, 4]) + np.finfo(np.longdouble).eps * np.arange(1, 5)
    message = (
        r"`y_score` .* rounds 4 of these 4 long doubles. Pass `y_score.astype\(float\)"
    )
    with pytest.raises(ValueError, match=message):
        function([0, 0, 0, 1], y_score)


@each(function=[*WITH_THRESHOLDS, apr.roc_convex_hull])
def test_chosen_thresholds_that_float64_rounds(function):
    y_score = np.arange(2**53 - 2, 2**53 + 2)
    with pytest.raises(ValueError, match=r"`y_score` .* 9007199254740993; pass `y_score\."):
        function([0, 0, 0, 1], y_score)


@pytest.mark.parametrize("unit", [1e100, 1e300, 1e-100, 1e-305])
def test_counts_of_weights_of_any_size_are_those_of_the_weights(unit):
    """Sums of such weights are computed in another unit."""
    y_true, y_score, weight = random_problem(0, 100, n_levels=20, weights="fractional")
    sample = {"y_true": y_true, "y_score": y_score}
    found, expected = (
        {
            "interval": apr.operating_point_interval(**sample, recall=0.5, sample_weight=w),
            "table": apr.threshold_table(**sample, thresholds=[0.0], sample_weight=w),
            "choice": apr.choose_threshold(
                **sample, objective=lambda tp, fp, fn, tn: 2 * tp - fp, sample_weight=w
            ),
        }
        for w in (unit * weight, weight)
    )
    for result, field in (
        ("interval", "n_predicted"), ("table", "n_predicted"), ("table", "tns"),
        ("choice", "objective_value"),
    ):  # fmt: skip
        values = [getattr(results[result], field) for results in (found, expected)]
        np.testing.assert_allclose(values[0] / unit, values[1], rtol=1e-12)


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


def test_recall_of_a_precision_that_is_the_prevalence():
    y_true = [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0]
    y_score = [7, 2, 2, 7, 4, 4, 4, 7, 2, 4, 2, 4]
    level = 0.9532393021095315
    found = apr.recall_at_precision(y_true, y_score, precision=level, prevalence=level)
    assert found == 1


@each(prevalence=np.arange(1, 100) / 100)
def test_a_constant_score_has_recall_1_up_to_the_prevalence(prevalence):
    found = apr.recall_at_precision(
        [1, 0], [1, 1], precision=[prevalence, prevalence + 1e-9], prevalence=prevalence
    )
    assert found.tolist() == [1, 0]


@each(prevalence=[None, 1e-9, 0.1, 1 / 3, 0.9, 1 - 1e-9])
@pytest.mark.parametrize("weights", [None, "fractional"])
def test_the_precision_of_a_vertex_is_reached(weights, prevalence):
    y_true, y_score, weight = random_problem(6, 40, n_levels=12, weights=weights)
    roc = slow.roc(y_true, y_score.tolist(), weight)
    if prevalence is not None:
        roc = slow.at_prevalence(roc, prevalence)
    for p in roc[1:]:
        options = {"prevalence": prevalence, "sample_weight": weight}
        options["precision"] = float(p.t / (p.t + p.f))
        found = apr.recall_at_precision(y_true, y_score, **options)
        assert found >= float(p.t / roc[-1].t) * (1 - 1e-15)


@pytest.mark.parametrize(
    ("y_true", "exact"), [([1, 0, 0, 1], 0.5), ([0, 0, 0, 1], 5e-324), ([1, 1, 0, 0], 1)]
)
def test_precision_at_a_subnormal_recall(y_true, exact):
    found = apr.precision_at_recall(y_true, [1, 1, 0.5, 0.4], recall=5e-324)
    assert found == pytest.approx(exact, rel=1e-15, abs=1e-323)


def test_recalls_stay_within_the_unit_interval_and_fall_with_the_precision():
    rng = np.random.default_rng(0)
    for seed in range(60):
        y_true, y_score, _ = random_problem(seed, 30, n_levels=6)
        for prevalence in (None, 1 - 1e-12, 1e-12, 0.5):
            precision, _, _ = apr.pr_curve_interpolated(
                y_true, y_score, prevalence=prevalence
            )
            near = np.concatenate(
                [precision, *(np.nextafter(precision, end) for end in (0, 1))]
            )
            asked = np.sort([*near, 1 - 7e-13, *rng.random(5)])
            found = apr.recall_at_precision(
                y_true, y_score, precision=asked, prevalence=prevalence
            )
            assert ((found >= 0) & (found <= 1)).all()
            assert (np.diff(found) <= 0).all()
