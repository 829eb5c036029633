"""A picture of how_to/which_metric.rst."""

import matplotlib.pyplot as plt
import numpy as np

from sklearn_achievable_pr import pr_curve_from_counts

curves = {"Model I": ([9, 13, 20], [0, 84, 2000]), "Model II": ([20, 20], [500, 2000])}
fig, (left, right) = plt.subplots(1, 2, figsize=(7.4, 3.4))
labels = {"Model I": ((0.3, 0.62), (0.02, 0.9)), "Model II": ((0.3, 0.92), (0.02, 0.08))}
areas = {"Model I": (0.813, 0.514), "Model II": (0.875, 0.038)}
for (name, (tps, fps)), color in zip(curves.items(), ["#0072B2", "#D55E00"], strict=True):
    left.plot(np.r_[0, fps] / 2000, np.r_[0, tps] / 20, color=color, lw=2)
    precision, recall, _ = pr_curve_from_counts(tps, fps)
    right.plot(recall, precision, color=color, lw=2)
    for ax, area, place in zip((left, right), areas[name], labels[name], strict=True):
        ax.text(*place, f"{name}: {area}", color=color, fontsize="small")
left.set(xlabel="False positive rate", ylabel="Recall", title="ROC", ylim=(0, 1.05))
right.set(xlabel="Recall", ylabel="Precision", title="Precision-recall", ylim=(0, 1.05))
