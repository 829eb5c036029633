"""The unachievable region of precision-recall space (Boyd et al. 2012).

No confusion matrix has a precision below `precision_min`, so the AUC-PR of every model is
at least the area under this minimum curve. The minimum curve depends only on the
prevalence.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._input import options
from .._input.options import FloatOrArray
from .._input.undefined import value_or_warn
from ._unachievable import lowest_area, lowest_average_precision, lowest_precision

# A precision on the minimum curve may have this relative rounding error.
_ROUNDING = 16 * np.finfo(np.float64).eps


def precision_min(recall: ArrayLike, prevalence: ArrayLike) -> FloatOrArray:
    r"""Lowest precision that any classifier can have at a given recall.

    A classifier with a given recall has at least this precision, even if all negatives are
    ranked before the first positive [1]_. The minimum increases from 0 at recall 0 to the
    prevalence at recall 1; a no-skill score has the prevalence as its precision at every
    recall. Arguments are broadcast.

    Read more in the :ref:`User Guide <minimum>`.

    Parameters
    ----------
    recall : float or array-like
        Recalls within [0, 1].
    prevalence : float or array-like
        Fraction of positives, inside (0, 1).

    Returns
    -------
    float or ndarray of float64
        A float if both arguments are scalars, else an array of their common shape.

    Raises
    ------
    ValueError
        If `recall` is outside [0, 1] or `prevalence` is outside (0, 1).

    See Also
    --------
    auc_pr_min : The area under this curve.
    is_achievable : Whether a point lies on or above this curve.

    Notes
    -----
    At recall r and prevalence q the minimum precision is

    .. math::

        p_{\min} = \frac{q r}{1 - q + q r}

    References
    ----------
    .. [1] Boyd et al. (2012), ICML 29, Theorem 1. :arxiv:`1206.4667`

    Examples
    --------
    >>> from sklearn_achievable_pr import precision_min
    >>> round(precision_min(0.5, 1 / 3), 12)
    0.2
    >>> precision_min([0.0, 0.5, 1.0], 0.5).round(3).tolist()
    [0.0, 0.333, 0.5]
    """
    recall, pi = options.broadcast_fractions(recall=recall, prevalence=prevalence)
    return options.float_if_scalar(lowest_precision(recall, pi))


def is_achievable(
    precision: ArrayLike, recall: ArrayLike, prevalence: ArrayLike
) -> bool | Any:
    r"""Whether some confusion matrix has this precision and recall.

    A point is achievable if its precision is at least the minimum precision at its recall,
    `precision_min` [1]_. A tolerance of 16 units in the last place of the precision allows
    for rounding of points on the minimum curve. At recall 0 every precision counts as
    achievable, as a limit of points with small recalls. Arguments are broadcast.

    Read more in the :ref:`User Guide <minimum>`.

    Parameters
    ----------
    precision, recall : float or array-like
        Coordinates of the points, within [0, 1].
    prevalence : float or array-like
        Fraction of positives, inside (0, 1).

    Returns
    -------
    bool or ndarray of bool
        A bool if all arguments are scalars, else an array of their common shape.

    Raises
    ------
    ValueError
        If `precision` or `recall` is outside [0, 1] or `prevalence` is outside (0, 1).

    See Also
    --------
    precision_min : The minimum precision.

    Notes
    -----
    At prevalence q a point with precision p and recall r is achievable if

    .. math::

        p \ge \frac{q r}{1 - q + q r}

    References
    ----------
    .. [1] Boyd et al. (2012), ICML 29, Theorem 1 and Table 1. :arxiv:`1206.4667`

    Examples
    --------
    With 100 positives and 200 negatives, precision 0.2 is achievable at recall 0.4, but not
    at 0.6: it would take 240 false positives.

    >>> from sklearn_achievable_pr import is_achievable
    >>> is_achievable(0.2, [0.4, 0.6], 1 / 3).tolist()
    [True, False]
    """
    rates = {"precision": precision, "recall": recall, "prevalence": prevalence}
    precision, recall, pi = options.broadcast_fractions(**rates)
    achievable = precision >= lowest_precision(recall, pi) * (1 - _ROUNDING)
    return bool(achievable) if np.ndim(achievable) == 0 else achievable


def auc_pr_min(
    prevalence: ArrayLike,
    *,
    recall_range: tuple[float, float] = (0.0, 1.0),
) -> FloatOrArray:
    r"""Area under the minimum precision-recall curve.

    No model has a smaller AUC-PR at this prevalence [1]_. The minimum area increases with
    the prevalence, from 0 to the width of `recall_range`. Over all recalls it is about half
    of the prevalence if positives are rare; a no-skill score has the prevalence as its
    area.

    Read more in the :ref:`User Guide <minimum>`.

    Parameters
    ----------
    prevalence : float or array-like
        Fraction of positives, inside (0, 1).
    recall_range : (float, float), default=(0.0, 1.0)
        Recall range (a, b) to integrate over, 0 <= a < b <= 1. The area is not divided by
        the width b - a: areas of adjacent ranges add up.

    Returns
    -------
    float or ndarray of float64
        A float if `prevalence` is a scalar, else an array of its shape.

    Raises
    ------
    ValueError
        If `prevalence` is outside (0, 1) or `recall_range` is not a pair 0 <= a < b <= 1.

    See Also
    --------
    aucnpr : The area normalized by this minimum.
    average_precision_min : The minimum of average precision, a larger number.

    Notes
    -----
    At prevalence q the area over all recalls, and over recalls from a to b, is

    .. math::

        1 + \frac{(1 - q) \ln(1 - q)}{q}
        \qquad
        (b - a) - \frac{1 - q}{q} \ln\left(\frac{1 - q + q b}{1 - q + q a}\right)

    References
    ----------
    .. [1] Boyd et al. (2012), ICML 29, Theorem 2 and Corollary 4. :arxiv:`1206.4667`

    Examples
    --------
    >>> from sklearn_achievable_pr import auc_pr_min
    >>> round(auc_pr_min(0.5), 6)
    0.306853
    >>> auc_pr_min(1e-8)
    5.0000000166...e-09
    >>> round(auc_pr_min(0.5, recall_range=(0.5, 1.0)), 6)
    0.212318
    """
    low, high = options.check_recall_range(recall_range)
    pi = options.check_fractions(prevalence, "prevalence", open_ended=True)
    return options.float_if_scalar(lowest_area(pi, low, high))


def average_precision_min(n_pos: ArrayLike, n_neg: ArrayLike) -> FloatOrArray:
    r"""Lowest average precision that any ranking of these samples can have.

    The minimum is the value of the worst ranking, with all negatives first [1]_. It is
    larger than `auc_pr_min` at the same prevalence and converges to it for large numbers of
    positives and negatives. Arguments are broadcast.

    Read more in the :ref:`User Guide <minimum>`.

    Parameters
    ----------
    n_pos, n_neg : float or array-like
        Non-negative totals of positives and negatives. A fractional `n_pos` means positives
        of weight 1 and, ranked before them, one positive with the remaining weight.

    Returns
    -------
    float or ndarray of float64
        A float if both arguments are scalars, else an array of their common shape.
        Within (0, 1]; 1 without negatives. NaN without positives, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`.

    Raises
    ------
    ValueError
        If a number is negative, NaN or infinite.

    See Also
    --------
    normalized_average_precision_score : Average precision, normalized by this minimum.
    auc_pr_min : The minimum area under the interpolated curve.

    Notes
    -----
    With P positives and N negatives the minimum is

    .. math::

        \frac{1}{P} \sum_{i=1}^{P} \frac{i}{i + N}

    References
    ----------
    .. [1] Boyd et al. (2012), ICML 29, Theorem 3. :arxiv:`1206.4667`

    Examples
    --------
    >>> from sklearn_achievable_pr import average_precision_min
    >>> average_precision_min(1, 3)
    0.25
    >>> average_precision_min([1, 10, 1000], 10).round(4).tolist()
    [0.0909, 0.3312, 0.9543]
    """
    n_pos, n_neg = options.broadcast(
        n_pos=options.check_totals(n_pos, "n_pos"),
        n_neg=options.check_totals(n_neg, "n_neg"),
    )
    names = "the lowest average precision", "`n_pos`"
    lowest = [
        value_or_warn(partial(lowest_average_precision, *totals), np.nan, *names)
        for totals in zip(n_pos.ravel().tolist(), n_neg.ravel().tolist(), strict=True)
    ]
    return options.float_if_scalar(np.array(lowest).reshape(n_pos.shape))
