"""Clusters in `AchievablePRDisplay`: samples of patients."""

import warnings

import numpy as np
import pandas as pd
import pytest
from drawing import legend, of_estimator, of_folds, of_samples
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, KFold, cross_validate

import sklearn_achievable_pr as apr

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")

PATIENT = np.repeat(np.arange(60), 4)
RNG = np.random.default_rng(0)
IS_SICK = (RNG.random(60) < 0.4)[PATIENT]
Y = (RNG.random(240) < np.where(IS_SICK, 0.8, 0.05)).astype(int)
SCORE = np.round(RNG.normal(size=60)[PATIENT] + 1.5 * Y + RNG.normal(size=240) / 2, 1)
# Some samples have weight 0.
WEIGHT = RNG.integers(0, 3, 240).astype(float)
CLASSES = np.where(Y == 1, "a", np.where(SCORE > 0.3, "b", "c"))
CLASS_SCORES = np.column_stack((SCORE, -SCORE, RNG.normal(size=240)))


# Intervals and bands


@pytest.mark.parametrize(
    "options",
    [{}, {"sample_weight": WEIGHT}, {"prevalence": 0.2}, {"curve": "achievable"}],
    ids=str,
)
def test_the_interval_is_that_of_the_function(options):
    display = of_samples(Y, SCORE, groups=PATIENT, interval=True, legend=False, **options)
    metrics = {"empirical": "auc_pr_interpolated", "achievable": "achievable_auc_pr"}
    metric = metrics[options.pop("curve", "empirical")]
    found = apr.auc_pr_interval(Y, SCORE, metric=metric, groups=PATIENT, **options)
    assert display.interval == pytest.approx(found.confidence_interval, rel=1e-12)


def test_the_legend_has_the_wider_interval_of_the_clusters():
    plain = apr.auc_pr_interval(Y, SCORE).confidence_interval
    low, high = apr.auc_pr_interval(Y, SCORE, groups=PATIENT).confidence_interval
    display = of_samples(Y, SCORE, groups=PATIENT, interval=True)
    assert legend(display)[0].endswith(f"95 % CI {low:.2f} to {high:.2f}")
    assert high - low > 1.3 * (plain.high - plain.low)


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_the_pointwise_band_has_the_limits_at_each_recall(weight):
    options = {"sample_weight": weight, "groups": PATIENT}
    display = of_samples(Y, SCORE, band="pointwise", legend=False, **options)
    for recall, *limits in display.band.T[::45]:
        found = apr.operating_point_interval(Y, SCORE, recall=recall, **options)
        assert limits == pytest.approx(found.confidence_interval, rel=1e-12)


def test_the_simultaneous_band_holds_the_pointwise_one():
    _, low, high = of_samples(Y, SCORE, groups=PATIENT, band="pointwise").band
    _, lowest, highest = of_samples(Y, SCORE, groups=PATIENT, band="simultaneous").band
    assert np.all((lowest <= low) & (high <= highest))
    assert np.mean(highest - lowest) > 1.1 * np.mean(high - low)


@pytest.mark.parametrize("n_classes", [1, 3])
def test_each_model_or_class_has_the_band_and_interval_of_its_own_display(n_classes):
    options = {"groups": PATIENT, "band": "pointwise", "interval": True, "legend": False}
    if n_classes == 1:
        of_each = [(Y, SCORE), (Y, -CLASS_SCORES[:, 2])]
        display = of_samples(Y, {"a": SCORE, "b": -CLASS_SCORES[:, 2]}, **options)
    else:
        of_each = [
            (name == CLASSES, scores)
            for name, scores in zip("abc", CLASS_SCORES.T, strict=True)
        ]
        display = of_samples(CLASSES, CLASS_SCORES, **options)
    for band, interval, data in zip(display.band, display.interval, of_each, strict=True):
        alone = of_samples(*data, **options)
        np.testing.assert_array_equal(band, alone.band)
        assert interval == alone.interval


def test_clusters_of_one_sample_change_nothing():
    options = {"band": "pointwise", "interval": True}
    plain = of_samples(Y, SCORE, **options)
    alone = of_samples(Y, SCORE, groups=np.arange(240), **options)
    np.testing.assert_array_equal(alone.band, plain.band)
    assert legend(alone) == legend(plain)


def test_names_of_clusters_may_be_text_in_any_order():
    order = np.random.default_rng(1).permutation(240)
    names = np.array([f"patient {i}" for i in PATIENT])
    options = {"band": "pointwise", "interval": True, "legend": False}
    display = of_samples(Y, SCORE, groups=PATIENT, **options)
    other = of_samples(Y[order], SCORE[order], groups=names[order], **options)
    np.testing.assert_allclose(other.band, display.band, rtol=1e-12)
    assert other.interval == pytest.approx(display.interval, rel=1e-12)


def test_an_estimator_has_the_band_and_interval_of_its_scores():
    X = SCORE[:, np.newaxis]
    model = LogisticRegression().fit(X, Y)
    options = {"groups": PATIENT, "band": "pointwise", "interval": True, "legend": False}
    display = of_estimator(model, X, Y, **options)
    expected = of_samples(Y, model.predict_proba(X)[:, 1], **options)
    np.testing.assert_array_equal(display.band, expected.band)
    assert display.interval == expected.interval


# What cannot be computed, and what is not nominal


def test_positives_of_one_cluster_say_nothing_about_others():
    y = np.where(PATIENT == 3, Y, 0)
    y[PATIENT == 3] = 1
    with pytest.warns(UndefinedMetricWarning, match="are in one cluster") as caught:
        display = of_samples(y, SCORE, groups=PATIENT, band="pointwise", interval=True)
    assert len([w for w in caught if w.category is UndefinedMetricWarning]) == 1
    assert display.interval == (0, 1)
    np.testing.assert_array_equal(display.band[1:], np.tile([[0], [1]], 181))


@pytest.mark.parametrize(
    "options",
    [{"band": "pointwise"}, {"interval": True}, {"band": "pointwise", "interval": True}],
)
def test_clusters_of_very_unequal_size_warn_once(options):
    groups = np.where(PATIENT < 45, 0, np.arange(240))
    with pytest.warns(apr.CoverageWarning, match="very unequally over the clusters") as got:
        of_samples(Y, SCORE, groups=groups, legend=False, **options)
    assert len([w for w in got if "unequally" in str(w.message)]) == 1


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (PATIENT[1:], "`groups` must have one label for each of the 240 samples"),
        (np.where(PATIENT < 1, np.nan, PATIENT), "`groups` must be .*no missing labels"),
        (pd.Series(PATIENT, np.arange(240)[::-1] + 7), "`groups` and `y_true` must have"),
    ],
)
def test_labels_of_clusters_that_do_not_fit_raise(groups, message):
    y = pd.Series(Y, np.arange(240) + 7)
    with pytest.raises(ValueError, match=message):
        of_samples(y, SCORE, groups=groups)
    with pytest.raises(ValueError, match=message):
        of_samples(y, {"a": SCORE, "b": SCORE}, groups=groups)


def test_clusters_in_another_order_than_the_input_of_an_estimator_raise():
    X = pd.DataFrame({"x": SCORE}, np.arange(240) + 7)
    groups = pd.Series(PATIENT, X.index[::-1])
    model = LogisticRegression().fit(X, Y)
    with pytest.raises(ValueError, match="`groups` and `X` must have"):
        of_estimator(model, X, Y, groups=groups)


# Folds


def cross_validated(splits):
    X = SCORE[:, np.newaxis]
    options = {"return_estimator": True, "return_indices": True}
    return cross_validate(LogisticRegression(), X, Y, cv=splits, **options), X, Y


@pytest.mark.filterwarnings("error::sklearn_achievable_pr.CoverageWarning")
def test_folds_of_whole_clusters_have_the_band_of_the_folds():
    data = cross_validated([*GroupKFold(4).split(SCORE, Y, PATIENT)])
    with_groups = of_folds(*data, groups=PATIENT, band="folds", legend=False)
    np.testing.assert_array_equal(
        with_groups.band[-1], of_folds(*data, band="folds", legend=False).band[-1]
    )


def test_clusters_in_both_parts_of_a_fold_warn_once():
    data = cross_validated(KFold(4))  # folds of whole clusters
    groups = np.where(np.arange(240) == 239, 0, PATIENT)
    with pytest.warns(apr.CoverageWarning, match="in the training and in the test") as got:
        of_folds(*data, groups=groups, legend=False)
    assert len(got) == 1


def test_folds_that_divide_every_cluster_are_no_independent_folds():
    data = cross_validated(KFold(4, shuffle=True, random_state=0))
    by_cluster = np.arange(240) % 5
    with pytest.raises(ValueError, match=r"different samples, or clusters. Got 1: pass a"):
        of_folds(*data, groups=by_cluster, band="folds")


def test_groups_of_folds_in_another_order_raise():
    score, y = pd.Series(SCORE, np.arange(240) + 7), pd.Series(Y, np.arange(240) + 7)
    cv_results = apr.cv_results_from_scores(score, PATIENT % 4)
    groups = pd.Series(PATIENT, y.index[::-1])
    with pytest.raises(ValueError, match="`groups` and `y` must have"):
        of_folds(cv_results, None, y, groups=groups)


def test_scores_of_folds_from_elsewhere_take_groups_and_weights():
    cv_results = apr.cv_results_from_scores(SCORE, PATIENT % 4)
    options = {"sample_weight": WEIGHT, "prevalence": 0.3}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        display = of_folds(cv_results, None, Y, groups=PATIENT, **options)
    assert legend(display) == legend(of_folds(cv_results, None, Y, **options))
