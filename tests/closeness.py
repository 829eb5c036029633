"""Assertions on relative errors against exact values."""

from fractions import Fraction

import mpmath
import slow_twins as slow

import sklearn_achievable_pr as apr

# Documented accuracy of the package against exact arithmetic.
PROMISED = 1e-12


def relative_error(got, exact):
    """Relative error of a float against 30 digits of text, a fraction or an mpf."""
    with mpmath.workdps(50):
        exact = as_mpf(exact)
        return float(abs((mpmath.mpf(float(got)) - exact) / exact))


def as_mpf(value):
    if isinstance(value, Fraction):
        return mpmath.mpf(value.numerator) / value.denominator
    return mpmath.mpf(value)


def assert_exact(got, exact, within=PROMISED):
    """Assert a relative error; if the exact value is 0, the result must be 0."""
    with mpmath.workdps(50):
        exact = as_mpf(exact)
    if exact == 0:
        assert float(got) == 0
        return
    error = relative_error(got, exact)
    assert error <= within, f"{got!r} is not {mpmath.nstr(exact, 20)}: off by {error:.1e}"


def assert_areas(data, ranges, prevalence=None, within=PROMISED):
    """Assert the areas of both curves, and AUCNPR, over recall ranges against the twin."""
    y_true, y_score, weight = data
    points = slow.roc(*data)
    if prevalence is not None:
        points = slow.at_prevalence(points, prevalence)
    curves = {"empirical": points, "achievable": slow.hull(points)}
    for low, high in ranges:
        options = {"sample_weight": weight, "prevalence": prevalence}
        options["recall_range"] = low, high
        for curve, vertices in curves.items():
            got = apr.auc_pr_interpolated(y_true, y_score, curve=curve, **options)
            assert_exact(got, slow.area(vertices, low, high), within)
        exact = slow.normalized_area(points, low, high)
        # Near the minimum curve the difference has fewer correct digits.
        distance = slow.area(points, low, high) / (high - low)
        allowed = max(within * float(exact), 4e-15 * float(distance))
        assert abs(apr.aucnpr(y_true, y_score, **options) - float(exact)) <= allowed
