"""The arguments of the program `achievable-pr`."""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import re

from .. import __version__
from .output import FORMATS
from .reading import FileError, files_of
from .results import ALL_RECALLS, CURVES, LEVEL

_LEAST_MEMORY = 2**26
_NEEDS_ROWS = ("interval", "compare", "fold")
_OF_ROWS = ("score", "all_scores", "label", "weight", "groups", "pos_label")


def parser(program: str) -> argparse.ArgumentParser:
    """What parses the arguments of a program of this name."""
    found = argparse.ArgumentParser(
        prog=program,
        description="Exact areas under precision-recall curves (AUC-PR, AUPRC), from files "
        "of scores: lists of score and label, CSV with a header (either may be gzipped) or "
        "Parquet.",
        epilog="Exit status: 0 done, 2 unusable argument or file, 130 interrupted.",
        allow_abbrev=False,
    )
    text = "file or folder to read; - is standard input"
    found.add_argument("files", nargs="+", metavar="FILE", help=text)
    version = f"%(prog)s {__version__}"
    found.add_argument("--version", action="version", version=version)
    for title, arguments in _ARGUMENTS.items():
        group = found.add_argument_group(title)
        for name, text, how in arguments:
            group.add_argument(name, help=text, **how)
    return found


def _count(text):
    """A number of samples; weighted totals need not be integers."""
    value = float(text)
    if not 0 < value < math.inf:
        raise ValueError
    return int(value) if value.is_integer() else value


def _level(text):
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


_FLAG = {"action": "store_true"}
_ARGUMENTS: dict[str, list[tuple[str, str, dict]]] = {
    "columns of the files": [
        (
            "--score",
            "column of the scores, once for each to be measured (default: score, y_score)",
            {"metavar": "COL", "action": "append", "default": []},
        ),
        ("--all-scores", "every column of numbers but label and weight is scores", _FLAG),
        ("--label", "column of the labels (default: label, y_true)", {"metavar": "COL"}),
        ("--weight", "column of the weights", {"metavar": "COL"}),
        ("--fold", "column of the folds, each measured; any text", {"metavar": "COL"}),
        ("--pos-label", "the positive label, if it is not 1 or true", {"metavar": "L"}),
        (
            "--points",
            "the files hold points of a curve: recall and precision, or fpr and tpr",
            {"choices": ("pr", "roc")},
        ),
        (
            "--n-pos",
            "number of positives behind the points",
            {"metavar": "P", "type": _count},
        ),
        (
            "--n-neg",
            "number of negatives behind the points",
            {"metavar": "N", "type": _count},
        ),
    ],
    "range of recalls and prevalence": [
        (
            "--recall-range",
            "areas over recalls from A to B; average precision and AUC-ROC are of all",
            {"metavar": ("A", "B"), "nargs": 2, "type": float, "default": ALL_RECALLS},
        ),
        (
            "--prevalence",
            "reference fraction of positives, e.g. that before down-sampling",
            {"metavar": "P", "type": float},
        ),
    ],
    "confidence intervals and comparisons": [
        (
            "--interval",
            f"standard error and confidence interval of AUC-PR (default: {LEVEL:g})",
            {"metavar": "LEVEL", "nargs": "?", "type": _level, "const": LEVEL},
        ),
        (
            "--compare",
            "difference of each two columns of scores, or files of the same rows",
            _FLAG,
        ),
        (
            "--groups",
            "column of clusters of rows, such as a patient; any text",
            {"metavar": "COL"},
        ),
    ],
    "files larger than memory": [
        ("--bounds", "bounds of the areas, in one pass, of counts in bins", _FLAG),
        (
            "--max-memory",
            "how much memory the rows of a file may take, 64M or more, e.g. 4G; of larger "
            "files the rows are sorted in temporary files (default: half of the machine's)",
            {"metavar": "SIZE", "type": memory},
        ),
        (
            "--temp-folder",
            "where temporary files are made (default: the system's folder)",
            {"metavar": "DIR"},
        ),
    ],
    "output": [
        (
            "--format",
            "what is printed (default: table)",
            {"choices": (*FORMATS,), "default": "table"},
        ),
        ("--curve", "write the points of the curves to this file", {"metavar": "OUT.csv"}),
        (
            "--plot",
            "draw the curves to this .png, .svg or .pdf file",
            {"metavar": "OUT.png"},
        ),
        (
            "--which",
            "the curve to write and draw: empirical, of the hull, or both",
            {"choices": (*CURVES, "both"), "default": "empirical"},
        ),
    ],
}


# Arguments that do not go together


def misuse_of(options: argparse.Namespace) -> str | None:
    """What is wrong with options that make no sense, alone or together; else None."""
    given = {
        name for name, value in vars(options).items() if value not in (None, False, [])
    }
    low, high = options.recall_range
    needs_rows = next((f"--{name}" for name in _NEEDS_ROWS if name in given), None)
    needs_all = next(
        (f"--{name}" for name in (*_NEEDS_ROWS, "curve", "plot") if name in given), None
    )
    has_several = len(options.files) > 1 or options.all_scores or len({*options.score}) > 1
    is_points, totals = "points" in given, given & {"n_pos", "n_neg"}
    outputs = [path for path in (options.curve, options.plot) if path is not None]
    written = {os.path.realpath(path): path for path in outputs}
    overwritten = written.keys() & {*_real_paths(options.files)} if outputs else set()
    problems = {
        f"--recall-range needs 0 <= A < B <= 1, got {low:g} and {high:g}": not 0
        <= low
        < high
        <= 1,
        f"--prevalence must lie inside (0, 1), got {options.prevalence}": (
            options.prevalence is not None and not 0 < options.prevalence < 1
        ),
        "--all-scores takes the place of --score: leave out one of them": (
            {"all_scores", "score"} <= given
        ),
        "--n-pos and --n-neg belong to --points: score files are counted": totals
        and not is_points,
        "--points needs both --n-pos and --n-neg: points are fractions of these": (
            is_points and len(totals) < 2
        ),
        f"{needs_rows} needs rows: leave it out with --points": is_points and needs_rows,
        "--bounds is of rows: leave it out with --points": is_points and options.bounds,
        "--points files have no labels: leave out --score, --label, --weight, --groups and "
        "--pos-label": is_points and given & {*_OF_ROWS},
        f"{needs_all} needs every row, --bounds keeps counts: leave out one of them": (
            options.bounds and needs_all
        ),
        "--max-memory is for exact areas: leave out --bounds": {"bounds", "max_memory"}
        <= given,
        "--groups belongs to --interval and --compare": (
            "groups" in given and not given & {"interval", "compare"}
        ),
        "--compare needs two columns of scores or two files": options.compare
        and not has_several,
        "--compare is of all rows, not of folds: leave out --compare or --fold": (
            {"compare", "fold"} <= given
        ),
        "--plot draws the folds of one column of one file: leave out the others": (
            {"plot", "fold"} <= given and has_several
        ),
        "- (standard input) can be read only once": options.files.count("-") > 1,
        f"--plot needs a name that ends in .png, .svg or .pdf, got {options.plot!r}": (
            options.plot and not options.plot.lower().endswith((".png", ".svg", ".pdf"))
        ),
        f"--curve and --plot name one file, {options.curve!r}": len(written) < len(outputs),
        f"{written.get(min(overwritten, default=''))!r} is both read and written: name another "
        "output": overwritten,
    }
    return next((message for message, applies in problems.items() if applies), None)


def _real_paths(files):
    """The files, and those in folders; a folder that cannot be read is an error later."""
    for file in files:
        yield os.path.realpath(file)
        with contextlib.suppress(FileError):
            yield from map(os.path.realpath, files_of(file))
