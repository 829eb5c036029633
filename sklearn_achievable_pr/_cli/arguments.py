"""The arguments of the program `achievable-pr`."""

from __future__ import annotations

import argparse
import contextlib
import math
import os

from .. import __version__
from .beyond_memory import LEAST_MEMORY, size_of, what_needs_all_rows, what_needs_rows
from .files import ColumnSpec, FileError
from .how_sure import LEVEL
from .opened import files_of
from .printing import FORMATS
from .results import ALL_RECALLS, CURVES, asked_of


def parser(program: str) -> argparse.ArgumentParser:
    """What parses the arguments of a program of this name."""
    found = argparse.ArgumentParser(
        prog=program,
        description="Exact areas under precision-recall curves, from files of scores: "
        "lines of score and label, CSV with a header (either may be gzipped) or Parquet.",
        epilog="Exit status: 0 done, 2 unusable argument or file, 130 interrupted.",
        allow_abbrev=False,
    )
    add = found.add_argument
    add(
        "files",
        nargs="+",
        metavar="FILE",
        help="file or folder to read; - is standard input",
    )
    add("--version", action="version", version=f"%(prog)s {__version__}")
    for title, add_to in _GROUPS.items():
        add_to(found.add_argument_group(title).add_argument)
    return found


def _add_what_files_hold(add):
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


def _add_what_is_measured(add):
    text = "areas over recalls from A to B; average precision and AUC-ROC are of all"
    how = {"nargs": 2, "type": float, "default": ALL_RECALLS, "help": text}
    add("--recall-range", metavar=("A", "B"), **how)
    text = "fraction of positives to stand for, e.g. that before down-sampling"
    add("--prevalence", metavar="P", type=float, help=text)


def _add_how_sure(add):
    text = f"standard error and confidence interval of the exact area (default: {LEVEL:g})"
    how = {"nargs": "?", "type": level, "const": LEVEL, "help": text}
    add("--interval", metavar="LEVEL", **how)
    text = "each two columns of scores, or files of the same rows, and their difference"
    add("--compare", action="store_true", help=text)
    text = "column of what rows belong together by, such as a patient; any text"
    add("--groups", metavar="COL", help=text)


def _add_beyond_memory(add):
    text = "what the areas lie between, in one pass and little memory, of counts in bins"
    add("--bounds", action="store_true", help=text)
    text = (
        "how much memory the rows of a file may take, 64M or more, e.g. 4G; of larger ones "
        "the exact areas are found in two passes (default: half of the machine's)"
    )
    add("--max-memory", metavar="SIZE", type=memory, help=text)
    text = "where these rows are sorted in temporary files (default: the system's place)"
    add("--temp-folder", metavar="DIR", help=text)


def _add_what_is_written(add):
    add("--format", choices=tuple(FORMATS), default="table", help="what is printed")
    add("--curve", metavar="OUT.csv", help="write the points of the curves to this file")
    add("--plot", metavar="OUT.png", help="draw the curves to this .png, .svg or .pdf file")
    text = "the curve to write and draw: through every threshold, of the hull, or both"
    add("--which", choices=(*CURVES, "both"), default="empirical", help=text)


_GROUPS = {
    "what the files hold": _add_what_files_hold,
    "what is measured": _add_what_is_measured,
    "how sure it is": _add_how_sure,
    "files larger than memory": _add_beyond_memory,
    "what is written": _add_what_is_written,
}


def count(text):
    """A number of samples; weighted totals need not be whole."""
    value = float(text)
    if not 0 < value < math.inf:
        raise ValueError
    return int(value) if value.is_integer() else value


def level(text):
    """A confidence level."""
    with contextlib.suppress(ValueError):
        if 0 < (value := float(text)) < 1:
            return value
    needs = f"needs a level such as 0.9, got {text!r}: without one, put it after the files"
    raise argparse.ArgumentTypeError(needs)


def memory(text):
    """Bytes of memory."""
    try:
        return size_of(text)
    except ValueError as error:
        least = f"{LEAST_MEMORY >> 20}M"
        needs = f"needs {least} or more, a number with M or G such as 4G, got {text!r}"
        raise argparse.ArgumentTypeError(needs) from error


# Arguments that do not go together


def misuse_of(options: argparse.Namespace) -> str | None:
    """What is wrong with options that make no sense, alone or together; else None."""
    checks = (
        _misuse_of_numbers,
        _misuse_of_points,
        _misuse_of_bounds,
        _misuse_of_how_sure,
        _misuse_of_places,
    )
    return next(filter(None, (check(options) for check in checks)), None)


def _misuse_of_numbers(options):
    low, high = options.recall_range
    if not 0 <= low < high <= 1:
        return f"--recall-range needs 0 <= A < B <= 1, got {low:g} and {high:g}"
    if options.prevalence is not None and not 0 < options.prevalence < 1:
        return f"--prevalence must lie inside (0, 1), got {options.prevalence:g}"
    return None


def _misuse_of_points(options):
    totals = (options.n_pos, options.n_neg)
    if not options.points:
        if totals != (None, None):
            return "--n-pos and --n-neg belong to --points: score files are counted"
        return None
    if None in totals:
        return "--points needs both --n-pos and --n-neg: points are fractions of these"
    if options.bounds:
        return "--bounds is of rows: leave it out with --points"
    if needs_rows := what_needs_rows(options):
        return f"{needs_rows} needs rows: leave it out with --points"
    if asked_of(options) != ColumnSpec():
        named = "--score, --label, --weight, --groups and --pos-label"
        return f"--points files have no labels: leave out {named}"
    if options.max_memory is not None or options.temp_folder is not None:
        return "--max-memory and --temp-folder are for files of rows: leave out --points"
    return None


def _misuse_of_bounds(options):
    if not options.bounds:
        return None
    if needs_rows := what_needs_all_rows(options):
        return f"{needs_rows} needs every row, --bounds keeps counts: leave out one of them"
    if options.max_memory is not None or options.temp_folder is not None:
        return "--max-memory and --temp-folder are for exact areas: leave out --bounds"
    return None


def _misuse_of_how_sure(options):
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


def _misuse_of_places(options):
    """Of what is read, written and made for a time."""
    outputs = [path for path in (options.curve, options.plot) if path is not None]
    written = {os.path.realpath(path): path for path in outputs}
    read = {os.path.realpath(part) for part in _parts(options.files) if outputs}
    place = options.temp_folder
    if options.files.count("-") > 1:
        return "- (standard input) can be read only once"
    if place and os.path.realpath(place) in map(os.path.realpath, options.files):
        return f"--temp-folder {place!r} is also read: name another folder"
    if options.plot and not options.plot.lower().endswith((".png", ".svg", ".pdf")):
        return f"--plot needs a name that ends in .png, .svg or .pdf, got {options.plot!r}"
    if len(written) < len(outputs):
        return f"--curve and --plot name one file, {options.curve!r}"
    if overwritten := read & written.keys():
        return (
            f"{written[overwritten.pop()]!r} is both read and written: name another output"
        )
    return None


def _parts(files):
    """The files, and those in folders; a folder that cannot be read is told of later."""
    for file in files:
        yield file
        with contextlib.suppress(FileError):
            yield from files_of(file)
