"""
==================================================
Threshold with a constraint, costs, or a guarantee
==================================================

`HullThresholdDisplay` shows precision and recall at each threshold of the tuning set: the
constraint and the chosen threshold. Then costs replace the constraint. The last part
measures how often a recall constraint is met on new data, with and without a guarantee.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/threshold_choice.png"

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_achievable_pr import (
    HullThresholdClassifierCV,
    HullThresholdDisplay,
    choose_threshold,
)

# %%
# Required recall
# ---------------
#
# Tumours described by three features, so that the classes overlap. A screening must find
# 95 % of the malignant ones, with the best precision.

data = load_breast_cancer()
X, labels = data.data[:, [1, 4, 8]], data.target_names[data.target]
base = make_pipeline(StandardScaler(), LogisticRegression())
screening = HullThresholdClassifierCV(
    base,
    objective="precision",
    min_recall=0.95,
    pos_label="malignant",
    store_cv_results=True,
).fit(X, labels)
print(screening.operating_point_)

display = HullThresholdDisplay.from_estimator(screening)
display.ax_.set_title("Threshold for recall 0.95")
plt.show()

# %%
# The dots are the kept thresholds: the vertices of the ROC hull and the chosen threshold.
# The thresholds chosen on each fold alone vary widely: with about forty malignant tumors
# per fold, recall 0.95 means that two tumors are missed.

spread = screening.cv_results_["threshold"]
print("threshold from all folds: ", round(screening.threshold_, 2))
print("threshold from each fold: ", spread.round(2))

# %%
# Costs
# -----
#
# If errors have costs, no constraint is needed. Suppose a missed tumor costs four times
# as much as an unnecessary biopsy. A cost is a negative utility; the mean utility is
# maximized.

costs = {"fn": -4, "fp": -1}
by_cost = HullThresholdClassifierCV(
    base, objective=costs, pos_label="malignant", store_cv_results=True
).fit(X, labels)
print(by_cost.operating_point_)

display = HullThresholdDisplay.from_estimator(by_cost)
display.ax_.set_title("Threshold of lowest cost")
plt.show()

# %%
# Thresholds whose cost is within 5 % of the lowest have very different recalls.

curve = by_cost.tuning_curve_
n_pos = curve.tps[-1]
cost = 4 * (n_pos - curve.tps) + curve.fps
near = curve.tps[cost <= 1.05 * cost.min()] / n_pos
print(f"recalls within 5 % of the lowest cost: {near.min():.2f} to {near.max():.2f}")

# %%
# Recall guaranteed on new data
# -----------------------------
#
# A constraint met on the tuning set can be missed on new data. A classifier fitted on a
# third of the digits looks for eights, from eight features. The other images are the
# population, so the true recall of a threshold is known. From them 300 tuning sets of 600
# images are drawn, and a threshold for recall 0.8 is chosen on each.

digits = load_digits()
is_eight = (digits.target == 8).astype(int)
pixels = digits.data[:, ::8] + digits.data[:, 4::8]
fitted = make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced"))
fitted.fit(pixels[::3], is_eight[::3])
rest = np.arange(len(is_eight)) % 3 > 0
score, truth = fitted.predict_proba(pixels[rest])[:, 1], is_eight[rest]

MIN_RECALL = 0.8
rng = np.random.default_rng(0)
recall = {None: [], 0.9: []}
precision = {None: [], 0.9: []}
for _ in range(300):
    drawn = rng.integers(len(truth), size=600)
    for confidence in recall:
        point = choose_threshold(
            truth[drawn],
            score[drawn],
            objective="precision",
            min_recall=MIN_RECALL,
            confidence_level=confidence,
        )
        found = score >= point.threshold
        recall[confidence].append(found[truth == 1].mean())
        precision[confidence].append(truth[found].mean())

fig, axes = plt.subplots(2, 1, figsize=(7, 4.8), sharex=True, layout="constrained")
bins = (np.arange(60, 118, 2) - 0.5) / truth.sum()
for ax, confidence, color in zip(axes, recall, ("#D55E00", "#0072B2"), strict=True):
    below = np.mean(np.array(recall[confidence]) < MIN_RECALL)
    ax.hist(recall[confidence], bins, color=color, hatch=None if confidence else "//",
            edgecolor="white", lw=0.5)  # fmt: skip
    ax.axvline(MIN_RECALL, color="black", ls=":", label="Required recall")
    ax.set(ylabel="Number of tuning sets")
    ax.set_title(
        f"confidence_level={confidence}: missed in {below:.0%}, mean precision "
        f"{np.mean(precision[confidence]):.2f}",
        fontsize="medium",
        loc="left",
    )
axes[0].legend(loc="upper left", fontsize="small")
axes[1].set_xlabel("True recall at the chosen threshold")
fig.suptitle("True recall of 300 thresholds tuned for recall 0.8")
plt.show()

# %%
# Without ``confidence_level=`` the constraint is missed about half of the time. With
# confidence 0.9 it is missed for at most one in ten tuning sets, at some cost in precision.
# The guarantee is part of the operating point.

print(point)

# %%
# A guarantee needs positives. With too few, the error says how many are needed.

few = np.flatnonzero(truth == 0)[:100], np.flatnonzero(truth == 1)[:8]
few = np.concatenate(few)
try:
    choose_threshold(
        truth[few], score[few], objective="precision", min_recall=0.8, confidence_level=0.9
    )
except ValueError as error:
    print(error)
