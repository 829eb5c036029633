"""Score files to arrays: Polars scans text and Parquet, this module names the columns.

Text is scanned as text and cast to numbers afterwards, so that errors show what a field
holds.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import importlib
import itertools
import math
import os
import stat
import sys
import tempfile
import time
import zlib
from typing import Any, NamedTuple

import numpy as np

_GZIP, _PARQUET = b"\x1f\x8b", b"PAR1"
_BLOCK, _LONGEST_LINE, _LONGEST_SHOWN = 1 << 20, 1 << 26, 60
_SECONDS_UNTIL_PROGRESS = 3
_MISSING = ("", "na", "n/a", "nan", "null", "none")
_CLEAR_LABELS: tuple[set, ...] = ({0.0, 1.0}, {-1.0, 1.0}, {"false", "true"})
# A line of a list: spaces and tabs separate the fields, or a comma among these.
_TWO_FIELDS = r"^([^ \t,]+)(?:[ \t]*,[ \t]*|[ \t]+)([^ \t,]+)$"


class FileError(Exception):
    """A file that cannot be used; the message names the file, the row and the reason."""


class _Fault(Exception):  # noqa: N818
    """What is wrong with a row, given by its position in a frame."""

    def __init__(self, is_wrong, reason, texts=None):
        self.at = int(np.argmax(is_wrong))
        text = None if texts is None else texts[self.at]
        super().__init__(reason if texts is None else f"{reason}, got {_shown(text)}")


class Columns(NamedTuple):
    """The columns asked for; those not named are found by their usual names."""

    scores: tuple[str, ...] = ()
    label: str | None = None
    weight: str | None = None
    texts: tuple[str, ...] = ()  # identifiers of folds and groups
    all_scores: bool = False
    pos_label: str | None = None
    rates: tuple[str, ...] = ()  # of points of a curve, instead of scores and labels


# Rows are a dict of arrays by role and column: ("label", "") of bool, ("score", name),
# ("rate", name) and ("weight", "") of finite float64, ("column", name) of str.
LABEL, WEIGHT, SCORE = ("label", ""), ("weight", ""), ("score", "")


class _Layout(NamedTuple):
    """The form of a file, and where the columns are that are read."""

    form: str  # "list", "CSV" or "Parquet"
    places: dict[tuple[str, str], int]
    separator: str = "\x01"  # a character that no text has: each line is one field
    skip: int = 0  # lines before the first row
    n_fields: int = 1


_RULES = {
    "score": ("a finite number", -np.inf, np.inf),
    "weight": ("a finite number, not negative", 0, np.inf),
    "rate": ("a number within [0, 1]", 0, 1),
}


# Files


def needed(module: str, what: str, extra: str) -> Any:
    """A module that comes with an extra."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        install = f"Install it, e.g. pip install 'sklearn-achievable-pr[{extra}]'."
        raise FileError(f"{what}. {install}") from error


@contextlib.contextmanager
def reraise_as_file_error(name: str, what: str = "read", errors: tuple = ()):
    """Make what the system, gzip or Polars raises a `FileError` of one line."""
    try:
        yield
    except (OSError, EOFError, ValueError, zlib.error, csv.Error, *errors) as error:
        why = getattr(error, "strerror", None) or str(error).partition("\n")[0].rstrip(".")
        why = printable(why)[:200]
        raise FileError(f"{printable(name)}: cannot be {what}: {why}.") from error


def printable(text: str) -> str:
    """Text without control characters."""
    return text if text.isprintable() else ascii(text)


def _shown(text):
    text = "" if text is None else str(text)
    return repr(text[:_LONGEST_SHOWN] + ("..." if len(text) > _LONGEST_SHOWN else ""))


def files_of(path: str) -> list[str]:
    """The path, or the files of a folder by name, without hidden and marker files."""
    with reraise_as_file_error(path):
        if not os.path.isdir(path):
            return [path]
        names = [name for name in sorted(os.listdir(path)) if name[0] not in "._"]
    found = [os.path.join(path, name) for name in names]
    if not found or any(map(os.path.isdir, found)):
        has = "is a folder with folders in it" if found else "is a folder without files"
        raise FileError(f"{printable(path)}: {has}. Name files.")
    return found


class _Progress:
    """A line on a terminal once the work has taken a few seconds, else nothing."""

    def __init__(self):
        self.visible = sys.stderr is not None and sys.stderr.isatty()
        self.next = time.monotonic() + _SECONDS_UNTIL_PROGRESS

    def __call__(self, text=""):
        if self.visible and (not text or time.monotonic() > self.next):
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
            self.next = max(self.next, time.monotonic() + 0.2)


class ScoreFile(NamedTuple):
    """A file, a folder of part files or standard input, ready to be scanned."""

    name: str
    parts: list[tuple[str, str]]  # name for errors, path of a file that is not compressed
    folder: str  # for temporary files
    progress: _Progress

    def batches(self, columns: Columns):
        """The rows, some at a time; a batch may be empty, all together are not."""
        polars = needed("polars", "files are read by Polars", "cli").exceptions
        errors = (polars.PolarsError, polars.PanicException)
        before = self._sizes_and_times()
        labels, n_rows = _Labels(columns.pos_label), 0
        for name, path in self.parts:
            with reraise_as_file_error(name, errors=errors):
                layout = _layout_of(name, path, columns)
                if columns.all_scores:  # the other parts need the columns of the first
                    scores = (column for role, column in layout.places if role == "score")
                    columns = columns._replace(scores=(*scores,), all_scores=False)
                for rows in _rows_of_part(name, path, layout, labels):
                    n_rows += len(next(iter(rows.values())))
                    self.progress(f"{self.name}: {n_rows:,} rows read")
                    yield rows
        if before != self._sizes_and_times():
            raise FileError(f"{self.name}: was changed while it was read. Run this again.")
        if not n_rows:
            needs = "Needs lines of score and label, or CSV, and a weight above 0"
            raise FileError(f"{self.name}: holds no scores. {needs}.")
        labels.check_named(self.name)

    def _sizes_and_times(self):
        with reraise_as_file_error(self.name):
            found = [os.stat(path) for _, path in self.parts]
        return [(stats.st_size, stats.st_mtime_ns) for stats in found]


@contextlib.contextmanager
def opened(path: str, temp_folder: str | None):
    """A `ScoreFile`; its temporary files are removed at the end."""
    progress = _Progress()
    with contextlib.ExitStack() as stack:
        stack.callback(progress)
        with writing_temporary_files(temp_folder):
            made = tempfile.TemporaryDirectory(prefix="achievable_pr_", dir=temp_folder)
            folder = stack.enter_context(made)
        parts = [(printable(f), _local(f, folder, progress)) for f in files_of(path)]
        yield ScoreFile(printable(path), parts, folder, progress)


def writing_temporary_files(folder: str | None):
    """Make what the system raises an error that names the folder."""
    place = folder or "the system's folder"
    return reraise_as_file_error(
        f"temporary files in {place}, see --temp-folder", "written"
    )


def _local(source, folder, progress):
    """The file itself if Polars can scan it, else a copy of what it holds."""
    with contextlib.ExitStack() as stack, reraise_as_file_error(source):
        if source == "-" and sys.stdin is None:
            raise OSError("it is closed")
        mode = stat.S_IFIFO if source == "-" else os.stat(source).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise OSError("it is neither a file nor a folder nor a pipe")
        stream = (
            sys.stdin.buffer if source == "-" else stack.enter_context(open(source, "rb"))
        )
        is_packed = stream.peek(2).startswith(_GZIP)
        if stat.S_ISREG(mode) and not is_packed:
            return source
        unpacked = gzip.GzipFile(fileobj=stream) if is_packed else stream
        block, n_bytes = unpacked.read(_BLOCK), 0.0
        if block.startswith(_PARQUET):
            n_bytes = -math.inf
        with writing_temporary_files(folder):
            number, path = tempfile.mkstemp(dir=folder)
            copy = stack.enter_context(os.fdopen(number, "wb", buffering=0))
        while block:
            # Polars takes many times the size of a line.
            n_bytes = min(n_bytes, 0) if b"\n" in block else n_bytes + len(block)
            if n_bytes > _LONGEST_LINE:
                raise FileError(f"{source}: has a line that is longer than 64 MiB.")
            with writing_temporary_files(folder):
                copy.write(block)
            progress(f"{source}: {copy.tell() >> 20} MiB copied")
            block = unpacked.read(_BLOCK)
        return path


# Which columns


def _layout_of(name, path, columns):
    """The layout by the first bytes of a file, and by its first line or its schema."""
    pl = importlib.import_module("polars")
    with open(path, "rb") as stream:
        is_parquet = stream.read(len(_PARQUET)) == _PARQUET
    if is_parquet:
        schema = pl.scan_parquet(path, glob=False).collect_schema()
        return _Layout("Parquet", _places(name, columns, [*schema], schema.dtypes()))
    with open(path, encoding="utf-8-sig", newline="\n") as stream:
        lines = enumerate(iter(lambda: stream.readline(_LONGEST_LINE), ""), 1)
        lines = ((number, line.strip()) for number, line in lines if line.strip())
        number, first = next(lines, (1, "#"))
        if len(first) > _LONGEST_LINE - 2:
            raise FileError(f"{name}: has a line that is longer than 64 MiB.")
        # There may be blank lines between the header and the first row.
        skip = next(lines, (number + 1, ""))[0] - 1
    if columns.rates:
        return _Layout("list", {("rate", rate): i for i, rate in enumerate(columns.rates)})
    is_named = columns != Columns(pos_label=columns.pos_label)
    is_list = (
        first[0] == "#" or _number("".join(first.replace(",", " ").split()[:1])) is not None
    )
    if is_list and not is_named:
        return _Layout("list", {SCORE: 0, LABEL: 1})
    csv.field_size_limit(_LONGEST_LINE)
    separator = max(
        ",\t; ", key=lambda mark: (mark in first and mark != " ", mark in first)
    )
    header = [field.strip() for field in next(csv.reader([first], delimiter=separator))]
    layout = _Layout("CSV", {}, separator, skip, len(header))
    types = None
    if columns.all_scores:
        types = _scan_text(path, layout, infer_schema_length=1000).collect_schema().dtypes()
    return layout._replace(places=_places(f"{name}, line {number}", columns, header, types))


def _places(where, columns, header, types):
    """The place of each column that is read; types are those of Parquet or None."""
    wanted = {LABEL: (columns.label,) if columns.label else ("label", "y_true")}
    wanted |= {WEIGHT: (columns.weight,)} if columns.weight else {}
    wanted |= {("column", name): (name,) for name in columns.texts}
    scores = columns.scores
    if columns.all_scores:
        others = {name for names in wanted.values() for name in names}
        typed = zip(header, types, strict=False)
        scores = [name for name, t in typed if t.is_numeric() and name not in others]
        if not scores:
            raise FileError(f"{where}: has no column of numbers for --all-scores.")
    wanted |= {("score", name): (name,) for name in scores} or {SCORE: ("score", "y_score")}
    places = {}
    for key, names in wanted.items():
        name = next((name for name in names if name in header), None)
        found = [at for at, column in enumerate(header) if column == name]
        if len(found) != 1:
            has = "two columns" if found else "no column"
            shown = ", ".join(map(_shown, header[:20])) + ", ..." * (len(header) > 20)
            raise FileError(
                f"{where}: has {has} {' or '.join(map(_shown, names))}. The columns are "
                f"{shown}: name those to read by the options."
            )
        (place,) = found
        places[key] = place
        _check_type(f"{where}: the column {_shown(name)}", key, types and types[place])
    return places


def _check_type(what, key, dtype):
    """Dates and booleans are no scores, lists are no labels."""
    text = ("String", "Categorical", "Enum", "Boolean") * (key[0] in ("label", "column"))
    fits = dtype is None or dtype.is_numeric() or str(dtype.base_type()) in ("Null", *text)
    if not fits:
        raise FileError(f"{what} has the type {_shown(dtype)}, which cannot be read.")


# Rows


def _scan_text(path, layout, **options):
    return importlib.import_module("polars").scan_csv(
        path,
        has_header=False,
        skip_lines=layout.skip,
        separator=layout.separator,
        quote_char='"' if layout.form == "CSV" else None,
        glob=False,
        **options,
    )


def _frames(path, layout):
    """Frames of the columns as text by their keys, and of what is malformed in a row."""
    pl = importlib.import_module("polars")
    if layout.form == "Parquet":
        scanned, malformed = pl.scan_parquet(path, glob=False), pl.lit(None, pl.String)
    else:
        # Polars ignores superfluous fields unless all columns are selected: one more
        # column shows them.
        schema = {str(place): pl.String for place in range(layout.n_fields + 1)}
        options = {"missing_columns": "insert", "extra_columns": "ignore"}
        scanned = _scan_text(path, layout, schema=schema, **options)
        malformed = pl.nth(layout.n_fields)
    texts = {key: pl.nth(place) for key, place in layout.places.items()}
    if layout.form == "list":
        line = pl.col("0").str.strip_chars(" \t")
        is_row = (line != "") & ~line.str.starts_with("#")
        line = pl.when(is_row).then(line)
        fields = line.str.extract_groups(_TWO_FIELDS).struct
        wrong = pl.when(fields[0].is_null()).then(line)
        texts = {key: fields[place] for key, place in layout.places.items()}
        malformed = pl.coalesce(malformed, wrong)
    found = {str(key): text for key, text in texts.items()}
    for key, text in texts.items():
        if key[0] in ("label", "column"):
            found[str(key)] = text.cast(pl.String)
        else:
            text = text if layout.form == "Parquet" else text.str.strip_chars(" \t")
            found[f"= {key}"] = text.cast(pl.Float64, strict=False)
    return scanned.select(**found, malformed=malformed).collect_batches()


def _rows_of_part(name, path, layout, labels):
    """The rows of a file, some at a time."""
    pl = importlib.import_module("polars")
    n_rows = n_blank = 0
    for frame in _frames(path, layout):
        kept = np.arange(len(frame))
        if layout.form != "Parquet" and frame.to_series(0).null_count():
            is_row = frame.select(pl.any_horizontal(pl.all().is_not_null())).to_series()
            kept = np.flatnonzero(is_row)
            n_blank += len(frame) - len(kept)
        try:
            rows = _rows_of(
                frame[kept] if len(kept) < len(frame) else frame, layout, labels
            )
        except _Fault as fault:
            what = "line" if layout.form == "list" else "row"
            row = n_rows + kept[fault.at] + 1
            raise FileError(f"{name}, {what} {row}: {fault}.") from fault
        n_rows += len(frame)
        yield rows
    if layout.form == "CSV":
        lines = _Layout("list", {}, skip=layout.skip)
        lines = _scan_text(
            path, lines, schema={"line": pl.String}, truncate_ragged_lines=True
        )
        if n_blank or n_rows != lines.select(pl.len()).collect(engine="streaming").item():
            _check_records(name, path, layout, n_rows - n_blank)


def _check_records(name, path, layout, n_rows):
    """Raise an error if quotes hid rows, or if a row was taken for a blank line."""
    n_found = 0
    with open(path, encoding="utf-8-sig", newline="") as stream:
        lines = itertools.islice(stream, layout.skip, None)
        records = csv.reader(lines, delimiter=layout.separator, strict=True)
        for row, fields in enumerate(records, 1):
            is_row = any(map(str.strip, fields))
            n_found += is_row
            if is_row and not "".join(fields[layout.places[LABEL] :][:1]).strip():
                raise FileError(f"{name}, row {row}: the label is missing.")
    if n_found != n_rows:
        raise FileError(f"{name}: has quotes that do not enclose whole fields.")


def _rows_of(frame, layout, labels):
    """The rows of a frame, without those of weight 0."""
    if (wrong := frame["malformed"].is_not_null()).any():
        needs = f"{layout.n_fields} fields as the header has, and no more"
        needs = (
            f"two fields, {' and '.join(' '.join(key).strip() for key in layout.places)}"
            if layout.form == "list"
            else needs
        )
        raise _Fault(wrong, f"needs {needs}", frame["malformed"])
    rows = {}
    for key in layout.places:
        texts, (role, name) = frame[str(key)], key
        if role == "label":
            rows[key] = labels.of(texts)
            continue
        if role == "column":
            values, rule = texts.str.strip_chars(" \t").fill_null("").to_numpy(), "a text"
            valid = values != ""
        else:
            values, (rule, low, high) = frame[f"= {key}"].to_numpy(), _RULES[role]
            valid = np.isfinite(values) & (values >= low) & (values <= high)
        if not valid.all():
            what = f"the {role} {name}".rstrip()
            raise _Fault(~valid, f"{what} must be {rule}", texts)
        rows[key] = values
    if WEIGHT in rows and rows[WEIGHT].min(initial=1.0) == 0:
        rows = {key: values[rows[WEIGHT] > 0] for key, values in rows.items()}
    return rows


class _Labels:
    """The labels of a file: which texts were found, and what they mean."""

    def __init__(self, pos_label: str | None):
        self.named = pos_label
        self.positive = {1.0, "true"} if pos_label is None else {_canonical(pos_label)}
        self.meaning: dict[str | None, float | str] = {}

    def of(self, column):
        """Whether each row has the positive label."""
        for text in column.unique(maintain_order=True):
            if text in self.meaning:
                continue
            known = " and ".join(map(repr, self.meaning)) or "no other"
            label = self.meaning[text] = _canonical(text or "")
            found = {*self.meaning.values()}
            is_clear = any(found <= labels for labels in _CLEAR_LABELS)
            if label in _MISSING or len(found) > 2 or not (self.named or is_clear):
                raise _Fault(
                    column.eq_missing(text),
                    "the label must be one of two, 0 and 1, -1 and 1 or false and true "
                    f"unless --pos-label names the positive one; after {known}",
                    column,
                )
        positive = [text for text, label in self.meaning.items() if label in self.positive]
        return column.is_in(positive).to_numpy()

    def check_named(self, name):
        """Raise an error if none of two labels is the one that was named."""
        if len({*self.meaning.values()}) == 2 and not self.positive & {
            *self.meaning.values()
        }:
            found = " and ".join(map(repr, self.meaning))
            what = f"has no label {_shown(self.named)}, as --pos-label says"
            raise FileError(f"{name}: {what}. Its labels are {found}.")


def _number(text):
    """The number that a text is, or None."""
    with contextlib.suppress(ValueError):
        return float(text)


def _canonical(text):
    """A number for what is one, so that 1, 1.0 and +1 are one label; true in any case."""
    text, number = text.strip(), _number(text)
    if number is not None and number == number:
        return number
    return text.lower() if text.lower() in {"false", "true", *_MISSING} else text
