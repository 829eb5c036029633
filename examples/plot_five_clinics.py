"""
======================================================================
How to summarize five clinics with different prevalences in one curve?
======================================================================

A model is cross-validated over five clinics. AUC-PR is 0.53 in the clinic with prevalence
0.06, and 0.94 in the clinic with prevalence 0.59. These values cannot be compared or
averaged, because even a constant score has 0.59 in the second clinic. At one prevalence,
the 0.25 of all patients, the clinics have 0.525 to 0.836, and their summary curve has
AUC-PR 0.710. In a simulation whose truth is known, the summary has a bias of -0.005, the
mean at the clinics' own prevalences one of -0.092, and pooled scores one of -0.147.

Samples that belong together stay in one fold; here a fold is a clinic. Boyd et al. [1]_
subtract the minimum, which depends on the prevalence, and leave open how to draw one
curve for all folds.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/five_clinics.png"

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
    fold_predictions,
    pr_curve_interpolated,
    summary_auc_pr,
)

BLUE, GREEN, GRAY = "#0072B2", "#009E73", "#777777"

# %%
# The samples are diabetes patients; the quarter with the fastest progression is positive.
# The patients are grouped into five "clinics" by blood pressure, and each clinic is
# scored by a model fitted on the others.

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
y_true, y_score, _ = fold_predictions(cv_results, X, y)

# %%
# Values per fold
# ---------------
# The last two columns belong to a constant score, whose AUC-PR is the prevalence. In the
# clinic with the most positives, the constant score has a higher AUC-PR than the logistic
# regression has in the clinic with the fewest. AUCNPR subtracts the minimum and not the
# chance level, so that of the constant score still depends on the prevalence.

print("prevalence  |  AUC-PR  AUCNPR  |  constant: AUC-PR  AUCNPR")
folds = sorted(zip(y_true, y_score, strict=True), key=lambda fold: fold[0].mean())
for labels, scores in folds:
    constant = np.zeros(len(labels))
    values = [
        f(labels, s) for s in (scores, constant) for f in (auc_pr_interpolated, aucnpr)
    ]
    print("{:10.2f}  |{:8.2f}{:8.2f}  |{:18.2f}{:8.2f}".format(labels.mean(), *values))

# %%
# One prevalence, one curve
# -------------------------
# The first picture has the curve of each clinic at its own prevalence, with its own
# chance level. No single curve summarizes these five curves.

figure, axes = plt.subplots(
    1, 5, figsize=(9, 2.4), layout="constrained", sharex=True, sharey=True
)
for ax, (labels, scores) in zip(axes, folds, strict=True):
    precision, recall, _ = pr_curve_interpolated(labels, scores)
    ax.plot(recall, precision, color=BLUE)
    ax.axhline(labels.mean(), color=GRAY, linestyle=":")
    ax.set(title=f"{labels.mean():.2f}", xlim=(0, 1), ylim=(0, 1.02), xticks=(0, 1))
axes[0].set_ylabel("Precision")
axes[2].set_xlabel("Recall; the prevalence is above, and the dotted line")

# %%
# The second picture has all clinics at one reference prevalence, that of all patients.
# The summary in front is the mean precision at each recall. The prevalence has to be
# passed, because the clinics' prevalences differ by more than chance allows. The band
# is a t interval over the clinics. It is wide, because there are only five of them.

overall = float(y.mean())
display = AchievablePRDisplay.from_cv_results(
    cv_results, X, y, prevalence=overall, band="folds", name="Logistic regression"
)
display.ax_.set_title("Five clinics at one prevalence, and their summary")

# %%
# The area of the summary is exactly the mean of the five areas at that prevalence.

each = [auc_pr_interpolated(labels, scores, prevalence=overall) for labels, scores in folds]
print(f"AUC-PR at prevalence {overall:.2f}:", *(f"{area:.4f}" for area in each))
print(f"mean                {np.mean(each):.12f}")
print(f"summary             {summary_auc_pr(y_true, y_score, prevalence=overall):.12f}")

# %%
# Bias of alternatives
# --------------------
# Other rules to summarize folds are biased. To measure the bias, the truth has to be
# known. In this simulation scores are normal, and the means of the classes are 1.75
# standard deviations apart in every fold. So all folds have the same ROC curve, and
# AUC-PR at their pooled prevalence is known. The prevalences run from 0.02 to 0.45. The
# scores of each fold are also shifted by a random number, because the scores of separately
# fitted models are shifted, too.

PREVALENCES, N_SAMPLES, DISTANCE = (0.02, 0.05, 0.1, 0.2, 0.45), 400, 1.75
POOLED = float(np.mean(PREVALENCES))

recall = (np.arange(20000) + 0.5) / 20000
fpr = norm.cdf(norm.ppf(recall) - DISTANCE)
truth = np.mean(recall / (recall + (1 - POOLED) / POOLED * fpr))


def ranks(scores):
    return np.argsort(np.argsort(scores)) / len(scores)


RULES = {
    "Mean AUC-PR at own prevalence": lambda labels, scores: np.mean(
        [auc_pr_interpolated(*fold) for fold in zip(labels, scores, strict=True)]
    ),
    "Pooled scores": lambda labels, scores: auc_pr_interpolated(
        np.concatenate(labels), np.concatenate(scores)
    ),
    "Pooled ranks": lambda labels, scores: auc_pr_interpolated(
        np.concatenate(labels), np.concatenate([ranks(s) for s in scores])
    ),
    "Summary": lambda labels, scores: summary_auc_pr(labels, scores, prevalence=POOLED),
}
rng = np.random.default_rng(0)
found = {rule: [] for rule in RULES}
for _ in range(150):
    labels = [np.arange(N_SAMPLES) < round(p * N_SAMPLES) for p in PREVALENCES]
    scores = [rng.normal(size=N_SAMPLES) + DISTANCE * y + rng.normal() for y in labels]
    for rule, area in RULES.items():
        found[rule].append(area(labels, scores))

print(f"True AUC-PR: {truth:.3f}")
for rule, areas in found.items():
    error = np.array(areas) - truth
    print(
        f"{rule:32} bias {error.mean():+.3f}, "
        f"root mean square error {np.sqrt(np.mean(error**2)):.3f}"
    )

# %%
# Each dot is one set of five folds. Only the summary has a small bias. Pooled scores have
# different scales in different folds, pooled ranks ignore the prevalences, and the mean
# AUC-PR mixes several prevalences.

figure, ax = plt.subplots(figsize=(6.6, 4), layout="constrained")
for place, (rule, areas) in enumerate(found.items()):
    color = BLUE if rule == "Summary" else GRAY
    jitter = place + rng.uniform(-0.25, 0.25, len(areas))
    ax.plot(areas, jitter, ".", color=color, alpha=0.4, markersize=4)
    ax.plot(np.mean(areas), place, "D", color=color, markeredgecolor="white", markersize=9)
ax.axvline(truth, color=GREEN, linewidth=2, label="True AUC-PR")
ax.plot([], [], ".", color=GRAY, label="One set of five folds")
ax.plot([], [], "D", color=GRAY, markeredgecolor="white", markersize=9, label="Mean")
figure.legend(loc="outside lower center", ncols=3, fontsize="small")
ax.set_yticks(range(len(found)), found)
ax.set(
    xlabel="Estimated AUC-PR",
    ylabel="Rule",
    ylim=(-0.5, 3.5),
    title="AUC-PR of five folds, by rule",
)

# %%
# Pooling is right where one fixed model with one threshold is used in all clinics. A
# shift of the scores between clinics is then an error of the model, and the pooled
# curve shows it. The proof and more settings are in
# :doc:`/validation/cross_validation`.
#
# .. [1] K. Boyd, V. Santos Costa, J. Davis and C. D. Page (2012). Unachievable region in
#    precision-recall space and its effect on empirical evaluation. Proceedings of the 29th
#    International Conference on Machine Learning. :arxiv:`1206.4667`

plt.show()
