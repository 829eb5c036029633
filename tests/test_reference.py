"""Values printed by other programs for the conformance cases."""

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from cases import CONFORMANCE, conformance_cases, each, script

import sklearn_achievable_pr as apr

pytestmark = pytest.mark.usefixtures("every_way_to_the_counts")

_VALUES = json.loads((Path(__file__).parent / "data" / "values.json").read_text("utf-8"))


def _samples(name):
    """Labels, scores, and weights or None of a case."""
    samples = script(CONFORMANCE / "runner.py").samples
    y_true, y_score, weight = samples(conformance_cases()[name])
    if weight is None or _VALUES[name]["weighted"]:
        return y_true, y_score, weight
    # Other programs were given repeated samples.
    repeats = weight.astype(int)
    return np.repeat(y_true, repeats), np.repeat(y_score, repeats), None


_CASES = {name: _samples(name) for name in _VALUES}
_AREA = apr.auc_pr_interpolated


def test_all_cases_are_here():
    assert len(_CASES) == 49
    assert {name[0] for name in _CASES} == set("abcdef")


# Other programs


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


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*like predicted labels")  # a case has scores 0 and 1
@each(printed=_PRINTED)
def test_values_of_other_programs(printed):
    program, key, metric, rtol, atol = printed
    found = {name: _VALUES[name]["tools"].get(program, {}).get(key) for name in _CASES}
    values = {name: value for name, value in found.items() if value is not None}
    assert len(values) > 40
    got = {
        name: metric(*_CASES[name][:2], sample_weight=_CASES[name][2]) for name in values
    }
    assert got == {
        name: pytest.approx(value, rel=rtol, abs=atol) for name, value in values.items()
    }
