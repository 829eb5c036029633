"""ROC curves in counts: points for drawing, and what no public function reaches."""

import numpy as np
import pytest
from strategies import every_problem

import sklearn_achievable_pr as apr
from sklearn_achievable_pr._roc.counting import from_counts
from sklearn_achievable_pr.metrics._areas import davis_goadrich_area


def test_counts_without_weights_stay_integers():
    """Integers make hulls and comparisons exact."""
    roc = from_counts(np.array([0, 1, 2**60 + 1]), np.array([0, 1, 2]))
    assert roc.concatenated().fps.tolist() == [0, 1, 2**60 + 1]
    assert roc.at_prevalence(0.5).concatenated().fps.dtype == np.float64


def test_davis_goadrich_area_of_less_than_one_positive():
    """An increment of less than one positive is one step."""
    for scale in (1.0, 1e-12, 1e-60):
        roc = from_counts(np.array([0, 1, 3]) * scale, np.array([0, 0.4, 0.8]) * scale)
        found = davis_goadrich_area(roc)
        flat, last = 0.4 / 1.4, 0.8 / 3.8
        assert found == pytest.approx(flat / 2 + (flat + last) / 4, rel=1e-14)


@every_problem
def test_points_for_drawing_are_close_on_the_curve_and_few(data):
    """The summary of one fold is its curve, with points for a polyline."""
    y_true, y_score, weight = data
    weights = None if weight is None else [weight]
    folds = {"y_true": [y_true], "y_score": [y_score], "sample_weight": weights}
    precision, recall = apr.summary_pr_curve(**folds)
    own_precision, own_recall = apr.summary_pr_curve(**folds, interpolate=False)
    on_curve = apr.precision_at_recall(y_true, y_score, recall=recall, sample_weight=weight)
    is_between = ~np.isin(recall, own_recall)
    np.testing.assert_allclose(precision[is_between], on_curve[is_between], rtol=1e-9)

    gap, rise = -np.diff(recall), np.abs(np.diff(precision))
    assert (gap <= 1 / 500 * (1 + 1e-6)).all()
    assert (rise[gap > 0] <= 1 / 500 * (1 + 1e-5)).all()
    # Points that divide the recall, and others that divide the precision.
    own_gap, own_rise = -np.diff(own_recall), np.abs(np.diff(own_precision))
    most = 500 * own_gap.sum() + 500 * own_rise[own_gap > 0].sum()
    assert np.count_nonzero(is_between) <= most
