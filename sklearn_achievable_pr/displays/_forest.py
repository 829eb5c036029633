"""Forest plot of several models, or subgroups, and of their differences."""

import textwrap

import numpy as np

from .._input.options import text_of
from ..results._rendering import percent, pvalue_text
from ._drawing import check_place, neutral, new_axes
from ._styles import COLORS

# Size of a new figure in inches: it is readable 400 pixels wide.
_WIDTH, _HEIGHT, _HEIGHT_PER_MODEL, _HEIGHT_PER_LINE = 5.0, 2.6, 0.6, 0.36
# Maximum numbers of characters per line of a name and of a title.
_NAME_WIDTH, _TITLE_WIDTH = 20, 40
# Width in inches that a tick label takes at most, and maximum number of steps.
_TICK_WIDTH, _MOST_STEPS = 0.75, 4
_TITLE = {"fontsize": "medium"}


def draw_forest(result, members, axes):
    """Draw the forest plot of a comparison of members: a dict of names and intervals.

    The differences have the signs of the printed pairs.

    Returns
    -------
    ndarray of two matplotlib Axes
    """
    labels = [textwrap.fill(text_of(name), _NAME_WIDTH) for name in members]
    if axes is None:
        axes = _new_axes(labels)
    if np.shape(axes) != (2,) or not all(hasattr(ax, "set_yticks") for ax in axes):
        raise TypeError(
            "`ax` must be two matplotlib Axes, e.g. plt.subplots(2)[1], or None for a new "
            f"figure. Got {axes!r}."
        )
    first, second = axes
    _draw_estimates(first, members)
    positions, pvalues = _draw_differences(second, result, members)
    for ax in axes:
        _set_ticks(ax, labels)
    is_beside = second.get_position().y1 > first.get_position().y0
    second.tick_params(axis="y", left=not is_beside, labelleft=not is_beside)
    right = second.secondary_yaxis("right")
    right.set_yticks(positions, pvalues)
    right.tick_params(length=0)
    return np.asarray(axes)


def _new_axes(labels):
    """Two axes of a new figure, which is high enough for the labels."""
    check_place(None)
    n_lines = max(label.count("\n") + 1 for label in labels)
    height_of_one = max(_HEIGHT_PER_MODEL, _HEIGHT_PER_LINE * n_lines)
    return new_axes(nrows=2, figsize=(_WIDTH, _HEIGHT + height_of_one * len(labels)))


def _draw_estimates(ax, members):
    """Draw the estimate and the interval of each member."""
    first = next(iter(members.values()))
    ax.set_title(f"{percent(first.confidence_level)} confidence interval", **_TITLE)
    ax.set_xlabel(_in_lines(first._label))
    rows = [(one.estimate, *one.confidence_interval) for one in members.values()]
    _draw_intervals(ax, range(len(rows)), rows, COLORS[0])


def _draw_differences(ax, result, members):
    """Draw the printed pairs with the reference or, without one, with the first member.

    Returns
    -------
    positions : list of int
    pvalues : list of str
        Adjusted p-values as text.
    """
    names = [*members]
    base = names[0] if result.reference is None else result.reference
    pairs = [(one, p) for one, p in result._ordered_pairs() if base in one.names]
    # The reference is the second of each pair, the first member the first.
    place_of_other = 1 if result.reference is None else 0
    positions = [names.index(one.names[place_of_other]) for one, _ in pairs]
    rows = [(one.difference, *one.confidence_interval) for one, _ in pairs]
    _draw_intervals(ax, positions, rows, COLORS[1])
    ax.axvline(0, color=neutral(ax), linewidth=0.8, linestyle="--")
    ax.set_title(_title_of_differences(result, base, pairs), parse_math=False, **_TITLE)
    ax.set_xlabel(_in_lines(f"Difference of {members[names[0]]._measured}"))
    texts = (pvalue_text(p) for _, p in pairs)
    return positions, [f"p {text}" if "<" in text else f"p = {text}" for text in texts]


def _title_of_differences(result, base, pairs):
    """Which differences are drawn, and whether p-values are adjusted."""
    pair = [text_of(name) for name in pairs[0][0].names]
    if len(pairs) > 1:
        other = result._KIND.removesuffix("s")
        pair = [text_of(base), f"other {other}"]
        if result.reference is not None:
            pair = [other, text_of(base)]
    title = textwrap.fill(" - ".join(pair), _TITLE_WIDTH)
    if len(result.pairs) == 1:
        return title
    how = "adjusted by Holm's method, intervals not" if result.adjust else "not adjusted"
    return f"{title},\np {how}"


def _set_ticks(ax, labels):
    """Set the names of the members, and as many numbers as fit."""
    ax.set_yticks(range(len(labels)), labels, parse_math=False)
    ax.set_ylim(len(labels) - 0.5, -0.5)
    n_steps = int(ax.bbox.width / ax.figure.dpi / _TICK_WIDTH)
    ax.locator_params(axis="x", nbins=min(max(n_steps, 1), _MOST_STEPS))
    ax.tick_params(axis="x", rotation=0 if n_steps > 2 else 45)


def _in_lines(label):
    """A label whose recall range and reference prevalence have a line of their own."""
    return label.replace(", ", ",\n", 1)


def _draw_intervals(ax, positions, rows, color):
    """Draw one interval per row, which holds the estimate and the limits."""
    estimate, low, high = np.transpose(rows)
    # Drawn around the middle, because an interval of resamples may exclude the estimate.
    middle, half = (low + high) / 2, np.abs(high - low) / 2
    ax.errorbar(middle, positions, xerr=half, fmt="none", capsize=4, color=color)
    ax.plot(estimate, positions, "o", color=color)
