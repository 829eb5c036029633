"""`summary_pr_curve` and `summary_auc_pr`: one curve and one area for several folds."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from cases import each
from closeness import PROMISED, ROUNDING
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning
from slow_twins import area, at_prevalence, hull, normalized_area, roc

import sklearn_achievable_pr as apr

CURVES = ("empirical", "achievable")
NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(4)


def random_fold(rng):
    """Labels, scores and weights; some folds are tied, weighted, perfect or reversed."""
    n_samples = int(rng.integers(2, 50))
    labels = (rng.random(n_samples) < rng.choice([0.05, 0.3, 0.5, 0.9])).astype(int)
    labels[:2] = 0, 1
    kind = rng.integers(8)
    if kind == 0:
        score = labels / 2  # perfect, and as few as two distinct scores
    elif kind == 1:
        score = -labels * rng.random(n_samples)  # reversed
    else:
        score = rng.normal(size=n_samples) + labels * rng.normal(1)
        if kind < 5:
            score = np.round(score * rng.choice([0.5, 2, 8])) + 0.25
    weight = [None, rng.integers(1, 4, n_samples), rng.random(n_samples) + 1e-3][
        rng.integers(3)
    ]
    return labels, score, weight


def random_folds(rng):
    folds = [random_fold(rng) for _ in range(rng.integers(1, 6))]
    labels, scores, weights = map(list, zip(*folds, strict=True))
    options = {
        "sample_weight": weights,
        "fold_weight": rng.random(len(folds)) + 0.01 if rng.random() < 0.5 else None,
        "prevalence": float(rng.uniform(0.01, 0.99)),
        "curve": str(rng.choice(CURVES)),
    }
    return labels, scores, options


def shares(options, n_folds):
    weight = options["fold_weight"]
    weight = np.ones(n_folds) if weight is None else weight
    return weight / weight.sum()


def mean_of(metric, labels, scores, options, **more):
    """The weighted mean of a metric of each fold."""
    each = [
        metric(
            y, s, sample_weight=w, prevalence=options["prevalence"], curve=options["curve"],
            **more,
        )
        for y, s, w in zip(labels, scores, options["sample_weight"], strict=True)
    ]  # fmt: skip
    return shares(options, len(each)) @ np.array(each)


def twin(labels, scores, options, recall):
    """The summary at recalls above 0, from the precisions of the folds."""
    return mean_of(apr.precision_at_recall, labels, scores, options, recall=recall)


# Names of the metrics of the summary: empirical and achievable.
METRICS = {
    apr.auc_pr_interpolated: ("auc_pr_interpolated", "achievable_auc_pr"),
    apr.aucnpr: ("aucnpr", "achievable_aucnpr"),
}


# Properties for any folds


@pytest.mark.parametrize("seed", range(2))
def test_area_is_the_mean_of_the_areas_of_the_folds(seed):
    rng = np.random.default_rng([1, seed])
    for _ in range(60):
        labels, scores, options = random_folds(rng)
        low, high = np.sort(rng.random(2)) if rng.random() < 0.7 else (0.0, 1.0)
        between = {"recall_range": (low, high)}
        of_area = {k: v for k, v in options.items() if k != "curve"}
        for metric, names in METRICS.items():
            name = names[CURVES.index(options["curve"])]
            found = apr.summary_auc_pr(labels, scores, metric=name, **of_area, **between)
            mean = mean_of(metric, labels, scores, options, **between)
            assert found == pytest.approx(mean, rel=1e-13, abs=1e-13)


@pytest.mark.parametrize("seed", range(3))
def test_the_summary_curve_has_this_area_and_is_achievable(seed):
    rng = np.random.default_rng([2, seed])
    for _ in range(40):
        labels, scores, options = random_folds(rng)
        p0 = options["prevalence"]
        precision, recall = apr.summary_pr_curve(labels, scores, **options)
        assert (recall[0], recall[-1]) == (1, 0)
        assert (np.diff(recall) <= 0).all()
        assert precision.max() <= 1
        # Up to rounding, it is above the minimum curve, and false positives do not
        # decrease.
        assert (precision >= apr.precision_min(recall, p0) * (1 - 1e-14)).all()
        rising = slice(None, None, -1)
        p, r = precision[rising][recall[rising] > 0], recall[rising][recall[rising] > 0]
        fpr = r * (1 / p - 1) * p0 / (1 - p0)
        assert (np.diff(fpr) >= -1e-13).all()
        assert fpr[-1] == pytest.approx(1, rel=1e-12)

        # Recalls equal to those of another fold up to rounding lie on one side of its step.
        gap = np.diff(r, prepend=0, append=2)
        first = (gap[:-1] > 1e-12) & ((gap[1:] > 1e-12) | (gap[1:] == 0))
        assert first.sum() > len(first) / 2
        expected = twin(labels, scores, options, r[first])
        np.testing.assert_allclose(p[first], expected, rtol=1e-12)

        ends = np.unique(recall)
        half = np.diff(ends) / 2
        nodes = (ends[:-1] + half)[:, np.newaxis] + half[:, np.newaxis] * NODES
        heights = twin(labels, scores, options, nodes.ravel()).reshape(nodes.shape)
        quadrature = half @ (heights @ NODE_WEIGHTS)
        metric = METRICS[apr.auc_pr_interpolated][CURVES.index(options.pop("curve"))]
        options |= {"metric": metric}
        found = apr.summary_auc_pr(labels, scores, **options)
        assert found == pytest.approx(quadrature, abs=1e-9)


@pytest.mark.parametrize("curve", CURVES)
def test_breakpoints_are_points_of_the_dense_curve(curve):
    rng = np.random.default_rng(4)
    labels, scores, options = random_folds(rng)
    options |= {"curve": curve}
    few = np.column_stack(
        apr.summary_pr_curve(labels, scores, **options, interpolate=False)
    )
    many = np.column_stack(apr.summary_pr_curve(labels, scores, **options))
    assert {tuple(p) for p in few} <= {tuple(p) for p in many}
    assert len(few) < len(many)
    recalls = np.unique(many[:, 1])
    assert np.diff(recalls).max() <= 1 / 500 * (1 + 1e-6)


@pytest.mark.parametrize("interpolate", [True, False])
def test_one_point_at_recall_0_below_leading_negatives(interpolate):
    precision, recall = apr.summary_pr_curve(
        [[0, 1, 0]] * 2, [[3, 2, 1]] * 2, interpolate=interpolate
    )
    assert np.count_nonzero(recall == 0) == 1
    assert precision[-1] == 0


def test_the_precision_of_perfect_folds_is_at_most_1():
    """Nine weights of 1/9 add up to more than 1."""
    precision, _ = apr.summary_pr_curve([[1, 0]] * 9, [[0.9, 0.5]] * 9)
    assert precision.max() == 1


# Against exact arithmetic


@each(curve=CURVES, seed=range(4))
def test_means_of_areas_against_the_twin(curve, seed):
    rng = np.random.default_rng([6, seed])
    labels, scores, options = random_folds(rng)
    del options["curve"]
    options["prevalence"] = [0.5, 0.01, 0.9, 1e-9][seed]
    weight = rng.integers(1, 5, len(labels))
    options["fold_weight"] = weight
    weight = [Fraction(int(w), int(weight.sum())) for w in weight]
    rocs = []
    for fold in zip(labels, scores, options["sample_weight"], strict=True):
        points = hull(roc(*fold)) if curve == "achievable" else roc(*fold)
        rocs.append(at_prevalence(points, options["prevalence"]))
    low, high = (0.0, 1.0) if seed == 0 else (0.125, 0.75)
    options["recall_range"] = low, high
    for names, exact in zip(METRICS.values(), (area, normalized_area), strict=True):
        metric = names[CURVES.index(curve)]
        mean = sum(
            w.numerator * exact(points, low, high) / w.denominator
            for w, points in zip(weight, rocs, strict=True)
        )
        found = apr.summary_auc_pr(labels, scores, metric=metric, **options)
        assert abs(found - float(mean)) <= max(PROMISED * float(mean), ROUNDING)


# Prevalence


def test_the_prevalence_of_none_is_that_of_all_folds_together():
    labels = [[1, 0, 0, 0], [1, 1, 0, 0, 0, 0]]
    scores = [[4, 5, 1, 2], [3, 3, 2, 9, 1, 0]]
    pooled = apr.summary_auc_pr(labels, scores)
    same = apr.summary_auc_pr(labels, scores, prevalence=3 / 10)
    assert pooled == pytest.approx(same, rel=1e-15)
    weighted = apr.summary_auc_pr(labels, scores, sample_weight=[[2, 1, 1, 1], None])
    given = apr.summary_auc_pr(
        labels, scores, sample_weight=[[2, 1, 1, 1], None], prevalence=4 / 11
    )
    assert weighted == pytest.approx(given, rel=1e-15)


def test_folds_without_a_class_count_for_the_prevalence_of_all():
    labels = [[1, 0, 1, 0], [0, 0, 0]]
    scores = [[4, 5, 1, 2], [3, 3, 2]]
    with pytest.warns(UndefinedMetricWarning, match="fold 1"):
        found = apr.summary_auc_pr(labels, scores)
    assert found == apr.auc_pr_interpolated(labels[0], scores[0], prevalence=2 / 7)
    # A fold of weight 0 is omitted.
    found = apr.summary_auc_pr(labels, scores, fold_weight=[1, 0])
    assert found == pytest.approx(apr.auc_pr_interpolated(labels[0], scores[0]), rel=1e-15)


@pytest.mark.parametrize("scale", [1e-50, 1, 1e50])
def test_weights_of_any_size_have_the_same_prevalence(scale):
    labels = [[1, 0, 0, 0], [1, 1, 0, 0, 0, 0]]
    scores = [[4, 5, 1, 2], [3, 3, 2, 9, 1, 0]]
    weights = [[2 * scale, scale, scale, scale], [scale] * 6]
    expected = apr.summary_auc_pr(labels, scores, prevalence=4 / 11, sample_weight=weights)
    found = apr.summary_auc_pr(labels, scores, sample_weight=weights)
    assert found == pytest.approx(expected, rel=1e-14)


def folds_of(counts):
    labels = [[1] * p + [0] * n for p, n in counts]
    return labels, [np.arange(len(fold)) for fold in labels]


def test_prevalences_beyond_chance_warn():
    folds = folds_of([(10, 90), (30, 70), (50, 50)])
    p = stats.chi2_contingency([[10, 90], [30, 70], [50, 50]], correction=False).pvalue
    with pytest.warns(UserWarning, match=r"0\.1 to 0\.5, differ by more than") as caught:
        apr.summary_auc_pr(*folds)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    message = str(caught[0].message)
    assert f"p = {p:.1g}" in message
    assert "that of all folds together is 0.3." in message
    # The message says what to do.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        apr.summary_auc_pr(*folds, prevalence=0.3)
        apr.summary_auc_pr(*folds, fold_weight=[1, 0, 0])


def test_two_folds_of_different_prevalence_warn():
    with pytest.warns(UserWarning, match=r"0\.1 to 0\.5, differ by more than"):
        apr.summary_auc_pr(*folds_of([(10, 90), (50, 50)]))


@pytest.mark.parametrize("scale", [1, 7.5])
def test_weights_count_by_their_effective_sample_size(scale):
    """Equal weights change nothing; heavy ones reduce the effective sample size."""
    folds = folds_of([(10, 90), (30, 70), (50, 50)])
    with pytest.warns(UserWarning, match=r"p = 5e-09"):
        apr.summary_auc_pr(*folds, sample_weight=[[scale] * 100] * 3)
    heavy = [np.r_[100.0, np.ones(98), 100.0]] * 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        apr.summary_auc_pr(*folds, sample_weight=heavy)


def test_prevalences_that_differ_by_one_heavy_sample_do_not_warn():
    """As many samples of equal weights would differ by more than chance allows."""
    heavy = np.array([100.0, *np.ones(99)])
    weights = [heavy, heavy[::-1]]  # of a positive, and of a negative
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        apr.summary_auc_pr(*folds_of([(30, 70), (30, 70)]), sample_weight=weights)


# Missing classes


def test_a_fold_without_a_class_is_omitted_with_its_weight():
    labels = [[1, 0, 1], [0, 0], [1, 1], [0, 1, 0]]
    scores = [[3, 2, 1], [1, 2], [2, 1], [1, 3, 2]]
    options = {"prevalence": 0.3, "fold_weight": [1, 5, 7, 3]}
    with pytest.warns(UndefinedMetricWarning) as caught:
        found = apr.summary_auc_pr(labels, scores, **options)
    assert [str(w.message) for w in caught] == [
        "Folds of `y_true` without both classes are left out, 2 of 4: no positive samples "
        "in fold 1, no negative samples in fold 2."
    ]
    assert {w.filename for w in caught} == {__file__}
    kept = [0, 3]
    expected = apr.summary_auc_pr(
        [labels[k] for k in kept], [scores[k] for k in kept],
        prevalence=0.3, fold_weight=[1, 3],
    )  # fmt: skip
    assert found == expected
    with pytest.warns(UndefinedMetricWarning):
        curve = apr.summary_pr_curve(labels, scores, **options)
    assert np.isfinite(curve).all()


def test_the_warning_of_many_folds_names_the_first_six():
    labels = [[0, 1], *([[0, 0]] * 8)]
    wanted = r"8 of 9: no positive samples in folds 1, 2, 3, 4, 5, 6, \.{3}\.$"
    with pytest.warns(UndefinedMetricWarning, match=wanted):
        apr.summary_auc_pr(labels, [[1, 2]] * 9, prevalence=0.5)


@pytest.mark.parametrize(
    ("labels", "prevalence"),
    [([[0, 0], [1, 1]], None), ([[0, 0], [0, 0]], None), ([[1, 1]], None), ([[1, 1]], 0.5)],
)
def test_no_fold_with_both_classes(labels, prevalence):
    with (
        pytest.warns(UndefinedMetricWarning),
        pytest.raises(
            ValueError, match=r"`y_true` must have a fold with both classes.*Strat"
        ),
    ):
        apr.summary_auc_pr(labels, [[1, 2]] * len(labels), prevalence=prevalence)


# Arguments


Y, S = [[1, 0, 1], [0, 1]], [[3, 2, 1], [1, 2]]


@pytest.mark.parametrize(
    ("labels", "scores", "message"),
    [
        ([1, 0, 1], [1, 2, 3], r"`y_true` must be a sequence with one"),
        (Y, [1, 2], r"`y_score` must be .*array\[test\] for _, test in"),
        ("ab", S, r"`y_true` must be a sequence.*Got 'ab'"),
        (np.array(1), S, "`y_true` must be a sequence with one array"),
    ],
)
def test_arrays_in_place_of_folds_raise(labels, scores, message):
    with pytest.raises(TypeError, match=message):
        apr.summary_auc_pr(labels, scores)


def test_the_curve_has_the_errors_of_the_area():
    with pytest.raises(TypeError, match="`y_true` must be a sequence with one"):
        apr.summary_pr_curve([1, 0, 1], [1, 2, 3])


def test_no_folds_raise():
    with pytest.raises(TypeError, match=r"`y_true` must be a sequence.*Got \[\];"):
        apr.summary_auc_pr([], [])


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (S[:1], {}, r"^`y_true` and `y_score` must .* Got \[2, 1\] f"),
        (
            S, {"sample_weight": S[:1]},
            r"^`y_true`, `y_score` and `sample_weight` must .* fold. Got \[2, 2, 1\] folds",
        ),
        (S, {"fold_weight": [1]}, r"`fold_weight` must have one.*fold, 2"),
    ],
)  # fmt: skip
def test_different_numbers_of_folds_raise(scores, options, message):
    with pytest.raises(ValueError, match=message):
        apr.summary_auc_pr(Y, scores, **options)


@pytest.mark.parametrize(
    ("labels", "scores", "error", "message"),
    [
        (Y, [S[0], [[1], [1, 2]]], ValueError, "Fold 1: `y_score` cannot be converted"),
        (Y, [S[0], [1]], ValueError, r"Fold 1: `y_true` and `y_score` must have"),
        (Y, [["a", "b", "c"], S[1]], TypeError, r"Fold 0: `y_score` must hold real"),
        ([[1, 0, 2], Y[1]], S, ValueError, r"Fold 0: `y_true` must have two classes"),
    ],
)
def test_the_fold_with_bad_data_is_named(labels, scores, error, message):
    with pytest.raises(error, match=message):
        apr.summary_auc_pr(labels, scores)


@pytest.mark.parametrize(
    ("labels", "pos_label", "message"),
    [
        ([["a", "b", "a"], ["a", "b"]], None, r"Fold 0: .*pass pos_label='a'"),
        ([Y[0], [-1, 1]], None, r"`y_true` must have two .* \[-1, 0, 1\]"),
        ([["a", "b", "a"], ["a", "c"]], "a", r"'b', 'c'\]"),
        ([["1", "b", "b"], [1, 2]], "b", r"'b' is not a"),
    ],
)
def test_labels_of_all_folds_together_are_two(labels, pos_label, message):
    with pytest.raises(ValueError, match=message):
        apr.summary_auc_pr(labels, S, pos_label=pos_label)


@pytest.mark.parametrize(
    ("weight", "error", "message"),
    [
        ([1, -1], ValueError, r"`fold_weight` must be fin.*-1"),
        ([0, 0], ValueError, r"`fold_weight` must .* not be zero"),
        ([1, np.nan], ValueError, r"`fold_weight` must be finite"),
        (["a", "b"], TypeError, r"`fold_weight` must hold real"),
    ],
)
def test_bad_weights_of_folds_raise(weight, error, message):
    with pytest.raises(error, match=message):
        apr.summary_auc_pr(Y, S, fold_weight=weight)


def test_weights_of_samples_as_weights_of_folds_raise():
    with pytest.raises(TypeError, match="`sample_weight` must be a sequence"):
        apr.summary_auc_pr(Y, S, sample_weight=[1, 1])


@pytest.mark.parametrize(
    ("prevalence", "error", "message"),
    [
        ("each", TypeError, r"`prevalence` must be a real .*'each'"),
        (1.0, ValueError, r"`prevalence` must be the fraction"),
    ],
)
def test_a_bad_prevalence_raises(prevalence, error, message):
    with pytest.raises(error, match=message):
        apr.summary_auc_pr(Y, S, prevalence=prevalence)


def test_bad_curve_metric_and_range():
    with pytest.raises(ValueError, match="`curve` must be one of"):
        apr.summary_pr_curve(Y, S, curve="both")
    for metric in ("f1", "average_precision"):
        with pytest.raises(
            ValueError, match=r"`metric` must be one of .*'achievable_aucnpr'"
        ):
            apr.summary_auc_pr(Y, S, metric=metric)
    with pytest.raises(ValueError, match="`recall_range` must be a pair"):
        apr.summary_auc_pr(Y, S, recall_range=(0.5, 0.5))


def test_labels_scores_and_containers_of_all_kinds():
    expected = apr.summary_auc_pr(Y, S)
    words = [["sick" if y else "well" for y in fold] for fold in Y]
    assert apr.summary_auc_pr(words, S, pos_label="sick") == expected
    found = apr.summary_auc_pr((np.array(f) for f in Y), tuple(map(np.array, S)))
    assert found == expected
    table = np.array([[1, 0, 1, 0], [0, 1, 0, 0]])
    found = apr.summary_auc_pr(table, table * 2.0)
    assert found == apr.summary_auc_pr(list(table), list(table * 2.0))
    assert type(found) is float
