"""Where version 0.1 had its functions; scorers pickled by it look for them here."""

from __future__ import annotations

from .areas import (
    auc_pr_from_counts,
    auc_pr_interpolated,
    aucnpr,
    normalized_average_precision_score,
)
from .curves import (
    achievable_pr_curve,
    pr_curve_from_counts,
    pr_curve_interpolated,
    precision_at_recall,
    recall_at_precision,
)
from .unachievable import f1_above_chance_score

__all__ = [
    "achievable_pr_curve",
    "auc_pr_from_counts",
    "auc_pr_interpolated",
    "aucnpr",
    "f1_above_chance_score",
    "normalized_average_precision_score",
    "pr_curve_from_counts",
    "pr_curve_interpolated",
    "precision_at_recall",
    "recall_at_precision",
]
