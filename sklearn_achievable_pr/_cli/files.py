"""Score files to arrays.

Polars reads, block by block. A block of text of which it is not certain that Polars reads
it by the rules of the user guide is taken to pieces by `in_pieces`, which knows the line
of each row: what is wrong is found there, and what is odd but allowed is read there.
"""

from __future__ import annotations

import contextlib
import csv
import functools
import gzip
import importlib
import io
import math
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from .._input.arrays import rescale

# The first block is small: it shows what kind of file this is, and holds most comments.
_FIRST_BLOCK, _BLOCK = 1 << 18, 1 << 23
# Rows of Parquet at a time.
_SLICE = 1 << 20
_LONGEST_SHOWN = 60
_GZIP, _PARQUET, _BYTE_ORDER_MARK = b"\x1f\x8b", b"PAR1", b"\xef\xbb\xbf"
_MISSING = frozenset(("", "na", "n/a", "nan", "null", "none"))
_CLEAR_LABELS: tuple[set, ...] = ({0.0, 1.0}, {-1.0, 1.0}, {"false", "true"})
# What numbers have to be; others have to be finite.
_LIMITS = {"weight": (0.0, math.inf, "finite number, not negative")}
_is_number = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?").fullmatch


class FileError(Exception):
    """A file that cannot be used. Its text says which, where and why."""


class RefusedError(Exception):
    """What cannot be used, for a reason; if it is a row, `at` is its place."""

    def __init__(self, reason: str, at: Any = -1):
        super().__init__(reason)
        self.at = int(at)


class ColumnSpec(NamedTuple):
    """The columns that are asked for; those not named are found by their usual names."""

    scores: tuple[str, ...] = ()
    label: str | None = None
    weight: str | None = None
    pos_label: str | None = None
    texts: tuple[str, ...] = ()  # what tells rows of one kind, e.g. a patient


class Table(NamedTuple):
    """A score file's rows, those of weight 0 left out; a place for each row."""

    scores: dict[str, np.ndarray]  # by the columns asked for, else ""; float64, finite
    positive: np.ndarray  # bool
    weight: np.ndarray | None  # float64, positive
    texts: dict[str, np.ndarray]  # by the columns asked for; str


class Layout(NamedTuple):
    """Where the fields of a row are."""

    separator: str | None  # None in lists
    fields: str  # what each row has to have, for errors
    n_fields: int
    numbers: dict[str, int]  # scores or rates, then the weight; by what errors call them
    label: int = -1
    texts: tuple[tuple[str, int], ...] = ()  # what errors call them, and their places


_LIST = Layout(None, "two fields, score and label", 2, {"score": 0}, 1)


def needed(module: str, what: str, extra: str) -> Any:
    """A module that comes with an extra."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        install = f"Install it, e.g. pip install 'sklearn-achievable-pr[{extra}]'."
        raise FileError(f"{what}. {install}") from error


_polars = functools.partial(needed, "polars", "files are read by Polars", "cli")


@contextlib.contextmanager
def told(name: str, what: str):
    """Make what the system refuses a `FileError`."""
    try:
        yield
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        raise FileError(f"{name}: cannot be {what}: {why}.") from error


def score_tables(
    parts: Iterable[tuple[Any, str, Callable]], name: str, asked: ColumnSpec
) -> Iterator[Table]:
    """Rows of score files, some at a time: lists, CSV with a header, or Parquet.

    Parameters
    ----------
    parts : iterable of (io.BufferedReader, str, callable)
        The files, of which lists and CSV may be gzipped, what errors call each, and whom to
        tell after each block how many bytes it had.
    name : str
        What errors call all of them.
    asked : Asked

    Yields
    ------
    Table
        Perhaps without rows; not all of them together are.
    """
    labels = _Labels(asked.pos_label)
    n_rows, n_left, total = 0, 0, 0.0
    for columns in _columns(parts, asked, labels):
        n_rows += len(columns[-1])
        n_numbers, weight = len(columns) - 1 - len(asked.texts), None
        if asked.weight is not None:
            n_numbers -= 1
            present = columns[n_numbers] > 0
            columns = [values[present] for values in columns]
            weight = columns.pop(n_numbers)
            total += _sum(weight)
            if not math.isfinite(2 * total):
                what = "the sum of the weights is too large. Divide them"
                raise FileError(f"{name}: {what}.")
        *columns, positive = columns
        n_left += len(positive)
        scores = dict(zip(asked.scores or [""], columns[:n_numbers], strict=True))
        texts = dict(zip(asked.texts, columns[n_numbers:], strict=True))
        yield Table(scores, positive, weight, texts)
    if not n_rows:
        raise FileError(f"{name}: holds no scores. Needs lines of score and label, or CSV.")
    labels.check_found(name)
    if not n_left:
        raise FileError(f"{name}: every weight is 0, so no row is left.")


def _columns(parts, asked, labels):
    """Numbers, texts and whether rows are positive, of one block after another."""
    for stream, name, on_bytes in parts:
        with told(name, "read"):
            read = _read_parquet if stream.peek(4).startswith(_PARQUET) else _read_text
        yield from read(stream, name, asked, labels, on_bytes)


def _sum(weight):
    with np.errstate(over="ignore"):
        return float(weight.sum())


def read_scores(
    parts: Iterable[tuple[Any, str, Callable]],
    name: str,
    asked: ColumnSpec,
    most_bytes: float = math.inf,
) -> Table | None:
    """All rows of score files; None if they take more memory than they may.

    Parameters
    ----------
    parts, name, asked
        As in `score_tables`.
    most_bytes : float
        Of what is returned, texts not counted.

    Returns
    -------
    Table or None
    """
    tables: list[Table] = []
    size = 0
    for table in score_tables(parts, name, asked):
        tables.append(table)
        columns = (table.positive, table.weight, *table.scores.values())
        size += sum(column.nbytes for column in columns if column is not None)
        if size > most_bytes:
            return None

    found = Table(*map(_joined, zip(*tables, strict=True)))
    if found.weight is None:
        return found
    return found._replace(weight=rescale(found.weight, found.weight.max()))


def _joined(columns):
    """What a column of several tables is in one, or what a dict of columns is."""
    first = columns[0]
    if isinstance(first, dict):
        return {name: _joined([column[name] for column in columns]) for name in first}
    return None if first is None else np.concatenate(columns)


# Labels


class _Labels:
    """The labels of a file in order of appearance."""

    def __init__(self, pos_label: str | None):
        self.named = pos_label
        self.positive = {1.0, "true"} if pos_label is None else {_canonical(pos_label)}
        self.found: list[float | str] = []

    def of(self, column):
        """Whether each row of texts has the positive label."""
        column = column.fill_null("") if column.null_count() else column
        positive, left = np.zeros(len(column), bool), np.ones(len(column), bool)
        while left.any():
            at = int(np.argmax(left))
            label, rows = _canonical(column[at]), (column == column[at]).to_numpy()
            self._check(label, at)
            if label in self.positive:
                positive |= rows
            left &= ~rows
        return positive

    def _check(self, label, at):
        after = f" after {self}" if self.found else ""
        if label in _MISSING:
            raise RefusedError("the label is missing", at)
        if label in self.found:
            return
        if self.named is None and not any({*self.found, label} <= c for c in _CLEAR_LABELS):
            raise RefusedError(
                f"the label {_shown_label(label)}{after}: which of two labels is positive "
                "is clear only for 0 and 1, -1 and 1, false and true; else name it by "
                "--pos-label",
                at,
            )
        if len(self.found) == 2:
            what = f"a third label, {_shown_label(label)},{after}: there may be two"
            raise RefusedError(what, at)
        self.found.append(label)

    def check_found(self, name):
        """Refuse two labels of which none is the one that was named."""
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


def _shown(text):
    """Text for an error: no control characters reach the terminal, long text is cut."""
    return repr(text[:_LONGEST_SHOWN] + ("..." if len(text) > _LONGEST_SHOWN else ""))


# Blocks of lines


def blocks(stream, name, on_bytes):
    """First lines' numbers and blocks, none of which ends within a line or quotes."""

    def more(size):
        with told(name, "read"):
            return stream.read(size) + stream.readline()

    with told(name, "read"):
        is_packed = stream.peek(2).startswith(_GZIP)
    stream = gzip.GzipFile(fileobj=stream) if is_packed else stream
    data, line = more(_FIRST_BLOCK).removeprefix(_BYTE_ORDER_MARK), 1
    if is_packed and data.startswith(_PARQUET):
        raise FileError(f"{name}: is Parquet packed by gzip. Unpack it.")
    while data:
        while _count(data, b'"') % 2 and (rest := more(_BLOCK)):
            data += rest
        yield line, data
        on_bytes(len(data))
        line += _count(data, b"\n")
        data = more(_BLOCK)


def _count(data, mark):
    # Several times faster than bytes.count where the mark is frequent.
    return np.count_nonzero(np.frombuffer(data, np.uint8) == mark[0]) if mark in data else 0


def _text(line, data, name):
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line += data.count(b"\n", 0, error.start)
        what = f"is not UTF-8 text (byte 0x{data[error.start]:02x})"
        raise FileError(f"{name}, line {line}: {what}. Convert it to UTF-8.") from error


# Which layout


def _layout_in(header, separator, asked, where):
    """Layout by the names of the columns; refused if one lacks."""
    wanted = [(asked.label,) if asked.label else ("label", "y_true")]
    wanted += [(score,) for score in asked.scores] or [("score", "y_score")]
    wanted += [(asked.weight,)] if asked.weight else []
    wanted += [(text,) for text in asked.texts]
    found = [next((name for name in names if name in header), None) for names in wanted]
    if None in found:
        lacks = " or ".join(map(_shown, wanted[found.index(None)]))
        columns = ", ".join(map(_shown, header)) or "none"
        raise RefusedError(
            f"has no column {lacks}. The columns are {columns}: name those to read by "
            + ("--score, --label and --weight" if not asked.texts else "the options")
        )
    if twice := [name for name in found if header.count(name) > 1]:
        raise FileError(f"{where}: has two columns {_shown(twice[0])}. Rename one.")
    several = asked.scores if len(asked.scores) > 1 else ()
    called = [f"score {_shown(score)}" for score in several] or ["score"]
    called += ["weight"] if asked.weight else []
    label, *places = map(header.index, found)
    numbers = dict(zip(called, places[: len(called)], strict=True))
    texts = tuple(zip(asked.texts, places[len(called) :], strict=True))
    fields = f"{len(header)} fields as the header has"
    return Layout(separator, fields, len(header), numbers, label, texts)


def _layout_of(line, data, asked, name):
    """Layout by a text's first line that is not blank, and where the rows start."""
    lines = enumerate(_text(line, data, name).split("\n"))
    at, first = next(((at, text) for at, text in lines if text.strip()), (0, "#"))
    is_asked = asked != ColumnSpec(pos_label=asked.pos_label)
    if not is_asked and (first.strip()[0] == "#" or _is_number(_fields(first)[0])):
        return _LIST, 0
    errors = {}
    for mark in ",\t; ":
        header = []
        with contextlib.suppress(csv.Error):
            header = [field.strip() for field in next(_csv_reader(first, mark))]
        try:
            return _layout_in(header, mark, asked, f"{name}, line {line + at}"), at + 1
        except RefusedError as error:
            errors.setdefault(len(header), error)
    raise FileError(f"{name}, line {line + at}: {errors[max(errors)]}.")


# Text


def _read_text(stream, name, asked, labels, on_bytes):
    """Numbers, and whether rows are positive, of one block after another."""
    layout = None
    for line, data in blocks(stream, name, on_bytes):
        if layout is None:
            layout, n_lines = _layout_of(line, data, asked, name)
            line, data = line + n_lines, b"".join(data.split(b"\n", n_lines)[n_lines:])
        part = functools.partial(_part, layout=layout, labels=labels)
        try:
            yield part(_at_once(data, layout))
        except (RefusedError, UnicodeDecodeError, _polars().exceptions.PolarsError):
            yield in_pieces(line, data, layout, name, part)


def _part(columns, lines=None, *, layout, labels):
    numbers = [numbers_of(columns[at], what) for what, at in layout.numbers.items()]
    texts = [_texts(columns[at], what) for what, at in layout.texts]
    return [*numbers, *texts, labels.of(columns[layout.label].cast(_polars().String))]


def _texts(column, what):
    """Texts without the blanks round them; refused where there is none."""
    pl = _polars()
    column = column.fill_nan(None) if column.dtype.is_float() else column
    texts = column.cast(pl.String).str.strip_chars(" \t")
    missing = texts.is_null() | (texts == "").fill_null(True)
    if missing.any():
        raise RefusedError(f"the column {_shown(what)} is empty", missing.arg_max())
    return texts.to_numpy()


def numbers_of(column, what, limits=None):
    """Floats, if they are within the limits, of which None stands for the usual ones."""
    pl = _polars()
    texts = column.str.strip_chars(" \t") if column.dtype == pl.String else column
    numbers = texts.cast(pl.Float64, strict=False).to_numpy()
    usual = _LIMITS.get(what, (-math.inf, math.inf, "finite number"))
    low, high, rule = limits or usual
    wrong = ~((numbers >= low) & (numbers <= high) & np.isfinite(numbers))
    if wrong.any():
        at = int(np.argmax(wrong))
        if texts[at] is None:
            raise RefusedError(f"the {what} is missing", at)
        got = _shown(str(texts[at]))
        raise RefusedError(f"the {what} must be a {rule}, got {got}", at)
    return numbers


def _at_once(data, layout):
    """Columns of a block, as Polars reads it; refused if it may have misread."""
    pl = _polars()
    mark, is_list, is_quoted = layout.separator, layout.separator is None, b'"' in data
    if is_list:
        mark, *others = [mark for mark in " \t," if mark.encode() in data] or ","
        if others or data.partition(b"\n")[0].count(mark.encode()) > 1:
            lines = [",".join(_fields(line)) for line in data.decode().split("\n")]
            data, mark = "\n".join(lines).encode(), ","
    types = [pl.String] * layout.n_fields
    for at in layout.numbers.values():
        types[at] = pl.Float64
    # Quotes not closed, or within a field, mislead Polars; what lacks in a shorter row is
    # null to it; and between two blanks there may be a field or none.
    in_doubt = not is_list and _count(data, b'"') % 2 == 1
    in_doubt |= is_quoted and len(layout.texts) > 0  # whose misread texts nobody refuses
    if mark == " " and not is_list:
        in_doubt |= any(m in data for m in (b"  ", b"\n ", b" \n")) or data[:1] == b" "
    if not in_doubt:
        frame = pl.read_csv(
            data,
            has_header=False,
            separator=mark,
            schema={f"column_{at}": dtype for at, dtype in enumerate(types, 1)},
            quote_char=None if is_list and is_quoted else '"',
            comment_prefix="#" if is_list and b"#" in data else None,  # costs time
        )
        in_doubt = is_quoted and not is_list and len(frame) != _count(data, b"\n")
    if in_doubt or frame[:, -1].null_count():
        raise RefusedError("may have been misread")
    return frame.get_columns()


def in_pieces(first_line, data, layout, name, use):
    """What `use` makes of texts by column and of line numbers; says where it refuses."""
    pl, text = _polars(), _text(first_line, data, name)
    rows, lines = [], []
    try:
        for at, row in (_csv_rows if layout.separator else _list_rows)(text, layout):
            lines.append(first_line + at)
            if isinstance(row, csv.Error):
                raise RefusedError(f"is no CSV: {row}", len(rows))
            if len(row) != layout.n_fields:
                raise RefusedError(f"needs {layout.fields}, got {len(row)}", len(rows))
            rows.append(row)
        columns = zip(*rows, strict=True) if rows else [()] * layout.n_fields
        return use([pl.Series(column, dtype=pl.String) for column in columns], lines)
    except RefusedError as error:
        line = lines[error.at]
        shown = _shown(text.split("\n")[line - first_line].rstrip("\r"))
        raise FileError(f"{name}, line {line}: {error}: {shown}") from error


def _list_rows(text, _):
    """Place and fields of each line; blank lines and # comments are passed over."""
    for at, line in enumerate(text.split("\n")):
        if line.strip() and line.strip()[0] != "#":
            yield at, _fields(line)


def _fields(line):
    """Fields of a list's line: blanks and tabs part them, or a comma among these."""
    line = " ".join(filter(None, line.rstrip("\r").replace("\t", " ").split(" ")))
    return line.replace(" ,", ",").replace(", ", ",").replace(" ", ",").split(",")


def _csv_rows(text, layout):
    """Place of the first line and fields of each record, or an error; no blank lines."""
    at, reader = 0, _csv_reader(text, layout.separator)
    try:
        for row in reader:
            if len(row) > 1 or any(map(str.strip, row)):
                yield at, row
            at = reader.line_num
    except csv.Error as error:
        yield at, error


def _csv_reader(text, mark):
    # newline="\n": a lone carriage return is no end of a line.
    lines = io.StringIO(text, newline="\n")
    return csv.reader(lines, delimiter=mark, skipinitialspace=True, strict=True)


# Parquet


def _read_parquet(stream, name, asked, labels, on_bytes):
    pl = _polars()
    stream = stream if stream.seekable() else io.BytesIO(stream.read())
    size = stream.seek(0, io.SEEK_END)
    start = 0
    try:
        header, n_rows = _scanned(stream).collect_schema().names(), _n_rows(stream)
        layout = _layout_in(header, None, asked, name)
        places = {*layout.numbers.values(), layout.label, *dict(layout.texts).values()}
        columns = [header[at] for at in places]
        for start in range(0, n_rows, _SLICE):
            frame = _scanned(stream).select(columns).slice(start, _SLICE).collect()
            by_place = {header.index(column.name): column for column in frame}
            yield _part(by_place, layout=layout, labels=labels)
            on_bytes(size * len(frame) // n_rows)
    except pl.exceptions.PolarsError as error:
        what = str(error).partition("\n")[0]
        raise FileError(f"{name}: cannot be read as Parquet: {what}.") from error
    except RefusedError as error:
        where = f"{name}, row {start + error.at + 1}" if error.at >= 0 else name
        raise FileError(f"{where}: {error}.") from error


def _scanned(stream):
    stream.seek(0)
    return _polars().scan_parquet(stream)


def _n_rows(stream):
    return _scanned(stream).select(_polars().len()).collect().item()
