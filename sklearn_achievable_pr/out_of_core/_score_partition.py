"""Exact areas: ranges of scores are sorted and integrated independently.

A histogram gives the number of samples of each class above each range, which is the point
where the ROC curve enters the range. Integrals over ranges add up, and every vertex of the
hull of all samples is a vertex of the hull of its range.

`exact_area` counts the samples of a source (`counted`), cuts ranges of scores, and sends
each sample to the group of its range (`grouped`). The metric is that of a `RangedROCCurve`,
whose sums and hulls are computed range by range (`map_groups`): in threads, or by the
workers of a cluster.
"""

import math
from functools import partial
from itertools import chain, pairwise
from tempfile import TemporaryDirectory

import numpy as np

from .._input.labels import BinaryData
from .._input.options import value_or_warn
from .._roc.counting import breakpoints
from .._roc.curve import Points, ROCCurve
from ._bins import Refined, leading_bits
from ._histogram import BinCounts

# Bins with too many samples are divided: total number of parts, and minimum per bin.
_N_PARTS, _MIN_PARTS = 2**16, 16
# Intended number of ranges, and number of samples per range below which the overhead of a
# range would dominate.
_N_RANGES, _MIN_SAMPLES = 24, 1 << 20
# Maximum number of bytes per sample for sorting and fetching; a range may have twice the
# intended number of samples.
_BYTES_PER_SAMPLE = 256


def exact_area(metric, source, max_memory, temp_folder):
    """The exact value of a metric of samples, which are divided into ranges.

    Parameters
    ----------
    metric : MetricWithOptions
        An additive metric.
    source : LocalSource, DaskSource or SparkSource
    max_memory : int
        Bytes that sorting a range may use. A single score with many samples may need more.
    temp_folder : path or None
        Folder for temporary files, which are deleted at the end.

    Returns
    -------
    float
        NaN, with a warning, if a class is missing.
    """
    curves, table, range_of_bin = _cut_ranges(source, max_memory // _BYTES_PER_SAMPLE)
    split = partial(_split, table.bins, table.is_weighted, range_of_bin, len(curves))
    n_neg, n_pos = curves[-1].fps[-1].item(), curves[-1].tps[-1].item()
    with TemporaryDirectory(prefix="achievable_pr_", dir=temp_folder) as folder:
        map_groups = source.grouped(split, len(curves) + 1, folder)
        of_each_range = partial(_of_each_range, curves, table, map_groups)
        roc = RangedROCCurve(of_each_range, n_pos, n_neg)
        return value_or_warn(partial(metric.value, roc), np.nan, metric.entry.label)


class RangedROCCurve(ROCCurve):
    """A ROC curve whose parts are computed where their samples are.

    `parts` is a function: ``parts(task, roc)`` is a list of ``task(roc)`` with the points
    of each range. Only sums of terms, and vertices of hulls, are collected.
    """

    def total(self, terms):
        """Sum of ``terms(roc)``, one term per block of segments."""
        found = self.parts(lambda roc: [*terms(roc)], ROCCurve((), *self[1:]))
        return math.fsum(chain.from_iterable(found))

    def hull(self):
        """The ROC curve through the vertices of its upper convex hull."""
        roc = ROCCurve((), *self[1:])
        parts = self.parts(lambda roc: roc.hull().parts[0], roc)
        return roc._replace(parts=parts).hull()


def _of_each_range(curves, table, map_groups, task, roc):
    """``task(roc)`` with the points of each range, by decreasing score, as a list.

    Parameters
    ----------
    curves : list of Points
        The ROC curve within each range: all points if known, else the first and the last.
    table : BinCounts
        The counts of the first pass.
    map_groups : callable
        Maps over the groups of `_split`: one group per range, and one of the counts.
    task : callable
    roc : ROCCurve
        Without points.
    """
    found = dict(map_groups(partial(_on_range, curves, task, roc)))
    samples, weights = found.pop(len(curves)).reshape(2, *table.samples.shape)
    same_weights = np.allclose(weights, table.weights, 1e-9, 0)  # added in another order
    if (samples != table.samples).any() or not same_weights:
        raise ValueError(
            "Every pass over `batches` or `frame` must meet the same samples. Got others: "
            "let each pass start anew, without sampling, or read once, by `PRCounts`."
        )
    return [
        found[i] if i in found else task(roc._replace(parts=[points]))
        for i, points in enumerate(curves)
    ]


def _cut_ranges(source, most):
    """Ranges of neighboring bins, each with few enough samples or a single bin.

    The ROC curve within a bin of one score or one class is known without its samples. A
    long sequence of such bins is a separate range.

    Parameters
    ----------
    source : LocalSource, DaskSource or SparkSource
        The samples are counted again with finer bins if a bin has too many of them.
    most : int
        Maximum number of samples per bin; a range may have twice this number.

    Returns
    -------
    curves : list of Points
        The ROC curve within each range, by decreasing score: all points if known, else the
        first and the last.
    table : BinCounts
        The counts of the bins that the ranges are made of.
    range_of_bin : ndarray of unsigned int, shape (n_bins,)
        The range that needs the samples of each bin, or `n_ranges`.
    """
    bins = leading_bits(2**16)
    while True:
        table = source.counted(bins)
        n_samples = table.samples.sum(axis=1)
        if not n_samples.any():
            raise ValueError(
                "`batches` or `frame` must hold samples of positive weight. Got none."
            )
        divisible = np.diff(bins.lowest_keys()).view(np.uint64) > 1
        crowded = table.mixed & divisible & (n_samples > most)
        if not crowded.any():
            break
        n_parts = max(_N_PARTS // np.count_nonzero(crowded), _MIN_PARTS)
        bins = Refined(bins, np.where(crowded, n_parts, 1))

    limit = min(most, max(_MIN_SAMPLES, n_samples.sum() // _N_RANGES))
    used = n_samples.nonzero()[0][::-1]
    mixed, n_samples = table.mixed[used], n_samples[used]
    sequence = np.cumsum(np.diff(mixed, prepend=mixed[:1]))
    in_sequence = np.bincount(sequence, n_samples)[sequence]
    known = ~mixed & (4 * in_sequence >= limit)
    part = np.where(known, -1, np.cumsum(n_samples) // limit)
    first = np.diff(part, prepend=-2).nonzero()[0]
    number = np.repeat(np.arange(len(first)), np.diff(first, append=len(used)))

    above = np.concatenate(([[0, 0]], np.cumsum(table.weights[used], axis=0)))
    curves = []
    for start, stop in pairwise([*first, len(used)]):
        index = slice(start, stop + 1) if known[start] else [start, stop]
        curves.append(Points(*above[index].T, None))
    number[known] = len(curves)
    range_of_bin = np.full(bins.n_bins, len(curves), dtype=np.min_scalar_type(len(curves)))
    range_of_bin[used] = number
    return curves, table, range_of_bin


def _split(bins, is_weighted, range_of_bin, n_ranges, batches):
    """Pairs of the index of a range and the columns of samples that it needs.

    The last pair is `n_ranges`, and numbers and weights of all samples by bin and class.
    """
    counts = BinCounts(bins)
    for data, _ in batches:
        if is_weighted and data.weight is None:
            data = data._replace(weight=np.ones(len(data.score)))
        index = bins.index(data.score)
        counts.count(index, data)
        number = range_of_bin.take(index)
        order = number.argsort(kind="stable")
        columns = [column.take(order) for column in data if column is not None]
        ends = np.bincount(number, minlength=n_ranges)[:n_ranges].cumsum()
        for i, (start, end) in enumerate(pairwise([0, *ends])):
            if start < end:
                yield i, [column[start:end] for column in columns]
    yield n_ranges, [counts.samples, counts.weights]


def _on_range(curves, task, roc, number, pieces):
    """Pair of the index of a range and ``task(roc)`` with the points of that range.

    The pieces of the last index, numbers and weights of samples, are added instead.
    """
    if number == len(curves):
        return number, sum(map(np.array, pieces))
    columns = [np.concatenate(column) for column in zip(*pieces, strict=True)]
    f0, t0 = curves[number].fps[0], curves[number].tps[0]
    parts = breakpoints(BinaryData(*columns)).parts
    here = [Points(fps + f0, tps + t0, None) for fps, tps, _ in parts]
    return number, task(roc._replace(parts=here))
