"""The bias of a metric with few positives, estimated from its ROC curve.

The metric is a mean over the P positives of the precision at each of them. Of the n samples
down to a positive, the positive itself counts as its share u: 1/2 for areas, which
interpolate, and 1 for average precision. Let p be the precision of the others, and r the
recall. The positive itself raises the precision by (1 - p) u / n. The others lack one
positive of P, which lowers it by (1 - p) r / n. So the value is too high by

    bias = mean over the positives of (1 - p) (u - r) / n, plus top.

`top` is the bias where no other sample is above the positive, and p is unknown. There the
precision is 1 instead of p. Of the first two samples, the first is positive and the second
negative as often as the reverse. If either is the case,

    top = (1 - 1/P) / (2 P).

Down to a positive within a tie, each sample of the tie counts as the fraction v of the tie
above it, so that u = v. The precision is then a ratio of two weighted sums, whose bias, for
a tie of T positives and F negatives below t positives and f negatives, is

    v (1 - v) (T f - F t) / n^3.
"""

import numpy as np


def bias_of(roc, metric):
    """How much a metric of independent samples without weights is too high on average.

    Parameters
    ----------
    roc : ROCCurve
        With the points that the metric needs.
    metric : {"auc_pr_interpolated", "aucnpr", "average_precision"}
    """
    points = roc.concatenated()
    fps, tps = points.fps.astype(np.float64), points.tps.astype(np.float64)
    n_pos, n_neg = float(tps[-1]), float(fps[-1])
    if metric == "average_precision":
        total, is_mixed = _of_steps(fps, tps)
    else:
        total, is_mixed = _of_segments(fps, tps)
    bias = (total + is_mixed * (1 - 1 / n_pos) / 2) / n_pos
    if metric == "aucnpr":  # divided by 1 - Amin, like the area
        bias /= n_neg / n_pos * np.log1p(n_pos / n_neg)
    return float(bias)


def _of_steps(fps, tps):
    """The sum over the positives, and whether one of the first two samples is positive."""
    n_found = np.diff(tps)
    ends = np.flatnonzero(n_found)
    total = np.sum(n_found[ends] * _excess(fps[1:][ends], tps[1:][ends], 1.0, tps[-1]))
    last_of_two = np.searchsorted(fps + tps, 2, side="right") - 1
    return total, tps[last_of_two] == 1


def _of_segments(fps, tps):
    """The sum over the positives, and whether one of the first two samples is positive."""
    n_found = np.diff(tps)
    ties = np.flatnonzero(n_found)
    # One entry for each positive. The middle positive of a tie is in the middle of it.
    tie = ties.repeat(n_found[ties].astype(np.int64))
    t, f, in_tie = tps[tie], fps[tie], n_found[tie]
    n_above = np.arange(len(tie)) - t + 0.5
    part, negatives = n_above / in_tie, fps[tie + 1] - f
    is_tie = negatives > 0  # positives alone have the same curve in any order
    tp, fp = t + n_above, f + negatives * part
    excess = _excess(fp, tp, np.where(is_tie, part, 0.5), tps[-1])
    of_ratio = part * (1 - part) * (in_tie * f - negatives * t) / (tp + fp) ** 3
    first, first_two = np.interp([1.0, 2.0], fps + tps, tps)
    return np.sum(excess + is_tie * of_ratio), first_two == 1 and first in (0, 1)


def _excess(fps, tps, own, n_pos):
    """(1 - p) (u - r) / n of positives that count as `own` of the samples down to them."""
    n = fps + tps
    share = np.divide(fps, n - own, out=np.zeros(len(fps)), where=fps > 0)
    return share * (own - tps / n_pos) / n
