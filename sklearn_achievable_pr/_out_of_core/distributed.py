"""Samples of Spark and Dask frames, which stay on the workers.

A partition is split into pieces, which are pickled: its histogram, or its samples by range
of scores. The engine shuffles the pickles by the index of their group, and a worker reduces
one group at a time.
"""

from __future__ import annotations

import pickle
from contextlib import contextmanager
from functools import reduce
from itertools import chain
from typing import Any, NamedTuple

from .._input.options import Label
from .batches import checked
from .histogram import BinCounts

# Columns of the rows that are shuffled.
_GROUP, _PICKLE = "apr_group", "apr_pickle"


class ClusterSource(NamedTuple):
    """Columns of a data frame on a cluster: labels, scores and perhaps weights."""

    frame: Any
    names: list
    pos_label: Label | None

    def merged(self, count):
        """The histogram of all samples; `count` makes the histogram of some batches."""
        with self.grouped(lambda batches: [(0, count(batches))], 1) as run:
            found = run(lambda _, tables: reduce(BinCounts.merge, tables))
        return reduce(BinCounts.merge, found, count(()))  # there may be no partitions


class DaskSource(ClusterSource):
    """Columns of a Dask data frame."""

    @contextmanager
    def grouped(self, split, n_groups):
        """Context of a function `run`, as in `LocalSource.grouped`."""
        import dask
        import pandas as pd

        frame, names, pos_label = self

        def table(pairs):
            rows = [(group, pickle.dumps(piece)) for group, piece in pairs]
            dtypes = {_GROUP: int, _PICKLE: object}
            return pd.DataFrame(rows, columns=list(dtypes)).astype(dtypes)

        def split_partition(frame):
            columns = [frame[name] for name in names]
            return table(split(checked([columns], pos_label)))

        rows = frame.map_partitions(split_partition, meta=table([]))
        parts = rows.set_index(_GROUP, divisions=[*range(n_groups + 1)]).to_delayed()

        def run(on_group):
            @dask.delayed
            def on_part(rows):
                groups = rows[_PICKLE].groupby(level=0)
                return [on_group(i, map(pickle.loads, pickles)) for i, pickles in groups]

            return [*chain.from_iterable(dask.compute(*map(on_part, parts)))]

        yield run


class SparkSource(ClusterSource):
    """Columns of a Spark data frame."""

    @contextmanager
    def grouped(self, split, n_groups):
        """Context of a function `run`, as in `LocalSource.grouped`.

        Spark would wrap an exception of a worker, so exceptions are returned as pieces and
        as results, and raised here.
        """
        import pyarrow

        frame, names, pos_label = self
        schema = f"{_GROUP} bigint, {_PICKLE} binary"

        def row(group, piece):
            columns = {_GROUP: [group], _PICKLE: [pickle.dumps(piece)]}
            return pyarrow.RecordBatch.from_pydict(columns)

        def split_partition(batches):
            samples = ([batch[name] for name in names] for batch in batches)
            try:
                for group, piece in split(checked(samples, pos_label)):
                    yield row(group, piece)
            except (TypeError, ValueError) as error:
                yield row(0, error)

        rows = frame.mapInArrow(split_partition, schema).groupBy(_GROUP)

        def run(on_group):
            def on_table(table):
                group = table[_GROUP][0].as_py()
                pieces = [pickle.loads(data) for data in table[_PICKLE].to_pylist()]
                errors = [piece for piece in pieces if isinstance(piece, Exception)]
                try:
                    result = errors[0] if errors else on_group(group, pieces)
                except (TypeError, ValueError) as error:
                    result = error
                return pyarrow.Table.from_batches([row(group, result)])

            found = rows.applyInArrow(on_table, schema).collect()
            results = [pickle.loads(result[_PICKLE]) for result in found]
            for result in results:
                if isinstance(result, Exception):
                    raise result
            return results

        yield run
