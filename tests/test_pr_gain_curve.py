"""Precision-recall-gain: by hand, against the definition in fractions, and its range."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import slow_twins as slow
from cases import each
from closeness import assert_exact
from situations import SITUATIONS, random_problem
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import auc

import sklearn_achievable_pr as apr


def data(name):
    situation = SITUATIONS[name]
    options = {} if situation.weight is None else {"sample_weight": situation.weight}
    return situation, options


# Independent implementation of the definition, in fractions


def gains(p, n_pos, n_neg):
    """Precision and recall gain of a point by their definitions, as of Flach and Kull."""
    pi = n_pos / (n_pos + n_neg)
    precision, recall = p.t / (p.t + p.f), p.t / n_pos
    return ((precision - pi) / ((1 - pi) * precision), (recall - pi) / ((1 - pi) * recall))


def exact_curve(points):
    """Gains and thresholds from recall gain 0 on, where the counts are interpolated."""
    n_pos, n_neg = points[-1].t, points[-1].f
    t = n_pos * n_pos / (n_pos + n_neg)
    crossing = slow.Point(slow.fewest(points, t), t, None)
    later = [p for p in points if p.t >= t]
    return [(*gains(p, n_pos, n_neg), p.threshold) for p in (crossing, *later)]


def exact_area(points):
    curve = exact_curve(points)
    return sum((r1 - r0) * (p0 + p1) / 2 for (p0, r0, _), (p1, r1, _) in pairwise(curve))


def test_three_positives_and_three_negatives_by_hand():
    """At (f, t) = (0, 1), (1, 1), (1, 2), (1, 3), (2, 3), (3, 3), with P / N = 1.

    The recall is the prevalence at t = 3/2, on the way from (1, 1) to (1, 2): gains
    1 - 1/t and 1 - (3 - t)/t there are 1/3 and 0.
    """
    y_true, y_score = [1, 0, 1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    precision_gain, recall_gain, thresholds = apr.pr_gain_curve(y_true, y_score)
    np.testing.assert_allclose(precision_gain, [0, 1 / 3, 2 / 3, 1 / 2, 1 / 3], atol=1e-15)
    np.testing.assert_allclose(recall_gain, [1, 1, 1, 1 / 2, 0], atol=1e-15)
    assert thresholds.tolist() == [0.4, 0.5, 0.6, 0.7]
    area = Fraction(1, 2) * (Fraction(1, 3) + Fraction(1, 2)) / 2
    area += Fraction(1, 2) * (Fraction(1, 2) + Fraction(2, 3)) / 2
    assert_exact(apr.auprg_score(y_true, y_score), area, 1e-15)


def test_a_point_whose_recall_is_the_prevalence_up_to_rounding_begins_the_curve():
    """At (f, t) = (0, 1), (2, 1), (2, 6), (30, 6), with P / N = 1/5.

    The recall 1/6 is the prevalence, but (1/5) / (6/5) is rounded to a larger number.
    """
    n_samples = 1, 2, 5, 28
    y_true, y_score = (np.repeat(x, n_samples) for x in ([1, 0, 1, 0], [4, 3, 2, 1]))
    precision_gain, _, thresholds = apr.pr_gain_curve(y_true, y_score)
    expected = [0, 14 / 15, 3 / 5, 1, 1]
    np.testing.assert_allclose(precision_gain, expected, atol=1e-15)
    assert thresholds.tolist() == [1, 2, 3, 4]


# There the last bit decides which points are vertices.
IN_FRACTIONS = [
    (name, curve)
    for name in SITUATIONS
    for curve in ("empirical", "achievable")
    if curve == "empirical" or "denormal" not in name
]


@each(which=IN_FRACTIONS, prevalence=[None, 0.001, 1 - 2.0**-30])
def test_curve_and_area_against_the_definition(which, prevalence):
    name, curve = which
    (y_true, y_score, weight), options = data(name)
    points = slow.roc(y_true, y_score, weight)
    if curve == "achievable":
        points = slow.hull(points)
    if prevalence is not None:
        points = slow.at_prevalence(points, prevalence)
    options |= {"curve": curve, "prevalence": prevalence}
    # A value near 0 is a difference of gains, each right to its last digits.
    scale = 1 + abs(float(points[-1].f / points[-1].t))
    found, exact = apr.auprg_score(y_true, y_score, **options), exact_area(points)
    assert abs(found - float(exact)) <= 1e-12 * max(abs(float(exact)), 1e-3 * scale)

    precision_gain, recall_gain, thresholds = apr.pr_gain_curve(y_true, y_score, **options)
    assert len(thresholds) == len(recall_gain) - 1
    assert recall_gain[0] == 1
    assert recall_gain[-1] == 0
    assert (np.diff(recall_gain) <= 0).all()
    assert precision_gain.max() <= 1
    trapezoids = auc(recall_gain, precision_gain)
    assert trapezoids == pytest.approx(found, rel=1e-9, abs=1e-12 * scale)
    if "denormal" not in name:
        expected = np.array(exact_curve(points)[::-1], dtype=float).T
        np.testing.assert_allclose(
            precision_gain, expected[0], rtol=1e-12, atol=1e-12 * scale
        )
        # Near prevalence 1 a recall gain is a difference of recalls of nearly 1.
        np.testing.assert_allclose(recall_gain, expected[1], rtol=1e-6, atol=1e-6)
        np.testing.assert_array_equal(thresholds, expected[2][:-1])


# Properties for any score


@each(n_pos=[1, 3, 50], n_neg=[1, 7, 200])
def test_constant_perfect_and_worst(n_pos, n_neg):
    y_true = np.r_[np.ones(n_pos, dtype=int), np.zeros(n_neg, dtype=int)]
    assert abs(apr.auprg_score(y_true, np.zeros(len(y_true)))) < 1e-15
    assert apr.auprg_score(y_true, y_true / 2) == 1
    worst = -n_neg / (2 * n_pos)
    assert apr.auprg_score(y_true, -y_true) == pytest.approx(worst, rel=1e-14)
    best_of_worst = apr.auprg_score(y_true, -y_true, curve="achievable")
    assert abs(best_of_worst) < 1e-15


@each(exponent=[239, 245, 290], heavy=[0, 1])
def test_weights_of_any_ratio(heavy, exponent):
    y_true, y_score = np.array([0, 1, 1, 0, 1]), [5, 4, 3, 2, 1]
    weight = np.where(y_true == heavy, 10.0**exponent, 1.0)
    exact = exact_area(slow.roc(y_true, y_score, weight))
    found = apr.auprg_score(y_true, y_score, sample_weight=weight)
    assert found == pytest.approx(float(exact), rel=1e-13, abs=1e-15)
    gain, recall_gain, _ = apr.pr_gain_curve(y_true, y_score, sample_weight=weight)
    assert np.isfinite(gain).all()
    assert ((recall_gain >= 0) & (recall_gain <= 1)).all()


def test_curves_in_several_parts():
    """More samples than in one part of a ROC curve."""
    y_true, y_score, _ = random_problem(8, 150_000, prevalence=0.3)
    precision_gain, recall_gain, _ = apr.pr_gain_curve(y_true, y_score)
    found = apr.auprg_score(y_true, y_score)
    assert found == pytest.approx(auc(recall_gain, precision_gain), rel=1e-12)


# Inputs


@pytest.mark.parametrize(
    ("labels", "missing"), [([0, 0, 0], "positive"), ([1, 1, 1], "negative")]
)
def test_a_curve_without_a_class(labels, missing):
    scores = [3, 2, 2]
    with pytest.warns(UndefinedMetricWarning, match=f"No {missing} samples") as caught:
        precision_gain, recall_gain, thresholds = apr.pr_gain_curve(labels, scores)
    assert caught[0].filename == __file__
    assert np.isnan([*precision_gain, *recall_gain]).all()
    assert len(precision_gain) == len(recall_gain) == len(thresholds) + 1
    assert set(thresholds) <= set(scores)
