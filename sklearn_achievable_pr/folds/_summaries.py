"""The summary curve of folds: the mean precision at each recall."""

import math

import numpy as np

from .._roc.curve import PLOT_TOLERANCE, fps_at, interpolated_evenly, precision_of

# In points that are added for drawing, recalls that differ by at most this are equal.
_SAME_RECALL = 2.0**-40


def curve_of_folds(folds, interpolate=True):
    """Precision and recall of the summary curve, by decreasing recall."""
    rates = []
    for roc in folds.rocs:  # counts are divided by the number of positives
        points = roc.concatenated()
        fps, tps = points.fps, points.tps
        rates.append((fps / float(roc.n_pos), tps / float(roc.n_pos)))
    recall = _recalls_of(rates, interpolate)
    # The two limits are means of the precisions at the first and at the last point with
    # each recall.
    limits = np.zeros((2, len(recall)))
    for weight, (fps, tps) in zip(folds.weight, rates, strict=True):
        limits += weight * _precision_around(fps, tps, recall)
    # If all folds have precision 1, rounding of the weights can give more than 1.
    precision, recall = _points_of_limits(recall, *np.minimum(limits, 1))
    return precision[::-1].copy(), recall[::-1].copy()


def area_of_folds(folds, metric):
    """AUC-PR or AUCNPR of the summary curve; `metric` is a `MetricWithOptions`."""
    return math.fsum(np.multiply(folds.weight, [*map(metric.value, folds.rocs)]))


def _recalls_of(rates, interpolate):
    """The recalls of all breakpoints and, with `interpolate`, of interpolated points."""
    at_breakpoints = np.unique(np.concatenate([tps for _, tps in rates]))
    if not interpolate:
        return at_breakpoints
    dense = [interpolated_evenly(fps, tps, PLOT_TOLERANCE) for fps, tps in rates]
    between = np.concatenate([tps[index < 0] for _, tps, index in dense])
    # Recalls of several ROC curves are often the same up to rounding.
    between = np.rint(between / _SAME_RECALL) * _SAME_RECALL
    # `n_near` counts the breakpoints within the tolerance below or above.
    n_near = np.searchsorted(at_breakpoints, between + _SAME_RECALL, "right")
    n_near -= np.searchsorted(at_breakpoints, between - _SAME_RECALL, "left")
    return np.union1d(at_breakpoints, between[n_near == 0])


def _fps_around(fps, tps, recall):
    """False positives at the first and last point of a ROC curve with each recall.

    The recalls of all points of the ROC curve are among `recall`.
    """
    n_points = np.bincount(np.searchsorted(recall, tps), minlength=len(recall))
    last = np.cumsum(n_points) - 1
    before, after = fps[last + 1 - n_points], fps[last]
    between = np.flatnonzero(n_points == 0)
    before[between] = fps_at(fps, tps, last[between], recall[between])
    after[between] = before[between]
    return before, after


def _precision_around(fps, tps, recall):
    """Precision at the first and last point of a curve with each recall."""
    f = np.array(_fps_around(fps, tps, recall))
    precision = np.full(f.shape, precision_of(fps, tps)[0])
    return np.divide(recall, recall + f, out=precision, where=recall > 0)


def _points_of_limits(recall, before, after):
    """The two limits at each recall as consecutive points; one point if they are equal."""
    kept = np.column_stack((np.ones(len(recall), dtype=bool), before != after)).ravel()
    limits = np.column_stack((before, after)).ravel()
    return limits[kept], np.repeat(recall, 2)[kept]
