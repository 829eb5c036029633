"""A script of a user, which type checkers accept in their strict modes."""

import numpy as np
from sklearn.linear_model import LogisticRegression

from sklearn_achievable_pr import (
    AchievablePRDisplay,
    HullThresholdClassifierCV,
    PRCounts,
    achievable_pr_curve,
    auc_pr_interpolated,
    auc_pr_interval,
    auc_pr_min,
    compare_models,
    precision_at_recall,
    required_sample_size,
)
from sklearn_achievable_pr.results import (
    AucPRIntervalResult,
    ConfidenceInterval,
    OperatingPoint,
)

rng = np.random.default_rng(0)
y = rng.random(500) < 0.2
X = rng.normal(size=(500, 3)) + y[:, None]
score = X[:, 0]


def area_of(column: int) -> float:
    return auc_pr_interpolated(y, X[:, column])


area: float = auc_pr_interpolated(y, score, curve="achievable")
of_labels: float | np.ndarray = auc_pr_interpolated(y, score, average=None)
at_one: float = precision_at_recall(y, score, recall=0.9)
at_two: np.ndarray = precision_at_recall(y, score, recall=[0.5, 0.9])
gain = at_two[1] - precision_at_recall(y, X[:, 1], recall=[0.5, 0.9])[1]
lowest: float = auc_pr_min(0.2)
lowest_of_two: np.ndarray = auc_pr_min([0.1, 0.2])
precision, recall, thresholds = achievable_pr_curve(y, score)
result: AucPRIntervalResult = auc_pr_interval(y, score)
limits: ConfidenceInterval = result.confidence_interval
low, high = limits
compared = compare_models(y, {"a": score, "b": X[:, 1]})
names: list[str] = list(compared.models)
axes: np.ndarray = compared.plot()
both: PRCounts = PRCounts() + PRCounts()
n_samples: int = required_sample_size(width=0.1, auc_pr=0.6, prevalence=0.1).n_samples
model = HullThresholdClassifierCV(LogisticRegression(), min_recall=0.8).fit(X, y)
point: OperatingPoint = model.operating_point_
bounds = PRCounts(n_bins=1024).update(y, score).auc_pr()
binned: float = bounds.estimate
display = AchievablePRDisplay.from_predictions(y, score)
display.figure_.suptitle(f"{area:.3f}, {low:.3f} to {high:.3f}")
