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
    """

    low: float
    high: float


def _interval_line(result):
    low, high = result.confidence_interval
    level = f"{100 * result.confidence_level:.10g} %"
    return f"{level} confidence interval: {low:.4f} to {high:.4f}"


_UNDEFINED = ConfidenceInterval(np.nan, np.nan)


@dataclass(frozen=True, kw_only=True)
class _Result:
    """Base class with the metric and sample sizes. Undefined numbers are NaN."""

    metric: str
    method: str
    n_samples: int
    n_positive: int
    n_clusters: int | None


@dataclass(frozen=True, kw_only=True)
class _AreaResult(_Result):
    recall_range: tuple[float, float]

    def _estimate_line(self, *estimates):
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
    """Result of `auc_pr_interval`, whose docstring describes the attributes.

    Attributes
    ----------
    estimate, standard_error : float
    confidence_interval : ConfidenceInterval
    df : float or None
    bootstrap_distribution : ndarray or None
    n_samples, n_positive : int
    n_clusters : int or None
    metric : str
    recall_range : tuple of (float, float)
    method : str
    confidence_level : float
    """

    estimate: float = np.nan

    def __str__(self):
        return f"{self._estimate_line(self.estimate)}\n{_interval_line(self)}"


@dataclass(frozen=True, kw_only=True)
class OperatingPointResult(_Result):
    """Result of `operating_point_interval`, whose docstring describes the attributes.

    Attributes
    ----------
    estimate : float
    confidence_interval : ConfidenceInterval
    threshold, n_predicted : float
    point : str
    n_samples, n_positive : int
    n_clusters : int or None
    metric : str
    method : str
    confidence_level : float
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
    """Result of `compare_auc_pr`, whose docstring describes the attributes.

    Attributes
    ----------
    estimates : tuple of (float, float)
    difference, standard_error, statistic, pvalue : float
    confidence_interval : ConfidenceInterval
    df : float or None
    null_distribution, bootstrap_distribution : ndarray or None
    n_samples, n_positive : int
    n_clusters : int or None
    metric : str
    recall_range : tuple of (float, float)
    method : str
    confidence_level : float
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
    """Result of `auc_pr_chance_test`, whose docstring describes the attributes.

    Attributes
    ----------
    statistic, pvalue : float
    null_distribution : ndarray
    n_samples, n_positive : int
    n_clusters : int or None
    metric : str
    recall_range : tuple of (float, float)
    method : str
    """

    statistic: float = np.nan
    pvalue: float = np.nan
    null_distribution: np.ndarray | None = field(default=None, repr=False)

    def __str__(self):
        return f"{self._estimate_line(self.statistic)}\np-value: {self.pvalue:.4g}"


@dataclass(frozen=True)
class SampleSizeResult:
    """Result of `required_sample_size`, whose docstring describes the attributes.

    Attributes
    ----------
    n_samples, n_positive : int
    n_clusters : int or None
    width, power : float or None
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
