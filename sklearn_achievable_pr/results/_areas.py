"""Results of areas: intervals, the test against chance, and bounds."""

from __future__ import annotations

import math
from dataclasses import field
from statistics import fmean

import numpy as np

from .._input.options import FloatOrArray
from . import _rendering

# Degrees of freedom are printed if they are fewer than the samples by this factor.
_FEW_DF = 5


class ConfidenceInterval(_rendering.Record):
    """Limits of a confidence interval; can be unpacked.

    Attributes
    ----------
    low, high : float
        Lower and upper limit.
    """

    low: float = np.nan
    high: float = np.nan

    def _blocks(self):
        return [self._text(_rendering.decimals_for(self.high - self.low))]

    def _text(self, decimals):
        """The limits as text with this number of decimals."""
        return " to ".join(_rendering.rounded(limit, decimals) for limit in self)


class _LimitsResult(_rendering.SampleResult, kw_only=True):
    """Base class of results with a confidence interval, which may be passed as a pair."""

    n_clusters: int | None
    confidence_level: float
    alternative: str = "two-sided"
    confidence_interval: ConfidenceInterval = ConfidenceInterval()

    def __post_init__(self):
        super().__post_init__()
        interval = ConfidenceInterval(*self.confidence_interval)
        object.__setattr__(self, "confidence_interval", interval)

    def _level(self, what="confidence interval"):
        """The confidence level, and whether the interval is one-sided."""
        sides = "" if self.alternative == "two-sided" else "one-sided "
        return f"{sides}{_rendering.percent(self.confidence_level)} {what}"

    def _numbers(self, value):
        """A value of the metric and the limits of the interval, as text."""
        low, high = self.confidence_interval
        if self.alternative == "less":
            decimals = _rendering.decimals_for(2 * (high - value))
            limits = f"at most {_rendering.rounded(high, decimals)}"
        elif self.alternative == "greater":
            decimals = _rendering.decimals_for(2 * (value - low))
            limits = f"at least {_rendering.rounded(low, decimals)}"
        else:
            decimals = _rendering.decimals_for(high - low)
            limits = self.confidence_interval._text(decimals)
        return _rendering.rounded(value, decimals), limits

    def _limit_columns(self, name, decimals):
        """Columns of the limits in a data frame; `name` is the field of their value."""
        limits = self.confidence_interval
        text = _rendering.with_limits(getattr(self, name), limits, decimals)
        return {"low": limits.low, "high": limits.high, f"{name} (interval)": text}


class _MemberResult(_LimitsResult, kw_only=True):
    """Base class of the intervals of the members of a comparison: their `estimate`."""

    @property
    def _chance(self):
        """The chance level as text; empty where there is none."""
        return ""

    def _context(self, with_chance=True):
        sizes, *others = super()._context()
        chance = f"; chance level: {self._chance}" if with_chance and self._chance else ""
        return [sizes + chance, *others]

    def _frame_columns(self, decimals):
        """Columns of the estimate in the data frame of a comparison."""
        return {"estimate": self.estimate} | self._limit_columns("estimate", decimals)

    def _text_columns(self):
        """Columns of the estimate in the printed table of a comparison."""
        title = f"{self._label} ({self._level()})"
        if len(title) > _rendering.CELL_WIDTH:
            title = f"{self._label} ({self._level('interval')})"
        return {title: _rendering.with_limits(self.estimate, self.confidence_interval)}


class IntervalResult(_LimitsResult, _rendering.AreaResult, kw_only=True):
    """Base class of the intervals of a metric and of a difference of two values.

    See `AucPRIntervalResult` and `AucPRComparisonResult` for the attributes.
    """

    standard_error: float = np.nan
    df: float | None = np.nan
    bootstrap_distribution: np.ndarray | None = field(default=None, repr=False)
    average: str | None = None
    n_labels: int | None = None

    @property
    def _measured(self):
        if self.average is None:
            return super()._measured
        return f"{self.average} {super()._measured} of {self.n_labels} labels"

    def _sizes(self, positives="positive"):
        if self.average is None:
            return super()._sizes(positives)
        low, high = min(self.n_positive), max(self.n_positive)
        of_each = f"{low} {positives}" if low == high else f"{low} to {high} {positives}"
        return f"{self._n_samples_text()}; {self.n_labels} labels, {of_each}"


class AucPRIntervalResult(IntervalResult, _MemberResult, kw_only=True):
    """Confidence interval of a metric, as returned by `auc_pr_interval`.

    Attributes
    ----------
    estimate, standard_error : float
        Value of the metric and its standard error.
    confidence_interval : ConfidenceInterval
        Limits `low` and `high`.
    df : float or None
        Degrees of freedom of the standard error; None for resampling.
    chance_level : float or None
        Mean of the metric over all arrangements of the labels, which is what the estimate
        is on average without skill; with weights, a recall range or a reference prevalence
        the value of a constant score. In a cross-validation the mean over the test folds.
        NaN if a class is missing, None for achievable metrics, AUPRG, and macro and
        weighted averages over labels.
    bootstrap_distribution : ndarray of float64, shape (n_resamples,), or None
        Value of the metric for each resample; None without resampling.
    n_samples, n_positive : int
        Numbers of samples and of positives; of several labels, a tuple of their positives.
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

    _DEFAULTS = ("beta", "cross-validation")

    def _values(self):
        error = f"standard error {_rendering.number_text(self.standard_error, 2)}"
        if self._has_few_df():
            df = _rendering.number_text(float(f"{self.df:.2g}"))
            error += f", degrees of freedom {df}"
        estimate, limits = self._numbers(self.estimate)
        if not math.isnan(self.standard_error):
            estimate += f" ({error})"
        return {self._label: estimate, self._level(): limits}

    def _has_few_df(self):
        """Whether the standard error rests on a few of many samples of one label."""
        if self.df is None or self.average is not None:
            return False
        n_negative = self.n_samples - self.n_positive
        n_smaller = self.n_clusters or min(self.n_positive, n_negative)
        return self.df <= n_smaller / _FEW_DF

    @property
    def _chance(self):
        """The chance level with three decimals or two digits, empty where it is unknown."""
        if self.chance_level is None or math.isnan(self.chance_level):
            return ""
        decimals = _rendering.decimals_for(self.chance_level, 3)
        return _rendering.rounded(self.chance_level, decimals)

    def _frame_columns(self, decimals):
        row = {"estimate": self.estimate, "standard_error": self.standard_error}
        return row | super()._frame_columns(decimals)


class AucPRIntervalCVResult(AucPRIntervalResult, kw_only=True):
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
        Number of training samples of each fold. The interval is for models fitted to so
        many samples and, if each fold has at least three quarters of all samples (rounded
        down), for the model refitted on all samples. The text says so, and "conservative"
        if there was no `CoverageWarning`.
    """

    fold_values: tuple[float, ...]
    n_folds: int
    n_repeats: int
    fewest_positives: int
    n_train: tuple[int, ...]
    # Number of samples of `y`, tested or not, and whether there was no `CoverageWarning`.
    _n_all: int = field(repr=False)
    _is_conservative: bool = field(repr=False)

    def _context(self, with_chance=True):
        repeats = f" in {self.n_repeats} repeats" if self.n_repeats > 1 else ""
        positives = f"at least {self.fewest_positives} positives in each"
        folds = f"{self.n_folds} folds{repeats}, {positives}"
        low, high, n_all = min(self.n_train), max(self.n_train), self._n_all
        # Sizes within 1 % are shown as one number.
        n_train = (
            f"{low} to {high}" if high - low > 0.01 * high else f"{fmean(self.n_train):.0f}"
        )
        refit = f", and the refit on all {n_all}" if low >= int(0.75 * n_all) else ""
        conservative = " (conservative)" * self._is_conservative
        models = f"for models fitted to {n_train} samples{refit}{conservative}"
        return [*super()._context(with_chance), folds, models]


class AucPRChanceResult(_rendering.AreaResult, kw_only=True):
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

    estimate: float = np.nan
    pvalue: float = np.nan
    null_distribution: np.ndarray | None = field(default=None, repr=False)

    _DEFAULTS = ("permutation",)

    def _values(self):
        found = {self._label: _rendering.number_text(self.estimate, 3)}
        if self.null_distribution is not None:
            mean = np.mean(self.null_distribution).item()
            found["mean of the permutations"] = _rendering.number_text(mean, 3)
        pvalue = _rendering.pvalue_text(self.pvalue)
        return found | {"p-value": f"{pvalue} (greater than chance)"}


class Bounds(_rendering.Record):
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
