"""Samples of Spark and Dask frames, which stay on the workers.

Histograms of the partitions are merged in a tree, so that no task holds more than a few.
For sorting, a partition is split into pieces, its samples by range of scores, which are
pickled. The engine shuffles the pickles by the index of their group, and a worker reduces
one group at a time.
"""

import pickle
from functools import partial, reduce
from operator import itemgetter
from typing import Any, NamedTuple

from .._input.labels import check_batches
from .._input.options import Label
from ._histogram import BinCounts

# A Dask task merges at most `_AT_ONCE` histograms. Spark merges those of all partitions in
# `_N_GROUPS` groups.
_AT_ONCE, _N_GROUPS = 8, 32
# The rows that are shuffled have these columns.
_GROUP, _PICKLE = "apr_group", "apr_pickle"


class ClusterSource(NamedTuple):
    """Columns of a data frame on a cluster: labels, scores and perhaps weights."""

    frame: Any
    columns: itemgetter
    pos_label: Label | None
    n_threads: int = 1  # each task has the memory for itself

    def pieces_of(self, split):
        """A function that splits an iterable of batches of rows, to send to the workers."""
        columns, pos_label = self.columns, self.pos_label
        return lambda batches: split(check_batches(map(columns, batches), pos_label))


def _merged(bins, tables):
    """The sum of several `BinCounts`, in a new one, because engines may repeat a task."""
    return reduce(BinCounts.merge, tables, BinCounts(bins))


def _loaded(pickles):
    """The pieces in pickles; the first exception among them is raised."""
    for piece in map(pickle.loads, pickles):
        if isinstance(piece, Exception):
            raise piece
        yield piece


class DaskSource(ClusterSource):
    """Columns of a Dask data frame."""

    def counted(self, bins):
        """The `BinCounts` of all samples."""
        from dask import delayed

        count = self.pieces_of(lambda batches: BinCounts(bins).add(batches))
        counted = self.frame.map_partitions(
            lambda part: count([part]), meta=(None, object), enforce_metadata=False
        )
        tables = counted.to_delayed()
        while len(tables) > 1:
            starts = range(0, len(tables), _AT_ONCE)
            tables = [delayed(_merged)(bins, tables[i : i + _AT_ONCE]) for i in starts]
        return tables[0].compute()

    def grouped(self, split, n_groups, folder=None):
        """What `LocalSource.grouped` does, without a `folder`.

        Pieces are rows of a Dask data frame. Nothing is computed before the groups are.
        """
        split_rows = partial(_dask_rows, self.pieces_of(split))
        rows = self.frame.map_partitions(split_rows, meta=_dask_table([]))
        return partial(_map_dask, rows.set_index(_GROUP, divisions=[*range(n_groups + 1)]))


def _map_dask(rows, function):
    """``function(group, pieces)`` of each group; each lies in one partition of rows."""
    results = rows.map_partitions(partial(_of_dask_rows, function), meta=(None, object))
    return results.compute().tolist()


def _dask_rows(pieces, partition):
    """The pickled pieces of a partition of samples."""
    return _dask_table([(i, pickle.dumps(piece)) for i, piece in pieces([partition])])


def _dask_table(rows):
    """A pandas data frame of pairs of the index of a group and a pickled piece."""
    import pandas as pd

    dtypes = {_GROUP: int, _PICKLE: object}
    return pd.DataFrame(rows, columns=list(dtypes)).astype(dtypes)


def _of_dask_rows(function, rows):
    """``function(group, pieces)`` of each group in a partition of pickled pieces."""
    import pandas as pd

    groups = rows[_PICKLE].groupby(level=0)
    results = [function(group, _loaded(pickles)) for group, pickles in groups]
    return pd.Series(results, dtype=object)


class SparkSource(ClusterSource):
    """Columns of a Spark data frame."""

    def counted(self, bins):
        """The `BinCounts` of all samples."""

        def count(batches):
            from pyspark import TaskContext

            group = TaskContext.get().partitionId() % _N_GROUPS
            return [(group, BinCounts(bins).add(batches))]

        map_groups = self.grouped(count, _N_GROUPS)
        return _merged(bins, map_groups(lambda _, tables: _merged(bins, tables)))

    def grouped(self, split, n_groups, folder=None):
        """What `LocalSource.grouped` does, without a `folder`.

        Pieces are rows of a Spark data frame. Nothing is computed before the groups are.
        Spark would wrap an exception of a worker. Exceptions are returned as pieces and as
        results instead, and raised where they are loaded.
        """
        split_rows = partial(_spark_rows, self.pieces_of(split))
        rows = self.frame.mapInArrow(split_rows, _SPARK_SCHEMA)
        return partial(_map_spark, rows.groupBy(_GROUP))


def _map_spark(groups, function):
    """``function(group, pieces)`` of each group of rows."""
    rows = groups.applyInArrow(partial(_of_spark_rows, function), _SPARK_SCHEMA)
    return [*_loaded(row[_PICKLE] for row in rows.collect())]


_SPARK_SCHEMA = f"{_GROUP} bigint, {_PICKLE} binary"


def _spark_rows(pieces, batches):
    """The pickled pieces of a partition of samples, and an exception as a piece."""
    try:
        for group, piece in pieces(batches):
            yield _spark_row(group, piece)
    except (TypeError, ValueError) as error:
        yield _spark_row(0, error)


def _spark_row(group, piece):
    """A PyArrow batch of one pickled piece."""
    import pyarrow

    columns = {_GROUP: [group], _PICKLE: [pickle.dumps(piece)]}
    return pyarrow.RecordBatch.from_pydict(columns)


def _of_spark_rows(function, rows):
    """A PyArrow table of ``function(group, pieces)`` of a group, or of an exception."""
    import pyarrow

    group = rows[_GROUP][0].as_py()
    try:
        result = function(group, _loaded(rows[_PICKLE].to_pylist()))
    except (TypeError, ValueError) as error:
        result = error
    return pyarrow.Table.from_batches([_spark_row(group, result)])
