"""Samples in batches that this process reads, grouped in temporary files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed

from .._input.options import Label
from .batches import checked
from .histogram import counted


class LocalSource(NamedTuple):
    """Source of samples in batches.

    Attributes
    ----------
    batches : callable
        Returns an iterable of tuples of labels, scores and, optionally, weights; the same
        samples in every call.
    pos_label : int, float, bool, str or None
        The positive label.
    n_jobs : int or None
        Number of threads.
    verbose : int
        If positive, progress is printed.
    """

    batches: Callable[[], Iterable]
    pos_label: Label | None
    n_jobs: int | None = None
    verbose: int = 0

    def _read(self, action):
        """Checked batches; progress is printed with the word `action`."""
        n_samples = 0
        for data, labels in checked(self.batches(), self.pos_label):
            yield data, labels
            n_samples += len(data.score)
            if self.verbose:
                sys.stderr.write(f"auc_pr_from_batches: {n_samples:,} samples {action}\n")

    def counted(self, bins):
        """The `BinCounts` of all samples."""
        return counted(self._read("counted"), bins)

    def grouped(self, split, n_groups, folder):
        """Divide all samples into groups; returns a function that maps over the groups.

        Parameters
        ----------
        split : callable
            ``split(batches)`` yields pairs of the index of a group, from 0 to
            ``n_groups - 1``, and a piece, a list of columns.
        n_groups : int
            Of use to engines that shuffle.
        folder : str
            An empty folder, which must exist until the groups are no longer needed.

        Returns
        -------
        callable
            ``map_groups(function)`` is a list of ``function(group, pieces)`` of each group,
            in any order.
        """
        for group, piece in split(self._read("distributed to ranges")):
            with Path(folder, f"{group}").open("ab") as file:
                for column in (np.array(len(piece)), *piece):
                    np.save(file, column, allow_pickle=False)
        parallel = Parallel(n_jobs=self.n_jobs, prefer="threads", verbose=self.verbose)
        return partial(_map_files, [*Path(folder).iterdir()], parallel)


def _map_files(paths, parallel, function):
    """``function(group, pieces)`` of each group, which has a file."""
    return parallel(delayed(function)(int(path.name), _pieces(path)) for path in paths)


def _pieces(path):
    """The pieces in a file, one after another: their numbers of columns, and these."""
    with path.open("rb") as file:
        while file.peek(1):
            yield [np.load(file) for _ in range(np.load(file))]
