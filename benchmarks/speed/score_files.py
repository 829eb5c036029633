"""Time of the program `achievable-pr` for a score file, compared with Polars and pandas.

Prints the medians of alternating runs in one process: the program's reader, the functions
`read_csv` of Polars and of pandas called on the same file with the right separator and no
other option, and the whole of the program (reading, measuring, printing)::

    python benchmarks/speed/score_files.py [--quick] [--rows 1000000] [--out DIR]

Polars and pandas 3 round decimal
numbers correctly. Earlier versions of pandas need `float_precision="round_trip"` for this
and are measured with this option.
"""

import contextlib
import io
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
from _bench import Report, command_line, labels_and_scores, medians

import sklearn_achievable_pr
from sklearn_achievable_pr.__main__ import main as program
from sklearn_achievable_pr._cli.arguments import parse
from sklearn_achievable_pr._cli.reading import rows_of

_ROWS_AT_ONCE = 100_000
# Name, line, header, options of the program, separator.
FORMS = {
    "list, 17 digits": ("l17.txt", "{s!r} {y}\n", "", {}, " "),
    "list, 6 digits, tabs": ("l6.txt", "{s:.6f}\t{y}\n", "", {}, "\t"),
    "CSV, 4 columns": (
        "c.csv",
        "{i},{s!r},{y},1.5\n",
        "id,score,label,weight\n",
        {"weight": "weight"},
        ",",
    ),
    "CSV, text labels": (
        "t.csv",
        "{i},{s!r},{t}\n",
        "id,score,label\n",
        {"pos_label": "yes"},
        ",",
    ),
    "CSV, all quoted": (
        "q.csv",
        '"a {i}","{s!r}","{t}"\n',
        '"id","score","label"\n',
        {"pos_label": "yes"},
        ",",
    ),
}


def write_files(folder, n_rows):
    """Write one score file per format."""
    y_true, y_score = labels_and_scores(n_rows, 0.05)
    for name, line, header, *_ in FORMS.values():
        with open(folder / name, "w") as stream:
            stream.write(header)
            for start in range(0, n_rows, _ROWS_AT_ONCE):
                rows = slice(start, start + _ROWS_AT_ONCE)
                columns = zip(y_score[rows].tolist(), y_true[rows].tolist(), strict=True)
                stream.writelines(
                    line.format(i=i, s=s, y=y, t="yes" if y else "no")
                    for i, (s, y) in enumerate(columns, start)
                )


def arguments_of(path, asked):
    return [f"--{key.replace('_', '-')}={v}" for key, v in asked.items()] + [str(path)]


def by_program(path, asked):
    with contextlib.redirect_stdout(io.StringIO()):
        assert program(arguments_of(path, asked)) == 0


def by_reader(path, asked):
    return rows_of(str(path), parse("achievable-pr", arguments_of(path, asked)))


def by_pandas(path, mark):
    options = {"sep": mark, "header": 0 if path.suffix == ".csv" else None}
    if int(pd.__version__.split(".")[0]) < 3:
        options["float_precision"] = "round_trip"
    return pd.read_csv(path, **options)


def row(form, folder):
    name, _, _, asked, mark = FORMS[form]
    path = folder / name
    reader, by_polars, pandas, whole = medians(
        lambda: by_reader(path, asked),
        lambda: pl.read_csv(path, separator=mark, has_header=path.suffix == ".csv"),
        lambda: by_pandas(path, mark),
        lambda: by_program(path, asked),
        at_least=7,
    )
    return {
        "file": form,
        "MB": path.stat().st_size / 1e6,
        "reader s": reader,
        "Polars s": by_polars,
        "reader / Polars": reader / by_polars,
        "pandas s": pandas,
        "program s": whole,
    }


def main():
    options = command_line(__doc__, rows={"type": int, "default": 1_000_000})
    n_rows = min(options.rows, 100_000) if options.quick else options.rows
    report = Report(options, np, pd, pl, sklearn_achievable_pr)
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder), n_rows)
        rows = [row(form, Path(folder)) for form in FORMS]
    report.table("score_files", f"Seconds for files of {n_rows} rows", rows)
    report.close()


if __name__ == "__main__":
    main()
