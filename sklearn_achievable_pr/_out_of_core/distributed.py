"""Frames whose rows lie on several workers: Dask and Spark.

Rows never leave the workers; what does are counts, integrals, and the points of each range
that may be vertices of the hull.
"""

from __future__ import annotations

import pickle
import sys
from functools import partial

import numpy as np

from .._input.labels import BinaryData, check_batch
from .bins import Refined
from .frames import SCORE, WEIGHT, as_rows, check_names, narwhals, range_expression
from .histogram import BinCounts, as_float
from .score_partition import divided, range_of_bin

_RANGE, _POSITIVE, _FOUND = "apr_range", "apr_positive", "apr_found"
# So many tables are merged at a time.
_FAN_IN = 8
# Fewer rows are not worth a task.
_LEAST_ROWS = 1 << 16
# Into so many parts a bin of too many rows is divided.
_N_PARTS = 2**16


def is_dask(frame):
    """Whether a frame is Dask's, which need not be imported to know."""
    dask = sys.modules.get("dask.dataframe")
    return dask is not None and isinstance(frame, dask.DataFrame)


def rows_a_task(table, most_rows, n_tasks=64):
    """How many rows a range is to have at most, so that there are some tasks."""
    n_rows = int(table.rows.sum())
    return min(most_rows, max(_LEAST_ROWS, n_rows // n_tasks))


class DaskColumns:
    """The columns of a Dask frame that matter, under names of their own.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
    y_true, y_score, sample_weight : str
        Names of columns; the last one may be None.
    pos_label : label or None
    """

    def __init__(self, frame, y_true, y_score, sample_weight, pos_label):
        check_names(frame.columns, y_true, y_score, sample_weight)
        self.names = [y_true, y_score] + ([] if sample_weight is None else [sample_weight])
        self.frame = frame[list(dict.fromkeys(self.names))]
        self.pos_label = pos_label

    def counted(self, bins):
        """Rows counted in bins, partition by partition.

        Returns
        -------
        BinCounts
        """
        import dask

        count, merge = dask.delayed(_table_of), dask.delayed(_merged)
        tables = [
            count(rows, self.names, self.pos_label, bins)
            for rows in self.frame.to_delayed()
        ]
        while len(tables) > 1:
            tables = [
                merge(tables[i : i + _FAN_IN]) for i in range(0, len(tables), _FAN_IN)
            ]
        (table,) = dask.compute(*tables)
        if table is None:
            raise ValueError("`frame` must have a row at least. Got none.")
        return table

    def ranges(self, bins, most_rows):
        """Ranges of at most so many rows, or of one score, and the bins that make them."""
        table = self.counted(bins)
        most_rows = rows_a_task(table, most_rows, self.frame.npartitions)
        while True:
            lowest = table.bins.lowest_keys()
            width = np.diff(lowest).view(np.uint64)
            crowded = table.mixed & (table.rows.sum(axis=1) > 2 * most_rows) & (width > 1)
            if not crowded.any():
                return divided(table, most_rows), table.bins
            n_parts = np.where(crowded, _N_PARTS, 1)
            table = self.counted(Refined(table.bins, n_parts))

    def run(self, task, ranges, bins):
        """What a task finds of each range, by falling score."""
        import dask

        needed = [part for part in ranges if part.points is None]
        found = {
            part.number: task(part, None) for part in ranges if part.points is not None
        }
        if needed:
            integrate = dask.delayed(_found_in)
            partitions = self._by_range(needed, bins).to_delayed()
            results = dask.compute(
                *(
                    integrate(rows, part, task)
                    for rows, part in zip(partitions, needed, strict=True)
                )
            )
            found |= {
                part.number: result for part, result in zip(needed, results, strict=True)
            }
        return [found[part.number] for part in ranges]

    def _by_range(self, needed, bins):
        """One partition for each range, shuffled by Dask."""
        renumbered = [part._replace(number=i) for i, part in enumerate(needed)]
        numbers = range_of_bin(renumbered, bins.n_bins)
        prepare = partial(
            _with_ranges,
            names=self.names,
            pos_label=self.pos_label,
            bins=bins,
            numbers=numbers,
        )
        rows = self.frame.map_partitions(prepare, meta=prepare(self.frame._meta))
        return rows.set_index(_RANGE, divisions=list(range(len(needed) + 1)))


def _checked(frame, names, pos_label):
    y_true, y_score, *sample_weight = (frame[name].to_numpy() for name in names)
    return check_batch(y_true, y_score, *sample_weight or [None], pos_label)


def _table_of(frame, names, pos_label, bins):
    rows = _checked(frame, names, pos_label)
    if rows is None or not len(rows.score):
        return None
    table = BinCounts(bins)
    table.add(*rows)
    return table


def _merged(tables):
    first, *others = [table for table in tables if table is not None] or [None]
    for table in others:
        first.merge(table)
    return first


def _with_ranges(frame, names, pos_label, bins, numbers):
    """The rows that are needed and the number of the range of each."""
    import pandas as pd

    rows = _checked(frame, names, pos_label)
    if rows is None:
        none = np.empty(0, dtype=bool)
        weight = none.astype(np.float64) if len(names) > 2 else None
        rows = BinaryData(none, frame[names[1]].to_numpy(), weight)
    number = numbers.take(bins.index(as_float(rows.score)[0]))
    columns = {_RANGE: number, _POSITIVE: rows.positive, SCORE: rows.score}
    if rows.weight is not None:
        columns[WEIGHT] = rows.weight
    return pd.DataFrame({name: column[number >= 0] for name, column in columns.items()})


def _found_in(frame, part, task):
    weight = frame[WEIGHT].to_numpy() if WEIGHT in frame else None
    return task(
        part, BinaryData(frame[_POSITIVE].to_numpy(), frame[SCORE].to_numpy(), weight)
    )


def run_on_spark(task, columns, tally, found):
    """What a task finds of each range of a Spark frame.

    Parameters
    ----------
    task : callable
        Range and rows to a result.
    columns : Columns
    tally : GroupedCounts
    found : list of ScoreRange

    Returns
    -------
    list
        By falling score.
    """
    nw = narwhals()
    results = {i: task(one.part, None) for i, one in enumerate(found) if one.part.points}
    needed = {i: one.part for i, one in enumerate(found) if i not in results}
    if needed:
        number = range_expression(found).cast(nw.Int32).alias(_RANGE)
        rows = columns.frame.with_columns(number)
        if results:
            rows = rows.filter(nw.col(_RANGE).is_in(list(needed)))
        work = partial(
            _found_on_worker, parts=needed, label=tally.positive_label, task=task
        )
        groups = nw.to_native(rows).groupBy(_RANGE)
        schema = f"{_RANGE} int, {_FOUND} binary"
        # Spark asks what takes a table how many parameters it has.
        for row in groups.applyInArrow(lambda table: work(table), schema).collect():
            results[row[_RANGE]] = pickle.loads(bytes(row[_FOUND]))
    return [results[i] for i in range(len(found))]


def _found_on_worker(table, *, parts, label, task):
    import pyarrow

    arrays = {name: table[name].to_numpy() for name in table.column_names}
    number = int(arrays.pop(_RANGE)[0])
    result = pickle.dumps(task(parts[number], as_rows(arrays, label)))
    columns = {_RANGE: pyarrow.array([number], pyarrow.int32()), _FOUND: [result]}
    return pyarrow.table(columns)
