"""Exact areas under precision-recall curves (AUC-PR, also AUPRC) for scikit-learn.

Correctly interpolated and achievable precision-recall curves (Davis and Goadrich 2006), the
exact areas under these curves, and areas normalized for the unachievable region (Boyd et
al. 2012). The package has metric functions, scorers, plots, confidence intervals and tests,
and a classifier whose decision thresholds come from the ROC convex hull.
"""

# `import name as name` makes a name public for type checkers, too.
from inspect import ismodule as _ismodule

from .areas import auc_pr_from_counts as auc_pr_from_counts
from .areas import auc_pr_interpolated as auc_pr_interpolated
from .areas import aucnpr as aucnpr
from .areas import aucnpr_from_counts as aucnpr_from_counts
from .areas import normalized_average_precision_score as normalized_average_precision_score
from .cross_validation import auc_pr_interval_cv as auc_pr_interval_cv
from .cross_validation import compare_models_cv as compare_models_cv
from .curves import achievable_pr_curve as achievable_pr_curve
from .curves import pr_curve_from_counts as pr_curve_from_counts
from .curves import pr_curve_interpolated as pr_curve_interpolated
from .display import AchievablePRDisplay as AchievablePRDisplay
from .folds import fold_scores as fold_scores
from .folds import summary_auc_pr as summary_auc_pr
from .folds import summary_pr_curve as summary_pr_curve
from .gain import auprg_score as auprg_score
from .gain import pr_gain_curve as pr_gain_curve
from .hull_threshold import HullThresholdClassifierCV as HullThresholdClassifierCV
from .operating_points import f1_above_chance_score as f1_above_chance_score
from .operating_points import precision_at_k as precision_at_k
from .operating_points import precision_at_recall as precision_at_recall
from .operating_points import recall_at_k as recall_at_k
from .operating_points import recall_at_precision as recall_at_precision
from .out_of_core import PRCounts as PRCounts
from .out_of_core import auc_pr_from_batches as auc_pr_from_batches
from .out_of_core import auc_pr_from_frame as auc_pr_from_frame
from .planning import plan_labels as plan_labels
from .planning import required_sample_size as required_sample_size
from .roc import dominates as dominates
from .roc import pr_to_roc as pr_to_roc
from .roc import roc_convex_hull as roc_convex_hull
from .roc import roc_to_pr as roc_to_pr
from .scorers import achievable_auc_pr_scorer as achievable_auc_pr_scorer
from .scorers import auc_pr_interpolated_scorer as auc_pr_interpolated_scorer
from .scorers import aucnpr_scorer as aucnpr_scorer
from .scorers import auprg_scorer as auprg_scorer
from .scorers import get_scorer as get_scorer
from .scorers import get_scorer_names as get_scorer_names
from .scorers import (
    normalized_average_precision_scorer as normalized_average_precision_scorer,
)
from .threshold_display import HullThresholdDisplay as HullThresholdDisplay
from .thresholds import choose_threshold as choose_threshold
from .thresholds import threshold_table as threshold_table
from .unachievable import auc_pr_min as auc_pr_min
from .unachievable import average_precision_min as average_precision_min
from .unachievable import is_achievable as is_achievable
from .unachievable import min_precision as min_precision
from .uncertainty import auc_pr_chance_test as auc_pr_chance_test
from .uncertainty import auc_pr_influence as auc_pr_influence
from .uncertainty import auc_pr_interval as auc_pr_interval
from .uncertainty import compare_auc_pr as compare_auc_pr
from .uncertainty import compare_models as compare_models
from .uncertainty import compare_subgroups as compare_subgroups
from .uncertainty import operating_point_interval as operating_point_interval

__version__ = "1.0.0rc1"
__all__ = [
    name
    for name, thing in globals().items()
    if not name.startswith("_") and not _ismodule(thing)
]
