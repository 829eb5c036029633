"""Results of intervals, tests, thresholds and plans: one family of frozen dataclasses.

Every result prints as readable text, shows as a small table in a notebook, and becomes
plain Python values with `to_dict` and a pandas DataFrame with `to_frame`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field, replace
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import rankdata

from .._input.options import FloatOrArray, Label, exact, text_of
from ..metrics._rates import CONSTRAINTS, RATES
from ..metrics._rates_at import RATE_METRICS, kind_label
from . import _rendering
from ._rendering import Result as Result

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

# Subgroups with fewer samples of a class have a note.
_FEW = 10
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


class AucPRComparisonResult(IntervalResult, kw_only=True):
    """Difference of two values, its interval and its test.

    As returned by `compare_auc_pr` and for each pair of a comparison of models or
    subgroups.

    Attributes
    ----------
    names : tuple of (str, str)
        Names of scores a and b, or labels of subgroups a and b.
    estimates : tuple of (float, float)
        Values of the metric for scores, or subgroups, a and b.
    difference, standard_error : float
        Estimate of a minus estimate of b, and its standard error; NaN if a rate counts one
        sample, or cluster.
    statistic : float or None
        Difference divided by its standard error; None for the method ``"mover"``.
    pvalue : float
        P-value of the test.
    confidence_interval : ConfidenceInterval
        Limits `low` and `high` of the difference.
    df : float or None
        Degrees of freedom of the standard error; None for resampling and ``"mover"``.
    null_distribution : ndarray of float64 or None
        Difference for each permutation; None without permutations.
    bootstrap_distribution : ndarray of float64, shape (n_resamples,), or None
        Difference for each resample; None without resampling.
    n_samples, n_positive : int
        Numbers of samples and of positives; of several labels, a tuple of their positives.
    n_clusters : int or None
        Number of clusters; None without `groups`.
    average : str or None
        How the values of several labels were averaged; None for one binary label.
    n_labels : int or None
        Number of labels; None for one binary label.
    metric, method : str
        Name of the metric, and method of the test.
    at : float, tuple of (float, float) or None
        The operating point of a rate, two numbers if the models have thresholds of their
        own; None for other metrics.
    recall_range : tuple of (float, float)
        Range of recalls of the metric.
    prevalence : float or None
        Reference prevalence; None for the prevalence of the samples.
    confidence_level : float
        Confidence level of the interval.
    alternative : {"two-sided", "less", "greater"}
        Sides of the test and of the interval.
    """

    names: tuple[str, str] = ("y_score_a", "y_score_b")
    estimates: tuple[float, float] = (np.nan, np.nan)
    difference: float = np.nan
    statistic: float | None = np.nan
    pvalue: float = np.nan
    at: float | tuple[float, float] | None = None
    null_distribution: np.ndarray | None = field(default=None, repr=False)

    _DEFAULTS = ("influence", "mover", "cross-validation")

    @property
    def _measured(self):
        if self.at is None:
            return super()._measured
        return self._rate_at(self.at if isinstance(self.at, tuple) else (self.at,))

    def _rate_at(self, numbers):
        """The rate at one or two operating points as text."""
        prevalence = _rendering.at_prevalence(self.prevalence)
        return RATE_METRICS[self.metric].label(*numbers) + prevalence

    def _values(self):
        first, second = self.names
        labels = [self._label] * 2
        if isinstance(self.at, tuple):
            labels = [_rendering.sentence(self._rate_at((number,))) for number in self.at]
        difference, limits = self._numbers(self.difference)
        decimals = len(difference.partition(".")[2])
        estimates = [_rendering.rounded(value, decimals) for value in self.estimates]
        pvalue = f"{_rendering.pvalue_text(self.pvalue)} ({self.alternative}"
        if self.statistic is not None:
            pvalue += f", statistic {self.statistic:.4g}"
        return {
            f"{labels[0]} of {first}": estimates[0],
            f"{labels[1]} of {second}": estimates[1],
            f"difference {first} - {second}": difference,
            self._level(): limits,
            "p-value": f"{pvalue})",
        }

    def _frame_columns(self, decimals):
        """Columns of the difference in the data frame of a comparison."""
        row = {"difference": self.difference, "standard_error": self.standard_error}
        return row | self._limit_columns("difference", decimals)

    def _swapped(self):
        """The two-sided comparison of the second with the first, without distributions."""
        low, high = self.confidence_interval
        return replace(
            self,
            names=self.names[::-1],
            estimates=self.estimates[::-1],
            difference=-self.difference,
            statistic=None if self.statistic is None else -self.statistic,
            at=self.at[::-1] if isinstance(self.at, tuple) else self.at,
            confidence_interval=(-high, -low),
            null_distribution=None,
            bootstrap_distribution=None,
        )


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


class RateIntervalResult(_MemberResult, kw_only=True):
    """Interval of a rate at one operating point.

    As returned by `operating_point_interval` and, at an operating point, for each member of
    `compare_models` and `compare_subgroups`.

    Attributes
    ----------
    estimate : float
        The rate at the operating point.
    confidence_interval : ConfidenceInterval
        Limits `low` and `high`.
    threshold : float
        The lowest score that is predicted positive or, at a threshold, the threshold. The
        text has as few digits of a score, at least three, as select the same samples.
    n_predicted : float
        Number (weight) of samples predicted positive; a fraction between two thresholds.
    tie : float or None
        Number (weight) of the samples that are tied at `threshold`, if only a part of them
        is predicted positive; else None.
    at_kind : {"recall", "precision", "fpr", "k", "threshold"}
        What was given to select the operating point.
    at : float
        Its value.
    n_samples, n_positive : int
        Numbers of samples and of positives.
    n_clusters : int or None
        Number of clusters; None without `groups`.
    metric : {"precision", "recall", "specificity", "npv", "f1"}
        The rate.
    method : {"likelihood", "clopper-pearson", "beta"}
        Method of the interval.
    confidence_level : float
        Confidence level of the interval.
    alternative : {"two-sided", "less", "greater"}
        Sides of the interval.
    prevalence : float or None
        Reference prevalence; None for the prevalence of the samples.
    """

    at_kind: str
    at: float
    estimate: float = np.nan
    threshold: float = np.nan
    n_predicted: float = np.nan
    tie: float | None = None
    prevalence: float | None = None
    _is_weighted: bool = field(repr=False)
    # The threshold, or a number of fewer digits that selects the same samples.
    _shown: float = field(default=np.nan, repr=False)

    _DEFAULTS = ("likelihood", "clopper-pearson", "beta")

    @property
    def _measured(self):
        """The rate as text; the models of a comparison may have thresholds of their own."""
        rate = RATES[self.metric].label
        at = " at the threshold"
        if self.at_kind != "threshold":
            at = f" at {kind_label(self.at_kind)} {self.at:.10g}"
        return rate + at + _rendering.at_prevalence(self.prevalence)

    def _values(self):
        unit = "weight " if self._is_weighted else ""
        down_to = "y_score >=" if self.at_kind == "threshold" else "down to the score"
        predicted = f"{unit}{_rendering.number_text(self.n_predicted)}"
        # Between two samples, or inside a tie.
        is_fraction = not float(f"{self.n_predicted:.10g}").is_integer()
        if is_fraction and not self._is_weighted:
            predicted = f"{self.n_predicted:.1f} (interpolated)"
        cut = f"{predicted}, {down_to} {exact(self._shown)}"
        if self.tie is not None:
            cut += f", inside a tie of {unit}{_rendering.number_text(self.tie)}"
        estimate, limits = self._numbers(self.estimate)
        values = {self._label: estimate, self._level(): limits}
        if math.isnan(self.n_predicted):
            return values
        return values | {"predicted positive": cut}

    def _frame_columns(self, decimals):
        return {"at": self.at} | super()._frame_columns(decimals)

    def _text_columns(self):
        columns = super()._text_columns()
        if self.at_kind == "threshold":
            return {"threshold": exact(self._shown)} | columns
        return columns


# A longer table prints its first rows only.
_MOST_ROWS = 20


class ThresholdTable(_rendering.SizedResult, kw_only=True):
    """Rates at several thresholds with confidence intervals, of `threshold_table`.

    Attributes
    ----------
    threshold : ndarray of float64, shape (n_rows,)
        The thresholds, rounded to the dtype of floating-point scores; at k the lowest score
        that is predicted positive. The text has as few digits as select the same samples,
        at least three of a score and six of a given threshold.
    n_predicted, tps, fps, fns, tns : ndarray of float64, shape (n_rows,)
        Numbers (weights) of samples predicted positive, of true and of false positives, and
        of false and of true negatives.
    recall, recall_low, recall_high : ndarray of float64, shape (n_rows,)
        Recall (sensitivity) and its confidence limits.
    specificity, specificity_low, specificity_high : ndarray of float64, shape (n_rows,)
        Specificity (1 - false positive rate) and its limits.
    precision, precision_low, precision_high : ndarray of float64, shape (n_rows,)
        Precision (positive predictive value, PPV) and its limits.
    npv, npv_low, npv_high : ndarray of float64, shape (n_rows,)
        Negative predictive value and its limits.
    f1, f1_low, f1_high : ndarray of float64, shape (n_rows,)
        F1 and its limits.
    n_samples, n_positive : int
        Numbers of samples and of positives.
    n_clusters : int or None
        Number of clusters; None without `groups`.
    method : {"clopper-pearson", "beta"}
        Method of the limits. Those of F1 and, with a `prevalence`, of precision and NPV
        are always beta limits. Those of net benefit, and in rows with a k inside a tie, are
        described in `threshold_table`.
    confidence_level : float
        Confidence level of each interval.
    prevalence : float or None
        Reference prevalence of precision, NPV, F1 and net benefit; None for that of the
        samples.
    net_benefit, net_benefit_low, net_benefit_high : ndarray of float64, shape (n_rows,)
        Net benefit and its limits; None unless it was asked for.
    net_benefit_all : ndarray of float64, shape (n_rows,)
        Net benefit of predicting everybody positive; None unless it was asked for.
    """

    n_clusters: int | None
    threshold: np.ndarray
    n_predicted: np.ndarray
    tps: np.ndarray
    fps: np.ndarray
    fns: np.ndarray
    tns: np.ndarray
    recall: np.ndarray
    recall_low: np.ndarray
    recall_high: np.ndarray
    specificity: np.ndarray
    specificity_low: np.ndarray
    specificity_high: np.ndarray
    precision: np.ndarray
    precision_low: np.ndarray
    precision_high: np.ndarray
    npv: np.ndarray
    npv_low: np.ndarray
    npv_high: np.ndarray
    f1: np.ndarray
    f1_low: np.ndarray
    f1_high: np.ndarray
    method: str
    confidence_level: float
    prevalence: float | None
    net_benefit: np.ndarray | None = None
    net_benefit_low: np.ndarray | None = None
    net_benefit_high: np.ndarray | None = None
    net_benefit_all: np.ndarray | None = None
    _is_weighted: bool = field(repr=False)
    # The thresholds, or numbers of fewer digits that select the same samples.
    _shown: np.ndarray = field(repr=False)

    def to_frame(self) -> pd.DataFrame:
        """The rows as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            One column per array, and beside each rate and its limits a column of text, such
            as ``recall (interval)`` with ``0.80 (0.66, 0.91)``.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        frame = super().to_frame()
        for rate in self._rates:
            texts = [self._with_limits(rate, i) for i in range(len(frame))]
            place = frame.columns.get_loc(f"{rate}_high") + 1
            frame.insert(place, f"{rate} (interval)", texts)
        return frame

    def plot(self, ax: Axes | None = None, *, name: str | None = None) -> Axes:
        """Decision curve (Vickers and Elkin 2006): net benefit by threshold probability.

        Beside the curve and the band of its confidence limits, two lines show the net
        benefit of predicting everybody positive, and nobody (0). Draw the tables of several
        models on the same axes to compare them.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on. None draws on a new figure.
        name : str, default=None
            Name of the model in the legend.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ValueError
            If the table has no net benefit.
        ImportError
            If matplotlib is not installed.
        """
        from ..displays._decision_curve import draw_decision_curve  # after results

        return draw_decision_curve(self, ax, name)

    @property
    def _rates(self):
        """Names of the fields that have limits."""
        return [*RATES] if self.net_benefit is None else [*RATES, "net_benefit"]

    def _with_limits(self, rate, i):
        """A rate of row i and its limits as text."""
        value, low, high = (getattr(self, rate + end)[i] for end in ("", "_low", "_high"))
        return _rendering.with_limits(value, (low, high))

    def _text_row(self, i):
        """Row i of the printed table."""
        unit = " (weight)" if self._is_weighted else ""
        row = {
            "threshold": exact(self._shown[i]),
            f"predicted{unit}": _rendering.number_text(self.n_predicted[i]),
            f"true positives{unit}": _rendering.number_text(self.tps[i]),
        }
        row |= {rate.label: self._with_limits(name, i) for name, rate in RATES.items()}
        return row | self._printed_net_benefit(i)

    def _printed_net_benefit(self, i):
        """Cells of row i of the printed table with the net benefit, if it was asked for."""
        if self.net_benefit is None:
            return {}
        width = self.net_benefit_high[i] - self.net_benefit_low[i]
        of_all = self.net_benefit_all[i], _rendering.decimals_for(width)
        return {
            "net benefit": self._with_limits("net_benefit", i),
            "net benefit of all": _rendering.rounded(*of_all),
        }

    def _blocks(self):
        n_rows = len(self.threshold)
        about = f"{_rendering.percent(self.confidence_level)} confidence intervals"
        if self.prevalence is not None:
            others = " and F1" if self.net_benefit is None else ", F1 and net benefit"
            about += f"; precision, NPV{others} at prevalence {self.prevalence:g}"
        blocks = [[self._text_row(i) for i in range(min(n_rows, _MOST_ROWS))]]
        if n_rows > _MOST_ROWS:
            blocks.append(f"and {n_rows - _MOST_ROWS} more rows: to_frame()")
        return [*blocks, about, self._sizes()]


class SampleSizeResult(_rendering.SizedResult, kw_only=True):
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
            level = _rendering.percent(self.confidence_level)
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
        sizes = self._sizes("of them positive")
        return [f"{sizes}, are needed", f"for {aim}.", f"Assumed: {assumed}."]


# Several models or subgroups


class ModelComparisonResult(_rendering.ComparisonResult):
    """Intervals of several models and tests of pairs.

    As returned by `compare_models` and `compare_models_cv`.

    Attributes
    ----------
    models : dict of str to AucPRIntervalResult or RateIntervalResult
        Result of `auc_pr_interval` or `auc_pr_interval_cv`, or the rate at an operating
        point, for each model, in the order in which the models were passed.
    pairs : dict of (str, str) to AucPRComparisonResult
        Difference of the first and the second model, in the order in which they were
        passed, and its paired test. The print and the data frame show each difference as
        that of the better and the worse model, unless there is a `reference`.
    reference : str or None
        The model that all others are compared with, the second of each pair. None if all
        pairs are compared.
    adjust : {"holm", None}
        How `adjusted_pvalues` are adjusted for the number of pairs. Confidence intervals
        are never adjusted.
    """

    models: Mapping[str, AucPRIntervalResult | RateIntervalResult]
    pairs: dict[tuple[str, str], AucPRComparisonResult]
    reference: str | None
    adjust: str | None

    _KIND, _PAIR = "models", ("model_a", "model_b")

    @property
    def ranks(self) -> dict[str, float]:
        """Dict from name to rank, 1 for the highest estimate; equal estimates share one."""
        estimates = np.array([model.estimate for model in self.models.values()])
        ranks = rankdata(-estimates, "min", nan_policy="omit")
        return dict(zip(self.models, ranks.tolist(), strict=True))

    @property
    def _members(self):
        """The models, the highest estimate first and undefined ones last."""
        ranks = self.ranks
        names = sorted(ranks, key=lambda name: np.nan_to_num(ranks[name], nan=np.inf))
        return {name: self.models[name] for name in names}

    def _ordered_pairs(self):
        """Pairs in the order of rank, with adjusted p-values.

        The better model is the first of a pair, unless the second is the reference.
        """
        place = {name: i for i, name in enumerate(self._members)}
        found = []
        for (a, b), adjusted in self.adjusted_pvalues.items():
            pair = self.pairs[a, b]
            is_swapped = self.reference is None and place[a] > place[b]
            found.append((pair._swapped() if is_swapped else pair, adjusted))
        return sorted(found, key=lambda one: [place[name] for name in one[0].names])

    def _dict_of(self, name):
        return {"rank": self.ranks[name]}

    def _frame_row(self, name):
        return {"model": name, "rank": self.ranks[name]}

    def _text_row(self, name):
        row = {"rank": f"{self.ranks[name]:g}", "model": name}
        row |= self.models[name]._text_columns()
        is_column = len(self._chance_levels) > 1
        return row | ({"chance level": self.models[name]._chance} if is_column else {})

    @property
    def _chance_levels(self):
        """The chance levels of the models as text; none for cross-validations."""
        if isinstance(self._first, AucPRIntervalCVResult):
            return set()
        return {model._chance for model in self.models.values()}

    def _context(self):
        return self._first._context(with_chance=len(self._chance_levels) == 1)


class SubgroupComparisonResult(_rendering.ComparisonResult):
    """Intervals of subgroups and tests of pairs, as returned by `compare_subgroups`.

    Attributes
    ----------
    subgroups : dict of label to AucPRIntervalResult or RateIntervalResult
        Interval of each subgroup, in sorted order of the labels, or in the order of ordered
        categories.
    own_prevalences : dict of label to float
        Fraction of positives, by weight, of each subgroup itself.
    pairs : dict of (label, label) to AucPRComparisonResult
        Difference of the first and the second subgroup, and its unpaired test. The second
        label is ``"rest"`` for all samples outside the first subgroup.
    reference : label or None
        The subgroup that all others are compared with, the second of each pair, or
        ``"rest"``. None if all pairs are compared.
    adjust : {"holm", None}
        How `adjusted_pvalues` are adjusted for the number of pairs. Confidence intervals
        are never adjusted.
    """

    subgroups: Mapping[Any, AucPRIntervalResult | RateIntervalResult]
    own_prevalences: dict[Any, float]
    pairs: dict[tuple[Any, Any], AucPRComparisonResult]
    reference: Any
    adjust: str | None
    # Number of clusters of all subgroups together; None without `groups`.
    _n_clusters: int | None = field(default=None, repr=False)

    _KIND, _PAIR = "subgroups", ("subgroup_a", "subgroup_b")

    @property
    def _members(self):
        return self.subgroups

    def _ordered_pairs(self):
        """Pairs in the order of the field, with adjusted p-values."""
        return [*zip(self.pairs.values(), self.adjusted_pvalues.values(), strict=True)]

    def _dict_of(self, name):
        return {"own_prevalence": self.own_prevalences[name]}

    def _frame_row(self, name):
        one = self.subgroups[name]
        sizes = {"n_samples": one.n_samples, "n_positive": one.n_positive}
        return {"subgroup": name} | sizes | self._dict_of(name)

    def _text_row(self, name):
        one = self.subgroups[name]
        # The metric may be at another prevalence.
        own = "" if one.prevalence is None else "own "
        row = {
            "subgroup": text_of(name),
            "samples": f"{one.n_samples}",
            "positive": f"{one.n_positive}",
            f"{own}prevalence": _rendering.number_text(self.own_prevalences[name], 3),
        }
        return row | one._text_columns()

    def _context(self):
        notes = {text_of(name): _note(one) for name, one in self.subgroups.items()}
        few = "; ".join(f"{name}: {note}" for name, note in notes.items() if note)
        lines = few, self._sizes_in_clusters(), *self._first._largest_value()
        return [line for line in lines if line]

    def _sizes_in_clusters(self):
        """The sizes of all subgroups together as text; empty without clusters."""
        if self._n_clusters is None:
            return ""
        parts = self.subgroups.values()
        n = {k: sum(getattr(one, k) for one in parts) for k in ("n_samples", "n_positive")}
        return replace(self._first, n_clusters=self._n_clusters, **n)._sizes()


def _note(interval):
    """A remark if a class of a subgroup has fewer than ten samples, else an empty text."""
    n_negative = interval.n_samples - interval.n_positive
    n, of_class = min((interval.n_positive, "positives"), (n_negative, "negatives"))
    note = f"{f'only {n}' if n else 'no'} {of_class}"
    return "" if n >= _FEW else note.removesuffix("s" * (n == 1))


# Decision thresholds


class Guarantee(Result):
    """Constraints that are met simultaneously on new data, with a given confidence.

    Attributes
    ----------
    confidence_level : float
        The probability, over tuning sets, that all constraints are met on new data.
    min_recall, min_precision, max_selection_rate, max_fpr : float or None
        The limits; None where there is no such constraint.
    """

    confidence_level: float
    min_recall: float | None = None
    min_precision: float | None = None
    max_selection_rate: float | None = None
    max_fpr: float | None = None

    def _blocks(self):
        limits = []
        for name, constraint in CONSTRAINTS.items():
            if (limit := getattr(self, name)) is not None:
                sense = "least" if constraint.sign > 0 else "most"
                limits.append(
                    f"{constraint.label} is at {sense} {_rendering.number_text(limit)}"
                )
        confidence = _rendering.number_text(self.confidence_level)
        what = f"On new data {' and '.join(limits)}, with confidence {confidence},"
        # The condition has a line of its own, unless the sentence has two lines before it.
        end = "\n" if len(what) <= _rendering.WIDTH else " "
        return [f"{what}{end}for independent samples of this population."]


class RandomizedThreshold(_rendering.Record):
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


class OperatingPoint(Result, kw_only=True):
    """A chosen threshold, its rates on the tuning set, and its guarantee for new data.

    Attributes
    ----------
    threshold : float
        The chosen threshold, the upper one of a randomized threshold. Samples with scores
        >= `threshold` are predicted positive.
    precision, recall, selection_rate, fpr : float
        Rates of the tuning set; for a randomized threshold those of the expected counts.
        Precision is 0 if no sample is predicted positive. The selection rate is the
        share of the samples that are predicted positive.
    objective : str
        The objective as text.
    objective_value : float
        The value of the objective, which was maximized.
    response_method : {"predict_proba", "decision_function", "-decision_function"} or None
        The method that computes the scores of the positive class, with a minus sign if the
        decision values are negated; None if the scores were passed as an array.
    n_samples, n_positive : int
        Numbers of tuning samples and, among them, of positives.
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
    selection_rate: float
    fpr: float
    objective: str
    objective_value: float
    response_method: str | None = None
    n_samples: int
    n_positive: int
    randomized_threshold: RandomizedThreshold | None = None
    guarantee: Guarantee | None = None
    objective_value_without_guarantee: float | None = None
    prevalence: float | None = None
    pos_label: Label | None = None

    def __post_init__(self):
        super().__post_init__()
        if isinstance(self.randomized_threshold, tuple):
            randomized = RandomizedThreshold(*self.randomized_threshold)
            object.__setattr__(self, "randomized_threshold", randomized)
        if isinstance(self.guarantee, dict):
            object.__setattr__(self, "guarantee", Guarantee(**self.guarantee))

    def _blocks(self):
        rule = f"{_rendering.compared(self.response_method)} >= "
        rule += exact(self.threshold)
        rule += " (as predict does)" if self.response_method else ""
        if self.randomized_threshold is None and np.isinf(self.threshold):
            rule += ": no sample" if self.threshold > 0 else ": every sample"
        which = "positive" if self.pos_label is None else repr(self.pos_label)
        blocks = [f"Predict {which} if {rule}."]
        for part in (self.randomized_threshold, self.guarantee):
            blocks += [] if part is None else part._blocks()
        rates = {"recall": self.recall, "precision": self.precision}
        shown = ", ".join(f"{k} {_rendering.number_text(v, 2)}" for k, v in rates.items())
        percent = f"{100 * self.selection_rate:#.3g}".rstrip(".")
        if float(percent) in (0.0, 100.0):  # only if all, or none, are predicted positive
            percent = _rendering.number_text(round(100 * self.selection_rate, 6))
        last = f"{percent} % predicted positive."
        # A function of the user may have the name of a rate.
        if self.objective_value != rates.get(self.objective):
            value = _rendering.number_text(self.objective_value, 2)
            last += f" Objective: {self.objective} {value}."
        if (without := self.objective_value_without_guarantee) is not None:
            value = _rendering.number_text(without, 2)
            last += f" Without the guarantee: {self.objective} {value}."
        sizes = f"{self.n_samples} samples, {self.n_positive} positive"
        if self.prevalence is not None:
            shown = f"at prevalence {exact(self.prevalence)}: {shown}"
        return [*blocks, f"Tuning set: {sizes}; {shown},\n{last}"]


class TuningCounts(_rendering.Record):
    """Counts of the tuning set at the kept thresholds; can be unpacked.

    Attributes
    ----------
    fps, tps : ndarray of shape (n_thresholds,)
        False and true positives among the tuning samples whose score reaches the threshold.
        Non-decreasing, from 0 to all negatives and all positives. int64; float64 with
        weights and, of `fps`, at a reference prevalence.
    """

    fps: np.ndarray
    tps: np.ndarray


class TuningCurve(_rendering.Record):
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
        """One row per point: ``score`` (inf first), ``fps``, ``tps``, ``is_vertex``."""
        score = np.append(np.inf, self.scores)
        columns = {"score": score, "fps": self.fps, "tps": self.tps}
        columns["is_vertex"] = np.isin(np.arange(len(self.fps)), self.vertices)
        return _rendering.import_pandas().DataFrame(columns)


# Folds


class FoldPredictions(_rendering.Record):
    """Labels, scores and weights of the folds of a cross-validation; can be unpacked.

    Attributes
    ----------
    y_true : list of ndarray of bool
        Whether each test sample of a fold has the positive label.
    y_score : list of ndarray
        Scores of the test samples of each fold, higher for the positive label.
    sample_weight : list of ndarray or None
        Weights of the test samples of each fold; None without weights.
    """

    y_true: list[np.ndarray]
    y_score: list[np.ndarray]
    sample_weight: list[np.ndarray] | None = None

    def _blocks(self):
        sizes = [len(labels) for labels in self.y_true]
        positives = [np.count_nonzero(labels) for labels in self.y_true]
        folds = f"{len(sizes)} folds, at least {min(positives)} positives in each"
        # Repeated folds test each sample several times.
        return [f"{sum(sizes)} test samples, {sum(positives)} positive", folds]

    def to_frame(self) -> pd.DataFrame:
        """One row per test sample: ``fold``, ``y_true``, ``y_score``, ``sample_weight``.

        Folds are numbered from 0. Without weights every weight is 1.
        """
        sizes = [len(labels) for labels in self.y_true]
        weights = self.sample_weight
        columns = {
            "fold": np.repeat(np.arange(len(sizes)), sizes),
            "y_true": np.concatenate(self.y_true),
            "y_score": np.concatenate(self.y_score),
            "sample_weight": np.ones(sum(sizes))
            if weights is None
            else np.concatenate(weights),
        }
        return _rendering.import_pandas().DataFrame(columns)


# Data larger than memory


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
