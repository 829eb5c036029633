"""ROC curves in counts: integrals over segments, cuts, and interpolation."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import slow_twins as slow
import strategies
from closeness import PROMISED, assert_exact, relative_error
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sklearn_achievable_pr._roc import integrals
from sklearn_achievable_pr._roc.counting import from_counts
from sklearn_achievable_pr._roc.curve import (
    fps_at,
    interpolated,
    interpolated_evenly,
    precision_of,
)
from sklearn_achievable_pr._roc.integrals import area_above, area_below, integral_over_n
from sklearn_achievable_pr.metrics import _areas as areas
from sklearn_achievable_pr.metrics._operating_points import precision_at

# Where x = step / n leaves the series, x / (2 + x) = 1 / 65.
SWITCH = 1 / 32
# Above it step - n log1p(x) is taken as this difference, of numbers up to 65 times as
# large, and not every log1p is right to less than two roundings.
INTEGRAL_WITHIN = 4 * 65 * np.finfo(float).eps

# Steps relative to the samples before: around the switch from series to logarithm, and up
# to both ends of float64.
RATIOS = sorted(
    {float(f"{mantissa}e{e}") for mantissa in (1, 3.7) for e in range(-300, 289, 12)}
    | set(np.linspace(0.9 * SWITCH, 1.1 * SWITCH, 21).tolist())
    | {*np.nextafter(SWITCH, [0, 1]), SWITCH, 0.25, 1.0, 2.0, 1e-8, 1e-5, 1e-3}
)


@pytest.mark.parametrize("n", [1.0, 0.3, 1e-3])
@pytest.mark.parametrize("ends", [(0.0, 1.0), (1.0, 1.0), (0.25, 3.0), (2.0, 2.5)])
def test_integral_over_n(n, ends):
    """The integral of a/n to full relative precision, for any step."""
    a0, a1 = ends
    for ratio in RATIOS:
        step = ratio * n
        given = n, step, a0, a1 - a0, (a1 - a0) / step
        (value,) = integral_over_n(*np.array(given)[:, np.newaxis])
        with mpmath.workdps(700):  # step - n log(...) is 600 digits below n
            log = mpmath.log(1 + mpmath.mpf(step) / mpmath.mpf(n))
            exact = a0 * log + (a1 - mpmath.mpf(a0)) * (1 - n * log / mpmath.mpf(step))
            assert relative_error(value, +exact) < INTEGRAL_WITHIN, ratio


def test_integral_over_n_of_many_at_once():
    """An array with series and logarithm gives the values of single calls."""
    step = np.array(RATIOS)
    n, start, stop = np.ones((3, len(step))) * [[1.0], [0.25], [3.0]]
    share = (stop - start) / step
    gain = stop - start
    given = np.array((n, step, start, gain, share))
    together = integral_over_n(*given)
    alone = [integral_over_n(*given[:, [i]])[0] for i in range(len(step))]
    # A longer series for the largest ratio changes the smaller by a rounding.
    np.testing.assert_allclose(together, alone, rtol=1e-15)


def test_integral_over_n_from_0():
    """On a segment from (0, 0) precision is constant, and the integral is the increment."""
    gain = np.array([0.5, 1e-300, 5e-324])
    value = integral_over_n(np.zeros(3), gain, np.zeros(3), gain, np.ones(3))
    assert value.tolist() == gain.tolist()


def _counts(points):
    return np.array([float(p.f) for p in points]), np.array([float(p.t) for p in points])


# Segments on which the plain formula cancels or overflows.
HARD_PIECES = {
    "from_the_origin": slow.roc_through((0, 0), (3, 2)),
    "all_positive": slow.roc_through((0, 0), (0, 7), (5, 7)),
    "negatives_first": slow.roc_through((0, 0), (5, 0), (5, 7)),
    "one_positive_far_down": slow.roc_through((0, 0), (10**9, 0), (10**9, 1)),
    "small_step_far_down": slow.roc_through((0, 0), (10**9, 10**6), (10**9 + 3, 10**6 + 2)),
    "one_row_after_1e15": slow.roc_through((0, 0), (10**15, 10**3), (10**15, 10**3 + 1)),
    "large_step": slow.roc_through((0, 0), (0, 1), (10**12, 2)),
    "just_below_the_switch": slow.roc_through((0, 0), (1600, 1600), (1650, 1649)),
    "just_above_the_switch": slow.roc_through((0, 0), (1600, 1600), (1650, 1651)),
    "flat_precision": slow.roc_through((0, 0), (1, 1), (10**8, 10**8)),
}


def areas_of(fps, tps, *cut):
    """Areas below and above the curve; both add up to the width."""
    roc = from_counts(fps, tps)
    return [
        math.fsum(map(area, roc.segments(*cut))) / float(roc.n_pos)
        for area in (area_below, area_above)
    ]


def assert_areas(fps, tps, points, within=PROMISED):
    below, above = areas_of(fps, tps)
    assert_exact(below, slow.area(points), within)
    with mpmath.workdps(slow.DIGITS):
        assert_exact(above, 1 - slow.area(points), within)


@pytest.mark.parametrize("name", HARD_PIECES)
@pytest.mark.parametrize("scale", [1, 1e-12, 1e-300, 1e280])
@pytest.mark.parametrize("few", [0, 40])
def test_areas_of_extreme_segments(name, scale, few, monkeypatch):
    """Scaling the counts does not change the area, with NumPy or Python floats."""
    monkeypatch.setattr(integrals, "_FEW_SEGMENTS", few)
    fps, tps = _counts(HARD_PIECES[name])
    assert_areas(fps * scale, tps * scale, HARD_PIECES[name])


def test_counts_without_weights_stay_integers():
    """Integers make hulls and comparisons exact."""
    roc = from_counts(np.array([0, 1, 2**60 + 1]), np.array([0, 1, 2]))
    assert roc.concatenated().fps.tolist() == [0, 1, 2**60 + 1]
    assert roc.at_prevalence(0.5).concatenated().fps.dtype == np.float64


def roc_of(points):
    return from_counts(*_counts(points))


any_roc = given(points=strategies.points())


@any_roc
def test_areas_of_weights_too_small_to_change_the_total(points):
    """Points that differ by less than the rounding of the total are one point."""
    fps, tps = _counts(points)
    twice = np.repeat(np.arange(len(points)), 2)
    lighter = (fps[twice] + [0, 1e-320] * len(points), tps[twice])
    assert areas_of(*lighter) == pytest.approx(areas_of(fps, tps), rel=1e-14)


@given(points=strategies.points(), size=st.integers(1, 5))
def test_areas_block_by_block(tuning, points, size):
    with tuning(segments=size):
        assert_areas(*_counts(points), points, 1e-14)


@settings(max_examples=80)
@given(points=strategies.points(), data=st.data())
def test_cut(points, data):
    """Ends between points, at points, within rounding of points, and in one segment."""
    own = [float(p.t / points[-1].t) for p in points]
    own += [np.nextafter(r, end) for r in own if 0 < r < 1 for end in (0, 1)]
    recall = st.sampled_from(own) | st.integers(0, 10**9).map(lambda k: k / 10**9)
    low, high = sorted(data.draw(st.tuples(recall, recall)))
    assume(low < high)
    below, above = areas_of(*_counts(points), low, high)
    exact = slow.area(points, low, high)
    assert_exact(below, exact, 1e-14)
    with mpmath.workdps(slow.DIGITS):
        width = mpmath.mpf(high) - mpmath.mpf(low)
        assert_exact(above, width - exact, 1e-14)


@any_roc
def test_precision_at(points):
    n_pos = int(points[-1].t)
    exactly = [Fraction(k, 5 * n_pos) for k in range(1, 5 * n_pos + 1)]
    found = precision_at(roc_of(points), np.array([float(r) for r in exactly]))
    for got, recall in zip(found, exactly, strict=True):
        # The recall k / P belongs to the point, although k / P is rounded.
        assert_exact(got, slow.precision_at(points, recall), 1e-13)
    assert precision_at(roc_of(points), np.array(0.0)) == float(
        slow.precision_at_zero(points)
    )


def test_davis_goadrich_area_of_less_than_one_positive():
    """An increment of less than one positive is one step."""
    for scale in (1.0, 1e-12, 1e-60):
        roc = from_counts(np.array([0, 1, 3]) * scale, np.array([0, 0.4, 0.8]) * scale)
        found = areas.davis_goadrich_area(roc)
        flat, last = 0.4 / 1.4, 0.8 / 3.8
        assert found == pytest.approx(flat / 2 + (flat + last) / 4, rel=1e-14)


@pytest.mark.parametrize("spacing", [0.1, 0.3, 2.5, 1e-3])
def test_interpolated_at_another_spacing(spacing):
    fps, tps, index = interpolated(np.array([0, 3, 9.0]), np.array([0, 2, 3.0]), spacing)
    own = np.flatnonzero(index >= 0)
    assert tps[own].tolist() == [0, 2, 3]
    gaps = np.diff(tps)
    assert (gaps > 0).all()
    assert (gaps <= spacing * (1 + 1e-9)).all()
    # Only the interval before a point of the ROC curve may be shorter.
    assert np.allclose(np.delete(gaps, own[1:] - 1), spacing, rtol=1e-9)
    assert np.allclose(fps[index < 0], np.interp(tps[index < 0], [0, 2, 3], [0, 3, 9]))


@any_roc
def test_interpolated_evenly(points):
    """Points are on the curve, at most the stated spacing apart, and few are closer."""
    f, t = _counts(points)
    fps, tps, index = interpolated_evenly(f, t, 1 / 50)
    own = index >= 0
    assert index[own].tolist() == list(range(len(points)))
    assert list(zip(fps[own], tps[own], strict=True)) == [(p.f, p.t) for p in points]
    for f1, t1 in zip(fps[~own], tps[~own], strict=True):
        on_line = slow.precision_at(points, Fraction(t1) / points[-1].t)
        assert t1 / (f1 + t1) == pytest.approx(float(on_line), rel=1e-13)
    gain, rise = np.diff(tps) / tps[-1], np.abs(np.diff(precision_of(fps, tps)))
    assert (gain >= 0).all()
    assert (np.diff(fps) >= 0).all()
    assert (gain <= 1 / 50 * (1 + 1e-6)).all()
    assert (rise[gain > 0] <= 1 / 50 * (1 + 1e-6)).all()
    # Points that divide the recall, and others that divide the precision.
    recall, precision = t / t[-1], precision_of(f, t)
    most = (
        np.diff(recall) * 50 + np.where(np.diff(t) > 0, np.abs(np.diff(precision)), 0) * 50
    )
    assert np.count_nonzero(~own) <= most.sum()
    # Enough of them: none are added.
    again = interpolated_evenly(fps, tps, 1 / 50)
    assert len(again[0]) == len(fps)


def test_fps_at():
    """Interpolation at the ends and between them, for one segment and for arrays."""
    fps, tps = np.array([0, 3, 9]), np.array([0, 2, 3])
    assert fps_at(fps, tps, 0, 0.5) == 0.75
    segments = np.array([0, 0, 0, 1, 1, 1])
    at = np.array([0, 1, 2, 2, 2.25, 3])
    assert fps_at(fps, tps, segments, at).tolist() == [0, 1.5, 3, 3, 4.5, 9]
