"""
=========================================
Reproducing the figures of the two papers
=========================================

The package implements the curves and areas of two papers. Their figures can be drawn
again from the counts and prevalences that the papers state. The four areas of figure 7
of Davis and Goadrich [1]_ are those of the paper: AUC-ROC 0.813 and 0.875, and AUC-PR
0.514 and 0.038. One value differs: the exact area of their figure 6 is 0.0295, and the
paper prints 0.031. The minimum curve, the minimum AUC-PR and the F1 scores of Boyd et
al. [2]_ follow from the prevalence.

Curve I of figure 7 uses the only integer counts that give both published areas. The
paper has no data for figure 5, so 60 simulated scores are used instead. The text of
Boyd et al. does not state the recall ranges of figure 3 and the coordinates of the
points in figure 4, so these are our choice.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/papers.png"

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import auc, roc_curve

from sklearn_achievable_pr import (
    AchievablePRDisplay,
    auc_pr_from_counts,
    auc_pr_interpolated,
    auc_pr_min,
    f1_above_chance_score,
    is_achievable,
    pr_curve_from_counts,
    precision_min,
    roc_convex_hull,
)


def legend_below(ax):
    """Move the legend below the axes."""
    legend = ax.get_legend()
    legend.set_loc("upper center")
    legend.set_bbox_to_anchor((0.5, -0.14), ax.transAxes)


# %%
# Davis and Goadrich, figure 5: the hull in both spaces
# -----------------------------------------------------
# The convex hull in ROC space discards the points below it. The same points lie below the
# achievable curve in precision-recall space. The achievable curve is not a convex hull
# itself, because its segments are hyperbolas.

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
# Davis and Goadrich, figure 6: linear interpolation
# --------------------------------------------------
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
# The paper prints 0.031 for the exact curve and 0.50 for the straight line. The exact
# area with 9 positives is 0.0295. Trapezoids between points one true positive apart
# give 0.0303 (AUCCalculator, the authors' program). With 8 positives, or 0.02 x 433 =
# 8.66 of them, the area is smaller. No reading of the text reproduces 0.031.

for found in (8, 8.66, 9):
    area = auc_pr_from_counts([found], [0], n_pos=433, n_neg=56_164)
    print(f"{found:>5} positives first: {area:.4f}")

# %%
# Davis and Goadrich, figure 7: AUC-ROC and AUC-PR disagree
# ---------------------------------------------------------
# There are 20 positives and 2000 negatives. Curve I ranks 9 positives before any
# negative, 4 more positives within the next 84 negatives, and the others late. Curve II
# spreads all positives evenly among the first 500 negatives. AUC-ROC prefers curve II,
# and AUC-PR prefers curve I, whose top of the list is better.

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
# Boyd et al., figure 1: the minimum curve
# ----------------------------------------
# There is one positive for two negatives. In the worst ranking, every negative comes
# before the first positive, and its curve is the minimum curve. The area below this
# curve is part of the AUC-PR of every model.

y = np.repeat([0, 1], [200, 100])
worst_first = np.arange(300)[::-1]
no_skill = np.zeros(300)

# One score is reversed and the other constant on purpose.
warnings.filterwarnings("ignore", message="The scores rank negatives above positives")
warnings.filterwarnings("ignore", message="All samples have one score")

display = AchievablePRDisplay.from_predictions(y, worst_first, name="Worst ranking")
AchievablePRDisplay.from_predictions(y, no_skill, name="Constant score", ax=display.ax_)
display.ax_.set_title("Minimum curve at prevalence 1/3")

print(f"Minimum AUC-PR at prevalence 1/3: {auc_pr_min(1 / 3):.3f}")

# %%
# Table 1 of the paper has an example: with 100 positives and 200 negatives, precision
# 0.2 is achievable at recalls 0.2 and 0.4, but not at recall 0.6.

for recall in (0.2, 0.4, 0.6):
    print(
        f"recall {recall}: precision at least {precision_min(recall, 1 / 3):.3f};",
        "0.2 is achievable" if is_achievable(0.2, recall, 1 / 3) else "0.2 is not",
    )

# %%
# Boyd et al., figure 3: minimum AUC-PR and prevalence
# ----------------------------------------------------
# The picture has the minimum AUC-PR, divided by the width of the recall range, for all
# recalls and for high recalls only, where most of the unachievable region is. If the
# prevalence rises from 0.01 to 0.5, for example because negatives are down-sampled, the
# minimum AUC-PR of every model rises by 0.3.

prevalence = np.linspace(0.001, 0.999, 400)
figure, ax = plt.subplots(figsize=(6, 4.4), layout="constrained")
for low, color, line in (
    (0.0, "#0072B2", "-"),
    (0.5, "#D55E00", "--"),
    (0.8, "#009E73", "-."),
):
    share = auc_pr_min(prevalence, recall_range=(low, 1.0)) / (1.0 - low)
    ax.plot(prevalence, share, line, color=color, label=f"Recalls {low:g} to 1")
ax.set(
    xlabel="Prevalence",
    ylabel="Minimum AUC-PR / width of recall range",
    xlim=(0, 1),
    ylim=(0, 1),
    title="Minimum AUC-PR by prevalence",
)
ax.legend()

print(
    f"Prevalence 0.01: {auc_pr_min(0.01):.3f}; 0.1: {auc_pr_min(0.1):.3f}; "
    f"0.5: {auc_pr_min(0.5):.3f}"
)

# %%
# Boyd et al., figure 4: three points with one F1 score
# -----------------------------------------------------
# The points A, B and C have the same F1 score, 0.45, at prevalence 0.33. Point A is
# unachievable, because no confusion matrix has these values. Point B is hardly better
# than chance, and point C belongs to a useful classifier.

PREVALENCE = 0.33
F1 = 0.45
recalls = {"A": 1.0, "B": 0.67, "C": 0.32}
points = {
    name: (recall, F1 * recall / (2 * recall - F1)) for name, recall in recalls.items()
}

recall, precision = np.meshgrid(np.linspace(1e-3, 1, 300), np.linspace(1e-3, 1, 300))
figure, ax = plt.subplots(figsize=(5.8, 5.2), layout="constrained")
contours = ax.contour(
    recall,
    precision,
    2 * precision * recall / (precision + recall),
    levels=[0.1, 0.2, 0.3, 0.45, 0.6, 0.7, 0.8, 0.9],
    colors="#0072B2",
    linewidths=1,
)
others = [level for level in contours.levels if level != F1]
places = [(0.55 * level + 0.35, level) for level in others]
places = [(r, level * r / (2 * r - level)) for r, level in places]
ax.clabel(contours, others, fmt="%.2g", fontsize="small", manual=places)
recalls_of_minimum = np.linspace(0, 1, 200)
ax.fill_between(
    recalls_of_minimum,
    precision_min(recalls_of_minimum, PREVALENCE),
    facecolor="0.85",
    edgecolor="0.5",
    hatch="///",
    linewidth=0,
    alpha=0.7,
    label="Unachievable region",
)
ax.axhline(PREVALENCE, color="0.3", linestyle=":", label="Chance level")
for (name, (r, p)), marker in zip(points.items(), "XoD", strict=True):
    ax.plot(
        r, p, marker, color="#D55E00", markeredgecolor="black", markersize=9, clip_on=False
    )
    ax.annotate(name, (r, p), (-14, 10), textcoords="offset points", weight="bold")
ax.set(
    xlabel="Recall",
    ylabel="Precision",
    xlim=(0, 1.04),
    ylim=(0, 1.04),
    aspect="equal",
    title="F1 score: A, B and C have 0.45",
)
ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2)

# %%
# `f1_above_chance_score` distinguishes B from C: it is 0 where precision does not exceed
# the prevalence. The counts below have these values.

n_pos, n_neg = 330, 670
for name, (r, p) in points.items():
    tp = round(r * n_pos)
    fp = round(tp * (1 - p) / p)
    if not is_achievable(p, r, PREVALENCE):
        print(f"{name}: would need {fp} false positives of {n_neg} negatives")
        continue
    y_true = np.repeat([1, 0], [n_pos, n_neg])
    y_pred = np.repeat([1, 0, 1, 0], [tp, n_pos - tp, fp, n_neg - fp])
    above = f1_above_chance_score(y_true, y_pred)
    print(
        f"{name}: recall {r:.2f}, precision {p:.2f}, F1 {F1}, F1 above chance {above:.2f}"
    )

# %%
# .. [1] J. Davis and M. Goadrich (2006). The relationship between precision-recall and
#    ROC curves. Proceedings of the 23rd International Conference on Machine Learning,
#    233-240. :doi:`10.1145/1143844.1143874`
# .. [2] K. Boyd, V. Santos Costa, J. Davis and C. D. Page (2012). Unachievable region in
#    precision-recall space and its effect on empirical evaluation. Proceedings of the 29th
#    International Conference on Machine Learning. :arxiv:`1206.4667`

plt.show()
