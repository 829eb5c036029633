"""Lists of positives with a bounded mean share of false positives."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from sklearn_achievable_pr import select_positives


def twin(y_true, y_score, new_score, max_fdr):
    """Benjamini-Hochberg on conformal p-values, in fractions, from the definition."""
    negative = [s for y, s in zip(y_true, y_score, strict=True) if not y]
    p = [
        Fraction(1 + sum(s >= new for s in negative), 1 + len(negative))
        for new in new_score
    ]
    bound, n_new = Fraction(str(max_fdr)), len(p)
    n_selected = max(
        (i for i in range(1, n_new + 1) if sorted(p)[i - 1] <= bound * i / n_new), default=0
    )
    largest = sorted(p)[n_selected - 1] if n_selected else -1
    return [value <= largest for value in p]


def problem(rng, n_levels=None, n=60, n_new=40):
    """Labels, scores and new scores; of few levels if `n_levels` is given."""
    y_true = rng.random(n) < 0.4
    y_score = rng.normal(size=n) + 3 * y_true
    new_score = rng.normal(size=n_new) + 3 * (rng.random(n_new) < rng.random())
    if n_levels is None:
        return y_true, y_score, new_score
    levels = np.linspace(-2, 4, n_levels)
    return y_true, np.digitize(y_score, levels), np.digitize(new_score, levels)


@pytest.mark.parametrize("n_levels", [None, 3, 8, 30])
def test_lists_are_those_of_the_definition(n_levels):
    for seed, max_fdr in enumerate([0.05, 0.1, 0.2, 0.3, 0.5, 0.9]):
        data = problem(np.random.default_rng(seed), n_levels)
        found = select_positives(*data, max_fdr=max_fdr)
        assert found.dtype == bool
        assert found.tolist() == twin(*data, max_fdr)


@pytest.mark.parametrize("max_fdr", [0.07, 0.29, 0.58, 0.99])
def test_a_p_value_equal_to_its_bound_is_selected(max_fdr):
    """Of 99 negatives, `100 * max_fdr - 1` are as high: p is `max_fdr` exactly."""
    n_above = round(100 * max_fdr) - 1
    score = np.repeat([2, 0], [n_above, 99 - n_above])
    labels = np.zeros(99)
    assert select_positives(labels, score, [1], max_fdr=max_fdr).tolist() == [True]
    score[n_above] = 2
    assert select_positives(labels, score, [1], max_fdr=max_fdr).tolist() == [False]


def test_tied_new_scores_are_selected_together():
    """Their p-value of 0.3 is at its bound 0.5 * i / 5 for a tie of 3, and above for 2."""
    labels, score = np.zeros(9), [7, 7, 0, 0, 0, 0, 0, 0, 0]
    found = select_positives(labels, score, [5, 0, 5, 0, 5], max_fdr=0.5)
    assert found.tolist() == [True, False, True, False, True]
    assert not select_positives(labels, score, [5, 0, 5, 0, 0], max_fdr=0.5).any()


def test_negatives_tied_with_a_new_score_count():
    labels = np.zeros(9)
    assert select_positives(labels, np.arange(9), [8.5], max_fdr=0.1).all()
    assert not select_positives(labels, np.arange(9), [8.0], max_fdr=0.1).any()


def test_few_negatives_give_an_empty_list():
    found = select_positives([0] * 8 + [1], np.arange(9), [100.0], max_fdr=0.1)
    assert found.tolist() == [False]


def test_positives_do_not_matter():
    rng = np.random.default_rng(1)
    y_true, y_score, new_score = problem(rng)
    expected = select_positives(y_true, y_score, new_score, max_fdr=0.3)
    assert 0 < expected.sum() < len(expected)
    moved = np.where(y_true, rng.normal(size=60), y_score)
    assert (select_positives(y_true, moved, new_score, max_fdr=0.3) == expected).all()
    only = y_true[~y_true], y_score[~y_true]
    assert (select_positives(*only, new_score, max_fdr=0.3) == expected).all()


@pytest.mark.parametrize("n_levels", [None, 8])
@pytest.mark.parametrize("transform", [np.exp, lambda s: 7 * s - 100])
def test_increasing_functions_of_the_score_do_not_matter(transform, n_levels):
    y_true, *scores = problem(np.random.default_rng(2), n_levels)
    expected = select_positives(y_true, *scores, max_fdr=0.5)
    found = select_positives(y_true, *map(transform, scores), max_fdr=0.5)
    assert expected.any()
    assert (found == expected).all()


def test_the_order_of_samples_does_not_matter():
    rng = np.random.default_rng(3)
    y_true, y_score, new_score = problem(rng, 8)
    expected = select_positives(y_true, y_score, new_score, max_fdr=0.3)
    order, new_order = rng.permutation(60), rng.permutation(40)
    found = select_positives(
        y_true[order], y_score[order], new_score[new_order], max_fdr=0.3
    )
    assert expected.any()
    assert (found == expected[new_order]).all()


def test_a_larger_bound_gives_a_longer_list():
    data = problem(np.random.default_rng(4))
    lists = [select_positives(*data, max_fdr=q) for q in (0.05, 0.1, 0.2, 0.4, 0.8)]
    assert all((a <= b).all() for a, b in pairwise(lists))


SCORE = np.repeat([0.1, 0.3, 0.7], [50, 40, 9])
NEW = np.repeat([0.1, 0.7], [10, 20])


@pytest.mark.parametrize(
    ("dtype", "new_dtype"), [(np.float64, np.float32), (np.float32, np.float64)]
)
@pytest.mark.parametrize("max_fdr", [0.09, 0.2])
def test_scores_stored_in_two_float_types_are_tied(dtype, new_dtype, max_fdr):
    """The float32 of 0.1 is above 0.1, and that of 0.7 below."""
    expected = select_positives(np.zeros(99), SCORE, NEW, max_fdr=max_fdr)
    assert expected.any() == (max_fdr == 0.2)
    score, new_score = SCORE.astype(dtype), NEW.astype(new_dtype)
    found = select_positives(np.zeros(99), score, new_score, max_fdr=max_fdr)
    assert (found == expected).all()


@pytest.mark.parametrize(
    "kind",
    [
        list,
        lambda new: new[:, np.newaxis],
        lambda new: pd.Series(new, index=range(50, 90), dtype="Float64"),
        lambda new: new.astype(">f8"),
    ],
)
def test_new_scores_of_other_types(kind):
    y_true, y_score, new_score = problem(np.random.default_rng(5))
    expected = select_positives(y_true, y_score, new_score, max_fdr=0.3)
    found = select_positives(y_true, y_score, kind(new_score), max_fdr=0.3)
    assert type(found) is np.ndarray
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.float16, np.float32])
def test_types_of_numbers_do_not_matter(dtype):
    score, new_score = np.repeat([0.0, 0.5], [30, 2]), np.repeat([0, 1], [4, 6])
    expected = twin(np.zeros(32), score, new_score, 0.2)
    assert any(expected)
    with pytest.warns(UserWarning, match="`new_score` has only 0 and 1, like predicted"):
        found = select_positives(np.zeros(32), score, new_score.astype(dtype), max_fdr=0.2)
    assert found.tolist() == expected


def test_text_labels_need_pos_label():
    found = select_positives(["b"] * 9, np.arange(9), [9.5], max_fdr=0.2, pos_label="a")
    assert found.tolist() == [True]
    with pytest.raises(ValueError, match="`pos_label`"):
        select_positives(["b", "a"], [0, 1], [9.5], max_fdr=0.2)


# Errors and warnings


def test_negatives_are_needed():
    with pytest.raises(ValueError, match=r"`y_true` must have negatives: .* Got 2 pos"):
        select_positives([1, 1], [0.1, 0.2], [0.3], max_fdr=0.1)


@pytest.mark.parametrize("max_fdr", [0, 1, -0.1, np.nan])
def test_bounds_outside_0_and_1(max_fdr):
    with pytest.raises(ValueError, match=r"`max_fdr` must be inside \(0, 1\)"):
        select_positives([0, 1], [0.1, 0.2], [0.3], max_fdr=max_fdr)


@pytest.mark.parametrize("max_fdr", ["0.1", None, True, [0.1]])
def test_bounds_that_are_no_numbers(max_fdr):
    with pytest.raises(TypeError, match="`max_fdr` must be a real number"):
        select_positives([0, 1], [0.1, 0.2], [0.3], max_fdr=max_fdr)


@pytest.mark.parametrize("new_score", [[np.nan], [0.1, np.inf], [0.1, None]])
def test_new_scores_that_are_not_finite(new_score):
    with pytest.raises(ValueError, match="`new_score` must be finite"):
        select_positives([0, 1], [0.1, 0.2], new_score, max_fdr=0.1)


@pytest.mark.parametrize("new_score", [[], 0.5])
def test_new_scores_that_are_empty_or_no_array(new_score):
    with pytest.raises(ValueError, match="`new_score` must be one-dimensional, and not"):
        select_positives([0, 1], [0.1, 0.2], new_score, max_fdr=0.1)


def test_new_scores_of_two_columns():
    with pytest.raises(ValueError, match="`new_score` must be one-dimensional"):
        select_positives([0, 1], [0.1, 0.2], [[0.1, 0.9]], max_fdr=0.1)


def test_new_scores_that_are_no_numbers():
    with pytest.raises(TypeError, match="`new_score` must hold real numbers"):
        select_positives([0, 1], [0.1, 0.2], ["a"], max_fdr=0.1)


def test_new_predicted_labels_warn():
    with pytest.warns(UserWarning, match="`new_score` has only 0 and 1") as caught:
        select_positives([0, 1], [0.1, 0.2], [0, 1], max_fdr=0.1)
    assert [warning.filename for warning in caught] == [__file__]


def test_two_scores_like_predicted_labels_warn_once():
    with pytest.warns(UserWarning, match="`y_score` has only 0 and 1") as caught:
        select_positives([0, 1], [0, 1], [0, 1], max_fdr=0.1)
    assert len(caught) == 1


def test_a_batch_of_ordinal_scores_may_have_0_and_1_only():
    select_positives([0, 0, 1], [0, 1, 2], [0, 1], max_fdr=0.1)


def test_a_batch_of_ordinal_floats_may_have_0_and_1_only():
    select_positives([0, 0, 1], [0.0, 1.0, 2.0], [0.0, 1.0], max_fdr=0.1)


def test_the_two_labels_as_new_scores_warn():
    with pytest.warns(UserWarning, match="`new_score` has only 1 and 2"):
        select_positives([1, 2], [0.1, 0.2], [1.0, 2.0], max_fdr=0.1, pos_label=2)
