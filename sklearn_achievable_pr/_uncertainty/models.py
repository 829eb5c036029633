"""The result of the comparison of several models, and Holm's adjustment."""

from __future__ import annotations

import numbers
from dataclasses import dataclass

import numpy as np

from .._input.options import check_option
from .._plot.forest import draw_models
from .results import AucPRComparisonResult, AucPRIntervalResult


def holm(pvalues):
    """P-values adjusted by the step-down method of Holm (1979); NaN stays NaN."""
    pvalues = np.asarray(pvalues, dtype=np.float64)
    order = np.argsort(pvalues)  # NaN last
    n_tests = np.count_nonzero(~np.isnan(pvalues))
    steps = (n_tests - np.arange(len(pvalues))) * pvalues[order]
    adjusted = np.empty(len(pvalues))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


@dataclass(frozen=True)
class ModelComparisonResult:
    """Intervals of several models and tests of pairs, as returned by `compare_models`.

    Attributes
    ----------
    models : dict of str to AucPRIntervalResult
        Result of `auc_pr_interval` for each model, in the order of `y_scores`.
    pairs : dict of (str, str) to AucPRComparisonResult
        Result of `compare_auc_pr` for each pair of models.
    reference : str or None
        The model that all others are compared with, the second of each pair.
    adjust : {"holm", None}
        How `adjusted_pvalues` are adjusted for the number of pairs.
    """

    models: dict[str, AucPRIntervalResult]
    pairs: dict[tuple[str, str], AucPRComparisonResult]
    reference: str | None
    adjust: str | None

    @property
    def ranks(self):
        """Dict from name to rank, 1 for the highest estimate; equal estimates share one."""
        estimates = {name: model.estimate for name, model in self.models.items()}
        return {
            name: np.nan if np.isnan(own) else 1 + sum(e > own for e in estimates.values())
            for name, own in estimates.items()
        }

    @property
    def adjusted_pvalues(self):
        """Dict from a pair of names to its p-value, adjusted as `adjust` says."""
        pvalues = np.array([pair.pvalue for pair in self.pairs.values()])
        if self.adjust == "holm":
            pvalues = holm(pvalues)
        return dict(zip(self.pairs, pvalues.tolist(), strict=True))

    def to_frame(self, table="models", *, decimals=2):
        """Table of the models or of the pairs as a pandas DataFrame.

        Parameters
        ----------
        table : {"models", "pairs"}, default="models"
            One row per model, the highest estimate first, or one row per pair.
        decimals : int, default=2
            Number of decimals in the column of text such as ``0.44 (0.38, 0.50)``.

        Returns
        -------
        pandas.DataFrame
            Columns of models: ``model``, ``rank``, ``estimate``, ``standard_error``,
            ``low``, ``high`` and, as text, ``estimate (interval)``. Columns of pairs:
            ``model_a``, ``model_b``, ``difference``, ``standard_error``, ``low``, ``high``,
            as text ``difference (interval)``, then ``statistic``, ``pvalue`` and
            ``adjusted_pvalue``.

        Raises
        ------
        ImportError
            If pandas is not installed.
        ValueError
            If `table` is unknown or `decimals` is not an integer from 0.
        """
        if not isinstance(decimals, numbers.Integral) or decimals < 0:
            raise ValueError(f"`decimals` must be an integer from 0. Got {decimals!r}.")
        check_option(table, "table", ("models", "pairs"))
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("`to_frame` needs pandas: pip install pandas") from error
        return pd.DataFrame(self._records(table, decimals))

    def plot(self, axes=None):
        """Forest plot of estimates and of paired differences, with confidence intervals.

        Models are sorted by their estimates. The second panel shows the difference of each
        model from the reference (without a reference, from the model with the highest
        estimate) and the adjusted p-value.

        Parameters
        ----------
        axes : sequence of two matplotlib Axes, default=None
            Axes of the estimates and of the differences. None draws on a new figure.

        Returns
        -------
        ndarray of two matplotlib Axes
            The axes of the estimates and of the differences.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        return draw_models(self, axes)

    def __str__(self):
        first = next(iter(self.models.values()))
        level = f"{100 * first.confidence_level:.10g}"
        models = [("rank", "model", f"{first.metric}, {level} % confidence interval")]
        for record in self._records("models", 4):
            rank, shown = str(record["rank"]), record["estimate (interval)"]
            models.append((rank, record["model"], shown))
        adjusted = "adjusted (Holm)" if self.adjust else "not adjusted"
        interval = f"difference, {level} % interval, unadjusted"
        pairs = [("pair", interval, "p-value", adjusted)]
        for record in self._records("pairs", 4):
            names = f"{record['model_a']} - {record['model_b']}"
            pvalues = (f"{record[key]:.4g}" for key in ("pvalue", "adjusted_pvalue"))
            pairs.append((names, record["difference (interval)"], *pvalues))
        counts = f"{first.n_samples} samples, {first.n_positive} positive"
        tables = _aligned(models), _aligned(pairs)
        return "\n".join((f"{len(self.models)} models, {counts}", *tables))

    def _records(self, table, decimals):
        """Rows of the table of models, the highest estimate first, or of pairs."""
        ranks, adjusted = self.ranks, self.adjusted_pvalues
        if table == "models":
            return [
                {"model": name, "rank": ranks[name]}
                | _record("estimate", self.models[name], decimals)
                for name in sorted(self.models, key=ranks.get)
            ]
        return [
            {"model_a": names[0], "model_b": names[1]}
            | _record("difference", pair, decimals)
            | {"statistic": pair.statistic, "pvalue": pair.pvalue}
            | {"adjusted_pvalue": adjusted[names]}
            for names, pair in self.pairs.items()
        ]


def _record(value_name, result, decimals):
    """Columns of one estimate and its interval, also as text such as 0.44 (0.38, 0.50)."""
    value, (low, high) = getattr(result, value_name), result.confidence_interval
    shown = f"{value:.{decimals}f} ({low:.{decimals}f}, {high:.{decimals}f})"
    return {
        value_name: value,
        "standard_error": result.standard_error,
        "low": low,
        "high": high,
        f"{value_name} (interval)": shown,
    }


def _aligned(lines):
    """Text of a table, given as a list of rows, with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(n) for cell, n in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
