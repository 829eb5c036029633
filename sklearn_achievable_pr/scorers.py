"""Scorers for `scoring=` in scikit-learn's searches and cross-validation."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.metrics import get_scorer as _get_sklearn_scorer
from sklearn.metrics import make_scorer

from .areas import auc_pr_interpolated, aucnpr, normalized_average_precision_score
from .gain import auprg_score
from .operating_points import precision_at_recall, recall_at_precision


def _point_on_the_curve(metric, y_true, y_score, replace_undefined_by=np.nan, **options):
    value = metric(y_true, y_score, **options)
    return replace_undefined_by if math.isnan(value) else value


# Scorers are pickled with what they call, by its name.


def _precision_at_recall(y_true, y_score, **options):
    return _point_on_the_curve(precision_at_recall, y_true, y_score, **options)


def _recall_at_precision(y_true, y_score, **options):
    return _point_on_the_curve(recall_at_precision, y_true, y_score, **options)


# What each name calls, whose options it has, and those that are set.
_METRICS: dict[str, tuple[Callable, Callable, dict[str, Any]]] = {
    "auc_pr_interpolated": (auc_pr_interpolated, auc_pr_interpolated, {}),
    "achievable_auc_pr": (
        auc_pr_interpolated,
        auc_pr_interpolated,
        {"curve": "achievable"},
    ),
    "aucnpr": (aucnpr, aucnpr, {}),
    "auprg": (auprg_score, auprg_score, {}),
    "normalized_average_precision": (
        normalized_average_precision_score,
        normalized_average_precision_score,
        {},
    ),
    "precision_at_recall": (_precision_at_recall, precision_at_recall, {}),
    "recall_at_precision": (_recall_at_precision, recall_at_precision, {}),
}
# These are asked for at a place, so there is no scorer without an option.
_AT_A_PLACE = {"precision_at_recall": "recall", "recall_at_precision": "precision"}


def _scorer(name, **options):
    metric, _, preset = _METRICS[name]
    # A NaN in one fold makes GridSearchCV rank every candidate first and keep the first
    # one, so an undefined fold scores the same for all of them instead.
    return make_scorer(
        metric,
        response_method=("decision_function", "predict_proba"),
        **{"replace_undefined_by": 0.0, **preset, **options},
    )


class _Scorers(dict):
    """A dict that gives a new scorer each time, so that nobody else has its requests."""

    def __getitem__(self, name):
        return _scorer(super().__getitem__(name))

    def __iter__(self):  # without it `{**SCORERS}` would not ask for the items
        return super().__iter__()

    def get(self, name, default=None):
        try:
            return self[name]
        except KeyError:
            return default

    def values(self):
        return [self[name] for name in self]

    def items(self):
        return [(name, self[name]) for name in self]

    def copy(self):
        return {**self}

    def __or__(self, other):
        return {**self, **other}

    def __ror__(self, other):
        return {**other, **self}

    def __repr__(self):
        return repr({**self})

    def __reduce__(self):
        return "SCORERS"

    def _refuse(self, *_, **__):
        raise TypeError("`SCORERS` cannot be changed. Make another: {**SCORERS, ...}.")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


auc_pr_interpolated_scorer = _scorer("auc_pr_interpolated")
achievable_auc_pr_scorer = _scorer("achievable_auc_pr")
aucnpr_scorer = _scorer("aucnpr")
auprg_scorer = _scorer("auprg")
normalized_average_precision_scorer = _scorer("normalized_average_precision")

#: The scorers that need no option, by the names that `get_scorer` knows.
SCORERS = _Scorers({name: name for name in _METRICS if name not in _AT_A_PLACE})


def get_scorer(name: str, **options: Any) -> Callable:
    """Scorer of this package, or else of scikit-learn, by its name.

    The scorers of this package take the decision function of an estimator, or else its
    probabilities, higher is better. A fold in which the metric is undefined, e.g. for
    want of positives, scores 0.0 with an
    :class:`~sklearn.exceptions.UndefinedMetricWarning`: it counts the same for every
    candidate of a search, so it does not change their order.

    Scikit-learn looks up names in a list of its own, which no other package can add to:
    ``scoring="aucnpr"`` is not possible, ``scoring=get_scorer("aucnpr")`` is.

    Parameters
    ----------
    name : str
        A key of `SCORERS`, `"precision_at_recall"`, `"recall_at_precision"`, or a name
        that :func:`sklearn.metrics.get_scorer` knows.
    **options : dict
        Of the metric, e.g. `pos_label="sick"`, `recall_range=(0.8, 1)`, `prevalence=0.01`.
        `"precision_at_recall"` needs `recall` and `"recall_at_precision"` `precision`.
        Those of scikit-learn take none.

    Returns
    -------
    callable
        ``scorer(estimator, X, y)`` returns a float. It is a new one each time.

    Raises
    ------
    ValueError
        If neither this package nor scikit-learn knows the name, or an option is out of
        its range.
    TypeError
        If `name` is not a string, or an option is not one of the metric, is of the wrong
        type, or is missing.

    See Also
    --------
    sklearn.metrics.get_scorer : Scorers of scikit-learn.
    sklearn.metrics.make_scorer : A scorer of any metric.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn_achievable_pr import get_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> no_skill = DummyClassifier().fit(X, y)
    >>> round(get_scorer("auc_pr_interpolated")(no_skill, X, y), 4)  # the prevalence
    0.6274
    >>> round(get_scorer("aucnpr")(no_skill, X, y), 4)
    0.3645
    >>> at_90 = get_scorer("precision_at_recall", recall=0.9, at_least=True, pos_label=0)
    >>> round(at_90(no_skill, X, y), 4)
    0.3726
    """
    if not isinstance(name, str):
        raise TypeError(f"`name` must be the name of a scorer, a string. Got {name!r}.")
    if name in _METRICS:
        _check_options(name, options)
        return _scorer(name, **options)
    try:
        scorer = _get_sklearn_scorer(name)
    except (ValueError, KeyError) as error:
        raise ValueError(
            f"`name`={name!r} is not a scorer: neither one of this package's, "
            f"{', '.join(_METRICS)}, nor of scikit-learn's, which "
            "sklearn.metrics.get_scorer_names() lists."
        ) from error
    if options:
        raise TypeError(
            f"`name`={name!r} is a scorer of scikit-learn, which has its options. Got "
            f"{', '.join(f'`{option}`' for option in options)}: pass the metric to "
            "sklearn.metrics.make_scorer with them."
        )
    return scorer


def _check_options(name, options):
    """Refuse what the metric refuses: a search would go on, with NaN for scores."""
    metric, documented, _ = _METRICS[name]
    parameters = inspect.signature(documented).parameters.values()
    known = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    known.remove("sample_weight")  # scikit-learn passes it on
    if name in _AT_A_PLACE:
        known.append("replace_undefined_by")
    unknown = ", ".join(f"`{option}`" for option in options if option not in known)
    if unknown:
        raise TypeError(
            f"{unknown} is no option of the scorer {name!r}. There are "
            f"{', '.join(f'`{option}`' for option in known)}."
        )
    place = _AT_A_PLACE.get(name)
    if place and not isinstance(options.get(place), float | int | np.number):
        raise TypeError(
            f"`{place}` of the scorer {name!r} must be one number, e.g. {place}=0.9. Got "
            f"{options.get(place)!r}."
        )
    if options:
        positive = options.get("pos_label")
        labels = [0, 1] if positive is None else [_other_label(positive), positive]
        metric(labels, [0.0, 1.0], **options)


def _other_label(label):
    """A label that can stand beside it; the metric says what is no label at all."""
    if isinstance(label, str):
        return f"not {label}"
    if isinstance(label, bool | np.bool_):
        return not label
    return label + 1 if isinstance(label, int | float | np.number) else label
