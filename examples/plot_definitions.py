"""
=================================================================================
Why do programs print different AUC-PR, and when does it change the chosen model?
=================================================================================

Programs differ in how they interpolate between thresholds, where they begin the curve,
and how they break ties. For the same five samples, eight definitions in use give values
from 0.292 to 0.887. The definition can also change which model is chosen: in a search
for the depth of a decision tree, linear interpolation chooses one split, the other
definitions of the area choose depth 3, and AUC-ROC chooses depth 5.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/definitions.png"

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.metrics import (
    auc,
    average_precision_score,
    make_scorer,
    precision_recall_curve,
)
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from sklearn_achievable_pr import (
    AchievablePRDisplay,
    auc_pr_interpolated,
    aucnpr,
    get_scorer,
    normalized_average_precision_score,
)

# %%
# Eight definitions
# -----------------
# The five samples are two positives and three negatives without ties. From the highest to
# the lowest score, their classes are + - + - -.

y = np.array([1, 0, 1, 0, 0])
score = np.array([5, 4, 3, 2, 1])


def eleven_points(y_true, y_score):
    """Mean of the maximum precision at recalls of at least 0, 0.1, ..., 1."""
    precision, recall, _ = precision_recall_curve(y_true, y_score)
    levels = np.arange(11) / 10
    return np.mean([precision[recall >= level].max() for level in levels])


def linear_auc(y_true, y_score):
    """``auc(recall, precision)``: linear interpolation between the points."""
    precision, recall, _ = precision_recall_curve(y_true, y_score)
    return auc(recall, precision)


precision, recall, _ = precision_recall_curve(y, score)
answers = {
    "exact": auc_pr_interpolated(y, score),
    "achievable": auc_pr_interpolated(y, score, curve="achievable"),
    "average precision (step-wise)": average_precision_score(y, score),
    "eleven-point average": eleven_points(y, score),
    "linear": linear_auc(y, score),
    "linear, from the first threshold": auc(recall[:-1], precision[:-1]),
    "AUCNPR": aucnpr(y, score),
    "normalized average precision": normalized_average_precision_score(y, score),
}
for rule, answer in answers.items():
    print(f"{rule:>34}: {answer:.3f}")

# %%
# The exact area belongs to the curve of this ranking, and the achievable area to the
# convex hull of its ROC curve. "Linear, from the first threshold" leaves out the part
# from recall 0 to the first threshold, which is half of the area here. AUCNPR and
# normalized average precision are rescaled: the worst possible ranking has 0, and a
# perfect ranking has 1.

figure, ax = plt.subplots(figsize=(5, 6), layout="constrained")
display = AchievablePRDisplay.from_predictions(
    y, score, curve="both", name="Exact", legend=False, ax=ax
)
display.minimum_.set_label("Minimum curve")
display.chance_level_.set_label("Chance level")
ax.plot(recall, precision, "o-.", color="#009E73", label="Linear interpolation")
ax.step(
    recall, precision, color="#CC79A7", linestyle=(0, (1, 1)), where="post",
    label="Average precision (step-wise)",
)  # fmt: skip
ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16))
ax.set_title("Curves of five samples")

# %%
# Values printed by programs
# --------------------------
# The table has the values that programs print for ten samples without ties, of which
# three are positive. Programs that interpolate as Davis and Goadrich do (PRROC,
# precrec, Keras) agree, except for the effects of bins and of single precision.
# :doc:`/tools` has more programs and data.

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
for option, value in (("curve", "achievable"), ("method", "davis_goadrich")):
    area = auc_pr_interpolated(y, score, **{option: value})
    print(f"{f'the same, {option}={value!r}':>44}: {area:.6f}")

# %%
# Ties
# ----
# One positive has the highest score. The other nine samples are tied, and two of them are
# positive. A tie is one segment of the curve, whatever the order of the samples. Programs
# that break ties by the order of the samples print any value between the last two lines.

y = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
score = np.array([0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0])
for name, value in {
    "exact": auc_pr_interpolated(y, score),
    "average precision": average_precision_score(y, score),
    "linear": linear_auc(y, score),
    "AUCCalculator": auc_pr_interpolated(y, score, method="davis_goadrich"),
    "exact, positives first": auc_pr_interpolated(y, score + 1e-3 * y),
    "exact, negatives first": auc_pr_interpolated(y, score - 1e-3 * y),
}.items():
    print(f"{name:>22}: {value:.4f}")

# %%
# One search, six scorers
# -----------------------
# How deep should a decision tree be that finds the tenth of diabetes patients with the
# fastest progression?

X, progression = load_diabetes(return_X_y=True)
y = (progression >= np.quantile(progression, 0.9)).astype(int)
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
means = {name: search.cv_results_[f"mean_test_{name}"] for name in scoring}

print(f"{len(y)} patients, {y.sum()} positive: prevalence {y.mean():.3f}\n")
print(f"{'depth':>10}" + "".join(f"{depth:>8}" for depth in depths) + "   selected")
for name, values in means.items():
    row = "".join(f"{value:8.3f}" for value in values)
    print(f"{name:>10}{row}{depths[values.argmax()]:>11}")

# %%
# The stars mark the selected depth. Average precision is close to the exact AUC-PR here;
# linear interpolation gives a single split twice its exact AUC-PR.

figure, ax = plt.subplots(figsize=(6, 4.4), layout="constrained")
for (name, label), style, color in zip(
    {
        "AUC-PR": "AUC-PR, exact",
        "AP": "Average precision",
        "linear": "AUC-PR, linear",
    }.items(),
    ("o-", "s--", "D-."),
    ("#0072B2", "#CC79A7", "#009E73"),
    strict=True,
):
    best = means[name].argmax()
    ax.plot(means[name], style, color=color, label=label)
    ax.plot(best, means[name][best], "*", color=color, markersize=18)
ax.set_xticks(range(len(depths)), depths)
ax.set(
    xlabel="Depth of the tree",
    ylabel="Mean of 15 test folds",
    title="The definition changes the selected depth",
)
ax.legend()

# %%
# Overestimation by linear interpolation
# --------------------------------------
# On the first fold, the tree with one split has two distinct scores, so its curve has two
# segments. The line to the first threshold starts at (0, 1), a point that
# `precision_recall_curve` adds and no threshold has; the second segment is a hyperbola
# below the straight line. No random choice between the two thresholds reaches the area in
# between. Deeper trees have more thresholds, and the difference is smaller.

train, test = next(folds.split(X, y))
for depth in (3, 1):
    tree = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X[train], y[train])
    score = tree.predict_proba(X[test])[:, 1]
    linear, exact = linear_auc(y[test], score), auc_pr_interpolated(y[test], score)
    print(f"depth {depth}: linear {linear:.3f}, exact {exact:.3f}")

figure, ax = plt.subplots(figsize=(5, 5.6), layout="constrained")
display = AchievablePRDisplay.from_predictions(
    y[test], score, name="Exact", legend=False, ax=ax
)
display.minimum_.set_label("Minimum curve")
display.chance_level_.set_label("Chance level")
precision, recall, _ = precision_recall_curve(y[test], score)
ax.plot(
    recall, precision, "--", color="#009E73",
    label=f"Linear interpolation (area = {linear:.2f})",
)  # fmt: skip
# The area that no choice between the two thresholds reaches.
at = np.linspace(0, 1, 200)
on_curve = np.interp(at, display.recall[::-1], display.precision[::-1])
on_line = np.interp(at, recall[::-1], precision[::-1])
ax.fill_between(at, on_curve, on_line, color="#009E73", alpha=0.15)
ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16))
ax.set_title("Tree of depth 1, first test fold")

# %%
# State the definition, and use the same one for all models that are compared.

plt.show()
