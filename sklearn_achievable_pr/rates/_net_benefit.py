"""Net benefit of the samples predicted positive at a threshold."""

import numpy as np

from .._inference.limits import mover_limits, t_quantile
from .._inference.standard_error import NO_SPREAD, standard_error_and_df
from ..metrics._rates import FALSE_POSITIVE_SHARE, FPR, RECALL, TRUE_POSITIVE_SHARE
from ._intervals import limits_at_threshold, value_at


def net_benefit_at(sample, cut, tail):
    """Net benefit at a threshold, its two limits, and that of treating everybody.

    Net benefit is the difference of two scaled rates: of the shares of true and of false
    positives among all samples, or, at a reference prevalence, of the recall and the false
    positive rate.
    """
    prevalence, t = sample.reference_prevalence, float(cut.score)
    if prevalence is not None and not sample.has_both_classes:
        return [np.nan] * 4
    odds = t / (1 - t)
    tp, fp, fn, tn = cut.cells
    positive_share = (tp + fn) / (tp + fp + fn + tn) if prevalence is None else prevalence
    negative_share = 1 - positive_share
    is_exact = sample.is_simple
    sides = []
    for share, class_rate, overall_rate, count, scale in (
        (positive_share, RECALL, TRUE_POSITIVE_SHARE, tp, 1.0),
        (negative_share, FPR, FALSE_POSITIVE_SHARE, fp, odds),
    ):
        # If a count is 0 in the sample, the weights of its class show how large it could
        # be.
        of_class = prevalence is not None or (share > 0 and not (is_exact or count))
        rate = class_rate if of_class else overall_rate
        scale *= share if of_class else 1.0
        estimate = value_at(sample, cut, rate)
        ends = limits_at_threshold(sample, cut, rate, tail)
        influence = cut.derivative_of(rate)
        sides.append((estimate * scale, np.array(ends) * scale, influence * scale))
    (a, ends_a, influence_a), (b, ends_b, influence_b) = sides
    n_smaller, error, df = sample.min_effective_class_size, 0.0, 0.0
    if not is_exact and tp and fp and n_smaller > NO_SPREAD:
        leverage = cut.weights.class_leverage(sample)
        values = cut.weights.influence_values(influence_a - influence_b, leverage)
        error, df = standard_error_and_df([values], a - b, n_smaller)
    if error > 0:
        reach = t_quantile(df, tail) * error
        limits = max(a - b - reach, -ends_b[1]), min(a - b + reach, ends_a[1])
    else:
        # At a reference prevalence the two rates count different samples, so they are
        # independent.
        r = 0.0 if prevalence is not None else _correlation_of_cells(*cut.cells)
        limits = mover_limits((a, b), ends_a, ends_b, r)
    return a - b, *limits, positive_share - negative_share * odds


def _correlation_of_cells(tp, fp, fn, tn):
    """Correlation of the numbers of true and of false positives, of a multinomial."""
    if not (tp and fp):
        return 0.0
    return -np.sqrt(tp * fp / ((fp + fn + tn) * (tp + fn + tn)))
