"""`operating_point_interval`: estimates, independently computed limits, errors."""

import numpy as np
import pytest
from scipy.special import rel_entr
from scipy.stats import beta, binomtest, norm
from sklearn.exceptions import UndefinedMetricWarning

import sklearn_achievable_pr as apr

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")

RNG = np.random.default_rng(5)
N = 600
Y = RNG.random(N) < 0.3
UNTIED = RNG.normal(size=N) + 1.2 * Y
SCORES = {"untied": UNTIED, "tied": np.round(UNTIED, 1), "ordinal": np.round(UNTIED)}
WEIGHT = RNG.uniform(0.3, 3, N)
every_score = pytest.mark.parametrize("score", SCORES)
AT_PREVALENCE = [{"recall": 0.5}, {"precision": 0.5}]
every_point = pytest.mark.parametrize("point", [*AT_PREVALENCE, {"fpr": 0.2}], ids=str)
every_point_at_a_prevalence = pytest.mark.parametrize("point", AT_PREVALENCE, ids=str)

every_case = pytest.mark.parametrize(
    ("point", "score", "weight"),
    [
        ({"recall": 0.37}, "tied", None),
        ({"precision": 0.6}, "untied", WEIGHT),
        ({"fpr": 0.07}, "ordinal", None),
        ({"recall": 0.37}, "ordinal", WEIGHT),
    ],
    ids=["tied", "weighted", "ordinal", "ordinal weighted"],
)
FUNCTIONS = {
    "recall": apr.precision_at_recall,
    "precision": apr.recall_at_precision,
    "fpr": apr.recall_at_fpr,
}


@every_case
def test_the_estimate_is_the_public_value(point, score, weight):
    options = {"sample_weight": weight, **point}
    found = apr.operating_point_interval(Y, SCORES[score], **options)
    (kind,) = point
    expected = FUNCTIONS[kind](Y, SCORES[score], **options)
    assert found.estimate == pytest.approx(expected, rel=1e-13)


@every_case
def test_the_interval_contains_the_estimate(point, score, weight):
    found = apr.operating_point_interval(Y, SCORES[score], sample_weight=weight, **point)
    low, high = found.confidence_interval
    assert 0 <= low < found.estimate < high <= 1


def points_of(score, n_between=400):
    """True and false positives at many points of the curve."""
    values = np.unique(score)[::-1]
    counts = [[0, *(np.sum(score[c] >= v) for v in values)] for c in (Y, ~Y)]
    at = np.linspace(0, len(values), n_between * len(values) + 1)
    return [np.interp(at, np.arange(len(values) + 1), c) for c in counts]


def deviance(yes, no, share):
    """Twice the log likelihood ratio of a share of `yes` in `yes` + `no` samples."""
    n = yes + no
    return 2 * (rel_entr(yes, n * share) + rel_entr(no, n * (1 - share)))


def union(held, at, other, z):
    """Extremes of the exact limits of the other share over points that admit `at`.

    `held` and `other` are pairs of arrays, the samples in a share and the other ones.
    """
    rest = z**2 - deviance(*held, at)
    yes, no = (counts[rest >= 0] for counts in other)
    tail = norm.sf(np.sqrt(rest[rest >= 0]))
    low = np.where(yes > 0, beta.ppf(tail, np.maximum(yes, 1e-9), no + 1), 0)
    high = np.where(no > 0, beta.isf(tail, yes + 1, np.maximum(no, 1e-9)), 1)
    return low, high


@pytest.mark.parametrize(
    ("score", "recall"),
    [("untied", 0.1), ("tied", 0.5), ("ordinal", 0.5), ("ordinal", 0.9)],
)
def test_limits_at_a_recall_are_extremes_over_the_points_of_the_curve(score, recall):
    t, f = points_of(SCORES[score])
    n_pos = np.full(len(t), np.sum(Y))
    low, high = union((t, n_pos - t), recall, (n_pos, f), norm.ppf(0.95))
    expected = [recall * x / (recall * x + 1 - x) for x in (low.min(), high.max())]
    found = apr.operating_point_interval(
        Y, SCORES[score], recall=recall, confidence_level=0.9
    ).confidence_interval
    np.testing.assert_allclose(found, expected, atol=0.01 * np.ptp(expected))


@pytest.mark.parametrize(
    ("score", "fpr"), [("untied", 0.01), ("tied", 0.2), ("ordinal", 0.2), ("untied", 0.7)]
)
def test_limits_at_a_false_positive_rate_are_extremes_over_the_points(score, fpr):
    t, f = points_of(SCORES[score])
    low, high = union((f, np.sum(~Y) - f), fpr, (t, np.sum(Y) - t), norm.ppf(0.975))
    expected = low.min(), high.max()
    found = apr.operating_point_interval(Y, SCORES[score], fpr=fpr).confidence_interval
    np.testing.assert_allclose(found, expected, atol=0.01 * np.ptp(expected))


@pytest.mark.parametrize(
    ("score", "precision"),
    [("untied", 0.5), ("tied", 0.6), ("ordinal", 0.6), ("ordinal", 0.7)],
)
def test_limits_at_a_precision_are_extremes_over_the_points(score, precision):
    t, f = points_of(SCORES[score])
    low, high = union((t, f), precision, (t + f, np.sum(Y) - t), norm.ppf(0.975))
    highest = precision * high.max() / (precision * high.max() + 1 - high.max())
    found = apr.operating_point_interval(Y, SCORES[score], precision=precision)
    assert found.confidence_interval.high == pytest.approx(highest, abs=2e-3)
    # The lower limit is that of a point or, without a gap between them, 0.
    lows = precision * low / (precision * low + 1 - low)
    assert np.abs(np.append(lows, 0) - found.confidence_interval.low).min() < 2e-3


@pytest.mark.parametrize("n_positive", [3, 10])
def test_a_perfect_ranking_has_the_exact_limit_of_its_positives_at_an_fpr(n_positive):
    """All points near the FPR have all positives."""
    y = np.arange(500) < n_positive
    found = apr.operating_point_interval(y, -np.arange(500.0), fpr=0.2)
    assert found.estimate == found.confidence_interval.high == 1
    exact = binomtest(n_positive, n_positive).proportion_ci().low
    assert found.confidence_interval.low == pytest.approx(exact)


def test_the_number_of_negatives_that_the_error_names_would_do():
    y, score = np.arange(120) < 20, RNG.normal(size=120) - np.arange(120)
    with pytest.raises(ValueError, match="at least 112 negatives"):
        apr.operating_point_interval(y, score, fpr=0.009)
    y, score = np.arange(132) < 20, RNG.normal(size=132) - np.arange(132)
    assert apr.operating_point_interval(y, score, fpr=0.009).estimate > 0


@every_score
def test_weights_of_a_class_do_not_change_the_recall_at_a_false_positive_rate(score):
    """No warning either: the prevalence has no effect."""
    found, same = (
        apr.operating_point_interval(Y, SCORES[score], fpr=0.1, sample_weight=weight)
        for weight in (np.ones(N), np.where(Y, 2.0, 50.0))
    )
    assert same.estimate == pytest.approx(found.estimate, rel=1e-12)
    np.testing.assert_allclose(same.confidence_interval, found.confidence_interval)


@pytest.mark.parametrize(
    ("design", "point"),
    [
        ({"sample_weight": np.full(N, 3.0)}, {"recall": 0.5}),
        ({"sample_weight": np.full(N, 3.0)}, {"fpr": 0.2}),
        ({"groups": RNG.permutation(N)}, {"recall": 0.5}),
        ({"groups": RNG.permutation(N)}, {"precision": 0.5}),
    ],
    ids=["weights recall", "weights fpr", "clusters recall", "clusters precision"],
)
def test_equal_weights_and_clusters_of_one_sample_are_none(design, point):
    alone = apr.operating_point_interval(Y, UNTIED, **point)
    found = apr.operating_point_interval(Y, UNTIED, **point, **design)
    np.testing.assert_allclose(found.confidence_interval, alone.confidence_interval)


@every_score
def test_unequal_weights_widen_the_limits_at_a_false_positive_rate(score):
    weight = np.random.default_rng(0).exponential(size=N)
    both = [
        apr.operating_point_interval(Y, SCORES[score], fpr=0.2, sample_weight=w)
        for w in (weight, None)
    ]
    width, of_equal = (np.ptp(found.confidence_interval) for found in both)
    assert width > 1.2 * of_equal


@pytest.mark.parametrize("seed", [6, 7, 10])
def test_the_lower_limit_at_a_precision_is_that_of_the_last_crossing(seed):
    """The curve rises to a precision of 0.77 at recall 0.8, then falls."""
    rng = np.random.default_rng(seed)
    y = rng.random(N) < 0.5
    score = np.where(y, 1 + 0.4 * rng.normal(size=N), rng.normal(size=N))
    low, high = apr.operating_point_interval(y, score, precision=0.6).confidence_interval
    # The precision of the first positives is 0.6 only at small recalls.
    assert 0.8 < low < high


def test_small_recalls_of_a_nearly_highest_precision_are_possible():
    rng = np.random.default_rng(6)
    y = rng.random(N) < 0.5
    score = np.where(y, 1 + 0.4 * rng.normal(size=N), rng.normal(size=N))
    found = apr.operating_point_interval(y, score, precision=0.8)
    assert found.confidence_interval.low == 0


def test_a_precision_just_below_the_prevalence_leaves_other_recalls_possible():
    """The prevalence of the samples, 0.3, may be below 0.29 in the population."""
    y = np.arange(200) % 10 < 3
    found = apr.operating_point_interval(y, RNG.permutation(200) / 200, precision=0.29)
    assert (found.estimate, found.confidence_interval.high) == (1, 1)
    assert found.confidence_interval.low < 0.5


def test_every_recall_of_a_precision_below_the_prevalence_is_1():
    found = apr.operating_point_interval(Y, UNTIED, precision=0.2)
    assert (found.estimate, *found.confidence_interval) == (1, 1, 1)


@pytest.mark.parametrize(
    ("side", "point"),
    [("less", {"recall": 0.5}), ("greater", {"recall": 0.5}), ("less", {"precision": 0.5})],
    ids=str,
)
def test_a_one_sided_limit_is_that_of_two_sides_at_twice_the_tail(side, point):
    one = apr.operating_point_interval(Y, UNTIED, alternative=side, **point)
    two = apr.operating_point_interval(Y, UNTIED, confidence_level=0.9, **point)
    expected = {
        "less": (0.0, two.confidence_interval.high),
        "greater": (two.confidence_interval.low, 1.0),
    }
    assert one.confidence_interval == pytest.approx(expected[side], rel=1e-9)


@every_point
def test_copies_of_samples_in_one_cluster_count_once(point):
    twice = [np.repeat(values, 2) for values in (Y, UNTIED, np.arange(N))]
    copies = apr.operating_point_interval(*twice[:2], groups=twice[2], **point)
    alone = apr.operating_point_interval(Y, UNTIED, **point)
    width, expected = (np.diff(r.confidence_interval)[0] for r in (copies, alone))
    assert width == pytest.approx(expected, rel=0.06)


@pytest.mark.parametrize(
    ("point", "expected"),
    [
        ({"recall": 0.9}, (0.5, 2.7)),
        ({"precision": 0.7}, (0.5, 3)),
        ({"fpr": 0.5}, (0.3, 4.5)),
    ],
    ids=str,
)
def test_threshold_and_number_predicted_positive(point, expected):
    y, score = [1, 1, 1, 0, 0, 0], [0.9, 0.7, 0.5, 0.4, 0.3, 0.1]
    found = apr.operating_point_interval(y, score, **point)
    assert (found.threshold, found.n_predicted) == pytest.approx(expected)


def test_a_precision_that_is_not_reached():
    found = apr.operating_point_interval([0, 1, 0, 1], [4, 3, 2, 1], precision=0.9)
    assert (found.estimate, found.threshold, found.n_predicted) == (0.0, np.inf, 0.0)
    assert found.confidence_interval.low == 0


def test_results_describe_the_metric_and_the_samples():
    found = apr.operating_point_interval(Y, UNTIED, recall=0.5, groups=np.arange(N) // 2)
    assert (found.metric, found.method) == ("precision", "union")
    assert (found.at_kind, found.at) == ("recall", 0.5)
    assert (found.n_samples, found.n_positive, found.n_clusters) == (N, Y.sum(), N // 2)


@pytest.mark.parametrize(
    ("point", "score", "weight"),
    [
        ({"recall": 0.5}, "tied", None),
        ({"recall": 0.5}, "untied", WEIGHT),
        ({"precision": 0.5}, "ordinal", None),
        ({"precision": 0.5}, "untied", WEIGHT),
    ],
    ids=["tied", "weighted", "precision", "precision weighted"],
)
def test_a_prevalence_is_the_same_as_weights(point, weight, score):
    score, own = SCORES[score], 1.0 if weight is None else weight
    odds = np.sum((own * Y)[Y]) / np.sum((own * ~Y)[~Y])
    both = own * np.where(Y, 1.0, 9 * odds)
    found = apr.operating_point_interval(
        Y, score, prevalence=0.1, sample_weight=weight, **point
    )
    same = apr.operating_point_interval(Y, score, sample_weight=both, **point)
    assert found.estimate == pytest.approx(same.estimate, rel=1e-9)
    assert found.n_predicted == pytest.approx(same.n_predicted, rel=1e-9)
    assert found.threshold == same.threshold
    np.testing.assert_allclose(
        found.confidence_interval, same.confidence_interval, rtol=1e-7
    )


def test_limits_at_an_extreme_prevalence_are_finite():
    with pytest.warns(apr.CoverageWarning, match="each negative weighs as much as"):
        found = apr.operating_point_interval(Y, UNTIED, recall=0.5, prevalence=1e-120)
    assert np.isfinite(found.confidence_interval).all()


# By weights the samples have this prevalence, too.
HEAVY = {
    "prevalence": 0.04,
    "sample_weight": np.where(Y, 1.0, 0.96 / 0.04 * Y.sum() / (~Y).sum()),
}


@every_point_at_a_prevalence
@pytest.mark.parametrize("name", HEAVY)
def test_heavy_negatives_give_a_warning(name, point):
    with pytest.warns(
        apr.CoverageWarning,
        match=f"`{name}`.* weighs as much as 11 positives. .* are too high. C",
    ):
        apr.operating_point_interval(Y, UNTIED, **{name: HEAVY[name]}, **point)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "exactly one of `recall`, `precision`, `fpr`. Got none"),
        ({"precision": 0.3, "recall": 0.5}, "Got recall, precision"),
        (
            {"fpr": 0.001},
            r"`fpr`=0.001 of \d+ negatives is less than one .* at least 1000 negatives",
        ),
        (
            {"fpr": 0.1, "prevalence": 0.1},
            "`prevalence` needs `recall` or `precision`: .* Got `fpr`",
        ),
    ],
)
def test_errors_name_the_argument(options, message):
    with pytest.raises(ValueError, match=message):
        apr.operating_point_interval(Y, UNTIED, **options)


@pytest.mark.parametrize("kind", ["recall", "precision", "fpr"])
def test_an_operating_point_is_inside_0_and_1(kind):
    with pytest.raises(ValueError, match=rf"`{kind}` must be inside \(0, 1\)"):
        apr.operating_point_interval(Y, UNTIED, **{kind: 1})


def test_an_operating_point_is_one_number():
    with pytest.raises(TypeError, match="`recall` must be a real number"):
        apr.operating_point_interval(Y, UNTIED, recall=[0.1, 0.2])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence_level": 95}, "`confidence_level` must"),
        (
            {"confidence_level": 0.5, "alternative": "less"},
            "`confidence_level` must be above 0.5 for a one-sided interval",
        ),
        ({"prevalence": 1.0}, "`prevalence` must be"),
        ({"groups": [1]}, "`groups`"),
    ],
)
def test_errors_of_options_name_the_argument(options, message):
    with pytest.raises(ValueError, match=message):
        apr.operating_point_interval(Y, UNTIED, recall=0.5, **options)


@every_point
def test_a_missing_class_gives_nan(point):
    with pytest.warns(UndefinedMetricWarning, match="No positive samples"):
        found = apr.operating_point_interval(np.zeros(N), UNTIED, **point)
    assert np.isnan([found.estimate, *found.confidence_interval, found.n_predicted]).all()


@every_point
def test_positives_of_one_cluster_give_the_widest_interval(point):
    groups = np.where(Y, 0, np.arange(N))
    with pytest.warns(UndefinedMetricWarning, match="spread between samples is unknown"):
        found = apr.operating_point_interval(Y, UNTIED, groups=groups, **point)
    assert found.confidence_interval == (0.0, 1.0)


def test_a_recall_of_1_has_limits_with_weights():
    found = apr.operating_point_interval(Y, UNTIED, precision=0.3, sample_weight=WEIGHT)
    assert found.estimate == found.confidence_interval.high == 1
    assert 0.9 < found.confidence_interval.low < 1


def test_weights_where_every_sample_above_the_cut_is_positive():
    y, weight = np.arange(100) < 40, np.linspace(1, 2, 100)
    with np.errstate(all="raise"):
        found = apr.operating_point_interval(
            y, -np.arange(100.0), recall=0.5, sample_weight=weight
        )
    assert found.estimate == found.confidence_interval.high == 1.0
    assert 0.6 < found.confidence_interval.low < 1


def test_a_recall_with_few_positives_on_one_side_warns_as_in_comparisons():
    y_true = np.arange(300) < 30
    score = np.random.default_rng(0).normal(size=300) + y_true
    text = "only 0.9 of 30 positives are on one side"
    with pytest.warns(apr.CoverageWarning, match=text):
        apr.operating_point_interval(y_true, score, recall=0.97)


# Scores that look wrong


@every_point
def test_a_reversed_score_warns_once(point):
    with pytest.warns(UserWarning, match="^The scores rank negatives above") as caught:
        apr.operating_point_interval(Y, -np.round(UNTIED, 1), **point)
    assert len([w for w in caught if w.category is UserWarning]) == 1


def test_a_constant_score_warns_once():
    with pytest.warns(UserWarning, match="^All samples have one score") as caught:
        apr.operating_point_interval(Y, np.full(N, 0.2), recall=0.5)
    assert len([w for w in caught if w.category is UserWarning]) == 1
