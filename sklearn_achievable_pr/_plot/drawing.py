"""Artists of a display; matplotlib is imported only when something is drawn."""

from __future__ import annotations

import numpy as np

from .._metrics.minimum import lowest_area
from .._roc.curve import PLOT_TOLERANCE, interpolated_evenly, precision_of
from .styles import BAND_LABELS, FOLDS_LABEL, mean_and_spread

# Legend text and line style of minimum curves and chance levels.
_LEVELS = {
    "minimum": ("Minimum curve", ("-", (0, (8, 2)), (0, (8, 2, 2, 2)))),
    "chance": ("Chance level", (":", (0, (1, 4)), (0, (3, 3, 1, 3)))),
}
_F1_LEVELS = (0.2, 0.4, 0.6, 0.8)
# Height of a new figure without its legend, relative to the width.
_HEIGHT = 0.8
# Distance in points between the axes and the legend below them.
_LEGEND_OFFSET = (-42, -42)
# Inches left free at the sides of the figure by a legend of two columns.
_MARGIN = 0.45


def check_axes(ax):
    """Raise ImportError without matplotlib, TypeError if `ax` is neither Axes nor None."""
    try:
        from matplotlib.axes import Axes
    except ImportError as error:
        raise ImportError(
            "A display needs matplotlib to draw. Install it: "
            'pip install "sklearn-achievable-pr[plot]".'
        ) from error
    if not isinstance(ax, Axes | None):
        raise TypeError(
            "`ax` must be a matplotlib Axes, e.g. from plt.subplots(), or None for a new "
            f"figure; of several pass one, e.g. ax[0]. Got {ax!r}."
        )


def new_axes():
    """Axes in a new figure whose height grows with the legend."""
    import matplotlib.pyplot as plt

    _, ax = plt.subplots(layout="constrained")
    return _keep(ax, "axes", None)


def _keep(artist, role, value):
    """Store the role of an artist, so that a later display on the same axes finds it.

    `value` is the prevalence or the F1 score of a line, or the artist itself.
    """
    artist._achievable_pr = role, value
    return artist


def drawn(ax, role):
    """Artists with this role on the axes, keyed by the value passed to `_keep`."""
    kept = [artist for artist in ax.get_children() if hasattr(artist, "_achievable_pr")]
    roles = ((artist, *artist._achievable_pr) for artist in kept)
    return {value: artist for artist, found, value in roles if found == role}


def one_or_list(artists):
    """A single artist, a list of several artists, or None without artists."""
    return artists[0] if len(artists) == 1 else artists or None


def neutral(ax):
    """The colour of the axis labels, which contrasts with the background."""
    return ax.xaxis.label.get_color()


# Artists of a curve


def draw_curves(ax, curves, styles, band_kind, mark_thresholds):
    """Draw the curves; returns lines, bands, marks of thresholds, operating points."""
    lines, bands, marks, points = [], [], [], []
    for curve, style in zip(curves, styles, strict=True):
        xy = curve.recall[::-1], curve.precision[::-1]
        # The points of a summary of several ROC curves are dense enough.
        (line,) = ax.plot(*(xy if curve.summary else _polyline(*xy)), **style)
        lines.append(line)
        if style["label"] not in (None, FOLDS_LABEL):
            _keep(line, "curve", line)
        if curve.band is not None:
            fill = {"facecolor": (style["color"], 0.3), "linewidth": 0, "zorder": 1.6}
            fill["label"] = None if bands else BAND_LABELS[band_kind]
            bands.append(ax.fill_between(*curve.band, **fill))
        tuned, zorder = curve.operating_point is not None, line.get_zorder()
        mark = {"color": style["color"], "linestyle": "none", "zorder": zorder}
        if mark_thresholds and not curve.summary:
            label = "Thresholds of the tuning set" if tuned else "Thresholds"
            ring = mark | {"marker": "o", "label": None if marks else label}
            ring |= {"markersize": 5, "markerfacecolor": ax.get_facecolor()}
            at = ~np.isnan(curve.thresholds)
            marks += ax.plot(curve.recall[:-1][at], curve.precision[:-1][at], **ring)
        if tuned:
            mark["label"] = None if points else "Operating point"
            points += ax.plot(*curve.operating_point[::-1], "*", markersize=14, **mark)
    return [one_or_list(artists) for artists in (lines, bands, marks, points)]


def _polyline(recall, precision):
    """Recall and precision of a curve, with enough points to look like a curve."""
    inner = recall > 0
    t, f = recall[inner], recall[inner] * (1 - precision[inner]) / precision[inner]
    if not inner.all():
        # A precision of 0 at recall 0 means that negatives come first.
        t = np.append(0.0, t)
        f = np.append(f[0] if 0 in precision[~inner] else 0.0, f)
    f, t, _ = interpolated_evenly(f, t, PLOT_TOLERANCE)
    return t, precision_of(f, t)


# Artists that the curves of the axes share


def _minimum_line(prevalence):
    """Recall and precision of the minimum curve, the curve of the worst ranking."""
    return _polyline(np.array([0.0, 1.0]), np.array([0.0, prevalence]))


def draw_levels(ax, role, prevalences, keywords):
    """Draw one line per prevalence, with one legend entry; lines drawn before are kept."""
    found = drawn(ax, role)
    name, line_styles = _LEVELS[role]
    is_minimum = role == "minimum"
    areas = [lowest_area(pi) if is_minimum else pi for pi in prevalences]
    style = {
        "color": neutral(ax),
        "linewidth": 1.2,
        "alpha": 0.8 if len(prevalences) == 1 else 0.4,
        "linestyle": line_styles[len(found) % len(line_styles)],
        "label": f"{name} (AUC-PR = {mean_and_spread(areas)})",
        "zorder": 1.5,
        **keywords,
    }
    for pi in prevalences:
        if pi not in found:
            points = _minimum_line(pi) if is_minimum else ((0.0, 1.0), (pi, pi))
            found[pi] = _keep(*ax.plot(*points, **style), role, pi)
            style["label"] = None
    return one_or_list([found[pi] for pi in prevalences])


def draw_unachievable(ax, prevalence, label):
    """Hatch the region below the lowest minimum curve of the axes."""
    for lowest, region in drawn(ax, "unachievable").items():
        if lowest <= prevalence:
            return region
        region.remove()  # curves at the new prevalence may lie in the old region
    colour = neutral(ax)
    style = {"facecolor": (colour, 0.08), "edgecolor": (colour, 0.35), "hatch": "///"}
    style |= {"linewidth": 0, "label": label, "zorder": 0.5}
    fill = ax.fill_between(*_minimum_line(prevalence), **style)
    return _keep(fill, "unachievable", prevalence)


def draw_iso_f1(ax):
    """Draw lines of equal F1 score, each with its value beside the axes."""
    style = {"linewidth": 0.8, "linestyle": (0, (1, 3)), "alpha": 0.8, "zorder": 1.0}
    text = {"va": "center", "fontsize": "small", "annotation_clip": False}
    lines = drawn(ax, "f1")
    for level in _F1_LEVELS:
        if level not in lines:
            half = np.linspace(level, 1.0, 200)
            other = level * half / (2 * half - level)  # symmetric in both
            recall, precision = np.append(other[::-1], half), np.append(half[::-1], other)
            (line,) = ax.plot(recall, precision, color=neutral(ax), **style)
            lines[level] = _keep(line, "f1", level)
            ax.annotate(f"F1 = {level}", (1.02, level / (2 - level)), **text)
    return list(lines.values())


# Axes and legend


def finish(ax, pos_label, *, despine):
    """Set axis labels, limits and spines, and draw the legend."""
    positive = "" if pos_label is None else f" (Positive label: {pos_label})"
    limits = (-0.01, 1.01)
    ax.set(xlim=limits, ylim=limits, aspect="equal")
    ax.set(xlabel="Recall" + positive, ylabel="Precision" + positive)
    if despine:
        ax.spines[["top", "right"]].set_visible(False)
        ax.spines[["bottom", "left"]].set_bounds(0, 1)
    handles, _ = ax.get_legend_handles_labels()
    # In the order of curves, folds, bands and minimum curves. Some artists of the caller
    # have no zorder.
    draw_legend(ax, sorted(handles, key=lambda each: -getattr(each, "zorder", 2)))


def draw_legend(ax, handles):
    """Draw the legend below new axes, whose figure grows, or inside axes of the caller."""
    if not handles:
        return
    style = {"handles": handles, "handlelength": 2.4}
    if not hasattr(ax, "_achievable_pr"):
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
    figure.draw_without_rendering()  # after a change of height the layout needs two passes
