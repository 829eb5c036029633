"""Results of rates at one operating point and at several thresholds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from .._input.options import exact
from ..metrics._rates import RATES
from ..metrics._rates_at import kind_label, top_text
from ._areas import (
    NO_LIMITS,
    ConfidenceInterval,
    estimate_column,
    level_text,
    limit_columns,
    texts_of,
)
from ._rendering import (
    decimals_of_column,
    percent_text,
    prevalence_text,
    sentence,
    sizes_text,
    value_text,
    with_limits,
)
from ._result import Result

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

# A table with more rows prints only its first rows.
_MOST_ROWS = 20


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class RateIntervalResult(Result):
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
        print has as few digits of a score, at least three, as are needed to select the same
        samples.
    n_predicted : float
        Number (weight) of samples predicted positive; a fraction between two thresholds.
    tie : float or None
        Number (weight) of the samples that are tied at `threshold`, if only a part of them
        is predicted positive; else None.
    at_kind : {"recall", "precision", "fpr", "k", "threshold"}
        Which quantity was given to select the operating point.
    at : float
        The value of that quantity.
    n_samples, n_positive : int
        Numbers of samples and of positives.
    n_clusters : int or None
        Number of clusters; None without `groups`.
    metric : {"precision", "recall", "specificity", "npv", "f1", "selection_rate"}
        The rate.
    method : {"union", "clopper-pearson", "beta"}
        Method of the interval: ``"union"`` at a cut that moves with the samples (at a
        recall, a precision, an FPR or k), and one of the others at a threshold.
    confidence_level : float
        Confidence level of the interval.
    alternative : {"two-sided", "less", "greater"}
        Sides of the interval.
    prevalence : float or None
        Reference prevalence; None for the prevalence of the samples.
    """

    n_samples: int
    n_positive: int
    metric: str
    method: str
    n_clusters: int | None
    confidence_level: float
    alternative: str = "two-sided"
    confidence_interval: ConfidenceInterval = NO_LIMITS
    at_kind: str
    at: float
    estimate: float = np.nan
    threshold: float = np.nan
    n_predicted: float = np.nan
    tie: float | None = None
    prevalence: float | None = None
    # True if counts are weights. The counts do not show it: weights may be integers.
    _is_weighted: bool = field(repr=False)
    # The print shows this number, which selects the same samples, with fewer digits.
    _shown: float = field(default=np.nan, repr=False)

    def __post_init__(self):
        super().__post_init__()
        # The interval may be passed as a pair of numbers.
        limits = ConfidenceInterval(*self.confidence_interval)
        object.__setattr__(self, "confidence_interval", limits)

    _VALUE = "estimate"
    # A rate has no chance level, and its print has no lines below the sizes of the samples.
    _chance = ""
    _notes = ()

    @property
    def _sizes(self):
        """The sizes of the samples as text."""
        # At a reference prevalence counts are weights, too.
        is_weighted = self._is_weighted and self.prevalence is None
        return sizes_text(self.n_samples, self.n_positive, self.n_clusters, is_weighted)

    @property
    def _measured(self):
        """The rate as text; the models of a comparison may have thresholds of their own."""
        rate = RATES[self.metric].label
        at = " at the threshold"
        if self.at_kind == "k":
            at = top_text(self.at)
        elif self.at_kind != "threshold":
            at = f" at {kind_label(self.at_kind)} {self.at:.10g}"
        return rate + at + prevalence_text(self.prevalence)

    def _blocks(self):
        return [self._values(), self._sizes]

    def _values(self):
        """The estimate, its interval and the cut, by their labels."""
        unit = "weight " if self._is_weighted else ""
        down_to = "y_score >=" if self.at_kind == "threshold" else "down to the score"
        predicted = f"{unit}{value_text(self.n_predicted)}"
        # The number is a fraction between two samples or inside a tie.
        is_fraction = not float(f"{self.n_predicted:.10g}").is_integer()
        if is_fraction and not self._is_weighted:
            predicted = f"{self.n_predicted:.1f} (interpolated)"
        cut = f"{predicted}, {down_to} {exact(self._shown)}"
        if self.tie is not None:
            cut += f", inside a tie of {unit}{value_text(self.tie)}"
        estimate, limits = texts_of(self)
        values = {sentence(self._measured): estimate, level_text(self): limits}
        if math.isnan(self.n_predicted):
            return values
        return values | {"predicted positive": cut}

    def _frame_columns(self, decimals):
        """Columns of the estimate in the data frame of a comparison."""
        row = {"at": self.at, "estimate": self.estimate}
        return row | limit_columns(self, decimals)

    def _text_columns(self, decimals):
        """Columns of the estimate in the printed table of a comparison."""
        is_threshold = self.at_kind == "threshold"
        threshold = {"threshold": exact(self._shown)} if is_threshold else {}
        return threshold | estimate_column(self, decimals)


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class ThresholdTable(Result):
    """Rates at several thresholds with confidence intervals, from `threshold_table`.

    Attributes
    ----------
    threshold : ndarray of float64, shape (n_rows,)
        The thresholds, rounded to the dtype of floating-point scores; at k the lowest score
        that is predicted positive. The print has as few digits as are needed to select the
        same samples: at least three for a score, six for a given threshold.
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
    selection_rate, selection_rate_low, selection_rate_high : ndarray of float64, shape \
            (n_rows,)
        Share of the samples that is predicted positive, and its limits.
    n_samples, n_positive : int
        Numbers of samples and of positives.
    n_clusters : int or None
        Number of clusters; None without `groups`.
    method : {"clopper-pearson", "beta", "union"}
        Method of the limits, which Notes of `threshold_table` describe: the first two are
        for thresholds, ``"union"`` is for k. With a `prevalence` the limits of the rates
        that depend on it are always beta limits.
    confidence_level : float
        Confidence level of each interval.
    prevalence : float or None
        Reference prevalence of precision, NPV, F1, selection rate and net benefit; None for
        that of the samples.
    net_benefit, net_benefit_low, net_benefit_high : ndarray of float64, shape (n_rows,)
        Net benefit and its limits; None without ``net_benefit=True``.
    net_benefit_all : ndarray of float64, shape (n_rows,)
        Net benefit of predicting everybody positive; None without ``net_benefit=True``.
    """

    n_samples: int
    n_positive: int
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
    selection_rate: np.ndarray
    selection_rate_low: np.ndarray
    selection_rate_high: np.ndarray
    method: str
    confidence_level: float
    prevalence: float | None
    net_benefit: np.ndarray | None = None
    net_benefit_low: np.ndarray | None = None
    net_benefit_high: np.ndarray | None = None
    net_benefit_all: np.ndarray | None = None
    # True if counts are weights. The counts do not show it: weights may be integers.
    _is_weighted: bool = field(repr=False)
    # The print shows these numbers, which select the same samples, with fewer digits.
    _shown: np.ndarray = field(repr=False)

    def to_frame(self) -> pd.DataFrame:
        """The table as a pandas DataFrame, one row per threshold.

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
            place = frame.columns.get_loc(f"{rate}_high") + 1
            frame.insert(place, f"{rate} (interval)", self._with_limits(rate))
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
        # Displays are a higher layer.
        from ..displays._result_plots import draw_decision_curve

        return draw_decision_curve(self, ax, name, percent_text(self.confidence_level))

    @property
    def _rates(self):
        """Names of the fields that have limits."""
        return [*RATES] if self.net_benefit is None else [*RATES, "net_benefit"]

    def _rows(self, rate):
        """A rate and its limits in each row."""
        columns = (getattr(self, rate + end) for end in ("", "_low", "_high"))
        return [*zip(*columns, strict=True)]

    def _with_limits(self, rate):
        """A rate and its limits in each row as text."""
        rows = self._rows(rate)
        decimals = decimals_of_column(rows)
        return [with_limits(row, decimals) for row in rows]

    def _text_columns(self: Any):
        """Columns of the printed table, by title."""
        unit = " (weight)" if self._is_weighted else ""
        columns = {
            "threshold": map(exact, self._shown),
            f"predicted{unit}": map(value_text, self.n_predicted),
            f"true positives{unit}": map(value_text, self.tps),
        }
        columns |= {rate.label: self._with_limits(name) for name, rate in RATES.items()}
        if self.net_benefit is None:
            return columns
        decimals = decimals_of_column(self._rows("net_benefit"))
        return columns | {
            "net benefit": self._with_limits("net_benefit"),
            "net benefit, treat all": [
                value_text(value, decimals=decimals) for value in self.net_benefit_all
            ],
        }

    def _blocks(self):
        n_rows = len(self.threshold)
        about = f"{percent_text(self.confidence_level)} confidence intervals"
        if self.prevalence is not None:
            last = " and selection rate"
            if self.net_benefit is not None:
                last = ", selection rate and net benefit"
            about += f"; precision, NPV, F1{last} at prevalence {self.prevalence:g}"
        columns = self._text_columns()
        rows = islice(zip(*columns.values(), strict=True), _MOST_ROWS)
        blocks: list[Any] = [[dict(zip(columns, row, strict=True)) for row in rows]]
        if n_rows > _MOST_ROWS:
            blocks.append(f"and {n_rows - _MOST_ROWS} more rows: to_frame()")
        sizes = self.n_samples, self.n_positive, self.n_clusters, self._is_weighted
        return [*blocks, about, sizes_text(*sizes)]
