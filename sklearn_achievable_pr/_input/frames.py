"""Checks of data frames by the labels of their rows and the names of their columns."""

import re
import reprlib
from typing import Any

import numpy as np


def check_order(**arguments):
    """Raise `ValueError` if pandas objects hold the same samples in another order.

    Parameters
    ----------
    **arguments : object
        All arguments that describe the same samples, by the names that a message shows. The
        first is the target. Only objects with an index are compared.

    Notes
    -----
    Values are matched by position. Indexes that hold the same labels in another order
    contradict it. Other indexes say nothing about the order, and neither does pandas'
    default index, unless it is the index of the target: a Series that was made from an
    array of predictions has it, too.
    """
    indexes: dict[str, Any] = {}
    for i, (name, values) in enumerate(arguments.items()):
        # Most arguments are arrays, which have no index.
        if values is None or type(values) is np.ndarray:
            continue
        index = getattr(values, "index", None)  # a list has a method of this name
        if not hasattr(index, "get_indexer") or (i and _is_default(index)):
            continue
        for other_name, other in indexes.items():
            if index is other:
                break
            if _is_permutation(index, other):
                raise ValueError(
                    f"`{name}` and `{other_name}` must have their samples in one order: "
                    "they are matched by position. Got indexes with the same labels in "
                    f"another order. Pass `{name}.reindex({other_name}.index)` or, if the "
                    f"rows do correspond, `{name}.to_numpy()`."
                )
        else:
            indexes[name] = index


def is_frame(values):
    """Whether an object has an index or names of columns, which can be checked."""
    has_index = hasattr(getattr(values, "index", None), "get_indexer")
    return has_index or column_names(values) is not None


def _is_default(index):
    """Whether an index is pandas' default, 0, 1, 2, ..., which objects have without one."""
    return (
        type(index).__name__ == "RangeIndex"
        and (index.start, index.step) == (0, 1)
        and index.name is None
    )


def _is_permutation(index, other):
    """Whether two indexes hold the same unique labels in different orders."""
    if len(index) != len(other) or index.nlevels != other.nlevels:
        return False
    try:
        if index.equals(other) or not (index.is_unique and other.is_unique):
            return False
        # An index of overlapping intervals needs this method instead of `get_indexer`.
        return bool((index.get_indexer_for(other) >= 0).all())
    # Labels of these types cannot be compared.
    except (TypeError, ValueError, NotImplementedError):
        return False


def column_names(values):
    """Names of the columns of a data frame; None for arrays and for pandas' default."""
    # In Arrow tables, `columns` are the values.
    names = getattr(values, "column_names", None)
    if names is None:
        names = getattr(values, "columns", None)
    return None if names is None or _is_default(names) else [*names]


def column_text(values, name, i):
    """The expression for one column of an argument."""
    if hasattr(values, "iloc"):
        return f"{name}.iloc[:, {i}]"
    if hasattr(values, "column_names"):
        return f"{name}.column({i})"
    if isinstance(values, list | tuple):
        return f"np.array({name})[:, {i}]"
    return f"{name}[:, {i}]"


def check_columns(values, name, labels):
    """Raise `ValueError` unless columns that have the names of labels are in their order.

    Names are compared as text. If none is a label, columns are taken by position.
    """
    names = column_names(values)
    if names is None:
        return
    given, needed = [*map(_label_text, names)], [*map(_label_text, labels)]
    if given == needed or not are_labels(names, labels):
        return
    way_out = f"Rename them, or pass `np.asarray({name})` if they do correspond"
    if sorted(given) == sorted(needed):
        ordered = [names[given.index(label)] for label in needed]
        way_out = f"Pass `{name}[{ordered!r}]`"
        if hasattr(values, "column_names"):
            way_out = f"Pass `{name}.select({ordered!r})`"
    raise ValueError(
        f"`{name}` must have its columns in the order of the labels, "
        f"{reprlib.repr([*labels])}. Got {reprlib.repr(names)}. {way_out}."
    )


def column_of(values, n_columns, label, labels):
    """The index of the column of scores of a label, or None if that is not known.

    `labels` are sorted. If names of columns are labels, they decide. Otherwise columns are
    taken by position, provided that there are as many columns as labels.
    """
    names = column_names(values) or []
    if not are_labels(names, labels):
        names = labels if n_columns == len(labels) else []
    texts = [*map(_label_text, names)]
    return texts.index(_label_text(label)) if _label_text(label) in texts else None


def are_labels(names, labels):
    """Whether one of these names is one of the labels."""
    return not {*map(_label_text, names)}.isdisjoint(map(_label_text, labels))


def _label_text(label):
    """A label or a name as text, the same for 1, 1.0, "1.0" and True."""
    text = str(label)
    if re.fullmatch(r"-?\d+\.0", text):
        text = text.removesuffix(".0")
    return {"False": "0", "True": "1"}.get(text, text)
