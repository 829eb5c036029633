"""Scorers for the parameter `scoring` of scikit-learn's searches and cross-validation."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any
from weakref import WeakSet

from joblib import Parallel
from sklearn.base import BaseEstimator, OutlierMixin

# The private scorer calls its method `_score` with the estimator. The metric of the public
# `make_scorer` gets scores alone: it cannot know the classes that they belong to.
from sklearn.metrics._scorer import _Scorer

from .._input.arrays import array_or_frame, as_response
from .._input.estimators import (
    available_method,
    check_scoring_kind,
    check_scoring_label,
    keeps_thresholds,
    scores_of,
    warn_of_thresholds,
)
from .._input.options import known_as
from . import areas, gain, operating_points


class _AsReturned(OutlierMixin, BaseEstimator):
    """An object with one method of an estimator.

    It is a detector, because scikit-learn does not change the responses of detectors.
    """

    @classmethod
    def of(cls, estimator, method):
        """The object with this method."""
        as_returned = cls()
        setattr(as_returned, method, getattr(estimator, method))
        return as_returned


# Runs of joblib in which a scorer has warned of models with thresholds.
_warned_runs: WeakSet = WeakSet()


def _is_first_in_run():
    """Whether this is the first call in a search or cross-validation of scikit-learn.

    Each search has its own `joblib.Parallel`: the outermost one that is being called. The
    workers of joblib do not see it, so each of them has one run, as long as it lives. A
    call of a scorer outside of joblib is always the first one.
    """
    run: Any = None
    frame = inspect.currentframe()
    while frame:
        if frame.f_globals.get("__name__") == "joblib.parallel":
            caller = frame.f_locals.get("self")
            run = caller if isinstance(caller, Parallel) else Parallel
        frame = frame.f_back
    is_first = run is None or run not in _warned_runs
    if run is not None:
        _warned_runs.add(run)
    return is_first


class EstimatorScorer(_Scorer):
    """A scorer whose metric gets the scores of `scores_of`.

    Attributes
    ----------
    call : str
        Format of the expression that makes this scorer with another `pos_label`.
    of_predictions : str
        The expression that makes the scorer of the predictions of a regressor.
    make : callable
        A public function that makes this scorer; pickles hold it.
    """

    call: str
    of_predictions: str
    make: Callable

    def __reduce__(self):
        requests = {k: v for k, v in vars(self).items() if k == "_metadata_request"}
        return self.make, (), requests

    def _score(self, method_caller, estimator, X, y_true, **kwargs):
        y_true = array_or_frame(y_true, "y")
        check_scoring_kind(estimator, self.of_predictions)
        method = available_method(estimator, self._response_method)
        if keeps_thresholds(estimator) and _is_first_in_run():
            warn_of_thresholds(
                estimator,
                "Models that a scorer evaluates are",
                "search or cross-validate the `estimator` inside, or pass the fitted "
                "`estimator_` to the scorer",
            )

        def ask(name):
            # Scorers of one search cache the responses of an estimator under the key that
            # is passed to `method_caller`, even if their positive labels differ. Other
            # scorers may cache a single column, but none uses a tuple as key. So the
            # response that is cached under this key has all columns.
            return method_caller(_AsReturned.of(estimator, name), (name,), X)

        def scores(as_returned, method, X, pos_label):
            check_scoring_label(estimator, y_true, pos_label, self.call)
            return as_response(scores_of(estimator, X, y_true, method, pos_label, ask)[1])

        # Scikit-learn asks for the type of the estimator, which an estimator of no type
        # does not tell.
        as_returned = _AsReturned.of(estimator, method)
        return super()._score(scores, as_returned, X, y_true, **kwargs)


# Each name has a metric function and its preset options.
_SCORERS: dict[str, tuple[Callable, dict[str, Any]]] = {
    "auc_pr_interpolated": (areas.auc_pr_interpolated, {}),
    "achievable_auc_pr": (areas.auc_pr_interpolated, {"curve": "achievable"}),
    "aucnpr": (areas.aucnpr, {}),
    "auprg": (gain.auprg_score, {}),
    "normalized_average_precision": (areas.normalized_average_precision_score, {}),
    "precision_at_recall": (operating_points.precision_at_recall, {}),
    "recall_at_precision": (operating_points.recall_at_precision, {}),
    "recall_at_fpr": (operating_points.recall_at_fpr, {}),
    "precision_at_k": (operating_points.precision_at_k, {}),
    "recall_at_k": (operating_points.recall_at_k, {}),
}


def _scorer(name, **options):
    """A new scorer of the metric with this name.

    Unknown and missing options raise `TypeError` here, because a search would hide it.
    """
    metric, preset = _SCORERS[name]
    if "sample_weight" in options:
        raise TypeError(
            "`sample_weight` is no option of a scorer, which scores other samples in each "
            "call. Pass it to the scorer, `scorer(estimator, X, y, sample_weight=...)`, or "
            f"request it for a search by `get_scorer({name!r}).set_score_request("
            "sample_weight=True)`."
        )
    try:
        signature(metric).bind([], [], sample_weight=None, **preset, **options)
    except TypeError as error:
        _, _, *parameters = signature(metric).parameters.values()
        call = "".join(f", {p.name}=..." for p in parameters if p.default is p.empty)
        raise TypeError(
            f"`name`={name!r}: {error}. Call e.g. get_scorer({name!r}{call})."
        ) from error
    make = partial(get_scorer, name, **options)
    given = "".join(f", {k}={v!r}" for k, v in options.items() if k != "pos_label")
    every = "".join(f", {k}={v!r}" for k, v in {**preset, **options}.items())
    # With NaN in one fold, GridSearchCV gives all candidates the same rank and keeps the
    # first one. A fixed score for an undefined fold does not change their order.
    options = {"replace_undefined_by": 0.0, **preset, **options}
    scorer = EstimatorScorer(metric, 1, options, ("decision_function", "predict_proba"))
    braces = str.maketrans({"{": "{{", "}": "}}"})
    call = f"get_scorer({name!r}{given}".translate(braces)
    scorer.make = make
    scorer.call = call + ", pos_label={!r})"
    scorer.of_predictions = (
        f"make_scorer({metric.__name__}{every}, response_method='predict')"
    )
    preset_text = "".join(f" with ``{key}={value!r}``" for key, value in preset.items())
    scorer.__doc__ = (
        f"Scorer of `{metric.__name__}`{preset_text}.\n\n"
        "``scorer(estimator, X, y)`` returns a float, higher is better; 0.0 where the "
        "metric is\nundefined. Scores are those of `decision_function`, or of "
        "`predict_proba` if the\nestimator has no `decision_function`. For binary labels "
        "other than {0, 1}, {-1, 1} and\nbooleans use "
        f"``get_scorer({name!r}, pos_label=...)``.\n\n"
        "`set_score_request` changes this scorer for all code that uses it: for another "
        f"request\ncall ``get_scorer({name!r})``, which returns a new scorer."
    )
    return scorer


def get_scorer_names() -> list[str]:
    """Names of the scorers of this package.

    Read more in the :ref:`User Guide <scorers>`.

    Returns
    -------
    list of str
        Sorted names for `get_scorer`. Names with ``_at_`` need an option, such as
        ``get_scorer("precision_at_k", k=100)``.

    See Also
    --------
    get_scorer : The scorer with a given name.
    sklearn.metrics.get_scorer_names : Names of the scorers of scikit-learn.

    Examples
    --------
    >>> from sklearn_achievable_pr import get_scorer_names
    >>> "aucnpr" in get_scorer_names()
    True
    """
    return sorted(_SCORERS)


def get_scorer(name: str, **options: Any) -> Callable:
    """Scorer of this package with a given name.

    The scorers use the decision function of an estimator or, if it has none, its predicted
    probabilities. Higher scores are better. Scikit-learn accepts only its own scorer names
    as strings: pass ``scoring=get_scorer("aucnpr")`` instead of ``scoring="aucnpr"``.

    A fold of binary labels in which the metric is undefined, e.g. because the fold has no
    positives, has the score 0.0 for every candidate of a search, with an
    :class:`~sklearn.exceptions.UndefinedMetricWarning`. A label that the estimator was not
    fitted with raises `ValueError`. Labels of an outlier detector must be those that it
    predicts. If these are -1 (outliers) and 1, ``np.where(y == 1, -1, 1)`` recodes labels
    of which 1 means an outlier, and with ``pos_label=-1`` outliers have high scores. If
    they are 0 and 1 (outliers), as in PyOD, outliers have high scores without `pos_label`.

    A fitted `HullThresholdClassifierCV` has few different scores, so its AUC-PR is lower
    than that of the model inside. A scorer warns of it once in each search or
    cross-validation (with several processes or threads, once in each of them).

    For multiclass and multilabel models the scorers average over the classes or labels
    (``average="macro"``), except for the scorers at a recall, a precision, a false positive
    rate or k, which need binary labels. A fold must have samples of all classes of the
    model, else the scorer raises `ValueError`: use a stratified splitter. The model must
    have one score per class, in an SVC by ``decision_function_shape="ovr"``. A display of a
    multiclass model uses `predict_proba` first, so its values may differ.

    Each call returns a new scorer. For a metadata request, such as
    ``set_score_request(sample_weight=True)``, call `get_scorer`: a request of an exported
    scorer, such as `aucnpr_scorer`, changes it for all code that uses it.

    Read more in the :ref:`User Guide <scorers>`.

    Parameters
    ----------
    name : str
        One of `get_scorer_names`.
    **options : dict
        Options of the metric, e.g. `pos_label="sick"`, `recall_range=(0.8, 1)`,
        `prevalence=0.01`. `"precision_at_recall"` needs `recall`,
        `"recall_at_precision"` needs `precision`, `"recall_at_fpr"` needs `fpr`, and
        `"precision_at_k"` and `"recall_at_k"` need `k`, one number each.

    Returns
    -------
    callable
        A new scorer; ``scorer(estimator, X, y)`` returns a float.

    Raises
    ------
    TypeError
        If a needed option is missing or an option is unknown. The values of options are
        checked when the scorer is called.
    ValueError
        If `name` is unknown.

    See Also
    --------
    get_scorer_names : Names of the scorers of this package.
    sklearn.metrics.get_scorer : Scorers of scikit-learn.
    sklearn.metrics.make_scorer : A scorer from any metric.

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
    if name not in _SCORERS:
        names = get_scorer_names()
        raise ValueError(
            f"`name` must be one of {', '.join(map(repr, names))}. Got {name!r}"
            f"{known_as(name, names)}. For scorers of scikit-learn call "
            "sklearn.metrics.get_scorer."
        )
    return _scorer(name, **options)


auc_pr_interpolated_scorer = _scorer("auc_pr_interpolated")
achievable_auc_pr_scorer = _scorer("achievable_auc_pr")
aucnpr_scorer = _scorer("aucnpr")
