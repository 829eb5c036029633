"""Command-line arguments of the program `achievable-pr`."""

import argparse
import os

from sklearn.metrics import get_scorer_names

from .. import __version__
from .._input.options import (
    check_inside,
    check_recall_range,
    known_as,
)
from ..displays._drawn import kinds_of
from ..metrics._rates import CONSTRAINTS
from ..metrics._table import METRICS
from ..thresholds._objectives import OBJECTIVES, check_objective
from ..thresholds._rule import check_rule
from . import in_flags
from .output import FORMATS

# An option that is not given is None, and so is a flag.
_COLUMN, _FLAG = {"metavar": "COL"}, {"action": "store_true", "default": None}
_REPEATED = {"action": "append"} | _COLUMN
_RANGE = {"nargs": 2, "type": float, "metavar": ("A", "B")}
_FRACTION = {"type": float, "metavar": "X"}
_OBJECTIVE = {"nargs": "?", "const": "f1", "metavar": "RULE"}
_LEVEL = {"nargs": "?", "type": float, "const": 0.95, "metavar": "LEVEL"}
_FORMATS = {"choices": [*FORMATS], "default": "table"}
_CURVES = {"choices": ("empirical", "achievable", "both")}
# Each option has a name, keywords for argparse, and a help text.
_OPTIONS: tuple = (
    (
        "score",
        _REPEATED,
        "Read the scores from column COL. Repeat the option to read several columns. The "
        "default is score or y_score.",
    ),
    ("label", _COLUMN, "Read the labels from column COL. The default is label or y_true."),
    ("weight", _COLUMN, "Read the weights of the samples from column COL."),
    (
        "count",
        _COLUMN,
        "Read from column COL how many samples each row stands for. Unlike a weight, a "
        "count of 100 means 100 samples.",
    ),
    (
        "groups",
        _COLUMN,
        "Read the clusters of the samples, e.g. patients, from column COL of numbers or "
        "text.",
    ),
    ("pos-label", {"metavar": "LABEL"}, "Name the positive label if it is not 1 or true."),
    ("recall-range", _RANGE, "Compute areas over recalls from A to B only."),
    (
        "prevalence",
        _FRACTION,
        "Reweight the negatives so that the fraction of positives is X.",
    ),
    (
        "interval",
        _LEVEL,
        "Set the confidence level of the interval of AUC-PR. The default is %(const)s.",
    ),
    ("compare", _FLAG, "Compare the columns of scores, or the files, in pairs."),
    (
        "all-metrics",
        _FLAG,
        "Also print auc_pr_min, standard_error, auc_pr_achievable, auc_pr_davis_goadrich "
        "and auc_roc.",
    ),
    (
        "objective",
        _OBJECTIVE,
        "Choose the threshold that maximizes RULE, e.g. recall. The default is f1.",
    ),
    ("min-recall", _FRACTION, "Require at least this recall (sensitivity)."),
    ("min-precision", _FRACTION, "Require at least this precision (PPV)."),
    ("min-npv", _FRACTION, "Require at least this negative predictive value (NPV)."),
    (
        "max-selection-rate",
        _FRACTION,
        "Allow at most this share of the samples to be predicted positive.",
    ),
    ("max-fpr", _FRACTION, "Allow at most this false positive rate."),
    (
        "confidence-level",
        _FRACTION,
        "Choose a threshold at which new data meet these bounds with this probability. "
        "The confidence level of the interval of AUC-PR is set by --interval.",
    ),
    ("format", _FORMATS, "Print results in this format. The default is %(default)s."),
    ("write-curve", {"metavar": "OUT.csv"}, "Write the points of the curves to OUT.csv."),
    ("plot", {"metavar": "OUT.png"}, "Draw the curves to a .png, .svg or .pdf file."),
    (
        "curve",
        _CURVES,
        "Choose the curve of --write-curve and --plot. The default is empirical.",
    ),
)
# These options cannot be combined with --objective.
_NOT_OF_THRESHOLDS = {"all_metrics", "compare", "interval", "plot", "recall_range"}
_NOT_OF_THRESHOLDS |= {"write_curve"}


def parse(program, argv):
    """The parsed options; exits with a message if an option is invalid."""
    parser = argparse.ArgumentParser(
        program,
        description="Compute the exact area under the precision-recall curve (AUC-PR, "
        "AUPRC, PR-AUC) of files of scores and labels, with a confidence interval, or "
        "choose a decision threshold (--objective).",
        allow_abbrev=False,
    )
    text = "Read CSV, Parquet, or lines of score and label. - means standard input."
    parser.add_argument("files", nargs="+", metavar="FILE", help=text)
    version, text = f"%(prog)s {__version__}", "Print the version and exit."
    parser.add_argument("--version", help=text, action="version", version=version)
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
        # Only curves of these kinds are written or drawn.
        kinds = kinds_of(options.curve or "empirical")
        options.kinds = kinds if options.write_curve or options.plot else ()
        if options.objective is not None:
            _check_objective(options.objective)
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


def _check_objective(name):
    """Raise `ValueError` with the names that `--objective` takes unless it takes this one.

    The other objectives of the package are dicts and functions.
    """
    if not _is_objective(name):
        ours = "f1", "f2", "f0.5", *OBJECTIVES
        names = dict.fromkeys([*ours, *filter(_is_objective, get_scorer_names())])
        of_scores = "a metric of scores, which a threshold does not change"
        elsewhere = dict.fromkeys([*METRICS, "average_precision", "roc_auc"], of_scores)
        raise ValueError(
            f"`objective` must be one of {', '.join(map(repr, names))}, or f with another "
            f"beta. Got {name!r}{known_as(name, names, elsewhere)}."
        )


def _is_objective(name):
    """Whether `--objective` takes a name."""
    try:
        check_objective(name, labels=None)
    except ValueError:
        return False
    return True


def _check_together(options):
    """Raise `ValueError` for empty values, and combinations and paths that cannot be."""
    given = {name for name, value in vars(options).items() if value is not None}
    for name, value in vars(options).items():
        if name != "files" and "" in (value if isinstance(value, list) else [value]):
            raise ValueError(f"--{name} must not be empty".replace("_", "-"))
    if "objective" in given and (others := given.intersection(_NOT_OF_THRESHOLDS)):
        other = min(others).replace("_", "-")
        raise ValueError(f"--objective cannot be combined with --{other}")
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
        raise ValueError("a file cannot be written twice, or be both read and written")
