"""Cross-validations of real data, and the formulas written out per sample."""

import numpy as np
import pytest
from situations import FUNCTIONS
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from slow_twins import kish

import sklearn_achievable_pr as apr

X, BENIGN = load_breast_cancer(return_X_y=True)
X, Y = X[:, :4], 1 - BENIGN
N = len(Y)
PATIENT = np.random.default_rng(0).permutation(N) // 3
TREE, BAYES = DecisionTreeClassifier(max_depth=2, random_state=0), GaussianNB()
SPLITTERS = {
    "folds": StratifiedKFold(5, shuffle=True, random_state=0),
    "repeated": RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0),
    "hold-out": StratifiedShuffleSplit(1, test_size=0.2, random_state=0),
    "overlapping": ShuffleSplit(6, test_size=0.3, random_state=0),
    "groups": StratifiedGroupKFold(5, shuffle=True, random_state=0),
}
every_design = pytest.mark.parametrize(
    "design", ["folds", "repeated", "overlapping", "groups"]
)


def validated(model, X=X, y=Y, cv=SPLITTERS["folds"], **options):
    options |= {"return_estimator": True, "return_indices": True}
    return cross_validate(model, X, y, cv=cv, **options)


def of_design(model, design):
    """Result of cross_validate, and the keyword `groups` if the design has it."""
    design_options = {"groups": PATIENT} if design == "groups" else {}
    return validated(model, cv=SPLITTERS[design], **design_options), design_options


FOLDS = validated(TREE)


def slow(cv_results, metric, groups=None):
    """Mean, influence and share by unit, units of the smaller class, and two more numbers.

    These are the inverse of the largest share of a unit in the mean, and the factor.

    The training sets overlap, which is a factor of the variance.
    """
    units = range(N) if groups is None else groups
    folds = list(zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True))
    areas, influence, shares = [], {}, {}
    sizes, smallest = [{}, {}], []
    for model, test in folds:
        score = model.predict_proba(X[test])[:, 1]
        areas.append(FUNCTIONS[metric](Y[test], score))
        each = apr.auc_pr_influence(Y[test], score, metric=metric)
        in_fold = [{}, {}]
        for i, value in zip(test, each, strict=True):
            unit = units[i]
            influence[unit] = influence.get(unit, 0) + value / len(folds)
            in_fold[Y[i]][unit] = in_fold[Y[i]].get(unit, 0) + 1
            sizes[Y[i]][unit] = sizes[Y[i]].get(unit, 0) + 1
        smallest.append(min(kish([*of.values()]) for of in in_fold))
        for unit in {*in_fold[0], *in_fold[1]}:
            share = max(of.get(unit, 0) / sum(of.values()) for of in in_fold)
            shares.setdefault(unit, []).append(share)
    n_tested = len({i for _, test in folds for i in test})
    n_repeats = sum(len(test) for _, test in folds) / n_tested
    n_train = np.mean([len(train) for train in cv_results["indices"]["train"]])
    factor = 1 + n_tested / n_train
    moves = np.array([factor**0.5 * influence[unit] for unit in sorted(influence)])
    share = [np.mean(shares[unit]) for unit in sorted(influence)]
    n = len(folds) * min(smallest) / n_repeats
    n_smaller = min(kish([*of.values()]) for of in sizes)
    return np.mean(areas), moves, share, n_smaller, n, factor


def of_unequal_trains(n_left_out, cv=None, groups=None):
    """Three hold-outs; so many training samples are left out of the first one."""
    cv = cv or StratifiedShuffleSplit(3, train_size=400, test_size=100, random_state=0)
    cv_results = validated(TREE, cv=cv, groups=groups)
    first, *trains = cv_results["indices"]["train"]
    indices = cv_results["indices"] | {"train": [first[n_left_out:], *trains]}
    return cv_results | {"indices": indices}
