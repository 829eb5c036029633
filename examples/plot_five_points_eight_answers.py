"""
=================================
Five untied points, eight answers
=================================

Two positives and three negatives, ranked + - + - -, no ties. What is the area under the
precision-recall curve? It depends on what is drawn between the points, what is done at
recall 0, and what counts as nothing. This example computes eight answers that are in use,
draws where they come from, and then looks at ties, where the order of the rows decides in
some programs.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import auc, average_precision_score, precision_recall_curve

from sklearn_achievable_pr import (
    AchievablePRDisplay,
    auc_pr_interpolated,
    aucnpr,
    normalized_average_precision_score,
)

# %%
# Eight rules
# -----------

y = np.array([1, 0, 1, 0, 0])
score = np.array([5, 4, 3, 2, 1])


def eleven_points(y_true, y_score):
    """Mean of the highest precision to the right of recalls 0, .1, ..., 1."""
    precision, recall, _ = precision_recall_curve(y_true, y_score)
    levels = np.arange(11) / 10
    return np.mean([precision[recall >= level].max() for level in levels])


precision, recall, _ = precision_recall_curve(y, score)
answers = {
    "exact": auc_pr_interpolated(y, score),
    "achievable": auc_pr_interpolated(y, score, curve="achievable"),
    "average precision": average_precision_score(y, score),
    "eleven points": eleven_points(y, score),
    "straight lines": auc(recall, precision),
    "the same from the first threshold": auc(recall[:-1], precision[:-1]),
    "AUCNPR": aucnpr(y, score),
    "normalised average precision": normalized_average_precision_score(y, score),
}
for rule, answer in answers.items():
    print(f"{rule:>34}: {answer:.3f}")

# %%
# None of the eight is a bug; but only the first is the area under the curve that this
# ranking has, and only the second is the best that its thresholds can give. Steps (average
# precision) and straight lines are drawn beside them. Without the stretch from recall 0
# to the first threshold a half of the area is gone. The last two start to count where the
# worst ranking ends.

figure, (left, right) = plt.subplots(
    1, 2, figsize=(10.4, 6), layout="compressed", width_ratios=(1.1, 1)
)
AchievablePRDisplay.from_predictions(y, score, curve="both", name="+ - + - -", ax=left)
left.plot(
    recall, precision, color="#009E73", linestyle="-.", marker="o", label="straight lines"
)
left.step(
    recall,
    precision,
    color="#CC79A7",
    linestyle=(0, (1, 1)),
    where="post",
    label="steps",
)
left.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), fontsize="small")

bars = right.barh(list(answers), list(answers.values()), color="#56B4E9", edgecolor="black")
right.bar_label(bars, fmt="%.3f", padding=3)
right.invert_yaxis()
right.set(xlim=(0, 1.1), title="Area by rule")

# %%
# What programs print
# -------------------
# Ten untied rows, three of them positive, and what eight programs of the day print for
# them. They agree where they interpolate as Davis and Goadrich say (PRROC, precrec,
# Keras), up to bins and single precision.

y = [0, 0, 1, 0, 1, 1, 0, 0, 0, 0]
score = -np.arange(10)
printed = {
    "PRROC 1.4, auc.integral": 0.324225,
    "precrec 0.14.4": 0.324225,
    "Keras 3.15.1, midpoints as thresholds": 0.324225,
    "PRROC 1.4, auc.davis.goadrich": 0.313889,
    "AUCCalculator (Java)": 0.369444,
    "raucpr 2013, convex hull": 0.5,
    "scikit-learn 1.9.1, average_precision_score": 0.411111,
    "scikit-learn 1.9.1, auc of the curve": 0.313889,
    "MLmetrics 1.1.1, PRAUC": 0.313889,
    "ROCR 1.0.11, aucpr": 0.494444,
}
for program, value in printed.items():
    print(f"{program:>44}: {value:.6f}")
print(f"\n{'exact, here':>44}: {auc_pr_interpolated(y, score):.6f}")
print(f"{'achievable, here':>44}: {auc_pr_interpolated(y, score, curve='achievable'):.6f}")
dg = auc_pr_interpolated(y, score, method="davis_goadrich")
print(f"{'the program of Davis and Goadrich, here':>44}: {dg:.6f}")

# %%
# Ties
# ----
# Ten rows, three positive; one positive stands out and the other nine rows are tied. A
# tie is one step of the ROC path: the curve goes through it bent, whatever the order of
# the rows. Who breaks ties by the order of the rows gets anything between the two ends.

y = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
score = np.array([0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0])
precision, recall, _ = precision_recall_curve(y, score)

display = AchievablePRDisplay.from_predictions(y, score, name="tie as one step")
for word, broken, colour, line in (
    ("positives first", score + 1e-3 * y, "#D55E00", "--"),
    ("negatives first", score - 1e-3 * y, "#009E73", "-."),
):
    AchievablePRDisplay.from_predictions(
        y,
        broken,
        name=f"tie broken, {word}",
        ax=display.ax_,
        curve_kwargs={"color": colour, "linestyle": line},
    )
display.ax_.set_title("One positive ahead of a tie")

print(f"{'exact':>18}: {auc_pr_interpolated(y, score):.4f}")
print(f"{'average precision':>18}: {average_precision_score(y, score):.4f}")
print(f"{'straight lines':>18}: {auc(recall, precision):.4f}")
dg = auc_pr_interpolated(y, score, method="davis_goadrich")
print(f"{'AUCCalculator':>18}: {dg:.4f}")

# %%
# Five rows are enough to disagree by .6, ten rows with ties by more than .2. Say which
# area is meant, and take the same one for all models that are compared.

plt.show()
