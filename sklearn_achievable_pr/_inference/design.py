"""How samples were drawn and labeled, and the options of an interval or a test."""

import contextlib
from collections.abc import Mapping
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
    n_samples_of,
    on_host,
)
from .._input.frames import column_names
from .._input.labels import encoded
from .._input.options import (
    check_inside,
    check_option,
    listed,
)


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

    confidence_level: float = 0.95
    alternative: str = "two-sided"

    @property
    def tail(self):
        """Probability beyond each limit of the interval."""
        n_sides = 2 if self.alternative == "two-sided" else 1
        return (1 - self.confidence_level) / n_sides

    def fields(self):
        """The options that a result shows, as its keywords."""
        return self._asdict()


def check_clusters(y_true, design):
    """Clusters of the samples of positive weight, as integers; None stays None."""
    if design.groups is None:
        return None
    return check_parts(design.groups, "groups", y_true, design.sample_weight)[1]


def shared_clusters(clusters):
    """The fields `clusters` and `is_grouped` of a `Sample`.

    If each cluster has one sample, the samples are independent, so clusters are dropped.
    """
    if clusters is None:
        return None, False
    is_each_alone = clusters.max() + 1 == len(clusters)
    return None if is_each_alone else clusters, True


def check_parts(labels, name, y_true, sample_weight):
    """Distinct labels, and the index of the label of each sample of positive weight.

    `y_true` has been checked: only its length is used.
    """
    given, labels = labels, on_host(labels, name)
    check_has_entries(given, labels, name)
    n_samples = n_samples_of(y_true)
    if labels.shape not in ((n_samples,), (n_samples, 1)):
        way_out = "Pass them in the order of `y_true`."
        if labels.ndim == 2 and labels.shape[1] > 1:
            way_out = "Combine several columns into one label."
        raise ValueError(
            f"`{name}` must have one label for each of the {n_samples} samples. Got shape "
            f"{labels.shape}. {way_out}"
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
