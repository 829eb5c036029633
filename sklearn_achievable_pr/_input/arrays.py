"""Conversion of any array to a checked NumPy array."""

import math
import re
from collections.abc import Iterable
from numbers import Integral

import numpy as np

from .frames import column_text, is_frame

# If no weight exceeds this number, sums over many batches stay within float64.
LARGEST_OF_BATCH = 1e250
# The largest of counts, or of weights, is between 2**-300 and 2**300.
_LARGEST_EXPONENT = 300
# The arrays of these libraries may be sparse or not in memory; each call makes them dense.
_WAYS_OUT = {
    "scipy": "toarray()`",
    "dask": "compute()`, or count its partitions with `PRCounts`",
    "lazy": "collect()`",
}


_ONE_OR_TWO = "not be empty, and have one dimension, or two with one column per label"


def as_array(values, name, needed=_ONE_OR_TWO):
    """Values as a NumPy array of one or two dimensions, checked not to be empty."""
    array = values if type(values) is np.ndarray else on_host(values, name)
    if array.ndim not in (1, 2) or array.size == 0:
        check_has_entries(values, array, name)
        way_out = ""
        if array.ndim == 3 and array.shape[2] == 2 and "score" in name:
            way_out = (
                " For a list with the probabilities of each label, pass "
                f"`np.column_stack([p[:, 1] for p in {name}])`."
            )
        raise ValueError(
            f"`{name}` must {needed}. Got an array of shape {array.shape}.{way_out}"
        )
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return array


def check_has_entries(values, array, name):
    """Raise `TypeError` for None, a name or another object in place of an array."""
    if array.ndim or array.dtype.kind not in "OUS":
        return
    got = repr(values) if values is None else f"an object of type {type(values).__name__}"
    way_out = "pass an array or a list with one entry per sample"
    if isinstance(values, str | bytes):
        got, way_out = repr(values), f"pass the column itself, such as `frame[{values!r}]`"
    raise TypeError(f"`{name}` must be an array or a list. Got {got}: {way_out}.")


def check_in_memory(values, name):
    """Raise `TypeError` for sparse arrays, and for lazy ones of Dask and Polars."""
    library = "lazy" if type(values).__name__ == "LazyFrame" else library_of(values)
    if library in _WAYS_OUT:
        raise TypeError(
            f"`{name}` must be a dense array in memory. Got {type(values).__name__}. "
            f"Pass `{name}.{_WAYS_OUT[library]}."
        )


def check_no_categories(values, name):
    """Raise `TypeError` for scores that are categories of pandas, which are text."""
    if type(values) is np.ndarray:
        return
    dtype = getattr(values, "dtype", None)
    categories = getattr(dtype, "categories", None)
    if categories is None or getattr(categories, "dtype", np.dtype("O")).kind in "iufb":
        return
    raise TypeError(
        f"`{name}` must hold real numbers. Got categories, such as {categories[0]!r}: pass "
        f"the codes of ordered categories, `pandas.Series({name}).cat.codes`."
    )


def on_host(values, name):
    """A dense array of any library, or a sequence, as a NumPy array in main memory.

    Sparse and Dask arrays and masked entries raise an error that names the way out.
    """
    # The usual types need none of the checks below, which take a twentieth of the time of
    # AUC-PR of 300 samples.
    if type(values) is np.ndarray and values.ndim:
        return values
    if type(values) in (float, int):
        return np.asarray(values)
    check_in_memory(values, name)
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(
            f"`{name}` has masked entries. Drop those samples first, e.g. by "
            f"`{name}.compressed()`."
        )
    try:
        array = _copied_to_host(values)
    # Lists of unequal lengths raise ValueError; the other errors are those of libraries.
    except (ValueError, TypeError, RuntimeError, BufferError) as error:
        kind = ValueError if isinstance(error, ValueError) else TypeError
        raise kind(
            f"`{name}` cannot be converted to an array of NumPy. The reason is: {error}"
        ) from error
    if array.ndim == 0 and isinstance(values, Iterable) and array.dtype.kind == "O":
        # The order of a set, or of the keys of a dict, need not be that of the samples.
        raise TypeError(
            f"`{name}` must be an array or a list. Got {type(values).__name__}: pass a "
            "list in the order of the samples."
        )
    # NumPy rounds the large integers of a list that also holds floats, or that needs both
    # unsigned 64-bit and negative integers. It also turns missing values, and numbers
    # beside text, into text. Such lists become arrays of objects, which are checked one by
    # one.
    kind = array.dtype.kind if isinstance(values, list | tuple) else ""
    if kind in ("U", "S") or (kind == "f" and float(abs(array).max(initial=0)) >= 2**53):
        return np.asarray(values, dtype=object)
    return array


def _copied_to_host(values):
    """The values as a NumPy array, copied from the device where they are."""
    libraries = {base.__module__.partition(".")[0] for base in type(values).__mro__}
    if "torch" in libraries:
        values = values.detach().cpu()
        # NumPy has no bfloat16 and no floats of 8 bits.
        is_narrow = re.search(r"\.(bfloat16|float8)", str(values.dtype))
        return (values.float() if is_narrow else values).numpy()
    if "cupy" in libraries:
        return values.get()
    if hasattr(values, "__array_namespace__") and not libraries & {"numpy", "jaxlib"}:
        return np.from_dlpack(values)
    return np.asarray(values)


class Response(np.ndarray):
    """What a method of an estimator returned, when this package called it.

    The probabilities of a tree may all be 0 and 1, so they are not taken for labels. Shown
    and pickled, it is an array of NumPy.
    """

    def __repr__(self):
        return repr(np.asarray(self))

    def __reduce_ex__(self, protocol):
        return np.asarray(self).__reduce_ex__(protocol)


def array_or_frame(values, name):
    """An array as from `as_array`; frames, whose rows and columns are checked, as is."""
    return values if is_frame(values) else as_array(values, name)


def as_response(scores):
    """An array marked as `Response`; data frames, whose columns are checked, stay as is."""
    return scores.view(Response) if isinstance(scores, np.ndarray) else scores


def library_of(values):
    """The name of the package that defines the type of an object."""
    return type(values).__module__.partition(".")[0]


def as_column(values, name):
    """Values as a one-dimensional NumPy array; a single column is flattened."""
    array = as_array(values, name, "be one-dimensional, and not empty")
    if array.ndim == 2 and array.shape[1] > 1:
        problem = " for a binary problem" * name.startswith("y")  # labels or scores
        raise ValueError(
            f"`{name}` must be one-dimensional{problem}. Got shape {array.shape}; pass one "
            f"column, e.g. `{column_text(values, name, 1)}`."
        )
    return array.ravel()


def n_samples_of(values):
    """Number of samples; arrays of the array API standard need not have a length."""
    return values.shape[0] if hasattr(values, "shape") else len(values)


def check_same_length(name, array, other_name, other):
    """Raise `ValueError` if two arrays differ in length."""
    if len(array) != len(other):
        raise ValueError(
            f"`{name}` and `{other_name}` must have the same length. Got {len(array)} "
            f"and {len(other)}: take both from the same rows."
        )


def as_numbers(array, name):
    """An array checked to hold real numbers; objects become 64-bit integers or float64."""
    if array.dtype.kind == "O":
        array = _without_objects(array, name)
    # NumPy shows bfloat16 and narrower floats as dtypes of kind "V".
    if array.dtype.kind == "V" and "float" in array.dtype.name:
        array = array.astype(np.float32)
    if array.dtype.kind not in "fiub":
        raise TypeError(
            f"`{name}` must hold real numbers. Got dtype {array.dtype}: convert the values."
        )
    return array


def _without_objects(array, name):
    """An array of Python objects as numbers; no integer may be rounded to float64."""
    values = array.ravel().tolist()
    try:
        inferred = np.array(values).reshape(array.shape)
        if inferred.dtype.kind == "O" and not any(isinstance(v, str) for v in values):
            inferred = inferred.astype(np.float64)
    except (OverflowError, TypeError, ValueError) as error:
        # Numbers that are too large, and missing values, have the right type but not a
        # valid value.
        is_value = isinstance(error, OverflowError) or any(map(is_missing, values))
        raise (ValueError if is_value else TypeError)(
            f"`{name}` must hold real numbers that fit into float64. Got {error}."
        ) from error
    if inferred.dtype.kind == "f":
        pairs = zip(values, inferred.ravel().tolist(), strict=True)
        if any(isinstance(value, Integral) and value != x for value, x in pairs):
            raise ValueError(
                f"`{name}` holds integers that float64 rounds: beyond 64 bits, or beside "
                "floats. Pass their ranks, e.g. scipy.stats.rankdata(values)."
            )
    return inferred


def finite_scores(array, name, *, of_batch=False):
    """Finite numbers; the errors say how to rank missing and infinite scores."""
    lowest = "lowest" if of_batch else f"{name}.min() - 1"
    return finite_numbers(
        array,
        name,
        if_missing=" Drop samples that were not scored; samples that a search or a ranking "
        f"did not return get the lowest score, `{name}.fillna({lowest})`.",
        if_infinite=f" Pass `np.nan_to_num({name})`, which keeps the order of scores.",
        of_batch=of_batch,
    )


def finite_numbers(
    array, name, if_missing=" Drop these samples.", if_infinite="", *, of_batch=False
):
    """Real numbers as from `as_numbers`, checked to be finite.

    The error ends with `if_missing` if a number is NaN, and otherwise with `if_infinite`.
    That for numbers of a batch says that the position is that in the batch.
    """
    array = as_numbers(array, name)
    if array.dtype.kind == "f":
        is_finite = np.isfinite(array)
        if np.count_nonzero(is_finite) < array.size:
            bad = np.flatnonzero(~is_finite)
            way_out = if_missing if np.isnan(array).any() else if_infinite
            first = f"{bad[0]}{_in(of_batch)}: {array.ravel()[bad[0]]}"
            raise ValueError(
                f"`{name}` must be finite. Got {len(bad)} of {array.size} values that are "
                f"NaN or infinite, the first at position {first}.{way_out}"
            )
    return array


def _in(of_batch):
    """What follows a position in an error; data frames have no order of batches."""
    return " of its batch" if of_batch else ""


def check_thresholds(score):
    """Raise `ValueError` if float64, the dtype of thresholds, rounds scores."""
    check_integers(score)
    if score.dtype.kind == "f" and score.dtype.itemsize > 8:
        with np.errstate(over="ignore"):
            is_rounded = score.astype(np.float64) != score
        if is_rounded.any():
            raise ValueError(
                "`y_score` is compared with thresholds in float64, which rounds "
                f"{np.count_nonzero(is_rounded)} of these {len(score)} long doubles. Pass "
                "`y_score.astype(float)`, here and wherever the threshold is used."
            )


def check_integers(
    score,
    where="`y_score` is compared with thresholds",
    way_out="`y_score.astype(float)`, here and wherever the threshold is used",
):
    """Raise `ValueError` if float64 rounds integer scores, whose thresholds are floats."""
    if score.dtype.kind not in "iu":
        return
    largest = max(score.max().item(), -score.min().item())
    if largest > 2**53:
        raise ValueError(
            f"{where} in float64, which rounds integers above 2**53. Got scores up to "
            f"{largest}; pass {way_out}."
        )


def round_thresholds(thresholds, score, y_score):
    """Thresholds in the dtype in which ``y_score >= threshold`` compares them.

    `score` are the checked scores of `y_score`. Floating-point scores are compared in their
    own dtype, which may hold only a number next to 0.7 instead of 0.7. NumPy 1 and 2 differ
    in the dtype of such a comparison, and in whether the threshold is a number or an array.
    """
    if score.dtype.kind != "f":
        return np.asarray(thresholds, dtype=np.float64)
    name = str(getattr(y_score, "dtype", ""))
    # The name is needed because pandas 2.1 converts its Float32 to objects.
    dtype = {"Float32": np.float32}.get(name, score.dtype)
    with np.errstate(over="ignore"):  # a threshold above the largest number becomes inf
        rounded = np.asarray(thresholds).astype(dtype)
    if "bfloat16" in name:
        # A bfloat16 is the upper half of the bits of a float32. The lower half is rounded
        # to nearest, ties to even.
        bits = rounded.view(np.uint32)
        bits = bits + 0x7FFF + ((bits >> 16) & 1)
        rounded = (bits & 0xFFFF0000).astype(np.uint32).view(np.float32)
    return rounded


def check_weight(sample_weight, n_samples, *, of_batch=False):
    """Weights as float64, rescaled to a moderate size; None stays None.

    Weights of a batch may all be 0. They are not rescaled, because their sums are added to
    the sums of other batches.
    """
    if sample_weight is None:
        return None
    weight = as_column(sample_weight, "sample_weight")
    weight = finite_numbers(weight, "sample_weight", of_batch=of_batch)
    weight = weight.astype(np.float64, copy=False)
    check_same_length("sample_weight", weight, "y_true", range(n_samples))
    if weight.min() < 0:
        raise ValueError(
            f"`sample_weight` must not be negative. Got {weight.min()} at position "
            f"{weight.argmin()}{_in(of_batch)}. A weight of 0 leaves a sample out."
        )
    largest = weight.max()
    if of_batch:
        if largest > LARGEST_OF_BATCH:
            raise ValueError(
                f"`sample_weight` must not exceed {LARGEST_OF_BATCH:g} in batches. Got "
                f"{largest}: divide all weights by one number."
            )
        return weight
    if largest == 0:
        raise ValueError("`sample_weight` must not be zero everywhere: no sample is left.")
    return rescale(weight, largest)


def unit_of(sample_weight, weight):
    """What a weight of 1 from `check_weight` is in the weights that were passed to it.

    The unit differs from 1 only if these were so large, or so small, that they were
    rescaled.
    """
    if weight is None or abs(math.frexp(weight.max())[1]) < _LARGEST_EXPONENT:
        return 1.0
    return float(as_column(sample_weight, "sample_weight").max() / weight.max())


def rescale(counts, largest):
    """Counts times a power of two that brings `largest` to between 2**-300 and 2**300.

    Only ratios of counts matter, and products of moderate counts do not overflow.
    """
    # Powers of two do not round counts.
    exponent = math.frexp(largest)[1]
    excess = exponent - max(-_LARGEST_EXPONENT, min(_LARGEST_EXPONENT, exponent))
    return np.ldexp(counts, -excess) if excess else counts


def is_constant(values):
    """Whether all entries of an array are equal."""
    # The first and the last entry differ in most cases, which avoids a pass over all.
    return values[0] == values[-1] and bool(np.all(values == values[0]))


def grows(fps, tps):
    """Whether each point of a ROC curve, but the first, differs from the one before."""
    return (fps[1:] > fps[:-1]) | (tps[1:] > tps[:-1])


def kish_sample_size(weight):
    """Effective sample size (sum w)^2 / sum w^2 of weighted samples (Kish 1965)."""
    # Dividing avoids overflow and underflow of squared weights.
    weight = weight / weight.max()
    return float(weight.sum() ** 2 / (weight * weight).sum())


def has_missing(labels):
    """Whether an array of labels has None, NaN or another missing value."""
    # A missing value other than None differs from itself.
    is_none = labels == None if labels.dtype.kind == "O" else False  # noqa: E711
    return bool(np.any((labels != labels) | is_none))


def is_missing(value):
    """Whether a label is None, NaN or another missing value."""
    try:
        return value is None or bool(value != value)
    except TypeError:  # bool(pandas.NA) raises
        return True
