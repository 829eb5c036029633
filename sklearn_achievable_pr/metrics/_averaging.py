"""Averages of a metric over labels, as `average` of scikit-learn's ranking metrics."""

import numpy as np

from .._input import options
from .._input.labels import BinaryData, MultilabelData, drop_zero_weight
from .._input.undefined import MissingClassError, value_or_warn, warn_undefined
from .._roc.curve import ROCCurve


def averaged(metric, target, average, replace_undefined_by, what):
    """A metric of binary data, or its average over the labels of multilabel data.

    Parameters
    ----------
    metric : callable
        ``metric(target)`` is the metric of binary data, or of their ROC curve; raises
        `MissingClassError` where the metric is undefined.
    target : BinaryData, ROCCurve or MultilabelData
    average : {"macro", "weighted", "micro", "samples", None}
    replace_undefined_by : float
        Replaces each undefined value before averaging.
    what : str
        The name of the metric, for the warning.

    Returns
    -------
    float, or ndarray of shape (n_labels,) for multilabel data with `average=None`
    """
    options.check_option(average, "average", options.AVERAGES)
    replacement = options.check_number(replace_undefined_by, "replace_undefined_by")
    if not isinstance(target, MultilabelData):
        source = "the counts" if isinstance(target, ROCCurve) else "`y_true`"
        return value_or_warn(lambda: metric(target), replacement, what, source)
    if average == "micro":
        data = _entries_of(target)
        return averaged(metric, data, None, replacement, f"micro-averaged {what}")

    unit, problems, importance = "label", columns_of(target), None
    if average == "samples":
        unit, importance = "sample", target.weight
        problems = map(BinaryData, target.positive, target.score)
    elif average == "weighted":
        importance = target.n_positive()
        if not importance.any():
            # No label has a positive, so the average is undefined. The weight of label 0
            # makes the average report the undefined value of that label.
            importance[0] = 1
    values, undefined = [], []
    for i, data in enumerate(problems):
        value = 0.0
        if importance is None or importance[i] > 0:
            try:
                value = metric(data)
            except MissingClassError as missing:
                value = replacement
                of_unit = f"{what} of {unit} {i} is undefined."
                undefined.append(f"No {missing} samples in `y_true`: {of_unit}")
        values.append(value)
    if undefined:
        others = f" Of {len(values)} {unit}s {len(undefined)} lack a class."
        warn_undefined(undefined[0] + others * (len(undefined) > 1))
    if average is None:
        return np.array(values)
    mean = np.average(values, weights=importance)
    # The mean of three values of 0.1 is rounded to more than 0.1.
    return float(np.clip(mean, min(values), max(values)))


def _entries_of(target):
    """All entries of multilabel data as one binary problem."""
    weight, n_labels = target.weight, target.positive.shape[1]
    if weight is not None:
        weight = np.repeat(weight, n_labels)
    return drop_zero_weight(target.positive.ravel(), target.score.ravel(), weight)


def columns_of(target):
    """An iterator over the binary data of each label, in contiguous arrays."""
    columns = (np.asfortranarray(array).T for array in (target.positive, target.score))
    for positive, score in zip(*columns, strict=True):
        yield drop_zero_weight(positive, score, target.weight)
