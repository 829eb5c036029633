"""External sort: samples in batches to one temporary file per range of scores."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs

from .._input.labels import BinaryData
from .histogram import BinCounts, as_float
from .score_partition import check_unchanged, cut_ranges, range_of_bin, value_over_ranges

# Samples distributed to files at a time.
_BLOCK = 1 << 19
# Larger ranges are not sorted faster.
_MAX_SAMPLES = 1 << 23


def no_report(done, n_samples):
    """No-op progress callback."""


def exact_areas(
    metrics, batches, max_memory, temp_folder=None, n_jobs=None, report=no_report
):
    """Several metrics of the same samples, which are distributed to files once.

    Parameters
    ----------
    metrics : list of MetricWithOptions
        Areas, which are sums over ranges of scores.
    batches : callable
        Returns an iterable of `BinaryData`, the same each time.
    max_memory : int
        Bytes that sorting may take. Only samples of one score may take more.
    temp_folder : path or None
        Folder for the files, which are deleted at the end.
    n_jobs : int or None
        How many threads sort; they share `max_memory`.
    report : callable
        Progress callback: what was done, and to how many samples.

    Returns
    -------
    totals : tuple
        Negatives and positives, or their weights.
    values : list of float
    """
    dtypes: dict[str, np.dtype] = {}
    max_bytes = max_memory // (2 * effective_n_jobs(n_jobs))

    def count(bins):
        table, score_dtypes = BinCounts(bins), set()
        for data in batches():
            table.add(*data)
            score_dtypes.add(data.score.dtype)
            report("counted", len(data.score))
        if score_dtypes:
            dtypes["score"] = np.result_type(*score_dtypes)
        if table.weights is not None:
            dtypes["weight"] = np.dtype(np.float64)
        return table

    def max_samples(table):
        # Sorting takes scores, labels and keys, with weights their order too.
        n_bytes = 3 * dtypes["score"].itemsize + 4 + (56 if "weight" in dtypes else 0)
        return min(max_bytes // n_bytes, _MAX_SAMPLES)

    ranges, bins = cut_ranges(count, max_samples)
    with tempfile.TemporaryDirectory(dir=temp_folder, prefix="achievable_pr_") as folder:
        files = RangeFiles(Path(folder), dtypes, bins, ranges)
        for data in batches():
            files.add(data)
            report("distributed to ranges", len(data.score))
        files.check_complete()

        def run_on(task, part):
            result = task(part, None if part.points is not None else files.read(part))
            report("integrated", sum(part.n_samples))
            return result

        def run(task):
            parallel = Parallel(n_jobs=n_jobs, prefer="threads")
            return parallel(delayed(run_on)(task, part) for part in ranges)

        totals = ranges[-1].end
        return totals, [value_over_ranges(metric, run, totals) for metric in metrics]


class RangeFiles:
    """Samples in files by range and class, one file per column.

    Parameters
    ----------
    folder : pathlib.Path
    dtypes : dict
        Of the columns, "score" and perhaps "weight".
    bins : LeadingBits or Refined
    ranges : list of ScoreRange
        Samples of ranges with known points are counted and not written.
    """

    def __init__(self, folder, dtypes, bins, ranges):
        self.folder, self.dtypes, self.bins, self.ranges = folder, dtypes, bins, ranges
        self._range_of_bin = range_of_bin(ranges, bins.n_bins, other=len(ranges))
        # The last one is for samples that the counting pass did not meet.
        self._n_samples = np.zeros((len(ranges) + 1, 2), dtype=np.int64)

    def add(self, data):
        """Append samples to the files of their ranges."""
        for start in range(0, len(data.score), _BLOCK):
            block = slice(start, start + _BLOCK)
            self._add(*(None if column is None else column[block] for column in data))

    def _add(self, positive, score, weight):
        group = 2 * self._range_of_bin.take(self.bins.index(as_float(score)[0])) + positive
        n_samples = np.bincount(group, minlength=self._n_samples.size)
        self._n_samples += n_samples.reshape(-1, 2)
        order = group.astype(np.min_scalar_type(len(n_samples))).argsort(kind="stable")
        columns = {"score": score.astype(self.dtypes["score"], copy=False).take(order)}
        if "weight" in self.dtypes:
            weight = np.ones(len(score)) if weight is None else weight
            columns["weight"] = weight.take(order)
        ends = np.concatenate(([0], n_samples.cumsum())).tolist()
        for part in self.ranges:
            if part.points is not None:
                continue
            for positive in (0, 1):
                start, stop = ends[2 * part.number + positive :][:2]
                if start < stop:
                    self._append(part, positive, slice(start, stop), columns)

    def _append(self, part, positive, samples, columns):
        for name, column in columns.items():
            with self._file(part, positive, name).open("ab") as file:
                file.write(column[samples].data)

    def _file(self, part, positive, column):
        return self.folder / f"{part.number}_{positive}_{column}"

    def check_complete(self):
        """Raise if a range does not hold the samples that were counted in it."""
        counted = [*(part.n_samples for part in self.ranges), (0, 0)]
        for expected, found in zip(counted, self._n_samples.tolist(), strict=True):
            check_unchanged(expected, found)

    def read(self, part):
        """The samples of a range, negatives first."""
        positive = np.repeat([False, True], part.n_samples)
        columns = {name: self._column(part, name) for name in self.dtypes}
        return BinaryData(positive, columns["score"], columns.get("weight"))

    def _column(self, part, name):
        n_neg, n_pos = part.n_samples
        column = np.empty(n_neg + n_pos, dtype=self.dtypes[name])
        for positive, samples in enumerate((column[:n_neg], column[n_neg:])):
            if len(samples):
                with self._file(part, positive, name).open("rb") as file:
                    file.readinto(samples.view(np.uint8).data)
        return column
