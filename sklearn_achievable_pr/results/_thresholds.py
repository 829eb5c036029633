"""Results of choosing a decision threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from .._input.options import Label, exact
from ..metrics._rates import CONSTRAINTS, FPR, NPV, PRECISION, RECALL
from ._rendering import WIDTH, compared_with, percent_text, sizes_text, value_text
from ._result import Record, Result, import_pandas

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False, eq=False)
class Guarantee(Result):
    """Constraints that are met simultaneously on new data, with a given confidence.

    Attributes
    ----------
    confidence_level : float
        The probability, over tuning sets, that all constraints are met on new data.
    min_recall, min_precision, min_npv, max_selection_rate, max_fpr : float or None
        The limits; None where there is no such constraint.
    """

    confidence_level: float
    min_recall: float | None = None
    min_precision: float | None = None
    min_npv: float | None = None
    max_selection_rate: float | None = None
    max_fpr: float | None = None

    def _blocks(self):
        return [self._sentence("independent samples, or groups, of this population")]

    def _sentence(self, condition):
        """The constraints, the confidence and the condition, as text."""
        limits = []
        for name, constraint in CONSTRAINTS.items():
            if (limit := getattr(self, name)) is not None:
                sense = "least" if constraint.sign > 0 else "most"
                limits.append(f"{constraint.label} is at {sense} {value_text(limit)}")
        confidence = value_text(self.confidence_level)
        what = f"On new data {' and '.join(limits)}, with confidence {confidence},"
        # The condition has a line of its own, unless the sentence has two lines before it.
        end = "\n" if len(what) <= WIDTH else " "
        return f"{what}{end}for {condition}."


@dataclass(frozen=True, repr=False, eq=False)
class RandomizedThreshold(Record):
    """Lower threshold and probability of a randomized threshold; can be unpacked.

    Attributes
    ----------
    threshold : float
        Samples with scores from this threshold up to, but not including, the chosen
        threshold are predicted at random.
    probability : float
        Probability that such a sample is predicted positive, inside (0, 1).
    """

    threshold: float
    probability: float

    def _blocks(self):
        return [
            f"From the score {exact(self.threshold)} up to the chosen threshold: "
            f"positive with probability {self.probability:.4g}."
        ]


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class OperatingPoint(Result):
    """A chosen threshold, its rates on the tuning set, and its guarantee for new data.

    Attributes
    ----------
    threshold : float
        The chosen threshold, the upper one of a randomized threshold. Samples with scores
        >= `threshold` are predicted positive.
    precision, recall, npv, selection_rate, fpr : float
        Rates of the tuning set; for a randomized threshold those of the expected counts.
        Precision is NaN if no sample is predicted positive, and NPV is NaN if no sample is
        predicted negative; the print says "undefined". The selection rate is the share of
        the samples that are predicted positive.
    objective : str
        The objective as text.
    objective_value : float
        The value of the objective, which was maximized; an undefined precision or NPV
        counts as 0.
    response_method : {"predict_proba", "decision_function", "-decision_function"} or None
        The method that computes the scores of the positive class, with a minus sign if the
        decision values are negated; None if the scores were passed as an array.
    n_samples, n_positive : int
        Numbers of tuning samples and, among them, of positives.
    n_clusters : int or None
        Number of clusters; each cluster counts once in the guarantee. None without
        `groups`.
    randomized_threshold : RandomizedThreshold or None
        The lower threshold and its probability, if the threshold is randomized.
    guarantee : Guarantee or None
        The guarantee for new data if `confidence_level` was given.
    objective_value_without_guarantee : float or None
        The value at the threshold that would be chosen if the constraints had to be met on
        the tuning set only; None without a guarantee.
    prevalence : float or None
        The reference prevalence of precision, selection rate and objective; None means that
        of the tuning set.
    pos_label : int, float, bool, str or None
        The positive label, which the printed rule names. None for labels that need none:
        {0, 1}, {-1, 1} and booleans.
    """

    threshold: float
    precision: float
    recall: float
    npv: float
    selection_rate: float
    fpr: float
    objective: str
    objective_value: float
    response_method: str | None = None
    n_samples: int
    n_positive: int
    n_clusters: int | None = None
    randomized_threshold: RandomizedThreshold | None = None
    guarantee: Guarantee | None = None
    objective_value_without_guarantee: float | None = None
    prevalence: float | None = None
    pos_label: Label | None = None
    # True if the weights of the tuning set differ, which the print says.
    _is_weighted: bool = field(default=False, repr=False)
    # True if the false positive rate was bounded; the print then has it.
    _has_max_fpr: bool = field(default=False, repr=False)

    def __post_init__(self: Any):
        super().__post_init__()
        if isinstance(self.randomized_threshold, tuple):
            randomized = RandomizedThreshold(*self.randomized_threshold)
            object.__setattr__(self, "randomized_threshold", randomized)
        if isinstance(self.guarantee, dict):
            object.__setattr__(self, "guarantee", Guarantee(**self.guarantee))

    def _blocks(self):
        rule = f"{compared_with(self.response_method)} >= "
        rule += exact(self.threshold)
        rule += " (as predict does)" if self.response_method else ""
        if self.randomized_threshold is None and np.isinf(self.threshold):
            rule += ": no sample" if self.threshold > 0 else ": every sample"
        which = "positive" if self.pos_label is None else repr(self.pos_label)
        blocks = [f"Predict {which} if {rule}."]
        if self.randomized_threshold is not None:
            blocks += self.randomized_threshold._blocks()
        if self.guarantee is not None:
            drawn = "samples" if self.n_clusters is None else "groups"
            condition = f"independent {drawn} of this population"
            condition += "; each group counts once" * (self.n_clusters is not None)
            blocks.append(self.guarantee._sentence(condition))
        shown_rates = RECALL, PRECISION, NPV, *([FPR] * self._has_max_fpr)
        rates = {rate: getattr(self, rate.name) for rate in shown_rates}
        shown = ", ".join(f"{rate.label} {_rate_text(v)}" for rate, v in rates.items())
        last = f"{percent_text(self.selection_rate, digits=3)} predicted positive."
        # The value is compared as well, because a function of the user may have the name of
        # a rate.
        if (self.objective, self.objective_value) not in {
            (r.name, rates[r]) for r in rates
        }:
            value = value_text(self.objective_value, digits=2)
            last += f" Objective: {self.objective} {value}."
        without = self.objective_value_without_guarantee
        if without not in (None, self.objective_value):
            value = value_text(without, digits=2)
            last += f" Best threshold without the guarantee: {self.objective} {value}."
        sizes = self.n_samples, self.n_positive, self.n_clusters, self._is_weighted
        conditions = []
        if self.n_clusters is not None:  # the guarantee counts each cluster once
            which = "weighted" if self._is_weighted else "all"
            conditions.append(f"over {which} samples")
        if self.prevalence is not None:
            conditions.append(f"at prevalence {exact(self.prevalence)}")
        if conditions:
            shown = f"{', '.join(conditions)}: {shown}"
        tuning_set = f"Tuning set: {sizes_text(*sizes)};"
        first = f"{tuning_set} {shown},"
        if len(first) > WIDTH:
            gap = " " if len(shown) + len(last) + 2 <= WIDTH else "\n"
            return [*blocks, f"{tuning_set}\n{shown},{gap}{last}"]
        return [*blocks, f"{first}\n{last}"]


def _rate_text(rate):
    """A rate with two digits or, just below 1, with two digits of what is missing to 1."""
    is_almost_one = rate < 1 and round(rate, 2) == 1
    digits = 1 - math.floor(math.log10(1 - rate)) if is_almost_one else 2
    return value_text(rate, digits=digits)


@dataclass(frozen=True, repr=False, eq=False)
class TuningCounts(Record):
    """Counts of the tuning set at the kept thresholds; can be unpacked.

    Attributes
    ----------
    fps, tps : ndarray of shape (n_thresholds,)
        False and true positives among the tuning samples whose score reaches the threshold.
        Non-decreasing, from 0 to all negatives and all positives. The dtype is int64, or
        float64 with weights and, for `fps`, at a reference prevalence.
    """

    fps: np.ndarray
    tps: np.ndarray


@dataclass(frozen=True, repr=False, eq=False)
class TuningCurve(Record):
    """Counts of the tuning set at every threshold, from the highest down.

    Attributes
    ----------
    fps, tps : ndarray of shape (n_points,)
        At the first point no sample is predicted positive, at the last point every sample.
    scores : ndarray of shape (n_points - 1,)
        The distinct scores, decreasing. At point `i` the samples with one of the `i`
        highest scores are predicted positive.
    vertices : ndarray of int64
        Indices of the points that are vertices of the hull.
    """

    fps: np.ndarray
    tps: np.ndarray
    scores: np.ndarray
    vertices: np.ndarray

    def to_frame(self) -> pd.DataFrame:
        """Counts at every threshold as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            One row per point, with the columns ``score`` (infinite in the first row),
            ``fps``, ``tps`` and ``is_vertex``.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        score = np.append(np.inf, self.scores)
        columns = {"score": score, "fps": self.fps, "tps": self.tps}
        columns["is_vertex"] = np.isin(np.arange(len(self.fps)), self.vertices)
        return import_pandas().DataFrame(columns)
