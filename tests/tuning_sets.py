"""Tuning sets, and the metrics at every threshold by definition."""

from decimal import ROUND_FLOOR, Decimal

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.frozen import FrozenEstimator

from sklearn_achievable_pr import HullThresholdClassifierCV

# For tests in which a threshold may predict every sample positive, or none.
ALL_OR_NONE = pytest.mark.filterwarnings("ignore:The chosen threshold is -?inf:UserWarning")
OBJECTIVES = (
    "f1", "balanced_accuracy", "youden", "precision", "recall", "specificity", "npv", "mcc"
)  # fmt: skip


class Scorer(ClassifierMixin, BaseEstimator):
    """A classifier whose decision function is the first column of X."""

    def __init__(self, classes=(0, 1)):
        self.classes = classes

    def fit(self, X, y):
        self.classes_ = np.array(self.classes)
        return self

    def decision_function(self, X):
        return np.asarray(X)[:, 0]


class Dropping(Scorer):
    """Its decision function has one score too few or, with `n_more=1`, one too many."""

    def __init__(self, classes=(0, 1), n_more=-1):
        super().__init__(classes)
        self.n_more = n_more

    def decision_function(self, X):
        score = super().decision_function(X)
        return np.resize(score, len(score) + self.n_more)


def tuned_on(score, y, *, classes=(0, 1), sample_weight=None, **params):
    """The hull classifier of a frozen scorer: `score` and `y` are its tuning set."""
    base = FrozenEstimator(Scorer(classes).fit(None, None))
    return HullThresholdClassifierCV(base, **params).fit(
        np.asarray(score).reshape(-1, 1), y, sample_weight=sample_weight
    )


def two_classes(seed=0, n_samples=400, **options):
    """Features and labels of two classes; the second class is rare."""
    return make_classification(
        n_samples=n_samples,
        **{"weights": [0.8], "flip_y": 0.1, "random_state": seed, **options},
    )


def tied_problem(seed, n_samples=80, *, prevalence=0.3, levels=12, weighted=False):
    """Scores with ties, some of both classes; both classes are present."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n_samples) < prevalence).astype(int)
    y[:2] = 0, 1
    score = np.round((rng.normal(size=n_samples) + y) * levels / 6) / levels
    weight = rng.integers(1, 6, n_samples) / 4 if weighted else None
    return score, y, weight


def counts_at(threshold, score, y, weight=None):
    """fps and tps by definition."""
    weight = np.ones(len(y)) if weight is None else weight
    reached = score >= threshold
    return weight[reached & (y == 0)].sum(), weight[reached & (y == 1)].sum()


def short_between(below, above):
    """The multiple nearest to the middle of the power of ten that fits into half a gap."""
    below, above = Decimal(float(below)), Decimal(float(above))
    power = ((above - below) / 2).log10().to_integral_value(ROUND_FLOOR)
    unit = Decimal(10) ** power
    return float(((above + below) / 2 / unit).to_integral_value() * unit)


def all_thresholds(score, y, weight=None):
    """Precision, recall and every objective at each threshold."""
    thresholds = np.array([np.inf, *np.unique(score)[::-1]])
    fp, tp = np.transpose([counts_at(t, score, y, weight) for t in thresholds])
    fn, tn = tp[-1] - tp, fp[-1] - fp
    sensitivity, specificity = tp / tp[-1], tn / fp[-1]
    with np.errstate(invalid="ignore"):  # 0/0 is 0 here
        precision = np.nan_to_num(tp / (tp + fp))
        npv = np.nan_to_num(tn / (tn + fn))
        square = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
        mcc = np.nan_to_num((tp * tn - fp * fn) / np.sqrt(square))
    return {
        "threshold": thresholds,
        "counts": np.array([fp, tp]),
        "f1": tp / (tp + (fp + fn) / 2),
        "balanced_accuracy": (sensitivity + specificity) / 2,
        "youden": sensitivity + specificity - 1,
        "precision": precision,
        "recall": sensitivity,
        "specificity": specificity,
        "npv": npv,
        "mcc": mcc,
        "selection_rate": (tp + fp) / (tp + fp)[-1],
        "fpr": fp / fp[-1],
    }


def meeting(constraints, table):
    """Mask of the thresholds of `all_thresholds` that meet the constraints."""
    return (
        (table["recall"] >= constraints.get("min_recall", 0))
        & (table["precision"] >= constraints.get("min_precision", 0))
        & (table["npv"] >= constraints.get("min_npv", 0))
        & (table["selection_rate"] <= constraints.get("max_selection_rate", 1))
        & (table["fpr"] <= constraints.get("max_fpr", 1))
    )
