"""A picture of how_to/choose_threshold.rst."""

import numpy as np

from sklearn_achievable_pr import HullThresholdDisplay

rng = np.random.default_rng(7)
y_true = rng.random(3000) < 0.05
y_score = 1 / (1 + np.exp(3 - rng.normal(size=3000) - 2 * y_true))
display = HullThresholdDisplay.from_predictions(y_true, y_score, min_recall=0.9)
display.ax_.set_title("Best F1 with a recall of at least 0.9")
