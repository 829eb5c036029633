"""A picture of how_to/reviewed_alerts.rst."""

import matplotlib.pyplot as plt
import numpy as np

from sklearn_achievable_pr import threshold_table

rng = np.random.default_rng(4)
y_all = rng.random(40_000) < 0.02
score_all = rng.normal(size=40_000) + 2.5 * y_all
is_labeled = (score_all >= 2) | (rng.random(40_000) < 0.05)
y_true, y_score = y_all[is_labeled], score_all[is_labeled]
truth = y_all[score_all >= 2].sum() / y_all.sum()
figure, ax = plt.subplots(figsize=(5.0, 2.2))
ax.axvline(truth, color="0.5", linewidth=1)
ax.text(truth, 1.6, f"true recall {truth:.2f}", ha="center", color="0.4")
for place, (color, weight) in enumerate(
    [("C3", None), ("C0", np.where(y_score >= 2, 1, 1 / 0.05))]
):
    table = threshold_table(y_true, y_score, thresholds=2, sample_weight=weight)
    ax.plot([table.recall_low[0], table.recall_high[0]], [place, place], color=color)
    ax.plot(table.recall[0], place, "o", color=color)
ax.set(yticks=[0, 1], yticklabels=["without weights", "with weights"], ylim=(-0.5, 2))
ax.set(xlabel="Recall of the alerts, with 95 % interval", xlim=(0.5, 1))
