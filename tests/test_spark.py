"""Spark frames, of a session on this machine with two threads.

Run with ``pytest -m spark``; needs PySpark and Java.
"""

import sys

import pytest
from frames import (
    LOSSES,
    OPTIONS,
    check_counts,
    check_faults,
    check_loss,
    check_missing_classes,
    check_one,
    limit_ranges,
)

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.filterwarnings("default")]


@pytest.fixture(scope="module")
def make():
    """Pandas to Spark."""
    pytest.importorskip("pyspark")
    patch = pytest.MonkeyPatch()
    patch.setenv("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession

    options = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    pyarrow = pytest.importorskip("pyarrow")
    yield lambda frame: session.createDataFrame(pyarrow.Table.from_pandas(frame))
    session.stop()
    patch.undo()


def test_spark_gives_the_counts_of_all_samples(make):
    check_counts(make, ["float64", "large integers"])


def test_spark_gives_the_exact_area(make, monkeypatch):
    limit_ranges(monkeypatch, fewest=500)
    weighted = {"sample_weight": "weight"}
    check_one(make, "float64", "achievable_aucnpr", weighted)
    check_one(make, "float64", "auc_pr_interpolated", OPTIONS)
    check_one(make, "ties across every border", "aucnpr", {})
    check_one(make, "two neighboring scores", "achievable_auc_pr", weighted)
    check_one(make, "near one", "auc_pr_interpolated", {})
    check_one(make, "ties across every border", "average_precision", weighted)


def test_faults_of_frames_raise(make):
    check_faults(make, ["NaN", "missing weight", "three labels over partitions"])


def test_a_missing_class_is_undefined_with_a_warning(make):
    check_missing_classes(make)


@pytest.mark.parametrize("name", LOSSES)
def test_lost_samples_raise(make, name, monkeypatch):
    check_loss(make, name, monkeypatch)
