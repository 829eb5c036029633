"""Table of the objectives of a decision threshold.

An objective is a function (tps, fps, fns, tns) of the counts. A metric of labels,
predictions and weights is such a function too: it is computed on four samples, one per cell
of the confusion matrix, with the counts as weights.
"""

import inspect
import math
import re
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import get_scorer, get_scorer_names

from .._input.arrays import as_numbers, on_host
from .._input.options import check_number, known_as
from ..metrics._rates import NPV, PRECISION, RECALL, SPECIFICITY, ratio
from ..metrics._table import METRICS


def outcomes(fps: np.ndarray, tps: np.ndarray, totals: tuple) -> tuple:
    """The counts (tps, fps, fns, tns) as float64; `totals` of negatives and positives."""
    n_neg, n_pos = totals
    tps, fps = (np.asarray(counts, dtype=np.float64) for counts in (tps, fps))
    return tps, fps, n_pos - tps, n_neg - fps


# These functions are objectives: their values are maximized.


def _f_beta(beta, tps, fps, fns, tns):
    """The F score with this beta."""
    recall_share = (beta / math.hypot(1, beta)) ** 2  # beta^2 / (1 + beta^2)
    return ratio(tps, tps + (1 - recall_share) * fps + recall_share * fns)


def _youden(tps, fps, fns, tns):
    """True positive rate minus false positive rate."""
    return tps / (tps + fns) - fps / (fps + tns)


def _mcc(tps, fps, fns, tns):
    """Matthews correlation coefficient."""
    # Only one of the ratios can be large, so no product of counts overflows.
    scale = ratio(tps + fns, tps + fps) * ratio(fps + tns, fns + tns)
    return _youden(tps, fps, fns, tns) * np.sqrt(scale)


def _mean_utility(utilities, *counts):
    """Mean utility per sample (per unit of weight); `utilities` as `_OUTCOMES`."""
    # A power of two keeps sums of integers exact.
    exponent = math.frexp(max(map(abs, utilities)))[1]
    scaled = (math.ldexp(u, -exponent) * n for u, n in zip(utilities, counts, strict=True))
    return np.ldexp(sum(scaled) / sum(count[0] for count in counts), exponent)


def _values_of_counts(objective, tps, fps, *counts):
    """Values of a callable of counts: one number per point, none of them NaN."""
    with np.errstate(divide="ignore", invalid="ignore"):  # NaN raises an error below
        returned = objective(*(count.copy() for count in (tps, fps, *counts)))
    values = as_numbers(on_host(returned, "objective"), "objective").astype(np.float64)
    if values.shape != tps.shape:
        raise ValueError(
            "`objective` must return one number per point, an array of shape "
            f"{tps.shape}. Got shape {values.shape}."
        )
    bad = np.flatnonzero(np.isnan(values))
    if len(bad):
        raise ValueError(
            f"`objective` must not return NaN, e.g. for 0/0. Got it at {len(bad)} of "
            f"{len(values)} points, first at tps={tps[bad[0]]:g}, fps={fps[bad[0]]:g}."
        )
    return values


OBJECTIVES = {
    "balanced_accuracy": lambda *counts: (1 + _youden(*counts)) / 2,
    "youden": _youden,
    "precision": PRECISION.values,
    "recall": RECALL.values,
    "specificity": SPECIFICITY.values,
    "npv": NPV.values,
    "mcc": _mcc,
}
_F_BETA = re.compile(r"f(\d+(?:\.\d*)?|\.\d+)")
_OUTCOMES = ("tp", "fp", "fn", "tn")


def _check_utilities(utilities):
    """Utilities of `_OUTCOMES` as floats; raises unless right predictions have more."""
    if not utilities or not set(utilities) <= set(_OUTCOMES):
        raise ValueError(
            "`objective` as a dict must have utilities of some of 'tp', 'fp', 'fn' and "
            f"'tn'; the default is 0. Got {utilities!r}."
        )
    tp, fp, fn, tn = checked = [
        check_number(utilities.get(outcome, 0), f"objective[{outcome!r}]")
        for outcome in _OUTCOMES
    ]
    # NaN fails both comparisons; the difference of equal infinities is NaN.
    if not (0 <= tp - fn < math.inf and 0 <= tn - fp < math.inf):
        raise ValueError(
            "`objective` as a dict must have finite utilities, tp >= fn and tn >= fp: a "
            f"cost is negative. Got {utilities!r}."
        )
    return checked


class Objective(NamedTuple):
    """A value to maximize.

    Attributes
    ----------
    name : str
        The objective as text.
    values : callable
        ``values(tps, fps, fns, tns)`` at points given by their counts, all float64.
    kind : {"named", "utilities", "counts", "metric"}
        The first two have their maximum at a vertex of the hull. A named objective rises
        with the true positives where there are false ones. A metric takes so long that it
        is evaluated at some hundred points only.
    magnitude : callable or None
        For values that are sums: the sums of the absolute terms, which limit the rounding.
    is_of_negatives : bool
        Whether the negatives alone determine the value: of thresholds with as many false
        positives, the lowest is chosen.
    """

    name: str
    values: Callable
    kind: str
    magnitude: Callable | None = None
    is_of_negatives: bool = False


def check_objective(objective: Any, labels: np.ndarray | None) -> Objective:
    """The `Objective` that an argument stands for; raises if it is unknown.

    `labels` are the negative and the positive label, for scorers.
    """
    if isinstance(objective, Mapping):
        utilities = _check_utilities(objective)
        mean, magnitude = (
            partial(_mean_utility, terms) for terms in (utilities, [*map(abs, utilities)])
        )
        return Objective("mean utility", mean, "utilities", magnitude)
    if isinstance(objective, str):
        f_beta = _F_BETA.fullmatch(objective)
        if f_beta and math.isfinite(beta := float(f_beta[1])):
            return Objective(objective, partial(_f_beta, beta), "named")
        if objective in OBJECTIVES:
            is_of_negatives = objective == SPECIFICITY.name
            values = OBJECTIVES[objective]
            return Objective(objective, values, "named", is_of_negatives=is_of_negatives)
        if objective in get_scorer_names():
            # A scorer that is given by its name has no `pos_label`, so labels are 0 and 1,
            # and 1 is the positive class.
            return _of_predictions(objective, get_scorer(objective), np.array([0, 1]))
    if callable(objective):
        # A `functools.partial` has its function here.
        function = getattr(objective, "func", objective)
        name = getattr(function, "__name__", str(objective))
        return _of_callable(name, objective, labels)
    of_scores = "a metric of scores, which a threshold does not change"
    elsewhere = dict.fromkeys(METRICS, of_scores)
    elsewhere |= {name: f"{name!r} here" for name in get_scorer_names()}
    elsewhere |= {"average_precision": of_scores}
    known = known_as(objective, ("f1", "f2", "f0.5", *OBJECTIVES), elsewhere)
    raise ValueError(
        "`objective` must be one of 'f1', or another 'f<beta>' such as 'f0.5', "
        f"{', '.join(map(repr, OBJECTIVES))}, the name of a scorer of scikit-learn, a dict "
        f"of utilities of tp, fp, fn and tn, {_FORMS}. Got {objective!r}{known}."
    )


# Metric functions and scorers

_FORMS = (
    "a callable of counts `(tps, fps, fns, tns) -> array`, a metric function `(y_true, "
    "y_pred, sample_weight) -> float`, or a scorer of predictions"
)
_OF_SCORES = (
    "`objective` must be a metric of predicted labels. Got {}: pass a metric of `y_pred`, "
    "such as f1_score."
)


class _ScoresNeededError(Exception):
    """A scorer asked for scores in place of predicted labels."""


class _Predicted(ClassifierMixin, BaseEstimator):
    """A classifier that predicts its input, and has no scores."""

    def predict(self, X):
        return X

    def decision_function(self, X):
        raise _ScoresNeededError

    predict_proba = decision_function


def _of_callable(name, function, labels):
    """The `Objective` of a function of counts, a metric function or a scorer."""
    parameters: Mapping[str, inspect.Parameter] = {}
    with suppress(TypeError, ValueError):  # some compiled functions have no signature
        parameters = inspect.signature(function).parameters
    names = list(parameters)
    required = [p for p in parameters.values() if p.default is p.empty]
    n_counts = sum(p.kind <= p.POSITIONAL_OR_KEYWORD for p in required)
    # A function of `*counts` takes four counts, too.
    if n_counts == 4 or any(p.kind == p.VAR_POSITIONAL for p in required):
        return Objective(name, partial(_values_of_counts, function), "counts")
    if {"y_score", "y_proba", "pred_decision"}.intersection(names[1:2]):
        raise ValueError(_OF_SCORES.format(f"{name}, a metric of scores (`{names[1]}`)"))
    if "sample_weight" in names:
        return _of_predictions(name, function, labels if names[0] == "estimator" else None)
    raise ValueError(
        f"`objective` must be {_FORMS}. Got {name}, with the parameters "
        f"{', '.join(names) or 'unknown'}."
    )


def _of_predictions(name, function, labels):
    """The `Objective` of a metric function or, with the two labels, of a scorer.

    Raises `ValueError` if one of two trial calls fails, or for a loss.
    """
    # The four samples are the cells of the confusion matrix, in the order of the counts.
    # Cells of weight 0 stay, because a metric may need both labels.
    truth, predicted = np.array([1, 0, 1, 0]), np.array([1, 1, 0, 0])
    of_cells = truth, predicted
    if labels is not None:
        classifier = _Predicted()
        classifier.classes_ = np.sort(labels)
        function = partial(function, classifier)
        of_cells = labels[predicted], labels[truth]

    def metric(**weight):  # labels are copied, because a metric may work in place
        return function(*map(np.copy, of_cells), **weight)

    values = partial(_values_of_counts, partial(_values_of_predictions, name, metric))
    right, wrong = values(*np.array([[1.0, 0], [0, 1], [0, 1], [1, 0]]))
    if right < wrong:
        raise ValueError(
            f"`objective` is maximized. Got {name}, a loss: it is {right:g} if all "
            f"predictions are right and {wrong:g} if all are wrong. Pass "
            "`make_scorer(metric, greater_is_better=False)`."
        )
    return Objective(name, values, "metric")


def _values_of_predictions(name, metric, *counts):
    """Values of a metric of four samples, one call per point with its counts as weights."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        try:
            return [float(metric(sample_weight=weight)) for weight in np.transpose(counts)]
        except _ScoresNeededError:
            raise ValueError(_OF_SCORES.format(f"{name}, a metric of scores")) from None
        except Exception as error:
            raise ValueError(
                "`objective` must be a function of labels, predicted labels and weights "
                "alone, computed on one sample per cell of the confusion matrix. Got "
                f"{name}, which raised {type(error).__name__}: {error} Pass a callable of "
                "counts `(tps, fps, fns, tns) -> array`, amounts as `sample_weight`, and "
                "text labels to a scorer, e.g. `make_scorer(jaccard_score, pos_label=...)`."
            ) from error
