"""A picture of how_to/campaign_list.rst."""

import matplotlib.pyplot as plt
import numpy as np

from sklearn_achievable_pr import choose_threshold, select_positives

rng = np.random.default_rng(1)
y_past = rng.random(2000) < 0.5
score_past = rng.normal(size=2000) + 2.5 * y_past
point = choose_threshold(y_past, score_past, objective="recall", min_precision=0.8)
prevalences = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5]
shares = {"threshold of precision 0.8": [], "select_positives": []}
for prevalence in prevalences:
    y_next = rng.random(50_000) < prevalence
    score_next = rng.normal(size=50_000) + 2.5 * y_next
    selected = select_positives(y_past, score_past, score_next, max_fdr=0.2)
    shares["threshold of precision 0.8"].append(
        np.mean(~y_next[score_next >= point.threshold])
    )
    shares["select_positives"].append(np.mean(~y_next[selected]))
figure, ax = plt.subplots()
ax.axhline(0.2, color="0.5", linewidth=1)
ax.text(0.05, 0.21, "allowed", color="0.4")
for (name, share), color, (x, y) in zip(
    shares.items(), ("#d55e00", "#0072b2"), ((0.14, 0.68), (0.22, 0.06)), strict=True
):
    ax.plot(prevalences, share, "o-", color=color)
    ax.text(x, y, name, color=color)
ax.set(xlabel="Share of positives in the new batch", ylabel="False positives", ylim=(0, 1))
