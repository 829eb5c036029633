"""Differences between subgroups: disjoint parts of one data set.

Each sample has an influence on the metric of its own subgroup only. So the influence values
of the difference between subgroups a and b are those of a, and those of b with the opposite
sign. The two values of a cluster with samples in both subgroups are added.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from .._input.options import check_random_state
from . import inference
from .standard_error import InfluenceValues, Sample, influence_values


class Subgroup(NamedTuple):
    """A part of a data set, and the fields of its `AucPRIntervalResult`.

    Attributes
    ----------
    sample : Sample
    clusters : ndarray of int64, or None
        Index, in the whole data set, of each cluster of the sample.
    interval : dict
    """

    sample: Sample
    clusters: np.ndarray | None
    interval: dict

    @property
    def prevalence(self):
        """Fraction of positives, by weight."""
        n_pos, n_neg = float(self.sample.roc.n_pos), float(self.sample.roc.n_neg)
        return n_pos / (n_pos + n_neg)


def compared(metric, data, by, clusters, reference, options):
    """Subgroups and their pairs.

    Parameters
    ----------
    metric : MetricWithOptions
    data : BinaryData
    by : dict
        From the label of a subgroup to whether each sample belongs to it.
    clusters : ndarray of int64, shape (n_samples,), or None
        Index of the cluster of each sample.
    reference : label, "rest" or None
    options : Options
        Of the tests.

    Returns
    -------
    subgroups : dict
        From a label to a `Subgroup`.
    pairs : dict
        From a pair of labels to the fields of its `AucPRComparisonResult`.
    """
    # Resamples of different subgroups have to be independent: one source for all.
    options = options._replace(random_state=check_random_state(options.random_state))
    subgroup = partial(_subgroup, metric, data, clusters, options)
    found = {name: subgroup(is_in) for name, is_in in by.items()}
    is_resampled = options.method == "percentile" and clusters is not None
    if is_resampled and sum(len(p.clusters) for p in found.values()) > clusters.max() + 1:
        raise ValueError(
            "`groups` must not reach over subgroups of `by` with `method`='percentile'. "
            "Choose a metric with method='influence', or leave out `groups`."
        )
    for name, part in found.items():
        inference.warn_of_data(part.sample, "comparison", options.method, subgroup=name)
    return found, {
        (a, b): _difference(found[a], found[b] if b in found else subgroup(~by[a]), options)
        for a, b in inference.pairs_of(found, reference)
    }


def _subgroup(metric, data, clusters, options, is_in):
    """The `Subgroup` of the samples that are in it."""
    part = data.take(is_in)
    own = index = None
    if clusters is not None:
        own, index = np.unique(clusters[is_in], return_inverse=True)
    is_resampled = options.method == "percentile"
    roc = metric.roc_of(part, with_order=is_resampled or clusters is not None)
    sample = Sample(metric, part, roc, index)
    of_interval = options._replace(method="percentile" if is_resampled else "beta")
    return Subgroup(sample, own, inference.interval(sample, of_interval))


def _difference(first, second, options):
    """Fields of the `AucPRComparisonResult` of two subgroups, as a dict."""
    unpaired = partial(_resampled, first, second), partial(_influence, first, second)
    found = inference.comparison(first.sample, second.sample, options, unpaired)
    for name in ("n_samples", "n_positive"):
        found[name] += second.interval[name]
    if first.clusters is not None:
        found["n_clusters"] = len(np.union1d(first.clusters, second.clusters))
    return found


def _resampled(first, second):
    """The bootstrap distribution of the difference between two subgroups."""
    one, other = (part.interval["bootstrap_distribution"] for part in (first, second))
    return one - other


def _influence(first, second):
    """A list of the `InfluenceValues` of the difference between two subgroups."""
    one, other = both = [influence_values(part.sample) for part in (first, second)]
    if first.clusters is None:  # the sign of a value has no effect on its square
        return both
    cluster = np.concatenate((first.clusters, second.clusters))
    distinct, index = np.unique(cluster, return_inverse=True)
    values = np.bincount(index, np.concatenate((one.values, -other.values)))
    share = np.zeros(len(distinct))
    np.maximum.at(share, index, np.concatenate((one.share, other.share)))
    return [InfluenceValues(values, np.ones(len(distinct)), share)]
