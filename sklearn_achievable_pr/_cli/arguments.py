"""Command-line arguments of the program `achievable-pr`."""

import argparse
import os
from fractions import Fraction

from .. import __version__
from .._input.options import (
    check_inside,
    check_integer,
    check_prevalence,
    check_recall_range,
)
from ..displays._curve_display import kinds_of
from ..metrics._rates import CONSTRAINTS
from ..thresholds._rule import check_rule
from .output import FORMATS


def size(text):
    """Number of bytes of a text such as 4G (with K, M, G or T); at least 64M."""
    unit = 1024 ** (1 + "KMGT".index(text[-1:].upper()))
    # NaN and infinity are no fractions, and a fraction is no size.
    return max(2**26, int(Fraction(text[:-1].replace("/", " ")) * unit))


# An option that is not given is None, a flag, too.
_COLUMN, _FLAG = {"metavar": "COL"}, {"action": "store_true", "default": None}
_REPEATED = {"action": "append"} | _COLUMN
_RANGE = {"nargs": 2, "type": float, "metavar": ("A", "B")}
_FRACTION = {"type": float, "metavar": "X"}
_OBJECTIVE = {"nargs": "?", "const": "f1", "metavar": "OBJECTIVE"}
_LEVEL = {"nargs": "?", "type": float, "const": 0.95}
_CURVES = {"choices": ("empirical", "achievable", "both"), "default": "empirical"}
# For each option its name, keywords for argparse, and the help text.
_OPTIONS: tuple = (
    ("score", _REPEATED, "column of the scores (default: score, y_score)"),
    ("all-scores", _FLAG, "every other column of numbers is scores"),
    ("label", _COLUMN, "column of the labels (default: label, y_true)"),
    ("weight", _COLUMN, "column of the weights"),
    ("fold", _COLUMN, "column of the folds, each measured; any text"),
    ("pos-label", {}, "the positive label, if it is not 1 or true"),
    ("points", {"choices": ("pr", "roc")}, "points of a curve instead of scores"),
    ("n-pos", {"type": int}, "number of positives behind the points"),
    ("n-neg", {"type": int}, "number of negatives behind the points"),
    ("recall-range", _RANGE, "areas over recalls from A to B"),
    ("prevalence", {"type": float}, "reference fraction of positives"),
    ("interval", _LEVEL, "level of the confidence interval (default: %(const)s)"),
    ("threshold", _OBJECTIVE, "choose the threshold with the best f1, recall, ..."),
    ("min-recall", _FRACTION, "lower bound of the recall at the threshold"),
    ("min-precision", _FRACTION, "lower bound of the precision"),
    ("max-selection-rate", _FRACTION, "upper bound of the share predicted positive"),
    ("max-fpr", _FRACTION, "upper bound of the false positive rate"),
    ("confidence", _FRACTION, "confidence that new data meet these bounds"),
    ("all-metrics", _FLAG, "print also what is rarely needed, such as AUC-ROC"),
    ("compare", _FLAG, "differences of columns of scores, or of files"),
    ("groups", _COLUMN, "column of clusters, such as a patient; any text"),
    ("bounds", _FLAG, "bounds of the areas, in one pass, of counts in bins"),
    ("max-memory", {"type": size}, "e.g. 4G (default: half of the memory)"),
    ("temp-folder", {"metavar": "DIR"}, "where temporary files are made"),
    ("format", {"choices": [*FORMATS], "default": "table"}, "what is printed"),
    ("curve", {"metavar": "OUT.csv"}, "write the points of the curves to this file"),
    ("plot", {"metavar": "OUT.png"}, "draw to a .png, .svg or .pdf file"),
    ("which", _CURVES, "curve of every threshold, of the hull, or both"),
)
# For each option the options that it cannot be combined with.
_EXCLUDES = (
    ("points", "interval compare fold bounds score label weight groups pos_label"),
    ("bounds", "interval compare groups fold curve plot max_memory"),
    ("all_scores", "score points"),
    ("threshold", "points bounds compare groups fold curve plot interval all_metrics"),
    ("threshold", "prevalence max_memory recall_range"),
    ("confidence", "weight"),
    ("compare", "fold"),
)


def parse(program, argv):
    """The parsed options; exits with a message if an option is invalid."""
    parser = argparse.ArgumentParser(program, description="Exact AUC-PR of score files.")
    parser.add_argument("files", nargs="+", metavar="FILE", help="file, folder, - (stdin)")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    for name, more, text in _OPTIONS:
        parser.add_argument(f"--{name}", help=text, **more)
    options = parser.parse_args(argv)
    try:
        _check_together(options)
        options.recall_range = check_recall_range(options.recall_range or (0, 1))
        check_prevalence(options.prevalence)
        options.level = _LEVEL["const"] if options.interval is None else options.interval
        check_inside(options.level, "confidence_level", 0, 1)
        if options.points:
            check_integer(options.n_pos, "n_pos", 1, 2**53)
            check_integer(options.n_neg, "n_neg", 1, 2**53)
        # The kinds of curve that are written or drawn.
        options.kinds = kinds_of(options.which) if options.curve or options.plot else ()
        bounds = [getattr(options, name) for name in CONSTRAINTS]
        check_rule(options.threshold or "f1", bounds, options.confidence, labels=None)
    except ValueError as error:
        parser.error(str(error).replace("`", ""))
    return options


def _check_together(options):
    """Raise `ValueError` for empty values, and combinations and paths that cannot be."""
    given = {name for name, value in vars(options).items() if value is not None}
    for name, value in vars(options).items():
        if name != "files" and "" in (value if isinstance(value, list) else [value]):
            raise ValueError(f"--{name} must not be empty".replace("_", "-"))
    for name, others in _EXCLUDES:
        for other in given.intersection(others.split() if name in given else ()):
            raise ValueError(f"--{name} does not go with --{other}".replace("_", "-"))
    if 0 < len({"points", "n_pos", "n_neg"} & given) < 3:
        raise ValueError("--points needs --n-pos and --n-neg, and they need --points")
    bounds = {*CONSTRAINTS, "confidence"} & given
    if bounds and options.threshold is None:
        raise ValueError(f"--{bounds.pop()} needs --threshold".replace("_", "-"))
    if options.temp_folder and not os.path.isdir(options.temp_folder):
        raise ValueError("--temp-folder must be a folder")
    read = {os.path.realpath(path) for path in options.files}
    written = [os.path.realpath(path) for path in (options.curve, options.plot) if path]
    if len({*written}) < len(written) or read & {*written, *map(os.path.dirname, written)}:
        raise ValueError("a file is written twice, or both read and written")
