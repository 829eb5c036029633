"""The precision-recall-gain curve of a ROC curve in counts (Flach and Kull 2015).

A straight segment of the ROC curve is a straight segment of the precision-recall-gain
curve, so the exact area is a sum of trapezoids.
"""

import math
from fractions import Fraction

import numpy as np

from .._input.undefined import require_classes
from .._roc.curve import fps_at

# Relative rounding of the recall at which the recall gain is 0.
_ROUNDING = 4 * np.finfo(np.float64).eps


def _scaled(roc):
    """P / N at the reference prevalence, and the ROC curve before reweighting.

    Gains depend on t/P, f/N and P/N only. Fractional counts are scaled to a total near 1,
    so that they are not subnormal. Raises `MissingClassError` if a class is missing.
    """
    require_classes(roc.n_pos, roc.n_neg, negatives=True)
    weighted_n_neg = Fraction(float(roc.n_neg)) * Fraction(roc.negative_weight)
    odds = Fraction(float(roc.n_pos)) / weighted_n_neg
    if isinstance(roc.n_pos, float):
        exponent = -math.frexp(roc.n_pos)[1]
        roc = roc._replace(
            parts=[p._replace(tps=np.ldexp(p.tps, exponent)) for p in roc.parts],
            n_pos=math.ldexp(roc.n_pos, exponent),
        )
    return odds, roc._replace(negative_weight=1.0)


def _precision_gain(roc, fps, tps):
    """Precision gain 1 - P f / (N t); its numerator is exact for integer counts."""
    n_pos, n_neg = float(roc.n_pos), float(roc.n_neg)
    return (tps * n_neg - fps * n_pos) / (tps * n_neg)


def gain_curve(roc):
    """Precision gains, recall gains and thresholds of a ROC curve, by decreasing recall.

    Raises `MissingClassError` if a class is missing.

    Returns
    -------
    precision_gain, recall_gain, thresholds : ndarray
    """
    odds, roc = _scaled(roc)
    fps, tps, _ = points = roc.concatenated()
    n_pos = float(roc.n_pos)
    # The recall gain is 0 where the recall is the prevalence.
    crossing = float(odds / (1 + odds) * Fraction(n_pos))
    first = int(np.searchsorted(tps, crossing * (1 - _ROUNDING)))
    t = np.concatenate(([crossing], tps[first:]))
    start = fps[first] if tps[first] <= crossing else fps_at(fps, tps, first - 1, crossing)
    f = np.concatenate(([start], fps[first:]))
    recall_gain = np.maximum(1 - float(odds) * (n_pos - t) / t, 0)
    recall_gain[0] = 0
    thresholds = roc.thresholds(points.take(slice(first - 1, None)))
    columns = _precision_gain(roc, f, t), recall_gain, thresholds
    return tuple(column[::-1].copy() for column in columns)


def gain_area(roc, low=0.0, high=1.0):
    """Integral of the precision gain over all recall gains, from 0 to 1.

    `low` and `high` are ignored. Raises `MissingClassError` if a class is missing.
    """
    odds, roc = _scaled(roc)
    n_pos, n_neg = float(roc.n_pos), float(roc.n_neg)
    area = complement = 0.0
    # The exact prevalence: near 1 the recall gain is sensitive to its last digit.
    for f0, t0, delta_f, delta_t in roc.segments(odds / (1 + odds), 1.0):
        f1, t1 = f0 + delta_f, t0 + delta_t
        half_width = (n_pos / t0) * (delta_t / t1) * float(odds) / 2
        both = _precision_gain(roc, f0, t0) + _precision_gain(roc, f1, t1)
        area += float(np.dot(half_width, both))
        complement += float(np.dot(half_width, (f0 / n_neg / t0 + f1 / n_neg / t1) * n_pos))
    return 1 - complement if complement < 0.5 else area  # avoid cancellation
