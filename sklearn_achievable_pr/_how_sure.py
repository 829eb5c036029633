"""How sure the areas are that the program prints: intervals."""

from __future__ import annotations

import contextlib
import math
import warnings
from typing import Any

from .uncertainty import auc_pr_interval

LEVEL = 0.95
# The keys of what an interval adds to a result, and what the table calls them.
INTERVAL_TITLES = {
    "standard_error": "standard error",
    "confidence_level": "confidence level",
    "confidence_low": "lower limit",
    "confidence_high": "upper limit",
}


@contextlib.contextmanager
def heard(notes: list[str]):
    """Collect the first sentence of each warning, without a name of Python's."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        note = str(warning.message).partition(". ")[0].rstrip(".").replace("`", "")
        notes.append(note[0].lower() + note[1:])


def interval_of(positive, score, options, **rows) -> dict[str, Any]:
    """Values by the keys of `INTERVAL_TITLES`; NaN if a class is missing.

    Parameters
    ----------
    positive, score : ndarray
    options : argparse.Namespace
    **rows : ndarray or None
        `sample_weight` and `groups`.

    Returns
    -------
    dict
    """
    values = dict.fromkeys(INTERVAL_TITLES, math.nan)
    values["confidence_level"] = options.interval
    if positive.all() or not positive.any():
        return values
    found = auc_pr_interval(
        positive,
        score,
        confidence_level=options.interval,
        recall_range=tuple(options.recall_range),
        prevalence=options.prevalence,
        **rows,
    )
    values["standard_error"] = found.standard_error
    values["confidence_low"], values["confidence_high"] = found.confidence_interval
    return values
