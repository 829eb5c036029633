"""Results of a cross-validation from the out-of-fold scores of any framework."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._input.arrays import as_array, as_column, as_numbers, on_host
from .._input.frames import check_columns, check_order, is_frame
from .._input.labels import label_index, positives, warn_of_labels
from .._input.options import listed

# In `test_fold`, this number means that no fold tests a sample, as in `PredefinedSplit`.
_UNTESTED = -1


@dataclass(frozen=True, eq=False, repr=False)
class GivenScores:
    """Scores of the test samples of one fold, whose model was fitted elsewhere.

    Attributes
    ----------
    score : ndarray of shape (n_test_samples,) or (n_test_samples, n_classes)
        Finite scores of the test samples: of the positive class, or one column per class.
    n_samples : int
        Number of all samples.
    frames : dict of str to object
        Arguments that have an index or names of columns, such as pandas objects.
    n_train : int or None
        Number of training samples; None if it is not known.
    """

    score: np.ndarray
    n_samples: int
    frames: dict[str, Any]
    n_train: int | None = None

    def __repr__(self):
        return f"<scores of {len(self.score)} test samples, without a fitted estimator>"

    def check_labels(self, y, labels):
        """Raise `ValueError` unless `y` fits the samples, and its labels the columns.

        `labels` are the sorted labels of `y`.
        """
        if len(y) != self.n_samples:
            raise ValueError(
                "`y` must have one label for each sample that was passed to "
                f"cv_results_from_scores, {self.n_samples}. Got {len(y)} labels."
            )
        if self._n_columns == 1 and len(labels) < 3:
            return
        if self._n_columns != len(labels):
            raise ValueError(
                "`y_score` of cv_results_from_scores must have one column per label of "
                f"`y`, {listed(labels)}, in sorted order, or one column for two labels. "
                f"Got {self._n_columns} column(s). For one label pass its column, and "
                "binary labels such as `y == label`."
            )
        check_columns(self.frames.get("y_score"), "y_score", labels)

    def of_label(self, pos_label, labels):
        """The positive label, and its scores; `labels` are sorted.

        One column has the scores of the positive label, whichever it is, as in every
        function of labels and scores.
        """
        if pos_label is None:
            if len(labels) > 2:
                raise ValueError(
                    f"`y` must have two labels. Got {len(labels)}, {listed(labels)}: pass "
                    "the one that is compared with all others as `pos_label`."
                )
            # Raises an error if the labels do not say which is positive.
            positives(np.array(labels), None, "y")
            pos_label = 1
        index = label_index(labels, pos_label, "y")
        column = 0 if self._n_columns == 1 else index
        return labels[index], self.score.reshape(len(self.score), -1)[:, column]

    @property
    def _n_columns(self):
        return self.score.shape[1] if self.score.ndim == 2 else 1


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
    folds = [fold for repeat in repeats for fold in _given_folds(*repeat)]
    entries, trains, tests = map(list, zip(*folds, strict=True))
    shapes = {(entry.n_samples, *entry.score.shape[1:]) for entry in entries}
    if len(shapes) > 1:
        raise ValueError(
            "`y_score` must have the scores of the same samples and classes in every "
            f"repeat. Got arrays of the shapes {sorted(shapes)}: pass NaN and the fold -1 "
            "for samples that a repeat does not test."
        )
    warn_of_labels("y_score", *(entry.score for entry in entries))
    sizes = _training_sizes(n_train, trains)
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


def _given_folds(y_score, test_fold):
    """A triple of `GivenScores`, training and test indices for each fold."""
    score, fold = as_array(y_score, "y_score"), _fold_numbers(test_fold)
    if len(score) != len(fold):
        raise ValueError(
            "`y_score` and `test_fold` must have one entry per sample. Got "
            f"{len(score)} scores and {len(fold)} numbers of folds."
        )
    score = _checked_scores(score, fold)
    # Only objects that are checked later are kept: a tensor would keep memory of a GPU.
    frames = {"y_score": y_score, "test_fold": test_fold}
    frames = {name: values for name, values in frames.items() if is_frame(values)}
    folds = []
    for number in range(fold[fold != _UNTESTED].min(), fold.max() + 1):
        is_tested = fold == number
        entry = GivenScores(score[is_tested], len(score), frames)
        folds.append((entry, np.flatnonzero(~is_tested), np.flatnonzero(is_tested)))
    return folds


def _fold_numbers(test_fold):
    """The number of the fold that tests each sample, checked to have no gap."""
    fold = as_column(test_fold, "test_fold")
    if fold.dtype.kind == "O":
        with contextlib.suppress(TypeError, ValueError):  # names stay objects
            fold = as_numbers(fold, "test_fold")
    are_numbers = fold.dtype.kind in "fiu"
    is_valid = np.zeros(len(fold), dtype=bool)
    if are_numbers:
        is_valid = np.isfinite(fold) & (fold == np.floor(fold)) & (fold >= _UNTESTED)
    if not is_valid.all():
        raise (ValueError if are_numbers else TypeError)(
            "`test_fold` must hold integers: the number of the fold that tests each "
            f"sample, or -1 if none does. Got {fold[~is_valid].tolist()[0]!r}: number "
            "folds that have names by `np.unique(test_fold, return_inverse=True)[1]`."
        )
    fold = fold.astype(np.int64)
    numbers = np.unique(fold[fold != _UNTESTED])
    if not len(numbers) or np.any(np.diff(numbers) > 1):
        raise ValueError(
            "`test_fold` must number the folds without a gap, each with a test sample. Got "
            f"the numbers {listed(np.unique(fold))}: pass the samples of all folds, or "
            "number the folds anew."
        )
    if len(numbers) == 1 and _UNTESTED not in fold:
        raise ValueError(
            "`test_fold` must leave training samples to every fold. Got all samples in "
            f"fold {numbers[0]}: pass -1 for training samples that no fold tests. For "
            "scores of one model that was fitted to other data use auc_pr_interval."
        )
    return fold


def _training_sizes(n_train, trains):
    """The number of training samples of each fold, or None where it is not known.

    `trains` has the samples that each fold does not test.
    """
    n_folds = len(trains)
    if n_train is None:
        return [None] * n_folds
    if isinstance(n_train, list | tuple):  # there may be one list per repeat
        n_train = np.concatenate([*map(np.ravel, n_train)])
    sizes = as_numbers(np.ravel(on_host(n_train, "n_train")), "n_train")
    if len(sizes) not in (1, n_folds):
        raise ValueError(
            f"`n_train` must be one number, or one per fold, {n_folds}. Got {len(sizes)} "
            "numbers."
        )
    sizes = sizes.repeat(n_folds // len(sizes))
    largest = [*map(len, trains)]
    is_valid = (sizes == np.floor(sizes)) & (sizes >= 1) & (sizes <= largest)
    if sizes.dtype == bool or not is_valid.all():
        i = is_valid.argmin()
        raise ValueError(
            "`n_train` must be a number of samples, from 1 to those that the fold does not "
            f"test. Got {sizes[i]} for fold {i}, which does not test {largest[i]}: "
            "training samples that no fold tests need the score NaN and the fold -1."
        )
    return sizes.astype(int).tolist()


def _checked_scores(score, fold):
    """The scores, checked to be finite in every fold and NaN where no fold tests."""
    score = as_numbers(score, "y_score")
    is_tested = fold != _UNTESTED
    finite = np.isfinite(score) if score.dtype.kind == "f" else np.full(score.shape, True)
    bad = np.flatnonzero(is_tested & ~finite.reshape(len(score), -1).all(axis=1))
    if len(bad):
        first = bad[0]
        way_out = "pass the fold -1 for a sample that was never tested"
        if not np.isnan(score[bad]).any():
            way_out = "pass `np.nan_to_num(y_score)`, which keeps the order of scores"
        raise ValueError(
            "`y_score` must be finite for samples that a fold tests. Got "
            f"{score[first]} at position {first}, in fold {fold[first]}: {way_out}."
        )
    has_score = np.flatnonzero(~is_tested & (score == score).reshape(len(score), -1).any(1))
    if len(has_score):
        first = has_score[0]
        raise ValueError(
            "`y_score` must be NaN for samples that no fold tests (-1 in `test_fold`). "
            f"Got {score[first]} at position {first}. Pass NaN, or the number of the fold "
            "whose model, fitted without the sample, gave this score."
        )
    return score
