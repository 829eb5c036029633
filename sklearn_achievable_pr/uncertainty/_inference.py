"""Results of intervals, comparisons and the chance test for checked samples."""

import itertools
from typing import Any, NamedTuple

import numpy as np

from .._input.options import check_random_state
from ..results import AucPRComparisonResult
from . import _differences, _limits, _unseen
from ._permutation import permutation_test
from ._resampling import Bootstrap
from ._validity import NO_SPREAD, lacks_class

# What `n_resamples=None` means.
N_RESAMPLES, N_PERMUTATIONS = 1999, 9999


class Options(NamedTuple):
    """Options of an interval or a test, named as the public arguments are."""

    method: str
    confidence_level: float = 0.95
    alternative: str = "two-sided"
    n_resamples: int | None = None
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
    is_resampled = method == "percentile"
    described = counts_of(sample) | metric.fields() | options.fields()
    described |= {"df": None} if is_resampled else {}
    described["chance_level"] = metric.chance_level(sample.data, sample.roc)
    if not sample.has_both_classes:
        return described
    if is_resampled:
        error, ends, distribution = _by_resamples(sample, options)
        df = None
    else:
        proportion, distribution = sample.proportion, None
        error, df = proportion.standard_error, proportion.df
        ends = proportion.limits(tail)
    ends = *ends, options.alternative, metric.entry.lowest, metric.highest
    return described | {
        "estimate": float(sample.value),
        "standard_error": float(error),
        "confidence_interval": _limits.confidence_interval(*ends),
        "df": df,
        "bootstrap_distribution": distribution,
    }


def _by_resamples(sample, options):
    """Standard error, limits and distribution of the resamples of a sample."""
    if sample.min_effective_class_size <= NO_SPREAD:
        return np.nan, (-np.inf, np.inf), None
    rng = check_random_state(options.random_state)
    distribution = Bootstrap([sample]).values(options.n_resamples, rng)
    low, high = _limits.percentile_limits(distribution, options.tail)
    error = np.std(distribution, ddof=1)
    return error, (_with_unseen(sample, error, low, options.tail), high), distribution


def _with_unseen(sample, standard_error, low, tail):
    """The lower percentile limit, moved by samples that the data do not show."""
    metric, value, n = sample.metric, float(sample.value), sample.min_effective_class_size
    lost = _unseen.n_lost(metric, sample.roc, n, value)
    weight = _unseen.weight_of_unseen(None, standard_error, None, lost)
    if not weight:
        return low
    of_perfect = _unseen.loss(metric, sample.roc, _limits.lost_share(n, tail))
    reach = metric.highest * np.sqrt(weight) * of_perfect
    return _unseen.lower_limit(value, low, reach)


_DIFFERENCES = {
    "influence": _differences.by_influence,
    "percentile": _differences.by_resampling,
}


def comparison(first, second, options):
    """Fields of the `AucPRComparisonResult` of two scores, as a dict."""
    metric = first.metric
    described = counts_of(first) | metric.fields() | options.fields()
    if not (first.has_both_classes and second.has_both_classes):
        return described | ({"df": None} if options.method == "percentile" else {})
    found = _DIFFERENCES[options.method](first, second, options)
    return described | found.fields(metric, options.alternative)


def chance_test(sample, options):
    """Fields of the `AucPRChanceResult` for one score, as a dict."""
    described = counts_of(sample) | sample.metric.fields() | {"method": options.method}
    del described["n_clusters"]  # the test is for independent samples
    if lacks_class(sample, "the test"):
        return described
    rng = check_random_state(options.random_state)
    null, pvalue = permutation_test(sample, options.n_resamples, rng)
    found = {"estimate": float(sample.value), "pvalue": pvalue, "null_distribution": null}
    return described | found


def compared(inference, result, samples, of_models, of_tests, reference):
    """Results of models and of pairs of models, by name.

    `inference` is the module with the `interval` and the `comparison` of these samples, and
    `result` the class of the intervals.
    """
    models = {
        name: result(**inference.interval(sample, of_models))
        for name, sample in samples.items()
    }
    pairs = {
        (a, b): AucPRComparisonResult(
            **inference.comparison(samples[a], samples[b], of_tests), names=(a, b)
        )
        for a, b in pairs_of(samples, reference)
    }
    return models, pairs


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
        "n_clusters": sample.n_clusters,
    }
