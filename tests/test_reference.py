"""Values printed by other programs, and exact values beyond the conformance cases."""

import math
from typing import NamedTuple

import mpmath
import numpy as np
import pytest
from cases import each, reference_arrays, reference_values
from closeness import assert_exact, relative_error
from sklearn.metrics import auc

import sklearn_achievable_pr as apr

pytestmark = pytest.mark.usefixtures("every_way_to_the_counts")

_VALUES = reference_values()
_RANGES = {"025_075": (0.25, 0.75), "050_100": (0.5, 1.0), "025_100": (0.25, 1.0)}
# Exact values of 0 are printed as the rounding error of 50 digits.
_IS_ZERO = 1e-20
# AUCNPR is a difference of areas, divided by at most 1. Where the exact one is 0, each
# area has an error of some roundings of a number below 1.
_ZERO_WITHIN = 1e-15


class Case(NamedTuple):
    y_true: np.ndarray
    y_score: np.ndarray
    weight: np.ndarray | None

    def prevalence(self):
        weight = np.ones(len(self.y_true)) if self.weight is None else self.weight
        n_pos, n_neg = (math.fsum(weight[self.y_true == c]) for c in (1, 0))
        return n_pos / (n_pos + n_neg)


def _load():
    arrays = reference_arrays()
    return {
        name: Case(
            arrays[f"{name}/y_true"],
            arrays[f"{name}/y_score"],
            arrays.get(f"{name}/sample_weight"),
        )
        for name in _VALUES
    }


_CASES = _load()
_UNWEIGHTED = [name for name, case in _CASES.items() if case.weight is None]
every_case = each(name=_CASES)


def _exact(name, key):
    return _VALUES[name]["exact"][key]


def _with_value_of(tool, key):
    """The cases for which a program printed a number."""
    return [
        name
        for name in _VALUES
        if _VALUES[name]["tools"].get(tool, {}).get(key) is not None
    ]


def _assert_normalized(got, exact):
    if abs(float(exact)) < _IS_ZERO:
        assert 0 <= got <= _ZERO_WITHIN
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


@every_case
def test_minimum_area(name):
    assert_exact(apr.auc_pr_min(_CASES[name].prevalence()), _exact(name, "auc_pr_min"))


@each(name=_CASES, part=_RANGES)
def test_partial_minimum_area(name, part):
    minimum = apr.auc_pr_min(_CASES[name].prevalence(), _RANGES[part])
    assert_exact(minimum, _exact(name, "partial_min_" + part))


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


@every_case
def test_area_under_the_roc_hull(name):
    y_true, y_score, weight = _CASES[name]
    fpr, tpr, _ = apr.roc_convex_hull(y_true, y_score, sample_weight=weight)
    assert_exact(auc(fpr, tpr), _exact(name, "auc_roc_hull"))


@each(name=_UNWEIGHTED)
def test_lowest_average_precision(name):
    y_true = _CASES[name].y_true
    got = apr.average_precision_min(y_true.sum(), (1 - y_true).sum())
    assert_exact(got, _exact(name, "average_precision_min"))


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


@pytest.mark.parametrize(
    ("key", "recall_range"),
    [
        ("auc_jar_pr", (0.0, 1.0)),
        ("auc_jar_pr_minrecall_025", (0.25, 1.0)),
        ("auc_jar_pr_minrecall_050", (0.5, 1.0)),
    ],
)
@each(name=_with_value_of("aucjar", "auc_jar_pr"))
def test_auccalculator(name, key, recall_range):
    y_true, y_score, _ = _CASES[name]
    got = apr.auc_pr_interpolated(
        y_true, y_score, method="davis_goadrich", recall_range=recall_range
    )
    assert relative_error(got, _VALUES[name]["tools"]["aucjar"][key]) <= 1e-12


@each(name=_with_value_of("PRROC", "auc_pr"))
def test_prroc(name):
    y_true, y_score, weight = _CASES[name]
    got = apr.auc_pr_interpolated(y_true, y_score, sample_weight=weight)
    assert relative_error(got, _VALUES[name]["tools"]["PRROC"]["auc_pr"]) <= 1e-12


@each(name=_with_value_of("PRROC", "auc_pr_relative_minmax"))
def test_prroc_relative(name):
    y_true, y_score, weight = _CASES[name]
    printed = _VALUES[name]["tools"]["PRROC"]["auc_pr_relative_minmax"]
    # Its plain logarithms cancel: 8 digits of its minimum are right where 0.008 of the
    # samples are positive, and nothing is left of the worst ranking's 0 but roundings.
    got = apr.aucnpr(y_true, y_score, sample_weight=weight)
    assert got == pytest.approx(printed, rel=5e-12, abs=1e-15)


@each(name=_with_value_of("raucpr", "interpolate_convex_area"))
def test_raucpr(name):
    y_true, y_score, weight = _CASES[name]
    got = apr.auc_pr_interpolated(y_true, y_score, sample_weight=weight, curve="achievable")
    printed = _VALUES[name]["tools"]["raucpr"]["interpolate_convex_area"]
    assert relative_error(got, printed) <= 1e-12


@pytest.mark.parametrize(
    ("tool", "key", "within"),
    [
        ("precrec", "auc_pr", 4e-6),  # trapezoids on 1000 bins of recall
        ("precrec", "partial_025_075", 4e-6),
        ("precrec", "partial_050_100", 4e-6),
        ("keras", "auc_pr_midpoints_float64", 1e-5),  # counts in float32
    ],
)
def test_programs_that_approximate(tool, key, within):
    _, _, recall_range = key.partition("partial_")
    names = _with_value_of(tool, key)
    assert len(names) > 40
    for name in names:
        y_true, y_score, weight = _CASES[name]
        got = apr.auc_pr_interpolated(
            y_true,
            y_score,
            sample_weight=weight,
            recall_range=_RANGES.get(recall_range, (0, 1)),
        )
        assert abs(got - _VALUES[name]["tools"][tool][key]) <= within, name
