"""Results of areas: intervals, the test against chance, sample sizes, and bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from .._input.options import FloatOrArray
from ..metrics._table import METRICS
from ._rendering import (
    CELL_WIDTH,
    UNDEFINED,
    decimals_for,
    decimals_of_column,
    limits_text,
    percent_text,
    prevalence_text,
    pvalue_text,
    samples_text,
    sentence,
    sizes_text,
    value_text,
    with_limits,
)
from ._result import Record, Result

# Degrees of freedom are printed if they are this few, or fewer than the samples of the
# smaller class by the factor.
_FEW_DF, _DF_FACTOR = 5, 5
# No value from 0 to 1 has a larger standard deviation. Where one sample has nearly all the
# weight of its class, the linear approximation of the standard error exceeds it.
_LARGEST_ERROR = 0.5


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
        return [limits_text(self.low, self.high, decimals_for(self.high - self.low))]


# These limits are those of a result in which a class is missing.
NO_LIMITS = ConfidenceInterval()


# A result with an interval has its value in the field `estimate` or `difference`.


def level_text(result, what="confidence interval"):
    """The confidence level, and whether the interval is one-sided, as text."""
    sides = "" if result.alternative == "two-sided" else "one-sided "
    return f"{sides}{percent_text(result.confidence_level)} {what}"


def value_and_limits(result):
    """A value and its limits; the limit that a one-sided interval lacks is infinite."""
    low, high = result.confidence_interval
    low = -np.inf if result.alternative == "less" else low
    high = np.inf if result.alternative == "greater" else high
    return getattr(result, result._VALUE), low, high


def texts_of(result):
    """A value and the limits of its interval as two texts with the same decimals."""
    value, low, high = value_and_limits(result)
    if np.isnan(value):
        return UNDEFINED, UNDEFINED
    are_differences = result._VALUE == "difference"
    decimals = decimals_of_column([(value, low, high)], are_differences=are_differences)
    return value_text(value, decimals=decimals), limits_text(low, high, decimals)


def limit_columns(result, decimals):
    """Columns of a data frame with the limits of the value."""
    low, high = result.confidence_interval
    text = with_limits(value_and_limits(result), decimals)
    return {"low": low, "high": high, f"{result._VALUE} (interval)": text}


def estimate_column(result, decimals):
    """The column of an estimate in the printed table of a comparison."""
    label = sentence(result._measured)
    title = f"{label} ({level_text(result)})"
    if len(title) > CELL_WIDTH:
        title = f"{label} ({level_text(result, 'interval')})"
    return {title: with_limits(value_and_limits(result), decimals)}


def _area_text(result):
    """The metric as text, with its recall range and reference prevalence."""
    label = METRICS[result.metric].label
    if result.recall_range != (0.0, 1.0):
        label += ", recall {:g} to {:g}".format(*result.recall_range)
    return label + prevalence_text(result.prevalence)


def _largest_value(result):
    """A list with a note on the largest value, empty unless a recall range limits it."""
    low, high = result.recall_range
    if (low, high) == (0.0, 1.0) or not METRICS[result.metric].is_area:
        return []
    return [f"largest possible value: {high - low:g}, the width of the recall range"]


def chance_text(chance):
    """The chance level as the end of the line of sizes; empty where it is not known."""
    return f"; chance level: {chance}" if chance else ""


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class IntervalResult(Result):
    """Base class of the intervals of a metric and of a difference of two values.

    See `AucPRIntervalResult` and `AucPRComparisonResult` for the attributes.
    """

    n_samples: int
    n_positive: int
    metric: str
    method: str
    recall_range: tuple[float, float]
    prevalence: float | None = None
    n_clusters: int | None
    confidence_level: float
    alternative: str = "two-sided"
    confidence_interval: ConfidenceInterval = NO_LIMITS
    standard_error: float = np.nan
    df: float | None = np.nan
    average: str | None = None
    n_labels: int | None = None
    # True if the samples have different weights, which the print says.
    _is_weighted: bool = field(default=False, repr=False)

    def __post_init__(self):
        super().__post_init__()
        # The interval may be passed as a pair of numbers.
        limits = ConfidenceInterval(*self.confidence_interval)
        object.__setattr__(self, "confidence_interval", limits)

    @property
    def _metric_text(self):
        """The metric as text, without its recall range and reference prevalence."""
        label = METRICS[self.metric].label
        return label if self.average is None else f"{self.average} {label}"

    @property
    def _measured(self):
        """What is measured, as text."""
        if self.average is None:
            return _area_text(self)
        return f"{self.average} {_area_text(self)} of {self.n_labels} labels"

    @property
    def _sizes(self):
        """The sizes of the samples as text."""
        sizes = self.n_clusters, self._is_weighted
        if self.average is None:
            return sizes_text(self.n_samples, self.n_positive, *sizes)
        low, high = np.min(self.n_positive), np.max(self.n_positive)
        per_label = f"{low}" if low == high else f"{low} to {high}"
        samples = samples_text(self.n_samples, *sizes)
        return f"{samples}; {self.n_labels} labels, {per_label} positive"

    @property
    def _notes(self):
        """Lines below the sizes of the samples."""
        return _largest_value(self)


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class AucPRIntervalResult(IntervalResult):
    """Confidence interval of a metric, as returned by `auc_pr_interval`.

    Attributes
    ----------
    estimate, standard_error : float
        Value of the metric and its standard error.
    confidence_interval : ConfidenceInterval
        Limits `low` and `high`.
    df : float or None
        Degrees of freedom of the standard error; None for macro and weighted averages,
        whose labels have their own.
    chance_level : float or None
        Mean of the metric over all arrangements of the labels, which is the average
        estimate of a score without skill. With weights, a recall range or a reference
        prevalence it is the value of a constant score, and in a cross-validation the mean
        over the test folds. NaN if a class is missing, None for achievable metrics, and
        macro and weighted averages over labels.
    n_samples, n_positive : int
        Numbers of samples and of positives; for several labels, `n_positive` is a tuple
        with one number per label.
    n_clusters : int or None
        Number of clusters; None without `groups`.
    average : str or None
        How the values of several labels were averaged; None for one binary label.
    n_labels : int or None
        Number of labels; None for one binary label.
    bias : float or None
        Estimate of how much the average is too high; None for one binary label and for
        ``average="micro"``.
    metric, method : str
        Name of the metric, and method of the interval.
    recall_range : tuple of (float, float)
        Range of recalls of the metric.
    prevalence : float or None
        Reference prevalence; None for the prevalence of the samples.
    confidence_level : float
        Confidence level of the interval.
    alternative : {"two-sided", "less", "greater"}
        Sides of the interval.
    """

    estimate: float = np.nan
    chance_level: float | None = None
    bias: float | None = None

    _VALUE = "estimate"

    def _blocks(self):
        sizes = self._sizes + chance_text(self._chance)
        return [self._values(), sizes, *self._notes]

    def _values(self):
        """The estimate with its standard error, and the interval, by their labels."""
        error = f"standard error {value_text(self.standard_error, digits=2)}"
        if self._has_few_df():
            df = value_text(float(f"{self.df:.2g}"))
            error += f", degrees of freedom {df}"
        estimate, limits = texts_of(self)
        if self.standard_error <= _LARGEST_ERROR:  # it may be NaN
            estimate += f" ({error})"
        return {sentence(self._measured): estimate, level_text(self): limits}

    def _has_few_df(self):
        """Whether few of many samples of a binary label determine the standard error."""
        if self.df is None or self.average is not None:
            return False
        n_negative = self.n_samples - self.n_positive
        n_smaller = self.n_clusters or min(self.n_positive, n_negative)
        return self.df <= max(_FEW_DF, n_smaller / _DF_FACTOR)

    @property
    def _chance(self):
        """The chance level with three decimals or two digits, empty where it is unknown."""
        if self.chance_level is None or math.isnan(self.chance_level):
            return ""
        return value_text(self.chance_level, decimals=decimals_for(self.chance_level, 3))

    def _frame_columns(self, decimals):
        """Columns of the estimate in the data frame of a comparison."""
        row = {"estimate": self.estimate, "standard_error": self.standard_error}
        return row | limit_columns(self, decimals)

    def _text_columns(self, decimals):
        """Columns of the estimate in the printed table of a comparison."""
        return estimate_column(self, decimals)


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class AucPRChanceResult(Result):
    """Permutation test against chance, as returned by `auc_pr_chance_test`.

    Attributes
    ----------
    estimate, pvalue : float
        Value of the metric, and one-sided p-value.
    null_distribution : ndarray of float64 or None
        Value of the metric for each permutation of the labels; None if a class is missing.
    n_samples, n_positive : int
        Numbers of samples and of positives.
    metric, method : str
        Name of the metric, and ``"permutation"``.
    recall_range : tuple of (float, float)
        Range of recalls of the metric.
    prevalence : float or None
        Reference prevalence; None for the prevalence of the samples.
    """

    n_samples: int
    n_positive: int
    metric: str
    method: str
    recall_range: tuple[float, float]
    prevalence: float | None = None
    estimate: float = np.nan
    pvalue: float = np.nan
    null_distribution: np.ndarray | None = field(default=None, repr=False)

    def _blocks(self):
        values = {sentence(_area_text(self)): value_text(self.estimate, digits=3)}
        if self.null_distribution is not None:
            mean = np.mean(self.null_distribution).item()
            values["mean of the permutations"] = value_text(mean, digits=3)
        values["p-value"] = f"{pvalue_text(self.pvalue)} (greater than chance)"
        sizes = sizes_text(self.n_samples, self.n_positive)
        return [values, sizes, *_largest_value(self)]


@dataclass(frozen=True, repr=False, eq=False)
class Bounds(Record):
    """Guaranteed lower and upper bound of a metric, and an estimate; can be unpacked.

    Attributes
    ----------
    low, high : float or ndarray of float64
        Lower and upper bound of the exact value, whatever the order of the samples within
        the bins is.
    estimate : float or ndarray of float64
        Value of the metric if all samples of a bin were tied.
    """

    low: FloatOrArray
    high: FloatOrArray
    estimate: FloatOrArray


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class SampleSizeResult(Result):
    """Number of samples of a planned study, as returned by `required_sample_size`.

    Attributes
    ----------
    n_samples, n_positive : int
        Numbers of samples and, among them, of positives.
    n_clusters : int or None
        Number of clusters; None if the pilot had no clusters.
    width : float or None
        The planned width of the interval; None for a test.
    difference, power : float or None
        The difference that the test should detect, and its power; None for an interval.
    confidence_level : float
        Confidence level of the interval; 1 minus the significance level of the test.
    auc_pr, assumed_prevalence, spread : float or None
        The assumed AUC-PR, prevalence and spread of the scores; None with a pilot.
    correlation : float or None
        Assumed correlation of the two scores; None for an interval or with a pilot.
    """

    n_samples: int
    n_positive: int
    n_clusters: int | None
    confidence_level: float
    width: float | None = None
    difference: float | None = None
    power: float | None = None
    auc_pr: float | None = None
    assumed_prevalence: float | None = None
    spread: float | None = None
    correlation: float | None = None

    def _blocks(self):
        if self.width is None:
            aim = (
                f"a test with power {self.power:g} to detect a difference of "
                f"{self.difference:g} (significance level {1 - self.confidence_level:g})"
            )
        else:
            level = percent_text(self.confidence_level)
            about = f"(about +- {self.width / 2:g})"
            aim = f"a {level} confidence interval of width {self.width:g} {about}"
        assumed = "the variance of the pilot"
        if self.auc_pr is not None:
            assumed = (
                f"binormal scores with AUC-PR {self.auc_pr:g}, "
                f"prevalence {self.assumed_prevalence:g}, spread {self.spread:g}"
            )
        if self.correlation is not None:
            assumed += f", correlation {self.correlation:g}"
        samples = samples_text(self.n_samples, self.n_clusters)
        needed = f"{samples}, {self.n_positive} of them positive, are needed"
        return [needed, f"for {aim}.", f"Assumed: {assumed}."]
