"""Checks of rates at an operating point."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from .._inference.design import check_clusters, shared_clusters
from .._input.arrays import as_numbers, on_host, round_thresholds, unit_of
from .._input.labels import check_scores
from .._input.options import (
    check_inside,
    check_k,
    check_option,
    check_prevalence,
    check_recall_range,
    listed,
)
from ..metrics._rates_at import RATE_METRICS, RateAt
from ..metrics._table import ELSEWHERE
from ._cuts import CutSample, roc_at_thresholds
from ._samples import RateSample

_NEEDED = {
    "recall": "the recall, inside (0, 1)",
    "fpr": "the false positive rate, inside (0, 1)",
    "k": "k, a number of samples (an integer) or a share of them (a float)",
    "threshold": "the threshold, or a dict from the name of each model to its own",
}


def is_at_point(metric, allowed, at):
    """Whether a metric is at an operating point; raises if `at` does not fit the metric.

    `allowed` are the names of other metrics that the caller takes.
    """
    check_option(metric, "metric", (*allowed, *RATE_METRICS), ELSEWHERE)
    if metric in RATE_METRICS:
        if at is None:
            needed = _NEEDED[RATE_METRICS[metric].at_kind]
            raise ValueError(f"`metric`={metric!r} needs `at`: {needed}. Got None.")
        return True
    if at is not None:
        raise ValueError(
            f"`at` is the operating point of a rate. Got `at`={at!r} with the metric "
            f"{metric!r}. Leave `at` out, or choose a metric such as "
            '"precision_at_recall" or "recall_at_threshold".'
        )
    return False


def check_rates(metric, at, names, design, recall_range, prevalence):
    """The `RateAt` of each name, checked; thresholds are not yet rounded.

    A dict `at` has one threshold for each of the `names`.
    """
    kind = RATE_METRICS[metric].at_kind
    if check_recall_range(recall_range) != (0.0, 1.0):
        raise ValueError(
            f"`recall_range` is for areas. Got {recall_range} with the metric {metric!r}: "
            "leave it out."
        )
    given = {"sample_weight": design.sample_weight, "prevalence": prevalence}
    for name, value in given.items():
        if value is not None and (kind != "threshold" or design.groups is not None):
            raise ValueError(
                f"`{name}` is accepted with a metric at thresholds and without `groups`, "
                "because no simulation has shown the coverage of other designs. Got the "
                f"metric {metric!r}{' and `groups`' * (kind == 'threshold')}: leave out "
                f"`{name}`."
            )
    prevalence = check_prevalence(prevalence)
    points = at if isinstance(at, Mapping) else dict.fromkeys(names, at)
    if isinstance(at, Mapping) and kind != "threshold":
        raise ValueError(
            f"`at` must be one number for all models: {_NEEDED[kind]}. Got a dict; only "
            "thresholds may differ."
        )
    if {*points} != {*names}:
        raise ValueError(
            f"`at` must have one threshold for each of {listed(names)}. Got those of "
            f"{listed(points)}."
        )
    entry = RATE_METRICS[metric]
    return [RateAt(entry, _check_at(kind, points[name]), prevalence) for name in names]


def _check_at(kind, at):
    """A checked value of `at`, as a Python number."""
    if kind in ("recall", "fpr"):
        return check_inside(at, "at", 0, 1)
    number = as_numbers(on_host(at, "at"), "at")
    if number.ndim or number.dtype.kind == "b" or np.isnan(number):
        raise ValueError(f"`at` must be one number: {_NEEDED[kind]}. Got {at!r}.")
    return check_k(number, "at").item() if kind == "k" else float(number)


def check_rate(metric, at, design, recall_range, prevalence):
    """The `RateAt` of all subgroups, checked; its threshold is not yet rounded."""
    if isinstance(at, Mapping):
        raise ValueError("`at` must be one number for all subgroups. Got a dict.")
    (rate,) = check_rates(metric, at, [""], design, recall_range, prevalence)
    return rate


def check_rate_samples(rates, y_true, scores, design, argument="at"):
    """The `RateSample` of each score.

    Parameters
    ----------
    rates : list of RateAt
    y_true : array-like
    scores : dict of str to array-like
        By the names of their arguments, in the order of `rates`.
    design : Design
    argument : str
        The name of the argument that is the operating point.

    Returns
    -------
    list of RateSample
    """
    checked = check_scores(y_true, scores, **design._asdict())
    clusters, is_grouped = shared_clusters(check_clusters(y_true, design))
    unit = unit_of(design.sample_weight, checked[0].weight)
    return [
        RateSample.of(rounded, data, clusters, is_grouped, unit, argument)
        for rate, data, score in zip(rates, checked, scores.values(), strict=True)
        for rounded in [with_rounded_threshold(rate, data.score, score)]
    ]


def with_rounded_threshold(rate, score, y_score):
    """The `RateAt` with its threshold rounded as in `round_thresholds`."""
    if rate.kind != "threshold":
        return rate
    return replace(rate, at=round_thresholds(np.array([rate.at]), score, y_score).item())


def check_cut_sample(y_true, y_score, design, prevalence):
    """The `CutSample` of a score.

    Numbers of the results are totals of the weights, so that equal weights are kept.
    """
    prevalence = check_prevalence(prevalence)
    (data,) = check_scores(y_true, {"y_score": y_score}, **design._asdict())
    clusters, is_grouped = shared_clusters(check_clusters(y_true, design))
    roc = roc_at_thresholds(data)
    unit = unit_of(design.sample_weight, data.weight)
    return CutSample(data, roc, clusters, is_grouped, unit, prevalence)
