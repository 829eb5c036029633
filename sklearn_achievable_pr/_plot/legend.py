"""The legend of a display: what its entries say, and a place where it covers no curve."""

from __future__ import annotations

from typing import Any

import numpy as np

# Starts the names that tell this package's artists on an axes from others.
GID = "achievable-pr"
AREA_WORDS = {"empirical": "interpolated", "achievable": "achievable"}
# The names' second words, in the order of the legend; "" is what others drew.
_ORDER = ("curve", "fold", "band", "mark", "f1", "", "unachievable", "minimum", "chance")
# What a band is, by what it is made of.
_BAND_WORDS = {
    None: "Band",
    "pointwise": "95 % band, rows resampled",
    "folds": "95 % band, t interval over folds",
    "resampled": "95 % band, folds and rows resampled",
}
# What a legend inside the axes may lie on.
_BACKGROUND = ("f1", "unachievable", "chance")
# Curves of folds before their summary.
THIN = {"linewidth": 0.7, "alpha": 0.4, "linestyle": "-", "zorder": 1.8}
_PLACES = (
    "lower left",
    "upper right",
    "lower right",
    "upper left",
    "lower center",
    "center left",
    "center right",
    "upper center",
    "center",
)
# Room beside the axes in points, without and with the labels of the F1 lines.
_GAP, _GAP_WITH_F1 = 8, 58
# Axes that would keep less than this part of their size take a smaller font, and they
# never keep less than the second part.
_SMALL, _SMALLEST = 0.65, 0.4


# Entries


def legend_groups(curves, name, curve_kwargs):
    """Number of the legend entry of each curve."""
    summed_up = any(curve.summary for curve in curves)
    keys = [(curve.name if summed_up else None, curve.kind) for curve in curves]
    distinct = list(dict.fromkeys(keys))
    shared = [distinct.index(key) for key in keys]
    n_entries = len(distinct) if summed_up else len(curves)
    if isinstance(curve_kwargs, list | tuple):
        if len(curve_kwargs) != n_entries:
            raise ValueError(
                "`curve_kwargs` must be a dict or a list of one dict a "
                f"{'summary' if summed_up else 'curve'}, {n_entries}. Got "
                f"{len(curve_kwargs)}."
            )
        return shared if summed_up else list(range(len(curves)))
    if isinstance(name, list | tuple) and not summed_up:
        return list(range(len(curves)))
    return shared


def label_of(curves):
    """Legend text of curves that share one entry: of one, of folds, or of their summary."""
    folds = [curve for curve in curves if not curve.summary]
    shown = [curve for curve in curves if curve.summary] or curves
    first = shown[0]
    names = [first.name] if first.name else []
    if first.summary and folds:
        names.append(f"mean of {len(folds)} folds" if len(folds) > 1 else "1 fold")
    areas = [curve.auc_pr for curve in shown if curve.auc_pr is not None]
    normalized = [curve.aucnpr for curve in shown if curve.aucnpr is not None]
    if len(shown) > 1:
        area_name, values = ("AUCNPR", normalized) if normalized else ("AUC-PR", areas)
        found = [f"{area_name} = {mean_and_spread(values)}"] if values else []
    else:
        found = [f"AUC-PR = {area:.2f}{_limits(first.interval)}" for area in areas]
        found += [f"AUCNPR = {area:.2f}" for area in normalized]
    between = ", " if first.interval is None else ",\n"
    text = f"{AREA_WORDS[first.kind]} {between.join(found)}" if found else ""
    return "\n".join(part for part in (", ".join(names), text) if part) or None


def _limits(interval):
    """An interval behind its value."""
    return "" if interval is None else " (95 %: {:.2f} to {:.2f})".format(*interval)


def mean_and_spread(values):
    """One value, or the mean and the standard deviation of several, as text."""
    if len(values) == 1:
        return f"{values[0]:.2f}"
    return f"{np.mean(values):.2f} +/- {np.std(values):.2f}"


def kind_of(artist):
    """What an artist is: the second word of its name, or "" for what others drew."""
    gid = artist.get_gid() or ""
    return gid.split("-")[2] if gid.startswith(f"{GID}-") else ""


def _handles(ax):
    """What has a label: curves, marks, what others drew, and the floor last."""
    handles: dict[tuple, Any] = {}
    for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
        kind = kind_of(handle)
        # Marks mean the same for every curve.
        key = (_ORDER.index(kind), label if kind == "mark" else handle)
        handles.setdefault(key, handle)
    for kind, label, handle in _proxies(ax):
        handles[_ORDER.index(kind), label] = handle
    return [handles[key] for key in sorted(handles, key=lambda key: key[0])]


def _proxies(ax):
    """What thin lines and bands mean, whatever their colours."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    neutral = ax.xaxis.label.get_color()
    if any(kind_of(line) == "fold" for line in ax.lines):
        style = {"color": neutral, "linewidth": 0.7, "alpha": 0.6}
        line = Line2D([], [], **style, label="Single folds")
        yield "fold", "Single folds", line
    for band in ax.collections:
        if kind_of(band) == "band":
            label = _BAND_WORDS[band.get_gid().split("-")[3] or None]
            yield "band", label, Patch(facecolor=(neutral, 0.3), label=label)


# The place


def draw_legend(ax):
    """Beside the axes of a figure of our own, else where it covers no curve."""
    handles = _handles(ax)
    if not handles:
        return
    # Dashes of thick lines need longer handles.
    thick = any(kind_of(line) == "fold" for line in ax.lines)
    style = {"fontsize": "small", "handlelength": 3 if thick else 2}
    if ax.get_gid() == f"{GID}-axes":
        _put_beside(ax, ax.legend(handles=handles, **style))
        return
    figure = ax.get_figure()
    movable = figure.get_layout_engine() is None and ax.get_axes_locator() is None
    slot = _slot(ax)
    if movable:
        _move(ax, slot)
    legend = ax.legend(handles=handles, labelspacing=0.35, **style)
    legend.set_gid(f"{GID}-legend-{' '.join(map(str, slot.bounds))}")
    _settle(ax)
    place = _free_place(ax, legend)
    if place is not None:
        legend.set_loc(place)
        return
    put, kept = _room_outside(ax, legend)
    if movable:
        _move(ax, kept)
    put(ax, legend)
    _settle(ax)


def _slot(ax):
    """What the figure gives to the axes, in its fractions, with or without a legend."""
    if ax.get_subplotspec() is not None:
        return ax.get_subplotspec().get_position(ax.get_figure())
    from matplotlib.transforms import Bbox

    legend = ax.get_legend()
    gid = "" if legend is None else legend.get_gid() or ""
    if gid.startswith(f"{GID}-legend-"):
        return Bbox.from_bounds(*map(float, gid.removeprefix(f"{GID}-legend-").split(" ")))
    return ax.get_position(original=True)


def _move(ax, box):
    """Give the axes a place; a later layout may still move them."""
    in_layout = ax.get_in_layout()
    ax.set_position(box)
    ax.set_in_layout(in_layout)


def _settle(ax):
    """Give the axes the place that they will be drawn at."""
    if ax.get_figure().get_layout_engine() is not None:
        ax.get_figure().canvas.figure.draw_without_rendering()
    ax.apply_aspect()


def _free_place(ax, legend):
    """A place inside the axes where the legend would lie on no curve, else None."""
    axes = ax.get_window_extent()
    in_the_way = [line for line in ax.lines if kind_of(line) not in _BACKGROUND]
    rocs = [line.get_path().transformed(line.get_transform()) for line in in_the_way]
    fills = [
        roc.transformed(fill.get_transform())
        for fill in ax.collections
        if kind_of(fill) == "band"
        for roc in fill.get_paths()
    ]
    texts = [text.get_window_extent() for text in ax.texts]
    for place in _PLACES:
        legend.set_loc(place)
        box = legend.get_window_extent()
        if not (axes.x0 < box.x0 and box.x1 < axes.x1 and box.y1 < axes.y1):
            return None  # too large
        box = box.padded(_pixels(ax, 2))
        if not (
            any(roc.intersects_bbox(box, filled=False) for roc in rocs)
            or any(roc.intersects_bbox(box) for roc in fills)
            or any(box.overlaps(text) for text in texts)
        ):
            return place
    return None


def _room_outside(ax, legend):
    """Where the legend goes, and the place that the axes have then.

    Returns
    -------
    put : callable
        `_put_beside` or `_put_below`, whichever leaves the larger square.
    kept : Bbox
        In fractions of the figure.
    """
    from matplotlib.transforms import Bbox

    figure = ax.get_figure()
    slot = ax.get_position(original=True).transformed(figure.transSubfigure)
    right = figure.bbox.x1 if len(figure.axes) == 1 else slot.x1
    smallest = _SMALLEST * min(slot.width, slot.height)
    for size in ("small", "x-small"):
        for text in legend.get_texts():
            text.set_fontsize(size)
        box = legend.get_window_extent()
        width = right - slot.x0 - box.width - _pixels(ax, _gap(ax) + 10)
        height = slot.height - box.height - _pixels(ax, _GAP)
        beside, below = min(width, slot.height), min(height, slot.width)
        if max(beside, below) > _SMALL * min(slot.width, slot.height):
            break
    if beside >= below:
        kept = Bbox.from_bounds(slot.x0, slot.y0, max(width, smallest), slot.height)
    else:
        height = max(height, smallest)
        kept = Bbox.from_bounds(slot.x0, slot.y1 - height, slot.width, height)
    return (
        _put_beside if beside >= below else _put_below,
        kept.transformed(figure.transSubfigure.inverted()),
    )


def _put_beside(ax, legend):
    _anchor(ax, legend, "upper left", (1.0, 1.0), _gap(ax), 0)


def _put_below(ax, legend):
    """Below the label of the recall, and within the figure."""
    ax.apply_aspect()
    axes, figure = ax.get_window_extent(), ax.get_figure().bbox
    label = axes.y0 - ax.get_tightbbox(bbox_extra_artists=[]).y0
    half, middle = legend.get_window_extent().width / 2, (axes.x0 + axes.x1) / 2
    shift = max(half - (middle - figure.x0), 0) or min(figure.x1 - middle - half, 0)
    points = 72 / ax.get_figure().dpi
    _anchor(
        ax, legend, "upper center", (0.5, 0), shift * points, -label * points - _GAP / 2
    )


def _anchor(ax, legend, place, point, right, up):
    """Put a breakpoint of the legend at a point of the axes, so many points away."""
    from matplotlib.transforms import offset_copy

    legend.borderaxespad = 0.0
    legend.set_loc(place)
    legend.set_bbox_to_anchor(
        point, offset_copy(ax.transAxes, ax.get_figure(), x=right, y=up, units="points")
    )


def _gap(ax):
    """Points between the axes and what is beside them."""
    has_levels = any(kind_of(line) == "f1" for line in ax.lines)
    return _GAP_WITH_F1 if has_levels else _GAP


def _pixels(ax, points):
    return points * ax.get_figure().dpi / 72
