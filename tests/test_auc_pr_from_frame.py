"""Counts and exact areas from the data frames of engines of one process."""

import os
import re
from pathlib import Path

import numpy as np
import pandas as pd
import polars
import pyarrow
import pytest
from frames import (
    LOSSES,
    NAMES,
    OPTIONS,
    TABLES,
    check_counts,
    check_faults,
    check_loss,
    check_missing_classes,
    check_one,
    limit_ranges,
    note_limits,
)
from pyarrow import dataset

from sklearn_achievable_pr import (
    PRCounts,
    auc_pr_from_batches,
    auc_pr_from_frame,
    auc_pr_interpolated,
)
from sklearn_achievable_pr.out_of_core import _distributed, _frames


def of_duckdb(frame):
    return pytest.importorskip("duckdb").from_arrow(pyarrow.Table.from_pandas(frame))


def of_dask(frame):
    return pytest.importorskip("dask.dataframe").from_pandas(frame, npartitions=3)


ENGINES = {
    "pandas": pd.DataFrame,
    "polars eager": polars.from_pandas,
    "polars lazy": lambda frame: polars.from_pandas(frame).lazy(),
    "duckdb": of_duckdb,
    "pyarrow table": pyarrow.Table.from_pandas,
    "pyarrow dataset": lambda frame: dataset.dataset(pyarrow.Table.from_pandas(frame)),
    "dask": of_dask,
}
every_engine = pytest.mark.parametrize("make", ENGINES.values(), ids=ENGINES)


@pytest.fixture
def small_blocks(monkeypatch):
    """Small batches and many ranges."""
    monkeypatch.setattr(_frames, "_ROWS", 700)
    limit_ranges(monkeypatch, fewest=300, most=200)


@every_engine
def test_every_engine_gives_the_counts_of_all_samples(make):
    check_counts(make, ["large integers"])


@every_engine
@pytest.mark.usefixtures("small_blocks")
def test_every_engine_gives_the_exact_area(make):
    check_one(make, "float64", "achievable_auc_pr", {"sample_weight": "weight"})
    check_one(make, "two neighboring scores", "aucnpr", OPTIONS)


@every_engine
@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("name", ["float64", "ties across every border", "near one"])
def test_every_engine_gives_the_average_precision(make, name):
    check_one(make, name, "average_precision", {"sample_weight": "weight"})


@pytest.mark.parametrize(("make", "most"), [(pd.DataFrame, 200), (of_dask, 400)])
def test_threads_of_this_process_share_the_memory(make, most, monkeypatch):
    """A task of a cluster has the memory for itself."""
    limits = note_limits(monkeypatch)
    limit_ranges(monkeypatch, most=400)
    frame = TABLES["float64"]
    found = auc_pr_from_frame(make(frame), *NAMES, pos_label="sick", n_jobs=2)
    assert found == auc_pr_interpolated(frame.label == "sick", frame.score)
    assert limits == [most]


@every_engine
def test_faults_of_frames_raise(make):
    check_faults(make)


@pytest.mark.parametrize(
    ("column", "bad", "words"),
    [
        ("score", np.nan, "1 of 4 values .*, the first at position 2 of its"),
        ("weight", -1.0, "Got -1.0 at position 2 of its"),
    ],
)
def test_the_position_of_a_fault_is_said_to_be_that_in_a_batch(
    column, bad, words, monkeypatch
):
    monkeypatch.setattr(_frames, "_ROWS", 4)
    frame = pd.DataFrame(
        {"label": [0, 1] * 6, "score": np.linspace(0, 1, 12), "weight": np.ones(12)}
    )
    frame.loc[6, column] = bad
    with pytest.raises(ValueError, match=rf"{words} batch\b"):
        auc_pr_from_frame(frame, *NAMES, sample_weight="weight")


@every_engine
def test_three_labels_over_batches(make, monkeypatch):
    monkeypatch.setattr(_frames, "_ROWS", 2)
    check_faults(make, ["three labels over partitions"])


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.usefixtures("small_blocks")
def test_lost_samples_in_local_files_raise(name, monkeypatch):
    check_loss(pd.DataFrame, name, monkeypatch)


def test_a_truncated_local_file_raises(tmp_path):
    frame = TABLES["float64"]

    def batches():
        yield frame.label, frame.score
        for path in tmp_path.glob("*/0_0_0"):
            os.truncate(path, 100)

    with pytest.raises(ValueError, match="samples were lost"):
        auc_pr_from_batches(batches, pos_label="sick", temp_folder=tmp_path)


def test_no_task_of_dask_merges_more_than_a_few_histograms(monkeypatch):
    n_merged, merged = [], _distributed._merged

    def counted(bins, tables):
        n_merged.append(len(tables))
        return merged(bins, tables)

    monkeypatch.setattr(_distributed, "_merged", counted)
    frame = TABLES["float64"]
    parts = pytest.importorskip("dask.dataframe").from_pandas(frame, npartitions=70)
    counts = PRCounts.from_frame(parts, *NAMES, pos_label="sick")
    assert counts == PRCounts().update(frame.label, frame.score, pos_label="sick")
    assert max(n_merged) == 8


@every_engine
def test_a_missing_class_is_undefined_with_a_warning(make):
    check_missing_classes(make)


@every_engine
def test_missing_labels_raise(make):
    frame = pd.DataFrame({"label": ["a", "b", None], "score": [1.0, 2.0, 3.0]})
    with pytest.raises(ValueError, match="missing labels"):
        PRCounts.from_frame(make(frame), *NAMES, pos_label="a")


def test_counts_of_several_engines_add_up():
    frame = TABLES["float64"]
    parts = [frame[i :: len(ENGINES)] for i in range(len(ENGINES))]
    counts = sum(
        PRCounts.from_frame(make(part), *NAMES, pos_label="sick")
        for make, part in zip(ENGINES.values(), parts, strict=True)
    )
    assert counts == PRCounts().update(frame.label, frame.score, pos_label="sick")


@every_engine
def test_predicted_labels_warn_with_the_name_of_the_column(make):
    frame = make(pd.DataFrame({"label": [0, 1, 1, 0], "p": [0.0, 1.0, 0.0, 0.0]}))
    with pytest.warns(UserWarning, match=r"`frame\['p'\]` has only 0 and 1") as caught:
        auc_pr_from_frame(frame, "label", "p")
    assert len(caught) == 1


@every_engine
def test_reversed_scores_warn_once(make):
    frame = make(pd.DataFrame({"label": [0] * 12 + [1] * 8, "p": np.arange(20)[::-1]}))
    with pytest.warns(UserWarning, match="scores rank negatives above") as caught:
        auc_pr_from_frame(frame, "label", "p", metric="achievable_aucnpr")
    assert len(caught) == 1


@every_engine
@pytest.mark.filterwarnings("ignore:.* has only 0 and 1")
def test_labels_and_scores_of_one_column(make):
    frame = pd.DataFrame({'a "column"': [0, 1, 1, 0]})
    assert auc_pr_from_frame(make(frame), 'a "column"', 'a "column"') == 1


@every_engine
@pytest.mark.filterwarnings("ignore:.* has only 0 and 1")
def test_boolean_columns_are_labels_and_scores(make):
    y_true = np.array([True, False, True, False])
    frame = pd.DataFrame({"label": y_true, "score": [True, True, True, False]})
    found = auc_pr_from_frame(make(frame), *NAMES)
    assert found == auc_pr_interpolated(y_true, frame.score.astype(float))


def test_decimals_are_scores_and_dictionaries_labels():
    connection = pytest.importorskip("duckdb").connect()
    relation = connection.sql("from (values ('a', 0.50), ('b', 0.25)) t(label, score)")
    table = relation.to_arrow_table()
    table = table.set_column(0, "label", table["label"].dictionary_encode())
    for frame in (relation, table, table.to_batches()[0]):
        assert auc_pr_from_frame(frame, *NAMES, pos_label="a") == 1


def test_the_database_query_of_the_page_runs(tmp_path, monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    page = Path(__file__).parents[1] / "doc" / "how_to" / "large_data.rst"
    (query,) = re.findall(r"^   (auc_pr_from_frame\(connection.*)$", page.read_text(), re.M)
    with duckdb.connect("scores.duckdb") as connection:
        rows = "(1, 0.9), (0, 0.7), (1, 0.7), (0, 0.1)"
        connection.sql(f"create table scores as from (values {rows}) t(label, p)")
    with duckdb.connect("scores.duckdb") as connection:
        names = {"connection": connection, "auc_pr_from_frame": auc_pr_from_frame}
        area = eval(query, names)
    assert area == auc_pr_interpolated([1, 0, 1, 0], [0.9, 0.7, 0.7, 0.1])


def test_a_reader_is_read_once():
    frame = TABLES["float64"]
    table = pyarrow.Table.from_pandas(frame)
    counts = PRCounts.from_frame(table.to_reader(), *NAMES, pos_label="sick")
    assert counts == PRCounts().update(frame.label, frame.score, pos_label="sick")
    with pytest.raises(ValueError, match=r"must meet the same samples.*`PRCounts`"):
        auc_pr_from_frame(table.to_reader(), *NAMES, pos_label="sick")


@pytest.mark.parametrize("measure", [PRCounts.from_frame, auc_pr_from_frame])
@pytest.mark.parametrize(
    "frame",
    [[1, 2], pd.Series([1, 2]), "scores.parquet", None],
    ids=["list", "Series", "path", "None"],
)
def test_objects_that_are_not_data_frames(measure, frame):
    message = r"`frame` must be a data frame of .*pass `polars.scan_parquet\(path\)`"
    with pytest.raises(TypeError, match=message):
        measure(frame, *NAMES)


@pytest.mark.parametrize("kind", [pd.Series, np.array, list])
def test_a_column_instead_of_its_name(kind):
    frame = pd.DataFrame({"y": [0, 1], "s": [1, 2]})
    message = "`y_true` must name a column of `frame`, .*: pass the name of the column"
    with pytest.raises(ValueError, match=message):
        auc_pr_from_frame(frame, kind([0, 1]), "s")
