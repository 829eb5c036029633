"""Checks and warnings of comparisons at an operating point."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from .._input.arrays import as_numbers, check_thresholds, on_host, round_thresholds
from .._input.labels import check_scores
from .._input.options import (
    check_inside,
    check_k,
    check_option,
    check_prevalence,
    check_recall_range,
    listed,
)
from ..metrics._operating_points import n_predicted_at
from ..metrics._rates_at import RATE_METRICS, RateAt
from ..metrics._table import ELSEWHERE
from ..uncertainty import _checks
from ..uncertainty._samples import of_several
from ..uncertainty._validity import by_model, doubts_of_df, with_subject
from ._cuts import at_prevalence, check_fpr
from ._samples import FEW, RateSample, has_few
from ._undefined import warn_of_rate, warn_of_undefined

# With fewer positives on one side of a recall, limits of the precision are very wide: their
# coverage was 0.99 to 1.00 in simulations.
_FEW_AT_RECALL = 3
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
    """Dict from a name to its `RateAt`, checked; thresholds are not yet rounded.

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
                f"`{name}` needs a metric at thresholds, and no `groups`. Got the metric "
                f"{metric!r}{' with `groups`' * (kind == 'threshold')}: for other "
                f"designs no simulation has shown coverage. Leave out `{name}`."
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
    return {
        name: RateAt(metric, _check_at(kind, points[name]), prevalence) for name in names
    }


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
    return check_rates(metric, at, [""], design, recall_range, prevalence)[""]


def check_samples(rates, y_true, design, scores):
    """Dict from a name to its `RateSample`.

    Parameters
    ----------
    rates : dict
        From a name to its `RateAt`.
    y_true : array-like
    design : Design
    scores : dict of str to array-like
        By the names of their arguments, in the order of `rates`.
    """
    checked = check_scores(y_true, scores, **design._asdict())
    clusters = _checks.check_clusters(y_true, design)
    return {
        name: sample_at(rate, score, data, clusters)
        for (name, rate), score, data in zip(
            rates.items(), scores.values(), checked, strict=True
        )
    }


def sample_at(rate, y_score, data, clusters):
    """The `RateSample` of checked data; `y_score` are the scores as they were passed."""
    check_thresholds(data.score)
    kind = rate.entry.at_kind
    if kind == "threshold":
        at = round_thresholds(np.array([rate.at]), data.score, y_score)
        rate = replace(rate, at=at.item())
    sample = RateSample(rate, data, rate.roc_of(data), *of_several(clusters))
    if kind == "fpr" and sample.has_both_classes:
        check_fpr(rate.at, np.count_nonzero(~data.positive), "at")
    if kind == "k":  # raises if there are fewer than k samples
        total = float(sample.roc.n_pos + sample.roc.n_neg)
        n_predicted_at(np.asarray(rate.at), total, "at")
    return sample if rate.entry.rate.is_within_class else at_prevalence(sample)


def warn_of_models(samples, pairs):
    """Warn of models and of their pairs, a dict from two names to the result."""
    doubts = []
    for (a, b), pair in pairs.items():
        doubts_of_pair = [*_doubts_of_counts(samples[a], samples[b], pair.method)]
        doubts_of_pair += doubts_of_df(pair.df, samples[a])
        doubts += with_subject(f"{a} - {b}: ", doubts_of_pair)
    one = samples[next(iter(samples))]
    doubts += _doubts_of_recall(one)  # all models have the same positives
    warn_of_undefined(by_model(samples))
    # The warning of few samples is about t tests of areas.
    warn_of_rate({"": one}, one.kind, "comparison", "mover", further=doubts)


def warn_of_subgroups(samples):
    """Warn of subgroups; `samples` are by the words that a warning starts with."""
    doubts = []
    for subject, sample in samples.items():
        doubts += with_subject(subject, _doubts_of_recall(sample))
    warn_of_undefined(samples)
    one = samples[next(iter(samples))]
    warn_of_rate(samples, one.kind, "rate", "mover", further=doubts)


def _doubts_of_recall(sample):
    """The reason and the text of a recall with few positives on one side."""
    if sample.kind != "recall" or not sample.has_both_classes:
        return
    recall, n_positive = sample.metric.at, np.count_nonzero(sample.data.positive)
    n_fewer = min(recall, 1 - recall) * n_positive
    if n_fewer < _FEW_AT_RECALL:
        yield (
            "recall",
            f"At recall {recall:g} only {n_fewer:.2g} of {n_positive} positives are on one "
            f"side of the cut: below {_FEW_AT_RECALL} intervals are wide, and tests find "
            "only large differences. Collect more positives.",
        )


def _doubts_of_counts(first, second, method):
    """The reason and the text of few samples of a cell at the cut."""
    is_likelihood = first.kind == "recall" and method == "mover"
    if first.has_both_classes and not is_likelihood and has_few(first, second):
        how = "intervals may be too narrow, and tests may reject too often"
        if method == "mover":
            how = "intervals are wide and tests find only large differences"
        yield (
            "few at the cut",
            f"Fewer than {FEW} true positives, false positives or missed positives are at "
            f'the cut of a score: with the method "{method}" {how}. Collect more samples, '
            "or move the cut.",
        )
