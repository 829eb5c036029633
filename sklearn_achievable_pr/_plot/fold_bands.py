"""Bands around the summary of folds: how sure it is.

One is the t interval over the folds at each recall, the other holds whole curves that were
drawn anew, folds and rows.
"""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit
from scipy.stats import rankdata

from .._input.options import check_option
from .._roc.counting import breakpoints, every_threshold
from .._roc.hull import strict_upper_hull
from ..curves import precision_at
from ..unachievable import min_precision

_BANDS = ("folds", "resampled")
# Weights drawn at a time for resamples.
_BLOCK = 1 << 20
# Segments of a ROC curve of which resamples are drawn.
_MOST_RUNS = 4096
# Recalls of a resample are taken inside the curve's ends by this much.
_INSIDE = 1e-12


def band_of_folds(
    folds,
    recall,
    band,
    *,
    average="precision",
    confidence_level=0.95,
    n_resamples=1000,
    rng=None,
):
    """Lowest and highest precision of a band around the summary.

    Parameters
    ----------
    folds : Folds
    recall : ndarray of shape (n_recalls,)
        Where the band is wanted, within [0, 1].
    band : {"folds", "resampled"}
        "folds" is the t interval over the folds, at each recall for itself. "resampled"
        holds so many of the summaries of resampled folds of reweighted rows, each at all
        the recalls: it is for the curve as a whole.
    average : {"precision", "fpr"}
    confidence_level : float
    n_resamples : int
    rng : None, int or numpy.random.Generator
        None always gives the same band for the same data.

    Returns
    -------
    low, high : ndarray of float64, shape (n_recalls,)
    """
    check_option(band, "band", _BANDS)
    if len(folds.rocs) < 2:
        raise ValueError(
            f"`band`={band!r} needs two folds with both classes at least. Got "
            f"{len(folds.rocs)}."
        )
    recall = np.clip(recall, _INSIDE, 1 - _INSIDE)
    if band == "folds":
        limits = _t_interval(folds, recall, average, confidence_level)
    else:
        rng = np.random.default_rng(0 if rng is None else rng)
        means = _resampled_means(folds, recall, average, n_resamples, rng)
        limits = _envelope(means, confidence_level)
    if average == "fpr":
        kappa = (1 - folds.prevalence) / folds.prevalence
        limits = recall / (recall + np.clip(limits[::-1], 0, kappa))
    floor = min_precision(recall, folds.prevalence)
    return tuple(np.clip(limits, floor, 1))


def _t_interval(folds, recall, average, confidence_level):
    """Of what is averaged; with unequal weights with the degrees that these leave."""
    values = np.array([precision_at(roc, recall) for roc in folds.rocs])
    if average == "fpr":
        values = recall * (1 - values) / values
    weight = folds.weight
    concentration = np.dot(weight, weight)  # 1 / n_folds for equal weights
    mean = weight @ values
    error = np.sqrt(weight**2 @ (values - mean) ** 2 / (1 - concentration))
    t = stdtrit(1 / concentration - 1, (1 + confidence_level) / 2)
    return np.array([mean - t * error, mean + t * error])


def _envelope(curves, confidence_level):
    """The narrowest band of the k-th lowest and k-th highest that holds so many curves."""
    n_curves = len(curves)
    at_most = rankdata(curves, "max", axis=0)  # how many are no higher
    at_least = n_curves + 1 - rankdata(curves, "min", axis=0)
    depth = np.minimum(at_most, at_least).min(axis=1)
    k = int(np.quantile(depth, 1 - confidence_level, method="lower"))
    ends = [k - 1, n_curves - k]
    return np.partition(curves, ends, axis=0)[ends]


def _resampled_means(folds, recall, average, n_resamples, rng):
    """One row a resample: the mean over folds drawn with replacement, rows reweighted."""
    n_folds = len(folds.rocs)
    drawn = rng.multinomial(n_folds, np.full(n_folds, 1 / n_folds), n_resamples)
    share = drawn * folds.weight
    share /= share.sum(axis=1, keepdims=True)
    means = np.zeros((n_resamples, len(recall)))
    for weight, data in zip(share.T, folds.data_sets, strict=True):
        values = _reweighted(data, folds, recall, n_resamples, rng)
        if average == "precision":
            values = recall / (recall + values)
        means += weight[:, np.newaxis] * values
    return means


def _reweighted(data, folds, recall, n_draws, rng):
    """False positives of a fold at recalls, each row's weight times an exponential draw.

    The draws of a run's rows sum to a gamma variate whose shape is their number (Rubin's
    Bayesian bootstrap). Only weights within a class matter: the prevalence stays.
    """
    rows, mean_weight = _runs(data)
    kappa = (1 - folds.prevalence) / folds.prevalence
    values = np.empty((n_draws, len(recall)))
    block = max(1, _BLOCK // rows.shape[1])
    for start in range(0, n_draws, block):
        stop = min(start + block, n_draws)
        shape = (stop - start, rows.shape[1])
        fps, tps = (
            np.cumsum(rng.standard_gamma(n, shape) * mean_weight, axis=1) for n in rows
        )
        for value, f, t in zip(values[start:stop], fps, tps, strict=True):
            f = np.concatenate(([0], f * (kappa / f[-1])))
            t = np.concatenate(([0], t / t[-1]))
            if folds.curve == "achievable":
                vertices = strict_upper_hull(f, t)
                f, t = f[vertices], t[vertices]
            value[:] = np.interp(recall, t, f)
    return values


def _runs(data):
    """Negative and positive rows of each segment of a ROC curve, and their mean weight.

    Where rows of both classes and several weights are tied, all of them count alike. Of
    very many segments those are joined that lie within a small step of either rate.
    """
    roc = breakpoints(data) if data.weight is None else every_threshold(data)
    points = roc.concatenated()
    if len(points.tps) > _MOST_RUNS:
        rates = points.fps / points.fps[-1], points.tps / points.tps[-1]
        place = sum(np.floor(rate * (_MOST_RUNS // 2)) for rate in rates)
        points = points.take(np.flatnonzero(np.diff(place, prepend=-1)))
    fps, tps, n_above = points
    gain = np.diff([fps, tps]).astype(np.float64)
    mean_weight = gain.sum(axis=0) / np.diff(n_above)
    return gain / mean_weight, mean_weight
