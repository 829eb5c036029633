"""Output of the program: results as text, curves as files."""

import contextlib
import json
import math
import secrets
import shutil
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
import polars as pl

from .._input.options import exact
from ..results._rendering import (
    UNDEFINED,
    decimals_of_column,
    pvalue_text,
    with_limits,
)
from .reading import file_errors, printable

# These columns are not shown for the range of all recalls.
_ALL = (("recall_low", 0), ("recall_high", 1))
# With these options Polars prints a frame completely.
_WHOLE: dict = {"tbl_hide_dataframe_shape": True, "tbl_hide_column_data_types": True}
_WHOLE |= {"tbl_rows": -1, "tbl_cols": -1, "tbl_width_chars": 9999, "fmt_str_lengths": 9999}


def _frames(results):
    """The results and, if there are any, the pairs as data frames."""
    for rows in filter(None, (results.rows, results.pairs)):
        yield pl.DataFrame(rows, infer_schema_length=None)


def _csv(frame, path=None):
    """A frame written as CSV, to a file or as text; no name is a formula in a spreadsheet.

    An apostrophe before a text that starts like a formula makes it text. Numbers stay.
    """
    names = pl.col(pl.String)
    is_formula = names.str.contains(r"(?s)^[=+@\t\r-].")
    is_formula &= names.cast(pl.Float64, strict=False).is_null()
    harmless = pl.when(is_formula).then("'" + names).otherwise(names)
    return frame.with_columns(harmless.name.keep()).fill_nan(None).write_csv(path)


def _as_csv(results):
    """Results as CSV; the pairs follow after an empty line."""
    return "\n".join(map(_csv, _frames(results)))


def _as_json(results):
    """Results as a JSON list; with pairs, an object of two lists."""
    rows, *pairs = (frame.fill_nan(None).to_dicts() for frame in _frames(results))
    for row in chain(rows, *pairs):  # JSON has no infinite thresholds
        row |= {key: str(v) for key, v in row.items() if v in (math.inf, -math.inf)}
    both = {"results": rows, "pairs": pairs[0]} if pairs else rows
    return json.dumps(both, indent=2, allow_nan=False) + "\n"


def _cell(key, value, digits):
    """A value as text; limits and bounds have six digits, rounded outward."""
    if not isinstance(value, float):
        return "-" if value is None else printable(str(value))
    if math.isnan(value):
        return UNDEFINED
    if key == "threshold":
        return exact(value)  # a rounded threshold would select other samples
    if key.startswith("pvalue") and value < 0.001:
        return pvalue_text(value)
    outward = {"low": math.floor, "high": math.ceil}.get(key.rpartition("_")[2])
    if outward is None:
        return f"{value:{digits}}"
    # Limits are rounded outward at the sixth digit. The inner rounding keeps the limit of a
    # perfect area at 1.
    return f"{outward(round(value * 1e6, 6)) / 1e6:.6g}"


def _printed(frame, digits, **how):
    """Text of a frame by Polars, without empty columns and the range of all recalls."""
    keys = [c.name for c in frame if c.null_count() < len(c) and (c.name, c[0]) not in _ALL]
    rows = [[_cell(key, row[key], digits) for key in keys] for row in frame.to_dicts()]
    shown = pl.DataFrame(rows, keys, orient="row")
    if how.get("tbl_hide_column_names"):
        shown = pl.DataFrame([keys, rows[0]])
    with pl.Config(**_WHOLE, **how):
        return "".join(f"{line.strip()}\n" for line in str(shown).splitlines())


def _as_table(results):
    """One result as a list with one value per line, several as a table; then the pairs."""
    how = {"tbl_formatting": "NOTHING", "tbl_hide_column_names": len(results.rows) == 1}
    return "\n".join(_printed(frame, ".6g", **how) for frame in _frames(results))


def _with_limits(value, limits, decimals):
    """Text of a value with its confidence limits, as far as they are defined."""
    if math.isnan(limits[0]):
        return UNDEFINED if math.isnan(value) else f"{value:#.2g}"
    return with_limits((value, *limits), decimals)


def _as_markdown(results):
    """Results as Markdown tables; a value and its confidence limits share one cell."""
    texts = []
    for frame in _frames(results):
        value = "difference" if "difference" in frame.columns else "auc_pr"
        if {value, "low"} <= {*frame.columns}:
            rows = frame[value, "low", "high"].rows()
            known = [row for row in rows if not math.isnan(row[1])]
            are_differences = value == "difference"
            decimals = decimals_of_column(known, are_differences=are_differences)
            cells = (_with_limits(x, limits, decimals) for x, *limits in rows)
            frame = frame.with_columns(pl.Series(value, cells)).drop("low", "high")
        # A bar would end the cell.
        frame = frame.with_columns(
            pl.col(pl.String).str.replace_all("|", r"\|", literal=True)
        )
        texts.append(_printed(frame, "#.2g", tbl_formatting="ASCII_MARKDOWN"))
    return "\n".join(texts)


FORMATS = {"table": _as_table, "json": _as_json, "csv": _as_csv, "markdown": _as_markdown}


@contextlib.contextmanager
def replacing(path):
    """Context of a new file that replaces the file `path` at the end, if nothing raises.

    The new file is created at once, so that a file or folder without write permission is an
    error before anything is read. It is in the same folder, so that the last step is a
    rename, and gets the permissions of the file that it replaces.
    """
    if path is None:
        yield None
        return
    target = Path(path).resolve()
    # The name is random. A process id could be that of a run that was killed in another
    # container and left its file.
    temporary = target.with_name(f".{secrets.token_hex(8)}.{target.name}")
    with file_errors(path), contextlib.ExitStack() as stack:
        if target.exists() and not target.is_file():
            raise OSError("is not a regular file")
        with open(temporary, "xb"):
            stack.callback(temporary.unlink, missing_ok=True)
        if target.exists():
            open(target, "ab").close()  # this raises an error without write permission
            shutil.copymode(target, temporary)
        yield temporary
        temporary.replace(target)


def write_curves(path, results):
    """Write the points of all curves as CSV, one line per point.

    The threshold is empty at recall 0 and at interpolated points.
    """
    frames = []
    for names, curve in results.curves:
        points = {"recall": curve.recall, "precision": curve.precision, "threshold": np.nan}
        if curve.thresholds is not None:
            points["threshold"] = np.append(curve.thresholds, np.nan)
        frames.append(pl.DataFrame(names | {"curve": curve.curve} | points))
    with file_errors("--write-curve"):
        _csv(pl.concat(frames, how="diagonal_relaxed"), path)


def draw(path, results, prevalence):
    """Draw all curves on one axes; `prevalence` is the reference prevalence or None."""
    from matplotlib.figure import Figure

    from ..displays.curve_display import AchievablePRDisplay

    curves = []
    for names, curve in results.curves:
        name = ": ".join(filter(None, (names["file"], names.get("score"))))
        curves.append(replace(curve, name=name, thresholds=None))
    figure = Figure(figsize=(7, 7), layout="constrained")
    display = AchievablePRDisplay._of_curves(curves, prevalence)
    with file_errors("--plot"):
        display.plot(ax=figure.subplots())
        figure.savefig(path)
