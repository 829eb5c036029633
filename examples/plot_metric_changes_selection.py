"""
====================================
Hyperparameter search by six metrics
====================================

How deep should a decision tree be that finds the tenth of diabetes patients with the
fastest progression? The selected depth depends on the metric. Linear interpolation
selects a tree with a single split, because it rewards the area between that tree's three
points.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/metric_changes_selection.png"

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.metrics import auc, make_scorer, precision_recall_curve
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from sklearn_achievable_pr import AchievablePRDisplay, auc_pr_interpolated, get_scorer

X, progression = load_diabetes(return_X_y=True)
y = (progression >= np.quantile(progression, 0.9)).astype(int)
print(f"{len(y)} patients, {y.sum()} positive: prevalence {y.mean():.3f}\n")

# %%
# One search, six scorers
# -----------------------


def linear_auc(y_true, y_score):
    """``auc(recall, precision)``: linear interpolation between the points."""
    precision, recall, _ = precision_recall_curve(y_true, y_score)
    return auc(recall, precision)


scoring = {
    "AUC-PR": get_scorer("auc_pr_interpolated"),
    "achievable": get_scorer("achievable_auc_pr"),
    "AUCNPR": get_scorer("aucnpr"),
    "AP": "average_precision",
    "AUC-ROC": "roc_auc",
    "linear": make_scorer(
        linear_auc, response_method=("decision_function", "predict_proba")
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
# AUC-PR selects depth 3. AUC-ROC, which weighs the top of the ranking little, selects
# depth 5. Linear interpolation gives a single split twice its exact AUC-PR.
#
# Overestimation by linear interpolation
# --------------------------------------
# On the first fold, the tree with one split has two distinct scores, so its curve has two
# segments. The line to the first threshold starts at (0, 1), a point that
# `precision_recall_curve` adds and no threshold has; the second segment is a hyperbola
# below the straight line. No classifier reaches the area in between. For the deeper tree,
# which has more thresholds, the difference is smaller.

train, test = next(folds.split(X, y))
figure, axes = plt.subplots(1, 2, figsize=(10, 6.8), layout="compressed")
for depth, ax in zip((1, 3), axes, strict=True):
    tree = DecisionTreeClassifier(max_depth=depth, random_state=0)
    score = tree.fit(X[train], y[train]).predict_proba(X[test])[:, 1]
    precision, recall, _ = precision_recall_curve(y[test], score)
    display = AchievablePRDisplay.from_predictions(
        y[test], score, name="Exact curve", ax=ax
    )
    # A legend of your own names only the curves, and what you label.
    display.minimum_.set_label("Minimum curve")
    display.chance_level_.set_label("Chance level")
    linear = auc(recall, precision)
    ax.plot(
        recall,
        precision,
        color="#D55E00",
        linestyle="--",
        label=f"Linear interpolation (area = {linear:.2f})",
    )
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), fontsize="small")
    ax.set_title(f"Tree of depth {depth}")
    print(
        f"depth {depth}: linear {linear:.3f}, "
        f"exact {auc_pr_interpolated(y[test], score):.3f}"
    )

plt.show()
