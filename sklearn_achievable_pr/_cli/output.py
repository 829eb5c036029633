"""Results as text, and curves as files."""

from __future__ import annotations

import contextlib
import json
import math
import os
from pathlib import Path

import numpy as np
import polars as pl

from .reading import file_errors, printable

_ALL = (("recall_low", 0), ("recall_high", 1))  # the range of all recalls is not shown
# Nothing is left out where Polars prints a frame.
_WHOLE: dict = {"tbl_hide_dataframe_shape": True, "tbl_hide_column_data_types": True}
_WHOLE |= {"tbl_rows": -1, "tbl_cols": -1, "tbl_width_chars": 9999, "fmt_str_lengths": 9999}


def _frames(results):
    """The results, and the pairs if there are any."""
    for rows in filter(None, (results.rows, results.pairs)):
        yield pl.DataFrame(rows, infer_schema_length=None)


def _as_csv(results):
    return "\n".join(frame.fill_nan(None).write_csv() for frame in _frames(results))


def _as_json(results):
    found, *pairs = (frame.fill_nan(None).to_dicts() for frame in _frames(results))
    both = {"results": found, "pairs": pairs[0]} if pairs else found
    return json.dumps(both, indent=2, allow_nan=False) + "\n"


def _cell(key, value, digits):
    """A value as text; limits always have six digits, rounded outward."""
    if not isinstance(value, float):
        return "-" if value is None else printable(str(value))
    outward = {"low": math.floor, "high": math.ceil}.get(key.rpartition("_")[2])
    if outward is None or math.isnan(value):
        return f"{value:{digits}}"
    # Outward at the sixth digit, but not for the rounding of a perfect area.
    return f"{outward(round(value * 1e6, 6)) / 1e6:.6g}"


def _printed(frame, digits, **how):
    """What Polars prints for a frame, without columns that say nothing."""
    keys = [c.name for c in frame if c.null_count() < len(c) and (c.name, c[0]) not in _ALL]
    rows = [[_cell(key, row[key], digits) for key in keys] for row in frame.to_dicts()]
    shown = pl.DataFrame(rows, keys, orient="row")
    if how.get("tbl_hide_column_names"):
        shown = pl.DataFrame([keys, rows[0]])
    with pl.Config(**_WHOLE, **how):
        return "".join(f"{line.strip()}\n" for line in str(shown).splitlines())


def _as_table(results):
    """One result as a list of its values, several as a line each; then the pairs."""
    how = {"tbl_formatting": "NOTHING", "tbl_hide_column_names": len(results.rows) == 1}
    return "\n".join(_printed(frame, ".6g", **how) for frame in _frames(results))


def _as_markdown(results):
    """A table for a page; with an interval the exact area is one cell with its limits."""
    texts = []
    for frame in _frames(results):
        if {"auc_pr", "confidence_low"} <= {*frame.columns}:
            limits = frame.select("auc_pr", "confidence_low", "confidence_high")
            cells = map("{:#.2g} ({:#.2g}, {:#.2g})".format, *limits.fill_null(math.nan))
            frame = frame.with_columns(auc_pr=pl.Series([*cells]))
            frame = frame.drop("standard_error", "confidence_low", "confidence_high")
        texts.append(_printed(frame, "#.2g", tbl_formatting="ASCII_MARKDOWN"))
    return "\n".join(texts)


FORMATS = {"table": _as_table, "json": _as_json, "csv": _as_csv, "markdown": _as_markdown}


@contextlib.contextmanager
def replacing(path):
    """A new file beside that of `path`, which takes its place if all goes well.

    It is made before anything is read, so that a folder that cannot be written to is
    known at once, and in the same folder, so that the last step is a rename.
    """
    if path is None:
        yield None
        return
    target = Path(path).resolve()
    temporary = target.with_name(f".{os.getpid()}.{target.name}")
    with file_errors(path), contextlib.ExitStack() as stack:
        if target.exists() and not target.is_file():
            raise OSError("is no regular file")
        with open(temporary, "xb"):
            stack.callback(temporary.unlink, missing_ok=True)
        yield temporary
        temporary.replace(target)


def write_curves(path, results):
    """One line per point; no threshold at recall 0, between thresholds and for points."""
    frames = []
    for names, curve in results.curves:
        points = {"recall": curve.recall, "precision": curve.precision, "threshold": np.nan}
        if curve.thresholds is not None:
            points["threshold"] = np.append(curve.thresholds, np.nan)
        texts = {key: pl.lit(text, pl.String) for key, text in names.items()}
        frame = pl.DataFrame(points).with_columns(**texts, curve=pl.lit(curve.kind))
        frames.append(frame.select(*texts, "curve", *points))
    with file_errors("--curve"):
        pl.concat(frames, how="diagonal").fill_nan(None).write_csv(path)


def draw(path, results):
    """All curves on one axes."""
    from matplotlib.figure import Figure

    from .._plot.display_data import parameters_of
    from ..display import AchievablePRDisplay

    curves = []
    for names, curve in results.curves:
        # One entry of the legend for all folds of a kind; matplotlib makes formulas of $.
        name = ": ".join(filter(None, (names["file"], names.get("score"))))
        curves.append(curve._replace(name=name.replace("$", r"\$"), thresholds=None))
    band = "folds" if any(curve.band is not None for curve in curves) else None
    figure = Figure(figsize=(7, 7), layout="constrained")
    display = AchievablePRDisplay(**parameters_of(curves), band_kind=band)
    with file_errors("--plot"):
        display.plot(ax=figure.subplots())
        figure.savefig(path)
