"""Intervals, comparisons and the chance test: estimates, standard errors and limits."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from .._input.options import warn_caller, warn_undefined
from .._input.random_state import check_random_state
from .._metrics import SMOOTH
from .limits import (
    bca_limits,
    beta_limits,
    logit_limits,
    one_or_two_sided,
    percentile_limits,
    percentile_pvalue,
    permutation_pvalue,
    t_pvalue,
    t_quantile,
    tail_of,
)
from .permutation import PairedExchange, label_arrangement, null_distribution
from .resampling import Bootstrap
from .results import (
    AucPRChanceResult,
    AucPRComparisonResult,
    AucPRIntervalResult,
    ConfidenceInterval,
)
from .standard_error import (
    influence_values,
    value_and_derivatives,
    value_and_influence_values,
)

FROM_INFLUENCE = ("beta", "logit")
FROM_RESAMPLES = ("percentile", "bca")
# With an effective number of units of a class of 1 nothing is known about their spread.
_NO_SPREAD = 1 + 1e-13
# With fewer units of a class the t test does not control the type I error rate.
_FEW_UNITS = 10
# With fewer positives in a recall range, or negatives that weigh more positives each,
# intervals cover less than their nominal level.
_FEW_IN_RANGE, _MOST_NEGATIVE_WEIGHT = 5, 8


def interval(
    measure, sample, method, confidence_level, alternative, n_resamples, random_state
):
    """The `AucPRIntervalResult` of one score."""
    if lacks_class(sample, "the interval"):
        return _undefined(
            AucPRIntervalResult, measure, sample, method, confidence_level=confidence_level
        )
    _warn_unreliable(measure, sample)
    tail = tail_of(confidence_level, alternative)
    ends = measure.lowest, measure.highest
    n_smaller = sample.min_effective_class_size
    roc = measure.roc_of(sample.data)
    df = distribution = None
    if n_smaller <= _NO_SPREAD:
        _warn_no_spread(sample, "the interval holds every value")
        value, error, limits, df = measure.value(roc), np.nan, ends, 0.0
        alternative = "two-sided"
    elif method in FROM_RESAMPLES:
        value = measure.value(roc)
        bootstrap = Bootstrap(measure, sample, [roc], [sample.data.score])
        distribution = _read_only(
            bootstrap.values(n_resamples, check_random_state(random_state))
        )
        error = np.std(distribution, ddof=1)
        limits = percentile_limits(distribution, tail)
        if method == "bca":
            if measure.name in SMOOTH:
                values = value_and_influence_values(measure, roc, sample)[1]
            else:
                values = bootstrap.jackknife()
            limits = bca_limits(distribution, value, values.acceleration(), tail)
    else:
        value, values = value_and_influence_values(measure, roc, sample)
        error = values.standard_error(value)
        df = values.degrees_of_freedom(n_smaller)
        # Both kinds of limits are those of a proportion.
        highest = measure.highest
        scaled = min(max(value / highest, 0.0), 1.0), error / highest
        if method == "beta":
            limits = beta_limits(*scaled, df, n_smaller, tail)
        else:
            limits = logit_limits(*scaled, t_quantile(df, tail))
        limits = [limit * highest for limit in limits]
    limits = one_or_two_sided(*limits, alternative, ends)
    return AucPRIntervalResult(
        estimate=float(value),
        standard_error=float(error),
        confidence_interval=ConfidenceInterval(*limits),
        df=df,
        bootstrap_distribution=distribution,
        **_description(measure, sample, method),
        confidence_level=confidence_level,
    )


def comparison(
    measure, samples, method, confidence_level, alternative, n_resamples, random_state
):
    """The `AucPRComparisonResult` of two scores of the same samples."""
    sample, tail = samples[0], tail_of(confidence_level, alternative)
    if lacks_class(sample, "the comparison"):
        return _undefined(
            AucPRComparisonResult,
            measure,
            sample,
            method,
            confidence_level=confidence_level,
        )
    _warn_unreliable(measure, sample, t_test=method != "permutation")
    # Exchanging samples needs the ties of all of them.
    rocs = [
        measure.roc_of(s.data, every_threshold=method == "permutation") for s in samples
    ]
    known_spread = sample.min_effective_class_size > _NO_SPREAD
    null = distribution = pvalue = None
    if method == "percentile" and known_spread:
        estimates = [measure.value(roc) for roc in rocs]
        bootstrap = Bootstrap(measure, sample, rocs, [s.data.score for s in samples])
        distribution = _read_only(
            bootstrap.values(n_resamples, check_random_state(random_state))
        )
        error, df = np.std(distribution, ddof=1), None
        limits = percentile_limits(distribution, tail)
        pvalue = percentile_pvalue(distribution, alternative)
    else:
        estimates, error, df = _by_influence(measure, samples, rocs, known_spread)
        if method == "permutation":
            exchange = PairedExchange(measure, samples, rocs)
            null, pvalue = _permuted(exchange, alternative, n_resamples, random_state)
            if measure.name not in SMOOTH:
                error = np.sqrt(np.mean(null**2))
    difference = estimates[0] - estimates[1]

    if not known_spread or (error == 0 and difference != 0):
        error, limits = np.nan, (-np.inf, np.inf)
        way_out = "" if method == "permutation" else ' Pass method="permutation".'
        _warn_no_spread(sample, "the interval holds every difference", way_out)
    elif distribution is None:
        reach = t_quantile(df, tail) * error if error > 0 else 0.0
        limits = difference - reach, difference + reach
    statistic = 0.0 if error == 0 else difference / error
    if pvalue is None:
        pvalue = t_pvalue(statistic, df, alternative)
    width = measure.highest - measure.lowest
    interval = one_or_two_sided(*limits, alternative, (-width, width))
    return AucPRComparisonResult(
        estimates=(float(estimates[0]), float(estimates[1])),
        difference=float(difference),
        standard_error=float(error),
        statistic=float(statistic),
        pvalue=float(pvalue),
        confidence_interval=ConfidenceInterval(*interval),
        df=None if df is None else float(df),
        null_distribution=null,
        bootstrap_distribution=distribution,
        **_description(measure, sample, method),
        confidence_level=confidence_level,
    )


def _by_influence(measure, samples, rocs, known_spread):
    """Estimates of two scores, standard error of the difference, degrees of freedom."""
    sample = samples[0]
    n_smaller = sample.min_effective_class_size
    if measure.name not in SMOOTH:
        return [measure.value(roc) for roc in rocs], np.nan, n_smaller - 1
    (first, first_derivative), (second, second_derivative) = (
        value_and_derivatives(measure, roc, s.data)
        for roc, s in zip(rocs, samples, strict=True)
    )
    if not known_spread:
        return (first, second), np.nan, n_smaller - 1
    values = influence_values(sample, first_derivative - second_derivative)
    error = values.standard_error(max(first, second))
    return (first, second), error, values.degrees_of_freedom(n_smaller)


def chance_test(measure, sample, n_resamples, random_state):
    """The `AucPRChanceResult` of one score."""
    if lacks_class(sample, "the test"):
        return _undefined(AucPRChanceResult, measure, sample, "permutation")
    roc = measure.roc_of(sample.data, every_threshold=True)
    null, pvalue = _permuted(
        label_arrangement(measure, sample, roc), "greater", n_resamples, random_state
    )
    return AucPRChanceResult(
        statistic=float(measure.value(roc)),
        pvalue=pvalue,
        null_distribution=null,
        **_description(measure, sample, "permutation"),
    )


def _permuted(arrangement, alternative, n_resamples, random_state):
    """Null distribution over arrangements and the p-value of the observed one."""
    null, exact = null_distribution(
        arrangement, n_resamples, check_random_state(random_state)
    )
    observed = arrangement.values_of(arrangement.observed[np.newaxis])[0]
    return _read_only(null), permutation_pvalue(observed, null, alternative, exact)


def _undefined(kind, measure, sample, method, **options):
    """The result where a class is missing: NaN for numbers, None for distributions."""
    values = {field.name: np.nan for field in fields(kind)}
    others = {
        "estimates": (np.nan, np.nan),
        "confidence_interval": ConfidenceInterval(np.nan, np.nan),
        "null_distribution": None,
        "bootstrap_distribution": None,
    }
    values |= {name: value for name, value in others.items() if name in values}
    return kind(**(values | _description(measure, sample, method) | options))


def _description(measure, sample, method):
    """Fields of a result that say what was measured on what."""
    return {
        "n_samples": len(sample.data.positive),
        "n_positive": int(np.count_nonzero(sample.data.positive)),
        "n_clusters": sample.n_clusters,
        "metric": measure.name,
        "recall_range": (measure.low, measure.high),
        "method": method,
    }


def lacks_class(sample, what):
    """Whether a class has no samples; if so a warning says that `what` is undefined."""
    n_pos = np.count_nonzero(sample.data.positive)
    for name, n in (("positive", n_pos), ("negative", len(sample.data.positive) - n_pos)):
        if n == 0:
            warn_undefined(f"No {name} samples in `y_true`: {what} is undefined.")
            return True
    return False


def _warn_unreliable(measure, sample, t_test=False):
    """Warn where simulations show too narrow intervals or too many rejections."""
    n_in_range = (measure.high - measure.low) * sample.effective_class_size(True)
    if (measure.low, measure.high) != (0.0, 1.0) and n_in_range < _FEW_IN_RANGE:
        warn_caller(
            f"`recall_range`={measure.low, measure.high} holds only {n_in_range:.2g} "
            f"positives: below {_FEW_IN_RANGE} intervals are too narrow and t tests reject "
            "too often. Widen it, or collect more positives."
        )
    if measure.prevalence is not None:
        n_pos = np.count_nonzero(sample.data.positive)
        odds = (1 - measure.prevalence) / measure.prevalence
        weight = odds * n_pos / (len(sample.data.positive) - n_pos)
        if weight > _MOST_NEGATIVE_WEIGHT:
            warn_caller(
                f"At `prevalence`={measure.prevalence:g} a negative weighs {weight:.3g} "
                f"positives: above {_MOST_NEGATIVE_WEIGHT} intervals are too narrow and t "
                "tests reject too often. Collect more negatives."
            )
    n_smaller = min(sample.n_units_with(True), sample.n_units_with(False))
    if t_test and 2 <= n_smaller < _FEW_UNITS:
        unit = "samples" if sample.clusters is None else "groups with samples"
        warn_caller(
            f"Only {n_smaller} {unit} of a class: below {_FEW_UNITS} this test does not "
            'control the type I error rate. `method`="permutation" does, but it tests '
            "whether the scores are exchangeable: it also rejects equal areas of unlike "
            "scores, in 0.11 to 0.23 of data sets with 15 positives."
        )


def _warn_no_spread(sample, consequence, way_out=""):
    sizes = sample.effective_class_size(True), sample.effective_class_size(False)
    if min(sizes) > _NO_SPREAD:
        why = "both scores rank the samples without error, but differently"
    else:
        which = "positive" if sizes[0] <= sizes[1] else "negative"
        unit = "sample" if sample.clusters is None else "group of `groups`"
        why = f"all {which} samples of `y_true`, or all their weight, are one {unit}"
    warn_caller(
        f"The spread between samples is unknown: {why}. The standard error is undefined "
        f"and {consequence}.{way_out}",
        UndefinedMetricWarning,
    )


def _read_only(values):
    values.flags.writeable = False
    return values
