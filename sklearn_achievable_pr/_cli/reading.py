"""Score files to arrays: Polars scans text and Parquet, this module names the columns.

Text is scanned as text and numbers are converted afterwards, so that Polars raises only
where the form of a file is wrong. The line that is wrong is then looked for with the
standard library.
"""

from __future__ import annotations

import contextlib
import csv
import functools
import gzip
import importlib
import itertools
import math
import mmap
import os
import re
import stat
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

_GZIP, _PARQUET = b"\x1f\x8b", b"PAR1"
_BLOCK, _LONGEST_LINE = 1 << 20, 1 << 26
_LONGEST_SHOWN, _MOST_SHOWN = 60, 20
_SECONDS_UNTIL_PROGRESS = 3
_MISSING = ("", "na", "n/a", "nan", "null", "none")
_CLEAR_LABELS: tuple[set, ...] = ({0.0, 1.0}, {-1.0, 1.0}, {"false", "true"})
_is_number = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?").fullmatch
# A line of a list: spaces and tabs separate the fields, or a comma among these.
_TWO_FIELDS = r"^([^ \t,]+)(?:[ \t]*,[ \t]*|[ \t]+)([^ \t,]+)$"


class FileError(Exception):
    """A file that cannot be used; the message names the file, the line and the reason."""


class _Fault(Exception):  # noqa: N818
    """What is wrong with a row, given by its position in a frame."""

    def __init__(self, at, reason):
        super().__init__(reason)
        self.at = int(at)


class Columns(NamedTuple):
    """The columns asked for; those not named are found by their usual names."""

    scores: tuple[str, ...] = ()
    label: str | None = None
    weight: str | None = None
    texts: tuple[str, ...] = ()  # identifiers of folds and groups
    all_scores: bool = False
    pos_label: str | None = None


# Rows are a dict of arrays by role and column: ("label", "") of bool, ("score", name) and
# ("weight", "") of finite float64, ("column", name) of str for identifiers.
LABEL, WEIGHT, SCORE = ("label", ""), ("weight", ""), ("score", "")


class _Part(NamedTuple):
    path: str  # of a regular file that is not compressed
    name: str  # for errors


class _Layout(NamedTuple):
    """The form of a file, and where the columns are that are read."""

    form: str  # "list", "CSV" or "Parquet"
    separator: str = ""
    skip: int = 0  # lines before the first row
    n_fields: int = 2
    is_quoted: bool = False
    places: dict = {SCORE: 0, LABEL: 1}  # noqa: RUF012


# Files


def needed(module: str, what: str, extra: str) -> Any:
    """A module that comes with an extra."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        install = f"Install it, e.g. pip install 'sklearn-achievable-pr[{extra}]'."
        raise FileError(f"{what}. {install}") from error


_polars = functools.partial(needed, "polars", "files are read by Polars", "cli")


@contextlib.contextmanager
def reraise_as_file_error(name: str, what: str = "read"):
    """Make what the system or gzip raises a `FileError`."""
    try:
        yield
    except (OSError, EOFError, ValueError, zlib.error) as error:
        why = getattr(error, "strerror", None) or str(error).rstrip(".")
        raise FileError(f"{name}: cannot be {what}: {why}.") from error


def printable(text: str) -> str:
    """Text without control characters."""
    return text if text.isprintable() else ascii(text)


def shown_name(path: str) -> str:
    """What errors and tables call a file."""
    return "standard input" if path == "-" else printable(path)


def _shown(text):
    return repr(text[:_LONGEST_SHOWN] + ("..." if len(text) > _LONGEST_SHOWN else ""))


def files_of(path: str) -> list[str]:
    """The path, or the files of a folder by name, without hidden and marker files."""
    with reraise_as_file_error(shown_name(path)):
        if not os.path.isdir(path):
            return [path]
        entries = sorted(os.scandir(path), key=lambda entry: entry.name)
        entries = [entry for entry in entries if not entry.name.startswith((".", "_"))]
        folders = [printable(entry.name) for entry in entries if entry.is_dir()]
    if folders or not entries:
        has = (
            f"has a folder in it, {folders[0]}" if folders else "is a folder without files"
        )
        raise FileError(f"{shown_name(path)}: {has}. Name files.")
    return [entry.path for entry in entries]


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
    parts: list[_Part]
    folder: Callable[[], str]  # makes a folder for temporary files, once
    progress: Callable

    def batches(self, columns: Columns) -> Iterator[dict]:
        """The rows, some at a time; a batch may be empty, all together are not."""
        labels, n_rows = _Labels(columns.pos_label), 0
        before = [_size_and_time(part) for part in self.parts]
        for part in self.parts:
            layout = _layout_of(part, columns)
            if columns.all_scores:  # the other parts need the columns of the first one
                scores = (name for role, name in layout.places if role == "score")
                columns = columns._replace(scores=(*scores,), all_scores=False)
            for rows in _rows_of_part(part, layout, labels):
                n_rows += len(rows[LABEL])
                self.progress(f"{self.name}: {n_rows:,} rows read")
                yield rows
        if before != [_size_and_time(part) for part in self.parts]:
            raise FileError(f"{self.name}: was changed while it was read. Run this again.")
        labels.check_found(self.name)
        if not n_rows:
            raise FileError(f"{self.name}: every weight is 0, so no row is left.")


@contextlib.contextmanager
def opened(path: str, temp_folder: str | None) -> Iterator[ScoreFile]:
    """A `ScoreFile`; its temporary files are removed at the end."""
    progress = _Progress()
    with contextlib.ExitStack() as stack:
        stack.callback(progress)

        @functools.cache
        def folder():
            with writing_temporary_files(temp_folder):
                made = tempfile.TemporaryDirectory(prefix="achievable_pr_", dir=temp_folder)
                return stack.enter_context(made)

        parts = [_local(source, folder, progress) for source in files_of(path)]
        yield ScoreFile(shown_name(path), parts, folder, progress)


def writing_temporary_files(folder: str | None):
    """Make what the system raises an error that names the folder."""
    place = printable(folder or tempfile.gettempdir())
    return reraise_as_file_error(
        f"temporary files in {place}, see --temp-folder", "written"
    )


def _local(source, folder, progress):
    """The file itself if Polars can scan it, else a copy of what it holds."""
    name, mode = shown_name(source), 0
    with contextlib.ExitStack() as stack, reraise_as_file_error(name):
        if source == "-" and sys.stdin is None:
            raise OSError("it is closed")
        if source != "-":
            mode = os.stat(source).st_mode
            if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
                raise OSError("it is neither a file nor a folder nor a pipe")
        stream = stack.enter_context(open(source, "rb")) if mode else sys.stdin.buffer
        is_packed = stream.peek(2).startswith(_GZIP)
        if stat.S_ISREG(mode) and not is_packed:
            return _Part(source, name)
        number, path = tempfile.mkstemp(dir=folder())
        copy = stack.enter_context(os.fdopen(number, "wb", buffering=0))
        unpacked = gzip.GzipFile(fileobj=stream) if is_packed else stream
        n_bytes = 0  # of the line that is copied: Polars takes many times its size
        while block := unpacked.read(_BLOCK):
            if copy.tell() == 0 and block.startswith(_PARQUET):
                n_bytes = -math.inf
            end = block.rfind(b"\n") + 1
            n_bytes = (
                n_bytes + len(block) if end == 0 else min(n_bytes, 0) + len(block) - end
            )
            if n_bytes > _LONGEST_LINE:
                raise FileError(f"{name}: has a line that is longer than 64 MiB.")
            with writing_temporary_files(os.path.dirname(path)):
                copy.write(block)
            progress(f"{name}: {copy.tell() >> 20} MiB copied")
        return _Part(path, name)


def _size_and_time(part):
    with reraise_as_file_error(part.name):
        found = os.stat(part.path)
    return found.st_size, found.st_mtime_ns


# Which columns


def _layout_of(part, columns):
    """The layout by the first bytes of a file, and by its first line or its schema."""
    with reraise_as_file_error(part.name), open(part.path, "rb") as stream:
        is_parquet = stream.read(len(_PARQUET)) == _PARQUET
    if is_parquet:
        layout = _Layout("Parquet")
        with _polars_errors(part, layout):
            schema = _polars().scan_parquet(part.path, glob=False).collect_schema()
        return _with_columns(layout, [*schema], columns, part.name, schema.dtypes)
    lines = ((n, line.strip()) for n, line in enumerate(_lines(part), 1) if line.strip())
    number, first = next(lines, (1, "#"))
    is_named = columns != Columns(pos_label=columns.pos_label)
    if not is_named and (first[0] == "#" or _is_number(re.split("[ \t,]", first)[0])):
        rest = itertools.chain([(number, first)], lines)
        first = next((line for _, line in rest if line[0] != "#"), "")
        return _Layout("list", next((mark for mark in ",\t" if mark in first), " "))
    where = f"{part.name}, line {number}"
    errors = {0: FileError(f"{where}: is no header of CSV: {_shown(first)}")}
    # There may be blank lines between the header and the first row.
    skip = next(lines, (number + 1, ""))[0] - 1
    with reraise_as_file_error(part.name), open(part.path, "rb") as stream:
        text = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        is_quoted = text.find(b'"') >= 0
        text.close()
    for mark in ",\t; ":
        header = []
        try:
            header = next(csv.reader([first], delimiter=mark))
            layout = _Layout("CSV", mark, skip, len(header), is_quoted)
            types = functools.partial(_inferred_types, part, layout)
            return _with_columns(layout, header, columns, where, types)
        except csv.Error:
            continue
        except FileError as error:
            errors.setdefault(len(header), error)
    raise errors[max(errors)]


def _inferred_types(part, layout):
    with _polars_errors(part, layout):
        return _scan_text(part, layout, infer_schema_length=1000).collect_schema().dtypes()


def _with_columns(layout, header, columns, where, types):
    """The layout with the columns asked for; `types` returns those of all columns."""
    header = [name.strip() for name in header]
    wanted = {LABEL: (columns.label,) if columns.label else ("label", "y_true")}
    wanted |= {WEIGHT: (columns.weight,)} if columns.weight else {}
    wanted |= {("column", name): (name,) for name in columns.texts}
    scores = columns.scores
    if columns.all_scores:
        others = {name for names in wanted.values() for name in names}
        typed = zip(header, types(), strict=False)
        scores = [name for name, t in typed if t.is_numeric() and name not in others]
        if not scores:
            raise FileError(f"{where}: has no column of numbers for --all-scores.")
    wanted |= {("score", name): (name,) for name in scores}
    wanted |= {} if scores else {SCORE: ("score", "y_score")}
    places = {}
    for key, names in wanted.items():
        found = [name for name in names if name in header][:1]
        if not found:
            shown = [*map(_shown, header[:_MOST_SHOWN]), "..."]
            raise FileError(
                f"{where}: has no column {' or '.join(map(_shown, names))}. The columns "
                f"are {', '.join(shown[: len(header)])}: name those to read by the options."
            )
        if header.count(*found) > 1:
            raise FileError(f"{where}: has two columns {_shown(*found)}. Rename one.")
        places[key] = header.index(*found)
        if layout.form == "Parquet":
            _check_type(types()[places[key]], key[0], *found, where)
    return layout._replace(places=places)


def _check_type(dtype, role, name, where):
    """Dates and booleans are no scores, lists are no labels."""
    pl = _polars()
    fits, needs = dtype.is_numeric() or dtype == pl.Null, "numbers"
    if role in ("label", "column"):
        needs = "numbers, booleans or text"
        fits = fits or dtype in (pl.String, pl.Categorical, pl.Enum, pl.Boolean)
    if not fits:
        raise FileError(
            f"{where}: the column {_shown(name)} must hold {needs}, got the type "
            f"{_shown(str(dtype))}. Convert it or name another column."
        )


# Rows


def _scan_text(part, layout, **options):
    """The columns of a text from its first row on, as text if no types are inferred."""
    pl = _polars()
    if "infer_schema_length" not in options:
        # Polars ignores superfluous fields unless all columns are selected: one more column
        # shows them.
        options["schema"] = {str(place): pl.String for place in range(layout.n_fields + 1)}
        options["missing_columns"] = "insert"
    return pl.scan_csv(
        part.path,
        has_header=False,
        skip_lines=layout.skip,
        separator=layout.separator,
        quote_char='"' if layout.is_quoted else None,
        glob=False,
        **options,
    )


def _scan_lines(part, **options):
    """The lines of a text, stripped; null for blank ones."""
    # A character that no text has separates the fields: each line is one.
    lines = _scan_text(part, _Layout("list", "\x01", 0, 1), **options)
    line = _polars().col("0").str.strip_chars(" \t")
    return lines.select(line=_polars().when(line != "").then(line))


def _as_number(text):
    return text.str.strip_chars(" \t").cast(_polars().Float64, strict=False)


def _frames(part, layout):
    """Frames of the columns by their keys as text, and of the numbers in them."""
    pl = _polars()
    if layout.form == "list":
        line = pl.col("line")
        line = pl.when(~line.str.starts_with("#")).then(line)
        fields = line.str.split_exact(layout.separator, 2).alias("fields")
        lines = _scan_lines(part).select(line, fields).unnest("fields")
        return lines.collect_batches()
    found = {str(key): pl.nth(place) for key, place in layout.places.items()}
    numbers = {key: pl.nth(layout.places[key]) for key in layout.places if _is_numeric(key)}
    if layout.form == "Parquet":
        scanned = pl.scan_parquet(part.path, glob=False)
        numbers = {f"= {key}": number.cast(pl.Float64) for key, number in numbers.items()}
    else:
        scanned = _scan_text(part, layout)
        numbers = {f"= {key}": _as_number(text) for key, text in numbers.items()}
        numbers["superfluous"] = pl.nth(layout.n_fields)
    return scanned.select(**found, **numbers).collect_batches()


def _is_numeric(key):
    return key[0] in ("score", "weight")


def _rows_of_part(part, layout, labels):
    """The rows of a file, some at a time."""
    n_rows = n_blank = 0
    with _polars_errors(part, layout):
        for frame in _frames(part, layout):
            kept = np.arange(len(frame))
            try:
                if layout.form == "list":
                    frame = _split(frame)
                elif layout.form == "CSV" and frame["superfluous"].count():
                    needs = f"needs {layout.n_fields} fields as the header has, got more"
                    raise _Fault(frame["superfluous"].is_not_null().arg_max(), needs)
                if layout.form != "Parquet" and frame[str(LABEL)].null_count():
                    kept = _not_blank(frame.select(map(str, layout.places)))
                    n_blank += len(frame) - len(kept)
                rows = _rows_of(
                    frame[kept] if len(kept) < len(frame) else frame, layout, labels
                )
            except _Fault as fault:
                row = n_rows + int(kept[fault.at]) + 1
                # Where there are no quotes every line is a row.
                is_line = layout.form != "Parquet" and not layout.is_quoted
                where = f"line {layout.skip + row}" if is_line else f"row {row}"
                raise FileError(f"{part.name}, {where}: {fault}.") from fault
            n_rows += len(frame)
            yield rows
        if layout.form == "CSV" and (n_blank or layout.is_quoted):
            _check_lines(part, layout, (n_rows, n_blank))


def _split(frame):
    """The score and the label of each line, null where it is blank or a comment."""
    line, score, label, rest = frame.get_columns()
    number = _as_number(score)
    regular = number.is_not_null() & label.is_not_null() & rest.is_null()
    regular &= ~label.str.contains(",", literal=True)
    if not (regular | line.is_null()).all():
        score, label = line.str.extract_groups(_TWO_FIELDS).struct.unnest().get_columns()
        number = _as_number(score)
        if (wrong := line.is_not_null() & score.is_null()).any():
            at = wrong.arg_max()
            # A line may be long: only its beginning becomes a string of Python.
            text = line.slice(at, 1).str.head(_LONGEST_SHOWN + 1)[0]
            raise _Fault(at, f"needs two fields, score and label, got {_shown(text)}")
    return _polars().DataFrame({str(SCORE): score, str(LABEL): label, f"= {SCORE}": number})


def _not_blank(frame):
    """Positions of the rows with a field."""
    pl = _polars()
    texts = pl.all().fill_null("").str.strip_chars(" \t")
    return np.flatnonzero(frame.select(pl.any_horizontal(texts != "")).to_series())


def _rows_of(frame, layout, labels):
    """The rows of a frame, without those of weight 0."""
    rows = {}
    for key in layout.places:
        role, name = key
        what = f"{role} {_shown(name)}" if name else role
        if role == "label":
            rows[key] = labels.of(frame[str(key)])
        elif role == "column":
            rows[key] = _texts(frame[str(key)], what)
        else:
            rows[key] = _numbers(frame[f"= {key}"], frame[str(key)], what)
    if WEIGHT in rows and rows[WEIGHT].min(initial=1.0) == 0:
        rows = {key: values[rows[WEIGHT] > 0] for key, values in rows.items()}
    return rows


def _numbers(numbers, texts, what):
    """A column of finite numbers."""
    numbers = numbers.to_numpy()
    valid = np.isfinite(numbers) & ((numbers >= 0) | (what != "weight"))
    if not valid.all():
        at = int(np.argmin(valid))
        rule = "a finite number" + (", not negative" if what == "weight" else "")
        is_missing = texts[at] is None
        got = (
            "is missing" if is_missing else f"must be {rule}, got {_shown(str(texts[at]))}"
        )
        raise _Fault(at, f"the {what} {got}")
    return numbers


def _texts(column, what):
    """A column of texts, none of them empty."""
    column = column.fill_nan(None) if column.dtype.is_float() else column
    texts = column.cast(_polars().String).str.strip_chars(" \t").fill_null("")
    if (missing := texts == "").any():
        raise _Fault(missing.arg_max(), f"the {what} is empty")
    return texts.to_numpy()


class _Labels:
    """The labels of a file in order of appearance."""

    def __init__(self, pos_label: str | None):
        self.named = pos_label
        self.positive = {1.0, "true"} if pos_label is None else {_canonical(pos_label)}
        self.found: list[float | str] = []

    def of(self, column):
        """Whether each row has the positive label."""
        if column.null_count():
            raise _Fault(column.is_null().arg_max(), "the label is missing")
        positive, left = np.zeros(len(column), bool), np.ones(len(column), bool)
        while left.any():
            at = int(np.argmax(left))
            alike = (column == column[at]).to_numpy()
            label = _canonical(str(column[at]))
            if label not in self.found:
                self._add(label, at)
            if label in self.positive:
                positive |= alike
            left &= ~alike
        return positive

    def _add(self, label, at):
        after = f" after {self}" if self.found else ""
        if label in _MISSING:
            raise _Fault(at, "the label is missing")
        if self.named is None and not any({*self.found, label} <= c for c in _CLEAR_LABELS):
            raise _Fault(
                at,
                f"the label {_shown_label(label)}{after}: which of two labels is positive "
                "is clear only for 0 and 1, -1 and 1, false and true; else name it by "
                "--pos-label",
            )
        if len(self.found) == 2:
            what = f"a third label, {_shown_label(label)},{after}: there may be two"
            raise _Fault(at, what)
        self.found.append(label)

    def check_found(self, name):
        """Raise an error without labels, or if none of two is the one that was named."""
        if not self.found:
            needs = "Needs lines of score and label, or CSV"
            raise FileError(f"{name}: holds no scores. {needs}.")
        if len(self.found) == 2 and not self.positive & {*self.found}:
            what = f"has no label {_shown(self.named)}, as --pos-label says"
            raise FileError(f"{name}: {what}. Its labels are {self}.")

    def __str__(self):
        return " and ".join(map(_shown_label, self.found))


def _canonical(text):
    """A number for what is one, so that 1, 1.0 and +1 are one label; true in any case."""
    text = text.strip(" \t")
    if _is_number(text):
        return float(text)
    return text.lower() if text.lower() in {"false", "true", *_MISSING} else text


def _shown_label(label):
    return f"{label:.15g}" if isinstance(label, float) else _shown(label)


# Malformed text


@contextlib.contextmanager
def _polars_errors(part, layout):
    """Make what Polars raises a `FileError`, of the malformed line if one is found."""
    pl = _polars()
    errors = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError)
    try:
        yield
    except errors as error:
        if layout.form != "Parquet":
            _check_records(part, layout)
        why = printable(str(error).partition("\n")[0].rstrip("."))[:200]
        raise FileError(f"{part.name}: cannot be read as {layout.form}: {why}.") from error


def _check_lines(part, layout, n_rows):
    """Raise an error where quotes hid lines, or where a row was taken for a blank line.

    `n_rows` is how many rows Polars found, and how many blank ones: one for each line where
    no quotes enclose line ends.
    """
    pl = _polars()
    lines = _scan_lines(part, truncate_ragged_lines=True).slice(layout.skip)
    counted = lines.select(pl.len(), blank=pl.col("line").null_count())
    is_sound = counted.collect(engine="streaming").row(0) == n_rows
    if not is_sound and _check_records(part, layout) != n_rows:
        raise FileError(f"{part.name}: has quotes that do not enclose whole fields.")


def _check_records(part, layout):
    """How many records a text has and how many are blank; raises at a malformed one."""
    csv.field_size_limit(_LONGEST_LINE)
    lines = itertools.islice(_lines(part), layout.skip, None)
    mark = layout.separator if layout.form == "CSV" else "\x01"
    reader = csv.reader(lines, delimiter=mark, strict=layout.form == "CSV")
    n_rows = n_blank = start = 0
    try:
        for fields in reader:
            n_rows, n_blank = n_rows + 1, n_blank + (not "".join(fields).strip())
            label = "".join(fields[layout.places[LABEL] :][:1])
            if layout.form == "CSV" and len(fields) > 1 and not label.strip():
                raise csv.Error("the label is missing")
            start = reader.line_num
    except csv.Error as error:
        where = f"{part.name}, line {layout.skip + start + 1}"
        raise FileError(f"{where}: is no CSV: {error}.") from error
    return n_rows, n_blank


def _lines(part):
    """The lines of a text; raises at one that is too long or not UTF-8."""
    with reraise_as_file_error(part.name), open(part.path, "rb") as stream:
        for number in itertools.count(1):
            if not (line := stream.readline(_LONGEST_LINE)):
                return
            try:
                if len(line) == _LONGEST_LINE:
                    raise FileError(f"{part.name}, line {number}: is longer than 64 MiB.")
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                what = f"is not UTF-8 text (byte 0x{line[error.start]:02x})"
                raise FileError(f"{part.name}, line {number}: {what}.") from error


# Points of a curve

_RATES = {
    "pr": ("recall", "precision"),
    "roc": ("false positive rate", "true positive rate"),
}


def read_points(file: ScoreFile, kind: str) -> tuple[np.ndarray, list[str]]:
    """Pairs of rates, one per row, and where each of them stands."""
    pairs, places = [], []
    for number, line in enumerate(_lines(file.parts[0]), 1):
        if not line.strip() or line.strip()[0] == "#":
            continue
        where = f"{file.name}, line {number}"
        if not (found := re.match(_TWO_FIELDS, line.strip())):
            needs = f"needs two fields, {' and '.join(_RATES[kind])}"
            raise FileError(f"{where}: {needs}, got {_shown(line.strip())}.")
        for what, field in zip(_RATES[kind], found.groups(), strict=True):
            if not (_is_number(field) and 0 <= float(field) <= 1):
                needs = f"the {what} must be a number within [0, 1], got {_shown(field)}"
                raise FileError(f"{where}: {needs}.")
        pairs.append([*map(float, found.groups())])
        places.append(f"line {number}")
    return np.array(pairs).reshape(-1, 2), places
