"""`auc_pr_interval_cv`: intervals of cross-validations, against the formula."""

import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from cross_validations import (
    BAYES,
    FOLDS,
    PATIENT,
    TREE,
    N,
    X,
    Y,
    of_design,
    of_unequal_trains,
    slow,
    validated,
)
from scipy.stats import beta, norm, t
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import IsolationForest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import (
    GroupShuffleSplit,
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
    cross_val_predict,
)
from sklearn.pipeline import make_pipeline
from slow_twins import error_and_df, fade

import sklearn_achievable_pr as apr


@pytest.mark.parametrize(
    ("design", "metric"),
    [
        ("folds", "auc_pr_interpolated"),
        ("repeated", "aucnpr"),
        ("overlapping", "average_precision"),
        ("groups", "auc_pr_interpolated"),
    ],
)
def test_interval_is_that_of_the_formula(design, metric):
    cv_results, groups = of_design(TREE, design)
    mean, *of_units, _, _ = slow(cv_results, metric, **groups)
    error, df = error_and_df(*of_units)
    n = mean * (1 - mean) / error**2 * (norm.ppf(0.975) / t.ppf(0.975, df)) ** 2
    low = beta.ppf(0.025, n * mean, n * (1 - mean) + 1)
    high = beta.ppf(0.975, n * mean + 1, n * (1 - mean))
    # Unseen samples move the lower limit where few samples decide.
    n_smaller = of_units[-1]
    n = n_smaller * (norm.ppf(0.975) / t.ppf(0.975, n_smaller - 1)) ** 2
    lost = (1 - 0.025 ** (1 / n)) * fade(of_units[0], n_smaller * (1 - mean)) ** 0.5
    low = mean - np.hypot(mean - low, lost)
    found = apr.auc_pr_interval_cv(cv_results, X, Y, metric=metric, **groups)
    assert found.estimate == pytest.approx(mean, rel=1e-12)
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    assert found.df == pytest.approx(df, rel=1e-9)
    np.testing.assert_allclose(found.confidence_interval, (low, high), rtol=1e-8)


def test_values_of_an_independent_program():
    data, y = load_breast_cancer(return_X_y=True)
    found = apr.auc_pr_interval_cv(validated(TREE, data, 1 - y, 5), data, 1 - y)
    assert found.standard_error == pytest.approx(0.029178865324864165, rel=1e-12)
    expected = 0.822091546379544, 0.9484915191662437
    # SciPy 1.12 inverts the incomplete beta function to ten digits.
    np.testing.assert_allclose(found.confidence_interval, expected, rtol=1e-9)


@pytest.mark.parametrize("model", [TREE, BAYES, LogisticRegression(max_iter=5000)])
def test_estimate_is_the_mean_of_the_scorer(model):
    cv_results = validated(model, scoring=apr.auc_pr_interpolated_scorer)
    found = apr.auc_pr_interval_cv(cv_results, X, Y)
    assert found.estimate == pytest.approx(cv_results["test_score"].mean(), rel=1e-12)
    np.testing.assert_allclose(found.fold_values, cv_results["test_score"], rtol=1e-12)


def test_repeats_of_the_same_folds_are_not_new_samples():
    again = {
        "estimator": [*FOLDS["estimator"]] * 3,
        "indices": {part: [*FOLDS["indices"][part]] * 3 for part in ("train", "test")},
    }
    once, found = (apr.auc_pr_interval_cv(results, X, Y) for results in (FOLDS, again))
    assert found.standard_error == pytest.approx(once.standard_error, rel=1e-12)
    assert (found.n_folds, found.n_repeats, found.n_samples) == (15, 3, N)


def test_masks_of_folds_are_indices():
    masks = {
        part: [np.isin(np.arange(N), indices) for indices in FOLDS["indices"][part]]
        for part in ("train", "test")
    }
    found = apr.auc_pr_interval_cv(FOLDS | {"indices": masks}, X, Y)
    assert found.estimate == apr.auc_pr_interval_cv(FOLDS, X, Y).estimate


@pytest.mark.parametrize("alternative", ["less", "greater"])
def test_one_sided_limits_are_those_of_a_two_sided_interval(alternative):
    options = {"alternative": alternative, "confidence_level": 0.975}
    found = apr.auc_pr_interval_cv(FOLDS, X, Y, **options).confidence_interval
    low, high = apr.auc_pr_interval_cv(FOLDS, X, Y).confidence_interval
    expected = (0, high) if alternative == "less" else (low, 1)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("n_repeats", "folds"),
    [(1, "4 folds"), (2, "8 folds in 2 repeats"), (3, "12 folds in 3 repeats")],
)
def test_the_text_counts_folds_and_repeats(n_repeats, folds):
    cv_results = validated(
        TREE, cv=RepeatedStratifiedKFold(n_splits=4, n_repeats=n_repeats)
    )
    lines = str(apr.auc_pr_interval_cv(cv_results, X, Y)).splitlines()
    assert f"{folds}, at least 53 positives in each" in lines


@pytest.mark.parametrize(
    ("cv", "folds"),
    [
        # Some samples are tested by all of these splits, and others by one.
        (ShuffleSplit(5, test_size=0.5, random_state=0), "5 folds, at least 99 positives"),
        (StratifiedShuffleSplit(1, test_size=0.2), "1 fold, 42 positives"),
    ],
)
def test_random_splits_are_no_repeats(cv, folds):
    cv_results = validated(TREE, cv=cv)
    for found in (apr.auc_pr_interval_cv, apr.fold_predictions):
        lines = str(found(cv_results, X, Y)).splitlines()
        assert folds in [line.removesuffix(" in each") for line in lines]


@pytest.mark.parametrize(
    ("cv", "models"),
    [
        # 426 of 569 are three quarters, rounded down.
        (StratifiedKFold(4), f"427 samples; conservative for the refit on all {N}"),
        # The model refitted on all samples, not on those that are tested.
        (
            StratifiedShuffleSplit(1, test_size=0.2),
            f"455 samples; conservative for the refit on all {N}",
        ),
        (
            StratifiedShuffleSplit(1, train_size=426),
            f"426 samples; conservative for the refit on all {N}",
        ),
        (StratifiedShuffleSplit(1, train_size=425), "425 samples (conservative)"),
    ],
)
def test_the_text_names_the_models_that_the_interval_is_for(cv, models):
    *_, last = str(apr.auc_pr_interval_cv(validated(TREE, cv=cv), X, Y)).splitlines()
    assert last.removeprefix("valid ").startswith(f"for models fitted to {models}")


def test_n_train_is_the_number_of_training_samples_of_each_fold():
    found = apr.auc_pr_interval_cv(of_unequal_trains(2), X, Y)
    assert found.n_train == (398, 400, 400)
    assert found.to_dict()["n_train"] == [398, 400, 400]


def test_sizes_of_training_sets_within_one_percent_are_one_number():
    found = apr.auc_pr_interval_cv(of_unequal_trains(4), X, Y)
    assert str(found).endswith("\nfor models fitted to 399 samples (conservative)")


def test_training_sets_of_unequal_sizes_have_no_known_coverage():
    with pytest.warns(apr.CoverageWarning, match="have 395 to 400 samples.*StratifiedKF"):
        found = apr.auc_pr_interval_cv(of_unequal_trains(5), X, Y)
    last = str(found).splitlines()[-1]
    assert last == "for models fitted to 395 to 400 samples (see the warning)"


def test_the_text_refers_to_a_warning_about_the_refitted_model():
    (train, test), *others = StratifiedKFold(5).split(X, Y)
    cv_results = validated(TREE, cv=[(train[5:], test), *others])
    with pytest.warns(apr.CoverageWarning, match="have 450 to 456 samples"):
        found = apr.auc_pr_interval_cv(cv_results, X, Y)
    last = str(found).splitlines()[-1]
    models = f"450 to 456 samples and the refit on all {N} (see the warning)"
    assert last == f"for models fitted to {models}"


def test_training_sets_in_time_order_are_limited_and_not_shuffled():
    cv_results = validated(TREE, cv=TimeSeriesSplit(4))
    with pytest.warns(apr.CoverageWarning, match="have 117 to 456 samples") as caught:
        apr.auc_pr_interval_cv(cv_results, X, Y)
    assert "KFold" not in str(caught[0].message)
    (advice,) = re.findall(r"TimeSeriesSplit\(max_train_size=\d+\)", str(caught[0].message))
    cv = eval(advice, {"TimeSeriesSplit": partial(TimeSeriesSplit, 4)})
    found = apr.auc_pr_interval_cv(validated(TREE, cv=cv), X, Y)
    assert found.n_train == (117,) * 4


def test_training_sets_may_differ_by_a_cluster():
    ward = np.arange(N) % 19  # of 29 or 30 samples
    of_wards = {"cv": GroupShuffleSplit(3, test_size=5, random_state=0), "groups": ward}
    found = apr.auc_pr_interval_cv(of_unequal_trains(29, **of_wards), X, Y, groups=ward)
    assert found.n_train[0] < 0.95 * max(found.n_train)
    with pytest.warns(apr.CoverageWarning, match="equal size, such as GroupKFold"):
        apr.auc_pr_interval_cv(of_unequal_trains(32, **of_wards), X, Y, groups=ward)


def test_n_train_counts_the_samples_of_a_bootstrap_once():
    rng = np.random.default_rng(0)
    trains = [rng.integers(N, size=N) for _ in range(3)]
    splits = [(train, np.setdiff1d(np.arange(N), train)) for train in trains]
    found = apr.auc_pr_interval_cv(validated(TREE, cv=splits), X, Y)
    assert found.n_train == tuple(len(set(train)) for train in trains)


def test_counts_are_those_of_the_test_samples():
    cv_results, _ = of_design(TREE, "hold-out")
    found = apr.auc_pr_interval_cv(cv_results, X, Y)
    (test,) = cv_results["indices"]["test"]
    assert (found.n_samples, found.n_positive) == (len(test), Y[test].sum())
    assert found.fewest_positives == found.n_positive


# Benign samples are the inliers here, so their anomaly scores are below chance.
@pytest.mark.filterwarnings("ignore:.*The scores rank negatives")
@pytest.mark.parametrize("pos_label", [0, 1])
def test_an_outlier_detector_has_the_interval_of_its_scores(pos_label):
    y = 2 * Y - 1
    model, scorer = IsolationForest(n_estimators=5, random_state=0), apr.aucnpr_scorer
    cv_results = validated(model, y=y, scoring=scorer)
    first = cv_results["indices"]["test"][0]
    score = cv_results["estimator"][0].decision_function(X[first])
    sign = 2 * pos_label - 1
    found = apr.auc_pr_interval_cv(cv_results, X, y, pos_label=sign)
    expected = apr.auc_pr_interpolated(y[first], sign * score, pos_label=sign)
    assert found.fold_values[0] == pytest.approx(expected, rel=1e-12)


def test_models_with_thresholds_warn_that_their_scores_are_tied():
    wrapped = apr.HullThresholdClassifierCV(BAYES, cv=2, random_state=0)
    cv_results = validated(wrapped)
    with pytest.warns(UserWarning, match="have the same score") as caught:
        tied = apr.auc_pr_interval_cv(cv_results, X, Y)
    advised = str(caught[0].message).split("`")
    # The advice is code.
    inside = eval(advised[-4], {"result": cv_results})
    label = eval(f"dict({advised[-2]})")
    assert apr.auc_pr_interval_cv(inside, X, Y, **label).estimate > tied.estimate


def test_the_advice_for_models_with_thresholds_keeps_their_positive_label():
    wrapped = apr.HullThresholdClassifierCV(BAYES, cv=2, random_state=0, pos_label=0)
    with pytest.warns(UserWarning, match=r"and pass `pos_label=0`\.$"):
        apr.auc_pr_interval_cv(validated(wrapped), X, Y)


def test_models_with_thresholds_in_a_pipeline_are_cross_validated_without_them():
    wrapped = make_pipeline(apr.HullThresholdClassifierCV(BAYES, cv=2, random_state=0))
    with pytest.warns(UserWarning, match="cross-validate the models inside, and pass"):
        apr.auc_pr_interval_cv(validated(wrapped), X, Y)


def test_groups_in_another_order_raise():
    y = pd.Series(Y, index=np.arange(N) + 3)
    groups = pd.Series(PATIENT, index=y.index)[::-1]
    with pytest.raises(
        ValueError, match="`groups` and `y` must have their samples in one order"
    ):
        apr.auc_pr_interval_cv(FOLDS, X, y, groups=groups)


INDICES = FOLDS["indices"]
TRAINED_ON = {"train": INDICES["test"], "test": INDICES["test"]}


@pytest.mark.parametrize(
    ("changed", "match"),
    [
        ({"estimator": None}, "return_estimator=True and return_indices=True"),
        ({"indices": {"test": INDICES["test"]}}, "Got no key 'train'"),
        ({"indices": INDICES | {"train": [None] * 5}}, "not one-dimensional"),
        ({"indices": TRAINED_ON}, "test samples are not among their training"),
    ],
)
def test_results_without_estimators_or_indices(changed, match):
    with pytest.raises(ValueError, match=match):
        apr.auc_pr_interval_cv(FOLDS | changed, X, Y)


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({"X": X[:400], "y": Y[:400]}, "for this `X` and `y`.*out of bounds"),
        (
            {"X": np.concatenate((X, X)), "y": np.concatenate((Y, Y))},
            "folds divide 569 samples, and `y` has 1138",
        ),
        ({"X": X[:400]}, r"`X`, `y` and, if passed.*\[400, 569\]"),
        ({"groups": [1, 2]}, "`groups` must have one label for each"),
    ],
)
def test_data_of_another_length_raise(given, match):
    with pytest.raises(ValueError, match=match):
        apr.auc_pr_interval_cv(**{"cv_results": FOLDS, "X": X, "y": Y} | given)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"metric": "auprg"}, "`metric` must be one of"),
        ({"alternative": "both"}, "`alternative` must be one of"),
        ({"response_method": "auto"}, "`response_method` must be one of 'decision_f"),
        ({"pos_label": 7}, "`pos_label`=7 is not a label"),
    ],
)
def test_unknown_options_raise(options, match):
    with pytest.raises(ValueError, match=match):
        apr.auc_pr_interval_cv(FOLDS, X, Y, **options)


def test_labels_that_the_models_do_not_know_raise():
    with pytest.raises(ValueError, match="`y` must hold only classes of `estimator`"):
        apr.auc_pr_interval_cv(FOLDS, X, Y + 3)


@pytest.mark.parametrize("cv_results", [None, FOLDS["test_score"]], ids=["None", "scores"])
def test_what_is_no_result_of_cross_validate_raises(cv_results):
    got = "None" if cv_results is None else "ndarray"
    with pytest.raises(ValueError, match=f"return_indices=True. Got {got}"):
        apr.auc_pr_interval_cv(cv_results, X, Y)


@pytest.mark.parametrize("value", [None, "X", 1, {"a": 1}])
def test_an_input_of_a_wrong_kind_is_named(value):
    with pytest.raises(TypeError, match=f"`X` is {value!r}"):
        apr.auc_pr_interval_cv(FOLDS, value, Y)


def test_a_regressor_raises_and_shows_the_results_of_its_predictions():
    model = LinearRegression()
    with pytest.raises(ValueError, match="Got LinearRegression") as caught:
        apr.auc_pr_interval_cv(validated(model, scoring="r2"), X, Y)
    advice = str(caught.value).split("`")[-2]
    names = {"cross_val_predict": cross_val_predict, "model": model, "X": X, "y": Y}
    names |= {"cv": KFold(5), "cv_results_from_scores": apr.cv_results_from_scores}
    names["test_fold"] = np.concatenate(
        [np.full(len(test), i) for i, (_, test) in enumerate(KFold(5).split(X))]
    )
    found = apr.auc_pr_interval_cv(eval(advice, names), None, Y)
    assert found.n_folds == 5


@pytest.mark.parametrize("n_positive", [0, 5])
def test_fewer_than_two_positives_in_a_fold(n_positive):
    y = np.where(np.cumsum(Y) <= n_positive, Y, 0)
    match = rf"two samples of each class in every fold. Got {n_positive // 5} in"
    with pytest.raises(ValueError, match=match):
        apr.auc_pr_interval_cv(FOLDS | {"indices": stratified_indices(y)}, X, y)


def test_the_fold_with_one_positive_is_named():
    test = INDICES["test"][3]
    y = np.where(np.isin(np.arange(N), test[Y[test] == 1][1:]), 0, Y)
    with pytest.raises(ValueError, match=r"two samples of each class.* Got 1 in fold 3"):
        apr.auc_pr_interval_cv(FOLDS, X, y)


def stratified_indices(y, n_splits=5):
    splits = list(StratifiedKFold(n_splits).split(y, y if y.any() else Y))
    return dict(zip(("train", "test"), zip(*splits, strict=True), strict=True))


def test_fewer_than_two_groups_with_positives_in_a_fold():
    groups = np.where(Y == 1, N, np.arange(N))
    message = r"two clusters .*StratifiedGroupKFold"
    with pytest.raises(ValueError, match=message):
        apr.auc_pr_interval_cv(FOLDS, X, Y, groups=groups)


def test_groups_in_both_parts_of_a_fold_make_the_estimate_optimistic():
    with pytest.warns(
        apr.CoverageWarning,
        match="A cluster of `groups` is in the training and in the test .* optimistic",
    ):
        found = apr.auc_pr_interval_cv(FOLDS, X, Y, groups=np.arange(N) // 2)
    assert "conservative" not in str(found)


def test_few_positives_in_a_fold_bias_the_mean():
    y = np.where(np.cumsum(Y) <= 20, Y, 0)
    with pytest.warns(
        apr.CoverageWarning, match="only 4 samples of a class.*bias the mean"
    ):
        found = apr.auc_pr_interval_cv(FOLDS | {"indices": stratified_indices(y)}, X, y)
    assert "conservative" not in str(found)


def test_two_positives_in_a_fold_are_enough():
    y = np.where(np.cumsum(Y) <= 10, Y, 0)
    indices = stratified_indices(y)
    with pytest.warns(apr.CoverageWarning, match="only 2 samples of a class"):
        found = apr.auc_pr_interval_cv(FOLDS | {"indices": indices}, X, y)
    assert found.fewest_positives == 2


@pytest.mark.parametrize(
    "test", [np.r_[0:114, 0], np.r_[0:114, -N]], ids=["again", "negative"]
)
def test_a_sample_that_a_fold_tests_twice(test):
    indices = {"train": [np.arange(114, N)], "test": [test]}
    cv_results = {"estimator": FOLDS["estimator"][:1], "indices": indices}
    with pytest.raises(ValueError, match="Got sample 0 more than once in fold 0"):
        apr.auc_pr_interval_cv(cv_results, X, Y)


@pytest.mark.parametrize("option", ["sample_weight", "prevalence", "recall_range"])
def test_options_without_known_coverage_are_not_offered(option):
    with pytest.raises(TypeError, match=option):
        apr.auc_pr_interval_cv(FOLDS, X, Y, **{option: None})


def test_plain_folds_of_any_container():
    pandas = pytest.importorskip("pandas")
    frame, column = pandas.DataFrame(X), pandas.Series(Y, index=range(7, 7 + N))
    cv_results = validated(TREE, frame, column, KFold(4))
    expected = apr.auc_pr_interval_cv(validated(TREE, cv=KFold(4)), X, Y)
    found = apr.auc_pr_interval_cv(cv_results, frame, column)
    assert found.estimate == pytest.approx(expected.estimate, rel=1e-12)


# Scores that look wrong


def scores_without_skill(seed, n_features=3):
    """Labels, and the scores of models that were fitted to noise, as results of folds."""
    rng = np.random.default_rng(seed)
    y, X = rng.random(120) < 0.3, rng.normal(size=(120, n_features))
    return validated(LogisticRegression(), X, y), X, y


def test_reversed_scores_of_folds_warn_once():
    folds = apr.cv_results_from_scores(-X[:, 0] - 5.0 * Y, np.arange(N) % 5)
    with pytest.warns(UserWarning, match="^The scores rank negatives above pos") as caught:
        apr.auc_pr_interval_cv(folds, None, Y)
    assert len(caught) == 1


def test_one_reversed_fold_does_not_warn():
    score = np.where(np.arange(N) % 5 == 2, -1, 1) * (X[:, 0] + 20.0 * Y)
    folds = apr.cv_results_from_scores(score, np.arange(N) % 5)
    apr.auc_pr_interval_cv(folds, None, Y)


@pytest.mark.parametrize("seed", range(4))
def test_models_without_skill_do_not_warn(seed):
    apr.auc_pr_interval_cv(*scores_without_skill(seed))


def test_scores_that_are_reversed_only_if_pooled_do_not_warn():
    """A model without skill predicts the share of positives among the other folds."""
    rng = np.random.default_rng(0)
    fold = np.arange(300) % 5
    y = rng.random(300) < np.array([0.2, 0.3, 0.4, 0.5, 0.6])[fold]
    share = np.array([y[fold != k].mean() for k in range(5)])[fold]
    score = share + 1e-6 * rng.normal(size=300)
    assert roc_auc_score(y, score) < 0.4
    apr.auc_pr_interval_cv(apr.cv_results_from_scores(score, fold), None, y)


def test_folds_with_a_constant_score_are_named():
    fold = np.arange(N) % 5
    score = np.where((fold == 1) | (fold == 3), 0.5, X[:, 0])
    with pytest.warns(UserWarning, match="^Fold 1, Fold 3: All samples have one") as caught:
        apr.auc_pr_interval_cv(apr.cv_results_from_scores(score, fold), None, Y)
    assert len(caught) == 1


def test_a_model_with_reversed_folds_is_named():
    fold = np.arange(N) % 5
    a, b = (apr.cv_results_from_scores(sign * Y + X[:, 0] / 9, fold) for sign in (9, -9))
    with pytest.warns(UserWarning, match="^Model 'b': The scores rank negatives above"):
        apr.compare_models_cv({"a": a, "b": b}, None, Y)
