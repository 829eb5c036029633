"""Forest plot of several models and of their differences."""

from __future__ import annotations

import textwrap

import numpy as np

from .._metrics.table import METRICS
from .drawing import check_axes, neutral
from .styles import COLOURS


def draw_models(result, axes=None):
    """Draw the forest plot of a `ModelComparisonResult`.

    Returns
    -------
    ndarray of two matplotlib Axes
    """
    ranks, models = result.ranks, result.models
    names = sorted(models, key=ranks.get)
    base = names[0] if result.reference is None else result.reference
    if axes is None:
        check_axes(None)
        import matplotlib.pyplot as plt

        # In inches: one line per model, and space for the longest name.
        size = 8 + 0.08 * max(map(len, names)), 1.4 + 0.3 * len(names)
        _, axes = plt.subplots(1, 2, sharey=True, layout="constrained", figsize=size)
    left, right = axes
    metric, level = METRICS[models[base].metric].label, models[base].confidence_level
    left.set_title(f"Estimate,\n{100 * level:g} % confidence interval")
    left.set(xlabel=metric[0].upper() + metric[1:], ylabel="Model")
    left.set_yticks(range(len(names)), names, parse_math=False)
    note = "p adjusted by Holm's method" if result.adjust else "p not adjusted"
    title = textwrap.wrap(f"Difference from {base},", 32)  # the width of the panel
    right.set_title("\n".join([*title, note]), parse_math=False)
    right.set_xlabel(f"Difference of {metric}")
    estimates = [(m.estimate, *m.confidence_interval) for m in map(models.get, names)]
    _draw_intervals(left, range(len(names)), estimates, COLOURS[0])
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
    _draw_intervals(right, positions, differences, COLOURS[1])
    right.tick_params(axis="y", left=False, labelleft=False)
    right.axvline(0, color=neutral(right), linewidth=0.8, linestyle="--")
    pvalues = right.secondary_yaxis("right")
    pvalues.set_yticks(positions, texts)
    pvalues.tick_params(length=0)
    for ax in axes:
        ax.set_ylim(len(names) - 0.5, -0.5)
    return np.asarray(axes)


def _draw_intervals(ax, positions, rows, colour):
    """Draw one interval per row, which holds the estimate and the limits."""
    estimate, low, high = np.transpose(rows)
    # Drawn around the middle, because an interval of resamples may exclude the estimate.
    middle, half = (low + high) / 2, np.abs(high - low) / 2
    ax.errorbar(middle, positions, xerr=half, fmt="none", capsize=4, color=colour)
    ax.plot(estimate, positions, "o", color=colour)
