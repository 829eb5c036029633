"""Files of scores to frames of checked rows: Polars reads, this module names the columns.

Text is scanned as text and cast to numbers afterwards, so that errors show what a field
holds. Bytes that are not UTF-8 become U+FFFD, and an error only where they are read.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import math
import os
import shutil
import stat
import sys
import tempfile
import time
import zlib
from argparse import Namespace
from dataclasses import dataclass
from functools import partial

import numpy as np
import polars as pl

from . import FileError

_BLOCK, _LONGEST_HEADER, _LONGEST_SHOWN = 1 << 20, 1 << 24, 60
_STARTED, _SECONDS_UNTIL_PROGRESS = time.monotonic(), 3
_NUMBER, _NOT_UTF8, _BLANKS = "row number", "\ufffd", " \t"
_MISSING = {"", "na", "n/a", "nan", "null", "none"}
_CLEAR_LABELS: tuple[set, ...] = ({0.0, 1.0}, {-1.0, 1.0}, {"false", "true"})
_TEXTS = ("malformed", "label", "fold", "groups")
# Columns of frames are called by their role, and by the name of the score or rate. These
# hold numbers: what they must be, and their limits.
_RULES = {
    "score": ("a finite number", -np.inf, np.inf),
    "weight": ("a finite number, not negative", 0, np.inf),
    "rate": ("a number within [0, 1]", 0, 1),
}
_LISTS = {"pr": ("rate recall", "rate precision"), "roc": ("rate fpr", "rate tpr")}


@contextlib.contextmanager
def file_errors(name: str):
    """Make what the system, gzip, Polars and the package raise an error of one line."""
    of_polars = pl.exceptions.PolarsError, pl.exceptions.PanicException
    try:
        yield
    except (OSError, EOFError, ValueError, zlib.error, csv.Error, *of_polars) as error:
        why = getattr(error, "strerror", None) or str(error).partition("\n")[0].rstrip(".")
        why = f"{printable(name)}: {printable(why.replace('`', ''))[:300]}."
        raise FileError(why) from error


def printable(text: str) -> str:
    """Text without control characters."""
    return text if text.isprintable() else ascii(text)


def progress(text: str = "") -> None:
    """Show a line on a terminal once the work has taken a few seconds, or remove it."""
    if time.monotonic() > _STARTED + _SECONDS_UNTIL_PROGRESS and sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


# Files


def batches_of(path: str, folder: str, options: Namespace):
    """The rows of a file or folder, some at a time; together they are not empty."""
    labels: dict[str | None, float | str] = {}
    n_rows, parts, options = 0, [path], Namespace(**vars(options))
    if os.path.isdir(path):  # without hidden and marker files
        names = [name for name in sorted(os.listdir(path)) if name[0] not in "._"]
        parts = [os.path.join(path, name) for name in names]
    for part in parts:
        with file_errors(part):
            local = _local(part, folder)
            before = os.path.getsize(local), os.path.getmtime(local)
            source = _source_of(local, options)
            for rows in _rows_of(source, labels, options.pos_label):
                n_rows += len(rows)
                progress(f"{printable(path)}: {n_rows:,} rows read")
                yield rows
            progress()
            if before != (os.path.getsize(local), os.path.getmtime(local)):
                raise ValueError("was changed while it was read. Run this again")
    if not n_rows:
        raise ValueError("holds no scores. Needs lines of score and label, or CSV")


def _local(path, folder):
    """The file itself if Polars can scan it, else a copy of what it holds."""
    file = 0 if path == "-" else path
    with open(file, "rb", closefd=file != 0) as stream:
        mode = os.fstat(stream.fileno()).st_mode
        if file != 0 and not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise OSError("is neither a file nor a folder nor a pipe")
        is_packed = stream.peek(2).startswith(b"\x1f\x8b")
        if file != 0 and stat.S_ISREG(mode) and not is_packed:
            return path
        unpacked = gzip.GzipFile(fileobj=stream) if is_packed else stream
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as copy:
            shutil.copyfileobj(unpacked, copy, _BLOCK)
        return copy.name


# The form of a file, and its columns


@dataclass
class _Source:
    """A file that Polars scans, and what is read of it."""

    query: pl.LazyFrame  # all columns, and the number of each row
    texts: dict[str, pl.Expr]  # columns that are read; "malformed" is null in good rows
    n_rows: int | None = None  # as the number of lines has it

    def check(self, frame, valid, key, rule):
        """Raise an error with the first row that is not valid."""
        if not valid.all():
            number = frame[_NUMBER][int(np.argmin(valid))]
            row = self.query.filter(pl.col(_NUMBER) == number)
            text = self.texts[key].cast(pl.String).fill_null("")
            got = row.select(text).collect().item()[:_LONGEST_SHOWN]
            raise ValueError(f"row {number}: {rule}, got {got!r}")


def _source_of(path, options):
    """A list, CSV or Parquet by the first bytes of a file and by its first line."""
    with open(path, encoding="utf-8-sig", errors="replace", newline="\n") as stream:
        lines = enumerate(iter(partial(stream.readline, _LONGEST_HEADER), ""), 1)
        skip, first = next((line for line in lines if line[1].strip()), (1, "#"))
    if first.startswith("PAR1"):
        query = pl.scan_parquet(path, glob=False)
        names, types = zip(*query.collect_schema().items(), strict=True)
        texts = {}
        for key, place in _places(options, names, types).items():
            column = pl.nth(place + 1)  # a date is no number
            texts[key] = column if types[place].is_numeric() else column.cast(pl.String)
        return _Source(query.with_row_index(_NUMBER, 1), texts)
    named = options.label, options.weight, options.fold, options.groups, options.score
    start = (first.replace(",", " ").split() or [""])[0]
    is_list = start.startswith("#") or isinstance(_canonical(start), float)
    if options.points or (is_list and not any((*named, options.all_scores))):
        return _list_source(path, _LISTS.get(options.points, ("score", "label")))
    return _csv_source(path, options, skip, first.strip())


def _scan_text(path, **how):
    how |= {"has_header": False, "glob": False, "encoding": "utf8-lossy"}
    return pl.scan_csv(path, row_index_name=_NUMBER, row_index_offset=1, **how)


def _list_source(path, keys):
    """Two fields a line, separated by spaces and tabs or by one comma among these."""
    # A separator that no text has: each line is one field.
    query = _scan_text(path, separator="\x01", quote_char=None, schema={"line": pl.String})
    line = pl.col("line").str.strip_chars(_BLANKS + "\r")
    spaced = line.str.replace_many([",", "\t"], [" ", " "])
    first, rest = (spaced.str.splitn(" ", 2).struct[place] for place in (0, 1))
    rest = rest.str.strip_chars_start(" ")
    is_pair = (rest != "") & ~rest.str.contains(" ", literal=True)
    is_row = is_pair & (line.str.count_matches(",", literal=True) < 2)
    texts = {"malformed": pl.when(~is_row.fill_null(False)).then(line)}
    texts |= dict(zip(keys, (first, rest), strict=True))
    query = query.filter((line != "") & ~line.str.starts_with("#"))
    return _Source(query, texts)


def _csv_source(path, options, skip, first):
    """A line of names, then rows with as many fields."""
    separator = next((mark for mark in ",\t;" if mark in first), " ")
    header = [field.strip() for field in next(csv.reader([first], delimiter=separator))]
    types, how = (), {"skip_lines": skip, "separator": separator}
    if options.all_scores:
        types = (
            _scan_text(path, **how, infer_schema_length=1000).collect_schema().dtypes()[1:]
        )
    places = _places(options, header, types)
    # Polars ignores superfluous fields: those of one more column are an error.
    schema = {str(place): pl.String for place in range(len(header) + 1)}
    how |= {"missing_columns": "insert", "extra_columns": "ignore"}
    n_rows = _count_lines(path) - skip
    query = _scan_text(path, **how, schema=schema).filter(pl.col(_NUMBER) <= n_rows)
    texts = {"malformed": pl.col(str(len(header)))}
    for key, place in places.items():
        texts[key] = pl.col(str(place)).str.strip_chars(_BLANKS)
    return _Source(query, texts, n_rows)


def _count_lines(path):
    """The number of lines up to the last that is not blank."""
    n_lines = n_last = 1
    with open(path, "rb") as stream:
        for block in iter(partial(stream.read, _BLOCK), b""):
            if text := block.rstrip():
                n_last = n_lines + text.count(b"\n")
            n_lines += block.count(b"\n")
    return n_last


def _places(options, header, types):
    """The place of each column that is read; types are needed for all scores."""
    wanted = {"label": [options.label] if options.label else ["label", "y_true"]}
    for role in ("weight", "fold", "groups"):
        if name := getattr(options, role):
            wanted[role] = [name]
    if options.all_scores:  # the other parts of a folder need the columns of the first
        others = {name for names in wanted.values() for name in names}
        typed = zip(header, types, strict=False)
        numbers = (name for name, dtype in typed if dtype.is_numeric())
        options.score = [name for name in numbers if name not in others]
        options.all_scores = False
    scores = {f"score {name}": [name] for name in options.score}
    wanted |= scores or {"score": ["score", "y_score"]}
    places = {}
    for key, names in wanted.items():
        name = next((name for name in names if name in header), None)
        if header.count(name) != 1:
            has = f"{'two columns' if name else 'no column'} {' or '.join(names)}"
            columns = ", ".join(header)[:200]
            raise ValueError(f"has {has}. Name others by options: {columns}")
        places[key] = header.index(name)
    return places


# Rows


def _rows_of(source, labels, pos_label):
    """The checked rows of a file, some at a time, without those of weight 0."""
    columns, n_rows = {}, 0
    for key, text in source.texts.items():
        columns[key] = text.cast(pl.String if key in _TEXTS else pl.Float64, strict=False)
    for frame in source.query.select(pl.col(_NUMBER), **columns).collect_batches():
        n_rows += len(frame)
        check, rows = partial(source.check, frame), {}
        for key in columns:
            role, values = key.partition(" ")[0], frame[key]
            if role == "malformed":
                check(values.is_null(), key, "must have two fields, or those of the header")
            elif role == "label":
                rows[key] = _positives(values, labels, pos_label, check)
            elif role in _RULES:
                rule, low, high = _RULES[role]
                rows[key] = values = values.to_numpy()
                valid = np.isfinite(values) & (values >= low) & (values <= high)
                check(valid, key, f"the {key} must be {rule}")
            else:
                rows[key] = values = values.fill_null("")
                valid = (values != "") & ~values.str.contains(_NOT_UTF8)
                check(valid, key, f"the {key} must be a text")
        checked = pl.DataFrame(rows)
        yield checked.filter(pl.col("weight") > 0) if "weight" in rows else checked
    if source.n_rows not in (None, n_rows):
        raise ValueError("has line ends within quotes. Remove them")


def _positives(texts, labels, pos_label, check):
    """Whether each row has the positive label; `labels` are those known by their texts."""
    positive, rule = {1.0, "true"}, "the label must be 0 or 1, -1 or 1, false or true"
    if pos_label is not None:
        positive = {_canonical(pos_label)}
        rule = f"the label must be {pos_label} or one other"
    for text in texts.unique(maintain_order=True):
        if text not in labels:
            label = _canonical(text or "")
            found = {*labels.values(), label}
            if pos_label is None:
                is_clear = any(found <= pair for pair in _CLEAR_LABELS)
            else:
                is_missing = str(label).lower() in _MISSING or _NOT_UTF8 in str(label)
                is_clear = len(found - positive) < 2 and not is_missing
            check(texts.ne_missing(text) | is_clear, "label", rule)
            labels[text] = label
    named = [text for text, label in labels.items() if label in positive]
    return texts.is_in(named).to_numpy()


def _canonical(text):
    """A number for what is one, so that 1, 1.0 and +1 are one label; true in any case."""
    with contextlib.suppress(ValueError):
        if not math.isnan(float(text)):
            return float(text)
    text = text.strip()
    return text.lower() if text.lower() in ("false", "true") else text
