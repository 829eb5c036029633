"""The arguments of the program `achievable-pr`."""

from __future__ import annotations

import argparse
import math
import os
import re

from .. import __version__
from .._input.options import check_prevalence, check_recall_range
from .output import FORMATS
from .reading import files_of
from .results import CURVES, LEVEL


def count(text):
    """A number of samples; weighted totals need not be integers."""
    value = float(text)
    if not 0 < value < math.inf:
        raise ValueError
    return int(value) if value.is_integer() else value


def level(text):
    """A confidence level, inside (0, 1)."""
    if not 0 < float(text) < 1:
        raise ValueError
    return float(text)


def memory(text):
    """Bytes of memory, at least 64 MiB."""
    number, unit = re.split("([KMGT]?)$", text, flags=re.IGNORECASE)[:2]
    size = int(float(number) * 1024 ** " KMGT".index(unit.upper() or " "))
    if not 2**26 <= size < 2**60:
        raise ValueError
    return size


_SCORE = "column of the scores, may be repeated (default: score, y_score)"
_POINTS = "the files hold points of a curve: recall and precision, or fpr and tpr"
_RECALLS = "areas over recalls from A to B; average precision and AUC-ROC are of all"
_INTERVAL = f"standard error and confidence interval of AUC-PR (default: {LEVEL:g})"
_WHICH = "the curve to write and draw: through every threshold, of the hull, or both"
_MEMORY = "how much memory the rows of a file may take, e.g. 4G (default: half of it)"
# Options by their groups in the help: name, arguments, help, and more for argparse.
_OPTIONS = {
    "columns of the files": [
        ("--score", "COL", _SCORE, {"action": "append", "default": []}),
        ("--all-scores", None, "every other column of numbers is scores", {}),
        ("--label", "COL", "column of the labels (default: label, y_true)", {}),
        ("--weight", "COL", "column of the weights", {}),
        ("--fold", "COL", "column of the folds, each measured; any text", {}),
        ("--pos-label", "L", "the positive label, if it is not 1 or true", {}),
        ("--points", None, _POINTS, {"choices": ("pr", "roc")}),
        ("--n-pos", "P", "number of positives behind the points", {"type": count}),
        ("--n-neg", "N", "number of negatives behind the points", {"type": count}),
    ],
    "recalls and prevalence": [
        ("--recall-range", ("A", "B"), _RECALLS, {"type": float, "default": (0, 1)}),
        ("--prevalence", "P", "reference fraction of positives", {"type": float}),
    ],
    "confidence intervals and comparisons": [
        ("--interval", "LEVEL", _INTERVAL, {"nargs": "?", "type": level, "const": LEVEL}),
        ("--compare", None, "differences of columns of scores, or of files", {}),
        ("--groups", "COL", "column of clusters, such as a patient; any text", {}),
    ],
    "files larger than memory": [
        ("--bounds", None, "bounds of the areas, in one pass, of counts in bins", {}),
        ("--max-memory", "SIZE", _MEMORY, {"type": memory}),
        ("--temp-folder", "DIR", "where temporary files are made", {}),
    ],
    "output": [
        ("--format", None, "what is printed", {"choices": [*FORMATS], "default": "table"}),
        ("--curve", "OUT.csv", "write the points of the curves to this file", {}),
        ("--plot", "OUT.png", "draw to a .png, .svg or .pdf file", {}),
        ("--which", None, _WHICH, {"choices": [*CURVES, "both"], "default": "empirical"}),
    ],
}
_OF_ROWS = "interval compare fold"
# What an option does not go with, and what it needs one of.
_EXCLUDES = {
    "points": f"{_OF_ROWS} bounds score all_scores label weight groups pos_label",
    "bounds": f"{_OF_ROWS} curve plot max_memory",
    "all_scores": "score",
    "compare": "fold",
}
_NEEDS = [
    ("groups", "interval compare"),
    ("n_pos", "points"),
    ("n_neg", "points"),
    ("points", "n_pos"),
    ("points", "n_neg"),
]


def parse(program, argv):
    """The options of the program; it ends where they make no sense."""
    parser = argparse.ArgumentParser(
        prog=program,
        description="Exact areas under precision-recall curves (AUC-PR), from files of "
        "scores: lists of score and label, CSV with a header, or Parquet.",
        epilog="Exit status: 0 done, 2 unusable argument or file, 130 interrupted.",
        allow_abbrev=False,
    )
    text = "file or folder to read; - is standard input"
    parser.add_argument("files", nargs="+", metavar="FILE", help=text)
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    for title, of_group in _OPTIONS.items():
        group = parser.add_argument_group(title)
        for name, metavar, text, more in of_group:
            if metavar is not None:
                more = {"metavar": metavar} | more
            elif "choices" not in more:
                more = {"action": "store_true"}
            if isinstance(metavar, tuple):
                more["nargs"] = len(metavar)
            group.add_argument(name, help=text, **more)
    options = parser.parse_args(argv)
    try:
        options.recall_range = check_recall_range(options.recall_range)
        check_prevalence(options.prevalence)
    except ValueError as error:
        parser.error(str(error).replace("`", ""))
    if misuse := _misuse_of(options):
        parser.error(misuse)
    return options


def _misuse_of(options):
    """What is wrong with options that make no sense together; else None."""
    given = {n for n, value in vars(options).items() if value not in (None, False, [])}

    def shown(name):
        return f"--{name.replace('_', '-')}"

    for name, others in _EXCLUDES.items():
        for other in others.split():
            if {name, other} <= given:
                return f"{shown(name)} does not go with {shown(other)}"
    for name, others in _NEEDS:
        if name in given and not given & {*others.split()}:
            return f"{shown(name)} needs {' or '.join(map(shown, others.split()))}"
    several = len(options.files) > 1 or options.all_scores or len({*options.score}) > 1
    if options.compare and (not several or len({*options.files}) < len(options.files)):
        return "--compare needs two columns of scores or files"
    if {"plot", "fold"} <= given and several:
        return "--plot draws the folds of one column of one file"
    if options.files.count("-") > 1:
        return "- (standard input) can be read only once"
    outputs = [os.path.realpath(path) for path in (options.curve, options.plot) if path]
    read = [
        os.path.realpath(f) for path in options.files for f in files_of(path) if outputs
    ]
    for path in outputs:
        if [*outputs, *read].count(path) > 1:
            return f"{path!r} is written twice, or both read and written"
    return None
