"""Labels and scores of the folds of a cross-validation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ._rendering import folds_text, samples_text
from ._result import Record, import_pandas

if TYPE_CHECKING:
    import pandas as pd


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
        folds = folds_text(len(self.y_true), n_repeats, fewest)
        samples = samples_text(len(first), is_weighted=self.sample_weight is not None)
        return [f"{samples}, {n_positive} positive", folds]

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
