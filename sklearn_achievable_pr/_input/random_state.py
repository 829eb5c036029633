"""Conversion of `random_state` to a NumPy generator."""

from __future__ import annotations

import numbers

import numpy as np

RandomState = int | np.random.RandomState | np.random.Generator


def check_random_state(random_state: RandomState | None) -> np.random.Generator:
    """A `numpy.random.Generator` for any accepted `random_state`.

    None gives a generator with a new seed in each call, an int one with this seed. A
    RandomState draws the seed of a new generator, so its own state advances. A Generator is
    used directly.
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**32, size=4, dtype=np.uint32))
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool):
        if int(random_state) < 0:
            raise ValueError(f"`random_state` must not be negative. Got {random_state}.")
    elif random_state is not None:
        raise TypeError(
            "`random_state` must be None, an int, a numpy.random.RandomState or a "
            f"numpy.random.Generator. Got {random_state!r}."
        )
    return np.random.default_rng(random_state)
