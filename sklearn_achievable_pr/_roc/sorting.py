"""Sorting of samples by score, with their labels or weights; no other module does this.

Scores are mapped to integers in the reverse order, with the label in the lowest bit, so
that one integer sort orders scores and labels together, the highest score first. Weights
and influence values need the order of the samples, and the bits of some scores leave none
for the label: then the leading bits of each score are sorted together with the index of its
sample.
"""

import numpy as np

from .float_code import FloatCode

# Temporary arrays as long as the data would not fit into the second-level cache, so loops
# work on blocks of this many elements.
_BLOCK = 1 << 15
# Up to this many samples `argsort` costs less than making integers.
FEW_SAMPLES = 5000
# Each type of floats holds every integer up to this number.
_EXACT_INTEGERS = {np.float32: 2**24, np.float64: 2**53}


def sorted_keys(score, marked):
    """Sorted keys of scores and classes, and their decoder; None if no bit is free.

    Parameters
    ----------
    score : ndarray of shape (n_samples,)
    marked : ndarray of bool, shape (n_samples,)
        Whether each sample belongs to the minority class, which comes last in a tie.

    Returns
    -------
    keys : ndarray of int32 or int64, shape (n_samples,)
        Increasing. Half a key, rounded down, is an integer for the score, smaller for a
        higher score; an odd key belongs to a sample of the minority class.
    decode : callable
        ``decode(keys)`` are the scores.
    """
    if score.dtype in (np.float32, np.float64):
        keys_and_decoder = _float_keys(score, marked)
        if keys_and_decoder is not None:
            return keys_and_decoder
    wider = _wider_float(score)
    if wider is None:
        return None
    keys, decode = sorted_keys(score.astype(wider), marked)
    return keys, lambda keys: decode(keys).astype(score.dtype)


def sorted_apart(score, marked):
    """Increasing `reversed_` scores of all samples, and of the minority class."""
    scores, marked_scores = reversed_(score), reversed_(score.compress(marked))
    scores.sort()
    marked_scores.sort()
    return scores, marked_scores


def falling_order(score):
    """The order of the samples by decreasing score.

    One integer per sample, the leading bits of its score and its index, is sorted. Where
    the lost bits of the scores matter, the scores are sorted again: a stable sort of a
    nearly sorted array takes little time.

    Returns
    -------
    order : ndarray of int64, shape (n_samples,)
        Indices of the samples.
    n_above : ndarray of int64, shape (n_distinct + 1,)
        0, then the number of samples with each distinct score or a higher one.
    """
    if len(score) <= FEW_SAMPLES:
        order = score.argsort()[::-1]
        return order, edges(score.take(order)).nonzero()[0]
    # The bits of each score, counted down from the highest one, are shifted to the left end
    # of its integer. The last bits, `index_bits`, are replaced by the index of the sample.
    order = np.arange(len(score), dtype=np.uint64)
    index_bits = np.uint64((1 << int(order[-1]).bit_length()) - 1)
    first, last = _falling_bits(np.array([score.max(), score.min()]))
    n_zeros = np.uint64(min(64 - (int(last) - int(first)).bit_length(), 63))
    for start in range(0, len(score), _BLOCK):
        block = slice(start, start + _BLOCK)
        # A difference may overflow the signed type, but its bits are right if read as
        # unsigned.
        bits = (_falling_bits(score[block]) - first).view(np.uint64)
        order[block] |= bits << n_zeros & ~index_bits
    order.sort()
    order &= index_bits
    order = order.view(np.int64)
    sorted_score = score.take(order)
    if np.count_nonzero(sorted_score[1:] > sorted_score[:-1]):
        resorted = reversed_(sorted_score).argsort(kind="stable")
        order, sorted_score = order.take(resorted), sorted_score.take(resorted)
    return order, edges(sorted_score).nonzero()[0]


def _falling_bits(score):
    """Integers in the order of falling scores, as far as float64 tells them apart."""
    with np.errstate(over="ignore"):  # a long double may exceed float64
        bits = (0.0 - score.astype(np.float64)).view(np.int64)
    # The magnitude of a negative float rises as the float falls, so its bits are inverted.
    return bits ^ ((bits >> 63) & np.iinfo(np.int64).max)


def edges(values):
    """Whether each element differs from the one before; both ends count as different."""
    is_edge = np.empty(len(values) + 1, dtype=bool)
    is_edge[0] = is_edge[-1] = True
    np.not_equal(values[1:], values[:-1], out=is_edge[1:-1])
    return is_edge


def weights_above(positive, weight):
    """Running totals of the weights of positives and of negatives, with a leading 0.

    Both arrays are in the order of decreasing scores.
    """
    totals = []
    for in_class in (positive, ~positive):
        total = np.concatenate(([0.0], weight.compress(in_class)))
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
        np.add.accumulate(stretches, axis=1, out=stretches)
        before = stretches[:, -1].copy()
        _accumulate(before)
        stretches[1:] += before[:-1, np.newaxis]
    rest = weight[n_full:]
    np.add.accumulate(rest, out=rest)
    if n_full:
        rest += before[-1]


def _wider_float(score):
    """A type of floats that holds every score and a bit more; None if there is none."""
    if score.dtype.kind == "f":
        return {2: np.float32, 4: np.float64}.get(score.dtype.itemsize)
    largest = max(-int(score.min()), int(score.max()))
    return next((wider for wider, n in _EXACT_INTEGERS.items() if largest <= n), None)


def reversed_(score):
    """Values that sort in the reverse order of the scores; -0.0 and 0.0 become 0.0.

    Applied to these values, the function returns the scores.
    """
    return 0.0 - score if score.dtype.kind == "f" else ~score


def _float_keys(score, marked):
    """Sorted keys of the bits of floats, and their decoder; None if no bit is free."""
    code = FloatCode.of_range(score)
    keys = np.empty(len(score), dtype=code.integer)
    for start in range(0, len(score), _BLOCK):
        block = slice(start, start + _BLOCK)
        if not code.encode(score[block], out=keys[block]):
            return None
        keys[block] |= marked[block]
    keys.sort()
    return keys, code.decode
