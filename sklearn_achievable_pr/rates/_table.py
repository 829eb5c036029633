"""Rates and net benefit at several thresholds or at several k.

Net benefit is the difference of two terms, the benefit of true positives and the harm of
false positives: a share of the samples times a weight, which for false positives has the
odds of the threshold. Each term has its limits from those of its rate.
"""

from itertools import chain
from typing import NamedTuple

import numpy as np

from .._inference.doubts import doubts_of_ranking, doubts_of_samples, warn_once
from .._inference.limits import mover_limits, t_quantile
from .._inference.standard_error import standard_error_and_df
from .._input.arrays import check_thresholds
from .._input.undefined import warn_undefined
from .._roc.short_threshold import FEWEST_DIGITS, FEWEST_OF_GIVEN, short_threshold
from ..metrics._rates import (
    FALSE_POSITIVE_SHARE,
    FPR,
    RATES,
    RECALL,
    TRUE_POSITIVE_SHARE,
)
from ..results import ThresholdTable
from ._cuts import cut_at
from ._intervals import RateEstimate, limits_of_several, method_at
from ._samples import are_undefined, why_undefined


def table_at(sample, kind, values, options, net_benefit=False):
    """The `ThresholdTable` of a `CutSample` at thresholds or at several k."""
    check_thresholds(sample.data.score)
    reweighted = sample.at_prevalence()
    _warn(reweighted, kind)
    cuts = [cut_at(sample, kind, value) for value in values]
    own_cuts = cuts
    if reweighted is not sample:
        own_cuts = [cut_at(reweighted, kind, value) for value in values]
    estimates = _estimates_at(cuts, own_cuts)
    if kind == "k":
        limits_of_several(chain.from_iterable(estimates), options.tail)
    rows = []
    for cut, of_cut in zip(cuts, estimates, strict=True):
        counts = np.array([cut.n_predicted, *cut.cells]) * sample.unit
        rows.append([cut.score, *counts])
        for estimate in of_cut:
            rows[-1] += estimate.value, *estimate.limits(options.tail)
        if net_benefit:
            rows[-1] += _net_benefit(cut, options.tail)
    with_limits = [*RATES, *(["net_benefit"] * net_benefit)]
    names = ["threshold", "n_predicted", "tps", "fps", "fns", "tns"]
    names += [name + end for name in with_limits for end in ("", "_low", "_high")]
    names += ["net_benefit_all"] * net_benefit
    fields = dict(zip(names, np.array(rows, dtype=np.float64).T.copy(), strict=True))
    n_undefined = {name: np.count_nonzero(np.isnan(fields[name])) for name in RATES}
    _warn_of_undefined(sample, n_undefined)
    fewest = FEWEST_OF_GIVEN if kind == "threshold" else FEWEST_DIGITS
    shown = [short_threshold(sample.data.score, x, fewest) for x in fields["threshold"]]
    return ThresholdTable(
        **sample.counts(),
        **fields,
        method=method_at(sample, kind),
        confidence_level=options.confidence_level,
        prevalence=sample.reference_prevalence,
        _is_weighted=sample.is_weighted,
        _shown=np.array(shown),
    )


def _warn(sample, kind):
    """Warn of the samples and of the score; exact limits need no spread of samples."""
    if kind == "threshold" and sample.is_simple:
        warn_once(doubts_of_ranking(sample))
    elif sample.has_both_classes:
        is_conservative = sample.reference_prevalence is not None
        of_samples = doubts_of_samples(sample, "interval", is_conservative)
        warn_once([*of_samples, *doubts_of_ranking(sample)])


def _warn_of_undefined(sample, n_undefined):
    """One warning of the undefined rates of a table.

    `n_undefined` is a dict from the name of a rate to the number of rows in which it is
    undefined.
    """
    rates: dict[str, list] = {}
    for name, n_rows in n_undefined.items():
        if n_rows:
            why = why_undefined(sample, RATES[name])
            # A missing class makes a rate undefined in all rows.
            rows = f" in {n_rows} rows" if n_rows > 1 and "`y_true`" not in why else ""
            rates.setdefault(why + rows, []).append(RATES[name])
    if rates:
        reasons = (f"{why}: {are_undefined(which)}" for why, which in rates.items())
        warn_undefined(" ".join(reasons))


def _estimates_at(cuts, reweighted):
    """A list of the `RateEstimate` of each rate, for each cut.

    `reweighted` are the cuts at the reference prevalence, for rates that depend on it.
    """
    return [
        [
            RateEstimate(cut if rate.is_within_class else own, rate)
            for rate in RATES.values()
        ]
        for cut, own in zip(cuts, reweighted, strict=True)
    ]


class _Term(NamedTuple):
    """The benefit of true positives, or the harm of false positives.

    Attributes
    ----------
    value : float
    limits : ndarray of shape (2,)
    influence : ndarray of shape (6,)
        The derivative of the value by the weight of a sample of each zone.
    """

    value: float
    limits: np.ndarray
    influence: np.ndarray

    @classmethod
    def of(cls, estimate, weight, tail):
        """The term that is a rate times a weight."""
        limits = np.array(estimate.limits(tail))
        return cls(estimate.value * weight, limits * weight, estimate.by_zone * weight)


def _net_benefit(cut, tail):
    """Net benefit at a threshold, its two limits, and that of treating everybody."""
    sample, prevalence = cut.sample, cut.sample.reference_prevalence
    if prevalence is not None and not sample.has_both_classes:
        return [np.nan] * 4
    threshold = float(cut.score)  # a number of float32 would have fewer digits
    odds = threshold / (1 - threshold)
    tp, fp, fn, tn = cut.cells
    p = (tp + fn) / (tp + fp + fn + tn) if prevalence is None else prevalence

    def estimate_and_weight(count, share_of_class, rate_of_class, rate_of_all):
        """The rate of a term among the samples of its class, or among all, and its weight.

        Among all samples, the rate has the variance of the share of the class, which a
        reference prevalence does not have. If a count is 0, the weights of its class show
        how large it could be.
        """
        is_unseen = not (sample.is_simple or count) and share_of_class > 0
        if prevalence is not None or is_unseen:
            return RateEstimate(cut, rate_of_class), share_of_class
        return RateEstimate(cut, rate_of_all), 1.0

    estimate, weight = estimate_and_weight(tp, p, RECALL, TRUE_POSITIVE_SHARE)
    benefit = _Term.of(estimate, weight, tail)
    estimate, weight = estimate_and_weight(fp, 1 - p, FPR, FALSE_POSITIVE_SHARE)
    harm = _Term.of(estimate, odds * weight, tail)
    limits = _limits_of_difference(cut, benefit, harm, tail)
    return benefit.value - harm.value, *limits, p - (1 - p) * odds


def _limits_of_difference(cut, benefit, harm, tail):
    """Limits of the benefit minus the harm.

    With clusters or unequal weights they are t limits. The lower one is not below that of
    no benefit and the highest harm, and the upper one is not above the highest benefit.
    With independent samples of equal weights, without true or without false positives, and
    if the standard error is unknown or 0, they are MOVER limits.
    """
    sample, difference = cut.sample, benefit.value - harm.value
    tp, fp, _, _ = cut.cells
    if not sample.is_simple and tp and fp and sample.has_spread:
        leverage = cut.weights.class_leverage(sample)
        influence = benefit.influence - harm.influence
        values = cut.weights.influence_values(influence, leverage)
        error, df = standard_error_and_df(
            [values], difference, sample.min_effective_class_size
        )
        if error > 0:
            reach = t_quantile(df, tail) * error
            low = max(difference - reach, -harm.limits[1])
            return low, min(difference + reach, benefit.limits[1])
    # At a reference prevalence the two rates count different samples, so they are
    # independent.
    is_reweighted = sample.reference_prevalence is not None
    r = 0.0 if is_reweighted else _correlation_of_cells(*cut.cells)
    return mover_limits((benefit.value, harm.value), benefit.limits, harm.limits, r)


def _correlation_of_cells(tp, fp, fn, tn):
    """Correlation of the numbers of true and of false positives, of a multinomial."""
    if not (tp and fp):
        return 0.0
    return -np.sqrt(tp * fp / ((fp + fn + tn) * (tp + fn + tn)))
