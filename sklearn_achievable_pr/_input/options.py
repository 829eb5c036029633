"""Checks of options, totals and counts, and warnings at the line of the caller."""

import inspect
import math
import numbers
import reprlib
import sys
import warnings
from typing import Any

import numpy as np

from . import arrays

Label = int | float | bool | str
RandomState = int | np.random.RandomState | np.random.Generator
# The result is a float if the arguments are numbers, else an array. Type checkers accept
# `Any` as either. With `float | Any` they would reject operations that only an array has,
# such as indexing.
FloatOrArray = Any

AVERAGES = ("macro", "weighted", "micro", "samples", None)
CURVES = ("empirical", "achievable")
# Users and other packages have these words, here in lower case, for the names on the right.
_SYNONYMS = {
    **dict.fromkeys(("sensitivity", "tpr", "sensitivity_at_threshold"), "recall"),
    **dict.fromkeys(("ppv", "ppv_at_threshold"), "precision"),
    "tnr": "specificity",
    "fpr_at_threshold": "fpr",
    **dict.fromkeys(("auprc", "pr_auc", "auc_pr", "aucpr"), "auc_pr_interpolated"),
    "ap": "average_precision",
    "matthews_corrcoef": "mcc",
    **dict.fromkeys(("youden_j", "youden_index"), "youden"),
}
# At a smaller prevalence the weight of a negative could exceed float64.
LOWEST_PREVALENCE = 1e-200
# Normalized weights add up to 1 within this number.
_ROUNDED_WEIGHTS = 1e-4
# The squared inverse of a smaller fraction of the samples could exceed float64.
_SMALLEST_FRACTION = 1e-100


def is_one_of(value, allowed):
    """Whether a value is one of the allowed values; an array or `pandas.NA` never is."""
    try:
        hash(value)
        return value in allowed
    # The value has no hash, or the comparison is not a boolean.
    except (TypeError, ValueError):
        return False


def is_number(value, kind=numbers.Real):
    """Whether a value is a real number, or a boolean.

    NumPy derives its time spans from integers, so they are instances of numbers.
    """
    return isinstance(value, kind) and not isinstance(value, np.timedelta64)


def known_as(value, allowed, elsewhere=None):
    """Text that says which of the allowed names a word means; empty if that is unknown.

    `elsewhere` is a dict from other names in this package to what they are here.
    """
    if not isinstance(value, str):
        return ""
    word = value.lower().replace("-", "_").removesuffix("_scorer").removesuffix("_score")
    word = _SYNONYMS.get(word, word)
    here = f"{word!r} here"
    ours = here if word in allowed else (elsewhere or {}).get(word)
    if ours is None or (word == value and ours == here):
        return ""
    return f", which is {ours.removeprefix(f'{value} here, ')}"


def check_option(value, name, allowed, elsewhere=None):
    """Raise `ValueError` if a value is not one of the allowed values.

    `elsewhere` is that of `known_as`.
    """
    if not is_one_of(value, allowed):
        choices = ", ".join(repr(choice) for choice in allowed)
        known = known_as(value, allowed, elsewhere)
        raise ValueError(f"`{name}` must be one of {choices}. Got {value!r}{known}.")


def listed(labels):
    """The first six labels at most, as text for a message."""
    return reprlib.repr(labels.tolist() if isinstance(labels, np.ndarray) else [*labels])


def exact(value):
    """A number with all its digits as text: typed back, it is the same number."""
    return repr(float(value)).removesuffix(".0")


def text_of(label):
    """A label as text; a date has no time of day if that is midnight."""
    is_date = isinstance(label, np.datetime64)
    return np.datetime_as_string(label, unit="auto").item() if is_date else str(label)


def check_type(value, name, types, needed):
    """Raise `TypeError` unless a value has one of the types, which `needed` describes."""
    if not isinstance(value, types):
        raise TypeError(f"`{name}` must be {needed}. Got {value!r}.")


def check_flag(value, name):
    """A boolean option as a bool; raises `TypeError` for anything else."""
    check_type(value, name, bool | np.bool_, "True or False")
    return bool(value)


def check_number(value, name):
    """One real number, not a boolean, as a float; NaN is allowed."""
    if isinstance(value, float):
        return float(value)
    if not is_number(value) or isinstance(value, bool):
        raise TypeError(f"`{name}` must be a real number. Got {value!r}.")
    return float(arrays.as_numbers(np.asarray(value), name))


def check_integer(value, name, lowest=-sys.maxsize, highest=sys.maxsize):
    """An integer between two bounds, which may be reached, as an int."""
    if not is_number(value, numbers.Integral) or isinstance(value, bool):
        raise TypeError(f"`{name}` must be an integer. Got {value!r}.")
    if not lowest <= value <= highest:
        needed = f"be from {lowest} to {highest}"
        if value < lowest and highest >= sys.maxsize:  # there is no upper bound in practice
            needed = f"be at least {lowest}"
        raise ValueError(f"`{name}` must {needed}. Got {value}.")
    return int(value)


def check_recall_range(recall_range):
    """The recall range (a, b), 0 <= a < b <= 1, as floats."""
    try:
        low, high = (check_number(recall, "recall_range") for recall in recall_range)
    except (TypeError, ValueError):
        low = high = np.nan
    if not 0 <= low < high <= 1:
        raise ValueError(
            "`recall_range` must be a pair (a, b) of recalls with 0 <= a < b <= 1. Got "
            f"{recall_range!r}."
        )
    return low, high


def check_prevalence(prevalence):
    """The reference prevalence, inside (0, 1), as a float; None stays None."""
    if prevalence is None:
        return None
    prevalence = check_number(prevalence, "prevalence")
    needed = "the fraction of positives, inside (0, 1)"
    if not 0 < prevalence < 1:
        raise ValueError(
            f"`prevalence` must be {needed}. Got {prevalence}. For 5 % pass 0.05."
        )
    if prevalence < LOWEST_PREVALENCE:
        raise ValueError(
            f"`prevalence` must be {needed} and at least {LOWEST_PREVALENCE}. Got "
            f"{prevalence}."
        )
    return prevalence


def check_inside(value, name, low, high):
    """A number strictly between two bounds, as a float."""
    value = check_number(value, name)
    if not low < value < high:
        hint = _of_percent(value) if (low, high) == (0, 1) else ""
        raise ValueError(f"`{name}` must be inside ({low}, {high}). Got {value}.{hint}")
    return value


def _of_percent(value):
    """A sentence on how to pass a number that may be a percentage, after a space."""
    return f" For {value:g} % pass {value / 100:g}." if 1 < value < 100 else ""


def check_fractions(values, name, *, open_ended=False):
    """An array of numbers in [0, 1], or in (0, 1) if `open_ended`, as float64."""
    if open_ended:
        return _in_range(values, name, lambda x: (x > 0) & (x < 1), "lie inside (0, 1)")
    return _in_range(values, name, lambda x: (x >= 0) & (x <= 1), "lie within [0, 1]")


def check_totals(values, name):
    """Non-negative, finite numbers as float64."""
    needed = "be finite and not negative"
    return _in_range(values, name, lambda x: (x >= 0) & (x < math.inf), needed)


def _in_range(values, name, is_valid, needed):
    """A float64 array of any shape whose numbers all pass `is_valid`."""
    array = arrays.as_numbers(arrays.on_host(values, name), name)
    if array.dtype == bool:
        raise TypeError(f"`{name}` must hold real numbers. Got booleans.")
    array = array.astype(np.float64)
    valid = is_valid(array)
    if not valid.all():
        wrong = array[~valid].flat[0]
        hint = _of_percent(wrong) if "1" in needed else ""
        raise ValueError(f"`{name}` must {needed}. Got {wrong}.{hint}")
    return array


def broadcast_fractions(**values):
    """Fractions broadcast to a common shape; `prevalence` must lie inside (0, 1)."""
    for name, given in values.items():
        values[name] = check_fractions(given, name, open_ended=name == "prevalence")
    return broadcast(**values)


def broadcast(**values):
    """Arrays broadcast to a common shape, in the order given; they must not be changed."""
    try:
        return np.broadcast_arrays(*values.values())
    except ValueError as error:
        shapes = ", ".join(f"`{name}` {a.shape}" for name, a in values.items())
        raise ValueError(
            f"Shapes do not match: {shapes}. Pass numbers, or arrays of one shape."
        ) from error


def check_counts(tps, fps, n_pos, n_neg, prevalence, function):
    """Counts of a ROC curve from (0, 0) to (n_neg, n_pos), without repeated points.

    Rates in place of counts raise an error that shows the right call of `function`. At a
    reference prevalence rates are accepted without totals, as counts of one positive and
    one negative.

    Returns
    -------
    fps, tps : ndarray of float64
        Points in increasing order, the first (0, 0) and the last (n_neg, n_pos).
    """
    tps, fps = arrays.as_column(tps, "tps"), arrays.as_column(fps, "fps")
    arrays.check_same_length("tps", tps, "fps", fps)
    tps = _check_count_column(tps, n_pos, "tps", "n_pos")
    fps = _check_count_column(fps, n_neg, "fps", "n_neg")
    points = np.stack((fps, tps))
    totals = [total for total in (n_pos, n_neg) if total is not None]
    if (prevalence is None or totals) and _are_rates(points, totals):
        prevalence = check_prevalence(prevalence)
        share = "n_positive / n_samples" if prevalence is None else f"{prevalence:g}"
        if prevalence is None and len(totals) == 2:
            positives, negatives = map(exact, totals)
            share = f"{positives} / ({positives} + {negatives})"
        # The last rate of a part of a ROC curve is not its total.
        ends = "" if points[:, -2].min() == 1 else "n_pos=1, n_neg=1, "
        raise ValueError(
            f"`tps` and `fps` must be counts. Got fractions up to {tps[-2]:.4g} and "
            f"{fps[-2]:.4g}, like true and false positive rates: pass rates as "
            f"`{function}(tpr, fpr, {ends}prevalence={share})`."
        )
    is_new = np.append(True, arrays.grows(fps, tps))
    return arrays.rescale(points[:, is_new], points.max())


def _are_rates(points, totals):
    """Whether points of a ROC curve are rates in place of counts.

    `points` end with the last counts and the totals; `totals` are those that were given.
    """
    if points[:, -2].max() > 1 or not np.any(points[:, :-1] % 1):
        return False
    if totals:
        # A class may have a single sample. Totals below 1 are sums of weights.
        return min(totals) >= 1 and max(totals) > 1
    return not math.isclose(points[:, -1].sum(), 1, rel_tol=_ROUNDED_WEIGHTS)


def _check_count_column(counts, total, name, total_name):
    """Counts with 0 in front and their total behind, checked not to decrease."""
    counts = np.append(0.0, arrays.finite_numbers(counts, name).astype(np.float64))
    falls = np.flatnonzero(counts[1:] < counts[:-1])
    if len(falls):
        at = falls[0]
        raise ValueError(
            f"`{name}` must not decrease: they are counts from the highest threshold down, "
            f"from 0. Got {counts[at]:.15g}, then {counts[at + 1]:.15g} at position {at}."
        )
    total = counts[-1] if total is None else check_number(total, total_name)
    if not counts[-1] <= total < math.inf:
        raise ValueError(
            f"`{total_name}` must be finite and at least the last of `{name}`, "
            f"{counts[-1]}. Got {total}."
        )
    return np.append(counts, total)


def float_if_scalar(values):
    """A zero-dimensional array as a float; other arrays unchanged."""
    return float(values) if np.ndim(values) == 0 else values


def check_random_state(random_state: RandomState | None) -> np.random.Generator:
    """The `numpy.random.Generator` for any accepted form of `random_state`.

    None gives a generator with a new seed in each call, an int one with this seed. A
    RandomState draws the seed of a new generator, so its own state advances. A Generator is
    used directly.
    """
    if isinstance(random_state, np.random.RandomState):
        random_state = random_state.randint(2**32, size=4, dtype=np.uint32)
    elif not (random_state is None or isinstance(random_state, np.random.Generator)):
        if not is_number(random_state, numbers.Integral):
            raise TypeError(
                "`random_state` must be an integer, a RandomState, a Generator or None. "
                f"Got {random_state!r}."
            )
        random_state = check_integer(random_state, "random_state", 0, math.inf)
    return np.random.default_rng(random_state)


class CoverageWarning(UserWarning):
    """Warning that the coverage of an interval, or a type I error rate, is not nominal.

    The intervals and tests of this package give it where simulations show that an interval
    covers the true value less often than its confidence level, that a test rejects more
    often than its significance level, or where neither was simulated; and where weights
    make estimates too high. The text names the reason and what to do. Undefined values have
    an :class:`~sklearn.exceptions.UndefinedMetricWarning` instead.

    Read more in the :ref:`User Guide <warnings>`.

    Examples
    --------
    Errors where an interval is not nominal, within a block:

    >>> import warnings
    >>> from sklearn_achievable_pr import CoverageWarning
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", CoverageWarning)
    """


def warn_caller(text, category=UserWarning):
    """Issue a warning at the line that called this package.

    If scikit-learn called it, that is the line that called scikit-learn; a scorer is called
    by scikit-learn through joblib.
    """
    passed = __name__.partition(".")[0], "sklearn", "joblib"
    frame: Any = inspect.currentframe()
    level = 1
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in passed:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)


def check_k(k, name="k"):
    """`k` as an array: integers are numbers of samples, floats are fractions of them."""
    k = arrays.as_numbers(arrays.on_host(k, name), name)
    valid = k >= 1 if k.dtype.kind in "iu" else (k >= _SMALLEST_FRACTION) & (k <= 1)
    if k.dtype.kind == "b" or not valid.all():
        raise ValueError(
            f"`{name}` must be a number of samples, an integer from 1, or a fraction of "
            f"them, from {_SMALLEST_FRACTION:g} to 1. Got {k}."
        )
    return k if k.dtype.kind in "iu" else k.astype(np.float64)
