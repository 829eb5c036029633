"""Bins of scores: intervals that follow one another in the order of the scores.

A score's *key* is a whole number that sorts as the score does: the bits of its magnitude as
float64, negative below zero. The bins of `LeadingBits` are those of the keys' leading bits,
those of `Refined` are equal parts of them, those of `Edges` are given.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

import numpy as np

_MANTISSA = 52
_MAGNITUDE = np.int64(2**63 - 1)
_HIGHEST_KEY = np.int64(0x7FF << _MANTISSA)  # that of infinity, which is no score
# From 2**-31 to 2**17, where most scores are: magnitudes that get more bins than others.
_WINDOW = 992 << _MANTISSA, 1040 << _MANTISSA
_LESS_OUTSIDE = 7
_WIDEST = _MANTISSA + 4
DTYPES = "float32", "float64"
FEWEST_BINS, MOST_BINS = 512, 1 << 24


def keys_of(score):
    """Keys of scores, as int64; -0.0 has that of 0.0.

    Parameters
    ----------
    score : ndarray of float64
    """
    bits = score.view(np.int64)
    sign = bits >> 63
    keys = bits & _MAGNITUDE
    keys ^= sign
    keys -= sign
    return keys


def scores_at(keys):
    """The scores of keys."""
    return np.copysign(np.abs(keys).view(np.float64), keys)


@dataclass(frozen=True)
class LeadingBits:
    """Bins of the scores that agree in sign, exponent and first digits of the mantissa.

    A step is one up in the leading bits of a magnitude. Step 0 is the middle bin, of 0 and
    what is next to it; the others are a bin above and a bin below.

    Attributes
    ----------
    shift : int
        How many bits of a key are left out for magnitudes from 2**-31 to 2**17.
    outer_shift : int
        The same for others. Both kinds start at multiples of it.
    """

    shift: int
    outer_shift: int

    @classmethod
    def at_most(cls, n_bins, dtype):
        """The finest such bins of which there are at most `n_bins`.

        Of float32, scores are taken to have common magnitudes. Of float64 all exponents are
        treated alike.
        """
        bins = None
        for shift in range(_WIDEST, -1, -1):
            outer = shift if dtype == "float64" else min(shift + _LESS_OUTSIDE, _WIDEST)
            finer = cls(shift, outer)
            if finer.n_bins > n_bins:
                break
            bins = finer
        return bins

    @property
    def _window_steps(self):
        """How many steps lie below the window, and below its upper end."""
        below = _WINDOW[0] >> self.outer_shift
        return below, below + ((_WINDOW[1] - _WINDOW[0]) >> self.shift)

    @property
    def middle(self):
        """The number of the bin of 0, which is how many there are on each side of it."""
        above = ((_HIGHEST_KEY - 1 - _WINDOW[1]) >> self.outer_shift) + 1
        return int(self._window_steps[1] + above - 1)

    @property
    def n_bins(self):
        """How many bins there are."""
        return 2 * self.middle + 1

    def index(self, score):
        """Number of each score's bin, rising with the score, as intp."""
        if score.dtype == np.float32:
            step = self._float32_steps(score)
            if step is not None:
                return self._signed(step, score.view(np.int32))
        bits = score.astype(np.float64, copy=False).view(np.int64)
        return self._signed(self._steps(bits & _MAGNITUDE), bits)

    def _signed(self, step, bits):
        sign = bits >> bits.dtype.type(8 * bits.itemsize - 1)
        step ^= sign
        step -= sign
        return np.add(step, self.middle, dtype=np.intp)

    def _steps(self, magnitude, bits_less=0, exponents_less=0):
        """CellLayout of magnitudes, which are changed.

        `bits_less` is how many bits their mantissa has less than that of float64,
        `exponents_less` how much less their exponents are.
        """
        whole = magnitude.dtype.type
        low, high = (
            whole((edge >> bits_less) - (exponents_less << (_MANTISSA - bits_less)))
            for edge in _WINDOW
        )
        shift, outer = whole(self.shift - bits_less), whole(self.outer_shift - bits_less)
        lowest = np.minimum.reduce(magnitude, initial=low)
        if low <= lowest and np.maximum.reduce(magnitude, initial=low) < high:
            magnitude -= low  # nearly all there are
            magnitude >>= shift
            magnitude += low >> outer
            return magnitude
        step = np.minimum(magnitude, low)
        step >>= outer
        above = np.maximum(magnitude, high)
        above -= high
        above >>= outer
        step += above
        np.clip(magnitude, low, high, out=magnitude)
        magnitude -= low
        magnitude >>= shift
        step += magnitude
        return step

    def _float32_steps(self, score):
        """CellLayout in half of the bits; None where that is not possible."""
        bits_less, exponents_less, normal = 29, 896, 1 << 23
        if not (bits_less <= self.shift and self.outer_shift <= _MANTISSA):
            return None
        magnitude = score.view(np.int32) & np.int32(2**31 - 1)
        zero = None
        if np.minimum.reduce(magnitude, initial=normal) < normal:
            zero = magnitude < normal
            if magnitude[zero].any():
                return None
        step = self._steps(magnitude, bits_less, exponents_less)
        step += np.int32(exponents_less << (_MANTISSA - self.outer_shift))
        if zero is not None:
            step[zero] = 0
        return step

    def lowest_keys(self):
        """The lowest key of each bin, and one above all keys, as int64."""
        below, inside = self._window_steps
        steps = np.arange(1, self.middle + 1, dtype=np.int64)
        entered = np.where(  # the magnitude at which each step starts
            steps < below,
            steps << self.outer_shift,
            np.where(
                steps < inside,
                _WINDOW[0] + ((steps - below) << self.shift),
                _WINDOW[1] + ((steps - inside) << self.outer_shift),
            ),
        )
        return np.concatenate(
            ([-_HIGHEST_KEY], 1 - entered[:0:-1], [1 - entered[0]], entered, [_HIGHEST_KEY])
        )


@dataclass(frozen=True, eq=False)
class Edges:
    """Bins from one given score up to the next; one bin below the first, one from the last.

    Attributes
    ----------
    edges : ndarray of float64
        Rising.
    """

    edges: np.ndarray

    @property
    def n_bins(self):
        """How many bins there are."""
        return len(self.edges) + 1

    def index(self, score):
        """Number of each score's bin, rising with the score, as intp."""
        return np.searchsorted(self.edges, score.astype(np.float64, copy=False), "right")

    def lowest_keys(self):
        """The lowest key of each bin, and one above all keys, as int64."""
        return np.concatenate(([-_HIGHEST_KEY], keys_of(self.edges), [_HIGHEST_KEY]))

    def __eq__(self, other):
        return isinstance(other, Edges) and np.array_equal(self.edges, other.edges)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, eq=False)
class Refined:
    """Bins of which each is one of several equal parts of a coarser bin, or some of these.

    Attributes
    ----------
    coarse : LeadingBits, Edges or Refined
    n_parts : ndarray of int64, shape (coarse.n_bins,)
        Into how many parts, of equal width in keys, each coarse bin is divided. A coarse
        bin of 0 parts belongs to the last part of the one before it.
    """

    coarse: LeadingBits | Edges | Refined
    n_parts: np.ndarray
    _lowest: np.ndarray = field(init=False, repr=False)
    _density: np.ndarray = field(init=False, repr=False)  # parts a key
    _last: np.ndarray = field(init=False, repr=False)  # of each coarse bin
    _base: np.ndarray = field(init=False, repr=False)  # the number of its first part

    def __post_init__(self):
        lowest = self.coarse.lowest_keys()
        # Two keys may be nearly 2**64 apart.
        width = np.diff(lowest).view(np.uint64).astype(np.float64)
        last = np.maximum(self.n_parts - 1, 0)
        derived = {
            "_lowest": lowest,
            "_density": self.n_parts / np.maximum(width, 1),
            "_last": last,
            "_base": np.cumsum(self.n_parts) - 1 - last,
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def __reduce__(self):
        parts = self.n_parts.astype(np.min_scalar_type(self.n_parts.max()))
        packed = zlib.compress(parts.tobytes(), 1)
        return _unpacked, (self.coarse, packed, parts.dtype)

    @property
    def n_bins(self):
        """How many bins there are."""
        return int(self.n_parts.sum())

    def index(self, score):
        """Number of each score's bin, rising with the score, as intp.

        Each step in floating point keeps the order, so the result does.
        """
        coarse = self.coarse.index(score)
        keys = keys_of(score.astype(np.float64, copy=False))
        lowest = self._lowest.take(coarse)
        np.maximum(keys, lowest, out=keys)
        keys -= lowest
        part = keys.view(np.uint64).astype(np.float64)
        part *= self._density.take(coarse)
        np.minimum(part, self._last.take(coarse), out=part)
        part = part.astype(np.intp)
        part += self._base.take(coarse)
        return part

    def lowest_keys(self):
        """About the lowest key of each bin, and one above all keys, as int64."""
        bins = np.repeat(np.arange(len(self.n_parts)), self.n_parts)
        within = np.arange(len(bins)) - self._base[bins]
        steps = np.zeros(len(bins))
        np.divide(within, self._density[bins], out=steps, where=within > 0)
        lowest = self._lowest[bins] + steps.astype(np.uint64).view(np.int64)
        return np.append(np.maximum.accumulate(lowest), self._lowest[-1])

    def __eq__(self, other):
        return (
            isinstance(other, Refined)
            and self.coarse == other.coarse
            and np.array_equal(self.n_parts, other.n_parts)
        )

    __hash__ = None  # type: ignore[assignment]


def _unpacked(coarse, packed, dtype):
    return Refined(coarse, np.frombuffer(zlib.decompress(packed), dtype).astype(np.int64))
