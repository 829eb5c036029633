"""Warnings of the intervals and tests of an area that are not nominal.

The bounds are found as those of `_inference.doubts`.
"""

from .._inference.doubts import Doubt, what_is_wrong

# With fewer positives in the recall range, intervals are too narrow, or t tests reject too
# often.
_FEW_IN_RANGE = 5
# With fewer than `_FEWEST` samples, or clusters, of a class, intervals are mostly very
# wide. With fewer than `_FEW`, t tests are conservative.
_FEWEST, _FEW = 4, 10
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


def doubts_of_sizes(sample, result):
    """The doubt about a class with few samples."""
    if not sample.has_spread:
        return  # the undefined result has a warning of its own
    n_neg, n_pos = sample.n_units_by_class
    fewest, which = min((n_pos, "positive"), (n_neg, "negative"))
    few = _only(sample, fewest, which)
    if fewest < _FEWEST and result == "interval":
        yield Doubt(
            "Few positives or negatives",
            f"{few}. With fewer than {_FEWEST}, an interval is mostly very wide, and a "
            f"narrow one may be narrow by chance. Collect more {which}s.",
        )
    if fewest < _FEW and result == "comparison":
        yield Doubt(
            "Few positives or negatives",
            f"{few}. With fewer than {_FEW}, the t test is conservative and finds only "
            f"large differences. Collect more {which}s.",
        )


def doubts_of_range(sample, result):
    """The doubt about a recall range with few positives."""
    metric, n_pos = sample.metric, sample.effective_class_sizes[1]
    n_in_range = (metric.high - metric.low) * n_pos
    if sample.has_spread and not metric.is_whole and n_in_range < _FEW_IN_RANGE:
        unit = "positives" if sample.is_simple else f"effective {sample.unit_name}s"
        yield Doubt(
            "Few positives in a recall range",
            f"`recall_range`={metric.low, metric.high} holds only {n_in_range:.2g} "
            f"{unit}. With fewer than {_FEW_IN_RANGE}, {what_is_wrong(result)}. Widen the "
            "range, or collect more positives.",
        )


def doubts_of_interval(sample):
    """The doubts of the interval of a metric of both classes.

    They depend on the score; those of `doubts_of_samples` hold for every score.
    """
    if not sample.has_spread:
        return
    n_neg, _ = sample.n_units_by_class
    few = _only(sample, n_neg, "negative")
    if n_neg < _FEW_NEGATIVES and sample.prevalence > _HIGH_PREVALENCE:
        yield Doubt(
            "Few negatives at a high prevalence",
            f"{few}, at a prevalence above {_HIGH_PREVALENCE}. With fewer than "
            f"{_FEW_NEGATIVES}, intervals are too narrow if some negatives have far higher "
            "scores than the others. Collect more negatives.",
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
            "A low area with few positives",
            f"The area is only {float(value):.2g}, with {n_pos:.3g} positives. The upper "
            "limit is too low if the best-ranked positives of the population are not among "
            "these samples: collect more positives.",
        )


def doubts_of_df(df, sample):
    """The doubt of a standard error that a few of many samples determine."""
    n_smaller = min(sample.n_units_by_class)
    has_few = df < min(_FEW_DF, n_smaller / _DF_FACTOR)
    if not (has_few and sample.has_spread):
        return  # an undefined standard error has a warning of its own
    units = f"{sample.unit_name}s"
    yield Doubt(
        "A few samples determine the standard error",
        f"About {max(df / 2, 1):.0f} of {n_smaller} {units} determine the standard error "
        f"(degrees of freedom {df:.2g}). If such {units} are rare, data without them give "
        f"intervals that are too narrow. Collect more {units}.",
    )


def _only(sample, n, which):
    """That only n samples are of a class, or that only n clusters have samples of it."""
    if sample.clusters is None:
        return f"Only {n} samples are {which}"
    return f"Only {n} {sample.unit_name}s have {which}s"
