"""Styles and legend entries of the curves of a display."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

import numpy as np

# Colours of Okabe and Ito that stand out from white and from black. With seven line styles
# no pair of the two repeats within 42 curves.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
LINE_STYLES: tuple[Any, ...] = (
    "-",
    "--",
    "-.",
    (0, (6, 1, 1, 1, 1, 1)),
    (0, (2, 1)),
    (0, (9, 3)),
    (0, (4, 1, 4, 1, 1, 1)),
)
BAND_LABELS = {
    None: "Band",
    "pointwise": "95 % pointwise band",
    "simultaneous": "95 % simultaneous band",
    "folds": "95 % band, t interval over folds",
    "resampled": "95 % band, folds and samples resampled",
}
_AREA_WORDS = {"empirical": "interpolated", "achievable": "achievable"}
# Characters per line of a legend entry.
_WIDTH = 40


def check_keywords(given, name):
    """Keywords for matplotlib's plot by their full names."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    if not isinstance(given, Mapping | None):
        raise TypeError(
            f"`{name}` must be a dict of keywords for matplotlib's plot. Got {given!r}."
        )
    return normalize_kwargs(dict(given or {}), Line2D)


def curve_styles(curves, curve_kwargs, n_before):
    """Keywords of `plot` for each curve.

    Curves of one name and kind share a legend entry, unless `curve_kwargs` is a list;
    curves of one name share a colour. Summaries stand in front of thin curves of folds.

    Parameters
    ----------
    curves : list of Curve
    curve_kwargs : None, dict or list of dict
    n_before : int
        Number of entries on the axes; colours and line styles go on from there.
    """
    summed_up = any(curve.summary for curve in curves)
    separate = isinstance(curve_kwargs, list | tuple)
    keys: list[Any] = [(curve.name, curve.kind) for curve in curves]
    names: list[Any] = [curve.name for curve in curves]
    if separate and not summed_up:
        keys = names = list(range(len(curves)))
    entries, colours = list(dict.fromkeys(keys)), list(dict.fromkeys(names))
    if separate and len(curve_kwargs) != len(entries):
        raise ValueError(
            "`curve_kwargs` must be a dict or a list of one dict per "
            f"{'summary' if summed_up else 'curve'}, {len(entries)}. Got "
            f"{len(curve_kwargs)}."
        )
    styles = []
    for i, (curve, key, name) in enumerate(zip(curves, keys, names, strict=True)):
        members = [j for j, other in enumerate(keys) if other == key]
        entry = entries.index(key)
        # The summary stands for its folds in the legend, else the first curve does.
        shown = next((j for j in members if curves[j].summary), members[0])
        alone = curve.summary or len(members) == 1
        given = check_keywords(
            curve_kwargs[entry] if separate else curve_kwargs, "curve_kwargs"
        )
        style = {
            "color": COLOURS[(n_before + colours.index(name)) % len(COLOURS)],
            "linestyle": LINE_STYLES[(n_before + entry) % len(LINE_STYLES)],
            "linewidth": 2.4 if curve.summary else 1.8 if alone else 1.2,
            "alpha": 1.0 if alone else 0.85,
            "zorder": 2.5 if curve.summary else 2,
            "label": entry_label([curves[j] for j in members]) if i == shown else None,
            **given,
        }
        if curves[shown].summary and not curve.summary:
            style |= {"linewidth": 0.7, "alpha": 0.4, "linestyle": "-", "zorder": 1.8}
            style["label"] = None
        styles.append(style)
    return styles


def entry_label(curves):
    """Legend text of curves that share one entry: of one, of folds, or of their summary."""
    folds = [curve for curve in curves if not curve.summary]
    shown = [curve for curve in curves if curve.summary] or curves
    first = shown[0]
    names = [first.name] if first.name else []
    if first.summary and folds:
        names.append(f"mean of {len(folds)} folds" if len(folds) > 1 else "1 fold")
    lines = textwrap.wrap(", ".join(names), _WIDTH)
    values = {
        label: [getattr(curve, field) for curve in shown]
        for label, field in (("AUC-PR", "auc_pr"), ("AUCNPR", "aucnpr"))
        if all(getattr(curve, field) is not None for curve in shown)
    }
    if len(shown) > 1:
        values = dict(list(values.items())[-1:])
    texts = [f"{label} = {mean_and_spread(found)}" for label, found in values.items()]
    if texts:
        if first.interval is not None:
            texts[0] += "\n(95 %: {:.2f} to {:.2f})".format(*first.interval)
        lines.append(f"{_AREA_WORDS[first.kind]} {', '.join(texts)}")
    return "\n".join(lines) or None


def mean_and_spread(values):
    """One value, or the mean and the standard deviation of several, as text."""
    if len(values) == 1:
        return f"{values[0]:.2f}"
    return f"{np.mean(values):.2f} +/- {np.std(values):.2f}"
