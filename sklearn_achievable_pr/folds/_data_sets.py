"""Labels and scores of several folds or data sets, checked, at one prevalence."""

import math
import reprlib
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy.stats import chi2_contingency

from .._input import options
from .._input.arrays import Response, as_column, kish_sample_size
from .._input.labels import binary_data, joined, labels_of, positives, warn_of_labels
from .._input.undefined import warn_undefined
from .._roc.counting import breakpoints
from .._roc.curve import ROCCurve

# A test of equal prevalence of the folds at this significance level leads to a warning.
_SIGNIFICANCE = 1e-3


class Folds(NamedTuple):
    """Folds that have both classes, reweighted to one prevalence.

    Attributes
    ----------
    rocs : list of ROCCurve
        ROC curves with negatives reweighted to `prevalence`.
    weight : ndarray of float64, shape (n_folds,)
        The weight of each fold; weights sum to 1.
    prevalence : float
        The reference prevalence.
    kept : list of int
        The indices of these folds among the passed folds.
    """

    rocs: list[ROCCurve]
    weight: np.ndarray
    prevalence: float
    kept: list[int]

    def on_curve(self, curve):
        """These folds with empirical ROC curves, or with the hulls of these."""
        rocs = [roc.of_kind(curve) for roc in self.rocs]
        return self._replace(rocs=rocs)


def check_folds(data, prevalence, pos_label, roc_of=breakpoints):
    """`Folds` with both classes at one prevalence; others are omitted with a warning.

    `data` are the arguments `y_true`, `y_score`, `sample_weight` and `fold_weight`, and
    `roc_of` makes the ROC curve of `BinaryData`. `prevalence=None` is the prevalence of all
    samples of all folds.
    """
    y_true, y_score, sample_weight, fold_weight = data
    prevalence = options.check_prevalence(prevalence)
    data_sets = _check_data_sets(y_true, y_score, sample_weight, pos_label)
    weight = np.ones(len(data_sets))
    if fold_weight is not None:
        weight = options.check_totals(fold_weight, "fold_weight")
    if weight.shape != (len(data_sets),) or weight.max() == 0:
        raise ValueError(
            f"`fold_weight` must have one weight per fold, {len(data_sets)}, and not be "
            f"zero everywhere. Got {fold_weight!r}."
        )
    weight = weight / weight.max()
    rocs = [roc_of(data) for data in data_sets]
    used = np.flatnonzero(weight).tolist()
    if prevalence is None:
        prevalence = _prevalence_of_all([(data_sets[i], rocs[i]) for i in used])
    kept = [i for i in used if rocs[i].n_pos and rocs[i].n_neg]
    _warn_of_omitted(rocs, [i for i in used if i not in kept])
    if not kept:
        raise ValueError(
            "`y_true` must have a fold with both classes. Got none: split the data "
            "stratified, e.g. by StratifiedKFold."
        )
    rocs = [rocs[i].at_prevalence(prevalence) for i in kept]
    return Folds(rocs, weight[kept] / math.fsum(weight[kept]), prevalence, kept)


def _warn_of_omitted(rocs, omitted):
    """One warning that counts the folds that lack a class."""
    if not omitted:
        return
    missing = []
    for class_name, folds in (
        ("positive", [i for i in omitted if not rocs[i].n_pos]),
        ("negative", [i for i in omitted if rocs[i].n_pos]),
    ):
        if folds:
            plural = "s" * (len(folds) > 1)
            indices = options.listed(folds)[1:-1]
            missing.append(f"no {class_name} samples in fold{plural} {indices}")
    warn_undefined(
        f"Folds of `y_true` without both classes are left out, {len(omitted)} of "
        f"{len(rocs)}: {', '.join(missing)}."
    )


def _check_data_sets(y_true, y_score, sample_weight, pos_label):
    """`BinaryData` of each fold."""
    columns = [_as_folds(y_true, "y_true"), _as_folds(y_score, "y_score")]
    names = "`y_true` and `y_score`"
    if sample_weight is not None:
        columns.append(_as_folds(sample_weight, "sample_weight"))
        names = "`y_true`, `y_score` and `sample_weight`"
    n_folds = [len(column) for column in columns]
    if len(set(n_folds)) > 1:
        raise ValueError(f"{names} must have one array per fold. Got {n_folds} folds.")
    if sample_weight is None:
        columns.append([None] * n_folds[0])
    data_sets = []
    for i, (labels, scores, weight) in enumerate(zip(*columns, strict=True)):
        try:
            data_sets.append(binary_data(labels, scores, pos_label, weight))
        except (TypeError, ValueError) as error:
            raise type(error)(f"Fold {i}: {error}") from error
    # All folds together must have two labels; so far only each fold was checked.
    targets = [as_column(labels, "y_true") for labels in columns[0]]
    firsts = [target[[0, (target != target[0]).argmax()]] for target in targets]
    positive = positives(joined(firsts), pos_label)
    if not all(isinstance(scores, Response) for scores in columns[1]):
        labels = labels_of(joined(firsts), positive)
        warn_of_labels("y_score", *(data.score for data in data_sets), labels=labels)
    return data_sets


def _as_folds(values, name):
    """A sequence of arrays as a list, checked to have one array per fold."""
    is_iterable = isinstance(values, Iterable) and getattr(values, "ndim", 1) > 0
    folds = list(values) if is_iterable else []
    if not folds or any(map(_is_number, folds)):
        raise TypeError(
            f"`{name}` must be a sequence with one array per fold, e.g. a list of arrays. "
            f"Got {reprlib.repr(values)}; for one fold pass [{name}], for the folds of a "
            "splitter [array[test] for _, test in splitter.split(X, y)]."
        )
    return folds


def _is_number(fold):
    """Whether a fold is a number or a string, where an array or None is needed."""
    return not (fold is None or isinstance(fold, list | tuple)) and np.ndim(fold) == 0


def _prevalence_of_all(folds):
    """The fraction of positives in all samples; warns if prevalences of folds differ."""
    n_pos, n_neg = np.array([(roc.n_pos, roc.n_neg) for _, roc in folds], np.float64).T
    each = n_pos / (n_pos + n_neg)
    pooled = float(n_pos.sum() / (n_pos + n_neg).sum())
    n_samples = [
        len(data.score) if data.weight is None else kish_sample_size(data.weight)
        for data, _ in folds
    ]
    by_class = np.multiply(n_samples, [each, 1 - each])
    if not by_class.any(axis=1).all():
        return pooled
    p_value = chi2_contingency(by_class, correction=False).pvalue
    if p_value < _SIGNIFICANCE:
        options.warn_caller(
            f"The folds' prevalences, {each.min():.3g} to {each.max():.3g}, differ by more "
            f"than chance allows (chi-square test, p = {p_value:.1g}). `prevalence`=None, "
            "the prevalence of all folds together, is for folds of one data set. Pass a "
            f"reference prevalence; that of all folds together is {pooled:.6g}."
        )
    return pooled
