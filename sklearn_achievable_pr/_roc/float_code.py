"""A code of floating-point scores by integers that leaves a bit for the class."""

from typing import Any, NamedTuple

import numpy as np

# By size in bytes: signed integers, and half the number of those that are not negative.
_INTEGERS: dict[int, tuple[Any, int]] = {4: (np.int32, 1 << 30), 8: (np.int64, 1 << 62)}


class FloatCode(NamedTuple):
    """A code of floats by integers, in the reverse order, that leaves one bit free.

    The bits of a float are its sign and, read as an integer, its magnitude, which is in the
    order of the absolute values. Less a common offset, the magnitude has a bit to spare for
    the sign of the key, and the class takes the lowest bit::

        float64    s | exponent (11 bits) | mantissa (52 bits)
        v              magnitude - offset
        key        -v - 1 if s = 0, v if s = 1 (63 bits)          | class

    For scores of both signs, each with its v, keys without the class are::

        score      large     small    0.0, -0.0    -small    -large
        key        -v - 1    -v - 1      -1           v         v
                   lowest                                    highest

    So with both signs v must be above 0 for every nonzero score: the magnitudes must lie
    within half of the exponents (1024 binades for float64). Scores that are not negative
    may have any magnitude; there v may be negative.

    All arithmetic is modulo 2^64 (2^32 for float32): what overflows on the way is lost, and
    the result is right.

    Attributes
    ----------
    dtype : dtype
        Of the scores.
    integer : type
        Signed, of the same size.
    has_negatives : bool
        Whether there are negative scores.
    offset : int
        Half of the range of magnitudes; with negative scores just as much as brings the
        largest v below this half, or 0.
    """

    dtype: np.dtype
    integer: Any
    has_negatives: bool
    offset: int

    @classmethod
    def of_range(cls, score):
        """The code for the range of these scores."""
        integer, half_range = _INTEGERS[score.dtype.itemsize]
        lowest = np.minimum.reduce(score)
        if lowest >= 0:
            return cls(score.dtype, integer, False, half_range)
        largest = max(-lowest, np.maximum.reduce(score)).view(integer)
        return cls(score.dtype, integer, True, max(0, int(largest) - (half_range - 1)))

    @property
    def sign_place(self):
        """Index of the sign bit: shifted by it, a number is -1 if negative, else 0."""
        return self.integer(8 * self.dtype.itemsize - 1)

    def encode(self, score, out):
        """Write keys, with 0 as the last bit, to `out`; False if no bit is free."""
        one, bits = self.integer(1), score.view(self.integer)
        np.left_shift(bits, one, out=out)  # clears the sign
        np.subtract(self.integer(2 * (self.offset - 1)), out, out=out)  # 2 (-v - 1)
        if self.has_negatives:
            flipped = bits >> self.sign_place  # of negative scores all bits, else none
            flipped <<= one  # but never the last bit
            if np.maximum.reduce(out) >= -2:  # v <= 0: zeros, or too small a magnitude
                zero = score == 0
                if np.count_nonzero(out >= -2) > np.count_nonzero(zero):
                    return False
                out[zero], flipped[zero] = -2, 0
            out ^= flipped  # of a negative score: the complement of -v - 1 is v
        return True

    def decode(self, keys):
        """The scores of keys."""
        value = keys >> self.integer(1)  # drops the class
        if not self.has_negatives:
            return (self.integer(self.offset - 1) - value).view(self.dtype)
        magnitude = value ^ (value >> self.sign_place)  # v from either form
        magnitude += self.integer(self.offset) * (magnitude > 0)
        # Values below 0 are of scores of at least 0, so the complement has the sign of the
        # score. With integers as signs `copysign` makes float64 of float32.
        return np.copysign(magnitude.view(self.dtype), ~value).astype(self.dtype)
