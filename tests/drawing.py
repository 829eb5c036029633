"""What the tests of `AchievablePRDisplay` draw: scores, classes, models and folds."""

from functools import cache

import numpy as np
from score_files import legend_of
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate

import sklearn_achievable_pr as apr
from sklearn_achievable_pr import AchievablePRDisplay

# `legend=False` saves most of the time of a test that looks at no legend.
of_samples = AchievablePRDisplay.from_predictions
of_estimator = AchievablePRDisplay.from_estimator
of_folds = AchievablePRDisplay.from_cv_results

KINDS = ("empirical", "achievable")
# Half the spacing of drawn points, which is invisible in a figure of 500 pixels.
INVISIBLE = 1e-3


def ranking(n_samples=300, prevalence=0.3, decimals=1, seed=0):
    rng = np.random.default_rng(seed)
    y = (rng.random(n_samples) < prevalence).astype(int)
    return y, np.round(rng.normal(size=n_samples) + 1.2 * y, decimals), rng


SITUATIONS = {
    "ties": ranking()[:2],
    "untied": ranking(decimals=12)[:2],
    "tie_before_tie": ([1, 1, 1, 0, 0, 0, 0, 0, 0, 0], [0.5] + 9 * [0.0]),
    "one_positive": ([0, 0, 1, 0, 0, 0], [6, 5, 4, 4, 4, 1]),
    "negatives_first_in_a_tie": ([0, 0, 0, 1, 0, 1], [3, 3, 2, 2, 2, 2]),
    "reversed": ([0] * 50 + [1] * 10, np.arange(60)[::-1]),
    "perfect": ([1] * 10 + [0] * 50, np.arange(60)[::-1]),
    "a_cliff": ([1] * 9 + [0] * 5000 + [1] * 300, [2.0] * 9 + [1.0] * 5300),
    # The plain formula (A - Amin) / (1 - Amin) has a relative error of 4e-11 here.
    "near_the_minimum": ([0] * 100_000 + [1] * 3000 + [0], np.arange(103_001)[::-1]),
}


def legend(display):
    return legend_of(display.ax_)


def assert_draws(line, y, score, curve, **options):
    """The line has points on the curve, and looks like the curve between its points."""
    x, drawn = line.get_data()
    assert np.all(np.diff(x) >= 0)
    recall = np.linspace(0, 1, 4003)[1:-1]
    drops = x[np.r_[True, np.diff(x) == 0]]
    recall = recall[np.min(np.abs(recall[:, None] - drops), 1) > 1e-6]
    expected = apr.precision_at_recall(y, score, recall=recall, curve=curve, **options)
    assert np.max(np.abs(np.interp(recall, x, drawn) - expected)) < INVISIBLE
    rising = np.r_[x[0] > 0, np.diff(x) > 1e-9]  # at a drop the highest point counts
    at_points = apr.precision_at_recall(y, score, recall=x[rising], curve=curve, **options)
    np.testing.assert_allclose(drawn[rising], at_points, rtol=1e-9, atol=1e-12)


def data(labels=(0, 1)):
    X, y = make_classification(400, weights=[0.7], flip_y=0.2, random_state=0)
    return X, np.array(labels)[y]


NAMES = ["ant", "bee", "cat"]
CLASSES = np.repeat(NAMES, [30, 60, 110])
IS_CLASS = CLASSES[:, None] == NAMES
CLASS_SCORES = np.round(np.random.default_rng(0).normal(size=(200, 3)) + IS_CLASS, 1)


MODELS = {"a": CLASS_SCORES[:, 0], "b": CLASS_SCORES[:, 1], "$c$": -CLASS_SCORES[:, 2]}


@cache
def folds(n_folds=5, model=None, labels=(0, 1), shift=0.0):
    """Results of a cross-validation, and labels and scores of each fold."""
    X, y = data(labels)
    model = LogisticRegression(C=0.1) if model is None else model
    cv_results = cross_validate(
        model, X + shift, y, cv=n_folds, return_estimator=True, return_indices=True
    )
    return cv_results, X + shift, y
