"""How sure the areas are that the program prints: intervals, and pairs of scores."""

from __future__ import annotations

import contextlib
import itertools
import math
import warnings
from typing import Any, NamedTuple

import numpy as np

from ..uncertainty import auc_pr_interval, compare_auc_pr
from .files import FileError, Table

LEVEL = 0.95
# The keys of what an interval adds to a result, and what the table calls them.
INTERVAL_TITLES = {
    "standard_error": "standard error",
    "confidence_level": "confidence level",
    "confidence_low": "lower limit",
    "confidence_high": "upper limit",
}
# The same of a pair of scores.
PAIR_TITLES = {
    "first": "first",
    "second": "second",
    "difference": "difference",
    **INTERVAL_TITLES,
    "pvalue": "p-value",
    "pvalue_holm": "p-value, Holm",
}


class Scored(NamedTuple):
    """A column of scores and the rows that it is of."""

    file: str  # as errors call it
    score: str  # as the table of pairs calls it
    data: Table
    values: np.ndarray


@contextlib.contextmanager
def heard(notes: list[str], but: tuple[type[Warning], ...] = ()):
    """Collect the first sentence of each warning, but of those that are told elsewhere."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        if issubclass(warning.category, but):
            continue
        note = str(warning.message).partition(". ")[0].rstrip(".").replace("`", "")
        notes.append(note[0].lower() + note[1:])


def interval_of(positive, score, options, **rows) -> dict[str, Any]:
    """Values by the keys of `INTERVAL_TITLES`; NaN if a class is missing.

    Parameters
    ----------
    positive, score : ndarray
    options : argparse.Namespace
    **rows : ndarray or None
        `sample_weight` and `groups`.

    Returns
    -------
    dict
    """
    values = dict.fromkeys(INTERVAL_TITLES, math.nan)
    values["confidence_level"] = options.interval
    if positive.all() or not positive.any():
        return values
    found = auc_pr_interval(
        positive,
        score,
        confidence_level=options.interval,
        recall_range=tuple(options.recall_range),
        prevalence=options.prevalence,
        **rows,
    )
    values["standard_error"] = found.standard_error
    values["confidence_low"], values["confidence_high"] = found.confidence_interval
    return values


def pairs_of(scored: list[Scored], options) -> list[dict[str, Any]]:
    """The difference of each pair by the keys of `PAIR_TITLES`.

    Parameters
    ----------
    scored : list of Scored
    options : argparse.Namespace

    Returns
    -------
    list of dict

    Raises
    ------
    FileError
        If they are not of the same rows, or a class is missing.
    """
    for other in scored[1:]:
        _check_same_rows(scored[0], other, options.groups)
    data = scored[0].data
    if data.positive.all() or not data.positive.any():
        raise FileError(f"{scored[0].file}: --compare needs rows of both classes.")
    level = LEVEL if options.interval is None else options.interval
    pairs = []
    for first, second in itertools.combinations(scored, 2):
        found = compare_auc_pr(
            data.positive,
            first.values,
            second.values,
            confidence_level=level,
            groups=data.texts.get(options.groups),
            sample_weight=data.weight,
            recall_range=tuple(options.recall_range),
            prevalence=options.prevalence,
        )
        limits = found.confidence_interval
        shown = found.difference, found.standard_error, level, *limits, found.pvalue
        row = dict(zip(PAIR_TITLES, (first.score, second.score, *shown), strict=False))
        pairs.append(row)
    adjusted = holm(np.array([row["pvalue"] for row in pairs]))
    return [
        row | {"pvalue_holm": p} for row, p in zip(pairs, adjusted.tolist(), strict=True)
    ]


def _check_same_rows(first, other, groups):
    """Refuse files of which the rows are not the same, in the same order."""
    columns = {
        "labels": (first.data.positive, other.data.positive),
        "weights": (first.data.weight, other.data.weight),
        "groups": (first.data.texts.get(groups), other.data.texts.get(groups)),
    }
    needed = "--compare needs the same rows in the same order"
    n_rows = [len(column) for column in columns["labels"]]
    if n_rows[0] != n_rows[1]:
        raise FileError(
            f"{other.file}: has {n_rows[1]} rows, {first.file} has {n_rows[0]}: {needed}."
        )
    for what, (ours, theirs) in columns.items():
        if ours is not None and (differs := ours != theirs).any():
            raise FileError(
                f"{other.file}: its {what} are not those of {first.file}, first in row "
                f"{int(np.argmax(differs)) + 1}: {needed}."
            )


def holm(pvalues: np.ndarray) -> np.ndarray:
    """P-values corrected for their number by Holm's step-down method; NaN stays."""
    order = np.argsort(pvalues)
    steps = pvalues[order] * np.arange(len(pvalues), 0, -1)
    adjusted = np.empty(len(pvalues))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return adjusted
