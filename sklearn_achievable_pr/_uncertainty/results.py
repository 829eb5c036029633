"""What intervals and tests return."""

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


@dataclass(frozen=True)
class AucPRIntervalResult:
    """Result of `auc_pr_interval`; see there.

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

    estimate: float
    standard_error: float
    confidence_interval: ConfidenceInterval
    df: float | None
    bootstrap_distribution: np.ndarray | None = field(repr=False)
    n_samples: int
    n_positive: int
    n_clusters: int | None
    metric: str
    recall_range: tuple[float, float]
    method: str
    confidence_level: float

    def __str__(self):
        return "\n".join((_estimate_line(self, self.estimate), _interval_line(self)))


@dataclass(frozen=True)
class AucPRComparisonResult:
    """Result of `compare_auc_pr`; see there.

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

    estimates: tuple[float, float]
    difference: float
    standard_error: float
    statistic: float
    pvalue: float
    confidence_interval: ConfidenceInterval
    df: float | None
    null_distribution: np.ndarray | None = field(repr=False)
    bootstrap_distribution: np.ndarray | None = field(repr=False)
    n_samples: int
    n_positive: int
    n_clusters: int | None
    metric: str
    recall_range: tuple[float, float]
    method: str
    confidence_level: float

    def __str__(self):
        return "\n".join(
            (
                _estimate_line(self, *self.estimates),
                f"difference: {self.difference:.4f}",
                _interval_line(self),
                f"statistic: {self.statistic:.4g}",
                f"p-value: {self.pvalue:.4g}",
            )
        )


@dataclass(frozen=True)
class AucPRChanceResult:
    """Result of `auc_pr_chance_test`; see there.

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

    statistic: float
    pvalue: float
    null_distribution: np.ndarray = field(repr=False)
    n_samples: int
    n_positive: int
    n_clusters: int | None
    metric: str
    recall_range: tuple[float, float]
    method: str

    def __str__(self):
        return f"{_estimate_line(self, self.statistic)}\np-value: {self.pvalue:.4g}"


def _estimate_line(result, *estimates):
    range_ = ""
    if result.recall_range != (0.0, 1.0):
        range_ = ", recall {:g} to {:g}".format(*result.recall_range)
    values = " and ".join(f"{estimate:.4f}" for estimate in estimates)
    return f"{result.metric}{range_}: {values}"


def _interval_line(result):
    low, high = result.confidence_interval
    percent = f"{100 * result.confidence_level:.10g}"
    return f"{percent} % confidence interval: {low:.4f} to {high:.4f}"
