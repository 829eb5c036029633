"""Batches of samples of any engine as checked NumPy arrays."""

from __future__ import annotations

import numpy as np

from .._input.labels import BinaryData, check_binary

# Maximum number of samples in a checked batch.
_BLOCK = 1 << 19


def checked(batches, pos_label):
    """Tuples of labels, scores and, optionally, weights as `BinaryData` without empty ones.

    Large batches are divided, so that temporary arrays are small.
    """
    for batch in batches:
        if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
            raise TypeError(
                "`batches` must hold tuples (y_true, y_score) or (y_true, y_score, "
                f"sample_weight). Got {type(batch).__name__}."
            )
        y_true, y_score, weight = batch if len(batch) == 3 else (*batch, None)
        if all(tuple(np.shape(values)[:1]) == (0,) for values in (y_true, y_score)):
            continue
        data = check_binary(y_true, y_score, pos_label, weight, of_batch=True)
        for start in range(0, len(data.score), _BLOCK):
            yield taken(data, slice(start, start + _BLOCK))


def taken(data, index):
    """The samples of `BinaryData` at these positions."""
    return BinaryData(*(None if column is None else column[index] for column in data))


def engine_of(frame):
    """The top-level package that defines the type of `frame`."""
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
