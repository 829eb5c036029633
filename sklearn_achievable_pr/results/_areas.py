"""Results of areas: intervals, the test against chance, and bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from statistics import fmean

import numpy as np

from .._input.options import FloatOrArray
from ..metrics._table import METRICS
from ._intervals import (
    NO_LIMITS,
    ConfidenceInterval,
    estimate_column,
    level_text,
    limit_columns,
    value_and_limits,
)
from ._rendering import (
    decimals_for,
    folds_text,
    number_text,
    prevalence_text,
    pvalue_text,
    rounded,
    samples_text,
    sentence,
)
from ._result import Record, Result

# Degrees of freedom are printed if they are this few, or fewer than the samples of the
# smaller class by the factor.
_FEW_DF, _DF_FACTOR = 5, 5
# No value from 0 to 1 has a larger standard deviation. Where one sample has nearly all the
# weight of its class, the linear approximation of the standard error exceeds it.
_LARGEST_ERROR = 0.5


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
    def _measured(self):
        """What is measured, as text."""
        if self.average is None:
            return _area_text(self)
        return f"{self.average} {_area_text(self)} of {self.n_labels} labels"

    @property
    def _sizes(self):
        """The sizes of the samples as text."""
        samples = samples_text(self.n_samples, self.n_clusters, self._is_weighted)
        if self.average is None:
            return f"{samples}, {self.n_positive} positive"
        low, high = min(self.n_positive), max(self.n_positive)
        per_label = f"{low}" if low == high else f"{low} to {high}"
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

    def _blocks(self):
        sizes = self._sizes + chance_text(self._chance)
        return [self._values(), sizes, *self._notes]

    def _values(self):
        """The estimate with its standard error, and the interval, by their labels."""
        error = f"standard error {number_text(self.standard_error, 2)}"
        if self._has_few_df():
            df = number_text(float(f"{self.df:.2g}"))
            error += f", degrees of freedom {df}"
        estimate, limits = value_and_limits(self.estimate, self)
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
        decimals = decimals_for(self.chance_level, 3)
        return rounded(self.chance_level, decimals)

    def _frame_columns(self, decimals):
        """Columns of the estimate in the data frame of a comparison."""
        row = {"estimate": self.estimate, "standard_error": self.standard_error}
        return row | limit_columns("estimate", self, decimals)

    def _text_columns(self, decimals):
        """Columns of the estimate in the printed table of a comparison."""
        return estimate_column(self, decimals)


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class AucPRIntervalCVResult(AucPRIntervalResult):
    """Confidence interval of a cross-validation, as returned by `auc_pr_interval_cv`.

    It has the attributes of `AucPRIntervalResult` as well. `n_samples`, `n_positive` and
    `n_clusters` count the test samples of all folds, each sample once.

    Attributes
    ----------
    estimate : float
        Mean of `fold_values`.
    fold_values : tuple of float
        Value of the metric for each fold.
    n_folds, n_repeats : int
        Number of folds, and largest number of folds that test one sample.
    fewest_positives : int
        Number of positives in the fold with the fewest.
    n_train : tuple of int
        Number of training samples of each fold. The interval is for models fitted to this
        many samples. If each fold trains on at least three quarters of all samples (rounded
        down), it is also for the model refitted on all samples. The print says which of the
        two holds, and adds "conservative" if there was no `CoverageWarning`. It also says
        where the numbers are only assumed, because `cv_results_from_scores` was called
        without `n_train`.
    """

    fold_values: tuple[float, ...]
    n_folds: int
    n_repeats: int
    fewest_positives: int
    n_train: tuple[int, ...]
    # The length of `y` is stored, because `n_samples` counts only the samples that a fold
    # tests.
    _n_all: int = field(repr=False)
    # Random splits test some samples more often than others, so they are no repeats.
    _is_repeated: bool = field(repr=False)
    # The number of training samples of scores from elsewhere was not passed.
    _is_assumed: bool = field(repr=False)
    # This is True if there was no `CoverageWarning`. Some of these warnings depend on the
    # groups of the folds, which the result does not store.
    _is_conservative: bool = field(repr=False)

    @property
    def _notes(self):
        n_repeats = self.n_repeats if self._is_repeated else 1
        folds = folds_text(self.n_folds, n_repeats, self.fewest_positives)
        low, high, n_all = min(self.n_train), max(self.n_train), self._n_all
        # Sizes within 1 % are shown as one number.
        n_train = (
            f"{low} to {high}" if high - low > 0.01 * high else f"{fmean(self.n_train):.0f}"
        )
        models = f"for models fitted to {n_train} samples"
        is_for_refit = low >= int(0.75 * n_all)
        if is_for_refit and self._is_conservative:
            models = f"valid {models}; conservative for the refit on all {n_all}"
        elif is_for_refit:
            models += f", and the refit on all {n_all}"
        elif self._is_conservative:
            models += " (conservative)"
        if self._is_assumed:
            models += ",\nif each model was fitted to all other folds"
        return [*super()._notes, folds, models]


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
        values = {sentence(_area_text(self)): number_text(self.estimate, 3)}
        if self.null_distribution is not None:
            mean = np.mean(self.null_distribution).item()
            values["mean of the permutations"] = number_text(mean, 3)
        values["p-value"] = f"{pvalue_text(self.pvalue)} (greater than chance)"
        sizes = f"{samples_text(self.n_samples)}, {self.n_positive} positive"
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
