"""Artists of a display on matplotlib's axes, which is imported when something is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet

import numpy as np

from .display_data import iso_f1_line, minimum_line, polyline
from .styles import BAND_LABELS, LEVELS, mean_and_spread

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

# What each artist of ours is, by which a later display on the axes finds it, and its value:
# a prevalence, an F1, or a legend text.
_ROLES: WeakKeyDictionary[Artist, tuple[str, Any]] = WeakKeyDictionary()
# Axes that were made here, whose figures grow with the legend.
_OWN_AXES: WeakSet[Axes] = WeakSet()
# Order in the legend; other people's artists come after F1 lines.
_ORDER = ("curve", "fold", "band", "mark", "other", "unachievable", "minimum", "chance")
_F1_LEVELS = (0.2, 0.4, 0.6, 0.8)
# Height of a figure made here without its legend, in widths.
_HEIGHT = 0.8
# Points between the corner of the axes and that of the legend below them.
_LEGEND_OFFSET = (-42, -42)
# Inches at the sides of the figure that a legend of two columns leaves free.
_MARGIN = 0.45


def pyplot():
    """The module pyplot, or an error that says how to install it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            "A display needs matplotlib to draw. Install it: "
            'pip install "sklearn-achievable-pr[plot]".'
        ) from error
    return plt


def check_axes(ax):
    """Raise TypeError for anything that is no Axes; None passes."""
    pyplot()
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes | None):
        raise TypeError(
            "`ax` must be a matplotlib Axes, e.g. from plt.subplots(), or None for a new "
            f"figure; of several pass one, e.g. ax[0]. Got {ax!r}."
        )


def new_axes() -> Axes:
    """Axes in a figure that grows with their legend."""
    _, ax = pyplot().subplots(layout="constrained")
    _OWN_AXES.add(ax)
    return ax


def drawn(ax, role):
    """Our artists of a role on the axes by their values."""
    roles = ((artist, _ROLES.get(artist, ("other", None))) for artist in ax.get_children())
    return {value: artist for artist, (found, value) in roles if found == role}


def one_or_list(artists):
    """The artist of one curve, those of several, None for none."""
    if not artists:
        return None
    return artists[0] if len(artists) == 1 else artists


def _keep(artist, role, value):
    _ROLES[artist] = (role, value)
    return artist


def neutral(ax):
    """A colour that stands out from the background of the axes."""
    return ax.xaxis.label.get_color()


# Artists of a curve


def draw_curve(ax, curve, style):
    """The curve as a line; a summary has an outline in the colour of the background."""
    (line,) = ax.plot(*polyline(curve), **style)
    if curve.summary:
        from matplotlib.patheffects import withStroke

        halo = {"linewidth": line.get_linewidth() + 2, "foreground": ax.get_facecolor()}
        line.set_path_effects([withStroke(**halo)])
    if style["label"] is None:
        return _keep(line, "fold", "Single folds" if style["zorder"] < 2 else None)
    return _keep(line, "curve", line)


def draw_band(ax, curve, line, band_kind):
    """The band of a curve, in its colour."""
    colour = line.get_color()
    fill = ax.fill_between(*curve.band, facecolor=(colour, 0.22), linewidth=0, zorder=1.6)
    return _keep(fill, "band", BAND_LABELS[band_kind])


def draw_marks(ax, curve, line):
    """Marks of the thresholds on a curve's line."""
    at = ~np.isnan(curve.thresholds)
    points = curve.recall[:-1][at], curve.precision[:-1][at]
    kept = curve.operating_point is not None
    label = "Thresholds of the tuning set" if kept else "Thresholds"
    return _draw_marks(ax, points, line, label, ("o", 5), ax.get_facecolor())


def draw_operating_point(ax, curve, line):
    """The mark of the precision and recall of a classifier's predictions."""
    precision, recall = curve.operating_point
    label = "Operating point"
    return _draw_marks(
        ax, ([recall], [precision]), line, label, ("*", 14), line.get_color()
    )


def _draw_marks(ax, points, line, label, marker, facecolor):
    (marks,) = ax.plot(
        *points,
        linestyle="none",
        marker=marker[0],
        markersize=marker[1],
        markerfacecolor=facecolor,
        markeredgecolor=line.get_color(),
        label=label,
        zorder=line.get_zorder() + 0.1,
    )
    return _keep(marks, "mark", marks)


# Artists that the curves of the axes share


def draw_levels(ax, role, lines, areas, style):
    """Neutral lines by prevalence, with one legend entry; those drawn before are kept."""
    found = drawn(ax, role)
    name, line_styles = LEVELS[role]
    style = {
        "color": neutral(ax),
        "linewidth": 1.2,
        "alpha": 0.8 if len(lines) == 1 else 0.4,
        "linestyle": line_styles[len(found) % len(line_styles)],
        "label": f"{name} (AUC-PR = {mean_and_spread(areas)})",
        "zorder": 1.5,
        **style,
    }
    artists = []
    for prevalence, points in lines.items():
        key = f"{prevalence:.12g}"
        if key not in found:
            (line,) = ax.plot(*points, **style)
            found[key] = _keep(line, role, key)
            style["label"] = None
        artists.append(found[key])
    return one_or_list(artists)


def draw_unachievable(ax, prevalence, label):
    """The hatched region below the lowest minimum curve of the axes."""
    for lowest, region in drawn(ax, "unachievable").items():
        if lowest <= prevalence:
            return region
        region.remove()  # curves of the new prevalence may enter it
    fill = ax.fill_between(
        *minimum_line(prevalence),
        facecolor=(neutral(ax), 0.08),
        edgecolor=(neutral(ax), 0.35),
        hatch="///",
        linewidth=0,
        label=label,
        zorder=0.5,
    )
    return _keep(fill, "unachievable", prevalence)


def draw_iso_f1(ax):
    """Lines of equal F1, each with its value beside the axes."""
    style = {"linewidth": 0.8, "linestyle": (0, (1, 3)), "alpha": 0.8, "zorder": 1.0}
    lines = drawn(ax, "f1")
    for level in _F1_LEVELS:
        if level not in lines:
            (line,) = ax.plot(*iso_f1_line(level), color=neutral(ax), **style)
            lines[level] = _keep(line, "f1", level)
            ax.annotate(
                f"F1 = {level}",
                (1.02, level / (2 - level)),
                verticalalignment="center",
                fontsize="small",
                annotation_clip=False,
            )
    return list(lines.values())


# Axes and legend


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
    draw_legend(ax, _handles(ax))


def _handles(ax):
    """What the legend shows: marks of one text once, folds and bands by neutral proxies."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles = {}
    for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
        role, _ = _ROLES.get(handle, ("other", None))
        handles[role, label if role == "mark" else handle] = handle
    for label in filter(None, drawn(ax, "fold")):
        style = {"color": neutral(ax), "linewidth": 0.7, "alpha": 0.6}
        handles["fold", label] = Line2D([], [], **style, label=label)
    for label in drawn(ax, "band"):
        handles["band", label] = Patch(facecolor=(neutral(ax), 0.3), label=label)
    return [handles[key] for key in sorted(handles, key=lambda key: _ORDER.index(key[0]))]


def draw_legend(ax, handles):
    """The legend: below axes made here, in a figure that grows; else inside the axes."""
    if not handles:
        return
    style = {"handles": handles, "handlelength": 2.4}
    if ax not in _OWN_AXES:
        ax.legend(**style, loc="best", fontsize="x-small")
        return
    from matplotlib.transforms import offset_copy

    figure, (x, y) = ax.figure, _LEGEND_OFFSET
    corner = offset_copy(ax.transAxes, figure, x=x, y=y, units="points")
    style |= {"loc": "upper left", "bbox_to_anchor": (0, 0), "bbox_transform": corner}
    style |= {"borderaxespad": 0, "columnspacing": 1, "frameon": False}
    for n_columns, font in ((2, "small"), (2, "x-small"), (1, "small")):
        legend = ax.legend(**style, ncols=n_columns, fontsize=font)
        size = legend.get_window_extent().size / figure.dpi
        if size[0] < figure.get_figwidth() - _MARGIN:
            break
    figure.set_figheight(_HEIGHT * figure.get_figwidth() + size[1])
    figure.draw_without_rendering()  # the layout of another height takes two passes
