"""Scores of the positive class from a classifier, and selection of samples of its input.

`response_method="auto"` means the decision function of a binary classifier or, if it has
none, the probabilities. For several classes it means the probabilities first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from .arrays import as_column
from .labels import distinct_labels
from .options import Label, check_option, listed

# In the order in which "auto" looks for them.
RESPONSE_METHODS = ("decision_function", "predict_proba")


def check_response_method(response_method: Any) -> None:
    """Raise unless `response_method` is "auto" or the name of a score method."""
    check_option(response_method, "response_method", ("auto", *RESPONSE_METHODS))


def check_classifier(estimator: Any) -> None:
    """Raise unless `estimator` is an instance of a classifier, fitted or not."""
    if isinstance(estimator, type) or not hasattr(estimator, "fit"):
        raise TypeError(
            "`estimator` must be an estimator instance with a `fit` method. Got "
            f"{estimator!r}."
        )
    if not is_classifier(estimator):
        raise ValueError(
            f"`estimator` must be a classifier. Got {type(estimator).__name__}, which is "
            "none."
        )


def classes_of(estimator: Any) -> np.ndarray:
    """The two classes of a fitted binary classifier, in the order of `classes_`."""
    check_is_fitted(
        estimator,
        "classes_",
        msg="`estimator` must be fitted. This %(name)s has no `classes_`: call its "
        "`fit` first.",
    )
    classes = estimator.classes_
    if len(classes) != 2:
        raise ValueError(
            f"`estimator` must be a binary classifier. Got {len(classes)} classes, "
            f"{listed(classes)}: binarise its target, or take the scores of one class "
            "against the rest."
        )
    return np.asarray(classes)


def label_index(classes: np.ndarray, pos_label: Label, holder: str) -> int:
    """Index of a label in `classes`; `holder` names their owner in the error message."""
    for index, label in enumerate(np.asarray(classes).tolist()):
        if isinstance(label, str) == isinstance(pos_label, str) and label == pos_label:
            return index
    raise ValueError(
        f"`pos_label`={pos_label!r} is not a label: {holder} {listed(classes)}. Pass one "
        "of these."
    )


def last_step(estimator: Any) -> Any:
    """The estimator that a search or a pipeline ends in; other estimators unchanged."""
    estimator = getattr(estimator, "best_estimator_", estimator)
    steps = getattr(estimator, "steps", None)
    return steps[-1][1] if steps else estimator


def keeps_thresholds(estimator: Any) -> bool:
    """Whether the estimator is, or ends in, a fitted HullThresholdClassifierCV."""
    return hasattr(last_step(estimator), "tuning_counts_")


def positive_label(estimator: Any, pos_label: Label | None) -> Label:
    """`pos_label`; if None, that of a HullThresholdClassifierCV, or `classes_[1]`."""
    classes = classes_of(estimator).tolist()
    if pos_label is None and keeps_thresholds(estimator):
        pos_label = last_step(estimator).pos_label
    return classes[1] if pos_label is None else pos_label


def response_of(
    estimator: Any, X: Any, response_method: str, positive_label: Label
) -> np.ndarray:
    """Scores of a fitted binary classifier, higher for the positive class.

    Parameters
    ----------
    estimator : estimator instance
        Fitted binary classifier.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Input of the estimator.
    response_method : {"auto", "decision_function", "predict_proba"}
        The method to call; `"auto"` calls the first of the other two that `estimator` has.
    positive_label : int, float, bool or str
        One of the classes of `estimator`.

    Returns
    -------
    ndarray of float32 or float64, shape (n_samples,)
        The scores, which may be infinite or NaN.
    """
    index = label_index(classes_of(estimator), positive_label, "`estimator` has")
    method = _method_of(estimator, response_method)
    response = np.asarray(getattr(estimator, method)(X))
    if response.dtype != np.float32:
        response = response.astype(np.float64, copy=False)
    as_columns = method == "predict_proba"
    allowed = ((2,),) if as_columns else ((), (1,))
    if response.ndim == 0 or response.shape[1:] not in allowed:
        raise ValueError(
            f"`estimator.{method}` must return an array of shape (n_samples, "
            f"{'2' if as_columns else ''}). Got shape {response.shape}."
        )
    if as_columns:
        return response[:, index]
    return response.ravel() if index else -response.ravel()


def class_scores(
    estimator: Any, X: Any, y: ArrayLike, response_method: str
) -> np.ndarray | None:
    """Scores of a multiclass or multilabel classifier; None for a binary problem.

    One column per class, in sorted order (all classes must occur in `y`), or one per label.
    "auto" calls `predict_proba` first: the decision value of one class of a multinomial
    model, without the softmax, does not rank samples.
    """
    classes = getattr(estimator, "classes_", ())
    is_multilabel = np.shape(y)[1:] not in ((), (1,))
    if not is_multilabel and len(classes) < 3:
        return None
    if not is_multilabel:
        labels = distinct_labels(as_column(y, "y"), "y")
        if set(labels) != set(np.asarray(classes).tolist()):
            raise ValueError(
                f"`y` must hold all classes of `estimator`, {listed(classes)}, and no "
                f"other. Got {listed(labels)}."
            )
    if response_method == "auto" and hasattr(estimator, "predict_proba"):
        response_method = "predict_proba"
    response_method = _method_of(estimator, response_method)
    score = getattr(estimator, response_method)(X)
    if is_multilabel:  # some classifiers return a list, the probabilities of each label
        return np.stack([p[:, -1] for p in score], 1) if isinstance(score, list) else score
    score = np.asarray(score)
    pairwise = getattr(last_step(estimator), "decision_function_shape", None) == "ovo"
    if score.shape[1] != len(classes) or (
        pairwise and response_method == "decision_function"
    ):
        raise ValueError(
            f"`estimator` must have one score per class, {len(classes)}. Got "
            f"{score.shape[1]} scores of pairs: pass an estimator with "
            'decision_function_shape="ovr", or `response_method`="predict_proba".'
        )
    return score[:, np.argsort(classes)]


def _method_of(estimator, response_method):
    """Name of the method of `estimator` that `response_method` stands for."""
    check_response_method(response_method)
    wanted = RESPONSE_METHODS if response_method == "auto" else (response_method,)
    present = [name for name in RESPONSE_METHODS if hasattr(estimator, name)]
    for name in wanted:
        if name in present:
            return name
    raise ValueError(
        f"`response_method`={response_method!r} needs an `estimator` with "
        f"{' or '.join(f'`{name}`' for name in wanted)}. {type(estimator).__name__} "
        f"has {' and '.join(f'`{name}`' for name in present) or 'neither'}: pass "
        "another estimator or `response_method`."
    )


def check_finite_scores(score: np.ndarray) -> None:
    """Raise `ValueError` if some scores are NaN or infinite."""
    bad = len(score) - np.count_nonzero(np.isfinite(score))
    if bad:
        raise ValueError(
            f"`estimator` must return finite scores. Got NaN or infinity, {bad} of "
            f"{len(score)}: try the other `response_method`, or scale the "
            "features."
        )


def rows_of(X: Any, rows: Any, columns: Any = None) -> Any:
    """Selected rows of an array, sparse matrix, data frame or list; None stays None.

    Parameters
    ----------
    X : {array-like, sparse matrix}
        As many rows as there are samples.
    rows : ndarray of int64
        Indices of the rows.
    columns : ndarray of int64, default=None
        Columns to select too, in a square matrix of kernels or distances between samples.

    Returns
    -------
    {array-like, sparse matrix}
        Of the type of `X`; a list if `X` is a tuple.
    """
    if columns is not None:
        X = X.tocsr() if issparse(X) else np.asarray(X)
        if X.ndim != 2 or X.shape[0] != X.shape[1]:
            raise ValueError(
                "`X` must be square, (n_samples, n_samples): `estimator` takes kernels or "
                f"distances between all pairs of samples. Got shape {X.shape}; pass the "
                "matrix of the pairs, or an estimator that computes it from features."
            )
        return X[rows][:, columns]
    if X is None:
        return None
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    if isinstance(X, list | tuple):
        return [X[row] for row in rows]
    return X[rows]


def parameter_rows(value: Any, rows: Any, n_rows: int) -> Any:
    """Selected rows of a fit parameter with one entry per sample; others unchanged.

    Other arrays are copied. Some classifiers write into their start values (`coef_init`),
    and a fit must not start from values of a fit on samples that it holds out.
    """
    shape = getattr(value, "shape", None)
    if shape is None and isinstance(value, list | tuple):
        shape = (len(value),)
    if shape and shape[0] == n_rows:
        return rows_of(value, rows)
    return value.copy() if isinstance(value, np.ndarray) else value
