"""Confidence intervals, and how results show a value with its limits."""

from dataclasses import dataclass

import numpy as np

from ._rendering import (
    CELL_WIDTH,
    UNDEFINED,
    decimals_beside_zero,
    decimals_for,
    one_sided_text,
    percent,
    rounded,
    sentence,
    with_limits,
)
from ._result import Record


@dataclass(frozen=True, repr=False, eq=False)
class ConfidenceInterval(Record):
    """Limits of a confidence interval; can be unpacked.

    Attributes
    ----------
    low, high : float
        Lower and upper limit.
    """

    low: float = np.nan
    high: float = np.nan

    def _blocks(self):
        return [self._text(decimals_for(self.high - self.low))]

    def _text(self, decimals):
        """The limits as text with this number of decimals."""
        if np.isnan(self).all():
            return UNDEFINED
        return " to ".join(rounded(limit, decimals) for limit in self)


# These limits are those of a result in which a class is missing.
NO_LIMITS = ConfidenceInterval()


def level_text(result, what="confidence interval"):
    """The confidence level, and whether the interval is one-sided, as text."""
    sides = "" if result.alternative == "two-sided" else "one-sided "
    return f"{sides}{percent(result.confidence_level)} {what}"


def value_and_limits(value, result, *, is_difference=False):
    """A value and the limits of its interval as two texts with the same decimals."""
    if np.isnan(value):
        return UNDEFINED, UNDEFINED
    low, high = both_sides(value, result)
    decimals = decimals_for(high - low)
    if is_difference:
        decimals = decimals_beside_zero(known_limits(result), decimals)
    limits = one_sided_text(known_limits(result), decimals)
    return rounded(value, decimals), limits or result.confidence_interval._text(decimals)


def known_limits(result):
    """The limits of an interval; the one that a one-sided interval lacks is infinite."""
    low, high = result.confidence_interval
    if result.alternative == "two-sided":
        return low, high
    return (-np.inf, high) if result.alternative == "less" else (low, np.inf)


def both_sides(value, result):
    """The limits of an interval; a one-sided interval is mirrored at its value."""
    low, high = known_limits(result)
    low = 2 * value - high if np.isneginf(low) else low
    return low, 2 * value - low if np.isposinf(high) else high


def limit_columns(name, result, decimals):
    """Columns of a data frame with the limits of the value in the field `name`."""
    low, high = result.confidence_interval
    text = with_limits(getattr(result, name), known_limits(result), decimals)
    return {"low": low, "high": high, f"{name} (interval)": text}


def estimate_column(result, decimals):
    """The column of an estimate in the printed table of a comparison."""
    label = sentence(result._measured)
    title = f"{label} ({level_text(result)})"
    if len(title) > CELL_WIDTH:
        title = f"{label} ({level_text(result, 'interval')})"
    return {title: with_limits(result.estimate, result.confidence_interval, decimals)}
