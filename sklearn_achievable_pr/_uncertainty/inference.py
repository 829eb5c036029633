"""Results of intervals, comparisons and the chance test for checked samples."""

import itertools
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from .._input.arrays import kish_sample_size
from .._input.options import (
    CoverageWarning,
    check_random_state,
    warn_caller,
    warn_undefined,
)
from .._metrics.table import SMOOTH
from . import limits, permutation
from .resampling import Bootstrap
from .standard_error import (
    influence_values,
    influence_values_of,
    standard_error_and_df,
    zero_if_rounding,
)

FROM_RESAMPLES = ("percentile", "bca")
# An effective sample size of 1 in a class gives no information about the variance.
NO_SPREAD = 1 + 1e-13
# With fewer samples, or clusters, of a class the t test does not control the type I error
# rate.
_FEW_SAMPLES, _FEW_CLUSTERS = 10, 20
# With fewer positives in the recall range, or a larger weight of a negative relative to a
# positive, the coverage of intervals, or the type I error rate of t tests, is not nominal.
_FEW_IN_RANGE, _HEAVY_IN_INTERVALS, _HEAVY_IN_TESTS = 5, 8, 5
# Weights of a class with at least this effective sample size per sample (a coefficient of
# variation of at most 0.23) are those of down-sampling. Unequal weights, as of stratified
# samples, are valid at higher ratios of the classes.
_NEARLY_EQUAL = 0.95


class Options(NamedTuple):
    """Options of an interval or a test, named as the public arguments are."""

    method: str
    confidence_level: float = 0.95
    alternative: str = "two-sided"
    n_resamples: int = 1999
    random_state: Any = None

    @property
    def tail(self):
        """Probability beyond each limit of the interval."""
        n_sides = 2 if self.alternative == "two-sided" else 1
        return (1 - self.confidence_level) / n_sides

    def fields(self):
        """The options of an interval as fields of a result, as a dict."""
        names = "method", "confidence_level", "alternative"
        return {name: getattr(self, name) for name in names}


def interval(sample, options):
    """Fields of the `AucPRIntervalResult` for one score, as a dict."""
    metric, method, tail = sample.metric, options.method, options.tail
    described = counts_of(sample) | metric.fields() | options.fields()
    described |= {"df": None} if method in FROM_RESAMPLES else {}
    if not sample.has_both_classes:
        return described
    value, n_smaller = sample.value, sample.min_effective_class_size
    highest, df, distribution = metric.highest, None, None
    if n_smaller <= NO_SPREAD:
        error, ends = np.nan, (-np.inf, np.inf)
        df = None if method in FROM_RESAMPLES else 0.0
    elif method in FROM_RESAMPLES:
        bootstrap, rng = Bootstrap([sample]), check_random_state(options.random_state)
        distribution = bootstrap.values(options.n_resamples, rng)
        error = np.std(distribution, ddof=1)
        if method == "percentile":
            ends = limits.percentile_limits(distribution, tail)
        else:
            is_smooth = metric.name in SMOOTH
            values = influence_values(sample) if is_smooth else bootstrap.jackknife()
            ends = limits.bca_limits(distribution, value, values.acceleration(), tail)
    else:
        values = influence_values(sample)
        error, df = standard_error_and_df([values], value, n_smaller)
        # Beta and logit limits are limits of a proportion: scale the value to [0, 1].
        scaled = min(max(value / highest, 0.0), 1.0), error / highest
        limits_of = limits.beta_limits if method == "beta" else limits.logit_limits
        ends = [end * highest for end in limits_of(*scaled, df, n_smaller, tail)]
    ends = *ends, options.alternative, metric.entry.lowest, highest
    return described | {
        "estimate": float(value),
        "standard_error": float(error),
        "confidence_interval": limits.confidence_interval(*ends),
        "df": df,
        "bootstrap_distribution": distribution,
    }


def comparison(first, second, options, unpaired=None):
    """Fields of the `AucPRComparisonResult` of two scores, as a dict.

    For two scores of different samples, `unpaired` is a pair of functions that return the
    bootstrap distribution and a list of the `InfluenceValues` of the difference.
    """
    metric, method, n_resamples = first.metric, options.method, options.n_resamples
    described = counts_of(first) | metric.fields() | options.fields()
    described |= {"df": None} if method == "percentile" else {}
    if not (first.has_both_classes and second.has_both_classes):
        return described
    draw, influence_of = unpaired or (
        lambda: Bootstrap([first, second]).values(n_resamples, rng),
        lambda: [influence_values_of(first, first.derivative - second.derivative)],
    )
    values = first.value, second.value
    n_smaller = min(sample.min_effective_class_size for sample in (first, second))
    pvalue = null = distribution = None
    error, df, rng = np.nan, n_smaller - 1, check_random_state(options.random_state)
    if method == "permutation":
        draws = options.alternative, n_resamples, rng
        exchange = permutation.PairedExchange([first, second])
        null, pvalue = permutation.permutation_test(exchange, *draws)
        error = np.sqrt(np.mean(null**2))
    if n_smaller <= NO_SPREAD:
        error = np.nan
    elif method == "percentile":
        distribution = draw()
        error = zero_if_rounding(np.std(distribution, ddof=1), max(values))
    elif metric.name in SMOOTH:
        error, df = standard_error_and_df(influence_of(), max(values), n_smaller)
    tested = difference_and_test(
        metric, values, error, df, options, pvalue, distribution, is_paired=unpaired is None
    )
    return described | tested | {"null_distribution": null}


def difference_and_test(
    metric, values, error, df, options, pvalue=None, distribution=None, is_paired=True
):
    """Fields of an `AucPRComparisonResult` with the difference of two values and its test.

    `error` is the standard error of the difference, with `df` degrees of freedom. `pvalue`
    is that of a permutation test, `distribution` that of the bootstrap, if there is one.
    Unpaired samples are never the same: a standard error of 0 is then undefined.
    """
    method, tail, alternative = options.method, options.tail, options.alternative
    difference = values[0] - values[1]
    if distribution is not None:
        # The smallest significance level at which the percentile interval excludes 0.
        pvalue = limits.permutation_pvalue(0, -distribution, alternative)
    if error == 0 and (difference != 0 or not is_paired):
        error, pvalue = np.nan, np.nan if method == "percentile" else pvalue
        why = "no sample has an influence on the difference"
        _warn_no_spread(why, is_paired and method in ("influence", "percentile"))
    if np.isnan(error):
        ends = -np.inf, np.inf
    elif method == "percentile":
        ends = limits.percentile_limits(distribution, tail)
    else:
        reach = limits.t_quantile(df, tail) * error if error > 0 else 0.0
        ends = difference - reach, difference + reach
    statistic = 0.0 if error == 0 else difference / error
    if pvalue is None:
        pvalue = limits.t_pvalue(statistic, df, alternative)
    width = metric.highest - metric.entry.lowest
    ends = limits.confidence_interval(*ends, alternative, -width, width)
    return {
        "estimates": (float(values[0]), float(values[1])),
        "difference": float(difference),
        "standard_error": float(error),
        "statistic": float(statistic),
        "pvalue": float(pvalue),
        "confidence_interval": ends,
        "df": None if method == "percentile" else float(df),
        "bootstrap_distribution": distribution,
    }


def chance_test(sample, options):
    """Fields of the `AucPRChanceResult` for one score, as a dict."""
    described = counts_of(sample) | sample.metric.fields() | {"method": options.method}
    if lacks_class(sample, "the test"):
        return described
    permuted = permutation.ClusterPermutation
    if sample.is_simple:
        permuted = permutation.LabelPermutation
    draws = options.n_resamples, check_random_state(options.random_state)
    null, pvalue = permutation.permutation_test(permuted(sample), "greater", *draws)
    found = {"statistic": float(sample.value), "pvalue": pvalue, "null_distribution": null}
    return described | found


def pairs_of(names, reference):
    """Pairs of names to compare: all pairs, or each other name with the reference."""
    if reference is None:
        return [*itertools.combinations(names, 2)]
    return [(name, reference) for name in names if name != reference]


def counts_of(sample):
    """Numbers of samples, of positives and of clusters, as fields of a result."""
    return {
        "n_samples": len(sample.data.positive),
        "n_positive": int(np.count_nonzero(sample.data.positive)),
        "n_clusters": None if sample.clusters is None else sample.n_units,
    }


# Warnings


def lacks_class(sample, what, subject=""):
    """Whether a class is missing; if so, warn that `what` is undefined."""
    if sample.has_both_classes:
        return False
    missing = "negative" if sample.data.positive.any() else "positive"
    warn_undefined(f"{subject}No {missing} samples in `y_true`: {what} is undefined.")
    return True


def warn_of_data(sample, what, method, uses_negatives=True, subgroup=None):
    """Warn if the interval is undefined, or too narrow according to simulations.

    Parameters
    ----------
    sample : Sample
    what : {"interval", "comparison"}
    method : str
    uses_negatives : bool, default=True
        Whether the result depends on the weight of the negatives.
    subgroup : object, default=None
        Label of the subgroup of these samples, if subgroups are compared.
    """
    subject = "" if subgroup is None else f"Subgroup {subgroup!r}: "
    if lacks_class(sample, f"the {what}", subject):
        return
    n_neg, n_pos = sample.effective_class_sizes
    is_t_test = what == "comparison" and method != "permutation"
    unit, few = "sample", _FEW_SAMPLES
    if sample.clusters is not None:
        unit, few = "group", _FEW_CLUSTERS
    if min(n_pos, n_neg) <= NO_SPREAD and method != "clopper-pearson":
        which = "positive" if n_pos <= n_neg else "negative"
        why = f"all {which} samples of `y_true`, or all their weight, are one {unit}"
        _warn_no_spread(why, is_t_test and not subject, subject)
    metric = sample.metric
    n_in_range = (metric.high - metric.low) * n_pos
    if (metric.low, metric.high) != (0.0, 1.0) and n_in_range < _FEW_IN_RANGE:
        warn_caller(
            f"{subject}`recall_range`={metric.low, metric.high} holds only "
            f"{n_in_range:.2g} positives: below {_FEW_IN_RANGE} intervals are too narrow "
            "and t tests reject too often. Widen it, or collect more positives.",
            CoverageWarning,
        )
    most = _HEAVY_IN_TESTS if is_t_test else _HEAVY_IN_INTERVALS
    roc, positive = sample.roc.at_prevalence(metric.prevalence), sample.data.positive
    n_positive = np.count_nonzero(positive)
    odds = float(roc.n_neg / roc.n_pos) * roc.negative_weight
    weight = odds * n_positive / (len(positive) - n_positive)
    if uses_negatives and weight > most and _is_by_class(sample):
        at = metric.prevalence
        where = "By `sample_weight`" if at is None else f"At `prevalence`={at:g}"
        warn_caller(
            f"{subject}{where} a negative weighs {weight:.3g} positives: above "
            f"{_HEAVY_IN_INTERVALS} intervals are too narrow, and above {_HEAVY_IN_TESTS} "
            "t tests reject too often. Collect more negatives.",
            CoverageWarning,
        )
    n_smaller = min(sample.n_units_by_class)
    if is_t_test and 2 <= n_smaller < few:
        hint = ' `method`="permutation" does, if the scores are exchangeable.'
        warn_caller(
            f"{subject}Only {n_smaller} {unit}s of a class: below {few} this test does not "
            "control the type I error rate." + hint * (not subject),
            CoverageWarning,
        )


def _is_by_class(sample):
    """Whether the weights of a class are nearly equal, or there is a `prevalence`."""
    weights = (sample.weight[sample.data.positive == c] for c in (True, False))
    return sample.metric.prevalence is not None or all(
        kish_sample_size(weight) >= _NEARLY_EQUAL * len(weight) for weight in weights
    )


def _warn_no_spread(why, can_permute, subject=""):
    """Warn that the standard error is undefined."""
    way_out = ' Pass method="permutation".' if can_permute else ""
    warn_caller(
        f"{subject}The spread between samples is unknown: {why}. The standard error is "
        f"undefined, and an interval that needs it holds every possible value.{way_out}",
        UndefinedMetricWarning,
    )
