"""The numbers and theorems of the two papers.

Davis & Goadrich (2006), "The relationship between precision-recall and ROC curves", and
Boyd, Santos Costa, Davis & Page (2012), "Unachievable region in precision-recall space and
its effect on empirical evaluation".
"""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import slow_twins as slow
import strategies
from cases import each
from closeness import assert_exact
from hypothesis import find, given
from hypothesis import strategies as st
from situations import SITUATIONS, UNWEIGHTED, random_problem
from sklearn.metrics import auc, f1_score, roc_curve

import sklearn_achievable_pr as apr


def rows_of(fps, tps, n_neg, n_pos):
    """Labels and scores whose ROC curve has these points, one tie per segment."""
    f, t = [*fps, n_neg], [*tps, n_pos]
    labels, scores = [], []
    before = (0, 0)
    for level, point in enumerate(zip(f, t, strict=True)):
        negatives, positives = point[0] - before[0], point[1] - before[1]
        labels += [0] * negatives + [1] * positives
        scores += [-level] * (negatives + positives)
        before = point
    return labels, scores


# Davis and Goadrich


# tp, fp, recall and precision as printed, of 20 positives and 2000 negatives.
DG_TABLE_1 = [
    (5, 5, 0.25, 0.500),
    (6, 10, 0.30, 0.375),
    (7, 15, 0.35, 0.318),
    (8, 20, 0.40, 0.286),
    (9, 25, 0.45, 0.265),
    (10, 30, 0.50, 0.250),
]


def test_dg_table_1():
    precision, recall, _ = apr.pr_curve_from_counts([5, 10], [5, 30], n_pos=20, n_neg=2000)
    for tp, fp, printed_recall, printed_precision in DG_TABLE_1:
        (at,) = np.flatnonzero(np.abs(recall * 20 - tp) < 1e-9)
        assert recall[at] == pytest.approx(printed_recall, abs=1e-15)
        assert precision[at] == pytest.approx(tp / (tp + fp), abs=1e-15)
        assert round(precision[at], 3) == printed_precision


def test_dg_figure_6():
    """The correct area is near .03, the straight line's .51.

    The .031 that is printed for a point at (.02, 1), 433 positives and 56164 negatives
    comes out for no number of true positives that gives this recall: .02 is 8.66 of 433.
    """
    areas = [
        apr.auc_pr_from_counts([tp], [0], n_pos=433, n_neg=56164) for tp in (8, 8.66, 9)
    ]
    assert np.round(areas, 4).tolist() == [0.0271, 0.0287, 0.0295]
    straight_line = 0.02 + 0.98 * (1 + 433 / 56597) / 2
    assert straight_line > 16 * max(areas)


@pytest.mark.parametrize(("tp", "as_auccalculator_prints"), [(8, 0.0279), (9, 0.0303)])
def test_dg_figure_6_by_method_davis_goadrich(tp, as_auccalculator_prints):
    """Linear interpolation between integer true positives is closer to the printed .031."""
    labels, scores = rows_of([0], [tp], 56164, 433)
    area = apr.auc_pr_interpolated(labels, scores, method="davis_goadrich")
    assert round(area, 4) == as_auccalculator_prints


# Curve I is the only pair of integer vertices that gives both of its printed areas.
DG_FIGURE_7 = {"I": ([0, 84], [9, 13], 0.813, 0.514), "II": ([500], [20], 0.875, 0.038)}


@pytest.mark.parametrize("curve", DG_FIGURE_7)
def test_dg_figure_7(curve):
    fps, tps, auc_roc, auc_pr = DG_FIGURE_7[curve]
    labels, scores = rows_of(fps, tps, 2000, 20)
    fpr, tpr, thresholds = apr.roc_convex_hull(labels, scores)
    assert len(thresholds) == len(set(scores)) + 1, "each curve is a hull already"
    assert round(auc(fpr, tpr), 3) == auc_roc
    area = apr.auc_pr_from_counts(tps, fps, n_pos=20, n_neg=2000)
    assert round(area, 3) == auc_pr
    assert apr.auc_pr_interpolated(labels, scores) == pytest.approx(area, rel=1e-15)
    achievable = apr.auc_pr_interpolated(labels, scores, curve="achievable")
    assert achievable == pytest.approx(area, rel=1e-15)


@each(situation=UNWEIGHTED.values())
def test_dg_theorem_3_1_same_points(situation):
    """The curve in either space is made of the same confusion matrices."""
    fpr, tpr, roc_thresholds = roc_curve(
        situation.y_true, situation.y_score, drop_intermediate=False
    )
    precision, recall, thresholds = apr.pr_curve_interpolated(
        situation.y_true, situation.y_score, interpolate=False
    )
    from_roc, _ = apr.roc_to_pr(fpr, tpr, situation.y_true.mean())
    np.testing.assert_array_equal(thresholds, roc_thresholds[:0:-1])
    np.testing.assert_array_equal(recall, tpr[::-1])
    np.testing.assert_allclose(precision[:-1], from_roc[:0:-1], rtol=1e-14)
    assert np.isnan(from_roc[0]), "the origin of ROC space has no image"


@given(fpr=st.floats(1e-9, 1), tpr=st.floats(1e-3, 1), pi=st.floats(1e-12, 1 - 1e-6))
def test_dg_theorem_3_1_on_random_points(fpr, tpr, pi):
    precision, recall = apr.roc_to_pr(fpr, tpr, pi)
    assert apr.is_achievable(precision, recall, pi)
    back_fpr, back_tpr = apr.pr_to_roc(precision, recall, pi)
    assert back_tpr == tpr
    # A rounding of the precision is one of 1/(1 - precision) in fpr.
    with np.errstate(divide="ignore"):
        slack = 4 * np.finfo(float).eps * (1 + np.float64(1) / (1 - precision))
    assert abs(back_fpr - fpr) <= slack * fpr


@each(pi=[0.01, 0.3, 0.9], recall=[0.05, 0.5, 1.0])
def test_dg_theorem_3_1_minimum_curve_is_the_worst_ranking(pi, recall):
    """On the minimum curve every negative is predicted positive."""
    minimum = apr.precision_min(recall, pi)
    for rounded in (minimum, minimum * (1 - 1e-15)):
        fpr, tpr = apr.pr_to_roc(rounded, recall, pi)
        assert (fpr, tpr) == (pytest.approx(1, abs=1e-14), recall)
        assert apr.is_achievable(rounded, recall, pi)
    for below in (minimum * (1 - 1e-11), minimum / 2, 0.0):
        assert not apr.is_achievable(below, recall, pi)
        with pytest.raises(ValueError, match="`precision` must be achievable"):
            apr.pr_to_roc(below, recall, pi)


def _in_pr_space(a, b, points):
    """Whether curve a has, at many recalls, at least the precision of curve b."""
    return all(slow.precision_at(a, r) >= slow.precision_at(b, r) for r in points)


@st.composite
def two_scores(draw):
    """Labels, and two scores of the same samples: unrelated, or b made worse than a."""
    rows = draw(strategies.rows_of_bytes(12))
    labels = rows % 2
    labels[:2] = 0, 1
    a, b = rows // 2 % 8 + labels, rows // 16 % 8 + labels
    worse = a - (b % 3) * labels
    return labels, a + 0.25, (worse if draw(st.booleans()) else b) + 0.25


@given(rows=two_scores())
def test_dg_theorem_3_2_dominance_is_the_same_in_both_spaces(rows):
    labels, a, b = rows
    roc_a, roc_b = (slow.roc(labels, score) for score in (a, b))
    n_pos = labels.sum()
    # Precision is monotone in f: breakpoints and points next to them show any difference.
    beside = Fraction(1, 10**9)
    recalls = {
        r
        for p in roc_a[1:] + roc_b[1:]
        for r in (p.t / n_pos, p.t / n_pos + beside, p.t / n_pos - beside)
        if 0 < r <= 1
    } | {beside}
    in_pr = _in_pr_space(roc_a, roc_b, recalls)
    in_roc = slow.nowhere_below(roc_a, roc_b)
    assert in_pr == in_roc
    assert apr.dominates(labels, a, b) is in_roc


@pytest.mark.slow
def test_dg_theorem_3_2_both_answers_occur():
    """Among the samples drawn above, some curves dominate and some cross."""
    for a_dominates, b_dominates in [(True, False), (False, True), (False, False)]:
        labels, a, b = find(
            two_scores(),
            lambda rows, wanted=(a_dominates, b_dominates): (
                wanted == (apr.dominates(*rows), apr.dominates(rows[0], rows[2], rows[1]))
            ),
        )
        assert apr.dominates(labels, a, b) is a_dominates


@each(situation=SITUATIONS.values())
def test_dg_dominance_of_itself_and_of_the_worst(situation):
    y_true, y_score, weight = situation
    assert apr.dominates(y_true, y_score, y_score, sample_weight=weight)
    assert apr.dominates(y_true, y_score, -y_true, sample_weight=weight)
    assert apr.dominates(y_true, y_true / 2, y_score, sample_weight=weight)
    if np.isclose(apr.aucnpr(y_true, y_score, sample_weight=weight), 0):
        return
    assert not apr.dominates(y_true, -y_true, y_score, sample_weight=weight)


@given(data=strategies.data_sets(weights=[None]), kept=st.integers(0, 2**24 - 1))
def test_dg_corollary_3_1_the_hull_dominates_every_curve_of_its_points(data, kept):
    """Compare with curves through any subset of the points, in exact fractions."""
    y_true, y_score, _ = data
    points = slow.roc(y_true, y_score)
    precision, _, thresholds = apr.achievable_pr_curve(y_true, y_score, interpolate=False)
    vertices = [p for p in points if p.threshold is None or p.threshold in thresholds]
    assert len(vertices) == len(precision)
    recalls = [Fraction(k, 40) for k in range(1, 41)]
    inner = [p for i, p in enumerate(points[1:-1]) if kept >> i & 1]
    assert _in_pr_space(vertices, [points[0], *inner, points[-1]], recalls)


@given(data=strategies.data_sets(weights=[None]))
def test_dg_corollary_3_1_excludes_exactly_the_points_beneath_the_roc_hull(data):
    y_true, y_score, _ = data
    _, _, in_roc = apr.roc_convex_hull(y_true, y_score)
    _, _, in_pr = apr.achievable_pr_curve(y_true, y_score, interpolate=False)
    np.testing.assert_array_equal(in_pr, in_roc[:0:-1])


# Boyd et al.


def test_boyd_table_1():
    """With 100 positives and 200 negatives: (20, 80) is valid, (60, 240) is not."""
    pi = 100 / 300
    assert apr.is_achievable(20 / (20 + 80), 20 / 100, pi) is True
    assert apr.is_achievable(60 / (60 + 240), 60 / 100, pi) is False
    # "r = 0.5 with p = 0.2 is possible by using all negatives".
    assert apr.is_achievable(0.2, [0.4, 0.5, 0.5 + 1e-12, 0.6], pi).tolist() == [
        True,
        True,
        False,
        False,
    ]
    assert apr.precision_min(0.5, pi) == pytest.approx(0.2, rel=1e-15)


@pytest.mark.parametrize(("n_pos", "n_neg"), [(1, 1), (7, 3), (100, 200), (2, 999)])
def test_boyd_theorem_1(n_pos, n_neg):
    """The minimum precision is the precision with all negatives predicted positive."""
    pi = n_pos / (n_pos + n_neg)
    for tp in range(1, n_pos + 1):
        assert_exact(apr.precision_min(tp / n_pos, pi), Fraction(tp, tp + n_neg), 1e-14)
    fps = np.arange(n_neg + 1)
    for tp in {1, n_pos // 2, n_pos} - {0}:
        assert apr.is_achievable(tp / (tp + fps), tp / n_pos, pi).all()
        beyond = tp / (tp + n_neg * (1 + 1e-12))
        assert not apr.is_achievable(beyond, tp / n_pos, pi)


def test_boyd_theorem_1_up_to_rounding():
    """Sixteen units in the last place below the minimum precision .5 are tolerated."""
    unit = np.finfo(float).eps / 2
    below = 0.5 - np.array([0, 1, 31, 32, 33, 34]) * unit / 2
    expected = [True, True, True, True, False, False]
    assert apr.is_achievable(below, 1.0, 0.5).tolist() == expected


def test_boyd_figures_in_the_text():
    # "changing the skew of a data set from 0.01 to 0.5 increases the minimum by
    # approximately 0.3"; "with pi = 0.1, AUCPRmin is about 0.05"
    assert round(apr.auc_pr_min(0.5) - apr.auc_pr_min(0.01), 1) == 0.3
    assert round(apr.auc_pr_min(0.1), 2) == 0.05


@each(size=[(1, 1), (1, 50), (3, 7), (64, 1), (65, 1), (66, 900), (1000, 20)])
def test_boyd_theorem_3(size):
    n_pos, n_neg = size
    exact = sum(Fraction(i, i + n_neg) for i in range(1, n_pos + 1)) / n_pos
    assert_exact(apr.average_precision_min(n_pos, n_neg), exact, 1e-14)


@each(
    pi=[
        *(1e-300, 1e-12, 1e-8, 1e-6, 1e-4, 0.008, 0.05),
        *(0.1, 0.3, 0.5, 0.7, 0.99, 1 - 1e-9, 1 - 2**-53),
    ],
    recall_range=[(0, 1), (0, 0.5), (0.25, 0.75), (0.5, 1), (0.999, 1)],
)
def test_boyd_corollary_4_and_theorem_2(pi, recall_range):
    """Theorem 2 is the case of all recalls."""
    low, high = recall_range
    with mpmath.workdps(700):
        p, a, b = mpmath.mpf(pi), mpmath.mpf(low), mpmath.mpf(high)
        exact = (b - a) + (1 - p) / p * mpmath.log((p * (a - 1) + 1) / (p * (b - 1) + 1))
    assert_exact(apr.auc_pr_min(pi, recall_range=(low, high)), exact)


def normalized(area, pi):
    lowest = apr.auc_pr_min(pi)
    return (area - lowest) / (1 - lowest)


def rounding_of(pi):
    """Tolerance for AUCNPR computed from a printed AUCPR, against a printed AUCNPR."""
    half_a_digit = 0.0005
    return half_a_digit / (1 - apr.auc_pr_min(pi)) + half_a_digit


def test_boyd_ranges_of_the_imdb_predicates():
    """gender [.31, 1] is that of pi = .5; genre [.02, 1] that of a pi just under .05."""
    assert round(apr.auc_pr_min(0.5), 2) == 0.31
    assert [round(apr.auc_pr_min(pi), 2) for pi in (0.03, 0.049)] == [0.02, 0.02]
    # An area of .4 is below chance for gender and well above it for genre.
    assert normalized(0.4, 0.5) < normalized(0.5, 0.5)
    assert normalized(0.4, 0.5) == pytest.approx(0.134, abs=5e-4)
    assert normalized(0.4, 0.049) == pytest.approx(0.385, abs=5e-4)


# Negatives per positive, AUCPR and AUCNPR down-sampled, and both at the original 1:24.
BOYD_TABLE_3 = [
    (1, 0.851, 0.785, 0.330, 0.316),
    (2, 0.740, 0.680, 0.329, 0.315),
    (3, 0.678, 0.627, 0.343, 0.329),
    (4, 0.701, 0.665, 0.314, 0.299),
    (5, 0.599, 0.560, 0.334, 0.320),
    (10, 0.383, 0.352, 0.258, 0.242),
    (24, 0.363, 0.349, 0.363, 0.349),
]


@each(row=BOYD_TABLE_3)
def test_boyd_table_3(row):
    negatives, area, printed, original_area, original_printed = row
    pi, original_pi = 1 / (1 + negatives), 1 / 25
    assert abs(normalized(area, pi) - printed) <= rounding_of(pi)
    assert abs(normalized(original_area, original_pi) - original_printed) <= rounding_of(
        original_pi
    )


def test_boyd_section_4_3_downsampling_is_undone_by_prevalence():
    """Dropping every other negative does not change the area at the old prevalence."""
    y_true, y_score, _ = random_problem(0, 60, n_levels=6)
    negatives = np.flatnonzero(y_true == 0)
    doubled = np.concatenate((np.arange(60), negatives))
    everyone = y_true[doubled], y_score[doubled]
    for metric in (apr.auc_pr_interpolated, apr.aucnpr):
        at_old_skew = metric(y_true, y_score, prevalence=everyone[0].mean())
        assert at_old_skew == pytest.approx(metric(*everyone), rel=1e-14)
        assert metric(y_true, y_score) > metric(*everyone)


def confusion(tp, fp, n_pos, n_neg):
    """Labels and predictions with this confusion matrix."""
    y_true = np.repeat([1, 0], [n_pos, n_neg])
    y_pred = np.repeat([1, 0, 1, 0], [tp, n_pos - tp, fp, n_neg - fp])
    return y_true, y_pred


def f1_above_chance_exactly(tp, fp, n_pos, n_neg):
    if tp == 0:
        return Fraction(0)
    precision, recall = Fraction(tp, tp + fp), Fraction(tp, n_pos)
    pi = Fraction(n_pos, n_pos + n_neg)
    if precision <= pi:
        return Fraction(0)
    normalized_precision = (precision - pi) / (1 - pi)
    return 2 * recall * normalized_precision / (recall + normalized_precision)


@pytest.mark.parametrize(("n_pos", "n_neg"), [(1, 1), (3, 5), (6, 2), (7, 14)])
def test_boyd_section_4_4_f1_of_every_confusion_matrix(n_pos, n_neg):
    for tp in range(n_pos + 1):
        for fp in range(n_neg + 1):
            got = apr.f1_above_chance_score(*confusion(tp, fp, n_pos, n_neg))
            assert_exact(got, f1_above_chance_exactly(tp, fp, n_pos, n_neg), 1e-14)


@pytest.mark.parametrize(("tp", "fp"), [(5004, 5005), (5003, 5004), (5005, 5005)])
def test_boyd_section_4_4_f1_just_above_chance(tp, fp):
    """tp / 10007 and fp / 10009 agree to 8 digits; their difference must be accurate."""
    got = apr.f1_above_chance_score(*confusion(tp, fp, 10007, 10009))
    assert_exact(got, f1_above_chance_exactly(tp, fp, 10007, 10009))


def test_boyd_section_4_4_points_of_equal_f1():
    """F1 = .45 at pi = .33 three times: unachievable, hardly above chance, useful."""
    pi = 0.33
    recall = np.array([1.0, 2 / 3, 0.3])
    precision = 0.45 * recall / (2 * recall - 0.45)
    np.testing.assert_allclose(2 * precision * recall / (precision + recall), 0.45)
    assert apr.is_achievable(precision, recall, pi).tolist() == [False, True, True]
    # The two achievable ones as counts of 33 positives and 67 negatives.
    barely, useful = confusion(22, 43, 33, 67), confusion(10, 1, 33, 67)
    assert f1_score(*barely) == pytest.approx(0.45, abs=0.005)
    assert f1_score(*useful) == pytest.approx(0.45, abs=0.005)
    assert apr.f1_above_chance_score(*barely) < 0.03
    assert apr.f1_above_chance_score(*useful) > 0.4
