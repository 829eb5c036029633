"""Time of intervals and comparisons, next to average precision.

Medians of alternating runs on the same arrays::

    python benchmarks/speed/intervals.py [--quick] [--out DIR]
"""

import numpy as np
import scipy
import sklearn
from _bench import (
    Report,
    command_line,
    labels_and_scores,
    medians,
    weights,
)
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import cross_validate

import sklearn_achievable_pr
from sklearn_achievable_pr import (
    auc_pr_influence,
    auc_pr_interpolated,
    auc_pr_interval,
    auc_pr_interval_cv,
    compare_models,
)


def interval(n_rows, prevalence):
    """Times of the area and its interval, relative to one average precision."""
    y_true, y_score = labels_and_scores(n_rows, prevalence)
    weight = weights(n_rows)
    steps, area, found, normalized = medians(
        lambda: average_precision_score(y_true, y_score),
        lambda: auc_pr_interpolated(y_true, y_score),
        lambda: auc_pr_interval(y_true, y_score),
        lambda: auc_pr_interval(y_true, y_score, metric="aucnpr"),
    )
    weighted_steps, weighted = medians(
        lambda: average_precision_score(y_true, y_score, sample_weight=weight),
        lambda: auc_pr_interval(y_true, y_score, sample_weight=weight),
    )
    return {
        "n": n_rows,
        "prevalence": prevalence,
        "AP ms": 1e3 * steps,
        "area / AP": area / steps,
        "interval / AP": found / steps,
        "AUCNPR / AP": normalized / steps,
        "weighted / AP": weighted / weighted_steps,
    }


def comparison(n_rows, prevalence):
    """Times of a paired comparison and of influence values, in areas of the same arrays."""
    y_true, y_score = labels_and_scores(n_rows, prevalence)
    other = y_score + np.random.default_rng(1).normal(size=n_rows)
    sort, area, compared, influence = medians(
        lambda: np.sort(y_score),
        lambda: auc_pr_interpolated(y_true, y_score),
        lambda: compare_models(y_true, {"a": y_score, "b": other}),
        lambda: auc_pr_influence(y_true, y_score),
    )
    return {
        "n": n_rows,
        "prevalence": prevalence,
        "sort ns per sample": 1e9 * sort / n_rows,
        "area ms": 1e3 * area,
        "comparison / area": compared / area,
        "influence / area": influence / area,
    }


def of_folds(n_rows, prevalence):
    """Time of a cross-validated interval beyond its predictions, in areas of its folds."""
    y, signal = labels_and_scores(n_rows, prevalence)
    X = np.column_stack((signal, np.random.default_rng(1).normal(size=(n_rows, 4))))
    cv_results = cross_validate(
        LogisticRegression(), X, y, cv=5, return_estimator=True, return_indices=True
    )
    tests = cv_results["indices"]["test"]

    def predicted():
        pairs = zip(cv_results["estimator"], tests, strict=True)
        return [estimator.decision_function(X[test]) for estimator, test in pairs]

    labels, scores = [y[test] for test in tests], predicted()
    predictions, areas, interval = medians(
        predicted,
        lambda: [*map(auc_pr_interpolated, labels, scores)],
        lambda: auc_pr_interval_cv(cv_results, X, y),
    )
    return {
        "n": n_rows,
        "prevalence": prevalence,
        "areas ms": 1e3 * areas,
        "interval ms": 1e3 * interval,
        "beyond predictions / areas": (interval - predictions) / areas,
    }


def main():
    options = command_line(__doc__)
    sizes = (10**3, 10**4) if options.quick else (10**3, 10**4, 10**5, 10**6, 10**7)
    report = Report(options, np, scipy, sklearn, sklearn_achievable_pr)
    report.table(
        "uncertainty",
        "The beta interval, untied float64 decision values",
        [interval(n, prevalence) for n in sizes for prevalence in (0.01, 0.1, 0.5)],
    )
    report.table(
        "comparison",
        "Two scores of the same samples, untied float64 decision values",
        [
            comparison(n, prevalence)
            for n in ((30_000,) if options.quick else (30_000, 10**5, 3 * 10**5, 10**6))
            for prevalence in (0.01, 0.1, 0.5)
        ],
    )
    report.table(
        "cross_validated_interval",
        "Interval of a cross-validation of logistic regression in 5 folds",
        [of_folds(n, prevalence) for n in sizes[:4] for prevalence in (0.1, 0.5)],
    )
    report.close()


if __name__ == "__main__":
    main()
