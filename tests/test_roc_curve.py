"""ROC curves in counts: interpolation, and what no public function reaches."""

from fractions import Fraction

import numpy as np
import pytest
import slow_twins as slow
import strategies
from hypothesis import given

from sklearn_achievable_pr._roc.counting import from_counts
from sklearn_achievable_pr._roc.curve import (
    fps_at,
    interpolated,
    interpolated_evenly,
    precision_of,
)
from sklearn_achievable_pr.metrics._areas import davis_goadrich_area


def _counts(points):
    return np.array([float(p.f) for p in points]), np.array([float(p.t) for p in points])


def test_counts_without_weights_stay_integers():
    """Integers make hulls and comparisons exact."""
    roc = from_counts(np.array([0, 1, 2**60 + 1]), np.array([0, 1, 2]))
    assert roc.concatenated().fps.tolist() == [0, 1, 2**60 + 1]
    assert roc.at_prevalence(0.5).concatenated().fps.dtype == np.float64


def test_davis_goadrich_area_of_less_than_one_positive():
    """An increment of less than one positive is one step."""
    for scale in (1.0, 1e-12, 1e-60):
        roc = from_counts(np.array([0, 1, 3]) * scale, np.array([0, 0.4, 0.8]) * scale)
        found = davis_goadrich_area(roc)
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


@given(points=strategies.points())
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
