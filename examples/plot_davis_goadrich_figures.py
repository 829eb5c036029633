"""
==================================
Davis and Goadrich, figures 5 to 7
==================================

Three pictures of [1]_ carry its message. The best curve that a set of thresholds can give
is the ROC convex hull, seen in precision-recall space. Between two points of that space
the curve is bent. And a better area under the ROC curve may be a worse one here.

Figure 6 and curve II of figure 7 are drawn from the counts in the text. Curve I of figure
7 is drawn from the only counts that give both published areas. Figure 5 has no data in
the paper: the picture is made here from 60 scores.
"""

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
    """Move the legend out of the picture."""
    legend = ax.get_legend()
    legend.set_loc("upper center")
    legend.set_bbox_to_anchor((0.5, -0.14), ax.transAxes)


# %%
# Figure 5: the hull, in both spaces
# ----------------------------------
# A hull in ROC space discards the points below it. The same points lie below the
# achievable curve, which is no convex hull itself: its pieces are bent.

rng = np.random.default_rng(5)
y = np.repeat([1, 0], [20, 40])
score = np.round(rng.normal(size=60) + 0.9 * y, 1)

figure, (roc, pr) = plt.subplots(1, 2, figsize=(9.6, 5.8), layout="compressed")
fpr, tpr, _ = roc_curve(y, score)
roc.plot(fpr, tpr, marker=".", color="#0072B2", label="all thresholds")
fpr, tpr, _ = roc_convex_hull(y, score)
roc.plot(fpr, tpr, "--", marker="s", color="#D55E00", label="convex hull")
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
    name="60 scores",
    curve_kwargs=[{"color": "#0072B2"}, {"color": "#D55E00"}],
)
roc.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), fontsize="small")
legend_below(pr)
pr.set_title("Precision-recall space")

empirical = auc_pr_interpolated(y, score)
achievable = auc_pr_interpolated(y, score, curve="achievable")
print(f"Area through all thresholds {empirical:.3f}, achievable {achievable:.3f}")

# %%
# Figure 6: a straight line that promises the earth
# -------------------------------------------------
# Of 433 positives and 56,164 negatives 9 positives are found first, then everything else
# as one block. A straight line from (.02, 1) to (1, .008) has half the square below it.
# Nobody can have those points: to find one more positive costs 132 false alarms.

precision, recall, _ = pr_curve_from_counts(
    [9], [0], n_pos=433, n_neg=56_164, interpolate=False
)
exact = auc_pr_from_counts([9], [0], n_pos=433, n_neg=56_164)
straight = auc(recall, precision)

figure, ax = plt.subplots(figsize=(5.6, 5), layout="constrained")
AchievablePRDisplay(
    precision, recall, auc_pr=exact, name="Davis-Goadrich", prevalence=433 / 56_597
).plot(ax)
ax.plot(
    recall,
    precision,
    linestyle=(0, (8, 3)),
    color="#D55E00",
    label=f"straight line\n(area = {straight:.2f}, cannot be had)",
)
ax.legend(loc="upper right", fontsize="small")
ax.set_title("One point (.02, 1) and the end points")

print(f"Exact {exact:.4f}; straight line {straight:.3f}")

# %%
# The paper prints .031 and .50. The exact area of 9 found positives is .0295; points one
# true positive apart, joined by trapezoids, give .0303 (AUCCalculator, the authors'
# program). With 8 positives, or with .02 x 433 = 8.66 of them, the area is smaller still:
# the .031 is not reproduced by any reading of the text.

for found in (8, 8.66, 9):
    area = auc_pr_from_counts([found], [0], n_pos=433, n_neg=56_164)
    print(f"{found:>5} positives first: {area:.4f}")

# %%
# Figure 7: the better ROC curve is the worse ranking
# ---------------------------------------------------
# Of 20 positives and 2000 negatives, curve I finds 9 positives before any negative, 4 more
# within the next 84 negatives, and the rest late. Curve II finds every positive within the
# first 500 negatives, evenly spread. Areas under the ROC curve prefer II. Whoever reads the
# list from the top prefers I.

curves = {"I": ([9, 13, 20], [0, 84, 2000]), "II": ([20], [500])}
styles = {"I": ("#0072B2", "-"), "II": ("#D55E00", "--")}

figure, (roc, pr) = plt.subplots(1, 2, figsize=(9.6, 5.8), layout="compressed")
for name, (tps, fps) in curves.items():
    colour, line = styles[name]
    fpr = np.concatenate(([0], fps, [2000])) / 2000
    tpr = np.concatenate(([0], tps, [20])) / 20
    auc_roc = auc(fpr, tpr)
    roc.plot(
        fpr, tpr, color=colour, linestyle=line, label=f"curve {name} (area = {auc_roc:.3f})"
    )
    area = auc_pr_from_counts(tps, fps, n_pos=20, n_neg=2000)
    precision, recall, _ = pr_curve_from_counts(tps, fps, n_pos=20, n_neg=2000)
    AchievablePRDisplay(
        precision, recall, auc_pr=area, name=f"curve {name}", prevalence=20 / 2020
    ).plot(pr, curve_kwargs={"color": colour, "linestyle": line})
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
# The four areas are those of the paper: .813 and .875 in ROC space, .514 and .038 here.
#
# .. [1] J. Davis and M. Goadrich (2006). The relationship between precision-recall and
#    ROC curves. Proceedings of the 23rd International Conference on Machine Learning,
#    233-240. :doi:`10.1145/1143844.1143874`

plt.show()
# sphinx_gallery_thumbnail_number = 2
