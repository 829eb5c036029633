"""How near to an exact value a float has to be."""

from fractions import Fraction

import mpmath

# What the package promises against exact arithmetic.
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
    """Within a relative error; an exact 0 has to be met as 0."""
    with mpmath.workdps(50):
        exact = as_mpf(exact)
    if exact == 0:
        assert float(got) == 0
        return
    error = relative_error(got, exact)
    assert error <= within, f"{got!r} is not {mpmath.nstr(exact, 20)}: off by {error:.1e}"
