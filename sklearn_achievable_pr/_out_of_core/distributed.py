"""Exact areas of Spark and Dask frames, whose rows stay on the workers.

The workers count each partition in a histogram and merge the histograms. From the merged
histogram the driver divides the scores into ranges. The engine shuffles the samples by the
index of their range. A worker integrates one range at a time, and returns the integral, or
points that may be vertices of the hull, to the driver.
"""

from __future__ import annotations

import pickle
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from .._input.labels import BinaryData
from .frames import arrays_of, checked, chosen_columns, engine_of
from .histogram import BinCounts
from .score_partition import area_over_ranges, check_unchanged, cut_ranges

# Number of histograms that Dask merges in one task.
_FAN_IN = 8
# With fewer samples per range, the overhead of a task would dominate.
_MIN_SAMPLES = 1 << 16
_N_TASKS = 64
# Bytes per sample that sorting and fetching take at most; a range may have twice the
# number of samples aimed at.
_BYTES_PER_SAMPLE = 256
# Columns of samples that are shuffled, and of results.
_SHUFFLED = _RANGE, *_ = "apr_range", "apr_positive", "apr_score", "apr_weight"
_RESULT = "apr_result"


def on_cluster(frame, y_true, y_score, sample_weight):
    """The columns of a Spark or Dask frame; None for other objects."""
    kinds = {"pyspark": SparkColumns, "dask": DaskColumns, "dask_expr": DaskColumns}
    kind = kinds.get(engine_of(frame))
    if kind is None or not hasattr(frame, "columns"):
        return None
    names = chosen_columns(frame.columns, y_true, y_score, sample_weight)
    return kind(frame[list(dict.fromkeys(names))], names)


def count_on_cluster(columns, pos_label, bins):
    """The `BinCounts` of all samples."""
    return columns.merged(partial(_count, pos_label=pos_label, bins=bins))


def area_on_cluster(columns, pos_label, metric, max_memory):
    """A metric of the samples; each task may take `max_memory` bytes."""

    def count(bins):
        table = count_on_cluster(columns, pos_label, bins)
        per_task = max(_MIN_SAMPLES, int(table.samples.sum()) // _N_TASKS)
        return table, min(max_memory // _BYTES_PER_SAMPLE, per_task)

    ranges, n_needed, table, range_of_bin = cut_ranges(count)
    options = {"pos_label": pos_label, "bins": table.bins, "range_of_bin": range_of_bin}
    split = partial(_split, **options, n_ranges=len(ranges))

    def integrate(task, numbers):
        on_range = partial(_on_range, ranges=ranges, task=task)
        pairs = chain.from_iterable(columns.by_range(split, on_range, len(ranges)))
        pairs = sorted(pairs, key=itemgetter(0))
        check_unchanged([(i, *n_needed[i]) for i in numbers], [n for n, _ in pairs])
        return [result for _, result in pairs]

    return area_over_ranges(metric, ranges, n_needed, integrate)


# Functions run by workers on batches, which are lists of NumPy arrays


def _count(batches, pos_label, bins):
    """The `BinCounts` of labels, scores and weights."""
    table = BinCounts(bins)
    for data in checked(batches, pos_label):
        table.add(*data)
    return table


def _merge(tables):
    """The sum of several `BinCounts`."""
    merged, *others = tables
    for table in others:
        merged.merge(table)
    return merged


def _split(batches, pos_label, bins, range_of_bin, n_ranges):
    """Columns of the samples that ranges need, and the index of each sample's range."""
    for data in checked(batches, pos_label):
        number = range_of_bin.take(bins.index(data.score))
        yield {
            name: column[number < n_ranges]
            for name, column in zip(_SHUFFLED, (number, *data), strict=True)
            if column is not None
        }


def _on_range(columns, ranges, task):
    """List with index, class counts and task result of a range; empty without samples."""
    number, positive, score, weight = (*columns, None)[:4]
    if not len(number):
        return []
    result = task(ranges[number[0]], BinaryData(positive, score, weight))
    return [((number[0], *np.bincount(positive, minlength=2)), result)]


# The operations that differ between the engines: merging the results of all partitions, and
# shuffling rows by an integer column.


class DaskColumns(NamedTuple):
    """Columns of a Dask data frame: labels, scores and perhaps weights."""

    frame: Any
    names: list

    def merged(self, count):
        """The merged histogram of all partitions; `count` returns the histogram of one."""
        import dask

        arrays = dask.delayed(partial(arrays_of, columns=self.names))
        tables = [dask.delayed(count)([arrays(part)]) for part in self.frame.to_delayed()]
        while len(tables) > 1:
            groups = (tables[i : i + _FAN_IN] for i in range(0, len(tables), _FAN_IN))
            tables = [dask.delayed(_merge)(group) for group in groups]
        return dask.compute(*tables)[0]

    def by_range(self, split, on_range, n_ranges):
        """Results of `on_range` for the samples of each range, as `split` assigns them."""
        import dask
        import pandas as pd

        names, score = self.names, self.frame._meta[self.names[1]].to_numpy()
        shuffled = list(_SHUFFLED[: 1 + len(names)])
        dtypes = zip(shuffled, ("int32", bool, score.dtype, float), strict=False)
        empty = pd.DataFrame({name: pd.Series(dtype=dtype) for name, dtype in dtypes})

        def split_partition(frame):
            return next(map(pd.DataFrame, split([arrays_of(frame, names)])), empty)

        @dask.delayed
        def integrate(frame):
            return on_range(arrays_of(frame.reset_index(), shuffled))

        rows = self.frame.map_partitions(split_partition, meta=empty)
        rows = rows.set_index(_RANGE, divisions=list(range(n_ranges + 1)))
        return dask.compute(*map(integrate, rows.to_delayed()))


class SparkColumns(NamedTuple):
    """Columns of a Spark data frame: labels, scores and perhaps weights."""

    frame: Any
    names: list

    def merged(self, count):
        """The merged histogram of all partitions; `count` returns the histogram of one."""
        names = self.names

        def count_partition(batches):
            yield _pickled(lambda: count(arrays_of(batch, names) for batch in batches))

        def merge(table):
            return _merge(_unpickled(table[_RESULT].to_pylist()))

        tables = self.frame.mapInArrow(count_partition, f"{_RESULT} binary").groupBy()
        # A frame may have no partitions.
        return _merge([count(()), *_results_by_group(tables, merge)])

    def by_range(self, split, on_range, n_ranges):
        """Results of `on_range` for the samples of each range, as `split` assigns them."""
        names, shuffled = self.names, _SHUFFLED[: 1 + len(self.names)]
        score_type = self.frame.schema[names[1]].dataType.simpleString()
        score_type = "double" if score_type.startswith("decimal") else score_type
        types = zip(shuffled, ("int", "boolean", score_type, "double"), strict=False)

        def split_partition(batches):
            import pyarrow

            columns = split(arrays_of(batch, names) for batch in batches)
            return map(pyarrow.RecordBatch.from_pydict, columns)

        rows = self.frame.mapInArrow(split_partition, ", ".join(map(" ".join, types)))
        return _results_by_group(
            rows.groupBy(_RANGE), lambda table: on_range(arrays_of(table, shuffled))
        )


def _results_by_group(grouped, function):
    """The result of `function`, called with a PyArrow table, for each group of rows."""
    import pyarrow

    def apply(table):
        return pyarrow.Table.from_batches([_pickled(lambda: function(table))])

    rows = grouped.applyInArrow(apply, f"{_RESULT} binary").collect()
    return _unpickled(row[_RESULT] for row in rows)


def _pickled(function):
    """The pickled result of a function, or its exception, which Spark would wrap."""
    import pyarrow

    try:
        result = function()
    except (TypeError, ValueError) as error:
        result = error
    return pyarrow.RecordBatch.from_pydict({_RESULT: [pickle.dumps(result)]})


def _unpickled(pickles):
    results = [pickle.loads(data) for data in pickles]
    for result in results:
        if isinstance(result, Exception):
            raise result
    return results
