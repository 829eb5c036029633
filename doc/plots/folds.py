"""A picture of how_to/folds.rst."""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate

from sklearn_achievable_pr import AchievablePRDisplay

X, benign = load_breast_cancer(return_X_y=True)
X, y = X[:, :3], 1 - benign
cv_results = cross_validate(
    LogisticRegression(max_iter=1000), X, y, return_estimator=True, return_indices=True
)
display = AchievablePRDisplay.from_cv_results(cv_results, X, y, band="folds")
display.ax_.set_title("Five folds and their summary")
