"""Rates at thresholds or at k, with confidence intervals."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._inference.design import Design, Options, check_level, exactly_one
from .._input.arrays import as_column, as_numbers, on_host, round_thresholds
from .._input.options import Label, check_flag, check_k
from ..results import ThresholdTable
from ._checks import check_cut_sample
from ._table import table_at


def threshold_table(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    thresholds: ArrayLike | None = None,
    k: ArrayLike | None = None,
    net_benefit: bool = False,
    confidence_level: float = 0.95,
    groups: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    prevalence: float | None = None,
) -> ThresholdTable:
    r"""Sensitivity, specificity, PPV, NPV, F1 and net benefit, with intervals.

    Typical call::

        table = threshold_table(y_true, y_score, thresholds=[0.2, 0.5])
        print(table)

    How good is a classifier at given thresholds, or among the k samples with the highest
    scores? The table consists of one row per threshold or per k: the confusion matrix, and
    the rates with their confidence limits. The selection rate is the share of samples
    predicted positive. If k divides a tie, tied samples count in expectation. Thresholds
    must be chosen on other data, for example with `choose_threshold`.

    With ``net_benefit=True`` the table also has the net benefit of decision curve analysis
    [3]_, and ``table.plot()`` draws the decision curve.

    Read more in the :ref:`User Guide <rates>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. Labels other than {0, 1}, {-1, 1} and booleans need `pos_label`.
    y_score : array-like of shape (n_samples,)
        Real, finite scores, higher for the positive class, such as decision values or
        probabilities. A sample is predicted positive if `y_score >= threshold`.
    thresholds : float or array-like of shape (n_rows,), default=None
        Thresholds in any order, which may be infinite. Pass either `thresholds` or `k`.
        They are rounded to the dtype of floating-point scores, so that 0.7 selects the
        samples of ``y_score >= 0.7`` in float32 as well.
    k : int, float or array-like of shape (n_rows,), default=None
        Numbers of samples with the highest scores, integers >= 1 (with weights, their total
        weight), or fractions of all samples, floats from 1e-100 to 1. In an array with a
        float all elements are fractions.
    net_benefit : bool, default=False
        Whether the table has the net benefit. Scores and thresholds are read as
        probabilities: `y_score` must be in [0, 1], `thresholds` in [0, 1). Only with
        `thresholds`. Probabilities should be calibrated.
    confidence_level : float, default=0.95
        Confidence level of the intervals, inside (0, 1).
    groups : array-like of shape (n_samples,), default=None
        Cluster labels, e.g. the patient of each sample. Samples of one cluster count as one
        observation in intervals and tests. If None, samples are treated as independent.
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. A weight of 0 is the same as leaving the sample out. In an
        estimate a weight of k is the same as k copies of the sample; in intervals and tests
        a sample of any weight counts as one observation.
    prevalence : float, default=None
        Reference prevalence (fraction of positives) of precision, NPV, F1, selection rate
        and net benefit, inside (0, 1): their values in a population with other class counts
        and the same recall and specificity (Bayes' theorem). Only with `thresholds`. Limits
        are those of the same weights, and conservative if the prevalence is known; those of
        net benefit take it as known. The precision is too high if few false positives weigh
        much.

    Returns
    -------
    ThresholdTable
        Arrays `threshold`, `n_predicted`, `tps`, `fps`, `fns`, `tns` and, for each of the
        rates `recall`, `specificity`, `precision`, `npv`, `f1` and `selection_rate`, its
        value, ``<rate>_low`` and ``<rate>_high``, in the order of `thresholds`; `threshold`
        has the rounded values. `net_benefit` has the same three arrays, and
        `net_benefit_all` has one; they are None without ``net_benefit=True``.
        ``table.to_frame()`` is a DataFrame that also has text such as ``0.80 (0.66, 0.91)``
        per rate. A rate that counts no sample (0/0) is NaN with the limits 0 and 1: the
        precision (NPV) if no sample is predicted positive (negative), the recall without
        positives, the specificity without negatives. One
        :class:`~sklearn.exceptions.UndefinedMetricWarning` names these rates. The others
        are defined: without positives the precision is 0, with the upper limit of the share
        of true positives if none was seen. At a reference `prevalence` precision,
        NPV, F1, selection rate and net benefit need both classes.

    Raises
    ------
    ValueError
        If `thresholds` has NaN, `k` is 0 or above the number of samples, not exactly one of
        them is given, or with `net_benefit` scores or thresholds are no probabilities.

    Warns
    -----
    UserWarning
        If the score looks like predicted labels, is constant or is reversed, as in
        `auc_pr_interval`.
    CoverageWarning
        If limits may be too narrow, or precision or recall too high. :ref:`warnings` lists
        the reasons, and what to do.

    See Also
    --------
    choose_threshold : The threshold with the best objective under constraints.
    operating_point_interval : Precision at a recall, or recall at a precision.
    compare_models : Tests of the difference between models at thresholds or at k.
    precision_at_k, recall_at_k : The estimates at k.

    Notes
    -----
    **The rates.** With the numbers (weights) of true and false positives and negatives,

    .. math::

        \mathrm{recall} = \frac{\mathit{tp}}{\mathit{tp} + \mathit{fn}}
        \qquad
        \mathrm{specificity} = \frac{\mathit{tn}}{\mathit{tn} + \mathit{fp}}
        \qquad
        \mathrm{precision} = \frac{\mathit{tp}}{\mathit{tp} + \mathit{fp}}

    .. math::

        \mathrm{NPV} = \frac{\mathit{tn}}{\mathit{tn} + \mathit{fn}}
        \qquad
        F_1 = \frac{2\,\mathit{tp}}{2\,\mathit{tp} + \mathit{fp} + \mathit{fn}}

    Net benefit at the threshold probability t, for n samples, is

    .. math::

        \mathrm{NB} = \frac{\mathit{tp}}{n} - \frac{\mathit{fp}}{n} \frac{t}{1 - t}

    because a false positive costs t / (1 - t) of what a true positive is worth. Net benefit
    is 0 if nobody is predicted positive, and `net_benefit_all`,
    :math:`q - (1 - q)\, t / (1 - t)` at the prevalence q, if everybody is.

    **Limits.** For independent samples without weights, limits at a threshold are those of
    Clopper and Pearson [1]_, otherwise beta limits at the effective sample size [2]_. At k,
    the limits account for the threshold, which differs from one data set to the next.
    :ref:`which-interval` has the formulas.

    References
    ----------
    .. [1] Clopper and Pearson (1934), Biometrika 26. :doi:`10.1093/biomet/26.4.404`
    .. [2] Korn and Graubard (1998), Survey Methodology 24, 193-201.
    .. [3] Vickers and Elkin (2006), Med Decis Making 26. :doi:`10.1177/0272989X06295361`

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_achievable_pr import threshold_table
    >>> rng = np.random.default_rng(0)
    >>> y_true = rng.random(2000) < 0.1
    >>> y_score = rng.normal(size=2000) + 2 * y_true
    >>> table = threshold_table(y_true, y_score, thresholds=[1, 2])
    >>> table.recall.round(2).tolist(), table.specificity.round(2).tolist()
    ([0.8, 0.5], [0.84, 0.97])
    >>> float(table.precision_low[0].round(3)), float(table.precision_high[0].round(3))
    (0.318, 0.408)

    Net benefit at a threshold probability, for scores that are probabilities:

    >>> probability = 1 / (1 + np.exp(4.2 - 2 * y_score))
    >>> table = threshold_table(y_true, probability, thresholds=0.2, net_benefit=True)
    >>> float(table.net_benefit[0].round(4)), float(table.net_benefit_all[0].round(4))
    (0.0498, -0.1188)
    """
    where, values = exactly_one(thresholds=thresholds, k=k)
    options = check_level(Options(confidence_level))
    net_benefit = check_flag(net_benefit, "net_benefit")
    values = as_column(np.atleast_1d(on_host(values, where)), where)
    if where == "k":
        values = check_k(values)
        if prevalence is not None:
            raise ValueError(
                "`prevalence` needs `thresholds`: at another prevalence the k highest "
                "scores have another cut. Got `k`; pass the thresholds of the table at k."
            )
        if net_benefit:
            raise ValueError(
                "`net_benefit` needs `thresholds`: they are the threshold probabilities of "
                "a decision curve. Got `k`; pass for example thresholds=[0.1, 0.2]."
            )
    else:
        values = as_numbers(values, where).astype(np.float64)
        if np.isnan(values).any():
            raise ValueError(f"`thresholds` must not have NaN. Got {values}.")
    design = Design(pos_label, sample_weight, groups)
    sample = check_cut_sample(y_true, y_score, design, prevalence)
    where = where.removesuffix("s")
    if where == "threshold":
        values = round_thresholds(values, sample.data.score, y_score)
    if net_benefit:
        _check_probabilities(sample.data.score, values)
    return table_at(sample, where, values, options, net_benefit)


def _check_probabilities(score, thresholds):
    """Raise ValueError unless scores and thresholds can be read as probabilities."""
    low, high = score.min(), score.max()
    if low < 0 or high > 1:
        raise ValueError(
            "`net_benefit` needs probabilities: `y_score` must be inside [0, 1]. Got "
            f"scores from {low:g} to {high:g}. Pass predict_proba, or calibrate the scores "
            "with sklearn.calibration.CalibratedClassifierCV."
        )
    outside = thresholds[(thresholds < 0) | (thresholds >= 1)]
    if len(outside):
        raise ValueError(
            "`net_benefit` needs probabilities: `thresholds` must be in [0, 1), at least 0 "
            f"and below 1. Got {outside[0]:g}. Leave this one out, or pass "
            "net_benefit=False."
        )
