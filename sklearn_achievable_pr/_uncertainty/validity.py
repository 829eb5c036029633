"""Warnings of intervals and tests: what is undefined, and what is not nominal.

The bounds are those at which simulations show a coverage below 0.92 of 0.95 or a type I
error rate above 0.075 of 0.05 (benchmarks/coverage.py, benchmarks/few_positives.py).
"""

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from .._input.arrays import kish_sample_size
from .._input.options import CoverageWarning, warn_caller, warn_undefined

# An effective sample size of 1 in a class gives no information about the variance.
NO_SPREAD = 1 + 1e-13
# With fewer positives in the recall range, or a larger weight of a negative relative to a
# positive, intervals are too narrow, or t tests reject too often.
_FEW_IN_RANGE, _HEAVY_IN_INTERVALS, _HEAVY_IN_TESTS = 5, 8, 5
# Weights of a class with at least this effective sample size per sample (a coefficient of
# variation of at most 0.23) are those of down-sampling. Unequal weights, as of stratified
# samples, are valid at higher ratios of the classes.
_NEARLY_EQUAL = 0.95


def lacks_class(sample, what, subject=""):
    """Whether a class is missing; if so, warn that `what` is undefined."""
    if sample.has_both_classes:
        return False
    missing = "negative" if sample.data.positive.any() else "positive"
    warn_undefined(f"{subject}No {missing} samples in `y_true`: {what} is undefined.")
    return True


def warn_no_spread(why, can_permute=False, subject=""):
    """Warn that the standard error is undefined."""
    way_out = ' Pass method="permutation".' if can_permute else ""
    warn_caller(
        f"{subject}The spread between samples is unknown: {why}. The standard error is "
        f"undefined, and an interval that needs it holds every possible value.{way_out}",
        UndefinedMetricWarning,
    )


def warn_of_data(samples, what, method, uses_negatives=True):
    """Warn if a result is undefined or, by simulations, not nominal.

    Parameters
    ----------
    samples : dict of str to Sample
        By the words that a warning starts with, such as "Subgroup 'a': ", or "".
    what : {"interval", "comparison"}
    method : str
    uses_negatives : bool, default=True
        Whether the result depends on the weight of the negatives.
    """
    found = []
    for subject, sample in samples.items():
        if lacks_class(sample, f"the {what}", subject):
            continue
        n_neg, n_pos = sample.effective_class_sizes
        if min(n_pos, n_neg) <= NO_SPREAD and method != "clopper-pearson":
            which = "positive" if n_pos <= n_neg else "negative"
            unit = "sample" if sample.clusters is None else "group"
            why = f"all {which} samples of `y_true`, or all their weight, are one {unit}"
            can_permute = what == "comparison" and method in ("influence", "percentile")
            warn_no_spread(why, can_permute, subject)
            continue
        for reason, text in _doubts(sample, what, method, uses_negatives):
            found.append((reason, f"{subject}{text}"))
    warn_once(found)


def warn_once(found):
    """One `CoverageWarning` per reason, from pairs of a reason and a text.

    It is the text of the first one, and says how many there are.
    """
    texts = {}
    for reason, text in found:
        texts.setdefault(reason, []).append(text)
    for first, *others in texts.values():
        more = f" {len(others)} more like this." if others else ""
        warn_caller(first + more, CoverageWarning)


def _doubts(sample, what, method, uses_negatives):
    """Pairs of a reason and a text that says why a result is not nominal."""
    metric, is_t_test = sample.metric, method == "influence"
    wrong = "intervals are too narrow"
    if what == "comparison":
        wrong += " and tests reject too often"
    n_in_range = (metric.high - metric.low) * sample.effective_class_sizes[1]
    if (metric.low, metric.high) != (0.0, 1.0) and n_in_range < _FEW_IN_RANGE:
        yield (
            "recall range",
            f"`recall_range`={metric.low, metric.high} holds only {n_in_range:.2g} "
            f"positives: below {_FEW_IN_RANGE} {wrong}. Widen it, or collect more "
            "positives.",
        )
    most = _HEAVY_IN_TESTS if is_t_test else _HEAVY_IN_INTERVALS
    weight = _weight_of_a_negative(sample)
    if uses_negatives and weight > most and _is_by_class(sample):
        at = metric.prevalence
        where = "By `sample_weight`" if at is None else f"At `prevalence`={at:g}"
        yield (
            "weights",
            f"{where} a negative weighs {weight:.3g} positives: above {most} {wrong}. "
            "Collect more negatives.",
        )


def _weight_of_a_negative(sample):
    """Mean weight of a negative, relative to that of a positive."""
    roc, positive = sample.roc.at_prevalence(sample.metric.prevalence), sample.data.positive
    n_positive = np.count_nonzero(positive)
    odds = float(roc.n_neg / roc.n_pos) * roc.negative_weight
    return odds * n_positive / (len(positive) - n_positive)


def _is_by_class(sample):
    """Whether the weights of a class are nearly equal, or there is a `prevalence`."""
    weights = (sample.weight[sample.data.positive == c] for c in (True, False))
    return sample.metric.prevalence is not None or all(
        kish_sample_size(weight) >= _NEARLY_EQUAL * len(weight) for weight in weights
    )
