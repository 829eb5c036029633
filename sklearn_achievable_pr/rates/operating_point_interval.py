"""Rates at a recall, a precision or a false positive rate, with confidence intervals."""

from __future__ import annotations

from numpy.typing import ArrayLike

from .._inference.design import Design, Options, check_level, exactly_one
from .._inference.doubts import warn_of
from .._input.options import Label, check_inside, check_prevalence
from ..metrics._rates_at import OF_CURVE, RateAt
from ..results import RateIntervalResult
from ._checks import check_rate_samples


def operating_point_interval(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    recall: float | None = None,
    precision: float | None = None,
    fpr: float | None = None,
    confidence_level: float = 0.95,
    alternative: str = "two-sided",
    groups: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    prevalence: float | None = None,
) -> RateIntervalResult:
    r"""Confidence interval of a rate at a recall, a precision or a false positive rate.

    Typical call::

        result = operating_point_interval(y_true, y_score, recall=0.8)
        low, high = result.confidence_interval

    How precise is the model at a recall of 0.8? Pass `recall` for the precision at this
    recall, or `precision` or `fpr` for the recall at this precision or false positive rate.
    Tied scores are interpolated as in `precision_at_recall`. For rates at a threshold that
    was chosen on other data, or at k (top-k), use `threshold_table`.

    Do not find the threshold for a recall or a false positive rate and then compute limits
    at this threshold from the same data: such intervals are too narrow
    (:ref:`coverage-points`).

    Read more in the :ref:`User Guide <operating_points>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. Labels other than {0, 1}, {-1, 1} and booleans need `pos_label`.
    y_score : array-like of shape (n_samples,)
        Real, finite scores, higher for the positive class, such as decision values or
        probabilities. A sample is predicted positive if `y_score >= threshold`.
    recall, precision, fpr : float, default=None
        The recall, the precision, or the false positive rate (1 - specificity) of the
        operating point, inside (0, 1). Pass exactly one of them.
    confidence_level : float, default=0.95
        Confidence level of the interval, inside (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Sides of the interval: ``"less"`` has only an upper limit, ``"greater"`` only a
        lower limit.
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
        Reference prevalence (fraction of positives), inside (0, 1). Negatives are
        reweighted so that the data have this prevalence; true and false positive rates do
        not change. Use a reference prevalence to undo down-sampling. None keeps the
        prevalence of the data. Not with `fpr`: the recall at a false positive rate does not
        depend on the prevalence.

    Returns
    -------
    RateIntervalResult
        All its attributes: :class:`~sklearn_achievable_pr.results.RateIntervalResult`.

        - estimate: the value of `precision_at_recall`, `recall_at_precision` or
          `recall_at_fpr`;
        - confidence_interval: `low` and `high`; for a one-sided `alternative`, one of the
          limits is 0 or 1;
        - threshold: the lowest score that is predicted positive (inf if no recall has the
          `precision`);
        - n_predicted: number (weight) of samples predicted positive, interpolated on a
          segment of the ROC curve;
        - tie: number (weight) of the samples that are tied at the threshold, if only a part
          of them is predicted positive; else None.

        If a class is missing, estimate and limits are NaN, with an
        :class:`~sklearn.exceptions.UndefinedMetricWarning`. If a class consists of one
        sample or one cluster, the interval is (0, 1), with the same warning.

    Raises
    ------
    ValueError
        If not exactly one of `recall`, `precision` and `fpr` is given, `fpr` times the
        number of negatives is below 1, or `confidence_level` is at most 0.5 for a one-sided
        interval.

    Warns
    -----
    UserWarning
        If the score looks like predicted labels, is constant or is reversed, as in
        `auc_pr_interval`.
    CoverageWarning
        If the interval may be too narrow, or the estimate too high. :ref:`warnings` lists
        the reasons, and what to do.

    See Also
    --------
    precision_at_recall, recall_at_precision, recall_at_fpr : The estimates.
    threshold_table : Rates at a threshold or at k, with intervals.
    compare_models : Tests of the difference between models at an operating point.
    AchievablePRDisplay : Confidence bands of the curve by the same limits.
    choose_threshold : A threshold with guaranteed recall or precision on new data.

    Notes
    -----
    In another data set the threshold with this recall, precision or false positive rate is
    another one. So every point (f, t) of the curve near the cut, with f of N negatives and
    t of P positives at or above a threshold (tied scores are interpolated), may be the
    threshold at which the population has the given value. The limits are the extremes of
    the limits at all these points, a union of intervals.

    At a point, one share of the samples is held, because its value v in the population is
    given. If h is this share of n samples, the deviance of v is

    .. math::

        D = 2 n\, \mathrm{KL}(h, v),
        \qquad
        \mathrm{KL}(h, v) = h \ln \frac{h}{v} + (1 - h) \ln \frac{1 - h}{1 - v}

    Of the squared normal quantile :math:`z^2` of the confidence level, :math:`z^2 - D` is
    left for another share, which has its exact limits (Clopper-Pearson [1]_) at the
    quantile :math:`\sqrt{z^2 - D}`. Points with a larger deviance are not used. From the
    other share x follows the rate:

    - at a recall r, t of P is held, and x is the share P of P + f; the precision is
      r x / (r x + 1 - x);
    - at a precision p, t of t + f is held, and x is the share t + f of P + f; the recall is
      p x / (p x + 1 - x);
    - at a false positive rate, f of N is held, and the recall is the share t of P.

    The interval at a precision is that of the last crossing of the curve with this
    precision. Its upper limit is the largest recall that a point admits, and its lower
    limit the end of the last gap between the admitted recalls at which the curve lies above
    the precision; it is 0 without such a gap. At nearly the highest precision of the curve,
    or with few positives near the highest scores, every small recall may be compatible with
    the data: the lower limit is then 0, and the interval can be (0, 1).

    With weights, `groups` or `prevalence` all numbers of samples are divided by the design
    effect, the variance of the rate relative to that of independent samples of weight 1.
    Limits at a reference `prevalence` include the variance due to random class counts, so
    they are conservative for a known prevalence.

    References
    ----------
    .. [1] Clopper and Pearson (1934), Biometrika 26. :doi:`10.1093/biomet/26.4.404`

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_achievable_pr import operating_point_interval
    >>> rng = np.random.default_rng(0)
    >>> y_true = rng.random(2000) < 0.1
    >>> y_score = rng.normal(size=2000) + 1.5 * y_true
    >>> print(operating_point_interval(y_true, y_score, recall=0.8))
    Precision at recall 0.8: 0.23
    95 % confidence interval: 0.19 to 0.30
    predicted positive: 738, down to the score 0.482
    2000 samples, 210 positive
    >>> result = operating_point_interval(y_true, y_score, precision=0.3)
    >>> round(result.estimate, 2), round(result.confidence_interval.low, 2)
    (0.65, 0.54)
    >>> result = operating_point_interval(y_true, y_score, fpr=0.01)
    >>> round(result.estimate, 2), round(result.confidence_interval.low, 2)
    (0.17, 0.1)
    """
    where, value = exactly_one(recall=recall, precision=precision, fpr=fpr)
    value = check_inside(value, where, 0, 1)
    if fpr is not None and prevalence is not None:
        raise ValueError(
            "`prevalence` needs `recall` or `precision`: the recall at a false positive "
            "rate does not depend on the prevalence. Got `fpr`; leave `prevalence` out."
        )
    options = check_level(Options(confidence_level, alternative))
    design = Design(pos_label, sample_weight, groups)
    rate = RateAt(OF_CURVE[where], value, check_prevalence(prevalence))
    scores = {"y_score": y_score}
    (sample,) = check_rate_samples([rate], y_true, scores, design, argument=where)
    warn_of({"": sample})
    if options.tail >= 0.5:
        raise ValueError(
            "`confidence_level` must be above 0.5 for a one-sided interval, because limits "
            f"enclose the estimate. Got {options.confidence_level}."
        )
    return sample.interval(options)
