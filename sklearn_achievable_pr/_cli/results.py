"""Values and curves of score files, computed by the functions of the package."""

import math
import warnings
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations

import numpy as np
import polars as pl
from sklearn.metrics import auc

from .._input.arrays import check_weight
from .._input.labels import BinaryData
from .._roc.counting import at_breakpoints, every_threshold
from .._roc.curve import interpolated
from ..displays._curve_display import Curve, drawn_curve
from ..metrics._areas import davis_goadrich_area
from ..metrics._rates import CONSTRAINTS
from ..metrics._table import MetricWithOptions
from ..metrics._unachievable import lowest_area
from ..results._comparisons import holm
from ..thresholds.choose_threshold import choose_threshold
from ..uncertainty import _validity
from ..uncertainty._checks import Options
from ..uncertainty._samples import Sample
from . import FileError, in_flags
from .reading import file_errors, printable, rows_of

_LIMITS = ("low", "high", "confidence_level")
# The second tuple has the columns that are printed with `--all-metrics` only.
_VALUES = ("auc_pr", *_LIMITS, "aucnpr", "average_precision")
_MORE_VALUES = ("auc_pr_min", "standard_error", "auc_pr_achievable")
_MORE_VALUES += ("auc_pr_davis_goadrich", "auc_roc")
_MOST_STEPS = 10**8


@dataclass
class Results:
    """All results that are printed, written and drawn.

    Attributes
    ----------
    rows, pairs : list of dict
        Values per column of scores, and per pair of columns. None or NaN is undefined.
    curves : list of (dict, Curve)
        Names (of file and score) and curve.
    samples : list of (dict, Sample)
        Names and checked samples, stored for comparisons.
    messages : list of str
        Warnings, each with its file.
    """

    rows: list[dict] = field(default_factory=list)
    pairs: list[dict] = field(default_factory=list)
    curves: list[tuple[dict, Curve]] = field(default_factory=list)
    samples: list[tuple[dict, Sample]] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)

    def add(self, names, counts, values, options):
        """Add a row of values; warn if a class is missing.

        `counts` are the columns with the numbers of samples and positives and, with groups,
        of clusters, and the weighted fraction of positives.
        """
        n_samples, n_positive = counts["n_samples"], counts["n_positive"]
        of_data = counts | {"prevalence": options.prevalence}
        if not options.objective:
            low, high = options.recall_range
            of_data |= {"recall_low": low, "recall_high": high}
        has_minimum = n_positive and (n_positive < n_samples or not options.prevalence)
        if options.all_metrics and has_minimum:
            low, high = options.recall_range
            prevalence = options.prevalence or counts["own_prevalence"]
            lowest = lowest_area(prevalence, low, high)
            values = {"auc_pr_min": lowest.item()} | values
        keys = _VALUES + _MORE_VALUES if options.all_metrics else _VALUES
        if options.objective:
            keys = values
        self.rows.append(names | of_data | {key: values.get(key) for key in keys})
        if n_positive in (0, n_samples):
            what = "negatives" if n_positive else "positives"
            where = ", ".join(filter(None, names.values()))
            warnings.warn(f"no {what} in {where}: some values are undefined", stacklevel=1)


def results_of(options) -> Results:
    """The results of all files."""
    results, steps = Results(), []
    for number, path in enumerate(options.files):
        # A file that is named again is told apart by a number.
        n_before = options.files[:number].count(path)
        name = path + f" ({n_before + 1})" * (n_before > 0)
        steps.append((name, partial(_add_file, results, path, name, options)))
    if options.compare:
        steps.append(("--compare", partial(_add_pairs, results, options)))
    for name, step in steps:
        with file_errors(name), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            step()
        for warning in caught:
            # The last sentence names a section of the documentation.
            text = printable(in_flags(f"{warning.message}".partition(' See "')[0]))
            results.messages.append(f"warning: {printable(name)}: {text.rstrip('.')}.")
    if options.kinds and not results.curves:
        raise FileError("--write-curve and --plot need samples of both classes.")
    return results


def _metrics_of(options):
    """The metrics of the interpolated curve, keyed by their columns."""
    names = {"auc_pr": "auc_pr_interpolated", "aucnpr": "aucnpr"}
    names |= {"auc_pr_achievable": "achievable_auc_pr"} if options.all_metrics else {}
    at = *options.recall_range, options.prevalence
    return {key: MetricWithOptions(name, *at) for key, name in names.items()}


def _add_file(results, path, name, options):
    """Add the results of each column of scores of a file."""
    frame = rows_of(path, options)
    rows = {key: frame.drop_in_place(key).to_numpy() for key in frame.columns}
    weight = check_weight(rows.get("weight"), len(rows["label"]))
    for names, key in _named({"file": printable(name)}, rows):
        data = BinaryData(rows["label"], rows[key], weight)
        if options.objective:
            _add_threshold(results, names, data, rows.get("groups"), options)
        else:
            _add_samples(results, names, data, rows.get("groups"), options)


def _named(file, columns):
    """Names in the results, and key in the rows, of each column of scores."""
    keys = [key for key in columns if key.startswith("score")]
    for key in keys:
        yield file | ({"score": key.removeprefix("score ")} if len(keys) > 1 else {}), key


def _add_samples(results, names, data, groups, options):
    """Add the values of labels and scores, with their interval."""
    values = {}
    roc = every_threshold(data, with_order=options.compare or groups is not None)
    points = at_breakpoints(roc).concatenated()
    clusters = None if groups is None else pl.Series(groups).rank("dense").to_numpy() - 1
    metric = _metrics_of(options)["auc_pr"]
    roc_of_sample = roc._replace(parts=[points])
    sample = Sample(metric, data, roc_of_sample, clusters, groups is not None)
    if sample.has_both_classes:
        _validity.warn_of({"": sample}, "interval", "beta")
        interval = sample.interval(Options("beta", options.level))
        values = _interval_of(interval)
    if options.compare:
        results.samples.append((names, sample))
    _add_measured(results, names, roc, _counts_of(data, groups), values, options)


def _add_threshold(results, names, data, groups, options):
    """Add the operating point of the threshold with the best objective."""
    how = {name: getattr(options, name) for name in CONSTRAINTS}
    how |= {"confidence_level": options.confidence_level}
    how |= {"prevalence": options.prevalence}
    how |= {"sample_weight": data.weight, "groups": groups, "random_state": 0}
    point = choose_threshold(*data[:2], objective=options.objective, **how)
    values = {"threshold": point.threshold, "objective": options.objective}
    values |= {"objective_value": point.objective_value}
    values |= {name: how[name] for name in CONSTRAINTS if how[name] is not None}
    values |= {rate.name: getattr(point, rate.name) for rate in CONSTRAINTS.values()}
    if options.confidence_level is not None:
        without = point.objective_value_without_guarantee
        values |= {
            "confidence_level": options.confidence_level,
            "objective_value_without_guarantee": without,
        }
    results.add(names, _counts_of(data, groups), values, options)


def _counts_of(data, groups=None):
    """Columns with the numbers of samples, positives and clusters, and the prevalence."""
    n_positive = int(np.count_nonzero(data.positive))
    counts = {"n_samples": len(data.positive), "n_positive": n_positive}
    if groups is not None:
        counts["n_clusters"] = pl.Series(groups).n_unique()
    own_prevalence = float(np.average(data.positive, weights=data.weight))
    return counts | {"own_prevalence": own_prevalence}


def _interval_of(found):
    """Columns with the standard error and the confidence limits of a result."""
    columns = found.standard_error, *found.confidence_interval, found.confidence_level
    return dict(zip(("standard_error", *_LIMITS), columns, strict=True))


def _add_measured(results, names, roc, counts, interval, options):
    """Add the values and the curves of a ROC curve that has a point at every threshold."""
    n_pos, n_neg = float(roc.n_pos), float(roc.n_neg)
    (low, high), prevalence = options.recall_range, options.prevalence
    values, metrics = interval, _metrics_of(options)
    stepwise = MetricWithOptions("average_precision", prevalence=prevalence)
    for key, metric in (metrics | {"average_precision": stepwise}).items():
        if n_pos and (n_neg or not metric.needs_negatives):
            values[key] = metric.value(roc)
    if n_pos and n_neg and options.all_metrics:
        # The area is computed from rates, because products of large weights would overflow.
        values["auc_roc"] = math.fsum(auc(p.fps / n_neg, p.tps / n_pos) for p in roc.parts)
    has_steps = options.all_metrics and options.weight is None and "auc_pr" in values
    if has_steps and n_pos <= _MOST_STEPS:
        steps = davis_goadrich_area(roc.at_prevalence(prevalence), low, high)
        values["auc_pr_davis_goadrich"] = steps
    results.add(names, counts, values, options)
    for kind in options.kinds if n_pos and n_neg else ():
        spacing = n_pos / min(counts["n_positive"], _MOST_STEPS)
        curve = drawn_curve(roc, kind, prevalence, spacing, interpolated)
        results.curves.append((names, curve))


def _add_pairs(results, options):
    """Add the differences of columns or files, which must have the same samples."""
    (own, first), samples = results.samples[0], {}
    for names, other in results.samples:
        columns = ((s.data.positive, s.data.weight, s.clusters) for s in (other, first))
        if not all(map(np.array_equal, *columns)):
            are = f"labels, weights or groups that are not those of {own['file']}"
            raise ValueError(f"{names['file']} has {are}, in the same order")
        parts = names["file"] * (len(options.files) > 1), names.get("score")
        samples[": ".join(filter(None, parts))] = other
    if len(samples) < 2:
        raise ValueError("needs two columns of scores, or two files. Got one")
    _validity.warn_once(first.shared_doubts("comparison", "influence"))
    how = Options("influence", options.level)
    for a, b in combinations(samples, 2):
        pair = samples[a].difference(samples[b], how, (a, b))
        names = {"first": a, "second": b, "difference": pair.difference}
        results.pairs.append(names | _interval_of(pair) | {"pvalue": pair.pvalue})
    adjusted = holm([row["pvalue"] for row in results.pairs]).tolist()
    for row, pvalue in zip(results.pairs, adjusted, strict=True):
        row["pvalue_holm"] = pvalue
