"""Bins of scores: intervals that follow one another in the order of the scores.

The *key* of a score is an integer that sorts as the score does: the bits of its magnitude
as float64, negated below zero. Scores in a bin of `LeadingBits` have the same leading bits.
`Refined` divides bins into parts of equal width in keys.
"""

from collections import deque
from weakref import WeakValueDictionary

import numpy as np

_MAGNITUDE = np.int64(2**63 - 1)
_KEY_OF_INFINITY = np.int64(0x7FF << 52)
# These magnitudes are bits of float32. Bins are narrower from 2**-31 to 2**17, where nearly
# all probabilities and decision values are.
_LOW, _HIGH, _INFINITY = 96 << 23, 144 << 23, 255 << 23
_FEWER_BITS_OUTSIDE = 4
MIN_BINS, MAX_BINS = 512, 1 << 24


def keys_of(score):
    """Keys of float64 scores, as int64; -0.0 and 0.0 have the same key."""
    bits = score.view(np.int64)
    return np.where(bits < 0, -(bits & _MAGNITUDE), bits)


class Bins:
    """Base class of bins, which are pickled and compared by their hashable `parameters`."""

    def __init__(self, *parameters):
        self.parameters = parameters

    def __reduce__(self):
        return shared, (type(self), *self.parameters)

    def __eq__(self, other):
        return type(self) is type(other) and self.parameters == other.parameters

    def __hash__(self):
        return hash(self.parameters)


# Making the look-up table of the default bins (1 MB) takes as long as counting 100,000
# samples. So bins in use are shared, and the latest bins are kept unless they are large.
_in_use: WeakValueDictionary = WeakValueDictionary()
_latest: deque = deque(maxlen=1)


def shared(kind, *parameters):
    """The bins of a class with these parameters, one object for all that use them."""
    bins = _in_use.get((kind, parameters))
    if bins is None:
        bins = _in_use[kind, parameters] = kind(*parameters)
    if bins.n_bins <= 2**17:
        _latest.append(bins)
    return bins


class LeadingBits(Bins):
    """Bins of scores with the same sign, exponent and leading digits as float32.

    Rounding to float32 preserves the order of the scores, so a bin is an interval of scores
    of any dtype. The middle bin holds 0, with as many bins above as below.

    Parameters
    ----------
    shift : int
        Number of float32 bits dropped for magnitudes from 2**-31 to 2**17.
    """

    def __init__(self, shift):
        super().__init__(shift)
        middle = _n_bins_above(shift)
        self.n_bins = 2 * middle + 1
        is_first = np.zeros((_INFINITY >> shift) + 1, dtype=np.int32)
        is_first[:: 1 << _FEWER_BITS_OUTSIDE] = True
        is_first[_LOW >> shift : _HIGH >> shift] = True
        is_first[0] = False  # the middle bin holds both signs
        self._shift, self._first = shift, is_first.nonzero()[0] << shift
        # The table gives the bin for the sign, the exponent and the leading digits.
        self._bin_of = np.full((2, 1 << 31 - shift), middle, dtype=np.int32)
        number = np.cumsum(is_first, dtype=np.int32)
        self._bin_of[0, : len(number)] += number
        self._bin_of[1, : len(number)] -= number

    def index(self, score):
        """Index of the bin of each score, in the order of the scores, as intp."""
        with np.errstate(over="ignore"):  # infinity has its own bin
            bits = score.astype(np.float32, copy=False).view(np.uint32)
        return self._bin_of.take(bits >> self._shift).astype(np.intp)

    def lowest_keys(self):
        """The lowest key of each bin, and one above all keys, as int64."""
        # The scores in float64 down to half a float32 unit below the bin are rounded up
        # into it. A float32 has the bits, 29 places higher, of a float64 that is 2**896
        # times smaller.
        magnitude = ((self._first << 29) - (1 << 28)).view(np.float64) * 2.0**896
        keys = magnitude.view(np.int64)
        return np.r_[-_KEY_OF_INFINITY, 1 - keys[::-1], keys, _KEY_OF_INFINITY]


def _n_bins_above(shift):
    """Number of `LeadingBits` above the middle one."""
    outer = shift + _FEWER_BITS_OUTSIDE
    outside = (_LOW >> outer) + (_INFINITY - _HIGH >> outer)
    return outside + (_HIGH - _LOW >> shift)


def leading_bits(n_bins):
    """The narrowest `LeadingBits` with at most `n_bins` bins."""
    fits = (shift for shift in range(1, 23) if 2 * _n_bins_above(shift) < n_bins)
    return shared(LeadingBits, next(fits))


class Refined(Bins):
    """Bins made by dividing coarser bins into parts, or by joining neighboring bins.

    Parameters
    ----------
    coarse : LeadingBits or Refined
        The coarser bins.
    dtype : str
    n_parts : bytes
        Number of parts, of equal width in keys, into which each coarse bin is divided, in
        an array of this dtype. A coarse bin with 0 parts is joined to the last part of the
        bin before.
    """

    def __init__(self, coarse, dtype, n_parts):
        super().__init__(coarse, dtype, n_parts)
        self._coarse, self._n_parts = coarse, np.frombuffer(n_parts, dtype).astype(np.int64)
        self.n_bins = int(self._n_parts.sum())
        self._lowest = coarse.lowest_keys()
        # Two keys may be nearly 2**64 apart, so widths are unsigned.
        width = np.diff(self._lowest).view(np.uint64).astype(np.float64)
        self._parts_per_key = self._n_parts / np.maximum(width, 1)
        self._last_part = np.maximum(self._n_parts - 1, 0)
        self._first_bin = np.cumsum(self._n_parts) - 1 - self._last_part

    def index(self, score):
        """Index of the bin of each score, in the order of the scores, as intp.

        Each step in floating point preserves the order of the scores.
        """
        coarse = self._coarse.index(score)
        lowest = self._lowest.take(coarse)
        keys = np.maximum(keys_of(score.astype(np.float64, copy=False)), lowest)
        keys -= lowest
        part = keys.view(np.uint64).astype(np.float64)
        part *= self._parts_per_key.take(coarse)
        np.minimum(part, self._last_part.take(coarse), out=part)
        return part.astype(np.intp) + self._first_bin.take(coarse)

    def lowest_keys(self):
        """The lowest key of each bin up to rounding, and one above all keys, as int64."""
        bins = np.repeat(np.arange(len(self._n_parts)), self._n_parts)
        part = np.arange(len(bins)) - self._first_bin[bins]
        steps = np.zeros(len(bins))
        np.divide(part, self._parts_per_key[bins], out=steps, where=part > 0)
        lowest = self._lowest[bins] + steps.astype(np.uint64).view(np.int64)
        return np.append(np.maximum.accumulate(lowest), self._lowest[-1])


def refined(coarse, n_parts):
    """`Refined` bins: an array of the number of parts of each coarse bin."""
    n_parts = n_parts.astype(np.min_scalar_type(n_parts.max()))
    return shared(Refined, coarse, n_parts.dtype.str, n_parts.tobytes())
