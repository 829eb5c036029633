"""Artists of a display; matplotlib is imported only when something is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from .._input.options import check_type
from ._drawn import (
    BAND_LABELS,
    drawn_points,
    entry_label,
    literal,
    minimum_line,
    text_of_band,
    text_of_level,
)

# Six colors are those of Okabe and Ito that stand out from white and from black. The other
# four are at least as distinct from the six and from each other, also for color-blind
# readers. Together with three line styles, no pair of color and line style repeats within
# 30 curves.
COLORS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"),
    *("#AA2266", "#774411", "#9966FF", "#5500EE"),
)
LINE_STYLES = ("-", "--", "-.")  # the dotted line is left for chance levels
# matplotlib leaves artists with this label out of a legend, even if a list of labels is
# passed to `ax.legend`. So only the curves of a display have other labels.
NO_LABEL = "_nolegend_"
# The curve of a fold behind the summary has this style.
_FOLD_STYLE = {"linewidth": 0.7, "alpha": 0.6, "linestyle": "-", "zorder": 1.8}
# Minimum curves and chance levels have these legend texts and line styles.
_LEVELS = {
    "minimum": ("Minimum curve", ("-", (0, (8, 2)), (0, (8, 2, 2, 2)))),
    "chance": ("Chance level", (":", (0, (1, 4)), (0, (3, 3, 1, 3)))),
}
# This text tells the hatched region from other artists; the legend shows the region beside
# its minimum curve.
_REGION = "_Unachievable region"
# A new figure without its legend has this height, relative to its width.
_HEIGHT = 0.8
# A legend of two columns leaves this many inches free at the sides of the figure.
_MARGIN = 0.45


def check_place(ax, legend=True):
    """Raise ImportError without matplotlib, TypeError for a wrong `ax` or `legend`."""
    try:
        from matplotlib.axes import Axes
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(
            "A display needs matplotlib to draw. Install it: "
            'pip install "sklearn-achievable-pr[plot]".'
        ) from error
    an_axes = "a matplotlib Axes, e.g. from plt.subplots(), or None for a new figure; of "
    check_type(ax, "ax", Axes | None, f"{an_axes}several pass one, e.g. ax[0]")
    if isinstance(legend, bool):
        return
    check_type(legend, "legend", Mapping, "True, False or a dict of keywords")
    try:
        Figure().subplots().legend(**{"handles": []} | legend)
    except (TypeError, ValueError) as error:
        raise type(error)(
            "`legend` must be True, False or a dict of keywords for matplotlib's legend, "
            f"e.g. {{'loc': 'lower left'}}. Got {legend!r}: {error}."
        ) from error


def new_axes(**options):
    """Axes of a new figure that is laid out for their labels; options of `plt.subplots`."""
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained", **options)[1]


def _described(artist, text):
    """A helper artist without a label, with this text in the legend of the display."""
    artist.set_label(NO_LABEL)
    artist._achievable_pr_text = text  # matplotlib keeps the attribute, also in pickles
    return artist


def _text_of(artist):
    """The text of a helper artist in the legend; None for other artists."""
    # An artist whose label the user changed later is not a helper.
    is_helper = artist.get_label() == NO_LABEL
    return getattr(artist, "_achievable_pr_text", None) if is_helper else None


def _helpers(ax):
    """The first helper artist of the axes with each text, by text."""
    by_text: dict[str | None, Any] = {}
    for artist in (*ax.lines, *ax.collections):
        by_text.setdefault(_text_of(artist), artist)
    return {text: artist for text, artist in by_text.items() if text is not None}


def _handle(ax, artist):
    """What the legend shows for an artist, which is the artist but for two exceptions.

    Bands of several colors share an entry, which has none of these colors. The minimum
    curve of the lowest prevalence is shown with the hatched region below it.
    """
    text, region = _text_of(artist), _helpers(ax).get(_REGION)
    if text and text.startswith(tuple(BAND_LABELS.values())):
        bands = [each for each in ax.collections if _text_of(each) == text]
        if len({tuple(band.get_facecolor()[0]) for band in bands}) > 1:
            from matplotlib.patches import Patch

            return Patch(facecolor=(neutral(ax), 0.3))
    if region is not None and region._achievable_pr_edge is artist:
        return region, artist
    return artist


def _line(ax, x, y, **style):
    """A helper line through points; one that the axes have already is not drawn again."""
    for line in ax.lines:
        # Curves and lines of the user are not helpers.
        is_helper = line.get_label() == NO_LABEL
        if is_helper and np.array_equal(line.get_xydata(), np.column_stack((x, y))):
            return line
    return ax.plot(x, y, **style, label=NO_LABEL)[0]


def one_or_list(artists):
    """A single artist, a list of several artists, or None without artists."""
    return artists[0] if len(artists) == 1 else artists or None


def neutral(ax):
    """The color of the axis labels, which contrasts with the background."""
    return ax.xaxis.label.get_color()


# Styles of curves


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
    entries = _by_entry(curves, is_list and not summed_up)
    given = curve_kwargs if is_list else [curve_kwargs] * len(entries)
    if len(given) != len(entries):
        raise ValueError(
            "`curve_kwargs` must be a dict or a list of one dict per "
            f"{'summary' if summed_up else 'curve'}, {len(entries)}. Got {len(given)}."
        )
    n_before = 0 if ax is None else sum(map(_is_curve, ax.lines))
    names = list(dict.fromkeys(name for name, _ in entries))
    styles: dict[Any, dict] = {}
    for n, ((name, _), members) in enumerate(entries.items()):
        look: dict[str, Any] = {
            "color": COLORS[(n_before + names.index(name)) % len(COLORS)],
            "linestyle": LINE_STYLES[(n_before + n) % len(LINE_STYLES)],
        }
        # The summary of folds stands for them in the legend.
        shown = [curve for curve in members if curve.summary] or members
        n_folds = len(members) - len(shown)
        is_summary, is_alone = shown[0].summary, len(shown) == 1
        look["linewidth"] = 2.4 if is_summary else 1.8 if is_alone else 1.2
        look["label"] = entry_label(shown, n_folds, show_aucnpr, reference)
        look |= check_keywords(given[n], "curve_kwargs")
        styles |= _styles_of_entry(members, shown, look)
    return [styles[curve] for curve in curves]


def _by_entry(curves, one_each):
    """Dict from a name and a kind, or a number and a kind, to the curves of an entry."""
    entries: dict[tuple, list] = {}
    for i, curve in enumerate(curves):
        key = i if one_each else curve.name, curve.curve
        entries.setdefault(key, []).append(curve)
    return entries


def _styles_of_entry(members, shown, look):
    """The `CurveStyle` of each curve of an entry, of which the first shown has the label.

    Folds behind a summary are thin, and have an entry of their own.
    """
    unlabeled = look | {"label": NO_LABEL}
    styles = {c: CurveStyle(unlabeled | _FOLD_STYLE, "Single folds") for c in members}
    styles |= {curve: CurveStyle(unlabeled, None) for curve in shown}
    return styles | {shown[0]: CurveStyle(look, None)}


def _is_curve(line):
    """Whether a line is a curve, whose color a new curve on the axes must not have."""
    return line.get_label() != NO_LABEL and str(line.get_color()) in COLORS


# Artists of a curve


class CurveArtists(NamedTuple):
    """The artists of all curves of a display, by kind."""

    lines: list[Any]
    bands: list[Any]
    threshold_marks: list[Any]
    predicted_points: list[Any]


def draw_curves(ax, curves, styles, mark_thresholds):
    """Draw the curves, each in its `CurveStyle`; returns the `CurveArtists`."""
    drawn = CurveArtists([], [], [], [])
    for curve, style in zip(curves, styles, strict=True):
        recall, precision, _ = drawn_points(curve)
        (line,) = ax.plot(recall, precision, **style.line)
        if style.helper_text is not None:
            _described(line, style.helper_text)
        drawn.lines.append(line)
        color = style.line["color"]
        if curve.band is not None:
            fill = {"facecolor": (color, 0.3), "linewidth": 0, "zorder": 1.6}
            band = ax.fill_between(*curve.band, **fill)
            drawn.bands.append(_described(band, text_of_band(curve)))
        is_tuned = curve.predicted_point is not None
        mark = {"color": color, "linestyle": "none", "zorder": line.get_zorder()}
        if mark_thresholds and not curve.summary:
            ring = mark | {"markersize": 5, "markerfacecolor": ax.get_facecolor()}
            at = ~np.isnan(curve.thresholds)
            (marks,) = ax.plot(curve.recall[:-1][at], curve.precision[:-1][at], "o", **ring)
            text = "Thresholds of the tuning set" if is_tuned else "Thresholds"
            drawn.threshold_marks.append(_described(marks, text))
        if is_tuned:
            precision, recall = curve.predicted_point
            (star,) = ax.plot(recall, precision, "*", markersize=14, **mark)
            drawn.predicted_points.append(_described(star, "Operating point"))
    return drawn


# Artists that the curves of the axes share


def draw_levels(ax, role, prevalences, keywords):
    """Draw one line per prevalence, with one legend entry; lines drawn before are kept."""
    name, line_styles = _LEVELS[role]
    if role == "minimum":
        points = [minimum_line(pi) for pi in prevalences]
    else:
        points = [((0.0, 1.0), (pi, pi)) for pi in prevalences]
    n_before = sum(text.startswith(name) for text in _helpers(ax))
    style = {
        "color": neutral(ax),
        "linewidth": 1.2,
        "alpha": 0.8 if len(prevalences) == 1 else 0.4,
        "linestyle": line_styles[n_before % len(line_styles)],
        "zorder": 1.5,
        **keywords,
    }
    text = str(style.pop("label", f"{name} ({text_of_level(role, prevalences)})"))
    return [_described(_line(ax, *each, **style), text) for each in points]


def draw_unachievable(ax, prevalence, minimum):
    """Hatch the region below the lowest minimum curve of the axes, the line `minimum`."""
    if (region := _helpers(ax).get(_REGION)) is not None:
        # The highest precision of the region is its prevalence, up to rounding.
        if region.get_paths()[0].vertices[:, 1].max() <= prevalence * (1 + 1e-9):
            return region
        region.remove()  # curves at the new prevalence may lie in the old region
    color = neutral(ax)
    style: dict[str, Any] = {"facecolor": (color, 0.08), "edgecolor": (color, 0.35)}
    style |= {"hatch": "///", "linewidth": 0, "zorder": 0.5}
    region = _described(ax.fill_between(*minimum_line(prevalence), **style), _REGION)
    region._achievable_pr_edge = minimum  # the line shares a legend entry with the region
    return region


def draw_iso_f1(ax):
    """Draw lines of equal F1 score, each with its value beside the axes."""
    style = {"linewidth": 0.8, "linestyle": (0, (1, 3)), "alpha": 0.8, "zorder": 1.0}
    style["color"] = neutral(ax)
    text = {
        "label": NO_LABEL,
        "va": "center",
        "fontsize": "small",
        "annotation_clip": False,
    }
    lines = []
    for level in (0.2, 0.4, 0.6, 0.8):
        end = level / (2 - level)  # this is the precision at recall 1
        # The line is (2 recall - F1) (2 precision - F1) = F1^2, symmetric in both.
        recall = level / 2 * (1 + np.geomspace(end, 1 / end, 400))
        n_before = len(ax.lines)
        lines.append(_line(ax, recall, recall[::-1], **style))
        if len(ax.lines) > n_before:
            ax.annotate(f"F1 = {level}", (1.02, end), **text)
    return lines


# Axes and legend


def finish(ax, pos_label, despine, legend, *, is_new):
    """Set axis labels, limits and spines, and draw the legend."""
    positive = "" if pos_label is None else literal(f" (Positive label: {pos_label})")
    limits = (-0.01, 1.01)
    ax.set(xlim=limits, ylim=limits, aspect="equal")
    ax.set(xlabel="Recall" + positive, ylabel="Precision" + positive)
    if despine:
        ax.spines[["top", "right"]].set_visible(False)
        ax.spines[["bottom", "left"]].set_bounds(0, 1)
    handles, labels = ax.get_legend_handles_labels()
    entries = [*zip(handles, labels, strict=True)]
    helpers = _helpers(ax).items()
    entries += [(artist, text) for text, artist in helpers if not text.startswith("_")]
    # Entries are sorted by zorder: curves, folds, bands, minimum curves. Some artists of
    # the caller have no zorder.
    entries = sorted(entries, key=lambda entry: -getattr(entry[0], "zorder", 2))
    entries = [(_handle(ax, artist), text) for artist, text in entries]
    draw_legend(ax, entries, legend, is_new=is_new)


def draw_legend(ax, entries, legend, *, is_new):
    """Draw the legend of `entries`, pairs of an artist and its text.

    It lies below new axes, whose figure grows, or inside axes of the caller. A legend below
    the axes stays there when a second display is drawn. A dict `legend` is for matplotlib's
    `legend`, which then places it.
    """
    if not entries or legend is False:
        return
    own = {} if legend is True else {**legend}
    style: dict[str, Any] = {"handlelength": 2.4}
    old = ax.get_legend()
    if "handles" not in own:
        style |= dict(zip(("handles", "labels"), zip(*entries, strict=True), strict=True))
    is_below = is_new or (old and old.get_window_extent().y1 < ax.bbox.y0)
    if legend is not True or not is_below:
        style |= {"loc": "best", "fontsize": "x-small"}
        ax.legend(**style | own)
        return
    from matplotlib.transforms import ScaledTranslation

    figure = ax.figure
    style |= {"loc": "upper center", "columnspacing": 1, "frameon": False}
    # The depth of the tick labels and of the label of the axis, which has several lines.
    depth = ax.bbox.y0 - ax.xaxis.get_tightbbox().y0
    below_axis = ScaledTranslation(0, -depth / figure.dpi, figure.dpi_scale_trans)
    style |= {"bbox_to_anchor": (0.5, 0), "bbox_transform": ax.transAxes + below_axis}
    for n_columns, font in ((2, "small"), (2, "x-small"), (1, "small")):
        below = ax.legend(**style, ncols=n_columns, fontsize=font)
        size = below.get_window_extent().size / figure.dpi
        if size[0] < figure.get_figwidth() - _MARGIN:
            break
    figure.set_figheight(_HEIGHT * figure.get_figwidth() + size[1])
    figure.draw_without_rendering()  # after a change of height the layout needs two passes
