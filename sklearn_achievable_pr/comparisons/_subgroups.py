"""Intervals of subgroups, the disjoint parts of one data set, and their differences.

The difference of two subgroups has its limits from the limits of both. Clusters with
samples in both subgroups correlate the two values.
"""

from typing import NamedTuple

import numpy as np

from .._input.labels import encoded
from .._input.options import text_of
from ..uncertainty import _inference
from ..uncertainty._differences import by_limits
from ..uncertainty._samples import Sample, has_equal_weights, of_several


class Subgroup(NamedTuple):
    """A part of a data set, and the fields of its `AucPRIntervalResult`.

    Attributes
    ----------
    sample : Sample
    clusters : ndarray of int64, or None
        Index in the whole data set of the cluster of each unit of the sample.
    prevalence : float
        Fraction of positives, by weight, also if the sample has a reference prevalence.
    interval : dict
    """

    sample: Sample
    clusters: np.ndarray | None
    prevalence: float
    interval: dict


def compared(inference, sample_of, data, by, clusters, reference, options):
    """Subgroups and their pairs.

    Parameters
    ----------
    inference : module
        With the `interval` of a sample.
    sample_of : callable
        ``sample_of(data, clusters)`` is the `Sample` of a subgroup.
    data : BinaryData
    by : dict
        From the label of a subgroup to whether each sample belongs to it.
    clusters : ndarray of int64, shape (n_samples,), or None
        Index of the cluster of each sample.
    reference : label, "rest" or None
    options : Options
        Of the pairs.

    Returns
    -------
    subgroups : dict
        From a label to a `Subgroup`.
    pairs : dict
        From a pair of labels to the fields of its `AucPRComparisonResult`.
    """

    def subgroup(name, is_in):
        try:
            return _subgroup(inference, sample_of, data, clusters, options, is_in)
        except ValueError as error:
            raise ValueError(f"{_subject(name)}{error}") from error

    found = {name: subgroup(name, is_in) for name, is_in in by.items()}
    pairs = {}
    for a, b in _inference.pairs_of(found, reference):
        other = found[b] if b in found else subgroup(b, ~by[a])
        pairs[a, b] = _difference(found[a], other, options)
    return found, pairs


def by_subject(subgroups):
    """Dict from the words that a warning starts with to the sample of each subgroup."""
    return {_subject(name): one.sample for name, one in subgroups.items()}


def _subject(name):
    """The words that a message starts with; text is quoted, a date has no time of day."""
    return f"Subgroup {repr(name) if isinstance(name, str) else text_of(name)}: "


def sample_of(metric, with_order, data, clusters):
    """The `Sample` of a subgroup, for a `MetricWithOptions`.

    With clusters in the whole data set its influence values are needed `with_order`.
    """
    if has_equal_weights(data):
        data = data._replace(weight=None)
    roc = metric.roc_of(data, with_order=with_order)
    return Sample(metric, data, roc, *of_several(clusters))


def _subgroup(inference, sample_of, data, clusters, options, is_in):
    """The `Subgroup` of the samples that are in it."""
    part = data.take(is_in)
    own = index = None
    if clusters is not None:
        own, index = encoded(clusters[is_in])  # clusters are numbered from 0 in each part
    sample = sample_of(part, index)
    if own is not None and sample.clusters is None:  # units are samples
        own = clusters[is_in]
    prevalence = float(np.average(part.positive, weights=part.weight))
    interval = inference.interval(sample, options._replace(method="beta"))
    return Subgroup(sample, own, prevalence, interval)


def _difference(first, second, options):
    """Fields of the `AucPRComparisonResult` of two subgroups, as a dict."""
    metric, samples = first.sample.metric, (first.sample, second.sample)
    one, other = map(_inference.counts_of, samples)
    described = {name: one[name] + other[name] for name in ("n_samples", "n_positive")}
    described["n_clusters"] = None
    if first.clusters is not None:
        has_samples = np.zeros(_n_clusters(first, second), dtype=bool)
        has_samples[first.clusters] = has_samples[second.clusters] = True
        described["n_clusters"] = int(np.count_nonzero(has_samples))
    described |= metric.fields() | options.fields() | {"statistic": None, "df": None}
    if not all(sample.is_defined for sample in samples):
        return described
    both = (sample.proportion for sample in samples)
    found = by_limits(*both, _correlation(first, second), options)
    return described | found.fields(metric, options.alternative)


def _correlation(first, second):
    """Correlation of the values of two subgroups, by the clusters that they share."""
    if first.clusters is None:
        return 0.0
    values = np.zeros((2, _n_clusters(first, second)))
    for of_part, part in zip(values, (first, second), strict=True):
        found = part.sample.influence
        of_part[part.clusters] = found / (np.linalg.norm(found) or 1.0)
    return float(values[0] @ values[1])


def _n_clusters(first, second):
    """A number above the indices of all clusters of two subgroups."""
    return 1 + int(max(first.clusters.max(), second.clusters.max()))
