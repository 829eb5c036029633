"""The program `achievable-pr`: files of scores in, areas and curves out.

It parses arguments, asks `_files` for columns and the package for numbers, and prints.
Nothing is printed, and no file replaced, before everything asked for is there.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import json
import math
import os
import secrets
import shutil
import sys
import time
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import auc

from . import __version__
from ._by_fold import folds_of, parts_of, rows_of, summary_of
from ._files import Asked, FileError, Table, needed, read_points, read_scores, told
from ._how_sure import (
    INTERVAL_TITLES,
    LEVEL,
    PAIR_TITLES,
    Scored,
    heard,
    interval_of,
    pairs_of,
)
from ._input.labels import Problem
from ._input.options import check_counts
from ._path.counting import every_threshold, from_counts
from ._path.path import Path
from .areas import area, average_precision, davis_goadrich_area, normalized_area
from .curves import curve_of
from .unachievable import auc_pr_min

PROGRAM = "achievable-pr"
USER_ERROR, INTERRUPTED, BROKEN_PIPE = 2, 130, 141

_LONGEST_NAME, _MOST_STEPS = 40, 10**8
_ALL_RECALLS = (0.0, 1.0)
_CURVES = ("empirical", "achievable")
_PAIR_KEYS = [*PAIR_TITLES][2:]
# Values that are shown as they were given.
_AS_GIVEN = {"assumed_prevalence", "recall_low", "recall_high", "confidence_level"}
# The keys of a result's values, and what the table calls them.
_TITLES = {
    "n": "n",
    "positives": "positives",
    "prevalence": "prevalence",
    "assumed_prevalence": "assumed prevalence",
    "recall_low": "from recall",
    "recall_high": "to recall",
    "auc_pr": "AUC-PR, exact",
    "auc_pr_achievable": "AUC-PR, achievable",
    "aucnpr": "AUCNPR",
    "auc_pr_min": "floor of AUC-PR",
    "auc_pr_davis_goadrich": "AUC-PR, as AUCCalculator",
    "average_precision": "average precision",
    "auc_roc": "AUC-ROC",
}


class Curve(NamedTuple):
    """Points of a curve by falling recall, and its areas over the recalls asked for."""

    precision: np.ndarray
    recall: np.ndarray
    thresholds: np.ndarray
    auc_pr: float
    aucnpr: float | None  # None without negatives, as the next
    prevalence: float | None
    summary: bool = False  # of folds
    band: np.ndarray | None = None


class Result(NamedTuple):
    """All that the scores of one column of one file give."""

    file: str
    score: str  # the column; "" if one column a file is read
    values: dict[str, Any]  # by the keys of _TITLES; NaN undefined, None not meant
    curves: dict[str, Curve]  # by kind; empty if none was asked for
    notes: tuple[str, ...] = ()  # what there is to warn of
    fold: str | None = ""  # "" if none are read, None for their summary


# Arguments


def _parser():
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Exact areas under precision-recall curves, from files of scores: "
        "lines of score and label, CSV with a header (either may be gzipped) or Parquet.",
        epilog="Exit status: 0 done, 2 unusable argument or file, 130 interrupted.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="file to read; - is standard input")
    add("--version", action="version", version=f"%(prog)s {__version__}")

    add = parser.add_argument_group("what the files hold").add_argument
    text = "column of the scores, once for each to be measured (default: score, y_score)"
    add("--score", metavar="COL", action="append", default=[], help=text)
    add("--label", metavar="COL", help="column of the labels (default: label, y_true)")
    add("--weight", metavar="COL", help="column of the weights")
    add("--fold", metavar="COL", help="column of the folds, each measured; any text")
    add("--pos-label", metavar="L", help="the positive label, if it is not 1 or true")
    text = "the files hold points of a curve: recall and precision, or fpr and tpr"
    add("--points", choices=("pr", "roc"), help=text)
    add("--n-pos", metavar="P", type=count, help="number of positives behind the points")
    add("--n-neg", metavar="N", type=count, help="number of negatives behind the points")

    add = parser.add_argument_group("what is measured").add_argument
    text = "areas over recalls from A to B; average precision and AUC-ROC are of all"
    how = {"nargs": 2, "type": float, "default": _ALL_RECALLS, "help": text}
    add("--recall-range", metavar=("A", "B"), **how)
    text = "fraction of positives to stand for, e.g. that before down-sampling"
    add("--prevalence", metavar="P", type=float, help=text)

    add = parser.add_argument_group("how sure it is").add_argument
    text = f"standard error and confidence interval of the exact area (default: {LEVEL:g})"
    how = {"nargs": "?", "type": level, "const": LEVEL, "help": text}
    add("--interval", metavar="LEVEL", **how)
    text = "each two columns of scores, or files of the same rows, and their difference"
    add("--compare", action="store_true", help=text)
    text = "column of what rows belong together by, such as a patient; any text"
    add("--groups", metavar="COL", help=text)

    add = parser.add_argument_group("what is written").add_argument
    add("--format", choices=tuple(_FORMATS), default="table", help="what is printed")
    add("--curve", metavar="OUT.csv", help="write the points of the curves to this file")
    add("--plot", metavar="OUT.png", help="draw the curves to this .png, .svg or .pdf file")
    text = "the curve to write and draw: through every threshold, of the hull, or both"
    add("--which", choices=(*_CURVES, "both"), default="empirical", help=text)
    return parser


def count(text):
    """A number of samples; weighted totals need not be whole."""
    value = float(text)
    if not 0 < value < math.inf:
        raise ValueError
    return int(value) if value.is_integer() else value


def level(text):
    """A confidence level."""
    value = float(text)
    if not 0 < value < 1:
        raise ValueError
    return value


def _misuse(options):
    """What is wrong with options that make no sense, alone or together; else None."""
    low, high = options.recall_range
    totals = (options.n_pos, options.n_neg)
    outputs = [path for path in (options.curve, options.plot) if path is not None]
    written = {os.path.realpath(path): path for path in outputs}
    read = {os.path.realpath(path) for path in options.files if outputs}
    if not 0 <= low < high <= 1:
        return f"--recall-range needs 0 <= A < B <= 1, got {low:g} and {high:g}"
    if options.prevalence is not None and not 0 < options.prevalence < 1:
        return f"--prevalence must lie inside (0, 1), got {options.prevalence:g}"
    if options.files.count("-") > 1:
        return "- (standard input) can be read only once"
    if options.points and None in totals:
        return "--points needs both --n-pos and --n-neg: points are fractions of these"
    if misuse := _misuse_of_how_sure(options):
        return misuse
    if options.points and _asked(options) != Asked():
        named = "--score, --label, --weight and --pos-label"
        return f"--points files have no labels: leave out {named}"
    if not options.points and totals != (None, None):
        return "--n-pos and --n-neg belong to --points: score files are counted"
    if options.plot and not options.plot.lower().endswith((".png", ".svg", ".pdf")):
        return f"--plot needs a name that ends in .png, .svg or .pdf, got {options.plot!r}"
    if len(written) < len(outputs):
        return f"--curve and --plot name one file, {options.curve!r}"
    if overwritten := read & written.keys():
        return (
            f"{written[overwritten.pop()]!r} is both read and written: name another output"
        )
    return None


def _misuse_of_how_sure(options):
    for name, given in {
        "--interval": options.interval is not None,
        "--compare": options.compare,
        "--fold": options.fold is not None,
    }.items():
        if options.points and given:
            return f"{name} needs rows: leave it out with --points"
    if options.groups is not None and options.interval is None and not options.compare:
        return "--groups belongs to --interval and --compare"
    n_scores = len(options.files) * max(1, len({*options.score}))
    if options.compare and n_scores < 2:
        return "--compare needs two columns of scores or two files"
    if options.compare and options.fold is not None:
        return "--compare is of all rows, not of folds: leave out --compare or --fold"
    if options.plot and options.fold is not None and n_scores > 1:
        return "--plot draws the folds of one column of one file: leave out the others"
    return None


def _asked(options):
    scores = tuple(dict.fromkeys(options.score))
    texts = dict.fromkeys(filter(None, (options.groups, options.fold)))
    return Asked(scores, options.label, options.weight, options.pos_label, (*texts,))


# Reading


class _Progress:
    """A line on a terminal that says how much of a file is read; elsewhere nothing."""

    def __init__(self, path):
        self.name, self.done = _shown_name(path), 0
        self.size = os.path.getsize(path) if os.path.isfile(path) else 0
        self.visible, self.last = sys.stderr.isatty(), time.monotonic()

    def __call__(self, n_bytes):
        self.done += n_bytes
        if self.visible and time.monotonic() - self.last > 0.2:
            self.last = time.monotonic()
            part = f", {min(self.done / self.size, 1):.0%}" if self.size else ""
            self.show(f"reading {self.name}: {self.done / 1e6:.0f} MB{part}")

    def show(self, text=""):
        if self.visible:
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def _read(path, options):
    """What `read_points` or `read_scores` makes of one file."""
    name, progress = _shown_name(path), _Progress(path)
    with contextlib.ExitStack() as stack:
        stack.callback(progress.show)
        stream = sys.stdin.buffer
        if path != "-":
            with told(name, "read"):
                stream = stack.enter_context(open(path, "rb"))
        if options.points:
            totals = options.n_pos, options.n_neg
            return read_points(stream, name, options.points, *totals, progress)
        return read_scores(stream, name, _asked(options), progress)


def _shown_name(path):
    return "standard input" if path == "-" else _printable(path)


def _printable(text):
    return text if text.isprintable() else ascii(text)


# Measuring


def _results(file: str, options, kept: list[Scored]) -> Iterator[Result]:
    """A result for each column of scores; these are kept only to be compared."""
    data, spacing = _read(file, options), max(1, (options.n_pos or 0) / _MOST_STEPS)
    if options.points:
        fps, tps = data
        path = from_counts(*check_counts(tps, fps, options.n_pos, options.n_neg))
        n = {"n": options.n_pos + options.n_neg, "positives": options.n_pos}
        yield _measured(Result(file, "", n, {}), path, spacing, options)
        return
    for column, score in data.scores.items():
        name = column if len(data.scores) > 1 else ""
        result = Result(file, name, {}, {})
        if options.fold is not None:
            yield from _of_folds(result, data, score, options)
        else:
            yield _of_rows(result, data, score, options)
        if options.compare:
            shown = _shown_name(file)
            parts = (file if len(options.files) > 1 else "", name)
            kept.append(Scored(shown, ": ".join(filter(None, parts)), data, score))


def _of_rows(result: Result, data: Table, score, options) -> Result:
    n = {"n": len(data.positive), "positives": int(np.count_nonzero(data.positive))}
    spacing = 1
    if data.weight is not None and n["positives"]:
        spacing = data.weight[data.positive].mean()
    path = every_threshold(Problem(data.positive, score, data.weight))
    result = _measured(result._replace(values=n), path, spacing, options)
    return _how_sure(result, data, score, options)


def _of_folds(result: Result, data: Table, score, options) -> Iterator[Result]:
    """A result a fold, all at one prevalence, then that of their summary."""
    parts, name = parts_of(data, options.fold), _shown_name(result.file)
    notes: list[str] = []
    with heard(notes, UndefinedMetricWarning):
        found = folds_of(parts, data, score, options.prevalence, name)
    at = argparse.Namespace(**vars(options) | {"prevalence": found.prevalence})
    for fold, rows in parts.items():
        of_fold = result._replace(fold=fold)
        yield _of_rows(of_fold, rows_of(data, rows), score[rows], at)
    which = options.which if options.curve or options.plot else None
    low, high = options.recall_range
    measured, drawn = summary_of(found, (low, high), which)
    values = dict.fromkeys(_titles(options)) | measured
    values["n"] = len(data.positive)
    values["positives"] = int(np.count_nonzero(data.positive))
    values["prevalence"] = float(np.average(data.positive, weights=data.weight))
    values["assumed_prevalence"] = found.prevalence
    values["recall_low"], values["recall_high"] = low, high
    curves = {}
    for c in drawn:
        nowhere = np.full(len(c.recall) - 1, np.nan)
        areas = c.auc_pr, c.aucnpr, c.prevalence
        curves[c.kind] = Curve._make((c.precision, c.recall, nowhere, *areas, True, c.band))
    yield result._replace(values=values, curves=curves, notes=(*notes,), fold=None)


def _measured(result: Result, path: Path, spacing: float, options) -> Result:
    """The result with what a path through every threshold gives."""
    low, high = options.recall_range
    found = float(path.n_pos / (path.n_pos + path.n_neg))
    values = dict.fromkeys(_TITLES, math.nan) | result.values
    values["prevalence"], values["assumed_prevalence"] = found, options.prevalence
    values["recall_low"], values["recall_high"] = low, high
    takes_steps = options.weight is None and path.n_pos <= _MOST_STEPS
    values["auc_pr_davis_goadrich"] = math.nan if takes_steps else None
    mixed = found < 1
    if found == 0 or not (mixed or options.prevalence is None):
        return result._replace(values=values)
    if mixed:
        fps, tps, _ = path.whole()
        values["auc_roc"] = float(auc(fps / path.n_neg, tps / path.n_pos))
    path = path.at_prevalence(options.prevalence)
    hull = path.hull()
    prevalence, curves = options.prevalence or found, {}
    values["auc_pr"] = area(path, low, high)
    values["auc_pr_achievable"] = area(hull, low, high)
    values["aucnpr"] = normalized_area(path, low, high) if mixed else math.nan
    values["auc_pr_min"] = auc_pr_min(prevalence, (low, high)) if mixed else high - low
    values["average_precision"] = average_precision(path)[0]
    if takes_steps:
        values["auc_pr_davis_goadrich"] = davis_goadrich_area(path, low, high)
    for kind, curve in zip(_CURVES, (path, hull), strict=True):
        if (options.curve or options.plot) and options.which in (kind, "both"):
            normalized = normalized_area(curve, low, high) if mixed else None
            measures = area(curve, low, high), normalized, prevalence if mixed else None
            curves[kind] = Curve._make((*curve_of(curve, spacing), *measures, False, None))
    return result._replace(values=values, curves=curves)


def _how_sure(result: Result, data: Table, score, options) -> Result:
    """The result with the interval, if that is asked for."""
    if options.interval is None:
        return result
    rows = {"sample_weight": data.weight, "groups": data.texts.get(options.groups)}
    notes: list[str] = []
    with heard(notes):
        values = interval_of(data.positive, score, options, **rows)
    return result._replace(values=result.values | values, notes=(*notes,))


def _undefined(values):
    """What to say of the values that are undefined; None if none is."""
    if values["positives"] == 0:
        return "has no positives: every area is undefined"
    if values["positives"] < values["n"]:
        return None
    if values["assumed_prevalence"] is None:
        return "has no negatives: AUCNPR and AUC-ROC are undefined"
    return "has no negatives: nothing can be told of another prevalence, all is undefined"


# Printing


def _titles(options):
    """Keys of the values, and what the table calls them."""
    return _TITLES | (INTERVAL_TITLES if options.interval is not None else {})


def _names(results):
    """Keys of what tells the results apart."""
    names = {
        "file": True,
        "score": any(result.score for result in results),
        "fold": any(result.fold != "" for result in results),
    }
    return [name for name, tells in names.items() if tells]


def _as_table(results, pairs, options):
    """One result as a list of its values, several as a line each; then the pairs."""
    text = _table_of_results(results, options)
    if not pairs:
        return text
    lines = [*zip(*(t.rpartition(" ")[::2] for t in PAIR_TITLES.values()), strict=True)]
    for first, second, *values in (pair.values() for pair in pairs):
        shown = [_cell(v, k in _AS_GIVEN) for k, v in zip(_PAIR_KEYS, values, strict=True)]
        lines.append((_printable(first), _printable(second), *shown))
    return text + "\n" + _aligned(lines, 2)


def _table_of_results(results, options):
    is_part = tuple(options.recall_range) != _ALL_RECALLS
    asked = {"recall_low": is_part, "recall_high": is_part}
    assumed = options.prevalence is not None or options.fold is not None
    asked["assumed_prevalence"] = assumed
    titles = {k: title for k, title in _titles(options).items() if asked.get(k, True)}
    cells = [[_cell(r.values[key], key in _AS_GIVEN) for key in titles] for r in results]
    if len(results) == 1:
        lines = [(f"  {t}", c) for t, c in zip(titles.values(), cells[0], strict=True)]
        return _shown_name(results[0].file) + "\n" + _aligned(lines, 2)
    names = _names(results)
    heads = [("", name) for name in names]
    heads += [title.rpartition(" ")[::2] for title in titles.values()]
    lines = [*zip(*heads, strict=True)]
    for result, row in zip(results, cells, strict=True):
        shown = {"file": _shown_name(result.file), "score": _printable(result.score)}
        shown["fold"] = _printable("summary" if result.fold is None else result.fold)
        lines.append((*(shown[name] for name in names), *row))
    return _aligned(lines, len(names))


def _aligned(lines, n_left):
    """Cells in columns, the first ones to the left."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    marks = "<" * n_left + ">" * (len(widths) - n_left)
    form = "  ".join(f"{{:{m}{w}}}" for m, w in zip(marks, widths, strict=True))
    return "".join(form.format(*line).rstrip() + "\n" for line in lines)


def _cell(value, as_given):
    if value is None or isinstance(value, int):
        return "-" if value is None else str(value)
    if math.isnan(value):
        return "undefined"
    return f"{value:g}" if as_given or 0 < abs(value) < 1e-3 else f"{value:.6f}"


def _records(results):
    """The results as dicts, None for what is undefined."""
    for result in results:
        record = {name: getattr(result, name) for name in _names(results)}
        yield record | _defined(result.values)


def _defined(values):
    return {key: None if value != value else value for key, value in values.items()}


def _as_json(results, pairs, options):
    found = [*_records(results)]
    if pairs:
        found = {"results": found, "pairs": [*map(_defined, pairs)]}
    return json.dumps(found, indent=2, allow_nan=False) + "\n"


def _as_csv(results, pairs, options):
    text = _csv_of([*_names(results), *_titles(options)], _records(results))
    return text + ("\n" + _csv_of(PAIR_TITLES, map(_defined, pairs)) if pairs else "")


def _csv_of(columns, records):
    text = io.StringIO()
    writer = csv.DictWriter(text, [*columns], lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue()


_FORMATS = {"table": _as_table, "json": _as_json, "csv": _as_csv}


def _print(text):
    with told("standard output", "written"):
        try:
            _show(sys.stdout, text)
        except OSError:
            # Python would try to write the rest when it ends, and complain.
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise


def _show(stream, text):
    """Write a text, whatever characters the stream can show."""
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()


# Files written


@contextlib.contextmanager
def _replacing(path):
    """A new file beside that of `path`, which takes its place if all goes well.

    It is made before anything is read, so that a folder that cannot be written to is
    known at once, and in the same folder, so that the last step is a rename.
    """
    target = os.path.realpath(path)
    temporary = os.path.join(os.path.dirname(target), f".{secrets.token_hex(8)}.tmp")
    try:
        with told(_shown_name(path), "written"):
            if os.path.exists(target) and not os.path.isfile(target):
                raise OSError("it is no regular file")
            os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
            if os.path.exists(target):
                shutil.copymode(target, temporary)
        yield temporary
        with told(_shown_name(path), "written"):
            os.replace(temporary, target)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def _write_curves(made, path, results):
    """One line a point; no threshold at recall 0, between thresholds and for points."""
    names = _names(results)
    with open(made, "w", encoding="utf-8", errors="surrogateescape", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*names, "curve", "recall", "precision", "threshold"])
        for result in results:
            told_apart = [getattr(result, name) for name in names]
            for kind, (precision, recall, thresholds, *_) in result.curves.items():
                shown = ["" if t != t else t for t in thresholds.tolist()] + [""]
                points = zip(recall.tolist(), precision.tolist(), shown, strict=True)
                writer.writerows((*told_apart, kind, *point) for point in points)


def _draw(made, path, results):
    """All curves on one axes."""
    from matplotlib.figure import Figure

    from .display import AchievablePRDisplay

    drawn = [(r, kind, curve) for r in results for kind, curve in r.curves.items()]
    if not drawn:
        raise FileError("--plot: there is no curve to draw: no file has positives.")
    found, kinds, curves = zip(*drawn, strict=True)
    precision, recall, _, *measures = map(list, zip(*curves, strict=True))
    named = dict(zip(Curve._fields[3:], measures, strict=True))  # as the display has them
    names = [*map(_legend_name, found)]
    # One entry for all folds of a kind.
    names = names[0] if any(named["summary"]) else names
    has_band = any(band is not None for band in named["band"])
    band_kind = "folds" if has_band else None
    display = AchievablePRDisplay(
        precision, recall, curve=[*kinds], name=names, band_kind=band_kind, **named
    )
    figure = Figure(figsize=(7, 7), layout="constrained")
    with warnings.catch_warnings():
        # A font without some letter of a file's name is no reason to stop or to worry.
        warnings.filterwarnings("ignore", "Glyph", UserWarning)
        display.plot(ax=figure.subplots())
        figure.savefig(made, format=path[-3:].lower())


def _legend_name(result):
    """File, column and recalls, short and as matplotlib takes them."""
    low, high = result.values["recall_low"], result.values["recall_high"]
    name = _shown_name(result.file)
    name += f": {_printable(result.score)}" if result.score else ""
    if len(name) > _LONGEST_NAME:
        name = "..." + name[-_LONGEST_NAME:]
    if name.startswith("_"):  # matplotlib leaves such names out
        name = os.path.join(os.curdir, name)
    if (low, high) != _ALL_RECALLS:
        name += f", recall {low:g} to {high:g}"
    return name.replace("$", r"\$")  # else a formula starts


# The program


def _run(options):
    """Exit status 0; errors are raised."""
    if options.plot is not None:
        needed("matplotlib", "--plot needs matplotlib", "plot")
    writers = {options.curve: _write_curves, options.plot: _draw}
    with contextlib.ExitStack() as stack:
        made = {path: stack.enter_context(_replacing(path)) for path in writers if path}
        kept, notes = [], []
        results = [r for file in options.files for r in _results(file, options, kept)]
        with heard(notes):
            pairs = pairs_of(kept, options) if options.compare else []
        text = _FORMATS[options.format](results, pairs, options)
        for path, temporary in made.items():
            with told(_shown_name(path), "written"):
                writers[path](temporary, path, results)
    told_of = {(r.file, r.fold): _undefined(r.values) for r in results}
    for (file, fold), undefined in told_of.items():
        if undefined:
            _warn(file, f"fold {_printable(fold)} {undefined}" if fold else undefined)
    for result in results:
        for note in result.notes:
            of_fold = f"fold {_printable(result.fold)}: " if result.fold else ""
            _warn(result.file, of_fold + note)
    for note in dict.fromkeys(notes):
        _warn(None, f"--compare: {note}")
    _print(text)
    return 0


def _warn(file, what):
    what = what if file is None else f"{_shown_name(file)}: {what}"
    _show(sys.stderr, f"{PROGRAM}: warning: {what}.\n")


def main(argv=None):
    """Run the program.

    Parameters
    ----------
    argv : list of str, default=None
        Arguments; None takes those of the process.

    Returns
    -------
    int
        Exit status: 0 done, 2 an argument or a file cannot be used, 130 interrupted, 141
        nobody reads what is printed.
    """
    parser = _parser()
    options = parser.parse_args(argv)
    if misuse := _misuse(options):
        parser.error(misuse)
    try:
        return _run(options)
    except FileError as error:
        if isinstance(error.__cause__, BrokenPipeError):
            return BROKEN_PIPE
        status, why = USER_ERROR, f"{error}"
    except MemoryError:
        status, why = USER_ERROR, "the files do not fit into memory."
    except KeyboardInterrupt:
        status, why = INTERRUPTED, "interrupted."
    _show(sys.stderr, f"{PROGRAM}: error: {why}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
