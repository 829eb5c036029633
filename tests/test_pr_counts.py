"""Histograms of scores: bounds that are guaranteed and attained, counts that add up."""

import copy
import operator
import pickle
import warnings
import zlib
from functools import cache, partial
from itertools import pairwise

import numpy as np
import pytest
import slow_twins as slow
from cases import each
from closeness import assert_exact
from situations import SITUATIONS, random_problem
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_achievable_pr import PRCounts, auc_pr_interpolated, aucnpr, precision_at_recall

CURVES = ("empirical", "achievable")
# metric -> function of samples
METRICS = {
    "auc_pr_interpolated": auc_pr_interpolated,
    "achievable_auc_pr": partial(auc_pr_interpolated, curve="achievable"),
    "aucnpr": aucnpr,
    "achievable_aucnpr": partial(aucnpr, curve="achievable"),
}
OPTIONS = [
    {},
    {"recall_range": (0.2, 0.55)},
    {"prevalence": 0.01},
    {"recall_range": (0.9, 1.0), "prevalence": 0.7},
]


def counted(situation, **bins):
    y_true, y_score, weight = situation
    return PRCounts(**bins).update(y_true, y_score, sample_weight=weight)


@cache
def binned(seed):
    """A problem in wide bins, and the index of the bin of each score."""
    data = in_wide_bins(some_problem(seed), seed)
    return data, bins_of(data.y_score, 512)


def bins_of(scores, n_bins):
    """Index of the bin of each score: the order of two scores of a bin is not known."""
    scores, index = np.unique(scores, return_inverse=True)
    areas = [PRCounts(n_bins).update([1, 0], pair).auc_pr() for pair in pairwise(scores)]
    is_next = [area.high - area.low < 0.1 for area in areas]
    return np.append(0, np.cumsum(is_next, dtype=int))[index.reshape(-1)]


def in_wide_bins(situation, seed=0):
    """The same ranking with its scores in two to six bins of `PRCounts(512)`."""
    rank = np.unique(situation.y_score, return_inverse=True)[1].reshape(-1)
    start = np.random.default_rng(seed).choice([0.5, 1, 3])
    return situation._replace(y_score=start + rank / (rank.max() + 1))


def some_problem(seed):
    rng = np.random.default_rng(seed)
    weights = rng.choice([None, "whole", "fractional"], p=[0.5, 0.25, 0.25])
    n_levels = rng.choice([None, 3, 12])
    n_rows = int(rng.integers(2, 60))
    return random_problem(
        seed, n_rows, prevalence=rng.random(), n_levels=n_levels, weights=weights
    )


def some_options(seed):
    rng = np.random.default_rng([seed, 1])
    options = {}
    if rng.random() < 0.5:
        options["recall_range"] = tuple(np.sort(rng.random(2)))
    if rng.random() < 0.5:
        options["prevalence"] = rng.uniform(0.001, 0.99)
    return options


# Bounds


def assert_between(bounds, value):
    assert bounds.low <= value <= bounds.high
    assert bounds.low <= bounds.estimate <= bounds.high


@each(seed=range(150))
def test_bounds_contain_the_value(seed):
    data, options = in_wide_bins(some_problem(seed), seed), some_options(seed)
    counts = counted(data, n_bins=512)
    y_true, y_score, weight = data
    for metric, value in METRICS.items():
        found = value(y_true, y_score, sample_weight=weight, **options)
        assert_between(counts.auc_pr(metric=metric, **options), found)


def test_bounds_over_a_recall_range_with_a_rounded_end():
    """1/3 of three positives is rounded to 1, below which precision is 1."""
    y_true, y_score, options = [1, 0, 1, 1], [4.0, 3.0, 2.0, 1.0], {"prevalence": 1e-12}
    points = slow.at_prevalence(slow.roc(y_true, y_score), 1e-12)
    bounds = counted((y_true, y_score, None)).auc_pr(recall_range=(1 / 3, 1), **options)
    assert bounds.low <= float(slow.area(points, 1 / 3, 1)) <= bounds.high


@each(metric=METRICS, weight=(None, 0.1))
def test_bounds_contain_the_value_of_a_perfect_ranking_over_narrow_ranges(metric, weight):
    """The ends of a range are rounded, so the computed area could exceed the width."""
    y_true, y_score = np.repeat([1, 0], [7, 20]), -np.arange(27.0)
    weight = None if weight is None else np.full(27, weight)
    counts = counted((y_true, y_score, weight))
    starts = np.random.default_rng(0).uniform(0, 0.99, 60)
    for low, width in zip(starts, np.geomspace(1e-12, 1e-2, 60), strict=True):
        at = {"recall_range": (low, low + width)}
        found = METRICS[metric](y_true, y_score, sample_weight=weight, **at)
        assert_between(counts.auc_pr(metric=metric, **at), found)


def test_bounds_of_precision_where_a_weighted_curve_falls():
    """The recalls of the curve are sums of weights, which are rounded."""
    y_true, y_score, weight = random_problem(0, 3000, weights="fractional")
    tps = np.cumsum((weight * y_true)[np.argsort(-y_score)])
    recall = tps / tps[-1]
    found = precision_at_recall(y_true, y_score, recall=recall, sample_weight=weight)
    counts = counted((y_true, y_score, weight))
    low, high, _ = counts.precision_at_recall(recall=recall)
    assert ((low <= found) & (found <= high)).all()


def test_bounds_contain_the_value_of_many_weights_whose_sum_is_rounded():
    """A running total of 2^20 weights of 0.1 has a relative error of 1e-11."""
    y_true = np.arange(2**20) < 2**10
    counts = PRCounts(512).update(
        y_true, np.zeros(2**20), sample_weight=np.full(2**20, 0.1)
    )
    low, high, _ = counts.auc_pr()
    assert low <= 2.0**-10 <= high


@each(seed=range(15), curve=CURVES)
def test_bounds_of_precision_contain_the_value(seed, curve):
    data, options = in_wide_bins(some_problem(seed), seed), {"curve": curve}
    y_true, y_score, weight = data
    if seed % 2:
        options["prevalence"] = 0.03
    recall = np.array([0, 1e-9, 0.1, 0.5, 2 / 3, 0.9, 1])
    counts = counted(data, n_bins=512)
    for options["at_least"] in (False, True):
        low, high, estimate = counts.precision_at_recall(recall=recall, **options)
        value = precision_at_recall(
            y_true, y_score, recall=recall, sample_weight=weight, **options
        )
        assert (low <= value).all()
        assert (value <= high).all()
    assert low.shape == high.shape == estimate.shape == recall.shape


@each(name=SITUATIONS, options=OPTIONS, metric=METRICS)
def test_bounds_contain_the_value_of_every_situation(name, options, metric):
    y_true, y_score, weight = SITUATIONS[name]
    for data in (SITUATIONS[name], in_wide_bins(SITUATIONS[name])):
        counts = counted(data, n_bins=512)
        found = METRICS[metric](y_true, y_score, sample_weight=weight, **options)
        assert_between(counts.auc_pr(metric=metric, **options), found)


@each(seed=range(10), options=OPTIONS, metric=METRICS)
def test_bounds_are_attained(seed, options, metric):
    """Scores moved within their bins, negatives above positives or below them."""
    data, index = binned(seed)
    y_true, y_score, weight = data
    found = counted(data, n_bins=512).auc_pr(metric=metric, **options)
    several = np.array([len(np.unique(y_score[index == i])) > 1 for i in index])
    for end, up in ((found.high, y_true), (found.low, 1 - y_true)):
        moved = index + 0.25 + 0.5 * (several & (up == 1))
        attained = METRICS[metric](y_true, moved, sample_weight=weight, **options)
        # Bounds are rounded outward by less than this (relative, for AUCNPR absolute).
        assert abs(end - attained) <= 1e-11


@each(metric=METRICS)
def test_bounds_are_exact_for_few_distinct_scores(metric):
    y_true, y_score, _ = random_problem(0, 5000, n_levels=60)
    counts = PRCounts().update(y_true, y_score / 100)
    exact = METRICS[metric](y_true, y_score)
    low, high, estimate = counts.auc_pr(metric=metric)
    assert abs(estimate - exact) <= 4 * np.spacing(exact)
    assert high - low <= 1e-12


def test_bounds_against_fractions():
    """Two mixed bins: positives first, negatives first, and as ties, by hand."""
    y_true, y_score = [1, 0, 0, 1, 1, 0], [2.1, 2.2, 2.3, 1.1, 1.15, 1.2]
    low, high, estimate = PRCounts(512).update(y_true, y_score).auc_pr()
    orders = {
        "low": [(0, 0), (2, 0), (2, 1), (3, 1), (3, 3)],
        "high": [(0, 0), (0, 1), (2, 1), (2, 3), (3, 3)],
        "estimate": [(0, 0), (2, 1), (3, 3)],
    }
    exact = {name: slow.area(slow.roc_through(*roc)) for name, roc in orders.items()}
    assert_exact(estimate, exact["estimate"])
    assert_exact(low, exact["low"])
    assert_exact(high, exact["high"])
    assert low < exact["low"]
    assert high > exact["high"]


@pytest.mark.filterwarnings("ignore:The scores rank negatives above positives")
@each(dtype=("float16", "float32", "float64", "longdouble", "int64", "int8"), scale=(1, -3))
def test_bounds_of_every_dtype(dtype, scale):
    y_true, y_score, _ = random_problem(5, 3000)
    y_score = (y_score * scale).astype(dtype)
    exact = auc_pr_interpolated(y_true, y_score)
    counts = PRCounts().update(y_true, y_score)
    assert_between(counts.auc_pr(), exact)


@each(kind=(np.int64, np.uint64, np.longdouble))
def test_scores_equal_only_as_float64_are_not_tied(kind):
    y_score = np.array([1, 2, 3, 4]).astype(kind) + kind(2**62)
    if kind is np.longdouble:
        y_score = kind(1) + np.finfo(kind).eps * np.arange(4)
    for y_true in ([0, 0, 1, 1], [1, 1, 0, 0]):
        bounds = PRCounts().update(y_true, y_score).auc_pr()
        assert_between(bounds, auc_pr_interpolated(y_true, y_score))


# Merging


def shuffled_parts(data, n_parts, seed=0):
    order = np.random.default_rng(seed).permutation(len(data.y_true))
    for rows in np.array_split(order, n_parts):
        yield [None if column is None else column[rows] for column in data]


@each(seed=range(2), n_levels=(None, 30))
def test_merging_does_not_depend_on_the_order(seed, n_levels):
    data = random_problem(seed, 1000, n_levels=n_levels)
    whole = PRCounts().update(*data[:2])
    parts = [PRCounts().update(*p[:2]) for p in shuffled_parts(data, 7, seed)]
    one_by_one, forth, back = PRCounts(), sum(parts), sum(parts[::-1])
    for y_true, y_score, _ in shuffled_parts(data, 5, seed + 1):
        one_by_one.update(y_true, y_score)
    tree = (parts[0] + parts[5]) + (parts[3] + (parts[1] + parts[2])) + parts[4] + parts[6]
    for other in (one_by_one, forth, back, tree):
        assert other == whole
        assert other.auc_pr() == whole.auc_pr()


def test_adding_counters_changes_neither():
    a, b = (PRCounts().update(*random_problem(i, 50)[:2]) for i in (0, 1))
    before = pickle.dumps(a), pickle.dumps(b)
    both = a + b
    assert (pickle.dumps(a), pickle.dumps(b)) == before
    assert both.n_pos == a.n_pos + b.n_pos
    assert a.merge(b) is a
    assert a == both


@each(merge=(PRCounts.merge, operator.add))
def test_merging_counters_of_three_labels_raises(merge):
    """A copy by pickling or adding keeps the labels."""
    first = PRCounts().update([*"ab"], [1, 2], pos_label="a")
    second = PRCounts().update([*"ac"], [3, 4], pos_label="a")
    for other in (second, pickle.loads(pickle.dumps(second)), 0 + second):
        with pytest.raises(ValueError, match=r"two classes.*'a', 'b', 'c'"):
            merge(first, other)
    assert first.n_pos == 1


def test_a_copy_of_a_counter_counts_by_itself():
    counts = PRCounts().update([1, 0], [0.9, 0.1])
    other = copy.copy(counts).update([1], [0.8])
    assert (counts.n_pos, other.n_pos) == (1, 2)


def test_counters_of_other_labels_are_not_equal():
    words = PRCounts().update(["b", "a"], [3, 2], pos_label="b")
    assert PRCounts().update([1, 0], [3, 2]) != words


def test_a_counter_keeps_its_labels():
    counts = PRCounts().update([*"bb"], [1, 2], pos_label="a")
    with pytest.raises(ValueError, match=r"Got \[\] of the labels \['b', 'c'\] as"):
        pickle.loads(pickle.dumps(counts)).update([*"c"], [1], pos_label="a")
    with pytest.raises(ValueError, match=r"Got \['b'\] of the labels \['b'\] as"):
        counts.update([*"bb"], [1, 2], pos_label="b")
    assert (counts.n_pos, counts.n_neg) == (0, 2)
    assert counts.update([*"a"], [1], pos_label="a").n_pos == 1


def test_a_weight_is_as_many_copies():
    data = in_wide_bins(random_problem(1, 300, n_levels=9, weights="whole"))
    y_true, y_score, weight = data
    copies = np.repeat(np.arange(300), weight.astype(int))
    weighted = counted(data, n_bins=512)
    repeated = PRCounts(512).update(y_true[copies], y_score[copies])
    assert weighted.auc_pr() == repeated.auc_pr()
    assert weighted.n_pos == repeated.n_pos
    assert weighted != repeated  # other samples


@each(weights=(None, "fractional"))
def test_pickle_is_small_and_the_same(weights):
    counts = counted(random_problem(3, 30_000, weights=weights))
    data = pickle.dumps(counts)
    again = pickle.loads(data)
    assert again == counts
    assert again.auc_pr() == counts.auc_pr()
    assert again.update([1], [0.5]) == counts.update([1], [0.5])
    assert len(data) < (350_000 if weights else 150_000)
    assert again._table.bins is counts._table.bins


@each(weights=(None, "fractional"))
def test_a_pickle_names_nothing_of_numpy(weights):
    """NumPy 1.25 does not load an array that NumPy 2 has pickled."""
    counts = counted(random_problem(3, 1000, weights=weights))
    for data in (pickle.dumps(counts), zlib.decompress(counts.__getstate__()[1])):
        assert b"numpy" not in data


def test_samples_of_weight_zero_do_not_count():
    counts = PRCounts()
    counts.update([1, 0, 1], [3, 3, 1], sample_weight=[1, 2, 3])
    same = PRCounts()
    same.update([0, 1, 0, 1, 0], [3.5, 3, 3, 1, 0], sample_weight=[0, 1, 2, 3, 0])
    assert same == counts
    same.update([1], [0.1], sample_weight=[0])
    same.update([], [])
    assert same == counts


def test_only_counts_of_equal_bins_compare_and_add():
    counts = PRCounts(1000).update([1, 0, 0], [3, 2, 1])
    assert counts != 3
    assert counts != PRCounts(2000).update([1, 0, 0], [3, 2, 1])
    with pytest.raises(TypeError, match="unhashable"):
        hash(counts)
    with pytest.raises(TypeError, match=r"must be a PRCounts\. Got int"):
        counts + 3


def test_results_are_python_numbers():
    counts = PRCounts().update([1, 0, 1], [3, 2, 1])
    for metric in METRICS:
        assert [type(end) for end in counts.auc_pr(metric=metric)] == [float] * 3
    assert [type(end) for end in counts.precision_at_recall(recall=0.5)] == [float] * 3
    assert type(counts.n_pos) is int
    assert type(counts.update([1], [1], sample_weight=[0.5]).n_pos) is float


# The undefined cases, and errors


def test_a_missing_class_is_undefined_with_a_warning():
    negatives, positives = PRCounts().update([0, 0], [1, 2]), PRCounts().update([1], [1])
    for values, shape in (
        (negatives.auc_pr, ()),
        (partial(negatives.auc_pr, metric="aucnpr"), ()),
        (partial(positives.auc_pr, metric="aucnpr"), ()),
        (partial(positives.auc_pr, prevalence=0.1), ()),
        (partial(negatives.precision_at_recall, recall=0.5), ()),
        (partial(negatives.precision_at_recall, recall=[0.5, 0.6]), (2,)),
    ):
        with pytest.warns(UndefinedMetricWarning, match="No (positive|negative) samples"):
            found = values()
        np.testing.assert_array_equal(found, np.full((3, *shape), np.nan))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert positives.auc_pr() == pytest.approx((1, 1, 1), rel=1e-12)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: PRCounts(100), ValueError, r"`n_bins` must be from 512 to .* Got 100"),
        (lambda: PRCounts(2.5), TypeError, r"`n_bins` must be an integer. Got 2.5"),
        (lambda: PRCounts().auc_pr(), ValueError, "no samples to measure. Call `update`"),
        (
            lambda: PRCounts().auc_pr(metric="average_precision"),
            ValueError,
            "`metric` must be one of 'auc_pr_interpolated', .* Got 'average_precision'",
        ),
        (lambda: PRCounts().update([1, 0], [1]), ValueError, "must have the same length"),
        (
            lambda: PRCounts().update([], [1]),
            ValueError,
            "`y_true` must be one-dimensional, and",
        ),
        (
            lambda: PRCounts().update([1, 0], [1, 2], sample_weight=[1, 1e260]),
            ValueError,
            r"`sample_weight` must not exceed 1e\+250.*divide all weights",
        ),
        (lambda: PRCounts().merge(3), TypeError, "`other` must be a PRCounts. Got int"),
        (
            lambda: PRCounts(1000) + PRCounts(2000),
            ValueError,
            "`other` must have the same bins. .* Got <PRCounts of 0 .* for <PRCounts of 0",
        ),
    ],
)
def test_wrong_calls_of_counts_raise(call, error, words):
    with pytest.raises(error, match=words):
        call()
