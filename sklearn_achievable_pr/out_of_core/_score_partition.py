"""Exact areas: ranges of scores are sorted and integrated independently.

A histogram gives the number of samples of each class above each range, which is the point
where the ROC curve enters the range. Integrals over ranges add up, and every vertex of the
hull of all samples is a vertex of the hull of its range.

A bin of the histogram is *mixed* if it has several scores and both classes. Only there does
the ROC curve depend on the order of the samples. In all other bins the counts suffice.
Average precision depends on every score of a positive, so its bins with several scores and
a positive have to be sorted.

`exact_area` counts the samples of a source (`counted`), cuts the counted bins into ranges
of scores, and sends each sample to the group of its range (`grouped`). The metric is that
of a `RangedROCCurve`, whose sums and hulls are computed range by range: in threads, or by
the workers of a cluster.

Samples may change between the passes, or be lost between the workers. So each range must
receive the samples that were counted for it, and a checksum of all samples that the second
pass reads must be that of the counts: both passes must meet the same samples.
"""

import math
from functools import lru_cache, partial
from itertools import chain, pairwise
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from .._input.labels import BinaryData, are_like_labels, warn_like_labels
from .._input.undefined import value_or_warn
from .._roc.counting import from_counts
from .._roc.curve import Points, ROCCurve
from ..metrics._chance import REVERSED_SCORES, warn_if_reversed
from ._bins import leading_bits, refined

# Bins with too many samples are divided into `_N_PARTS` parts together, but each of them
# into at least `_MIN_PARTS`.
_N_PARTS, _MIN_PARTS = 2**16, 16
# About `_N_RANGES` ranges are made. With fewer samples per range than `_MIN_SAMPLES`, the
# overhead of a range would dominate.
_N_RANGES, _MIN_SAMPLES = 24, 1 << 20
# A sequence of bins that are not mixed is a range of its own if it has at least this part
# of the intended number of samples of a range. A shorter one costs less in a range that is
# sorted.
_LONG_SEQUENCE = 0.25
# Sorting and fetching take at most half of this many bytes per sample, because a range of
# several bins may have up to twice the intended number of samples.
_BYTES_PER_SAMPLE = 256
# Sums of weights in another order may differ by this, relative to the sum.
_ROUNDING = 1e-9

_OTHER_SAMPLES = (
    "Every pass over `batches` or `frame` must meet the same samples. Got others: the data "
    "changed between passes, or samples were lost. Let each pass start anew, without "
    "sampling; store data that are computed at random; or read once, with `PRCounts`."
)


class ScoreRange(NamedTuple):
    """A range of scores.

    Attributes
    ----------
    points : Points
        The ROC curve within the range: all points if known, else the first and the last.
        Counts are those of all samples above, not only of this range.
    n_to_sort : int
        Number of samples that have to be sorted; 0 if all points are known.
    """

    points: Points
    n_to_sort: int


def exact_area(metric, source, name, max_memory, temp_folder):
    """The exact value of a metric of samples, which are divided into ranges.

    Parameters
    ----------
    metric : MetricWithOptions
        An additive metric.
    source : LocalSource, DaskSource or SparkSource
    name : str
        The name of the scores in a warning.
    max_memory : int
        Bytes that sorting may use, in all threads of this process together, or in one task
        of a cluster. A single score with many samples may need more.
    temp_folder : path or None
        Folder for temporary files, which are deleted at the end.

    Returns
    -------
    float
        NaN, with a warning, if a class is missing.
    """
    most_sorted = max_memory // (source.n_threads * _BYTES_PER_SAMPLE)
    bins_to_sort = _mixed_bins
    if metric.entry.omits_turns:
        bins_to_sort = _bins_of_positives
    table = _counted(source, bins_to_sort, most_sorted)
    ranges, range_of_bin, ties = _cut_ranges(table, bins_to_sort(table), most_sorted)
    _warn_of_scores(table, ties, name)
    split = partial(
        _samples_by_range, table.bins, table.is_weighted, range_of_bin, len(ranges)
    )
    with TemporaryDirectory(prefix="achievable_pr_", dir=temp_folder) as folder:
        map_groups = source.grouped(split, len(ranges) + 1, folder)
        points = metric.entry.points
        roc = RangedROCCurve(ranges, points, _checksum(table), map_groups)
        return value_or_warn(partial(metric.value, roc), np.nan, metric.entry.label)


class RangedROCCurve:
    """A ROC curve whose points are computed where their samples are, range by range.

    It has what additive metrics ask of a `ROCCurve`: totals, kind, prevalence, sums over
    segments and parts, and the hull. Only terms of sums, and vertices of hulls, are
    collected. Sums and hulls need positives: metrics call `at_prevalence` before, which
    requires them.

    Parameters
    ----------
    ranges : list of ScoreRange
        By decreasing score.
    points : callable
        ``points(data)`` is the `ROCCurve` of `BinaryData` with the points that the metric
        needs.
    checksum : tuple
        The `_checksum` of the samples that were counted.
    map_groups : callable
        From ``source.grouped``; maps over the groups of `_samples_by_range`.
    negative_weight : float, default=1.0
        As in a `ROCCurve`.

    Attributes
    ----------
    n_pos, n_neg : int or float
        As in a `ROCCurve`.
    """

    def __init__(self, ranges, points, checksum, map_groups, negative_weight=1.0):
        self._given = ranges, points, checksum, map_groups
        last = ranges[-1].points.take(-1)
        self.n_pos, self.n_neg = last.tps.item(), last.fps.item()
        self.negative_weight = negative_weight

    def of_kind(self, curve):
        """As `ROCCurve.of_kind`."""
        return self.hull() if curve == "achievable" else self

    def at_prevalence(self, prevalence):
        """As `ROCCurve.at_prevalence`, with its checks."""
        # The checks and the weight depend on the totals alone, so a curve without points is
        # enough.
        weight = self._with_parts(()).at_prevalence(prevalence).negative_weight
        return RangedROCCurve(*self._given, weight)

    def total(self, integral, low, high):
        """As `ROCCurve.total`."""

        def integrals(roc):
            return [integral(segments) for segments in roc.segments(low, high)]

        return math.fsum(chain.from_iterable(self._of_ranges(integrals)))

    def of_parts(self, function):
        """As `ROCCurve.of_parts`."""
        results = self._of_ranges(lambda roc: roc.of_parts(function))
        return [*chain.from_iterable(results)]

    def hull(self):
        """The `ROCCurve` through the vertices of the upper convex hull."""
        hulls = self._of_ranges(lambda roc: roc.hull().parts)
        return self._with_parts([*chain.from_iterable(hulls)]).hull()

    def _with_parts(self, parts):
        """The `ROCCurve` with these points."""
        return ROCCurve(parts, self.n_pos, self.n_neg, negative_weight=self.negative_weight)

    def _of_ranges(self, task):
        """``task(roc)`` of each range, as a list; `roc` has the points of that range.

        Dask and Spark serialize functions by cloudpickle, so `task` may be a lambda.
        """
        ranges, points, checksum, map_groups = self._given
        whole = self._with_parts(())  # the workers get this curve without the source

        def task_on_parts(parts):
            return task(whole._replace(parts=parts))

        on_range = partial(_on_range, ranges, points, task_on_parts)
        results = dict(map_groups(on_range))
        checksum_index = len(ranges)  # as in `_samples_by_range`
        code_sum, weighted_sum = results.pop(checksum_index, (None, 0.0))
        wanted_code_sum, wanted_weighted_sum = checksum
        is_same = code_sum == wanted_code_sum and math.isclose(
            weighted_sum, wanted_weighted_sum, rel_tol=_ROUNDING
        )
        to_sort = [i for i, one in enumerate(ranges) if one.n_to_sort]
        if not is_same or sorted(results) != to_sort:
            raise ValueError(_OTHER_SAMPLES)
        return [
            results[i] if i in results else task_on_parts([one.points])
            for i, one in enumerate(ranges)
        ]


def _mixed_bins(table):
    """Mask of the bins that have to be sorted to know where the ROC curve turns."""
    return table.mixed


def _bins_of_positives(table):
    """Mask of the bins that have to be sorted to know every score of a positive."""
    return np.isnan(table.score) & (table.samples[:, 1] > 0)


def _counted(source, bins_to_sort, most_sorted):
    """The counts of a source in bins, fine enough to be cut into ranges.

    The samples are counted again, in finer bins, while a bin that has to be sorted has too
    many of them.

    Parameters
    ----------
    source : LocalSource, DaskSource or SparkSource
        The samples.
    bins_to_sort : callable
        ``bins_to_sort(table)`` is the mask of the bins that have to be sorted.
    most_sorted : int
        Maximum number of samples of such a bin.

    Returns
    -------
    BinCounts
    """
    bins = leading_bits(2**16)
    while True:
        table = source.counted(bins)
        n_samples = np.add(*table.samples.T)
        if not n_samples.any():
            raise ValueError(
                "`batches` or `frame` must hold samples of positive weight. Got none."
            )
        crowded = bins_to_sort(table) & (n_samples > most_sorted)
        if crowded.any():
            # Scores of other dtypes that are one number in float64 have one key. A bin of
            # one key may have several such scores, but cannot be divided.
            crowded &= np.diff(bins.lowest_keys()).view(np.uint64) > 1
        if not crowded.any():
            return table
        n_parts = np.maximum(_N_PARTS // np.count_nonzero(crowded), _MIN_PARTS)
        bins = refined(bins, np.where(crowded, n_parts, 1))


def _warn_of_scores(table, roc, name):
    """Warn of scores that look like predicted labels, and of reversed scores.

    Parameters
    ----------
    table : BinCounts
        As from `_counted`.
    roc : ROCCurve
        As from `_cut_ranges`: whether scores are reversed does not depend on their order
        within a bin.
    name : str
        The name of the scores.
    """
    if len(roc.parts[0].tps) == 3:  # the origin and two bins
        values = table.score[table.samples.any(axis=1)].tolist()
        # NaN stands for several scores of a bin.
        if are_like_labels(values, [label for label, _ in table.labels]):
            warn_like_labels(name, *values)
    warn_if_reversed(roc, REVERSED_SCORES, table.effective_class_sizes)


def _cut_ranges(table, needs_sort, most_sorted):
    """Ranges of neighboring bins, each with few enough samples or a single bin.

    A long sequence of bins that need no sort is a range of its own.

    Parameters
    ----------
    table : BinCounts
        As from `_counted`.
    needs_sort : ndarray of bool, shape (n_bins,)
        The bins that have to be sorted.
    most_sorted : int
        Intended maximum number of samples of a range that is sorted. The first bin of a
        range may straddle the border of the range before, so that a range of several bins
        has up to twice this number.

    Returns
    -------
    ranges : list of ScoreRange
        By decreasing score.
    range_of_bin : ndarray of unsigned int, shape (n_bins,)
        Index of the range that sorts the samples of each bin, or the number of ranges if
        none does.
    ties : ROCCurve
        The ROC curve with the samples of each bin as a tie.
    """
    n_samples = np.add(*table.samples.T)
    limit = min(most_sorted, max(_MIN_SAMPLES, n_samples.sum() // _N_RANGES))
    used = n_samples.nonzero()[0][::-1]  # the bins are in the order of decreasing scores
    n_samples = n_samples[used]
    is_known = _is_in_long_known_sequence(needs_sort[used], n_samples, limit)
    # A range begins where the running number of samples passes a multiple of the limit, and
    # at both ends of a known sequence, whose bins all have the number -1.
    range_number = np.where(is_known, -1, np.cumsum(n_samples) // limit)
    before_the_first = -2  # differs from every number, so that the first bin begins a range
    is_first = np.diff(range_number, prepend=before_the_first) != 0
    # A bin that has too many samples, but cannot be divided, takes no others along.
    is_too_large = ~is_known & (n_samples > most_sorted)
    is_first[1:] |= is_too_large[:-1]
    first_bins = is_first.nonzero()[0]

    sorted_by_none = len(first_bins)  # the index after those of the ranges
    above = np.concatenate(([[0, 0]], np.cumsum(table.weights[used], axis=0)))
    ranges, sorted_by = [], np.empty(len(used), dtype=np.int64)
    for index, (start, stop) in enumerate(pairwise([*first_bins, len(used)])):
        if is_known[start]:
            points, n_to_sort = above[start : stop + 1], 0
            sorted_by[start:stop] = sorted_by_none
        else:
            points, n_to_sort = above[[start, stop]], n_samples[start:stop].sum().item()
            sorted_by[start:stop] = index
        ranges.append(ScoreRange(Points(points[:, 0], points[:, 1], None), n_to_sort))
    dtype = np.min_scalar_type(sorted_by_none)
    range_of_bin = np.full(table.bins.n_bins, sorted_by_none, dtype=dtype)
    range_of_bin[used] = sorted_by
    return ranges, range_of_bin, from_counts(*above.T)


def _is_in_long_known_sequence(needs_sort, n_samples, limit):
    """Whether each bin is in a long sequence of bins that need no sort.

    `limit` is the intended number of samples of a range.
    """
    # Whether a bin that has to be sorted follows another bin, or the reverse.
    is_change = np.diff(needs_sort, prepend=needs_sort[:1])
    sequence = np.cumsum(is_change)  # this is the index of the sequence of each bin
    n_in_sequence = np.bincount(sequence, n_samples)[sequence]
    return ~needs_sort & (n_in_sequence >= _LONG_SEQUENCE * limit)


def _samples_by_range(bins, is_weighted, range_of_bin, n_ranges, batches):
    """Pairs of the index of a range and the columns of samples that it sorts.

    The last pair has the index after those of the ranges, and the checksum of all samples,
    as that of the counts (`_checksum`). `batches` are pairs of `BinaryData` and their
    labels, which only the first pass needs.
    """
    checksum_index = n_ranges
    integers, floats = _codes(bins)
    checksum = [np.zeros(1, np.uint64), np.zeros(1)]
    for data, _ in batches:
        if data.weight is not None and not is_weighted:
            raise ValueError(_OTHER_SAMPLES)
        if data.weight is None and is_weighted:
            data = data._replace(weight=np.ones(len(data.score)))
        index = bins.index(data.score)
        cell = 2 * index + data.positive
        checksum[0] += integers.take(cell).sum()
        if is_weighted:
            checksum[1] += (floats.take(cell) * data.weight).sum()
        range_index = range_of_bin.take(index)
        order = range_index.argsort(kind="stable")
        columns = [column.take(order) for column in data if column is not None]
        ends = np.bincount(range_index, minlength=n_ranges)[:n_ranges].cumsum()
        for i, (start, end) in enumerate(pairwise([0, *ends])):
            if start < end:
                yield i, [column[start:end] for column in columns]
    yield checksum_index, checksum


@lru_cache(maxsize=1)
def _codes(bins):
    """A random number for each bin and class, as uint64 and as float64.

    The raw numbers of a generator are the same in every process and version of NumPy.
    """
    codes = np.random.PCG64(0).random_raw(2 * bins.n_bins)
    return codes, codes.astype(np.float64)


def _checksum(table):
    """The sum of the codes of all samples modulo 2**64, and that of codes times weights.

    Other counts per bin and class have the same sum with a probability of about 2**-64.
    Unlike the counts, the checksums of a thousand partitions are small.
    """
    integers, floats = _codes(table.bins)
    code_sum = (integers * table.samples.reshape(-1).astype(np.uint64)).sum()
    weighted_sum = (floats * table.weights.reshape(-1)).sum()
    return code_sum, weighted_sum if table.is_weighted else 0.0


def _on_range(ranges, points_of, task, index, pieces):
    """Pair of the index of a range and ``task(parts)`` with the points of that range.

    The index after the ranges is that of the checksum, whose pieces are added up.
    """
    columns = [np.concatenate(column) for column in zip(*pieces, strict=True)]
    if index == len(ranges):
        return index, [column.sum() for column in columns]
    if {*map(len, columns)} != {ranges[index].n_to_sort}:
        raise ValueError(_OTHER_SAMPLES)
    points = ranges[index].points
    # Counts are those of all samples above, so they are added.
    fps, tps = points.fps, points.tps
    parts = points_of(BinaryData(*columns)).parts
    here = [Points(part.fps + fps[0], part.tps + tps[0], None) for part in parts]
    last = here[-1].fps[-1], here[-1].tps[-1]
    if not np.allclose(last, (fps[-1], tps[-1]), rtol=_ROUNDING, atol=0):
        raise ValueError(_OTHER_SAMPLES)
    return index, task(here)
