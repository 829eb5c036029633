"""A picture of how_to/coming_from_scikit_learn.rst."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import precision_recall_curve

from sklearn_achievable_pr import pr_curve_interpolated

rating = np.repeat([3, 3, 2, 2, 1, 1], [6, 4, 8, 40, 6, 136])
label = np.repeat([1, 0, 1, 0, 1, 0], [6, 4, 8, 40, 6, 136])
linear = precision_recall_curve(label, rating)
exact = pr_curve_interpolated(label, rating)
fig, ax = plt.subplots(figsize=(5.4, 3.6))
grid = np.linspace(0, 1, 500)
low = np.interp(grid, exact[1][::-1], exact[0][::-1])
high = np.interp(grid, linear[1][::-1], linear[0][::-1])
ax.fill_between(grid, low, high, color="#D55E00", alpha=0.25, lw=0)
ax.plot(linear[1], linear[0], "--", color="#D55E00", lw=2)
ax.plot(exact[1], exact[0], color="#0072B2", lw=2)
ax.annotate(
    "auc(recall, precision): 0.459",
    (0.15, 0.8),
    (0.32, 0.86),
    color="#A33F00",
    va="center",
    arrowprops={"arrowstyle": "-", "color": "#A33F00"},
)
ax.annotate(
    "exact area: 0.353",
    (0.42, 0.38),
    (0.5, 0.62),
    color="#005A8C",
    va="center",
    arrowprops={"arrowstyle": "-", "color": "#005A8C"},
)
ax.set(
    xlabel="Recall",
    ylabel="Precision",
    xlim=(0, 1),
    ylim=(0, 1.02),
    title="200 images, rated from 1 to 3",
)
