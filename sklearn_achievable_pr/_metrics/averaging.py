"""Averages of a metric over labels, as `average` of scikit-learn's ranking metrics."""

from functools import partial

import numpy as np

from .._input import options
from .._input.labels import BinaryData, MultilabelData, drop_zero_weight


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
        return options.value_or_warn(lambda: metric(target), replacement, what)
    if average == "micro":
        weight = target.weight
        if weight is not None:
            weight = np.repeat(weight, target.positive.shape[1])
        data = drop_zero_weight(target.positive.ravel(), target.score.ravel(), weight)
        return options.value_or_warn(
            lambda: metric(data), replacement, f"micro-averaged {what}"
        )
    if average == "samples":
        return _mean_of_samples(metric, target, replacement, what)

    importance = None
    if average == "weighted":
        weight = target.weight
        positive = target.positive
        importance = positive.sum(axis=0) if weight is None else weight @ positive
        if not importance.any():
            # No label has a positive: the value is as undefined as that of label 0.
            importance[0] = 1
    values = np.zeros(target.positive.shape[1])
    for i, data in enumerate(columns_of(target)):
        if importance is None or importance[i] > 0:
            values[i] = options.value_or_warn(
                partial(metric, data), replacement, f"{what} of label {i}"
            )
    return values if average is None else float(np.average(values, weights=importance))


def _mean_of_samples(metric, target, replacement, what):
    """Mean of the metric over samples; one warning for all samples that lack a class."""
    values, undefined = np.zeros(len(target.positive)), []
    for i, (positive, score) in enumerate(zip(target.positive, target.score, strict=True)):
        if target.weight is not None and target.weight[i] == 0:
            continue
        try:
            values[i] = metric(BinaryData(positive, score, None))
        except options.MissingClassError as missing:
            values[i] = replacement
            undefined.append(f"No {missing} samples in `y_true`: {what} of sample {i}")
    if undefined:
        n_more = len(undefined) - 1
        others = f", and of {n_more} more of the {len(values)} samples" if n_more else ""
        options.warn_undefined(f"{undefined[0]}{others} is undefined.")
    return float(np.average(values, weights=target.weight))


def columns_of(target):
    """An iterator over the binary data of each label, in contiguous arrays."""
    columns = (np.asfortranarray(array).T for array in (target.positive, target.score))
    for positive, score in zip(*columns, strict=True):
        yield drop_zero_weight(positive, score, target.weight)
