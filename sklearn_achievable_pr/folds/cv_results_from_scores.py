"""Results of a cross-validation from the out-of-fold scores of any framework."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._input.frames import check_order
from .._input.labels import warn_of_labels
from ._given_scores import given_folds, training_sizes


def cv_results_from_scores(
    y_score: ArrayLike | Sequence[ArrayLike],
    test_fold: ArrayLike | Sequence[ArrayLike],
    *,
    n_train: int | ArrayLike | Sequence[ArrayLike] | None = None,
) -> dict[str, Any]:
    """Results of a cross-validation from out-of-fold scores of any framework.

    Typical call::

        cv_results = cv_results_from_scores(y_score, test_fold)
        print(auc_pr_interval_cv(cv_results, None, y))

    An *out-of-fold* score is the score of a sample by a model that was fitted without the
    fold of this sample. It may come from a loop over folds in PyTorch, from an AutoML
    program, or from :func:`sklearn.model_selection.cross_val_predict`. The result can be
    passed as `cv_results` to `auc_pr_interval_cv`, `compare_models_cv`, `fold_predictions`
    and `AchievablePRDisplay.from_cv_results`. These functions then use neither `X`, which
    may be None, nor `response_method`.

    Read more in the :ref:`User Guide <scores-from-elsewhere>`.

    Parameters
    ----------
    y_score : array-like of shape (n_samples,) or (n_samples, n_classes), or list of these
        Out-of-fold scores: of the positive class, higher for it, or with one column per
        class, in the order of the sorted labels of `y`. The number and the names of the
        columns are checked where `y` is passed. A sample that no fold tests has the score
        NaN. A list of arrays has one array per repeat of a repeated cross-validation.
    test_fold : array-like of shape (n_samples,), or list of these
        Number of the fold that tests each sample, and -1 for a sample that no fold tests,
        as in :class:`sklearn.model_selection.PredefinedSplit`. Folds are numbered without a
        gap, from 0 or another number. A list of arrays has one array per repeat, as
        `y_score`.
    n_train : int, array-like of shape (n_folds,), or list of these, default=None
        Number of training samples of each model, or one number per fold, in the order of
        the numbers of the folds; a list may have one array per repeat. None means that
        each model was fitted to all samples that its fold does not test, and prints say
        that this is assumed.

    Returns
    -------
    dict
        The keys "estimator" and "indices" of the result of
        :func:`sklearn.model_selection.cross_validate`. The entries of "estimator" hold the
        scores of the test samples of each fold; they are not fitted models.

    Raises
    ------
    ValueError
        If lengths or orders of samples differ, a fold has no test samples or no training
        samples, a score is not finite where a fold tests the sample, or is not NaN where no
        fold tests it.
    TypeError
        If scores or numbers of folds are not real numbers.

    Warns
    -----
    UserWarning
        If the scores are only 0 and 1, or -1 and 1, like predicted labels, which
        `cross_val_predict` returns without ``method="predict_proba"``.

    See Also
    --------
    auc_pr_interval_cv : Confidence interval of a cross-validated AUC-PR.
    compare_models_cv : Intervals and tests of several models on the same folds.
    fold_predictions : Labels and scores of each fold.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import StratifiedKFold
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_achievable_pr import auc_pr_interval_cv, cv_results_from_scores
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    >>> y_score, test_fold = np.full(len(y), np.nan), np.full(len(y), -1)
    >>> for fold, (train, test) in enumerate(StratifiedKFold(5).split(X, y)):
    ...     model = tree.fit(X[train], y[train])
    ...     y_score[test] = model.predict_proba(X[test])[:, 0]  # of the label 0
    ...     test_fold[test] = fold
    >>> cv_results = cv_results_from_scores(y_score, test_fold)
    >>> print(auc_pr_interval_cv(cv_results, None, y, pos_label=0))
    AUC-PR: 0.90 (standard error 0.029)
    95 % confidence interval: 0.82 to 0.95
    569 samples, 212 positive; chance level: 0.375
    5 folds, at least 42 positives in each
    valid for models fitted to 455 samples; conservative for the refit on all 569,
    if each model was fitted to all other folds
    """
    repeats = _repeats(y_score, test_fold)
    arguments: dict[str, Any] = {}
    for i, (score, fold) in enumerate(repeats):
        of_repeat = f"[{i}]" if len(repeats) > 1 else ""
        arguments |= {f"y_score{of_repeat}": score, f"test_fold{of_repeat}": fold}
    check_order(**arguments)
    folds = [fold for repeat in repeats for fold in given_folds(*repeat)]
    entries, trains, tests = map(list, zip(*folds, strict=True))
    shapes = {(entry.n_samples, *entry.score.shape[1:]) for entry in entries}
    if len(shapes) > 1:
        raise ValueError(
            "`y_score` must have the scores of the same samples and classes in every "
            f"repeat. Got arrays of the shapes {sorted(shapes)}: pass NaN and the fold -1 "
            "for samples that a repeat does not test."
        )
    warn_of_labels("y_score", *(entry.score for entry in entries))
    sizes = training_sizes(n_train, trains)
    entries = [
        replace(entry, n_train=size) for entry, size in zip(entries, sizes, strict=True)
    ]
    return {"estimator": entries, "indices": {"train": trains, "test": tests}}


def _repeats(y_score, test_fold):
    """Pairs of scores and numbers of folds, one per repeat."""
    if not _is_list_of_arrays(test_fold):
        return [(y_score, test_fold)]
    n_scores = len(y_score) if _is_list_of_arrays(y_score) else 1
    if n_scores != len(test_fold):
        raise ValueError(
            "`y_score` and `test_fold` must both be one array or, for several repeats, "
            f"lists with one array per repeat. Got {n_scores} array(s) of scores and "
            f"{len(test_fold)} of numbers of folds."
        )
    return [*zip(y_score, test_fold, strict=True)]


def _is_list_of_arrays(values):
    """Whether values are a list of arrays, not of numbers."""
    return isinstance(values, list | tuple) and len(values) > 0 and np.ndim(values[0]) > 0
