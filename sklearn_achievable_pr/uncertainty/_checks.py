"""Checked samples of areas and of their averages over labels."""

from collections.abc import Sequence

import numpy as np

from .._inference.design import check_clusters, shared_clusters
from .._input.arrays import as_array
from .._input.frames import check_order
from .._input.labels import check_binary_or_labels, check_scores
from .._input.options import AVERAGES, check_option, is_one_of
from ._multilabel import multilabel_sample
from ._samples import AreaSample

# The coverage was simulated for these averages over labels and metrics.
SIMULATED_AVERAGES = ("macro", "weighted", "micro")
SIMULATED_METRICS = ("auc_pr_interpolated", "aucnpr", "average_precision")

# What to pass for one label of several, or for one class against all others.
_ONE_LABEL = (
    "`y_true[:, i], y_score[:, i]`, or for classes `y_true == label, y_score[:, i]`"
)


def check_samples(metric, y_true, scores, average, design, *, by_sample):
    """The sample of each score; see `multilabel_sample` for scores with columns.

    Parameters
    ----------
    metric : MetricWithOptions
    y_true : array-like
    scores : dict of str to array-like
        By the names of their arguments.
    average : str
    design : Design
    by_sample : bool
        Whether the influence of each sample is needed, as for differences.

    Returns
    -------
    list of AreaSample or MultilabelSample
    """
    if is_multilabel(metric, scores, average, design):
        check_order(y_true=y_true, **scores, groups=design.groups)
        targets = [
            check_binary_or_labels(y_true, score, design.pos_label, None, name)
            for name, score in scores.items()
        ]
        # The check of `groups` needs only the length of a column of labels.
        clusters = shared_clusters(check_clusters(targets[0].positive[:, 0], design))
        return [multilabel_sample(metric, target, average, *clusters) for target in targets]
    # Scores are checked first. If `y_true` is too short, the error is then about `y_true`,
    # and not about `groups`.
    checked = check_scores(y_true, scores, **design._asdict())
    clusters = shared_clusters(check_clusters(y_true, design))
    return [AreaSample.of(metric, data, *clusters, by_sample=by_sample) for data in checked]


def is_multilabel(metric, scores, average, design):
    """Whether scores have a column per label; options that were not simulated raise."""
    if is_one_of(average, AVERAGES) and average not in SIMULATED_AVERAGES:
        raise ValueError(
            f"`average` must be one of {', '.join(map(repr, SIMULATED_AVERAGES))} here. "
            f"Got {average!r}: compute values per label or sample with "
            "`auc_pr_interpolated`, or the interval of one label at a time, "
            f"{_ONE_LABEL}."
        )
    check_option(average, "average", SIMULATED_AVERAGES)
    if not any_columns(scores):
        return False
    is_used = {
        f"`metric`={metric.name!r}": metric.name not in SIMULATED_METRICS,
        "`sample_weight`": design.sample_weight is not None,
        "`recall_range`": (metric.low, metric.high) != (0.0, 1.0),
        "`prevalence`": metric.prevalence is not None,
    }
    not_simulated = [name for name, used in is_used.items() if used]
    if not_simulated:
        raise ValueError(
            f"Averages over labels have no interval with {' and '.join(not_simulated)}: "
            "its coverage is not known. Leave it out (`metric` can be one of "
            f"{SIMULATED_METRICS}), or pass one label at a time, {_ONE_LABEL}."
        )
    return True


def any_columns(scores):
    """Whether any of several scores, by the names of their arguments, has columns."""
    return any(_has_columns(score, name) for name, score in scores.items())


def _has_columns(score, name):
    """Whether scores have several columns."""
    shape = getattr(score, "shape", None)
    if shape is None:
        is_table = isinstance(score, Sequence) and len(score) and np.ndim(score[0]) > 0
        if not is_table:
            return False
        shape = as_array(score, name).shape
    return len(shape) == 2 and shape[1] > 1
