"""
===================================================
Thresholds from tuning folds and from the test data
===================================================

The default threshold, probability 1/2, is rarely the best for rare events, and a
threshold chosen on the test data looks better than it is. This example tunes thresholds
on folds with `HullThresholdClassifierCV` and compares them with the default threshold and
with scikit-learn's :class:`~sklearn.model_selection.TunedThresholdClassifierCV`.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/hull_thresholds.png"

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer, precision_score, recall_score
from sklearn.model_selection import TunedThresholdClassifierCV, train_test_split
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_achievable_pr import (
    HullThresholdClassifierCV,
    achievable_pr_curve,
    auc_pr_interpolated,
    pr_curve_interpolated,
)


def report(name, model, X, y, pos_label=1):
    """Print F1, recall and precision on the test data."""
    predicted = model.predict(X)
    f1, recall, precision = (
        metric(y, predicted, pos_label=pos_label, zero_division=0.0)
        for metric in (f1_score, recall_score, precision_score)
    )
    print(f"{name:32s}{f1:8.3f}{recall:8.3f}{precision:11.3f}")
    return f1, recall, precision


HEADER = f"{'':32s}{'F1':>8s}{'recall':>8s}{'precision':>11s}"

# %%
# Breast cancer: a required recall
# --------------------------------
#
# The positive class is "malignant". A clinic asks for recall 0.98 and then for the best
# precision.

data = load_breast_cancer()
labels = data.target_names[data.target]
X_train, X_test, y_train, y_test = train_test_split(
    data.data, labels, test_size=0.5, stratify=labels, random_state=0
)
base = make_pipeline(StandardScaler(), LogisticRegression())
malignant_f1 = make_scorer(f1_score, pos_label="malignant")
models = {
    "default threshold": base,
    "TunedThresholdClassifierCV": TunedThresholdClassifierCV(base, scoring=malignant_f1),
    "HullThresholdClassifierCV": HullThresholdClassifierCV(base, pos_label="malignant"),
    "hull, precision, recall >= 0.98": HullThresholdClassifierCV(
        base, objective="precision", min_recall=0.98, pos_label="malignant"
    ),
}
print(HEADER)
for name, model in models.items():
    report(name, model.fit(X_train, y_train), X_test, y_test, pos_label="malignant")

# %%
# Both tuners of F1 give similar results for these scores, and none improves on the default
# threshold. With the constraint more tumors are found, at the cost of precision. The
# constraint is met on the tuning set. The test set has about a hundred tumors, so one
# tumor changes its recall by 0.01.

constrained = models["hull, precision, recall >= 0.98"]
print(constrained.operating_point_)

# %%
# Digits: rare events and extreme scores
# --------------------------------------
#
# One digit against the rest, with four fifths of its images removed: about 2 % are
# positive. The probabilities of naive Bayes are close to 0 and 1, where an evenly spaced
# grid has few cut-offs. The hull's thresholds lie where the scores are.

digits = load_digits()


def rare_digit(digit):
    """Training and test data with about 2 % images of this digit."""
    y = (digits.target == digit).astype(int)
    kept = (y == 0) | (np.random.default_rng(digit).random(len(y)) < 0.2)
    return train_test_split(
        digits.data[kept], y[kept], test_size=0.5, stratify=y[kept], random_state=0
    )


def fast_f1(y_true, y_pred):
    """F1 without input checks, because it is called for 5000 cut-offs."""
    return 2 * np.sum(y_true & y_pred) / (np.sum(y_true) + np.sum(y_pred))


methods = {
    "default threshold": MultinomialNB,
    "TunedThresholdClassifierCV": lambda: TunedThresholdClassifierCV(
        MultinomialNB(), scoring=make_scorer(fast_f1)
    ),
    "HullThresholdClassifierCV": lambda: HullThresholdClassifierCV(MultinomialNB()),
}
fitted = {name: [] for name in methods}
found = {name: [] for name in methods}
for digit in range(10):
    X_train, X_test, y_train, y_test = rare_digit(digit)
    for name, make_model in methods.items():
        model = make_model().fit(X_train, y_train)
        fitted[name].append(model)
        found[name].append(f1_score(y_test, model.predict(X_test)))

print("test F1 of each digit" + " " * 10 + "".join(f"{digit:5d}" for digit in range(10)))
for name, values in found.items():
    row = "".join(f"{value:5.2f}" for value in values)
    print(f"{name:31s}{row}   mean {np.mean(values):.3f}")

# %%
# The two tuners are close for most digits. For the 8, the threshold from the grid is worse
# than the default.

# %%
# Test curve at frozen thresholds
# -------------------------------
#
# The decision function of the hull classifier is the number of its thresholds that a
# sample reaches. A curve drawn from it has these thresholds and no others. The hull of
# the test data is optimistic.

_, X_test, _, y_test = rare_digit(8)
tuned = {name: models[8] for name, models in fitted.items()}
hull = tuned["HullThresholdClassifierCV"]
base_score = hull.estimator_.predict_proba(X_test)[:, 1]
print(HEADER)
points = {name: report(name, model, X_test, y_test) for name, model in tuned.items()}

BLUE, VERMILION, BLACK = "#0072B2", "#D55E00", "#000000"
fig, ax = plt.subplots(figsize=(8.4, 4.6), layout="constrained")
precision, recall, _ = achievable_pr_curve(y_test, base_score)
ax.plot(recall, precision, "--", color=VERMILION, label="Hull of the test data")
precision, recall, _ = pr_curve_interpolated(y_test, hull.decision_function(X_test))
ax.plot(recall, precision, "-", color=BLUE, label="Test curve at frozen thresholds")
precision, recall, _ = pr_curve_interpolated(
    y_test, hull.decision_function(X_test), interpolate=False
)
ax.plot(recall[:-1], precision[:-1], "o", ms=4, color=BLUE, label="Frozen thresholds")
for (name, (_, recall, precision)), marker in zip(points.items(), "sD*", strict=True):
    ax.plot(recall, precision, marker, ms=10, mfc="none", mew=1.6, color=BLACK, label=name)
ax.axhline(y_test.mean(), color="0.5", ls=":", label="Prevalence")
ax.set(
    xlabel="Recall", ylabel="Precision", xlim=(0, 1.02), ylim=(0, 1.06),
    title="The digit 8 against the rest, test set",
)  # fmt: skip
ax.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), fontsize="small", labelspacing=0.9)
plt.show()

# %%
# Optimism of the hull of the test data
# -------------------------------------
#
# Labels are drawn independently of the features, 200 times. Naive Bayes is tuned on one
# part of the data and tested on another. The difference from the AUC-PR of randomly
# permuted test labels should be 0 on average.

rng = np.random.default_rng(0)
at_frozen, on_test_hull = [], []
for _ in range(200):
    X = rng.normal(size=(400, 4))
    y = rng.permutation(np.arange(400) % 8 == 0)
    scorer = GaussianNB().fit(X[:100], y[:100])
    model = HullThresholdClassifierCV(FrozenEstimator(scorer)).fit(X[100:250], y[100:250])
    y_test, X_test = y[250:], X[250:]
    level = model.decision_function(X_test)
    chance = auc_pr_interpolated(rng.permutation(y_test), level)
    at_frozen.append(auc_pr_interpolated(y_test, level) - chance)
    score = scorer.predict_proba(X_test)[:, 1]
    on_test_hull.append(auc_pr_interpolated(y_test, score, curve="achievable") - chance)

differences = {
    "Frozen\nthresholds": at_frozen,
    "Hull of the\ntest data": on_test_hull,
}
fig, ax = plt.subplots(figsize=(7, 3), layout="constrained")
for row, (difference, color, marker) in enumerate(
    zip(differences.values(), (BLUE, VERMILION), "ox", strict=True)
):
    height = row + rng.uniform(-0.25, 0.25, len(difference))
    ax.plot(difference, height, marker, ms=3.5, color=color, alpha=0.5)
    mean, error = np.mean(difference), np.std(difference, ddof=1) / np.sqrt(len(difference))
    ax.plot([mean, mean], [row - 0.36, row + 0.36], "-", lw=2.5, color=BLACK)
    ax.annotate(
        f"mean {mean:+.3f} ± {error:.3f}", (mean, row + 0.38), ha="center", va="bottom",
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
    )  # fmt: skip
    print(f"{list(differences)[row].replace(chr(10), ' '):32s} {mean:+.4f} ± {error:.4f}")
ax.axvline(0, color="0.4", ls=":")
ax.set(
    yticks=[0, 1], yticklabels=list(differences), ylim=(-0.5, 1.7),
    xlabel="AUC-PR minus its value for permuted labels",
    ylabel="Thresholds", title="Labels independent of the features: 200 repetitions",
)  # fmt: skip
plt.show()

# %%
# Conclusion
# ----------
#
# - Choose the threshold on tuning folds, and report its recall and precision on test data.
# - If the scores are well spread, any tuner works. Use `HullThresholdClassifierCV` if a
#   recall, a precision or costs are given.
# - If the scores are extreme and events are rare, as with naive Bayes, use it as well: it
#   finds thresholds that a grid misses.
# - Do not report the hull of the test data as the performance on new data: here its AUC-PR
#   is above chance even for labels that are independent of the features.
