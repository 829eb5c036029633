"""Warnings of intervals and tests: what is undefined, and what is not nominal.

The bounds are those at which the coverage of 95 % intervals or the type I error rate at
0.05 left 0.92 or 0.075 in simulations (`coverage.py`, `few_positives.py` and
`few_samples.py` of `benchmarks/simulations/`).
"""

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from .._input.arrays import kish_sample_size
from .._input.options import CoverageWarning, warn_caller
from .._input.undefined import warn_undefined

# An effective sample size of 1 in a class gives no information about the variance.
NO_SPREAD = 1 + 1e-13
# With fewer positives in the recall range, or a larger weight of a negative relative to a
# positive, intervals are too narrow, or t tests reject too often. Few heavy negatives also
# bias the estimate upwards, because precision is a convex function of the false positives:
# at a weight of 8 and a low AUC-PR, coverage is 0.90, at 4 it is 0.92.
_FEW_IN_RANGE, _HEAVY = 5, 5
# Intervals with fewer samples, or clusters, of a class are mostly very wide. With few of
# them t tests are conservative.
_FEWEST, _FEW = 4, 10
# Clusters of a class that count, by their effective number, as fewer by this factor.
_UNEQUAL = 7
# Outliers among fewer negatives, above this prevalence, are often absent from the sample.
_FEW_NEGATIVES, _HIGH_PREVALENCE = 80, 0.5
# Percentile intervals of the hull are too narrow with fewer positives, or above this value.
_FEW_FOR_HULL, _HIGH_FOR_HULL = 50, 0.9
# A standard error rests on a few of many samples if its degrees of freedom are fewer than
# this, and fewer than the samples of the smaller class by this factor. m samples that
# contribute all of the variance give 2 m degrees of freedom.
_FEW_DF, _DF_FACTOR = 5, 8
# Weights of a class with at least this effective sample size per sample (a coefficient of
# variation of at most 0.23) are those of down-sampling. Unequal weights, as of stratified
# samples, are valid at higher ratios of the classes.
_NEARLY_EQUAL = 0.95
# Negatives weigh far more than the positives if their weights are at least this multiple of
# the largest weight of a positive. Where such negatives have more than this share of the
# weight of all negatives, no positive may be known among the samples that they stand for:
# coverage was 0.22 to 0.93 then, mean 0.88, and 0.95 in other samples of the same designs.
_FAR_HEAVIER, _MUCH = 3, 0.1


def lacks_class(sample, what, subject=""):
    """Whether a class is missing; if so, warn that `what` is undefined."""
    if sample.has_both_classes:
        return False
    missing = "negative" if sample.data.positive.any() else "positive"
    warn_undefined(f"{subject}No {missing} samples in `y_true`: {what} is undefined.")
    return True


def warn_no_spread(why, subject=""):
    """Warn that the standard error is undefined."""
    warn_caller(
        f"{subject}The spread between samples is unknown: {why}. The standard error is "
        "undefined, and an interval that needs it holds every possible value.",
        UndefinedMetricWarning,
    )


def warn_of_data(samples, what, method, further=()):
    """Warn if a result is undefined or, by simulations, not nominal.

    Parameters
    ----------
    samples : dict of str to Sample
        By the words that a warning starts with, such as "Subgroup 'a': ", or "".
    what : {"interval", "rate", "comparison"}
        Whether the interval of a metric, the interval of a rate at an operating point, or a
        comparison of two scores.
    method : str
    further : iterable of pairs of str
        Further reasons and texts, as for `warn_once`.
    """
    found = []
    for subject, sample in samples.items():
        if lacks_class(sample, f"the {what}".replace("rate", "interval"), subject):
            continue
        n_neg, n_pos = sample.effective_class_sizes
        if min(n_pos, n_neg) <= NO_SPREAD:
            which = "positive" if n_pos <= n_neg else "negative"
            unit = "sample" if sample.clusters is None else "cluster"
            why = f"all {which} samples of `y_true`, or all their weight, are one {unit}"
            warn_no_spread(why, subject)
            continue
        doubts = [*_doubts(sample, what, method)]
        if what == "interval":
            doubts += doubts_of_interval(sample, method)
        found += with_subject(subject, doubts)
    warn_once([*found, *further])


def warn_of_models(samples, pairs, method, test_method):
    """Warn of models by name, and of their pairs, a dict from two names to the result.

    `method` is that of the intervals, `test_method` that of the tests.
    """
    doubts = []
    for subject, sample in by_model(samples).items():
        doubts += with_subject(subject, doubts_of_interval(sample, method))
    for (a, b), pair in pairs.items():
        doubts += with_subject(f"{a} - {b}: ", doubts_of_df(pair.df, samples[a]))
    first = samples[next(iter(samples))]
    warn_of_data({"": first}, "comparison", test_method, further=doubts)


def by_model(samples):
    """Dict from the words that a warning starts with to the sample of each model."""
    return {f"Model {name!r}: ": sample for name, sample in samples.items()}


def with_subject(subject, doubts):
    """Pairs of a reason and a text, which starts with the subject."""
    return [(reason, f"{subject}{text}") for reason, text in doubts]


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


def _doubts(sample, what, method):
    """Pairs of a reason and a text that says why a result is not nominal."""
    yield from _doubts_of_sizes(sample, what, method)
    metric, wrong = sample.metric, "intervals are too narrow"
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
    too_high = "estimates are too high"
    # Likelihood limits, and those of a rate at a reference prevalence, are conservative.
    if what != "rate" or (method == "beta" and metric.prevalence is None):
        too_high += f", and {wrong}"
    yield from doubts_of_weights(sample.data, metric.prevalence, too_high)


def doubts_of_weights(data, prevalence, too_high="estimates are too high"):
    """Pairs of a reason and a text, for weights with which estimates are too high.

    `data` are `BinaryData` of both classes, and `too_high` says what negatives that weigh
    much lead to.
    """
    if data.weight is None and prevalence is None:
        return
    weight = _weight_of_a_negative(data, prevalence)
    if weight > _HEAVY and (prevalence is not None or _is_by_class(data)):
        where = (
            "By `sample_weight`"
            if prevalence is None
            else f"At `prevalence`={prevalence:g}"
        )
        n_needed = np.ceil(np.count_nonzero(~data.positive) * weight / _HEAVY)
        yield (
            "weights",
            f"{where} each negative counts as {weight:.3g} positives. With more than "
            f"{_HEAVY}, {too_high}. Collect at least {n_needed:.9g} negatives.",
        )
    if data.weight is None:
        return
    negatives, positives = (data.weight[data.positive == c] for c in (False, True))
    # A constant factor of a class, such as that of a prevalence, does not count.
    by_class = max(negatives.min() / positives.min(), 1.0)
    is_heavy = negatives >= _FAR_HEAVIER * by_class * positives.max()
    if negatives[is_heavy].sum() > _MUCH * negatives.sum():
        yield (
            "no heavy positive",
            "No positive is among the samples of the largest weights (up to "
            f"{negatives.max():.3g}; positives weigh at most {positives.max():.3g}): "
            "recall and AUC-PR are too high, and their intervals too narrow. Label more "
            "samples of these weights.",
        )


def _doubts_of_sizes(sample, what, method):
    """Pairs of a reason and a text, for few samples and for very unequal clusters."""
    n_neg, n_pos = sample.n_units_by_class
    fewest, which = min((n_pos, "positive"), (n_neg, "negative"))
    few = f"Only {fewest} samples are {which}"
    if sample.clusters is not None:
        few = f"Only {fewest} clusters have {which}s"
        for name, n, n_effective in zip(
            ("negatives", "positives"),
            sample.n_units_by_class,
            sample.effective_class_sizes,
            strict=True,
        ):
            if _UNEQUAL * n_effective < n:
                yield (
                    "unequal clusters",
                    f"The clusters are of very unequal size: {n} with {name} count as "
                    f"{n_effective:.2g}. Intervals may be too narrow, and t tests may "
                    "reject too often (coverage 0.88 to 0.94 of 0.95 in simulations).",
                )
                break
    if fewest < _FEWEST and what == "interval":
        yield (
            "few samples",
            f"{few}: with fewer than {_FEWEST} an interval is mostly very wide, and a "
            "narrow one may be so by chance. Collect more.",
        )
    if fewest < _FEW and what == "comparison" and method == "influence":
        yield (
            "few samples",
            f"{few}: below {_FEW} the t test is conservative and finds only large "
            "differences. Collect more.",
        )


def doubts_of_interval(sample, method):
    """Pairs of a reason and a text that says why the interval of a metric is not nominal.

    These depend on the score; the others hold for every score of the same samples.
    """
    if not sample.has_both_classes or sample.min_effective_class_size <= NO_SPREAD:
        return
    n_neg, n_pos = sample.n_units_by_class
    if n_neg < _FEW_NEGATIVES and n_pos > n_neg * _HIGH_PREVALENCE / (1 - _HIGH_PREVALENCE):
        yield (
            "few negatives",
            f"Only {n_neg} negatives at a prevalence above {_HIGH_PREVALENCE}: "
            f"below {_FEW_NEGATIVES} intervals are too narrow if some negatives have far "
            "higher scores than the others. Collect more negatives.",
        )
    is_hull = sample.metric.entry.curve == "achievable"
    is_high = sample.value > _HIGH_FOR_HULL * sample.metric.highest
    if is_hull and (n_pos < _FEW_FOR_HULL or is_high):
        yield (
            "hull",
            f"Intervals of the achievable curve are too narrow with fewer than "
            f"{_FEW_FOR_HULL} positives or above {_HIGH_FOR_HULL}. Got {n_pos} positives "
            f"and {sample.value:.3g}. The curve without the hull has a beta interval.",
        )
    if method == "beta":
        yield from doubts_of_df(sample.proportion.df, sample)


def doubts_of_df(df, sample):
    """The reason and the text of a standard error that rests on a few of many samples."""
    n_smaller = min(sample.n_units_by_class)
    if df is None or not df < min(_FEW_DF, n_smaller / _DF_FACTOR):
        return
    if sample.min_effective_class_size <= NO_SPREAD:
        return  # the standard error is undefined, with a warning of its own
    units = "samples" if sample.clusters is None else "clusters"
    yield (
        "degrees of freedom",
        f"About {max(df / 2, 1):.0f} of {n_smaller} {units} determine the standard error "
        f"(degrees of freedom {df:.2g}). If such {units} are rare, data without them give "
        f"intervals that are too narrow. Collect more {units}.",
    )


def _weight_of_a_negative(data, prevalence):
    """Mean weight of a negative, relative to that of a positive."""
    positive, n_positive = data.positive, np.count_nonzero(data.positive)
    if prevalence is None:
        odds = float(data.weight[~positive].sum() / data.weight[positive].sum())
    else:
        odds = (1 - prevalence) / prevalence
    return odds * n_positive / (len(positive) - n_positive)


def _is_by_class(data):
    """Whether the weights of each class are nearly equal."""
    weights = (data.weight[data.positive == c] for c in (True, False))
    return all(
        kish_sample_size(weight) >= _NEARLY_EQUAL * len(weight) for weight in weights
    )
