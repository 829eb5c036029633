"""Table of metrics at an operating point: a rate at one of four kinds of cuts.

A score is cut at a recall, at a false positive rate, at the k samples with the highest
scores, or at a threshold. The samples above the cut are predicted positive.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._roc import counting
from .._roc.curve import EQUAL_WITHIN
from ._rates import PRECISION, RATES, RECALL, Rate


@dataclass(frozen=True)
class RateMetric:
    """One entry of the table.

    Attributes
    ----------
    rate : Rate
    at_kind : {"recall", "fpr", "k", "threshold"}
        What is fixed at the cut.
    test_methods : tuple of str
        Methods of a paired comparison; the first is the default. "mover" uses the limits of
        both rates, "influence" is the t test.
    """

    rate: Rate
    at_kind: str
    test_methods: tuple[str, ...]

    lowest: ClassVar[float] = 0.0
    # That of a sample depends on how the cut moves.
    influence: ClassVar[None] = None

    def label(self, *at):
        """The name in text at one or two numbers, such as "precision at recall 0.8"."""
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


def kind_label(at_kind):
    """What is fixed at a cut, as text."""
    return "FPR" if at_kind == "fpr" else at_kind


_METHODS = {
    "recall": ("mover", "percentile"),
    # By influence, populations with outliers at the cut had type I errors of about 0.1.
    "fpr": ("mover", "influence", "percentile"),
    "k": ("influence", "mover", "percentile"),
    "threshold": ("mover", "influence", "percentile"),
}
_CUTS = [(PRECISION, "recall"), (RECALL, "fpr"), (PRECISION, "k"), (RECALL, "k")]
_CUTS += [(rate, "threshold") for rate in RATES.values()]
RATE_METRICS = {
    f"{rate.name}_at_{kind}": RateMetric(rate, kind, _METHODS[kind]) for rate, kind in _CUTS
}


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
    has_tps : bool
        Whether positives reach the threshold; used for resamples at a threshold.
    """

    name: str
    at: float
    prevalence: float | None = None
    has_tps: bool = True

    # Rates are of all recalls, and undefined without negatives.
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    highest: ClassVar[float] = 1.0
    needs_negatives: ClassVar[bool] = True

    @property
    def entry(self):
        """The entry of the table `RATE_METRICS`."""
        return RATE_METRICS[self.name]

    def rounding_scale(self, value):
        """The size of the numbers to which rounding errors of a value are relative."""
        return abs(value)

    def fields(self):
        """The metric and its options as fields of a comparison, as a dict."""
        fields = {"metric": self.name, "recall_range": (self.low, self.high)}
        return fields | {"prevalence": self.prevalence, "at": self.at}

    def roc_of(self, data, *, with_order=False):
        """The `ROCCurve` of `BinaryData` at every threshold, in one part."""
        roc = counting.every_threshold(data, with_order=with_order)
        return roc._replace(parts=[roc.concatenated()])

    def of_block(self, block):
        """The rate of each resample of a `BootstrapBlock`; 0 where it is 0/0.

        At a threshold the score of the curve is the prediction.
        """
        block = block.at_prevalence(self.prevalence)
        at = self.has_tps if self.entry.at_kind == "threshold" else self.at
        tps, fps = _COUNTS[self.entry.at_kind](block, at)
        n_pos, n_neg = block.n_pos[:, 0], block.n_neg[:, 0]
        return self.entry.rate.values(tps, fps, n_pos - tps, n_neg - fps)


def _at_recall(block, recall):
    """True and false positives at a recall."""
    target = recall * block.n_pos
    step = np.argmax(block.t1 >= target * (1 - EQUAL_WITHIN), axis=1)[:, np.newaxis]
    t0, t1, f0, f1 = (np.take_along_axis(c, step, axis=1) for c in block[:4])
    fps = f0 + np.clip((target - t0) / (t1 - t0), 0, 1) * (f1 - f0)
    return target[:, 0], fps[:, 0]


def _at_fpr(block, fpr):
    """True and false positives at a false positive rate; the most true positives."""
    target = fpr * block.n_neg
    return _tps_at(block, block.f0, block.f1, target), target[:, 0]


def _at_k(block, k):
    """True and false positives at k, a number or a share of all samples."""
    total = block.n_pos + block.n_neg
    target = k * total if isinstance(k, float) else np.minimum(k, total)
    tps = _tps_at(block, block.t0 + block.f0, block.t1 + block.f1, target)
    return tps, target[:, 0] - tps


def _tps_at(block, start, stop, target):
    """True positives where a count, from `start` to `stop` on each step, is `target`."""
    step = np.count_nonzero(start <= target * (1 + EQUAL_WITHIN), axis=1)[:, np.newaxis] - 1
    t0, t1, start, stop = (
        np.take_along_axis(c, np.maximum(step, 0), axis=1)
        for c in (block.t0, block.t1, start, stop)
    )
    along = np.ones(target.shape)
    np.divide(target - start, stop - start, out=along, where=stop > start)
    # Before the first step there are no positives.
    return np.where(step < 0, 0.0, t0 + np.clip(along, 0, 1) * (t1 - t0))[:, 0]


def _at_threshold(block, has_tps):
    """True and false positives, those of the first step if it has true positives."""
    # Else all samples that are predicted positive are negatives before the first step.
    return (block.t1[:, 0], block.f1[:, 0]) if has_tps else (block.t0[:, 0], block.f0[:, 0])


_COUNTS = {"recall": _at_recall, "fpr": _at_fpr, "k": _at_k, "threshold": _at_threshold}
