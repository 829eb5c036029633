"""Sorting of samples by score; no other module of the package sorts scores.

Scores are mapped to integers in the reverse order, with the label in the lowest bit, so
that one integer sort orders scores and labels together, the highest score first. Weights
and influence values need the order of the samples, too: then the index of the sample is
sorted with them.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

# Elements per block, where temporaries as long as the data would leave the second-level
# cache.
_BLOCK = 1 << 15
# Up to this many samples a permutation costs less than making keys.
FEW_SAMPLES = 5000
# Up to this share of the samples, looking up the scores of the minority class among all
# sorted scores costs less than sorting labels and scores together.
_MINORITY = 1 / 32
# These floats hold every integer up to these.
_EXACT_INTEGERS = {np.float32: 2**24, np.float64: 2**53}
# By size in bytes: signed integers, and half their range.
_INTEGERS: dict[int, tuple[Any, int]] = {4: (np.int32, 1 << 30), 8: (np.int64, 1 << 62)}
_ONE = np.uint64(1)


class SortedSamples(NamedTuple):
    """The samples of binary data by decreasing score; in a tie the majority class is first.

    Attributes
    ----------
    keys : ndarray of int32 or int64, shape (n_samples,)
        Increasing. Half a key, rounded down, is an integer for the score, smaller for a
        higher score; an odd key marks a sample of the minority class. If `minority` is
        given, the keys have no class: they are the scores as `_reversed` returns them.
    minority : ndarray or None
        The scores of a small minority class, as `_reversed` returns them, increasing.
    marks_positive : bool
        Whether the minority class is the positive class.
    weights : tuple of two ndarrays of float64, or None without weights
        Running totals of the weights of positives and of negatives by decreasing score,
        with a leading 0.
    scores_above : callable
        ``scores_above(n)`` is the lowest of the n highest scores, for n >= 1.
    order : ndarray of int64, or None
        Index of each sample in the data; None if only the scores were sorted.
    """

    keys: np.ndarray
    minority: np.ndarray | None
    marks_positive: bool
    weights: tuple[np.ndarray, np.ndarray] | None
    scores_above: Callable[[np.ndarray], np.ndarray]
    order: np.ndarray | None


def sort_samples(data, *, look_up=True, with_order=False):
    """The samples sorted by score.

    Parameters
    ----------
    data : BinaryData
    look_up : bool, default=True
        Whether the scores of a small minority class may be looked up in the sorted scores,
        instead of being sorted together with the labels.
    with_order : bool, default=False
        Whether the order of the samples is needed. With weights it is always found.

    Returns
    -------
    SortedSamples
    """
    positive, score, weight = data
    n_pos = np.count_nonzero(positive)
    n_marked = min(n_pos, len(positive) - n_pos)
    marks_positive = n_pos == n_marked
    marked = positive if marks_positive else ~positive
    minority = weights = order = None
    with_order = with_order or weight is not None
    if look_up and n_marked <= _MINORITY * len(positive) and not with_order:
        keys, minority = _reversed(score), _reversed(score.compress(marked))
        keys.sort()
        minority.sort()
        decode = _reversed
    else:
        keys, decode = _marked_keys(score, marked)
        if with_order:
            keys, order = _sorted_with_order(keys)
        else:
            keys.sort()
        if weight is not None:
            weights = weights_above(positive, weight, order)
    if with_order:  # the sorted scores are not kept in memory
        scores_above = partial(lowest_of_highest, score, order)
    else:

        def scores_above(n_above):
            return decode(keys[n_above - 1])

    return SortedSamples(keys, minority, marks_positive, weights, scores_above, order)


def by_falling_score(score):
    """The order of few scores, found by `argsort`.

    Returns
    -------
    order : ndarray of int64, shape (n_samples,)
        Indices of the samples by decreasing score.
    n_above : ndarray of int64, shape (n_distinct + 1,)
        0, then the number of samples with each distinct score or a higher one.
    """
    order = score.argsort()[::-1]
    return order, edges(score.take(order)).nonzero()[0]


def edges(values):
    """Whether each element differs from the one before; both ends count as different."""
    is_edge = np.ones(len(values) + 1, dtype=bool)
    np.not_equal(values[1:], values[:-1], out=is_edge[1:-1])
    return is_edge


def _sorted_with_order(keys):
    """Sorted keys and the position of each, computed faster than by `argsort`.

    One 64-bit integer per sample holds the highest bits of the score, the class and the
    position, and is sorted. Where the lost bits of the scores matter, the keys are sorted
    again: a stable sort of a nearly sorted array takes little time.

    Returns
    -------
    keys : ndarray
    order : ndarray of int64
    """
    index_bits = (len(keys) - 1).bit_length()
    lowest = keys.min() & ~keys.dtype.type(1)
    lost_bits = max(0, (int(keys.max()) - int(lowest)).bit_length() + index_bits - 64)
    order = np.arange(len(keys), dtype=np.uint64)
    for start in range(0, len(keys), _BLOCK):
        block = slice(start, start + _BLOCK)
        # A difference may overflow the signed type; its bits are those of the unsigned one.
        offset = np.subtract(keys[block], lowest, dtype=np.int64).view(np.uint64)
        high = offset >> np.uint64(1 + lost_bits) << _ONE
        order[block] |= (high | offset & _ONE) << np.uint64(index_bits)
    order.sort()
    order &= np.uint64((1 << index_bits) - 1)
    order = order.view(np.int64)
    found = keys.take(order)
    if np.count_nonzero(found[1:] < found[:-1]):
        order = order.take(found.argsort(kind="stable"))
        found.sort(kind="stable")
    return found, order


def lowest_of_highest(score, order, n_highest):
    """The lowest of the highest scores, 0.0 for -0.0; `order` has their indices."""
    lowest = score.take(order.take(n_highest - 1))
    return lowest + 0.0 if lowest.dtype.kind == "f" else lowest


def low_bit(keys):
    """Whether each key belongs to a sample of the minority class."""
    return (keys.astype(np.uint8) & 1).view(bool)


def weights_above(positive, weight, order):
    """Running totals of the weights of positives and of negatives, with a leading 0.

    `order` has the indices of the samples by decreasing score.
    """
    totals, sorted_positive = [], positive.take(order)
    for in_class in (sorted_positive, ~sorted_positive):
        indices = order.compress(in_class)
        total = np.zeros(len(indices) + 1)
        weight.take(indices, out=total[1:], mode="clip")  # other modes copy
        _accumulate(total[1:])
        totals.append(total)
    return totals


def _accumulate(weight):
    """Cumulative sums in place, each with the error of a few hundred roundings at most.

    Summed one after the other, 10**6 weights of 0.1 have a relative error of 1e-11. Here
    cumulative sums within short blocks are added to the total of the blocks before.
    """
    width = 128
    n_full = len(weight) // width * width
    if n_full:
        stretches = weight[:n_full].reshape(-1, width)
        np.cumsum(stretches, axis=1, out=stretches)
        before = stretches[:, -1].copy()
        _accumulate(before)
        stretches[1:] += before[:-1, np.newaxis]
    rest = weight[n_full:]
    np.cumsum(rest, out=rest)
    if n_full:
        rest += before[-1]


def _marked_keys(score, marked):
    """Keys as in `SortedSamples`, not sorted, and a function from keys to scores."""
    if score.dtype in (np.float32, np.float64):
        found = _float_keys(score, marked)
        if found is not None:
            return found
    wider = _wider_float(score)
    if wider is None:
        return _rank_keys(score, marked)
    keys, decode = _marked_keys(score.astype(wider), marked)
    return keys, lambda keys: decode(keys).astype(score.dtype)


def _wider_float(score):
    """A type of floats that holds every score and a bit more; None if there is none."""
    if score.dtype.kind == "f":
        return {2: np.float32, 4: np.float64}.get(score.dtype.itemsize)
    largest = max(-int(score.min()), int(score.max()))
    return next((wider for wider, n in _EXACT_INTEGERS.items() if largest <= n), None)


def _reversed(score):
    """Values that sort in the reverse order of the scores; -0.0 and 0.0 become 0.0.

    Applied to these values, the function returns the scores.
    """
    return 0.0 - score if score.dtype.kind == "f" else ~score


def _rank_keys(score, marked):
    """Keys: twice the rank of each score, plus 1 for the minority class; and their decoder.

    The rank of a score is the number of distinct higher scores. Ranks are used where the
    bits of a score leave none for the class.
    """
    distinct, rank = np.unique(_reversed(score), return_inverse=True)
    keys = 2 * rank.reshape(-1).astype(np.int64) + marked
    return keys, lambda keys: _reversed(distinct)[keys >> 1]


def _float_keys(score, marked):
    """Keys from the bits of IEEE floats, and their decoder; None if no bit is free.

    Read as integers, the bits of non-negative floats are in the order of the floats and
    leave the sign bit free for the class. Let v be the bits of the magnitude less a common
    `offset`. The key is -v - 1 for a non-negative score and v for a negative one, with the
    class appended as the lowest bit. With both signs v has to fit into one bit less: all
    nonzero magnitudes must lie within half of the exponents (1024 binades for float64).
    -0.0 and 0.0 share a key.
    """
    signed, half = _INTEGERS[score.dtype.itemsize]
    one, sign_bit = signed(1), signed(8 * score.dtype.itemsize - 1)
    lowest, offset = np.minimum.reduce(score), half
    if lowest < 0:
        largest = max(-lowest, np.maximum.reduce(score)).view(signed)
        offset = max(0, int(largest) - (half - 1))
    keys = np.empty(len(score), dtype=signed)
    for start in range(0, len(score), _BLOCK):
        block = slice(start, start + _BLOCK)
        bits, out = score[block].view(signed), keys[block]
        np.left_shift(bits, one, out=out)  # clears the sign
        np.subtract(signed(2 * (offset - 1)), out, out=out)
        if lowest < 0:
            sign = bits >> sign_bit
            sign <<= one
            if np.maximum.reduce(out) >= -2:
                zero = score[block] == 0
                if np.count_nonzero(out >= -2) > np.count_nonzero(zero):
                    return None
                out[zero], sign[zero] = -2, 0
            out ^= sign
        out |= marked[block]

    def decode(keys):
        value = keys >> one
        if lowest >= 0:
            return (signed(offset - 1) - value).view(score.dtype)
        magnitude = value ^ (value >> sign_bit)
        magnitude += signed(offset) * (magnitude > 0)
        return np.copysign(magnitude.view(score.dtype), ~value).astype(score.dtype)

    return keys, decode
