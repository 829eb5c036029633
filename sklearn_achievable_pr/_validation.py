"""What came in: labels to booleans, scores and weights to checked arrays.

The only room that knows label formats. It also holds the one policy for a missing
class: an undefined value is announced by `UndefinedMetricWarning` and replaced.
"""

import inspect
import math
import numbers
import warnings
from typing import NamedTuple

import numpy as np
from scipy.sparse import issparse
from sklearn.exceptions import UndefinedMetricWarning

Label = int | float | bool | str

AVERAGES = ("macro", "weighted", "micro", "samples", None)
CURVES = ("empirical", "achievable")


class Problem(NamedTuple):
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


class LabelTable(NamedTuple):
    """Several binary problems, one a column: a multilabel or multiclass target."""

    positive: np.ndarray  # bool, shape (n_rows, n_labels)
    score: np.ndarray  # shape (n_rows, n_labels)
    weight: np.ndarray | None  # shape (n_rows,), may hold zeros


# Targets and scores


def check_binary(y_true, y_score, pos_label, sample_weight, score_name="y_score"):
    """Labels and scores of a binary problem.

    Returns
    -------
    Problem
    """
    return _binary(
        _as_array(y_true, "y_true"),
        _as_array(y_score, score_name),
        pos_label,
        sample_weight,
        score_name,
    )


def _binary(target, score, pos_label, sample_weight, score_name="y_score"):
    target = _ravelled(target, "y_true")
    score = _check_score(_ravelled(score, score_name), score_name)
    _check_same_length("y_true", target, score_name, score)
    weight = check_weight(sample_weight, len(target))
    return without_weightless(positives(target, pos_label), score, weight)


def check_binary_or_labels(y_true, y_score, pos_label, sample_weight):
    """Labels and scores of a binary, multilabel or multiclass problem.

    Returns
    -------
    Problem or LabelTable
    """
    target, score = _as_array(y_true, "y_true"), _as_array(y_score, "y_score")
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
    score = _check_score(score, "y_score")
    _check_same_length("y_true", target, "y_score", score)
    weight = check_weight(sample_weight, len(target))
    positive = (
        _table_positives(target)
        if target_is_table
        else _one_vs_rest(_ravelled(target, "y_true"), score)
    )
    if positive.shape != score.shape:
        raise ValueError(
            f"`y_score` must have the shape of `y_true`, {positive.shape}: one column "
            f"a label. Got {score.shape}."
        )
    return LabelTable(positive, score, weight)


def check_predictions(y_true, y_pred, pos_label, sample_weight):
    """Labels and predicted labels of a binary problem.

    Returns
    -------
    truth, predicted : ndarray of bool
    weight : ndarray of float64 or None
    """
    target, predicted = _as_column(y_true, "y_true"), _as_column(y_pred, "y_pred")
    _check_same_length("y_true", target, "y_pred", predicted)
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
    return without_weightless(_equals(target, label), _equals(predicted, label), weight)


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


def without_weightless(positive, score, weight):
    """A row of weight 0 is no row."""
    if weight is not None and weight.min() == 0:
        present = weight > 0
        return Problem(positive[present], score[present], weight[present])
    return Problem(positive, score, weight)


def _as_array(values, name):
    if issparse(values):
        raise TypeError(
            f"`{name}` must be a dense array, got a sparse one. Pass `{name}.toarray()`."
        )
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(
            f"`{name}` has masked entries. Drop those rows first (`{name}.compressed()`)."
        )
    try:
        array = np.asarray(values)
    except ValueError as error:  # numpy's word for rows of unequal lengths
        raise ValueError(f"`{name}` cannot be made an array: {error}") from error
    if array.ndim not in (1, 2):
        raise ValueError(
            f"`{name}` must be a one-dimensional array, or a table with one column a "
            f"label. Got an array of shape {array.shape}."
        )
    if array.size == 0:
        raise ValueError(f"`{name}` is empty (shape {array.shape}): needs a row at least.")
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return array


def _as_column(values, name):
    return _ravelled(_as_array(values, name), name)


def _ravelled(array, name):
    if array.ndim == 1:
        return array
    if array.shape[1] > 1:
        raise ValueError(
            f"`{name}` must be one-dimensional for a binary problem. Got shape "
            f"{array.shape}; pass one column, e.g. `{name}[:, 1]`."
        )
    return array.ravel()


def _check_same_length(name, array, other_name, other):
    if len(array) != len(other):
        raise ValueError(
            f"`{name}` and `{other_name}` must have the same length. Got {len(array)} "
            f"and {len(other)}."
        )


def as_numbers(array, name):
    """Object arrays to float64; text, complex and dates refused."""
    if array.dtype.kind == "O":
        if any(isinstance(value, str | bytes | complex) for value in array.ravel()):
            raise TypeError(
                f"`{name}` must hold real numbers. Got text or complex numbers."
            )
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError) as error:
            missing = any(_is_missing(value) for value in array.ravel())
            kind = ValueError if missing else TypeError
            what = "missing values" if missing else str(error)
            raise kind(f"`{name}` must hold real numbers. Got {what}.") from error
    if array.dtype.kind not in "fiub":
        raise TypeError(f"`{name}` must hold real numbers. Got dtype {array.dtype}.")
    return array


def check_finite(array, name):
    """Refuse NaN and infinities."""
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        bad = np.flatnonzero(~np.isfinite(array))
        raise ValueError(
            f"`{name}` must be finite. {len(bad)} of {array.size} values are NaN or "
            f"infinite, the first at position {bad[0]}: {array.ravel()[bad[0]]}."
        )


def _check_score(score, name):
    score = as_numbers(score, name)
    check_finite(score, name)
    return score


def check_weight(sample_weight, n_rows):
    """Weights as float64, of moderate size, one of them positive; None stays None."""
    if sample_weight is None:
        return None
    weight = as_numbers(_as_column(sample_weight, "sample_weight"), "sample_weight")
    weight = weight.astype(np.float64, copy=False)
    if len(weight) != n_rows:
        raise ValueError(
            f"`sample_weight` must have one weight a row, {n_rows}. Got {len(weight)}."
        )
    check_finite(weight, "sample_weight")
    if weight.min() < 0:
        raise ValueError(
            f"`sample_weight` must not be negative. Got {weight.min()} at position "
            f"{weight.argmin()}. A weight of 0 leaves a row out."
        )
    if weight.max() == 0:
        raise ValueError("`sample_weight` must not be zero everywhere: no sample is left.")
    return _moderate(weight, weight.max())


def _moderate(counts, largest):
    """Counts times a power of two that brings `largest` to between 2**-300 and 2**300.

    Only ratios of counts matter, and of moderate ones products can be formed.
    """
    exponent = math.frexp(largest)[1]
    excess = exponent - max(-300, min(300, exponent))
    return np.ldexp(counts, -excess) if excess else counts


# Labels


def _is_missing(value):
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas.NA refuses to be a truth value
        return True


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
    if any(_is_missing(label) for label in labels):
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


# Options


def check_option(value, name, allowed):
    """Refuse what is not one of the allowed values."""
    if not (value is None or isinstance(value, str)) or value not in allowed:
        choices = ", ".join(repr(choice) for choice in allowed)
        raise ValueError(f"`{name}` must be one of {choices}. Got {value!r}.")


def check_number(value, name):
    """Refuse what is not one real number; NaN passes."""
    if not isinstance(value, numbers.Real | np.bool_):
        raise TypeError(f"`{name}` must be a real number. Got {value!r}.")
    return float(value)


def check_recall_range(recall_range):
    """Two recalls a < b within [0, 1] as floats."""
    try:
        low, high = (check_number(recall, "recall_range") for recall in recall_range)
    except (TypeError, ValueError) as error:
        raise ValueError(
            "`recall_range` must be a pair (a, b) of recalls with 0 <= a < b <= 1. Got "
            f"{recall_range!r}."
        ) from error
    if not 0 <= low < high <= 1:
        raise ValueError(
            "`recall_range` must be a pair (a, b) of recalls with 0 <= a < b <= 1. Got "
            f"({low}, {high})."
        )
    return low, high


def check_prevalence(prevalence):
    """The fraction of positives, one number inside (0, 1); None stays None."""
    if prevalence is None:
        return None
    prevalence = check_number(prevalence, "prevalence")
    if not 0 < prevalence < 1:
        raise ValueError(
            "`prevalence` must be the fraction of positives, inside (0, 1). Got "
            f"{prevalence}."
        )
    return prevalence


def check_fractions(values, name, *, open_ended=False):
    """An array of numbers in [0, 1], or in (0, 1) if `open_ended`, as float64."""
    array = np.asarray(values)
    array = as_numbers(array, name).astype(np.float64)
    inside = (array > 0) & (array < 1) if open_ended else (array >= 0) & (array <= 1)
    if not inside.all():
        interval = "inside (0, 1)" if open_ended else "within [0, 1]"
        raise ValueError(f"`{name}` must lie {interval}. Got {array[~inside].flat[0]}.")
    return array


def check_totals(values, name):
    """Finite numbers, not negative, as float64."""
    array = as_numbers(np.asarray(values), name).astype(np.float64)
    inside = np.isfinite(array) & (array >= 0)
    if not inside.all():
        raise ValueError(
            f"`{name}` must be finite and not negative. Got {array[~inside].flat[0]}."
        )
    return array


def check_counts(tps, fps, n_pos, n_neg):
    """Counts of a path from (0, 0) to (n_neg, n_pos), its repeated points dropped.

    Returns
    -------
    fps, tps : ndarray of int64 or float64
        Points in rising order, the first (0, 0) and the last the totals.
    """
    tps, fps = _check_count_column(tps, "tps"), _check_count_column(fps, "fps")
    _check_same_length("tps", tps, "fps", fps)
    tps, fps = (
        _with_ends(tps, n_pos, "tps", "n_pos"),
        _with_ends(fps, n_neg, "fps", "n_neg"),
    )
    distinct = np.concatenate(([True], (np.diff(tps) > 0) | (np.diff(fps) > 0)))
    fps, tps = fps[distinct], tps[distinct]
    largest = max(fps[-1], tps[-1])
    return (
        (fps, tps)
        if fps.dtype == tps.dtype == np.int64
        else (_moderate(fps, largest), _moderate(tps, largest))
    )


def _check_count_column(counts, name):
    counts = as_numbers(_as_column(counts, name), name)
    check_finite(counts, name)
    if counts.min() < 0:
        raise ValueError(f"`{name}` must not be negative. Got {counts.min()}.")
    if counts.dtype.kind == "f":
        counts = counts.astype(np.float64)
    else:
        if int(counts.max()) >= 2**63:
            raise ValueError(f"`{name}` must be below 2**63. Got {counts.max()}.")
        counts = counts.astype(np.int64)
    falls = np.flatnonzero(counts[1:] < counts[:-1])
    if len(falls):
        at = falls[0] + 1
        raise ValueError(
            f"`{name}` must not fall: they count from the highest threshold down. Got "
            f"{counts[at - 1]} before {counts[at]} at position {at}."
        )
    return counts


def _with_ends(counts, total, name, total_name):
    if total is None:
        total = counts[-1]
    else:
        if not isinstance(total, numbers.Real):
            raise TypeError(f"`{total_name}` must be a number. Got {total!r}.")
        if not (math.isfinite(total) and total >= 0):
            raise ValueError(
                f"`{total_name}` must be finite and not negative. Got {total}."
            )
        if counts[-1] > total:
            raise ValueError(
                f"`{name}` must not exceed `{total_name}`={total}. Got {counts[-1]}."
            )
    return np.concatenate(([0], counts, [total]))


# The missing class


class MissingClassError(Exception):
    """A value is undefined for want of a class; caught where the value is asked for."""


def require_classes(n_pos, n_neg, *, negatives):
    """Raise `MissingClassError` without positives, or negatives where they matter."""
    if n_pos == 0:
        raise MissingClassError("positive")
    if negatives and n_neg == 0:
        raise MissingClassError("negative")


def or_undefined(value, replacement, what):
    """`value()`, or `replacement` and a warning where a class is missing for it."""
    try:
        return value()
    except MissingClassError as missing:
        warnings.warn(
            f"No {missing} samples in `y_true`: {what} is undefined.",
            UndefinedMetricWarning,
            stacklevel=_levels_to_caller(),
        )
        return replacement


def _levels_to_caller():
    """How many frames up the first one outside this package is."""
    package = __name__.partition(".")[0]
    frame, levels = inspect.currentframe().f_back, 1
    while frame.f_back and frame.f_globals.get("__name__", "").startswith(package):
        frame, levels = frame.f_back, levels + 1
    return levels
