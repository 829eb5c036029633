"""
============================================
Which classes are hard? AUC-PR of each class
============================================

A classifier of several classes has one AUC-PR per class, against all other classes
(one-vs-rest). For naive Bayes on ten digits, the 9, the 8 and the 1 are
hard: their AUC-PR is 0.809, 0.831 and 0.853 on the test images, and at least 0.92 for
the other digits. The mean of the classes, the macro-averaged AUC-PR, is 0.925 (95 %
interval 0.902 to 0.941). If half of the digits become rare, the classes can only be
compared at one reference prevalence.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/one_vs_rest.png"

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import MultinomialNB

from sklearn_achievable_pr import (
    CoverageWarning,
    auc_pr_interpolated,
    auc_pr_interval,
    aucnpr,
)

# A fifth of the images train the classifier; the others test it.
X, digit = load_digits(return_X_y=True)
X_train, X_test, digit_train, digit = train_test_split(
    X, digit, test_size=0.8, stratify=digit, random_state=0
)
score = MultinomialNB().fit(X_train, digit_train).predict_proba(X_test)
digits = np.arange(10)

# %%
# Ten classes
# -----------
#
# Each digit is one binary problem, with an interval of its own. Three digits are hard.
# For the 0 and the 6 a warning says that one or two images determine the width.

warnings.simplefilter("ignore", CoverageWarning)
results = [auc_pr_interval(digit == label, score[:, label]) for label in digits]
order = sorted(digits, key=lambda label: results[label].estimate)
figure, ax = plt.subplots(figsize=(5.4, 4), layout="constrained")
for place, label in enumerate(order):
    ax.plot(results[label].confidence_interval, (place, place), color="#0072b2", lw=2)
    ax.plot(results[label].estimate, place, "o", color="#0072b2")
ax.set_yticks(digits, [f"Digit {label}" for label in order])
ax.set(xlabel="AUC-PR (95 % interval)")
plt.show()

# %%

print("digit  prevalence  AUC-PR")
for label, result in enumerate(results):
    print(f"{label:5d}{np.mean(digit == label):12.3f}{result.estimate:8.3f}")

# %%
# One reference prevalence
# ------------------------
#
# Nine tenths of the images of the digits 0 to 4 are removed. The AUC-PR of the 1, the 2
# and the 3 falls with their prevalence, although the scores are the same. With
# ``prevalence=0.1``, each class is reweighted to a tenth of the images. What remains of
# the difference from the first picture is due to the changed mix of the other digits.

kept = (digit > 4) | (np.random.default_rng(0).random(len(digit)) < 0.1)
figure, ax = plt.subplots(figsize=(5.4, 4), layout="constrained")
for prevalence, mark, color, name in (
    (None, "s", "#d55e00", "Digits 0 to 4 down-sampled"),
    (0.1, "o", "#0072b2", "The same at prevalence 0.1"),
):
    areas = [
        auc_pr_interpolated(digit[kept] == i, score[kept, i], prevalence=prevalence)
        for i in order
    ]
    ax.plot(areas, digits, mark, color=color, label=name)
ax.set_yticks(digits, [f"Digit {label}" for label in order])
ax.set(xlabel="AUC-PR")
ax.legend()
plt.show()

# %%
# A mean of the classes
# ---------------------
#
# There is no agreed definition of a micro- or macro-averaged *curve*, but the mean of
# the areas is well defined. All classes share the samples, so the errors of their areas
# are not independent. The confidence interval of the mean takes this into account.

print(auc_pr_interval(digit, score, average="macro"))

# %%
# If some classes are rare, give all classes one reference prevalence. Otherwise the mean
# changes with the prevalence of the classes, even though the classifier is the same.

for prevalence in (None, 0.1):
    all_digits, rare_digits = (
        aucnpr(digit[rows], score[rows], prevalence=prevalence)
        for rows in (slice(None), kept)
    )
    name = f"prevalence {prevalence}" if prevalence else "the prevalence of each digit"
    print(
        f"Mean AUCNPR at {name}: {all_digits:.3f} of all images, "
        f"{rare_digits:.3f} down-sampled"
    )
