"""A missing class gives NaN, with a warning that names it."""

import warnings
from functools import partial

import numpy as np
import pytest
from cases import each
from situations import DENSE, METRICS, STEPWISE
from sklearn.exceptions import UndefinedMetricWarning

import sklearn_achievable_pr as apr

NO_POSITIVES = r"No positive samples in `y_true`"
NO_NEGATIVES = r"No negative samples in `y_true`"
SCORES = [0.9, 0.4, 0.4, 0.1]
ALL_NEGATIVE, ALL_POSITIVE = [0] * 4, [1] * 4


def of_scores(*names):
    return {name: partial(METRICS[name], y_score=SCORES) for name in names}


AREAS = of_scores(
    "empirical_area", "achievable_area", *STEPWISE, "empirical_area_over_0.25_0.75"
)
NORMALIZED = of_scores("aucnpr", "auprg", "normalized_average_precision")
AT_PREVALENCE = {
    **of_scores("area_at_prevalence", "aucnpr_at_prevalence"),
    "precision_at_k_at_prevalence": partial(
        apr.precision_at_k, y_score=SCORES, k=1, prevalence=0.5
    ),
}
POINTS = {
    "precision_at_recall": partial(apr.precision_at_recall, y_score=SCORES, recall=0.5),
    "recall_at_precision": partial(apr.recall_at_precision, y_score=SCORES, precision=0.5),
    "recall_at_k": partial(apr.recall_at_k, y_score=SCORES, k=4),
}
CURVES = of_scores(*DENSE, "empirical_vertices", "achievable_vertices")
NUMBERS = {**AREAS, **NORMALIZED, **AT_PREVALENCE, **POINTS}


# Without positives every metric is undefined.


UNDEFINED = {
    **NUMBERS,
    **{
        f"{metric}_from_counts": lambda _, metric=metric: apr.auc_pr_from_counts(
            [0, 0], [1, 3], metric=metric
        )
        for metric in ("auc_pr_interpolated", "aucnpr")
    },
    "pr_curve_from_counts": lambda _: np.hstack(apr.pr_curve_from_counts([0], [2])),
    "f1_above_chance_score": lambda y_true: apr.f1_above_chance_score(y_true, y_true),
    "average_precision_min": lambda y_true: apr.average_precision_min(0, 5),
    **{
        f"average_{average}": lambda y_true, average=average: apr.aucnpr(
            np.column_stack((y_true, y_true)), np.ones((4, 2)), average=average
        )
        for average in ("macro", "weighted", "micro", "samples", None)
    },
}


@each(name=UNDEFINED)
def test_numbers_without_positives_are_nan_with_one_warning(name):
    with pytest.warns(UndefinedMetricWarning, match="No positive samples") as caught:
        value = UNDEFINED[name](ALL_NEGATIVE)
    assert np.isnan(value).all()
    # A partial has no frame: its caller is this file too.
    assert [warning.filename for warning in caught] == [__file__]
    if name in ("average_macro", "average_None"):
        assert "label 0 is undefined. Of 2 labels 2 lack a class." in str(caught[0].message)


@pytest.mark.parametrize("name", CURVES)
def test_curves_without_positives_are_nan_with_one_warning(name):
    with pytest.warns(UndefinedMetricWarning, match=NO_POSITIVES) as caught:
        precision, recall, thresholds = CURVES[name](ALL_NEGATIVE)
    assert [warning.filename for warning in caught] == [__file__]
    assert np.isnan(precision).all()
    assert np.isnan(recall).all()
    assert len(precision) == len(recall) == len(thresholds) + 1
    assert list(thresholds) == (sorted({*SCORES}) if "empirical" in name else [min(SCORES)])


@each(replacement=[np.nan, 0.25])
@pytest.mark.parametrize(
    ("function", "asked"),
    [
        (apr.precision_at_recall, {"recall": [[0, 0.5, 1]]}),
        (apr.recall_at_fpr, {"fpr": [[0, 0.5, 1]]}),
        (apr.precision_at_k, {"k": [[1, 2, 4]], "prevalence": 0.5}),
        (apr.recall_at_k, {"k": [[1, 2, 4]]}),
    ],
)
def test_points_without_positives_keep_their_shape(function, asked, replacement):
    options = asked | {"replace_undefined_by": replacement}
    with pytest.warns(UndefinedMetricWarning, match=NO_POSITIVES):
        found = function(ALL_NEGATIVE, SCORES, **options)
    np.testing.assert_array_equal(found, np.full((1, 3), replacement))


@pytest.mark.parametrize(("y_true", "value"), [(ALL_NEGATIVE, 0.0), (ALL_POSITIVE, 1.0)])
def test_precision_at_k_of_one_class_is_defined(y_true, value):
    """Samples are selected, as in scikit-learn's precision: there is no warning."""
    found = apr.precision_at_k(y_true, SCORES, k=[[1, 2, 4]], replace_undefined_by=0.25)
    np.testing.assert_array_equal(found, np.full((1, 3), value))


def test_no_positives_for_the_roc_hull():
    """The false positive rate is still defined."""
    with pytest.warns(UndefinedMetricWarning, match=NO_POSITIVES) as caught:
        fpr, tpr, thresholds = apr.roc_convex_hull(ALL_NEGATIVE, SCORES)
    assert caught[0].filename == __file__
    assert fpr.tolist() == [0, 1]
    assert np.isnan(tpr).all()
    assert thresholds.tolist() == [np.inf, 0.1]


def test_no_positives_for_dominance():
    with pytest.warns(UndefinedMetricWarning, match=NO_POSITIVES) as caught:
        assert apr.dominates(ALL_NEGATIVE, SCORES, SCORES) is False
    assert caught[0].filename == __file__


def test_no_positives_for_the_lowest_average_precision():
    with pytest.warns(UndefinedMetricWarning, match="No positive samples") as caught:
        found = apr.average_precision_min([0, 1, 2], [5, 1, 0])
    assert len(caught) == 1
    np.testing.assert_array_equal(found, [np.nan, 0.5, 1.0])


def test_positives_of_weight_zero_are_missing():
    for name in ("empirical_area", *NORMALIZED):
        with pytest.warns(UndefinedMetricWarning, match=NO_POSITIVES):
            assert np.isnan(NUMBERS[name]([0, 1, 0, 0], sample_weight=[1, 0, 1, 1]))


def test_a_pos_label_that_does_not_occur():
    """The only class is the negative one: there are no positives, and no error."""
    for labels, pos_label in [(["ham"] * 4, "spam"), ([2] * 4, 1), ([0] * 4, 1)]:
        with pytest.warns(UndefinedMetricWarning, match=NO_POSITIVES):
            assert np.isnan(apr.aucnpr(labels, SCORES, pos_label=pos_label))


# Without negatives precision is 1 everywhere, which is also the minimum precision.


@each(name=AREAS)
def test_areas_without_negatives_are_the_width_of_the_range(name):
    width = 0.5 if "over" in name else 1.0
    # A quotient of sums: one unit in the last place.
    assert AREAS[name](ALL_POSITIVE) == pytest.approx(width, rel=3e-16)


@each(name={**NORMALIZED, **AT_PREVALENCE})
def test_normalized_numbers_without_negatives_are_nan_with_one_warning(name):
    with pytest.warns(UndefinedMetricWarning, match=NO_NEGATIVES) as caught:
        assert np.isnan(NUMBERS[name](ALL_POSITIVE))
    assert len(caught) == 1


@pytest.mark.parametrize("name", POINTS)
def test_points_without_negatives_are_1(name):
    assert POINTS[name](ALL_POSITIVE) == 1.0


@pytest.mark.parametrize("name", CURVES)
def test_curves_without_negatives_have_precision_1(name):
    precision, recall, thresholds = CURVES[name](ALL_POSITIVE)
    assert (precision == 1).all()
    assert (recall[0], recall[-1]) == (1, 0)
    assert len(precision) == len(recall) == len(thresholds) + 1


@pytest.mark.parametrize("name", CURVES)
def test_curves_at_a_prevalence_without_negatives(name):
    with pytest.warns(UndefinedMetricWarning, match=NO_NEGATIVES):
        precision, recall, _ = CURVES[name](ALL_POSITIVE, prevalence=0.5)
    assert np.isnan([*precision, *recall]).all()


def test_other_functions_without_negatives():
    assert apr.auc_pr_from_counts([2, 5], [0, 0]) == 1.0
    assert apr.dominates(ALL_POSITIVE, SCORES, SCORES[::-1]) is True
    assert apr.average_precision_min(7, 0) == 1.0
    with pytest.warns(UndefinedMetricWarning, match=NO_NEGATIVES):
        assert np.isnan(apr.f1_above_chance_score(ALL_POSITIVE, [0, 1, 0, 1]))
    with pytest.warns(UndefinedMetricWarning, match="No negative samples in the counts"):
        assert np.isnan(apr.auc_pr_from_counts([2, 5], [0, 0], prevalence=0.5))
    with pytest.warns(UndefinedMetricWarning, match="No positive samples in the counts"):
        apr.pr_curve_from_counts([0], [3])
    with pytest.warns(UndefinedMetricWarning, match="No positive samples in `n_pos`"):
        apr.average_precision_min(0, 3)
    with pytest.warns(UndefinedMetricWarning, match=NO_NEGATIVES):
        fpr, tpr, _ = apr.roc_convex_hull(ALL_POSITIVE, SCORES)
    assert np.isnan(fpr).all()
    assert tpr.tolist() == [0, 1]


def test_undefined_samples_are_counted_in_one_warning():
    rng = np.random.default_rng(0)
    labels, score = rng.integers(0, 2, (1000, 3)), rng.random((1000, 3))
    n_undefined = np.count_nonzero(~labels.any(axis=1))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = apr.auc_pr_interpolated(
            labels, score, average="samples", replace_undefined_by=0.0
        )
    assert [w.category for w in caught] == [UndefinedMetricWarning]
    others = f" is undefined. Of 1000 samples {n_undefined} lack a class."
    assert str(caught[0].message).endswith(others)
    assert caught[0].filename == __file__
    present = labels.any(axis=1)
    defined = apr.auc_pr_interpolated(labels[present], score[present], average="samples")
    assert value == pytest.approx(defined * present.mean(), rel=1e-14)


# Replacement of undefined values


AVERAGED = [
    apr.auc_pr_interpolated,
    apr.aucnpr,
    apr.auprg_score,
    apr.normalized_average_precision_score,
]
every_averaged = pytest.mark.parametrize("metric", AVERAGED)


@every_averaged
@each(replacement=[0.0, 1, -3.5, np.inf])
def test_a_replacement_is_returned_with_the_warning(metric, replacement):
    with pytest.warns(UndefinedMetricWarning, match=NO_POSITIVES):
        found = metric(ALL_NEGATIVE, SCORES, replace_undefined_by=replacement)
    assert found == replacement
    assert type(found) is float


# Label 1 has no positives; labels 0 and 2 have.
TABLE = np.array([[1, 0, 0], [0, 0, 1], [1, 0, 1], [0, 0, 0], [0, 0, 1]])
COLUMNS = np.random.default_rng(0).normal(size=TABLE.shape)


@every_averaged
def test_each_label_is_replaced_before_averaging(metric):
    first, last = (metric(TABLE[:, k], COLUMNS[:, k]) for k in (0, 2))
    with pytest.warns(
        UndefinedMetricWarning, match=NO_POSITIVES + ".* of label 1 is undefined.$"
    ):
        each = metric(TABLE, COLUMNS, average=None)
    np.testing.assert_array_equal(each, [first, np.nan, last])
    with pytest.warns(UndefinedMetricWarning, match="label 1"):
        assert np.isnan(metric(TABLE, COLUMNS))
    with pytest.warns(UndefinedMetricWarning, match="label 1"):
        macro = metric(TABLE, COLUMNS, replace_undefined_by=0.25)
    assert macro == pytest.approx((first + 0.25 + last) / 3, rel=1e-15)


@every_averaged
def test_weighted_average_omits_a_label_without_positives(metric):
    """Its weight is 0: neither NaN nor a warning."""
    first, last = (metric(TABLE[:, k], COLUMNS[:, k]) for k in (0, 2))
    weighted = metric(TABLE, COLUMNS, average="weighted")
    assert weighted == pytest.approx((2 * first + 3 * last) / 5, rel=1e-15)


@every_averaged
def test_weighted_average_without_any_positive(metric):
    with pytest.warns(UndefinedMetricWarning, match="No positive samples"):
        assert np.isnan(metric(0 * TABLE, COLUMNS, average="weighted"))
    with pytest.warns(UndefinedMetricWarning, match="No positive samples"):
        assert metric(0 * TABLE, COLUMNS, average="weighted", replace_undefined_by=0.0) == 0


@every_averaged
def test_samples_and_micro_averages(metric):
    with pytest.warns(UndefinedMetricWarning, match=NO_POSITIVES + ".*sample 3"):
        assert np.isnan(metric(TABLE, COLUMNS, average="samples"))
    without_it = {"average": "samples", "sample_weight": [1, 1, 1, 0, 1]}
    assert np.isfinite(metric(TABLE, COLUMNS, **without_it))
    with pytest.warns(UndefinedMetricWarning, match="micro-averaged"):
        assert np.isnan(metric(0 * TABLE, COLUMNS, average="micro"))
    # One positive anywhere is enough for the pooled problem.
    assert np.isfinite(metric(TABLE, COLUMNS, average="micro"))


@pytest.mark.parametrize("metric", AVERAGED[1:])
def test_a_label_without_negatives(metric):
    table = TABLE.copy()
    table[:, 1] = 1
    with pytest.warns(UndefinedMetricWarning, match=NO_NEGATIVES + ".* of label 1"):
        assert np.isnan(metric(table, COLUMNS, average=None)).tolist() == [0, 1, 0]
