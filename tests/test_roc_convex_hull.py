"""The upper hull against its definition, in integers."""

import numpy as np
import pytest
import slow_twins as slow
import strategies
from cases import case, each
from hypothesis import assume, given
from hypothesis import strategies as st

from sklearn_achievable_pr import pr_curve_from_counts, roc_convex_hull
from sklearn_achievable_pr._roc.hull import strict_upper_hull

pytestmark = [
    pytest.mark.usefixtures("every_way_to_the_hull"),
    pytest.mark.filterwarnings("ignore:The counts rank negatives above positives"),
]


def hull_by_definition(fps, tps):
    """Indices of the vertices of the slow twin."""
    points = slow.roc_through(*zip(map(int, fps), map(int, tps), strict=True))
    return [points.index(vertex) for vertex in slow.hull(points)]


def hull_by_turns(fps, tps):
    """Indices of the vertices, each a turn to the right, in Python integers."""
    f, t, kept = [int(x) for x in fps], [int(x) for x in tps], []
    for c in range(len(f)):
        while len(kept) > 1:
            a, b = kept[-2:]
            if (t[b] - t[a]) * (f[c] - f[b]) > (t[c] - t[b]) * (f[b] - f[a]):
                break
            kept.pop()
        kept.append(c)
    return kept


def assert_vertices(fps, tps, expected):
    """Assert the vertices of the achievable curve, and of counts that stay integers.

    Functions of counts take them as floats; counts of samples without weights are integers.
    """
    assert strict_upper_hull(np.array(fps), np.array(tps)).tolist() == list(expected)
    totals = {"n_pos": tps[-1], "n_neg": fps[-1]}
    found = pr_curve_from_counts(tps, fps, curve="achievable", interpolate=False, **totals)
    fps, tps = (np.asarray(counts)[expected[:0:-1]] for counts in (fps, tps))
    np.testing.assert_array_equal(found[1][:-1], tps / tps[0])
    np.testing.assert_allclose(found[0][:-1], tps / (tps + fps), rtol=1e-15)


def random_roc(rng, n_points, highest=3):
    """Distinct points from (0, 0) with non-decreasing counts."""
    steps = rng.integers(0, highest + 1, (n_points - 1, 2))
    steps[(steps == 0).all(axis=1)] = 1, 0
    return np.cumsum([(0, 0), *steps], axis=0).T


def concave_roc(n_points):
    """Every point is a vertex."""
    gain = np.arange(n_points - 1, 0, -1)
    return tuple(np.cumsum([0, *steps]) for steps in (gain[::-1], gain))


# (fps, tps, vertices)
SHAPES = {
    "ends_only": ([0, 5], [0, 3], [0, 1]),
    "diagonal": ([0, 1, 2, 3], [0, 1, 2, 3], [0, 3]),
    "diagonal_of_unequal_steps": ([0, 1, 3, 4, 10], [0, 2, 6, 8, 20], [0, 4]),
    "straight_up": ([0, 0, 0], [0, 1, 4], [0, 2]),
    "up_then_right": ([0, 0, 3], [0, 2, 2], [0, 1, 2]),
    "right_then_up": ([0, 3, 3], [0, 0, 2], [0, 2]),
    "up_up_right_right": ([0, 0, 0, 1, 3], [0, 1, 2, 2, 2], [0, 2, 4]),
    "dent": ([0, 0, 1, 2, 4], [0, 2, 2, 4, 4], [0, 1, 3, 4]),
    "collinear_then_vertex": ([0, 1, 2, 5], [0, 2, 4, 5], [0, 2, 3]),
    "collinear_after_a_dent": ([0, 1, 2, 3, 4], [0, 3, 3, 5, 6], [0, 1, 4]),
}


@each(shape=SHAPES)
def test_vertices_of_every_shape(shape):
    fps, tps, vertices = SHAPES[shape]
    assert hull_by_definition(fps, tps) == vertices
    assert_vertices(np.array(fps), np.array(tps), vertices)


def drawn_counts(highest):
    return strategies.counts(highest=highest)


@given(
    counts=st.sampled_from([1, 2, 9, 10**6]).flatmap(drawn_counts), walk=st.integers(2, 20)
)
def test_vertices_of_random_roc_curves_are_those_of_the_twin(tuning, counts, walk):
    """Few points by the vectorised passes, or by slopes, as well as by the chain."""
    fps, tps = counts
    assume(tps[-1])
    expected = hull_by_definition(fps, tps)
    assert_vertices(fps, tps, expected)
    with tuning(walk=walk):
        assert_vertices(fps, tps, expected)
        assert_vertices(fps.astype(float), tps.astype(float), expected)


@each(highest=[1, 4, 10**6])
def test_long_roc_curves_have_the_vertices_of_the_chain(tuning, highest):
    """Sizes below and above the limit of the monotone chain, which itself is exact."""
    for n_points in (*range(tuning.walk - 1, tuning.walk + 3), 200, 1000):
        rng = np.random.default_rng(n_points)
        fps, tps = random_roc(rng, n_points, highest)
        tps = tps + np.minimum(fps, 20) * 3  # bent upwards, so there are more vertices
        expected = hull_by_turns(fps, tps)
        with case(n_points):
            assert_vertices(fps, tps, expected)


def test_long_roc_curves_of_one_shape(tuning):
    for n_points in (tuning.walk + 1, tuning.walk + 20, 1000):
        line = np.arange(n_points)
        assert_vertices(line, 3 * line, [0, n_points - 1])
        fps, tps = concave_roc(n_points)
        assert_vertices(fps, tps, list(range(n_points)))
        # The reversed ROC curve lies below the diagonal.
        assert_vertices(tps, fps, [0, n_points - 1])


@each(size=[10**4, 5 * 10**5, 10**9, 2**40, 2**52], n_between=[0, 200])
def test_one_count_off_a_line(size, n_between):
    """A point on the diagonal is not a vertex; a point one count above it is a vertex.

    Rates in floating point cannot decide this: at 2**52 the difference is below the
    rounding of a rate. Points far below the line are added to reach the vectorised passes.
    """
    between = np.arange(1, n_between + 1)
    middle = size // 2
    fps = np.concatenate(([0], middle - n_between + between - 1, [middle, size]))
    for above in (-1, 0, 1):
        tps = np.concatenate(([0], between, [middle + above, size]))
        expected = [0, n_between + 1, n_between + 2] if above > 0 else [0, n_between + 2]
        assert strict_upper_hull(fps, tps).tolist() == expected


@each(n_rows_from=[10**3, 10**5, 10**8, 10**12])
def test_slopes_as_close_as_possible(n_rows_from):
    """Fibonacci numbers as counts: slopes of n and m samples that differ by 1 / (n m)."""
    a, b = 1, 1
    while b < n_rows_from:
        a, b = b, a + b
    for _ in range(2):
        a, b = b, a + b
        (t1, n1), (t2, n2) = (a, b), (b, a + b)
        low = np.arange(200)  # points below the first step
        fps = np.concatenate(([0], n1 - t1 - 200 + low, [n1 - t1, n1 - t1 + n2 - t2]))
        tps = np.concatenate(([0], low, [t1, t1 + t2]))
        expected = [0, 201, 202] if t1 * n2 > t2 * n1 else [0, 202]
        assert_vertices(fps, tps, expected)


def test_many_points_whose_products_exceed_int64():
    """300 points of a step of 2**48: convex, concave, and one count off a line."""
    line = np.arange(300) * 2**48
    bend = np.cumsum(np.arange(300))
    every = list(range(300))
    for fps, tps, expected in [
        (line, bend, [0, 299]),
        (bend, line, every),
        (line, line + bend, [0, 299]),
        (line + bend, line, every),
        (line, line + (every == np.array(150)), [0, 150, 299]),
        (line, line - (every == np.array(150)), [0, 299]),
    ]:
        assert strict_upper_hull(fps, tps).tolist() == expected


def test_floats_are_exact_below_2_to_the_53():
    """One count above the line of two: a vertex, or within the rounding of the total."""
    half = 2**51
    for total, vertices in [(2**52 - 1, [0, 1, 2]), (2**52, [0, 2])]:
        fps, tps = np.array([0, half, 2**52]), np.array([0, half + 1, total])
        assert strict_upper_hull(fps, tps).tolist() == [0, 1, 2]
        assert strict_upper_hull(fps.astype(float), tps.astype(float)).tolist() == vertices
    for exponent in (53, 60, 64, 200):
        for bits, vertices in [(52, [0, 2]), (40, [0, 1, 2])]:
            fps = np.array([0.0, 2.0**exponent, 2.0 ** (exponent + 1)])
            tps = np.array([0.0, 2.0**exponent + 2.0 ** (exponent - bits), fps[2]])
            assert strict_upper_hull(fps, tps).tolist() == vertices


def test_an_integer_weight_beyond_int64():
    _, _, thresholds = roc_convex_hull(
        [1, 0, 1, 0], [4, 3, 2, 1], sample_weight=[1, 1, 1, 1e19]
    )
    assert thresholds.tolist() == [np.inf, 4, 2, 1]


@each(n_rows=[3, 10, 49, 107, 1000])
def test_pooled_means_that_differ_by_rounding_alone(n_rows):
    """Collinear segments of slope 1 / n_rows, each with two steps below the line."""
    rng = np.random.default_rng(n_rows)
    for _ in range(40):
        total = rng.integers(1, 30, 80)
        first = rng.integers(1, total * (n_rows - 1) + 1)
        fps = np.stack((first, total * (n_rows - 1) - first), axis=1).ravel()
        gain = np.where(rng.random(80) < 0.5, 0, np.maximum(first // (n_rows - 1) - 1, 0))
        tps = np.stack((gain, total - gain), axis=1).ravel()
        fps, tps = (np.concatenate(([0], np.cumsum(steps))) for steps in (fps, tps))
        assert_vertices(fps, tps, [0, len(fps) - 1])


@each(unit=[0.1, 1 / 3, 1e-12, 0.7, 1e-300, 3e200], n_points=[30, 500])
def test_fractional_weights_have_the_hull_of_integer_weights(unit, n_points):
    """Weights of 0.1 k have the same hull as weights of k."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        steps = rng.integers(0, 4, (n_points - 1, 2)) + np.array([0, 1])
        fps, tps = np.concatenate((np.zeros((1, 2), int), np.cumsum(steps, axis=0))).T
        added = np.concatenate((np.zeros((1, 2)), np.cumsum(steps * unit, axis=0))).T
        assert_vertices(*added, hull_by_turns(fps, tps))


def test_one_class_of_fractional_weights():
    """The other class has integer weights; counts are still not integers."""
    whole, fractional = np.array([0.0, 1, 2]), np.array([0, 1.6, 2.9])
    assert_vertices(whole, fractional, [0, 1, 2])
    assert_vertices(fractional, whole, [0, 2])


def test_light_negatives_after_the_last_positive_are_a_segment():
    """The hull is exactly horizontal there, even if the segment before is almost so."""
    fps, tps = np.array([0, 0.5, 1, 1 + 1e-13]), np.array([0, 0.999, 1.0, 1.0])
    assert_vertices(fps, tps, [0, 1, 2, 3])


def test_a_repeated_vertex_is_not_lost(tuning):
    """Weights too small to change the totals repeat points."""
    fps, tps = (counts * 1.1 for counts in concave_roc(2 * tuning.walk))
    twice = np.repeat(np.arange(len(fps)), 2)
    light = np.full(len(fps), 1e-30)
    weight = np.column_stack(
        [np.diff(fps, prepend=0), np.diff(tps, prepend=0), light, light]
    )
    labels, scores = np.tile([0, 1], len(twice)), -np.repeat(np.arange(len(twice)), 2)
    found = roc_convex_hull(labels, scores, sample_weight=weight.ravel())
    np.testing.assert_allclose(found[0] * fps[-1], fps, rtol=1e-14)
    np.testing.assert_allclose(found[1] * tps[-1], tps, rtol=1e-14)
    assert found[2][-1] == scores[-1], "the last point, not one like it"


# Weights of all sizes


def test_vertices_of_weights_of_all_sizes():
    """No point lies above the hull by more than the rounding of the totals."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n_rows = rng.integers(3, 9)
        labels = np.append(rng.integers(0, 2, n_rows - 2), [0, 1])
        score = rng.permutation(n_rows)
        weight = 10.0 ** rng.integers(-12, 13, n_rows) * rng.uniform(1, 2, n_rows)
        roc = slow.roc(labels, score.tolist(), weight)
        fpr, tpr, thresholds = roc_convex_hull(labels, score, sample_weight=weight)
        for vertex in slow.hull(roc)[1:]:
            f, t = float(vertex.f / roc[-1].f), float(vertex.t / roc[-1].t)
            height = max(tpr[fpr <= f].max(), np.interp(f, fpr, tpr))
            assert vertex.threshold in thresholds or t <= height + 8 * np.finfo(float).eps


def test_a_vertex_before_a_sample_of_tiny_weight():
    weight = [0.018, 1.47e6, 1.7e-5, 13250.3, 0.0019, 1.44e6, 1.6e-5]
    labels, score = [0, 1, 1, 0, 0, 0, 0], [2, 6, 3, 4, 5, 1, 0]
    _, _, thresholds = roc_convex_hull(labels, score, sample_weight=weight)
    assert thresholds.tolist() == [np.inf, 6, 3, 0]
