"""Results of intervals, tests, thresholds and plans: one family of frozen dataclasses.

Every result prints as readable text, shows as a small table in a notebook, and becomes
plain Python values with `to_dict` and a pandas DataFrame with `to_frame`.
"""

from .. import _public
from ._areas import (
    AucPRChanceResult,
    AucPRIntervalResult,
    Bounds,
    ConfidenceInterval,
    IntervalResult,
    SampleSizeResult,
)
from ._comparisons import (
    AucPRComparisonResult,
    ModelComparisonResult,
    SubgroupComparisonResult,
)
from ._folds import AucPRIntervalCVResult, FoldPredictions
from ._rates import RateIntervalResult, ThresholdTable
from ._result import Result
from ._thresholds import (
    Guarantee,
    OperatingPoint,
    RandomizedThreshold,
    TuningCounts,
    TuningCurve,
)

__all__ = [
    "AucPRChanceResult",
    "AucPRComparisonResult",
    "AucPRIntervalCVResult",
    "AucPRIntervalResult",
    "Bounds",
    "ConfidenceInterval",
    "FoldPredictions",
    "Guarantee",
    "IntervalResult",
    "ModelComparisonResult",
    "OperatingPoint",
    "RandomizedThreshold",
    "RateIntervalResult",
    "Result",
    "SampleSizeResult",
    "SubgroupComparisonResult",
    "ThresholdTable",
    "TuningCounts",
    "TuningCurve",
]

_public.set_module((globals()[name] for name in __all__), __name__)
