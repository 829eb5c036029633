"""Shared checks of the tests of all data frame engines."""

from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
from cases import case
from closeness import of_samples
from situations import random_problem
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_achievable_pr import PRCounts, auc_pr_from_frame
from sklearn_achievable_pr._input import labels
from sklearn_achievable_pr.out_of_core import _score_partition

OPTIONS = {"recall_range": (0.2, 0.55), "prevalence": 0.01}
NAMES = "label", "score"


def table(n_rows=3000, change=None, *, labels=("well", "sick"), **kind):
    """Columns of labels, scores and weights, some of these 0."""
    y_true, y_score, weight = random_problem(0, n_rows, weights="fractional", **kind)
    weight = weight.astype(np.float64)
    weight[::9] = 0
    if change is not None:
        y_score = change(y_score)
    return pd.DataFrame(
        {"id": np.arange(n_rows), "label": np.take(labels, y_true), "score": y_score}
        | {"weight": weight}
    )


# Scores that are hard to divide into ranges, from scores near 0.
CHANGES = {
    "near one": lambda s: 1 + s * 1e-12,
    "two neighboring scores": lambda s: np.where(s > 0.5, np.nextafter(0.3, 1), 0.3),
    "large integers": lambda s: (s * 100).astype(np.int64) + 2**60,
}
TABLES = {name: table(change=change) for name, change in CHANGES.items()}
TABLES |= {"float64": table(), "ties across every border": table(n_levels=14)}


def check_counts(make, names):
    """The counts of an engine equal those of NumPy, up to rounding of sums of weights."""
    for name in names:
        with case(name):
            frame = TABLES[name]
            positive = {"pos_label": "sick"}
            counts = PRCounts.from_frame(make(frame), *NAMES, **positive)
            assert counts == PRCounts().update(frame.label, frame.score, **positive)
            options = {"sample_weight": "weight", "n_bins": 1000} | positive
            counts = PRCounts.from_frame(make(frame), *NAMES, **options)
            expected = PRCounts(1000).update(
                frame.label, frame.score, sample_weight=frame.weight, **positive
            )
            np.testing.assert_allclose(counts.auc_pr(), expected.auc_pr(), rtol=1e-10)
            assert counts.n_pos == pytest.approx(expected.n_pos, rel=1e-13)


def check_one(make, name, metric, options):
    frame = TABLES[name]
    with case(name, metric, options):
        found = auc_pr_from_frame(
            make(frame), *NAMES, pos_label="sick", metric=metric, **options
        )
        weight = frame.weight if "sample_weight" in options else None
        options = {**options, "sample_weight": weight}
        assert_as_in_memory(found, metric, frame.label == "sick", frame.score, **options)


def assert_as_in_memory(found, metric, y_true, y_score, sample_weight=None, **options):
    """Equal to the value in memory up to rounding of sums in other blocks."""
    exact = of_samples((y_true, y_score, sample_weight), metric, **options)
    is_ours = metric != "average_precision"  # scikit-learn sums in another order
    is_exact = sample_weight is None and is_ours
    allowed = 4 * np.spacing(exact) if is_exact else 1e-13 * exact
    # AUCNPR may be the small difference of 1 and a larger value.
    assert abs(found - exact) <= allowed + 4e-16 * ("aucnpr" in metric)
    assert type(found) is float


FAULTS = {
    "NaN": ({"score": [0.5, np.nan, 0.1, 0.2]}, ValueError, "must be finite"),
    "negative weight": ({"weight": [1.0, -1, 1, 1]}, ValueError, "not be negative"),
    "missing weight": ({"weight": [1.0, np.nan, 1, 1]}, ValueError, "must be finite"),
    "three labels over partitions": (
        {"label": [0, 1, -1, 1]},
        ValueError,
        r"must have two classes.*\[-1, 0, 1\]",
    ),
    "three labels": ({"label": [0, 1, 2, 0]}, ValueError, "must have (two|the labels)"),
    "text for scores": ({"score": ["a", "b", "c", "d"]}, TypeError, "numbers"),
}


def check_faults(make, faults=FAULTS):
    """Both functions raise for faults in the data."""
    good = {"label": [0, 1, 1, 0], "score": [0.1, 0.2, 0.3, 0.4], "weight": [1.0] * 4}
    for name in faults:
        columns, error, words = FAULTS[name]
        frame = make(pd.DataFrame(good | columns))
        for measure in (PRCounts.from_frame, auc_pr_from_frame):
            with case(name, measure.__name__), pytest.raises(error, match=words):
                measure(frame, *NAMES, sample_weight="weight")
    with pytest.raises(ValueError, match=r"`y_score` must name a column of .* Got 'p'"):
        PRCounts.from_frame(make(pd.DataFrame(good)), "label", "p")


def limit_ranges(patch, *, fewest=None, most=None):
    """Ranges of scores have at least `fewest` samples, and memory holds `most` of them."""
    if fewest is not None:
        patch.setattr(_score_partition, "_MIN_SAMPLES", fewest)
    if most is not None:
        patch.setattr(_score_partition, "_BYTES_PER_SAMPLE", 2**30 // most)


@contextmanager
def ranges_of(n_samples):
    """Limit bins to `n_samples` samples, so that ranges have at most twice as many."""
    with pytest.MonkeyPatch.context() as patch:
        limit_ranges(patch, most=n_samples)
        patch.setattr(labels, "_BLOCK", 1000)
        yield


def note_sizes(patch, before=lambda sizes: None):
    """The list to which each range adds its number of samples, after ``before(list)``."""
    sizes, on_range = [], _score_partition._on_range

    def noted(ranges, points, task, index, pieces):
        before(sizes)
        if index < len(ranges):
            sizes.append(ranges[index].n_to_sort)
        return on_range(ranges, points, task, index, pieces)

    patch.setattr(_score_partition, "_on_range", noted)
    return sizes


def note_limits(patch):
    """The list to which each call adds the number of samples that fit into memory."""
    limits, cut_ranges = [], _score_partition._cut_ranges

    def noted(table, needs_sort, most):
        limits.append(most)
        return cut_ranges(table, needs_sort, most)

    patch.setattr(_score_partition, "_cut_ranges", noted)
    return limits


# What may go wrong between the passes: what is concerned, and how many copies of it arrive.
LOSSES = {
    "a range lost": ("range", 0),
    "a range cut in half": ("range", 0.5),
    "a range stored twice": ("range", 2),
    "one piece lost": ("piece", 0),
    "one piece doubled": ("piece", 2),
    "checksums lost": ("checksum", 0),
    "checksums doubled": ("checksum", 2),
}


def check_loss(make, name, monkeypatch):
    """Samples that are lost or doubled between the passes raise."""
    frame, split = TABLES["float64"], _score_partition._samples_by_range
    concerned, n_copies = LOSSES[name]
    score = frame.score[frame.weight > 0].max()

    def with_loss(*options):  # sent to the workers, so without a name of this module
        for group, columns in split(*options):
            is_concerned = {
                "range": group == 0,
                "piece": score in columns[1],
                "checksum": group == options[3],
            }
            copies = n_copies if is_concerned[concerned] else 1
            if copies == 0.5:
                columns = [column[: len(column) // 2] for column in columns]
            yield from [(group, columns)] * int(copies + 0.5)

    limit_ranges(monkeypatch, fewest=500)
    monkeypatch.setattr(_score_partition, "_samples_by_range", with_loss)
    for weight in (None, "weight"):
        with (
            case(name, weight),
            pytest.raises(ValueError, match="data changed between passes, or samples were"),
        ):
            auc_pr_from_frame(make(frame), *NAMES, pos_label="sick", sample_weight=weight)


def check_missing_classes(make):
    """A missing class, and no samples at all."""
    frame = pd.DataFrame({"label": [0, 0, 0], "score": [0.1, 0.2, 0.3]})
    with pytest.warns(UndefinedMetricWarning, match="No positive samples"):
        assert np.isnan(auc_pr_from_frame(make(frame), *NAMES))
    frame["label"] = 1
    assert auc_pr_from_frame(make(frame), *NAMES) == 1
    frame["weight"] = 0.0
    with pytest.raises(ValueError, match="samples of positive weight"):
        auc_pr_from_frame(make(frame), *NAMES, sample_weight="weight")
