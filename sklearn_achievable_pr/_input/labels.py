"""Conversion of labels to booleans, checked together with their scores and weights."""

import math
from collections.abc import Iterable
from decimal import Decimal
from numbers import Integral
from typing import NamedTuple

import numpy as np
from sklearn.preprocessing import LabelEncoder

from . import arrays
from .frames import (
    are_labels,
    check_columns,
    check_order,
    column_names,
    column_of,
    column_text,
)
from .options import is_number, is_one_of, listed, warn_caller

# A checked batch has at most this many samples, so that temporary arrays stay in the cache.
_BLOCK = 1 << 17
# If the range of integer labels is at most this many times their number, a table of the
# range takes less time than a sort.
_SPARSE = 8


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
    weight: np.ndarray | None = None

    def take(self, index):
        """The samples at these positions, or where a mask is true."""
        weight = None if self.weight is None else self.weight[index]
        return BinaryData(self.positive[index], self.score[index], weight)


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

    def n_positive(self):
        """The number, or total weight, of the positives of each label."""
        if self.weight is None:
            return self.positive.sum(axis=0)
        return self.weight @ self.positive


def check_binary(y_true, y_score, pos_label, sample_weight, **others):
    """`BinaryData` of labels and scores of a binary problem.

    `others` are further arguments with one value per sample: only their order is checked.
    """
    check_order(y_true=y_true, y_score=y_score, sample_weight=sample_weight, **others)
    return _of_one_score(y_true, y_score, "y_score", pos_label, sample_weight)


def _of_one_score(y_true, y_score, name, pos_label, sample_weight):
    """`BinaryData` of the argument `name`; warns if the scores look like labels.

    The order of the samples has been checked.
    """
    target, score = _columns(y_true, y_score, name, pos_label)
    data = _data_of_columns(target, score, name, pos_label, sample_weight)
    if not isinstance(y_score, arrays.Response):
        warn_of_labels(name, data.score, labels=labels_if_named(target, pos_label))
    return data


def check_scores(y_true, scores, pos_label, sample_weight, **others):
    """`BinaryData` of each of several scores, a dict by the names of their arguments.

    `others` are those of `check_binary`.
    """
    check_order(y_true=y_true, **scores, sample_weight=sample_weight, **others)
    checked, positive, weight = {}, None, None
    for name, values in scores.items():
        # Labels and weights, the same for all scores, are converted once.
        y_true, score = _columns(y_true, values, name, pos_label)
        score = arrays.finite_scores(score, name)
        if positive is None:
            weight = arrays.check_weight(sample_weight, len(y_true))
            positive = positives(y_true, pos_label)
        checked[name] = drop_zero_weight(positive, score, weight)
    labels = labels_if_named(y_true, pos_label)
    for name, data in checked.items():
        # One warning per call is enough.
        if warn_of_labels(name, data.score, labels=labels):
            break
    return [*checked.values()]


def binary_data(y_true, y_score, pos_label, sample_weight):
    """`BinaryData` as from `check_binary`, without the warning of `warn_of_labels`."""
    check_order(y_true=y_true, y_score=y_score, sample_weight=sample_weight)
    target, score = _columns(y_true, y_score, "y_score", pos_label)
    return _data_of_columns(target, score, "y_score", pos_label, sample_weight)


def _data_of_columns(target, score, name, pos_label, sample_weight):
    """`BinaryData` of labels and scores that are columns of the same length."""
    score = arrays.finite_scores(score, name)
    weight = arrays.check_weight(sample_weight, len(target))
    return drop_zero_weight(positives(target, pos_label), score, weight)


def warn_of_labels(name, *parts, labels=()):
    """Whether scores look like predicted labels, as in `are_like_labels`; if so, warn.

    `parts` are the scores of each fold, or one array, and `labels` those of `y_true`.
    """
    # The first score alone rejects most scores, without a pass over all of them.
    if parts[0].item(0) not in (0, 1, -1, *labels):
        return False
    low = min(part.min().item() for part in parts)
    high = max(part.max().item() for part in parts)
    if not are_like_labels((low, high), labels):
        return False
    if any(np.any((part != low) & (part != high)) for part in parts):
        return False
    warn_like_labels(name, low, high)
    return True


def are_like_labels(values, labels=()):
    """Whether the distinct scores are 0 and 1, -1 and 1, or the two labels of `y_true`."""
    return {*values} in ({0, 1}, {-1, 1}, {*labels}) and len({*values}) == 2


def warn_like_labels(name, low, high):
    """Warn that the two values of a score look like predicted labels."""
    # Adding 0 turns -0.0 into 0.0.
    warn_caller(
        f"`{name}` has only {low + 0:g} and {high + 0:g}, like predicted labels. Pass "
        "scores or probabilities; to tune a threshold, use `HullThresholdClassifierCV`."
    )


def labels_if_named(target, pos_label):
    """Both labels of a target if `pos_label` was passed; they are equal if one is absent.

    Without `pos_label` labels are 0, 1, -1 or booleans, which `are_like_labels` knows.
    """
    if pos_label is None:
        return ()
    return target.item(0), target.item((target != target[0]).argmax())


def check_batches(batches, pos_label):
    """Pairs of `BinaryData` and its labels for `merged_labels`.

    A batch is a tuple of labels, scores and perhaps weights. Empty batches are skipped.
    Large batches are divided.
    """
    if if_frame(batches) or not isinstance(batches, Iterable):
        way_out = if_frame(batches) or " Return e.g. `[(y_true, y_score)]`."
        raise TypeError(
            f"`batches` must return an iterable of batches. Got {type(batches).__name__}."
            f"{way_out}"
        )
    for batch in batches:
        if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
            raise TypeError(
                "`batches` must hold tuples (y_true, y_score) or (y_true, y_score, "
                f"sample_weight). Got {type(batch).__name__}.{if_frame(batch)}"
            )
        y_true, y_score, weight = batch if len(batch) == 3 else (*batch, None)
        check_order(y_true=y_true, y_score=y_score, sample_weight=weight)
        if _is_empty(y_true) and _is_empty(y_score):
            continue
        target, score = _columns(y_true, y_score, "y_score", pos_label)
        score = arrays.finite_scores(score, "y_score", of_batch=True)
        weight = arrays.check_weight(weight, len(target), of_batch=True)
        positive = positives(target, pos_label)
        # The first sample of each class; the same one twice if there is one class.
        one_per_class = positive.argmin(), positive.argmax()
        labels = frozenset((target.item(i), positive.item(i)) for i in one_per_class)
        data = drop_zero_weight(positive, score, weight)
        # A batch whose weights are all 0 has no samples, but its labels are yielded.
        for start in range(0, max(len(data.score), 1), _BLOCK):
            yield data.take(slice(start, start + _BLOCK)), labels


def if_frame(values):
    """A sentence on how to pass a data frame, after a space; empty for other objects."""
    # The class tells it, because Polars warns where a lazy frame tells its columns.
    if not hasattr(type(values), "columns"):
        return ""
    return ' Pass a data frame as `auc_pr_from_frame(frame, "y_true", "y_score")`.'


def _is_empty(values):
    """Whether an array or a list has no entries; other objects may have no length."""
    try:
        return len(values) == 0
    except (TypeError, ValueError):
        return False


def _columns(y_true, values, name, pos_label):
    """Labels and other values of the samples as columns of the same length."""
    target = arrays.as_column(y_true, "y_true")
    column = score_column(values, name, target, pos_label)
    arrays.check_same_length("y_true", target, name, column)
    return target, column


def score_column(values, name, y_true, pos_label):
    """Scores of binary labels as a one-dimensional array; a single column is flattened.

    The error of several columns names the one to pass, that of the positive label.
    """
    arrays.check_no_categories(values, name)
    array = arrays.as_array(values, name, "be one-dimensional, and not empty")
    if array.ndim == 2 and array.shape[1] > 1:
        raise ValueError(_one_column(values, array, name, y_true, pos_label))
    return array.ravel()


def _one_column(values, array, name, y_true, pos_label):
    """The error of scores with several columns where there must be one."""
    labels = two_labels(arrays.as_column(y_true, "y_true"), "y_true")
    label = 1 if pos_label is None and need_no_name(labels) else pos_label
    i = None
    if is_one_of(label, labels):
        i = column_of(values, array.shape[1], labels[labels.index(label)], labels)
    way_out = "that of the positive class"
    if i is not None:
        way_out = f"`{column_text(values, name, i)}` for columns of the classes {labels}"
    return (
        f"`{name}` must be one-dimensional for a binary problem. Got shape {array.shape}: "
        f"pass one column, {way_out}."
    )


def are_models(y_true, y_score):
    """Whether scores are a data frame with one column per model of binary labels.

    Then no name of a column is a label: columns that are named as labels are those of
    classes.
    """
    names = column_names(y_score) or []
    if len(names) < 2 or np.shape(y_true)[1:] not in ((), (1,)):
        return False
    labels = distinct_labels(arrays.as_column(y_true, "y_true"), "y_true")
    return len(labels) < 3 and not are_labels(names, labels)


def _check_no_pos_label(pos_label):
    """Raise for a `pos_label` with several classes or labels; 1 is accepted."""
    if not is_one_of(pos_label, (None, 1)):
        raise ValueError(
            "`pos_label` is for a binary `y_true`: with several classes or labels, each is "
            f"positive in turn. Got {pos_label!r}: leave it out."
        )


def check_binary_or_labels(y_true, y_score, pos_label, sample_weight, name="y_score"):
    """`BinaryData` of a binary problem, `MultilabelData` of a multilabel or multiclass one.

    Each class of a multiclass problem is a label.
    """
    check_order(**{"y_true": y_true, name: y_score, "sample_weight": sample_weight})
    arrays.check_no_categories(y_score, name)
    target, score = arrays.as_array(y_true, "y_true"), arrays.as_array(y_score, name)
    n_columns = score.shape[1] if score.ndim == 2 else 1
    is_multilabel = target.ndim == 2 and target.shape[1] > 1
    # An empty list means that the labels were not looked at, because one column of scores
    # is for a binary problem whatever they are.
    labels: list = []
    if is_multilabel:
        labels = column_names(y_true) or list(range(target.shape[1]))
    elif n_columns > 1:
        labels = distinct_labels(target, "y_true")
    # With `pos_label` fewer than three labels are meant to be binary, whatever the number
    # of columns.
    is_binary = (
        not is_multilabel and len(labels) < 3 and (n_columns < 3 or pos_label is not None)
    )
    if is_binary:
        # An array is not converted again. The error of several columns needs the frame.
        needs_given = n_columns > 1 or isinstance(y_score, arrays.Response)
        score = y_score if needs_given else score
        return _of_one_score(target, score, name, pos_label, sample_weight)
    _check_no_pos_label(pos_label)
    score = arrays.finite_scores(score, name)
    arrays.check_same_length("y_true", target, name, score)
    weight = arrays.check_weight(sample_weight, len(target))
    _check_column_per_label(score, name, len(target), labels, is_multilabel)
    check_columns(y_score, name, labels)
    if not isinstance(y_score, arrays.Response):
        warn_of_labels(name, score)
    if is_multilabel:
        return MultilabelData(positives(target, None), score, weight, labels)
    # Fortran order makes the column of each class contiguous.
    classes = np.array(labels, dtype=target.dtype)[:, np.newaxis]
    return MultilabelData((classes == target.ravel()).T, score, weight, labels)


def _check_column_per_label(score, name, n_samples, labels, is_multilabel):
    """Raise `ValueError` unless there is one column of scores per label or class."""
    needed = n_samples, len(labels)
    if score.shape == needed:
        return
    hint = ""
    if not is_multilabel and score.ndim == 2 and score.shape[1] > len(labels):
        hint = " Leave out the column of a class without samples, which has no area."
    raise ValueError(
        f"`{name}` must have shape {needed}: one column per label or class of `y_true`, "
        f"classes in sorted order. Got {score.shape}.{hint}"
    )


def check_predictions(y_true, y_pred, pos_label, sample_weight):
    """`BinaryData` of labels and, in place of scores, predicted labels as booleans."""
    check_order(y_true=y_true, y_pred=y_pred, sample_weight=sample_weight)
    target, predicted = _columns(y_true, y_pred, "y_pred", pos_label)
    weight = arrays.check_weight(sample_weight, len(target))
    both = joined((target, predicted))
    truth, predicted = np.split(positives(both, pos_label, "y_true` and `y_pred"), 2)
    return drop_zero_weight(truth, predicted, weight)


def joined(targets):
    """Targets in one array; as objects where NumPy would join numbers and text as text."""
    kinds = {target.dtype.kind for target in targets}
    is_safe = len(kinds) == 1 or kinds <= {*"biuf"}
    return np.concatenate(targets, dtype=None if is_safe else object)


def positives(target, pos_label, name="y_true"):
    """Whether each entry of a binary target is positive."""
    if pos_label is None and target.dtype.kind in "biuf":
        ones = target if target.dtype == bool else target == 1
        # All labels are 0 and 1: no other check is needed.
        if np.count_nonzero(ones) == np.count_nonzero(target):
            return ones
    labels = two_labels(target, name)
    if pos_label is None:
        if not need_no_name(labels):
            either = " or ".join(f"pos_label={label!r}" for label in labels)
            ways = f": pass {either}" if len(labels) == 2 else ""
            raise ValueError(
                f"`{name}` must have the labels {{0, 1}}, {{-1, 1}} or booleans. Got "
                f"{listed(labels)}. Name the positive one by `pos_label`{ways}."
            )
        return target == 1
    if len(labels) == 1 and not _is_label(pos_label, labels):
        return np.zeros(target.shape, dtype=bool)
    return target == labels[label_index(labels, pos_label, name)]


def need_no_name(labels):
    """Whether 1, or True, is the positive one of these labels without a `pos_label`."""
    return set(labels) <= {0, 1} or set(labels) <= {-1, 1}


def merged_labels(labels, others):
    """The labels of two parts of the samples, checked as those of one array.

    Labels are a set of pairs: a label, and whether it is the positive one.
    """
    if labels == others:
        return labels
    pairs = labels | others
    names = two_labels(np.array([label for label, _ in pairs], dtype=object), "y_true")
    if not len(pairs) == len(names) == len({is_positive for _, is_positive in pairs}):
        positive = sorted(label for label, is_positive in pairs if is_positive)
        raise ValueError(
            "`pos_label` must be one label of `y_true`, the same for all batches. Got "
            f"{positive} of the labels {names} as positive. Pass one label with each batch."
        )
    return pairs


def two_labels(target, name):
    """The labels of a binary target, sorted; it may have only one of the two."""
    labels = distinct_labels(target, name)
    if len(labels) > 2:
        raise ValueError(
            f"`{name}` must have two classes here. Got more: {listed(labels)}. Pass one "
            "column of `y_score` per class to a metric that averages over classes, or "
            "binarize, e.g. `y_true == label`."
        )
    return labels


def label_index(labels, pos_label, name):
    """The index of a label among the labels of the argument `name`."""
    if not _is_label(pos_label, labels):
        raise ValueError(
            f"`pos_label`={pos_label!r} is not a label of `{name}`, {listed(labels)}. Pass "
            "one of these."
        )
    return [*labels].index(pos_label)


def _is_label(pos_label, labels):
    """Whether `pos_label` is one of the labels."""
    if not (is_number(pos_label) or isinstance(pos_label, str | np.bool_ | Decimal)):
        raise TypeError(
            f"`pos_label` must be a label: a number, string or boolean. Got {pos_label!r}."
        )
    return pos_label in [*labels]


def drop_zero_weight(positive, score, weight):
    """`BinaryData` without the samples of weight 0."""
    data = BinaryData(positive, score, weight)
    return data if weight is None or weight.min() > 0 else data.take(weight > 0)


def drop_equal_weights(data):
    """`BinaryData` without weights that are all equal, which limits do not depend on."""
    is_weighted = data.weight is not None and not arrays.is_constant(data.weight)
    return data if is_weighted else data._replace(weight=None)


def encoded(labels):
    """Distinct labels, sorted, and the index of each label among them, as arrays.

    Raises `TypeError` for labels of several types.
    """
    if labels.dtype.kind == "O":
        # For 1e5 strings with ten distinct labels, the hash table of LabelEncoder takes a
        # seventh of the time of `np.unique`, which sorts all strings.
        encoder = LabelEncoder()
        index = encoder.fit_transform(labels)
        return encoder.classes_, index
    if labels.dtype.kind == "i":
        lowest = int(labels.min())
        size = int(labels.max()) - lowest + 1
        if size <= _SPARSE * len(labels):
            # A table of all integers in this range takes 1 ms for 1e5 labels in random
            # order. `np.unique` takes 40 ms, a quarter of an interval with `groups`.
            place = labels.astype(np.int64, copy=False) - lowest
            occurs = np.bincount(place, minlength=size) > 0
            return occurs.nonzero()[0] + lowest, (np.cumsum(occurs) - 1).take(place)
    return np.unique(labels, return_inverse=True)


def _is_whole(label):
    """Whether a number is an integer; infinity is not."""
    if isinstance(label, Integral):
        return True
    return math.isfinite(label) and label == math.floor(label)


def distinct_labels(target, name):
    """The labels of a target, sorted: numbers or text."""
    is_matrix = target.ndim == 2 and target.shape[1] > 1
    if target.dtype.kind in "biuf":
        labels = np.unique(target).tolist()
    else:
        # Times with nanoseconds would become integers in a list, so they stay an array.
        is_time, target = target.dtype.kind in "mM", target.ravel()
        try:
            labels = list(dict.fromkeys(target if is_time else target.tolist()))
        # NumPy raises ValueError for a time span without a unit.
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"`{name}` must hold numbers, strings or booleans as labels. Got others: "
                f"{error}."
            ) from error
    if any(map(arrays.is_missing, labels)):
        way_out = (
            "Drop those samples first. If labels are missing because only alerts were "
            'reviewed, the others also need weights: see "Only alerts are reviewed" in '
            "the documentation."
        )
        if is_matrix:
            way_out = (
                "Compute the metric of each column i from the rows in which its labels are "
                f"known: `{name}[known, i]` and `y_score[known, i]`."
            )
        raise ValueError(f"`{name}` has missing labels (None or NaN). {way_out}")
    # NumPy's booleans in an array of objects are not numbers.
    labels = [bool(label) if isinstance(label, np.bool_) else label for label in labels]
    if all(is_number(label) or isinstance(label, Decimal) for label in labels):
        fraction = next((label for label in labels if not _is_whole(label)), None)
        if fraction is not None:
            raise ValueError(
                f"`{name}` must hold class labels. Got continuous values, e.g. {fraction}."
            )
    elif not all(isinstance(label, str) for label in labels):
        raise TypeError(
            f"`{name}` must hold booleans, integers or strings as labels, all of one kind. "
            f"Got {listed(labels)}: pass e.g. `np.asarray({name}).astype(str)`."
        )
    return sorted(labels)
