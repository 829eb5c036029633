"""Confidence bands around the summary curve of folds.

The band is either the t interval over the folds at each recall, or a band that contains
whole summary curves of resampled folds with randomly weighted samples.
"""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit
from scipy.stats import rankdata

from .._metrics.minimum import lowest_precision
from .._metrics.points import precision_at
from .._roc.counting import breakpoints, every_threshold
from .._roc.hull import strict_upper_hull

# Maximum number of segments of a ROC curve that is resampled; more are joined.
_MAX_SEGMENTS = 4096
# Recalls are clipped to this distance from 0 and 1.
_INSIDE = 1e-12


def band_of_folds(folds, recall, band, *, confidence_level=0.95, n_resamples=1000):
    """Lower and upper precision of a confidence band around the summary curve.

    Parameters
    ----------
    folds : Folds
        At least two folds.
    recall : ndarray of shape (n_recalls,)
        Within [0, 1].
    band : {"folds", "resampled"}
        "folds" is the pointwise t interval over the folds. "resampled" is a simultaneous
        band: it contains a share `confidence_level` of the summary curves, at all recalls,
        of resampled folds with randomly weighted samples.
    confidence_level : float, default=0.95
    n_resamples : int, default=1000

    Returns
    -------
    low, high : ndarray of float64, shape (n_recalls,)
    """
    if len(folds.rocs) < 2:
        raise ValueError(
            f"`band`={band!r} needs two folds with both classes at least. Got "
            f"{len(folds.rocs)}."
        )
    recall = np.clip(recall, _INSIDE, 1 - _INSIDE)
    if band == "folds":
        values = np.array([precision_at(roc, recall) for roc in folds.rocs])
        concentration = np.sum(folds.weight**2)  # 1 / n_folds for equal weights
        mean = folds.weight @ values
        error = np.sqrt(folds.weight**2 @ (values - mean) ** 2 / (1 - concentration))
        t = stdtrit(1 / concentration - 1, (1 + confidence_level) / 2)
        limits = np.array([mean - t * error, mean + t * error])
    else:
        means = _resampled_means(folds, recall, n_resamples, np.random.default_rng(0))
        limits = _envelope(means, confidence_level)
    return tuple(np.clip(limits, lowest_precision(recall, folds.prevalence), 1))


def _envelope(curves, confidence_level):
    """The narrowest band of k-th lowest to k-th highest values with enough whole curves."""
    n_curves = len(curves)
    at_most = rankdata(curves, "max", axis=0)
    at_least = n_curves + 1 - rankdata(curves, "min", axis=0)
    depth = np.minimum(at_most, at_least).min(axis=1)
    k = int(np.quantile(depth, 1 - confidence_level, method="lower"))
    ends = [k - 1, n_curves - k]
    return np.partition(curves, ends, axis=0)[ends]


def _resampled_means(folds, recall, n_resamples, rng):
    """Mean precisions of resamples of folds, of shape (n_resamples, n_recalls).

    The weights of samples are multiplied by exponential variates (Rubin's Bayesian
    bootstrap). The variates of the samples of one class and segment sum to a gamma variate
    whose shape is the number of these samples. Weights are normalised within each class, so
    the prevalence does not change.
    """
    n_folds = len(folds.rocs)
    counts = rng.multinomial(n_folds, np.full(n_folds, 1 / n_folds), n_resamples)
    share = counts * folds.weight
    share /= share.sum(axis=1, keepdims=True)
    kappa = (1 - folds.prevalence) / folds.prevalence
    means = np.zeros((n_resamples, len(recall)))
    for weights, data in zip(share.T, folds.data_sets, strict=True):
        counts, mean_weight = _segment_counts(data)
        size = n_resamples, counts.shape[1]
        draws = (rng.standard_gamma(n, size) * mean_weight for n in counts)
        fps, tps = (np.cumsum(draw, axis=1) for draw in draws)
        values = []
        for f, t in zip(fps, tps, strict=True):
            f = np.concatenate(([0], f * (kappa / f[-1])))
            t = np.concatenate(([0], t / t[-1]))
            if folds.curve == "achievable":
                vertices = strict_upper_hull(f, t)
                f, t = f[vertices], t[vertices]
            values.append(np.interp(recall, t, f))
        means += weights[:, np.newaxis] * (recall / (recall + values))
    return means


def _segment_counts(data):
    """Negatives and positives of each segment of a ROC curve, and their mean weight.

    Tied samples of both classes with different weights get the mean weight of their class.
    If there are very many segments, neighbours within a small step of either rate are
    joined.
    """
    roc = breakpoints(data) if data.weight is None else every_threshold(data)
    points = roc.concatenated()
    if len(points.tps) > _MAX_SEGMENTS:
        rates = points.fps / points.fps[-1], points.tps / points.tps[-1]
        place = sum(np.floor(rate * (_MAX_SEGMENTS // 2)) for rate in rates)
        points = points.take(np.flatnonzero(np.diff(place, prepend=-1)))
    fps, tps, n_above = points
    increments = np.diff([fps, tps]).astype(np.float64)
    mean_weight = increments.sum(axis=0) / np.diff(n_above)
    return increments / mean_weight, mean_weight
