"""Exact, normalized, and step-wise areas under the precision-recall curve.

All are computed from the ROC curve in counts.
"""

import math
from functools import partial
from itertools import chain

import numpy as np

from .._input.undefined import require_classes
from .._roc.integrals import area_above, area_above_worst, area_below
from ._unachievable import average_precision_bounds

# A block has this many thresholds, so that its temporary arrays stay in the cache.
_THRESHOLDS = 1 << 13
# Integrals are scaled if the weight of all positives has at most this binary exponent.
_SMALL_EXPONENT = -60


def area(roc, low=0.0, high=1.0):
    """Exact area under the precision-recall curve between two recalls.

    It is the integral of the interpolation of Davis and Goadrich (2006) between the points
    of the ROC curve, not divided by the width of the recall range.

    Parameters
    ----------
    roc : ROCCurve
        With positives: its method `at_prevalence`, which is called before, requires them.
    low, high : float
        The recall range, within [0, 1].

    Returns
    -------
    float
    """
    # The integral over recalls is that over true positives, divided by P.
    scale = _scale_of(roc)
    area_over_tps = roc.total(partial(area_below, scale=scale), low, high)
    return _within_width(area_over_tps / (float(roc.n_pos) * scale), low, high)


def _within_width(value, low, high):
    """An area, at most the width of its recall range: that of a perfect ranking.

    The ends of a range, in true positives, are rounded. So the area of a narrow range may
    be computed as larger than its width.
    """
    return min(value, high - low)


def _scale_of(roc):
    """The factor of integrals over true positives, which keeps products from underflow.

    It is 1, or about 1/P if the positives have a very small weight P. A power of two adds
    no rounding error.
    """
    exponent = math.frexp(roc.n_pos)[1]
    if exponent > _SMALL_EXPONENT:
        return 1.0
    return math.ldexp(1.0, min(-exponent, 1000))  # 1 / P may exceed float64


def normalized_area(roc, low=0.0, high=1.0):
    """Area normalized for the unachievable region, (A - Amin) / (Amax - Amin).

    Parameters are those of `area`. Raises `MissingClassError` if a class is missing.
    """
    require_classes(roc.n_pos, roc.n_neg, negatives=True)
    # With the width w, (A - Amin) / (w - Amin) = 1 - (w - A) / (w - Amin). Both differences
    # are integrals of 1 - precision, of the curve and of the worst ranking. These integrals
    # are sums of positive terms, here multiplied by P.
    n_pos, n_neg = float(roc.n_pos), float(roc.n_neg) * roc.negative_weight
    largest = area_above_worst(n_neg, low * n_pos, high * n_pos - low * n_pos)
    if largest == 0:
        raise ValueError(
            "`recall_range` must have more true positives between its ends than float64 "
            f"rounds away. Got ({low}, {high}); pass a wider range."
        )
    value = 1 - roc.total(area_above, low, high) / largest
    return min(max(value, 0.0), 1.0)  # Theorem 2 of Boyd et al. bounds it, up to rounding


def davis_goadrich_area(roc, low=0.0, high=1.0):
    """Area by trapezoids between points one true positive apart, over recalls [low, high].

    As in the program AUCCalculator, points without true positives are dropped, and the
    curve is flat from recall 0 to the first remaining point. Parameters and result are
    those of `area`. The ROC curve must have a point at every threshold.
    """
    n_pos = float(roc.n_pos)
    ends = low * n_pos, high * n_pos
    area_over_tps = math.fsum(_trapezoids(block, *ends) for block in roc.segments())
    return _within_width(area_over_tps / n_pos, low, high)


def _trapezoids(segments, low, high):
    """Sum of the trapezoids under these `Segments`, between two numbers of true positives.

    There is one trapezoid per true positive, and one for the flat segment from t = 0::

        precision   o------o.         .     at each o, one true positive after the other,
                    |      | `o.      .     precision is t / (t + f)
                    |      |    `o--o .
        t           0      t1   +1  +2
    """
    # Rounding adds no step, and a segment has at least one.
    n_steps = np.maximum(np.ceil(segments.delta_t - 1e-9), 1).astype(np.int64)
    n_steps[segments.t0 == 0] = 1
    f0, t0, delta_f, delta_t = segments
    nth = 0.0
    if np.count_nonzero(n_steps != 1):  # some positives are tied
        f0, t0, delta_f, delta_t = np.repeat(np.array(segments), n_steps, axis=1)
        nth = np.arange(len(t0)) - np.repeat(np.cumsum(n_steps) - n_steps, n_steps)
    slope = delta_f / delta_t
    is_flat = t0 == 0
    stop = np.where(is_flat, delta_t, np.minimum(nth + 1, delta_t))
    left, right = (
        (t0 + step) / (t0 + step + (f0 + slope * step))
        for step in (np.where(is_flat, stop, nth), stop)
    )
    a, b = np.clip(t0 + nth, low, high), np.clip(t0 + stop, low, high)
    middle = ((a + b) / 2 - t0 - nth) / (stop - nth)
    return float(np.sum((b - a) * (left + (right - left) * middle)))


def average_precision(roc, low=0.0, high=1.0):
    """Average precision as scikit-learn defines it, over all recalls.

    Parameters are those of `area`, but `low` and `high` are ignored. The ROC curve must
    have a point at every score of a positive.
    """
    return _average_precision_and_complement(roc)[0]


def normalized_average_precision(roc, low=0.0, high=1.0, weights=None):
    """Average precision normalized by its minimum, (AP - APmin) / (1 - APmin).

    `weights` are the weights of the positives; None means 1. Other parameters are those of
    `average_precision`. Raises `MissingClassError` if a class is missing.
    """
    require_classes(roc.n_pos, roc.n_neg, negatives=True)
    if weights is None:
        weights = np.array([float(roc.n_pos)])
    lowest, largest_gain = average_precision_bounds(weights, float(roc.n_neg))
    value, complement = _average_precision_and_complement(roc)
    # Above 1/2 the complement is used, because the difference would cancel.
    if value > 0.5:
        normalized = 1 - complement / largest_gain
    else:
        normalized = (value - lowest) / largest_gain
    return float(min(max(normalized, 0.0), 1.0))  # Theorem 3 bounds it, up to rounding


def _average_precision_and_complement(roc):
    """Average precision and 1 minus average precision, each a sum of positive terms."""
    scale = _scale_of(roc)
    sums = roc.of_parts(partial(_sums_of_steps, scale=scale))
    value, complement = (math.fsum(column) for column in zip(*chain(*sums), strict=True))
    n_pos = float(roc.n_pos) * scale
    return value / n_pos, complement / n_pos


def _sums_of_steps(part, scale):
    """Sums of T t / (t + f) and of T f / (t + f) of each block of points of a part.

    T are the positives of a threshold, here multiplied by `scale`, and t and f the true and
    false positives.
    """
    sums = []
    for start in range(0, len(part.tps) - 1, _THRESHOLDS):
        block = slice(start, start + _THRESHOLDS + 1)
        fps, tps = part.fps[block].astype(float), part.tps[block].astype(float)
        step = (tps[1:] - tps[:-1]) * scale
        fps, tps = fps[1:], tps[1:]
        step /= fps + tps
        sums.append((np.dot(step, tps), np.dot(step, fps)))
    return sums
