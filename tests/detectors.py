"""Outlier detectors that predict 0 and 1, as those of PyOD do, and data for them."""

import numpy as np
from sklearn.base import BaseEstimator, OutlierMixin

RNG = np.random.default_rng(1)
POINTS = np.r_[RNG.normal(size=(180, 2)), RNG.uniform(-5, 5, (20, 2))]
IS_OUTLIER = np.repeat([0, 1], [180, 20])
INLIER = 1 - 2 * IS_OUTLIER  # the labels of scikit-learn's detectors


class Radius(OutlierMixin, BaseEstimator):
    """A high decision function, and the prediction 1, mean an outlier.

    `n_calls` counts the calls of `predict`.
    """

    def __init__(self, limit=9.0):
        self.limit = limit

    def fit(self, X, y=None):
        self.center_, self.n_calls = X.mean(axis=0), 0
        return self

    def decision_function(self, X):
        return ((X - self.center_) ** 2).sum(axis=1)

    def predict_proba(self, X):
        """Probabilities of inliers and outliers, many of which are tied at 1."""
        outlier = np.minimum(self.decision_function(X) / self.limit, 1)
        return np.column_stack((1 - outlier, outlier))

    def predict(self, X):
        self.n_calls += 1
        return (self.decision_function(X) > self.limit).astype(int)


class Untagged(BaseEstimator):
    """The same detector without a tag."""

    fit, decision_function, predict = Radius.fit, Radius.decision_function, Radius.predict

    def __init__(self, limit=9.0):
        self.limit = limit


class Plain:
    """The same detector without a class of scikit-learn."""

    limit = 9.0
    fit, decision_function, predict = Radius.fit, Radius.decision_function, Radius.predict
