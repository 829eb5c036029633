"""Intervals, comparisons and the chance test: estimates, standard errors and limits."""

from __future__ import annotations

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from .._input.options import warn_caller, warn_undefined
from .._input.random_state import check_random_state
from .._metrics import SMOOTH
from . import limits
from .permutation import (
    ClusterPermutation,
    LabelPermutation,
    PairedExchange,
    permutation_test,
)
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
    described = _description(measure, sample, method, confidence_level=confidence_level)
    if lacks_class(sample, "the interval"):
        return AucPRIntervalResult(**described)
    _warn_unreliable(measure, sample)
    tail, highest = limits.tail_of(confidence_level, alternative), measure.highest
    n_smaller = sample.min_effective_class_size
    df = distribution = None
    if n_smaller <= _NO_SPREAD:
        _warn_no_spread(sample, "the interval holds every value")
        value, error, df = measure.value(sample.roc), np.nan, 0.0
        ends, alternative = (-np.inf, np.inf), "two-sided"
    elif method in FROM_RESAMPLES:
        value = measure.value(sample.roc)
        bootstrap = Bootstrap(measure, [sample])
        distribution = bootstrap.values(n_resamples, check_random_state(random_state))
        error = np.std(distribution, ddof=1)
        if method == "percentile":
            ends = limits.percentile_limits(distribution, tail)
        else:
            if measure.name in SMOOTH:
                _, values = value_and_influence_values(measure, sample)
            else:
                values = bootstrap.jackknife()
            ends = limits.bca_limits(distribution, value, values.acceleration(), tail)
    else:
        value, values = value_and_influence_values(measure, sample)
        error, df = values.standard_error(value), values.degrees_of_freedom(n_smaller)
        # Both kinds of limits are those of a proportion.
        scaled = min(max(value / highest, 0.0), 1.0), error / highest
        if method == "beta":
            ends = limits.beta_limits(*scaled, df, n_smaller, tail)
        else:
            ends = limits.logit_limits(*scaled, limits.t_quantile(df, tail))
        ends = [end * highest for end in ends]
    ends = limits.one_or_two_sided(*ends, alternative, (measure.lowest, highest))
    return AucPRIntervalResult(
        estimate=float(value),
        standard_error=float(error),
        confidence_interval=ConfidenceInterval(*ends),
        df=df,
        bootstrap_distribution=distribution,
        **described,
    )


def comparison(
    measure, samples, method, confidence_level, alternative, n_resamples, random_state
):
    """The `AucPRComparisonResult` of two scores of the same samples."""
    sample, tail = samples[0], limits.tail_of(confidence_level, alternative)
    described = _description(measure, sample, method, confidence_level=confidence_level)
    if lacks_class(sample, "the comparison"):
        return AucPRComparisonResult(**described)
    _warn_unreliable(measure, sample, t_test=method != "permutation")
    n_smaller = sample.min_effective_class_size
    error, df = np.nan, n_smaller - 1
    null = distribution = pvalue = None
    if measure.name in SMOOTH and method != "percentile":
        (first, of_first), (second, of_second) = (
            value_and_derivatives(measure, s) for s in samples
        )
        if n_smaller > _NO_SPREAD:
            values = influence_values(sample, of_first - of_second)
            error = values.standard_error(max(first, second))
            df = values.degrees_of_freedom(n_smaller)
    else:
        first, second = (measure.value(s.roc) for s in samples)
    difference = first - second
    if method == "permutation":
        exchange, rng = PairedExchange(measure, samples), check_random_state(random_state)
        null, pvalue = permutation_test(exchange, alternative, n_resamples, rng)
        if measure.name not in SMOOTH:
            error = np.sqrt(np.mean(null**2))
    elif method == "percentile" and n_smaller > _NO_SPREAD:
        bootstrap = Bootstrap(measure, samples)
        distribution = bootstrap.values(n_resamples, check_random_state(random_state))
        error, df = np.std(distribution, ddof=1), None
        # The smallest level at which the percentile interval leaves out 0.
        pvalue = limits.permutation_pvalue(0, -distribution, alternative)

    if n_smaller <= _NO_SPREAD or (error == 0 and difference != 0):
        error, ends = np.nan, (-np.inf, np.inf)
        way_out = "" if method == "permutation" else ' Pass method="permutation".'
        _warn_no_spread(sample, "the interval holds every difference", way_out)
    elif method == "percentile":
        ends = limits.percentile_limits(distribution, tail)
    else:
        reach = limits.t_quantile(df, tail) * error if error > 0 else 0.0
        ends = difference - reach, difference + reach
    statistic = 0.0 if error == 0 else difference / error
    if pvalue is None:
        pvalue = limits.t_pvalue(statistic, df, alternative)
    width = measure.highest - measure.lowest
    ends = limits.one_or_two_sided(*ends, alternative, (-width, width))
    return AucPRComparisonResult(
        estimates=(float(first), float(second)),
        difference=float(difference),
        standard_error=float(error),
        statistic=float(statistic),
        pvalue=float(pvalue),
        confidence_interval=ConfidenceInterval(*ends),
        df=None if df is None else float(df),
        null_distribution=null,
        bootstrap_distribution=distribution,
        **described,
    )


def chance_test(measure, sample, n_resamples, random_state):
    """The `AucPRChanceResult` of one score."""
    described = _description(measure, sample, "permutation")
    if lacks_class(sample, "the test"):
        return AucPRChanceResult(**described)
    permutation = LabelPermutation if sample.is_simple else ClusterPermutation
    arrangements, rng = permutation(measure, sample), check_random_state(random_state)
    null, pvalue = permutation_test(arrangements, "greater", n_resamples, rng)
    return AucPRChanceResult(
        statistic=float(measure.value(sample.roc)),
        pvalue=pvalue,
        null_distribution=null,
        **described,
    )


def _description(measure, sample, method, **options):
    """Fields of a result that say what was measured on what."""
    return {
        "metric": measure.name,
        "recall_range": (measure.low, measure.high),
        "method": method,
        "n_samples": len(sample.data.positive),
        "n_positive": int(np.count_nonzero(sample.data.positive)),
        "n_clusters": None if sample.clusters is None else sample.n_units,
        **options,
    }


def lacks_class(sample, what):
    """Whether a class has no samples; if so a warning says that `what` is undefined."""
    positive = sample.data.positive
    if positive.any() and not positive.all():
        return False
    missing = "negative" if positive.any() else "positive"
    warn_undefined(f"No {missing} samples in `y_true`: {what} is undefined.")
    return True


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
            "whether scores are exchangeable: of unlike scores with equal areas and 15 "
            "positives it rejected 0.11 to 0.23 of data sets at level 0.05."
        )


def _warn_no_spread(sample, consequence, way_out=""):
    n_pos, n_neg = sample.effective_class_size(True), sample.effective_class_size(False)
    if min(n_pos, n_neg) > _NO_SPREAD:
        why = "both scores rank the samples without error, but differently"
    else:
        which = "positive" if n_pos <= n_neg else "negative"
        unit = "sample" if sample.clusters is None else "group of `groups`"
        why = f"all {which} samples of `y_true`, or all their weight, are one {unit}"
    warn_caller(
        f"The spread between samples is unknown: {why}. The standard error is undefined "
        f"and {consequence}.{way_out}",
        UndefinedMetricWarning,
    )
