"""
=======================
Folds of different skew
=======================

Linked samples belong in one fold. Then the folds' prevalences differ, and with them every
precision: an area of .5 is good in one fold and worse than guessing in another. Boyd et al.
[1]_ take away the floor, which moves with the prevalence, and leave open how to draw one
curve for all folds. Here is one that keeps the area, beside the alternatives and their
errors where the truth is known.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import norm
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_achievable_pr import (
    AchievablePRDisplay,
    auc_pr_interpolated,
    aucnpr,
    fold_scores,
    summary_auc_pr,
)

BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#777777"

# %%
# Diabetes patients, positive if the disease progressed more than for three quarters of
# all. They are grouped by blood pressure, as clinics might be that see patients of
# different severity, and a clinic is tested on a model that never saw its patients.

data = load_diabetes()
pressure = data.feature_names.index("bp")
X = np.delete(data.data, pressure, axis=1)
y = (data.target >= np.quantile(data.target, 0.75)).astype(int)
bounds = np.quantile(data.data[:, pressure], [0.2, 0.4, 0.6, 0.8])
clinic = np.searchsorted(bounds, data.data[:, pressure])

model = make_pipeline(StandardScaler(), LogisticRegression())
cv_results = cross_validate(
    model,
    X,
    y,
    groups=clinic,
    cv=GroupKFold(n_splits=5),
    return_estimator=True,
    return_indices=True,
)
y_true, y_score, _ = fold_scores(cv_results, X, y)

# %%
# Fold by fold
# ------------
# The last columns are those of a model without skill, the same score for everyone: its
# area is the prevalence. In the clinic with most positives that is more than the logistic
# regression has in the clinic with fewest. AUCNPR takes away what the worst ranking has,
# and not what chance has: its last column still follows the prevalence.

print("prevalence  |    area  AUCNPR  |  no skill: area  AUCNPR")
folds = sorted(zip(y_true, y_score, strict=True), key=lambda fold: fold[0].mean())
for labels, scores in folds:
    nothing = np.zeros(len(labels))
    values = [
        f(labels, s) for s in (scores, nothing) for f in (auc_pr_interpolated, aucnpr)
    ]
    print("{:10.2f}  |{:8.2f}{:8.2f}  |{:16.2f}{:8.2f}".format(labels.mean(), *values))

# %%
# One prevalence, one curve
# -------------------------
# The summary brings every fold to one prevalence, here that of all patients, and averages
# the precisions at each recall. The number has to be passed: the clinics' prevalences
# differ by more than chance allows, and a pool of them would be warned of.
#
# First each clinic at its own prevalence, with a floor and a chance level of its own: there
# is no one curve to be drawn among these.

display = AchievablePRDisplay.from_cv_results(cv_results, X, y, summary=False)
display.ax_.set_title("Five clinics, five prevalences")

# %%
# Then all of them at one, thin, with the summary in front. The band is the 95 % t interval
# over the clinics at each recall: with five clinics not much is certain.

overall = float(y.mean())
display = AchievablePRDisplay.from_cv_results(
    cv_results, X, y, prevalence=overall, band="folds", name="logistic regression"
)
display.ax_.set_title("One prevalence, and the summary")

# %%
# The summary is a curve that a classifier can have, and its area is the mean of the five
# areas at that prevalence, exactly. With ``averaged="fpr"`` it is what one bag of all
# predictions has, with a threshold for each clinic that finds the same part of its
# positives; the false positives of the worst clinic weigh more there.

each = [auc_pr_interpolated(labels, scores, prevalence=overall) for labels, scores in folds]
print(f"areas at prevalence {overall:.2f}:", *(f"{area:.4f}" for area in each))
print(f"their mean          {np.mean(each):.12f}")
for average in ("precision", "fpr"):
    area = summary_auc_pr(y_true, y_score, prevalence=overall, averaged=average)
    print(f"mean {average:9}      {area:.12f}")

# %%
# The alternatives where the truth is known
# -----------------------------------------
# Normal scores, the classes 1.75 standard deviations apart in every fold: all folds have
# the same ROC curve, and the area at their pooled prevalence is known. The prevalences run
# from .02 to .45, and each fold's scores are shifted at random, as the scores of models are
# that were fitted apart.

PREVALENCES, N_ROWS, DISTANCE = (0.02, 0.05, 0.1, 0.2, 0.45), 400, 1.75
POOLED = float(np.mean(PREVALENCES))

recall = (np.arange(20000) + 0.5) / 20000
fpr = norm.cdf(norm.ppf(recall) - DISTANCE)
truth = np.mean(recall / (recall + (1 - POOLED) / POOLED * fpr))


def ranks(scores):
    return np.argsort(np.argsort(scores)) / len(scores)


RULES = {
    "mean area at own prevalence": lambda labels, scores: np.mean(
        [auc_pr_interpolated(*fold) for fold in zip(labels, scores, strict=True)]
    ),
    "pooled scores": lambda labels, scores: auc_pr_interpolated(
        np.concatenate(labels), np.concatenate(scores)
    ),
    "pooled ranks": lambda labels, scores: auc_pr_interpolated(
        np.concatenate(labels), np.concatenate([ranks(s) for s in scores])
    ),
    "summary, mean FPR": lambda labels, scores: summary_auc_pr(
        labels, scores, prevalence=POOLED, averaged="fpr"
    ),
    "summary, mean precision": lambda labels, scores: summary_auc_pr(
        labels, scores, prevalence=POOLED
    ),
}
rng = np.random.default_rng(0)
found = {rule: [] for rule in RULES}
for _ in range(150):
    labels = [np.arange(N_ROWS) < round(p * N_ROWS) for p in PREVALENCES]
    scores = [rng.normal(size=N_ROWS) + DISTANCE * y + rng.normal() for y in labels]
    for rule, area in RULES.items():
        found[rule].append(area(labels, scores))

print(f"The true area is {truth:.3f}.")
for rule, areas in found.items():
    error = np.array(areas) - truth
    print(
        f"{rule:28} bias {error.mean():+.3f}, "
        f"root mean square error {np.sqrt(np.mean(error**2)):.3f}"
    )

# %%
# Each dot is one set of five folds. Scores on different scales must not be pooled, and
# ranks throw the prevalences away. The mean area is that of no prevalence at all.

figure, ax = plt.subplots(figsize=(8, 3.6), layout="constrained")
for place, (rule, areas) in enumerate(found.items()):
    colour = BLUE if rule.endswith("precision") else ORANGE if "FPR" in rule else GREY
    jitter = place + rng.uniform(-0.25, 0.25, len(areas))
    ax.plot(areas, jitter, ".", color=colour, alpha=0.4, markersize=4)
    ax.plot(np.mean(areas), place, "D", color=colour, markeredgecolor="white", markersize=9)
ax.axvline(truth, color=GREEN, linewidth=2)
ax.annotate("truth", (truth, 4.6), color=GREEN, ha="center", annotation_clip=False)
ax.set_yticks(range(len(found)), found)
ax.set(xlabel="Area; diamonds are means", ylim=(-0.5, 4.5))

# %%
# Pooling is right where one fixed model with one threshold serves all clinics: then a shift
# between clinics is an error of that use, and the pooled curve shows it. The user guide has
# the proof and more settings: :doc:`/user_guide/folds`.
#
# .. [1] K. Boyd, V. Santos Costa, J. Davis and C. D. Page (2012). Unachievable region in
#    precision-recall space and its effect on empirical evaluation. Proceedings of the 29th
#    International Conference on Machine Learning. :arxiv:`1206.4667`

plt.show()
