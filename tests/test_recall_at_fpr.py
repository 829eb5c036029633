"""`recall_at_fpr` against the definition, and its agreement with `choose_threshold`."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import roc_curve

from sklearn_achievable_pr import choose_threshold, recall_at_fpr, roc_convex_hull

RNG = np.random.default_rng(3)
Y = RNG.random(400) < 0.2
SCORES = {
    "untied": RNG.normal(size=400) + Y,
    "tied": np.round(RNG.normal(size=400) + Y, 1),
    "ordinal": np.round(RNG.normal(size=400) + Y),
}
every_score = pytest.mark.parametrize("score", SCORES)


def points(y, score):
    """Counts of the ROC curve at every threshold, as integers."""
    levels = np.unique(score)[::-1]
    return [[0, *(int(np.sum(score[c] >= v)) for v in levels)] for c in (~y, y)]


def recall_of(points, fpr):
    """The highest recall of a polygon of counts at a false positive rate, in fractions."""
    fps, tps = points
    at = Fraction(fpr) * fps[-1]
    segments = zip(fps, tps, fps[1:], tps[1:], strict=False)
    found = [Fraction(tps[0])] if at == 0 else []
    for f0, t0, f1, t1 in segments:
        if f0 <= at <= f1:
            share = Fraction(at - f0) / (f1 - f0) if f1 > f0 else 1
            found.append(t0 + share * (t1 - t0))
    return float(max(found) / tps[-1])


@every_score
def test_the_roc_curve_is_interpolated_along_ties(score):
    at = [0.0, 2**-9, 0.03125, 0.25, 0.71875, 1.0]
    expected = [recall_of(points(Y, SCORES[score]), fpr) for fpr in at]
    found = recall_at_fpr(Y, SCORES[score], fpr=at)
    np.testing.assert_allclose(found, expected, rtol=1e-14)


@every_score
def test_the_achievable_curve_is_the_roc_convex_hull(score):
    fpr, tpr, _ = roc_convex_hull(Y, SCORES[score])
    at = np.linspace(0.001, 1, 60)
    found = recall_at_fpr(Y, SCORES[score], fpr=at, curve="achievable")
    np.testing.assert_allclose(found, np.interp(at, fpr, tpr), rtol=1e-13)


@every_score
def test_rates_of_points_have_the_highest_recall_there(score):
    """Rates as a user computes them, rounded: f / N."""
    fpr, tpr, _ = roc_curve(Y, SCORES[score], drop_intermediate=False)
    expected = [tpr[fpr == f].max() for f in fpr]
    np.testing.assert_allclose(
        recall_at_fpr(Y, SCORES[score], fpr=fpr), expected, rtol=1e-14
    )


def test_a_constant_score_has_the_false_positive_rate():
    assert recall_at_fpr(Y, np.full(400, 0.3), fpr=0.2) == pytest.approx(0.2)


def test_a_perfect_ranking_has_all_positives_without_false_positives():
    assert recall_at_fpr(Y, Y + 0.5, fpr=[0.0, 0.01]).tolist() == [1.0, 1.0]


def test_less_than_one_negative_is_interpolated():
    y, score = [0, 1, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1]
    assert recall_at_fpr(y, score, fpr=0.125) == 0.0
    tied = [5, 5, 4, 3, 2, 1]
    assert recall_at_fpr(y, tied, fpr=0.125) == 0.25


@every_score
def test_weights_are_copies_of_samples(score):
    weight = RNG.integers(0, 4, 400)
    copies = [np.repeat(values, weight) for values in (Y, SCORES[score])]
    at = np.linspace(0.013, 0.987, 20)
    found = recall_at_fpr(Y, SCORES[score], fpr=at, sample_weight=weight)
    np.testing.assert_allclose(found, recall_at_fpr(*copies, fpr=at), rtol=1e-13)


def test_weights_of_a_class_do_not_change_the_result():
    weight = np.where(Y, 1.0, 1e-3 / 7)
    at = [0.01, 0.1, 0.5]
    found = recall_at_fpr(Y, SCORES["tied"], fpr=at, sample_weight=weight)
    np.testing.assert_allclose(found, recall_at_fpr(Y, SCORES["tied"], fpr=at), rtol=1e-12)


@pytest.mark.parametrize("y", [np.zeros(5), np.ones(5)], ids=["negatives", "positives"])
def test_both_classes_are_needed(y):
    with pytest.warns(UndefinedMetricWarning, match="No (positive|negative) samples"):
        found = recall_at_fpr(y, [5, 4, 3, 2, 1], fpr=0.1, replace_undefined_by=0.25)
    assert found == 0.25


@pytest.mark.parametrize(
    ("score", "fpr"), [("untied", 0.01), ("tied", 0.1), ("ordinal", 0.3)]
)
def test_no_threshold_under_a_largest_rate_has_a_higher_recall(score, fpr):
    score = SCORES[score]
    chosen = choose_threshold(Y, score, objective="recall", max_fpr=fpr)
    assert chosen.recall <= recall_at_fpr(Y, score, fpr=fpr)


@every_score
def test_a_threshold_with_exactly_this_rate_has_this_recall(score):
    score = SCORES[score]
    fpr = np.mean(score[~Y] >= np.sort(np.unique(score))[-4])
    chosen = choose_threshold(Y, score, objective="recall", max_fpr=fpr)
    assert chosen.fpr == fpr
    assert chosen.recall == pytest.approx(recall_at_fpr(Y, score, fpr=fpr), rel=1e-14)
