"""Invariances of every metric in every named situation."""

import tracemalloc
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
import slow_twins as slow
from cases import each
from closeness import assert_exact
from hypothesis import example, given
from hypothesis import strategies as st
from situations import (
    CURVES,
    DENSE,
    METRICS,
    POINTS,
    SINGLE_CLASS,
    SITUATIONS,
    STEPWISE,
    UNWEIGHTED,
    VERTICES,
    Situation,
    applies,
    random_problem,
    value,
)
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import f1_score, precision_score
from strategies import every_problem

import sklearn_achievable_pr as apr

EVERYWHERE = {**SITUATIONS, **SINGLE_CLASS}
everywhere = each(name=EVERYWHERE)
every_situation = each(name=SITUATIONS)
every_unweighted = each(name=UNWEIGHTED)

# Sums of weights in another order differ by the rounding of the total.
REORDERED = 1e-14


def assert_same(found, expected, rtol=0.0, what=""):
    """Lists of arrays, equal bit for bit unless a tolerance is given."""
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        if rtol:
            assert (one.shape, one.dtype) == (other.shape, other.dtype), what
            np.testing.assert_allclose(one, other, rtol=rtol, atol=rtol, err_msg=what)
        else:
            np.testing.assert_array_equal(one, other, err_msg=what, strict=True)


def metrics_for(situation):
    return [metric for metric in METRICS if applies(metric, situation)]


@cache
def plainly(metric, name):
    """The cached reference value, which no test may modify."""
    return tuple(value(metric, *EVERYWHERE[name]))


# Samples and weights


@each(name=EVERYWHERE, seed=[0, 1])
def test_the_order_of_samples_changes_nothing(name, seed):
    y_true, y_score, weight = EVERYWHERE[name]
    order = np.random.default_rng(seed).permutation(len(y_true))
    new_weight = None if weight is None else weight[order]
    for metric in metrics_for(EVERYWHERE[name]):
        shuffled = value(metric, y_true[order], y_score[order], new_weight)
        tolerance = 0 if weight is None else REORDERED
        assert_same(shuffled, plainly(metric, name), tolerance, metric)


_WEIGHTED = [metric for metric in METRICS if metric not in STEPWISE]


@everywhere
def test_a_sample_of_weight_zero_is_no_sample(name):
    y_true, y_score, weight = EVERYWHERE[name]
    weight = np.ones(len(y_true)) if weight is None else weight
    extreme = [y_score.min() - 1, y_score.max() + 1, y_score[0], y_score.mean()] * 2
    padded = (
        np.concatenate((y_true, [0, 0, 0, 0, 1, 1, 1, 1])),
        np.concatenate((y_score, extreme)),
        np.concatenate((weight, np.zeros(8))),
    )
    for metric in _WEIGHTED:
        plain = value(metric, y_true, y_score, weight)
        assert_same(value(metric, *padded), plain, what=metric)


@each(name=["ties_at_top", "tied", "whole_weights", "no_positives", "collinear_run"])
def test_weight_k_is_k_copies(name):
    y_true, y_score, weight = EVERYWHERE[name]
    if weight is None:
        weight = np.random.default_rng(0).integers(1, 4, len(y_true))
    copies = weight.astype(int)
    for metric in _WEIGHTED:
        # One point per mean weight of a positive: only dense curves depend on copies.
        if metric not in DENSE:
            repeated = value(metric, np.repeat(y_true, copies), np.repeat(y_score, copies))
            weighted = value(metric, y_true, y_score, weight)
            assert_same(weighted, repeated, REORDERED, metric)


@every_unweighted
def test_unit_weights_are_no_weights(name):
    y_true, y_score, _ = UNWEIGHTED[name]
    for metric in _WEIGHTED:
        weighted = value(metric, y_true, y_score, np.ones(len(y_true)))
        assert_same(weighted, plainly(metric, name), REORDERED, metric)


# Scores


MAPS = {
    "affine": lambda score: 3 * score - 7,
    "arctan": np.arctan,
    "ranks": lambda score: np.unique(score, return_inverse=True)[1] + 1,
    "steep": np.sinh,
}


@pytest.mark.parametrize("increasing", MAPS)
@everywhere
def test_increasing_maps_of_the_scores(name, increasing):
    y_true, y_score, weight = EVERYWHERE[name]
    mapped = MAPS[increasing](y_score)
    assert len(np.unique(mapped)) == len(np.unique(y_score)), "the map makes no ties"
    levels = dict(zip(y_score.tolist(), mapped.tolist(), strict=True)) | {np.inf: np.inf}
    for metric in metrics_for(EVERYWHERE[name]):
        found = value(metric, y_true, mapped, weight)
        expected = list(plainly(metric, name))
        if metric in CURVES:
            thresholds = [levels.get(t, np.nan) for t in expected[2].tolist()]
            expected[2] = np.array(thresholds, dtype=found[2].dtype)
        assert_same(found, expected, what=metric)


# Labels


LABELS = {
    "bool": (np.array([False, True]), {}),
    "minus_one_and_one": (np.array([-1, 1]), {}),
    "floats": (np.array([0.0, 1.0]), {}),
    "strings": (np.array(["ham", "spam"]), {"pos_label": "spam"}),
    "strings_in_reverse": (np.array(["yes", "no"]), {"pos_label": "no"}),
    "objects": (np.array(["ham", "spam"], dtype=object), {"pos_label": "spam"}),
    "one_and_two": (np.array([1, 2]), {"pos_label": 2}),
    "two_and_one": (np.array([2, 1]), {"pos_label": 1}),
    "zero_is_positive": (np.array([1, 0]), {"pos_label": 0}),
    "big_integers": (np.array([2**62, 2**62 + 1]), {"pos_label": 2**62 + 1}),
    "unsigned": (np.array([0, 255], dtype=np.uint8), {"pos_label": 255}),
}


@each(name=SITUATIONS, labels=LABELS)
def test_labels_of_every_kind(name, labels):
    y_true, y_score, weight = SITUATIONS[name]
    names, options = LABELS[labels]
    for metric in metrics_for(SITUATIONS[name]):
        found = value(metric, names[y_true], y_score, weight, **options)
        assert_same(found, plainly(metric, name), what=metric)


# Inputs


@everywhere
def test_inputs_are_not_modified(name):
    given = [array for array in EVERYWHERE[name] if array is not None]
    before = [array.copy() for array in given]
    for metric in metrics_for(EVERYWHERE[name]):
        value(metric, *given)
        assert_same(given, before, what=metric)


@every_situation
def test_returned_arrays_do_not_share_memory_with_inputs(name):
    """Results are writable, and not views of each other or of the scores."""
    y_true, y_score, weight = SITUATIONS[name]
    scores = y_score.copy()
    for metric in CURVES:
        found, again = (value(metric, y_true, y_score, weight) for _ in range(2))
        for part, other in zip(found, again, strict=True):
            part[:] = -1
            assert not np.shares_memory(part, other)
            assert not np.shares_memory(part, y_score)
        assert_same(value(metric, y_true, y_score, weight), again, what=metric)
    np.testing.assert_array_equal(y_score, scores)


# Areas


@pytest.mark.parametrize("area", ["empirical_area", "achievable_area", "davis_goadrich"])
@each(
    name=SITUATIONS,
    borders=[[0, 0.5, 1], [0, 0.25, 0.3, 1], np.linspace(0, 1, 12), [0.2, 0.6, 0.61]],
)
def test_areas_of_adjacent_recall_ranges_add_up(name, area, borders):
    if applies(area, SITUATIONS[name]):
        parts = [
            value(area, *SITUATIONS[name], recall_range=ends) for ends in pairwise(borders)
        ]
        (whole,) = value(area, *SITUATIONS[name], recall_range=(borders[0], borders[-1]))
        assert np.sum(parts) == pytest.approx(whole, rel=1e-13)


@each(name=SITUATIONS, recall_range=[(0, 1), (0.25, 0.75), (0.9, 1)])
def test_achievable_at_least_empirical_at_least_minimum(name, recall_range):
    y_true, y_score, weight = SITUATIONS[name]
    options = {"sample_weight": weight, "recall_range": recall_range}
    empirical = apr.auc_pr_interpolated(y_true, y_score, **options)
    achievable = apr.auc_pr_interpolated(y_true, y_score, curve="achievable", **options)
    weight = np.ones(len(y_true)) if weight is None else weight / weight.max()
    pi = weight[y_true == 1].sum() / weight.sum()
    width = recall_range[1] - recall_range[0]
    rounding = 1e-15
    assert achievable >= empirical - rounding
    assert achievable >= pi * width - rounding
    assert width >= achievable - rounding
    if pi == 1:  # negatives too light to change the running total
        return
    minimum = apr.auc_pr_min(pi, recall_range=recall_range)
    assert empirical >= minimum - rounding
    normalized = apr.aucnpr(y_true, y_score, **options)
    assert 0 <= normalized <= 1
    assert normalized == pytest.approx((empirical - minimum) / (width - minimum), abs=1e-13)


@every_situation
def test_best_and_worst_ranking(name):
    y_true, _, weight = SITUATIONS[name]
    for metric in (apr.aucnpr, apr.normalized_average_precision_score):
        assert metric(y_true, y_true / 2, sample_weight=weight) == 1
    # Tied or not, all negatives come before the first positive.
    assert apr.aucnpr(y_true, -y_true / 2, sample_weight=weight) == pytest.approx(
        0, abs=1e-15
    )


# Curves


@every_situation
def test_order_ends_and_length_of_the_roc_hull(name):
    fpr, tpr, thresholds = value("roc_hull", *SITUATIONS[name])
    assert len(fpr) == len(tpr) == len(thresholds)
    assert (fpr[0], tpr[0], thresholds[0]) == (0, 0, np.inf)
    assert (fpr[-1], tpr[-1]) == (1, 1)
    assert (np.diff(fpr) >= 0).all()
    assert (np.diff(tpr) >= 0).all()
    assert (np.diff(thresholds) < 0).all()
    assert (tpr >= fpr).all()


@each(metric=CURVES.keys() - {"roc_hull"}, name=SITUATIONS)
def test_order_ends_and_length_of_curves(metric, name):
    y_true, y_score, weight = SITUATIONS[name]
    precision, recall, thresholds = value(metric, y_true, y_score, weight)
    assert len(precision) == len(recall) == len(thresholds) + 1
    assert (recall[0], recall[-1]) == (1, 0)
    assert (np.diff(recall) <= 0).all()
    assert (precision >= 0).all()
    assert (precision <= 1).all()
    real = thresholds[~np.isnan(thresholds)]
    assert (np.diff(real) > 0).all()
    assert set(real) <= set(y_score if weight is None else y_score[weight > 0])
    assert precision.dtype == recall.dtype == thresholds.dtype == np.float64


@pytest.mark.parametrize("metric", [m for m in VERTICES if m != "vertices_at_prevalence"])
@every_unweighted
def test_thresholds_give_the_points(metric, name):
    """Predictions at a threshold have the returned precision and recall."""
    y_true, y_score, _ = SITUATIONS[name]
    first, second, thresholds = value(metric, y_true, y_score)
    for i, threshold in enumerate(thresholds):
        caught = y_true[y_score >= threshold]
        tp, fp = caught.sum(), (1 - caught).sum()
        if metric == "roc_hull":
            assert first[i] == fp / (1 - y_true).sum()
            assert second[i] == tp / y_true.sum()
        else:
            assert first[i] == tp / (tp + fp)
            assert second[i] == tp / y_true.sum()


@pytest.mark.parametrize("metric", DENSE)
@every_situation
def test_interpolated_points_lie_on_the_curve_and_have_no_threshold(metric, name):
    y_true, y_score, weight = SITUATIONS[name]
    precision, recall, thresholds = value(metric, y_true, y_score, weight)
    vertices = value(metric.replace("curve", "vertices"), y_true, y_score, weight)
    own = np.concatenate((~np.isnan(thresholds), [True]))
    # At recall 0 it is the precision of the next, interpolated point, up to rounding.
    found = [precision[own], recall[own], thresholds[own[:-1]]]
    assert_same(found, vertices, REORDERED)
    curve = metric.removesuffix("_curve")
    between = recall[~own]
    np.testing.assert_allclose(
        precision[~own],
        apr.precision_at_recall(
            y_true, y_score, recall=between, curve=curve, sample_weight=weight
        ),
        rtol=1e-12,  # the recall is rounded before its precision is computed
    )
    positives = np.ones(y_true.sum()) if weight is None else weight[y_true == 1]
    positives = positives[positives > 0] / positives.max()
    spacing = positives.mean() / positives.sum()
    gaps = -np.diff(recall)
    assert (gaps <= spacing * (1 + 1e-8)).all()
    # Only the interval before a point of the ROC curve may be shorter.
    np.testing.assert_allclose(gaps[~own[:-1]], spacing, rtol=1e-8)


@pytest.mark.parametrize("metric", DENSE)
@every_unweighted
def test_one_point_per_true_positive(metric, name):
    y_true, y_score, _ = SITUATIONS[name]
    _, recall, _ = value(metric, y_true, y_score)
    n_pos = y_true.sum()
    tps = recall * n_pos
    np.testing.assert_allclose(tps, np.round(tps), rtol=0, atol=1e-12)
    assert set(np.round(tps)) == set(range(n_pos + 1))


# Slow twins


# Vertices must differ by more than the rounding of the totals. Closer points count as
# collinear, and it is not specified which of them are vertices.
RESOLVED = [name for name in SITUATIONS if not name.startswith("denormal_weight")]


def every_curve(test):
    """Run a test on the empirical curve of every problem, and on achievable curves."""

    @every_problem
    def empirical(data):
        test("empirical", data)

    @every_problem(situations=RESOLVED)
    def achievable(data):
        test("achievable", data)

    def both():
        empirical()
        achievable()

    return both


def points_of(data, curve="empirical"):
    points = slow.roc(*data)
    return slow.hull(points) if curve == "achievable" else points


@every_curve
def test_precision_at_recall_zero_is_the_limit_of_the_first_segment(curve, data):
    expected = float(slow.precision_at_zero(points_of(data, curve)))
    y_true, y_score, weight = data
    for precision in (
        value(f"{curve}_vertices", y_true, y_score, weight)[0][-1],
        value(f"{curve}_curve", y_true, y_score, weight)[0][-1],
        apr.precision_at_recall(
            y_true, y_score, recall=0.0, curve=curve, sample_weight=weight
        ),
    ):
        assert precision == pytest.approx(expected, rel=REORDERED)


@every_curve
def test_curves_against_the_twin(curve, data):
    expected = points_of(data, curve)
    precision, recall, thresholds = value(f"{curve}_vertices", *data)
    assert thresholds.tolist() == [p.threshold for p in expected[:0:-1]]
    for p, r, point in zip(precision, recall, expected[::-1], strict=True):
        assert_exact(r, point.t / expected[-1].t, REORDERED)
        if point.threshold is not None:
            assert_exact(p, point.t / (point.t + point.f), REORDERED)


@every_curve
def test_points_against_the_twin(curve, data):
    y_true, y_score, weight = data
    points = points_of(data, curve)
    options = {"sample_weight": weight, "curve": curve}
    # Not at breakpoints, where a rounded recall may belong to the next segment.
    asked = [0.0371, 0.21, 0.417, 0.666, 0.99]
    found = apr.precision_at_recall(y_true, y_score, recall=asked, **options)
    for got, recall in zip(found, asked, strict=True):
        assert_exact(got, slow.precision_at(points, recall))
    found = apr.recall_at_precision(y_true, y_score, precision=asked, **options)
    for got, precision in zip(found, asked, strict=True):
        assert_exact(got, slow.recall_reaching(points, precision))


def test_a_vertex_on_the_border_of_two_parts(tuning):
    """One positive, then k negatives, k increasing: all positives but one are vertices.

    Positives are added before, so that one of the vertices is at the border of two parts.
    """
    border, n_steps = tuning.part, 512
    steps = np.arange(n_steps)
    rows_to_vertex = steps * (steps + 1) // 2 + 1
    ahead = border - rows_to_vertex[rows_to_vertex <= border][-1]
    y_true = np.concatenate(
        [np.ones(ahead, dtype=int), *([1] + [0] * k for k in range(n_steps))]
    )
    y_score = -np.arange(len(y_true))
    assert len(y_true) > 1.5 * border
    tps, fps = ahead + steps + 1, np.cumsum(steps) - steps
    from_counts = apr.auc_pr_from_counts(tps, fps, n_neg=(1 - y_true).sum())
    got = apr.auc_pr_interpolated(y_true, y_score, curve="achievable")
    assert got == pytest.approx(from_counts, rel=1e-13)
    _, _, thresholds = apr.achievable_pr_curve(y_true, y_score, interpolate=False)
    vertices = y_score[ahead + rows_to_vertex - 1][1:]
    np.testing.assert_array_equal(thresholds[::-1][:-1], vertices)


@every_problem(situations=UNWEIGHTED, weights=[None])
def test_davis_goadrich_areas_against_the_twin(data):
    y_true, y_score, _ = data
    for curve in ("empirical", "achievable"):
        points = points_of(data, curve)
        for low, high in [(0, 1), (0.25, 1), (0.4, 0.45)]:
            options = {"curve": curve, "recall_range": (low, high)}
            (got,) = value("davis_goadrich", y_true, y_score, **options)
            assert_exact(got, slow.davis_goadrich(points, low, high))


def test_davis_goadrich_areas_take_a_few_arrays_as_long_as_the_scores():
    y_score = np.random.default_rng(0).normal(size=2 * 10**5)
    y_true = np.arange(len(y_score)) % 2
    tracemalloc.start()
    apr.auc_pr_interpolated(y_true, y_score, method="davis_goadrich")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * y_score.nbytes


HEAVY_POSITIVE = np.array([1, 1, 1, 70.5, 0.25])


# 1e200 positives of weight 1 do not fit into memory: the test below has the limit.
@example(
    data=Situation(np.repeat([0, 1], [3, 2]), np.array([9, 8, 7, 1, 1]), HEAVY_POSITIVE)
)
@every_problem(situations=[name for name in SITUATIONS if name != "huge_weights"])
def test_normalized_average_precision_against_the_twin(data):
    y_true, y_score, weight = data
    points = points_of(data)
    positives = np.ones(y_true.sum()) if weight is None else weight[y_true == 1]
    lowest = slow.average_precision_min(slow.as_units(positives), points[-1].f)
    exact = (slow.average_precision(points) - lowest) / (1 - lowest)
    got = apr.normalized_average_precision_score(y_true, y_score, sample_weight=weight)
    assert got == pytest.approx(float(exact), rel=1e-12, abs=1e-14)


def test_normalized_average_precision_at_the_limit_of_many_samples():
    """The lowest average precision of 1e200 positives is the minimum AUC-PR."""
    y_true, y_score, weight = SITUATIONS["huge_weights"]
    points = points_of(SITUATIONS["huge_weights"])
    lowest = slow.minimum_area(points[-1].t, points[-1].f)
    steps = float(slow.average_precision(points))
    got = apr.normalized_average_precision_score(y_true, y_score, sample_weight=weight)
    assert got == pytest.approx(float((steps - lowest) / (1 - lowest)), rel=1e-12)


@given(eighths=st.lists(st.integers(1, 9), min_size=1, max_size=6), order=st.randoms())
def test_no_order_has_a_lower_average_precision(eighths, order):
    """With fractional positives the worst order has lighter positives first."""
    weights = np.sort(eighths) / 8
    lowest = slow.average_precision_min(weights, 3)
    shuffled = weights.tolist()
    for _ in range(5):
        order.shuffle(shuffled)
        assert slow.average_precision_min(shuffled, 3) >= lowest
    y_true = np.repeat([0, 1], [3, len(weights)])
    y_score = np.concatenate(([2, 2, 2], -weights))
    weight = np.concatenate(([1, 1, 1], weights))
    # Equal weights are tied here, which cannot decrease average precision.
    got = apr.normalized_average_precision_score(y_true, y_score, sample_weight=weight)
    assert got >= 0
    if len(np.unique(weights)) == len(weights) and weights.max() <= 1:
        assert got == pytest.approx(0, abs=1e-15)


# Independent methods


# Without the extreme weights at which scikit-learn's sums and regressions overflow.
@every_problem(
    situations=[
        name
        for name, (_, _, weight) in SITUATIONS.items()
        if weight is None or 1e-100 < weight[weight > 0].min() <= weight.max() < 1e100
    ]
)
def test_hull_is_isotonic_regression(data):
    """The fraction of positives on each hull segment is what PAV fits to the labels."""
    y_true, y_score, weight = data
    fitted = IsotonicRegression().fit_transform(y_score, y_true, sample_weight=weight)
    weight = np.ones(len(y_true)) if weight is None else weight
    _, _, thresholds = apr.roc_convex_hull(y_true, y_score, sample_weight=weight)
    segment = np.searchsorted(-thresholds, -y_score)  # which threshold it reaches first
    total = np.bincount(segment, weight)
    positive = np.bincount(segment, weight * y_true)
    present = weight > 0
    np.testing.assert_allclose(
        fitted[present],
        (positive / np.where(total, total, 1))[segment[present]],
        rtol=1e-12,
    )
    # Neighboring segments differ, so no vertex is superfluous.
    occupied = total > 0
    assert (np.diff(positive[occupied] / total[occupied]) < 0).all()


@every_situation
def test_f1_above_chance_and_f1(name):
    """Never above F1, and 0 where the precision is not above chance."""
    y_true, y_score, weight = SITUATIONS[name]
    y_pred = (y_score >= np.median(y_score)).astype(int)
    score = apr.f1_above_chance_score(y_true, y_pred, sample_weight=weight)
    weight = np.ones(len(y_true)) if weight is None else weight
    weight = weight / weight.max()
    precision = precision_score(y_true, y_pred, sample_weight=weight)
    above = precision - weight[y_true == 1].sum() / weight.sum()
    if abs(above) > 1e-12:  # closer to chance, rounding decides the side
        assert (score > 0) == (above > 0)
    assert score <= f1_score(y_true, y_pred, sample_weight=weight) + 1e-15


# Points in arrays


@pytest.mark.parametrize("metric", POINTS)
def test_results_have_the_shape_of_the_argument(metric):
    y_true, y_score, _ = random_problem(1, 300, n_levels=40)
    function, asked = (
        (apr.precision_at_recall, "recall")
        if "precision_at" in metric
        else (apr.recall_at_precision, "precision")
    )
    curve = "achievable" if metric.startswith("achievable") else "empirical"
    levels = np.linspace(0, 1, 300).reshape(3, 100)
    together = function(y_true, y_score, curve=curve, **{asked: levels})
    assert together.shape == (3, 100)
    for got, level in zip(together.ravel(), levels.ravel(), strict=True):
        alone = function(y_true, y_score, curve=curve, **{asked: level})
        assert type(alone) is float
        assert got == alone
    assert function(y_true, y_score, curve=curve, **{asked: []}).shape == (0,)


# Options


def test_counts_give_the_empirical_and_the_achievable_curve():
    """The same vertices as from labels and scores."""
    y_true, y_score, _ = SITUATIONS["tied"]
    for curve, function in (
        ("empirical", apr.pr_curve_interpolated),
        ("achievable", apr.achievable_pr_curve),
    ):
        points = slow.roc(y_true, y_score.tolist())
        counts = [[int(p.t) for p in points], [int(p.f) for p in points]]
        found = apr.pr_curve_from_counts(*counts, curve=curve, interpolate=False)
        expected = function(y_true, y_score, interpolate=False)
        for one, other in zip(found[:2], expected[:2], strict=True):
            np.testing.assert_array_equal(one, other)


def test_interpolated_points_are_a_mean_positive_weight_apart():
    y_true, y_score, weight = [1, 1, 0, 0], [1, 1, 1, 1], [2.0, 4.0, 1.0, 1.0]
    _, recall, _ = apr.pr_curve_interpolated(y_true, y_score, sample_weight=weight)
    assert recall.tolist() == [1.0, 0.5, 0.0]
