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

# With a larger weight of a negative relative to a positive, intervals are too narrow, or t
# tests reject too often. Few heavy negatives also bias the estimate upwards, because
# precision is a convex function of the false positives: at a weight of 8 and a low AUC-PR,
# coverage is 0.90, at 4 it is 0.92.
_HEAVY = 5
# The clusters of a class are very unequal if their effective number is smaller than their
# number by this factor.
_UNEQUAL = 7
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


def warn_of(samples):
    """Warn of the interval of each sample.

    Parameters
    ----------
    samples : dict of str to AreaSample, RateSample or MultilabelSample
        By the subject of the warning, such as "Subgroup 'a'", or "".
    """
    doubts = []
    for subject, sample in samples.items():
        own = *sample.shared_doubts("interval"), *sample.own_doubts()
        doubts += [doubt.about(subject) for doubt in own]
    warn_once(doubts)


def warn_of_models(samples, pairs):
    """Warn of several scores of the same samples, and of their pairs.

    Parameters
    ----------
    samples : dict of str to AreaSample, RateSample or MultilabelSample
    pairs : dict of (str, str) to AucPRComparisonResult
    """
    first = samples[next(iter(samples))]
    doubts = [*first.shared_doubts("comparison")]
    for name, sample in samples.items():
        doubts += [doubt.about(f"Model {name!r}") for doubt in sample.own_doubts()]
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


def doubts_of_samples(sample, result, is_conservative=False):
    """The doubts that hold for every score of the same samples.

    Parameters
    ----------
    sample : Sample
    result : {"interval", "comparison"}
        What the doubts are about.
    is_conservative : bool, default=False
        Whether limits are conservative, so that heavy negatives make only the estimates too
        high.
    """
    missing = missing_class(sample)
    if missing:
        text = f"{missing}: the {result} is undefined."
        yield Doubt("missing class", text, UndefinedMetricWarning)
        return
    if not sample.has_spread:
        n_neg, n_pos = sample.effective_class_sizes
        which = "positive" if n_pos <= n_neg else "negative"
        yield no_spread(
            f"all {which}s of `y_true`, or all their weight, are in one {sample.unit_name}"
        )
        return
    yield from doubts_of_clusters(sample)
    too_high = "estimates are too high"
    if not is_conservative:
        too_high += f", and {what_is_wrong(result)}"
    yield from doubts_of_weights(sample.data, sample.reference_prevalence, too_high)


def what_is_wrong(result):
    """What is not nominal about an "interval" or, with its test, about a "comparison"."""
    wrong = "intervals are too narrow"
    return f"{wrong} and tests reject too often" if result == "comparison" else wrong


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


def doubts_of_ranking(sample, is_above_chance=False):
    """The doubts of a score that has one value, or that may be reversed.

    A score that is known to be above chance is not reversed.
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
