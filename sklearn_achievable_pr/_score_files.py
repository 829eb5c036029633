"""Score files and point files to arrays, for the program in `__main__`.

Every line is read by the rules of the strict reader here, which is plain Python with the
csv module. Blocks of a large file are first offered to pandas, if it is installed: what
it makes of a block is taken only where it is certain to be the strict reader's answer.
All errors are the strict reader's, so they do not depend on what is installed.
"""

import csv
import io
import math
import re
import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

LIST_FORM = "score label, separated by a blank, a tab or a comma"
DEFAULT_SCORE, DEFAULT_LABEL = "score", "label"

# The first block is small: it shows what kind of file this is, and small files are read
# without waiting for pandas to be imported.
_FIRST_BLOCK = 1 << 18
_BLOCK = 1 << 23
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
    layout, parts, labels = None, [], _Labels()
    pandas_reader = None

    def quotes_matter():
        return layout is None or layout.separator is not None

    for block in _blocks(stream, name, quotes_matter):
        if layout is None:
            layout, block = _layout_of(block, columns, name)
            strict_reader = _StrictReader(layout, labels, name)
        elif pandas_reader is None:
            pandas_reader = _pandas_reader(layout, labels) if use_pandas else _declines
        part = pandas_reader(block.data) if pandas_reader else None
        parts.append(strict_reader(block) if part is None else part)
        on_bytes(len(block.data))
    score, code, weight = _joined(parts, layout)
    if not len(score):
        raise FileError(f"{name}: holds no scores. Needs lines of {LIST_FORM}.")
    positive = code == labels.positive_code(columns.pos_label, name)
    if weight is None:
        return Scores(score, positive, None)
    present = weight > 0
    if not present.any():
        raise FileError(f"{name}: every weight is 0, so no row is left.")
    if not math.isfinite(2 * float(np.sum(weight / len(weight))) * len(weight)):
        raise FileError(f"{name}: the sum of the weights is too large. Divide them.")
    return Scores(score[present], positive[present], weight[present])


def _joined(parts, layout):
    if not parts:
        return np.empty(0), np.empty(0, np.int8), None
    score, code, weight = zip(*parts, strict=True)
    weighted = layout.weight is not None
    return (
        np.concatenate(score),
        np.concatenate(code),
        np.concatenate(weight) if weighted else None,
    )


# Labels


class _Labels:
    """The labels of a file in order of appearance; a row's label is kept as its code."""

    def __init__(self):
        self.found = []

    def code(self, label):
        """Place of a label, its text or a number, among those found."""
        label = _canonical_label(label) if isinstance(label, str) else float(label)
        if label not in self.found:
            if len(self.found) == 2:
                raise _RefusedError(
                    f"a third label, {_shown_label(label)}, after "
                    f"{self}: two classes are needed; if the first "
                    "column is the label, swap the columns"
                )
            self.found.append(label)
        return self.found.index(label)

    def positive_code(self, pos_label, name):
        """Code of the positive label, -1 where no row has it."""
        if pos_label is None:
            for positive, pair in ((1.0, (0.0, 1.0)), (1.0, (-1.0, 1.0)), _TRUTH):
                if set(self.found) <= set(pair):
                    return self.found.index(positive) if positive in self.found else -1
            raise FileError(
                f"{name}: has the labels {self}: which one is positive is clear only for "
                "0 and 1, -1 and 1, false and true. Name it, e.g. --pos-label "
                f"{_shown_label(self.found[-1])}."
            )
        try:
            wanted = _canonical_label(pos_label)
        except _RefusedError as error:
            raise FileError(f"--pos-label {pos_label!r}: {error}.") from error
        if wanted in self.found:
            return self.found.index(wanted)
        if len(self.found) < 2:
            return -1
        raise FileError(
            f"{name}: has no label {_shown_label(wanted)} as --pos-label says. Its labels "
            f"are {self}."
        )

    def __str__(self):
        return " and ".join(map(_shown_label, self.found))


_TRUTH = ("true", ("false", "true"))


def _canonical_label(text):
    """A number for what is one, so that 1, 1.0 and +1 are one label; true in any case."""
    text = text.strip(" \t")
    if _is_number(text):
        return _number(text, "label")
    folded = text.lower()
    if folded in _MISSING:
        raise _RefusedError("the label is missing")
    return folded if folded in _TRUTH[1] else text


def _shown_label(label):
    if isinstance(label, float):
        return str(int(label)) if label.is_integer() and abs(label) < 1e15 else str(label)
    return _shown(label)


# Blocks of lines


class _Block(NamedTuple):
    data: bytes  # whole lines
    first_line: int  # number of its first line in the file


def _blocks(stream, name, quotes_matter):
    """The file in blocks of whole lines; quoted fields with line ends are kept whole."""
    first_line, size = 1, _FIRST_BLOCK
    while data := _lines(stream, name, size):
        if first_line == 1:
            _check_kind(data, name)
            data = data.removeprefix(b"\xef\xbb\xbf")
        while quotes_matter() and data.count(b'"') % 2:
            more = _lines(stream, name, size)
            if not more:
                break
            data += more
        block = _Block(data, first_line)
        _check_text(block, name)
        yield block
        first_line += _n_lines(data)
        size = _BLOCK


def _lines(stream, name, size):
    """About `size` bytes of whole lines, none at the end of the file."""
    try:
        data = stream.read(size)
        if len(data) == size:
            data += stream.readline(_LONGEST_LINE)
    except OSError as error:
        raise FileError(f"{name}: cannot be read: {error.strerror or error}.") from error
    if len(data) >= size + _LONGEST_LINE and not data.endswith(b"\n"):
        raise FileError(
            f"{name}: has a line of more than {_LONGEST_LINE} bytes. Needs a text file "
            f"with lines of {LIST_FORM}, or CSV."
        )
    return data


def _n_lines(data):
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == ord("\n")))


def _check_kind(data, name):
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileError(f"{name}: is UTF-16 text. Save it as UTF-8.")
    if data.startswith((b"\x1f\x8b", b"PK\x03\x04", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f")):
        raise FileError(
            f"{name}: is compressed. Unpack it, e.g. gzip -dc FILE | achievable-pr -"
        )


def _check_text(block, name):
    if b"\0" in block.data:
        raise FileError(
            f"{name}, line {_line_at(block, block.data.index(0))}: has a NUL byte: this is "
            "a binary file. Needs text."
        )
    if block.data.isascii():
        return
    try:
        block.data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError(
            f"{name}, line {_line_at(block, error.start)}: is not UTF-8 text (byte "
            f"0x{block.data[error.start]:02x}). Convert the file to UTF-8."
        ) from error


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
        f"are {', '.join(_shown(column) for column in header)}: name those to read by "
        "--score, --label and --weight."
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
        text = block.data.decode("utf-8")
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
            return (
                f"needs two fields, {LIST_FORM}; got {len(fields)} (a CSV file needs a "
                "header and its columns' names by --score and --label)"
            )
        return f"needs {self.layout.n_fields} fields as the header has, got {len(fields)}"

    def _refused(self, block, text, at, error):
        line = text.split("\n")[at].rstrip("\r")
        reason = str(error)
        if (
            self.layout.separator is None
            and at + block.first_line == 1
            and "score" in reason
        ):
            reason += (
                f"; a file with a header needs columns {DEFAULT_SCORE!r} and "
                f"{DEFAULT_LABEL!r}, or --score and --label to name them"
            )
        number = block.first_line + at
        return FileError(f"{self.name}, line {number}: {reason}. The line: {_shown(line)}")


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
    at = 0
    while True:
        start = reader.line_num
        try:
            row = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            raise _RowError(start, f"is no CSV: {error}") from error
        if start == n_lines and row == [_END_OF_ROW]:
            return
        at = start
        if len(row) > 1 or any(field.strip(" \t") for field in row):
            yield start, row
    raise _RowError(at, "a quoted field is not closed")


def _csv_reader(text, separator):
    # newline="\n": a lone carriage return is no end of a line.
    return csv.reader(
        io.StringIO(text, newline="\n"), delimiter=separator, skipinitialspace=True
    )


# Offers to pandas


def _declines(data):
    return None


def _pandas_reader(layout, labels):
    """A reader of blocks that returns None where it is not certain."""
    try:
        import pandas  # noqa: PLC0415
    except Exception:  # absent, or broken: the strict reader needs none of it
        return _declines
    return _PandasReader(pandas, layout, labels)


class _PandasReader:
    """Reads a block at once, or returns None: then the strict reader has to.

    A block is taken if every row has the number of fields that the layout says, every
    number is finite and every label is known to `labels`. Numbers are rounded
    correctly, as `float` does.
    """

    def __init__(self, pandas, layout, labels):
        self.pandas, self.layout, self.labels = pandas, layout, labels
        self.label_type: Callable | str = np.float64

    def __call__(self, data):
        data = _with_plain_ends(data)
        if data is None:
            return None
        read = self._read_list if self.layout.separator is None else self._read_csv
        found = read(data)
        if found is None and self.label_type is np.float64:
            self.label_type = "category"
            found = read(data)
            if found is None:
                self.label_type = np.float64
        return found

    def _read_list(self, data):
        if b"#" in data:
            return None
        bytes_ = np.frombuffer(data, np.uint8)
        first = data[: data.index(b"\n")]
        separator = next((mark for mark in (b",", b"\t", b" ") if mark in first), None)
        if separator is None:
            return None
        n_separators = np.count_nonzero(bytes_ == ord(separator))
        if n_separators == np.count_nonzero(bytes_ == ord("\n")):
            frame = self._frame(data, separator.decode(), range(2), csv.QUOTE_NONE)
            n_fields = 2 * n_separators
        elif separator == b",":
            return None
        else:
            frame = self._frame(data, r"\s+", range(2), csv.QUOTE_NONE)
            blank = (bytes_ == ord(" ")) | (bytes_ == ord("\t")) | (bytes_ == ord("\n"))
            n_fields = np.count_nonzero(blank[1:] & ~blank[:-1])
        # No row has an empty field, so none has more than two if there are two a row.
        if frame is None or n_fields != 2 * len(frame):
            return None
        return self._columns(frame)

    def _read_csv(self, data):
        layout = self.layout
        mark = layout.separator.encode()
        if b'"' in data:
            # A field after the last one is where it should be in rows of that length.
            data = data.replace(b"\n", mark + _END_OF_ROW.encode() + b"\n")
            frame = self._frame(data, layout.separator, range(layout.n_fields + 1), 0)
            if frame is None:
                return None
            if list(frame[layout.n_fields].cat.categories) != [_END_OF_ROW]:
                return None
            return self._columns(frame)
        bytes_ = np.frombuffer(data, np.uint8)
        ends = np.flatnonzero((bytes_ == ord(mark)) | (bytes_ == ord("\n")))
        n_rows, rest = divmod(len(ends), layout.n_fields)
        row_ends = ends[layout.n_fields - 1 :: layout.n_fields]
        if rest or not (bytes_[row_ends] == ord("\n")).all():
            return None
        if np.count_nonzero(bytes_ == ord("\n")) != n_rows:
            return None
        frame = self._frame(data, layout.separator, range(layout.n_fields), 0)
        if frame is None or len(frame) != n_rows:
            return None
        return self._columns(frame)

    def _frame(self, data, separator, names, quoting):
        layout = self.layout
        types = {layout.score: np.float64, layout.label: self.label_type}
        if layout.weight is not None:
            types[layout.weight] = np.float64
        if len(names) > layout.n_fields:
            types[layout.n_fields] = "category"
        options = {"skipinitialspace": True} if layout.separator else {}
        try:
            with warnings.catch_warnings():
                # float_precision is deprecated where its value here is the default.
                warnings.simplefilter("ignore")
                return self.pandas.read_csv(
                    io.BytesIO(data),
                    sep=separator,
                    header=None,
                    names=names,
                    index_col=False,
                    usecols=list(types) if layout.separator else None,
                    dtype=types,
                    na_filter=False,
                    quoting=quoting,
                    float_precision="round_trip",
                    engine="c",
                    **options,
                )
        except Exception:  # whatever it is, the strict reader finds and says it better
            return None

    def _columns(self, frame):
        layout = self.layout
        score = frame[layout.score].to_numpy()
        if not np.isfinite(score).all():
            return None
        weight = None
        if layout.weight is not None:
            weight = frame[layout.weight].to_numpy()
            if not (np.isfinite(weight).all() and (weight >= 0).all()):
                return None
        known = list(self.labels.found)
        try:
            code = self._codes(frame[layout.label])
        except _RefusedError:
            code = None
        if code is None:
            self.labels.found[:] = known  # the strict reader finds them in their order
            return None
        return score, code, weight

    def _codes(self, label):
        if self.label_type is np.float64:
            label = label.to_numpy()
            low, high = label.min(), label.max()
            is_high = label == high
            if not (np.isfinite([low, high]).all() and (is_high | (label == low)).all()):
                return None
            first, second = (low, high) if label[0] == low else (high, low)
            self.labels.code(first), self.labels.code(second)
            codes = np.array([self.labels.code(low), self.labels.code(high)], np.int8)
            return codes[is_high.astype(np.int8)]
        texts = list(label.cat.categories)
        inner = "\n" + _END_OF_ROW + ("" if self.layout.separator else " \t,")
        if any(mark in text.strip(" \t") for text in texts for mark in inner):
            return None
        place = label.cat.codes.to_numpy()
        for text in [texts[i] for i in dict.fromkeys(place[:1].tolist())] + texts:
            self.labels.code(text)
        return np.array([self.labels.code(text) for text in texts], np.int8)[place]


def _with_plain_ends(data):
    """Lines ended by a line feed, the last one too; None for lone carriage returns."""
    if _END_OF_ROW.encode() in data:
        return None
    if b"\r" in data:
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
    for block in _blocks(stream, name, lambda: False):
        text = block.data.decode("utf-8")
        for at, fields in _list_rows(text):
            line = block.first_line + at
            try:
                pair = _point(fields, kind)
                _check_achievable(*pair, kind, n_pos, n_neg)
            except _RefusedError as error:
                raw = _shown(text.split("\n")[at].rstrip("\r"))
                raise FileError(f"{name}, line {line}: {error}. The line: {raw}") from error
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
            f"is not achievable: with {n_pos:g} positives and {n_neg:g} negatives the "
            f"lowest precision at recall {recall:g} is {floor:.6g}; check --n-pos and "
            "--n-neg, and that the recall comes first"
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
