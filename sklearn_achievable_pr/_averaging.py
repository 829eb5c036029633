"""The `average=` of scikit-learn's ranking metrics, over the labels of a table."""

from __future__ import annotations

import numpy as np

from ._input.labels import BinaryData, MultilabelData, drop_zero_weight
from ._input.options import (
    AVERAGES,
    MissingClassError,
    check_number,
    check_option,
    value_or_warn,
    warn_undefined,
)

# Rows transposed at a time: they stay in the cache between one column and the next.
_BLOCK = 1024


def averaged(measure, target, average, replace_undefined_by, what):
    """`measure` of a binary problem, or averaged over the labels of a table.

    Parameters
    ----------
    measure : callable, BinaryData -> float
        Raises `MissingClassError` where it is undefined.
    target : BinaryData or MultilabelData
    average : {"macro", "weighted", "micro", "samples", None}
    replace_undefined_by : float
        Stands for every single undefined value, before averaging.
    what : str
        What is measured, for the warning.

    Returns
    -------
    float, or ndarray of shape (n_labels,) if a table comes with `average=None`
    """
    check_option(average, "average", AVERAGES)
    replacement = check_number(replace_undefined_by, "replace_undefined_by")
    if isinstance(target, BinaryData):
        return value_or_warn(lambda: measure(target), replacement, what)
    if average == "micro":
        data = _flattened(target)
        return value_or_warn(lambda: measure(data), replacement, f"micro-averaged {what}")

    if average == "samples":
        return _mean_of_samples(measure, target, replacement, what)
    data_sets = list(_columns(target))
    importance = None
    if average == "weighted":
        importance = _support(target)
        if not importance.any():
            # No label has a positive: the value is as undefined as each of them.
            return value_or_warn(
                lambda: measure(data_sets[0]), replacement, f"{what} of label 0"
            )
    values = np.array(
        [
            value_or_warn(lambda p=p: measure(p), replacement, f"{what} of label {i}")
            if importance is None or importance[i] > 0
            else 0.0
            for i, p in enumerate(data_sets)
        ]
    )
    if average is None:
        return values
    return float(np.average(values, weights=importance))


def _mean_of_samples(measure, table, replacement, what):
    """One warning for all samples, of which very many may lack a class."""
    values, undefined = np.zeros(len(table.positive)), []
    for i, data in enumerate(_rows(table)):
        if table.weight is not None and table.weight[i] == 0:
            continue
        try:
            values[i] = measure(data)
        except MissingClassError as missing:
            values[i] = replacement
            undefined.append(f"No {missing} samples in `y_true`: {what} of sample {i}")
    if undefined:
        n_more = len(undefined) - 1
        others = f", and of {n_more} more of the {len(values)} samples" if n_more else ""
        warn_undefined(f"{undefined[0]}{others} is undefined.")
    return float(np.average(values, weights=table.weight))


def _flattened(table: MultilabelData):
    weight = table.weight
    if weight is not None:
        weight = np.repeat(weight, table.positive.shape[1])
    return drop_zero_weight(table.positive.ravel(), table.score.ravel(), weight)


def _columns(table):
    for positive, score in zip(
        _transposed(table.positive), _transposed(table.score), strict=True
    ):
        yield drop_zero_weight(positive, score, table.weight)


def _transposed(table):
    """Contiguous columns, a block of rows at a time so that each is read once."""
    if table.flags.f_contiguous:
        return table.T
    columns = np.empty(table.shape[::-1], dtype=table.dtype)
    for start in range(0, len(table), _BLOCK):
        block = slice(start, start + _BLOCK)
        columns[:, block] = table[block].T
    return columns


def _rows(table):
    for positive, score in zip(table.positive, table.score, strict=True):
        yield BinaryData(positive, score, None)


def _support(table):
    """The weight of each label's positives."""
    if table.weight is None:
        return np.count_nonzero(table.positive, axis=0)
    return table.weight @ table.positive
