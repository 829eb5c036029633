"""How long the program `achievable-pr` takes for a score file, beside pandas.

Prints the medians of alternating runs in one process: the whole of the program (reading,
measuring, printing), and `pandas.read_csv` called on the same file with the right separator
and no other option, then the area of its columns::

    python benchmarks/bench_score_files.py [--quick] [--rows 1000000] [--out DIR]

pandas 3 rounds decimal numbers correctly, as the program does; earlier ones need
`float_precision="round_trip"` for that, which is what they are measured with.
"""

import contextlib
import io
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from _bench import Report, command_line, labels_and_scores, medians

import sklearn_achievable_pr
from sklearn_achievable_pr import auc_pr_interpolated
from sklearn_achievable_pr.__main__ import main as program

_ROWS_AT_ONCE = 100_000
# Name, line, header; what the program is told; separator, columns of score and label.
FORMS = {
    "list, 17 digits": ("l17.txt", "{s!r} {y}\n", "", [], (" ", 0, 1)),
    "list, 6 digits, tabs": ("l6.txt", "{s:.6f}\t{y}\n", "", [], ("\t", 0, 1)),
    "CSV, 4 columns": (
        "c.csv",
        "{i},{s!r},{y},1.5\n",
        "id,score,label,weight\n",
        ["--weight", "weight"],
        (",", "score", "label"),
    ),
    "CSV, text labels": (
        "t.csv",
        "{i},{s!r},{t}\n",
        "id,score,label\n",
        ["--pos-label", "yes"],
        (",", "score", "label"),
    ),
}


def write_files(folder, n_rows):
    """A score file of every form."""
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


def by_program(path, told):
    with contextlib.redirect_stdout(io.StringIO()):
        assert program([*told, str(path)]) == 0


def by_pandas(path, sep, score, label):
    options = {"sep": sep, "header": 0 if path.suffix == ".csv" else None}
    if int(pd.__version__.split(".")[0]) < 3:
        options["float_precision"] = "round_trip"
    table = pd.read_csv(path, **options)
    text = table[label].dtype.kind not in "iu"
    weight = {"sample_weight": table["weight"]} if "weight" in table else {}
    return auc_pr_interpolated(
        table[label], table[score], pos_label="yes" if text else None, **weight
    )


def row(form, folder):
    name, _, _, told, columns = FORMS[form]
    path = folder / name
    ours, theirs = medians(
        lambda: by_program(path, told), lambda: by_pandas(path, *columns), at_least=5
    )
    return {
        "file": form,
        "MB": path.stat().st_size / 1e6,
        "program s": ours,
        "pandas s": theirs,
        "program / pandas": ours / theirs,
    }


def main():
    options = command_line(__doc__, rows={"type": int, "default": 1_000_000})
    n_rows = min(options.rows, 100_000) if options.quick else options.rows
    report = Report("score_files", options, np, pd, sklearn_achievable_pr)
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder), n_rows)
        rows = [row(form, Path(folder)) for form in FORMS]
    report.table("score_files", f"{n_rows} rows", rows)
    report.close()


if __name__ == "__main__":
    main()
