"""Samples in the columns of data frames of all supported engines."""

from __future__ import annotations

from collections.abc import Hashable

from .._input.arrays import library_of
from .distributed import DaskSource, SparkSource
from .external_sort import LocalSource

# Number of rows per batch.
_ROWS = 1 << 20


def source_of(frame, y_true, y_score, sample_weight, pos_label, temp_folder=None):
    """The source of the samples in the columns of a data frame.

    Parameters
    ----------
    frame : data frame of any engine
    y_true, y_score, sample_weight : str
        Names of columns. `sample_weight` may be None.
    pos_label : int, float, bool, str or None
        The positive label.
    temp_folder : path or None
        Folder for temporary files.

    Returns
    -------
    LocalSource, DaskSource or SparkSource
    """
    engine = library_of(frame)
    try:
        names, read = _READERS[engine](frame)
    except (KeyError, AttributeError) as error:
        raise TypeError(
            "`frame` must be a data frame of pandas, Polars, PyArrow, DuckDB, Spark or "
            f"Dask. Got {type(frame).__module__}.{type(frame).__name__}. For Parquet files "
            "pass `polars.scan_parquet(path)`."
        ) from error
    columns = [y_true, y_score, *([] if sample_weight is None else [sample_weight])]
    for column in columns:
        # Comparison with an array or a column is not a boolean.
        if not isinstance(column, Hashable) or column not in list(names):
            raise ValueError(
                "`y_true`, `y_score` and `sample_weight` must name columns of `frame`, "
                f"{list(names)}. Got {column!r}."
            )
    distinct = list(dict.fromkeys(columns))
    if engine in _ON_CLUSTER:
        return _ON_CLUSTER[engine](read(distinct), columns, pos_label)

    def batches():
        return ([batch[name] for name in columns] for batch in read(distinct))

    return LocalSource(batches, pos_label, temp_folder)


# One function per engine, which returns the names of the columns and a function that yields
# batches of selected columns. On a cluster it returns a data frame of these columns.


def _pandas(frame):
    def read(columns):
        chosen = frame[columns]
        return (chosen[start : start + _ROWS] for start in range(0, len(frame), _ROWS))

    return frame.columns, read


def _polars(frame):
    lazy = frame.lazy()

    def read(columns):
        return lazy.select(columns).collect_batches(chunk_size=_ROWS, maintain_order=False)

    return lazy.collect_schema().names(), read


def _duckdb(relation):
    def read(columns):
        quoted = ('"' + name.replace('"', '""') + '"' for name in columns)
        result = relation.project(", ".join(quoted))
        # DuckDB renamed the method.
        read = getattr(result, "to_arrow_reader", None) or result.fetch_arrow_reader
        return read(_ROWS)

    return relation.columns, read


def _pyarrow(frame):
    from pyarrow.dataset import Dataset, dataset

    def read(columns):
        if hasattr(frame, "read_next_batch"):
            return frame
        source = frame if isinstance(frame, Dataset) else dataset(frame)
        return source.to_batches(columns=columns, batch_size=_ROWS)

    return frame.schema.names, read


def _on_cluster(frame):
    return frame.columns, frame.__getitem__


_ON_CLUSTER = {"pyspark": SparkSource, "dask": DaskSource, "dask_expr": DaskSource}
_READERS = {
    **dict.fromkeys(_ON_CLUSTER, _on_cluster),
    "pandas": _pandas,
    "polars": _polars,
    "duckdb": _duckdb,
    "pyarrow": _pyarrow,
}
