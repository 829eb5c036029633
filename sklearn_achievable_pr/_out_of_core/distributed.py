"""Exact areas of Spark and Dask frames, whose rows stay on the workers.

Each partition is counted in a histogram, histograms are merged on the workers, and the
driver cuts ranges of scores. The engine shuffles the samples by the number of their range.
A worker integrates a range; integrals, and points that may be vertices of the hull, are
returned to the driver.
"""

from __future__ import annotations

import pickle
from collections import ChainMap
from functools import partial

import numpy as np

from .._input.labels import BinaryData, check_batch
from .frames import arrow_arrays, checked, chosen_columns, engine_of
from .histogram import BinCounts
from .score_partition import area_over_ranges, check_unchanged, cut_ranges

# Histograms that Dask merges in a task.
_FAN_IN = 8
# Ranges of fewer samples are not worth a task.
_MIN_SAMPLES = 1 << 16
_N_TASKS = 64
# What sorting and fetching takes at most, for a range of twice as many samples as wanted.
_BYTES_PER_SAMPLE = 256
_COLUMNS = _RANGE, *_DATA = "apr_range", "apr_positive", "apr_score", "apr_weight"
_RESULT = "apr_result"


def on_cluster(frame, y_true, y_score, sample_weight):
    """The columns of a Spark or Dask frame; None for other objects."""
    kinds = {"pyspark": SparkColumns, "dask": DaskColumns, "dask_expr": DaskColumns}
    kind = kinds.get(engine_of(frame))
    if kind is None or not hasattr(frame, "columns"):
        return None
    return kind(frame, chosen_columns(frame.columns, y_true, y_score, sample_weight))


def count_on_cluster(columns, pos_label, bins):
    """The `BinCounts` of all samples."""
    return columns.merged(partial(_count, pos_label=pos_label, bins=bins))


def area_on_cluster(columns, pos_label, metric, max_memory):
    """A metric of the samples; each task may take `max_memory` bytes."""

    def max_samples(table):
        per_task = max(_MIN_SAMPLES, int(table.samples.sum()) // _N_TASKS)
        return min(max_memory // _BYTES_PER_SAMPLE, per_task)

    count = partial(count_on_cluster, columns, pos_label)
    ranges, bins, range_of_bin = cut_ranges(count, max_samples)
    # Samples of ranges with known points stay where they are.
    needed = {i: part for i, part in enumerate(ranges) if part.points is None}
    numbers = np.where(np.isin(range_of_bin, list(needed)), range_of_bin, -1)
    split = partial(_split, pos_label=pos_label, bins=bins, numbers=numbers)

    def run(task):
        integrate = partial(_integrate, ranges=ranges, task=task)
        found = columns.by_range(split, integrate, len(ranges)) if needed else {}
        n_samples = [found.get(number, ([0, 0], None))[0] for number in needed]
        check_unchanged([part.n_samples for part in needed.values()], n_samples)
        return [
            found[number][1] if number in needed else task(part, None)
            for number, part in enumerate(ranges)
        ]

    return area_over_ranges(metric, ranges, run)


# What workers do with columns of NumPy arrays.


def _count(batches, pos_label, bins):
    """The `BinCounts` of labels, scores and weights in batches."""
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


def _split(columns, pos_label, bins, numbers):
    """The samples that are needed, and the number of the range of each."""
    y_true, y_score, weight = (*columns, None)[:3]
    data = check_batch(y_true, y_score, weight, pos_label)
    if data is None:  # no samples, but columns of the right types
        weight = None if weight is None else weight.astype(float)
        data = BinaryData(np.zeros(0, dtype=bool), y_score, weight)
    number = numbers.take(bins.index(data.score))
    return {
        name: column[number >= 0]
        for name, column in zip(_COLUMNS, (number, *data), strict=True)
        if column is not None
    }


def _integrate(columns, ranges, task):
    """By number of the range, numbers of samples and the result of a task."""
    if not len(columns[_RANGE]):
        return {}
    number = int(columns[_RANGE][0])
    data = BinaryData(*map(columns.get, _DATA))
    n_pos = int(np.count_nonzero(data.positive))
    return {number: ([len(data.positive) - n_pos, n_pos], task(ranges[number], data))}


# What differs between the engines: how partitions are mapped and results merged, and how
# rows are shuffled by a number.


class DaskColumns:
    """Columns of a Dask data frame."""

    def __init__(self, frame, columns):
        self.columns, self.frame = columns, frame[list(dict.fromkeys(columns))]

    def merged(self, count):
        """One histogram from those that `count` makes of each partition."""
        import dask

        tables = [
            dask.delayed(count)([dask.delayed(_pandas_arrays)(part, self.columns)])
            for part in self.frame.to_delayed()
        ]
        while len(tables) > 1:
            groups = (tables[i : i + _FAN_IN] for i in range(0, len(tables), _FAN_IN))
            tables = [dask.delayed(_merge)(group) for group in groups]
        return dask.compute(*tables)[0]

    def by_range(self, split, integrate, n_ranges):
        """What `integrate` returns for the rows that `split` puts into each range."""
        import dask

        split = partial(_split_pandas, names=self.columns, split=split)
        rows = self.frame.map_partitions(split, meta=split(self.frame._meta))
        rows = rows.set_index(_RANGE, divisions=list(range(n_ranges + 1)))
        integrate = dask.delayed(partial(_integrate_pandas, integrate=integrate))
        return dict(ChainMap(*dask.compute(*map(integrate, rows.to_delayed()))))


def _pandas_arrays(frame, names):
    return [frame[name].to_numpy() for name in names]


def _split_pandas(frame, names, split):
    import pandas as pd

    return pd.DataFrame(split(_pandas_arrays(frame, names)))


def _integrate_pandas(frame, integrate):
    frame = frame.reset_index()
    return integrate({name: frame[name].to_numpy() for name in frame.columns})


class SparkColumns:
    """Columns of a Spark data frame."""

    def __init__(self, frame, columns):
        self.columns, self.frame = columns, frame.select(*dict.fromkeys(columns))

    def merged(self, count):
        """One histogram from those that `count` makes of each partition."""
        arrays = partial(_spark_arrays, names=self.columns)

        def count_partition(batches):
            yield _pickled(lambda: count(map(arrays, batches)))

        tables = self.frame.mapInArrow(count_partition, f"{_RESULT} binary").groupBy()
        # A frame may have no partitions.
        return _merge([count(()), *_results_by_group(tables, _merged_tables)])

    def by_range(self, split, integrate, n_ranges):
        """What `integrate` returns for the rows that `split` puts into each range."""
        import pyarrow

        arrays = partial(_spark_arrays, names=self.columns)
        score_type = self.frame.schema[self.columns[1]].dataType.simpleString()
        score_type = "double" if score_type.startswith("decimal") else score_type
        types = ("int", "boolean", score_type, "double")[: len(self.columns) + 1]

        def split_partition(batches):
            for batch in batches:
                yield pyarrow.RecordBatch.from_pydict(split(arrays(batch)))

        schema = ", ".join(map(" ".join, zip(_COLUMNS, types, strict=False)))
        rows = self.frame.mapInArrow(split_partition, schema).groupBy(_RANGE)
        results = _results_by_group(rows, lambda table: integrate(arrow_arrays(table)))
        return dict(ChainMap(*results))


def _spark_arrays(batch, names):
    arrays = arrow_arrays(batch)
    return [arrays[name] for name in names]


def _merged_tables(table):
    return _merge(_unpickled(table[_RESULT].to_pylist()))


def _results_by_group(grouped, function):
    """What a function of a PyArrow table returns for each group of rows."""
    import pyarrow

    def apply(table):
        return pyarrow.Table.from_batches([_pickled(lambda: function(table))])

    rows = grouped.applyInArrow(apply, f"{_RESULT} binary").collect()
    return _unpickled(row[_RESULT] for row in rows)


def _pickled(function):
    """The result of a function, or its error, which Spark would wrap, as a column."""
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
