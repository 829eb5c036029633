"""A picture of theory/achievable.rst."""

import matplotlib.pyplot as plt
import numpy as np

from sklearn_achievable_pr import pr_curve_from_counts, precision_min

tps = 200 * np.array([1, 2, 3, 3, 4, 6, 6, 8])  # a smooth curve has many positives
fps = 200 * np.array([0, 0, 2, 4, 5, 5, 8, 12])
fig, ax = plt.subplots(figsize=(4.8, 4.2))
for curve, style, color in [("empirical", "-", "#0072B2"), ("achievable", "--", "#D55E00")]:
    precision, recall, _ = pr_curve_from_counts(tps, fps, curve=curve)
    ax.plot(recall, precision, style, color=color, label=f"{curve.title()} curve")
recalls = np.linspace(0, 1, 200)
ax.fill_between(
    recalls, precision_min(recalls, 0.4), color="0.8", label="Unachievable region"
)
ax.set(xlabel="Recall", ylabel="Precision", ylim=(0, 1.05), title="Precision-recall space")
ax.legend(loc="upper right", fontsize="small")
