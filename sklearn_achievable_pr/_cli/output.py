"""Results as text, and curves as files."""

from __future__ import annotations

import contextlib
import csv
import itertools
import json
import math
import os
import secrets
import shutil
import sys
import warnings

from .reading import FileError, not_installed, pl, printable, reraise_as_file_error

_NAMES = ("file", "score", "fold", "first", "second")
_LIMITS = ("confidence_low", "confidence_high")
_INTERVAL = ("standard_error", "confidence_level", *_LIMITS)
# Values that are shown as they were given.
_AS_GIVEN = ("assumed_prevalence", "recall_low", "recall_high", "confidence_level")
_BOUNDS = {
    f"{key}_{end}": f"{title}, {called}"
    for key, title in (
        ("auc_pr", "AUC-PR"),
        ("auc_pr_achievable", "achievable"),
        ("aucnpr", "AUCNPR"),
    )
    for end, called in (("low", "lower"), ("estimate", "estimate"), ("high", "upper"))
}
# All that is printed, by its key in JSON and CSV: what the table calls it.
TITLES = {key: key for key in (*_NAMES, "n", "positives", "prevalence")} | {
    "assumed_prevalence": "assumed prevalence",
    "recall_low": "from recall",
    "recall_high": "to recall",
    "difference": "difference",
    "auc_pr": "AUC-PR, exact",
    "auc_pr_achievable": "AUC-PR, achievable",
    "aucnpr": "AUCNPR",
    **_BOUNDS,
    "auc_pr_min": "minimum AUC-PR",
    "auc_pr_davis_goadrich": "AUC-PR, as AUCCalculator",
    "average_precision": "average precision",
    "auc_roc": "AUC-ROC",
    "standard_error": "standard error",
    "confidence_level": "confidence level",
    "confidence_low": "lower limit",
    "confidence_high": "upper limit",
    "pvalue": "p-value",
    "pvalue_holm": "p-value, Holm",
}


def _cell(key, row, is_short=False):
    """A value with six digits, or with two; bounds always have six, rounded outward."""
    value = row.get(key)
    if isinstance(value, str):
        return printable(value).replace("|", r"\|" if is_short else "|")
    if value is None:
        return "summary" if key == "fold" else "-"
    if isinstance(value, int) or math.isnan(value):
        return "undefined" if value != value else str(value)
    if key in _BOUNDS:
        # Outward at the sixth digit, but not for the rounding of a perfect area.
        outward = {"low": math.floor, "high": math.ceil}.get(key.rpartition("_")[2], round)
        return f"{outward(round(value * 1e6, 6)) / 1e6:.6f}"
    if key in _AS_GIVEN:
        return f"{value:g}"
    if not is_short:
        return f"{value:g}" if 0 < abs(value) < 1e-3 else f"{value:.6f}"
    text = f"{value:.2f}" if value == 0 or abs(value) >= 0.095 else f"{value:.2g}"
    if key == "auc_pr" and not math.isnan(row.get(_LIMITS[0], math.nan)):
        text += f" ({', '.join(_cell(limit, row, is_short) for limit in _LIMITS)})"
    return text


def _tables(results):
    """Keys and rows of the results and of the pairs."""
    for rows in filter(None, (results.rows, results.pairs)):
        yield [key for key in TITLES if any(key in row for row in rows)], rows


def _shown_tables(results, is_short=False):
    """Titles, lines of cells and number of names of the results and of the pairs."""
    for keys, rows in _tables(results):
        first, titles, is_pairs = rows[0], dict(TITLES), rows is results.pairs
        hidden = {"recall_low", "recall_high"}
        if (first.get("recall_low"), first.get("recall_high")) != (0, 1):
            hidden.clear()
        if first.get("assumed_prevalence") is None:
            hidden.add("assumed_prevalence")
        if is_short and not is_pairs and "confidence_level" in keys:
            level = max(row.get("confidence_level", 0) for row in rows)
            titles["auc_pr"] += f" ({level:.15g} interval)"
            hidden |= {*_INTERVAL}
        keys = [key for key in keys if key not in hidden]
        lines = [[_cell(k, row, is_short and not is_pairs) for k in keys] for row in rows]
        yield [titles[key] for key in keys], lines, len({*keys} & {*_NAMES})


def _as_table(results):
    """One result as a list of its values, several as a line each; then the pairs."""
    texts = []
    for titles, lines, n_names in _shown_tables(results):
        if len(results.rows) == 1:
            values = zip(titles[n_names:], lines[0][n_names:], strict=True)
            text = lines[0][0] + "\n" + _aligned([(f"  {t}", v) for t, v in values], 2)
        else:  # titles in two lines, of which the upper one is empty over names
            heads = zip(*(title.rpartition(" ")[::2] for title in titles), strict=True)
            text = _aligned([*heads, *lines], n_names)
        texts.append(text)
    return "\n".join(texts)


def _aligned(lines, n_left):
    """Cells in columns, the first ones to the left."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    marks = "<" * n_left + ">" * (len(widths) - n_left)
    form = "  ".join(f"{{:{m}{w}}}" for m, w in zip(marks, widths, strict=True))
    return "".join(form.format(*line).rstrip() + "\n" for line in lines)


def _as_markdown(results):
    """A table for a page; with an interval the exact area is one cell with its limits."""
    texts = []
    for titles, lines, n_names in _shown_tables(results, is_short=True):
        rule = [":--"] * n_names + ["--:"] * (len(titles) - n_names)
        lines = [titles, rule, *lines]
        texts.append("".join("| " + " | ".join(line) + " |\n" for line in lines))
    return "\n".join(texts)


def _records(keys, rows):
    """The rows with all keys, None for what is undefined."""
    return [
        {k: None if row.get(k) != row.get(k) else row.get(k) for k in keys} for row in rows
    ]


def _as_json(results):
    found, *pairs = (_records(*table) for table in _tables(results))
    both = {"results": found, "pairs": pairs[0]} if pairs else found
    return json.dumps(both, indent=2, allow_nan=False) + "\n"


def _as_csv(results):
    tables = (_records(*table) for table in _tables(results))
    return "\n".join(pl.DataFrame(t, infer_schema_length=None).write_csv() for t in tables)


FORMATS = {"table": _as_table, "json": _as_json, "csv": _as_csv, "markdown": _as_markdown}


def write_out(text: str) -> None:
    """Write to standard output; the error of a reader that left is a broken pipe."""
    with reraise_as_file_error("standard output", "written"):
        if sys.stdout is None:
            raise OSError("it is closed")
        try:
            show(sys.stdout, text)
        except OSError:
            # Python would try to write the rest when it ends, and complain.
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise


def show(stream, text: str) -> None:
    """Write a text, whatever characters the stream can show; nothing if it is closed."""
    if stream is not None:
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()


@contextlib.contextmanager
def replacing(path: str):
    """A new file beside that of `path`, which takes its place if all goes well.

    It is made before anything is read, so that a folder that cannot be written to is
    known at once, and in the same folder, so that the last step is a rename.
    """
    target = os.path.realpath(path)
    temporary = os.path.join(os.path.dirname(target), f".{secrets.token_hex(8)}.tmp")
    try:
        with reraise_as_file_error(path, "written"):
            if os.path.exists(target) and not os.path.isfile(target):
                raise OSError("it is no regular file")
            os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
            if os.path.exists(target):
                shutil.copymode(target, temporary)
        yield temporary
        with reraise_as_file_error(path, "written"):
            os.replace(temporary, target)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def write_curves(made, path, results):
    """One line per point; no threshold at recall 0, between thresholds and for points."""
    keys = [key for key in _NAMES if key in results.rows[0]]
    with open(made, "w", encoding="utf-8", errors="surrogateescape", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*keys, "curve", "recall", "precision", "threshold"])
        for names, curve in results.curves:
            first = [*map(names.get, keys), curve.kind]
            columns = curve.recall, curve.precision, curve.thresholds
            columns = ([] if column is None else column.tolist() for column in columns)
            for *point, threshold in itertools.zip_longest(*columns, fillvalue=math.nan):
                shown = "" if math.isnan(threshold) else threshold
                writer.writerow([*first, *point, shown])


def draw(made, path, results):
    """All curves on one axes."""
    try:
        import matplotlib.figure
    except ImportError as error:
        raise not_installed("--plot needs matplotlib", "plot") from error

    from .._plot.display_data import parameters_of
    from ..display import AchievablePRDisplay

    if not results.curves:
        raise FileError("--plot: there is no curve to draw: no file has positives.")
    low, high = results.rows[0]["recall_low"], results.rows[0]["recall_high"]
    of_recalls = f", recall {low:g} to {high:g}" if (low, high) != (0, 1) else ""
    curves = []
    for names, curve in results.curves:
        # One entry of the legend for all folds of a kind.
        name = printable(": ".join(filter(None, (names["file"], names.get("score")))))
        name = (name if len(name) <= 40 else "..." + name[-37:]) + of_recalls
        # matplotlib leaves out names that start with a line, and makes formulas of $.
        name = ("./" * name.startswith("_") + name).replace("$", r"\$")
        curves.append(curve._replace(name=name, thresholds=None))
    band = "folds" if any(curve.band is not None for curve in curves) else None
    figure = matplotlib.figure.Figure(figsize=(7, 7), layout="constrained")
    with warnings.catch_warnings():
        # A font may lack a letter of a file's name.
        warnings.filterwarnings("ignore", "Glyph", UserWarning)
        display = AchievablePRDisplay(**parameters_of(curves), band_kind=band)
        display.plot(ax=figure.subplots())
        figure.savefig(made, format=os.path.splitext(path)[1][1:].lower())
