"""Colours, line styles and legend entries of the curves of a display."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

import numpy as np

# Six colours of Okabe and Ito that stand out from white and from black, and four that are
# at least as distinct from these and from each other, also to colour-blind readers. With
# three line styles no pair of the two repeats within 30 curves.
COLOURS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"),
    *("#AA2266", "#774411", "#9966FF", "#5500EE"),
)
LINE_STYLES = ("-", "--", "-.")  # chance levels are dotted
BAND_LABELS = {
    None: "Band",
    "pointwise": "95 % pointwise band",
    "simultaneous": "95 % simultaneous band",
    "folds": "95 % band, t interval over folds",
    "resampled": "95 % band, folds and samples resampled",
}
FOLDS_LABEL = "Single folds"
# Style of the curve of a fold behind the summary.
_FOLD_STYLE = {"linewidth": 0.7, "alpha": 0.6, "linestyle": "-", "zorder": 1.8}
_AREA_WORDS = {"empirical": "interpolated", "achievable": "achievable"}
# Maximum number of characters per line of a legend entry.
_WIDTH = 40


def check_keywords(given, name):
    """Keywords for matplotlib's `plot` as a new dict, with short names expanded."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    if not isinstance(given, Mapping | None):
        raise TypeError(
            f"`{name}` must be a dict of keywords for matplotlib's plot. Got {given!r}."
        )
    return normalize_kwargs(dict(given or {}), Line2D)


def curve_styles(curves, curve_kwargs, n_before):
    """Keywords of `plot` for each curve.

    Curves with the same name and kind share a legend entry, unless `curve_kwargs` is a
    list. Curves with the same name share a colour. Summaries are drawn in front of the thin
    curves of folds.

    Parameters
    ----------
    curves : list of Curve
    curve_kwargs : None, dict or list of dict
    n_before : int
        Number of legend entries already on the axes; their colours and line styles are
        skipped.
    """
    summed_up = any(curve.summary for curve in curves)
    is_list = isinstance(curve_kwargs, list | tuple)
    entries: dict[tuple, list[int]] = {}  # the curves of each legend entry
    for i, curve in enumerate(curves):
        key = (i,) if is_list and not summed_up else (curve.name, curve.kind)
        entries.setdefault(key, []).append(i)
    given = curve_kwargs if is_list else [curve_kwargs] * len(entries)
    if len(given) != len(entries):
        raise ValueError(
            "`curve_kwargs` must be a dict or a list of one dict per "
            f"{'summary' if summed_up else 'curve'}, {len(entries)}. Got {len(given)}."
        )
    names = list(dict.fromkeys(name for name, *_ in entries))
    styles: list[dict] = [{}] * len(curves)
    of_folds = _FOLD_STYLE | {"label": FOLDS_LABEL}
    for n, ((name, *_), members) in enumerate(entries.items()):
        summaries = [i for i in members if curves[i].summary]
        style = {
            "color": COLOURS[(n_before + names.index(name)) % len(COLOURS)],
            "linestyle": LINE_STYLES[(n_before + n) % len(LINE_STYLES)],
            "linewidth": 2.4 if summaries else 1.8 if len(members) == 1 else 1.2,
            "label": entry_label([curves[i] for i in members]),
            **check_keywords(given[n], "curve_kwargs"),
        }
        shown = summaries or members
        for i in members:
            styles[i] = {**style, "label": None}
            if i not in shown:
                styles[i] |= of_folds
                of_folds = _FOLD_STYLE
        styles[shown[0]] = style
    return styles


def entry_label(curves):
    """Legend text of curves that share one entry: one curve, folds, or their summary."""
    shown = [curve for curve in curves if curve.summary] or curves
    n_folds, first = sum(not curve.summary for curve in curves), shown[0]
    names = [first.name] if first.name else []
    if first.summary and n_folds:
        names.append(f"mean of {n_folds} folds" if n_folds > 1 else "1 fold")
    texts = []
    if len(shown) == 1 and first.auc_pr is not None:
        texts.append(f"AUC-PR = {first.auc_pr:.2f}")
        if first.interval is not None:
            texts[0] += "\n(95 %: {:.2f} to {:.2f})".format(*first.interval)
    normalized = [curve.aucnpr for curve in shown]
    if None not in normalized:
        texts.append(f"AUCNPR = {mean_and_spread(normalized)}")
    lines = textwrap.wrap(", ".join(names), _WIDTH)
    if texts:
        lines.append(f"{_AREA_WORDS[first.kind]} {', '.join(texts)}")
    return legend_text("\n".join(lines)) or None


def legend_text(text):
    """The text with a space before a first underscore, which would hide it in legends."""
    return f" {text}" if text.startswith("_") else text


def mean_and_spread(values):
    """One value, or the mean and the standard deviation of several, as text."""
    if len(values) == 1:
        return f"{values[0]:.2f}"
    return f"{np.mean(values):.2f} +/- {np.std(values):.2f}"
