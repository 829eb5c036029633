"""Scores of the positive class from an estimator, and selection of samples of its input.

Probabilities 0 and 1 that samples of both classes share are found here, too.
"""

from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError

# The private function takes lists, sparse matrices and frames of all libraries;
# scikit-learn has no public one.
from sklearn.utils import _safe_indexing, get_tags, indexable
from sklearn.utils.validation import check_is_fitted

from .arrays import array_or_frame, as_array, as_column, finite_numbers, on_host
from .frames import check_columns, check_order
from .labels import BinaryData, distinct_labels, label_index, need_no_name, positives
from .options import check_option, listed, warn_caller

# The scorers try the methods in this order.
_METHODS = ("decision_function", "predict_proba")
# `response_method` is "auto", whose order depends on the function, or one method, or both
# methods in the order in which they are tried.
RESPONSE_METHODS = ("auto", *_METHODS, _METHODS, _METHODS[::-1])
# Estimators of these types have scores of labels; None is an estimator of no type.
_SCORING_KINDS = (None, "classifier", "outlier_detector")
# The labels of outlier detectors. High decision values mean the last one: an inlier in
# scikit-learn's convention, an outlier in that of PyOD.
_OF_SKLEARN, _OF_PYOD = np.array([-1, 1]), np.array([0, 1])


def take(values: Any, index: np.ndarray) -> Any:
    """The samples at these positions."""
    # The private function needs 0.1 ms to recognize an array.
    if type(values) is np.ndarray:
        return values[index]
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


def _kind(estimator):
    """The type of an estimator by its tags, such as "classifier"; None if it has none."""
    try:
        return get_tags(estimator).estimator_type
    except AttributeError:  # it does not inherit from BaseEstimator
        return None


def _is_instance(estimator):
    """Whether a value is an instance of an estimator, not its class."""
    return hasattr(estimator, "fit") and not isinstance(estimator, type)


def check_classifier(estimator: Any) -> None:
    """Raise `ValueError` unless `estimator` is a classifier, fitted or not."""
    kind = _kind(estimator) if _is_instance(estimator) else ""
    if kind != "classifier":
        way_out = {
            None: ", which is of no type: its class must inherit from ClassifierMixin",
            "outlier_detector": ", an outlier detector: pass its scores to "
            "choose_threshold",
        }.get(kind, "")
        raise ValueError(
            f"`estimator` must be an instance of a classifier. Got {estimator!r}{way_out}."
        )


def check_scoring_estimator(estimator: Any, of_predictions: str) -> None:
    """`check_scoring_kind`, and raise `ValueError` for a class in place of an instance."""
    if not _is_instance(estimator):
        raise _no_scoring_estimator(estimator)
    check_scoring_kind(estimator, of_predictions)


def check_scoring_kind(estimator: Any, of_predictions: str) -> None:
    """Raise `ValueError` unless `estimator` is a classifier, a detector or of no type.

    `of_predictions` is the expression that takes the predictions of a regressor as scores.
    """
    kind = _kind(estimator)
    if kind not in _SCORING_KINDS:
        way_out = f": to use its predictions as scores, pass `{of_predictions}`"
        raise _no_scoring_estimator(estimator, way_out * (kind == "regressor"))


def _no_scoring_estimator(estimator, way_out=""):
    """The error for what cannot be scored."""
    return ValueError(
        "`estimator` must be an instance of a classifier or an outlier detector. Got "
        f"{estimator!r}{way_out}."
    )


def is_detector(estimator: Any) -> bool:
    """Whether a fitted estimator with a decision function lacks the classes of its scores.

    These are outlier detectors, and estimators of no type.
    """
    is_classifier = hasattr(estimator, "classes_") or _kind(estimator) == "classifier"
    return hasattr(estimator, "decision_function") and not is_classifier


def _asker(estimator, X):
    """A function from the name of a method to what it returns for `X`."""
    return lambda method: getattr(estimator, method)(X)


def _response(ask, method):
    """What a method of an estimator returns: an array of NumPy, a list of them, or a frame.

    `ask` is that of `scores_of`.
    """
    response, name = ask(method), f"estimator.{method}(X)"
    if isinstance(response, list) and np.ndim(response[0]) == 2:  # one array per label
        return [array_or_frame(values, name) for values in response]
    return array_or_frame(response, name)


def _own_classes(estimator):
    """The `classes_` of an estimator: an array of NumPy, a list of them, or None."""
    classes: Any = getattr(estimator, "classes_", None)
    if type(classes) is np.ndarray:
        return classes
    name = "estimator.classes_"
    if _are_of_labels(classes):
        return [on_host(of_label, name) for of_label in classes]
    return None if classes is None else on_host(classes, name)


def _classes_of(estimator, y, method, ask):
    """The two labels of the scores of an estimator; high decision values mean the last one.

    All labels in `y` must be among them. `ask` is that of `scores_of`.
    """
    classes = _own_classes(estimator)
    if classes is None:
        return _labels_without_classes(estimator, y, method, ask)
    return _two_classes(classes, y)


def _two_classes(classes, y):
    """The classes of an estimator as an array, checked to be two and to have all labels."""
    if _are_of_labels(classes):
        if len(classes) > 1:
            raise ValueError(
                f"`y` must have one column for each of the {len(classes)} labels of "
                "`estimator`. Got one column: pass all labels, or fit an estimator to one."
            )
        classes = classes[0]
    if len(classes) != 2:
        raise ValueError(
            f"`estimator` must be a binary classifier. Got {len(classes)} classes, "
            f"{listed(classes)}: fit it to a target of two classes."
        )
    is_known = _are_among(y, classes)
    if not np.all(is_known):
        raise ValueError(
            f"`y` must hold only classes of `estimator`, {listed(classes)}. Got "
            f"{listed(y[~is_known][:1])}: pass the labels that it was fitted with."
        )
    return classes


def _check_known(labels, classes):
    """Raise `ValueError` if a label is not one of the classes of an estimator."""
    if unknown := sorted(set(labels).difference(classes.tolist())):
        raise ValueError(
            f"`y` must hold only classes of `estimator`, {listed(classes)}. Got "
            f"{listed(unknown)}: pass the labels that it was fitted with."
        )


def _are_of_labels(classes):
    """Whether `classes_` has the classes of each label, as of a multi-output estimator."""
    return isinstance(classes, list) and len(classes) > 0 and np.ndim(classes[0]) == 1


def _are_several(classes):
    """Whether classes from `_own_classes` are those of a multiclass classifier."""
    return isinstance(classes, np.ndarray) and len(classes) > 2


def _labels_without_classes(estimator, y, method, ask):
    """The labels of an outlier detector, or of an estimator of no type.

    What `predict` returns tells the two conventions of detectors apart. An estimator of no
    type is a detector, too, if it predicts their labels. Without `predict` its labels are 0
    and 1 or -1 and 1. Its decision function is high for the label 1 in any case.
    """
    is_typed = _kind(estimator) == "outlier_detector"
    if not is_typed and (_kind(estimator) is not None or method != "decision_function"):
        raise _no_classes(estimator)
    predicted: set = set()
    if hasattr(estimator, "predict"):
        name = "estimator.predict(X)"
        predicted = {*np.unique(as_column(ask("predict"), name)).tolist()}
    if 0 in predicted and (is_typed or predicted <= {0, 1}):
        labels, meaning = _OF_PYOD, "0 for inliers and 1 for outliers"
        way_out = "-1 means an outlier, pass `np.where(y == -1, 1, 0)`, without `pos_label`"
    elif is_typed or (predicted and predicted <= {-1, 1}):
        labels, meaning = _OF_SKLEARN, "-1 for outliers and 1 for inliers"
        way_out = (
            "1 means an outlier, pass `np.where(y == 1, -1, 1)`, and `pos_label`=-1 to "
            "score the outliers"
        )
    else:
        for labels in (_OF_PYOD, _OF_SKLEARN):
            if np.all(_are_among(y, labels)):
                return labels
        raise _no_classes(estimator)
    if not np.all(_are_among(y, labels)):
        raise ValueError(
            "`y` must hold the labels that `estimator` predicts as an outlier detector, "
            f"{meaning}. Got {listed(distinct_labels(y, 'y'))}: if {way_out}."
        )
    return labels


def _are_among(y, classes):
    """Whether each label is one of two classes."""
    return (y == classes[0]) | (y == classes[1])


def _no_classes(estimator):
    """The error for an estimator that does not tell which labels its scores are for."""
    return NotFittedError(
        "`estimator` has no `classes_`, the labels that its scores are for. If this "
        f"{type(estimator).__name__} instance is not fitted, call `fit`; otherwise let its "
        "`fit` set `self.classes_ = np.unique(y)`."
    )


def last_step(estimator: Any) -> Any:
    """The estimator that searches and pipelines end in; other estimators unchanged."""
    while True:
        inner = getattr(estimator, "best_estimator_", None)
        if steps := getattr(estimator, "steps", None):
            inner = steps[-1][1]
        if inner is None:
            return estimator
        estimator = inner


def keeps_thresholds(estimator: Any) -> bool:
    """Whether the estimator is, or ends in, a fitted one that says so.

    Its attribute `_keeps_thresholds` is True: samples between two of its thresholds have
    one score. It has a `pos_label`.
    """
    return getattr(last_step(estimator), "_keeps_thresholds", False)


def own_pos_label(estimator: Any, pos_label: Any) -> Any:
    """`pos_label` or, if it is None, that of an estimator that keeps thresholds."""
    if pos_label is None and keeps_thresholds(estimator):
        return last_step(estimator).pos_label
    return pos_label


def warn_of_thresholds(estimator, models, way_out):
    """Warn that models of the type of `estimator`, which keeps thresholds, have ties."""
    warn_caller(
        f"{models} {type(last_step(estimator)).__name__}. All samples between two of its "
        "thresholds have the same score, so AUC-PR is lower than that of the models "
        f"inside. To evaluate those, {way_out}."
    )


def scores_of(estimator, X, y, method, pos_label, ask=None):
    """The positive label and the scores of samples for the labels in `y`.

    Parameters
    ----------
    estimator : estimator instance
        Fitted classifier, outlier detector, or estimator with a decision function.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Input of the estimator.
    y : array-like of shape (n_samples,) or (n_samples, n_labels)
        The estimator must know all labels.
    method : {"decision_function", "predict_proba"}
        The method to call, as from `available_method`.
    pos_label : int, float, bool, str or None
        None means 1 for labels {0, 1} and {-1, 1}, and True for booleans.
    ask : callable, default=None
        ``ask(method)`` is what this method returns for `X`. None calls the method.

    Returns
    -------
    pos_label : int, float, bool, str or None
        The positive label; `pos_label` itself for several classes or labels.
    score : ndarray of shape (n_samples,) or (n_samples, n_labels)
        One column per class in sorted order, or per label, if there are several.
    """
    y = array_or_frame(y, "y")
    is_multilabel = np.shape(y)[1:] not in ((), (1,))
    classes = _own_classes(estimator)
    if not is_multilabel and not _are_several(classes):
        return binary_scores(estimator, X, y, method, pos_label, ask)
    check_order(y=y, X=X)
    ask = ask or _asker(estimator, X)
    scores = _label_scores if is_multilabel else _class_scores
    return pos_label, scores(estimator, ask, y, method)


def binary_scores(estimator, X, y, method, pos_label, ask=None):
    """`scores_of` an estimator that must be binary: finite float32 or float64."""
    check_order(y=y, X=X)
    y = as_column(y, "y")
    ask = ask or _asker(estimator, X)
    classes = _classes_of(estimator, y, method, ask)
    if pos_label is None:
        # Raises an error if the labels do not say which is positive.
        positives(classes, None, "y")
        pos_label = 1
    index = label_index(classes, pos_label, "estimator")
    response = _response(ask, method)
    if isinstance(response, list) and len(response) == 1 and np.ndim(response[0]) == 2:
        response = response[0]  # a multi-output estimator returns a list
    if method == "predict_proba":
        check_columns(response, f"estimator.{method}(X)", classes)
    return classes.item(index), scores_of_class(response, method, index, len(y))


def one_class_scores(estimator, X, y, method, pos_label):
    """`binary_scores`, or with several classes the scores of `pos_label` against the rest.

    Parameters and result are those of `binary_scores`.
    """
    classes = _own_classes(estimator)
    if not _are_several(classes):
        return binary_scores(estimator, X, y, method, pos_label)
    if pos_label is None:
        raise ValueError(
            f"`estimator` must be a binary classifier. Got {len(classes)} classes, "
            f"{listed(classes)}: pass the one that is compared with all others as "
            "`pos_label`."
        )
    _check_known(distinct_labels(as_column(y, "y"), "y"), classes)
    index = label_index(classes, pos_label, "estimator")
    response = _response(_asker(estimator, X), method)
    column = _class_columns(estimator, response, method, len(y))[:, index]
    return classes.item(index), finite_numbers(column, f"estimator.{method}(X)")


def scores_of_class(response, method, index, n_samples=None):
    """Scores of the class with this index, 0 or 1, from what a binary estimator returns.

    The result is finite, float32 or float64. `n_samples` is the number of samples that must
    have a score; None does not check it.
    """
    name = f"estimator.{method}(X)"
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


def _class_scores(estimator, ask, y, method):
    """Scores of a multiclass classifier, one column per class, in sorted order.

    All classes must occur in `y`. The decision values of a multinomial model rank samples
    differently from its probabilities, the softmax of all decision values of a sample.
    """
    labels = distinct_labels(as_column(y, "y"), "y")
    classes = _own_classes(estimator)
    _check_known(labels, classes)
    if len(labels) < len(classes):
        raise ValueError(
            f"`y` must hold all classes of `estimator`, {listed(classes)}. Got "
            f"{listed(labels)}: add samples of the other classes or, in a "
            "cross-validation, use a stratified splitter."
        )
    score = _class_columns(estimator, _response(ask, method), method, np.shape(y)[0])
    return score[:, np.argsort(classes)]


def _class_columns(estimator, response, method, n_samples):
    """What a multiclass classifier returns, checked: one column per class of `classes_`."""
    classes, name = _own_classes(estimator), f"estimator.{method}(X)"
    check_columns(response, name, classes)
    score = on_host(response, name)
    _check_rows(score, name, n_samples)
    shape = getattr(last_step(estimator), "decision_function_shape", None)
    is_of_pairs = method == "decision_function" and shape == "ovo"
    if is_of_pairs or score.shape[1:] != (len(classes),):
        got = "scores of pairs of classes" if is_of_pairs else f"shape {score.shape}"
        raise ValueError(
            f"`estimator` must have one score per class, {len(classes)}. Got {got}: fit an "
            'SVC with decision_function_shape="ovr".'
        )
    return score


def _label_scores(estimator, ask, y, method):
    """Scores of a multilabel classifier, one column per label."""
    score = _response(ask, method)
    if isinstance(score, list):  # there is one array of class probabilities per label
        classes = _own_classes(estimator)
        if classes is None or len(classes) != len(score):
            raise _no_classes(estimator)
        score = _label_columns(classes, score, y)
    _check_rows(score, f"estimator.{method}(X)", np.shape(y)[0])
    return score


def _label_columns(classes, probabilities, y):
    """One column per label from the class probabilities of each label.

    A label that occurred in no training sample has no probability; its column is 0.
    """
    columns, has_label = [], as_array(y, "y") == 1
    for i, (own, probability) in enumerate(zip(classes, probabilities, strict=True)):
        columns_of_label = np.flatnonzero(np.asarray(own) == 1)
        if not len(columns_of_label) and has_label[:, i].any():
            raise ValueError(
                f"`y` must hold only labels that `estimator` was fitted with. Got label {i}"
                ", which no training sample has: leave its column out, or add samples."
            )
        scores = np.asarray(probability)[:, columns_of_label]
        columns.append(scores if len(columns_of_label) else np.zeros((len(scores), 1)))
    return np.hstack(columns)


def check_scoring_label(estimator, y, pos_label, call):
    """Raise `ValueError` if two classes do not say which one is positive.

    `call` is a format of the expression for the scorer with a `pos_label`.
    """
    classes = _own_classes(estimator)
    if pos_label is not None or not isinstance(classes, np.ndarray) or len(classes) != 2:
        return
    labels = classes.tolist()
    if not need_no_name(labels):
        _two_classes(classes, as_column(y, "y"))  # raises for unknown labels
        either = " or ".join(f"`{call.format(label)}`" for label in labels)
        raise ValueError(
            "`scoring` must name the positive class of labels other than {0, 1}, {-1, 1} "
            f"and booleans. Got {listed(labels)}. Pass {either}."
        )


def has_both_methods(estimator: Any) -> bool:
    """Whether a fitted classifier has `predict_proba` and `decision_function`."""
    return all(hasattr(estimator, name) for name in ("predict_proba", "decision_function"))


def saturated(data: BinaryData) -> dict[int, np.ndarray]:
    """Masks of the samples with the score 1, or 0, where both classes share this score."""
    masks = {end: data.score == end for end in (1, 0)}
    return {
        end: tied
        for end, tied in masks.items()
        if (tied_labels := data.positive[tied]).any() and not tied_labels.all()
    }


def decision_values_separate(tied: dict[int, np.ndarray], values: np.ndarray) -> bool:
    """Whether decision values separate saturated probabilities; warns if they do.

    `tied` are the masks from `saturated`. A mask whose samples also share their decision
    value does not count, because decision values do not separate them either.
    """
    tied = {end: is_tied for end, is_tied in tied.items() if np.ptp(values[is_tied]) > 0}
    if not tied:
        return False
    warn_caller(
        '`response_method`="auto" takes "decision_function", because '
        f"{np.count_nonzero(sum(tied.values()))} samples of both classes have the "
        f"probability {' or '.join(map(str, tied))}, where no threshold of probabilities "
        'separates them. Pass "predict_proba" to keep probabilities.'
    )
    return True


def _check_rows(scores, name, n_samples):
    """Raise `ValueError` unless scores have `n_samples` rows; None allows any number."""
    n_scores = np.shape(scores)[0]
    if n_samples not in (None, n_scores):
        raise ValueError(
            f"`{name}` must return one score for each of {n_samples} samples. Got "
            f"{n_scores}: an estimator must not drop or repeat samples."
        )


def available_method(estimator, response_method, first=None):
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
    if any(hasattr(type(estimator), name) for name in names):  # `fit` may add the method
        check_is_fitted(estimator)
    raise ValueError(
        f"`response_method`={response_method!r} needs an `estimator` with "
        f"{' or '.join(sorted({*names}))}. Got {type(estimator).__name__}: pass "
        "another estimator or method."
    )
