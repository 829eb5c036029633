"""Which samples to label: strata of samples by their expected influence.

A sample is labeled with a probability proportional to the standard deviation of its
influence on the metric (Neyman 1934). Labels are unknown, so the standard deviation is
computed for soft labels: a probability of the positive class that falls with the rank of
the score. A sample with soft label p is a positive of weight p and a negative of weight
1 - p.
"""

import numpy as np
from scipy.special import expit, logit

from .._roc import counting

_N_STRATA = 10
# Soft labels are prevalence * a * q**(a - 1) with this a, where q is the share of samples
# with at least this score, and at most _HIGHEST.
_EXPONENT, _HIGHEST = 0.35, 0.9
# Slopes and shifts of the logits of the soft labels: a plan must suit more than one guess.
_CALIBRATIONS = ((1, 0), (0.5, 0), (2, 0), (1, 1), (1, -1))
# Weights of these guesses and, last, of a constant soft label: a score without skill.
_SHARES = (0.12, 0.12, 0.12, 0.12, 0.12, 0.4)
# Share of the labels for which every sample has the same chance. It limits the weights.
_UNIFORM = 0.3
# Number of ranks at which the influence is computed.
_N_SEGMENTS = 1 << 13


def label_plan(metric, scores, n_labels, prevalence, rng):
    """Fields of the `LabelPlan` for one or two scores, as a dict.

    Parameters
    ----------
    metric : MetricWithOptions
    scores : list of ndarray of shape (n_samples,)
    n_labels : int
        At least `_N_STRATA`, at most n_samples.
    prevalence : float
    rng : numpy.random.Generator
    """
    orders = [_falling(score, rng) for score in scores]
    intensity = _intensity(metric, orders, prevalence)
    order = orders[0] if len(orders) == 1 else _falling(intensity, rng)
    strata, n_chosen = _strata(intensity[order], n_labels)
    pairs = zip(np.split(order, np.cumsum(strata)[:-1]), n_chosen, strict=True)
    indices = np.concatenate([rng.choice(*pair, replace=False) for pair in pairs])
    by_index = np.argsort(indices)
    stratum = np.repeat(np.arange(_N_STRATA), n_chosen)[by_index]
    return {
        "indices": indices[by_index],
        "sample_weight": (strata / n_chosen)[stratum],
        "stratum": stratum,
        "n_samples": len(order),
        "expected_positives": n_labels * prevalence,
        "metric": metric.name,
        "n_scores": len(scores),
    }


def _falling(values, rng):
    """Indices of the samples by falling value, tied ones in random order."""
    shuffled = rng.permutation(len(values))
    return shuffled[np.argsort(values[shuffled], kind="stable")[::-1]]


def _intensity(metric, orders, prevalence):
    """What the probability to label each sample is proportional to."""
    n_samples = len(orders[0])
    # The influence changes slowly at low ranks: samples of nearly equal rank share it.
    n_above = np.unique(np.geomspace(1, n_samples, _N_SEGMENTS).astype(np.int64))
    n_above = np.append(0, n_above)
    by_rank = np.repeat(np.arange(len(n_above) - 1), np.diff(n_above))
    segments = np.empty((len(orders), n_samples), dtype=np.int64)
    for segment, order in zip(segments, orders, strict=True):
        segment[order] = by_rank
    middle = logit((n_above[1:] + n_above[:-1]) / (2 * n_samples))
    q = expit(np.mean([middle[segment] for segment in segments], axis=0))
    z = logit(np.minimum(_HIGHEST, prevalence * _EXPONENT * q ** (_EXPONENT - 1)))
    guesses = [expit(slope * z + shift) for slope, shift in _CALIBRATIONS]
    guesses.append(np.full(n_samples, prevalence))
    spread = sum(
        share * _influence_spread(metric, n_above, segments, p)
        for share, p in zip(_SHARES, guesses, strict=True)
    )
    return (1 - _UNIFORM) * spread + _UNIFORM / n_samples


def _strata(intensity, n_labels):
    """Numbers of samples and of labels of the strata, runs of samples of this intensity.

    Strata have about equal sums of the intensity and equal numbers of labels; those with
    fewer samples are labeled whole.
    """
    number, total = np.arange(1, _N_STRATA), np.cumsum(intensity)
    cuts = np.searchsorted(total, number / _N_STRATA * total[-1]) + 1
    # One sample may have more than the intensity of a stratum, but none is empty.
    cuts = np.maximum.accumulate(cuts - number) + number
    cuts = np.minimum(cuts, len(intensity) - number[::-1])
    sizes = np.diff(cuts, prepend=0, append=len(intensity))
    n_chosen = np.zeros_like(sizes)
    for done, stratum in enumerate(np.argsort(sizes, kind="stable")):
        share = (n_labels - n_chosen.sum()) // (_N_STRATA - done)
        n_chosen[stratum] = min(sizes[stratum], share)
    return sizes, n_chosen


def _influence_spread(metric, n_above, segments, p):
    """Standard deviation of the influence of each sample for soft labels, with sum 1."""
    p = np.clip(p, 1e-6, 1 - 1e-6)
    influence = []
    for segment in segments:
        tps = np.append(0.0, np.cumsum(np.bincount(segment, p)))
        _, by_class = metric.value_and_influence(counting.from_counts(n_above - tps, tps))
        influence.append(by_class[:, segment])
    if len(influence) == 1:
        positive, negative = influence[0]
        spread = np.sqrt(p * (1 - p)) * np.abs(positive - negative)
    else:
        positive, negative = influence[0] - influence[1]
        spread = np.sqrt(p * positive**2 + (1 - p) * negative**2)
    return spread / (spread.sum() or 1.0)  # scores of the same order differ nowhere
