"""Files of which the rows are never in memory together: exact areas, or bounds."""

from __future__ import annotations

import contextlib
import math
import os
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from .._input.arrays import LARGEST_OF_BATCH
from .._input.labels import BinaryData
from .._metrics import check_metric
from .._out_of_core.external_sort import exact_areas
from ..out_of_core import PRCounts
from ..unachievable import auc_pr_min
from .files import ColumnSpec, FileError, score_tables, told
from .opened import can_be_read_again, opened, printable, shown_name

LEAST_MEMORY = 2**26
_NO_MACHINE_SAYS = 2**32
_UNITS = ("", "K", "M", "G", "T")
# So many times the bytes of its columns a file takes, and where curves are made.
_COPIES, _COPIES_FOR_CURVES = 6, 14
_MOST_TO_SORT = 2**30
_N_BINS = 2**20
_KEYS = ("auc_pr", "auc_pr_achievable", "aucnpr")
# The keys of what bounds have in the place of areas, and what the table calls them.
BOUND_TITLES = {
    f"{key}_{end}": f"{title}, {called}"
    for key, title in zip(_KEYS, ("AUC-PR", "achievable", "AUCNPR"), strict=True)
    for end, called in {"low": "lowest", "estimate": "about", "high": "highest"}.items()
}


class Measured(NamedTuple):
    """What a column of scores gives."""

    values: dict[str, Any]
    notes: tuple[str, ...] = ()


# How much memory there is


def memory_of_machine() -> int:
    """Bytes, of a container those that it may have."""
    sizes = [_NO_MACHINE_SAYS]
    with contextlib.suppress(AttributeError, OSError, ValueError):
        sizes = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for path in ("memory.max", "memory/memory.limit_in_bytes"):
        with contextlib.suppress(OSError, ValueError):
            sizes.append(int(Path("/sys/fs/cgroup", path).read_text("ascii")))
    return min(sizes)


def room_for_rows(options) -> float:
    """Bytes that the columns of a file may have, to be measured in memory."""
    has_curves = options.curve is not None or options.plot is not None
    return _memory(options) / (_COPIES_FOR_CURVES if has_curves else _COPIES)


def _memory(options):
    return options.max_memory or memory_of_machine() // 2


def what_needs_rows(options) -> str | None:
    """An option that is given and needs rows, not only a curve; None if there is none."""
    return _given(options, "interval", "compare", "fold")


def what_needs_all_rows(options) -> str | None:
    """The same of one that needs all rows in memory."""
    return what_needs_rows(options) or _given(options, "curve", "plot")


def _given(options, *names):
    unused = (None, False)
    given = (f"--{name}" for name in names if getattr(options, name) not in unused)
    return next(given, None)


# Measuring


def bounds_of(file: str, asked: ColumnSpec, options) -> dict[str, Measured]:
    """Of each column of scores what its areas lie between, in one pass.

    Parameters
    ----------
    file : str
    asked : Asked
    options : argparse.Namespace

    Returns
    -------
    dict of Measured
    """
    counts = {column: PRCounts(_N_BINS) for column in asked.scores or ("",)}
    n_rows = n_pos = 0
    for table in score_tables(opened(file), shown_name(file), asked):
        n_rows += len(table.positive)
        n_pos += int(table.positive.sum())
        _check_size(table.weight, shown_name(file))
        for column, score in table.scores.items():
            counts[column].update(table.positive, score, sample_weight=table.weight)
    n = {"n": n_rows, "positives": n_pos}
    return {
        column: Measured(n | _bounds(counted, options))
        for column, counted in counts.items()
    }


def _check_size(weight, name):
    largest = 0.0 if weight is None else weight.max(initial=0.0)
    if largest > LARGEST_OF_BATCH:
        needs = f"--bounds needs weights up to {LARGEST_OF_BATCH:g}, got {largest:g}"
        raise FileError(f"{name}: {needs}. Divide all of them by one number.")


def _bounds(counted, options):
    how = {
        "recall_range": tuple(options.recall_range),
        "prevalence": options.prevalence,
    }
    with _undefined_values():
        found = (
            counted.auc_pr(**how),
            counted.auc_pr(curve="achievable", **how),
            counted.aucnpr(**how),
        )
    values = {
        f"{key}_{end}": value
        for key, bounds in zip(_KEYS, found, strict=True)
        for end, value in bounds._asdict().items()
    }
    return values | _of_totals(counted.n_neg, counted.n_pos, options)


def exact_of(file: str, asked: ColumnSpec, options) -> dict[str, Measured]:
    """Exact areas of each column of scores, in two passes.

    Parameters
    ----------
    file : str
    asked : Asked
    options : argparse.Namespace

    Returns
    -------
    dict of Measured

    Raises
    ------
    FileError
        If all rows are needed at once, or the file cannot be read again.
    """
    memory = _memory(options)
    too_large = f"{shown_name(file)}: does not fit into {shown_size(memory)} of memory, and"
    way_out = "Raise --max-memory, or use --bounds"
    if option := what_needs_all_rows(options):
        raise FileError(f"{too_large} {option} needs all rows. Raise --max-memory.")
    if not can_be_read_again(file):
        raise FileError(f"{too_large} it can be read only once. {way_out}.")
    note = (
        f"does not fit into {shown_size(memory)} of memory: its rows were sorted in "
        "temporary files, for the areas and nothing else"
    )
    return {
        column: Measured(_exact(file, asked, column, options), (note,))
        for column in asked.scores or ("",)
    }


def _exact(file, asked, column, options):
    rows = _Rows(file, asked, column)
    how = tuple(options.recall_range), options.prevalence
    names = "auc_pr_interpolated", "achievable_auc_pr", "aucnpr"
    metrics = [check_metric(name, names, *how) for name in names]
    room = min(_memory(options), _MOST_TO_SORT)
    place = printable(options.temp_folder or "the system's place")
    name = f"temporary files in {place}, see --temp-folder"
    with _undefined_values(), told(name, "written"):
        totals, areas = exact_areas(metrics, rows, room, options.temp_folder)
    n = {"n": rows.n_rows, "positives": rows.n_pos}
    return n | dict(zip(_KEYS, areas, strict=True)) | _of_totals(*totals, options)


class _Rows:
    """Rows of a file, some at a time, twice; refused if they are not the same again."""

    def __init__(self, file, asked, column):
        self.file, self.asked, self.column = file, asked, column
        self.n_rows = self.n_pos = 0
        self._sum: int | None = None

    def __call__(self) -> Iterator[BinaryData]:
        name, first = shown_name(self.file), self._sum
        self.n_rows = self.n_pos = checksum = 0
        doing = "counting" if first is None else "sorting"
        for table in score_tables(opened(self.file, doing), name, self.asked):
            self.n_rows += len(table.positive)
            self.n_pos += int(table.positive.sum())
            rows = BinaryData(table.positive, table.scores[self.column], table.weight)
            for column in rows:
                if column is not None:
                    checksum = zlib.crc32(np.ascontiguousarray(column).data, checksum)
            if len(rows.positive):
                yield rows
        if first not in (None, checksum):
            changed = "was changed while it was read: its rows are not those counted before"
            raise FileError(f"{name}: {changed}. Run it again when nothing writes to it.")
        self._sum = checksum


def _of_totals(n_neg, n_pos, options):
    """The prevalence and the floor."""
    prevalence, (low, high) = n_pos / (n_neg + n_pos), options.recall_range
    assumed = options.prevalence or prevalence
    if n_neg and n_pos and 0 < assumed < 1:
        floor = auc_pr_min(assumed, (low, high))
    elif n_pos and options.prevalence is None:
        floor = assumed * (high - low)  # of a class there is next to nothing
    else:
        floor = math.nan
    return {"prevalence": prevalence, "auc_pr_min": floor}


@contextlib.contextmanager
def _undefined_values():
    """What is undefined is told by the program itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        yield


# Sizes


def size_of(text: str) -> int:
    """Bytes, from a number and perhaps K, M, G or T."""
    number, unit = text.rstrip("kKmMgGtT"), text.lstrip("0123456789.").upper()
    size = float(number) * 1024 ** _UNITS.index(unit)
    if not LEAST_MEMORY <= size < math.inf:
        raise ValueError
    return int(size)


def shown_size(size: float) -> str:
    """Bytes, to be read."""
    return f"{size / 2**30:.3g} GiB" if size >= 2**30 else f"{size / 2**20:.3g} MiB"
