"""`compare_models_cv`: tests of learners on the same folds, against the formula."""

import numpy as np
import pandas as pd
import pytest
from cross_validations import (
    BAYES,
    FOLDS,
    TREE,
    N,
    X,
    Y,
    every_design,
    of_design,
    of_unequal_trains,
    slow,
    validated,
)
from scipy.stats import t
from sklearn.model_selection import ShuffleSplit, StratifiedKFold
from slow_twins import error_and_df, with_unseen

import sklearn_achievable_pr as apr

NOISE = 0.2 * np.random.default_rng(0).random((2, N, 1))


@every_design
def test_difference_is_that_of_the_formula(design):
    a, groups = of_design(TREE, design)
    b, _ = of_design(BAYES, design)
    mean_a, moves_a, *rest, n, factor = slow(a, "auc_pr_interpolated", **groups)
    mean_b, moves_b, *_ = slow(b, "auc_pr_interpolated", **groups)
    moves = moves_a - moves_b
    seen = moves, *error_and_df(moves, *rest)
    error, df = with_unseen(*seen, n, n * (2 - mean_a - mean_b), factor)
    difference, reach = mean_a - mean_b, t.ppf(0.975, df) * error
    found = apr.compare_models_cv({"a": a, "b": b}, X, Y, **groups).pairs["a", "b"]
    assert found.difference == pytest.approx(difference, rel=1e-9)
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    assert found.pvalue == pytest.approx(2 * t.sf(abs(difference) / error, df), rel=1e-7)
    expected = difference - reach, difference + reach
    np.testing.assert_allclose(found.confidence_interval, expected, rtol=1e-8)


def test_a_comparison_warns_once_of_unequal_training_sets():
    cv_results = of_unequal_trains(5)
    with pytest.warns(apr.CoverageWarning, match="have 395 to 400 samples") as caught:
        apr.compare_models_cv({"a": cv_results, "b": cv_results}, X, Y)
    assert len(caught) == 1


def test_models_of_a_comparison_have_the_intervals_of_each():
    cv_results = {
        "tree": FOLDS,
        "bayes": validated(BAYES),
        "small": validated(BAYES, X[:, :1]),
    }
    inputs = {"tree": X, "bayes": X, "small": X[:, :1]}
    found = apr.compare_models_cv(cv_results, inputs, Y, reference="bayes")
    assert [*found.pairs] == [("tree", "bayes"), ("small", "bayes")]
    for name, model in found.models.items():
        expected = apr.auc_pr_interval_cv(cv_results[name], inputs[name], Y)
        assert model.to_dict() == expected.to_dict()
    (line,) = [line for line in str(found).splitlines() if "for models" in line]
    assert (
        line
        == f"valid for models fitted to 455 samples; conservative for the refit on all {N}"
    )


WORDS = np.where(Y, "malignant", "benign")
NAMES_BOTH = "pass pos_label='benign' or pos_label='malignant'"


def test_labels_that_do_not_tell_the_positive_class_raise_and_are_named():
    cv_results = validated(TREE, y=WORDS)
    with pytest.raises(ValueError, match=NAMES_BOTH):
        apr.auc_pr_interval_cv(cv_results, X, WORDS)
    with pytest.raises(ValueError, match=NAMES_BOTH):
        apr.compare_models_cv({"a": cv_results, "b": cv_results}, X, WORDS)


@every_design
def test_equal_models_may_differ_in_the_population(design):
    """The interval is that of one unseen discordant sample of each model."""
    a, groups = of_design(TREE, design)
    *_, n, factor = slow(a, "auc_pr_interpolated", **groups)
    found = apr.compare_models_cv({"a": a, "b": a}, X, Y, **groups).pairs["a", "b"]
    reach = t.ppf(0.975, n - 1) * np.sqrt(2 * factor) / (n + 2)
    assert (found.difference, found.statistic, found.pvalue) == (0, 0, 1)
    assert found.confidence_interval == pytest.approx((-reach, reach), rel=1e-9)


def test_a_comparison_of_models_can_be_plotted():
    pytest.importorskip("matplotlib").use("Agg")
    apr.compare_models_cv({"a": FOLDS, "b": validated(BAYES)}, X, Y).plot()


# Errors and warnings


OTHER_FOLDS = validated(BAYES, cv=StratifiedKFold(5, shuffle=True, random_state=1))
MODEL_OF_MALIGNANT = apr.HullThresholdClassifierCV(BAYES, pos_label=0, cv=2)


def test_a_comparison_warns_once_of_groups_in_both_parts():
    with pytest.warns(apr.CoverageWarning, match="optimistic") as caught:
        apr.compare_models_cv(SAME, X, Y, groups=np.arange(N) // 2)
    assert len(caught) == 1


SAME = {"a": FOLDS, "b": FOLDS}
TRAINS = FOLDS["indices"]["train"]
OF_FEWER = FOLDS["indices"] | {"train": [train[1:] for train in TRAINS]}
OF_OTHERS = FOLDS["indices"] | {"train": [np.append(t[1:], t[1]) for t in TRAINS]}


@pytest.mark.parametrize(
    "other",
    [OTHER_FOLDS, FOLDS | {"indices": OF_FEWER}, FOLDS | {"indices": OF_OTHERS}],
    ids=["other tests", "fewer training samples", "other training samples"],
)
def test_models_of_different_folds_raise(other):
    with pytest.raises(ValueError, match="the same folds for"):
        apr.compare_models_cv({"a": FOLDS, "b": other}, X, Y)


@pytest.mark.filterwarnings("ignore:Models of `cv_results`:UserWarning")
def test_models_of_different_positive_labels_raise():
    other = validated(MODEL_OF_MALIGNANT)
    with pytest.raises(ValueError, match="the same positive label for all models"):
        apr.compare_models_cv({"a": FOLDS, "b": other}, X, Y)


@pytest.mark.parametrize(
    ("cv_results", "kind", "match"),
    [
        ({"a": FOLDS, "b": None}, ValueError, "what cross_validate returns .* Got None"),
        (FOLDS, ValueError, "must be what cross_validate returns"),
        ({"a": FOLDS}, TypeError, "must have at least two models: a mapping from"),
        ([FOLDS, FOLDS], TypeError, "at least two models.*Got list"),
    ],
)
def test_what_is_no_mapping_of_results_raises(cv_results, kind, match):
    with pytest.raises(kind, match=match):
        apr.compare_models_cv(cv_results, X, Y)


@pytest.mark.parametrize(
    ("given", "kind", "match"),
    [
        ({"X": None}, TypeError, "`X`, `y` and.* `X` is None"),
        ({"X": {"a": X}}, ValueError, "`X` must be an input of all"),
        ({"reference": "c"}, ValueError, "`reference` must be"),
        ({"adjust": "x"}, ValueError, "`adjust` must be one of"),
    ],
)
def test_errors_of_a_comparison_name_the_argument(given, kind, match):
    with pytest.raises(kind, match=match):
        apr.compare_models_cv(**{"cv_results": SAME, "X": X, "y": Y} | given)


def test_inputs_of_the_models_in_different_orders_raise():
    frame = pd.DataFrame(X, index=np.arange(N) + 3)
    inputs = {"a": frame, "b": frame[::-1]}
    with pytest.raises(ValueError, match=r"`X\['b'\]` and `X\['a'\]` must have"):
        apr.compare_models_cv(SAME, inputs, Y)


def test_folds_in_another_order_are_compared_with_the_same_folds():
    cv = ShuffleSplit(6, test_size=0.3, random_state=0)
    a, b = validated(TREE, cv=cv), validated(BAYES, cv=cv)
    order, flip = [3, 0, 5, 1, 4, 2], slice(None, None, -1)
    other = {
        "estimator": [b["estimator"][i] for i in order],
        "indices": {
            part: [b["indices"][part][i][flip] for i in order] for part in ("train", "test")
        },
    }
    expected = apr.compare_models_cv({"a": a, "b": b}, X, Y)
    found = apr.compare_models_cv({"a": a, "b": other}, X, Y)
    assert found.models["b"].fold_values == expected.models["b"].fold_values
    pairs = [one.pairs["a", "b"] for one in (found, expected)]
    assert pairs[0].pvalue == pytest.approx(pairs[1].pvalue, rel=1e-9)


def test_two_perfect_learners_may_differ_in_the_population():
    """The factor of overlapping training sets is that of other differences."""
    inputs = {
        name: Y[:, np.newaxis] + noise for name, noise in zip("ab", NOISE, strict=True)
    }
    cv_results = {name: validated(BAYES, inputs[name]) for name in inputs}
    pair = apr.compare_models_cv(cv_results, inputs, Y).pairs["a", "b"]
    assert pair.estimates == (1, 1)
    # Each of five folds has at least 42 of 212 positives, and trains on four fifths.
    error = np.sqrt(2 * (1 + N / (0.8 * N))) / (5 * 42 + 2)
    assert pair.standard_error == pytest.approx(error, rel=1e-3)


@pytest.mark.filterwarnings("ignore:.*The scores rank negatives")
def test_a_difference_that_no_sample_influences():
    inputs = {"best": Y[:, np.newaxis], "worst": 1 - Y[:, np.newaxis]}
    cv_results = {name: validated(TREE, inputs["best"]) for name in inputs}
    with pytest.warns(UserWarning, match="Model 'worst': .* negatives above positives"):
        found = apr.compare_models_cv(cv_results, inputs, Y, metric="aucnpr")
    pair = found.pairs["best", "worst"]
    assert pair.difference == 1
    assert 0.9 < pair.confidence_interval.low < 0.99
    assert pair.confidence_interval.high == 1
    assert pair.pvalue < 0.001
