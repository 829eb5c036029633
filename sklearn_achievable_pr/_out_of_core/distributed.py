"""Exact areas of Spark and Dask frames, whose rows stay on the workers.

Each partition is counted in a histogram, histograms are merged on the workers, and the
driver cuts ranges of scores. The engine shuffles the samples by the number of their range.
A worker integrates a range; integrals, and points that may be vertices of the hull, are
returned to the driver.
"""

from __future__ import annotations

import pickle
from functools import partial

import numpy as np

from .._input.labels import BinaryData, check_batch
from .frames import arrow_arrays, chosen_columns, engine_of
from .histogram import BinCounts, as_float
from .score_partition import (
    check_unchanged,
    cut_ranges,
    range_of_bin,
    value_over_ranges,
)

# Histograms that Dask merges in a task; groups of them that Spark merges.
_FAN_IN = 8
# Ranges of fewer samples are not worth a task.
_MIN_SAMPLES = 1 << 16
_N_TASKS = 64
# What sorting and fetching takes at most.
_BYTES_PER_SAMPLE = 128
_RANGE, _POSITIVE, _SCORE, _WEIGHT = "apr_range", "apr_positive", "apr_score", "apr_weight"
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
    table = columns.merged(partial(_count, pos_label=pos_label, bins=bins))
    if isinstance(table, Exception):
        raise table
    return BinCounts(bins) if table is None else table


def area_on_cluster(columns, pos_label, metric, max_memory):
    """A metric of the samples; each task may take `max_memory` bytes."""

    def max_samples(table):
        per_task = max(_MIN_SAMPLES, int(table.samples.sum()) // _N_TASKS)
        return min(max_memory // _BYTES_PER_SAMPLE, per_task)

    ranges, bins = cut_ranges(partial(count_on_cluster, columns, pos_label), max_samples)
    needed = [part for part in ranges if part.points is None]
    numbers = range_of_bin(needed, bins.n_bins, other=-1)
    split = partial(_split, pos_label=pos_label, bins=bins, numbers=numbers)

    def run(task):
        results = {part.number: task(part, None) for part in ranges if part.points}
        if needed:
            integrate = partial(_integrate, ranges=ranges, task=task)
            results |= columns.by_range(split, integrate, len(ranges))
        for part in ranges:
            if part.number not in results:
                check_unchanged(part.n_samples, (0, 0))
            if isinstance(results[part.number], Exception):
                raise results[part.number]
        return [results[part.number] for part in ranges]

    return value_over_ranges(metric, run, ranges[-1].end)


# What workers do with columns of NumPy arrays. Errors in the data are returned: Spark would
# wrap them.


def _count(batches, pos_label, bins):
    """The `BinCounts` of labels, scores and weights in batches; None of no samples."""
    table = None
    try:
        for columns in batches:
            data = check_batch(*columns, pos_label)
            if data is not None and len(data.score):
                table = BinCounts(bins) if table is None else table
                table.add(*data)
    except (TypeError, ValueError) as error:
        return error
    return table


def _merge(tables):
    """The sum of several `BinCounts`, or the first error among them."""
    merged = None
    for table in tables:
        if isinstance(table, Exception):
            return table
        if merged is None:
            merged = table
        elif table is not None:
            merged.merge(table)
    return merged


def _split(columns, pos_label, bins, numbers):
    """The samples that are needed, and the number of the range of each."""
    y_true, y_score, weight = columns
    data = check_batch(y_true, y_score, weight, pos_label)
    if data is None:  # no samples, but columns of the right types
        none = np.zeros(0, dtype=bool)
        data = BinaryData(none, y_score, None if weight is None else weight.astype(float))
    number = numbers.take(bins.index(as_float(data.score)[0]))
    found = {_RANGE: number, _POSITIVE: data.positive, _SCORE: data.score}
    if data.weight is not None:
        found[_WEIGHT] = data.weight
    return {name: column[number >= 0] for name, column in found.items()}


def _integrate(columns, ranges, task):
    """Number of a range and the result of a task, from columns that `_split` made."""
    if not len(columns[_RANGE]):
        return {}
    number = int(columns[_RANGE][0])
    data = BinaryData(columns[_POSITIVE], columns[_SCORE], columns.get(_WEIGHT))
    try:
        return {number: task(ranges[number], data)}
    except ValueError as error:
        return {number: error}


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
        results = dask.compute(*map(integrate, rows.to_delayed()))
        return {number: result for found in results for number, result in found.items()}


def _pandas_arrays(frame, names):
    arrays = [frame[name].to_numpy() for name in names]
    return (*arrays, *[None] * (3 - len(arrays)))


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
        names, schema = self.columns, f"{_RANGE} int, {_RESULT} binary"

        def count_partition(batches):
            from pyspark import TaskContext

            table = count(_spark_arrays(batch, names) for batch in batches)
            yield _pickled(table, TaskContext.get().partitionId() % _FAN_IN)

        def merge(tables):
            import pyarrow

            merged = _merge(map(pickle.loads, tables[_RESULT].to_pylist()))
            return pyarrow.Table.from_batches([_pickled(merged, 0)])

        tables = self.frame.mapInArrow(count_partition, schema).groupBy(_RANGE)
        merged = tables.applyInArrow(merge, schema).collect()
        return _merge(pickle.loads(row[_RESULT]) for row in merged)

    def by_range(self, split, integrate, n_ranges):
        """What `integrate` returns for the rows that `split` puts into each range."""
        import pyarrow

        names = self.columns
        score_type = self.frame.schema[names[1]].dataType.simpleString()
        score_type = "double" if score_type.startswith("decimal") else score_type
        schema = f"{_RANGE} int, {_POSITIVE} boolean, {_SCORE} {score_type}"
        schema += f", {_WEIGHT} double" if len(names) > 2 else ""

        def split_partition(batches):
            for batch in batches:
                yield pyarrow.RecordBatch.from_pydict(split(_spark_arrays(batch, names)))

        def integrate_range(table):
            found = _pickled(integrate(arrow_arrays(table)), 0)
            return pyarrow.Table.from_batches([found])

        rows = self.frame.mapInArrow(split_partition, schema).groupBy(_RANGE)
        results = rows.applyInArrow(integrate_range, f"{_RANGE} int, {_RESULT} binary")
        found = (pickle.loads(row[_RESULT]) for row in results.collect())
        return {number: result for one in found for number, result in one.items()}


def _spark_arrays(batch, names):
    found = arrow_arrays(batch)
    return tuple(found[name] for name in names) + (None,) * (3 - len(names))


def _pickled(value, number):
    import pyarrow

    columns = {
        _RANGE: pyarrow.array([number], pyarrow.int32()),
        _RESULT: [pickle.dumps(value)],
    }
    return pyarrow.RecordBatch.from_pydict(columns)
