"""Points of curves: whole curves, or at a recall, a precision, an FPR or k."""

import numpy as np

from .._input.undefined import require_classes, value_or_warn
from .._roc.counting import every_threshold
from .._roc.curve import EQUAL_WITHIN, fps_at, interpolated, precision_of


def curve_of(roc, spacing=None, between=interpolated):
    """Precision, recall and thresholds of the curve, by decreasing recall.

    Parameters
    ----------
    roc : ROCCurve
    spacing : float or None
        Spacing of interpolated points on a segment; None returns the points of `roc` only.
    between : callable
        `interpolated`, with `spacing` in true positives, or `interpolated_evenly`, with
        `spacing` in recall and precision.

    Returns
    -------
    precision, recall : ndarray of float64, shape (n_points,)
    thresholds : ndarray, shape (n_points - 1,)
        NaN at interpolated points.
    """
    points = roc.concatenated()
    fps, tps = points.fps, points.tps
    thresholds = roc.thresholds(points)
    if spacing is not None:
        fps, tps, index = between(fps, tps, spacing)
        # Integer thresholds become floats, which can be NaN.
        thresholds = (thresholds * 1.0).take(index[1:] - 1, mode="clip")
        thresholds[index[1:] < 0] = np.nan
    precision, recall = precision_of(fps, tps), tps / tps[-1]
    return precision[::-1].copy(), recall[::-1].copy(), thresholds[::-1].copy()


def curve_or_nan(columns_of, roc, prevalence, what="the curve"):
    """``columns_of(roc)`` at a reference prevalence; NaN, with a warning, if undefined.

    Parameters
    ----------
    columns_of : callable
        `curve_of`, or another function with its results.
    roc : ROCCurve
    prevalence : float or None
    what : str
        The name of the curve, for the warning.

    Returns
    -------
    precision, recall, thresholds : ndarray
        An undefined curve keeps its thresholds.
    """

    def undefined():
        thresholds = roc.thresholds(roc.concatenated())[::-1].copy()
        return *np.full((2, len(thresholds) + 1), np.nan), thresholds

    def defined():
        return columns_of(roc.at_prevalence(prevalence))

    source = "the counts" if roc.scores_above is None else "`y_true`"
    return value_or_warn(defined, undefined, what, source)


def precision_at(roc, recall, at_least=False):
    """Precision at given recalls; where the curve falls vertically, the highest one.

    Parameters
    ----------
    roc : ROCCurve
    recall : ndarray of float64
    at_least : bool, default=False
        If True, the maximum over recalls greater than or equal to `recall`. On each segment
        the maximum is at one of its ends.

    Returns
    -------
    ndarray of float64
    """
    points = roc.concatenated()
    fps, tps = points.fps, points.tps
    precision_of_points = precision_of(fps, tps)
    # A recall that differs from the recall of a point only by rounding is treated as equal,
    # because the next segment may start at a much lower precision.
    at = np.ravel(recall) * tps[-1]
    end = np.searchsorted(tps, at * (1 - EQUAL_WITHIN))
    segment = np.maximum(end, 1) - 1
    at = np.minimum(at, tps[segment + 1])
    # On a first segment from (0, 0) precision is constant, down to recall 0.
    inside = segment > 0
    t = at[inside]
    precisions = np.full(len(at), precision_of_points[0])
    precisions[inside] = t / (t + fps_at(fps, tps, segment[inside], t))
    if at_least:
        highest_from = np.maximum.accumulate(precision_of_points[::-1])[::-1]
        precisions = np.maximum(precisions, highest_from[end])
    return precisions.reshape(np.shape(recall))


def recall_reaching(roc, precision):
    """Largest recall at which the curve has at least each precision; 0 if there is none.

    Parameters
    ----------
    roc : ROCCurve
    precision : ndarray of float64

    Returns
    -------
    ndarray of float64
    """
    points = roc.concatenated()
    fps, tps = points.fps, points.tps
    # Weights and prevalences are rounded: a precision that is too low by rounding only is
    # treated as reached.
    reached = precision_of(fps, tps) * (1 + EQUAL_WITHIN)
    reached[0] = np.inf  # recall 0 is returned if no other point reaches it
    # From the last point backwards, the running maximum first reaches a precision at the
    # last point of the curve that has it.
    n_beyond = np.searchsorted(np.maximum.accumulate(reached[::-1]), precision)
    last = len(tps) - 1 - n_beyond
    after = np.minimum(last + 1, len(tps) - 1)
    # The inverse of the interpolation: t (1 - precision) = precision f(t), with f linear
    # in t. Left side minus right side decreases from >= 0 to < 0.
    start, stop = (
        (1 - precision) * tps[end] - precision * fps[end] for end in (last, after)
    )
    start = np.maximum(start, 0)
    along = np.divide(start, start - stop, out=np.zeros(last.shape), where=after > last)
    return (tps[last] + (tps[after] - tps[last]) * along) / tps[-1]


def recall_at_fpr(roc, fpr):
    """Recall at given false positive rates; where the ROC curve is vertical, the highest.

    Parameters
    ----------
    roc : ROCCurve
    fpr : ndarray of float64

    Returns
    -------
    ndarray of float64
    """
    require_classes(roc.n_pos, roc.n_neg, negatives=True)
    points = roc.concatenated()
    fps, tps = points.fps, points.tps
    at = np.ravel(fpr) * float(roc.n_neg)
    # A rate that differs from the rate of a point only by rounding is treated as equal,
    # because the curve may be vertical there.
    last = np.searchsorted(fps, at * (1 + EQUAL_WITHIN), "right") - 1
    reached = tps[last].astype(np.float64)
    inside = last < len(fps) - 1
    start = last[inside]
    # With the counts swapped, `fps_at` interpolates true positives at false positives.
    reached[inside] = fps_at(tps, fps, start, np.maximum(at[inside], fps[start]))
    return np.minimum(reached / float(roc.n_pos), 1.0).reshape(np.shape(fpr))


def counts_at_k(roc, k):
    """Counts of the k samples with the highest scores.

    Parameters
    ----------
    roc : ROCCurve
    k : ndarray
        As returned by `check_k`.

    Returns
    -------
    tps, n_predicted : ndarray of float64
        Expected true positives, and k as a number (weight) of samples.
    end : ndarray of int64
        Index of the first point of the ROC curve with at least `n_predicted` samples.
    """
    points = roc.concatenated()
    fps, tps = points.fps, points.tps
    predicted = fps + tps
    total = float(predicted[-1])
    n_predicted = n_predicted_at(k, total)
    end = np.clip(np.searchsorted(predicted, n_predicted), 1, len(predicted) - 1)
    # With these arguments, `fps_at` interpolates true positives at t + f predicted
    # positives.
    return fps_at(tps, predicted, end - 1, n_predicted), n_predicted, end


def n_predicted_at(k, total, name="k"):
    """`k`, as returned by `check_k`, as a number (weight) of samples, at most `total`.

    Raises `ValueError`, about the argument `name`, if it is more.
    """
    n_predicted = k * total if k.dtype.kind == "f" else k.astype(np.float64)
    # A total of weights is rounded: ten weights of 0.1 may add up to less than 1.
    if n_predicted.max(initial=0) > total * (1 + 1e-12):
        raise ValueError(
            f"`{name}` must not exceed the number of samples (total weight), {total:.10g}. "
            f"Got {k.max()}; pass a smaller number, or a share such as 0.1."
        )
    return np.minimum(n_predicted, total)


def precision_at_k(roc, k):
    """Precision of the k samples with the highest scores, for an array `k`."""
    tps, n_predicted, _ = counts_at_k(roc, k)
    return np.clip(tps / n_predicted, 0, 1)


def recall_at_k(roc, k):
    """Recall of the k samples with the highest scores, for an array `k`."""
    tps, _, _ = counts_at_k(roc, k)
    return np.clip(tps / float(roc.n_pos), 0, 1)


def f1_above_chance(data):
    """The F1 score of Boyd et al. (2012), section 4.4: 0 if precision <= prevalence.

    `data` are `BinaryData` with predicted labels in place of scores.
    """
    # After the origin comes the point of the samples that are predicted positive.
    points = every_threshold(data).concatenated()
    fps, tps = points.fps, points.tps
    fp, tp, n_neg, n_pos = map(float, (fps[1], tps[1], fps[-1], tps[-1]))
    require_classes(n_pos, n_neg, negatives=True)
    # Precision exceeds prevalence where tp / (tp + fp) > P / (P + N): tp N > fp P.
    above_chance = tp * n_neg - fp * n_pos
    if above_chance <= 0:
        return 0.0
    recall, normalized = tp / n_pos, above_chance / ((tp + fp) * n_neg)
    return float(2 * recall * normalized / (recall + normalized))
