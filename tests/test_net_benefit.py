"""Net benefit in a `threshold_table`: published values, limits by other routes, drawing."""

import numpy as np
import pytest
from scipy.stats import binomtest, t
from sklearn.exceptions import UndefinedMetricWarning
from slow_twins import error_and_df

from sklearn_achievable_pr import threshold_table

RNG = np.random.default_rng(11)
N = 300
Y = RNG.random(N) < 0.3
PROBABILITY = 1 / (1 + np.exp(1.5 - 1.5 * Y - RNG.normal(size=N)))
WEIGHT = RNG.uniform(0.3, 3, N)
GROUPS = np.arange(N) // 3
THRESHOLDS = [0.2, 0.35, 0.6]
# Other rates of the table may be undefined.
pytestmark = pytest.mark.filterwarnings("ignore:No sample is predicted")
NAMES = ("net_benefit", "net_benefit_low", "net_benefit_high", "net_benefit_all")
DESIGNS = {
    "independent": {},
    "weighted": {"sample_weight": WEIGHT},
    "clusters": {"groups": GROUPS},
    "weighted clusters": {"groups": GROUPS, "sample_weight": WEIGHT},
}
every_design = pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
every_kind = pytest.mark.parametrize(
    ("design", "prevalence"),
    [("independent", None), ("independent", 0.1), ("weighted", 0.1), ("clusters", None)],
)
every_prevalence = pytest.mark.parametrize("prevalence", [None, 0.1])


def table_of(y_true=Y, y_score=PROBABILITY, thresholds=0.35, **options):
    return threshold_table(
        y_true, y_score, thresholds=thresholds, net_benefit=True, **options
    )


def first_row(*data, **options):
    """Net benefit, its limits, and that of everybody in the first row of a table."""
    table = table_of(*data, **options)
    return tuple(getattr(table, name)[0] for name in NAMES)


def by_definition(y_true, predicted, threshold, weight, prevalence=None):
    """Net benefit as a mean over samples, which are reweighted to the prevalence."""
    weight = np.array(weight, dtype=float)
    if prevalence is not None:
        for is_class, share in ((y_true, prevalence), (~y_true, 1 - prevalence)):
            weight[is_class] *= share / weight[is_class].sum()
    worth = np.where(y_true, 1.0, -threshold / (1 - threshold))
    return np.average(worth * predicted, weights=weight)


# Published by the R package dcurves for its data `df_binary`, which have 750 samples. The
# values of the marker are without the harm of its measurement, 0.0333 at every threshold.
FAMILY_HISTORY = {
    0.05: 0.025614035087719297,
    0.1: 0.018518518518518517,
    0.2: 0.0016666666666666635,
    0.35: -0.033333333333333354,
    0.6: -0.15,
}
EVERYBODY = {
    0.05: 0.09473684210526317,
    0.1: 0.04444444444444445,
    0.2: -0.07499999999999998,
    0.35: -0.32307692307692315,
    0.6: -1.15,
}
# Threshold: true positives, false positives, net benefit minus harm.
MARKER = {
    0.05: (105, 645, 0.06143684210526317),
    0.1: (78, 281, 0.02907037037037038),
    0.15: (59, 136, 0.013366666666666673),
    0.2: (41, 77, -0.004300000000000002),
    0.25: (29, 51, -0.017299999999999996),
    0.3: (23, 31, -0.020347619047619052),
    0.35: (18, 24, -0.02653076923076923),
}


def with_counts(rows):
    """Labels and scores with these true and false positives at increasing thresholds."""
    y_true, y_score, above = [], [], (0, 0)
    for threshold, *counts in reversed(rows):
        for label, n, n_above in zip((1, 0), counts, above, strict=True):
            y_true += [label] * (n - n_above)
            y_score += [threshold] * (n - n_above)
        above = counts
    return y_true, y_score


def test_net_benefit_of_a_risk_factor_that_dcurves_publishes():
    data = with_counts([(0.0, 105, 645), (0.9, 24, 91)])
    table = table_of(*data, thresholds=[*FAMILY_HISTORY])
    np.testing.assert_allclose(table.net_benefit, [*FAMILY_HISTORY.values()], rtol=1e-9)
    np.testing.assert_allclose(table.net_benefit_all, [*EVERYBODY.values()], rtol=1e-9)


def test_net_benefit_of_a_marker_that_dcurves_publishes():
    data = with_counts([(threshold, *row[:2]) for threshold, row in MARKER.items()])
    table = table_of(*data, thresholds=[*MARKER])
    published = [row[2] + 0.0333 for row in MARKER.values()]
    np.testing.assert_allclose(table.net_benefit, published, rtol=1e-9)


@every_kind
def test_net_benefit_is_the_mean_worth_of_the_decisions(design, prevalence):
    weight = DESIGNS[design].get("sample_weight", np.ones(N))
    options = {"prevalence": prevalence, **DESIGNS[design]}
    table = table_of(thresholds=THRESHOLDS, **options)
    for found, is_predicted in (
        (table.net_benefit, lambda threshold: threshold <= PROBABILITY),
        (table.net_benefit_all, lambda threshold: True),
    ):
        expected = [
            by_definition(Y, is_predicted(threshold), threshold, weight, prevalence)
            for threshold in THRESHOLDS
        ]
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_net_benefit_of_scores_in_float32_has_the_digits_of_float64():
    score = PROBABILITY.astype(np.float32)
    threshold = np.float32(0.35)
    expected = by_definition(Y, score >= threshold, float(threshold), np.ones(N))
    assert first_row(Y, score)[0] == pytest.approx(expected, rel=1e-12)


@every_kind
def test_below_all_scores_net_benefit_is_that_of_everybody(design, prevalence):
    found = first_row(
        thresholds=PROBABILITY.min(), prevalence=prevalence, **DESIGNS[design]
    )
    assert found[0] == pytest.approx(found[3], rel=1e-12)


@every_design
def test_net_benefit_at_a_threshold_near_0_is_the_prevalence(design):
    weight = design.get("sample_weight")
    value, *_ = first_row(thresholds=1e-12, **design)
    assert value == pytest.approx(np.average(Y, weights=weight), rel=1e-9)


@every_kind
def test_nobody_predicted_positive_has_no_net_benefit(design, prevalence):
    value, low, high, _ = first_row(
        thresholds=0.99, prevalence=prevalence, **DESIGNS[design]
    )
    assert value == 0
    assert low < 0 < high


@every_kind
def test_limits_enclose_the_net_benefit(design, prevalence):
    table = table_of(thresholds=THRESHOLDS, prevalence=prevalence, **DESIGNS[design])
    assert (table.net_benefit_low < table.net_benefit).all()
    assert (table.net_benefit < table.net_benefit_high).all()


def mover(a, b, r):
    """Limits of a - b; a and b are (value, low, high)."""
    ends = []
    for side, other in ((1, 2), (2, 1)):
        of_a, of_b = abs(a[side] - a[0]), abs(b[other] - b[0])
        distance = np.sqrt(of_a**2 + of_b**2 - 2 * r * of_a * of_b)
        ends.append(a[0] - b[0] + np.sign(a[side] - a[0]) * distance)
    return ends


def exact(count, n, scale=1.0, confidence_level=0.9):
    interval = binomtest(int(count), int(n)).proportion_ci(confidence_level)
    return scale * np.array([count / n, interval.low, interval.high])


ABOVE = PROBABILITY >= 0.35
ODDS = 0.35 / 0.65
TP, FP = np.sum(ABOVE & Y), np.sum(ABOVE & ~Y)


def test_limits_of_independent_samples_are_those_of_two_cells_of_a_multinomial():
    a, b = TP / N, FP / N
    r = -np.sqrt(a * b / ((1 - a) * (1 - b)))
    expected = mover(exact(TP, N), exact(FP, N, ODDS), r)
    np.testing.assert_allclose(first_row(confidence_level=0.9)[1:3], expected, rtol=1e-9)


def test_limits_at_a_reference_prevalence_are_those_of_two_independent_rates():
    recall, fpr = exact(TP, Y.sum(), 0.1), exact(FP, (~Y).sum(), 0.9 * ODDS)
    found = first_row(confidence_level=0.9, prevalence=0.1)[1:3]
    np.testing.assert_allclose(found, mover(recall, fpr, 0.0), rtol=1e-9)


def t_limits(prevalence, groups, weight):
    """Limits from the change of the net benefit with the weight of each sample."""
    change, step = np.zeros(N), 1e-5
    for i in range(N):
        for sign in (1, -1):
            moved = np.array(weight)
            moved[i] *= 1 + sign * step
            value = by_definition(Y, ABOVE, 0.35, moved, prevalence)
            change[i] += sign * value / (2 * step)
    units = np.array([np.bincount(groups, weights=weight * c) for c in (Y, ~Y)])
    totals, squares = units.sum(axis=1), (units**2).sum(axis=1)
    if len(units[0]) == N:
        share = np.where(Y, *(squares / totals**2))
    else:
        share = np.max(units / totals[:, np.newaxis], axis=0)
    n_smaller = np.min(totals**2 / squares)
    error, df = error_and_df(np.bincount(groups, weights=change), share, n_smaller)
    value = by_definition(Y, ABOVE, 0.35, weight, prevalence)
    return value + error * t.ppf([0.025, 0.975], df)


@pytest.mark.parametrize(
    ("design", "prevalence"),
    [("weighted", None), ("weighted", 0.1), ("clusters", 0.1), ("weighted clusters", None)],
)
def test_limits_with_weights_or_clusters_follow_from_differences(design, prevalence):
    options = DESIGNS[design]
    groups = options.get("groups", np.arange(N))
    weight = options.get("sample_weight", np.ones(N))
    found = first_row(prevalence=prevalence, **options)[1:3]
    expected = t_limits(prevalence, groups, weight)
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_copies_of_samples_in_one_cluster_count_once():
    twice = [np.repeat(values, 2) for values in (Y, PROBABILITY, np.arange(N))]
    copies = np.diff(first_row(*twice[:2], groups=twice[2])[1:3])
    assert copies == pytest.approx(np.diff(first_row()[1:3]), rel=0.06)


def test_limits_of_few_clusters_are_values_that_net_benefit_can_have():
    y_true = [1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0]
    y_score = [0.9, 0.8, 0.7, 0.1, 0.8, 0.1, 0.1, 0.2, 0.9, 0.2, 0.6, 0.8]
    thresholds = np.array([0.2, 0.5])
    table = table_of(y_true, y_score, thresholds, groups=np.repeat(np.arange(6), 2))
    # Net benefit is lowest if all samples are false positives.
    assert (table.net_benefit_low >= -thresholds / (1 - thresholds)).all()
    assert (table.net_benefit_high <= 1).all()


@pytest.mark.filterwarnings("ignore:.*The scores rank negatives")
def test_without_positives_above_the_upper_limit_is_that_of_the_recall():
    y_score = np.where(Y, 0.1, PROBABILITY)
    table = table_of(Y, y_score, sample_weight=WEIGHT)
    share = np.average(Y, weights=WEIGHT)
    high = share * table.recall_high[0]
    fp = np.average(ABOVE & ~Y, weights=WEIGHT)
    assert table.net_benefit[0] == pytest.approx(-fp * ODDS)
    assert table.net_benefit_high[0] > high - fp * ODDS


@every_prevalence
def test_positives_of_one_cluster_give_the_widest_interval(prevalence):
    groups = np.where(Y, 0, np.arange(N))
    with pytest.warns(UndefinedMetricWarning, match="spread between samples is unknown"):
        value, low, high, _ = first_row(groups=groups, prevalence=prevalence)
    if prevalence is not None:  # nothing is known of the recall
        assert high > prevalence - np.sum(ABOVE & ~Y) / np.sum(~Y) * (1 - prevalence) * ODDS
    assert low < value < high


@every_design
def test_net_benefit_without_positives_is_the_loss_by_false_positives(design):
    weight = design.get("sample_weight", np.ones(N))
    with pytest.warns(UndefinedMetricWarning, match="No positive .* the recall is"):
        value, low, high, everybody = first_row(np.zeros(N), PROBABILITY, **design)
    assert value == pytest.approx(-np.average(ABOVE, weights=weight) * ODDS)
    assert everybody == pytest.approx(-ODDS)
    assert -ODDS <= low < value < high < 0


@every_design
def test_net_benefit_without_negatives_is_the_share_of_true_positives(design):
    weight = design.get("sample_weight", np.ones(N))
    with pytest.warns(UndefinedMetricWarning, match="No negative .* the specificity is"):
        value, low, high, everybody = first_row(np.ones(N), PROBABILITY, **design)
    assert value == pytest.approx(np.average(ABOVE, weights=weight))
    assert everybody == 1
    assert 0 < low < value < high <= 1


@pytest.mark.parametrize("label", [0, 1])
def test_net_benefit_of_one_class_is_undefined_at_a_reference_prevalence(label):
    with pytest.warns(UndefinedMetricWarning, match="the F1 and the selection rate are"):
        found = first_row(np.full(N, label), PROBABILITY, prevalence=0.1)
    assert np.isnan(found).all()


@every_kind
def test_net_benefit_at_threshold_0_is_the_share_of_positives(design, prevalence):
    value, low, high, everybody = first_row(
        thresholds=0, prevalence=prevalence, **DESIGNS[design]
    )
    share = np.average(Y, weights=DESIGNS[design].get("sample_weight"))
    expected = share if prevalence is None else prevalence
    assert (value, everybody) == pytest.approx((expected, expected))
    assert low < value
    assert high >= value


def test_a_table_has_net_benefit_only_if_asked_for():
    table = threshold_table(Y, PROBABILITY, thresholds=0.35)
    assert [getattr(table, name) for name in NAMES] == [None] * 4
    assert not set(NAMES) & set(table.to_frame())
    assert "net benefit" not in str(table)


def test_other_rates_do_not_change_with_net_benefit():
    without = threshold_table(Y, PROBABILITY, thresholds=0.35).to_dict()
    found = table_of().to_dict()
    assert {k: v for k, v in found.items() if k not in NAMES} == {
        k: v for k, v in without.items() if k not in NAMES
    }


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 5}, "`net_benefit` needs `thresholds`"),
        ({"thresholds": [0.5, -0.1]}, r"and below 1. Got -0.1\."),
        ({"thresholds": 1.0}, r"in \[0, 1\), .* Got 1\."),
        ({}, "exactly one of `thresholds`, `k`"),
    ],
)
def test_errors_name_the_argument(options, message):
    with pytest.raises(ValueError, match=message):
        threshold_table(Y, PROBABILITY, net_benefit=True, **options)


def test_net_benefit_is_a_flag():
    with pytest.raises(TypeError, match="`net_benefit` must"):
        threshold_table(Y, PROBABILITY, thresholds=0.5, net_benefit=1)


@pytest.mark.parametrize("y_score", [PROBABILITY - 0.5, 3 * PROBABILITY])
def test_scores_that_are_no_probabilities_raise(y_score):
    with pytest.raises(ValueError, match=r"`y_score` must be inside \[0, 1\]"):
        table_of(Y, y_score)


def test_a_threshold_that_rounds_to_1_raises():
    with pytest.raises(ValueError, match=r"`thresholds` must be in \[0, 1\)"):
        table_of(Y, PROBABILITY.astype(np.float32), thresholds=1 - 1e-12)


# The table and its drawing


def test_the_frame_has_net_benefit_as_numbers_and_text():
    frame = table_of(thresholds=THRESHOLDS).to_frame()
    place = frame.columns.get_loc("net_benefit")
    columns = [*NAMES[:3], "net_benefit (interval)", NAMES[3]]
    assert frame.columns[place : place + 5].tolist() == columns


def test_the_print_has_net_benefit_with_limits_and_that_of_everybody():
    value, low, high, of_all = first_row()
    printed = str(table_of())
    assert "net benefit, treat all" in printed
    assert f"  {value:.2f} ({low:.2f}, {high:.2f})  {of_all:.2f}\n" in printed


def test_the_print_names_the_prevalence_of_net_benefit():
    printed = " ".join(str(table_of(prevalence=0.1)).split())
    assert "F1, selection rate and net benefit at prevalence 0.1" in printed


MANY = np.linspace(0.05, 0.8, 16)
OTHER = np.clip(PROBABILITY + 0.1 * RNG.normal(size=N), 0, 1)


def test_a_decision_curve_has_the_values_of_the_table_in_increasing_order():
    table = table_of(thresholds=MANY[::-1])
    curve, everybody, nobody = table.plot().lines
    for line, values in (
        (curve, table.net_benefit[::-1]),
        (everybody, table.net_benefit_all[::-1]),
        (nobody, np.zeros(len(MANY))),
    ):
        np.testing.assert_array_equal(line.get_xydata().T, [MANY, values])


def test_the_band_of_a_decision_curve_is_that_of_the_limits():
    table = table_of(thresholds=MANY)
    (band,) = table.plot().collections
    drawn = set(band.get_paths()[0].vertices[:, 1])
    assert {*table.net_benefit_low, *table.net_benefit_high} == drawn


def test_two_models_on_the_same_axes_share_the_lines_without_a_model():
    ax = table_of(thresholds=MANY).plot(name="A")
    other = table_of(Y, OTHER, thresholds=MANY, confidence_level=0.9)
    assert other.plot(ax, name="B") is ax
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "A (band: 95 % CI)",
        "B (band: 90 % CI)",
        "Predict everybody positive",
        "Predict nobody positive",
    ]
    first, second = (ax.lines[i] for i in (0, 3))
    assert first.get_color() != second.get_color()
    assert first.get_linestyle() != second.get_linestyle()


def test_the_axes_show_the_curve_and_not_all_of_everybody():
    table = table_of(thresholds=MANY)
    low, high = table.plot().get_ylim()
    assert table.net_benefit_all.min() < low < 0
    assert max(table.net_benefit_high) < high


def test_the_axes_name_the_reference_prevalence():
    ax = table_of(thresholds=MANY, prevalence=0.1).plot()
    assert ax.get_ylabel() == "Net benefit at prevalence 0.1"
    assert ax.get_xlabel() == "Threshold probability"


def test_a_curve_of_one_threshold_is_a_point():
    assert table_of().plot().lines[0].get_marker() == "o"


def test_an_undefined_decision_curve_is_drawn_as_nothing():
    with pytest.warns(UndefinedMetricWarning):
        table = table_of(np.zeros(N), PROBABILITY, thresholds=MANY, prevalence=0.1)
    ax = table.plot()
    assert np.isnan(ax.lines[0].get_ydata()).all()
    assert ax.get_ylabel() == "Net benefit at prevalence 0.1"


def test_a_decision_curve_needs_net_benefit():
    table = threshold_table(Y, PROBABILITY, thresholds=MANY)
    with pytest.raises(ValueError, match="`plot` draws the net benefit"):
        table.plot()


@pytest.mark.parametrize(
    ("options", "message"),
    [({"ax": "left"}, "`ax` must be"), ({"name": 3}, "`name` must be a string or None")],
    ids=["ax", "name"],
)
def test_errors_of_a_decision_curve_name_the_argument(options, message):
    with pytest.raises(TypeError, match=message):
        table_of(thresholds=MANY).plot(**options)
