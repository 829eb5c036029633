"""Table of metrics: how each metric is computed, and which options it takes.

Functions that take a `metric` by name (intervals, tests, folds, data larger than memory)
and the command-line program use this table.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .._input.options import check_option, check_prevalence, check_recall_range
from .._input.undefined import require_classes
from .._roc import counting
from .._roc.blocks import areas_of_block, average_precisions_of_block
from . import _chance
from ._areas import area, average_precision, normalized_area, normalized_average_precision
from ._influence import (
    area_influence,
    at_fixed_prevalence,
    average_precision_influence,
    normalized_area_influence,
    normalized_average_precision_influence,
)
from ._rates_at import RATE_METRICS
from ._unachievable import average_precision_bounds
from .gain import gain_area

# Derivatives depend on the square of the ratio of the classes. Beyond this ratio the square
# could underflow.
_LARGEST_RATIO = 1e140


class Metric(NamedTuple):
    """One entry of the table of metrics.

    Attributes
    ----------
    label : str
        The name of the metric in text and on axes.
    value : callable
        ``value(roc, low, high)`` is the metric of a `ROCCurve` over a range of recalls.
    curve : {"empirical", "achievable"}
        The curve that the metric is of.
    points : callable
        ``points(data, with_order=...)`` is the `ROCCurve` of `BinaryData` through the
        points that the metric depends on.
    options : tuple of str
        Those of the arguments `recall_range`, `prevalence` and `sample_weight` that can be
        used.
    needs_negatives : bool
        Whether the metric is undefined without negatives. Every metric is undefined
        without positives.
    is_additive : bool
        Whether the metric needs only sums over segments or points (`ROCCurve.total` and
        `of_parts`), to which ranges of scores contribute independently.
    omits_turns : bool
        Whether `points` are the scores of positives: each of them matters, and points
        between them at which the ROC curve turns do not.
    is_area : bool
        Whether the value of a perfect ranking is the width of the recall range, not 1.
    empirical : str or None
        Of a metric of the achievable curve, the name of that of the empirical curve.
    chance : callable or None
        ``chance(n_pos, n_neg, sizes)`` is the mean of the metric for random labels, see
        `_chance`. None where no formula is known.
    influence : callable or None
        ``influence(roc, value, low, high)`` are the derivatives of the metric by the
        weights of the samples. None where it is not a smooth function of the weights.
    of_block : callable or None
        ``of_block(block, low, high)`` is the metric of each permutation of a
        `PermutationBlock`. None where it is computed for one ROC curve after the other.
    """

    label: str
    value: Callable
    curve: str = "empirical"
    points: Callable = counting.breakpoints
    options: tuple[str, ...] = ("recall_range", "prevalence", "sample_weight")
    needs_negatives: bool = False
    is_additive: bool = False
    omits_turns: bool = False
    is_area: bool = False
    empirical: str | None = None
    chance: Callable | None = None
    influence: Callable | None = None
    of_block: Callable | None = None


def _normalized_areas_of_block(block, low, high):
    """The normalized area of each permutation."""
    n_pos, n_neg = block.n_pos[:, 0], block.n_neg[:, 0]
    # As in `normalized_area`: 1 - (area above the curve) / (area above the worst ranking).
    width = high - low
    # The span is the width minus the minimum area, in a form without cancellation.
    span = n_neg / n_pos * np.log1p(width * n_pos / (n_neg + low * n_pos))
    return np.clip(1 - (width - areas_of_block(block, low, high)) / span, 0.0, 1.0)


def _normalized_average_precisions_of_block(block, low, high):
    """The normalized average precision of each permutation."""
    values = average_precisions_of_block(block, low, high)
    # The bounds depend only on the totals, which all permutations share.
    totals = np.column_stack((block.n_pos, block.n_neg))
    distinct, which = np.unique(totals, axis=0, return_inverse=True)
    bounds = np.array([average_precision_bounds(t[:1], t[1]) for t in distinct])
    lowest, span = bounds[which.reshape(-1)].T
    return np.clip((values - lowest) / span, 0.0, 1.0)


_AREA = Metric("AUC-PR", area, is_additive=True, is_area=True)
_NORMALIZED_AREA = Metric("AUCNPR", normalized_area, needs_negatives=True, is_additive=True)
_STEPWISE = Metric(
    "average precision",
    average_precision,
    points=counting.positive_thresholds,
    is_additive=True,
    omits_turns=True,
    options=("prevalence", "sample_weight"),
)

METRICS = {
    "auc_pr_interpolated": _AREA._replace(
        chance=_chance.mean_area, influence=area_influence, of_block=areas_of_block
    ),
    "achievable_auc_pr": _AREA._replace(
        label="achievable AUC-PR", curve="achievable", empirical="auc_pr_interpolated"
    ),
    "aucnpr": _NORMALIZED_AREA._replace(
        chance=_chance.mean_normalized_area,
        influence=normalized_area_influence,
        of_block=_normalized_areas_of_block,
    ),
    "achievable_aucnpr": _NORMALIZED_AREA._replace(
        label="achievable AUCNPR", curve="achievable", empirical="aucnpr"
    ),
    "auprg": Metric(
        "AUPRG",
        gain_area,
        options=("prevalence", "sample_weight"),
        needs_negatives=True,
    ),
    "average_precision": _STEPWISE._replace(
        chance=_chance.mean_average_precision,
        influence=average_precision_influence,
        of_block=average_precisions_of_block,
    ),
    # With weights, the minimum depends on the order of the weights, which a ROC curve does
    # not store.
    "normalized_average_precision": _STEPWISE._replace(
        label="normalized average precision",
        is_additive=False,
        value=normalized_average_precision,
        options=(),
        needs_negatives=True,
        chance=_chance.mean_normalized_average_precision,
        influence=normalized_average_precision_influence,
        of_block=_normalized_average_precisions_of_block,
    ),
}
_AT_POINT = (
    "a rate at an operating point: see `compare_models`, and for one score "
    "`operating_point_interval` and `threshold_table`"
)


def _at_threshold(rate, ours=None, function=""):
    """What a rate is in this package, and the functions that take or return it."""
    return (
        f"{ours or rate} here, a rate at one threshold: see `threshold_table`{function} "
        f"and '{rate}_at_threshold' of `compare_models`"
    )


# Errors explain these names: metrics, and rates, which are no metrics of a ranking.
ELSEWHERE = {
    **{name: f"{name!r} here" for name in METRICS},
    "recall": _at_threshold("recall", function=", `recall_at_precision`"),
    "precision": _at_threshold("precision", function=", `precision_at_recall`"),
    "fpr": _at_threshold("specificity", "1 - specificity"),
    **{rate: _at_threshold(rate) for rate in ("specificity", "npv", "f1")},
    **dict.fromkeys(RATE_METRICS, _AT_POINT),
    **dict.fromkeys(
        ("roc_auc", "auc_roc", "auroc"),
        "the area under the ROC curve: see sklearn.metrics.roc_auc_score",
    ),
}
# These metrics are sums over segments, or over the scores of positives.
ADDITIVE = tuple(name for name, metric in METRICS.items() if metric.is_additive)
# These metrics are sums over the segments of the interpolated curve.
OF_SEGMENTS = tuple(name for name in ADDITIVE if not METRICS[name].omits_turns)
# These metrics are smooth functions of the weights of the samples.
SMOOTH = tuple(name for name, metric in METRICS.items() if metric.influence is not None)
# These metrics have intervals: those of achievable curves follow from the empirical ones.
WITH_INTERVAL = tuple(
    name for name, metric in METRICS.items() if metric.influence or metric.empirical
)


class MetricWithOptions(NamedTuple):
    """A metric by name, with its recall range and reference prevalence.

    Attributes
    ----------
    name : str
        A key of `METRICS`.
    low, high : float
        The range of recalls.
    prevalence : float or None
        The reference prevalence.
    """

    name: str
    low: float = 0.0
    high: float = 1.0
    prevalence: float | None = None

    @property
    def entry(self):
        """The entry of the table `METRICS`."""
        return METRICS[self.name]

    @property
    def highest(self):
        """The value of a perfect ranking."""
        return self.high - self.low if self.entry.is_area else 1.0

    @property
    def needs_negatives(self):
        """Whether the metric is undefined without negatives."""
        return self.entry.needs_negatives or self.prevalence is not None

    @property
    def is_whole(self):
        """Whether the metric is of all recalls."""
        return (self.low, self.high) == (0.0, 1.0)

    @property
    def has_relative_error(self):
        """Whether rounding errors are relative to the value.

        They are for areas, sums of positive terms. Normalized metrics are differences of
        numbers around 1, and both ends of a recall range are rounded.
        """
        return not self.entry.needs_negatives and self.is_whole

    def rounding_scale(self, value):
        """The size of the numbers to which rounding errors of a value are relative."""
        return abs(value) if self.has_relative_error else max(abs(value), 1.0)

    def fields(self):
        """The metric and its options as fields of a result, as a dict."""
        return {
            "metric": self.name,
            "recall_range": (self.low, self.high),
            "prevalence": self.prevalence,
        }

    def roc_of(self, data, *, every_threshold=False, with_order=False):
        """The `ROCCurve` of `BinaryData`, in one part, with the points that are needed.

        With `every_threshold=True` it has a point at every distinct score, with
        `with_order=True` the order of the samples.
        """
        points = counting.every_threshold if every_threshold else self.entry.points
        roc = points(data, with_order=with_order)
        return roc._replace(parts=[roc.concatenated()])

    def value(self, roc):
        """The metric of a ROC curve from `roc_of`, or from given counts."""
        roc = roc.of_kind(self.entry.curve).at_prevalence(self.prevalence)
        return self.entry.value(roc, self.low, self.high)

    def value_and_influence(self, roc):
        """The metric and its derivatives; None for these without an influence function."""
        value = self.value(roc)
        if self.prevalence is None and roc.n_neg:
            totals = roc.n_pos, roc.n_neg
            require_classes(*totals, negatives=True, largest_ratio=_LARGEST_RATIO)
        if self.entry.influence is None:
            return value, None
        roc = roc.at_prevalence(self.prevalence)
        influence = self.entry.influence(roc, value, self.low, self.high)
        if self.prevalence is not None:
            influence = at_fixed_prevalence(influence, roc)
        return value, influence

    def chance_level(self, data, roc):
        """What the metric is without skill; None where that is not known.

        The mean over all arrangements of the labels or, with weights, a recall range or a
        reference prevalence, the value of a constant score.
        """
        chance = self.entry.chance
        if chance is None:
            return None
        if not (roc.n_pos and roc.n_neg):
            return np.nan
        has_options = (self.low, self.high, self.prevalence) != (0.0, 1.0, None)
        if data.weight is not None or has_options:
            ends = np.array([[0.0, roc.n_neg], [0.0, roc.n_pos]])
            return float(self.value(counting.from_counts(*ends)))
        ends, sizes = roc.ends_of_ties(), None
        if len(ends) <= len(data.positive):
            sizes = ends[1:] - ends[:-1]
        return chance(int(roc.n_pos), int(roc.n_neg), sizes)

    def of_block(self, block):
        """The metric of each permutation of a `PermutationBlock`."""
        block = block.at_prevalence(self.prevalence)
        if self.entry.of_block is not None:
            return self.entry.of_block(block, self.low, self.high)
        at_own_prevalence = self._replace(prevalence=None)
        return np.array([at_own_prevalence.value(roc) for roc in block.rocs()])


def check_metric(metric, allowed, recall_range=(0.0, 1.0), prevalence=None, weight=None):
    """A metric with its options, checked; `allowed` are the names that the caller takes.

    Returns
    -------
    MetricWithOptions
    """
    check_option(metric, "metric", tuple(allowed), ELSEWHERE)
    low, high = check_recall_range(recall_range)
    prevalence = check_prevalence(prevalence)
    given = {
        "recall_range": (low, high) != (0.0, 1.0),
        "prevalence": prevalence is not None,
        "sample_weight": weight is not None,
    }
    for name, is_given in given.items():
        if is_given and name not in METRICS[metric].options:
            raise ValueError(
                f"`metric`={metric!r} takes no `{name}` here. Leave it out, or choose "
                '"auc_pr_interpolated" or "aucnpr".'
            )
    return MetricWithOptions(metric, low, high, prevalence)
