"""Checks of the arguments of intervals and tests."""

import contextlib
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .._input.arrays import (
    as_array,
    check_has_entries,
    check_in_memory,
    check_weight,
    has_missing,
    is_constant,
    is_missing,
    on_host,
)
from .._input.frames import check_order, column_names
from .._input.labels import check_binary_or_labels, check_scores, encoded
from .._input.options import (
    AVERAGES,
    check_inside,
    check_option,
    is_one_of,
    listed,
)
from ._averages import MultilabelSample
from ._samples import Sample, shared_clusters

# The coverage was simulated for these averages over labels and metrics.
SIMULATED_AVERAGES = ("macro", "weighted", "micro")
SIMULATED_METRICS = ("auc_pr_interpolated", "aucnpr", "average_precision")

# This value of `reference` means all samples outside the subgroup.
REST = "rest"
# More different numbers with a fraction are measurements, not labels of subgroups.
_MOST_FRACTIONS = 20
# 100 subgroups have 4,950 pairs. 1,000 subgroups took 20 s and 1 GB.
_MOST_PAIRS = 5000


class Design(NamedTuple):
    """How the samples were drawn and labeled, named as the public arguments are."""

    pos_label: Any = None
    sample_weight: Any = None
    groups: Any = None


def design_of(y_true, pos_label, sample_weight, groups):
    """The `Design` without equal weights, which intervals and tests do not depend on."""
    if sample_weight is not None:
        weight = as_array(sample_weight, "sample_weight").ravel()
        # Other weights, also those of another length, are checked with the labels.
        is_valid = weight.dtype.kind in "iuf" and weight.shape == np.shape(y_true)[:1]
        if is_valid and 0 < weight[0] < np.inf and is_constant(weight):
            sample_weight = None
    return Design(pos_label, sample_weight, groups)


class Options(NamedTuple):
    """Options of an interval or a test, named as the public arguments are."""

    method: str
    confidence_level: float = 0.95
    alternative: str = "two-sided"

    @property
    def tail(self):
        """Probability beyond each limit of the interval."""
        n_sides = 2 if self.alternative == "two-sided" else 1
        return (1 - self.confidence_level) / n_sides

    def fields(self):
        """The options that a result shows, as its keywords."""
        names = "method", "confidence_level", "alternative"
        return {name: getattr(self, name) for name in names}


def check_samples(metric, y_true, scores, average, design, *, by_sample):
    """The sample of each score: a `MultilabelSample` if the scores have columns.

    Parameters
    ----------
    metric : MetricWithOptions
    y_true : array-like
    scores : dict of str to array-like
        By the names of their arguments.
    average : str
    design : Design
    by_sample : bool
        Whether the influence of each sample is needed, as for differences.

    Returns
    -------
    list of Sample, or of MultilabelSample
    """
    if is_multilabel(metric, scores, average, design):
        check_order(y_true=y_true, **scores, groups=design.groups)
        targets = [
            check_binary_or_labels(y_true, score, design.pos_label, None, name)
            for name, score in scores.items()
        ]
        # The check of `groups` needs only the length of a column of labels.
        clusters = shared_clusters(check_clusters(targets[0].positive[:, 0], design))
        return [MultilabelSample(metric, target, average, *clusters) for target in targets]
    # Scores are checked first. If `y_true` is too short, the error is then about `y_true`,
    # and not about `groups`.
    checked = check_scores(y_true, scores, **design._asdict())
    clusters = shared_clusters(check_clusters(y_true, design))
    return [Sample.of(metric, data, *clusters, by_sample=by_sample) for data in checked]


def is_multilabel(metric, scores, average, design):
    """Whether scores have a column per label; options that were not simulated raise."""
    if is_one_of(average, AVERAGES) and average not in SIMULATED_AVERAGES:
        raise ValueError(
            f"`average` must be one of {', '.join(map(repr, SIMULATED_AVERAGES))} here. "
            f"Got {average!r}: compute values per label or sample with "
            "`auc_pr_interpolated`, or the interval of one label at a time, "
            "`y_true[:, i], y_score[:, i]`."
        )
    check_option(average, "average", SIMULATED_AVERAGES)
    if not any_columns(scores):
        return False
    is_used = {
        f"`metric`={metric.name!r}": metric.name not in SIMULATED_METRICS,
        "`sample_weight`": design.sample_weight is not None,
        "`recall_range`": (metric.low, metric.high) != (0.0, 1.0),
        "`prevalence`": metric.prevalence is not None,
    }
    not_simulated = [name for name, used in is_used.items() if used]
    if not_simulated:
        raise ValueError(
            f"Averages over labels have no interval with {' and '.join(not_simulated)}: "
            "its coverage is not known. Leave it out (`metric` can be one of "
            f"{SIMULATED_METRICS}), or pass one label at a time, `y_true[:, i], "
            "y_score[:, i]`."
        )
    return True


def any_columns(scores):
    """Whether any of several scores, by the names of their arguments, has columns."""
    return any(_has_columns(score, name) for name, score in scores.items())


def _has_columns(score, name):
    """Whether scores have several columns."""
    shape = getattr(score, "shape", None)
    if shape is None:
        is_table = isinstance(score, Sequence) and len(score) and np.ndim(score[0]) > 0
        if not is_table:
            return False
        shape = as_array(score, name).shape
    return len(shape) == 2 and shape[1] > 1


def check_clusters(y_true, design):
    """Clusters of the samples of positive weight, as integers; None stays None."""
    if design.groups is None:
        return None
    return check_parts(design.groups, "groups", y_true, design.sample_weight)[1]


def check_parts(labels, name, y_true, sample_weight):
    """Distinct labels, and the index of the label of each sample of positive weight.

    `y_true` has been checked: only its length is used.
    """
    given, labels = labels, on_host(labels, name)
    check_has_entries(given, labels, name)
    n_samples = y_true.shape[0] if hasattr(y_true, "shape") else len(y_true)
    if labels.shape not in ((n_samples,), (n_samples, 1)):
        way_out = " Combine several columns into one label." * (labels.ndim > 1)
        raise ValueError(
            f"`{name}` must have one label for each of the {n_samples} samples. Got shape "
            f"{labels.shape}.{way_out}"
        )
    labels = labels.ravel()
    if sample_weight is not None:
        labels = labels[check_weight(sample_weight, n_samples) > 0]
    is_valid = False
    with contextlib.suppress(TypeError):  # labels may be missing, or have several types
        distinct, index = encoded(labels)
        is_valid = not has_missing(distinct)
    if not is_valid:
        values = labels.tolist()
        types = ", ".join(sorted({type(label).__name__ for label in values}))
        raise ValueError(
            f"`{name}` must be all strings or all numbers, and have no missing labels "
            f"(None or NaN). Got {sum(map(is_missing, values))} missing labels, and the "
            f"types {types}. Give each of these samples a label, or drop them."
        )
    return distinct, index


def check_subgroups(by, y_true, sample_weight, reference):
    """Dict from the label of each subgroup to whether each sample belongs to it.

    Labels are sorted, but ordered categories of pandas keep their order.
    """
    names, index = check_parts(by, "by", y_true, sample_weight)
    # `tolist` would turn times with nanoseconds into integers.
    names = [*names] if names.dtype.kind in "mM" else names.tolist()
    if len(names) < 2:
        raise ValueError(
            f"`by` must have at least two subgroups. Got only {names[0]!r}. For one sample "
            "use `auc_pr_interval`."
        )
    check_option(reference, "reference", (None, REST, *names))
    if reference == REST and REST in names:
        raise ValueError(
            f"`reference`={REST!r} is all other samples, but a subgroup of `by` has this "
            "name. Rename the subgroup."
        )
    _check_few_subgroups(names, reference)
    order = range(len(names))
    if getattr(getattr(by, "dtype", None), "ordered", False):
        order = np.argsort(by.dtype.categories.get_indexer(names))
    return {names[i]: index == i for i in order}


def _check_few_subgroups(names, reference):
    """Raise `ValueError` for measurements, and for more pairs than a table can show."""
    fractions = [name for name in names if isinstance(name, float) and name % 1 != 0]
    if len(fractions) > _MOST_FRACTIONS:
        raise ValueError(
            "`by` must have one label per subgroup. Got "
            f"{len(names)} different numbers, such as {fractions[0]:.4g}: cut them into "
            "classes, e.g. `pd.qcut(by, 4)`."
        )
    n_pairs = len(names) if reference is not None else math.comb(len(names), 2)
    if n_pairs > _MOST_PAIRS:
        way_out = "merge small subgroups"
        if reference is None:
            way_out = f"pass one of them, or {REST!r}, as `reference`, or {way_out}"
        raise ValueError(
            f"`by` must have at most {_MOST_PAIRS} pairs of subgroups. Got {n_pairs} pairs "
            f"of {len(names)} subgroups: {way_out}."
        )


def check_level(options):
    """The `Options` with a checked alternative and confidence level."""
    check_option(options.alternative, "alternative", ("two-sided", "less", "greater"))
    level = check_inside(options.confidence_level, "confidence_level", 0, 1)
    return options._replace(confidence_level=level)


def exactly_one(**options):
    """Name and value of the only option that is not None."""
    given = {name: value for name, value in options.items() if value is not None}
    if len(given) != 1:
        names = ", ".join(f"`{name}`" for name in options)
        raise ValueError(f"Pass exactly one of {names}. Got {', '.join(given) or 'none'}.")
    return next(iter(given.items()))


def by_name(models, argument, what):
    """Dict from the name of each model to its `what`, from a mapping or a DataFrame."""
    check_in_memory(models, argument)
    is_table = isinstance(models, Mapping) or hasattr(models, "columns")
    names = column_names(models) or getattr(models, "columns", models)
    names = [*names] if is_table else []
    if len({name for name in names if isinstance(name, str)}) < max(2, len(names)):
        got = listed(names) if is_table else type(models).__name__
        if len(names) == 1:
            got = f"only {names[0]!r}"
        raise TypeError(
            f"`{argument}` must have at least two models: a mapping from different names, "
            f"which are strings, to {what}. Got {got}."
        )
    return {name: models[name] for name in names}
