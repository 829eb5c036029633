"""
===================================================
Choose a model by the area that no model gets free
===================================================

Which model finds malignant tumours best? This example selects the regularisation of a
logistic regression by `aucnpr_scorer`, compares several models by all scorers of this
package beside average precision and the trapezoid, and ends with a classifier whose
threshold is fixed before the test data are seen.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import auc, make_scorer, precision_recall_curve
from sklearn.model_selection import (
    GridSearchCV,
    RepeatedStratifiedKFold,
    cross_validate,
    train_test_split,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_achievable_pr import SCORERS, HullThresholdClassifierCV, aucnpr_scorer

# %%
# Malignant is the class to be found, so it is the positive one.

data = load_breast_cancer()
X, y = data.data, data.target == list(data.target_names).index("malignant")
X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=0.3, stratify=y, random_state=0
)
print(f"{len(y)} tumours, {y.sum()} of them malignant: prevalence {y.mean():.3f}\n")

# %%
# A grid search takes the scorer like any other.

search = GridSearchCV(
    make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    {"logisticregression__C": [1e-3, 1e-2, 1e-1, 1, 10, 100]},
    scoring=aucnpr_scorer,
    cv=5,
)
search.fit(X_train, y_train)
best_c = search.best_params_["logisticregression__C"]
print(f"Grid search by AUCNPR: C = {best_c:g}, AUCNPR {search.best_score_:.4f}\n")


# %%
# Now several models, by the four scorers, by average precision, and by the trapezoid
# that draws straight lines between the points of the curve.


def trapezoid_area(y_true, y_score):
    """Area under straight lines between precision-recall points."""
    precision, recall, _ = precision_recall_curve(y_true, y_score)
    return auc(recall, precision)


scoring = {
    **SCORERS,
    "average_precision": "average_precision",
    "trapezoid": make_scorer(
        trapezoid_area, response_method=("decision_function", "predict_proba")
    ),
}
models = {
    "logistic regression": search.best_estimator_,
    "random forest": RandomForestClassifier(n_estimators=50, random_state=0),
    "15 nearest neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(15)),
    "3 nearest neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(3)),
    "naive Bayes": GaussianNB(),
    "tree of depth 3": DecisionTreeClassifier(max_depth=3, random_state=0),
}
folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
means = {
    name: {
        metric.removeprefix("test_"): values.mean()
        for metric, values in cross_validate(
            model, X_train, y_train, scoring=scoring, cv=folds
        ).items()
        if metric.startswith("test_")
    }
    for name, model in models.items()
}

headings = {
    "auc_pr_interpolated": "exact",
    "achievable_auc_pr": "achievable",
    "aucnpr": "AUCNPR",
    "normalized_average_precision": "norm. AP",
    "average_precision": "AP",
    "trapezoid": "trapezoid",
}
print(f"{'':>22}" + "".join(f"{heading:>12}" for heading in headings.values()))
for name, values in means.items():
    print(f"{name:>22}" + "".join(f"{values[metric]:>12.4f}" for metric in headings))

# %%
# Models whose scores are tied in large blocks, the neighbours and the tree, are those on
# which the columns differ: a straight line across a tie promises more than the model has,
# steps give less. Where nothing is tied the first and the last two columns are close.
#
# The threshold comes last: chosen on out-of-fold scores of the training data, it is fixed
# before the test data are scored.

best = max(means, key=lambda name: means[name]["aucnpr"])
final = HullThresholdClassifierCV(models[best], objective="f1", min_recall=0.95, cv=5)
final.fit(X_train, y_train)
predicted = final.predict(X_test)
recall = (predicted & y_test).sum() / y_test.sum()
precision = (predicted & y_test).sum() / predicted.sum()
print(f"\nBest by AUCNPR: {best}")
print(f"Threshold with recall of .95 or more on the tuning folds: {final.threshold_:.4f}")
print(f"On test data: recall {recall:.3f}, precision {precision:.3f}")
