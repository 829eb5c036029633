"""A picture of start/getting_started.rst."""

from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from sklearn_achievable_pr import AchievablePRDisplay

X, y = make_classification(
    9000, n_features=8, n_informative=4, weights=[0.96], flip_y=0.01, random_state=1
)
X_train, X_rest, y_train, y_rest = train_test_split(
    X, y, train_size=3000, stratify=y, random_state=0
)
_, X_test, _, y_test = train_test_split(
    X_rest, y_rest, test_size=3000, stratify=y_rest, random_state=0
)
scores = {}
for name, degree in {"products": 2, "features": 1}.items():
    model = make_pipeline(
        StandardScaler(), PolynomialFeatures(degree), LogisticRegression(max_iter=1000)
    ).fit(X_train, y_train)
    scores[name] = model.predict_proba(X_test)[:, 1]
AchievablePRDisplay.from_predictions(y_test, scores, band="pointwise", plot_minimum=False)
