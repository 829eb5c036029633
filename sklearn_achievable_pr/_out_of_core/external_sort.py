"""External sort: writes batches of samples to temporary files ordered by score range."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs

from .._input.labels import BinaryData
from .frames import checked
from .histogram import BinCounts
from .score_partition import area_over_ranges, check_unchanged, cut_ranges

# Number of samples distributed to ranges at a time.
_BLOCK = 1 << 19
# Maximum samples per range: sorting larger ranges takes no less time per sample.
_MAX_SAMPLES = 1 << 23


def exact_areas(
    metrics, batches, pos_label, max_memory, temp_folder, n_jobs=None, verbose=0
):
    """The exact values of metrics of samples in batches, sorted into ranges once.

    Parameters
    ----------
    metrics : list of MetricWithOptions
        Areas, which are sums over ranges of scores.
    batches : callable
        Returns an iterable of tuples of labels, scores and, optionally, weights; the same
        samples in every call.
    pos_label : int, float, bool, str or None
    max_memory : int
        Bytes that sorting may use. A single score with many samples may need more.
    temp_folder : path or None
        Folder for the files, which are deleted at the end.
    n_jobs : int or None
        Number of threads that sort; they share `max_memory`.
    verbose : int
        Whether progress is printed.
    """
    max_bytes = max_memory // (2 * effective_n_jobs(n_jobs))
    dtypes: dict[str, np.dtype] = {}

    def read(action):
        n_samples = 0
        for data in checked(batches(), pos_label):
            for start in range(0, len(data.score), _BLOCK):
                block = slice(start, start + _BLOCK)
                yield BinaryData(*(None if c is None else c[block] for c in data))
            n_samples += len(data.score)
            if verbose:
                line = f"auc_pr_from_batches: {n_samples:,} samples {action}"
                print(line, file=sys.stderr)

    def count(bins):
        table = BinCounts(bins)
        for data in read("counted"):
            table.add(*data)
            for name, column in data._asdict().items():
                if column is not None and name != "positive":
                    dtypes[name] = np.result_type(dtypes.get(name, column), column)
        # Sorting takes scores, labels and keys, with weights their order too.
        n_bytes = 4 + 3 * np.dtype([*dtypes.items()]).itemsize
        n_bytes += 32 if table.is_weighted else 0
        return table, min(max_bytes // n_bytes, _MAX_SAMPLES)

    ranges, n_needed, *partition = cut_ranges(count)
    start = np.append(0, n_needed[:-1].sum(axis=1).cumsum())
    with tempfile.TemporaryDirectory(dir=temp_folder, prefix="achievable_pr_") as folder:
        files = {Path(folder, name): dtype for name, dtype in dtypes.items()}
        write_by_range(files, read("distributed to ranges"), n_needed, *partition)

        def samples_of(number):
            n, first = n_needed[number], start[number]
            columns = [
                np.fromfile(path, dtype, n.sum(), offset=first * dtype.itemsize)
                for path, dtype in files.items()
            ]
            return BinaryData(np.repeat([False, True], n), *(*columns, None)[:2])

        def integrate(task, numbers):
            on_range = delayed(lambda i: task(ranges[i], samples_of(i)))
            parallel = Parallel(n_jobs=n_jobs, prefer="threads", verbose=verbose)
            return parallel(map(on_range, numbers))

        return [area_over_ranges(metric, ranges, n_needed, integrate) for metric in metrics]


def write_by_range(files, batches, n_needed, table, range_of_bin):
    """Write the samples of each range to consecutive places, negatives before positives.

    Parameters
    ----------
    files : dict
        The dtypes of the scores and, optionally, the weights, keyed by file path.
    batches : iterable of BinaryData
    n_needed, table, range_of_bin
        What `cut_ranges` returns.
    """
    for path in files:
        path.touch()
    # Groups are the negatives and the positives of each range, and last those of the
    # samples that no range needs, which are not written. Cells are the same for each bin.
    position = (np.cumsum(n_needed) - n_needed.ravel()).tolist()
    group_of_cell = np.ravel(2 * range_of_bin[:, np.newaxis] + [0, 1])
    narrow = group_of_cell.astype(np.min_scalar_type(len(position)))
    found = np.zeros(len(group_of_cell), dtype=np.int64)
    for data in batches:
        cell = table.bins.index(data.score)
        cell <<= 1
        cell += data.positive
        order = narrow.take(cell).argsort(kind="stable")
        found_here = np.bincount(cell, minlength=len(found))
        found += found_here
        n_here = np.bincount(group_of_cell, found_here, len(position)).astype(np.int64)
        ends = n_here.cumsum()
        for (path, dtype), column in zip(files.items(), data[1:], strict=False):
            column = np.ones(len(order)) if column is None else column
            column = column.astype(dtype, copy=False).take(order)
            with path.open("r+b") as file:
                for i in n_here[:-2].nonzero()[0]:
                    file.seek(position[i] * dtype.itemsize)
                    file.write(column[ends[i] - n_here[i] : ends[i]].data)
        position = [first + n for first, n in zip(position, n_here.tolist(), strict=True)]
    check_unchanged(table.samples.ravel(), found)
