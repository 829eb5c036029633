"""Results as text, and curves as files."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import math
import os
import secrets
import shutil
import sys
import warnings

from .reading import FileError, printable, reraise_as_file_error
from .results import BOUND_TITLES, INTERVAL_TITLES, PAIR_TITLES, titles

# Values that are shown as they were given.
_AS_GIVEN = ("assumed_prevalence", "recall_low", "recall_high", "confidence_level")


def _names_of(results):
    """Keys of what distinguishes the results."""
    return [key for key in ("file", "score", "fold") if any(key in r for r in results.rows)]


def _tables(results, options, is_short=False):
    """Titles, lines and number of names of the table of results, and of that of pairs."""
    names, called = _names_of(results), titles(options)
    hidden = {key for key in _AS_GIVEN[1:3] if options.recall_range == (0.0, 1.0)}
    if options.prevalence is None and options.fold is None:
        hidden.add("assumed_prevalence")
    if is_short and options.interval is not None:
        called["auc_pr"] += f" ({options.interval:.15g} interval)"
        hidden |= {*INTERVAL_TITLES}
    called = dict.fromkeys(names) | {k: t for k, t in called.items() if k not in hidden}
    cell = _short_cell if is_short else _cell
    lines = [[cell(key, row) for key in called] for row in results.rows]
    yield [title or key for key, title in called.items()], lines, len(names)
    if results.pairs:
        lines = [[_cell(key, pair) for key in PAIR_TITLES] for pair in results.pairs]
        yield [*PAIR_TITLES.values()], lines, 2


def _as_table(results, options):
    """One result as a list of its values, several as a line each; then the pairs."""
    tables = []
    for called, lines, n_names in _tables(results, options):
        if len(results.rows) == 1:
            pairs = zip(called[n_names:], lines[0][n_names:], strict=True)
            text = lines[0][0] + "\n" + _aligned([(f"  {t}", c) for t, c in pairs], 2)
        else:  # titles in two lines, of which the upper one is empty over names
            heads = [t.rpartition(" ")[::2] for t in called]
            heads[:n_names] = [("", t) for t in called[:n_names]]
            text = _aligned([*zip(*heads, strict=True), *lines], n_names)
        tables.append(text)
    return "\n".join(tables)


def _aligned(lines, n_left):
    """Cells in columns, the first ones to the left."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    marks = "<" * n_left + ">" * (len(widths) - n_left)
    form = "  ".join(f"{{:{m}{w}}}" for m, w in zip(marks, widths, strict=True))
    return "".join(form.format(*line).rstrip() + "\n" for line in lines)


def _cell(key, values):
    """A value with six digits; bounds are rounded outward."""
    value = values.get(key, "")
    if isinstance(value, str):
        return printable(value)
    if value is None or isinstance(value, int):
        return ("summary" if key == "fold" else "-") if value is None else str(value)
    if math.isnan(value):
        return "undefined"
    if key in BOUND_TITLES:
        # Outward at the sixth digit, but not for the rounding of a perfect area.
        outward = {"low": math.floor, "high": math.ceil}.get(key.rpartition("_")[2], round)
        value = outward(round(value * 1e6, 6)) / 1e6
        return f"{value:.6f}"
    is_small = key in _AS_GIVEN or 0 < abs(value) < 1e-3
    return f"{value:g}" if is_small else f"{value:.6f}"


def _short_cell(key, values):
    """A value with two digits, with its limits if it has some; bounds have six."""
    value, low = values.get(key), values.get("confidence_low")
    if not isinstance(value, float) or value != value or key in {*_AS_GIVEN, *BOUND_TITLES}:
        return _cell(key, values).replace("|", r"\|")
    shown = f"{value:.2f}" if value == 0 or abs(value) >= 0.095 else f"{value:.2g}"
    if key == "auc_pr" and low is not None and low == low:
        limits = (
            _short_cell("", {"": values[k]}) for k in ("confidence_low", "confidence_high")
        )
        shown += f" ({', '.join(limits)})"
    return shown


def _as_markdown(results, options):
    """A table for a page; with an interval the exact area is one cell with its limits."""
    tables = []
    for called, lines, n_names in _tables(results, options, is_short=True):
        rule = [":--"] * n_names + ["--:"] * (len(called) - n_names)
        lines = [called, rule, *lines]
        tables.append("".join("| " + " | ".join(line) + " |\n" for line in lines))
    return "\n".join(tables)


def _records(results, options):
    """The rows and the pairs with all their keys, None for what is undefined."""
    every = [*_names_of(results), *titles(options)]
    for keys, rows in ((every, results.rows), ([*PAIR_TITLES], results.pairs)):
        undefined = (
            {k: None if row.get(k) != row.get(k) else row.get(k) for k in keys}
            for row in rows
        )
        yield keys, [*undefined]


def _as_json(results, options):
    (_, found), (_, pairs) = _records(results, options)
    if pairs:
        found = {"results": found, "pairs": pairs}
    return json.dumps(found, indent=2, allow_nan=False) + "\n"


def _as_csv(results, options):
    tables = []
    for keys, rows in _records(results, options):
        text = io.StringIO()
        writer = csv.DictWriter(text, keys, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        tables += [text.getvalue()] if rows else []
    return "\n".join(tables)


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
    keys = _names_of(results)
    with open(made, "w", encoding="utf-8", errors="surrogateescape", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*keys, "curve", "recall", "precision", "threshold"])
        for names, curve in results.curves:
            first = [*map(names.get, keys), curve.kind]
            thresholds = [] if curve.thresholds is None else curve.thresholds
            thresholds = (None if t != t else t for t in thresholds)
            points = zip(curve.recall.tolist(), curve.precision.tolist(), strict=True)
            for point in points:
                writer.writerow([*first, *point, next(thresholds, None)])


def draw(made, path, results):
    """All curves on one axes."""
    from matplotlib.figure import Figure

    from .._plot.display_data import parameters_of
    from ..display import AchievablePRDisplay

    if not results.curves:
        raise FileError("--plot: there is no curve to draw: no file has positives.")
    # One entry of the legend for all folds of a kind.
    curves = [
        curve._replace(name=_legend_name(names, results.rows[0]), thresholds=None)
        for names, curve in results.curves
    ]
    band = "folds" if any(curve.band is not None for curve in curves) else None
    figure = Figure(figsize=(7, 7), layout="constrained")
    with warnings.catch_warnings():
        # A font may lack a letter of a file's name.
        warnings.filterwarnings("ignore", "Glyph", UserWarning)
        display = AchievablePRDisplay(**parameters_of(curves), band_kind=band)
        display.plot(ax=figure.subplots())
        figure.savefig(made, format=path[-3:].lower())


def _legend_name(names, values):
    """File, column and recalls, as matplotlib takes them."""
    low, high = values["recall_low"], values["recall_high"]
    name = printable(": ".join(filter(None, (names["file"], names.get("score")))))
    name = name if len(name) <= 40 else "..." + name[-37:]
    if (low, high) != (0, 1):
        name += f", recall {low:g} to {high:g}"
    # matplotlib leaves out names that start with a line, and makes formulas of $.
    return ("./" * name.startswith("_") + name).replace("$", r"\$")
