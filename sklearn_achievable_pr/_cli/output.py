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

from .reading import FileError, printable, reraise_as_file_error, shown_name
from .results import ALL_RECALLS, BOUND_TITLES, INTERVAL_TITLES, PAIR_TITLES, titles

# Values that are shown as they were given.
_AS_GIVEN = {"assumed_prevalence", "recall_low", "recall_high", "confidence_level"}
_LONGEST_NAME = 40


def _names_of(results):
    """Keys of what distinguishes the results."""
    names = ["file"] + ["score"] * any(result.score for result in results)
    return names + ["fold"] * any(result.fold != "" for result in results)


def _titles_shown(results, options):
    """The titles of the values, without those of options that were not given."""
    is_part = tuple(options.recall_range) != ALL_RECALLS
    is_assumed = options.prevalence is not None or options.fold is not None
    given = {
        "recall_low": is_part,
        "recall_high": is_part,
        "assumed_prevalence": is_assumed,
    }
    return {key: title for key, title in titles(options).items() if given.get(key, True)}


def _as_table(results, pairs, options):
    """One result as a list of its values, several as a line each; then the pairs."""
    called = _titles_shown(results, options)
    cells = [[_cell(key, result.values) for key in called] for result in results]
    if len(results) == 1:
        lines = [(f"  {t}", c) for t, c in zip(called.values(), cells[0], strict=True)]
        text = shown_name(results[0].file) + "\n" + _aligned(lines, 2)
    else:
        names = _names_of(results)
        lines = _heads([*names, *called.values()], len(names))
        lines += [
            (*_shown_names(r, names), *row) for r, row in zip(results, cells, strict=True)
        ]
        text = _aligned(lines, len(names))
    if not pairs:
        return text
    lines = _heads(PAIR_TITLES.values(), 2)
    lines += [_cells_of_pair(pair) for pair in pairs]
    return text + "\n" + _aligned(lines, 2)


def _heads(called, n_names):
    """Titles in two lines, of which the upper one is empty over names."""
    halves = [
        ("", t) if at < n_names else t.rpartition(" ")[::2] for at, t in enumerate(called)
    ]
    return [*zip(*halves, strict=True)]


def _shown_names(result, names):
    shown = {"file": shown_name(result.file), "score": printable(result.score)}
    shown["fold"] = "summary" if result.fold is None else printable(result.fold)
    return [shown[name] for name in names]


def _cells_of_pair(pair):
    first, second, *keys = PAIR_TITLES
    names = printable(pair[first]), printable(pair[second])
    return (*names, *(_cell(key, pair) for key in keys))


def _aligned(lines, n_left):
    """Cells in columns, the first ones to the left."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    marks = "<" * n_left + ">" * (len(widths) - n_left)
    form = "  ".join(f"{{:{m}{w}}}" for m, w in zip(marks, widths, strict=True))
    return "".join(form.format(*line).rstrip() + "\n" for line in lines)


def _cell(key, values):
    """A value with six digits; bounds are rounded outward."""
    value = values[key]
    if value is None or isinstance(value, int):
        return "-" if value is None else str(value)
    if math.isnan(value):
        return "undefined"
    if key in BOUND_TITLES:
        # Outward at the sixth digit, but not for the rounding of a perfect area.
        outward = {"low": math.floor, "high": math.ceil}.get(key.rpartition("_")[2], round)
        value = outward(round(value * 1e6, 6)) / 1e6
        return f"{value:.6f}"
    is_small = key in _AS_GIVEN or 0 < abs(value) < 1e-3
    return f"{value:g}" if is_small else f"{value:.6f}"


def _as_markdown(results, pairs, options):
    """A table for a page; with an interval the exact area is one cell with its limits."""
    names, called = _names_of(results), _titles_shown(results, options)
    if options.interval is not None:
        called = {key: title for key, title in called.items() if key not in INTERVAL_TITLES}
        called["auc_pr"] += f" ({options.interval:.15g} interval)"
    lines = [[*names, *called.values()]]
    for result in results:
        cells = {key: _short_cell(key, result.values) for key in called}
        lines.append([*_shown_names(result, names), *cells.values()])
    text = _markdown(lines, len(names))
    if pairs:
        lines = [[*PAIR_TITLES.values()], *map(_cells_of_pair, pairs)]
        text += "\n" + _markdown(lines, 2)
    return text


def _short_cell(key, values):
    """A value with two digits, with its limits if it has some; bounds have six."""
    if key == "auc_pr" and not math.isnan(values.get("confidence_low") or math.nan):
        limits = (_short(values[name]) for name in ("confidence_low", "confidence_high"))
        return f"{_short(values[key])} ({', '.join(limits)})"
    is_short = isinstance(values[key], float) and key not in {*_AS_GIVEN, *BOUND_TITLES}
    return _short(values[key]) if is_short else _cell(key, values)


def _short(value):
    if math.isnan(value):
        return "undefined"
    return f"{value:.2f}" if value == 0 or abs(value) >= 0.095 else f"{value:.2g}"


def _markdown(lines, n_left):
    lines = [[cell.replace("|", r"\|") for cell in line] for line in lines]
    rule = [":--"] * n_left + ["--:"] * (len(lines[0]) - n_left)
    lines.insert(1, rule)
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def _records(results):
    """The results as dicts, None for what is undefined."""
    for result in results:
        record = {name: getattr(result, name) for name in _names_of(results)}
        yield record | _defined(result.values)


def _defined(values):
    return {key: None if value != value else value for key, value in values.items()}


def _as_json(results, pairs, options):
    found = [*_records(results)]
    if pairs:
        found = {"results": found, "pairs": [*map(_defined, pairs)]}
    return json.dumps(found, indent=2, allow_nan=False) + "\n"


def _as_csv(results, pairs, options):
    text = _csv_of([*_names_of(results), *titles(options)], _records(results))
    return text + ("\n" + _csv_of(PAIR_TITLES, map(_defined, pairs)) if pairs else "")


def _csv_of(columns, records):
    text = io.StringIO()
    writer = csv.DictWriter(text, [*columns], lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue()


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
    if stream is None:
        return
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
        with reraise_as_file_error(shown_name(path), "written"):
            if os.path.exists(target) and not os.path.isfile(target):
                raise OSError("it is no regular file")
            os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
            if os.path.exists(target):
                shutil.copymode(target, temporary)
        yield temporary
        with reraise_as_file_error(shown_name(path), "written"):
            os.replace(temporary, target)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def write_curves(made, path, results):
    """One line per point; no threshold at recall 0, between thresholds and for points."""
    names = _names_of(results)
    with open(made, "w", encoding="utf-8", errors="surrogateescape", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*names, "curve", "recall", "precision", "threshold"])
        for result in results:
            first = [getattr(result, name) for name in names]
            for curve in result.curves:
                n_points = len(curve.recall)
                thresholds = (
                    [None] * n_points if curve.thresholds is None else curve.thresholds
                )
                shown = (t if t == t else None for t in [*thresholds, None])
                points = zip(
                    curve.recall.tolist(), curve.precision.tolist(), shown, strict=False
                )
                writer.writerows((*first, curve.kind, *point) for point in points)


def draw(made, path, results):
    """All curves on one axes."""
    from matplotlib.figure import Figure

    from .._plot.display_data import parameters_of
    from ..display import AchievablePRDisplay

    has_folds = any(result.fold != "" for result in results)
    curves = [
        # One entry of the legend for all folds of a kind.
        curve._replace(
            name=_legend_name(results[0] if has_folds else result), thresholds=None
        )
        for result in results
        for curve in result.curves
    ]
    if not curves:
        raise FileError("--plot: there is no curve to draw: no file has positives.")
    band = "folds" if any(curve.band is not None for curve in curves) else None
    figure = Figure(figsize=(7, 7), layout="constrained")
    with warnings.catch_warnings():
        # A font may lack a letter of a file's name.
        warnings.filterwarnings("ignore", "Glyph", UserWarning)
        display = AchievablePRDisplay(**parameters_of(curves), band_kind=band)
        display.plot(ax=figure.subplots())
        figure.savefig(made, format=path[-3:].lower())


def _legend_name(result):
    """File, column and recalls, as matplotlib takes them."""
    low, high = result.values["recall_low"], result.values["recall_high"]
    name = ": ".join(filter(None, (shown_name(result.file), printable(result.score))))
    if len(name) > _LONGEST_NAME:
        name = "..." + name[-_LONGEST_NAME:]
    if (low, high) != ALL_RECALLS:
        name += f", recall {low:g} to {high:g}"
    # matplotlib leaves out names that start with a line, and makes formulas of $.
    return ("./" * name.startswith("_") + name).replace("$", r"\$")
