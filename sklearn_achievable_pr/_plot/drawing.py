"""Styles and artists: what a display knows, drawn on matplotlib's axes.

Nothing is measured here. What has too few points for the eye gets more between them.
matplotlib is imported when a picture is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .._roc.curve import PLOT_TOLERANCE, interpolated_evenly, precision_of
from .legend import GID, THIN, draw_legend, label_of, mean_and_spread

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Columns of recall in which a long curve keeps its first, last, lowest and highest point.
_N_COLUMNS = 2000
# Okabe and Ito's colours that stand out from white and from black; with seven line
# styles no pair of the two repeats within 42 curves.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_LINE_STYLES: tuple[Any, ...] = (
    "-",
    "--",
    "-.",
    (0, (6, 1, 1, 1, 1, 1)),
    (0, (2, 1)),
    (0, (9, 3)),
    (0, (4, 1, 4, 1, 1, 1)),
)
_F1_LEVELS = (0.2, 0.4, 0.6, 0.8)
_ALIASES = {
    "ls": "linestyle",
    "c": "color",
    "lw": "linewidth",
    "ms": "markersize",
    "mec": "markeredgecolor",
    "mew": "markeredgewidth",
    "mfc": "markerfacecolor",
    "aa": "antialiased",
    "ds": "drawstyle",
}


def pyplot():
    """The module pyplot, or an error that says how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            "A display needs matplotlib to draw. Install it: "
            'pip install "sklearn-achievable-pr[plot]".'
        ) from error
    return plt


def check_axes(ax):
    """Refuse what is no Axes; None passes."""
    from matplotlib.axes import Axes

    if ax is None or isinstance(ax, Axes):
        return
    got = repr(ax)
    if isinstance(ax, np.ndarray | list | tuple):
        got = "several: pass one of them, e.g. ax[0]"
    raise TypeError(
        "`ax` must be a matplotlib Axes, e.g. from plt.subplots(), or None for a new "
        f"figure. Got {got}."
    )


def check_keywords(given, name):
    """Keywords of matplotlib by their full names, that defaults may be replaced."""
    if not isinstance(given, Mapping | None):
        raise TypeError(
            f"`{name}` must be a dict of keywords for matplotlib's plot. Got {given!r}."
        )
    style = dict(given or {})
    for short, full in _ALIASES.items():
        if short in style:
            if full in style:
                raise TypeError(f"Got both {short!r} and {full!r}, which are the same.")
            style[full] = style.pop(short)
    return style


def new_axes() -> Axes:
    """Axes in a figure with room for the legend beside them."""
    plt = pyplot()
    width, height = plt.rcParams["figure.figsize"]
    _, ax = plt.subplots(figsize=(1.4 * width, height), layout="compressed")
    ax.set_gid(f"{GID}-axes")
    return ax


# Points


def _drawn_points(precision, recall):
    """Recall and precision of the polyline, by rising recall."""
    recall, precision = recall[::-1], precision[::-1]
    inner = recall > 0
    t, f = recall[inner], recall[inner] * (1 - precision[inner]) / precision[inner]
    if not inner.all() and len(t):
        negatives_first = np.any(precision[~inner] == 0)
        t = np.concatenate(([0.0], t))
        f = np.concatenate(([f[0] if negatives_first else 0.0], f))
    f, t, _ = interpolated_evenly(f, t, PLOT_TOLERANCE)
    # The last of `t` is the highest recall given, which need not be 1.
    return _decimated(t, precision_of(f, t))


def _decimated(recall, precision):
    """Of very many points those that show: per column the ends and the extremes."""
    if len(recall) <= 4 * _N_COLUMNS:
        return recall, precision
    column = (recall * _N_COLUMNS).astype(np.int64)
    first = np.flatnonzero(np.diff(column, prepend=-1))
    last = np.append(first[1:], len(column)) - 1
    by_precision = np.lexsort((precision, column))
    kept = np.unique(np.concatenate((first, last, by_precision[first], by_precision[last])))
    return recall[kept], precision[kept]


# Styles


def styles(ax, curves, groups, curve_kwargs):
    """Keywords of `plot` for each curve: no two entries of the axes alike."""
    display, entry = _first_free_numbers(ax)
    separate = isinstance(curve_kwargs, list | tuple)
    # One model's curves are of one colour.
    names = list(dict.fromkeys(curve.name for curve in curves))
    coloured = separate or len(names) > 1
    summed_up = any(curve.summary for curve in curves)
    found = []
    for i, (curve, group) in enumerate(zip(curves, groups, strict=True)):
        members = [c for c, g in zip(curves, groups, strict=True) if g == group]
        model = names.index(curve.name) if summed_up else group if coloured else 0
        colour, line_style = display + model, entry + group
        given = curve_kwargs[group] if separate else curve_kwargs
        style = {
            "label": label_of(members) if _has_entry(curve, members) else None,
            "color": _COLOURS[colour % len(_COLOURS)],
            "linestyle": _LINE_STYLES[line_style % len(_LINE_STYLES)],
            "linewidth": 2.4 if curve.summary else 1.8 if len(members) == 1 else 1.2,
            "alpha": 1.0 if curve.summary or len(members) == 1 else 0.85,
            "zorder": 2.5 if curve.summary else 2,
            **check_keywords(given, "curve_kwargs"),
            "gid": f"{GID}-curve-{colour}-{line_style}-{i}",
        }
        if not curve.summary and any(member.summary for member in members):
            style = {**THIN, "color": style["color"], "gid": f"{GID}-fold-{i}"}
        found.append(style)
    return found


def _has_entry(curve, members):
    """Whether it is this of the curves that share an entry that has it."""
    return curve is next((c for c in members if c.summary), members[0])


def _first_free_numbers(ax):
    """Colour and line style that no curve of an earlier display on the axes has."""
    used = [
        (int(colour), int(entry))
        for gid in (line.get_gid() or "" for line in ([] if ax is None else ax.lines))
        if gid.startswith(f"{GID}-curve-")
        for colour, entry in [gid.split("-")[-3:-1]]
    ]
    return tuple(max(numbers) + 1 for numbers in zip((-1, -1), *used, strict=True))


def _neutral(ax):
    """A colour that stands out from the background of the axes."""
    return ax.xaxis.label.get_color()


# Artists of a curve


def draw_curve(ax, curve, style):
    """The curve as a line."""
    if curve.summary:  # no ROC curve of one classifier: its points are as dense as they are
        recall, precision = _decimated(curve.recall[::-1], curve.precision[::-1])
    else:
        recall, precision = _drawn_points(curve.precision, curve.recall)
    (line,) = ax.plot(recall, precision, **style)
    if curve.summary:
        from matplotlib.patheffects import withStroke

        halo = {"linewidth": line.get_linewidth() + 2, "foreground": ax.get_facecolor()}
        line.set_path_effects([withStroke(**halo)])
    return line


def draw_band(ax, curve, line, what):
    """The band of a curve, in its colour."""
    recall, low, high = curve.band
    fill = ax.fill_between(
        recall,
        low,
        high,
        facecolor=(line.get_color(), 0.22),
        linewidth=0,
        zorder=1.6,
    )
    fill.set_gid(f"{GID}-band-{what or ''}-{len(ax.collections)}")
    return fill


def draw_marks(ax, curve, line):
    """Marks of the thresholds on a curve's line."""
    at = ~np.isnan(curve.thresholds)
    recall, precision = _decimated(
        curve.recall[:-1][at][::-1], curve.precision[:-1][at][::-1]
    )
    (marks,) = ax.plot(
        recall,
        precision,
        linestyle="none",
        marker="o",
        markersize=5,
        markerfacecolor=ax.get_facecolor(),
        markeredgecolor=line.get_color(),
        label="Thresholds" if curve.operating_point is None else "Frozen thresholds",
        gid=f"{GID}-mark-{len(ax.lines)}",
        zorder=line.get_zorder() + 0.1,
    )
    return marks


def draw_operating_point(ax, curve, line):
    """The mark of what the classifier predicts."""
    precision, recall = curve.operating_point
    (point,) = ax.plot(
        [recall],
        [precision],
        linestyle="none",
        marker="*",
        markersize=14,
        markerfacecolor=line.get_color(),
        markeredgecolor=_neutral(ax),
        label="Operating point",
        gid=f"{GID}-mark-{len(ax.lines)}",
        zorder=line.get_zorder() + 0.2,
    )
    return point


# Artists that the curves of the axes share


def draw_minimum(ax, prevalences, areas, style):
    """Minimum curves, one a prevalence, with the areas below them."""
    return _draw_levels(
        ax,
        "minimum",
        prevalences,
        [_floor(pi) for pi in prevalences],
        f"Minimum (AUC-PR = {mean_and_spread(areas)})" if areas else None,
        ("-", (0, (8, 2)), (0, (8, 2, 2, 2))),
        style,
    )


def draw_chance_level(ax, prevalences, style):
    """Chance levels, one a prevalence."""
    return _draw_levels(
        ax,
        "chance",
        prevalences,
        [((0.0, 1.0), (pi, pi)) for pi in prevalences],
        f"Chance level (AUC-PR = {mean_and_spread(prevalences)})" if prevalences else None,
        (":", (0, (1, 4)), (0, (3, 3, 1, 3))),
        style,
    )


def _floor(pi):
    """Recall and precision of the worst ranking: all negatives come first."""
    worst = np.full(2, (1 - pi) / pi), np.array([0.0, 1.0])
    fps, tps, _ = interpolated_evenly(*worst, PLOT_TOLERANCE)
    return tps, precision_of(fps, tps)


def _draw_levels(ax, what, prevalences, points, label, line_styles, style):
    """Neutral lines, one a prevalence, with one entry; those there already are kept."""
    entries = {
        line.get_label()
        for line in ax.lines
        if (line.get_gid() or "").startswith(f"{GID}-{what}-")
        and not line.get_label().startswith("_")
    }
    style = {
        "color": _neutral(ax),
        "linewidth": 1.2,
        "alpha": 0.8 if len(prevalences) == 1 else 0.4,
        "linestyle": line_styles[len(entries) % len(line_styles)],
        "label": label,
        "zorder": 1.5,
        **style,
    }
    artists = []
    for pi, (recall, precision) in zip(prevalences, points, strict=True):
        gid = f"{GID}-{what}-{pi:.12g}"
        found = _already_there(ax.lines, gid)
        if found is None:
            (found,) = ax.plot(recall, precision, **style, gid=gid)
            style["label"] = None
        artists.append(found)
    return one_or_list(artists)


def one_or_list(artists):
    """The artist of one curve, those of several, None for none."""
    if not artists:
        return None
    return artists[0] if len(artists) == 1 else artists


def _already_there(artists: Iterable, gid: str):
    return next((artist for artist in artists if artist.get_gid() == gid), None)


def draw_unachievable(ax, prevalences, areas, *, labelled):
    """The hatched region below the lowest minimum curve of the axes."""
    if not prevalences:
        return None
    pi, start = prevalences[0], f"{GID}-unachievable-"
    for found in ax.collections:
        gid = found.get_gid() or ""
        if gid.startswith(start):
            if float(gid.removeprefix(start)) <= float(f"{pi:.12g}"):
                return found
            found.remove()  # curves of the new prevalence may enter it
            break
    neutral = _neutral(ax)
    fill = ax.fill_between(
        *_floor(pi),
        facecolor=(neutral, 0.08),
        edgecolor=(neutral, 0.35),
        hatch="///",
        linewidth=0,
        label=f"Unachievable (area = {areas[0]:.2f})" if labelled else None,
        zorder=0.5,
    )
    fill.set_gid(f"{start}{pi:.12g}")
    return fill


def draw_iso_f1(ax):
    """Lines of equal F1, each with its value beside the axes."""
    return [
        _already_there(ax.lines, f"{GID}-f1-{level}") or _draw_iso_f1_line(ax, level)
        for level in _F1_LEVELS
    ]


def _draw_iso_f1_line(ax, level):
    # Symmetric in its two arguments: the same points in both directions.
    half = np.linspace(level, 1.0, 200)
    other = level * half / (2 * half - level)
    (line,) = ax.plot(
        np.concatenate((other[::-1], half)),
        np.concatenate((half[::-1], other)),
        color=_neutral(ax),
        linewidth=0.8,
        linestyle=(0, (1, 3)),
        alpha=0.8,
        gid=f"{GID}-f1-{level}",
        zorder=1.0,
    )
    # Beyond the right edge, where neither curves nor legend are.
    ax.annotate(
        f"F1 = {level}",
        (1.01, level / (2 - level)),
        xytext=(4, 0),
        textcoords="offset points",
        verticalalignment="center",
        fontsize="small",
        annotation_clip=False,
    )
    return line


def finish(ax, pos_label, *, despine):
    """Labels, limits, spines and the legend."""
    positive = "" if pos_label is None else f" (Positive label: {pos_label})"
    ax.set(
        xlabel="Recall" + positive,
        ylabel="Precision" + positive,
        xlim=(-0.01, 1.01),
        ylim=(-0.01, 1.01),
        aspect="equal",
    )
    if despine:
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
        for side in ("bottom", "left"):
            ax.spines[side].set_bounds(0, 1)
    draw_legend(ax)
