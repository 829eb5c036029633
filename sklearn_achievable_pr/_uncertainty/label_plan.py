"""Which samples to label: strata of samples by their expected influence.

A sample is labelled with a probability proportional to the standard deviation of its
influence on the metric (Neyman 1934). Labels are unknown, so the standard deviation is
computed for soft labels: a probability of the positive class that falls with the rank of
the score. A sample with soft label p is a positive of weight p and a negative of weight
1 - p.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from .._roc import counting

_N_STRATA = 10
# Soft labels are prevalence * a * q**(a - 1) with this a, where q is the share of samples
# with at least this score, and at most _HIGHEST.
_EXPONENT, _HIGHEST = 0.35, 0.9
# Slopes and shifts of the logits of the soft labels: a plan must suit more than one guess.
_CALIBRATIONS = ((1, 0), (0.5, 0), (2, 0), (1, 1), (1, -1))
# Share of a score without skill in the expected spread of the influence, and share of
# labels that every sample has the same chance of. Both limit the largest weight.
_NO_SKILL, _UNIFORM = 0.4, 0.3


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
    if len(scores) == 2 and np.array_equal(*orders):
        raise ValueError(
            "`y_score_b` must not order the samples as `y_score` does: their areas are "
            "equal whatever the labels are. Leave it out to plan one interval."
        )
    intensity = _intensity(metric, orders, prevalence)
    order = orders[0] if len(orders) == 1 else _falling(intensity, rng)
    strata = _strata(intensity[order])
    members = np.split(order, np.cumsum(strata)[:-1])
    n_chosen = _allocation(strata, n_labels)
    pairs = zip(members, n_chosen, strict=True)
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
    """What the probability to label each sample is proportional to; the sum is 1."""
    n_samples = len(orders[0])
    middle = logit((np.arange(n_samples) + 0.5) / n_samples)
    rank = np.zeros(n_samples)
    for order in orders:
        rank[order] += middle / len(orders)
    p = np.minimum(_HIGHEST, prevalence * _EXPONENT * expit(rank) ** (_EXPONENT - 1))
    guesses = [expit(slope * logit(p) + shift) for slope, shift in _CALIBRATIONS]
    skilled = np.mean([_influence_spread(metric, orders, p) for p in guesses], axis=0)
    constant = _influence_spread(metric, orders, np.full(n_samples, prevalence))
    spread = (1 - _NO_SKILL) * skilled + _NO_SKILL * constant
    return (1 - _UNIFORM) * spread + _UNIFORM / n_samples


def _strata(intensity):
    """Sizes of the strata, runs of samples with about equal sums of the intensity."""
    number = np.arange(1, _N_STRATA)
    cuts = np.searchsorted(np.cumsum(intensity), number / _N_STRATA) + 1
    # One sample may have more than the intensity of a stratum, but none is empty.
    cuts = np.maximum.accumulate(cuts - number) + number
    cuts = np.minimum(cuts, len(intensity) - number[::-1])
    return np.diff(cuts, prepend=0, append=len(intensity))


def _allocation(strata, n_labels):
    """Number of labels of each stratum: equal shares, or all samples of smaller strata."""
    n_chosen = np.zeros(_N_STRATA, dtype=np.int64)
    for done, stratum in enumerate(np.argsort(strata, kind="stable")):
        share = (n_labels - n_chosen.sum()) // (_N_STRATA - done)
        n_chosen[stratum] = min(strata[stratum], share)
    return n_chosen


def _influence_spread(metric, orders, p):
    """Standard deviation of the influence of each sample for soft labels, with sum 1."""
    influence = np.empty((len(orders), 2, len(p)))
    p = np.clip(p, 1e-6, 1 - 1e-6)
    for of_score, order in zip(influence, orders, strict=True):
        tps = np.append(0.0, np.cumsum(p[order]))
        roc = counting.from_counts(np.arange(len(tps)) - tps, tps)
        _, by_class = metric.value_and_influence(roc)
        of_score[:, order] = by_class
    if len(orders) == 1:
        positive, negative = influence[0]
        spread = np.sqrt(p * (1 - p)) * np.abs(positive - negative)
    else:
        positive, negative = influence[0] - influence[1]
        spread = np.sqrt(p * positive**2 + (1 - p) * negative**2)
    return spread / spread.sum()
