"""Samples in batches that this process reads, grouped in temporary files."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
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
                line = f"auc_pr_from_batches: {n_samples:,} samples {action}"
                print(line, file=sys.stderr)

    def merged(self, count):
        """The histogram of all samples; `count` makes the histogram of some batches."""
        return count(self._read("counted"))

    @contextmanager
    def grouped(self, split, n_groups):
        """Context of a function `run` that applies a function to each group of samples.

        ``split(batches)`` yields pairs of the index of a group and a piece, a list of
        columns. ``run(on_group)`` returns the results of ``on_group(index, pieces)`` for
        all groups. The columns of a group are stored in files of raw numbers, separately
        for each combination of dtypes.
        """
        parallel = Parallel(n_jobs=self.n_jobs, prefer="threads", verbose=self.verbose)
        prefix = "achievable_pr_"
        with tempfile.TemporaryDirectory(dir=self.temp_folder, prefix=prefix) as folder:
            groups = {}
            for group, piece in split(self._read("distributed to ranges")):
                files = groups.setdefault(group, {})
                dtypes = tuple(column.dtype for column in piece)
                name = files.setdefault(dtypes, f"{group}_{len(files)}")
                for i, column in enumerate(piece):
                    with Path(folder, f"{name}_{i}").open("ab") as file:
                        file.write(column)

            def pieces(files):
                for dtypes, name in files.items():
                    paths = (Path(folder, f"{name}_{i}") for i in range(len(dtypes)))
                    yield list(map(np.fromfile, paths, dtypes))

            def run(on_group):
                return parallel(
                    delayed(on_group)(group, pieces(files))
                    for group, files in groups.items()
                )

            yield run
