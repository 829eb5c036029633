"""A picture of start/concepts.rst."""

import matplotlib.pyplot as plt
from sklearn.metrics import precision_recall_curve

from sklearn_achievable_pr import pr_curve_from_counts

precision, recall, _ = precision_recall_curve([1] * 3 + [0] * 7, [0.5] + [0] * 9)
fig, ax = plt.subplots(figsize=(5.4, 3.8))
ax.plot(recall, precision, "--", color="#D55E00", lw=2, label="Linear: area 0.767")
exact = pr_curve_from_counts([100, 300], [0, 700])
ax.plot(exact[1], exact[0], color="#0072B2", lw=2, label="Exact: area 0.614")
ax.step(
    recall,
    precision,
    "-.",
    where="post",
    color="#009E73",
    lw=2,
    label="Average precision: area 0.533",
)
ax.set(
    xlabel="Recall",
    ylabel="Precision",
    ylim=(0, 1.05),
    title="1 positive, then 2 tied with 7 negatives",
)
ax.legend(loc="lower left", fontsize="small")
