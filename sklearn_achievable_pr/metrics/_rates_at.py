"""Table of metrics at an operating point: a rate at one of several kinds of cuts.

A score is cut at a recall, at a precision, at a false positive rate, at the k samples with
the highest scores, or at a threshold. The samples above the cut are predicted positive.
"""

from dataclasses import dataclass

import numpy as np

from ._rates import PRECISION, RATES, RECALL, Rate


@dataclass(frozen=True)
class RateMetric:
    """A rate at a kind of cut.

    Attributes
    ----------
    rate : Rate
    at_kind : {"recall", "precision", "fpr", "k", "threshold"}
        What is fixed at the cut.
    """

    rate: Rate
    at_kind: str

    @property
    def name(self):
        """The name in options and results."""
        return f"{self.rate.name}_at_{self.at_kind}"

    @property
    def has_prevalence(self):
        """Whether the rate at the cut depends on the prevalence."""
        return self.at_kind == "precision" or not self.rate.is_within_class

    @property
    def is_compared_by_precision(self):
        """Whether it is the precision times a number that the operating point fixes."""
        return self.name == "recall_at_k"

    def label(self, *at):
        """The name in text at one or two numbers, such as "precision at recall 0.8"."""
        if self.at_kind == "k":
            return self.rate.label + top_text(*at)
        numbers = " and ".join(map(_number, at))
        several = "s" * (len(at) > 1)
        return f"{self.rate.label} at {kind_label(self.at_kind)}{several} {numbers}"


def _number(value):
    """A number as text; a float32 has the digits that float32 needs."""
    text = f"{value:.10g}"
    if float(text) == value or abs(value) > np.finfo(np.float32).max:
        return text
    narrow = np.float32(value)
    return str(narrow) if float(narrow) == value else text


def top_text(k):
    """The samples with the k highest scores as text; a float is a share of all samples."""
    return f" of the top {100 * k:.10g} %" if isinstance(k, float) else f" of the top {k}"


def kind_label(at_kind):
    """What is fixed at a cut, as text."""
    return "FPR" if at_kind == "fpr" else at_kind


# The rates that are points of a curve, by what is fixed there.
OF_CURVE = {
    "recall": RateMetric(PRECISION, "recall"),
    "precision": RateMetric(RECALL, "precision"),
    "fpr": RateMetric(RECALL, "fpr"),
}
# The metrics of comparisons, by their names.
RATE_METRICS = {
    metric.name: metric
    for metric in (
        OF_CURVE["recall"],
        OF_CURVE["fpr"],
        RateMetric(PRECISION, "k"),
        RateMetric(RECALL, "k"),
        *(RateMetric(rate, "threshold") for rate in RATES.values()),
    )
}


@dataclass(frozen=True)
class RateAt:
    """A rate at an operating point.

    Attributes
    ----------
    entry : RateMetric
    at : float or int
        The recall, the precision, the false positive rate, k or the threshold.
    prevalence : float or None
        The reference prevalence.
    """

    entry: RateMetric
    at: float
    prevalence: float | None = None

    @property
    def kind(self):
        """What is fixed at the cut."""
        return self.entry.at_kind

    @property
    def highest(self):
        """The highest value that a rate can have."""
        return 1.0

    def fields(self):
        """The metric and its options as fields of a comparison, as a dict."""
        return {
            "metric": self.entry.name,
            "recall_range": (0.0, 1.0),  # a rate has no recall range
            "prevalence": self.prevalence,
            "at": self.at,
        }
