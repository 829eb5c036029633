"""Rows that come in batches, sorted into files with a range of scores each."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed

from .._input.labels import BinaryData
from .bins import LeadingBits, Refined
from .histogram import BinCounts, as_float
from .score_partition import Range, check_rows, divided, range_of_bin

_BINS = LeadingBits.at_most(2**16, "float32")
# Into so many parts a bin of too many rows is divided.
_N_PARTS = 2**16
# Rows sorted into ranges at a time.
_BLOCK = 1 << 19
# More rows are sorted no faster for being sorted together.
_ENOUGH_ROWS = 1 << 23


class Sorted(NamedTuple):
    """A range of scores and the files with its rows."""

    part: Range
    files: RangeFiles

    def run(self, task):
        """What a task finds of the range."""
        part, files = self
        return task(part, None if part.points is not None else files.read(part))


def sorted_by_range(batches, folder, room, report, bins=_BINS, start=(0, 0)):
    """Rows in files by range, after two passes.

    Parameters
    ----------
    batches : callable
        Returns an iterable of Problem, the same each time.
    folder : pathlib.Path
        For the files.
    room : int
        Bytes that the rows of a range may take while they are sorted. Only those of one
        score take more.
    report : callable
        Told what is done to how many rows.
    bins : LeadingBits or Refined
    start : tuple
        False and true positives above all the rows.

    Returns
    -------
    list of Sorted
        By falling score.
    """
    table, dtypes = _counted(batches(), bins, report)
    most_rows = min(room // _bytes_a_row(dtypes), _ENOUGH_ROWS)
    ranges = divided(table, most_rows, start)
    files = RangeFiles(folder, dtypes, bins, ranges)
    n_rows = 0
    for rows in batches():
        files.add(rows)
        n_rows += len(rows.score)
        report("sorted into ranges", n_rows)
    check_rows(int(table.rows.sum()), n_rows)
    found = []
    for part in ranges:
        if part.points is None and part.n_rows > 2 * most_rows and _divisible(part, bins):
            found += _finer(part, files, room, report)
        else:
            found.append(Sorted(part, files))
    return found


def _counted(batches, bins, report):
    """The first pass: counts, and the dtypes of what is to be kept of a row."""
    table, seen, n_rows = BinCounts(bins), set(), 0
    for rows in batches:
        table.add(*rows)
        seen.add(rows.score.dtype)
        n_rows += len(rows.score)
        report("counted", n_rows)
    if not seen:
        raise ValueError("`batches` must hold a row at least. Got none.")
    dtypes = {"score": np.result_type(*seen)}
    if table.weights is not None:
        dtypes["weight"] = np.dtype(np.float64)
    return table, dtypes


def _bytes_a_row(dtypes):
    """What sorting takes at most: scores, labels and keys, with weights their order too."""
    return 3 * dtypes["score"].itemsize + 4 + (56 if "weight" in dtypes else 0)


def _divisible(part, bins):
    """Whether a range is one bin, of more scores than one."""
    lowest = bins.lowest_keys()[part.bins.start : part.bins.stop + 1]
    return len(lowest) == 2 and lowest[1] - lowest[0] > 1


def _finer(part, files, room, report):
    """A bin that has too many rows, in ranges of its own."""
    bins, divided_bin = files.bins, part.bins.start
    n_parts = np.zeros(bins.n_bins, dtype=np.int64)
    n_parts[[0, min(divided_bin + 1, bins.n_bins - 1)]] = 1
    n_parts[divided_bin] = _N_PARTS
    folder = files.folder / f"in_{part.number}"
    folder.mkdir()
    found = sorted_by_range(
        partial(files.blocks, part),
        folder,
        room,
        report,
        Refined(bins, n_parts),
        part.start,
    )
    files.remove(part)
    return found


class RangeFiles:
    """Rows in files by range and class, a file for each column.

    Parameters
    ----------
    folder : pathlib.Path
    dtypes : dict
        Of the columns, "score" and perhaps "weight".
    bins : LeadingBits or Refined
    ranges : list of Range
    """

    def __init__(self, folder, dtypes, bins, ranges):
        self.folder, self.dtypes, self.bins = folder, dtypes, bins
        self._range_of_bin = range_of_bin(ranges, bins.n_bins)
        self._n_rows = np.zeros((len(ranges), 2), dtype=np.int64)

    def add(self, rows):
        """Append rows to the files of their ranges."""
        for start in range(0, len(rows.score), _BLOCK):
            block = slice(start, start + _BLOCK)
            self._add(*(None if column is None else column[block] for column in rows))

    def _add(self, positive, score, weight):
        number = self._range_of_bin.take(self.bins.index(as_float(score)[0]))
        # Group 0 or 1 has the rows that are not needed.
        group = 2 * number + positive + 2
        ends = np.bincount(group, minlength=2 * len(self._n_rows) + 2).cumsum().tolist()
        order = group.astype(np.min_scalar_type(len(ends))).argsort(kind="stable")
        columns = {"score": score.astype(self.dtypes["score"], copy=False).take(order)}
        if "weight" in self.dtypes:
            weight = np.ones(len(score)) if weight is None else weight
            columns["weight"] = weight.take(order)
        for group, (start, stop) in enumerate(pairwise(ends[1:])):
            if start < stop:
                self._append(*divmod(group, 2), slice(start, stop), columns)

    def _append(self, number, positive, rows, columns):
        self._n_rows[number, positive] += rows.stop - rows.start
        for name, column in columns.items():
            with self._file(number, positive, name).open("ab") as file:
                file.write(column[rows].data)

    def _file(self, number, positive, column):
        return self.folder / f"{number}_{positive}_{column}"

    def read(self, part):
        """The rows of a range, negatives first."""
        n_neg, n_pos = self._n_rows[part.number]
        positive = np.zeros(n_neg + n_pos, dtype=bool)
        positive[n_neg:] = True
        columns = {name: self._column(part.number, name) for name in self.dtypes}
        return BinaryData(positive, columns["score"], columns.get("weight"))

    def _column(self, number, name):
        n_neg = self._n_rows[number, 0]
        column = np.empty(self._n_rows[number].sum(), dtype=self.dtypes[name])
        for positive, rows in ((0, slice(0, n_neg)), (1, slice(n_neg, None))):
            if len(column[rows]):
                with self._file(number, positive, name).open("rb") as file:
                    file.readinto(column[rows].view(np.uint8).data)
        return column

    def blocks(self, part):
        """The rows of a range, some at a time."""
        for positive in (0, 1):
            for start in range(0, self._n_rows[part.number, positive], _BLOCK):
                columns = {
                    name: np.fromfile(
                        self._file(part.number, positive, name),
                        dtype,
                        count=_BLOCK,
                        offset=start * dtype.itemsize,
                    )
                    for name, dtype in self.dtypes.items()
                }
                labels = np.full(len(columns["score"]), bool(positive))
                yield BinaryData(labels, columns["score"], columns.get("weight"))

    def remove(self, part):
        """Remove the files of a range."""
        for positive in (0, 1):
            for name in self.dtypes:
                self._file(part.number, positive, name).unlink(missing_ok=True)


def run_on_files(task, found, n_jobs, report):
    """What a task finds of each range, several of them at a time.

    Parameters
    ----------
    task : callable
        Range and rows to a result.
    found : list of Sorted
    n_jobs : int or None
        How many threads, as joblib has it.
    report : callable

    Returns
    -------
    list
        By falling score.
    """

    def run(one):
        result = one.run(task)
        report("more integrated", one.part.n_rows)
        return result

    return Parallel(n_jobs=n_jobs, prefer="threads")(delayed(run)(one) for one in found)
