r"""Data larger than memory: width of bounds, memory, and error of exact areas.

Prints tables of widths, of memory, of engines for data frames, of many pickled
counts, of many partitions of a Dask frame, and of Dask workers that are killed::

    python benchmarks/speed/large_data.py \
        [--quick] [--rows N] [--huge N] [--spark] [--out DIR]

Raises if a value lies outside its bounds or an exact area has an error above 1e-14.

Polars, DuckDB and Dask are used if they are installed, PySpark with `--spark`.
"""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
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
            row["error of the estimate"] = counts.auc_pr().estimate - exact
    return row


def width(counts, exact):
    """Width of the bounds."""
    low, high, _ = counts.auc_pr()
    assert low <= exact <= high
    return high - low


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
    return memory_kib("VmHWM") / 2**20


def memory_kib(field="VmRSS"):
    """Memory of this process, of a field of its status."""
    with open("/proc/self/status") as lines:
        (found,) = (line.split()[1] for line in lines if line.startswith(field))
    return int(found)


def pickles(n_counters, n_rows):
    """Seconds of loading and merging pickled counters."""
    y_true, y_score = samples(n_rows, 0.01, "probability float32")
    counts = PRCounts().update(y_true, y_score)
    data = pickle.dumps(counts)
    before = time.perf_counter()
    merged = PRCounts()
    for _ in range(n_counters):
        merged.merge(pickle.loads(data))
    seconds = time.perf_counter() - before
    assert merged.n_neg == n_counters * counts.n_neg
    return {
        "counters": n_counters,
        "rows each": n_rows,
        "kB": len(data) / 1e3,
        "s": seconds,
    }


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

        two_workers()
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


def two_workers(memory_limit="auto"):
    """Client of a Dask cluster of two processes on this machine."""
    from distributed import Client, LocalCluster

    options = {"host": "127.0.0.1", "dashboard_address": None, "memory_limit": memory_limit}
    return Client(LocalCluster(n_workers=2, threads_per_worker=1, **options))


def partition_of_frame(i, n_rows):
    """One partition of a Dask frame."""
    import pandas as pd

    y_true, y_score = samples(n_rows, 0.1, "decision float64", i)
    return pd.DataFrame({"label": y_true, "score": y_score})


def dask_frame(n_partitions, n_rows):
    """Dask frame whose partitions the workers generate."""
    from dask.dataframe import from_map

    meta = partition_of_frame(0, 1)
    return from_map(partition_of_frame, range(n_partitions), n_rows=n_rows, meta=meta)


def many_partitions(n_partitions, n_rows=500, max_memory=2**26):
    """Time per partition, and the highest memory of a worker above its start."""
    frame, row = dask_frame(n_partitions, n_rows), {"partitions": n_partitions}
    with two_workers(memory_limit="1GB") as client, client.cluster:
        start = client.run(memory_kib)

        def took(name, function):
            before = time.perf_counter()
            value = function()
            row[f"{name} ms/partition"] = (
                (time.perf_counter() - before) / n_partitions * 1e3
            )
            peaks = client.run(memory_kib, "VmHWM")
            row[f"{name} peak MiB"] = max(peaks[w] - start[w] for w in start) / 1024
            return value

        dask_frame(2, 1).map_partitions(len).compute()  # imports libraries
        took("reading", frame.map_partitions(len).compute)
        counts = took("counting", lambda: PRCounts.from_frame(frame, "label", "score"))
        options = {"max_memory": max_memory}
        found = took("exact", lambda: auc_pr_from_frame(frame, "label", "score", **options))
        assert counts.auc_pr().low <= found <= counts.auc_pr().high
    row["value"] = found
    return row


def kill(share, n_partitions, n_rows, seconds=None):
    """The result, if a worker is killed after this share of the seconds of a whole run."""
    frame = dask_frame(n_partitions, n_rows)
    with two_workers() as client, client.cluster:
        auc_pr_from_frame(dask_frame(2, 100), "label", "score")  # imports libraries
        pid = min(client.run(os.getpid).values())
        if seconds is not None:
            killer = threading.Timer(share * seconds, os.kill, (pid, signal.SIGKILL))
            killer.start()
        before = time.perf_counter()
        try:
            found = auc_pr_from_frame(frame, "label", "score")
        except Exception as error:
            found = f"{type(error).__name__}: {error}".splitlines()[0]
        seconds = time.perf_counter() - before
        was_killed = pid not in client.run(os.getpid).values()
    return {"killed at": share, "was killed": was_killed, "s": seconds, "value": found}


def kills(n_partitions, n_rows):
    """A run without a kill, and three with one; raises if a value is wrong."""
    whole = kill(0, n_partitions, n_rows)
    shares = (0.2, 0.4, 0.6)
    rows = [kill(share, n_partitions, n_rows, whole["s"]) for share in shares]
    for row in rows:
        assert row["was killed"]
        assert row["value"] == whole["value"] or isinstance(row["value"], str)
    return [whole, *rows]


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
    report = Report(options, np, sklearn_achievable_pr, rows=n_rows)
    kinds = [
        f"{a} {b}" for a in ("probability", "decision") for b in ("float32", "float64")
    ]
    report.table(
        "large_widths",
        "Width of the bounds",
        [widths(n_rows, p, kind) for p in PREVALENCES for kind in kinds],
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
    report.table(
        "large_pickles",
        "Pickled counters that are loaded and merged",
        [pickles(100 if options.quick else 10_000, n) for n in (500, 1_000_000)],
    )
    if "dask" in frames:
        numbers = (10, 40) if options.quick else (100, 400, 1600)
        report.table(
            "large_partitions",
            "Partitions of a Dask frame, workers of 1 GB",
            [many_partitions(n) for n in numbers],
        )
        size = (8, 10_000) if options.quick else (200, 100_000)
        report.table("large_kills", "Dask workers that are killed", kills(*size))
    report.close()


if __name__ == "__main__":
    main()
