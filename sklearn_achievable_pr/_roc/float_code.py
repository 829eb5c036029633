"""A code of floating-point scores by integers, to sort samples by score with their class.

Sorting one array of integers is faster than sorting indices of samples by their scores.
"""

from typing import Any, NamedTuple

import numpy as np

# For each size in bytes: the type of signed integers, and half the number of those that are
# not negative.
_INTEGERS: dict[int, tuple[Any, int]] = {4: (np.int32, 1 << 30), 8: (np.int64, 1 << 62)}


class FloatCode(NamedTuple):
    """A code of floats by integers, the *keys*, in the reverse order of the scores.

    Increasing keys are decreasing scores. The lowest bit of a key is free for the class, so
    that sorted keys have the classes in the order of the scores.

    The bits of a float are its sign s and, read as an integer, its magnitude, which is in
    the order of the absolute values. The magnitudes of all scores together mostly need less
    than their whole range. After subtraction of a common offset they have one bit less, and
    this bit is free for the class::

        float64    s | exponent (11 bits) | mantissa (52 bits)
        v              magnitude - offset
        key        -v - 1 if s = 0, v if s = 1 (63 bits)          | class

    If there are negative scores, keys without the class are::

        score      large     small    0.0, -0.0    -small    -large
        key        -v - 1    -v - 1      -1           v         v
                   lowest                                    highest

    Then v must be above 0 for every score but 0: the magnitudes must lie within half of the
    exponents (1024 binades for float64). If no score is negative, all keys are -v - 1, so v
    may be negative and magnitudes may lie anywhere. The code turns -0.0 into 0.0.

    All arithmetic is modulo 2^64 (2^32 for float32): intermediate results may overflow, and
    the final result is right.

    Attributes
    ----------
    dtype : dtype
        The dtype of the scores.
    integer : type
        The type of signed integers of the same size.
    has_negatives : bool
        Whether there are negative scores.
    offset : int
        Half of the range of magnitudes. With negative scores the least number, 0 or more,
        for which the largest v is below this half.
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
        largest_score = max(-lowest, np.maximum.reduce(score))
        magnitude = int(largest_score.view(integer))
        return cls(score.dtype, integer, True, max(0, magnitude - (half_range - 1)))

    @property
    def sign_place(self):
        """Index of the sign bit: shifted by it, a number is -1 if negative, else 0."""
        return self.integer(8 * self.dtype.itemsize - 1)

    def encode(self, score, out):
        """Write keys, with 0 as the last bit, to `out`.

        Returns False if the magnitudes of the scores lie too far apart, so that no bit is
        free. Then `out` holds no keys, and the scores must be sorted in another way.
        """
        one, bits = self.integer(1), score.view(self.integer)
        np.left_shift(bits, one, out=out)  # the shift clears the sign
        np.subtract(self.integer(2 * (self.offset - 1)), out, out=out)  # 2 (-v - 1)
        if self.has_negatives:
            to_flip = bits >> self.sign_place  # all bits of negative scores, and no others
            to_flip <<= one  # the last bit is never flipped
            # V <= 0 for zeros, or for magnitudes that are too small.
            if np.maximum.reduce(out) >= -2:
                is_zero = score == 0
                if np.count_nonzero(out >= -2) > np.count_nonzero(is_zero):
                    return False
                out[is_zero] = -2  # the key -1
                to_flip[is_zero] = 0
            out ^= to_flip  # a negative score gets v, the complement of -v - 1
        return True

    def decode(self, keys):
        """The scores of keys."""
        keys = keys >> self.integer(1)  # the shift drops the class
        if not self.has_negatives:
            return (self.integer(self.offset - 1) - keys).view(self.dtype)
        # This is v, whether the key is -v - 1 or v.
        magnitude = keys ^ (keys >> self.sign_place)
        magnitude += self.integer(self.offset) * (magnitude > 0)
        # Keys below 0 belong to scores of at least 0, so the complement of a key has the
        # sign of the score. With integers as signs `copysign` makes float64 of float32.
        return np.copysign(magnitude.view(self.dtype), ~keys).astype(self.dtype)
