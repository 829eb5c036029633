"""Short decimals in place of thresholds: they select the same scores."""

import math
from collections.abc import Callable
from decimal import ROUND_FLOOR, Decimal

import numpy as np

# A printed threshold has at least three significant digits if it is a score, and six if the
# user passed it, so that users recognize it.
FEWEST_DIGITS, FEWEST_OF_GIVEN = 3, 6
# A float64 has at most this many significant digits.
_MOST_DIGITS = 17
# Larger numbers are not rounded, because the result could exceed float64.
_LARGEST = 1e300


def short_decimal(number: float, power: int, is_allowed: Callable[[float], bool]) -> float:
    """The allowed multiple of the highest power of ten that is next to a number.

    The powers go down from 10**power. Of the multiples of each of them, the nearest one is
    tried first, and then the next lower one. If none is allowed, the result is the number.
    """
    if abs(number) > _LARGEST:
        return number
    for exponent in range(power, power - _MOST_DIGITS, -1):
        nearest = round(number, -exponent) + 0.0  # adding 0.0 turns -0.0 into 0.0
        if is_allowed(nearest):
            return nearest
        unit = Decimal(1).scaleb(exponent)
        lower = float(Decimal(repr(number)).quantize(unit, ROUND_FLOOR)) + 0.0
        if is_allowed(lower):
            return lower
    return number


def rounded_to(dtype: np.dtype, number: float) -> float:
    """A number in the dtype of scores."""
    if dtype == np.float64:
        return number
    with np.errstate(over="ignore"):  # a number above the largest one becomes inf
        return float(dtype.type(number))


def short_threshold(score, threshold, fewest):
    """The threshold, or a number of fewer digits that selects the same scores.

    If it is typed back, it selects the same scores in their own dtype. It also does so in
    float64, unless the dtype of the scores rounds it to the threshold: for float32, the
    threshold next to 0.7 is 0.7. It has at least `fewest` digits, unless the threshold has
    fewer.
    """
    threshold = float(threshold)
    if not np.isfinite(threshold) or threshold == 0:
        return threshold + 0.0
    dtype = score.dtype if score.dtype.kind == "f" else np.dtype(np.float64)
    number = float(str(dtype.type(threshold)))  # the shortest one that the dtype rounds so
    if len(Decimal(repr(number)).normalize().as_tuple().digits) <= fewest:
        return number
    is_reached = score >= np.array([threshold], dtype)
    reached, others = score[is_reached], score[~is_reached]
    above = float(reached.min()) if len(reached) else math.inf
    below = float(others.max()) if len(others) else -math.inf

    def is_allowed(number):
        rounded = rounded_to(dtype, number)
        # A threshold just below 1 is not printed as 1. From 2**53 on every float is an
        # integer.
        is_whole = number.is_integer() and abs(number) < 2**53
        selects_same = below < min(number, rounded) and max(number, rounded) <= above
        return rounded == threshold or (selects_same and not is_whole)

    power = math.floor(math.log10(abs(number))) + 1 - fewest
    return short_decimal(number, power, is_allowed)
