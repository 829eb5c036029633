"""Guarantees with clusters and with weights: the test, its special cases, errors."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.special import betaincinv
from scipy.stats import binom
from sklearn import config_context
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    ShuffleSplit,
    StratifiedGroupKFold,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from tuning_sets import ALL_OR_NONE, tuned_on, two_classes

from sklearn_achievable_pr import (
    CoverageWarning,
    HullThresholdClassifierCV,
    HullThresholdDisplay,
    choose_threshold,
)

CONSTRAINTS = {
    "min_recall": 0.8,
    "min_precision": 0.5,
    "min_npv": 0.8,
    "max_selection_rate": 0.5,
    "max_fpr": 0.3,
}
OBJECTIVES = {"min_recall": "specificity", "min_npv": "specificity"}


def clustered(seed=0, n_clusters=150, largest=9, *, levels=8):
    """Labels, scores and clusters that share a shift of the score."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(n_clusters), rng.integers(1, largest, n_clusters))
    shift = 0.7 * rng.normal(size=n_clusters)
    y = rng.random(len(group)) < 0.35
    score = rng.normal(size=len(group)) + 1.7 * y + shift[group]
    return y, np.round(score * levels) / levels, group


def chosen(y, score, name, **options):
    """The point with one guaranteed constraint, whose objective leads to its bound."""
    params = {"objective": OBJECTIVES.get(name, "recall"), "confidence_level": 0.9}
    params |= {name: CONSTRAINTS[name], "random_state": 0} | options
    return choose_threshold(y, score, **params)


# The test by definition


PARTS = {  # whether a sample is in the part, and in the whole, of a rate
    "min_recall": lambda y, above: (y & above, y),
    "max_fpr": lambda y, above: (~y & ~above, ~y),
    "max_selection_rate": lambda y, above: (~above, np.ones_like(y)),
    "min_precision": lambda y, above: (y & above, above),
    "min_npv": lambda y, above: (~y & ~above, ~above),
}


def simulated_pvalue(name, bound, y, score, threshold, unit, weight, draws):
    """P(sum e_j (part_j - b whole_j) <= b e_0 largest) as a share of draws of all e.

    `weight` is that of each sample; `draws` are exponential, one column more than units.
    """
    counted = (
        PARTS[name](y, np.zeros_like(y))[1] if name in ("min_recall", "max_fpr") else 1
    )
    share = weight * counted
    n_rows = np.bincount(unit, np.ones(len(y)) * counted)[unit]
    share = share / np.maximum(n_rows, 1)
    part, whole = (
        np.bincount(unit, mask * share) for mask in PARTS[name](y, score >= threshold)
    )
    bound = 1 - bound if name.startswith("max") else bound
    terms = np.append(part - bound * whole, -bound * weight.max())
    return np.mean(draws[:, -len(terms) :] @ terms <= 0)


@pytest.mark.parametrize(
    ("name", "kind", "seed"),
    [
        ("min_recall", "clusters", 0),
        ("min_recall", "weights", 1),
        ("max_fpr", "clusters and weights", 2),
        ("max_selection_rate", "clusters", 1),
    ],
)
def test_the_last_threshold_that_passes_is_that_of_simulated_p_values(name, kind, seed):
    y, score, unit = clustered(seed, 60, levels=3)
    rng = np.random.default_rng(seed)
    weight = rng.choice([1.0, 1.5], len(y))
    options = {"sample_weight": weight}
    if kind == "clusters":
        options, weight = {"groups": unit}, np.ones(len(y))
    elif kind == "weights":
        unit = np.arange(len(y))
    else:
        weight = rng.choice([1.0, 1.5], 60)[unit]
        options = {"groups": unit, "sample_weight": weight}
    # The objective is best at the last threshold that passes the test.
    sign = -1 if name == "min_recall" else 1
    point = chosen(
        y, score, name, objective=lambda tp, fp, fn, tn: sign * (tp + fp), **options
    )
    bound, draws = CONSTRAINTS[name], rng.exponential(size=(20_000, unit.max() + 2))
    values = np.unique(score)
    at = np.searchsorted(values, point.threshold)
    here, beyond = (
        simulated_pvalue(name, bound, y, score, values[i], unit, weight, draws)
        for i in (at, at - sign)
    )
    # Two percent for the saddlepoint, three standard errors for the draws.
    assert here <= 0.1 * 1.02 + 0.0064
    # On the tuning set the rate of the samples has to meet the bound, too.
    assert beyond >= 0.1 * 0.98 - 0.0064 or not meets_rows(
        name, bound, y, score, values, at - sign, weight
    )


def meets_rows(name, bound, y, score, values, i, weight):
    """Whether the rate of the samples, not of the clusters, meets the bound."""
    part, whole = PARTS[name](y, score >= values[i])
    rate = weight[part].sum() / weight[whole].sum()
    return rate >= (1 - bound if name.startswith("max") else bound)


@pytest.mark.parametrize("name", ["min_precision", "min_npv"])
def test_thresholds_in_order_pass_by_simulated_p_values(name):
    y, score, unit = clustered(1, 300, levels=3)
    other = clustered(2, 300, levels=3)[:2]
    point = chosen(y, score, name, groups=unit, order_from=other)
    draws = np.random.default_rng(0).exponential(size=(20_000, 301))
    found = simulated_pvalue(
        name, CONSTRAINTS[name], y, score, point.threshold, unit, np.ones(len(y)), draws
    )
    assert found <= 0.1 * 1.02 + 0.0064


@pytest.mark.parametrize(
    ("n", "k", "below"), [(10, 5, 1e-9), (20, 19, 1e-5), (40, 30, 1e-3), (200, 196, -4e-3)]
)
def test_a_confidence_near_one_half_is_that_of_the_binomial_test_within_2_percent(
    n, k, below
):
    """Clusters with one label each, of which k of n reach the threshold.

    At the bound k / (n + 1) the sum that is tested has the mean 0, where the saddlepoint
    approximation needs its limit. Above this bound the mean is negative.
    """
    y = np.repeat([1] * n + [0] * 5, 2)
    score = np.repeat(np.append(np.arange(n), [-1, -2, -3, -4, -5]), 2)
    bound = k / (n + 1) * (1 - below)
    pvalue = binom.sf(k - 1, n, bound)

    def n_reached(error_rate):
        point = choose_threshold(
            y,
            score,
            objective=lambda tps, fps, fns, tns: -tps - fps,
            min_recall=bound,
            confidence_level=1 - error_rate,
            groups=np.arange(len(y)) // 2,
        )
        return np.count_nonzero(score[y == 1] >= point.threshold) // 2

    assert n_reached(1.02 * pvalue) == k
    assert n_reached(0.98 * pvalue) == k + 1


@pytest.mark.filterwarnings("ignore:The chosen threshold is -inf")
@pytest.mark.parametrize(("n", "k"), [(100, 80), (400, 300)])
def test_a_confidence_near_1_is_that_of_the_binomial_test_within_2_percent(n, k):
    """Clusters with one label each, the first k of them positive, tested in order."""
    y = np.repeat(np.arange(n) < k, 2)
    score, groups = -np.repeat(np.arange(n), 2), np.arange(2 * n) // 2
    error_rate = 2.0**-50
    # The threshold below the positives is tested first, and lower ones after it.
    other = [1, 0], [1 - k, -n]

    def is_guaranteed(pvalue):
        """Whether all samples pass, at the bound that gives them this p-value."""
        bound = betaincinv(k, n - k + 1, pvalue)
        point = choose_threshold(
            y, score, objective=lambda tps, fps, fns, tns: tps + fps,
            min_precision=bound, confidence_level=1 - error_rate, groups=groups,
            order_from=other,
        )  # fmt: skip
        return point.selection_rate == 1

    assert is_guaranteed(error_rate / 1.02)
    assert not is_guaranteed(error_rate * 1.02)


# Special cases


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("min_recall", "groups"),
        ("min_precision", "sample_weight"),
        ("min_npv", "both"),
        ("max_fpr", "groups"),
    ],
)
def test_one_sample_per_cluster_and_equal_weights_give_the_exact_test(name, more):
    y, score, _ = clustered()
    mixed = np.random.default_rng(1).permutation(len(y))
    options = {"groups": mixed, "sample_weight": np.full(len(y), 2.5)}
    options = options if more == "both" else {more: options[more]}
    exact, found = chosen(y, score, name), chosen(y, score, name, **options)
    assert found.n_clusters == (None if more == "sample_weight" else len(y))
    assert found.to_dict() | {"n_clusters": None} == exact.to_dict()


@pytest.mark.parametrize("name", [*CONSTRAINTS][:4])
def test_only_the_partition_into_clusters_counts(name):
    y, score, group = clustered()
    other = clustered(3)[:2]
    names = np.array([f"patient {i}" for i in np.random.default_rng(0).permutation(150)])
    first, second = (
        chosen(y, score, name, groups=groups, order_from=other)
        for groups in (group, names[group])
    )
    assert first == second
    assert first.n_clusters == 150


@pytest.mark.parametrize("name", [*CONSTRAINTS][:4])
def test_the_unit_of_the_weights_does_not_count(name):
    y, score, _ = clustered()
    weight = np.random.default_rng(0).choice([1.0, 2.0, 4.0], len(y))
    first, second = (
        chosen(y, score, name, sample_weight=factor * weight) for factor in (1, 16)
    )
    assert first == second


@ALL_OR_NONE
@pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")
@pytest.mark.parametrize("unit", [0.3, 1 / 3, 1e-3, 1e100])
def test_the_unit_of_the_weights_changes_no_cut(unit):
    """Weights in another unit are rounded otherwise."""
    for seed in range(100):
        y, score, group = clustered(seed, 4)
        rng = np.random.default_rng(seed)
        name = [*CONSTRAINTS][seed % 5]
        options = {"sample_weight": rng.choice([1.0, 2.0, 3.5], len(y))}
        if seed % 2:
            weight = rng.choice([[1.0, 1.0], [1.0, 3.0]][seed % 3 > 0], 4)[group]
            options = {"groups": group, "sample_weight": weight}
        options["confidence_level"] = [0.3, 0.5, 0.9][seed % 3]
        in_unit = options | {"sample_weight": unit * options["sample_weight"]}
        outcomes = [threshold_or_error(y, score, name, o) for o in (options, in_unit)]
        assert outcomes[0] == outcomes[1]


def threshold_or_error(y, score, name, options):
    """The chosen threshold, or the error as text."""
    try:
        return chosen(y, score, name, **options).threshold
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("name", [*CONSTRAINTS][:4])
def test_a_weight_of_0_leaves_a_sample_of_a_cluster_out(name):
    y, score, group = clustered()
    other = clustered(3)[:2]
    weight = (np.random.default_rng(0).random(len(y)) < 0.8).astype(float)
    kept = weight > 0
    first = chosen(y, score, name, groups=group, sample_weight=weight, order_from=other)
    second = chosen(y[kept], score[kept], name, groups=group[kept], order_from=other)
    assert first == second


def test_copies_of_all_samples_of_a_cluster_change_no_guarantee():
    """Rows as independent would pass a stricter bound."""
    y, score, group = clustered()
    twice = [np.repeat(values, 2) for values in (y, score, group)]
    for name in CONSTRAINTS:
        once = chosen(y, score, name, groups=group, order_from=clustered(3)[:2])
        copied = chosen(*twice[:2], name, groups=twice[2], order_from=clustered(3)[:2])
        assert once.threshold == copied.threshold


def test_several_constraints_with_an_order_need_no_division_of_the_error():
    y, score, group = clustered(4, 300)
    bounds = {"min_recall": 0.7, "min_precision": 0.5, "max_fpr": 0.4}
    params = {"objective": "recall", "confidence_level": 0.9, "groups": group}
    point = choose_threshold(y, score, order_from=clustered(5)[:2], **bounds, **params)
    assert point.guarantee.min_precision == 0.5
    few = group < 8
    match = r"shared by 3 constraints: that takes 10 clusters with positives .* Got \d\."
    with pytest.raises(ValueError, match=match):
        choose_threshold(y[few], score[few], **bounds | params | {"groups": group[few]})


# Sizes that suffice


def perfect(n_clusters, per_cluster=3):
    """Clusters of one class; positives above all negatives."""
    group = np.repeat(np.arange(2 * n_clusters), per_cluster)
    return group >= n_clusters, np.linspace(-1, 1, len(group)), group


@pytest.mark.parametrize(
    ("name", "bound", "needed", "what"),
    [
        ("min_recall", 0.9, 22, "22 clusters with positives in the tuning set. Got 21"),
        ("max_selection_rate", 0.1, 22, "22 clusters in the tuning set. Got 20"),
        ("min_precision", 0.9, 22, "22 or more clusters with predicted positives among"),
        ("min_npv", 0.9, 22, "22 or more clusters with predicted negatives (ruled out) am"),
    ],
)
def test_an_impossible_guarantee_names_the_number_of_clusters(name, bound, needed, what):
    params = {"objective": "balanced_accuracy", name: bound, "confidence_level": 0.9}
    n_fewer = 10 if name == "max_selection_rate" else needed - 1
    y, score, group = perfect(n_fewer)
    more = (
        {}
        if name[4:] in ("recall", "fpr", "selection_rate")
        else {"order_from": perfect(50)[:2]}
    )
    with pytest.raises(ValueError, match="cannot be guaranteed") as caught:
        choose_threshold(y, score, groups=group, **params, **more)
    assert what in str(caught.value)
    y, score, group = perfect(needed)
    if name != "max_selection_rate":
        assert choose_threshold(y, score, groups=group, **params, **more).recall == 1


@pytest.mark.parametrize("confidence_level", [0.3, 0.5, 0.65])
def test_the_stated_number_of_clusters_is_enough_at_a_low_confidence(confidence_level):
    params = {"objective": "specificity", "min_recall": 0.9}
    params |= {"confidence_level": confidence_level}
    y, score, group = perfect(2)
    with pytest.raises(ValueError, match="that takes") as caught:
        choose_threshold(y, score, groups=group, **params)
    needed = int(re.search(r"takes (\d+) clusters", str(caught.value))[1])
    y, score, group = perfect(needed - 1)
    with pytest.raises(ValueError, match=rf"that takes {needed} clusters"):
        choose_threshold(y, score, groups=group, **params)
    y, score, group = perfect(needed)
    assert choose_threshold(y, score, groups=group, **params).recall == 1


def test_clusters_that_suffice_exactly_are_enough():
    """If half of all clusters missed the bound, 2 would meet it with probability 1/4."""
    y, score, group = perfect(2)
    params = {"objective": "specificity", "min_recall": 0.5, "confidence_level": 0.75}
    assert choose_threshold(y, score, groups=group, **params).recall == 1


def test_one_cluster_cannot_both_order_and_test_the_thresholds():
    y, score, other = [0, 1] * 10, np.arange(20.0), ([0, 1], [1.0, 2.0])
    params = {"min_precision": 0.3, "confidence_level": 0.5, "groups": ["one"] * 20}
    match = "`groups` must have two clusters or more .* Got 1 cluster; pass samples of more"
    with pytest.raises(ValueError, match=match):
        choose_threshold(y, score, **params)
    with pytest.raises(ValueError, match="among the 1 tested cluster"):
        choose_threshold(y, score, order_from=other, **params)


def test_weights_of_very_different_size_need_a_number_that_is_not_computed():
    y, score, _ = perfect(20)
    weight = np.where(np.arange(len(y)) == 0, 1e40, 1.0)
    match = r"takes more than 10\*\*15 positives of such weights in the tuning set\. Got 60"
    with pytest.raises(ValueError, match=match):
        choose_threshold(
            y, score, min_recall=0.9, confidence_level=0.9, sample_weight=weight
        )


def test_weights_that_are_too_few_name_how_many_would_do():
    y, score, _ = clustered(0, 10)
    weight = np.random.default_rng(0).choice([1.0, 5.0], len(y))
    match = r"that takes about \d+ positives of such weights in the tuning set\. Got \d+\."
    with pytest.raises(ValueError, match=match):
        choose_threshold(
            y, score, min_recall=0.95, confidence_level=0.9, sample_weight=weight
        )


# Errors and warnings


def test_groups_without_a_confidence_raise():
    y, score, group = clustered()
    with pytest.raises(
        ValueError, match="`groups` are the clusters of a guarantee, and ch"
    ):
        choose_threshold(y, score, groups=group)


def test_weights_that_vary_within_a_cluster_raise():
    y, score, group = clustered()
    weight = 1.0 + (np.arange(len(y)) == np.argmax(np.bincount(group)[group] > 1))
    match = (
        "`sample_weight` must be constant within each .* Got 1 and 2 in one cluster. Pass"
    )
    with pytest.raises(ValueError, match=match):
        chosen(y, score, "min_recall", groups=group, sample_weight=weight)


@pytest.mark.parametrize("n_heaviest", [1, 2, 3])
def test_a_rare_largest_weight_warns(n_heaviest):
    y, score, _ = clustered()
    weight = np.where(np.arange(len(y)) < n_heaviest, 2.0, 1.0)
    if n_heaviest == 3:
        chosen(y, score, "min_recall", sample_weight=weight)
        return
    match = rf"The largest weight \(2\) is that of only {n_heaviest} of {len(y)} samples"
    with pytest.warns(CoverageWarning, match=match):
        chosen(y, score, "min_recall", sample_weight=weight)


def test_a_rare_largest_weight_of_a_cluster_warns():
    y, score, group = clustered()
    weight = 1.0 + (group == 3)
    with pytest.warns(CoverageWarning, match="that of only 1 of 150 clusters"):
        chosen(y, score, "min_recall", groups=group, sample_weight=weight)


def test_groups_in_another_order_raise():
    y, score, group = clustered()
    groups = pd.Series(group, np.arange(5, len(y) + 5))[::-1]
    target = pd.Series(y, np.arange(5, len(y) + 5))
    with pytest.raises(
        ValueError, match="`groups` and `y_true` must have their samples in"
    ):
        chosen(target, score, "min_recall", groups=groups)


def test_missing_groups_raise():
    y, score, group = clustered()
    with pytest.raises(ValueError, match="Got 1 missing labels"):
        chosen(y, score, "min_recall", groups=np.where(np.arange(len(y)), group, np.nan))


# Results


def test_the_print_says_that_each_group_counts_once():
    y, score, group = clustered()
    printed = str(chosen(y, score, "min_recall", groups=group))
    assert (
        "On new data recall is at least 0.8, with confidence 0.9,\n"
        "for independent groups of this population; each group counts once.\n"
        f"Tuning set: {len(y)} samples in 150 clusters, {y.sum()} positive;"
    ) in printed
    assert max(map(len, printed.splitlines())) <= 88


@pytest.mark.parametrize("which", ["all", "weighted"])
def test_the_print_says_that_rates_of_the_tuning_set_are_not_per_group(which):
    y, score, group = clustered()
    weight = None if which == "all" else 1.0 + (group < 75)
    point = chosen(y, score, "min_recall", groups=group, sample_weight=weight)
    is_found = score[y == 1] >= point.threshold
    recall = np.average(is_found, weights=None if weight is None else weight[y == 1])
    assert f"over {which} samples: recall {recall:.2f}," in str(point)


def test_the_guarantee_alone_names_both_conditions():
    y, score, group = clustered()
    guarantee = chosen(y, score, "min_recall", groups=group).guarantee
    assert "for independent samples, or groups, of this population." in str(guarantee)


def test_the_display_takes_groups():
    y, score, group = clustered()
    point = chosen(y, score, "min_recall", groups=group)
    display = HullThresholdDisplay.from_predictions(
        y,
        score,
        objective="specificity",
        min_recall=0.8,
        confidence_level=0.9,
        groups=group,
    )
    assert display.chosen == point.threshold


# The classifier


def grouped_data(n_samples=900, per_group=3):
    X, y = two_classes(n_samples=n_samples)
    return X, y, np.random.default_rng(0).permutation(n_samples) // per_group


GUARANTEED = {"objective": "precision", "min_recall": 0.6, "confidence_level": 0.8}


def test_a_frozen_classifier_takes_groups_and_weights_as_arrays_do():
    y, score, group = clustered()
    weight = np.random.default_rng(0).choice([1.0, 2.0], 150)[group]
    model = HullThresholdClassifierCV(
        tuned_on(score, y.astype(int)).estimator, min_recall=0.7, confidence_level=0.9
    )
    model.fit(score[:, np.newaxis], y.astype(int), sample_weight=weight, groups=group)
    point = choose_threshold(
        y, score, min_recall=0.7, confidence_level=0.9, groups=group, sample_weight=weight
    )
    assert model.threshold_ == point.threshold
    assert model.operating_point_.n_clusters == point.n_clusters == 150


@pytest.mark.parametrize("with_routing", [False, True])
@pytest.mark.parametrize("cv", [0.4, GroupShuffleSplit(1, test_size=0.4, random_state=0)])
def test_a_fraction_holds_out_whole_groups(cv, with_routing):
    X, y, groups = grouped_data()
    model = HullThresholdClassifierCV(
        GaussianNB(), cv=cv, refit=False, random_state=0, **GUARANTEED
    )
    with config_context(enable_metadata_routing=with_routing):
        model.fit(X, y, groups=groups)
    splitter = GroupShuffleSplit(1, test_size=0.4, random_state=0)
    train, test = next(splitter.split(X, y, groups))
    score = GaussianNB().fit(X[train], y[train]).predict_proba(X[test])[:, 1]
    point = choose_threshold(y[test], score, groups=groups[test], **GUARANTEED)
    assert model.threshold_ == point.threshold
    assert model.operating_point_.n_clusters == 120


@pytest.mark.parametrize("with_routing", [False, True])
@pytest.mark.parametrize(("cv", "n_folds"), [(None, 5), (3, 3)])
def test_a_number_of_folds_keeps_groups_whole(cv, n_folds, with_routing):
    X, y, groups = grouped_data()
    with config_context(enable_metadata_routing=with_routing):
        model = HullThresholdClassifierCV(GaussianNB(), cv=cv).fit(X, y, groups=groups)
        expected = HullThresholdClassifierCV(
            GaussianNB(), cv=StratifiedGroupKFold(n_folds)
        ).fit(X, y, groups=groups)
    np.testing.assert_array_equal(model.thresholds_, expected.thresholds_)
    assert model.operating_point_.n_clusters is None


def test_cross_validation_routes_groups_to_both():
    X, y, groups = grouped_data()
    with config_context(enable_metadata_routing=True):
        found = cross_validate(
            HullThresholdClassifierCV(GaussianNB(), cv=0.5, refit=False, **GUARANTEED),
            X, y, cv=GroupKFold(2), params={"groups": groups}, return_estimator=True,
        )  # fmt: skip
    assert {m.operating_point_.n_clusters for m in found["estimator"]} == {75}


@pytest.mark.parametrize("with_routing", [False, True])
def test_a_splitter_that_divides_groups_raises(with_routing):
    X, y, groups = grouped_data()
    model = HullThresholdClassifierCV(
        GaussianNB(), cv=[(np.arange(450), np.arange(450, 900))], refit=False, **GUARANTEED
    )
    with (
        config_context(enable_metadata_routing=with_routing),
        pytest.raises(
            ValueError, match=r"with `groups` needs a split that holds out whole gr"
        ),
    ):
        model.fit(X, y, groups=groups)


def test_out_of_fold_scores_of_whole_groups_order_the_tests():
    X, y, groups = grouped_data(1500)
    params = {"objective": "recall", "min_precision": 0.6, "confidence_level": 0.8}
    model = HullThresholdClassifierCV(
        GaussianNB(), cv=0.4, refit=False, random_state=0, **params
    ).fit(X, y, groups=groups)
    splitter = GroupShuffleSplit(1, test_size=0.4, random_state=0)
    train, test = next(splitter.split(X, y, groups))
    score = GaussianNB().fit(X[train], y[train]).predict_proba(X[test])[:, 1]
    out_of_fold, order = [], []
    for fitted, held_out in StratifiedGroupKFold(5).split(
        X[train], y[train], groups[train]
    ):
        fold = GaussianNB().fit(X[train][fitted], y[train][fitted])
        out_of_fold.append(fold.predict_proba(X[train][held_out])[:, 1])
        order.append(y[train][held_out])
    point = choose_threshold(
        y[test], score, groups=groups[test],
        order_from=(np.concatenate(order), np.concatenate(out_of_fold)), **params,
    )  # fmt: skip
    assert model.threshold_ == point.threshold


def test_samples_without_groups_keep_a_splitter_without_groups():
    X, y, _ = grouped_data()
    model = HullThresholdClassifierCV(
        GaussianNB(), cv=ShuffleSplit(1, random_state=0), refit=False, **GUARANTEED
    ).fit(X, y)
    assert model.operating_point_.n_clusters is None


def test_weights_reach_the_guarantee_of_the_classifier():
    X, y, _ = grouped_data()
    weight = np.random.default_rng(0).choice([1.0, 3.0], len(y))
    frozen = FrozenEstimator(GaussianNB().fit(X, y))
    model = HullThresholdClassifierCV(frozen, **GUARANTEED).fit(X, y, sample_weight=weight)
    score = frozen.predict_proba(X)[:, 1]
    point = choose_threshold(y, score, sample_weight=weight, **GUARANTEED)
    assert model.threshold_ == point.threshold


# Simulation; benchmarks/simulations/guarantees_of_clusters.py has more of it


@pytest.mark.slow
@pytest.mark.parametrize("name", ["min_recall", "max_selection_rate"])
def test_constraints_are_met_on_new_clusters_with_the_confidence(name):
    """Clusters with many samples have lower scores; rows as independent miss in 0.4."""
    y, score, group = draw(np.random.default_rng(5), 40_000)
    weight = (y if name == "min_recall" else np.ones(len(y))) * 1.0
    n_rows = np.bincount(group, weight)
    weight = weight / np.maximum(n_rows[group], 1)
    n_missed, bound = 0, {"min_recall": 0.85, "max_selection_rate": 0.4}[name]
    for seed in range(100):
        tuning, tuning_score, groups = draw(np.random.default_rng(seed), 150)
        point = choose_threshold(
            tuning, tuning_score, groups=groups, confidence_level=0.8,
            objective=OBJECTIVES.get(name, "recall"), **{name: bound},
        )  # fmt: skip
        rate = weight[score >= point.threshold].sum() / weight.sum()
        n_missed += rate < bound if name == "min_recall" else rate > bound
    assert n_missed / 100 <= 0.2 + 2 * np.sqrt(0.2 * 0.8 / 100)


def draw(rng, n_clusters):
    size = np.minimum(rng.geometric(0.15, n_clusters), 40)
    group = np.repeat(np.arange(n_clusters), size)
    y = rng.random(len(group)) < 0.3
    return y, rng.normal(size=len(group)) + 1.7 * y - 0.3 * np.log(size)[group], group


def test_the_exact_test_is_that_of_the_binomial_distribution():
    y, score, _ = clustered(0, 400, 2)
    point = chosen(y, score, "min_recall", groups=np.arange(len(y)), objective="precision")
    n_positive, tp = y.sum(), round(point.recall * y.sum())
    assert binom.sf(tp - 1, n_positive, 0.8) <= 0.1
