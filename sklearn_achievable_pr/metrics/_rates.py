"""Rates of the confusion matrix that can be constrained."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

# Relative difference of rates and objectives that rounding can cause.
ROUNDING = 16 * np.finfo(np.float64).eps


class Constraint(NamedTuple):
    """A rate that can be constrained, the quotient of two sums of counts.

    The bound of the rate is passed to `is_met`.

    Attributes
    ----------
    rate : str
        The name of the rate.
    sign : {1, -1}
        1 if the bound is a lower one, -1 if it is an upper one.
    parts : callable
        ``parts(tps, fps, fns, tns)`` are the numerator and the denominator of the rate.
    """

    rate: str
    sign: int
    parts: Callable

    @property
    def label(self):
        """The name of the rate in text."""
        return "false positive rate" if self.rate == "fpr" else self.rate.replace("_", " ")

    def values(self, tps, fps, fns, tns):
        """The rate at points given by their counts; 0 where it is 0/0."""
        return ratio(*self.parts(tps, fps, fns, tns))

    def objective(self, *counts):
        """The rate or, with an upper bound, minus the rate: higher is better."""
        return self.sign * self.values(*counts)

    def is_met(self, bound, *counts):
        """Whether the rate at each point meets the bound, up to rounding."""
        return self.objective(*counts) >= (self.sign - ROUNDING) * bound


CONSTRAINTS = {
    "min_recall": Constraint("recall", 1, lambda tp, fp, fn, tn: (tp, tp + fn)),
    "min_precision": Constraint("precision", 1, lambda tp, fp, fn, tn: (tp, tp + fp)),
    "max_selection_rate": Constraint(
        "selection_rate", -1, lambda tp, fp, fn, tn: (tp + fp, tp + fp + fn + tn)
    ),
    "max_fpr": Constraint("fpr", -1, lambda tp, fp, fn, tn: (fp, fp + tn)),
}


def ratio(part, whole):
    """Part divided by whole, 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
