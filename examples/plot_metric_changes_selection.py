"""
===========================================
The metric decides which tree is selected
===========================================

How deep should a decision tree be that looks for the tenth of diabetes patients whose
disease will progress most? Cross-validation answers, but the answer depends on the area
that is maximised. The area under straight lines selects a tree with a single split,
because it is paid for what lies between its three points.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.metrics import auc, make_scorer, precision_recall_curve
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from sklearn_achievable_pr import (
    AchievablePRDisplay,
    auc_pr_interpolated,
    get_scorer,
)

X, progression = load_diabetes(return_X_y=True)
y = (progression >= np.quantile(progression, 0.9)).astype(int)
print(f"{len(y)} patients, {y.sum()} positive: prevalence {y.mean():.3f}\n")

# %%
# One search, many scorers
# ------------------------


def straight_lines(y_true, y_score):
    """Area under straight lines between precision-recall points."""
    precision, recall, _ = precision_recall_curve(y_true, y_score)
    return auc(recall, precision)


scoring = {
    "exact": get_scorer("auc_pr_interpolated"),
    "achievable": get_scorer("achievable_auc_pr"),
    "AUCNPR": get_scorer("aucnpr"),
    "AP": "average_precision",
    "AUC-ROC": "roc_auc",
    "straight": make_scorer(
        straight_lines, response_method=("decision_function", "predict_proba")
    ),
}
depths = [1, 2, 3, 5, 8]
folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
search = GridSearchCV(
    DecisionTreeClassifier(random_state=0),
    {"max_depth": depths},
    scoring=scoring,
    refit=False,
    cv=folds,
).fit(X, y)

print(f"{'depth':>10}" + "".join(f"{depth:>8}" for depth in depths) + "   selected")
for name in scoring:
    means = search.cv_results_[f"mean_test_{name}"]
    row = "".join(f"{mean:8.3f}" for mean in means)
    print(f"{name:>10}{row}{depths[means.argmax()]:>11}")

# %%
# The exact areas select three levels. AUC-ROC, to which the top of the ranking means
# little where positives are rare, selects five. Straight lines give a single split twice
# the area that it has.
#
# Where the free area comes from
# ------------------------------
# The first of the folds. The tree with one split has two distinct scores, so the curve
# consists of two pieces. The straight line to the first threshold starts at recall 0 and
# precision 1, a point that `precision_recall_curve` adds and no threshold has; the second
# piece is bent. So the area above the curve is nobody's. The deeper tree has more
# thresholds, and less to gain in this way.

train, test = next(folds.split(X, y))
figure, axes = plt.subplots(1, 2, figsize=(10, 4.8), layout="constrained")
for depth, ax in zip((1, 3), axes, strict=True):
    tree = DecisionTreeClassifier(max_depth=depth, random_state=0)
    score = tree.fit(X[train], y[train]).predict_proba(X[test])[:, 1]
    precision, recall, _ = precision_recall_curve(y[test], score)
    AchievablePRDisplay.from_predictions(y[test], score, name="the curve", ax=ax)
    straight = auc(recall, precision)
    ax.plot(
        recall,
        precision,
        color="#D55E00",
        linestyle="--",
        label=f"straight lines (area = {straight:.2f})",
    )
    ax.legend(loc="upper right", fontsize="x-small")
    ax.set_title(f"Depth {depth}")
    print(
        f"depth {depth}: straight lines {straight:.3f}, "
        f"exact {auc_pr_interpolated(y[test], score):.3f}"
    )

# %%
# Select by an area that a classifier can have.

plt.show()
