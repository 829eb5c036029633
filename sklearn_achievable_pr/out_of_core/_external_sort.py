"""Samples in batches that this process reads, grouped in temporary files."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed

from .._input.labels import check_batches
from .._input.options import Label
from ._histogram import BinCounts


class LocalSource(NamedTuple):
    """Source of samples in batches.

    Attributes
    ----------
    batches : callable
        Returns an iterable of tuples of labels, scores and, optionally, weights; the same
        samples in every call.
    pos_label : int, float, bool, str or None
        The positive label.
    n_threads : int
        Number of threads that sort.
    """

    batches: Callable[[], Iterable]
    pos_label: Label | None
    n_threads: int

    def _read(self):
        """Checked batches, read anew."""
        return check_batches(self.batches(), self.pos_label)

    def counted(self, bins):
        """The `BinCounts` of all samples."""
        return BinCounts(bins).add(self._read())

    def grouped(self, split, n_groups, folder):
        """Divide all samples into groups; returns a function that maps over the groups.

        Parameters
        ----------
        split : callable
            ``split(batches)`` yields pairs of the index of a group, from 0 to
            ``n_groups - 1``, and a piece, a list of columns.
        n_groups : int
            Number of groups, which only engines that shuffle need.
        folder : str
            An empty folder, which must exist until the groups are no longer needed.

        Returns
        -------
        callable
            ``map_groups(function)`` is a list of ``function(group, pieces)`` of each group,
            in any order.
        """
        # For each group and each combination of dtypes, this dict has the start of the
        # names of its files. There is one file per column, which holds numbers alone.
        groups: dict[Any, dict] = {}
        for group, columns in split(self._read()):
            files = groups.setdefault(group, {})
            dtypes = tuple(column.dtype for column in columns)
            start = files.setdefault(dtypes, f"{folder}/{group}_{len(files)}")
            for i, column in enumerate(columns):
                with open(f"{start}_{i}", "ab") as file:
                    file.write(column)
        # The backend is named, so that `joblib.parallel_config` cannot replace threads by
        # processes.
        parallel = Parallel(self.n_threads, backend="threading")
        return partial(_map_files, groups, parallel)


def _map_files(groups, parallel, function):
    """``function(group, pieces)`` of each group, one piece per combination of dtypes."""
    return parallel(delayed(function)(i, _pieces(files)) for i, files in groups.items())


def _pieces(files):
    """The columns in the files of a group, one list for each combination of dtypes."""
    for dtypes, start in files.items():
        yield [np.fromfile(f"{start}_{i}", dtype) for i, dtype in enumerate(dtypes)]
