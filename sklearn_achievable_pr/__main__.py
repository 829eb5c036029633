"""The program `achievable-pr`: files of scores in, areas and curves out.

It parses arguments, asks `_score_files` for arrays and the package for numbers, and
prints. Nothing is printed, and no file replaced, before everything asked for is there.
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
import stat
import sys
import time
import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from . import __version__
from ._path.counting import every_threshold, from_counts
from ._score_files import Columns, FileError, read_points, read_scores
from .areas import auc_pr_from_counts, aucnpr_from_counts, davis_goadrich_area
from .curves import achievable_pr_curve, pr_curve_from_counts, pr_curve_interpolated
from .unachievable import auc_pr_min

PROGRAM = "achievable-pr"
USER_ERROR, INTERRUPTED, BROKEN_PIPE = 2, 130, 141

PLOT_FORMATS = ("png", "svg", "pdf")
_LONGEST_NAME = 40
_ALL_RECALLS = (0.0, 1.0)
_CURVES = {
    "empirical": ("empirical",),
    "achievable": ("achievable",),
    "both": ("empirical", "achievable"),
}
# The keys of a result, and what the table calls them.
_ROWS = {
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


class _UsageError(Exception):
    """Options that cannot be met; the text says which and why."""


class Result(NamedTuple):
    """All that one file gives."""

    name: str
    values: dict  # by the keys of _ROWS; NaN undefined, None not meant
    curves: dict  # by kind: precision, recall, thresholds; empty if none was asked for


# Arguments


def _parser():
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Exact areas under precision-recall curves, from files of scores.",
        epilog=(
            "A score file has lines of 'score label', separated by a blank, a tab or a "
            "comma, or is CSV with a header. Exit status: 0 done, 2 an argument or a file "
            "cannot be used (nothing is written then), 130 interrupted."
        ),
        allow_abbrev=False,
    )
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="file to read; - is standard input"
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    _add_reading(parser)
    _add_measuring(parser)
    _add_writing(parser)
    return parser


def _add_reading(parser):
    group = parser.add_argument_group("what the files hold")
    group.add_argument(
        "--score", metavar="COL", help="column of the scores (CSV; default: score)"
    )
    group.add_argument(
        "--label", metavar="COL", help="column of the labels (CSV; default: label)"
    )
    group.add_argument("--weight", metavar="COL", help="column of the weights (CSV)")
    group.add_argument(
        "--pos-label",
        metavar="L",
        help="the positive label; needed unless the labels are 0 and 1, -1 and 1, or "
        "false and true",
    )
    group.add_argument(
        "--points",
        choices=("pr", "roc"),
        help="the files hold points of a curve instead, in any order: 'recall precision' "
        "(pr) or 'fpr tpr' (roc)",
    )
    group.add_argument(
        "--n-pos", metavar="P", type=_total, help="number of positives behind the points"
    )
    group.add_argument(
        "--n-neg", metavar="N", type=_total, help="number of negatives behind the points"
    )


def _add_measuring(parser):
    group = parser.add_argument_group("what is measured")
    group.add_argument(
        "--recall-range",
        metavar=("A", "B"),
        nargs=2,
        type=float,
        default=_ALL_RECALLS,
        help="areas over recalls from A to B only; average precision and AUC-ROC stay "
        "those of the whole curve",
    )
    group.add_argument(
        "--prevalence",
        metavar="P",
        type=float,
        help="fraction of positives that the data are to stand for, e.g. before "
        "down-sampling",
    )


def _add_writing(parser):
    group = parser.add_argument_group("what is written")
    group.add_argument(
        "--format",
        choices=tuple(_FORMATS),
        default="table",
        help="what is printed (default: table)",
    )
    group.add_argument(
        "--curve", metavar="OUT.csv", help="write the points of the curves to this file"
    )
    group.add_argument(
        "--plot",
        metavar="OUT.png",
        help="draw the curves, all files on one axes, to this .png, .svg or .pdf file",
    )
    group.add_argument(
        "--which",
        choices=tuple(_CURVES),
        default="empirical",
        help="the curve to write and draw: through every threshold, of the ROC convex "
        "hull, or both (default: empirical)",
    )


def _total(text):
    """A number of samples; weighted totals need not be whole."""
    try:
        total = float(text)
    except ValueError:
        total = math.nan
    if not (math.isfinite(total) and total > 0):
        raise argparse.ArgumentTypeError(f"must be a positive number, got {text!r}")
    return int(total) if total.is_integer() else total


def _check(options):
    """Refuse options that make no sense together, before anything is read."""
    low, high = options.recall_range
    if not 0 <= low < high <= 1:
        raise _UsageError(f"--recall-range needs 0 <= A < B <= 1, got {low:g} and {high:g}")
    if options.prevalence is not None and not 0 < options.prevalence < 1:
        raise _UsageError(
            f"--prevalence must lie inside (0, 1), got {options.prevalence:g}"
        )
    if options.files.count("-") > 1:
        raise _UsageError("- (standard input) can be read only once")
    totals = (options.n_pos, options.n_neg)
    columns = _columns(options)
    if options.points:
        if None in totals:
            raise _UsageError(
                "--points needs both --n-pos and --n-neg: points are fractions of these"
            )
        if columns != Columns():
            raise _UsageError(
                "--points files have no labels: leave out --score, --label, --weight and "
                "--pos-label"
            )
    elif totals != (None, None):
        raise _UsageError("--n-pos and --n-neg belong to --points: score files are counted")
    _check_outputs(options)


def _check_outputs(options):
    outputs = [path for path in (options.curve, options.plot) if path is not None]
    if options.plot is not None and _plot_format(options.plot) not in PLOT_FORMATS:
        raise _UsageError(
            f"--plot needs a name that ends in .png, .svg or .pdf, got {options.plot!r}"
        )
    if len({*map(_real, outputs)}) < len(outputs):
        raise _UsageError(f"--curve and --plot name one file, {options.curve!r}")
    inputs = {_real(path) for path in options.files if path != "-"}
    for path in outputs:
        if _real(path) in inputs:
            raise _UsageError(f"{path!r} is both read and written: name another output")


def _real(path):
    try:
        return os.path.realpath(path)
    except ValueError:  # a NUL in the name; opening it will tell
        return path


def _columns(options):
    return Columns(options.score, options.label, options.weight, options.pos_label)


def _plot_format(path):
    return os.path.splitext(path)[1].removeprefix(".").lower()


# Reading


class _Progress:
    """A line on a terminal that says how much of a file is read; elsewhere nothing."""

    def __init__(self, name, size):
        self.name, self.size, self.done = name, size, 0
        self.visible, self.last = sys.stderr.isatty(), time.monotonic()

    def __call__(self, n_bytes):
        self.done += n_bytes
        now = time.monotonic()
        if self.visible and now - self.last > 0.2:
            self.last = now
            done = f"{self.done / 1e6:.0f} MB"
            if self.size:
                done += f", {min(self.done / self.size, 1):.0%}"
            print(
                f"\r\x1b[Kreading {self.name}: {done}", end="", file=sys.stderr, flush=True
            )

    def clear(self):
        if self.visible:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _read(path, options):
    """Scores or points of one file."""
    name = _shown_name(path)
    with contextlib.ExitStack() as stack:
        stream = sys.stdin.buffer
        if path != "-":
            try:
                stream = stack.enter_context(open(path, "rb"))
            except (OSError, ValueError) as error:
                raise FileError(f"{name}: cannot be read: {_why(error)}.") from error
        progress = _Progress(name, _size(stream))
        stack.callback(progress.clear)
        if options.points:
            return read_points(
                stream, name, options.points, options.n_pos, options.n_neg, progress
            )
        return read_scores(stream, name, _columns(options), progress)


def _size(stream):
    """Bytes of a regular file, else None."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _shown_name(path):
    if path == "-":
        return "standard input"
    return path if path.isprintable() else ascii(path)


def _why(error):
    return getattr(error, "strerror", None) or str(error)


# Measuring


def _measured(path, options):
    """Read a file and measure it; what came in is not kept."""
    data = _read(path, options)
    measure = _of_points if options.points else _of_scores
    with warnings.catch_warnings():
        # Told in one line of this program's own, not once a number.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        return Result(path, *measure(data, options))


def _of_scores(data, options):
    """Values and curves of labels and scores."""
    fps, tps, _ = every_threshold((data.positive, data.score, data.weight)).whole()
    values = {
        "n": len(data.score),
        "positives": int(np.count_nonzero(data.positive)),
        **_of_shape(fps, tps, options),
        **_of_steps(fps, tps, options),
    }
    if data.weight is not None:
        values["auc_pr_davis_goadrich"] = None

    def curve(kind):
        function = pr_curve_interpolated if kind == "empirical" else achievable_pr_curve
        return function(
            data.positive,
            data.score,
            sample_weight=data.weight,
            prevalence=options.prevalence,
        )

    return values, _curves(curve, values, options)


def _of_points(points, options):
    """Values and curves of points, which are taken for all the thresholds."""
    fps = np.concatenate(([0], points.fps, [points.n_neg]))
    tps = np.concatenate(([0], points.tps, [points.n_pos]))
    values = {
        "n": points.n_pos + points.n_neg,
        "positives": points.n_pos,
        **_of_shape(fps, tps, options),
        **_of_steps(fps, tps, options),
    }

    def curve(kind):
        return pr_curve_from_counts(tps, fps, curve=kind, prevalence=options.prevalence)

    return values, _curves(curve, values, options)


def _of_shape(fps, tps, options):
    """What depends on the shape of the ROC path alone, by the keys of `_ROWS`."""
    found = float(tps[-1] / (tps[-1] + fps[-1]))
    low, high = options.recall_range
    how = {"recall_range": (low, high), "prevalence": options.prevalence}
    return {
        "prevalence": found,
        "assumed_prevalence": options.prevalence,
        "recall_low": low,
        "recall_high": high,
        "auc_pr": auc_pr_from_counts(tps, fps, **how),
        "auc_pr_achievable": auc_pr_from_counts(tps, fps, curve="achievable", **how),
        "aucnpr": aucnpr_from_counts(tps, fps, **how),
        "auc_pr_min": _floor(found, options.prevalence, (low, high)),
        "auc_roc": _auc_roc(fps, tps),
    }


def _of_steps(fps, tps, options):
    """What depends on where the thresholds are, by the keys of `_ROWS`."""
    n_pos, n_neg, prevalence = float(tps[-1]), float(fps[-1]), options.prevalence
    if n_pos == 0 or (n_neg == 0 and prevalence is not None):
        return {"auc_pr_davis_goadrich": math.nan, "average_precision": math.nan}
    if prevalence is not None:
        fps = fps * ((1 - prevalence) / prevalence * n_pos / n_neg)
    predicted = np.maximum(tps + fps, 1e-300)  # the first is 0 and multiplied by 0
    return {
        "auc_pr_davis_goadrich": davis_goadrich_area(
            from_counts(fps, tps), *options.recall_range
        ),
        "average_precision": float(np.dot(np.diff(tps) / n_pos, (tps / predicted)[1:])),
    }


def _floor(found, assumed, recall_range):
    if found == 0 or (found == 1 and assumed is not None):
        return math.nan
    if found == 1:
        return recall_range[1] - recall_range[0]
    return auc_pr_min(found if assumed is None else assumed, recall_range)


def _auc_roc(fps, tps):
    """Area under the ROC path by trapezoids, which are exact there."""
    if not (tps[-1] and fps[-1]):
        return math.nan
    return float(np.dot(np.diff(fps) / fps[-1], (tps[1:] + tps[:-1]) / (2 * tps[-1])))


def _curves(curve, values, options):
    if options.curve is None and options.plot is None:
        return {}
    if math.isnan(values["auc_pr"]):
        return {}
    return {kind: curve(kind) for kind in _CURVES[options.which]}


def _undefined(values):
    """What to say of the values that are undefined; None if none is."""
    if not values["positives"]:
        return "has no positives: every area is undefined"
    if values["positives"] == values["n"]:
        what = "AUCNPR and AUC-ROC are undefined"
        if values["assumed_prevalence"] is not None:
            what = "nothing can be told of another prevalence: every area is undefined"
        return f"has no negatives: {what}"
    return None


# Printing


def _as_table(results, options):
    return "\n".join(_table_of(result, options) for result in results)


def _table_of(result, options):
    width = max(map(len, _ROWS.values()))
    lines = [_shown_name(result.name)]
    asked = {
        "assumed_prevalence": options.prevalence is not None,
        "recall_low": tuple(options.recall_range) != _ALL_RECALLS,
        "recall_high": tuple(options.recall_range) != _ALL_RECALLS,
    }
    for key, title in _ROWS.items():
        if asked.get(key, True):
            value = result.values[key]
            shown = f"{value:g}" if key in asked else _cell(value)
            lines.append(f"  {title:{width}}  {shown}")
    return "\n".join(lines) + "\n"


def _cell(value):
    if value is None:
        return "-"
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        return "undefined"
    return f"{value:.6f}" if value == 0 or abs(value) >= 1e-3 else f"{value:.6g}"


def _as_json(results, options):
    objects = [
        {"file": result.name}
        | {key: _plain(result.values[key], undefined=None) for key in _ROWS}
        for result in results
    ]
    return json.dumps(objects, indent=2, allow_nan=False) + "\n"


def _as_csv(results, options):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["file", *_ROWS])
    for result in results:
        writer.writerow(
            [result.name, *(_plain(result.values[key], undefined="") for key in _ROWS)]
        )
    return text.getvalue()


def _plain(value, undefined):
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return undefined
    return value


_FORMATS: dict[str, Callable] = {"table": _as_table, "json": _as_json, "csv": _as_csv}


def _print(text):
    """To standard output, whatever characters it can show."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except OSError as error:
        # Python would try to write the rest when it ends, and complain.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise
        raise FileError(f"standard output: cannot be written: {_why(error)}.") from error


def _complain(kind, text):
    # What the file of errors cannot show must not hide the error.
    encoding = sys.stderr.encoding or "utf-8"
    line = f"{PROGRAM}: {kind}: {text}\n"
    sys.stderr.write(line.encode(encoding, "backslashreplace").decode(encoding))
    sys.stderr.flush()


# Files written


@contextlib.contextmanager
def _replaced(paths):
    """New files beside those of `paths`, which take their places if all goes well.

    Each is made in the same folder, so that the last step is a rename, and before
    anything is read, so that a folder that cannot be written to is known at once.
    """
    made = {}
    try:
        for path in paths:
            made[path] = _temporary(path)
        yield made
        for path, temporary in made.items():
            try:
                os.replace(temporary, _real(path))
            except OSError as error:
                raise _unwritable(path, error) from error
    finally:
        for temporary in made.values():
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _temporary(path):
    target = _real(path)
    if os.path.exists(target) and not os.path.isfile(target):
        what = "a directory" if os.path.isdir(target) else "no regular file"
        raise FileError(f"{_shown_name(path)}: cannot be written: it is {what}.")
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f".{name[:100]}.{secrets.token_hex(8)}.tmp")
    try:
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        if os.path.exists(target):
            shutil.copymode(target, temporary)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from error
    return temporary


def _unwritable(path, error):
    return FileError(f"{_shown_name(path)}: cannot be written: {_why(error)}.")


def _write_curves(path, results):
    """One line a point; no threshold at recall 0, between thresholds and for points."""
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["file", "curve", "recall", "precision", "threshold"])
        for result in results:
            for kind, (precision, recall, thresholds) in result.curves.items():
                shown = ["" if t != t else t for t in thresholds.tolist()] + [""]
                points = zip(recall.tolist(), precision.tolist(), shown, strict=True)
                writer.writerows((result.name, kind, *point) for point in points)


def _draw(path, file_format, results):
    """All curves on one axes."""
    from matplotlib.figure import Figure

    from .display import AchievablePRDisplay

    drawn = [
        (result, kind, curve) for result in results for kind, curve in result.curves.items()
    ]
    if not drawn:
        raise FileError("--plot: there is no curve to draw: no file has positives.")
    labels = [_legend_entry(result, kind) for result, kind, _ in drawn]
    display = AchievablePRDisplay(
        [precision for _, _, (precision, _, _) in drawn],
        [recall for _, _, (_, recall, _) in drawn],
        curve=[kind for _, kind, _ in drawn],
        **{key: [label[key] for label in labels] for key in labels[0]},
    )
    figure = Figure(figsize=(7, 7), layout="constrained")
    with warnings.catch_warnings():
        # A font without some letter of a file's name is no reason to stop or to worry.
        warnings.filterwarnings("ignore", "Glyph", UserWarning)
        display.plot(ax=figure.subplots())
        figure.savefig(path, format=file_format)


def _legend_entry(result, kind):
    """Name, areas and prevalence of one curve, by the parameters of the display."""
    values = result.values
    low, high, floor = (values[k] for k in ("recall_low", "recall_high", "auc_pr_min"))
    area = values["auc_pr" if kind == "empirical" else "auc_pr_achievable"]
    name = _shown_name(result.name)
    if len(name) > _LONGEST_NAME:
        name = "..." + name[-_LONGEST_NAME:]
    if name.startswith("_"):  # matplotlib leaves such names out
        name = os.path.join(os.curdir, name)
    if (low, high) != _ALL_RECALLS:
        name += f", recall {low:g} to {high:g}"
    prevalence = values["assumed_prevalence"] or values["prevalence"]
    both_classes = prevalence < 1
    normalized = (area - floor) / (high - low - floor) if both_classes else None
    return {
        "name": name.replace("$", r"\$"),  # else a formula starts
        "auc_pr": area,
        "aucnpr": values["aucnpr"] if both_classes and kind == "empirical" else normalized,
        "prevalence": prevalence if both_classes else None,
    }


def _check_can_draw():
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise FileError(
            "--plot needs matplotlib. Install it, e.g. pip install "
            "'sklearn-achievable-pr[plot]'."
        ) from error


# The program


def _run(options):
    """Exit status 0; errors are raised."""
    _check(options)
    if options.plot is not None:
        _check_can_draw()
    outputs = [path for path in (options.curve, options.plot) if path is not None]
    with _replaced(outputs) as temporary:
        results = [_measured(path, options) for path in options.files]
        text = _FORMATS[options.format](results, options)
        if options.curve is not None:
            _try_to_write(options.curve, _write_curves, temporary[options.curve], results)
        if options.plot is not None:
            arguments = temporary[options.plot], _plot_format(options.plot), results
            _try_to_write(options.plot, _draw, *arguments)
    for result in results:
        if undefined := _undefined(result.values):
            _complain("warning", f"{_shown_name(result.name)}: {undefined}.")
    _print(text)
    return 0


def _try_to_write(path, write, *arguments):
    try:
        write(*arguments)
    except OSError as error:
        raise _unwritable(path, error) from error


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
    try:
        return _run(options)
    except _UsageError as error:
        parser.error(str(error))
    except FileError as error:
        _complain("error", error)
        return USER_ERROR
    except MemoryError:
        _complain("error", "the files do not fit into memory.")
        return USER_ERROR
    except KeyboardInterrupt:
        _complain("error", "interrupted.")
        return INTERRUPTED
    except BrokenPipeError:
        return BROKEN_PIPE


if __name__ == "__main__":
    sys.exit(main())
