"""The base classes of all results: values that are compared, pickled and exported."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from ._rendering import as_html, as_text

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False, eq=False)
class Result:
    """Base class of all results: text, notebook table, dict and DataFrame.

    Results are frozen dataclasses: attributes cannot be assigned. ``print(result)`` shows
    the values as text, and a notebook shows them as a table.

    The width of an interval decides how many decimals are printed: as many as show two
    digits of the width, at least two. All numbers of a column have the decimals of its
    narrowest interval. A threshold is printed with as many digits as are needed to select
    the same samples. Attributes, ``to_dict()`` and the numbers of ``to_frame()`` are not
    rounded.
    """

    # A subclass is a dataclass with the same options, and says in `_blocks` what is shown.
    def __post_init__(self):
        for name, value in vars(self).items():
            if isinstance(value, (list, np.ndarray)):
                object.__setattr__(self, name, _read_only(value))

    def __setstate__(self, state):
        # A pickle does not store that an array is read-only.
        vars(self).update(state)
        Result.__post_init__(self)

    def __eq__(self, other):
        return type(self) is type(other) and is_equal(vars(self), vars(other))

    def __hash__(self):
        return hash(type(self))

    def _blocks(self):
        """What is shown: sentences (str), labeled values (dict) and tables (list of dict).

        The keys of the rows of a table are its titles.
        """
        values = {f.name: np.asarray(getattr(self, f.name)) for f in fields(self)}
        return [
            {
                name: np.array2string(value, precision=8, threshold=20)
                for name, value in values.items()
            }
        ]

    def __str__(self):
        return as_text(self._blocks())

    __repr__ = __str__

    def _repr_html_(self):
        return "\n".join(map(as_html, self._blocks()))

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values, for JSON and logs.

        Returns
        -------
        dict
            Arrays are lists, other results are dicts, infinities are ``"inf"`` and
            ``"-inf"``, and NaN is None. The distribution of permutations is left
            out.
        """
        return plain(self)

    def to_frame(self) -> pd.DataFrame:
        """The fields as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            One row; the limits of a confidence interval are the columns ``low`` and
            ``high``. If the result has arrays, only these are columns, with one row per
            element.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = import_pandas()
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.repr}
        arrays = {k: v for k, v in values.items() if isinstance(v, np.ndarray)}
        if arrays:
            return pd.DataFrame(arrays)
        row = pd.json_normalize(plain(self, keep=True), sep="_")
        return row.rename(columns=lambda name: name.removeprefix("confidence_interval_"))


def _read_only(value):
    """The value with read-only views, because arrays themselves may be the caller's."""
    if isinstance(value, list):
        return [*map(_read_only, value)]
    if isinstance(value, np.ndarray):
        value = value.view()
        value.flags.writeable = False
    return value


@dataclass(frozen=True, repr=False, eq=False)
class Record(Result, Sequence):
    """A result that can be unpacked into its fields, and equals a tuple of them."""

    def __getitem__(self, index):
        return tuple(getattr(self, f.name) for f in fields(self) if f.repr)[index]

    def __len__(self):
        return sum(f.repr for f in fields(self))

    def __eq__(self, other):
        if not isinstance(other, tuple | Record):
            return NotImplemented
        return is_equal(self[:], other[:])

    def __hash__(self):
        return hash(tuple(map(_hashable, self)))


def _hashable(value):
    """A value whose hash equal values share: lists and arrays as tuples, NaN as None."""
    value = value.tolist() if isinstance(value, np.ndarray) else value
    if isinstance(value, list):
        return tuple(map(_hashable, value))
    return None if value != value else value


def is_equal(one, other):
    """Whether two values of fields are equal: NaN equals NaN, arrays by their elements."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        one, other = np.asarray(one), np.asarray(other)
        can_be_nan = one.dtype.kind == other.dtype.kind == "f"
        return np.array_equal(one, other, equal_nan=can_be_nan)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(is_equal(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(is_equal, one, other))
    return bool(one == other or (one != one and other != other))


def plain(value, *, keep=False):
    """A value in the types of JSON; with `keep`, infinities and NaN stay numbers."""
    if isinstance(value, Result):
        value = {f.name: getattr(value, f.name) for f in fields(value) if f.repr}
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {key: plain(one, keep=keep) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one, keep=keep) for one in value]
    if isinstance(value, float) and not (keep or math.isfinite(value)):
        return None if math.isnan(value) else str(value)
    return value


def import_pandas():
    """The module pandas; raises an `ImportError` that says how to install it."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("`to_frame` needs pandas: pip install pandas") from error
    return pandas
