"""Out-of-fold scores in place of the fitted estimators of a cross-validation."""

import contextlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._input.arrays import as_array, as_column, as_numbers, on_host
from .._input.frames import check_columns, is_frame
from .._input.labels import label_index, positives
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


def given_folds(y_score, test_fold):
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


def training_sizes(n_train, trains):
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
