"""Inputs of scikit-learn's average_precision_score, and uses of scorers."""

from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from cases import each
from situations import FUNCTIONS, random_problem
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from tuning_sets import two_classes

import sklearn_achievable_pr as apr

AS_SCORERS = {name: f for name, f in FUNCTIONS.items() if name != "average_precision"}
METRICS = AS_SCORERS | {
    "davis_goadrich": partial(apr.auc_pr_interpolated, method="davis_goadrich")
}
every_metric = each(metric=METRICS.values())
AVERAGES = ["macro", "weighted", "micro", "samples", None]

N_ROWS = 40
_RNG = np.random.default_rng(0)
Y = (_RNG.random(N_ROWS) < 0.4).astype(int)
S = np.round(_RNG.normal(size=N_ROWS) + Y, 1)
W = _RNG.integers(1, 4, N_ROWS).astype(float)
TABLE = (_RNG.random((N_ROWS, 3)) < [0.2, 0.5, 0.7]).astype(int)
TABLE[:, 0] |= TABLE.sum(axis=1) == 0  # every sample has a positive and a negative, so
TABLE[:, 2] &= TABLE.sum(axis=1) < 3  # that no sample is undefined
COLUMNS = np.round(_RNG.normal(size=(N_ROWS, 3)) + TABLE, 1) + 0.05
CLASSES = _RNG.integers(0, 3, N_ROWS)


# Kinds of input


def _unaligned(array):
    raw = np.zeros(array.nbytes + 1, dtype=np.uint8)
    view = raw[1:].view(array.dtype)
    view[:] = array
    return view


TARGETS = {
    "int": Y,
    "list": Y.tolist(),
    "tuple": tuple(Y.tolist()),
    "object_of_int": Y.astype(object),
    "column": Y.reshape(-1, 1),
    "big_endian": Y.astype(">i4"),
    "unaligned": _unaligned(Y),
    "series": pd.Series(Y),
    "series_of_odd_index": pd.Series(Y, index=np.arange(N_ROWS)[::-1] * 7),
    "series_category": pd.Series(Y, dtype="category"),
    "series_nullable_int": pd.Series(Y, dtype="Int64"),
    "series_nullable_bool": pd.Series(Y.astype(bool), dtype="boolean"),
    "series_pyarrow_int": pd.Series(Y, dtype="int64[pyarrow]"),
    "series_pyarrow_bool": pd.Series(Y.astype(bool), dtype="bool[pyarrow]"),
    "numpy_bools_as_objects": np.array([np.bool_(label) for label in Y], dtype=object),
    "decimals": [Decimal(int(label)) for label in Y],
    "frame": pd.DataFrame({"y": Y}),
    "polars": pl.Series(Y),
    "polars_decimal": pl.Series(Y).cast(pl.Decimal(4, 2)),
    "polars_frame": pl.DataFrame({"y": Y}),
}
SCORES = {
    "float64": S,
    "float32": S.astype(np.float32),
    "float16": S.astype(np.float16),
    "longdouble": S.astype(np.longdouble),
    "int": (10 * S).astype(int),
    "list": S.tolist(),
    "list_of_float16": list(S.astype(np.float16)),
    "tuple": tuple(S.tolist()),
    "object": S.astype(object),
    "column": S.reshape(-1, 1),
    "big_endian": S.astype(">f8"),
    "strided": np.repeat(S, 2)[::2],
    "reversed_view": S[::-1].copy()[::-1],
    "unaligned": _unaligned(S),
    "unaligned_float32": _unaligned(S.astype(np.float32)),
    "series": pd.Series(S),
    "series_nullable": pd.Series(S, dtype="Float64"),
    "series_pyarrow": pd.Series(S, dtype="double[pyarrow]"),
    "frame": pd.DataFrame({"s": S}),
    "polars": pl.Series(S),
    "polars_frame": pl.DataFrame({"s": S}),
}
WORDS = np.array(["ham", "spam"])[Y]
WORD_TARGETS = {
    "numpy": WORDS,
    "list": WORDS.tolist(),
    "object": WORDS.astype(object),
    "column": WORDS.reshape(-1, 1),
    "series": pd.Series(WORDS),
    "series_category": pd.Series(WORDS, dtype="category"),
    "series_pyarrow": pd.Series(WORDS, dtype="string[pyarrow]"),
    "polars": pl.Series(WORDS),
    "polars_categorical": pl.Series(WORDS, dtype=pl.Categorical),
}


@every_metric
@each(kind=TARGETS)
def test_targets_of_every_type_give_one_value(metric, kind):
    assert metric(TARGETS[kind], S) == metric(Y, S)


@every_metric
@each(kind=SCORES)
def test_scores_of_every_type_give_one_value(metric, kind):
    assert metric(Y, SCORES[kind]) == metric(Y, np.array(SCORES[kind]).ravel())


@every_metric
@each(pos_label=["spam", "ham"], kind=WORD_TARGETS)
def test_string_labels_need_a_positive_label_only(metric, kind, pos_label):
    expected = metric(Y if pos_label == "spam" else 1 - Y, S)
    assert metric(WORD_TARGETS[kind], S, pos_label=pos_label) == expected


@every_metric
@each(average=AVERAGES)
def test_average_has_no_effect_on_a_binary_target(metric, average):
    assert metric(Y, S, average=average) == metric(Y, S)


@every_metric
def test_decimals_are_classes(metric):
    classes = np.arange(len(Y)) % 3
    scores = np.column_stack([S, -S, S**2])
    y_true = [Decimal(int(label)) for label in classes]
    assert metric(y_true, scores) == metric(classes, scores)


@every_metric
@each(pos_label=[Decimal(2), 2])
def test_a_decimal_can_be_the_positive_label(metric, pos_label):
    y_true = [Decimal(int(label) + 1) for label in Y]
    assert metric(y_true, S, pos_label=pos_label) == metric(Y, S)


WEIGHTS = {
    "list": W.tolist(),
    "int": W.astype(int),
    "float32": W.astype(np.float32),
    "float16": W.astype(np.float16),
    "uint8": W.astype(np.uint8),
    "big_endian": W.astype(">f8"),
    "unaligned": _unaligned(W),
    "column": W.reshape(-1, 1),
    "series": pd.Series(W, index=np.arange(N_ROWS)[::-1]),
    "series_nullable": pd.Series(W, dtype="Float64"),
    "series_pyarrow": pd.Series(W, dtype="double[pyarrow]"),
    "polars": pl.Series(W),
}


@pytest.mark.parametrize("metric", ["auc_pr_interpolated", "achievable_auc_pr", "aucnpr"])
@each(kind=WEIGHTS)
def test_weights_of_every_type_give_one_value(metric, kind):
    metric = METRICS[metric]
    assert metric(Y, S, sample_weight=WEIGHTS[kind]) == metric(Y, S, sample_weight=W)


@pytest.mark.parametrize("target", ["series", "series_nullable_bool", "polars"])
def test_curves_accept_the_same_inputs(target):
    for curve in (apr.pr_curve_interpolated, apr.achievable_pr_curve, apr.roc_convex_hull):
        for found, expected in zip(
            curve(TARGETS[target], pd.Series(S)), curve(Y, S), strict=True
        ):
            np.testing.assert_array_equal(found, expected, strict=True)


@pytest.mark.parametrize("kind", [Fraction, np.float16, np.float64, np.longdouble])
def test_numbers_of_any_type_are_converted_once(kind):
    given = {"width": 0.125, "auc_pr": 0.5, "prevalence": 0.25, "confidence_level": 0.875}
    expected = apr.required_sample_size(**given)
    found = apr.required_sample_size(**{name: kind(x) for name, x in given.items()})
    assert found == expected
    y_true, y_score, _ = random_problem(3, 60)
    level = apr.auc_pr_interval(y_true, y_score, confidence_level=kind(0.875))
    assert level == apr.auc_pr_interval(y_true, y_score, confidence_level=0.875)
    assert type(level.confidence_level) is float
    assert apr.precision_at_k(y_true, y_score, k=kind(0.125)) == apr.precision_at_k(
        y_true, y_score, k=0.125
    )
    at = {"n_pos": kind(4), "n_neg": kind(8)}
    assert apr.auc_pr_from_counts([1, 2], [0, 3], **at) == apr.auc_pr_from_counts(
        [1, 2], [0, 3], n_pos=4, n_neg=8
    )


# Averages


def by_hand(metric, table, score, average, sample_weight=None):
    """The average computed from the values of the single binary problems."""
    options = {} if sample_weight is None else {"sample_weight": sample_weight}
    rows = np.ones(len(table)) if sample_weight is None else sample_weight
    if average == "micro":
        if sample_weight is not None:
            options = {"sample_weight": np.repeat(sample_weight, table.shape[1])}
        return metric(table.ravel(), score.ravel(), **options)
    if average == "samples":
        each = [metric(y, s) for y, s in zip(table, score, strict=True)]
        return np.average(each, weights=rows)
    each = [metric(y, s, **options) for y, s in zip(table.T, score.T, strict=True)]
    if average is None:
        return each
    return np.average(each, weights=rows @ table if average == "weighted" else None)


TABLES = {
    "int": TABLE,
    "bool": TABLE.astype(bool),
    "list": TABLE.tolist(),
    "fortran": np.asfortranarray(TABLE),
    "frame": pd.DataFrame(TABLE, columns=list("abc")),
    "frame_pyarrow": pd.DataFrame(TABLE, columns=list("abc")).astype("int64[pyarrow]"),
    "polars": pl.DataFrame(TABLE, schema=list("abc")),
}
multilabel = each(name=METRICS, average=AVERAGES)


@multilabel
@pytest.mark.parametrize(("options", "rtol"), [({}, 1e-15), ({"sample_weight": W}, 1e-14)])
def test_multilabel_values_are_averages_over_labels(name, average, options, rtol):
    if options and name == "davis_goadrich":
        with pytest.raises(ValueError, match="`sample_weight`"):
            METRICS[name](TABLE, COLUMNS, average=average, **options)
        return
    found = METRICS[name](TABLE, COLUMNS, average=average, **options)
    expected = by_hand(METRICS[name], TABLE, COLUMNS, average, **options)
    np.testing.assert_allclose(found, expected, rtol=rtol)
    assert type(found) is (np.ndarray if average is None else float)


@each(average=AVERAGES, kind=TABLES)
def test_multilabel_targets_of_every_type_give_one_value(kind, average):
    score = pd.DataFrame(COLUMNS) if "frame" in kind else COLUMNS
    np.testing.assert_array_equal(
        apr.aucnpr(TABLES[kind], score, average=average),
        apr.aucnpr(TABLE, COLUMNS, average=average),
    )


MULTICLASS = {
    "int": CLASSES,
    "words": np.array(["a", "b", "c"])[CLASSES],
    "gaps": np.array([-5, 3, 70])[CLASSES],
    "float": CLASSES.astype(float),
    "list": CLASSES.tolist(),
    "series_words": pd.Series(np.array(["a", "b", "c"])[CLASSES]),
    "polars": pl.Series(CLASSES),
    "column": CLASSES.reshape(-1, 1),
    # Labels from the lowest to the highest: as many as samples, one less, one more.
    **{
        f"spread_over_{width}": np.array([7, 8, 6 + width])[CLASSES]
        for width in (N_ROWS - 1, N_ROWS, N_ROWS + 1)
    },
    "ends_of_int64": np.array([-(2**63), 0, 2**63 - 1])[CLASSES],
    "uint64": np.array([0, 1, 2**64 - 1], dtype=np.uint64)[CLASSES],
    "uint64_that_float64_rounds": np.array([0, 2**64 - 2, 2**64 - 1], np.uint64)[CLASSES],
}


@multilabel
def test_multiclass_values_are_averages_of_one_class_against_the_others(name, average):
    """One column per class in sorted order; each class in turn is the positive class."""
    metric = METRICS[name]
    found = metric(CLASSES, COLUMNS, average=average)
    indicator = (CLASSES[:, np.newaxis] == np.arange(3)).astype(int)
    expected = by_hand(metric, indicator, COLUMNS, average)
    np.testing.assert_allclose(found, expected, rtol=1e-15)


@each(kind=MULTICLASS)
def test_multiclass_targets_of_every_type_give_one_value(kind):
    for average in AVERAGES:
        np.testing.assert_array_equal(
            apr.auc_pr_interpolated(MULTICLASS[kind], COLUMNS, average=average),
            apr.auc_pr_interpolated(CLASSES, COLUMNS, average=average),
        )


@each(average=AVERAGES)
def test_averages_agree_with_scikit_learn(average):
    """Check `by_hand` with scikit-learn's own average precision."""
    for weight in (None, W):
        np.testing.assert_allclose(
            by_hand(average_precision_score, TABLE, COLUMNS, average, weight),
            average_precision_score(TABLE, COLUMNS, average=average, sample_weight=weight),
            rtol=1e-14,
        )


# Scorers


X_DATA, Y_DATA = two_classes(n_samples=200, n_features=5)
MODEL = LogisticRegression()


@each(name=AS_SCORERS)
def test_scorers_pass_weights_on(name):
    fitted = clone(MODEL).fit(X_DATA, Y_DATA)
    weight = np.random.default_rng(0).integers(1, 4, len(Y_DATA))
    expected = AS_SCORERS[name](
        Y_DATA, fitted.decision_function(X_DATA), sample_weight=weight
    )
    scorer = apr.get_scorer(name)
    assert scorer(fitted, X_DATA, Y_DATA, sample_weight=weight) == expected


def test_scorers_raise_for_string_labels_without_pos_label():
    words = np.array(["ham", "spam"])[Y_DATA]
    fitted = clone(MODEL).fit(X_DATA, words)
    with pytest.raises(ValueError, match="pos_label"):
        apr.aucnpr_scorer(fitted, X_DATA, words)


def test_scorers_take_one_column_per_class():
    words = np.array(["a", "b", "c"])[(X_DATA[:, 0] > 0).astype(int) + Y_DATA]
    fitted = clone(MODEL).fit(X_DATA, words)
    expected = apr.aucnpr(words, fitted.decision_function(X_DATA))
    assert apr.aucnpr_scorer(fitted, X_DATA, words) == expected
