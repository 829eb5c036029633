"""Conversion of any array to a checked NumPy array."""

from __future__ import annotations

import math
import numbers
import reprlib
import sys
from functools import wraps

import numpy as np
from scipy.sparse import issparse
from sklearn import get_config

# Sums of weights up to this one over many batches stay within float64.
LARGEST_OF_BATCH = 1e250


def as_array(values, name):
    """Values as a NumPy array of one or two dimensions, checked not to be empty."""
    array = values if type(values) is np.ndarray else on_host(values, name)
    if array.ndim not in (1, 2):
        raise ValueError(
            f"`{name}` must be a one-dimensional array, or a two-dimensional one with "
            f"one column per label. Got an array of shape {array.shape}."
        )
    if array.size == 0:
        raise ValueError(
            f"`{name}` is empty (shape {array.shape}): needs at least one sample."
        )
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return array


def on_host(values, name):
    """Values of any array library as a NumPy array, copied from their device."""
    if issparse(values):
        raise TypeError(
            f"`{name}` must be a dense array, got a sparse one. Pass `{name}.toarray()`."
        )
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(
            f"`{name}` has masked entries. Drop those samples first, e.g. by "
            f"`{name}.compressed()`."
        )
    library = _library(values)
    if library == "dask":
        raise TypeError(
            f"`{name}` is a Dask collection, which one machine may not hold. Count its "
            "partitions with `PRCounts`, or pass a Dask data frame to `auc_pr_from_frame`; "
            f"`{name}.compute()` fetches it."
        )
    if library == "torch":
        values = values.detach().cpu()
        narrow = values.is_floating_point() and values.dtype.itemsize < 4
        return (values.float() if narrow else values).numpy()
    if library == "cupy":
        return values.get()
    if hasattr(values, "__array_namespace__") and library not in ("numpy", "jaxlib"):
        return np.from_dlpack(values)
    try:
        array = np.asarray(values)
    except ValueError as error:  # nested sequences of unequal lengths
        raise ValueError(f"`{name}` cannot be made an array: {error}") from error
    # NumPy rounds a list of integers if some need 64 bits and others a sign.
    may_be_rounded = isinstance(values, list | tuple) and array.dtype.kind == "f"
    if may_be_rounded and np.max(np.abs(array), initial=0) >= 2**63:
        return np.asarray(values, dtype=object)
    # NumPy shows JAX's bfloat16 and narrower floats as dtypes of kind "V".
    unknown = array.dtype.kind == "V" and "float" in array.dtype.name
    return array.astype(np.float32) if unknown else array


def _library(values):
    """Name of the package that defines the type of `values`."""
    return type(values).__module__.partition(".")[0]


def returns_in_input_namespace(function):
    """Return arrays in the namespace and on the device of `y_score`, the second argument.

    As in scikit-learn, only if `array_api_dispatch` is on.
    """

    @wraps(function)
    def returning(*args, **kwargs):
        found = function(*args, **kwargs)
        if isinstance(found, float) or not get_config()["array_api_dispatch"]:
            return found
        return _like(kwargs["y_score"] if len(args) < 2 else args[1], found)

    return returning


def _like(values, found):
    """Arrays in `found` in the namespace and on the device of `values`."""
    if isinstance(found, tuple):
        return tuple(_like(values, one) for one in found)
    library = _library(values)
    if library == "torch":
        namespace = sys.modules["torch"]
    elif library != "numpy" and hasattr(values, "__array_namespace__"):
        namespace = values.__array_namespace__()
    else:
        return found
    if not isinstance(found, np.ndarray):
        return found
    found = np.ascontiguousarray(found)
    try:
        return namespace.asarray(found, device=values.device)
    except TypeError:  # a device without float64
        return namespace.asarray(found.astype(np.float32), device=values.device)


def as_column(values, name):
    """Values as a one-dimensional NumPy array; a single column is flattened."""
    array = as_array(values, name)
    if array.ndim == 2 and array.shape[1] > 1:
        raise ValueError(
            f"`{name}` must be one-dimensional for a binary problem. Got shape "
            f"{array.shape}; pass one column, e.g. `{name}[:, 1]`."
        )
    return array.ravel()


def check_same_length(name, array, other_name, other):
    """Raise `ValueError` if two arrays differ in length."""
    if len(array) != len(other):
        raise ValueError(
            f"`{name}` and `{other_name}` must have the same length. Got {len(array)} "
            f"and {len(other)}."
        )


def as_numbers(array, name):
    """An array of real numbers; an object array becomes int64, uint64 or float64."""
    if array.dtype.kind == "O":
        array = _without_objects(array, name)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"`{name}` must hold real numbers. Got dtype {array.dtype}.")
    return array


def _without_objects(array, name):
    """An object array as 64-bit integers, or as float64 if no integer is rounded."""
    values = array.ravel().tolist()
    if any(isinstance(value, str | bytes | complex) for value in values):
        raise TypeError(f"`{name}` must hold real numbers. Got text or complex numbers.")
    try:
        floats = array.astype(np.float64)
    except OverflowError as error:
        largest = reprlib.repr(max(values, key=abs))
        raise ValueError(f"`{name}` must fit into float64. Got {largest}.") from error
    except (TypeError, ValueError) as error:
        if any(map(is_missing, values)):
            raise ValueError(
                f"`{name}` must hold real numbers. Got missing values."
            ) from error
        raise TypeError(f"`{name}` must hold real numbers. Got {error}.") from error
    integral = [isinstance(value, numbers.Integral) for value in values]
    integers = np.array(array.tolist()) if all(integral) else array
    if integers.dtype.kind in "iub":
        return integers
    pairs = zip(values, floats.ravel(), integral, strict=True)
    if any(whole and int(value) != int(x) for value, x, whole in pairs):
        raise ValueError(
            f"`{name}` holds integers beyond 64 bits that float64 cannot tell apart. "
            "Pass their ranks, e.g. scipy.stats.rankdata(values)."
        )
    return floats


def check_finite(array, name):
    """Raise `ValueError` if the array has NaN or infinite values."""
    if array.dtype.kind != "f":
        return
    is_finite = np.isfinite(array)
    if np.count_nonzero(is_finite) < array.size:
        bad = np.flatnonzero(~is_finite)
        raise ValueError(
            f"`{name}` must be finite. {len(bad)} of {array.size} values are NaN or "
            f"infinite, the first at position {bad[0]}: {array.ravel()[bad[0]]}."
        )


def check_score(score, name):
    """Scores as an array of real, finite numbers."""
    score = as_numbers(score, name)
    check_finite(score, name)
    return score


def check_weight(sample_weight, n_samples, *, of_batch=False):
    """Weights as float64, rescaled to a moderate size; None stays None.

    Weights of a batch may all be 0. They are not rescaled, because their sums are added to
    the sums of other batches.
    """
    if sample_weight is None:
        return None
    weight = as_numbers(as_column(sample_weight, "sample_weight"), "sample_weight")
    weight = weight.astype(np.float64, copy=False)
    check_same_length("sample_weight", weight, "y_true", range(n_samples))
    check_finite(weight, "sample_weight")
    if weight.min() < 0:
        raise ValueError(
            f"`sample_weight` must not be negative. Got {weight.min()} at position "
            f"{weight.argmin()}. A weight of 0 leaves a sample out."
        )
    if of_batch:
        if weight.max() > LARGEST_OF_BATCH:
            raise ValueError(
                f"`sample_weight` must not exceed {LARGEST_OF_BATCH:g}, for float64 to "
                f"hold the sum of all batches. Got {weight.max()}. Only ratios matter: "
                "divide all weights by one number."
            )
        return weight
    if weight.max() == 0:
        raise ValueError("`sample_weight` must not be zero everywhere: no sample is left.")
    return rescale(weight, weight.max())


def rescale(counts, largest):
    """Counts times a power of two that brings `largest` to between 2**-300 and 2**300.

    Only ratios of counts matter, and products of moderate counts do not overflow.
    """
    exponent = math.frexp(largest)[1]
    excess = exponent - max(-300, min(300, exponent))
    return np.ldexp(counts, -excess) if excess else counts


def is_missing(value):
    """Whether a label is None, NaN or another missing value."""
    try:
        return value is None or bool(value != value)
    except TypeError:  # bool(pandas.NA) raises
        return True
