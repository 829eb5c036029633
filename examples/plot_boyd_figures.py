"""
======================================================
Unachievable region: figures 1, 3 and 4 of Boyd et al.
======================================================

Not every point of precision-recall space is achievable. At recall 1, precision is at least
the prevalence. The figures of [1]_ show the unachievable region, how it grows with the
prevalence, and what it means for the F1 score. They follow from the prevalence alone. The
recall ranges in figure 3 and the coordinates of the points in figure 4 are our choice,
because the text of the paper does not state them.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/boyd_figures.png"

import matplotlib.pyplot as plt
import numpy as np

from sklearn_achievable_pr import (
    AchievablePRDisplay,
    auc_pr_min,
    f1_above_chance_score,
    is_achievable,
    precision_min,
)

# %%
# Figure 1: the minimum curve
# ---------------------------
# One positive for two negatives. In the worst ranking every negative comes first; its curve
# is the minimum curve. The area below it is part of the AUC-PR of every model.

y = np.repeat([0, 1], [200, 100])
worst_first = np.arange(300)[::-1]
no_skill = np.zeros(300)

display = AchievablePRDisplay.from_predictions(y, worst_first, name="Worst ranking")
AchievablePRDisplay.from_predictions(y, no_skill, name="Constant score", ax=display.ax_)
display.ax_.set_title("Minimum curve at prevalence 1/3")

print(f"Minimum AUC-PR at prevalence 1/3: {auc_pr_min(1 / 3):.3f}")

# %%
# The paper's Table 1: with 100 positives and 200 negatives, precision 0.2 is achievable at
# recalls 0.2 and 0.4, but not at 0.6.

for recall in (0.2, 0.4, 0.6):
    print(
        f"recall {recall}: precision at least {precision_min(recall, 1 / 3):.3f};",
        "0.2 is achievable" if is_achievable(0.2, recall, 1 / 3) else "0.2 is not",
    )

# %%
# Figure 3: minimum AUC-PR and prevalence
# ---------------------------------------
# The minimum mean precision over all recalls, and over high recalls only, where most of the
# unachievable region is. Raising the prevalence from 0.01 to 0.5, for example by
# down-sampling negatives, adds 0.3 to the minimum of every model.

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
# Figure 4: three points with one F1 score
# ----------------------------------------
# A, B and C have the same F1 score, 0.45, at prevalence 0.33. A is unachievable: no
# confusion matrix has these values. B is hardly better than chance. C is a useful
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
# .. [1] K. Boyd, V. Santos Costa, J. Davis and C. D. Page (2012). Unachievable region in
#    precision-recall space and its effect on empirical evaluation. Proceedings of the 29th
#    International Conference on Machine Learning. :arxiv:`1206.4667`

plt.show()
