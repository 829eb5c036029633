"""Metrics without each sample in turn: the values from which the jackknife is made.

A metric is a sum over the segments of the ROC curve. Without one sample, its own segment is
shorter, every later segment starts one count lower, and the segments before it stay:

    sum without i = terms before + own term, shorter + terms after, moved.

There are two classes, so there are two sums of shorter terms and two of moved terms.
Cumulative sums give all values without a loop over the samples.
"""

import numpy as np

from .._roc.integrals import integral_over_n

# This number replaces a denominator of 0 where the numerator is 0 as well.
_TINY = 5e-324


def leave_one_out(roc, metric):
    """The metric without one sample of each class on each segment.

    Parameters
    ----------
    roc : ROCCurve
        Of samples without weights, with the points that the metric needs.
    metric : {"auc_pr_interpolated", "aucnpr", "average_precision"}

    Returns
    -------
    ndarray of float64, shape (2, n_points - 1)
        Element i is the metric without a positive (row 0) or a negative (row 1) of the
        segment that ends at point `i + 1`. It is NaN without the only positive, and has no
        meaning where the segment has no sample of the class.
    """
    points = roc.concatenated()
    fps, tps = points.fps.astype(np.float64), points.tps.astype(np.float64)
    n_pos, n_neg = tps[-1], fps[-1]
    terms = _steps if metric == "average_precision" else _areas
    t0, f0, delta_t, delta_f = tps[:-1], fps[:-1], np.diff(tps), np.diff(fps)
    full = terms(t0, f0, delta_t, delta_f)
    before = np.cumsum(full) - full
    sums = np.array(
        [
            before
            + terms(t0, f0, _one_less(delta_t), delta_f)
            + _sum_after(terms(_one_less(t0), f0, delta_t, delta_f)),
            before
            + terms(t0, f0, delta_t, _one_less(delta_f))
            + _sum_after(terms(t0, _one_less(f0), delta_t, delta_f)),
        ]
    )
    n_left = np.array([[n_pos - 1], [n_pos]]), np.array([[n_neg], [n_neg - 1]])
    values = np.full_like(sums, np.nan)
    np.divide(sums, n_left[0], out=values, where=n_left[0] > 0)
    if metric == "aucnpr":
        values = _normalized_without_one(values, *n_left)
    return values


def _areas(t0, f0, delta_t, delta_f):
    """The integral of precision over the true positives of each segment."""
    step = delta_t + delta_f
    share = delta_t / np.maximum(step, _TINY)
    step[step == 0] = 1.0  # the only sample is left out, and the share is 0
    return share * integral_over_n(f0 + t0, step, t0, delta_t, share)


def _steps(t0, f0, delta_t, delta_f):
    """The true positives of each segment times the precision at its end."""
    n_above = t0 + f0 + delta_t + delta_f
    return delta_t * (t0 + delta_t) / np.maximum(n_above, 1.0)


def _one_less(counts):
    """The counts without one sample; counts of 0 have none to leave out."""
    return np.maximum(counts - 1, 0.0)


def _sum_after(terms):
    """Sum of the terms of the later segments."""
    return np.cumsum(terms[::-1])[::-1] - terms


def _normalized_without_one(areas, n_pos, n_neg):
    """AUCNPR of areas; 1 without negatives, where every ranking is perfect."""
    # The form N/P log(1 + P/N) of 1 - Amin avoids the cancellation of the difference.
    span = n_neg / np.maximum(n_pos, 1.0) * np.log1p(n_pos / np.maximum(n_neg, _TINY))
    return np.where(n_neg > 0, 1 - (1 - areas) / np.where(n_neg > 0, span, 1.0), 1.0)
