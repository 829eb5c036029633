"""Result objects of intervals and tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np


class ConfidenceInterval(NamedTuple):
    """Limits of a confidence interval.

    Attributes
    ----------
    low, high : float
        Lower and upper limit.
    """

    low: float
    high: float


def _interval_line(result):
    """The confidence level and the limits as text."""
    low, high = result.confidence_interval
    level = f"{100 * result.confidence_level:.10g} %"
    return f"{level} confidence interval: {low:.4f} to {high:.4f}"


_UNDEFINED = ConfidenceInterval(np.nan, np.nan)


@dataclass(frozen=True, kw_only=True)
class _Result:
    """Base class of results, with the metric, the method and the sample sizes."""

    metric: str
    method: str
    n_samples: int
    n_positive: int
    n_clusters: int | None


@dataclass(frozen=True, kw_only=True)
class _AreaResult(_Result):
    """Base class of the results that measure a metric over a range of recalls."""

    recall_range: tuple[float, float]

    def _estimate_line(self, *estimates):
        """The metric and its estimates as text."""
        part = ""
        if self.recall_range != (0.0, 1.0):
            part = ", recall {:g} to {:g}".format(*self.recall_range)
        return f"{self.metric}{part}: " + " and ".join(f"{e:.4f}" for e in estimates)


@dataclass(frozen=True, kw_only=True)
class IntervalResult(_AreaResult):
    """Base class of the results of `auc_pr_interval` and `compare_auc_pr`."""

    confidence_level: float
    standard_error: float = np.nan
    confidence_interval: ConfidenceInterval = _UNDEFINED
    df: float | None = np.nan
    bootstrap_distribution: np.ndarray | None = field(default=None, repr=False)


@dataclass(frozen=True, kw_only=True)
class AucPRIntervalResult(IntervalResult):
    """Confidence interval of a metric, as returned by `auc_pr_interval`.

    Attributes
    ----------
    estimate, standard_error : float
        Value of the metric and its standard error.
    confidence_interval : ConfidenceInterval
        Limits `low` and `high`.
    df : float or None
        Degrees of freedom of the standard error; None for resampling.
    bootstrap_distribution : ndarray of float64, shape (n_resamples,), or None
        Value of the metric for each resample; None without resampling.
    n_samples, n_positive : int
        Numbers of samples and of positives.
    n_clusters : int or None
        Number of clusters; None without `groups`.
    metric, method : str
        Name of the metric, and method of the interval.
    recall_range : tuple of (float, float)
        Range of recalls of the metric.
    confidence_level : float
        Confidence level of the interval.
    """

    estimate: float = np.nan

    def __str__(self):
        return f"{self._estimate_line(self.estimate)}\n{_interval_line(self)}"


@dataclass(frozen=True, kw_only=True)
class OperatingPointResult(_Result):
    """Interval of precision or recall, as returned by `operating_point_interval`.

    Attributes
    ----------
    estimate : float
        Precision or recall at the operating point.
    confidence_interval : ConfidenceInterval
        Limits `low` and `high`.
    threshold : float
        The given threshold, or the lowest score that is predicted positive.
    n_predicted : float
        Number (weight) of samples predicted positive.
    point : str
        The operating point as text, such as ``"recall = 0.8"``.
    n_samples, n_positive : int
        Numbers of samples and of positives.
    n_clusters : int or None
        Number of clusters; None without `groups`.
    metric : {"precision", "recall"}
        The metric of the interval.
    method : {"clopper-pearson", "likelihood", "beta"}
        Method of the interval.
    confidence_level : float
        Confidence level of the interval.
    """

    point: str
    confidence_level: float
    estimate: float = np.nan
    confidence_interval: ConfidenceInterval = _UNDEFINED
    threshold: float = np.nan
    n_predicted: float = np.nan

    def __str__(self):
        return (
            f"{self.metric} at {self.point}: {self.estimate:.4f}\n"
            f"{_interval_line(self)}\n"
            f"{self.n_predicted:.10g} predicted positive, down to the score "
            f"{self.threshold:.6g}"
        )


@dataclass(frozen=True, kw_only=True)
class AucPRComparisonResult(IntervalResult):
    """Test of the difference between two scores, as returned by `compare_auc_pr`.

    Attributes
    ----------
    estimates : tuple of (float, float)
        Values of the metric for scores a and b.
    difference, standard_error : float
        Estimate of a minus estimate of b, and its standard error.
    statistic, pvalue : float
        Difference divided by its standard error, and p-value of the test.
    confidence_interval : ConfidenceInterval
        Limits `low` and `high` of the difference.
    df : float or None
        Degrees of freedom of the standard error; None for resampling.
    null_distribution : ndarray of float64 or None
        Difference for each permutation; None without permutations.
    bootstrap_distribution : ndarray of float64, shape (n_resamples,), or None
        Difference for each resample; None without resampling.
    n_samples, n_positive : int
        Numbers of samples and of positives.
    n_clusters : int or None
        Number of clusters; None without `groups`.
    metric, method : str
        Name of the metric, and method of the test.
    recall_range : tuple of (float, float)
        Range of recalls of the metric.
    confidence_level : float
        Confidence level of the interval.
    """

    estimates: tuple[float, float] = (np.nan, np.nan)
    difference: float = np.nan
    statistic: float = np.nan
    pvalue: float = np.nan
    null_distribution: np.ndarray | None = field(default=None, repr=False)

    def __str__(self):
        return (
            f"{self._estimate_line(*self.estimates)}\n"
            f"difference: {self.difference:.4f}\n"
            f"{_interval_line(self)}\n"
            f"statistic: {self.statistic:.4g}\n"
            f"p-value: {self.pvalue:.4g}"
        )


@dataclass(frozen=True, kw_only=True)
class AucPRChanceResult(_AreaResult):
    """Permutation test against chance, as returned by `auc_pr_chance_test`.

    Attributes
    ----------
    statistic, pvalue : float
        Value of the metric, and one-sided p-value.
    null_distribution : ndarray of float64
        Value of the metric for each permutation of the labels; None if a class is missing.
    n_samples, n_positive : int
        Numbers of samples and of positives.
    n_clusters : int or None
        Number of clusters; None without `groups`.
    metric, method : str
        Name of the metric, and ``"permutation"``.
    recall_range : tuple of (float, float)
        Range of recalls of the metric.
    """

    statistic: float = np.nan
    pvalue: float = np.nan
    null_distribution: np.ndarray | None = field(default=None, repr=False)

    def __str__(self):
        return f"{self._estimate_line(self.statistic)}\np-value: {self.pvalue:.4g}"


@dataclass(frozen=True)
class SampleSizeResult:
    """Number of samples of a planned study, as returned by `required_sample_size`.

    Attributes
    ----------
    n_samples, n_positive : int
        Numbers of samples and, among them, of positives.
    n_clusters : int or None
        Number of clusters; None if the pilot had no clusters.
    width, power : float or None
        The planned width of the interval or power of the test; the other one is None.
    """

    n_samples: int
    n_positive: int
    n_clusters: int | None
    width: float | None
    power: float | None

    def __str__(self):
        clusters = f" in {self.n_clusters} clusters" if self.n_clusters else ""
        aim = "power" if self.width is None else "an interval of width"
        return (
            f"{self.n_samples} samples{clusters}, {self.n_positive} of them positive, are "
            f"needed for {aim} {self.width or self.power:g}."
        )
