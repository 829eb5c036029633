"""Columns of scores: their names beside the classes, and the one of the positive label.

Names of columns that are classes must be in the order of the classes. Where binary scores
are needed, the error of several columns names the column that gives the right value.
"""

import numpy as np
import pandas as pd
import polars
import pyarrow
import pytest
from public_names import CALLABLES
from sklearn.metrics import average_precision_score

import sklearn_achievable_pr as apr

RNG = np.random.default_rng(0)
N = 60
Y = np.arange(N) % 3
WORDS = np.array(["ant", "bee", "cat"])
SCORES = np.eye(3)[Y] + RNG.normal(size=(N, 3))
EXPECTED = average_precision_score(np.eye(3)[Y], SCORES)


def pandas(columns, names):
    return pd.DataFrame(columns, columns=names)


def of_polars(columns, names):
    return polars.DataFrame(columns, schema=[*map(str, names)])


def of_arrow(columns, names):
    return pyarrow.table(dict(zip(map(str, names), columns.T, strict=True)))


FRAMES = {"pandas": pandas, "polars": of_polars, "arrow": of_arrow}
every_frame = pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)


def average(y_true, y_score, **options):
    result = apr.auc_pr_interval(y_true, y_score, metric="average_precision", **options)
    return result.estimate


EACH_KIND = pytest.mark.parametrize(
    ("make", "y_true"),
    [
        (pandas, Y),
        (pandas, Y.astype(float)),
        (of_polars, Y.astype(str)),
        (of_arrow, WORDS[Y]),
    ],
    ids=["integers", "floats", "text of polars", "words of Arrow"],
)


@EACH_KIND
def test_names_of_classes_in_their_order_are_taken(make, y_true):
    assert average(y_true, make(SCORES, np.unique(y_true))) == pytest.approx(
        EXPECTED, abs=1e-12
    )


@EACH_KIND
def test_names_of_classes_in_another_order_raise_and_the_right_order_is_shown(make, y_true):
    names = np.unique(y_true)[::-1]
    frame = make(SCORES[:, ::-1], [*map(str, names)])
    with pytest.raises(ValueError, match="must have its columns in the order") as caught:
        apr.auc_pr_interpolated(y_true, frame)
    way_out = str(caught.value).rpartition("Pass `")[2].removesuffix("`.")
    assert average(y_true, eval(way_out, {"y_score": frame})) == pytest.approx(
        EXPECTED, abs=1e-12
    )


@every_frame
def test_names_of_which_only_some_are_classes_raise(make):
    """The classes are ant, bee and dog, and the model was fitted to another third class."""
    y_true = np.array(["ant", "bee", "dog"])[Y]
    with pytest.raises(ValueError, match=r"Got \['ant', 'bee', 'cat'\]. Rename them, or p"):
        apr.auc_pr_interpolated(y_true, make(SCORES, WORDS))


@every_frame
def test_other_names_are_taken_by_position(make):
    frame = make(SCORES, ["p_ant", "p_bee", "p_cat"])
    assert average(Y, frame) == pytest.approx(EXPECTED, abs=1e-12)


def test_default_names_of_pandas_are_taken_by_position():
    """The classes 1, 2 and 3, and a frame made from an array."""
    assert average(Y + 1, pd.DataFrame(SCORES)) == pytest.approx(EXPECTED, abs=1e-12)


def test_numbers_as_names_are_compared_with_the_classes():
    with pytest.raises(
        ValueError, match=r"pass `y_score\[\[1, 2, 3\]\]`|Pass `y_score\[\["
    ):
        apr.auc_pr_interpolated(Y + 1, pandas(SCORES, [3, 2, 1]))


@every_frame
def test_labels_in_another_order_raise(make):
    y_true = make(np.eye(3, dtype=int)[Y], WORDS)
    with pytest.raises(
        ValueError, match="must have its columns in the order of the labels"
    ):
        apr.auc_pr_interpolated(y_true, make(SCORES, WORDS[::-1]))
    assert average(y_true, make(SCORES, WORDS)) == pytest.approx(EXPECTED, abs=1e-12)


@every_frame
def test_names_of_every_score_of_a_comparison_are_compared(make):
    scores = {"a": make(SCORES, WORDS), "b": make(SCORES, WORDS[::-1])}
    with pytest.raises(ValueError, match=r"`y_scores\['b'\]` must have its columns"):
        apr.compare_models(WORDS[Y], scores)


def test_classes_of_a_display_are_compared():
    with pytest.raises(ValueError, match="`y_score` must have its columns in the order"):
        apr.AchievablePRDisplay.from_predictions(WORDS[Y], pandas(SCORES, WORDS[::-1]))


# Data frames of models


BINARY = Y == 0


@every_frame
def test_a_display_draws_every_column_of_a_data_frame_of_models(make):
    names = ["forest", "logistic", "tree"]
    models = make(SCORES, names)
    display = apr.AchievablePRDisplay.from_predictions(BINARY, models)
    result = apr.compare_models(BINARY, models)
    assert display.name == [*result.models] == names
    expected = [model.estimate for model in result.models.values()]
    assert display.auc_pr == pytest.approx(expected, abs=1e-12)


@every_frame
def test_a_display_takes_a_data_frame_of_models_with_text_labels(make):
    display = apr.AchievablePRDisplay.from_predictions(
        WORDS[Y % 2], make(SCORES[:, :2], ["A", "B"]), pos_label="bee"
    )
    assert display.pos_label == "bee"
    assert display.name == ["A", "B"]


@every_frame
def test_probabilities_with_the_names_of_the_classes_are_no_models(make):
    frame = make(SCORES[:, :2], [0, 1])
    with pytest.raises(ValueError, match="pass one column, `y_score"):
        apr.AchievablePRDisplay.from_predictions(Y % 2, frame)


def test_names_of_models_that_are_no_strings_raise():
    models = pandas(SCORES[:, :2], [10, 20])
    with pytest.raises(TypeError, match=r"strings, .* Got the names \[10, 20\]"):
        apr.AchievablePRDisplay.from_predictions(BINARY, models)


def test_two_models_of_one_name_raise():
    models = pandas(SCORES[:, :2], ["A", "A"])
    with pytest.raises(TypeError, match=r"Got the names \['A', 'A'\]"):
        apr.AchievablePRDisplay.from_predictions(BINARY, models)


def test_a_data_frame_of_one_score_is_that_score():
    display = apr.AchievablePRDisplay.from_predictions(
        BINARY, pandas(SCORES[:, :1], ["A"]), name="tree"
    )
    assert display.name == "tree"


# The column of the positive label


FRAUD = np.array(["fraud", "legit", "legit", "legit"])
PROBABILITY = np.array([[0.9, 0.1], [0.2, 0.8], [0.3, 0.7], [0.1, 0.9]])


def advised(function, y_true, y_score, **options):
    """The scores that the error of several columns advises to pass."""
    with pytest.raises(ValueError, match="pass one column, `") as caught:
        function(y_true, y_score, **options)
    way_out = str(caught.value).rpartition("column, `")[2].partition("`")[0]
    return np.asarray(eval(way_out, {"y_score": y_score, "np": np}))


ONE_SCORE = ["achievable_pr_curve", "auc_pr_interpolated", "choose_threshold"]


@pytest.mark.parametrize("name", ONE_SCORE)
def test_the_column_of_the_positive_label_is_advised(name):
    first = advised(CALLABLES[name], FRAUD, PROBABILITY, pos_label="fraud")
    np.testing.assert_array_equal(first, PROBABILITY[:, 0])
    second = advised(CALLABLES[name], FRAUD, PROBABILITY, pos_label="legit")
    np.testing.assert_array_equal(second, PROBABILITY[:, 1])


MAKERS = {**FRAMES, "list": lambda columns, _: columns.tolist()}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_the_advice_is_code_that_selects_the_column(make):
    scores = make(PROBABILITY, ["p0", "p1"])
    column = advised(apr.precision_at_k, FRAUD, scores, k=1, pos_label="legit")
    np.testing.assert_array_equal(column, PROBABILITY[:, 1])


@every_frame
def test_the_advice_follows_the_names_of_the_columns(make):
    scores = make(PROBABILITY[:, ::-1], ["legit", "fraud"])
    column = advised(apr.auc_pr_interpolated, FRAUD, scores, pos_label="fraud")
    np.testing.assert_array_equal(column, PROBABILITY[:, 0])


@pytest.mark.parametrize(
    ("y_true", "names"),
    [
        ([1, 0, 0, 0], ["1.0", "0.0"]),
        ([1.0, 0.0, 0.0, 1.0], ["True", "False"]),
        ([True, False] * 2, [1, 0]),
    ],
)
def test_names_of_equal_labels_of_another_type_are_followed(y_true, names):
    """A classifier that was fitted to 0 and 1, and booleans as labels."""
    scores = pandas(PROBABILITY[:, ::-1], names)
    column = advised(apr.auc_pr_interpolated, y_true, scores)
    np.testing.assert_array_equal(column, PROBABILITY[:, 1])


@pytest.mark.parametrize("y_true", [[1, 0, 0, 0], [1, -1, -1, -1], [True, False] * 2])
def test_labels_that_need_no_positive_label_have_the_second_column(y_true):
    column = advised(apr.recall_at_k, y_true, PROBABILITY, k=1)
    np.testing.assert_array_equal(column, PROBABILITY[:, 1])


@pytest.mark.parametrize(
    ("y_true", "columns"),
    [(FRAUD, PROBABILITY), ([1, 1, 1, 1], PROBABILITY)],
    ids=["the positive label is not known", "one class"],
)
def test_no_column_is_advised_where_it_is_not_known(y_true, columns):
    with pytest.raises(
        ValueError, match="one column, that of the positive class"
    ) as caught:
        apr.precision_at_k(y_true, columns, k=1)
    assert "[:, " not in str(caught.value)


def test_the_error_of_a_frame_of_models_claims_nothing_about_their_columns():
    models = pandas(SCORES[:, :2], ["forest", "logistic"])
    with pytest.raises(ValueError, match=r"one column, .* for columns of the classes \[F"):
        apr.auc_pr_interval(Y == 1, models)


def test_a_column_of_an_absent_class_is_left_out():
    with pytest.raises(ValueError, match=r"Got .*\. Leave out the column of a class"):
        apr.auc_pr_interval(Y % 2, SCORES)


def test_new_scores_have_the_column_of_the_positive_label():
    with pytest.raises(ValueError, match=r"one column, `new_score\[:, 0\]`"):
        apr.select_positives(
            FRAUD, PROBABILITY[:, 0], PROBABILITY, max_fdr=0.2, pos_label="fraud"
        )


def test_one_column_of_several_in_a_data_frame_of_labels():
    table = pd.DataFrame(np.eye(4, dtype=int))
    with pytest.raises(ValueError, match=r"`y_true.iloc\[:, 1\]`"):
        apr.precision_at_k(table, PROBABILITY[:, 0], k=1)
