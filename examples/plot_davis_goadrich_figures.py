"""
===================================================
Interpolation: figures 5 to 7 of Davis and Goadrich
===================================================

Three figures of [1]_ show its main results. The best curve for a set of thresholds is
the ROC convex hull, mapped to precision-recall space. Between two points of that space
the curve is a hyperbola. The model with the better AUC-ROC can have the worse AUC-PR.

Figure 6 and curve II of figure 7 use the counts in the text. Curve I of figure 7 uses the
only integer counts that give both published areas. Figure 5 has no data in the paper; 60
simulated scores are used instead.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/davis_goadrich_figures.png"

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import auc, roc_curve

from sklearn_achievable_pr import (
    AchievablePRDisplay,
    auc_pr_from_counts,
    auc_pr_interpolated,
    pr_curve_from_counts,
    roc_convex_hull,
)


def legend_below(ax):
    """Move the legend below the axes."""
    legend = ax.get_legend()
    legend.set_loc("upper center")
    legend.set_bbox_to_anchor((0.5, -0.14), ax.transAxes)


# %%
# Figure 5: the hull, in both spaces
# ----------------------------------
# The hull in ROC space discards the points below it. The same points lie below the
# achievable curve, which is not a convex hull itself: its segments are hyperbolas.

rng = np.random.default_rng(5)
y = np.repeat([1, 0], [20, 40])
score = np.round(rng.normal(size=60) + 0.9 * y, 1)

figure, (roc, pr) = plt.subplots(1, 2, figsize=(9.6, 5.8), layout="compressed")
fpr, tpr, _ = roc_curve(y, score)
roc.plot(fpr, tpr, marker=".", color="#0072B2", label="All thresholds")
fpr, tpr, _ = roc_convex_hull(y, score)
roc.plot(fpr, tpr, "--", marker="s", color="#D55E00", label="Convex hull")
roc.set(
    xlabel="False positive rate",
    ylabel="True positive rate",
    aspect="equal",
    title="ROC space",
)
AchievablePRDisplay.from_predictions(
    y,
    score,
    curve="both",
    ax=pr,
    curve_kwargs=[{"color": "#0072B2"}, {"color": "#D55E00"}],
)
roc.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), fontsize="small")
legend_below(pr)
pr.set_title("Precision-recall space")

empirical = auc_pr_interpolated(y, score)
achievable = auc_pr_interpolated(y, score, curve="achievable")
print(f"Empirical AUC-PR {empirical:.3f}, achievable AUC-PR {achievable:.3f}")

# %%
# Figure 6: linear interpolation
# ------------------------------
# Of 433 positives and 56,164 negatives, 9 positives are ranked first; all other samples
# are tied. A straight line from (0.02, 1) to (1, 0.008) encloses half of the square. No
# classifier reaches its points: each further positive costs 132 false positives.

precision, recall, _ = pr_curve_from_counts(
    [9], [0], n_pos=433, n_neg=56_164, interpolate=False
)
exact = auc_pr_from_counts([9], [0], n_pos=433, n_neg=56_164)
straight = auc(recall, precision)

figure, ax = plt.subplots(figsize=(5.6, 5), layout="constrained")
AchievablePRDisplay(
    precision, recall, auc_pr=exact, name="Exact curve", prevalence=433 / 56_597
).plot(ax)
ax.plot(
    recall,
    precision,
    linestyle=(0, (8, 3)),
    color="#D55E00",
    label=f"Linear interpolation\n(area {straight:.2f}, unachievable)",
)
ax.legend(loc="upper right", fontsize="small")
ax.set_title("9 of 433 positives first, then a tie")

print(f"Exact {exact:.4f}; linear interpolation {straight:.3f}")

# %%
# The paper prints 0.031 and 0.50. The exact area with 9 positives is 0.0295; trapezoids
# between points one true positive apart give 0.0303 (AUCCalculator, the authors'
# program). With 8 positives, or 0.02 x 433 = 8.66 of them, the area is smaller. No
# reading of the text reproduces 0.031.

for found in (8, 8.66, 9):
    area = auc_pr_from_counts([found], [0], n_pos=433, n_neg=56_164)
    print(f"{found:>5} positives first: {area:.4f}")

# %%
# Figure 7: AUC-ROC and AUC-PR disagree
# -------------------------------------
# Of 20 positives and 2000 negatives, curve I ranks 9 positives before any negative, 4 more
# within the next 84 negatives, and the others late. Curve II ranks all positives within the
# first 500 negatives, evenly spread. AUC-ROC prefers II; AUC-PR prefers I, whose top of the
# list is better.

curves = {"I": ([9, 13, 20], [0, 84, 2000]), "II": ([20], [500])}
styles = {"I": ("#0072B2", "-"), "II": ("#D55E00", "--")}

figure, (roc, pr) = plt.subplots(1, 2, figsize=(9.6, 5.8), layout="compressed")
for name, (tps, fps) in curves.items():
    color, line = styles[name]
    fpr = np.concatenate(([0], fps, [2000])) / 2000
    tpr = np.concatenate(([0], tps, [20])) / 20
    auc_roc = auc(fpr, tpr)
    roc.plot(
        fpr,
        tpr,
        color=color,
        linestyle=line,
        label=f"Curve {name} (AUC-ROC = {auc_roc:.3f})",
    )
    area = auc_pr_from_counts(tps, fps, n_pos=20, n_neg=2000)
    precision, recall, _ = pr_curve_from_counts(tps, fps, n_pos=20, n_neg=2000)
    AchievablePRDisplay(
        precision, recall, auc_pr=area, name=f"Curve {name}", prevalence=20 / 2020
    ).plot(pr, curve_kwargs={"color": color, "linestyle": line})
    print(f"Curve {name}: AUC-ROC {auc_roc:.3f}, AUC-PR {area:.3f}")
roc.set(
    xlabel="False positive rate",
    ylabel="True positive rate",
    aspect="equal",
    title="ROC space",
)
roc.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), fontsize="small")
legend_below(pr)
pr.set_title("Precision-recall space")

# %%
# The four areas are those of the paper: AUC-ROC 0.813 and 0.875, AUC-PR 0.514 and 0.038.
#
# .. [1] J. Davis and M. Goadrich (2006). The relationship between precision-recall and
#    ROC curves. Proceedings of the 23rd International Conference on Machine Learning,
#    233-240. :doi:`10.1145/1143844.1143874`

plt.show()
