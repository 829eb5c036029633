"""
========================
Labels planned by scores
========================

Scores of many samples are free, and labels cost money. `plan_labels` chooses the samples to
label, so that AUC-PR has a narrower confidence interval than from as many random labels.
Here 2 % of 50,000 samples are positive.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/labels.png"

import matplotlib.pyplot as plt
import numpy as np

from sklearn_achievable_pr import auc_pr_interpolated, auc_pr_interval, plan_labels

rng = np.random.default_rng(0)
n_samples, prevalence = 50_000, 0.02
labels = rng.random(n_samples) < prevalence  # unknown until they are asked for
y_score = rng.normal(size=n_samples) + 2.2 * labels
print(f"AUC-PR of all samples: {auc_pr_interpolated(labels, y_score):.3f}")

# %%
# Planned and random labels are drawn repeatedly. The weights of a plan make its interval
# one for all samples.

n_labels = [500, 1000, 2000, 4000, 8000]


def width(chosen, sample_weight=None):
    """Width of the interval from the labels of the chosen samples."""
    low, high = auc_pr_interval(
        labels[chosen], y_score[chosen], sample_weight=sample_weight
    ).confidence_interval
    return high - low


def planned(n):
    """Width of the interval from planned labels."""
    plan = plan_labels(y_score, n, prevalence=prevalence, random_state=rng)
    return width(plan.indices, plan.sample_weight)


def at_random(n):
    """Width of the interval from random labels."""
    return width(rng.choice(n_samples, n, replace=False))


widths = {
    name: np.array([[draw(n) for _ in range(8)] for n in n_labels])
    for name, draw in (("Random labels", at_random), ("Planned labels", planned))
}
for name, found in widths.items():
    print(f"{name:<14}", " ".join(f"{w:.3f}" for w in found.mean(axis=1)))

# %%
# Points are single draws, lines their means. 1000 planned labels give about the width of
# 4000 random labels. :doc:`/how_to/plan_study` says where planned labels are not valid.

fig, ax = plt.subplots(figsize=(6.8, 4.4), layout="constrained")
styles = {
    "Random labels": {"color": "#D55E00", "marker": "s", "linestyle": "--"},
    "Planned labels": {"color": "#0072B2", "marker": "o"},
}
for name, found in widths.items():
    style = styles[name]
    ax.plot(n_labels, found.mean(axis=1), linewidth=2, label=name, **style)
    ax.plot(n_labels, found, ".", color=style["color"], alpha=0.35, markersize=4)
ax.set_xscale("log", base=2)
ax.set_xticks(n_labels, [f"{n:,}" for n in n_labels])
ax.minorticks_off()
ax.set_ylim(0, None)
ax.set_title("Intervals of AUC-PR from planned and random labels")
ax.set_xlabel("Number of labels (of 50,000 samples, 2 % positive)")
ax.set_ylabel("Width of the 95 % interval")
ax.legend()
ax.spines[["top", "right"]].set_visible(False)
plt.show()
