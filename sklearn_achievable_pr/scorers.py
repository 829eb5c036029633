"""Scorers for `scoring=` in scikit-learn's searches and cross-validation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.metrics import get_scorer as _get_sklearn_scorer
from sklearn.metrics import make_scorer

from .areas import auc_pr_interpolated, aucnpr, normalized_average_precision_score
from .gain import auprg_score
from .operating_points import (
    precision_at_k,
    precision_at_recall,
    recall_at_k,
    recall_at_precision,
)

# Per name: the function, and the options that the name stands for.
_SCORERS: dict[str, tuple[Callable, dict[str, Any]]] = {
    "auc_pr_interpolated": (auc_pr_interpolated, {}),
    "achievable_auc_pr": (auc_pr_interpolated, {"curve": "achievable"}),
    "aucnpr": (aucnpr, {}),
    "auprg": (auprg_score, {}),
    "normalized_average_precision": (normalized_average_precision_score, {}),
    "precision_at_recall": (precision_at_recall, {}),
    "recall_at_precision": (recall_at_precision, {}),
    "precision_at_k": (precision_at_k, {}),
    "recall_at_k": (recall_at_k, {}),
}


def _scorer(name, **options):
    metric, preset = _SCORERS[name]
    # A NaN in one fold makes GridSearchCV rank every candidate first and keep the first
    # one, so an undefined fold scores the same for all of them instead.
    options = {"replace_undefined_by": 0.0, **preset, **options}
    return make_scorer(
        metric, response_method=("decision_function", "predict_proba"), **options
    )


auc_pr_interpolated_scorer = _scorer("auc_pr_interpolated")
achievable_auc_pr_scorer = _scorer("achievable_auc_pr")
aucnpr_scorer = _scorer("aucnpr")
auprg_scorer = _scorer("auprg")
normalized_average_precision_scorer = _scorer("normalized_average_precision")


def get_scorer_names() -> list[str]:
    """Names of the scorers of this package.

    Read more in the :ref:`User Guide <which_metric>`.

    Returns
    -------
    list of str
        Sorted names for `get_scorer`. Scorers of scikit-learn, which `get_scorer` knows
        as well, are not among them.

    See Also
    --------
    get_scorer : The scorer of a name.
    sklearn.metrics.get_scorer_names : Names of the scorers of scikit-learn.

    Examples
    --------
    >>> from sklearn_achievable_pr import get_scorer_names
    >>> "aucnpr" in get_scorer_names()
    True
    """
    return sorted(_SCORERS)


def get_scorer(name: str, **options: Any) -> Callable:
    """Scorer of this package, or else of scikit-learn, by its name.

    The scorers of this package use the decision function of an estimator, or else its
    probabilities; higher is better. A fold in which the metric is undefined, e.g. because
    it has no positives, scores 0.0 with an
    :class:`~sklearn.exceptions.UndefinedMetricWarning`. It scores the same for every
    candidate of a search, so it does not change their order.

    Scikit-learn looks up names in its own list, to which other packages cannot add:
    ``scoring="aucnpr"`` is not possible, ``scoring=get_scorer("aucnpr")`` is.

    Read more in the :ref:`User Guide <which_metric>`.

    Parameters
    ----------
    name : str
        One of `get_scorer_names`, or a name that :func:`sklearn.metrics.get_scorer`
        knows.
    **options : dict
        Options of the metric, e.g. `pos_label="sick"`, `recall_range=(0.8, 1)`,
        `prevalence=0.01`. `"precision_at_recall"` needs `recall`,
        `"recall_at_precision"` needs `precision`, and `"precision_at_k"` and
        `"recall_at_k"` need `k`, one number each. Scorers of scikit-learn take no options.

    Returns
    -------
    callable
        ``scorer(estimator, X, y)`` returns a float. Each call returns a new scorer.

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
    get_scorer_names : Names of the scorers of this package.
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
    if name in _SCORERS:
        _check_options(name, options)
        return _scorer(name, **options)
    if options:
        names = ", ".join(f"`{option}`" for option in options)
        raise TypeError(
            f"`name`={name!r} is not a scorer of this package, and only these take "
            f"options. Got {names}: pass the metric to "
            "sklearn.metrics.make_scorer with them."
        )
    try:
        return _get_sklearn_scorer(name)
    except (TypeError, ValueError, KeyError) as error:
        raise ValueError(
            f"`name` must be one of {', '.join(map(repr, get_scorer_names()))}, or one of "
            f"sklearn.metrics.get_scorer_names(). Got {name!r}."
        ) from error


def _check_options(name, options):
    """Raise where the metric would: a search would go on, with NaN for scores."""
    metric, preset = _SCORERS[name]
    for option in ("recall", "precision", "k"):
        if np.ndim(options.get(option)):
            raise TypeError(
                f"`{option}` of the scorer {name!r} must be one number. Got "
                f"{options[option]!r}."
            )
    pos_label = options.get("pos_label")
    labels = [0, 1] if pos_label is None else [_other_label(pos_label), pos_label]
    # Two samples of a weight that no `k` exceeds.
    weight = [2.0**200] * 2 if "k" in options else None
    metric(labels, [0.0, 1.0], sample_weight=weight, **preset, **options)


def _other_label(label):
    """Some other label of the same type; the metric raises for what is not a label."""
    if isinstance(label, str):
        return f"not {label}"
    if isinstance(label, bool | np.bool_):
        return not label
    return label + 1 if isinstance(label, int | float | np.number) else label
