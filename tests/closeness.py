"""Assertions on relative errors against exact values."""

from fractions import Fraction

import mpmath

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
