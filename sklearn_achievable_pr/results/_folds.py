"""Results of cross-validations: intervals, and labels and scores of the folds."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from ._areas import AucPRIntervalResult
from ._rendering import count_text, sizes_text
from ._result import Record, import_pandas

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class AucPRIntervalCVResult(AucPRIntervalResult):
    """Confidence interval of a cross-validation, as returned by `auc_pr_interval_cv`.

    It has the attributes of `AucPRIntervalResult` as well. `n_samples`, `n_positive` and
    `n_clusters` count the test samples of all folds, each sample once.

    Attributes
    ----------
    estimate : float
        Mean of `fold_values`.
    fold_values : tuple of float
        Value of the metric for each fold.
    n_folds, n_repeats : int
        Number of folds, and largest number of folds that test one sample.
    fewest_positives : int
        Number of positives in the fold with the fewest.
    n_train : tuple of int
        Number of training samples of each fold. The interval is for models fitted to this
        many samples. If each fold trains on at least three quarters of all samples (rounded
        down), it is also for the model refitted on all samples. The print says which of the
        two holds, and "conservative" or, after a `CoverageWarning`, "see the warning". It
        also says where the numbers are only assumed, because `cv_results_from_scores` was
        called without `n_train`.
    """

    fold_values: tuple[float, ...]
    n_folds: int
    n_repeats: int
    fewest_positives: int
    n_train: tuple[int, ...]
    # The length of `y` is stored, because `n_samples` counts only the samples that a fold
    # tests.
    _n_all: int = field(repr=False)
    # Random splits test some samples more often than others, so they are no repeats.
    _is_repeated: bool = field(repr=False)
    # The number of training samples of scores from elsewhere was not passed.
    _is_assumed: bool = field(repr=False)
    # This is True if there was no `CoverageWarning`. Some of these warnings depend on the
    # groups of the folds, which the result does not store.
    _is_conservative: bool = field(repr=False)

    @property
    def _notes(self):
        n_repeats = self.n_repeats if self._is_repeated else 1
        folds = _folds_text(self.n_folds, n_repeats, self.fewest_positives)
        low, high, n_all = min(self.n_train), max(self.n_train), self._n_all
        # Sizes within 1 % are shown as one number.
        n_train = (
            f"{low} to {high}" if high - low > 0.01 * high else f"{fmean(self.n_train):.0f}"
        )
        models = f"for models fitted to {n_train} samples"
        is_for_refit = low >= int(0.75 * n_all)
        if is_for_refit and self._is_conservative:
            models = f"valid {models}; conservative for the refit on all {n_all}"
        elif is_for_refit:
            models += f" and the refit on all {n_all} (see the warning)"
        else:
            models += " (conservative)" if self._is_conservative else " (see the warning)"
        if self._is_assumed:
            models += ",\nif each model was fitted to all other folds"
        return [*super()._notes, folds, models]


@dataclass(frozen=True, repr=False, eq=False)
class FoldPredictions(Record):
    """Labels, scores and weights of the folds of a cross-validation; can be unpacked.

    Attributes
    ----------
    y_true : list of ndarray of bool
        Whether each test sample of a fold has the positive label.
    y_score : list of ndarray
        Scores of the test samples of each fold, higher for the positive label.
    sample_weight : list of ndarray or None
        Weights of the test samples of each fold; None without weights.
    """

    y_true: list[np.ndarray]
    y_score: list[np.ndarray]
    sample_weight: list[np.ndarray] | None = None
    # Indices of the test samples of each fold in the data that were cross-validated.
    _tests: list[np.ndarray] = field(repr=False, kw_only=True)

    def _blocks(self):
        # A repeated cross-validation tests each sample several times, and counts it once.
        tested = np.concatenate(self._tests)
        _, first, n_tests = np.unique(tested, return_index=True, return_counts=True)
        n_positive = np.count_nonzero(np.concatenate(self.y_true)[first])
        # Random splits test some samples more often than others, so they are no repeats.
        n_repeats = n_tests[0] if np.ptp(n_tests) == 0 else 1
        fewest = int(min(map(np.count_nonzero, self.y_true)))
        folds = _folds_text(len(self.y_true), n_repeats, fewest)
        is_weighted = self.sample_weight is not None
        return [sizes_text(len(first), n_positive, is_weighted=is_weighted), folds]

    def to_frame(self) -> pd.DataFrame:
        """Labels, scores and weights of the test samples as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            One row per fold and test sample, with the columns ``fold``, ``sample`` (the
            index of the sample in the data that were cross-validated), ``y_true``,
            ``y_score`` and ``sample_weight`` (1 without weights). Folds and samples are
            numbered from 0. In a repeated cross-validation each sample has several rows:
            pass ``sample``, or the clusters in the order of this column, as `groups`.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        sizes = [len(labels) for labels in self.y_true]
        weights = self.sample_weight
        columns = {
            "fold": np.repeat(np.arange(len(sizes)), sizes),
            "sample": np.concatenate(self._tests),
            "y_true": np.concatenate(self.y_true),
            "y_score": np.concatenate(self.y_score),
            "sample_weight": np.ones(sum(sizes))
            if weights is None
            else np.concatenate(weights),
        }
        return import_pandas().DataFrame(columns)


def _folds_text(n_folds, n_repeats, fewest_positives):
    """The folds of a cross-validation, and the positives of the fold with the fewest."""
    positives = count_text(fewest_positives, "positive")
    if n_folds == 1:
        return f"1 fold, {positives}"
    repeats = f" in {n_repeats} repeats" if n_repeats > 1 else ""
    return f"{n_folds} folds{repeats}, at least {positives} in each"
