"""Regression tests: each of these tests failed in an earlier version."""

import tracemalloc
import warnings
from fractions import Fraction
from functools import partial

import mpmath
import numpy as np
import pandas as pd
import pytest
import slow_twins as slow
from closeness import assert_exact
from situations import random_problem
from sklearn.exceptions import UndefinedMetricWarning

import sklearn_achievable_pr as apr

EPS = np.finfo(np.float64).eps
RELATIVE = 1e-11  # tolerance for narrow ranges and values near the minimum


# Ends of a recall range


# AUCNPR near the minimum


# Recall at a precision


def test_recall_of_a_precision_that_is_the_prevalence():
    y_true = [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0]
    y_score = [7, 2, 2, 7, 4, 4, 4, 7, 2, 4, 2, 4]
    level = 0.9532393021095315
    found = apr.recall_at_precision(y_true, y_score, precision=level, prevalence=level)
    assert found == 1


@pytest.mark.parametrize("prevalence", np.arange(1, 100) / 100)
def test_a_constant_score_has_recall_1_up_to_the_prevalence(prevalence):
    found = apr.recall_at_precision(
        [1, 0], [1, 1], precision=[prevalence, prevalence + 1e-9], prevalence=prevalence
    )
    assert found.tolist() == [1, 0]


@pytest.mark.parametrize("prevalence", [None, 1e-9, 0.1, 1 / 3, 0.9, 1 - 1e-9])
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
    for seed in range(200):
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


# Types and sizes


def test_integers_in_object_arrays_stay_integers():
    score = np.array([2**62 + 1, 2**62 + 2], dtype=object)
    assert apr.auc_pr_interpolated([0, 1], score) == 1
    assert apr.auc_pr_interpolated([0, 1], score[::-1]) == pytest.approx(1 - np.log(2))
    mixed = np.array([1, 2.5, True, 2], dtype=object)
    assert apr.auc_pr_interpolated([0, 1, 0, 1], mixed) == 1


@pytest.mark.parametrize(
    "score",
    [
        [2**70, 2**70 + 1],
        [2**63 + 1, -1],
        (2**64 + 1, 2.5),
        [-(2**63) - 1, 0],
        [-(2**63) - 1, 0.5],
        [2**53 + 1, 0.5],
        (-(2**53) - 1, np.float32(0.5)),
    ],
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


@pytest.mark.parametrize("function", WITH_THRESHOLDS)
@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 53, reason="a long double is float64")
def test_chosen_thresholds_of_long_doubles_that_float64_rounds(function):
    y_score = np.array([1, 2, 3, 4]) + np.finfo(np.longdouble).eps * np.arange(1, 5)
    message = (
        r"`y_score` .* rounds 4 of these 4 long doubles. Pass `y_score.astype\(float\)"
    )
    with pytest.raises(ValueError, match=message):
        function([0, 0, 0, 1], y_score)


@pytest.mark.parametrize("function", [*WITH_THRESHOLDS, apr.roc_convex_hull])
def test_chosen_thresholds_that_float64_rounds(function):
    y_score = np.arange(2**53 - 2, 2**53 + 2)
    with pytest.raises(ValueError, match=r"`y_score` .* 9007199254740993; pass `y_score\."):
        function([0, 0, 0, 1], y_score)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("y_score", lambda x: apr.auc_pr_interpolated([0, 1], [1, x])),
        ("sample_weight", lambda x: apr.aucnpr([0, 1], [1, 2], sample_weight=[1, x])),
        ("prevalence", lambda x: apr.auc_pr_interpolated([0, 1], [1, 2], prevalence=x)),
        ("prevalence", lambda x: apr.precision_min(0.5, x)),
        ("tps", lambda x: apr.auc_pr_from_counts([1, x], [1, 2])),
        ("k", lambda x: apr.precision_at_k([0, 1], [1, 2], k=x)),
    ],
)
def test_numbers_beyond_float64(name, function):
    with pytest.raises(ValueError, match=f"`{name}` must .* fit into float64"):
        function(10**400)


@pytest.mark.parametrize(
    ("weight", "ratio"),
    [([1, 3e300], r"1e\+300"), ([1e-160, 1e160], r"1e\+320"), ([3e300, 1], "1e-300")],
)
@pytest.mark.parametrize(
    "function", [apr.auprg_score, apr.aucnpr, apr.normalized_average_precision_score]
)
def test_classes_whose_ratio_is_beyond_float64(function, weight, ratio):
    message = f"`sample_weight` must give the classes .* Got positives of about {ratio} "
    with pytest.raises(ValueError, match=message):
        function([0, 1], [1, 2], sample_weight=weight)


@pytest.mark.parametrize("weight", [[1e-160, 1e160], [1e160, 1e-160]])
def test_rates_of_classes_whose_ratio_is_beyond_float64(weight):
    fpr, tpr, _ = apr.roc_convex_hull([0, 1], [1, 2], sample_weight=weight)
    assert (fpr.tolist(), tpr.tolist()) == ([0, 0, 1], [0, 1, 1])


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


def test_a_curve_larger_than_memory_raises_with_its_name():
    message = r"`interpolate`=True .*at most 100000000 .*Got 100000001; .*interpolate=False"
    with pytest.raises(ValueError, match=message):
        apr.pr_curve_from_counts([10**8 + 1], [1])
    precision, _, _ = apr.pr_curve_from_counts([10**15], [1], interpolate=False)
    assert precision == pytest.approx([1, 1], rel=1e-14)


def test_vertices_of_weights_of_all_sizes():
    """No point lies above the hull by more than the rounding of the totals."""
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n_rows = rng.integers(3, 9)
        labels = np.append(rng.integers(0, 2, n_rows - 2), [0, 1])
        score = rng.permutation(n_rows)
        weight = 10.0 ** rng.integers(-12, 13, n_rows) * rng.uniform(1, 2, n_rows)
        roc = slow.roc(labels, score.tolist(), weight)
        fpr, tpr, thresholds = apr.roc_convex_hull(labels, score, sample_weight=weight)
        for vertex in slow.hull(roc)[1:]:
            f, t = float(vertex.f / roc[-1].f), float(vertex.t / roc[-1].t)
            height = max(tpr[fpr <= f].max(), np.interp(f, fpr, tpr))
            assert vertex.threshold in thresholds or t <= height + 8 * EPS


def test_f1_above_chance_of_many_equal_weights():
    rng, n = np.random.default_rng(0), 10**6
    y_true = rng.random(n) < 0.5
    y_pred = rng.random(n) < 0.5 + 0.01 * y_true
    expected = apr.f1_above_chance_score(y_true, y_pred)
    weight = np.full(n, 0.1)
    score = apr.f1_above_chance_score(y_true, y_pred, sample_weight=weight)
    np.testing.assert_allclose(score, expected, rtol=1e-13)


def test_a_vertex_before_a_sample_of_tiny_weight():
    weight = [0.018, 1.47e6, 1.7e-5, 13250.3, 0.0019, 1.44e6, 1.6e-5]
    labels, score = [0, 1, 1, 0, 0, 0, 0], [2, 6, 3, 4, 5, 1, 0]
    _, _, thresholds = apr.roc_convex_hull(labels, score, sample_weight=weight)
    assert thresholds.tolist() == [np.inf, 6, 3, 0]


# Wrong inputs


@pytest.mark.parametrize("interpolate", ["no", None, 1, np.array([True, False])])
def test_interpolate_is_true_or_false(interpolate):
    for curve, data in (
        (apr.pr_curve_interpolated, ([0, 1], [0.2, 0.7])),
        (apr.achievable_pr_curve, ([0, 1], [0.2, 0.7])),
        (apr.pr_curve_from_counts, ([0, 1], [0, 1])),
        (apr.summary_pr_curve, ([[0, 1]], [[0.2, 0.7]])),
    ):
        with pytest.raises(TypeError, match="`interpolate` must be True or False"):
            curve(*data, interpolate=interpolate)


def test_ragged_recalls():
    for name, function in (
        ("recall", apr.precision_at_recall),
        ("precision", apr.recall_at_precision),
    ):
        with pytest.raises(ValueError, match=f"`{name}` cannot be made an array"):
            function([0, 1], [0, 1], **{name: [[0.1], [0.2, 0.3]]})


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda: apr.average_precision_min([1, 2], [1, 2, 3]), ("n_pos", "n_neg")),
        (lambda: apr.precision_min([0.1, 0.2], [0.1] * 3), ("recall", "prevalence")),
        (lambda: apr.is_achievable([0.1] * 2, [0.1] * 3, 0.5), ("precision", "recall")),
        (lambda: apr.roc_to_pr([0.1] * 2, [0.1] * 3, 0.5), ("fpr", "tpr")),
        (lambda: apr.pr_to_roc([0.1] * 2, [0.1] * 3, 0.5), ("precision", "recall")),
    ],
)
def test_shapes_that_do_not_match(call, names):
    with pytest.raises(ValueError, match="Shapes do not match") as error:
        call()
    assert all(f"`{name}`" in str(error.value) for name in names)


# One warning for many samples


def test_undefined_samples_are_counted_in_one_warning():
    rng = np.random.default_rng(0)
    labels, score = rng.integers(0, 2, (1000, 3)), rng.random((1000, 3))
    n_undefined = np.count_nonzero(~labels.any(axis=1))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = apr.auc_pr_interpolated(
            labels, score, average="samples", replace_undefined_by=0.0
        )
    assert [w.category for w in caught] == [UndefinedMetricWarning]
    others = f" is undefined. Of 1000 samples {n_undefined} lack a class."
    assert str(caught[0].message).endswith(others)
    assert caught[0].filename == __file__
    present = labels.any(axis=1)
    defined = apr.auc_pr_interpolated(labels[present], score[present], average="samples")
    assert value == pytest.approx(defined * present.mean(), rel=1e-14)


# Memory


def test_normalized_average_precision_needs_no_more_memory_than_the_area():
    y_true = np.random.default_rng(0).random(10**6) < 0.3
    y_score = np.random.default_rng(1).normal(size=10**6)

    def peak(function):
        function(y_true, y_score)
        tracemalloc.start()
        function(y_true, y_score)
        _, found = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return found

    area = peak(apr.auc_pr_interpolated)
    # The parts have every threshold instead of breakpoints: 65536 samples, eight columns.
    assert peak(apr.normalized_average_precision_score) < area + 8 * 8 * 65536


# Options


@pytest.mark.parametrize("kind", [Fraction, np.float16, np.float64, np.longdouble])
def test_numbers_of_any_type_are_converted_once(kind):
    given = {"width": 0.125, "auc_pr": 0.5, "prevalence": 0.25, "confidence_level": 0.875}
    expected = apr.required_sample_size(**given)
    found = apr.required_sample_size(**{name: kind(x) for name, x in given.items()})
    assert found == expected
    y_true, y_score, _ = random_problem(3, 60)
    level = apr.auc_pr_interval(y_true, y_score, confidence_level=kind(0.875))
    assert level == apr.auc_pr_interval(y_true, y_score, confidence_level=0.875)
    assert type(level.confidence_level) is float
    assert apr.precision_at_k(y_true, y_score, k=kind(0.125)) == apr.precision_at_k(
        y_true, y_score, k=0.125
    )
    at = {"n_pos": kind(4), "n_neg": kind(8)}
    assert apr.auc_pr_from_counts([1, 2], [0, 3], **at) == apr.auc_pr_from_counts(
        [1, 2], [0, 3], n_pos=4, n_neg=8
    )


def test_small_integers_do_not_overflow():
    y_true, y_score, _ = random_problem(3, 60)
    how = {"method": "percentile", "random_state": 0, "confidence_level": 0.5}
    expected = apr.auc_pr_interval(y_true, y_score, n_resamples=100, **how)
    found = apr.auc_pr_interval(y_true, y_score, n_resamples=np.int8(100), **how)
    assert found.confidence_interval == expected.confidence_interval


@pytest.mark.parametrize("random_state", [[], True, [1, 2], np.ones((2, 2), int), 1.5])
def test_seeds_that_are_no_integers(random_state):
    how = {"method": "percentile", "random_state": random_state}
    with pytest.raises(TypeError, match="`random_state` must be an integer"):
        apr.auc_pr_interval([1, 0, 1, 0], [4, 3, 2, 1], **how)


@pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")
def test_heavy_weights_that_leave_a_tie_leave_no_negative_count():
    """Differences of weights left light samples counts with large errors, even below 0."""
    a, b = [1, 1, 0, 2, 2, 0, 1, 2, 0, 2], [1, 0, 2, 0, 0, 2, 0, 1, 1, 1]
    weight = [0.3, 0.3, 3.0, 1e16, 1e16, 3.0, 1.0, 3.0, 0.3, 7e15]
    found = apr.compare_auc_pr(
        [0, 1, 1, 0, 0, 1, 0, 1, 0, 0], a, b, sample_weight=weight, method="permutation"
    )
    null = np.sort(found.null_distribution)
    np.testing.assert_allclose(null, -null[::-1], atol=1e-12)  # every exchange, once


@pytest.mark.parametrize("value", [pd.NA, np.array(1), np.array([1]), np.array([1, 0]), []])
def test_options_whose_comparison_is_not_a_boolean(value):
    labels = np.array([[0, 1], [1, 0], [1, 1]])
    with pytest.raises(
        ValueError, match=r"`pos_label` is for a binary `y_true`: .*; leave it out"
    ):
        apr.aucnpr(labels, labels, pos_label=value)
    with pytest.raises(
        ValueError, match="`curve` must be one of 'empirical', 'achievable'"
    ):
        apr.aucnpr(labels, labels, curve=value)
