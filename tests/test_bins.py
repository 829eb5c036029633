"""Bins of scores: intervals in the order of the scores, of any dtype."""

import numpy as np
from cases import each

from sklearn_achievable_pr.out_of_core._bins import MIN_BINS, keys_of, leading_bits, refined

LARGEST = np.finfo(np.float64).max
N_BINS = (MIN_BINS, 1000, 4096, 2**16, 2**20)


def scores_at(keys):
    """The scores of keys."""
    return np.copysign(np.abs(keys).view(np.float64), keys)


def many_scores(seed=0):
    """All exponents and both signs, common scores, and edge cases."""
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 0x7FF << 52, 5000).view(np.float64)
    odd = [0.0, -0.0, 5e-324, -5e-324, LARGEST, -LARGEST, 2.0**-31, 2.0**17, 2.0**128]
    odd += [np.nextafter(score, 0) for score in odd]
    return np.concatenate((bits, -bits, rng.normal(size=5000), rng.random(5000), odd))


def at_the_edges(bins):
    keys = bins.lowest_keys()[1:-1]
    return np.concatenate([scores_at(keys - 1), scores_at(keys), scores_at(keys + 1)])


def refined_at_random(bins, seed=0):
    rng = np.random.default_rng(seed)
    n_parts = rng.integers(0, 9, bins.n_bins)
    n_parts[0] = 1
    return refined(bins, n_parts)


ALL_BINS = {
    **{f"{n_bins}": leading_bits(n_bins) for n_bins in N_BINS},
    "refined": refined_at_random(leading_bits(2**16)),
    "refined otherwise": refined_at_random(leading_bits(2**16), seed=1),
    "refined twice": refined_at_random(refined_at_random(leading_bits(1000))),
}
every_bins = each(name=ALL_BINS)


def test_keys_have_the_order_of_the_scores():
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


@each(n_bins=N_BINS)
def test_leading_bits_start_at_their_lowest_keys(n_bins):
    bins = leading_bits(n_bins)
    lowest = bins.lowest_keys()
    assert n_bins / 2 < bins.n_bins == len(lowest) - 1 <= n_bins
    assert (np.diff(lowest) > 0).all()
    for scores in (many_scores(), at_the_edges(bins)[-100_000:], at_the_edges(bins)[:9999]):
        expected = np.searchsorted(lowest, keys_of(scores), "right") - 1
        np.testing.assert_array_equal(bins.index(scores), expected)


def test_widths_of_the_default_bins():
    """512 bins from 1/4 to 1/2, and of decision values 512 from 4 to 8."""
    bins = leading_bits(2**16)
    for dtype in (np.float32, np.float64):
        for low in (0.25, 4.0, -8.0):
            ends = np.array([low, low + abs(low) * (1 if low > 0 else 0.5)], dtype=dtype)
            assert np.diff(bins.index(ends)) == 512


@every_bins
def test_float32_is_counted_as_float64(name):
    bins = ALL_BINS[name]
    scores = np.concatenate((many_scores(), at_the_edges(bins)))
    narrow = scores[np.abs(scores) < 3e38].astype(np.float32)
    for some in (narrow, narrow[:0]):
        np.testing.assert_array_equal(bins.index(some), bins.index(some.astype(np.float64)))


def test_bins_are_equal_parts_of_a_coarser_bin():
    coarse = leading_bits(MIN_BINS)
    first, second = coarse.index(np.array([1.0, 2.0]))
    scores = np.array([0.5, 1.0, 1.07, 1.13, 1.19, 2.0])
    assert (coarse.index(scores[1:5]) == first).all()
    n_parts = np.ones(coarse.n_bins, dtype=int)
    n_parts[first] = 4
    index = refined(coarse, n_parts).index(scores)
    assert (index[1:5] - first).tolist() == [0, 1, 2, 3]
    assert index[-1] == second + 3
    n_parts[first] = 0
    assert refined(coarse, n_parts).index(scores[1:5]).tolist() == [first - 1] * 4


def test_bins_equal_only_themselves():
    assert all((a == b) == (a is b) for a in ALL_BINS.values() for b in ALL_BINS.values())
