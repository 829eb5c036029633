"""A file, the files of a folder or standard input, opened, and how far they are read."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple

from .files import FileError, told


class Part(NamedTuple):
    """A file that is open, and of a folder perhaps one of several."""

    stream: BinaryIO
    name: str  # as errors call it
    on_bytes: Callable  # to be told of bytes that were read


class _Progress:
    """A line on a terminal that says how much is read; elsewhere nothing."""

    def __init__(self, doing, path, paths):
        self.doing, self.done = f"{doing} {shown_name(path)}", 0
        self.size = sum(os.path.getsize(path) for path in paths if os.path.isfile(path))
        self.visible = sys.stderr is not None and sys.stderr.isatty()
        self.last = time.monotonic()

    def __call__(self, n_bytes):
        self.done += n_bytes
        if self.visible and time.monotonic() - self.last > 0.2:
            self.last = time.monotonic()
            part = f", {min(self.done / self.size, 1):.0%}" if self.size else ""
            self.show(f"{self.doing}: {self.done / 1e6:.0f} MB{part}")

    def show(self, text=""):
        if self.visible:
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def opened(path: str, doing: str = "reading") -> Iterator[Part]:
    """The file of a path, or one file of a folder after the other, by their names.

    Parameters
    ----------
    path : str
        ``"-"`` is standard input.
    doing : str
        What the line on a terminal says.

    Yields
    ------
    Part
        Closed when the next one is asked for.

    Raises
    ------
    FileError
    """
    paths = files_of(path)
    progress = _Progress(doing, path, paths)
    with contextlib.ExitStack() as at_end:
        at_end.callback(progress.show)
        for part in paths:
            with contextlib.ExitStack() as stack:
                with told(shown_name(part), "read"):
                    if part != "-":
                        stream = stack.enter_context(open(part, "rb"))
                    elif sys.stdin is None:
                        raise OSError("it is closed")
                    else:
                        stream = sys.stdin.buffer
                yield Part(stream, shown_name(part), progress)


def files_of(path: str) -> list[str]:
    """The path, or those of a folder's files by name, but what tools hide or mark."""
    return _files_in(path) if os.path.isdir(path) else [path]


def _files_in(folder):
    name = shown_name(folder)
    with told(name, "read"):
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    entries = [entry for entry in entries if not entry.name.startswith((".", "_"))]
    if folders := [entry.name for entry in entries if entry.is_dir()]:
        raise FileError(f"{name}: has a folder in it, {printable(folders[0])}. Name files.")
    if not entries:
        raise FileError(f"{name}: is a folder without files.")
    return [entry.path for entry in entries]


def can_be_read_again(path: str) -> bool:
    """Whether it is a file or a folder of files, not standard input or a pipe."""
    return all(map(os.path.isfile, files_of(path)))


def shown_name(path: str) -> str:
    """What errors and tables call a file."""
    return "standard input" if path == "-" else printable(path)


def printable(text: str) -> str:
    """Text without control characters."""
    return text if text.isprintable() else ascii(text)
