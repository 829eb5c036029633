"""Curves as files: their points, and pictures."""

from __future__ import annotations

import contextlib
import csv
import os
import secrets
import shutil
import warnings

from .files import FileError, told
from .opened import printable, shown_name
from .printing import names_of
from .results import ALL_RECALLS, Curve

_LONGEST_NAME = 40


@contextlib.contextmanager
def replacing(path):
    """A new file beside that of `path`, which takes its place if all goes well.

    It is made before anything is read, so that a folder that cannot be written to is
    known at once, and in the same folder, so that the last step is a rename.
    """
    target = os.path.realpath(path)
    temporary = os.path.join(os.path.dirname(target), f".{secrets.token_hex(8)}.tmp")
    try:
        with told(shown_name(path), "written"):
            if os.path.exists(target) and not os.path.isfile(target):
                raise OSError("it is no regular file")
            os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
            if os.path.exists(target):
                shutil.copymode(target, temporary)
        yield temporary
        with told(shown_name(path), "written"):
            os.replace(temporary, target)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def write_curves(made, path, results):
    """One line a point; no threshold at recall 0, between thresholds and for points."""
    names = names_of(results)
    with open(made, "w", encoding="utf-8", errors="surrogateescape", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*names, "curve", "recall", "precision", "threshold"])
        for result in results:
            told_apart = [getattr(result, name) for name in names]
            for kind, (precision, recall, thresholds, *_) in result.curves.items():
                shown = ["" if t != t else t for t in thresholds.tolist()] + [""]
                points = zip(recall.tolist(), precision.tolist(), shown, strict=True)
                writer.writerows((*told_apart, kind, *point) for point in points)


def draw(made, path, results):
    """All curves on one axes."""
    from matplotlib.figure import Figure

    from ..display import AchievablePRDisplay

    drawn = [(r, kind, curve) for r in results for kind, curve in r.curves.items()]
    if not drawn:
        raise FileError("--plot: there is no curve to draw: no file has positives.")
    found, kinds, curves = zip(*drawn, strict=True)
    precision, recall, _, *measures = map(list, zip(*curves, strict=True))
    named = dict(zip(Curve._fields[3:], measures, strict=True))  # as the display has them
    names = [*map(_legend_name, found)]
    # One entry for all folds of a kind.
    names = names[0] if any(named["summary"]) else names
    has_band = any(band is not None for band in named["band"])
    band_kind = "folds" if has_band else None
    display = AchievablePRDisplay(
        precision, recall, curve=[*kinds], name=names, band_kind=band_kind, **named
    )
    figure = Figure(figsize=(7, 7), layout="constrained")
    with warnings.catch_warnings():
        # A font without some letter of a file's name is no reason to stop or to worry.
        warnings.filterwarnings("ignore", "Glyph", UserWarning)
        display.plot(ax=figure.subplots())
        figure.savefig(made, format=path[-3:].lower())


def _legend_name(result):
    """File, column and recalls, short and as matplotlib takes them."""
    low, high = result.values["recall_low"], result.values["recall_high"]
    name = shown_name(result.file)
    name += f": {printable(result.score)}" if result.score else ""
    if len(name) > _LONGEST_NAME:
        name = "..." + name[-_LONGEST_NAME:]
    if name.startswith("_"):  # matplotlib leaves such names out
        name = os.path.join(os.curdir, name)
    if (low, high) != ALL_RECALLS:
        name += f", recall {low:g} to {high:g}"
    return name.replace("$", r"\$")  # else a formula starts
