"""A picture of theory/gain.rst."""

import matplotlib.pyplot as plt
import numpy as np

from sklearn_achievable_pr import auprg_score, pr_gain_curve

rng = np.random.default_rng(0)
y_true = rng.random(400) < 0.3
fig, ax = plt.subplots(figsize=(5.4, 3.8))
for name, shift, style, color in [("A", 2, "-", "#0072B2"), ("B", 1, "--", "#D55E00")]:
    score = rng.normal(size=400) + shift * y_true
    precision_gain, recall_gain, _ = pr_gain_curve(y_true, score)
    ax.plot(
        recall_gain,
        precision_gain,
        style,
        color=color,
        label=f"Model {name}, AUPRG {auprg_score(y_true, score):.2f}",
    )
ax.set(
    xlabel="Recall gain",
    ylabel="Precision gain",
    xlim=(0, 1),
    ylim=(-0.05, 1.02),
    title="Precision-recall-gain curves",
)
ax.legend(fontsize="small")
