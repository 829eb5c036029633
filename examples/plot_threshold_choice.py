"""
================================================================
Which threshold? Best F1, a recall that holds on new data, costs
================================================================

Which threshold turns scores into decisions? This example chooses it in three ways. For
the best F1, rare digits and naive Bayes, the probability 1/2 has a mean test F1 of
0.53, and a tuned threshold has 0.70. For a required recall of 0.8, 44 % of 300
thresholds that reach it on the tuning set have a lower recall on new data; with a
guarantee of confidence 0.9, only 5 % do. For costs, if a missed tumor costs as much as
four biopsies, the threshold of lowest cost has recall 0.87 on the tuning set and 0.89
on the test set.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/threshold_choice.png"

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer, precision_score, recall_score
from sklearn.model_selection import TunedThresholdClassifierCV, train_test_split
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_achievable_pr import (
    HullThresholdClassifierCV,
    HullThresholdDisplay,
    choose_threshold,
)

# %%
# Best F1
# -------
# The task is to find one digit among all others. Four fifths of its images are removed,
# so about 2 % of the images are positive. The probabilities of naive Bayes are close to
# 0 and 1, where the evenly spaced grid of
# :class:`~sklearn.model_selection.TunedThresholdClassifierCV` has few thresholds.
# `HullThresholdClassifierCV` takes its thresholds from the scores.

digits = load_digits()


def rare_digit(digit):
    """Training and test data with about 2 % images of this digit."""
    y = (digits.target == digit).astype(int)
    kept = (y == 0) | (np.random.default_rng(digit).random(len(y)) < 0.2)
    return train_test_split(
        digits.data[kept], y[kept], test_size=0.5, stratify=y[kept], random_state=0
    )


def fast_f1(y_true, y_pred):
    """F1 without input checks, because it is called for 5000 thresholds."""
    return 2 * np.sum(y_true & y_pred) / (np.sum(y_true) + np.sum(y_pred))


models = {
    "probability 1/2": MultinomialNB(),
    "TunedThresholdClassifierCV": TunedThresholdClassifierCV(
        MultinomialNB(), scoring=make_scorer(fast_f1)
    ),
    "HullThresholdClassifierCV": HullThresholdClassifierCV(MultinomialNB()),
}
print("test F1 of each digit" + " " * 6 + "".join(f"{digit:5d}" for digit in range(10)))
for name, model in models.items():
    values = []
    for digit in range(10):
        X_train, X_test, y_train, y_test = rare_digit(digit)
        values.append(f1_score(y_test, model.fit(X_train, y_train).predict(X_test)))
    row = "".join(f"{value:5.2f}" for value in values)
    print(f"{name:27s}{row}   mean {np.mean(values):.2f}")

# %%
# The two tuners are close for most digits. For the 8, the threshold from the grid is
# worse than the probability 1/2.

# %%
# Required recall
# ---------------
# The samples are tumors, described by only three features so that the classes overlap. A
# screening must find 95 % of the malignant ones, with the best possible precision. The
# display shows recall and precision at each threshold of the tuning set.

data = load_breast_cancer()
X_train, X_test, y_train, y_test = train_test_split(
    data.data[:, [1, 4, 8]],
    data.target_names[data.target],
    test_size=0.3,
    stratify=data.target,
    random_state=0,
)
base = make_pipeline(StandardScaler(), LogisticRegression())
screening = HullThresholdClassifierCV(
    base,
    objective="precision",
    min_recall=0.95,
    pos_label="malignant",
    store_cv_results=True,
).fit(X_train, y_train)
print(screening.operating_point_)

display = HullThresholdDisplay.from_estimator(screening)
display.ax_.set_title("Threshold for recall 0.95")


def test_rates(model):
    """Print recall and precision on the test set."""
    predicted = model.predict(X_test)
    recall, precision = (
        metric(y_test, predicted, pos_label="malignant")
        for metric in (recall_score, precision_score)
    )
    print(f"Test set: recall {recall:.2f}, precision {precision:.2f}")


test_rates(screening)

# %%
# The dots are vertices of the ROC hull, and diamonds the chosen threshold. The thresholds
# that are chosen on each fold alone vary widely, because a fold has about 30 malignant
# tumors, and recall 0.95 means that only one of them is missed.

print("threshold from all folds: ", round(screening.threshold_, 2))
print("threshold from each fold: ", screening.cv_results_["threshold"].round(2))

# %%
# Costs
# -----
# If the costs of errors are known, no constraint is needed. Suppose that a missed tumor
# costs four times as much as an unnecessary biopsy. A cost is a negative utility, and
# the objective is the mean utility, which is maximized.

by_cost = HullThresholdClassifierCV(
    base, objective={"fn": -4, "fp": -1}, pos_label="malignant", store_cv_results=True
).fit(X_train, y_train)
print(by_cost.operating_point_)
test_rates(by_cost)

display = HullThresholdDisplay.from_estimator(by_cost)
display.ax_.set_title("Threshold of lowest cost")

# %%
# Thresholds whose cost is within 5 % of the lowest one have very different recalls, so
# the costs alone do not determine the threshold well.

curve = by_cost.tuning_curve_
n_pos = curve.tps[-1]
cost = 4 * (n_pos - curve.tps) + curve.fps
near = curve.tps[cost <= 1.05 * cost.min()] / n_pos
print(f"recalls within 5 % of the lowest cost: {near.min():.2f} to {near.max():.2f}")

# %%
# A recall that holds on new data
# -------------------------------
# A constraint that is met on the tuning set can be violated on new data. How often? A
# classifier that was fitted on a third of the digits looks for eights, from eight
# features. The other images are the population, so the true recall of a threshold is
# known. From this population 300 tuning sets of 600 images are drawn, and a threshold
# for recall 0.8 is chosen on each of them, with and without a guarantee.

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

fig, axes = plt.subplots(2, 1, figsize=(6.6, 5.6), sharex=True, layout="constrained")
bins = (np.arange(60, 118, 2) - 0.5) / truth.sum()
for ax, confidence, color in zip(axes, recall, ("#D55E00", "#0072B2"), strict=True):
    below = np.mean(np.array(recall[confidence]) < MIN_RECALL)
    ax.hist(recall[confidence], bins, color=color, hatch=None if confidence else "//",
            edgecolor="white", lw=0.5)  # fmt: skip
    ax.axvline(MIN_RECALL, color="black", ls=":", label="Required recall")
    ax.set(ylabel="Tuning sets")
    ax.set_title(
        f"confidence_level={confidence}: missed by {below:.0%},\nmean precision "
        f"{np.mean(precision[confidence]):.2f}",
        fontsize="medium",
        loc="left",
    )
    print(f"confidence_level={confidence}: missed by {below:.3f}")
axes[0].legend(loc="upper left", fontsize="small")
axes[1].set_xlabel("True recall at the threshold")
fig.suptitle("300 thresholds for recall 0.8", fontsize="large")

# %%
# The guarantee costs some precision. The printed rule states the guarantee and this cost:

print(point)

# %%
# A guarantee needs positives. If there are too few, the error says how many are needed:

few = np.concatenate((np.flatnonzero(truth == 0)[:100], np.flatnonzero(truth == 1)[:8]))
try:
    choose_threshold(
        truth[few], score[few], objective="precision", min_recall=0.8, confidence_level=0.9
    )
except ValueError as error:
    print(error)

plt.show()
