"""Precision and recall among the k highest scores."""

from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest

from sklearn_achievable_pr import precision_at_k, recall_at_k

both = pytest.mark.parametrize("function", [precision_at_k, recall_at_k])


def mean_over_orders(y_true, y_score, k):
    """The mean number of positives among the first k over all orders of tied samples."""
    orders = [
        order
        for order in permutations(range(len(y_true)))
        if all(y_score[i] >= y_score[j] for i, j in pairwise(order))
    ]
    return Fraction(sum(sum(y_true[i] for i in o[:k]) for o in orders), len(orders))


@pytest.mark.parametrize(
    ("y_true", "y_score"),
    [
        pytest.param([1, 0, 1, 0, 0, 1, 0, 1], [5] * 8, marks=pytest.mark.slow),
        ([0, 1, 1, 0, 1, 0, 0], [9, 7, 7, 7, 7, 7, 1]),
        ([1, 0, 1, 1, 0, 0], [3, 3, 2, 2, 2, 1]),
        ([1, 1, 0], [3, 2, 1]),
    ],
)
def test_ties_across_the_cut_have_their_expected_counts(y_true, y_score):
    for k in range(1, len(y_true) + 1):
        expected = mean_over_orders(y_true, y_score, k)
        for found in (precision_at_k(y_true, y_score, k=k) * k,
                      recall_at_k(y_true, y_score, k=k) * sum(y_true)):  # fmt: skip
            assert found == pytest.approx(float(expected), rel=1e-15)


def test_untied_scores_count_the_first_k():
    rng = np.random.default_rng(0)
    y_true = rng.random(4000) < 0.1
    y_score = rng.normal(size=4000) + y_true
    k = np.array([[1, 100], [3999, 4000]])
    tps = np.cumsum(y_true[np.argsort(-y_score)])[k - 1]
    assert precision_at_k(y_true, y_score, k=k).tolist() == (tps / k).tolist()
    assert recall_at_k(y_true, y_score, k=k).tolist() == (tps / tps[1, 1]).tolist()


@both
def test_a_fraction_is_of_all_samples(function):
    y_true, y_score = [1, 0, 1, 0, 1], [5, 4, 3, 2, 2]
    assert function(y_true, y_score, k=0.4) == function(y_true, y_score, k=2)
    assert function(y_true, y_score, k=1.0) == function(y_true, y_score, k=5)


@both
def test_weights_are_copies_and_k_their_total(function):
    y_true, y_score, weight = [1, 0, 1, 0], [4, 3, 2, 2], [1, 2, 3, 1]
    copies = np.repeat(y_true, weight), np.repeat(y_score, weight)
    for k in (1, 4, 5, 7, 0.5):
        weighted = function(y_true, y_score, k=k, sample_weight=weight)
        assert weighted == pytest.approx(function(*copies, k=k), rel=1e-15)


@both
def test_k_may_exceed_a_total_that_is_rounded(function):
    """One weight of 0.1 and nine of 0.1 add up to less than 1."""
    data, weight = ([1] + [0] * 9, np.arange(10)), np.full(10, 0.1)
    assert weight[0] + np.cumsum(weight[1:])[-1] < 1
    expected = function(*data, k=1.0, sample_weight=weight)
    assert function(*data, k=1, sample_weight=weight) == expected


@both
def test_a_prevalence_undoes_down_sampling(function):
    y_true, y_score = np.array([1, 0, 1, 0]), np.array([4, 3, 2, 2])
    copies = np.where(y_true == 1, 1, 9)
    population = np.repeat(y_true, copies), np.repeat(y_score, copies)
    for k in (5, 12, 0.1, 0.75):
        found = function(y_true, y_score, k=k, prevalence=0.1)
        assert found == pytest.approx(function(*population, k=k), rel=1e-14)


@pytest.mark.parametrize("k", [0, 4, [1, 0], True])
def test_bad_numbers_of_samples_raise(k):
    with pytest.raises(ValueError, match="`k` must"):
        precision_at_k([0, 1, 0], [1, 2, 3], k=k)


@pytest.mark.parametrize("k", [0.0, 1.5, np.nan, np.ma.array([1, 2], mask=[0, 1])])
def test_bad_shares_and_masked_k_raise(k):
    with pytest.raises(ValueError, match=r"`k` (must|has masked entries)"):
        recall_at_k([0, 1, 0], [1, 2, 3], k=k)


@both
def test_k_of_other_types_raise(function):
    for k in ("2", 1j, ["2"]):
        with pytest.raises(TypeError, match="`k` must hold real numbers"):
            function([0, 1, 0], [1, 2, 3], k=k)
