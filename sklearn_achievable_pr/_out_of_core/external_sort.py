"""External sort: samples in batches to temporary files, ordered by range of scores."""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs

from .._input.labels import BinaryData
from .frames import checked
from .histogram import BinCounts
from .score_partition import area_over_ranges, check_unchanged, cut_ranges

# Samples distributed to ranges at a time.
_BLOCK = 1 << 19
# Larger ranges are not sorted faster.
_MAX_SAMPLES = 1 << 23


def exact_area(metric, batches, pos_label, max_memory, temp_folder, n_jobs=None, verbose=0):
    """A metric of samples in batches.

    Parameters
    ----------
    metric : MetricWithOptions
        An area, which is a sum over ranges of scores.
    batches : callable
        Returns an iterable of tuples of labels, scores and perhaps weights, the same each
        time.
    pos_label : int, float, bool, str or None
    max_memory : int
        Bytes that sorting may take. Only samples of one score may take more.
    temp_folder : path or None
        Folder for the files, which are deleted at the end.
    n_jobs : int or None
        How many threads sort; they share `max_memory`.
    verbose : int
        Whether progress is printed.
    """
    dtypes: dict[str, np.dtype] = {}
    max_bytes = max_memory // (2 * effective_n_jobs(n_jobs))

    def read(action):
        n_samples = 0
        for data in checked(batches(), pos_label):
            yield data
            n_samples += len(data.score)
            if verbose:
                line = f"auc_pr_from_batches: {n_samples:,} samples {action}"
                print(line, file=sys.stderr)

    def count(bins):
        table = BinCounts(bins)
        for data in read("counted"):
            table.add(*data)
            dtype = data.score.dtype
            dtypes["score"] = np.result_type(dtypes.get("score", dtype), dtype)
        if table.is_weighted:
            dtypes["weight"] = np.dtype(np.float64)
        return table

    def max_samples(table):
        # Sorting takes scores, labels and keys, with weights their order too.
        n_bytes = 3 * dtypes["score"].itemsize + 4 + (56 if table.is_weighted else 0)
        return min(max_bytes // n_bytes, _MAX_SAMPLES)

    ranges, bins, range_of_bin = cut_ranges(count, max_samples)
    with tempfile.TemporaryDirectory(dir=temp_folder, prefix="achievable_pr_") as folder:
        files = SampleFiles(Path(folder), dtypes, ranges)
        files.write(read("distributed to ranges"), bins, range_of_bin)

        def run(task):
            on_range = delayed(lambda part, number: task(part, files.read(number)))
            parallel = Parallel(n_jobs=n_jobs, prefer="threads", verbose=verbose)
            return parallel(map(on_range, ranges, range(len(ranges))))

        return area_over_ranges(metric, ranges, run)


class SampleFiles:
    """A file of scores and perhaps one of weights, by range, negatives before positives.

    Parameters
    ----------
    folder : pathlib.Path
    dtypes : dict
        Of the columns, "score" and perhaps "weight".
    ranges : list of ScoreRange
        Samples of ranges with known points are not stored.
    """

    def __init__(self, folder, dtypes, ranges):
        self.folder, self.dtypes = folder, dtypes
        # The last one is for samples that the counting pass did not meet.
        self.counted = [*(part.n_samples for part in ranges), [0, 0]]
        is_stored = [*(part.points is None for part in ranges), False]
        # By range and class, as the numbers of the first sample of each.
        self.n_stored = np.where(np.repeat(is_stored, 2), np.ravel(self.counted), 0)
        self.start = np.cumsum(self.n_stored) - self.n_stored

    def write(self, batches, bins, range_of_bin):
        """Write all samples; raise if they are not those that were counted."""
        found = np.zeros(len(self.start), dtype=np.int64)
        with ExitStack() as stack:
            files = {
                name: stack.enter_context((self.folder / name).open("wb"))
                for name in self.dtypes
            }
            for data in _blocks(batches):
                group = 2 * range_of_bin.take(bins.index(data.score)) + data.positive
                n_samples = np.bincount(group, minlength=len(found))
                order = group.astype(np.min_scalar_type(len(found))).argsort(kind="stable")
                ends = n_samples.cumsum()
                for name, file in files.items():
                    column = getattr(data, name)
                    column = np.ones(len(order)) if column is None else column
                    column = column.astype(self.dtypes[name], copy=False).take(order)
                    for i in (n_samples * self.n_stored).nonzero()[0]:
                        file.seek((self.start[i] + found[i]) * column.itemsize)
                        file.write(column[ends[i] - n_samples[i] : ends[i]].data)
                found += n_samples
        check_unchanged(self.counted, found.reshape(-1, 2).tolist())

    def read(self, number):
        """The samples of a range, negatives first."""
        n_samples = self.n_stored[2 * number :][:2]
        columns = {
            name: np.fromfile(
                self.folder / name,
                dtype,
                count=n_samples.sum(),
                offset=self.start[2 * number] * dtype.itemsize,
            )
            for name, dtype in self.dtypes.items()
        }
        positive = np.repeat([False, True], n_samples)
        return BinaryData(positive, columns["score"], columns.get("weight"))


def _blocks(batches):
    for data in batches:
        for start in range(0, len(data.score), _BLOCK):
            block = slice(start, start + _BLOCK)
            yield BinaryData(*(None if c is None else c[block] for c in data))
