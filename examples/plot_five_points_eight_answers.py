"""
=============================================
Eight definitions of the area on five samples
=============================================

Two positives and three negatives, ranked + - + - -, without ties. What is the area under
the precision-recall curve? The answer depends on the interpolation, on the treatment of
recall 0, and on the minimum that is subtracted. This example computes eight definitions
in use, then shows how ties make the result depend on the order of the samples in some
programs.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/five_points_eight_answers.png"

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
# Eight definitions
# -----------------

y = np.array([1, 0, 1, 0, 0])
score = np.array([5, 4, 3, 2, 1])


def eleven_points(y_true, y_score):
    """Mean of the maximum precision at recalls of at least 0, 0.1, ..., 1."""
    precision, recall, _ = precision_recall_curve(y_true, y_score)
    levels = np.arange(11) / 10
    return np.mean([precision[recall >= level].max() for level in levels])


precision, recall, _ = precision_recall_curve(y, score)
answers = {
    "exact": auc_pr_interpolated(y, score),
    "achievable": auc_pr_interpolated(y, score, curve="achievable"),
    "average precision (step-wise)": average_precision_score(y, score),
    "eleven-point average": eleven_points(y, score),
    "linear": auc(recall, precision),
    "linear, from the first threshold": auc(recall[:-1], precision[:-1]),
    "AUCNPR": aucnpr(y, score),
    "normalized average precision": normalized_average_precision_score(y, score),
}
for rule, answer in answers.items():
    print(f"{rule:>34}: {answer:.3f}")

# %%
# The exact area belongs to the curve of this ranking, the achievable area to the convex
# hull of its ROC curve. The left panel also has average precision (step-wise) and linear
# interpolation. Without the part from recall 0 to the first threshold, half of the area
# is missing. AUCNPR and normalized average precision subtract the minimum.

figure, (left, right) = plt.subplots(
    1, 2, figsize=(10.4, 6), layout="compressed", width_ratios=(1.1, 1)
)
display = AchievablePRDisplay.from_predictions(
    y, score, curve="both", name="Five samples", ax=left
)
# A legend of your own names only the curves, and what you label.
display.minimum_.set_label("Minimum curve")
display.chance_level_.set_label("Chance level")
left.plot(
    recall,
    precision,
    color="#009E73",
    linestyle="-.",
    marker="o",
    label="Linear interpolation",
)
left.step(
    recall,
    precision,
    color="#CC79A7",
    linestyle=(0, (1, 1)),
    where="post",
    label="Average precision (step-wise)",
)
left.set_title("Curves of five samples")
left.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), fontsize="small")

bars = right.barh(list(answers), list(answers.values()), color="#56B4E9", edgecolor="black")
right.bar_label(bars, fmt="%.3f", padding=3)
right.invert_yaxis()
right.set(xlim=(0, 1.1), title="Area by definition", xlabel="Area")

# %%
# Values printed by programs
# --------------------------
# Ten samples without ties, three of them positive, and the values that programs print for
# them. Programs agree where they interpolate as Davis and Goadrich do (PRROC, precrec,
# Keras), except for bins and single precision. :doc:`/tools` has more programs and data.

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
print(f"\n{'auc_pr_interpolated':>44}: {auc_pr_interpolated(y, score):.6f}")
achievable = auc_pr_interpolated(y, score, curve="achievable")
print(f"{'the same, achievable curve':>44}: {achievable:.6f}")
dg = auc_pr_interpolated(y, score, method="davis_goadrich")
print(f"{'the same, method davis_goadrich':>44}: {dg:.6f}")

# %%
# Ties
# ----
# Ten samples, three positive. One positive has the highest score, the other nine samples
# are tied. A tie is one segment of the curve, whatever the order of the samples. Programs
# that break ties by the order of the samples print any value between the two extremes.

y = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
score = np.array([0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0])
precision, recall, _ = precision_recall_curve(y, score)

display = AchievablePRDisplay.from_predictions(y, score, name="Tie as one segment")
for word, broken, color, line in (
    ("positives first", score + 1e-3 * y, "#D55E00", "--"),
    ("negatives first", score - 1e-3 * y, "#009E73", "-."),
):
    AchievablePRDisplay.from_predictions(
        y,
        broken,
        name=f"Tie broken, {word}",
        ax=display.ax_,
        curve_kwargs={"color": color, "linestyle": line},
    )
display.ax_.set_title("One positive, then a tie of nine samples")

print(f"{'exact':>18}: {auc_pr_interpolated(y, score):.4f}")
print(f"{'average precision':>18}: {average_precision_score(y, score):.4f}")
print(f"{'linear':>18}: {auc(recall, precision):.4f}")
dg = auc_pr_interpolated(y, score, method="davis_goadrich")
print(f"{'AUCCalculator':>18}: {dg:.4f}")

# %%
# Definitions differ by 0.6 on five samples, and by more than 0.2 on ten samples with
# ties. State the definition, and use the same one for all models that are compared.

plt.show()
