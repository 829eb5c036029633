"""Assertions on relative errors against exact values."""

from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import slow_twins as slow
from cases import case
from sklearn.metrics import average_precision_score

import sklearn_achievable_pr as apr

# Documented accuracy of the package against exact arithmetic.
PROMISED = 1e-12
# A few roundings of 1. AUCNPR is 1 minus a quotient of areas, and the ends of a recall
# range are rounded numbers of true positives: small values have this absolute error.
ROUNDING = 1e-15

# The areas that functions of samples and `auc_pr_from_counts` know.
METRICS = ("auc_pr_interpolated", "achievable_auc_pr", "aucnpr", "achievable_aucnpr")
# The metrics that functions of large data and `auc_pr_from_counts` know.
SUMS = (*METRICS, "average_precision")


def relative_error(got, exact):
    """Relative error of a float against 30 digits of text, a fraction or an mpf."""
    with mpmath.workdps(50):
        exact = as_mpf(exact)
        return float(abs((mpmath.mpf(float(got)) - exact) / exact))


def as_mpf(value):
    if isinstance(value, Fraction):
        return mpmath.mpf(value.numerator) / value.denominator
    return mpmath.mpf(value)


def assert_exact(got, exact, within=PROMISED):
    """Assert a relative error; if the exact value is 0, the result must be 0."""
    with mpmath.workdps(50):
        exact = as_mpf(exact)
    if exact == 0:
        assert float(got) == 0
        return
    error = relative_error(got, exact)
    assert error <= within, f"{got!r} is not {mpmath.nstr(exact, 20)}: off by {error:.1e}"


def curve_of(points, metric):
    """The ROC curve or its hull."""
    return slow.hull(points) if metric.startswith("achievable") else points


def assert_area(found, metric, points, recall_range=(0, 1), within=PROMISED):
    """Assert one of `METRICS` against the twin of the curve that it is of."""
    is_normalized = metric.endswith("aucnpr")
    twin = slow.normalized_area if is_normalized else slow.area
    exact = twin(points, *recall_range)
    if is_normalized or recall_range != (0, 1):
        assert abs(found - float(exact)) <= max(within * float(exact), ROUNDING)
    else:
        assert_exact(found, exact, within)


def of_samples(data, metric, prevalence=None, **options):
    """One of `SUMS` from labels, scores and weights."""
    if metric == "average_precision":
        return _average_precision(*data, prevalence)
    options["prevalence"] = prevalence
    function = apr.aucnpr if metric.endswith("aucnpr") else apr.auc_pr_interpolated
    curve = "achievable" if metric.startswith("achievable") else "empirical"
    return function(*data[:2], sample_weight=data[2], curve=curve, **options)


def _average_precision(y_true, y_score, weight, prevalence):
    """Average precision of scikit-learn, with weights that give the prevalence."""
    positive = np.asarray(y_true) == 1
    weight = np.ones(len(positive)) if weight is None else np.asarray(weight, np.float64)
    if prevalence is not None:
        odds = weight[positive].sum() / weight[~positive].sum()
        weight = np.where(positive, weight, weight * odds * (1 - prevalence) / prevalence)
    # scikit-learn needs scores of few bytes, and ranks are the same for it.
    _, rank = np.unique(np.asarray(y_score), return_inverse=True)
    return float(average_precision_score(positive, rank, sample_weight=weight))


def of_counts(points, metric, **options):
    """One of `METRICS` from the counts at the points of a ROC curve."""
    tps, fps = ([float(p[i]) for p in points] for i in (1, 0))
    if all(x.is_integer() for x in tps + fps):
        tps, fps = [int(x) for x in tps], [int(x) for x in fps]
    # Without totals, sums of weights up to 1 could be rates.
    totals = {"n_pos": tps[-1], "n_neg": fps[-1]}
    return apr.auc_pr_from_counts(tps, fps, metric=metric, **totals, **options)


def assert_areas(data, ranges, prevalence=None, within=PROMISED):
    """Assert all `METRICS` of samples over recall ranges against the twin."""
    points = slow.roc(*data)
    if prevalence is not None:
        points = slow.at_prevalence(points, prevalence)
    curves = {metric: curve_of(points, metric) for metric in METRICS}
    for metric, ends in product(METRICS, ranges):
        found = of_samples(data, metric, recall_range=ends, prevalence=prevalence)
        with case(metric, ends):
            assert_area(found, metric, curves[metric], ends, within)
