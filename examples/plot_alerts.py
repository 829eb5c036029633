"""
===========================================
Top 100 alerts with intervals; a study plan
===========================================

A team can check 100 alerts. How many of them are true, and how uncertain is this number?
The example estimates precision and recall among the top 100 with
confidence intervals, and plans how many positives a study of AUC-PR needs.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/alerts.png"

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from sklearn_achievable_pr import required_sample_size, threshold_table

# %%
# Data: 2.5 % positive
# --------------------

X, y = make_classification(12_000, weights=[0.98], random_state=0)
X, X_test, y, y_test = train_test_split(X, y, stratify=y, random_state=0)
score = LogisticRegression().fit(X, y).predict_proba(X_test)[:, 1]
print(f"{len(y_test)} samples, {y_test.sum()} positive")

# %%
# The top 100
# -----------

print(threshold_table(y_test, score, k=100))

# %%
# Other capacities
# ----------------

capacities = np.arange(20, 301, 20)
table = threshold_table(y_test, score, k=capacities)
figure, ax = plt.subplots(layout="constrained")
ax.plot(capacities, table.precision, color="#0072B2", label="Precision at k")
ax.plot(capacities, table.recall, "--", color="#D55E00", label="Recall at k")
shade = {"alpha": 0.2, "linewidth": 0}
limits = table.precision_low, table.precision_high
ax.fill_between(capacities, *limits, color="#0072B2", **shade)
limits = table.recall_low, table.recall_high
ax.fill_between(capacities, *limits, color="#D55E00", **shade)
ax.axvline(100, color="0.5", linestyle=":", label="Capacity: 100 alerts")
ax.set(xlabel="Alerts that are checked, k", ylabel="Precision or recall", ylim=(0, 1))
ax.set_title("Precision and recall of the top k, 95 % intervals")
ax.legend()

# %%
# Positives for an interval of width 0.1
# --------------------------------------
# A plan needs the expected AUC-PR and the prevalence. If positives are rare, AUC-PR near
# 0.5 needs the most of them.

areas = np.linspace(0.2, 0.95, 16)
figure, ax = plt.subplots(layout="constrained")
for prevalence, style, color in (
    (0.02, "-", "#0072B2"),
    (0.1, "--", "#D55E00"),
    (0.5, "-.", "#009E73"),
):
    plans = [
        required_sample_size(width=0.1, auc_pr=area, prevalence=prevalence)
        for area in areas[areas > 1.2 * prevalence]
    ]
    positives = [plan.n_positive for plan in plans]
    expected = areas[areas > 1.2 * prevalence]
    ax.plot(expected, positives, style, color=color, label=f"Prevalence {prevalence:g}")
ax.set(xlabel="Expected AUC-PR", ylabel="Positives", ylim=(0, None))
ax.set_title("Positives for a 95 % interval of width 0.1")
ax.legend()

print(required_sample_size(width=0.1, auc_pr=0.6, prevalence=0.02))
