"""Artists of a display; matplotlib is imported only when something is drawn."""

from __future__ import annotations

import numpy as np

from .._input.options import check_type
from .._roc.curve import PLOT_TOLERANCE, interpolated_evenly, precision_of
from ..metrics._unachievable import lowest_area
from ._styles import BAND_LABELS, FOLDS_LABEL, literal, mean_and_spread

# Legend text and line style of minimum curves and chance levels.
_LEVELS = {
    "minimum": ("Minimum curve", ("-", (0, (8, 2)), (0, (8, 2, 2, 2)))),
    "chance": ("Chance level", (":", (0, (1, 4)), (0, (3, 3, 1, 3)))),
}
# matplotlib leaves a label with an underscore out of the legend.
_REGION = "_Unachievable region"
# Height of a new figure without its legend, relative to the width.
_HEIGHT = 0.8
# Inches left free at the sides of the figure by a legend of two columns.
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


def _new(ax, label):
    """A label for the legend; None if an artist of the axes has it already."""
    return None if label in ax.get_legend_handles_labels()[1] else label


def _line(ax, x, y, **style):
    """A line through points; a line that the axes have through them is not drawn again."""
    for line in ax.lines:
        if np.array_equal(line.get_xydata(), np.column_stack((x, y))):
            return line
    return ax.plot(x, y, **style)[0]


def one_or_list(artists):
    """A single artist, a list of several artists, or None without artists."""
    return artists[0] if len(artists) == 1 else artists or None


def neutral(ax):
    """The color of the axis labels, which contrasts with the background."""
    return ax.xaxis.label.get_color()


# Artists of a curve


def draw_curves(ax, curves, styles, mark_thresholds):
    """Draw the curves; returns lines, bands, marks of thresholds, predicted points."""
    lines, bands, marks, points = [], [], [], []
    for curve, style in zip(curves, styles, strict=True):
        if style["label"] == FOLDS_LABEL:
            style["label"] = _new(ax, FOLDS_LABEL)
        lines += ax.plot(*drawn_points(curve)[:2], **style)
        if curve.band is not None:
            fill = {"facecolor": (style["color"], 0.3), "linewidth": 0, "zorder": 1.6}
            fill["label"] = _new(ax, BAND_LABELS[curve.band_kind])
            bands.append(ax.fill_between(*curve.band, **fill))
        tuned, zorder = curve.predicted_point is not None, lines[-1].get_zorder()
        mark = {"color": style["color"], "linestyle": "none", "zorder": zorder}
        if mark_thresholds and not curve.summary:
            label = "Thresholds of the tuning set" if tuned else "Thresholds"
            ring = mark | {"marker": "o", "label": _new(ax, label)}
            ring |= {"markersize": 5, "markerfacecolor": ax.get_facecolor()}
            at = ~np.isnan(curve.thresholds)
            marks += ax.plot(curve.recall[:-1][at], curve.precision[:-1][at], **ring)
        if tuned:
            mark["label"] = _new(ax, "Operating point")
            points += ax.plot(*curve.predicted_point[::-1], "*", markersize=14, **mark)
    return [one_or_list(artists) for artists in (lines, bands, marks, points)]


def drawn_points(curve):
    """Recall, precision and threshold of the points of a line, by increasing recall.

    The threshold is NaN at recall 0, at interpolated points, and where it is unknown.
    """
    recall, precision = curve.recall[::-1], curve.precision[::-1]
    threshold = np.full(len(recall), np.nan)
    if curve.thresholds is not None:
        threshold[1:] = curve.thresholds[::-1]
    # The points of a summary of several ROC curves are dense enough.
    if curve.summary:
        return recall, precision, threshold
    recall, precision, index = _polyline(recall, precision)
    return recall, precision, np.where(index < 0, np.nan, threshold[index])


def _polyline(recall, precision):
    """Recall and precision of a curve, with enough points to look like a curve.

    The third array has the index of each point in `recall`, and -1 for a new point.
    """
    inner = recall > 0
    t, f = recall[inner], recall[inner] * (1 - precision[inner]) / precision[inner]
    place = np.flatnonzero(inner)
    if not inner.all():
        place = np.append(0, place)
        # A precision of 0 at recall 0 means that negatives come first.
        t = np.append(0.0, t)
        f = np.append(f[0] if 0 in precision[~inner] else 0.0, f)
    f, t, index = interpolated_evenly(f, t, PLOT_TOLERANCE)
    return t, precision_of(f, t), np.where(index < 0, -1, place[index])


# Artists that the curves of the axes share


def _minimum_line(prevalence):
    """Recall and precision of the minimum curve, the curve of the worst ranking."""
    return _polyline(np.array([0.0, 1.0]), np.array([0.0, prevalence]))[:2]


def draw_levels(ax, role, prevalences, keywords):
    """Draw one line per prevalence, with one legend entry; lines drawn before are kept."""
    name, line_styles = _LEVELS[role]
    is_minimum = role == "minimum"
    areas = lowest_area(prevalences) if is_minimum else prevalences
    n_before = sum(text.startswith(name) for text in ax.get_legend_handles_labels()[1])
    style = {
        "color": neutral(ax),
        "linewidth": 1.2,
        "alpha": 0.8 if len(prevalences) == 1 else 0.4,
        "linestyle": line_styles[n_before % len(line_styles)],
        "label": f"{name} (AUC-PR = {mean_and_spread(areas)})",
        "zorder": 1.5,
        **keywords,
    }
    lines = []
    for pi in prevalences:
        points = _minimum_line(pi) if is_minimum else ((0.0, 1.0), (pi, pi))
        lines.append(_line(ax, *points, **style | {"label": _new(ax, style["label"])}))
    return one_or_list(lines)


def draw_unachievable(ax, prevalence):
    """Hatch the region below the lowest minimum curve of the axes."""
    for region in ax.collections:
        if region.get_label() == _REGION:
            # Its highest precision is its prevalence, up to rounding.
            if region.get_paths()[0].vertices[:, 1].max() <= prevalence * (1 + 1e-9):
                return region
            region.remove()  # curves at the new prevalence may lie in the old region
    color = neutral(ax)
    style = {"facecolor": (color, 0.08), "edgecolor": (color, 0.35), "hatch": "///"}
    style |= {"linewidth": 0, "zorder": 0.5, "label": _REGION}
    return ax.fill_between(*_minimum_line(prevalence), **style)


def draw_iso_f1(ax):
    """Draw lines of equal F1 score, each with its value beside the axes."""
    style = {"linewidth": 0.8, "linestyle": (0, (1, 3)), "alpha": 0.8, "zorder": 1.0}
    text = {"va": "center", "fontsize": "small", "annotation_clip": False}
    lines = []
    for level in (0.2, 0.4, 0.6, 0.8):
        end = level / (2 - level)  # the precision at recall 1
        # The line is (2 recall - F1) (2 precision - F1) = F1^2, symmetric in both.
        recall = level / 2 * (1 + np.geomspace(end, 1 / end, 400))
        n_before = len(ax.lines)
        lines.append(_line(ax, recall, recall[::-1], color=neutral(ax), **style))
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
    handles, _ = ax.get_legend_handles_labels()
    # In the order of curves, folds, bands and minimum curves. Some artists of the caller
    # have no zorder.
    handles = sorted(handles, key=lambda each: -getattr(each, "zorder", 2))
    draw_legend(ax, handles, legend, is_new=is_new)


def draw_legend(ax, handles, legend, *, is_new):
    """Draw the legend: below new axes, whose figure grows, or inside axes of the caller.

    A legend below the axes stays there when a second display is drawn. A dict `legend` is
    for matplotlib's `legend`, which then places it.
    """
    if not handles or legend is False:
        return
    style, old = {"handles": handles, "handlelength": 2.4}, ax.get_legend()
    is_below = is_new or (old and old.get_window_extent().y1 < ax.bbox.y0)
    if legend is not True or not is_below:
        style |= {"loc": "best", "fontsize": "x-small"}
        ax.legend(**style | ({} if legend is True else {**legend}))
        return
    figure = ax.figure
    style |= {"loc": "upper center", "bbox_to_anchor": (0.5, 0), "borderaxespad": 5}
    style |= {"columnspacing": 1, "frameon": False}
    for n_columns, font in ((2, "small"), (2, "x-small"), (1, "small")):
        below = ax.legend(**style, ncols=n_columns, fontsize=font)
        size = below.get_window_extent().size / figure.dpi
        if size[0] < figure.get_figwidth() - _MARGIN:
            break
    figure.set_figheight(_HEIGHT * figure.get_figwidth() + size[1])
    figure.draw_without_rendering()  # after a change of height the layout needs two passes
