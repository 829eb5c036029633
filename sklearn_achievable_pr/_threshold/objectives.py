"""Tables of the objectives and constraints of a decision threshold.

Both are functions (tps, fps, fns, tns) of the counts at thresholds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from .._input.arrays import as_numbers
from .._input.options import check_number

# Relative difference of rates and objectives that rounding can cause.
ROUNDING = 16 * np.finfo(np.float64).eps


def outcomes(fps: np.ndarray, tps: np.ndarray, totals: tuple) -> tuple:
    """The counts (tps, fps, fns, tns) as float64; `totals` of negatives and positives."""
    n_neg, n_pos = totals
    tps, fps = (np.asarray(counts, dtype=np.float64) for counts in (tps, fps))
    return tps, fps, n_pos - tps, n_neg - fps


def _ratio(part, whole):
    """Part divided by whole, 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


# Constraints: rates of the counts that have a lower or an upper bound.


class Constraint(NamedTuple):
    """A bound of a rate, the quotient of two sums of counts.

    Attributes
    ----------
    rate : str
        The name of the rate.
    is_minimum : bool
        Whether the bound is a lower bound.
    parts : callable
        ``parts(tps, fps, fns, tns)`` are the numerator and the denominator of the rate.
    """

    rate: str
    is_minimum: bool
    parts: Callable

    def values(self, tps, fps, fns, tns):
        """The rate at points given by their counts; 0 where it is 0/0."""
        return _ratio(*self.parts(tps, fps, fns, tns))

    def objective(self, *counts):
        """The rate or, with an upper bound, minus the rate: higher is better."""
        return self.values(*counts) * (1 if self.is_minimum else -1)

    def is_met(self, bound, *counts):
        """Whether the rate at each point meets the bound, up to rounding."""
        values = self.values(*counts)
        if self.is_minimum:
            return values >= bound * (1 - ROUNDING)
        return values <= bound * (1 + ROUNDING)


CONSTRAINTS = {
    "min_recall": Constraint("recall", True, lambda tp, fp, fn, tn: (tp, tp + fn)),
    "min_precision": Constraint("precision", True, lambda tp, fp, fn, tn: (tp, tp + fp)),
    "max_selection_rate": Constraint(
        "selection_rate", False, lambda tp, fp, fn, tn: (tp + fp, tp + fp + fn + tn)
    ),
    "max_fpr": Constraint("fpr", False, lambda tp, fp, fn, tn: (fp, fp + tn)),
}


# Objectives: values to maximise.


def _f_beta(beta, tps, fps, fns, tns):
    """The F score with this beta."""
    recall_share = (beta / math.hypot(1, beta)) ** 2  # beta^2 / (1 + beta^2)
    return _ratio(tps, tps + (1 - recall_share) * fps + recall_share * fns)


def _youden(tps, fps, fns, tns):
    """True positive rate minus false positive rate."""
    return tps / (tps + fns) - fps / (fps + tns)


def _mcc(tps, fps, fns, tns):
    """Matthews correlation coefficient."""
    # Only one of the ratios can be large, so no product of counts overflows.
    scale = _ratio(tps + fns, tps + fps) * _ratio(fps + tns, fns + tns)
    return _youden(tps, fps, fns, tns) * np.sqrt(scale)


def _mean_utility(utilities, tps, fps, fns, tns):
    """Mean utility per sample (per unit of weight)."""
    counts = {"tp": tps, "fp": fps, "fn": fns, "tn": tns}
    total = tps[0] + fps[0] + fns[0] + tns[0]
    return sum(utility * (counts[name] / total) for name, utility in utilities.items())


def _checked_values(objective, tps, *counts):
    """Values of a callable objective: one number per point, none of them NaN."""
    with np.errstate(divide="ignore", invalid="ignore"):  # NaN raises below
        returned = objective(tps.copy(), *(count.copy() for count in counts))
    values = as_numbers(np.asarray(returned), "objective").astype(np.float64)
    if values.shape != tps.shape:
        raise ValueError(
            "`objective` must return one number per point, an array of the shape of its "
            f"arguments, {tps.shape}. Got shape {values.shape}."
        )
    bad = np.flatnonzero(np.isnan(values))
    if len(bad):
        raise ValueError(
            f"`objective` must not return NaN. Got it at {len(bad)} of {len(values)} "
            f"points, first at tps={tps[bad[0]]:g}, fps={counts[0][bad[0]]:g}. Return a "
            "number there: 0/0 at tps=fps=0 is the usual cause."
        )
    return values


OBJECTIVES = {
    "balanced_accuracy": lambda tps, fps, fns, tns: (
        (tps / (tps + fns) + tns / (fps + tns)) / 2
    ),
    "youden": _youden,
    "precision": CONSTRAINTS["min_precision"].values,
    "recall": CONSTRAINTS["min_recall"].values,
    "mcc": _mcc,
}
_F_BETA = re.compile(r"f(\d+\.?\d*|\.\d+)")
_OUTCOMES = ("tp", "fp", "fn", "tn")


def _check_utilities(utilities):
    """Utilities as floats; raises unless right predictions have more."""
    if not utilities or not set(utilities) <= set(_OUTCOMES):
        raise ValueError(
            "`objective` as a dict must have utilities of some of 'tp', 'fp', 'fn' and "
            f"'tn'; the default is 0. Got {utilities!r}."
        )
    checked = {
        outcome: check_number(utility, f"objective[{outcome!r}]")
        for outcome, utility in utilities.items()
    }
    tp, fp, fn, tn = (checked.get(outcome, 0) for outcome in _OUTCOMES)
    # NaN fails both comparisons; the difference of equal infinities is NaN.
    if not (0 <= tp - fn < math.inf and 0 <= tn - fp < math.inf):
        raise ValueError(
            "`objective` as a dict must have finite utilities, and not value a wrong "
            f"prediction above the right one: tp >= fn and tn >= fp. Got {utilities!r}. "
            "They are utilities: a cost is negative."
        )
    return checked


def objective_function(objective: Any) -> Callable:
    """The function (tps, fps, fns, tns) -> values; raises if the objective is unknown."""
    if isinstance(objective, Mapping):
        return partial(_mean_utility, _check_utilities(objective))
    if callable(objective):
        return partial(_checked_values, objective)
    if isinstance(objective, str):
        if f_beta := _F_BETA.fullmatch(objective):
            return partial(_f_beta, float(f_beta[1]))
        if objective in OBJECTIVES:
            return OBJECTIVES[objective]
    raise ValueError(
        "`objective` must be one of 'f1', or another 'f<beta>' such as 'f0.5', "
        f"{', '.join(map(repr, OBJECTIVES))}, a dict of utilities of tp, fp, fn and "
        "tn, or a callable (tps, fps, fns, tns) -> array to maximise. Got "
        f"{objective!r}."
    )
