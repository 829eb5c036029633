"""Batches of NumPy arrays from the data frames of single-process engines."""

from __future__ import annotations

from .._input.labels import check_batch

# Number of rows per batch.
_ROWS = 1 << 20


def checked(batches, pos_label):
    """Batches as `BinaryData`, without empty ones."""
    for batch in batches:
        if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
            raise TypeError(
                "`batches` must hold tuples (y_true, y_score) or (y_true, y_score, "
                f"sample_weight). Got {type(batch).__name__}."
            )
        y_true, y_score, *weight = batch
        data = check_batch(y_true, y_score, *weight or [None], pos_label)
        if data is not None and len(data.score):
            yield data


def batches_of(frame, y_true, y_score, sample_weight, *, several_passes=True):
    """Callable that returns an iterable of batches of the columns, as NumPy arrays.

    Parameters
    ----------
    frame : data frame of pandas, Polars, PyArrow or DuckDB
    y_true, y_score, sample_weight : str
        Names of columns. If `sample_weight` is None, batches are pairs.
    several_passes : bool, default=True
        Whether the callable will be called more than once.
    """
    if several_passes and hasattr(frame, "read_next_batch"):
        raise ValueError(
            "`frame` must be readable more than once. Got a RecordBatchReader. Pass a "
            "PyArrow Table or Dataset, or use `PRCounts.from_frame`, which reads it once."
        )
    try:
        names, read = _READERS[engine_of(frame)](frame)
    except (KeyError, AttributeError) as error:
        raise TypeError(
            "`frame` must be a data frame of pandas, Polars, PyArrow, DuckDB, Spark or "
            f"Dask. Got {type(frame).__module__}.{type(frame).__name__}."
        ) from error
    columns = chosen_columns(names, y_true, y_score, sample_weight)
    return lambda: (arrays_of(b, columns) for b in read(list(dict.fromkeys(columns))))


def engine_of(frame):
    """The top-level package that defines the type of `frame`."""
    return type(frame).__module__.partition(".")[0]


def chosen_columns(names, y_true, y_score, sample_weight):
    """Checked names of the columns of labels, scores and, unless None, weights."""
    columns = [y_true, y_score, *([] if sample_weight is None else [sample_weight])]
    for column in columns:
        if column not in list(names):
            raise ValueError(
                "`y_true`, `y_score` and `sample_weight` must name columns of `frame`, "
                f"{list(names)}. Got {column!r}."
            )
    return columns


def arrays_of(batch, columns):
    """Columns of a batch of any engine as NumPy arrays; Arrow decimals become float64."""
    found = [batch[name] for name in columns]
    if engine_of(batch) != "pyarrow":
        return [column.to_numpy() for column in found]
    import pyarrow

    return [
        (
            column.cast("float64") if pyarrow.types.is_decimal(column.type) else column
        ).to_numpy(zero_copy_only=False)
        for column in found
    ]


# One function per engine, which returns the names of the columns and a function that yields
# batches of selected columns.


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


_READERS = {"pandas": _pandas, "polars": _polars, "duckdb": _duckdb, "pyarrow": _pyarrow}
