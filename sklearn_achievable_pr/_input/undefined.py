"""Values that are undefined because a class has no samples.

A metric raises `MissingClassError` where it is undefined (`require_classes`). A public
function catches it, warns and returns a replacement (`value_or_warn`).
"""

import math

from sklearn.exceptions import UndefinedMetricWarning

from .options import warn_caller


class MissingClassError(Exception):
    """A value is undefined because a class is missing."""


def require_classes(n_pos, n_neg, *, negatives, largest_ratio=1e300):
    """Raise `MissingClassError` without positives or, if `negatives`, without negatives.

    If `negatives`, raise `ValueError` if the ratio of the classes is beyond this number.
    """
    if n_pos == 0:
        raise MissingClassError("positive")
    if negatives and n_neg == 0:
        raise MissingClassError("negative")
    if negatives and not 1 / largest_ratio <= float(n_pos) / float(n_neg) <= largest_ratio:
        exponent = math.log10(n_pos) - math.log10(n_neg)
        raise ValueError(
            "`sample_weight`, or the counts, must give the classes totals whose ratio lies "
            f"from {1 / largest_ratio:g} to {largest_ratio:g}. Got positives of about "
            f"1e{exponent:+.0f} times the weight of the negatives; divide those of one "
            "class by a number."
        )


def value_or_warn(value, replacement, what, source="`y_true`"):
    """The result of `value()`; where it is undefined, `replacement`, with a warning.

    Parameters
    ----------
    value : callable
        Raises `MissingClassError` where the value is undefined.
    replacement : object or callable
        The replacement, or a function that returns it.
    what : str
        The name of the value, for the warning.
    source : str, default="`y_true`"
        Where the samples are, for the warning.
    """
    try:
        return value()
    except MissingClassError as missing:
        warn_undefined(f"No {missing} samples in {source}: {what} is undefined.")
        return replacement() if callable(replacement) else replacement


def warn_undefined(text):
    """Issue an `UndefinedMetricWarning` at the line that called this package."""
    warn_caller(text, UndefinedMetricWarning)
