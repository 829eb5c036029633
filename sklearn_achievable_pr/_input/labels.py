"""Labels of any format to booleans, beside their scores and weights."""

from __future__ import annotations

import math
import numbers
from typing import NamedTuple

import numpy as np

from .arrays import (
    as_array,
    as_column,
    as_numbers,
    check_same_length,
    check_score,
    check_weight,
    is_missing,
    ravelled,
)


class BinaryData(NamedTuple):
    """One binary problem, checked.

    Attributes
    ----------
    positive : ndarray of bool, shape (n_rows,)
    score : ndarray of shape (n_rows,)
        Finite, real, in the machine's byte order.
    weight : ndarray of float64, shape (n_rows,), or None
        Positive: rows of weight 0 are gone from all three.
    """

    positive: np.ndarray
    score: np.ndarray
    weight: np.ndarray | None


class MultilabelData(NamedTuple):
    """Several binary problems, one a column: a multilabel or multiclass target."""

    positive: np.ndarray  # bool, shape (n_rows, n_labels)
    score: np.ndarray  # shape (n_rows, n_labels)
    weight: np.ndarray | None  # shape (n_rows,), may hold zeros


def check_binary(y_true, y_score, pos_label, sample_weight, score_name="y_score"):
    """Labels and scores of a binary problem.

    Returns
    -------
    BinaryData
    """
    return _binary(
        as_array(y_true, "y_true"),
        as_array(y_score, score_name),
        pos_label,
        sample_weight,
        score_name,
    )


def _binary(target, score, pos_label, sample_weight, score_name="y_score"):
    target = ravelled(target, "y_true")
    score = check_score(ravelled(score, score_name), score_name)
    check_same_length("y_true", target, score_name, score)
    weight = check_weight(sample_weight, len(target))
    return drop_zero_weight(positives(target, pos_label), score, weight)


def check_batch(y_true, y_score, sample_weight, pos_label):
    """Labels and scores of some rows of a binary problem; None of no rows.

    Weights stay of the size they have: others are to be added to them.

    Returns
    -------
    BinaryData or None
    """
    if _has_no_rows(y_true) and _has_no_rows(y_score):
        return None
    target, score = as_column(y_true, "y_true"), as_column(y_score, "y_score")
    score = check_score(score, "y_score")
    check_same_length("y_true", target, "y_score", score)
    weight = check_weight(sample_weight, len(target), of_batch=True)
    return drop_zero_weight(positives(target, pos_label), score, weight)


def _has_no_rows(values):
    # Arrays of some libraries have a shape and no length; other objects have neither.
    shape = getattr(values, "shape", None)
    if shape is None:
        return hasattr(values, "__len__") and len(values) == 0
    return tuple(shape[:1]) == (0,)


def check_binary_or_labels(y_true, y_score, pos_label, sample_weight):
    """Labels and scores of a binary, multilabel or multiclass problem.

    Returns
    -------
    BinaryData or MultilabelData
    """
    target, score = as_array(y_true, "y_true"), as_array(y_score, "y_score")
    target_is_table = target.ndim == 2 and target.shape[1] > 1
    score_is_table = score.ndim == 2 and score.shape[1] > 1
    if not (target_is_table or score_is_table):
        return _binary(target, score, pos_label, sample_weight)
    if pos_label is not None and not _same_label(pos_label, 1):
        raise ValueError(
            "`pos_label` has no meaning for a multilabel or multiclass `y_true`: every "
            f"label is the positive one in turn. Got pos_label={pos_label!r}; leave it "
            "out."
        )
    score = check_score(score, "y_score")
    check_same_length("y_true", target, "y_score", score)
    weight = check_weight(sample_weight, len(target))
    positive = (
        _table_positives(target)
        if target_is_table
        else _one_vs_rest(ravelled(target, "y_true"), score)
    )
    if positive.shape != score.shape:
        raise ValueError(
            f"`y_score` must have the shape of `y_true`, {positive.shape}: one column "
            f"a label. Got {score.shape}."
        )
    return MultilabelData(positive, score, weight)


def check_predictions(y_true, y_pred, pos_label, sample_weight):
    """Labels and predicted labels of a binary problem.

    Returns
    -------
    truth, predicted : ndarray of bool
    weight : ndarray of float64 or None
    """
    target, predicted = as_column(y_true, "y_true"), as_column(y_pred, "y_pred")
    check_same_length("y_true", target, "y_pred", predicted)
    weight = check_weight(sample_weight, len(target))
    labels = _distinct_labels(target, "y_true")
    _check_two(labels, "y_true")
    labels += [
        label
        for label in _distinct_labels(predicted, "y_pred")
        if not any(_same_label(label, known) for known in labels)
    ]
    if len(labels) > 2:
        raise ValueError(
            "`y_true` and `y_pred` must hold two labels between them, but hold "
            f"{_listed(labels)}. Binarise them first."
        )
    label = _positive_label(labels, pos_label, "`y_true` and `y_pred` hold")
    return drop_zero_weight(_equals(target, label), _equals(predicted, label), weight)


def positives(target, pos_label, name="y_true"):
    """Which rows of a one-dimensional binary target are positive."""
    if pos_label is None and target.dtype.kind in "biuf":
        # Nearly all who ask have 0 and 1 or booleans: two passes tell.
        positive = target if target.dtype == bool else target == 1
        if np.count_nonzero(positive) == np.count_nonzero(target):
            return positive
    labels = _distinct_labels(target, name)
    _check_two(labels, name)
    return _equals(target, _positive_label(labels, pos_label, f"`{name}` holds"))


def drop_zero_weight(positive, score, weight):
    """A row of weight 0 is no row."""
    if weight is not None and weight.min() == 0:
        present = weight > 0
        return BinaryData(positive[present], score[present], weight[present])
    return BinaryData(positive, score, weight)


def _distinct_labels(target, name):
    """The labels of a one-dimensional target, in no set order; at most three of them.

    Two is the answer for nearly all who ask, so two are looked for without sorting.
    """
    if target.dtype.kind in "biuf":
        return _distinct_numbers(target, name)
    if target.dtype.kind not in "OUT":
        raise TypeError(
            f"`{name}` must hold booleans, whole numbers or strings as labels. Got dtype "
            f"{target.dtype}."
        )
    try:
        labels = list(dict.fromkeys(target.tolist()))
    except TypeError as error:
        raise TypeError(f"`{name}` must hold labels. Got {error}.") from error
    if any(is_missing(label) for label in labels):
        raise ValueError(
            f"`{name}` has missing labels (None or NaN). Drop those rows first."
        )
    if all(isinstance(label, str) for label in labels):
        return labels
    if all(isinstance(label, numbers.Real) for label in labels):
        return _distinct_numbers(np.array(labels), name)
    raise TypeError(
        f"`{name}` must hold labels of one kind: booleans, whole numbers or strings. Got "
        f"{_listed(labels)}."
    )


def _distinct_numbers(target, name):
    lowest, highest = target.min(), target.max()
    if target.dtype.kind == "f" and not (math.isfinite(lowest) and math.isfinite(highest)):
        raise ValueError(f"`{name}` has NaN or infinite labels. Drop those rows first.")
    labels = [lowest.item()] if lowest == highest else [lowest.item(), highest.item()]
    if target.dtype.kind != "b" and not (
        target.dtype.kind in "iu" and int(highest) - int(lowest) == 1
    ):
        other = (target != lowest) & (target != highest)
        if other.any():
            labels.append(target[other][0].item())
    if target.dtype.kind == "f" and not (target == np.floor(target)).all():
        raise ValueError(
            f"`{name}` must hold class labels. Got continuous values, e.g. "
            f"{next(v for v in target if v != np.floor(v))}."
        )
    return labels


def _check_two(labels, name):
    if len(labels) > 2:
        raise ValueError(
            f"`{name}` must have two classes here. Got more: {_listed(labels)}, .... For a "
            "multiclass `y_true`, `y_score` needs one column a class, where the function "
            "takes such; else binarise, e.g. `y_true == label`."
        )


def _positive_label(labels, pos_label, holder):
    if pos_label is None:
        if all(isinstance(label, bool) for label in labels):
            return True
        if not any(isinstance(label, str) for label in labels) and (
            set(labels) <= {0, 1} or set(labels) <= {-1, 1}
        ):
            return 1
        raise ValueError(
            f"{holder} the labels {_listed(labels)}: which one is positive is clear "
            "only for {0, 1}, {-1, 1} and booleans. Pass `pos_label`, e.g. "
            f"pos_label={labels[-1]!r}."
        )
    if not isinstance(pos_label, str | numbers.Real | np.bool_):
        raise TypeError(
            f"`pos_label` must be a label: a number, string or boolean. Got {pos_label!r}."
        )
    for label in labels:
        if _same_label(label, pos_label):
            return label
    if len(labels) == 2:
        raise ValueError(
            f"`pos_label`={pos_label!r} is not a label: {holder} {_listed(labels)}. Pass "
            "one of these."
        )
    return None


def _same_label(label, other):
    return isinstance(label, str) == isinstance(other, str) and bool(label == other)


def _equals(target, label):
    if label is None:
        return np.zeros(len(target), dtype=bool)
    return np.asarray(target == label, dtype=bool)


def _listed(labels):
    return "[" + ", ".join(repr(label) for label in labels) + "]"


def _table_positives(target):
    if target.dtype.kind == "O":
        target = as_numbers(target, "y_true")
    if target.dtype.kind not in "biuf":
        raise TypeError(
            "A two-dimensional `y_true` must be a table of 0 and 1, one column a label. "
            f"Got dtype {target.dtype}."
        )
    labels = _distinct_numbers(target.ravel(), "y_true")
    if not (set(labels) <= {0, 1} or set(labels) <= {-1, 1}):
        raise ValueError(
            "A two-dimensional `y_true` must be a table of 0 and 1, one column a label. "
            f"Got the values {_listed(labels)}."
        )
    return target == 1


def _one_vs_rest(target, score):
    labels = _distinct_labels(target, "y_true")
    if len(labels) < 3:
        raise ValueError(
            "`y_score` must be one-dimensional for a binary `y_true`. Got shape "
            f"{score.shape}; pass the positive class's column, e.g. `y_score[:, 1]`."
        )
    classes = _sorted_labels(target)
    if score.ndim != 2 or score.shape[1] != len(classes):
        raise ValueError(
            f"`y_score` must have shape {(len(target), len(classes))}: `y_true` has "
            f"{len(classes)} classes, one column each, in sorted order. Got {score.shape}."
        )
    # Each class's column is contiguous.
    return (classes[:, np.newaxis] == target).T


def _sorted_labels(target):
    if target.dtype.kind in "iu":
        lowest, highest = int(target.min()), int(target.max())
        if highest - lowest < len(target):  # counting is faster than np.unique
            present = np.bincount((target - target.dtype.type(lowest)).astype(np.int64))
            return (present.nonzero()[0] + lowest).astype(target.dtype)
    return np.unique(target)
