"""Counts and exact areas from data frames, by the engines on one machine."""

import sys

import numpy as np
import pandas as pd
import pytest
from frames import (
    FAULTS,
    NAMES,
    TABLES,
    check_counts,
    check_counts_to_the_last_bit,
    check_exact,
    check_faults,
    check_missing_classes,
)

from sklearn_achievable_pr import (
    PRCounts,
    auc_pr_from_frame,
    auc_pr_interpolated,
    count_scores,
    large,
)

pytest.importorskip("narwhals")


def of_polars(frame):
    return pytest.importorskip("polars").from_pandas(frame).lazy()


def of_duckdb(frame):
    duckdb = pytest.importorskip("duckdb")
    return duckdb.connect().from_arrow(of_pyarrow(frame))


def of_pyarrow(frame):
    return pytest.importorskip("pyarrow").Table.from_pandas(frame)


def eager_polars(frame):
    return of_polars(frame).collect()


LAZY = {"polars": of_polars, "duckdb": of_duckdb}
EAGER = {"pandas": pd.DataFrame, "pyarrow": of_pyarrow, "polars": eager_polars}
every_lazy_engine = pytest.mark.parametrize("make", LAZY.values(), ids=LAZY)
every_engine = pytest.mark.parametrize(
    "make", [*LAZY.values(), *EAGER.values()], ids=[*LAZY, *(f"eager {n}" for n in EAGER)]
)


@pytest.fixture
def small_ranges(monkeypatch):
    """So little memory that there are many ranges."""
    monkeypatch.setattr(large, "_BYTES_A_ROW", 2**30 // 800)


@every_engine
def test_counts_to_the_last_bit(make):
    check_counts_to_the_last_bit(make)


@every_engine
def test_counts(make):
    check_counts(make)


@every_engine
def test_exact(make):
    check_exact(make)


@pytest.mark.usefixtures("small_ranges")
@every_lazy_engine
def test_exact_in_many_ranges(make):
    check_exact(make)


@pytest.mark.usefixtures("small_ranges")
def test_exact_in_many_ranges_by_another_engine(monkeypatch):
    """Frames in memory, as if they were not: other engines come through here too."""
    monkeypatch.setattr(large, "arrays_of", lambda columns: None)
    check_exact(pd.DataFrame, ["float64", "near one"])


@every_engine
def test_faults(make):
    check_faults(make, FAULTS)


@every_engine
def test_missing_classes(make):
    check_missing_classes(make)


@every_lazy_engine
def test_missing_values(make):
    frame = pd.DataFrame({"label": ["a", "b", None], "score": [1.0, 2.0, 3.0]})
    with pytest.raises(ValueError, match="missing labels"):
        count_scores(make(frame), *NAMES, pos_label="a")
    frame = pd.DataFrame({"label": [1, 0, 1], "score": [1.0, 2.0, None]})
    with pytest.raises(ValueError, match=r"1 rows are not so. Filter them out first"):
        count_scores(make(frame), *NAMES)


def test_counts_of_several_engines_add_up():
    frame = TABLES["float64"]
    thirds = [frame[i::3] for i in range(3)]
    counts = sum(
        count_scores(make(part), *NAMES, pos_label="sick")
        for make, part in zip((of_polars, of_duckdb, pd.DataFrame), thirds, strict=True)
    )
    assert counts == PRCounts().update(frame.label, frame.score, pos_label="sick")


def test_narwhals_frames_are_taken():
    import narwhals

    frame = TABLES["float64"]
    counts = count_scores(narwhals.from_native(frame), *NAMES, pos_label="sick")
    assert counts == PRCounts().update(frame.label, frame.score, pos_label="sick")


def test_scores_and_labels_of_one_column():
    frame = pd.DataFrame({"y": [0, 1, 1, 0]})
    assert auc_pr_from_frame(of_polars(frame), "y", "y") == 1
    assert auc_pr_from_frame(frame, "y", "y") == 1


def test_booleans():
    y_true = np.array([True, False, True, False])
    frame = pd.DataFrame({"label": y_true, "score": [True, True, True, False]})
    for make in (of_polars, of_duckdb, pd.DataFrame):
        found = auc_pr_from_frame(make(frame), *NAMES)
        assert found == auc_pr_interpolated(y_true, frame.score)


@pytest.mark.parametrize("ask", [count_scores, auc_pr_from_frame])
def test_no_frame(ask):
    with pytest.raises(TypeError, match=r"`frame` must be a data frame .* Got list"):
        ask([1, 2], *NAMES)


def test_without_narwhals(monkeypatch):
    monkeypatch.setitem(sys.modules, "narwhals", None)
    with pytest.raises(ImportError, match=r"Install sklearn-achievable-pr\[frames\]"):
        count_scores(TABLES["float64"], *NAMES)
