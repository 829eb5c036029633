"""Bins of scores: intervals in the order of the scores, whoever finds the bin."""

import pickle

import numpy as np
import pytest
from cases import each

from sklearn_achievable_pr._out_of_core.bins import (
    DTYPES,
    FEWEST_BINS,
    Edges,
    LeadingBits,
    Refined,
    keys_of,
    scores_at,
)

LARGEST = np.finfo(np.float64).max
N_BINS = (FEWEST_BINS, 1000, 4096, 2**16, 2**20)


def many_scores(seed=0):
    """All exponents and both signs, common scores, and what is easily got wrong."""
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 0x7FF << 52, 20_000).view(np.float64)
    odd = [0.0, -0.0, 5e-324, -5e-324, LARGEST, -LARGEST, 2.0**-31, 2.0**17]
    odd += [np.nextafter(score, 0) for score in odd]
    return np.concatenate((bits, -bits, rng.normal(size=20_000), rng.random(20_000), odd))


def at_the_edges(bins):
    keys = bins.lowest_keys()[1:-1]
    return np.concatenate([scores_at(keys - 1), scores_at(keys), scores_at(keys + 1)])


def refined(bins, seed=0):
    rng = np.random.default_rng(seed)
    n_parts = rng.integers(0, 9, bins.n_bins)
    n_parts[0] = 1
    return Refined(bins, n_parts)


ALL_BINS = {
    **{
        f"{dtype} {n_bins}": LeadingBits.at_most(n_bins, dtype)
        for dtype in DTYPES
        for n_bins in N_BINS
    },
    "edges": Edges(np.array([-1e300, -0.5, 0.0, 5e-324, 0.25, 3.0])),
    "refined": refined(LeadingBits.at_most(2**16, "float32")),
    "refined twice": refined(refined(LeadingBits.at_most(1000, "float32"))),
    "refined edges": refined(Edges(np.array([0.0, 0.5]))),
}
every_bins = each(name=ALL_BINS)


def test_keys_sort_as_scores_do():
    scores = np.unique(many_scores() + 0.0)
    keys = keys_of(scores)
    assert (np.diff(keys) > 0).all()
    np.testing.assert_array_equal(scores_at(keys), scores)
    assert keys_of(np.array([0.0, -0.0])).tolist() == [0, 0]


@every_bins
def test_a_bin_is_an_interval(name):
    bins = ALL_BINS[name]
    index = bins.index(np.sort(many_scores()))
    assert (np.diff(index) >= 0).all()
    assert 0 <= index[0] <= index[-1] < bins.n_bins


@each(dtype=DTYPES, n_bins=N_BINS)
def test_leading_bits_start_where_they_say(dtype, n_bins):
    bins = LeadingBits.at_most(n_bins, dtype)
    lowest = bins.lowest_keys()
    assert len(lowest) == bins.n_bins + 1 <= n_bins + 1
    assert (np.diff(lowest) > 0).all()
    for scores in (many_scores(), at_the_edges(bins)):
        expected = np.searchsorted(lowest, keys_of(scores), "right") - 1
        np.testing.assert_array_equal(bins.index(scores), expected)


@each(dtype=DTYPES, n_bins=N_BINS)
def test_bins_are_no_fewer_than_half_of_what_is_asked(dtype, n_bins):
    assert LeadingBits.at_most(n_bins, dtype).n_bins > n_bins / 2


@every_bins
def test_float32_falls_where_float64_does(name):
    bins = ALL_BINS[name]
    scores = np.concatenate((many_scores(), at_the_edges(bins)))
    narrow = scores[np.abs(scores) < 3e38].astype(np.float32)
    common = narrow[np.abs(narrow) > 1e-37]
    for some in (narrow, common, np.append(common, np.float32(-0.0)), narrow[:0]):
        np.testing.assert_array_equal(bins.index(some), bins.index(some.astype(np.float64)))


def test_bins_are_equal_parts_of_a_coarser_bin():
    bins = Refined(Edges(np.array([1.0, 2.0])), np.array([1, 4, 1]))
    scores = np.array([-5.0, 0.99, 1.0, 1.24, 1.25, 1.5, 1.75, 1.99, 2.0, 9.0])
    assert bins.index(scores).tolist() == [0, 0, 1, 1, 2, 3, 4, 4, 5, 5]
    joined = Refined(Edges(np.array([1.0, 2.0])), np.array([1, 0, 1]))
    assert joined.index(scores).tolist() == [0] * 8 + [1, 1]


@every_bins
def test_pickle(name):
    bins = ALL_BINS[name]
    again = pickle.loads(pickle.dumps(bins))
    assert again == bins
    np.testing.assert_array_equal(again.index(many_scores()), bins.index(many_scores()))


def test_bins_differ():
    some = [bins for name, bins in ALL_BINS.items() if name != "float64 1000"]
    assert all((a == b) == (a is b) for a in some for b in some)
    assert ALL_BINS["float64 1000"] == ALL_BINS["float64 512"]  # a power of two


@pytest.mark.parametrize("name", ["edges", "refined"])
def test_bins_with_arrays_have_no_hash(name):
    with pytest.raises(TypeError, match="unhashable"):
        hash(ALL_BINS[name])
