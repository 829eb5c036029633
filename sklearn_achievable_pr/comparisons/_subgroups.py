"""Intervals of subgroups, the disjoint parts of one data set, and their differences.

The difference of two subgroups has its limits from the limits of both. Clusters with
samples in both subgroups correlate the two values.
"""

import math
from typing import NamedTuple

import numpy as np

from .._inference.design import check_parts, shared_clusters
from .._inference.differences import by_limits, pairs_of
from .._input.labels import encoded
from .._input.options import check_option, text_of
from ..rates._samples import RateSample
from ..results import AucPRComparisonResult, AucPRIntervalResult, RateIntervalResult
from ..uncertainty._samples import AreaSample

# This value of `reference` means all samples outside the subgroup.
REST = "rest"
# More different numbers with a fraction are measurements, not labels of subgroups.
_MOST_FRACTIONS = 20
# 100 subgroups have 4,950 pairs. 1,000 subgroups took 20 s and 1 GB.
_MOST_PAIRS = 5000


class Subgroup(NamedTuple):
    """A part of a data set, and the interval of its metric or rate.

    Attributes
    ----------
    sample : AreaSample or RateSample
    clusters : ndarray of int64, or None
        Index in the whole data set of the cluster of each unit of the sample.
    prevalence : float
        Fraction of positives, by weight, also if the sample has a reference prevalence.
    interval : AucPRIntervalResult or RateIntervalResult
    """

    sample: AreaSample | RateSample
    clusters: np.ndarray | None
    prevalence: float
    interval: AucPRIntervalResult | RateIntervalResult


def subgroups_and_pairs(sample_of, data, by, clusters, reference, options):
    """Subgroups, and the differences of their pairs.

    Parameters
    ----------
    sample_of : callable
        ``sample_of(data, clusters, is_grouped)`` is the sample of a subgroup.
    data : BinaryData
    by : dict
        From the label of a subgroup to whether each sample belongs to it.
    clusters : ndarray of int64, shape (n_samples,), or None
        Index of the cluster of each sample.
    reference : label, "rest" or None
    options : Options
        Options of the pairs.

    Returns
    -------
    subgroups : dict
        From a label to a `Subgroup`.
    pairs : dict
        From a pair of labels to its `AucPRComparisonResult`.
    """

    def subgroup(name, is_in):
        try:
            return _subgroup(sample_of, data, clusters, options, is_in)
        except ValueError as error:
            raise ValueError(f"{_subject(name)}: {error}") from error

    subgroups = {name: subgroup(name, is_in) for name, is_in in by.items()}
    pairs = {}
    for a, b in pairs_of(subgroups, reference):
        other = subgroups[b] if b in subgroups else subgroup(b, ~by[a])
        pairs[a, b] = _difference(subgroups[a], other, options, (a, b))
    return subgroups, pairs


def by_subject(subgroups):
    """Dict from the subject of a warning to the sample of each subgroup."""
    return {_subject(name): one.sample for name, one in subgroups.items()}


def _subject(name):
    """The words that a message starts with; text is quoted, a date has no time of day."""
    return f"Subgroup {repr(name) if isinstance(name, str) else text_of(name)}"


def _subgroup(sample_of, data, clusters, options, is_in):
    """The `Subgroup` of the samples that are in it."""
    part = data.take(is_in)
    own = index = None
    if clusters is not None:
        own, index = encoded(clusters[is_in])  # clusters are numbered from 0 in each part
    index, is_grouped = shared_clusters(index)
    sample = sample_of(part, index, is_grouped)
    if is_grouped and index is None:  # each cluster has one sample
        own = clusters[is_in]
    prevalence = float(np.average(part.positive, weights=part.weight))
    return Subgroup(sample, own, prevalence, sample.interval(options))


def _difference(first, second, options, names):
    """The `AucPRComparisonResult` of two subgroups."""
    a, b = first.sample, second.sample
    fields = {
        "names": names,
        "method": "mover",
        "n_samples": first.interval.n_samples + second.interval.n_samples,
        "n_positive": first.interval.n_positive + second.interval.n_positive,
        "n_clusters": _n_clusters(first, second),
        "_is_weighted": first.interval._is_weighted or second.interval._is_weighted,
        **a.metric.fields(),
        **options.fields(),
    }
    if not (a.is_defined and b.is_defined):
        return AucPRComparisonResult(**fields, statistic=None, df=None)
    correlation = _correlation(first, second)
    values = a.estimate, b.estimate
    error, df = _error_of_unpaired(*values, correlation)
    difference = by_limits(*values, correlation, error, df, options)
    return difference.result(a.metric, **fields)


def _error_of_unpaired(first, second, correlation):
    """Standard error of a difference, and its degrees of freedom (Welch)."""
    errors = np.array([first.standard_error, second.standard_error])
    # Var(a - b) = Var(a) + Var(b) - 2 Cov(a, b)
    variance = errors @ errors - 2 * correlation * errors.prod()
    if not variance > 0:
        return max(variance, 0.0), 0.0
    shares = errors**2 / (errors @ errors)
    dfs = np.maximum([first.df, second.df], 1e-300)
    return np.sqrt(variance), 1 / (shares**2 / dfs).sum()


def _correlation(first, second):
    """Correlation of the values of two subgroups, by the clusters that they share."""
    if first.clusters is None:
        return 0.0
    values = np.zeros((2, _index_above(first, second)))
    for row, subgroup in zip(values, (first, second), strict=True):
        influence = subgroup.sample.influence
        row[subgroup.clusters] = influence / (np.linalg.norm(influence) or 1.0)
    return float(values[0] @ values[1])


def _n_clusters(first, second):
    """Number of clusters in either subgroup; None without clusters."""
    if first.clusters is None:
        return None
    has_samples = np.zeros(_index_above(first, second), dtype=bool)
    has_samples[first.clusters] = has_samples[second.clusters] = True
    return int(np.count_nonzero(has_samples))


def _index_above(first, second):
    """A number above the indices of all clusters of two subgroups."""
    return 1 + int(max(first.clusters.max(), second.clusters.max()))


def check_subgroups(by, y_true, sample_weight, reference):
    """Dict from the label of each subgroup to whether each sample belongs to it.

    Labels are sorted, but ordered categories of pandas keep their order.
    """
    names, index = check_parts(by, "by", y_true, sample_weight)
    # `tolist` would turn times with nanoseconds into integers.
    names = [*names] if names.dtype.kind in "mM" else names.tolist()
    if len(names) < 2:
        raise ValueError(
            f"`by` must have at least two subgroups. Got only {names[0]!r}. For one sample "
            "use `auc_pr_interval`."
        )
    check_option(reference, "reference", (None, REST, *names))
    if reference == REST and REST in names:
        raise ValueError(
            f"`reference`={REST!r} is all other samples, but a subgroup of `by` has this "
            "name. Rename the subgroup."
        )
    _check_few_subgroups(names, reference)
    order = range(len(names))
    if getattr(getattr(by, "dtype", None), "ordered", False):
        order = np.argsort(by.dtype.categories.get_indexer(names))
    return {names[i]: index == i for i in order}


def _check_few_subgroups(names, reference):
    """Raise `ValueError` for measurements, and for more pairs than a table can show."""
    fractions = [name for name in names if isinstance(name, float) and name % 1 != 0]
    if len(fractions) > _MOST_FRACTIONS:
        raise ValueError(
            "`by` must have one label per subgroup. Got "
            f"{len(names)} different numbers, such as {fractions[0]:.4g}: cut them into "
            "classes, e.g. `pd.qcut(by, 4)`."
        )
    n_pairs = len(names) if reference is not None else math.comb(len(names), 2)
    if n_pairs > _MOST_PAIRS:
        way_out = "merge small subgroups"
        if reference is None:
            way_out = f"pass one of them, or {REST!r}, as `reference`, or {way_out}"
        raise ValueError(
            f"`by` must have at most {_MOST_PAIRS} pairs of subgroups. Got {n_pairs} pairs "
            f"of {len(names)} subgroups: {way_out}."
        )
