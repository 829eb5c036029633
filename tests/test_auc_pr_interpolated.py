"""Areas and AUCNPR of hard problems, from samples and from counts, in exact arithmetic."""

from fractions import Fraction
from typing import NamedTuple

import mpmath
import numpy as np
import pytest
import slow_twins as slow
import strategies
from cases import case, each
from closeness import (
    METRICS,
    PROMISED,
    ROUNDING,
    assert_area,
    assert_areas,
    assert_exact,
    curve_of,
    of_counts,
    of_samples,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from situations import random_problem
from sklearn.metrics import average_precision_score
from strategies import every_problem

import sklearn_achievable_pr as apr

# Many problems have all negatives first.
pytestmark = pytest.mark.filterwarnings("ignore:The counts rank negatives above positives")

RANGES = [(0.0, 1.0), (0.25, 0.75), (0.0, 1e-3), (0.999, 1.0)]


class Problem(NamedTuple):
    """A ROC curve in exact counts, and what is asked of it."""

    points: list
    ranges: list = RANGES
    prevalence: float | None = None
    within: float = PROMISED


# Hard problems


# Labels and weights, highest score first.
WEIGHTS = {
    "tiny_positives": ([1, 0, 1, 1, 0], [1e-12, 1, 1, 1e-12, 1]),
    "tiny_negatives": ([1, 0, 1, 1, 0], [1, 1e-12, 1, 1, 1e-12]),
    "tiny_first_positive": ([1, 0, 1, 0, 1], [1e-12, 1, 1, 1, 1]),
    "tiny_first_negative": ([0, 1, 1, 0, 1], [1e-12, 1, 1, 1, 1]),
    "only_positive_is_tiny": ([0, 1, 0, 0, 0], [1, 1e-12, 1, 1, 1]),
    "tiny_first_tie": ([1, 0, 1, 0, 1], [1e-12, 1e-12, 1, 1, 1]),
    "denormal_first_positive": ([1, 0, 1, 0, 1], [1e-320, 1, 1, 1, 1]),
    "denormal_first_negative": ([0, 1, 1, 0, 1], [1e-320, 1, 1, 1, 1]),
    "denormal_last": ([1, 0, 1, 0], [1, 1, 5e-324, 5e-324]),
    "denormal_pair_first": ([1, 0, 1, 0], [5e-324, 5e-324, 1, 1]),
    "all_denormal": ([1, 0, 1, 1, 0], [5e-324, 1e-323, 5e-324, 2e-323, 5e-324]),
    "all_tiny": ([1, 0, 1, 1, 0], [1e-200, 2e-200, 1e-200, 1e-200, 1e-200]),
    "all_huge": ([1, 0, 1, 1, 0], [1e300, 2e300, 1e300, 1e300, 1e300]),
    "sum_overflows": ([1, 0, 1, 1, 0], [1.7e308, 1e308, 1.7e308, 1.7e308, 1.1e308]),
    "tiny_and_huge": ([1, 0, 1, 1, 0], [1e-300, 1e300, 1e300, 1e-300, 1e300]),
}


# False and true positives after (0, 0): curves on which plain formulas cancel or overflow.
COUNTS = {
    "from_the_origin": ([3], [2]),
    "all_positive": ([0, 5], [7, 7]),
    "negatives_first": ([5, 5], [0, 7]),
    "one_positive_far_down": ([10**9, 10**9], [0, 1]),
    "small_step_far_down": ([10**9, 10**9 + 3], [10**6, 10**6 + 2]),
    "one_sample_after_1e15": ([10**15, 10**15], [10**3, 10**3 + 1]),
    "large_step": ([0, 10**12], [1, 2]),
    "just_below_the_switch": ([1600, 1650], [1600, 1649]),
    "just_above_the_switch": ([1600, 1650], [1600, 1651]),
    "flat_precision": ([1, 10**8], [1, 10**8]),
    "1e9": ([10, 5 * 10**8, 10**9], [3, 10**6, 10**9]),
    "rare": ([10**9, 10**9 + 5], [1, 2]),
    "1e9_positives_first": ([0, 1], [10**9, 10**9]),
    "collinear": ([10**9, 2 * 10**9, 3 * 10**9], [10**9, 2 * 10**9, 3 * 10**9]),
    "up_to_2**53": ([1, 2**52], [2**51, 2**53]),
    "many_equal_steps": (list(range(0, 10**9, 5 * 10**7)), list(range(1, 21))),
}


def curve_through(fps, tps, scale=1):
    return slow.roc_through(
        (0, 0),
        *(
            (f * Fraction(scale), t * Fraction(scale))
            for f, t in zip(fps, tps, strict=True)
        ),
    )


def vertices_of(data):
    """Ranges from and to the recall of each point, which is rounded."""
    points = slow.roc(*data)
    recalls = sorted({float(p.t / points[-1].t) for p in points})
    return [(r, 1.0) for r in recalls[:-1]] + [(0.0, r) for r in recalls[1:]]


TIED = {
    kind: random_problem(6, 30, n_levels=6, weights=kind)
    for kind in (None, "whole", "fractional")
}
NARROW = [
    *((0.999999999, 1), (0, 1e-9), (0.7, 0.700001)),
    *((r, r + 1e-9) for r in (0.5, 0.3)),
]
HARD = {
    **{
        name: Problem(slow.roc(labels, range(len(labels), 0, -1), weight))
        for name, (labels, weight) in WEIGHTS.items()
    },
    "weights_in_a_tie": Problem(
        slow.roc([1, 0, 1, 0, 1, 0], [3, 3, 2, 2, 1, 1], [1e-12, 1, 1, 1e-12, 1, 1])
    ),
    "weights_far_below_the_totals": Problem(
        slow.roc(
            [1, 0, 0] + [0, 1] * 40,
            [-min(i, 81) for i in range(83)],
            [80, 5e-324, 5e-324] + [1.1, 0.1] * 40,
        ),
        RANGES[:1],
    ),
    **{name: Problem(curve_through(*counts)) for name, counts in COUNTS.items()},
    **{
        f"{name}_times_{scale:g}": Problem(curve_through(*COUNTS[name], scale), RANGES[:1])
        for name in COUNTS
        for scale in (1e-12, 1e-300, 1e280)
    },
    **{
        f"prevalence_of_{prevalence:g}": Problem(
            slow.roc(*random_problem(0, 40, n_levels=9)), prevalence=prevalence
        )
        for prevalence in (1e-12, 1e-6, 1e-3, 0.5, 1 - 1e-9)
    },
    **{
        f"ranges_between_vertices_{kind}_{prevalence}": Problem(
            slow.roc(*TIED[kind]), vertices_of(TIED[kind]), prevalence, 1e-14
        )
        for kind, prevalence in [
            (None, None),
            (None, 1e-12),
            ("whole", None),
            ("whole", 1e-12),
        ]
    },
    "ranges_between_vertices_fractional": Problem(
        slow.roc(*TIED["fractional"]), vertices_of(TIED["fractional"]), within=1e-14
    ),
    "end_within_rounding_of_a_vertex": Problem(
        curve_through([8, 8, 8], [0, 29, 50]), [(0.58, 1)]
    ),
    "short_segment_with_most_of_the_weight": Problem(
        slow.roc([1, 0, 1, 1], [4, 3, 2, 1]), [(1 / 3, 1)], 1e-12, 1e-14
    ),
    **{
        f"narrow_ranges_{kind}_{seed}": Problem(
            slow.roc(*random_problem(seed, 60, n_levels=9, weights=kind)),
            NARROW,
            within=1e-14,
        )
        for kind in (None, "fractional")
        for seed in range(2)
    },
}


@each(name=HARD, metric=METRICS)
def test_hard_problems_from_samples_and_from_counts(tuning, name, metric):
    points, ranges, prevalence, within = HARD[name]
    data = slow.samples_of(points)
    ways = [(of_samples, data, slow.roc(*data))]
    if max(points[-1][:2]) < np.finfo(float).max:
        rounded = slow.rounded(points)
        ways.append((of_counts, rounded, rounded))
    for way, problem, exact in ways:
        if prevalence is not None:
            exact = slow.at_prevalence(exact, prevalence)
        exact = curve_of(exact, metric)
        for ends in ranges:
            options = {"recall_range": ends, "prevalence": prevalence}
            found = {way(problem, metric, **options)}
            with tuning(few_segments=0):  # by NumPy instead of Python floats
                found.add(way(problem, metric, **options))
            for value in found:
                with case(way.__name__, ends):
                    assert_area(value, metric, exact, ends, within)


# Samples of every kind


TWIN_RANGES = [(0, 1), (0.3, 0.35), (0.25, 1)]


@every_problem
def test_areas_against_the_twin(data):
    assert_areas(data, TWIN_RANGES)


@pytest.mark.slow
@pytest.mark.parametrize("part", [1, 3])
def test_areas_of_a_roc_curve_in_parts_against_the_twin(tuning, part):
    """For large data the ROC curve is computed in parts."""

    @settings(max_examples=20)
    @every_problem
    def in_parts(data):
        assert_areas(data, TWIN_RANGES)

    with tuning(few_samples=0, part=part):
        in_parts()


@every_problem
def test_areas_at_a_prevalence_against_the_twin(data):
    for prevalence in (0.001, 0.7):
        assert_areas(data, [(0, 1)], prevalence)


# Recall ranges


@settings(max_examples=80)
@given(points=strategies.points(), data=st.data())
def test_ends_between_points_at_points_and_within_rounding_of_points(points, data):
    own = [float(p.t / points[-1].t) for p in points]
    own += [np.nextafter(r, end) for r in own if 0 < r < 1 for end in (0, 1)]
    recall = st.sampled_from(own) | st.integers(0, 10**9).map(lambda k: k / 10**9)
    ends = tuple(sorted(data.draw(st.tuples(recall, recall))))
    assume(ends[0] < ends[1])
    for metric in METRICS if points[-1].f else METRICS[:2]:
        found = of_counts(points, metric, recall_range=ends)
        assert_area(found, metric, curve_of(points, metric), ends, 1e-14)


def test_a_range_that_underflows_is_empty():
    options = {"sample_weight": [0.04, 1], "recall_range": (0, 5e-324)}
    assert apr.auc_pr_interpolated([1, 0], [0.9, 0.1], **options) == 0
    with pytest.raises(ValueError, match=r"`recall_range` .*Got \(0.0, 5e-324\)"):
        apr.aucnpr([1, 0], [0.9, 0.1], **options)


@pytest.mark.parametrize("method", ["exact", "davis_goadrich"])
def test_the_area_of_a_narrow_range_is_at_most_its_width(method):
    """The ends of a range are rounded, also those of a perfect ranking."""
    y_true, y_score = np.repeat([1, 0], [7, 20]), -np.arange(27)
    starts, widths = np.random.default_rng(0).random(100) / 2, np.geomspace(1e-15, 0.5, 100)
    for low, high in zip(starts, starts + widths, strict=True):
        at = {"recall_range": (low, high), "method": method}
        assert 0 < apr.auc_pr_interpolated(y_true, y_score, **at) <= high - low


@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
def test_the_average_area_of_perfect_labels_is_at_most_the_width(average):
    """The mean of three values of 0.1 is rounded to more than 0.1."""
    y_true, y_score = np.repeat([[[1], [0]], [[4], [2]]], 3, axis=2)
    at = {"recall_range": (0, 0.1), "average": average}
    assert apr.auc_pr_interpolated(y_true, y_score, **at) == 0.1


@pytest.mark.parametrize("low", [5e-324, 1e-310, 1e-300])
def test_a_recall_range_from_almost_0(low):
    y_true, y_score = [1, *[0] * 200, 1], [200, 200, *range(199, -1, -1)]
    for options in ({}, {"prevalence": 1e-9}):
        got = apr.aucnpr(y_true, y_score, recall_range=(low, 1), **options)
        assert got == pytest.approx(apr.aucnpr(y_true, y_score, **options), rel=1e-12)


# Algorithms and weights


# Where r leaves the series, r / (2 + r) = 1 / 65.
SWITCH = 1 / 32
# Above it r - log1p(r) is taken as this difference, of numbers up to 65 times as large, and
# not every log1p is right to less than two roundings.
LOST_DIGITS = 4 * 65 * np.finfo(float).eps
# Around the switch from series to logarithm, and up to both ends of float64.
LENGTHS = sorted(
    {float(f"{mantissa}e{e}") for mantissa in (1, 3.7) for e in range(-144, 289, 12)}
    | set(np.linspace(0.9 * SWITCH, 1.1 * SWITCH, 21).tolist())
    | {*np.nextafter(SWITCH, [0, 1]), SWITCH, 0.25, 1.0, 2.0, 1e-8, 1e-5, 1e-3}
)


@given(points=strategies.points(), size=st.integers(1, 5))
def test_areas_are_summed_block_by_block(tuning, points, size):
    with tuning(segments=size):
        for metric in METRICS[:2]:
            exact = curve_of(points, metric)
            assert_area(of_counts(points, metric), metric, exact, within=1e-14)


@given(points=strategies.points())
def test_counts_that_differ_by_less_than_rounding_are_one_point(points):
    tps, fps = np.array([(float(p.t), float(p.f)) for p in points]).T
    twice = np.repeat(np.arange(len(points)), 2)[:-1]
    lighter = np.maximum.accumulate(fps[twice] + [*[0, 1e-320] * (len(points) - 1), 0])
    totals = {"n_pos": tps[-1], "n_neg": lighter[-1]}
    found = apr.auc_pr_from_counts(tps[twice], lighter, **totals)
    assert_exact(found, slow.area(points), 1e-14)


@pytest.mark.parametrize("few", [0, 40])
def test_a_segment_of_positives_is_accurate_for_any_length(tuning, few):
    """Positives of weight r below one negative: the area is 1 - log(1 + r) / r."""
    for r in LENGTHS:
        with tuning(few_segments=few):
            found = apr.auc_pr_from_counts([0, r], [1, 1], n_pos=r, n_neg=1)
        with mpmath.workdps(700):  # the smaller r, the more digits cancel
            exact = 1 - mpmath.log(1 + mpmath.mpf(r)) / mpmath.mpf(r)
            assert_exact(found, +exact, LOST_DIGITS)


@pytest.mark.parametrize("prevalence", [None, 0.01])
def test_average_precision_of_counts_is_that_of_the_samples(prevalence):
    data = random_problem(7, 500, n_levels=40)
    points = slow.roc(*data)
    found = of_counts(points, "average_precision", prevalence=prevalence)
    assert found == pytest.approx(
        of_samples(data, "average_precision", prevalence=prevalence), rel=1e-13
    )


def test_positives_that_were_never_returned_are_tied_last():
    """Two of four positives were returned, and eight of ten samples were not."""
    y_true, y_score = [1, 0, 1, 1] + [0] * 6, [3, 2, 1] + [0] * 7
    found = apr.auc_pr_from_counts(
        [1, 1, 2], [0, 1, 1], metric="average_precision", n_pos=3, n_neg=7
    )
    assert found == pytest.approx(average_precision_score(y_true, y_score), rel=1e-15)


def test_areas_of_counts_whose_products_overflow():
    """Areas of 1e-400 and of 1 - 1e-400."""
    small, large = [1e-200, 2e-200], [1e200, 3e200]
    assert apr.auc_pr_from_counts(small, large) == 0
    assert apr.auc_pr_from_counts(large, small) == 1
    highest = np.finfo(float).max
    assert apr.auc_pr_from_counts([1], [0], n_pos=highest, n_neg=0) == 1
    assert apr.auc_pr_from_counts([0], [0], n_pos=highest, n_neg=highest) == 0.5


def test_weights_too_small_to_change_the_running_total():
    assert apr.auc_pr_interpolated([0, 1], [2, 1], prevalence=1e-16) == pytest.approx(5e-17)
    got = apr.auc_pr_interpolated([0, 1], [2, 1], sample_weight=[1, 1e-17])
    assert got == pytest.approx(5e-18, rel=1e-15)
    labels = np.append(np.zeros(10**5, dtype=int), 1)
    got = apr.auc_pr_interpolated(labels, -np.arange(10**5 + 1), recall_range=(0, 1e-12))
    assert got == pytest.approx(5e-30, rel=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("span", [8, 10])
def test_vertices_within_rounding_of_each_other_do_not_drop_each_other(span):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        y_true = rng.permutation(np.append(np.ones(60, int), np.zeros(60, int)))
        score = np.round(rng.normal(size=120) + y_true, rng.integers(4))
        weight = 10 ** rng.uniform(-span, span, 120)
        exact = slow.area(slow.hull(slow.roc(y_true, score, weight)))
        options = {"sample_weight": weight, "curve": "achievable"}
        assert_exact(apr.auc_pr_interpolated(y_true, score, **options), exact, 1e-14)


# AUCNPR near 0 and near 1


@each(
    sizes=[(1000, 1000), (10**6, 3), (50, 10**6)],
    recall_range=[(0, 1), (0, 0.5), (0.999999, 1)],
    prevalence=[None, 0.999],
)
def test_one_negative_from_the_worst_ranking(sizes, recall_range, prevalence):
    """One positive above the last negative: AUCNPR down to 1e-16."""
    n_neg, n_pos = sizes
    tps, fps = [0, 1, 1, n_pos], [n_neg - 1, n_neg - 1, n_neg, n_neg]
    roc = slow.roc_through((0, 0), *zip(fps, tps, strict=True))
    if prevalence is not None:
        roc = slow.at_prevalence(roc, prevalence)
    options = {"recall_range": recall_range, "prevalence": prevalence}
    got = apr.auc_pr_from_counts(tps, fps, metric="aucnpr", **options)
    assert abs(got - float(slow.normalized_area(roc, *recall_range))) <= ROUNDING


def test_a_worst_ranking_except_for_the_first_sample():
    """The segment that starts at (0, 0) has no samples before it."""
    for first in ((3, 1), (1, 3), (0, 1)):
        roc = slow.roc_through((0, 0), first, (10**6, first[1]), (10**6, 10**5))
        got = apr.auc_pr_from_counts(
            [p.t for p in roc], [p.f for p in roc], metric="aucnpr"
        )
        assert abs(got - float(slow.normalized_area(roc))) <= ROUNDING


def test_aucnpr_of_a_nearly_perfect_ranking_is_accurate_relative_to_1():
    """One negative above the last of a million positives: 1 - AUCNPR is accurate."""
    tps, fps = [10**6 - 1, 10**6 - 1, 10**6], [0, 1, 1]
    y_true = np.repeat([1, 0, 1], [10**6 - 1, 1, 1])
    y_score = -np.arange(10**6 + 1)
    points = slow.roc_through((0, 0), *zip(fps, tps, strict=True))
    exact = slow.normalized_area(points)
    with mpmath.workdps(slow.DIGITS):
        assert 0 < 1 - exact < 1e-6
        assert abs(mpmath.mpf(apr.aucnpr(y_true, y_score)) - exact) < mpmath.mpf(2) ** -53
