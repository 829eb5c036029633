"""Limits by empirical likelihood in special cases, and design effects by hand.

`test_operating_point_interval` has the limits against their definition.
"""

import numpy as np
import pytest
from scipy.stats import chi2, norm
from scipy.stats import t as student

from sklearn_achievable_pr import roc_convex_hull
from sklearn_achievable_pr._input.labels import check_binary
from sklearn_achievable_pr._roc.counting import breakpoints, every_threshold
from sklearn_achievable_pr.rates._likelihood import (
    design_effect,
    precision_limits,
    recall_limits,
)
from sklearn_achievable_pr.uncertainty._samples import Sample

QUANTILE = chi2.ppf(0.95, 1)


def sample(n_samples, prevalence, decimals, seed=0):
    rng = np.random.default_rng(seed)
    y = (rng.random(n_samples) < prevalence).astype(int)
    return y, np.round(rng.normal(size=n_samples) + 1.2 * y, decimals), rng


def curve(y, score, weight=None):
    return every_threshold(check_binary(y, score, None, weight))


def test_a_tie_of_negatives_alone_is_divided():
    """At recall 0.5 the curve has every precision from 1/3 to 1."""
    y, score = [1] * 10 + [0] * 20 + [1] * 10 + [0] * 10, [3] * 10 + [2] * 20 + [1] * 20
    untied = np.concatenate((score[:10], np.linspace(2, 1.5, 20), score[30:]))
    limits = [recall_limits(curve(y, s), 0.6, QUANTILE, 0.5) for s in (score, untied)]
    assert limits[0][0] < 0.3 < 0.7 < limits[0][1]
    np.testing.assert_allclose(*limits, atol=2e-3)


def test_breakpoints_have_nearly_the_limits_of_every_threshold():
    y, score, _ = sample(300, 0.3, 12)
    recall = [0.1, 0.5, 0.9]
    same = precision_limits(
        breakpoints(check_binary(y, score, None, None)), recall, QUANTILE
    )
    limits = precision_limits(curve(y, score), recall, QUANTILE)
    np.testing.assert_allclose(same, limits, rtol=1e-3)


def test_recalls_of_precisions_that_no_point_or_every_point_has():
    roc = curve([0, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    low, high = recall_limits(roc, 0.9, QUANTILE, 0.0)
    assert low == 0 < high
    y, score, _ = sample(2000, 0.3, 12)
    assert recall_limits(curve(y, score), 0.2, QUANTILE, 1.0) == (1.0, 1.0)


def effect(recall, *data, groups=None):
    data = check_binary(*data[:2], None, *data[2:] or (None,))
    return design_effect(Sample(None, data, every_threshold(data), groups), recall)


def test_the_design_effect_counts_clusters_and_weights():
    y, score, rng = sample(600, 0.2, 12)
    recall = np.array([0.1, 0.5, 0.9])
    n_pos = y.sum()
    alone = effect(recall, y, score)
    few = (student.ppf(0.975, n_pos - 1) / norm.ppf(0.975)) ** 2
    np.testing.assert_allclose(alone, few * n_pos / (n_pos - 1))
    # Every sample twice, in a cluster: the variance doubles. Weights scale it.
    twice = [np.repeat(values, 2) for values in (y, score, np.arange(600))]
    pairs = effect(recall, *twice[:2], groups=twice[2])
    np.testing.assert_allclose(pairs, 2 * alone, rtol=1e-9)
    scaled = effect(recall, y, score, np.full(600, 3.0))
    np.testing.assert_allclose(scaled, 3 * alone, rtol=1e-9)
    weight = rng.gamma(1.0, size=600)
    assert np.all(effect(recall, y, score, weight) > 1.1 * weight.mean())


@pytest.mark.parametrize("recall", [0.02, 0.3, 0.97])
def test_design_effect_by_hand(recall):
    """Untied samples, one after the other; the weights increase with the score."""
    y, score, rng = sample(400, 0.2, 12, seed=3)
    weight = np.exp(score / 2) * rng.gamma(2.0, size=400)
    order = np.argsort(-score)
    y, score, weight = y[order], score[order], weight[order]
    y[:2] = 0
    tps, fps = (np.append(0, np.cumsum(weight * in_class)) for in_class in (y, 1 - y))
    n_pos = tps[-1]
    at = recall * n_pos
    false = np.interp(at, tps, fps)
    precision = at / (at + false)
    # Bandwidth of Hall and Sheather (1988), at most up to an end of the curve.
    z, z_tail = norm.ppf(recall), norm.ppf(0.975)
    width = (1.5 * norm.pdf(z) ** 2 / (2 * z**2 + 1) * z_tail**2) ** (1 / 3)
    width *= (weight.mean() / n_pos) ** (1 / 3)
    width = min(width, recall, 1 - recall)
    ends = np.interp([at - width * n_pos, at + width * n_pos], tps, fps)
    slope = np.diff(ends)[0] / (2 * width * n_pos)
    fpr, tpr, _ = roc_convex_hull(y, score, sample_weight=weight)
    end = np.searchsorted(tpr, recall)
    of_hull = (fpr[end] - fpr[end - 1]) / (tpr[end] - tpr[end - 1]) * fps[-1] / n_pos
    slope = (slope + max(slope, of_hull)) / 2
    above = np.arange(400) < np.searchsorted(tps, at)
    influence = np.where(
        y == 1,
        (1 - precision) * recall + precision * slope * (above - recall),
        -precision * above,
    )
    ratio = np.sum((weight * influence) ** 2) / np.sum(weight * influence**2)
    n_positive = y.sum()
    n_effective = n_pos**2 / np.sum(weight[y == 1] ** 2)
    few = (student.ppf(0.975, n_effective - 1) / z_tail) ** 2
    expected = few * ratio * n_positive / (n_positive - 1)
    assert expected > few * weight.mean()
    assert effect(np.array([recall]), y, score, weight) == pytest.approx(expected)


@pytest.mark.parametrize("of_positives", ["one heavy", "all light"])
def test_design_effect_of_very_unequal_weights(of_positives):
    """A finite number: neither the squared influences nor the quantile of t overflow."""
    y, score = np.array([1, 1, 1, 0] + [1, 0] * 10), -np.arange(24.0)
    weight = np.where(y == 1, 1e-180, 1.0)
    if of_positives == "one heavy":
        weight = np.full(24, 1e83)
        weight[8] = 1e90
    found = effect(np.array([0.1, 0.2, 0.6]), y, score, weight)
    assert np.all(np.isfinite(found) & (found >= weight.mean()))


def test_the_design_effect_is_at_least_that_of_independent_samples():
    """Each cluster has a positive and the negative above it: their influences cancel."""
    y, score = np.arange(22) % 2, -np.arange(22.0)
    assert effect(np.array([0.05]), y, score, groups=np.arange(22) // 2) >= 1
