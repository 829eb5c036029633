"""The values and curves of score files, measured by the package."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import warnings
from argparse import Namespace
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import auc

from .. import out_of_core
from .._input.arrays import rescale
from .._input.labels import BinaryData
from .._input.options import MissingClassError, check_counts, require_classes
from .._metrics import MetricWithOptions
from .._plot.display_data import Curve, summaries_of
from .._roc.counting import every_threshold, from_counts
from ..areas import davis_goadrich_area
from ..curves import curve_of
from ..folds import area_of_folds, check_folds
from ..roc import pr_to_roc
from ..unachievable import auc_pr_min, min_precision
from ..uncertainty import auc_pr_interval, compare_models
from . import reading
from .reading import LABEL, WEIGHT, FileError, printable

LEVEL = 0.95
# The metrics by their keys in the results, and the areas of each curve.
METRICS = {
    "auc_pr": "auc_pr_interpolated",
    "auc_pr_achievable": "achievable_auc_pr",
    "aucnpr": "aucnpr",
}
CURVES = {
    "empirical": ("auc_pr_interpolated", "aucnpr"),
    "achievable": ("achievable_auc_pr", "achievable_aucnpr"),
}
_MOST_STEPS, _N_BINS, _ROUNDING = 10**8, 2**20, 1e-9
# How many times the bytes of its columns a file takes, and where curves are made.
_COPIES, _COPIES_FOR_CURVES = 6, 14


@dataclass
class Results:
    """All that is printed, written and drawn."""

    rows: list[dict] = field(default_factory=list)  # NaN undefined, None not meant
    pairs: list[dict] = field(default_factory=list)
    curves: list[tuple[dict, Curve]] = field(default_factory=list)  # names, curve
    samples: list[tuple[dict, BinaryData, np.ndarray | None]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @contextlib.contextmanager
    def capture(self, name):
        """Collect the first sentence of each warning, after the name of a file."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            # Of a missing class there is one warning per fold already.
            warnings.filterwarnings("ignore", "(?!The spread)", UndefinedMetricWarning)
            yield
        for warning in caught:
            note = str(warning.message).partition(". ")[0].rstrip(".").replace("`", "")
            self.warnings.append(f"{name}: {note[0].lower()}{note[1:]}")

    def add(self, names, counts, totals, values, options):
        """Add a row of values, those of the data first, and a warning of a missing class.

        `counts` are the numbers of samples and of positives, `totals` the weights of
        positives and of negatives.
        """
        (n, positives), (n_pos, n_neg), (low, high) = counts, totals, options.recall_range
        values = {
            "n": n,
            "positives": positives,
            "recall_low": low,
            "recall_high": high,
        } | values
        values["prevalence"] = float(n_pos / (n_pos + n_neg))
        values["assumed_prevalence"] = options.prevalence
        assumed, values["auc_pr_min"] = options.prevalence or values["prevalence"], math.nan
        if n_pos > 0 and (n_neg > 0 or not options.prevalence):
            # A fraction may be rounded to 1, of which the minimum is all.
            lowest = auc_pr_min(assumed, (low, high)) if assumed < 1 else high - low
            values["auc_pr_min"] = lowest
        self.rows.append(names | values)
        if positives in (0, n):
            fold = f"fold {names['fold']} " if names.get("fold") else ""
            missing = "negatives" if positives else "positives"
            note = f"has no {missing}: areas that need them are undefined"
            self.warnings.append(f"{printable(names['file'])}: {fold}{note}")


def results_of(options) -> Results:
    """The results of all files."""
    results = Results()
    for path in options.files:
        name = printable(path)
        with reading.temporary_folder(options.temp_folder) as folder, results.capture(name):
            try:
                _add_file(results, path, folder, options)
            except ValueError as error:  # e.g. weights too large for bounds
                raise FileError(f"{name}: {str(error).replace('`', '')}") from error
            finally:
                reading.progress()
    if options.compare:
        with results.capture("--compare"):
            results.pairs = _pairs_of(results, options)
    return results


def _add_file(results, path, folder, options):
    batches = reading.batches_of(path, folder, options)
    if options.bounds:
        _add_bounds(results, path, batches, options)
        return
    memory, found, size = _memory(options), [], 0
    copies = _COPIES_FOR_CURVES if options.curve or options.plot else _COPIES
    for rows in batches:
        found.append(rows)
        size += sum(v.nbytes for (role, _), v in rows.items() if role != "column")
        if size * copies > memory:
            earlier = (found.pop() for _ in range(len(found)))
            rest = itertools.chain(earlier, batches)
            _add_stored(results, path, folder, rest, memory, options)
            return
    rows = {key: np.concatenate([r.pop(key) for r in found]) for key in [*found[0]]}
    if options.points:
        roc, n_pos = _roc_of_points([*rows.values()], options), options.n_pos
        counts, spacing = (n_pos + options.n_neg, n_pos), max(1, n_pos / _MOST_STEPS)
        _add_measured(results, {"file": path}, roc, counts, spacing, options)
        return
    if WEIGHT in rows:
        rows[WEIGHT] = rescale(rows[WEIGHT], rows[WEIGHT].max())
    groups = rows.get(("column", options.groups))
    for names, key in _named(path, rows):
        data = BinaryData(rows[LABEL], rows[key], rows.get(WEIGHT))
        if options.fold is None:
            results.samples.append((names, data, groups))
            _add_samples(results, names, data, groups, options)
        else:
            texts = rows["column", options.fold]
            _add_folds(results, names, data, groups, texts, options)


def _named(path, rows):
    """The names of each column of scores in the results, and its key in the rows."""
    keys = [key for key in rows if key[0] == "score"]
    for key in keys:
        yield {"file": path} | ({"score": key[1]} if len(keys) > 1 else {}), key


def _how(options):
    return {"recall_range": options.recall_range, "prevalence": options.prevalence}


# Rows in memory


def _add_samples(results, names, data, groups, options):
    positive, score, weight = data
    counts = len(positive), int(np.count_nonzero(positive))
    spacing = 1 if weight is None or not counts[1] else weight[positive].mean()
    interval = ()
    if options.interval is not None:
        level = {"confidence_level": options.interval}
        more = {"sample_weight": weight, "groups": groups, **level, **_how(options)}
        interval = _interval_of(auc_pr_interval(positive, score, **more), level)
    _add_measured(results, names, every_threshold(data), counts, spacing, options, interval)


def _auc_roc(roc):
    require_classes(roc.n_pos, roc.n_neg, negatives=True)
    # Of rates: products of large weights overflow.
    n_pos, n_neg = float(roc.n_pos), float(roc.n_neg)
    return math.fsum(auc(part.fps / n_neg, part.tps / n_pos) for part in roc.parts)


def _add_measured(results, names, roc, counts, spacing, options, interval=()):
    """Add the values and the curves of a ROC curve with every threshold."""
    (low, high), prevalence = options.recall_range, options.prevalence

    def value_of(metric):
        return MetricWithOptions(metric, low, high, prevalence).value(roc)

    def steps():
        if options.weight is not None or roc.n_pos > _MOST_STEPS:
            return None
        return davis_goadrich_area(roc.at_prevalence(prevalence), low, high)

    measures = {key: partial(value_of, metric) for key, metric in METRICS.items()}
    measures["average_precision"] = partial(value_of, "average_precision")
    measures |= {"auc_pr_davis_goadrich": steps, "auc_roc": partial(_auc_roc, roc)}
    values = dict(interval)
    for key, measure in measures.items():
        values[key] = math.nan
        with contextlib.suppress(MissingClassError):
            values[key] = measure()
    results.add(names, counts, (roc.n_pos, roc.n_neg), values, options)
    if not (options.curve or options.plot) or math.isnan(values["auc_pr"]):
        return
    fraction = results.rows[-1]["prevalence"]
    for kind in CURVES if options.which == "both" else [options.which]:
        drawn = (roc.hull() if kind == "achievable" else roc).at_prevalence(prevalence)
        auc_pr, aucnpr = CURVES[kind]
        curve = Curve(*curve_of(drawn, spacing), auc_pr=value_of(auc_pr), kind=kind)
        if fraction < 1:  # it may be rounded to 1
            assumed = prevalence or fraction
            curve = curve._replace(aucnpr=value_of(aucnpr), prevalence=assumed)
        results.curves.append((names, curve))


def _add_folds(results, names, data, groups, texts, options):
    """Values per fold, all at one prevalence, then those of their summary."""
    folds = {text: np.flatnonzero(texts == text) for text in dict.fromkeys(texts.tolist())}
    columns = [[None if c is None else c[i] for i in folds.values()] for c in data]
    if not any(labels.any() and not labels.all() for labels in columns[0]):
        raise ValueError("--fold: no fold has rows of both classes.")
    weights = None if data.weight is None else columns[2]
    prevalence = options.prevalence or "pooled"
    found = check_folds(*columns[:2], weights, None, prevalence, "empirical", None)
    options = Namespace(**vars(options) | {"prevalence": found.prevalence})
    for (fold, rows), *of_fold in zip(folds.items(), *columns, strict=True):
        of_group = None if groups is None else groups[rows]
        named = names | {"fold": fold}
        _add_samples(results, named, BinaryData(*of_fold), of_group, options)
    low, high = options.recall_range

    def area_of(metric):
        is_hull = metric.startswith("achievable")
        rocs = [roc.hull() for roc in found.rocs] if is_hull else found.rocs
        return area_of_folds(found._replace(rocs=rocs), metric=metric, low=low, high=high)

    counts = len(texts), int(np.count_nonzero(data.positive))
    fraction = float(np.average(data.positive, weights=data.weight))
    values = {key: area_of(metric) for key, metric in METRICS.items()}
    names = names | {"fold": None}
    results.add(names, counts, (fraction, 1 - fraction), values, options)
    if options.curve or options.plot:
        band = "folds" if len(found.rocs) > 1 else None
        for curve in summaries_of(found, options.which, band):
            auc_pr, aucnpr = map(area_of, CURVES[curve.kind])
            results.curves.append((names, curve._replace(auc_pr=auc_pr, aucnpr=aucnpr)))


def _pairs_of(results, options):
    """The difference of each pair of columns or files, which must have the same samples."""
    (own, data, groups), *others = results.samples
    for names, other, other_groups in others:
        for what, ours, theirs in (
            ("labels", data.positive, other.positive),
            ("weights", data.weight, other.weight),
            ("groups", groups, other_groups),
        ):
            if not np.array_equal(ours, theirs):
                are = f"its {what} are not those of {printable(own['file'])}"
                needs = "--compare needs the same rows in the same order"
                raise FileError(f"{printable(names['file'])}: {are}: {needs}.")
    scores = {}
    for names, other, _ in results.samples:
        parts = names["file"] * (len(options.files) > 1), names.get("score")
        scores[": ".join(filter(None, parts))] = other.score
    level = {"confidence_level": options.interval or LEVEL}
    more = {"sample_weight": data.weight, "groups": groups, **level, **_how(options)}
    found = compare_models(data.positive, scores, **more)
    return [
        {"first": first, "second": second, "difference": pair.difference}
        | _interval_of(pair, level)
        | {"pvalue": pair.pvalue, "pvalue_holm": found.adjusted_pvalues[first, second]}
        for (first, second), pair in found.pairs.items()
    ]


def _interval_of(found, level):
    low, high = found.confidence_interval
    limits = {"confidence_low": low, "confidence_high": high}
    return {"standard_error": found.standard_error, **level, **limits}


# Rows that are not in memory together


def _memory(options):
    """How many bytes the rows may take: half of the machine's memory by default."""
    if options.max_memory is not None:
        return options.max_memory
    sizes = [2**33]
    with contextlib.suppress(AttributeError, OSError, ValueError):
        sizes = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for path in ("memory.max", "memory/memory.limit_in_bytes"):  # of a container
        with contextlib.suppress(OSError, ValueError):
            sizes.append(int(Path("/sys/fs/cgroup", path).read_text("ascii")))
    return min(sizes) // 2


def _add_bounds(results, path, batches, options):
    """Bounds for each column of scores, in one pass."""
    counters, n = {}, np.zeros(2, np.int64)
    for rows in batches:
        n += len(rows[LABEL]), np.count_nonzero(rows[LABEL])
        for names, key in _named(path, rows):
            _, counter = counters.setdefault(key, (names, out_of_core.PRCounts(_N_BINS)))
            counter.update(rows[LABEL], rows[key], sample_weight=rows.get(WEIGHT))
    how = _how(options)
    for names, counter in counters.values():
        bounds = {
            "auc_pr": counter.auc_pr(**how),
            "auc_pr_achievable": counter.auc_pr(curve="achievable", **how),
            "aucnpr": counter.aucnpr(**how),
        }
        values = {
            f"{name}_{end}": value
            for name, of_name in bounds.items()
            for end, value in of_name._asdict().items()
        }
        results.add(names, n.tolist(), (counter.n_pos, counter.n_neg), values, options)


def _add_stored(results, path, folder, batches, memory, options):
    """Exact areas for each column of scores, of rows stored in temporary files."""
    too_large = f"{printable(path)}: does not fit into {memory / 2**20:.6g} MiB of memory"
    for option in ("interval", "compare", "fold", "curve", "plot"):
        if getattr(options, option):
            needs = f"--{option} needs all rows. Raise --max-memory"
            raise FileError(f"{too_large}, and {needs}.")
    n, totals = np.zeros(2, np.int64), np.zeros(2)
    for number, rows in enumerate(batches):
        positive, weight = rows[LABEL], rows.get(WEIGHT, np.ones(len(rows[LABEL])))
        n += len(positive), np.count_nonzero(positive)
        totals += weight[positive].sum(), weight[~positive].sum()
        with reading.writing_temporary_files(options.temp_folder):
            stored = reading.pl.DataFrame(
                {str(key): values for key, values in rows.items()}
            )
            stored.write_ipc(Path(folder, f"{number}.rows"))
    frame = reading.pl.scan_ipc(Path(folder, "*.rows"))
    weight = str(WEIGHT) if WEIGHT in rows else None
    more = {"max_memory": min(memory, 2**30), "temp_folder": folder, **_how(options)}
    absent = "auc_pr_davis_goadrich", "average_precision", "auc_roc"
    for names, key in _named(path, rows):
        values = dict.fromkeys(absent)
        for name, metric in METRICS.items():
            columns = str(LABEL), str(key)
            with reading.writing_temporary_files(options.temp_folder):
                values[name] = out_of_core.auc_pr_from_frame(
                    frame, *columns, sample_weight=weight, metric=metric, **more
                )
        results.add(names, n.tolist(), totals.tolist(), values, options)
    note = "its rows were sorted in temporary files, for the areas only"
    results.warnings.append(f"{too_large}: {note}")


# Points of a published curve


def _roc_of_points(rates, options):
    """The ROC curve of points, made counts of the totals of the classes."""
    n_pos, n_neg, (fpr, tpr) = options.n_pos, options.n_neg, rates
    if options.points == "pr":
        # A point at recall 0 says nothing of the false positives.
        recall, precision = np.array(rates)[:, rates[0] > 0]
        prevalence = n_pos / (n_pos + n_neg)
        lowest = min_precision(recall, prevalence)
        is_rounded = (precision < lowest) & (precision >= lowest * (1 - _ROUNDING))
        precision = np.where(is_rounded, lowest, precision)
        fpr, tpr = pr_to_roc(precision, recall, prevalence)
    fps, tps = _whole(fpr * n_neg), _whole(tpr * n_pos)
    order = np.lexsort((fps, tps))
    fps, tps = fps[order], tps[order]
    highest = np.maximum.accumulate(fps)
    falls = highest - fps > _ROUNDING * np.maximum(highest, 1)
    return from_counts(*check_counts(tps, np.where(falls, fps, highest), n_pos, n_neg))


def _whole(counts):
    """Counts, as whole numbers where they are but for rounding."""
    nearest = np.round(counts)
    is_whole = np.abs(counts - nearest) <= _ROUNDING * np.maximum(nearest, 1)
    return np.where(is_whole, nearest, counts)
