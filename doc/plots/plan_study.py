"""A picture of how_to/plan_study.rst."""

import matplotlib.pyplot as plt

from sklearn_achievable_pr import required_sample_size

widths = [0.05, 0.07, 0.1, 0.14, 0.2, 0.28]
fig, ax = plt.subplots(figsize=(5.4, 3.4))
for auc_pr, color in ((0.6, "#0072B2"), (0.9, "#D55E00")):
    n = [
        required_sample_size(width=width, auc_pr=auc_pr, prevalence=0.1).n_positive
        for width in widths
    ]
    ax.plot(widths, n, "o-", color=color)
    ax.text(
        widths[0] * 0.97, n[0], f"AUC-PR {auc_pr}", color=color, ha="right", va="center"
    )
ax.set(
    xscale="log",
    yscale="log",
    xlim=(0.028, 0.31),
    xlabel="Width of the 95 % interval",
    ylabel="Positives needed",
    xticks=[0.05, 0.1, 0.2],
    xticklabels=["0.05", "0.1", "0.2"],
    title="Prevalence 0.1",
)
ax.minorticks_off()
