"""Scores to sorted rows: the one place of the package that sorts.

Scores are turned into integers that sort as they do, with the label
in the lowest bit, so that one integer sort brings scores and labels into order
together. No permutation is gathered unless there are weights to permute.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

# Elements worked on at a time where a step would otherwise stream whole arrays
# through memory: the temporaries of one block stay in the second-level cache.
_BLOCK = 1 << 15
# Up to so many rows a gathered permutation costs less than making keys of the scores.
FEW_SAMPLES = 3000
# Where this part of the rows or less is of the rarer class it costs less to look up each
# of them among all the sorted scores than to sort labels and scores together.
_RARE = 1 / 32
# By size in bytes: unsigned and signed integers, and half the range of the signed one.
_INTEGERS: dict[int, tuple[Any, Any, int]] = {
    4: (np.uint32, np.int32, 1 << 30),
    8: (np.uint64, np.int64, 1 << 62),
}
_ONE = np.uint64(1)


class SortedSamples(NamedTuple):
    """The rows of a binary problem by rising score; in a tie the common class first.

    Attributes
    ----------
    keys : ndarray of 32 or 64 bit integers, shape (n_rows,)
        Twice an integer that sorts as the score, plus 1 where the row is of the rarer
        class: it is *marked*. With `rare` just the scores.
    rare : ndarray or None
        The sorted scores of the marked rows, if these are few.
    marks_positive : bool
        The rarer class is the positive one.
    n_pos, n_neg : int or float
        Totals of positives and negatives, weighted.
    marked_weights, unmarked_weights : ndarray of float64, or None without weights
        Running totals of the weights by falling score, with a leading 0.
    decode : callable
        Keys to scores.
    """

    keys: np.ndarray
    rare: np.ndarray | None
    marks_positive: bool
    n_pos: float
    n_neg: float
    marked_weights: np.ndarray | None
    unmarked_weights: np.ndarray | None
    decode: Callable[[np.ndarray], np.ndarray]

    def scores_above(self, n_above):
        """The lowest of the `n_above` highest scores; `n_above` is positive."""
        return self.decode(self.keys[len(self.keys) - n_above])


def sort_samples(positive, score, weight=None, *, look_up=True):
    """Sort labels and scores together.

    Parameters
    ----------
    positive : ndarray of bool, shape (n_rows,)
    score : ndarray of shape (n_rows,)
        Finite, of any real dtype.
    weight : ndarray of float64, shape (n_rows,), default=None
        Positive.
    look_up : bool, default=True
        Whether few rows of the rarer class may be left to be looked up.

    Returns
    -------
    SortedSamples
    """
    n_pos = np.count_nonzero(positive)
    n_neg = len(positive) - n_pos
    marks_positive = n_pos <= n_neg
    marked = positive if marks_positive else ~positive
    if look_up and weight is None and min(n_pos, n_neg) <= _RARE * len(positive):
        rare = np.sort(score.take(marked.nonzero()[0]))
        return SortedSamples(
            np.sort(score), rare, marks_positive, n_pos, n_neg, None, None, without_sign
        )
    keys, decode = _marked_keys(score, marked)
    if weight is None:
        keys.sort()
        return SortedSamples(keys, None, marks_positive, n_pos, n_neg, None, None, decode)
    del marked  # makes room
    keys, order = _sorted_with_order(keys)
    marked, unmarked = _weights_above(keys, order, weight)
    n_pos, n_neg = (
        (marked[-1], unmarked[-1]) if marks_positive else (unmarked[-1], marked[-1])
    )
    return SortedSamples(keys, None, marks_positive, n_pos, n_neg, marked, unmarked, decode)


class FallingSamples(NamedTuple):
    """Rows by falling score, for few of them.

    Attributes
    ----------
    positive, score, weight
        As `sort_samples` takes them.
    n_above : ndarray of int64, shape (n_levels + 1,)
        0, then how many rows each distinct score and the higher ones have.
    """

    positive: np.ndarray
    score: np.ndarray
    weight: np.ndarray | None
    n_above: np.ndarray


def by_falling_score(positive, score, weight=None):
    """Rows sorted by a permutation: fewer steps, though each row costs more.

    Parameters
    ----------
    positive, score, weight
        As `sort_samples` takes them.

    Returns
    -------
    FallingSamples
    """
    order = score.argsort()[::-1]
    score = score[order]
    is_level = np.ones(len(score) + 1, dtype=bool)
    np.not_equal(score[1:], score[:-1], out=is_level[1:-1])
    weight = None if weight is None else weight[order]
    return FallingSamples(
        positive[order], without_sign(score), weight, is_level.nonzero()[0]
    )


def _sorted_with_order(keys):
    """Sorted keys and the row that each comes from, sooner than `argsort` finds them.

    As much of the score as finds room in 64 bits beside the mark and the number of the row
    is sorted together with these. Rows that agree in so much of it are then put into order
    by the whole key.

    Returns
    -------
    keys : ndarray
    order : ndarray of unsigned integers
    """
    row_bits = (len(keys) - 1).bit_length()
    lowest = keys.min() & ~keys.dtype.type(1)
    lost_bits = max(0, (int(keys.max()) - int(lowest)).bit_length() + row_bits - 64)
    order = _order_by_high_part(keys, lowest, lost_bits, row_bits)
    found = np.empty_like(keys)
    for block in _blocks(len(keys)):
        found[block] = keys.take(order[block])
    if np.count_nonzero(found[1:] < found[:-1]):
        rows = _rows_alike(found, lowest, 1 + lost_bits)
        by_key = rows[found[rows].argsort()]
        found[rows], order[rows] = found[by_key], order[by_key]
    return found, order


def _order_by_high_part(keys, lowest, lost_bits, row_bits):
    """Rows by rising score less its `lost_bits`, then by mark."""
    packed = np.empty(len(keys), dtype=np.uint64)
    for block in _blocks(len(keys)):
        part, offset = packed[block], _offset(keys[block], lowest)
        np.right_shift(offset, np.uint64(1 + lost_bits), out=part)
        part <<= _ONE
        part |= offset & _ONE
        part <<= np.uint64(row_bits)
        part |= np.arange(block.start, block.start + len(part), dtype=np.uint64)
    packed.sort()
    packed &= np.uint64((1 << row_bits) - 1)
    return packed.astype(np.min_scalar_type(len(keys) - 1))


def _rows_alike(keys, lowest, n_bits):
    """Rows beside one whose key is the same but for the lowest `n_bits`."""
    alike = np.zeros(len(keys) + 1, dtype=bool)
    for block in _blocks(len(keys)):
        high = _offset(keys[block.start : block.stop + 1], lowest) >> np.uint64(n_bits)
        alike[block.start + 1 : block.start + len(high)] = high[1:] == high[:-1]
    return (alike[1:] | alike[:-1]).nonzero()[0]


def _offset(keys, lowest):
    """How far keys are above the lowest one, as uint64."""
    # Wraps around only in the signed reading: the bits are right.
    wide = np.uint64 if keys.dtype.kind == "u" else np.int64
    return np.subtract(keys, lowest, dtype=wide).view(np.uint64)


def _weights_above(keys, order, weight):
    """Running totals of the weights by falling score, with a leading 0.

    Returns
    -------
    marked, unmarked : ndarray of float64
    """
    n_marked = np.count_nonzero(low_bit(keys))
    totals = np.zeros(n_marked + 1), np.zeros(len(keys) - n_marked + 1)
    by_rising_score = [total[:0:-1] for total in totals]
    for block in _blocks(len(keys)):
        marked, found = low_bit(keys[block]), weight.take(order[block])
        for i, rows in enumerate((marked, ~marked)):
            here = found.take(rows.nonzero()[0])
            by_rising_score[i][: len(here)] = here
            by_rising_score[i] = by_rising_score[i][len(here) :]
    for total in totals:
        _accumulate(total[1:])
    return totals


def _blocks(n_rows):
    return (slice(start, start + _BLOCK) for start in range(0, n_rows, _BLOCK))


def without_sign(score):
    """Scores without -0.0, which is tied with 0.0."""
    return score + 0.0 if score.dtype.kind == "f" else score


def low_bit(keys):
    """Which keys are marked."""
    return (keys.astype(np.uint8) & 1).view(bool)


def running_total(weight):
    """Cumulative sums with a leading 0."""
    total = np.zeros(len(weight) + 1)
    total[1:] = weight
    _accumulate(total[1:])
    return total


def _accumulate(weight):
    """Cumulative sums in place.

    Summed one after the other, 10**6 weights of 0.1 drift by 1e-11. Sums within
    short rows of a table, added to the running total of the rows before, keep
    every partial sum within a few hundred roundings.
    """
    width = 128
    n_full = len(weight) // width * width
    if n_full:
        table = weight[:n_full].reshape(-1, width)
        np.cumsum(table, axis=1, out=table)
        before = table[:, -1].copy()
        _accumulate(before)
        table[1:] += before[:-1, np.newaxis]
    rest = weight[n_full:]
    np.cumsum(rest, out=rest)
    if n_full:
        rest += before[-1]


def _marked_keys(score, marked):
    """Keys that sort as `score` with `marked` in the lowest bit, and their decoder."""
    if score.dtype.kind in "iub":
        return _integer_keys(score, marked)
    if score.dtype in (np.float32, np.float64):
        found = _float_keys(score, marked)
        if found is not None:
            return found
    if score.dtype in (np.float16, np.float32):
        wider = np.float32 if score.dtype == np.float16 else np.float64
        keys, decode = _marked_keys(score.astype(wider), marked)
        return keys, lambda keys: decode(keys).astype(score.dtype)
    return _rank_keys(score, marked)


def _integer_keys(score, marked):
    lowest, highest = int(score.min()), int(score.max())
    if highest - lowest >= 2**63:
        return _rank_keys(score, marked)
    dtype = np.uint64 if score.dtype.kind == "u" else np.int64
    # Differences wrap around only in the signed reading: the bits are right.
    keys = (score.astype(dtype) - dtype(lowest)).view(np.uint64)
    keys <<= np.uint64(1)
    keys |= marked

    def decode(keys):
        value = (keys >> np.uint64(1)).view(dtype) + dtype(lowest)
        return value.astype(score.dtype)

    return keys, decode


def _rank_keys(score, marked):
    """For what has no spare bit: the rank among the distinct scores instead."""
    distinct, rank = np.unique(score, return_inverse=True)
    keys = rank.reshape(-1).astype(np.uint64)
    keys <<= np.uint64(1)
    keys |= marked
    return keys, lambda keys: distinct[keys >> np.uint64(1)]


def _float_keys(score, marked):
    """Keys from the bits of IEEE floats; None where they leave no spare bit.

    Read as integers, the bits of non-negative floats sort as the floats do and
    leave the sign bit free. With both signs the magnitudes, less a common
    `offset`, have to fit into one bit less: all nonzero magnitudes must lie within
    half of the exponents (1024 binades for float64). -0.0 and 0.0 share a key.
    """
    lowest = np.minimum.reduce(score)
    if lowest < 0:
        return _keys_of_both_signs(score, marked, lowest)
    unsigned = _INTEGERS[score.dtype.itemsize][0]
    bits, one = score.view(unsigned), unsigned(1)
    keys = np.empty_like(bits)
    for block in _blocks(len(score)):
        out = keys[block]
        np.left_shift(bits[block], one, out=out)  # without the sign of -0.0
        out |= marked[block]
    return keys, lambda keys: (keys >> one).view(score.dtype)


def _keys_of_both_signs(score, marked, lowest):
    """With a common offset v for each magnitude: v for positive scores, -v - 1 for others.

    As the bits have it: a negative number's are those of v, inverted.
    """
    unsigned, signed, half = _INTEGERS[score.dtype.itemsize]
    one, sign_bit = unsigned(1), signed(8 * score.dtype.itemsize - 1)
    largest = max(-lowest, np.maximum.reduce(score)).view(signed)
    offset = max(0, int(largest) - (half - 1))
    keys = np.empty(len(score), dtype=signed)
    for block in _blocks(len(score)):
        bits, out = score[block].view(unsigned), keys[block]
        np.left_shift(bits, one, out=out.view(unsigned))
        out -= signed(2 * offset)
        sign = bits.view(signed) >> sign_bit
        sign <<= signed(1)
        if np.minimum.reduce(out) <= 0:
            zero = score[block] == 0
            if np.count_nonzero(out <= 0) > np.count_nonzero(zero):
                return None
            out[zero] = sign[zero] = 0
        out ^= sign
        out |= marked[block]

    def decode(keys):
        value = keys >> signed(1)
        magnitude = value ^ (value >> sign_bit)
        magnitude += signed(offset) * (magnitude > 0)
        return np.copysign(magnitude.view(score.dtype), value).astype(score.dtype)

    return keys, decode
