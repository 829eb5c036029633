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
    temp_folder : path or None
        Folder for the files, which are deleted at the end.
    n_jobs : int or None
        Number of threads.
    verbose : int
        Whether progress is printed.
    """

    batches: Callable[[], Iterable]
    pos_label: Label | None
    temp_folder: str | PathLike | None = None
    n_jobs: int | None = None
    verbose: int = 0

    def _read(self, action):
        n_samples = 0
        for data in checked(self.batches(), self.pos_label):
            yield data
            n_samples += len(data.score)
            if self.verbose:
                line = f"auc_pr_from_batches: {n_samples:,} samples {action}"
                print(line, file=sys.stderr)

    def merged(self, count):
        """The histogram of all samples; `count` returns that of checked batches."""
        return count(self._read("counted"))

    @contextmanager
    def grouped(self, split, n_groups):
        """Function that maps a function over groups of pieces, as `split` assigns them.

        Each group is one file, to which the arrays of its pieces are appended.
        """
        parallel = Parallel(n_jobs=self.n_jobs, prefer="threads", verbose=self.verbose)
        prefix = "achievable_pr_"
        with tempfile.TemporaryDirectory(dir=self.temp_folder, prefix=prefix) as folder:
            for group, piece in split(self._read("distributed to ranges")):
                with Path(folder, str(group)).open("ab") as file:
                    for array in (np.array(len(piece)), *piece):
                        np.save(file, array, allow_pickle=False)

            def run(on_group):
                files = Path(folder).iterdir()
                return parallel(delayed(on_group)(int(f.name), _pieces(f)) for f in files)

            yield run


def _pieces(path):
    with path.open("rb") as file:
        while file.peek(1):
            n_arrays = int(np.load(file))
            yield [np.load(file) for _ in range(n_arrays)]
