"""Labels and scores of the folds of a cross-validation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

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

    def _blocks(self):
        sizes = [len(labels) for labels in self.y_true]
        positives = [np.count_nonzero(labels) for labels in self.y_true]
        folds = f"{len(sizes)} folds, at least {min(positives)} positives in each"
        # A sample is counted once per test, because repeated folds test it several times.
        weighted = " (weighted)" * (self.sample_weight is not None)
        return [f"{sum(sizes)} test samples{weighted}, {sum(positives)} positive", folds]

    def to_frame(self) -> pd.DataFrame:
        """Labels, scores and weights of the test samples as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            One row per test sample, with the columns ``fold`` (numbered from 0),
            ``y_true``, ``y_score`` and ``sample_weight`` (1 without weights).

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        sizes = [len(labels) for labels in self.y_true]
        weights = self.sample_weight
        columns = {
            "fold": np.repeat(np.arange(len(sizes)), sizes),
            "y_true": np.concatenate(self.y_true),
            "y_score": np.concatenate(self.y_score),
            "sample_weight": np.ones(sum(sizes))
            if weights is None
            else np.concatenate(weights),
        }
        return import_pandas().DataFrame(columns)
