"""Data larger than memory: width of bounds, speed, memory, and error of exact areas.

Prints tables of widths, of rates and memory, and of engines for data frames::

    python benchmarks/large.py [--quick] [--rows N] [--huge N] [--spark] [--out DIR]

Raises if a value lies outside its bounds or an exact area has an error above 1e-14.

Polars, DuckDB and Dask are used if they are installed, PySpark with `--spark`.
"""

import json
import os
import subprocess
import sys
import time

import numpy as np
from _bench import Report, command_line, medians

import sklearn_achievable_pr
from sklearn_achievable_pr import (
    PRCounts,
    auc_pr_from_batches,
    auc_pr_from_frame,
    auc_pr_interpolated,
    aucnpr,
)

PREVALENCES = (0.001, 0.01, 0.3)
BATCH = 1_000_000
METRICS = {
    "auc_pr_interpolated": auc_pr_interpolated,
    "achievable_auc_pr": lambda *rows: auc_pr_interpolated(*rows, curve="achievable"),
    "aucnpr": aucnpr,
}


def samples(n_rows, prevalence, kind, seed=0):
    """Normal scores with means two standard deviations apart, or their probabilities."""
    rng = np.random.default_rng(seed)
    y_true = rng.random(n_rows) < prevalence
    y_score = rng.normal(size=n_rows) + 2 * y_true
    shape, dtype = kind.split()
    if shape == "probability":
        logit = 2 * y_score - 2 + np.log(prevalence / (1 - prevalence))
        y_score = 1 / (1 + np.exp(-logit))
    return y_true, y_score.astype(dtype)


def widths(n_rows, prevalence, kind):
    """Widths of the bounds; raises unless the bounds contain the exact area."""
    y_true, y_score = samples(n_rows, prevalence, kind)
    exact = auc_pr_interpolated(y_true, y_score)
    row = {"prevalence": prevalence, "scores": kind}
    for bits in (12, 16, 20):
        counts = PRCounts(2**bits).update(y_true, y_score)
        row[f"2^{bits}"] = width(counts, exact)
        if bits == 16:
            refined = counts.refined().update(y_true, y_score)
            row["2^16 refined"] = width(refined, exact)
            row["error of the estimate"] = counts.auc_pr().estimate - exact
    return row


def width(counts, exact):
    """Width of the bounds."""
    low, high, _ = counts.auc_pr()
    assert low <= exact <= high
    return high - low


def rates(n_rows, prevalence, kind):
    """Millions of samples per second."""
    y_true, y_score = samples(n_rows, prevalence, kind)
    refined = PRCounts().update(y_true, y_score).refined()
    exact, update, update_refined = medians(
        lambda: auc_pr_interpolated(y_true, y_score),
        lambda: PRCounts().update(y_true, y_score),
        lambda: (0 + refined).update(y_true, y_score),
        seconds=2,
    )
    return {
        "prevalence": prevalence,
        "scores": kind,
        "exact in memory": n_rows / exact / 1e6,
        "counting": n_rows / update / 1e6,
        "counting refined": n_rows / update_refined / 1e6,
        "counting / exact": exact / update,
    }


def batches_of(n_rows):
    """Batches that are generated again in every pass."""
    for seed, start in enumerate(range(0, n_rows, BATCH)):
        yield samples(min(BATCH, n_rows - start), 0.01, "decision float32", seed)


def measure_batches(way, n_rows):
    """Seconds and peak memory of one function in a separate process."""
    command = [sys.executable, __file__, "--one", way, str(n_rows)]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def one_way(way, n_rows):
    """The function measured by `measure_batches`."""
    before = time.perf_counter()
    made = sum(len(y_true) for y_true, _ in batches_of(n_rows))
    making = time.perf_counter() - before
    assert made == n_rows
    passes = 1
    before = time.perf_counter()
    if way == "in memory":
        y_true, y_score = np.empty(n_rows, dtype=bool), np.empty(n_rows, dtype=np.float32)
        for i, batch in enumerate(batches_of(n_rows)):
            here = slice(i * BATCH, (i + 1) * BATCH)
            y_true[here], y_score[here] = batch
        value = auc_pr_interpolated(y_true, y_score)
    elif way == "batches":
        passes = 2
        value = auc_pr_from_batches(lambda: batches_of(n_rows), max_memory=2**29)
    else:
        counts = PRCounts()
        for batch in batches_of(n_rows):
            counts.update(*batch)
        value = counts.auc_pr().estimate
    seconds = time.perf_counter() - before
    own = seconds - passes * making
    return {
        "rows": n_rows,
        "way": way,
        "value": value,
        "s": seconds,
        "s without making rows": own,
        "million rows/s": n_rows / own / 1e6,
        "peak GiB": peak_gib(),
    }


def peak_gib():
    """Peak memory of this process; `resource` would include the parent process."""
    with open("/proc/self/status") as lines:
        (peak,) = (line.split()[1] for line in lines if line.startswith("VmHWM"))
    return int(peak) / 2**20


def engines(n_rows, with_spark):
    """Frames of the engines that are installed, by name."""
    y_true, y_score = samples(n_rows, 0.01, "decision float64")
    columns = {"label": y_true.astype(np.int8), "score": y_score}
    frames = {}
    try:
        import polars

        frames["polars"] = polars.LazyFrame(columns)
    except ImportError:
        pass
    try:
        import duckdb
        import pyarrow

        table = pyarrow.table(columns)
        frames["duckdb"] = duckdb.connect().from_arrow(table)
    except ImportError:
        pass
    try:
        import dask.dataframe
        import pandas as pd
        from distributed import Client, LocalCluster

        cluster = LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        )
        Client(cluster)
        frames["dask"] = dask.dataframe.from_pandas(pd.DataFrame(columns), npartitions=8)
    except ImportError:
        pass
    if with_spark:
        frames["spark"] = of_spark(columns)
    return (y_true, y_score), frames


def of_spark(columns):
    """Spark frame in a local session with two threads."""
    import pyarrow
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    options = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "4g",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in options.items():
        builder = builder.config(name, value)
    frame = builder.getOrCreate().createDataFrame(pyarrow.table(columns))
    # The default would be one partition per ten thousand rows.
    return frame.coalesce(8).persist()


def engine(name, frame, data, n_rows):
    """Seconds of counting, of grouping by the engine itself, and of exact areas."""
    y_true, y_score = data
    # Warm-up: the engine may read files first.
    counts = PRCounts.from_frame(frame, "label", "score")
    assert counts == PRCounts().update(y_true, y_score)
    row = {"engine": name, "rows": n_rows}
    counting = medians(lambda: PRCounts.from_frame(frame, "label", "score"), seconds=1)[0]
    row["counting s"] = counting
    own = own_grouping(name, frame)
    if own is not None:
        row["own grouping s"] = medians(own, seconds=1)[0]
        row["counting / own"] = counting / row["own grouping s"]
    else:
        row["own grouping s"] = row["counting / own"] = ""
    for metric, in_memory in METRICS.items():
        before = time.perf_counter()
        found = auc_pr_from_frame(frame, "label", "score", metric=metric)
        row[f"{metric} s"] = time.perf_counter() - before
        exact = in_memory(y_true, y_score)
        row[f"{metric} ulp"] = float(abs(found - exact) / np.spacing(exact))
        assert abs(found - exact) <= 1e-14
    return row


def own_grouping(name, frame):
    """Common practice: group by scores rounded to four digits, and sum labels."""
    if name == "polars":
        import polars

        score = polars.col("score").round(4)
        sums = polars.len(), polars.col("label").sum().alias("positives")
        return lambda: frame.group_by(score).agg(*sums).collect()
    if name == "duckdb":
        query = "select round(score, 4), count(*), sum(label) from frame group by 1"
        return lambda: frame.query("frame", query).fetchall()
    if name == "dask":
        rounded = frame.assign(rounded=frame.score.round(4)).groupby("rounded").label
        return lambda: rounded.agg(["count", "sum"]).compute()
    from pyspark.sql import functions

    score = functions.round("score", 4).alias("rounded")
    sums = functions.count("*"), functions.sum("label")
    return lambda: frame.groupBy(score).agg(*sums).toArrow()


def main():
    """Parse, measure, print."""
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(one_way(sys.argv[2], int(sys.argv[3]))))
        return
    options = command_line(
        __doc__,
        rows={"type": int, "default": 10_000_000},
        huge={"type": int, "default": 0, "help": "rows in batches, beside 10 times --rows"},
        spark={"action": "store_true"},
    )
    n_rows = 100_000 if options.quick else options.rows
    report = Report("large", options, np, sklearn_achievable_pr, rows=n_rows)
    kinds = [
        f"{a} {b}" for a in ("probability", "decision") for b in ("float32", "float64")
    ]
    report.table(
        "large_widths",
        "Width of the bounds",
        [widths(n_rows, p, kind) for p in PREVALENCES for kind in kinds],
    )
    report.table(
        "large_rates",
        "Millions of samples per second",
        [rates(n_rows, p, kind) for p in PREVALENCES for kind in kinds],
    )
    ways = [(way, 10 * n_rows) for way in ("in memory", "batches", "counts")]
    ways += [(way, options.huge) for way in ("counts", "batches") if options.huge]
    report.table("large_batches", "In batches", [measure_batches(*way) for way in ways])
    data, frames = engines(n_rows, options.spark)
    report.table(
        "large_engines",
        "Data frames",
        [engine(name, frame, data, n_rows) for name, frame in frames.items()],
    )
    report.close()


if __name__ == "__main__":
    main()
