"""Table of metrics at an operating point: a rate at one of four kinds of cuts.

A score is cut at a recall, at a false positive rate, at the k samples with the highest
scores, or at a threshold. The samples above the cut are predicted positive.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ._rates import PRECISION, RATES, RECALL, Rate


@dataclass(frozen=True)
class RateMetric:
    """One entry of the table.

    Attributes
    ----------
    rate : Rate
    at_kind : {"recall", "fpr", "k", "threshold"}
        What is fixed at the cut.
    """

    rate: Rate
    at_kind: str

    # A rate has no influence function of its own: the influence of a sample depends on how
    # the cut moves.
    influence: ClassVar[None] = None

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


_CUTS = [(PRECISION, "recall"), (RECALL, "fpr"), (PRECISION, "k"), (RECALL, "k")]
_CUTS += [(rate, "threshold") for rate in RATES.values()]
RATE_METRICS = {f"{rate.name}_at_{kind}": RateMetric(rate, kind) for rate, kind in _CUTS}


@dataclass(frozen=True)
class RateAt:
    """A rate at an operating point, with the attributes of `MetricWithOptions`.

    Attributes
    ----------
    name : str
        A key of `RATE_METRICS`.
    at : float or int
        The recall, the false positive rate, k or the threshold.
    prevalence : float or None
        The reference prevalence.
    """

    name: str
    at: float
    prevalence: float | None = None

    # A rate has no recall range, so its recall range is always the whole one.
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    highest: ClassVar[float] = 1.0

    @property
    def entry(self):
        """The entry of the table `RATE_METRICS`."""
        return RATE_METRICS[self.name]

    def fields(self):
        """The metric and its options as fields of a comparison, as a dict."""
        fields = {"metric": self.name, "recall_range": (self.low, self.high)}
        return fields | {"prevalence": self.prevalence, "at": self.at}
