"""A decision threshold from labels and scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from numpy.typing import ArrayLike

from .._input.options import Label, RandomState
from ..results import OperatingPoint
from ._rule import choose_from_arrays


def choose_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    objective: str | Mapping[str, float] | Callable = "f1",
    min_recall: float | None = None,
    min_precision: float | None = None,
    min_npv: float | None = None,
    max_selection_rate: float | None = None,
    max_fpr: float | None = None,
    confidence_level: float | None = None,
    order_from: tuple[ArrayLike, ArrayLike] | None = None,
    groups: ArrayLike | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    prevalence: float | None = None,
    random_state: RandomState | None = None,
) -> OperatingPoint:
    r"""Choose the decision threshold with the best objective under constraints.

    Typical call::

        point = choose_threshold(y_true, y_score, objective="precision", min_recall=0.8)
        y_pred = new_score >= point.threshold

    Among the thresholds that meet all constraints on these samples, the function chooses
    the one with the highest `objective`, by default the F1 score. Samples with tied scores
    are predicted positive or negative together. The threshold lies between two scores and
    is rounded to a short decimal there, so the printed threshold is the exact threshold. It
    is inf if no sample is predicted positive, and -inf if every sample is.

    The returned rates are those of these samples, the tuning set (also called validation
    set), and they are too optimistic for new data. A constraint that these samples just
    meet is missed on new data about half of the time. With `confidence_level`, new data
    meet the constraints with at least this probability.

    A classifier with the chosen threshold is scikit-learn's ``FixedThresholdClassifier(
    FrozenEstimator(fitted), threshold=point.threshold, response_method=...,
    pos_label=...)``, with the method that made the scores, e.g. ``"predict_proba"``: a
    threshold of ``decision_function`` is not one of ``predict_proba``.

    Read more in the :ref:`User Guide <choose_threshold>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Binary labels. Labels other than {0, 1}, {-1, 1} and booleans need `pos_label`.
    y_score : array-like of shape (n_samples,)
        Real, finite scores, higher for the positive class, such as decision values or
        probabilities. A sample is predicted positive if `y_score >= threshold`.
    objective : str, dict or callable, default="f1"
        What to maximize.

        - A name: `"f1"` or any other `"f<beta>"` such as `"f2"`, `"balanced_accuracy"`,
          `"youden"` (true minus false positive rate), `"precision"`, `"recall"`,
          `"specificity"`, `"npv"` (negative predictive value) or `"mcc"` (Matthews
          correlation); or the name of a scorer of scikit-learn, such as `"jaccard"`,
          computed for labels 0 and 1, where 1 is `pos_label`.
        - A dict of utilities per outcome, such as `{"tp": 10, "fp": -1, "fn": -50}` (a cost
          is a negative utility; outcomes left out have utility 0), whose mean over all
          samples is maximized. `tp` must be at least `fn`, and `tn` at least `fp`.
        - A callable of counts `(tps, fps, fns, tns) -> array`. It gets float64 arrays of
          shape (n_points,), one point per threshold, and returns one number per point;
          infinities are allowed, NaN is not.
        - A metric function `(y_true, y_pred, sample_weight) -> float` of labels 0 and 1, or
          a scorer, which gets the labels of the data. A weight of k must be the same as k
          copies of a sample. The metric is computed exactly, on four samples weighted by
          the counts, but at no more than 300 thresholds: vertices of the hull, those next
          to thresholds that miss a constraint, and others evenly spaced in rank.

        Among equal values a vertex is preferred, then the highest threshold; for
        `"specificity"`, that with the highest recall. Alone, `"precision"`, `"recall"`,
        `"specificity"` and `"npv"` have their maximum at an extreme threshold: combine them
        with a constraint of another rate.
    min_recall : float, default=None
        Lower bound of the recall (sensitivity) on the tuning set, within [0, 1].
    min_precision : float, default=None
        Lower bound of the precision (PPV) on the tuning set, within [0, 1]. A threshold at
        which no sample is predicted positive does not meet it.
    min_npv : float, default=None
        Lower bound of the negative predictive value (NPV) on the tuning set, within [0, 1]:
        of the samples below the threshold, which are ruled out, the share of negatives. A
        threshold at which no sample is ruled out does not meet it.
    max_selection_rate : float, default=None
        Upper bound of the share of the tuning samples that are predicted positive, within
        [0, 1]. A capacity of 100 reviews in 4,000 samples is 0.025. The share is a mean: at
        this bound about half of all days have more than 100 in 4,000.
    max_fpr : float, default=None
        Upper bound of the false positive rate (1 - specificity) on the tuning set, within
        [0, 1].
    confidence_level : float, default=None
        The probability, over tuning sets, that new data meet all constraints, inside
        (0, 1). The samples must not have been used to fit the scores. They and new samples
        must be drawn independently from one distribution, for `min_precision`, `min_npv`
        and `max_selection_rate` with random class counts. Samples that come in clusters,
        such as patients with several samples, need `groups`. With `sample_weight` the rates
        are those of the weighted population. If None, the constraints are met on these
        samples only.
    order_from : tuple of (y_true, y_score), default=None
        Labels and scores of other samples, by the same model, which order the thresholds
        for the tests of `confidence_level`: out-of-fold scores of the training data, or
        the data of last month. The guarantee does not depend on them; a useless order costs
        recall only. Both classes are needed, with the same labels. Samples must not order
        their own tests: passing the same arrays again raises `ValueError`, but the same
        samples in another order are not recognized. With `groups` the other samples must be
        of other clusters. If None, a random fifth of the samples gives the order.
    groups : array-like of shape (n_samples,), default=None
        Label of the cluster of each sample, such as the patient, for `confidence_level`:
        clusters, not samples, are then independent. Each cluster counts once: the
        guaranteed recall is that of a random positive of a random cluster that has one, and
        the other rates likewise. `sample_weight` must be constant within a cluster.
    pos_label : int, float, bool or str, default=None
        The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
        booleans; other labels need `pos_label`.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. A weight of k is the same as k copies of the sample, a weight
        of 0 the same as leaving the sample out. Objective and constraints are by weight.
        With `confidence_level` weights may be 1 / (chance that a sample was drawn); the
        largest weight of the population must occur among these samples.
    prevalence : float, default=None
        Reference prevalence, inside (0, 1): the fraction of positives where the threshold
        will be used, such as before down-sampling. Each negative gets the weight that gives
        this prevalence, times `sample_weight`. At a threshold, recall and false positive
        rate do not change; precision, selection rate and objective do. With
        `confidence_level`, `min_recall` and `max_fpr` are guaranteed as without
        `prevalence`; `min_precision`, `min_npv` and `max_selection_rate` raise
        `ValueError`.
    random_state : int, RandomState instance, Generator or None, default=None
        Seed or source of random numbers for `min_precision` and `min_npv` with
        `confidence_level` and without `order_from`: a random fifth of the samples gives the
        order in which thresholds are tested on the others, so threshold and recall depend
        on it. Fix an int beforehand: the best of many seeds has no guarantee.

    Returns
    -------
    OperatingPoint
        With `threshold`, its `precision`, `recall`, `npv`, `selection_rate`, `fpr` and
        `objective_value` on these samples, and `guarantee`. ``print(point)`` shows these
        rates and the guarantee on new data, if there is one. Where no sample is predicted
        positive, precision is NaN, and where none is predicted negative, NPV is NaN,
        without an :class:`~sklearn.exceptions.UndefinedMetricWarning`. As an objective and
        under a constraint they count as 0.

    Raises
    ------
    ValueError
        If a class is missing, if no threshold meets the constraints or they can be
        guaranteed at none, or if `objective` is a metric of scores or a loss.
    TypeError
        If an argument is of the wrong type.

    Warns
    -----
    UserWarning
        If the threshold predicts every sample positive, or no sample.
    CoverageWarning
        If estimates of the tuning set are too high, or a guarantee may be missed too often.
        :ref:`warnings` lists the reasons, and what to do.

    See Also
    --------
    HullThresholdClassifierCV : The same choice on held-out scores of a classifier.
    sklearn.model_selection.FixedThresholdClassifier : Predicts at a given threshold.
    threshold_table : Rates with confidence intervals at given thresholds.
    operating_point_interval : Precision at a recall with a confidence interval.

    Notes
    -----
    The objective is a function of the numbers (with weights, the sums of weights) of true
    and false positives and negatives at a threshold. For ``"f<beta>"`` and for utilities
    :math:`u` per outcome it is

    .. math::

        F_\beta = \frac{(1 + \beta^2)\,\mathit{tp}}
            {(1 + \beta^2)\,\mathit{tp} + \beta^2 \mathit{fn} + \mathit{fp}}
        \qquad
        U = \frac{u_{tp}\,\mathit{tp} + u_{fp}\,\mathit{fp}
            + u_{fn}\,\mathit{fn} + u_{tn}\,\mathit{tn}}
            {\mathit{tp} + \mathit{fp} + \mathit{fn} + \mathit{tn}}

    Without constraints, utilities and the objectives from ``"f1"`` to ``"mcc"`` in the list
    above have their maximum at a vertex of the ROC convex hull [1]_. For scorers, metrics
    and other callables, and under a constraint, every threshold is a candidate.

    A guarantee of recall, selection rate or false positive rate follows from order
    statistics of the scores. A guarantee of precision or NPV, and that of several
    constraints with `order_from`, comes from tests of thresholds in a fixed sequence [2]_.
    For independent samples without weights the guarantee is a theorem. With `groups` or
    weights it rests on Gaffke's test, whose validity is a conjecture:
    :doc:`/validation/guarantee`.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, sections 3, 4. :doi:`10.1145/1143844.1143874`
    .. [2] Angelopoulos et al. (2021), Learn then test. :arxiv:`2110.01052`

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_achievable_pr import choose_threshold
    >>> rng = np.random.default_rng(0)
    >>> y_true = rng.random(2000) < 0.1
    >>> y_score = rng.normal(size=2000) + 2 * y_true
    >>> point = choose_threshold(
    ...     y_true, y_score, objective="precision", min_recall=0.9, confidence_level=0.9,
    ... )
    >>> print(point)
    Predict positive if y_score >= 0.4328.
    On new data recall is at least 0.9, with confidence 0.9,
    for independent samples of this population.
    Tuning set: 2000 samples, 210 positive; recall 0.93, precision 0.24, NPV 0.99,
    39.9 % predicted positive. Best threshold without the guarantee: precision 0.27.
    >>> choose_threshold(y_true, y_score, objective={"tp": 5, "fp": -1}).threshold
    1.2052
    """
    bounds = min_recall, min_precision, min_npv, max_selection_rate, max_fpr
    data = y_true, y_score, pos_label, sample_weight
    chosen = choose_from_arrays(
        data,
        objective,
        bounds,
        confidence_level,
        order_from,
        groups,
        prevalence,
        random_state,
    )
    return chosen.point()
