"""Exact AUC-PR of data larger than memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from numbers import Integral
from typing import Any

from joblib import cpu_count, effective_n_jobs, parallel_backend

from .._input import options
from .._input.labels import if_frame
from .._input.options import Label
from ..metrics._table import ADDITIVE, check_metric
from ._external_sort import LocalSource
from ._frames import source_of
from ._score_partition import exact_area

_MIN_MEMORY = 2**26


def auc_pr_from_batches(
    batches: Callable[[], Iterable[tuple]],
    *,
    metric: str = "auc_pr_interpolated",
    pos_label: Label | None = None,
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
    max_memory: int = 2**30,
    temp_folder: str | os.PathLike | None = None,
    n_jobs: int | None = None,
) -> float:
    r"""Exact area under the precision-recall curve of data larger than memory.

    Typical call::

        area = auc_pr_from_batches(lambda: [(y_true, y_score)])
        normalized = auc_pr_from_batches(lambda: [(y_true, y_score)], metric="aucnpr")

    What is the AUC-PR of samples that do not fit into memory? The result is the value of
    `auc_pr_interpolated`, `aucnpr` or average precision (see `metric`) for all samples of
    all batches, exact and not a mean over batches. Tied scores are one segment of the ROC
    curve.

    The first pass counts the samples in a histogram of their scores, which gives ranges of
    scores and the number of samples of each class above each range. The second pass writes
    the samples to temporary files in the order of their ranges (an external sort). Each
    range is then sorted and integrated separately.

    Higher is better; over all recalls a constant, no-skill score has the prevalence as its
    AUC-PR.

    Read more in the :ref:`User Guide <large_data>`.

    Parameters
    ----------
    batches : callable
        Called without arguments, returns an iterable of batches. Each call must return the
        same samples, in any order. A batch is ``(y_true, y_score)`` or
        ``(y_true, y_score, sample_weight)``, arrays of the same length.
    metric : str, default="auc_pr_interpolated"
        Name of the metric: ``"auc_pr_interpolated"``, ``"achievable_auc_pr"``,
        ``"aucnpr"``, ``"achievable_aucnpr"`` or ``"average_precision"`` (scikit-learn's,
        which takes no `recall_range`). The achievable metrics are those of the ROC convex
        hull.
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`.
    recall_range : (float, float), default=(0.0, 1.0)
        Recall range (a, b) to integrate over, 0 <= a < b <= 1. An area is not divided by
        the width b - a: areas of adjacent ranges add up. AUCNPR is normalized by the
        minimum and the maximum area of this range.
    prevalence : float, default=None
        Reference prevalence (fraction of positives), inside (0, 1). Negatives are
        reweighted so that the data have this prevalence; true and false positive rates do
        not change. Use a reference prevalence to undo down-sampling. None keeps the
        prevalence of the data.
    max_memory : int, default=2**30
        Number of bytes that sorting may use, in all threads together. At least 64 MiB.
    temp_folder : str or path, default=None
        Folder for temporary files. The files take about as much space as the labels,
        scores and weights, and are deleted when the function returns or raises. None means
        the system default.
    n_jobs : int, default=None
        Number of threads that sort, as in :class:`joblib.Parallel`. All threads share
        `max_memory`.

    Returns
    -------
    float
        The metric. Without positives it is NaN, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`. Without negatives it is the
        width of `recall_range` (NaN for AUCNPR or if `prevalence` is given), and average
        precision is 1.

    Raises
    ------
    ValueError
        If all batches together have no samples or more than two labels, a weight is above
        1e250, or the passes return different samples.

    Warns
    -----
    UserWarning
        If the scores look like predicted labels, or are reversed: the area under the ROC
        curve is below 1/2 by more than 3.3 standard errors of a score without skill, and
        AUC-PR is below its chance level.

    See Also
    --------
    PRCounts : Guaranteed bounds in one pass.
    auc_pr_from_frame : The exact area of the columns of a data frame.
    auc_pr_interpolated : The exact area in memory.

    Notes
    -----
    With P positives (total weight) and f(t) false positives at t true positives [1]_, the
    area over recalls from a to b is

    .. math::

        A = \frac{1}{P} \int_{aP}^{bP} \frac{t}{t + f(t)}\, dt

    If a bin of the histogram has more samples than fit into `max_memory`, an additional
    pass counts them in finer bins.

    An error is raised if the last pass returns other numbers of samples per class and bin
    than the pass before, or if samples of a range were lost or doubled. Other changes of
    labels or scores between the passes are not detected; the result then lies within the
    bounds of `PRCounts` with these bins.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_achievable_pr import auc_pr_from_batches
    >>> def batches():
    ...     for seed in range(3):
    ...         rng = np.random.default_rng(seed)
    ...         y_true = rng.random(1000) < 0.1
    ...         yield y_true, rng.normal(size=1000) + y_true
    >>> round(auc_pr_from_batches(batches), 4)
    0.2865
    """
    wanted = check_metric(metric, ADDITIVE, recall_range, prevalence)
    max_memory = _check_resources(max_memory, temp_folder)
    n_threads = _check_n_threads(n_jobs)
    if not callable(batches):
        raise TypeError(
            "`batches` must be a callable that returns an iterable of batches, for several "
            f"passes. Got {type(batches).__name__}.{_instead_of(batches)}"
        )
    source = LocalSource(batches, pos_label, n_threads)
    return exact_area(wanted, source, "y_score", max_memory, temp_folder)


def auc_pr_from_frame(
    frame: Any,
    y_true: str,
    y_score: str,
    *,
    metric: str = "auc_pr_interpolated",
    pos_label: Label | None = None,
    sample_weight: str | None = None,
    recall_range: tuple[float, float] = (0.0, 1.0),
    prevalence: float | None = None,
    max_memory: int = 2**30,
    temp_folder: str | os.PathLike | None = None,
    n_jobs: int | None = None,
) -> float:
    r"""Exact area under the precision-recall curve of the columns of a data frame.

    Typical call::

        frame = pandas.DataFrame({"label": y_true, "score": y_score})
        area = auc_pr_from_frame(frame, "label", "score")

    What is the AUC-PR of a data frame that does not fit into memory? The result is the
    value of `auc_pr_interpolated`, `aucnpr` or average precision (see `metric`) for all
    rows, exact and not a mean over parts of the frame. Tied scores are one segment of the
    ROC curve.

    Frames of one process are read in batches, as in `auc_pr_from_batches`. For Spark and
    Dask frames, the workers count each partition in a histogram and merge the histograms.
    Then the samples are shuffled by range of scores, and each range is integrated by one
    worker. The driver receives only a histogram, integrals, and points that may be vertices
    of the hull.

    Higher is better; over all recalls a constant, no-skill score has the prevalence as its
    AUC-PR.

    Read more in the :ref:`User Guide <large_data>`.

    Parameters
    ----------
    frame : data frame
        Data frame or table of pandas, Polars (eager or lazy), DuckDB, PyArrow, Spark or
        Dask.
    y_true : str
        Name of the column of labels.
    y_score : str
        Name of the column of scores.
    metric : str, default="auc_pr_interpolated"
        Name of the metric: ``"auc_pr_interpolated"``, ``"achievable_auc_pr"``,
        ``"aucnpr"``, ``"achievable_aucnpr"`` or ``"average_precision"`` (scikit-learn's,
        which takes no `recall_range`). The achievable metrics are those of the ROC convex
        hull.
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`.
    sample_weight : str, default=None
        Name of the column of weights.
    recall_range : (float, float), default=(0.0, 1.0)
        Recall range (a, b) to integrate over, 0 <= a < b <= 1. An area is not divided by
        the width b - a: areas of adjacent ranges add up. AUCNPR is normalized by the
        minimum and the maximum area of this range.
    prevalence : float, default=None
        Reference prevalence (fraction of positives), inside (0, 1). Negatives are
        reweighted so that the data have this prevalence; true and false positive rates do
        not change. Use a reference prevalence to undo down-sampling. None keeps the
        prevalence of the data.
    max_memory : int, default=2**30
        Number of bytes that sorting may use or, for Spark and Dask, that each task may use.
        At least 64 MiB.
    temp_folder : str or path, default=None
        Folder for temporary files. The files take about as much space as the labels,
        scores and weights, and are deleted when the function returns or raises. None means
        the system default.
    n_jobs : int, default=None
        Number of threads that sort frames of pandas, Polars, DuckDB and PyArrow, as in
        :class:`joblib.Parallel`. All threads share `max_memory`. `n_jobs` and `temp_folder`
        have no effect for Spark and Dask, whose workers sort.

    Returns
    -------
    float
        The metric. Without positives it is NaN, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`. Without negatives it is the
        width of `recall_range` (NaN for AUCNPR or if `prevalence` is given), and average
        precision is 1.

    Raises
    ------
    ValueError
        If the frame has no samples or more than two labels, a weight is above 1e250, or the
        frame changes between passes or can be read only once.

    Warns
    -----
    UserWarning
        If the scores look like predicted labels or are reversed (`auc_pr_from_batches`).

    See Also
    --------
    PRCounts.from_frame : Guaranteed bounds in one pass.
    auc_pr_from_batches : The exact area from batches.
    auc_pr_interpolated : The exact area in memory.

    Notes
    -----
    With P positives (total weight) and f(t) false positives at t true positives [1]_, the
    area over recalls from a to b is

    .. math::

        A = \frac{1}{P} \int_{aP}^{bP} \frac{t}{t + f(t)}\, dt

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn_achievable_pr import auc_pr_from_frame
    >>> frame = pd.DataFrame({"fraud": [1, 0, 1, 0, 0], "p": [0.9, 0.8, 0.7, 0.2, 0.1]})
    >>> round(auc_pr_from_frame(frame, "fraud", "p"), 4)
    0.7973
    """
    wanted = check_metric(metric, ADDITIVE, recall_range, prevalence)
    max_memory = _check_resources(max_memory, temp_folder)
    n_threads = _check_n_threads(n_jobs)
    source = source_of(frame, y_true, y_score, sample_weight, pos_label, n_threads)
    return exact_area(wanted, source, f"frame[{y_score!r}]", max_memory, temp_folder)


def _instead_of(batches):
    """A sentence on what to pass instead of batches that are no function."""
    if isinstance(batches, Iterator):
        return " Pass the function that makes it, without calling it."
    return if_frame(batches) or " Pass e.g. `lambda: [(y_true, y_score)]`."


def _check_n_threads(n_jobs):
    """The number of threads of `n_jobs`; of None, that of `joblib.parallel_config`."""
    if n_jobs is None:
        return min(effective_n_jobs(None), cpu_count())
    n_jobs = options.check_integer(n_jobs, "n_jobs")
    if n_jobs == 0:
        raise ValueError(
            "`n_jobs` must be a number of threads, or -1 for all processors. Got 0; pass 1 "
            "for one thread."
        )
    # A daemonic process may run threads, but no processes.
    with parallel_backend("threading"):
        return effective_n_jobs(n_jobs)


def _check_resources(max_memory, temp_folder):
    """The maximum memory as an int; raises also if `temp_folder` is not a folder."""
    needed = "a path, or None for the system default"
    options.check_type(temp_folder, "temp_folder", str | os.PathLike | None, needed)
    if temp_folder is not None and not os.path.isdir(temp_folder):
        raise ValueError(f"`temp_folder` must be an existing folder. Got {temp_folder!r}.")
    needed = "an integer, a number of bytes, e.g. `max_memory=300 * 2**20` for 300 MiB"
    options.check_type(max_memory, "max_memory", Integral, needed)
    return options.check_integer(max_memory, "max_memory", _MIN_MEMORY)
