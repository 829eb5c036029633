"""Forest plot of several models and of their differences."""

from __future__ import annotations

import textwrap

import numpy as np

from .drawing import check_axes, neutral
from .styles import COLOURS

# Size of the figure in inches: fixed part, per character of a name, per model.
_WIDTH, _PER_CHARACTER = 8.0, 0.08
_HEIGHT, _PER_MODEL = 1.4, 0.3
# Maximum number of characters per line of a title.
_TITLE = 32


def draw_models(result, axes=None):
    """Draw the forest plot of a `ModelComparisonResult`.

    Returns
    -------
    ndarray of two matplotlib Axes
    """
    check_axes(None)
    ranks = result.ranks
    names = sorted(result.models, key=ranks.get)
    base = names[0] if result.reference is None else result.reference
    if axes is None:
        import matplotlib.pyplot as plt

        longest = max(map(len, names))
        size = _WIDTH + _PER_CHARACTER * longest, _HEIGHT + _PER_MODEL * len(names)
        _, axes = plt.subplots(1, 2, sharey=True, layout="constrained", figsize=size)
    if np.shape(axes) != (2,):
        raise ValueError(
            "`axes` must be two matplotlib Axes, e.g. plt.subplots(1, 2)[1], or None for "
            f"a new figure. Got {axes!r}."
        )
    axes = np.asarray(axes)
    for ax in axes:
        check_axes(ax)
    left, right = axes
    first, position = result.models[base], {name: i for i, name in enumerate(names)}
    for name, model in result.models.items():
        _draw_interval(left, position[name], model.estimate, model.confidence_interval, 0)
    adjusted = result.adjusted_pvalues
    for (a, b), pair in result.pairs.items():
        if base not in (a, b):
            continue
        # Every difference is the other model minus the base model.
        name, sign = (a, 1) if b == base else (b, -1)
        limits = sorted(sign * limit for limit in pair.confidence_interval)
        _draw_interval(right, position[name], sign * pair.difference, limits, 1)
        p = adjusted[a, b]
        right.annotate(
            "p < 0.001" if p < 0.001 else f"p = {p:.3f}",
            (1, position[name]),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            verticalalignment="center",
            annotation_clip=False,
        )
    right.axvline(0, color=neutral(right), linewidth=0.8, linestyle="--")
    level = f"{100 * first.confidence_level:g} % confidence interval"
    left.set(xlabel=first.metric, ylabel="Model", title=f"Estimate,\n{level}")
    left.set_yticks(range(len(names)), names, parse_math=False)
    left.set_ylim(len(names) - 0.5, -0.5)
    note = "p adjusted by Holm's method" if result.adjust else "p not adjusted"
    title = textwrap.wrap(f"Difference from {base},", _TITLE)
    right.set_title("\n".join([*title, note]), parse_math=False)
    right.set_xlabel(f"Difference of {first.metric}")
    return axes


def _draw_interval(ax, position, estimate, limits, colour):
    # An interval of resamples need not hold the estimate, as error bars have to.
    style = {"color": COLOURS[colour]}
    ax.plot(limits, [position] * 2, marker="|", **style)
    ax.plot([estimate], [position], marker="o", **style)
