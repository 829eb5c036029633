"""A picture of theory/minimum.rst."""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import norm

from sklearn_achievable_pr import auc_pr_min, precision_min, roc_to_pr

recall = np.linspace(1e-4, 1, 400)
fpr = norm.cdf(norm.ppf(recall) - 1.5)
fig, ax = plt.subplots(figsize=(5.6, 4.8))
colors = {0.5: "#0072B2", 0.1: "#D55E00", 0.01: "#009E73"}
for prevalence, color in colors.items():
    precision, _ = roc_to_pr(fpr=fpr, tpr=recall, prevalence=prevalence)
    ax.plot(recall, precision, color=color, lw=2, label=f"Prevalence {prevalence}")
for prevalence, color in colors.items():
    ax.plot(
        recall,
        precision_min(recall, prevalence),
        ":",
        color=color,
        lw=2,
        label=f"Minimum curve (AUC-PR = {auc_pr_min(prevalence):.3f})",
    )
ax.set(
    xlabel="Recall",
    ylabel="Precision",
    ylim=(0, 1.02),
    title="One ROC curve at three prevalences",
)
fig.legend(fontsize="small", ncols=2, columnspacing=1, loc="outside lower center")
