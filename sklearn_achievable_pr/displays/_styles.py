"""Colors, line styles and legend entries of the curves of a display."""

import textwrap
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from .._input.options import check_type

# Six colors are those of Okabe and Ito that stand out from white and from black. The other
# four are at least as distinct from the six and from each other, also for color-blind
# readers. Together with three line styles, no pair of color and line style repeats within
# 30 curves.
COLORS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"),
    *("#AA2266", "#774411", "#9966FF", "#5500EE"),
)
LINE_STYLES = ("-", "--", "-.")  # the dotted line is left for chance levels
BAND_LABELS = {
    None: "Band",
    "pointwise": "95 % pointwise band",
    "simultaneous": "95 % simultaneous band",
    "folds": "95 % band, t interval over folds",
}
# matplotlib leaves artists with this label out of a legend, even if a list of labels is
# passed to `ax.legend`. So only the curves of a display have other labels.
NO_LABEL = "_nolegend_"
# The curve of a fold behind the summary has this style.
_FOLD_STYLE = {"linewidth": 0.7, "alpha": 0.6, "linestyle": "-", "zorder": 1.8}
# A legend entry may have these areas, which are fields of `Curve`.
_AREAS = {"AUC-PR": "auc_pr", "AUCNPR": "aucnpr"}
# A line of a legend entry has at most this many characters.
WIDTH = 40


class CurveStyle(NamedTuple):
    """How a curve is drawn.

    Attributes
    ----------
    line : dict
        Keywords for matplotlib's `plot`, with the label of the curve.
    helper_text : str or None
        Text in the legend of the display for a line without a label.
    """

    line: dict[str, Any]
    helper_text: str | None


def check_keywords(given, name):
    """Keywords for matplotlib's `plot` as a new dict, with short names expanded."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    check_type(given, name, Mapping | None, "a dict of keywords for matplotlib's plot")
    return normalize_kwargs(dict(given or {}), Line2D)


def curve_styles(ax, curves, curve_kwargs, show_aucnpr, reference):
    """The `CurveStyle` of each curve.

    Curves with the same name and kind share a legend entry, unless `curve_kwargs` is a
    list. Curves with the same name share a color. Summaries are drawn in front of the thin
    curves of folds.

    Parameters
    ----------
    ax : matplotlib Axes or None
        The colors and line styles of curves that are already there are skipped.
    curves : list of Curve
    curve_kwargs : None, dict or list of dict
    show_aucnpr : bool
        Whether legend entries show AUCNPR.
    reference : float or None
        The reference prevalence of the curves, for legend entries with an area.
    """
    summed_up = any(curve.summary for curve in curves)
    is_list = isinstance(curve_kwargs, list | tuple)
    entries: dict[tuple, list] = {}  # each legend entry has a list of curves
    for i, curve in enumerate(curves):
        key = (i,) if is_list and not summed_up else (curve.name, curve.curve)
        entries.setdefault(key, []).append(curve)
    given = curve_kwargs if is_list else [curve_kwargs] * len(entries)
    if len(given) != len(entries):
        raise ValueError(
            "`curve_kwargs` must be a dict or a list of one dict per "
            f"{'summary' if summed_up else 'curve'}, {len(entries)}. Got {len(given)}."
        )
    n_before = 0 if ax is None else sum(map(_is_curve, ax.lines))
    names = list(dict.fromkeys(name for name, *_ in entries))
    styles = {}
    for n, ((name, *_), members) in enumerate(entries.items()):
        shown = [curve for curve in members if curve.summary] or members
        style = {
            "color": COLORS[(n_before + names.index(name)) % len(COLORS)],
            "linestyle": LINE_STYLES[(n_before + n) % len(LINE_STYLES)],
            "linewidth": 2.4 if shown[0].summary else 1.8 if len(members) == 1 else 1.2,
            "label": _entry_label(shown, len(members) - len(shown), show_aucnpr, reference),
            **check_keywords(given[n], "curve_kwargs"),
        }
        unlabeled = style | {"label": NO_LABEL}
        for curve in members:
            if curve in shown:
                styles[curve] = CurveStyle(unlabeled, None)
            else:
                styles[curve] = CurveStyle(unlabeled | _FOLD_STYLE, "Single folds")
        styles[shown[0]] = CurveStyle(style, None)
    return [styles[curve] for curve in curves]


def _is_curve(line):
    """Whether a line is a curve, whose color a new curve on the axes must not have."""
    return line.get_label() != NO_LABEL and str(line.get_color()) in COLORS


def _entry_label(shown, n_folds, show_aucnpr, reference):
    """Legend text of curves that share one entry, or of the summary of `n_folds` folds."""
    first = shown[0]
    names = [first.name] if first.name else []
    if n_folds:
        mean = "mean" if names else "Mean"  # a capital letter begins an entry
        names.append(f"{mean} of {n_folds} folds" if n_folds > 1 else "1 fold")
    values = []
    for text, field in _AREAS.items():
        areas = [getattr(curve, field) for curve in shown]
        if None not in areas and (show_aucnpr or field != "aucnpr"):
            values.append(f"{text} = {mean_and_spread(areas)}")
            if len(shown) == 1 and field == "auc_pr" and first.interval is not None:
                values.append("95 % CI {:.2f} to {:.2f}".format(*first.interval))
    if values and reference is not None:
        values.append(f"at prevalence {reference:.3g}")
    name, text = ", ".join(names), ", ".join(values)
    if text and first.curve == "achievable":
        text = f"achievable {text}"
    one_line = f"{name} ({text})" if name and text else name or text
    if len(one_line) > WIDTH:
        one_line = "\n".join([*textwrap.wrap(name, WIDTH), text]).strip()
    return legend_text(one_line) or None


def legend_text(text):
    """The literal text with a space before a first underscore, which legends would hide."""
    return literal(f" {text}" if text.startswith("_") else text)


def literal(text):
    """The text with dollars escaped, so that matplotlib reads no formula in it."""
    return text.replace("$", r"\$")


def mean_and_spread(values):
    """One value, or the mean and the standard deviation of several, as text."""
    spread = f" +/- {np.std(values):.2f}" if len(values) > 1 else ""
    return f"{np.mean(values):.2f}{spread}"
