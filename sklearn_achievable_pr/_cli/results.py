"""The values and curves of score files, measured by the package."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

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
from .reading import LABEL, WEIGHT, Columns, FileError, opened, writing_temporary_files

LEVEL = 0.95
CURVES = {"empirical": "auc_pr_interpolated", "achievable": "achievable_auc_pr"}
_MOST_STEPS, _N_BINS, _ROWS_AT_ONCE = 10**8, 2**20, 2**20
# How many times the bytes of its columns a file takes, and where curves are made.
_COPIES, _COPIES_FOR_CURVES = 6, 14
# What the table calls the values, by their keys in JSON and CSV.
DATA_TITLES = {
    "n": "n",
    "positives": "positives",
    "prevalence": "prevalence",
    "assumed_prevalence": "assumed prevalence",
    "recall_low": "from recall",
    "recall_high": "to recall",
}
AREA_TITLES = {
    "auc_pr": "AUC-PR, exact",
    "auc_pr_achievable": "AUC-PR, achievable",
    "aucnpr": "AUCNPR",
    "auc_pr_min": "minimum AUC-PR",
    "auc_pr_davis_goadrich": "AUC-PR, as AUCCalculator",
    "average_precision": "average precision",
    "auc_roc": "AUC-ROC",
}
_METRICS = {
    "auc_pr": "auc_pr_interpolated",
    "auc_pr_achievable": "achievable_auc_pr",
    "aucnpr": "aucnpr",
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
        return DATA_TITLES | BOUND_TITLES | {"auc_pr_min": AREA_TITLES["auc_pr_min"]}
    intervals = {} if options.interval is None else INTERVAL_TITLES
    return DATA_TITLES | AREA_TITLES | intervals


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

    def add(self, names, values, curves=()):
        """Add the values and curves of a column of scores, with a warning of one class."""
        self.rows.append(names | values)
        self.curves += [(names, curve) for curve in curves]
        what = " ".join(
            [f"{names['file']}:", *["fold", names.get("fold")] * bool(names.get("fold"))]
        )
        if values["positives"] in (0, values["n"]):
            missing = "negatives" if values["positives"] else "positives"
            self.warnings.append(
                f"{what} has no {missing}: areas that need them are undefined"
            )


def results_of(options) -> Results:
    """The results of all files."""
    results = Results()
    texts = (*dict.fromkeys(filter(None, (options.groups, options.fold))),)
    columns = Columns(
        (*dict.fromkeys(options.score),),
        options.label,
        options.weight,
        texts,
        options.all_scores,
        options.pos_label,
        {None: (), "pr": ("recall", "precision"), "roc": ("fpr", "tpr")}[options.points],
    )
    for path in options.files:
        with opened(path, options.temp_folder) as file, results.capture(file.name):
            try:
                _add_file(results, path, file, columns, options)
            except ValueError as error:  # e.g. weights too large for bounds
                raise FileError(f"{file.name}: {str(error).replace('`', '')}") from error
    if options.compare:
        with results.capture("--compare"):
            results.pairs = _pairs_of(results, options)
    return results


def _add_file(results, path, file, columns, options):
    batches = file.batches(columns)
    if options.bounds:
        _add_bounds(results, path, batches, options)
        return
    copies = _COPIES_FOR_CURVES if options.curve or options.plot else _COPIES
    memory, found, size = _memory(options), [], 0
    for rows in batches:
        found.append(rows)
        size += sum(v.nbytes for (role, _), v in rows.items() if role != "column")
        if size * copies > memory:
            break
    else:
        rows = {key: np.concatenate([r.pop(key) for r in found]) for key in rows.copy()}
        if options.points:
            _add_points(results, path, file, [*rows.values()], options)
            return
        if WEIGHT in rows:
            rows[WEIGHT] = rescale(rows[WEIGHT], rows[WEIGHT].max())
        for names, key in _named(path, rows):
            data = BinaryData(rows[LABEL], rows[key], rows.get(WEIGHT))
            groups = rows.get(("column", options.groups))
            if options.fold is None:
                results.samples.append((names, data, groups))
                _add_samples(results, names, data, groups, options)
            else:
                _add_folds(
                    results, names, data, groups, rows["column", options.fold], options
                )
        return
    _add_stored(results, path, file, itertools.chain(_emptied(found), batches), options)


def _emptied(batches):
    while batches:
        yield batches.pop(0)


def _named(path, rows):
    """The names of each column of scores in the results, and its key in the rows."""
    keys = [key for key in rows if key[0] == "score"]
    for key in keys:
        yield {"file": path} | ({"score": key[1]} if len(keys) > 1 else {}), key


def _how(options):
    return {"recall_range": tuple(options.recall_range), "prevalence": options.prevalence}


# Rows in memory


def _add_samples(results, names, data, groups, options):
    positive, _, weight = data
    counts = len(positive), int(np.count_nonzero(positive))
    spacing = 1 if weight is None or not counts[1] else weight[positive].mean()
    values, curves = _measured(every_threshold(data), counts, spacing, options)
    if options.interval is not None:
        values |= dict.fromkeys(INTERVAL_TITLES, math.nan)
        values["confidence_level"] = options.interval
    if options.interval is not None and 0 < counts[1] < counts[0]:
        level = {"confidence_level": options.interval}
        more = {"sample_weight": weight, "groups": groups, **level, **_how(options)}
        found = auc_pr_interval(positive, data.score, **more)
        values["standard_error"] = found.standard_error
        values["confidence_low"], values["confidence_high"] = found.confidence_interval
    results.add(names, values, curves)


def _measured(roc, counts, spacing, options):
    """The values and the curves of a ROC curve at every threshold."""
    (low, high), prevalence = options.recall_range, options.prevalence

    def steps(roc):
        return davis_goadrich_area(roc.at_prevalence(prevalence), low, high)

    def auc_roc(roc):
        # Of rates: products of large weights overflow.
        n_pos, n_neg = float(roc.n_pos), float(roc.n_neg)
        return math.fsum(auc(part.fps / n_neg, part.tps / n_pos) for part in roc.parts)

    names = {**_METRICS, "average_precision": "average_precision"}
    measures = {
        key: MetricWithOptions(name, low, high, prevalence).value
        for key, name in names.items()
    }
    if roc.n_pos > 0 < roc.n_neg:
        measures["auc_roc"] = auc_roc
    if options.weight is None and roc.n_pos <= _MOST_STEPS:
        measures["auc_pr_davis_goadrich"] = steps
    values = _values_of_data(*counts, roc.n_pos, roc.n_neg, options)
    values["auc_roc"] = math.nan
    for key, measure in measures.items():
        values[key] = math.nan
        with contextlib.suppress(MissingClassError):
            values[key] = measure(roc)
    kinds = [kind for kind in CURVES if options.which in (kind, "both")]
    if not (options.curve or options.plot) or math.isnan(values["auc_pr"]):
        kinds = []
    return values, [_curve_of(roc, kind, spacing, options) for kind in kinds]


def _values_of_data(n, positives, n_pos, n_neg, options):
    """All values as they were asked for, or None, but those of the data."""
    low, high = options.recall_range
    found = float(n_pos / (n_pos + n_neg))
    assumed, minimum = options.prevalence or found, math.nan
    if n_pos > 0 and (n_neg > 0 or not options.prevalence):
        # A fraction may be rounded to 1, of which the minimum is all.
        minimum = auc_pr_min(assumed, (low, high)) if assumed < 1 else high - low
    return dict.fromkeys(titles(options)) | {
        "n": n,
        "positives": positives,
        "prevalence": found,
        "assumed_prevalence": options.prevalence,
        "recall_low": low,
        "recall_high": high,
        "auc_pr_min": minimum,
    }


def _curve_of(roc, kind, spacing, options):
    """The points of a curve by falling recall, and its areas over the recalls asked for."""
    low, high = options.recall_range
    found = float(roc.n_pos / (roc.n_pos + roc.n_neg))
    roc = (roc.hull() if kind == "achievable" else roc).at_prevalence(options.prevalence)
    curve = Curve(*curve_of(roc, spacing), auc_pr=area(roc, low, high), kind=kind)
    if found == 1:  # or rounded to 1
        return curve
    aucnpr = normalized_area(roc, low, high)
    return curve._replace(aucnpr=aucnpr, prevalence=options.prevalence or found)


def _add_folds(results, names, data, groups, texts, options):
    """Values per fold, all at one prevalence, then those of their summary."""
    folds = {text: np.flatnonzero(texts == text) for text in dict.fromkeys(texts.tolist())}
    columns = [[None if c is None else c[i] for i in folds.values()] for c in data]
    prevalence = "pooled" if options.prevalence is None else options.prevalence
    weights = None if data.weight is None else columns[2]
    if not any(labels.any() and not labels.all() for labels in columns[0]):
        raise ValueError("--fold: no fold has rows of both classes.")
    found = check_folds(*columns[:2], weights, None, prevalence, "empirical", None)
    options = SimpleNamespace(**vars(options) | {"prevalence": found.prevalence})
    for name, *of_fold in zip(folds, *columns, strict=True):
        of_group = None if groups is None else groups[folds[name]]
        named = names | {"fold": name}
        _add_samples(results, named, BinaryData(*of_fold), of_group, options)
    low, high = options.recall_range
    hulls = found._replace(rocs=[roc.hull() for roc in found.rocs], curve="achievable")
    of_kind = {"empirical": found, "achievable": hulls}

    def area_of(kind, metric="auc_pr_interpolated"):
        return area_of_folds(of_kind[kind], metric=metric, low=low, high=high)

    counts = len(texts), int(np.count_nonzero(data.positive))
    fraction = float(np.average(data.positive, weights=data.weight))
    values = _values_of_data(*counts, fraction, 1 - fraction, options)
    values |= {"auc_pr": area_of("empirical"), "auc_pr_achievable": area_of("achievable")}
    values["aucnpr"] = area_of("empirical", "aucnpr")
    curves = []
    if options.curve or options.plot:
        band = "folds" if len(found.rocs) > 1 else None
        for curve in summaries_of(found, options.which, band):
            aucnpr = area_of(curve.kind, "aucnpr")
            curves.append(curve._replace(auc_pr=area_of(curve.kind), aucnpr=aucnpr))
    results.add(names | {"fold": None}, values, curves)


def _pairs_of(results, options):
    """The difference of each pair of columns or files, by the keys of `PAIR_TITLES`."""
    level = LEVEL if options.interval is None else options.interval
    pairs = []
    for (a, first, groups), (b, second, others) in itertools.combinations(
        results.samples, 2
    ):
        of_rows = zip((*first, groups), (*second, others), strict=True)
        same = (np.array_equal(ours, theirs) for ours, theirs in of_rows)
        for what, is_same in zip(
            ("labels", "scores", "weights", "groups"), same, strict=True
        ):
            if what != "scores" and not is_same:
                are = f"its {what} are not those of {a['file']}"
                needs = "--compare needs the same rows in the same order"
                raise FileError(f"{b['file']}: {are}: {needs}.")
        more = {"sample_weight": first.weight, "groups": groups, "confidence_level": level}
        found = compare_auc_pr(
            first.positive, first.score, second.score, **more, **_how(options)
        )
        named = [_name_of(names, len(options.files) > 1) for names in (a, b)]
        limits = found.confidence_interval
        shown = found.difference, found.standard_error, level, *limits, found.pvalue
        pairs.append(dict(zip(PAIR_TITLES, (*named, *shown), strict=False)))
    adjusted = holm(np.array([pair["pvalue"] for pair in pairs])).tolist()
    return [pair | {"pvalue_holm": p} for pair, p in zip(pairs, adjusted, strict=True)]


def _name_of(names, has_file):
    return ": ".join(filter(None, (names["file"] * has_file, names.get("score"))))


def holm(pvalues: np.ndarray) -> np.ndarray:
    """P-values adjusted for their number by Holm's step-down method; NaN stays."""
    order = np.argsort(pvalues)
    steps = pvalues[order] * np.arange(len(pvalues), 0, -1)
    adjusted = np.empty(len(pvalues))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return adjusted


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
    counts, n = {}, np.zeros(2, np.int64)
    for rows in batches:
        n += len(rows[LABEL]), np.count_nonzero(rows[LABEL])
        for names, key in _named(path, rows):
            _, counter = counts.setdefault(key, (names, PRCounts(_N_BINS)))
            counter.update(rows[LABEL], rows[key], sample_weight=rows.get(WEIGHT))
    how = _how(options)
    for names, counter in counts.values():
        values = _values_of_data(*n.tolist(), counter.n_pos, counter.n_neg, options)
        for name, found in {
            "auc_pr": counter.auc_pr(**how),
            "auc_pr_achievable": counter.auc_pr(curve="achievable", **how),
            "aucnpr": counter.aucnpr(**how),
        }.items():
            values |= {f"{name}_{end}": value for end, value in found._asdict().items()}
        results.add(names, values)


def _add_stored(results, path, file, batches, options):
    """Exact areas for each column of scores, of rows stored in temporary files."""
    memory = _memory(options)
    too_large = f"does not fit into {memory / 2**20:.6g} MiB of memory"
    for option in ("interval", "compare", "fold", "curve", "plot"):
        if getattr(options, option):
            needs = f"--{option} needs all rows. Raise --max-memory"
            raise FileError(f"{file.name}: {too_large}, and {needs}.")
    n, totals = np.zeros(2, np.int64), np.zeros(2)
    for rows in batches:
        positive, weight = rows[LABEL], rows.get(WEIGHT, np.ones(len(rows[LABEL])))
        n += len(positive), np.count_nonzero(positive)
        totals += weight[positive].sum(), weight[~positive].sum()
        stored = {key: Path(file.folder, str(at)) for at, key in enumerate(rows)}
        for key, values in rows.items():
            with (
                writing_temporary_files(options.temp_folder),
                stored[key].open("ab") as out,
            ):
                values.tofile(out)
    types = {key: values.dtype for key, values in rows.items()}

    def batches_of(keys):
        for at in range(0, int(n[0]), _ROWS_AT_ONCE):
            yield [
                np.fromfile(
                    stored[k], types[k], _ROWS_AT_ONCE, offset=at * types[k].itemsize
                )
                for k in keys
            ]

    more = {"max_memory": min(memory, 2**30), "temp_folder": file.folder, **_how(options)}
    for names, key in _named(path, rows):
        keys = [k for k in (LABEL, key, WEIGHT) if k in rows]
        values = _values_of_data(*n.tolist(), *totals.tolist(), options)
        for name, metric in _METRICS.items():
            with writing_temporary_files(options.temp_folder):
                values[name] = auc_pr_from_batches(
                    lambda keys=keys: batches_of(keys), metric=metric, **more
                )
        results.add(names, values)
    note = "its rows were sorted in temporary files, for the areas only"
    results.warnings.append(f"{file.name}: {too_large}: {note}")


# Points of a published curve


def _add_points(results, path, file, rates, options):
    """The values of points, made counts of the totals of the classes."""
    n_pos, n_neg = options.n_pos, options.n_neg
    fpr, tpr = rates
    if options.points == "pr":
        # A point at recall 0 says nothing of the false positives.
        recall, precision = np.array(rates)[:, rates[0] > 0]
        lowest = min_precision(recall, n_pos / (n_pos + n_neg))
        if (wrong := precision < lowest * (1 - 1e-9)).any():  # it may be rounded
            at = np.argmax(wrong)
            raise FileError(
                f"{file.name}: the lowest precision at recall {recall[at]:g} is "
                f"{lowest[at]:.6g}; check --n-pos and --n-neg, and that recall comes first."
            )
        precision = np.maximum(precision, lowest)
        fpr, tpr = pr_to_roc(precision, recall, n_pos / (n_pos + n_neg))
    if not len(tpr):
        raise FileError(f"{file.name}: holds no points at a recall above 0.")
    fps, tps = _whole(fpr * n_neg), _whole(tpr * n_pos)
    order = np.lexsort((fps, tps))
    fps, tps = fps[order], tps[order]
    highest = np.maximum.accumulate(fps)
    if (falls := highest - fps > 1e-9 * np.maximum(highest, 1)).any():
        at = np.argmax(falls)
        raise FileError(
            f"{file.name}: no ranking has all points: up to {tps[at]:.6g} true "
            f"positives the false positives fall from {highest[at]:.6g} to {fps[at]:.6g}. "
            "Leave one out; give rounded points with more digits."
        )
    roc = from_counts(*check_counts(tps, highest, n_pos, n_neg))
    spacing = max(1, n_pos / _MOST_STEPS)
    results.add({"file": path}, *_measured(roc, (n_pos + n_neg, n_pos), spacing, options))


def _whole(counts):
    """Counts, as whole numbers where they are but for rounding."""
    nearest = np.round(counts)
    is_whole = np.abs(counts - nearest) <= 1e-9 * np.maximum(nearest, 1)
    return np.where(is_whole, nearest, counts)
