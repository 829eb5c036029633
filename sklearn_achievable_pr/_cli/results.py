"""Values and curves of score files, computed by the functions of the package."""

import contextlib
import math
import warnings
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations

import numpy as np
from sklearn.metrics import auc

from .._inference.design import Options, shared_clusters
from .._inference.doubts import Doubt, doubts_of_ranking, warn_once
from .._inference.samples import Sample
from .._input.arrays import as_response, check_weight
from .._input.labels import BinaryData, drop_equal_weights, warn_of_labels
from .._input.undefined import warn_undefined
from .._roc.counting import at_breakpoints, every_threshold, from_counts
from .._roc.curve import interpolated
from ..displays._drawn import Curve, drawn_curve
from ..metrics._areas import davis_goadrich_area
from ..metrics._rates import CONSTRAINTS
from ..metrics._table import MetricWithOptions
from ..metrics._unachievable import lowest_area
from ..results._comparisons import holm
from ..thresholds._rule import choose_from_arrays
from ..uncertainty._samples import AreaSample
from . import FileError, in_flags
from .reading import file_errors, printable, rows_of

_LIMITS = ("low", "high", "interval_level")
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
        Values per column of scores, and per pair of columns. NaN is undefined, and None
        was not asked for.
    curves : list of (dict, Curve)
        Names (of file and score) and curve.
    samples : list of (dict, AreaSample)
        Names and checked samples, stored for comparisons.
    noted : dict of (str, str) to list of str
        The columns of scores that a warning is about, if there are several in a file, by
        the name of the file and the text of the warning.
    """

    rows: list[dict] = field(default_factory=list)
    pairs: list[dict] = field(default_factory=list)
    curves: list[tuple[dict, Curve]] = field(default_factory=list)
    samples: list[tuple[dict, AreaSample]] = field(default_factory=list)
    noted: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    @contextlib.contextmanager
    def noting(self, name, score=""):
        """Context whose warnings are noted, of a file and perhaps a column of scores."""
        with warnings.catch_warnings(
            record=True, action="always", category=UserWarning
        ) as caught:
            yield
        for warning in caught:
            # The last sentence names a section of the documentation.
            text = in_flags(f"{warning.message}".partition(' See "')[0]).rstrip(".")
            scores = self.noted.setdefault((name, text), [])
            scores += [score] * (score not in scores)

    def messages(self):
        """The warnings as lines of text, each of them once."""
        for (name, text), scores in self.noted.items():
            about = filter(None, (name, ", ".join(scores), text))
            yield f"warning: {': '.join(map(printable, about))}."


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
        with file_errors(name), results.noting(name):
            step()
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
    frame, labels = rows_of(path, options)
    clusters = None
    if "groups" in frame.columns:
        clusters = frame.drop_in_place("groups").rank("dense").to_numpy().astype(int) - 1
    rows = {key: frame.drop_in_place(key).to_numpy() for key in frame.columns}
    weight = check_weight(rows.get("weight"), len(rows["label"]))
    keys = [key for key in rows if key.startswith("score")]
    add = _add_threshold if options.objective else _add_samples
    doubts: list[Doubt] = []
    scores = {}
    for key in keys:
        data = drop_equal_weights(BinaryData(rows["label"], rows[key], weight))
        names, subject = {"file": printable(name)}, ""
        if len(keys) > 1:
            names["score"] = key.removeprefix("score ")
            subject = f"Score {names['score']!r}"
        scores[subject or "The score"] = data.score
        with results.noting(name, subject):
            sample = add(results, names, data, clusters, options)
        doubts += [doubt.about(subject) for doubt in _doubts_of(sample, options)]
    _warn_of_file(sample, scores, labels, doubts, options)


def _doubts_of(sample, options):
    """The doubts of one column of scores, and of its interval if there is one."""
    if options.objective:
        return doubts_of_ranking(sample)
    return sample.own_doubts()


def _warn_of_file(sample, scores, labels, doubts, options):
    """Warn of the samples of a file, of scores that look like labels, and of doubts.

    `sample` has any of the scores, and `doubts` are those of all scores. What a choice or a
    comparison shares is a warning of its own.
    """
    if not sample.has_both_classes:
        missing = "negatives" if sample.data.positive.any() else "positives"
        warn_undefined(f"There are no {missing}: some values are undefined.")
    elif not (options.objective or options.compare):
        doubts = [*sample.shared_doubts("interval"), *doubts]
    # As in the functions of the package, the first such score has the warning.
    any(warn_of_labels(name, score, labels=labels) for name, score in scores.items())
    warn_once(doubts)


def _add_samples(results, names, data, clusters, options):
    """Add the values of labels and scores, with an interval; returns the `AreaSample`."""
    roc = every_threshold(data, with_order=options.compare or clusters is not None)
    points = at_breakpoints(roc).concatenated()
    metric = _metrics_of(options)["auc_pr"]
    roc_of_sample = roc._replace(parts=[points])
    sample = AreaSample(data, roc_of_sample, *shared_clusters(clusters), metric=metric)
    values = _areas_of(roc, data.weight is not None, options)
    if sample.has_both_classes:
        values |= _interval_of(sample.interval(Options(options.level)))
    if options.compare:
        results.samples.append((names, sample))
    counts = _counts_of(data, clusters)
    results.rows.append(names | _row_of_areas(counts, values, options))
    for kind in options.kinds if sample.has_both_classes else ():
        spacing = roc.n_pos / min(counts["n_positive"], _MOST_STEPS)
        curve = drawn_curve(roc, kind, options.prevalence, spacing, interpolated)
        results.curves.append((names, curve))
    return sample


def _add_threshold(results, names, data, clusters, options):
    """Add the threshold with the best objective; returns the `Sample`."""
    bounds = {name: getattr(options, name) for name in CONSTRAINTS}
    chosen = choose_from_arrays(
        # The program itself looks for predicted labels, because it knows all labels.
        (data.positive, as_response(data.score), None, data.weight),
        options.objective,
        bounds.values(),
        options.confidence_level,
        order_from=None,
        groups=clusters,
        prevalence=options.prevalence,
        random_state=0,
    )
    point = chosen.point()
    values = {"threshold": point.threshold, "objective": options.objective}
    values |= {"objective_value": point.objective_value}
    values |= {name: bound for name, bound in bounds.items() if bound is not None}
    values |= {rate.name: getattr(point, rate.name) for rate in CONSTRAINTS.values()}
    if options.confidence_level is not None:
        without = point.objective_value_without_guarantee
        values |= {
            "confidence_level": options.confidence_level,
            "objective_value_without_guarantee": without,
        }
    counts = _counts_of(data, clusters) | {"prevalence": options.prevalence}
    results.rows.append(names | counts | values)
    roc = from_counts(chosen.curve.fps, chosen.curve.tps)
    return Sample(data, roc, *shared_clusters(clusters))


def _row_of_areas(counts, values, options):
    """The columns of areas of one score, without its names.

    `counts` are those of `_counts_of`. A value that is not there is undefined if a class is
    missing; otherwise it was not asked for.
    """
    n_samples, n_positive = counts["n_samples"], counts["n_positive"]
    low, high = options.recall_range
    range_of_recall = {"recall_low": low, "recall_high": high}
    values = {"interval_level": options.level} | values
    # Without negatives AUC-PR and its minimum are 1, but not at a reference prevalence.
    has_minimum = n_positive and (n_positive < n_samples or not options.prevalence)
    if options.all_metrics and has_minimum:
        prevalence = options.prevalence or counts["own_prevalence"]
        values["auc_pr_min"] = lowest_area(prevalence, low, high).item()
    columns = _VALUES + _MORE_VALUES if options.all_metrics else _VALUES
    missing = math.nan if n_positive in (0, n_samples) else None
    values = {column: values.get(column, missing) for column in columns}
    return counts | {"prevalence": options.prevalence} | range_of_recall | values


def _counts_of(data, clusters=None):
    """Columns with the numbers of samples, positives and clusters, and the prevalence."""
    n_positive = int(np.count_nonzero(data.positive))
    counts = {"n_samples": len(data.positive), "n_positive": n_positive}
    if clusters is not None:
        counts["n_clusters"] = int(clusters.max()) + 1
    own_prevalence = float(np.average(data.positive, weights=data.weight))
    return counts | {"own_prevalence": own_prevalence}


def _interval_of(found):
    """Columns with the standard error and the confidence limits of a result."""
    columns = found.standard_error, *found.confidence_interval, found.confidence_level
    return dict(zip(("standard_error", *_LIMITS), columns, strict=True))


def _areas_of(roc, is_weighted, options):
    """Columns with the areas of a ROC curve that has a point at every threshold."""
    n_pos, n_neg = float(roc.n_pos), float(roc.n_neg)
    (low, high), prevalence = options.recall_range, options.prevalence
    values, metrics = {}, _metrics_of(options)
    stepwise = MetricWithOptions("average_precision", prevalence=prevalence)
    for key, metric in (metrics | {"average_precision": stepwise}).items():
        if n_pos and (n_neg or not metric.needs_negatives):
            values[key] = metric.value(roc)
    if n_pos and n_neg and options.all_metrics:
        # The area is computed from rates, because products of large weights would overflow.
        values["auc_roc"] = math.fsum(auc(p.fps / n_neg, p.tps / n_pos) for p in roc.parts)
    has_steps = options.all_metrics and not is_weighted and "auc_pr" in values
    if has_steps and n_pos <= _MOST_STEPS:
        steps = davis_goadrich_area(roc.at_prevalence(prevalence), low, high)
        values["auc_pr_davis_goadrich"] = steps
    return values


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
    doubts = [*first.shared_doubts("comparison")]
    how = Options(options.level)
    for a, b in combinations(samples, 2):
        pair = samples[a].difference(samples[b], how, (a, b))
        of_pair = samples[a].doubts_of_pair(samples[b], pair)
        doubts += [doubt.about(f"{a} - {b}") for doubt in of_pair]
        names = {"first": a, "second": b, "difference": pair.difference}
        results.pairs.append(names | _interval_of(pair) | {"pvalue": pair.pvalue})
    adjusted = holm([row["pvalue"] for row in results.pairs]).tolist()
    for row, pvalue in zip(results.pairs, adjusted, strict=True):
        row["pvalue_holm"] = pvalue
    warn_once(doubts)
