"""Samples of Spark and Dask frames, which stay on the workers.

A partition is split into pieces, which are pickled: its histogram, or its samples by range
of scores. The engine shuffles the pickles by the index of their group, and a worker reduces
one group at a time.
"""

import pickle
from functools import partial, reduce
from operator import itemgetter
from typing import Any, NamedTuple

from .._input.labels import check_batches
from .._input.options import Label
from ._histogram import BinCounts

# Columns of the rows that are shuffled.
_GROUP, _PICKLE = "apr_group", "apr_pickle"


class ClusterSource(NamedTuple):
    """Columns of a data frame on a cluster: labels, scores and perhaps weights."""

    frame: Any
    columns: itemgetter
    pos_label: Label | None

    def counted(self, bins):
        """The `BinCounts` of all samples."""
        map_groups = self.grouped(lambda batches: [(0, BinCounts(bins).add(batches))], 1)
        found = map_groups(lambda _, tables: reduce(BinCounts.merge, tables))
        return reduce(BinCounts.merge, found, BinCounts(bins))  # there may be no partitions

    def pieces_of(self, split):
        """A function that splits an iterable of batches of rows, to send to the workers."""
        _, columns, pos_label = self
        return lambda batches: split(check_batches(map(columns, batches), pos_label))


def _loaded(pickles):
    """The pieces in pickles; the first exception among them is raised."""
    for piece in map(pickle.loads, pickles):
        if isinstance(piece, Exception):
            raise piece
        yield piece


class DaskSource(ClusterSource):
    """Columns of a Dask data frame."""

    def grouped(self, split, n_groups, folder=None):
        """As `LocalSource.grouped`, without a `folder`.

        Pieces are rows of a Dask data frame. Nothing is computed before the groups are.
        """
        split_rows = partial(_dask_rows, self.pieces_of(split))
        rows = self.frame.map_partitions(split_rows, meta=_dask_table([]))
        return partial(_map_dask, rows.set_index(_GROUP, divisions=[*range(n_groups + 1)]))


def _map_dask(rows, function):
    """``function(group, pieces)`` of each group; each lies in one partition of rows."""
    found = rows.map_partitions(partial(_of_dask_rows, function), meta=(None, object))
    return found.compute().tolist()


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
    found = [function(group, _loaded(pickles)) for group, pickles in groups]
    return pd.Series(found, dtype=object)


class SparkSource(ClusterSource):
    """Columns of a Spark data frame."""

    def grouped(self, split, n_groups, folder=None):
        """As `LocalSource.grouped`, without a `folder`.

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
