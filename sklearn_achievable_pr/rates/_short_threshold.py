"""The digits with which a threshold is printed.

`thresholds._choice` also finds short decimals, but in another way: it chooses many
thresholds at once, each near the middle of the gap between two scores. Here a threshold is
given, and its significant digits are counted.
"""

from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Context

import numpy as np

# A printed threshold has at least three significant digits if it is a score, and six if the
# user passed it, so that users recognize it.
FEWEST_DIGITS, FEWEST_OF_GIVEN = 3, 6


def short_threshold(score, threshold, fewest):
    """The threshold, or a number of fewer digits that selects the same scores.

    If it is typed back, it selects the same scores, in their own dtype and in float64. It
    has at least `fewest` digits, unless the dtype rounds a shorter number to the threshold.
    """
    threshold = float(threshold) + 0.0  # adding 0.0 turns -0.0 into 0.0
    if not np.isfinite(threshold):
        return threshold
    own_dtype = score.dtype if score.dtype.kind == "f" else np.dtype(np.float64)

    def n_reached(number):
        return [
            np.count_nonzero(score >= np.array([number], dtype))
            for dtype in {own_dtype, np.dtype(np.float64)}
        ]

    wanted = n_reached(threshold)
    for digits in range(1, 17):
        for rounding in (ROUND_HALF_EVEN, ROUND_FLOOR):
            context = Context(prec=digits, rounding=rounding)
            number = float(context.create_decimal(repr(threshold)))
            with np.errstate(over="ignore"):
                rounded = own_dtype.type(number)
            if rounded == threshold:
                return number
            if not np.isfinite(rounded):  # the number is beyond the dtype
                continue
            # A threshold just below 1 is not printed as 1. From 2**53 on every float is an
            # integer.
            is_whole = number.is_integer() and abs(number) < 2**53
            is_allowed = digits >= fewest and not is_whole
            if is_allowed and n_reached(number) == wanted:
                return number
    return threshold
