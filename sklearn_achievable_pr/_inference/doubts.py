"""Warnings of intervals and tests: what is undefined, and what is not nominal.

The bounds are those at which the coverage of 95 % intervals or the type I error rate at
0.05 left 0.92 or 0.075 in simulations (`coverage.py`, `few_positives.py` and
`few_samples.py` of `benchmarks/simulations/`).
"""

from typing import NamedTuple

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from .._input.arrays import is_constant, kish_sample_size
from .._input.options import CoverageWarning, warn_caller
from .._input.undefined import warn_undefined
from ..metrics._chance import REVERSED_SCORES, is_reversed

# An effective sample size of 1 in a class gives no information about the variance.
NO_SPREAD = 1 + 1e-13
# With fewer positives in the recall range, or a larger weight of a negative relative to a
# positive, intervals are too narrow, or t tests reject too often. Few heavy negatives also
# bias the estimate upwards, because precision is a convex function of the false positives:
# at a weight of 8 and a low AUC-PR, coverage is 0.90, at 4 it is 0.92.
_FEW_IN_RANGE, _HEAVY = 5, 5
# With fewer than `_FEWEST` samples, or clusters, of a class, intervals are mostly very
# wide. With fewer than `_FEW`, t tests are conservative.
_FEWEST, _FEW = 4, 10
# The clusters of a class are very unequal if their effective number is smaller than their
# number by this factor.
_UNEQUAL = 7
# With fewer negatives than this, and a higher prevalence, outliers among the negatives are
# often absent from the sample.
_FEW_NEGATIVES, _HIGH_PREVALENCE = 80, 0.5
# With at most `_FEW_BEST` positives, whose number times the area is below `_FEW_WORTH`,
# many data sets have none of the best-ranked positives. In simulations with areas from 0.05
# to 0.15, coverage was then 0.77 to 0.91. At a reference prevalence this number is twice as
# large, because fewer negatives determine the area.
_FEW_BEST, _FEW_WORTH = 60, 2
# A standard error rests on a few of many samples if its degrees of freedom are fewer than
# this, and fewer than the samples of the smaller class by this factor. m samples that
# contribute all of the variance give 2 m degrees of freedom.
_FEW_DF, _DF_FACTOR = 5, 8
# The weights of a class are nearly equal, like those of down-sampling, if the effective
# sample size is at least this share of the samples (a coefficient of variation of at most
# 0.23). Unequal weights, such as those of stratified samples, are valid at higher ratios of
# the classes.
_NEARLY_EQUAL = 0.95
# Negatives weigh far more than the positives if their weights are at least `_FAR_HEAVIER`
# times the largest weight of a positive. If such negatives have more than the share `_MUCH`
# of the weight of all negatives, the samples that they stand for may contain positives that
# are not known. In simulations coverage was then 0.22 to 0.93 (mean 0.88), and 0.95 in
# other samples of the same designs.
_FAR_HEAVIER, _MUCH = 3, 0.1
# A warning names at most this many models, subgroups or folds.
_MOST_NAMED = 5


class Doubt(NamedTuple):
    """A warning of a result: it is undefined or, by simulations, not nominal.

    Attributes
    ----------
    reason : str
        Of several doubts with one reason, only the first is a warning. The reason of a
        `CoverageWarning` is the heading of its section in ``doc/how_to/warnings.rst``.
    text : str
    category : type of Warning
    subject : str
        The model, subgroup, curve or fold that the text is about; empty if there is one.
    """

    reason: str
    text: str
    category: type[Warning] = CoverageWarning
    subject: str = ""

    def about(self, subject):
        """The doubt about a subject; that of a fold follows the one of its model."""
        return self._replace(subject=": ".join(filter(None, (subject, self.subject))))


# Doubts about the score itself; their texts hold for all models, subgroups and folds.
CONSTANT = Doubt(
    "constant score",
    "All samples have one score, so no sample is ranked above another. Check that the "
    "scores are those of the model, and were not rounded.",
    UserWarning,
)
REVERSED = Doubt("reversed scores", REVERSED_SCORES, UserWarning)


def warn_of(samples, what, method):
    """Warn of the result of each sample.

    Parameters
    ----------
    samples : dict of str to AreaSample, RateSample or MultilabelSample
        By the subject of the warning, such as "Subgroup 'a'", or "".
    what : {"interval", "rate"}
        Whether the interval of a metric, or of a rate at an operating point.
    method : str
    """
    doubts = []
    for subject, sample in samples.items():
        own = *sample.shared_doubts(what, method), *sample.own_doubts(what, method)
        doubts += [doubt.about(subject) for doubt in own]
    warn_once(doubts)


def warn_of_models(samples, pairs, test_method):
    """Warn of several scores of the same samples, and of their pairs.

    Parameters
    ----------
    samples : dict of str to AreaSample, RateSample or MultilabelSample
    pairs : dict of (str, str) to AucPRComparisonResult
    test_method : str
    """
    first = samples[next(iter(samples))]
    doubts = [*first.shared_doubts("comparison", test_method)]
    for name, sample in samples.items():
        own = sample.own_doubts("interval", "beta")
        doubts += [doubt.about(f"Model {name!r}") for doubt in own]
    for (a, b), pair in pairs.items():
        of_pair = samples[a].doubts_of_pair(samples[b], pair)
        doubts += [doubt.about(f"{a} - {b}") for doubt in of_pair]
    warn_once(doubts)


def warn_once(doubts):
    """One warning per reason: the text of the first `Doubt`, and how many there are.

    It names the subjects that share this text. The text of a `CoverageWarning` ends with
    the section that explains it.
    """
    by_reason: dict[str, list[Doubt]] = {}
    for doubt in doubts:
        by_reason.setdefault(doubt.reason, []).append(doubt)
    for same_reason in by_reason.values():
        first = same_reason[0]
        subjects = [doubt.subject for doubt in same_reason if doubt.text == first.text]
        named = subjects[:_MOST_NAMED]
        about = f"{', '.join(named)}: " if named[0] else ""
        n_more = len(same_reason) - len(named)
        more = f" {n_more} more like this." if n_more else ""
        if first.category is CoverageWarning:
            more += f' See "{first.reason}" in "Warnings, and what to do".'
        warn_caller(about + first.text + more, first.category)


def lacks_class(sample, what):
    """Whether a class is missing; if so, warn that `what` is undefined."""
    missing = missing_class(sample)
    if missing:
        warn_undefined(f"{missing}: {what} is undefined.")
    return bool(missing)


def missing_class(sample):
    """Which class is missing, as text; empty if none is."""
    if sample.has_both_classes:
        return ""
    missing = "negative" if sample.data.positive.any() else "positive"
    return f"No {missing} samples in `y_true`"


def no_spread(why):
    """The `Doubt` that the standard error is undefined."""
    return Doubt(
        "no spread",
        f"The spread between samples is unknown: {why}. The standard error is undefined, "
        "and an interval that needs it holds every possible value.",
        UndefinedMetricWarning,
    )


def doubts_of_samples(sample, what, method):
    """The doubts that hold for every score of the same samples.

    `what` is "interval", "rate" or "comparison", as for `warn_of`.
    """
    missing = missing_class(sample)
    if missing:
        result = "comparison" if what == "comparison" else "interval"
        text = f"{missing}: the {result} is undefined."
        yield Doubt("missing class", text, UndefinedMetricWarning)
        return
    n_neg, n_pos = sample.effective_class_sizes
    if min(n_pos, n_neg) <= NO_SPREAD:
        which = "positive" if n_pos <= n_neg else "negative"
        yield no_spread(
            f"all {which}s of `y_true`, or all their weight, are in one {sample.unit_name}"
        )
        return
    yield from doubts_of_clusters(sample)
    yield from _doubts_of_sizes(sample, what, method)
    prevalence, too_high = sample.reference_prevalence, "estimates are too high"
    # The union over points, and limits of a rate at a reference prevalence, are
    # conservative.
    if what != "rate" or (method == "beta" and prevalence is None):
        too_high += f", and {_what_is_wrong(what)}"
    yield from doubts_of_weights(sample.data, prevalence, too_high)


def _what_is_wrong(what):
    """What is not nominal about intervals or, with ``what="comparison"``, tests."""
    wrong = "intervals are too narrow"
    return f"{wrong} and tests reject too often" if what == "comparison" else wrong


def doubts_of_range(sample, what):
    """The doubt of few positives in the recall range of an area."""
    metric, n_pos = sample.metric, sample.effective_class_sizes[1]
    n_in_range = (metric.high - metric.low) * n_pos
    if sample.has_spread and not metric.is_whole and n_in_range < _FEW_IN_RANGE:
        unit = "positives" if sample.is_simple else f"effective {sample.unit_name}s"
        yield Doubt(
            "Few positives in a recall range",
            f"`recall_range`={metric.low, metric.high} holds only {n_in_range:.2g} "
            f"{unit}. With fewer than {_FEW_IN_RANGE}, {_what_is_wrong(what)}. Widen the "
            "range, or collect more positives.",
        )


def doubts_of_weights(data, prevalence, too_high="estimates are too high"):
    """The doubts of weights with which estimates are too high.

    `data` are `BinaryData` of both classes, and `too_high` says what negatives that weigh
    much lead to.
    """
    if data.weight is None and prevalence is None:
        return
    weight = weight_of_a_negative(data, prevalence)
    if weight > _HEAVY and (prevalence is not None or _is_by_class(data)):
        where = (
            "By `sample_weight`"
            if prevalence is None
            else f"At `prevalence`={prevalence:g}"
        )
        n_needed = np.ceil(np.count_nonzero(~data.positive) * weight / _HEAVY)
        yield Doubt(
            "Negatives that count as many positives",
            f"{where} each negative weighs as much as {weight:.3g} positives. With more "
            f"than {_HEAVY}, {too_high}. Collect, or keep, at least {n_needed:.9g} "
            "negatives.",
        )
    if data.weight is None:
        return
    negatives, positives = (data.weight[data.positive == c] for c in (False, True))
    # A constant factor of a class, such as that of a reference prevalence, does not matter.
    by_class = max(negatives.min() / positives.min(), 1.0)
    is_heavy = negatives >= _FAR_HEAVIER * by_class * positives.max()
    if negatives[is_heavy].sum() > _MUCH * negatives.sum():
        yield Doubt(
            "No positive among the heaviest samples",
            "No positive is among the samples of the largest weights (up to "
            f"{negatives.max():.3g}; positives weigh at most {positives.max():.3g}): "
            "recall and AUC-PR are too high, and their intervals too narrow. Label more "
            "samples of these weights.",
        )


def doubts_of_clusters(sample):
    """The doubt of a class that is spread unequally over the clusters."""
    if sample.clusters is None:
        return
    sizes = zip(sample.n_units_by_class, sample.effective_class_sizes, strict=True)
    for name, (n, n_effective) in zip(("negatives", "positives"), sizes, strict=True):
        if _UNEQUAL * n_effective < n:
            units = f"{sample.unit_name}s"
            yield Doubt(
                "Classes spread unequally over clusters",
                f"The {name} are spread very unequally over the {units}: {n} {units} with "
                f"{name} count as {n_effective:.2g}. Intervals may be too narrow, and t "
                "tests may reject too often (in simulations, 95 % intervals contained the "
                "true value in 0.88 to 0.94 of the data sets).",
            )
            return


def _doubts_of_sizes(sample, what, method):
    """The doubts of few samples."""
    n_neg, n_pos = sample.n_units_by_class
    fewest, which = min((n_pos, "positive"), (n_neg, "negative"))
    few = only(sample, fewest, which)
    if fewest < _FEWEST and what == "interval":
        yield Doubt(
            "Few positives or negatives",
            f"{few}. With fewer than {_FEWEST}, an interval is mostly very wide, and a "
            f"narrow one may be narrow by chance. Collect more {which}s.",
        )
    if fewest < _FEW and what == "comparison" and method == "influence":
        yield Doubt(
            "Few positives or negatives",
            f"{few}. With fewer than {_FEW}, the t test is conservative and finds only "
            f"large differences. Collect more {which}s.",
        )


def only(sample, n, which):
    """That only n samples are of a class, or that only n clusters have samples of it."""
    if sample.clusters is None:
        return f"Only {n} samples are {which}"
    return f"Only {n} {sample.unit_name}s have {which}s"


def doubts_of_ranking(sample, is_above_chance=False):
    """The doubts of a score that has one value, or that may be reversed.

    A score of which it is known that it is above chance is not reversed.
    """
    if not sample.has_both_classes:
        return
    if is_constant(sample.data.score):
        yield CONSTANT
    elif not is_above_chance and sample.is_reversed:
        yield REVERSED


def doubts_of_folds(samples, n_repeats):
    """The doubts of the scores of folds, given as a dict from their numbers to samples.

    Whether scores are reversed is said of the mean over the folds, because single folds
    have few samples. `n_repeats` is the mean number of folds that test a sample.

    The test samples of each fold train the models of the others, which about doubles the
    variance of the mean (Nadeau and Bengio 2003).
    """
    for number, sample in samples.items():
        if is_constant(sample.data.score):
            yield CONSTANT.about(f"Fold {number}")
    rocs = [sample.roc_at_turns() for sample in samples.values()]
    sizes = [sample.effective_class_sizes for sample in samples.values()]
    if is_reversed(rocs, sizes, 2 * n_repeats):
        yield REVERSED


def doubts_of_interval(sample):
    """The doubts of the interval of a metric of both classes.

    They depend on the score; those of `doubts_of_samples` hold for every score.
    """
    if sample.min_effective_class_size <= NO_SPREAD:
        return
    n_neg, _ = sample.n_units_by_class
    if n_neg < _FEW_NEGATIVES and sample.prevalence > _HIGH_PREVALENCE:
        yield Doubt(
            "Few negatives at a high prevalence",
            f"{only(sample, n_neg, 'negative')}, at a prevalence above {_HIGH_PREVALENCE}. "
            f"With fewer than {_FEW_NEGATIVES}, intervals are too narrow if some negatives "
            "have far higher scores than the others. Collect more negatives.",
        )
    yield from _doubts_of_low_area(sample)


def _doubts_of_low_area(sample):
    """The doubt of a low area: the best-ranked positives may not be among the samples.

    n positives with the area A contribute to it as much as n A positives with precision 1.
    """
    n_pos, metric = sample.effective_class_sizes[1], sample.metric
    if n_pos > _FEW_BEST:
        return
    value = sample.value / metric.highest
    if metric.entry.needs_negatives:  # a normalized metric is lower than the area
        area = metric._replace(name="auc_pr_interpolated")
        value = area.value(sample.roc_at_turns()) / area.highest
    least = _FEW_WORTH if metric.prevalence is None else 2 * _FEW_WORTH
    if n_pos * value < least:
        yield Doubt(
            "A low area of few positives",
            f"The area is only {float(value):.2g}, with {n_pos:.3g} positives. The upper "
            "limit is too low if the best-ranked positives of the population are not among "
            "these samples: collect more positives.",
        )


def doubts_of_df(df, sample):
    """The doubt of a standard error that a few of many samples determine."""
    n_smaller = min(sample.n_units_by_class)
    if df is None or not df < min(_FEW_DF, n_smaller / _DF_FACTOR):
        return
    if sample.min_effective_class_size <= NO_SPREAD:
        return  # the undefined standard error has a warning of its own
    units = f"{sample.unit_name}s"
    yield Doubt(
        "A few samples determine the standard error",
        f"About {max(df / 2, 1):.0f} of {n_smaller} {units} determine the standard error "
        f"(degrees of freedom {df:.2g}). If such {units} are rare, data without them give "
        f"intervals that are too narrow. Collect more {units}.",
    )


def weight_of_a_negative(data, prevalence):
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
