"""The values and curves of score files, measured by the package."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import math
import os
import warnings
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import auc

from .._input.arrays import rescale
from .._input.labels import BinaryData
from .._input.options import MissingClassError, check_counts
from .._metrics import MetricWithOptions
from .._plot.display_data import Curve, summaries_of
from .._roc.counting import every_threshold, from_counts
from ..areas import area, davis_goadrich_area, normalized_area
from ..curves import curve_of
from ..folds import area_of_folds, check_folds
from ..out_of_core import PRCounts, auc_pr_from_batches
from ..roc import pr_to_roc
from ..unachievable import auc_pr_min, min_precision
from ..uncertainty import auc_pr_interval, compare_auc_pr
from .reading import (
    LABEL,
    WEIGHT,
    Columns,
    FileError,
    opened,
    printable,
    read_points,
    shown_name,
    writing_temporary_files,
)

LEVEL, ALL_RECALLS = 0.95, (0.0, 1.0)
CURVES = {"empirical": "auc_pr_interpolated", "achievable": "achievable_auc_pr"}
_MOST_STEPS, _N_BINS, _ROWS_AT_ONCE = 10**8, 2**20, 2**20
# How many times the bytes of its columns a file takes, and where curves are made.
_COPIES, _COPIES_FOR_CURVES = 6, 14
_METRICS = {
    "auc_pr": "auc_pr_interpolated",
    "auc_pr_achievable": "achievable_auc_pr",
    "aucnpr": "aucnpr",
}
# What the table calls the values, by their keys in JSON and CSV.
_DATA_TITLES = {
    "n": "n",
    "positives": "positives",
    "prevalence": "prevalence",
    "assumed_prevalence": "assumed prevalence",
    "recall_low": "from recall",
    "recall_high": "to recall",
}
_AREA_TITLES = {
    "auc_pr": "AUC-PR, exact",
    "auc_pr_achievable": "AUC-PR, achievable",
    "aucnpr": "AUCNPR",
    "auc_pr_min": "minimum AUC-PR",
    "auc_pr_davis_goadrich": "AUC-PR, as AUCCalculator",
    "average_precision": "average precision",
    "auc_roc": "AUC-ROC",
}
BOUND_TITLES = {
    f"{key}_{end}": f"{title}, {called}"
    for key, title in zip(_METRICS, ("AUC-PR", "achievable", "AUCNPR"), strict=True)
    for end, called in {"low": "lower", "estimate": "estimate", "high": "upper"}.items()
}
INTERVAL_TITLES = {
    "standard_error": "standard error",
    "confidence_level": "confidence level",
    "confidence_low": "lower limit",
    "confidence_high": "upper limit",
}
PAIR_TITLES = {
    "first": "first",
    "second": "second",
    "difference": "difference",
    **INTERVAL_TITLES,
    "pvalue": "p-value",
    "pvalue_holm": "p-value, Holm",
}


def titles(options) -> dict[str, str]:
    """What the table calls the values, by their keys."""
    if options.bounds:
        return _DATA_TITLES | BOUND_TITLES | {"auc_pr_min": _AREA_TITLES["auc_pr_min"]}
    intervals = {} if options.interval is None else INTERVAL_TITLES
    return _DATA_TITLES | _AREA_TITLES | intervals


@dataclass(frozen=True)
class Result:
    """All that the scores of one column of one file give."""

    file: str
    score: str = ""  # the column, if several are read
    fold: str | None = ""  # "" without folds, None for their summary
    values: dict[str, Any] = field(default_factory=dict)  # NaN undefined, None not meant
    curves: list = field(default_factory=list)  # of `_plot.display_data.Curve`
    notes: tuple[str, ...] = ()
    data: Any = None  # `BinaryData`, if all rows are in memory
    groups: np.ndarray | None = None


def results_of(path: str, options) -> list[Result]:
    """A result for each column of scores of a file, or for each of its folds."""
    texts = (*dict.fromkeys(filter(None, (options.groups, options.fold))),)
    columns = Columns(
        (*dict.fromkeys(options.score),),
        options.label,
        options.weight,
        texts,
        options.all_scores,
        options.pos_label,
    )
    if options.points and os.path.isdir(path):
        raise FileError(f"{path}: is a folder: --points reads files.")
    with opened(path, options.temp_folder) as file:
        if options.points:
            return [_of_points(Result(path), file, options)]
        batches = file.batches(columns)
        if options.bounds:
            return _of_bounds(Result(path), file, batches, options)
        found, size = [], 0
        for rows in batches:
            found.append(rows)
            size += sum(
                values.nbytes for (role, _), values in rows.items() if role != "column"
            )
            if size > _room(options):
                batches = itertools.chain(_emptied(found), batches)
                return _of_stored(Result(path), file, batches, options)
    rows = {
        key: np.concatenate([rows.pop(key) for rows in found]) for key in found[0].copy()
    }
    if WEIGHT in rows:
        rows[WEIGHT] = rescale(rows[WEIGHT], rows[WEIGHT].max())
    results = []
    for result, key in _by_column(Result(path), rows):
        groups = rows.get(("column", options.groups))
        data = BinaryData(rows[LABEL], rows[key], rows.get(WEIGHT))
        result = replace(result, data=data, groups=groups)
        if options.fold is None:
            results.append(_of_rows(result, options))
        else:
            results += _of_folds(result, rows["column", options.fold], options)
    return results


def _emptied(batches):
    while batches:
        yield batches.pop(0)


def _by_column(result, rows):
    """A result with its name for each column of scores, and the key of the column."""
    keys = [key for key in rows if key[0] == "score"]
    for key in keys:
        yield replace(result, score=key[1] if len(keys) > 1 else ""), key


# Rows in memory


def _of_rows(result, options):
    """The result with the values of its data."""
    positive, _, weight = data = result.data
    spacing = 1
    if weight is not None and positive.any():
        spacing = weight[positive].mean()
    counts = len(positive), int(np.count_nonzero(positive))
    result = _measured(result, every_threshold(data), counts, spacing, options)
    if options.interval is None:
        return result
    limits = dict.fromkeys(INTERVAL_TITLES, math.nan) | {
        "confidence_level": options.interval
    }
    notes: list[str] = []
    if 0 < counts[1] < counts[0]:
        with captured_warnings(notes):
            found = auc_pr_interval(
                positive,
                data.score,
                confidence_level=options.interval,
                sample_weight=weight,
                groups=result.groups,
                **_range_and_prevalence(options),
            )
        limits["standard_error"] = found.standard_error
        limits["confidence_low"], limits["confidence_high"] = found.confidence_interval
    return replace(result, values=result.values | limits, notes=(*notes,))


def _measured(result, roc, counts, spacing, options):
    """The result with the values and the curves of a ROC curve at every threshold."""
    (low, high), prevalence = options.recall_range, options.prevalence
    takes_steps = options.weight is None and roc.n_pos <= _MOST_STEPS

    def defined(measure, roc):
        with contextlib.suppress(MissingClassError):
            return measure(roc)
        return math.nan

    def value(name):
        return defined(MetricWithOptions(name, low, high, prevalence).value, roc)

    def steps(roc):
        return davis_goadrich_area(roc.at_prevalence(prevalence), low, high)

    values = _values_of_data(*counts, roc.n_pos, roc.n_neg, options)
    values |= {key: value(name) for key, name in _METRICS.items()}
    values["auc_pr_davis_goadrich"] = defined(steps, roc) if takes_steps else None
    values["average_precision"] = value("average_precision")
    values["auc_roc"] = _auc_roc(roc) if values["aucnpr"] == values["aucnpr"] else math.nan
    curves = []
    if (options.curve or options.plot) and not math.isnan(values["auc_pr"]):
        kinds = [kind for kind in CURVES if options.which in (kind, "both")]
        curves = [_curve_of(roc, kind, spacing, options) for kind in kinds]
    return replace(result, values=values, curves=curves)


def _values_of_data(n, positives, n_pos, n_neg, options):
    """All values undefined or as they were asked for, but those of the data."""
    low, high = options.recall_range
    found = float(n_pos / (n_pos + n_neg))
    assumed = options.prevalence or found
    if n_pos == 0 or (n_neg == 0 and options.prevalence):
        minimum = math.nan
    else:  # a fraction may be rounded to 0 or 1
        minimum = (
            auc_pr_min(assumed, (low, high)) if 0 < assumed < 1 else assumed * (high - low)
        )
    return dict.fromkeys(titles(options)) | {
        "n": n,
        "positives": positives,
        "prevalence": found,
        "assumed_prevalence": options.prevalence,
        "recall_low": low,
        "recall_high": high,
        "auc_pr_min": minimum,
    }


def _auc_roc(roc):
    # Of rates: products of large weights overflow.
    n_pos, n_neg = float(roc.n_pos), float(roc.n_neg)
    return math.fsum(auc(part.fps / n_neg, part.tps / n_pos) for part in roc.parts)


def _curve_of(roc, kind, spacing, options):
    """The points of a curve by falling recall, and its areas over the recalls asked for."""
    low, high = options.recall_range
    found = float(roc.n_pos / (roc.n_pos + roc.n_neg))
    roc = (roc.hull() if kind == "achievable" else roc).at_prevalence(options.prevalence)
    has_both = found < 1  # it may be rounded to 1
    return Curve(
        *curve_of(roc, spacing),
        auc_pr=area(roc, low, high),
        aucnpr=normalized_area(roc, low, high) if has_both else None,
        prevalence=(options.prevalence or found) if has_both else None,
        kind=kind,
    )


def _range_and_prevalence(options):
    return {"recall_range": tuple(options.recall_range), "prevalence": options.prevalence}


@contextlib.contextmanager
def captured_warnings(notes, without=()):
    """Collect the first sentence of each warning, without those printed elsewhere."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        if not issubclass(warning.category, without):
            note = str(warning.message).partition(". ")[0].rstrip(".").replace("`", "")
            notes.append(note[0].lower() + note[1:])


def _of_folds(result, texts, options):
    """A result per fold, all at one prevalence, then that of their summary."""
    positive, _, weight = result.data
    folds = {text: np.flatnonzero(texts == text) for text in dict.fromkeys(texts.tolist())}
    columns = [[None if c is None else c[i] for i in folds.values()] for c in result.data]
    if not any(labels.any() and not labels.all() for labels in columns[0]):
        raise FileError(f"{result.file}: --fold: no fold has rows of both classes.")
    notes: list[str] = []
    with captured_warnings(notes, (UndefinedMetricWarning,)):
        weights = None if weight is None else columns[2]
        prevalence = "pooled" if options.prevalence is None else options.prevalence
        found = check_folds(*columns[:2], weights, None, prevalence, "empirical", None)
    options = argparse.Namespace(**vars(options) | {"prevalence": found.prevalence})
    results = []
    for name, *of_fold in zip(folds, *columns, strict=True):
        groups = None if result.groups is None else result.groups[folds[name]]
        one = replace(result, fold=name, data=BinaryData(*of_fold), groups=groups)
        results.append(_of_rows(one, options))
    low, high = options.recall_range
    hulls = found._replace(rocs=[roc.hull() for roc in found.rocs], curve="achievable")
    of_kind = {"empirical": found, "achievable": hulls}

    def area_of(kind, metric="auc_pr_interpolated"):
        return area_of_folds(of_kind[kind], metric=metric, low=low, high=high)

    counts = len(positive), int(np.count_nonzero(positive))
    fraction = float(np.average(positive, weights=weight))
    values = _values_of_data(*counts, fraction, 1 - fraction, options)
    values |= {"auc_pr": area_of("empirical"), "auc_pr_achievable": area_of("achievable")}
    values["aucnpr"] = area_of("empirical", "aucnpr")
    curves = []
    if options.curve or options.plot:
        band = "folds" if len(found.rocs) > 1 else None
        for curve in summaries_of(found, options.which, band):
            areas = area_of(curve.kind), area_of(curve.kind, "aucnpr")
            curves.append(curve._replace(auc_pr=areas[0], aucnpr=areas[1]))
    summary = replace(result, fold=None, values=values, curves=curves, notes=(*notes,))
    return [*results, summary]


def pairs_of(results: list[Result], options) -> list[dict[str, Any]]:
    """The difference of each pair of columns or files, by the keys of `PAIR_TITLES`."""
    first, *others = results
    for other in others:
        _check_same_rows(first, other)
    if not 0 < first.values["positives"] < first.values["n"]:
        raise FileError(f"{shown_name(first.file)}: --compare needs rows of both classes.")
    level = LEVEL if options.interval is None else options.interval
    pairs = []
    for a, b in itertools.combinations(results, 2):
        found = compare_auc_pr(
            a.data.positive,
            a.data.score,
            b.data.score,
            confidence_level=level,
            groups=a.groups,
            sample_weight=a.data.weight,
            **_range_and_prevalence(options),
        )
        names = (_name_of(result, len(options.files) > 1) for result in (a, b))
        limits = found.confidence_interval
        shown = found.difference, found.standard_error, level, *limits, found.pvalue
        pairs.append(dict(zip(PAIR_TITLES, (*names, *shown), strict=False)))
    adjusted = holm(np.array([pair["pvalue"] for pair in pairs])).tolist()
    return [pair | {"pvalue_holm": p} for pair, p in zip(pairs, adjusted, strict=True)]


def _name_of(result, has_file):
    return ": ".join(filter(None, (result.file if has_file else "", result.score)))


def _check_same_rows(first, other):
    """Raise an error if the rows of two results differ in more than their scores."""
    columns = zip(
        ("labels", "weights", "groups"),
        (first.data.positive, first.data.weight, first.groups),
        (other.data.positive, other.data.weight, other.groups),
        strict=True,
    )
    for what, ours, theirs in columns:
        if ours is not None and not np.array_equal(ours, theirs):
            are = f"its {what} are not those of {shown_name(first.file)}"
            needs = "--compare needs the same rows in the same order"
            raise FileError(f"{shown_name(other.file)}: {are}: {needs}.")


def holm(pvalues: np.ndarray) -> np.ndarray:
    """P-values adjusted for their number by Holm's step-down method; NaN stays."""
    order = np.argsort(pvalues)
    steps = pvalues[order] * np.arange(len(pvalues), 0, -1)
    adjusted = np.empty(len(pvalues))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return adjusted


# Rows that are not in memory together


def _room(options):
    """How many bytes the columns of a file may have, to be measured in memory."""
    has_curves = options.curve is not None or options.plot is not None
    return _memory(options) / (_COPIES_FOR_CURVES if has_curves else _COPIES)


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


@contextlib.contextmanager
def _of_batches(file):
    """Make what a batch cannot be a `FileError`; what is undefined is printed elsewhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        try:
            yield
        except ValueError as error:
            raise FileError(f"{file.name}: {str(error).replace('`', '')}") from error


def _of_bounds(result, file, batches, options):
    """Bounds for each column of scores, in one pass."""
    counts, n = {}, np.zeros(2, np.int64)
    with _of_batches(file):
        for rows in batches:
            n += len(rows[LABEL]), np.count_nonzero(rows[LABEL])
            for one, key in _by_column(result, rows):
                _, counter = counts.setdefault(key, (one, PRCounts(_N_BINS)))
                counter.update(rows[LABEL], rows[key], sample_weight=rows.get(WEIGHT))
    results = []
    for one, counter in counts.values():
        values = _values_of_data(*n.tolist(), counter.n_pos, counter.n_neg, options)
        how = _range_and_prevalence(options)
        with _of_batches(file):
            bounds = {
                "auc_pr": counter.auc_pr(**how),
                "auc_pr_achievable": counter.auc_pr(curve="achievable", **how),
                "aucnpr": counter.aucnpr(**how),
            }
        for name, found in bounds.items():
            values |= {f"{name}_{end}": value for end, value in found._asdict().items()}
        results.append(replace(one, values=values))
    return results


def _of_stored(result, file, batches, options):
    """Exact areas for each column of scores, of rows stored in temporary files."""
    memory = _memory(options)
    too_large = f"does not fit into {memory / 2**20:.6g} MiB of memory"
    for option in ("interval", "compare", "fold", "curve", "plot"):
        if getattr(options, option) not in (None, False):
            needs = f"--{option} needs all rows. Raise --max-memory"
            raise FileError(f"{file.name}: {too_large}, and {needs}.")
    stored, n, totals = Path(file.folder()), np.zeros(2, np.int64), np.zeros(2)
    for rows in batches:
        positive = rows[LABEL]
        weight = rows.get(WEIGHT, np.ones(len(positive)))
        n += len(positive), np.count_nonzero(positive)
        totals += weight[positive].sum(), weight[~positive].sum()
        with writing_temporary_files(options.temp_folder):
            for at, values in enumerate(rows.values()):
                with open(stored / f"column {at}", "ab") as stream:
                    stream.write(np.ascontiguousarray(values).data)
    places = {
        key: (stored / f"column {at}", v.dtype) for at, (key, v) in enumerate(rows.items())
    }
    note = f"{too_large}: its rows were sorted in temporary files, for the areas only"
    results = []
    for one, key in _by_column(result, rows):
        keys = [k for k in (LABEL, key, WEIGHT) if k in places]
        values = _values_of_data(*n.tolist(), *totals.tolist(), options)
        for name, metric in _METRICS.items():
            with writing_temporary_files(options.temp_folder), _of_batches(file):
                values[name] = auc_pr_from_batches(
                    lambda keys=keys: _stored_batches([places[key] for key in keys]),
                    metric=metric,
                    max_memory=min(memory, 2**30),
                    temp_folder=stored,
                    **_range_and_prevalence(options),
                )
        results.append(replace(one, values=values, notes=(note,)))
    return results


def _stored_batches(columns):
    for row in itertools.count(0, _ROWS_AT_ONCE):
        batch = [
            np.fromfile(path, dtype, _ROWS_AT_ONCE, offset=row * dtype.itemsize)
            for path, dtype in columns
        ]
        if not len(batch[0]):
            return
        yield (*batch,)


# Points of a published curve


def _of_points(result, file, options):
    """The result of points, made counts of the totals of the classes."""
    n_pos, n_neg = options.n_pos, options.n_neg
    pairs, places = read_points(file, options.points)
    if options.points == "pr":
        pairs, places = _rates_of_points(pairs, places, file, n_pos / (n_pos + n_neg))
    if not len(pairs):
        raise FileError(f"{file.name}: holds no points at a recall above 0.")
    fps, tps = (
        _whole(rates * total) for rates, total in zip(pairs.T, (n_neg, n_pos), strict=True)
    )
    order = np.lexsort((fps, tps))
    fps, tps, places = fps[order], tps[order], np.array(places)[order]
    highest = np.maximum.accumulate(fps)
    falls = highest - fps > 1e-9 * np.maximum(highest, 1)
    if falls.any():
        later = int(np.argmax(falls))
        earlier = int(np.argmax(fps[: later + 1]))
        raise FileError(
            f"{file.name}, {places[later]}: no ranking has this point and that of "
            f"{places[earlier]}: from {tps[earlier]:.6g} to {tps[later]:.6g} true "
            f"positives the false positives fall from {fps[earlier]:.6g} to "
            f"{fps[later]:.6g}. Leave one out; give rounded points with more digits."
        )
    roc = from_counts(*check_counts(tps, highest, n_pos, n_neg))
    spacing = max(1, n_pos / _MOST_STEPS)
    return _measured(result, roc, (n_pos + n_neg, n_pos), spacing, options)


def _rates_of_points(pairs, places, file, prevalence):
    """Rates of the points with a recall above 0; others have no false positive rate."""
    recall, precision = pairs[pairs[:, 0] > 0].T
    places = [place for place, r in zip(places, pairs[:, 0], strict=True) if r > 0]
    lowest = min_precision(recall, prevalence)
    # The precision may be rounded.
    wrong = precision < lowest * (1 - 1e-9)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise FileError(
            f"{file.name}, {places[at]}: the lowest precision at recall {recall[at]:g} is "
            f"{lowest[at]:.6g}; check --n-pos and --n-neg, and that recall comes first."
        )
    return np.column_stack(
        pr_to_roc(np.maximum(precision, lowest), recall, prevalence)
    ), places


def _whole(counts):
    """Counts, as whole numbers where they are but for rounding."""
    nearest = np.round(counts)
    is_whole = np.abs(counts - nearest) <= 1e-9 * np.maximum(nearest, 1)
    return np.where(is_whole, nearest, counts)


def warnings_of(results: list[Result]):
    """What there is to say of the results."""
    for result in results:
        of_fold = f"fold {printable(result.fold)}" if result.fold else ""
        positives, n = result.values["positives"], result.values["n"]
        if positives == 0:
            why = "has no positives: every area is undefined"
        elif positives == n:
            why = "has no negatives: AUCNPR and AUC-ROC are undefined"
            if result.values["assumed_prevalence"] is not None:
                why = "has no negatives: at another prevalence all is undefined"
        else:
            why = None
        if why:
            yield f"{shown_name(result.file)}: {of_fold} {why}".replace("  ", " ")
        for note in result.notes:
            yield ": ".join(filter(None, (shown_name(result.file), of_fold, note)))
