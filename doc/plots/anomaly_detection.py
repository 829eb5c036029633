"""A picture of how_to/anomaly_detection.rst."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import IsolationForest
from sklearn.model_selection import train_test_split

X_all = np.random.default_rng(0).normal(size=(1000, 4))
X_all[:60] *= 2.2
kind = np.where(np.arange(1000) < 60, -1, 1)
X_train, X_test, y_train, y_test = train_test_split(
    X_all, kind, test_size=0.5, stratify=kind, random_state=0
)
forest = IsolationForest(random_state=0, max_features=4).fit(X_train)
score = -forest.decision_function(X_test)
figure, axes = plt.subplots(2, sharex=True)
for ax, label, name, color in zip(
    axes, (-1, 1), ("30 outliers", "470 others"), ("#d55e00", "#0072b2"), strict=True
):
    ax.hist(score[y_test == label], np.linspace(-0.2, 0.3, 41), color=color)
    ax.text(0.98, 0.9, name, color=color, ha="right", va="top", transform=ax.transAxes)
    ax.set_ylabel("Samples")
axes[1].set_xlabel("-decision_function")
