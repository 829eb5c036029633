"""Conversion of labels to booleans, checked together with their scores and weights."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from sklearn.preprocessing import LabelEncoder

from . import arrays
from .frames import check_order
from .options import is_number, is_one_of, listed, warn_caller

# Maximum number of samples in a checked batch, so that temporary arrays stay in the cache.
_BLOCK = 1 << 17
# Up to this many integers per label, a table of them takes less time than a sort.
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
        return BinaryData(*(None if column is None else column[index] for column in self))


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
    data = binary_data(y_true, y_score, pos_label, sample_weight, **others)
    warn_of_labels("y_score", data.score)
    return data


def check_scores(y_true, scores, pos_label, sample_weight, **others):
    """`BinaryData` of each of several scores, a dict by the names of their arguments.

    `others` are those of `check_binary`.
    """
    check_order(y_true=y_true, **scores, sample_weight=sample_weight, **others)
    found, positive, weight = {}, None, None
    for name, values in scores.items():
        # Labels and weights, the same for all scores, are converted once.
        y_true, score = _columns(y_true, values, name)
        score = arrays.finite_numbers(score, name)
        if positive is None:
            weight = arrays.check_weight(sample_weight, len(y_true))
            positive = positives(y_true, pos_label)
        found[name] = drop_zero_weight(positive, score, weight)
    any(warn_of_labels(name, data.score) for name, data in found.items())  # the first only
    return [*found.values()]


def binary_data(y_true, y_score, pos_label, sample_weight, **others):
    """`BinaryData` as from `check_binary`, without the warning of `warn_of_labels`."""
    check_order(y_true=y_true, y_score=y_score, sample_weight=sample_weight, **others)
    target, score = _columns(y_true, y_score, "y_score")
    score = arrays.finite_numbers(score, "y_score")
    weight = arrays.check_weight(sample_weight, len(target))
    return drop_zero_weight(positives(target, pos_label), score, weight)


def warn_of_labels(name, *parts):
    """Whether scores look like predicted labels; if so, warn.

    They do if they are booleans, or integers that are all 0 or 1, and both occur.
    `parts` are the scores of each fold, or one array.
    """
    if parts[0].dtype.kind == "f":  # most scores
        return False
    kinds = {part.dtype.kind for part in parts}
    if "f" in kinds:
        return False
    # The first score rejects most integers without a pass over all of them.
    if kinds != {"b"} and not (
        parts[0].item(0) in (0, 1)
        and min(part.min() for part in parts) == 0
        and max(part.max() for part in parts) == 1
    ):
        return False
    warn_caller(
        f"`{name}` has only 0 and 1, like predicted labels. Pass scores or probabilities."
    )
    return True


def check_batches(batches, pos_label):
    """Pairs of `BinaryData` and its labels for `merged_labels`.

    A batch is a tuple of labels, scores and perhaps weights. Empty batches are skipped.
    Large batches are divided.
    """
    if not isinstance(batches, Iterable):
        raise TypeError(
            f"`batches` must return an iterable of batches. Got {type(batches).__name__}."
        )
    for batch in batches:
        if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
            raise TypeError(
                "`batches` must hold tuples (y_true, y_score) or (y_true, y_score, "
                f"sample_weight). Got {type(batch).__name__}."
            )
        y_true, y_score, weight = batch if len(batch) == 3 else (*batch, None)
        check_order(y_true=y_true, y_score=y_score, sample_weight=weight)
        y_true = arrays.on_host(y_true, "y_true")
        y_score = arrays.on_host(y_score, "y_score")
        if y_true.shape[:1] == y_score.shape[:1] == (0,):
            continue
        target, score = _columns(y_true, y_score, "y_score")
        score = arrays.finite_numbers(score, "y_score")
        weight = arrays.check_weight(weight, len(target), of_batch=True)
        positive = positives(target, pos_label)
        # The first sample of each class; the same one twice if there is one class.
        one_per_class = positive.argmin(), positive.argmax()
        labels = frozenset((target.item(i), positive.item(i)) for i in one_per_class)
        data = drop_zero_weight(positive, score, weight)
        # A batch without weight has no samples, but labels.
        for start in range(0, max(len(data.score), 1), _BLOCK):
            yield data.take(slice(start, start + _BLOCK)), labels


def _columns(y_true, values, name):
    """Labels and other values of the samples as columns of the same length."""
    target, values = arrays.as_column(y_true, "y_true"), arrays.as_column(values, name)
    arrays.check_same_length("y_true", target, name, values)
    return target, values


def check_binary_or_labels(y_true, y_score, pos_label, sample_weight, name="y_score"):
    """`BinaryData` or `MultilabelData` of a binary, multilabel or multiclass problem."""
    check_order(**{"y_true": y_true, name: y_score, "sample_weight": sample_weight})
    target, score = arrays.as_array(y_true, "y_true"), arrays.as_array(y_score, name)
    is_multilabel = target.ndim == 2 and target.shape[1] > 1
    labels, n_columns = [], score.shape[1] if score.ndim == 2 else 1
    if is_multilabel:
        labels = list(getattr(y_true, "columns", range(target.shape[1])))
    elif n_columns > 1:
        labels = distinct_labels(target, "y_true")
    # With `pos_label` the labels are meant to be binary, whatever the number of columns.
    is_binary = len(labels) < 3 and (n_columns < 3 or pos_label is not None)
    if is_binary and not is_multilabel:
        # Arrays are not converted again.
        return check_scores(target, {name: score}, pos_label, sample_weight)[0]
    if not is_one_of(pos_label, (None, 1)):
        raise ValueError(
            "`pos_label` is for a binary `y_true`: of several classes or labels each is "
            f"positive in turn. Got {pos_label!r}; leave it out."
        )
    score = arrays.finite_numbers(score, name)
    arrays.check_same_length("y_true", target, name, score)
    weight = arrays.check_weight(sample_weight, len(target))
    if score.shape != (len(target), len(labels)):
        hint = ""
        if not is_multilabel and n_columns > len(labels):
            hint = " Every class needs samples: use a stratified splitter."
        raise ValueError(
            f"`{name}` must have shape {(len(target), len(labels))}: one column per label "
            f"or class of `y_true`, classes in sorted order. Got {score.shape}.{hint}"
        )
    columns = list(getattr(y_score, "columns", labels))
    if columns != labels and set(columns) == set(labels):
        raise ValueError(
            f"`{name}` must have its columns in the order of the labels, {listed(labels)}."
            f" Got {listed(columns)}; pass `{name}[{labels!r}]`."
        )
    warn_of_labels(name, score)
    if is_multilabel:
        return MultilabelData(positives(target, None), score, weight, labels)
    # Fortran order: the column of each class is contiguous.
    classes = np.array(labels, dtype=target.dtype)[:, np.newaxis]
    return MultilabelData((classes == target.ravel()).T, score, weight, labels)


def check_predictions(y_true, y_pred, pos_label, sample_weight):
    """`BinaryData` of labels and, in place of scores, predicted labels as booleans."""
    check_order(y_true=y_true, y_pred=y_pred, sample_weight=sample_weight)
    target, predicted = _columns(y_true, y_pred, "y_pred")
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
        if not (set(labels) <= {0, 1} or set(labels) <= {-1, 1}):
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
    if not (is_number(pos_label) or isinstance(pos_label, str | np.bool_)):
        raise TypeError(
            f"`pos_label` must be a label: a number, string or boolean. Got {pos_label!r}."
        )
    return pos_label in [*labels]


def drop_zero_weight(positive, score, weight):
    """`BinaryData` without the samples of weight 0."""
    data = BinaryData(positive, score, weight)
    return data if weight is None or weight.min() > 0 else data.take(weight > 0)


def encoded(labels):
    """Distinct labels, sorted, and the index of each label among them, as arrays.

    Raises `TypeError` for labels of several types.
    """
    if labels.dtype.kind == "i":
        lowest = int(labels.min())
        size = int(labels.max()) - lowest + 1
        if size <= _SPARSE * len(labels):
            # A table of all integers in this range costs less than a sort.
            place = labels.astype(np.int64, copy=False) - lowest
            occurs = np.bincount(place, minlength=size) > 0
            return occurs.nonzero()[0] + lowest, (np.cumsum(occurs) - 1).take(place)
    encoder = LabelEncoder()
    index = encoder.fit_transform(labels)
    return encoder.classes_, index


def distinct_labels(target, name):
    """The labels of a target, sorted: numbers or text."""
    if target.dtype.kind in "biuf":
        labels = np.unique(target).tolist()
    else:
        # A list of times with nanoseconds would hold integers.
        is_time, target = target.dtype.kind in "mM", target.ravel()
        try:
            labels = list(dict.fromkeys(target if is_time else target.tolist()))
        except (TypeError, ValueError) as error:  # NumPy's for a time span without a unit
            raise TypeError(f"`{name}` must hold labels. Got {error}.") from error
    if any(map(arrays.is_missing, labels)):
        raise ValueError(
            f"`{name}` has missing labels (None or NaN). Drop those samples first."
        )
    if all(map(is_number, labels)):
        # NaN, the remainder of infinity, counts as a fraction, too.
        fraction = next((label for label in labels if label % 1), None)
        if fraction is not None:
            raise ValueError(
                f"`{name}` must hold class labels. Got continuous values, e.g. {fraction}."
            )
    elif not all(isinstance(label, str) for label in labels):
        raise TypeError(
            f"`{name}` must hold labels of one kind: booleans, integers or strings. Got "
            f"{listed(labels)}."
        )
    return sorted(labels)
