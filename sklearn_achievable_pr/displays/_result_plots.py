"""Plots of results: the forest plot of a comparison, and the decision curve of a table."""

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .._input.options import check_type
from ._drawing import (
    COLORS,
    LINE_STYLES,
    check_place,
    draw_legend,
    neutral,
    new_axes,
)
from ._drawn import legend_text

# A new figure has this size in inches, so that it is readable at a width of 400 pixels.
_WIDTH, _HEIGHT, _HEIGHT_PER_MODEL, _HEIGHT_PER_LINE = 5.0, 2.6, 0.6, 0.36
# A line of a name, and of a title, has at most this many characters.
_NAME_WIDTH, _TITLE_WIDTH = 20, 40
# A tick label takes at most this width in inches, and an axis has at most this many steps.
_TICK_WIDTH, _MOST_STEPS = 0.75, 4
_TITLE = {"fontsize": "medium"}
# The net benefit of treating everybody falls far below 0, so the axes end below 0 at this
# fraction of the highest net benefit.
_BELOW = 0.3


# Forest plot


class Panel(NamedTuple):
    """What one of the two axes shows.

    Attributes
    ----------
    title, label : str
        Title of the axes, and label of the x-axis.
    rows : list of int
        Row of each interval, 0 for the first name.
    intervals : list of (float, float, float)
        A value and its lower and upper limit.
    note : str
        Second part of the title.
    pvalues : sequence of str
        Text on the right of each interval.
    """

    title: str
    label: str
    rows: list[int]
    intervals: list[tuple[float, float, float]]
    note: str = ""
    pvalues: Sequence[str] = ()


def draw_forest(names, estimates, differences, axes):
    """Draw one `Panel` with an estimate per name, and one with differences.

    Returns
    -------
    ndarray of two matplotlib Axes
    """
    labels = [textwrap.fill(name, _NAME_WIDTH) for name in names]
    if axes is None:
        axes = _new_axes(labels)
    if np.shape(axes) != (2,) or not all(hasattr(ax, "set_yticks") for ax in axes):
        raise TypeError(
            "`ax` must be two matplotlib Axes, e.g. plt.subplots(2)[1], or None for a new "
            f"figure. Got {axes!r}."
        )
    first, second = axes
    _draw_panel(first, estimates, COLORS[0])
    _draw_panel(second, differences, COLORS[1])
    second.axvline(0, color=neutral(second), linewidth=0.8, linestyle="--")
    for ax in axes:
        _set_ticks(ax, labels)
    is_beside = second.get_position().y1 > first.get_position().y0
    second.tick_params(axis="y", left=not is_beside, labelleft=not is_beside)
    right = second.secondary_yaxis("right")
    notes = [f"p {p}" if "<" in p else f"p = {p}" for p in differences.pvalues]
    # The reference is marked at 0, its difference from itself. The reference "rest" has no
    # row.
    references = [row for row in range(len(names)) if row not in differences.rows]
    second.plot([0] * len(references), references, "D", color=neutral(second), mfc="none")
    notes += ["reference"] * len(references)
    right.set_yticks([*differences.rows, *references], notes)
    right.tick_params(length=0)
    return np.asarray(axes)


def _new_axes(labels):
    """Two axes of a new figure, which is high enough for the labels."""
    check_place(None)
    n_lines = max(label.count("\n") + 1 for label in labels)
    height_of_one = max(_HEIGHT_PER_MODEL, _HEIGHT_PER_LINE * n_lines)
    return new_axes(nrows=2, figsize=(_WIDTH, _HEIGHT + height_of_one * len(labels)))


def _draw_panel(ax, panel, color):
    """Draw the intervals of a `Panel` with its title and label."""
    title = textwrap.fill(panel.title, _TITLE_WIDTH)
    title += f"\n{panel.note}" if panel.note else ""
    ax.set_title(title, parse_math=False, **_TITLE)
    # Recall range and reference prevalence have a line of their own.
    ax.set_xlabel(panel.label.replace(", ", ",\n", 1))
    value, low, high = np.transpose(panel.intervals)
    # Error bars are drawn around the middle, because a rounded value may be just beyond a
    # limit.
    middle, half = (low + high) / 2, np.abs(high - low) / 2
    ax.errorbar(middle, panel.rows, xerr=half, fmt="none", capsize=4, color=color)
    ax.plot(value, panel.rows, "o", color=color)


def _set_ticks(ax, labels):
    """Set the names of the members, and as many numbers as fit."""
    ax.set_yticks(range(len(labels)), labels, parse_math=False)
    ax.set_ylim(len(labels) - 0.5, -0.5)
    n_steps = int(ax.bbox.width / ax.figure.dpi / _TICK_WIDTH)
    ax.locator_params(axis="x", nbins=min(max(n_steps, 1), _MOST_STEPS))
    ax.tick_params(axis="x", rotation=0 if n_steps > 2 else 45)


# Decision curve


def draw_decision_curve(table, ax, name, level):
    """Draw the net benefit of a `ThresholdTable`, on new axes if `ax` is None.

    `level` is the confidence level of the band as text.
    """
    if table.net_benefit is None:
        raise ValueError(
            "`plot` draws the net benefit, which this table does not have. Call "
            "threshold_table(..., net_benefit=True)."
        )
    check_place(ax)
    check_type(name, "name", str | None, "a string or None")
    is_new = ax is None
    ax = new_axes() if is_new else ax
    order = np.argsort(table.threshold)
    t, low, high, everybody = (
        getattr(table, field)[order]
        for field in ("threshold", "net_benefit_low", "net_benefit_high", "net_benefit_all")
    )
    n_before = sum(str(line.get_color()) in COLORS for line in ax.lines)
    style = {
        "color": COLORS[n_before % len(COLORS)],
        "linestyle": LINE_STYLES[n_before % len(LINE_STYLES)],
        "linewidth": 1.8,
        "marker": "o" if len(t) == 1 else None,
        "label": legend_text(f"{'Model' if name is None else name} (band: {level} CI)"),
        "zorder": 2.5,
    }
    ax.plot(t, table.net_benefit[order], **style)
    band = {"color": style["color"], "alpha": 0.18, "linewidth": 0, "zorder": 1.2}
    ax.fill_between(t, low, high, label="_nolegend_", **band)  # a legend names curves only
    _draw_reference(ax, t, everybody, "Predict everybody positive", (0, (6, 2)))
    _draw_reference(ax, t, np.zeros(len(t)), "Predict nobody positive", ":")
    _finish(ax, table, is_new)
    return ax


def _draw_reference(ax, t, net_benefit, label, linestyle):
    """Draw the net benefit without a model; lines of several tables share an entry."""
    label = None if label in ax.get_legend_handles_labels()[1] else label
    style = {"color": neutral(ax), "linewidth": 1.2, "zorder": 2.0}
    ax.plot(t, net_benefit, linestyle=linestyle, label=label, **style)


def _finish(ax, table, is_new):
    """Set labels and limits of the axes, and draw the legend."""
    highest = max(np.nanmax(line.get_ydata(), initial=0.0) for line in ax.lines)
    if highest > 0:
        ax.set_ylim(-_BELOW * highest, (1 + _BELOW) * highest)
    reference = "" if table.prevalence is None else f" at prevalence {table.prevalence:.3g}"
    ax.set(xlabel="Threshold probability", ylabel="Net benefit" + reference)
    entries = zip(*ax.get_legend_handles_labels(), strict=True)
    entries = sorted(entries, key=lambda entry: -entry[0].get_zorder())  # models come first
    draw_legend(ax, entries, True, is_new=is_new)
