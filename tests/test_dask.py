"""Dask frames with empty partitions, and on a cluster of two workers."""

import warnings

import pytest
from closeness import SUMS
from frames import (
    LOSSES,
    NAMES,
    OPTIONS,
    TABLES,
    check_counts,
    check_loss,
    check_one,
    limit_ranges,
)

from sklearn_achievable_pr import auc_pr_from_frame, auc_pr_interpolated

pytestmark = pytest.mark.slow


# Dask takes seconds to import: not where its tests are only collected.


def of_dask(frame):
    return pytest.importorskip("dask.dataframe").from_pandas(frame, npartitions=3)


def test_empty_partitions_change_nothing():
    frame = TABLES["float64"]
    kept = of_dask(frame)
    kept = kept[kept.id < 900]
    found = auc_pr_from_frame(kept, *NAMES, pos_label="sick")
    rows = frame[frame.id < 900]
    assert found == auc_pr_interpolated(rows.label == "sick", rows.score)
    with pytest.raises(ValueError, match="samples of positive weight"):
        auc_pr_from_frame(kept[kept.id < 0], *NAMES)


# Tests on a cluster come last: Dask uses a cluster while it exists


@pytest.fixture(scope="module")
def cluster():
    """Two processes that communicate over the loopback device only."""
    distributed = pytest.importorskip("distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        options = {"host": "127.0.0.1", "dashboard_address": None, "memory_limit": None}
        workers = distributed.LocalCluster(n_workers=2, threads_per_worker=1, **options)
        with workers, distributed.Client(workers) as client:
            yield client


@pytest.mark.usefixtures("cluster")
def test_exact_on_two_workers(monkeypatch):
    limit_ranges(monkeypatch, fewest=700)
    for metric in SUMS:
        check_one(of_dask, "float64", metric, {"sample_weight": "weight"})
    check_one(of_dask, "near one", "auc_pr_interpolated", OPTIONS)


@pytest.mark.usefixtures("cluster")
def test_counts_on_two_workers():
    check_counts(of_dask, ["float64"])


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("name", LOSSES)
def test_samples_lost_by_workers_raise(name, monkeypatch):
    check_loss(of_dask, name, monkeypatch)
