"""Intervals and comparisons of a checked sample, and what they are returned as."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy.sparse import vstack
from scipy.special import stdtr
from sklearn.exceptions import UndefinedMetricWarning

from .._input.options import warn_caller
from .._metrics import SMOOTH, MetricWithOptions
from .limits import (
    bca_limits,
    beta_limits,
    boyd_limits,
    logit_limits,
    one_or_two_sided,
    percentile_limits,
    t_quantile,
    tail_of,
)
from .permutation import (
    BlockPermutation,
    GroupPermutation,
    LabelPermutation,
    PairedExchange,
    null_values,
)
from .resampling import (
    Difference,
    RowDraws,
    Statistic,
    UnitDraws,
    cell_layout,
    cells_of_rows,
    left_out,
    resampled,
    unit_table,
)
from .standard_error import (
    Sample,
    influence_values,
    influence_values_of_samples,
    sample_influence,
)

FROM_INFLUENCE = ("beta", "logit")
FROM_POSITIVES = ("boyd_logit", "boyd_binomial")
FROM_RESAMPLES = ("percentile", "bca")


# Results


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
    """What `auc_pr_interval` returns.

    Attributes
    ----------
    estimate : float
    standard_error : float
    confidence_interval : ConfidenceInterval
    df : float or None
    bootstrap_distribution : ndarray or None
    """

    estimate: float
    standard_error: float
    confidence_interval: ConfidenceInterval
    df: float | None
    bootstrap_distribution: np.ndarray | None = field(default=None, repr=False)


@dataclass(frozen=True)
class AucPRComparisonResult:
    """What `compare_auc_pr` returns.

    Attributes
    ----------
    estimates : tuple of (float, float)
    difference : float
    standard_error : float
    statistic : float
    pvalue : float
    confidence_interval : ConfidenceInterval
    df : float or None
    null_distribution, bootstrap_distribution : ndarray or None
    """

    estimates: tuple[float, float]
    difference: float
    standard_error: float
    statistic: float
    pvalue: float
    confidence_interval: ConfidenceInterval
    df: float | None
    null_distribution: np.ndarray | None = field(default=None, repr=False)
    bootstrap_distribution: np.ndarray | None = field(default=None, repr=False)


@dataclass(frozen=True)
class AucPRChanceResult:
    """What `auc_pr_chance_test` returns.

    Attributes
    ----------
    statistic : float
    pvalue : float
    null_distribution : ndarray
    """

    statistic: float
    pvalue: float
    null_distribution: np.ndarray = field(repr=False)


# One score


def influence_interval(measure, sample, method, confidence_level, alternative):
    value, moves = influence_values(measure, sample)
    error, min_effective_class_size, largest = (
        moves.standard_error(value),
        sample.min_effective_class_size,
        measure.highest,
    )
    tail, df = (
        tail_of(confidence_level, alternative),
        moves.degrees_of_freedom(min_effective_class_size),
    )
    scaled = min(max(value / largest, 0.0), 1.0), error / largest
    if method == "beta":
        limits = beta_limits(*scaled, df, min_effective_class_size, tail)
    else:
        limits = logit_limits(*scaled, t_quantile(df, tail))
    limits = [limit * largest for limit in limits]
    return _interval_result(measure, value, error, limits, alternative, df=df)


def boyd_interval(measure, sample, method, confidence_level, alternative):
    value, n_pos = measure.value(measure.roc_of(sample.data)), sample.n_with(True)
    tail = tail_of(confidence_level, alternative)
    limits = boyd_limits(value, n_pos, tail, method.removeprefix("boyd_"))
    error = float(np.sqrt(value * (1 - value) / n_pos))
    return _interval_result(measure, value, error, limits, alternative, df=np.inf)


def resampled_interval(
    measure, sample, method, confidence_level, alternative, n_resamples, rng
):
    roc = measure.roc_of(sample.data)
    value = measure.value(roc)
    draws, n_steps = _draws(measure, sample, roc)
    statistic = Statistic(measure, n_steps)
    values = resampled(statistic, draws, n_resamples, rng)
    tail = tail_of(confidence_level, alternative)
    if method == "bca":
        if measure.name in SMOOTH:
            moves = influence_values_of_samples(
                sample, sample_influence(measure, sample.data)[1]
            )
        else:
            moves = left_out(statistic, draws)
        limits = bca_limits(values, value, moves.skew(), tail)
    else:
        limits = percentile_limits(values, tail)
    error = float(np.std(values, ddof=1)) if len(values) > 1 else np.nan
    return _interval_result(
        measure, value, error, limits, alternative, values=read_only(values)
    )


def _draws(measure, sample, roc):
    """What draws resamples for a ROC curve, and the number of its steps."""
    points = roc.concatenated()
    steps = cell_layout(points.fps, points.tps)
    if sample.unit is None and sample.data.weight is None:
        return RowDraws(steps, sample.fixed_class_counts), steps.n_steps
    table = unit_table(
        cells_of_rows(roc, sample.data),
        sample.units,
        sample.data.weight,
        len(steps.counts),
        sample.n_units,
    )
    return UnitDraws(table, sample.strata), steps.n_steps


def _interval_result(measure, value, error, limits, alternative, *, df=None, values=None):
    ends = measure.lowest, measure.highest
    interval = ConfidenceInterval(*one_or_two_sided(*limits, alternative, ends))
    df = None if df is None else float(df)
    return AucPRIntervalResult(float(value), float(error), interval, df, values)


def no_interval(measure, sample):
    _warn_unknown(sample, "the interval holds every value", "")
    value = measure.value(measure.roc_of(sample.data))
    ends = measure.lowest, measure.highest
    return _interval_result(measure, value, np.nan, ends, "two-sided", df=0)


# Two scores


class Comparison(NamedTuple):
    """Two scores of the same rows, and what is asked about them."""

    measure: MetricWithOptions
    samples: list[Sample]
    estimates: tuple[float, ...]  # two
    confidence_level: float
    alternative: str

    @property
    def difference(self):
        return self.estimates[0] - self.estimates[1]

    def by_influence(self, pvalue=None, error=None, null_distribution=None):
        """The t test; a permutation brings its own p-value."""
        sample, tail = self.samples[0], tail_of(self.confidence_level, self.alternative)
        df = sample.min_effective_class_size - 1
        if error is None and sample.spread_is_known:
            error, df = self._spread()
        limits = (-np.inf, np.inf)
        if not sample.spread_is_known or (error == 0 and self.difference != 0):
            error = statistic = np.nan
            _warn_unknown(
                sample,
                "the interval holds every difference",
                "" if pvalue is not None else ' Take method="permutation".',
            )
        else:
            statistic = self.difference / error if error > 0 else 0.0
            reach = t_quantile(df, tail) * error if error > 0 else 0.0
            limits = self.difference - reach, self.difference + reach
        if pvalue is None:
            pvalue = _t_pvalue(statistic, df, self.alternative)
        return self._result(error, statistic, pvalue, limits, df, null_distribution)

    def by_permutation(self, n_resamples, rng):
        """Places of the two scores exchanged."""
        sample = self.samples[0]
        data_sets = [s.data for s in self.samples]
        null = null_values(
            PairedExchange(data_sets, sample.units, self.measure), n_resamples, rng
        )
        error = None
        if self.measure.name not in SMOOTH:
            error = float(np.sqrt(np.mean(null.values**2)))
        pvalue = null.pvalue(self.alternative)
        return self.by_influence(pvalue, error, read_only(null.values))

    def by_resampling(self, n_resamples, rng):
        """The same resamples of the rows for both."""
        statistics, tables = [], []
        for sample in self.samples:
            roc = self.measure.roc_of(sample.data)
            points = roc.concatenated()
            steps = cell_layout(points.fps, points.tps)
            statistics.append(Statistic(self.measure, steps.n_steps))
            cells = cells_of_rows(roc, sample.data)
            tables.append(
                unit_table(
                    cells,
                    sample.units,
                    sample.data.weight,
                    len(steps.counts),
                    sample.n_units,
                )
            )
        draws = UnitDraws(vstack(tables, format="csr"), self.samples[0].strata)
        values = resampled(
            Difference(*statistics, tables[0].shape[0]), draws, n_resamples, rng
        )
        tail = tail_of(self.confidence_level, self.alternative)
        limits = percentile_limits(values, tail)
        error = float(np.std(values, ddof=1)) if len(values) > 1 else np.nan
        not_above, not_below = (
            (np.count_nonzero(sign * values <= 0) + 1) / (len(values) + 1)
            for sign in (1, -1)
        )
        pvalue = {
            "greater": not_above,
            "less": not_below,
            "two-sided": min(1.0, 2 * min(not_above, not_below)),
        }[self.alternative]
        statistic = self.difference / error if error > 0 else 0.0
        return self._result(error, statistic, pvalue, limits, None, None, read_only(values))

    def _spread(self):
        """Standard error of the difference and its degrees of freedom."""
        sample = self.samples[0]
        first, second = (sample_influence(self.measure, s.data)[1] for s in self.samples)
        moves = influence_values_of_samples(sample, first - second)
        error = moves.standard_error(max(self.estimates))
        return error, moves.degrees_of_freedom(sample.min_effective_class_size)

    def _result(self, error, statistic, pvalue, limits, df, null=None, values=None):
        most = self.measure.highest - self.measure.lowest
        low, high = one_or_two_sided(*limits, self.alternative, (-most, most))
        return AucPRComparisonResult(
            self.estimates,
            self.difference,
            float(error),
            float(statistic),
            float(pvalue),
            ConfidenceInterval(low, high),
            None if df is None else float(df),
            null,
            values,
        )


def _t_pvalue(statistic, df, alternative):
    if np.isnan(statistic):
        return np.nan
    below, above = stdtr(df, statistic), stdtr(df, -statistic)
    return {"less": below, "greater": above, "two-sided": 2 * min(below, above)}[
        alternative
    ]


# Chance


def arrangement_of(measure, sample):
    data = sample.data
    if sample.unit is None and data.weight is None:
        return LabelPermutation(data, measure)
    if data.weight is None and sample.n_with(True) + sample.n_with(False) == (
        sample.n_units
    ):
        return GroupPermutation(data, sample.unit, measure)
    found = BlockPermutation(data, sample.units, measure)
    if found.n_distinct == 1:
        raise ValueError(
            "`groups` leaves nothing to exchange: each has rows of both classes, or "
            "weights, and no two are of the same size. Permute rows instead, without "
            "`groups`, if they are independent."
        )
    return found


def _warn_unknown(sample, consequence, way_out):
    if sample.spread_is_known:
        why = "the samples show none"
    else:
        which = "positive" if sample.n_with(True) <= sample.n_with(False) else "negative"
        unit = "row" if sample.unit is None else "group of `groups`"
        why = f"all {which} samples of `y_true`, or all their weight, are one {unit}"
    warn_caller(
        f"Nothing is known about the spread: {why}. The standard error is undefined and "
        f"{consequence}.{way_out}",
        UndefinedMetricWarning,
    )


def read_only(values):
    values.flags.writeable = False
    return values
