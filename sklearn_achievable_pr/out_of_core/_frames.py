"""Samples in the columns of data frames of all supported engines."""

from numbers import Number
from operator import attrgetter, itemgetter
from typing import Any

from .._input.options import is_one_of, listed
from ._distributed import DaskSource, SparkSource
from ._external_sort import LocalSource

# A batch has this many rows.
_ROWS = 1 << 20


def source_of(frame, y_true, y_score, sample_weight, pos_label, n_threads=1):
    """The source of the samples in the columns of a data frame.

    Parameters
    ----------
    frame : data frame of any engine
    y_true, y_score, sample_weight : str
        Names of columns. `sample_weight` may be None.
    pos_label : int, float, bool, str or None
        The positive label.
    n_threads : int, default=1
        Number of threads of a source in this process.

    Returns
    -------
    LocalSource, DaskSource or SparkSource
    """
    libraries = (base.__module__.partition(".")[0] for base in type(frame).__mro__)
    engine = next((library for library in libraries if library in _READERS), None)
    try:
        names = list(_NAMES.get(engine, attrgetter("columns"))(frame))
        read = _READERS[engine]
    except (KeyError, AttributeError) as error:
        kind = type(frame)
        got = "None" if frame is None else f"{kind.__module__}.{kind.__name__}"
        raise TypeError(
            "`frame` must be a data frame of pandas, Polars, PyArrow, DuckDB, Spark or "
            f"Dask. Got {got}. For Parquet files pass `polars.scan_parquet(path)`, for "
            'arrays `pandas.DataFrame({"y_true": y_true, "y_score": y_score})`.'
        ) from error
    columns = {"y_true": y_true, "y_score": y_score}
    if sample_weight is not None:
        columns["sample_weight"] = sample_weight
    for argument, column in columns.items():
        if not is_one_of(column, names):
            got = f"{column!r}."
            if not isinstance(column, str | Number | None):
                got = f"{type(column).__name__}: pass the name of the column."
            raise ValueError(
                f"`{argument}` must name a column of `frame`, one of {listed(names)}. Got "
                f"{got}"
            )
    distinct, columns_of = [*dict.fromkeys(columns.values())], itemgetter(*columns.values())
    if isinstance(read, type):
        return read(frame[distinct], columns_of, pos_label)
    return LocalSource(lambda: map(columns_of, read(frame, distinct)), pos_label, n_threads)


# Frames of these engines have no `columns`; these functions return the names of their
# columns.
_NAMES: dict[str | None, Any] = {
    "polars": lambda frame: frame.lazy().collect_schema().names(),
    "pyarrow": attrgetter("schema.names"),
}

# Each engine has a function that yields batches of the columns with these names.


def _pandas(frame, names):
    chosen = frame[names]
    return (chosen[start : start + _ROWS] for start in range(0, len(frame), _ROWS))


def _polars(frame, names):
    chosen = frame.lazy().select(names)
    return chosen.collect_batches(chunk_size=_ROWS, maintain_order=False)


def _duckdb(relation, names):
    quoted = ('"' + name.replace('"', '""') + '"' for name in names)
    result = relation.project(", ".join(quoted))
    # DuckDB renamed the method.
    read = getattr(result, "to_arrow_reader", None) or result.fetch_arrow_reader
    return read(_ROWS)


def _pyarrow(frame, names):
    from pyarrow.dataset import Dataset, dataset

    if hasattr(frame, "read_next_batch"):
        return frame
    source = frame if isinstance(frame, Dataset) else dataset(frame)
    return source.to_batches(columns=names, batch_size=_ROWS)


# For engines on a cluster the entry is the class of the source.
_READERS: dict[str | None, Any] = {
    "pandas": _pandas,
    "polars": _polars,
    "duckdb": _duckdb,
    "pyarrow": _pyarrow,
    "pyspark": SparkSource,
    "dask": DaskSource,
    "dask_expr": DaskSource,
}
