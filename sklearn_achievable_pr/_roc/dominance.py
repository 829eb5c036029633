"""Comparison of two ROC curves in counts: whether one lies nowhere below the other."""

import math

import numpy as np

from .._input.undefined import require_classes
from .hull import COUNT_ROUNDING, EXACT_PRODUCT, integers_if_possible


def is_nowhere_below(a, b):
    """Whether ROC curve a has at least the true positives of b along the whole curve.

    The curves are compared at equal numbers of samples predicted positive, where more true
    positives are fewer false positives.

    Parameters
    ----------
    a, b : Points
        All points of the ROC curves of two scores of the same samples. Without positives
        `MissingClassError` is raised.
    """
    require_classes(a.tps[-1], a.fps[-1], negatives=False)
    counts = [integers_if_possible(points.fps, points.tps) for points in (a, b)]
    exact = all(count.exact for count in counts)
    if exact:
        curves = [(count.fps + count.tps, count.tps) for count in counts]
    else:  # rates make the allowance for rounding relative to both totals
        rates = [(c.fps / (c.fps[-1] or 1), c.tps / c.tps[-1]) for c in (a, b)]
        curves = [(fpr + tpr, tpr) for fpr, tpr in rates]
    # The two ROC curves sum fractional weights in different orders: allow for rounding.
    slack = 0 if exact else 2 * COUNT_ROUNDING
    largest_steps = [int(np.diff(n).max()) for n, _ in curves]
    if exact and math.prod(largest_steps, start=int(a.tps[-1])) >= EXACT_PRODUCT:
        curves = [(n.astype(object), tps.astype(object)) for n, tps in curves]
    # Both curves are linear between their points, so it is enough to compare them at all
    # points of either.
    at = np.concatenate([n for n, _ in curves])
    (t_a, den_a), (t_b, den_b) = (_tps_fraction(*curve, at) for curve in curves)
    return bool(np.all(t_a * den_b >= t_b * den_a - slack * den_a * den_b))


def _tps_fraction(n, tps, at):
    """True positives of a curve at `at` samples, as numerators and denominators.

    Unlike `fps_at`, which divides, these products of integer counts are exact.
    """
    start = np.clip(np.searchsorted(n, at, "right") - 1, 0, len(n) - 2)
    step = n[start + 1] - n[start]
    return tps[start] * step + (tps[start + 1] - tps[start]) * (at - n[start]), step
