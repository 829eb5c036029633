"""A list of positives with a bounded mean share of false positives."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._input import arrays
from .._input.labels import (
    binary_data,
    labels_if_named,
    score_column,
    warn_of_labels,
)
from .._input.options import Label, check_inside


def select_positives(
    y_true: ArrayLike,
    y_score: ArrayLike,
    new_score: ArrayLike,
    *,
    max_fdr: float,
    pos_label: Label | None = None,
) -> np.ndarray:
    r"""Select new samples with at most a given mean share of false positives.

    Which samples of a new batch should be selected, if a given share of false positives is
    acceptable? The share of false positives in the list of selected samples (0 in an empty
    list) has a mean of at most `max_fdr` over tuning sets and batches of new samples: the
    list controls the false discovery rate (conformal selection) [1]_. The bound is one for
    the mean over lists, not for each list: if positives are few, a quarter to a half of the
    lists have a higher share.

    - The negatives of the new samples must have scores like the negatives of `y_true`, and
      all these samples must be independent.
    - The number of positives among the new samples, and their scores, may differ from those
      of `y_true`. Few positives, or a no-skill score, give short or empty lists.
    - Samples whose labels trained the score are not valid in `y_true`: their negatives
      score too low, and lists have too many false positives.
    - The lowest selected score is not a threshold to keep, because it belongs to this
      batch. For a threshold with a guarantee, use `confidence_level` of `choose_threshold`.

    Read more in the :ref:`User Guide <list_of_positives>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. Labels other than {0, 1}, {-1, 1} and booleans need `pos_label`.
        Positives do not matter and may be missing.
    y_score : array-like of shape (n_samples,)
        Real, finite scores, higher for the positive class, such as decision values or
        probabilities.
    new_score : array-like of shape (n_new,)
        Real, finite scores of the batch of new samples, from the same model. If both are
        floats of different precision, they are compared in the lower one.
    max_fdr : float
        Upper bound of the mean share of false positives in the list, inside (0, 1). It is
        compared as the decimal number it prints as, and p-values equal to their bound are
        selected: 0.3 is 3/10.
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`.

    Returns
    -------
    ndarray of bool, shape (n_new,)
        Whether each new sample is selected. Tied new scores are selected together or not at
        all. If no sample is selected, all are False: an empty list is a result, without an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`. A list of i of m new samples
        needs at least m / (i * `max_fdr`) - 1 negatives in `y_true`.

    Raises
    ------
    ValueError
        If `y_true` has no negatives, or if another argument is invalid.

    See Also
    --------
    choose_threshold : A threshold to keep, with a guarantee for one prevalence.
    precision_at_k : Precision of a list of given length, on labeled data.

    Notes
    -----
    With n negatives in `y_true`, of which b have the same score as a new sample or a higher
    one, the p-value of the new sample is

    .. math::

        p = \frac{1 + b}{1 + n}

    Of m new samples, the i with the smallest p-values are selected, for the largest i with

    .. math::

        p_{(i)} \le \frac{i}{m}\, \mathit{max\_fdr}

    where :math:`p_{(i)}` is the i-th smallest p-value (Benjamini-Hochberg [2]_).

    References
    ----------
    .. [1] Bates et al. (2023), Annals of Statistics 51(1). :doi:`10.1214/22-AOS2244`
    .. [2] Benjamini, Hochberg (1995), JRSS B 57. :doi:`10.1111/j.2517-6161.1995.tb02031.x`

    Examples
    --------
    Half of the tuning samples are positive, but only 5 % of the new samples:

    >>> import numpy as np
    >>> from sklearn_achievable_pr import select_positives
    >>> rng = np.random.default_rng(0)
    >>> y_true, y_new = rng.random(1000) < 0.5, rng.random(2000) < 0.05
    >>> y_score = rng.normal(size=1000) + 3 * y_true
    >>> new_score = rng.normal(size=2000) + 3 * y_new
    >>> selected = select_positives(y_true, y_score, new_score, max_fdr=0.2)
    >>> int(selected.sum()), int((selected & ~y_new).sum())
    (102, 11)
    """
    max_fdr = check_inside(max_fdr, "max_fdr", 0, 1)
    tuning = binary_data(y_true, y_score, pos_label, None)
    new_score = score_column(new_score, "new_score", y_true, pos_label)
    new_score = arrays.finite_scores(new_score, "new_score")
    negative = tuning.score.compress(~tuning.positive)
    if len(negative) == 0:
        raise ValueError(
            "`y_true` must have negatives: new scores are compared with theirs. Got "
            f"{len(tuning.score)} positives only; add negatives, or pass another "
            "`pos_label`."
        )
    labels = labels_if_named(arrays.as_column(y_true, "y_true"), pos_label)
    is_warned = warn_of_labels("y_score", tuning.score, labels=labels)
    # Ordinal scores may by chance be 0 and 1 in a small batch. The first score tells most
    # others from them.
    is_ordinal = tuning.score[0] % 1 == 0 and not np.any(tuning.score % 1)
    if not (is_warned or is_ordinal):
        warn_of_labels("new_score", new_score, labels=labels)
    negative, new_score = _comparable(negative, new_score)
    return _selected(negative, new_score, max_fdr)


def _comparable(negative, new_score):
    """Both scores in one dtype; to round both keeps the p-values valid.

    Rounded to the narrower float type, equal scores stored in two types are tied. In the
    wider type, a float32 above the float64 it was rounded from would seem higher.
    """
    dtypes = negative.dtype, new_score.dtype
    if negative.dtype.kind == new_score.dtype.kind == "f":
        dtype = min(dtypes, key=lambda dtype: dtype.itemsize)
    else:
        dtype = np.result_type(*dtypes)
    with np.errstate(over="ignore"):  # a score above the largest number becomes inf
        return negative.astype(dtype, copy=False), new_score.astype(dtype, copy=False)


def _selected(negative, new_score, max_fdr):
    """Mask of the new samples that Benjamini-Hochberg selects at `max_fdr`."""
    rising, negative = np.sort(new_score), np.sort(negative)
    n_new, n_negative = len(rising), len(negative)
    # Scores below this negative have p > max_fdr. Leaving them out saves time.
    lowest = n_negative - 2 - int(max_fdr * (1 + n_negative))
    if lowest >= 0:
        rising = rising[np.searchsorted(rising, negative[lowest]) :]
    # `n_above` counts the negatives at or above each new score.
    n_above = n_negative - np.searchsorted(negative, rising)
    # `n_selected` counts the new samples from the highest one down to each. In a tie, the
    # first element counts the whole tie.
    n_selected = np.arange(len(rising), 0, -1, dtype=np.float64)
    # p * m / i as a quotient of integers is rounded once, and rounding keeps the order: a
    # quotient equal to `max_fdr` never exceeds it.
    is_met = (1.0 + n_above) * n_new / (n_selected * (1 + n_negative)) <= max_fdr
    if not is_met.any():
        return np.zeros(n_new, dtype=bool)
    return new_score >= rising[is_met.argmax()]
