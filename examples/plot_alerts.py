"""
===================================================================
How good are the top 100 alerts, and is the new model better there?
===================================================================

A team can check 100 alerts, so only the 100 highest scores matter. Of these, 85 are
true alerts with the new model (95 % interval 71 to 99), and 72 with the old model (61 to
86). The difference in precision is 0.13 (0.04 to 0.21) with p = 0.001. Among the top 200
alerts the difference is only 0.035 (-0.005 to 0.073), and the new model may not be better.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/alerts.png"

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from sklearn_achievable_pr import compare_models, required_sample_size, threshold_table

# %%
# Data: 2.5 % positive
# --------------------

X, y = make_classification(12_000, weights=[0.98], random_state=0)
X, X_test, y, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)
scores = {
    name: model.fit(X, y).predict_proba(X_test)[:, 1]
    for name, model in {
        "New": HistGradientBoostingClassifier(max_iter=50, random_state=0),
        "Old": LogisticRegression(),
    }.items()
}
print(f"{len(y_test)} samples, {y_test.sum()} positive")

# %%
# Is the new model better among the top 100?
# ------------------------------------------
# Both models scored the same samples, so the test is paired. Each model has its own 100
# highest scores.

comparison = compare_models(y_test, scores, metric="precision_at_k", at=100)
print(comparison)

# %%
# Other capacities
# ----------------
# How does the comparison change if the team can check more alerts? The difference between
# the models becomes smaller, and among the top 200 its interval contains 0.

top_200 = compare_models(y_test, scores, metric="precision_at_k", at=200)
print(top_200.to_frame("pairs")["difference (interval)"].item())

COLORS = {"New": "#0072B2", "Old": "#D55E00"}
capacities = np.arange(100, 301, 20)
comparisons = [
    compare_models(y_test, scores, metric="precision_at_k", at=k) for k in capacities
]
figure, (top, bottom) = plt.subplots(
    2, 1, figsize=(6.6, 7), sharex=True, layout="constrained"
)


def draw(ax, values, intervals, color, **style):
    """Values with 95 % intervals against the capacity."""
    ax.plot(capacities, values, color=color, **style)
    limits = np.transpose(intervals)
    ax.fill_between(capacities, *limits, color=color, alpha=0.2, linewidth=0)


for (name, color), style in zip(COLORS.items(), ("-", "--"), strict=True):
    each = [comparison.models[name] for comparison in comparisons]
    values = [result.estimate for result in each]
    intervals = [result.confidence_interval for result in each]
    draw(top, values, intervals, color, linestyle=style, label=f"{name} model")
each = [comparison.pairs["New", "Old"] for comparison in comparisons]
values = [result.difference for result in each]
intervals = [result.confidence_interval for result in each]
draw(bottom, values, intervals, "#009E73")
bottom.axhline(0, color="0.5", linewidth=1)
top.legend()
top.set(ylim=(0, 1), ylabel="Precision at k")
top.set_title("True alerts among the top k, 95 % intervals")
bottom.set(xlabel="Alerts that are checked, k", ylabel="Precision, new minus old")

# %% Other rates of the new model ---------------------------- `threshold_table` has the
# recall and the precision of the 50, 100 and 200 highest scores, with 95 % intervals.

table = threshold_table(y_test, scores["New"], k=[50, 100, 200])
columns = ["n_predicted", "tps", "recall (interval)", "precision (interval)"]
print(table.to_frame()[columns].to_string(index=False, float_format="%g"))

# %%
# How many positives the next study needs
# ---------------------------------------
# A plan needs the expected AUC-PR and the prevalence. For an interval of width 0.1, an
# AUC-PR near 0.5 needs the most positives if positives are rare.

areas = np.linspace(0.2, 0.95, 16)
figure, ax = plt.subplots(layout="constrained")
for prevalence, style, color in (
    (0.02, "-", "#0072B2"),
    (0.1, "--", "#D55E00"),
    (0.5, "-.", "#009E73"),
):
    expected = areas[areas > 1.2 * prevalence]
    positives = [
        required_sample_size(width=0.1, auc_pr=area, prevalence=prevalence).n_positive
        for area in expected
    ]
    ax.plot(expected, positives, style, color=color, label=f"Prevalence {prevalence:g}")
ax.set(xlabel="Expected AUC-PR", ylabel="Positives", ylim=(0, None))
ax.set_title("Positives for a 95 % interval of width 0.1")
ax.legend()

print(required_sample_size(width=0.1, auc_pr=0.6, prevalence=0.02))

plt.show()
