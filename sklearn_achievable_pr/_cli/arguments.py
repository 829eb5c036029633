"""Command-line arguments of the program `achievable-pr`."""

import argparse
import os

from .. import __version__
from .._input.options import (
    check_inside,
    check_recall_range,
)
from ..displays._curve_display import kinds_of
from ..metrics._rates import CONSTRAINTS
from ..thresholds._rule import check_rule
from . import in_flags
from .output import FORMATS

# An option that is not given is None, a flag, too.
_COLUMN, _FLAG = {"metavar": "COL"}, {"action": "store_true", "default": None}
_REPEATED = {"action": "append"} | _COLUMN
_RANGE = {"nargs": 2, "type": float, "metavar": ("A", "B")}
_FRACTION = {"type": float, "metavar": "X"}
_OBJECTIVE = {"nargs": "?", "const": "f1", "metavar": "RULE"}
_LEVEL = {"nargs": "?", "type": float, "const": 0.95, "metavar": "LEVEL"}
_FORMATS = {"choices": [*FORMATS], "default": "table"}
_CURVES = {"choices": ("empirical", "achievable", "both")}
# For each option its name, keywords for argparse, and the help text.
_OPTIONS: tuple = (
    ("score", _REPEATED, "column of scores; repeatable (default: score, y_score)"),
    ("label", _COLUMN, "column of the labels (default: label, y_true)"),
    ("weight", _COLUMN, "column of the weights"),
    ("groups", _COLUMN, "column of the clusters, e.g. patients; numbers or text"),
    ("pos-label", {"metavar": "LABEL"}, "the positive label, if it is not 1 or true"),
    ("recall-range", _RANGE, "areas over recalls from A to B"),
    ("prevalence", _FRACTION, "reference prevalence (fraction of positives)"),
    ("interval", _LEVEL, "confidence level of the interval of AUC-PR (default: %(const)s)"),
    ("compare", _FLAG, "paired differences of columns of scores, or of files"),
    (
        "all-metrics",
        _FLAG,
        "print also auc_pr_min, standard_error, auc_pr_achievable, auc_pr_davis_goadrich "
        "and auc_roc",
    ),
    (
        "objective",
        _OBJECTIVE,
        "threshold with the best RULE, e.g. recall (default: f1)",
    ),
    ("min-recall", _FRACTION, "minimum recall (sensitivity) at the threshold"),
    ("min-precision", _FRACTION, "minimum precision (PPV) at the threshold"),
    ("min-npv", _FRACTION, "minimum negative predictive value (NPV) at the threshold"),
    ("max-selection-rate", _FRACTION, "maximum share predicted positive"),
    ("max-fpr", _FRACTION, "maximum false positive rate at the threshold"),
    (
        "confidence-level",
        _FRACTION,
        "confidence that new data meet these constraints (--interval is that of AUC-PR)",
    ),
    ("format", _FORMATS, "format of the output (default: %(default)s)"),
    ("write-curve", {"metavar": "OUT.csv"}, "write the points of the curves to this file"),
    ("plot", {"metavar": "OUT.png"}, "draw to a .png, .svg or .pdf file"),
    ("curve", _CURVES, "curve of --write-curve and --plot (default: empirical)"),
)
# For each option the options that it cannot be combined with.
_EXCLUDES = (("objective", "compare write_curve plot interval all_metrics recall_range"),)


def parse(program, argv):
    """The parsed options; exits with a message if an option is invalid."""
    parser = argparse.ArgumentParser(
        program,
        description="Exact AUC-PR (AUPRC, PR-AUC) of score files, with intervals.",
        allow_abbrev=False,
    )
    text = "CSV, Parquet, or lines of score and label; - for stdin"
    parser.add_argument("files", nargs="+", metavar="FILE", help=text)
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    for name, more, text in _OPTIONS:
        parser.add_argument(f"--{name}", help=text, **more)
    options, unknown = parser.parse_known_args(argv)
    if unknown:
        hint = ". Repeat --score for each column, and pass the files together"
        is_flag = unknown[0].startswith("-")
        parser.error(f"unrecognized arguments: {' '.join(unknown)}{hint * (not is_flag)}")
    try:
        _check_together(options)
        options.recall_range = check_recall_range(options.recall_range or (0, 1))
        options.level = _LEVEL["const"] if options.interval is None else options.interval
        check_inside(options.level, "interval", 0, 1)
        # The kinds of curve that are written or drawn.
        kinds = kinds_of(options.curve or "empirical")
        options.kinds = kinds if options.write_curve or options.plot else ()
        bounds = [getattr(options, name) for name in CONSTRAINTS]
        check_rule(
            options.objective or "f1",
            bounds,
            options.confidence_level,
            labels=None,
            prevalence=options.prevalence,
        )
    except ValueError as error:
        parser.error(in_flags(str(error)))
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
    if {"objective", "groups"} <= given and "confidence_level" not in given:
        raise ValueError("--groups with --objective needs --confidence-level")
    bounds = {*CONSTRAINTS, "confidence_level"} & given
    if bounds and options.objective is None:
        name = min(bounds)
        hint = ". The level of intervals is --interval" * (name == "confidence_level")
        raise ValueError(f"--{name} needs --objective{hint}".replace("_", "-"))
    if "curve" in given and not {"write_curve", "plot"} & given:
        raise ValueError("--curve needs --write-curve or --plot")
    read = {os.path.realpath(path) for path in options.files}
    written = [
        os.path.realpath(path) for path in (options.write_curve, options.plot) if path
    ]
    if len({*written}) < len(written) or read & {*written}:
        raise ValueError("a file is written twice, or both read and written")
