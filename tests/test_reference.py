"""Values printed by other programs, and exact values beyond the conformance cases."""

from functools import partial

import mpmath
import numpy as np
import pytest
from cases import case, each, reference_samples, reference_values
from closeness import assert_exact

import sklearn_achievable_pr as apr

pytestmark = pytest.mark.usefixtures("every_way_to_the_counts")

_CASES, _VALUES = reference_samples(), reference_values()
_UNWEIGHTED = [name for name, (_, _, weight) in _CASES.items() if weight is None]
_RANGES = {"025_075": (0.25, 0.75), "050_100": (0.5, 1.0), "025_100": (0.25, 1.0)}
# Exact values of 0 are printed as the rounding error of 50 digits.
_IS_ZERO = 1e-20
# Normalized values are differences of areas, divided by at most 1. Where the exact one is
# 0, each area has an error of some roundings of a number below 1.
_ZERO_WITHIN = 1e-15
every_case = each(name=_CASES)


def _exact(name, key):
    return _VALUES[name]["exact"][key]


def _assert_normalized(got, exact):
    if abs(float(exact)) < _IS_ZERO:
        assert abs(got) <= _ZERO_WITHIN
    else:
        assert_exact(got, exact)


def test_all_cases_are_here():
    assert len(_CASES) == 49
    assert {name[0] for name in _CASES} == set("abcdef")


# Exact values: areas over recall ranges, minimum areas, the ROC hull


@pytest.mark.parametrize(
    ("curve", "key"), [("empirical", "partial_"), ("achievable", "partial_achievable_")]
)
@each(name=_CASES, part=_RANGES)
def test_partial_area(name, part, curve, key):
    y_true, y_score, weight = _CASES[name]
    area = apr.auc_pr_interpolated(
        y_true, y_score, sample_weight=weight, curve=curve, recall_range=_RANGES[part]
    )
    assert_exact(area, _exact(name, key + part))


@pytest.mark.parametrize(
    ("curve", "key"), [("empirical", "auprg"), ("achievable", "auprg_achievable")]
)
@every_case
def test_area_of_the_gain_curve(name, curve, key):
    y_true, y_score, weight = _CASES[name]
    found = apr.auprg_score(y_true, y_score, sample_weight=weight, curve=curve)
    _assert_normalized(found, _exact(name, key))


@each(name=_CASES, part=_RANGES)
def test_partial_aucnpr(name, part):
    y_true, y_score, weight = _CASES[name]
    got = apr.aucnpr(y_true, y_score, sample_weight=weight, recall_range=_RANGES[part])
    _assert_normalized(got, _exact(name, "aucnpr_partial_" + part))


@every_case
def test_hull_vertices_exactly(name):
    """The rates and thresholds of all vertices, bit for bit."""
    y_true, y_score, weight = _CASES[name]
    vertices = _VALUES[name]["hull_vertices"]
    fpr, tpr, thresholds = apr.roc_convex_hull(y_true, y_score, sample_weight=weight)
    assert thresholds[0] == np.inf
    assert thresholds[1:].tolist() == [v["threshold"] for v in vertices[1:]]
    # Sums of fractional weights depend on the order by some roundings of the total.
    whole = weight is None or not (weight % 1).any()
    rtol = 0 if whole else 1e-14
    fps, tps = (np.array([float(v[key]) for v in vertices]) for key in ("fp", "tp"))
    np.testing.assert_allclose(fpr, fps / fps[-1], rtol=rtol)
    np.testing.assert_allclose(tpr, tps / tps[-1], rtol=rtol)


@each(name=_UNWEIGHTED)
def test_normalized_average_precision(name):
    y_true, y_score, _ = _CASES[name]
    with mpmath.workdps(40):
        steps, lowest = (
            mpmath.mpf(_exact(name, key))
            for key in ("average_precision", "average_precision_min")
        )
        exact = mpmath.nstr((steps - lowest) / (1 - lowest), 30)
    _assert_normalized(apr.normalized_average_precision_score(y_true, y_score), exact)


# Other programs


_AREA = apr.auc_pr_interpolated


def _steps_above(recall):
    return partial(_AREA, method="davis_goadrich", recall_range=(recall, 1))


# Program, its name of a value, the same value by this package, relative and absolute error.
_PRINTED = [
    ("aucjar", "auc_jar_pr", _steps_above(0), 1e-12, 0),
    ("aucjar", "auc_jar_pr_minrecall_025", _steps_above(0.25), 1e-12, 0),
    ("aucjar", "auc_jar_pr_minrecall_050", _steps_above(0.5), 1e-12, 0),
    ("PRROC", "auc_pr", _AREA, 1e-12, 0),
    # Its plain logarithms cancel: 8 digits of its minimum are right where 0.008 of the
    # samples are positive, and nothing is left of the worst ranking's 0 but roundings.
    ("PRROC", "auc_pr_relative_minmax", apr.aucnpr, 5e-12, 1e-15),
    ("raucpr", "interpolate_convex_area", partial(_AREA, curve="achievable"), 1e-12, 0),
    # The authors' own program prints the empirical area, negative gains included.
    ("prg_R", "auprg", apr.auprg_score, 1e-12, 1e-15),
    # Trapezoids on 1000 bins of recall.
    ("precrec", "auc_pr", _AREA, 0, 4e-6),
    ("precrec", "partial_025_075", partial(_AREA, recall_range=(0.25, 0.75)), 0, 4e-6),
    ("precrec", "partial_050_100", partial(_AREA, recall_range=(0.5, 1)), 0, 4e-6),
    # Counts in float32.
    ("keras", "auc_pr_midpoints_float64", _AREA, 0, 1e-5),
]


@pytest.mark.parametrize(("program", "key", "metric", "rtol", "atol"), _PRINTED)
def test_values_of_other_programs(program, key, metric, rtol, atol):
    found = {name: _VALUES[name]["tools"].get(program, {}).get(key) for name in _CASES}
    printed = {name: value for name, value in found.items() if value is not None}
    assert len(printed) > 40
    for name, value in printed.items():
        y_true, y_score, weight = _CASES[name]
        with case(program, name):
            got = metric(y_true, y_score, sample_weight=weight)
            np.testing.assert_allclose(got, value, rtol, atol)
