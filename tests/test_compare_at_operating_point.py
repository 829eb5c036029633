"""Comparisons at an operating point, against slow computations of their own."""

import json

import numpy as np
import pytest
from scipy.stats import norm, t
from sklearn.exceptions import UndefinedMetricWarning
from slow_twins import error_and_df, kish

from sklearn_achievable_pr import (
    CoverageWarning,
    compare_models,
    compare_subgroups,
    operating_point_interval,
    precision_at_k,
    precision_at_recall,
    recall_at_fpr,
    recall_at_k,
    threshold_table,
)

RATES = {
    "recall": lambda tp, fp, fn, tn: tp / (tp + fn),
    "specificity": lambda tp, fp, fn, tn: tn / (tn + fp),
    "precision": lambda tp, fp, fn, tn: tp / (tp + fp),
    "npv": lambda tp, fp, fn, tn: tn / (tn + fn),
    "f1": lambda tp, fp, fn, tn: 2 * tp / (2 * tp + fp + fn),
    "selection_rate": lambda tp, fp, fn, tn: (tp + fp) / (tp + fp + fn + tn),
}
AT = {
    "precision_at_recall": 0.6,
    "recall_at_fpr": 0.1,
    "precision_at_k": 0.2,
    "recall_at_k": 0.15,
    **dict.fromkeys((f"{rate}_at_threshold" for rate in RATES), 1.0),
}
# One metric for each kind of cut.
every_cut = pytest.mark.parametrize(
    "metric", ["precision_at_recall", "recall_at_fpr", "precision_at_k", "npv_at_threshold"]
)
at_thresholds = pytest.mark.parametrize(
    "metric",
    [f"{rate}_at_threshold" for rate in ("recall", "precision", "f1", "selection_rate")],
)


def samples(n=300, seed=0, step=0.0):
    """Labels and the scores of two models, rounded to multiples of `step`."""
    rng = np.random.default_rng(seed)
    y_true = rng.random(n) < 0.3
    shared = rng.normal(size=n)
    scores = {
        name: effect * y_true + shared + 0.5 * rng.normal(size=n)
        for name, effect in (("a", 1.5), ("b", 1.0))
    }
    if step:
        scores = {name: np.round(score / step) * step for name, score in scores.items()}
    return y_true, scores


def rate_of(metric, at, y_true, score, weight=None):
    """The rate by a function of the package, or by counts at a threshold."""
    rate, kind = metric.split("_at_")
    if kind == "threshold":
        weight = np.ones(len(y_true)) if weight is None else weight
        above = score >= at
        cells = (y_true & above, ~y_true & above, y_true & ~above, ~y_true & ~above)
        return RATES[rate](*((weight * cell).sum() for cell in cells))
    function = {
        "precision_at_recall": precision_at_recall,
        "recall_at_fpr": recall_at_fpr,
        "precision_at_k": precision_at_k,
        "recall_at_k": recall_at_k,
    }[metric]
    return function(y_true, score, **{kind: at}, sample_weight=weight)


def derivatives(metric, at, y_true, score):
    """Derivative of the rate by the weight of each sample, by central differences."""
    found, step = [], 1e-5
    for i in range(len(y_true)):
        ends = []
        for sign in (1, -1):
            weight = np.ones(len(y_true))
            weight[i] += sign * step
            ends.append(rate_of(metric, at, y_true, score, weight))
        found.append((ends[0] - ends[1]) / (2 * step))
    return np.array(found)


def counted(metric, at, y_true, score):
    """Whether each sample is in the whole of the rate, those of a tie at k fully."""
    rate, kind = metric.split("_at_")
    cut = np.sort(score)[::-1][round(at * len(score)) - 1] if kind == "k" else at
    above = score >= cut
    return {
        "recall": y_true,
        "specificity": ~y_true,
        "precision": above,
        "npv": ~above,
        "f1": y_true | above,
        "selection_rate": np.ones(len(y_true), dtype=bool),
    }[rate]


def leverages(metric, at, y_true, score, units):
    """Leverage of each unit, and how many units are counted.

    At a recall or an FPR these are shares in the classes, and the smaller class.
    """
    sizes = np.array([np.bincount(units, c) for c in (y_true, ~y_true)])
    is_single = sizes.sum(axis=0).max() == 1
    if metric.endswith(("recall", "fpr")):
        share = np.max(sizes / sizes.sum(axis=1, keepdims=True), axis=0)
        return share, np.min(sizes.sum(axis=1) ** 2 / (sizes**2).sum(axis=1))
    is_counted = counted(metric, at, y_true, score)
    sizes = np.array([np.bincount(units, c) for c in (is_counted, ~is_counted)])
    n = sizes[0].sum() ** 2 / (sizes[0] ** 2).sum()
    if metric == "precision_at_k":  # a tie at the cut counts by its share
        n = AT[metric] * len(y_true)
    if is_single:  # of samples that are not counted only the cut at k depends
        outside = 1 / sizes[1].sum() if metric.endswith("k") else 0.0
        return np.where(is_counted, 1 / n, outside), n
    return sizes[0] / sizes[0].sum(), n


def compared(y_true, scores, metric, at=None, **options):
    """The comparison of two models, and its only pair."""
    at = AT[metric] if at is None else at
    found = compare_models(y_true, scores, metric=metric, at=at, **options)
    return found, next(iter(found.pairs.values()))


# Estimates and intervals of models


@every_cut
def test_estimates_are_those_of_the_function_of_the_rate(metric):
    y_true, scores = samples()
    found, pair = compared(y_true, scores, metric)
    expected = [rate_of(metric, AT[metric], y_true, score) for score in scores.values()]
    np.testing.assert_allclose(pair.estimates, expected, rtol=1e-12)
    np.testing.assert_allclose([m.estimate for m in found.models.values()], expected)


@pytest.mark.parametrize("rate", ["recall", "specificity", "npv", "f1"])
def test_intervals_at_a_threshold_are_those_of_the_threshold_table(rate):
    y_true, scores = samples()
    found, _ = compared(y_true, scores, f"{rate}_at_threshold")
    table = threshold_table(y_true, scores["b"], thresholds=[1.0])
    model = found.models["b"]
    ends = getattr(table, f"{rate}_low")[0], getattr(table, f"{rate}_high")[0]
    assert (model.estimate, *model.confidence_interval) == (getattr(table, rate)[0], *ends)


@pytest.mark.parametrize("metric", ["precision_at_k", "recall_at_k"])
@pytest.mark.parametrize("k", [40, 0.2])
def test_intervals_at_k_are_those_of_the_threshold_table(metric, k):
    y_true, scores = samples(step=0.5)
    found, _ = compared(y_true, scores, metric, k)
    table = threshold_table(y_true, scores["a"], k=[k])
    rate, model = metric.removesuffix("_at_k"), found.models["a"]
    ends = getattr(table, f"{rate}_low")[0], getattr(table, f"{rate}_high")[0]
    np.testing.assert_allclose(model.confidence_interval, ends, rtol=1e-12)
    assert model.n_predicted == pytest.approx(table.n_predicted[0])


@pytest.mark.parametrize(
    ("kind", "metric"), [("recall", "precision_at_recall"), ("fpr", "recall_at_fpr")]
)
def test_intervals_at_a_moving_cut_are_those_of_operating_point_interval(kind, metric):
    y_true, scores = samples()
    found, _ = compared(y_true, scores, metric)
    expected = operating_point_interval(y_true, scores["a"], **{kind: AT[metric]})
    assert found.models["a"] == expected


@pytest.mark.parametrize(
    ("rate", "option"),
    [
        ("recall", "sample_weight"),
        ("precision", "prevalence"),
        ("f1", "sample_weight"),
        ("selection_rate", "prevalence"),
    ],
)
def test_weights_and_prevalence_at_a_threshold_are_those_of_the_threshold_table(
    rate, option
):
    y_true, scores = samples()
    given = {"sample_weight": np.random.default_rng(1).uniform(0.5, 2, len(y_true))}
    given = given if option == "sample_weight" else {"prevalence": 0.1}
    found, pair = compared(y_true, scores, f"{rate}_at_threshold", **given)
    table = threshold_table(y_true, scores["a"], thresholds=[1.0], **given)
    assert found.models["a"].estimate == pytest.approx(getattr(table, rate)[0])
    assert pair.estimates[0] == pytest.approx(getattr(table, rate)[0])


# Standard errors, limits and p-values of differences


def error_of_difference(metric, y_true, scores, units):
    """Standard error and degrees of freedom of the difference, and those of both rates.

    Each with the influence values of the units, by numerical derivatives.
    """
    influence, shares, sizes = [], [], []
    for score in scores.values():
        values = derivatives(metric, AT[metric], y_true, score)
        influence.append(np.bincount(units, values))
        share, n = leverages(metric, AT[metric], y_true, score, units)
        shares.append(share)
        sizes.append(n)
    errors = [
        error_and_df(values, share, n)[0]
        for values, share, n in zip(influence, shares, sizes, strict=True)
    ]
    found = error_and_df(influence[0] - influence[1], np.maximum(*shares), min(sizes))
    return found, errors, influence


@pytest.mark.parametrize(
    "metric", ["f1_at_threshold", "npv_at_threshold", "precision_at_k", "recall_at_fpr"]
)
def test_the_standard_error_is_that_of_numerical_derivatives(metric):
    y_true, scores = samples(n=150, step=2.0)  # in a tie the cut moves with the weights
    _, pair = compared(y_true, scores, metric)
    (error, _), *_ = error_of_difference(metric, y_true, scores, np.arange(150))
    assert pair.standard_error == pytest.approx(error, rel=1e-6)


def mover_by_hand(models, influence):
    """Limits of the difference by the formula of Zou and Donner, from two intervals."""
    r = np.dot(*influence) / np.prod([np.linalg.norm(values) for values in influence])
    (a, (la, ua)), (b, (lb, ub)) = ((m.estimate, m.confidence_interval) for m in models)
    low = a - b - np.sqrt((a - la) ** 2 + (ub - b) ** 2 - 2 * r * (a - la) * (ub - b))
    high = a - b + np.sqrt((ua - a) ** 2 + (b - lb) ** 2 - 2 * r * (ua - a) * (b - lb))
    return low, high


def change_by_crossing(metric, y_true, score):
    """Change of the rate at a moving cut if one sample crosses it: of the larger class."""
    values = derivatives(metric, AT[metric], y_true, score)
    return max(np.ptp(values[y_true]), np.ptp(values[~y_true]))


@pytest.mark.parametrize(
    ("metric", "n_in_cluster"),
    [
        ("precision_at_recall", 3),
        ("recall_at_fpr", 3),
        ("f1_at_threshold", 3),
        pytest.param("precision_at_threshold", 1, marks=pytest.mark.slow),
    ],
)
def test_limits_of_two_rates_combine_by_the_correlation_of_influences(metric, n_in_cluster):
    y_true, scores = samples(n=150, step=2.0)
    units = np.arange(150) // n_in_cluster
    groups = units if n_in_cluster > 1 else None
    found, pair = compared(y_true, scores, metric, groups=groups)
    (error, df), errors, psi = error_of_difference(metric, y_true, scores, units)
    norms = np.linalg.norm(psi[0]) * np.linalg.norm(psi[1])
    sizes = []
    for score in scores.values():
        weight = 1 / change_by_crossing(metric, y_true, score)
        if "threshold" in metric:
            weight = kish(np.bincount(units, counted(metric, AT[metric], y_true, score)))
        sizes.append(weight)
    r = np.dot(*psi) / norms
    assert r > 0
    r -= r**2 / (2 * sizes[0] * sizes[1] * norms)
    quantile = t.ppf(0.975, df)
    (a, (la, ua)), (b, (lb, ub)) = (
        (m.estimate, m.confidence_interval) for m in found.models.values()
    )
    shared = r * (quantile * (errors[0] - errors[1])) ** 2
    reaches = [
        max(quantile * error, np.sqrt((1 - r) * (x**2 + y**2) + shared))
        for x, y in ((a - la, ub - b), (ua - a, b - lb))
    ]
    expected = a - b - reaches[0], a - b + reaches[1]
    np.testing.assert_allclose(pair.confidence_interval, expected, atol=1e-6)
    assert (pair.method, pair.statistic, pair.df) == ("mover", None, None)


@pytest.mark.filterwarnings("ignore:.*The scores rank negatives")
def test_opposed_scores_combine_as_mover_does():
    y_true, scores = samples(n=150)
    scores["b"] = -scores["a"]
    at = {"a": 0.5, "b": -0.5}
    found, pair = compared(y_true, scores, "recall_at_threshold", at)
    influence = [
        derivatives("recall_at_threshold", at[name], y_true, scores[name]) for name in "ab"
    ]
    assert np.dot(*influence) < 0
    low, high = mover_by_hand(found.models.values(), influence)
    n_pos = np.count_nonzero(y_true)
    error, df = error_and_df(influence[0] - influence[1], y_true / n_pos, n_pos)
    expected = low, max(high, pair.difference + t.ppf(0.975, df) * error)
    np.testing.assert_allclose(pair.confidence_interval, expected, atol=1e-6)


@pytest.mark.parametrize(
    ("metric", "at"), [("precision_at_recall", 0.7), ("recall_at_fpr", 0.1)]
)
def test_the_standard_error_of_normal_scores_is_that_of_their_likelihood_ratio(metric, at):
    """The cut of each score moves along the ROC curve, whose slope is that ratio."""
    n, prevalence, shift = 40_000, 0.2, 1.5
    y_true = np.arange(n) < n * prevalence
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(size=n) + shift * y_true for name in "ab"}
    _, pair = compared(y_true, scores, metric, at)
    if metric == "recall_at_fpr":
        cut = norm.isf(at)
        recall, ratio = norm.sf(cut - shift), np.exp(shift * cut - shift**2 / 2)
        of_positives = recall * (1 - recall) / (n * prevalence)
        of_negatives = ratio**2 * at * (1 - at) / (n * (1 - prevalence))
        variance = of_positives + of_negatives
    else:
        cut = norm.isf(at) + shift
        fpr, ratio = norm.sf(cut), np.exp(shift * cut - shift**2 / 2)
        of_positives = at * (1 - at) / ratio**2 / (n * prevalence)
        of_negatives = fpr * (1 - fpr) / (n * (1 - prevalence))
        tp, odds = prevalence * at, 1 - prevalence
        slope = odds * tp / (tp + odds * fpr) ** 2  # of the precision by the FPR
        variance = slope**2 * (of_positives + of_negatives)
    assert pair.standard_error == pytest.approx(np.sqrt(2 * variance), rel=0.03)


@every_cut
def test_exchanged_models_have_the_negated_difference(metric):
    y_true, scores = samples()
    _, pair = compared(y_true, scores, metric)
    backwards = dict(reversed(scores.items()))
    _, other = compared(y_true, backwards, metric)
    low, high = pair.confidence_interval
    np.testing.assert_allclose(other.confidence_interval, [-high, -low], atol=1e-12)
    assert other.difference == -pair.difference
    assert other.pvalue == pytest.approx(pair.pvalue, rel=1e-6)


@every_cut
def test_equal_scores_have_the_difference_0_and_the_pvalue_1(metric):
    y_true, scores = samples()
    _, pair = compared(y_true, {"a": scores["a"], "b": scores["a"]}, metric)
    low, high = pair.confidence_interval
    assert (pair.difference, pair.pvalue) == (0, 1)
    assert low == pytest.approx(-high)


@every_cut
def test_the_pvalue_is_the_level_at_which_the_interval_excludes_0(metric):
    y_true, scores = samples(seed=3)
    _, pair = compared(y_true, scores, metric)
    level = 1 - pair.pvalue
    _, at_level = compared(y_true, scores, metric, confidence_level=level)
    assert np.min(np.abs(at_level.confidence_interval)) < 1e-5


FEW = (
    [1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0],
    {
        "a": [2, 0, 2, 1, 1, 2, 2, 0, 2, 1, 2, 2],
        "b": [0, 0, 0, 1, 1, 0, 2, 0, 0, 1, 1, 0],
    },
)
PVALUES = {
    # At many levels a limit is exactly 0, which does not exclude 0.
    "limit of 0": lambda level: compare_subgroups(
        [1, 0, 1, 0, 0], [0.0, 2, 0, 0, 2], list("aabbb"),
        metric="recall_at_k", at=2, confidence_level=level,
    ),
    # A t quantile of less than one degree of freedom is huge at a high level.
    "heavy weights": lambda level: compare_models(
        *FEW, metric="recall_at_threshold", at=1, confidence_level=level,
        sample_weight=[10, 0.01, 1000, 0.01, 1, 1000, 100, 10, 1, 100, 10, 100],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PVALUES)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_intervals_exclude_0_above_the_pvalue_and_not_below(name):
    pvalue = PVALUES[name](0.95).pairs["a", "b"].pvalue
    ends = [
        PVALUES[name](1 - factor * pvalue).pairs["a", "b"].confidence_interval
        for factor in (1.001, 0.999)
    ]
    assert [low > 0 or high < 0 for low, high in ends] == [True, False]


@pytest.mark.parametrize(
    ("metric", "at"), [("precision_at_recall", 0.8), ("recall_at_fpr", 0.1)]
)
def test_the_pvalue_of_very_different_subgroups_is_below_the_spacing_of_levels(metric, at):
    """Levels next to 1 are 1e-16 apart; the smallest p-value is 1e-50."""
    rng = np.random.default_rng(0)
    y_true, by = rng.random(3000) < 0.3, np.arange(3000) % 2
    score = np.where(by, 5.0, 0.2) * y_true + rng.normal(size=3000)
    found = compare_subgroups(y_true, score, by, metric=metric, at=at)
    assert 1e-50 <= found.pairs[0, 1].pvalue < 1e-40


def test_recall_and_precision_at_k_have_one_pvalue_and_proportional_intervals():
    y_true, scores = samples()
    _, precision = compared(y_true, scores, "precision_at_k", 50)
    _, recall = compared(y_true, scores, "recall_at_k", 50)
    factor = 50 / np.count_nonzero(y_true)
    assert recall.pvalue == precision.pvalue
    np.testing.assert_allclose(
        recall.confidence_interval, np.multiply(precision.confidence_interval, factor)
    )


@pytest.mark.parametrize(
    ("rate", "n"), [("recall", 4), ("specificity", 6), ("precision", 5)]
)
def test_without_discordant_samples_the_interval_is_that_of_a_share_of_none(rate, n):
    y_true = np.repeat([True, False], [4, 6])
    score = np.array([9, 8, 7, 1, 9, 8, 1, 2, 3, 4.0])
    scores = {"a": score, "b": np.where(score > 5, 6.0, 0.0)}
    _, pair = compared(y_true, scores, f"{rate}_at_threshold", 5.0)
    reach = 1 - 0.025 ** (1 / n)
    np.testing.assert_allclose(pair.confidence_interval, [-reach, reach])
    assert (pair.difference, pair.pvalue) == (0, 1)


def one_selected():
    """Labels and scores of which A selects 55 of 400 samples, and B a single positive."""
    y_true, a, b = np.arange(400) < 20, np.zeros(400), np.zeros(400)
    a[:15] = a[20:60] = b[0] = 0.9
    return y_true, {"A": a, "B": b}


def test_a_precision_of_one_sample_is_not_taken_for_known():
    _, pair = compared(*one_selected(), "precision_at_threshold", 0.5)
    assert pair.difference == pytest.approx(15 / 55 - 1)
    low, high = pair.confidence_interval
    assert low == pytest.approx(-0.837, abs=0.02)
    assert high == pytest.approx(0.26, abs=0.01)
    assert pair.pvalue == pytest.approx(0.55, abs=0.01)


def test_an_npv_of_one_sample_is_not_taken_for_known():
    """The NPV is the precision of exchanged labels and negated scores."""
    y_true, scores = one_selected()
    _, expected = compared(y_true, scores, "precision_at_threshold", 0.5)
    exchanged = {name: -score for name, score in scores.items()}
    _, pair = compared(~y_true, exchanged, "npv_at_threshold", -0.4)
    np.testing.assert_allclose(pair.confidence_interval, expected.confidence_interval)


def test_the_class_that_does_not_count_does_not_limit_the_degrees_of_freedom():
    """11 and 1 of 10,000 negatives are discordant: McNemar's exact p-value is 0.0063."""
    y_true = np.arange(10_002) >= 10_000
    a, b = np.full(10_002, 0.9), np.full(10_002, 0.9)
    a[:9970] = 0.1
    b[:9959] = b[9970] = 0.1
    _, pair = compared(y_true, {"a": a, "b": b}, "specificity_at_threshold", 0.5)
    assert pair.pvalue == pytest.approx(0.0081, abs=1e-4)


@pytest.mark.parametrize(
    "metric",
    [
        "precision_at_recall",
        "recall_at_fpr",
        "precision_at_threshold",
        pytest.param("f1_at_threshold", marks=pytest.mark.slow),
    ],
)
def test_intervals_of_closely_related_scores_are_nested(metric):
    y_true, scores = samples()
    scores["b"] = scores["a"] + 0.1 * np.random.default_rng(0).normal(size=300)
    ends = [
        compared(y_true, scores, metric, confidence_level=level)[1].confidence_interval
        for level in (0.5, 0.8, 0.9, 0.95, 0.99)
    ]
    assert np.all(np.diff(ends, axis=0) * [-1, 1] >= 0)


# Few samples


@pytest.mark.parametrize(
    ("metric", "at"), [("precision_at_k", 6), ("recall_at_fpr", 0.015)]
)
@pytest.mark.parametrize("groups", [None, np.arange(300) // 2])
def test_few_samples_of_a_cell_at_the_cut_warn(metric, at, groups):
    y_true, scores = samples()
    with pytest.warns(CoverageWarning, match="A score has fewer than 5 true positives"):
        compared(y_true, scores, metric, at, groups=groups)


@pytest.mark.parametrize("recall", [0.02, 0.98])
def test_a_recall_with_few_positives_on_one_side_warns(recall):
    y_true, scores = samples()
    with pytest.warns(
        CoverageWarning,
        match="positives are on one side of the cut. With fewer than 3, intervals",
    ):
        compared(y_true, scores, "precision_at_recall", recall)


def test_an_undefined_precision_makes_its_pairs_undefined():
    y_true, scores = samples()
    with pytest.warns(UndefinedMetricWarning, match="Model 'b': No sample is predicted"):
        found, pair = compared(
            y_true, scores, "precision_at_threshold", {"a": 1.0, "b": 100.0}
        )
    assert np.isnan(found.models["b"].estimate)
    assert np.isnan([pair.difference, pair.pvalue, *pair.confidence_interval]).all()


@pytest.mark.parametrize(
    "metric", ["precision_at_recall", "recall_at_fpr", "recall_at_k", "recall_at_threshold"]
)
def test_a_missing_class_makes_the_rates_undefined_that_need_it(metric):
    _, scores = samples()
    with pytest.warns(UndefinedMetricWarning, match="No positive samples"):
        found, pair = compared(np.zeros(300, dtype=bool), scores, metric)
    assert np.isnan([pair.pvalue, found.models["a"].estimate]).all()


@pytest.mark.parametrize(
    ("metric", "label"),
    [
        ("npv_at_threshold", False),
        ("precision_at_k", False),
        ("f1_at_threshold", True),
        ("recall_at_k", True),
    ],
)
def test_other_rates_of_one_class_are_compared(metric, label):
    _, scores = samples()
    y_true = np.full(300, label)
    _, pair = compared(y_true, scores, metric)
    expected = [rate_of(metric, AT[metric], y_true, score) for score in scores.values()]
    assert pair.estimates == pytest.approx(expected)
    low, high = pair.confidence_interval
    assert -1 < low < pair.difference < high < 1
    assert 0 < pair.pvalue <= 1


def test_a_missing_class_leaves_reweighted_rates_undefined():
    _, scores = samples()
    with pytest.warns(UndefinedMetricWarning, match="No positive samples .* precision is"):
        found, pair = compared(
            np.zeros(300, bool), scores, "precision_at_threshold", prevalence=0.1
        )
    assert np.isnan([pair.pvalue, found.models["a"].estimate]).all()


# Thresholds of their own, clusters, several models


@pytest.mark.parametrize(
    ("metric", "method"),
    [
        ("f1_at_threshold", "clopper-pearson"),
        ("precision_at_recall", "union"),
        ("recall_at_k", "union"),
    ],
)
def test_the_method_of_a_rate_is_that_of_its_limits(metric, method):
    y, scores = samples()
    found, _ = compared(y, scores, metric)
    assert {model.method for model in found.models.values()} == {method}


def test_models_may_have_thresholds_of_their_own():
    y_true, scores = samples()
    at = {"b": 0.5, "a": 1.5}
    found, pair = compared(y_true, scores, "f1_at_threshold", at)
    expected = [rate_of("f1_at_threshold", at[name], y_true, scores[name]) for name in "ab"]
    np.testing.assert_allclose(pair.estimates, expected)
    assert pair.at == (1.5, 0.5)
    assert found.to_frame()["at"].tolist() == [found.models[n].at for n in found._members]


def test_a_threshold_is_rounded_to_the_dtype_of_the_scores():
    y_true, scores = samples()
    rounded = {name: np.float32(np.round(score, 1)) for name, score in scores.items()}
    _, pair = compared(y_true, rounded, "recall_at_threshold", 0.7)
    assert pair.estimates[0] == np.mean(rounded["a"][y_true] >= np.float32(0.7))


def test_a_large_threshold_is_printed_in_full():
    y_true, scores = samples()
    large = {name: 1e8 + score for name, score in scores.items()}
    _, pair = compared(y_true, large, "recall_at_threshold", 1e8)
    assert str(pair).startswith("Recall at threshold 100000000 of a:")


@every_cut
def test_clusters_of_one_sample_are_independent_samples(metric):
    y_true, scores = samples()
    _, alone = compared(y_true, scores, metric)
    groups = np.arange(len(y_true))
    _, pair = compared(y_true, scores, metric, groups=groups)
    assert pair.standard_error == pytest.approx(alone.standard_error)


@pytest.mark.parametrize(
    ("metric", "design"),
    [
        ("recall_at_threshold", {"groups": np.arange(300)[::-1]}),
        ("f1_at_threshold", {"groups": np.arange(300)[::-1]}),
        ("precision_at_threshold", {"sample_weight": np.full(300, 2.5)}),
        ("npv_at_threshold", {"sample_weight": np.full(300, 2.5)}),
    ],
    ids=["clusters", "clusters f1", "weights", "weights npv"],
)
def test_equal_weights_and_clusters_of_one_sample_are_none(metric, design):
    y_true, scores = samples()
    found, pair = compared(y_true, scores, metric, **design)
    expected, other = compared(y_true, scores, metric)
    np.testing.assert_allclose(pair.confidence_interval, other.confidence_interval)
    assert pair.pvalue == pytest.approx(other.pvalue)
    for name in "ab":
        ends = (result.models[name].confidence_interval for result in (found, expected))
        np.testing.assert_allclose(*ends)


@pytest.mark.parametrize("metric", ["precision_at_recall", "recall_at_fpr"])
def test_limits_of_copies_in_clusters_are_about_those_of_the_originals(metric):
    """With clusters the quantile is that of t, and the bandwidth that of all samples."""
    y_true, scores = samples(n=600)
    _, alone = compared(y_true, scores, metric)
    twice = {name: np.repeat(score, 2) for name, score in scores.items()}
    groups = np.repeat(np.arange(len(y_true)), 2)
    _, pair = compared(np.repeat(y_true, 2), twice, metric, groups=groups)
    width = np.ptp(alone.confidence_interval)
    np.testing.assert_allclose(
        pair.confidence_interval, alone.confidence_interval, atol=0.05 * width
    )


@at_thresholds
def test_copies_in_clusters_have_the_standard_error_of_the_originals(metric):
    y_true, scores = samples()
    _, alone = compared(y_true, scores, metric)
    twice = {name: np.repeat(score, 2) for name, score in scores.items()}
    groups = np.repeat(np.arange(len(y_true)), 2)
    _, pair = compared(np.repeat(y_true, 2), twice, metric, groups=groups)
    assert pair.standard_error == pytest.approx(alone.standard_error)
    assert pair.n_clusters == len(y_true)


def test_pairs_are_adjusted_and_compared_with_the_reference():
    y_true, scores = samples()
    scores["c"] = scores["a"] + scores["b"]
    found, _ = compared(y_true, scores, "recall_at_k", 40, reference="c")
    assert [*found.pairs] == [("a", "c"), ("b", "c")]
    smallest = min(pair.pvalue for pair in found.pairs.values())
    assert min(found.adjusted_pvalues.values()) == pytest.approx(min(2 * smallest, 1))


# Subgroups


@pytest.mark.parametrize(
    "metric", ["recall_at_threshold", "f1_at_threshold", "npv_at_threshold"]
)
def test_subgroups_combine_the_limits_of_their_rows(metric):
    y_true, scores = samples(n=300)
    by = np.arange(300) % 3 == 0
    found = compare_subgroups(y_true, scores["a"], by, metric=metric, at=AT[metric])
    (a, b), pair = found.subgroups.values(), found.pairs[False, True]
    (la, ua), (lb, ub) = a.confidence_interval, b.confidence_interval
    spreads = []
    for is_in in (~by, by):
        of_part = metric, AT[metric], y_true[is_in], scores["a"][is_in]
        share, n = leverages(*of_part, np.arange(is_in.sum()))
        spreads.append(error_and_df(derivatives(*of_part), share, n))
    (error_a, df_a), (error_b, df_b) = spreads
    error = np.hypot(error_a, error_b)
    df = error**4 / (error_a**4 / df_a + error_b**4 / df_b)
    least = t.ppf(0.975, df) * error
    d = a.estimate - b.estimate
    low = d - max(least, np.hypot(a.estimate - la, ub - b.estimate))
    high = d + max(least, np.hypot(ua - a.estimate, b.estimate - lb))
    assert pair.difference == pytest.approx(d)
    np.testing.assert_allclose(pair.confidence_interval, [low, high], atol=1e-6)
    assert (pair.method, pair.statistic, pair.at) == ("mover", None, AT[metric])


@pytest.mark.parametrize(
    ("metric", "groups"),
    [
        ("precision_at_recall", None),
        ("recall_at_fpr", np.arange(600) // 3),
        ("recall_at_k", None),
        ("specificity_at_threshold", np.arange(600) // 3),
    ],
    ids=["recall", "fpr", "k", "threshold"],
)
def test_a_subgroup_has_the_interval_of_its_samples_alone(metric, groups):
    y_true, scores = samples(n=600)
    by = np.arange(600) % 2
    options = {"metric": metric, "at": AT[metric], "groups": groups}
    found = compare_subgroups(y_true, scores["a"], by, **options)
    alone = {name: score[by == 1] for name, score in scores.items()}
    groups = None if groups is None else groups[by == 1]
    expected, _ = compared(y_true[by == 1], alone, metric, groups=groups)
    assert found.subgroups[1] == expected.models["a"]


@pytest.mark.parametrize(
    ("metric", "at", "message"),
    [
        ("recall_at_k", 40, "`at` must not exceed the number of samples .*, 30"),
        ("recall_at_fpr", 0.01, "`at`=0.01 of .* negatives is less than one negative"),
    ],
)
def test_an_error_about_a_subgroup_names_it(metric, at, message):
    y_true, scores = samples()
    by = np.where(np.arange(300) < 30, "small", "large")
    with pytest.raises(ValueError, match=f"^Subgroup 'small': {message}"):
        compare_subgroups(y_true, scores["a"], by, metric=metric, at=at)


@pytest.mark.parametrize(
    ("metric", "design"),
    [
        ("precision_at_recall", "across"),
        ("recall_at_fpr", "nested"),
        ("precision_at_k", "across"),
        ("f1_at_threshold", "across"),
    ],
)
def test_clusters_in_both_subgroups_correlate_the_rates(metric, design):
    y_true, scores = samples(n=240, step=2.0)
    groups = np.arange(240) // 4
    by = (np.arange(240) if design == "across" else groups) % 2
    options = {"metric": metric, "at": AT[metric], "groups": groups}
    found = compare_subgroups(y_true, scores["a"], by, **options)
    influence = [
        np.bincount(
            groups[by == i],
            derivatives(metric, AT[metric], y_true[by == i], scores["a"][by == i]),
            minlength=60,
        )
        for i in (0, 1)
    ]
    r = np.dot(*influence) / np.prod([np.linalg.norm(values) for values in influence])
    a, b = found.subgroups.values()
    x, y = a.estimate - a.confidence_interval.low, b.confidence_interval.high - b.estimate
    pair = found.pairs[0, 1]
    reach = pair.difference - pair.confidence_interval.low
    if r < 0:
        assert reach**2 >= x**2 + y**2 - 2 * r * x * y - 1e-6
    else:
        assert reach**2 >= (1 - r) * (x**2 + y**2) - 1e-6
    assert reach < 1.1 * np.hypot(x, y) * np.sqrt(1 + max(-r, 0))
    assert pair.n_clusters == 60


@at_thresholds
def test_copies_in_clusters_have_the_limits_of_the_originals_in_subgroups(metric):
    y_true, scores = samples()
    by, groups = np.arange(300) % 2, np.arange(300)
    options, found = {"metric": metric, "at": AT[metric]}, []
    for n in (2, 4):  # samples without copies have exact limits
        y, score, subgroup, cluster = (
            np.repeat(x, n) for x in (y_true, scores["a"], by, groups)
        )
        both = compare_subgroups(y, score, subgroup, groups=cluster, **options)
        found.append(both.pairs[0, 1].confidence_interval)
    np.testing.assert_allclose(*found)


@every_cut
def test_clusters_of_one_sample_in_each_subgroup_leave_its_rate_as_it_is(metric):
    y_true, scores = samples(n=600)
    by, options = np.arange(600) % 2, {"metric": metric, "at": AT[metric]}
    alone = compare_subgroups(y_true, scores["a"], by, **options)
    groups = np.arange(600) // 2  # a cluster has a sample of each subgroup
    found = compare_subgroups(y_true, scores["a"], by, groups=groups, **options)
    for name in (0, 1):
        one, expected = found.subgroups[name], alone.subgroups[name]
        assert one.confidence_interval == expected.confidence_interval
        assert one.n_clusters == one.n_samples == 300


@pytest.mark.parametrize("label", [False, True])
def test_a_subgroup_of_one_class_is_compared_if_its_rate_is_defined(label):
    y_true, scores = samples()
    by = np.arange(300) % 2
    y_true = np.where(by == 1, label, y_true)
    metric, name = ("recall", "specificity")[label], ("specificity", "recall")[label]
    options = {"at": 1.0, "groups": np.arange(300) // 4}
    with pytest.warns(UndefinedMetricWarning, match=f"Subgroup 1: No .* the {metric} is"):
        found = compare_subgroups(
            y_true, scores["a"], by, metric=f"{metric}_at_threshold", **options
        )
    assert np.isnan(found.pairs[0, 1].pvalue)
    found = compare_subgroups(
        y_true, scores["a"], by, metric=f"{name}_at_threshold", **options
    )
    assert 0 < found.pairs[0, 1].pvalue <= 1


@pytest.mark.parametrize("metric", ["recall_at_threshold", "recall_at_fpr"])
def test_the_pvalue_of_clusters_is_the_level_at_which_the_interval_excludes_0(metric):
    y_true, scores = samples(n=600, seed=1)
    by, options = np.arange(600) % 2, {"metric": metric, "at": AT[metric]}
    options["groups"] = np.arange(600) // 3
    pair = compare_subgroups(y_true, scores["a"], by, **options).pairs[0, 1]
    options["confidence_level"] = 1 - pair.pvalue
    at_level = compare_subgroups(y_true, scores["a"], by, **options).pairs[0, 1]
    assert np.min(np.abs(at_level.confidence_interval)) < 1e-5


@pytest.mark.filterwarnings("ignore:.*All samples have one score")
def test_an_undefined_precision_of_clusters_makes_its_pair_undefined():
    y_true, scores = samples()
    by = np.arange(300) % 2
    score = np.where(by == 1, -9.0, scores["a"])
    options = {"metric": "precision_at_threshold", "at": 1.0, "groups": np.arange(300) // 2}
    with pytest.warns(UndefinedMetricWarning, match="Subgroup 1: No sample is predicted"):
        found = compare_subgroups(y_true, score, by, **options)
    assert np.isnan(found.pairs[0, 1].pvalue)


def test_precisions_of_subgroups_are_compared_at_one_prevalence():
    y_true, scores = samples(n=600)
    by = np.arange(600) % 2
    options = {"metric": "precision_at_threshold", "at": 1.0, "prevalence": 0.1}
    found = compare_subgroups(y_true, scores["a"], by, **options)
    table = threshold_table(
        y_true[by == 0], scores["a"][by == 0], thresholds=[1.0], prevalence=0.1
    )
    one = found.subgroups[0]
    assert one.confidence_interval == (table.precision_low[0], table.precision_high[0])


def test_a_subgroup_without_positives_is_undefined():
    y_true, scores = samples()
    by = np.where(y_true, 0, np.arange(300) % 2)
    with pytest.warns(UndefinedMetricWarning, match="Subgroup 1: No positive"):
        found = compare_subgroups(y_true, scores["a"], by, metric="recall_at_k", at=0.2)
    assert np.isnan(found.pairs[0, 1].pvalue)


# Prints


@pytest.mark.parametrize(
    ("metric", "at", "title"),
    [
        ("precision_at_recall", 0.6, "Precision at recall 0.6 (95 % interval)"),
        ("recall_at_fpr", 0.1, "Recall at FPR 0.1 (95 % interval)"),
        ("recall_at_k", 40, "Recall of the top 40 (95 % interval)"),
        ("npv_at_threshold", 1.0, "NPV at the threshold (95 % interval)"),
    ],
)
def test_prints_name_the_operating_point(metric, at, title):
    y_true, scores = samples()
    found, pair = compared(y_true, scores, metric, at)
    assert title in str(found)
    assert json.loads(json.dumps(found.to_dict()))["pairs"][0]["at"] == at
    assert f" {at:g} of a: " in str(pair)


def test_thresholds_of_models_are_printed():
    y_true, scores = samples()
    at = {"a": 1.5, "b": 0.5}
    found, pair = compared(y_true, scores, "recall_at_threshold", at)
    assert "rank  model  threshold" in str(found)
    assert "Recall at threshold 1.5 of a: " in str(pair)
    assert "Recall at threshold 0.5 of b: " in str(pair)


# Errors


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "precision_at_recall"}, "needs `at`: the recall"),
        ({"metric": "auc_pr_interpolated", "at": 0.5}, "Leave `at` out"),
        ({"metric": "recall_at_threshold", "at": {"a": 3}}, "one threshold for each of"),
        ({"metric": "recall", "at": 0.5}, "`metric` must be one of"),
    ],
)
def test_wrong_arguments_raise(options, message):
    y_true, scores = samples()
    with pytest.raises(ValueError, match=message):
        compare_models(y_true, scores, **options)


@pytest.mark.parametrize(
    ("at", "message"),
    [
        (301, "`at` must not exceed"),
        ([3, 4], "`at` must be one number"),
        ({"a": 3, "b": 4}, "only thresholds may differ"),
        (0, "`at` must be a number of samples"),
    ],
)
def test_a_wrong_k_raises(at, message):
    y_true, scores = samples()
    with pytest.raises(ValueError, match=message):
        compare_models(y_true, scores, metric="recall_at_k", at=at)


@pytest.mark.parametrize(
    ("metric", "at", "message"),
    [
        ("precision_at_recall", 1.0, "`at` must be inside"),
        ("recall_at_fpr", 0.001, "`at`=0.001 of .* negatives is less"),
        ("recall_at_threshold", np.nan, "`at` must be one number"),
    ],
)
def test_a_wrong_operating_point_raises(metric, at, message):
    y_true, scores = samples()
    with pytest.raises(ValueError, match=message):
        compare_models(y_true, scores, metric=metric, at=at)


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        ("recall_at_k", {"recall_range": (0, 0.5)}, "`recall_range` is"),
        ("recall_at_k", {"prevalence": 0.1}, "`prevalence` is accepted with a metric"),
        (
            "recall_at_k",
            {"sample_weight": np.arange(1, 301)},
            "`sample_weight` is accepted with a metric at thresholds",
        ),
        (
            "f1_at_threshold",
            {"groups": np.arange(300), "sample_weight": np.arange(1, 301)},
            "and `groups`",
        ),
    ],
)
def test_designs_without_a_simulation_raise(metric, options, message):
    y_true, scores = samples()
    with pytest.raises(ValueError, match=message):
        compare_models(y_true, scores, metric=metric, at=5, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "recall_at_threshold", "at": {"a": 1}}, "one number for all subgroups"),
        ({"metric": "recall_at_fpr"}, "needs `at`"),
        ({"metric": "recall_at_k", "at": 200}, "`at` must not exceed"),
    ],
)
def test_wrong_arguments_of_subgroups_raise(options, message):
    y_true, scores = samples()
    with pytest.raises(ValueError, match=message):
        compare_subgroups(y_true, scores["a"], np.arange(300) % 2, **options)


def test_several_labels_raise():
    y_true, scores = samples()
    columns = {name: np.column_stack([score, score]) for name, score in scores.items()}
    with pytest.raises(ValueError, match="y_scores"):
        compare_models(y_true, columns, metric="recall_at_k", at=5)


@pytest.mark.parametrize("k", [60, 0.2])
def test_a_pair_of_recalls_at_k_has_exactly_the_values_of_the_models(k):
    rng = np.random.default_rng(1)
    y_true = rng.random(300) < 0.4
    scores = {"a": rng.normal(size=300) + y_true, "b": rng.normal(size=300) + y_true}
    found = compare_models(y_true, scores, metric="recall_at_k", at=k)
    estimates = tuple(found.models[name].estimate for name in "ab")
    assert found.pairs["a", "b"].estimates == estimates
