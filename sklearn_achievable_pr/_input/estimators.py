"""Scores of the positive class from a classifier, and selection of samples of its input."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils.validation import check_is_fitted

from .arrays import as_array, as_column, finite_numbers
from .labels import BinaryData, distinct_labels, label_index
from .options import check_option, listed, warn_caller

# The order of the scorers.
_METHODS = ("decision_function", "predict_proba")
# The values of `response_method`: "auto", whose order depends on the function, one method,
# or both in the order in which they are tried.
RESPONSE_METHODS = ("auto", *_METHODS, _METHODS, _METHODS[::-1])


def take(values: Any, index: np.ndarray) -> Any:
    """The samples at these positions."""
    if type(values) is np.ndarray:  # the private function takes 0.1 ms to find this out
        return values[index]
    # The private function takes lists, sparse matrices and frames of all libraries;
    # scikit-learn has no public one.
    return _safe_indexing(indexable(values)[0], index)


def take_parameters(params: dict, n_samples: int, index: np.ndarray) -> dict:
    """Parameters of `fit`, those with one entry per sample cut to the given samples."""
    taken = dict(params)
    for name, value in params.items():
        is_list = isinstance(value, list | tuple)
        shape = (len(value),) if is_list else getattr(value, "shape", ())
        if shape[:1] == (n_samples,):
            taken[name] = take(value, index)
    return taken


def check_classifier(estimator: Any) -> None:
    """Raise `ValueError` unless `estimator` is a classifier, fitted or not."""
    is_instance = hasattr(estimator, "fit") and not isinstance(estimator, type)
    if not (is_instance and is_classifier(estimator)):
        raise ValueError(
            f"`estimator` must be an instance of a classifier. Got {estimator!r}."
        )


def classes_of(estimator: Any) -> np.ndarray:
    """The two classes of a fitted binary classifier, in the order of `classes_`."""
    if not hasattr(estimator, "classes_"):
        check_is_fitted(estimator, "classes_")  # raises, with the way out
    classes = estimator.classes_
    if len(classes) != 2:
        raise ValueError(
            f"`estimator` must be a binary classifier. Got {len(classes)} classes, "
            f"{listed(classes)}: fit it to a target of two classes."
        )
    return np.asarray(classes)


def last_step(estimator: Any) -> Any:
    """The estimator that a search or a pipeline ends in; other estimators unchanged."""
    estimator = getattr(estimator, "best_estimator_", estimator)
    steps = getattr(estimator, "steps", None)
    return steps[-1][1] if steps else estimator


def keeps_thresholds(estimator: Any) -> bool:
    """Whether the estimator is, or ends in, a fitted HullThresholdClassifierCV."""
    return hasattr(last_step(estimator), "tuning_counts_")


def response_of(estimator, X, method, positive_label, n_samples=None):
    """Scores of a fitted binary classifier, higher for the positive class.

    Parameters
    ----------
    estimator : estimator instance
        Fitted binary classifier.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Input of the estimator.
    method : {"decision_function", "predict_proba"}
        The method to call, as from `method_of`.
    positive_label : int, float, bool or str
        One of the classes of `estimator`.
    n_samples : int, default=None
        Number of samples that must have a score; None does not check it.

    Returns
    -------
    ndarray of float32 or float64, shape (n_samples,)
        Finite.
    """
    index = label_index(classes_of(estimator), positive_label, "estimator")
    name = f"estimator.{method}(X)"
    response = np.asanyarray(getattr(estimator, method)(X))  # with its mask
    response = finite_numbers(as_array(response, name), name)
    _check_rows(response, name, n_samples)
    if response.dtype != np.float32:
        response = response.astype(np.float64, copy=False)
    columns = response.reshape(len(response), -1)
    n_columns = 2 if method == "predict_proba" else 1
    if columns.shape[1] != n_columns:
        raise ValueError(
            f"`{name}` must return {n_columns} column(s). Got shape {response.shape}."
        )
    if n_columns == 2:
        return columns[:, index]
    return columns[:, 0] if index else -columns[:, 0]


def binary_scores(estimator, X, y, method, pos_label):
    """The positive label and the scores of a classifier; all labels must be its classes.

    Parameters are those of `response_of`, with the labels `y` of `X`. `pos_label=None`
    means that of a HullThresholdClassifierCV or, of others and by default, `classes_[1]`.
    """
    classes, y = classes_of(estimator), as_column(y, "y")
    is_known = (y == classes[0]) | (y == classes[1])
    if not np.all(is_known):
        raise ValueError(
            f"`y` must hold only classes of `estimator`, {listed(classes)}. Got "
            f"{listed(y[~is_known][:1])}: pass the labels that it was fitted with."
        )
    if pos_label is None and keeps_thresholds(estimator):
        pos_label = last_step(estimator).pos_label
    label = classes.item(1) if pos_label is None else pos_label
    return label, response_of(estimator, X, method, label, len(y))


def class_scores(estimator: Any, X: Any, y: ArrayLike, method: str) -> np.ndarray | None:
    """Scores of a multiclass or multilabel classifier; None for a binary problem.

    One column per class, in sorted order (all classes must occur in `y`), or one per label.
    The decision values of a multinomial model rank samples differently from its
    probabilities, the softmax of all decision values of a sample.
    """
    classes = getattr(estimator, "classes_", ())
    is_multilabel = np.shape(y)[1:] not in ((), (1,))
    if not is_multilabel and len(classes) < 3:
        return None
    score = getattr(estimator, method)(X)
    if is_multilabel and isinstance(score, list):  # the probabilities of each label
        score = np.stack([p[:, -1] for p in score], 1)
    _check_rows(score, f"estimator.{method}(X)", np.shape(y)[0])
    if is_multilabel:
        return score
    labels, score = distinct_labels(as_column(y, "y"), "y"), np.asanyarray(score)
    if set(labels) != set(np.asarray(classes).tolist()):
        raise ValueError(
            f"`y` must hold all classes of `estimator`, {listed(classes)}, and no "
            f"other. Got {listed(labels)}."
        )
    of_pairs = getattr(last_step(estimator), "decision_function_shape", None) == "ovo"
    if (of_pairs and method == "decision_function") or score.shape[1:] != (len(classes),):
        raise ValueError(
            f"`estimator` must have one score per class, {len(classes)}. Got scores of "
            'pairs: pass one with decision_function_shape="ovr", or '
            '`response_method`="predict_proba".'
        )
    return score[:, np.argsort(classes)]


def has_both_methods(estimator: Any) -> bool:
    """Whether a fitted classifier has `predict_proba` and `decision_function`."""
    return all(hasattr(estimator, name) for name in ("predict_proba", "decision_function"))


def saturated(data: BinaryData) -> dict[int, np.ndarray]:
    """Masks of the samples with the score 1, or 0, where both classes share this score."""
    masks = {end: data.score == end for end in (1, 0)}
    return {
        end: tied
        for end, tied in masks.items()
        if (of_tied := data.positive[tied]).any() and not of_tied.all()
    }


def unsaturated(data: BinaryData, decision_values: Callable) -> np.ndarray | None:
    """Decision values that separate saturated probabilities, after a warning; else None.

    ``decision_values()`` are those of the samples in `data`, whose scores are
    probabilities. It is called only if samples of both classes share the probability 1, or
    0. Without such samples, or if they share their decision value too, nothing is gained.
    """
    tied = saturated(data)
    if not tied:
        return None
    values = decision_values()
    tied = {end: is_tied for end, is_tied in tied.items() if np.ptp(values[is_tied]) > 0}
    if not tied:
        return None
    warn_caller(
        '`response_method`="auto" takes "decision_function", because '
        f"{np.count_nonzero(sum(tied.values()))} samples of both classes have the "
        f"probability {' or '.join(map(str, tied))}, where no threshold of probabilities "
        'separates them. Pass "predict_proba" to keep probabilities.'
    )
    return values


def _check_rows(scores, name, n_samples):
    """Raise `ValueError` unless scores have `n_samples` rows; None allows any number."""
    n_scores = np.shape(scores)[0]
    if n_samples not in (None, n_scores):
        raise ValueError(
            f"`{name}` must return one score for each of {n_samples} samples. Got "
            f"{n_scores}: an estimator must not drop or repeat samples."
        )


def method_of(estimator, response_method, first=None):
    """The first of the methods that `response_method` names and the estimator has.

    "auto" means `first`, then the other method; without `first` it is not accepted.
    """
    allowed = RESPONSE_METHODS[1:] if first is None else RESPONSE_METHODS
    check_option(response_method, "response_method", allowed)
    names = (response_method,) if isinstance(response_method, str) else response_method
    if response_method == "auto":
        names = (first, *_METHODS)
    for name in names:
        if hasattr(estimator, name):
            return name
    check_is_fitted(estimator, "classes_")
    raise ValueError(
        f"`response_method`={response_method!r} needs an `estimator` with "
        f"{' or '.join(sorted({*names}))}. Got {type(estimator).__name__}: pass "
        "another estimator or method."
    )
