"""How long the program `achievable-pr` reads a score file, as a part of what pandas needs.

Prints the medians of alternating runs in one process, wall clock and processor time, for
the program's reader with and without pandas, beside `pandas.read_csv` called on the same
file with the right separator and no other option; then the ratios to it::

    python benchmarks/bench_score_files.py [--rows 1000000] [--repeats 5] [--no-strict]

pandas 3 rounds decimal numbers correctly, as the reader does; earlier ones need
`float_precision="round_trip"` for that, which is what they are measured with.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from _bench import machine, print_facts, print_table

from sklearn_achievable_pr._score_files import Columns, read_scores

MOST_TIMES_PANDAS = 1.5
_ROWS_AT_ONCE = 100_000


def write_files(folder, n_rows):
    """Score files of every form; name -> path, columns, options for pandas."""
    rng = np.random.default_rng(0)
    forms = {
        "list, 17 digits": ("l17.txt", "{s!r} {y}\n", "", Columns(), " "),
        "list, 6 digits, tabs": ("l6.txt", "{s:.6f}\t{y}\n", "", Columns(), "\t"),
        "CSV, 4 columns": (
            "c.csv",
            "{i},{s!r},{y},1.5\n",
            "id,score,label,weight\n",
            Columns("score", "label", "weight"),
            ",",
        ),
        "CSV, text labels": (
            "t.csv",
            "{i},{s!r},{t}\n",
            "id,score,label\n",
            Columns(pos_label="yes"),
            ",",
        ),
    }
    for name, _, header, *_ in forms.values():
        with open(folder / name, "w") as stream:
            stream.write(header)
    for start in range(0, n_rows, _ROWS_AT_ONCE):
        n = min(_ROWS_AT_ONCE, n_rows - start)
        label = (rng.random(n) < 0.05).astype(int)
        score = (rng.normal(size=n) + label).tolist()
        rows = list(zip(range(start, start + n), score, label.tolist(), strict=True))
        for name, line, *_ in forms.values():
            with open(folder / name, "a") as stream:
                stream.writelines(
                    line.format(i=i, s=s, y=y, t="yes" if y else "no") for i, s, y in rows
                )
    return {
        form: (
            folder / name,
            columns,
            {"sep": mark, "header": None if name.endswith("txt") else 0},
        )
        for form, (name, _, _, columns, mark) in forms.items()
    }


def read(path, columns, use_pandas):
    with open(path, "rb") as stream:
        return read_scores(stream, str(path), columns, use_pandas=use_pandas)


def medians(functions, repeats):
    """Median wall and processor seconds of each function, in turns."""
    taken = [([], []) for _ in functions]
    for _ in range(repeats):
        for function, (walls, processors) in zip(functions, taken, strict=True):
            wall, processor = time.perf_counter(), time.process_time()
            function()
            walls.append(time.perf_counter() - wall)
            processors.append(time.process_time() - processor)
    return [tuple(map(statistics.median, pair)) for pair in taken]


def compare(form, path, columns, options, arguments):
    """One row of the table."""
    if int(pd.__version__.split(".")[0]) < 3:
        options = {**options, "float_precision": "round_trip"}
    functions = [
        lambda: pd.read_csv(path, **options),
        lambda: read(path, columns, use_pandas=True),
    ]
    if not arguments.no_strict:
        functions.append(lambda: read(path, columns, use_pandas=False))
    pandas_time, ours, *strict = medians(functions, arguments.repeats)
    row = {
        "file": form,
        "MB": path.stat().st_size / 1e6,
        "pandas s": pandas_time[0],
        "reader s": ours[0],
        "ratio": ours[0] / pandas_time[0],
        "ratio of CPU": ours[1] / pandas_time[1],
    }
    if strict:
        row["without pandas, ratio"] = strict[0][0] / pandas_time[0]
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--no-strict", action="store_true", help="not without pandas")
    arguments = parser.parse_args()
    print_facts(machine(np, pd))
    with tempfile.TemporaryDirectory() as folder:
        files = write_files(Path(folder), arguments.rows)
        rows = [compare(form, *entry, arguments) for form, entry in files.items()]
    print_table(f"Reading {arguments.rows} rows; at most {MOST_TIMES_PANDAS}", rows)


if __name__ == "__main__":
    main()
