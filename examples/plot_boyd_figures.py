"""
==============================
Boyd et al., figures 1, 3, 4
==============================

Not every point of precision-recall space can be had. To find everything, one never has to
do worse than call everything positive; so precision at full recall is the prevalence at
least. The pictures of [1]_ show the region below, how it grows with the prevalence, and
what it makes of the F1 score. All of them follow from the prevalence alone; the text
available here does not state which ranges of recall figure 3 has, nor the coordinates of
the points in figure 4: these are ours.
"""

import matplotlib.pyplot as plt
import numpy as np

from sklearn_achievable_pr import (
    AchievablePRDisplay,
    auc_pr_min,
    f1_above_chance_score,
    is_achievable,
    min_precision,
)

# %%
# Figure 1: the minimum curve
# ---------------------------
# One positive for two negatives, and the worst of all rankings: every negative comes
# first. Its curve is the floor of every picture with this prevalence. What lies below
# counts in every area, though no model had to do anything for it.

y = np.repeat([0, 1], [200, 100])
worst_first = np.arange(300)[::-1]
no_skill = np.zeros(300)

display = AchievablePRDisplay.from_predictions(y, worst_first, name="worst ranking")
AchievablePRDisplay.from_predictions(y, no_skill, name="no skill", ax=display.ax_)
display.ax_.set_title("One positive for two negatives")

print(f"Area under the floor: {auc_pr_min(1 / 3):.3f}")

# %%
# The confusion matrix of the paper's Table 1: with 100 positives and 200 negatives,
# precision .2 can be had at recalls .2 and .4, but not at .6.

for recall in (0.2, 0.4, 0.6):
    print(
        f"recall {recall}: precision at least {min_precision(recall, 1 / 3):.3f};",
        "0.2 is achievable" if is_achievable(0.2, recall, 1 / 3) else "0.2 is not",
    )

# %%
# Figure 3: the floor grows with the prevalence
# ---------------------------------------------
# The share of the area that is had for free, over all recalls and over high ones only,
# where most of the floor is. Raising the prevalence from .01 to .5, e.g. by leaving out
# negatives, adds .3 to every area.

prevalence = np.linspace(0.001, 0.999, 400)
figure, ax = plt.subplots(figsize=(6, 4.4), layout="constrained")
for low, colour, line in (
    (0.0, "#0072B2", "-"),
    (0.5, "#D55E00", "--"),
    (0.8, "#009E73", "-."),
):
    share = auc_pr_min(prevalence, recall_range=(low, 1.0)) / (1.0 - low)
    ax.plot(prevalence, share, line, color=colour, label=f"recall {low} to 1")
ax.set(
    xlabel="Prevalence",
    ylabel="Free share of the area",
    xlim=(0, 1),
    ylim=(0, 1),
    title="Area below the minimum curve",
)
ax.legend()

print(
    f"Prevalence .01: {auc_pr_min(0.01):.3f}; .1: {auc_pr_min(0.1):.3f}; "
    f".5: {auc_pr_min(0.5):.3f}"
)

# %%
# Figure 4: three points with one F1 score
# ----------------------------------------
# A, B and C have the same F1 score, .45, at a prevalence of .33. A cannot exist: no
# confusion matrix has these numbers. B is hardly better than a guess. C is a working
# classifier.

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
ax.clabel(contours, others, fmt="%.2g", fontsize="small")
floor = np.linspace(0, 1, 200)
ax.fill_between(
    floor,
    min_precision(floor, PREVALENCE),
    facecolor="0.85",
    edgecolor="0.5",
    hatch="///",
    linewidth=0,
    alpha=0.7,
    label="unachievable",
)
ax.axhline(PREVALENCE, color="0.3", linestyle=":", label="no skill")
for (name, (r, p)), marker in zip(points.items(), "XoD", strict=True):
    ax.plot(
        r, p, marker, color="#D55E00", markeredgecolor="black", markersize=9, clip_on=False
    )
    ax.annotate(name, (r, p), (-9, 8), textcoords="offset points", weight="bold")
ax.set(
    xlabel="Recall",
    ylabel="Precision",
    xlim=(0, 1),
    ylim=(0, 1),
    aspect="equal",
    title="Contours of the F1 score; A, B and C have .45",
)
ax.legend(loc="upper right")

# %%
# `f1_above_chance_score` tells B from C: it gives nothing for a precision that the
# prevalence gives already. The rows below have these counts.

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
# .. [1] K. Boyd, V. Santos Costa, J. Davis and C. D. Page (2012). Unachievable region in
#    precision-recall space and its effect on empirical evaluation. Proceedings of the 29th
#    International Conference on Machine Learning. :arxiv:`1206.4667`

plt.show()
# sphinx_gallery_thumbnail_number = 3
