"""Checks of the arguments of intervals and tests."""

import contextlib
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from .._input.arrays import check_weight, has_missing, is_missing, on_host
from .._input.frames import column_names
from .._input.labels import check_scores, encoded
from .._input.options import (
    check_inside,
    check_integer,
    check_option,
    check_random_state,
    listed,
)
from ._inference import N_PERMUTATIONS, N_RESAMPLES
from ._samples import Sample, has_equal_weights, of_several

# The value of `reference` for all samples outside the subgroup.
REST = "rest"


class Design(NamedTuple):
    """How the samples were drawn and labeled, named as the public arguments are."""

    pos_label: Any = None
    sample_weight: Any = None
    groups: Any = None


def check_samples(metric, y_true, design, options, **scores):
    """The `Sample` of each score.

    Parameters
    ----------
    metric : MetricWithOptions
    y_true : array-like
    design : Design
    options : Options
        Their method is that of the interval or the test, or "points".
    **scores : array-like
        By the names of their arguments.

    Returns
    -------
    list of Sample
    """
    # First the scores: with a short `y_true`, `groups` have the right length.
    checked = check_scores(y_true, scores, **design._asdict())
    clusters, method = check_clusters(y_true, design), options.method
    every_threshold = method in ("permutation", "points")
    # Samples that are alike share one influence value, which needs no order.
    need_order = clusters is not None or method != "beta"
    with_order = need_order and method != "points"
    samples = []
    for data in checked:
        # At points, k and the numbers in results are totals of the weights.
        if method != "points" and has_equal_weights(data):
            data = data._replace(weight=None)
        roc = metric.roc_of(data, every_threshold=every_threshold, with_order=with_order)
        samples.append(Sample(metric, data, roc, *of_several(clusters)))
    return samples


def check_clusters(y_true, design):
    """Clusters of the samples of positive weight, as integers; None stays None."""
    if design.groups is None:
        return None
    return check_parts(design.groups, "groups", y_true, design.sample_weight)[1]


def check_parts(labels, name, y_true, sample_weight):
    """Distinct labels, and the index of the label of each sample of positive weight.

    `y_true` has been checked: only its length is used.
    """
    labels = on_host(labels, name)
    n_samples = y_true.shape[0] if hasattr(y_true, "shape") else len(y_true)
    if labels.shape not in ((n_samples,), (n_samples, 1)):
        raise ValueError(
            f"`{name}` must have one label for each of the {n_samples} samples. Got shape "
            f"{labels.shape}. Combine several columns into one label."
        )
    labels = labels.ravel()
    if sample_weight is not None:
        labels = labels[check_weight(sample_weight, n_samples) > 0]
    is_valid = False
    with contextlib.suppress(TypeError):  # missing labels, or labels of several types
        distinct, index = encoded(labels)
        is_valid = not has_missing(distinct)
    if not is_valid:
        found = labels.tolist()
        types = ", ".join(sorted({type(label).__name__ for label in found}))
        raise ValueError(
            f"`{name}` must be all strings or all numbers, and have no missing labels "
            f"(None or NaN). Got {sum(map(is_missing, found))} missing labels, and the "
            f"types {types}. Give each of these samples a label, or drop them."
        )
    return distinct, index


def check_subgroups(by, y_true, sample_weight, reference):
    """Dict from the label of each subgroup to whether each sample belongs to it.

    Labels are sorted, but ordered categories of pandas keep their order.
    """
    names, index = check_parts(by, "by", y_true, sample_weight)
    # NumPy would make integers of times with nanoseconds.
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
    order, dtype = range(len(names)), getattr(by, "dtype", None)
    if getattr(dtype, "ordered", False):
        order = np.argsort(dtype.categories.get_indexer(names))
    return {names[i]: index == i for i in order}


def check_options(metric, methods, options):
    """The `Options` of an interval or a test, checked; "auto" is the first of `methods`."""
    # A check would change the state of a RandomState.
    if not isinstance(options.random_state, np.random.RandomState | None):
        check_random_state(options.random_state)
    name = "method"
    if metric.entry.influence is None:
        name = f"method` of the metric `{metric.name}"
    check_option(options.method, name, ("auto", *methods))
    method = methods[0] if options.method == "auto" else options.method
    options = check_level(options._replace(method=method))
    n_resamples, least, why = options.n_resamples, 2, ""
    if n_resamples is None:
        n_resamples = N_PERMUTATIONS if method == "permutation" else N_RESAMPLES
    else:
        n_resamples = check_integer(n_resamples, "n_resamples")
    if method == "percentile":
        # The k-th smallest of B resamples is their quantile at k / (B + 1).
        least = max(2, math.ceil(1 / options.tail - 1e-9) - 1)
        why = f" for percentile limits at `confidence_level`={options.confidence_level}"
    if n_resamples < least:
        raise ValueError(f"`n_resamples` must be at least {least}{why}. Got {n_resamples}.")
    return options._replace(n_resamples=n_resamples)


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
    is_table = isinstance(models, Mapping) or hasattr(models, "columns")
    names = column_names(models) or getattr(models, "columns", models)
    names = [*names] if is_table else []
    if len({name for name in names if isinstance(name, str)}) < max(2, len(names)):
        raise TypeError(
            f"`{argument}` must be a mapping of at least two different names, which are "
            f"strings, to {what}. "
            f"Got {listed(names) if is_table else type(models).__name__}."
        )
    return {name: models[name] for name in names}
