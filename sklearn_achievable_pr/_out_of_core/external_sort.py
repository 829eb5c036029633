"""Samples in batches that this process reads, grouped in temporary files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed

from .._input.options import Label
from .batches import checked


class LocalSource(NamedTuple):
    """Source of samples in batches.

    Attributes
    ----------
    batches : callable
        Returns an iterable of tuples of labels, scores and, optionally, weights; the same
        samples in every call.
    pos_label : int, float, bool, str or None
        The positive label.
    temp_folder : path or None
        Folder for temporary files, which are deleted at the end.
    n_jobs : int or None
        Number of threads.
    verbose : int
        If positive, progress is printed.
    """

    batches: Callable[[], Iterable]
    pos_label: Label | None
    temp_folder: str | PathLike | None = None
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

    def merged(self, count):
        """The histogram of all samples; `count` makes the histogram of some batches."""
        return count(self._read("counted"))

    @contextmanager
    def grouped(self, split, n_groups):
        """Context manager of the `LocalGroups` of all pieces from `split`.

        Parameters
        ----------
        split : callable
            ``split(batches)`` yields pairs of the index of a group, from 0 to
            ``n_groups - 1``, and a piece, a list of columns.
        n_groups : int
            Of use to engines that shuffle.
        """
        with TemporaryDirectory(prefix="achievable_pr_", dir=self.temp_folder) as folder:
            groups = LocalGroups(Path(folder), {}, self.n_jobs, self.verbose)
            for group, piece in split(self._read("distributed to ranges")):
                groups.append(group, piece)
            yield groups


class LocalGroups(NamedTuple):
    """Groups of columns in files of raw numbers.

    Attributes
    ----------
    folder : Path
    names : dict
        For each group, the names of the files of each combination of dtypes.
    n_jobs, verbose : int or None
        As in :class:`joblib.Parallel`.
    """

    folder: Path
    names: dict
    n_jobs: int | None
    verbose: int

    def append(self, group, columns):
        """Write the columns of a piece behind those of the same group and dtypes."""
        names = self.names.setdefault(group, {})
        dtypes = tuple(column.dtype for column in columns)
        name = names.setdefault(dtypes, f"{group}_{len(names)}")
        for i, column in enumerate(columns):
            with (self.folder / f"{name}_{i}").open("ab") as file:
                file.write(column)

    def pieces(self, group):
        """The columns of a group, one list for each combination of dtypes."""
        for dtypes, name in self.names[group].items():
            paths = (self.folder / f"{name}_{i}" for i in range(len(dtypes)))
            yield list(map(np.fromfile, paths, dtypes))

    def map(self, function):
        """``function(group, pieces)`` of each group, in any order."""
        parallel = Parallel(n_jobs=self.n_jobs, prefer="threads", verbose=self.verbose)
        return parallel(
            delayed(function)(group, self.pieces(group)) for group in self.names
        )
