"""A picture of how_to/subgroups.rst."""

import matplotlib.pyplot as plt
import numpy as np

from sklearn_achievable_pr import compare_subgroups

rng = np.random.default_rng(0)
hospital = rng.choice(["A", "B"], 4000)
y_true = rng.random(4000) < np.where(hospital == "B", 0.3, 0.05)
y_score = rng.normal(1.2 * y_true, 1)
fig, ax = plt.subplots(figsize=(5.4, 2.6))
rows = []
for prevalence, text in ((None, "own prevalence"), (0.1, "prevalence 0.1")):
    result = compare_subgroups(y_true, y_score, by=hospital, prevalence=prevalence)
    for name, color in (("A", "#0072B2"), ("B", "#D55E00")):
        one = result.subgroups[name]
        place = -len(rows)
        ax.plot(one.confidence_interval, [place] * 2, color=color, lw=3)
        ax.plot(one.estimate, place, "o", color=color)
        rows.append(f"{name}, {text}")
ax.set(
    yticks=[-i for i in range(len(rows))],
    yticklabels=rows,
    ylim=(-3.5, 0.5),
    xlabel="AUC-PR",
    title="Equally good in both hospitals",
)
