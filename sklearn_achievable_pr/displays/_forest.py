"""Forest plot of several models, or subgroups, and of their differences."""

import textwrap

import numpy as np

from .._input.options import text_of
from ._drawing import check_place, neutral, new_axes
from ._styles import COLORS

# Size of a new figure in inches: it is readable 400 pixels wide.
_WIDTH, _HEIGHT, _HEIGHT_PER_MODEL, _HEIGHT_PER_LINE = 5.0, 2.6, 0.6, 0.36
# Maximum numbers of characters per line of a name and of a title.
_NAME_WIDTH, _TITLE_WIDTH = 20, 40
# Width in inches that a tick label takes at most, and maximum number of steps.
_TICK_WIDTH, _MOST_STEPS = 0.75, 4


def draw_forest(result, members, axes=None):
    """Draw the forest plot of a comparison of members: a dict of names and intervals.

    Returns
    -------
    ndarray of two matplotlib Axes
    """
    names, first_member = [*members], next(iter(members.values()))
    base = result.reference
    if base is None:  # the highest estimate; NaN is the lowest
        base = max(names, key=lambda name: np.nan_to_num(members[name].estimate, nan=-1e9))
    labels = [textwrap.fill(text_of(name), _NAME_WIDTH) for name in names]
    if axes is None:
        check_place(None)
        n_lines = max(label.count("\n") + 1 for label in labels)
        height = _HEIGHT + max(_HEIGHT_PER_MODEL, _HEIGHT_PER_LINE * n_lines) * len(names)
        axes = new_axes(nrows=2, figsize=(_WIDTH, height))
    if np.shape(axes) != (2,):
        raise TypeError(
            "`ax` must be two matplotlib Axes, e.g. plt.subplots(2)[1], or None for a new "
            f"figure. Got {axes!r}."
        )
    first, second = axes
    level = first_member.confidence_level
    first.set_title(f"{100 * level:g} % confidence interval", fontsize="medium")
    # A recall range and a reference prevalence have a line of their own.
    first.set_xlabel(first_member._label.replace(", ", ",\n", 1))
    estimates = [(m.estimate, *m.confidence_interval) for m in members.values()]
    _draw_intervals(first, range(len(names)), estimates, COLORS[0])
    title = textwrap.fill(f"Difference from {text_of(base)}", _TITLE_WIDTH)
    if len(result.pairs) > 1:
        how = "not adjusted"
        if result.adjust:
            how = "adjusted by Holm's method, intervals not"
        title += f",\np {how}"
    second.set_title(title, parse_math=False, fontsize="medium")
    second.set_xlabel(f"Difference of {first_member._measured}".replace(", ", ",\n", 1))
    positions, differences, texts = [], [], []
    for (a, b), pair in result.pairs.items():
        if base in (a, b):
            # Every difference is the other model minus the base model.
            name, sign = (a, 1) if b == base else (b, -1)
            positions.append(names.index(name))
            row = pair.difference, *pair.confidence_interval
            differences.append(np.multiply(sign, row))
            p = result.adjusted_pvalues[a, b]
            texts.append("p < 0.001" if p < 0.001 else f"p = {p:.3f}")
    _draw_intervals(second, positions, differences, COLORS[1])
    second.axvline(0, color=neutral(second), linewidth=0.8, linestyle="--")
    for ax in axes:
        ax.set_yticks(range(len(names)), labels, parse_math=False)
        ax.set_ylim(len(names) - 0.5, -0.5)
        n_steps = int(ax.bbox.width / ax.figure.dpi / _TICK_WIDTH)
        ax.locator_params(axis="x", nbins=min(max(n_steps, 1), _MOST_STEPS))
        ax.tick_params(axis="x", rotation=0 if n_steps > 2 else 45)
    is_beside = second.get_position().y1 > first.get_position().y0
    second.tick_params(axis="y", left=not is_beside, labelleft=not is_beside)
    pvalues = second.secondary_yaxis("right")
    pvalues.set_yticks(positions, texts)
    pvalues.tick_params(length=0)
    return np.asarray(axes)


def _draw_intervals(ax, positions, rows, color):
    """Draw one interval per row, which holds the estimate and the limits."""
    estimate, low, high = np.transpose(rows)
    # Drawn around the middle, because an interval of resamples may exclude the estimate.
    middle, half = (low + high) / 2, np.abs(high - low) / 2
    ax.errorbar(middle, positions, xerr=half, fmt="none", capsize=4, color=color)
    ax.plot(estimate, positions, "o", color=color)
