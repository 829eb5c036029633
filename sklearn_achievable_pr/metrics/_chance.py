"""Chance level: the mean of a metric if scores are as they are and labels are random.

Every choice of P of the n samples as positives is equally likely. A tie of m samples has
T positives and F negatives; the n0 samples above it have t0 positives and f0 negatives.
Their products have the means

    E[T t0] = m n0 P (P - 1) / (n (n - 1)),   E[T f0] = m n0 P N / (n (n - 1)),
    E[T T] = m (m - 1) P (P - 1) / (n (n - 1)) + m P / n,
    E[T F] = m (m - 1) P N / (n (n - 1)).

The area and the average precision are linear in these products, and so are the area and the
average above them, 1 minus the metric, in the products with false positives. Each mean is a
sum of positive terms without cancellation. Lopes and Bontempi (2014) derive the mean of the
area without ties, for several interpolations.
"""

import math
from statistics import fmean

import numpy as np
from scipy.special import digamma

from .._input.options import warn_caller
from .._roc.integrals import area_above_worst, integral_over_n
from ._areas import area
from ._unachievable import average_precision_bounds, lowest_area

# From this n on, four terms of Stirling's series give full precision.
_STIRLING = 32
# Scores are reversed if the area under the ROC curve is below 1/2 by this many standard
# errors. Without skill, this happens in one of 2,000 data sets.
_FAR_BELOW = 3.3
REVERSED_SCORES = (
    "The scores rank negatives above positives: AUC-PR is below the chance level. Check "
    "that a higher score means the positive class: compare `pos_label`, pass `-y_score` "
    "for distances and for the decision values of an outlier detector, and compare the "
    "order of rows and columns."
)
REVERSED_COUNTS = (
    "The counts rank negatives above positives: AUC-PR is below the chance level. Cumulate "
    "them from the highest score down, and pass `tps` before `fps`."
)


def is_reversed(rocs, sizes=None, factor=1.0):
    """Whether scores rank samples far worse than random scores do.

    The mean area under the ROC curves is below 1/2 by more than `_FAR_BELOW` of its
    standard errors without skill, whose square is (P + N + 1) / (12 P N) for one curve
    (Mann and Whitney 1947), and the mean AUC-PR is below the mean prevalence, which is the
    AUC-PR of a constant score. The second condition leaves out scores that are useful at
    the top and reversed below.

    Parameters
    ----------
    rocs : list of ROCCurve
        The curve, or those of all folds, with both classes and a point at every turn.
    sizes : sequence of (float, float), default=None
        N and P, the effective sizes of both classes. None means the totals of each curve.
    factor : float, default=1.0
        Ratio of the variance of the mean to that of independent curves.
    """
    sizes = [(roc.n_neg, roc.n_pos) for roc in rocs] if sizes is None else sizes
    variance = fmean((n_pos + n_neg + 1) / (12.0 * n_pos * n_neg) for n_neg, n_pos in sizes)
    far_below = _FAR_BELOW * math.sqrt(variance * factor / len(rocs))
    if fmean(map(_roc_area, rocs)) >= 0.5 - far_below:
        return False
    odds = (float(roc.n_neg) / float(roc.n_pos) * roc.negative_weight for roc in rocs)
    return fmean(map(area, rocs)) < fmean(1 / (1 + each) for each in odds)


def warn_if_reversed(roc, text, sizes=None):
    """Warn of one ROC curve in counts that is reversed; parameters as in `is_reversed`."""
    # Most scores are not; this takes little time.
    if not (roc.n_pos and roc.n_neg) or _roc_area(roc) >= 0.5:
        return
    # One sample of a class is never enough, and neither is a weight below 1. Products of
    # the sizes stay within float64.
    sizes = [min(max(1.0, float(n)), 1e100) for n in sizes or (roc.n_neg, roc.n_pos)]
    if is_reversed([roc], [sizes]):
        warn_caller(text)


def _roc_area(roc):
    """The area under the ROC curve."""
    n_neg, n_pos = float(roc.n_neg), float(roc.n_pos)
    total = 0.0
    for part in roc.parts:
        # Rates do not overflow where products of weights would.
        fpr = part.fps / n_neg
        total += float((fpr[1:] - fpr[:-1]).dot(part.tps[1:] + part.tps[:-1]))
    return total / (2 * n_pos)


def mean_area(n_pos, n_neg, sizes, above=False):
    """Mean of the area under the curve.

    Parameters
    ----------
    n_pos, n_neg : int
    sizes : ndarray of integers, or None
        Numbers of samples with each distinct score, by falling score; None without ties.
    above : bool, default=False
        Whether the mean is that of the area above the curve, 1 minus the area.

    Returns
    -------
    float
    """
    n = n_pos + n_neg
    if sizes is None:
        # The area above is N/(n - 1) (log n - log(n!)/n), log n! = n log n - n + rest.
        rest = _rest_of_stirling(n) / n
        weighted = n_neg * (1 - rest) if above else n_pos - 1 + n_neg * rest
        return weighted / (n - 1)
    m, n0, start, rise = _products(n_pos, n_neg, sizes, above)
    # Along a tie, t = t0 + u T and f = f0 + u F, with u from 0 to 1.
    return float(np.add.reduce(integral_over_n(n0, m, start, rise, rise / m) / m))


def mean_average_precision(n_pos, n_neg, sizes, above=False):
    """Mean of the average precision; parameters as those of `mean_area`."""
    n = n_pos + n_neg
    if sizes is None:
        of_rank = (digamma(n + 1) - digamma(1)) / n  # this is the mean of 1 / rank
        others = (1 - of_rank) / (n - 1)
        return float(others * n_neg if above else of_rank + others * (n_pos - 1))
    m, n0, start, rise = _products(n_pos, n_neg, sizes, above)
    return float(np.add.reduce((start + rise) / (n0 + m)))


def mean_normalized_area(n_pos, n_neg, sizes):
    """Mean of the normalized area; parameters as those of `mean_area`."""
    lowest = float(lowest_area(n_pos / (n_pos + n_neg)))
    span = area_above_worst(n_neg, 0.0, n_pos) / n_pos
    return _normalized(mean_area, (n_pos, n_neg, sizes), lowest, span)


def mean_normalized_average_precision(n_pos, n_neg, sizes):
    """Mean of the normalized average precision; parameters as those of `mean_area`."""
    bounds = average_precision_bounds(np.array([float(n_pos)]), n_neg)
    return _normalized(mean_average_precision, (n_pos, n_neg, sizes), *bounds)


def _normalized(mean_of, data, lowest, span):
    """The mean of a metric, normalized by its minimum and `span`, 1 minus the minimum."""
    mean = mean_of(*data)
    # Each of the two differences may cancel, but never both for the same mean.
    return (mean - lowest) / span if mean < 0.5 else 1 - mean_of(*data, above=True) / span


def _products(n_pos, n_neg, sizes, above):
    """Sizes m of the ties, n0, and the means of T t0 and T T, divided by P.

    With `above` T t0 and T T are replaced by T f0 and T F.
    """
    m, n = sizes.astype(np.float64), float(n_pos + n_neg)
    n0 = np.add.accumulate(m) - m
    pairs = m * ((n_neg if above else n_pos - 1) / (n * (n - 1)))
    rise = pairs * (m - 1)
    return m, n0, pairs * n0, rise if above else rise + m / n


def _rest_of_stirling(n):
    """log(n!) - n log(n) + n."""
    if n < _STIRLING:
        return math.lgamma(n + 1) - n * math.log(n) + n
    series = (1 / 12 - (1 / 360 - 1 / 1260 / n**2) / n**2) / n
    return math.log(2 * math.pi * n) / 2 + series
