"""Scorers for `scoring=` in scikit-learn's searches and cross-validation."""

from __future__ import annotations

from collections.abc import Callable

from sklearn.metrics import get_scorer as _get_sklearn_scorer
from sklearn.metrics import make_scorer

from .areas import auc_pr_interpolated, aucnpr, normalized_average_precision_score
from .gain import auprg_score


def _scorer(metric, **options):
    # A NaN in one fold makes GridSearchCV rank every candidate first and keep the first
    # one, so an undefined fold scores the same for all of them instead.
    return make_scorer(
        metric,
        response_method=("decision_function", "predict_proba"),
        replace_undefined_by=0.0,
        **options,
    )


auc_pr_interpolated_scorer = _scorer(auc_pr_interpolated)
achievable_auc_pr_scorer = _scorer(auc_pr_interpolated, curve="achievable")
aucnpr_scorer = _scorer(aucnpr)
auprg_scorer = _scorer(auprg_score)
normalized_average_precision_scorer = _scorer(normalized_average_precision_score)

#: The scorers by the names that `get_scorer` knows.
SCORERS = {
    "auc_pr_interpolated": auc_pr_interpolated_scorer,
    "achievable_auc_pr": achievable_auc_pr_scorer,
    "aucnpr": aucnpr_scorer,
    "auprg": auprg_scorer,
    "normalized_average_precision": normalized_average_precision_scorer,
}


def get_scorer(name: str) -> Callable:
    """Scorer of this package, or else of scikit-learn, by its name.

    The scorers of this package take the decision function of an estimator, or else its
    probabilities, higher is better. A fold in which the metric is undefined, e.g. for
    want of positives, scores 0.0 with an
    :class:`~sklearn.exceptions.UndefinedMetricWarning`: it counts the same for every
    candidate of a search, so it does not change their order.

    Parameters
    ----------
    name : str
        A key of `SCORERS`, or a name that :func:`sklearn.metrics.get_scorer` knows.

    Returns
    -------
    callable
        ``scorer(estimator, X, y)`` returns a float.

    Raises
    ------
    ValueError
        If neither this package nor scikit-learn knows the name.
    TypeError
        If `name` is not a string.

    See Also
    --------
    sklearn.metrics.get_scorer : Scorers of scikit-learn.
    sklearn.metrics.make_scorer : A scorer with other options, e.g. ``pos_label``.

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
    """
    if not isinstance(name, str):
        raise TypeError(f"`name` must be the name of a scorer, a string. Got {name!r}.")
    if name in SCORERS:
        return SCORERS[name]
    try:
        return _get_sklearn_scorer(name)
    except (ValueError, KeyError) as error:
        raise ValueError(
            f"`name`={name!r} is not a scorer: neither one of this package's, "
            f"{', '.join(SCORERS)}, nor of scikit-learn's, which "
            "sklearn.metrics.get_scorer_names() lists."
        ) from error
