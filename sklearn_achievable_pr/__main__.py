"""The program `achievable-pr`: files of scores in, areas and curves out.

It parses arguments, asks for results, and has them printed, written and drawn. Nothing is
printed, and no file replaced, before everything asked for is there.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import sys

from . import __version__
from ._program.beyond_memory import LEAST_MEMORY, size_of, what_needs_all_rows
from ._program.files import Asked, FileError, needed, told
from ._program.how_sure import LEVEL, Scored, heard, pairs_of
from ._program.opened import files_of, printable, shown_name
from ._program.printing import FORMATS, show, write_out
from ._program.results import ALL_RECALLS, CURVES, asked_of, results_of, undefined
from ._program.writing import draw, replacing, write_curves

PROGRAM = "achievable-pr"
USER_ERROR, INTERRUPTED, BROKEN_PIPE = 2, 130, 141


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
    how = {"nargs": 2, "type": float, "default": ALL_RECALLS, "help": text}
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

    add = parser.add_argument_group("files larger than memory").add_argument
    text = "what the areas lie between, in one pass and little memory, of counts in bins"
    add("--bounds", action="store_true", help=text)
    text = (
        "how much memory the rows of a file may take, 64M or more, e.g. 4G; of larger ones "
        "the exact areas are found in two passes (default: half of the machine's)"
    )
    add("--max-memory", metavar="SIZE", type=memory, help=text)
    text = "where these rows are sorted in temporary files (default: the system's place)"
    add("--temp-folder", metavar="DIR", help=text)

    add = parser.add_argument_group("what is written").add_argument
    add("--format", choices=tuple(FORMATS), default="table", help="what is printed")
    add("--curve", metavar="OUT.csv", help="write the points of the curves to this file")
    add("--plot", metavar="OUT.png", help="draw the curves to this .png, .svg or .pdf file")
    text = "the curve to write and draw: through every threshold, of the hull, or both"
    add("--which", choices=(*CURVES, "both"), default="empirical", help=text)
    return parser


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
        needs = f"needs a number with M or G, {LEAST_MEMORY >> 20}M or more, got {text!r}"
        raise argparse.ArgumentTypeError(needs) from error


def _misuse(options):
    """What is wrong with options that make no sense, alone or together; else None."""
    low, high = options.recall_range
    totals = (options.n_pos, options.n_neg)
    outputs = [path for path in (options.curve, options.plot) if path is not None]
    written = {os.path.realpath(path): path for path in outputs}
    read = {os.path.realpath(part) for part in _parts(options.files) if outputs}
    if not 0 <= low < high <= 1:
        return f"--recall-range needs 0 <= A < B <= 1, got {low:g} and {high:g}"
    if options.prevalence is not None and not 0 < options.prevalence < 1:
        return f"--prevalence must lie inside (0, 1), got {options.prevalence:g}"
    if options.files.count("-") > 1:
        return "- (standard input) can be read only once"
    if options.points and None in totals:
        return "--points needs both --n-pos and --n-neg: points are fractions of these"
    if misuse := _misuse_of_bounds(options) or _misuse_of_how_sure(options):
        return misuse
    place = options.temp_folder
    if place and os.path.realpath(place) in map(os.path.realpath, options.files):
        return f"--temp-folder {place!r} is also read: name another folder"
    if options.points and asked_of(options) != Asked():
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


def _parts(files):
    """The files, and those in folders; a folder that cannot be read is told of later."""
    for file in files:
        yield file
        with contextlib.suppress(FileError):
            yield from files_of(file)


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


def _misuse_of_bounds(options):
    if not options.bounds:
        return None
    if options.points:
        return "--bounds is of rows: leave it out with --points"
    if needs_rows := what_needs_all_rows(options):
        return f"{needs_rows} needs every row, --bounds keeps counts: leave out one of them"
    if options.max_memory is not None or options.temp_folder is not None:
        return "--max-memory and --temp-folder are for exact areas: leave out --bounds"
    return None


# The program


def _run(options):
    """Exit status 0; errors are raised."""
    if options.plot is not None:
        needed("matplotlib", "--plot needs matplotlib", "plot")
    writers = {options.curve: write_curves, options.plot: draw}
    with contextlib.ExitStack() as stack:
        made = {path: stack.enter_context(replacing(path)) for path in writers if path}
        kept: list[Scored] = []
        notes: list[str] = []
        results = [r for file in options.files for r in results_of(file, options, kept)]
        with heard(notes):
            pairs = pairs_of(kept, options) if options.compare else []
        notes = [f"--compare: {note}" for note in notes]
        text = FORMATS[options.format](results, pairs, options)
        for path, temporary in made.items():
            with told(shown_name(path), "written"):
                writers[path](temporary, path, results)
    for warning in dict.fromkeys((*_warnings(results), *notes)):
        show(sys.stderr, f"{PROGRAM}: warning: {warning}.\n")
    write_out(text)
    return 0


def _warnings(results):
    """What there is to say of the results."""
    for result in results:
        if why := undefined(result.values):
            of_fold = f"fold {printable(result.fold)} " if result.fold else ""
            yield f"{shown_name(result.file)}: {of_fold}{why}"
    for result in results:
        of_fold = f"fold {printable(result.fold)}: " if result.fold else ""
        for note in result.notes:
            yield f"{shown_name(result.file)}: {of_fold}{note}"


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
    show(sys.stderr, f"{PROGRAM}: error: {why}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
