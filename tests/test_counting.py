"""Counts and thresholds, bit for bit, for every type of scores."""

import tracemalloc
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
import slow_twins as slow
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st

from sklearn_achievable_pr import (
    auc_pr_influence,
    auc_pr_interpolated,
    normalized_average_precision_score,
)
from sklearn_achievable_pr._input.labels import BinaryData
from sklearn_achievable_pr._roc.counting import (
    breakpoints,
    every_threshold,
    positive_thresholds,
)

every_way = pytest.mark.usefixtures("every_way_to_the_counts")

_TINY = 5e-324  # the smallest subnormal


class Counts(NamedTuple):
    fps: np.ndarray
    tps: np.ndarray
    thresholds: np.ndarray


def all_counts(*data):
    return counts_of(every_threshold(BinaryData(*data)))


def corner_counts(*data):
    """Counts at breakpoints only, without inner points of segments or ends of parts."""
    found = counts_of(breakpoints(BinaryData(*data)))
    corner = _is_corner(found.fps, found.tps)
    return Counts(found.fps[corner], found.tps[corner], found.thresholds[corner[1:]])


def counts_of(roc):
    points = roc.concatenated()
    return Counts(points.fps, points.tps, roc.thresholds(points))


def _among(dtype, *magnitudes):
    """These numbers and their negatives."""
    return np.dtype(dtype), st.sampled_from([s * m for m in magnitudes for s in (1, -1)])


def _floats(dtype, *ends):
    dtype = np.dtype(dtype)
    return dtype, st.floats(*ends, width=8 * min(dtype.itemsize, 8))


def _integers(dtype, low, high):
    return np.dtype(dtype), st.integers(low, high)


def _these(dtype, *values):
    return np.dtype(dtype), st.sampled_from(values)


# Every conversion of scores to sortable integers, and every case in which it fails.
SCORES = {
    "float64": _floats("f8", -4, 4),
    "float64_any": (np.dtype("f8"), st.floats(allow_nan=False, allow_infinity=False)),
    "float64_positive": _floats("f8", 1e-9, 1),
    "float64_negative": _floats("f8", -1, -1e-9),
    "float64_zero_and_positive": _these("f8", 0, 1 / 3, 2 / 3, 1),
    "float64_ties": _these("f8", *range(-5, 6)),
    "float64_constant": _these("f8", -0.7),
    "float64_signed_zeros": _among("f8", 0.0),
    "float64_signed_zeros_among_others": _among("f8", 0.0, 1e-3, 2.5),
    "float64_subnormals": _among("f8", _TINY, 2 * _TINY, 1e-310),
    "float64_subnormals_and_zero": _among("f8", 0.0, _TINY, 2 * _TINY),
    "float64_zero_and_large": _among("f8", 0.0, 1e300, 1.1e300),
    "float64_half_of_the_exponents": _among("f8", 2.0**-500, 1.0, 2.0**500),
    "float64_all_exponents": _among("f8", _TINY, 1e-300, 1.0, 1e300, 1.7e308),
    "float64_all_exponents_and_zero": _among("f8", 0.0, _TINY, 1.7e308),
    "float64_neighbors": _among("f8", 1.0, np.nextafter(1, 2), np.nextafter(1, 0)),
    "float32": _floats("f4", -4, 4),
    "float32_any": (
        np.dtype("f4"),
        st.floats(allow_nan=False, allow_infinity=False, width=32),
    ),
    "float32_ties": _these("f4", *range(-5, 6)),
    "float32_signed_zeros": _among("f4", 0.0, 1.0),
    "float32_all_exponents": _among("f4", 1e-45, 1e-30, 1.0, 3e38),
    "float32_subnormals": _among("f4", 1e-45, 3e-45),
    "float16": _floats("f2", -4, 4),
    "float16_signed_zeros": _among("f2", 0.0, 1.0),
    "float16_all_exponents": _among("f2", 6e-8, 1.0, 65504.0),
    "longdouble": _floats(np.longdouble, -4, 4),
    "longdouble_signed_zeros": _among(np.longdouble, 0.0, 1.0),
    "longdouble_ties_in_float64_only": (
        np.dtype(np.longdouble),
        st.integers(0, 8).map(lambda k: 1 + k * np.finfo(np.longdouble).eps),
    ),
    "longdouble_beyond_float64": _among(np.longdouble, 1.0, np.finfo(np.longdouble).max),
    "bool": (np.dtype(bool), st.booleans()),
    "int8": _integers("i1", -128, 127),
    "uint8": _integers("u1", 0, 255),
    "int16": _integers("i2", -3, 3),
    "int32": _integers("i4", -(2**31), 2**31 - 1),
    "uint32": _integers("u4", 0, 2**32 - 1),
    "int64": _integers("i8", -50, 50),
    "int64_any": _integers("i8", -(2**63), 2**63 - 1),
    "int64_beyond_float64": _integers("i8", 2**53, 2**53 + 5),
    "int64_lowest": _integers("i8", -(2**63), -(2**63) + 5),
    "int64_highest": _integers("i8", 2**63 - 5, 2**63 - 1),
    "int64_half_of_the_range": _integers("i8", -(2**62), 2**62 - 1),
    "int64_whole_range": _these("i8", -(2**63), -1, 0, 2**63 - 1),
    "uint64_small": _integers("u8", 0, 7),
    "uint64_any": _integers("u8", 0, 2**64 - 1),
    "uint64_beyond_int64": _integers("u8", 2**64 - 6, 2**64 - 1),
    "uint64_whole_range": _these("u8", 0, 1, 2**63, 2**64 - 1),
}
every_kind = each(kind=SCORES)


@st.composite
def given_rows(draw, kind, weighted=False):
    """Labels, scores of one kind, and integer weights."""
    dtype, elements = SCORES[kind]
    # A long double is drawn as a float: hypothesis makes no arrays of them.
    levels = np.array(draw(st.lists(elements, min_size=1, max_size=12)), dtype=dtype)
    rows = np.frombuffer(draw(st.binary(min_size=1, max_size=30)), dtype=np.uint8)
    positive = rows % 2 == 1
    if draw(st.booleans()):  # one class is rare, or missing
        positive[: draw(st.integers(0, len(rows)))] = draw(st.booleans())
    score, weight = levels[rows // 8 % len(levels)], 1.0 + rows // 2 % 4
    for array in (positive, score, weight):
        array.flags.writeable = False  # inputs are not modified
    return BinaryData(positive, score, weight if weighted else None)


def _exact_counts(positive, score, weight=None):
    """Counts and thresholds of the slow twin, thresholds in the type of the scores."""
    # item() would round a long double, which numpy compares as it is.
    points = slow.roc(positive, list(score), weight)
    counts = np.array([(int(p.f), int(p.t)) for p in points])
    return counts[:, 0], counts[:, 1], np.array([p.threshold for p in points[1:]])


def _is_corner(fps, tps):
    """Mask of the points that do not lie between two steps of the same class."""
    delta_f, delta_t = np.diff(fps), np.diff(tps)
    # 1: negatives only, 2: positives only, 0: a tie of both, whose ends are breakpoints.
    kind = np.where(delta_t == 0, 1, np.where(delta_f == 0, 2, 0))
    straight = (kind[1:] == kind[:-1]) & (kind[1:] != 0)
    return np.concatenate(([True], ~straight, [True]))


def _assert_same(found, fps, tps, thresholds, dtype):
    np.testing.assert_array_equal(found.fps, fps, strict=True)
    np.testing.assert_array_equal(found.tps, tps, strict=True)
    assert found.thresholds.dtype == dtype
    # 0.0 and -0.0 are the same threshold, 0.0.
    np.testing.assert_array_equal(found.thresholds, thresholds.astype(dtype))
    assert not np.signbit(found.thresholds[found.thresholds == 0]).any()


def _assert_counts(data, fps, tps, thresholds):
    """Compare the counts at every threshold, and those at breakpoints alone."""
    corner, dtype = _is_corner(fps, tps), data[1].dtype
    _assert_same(all_counts(*data), fps, tps, thresholds, dtype)
    at_corners = fps[corner], tps[corner], thresholds[corner[1:]]
    _assert_same(corner_counts(*data), *at_corners, dtype)


@every_way
@every_kind
@settings(max_examples=6)
@given(data=st.data())
def test_counts_and_thresholds_are_those_of_the_twin(kind, data):
    """Weighted counts are float64, exact for integer weights."""
    for weighted in (False, True):
        given = data.draw(given_rows(kind, weighted))
        fps, tps, thresholds = _exact_counts(*given)
        if weighted:
            fps, tps = fps.astype(float), tps.astype(float)
        _assert_counts(given, fps, tps, thresholds)


@pytest.mark.slow
@every_kind
@settings(max_examples=8)
@given(data=st.data(), part=st.integers(1, 5), rare=st.integers(0, 1))
def test_the_roc_curve_in_parts(tuning, kind, data, part, rare):
    """Joined parts have the breakpoints and possibly a few inner points of segments."""
    for weighted in (False, True):
        given = data.draw(given_rows(kind, weighted))
        with tuning(few_samples=0, rare=rare):
            whole, every = corner_counts(*given), all_counts(*given)
            with tuning(part=part):
                _assert_parts(given, whole, every)


def _assert_parts(given, whole, every):
    positive, score, weight = given
    roc = breakpoints(given)
    assert (roc.n_pos, roc.n_neg) == (whole.tps[-1], whole.fps[-1])

    parts = list(roc.parts)
    assert [len(part.tps) for part in parts] == [len(p.tps) for p in roc.parts]
    for before, after in pairwise(parts):
        assert [c[-1] for c in before] == [c[0] for c in after]
    fps, tps, n_above = (
        np.concatenate([column[0], *(c[1:] for c in column[1:])])
        for column in zip(*parts, strict=True)
    )
    points = list(zip(fps, tps, strict=True))
    assert len(points) == len(set(points))
    assert set(zip(whole.fps, whole.tps, strict=True)) <= set(points)
    assert set(points) <= set(zip(every.fps, every.tps, strict=True))
    thresholds = roc.thresholds(parts[0]._make((fps, tps, n_above)))
    for i, threshold in enumerate(thresholds, start=1):
        caught = score >= threshold
        assert n_above[i] == np.count_nonzero(caught)
        counted = caught if weight is None else weight * caught
        assert tps[i] == counted[positive].sum()
        assert fps[i] == counted[~positive].sum()


@every_way
def test_views_of_any_stride():
    rng = np.random.default_rng(9)
    positive, levels = rng.random(60) < 0.3, rng.integers(-9, 9, 60)
    for dtype in {dtype for dtype, _ in SCORES.values()}:
        score = levels.astype(dtype)
        for step in (2, -1, -3):
            found = all_counts(positive[::step], score[::step])
            copied = all_counts(positive[::step].copy(), score[::step].copy())
            for one, other in zip(found, copied, strict=True):
                np.testing.assert_array_equal(one, other, err_msg=str(dtype))


@every_way
@each(prevalence=[0.002, 0.5, 0.998], n_levels=[3, None])
def test_work_after_the_sort_depends_on_the_minority_class(prevalence, n_levels, tuning):
    rng = np.random.default_rng(11)
    positive = rng.random(5000) < prevalence
    score = rng.normal(size=5000)
    if n_levels:
        score = np.round(score * n_levels / 6)
    n_rarer = min(positive.sum(), (~positive).sum())
    with tuning(few_samples=0):
        found = counts_of(breakpoints(BinaryData(positive, score)))
    assert len(found.tps) <= 2 * n_rarer + 2
    every = all_counts(positive, score)
    assert len(every.tps) == len(np.unique(score)) + 1
    assert set(zip(found.fps, found.tps, strict=True)) <= set(
        zip(every.fps, every.tps, strict=True)
    )


@every_way
@each(positive_everywhere=[True, False], n_rows=[1, 5])
def test_a_single_class_is_one_segment(positive_everywhere, n_rows):
    positive = np.full(n_rows, positive_everywhere)
    counts = corner_counts(positive, np.arange(n_rows))
    total = [0, n_rows]
    assert counts.tps.tolist() == (total if positive_everywhere else [0, 0])
    assert counts.fps.tolist() == ([0, 0] if positive_everywhere else total)
    assert counts.thresholds.tolist() == [0]


@every_way
@each(dtype=["f8", "f4"], weighted=[False, True])
def test_scores_longer_than_a_block(tuning, dtype, weighted):
    """Keys are computed block by block; the last block is shorter."""
    rng = np.random.default_rng(12)
    n_rows = 2 * tuning.sorting_block + 17
    score = np.round(rng.normal(size=n_rows) * 1000).astype(dtype)
    positive = rng.random(n_rows) < 0.4
    _assert_right(positive, score, rng.integers(1, 5, n_rows) if weighted else None)


@every_way
@each(prevalence=[0.01, 0.5])
def test_weights_of_scores_that_share_their_leading_bits(tuning, prevalence):
    """Only a part of the score is sorted together with the index of a sample."""
    rng = np.random.default_rng(14)
    n_rows = tuning.sorting_block + 3
    distance = rng.integers(0, 2**20, n_rows) * np.finfo(np.float64).eps
    score = rng.choice([-1, 1], n_rows) * rng.choice([1, 2, 3], n_rows) + distance
    positive = rng.random(n_rows) < prevalence
    _assert_right(positive, score, rng.integers(1, 5, n_rows))


def _assert_right(positive, score, weight):
    """Compare with sums per distinct score, which do not depend on the order of samples."""
    levels, at = np.unique(-score, return_inverse=True)
    dtype = np.int64 if weight is None else np.float64
    each = np.ones(len(score)) if weight is None else weight
    tps, fps = (
        np.concatenate(([0], np.cumsum(np.bincount(at, each * rows)))).astype(dtype)
        for rows in (positive, ~positive)
    )
    weight = None if weight is None else weight.astype(np.float64)
    _assert_counts((positive, score, weight), fps, tps, -levels)


@every_way
def test_keys_whose_offset_fails_in_a_later_block(tuning):
    """Both signs, large magnitudes, and one tiny score beyond the first block."""
    score = np.full(tuning.sorting_block + 5, 1e300)
    score[::2] *= -1
    score[-1] = 1e-300
    positive = np.zeros(len(score), dtype=bool)
    positive[[0, 1, -1]] = True
    counts = all_counts(positive, score)
    assert counts.thresholds.tolist() == [1e300, 1e-300, -1e300]
    assert counts.tps.tolist() == [0, 1, 2, 3]


@pytest.mark.slow
@every_way
@each(kind=SCORES, roc_of=[breakpoints, every_threshold])
@settings(max_examples=4)
@given(data=st.data())
def test_the_order_of_the_samples(roc_of, kind, data):
    """It is that of falling scores, and does not change the counts."""
    given = data.draw(given_rows(kind))
    roc = roc_of(given, with_order=True)
    assert np.all(np.diff(np.sort(roc.order)) == 1)
    falling = given.score[roc.order]
    assert np.all(falling[1:] <= falling[:-1])
    points, without = roc.concatenated(), roc_of(given)
    every = slow.roc(given.positive, list(given.score), None)
    assert {(p.f, p.t) for p in every} >= set(zip(*points[:2], strict=True))
    assert (roc.n_pos, roc.n_neg) == (without.n_pos, without.n_neg)
    thresholds = falling[points.n_above[1:] - 1]
    np.testing.assert_array_equal(roc.thresholds(points), thresholds)


@every_way
@each(
    weighted=[False, True],
    decimals=[1, 9],
    metric=["auc_pr_interpolated", "average_precision"],
)
def test_influence_values_of_every_way(weighted, decimals, metric, tuning):
    """Every sample gets the derivative of its own segment, or step."""
    rng = np.random.default_rng(15)
    positive = rng.random(500) < 0.2
    score = np.round(rng.normal(size=500) + positive, decimals)
    weight = rng.uniform(0.5, 2, 500) if weighted else None
    given = {"metric": metric, "sample_weight": weight}
    found = auc_pr_influence(positive, score, **given)
    with tuning(few_samples=10**9):
        wanted = auc_pr_influence(positive, score, **given)
    np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-17)


@pytest.mark.slow
@every_kind
@settings(max_examples=8)
@given(data=st.data(), part=st.integers(1, 5), rare=st.integers(0, 1))
def test_thresholds_at_scores_of_positives(tuning, kind, data, part, rare):
    """The result has both ends of every tie with positives, and possibly other points."""
    data = data.draw(given_rows(kind, weighted=data.draw(st.booleans())))
    every = every_threshold(data).concatenated()
    with tuning(few_samples=0, rare=rare, part=part):
        roc = positive_thresholds(data)
        roc = roc._replace(parts=list(roc.parts))
    points = list(zip(*every, strict=True))
    needed = {b for a, b in pairwise(points) if b[1] > a[1]} | {points[0], points[-1]}
    found = list(zip(*roc.concatenated(), strict=True))
    assert len(found) == len(set(found))
    assert needed <= set(found) <= set(points)
    assert (roc.n_neg, roc.n_pos) == points[-1][:2]


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

    area = peak(auc_pr_interpolated)
    # The parts have every threshold instead of breakpoints: 65536 samples, eight columns.
    assert peak(normalized_average_precision_score) < area + 8 * 8 * 65536
