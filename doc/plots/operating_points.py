"""A picture of how_to/operating_points.rst."""

import matplotlib.pyplot as plt
import numpy as np

from sklearn_achievable_pr import (
    operating_point_interval,
    pr_curve_interpolated,
    threshold_table,
)

rng = np.random.default_rng(0)
y = rng.random(2000) < 0.1
score = rng.normal(size=2000) + 1.5 * y
precision, recall, _ = pr_curve_interpolated(y, score)
at_recall = operating_point_interval(y, score, recall=0.8)
at_precision = operating_point_interval(y, score, precision=0.4)
at_k = threshold_table(y, score, k=100)
fig, ax = plt.subplots(figsize=(5.4, 3.6))
ax.plot(recall, precision, color="0.6", lw=1.5)
ax.plot([0.8] * 2, at_recall.confidence_interval, color="#0072B2", lw=4)
ax.plot(0.8, at_recall.estimate, "o", color="#0072B2")
ax.text(0.81, 0.33, "at recall 0.8", color="#005A8C", ha="center")
ax.plot(at_precision.confidence_interval, [0.4] * 2, color="#D55E00", lw=4)
ax.plot(at_precision.estimate, 0.4, "o", color="#D55E00")
ax.text(0.6, 0.45, "at precision 0.4", color="#A33F00")
low, high = at_k.precision_low[0], at_k.precision_high[0]
ax.plot([at_k.recall[0]] * 2, [low, high], color="#007A5A", lw=4)
ax.plot(at_k.recall[0], at_k.precision[0], "o", color="#007A5A")
ax.text(0.3, 0.7, "top 100", color="#006348")
ax.set(
    xlabel="Recall",
    ylabel="Precision",
    ylim=(0, 1.02),
    title="Three points with 95 % intervals",
)
