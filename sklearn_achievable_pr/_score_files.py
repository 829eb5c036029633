"""Score files and point files to arrays, for the program in `__main__`.

Every line is read by the rules of the strict reader here, which is plain Python with the
csv module. Blocks of a large file are first offered to pandas, if it is installed: what
it makes of a block is taken only where it is certain to be the strict reader's answer.
All errors are the strict reader's, so they do not depend on what is installed.
"""

from __future__ import annotations

import contextlib
import csv
import functools
import io
import math
import re
import warnings
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import joblib
import numpy as np

LIST_FORM = "score label, separated by a blank, a tab or a comma"
DEFAULT_SCORE, DEFAULT_LABEL = "score", "label"

# The first block is small: it shows what kind of file this is, and small files are read
# without waiting for pandas to be imported.
_FIRST_BLOCK = 1 << 18
_BLOCK = 1 << 21
_MOST_THREADS = 6
_LONGEST_LINE = 1 << 20
_LONGEST_SHOWN = 60
_CSV_SEPARATORS = (",", "\t", ";", " ")
_MISSING = frozenset(("", "na", "n/a", "nan", "null", "none"))
# Marks the end of a row. No text file holds it, and one that does is read strictly.
_END_OF_ROW = "\x01"

_is_number = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?").fullmatch
_split_list = re.compile(r"[ \t]*,[ \t]*|[ \t]+").split


class FileError(Exception):
    """A file that cannot be used. Its text says which, where and why."""


class _RefusedError(Exception):
    """A line that cannot be used, for a reason; the line is known further up."""


class Columns(NamedTuple):
    """What is asked of a score file."""

    score: str | None = None
    label: str | None = None
    weight: str | None = None
    pos_label: str | None = None


class Scores(NamedTuple):
    """A score file's rows, those of weight 0 left out."""

    score: np.ndarray  # float64, finite
    positive: np.ndarray  # bool
    weight: np.ndarray | None  # float64, positive


class Points(NamedTuple):
    """A point file as a ROC path in counts, neither of which falls."""

    fps: np.ndarray
    tps: np.ndarray
    n_pos: float
    n_neg: float


class _Layout(NamedTuple):
    """Where a line's fields are. The list form has the separator None."""

    separator: str | None
    n_fields: int
    score: int
    label: int
    weight: int | None


_LIST_LAYOUT = _Layout(None, 2, 0, 1, None)


# Score files


def read_scores(stream, name, columns, on_bytes=lambda n: None, use_pandas=True):
    """Rows of a score file in list form, or of a CSV file with a header.

    Parameters
    ----------
    stream : binary file
    name : str
        What errors call it.
    columns : Columns
    on_bytes : callable
        Told after each block how many bytes it had.
    use_pandas : bool
        False reads everything strictly.

    Returns
    -------
    Scores
    """
    blocks = _BlockReader(stream, name)
    first = blocks.read(_FIRST_BLOCK, quoted=True)
    is_large = len(first) >= _FIRST_BLOCK // 2
    layout, first = _layout_of(_checked(_Block(first, 1), name), columns, name)
    labels = _Labels(columns.pos_label)
    strict_reader = _StrictReader(layout, labels, name)
    offer = _PandasReader.if_installed(layout) if use_pandas and is_large else None
    read = functools.partial(blocks.read, _BLOCK, layout.separator is not None)
    parts = []
    with contextlib.closing(_offered(first, read, offer)) as offered:
        for block, found in offered:
            part = _coded(found, labels)
            parts.append(strict_reader(block) if part is None else part)
            on_bytes(len(block.data))
    if not any(len(part[0]) for part in parts):
        raise FileError(f"{name}: holds no scores. Needs lines of {LIST_FORM}.")
    score, code, weight = (
        None if arrays[0] is None else np.concatenate(arrays)
        for arrays in zip(*parts, strict=True)
    )
    return _weighted(score, code == labels.positive_code(name), weight, name)


def _weighted(score, positive, weight, name):
    """The rows without those of weight 0."""
    if weight is None:
        return Scores(score, positive, None)
    present = weight > 0
    if present.all():
        present = slice(None)
    elif not present.any():
        raise FileError(f"{name}: every weight is 0, so no row is left.")
    if not math.isfinite(2 * float(np.sum(weight / len(weight))) * len(weight)):
        raise FileError(f"{name}: the sum of the weights is too large. Divide them.")
    return Scores(score[present], positive[present], weight[present])


# Labels


class _Labels:
    """The labels of a file in order of appearance; a row's label is kept as its code."""

    def __init__(self, pos_label):
        self.pos_label, self.found = pos_label, []

    def code(self, label):
        """Place of a label, its text or a number, among those found."""
        label = _canonical_label(label) if isinstance(label, str) else float(label)
        if label not in self.found:
            if self.pos_label is None:
                self._check_clear(label)
            elif len(self.found) == 2:
                raise _RefusedError(
                    f"a third label, {_shown_label(label)}, after {self}: there may be two"
                )
            self.found.append(label)
        return self.found.index(label)

    def _check_clear(self, label):
        if any({*self.found, label} <= pair for pair in _CLEAR_LABELS):
            return
        after = f" after {self}" if self.found else ""
        raise _RefusedError(
            f"the label {_shown_label(label)}{after}: which of two labels is positive is "
            "clear only for 0 and 1, -1 and 1, false and true; else name it by --pos-label"
        )

    def positive_code(self, name):
        """Code of the positive label, -1 where no row has it."""
        if self.pos_label is None:
            wanted = next(
                (label for label in _POSITIVE_LABELS if label in self.found), None
            )
        else:
            wanted = self._named(name)
        return self.found.index(wanted) if wanted in self.found else -1

    def _named(self, name):
        try:
            wanted = _canonical_label(self.pos_label)
        except _RefusedError as error:
            raise FileError(f"--pos-label {self.pos_label!r}: {error}.") from error
        if wanted not in self.found and len(self.found) == 2:
            raise FileError(
                f"{name}: has no label {_shown_label(wanted)}, as --pos-label says. Its "
                f"labels are {self}."
            )
        return wanted

    def __str__(self):
        return " and ".join(map(_shown_label, self.found))


_CLEAR_LABELS = ({0.0, 1.0}, {-1.0, 1.0}, {"false", "true"})
_POSITIVE_LABELS = (1.0, "true")


def _canonical_label(text):
    """A number for what is one, so that 1, 1.0 and +1 are one label; true in any case."""
    text = text.strip(" \t")
    if _is_number(text):
        return _number(text, "label")
    folded = text.lower()
    if folded in _MISSING:
        raise _RefusedError("the label is missing")
    return folded if folded in ("false", "true") else text


def _shown_label(label):
    if isinstance(label, float):
        return str(int(label)) if label.is_integer() and abs(label) < 1e15 else str(label)
    return _shown(label)


# Blocks of lines


class _Block(NamedTuple):
    data: bytes  # whole lines
    first_line: int  # number of its first line in the file


class _BlockReader:
    """Reads a file in blocks of whole lines."""

    def __init__(self, stream, name):
        self.stream, self.name, self.is_first = stream, name, True

    def read(self, size, quoted):
        """The next block of about `size` bytes, empty at the end.

        With `quoted` no block ends at a line end within quotes.
        """
        data = self._lines(size)
        if self.is_first:
            _check_kind(data, self.name)
            data = data.removeprefix(b"\xef\xbb\xbf")
            self.is_first = False
        while quoted and b'"' in data and _count(data, '"') % 2:
            more = self._lines(size)
            if not more:
                break
            data += more
        return data

    def _lines(self, size):
        try:
            data = self.stream.read(size)
            if len(data) == size:
                data += self.stream.readline(_LONGEST_LINE)
        except OSError as error:
            why = error.strerror or error
            raise FileError(f"{self.name}: cannot be read: {why}.") from error
        if len(data) >= size + _LONGEST_LINE and not data.endswith(b"\n"):
            raise FileError(
                f"{self.name}: has a line of more than {_LONGEST_LINE} bytes. Needs a text "
                f"file with lines of {LIST_FORM}, or CSV."
            )
        return data


def _count(data, character):
    # Several times faster than bytes.count where the character is frequent.
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == ord(character)))


def _check_kind(data, name):
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileError(f"{name}: is UTF-16 text. Save it as UTF-8.")
    if data.startswith((b"\x1f\x8b", b"PK\x03\x04", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f")):
        raise FileError(
            f"{name}: is compressed. Unpack it, e.g. gzip -dc FILE | achievable-pr -"
        )


def _checked(block, name):
    """The block, if it is text."""
    if b"\0" in block.data:
        raise FileError(
            f"{name}, line {_line_at(block, block.data.index(0))}: has a NUL byte: this is "
            "a binary file. Needs text."
        )
    try:
        block.data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError(
            f"{name}, line {_line_at(block, error.start)}: is not UTF-8 text (byte "
            f"0x{block.data[error.start]:02x}). Convert the file to UTF-8."
        ) from error
    return block


def _line_at(block, offset):
    return block.first_line + block.data.count(b"\n", 0, offset)


# Which layout


def _layout_of(block, columns, name):
    """Layout of a file by its first lines, and the block less the header."""
    text = block.data.decode("utf-8")
    asked = (columns.score, columns.label, columns.weight) != (None, None, None)
    number, line = next(_filled_lines(text, block.first_line), (None, ""))
    if number is None:
        return _LIST_LAYOUT, block
    starts_with_number = bool(_is_number(_split_list(line)[0]))
    if not asked and (starts_with_number or line.startswith("#")):
        return _LIST_LAYOUT, block
    wanted = [columns.score or DEFAULT_SCORE, columns.label or DEFAULT_LABEL]
    wanted += [columns.weight] if columns.weight else []
    headers = {mark: _header(text, mark) for mark in _CSV_SEPARATORS}
    for separator, (header, n_lines) in headers.items():
        if set(wanted) <= set(header):
            places = [_place(header, column, name, number) for column in wanted]
            layout = _Layout(separator, len(header), *[*places, None][:3])
            return layout, _after_lines(block, n_lines)
    if not asked:
        return _LIST_LAYOUT, block
    header = max((header for header, _ in headers.values()), key=len)
    missing = next(column for column in wanted if column not in header)
    raise FileError(
        f"{name}, line {number}: has no column {_shown(missing)}. The header's columns "
        f"are {', '.join(map(_shown, header)) or 'none'}: name those to read by --score, "
        "--label and --weight."
    )


def _filled_lines(text, first_line):
    for number, line in enumerate(text.split("\n"), first_line):
        if stripped := line.strip(" \t\r"):
            yield number, stripped


def _header(text, separator):
    """Fields of the first line that is not blank, and the lines up to its end."""
    reader = _csv_reader(text, separator)
    try:
        for row in reader:
            if any(field.strip() for field in row):
                return [field.strip(" \t") for field in row], reader.line_num
    except csv.Error:
        pass
    return [], 0


def _place(header, column, name, number):
    if header.count(column) > 1:
        raise FileError(
            f"{name}, line {number}: has more than one column {_shown(column)}. Rename "
            "the others."
        )
    return header.index(column)


def _after_lines(block, n_lines):
    """The block less its first lines."""
    start = 0
    for _ in range(n_lines):
        start = block.data.find(b"\n", start) + 1 or len(block.data)
    return _Block(block.data[start:], block.first_line + n_lines)


# The strict reader


def _number(text, what):
    if not _is_number(text):
        raise _RefusedError(f"the {what} must be a number, got {_shown(text)}")
    value = float(text)
    if not math.isfinite(value):
        raise _RefusedError(f"the {what} must be finite, got {_shown(text)}")
    return value


def _shown(text):
    """Text for an error: no control characters reach the terminal, long text is cut."""
    cut = text[:_LONGEST_SHOWN] + ("..." if len(text) > _LONGEST_SHOWN else "")
    return repr(cut)


class _StrictReader:
    """Reads a block row by row; says what is wrong, in which line."""

    def __init__(self, layout, labels, name):
        self.layout, self.labels, self.name = layout, labels, name
        self.code_of = {}

    def __call__(self, block):
        """Scores, codes of the labels, and weights or None."""
        text = _checked(block, self.name).data.decode("utf-8")
        layout = self.layout
        rows = _list_rows(text) if layout.separator is None else _csv_rows(text, layout)
        scores, codes, weights = [], [], []
        at = 0
        try:
            for at, fields in rows:  # noqa: B007
                if len(fields) != layout.n_fields:
                    raise _RefusedError(self._count_of_fields(fields))
                scores.append(_number(fields[layout.score].strip(" \t"), "score"))
                codes.append(self._code(fields[layout.label]))
                if layout.weight is not None:
                    weights.append(_weight(fields[layout.weight].strip(" \t")))
        except _RowError as error:
            raise self._refused(block, text, error.at, error) from error
        except _RefusedError as error:
            raise self._refused(block, text, at, error) from error
        return (
            np.array(scores, dtype=np.float64),
            np.array(codes, dtype=np.int8),
            None if layout.weight is None else np.array(weights, dtype=np.float64),
        )

    def _code(self, text):
        code = self.code_of.get(text)
        if code is None:
            code = self.code_of[text] = self.labels.code(text)
        return code

    def _count_of_fields(self, fields):
        if self.layout.separator is None:
            return f"needs two fields, score and label, got {len(fields)}"
        return f"needs {self.layout.n_fields} fields as the header has, got {len(fields)}"

    def _refused(self, block, text, at, error):
        line, reason = text.split("\n")[at].rstrip("\r"), str(error)
        number = block.first_line + at
        if self.layout.separator is None and number == 1 and "score" in reason:
            reason += (
                f"; CSV needs a header with {DEFAULT_SCORE} and {DEFAULT_LABEL}, or "
                "--score and --label to name them"
            )
        return FileError(f"{self.name}, line {number}: {reason}: {_shown(line)}")


def _weight(text):
    value = _number(text, "weight")
    if value < 0:
        raise _RefusedError(f"the weight must not be negative, got {_shown(text)}")
    return value


class _RowError(_RefusedError):
    """A row whose fields could not be told apart; it started at line `at`."""

    def __init__(self, at, reason):
        super().__init__(reason)
        self.at = at


def _list_rows(text):
    """Fields of each line with its place; blank lines and # comments are passed over."""
    for at, line in enumerate(text.split("\n")):
        stripped = line.strip(" \t\r")
        if stripped and stripped[0] != "#":
            yield at, _split_list(stripped)


def _csv_rows(text, layout):
    """Fields of each record with the place of its first line; blank lines left out."""
    if not text.endswith("\n"):
        text += "\n"
    n_lines = text.count("\n")
    reader = _csv_reader(text + _END_OF_ROW, layout.separator)
    while True:
        start = reader.line_num
        try:
            row = next(reader)
        except csv.Error as error:
            raise _RowError(start, f"is no CSV: {error}") from error
        if reader.line_num > n_lines:
            if row == [_END_OF_ROW]:
                return
            raise _RowError(start, "a quoted field is not closed")
        if len(row) > 1 or any(field.strip(" \t") for field in row):
            yield start, row


def _csv_reader(text, separator):
    # newline="\n": a lone carriage return is no end of a line.
    return csv.reader(
        io.StringIO(text, newline="\n"), delimiter=separator, skipinitialspace=True
    )


# Offers to pandas


class _Found(NamedTuple):
    """What pandas made of a block; what the labels mean is still to be found out."""

    score: np.ndarray
    place: np.ndarray  # of each row's label in `labels`
    labels: list  # texts, or numbers where the texts were
    weight: np.ndarray | None


def _coded(found, labels):
    """Scores, codes of the labels, and weights; None if a label is refused."""
    if found is None:
        return None
    known = list(labels.found)
    try:
        labels.code(found.labels[found.place[0]])  # in the order of the rows
        codes = np.array([labels.code(label) for label in found.labels], np.int8)
    except _RefusedError:
        labels.found[:] = known
        return None
    if len(codes) == 2 and codes[0] != codes[1] and found.place.dtype == np.int8:
        return found.score, found.place ^ codes[0], found.weight  # far faster
    return found.score, codes[found.place], found.weight


def _numbered(first, read):
    """All blocks in their order; `read` returns the data of the next one."""
    block = first
    while True:
        yield block
        data = read()
        if not data:
            return
        block = _Block(data, block.first_line + _count(block.data, "\n"))


def _offered(first, read, offer):
    """All blocks in their order, each with what `offer` found in it, or None.

    A few blocks are read ahead and offered in threads, as pandas itself reads a file. An
    error met ahead waits until the blocks before it are through.
    """
    if offer is None:
        yield from ((block, None) for block in _numbered(first, read))
        return
    n_threads = max(1, min(joblib.cpu_count(), _MOST_THREADS))
    failure, data, line = None, first.data, first.first_line
    with warnings.catch_warnings(), ThreadPoolExecutor(n_threads) as pool:
        offer.silence()
        pending = deque([(data, pool.submit(offer, data))])
        while pending:
            while data is not None and len(pending) <= n_threads:
                try:
                    data = read() or None
                except FileError as error:
                    failure, data = error, None
                if data is not None:
                    pending.append((data, pool.submit(offer, data)))
            done, future = pending.popleft()
            n_lines, found = future.result()
            yield _Block(done, line), found
            line += n_lines
    if failure is not None:
        raise failure


class _PandasReader:
    """Reads a block at once, or returns None: then the strict reader has to.

    A block is taken if every row has the number of fields that the layout says and every
    number is finite. Numbers are rounded correctly, as `float` does.

    As the first row has the right number of fields, pandas refuses longer rows. The field
    that lacks in a shorter row is empty, so no number, and no label.
    """

    def __init__(self, pandas, layout):
        self.pandas, self.layout = pandas, layout

    @classmethod
    def if_installed(cls, layout):
        """A reader, or None without pandas."""
        try:
            import pandas
        except Exception:  # absent, or broken: the strict reader needs none of it
            return None
        return cls(pandas, layout)

    def silence(self):
        """Ignore warnings of a deprecated option, and of rows that are found anyway."""
        # float_precision is deprecated where its value here is the default.
        warnings.filterwarnings("ignore", ".*float_precision")
        warnings.filterwarnings("ignore", category=self.pandas.errors.ParserWarning)

    def __call__(self, data):
        """The number of line ends, and a `_Found` or None."""
        n_lines = _count(data, "\n")
        data = _with_plain_ends(data, n_lines)
        return n_lines, self._find(data) if data else None

    def _find(self, data):
        read = self._read_list if self.layout.separator is None else self._read_csv
        for label_type in self._label_types(data):
            found = read(data, label_type)
            if found is not None:
                return found
        return None

    def _label_types(self, data):
        """Ways to read the labels, by that of the first row; none if that is not plain.

        A column of nothing but true and false would be read as one of 1 and 0: that its
        first field is a number rules this out.
        """
        layout = self.layout
        text = data[: data.index(b"\n") + 1].decode("utf-8")
        rows = _list_rows(text) if layout.separator is None else _csv_rows(text, layout)
        try:
            _, row = next(rows)
        except (StopIteration, _RefusedError):
            return ()
        if len(row) != layout.n_fields:
            return ()
        row = [field.strip(" \t") for field in row]
        numbers = [layout.score] + ([] if layout.weight is None else [layout.weight])
        if not all(_is_number(row[place]) for place in numbers):
            return ()
        if _is_number(row[layout.label]):
            return (np.float64, "category")
        return ("category",)

    def _read_list(self, data, label_type):
        if b"#" in data:
            return None
        first = data[: data.index(b"\n")].decode("utf-8")
        n_blanks, n_tabs = first.count(" "), first.count("\t")
        if "," in first:
            separator = ","
        elif n_blanks + n_tabs == 1:
            separator = " " if n_blanks else "\t"
        else:
            separator = r"\s+"
        frame = self._frame(data, separator, 2, label_type, quoting=csv.QUOTE_NONE)
        return None if frame is None else self._columns(frame)

    def _read_csv(self, data, label_type):
        separator, n_fields = self.layout.separator, self.layout.n_fields
        options = {"skipinitialspace": b" " in data}  # where needed, as it costs time
        if separator == " " and any(
            mark in b"\n" + data for mark in (b'"', b"  ", b"\n ", b" \n")
        ):
            return None  # a blank may be more than a separator or less
        if b'"' in data:
            # One more field in each row: it is the last one if no field lacks or is added.
            end = separator + _END_OF_ROW
            data = data.replace(b"\n", end.encode() + b"\n")
            types = {n_fields: "category"}
            frame = self._frame(data, separator, n_fields + 1, label_type, types, **options)
            if frame is None or list(frame[n_fields].cat.categories) != [_END_OF_ROW]:
                return None
        else:
            # No row is longer; none is shorter if the number of all fields is right.
            frame = self._frame(
                data, separator, n_fields, label_type, quoting=csv.QUOTE_NONE, **options
            )
            if frame is None or _count(data, separator) != len(frame) * (n_fields - 1):
                return None
        return self._columns(frame)

    def _frame(self, data, separator, n_fields, label_type, types=None, **options):
        layout = self.layout
        types = {layout.score: np.float64, layout.label: label_type, **(types or {})}
        if layout.weight is not None:
            types[layout.weight] = np.float64
        try:
            return self.pandas.read_csv(
                io.BytesIO(data),
                sep=separator,
                header=None,
                names=range(n_fields),
                index_col=False,
                dtype=types,
                na_filter=False,
                float_precision="round_trip",
                engine="c",
                low_memory=False,  # else each part of a column has a type of its own
                **options,
            )
        except Exception:  # whatever it is, the strict reader finds and says it better
            return None

    def _columns(self, frame):
        layout = self.layout
        score = self._numbers(frame[layout.score])
        weight = None
        if layout.weight is not None:
            weight = self._numbers(frame[layout.weight])
            if weight is None or weight.min() < 0:
                return None
        if score is None:
            return None
        labelled = self._labels(frame[layout.label])
        return None if labelled is None else _Found(score, *labelled, weight)

    def _numbers(self, column):
        numbers = column.to_numpy()
        return numbers if np.isfinite(numbers).all() else None

    def _labels(self, column):
        """The place of each row's label, and the labels."""
        if column.dtype.kind == "f":
            column = column.to_numpy()
            low, high = float(column.min()), float(column.max())
            is_high = column == high
            if not (math.isfinite(low + high) and (is_high | (column == low)).all()):
                return None
            return is_high.view(np.int8), [low, high]
        labels = [_as_read(category) for category in column.cat.categories]
        inner = "\n" + _END_OF_ROW + ("" if self.layout.separator else " \t,")
        for label in labels:
            if label is None:
                return None
            if isinstance(label, str) and any(m in label.strip(" \t") for m in inner):
                return None
        return column.cat.codes.to_numpy(), labels


def _as_read(category):
    """The label that pandas made a category, for some versions make numbers of texts.

    None if the text may not have been a number to us.
    """
    if isinstance(category, str):
        return category
    if isinstance(category, bool | np.bool_):
        return str(category)
    return float(category) if math.isfinite(category) else None


def _with_plain_ends(data, n_lines):
    """Lines ended by a line feed, the last one too; None where that is not all.

    Declined are lone carriage returns, other control characters (white space to pandas,
    the mark of this module, binary files) and what is not UTF-8.
    """
    if not data.isascii():
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            return None
    n_control = int(np.count_nonzero(np.frombuffer(data, np.uint8) < ord(" ")))
    if n_control > n_lines:
        n_returns = _count(data, "\r")
        if n_control > n_lines + n_returns + _count(data, "\t"):
            return None
        if n_returns:
            data = data.replace(b"\r\n", b"\n")
            if b"\r" in data:
                return None
    return data if data.endswith(b"\n") else data + b"\n"


# Point files


def read_points(stream, name, kind, n_pos, n_neg, on_bytes=lambda n: None):
    """Points of a curve, in any order, as counts.

    Parameters
    ----------
    stream : binary file
    name : str
    kind : {"pr", "roc"}
        Lines of recall and precision, or of false and true positive rate.
    n_pos, n_neg : int or float
        Totals of the classes.

    Returns
    -------
    Points
    """
    first, second, lines = [], [], []
    blocks = _BlockReader(stream, name)
    read = functools.partial(blocks.read, _BLOCK, quoted=False)
    for block in _numbered(_Block(read(), 1), read):
        text = _checked(block, name).data.decode("utf-8")
        for at, fields in _list_rows(text):
            line = block.first_line + at
            try:
                pair = _point(fields, kind)
                _check_achievable(*pair, kind, n_pos, n_neg)
            except _RefusedError as error:
                raw = _shown(text.split("\n")[at].rstrip("\r"))
                raise FileError(f"{name}, line {line}: {error}: {raw}") from error
            first.append(pair[0]), second.append(pair[1]), lines.append(line)
        on_bytes(len(block.data))
    if not lines:
        raise FileError(f"{name}: holds no points. Needs lines of {_POINT_FIELDS[kind]}.")
    fps, tps, known = _to_counts(np.array(first), np.array(second), kind, n_pos, n_neg)
    if not known.any():
        raise FileError(
            f"{name}: has points at recall 0 only, which say nothing. Needs one at a "
            "positive recall."
        )
    return _path(fps[known], tps[known], np.array(lines)[known], n_pos, n_neg, name)


_POINT_FIELDS = {
    "pr": "recall and precision",
    "roc": "false positive rate and true positive rate",
}
_POINT_NAMES = {
    "pr": ("recall", "precision"),
    "roc": ("false positive rate", "true positive rate"),
}


def _point(fields, kind):
    if len(fields) != 2:
        raise _RefusedError(
            f"needs two fields, {_POINT_FIELDS[kind]}, separated by a blank, a tab or a "
            f"comma; got {len(fields)}"
        )
    pair = []
    for text, what in zip(fields, _POINT_NAMES[kind], strict=True):
        value = _number(text, what)
        if not 0 <= value <= 1:
            raise _RefusedError(f"the {what} must lie within [0, 1], got {_shown(text)}")
        pair.append(value)
    return pair


def _check_achievable(first, second, kind, n_pos, n_neg):
    """A precision below the floor needs more negatives than there are."""
    if kind == "roc" or first == 0:
        return
    recall, precision = first, second
    # In this form a point on the floor is on it but for a few roundings.
    if recall * n_pos * (1 - precision) > precision * n_neg * (1 + 1e-9):
        floor = recall * n_pos / (recall * n_pos + n_neg)
        raise _RefusedError(
            f"the lowest precision at recall {recall:g} is {floor:.6g}; check --n-pos and "
            "--n-neg, and that recall comes first"
        )


def _to_counts(first, second, kind, n_pos, n_neg):
    """Counts, and which points have them: recall 0 says nothing of false positives."""
    if kind == "roc":
        return _whole(first * n_neg), _whole(second * n_pos), np.ones(len(first), bool)
    known = first > 0
    tps = first * n_pos
    fps = np.zeros(len(tps))
    np.divide(tps * (1 - second), second, out=fps, where=known)
    return np.minimum(_whole(fps), n_neg), _whole(tps), known


def _whole(counts):
    """Counts that are whole but for rounding made whole."""
    nearest = np.round(counts)
    return np.where(
        np.abs(counts - nearest) <= 1e-9 * np.maximum(nearest, 1), nearest, counts
    )


def _path(fps, tps, lines, n_pos, n_neg, name):
    order = np.lexsort((fps, tps))
    fps, tps, lines = fps[order], tps[order], lines[order]
    highest = np.maximum.accumulate(fps)
    falls = np.flatnonzero(highest - fps > 1e-9 * np.maximum(highest, 1))
    if len(falls):
        later = falls[0]
        earlier = int(np.argmax(fps[: later + 1]))
        raise FileError(
            f"{name}, line {lines[later]}: no ranking has this point and that of line "
            f"{lines[earlier]}: from {tps[earlier]:.6g} to {tps[later]:.6g} true positives "
            f"the false positives fall from {fps[earlier]:.6g} to {fps[later]:.6g}. Leave "
            "one out; give rounded points with more digits."
        )
    return Points(highest, tps, n_pos, n_neg)
