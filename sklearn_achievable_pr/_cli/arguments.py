"""The arguments of the program `achievable-pr`."""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import re
from typing import Any

from .. import __version__
from .output import FORMATS
from .reading import FileError, files_of
from .results import ALL_RECALLS, CURVES, LEVEL

_LEAST_MEMORY = 2**26
_COLUMNS = {"score", "all_scores", "label", "weight", "groups", "pos_label"}


def parser(program: str) -> argparse.ArgumentParser:
    """What parses the arguments of a program of this name."""
    found = argparse.ArgumentParser(
        prog=program,
        description="Exact areas under precision-recall curves (AUC-PR), from files of "
        "scores: lists of score and label, CSV with a header, or Parquet.",
        epilog="Exit status: 0 done, 2 unusable argument or file, 130 interrupted.",
        allow_abbrev=False,
    )
    text = "file or folder to read; - is standard input"
    found.add_argument("files", nargs="+", metavar="FILE", help=text)
    found.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    add = found.add_argument_group("columns of the files").add_argument
    text = "column of the scores, may be repeated (default: score, y_score)"
    add("--score", metavar="COL", action="append", default=[], help=text)
    text = "every column of numbers but label and weight is scores"
    add("--all-scores", action="store_true", help=text)
    add("--label", metavar="COL", help="column of the labels (default: label, y_true)")
    add("--weight", metavar="COL", help="column of the weights")
    add("--fold", metavar="COL", help="column of the folds, each measured; any text")
    add("--pos-label", metavar="L", help="the positive label, if it is not 1 or true")
    text = "the files hold points of a curve: recall and precision, or fpr and tpr"
    add("--points", choices=("pr", "roc"), help=text)
    add("--n-pos", metavar="P", type=count, help="number of positives behind the points")
    add("--n-neg", metavar="N", type=count, help="number of negatives behind the points")
    add = found.add_argument_group("recalls and prevalence").add_argument
    text = "areas over recalls from A to B; average precision and AUC-ROC are of all"
    recalls: dict[str, Any] = {"nargs": 2, "type": float, "default": ALL_RECALLS}
    add("--recall-range", metavar=("A", "B"), help=text, **recalls)
    text = "reference fraction of positives, e.g. that before down-sampling"
    add("--prevalence", metavar="P", type=float, help=text)
    add = found.add_argument_group("confidence intervals and comparisons").add_argument
    text = f"standard error and confidence interval of AUC-PR (default: {LEVEL:g})"
    add("--interval", metavar="LEVEL", nargs="?", type=level, const=LEVEL, help=text)
    text = "difference of each two columns of scores, or files of the same rows"
    add("--compare", action="store_true", help=text)
    add("--groups", metavar="COL", help="column of clusters, such as a patient; any text")
    add = found.add_argument_group("files larger than memory").add_argument
    text = "bounds of the areas, in one pass, of counts in bins"
    add("--bounds", action="store_true", help=text)
    text = "how much memory the rows of a file may take, e.g. 4G (default: half of it)"
    add("--max-memory", metavar="SIZE", type=memory, help=text)
    text = "where temporary files are made (default: the system's folder)"
    add("--temp-folder", metavar="DIR", help=text)
    add = found.add_argument_group("output").add_argument
    add("--format", choices=(*FORMATS,), default="table", help="what is printed")
    add("--curve", metavar="OUT.csv", help="write the points of the curves to this file")
    add("--plot", metavar="OUT.png", help="draw the curves to a .png, .svg or .pdf file")
    text = "the curve to write and draw: through every threshold, of the hull, or both"
    add("--which", choices=(*CURVES, "both"), default="empirical", help=text)
    return found


def count(text):
    """A number of samples; weighted totals need not be integers."""
    value = float(text)
    if not 0 < value < math.inf:
        raise ValueError
    return int(value) if value.is_integer() else value


def level(text):
    with contextlib.suppress(ValueError):
        if 0 < (value := float(text)) < 1:
            return value
    needs = f"needs a level such as 0.9, got {text!r}: without one, put it after the files"
    raise argparse.ArgumentTypeError(needs)


def memory(text: str) -> int:
    """Bytes of memory."""
    found = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]*)?)([KMGT]?)", text, re.IGNORECASE)
    size = 0.0
    if found:
        size = float(found[1]) * 1024 ** " KMGT".index(found[2].upper() or " ")
    if not _LEAST_MEMORY <= size < 2**60:
        least = f"{_LEAST_MEMORY >> 20}M"
        needs = f"needs {least} or more, a number with M or G such as 4G, got {text!r}"
        raise argparse.ArgumentTypeError(needs)
    return int(size)


# Arguments that do not go together


def misuse_of(options: argparse.Namespace) -> str | None:
    """What is wrong with options that make no sense, alone or together; else None."""
    given = {
        name for name, value in vars(options).items() if value not in (None, False, [])
    }
    low, high = options.recall_range
    of_rows = [f"--{name}" for name in ("interval", "compare", "fold") if name in given]
    of_all = [*of_rows, *(f"--{name}" for name in ("curve", "plot") if name in given)]
    several = len(options.files) > 1 or options.all_scores or len({*options.score}) > 1
    totals, plot = given & {"n_pos", "n_neg"}, options.plot or ".png"
    outputs = [path for path in (options.curve, options.plot) if path is not None]
    written = {os.path.realpath(path): path for path in outputs}
    overwritten = written.keys() & {*_real_paths(options.files)} if outputs else ()
    both = [path for name, path in written.items() if name in overwritten]
    of_points = [
        (len(totals) < 2, "--points needs both --n-pos and --n-neg: points are fractions"),
        (of_rows, f"{''.join(of_rows[:1])} needs rows: leave it out with --points"),
        (options.bounds, "--bounds is of rows: leave it out with --points"),
        (given & _COLUMNS, "--points files have no labels: leave out names of columns"),
    ]
    of_files = [(totals, "--n-pos and --n-neg belong to --points: score files are counted")]
    problems = [
        (
            not 0 <= low < high <= 1,
            f"--recall-range needs 0 <= A < B <= 1, got {low} {high}",
        ),
        (
            options.prevalence is not None and not 0 < options.prevalence < 1,
            f"--prevalence must lie inside (0, 1), got {options.prevalence}",
        ),
        ({"all_scores", "score"} <= given, "--all-scores takes the place of --score"),
        *(of_points if options.points else of_files),
        (
            options.bounds and of_all,
            f"{''.join(of_all[:1])} needs every row, --bounds keeps counts",
        ),
        ({"bounds", "max_memory"} <= given, "--max-memory does not go with --bounds"),
        (
            "groups" in given and not given & {"interval", "compare"},
            "--groups belongs to --interval and --compare",
        ),
        (options.compare and not several, "--compare needs two columns of scores or files"),
        ({"compare", "fold"} <= given, "--compare is of all rows, not of folds"),
        (
            {"plot", "fold"} <= given and several,
            "--plot draws the folds of one column of one file: leave out the others",
        ),
        (options.files.count("-") > 1, "- (standard input) can be read only once"),
        (
            not plot.lower().endswith((".png", ".svg", ".pdf")),
            f"--plot needs a name that ends in .png, .svg or .pdf, got {plot!r}",
        ),
        (len(written) < len(outputs), f"--curve and --plot name one file, {plot!r}"),
        (both, f"{[*both, None][0]!r} is both read and written: name another output"),
    ]
    return next((message for applies, message in problems if applies), None)


def _real_paths(files):
    """The files, and those in folders; a folder that cannot be read is an error later."""
    for file in files:
        yield os.path.realpath(file)
        with contextlib.suppress(FileError):
            yield from map(os.path.realpath, files_of(file))
