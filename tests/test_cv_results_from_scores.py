"""Out-of-fold scores have the results of the estimators that gave them; input."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    PredefinedSplit,
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    cross_val_predict,
    cross_validate,
)
from sklearn.tree import DecisionTreeClassifier

import sklearn_achievable_pr as apr

X, BENIGN = load_breast_cancer(return_X_y=True)
X, Y = X[:, :4], 1 - BENIGN
N = len(Y)
LINEAR = LogisticRegression(max_iter=5000)
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
KEPT = {"return_estimator": True, "return_indices": True}
CV = StratifiedKFold(5, shuffle=True, random_state=0)


def numbers_of(cv, X, y, groups=None):
    """The number of the fold that tests each sample."""
    test_fold = np.full(len(y), -1)
    for number, (_, test) in enumerate(cv.split(X, y, groups)):
        test_fold[test] = number
    return test_fold


TEST_FOLD = numbers_of(CV, X, Y)


def fitted_and_given(model, y=Y, X=X, cv=CV, groups=None, method="predict_proba"):
    """Results of a cross-validation of scikit-learn, and of its out-of-fold scores."""
    fitted = cross_validate(model, X, y, cv=cv, groups=groups, **KEPT)
    y_score = cross_val_predict(model, X, y, cv=cv, groups=groups, method=method)
    return fitted, apr.cv_results_from_scores(y_score, numbers_of(cv, X, y, groups))


def same_folds(found, expected):
    """Whether labels and scores of all folds are equal."""
    return len(found.y_true) == len(expected.y_true) and all(
        np.array_equal(*pair)
        for name in ("y_true", "y_score")
        for pair in zip(getattr(found, name), getattr(expected, name), strict=True)
    )


# The results of scores are those of the fitted estimators.


@pytest.mark.parametrize(
    ("model", "method", "metric"),
    [
        (LINEAR, "decision_function", "auc_pr_interpolated"),
        (LINEAR, "decision_function", "average_precision"),
        (TREE, "predict_proba", "auc_pr_interpolated"),
        (TREE, "predict_proba", "aucnpr"),
    ],
)
def test_intervals_are_those_of_the_estimators(model, method, metric):
    fitted, given = fitted_and_given(model, method=method)
    expected = apr.auc_pr_interval_cv(fitted, X, Y, metric=metric)
    found = apr.auc_pr_interval_cv(given, None, Y, metric=metric)
    assert found.to_dict() == expected.to_dict()
    assert str(found) == f"{expected},\nif each model was fitted to all other folds"


@pytest.mark.parametrize("pos_label", [0, 1])
def test_two_columns_have_the_scores_of_both_labels(pos_label):
    fitted, given = fitted_and_given(TREE)
    expected = apr.auc_pr_interval_cv(fitted, X, Y, pos_label=pos_label)
    found = apr.auc_pr_interval_cv(given, None, Y, pos_label=pos_label)
    assert found.to_dict() == expected.to_dict()


def test_one_column_has_the_scores_of_the_positive_label():
    fitted, _ = fitted_and_given(TREE)
    of_benign = cross_val_predict(TREE, X, Y, cv=CV, method="predict_proba")[:, 0]
    given = apr.cv_results_from_scores(of_benign, TEST_FOLD)
    expected = apr.auc_pr_interval_cv(fitted, X, Y, pos_label=0)
    assert apr.auc_pr_interval_cv(given, None, Y, pos_label=0).to_dict() == (
        expected.to_dict()
    )


def test_comparisons_are_those_of_the_estimators():
    linear, linear_scores = fitted_and_given(LINEAR)
    tree, tree_scores = fitted_and_given(TREE)
    fitted = {"linear": linear, "tree": tree}
    given = {"linear": linear_scores, "tree": tree_scores}
    options = {"response_method": "predict_proba"}
    expected = apr.compare_models_cv(fitted, X, Y, **options)
    assert apr.compare_models_cv(given, None, Y).to_dict() == expected.to_dict()


def test_scores_are_compared_with_estimators_on_the_same_folds():
    linear, linear_scores = fitted_and_given(LINEAR, method="decision_function")
    tree, _ = fitted_and_given(TREE)
    expected = apr.compare_models_cv({"a": linear, "b": tree}, X, Y)
    found = apr.compare_models_cv({"a": linear_scores, "b": tree}, X, Y)
    assert found.to_dict() == expected.to_dict()


def test_clusters_are_those_of_the_estimators():
    patient = np.random.default_rng(0).permutation(N) // 3
    cv = StratifiedGroupKFold(5)
    fitted, given = fitted_and_given(TREE, cv=cv, groups=patient)
    expected = apr.auc_pr_interval_cv(fitted, X, Y, groups=patient)
    found = apr.auc_pr_interval_cv(given, None, Y, groups=patient)
    assert found.to_dict() == expected.to_dict()


def of_repeats(model):
    """Results of a repeated cross-validation, and of the scores of each repeat."""
    fitted = cross_validate(
        model, X, Y, cv=RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0),
        **KEPT,
    )  # fmt: skip
    scores, folds = np.empty((3, N)), np.empty((3, N), dtype=int)
    pairs = zip(fitted["estimator"], fitted["indices"]["test"], strict=True)
    for i, (estimator, test) in enumerate(pairs):
        scores[i // 4, test] = estimator.predict_proba(X[test])[:, 1]
        folds[i // 4, test] = i % 4
    return fitted, apr.cv_results_from_scores([*scores], [*folds])


def test_repeats_are_those_of_the_estimators():
    fitted, given = of_repeats(TREE)
    found = apr.auc_pr_interval_cv(given, None, Y)
    assert (found.n_folds, found.n_repeats) == (12, 3)
    assert found.to_dict() == apr.auc_pr_interval_cv(fitted, X, Y).to_dict()


def test_a_list_of_one_array_is_one_run():
    _, given = fitted_and_given(TREE)
    score = cross_val_predict(TREE, X, Y, cv=CV, method="predict_proba")
    found = apr.cv_results_from_scores([score], [TEST_FOLD])
    assert same_folds(
        apr.fold_predictions(found, None, Y), apr.fold_predictions(given, None, Y)
    )


def test_lists_of_numbers_are_one_run():
    score = cross_val_predict(TREE, X, Y, cv=CV, method="predict_proba")
    expected = apr.cv_results_from_scores(score, TEST_FOLD)
    found = apr.cv_results_from_scores(score.tolist(), TEST_FOLD.tolist())
    assert same_folds(
        apr.fold_predictions(found, None, Y), apr.fold_predictions(expected, None, Y)
    )


@pytest.mark.parametrize("weight", [None, np.arange(N) + 1.0])
def test_predictions_and_summaries_are_those_of_the_estimators(weight):
    fitted, given = fitted_and_given(TREE)
    expected = apr.fold_predictions(fitted, X, Y, sample_weight=weight)
    found = apr.fold_predictions(given, None, Y, sample_weight=weight)
    assert same_folds(found, expected)
    areas = [apr.summary_auc_pr(one.y_true, one.y_score) for one in (found, expected)]
    assert areas[0] == areas[1]
    curves = [apr.summary_pr_curve(one.y_true, one.y_score) for one in (found, expected)]
    np.testing.assert_array_equal(*curves)


def test_the_display_is_that_of_the_estimators():
    fitted, given = fitted_and_given(TREE)
    draw = apr.AchievablePRDisplay.from_cv_results
    expected, found = draw(fitted, X, Y, band="folds"), draw(given, None, Y, band="folds")
    pd.testing.assert_frame_equal(found.to_frame(), expected.to_frame())
    assert found.ax_.get_ylabel() == expected.ax_.get_ylabel()


# Several classes


SEPALS, SPECIES = load_iris(return_X_y=True)
SEPALS, SPECIES = SEPALS[:, :2], np.array(["setosa", "virginica", "color"])[SPECIES]
every_species = pytest.mark.parametrize("species", ["color", "setosa", "virginica"])


@pytest.mark.parametrize(
    ("species", "method"),
    [
        ("color", "decision_function"),
        ("setosa", "predict_proba"),
        ("virginica", "decision_function"),
    ],
)
def test_one_of_several_classes_is_compared_with_the_others(species, method):
    fitted, given = fitted_and_given(LINEAR, SPECIES, SEPALS, method=method)
    options = {"pos_label": species, "response_method": method}
    expected = apr.auc_pr_interval_cv(fitted, SEPALS, SPECIES, **options)
    found = apr.auc_pr_interval_cv(given, None, SPECIES, pos_label=species)
    assert found.to_dict() == expected.to_dict()
    column = ["color", "setosa", "virginica"].index(species)
    areas = [
        apr.auc_pr_interpolated(SPECIES[test] == species, getattr(one, method)(
            SEPALS[test]
        )[:, column])
        for one, test in zip(fitted["estimator"], fitted["indices"]["test"], strict=True)
    ]  # fmt: skip
    assert found.fold_values == pytest.approx(areas, rel=1e-12)


@every_species
def test_displays_of_one_of_several_classes(species):
    fitted, given = fitted_and_given(TREE, SPECIES, SEPALS)
    draw = apr.AchievablePRDisplay.from_cv_results
    expected = draw(fitted, SEPALS, SPECIES, pos_label=species)
    found = draw(given, None, SPECIES, pos_label=species)
    pd.testing.assert_frame_equal(found.to_frame(), expected.to_frame())
    assert found.ax_.get_ylabel() == f"Precision (Positive label: {species})"


def test_comparisons_of_one_of_several_classes():
    linear, linear_scores = fitted_and_given(LINEAR, SPECIES, SEPALS)
    tree, tree_scores = fitted_and_given(TREE, SPECIES, SEPALS)
    options = {"pos_label": "color", "response_method": "predict_proba"}
    expected = apr.compare_models_cv({"a": linear, "b": tree}, SEPALS, SPECIES, **options)
    given = {"a": linear_scores, "b": tree_scores}
    found = apr.compare_models_cv(given, None, SPECIES, pos_label="color")
    assert found.to_dict() == expected.to_dict()


@pytest.mark.parametrize("y", [SPECIES, np.unique(SPECIES, return_inverse=True)[1]])
def test_the_positive_one_of_several_classes_must_be_named(y):
    fitted, given = fitted_and_given(TREE, y, SEPALS)
    with pytest.raises(ValueError, match=r"`y` must have two labels\. Got 3.*`pos_label`"):
        apr.fold_predictions(given, None, y)
    with pytest.raises(ValueError, match=r"a binary classifier\. Got 3.*`pos_label`"):
        apr.fold_predictions(fitted, SEPALS, y)


def test_a_label_that_no_sample_has():
    fitted, given = fitted_and_given(TREE, SPECIES, SEPALS)
    with pytest.raises(ValueError, match="`pos_label`='rose' is not a label of `y`"):
        apr.fold_predictions(given, None, SPECIES, pos_label="rose")
    with pytest.raises(
        ValueError, match="`pos_label`='rose' is not a label of `estimator`"
    ):
        apr.fold_predictions(fitted, SEPALS, SPECIES, pos_label="rose")


def test_a_class_that_the_estimator_was_not_fitted_with():
    fitted, _ = fitted_and_given(TREE, SPECIES, SEPALS)
    y = np.where(np.arange(len(SPECIES)) < 5, "rose", SPECIES)
    with pytest.raises(ValueError, match=r"only classes of `estimator`.* Got \['rose'\]"):
        apr.fold_predictions(fitted, SEPALS, y, pos_label="color")


# Samples that no fold tests


def test_samples_that_no_fold_tests_are_training_samples():
    test_fold = np.where(TEST_FOLD == 4, -1, TEST_FOLD)
    cv = PredefinedSplit(test_fold)
    fitted = cross_validate(TREE, X, Y, cv=cv, **KEPT)
    y_score = np.full(N, np.nan)
    for number in range(4):
        test = test_fold == number
        model = TREE.fit(X[~test], Y[~test])
        y_score[test] = model.predict_proba(X[test])[:, 1]
    given = apr.cv_results_from_scores(y_score, test_fold)
    found = apr.auc_pr_interval_cv(given, None, Y)
    assert found.to_dict() == apr.auc_pr_interval_cv(fitted, X, Y).to_dict()
    assert found.n_samples == np.count_nonzero(test_fold >= 0)


def test_one_hold_out():
    is_tested = TEST_FOLD == 0
    score = TREE.fit(X[~is_tested], Y[~is_tested]).predict_proba(X)[:, 1]
    score = np.where(is_tested, score, np.nan)
    given = apr.cv_results_from_scores(score, np.where(is_tested, 0, -1))
    found = apr.auc_pr_interval_cv(given, None, Y)
    assert found.estimate == pytest.approx(
        apr.auc_pr_interpolated(Y[is_tested], score[is_tested]), rel=1e-12
    )
    assert found.n_train == (np.count_nonzero(~is_tested),)


# The entries that stand in for estimators


SCORE = cross_val_predict(TREE, X, Y, cv=CV, method="predict_proba")[:, 1]
GIVEN = apr.cv_results_from_scores(SCORE, TEST_FOLD)


def test_an_entry_says_that_it_is_no_fitted_estimator():
    assert repr(GIVEN["estimator"][0]) == (
        "<scores of 114 test samples, without a fitted estimator>"
    )


def test_results_can_be_pickled():
    found = apr.auc_pr_interval_cv(pickle.loads(pickle.dumps(GIVEN)), None, Y)
    assert found.to_dict() == apr.auc_pr_interval_cv(GIVEN, None, Y).to_dict()


def test_arrays_that_change_later_do_not_change_the_results():
    score = SCORE.copy()
    given = apr.cv_results_from_scores(score, TEST_FOLD)
    score[:] = 0
    assert same_folds(
        apr.fold_predictions(given, None, Y), apr.fold_predictions(GIVEN, None, Y)
    )


@pytest.mark.parametrize("ignored", [X[:9], "nothing"])
def test_the_input_of_estimators_is_not_looked_at(ignored):
    assert same_folds(
        apr.fold_predictions(GIVEN, ignored, Y), apr.fold_predictions(GIVEN, None, Y)
    )


def test_a_method_is_not_called_but_checked():
    found = apr.fold_predictions(GIVEN, None, Y, response_method="decision_function")
    assert same_folds(found, apr.fold_predictions(GIVEN, None, Y))
    with pytest.raises(ValueError, match="`response_method` must be one of"):
        apr.fold_predictions(GIVEN, None, Y, response_method="predict")


def test_folds_may_be_numbered_from_1():
    given = apr.cv_results_from_scores(SCORE, TEST_FOLD + 1.0)
    assert same_folds(
        apr.fold_predictions(given, None, Y), apr.fold_predictions(GIVEN, None, Y)
    )


@pytest.mark.parametrize("numbers", [[1, 2, 3, 4, 5], [3, 0, 4, 1, 2]])
def test_folds_with_other_numbers_are_the_same_folds(numbers):
    linear, _ = fitted_and_given(LINEAR)
    given = apr.cv_results_from_scores(SCORE, np.array(numbers)[TEST_FOLD])
    expected = apr.compare_models_cv({"a": linear, "b": GIVEN}, X, Y)
    found = apr.compare_models_cv({"a": linear, "b": given}, X, Y)
    assert found.to_dict() == expected.to_dict()


# Pandas objects


FRAME = pd.DataFrame({"y": Y, "score": SCORE, "fold": TEST_FOLD}, index=np.arange(N) + 7)


def test_columns_of_a_frame():
    given = apr.cv_results_from_scores(FRAME["score"], FRAME["fold"])
    assert same_folds(
        apr.fold_predictions(given, None, FRAME["y"]), apr.fold_predictions(GIVEN, None, Y)
    )


def test_columns_in_different_orders_raise():
    shuffled = FRAME.sample(frac=1, random_state=0)
    with pytest.raises(ValueError, match=r"`test_fold` and `y_score` must .* one order"):
        apr.cv_results_from_scores(FRAME["score"], shuffled["fold"])


def test_repeats_in_different_orders_raise():
    shuffled = FRAME.sample(frac=1, random_state=0)
    scores, folds = ([one[name] for one in (FRAME, shuffled)] for name in ("score", "fold"))
    with pytest.raises(ValueError, match=r"`y_score\[1\]` and `y_score\[0\]` must"):
        apr.cv_results_from_scores(scores, folds)


def test_models_in_different_orders_raise():
    shuffled = FRAME.sample(frac=1, random_state=0)
    pairs = {
        name: apr.cv_results_from_scores(scores, TEST_FOLD)
        for name, scores in {"a": FRAME["score"], "b": shuffled["score"]}.items()
    }
    with pytest.raises(ValueError, match=r"`y_score\['b'\]` and `y_score\['a'\]` must"):
        apr.compare_models_cv(pairs, None, Y)


@pytest.mark.parametrize("argument", ["groups", "sample_weight"])
def test_groups_and_weights_in_another_order_than_the_scores_raise(argument):
    given = apr.cv_results_from_scores(FRAME["score"], TEST_FOLD)
    function = apr.auc_pr_interval_cv if argument == "groups" else apr.fold_predictions
    other = pd.Series(np.arange(N) + 1.0, index=FRAME.index[::-1])
    with pytest.raises(ValueError, match=f"`(y_score|{argument})` and `.*` must have"):
        function(given, None, Y, **{argument: other})


@pytest.mark.parametrize("name", ["y_score", "test_fold"])
def test_labels_in_another_order_raise(name):
    data = {"y_score": SCORE, "test_fold": TEST_FOLD}
    data[name] = pd.Series(data[name], index=FRAME.index)
    given = apr.cv_results_from_scores(**data)
    with pytest.raises(ValueError, match=f"`{name}` and `y` must .* one order"):
        apr.fold_predictions(given, None, FRAME["y"].sample(frac=1, random_state=0))


@pytest.mark.parametrize("y", [None, "y"])
def test_labels_of_a_wrong_kind_are_named(y):
    with pytest.raises(TypeError, match="`y` must be an array"):
        apr.auc_pr_interval_cv(GIVEN, None, y)


def test_columns_with_the_names_of_classes_must_be_in_their_order():
    scores = cross_val_predict(TREE, SEPALS, SPECIES, cv=CV, method="predict_proba")
    test_fold = numbers_of(CV, SEPALS, SPECIES)
    frame = pd.DataFrame(scores, columns=["virginica", "setosa", "color"])
    given = apr.cv_results_from_scores(frame, test_fold)
    with pytest.raises(ValueError, match="`y_score` must have its columns in the order of"):
        apr.fold_predictions(given, None, SPECIES, pos_label="color")


# Errors


SIX, FOLDS = np.arange(6) / 6, np.arange(6) % 3


@pytest.mark.parametrize(
    ("test_fold", "error", "match"),
    [
        (FOLDS / 2, ValueError, r"integers.*or -1 if none does. Got 0\.5"),
        (FOLDS - 2, ValueError, r"integers.*or -1 if none does. Got -2"),
        ([0, 1, np.nan] * 2, ValueError, r"integers.*or -1 if none does. Got nan"),
        (FOLDS == 0, TypeError, r"integers.*or -1 if none does. Got True"),
    ],
)
def test_numbers_of_folds_that_are_no_integers(test_fold, error, match):
    with pytest.raises(error, match=match):
        apr.cv_results_from_scores(SIX, test_fold)


@pytest.mark.parametrize(
    ("test_fold", "match"),
    [
        (2 * FOLDS, r"without a gap, .* Got the numbers \[0, 2, 4\]"),
        (FOLDS * 0 - 1, r"each with a test sample.* numbers \[-1\]"),
        (FOLDS * 0, "leave training samples.*use auc_pr_interval"),
    ],
)
def test_numbers_that_are_no_folds(test_fold, match):
    with pytest.raises(ValueError, match=match):
        apr.cv_results_from_scores(SIX, test_fold)


@pytest.mark.parametrize(
    ("y_score", "test_fold", "match"),
    [
        (SIX, FOLDS[:5], "one entry per sample. Got 6 scores and 5 numbers"),
        (SIX, np.column_stack([FOLDS] * 2), "`test_fold` must be one-dimensional"),
        ([SIX, SIX], [FOLDS], r"Got 2 array\(s\) of scores and 1 of numbers of folds"),
        (
            [SIX, SIX[:5]], [FOLDS, FOLDS[:5]],
            r"same samples and classes in every repeat. Got .* \[\(5,\), \(6,\)\]",
        ),
    ],
)  # fmt: skip
def test_numbers_of_other_samples_than_the_scores(y_score, test_fold, match):
    with pytest.raises(ValueError, match=match):
        apr.cv_results_from_scores(y_score, test_fold)


@pytest.mark.parametrize(
    ("y_score", "match"),
    [([*"abcabc"], "`y_score` must hold real numbers"), (None, "must be an array .* None")],
)
def test_scores_that_are_no_numbers(y_score, match):
    with pytest.raises(TypeError, match=match):
        apr.cv_results_from_scores(y_score, FOLDS)


@pytest.mark.parametrize(
    ("y_score", "test_fold", "match"),
    [
        (
            np.where(FOLDS == 1, np.nan, SIX), FOLDS,
            "Got nan at position 1, in fold 1: pass the fold -1 for",
        ),
        (
            np.where(FOLDS == 1, np.inf, SIX), FOLDS,
            r"Got inf at position 1, in fold 1: pass `np.nan_to_num\(y_score\)`",
        ),
        (SIX, FOLDS - 1, r"must be NaN for.* Got 0\.0 at position 0"),
    ],
)  # fmt: skip
def test_scores_of_samples_that_are_tested_and_of_no_others(y_score, test_fold, match):
    with pytest.raises(ValueError, match=match):
        apr.cv_results_from_scores(y_score, test_fold)


@pytest.mark.parametrize(
    ("y", "options", "match"),
    [
        (Y[:400], {}, "cv_results_from_scores, 569. Got 400 labels"),
        (np.arange(N) % 3, {"pos_label": 1}, r"\[0, 1, 2\].* Got 1 column.*`y == label`"),
        (np.where(Y, "sick", "well"), {}, "pass pos_label='sick' or pos_label='well'"),
        (Y, {"pos_label": 7}, "`pos_label`=7 is not a label of `y`"),
    ],
)
def test_labels_that_do_not_fit_the_scores_raise(y, options, match):
    with pytest.raises(ValueError, match=match):
        apr.auc_pr_interval_cv(GIVEN, None, y, **options)


def test_more_columns_than_labels():
    scores = np.column_stack([SCORE] * 3)
    given = apr.cv_results_from_scores(scores, TEST_FOLD)
    with pytest.raises(ValueError, match=r"label of `y`, \[0, 1\].* Got 3 column"):
        apr.fold_predictions(given, None, Y)


@pytest.mark.parametrize("names", [[*"edcba"], pd.Categorical([*"edcba"])])
def test_folds_with_names_raise_and_show_their_numbers(names):
    test_fold = names[TEST_FOLD] if isinstance(names, pd.Categorical) else (
        [names[number] for number in TEST_FOLD]
    )  # fmt: skip
    with pytest.raises(TypeError, match="`test_fold` must hold integers") as caught:
        apr.cv_results_from_scores(SCORE, test_fold)
    advice = str(caught.value).split("`")[-2]
    given = apr.cv_results_from_scores(
        SCORE, eval(advice, {"np": np, "test_fold": test_fold})
    )
    pairs = {"a": GIVEN, "b": given}
    assert apr.compare_models_cv(pairs, None, Y).pairs["a", "b"].difference == 0


# Numbers of training samples


@pytest.mark.parametrize("n_train", [400, [400] * 5, np.full((5, 1), 400.0)])
def test_a_given_number_of_training_samples_is_that_of_the_result(n_train):
    given = apr.cv_results_from_scores(SCORE, TEST_FOLD, n_train=n_train)
    found = apr.auc_pr_interval_cv(given, None, Y)
    assert found.n_train == (400,) * 5
    assert str(found).endswith("\nfor models fitted to 400 samples (conservative)")


def test_fewer_training_samples_have_a_wider_interval():
    """The factor of Nadeau and Bengio has the mean number of training samples."""
    given = apr.cv_results_from_scores(SCORE, TEST_FOLD, n_train=300)
    assumed = apr.auc_pr_interval_cv(GIVEN, None, Y)
    found = apr.auc_pr_interval_cv(given, None, Y)
    factor = (1 + N / 300) / (1 + N / np.mean(assumed.n_train))
    expected = assumed.standard_error * factor**0.5
    assert found.standard_error == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n_train", [[[400] * 5, [404] * 5], [400] * 5 + [404] * 5])
def test_numbers_of_training_samples_of_repeats(n_train):
    given = apr.cv_results_from_scores([SCORE] * 2, [TEST_FOLD] * 2, n_train=n_train)
    found = apr.auc_pr_interval_cv(given, None, Y)
    assert found.n_train == (400,) * 5 + (404,) * 5


def test_all_other_folds_as_a_given_number_are_not_assumed():
    sizes = [N - np.count_nonzero(number == TEST_FOLD) for number in range(5)]
    given = apr.cv_results_from_scores(SCORE, TEST_FOLD, n_train=sizes)
    fitted = cross_validate(TREE, X, Y, cv=CV, **KEPT)
    text = str(apr.compare_models_cv({"a": fitted, "b": given}, X, Y))
    assert "if each model" not in text
    text = str(apr.compare_models_cv({"a": fitted, "b": GIVEN}, X, Y))
    assert text.endswith(",\nif each model was fitted to all other folds")


@pytest.mark.parametrize(
    ("n_train", "match"),
    [
        (456, "Got 456 for fold 0, which does not test 455"),
        (0, "from 1 to .* Got 0 for fold 0"),
        ([400, np.nan, 400, 400, 400], "Got nan for fold 1"),
        (True, "Got True for fold 0"),
    ],
)
def test_numbers_of_training_samples_that_are_wrong(n_train, match):
    with pytest.raises(ValueError, match=match):
        apr.cv_results_from_scores(SCORE, TEST_FOLD, n_train=n_train)


@pytest.mark.parametrize(
    ("n_train", "error", "match"),
    [
        ([400, 400], ValueError, "one number, or one per fold, 5. Got 2 numbers"),
        (0.8, ValueError, r"number of samples.* Got 0\.8 for fold 0"),
        ("400", TypeError, "`n_train` must hold real numbers"),
    ],
)
def test_no_numbers_of_training_samples(n_train, error, match):
    with pytest.raises(error, match=match):
        apr.cv_results_from_scores(SCORE, TEST_FOLD, n_train=n_train)


def test_unequal_numbers_of_training_samples_have_no_known_coverage():
    given = apr.cv_results_from_scores(SCORE, TEST_FOLD, n_train=[90, 180, 270, 360, 450])
    match = "have 90 to 450 samples.*if the folds are given, report these numbers"
    with pytest.warns(apr.CoverageWarning, match=match):
        apr.auc_pr_interval_cv(given, None, Y)


def test_different_numbers_of_training_samples_cannot_be_compared():
    pairs = {
        name: apr.cv_results_from_scores(SCORE, TEST_FOLD, n_train=n_train)
        for name, n_train in {"a": 400, "b": 300}.items()
    }
    with pytest.raises(ValueError, match="with the same `n_train`"):
        apr.compare_models_cv(pairs, None, Y)


def test_different_folds_cannot_be_compared():
    other = apr.cv_results_from_scores(SCORE, np.arange(N) % 5)
    with pytest.raises(ValueError, match="`test_fold` to cv_results_from_scores"):
        apr.compare_models_cv({"a": GIVEN, "b": other}, None, Y)


PREDICTED = cross_val_predict(TREE, X, Y, cv=CV)


@pytest.mark.parametrize(
    "labels", [PREDICTED, PREDICTED.astype(np.float32), 2.0 * PREDICTED - 1]
)
def test_predicted_labels_in_place_of_scores_warn(labels):
    with pytest.warns(UserWarning, match="`y_score` has only .* like predicted labels"):
        apr.cv_results_from_scores(labels, TEST_FOLD)


def test_predicted_labels_of_several_repeats_warn_once():
    with pytest.warns(UserWarning, match="`y_score` has only 0 and 1") as caught:
        apr.cv_results_from_scores([PREDICTED] * 3, [TEST_FOLD] * 3)
    assert len(caught) == 1


def test_predicted_labels_1_and_2_warn_once_where_the_labels_are_passed():
    given = apr.cv_results_from_scores(PREDICTED + 1.0, TEST_FOLD)
    options = {"y": Y + 1, "X": None, "pos_label": 2}
    with pytest.warns(UserWarning, match=r"`y_score\['a'\]` has only 1 and 2") as caught:
        apr.compare_models_cv({"a": given, "b": given}, **options)
    assert len(caught) == 1
    for function in (apr.auc_pr_interval_cv, apr.fold_predictions):
        with pytest.warns(UserWarning, match="`y_score` has only 1 and 2"):
            function(given, **options)
