"""Exact areas under precision-recall curves (AUC-PR, also AUPRC) for scikit-learn.

Correctly interpolated and achievable precision-recall curves (Davis and Goadrich 2006), the
exact areas under these curves, and areas normalized for the unachievable region (Boyd et
al. 2012). The package has metric functions, scorers, plots, confidence intervals and tests,
and a classifier whose decision thresholds come from the ROC convex hull.
"""

from . import _public
from ._input.options import CoverageWarning
from .comparisons.comparisons import compare_models, compare_subgroups
from .displays.curve_display import AchievablePRDisplay
from .displays.threshold_display import HullThresholdDisplay
from .folds.cross_validation import auc_pr_interval_cv, compare_models_cv
from .folds.cv_results_from_scores import cv_results_from_scores
from .folds.summaries import fold_predictions, summary_auc_pr, summary_pr_curve
from .metrics.areas import (
    auc_pr_from_counts,
    auc_pr_interpolated,
    aucnpr,
    normalized_average_precision_score,
)
from .metrics.curves import achievable_pr_curve, pr_curve_from_counts, pr_curve_interpolated
from .metrics.gain import auprg_score, pr_gain_curve
from .metrics.operating_points import (
    f1_above_chance_score,
    precision_at_k,
    precision_at_recall,
    recall_at_fpr,
    recall_at_k,
    recall_at_precision,
)
from .metrics.roc import dominates, pr_to_roc, roc_convex_hull, roc_to_pr
from .metrics.scorers import (
    achievable_auc_pr_scorer,
    auc_pr_interpolated_scorer,
    aucnpr_scorer,
    get_scorer,
    get_scorer_names,
)
from .metrics.unachievable import (
    auc_pr_min,
    average_precision_min,
    is_achievable,
    precision_min,
)
from .out_of_core.areas import auc_pr_from_batches, auc_pr_from_frame
from .out_of_core.counts import PRCounts
from .rates.operating_point_interval import operating_point_interval
from .rates.threshold_table import threshold_table
from .thresholds.choose_threshold import choose_threshold
from .thresholds.hull_threshold import HullThresholdClassifierCV
from .thresholds.select_positives import select_positives
from .uncertainty.intervals import auc_pr_chance_test, auc_pr_influence, auc_pr_interval
from .uncertainty.planning import required_sample_size

__version__ = "1.0.0rc4"

__all__ = [
    "AchievablePRDisplay",
    "CoverageWarning",
    "HullThresholdClassifierCV",
    "HullThresholdDisplay",
    "PRCounts",
    "achievable_auc_pr_scorer",
    "achievable_pr_curve",
    "auc_pr_chance_test",
    "auc_pr_from_batches",
    "auc_pr_from_counts",
    "auc_pr_from_frame",
    "auc_pr_influence",
    "auc_pr_interpolated",
    "auc_pr_interpolated_scorer",
    "auc_pr_interval",
    "auc_pr_interval_cv",
    "auc_pr_min",
    "aucnpr",
    "aucnpr_scorer",
    "auprg_score",
    "average_precision_min",
    "choose_threshold",
    "compare_models",
    "compare_models_cv",
    "compare_subgroups",
    "cv_results_from_scores",
    "dominates",
    "f1_above_chance_score",
    "fold_predictions",
    "get_scorer",
    "get_scorer_names",
    "is_achievable",
    "normalized_average_precision_score",
    "operating_point_interval",
    "pr_curve_from_counts",
    "pr_curve_interpolated",
    "pr_gain_curve",
    "pr_to_roc",
    "precision_at_k",
    "precision_at_recall",
    "precision_min",
    "recall_at_fpr",
    "recall_at_k",
    "recall_at_precision",
    "required_sample_size",
    "roc_convex_hull",
    "roc_to_pr",
    "select_positives",
    "summary_auc_pr",
    "summary_pr_curve",
    "threshold_table",
]


_public.set_module((globals()[name] for name in __all__), __name__)


def __dir__():
    """The public names and the module of results, without the folders of internal code."""
    return [*__all__, "__version__", "results"]
