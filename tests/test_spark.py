"""Spark frames, of a session on this machine with two threads.

Asked for by ``pytest -m spark``; needs PySpark and Java.
"""

import sys

import pytest
from frames import (
    FAULTS,
    check_counts,
    check_exact,
    check_faults,
    check_missing_classes,
)

from sklearn_achievable_pr._out_of_core import distributed

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("default")]


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


def test_counts(make):
    check_counts(make)


def test_exact(make, monkeypatch):
    monkeypatch.setattr(distributed, "_MIN_SAMPLES", 500)
    check_exact(make, ["float64", "ties across every border", "near one"])


def test_faults(make):
    check_faults(make, FAULTS)


def test_missing_classes(make):
    check_missing_classes(make)
