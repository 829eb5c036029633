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

from sklearn_achievable_pr import operating_point_interval, required_sample_size

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

print(operating_point_interval(y_test, score, k=100))
print(operating_point_interval(y_test, score, k=100, metric="recall"))

# %%
# Other capacities
# ----------------

capacities = np.arange(20, 301, 20)
figure, ax = plt.subplots(layout="constrained")
for metric, color, style in (("precision", "#0072B2", "-"), ("recall", "#D55E00", "--")):
    results = [
        operating_point_interval(y_test, score, k=int(k), metric=metric) for k in capacities
    ]
    limits = np.transpose([result.confidence_interval for result in results])
    values = [result.estimate for result in results]
    ax.plot(capacities, values, style, color=color, label=f"{metric.capitalize()} at k")
    ax.fill_between(capacities, *limits, color=color, alpha=0.2, linewidth=0)
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
