"""
=======================
Folds of different skew
=======================

Linked samples belong in one fold. Then the folds' prevalences differ, and so do their
floors: an area of .5 is good in one fold and worse than guessing in another. Section 4.1
of [1]_ recommends to average AUCNPR, which ranges from 0 to 1 in every fold.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_achievable_pr import (
    SCORERS,
    AchievablePRDisplay,
    auc_pr_interpolated,
    auc_pr_min,
    aucnpr,
)

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

# %%
# One curve and one floor a fold. What is hatched is out of reach in every fold.

display = AchievablePRDisplay.from_cv_results(cv_results, X, y, name="logistic regression")
display.ax_.set_title("Five clinics")

# %%
# Area and normalised area
# ------------------------
# The last columns are those of a model without skill, the same score for everyone: its
# area is the prevalence. In the clinic with most positives that is more than the logistic
# regression has in the clinic with fewest.

print("prevalence   floor  |    area  AUCNPR  |  no skill: area  AUCNPR")
table = []
for estimator, test in zip(
    cv_results["estimator"], cv_results["indices"]["test"], strict=True
):
    score, nothing = estimator.decision_function(X[test]), np.zeros(len(test))
    table.append(
        [
            y[test].mean(),
            auc_pr_min(y[test].mean()),
            auc_pr_interpolated(y[test], score),
            aucnpr(y[test], score),
            auc_pr_interpolated(y[test], nothing),
            aucnpr(y[test], nothing),
        ]
    )
table = np.array(sorted(table))
line = "{:10.2f}{:8.2f}  |{:8.2f}{:8.2f}  |{:16.2f}{:8.2f}"
for row in table:
    print(line.format(*row))
print("mean and standard deviation over the folds:")
print(line.format(*table.mean(axis=0)))
print(line.format(*table.std(axis=0)))

# %%
# From the clinic with fewest positives to that with most, the area without skill runs
# through half of the scale. AUCNPR takes away what the floor gives: less of the spread is
# left without skill, but not none, as the paper says.

figure, ax = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
for column, name, marker, line, colour in (
    (2, "area", "o", "-", "#0072B2"),
    (3, "AUCNPR", "s", "--", "#D55E00"),
    (4, "area, no skill", "o", ":", "#56B4E9"),
    (5, "AUCNPR, no skill", "s", "-.", "#E69F00"),
):
    ax.plot(table[:, 0], table[:, column], line, marker=marker, color=colour, label=name)
ax.set(xlabel="Prevalence of the fold", ylabel="Value", ylim=(0, 1), title="Fold by fold")
ax.legend()

gap = table[:, 2] - table[:, 3]
print(f"The floor gives {gap.min():.2f} to {gap.max():.2f} of the area for free.")

# %%
# The mean can change sides
# -------------------------
# In every single fold area and AUCNPR order models alike. Their means need not: a gain in
# a clinic with many positives, where the range of possible areas is narrow, weighs more in
# AUCNPR. Of nearest neighbours with k = 20 and k = 55 the mean area prefers the first, the
# mean AUCNPR the second.

for k in (20, 55):
    neighbours = make_pipeline(StandardScaler(), KNeighborsClassifier(k))
    scores = cross_validate(
        neighbours,
        X,
        y,
        groups=clinic,
        cv=GroupKFold(n_splits=5),
        scoring={name: SCORERS[name] for name in ("auc_pr_interpolated", "aucnpr")},
    )
    print(
        f"k = {k}: mean area {scores['test_auc_pr_interpolated'].mean():.4f}, "
        f"mean AUCNPR {scores['test_aucnpr'].mean():.4f}"
    )

# %%
# .. [1] K. Boyd, V. Santos Costa, J. Davis and C. D. Page (2012). Unachievable region in
#    precision-recall space and its effect on empirical evaluation. Proceedings of the 29th
#    International Conference on Machine Learning. :arxiv:`1206.4667`

plt.show()
