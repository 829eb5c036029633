"""Table of the rates of the confusion matrix.

Intervals at thresholds, the constraints of a chosen threshold and metrics at an operating
point use this table.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

# Rounding can change rates and objectives by this much, relative to the rate, the objective
# or the bound.
ROUNDING = 16 * np.finfo(np.float64).eps


def _share(share):
    """The share itself."""
    return share


def _one(share):
    """The derivative of the share itself."""
    return 1.0


def _f1(share):
    """F1 from tp / (tp + fp + fn)."""
    return 2 * share / (1 + share)


def _f1_slope(share):
    """Derivative of F1 by tp / (tp + fp + fn)."""
    return 2 / (1 + share) ** 2


class Rate(NamedTuple):
    """A rate of the confusion matrix: a share, or a function that rises with a share.

    Attributes
    ----------
    name : str
        The name in results.
    label : str
        The name in text.
    parts : callable
        ``parts(tp, fp, fn, tn)`` are the part and the whole. Both are sums of the arguments
        times constants: of counts they give the share, and of the derivatives of the counts
        by the weight of a sample those of the part and of the whole.
    of_share, slope : callable
        ``of_share(share)`` is the rate, and ``slope(share)`` its derivative by the share.
    sign : {1, -1}
        1 if a higher rate is better, and a constraint is a lower bound; else -1.
    is_within_class : bool
        Whether it does not depend on the prevalence: all samples of the whole are of one
        class.
    counted : str
        What the whole counts, in text.
    if_undefined : str
        Why the whole is 0 although both classes have samples, in text.
    """

    name: str
    label: str
    parts: Callable
    of_share: Callable = _share
    slope: Callable = _one
    sign: int = 1
    is_within_class: bool = False
    counted: str = "samples"
    if_undefined: str = ""

    @property
    def has_fixed_whole(self):
        """Whether the whole is the same at every threshold: then the rate is monotone."""
        # The counts change in these ways if one more positive, or negative, is predicted
        # positive.
        changes = (1, 0, -1, 0), (0, 1, 0, -1)
        return all(self.parts(*change)[1] == 0 for change in changes)

    @property
    def counts_below(self):
        """Whether the rate depends on the samples that are predicted negative."""
        return any(self.parts(0, 0, 1, 1))

    def values(self, *counts):
        """The rate at points given by their counts, as arrays; 0 where it is 0/0.

        Thresholds are ranked with these values, so none is NaN. In intervals and tables
        such a rate is NaN.
        """
        return self.of_share(ratio(*self.parts(*counts)))

    def influence(self, counts, derivatives):
        """Derivative of the rate from those of the four counts.

        By the quotient rule that of the share is (d part - share d whole) / whole.
        """
        part, whole = self.parts(*counts)
        d_part, d_whole = self.parts(*derivatives)
        share = part / whole
        return self.slope(share) * (d_part - share * d_whole) / whole

    def objective(self, *counts):
        """The rate or, if a lower one is better, minus the rate: higher is better."""
        return self.sign * self.values(*counts)

    def is_met(self, bound, *counts):
        """Whether the rate at each point meets the bound, up to rounding."""
        # This is rate >= bound (1 - ROUNDING), or -rate >= -bound (1 + ROUNDING).
        return self.objective(*counts) >= (self.sign - ROUNDING) * bound


RECALL = Rate(
    "recall",
    "recall",
    lambda tp, fp, fn, tn: (tp, tp + fn),
    is_within_class=True,
    counted="positives",
)
SPECIFICITY = Rate(
    "specificity",
    "specificity",
    lambda tp, fp, fn, tn: (tn, fp + tn),
    is_within_class=True,
    counted="negatives",
)
PRECISION = Rate(
    "precision",
    "precision",
    lambda tp, fp, fn, tn: (tp, tp + fp),
    counted="predicted positives",
    if_undefined="No sample is predicted positive",
)
NPV = Rate(
    "npv",
    "NPV",
    lambda tp, fp, fn, tn: (tn, fn + tn),
    counted="predicted negatives (ruled out)",
    if_undefined="No sample is predicted negative",
)
F1 = Rate(
    "f1",
    "F1",
    lambda tp, fp, fn, tn: (tp, tp + fp + fn),
    of_share=_f1,
    slope=_f1_slope,
    if_undefined="No sample is positive or predicted positive",
)
SELECTION_RATE = Rate(
    "selection_rate",
    "selection rate",
    lambda tp, fp, fn, tn: (tp + fp, tp + fp + fn + tn),
    sign=-1,
)
FPR = Rate(
    "fpr",
    "false positive rate",
    lambda tp, fp, fn, tn: (fp, fp + tn),
    sign=-1,
    is_within_class=True,
    counted="negatives",
)
# Net benefit is a weighted difference of the next two rates.
TRUE_POSITIVE_SHARE = Rate(
    "true_positive_share",
    "share of true positives",
    lambda tp, fp, fn, tn: (tp, tp + fp + fn + tn),
)
FALSE_POSITIVE_SHARE = Rate(
    "false_positive_share",
    "share of false positives",
    lambda tp, fp, fn, tn: (fp, tp + fp + fn + tn),
    sign=-1,
)

# The keys are the names of the fields of a `ThresholdTable`.
RATES = {
    rate.name: rate for rate in (RECALL, SPECIFICITY, PRECISION, NPV, F1, SELECTION_RATE)
}
# The keys are the names of the arguments that bound the rates.
CONSTRAINTS = {
    "min_recall": RECALL,
    "min_precision": PRECISION,
    "min_npv": NPV,
    "max_selection_rate": SELECTION_RATE,
    "max_fpr": FPR,
}


def ratio(part, whole):
    """Part divided by whole, which are arrays; 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
