"""A picture of how_to/tune_threshold.rst."""

from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from sklearn_achievable_pr import HullThresholdClassifierCV, HullThresholdDisplay

X, y = make_classification(4000, weights=[0.97], flip_y=0.01, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
model = HullThresholdClassifierCV(
    LogisticRegression(), objective="precision", min_recall=0.6, store_cv_results=True
).fit(X_train, y_train)
display = HullThresholdDisplay.from_estimator(model)
display.ax_.set_title("Best precision with a recall of at least 0.6")
