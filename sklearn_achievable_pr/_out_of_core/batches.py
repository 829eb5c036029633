"""Batches of samples of any engine as checked NumPy arrays."""

from __future__ import annotations

from .._input.labels import BinaryData, check_batch

# Maximum number of samples in a checked batch.
_BLOCK = 1 << 19


def checked(batches, pos_label):
    """The `BinaryData` of each batch, a tuple of labels, scores and perhaps weights.

    Empty batches are skipped. Large batches are divided to keep temporary arrays small.
    """
    for batch in batches:
        if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
            raise TypeError(
                "`batches` must hold tuples (y_true, y_score) or (y_true, y_score, "
                f"sample_weight). Got {type(batch).__name__}."
            )
        y_true, y_score, *weight = batch
        data = check_batch(y_true, y_score, *weight or [None], pos_label)
        for start in range(0, len(data.score) if data else 0, _BLOCK):
            yield taken(data, slice(start, start + _BLOCK))


def taken(data, index):
    """The samples of `BinaryData` at these positions."""
    return BinaryData(*(None if column is None else column[index] for column in data))


def engine_of(frame):
    """Name of the top-level package that defines the type of `frame`."""
    return type(frame).__module__.partition(".")[0]


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
