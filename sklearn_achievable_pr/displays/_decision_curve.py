"""Decision curve: net benefit against the threshold probability."""

import numpy as np

from .._input.options import check_type
from ._drawing import check_place, draw_legend, neutral, new_axes
from ._styles import COLORS, LINE_STYLES, legend_text

# The net benefit of treating everybody falls far below 0, so the axes end below 0 at this
# fraction of the highest net benefit.
_BELOW = 0.3


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
