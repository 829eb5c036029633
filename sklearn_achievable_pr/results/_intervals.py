"""Confidence intervals, and how results show a value with its limits."""

from dataclasses import dataclass

import numpy as np

from ._rendering import (
    CELL_WIDTH,
    UNDEFINED,
    decimals_beside_zero,
    decimals_for,
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
    low, high = result.confidence_interval
    if np.isnan(value):
        return UNDEFINED, UNDEFINED
    if result.alternative == "less":
        low, width = -np.inf, 2 * (high - value)
    elif result.alternative == "greater":
        high, width = np.inf, 2 * (value - low)
    else:
        width = high - low
    decimals = decimals_for(width)
    if is_difference:
        decimals = decimals_beside_zero((low, high), decimals)
    if result.alternative == "less":
        limits = f"at most {rounded(high, decimals)}"
    elif result.alternative == "greater":
        limits = f"at least {rounded(low, decimals)}"
    else:
        limits = result.confidence_interval._text(decimals)
    return rounded(value, decimals), limits


def limit_columns(name, result, decimals):
    """Columns of a data frame with the limits of the value in the field `name`."""
    limits = result.confidence_interval
    text = with_limits(getattr(result, name), limits, decimals)
    return {"low": limits.low, "high": limits.high, f"{name} (interval)": text}


def estimate_column(result, decimals):
    """The column of an estimate in the printed table of a comparison."""
    label = sentence(result._measured)
    title = f"{label} ({level_text(result)})"
    if len(title) > CELL_WIDTH:
        title = f"{label} ({level_text(result, 'interval')})"
    return {title: with_limits(result.estimate, result.confidence_interval, decimals)}
