"""Conversion of labels to booleans, checked together with their scores and weights."""

from __future__ import annotations

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
)
from .options import listed


class BinaryData(NamedTuple):
    """Checked labels, scores and weights of binary data.

    Attributes
    ----------
    positive : ndarray of bool, shape (n_samples,)
        Whether each sample is positive.
    score : ndarray of shape (n_samples,)
        Finite, real, in native byte order.
    weight : ndarray of float64, shape (n_samples,), or None
        Weights above 0; samples of weight 0 are dropped.
    """

    positive: np.ndarray
    score: np.ndarray
    weight: np.ndarray | None


class MultilabelData(NamedTuple):
    """Checked labels, scores and weights with one column per label or class.

    Attributes
    ----------
    positive : ndarray of bool, shape (n_samples, n_labels)
        Whether each sample has each label.
    score : ndarray of shape (n_samples, n_labels)
        Finite, real, in native byte order.
    weight : ndarray of float64, shape (n_samples,), or None
        Weights of the samples, which may be 0.
    labels : list
        The label of each column.
    """

    positive: np.ndarray
    score: np.ndarray
    weight: np.ndarray | None
    labels: list


def check_binary(
    y_true, y_score, pos_label, sample_weight, score_name="y_score", of_batch=False
):
    """`BinaryData` of labels and scores of a binary problem."""
    target, score = as_column(y_true, "y_true"), as_column(y_score, score_name)
    score = check_score(score, score_name)
    check_same_length("y_true", target, score_name, score)
    weight = check_weight(sample_weight, len(target), of_batch=of_batch)
    return drop_zero_weight(positives(target, pos_label), score, weight)


def check_batch(y_true, y_score, sample_weight, pos_label):
    """`BinaryData` of a batch, its weights not rescaled; None for an empty batch."""
    if _is_empty(y_true) and _is_empty(y_score):
        return None
    return check_binary(y_true, y_score, pos_label, sample_weight, of_batch=True)


def _is_empty(values):
    """Whether an array of any library has no samples."""
    # Arrays of some libraries have a shape and no length; other objects have neither.
    shape = getattr(values, "shape", None)
    if shape is None:
        return hasattr(values, "__len__") and len(values) == 0
    return tuple(shape[:1]) == (0,)


def check_binary_or_labels(y_true, y_score, pos_label, sample_weight):
    """`BinaryData` or `MultilabelData` of a binary, multilabel or multiclass problem."""
    target, score = as_array(y_true, "y_true"), as_array(y_score, "y_score")
    is_multilabel = target.ndim == 2 and target.shape[1] > 1
    if not is_multilabel and (score.ndim == 1 or score.shape[1] == 1):
        return check_binary(target, score, pos_label, sample_weight)
    if pos_label is not None and not _same_label(pos_label, 1):
        raise ValueError(
            "`pos_label` has no meaning for a multilabel or multiclass `y_true`: every "
            f"label is the positive one in turn. Got pos_label={pos_label!r}; leave it "
            "out."
        )
    score = check_score(score, "y_score")
    check_same_length("y_true", target, "y_score", score)
    weight = check_weight(sample_weight, len(target))
    if is_multilabel:
        positive = _multilabel_positives(target)
        labels = list(getattr(y_true, "columns", range(target.shape[1])))
    else:
        positive, labels = _one_vs_rest(target.ravel(), score)
    if positive.shape != score.shape:
        raise ValueError(
            f"`y_score` must have the shape of `y_true`, {positive.shape}: one column "
            f"per label. Got {score.shape}."
        )
    columns = list(getattr(y_score, "columns", labels))
    if columns != labels and set(columns) == set(labels):
        raise ValueError(
            f"`y_score` must have its columns in the order of the labels, {listed(labels)}."
            f" Got {listed(columns)}; pass `y_score[{labels!r}]`."
        )
    return MultilabelData(positive, score, weight, labels)


def check_predictions(y_true, y_pred, pos_label, sample_weight):
    """Labels and predicted labels of a binary problem as booleans, with the weights.

    Returns
    -------
    truth, predicted : ndarray of bool
    weight : ndarray of float64 or None
    """
    target, predicted = as_column(y_true, "y_true"), as_column(y_pred, "y_pred")
    check_same_length("y_true", target, "y_pred", predicted)
    weight = check_weight(sample_weight, len(target))
    labels = distinct_labels(target, "y_true")
    labels += [
        label
        for label in distinct_labels(predicted, "y_pred")
        if not any(_same_label(label, known) for known in labels)
    ]
    if len(labels) > 2:
        raise ValueError(
            "`y_true` and `y_pred` must hold two labels between them, but hold "
            f"{listed(labels)}. Binarise them first."
        )
    label = _positive_label(labels, pos_label, "`y_true` and `y_pred` hold")
    return drop_zero_weight(_equals(target, label), _equals(predicted, label), weight)


def positives(target, pos_label, name="y_true"):
    """Whether each sample of a one-dimensional binary target is positive."""
    if pos_label is None and (ones := _zeros_and_ones(target)) is not None:
        return ones
    labels = distinct_labels(target, name)
    if len(labels) > 2:
        raise ValueError(
            f"`{name}` must have two classes here. Got more: {listed(labels)}. For a "
            "multiclass `y_true`, `y_score` needs one column per class, if the function "
            "takes several; else binarise, e.g. `y_true == label`."
        )
    return _equals(target, _positive_label(labels, pos_label, f"`{name}` holds"))


def _zeros_and_ones(target):
    """Mask of the ones in a target of 0 and 1 or of booleans; None for another target."""
    if target.dtype.kind not in "biuf":
        return None
    ones = target if target.dtype == bool else target == 1
    return ones if np.count_nonzero(ones) == np.count_nonzero(target) else None


def drop_zero_weight(positive, score, weight):
    """`BinaryData` without the samples of weight 0."""
    if weight is not None and weight.min() == 0:
        present = weight > 0
        return BinaryData(positive[present], score[present], weight[present])
    return BinaryData(positive, score, weight)


def distinct_labels(target, name):
    """List of the distinct labels of a one-dimensional target, checked."""
    if target.dtype.kind in "biuf":
        labels = np.unique(target)
        if not np.isfinite(labels).all():
            raise ValueError(
                f"`{name}` has NaN or infinite labels. Drop those samples first."
            )
        if (labels % 1).any():
            raise ValueError(
                f"`{name}` must hold class labels. Got continuous values, e.g. "
                f"{labels[labels % 1 > 0][0]}."
            )
        return labels.tolist()
    if target.dtype.kind not in "OUT":
        raise TypeError(
            f"`{name}` must hold booleans, integers or strings as labels. Got dtype "
            f"{target.dtype}."
        )
    try:
        labels = list(dict.fromkeys(target.tolist()))
    except TypeError as error:
        raise TypeError(f"`{name}` must hold labels. Got {error}.") from error
    if any(is_missing(label) for label in labels):
        raise ValueError(
            f"`{name}` has missing labels (None or NaN). Drop those samples first."
        )
    if all(isinstance(label, str) for label in labels):
        return labels
    if all(isinstance(label, numbers.Real) for label in labels):
        return distinct_labels(as_numbers(np.array(labels), name), name)
    raise TypeError(
        f"`{name}` must hold labels of one kind: booleans, integers or strings. Got "
        f"{listed(labels)}."
    )


def _positive_label(labels, pos_label, holder):
    """The positive one of `labels`; None if the only label is negative."""
    if pos_label is None:
        if all(isinstance(label, bool) for label in labels):
            return True
        if not any(isinstance(label, str) for label in labels) and (
            set(labels) <= {0, 1} or set(labels) <= {-1, 1}
        ):
            return 1
        raise ValueError(
            f"{holder} the labels {listed(labels)}: which one is positive is clear "
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
            f"`pos_label`={pos_label!r} is not a label: {holder} {listed(labels)}. Pass "
            "one of these."
        )
    return None


def _same_label(label, other):
    """Whether two labels are equal; a string never equals a number."""
    return isinstance(label, str) == isinstance(other, str) and bool(label == other)


def _equals(target, label):
    """Whether each element of the target is `label`; None equals no element."""
    if label is None:
        return np.zeros(len(target), dtype=bool)
    return np.asarray(target == label, dtype=bool)


def _multilabel_positives(target):
    """Mask of the positive entries of a multilabel indicator matrix."""
    if (ones := _zeros_and_ones(target)) is not None:
        return ones
    labels = distinct_labels(target.ravel(), "y_true")
    if not (set(labels) <= {0, 1} or set(labels) <= {-1, 1}):
        raise ValueError(
            "A two-dimensional `y_true` must hold 0 and 1, one column per label. Got the "
            f"values {listed(labels)}."
        )
    return _equals(target, 1)


def _one_vs_rest(target, score):
    """Mask of each class, one column per class, and the sorted classes."""
    labels = distinct_labels(target, "y_true")
    if len(labels) < 3:
        raise ValueError(
            "`y_score` must be one-dimensional for a binary `y_true`. Got shape "
            f"{score.shape}; pass the positive class's column, e.g. `y_score[:, 1]`."
        )
    classes = np.unique(target)
    if score.ndim != 2 or score.shape[1] != len(classes):
        raise ValueError(
            f"`y_score` must have shape {(len(target), len(classes))}: `y_true` has "
            f"{len(classes)} classes, one column each, in sorted order. Got {score.shape}."
        )
    # Fortran order: the column of each class is contiguous.
    return (classes[:, np.newaxis] == target).T, classes.tolist()
