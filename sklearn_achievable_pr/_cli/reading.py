"""Reading of score files with Polars: a frame of checked rows with known column names.

All fields of a text file are read as text and cast to numbers afterwards, so that an error
message can show the text of a field. Bytes that are not UTF-8 become U+FFFD, which is an
error only in columns that are used.
"""

import codecs
import contextlib
import csv
import gzip
import io
import os
import re
import zlib
from functools import partial

import numpy as np
import polars as pl

from . import FileError, in_flags

_BLOCK, _LONGEST_SHOWN = 2**20, 60
_MOST_BYTES = 2**31  # the limit of gzipped files and streams, whose size is not known
_ROW, _NOT_UTF8, _BLANKS = "row number", "\ufffd", " \t"
# UTF-32 comes first, because its byte order mark starts with that of UTF-16.
_MARKS = {codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32"}
_MARKS |= {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_NAMED = "weight", "groups"
_PACKED = b"\x1f\x8b", b"x\x9c", b"x\xda", b"\x28\xb5\x2f\xfd"  # gzip, zlib, zstd
# Programs write missing values as these words, which are in lower case here.
_MISSING = {"", "na", "n/a", "#n/a", "<na>", "nan", "null", "none"}
_CLEAR_LABELS: tuple[set, ...] = ({0.0, 1.0}, {-1.0, 1.0}, {"false", "true"})
_ROUNDED = "the score must be less than 2**53 in size if it is an integer; pass its rank"
_FIELDS = "A list has a score and a label per line, and other columns need a header line"
_QUOTED = "quotes must enclose a whole field in one line, and be doubled within it"
# Each role of numbers has a rule, for the message, and a lower limit.
_RULES = {
    "score": ("a finite number", -np.inf),
    "weight": ("a finite number, not negative", 0),
}


@contextlib.contextmanager
def file_errors(name: str):
    """Convert errors of the system, gzip, Polars and this package to a `FileError`."""
    of_polars = pl.exceptions.PolarsError, pl.exceptions.PanicException
    try:
        yield
    except (OSError, EOFError, ValueError, zlib.error, csv.Error, *of_polars) as error:
        why = getattr(error, "strerror", None) or str(error).partition("\n")[0].rstrip(".")
        why = f"{printable(name)}: {printable(in_flags(why))[:300]}."
        raise FileError(why) from error


def printable(text: str) -> str:
    """The text, with control characters escaped."""
    return text if text.isprintable() else ascii(text)


def rows_of(path, options):
    """Frame of the checked rows of a file; raises if there are none.

    Columns are named by their role, those of scores also by their name in the file.
    """
    file = 0 if path == "-" else path
    with open(file, "rb", closefd=file != 0) as stream:
        # Polars opens a Parquet file itself, so that it reads only the columns that are
        # needed.
        is_parquet = stream.peek(4).startswith(b"PAR1") and os.path.isfile(path)
        data = path if is_parquet else _content(stream)
    if is_parquet or data.startswith(b"PAR1"):
        scan = pl.scan_parquet(data if is_parquet else io.BytesIO(data), glob=False)
        names = scan.collect_schema().names()
        columns = _columns(options, names)
        frame = scan.select(**columns).with_row_index(_ROW, 1).collect()
        _check_header(frame, names, options)
    elif data.startswith(b"PARE"):
        raise ValueError("is an encrypted Parquet file. Decrypt it first")
    else:
        frame = _text_frame(data, options)
    rows = _checked(frame, options)
    if not len(rows):
        needed = "lines of score and label, or CSV, with samples of positive weight"
        raise ValueError(f"holds no scores. Pass {needed}")
    return rows


def _content(stream):
    """All bytes of a file, unpacked."""
    limit = max(_MOST_BYTES, os.fstat(stream.fileno()).st_size)
    if stream.peek(2).startswith(b"\x1f\x8b"):
        stream = gzip.GzipFile(fileobj=stream)
    data = io.BytesIO()
    while block := stream.read(_BLOCK):
        if data.tell() + len(block) > limit:
            has = f"has more than {limit / 2**20:.4g} MiB of unpacked data"
            rule = f"{has}, the limit of gzipped files and streams"
            raise ValueError(f"{rule}. Store it unpacked in a file")
        data.write(block)
    return data.getvalue()


def _text_frame(data, options):
    """Frame of a list or a CSV file, told apart by their first line."""
    encoding = next((_MARKS[mark] for mark in _MARKS if data.startswith(mark)), None)
    if encoding:
        data = data.decode(encoding).encode()
    # Polars would ignore a surplus empty field in a last line without a line end.
    data = data.removeprefix(codecs.BOM_UTF8).rstrip() + b"\n"
    start = data.rfind(b"\n", 0, len(data) - len(data.lstrip())) + 1
    text = data[start:]
    header = text.partition(b"\n")[0].decode(errors="replace").rstrip()
    # Polars would unpack some of these formats, without a limit.
    if re.search("[\0-\x08\r]", header) or text.startswith(_PACKED):
        raise ValueError("is not a text file. Save it as CSV in UTF-8 with LF line ends")
    word = (header.replace(",", " ").split() or [""])[0]
    is_list = header[:1] in ("", "#") or isinstance(_canonical(word), float)
    named = options.label, options.weight, options.groups, options.score
    if is_list and not any(named):
        return _list_frame(data)
    return _csv_frame(text, header, options)


def _list_frame(data):
    """Frame of a list: two fields per line, separated by spaces, tabs or a comma."""
    text = pl.Series([data.decode(errors="replace")])
    lines = text.str.split("\n").explode().str.strip_chars(_BLANKS + "\r")
    fields = lines.str.replace_all("[ \t]*[ \t,][ \t]*", " ").str.split(" ")
    columns = {_ROW: np.arange(1, 1 + len(lines))}
    for place, key in enumerate(("score", "label", "field")):
        columns[key] = fields.list.get(place, null_on_oob=True)
    frame = pl.DataFrame(columns).filter((lines != "") & ~lines.str.starts_with("#"))
    _check(frame, frame["field"].is_null(), "field", "has a field too many", _FIELDS)
    return frame.drop("field")


def _csv_frame(data, header, options):
    """Frame of a CSV file that begins with this line of names."""
    unquoted = re.sub('"[^"]*"', "", header)
    separator = next((mark for mark in ",\t;" if mark in unquoted), " ")
    how = {"separator": separator, "infer_schema": False, "encoding": "utf8-lossy"}
    try:  # all columns are read, because Polars counts only their fields
        frame = pl.read_csv(data, **how)
    except pl.exceptions.ComputeError:
        _check_lines(data, separator)
        raise
    if 1 + len(frame) != data.count(b"\n"):  # a stray quote hides the end of a line
        _check_lines(data, separator)
    names = [name.strip() for name in frame.columns]
    columns = _columns(options, names)
    frame = frame.select(**columns).with_row_index(_ROW, 1)
    _check_header(frame, names, options)
    return frame


def _check_lines(data, separator):
    """Raise `ValueError` with the first line of a CSV file that Polars cannot read."""
    quoted = re.compile(f'(^|{separator})"([^"]|"")*"(?={separator}|$)')
    lines = data.decode(errors="replace").replace("\r", "").removesuffix("\n").split("\n")
    n_fields = len(next(csv.reader(lines[:1], delimiter=separator)))
    for row, line in enumerate(lines):
        where = f"row {row}" if row else "header"
        if '"' in quoted.sub("", line):
            raise ValueError(f"{where}: {_QUOTED}, got {line[:_LONGEST_SHOWN]!r}") from None
        fields = next(csv.reader([line], delimiter=separator), [])
        if len(fields) > n_fields:
            got = f"got {fields[n_fields][:_LONGEST_SHOWN]!r}"
            raise ValueError(f"{where}: has a field too many, {got}") from None


def _columns(options, header):
    """The column of each role, found by its name in the header."""
    wanted = {"label": [options.label] if options.label else ["label", "y_true"]}
    wanted |= {role: [name] for role in _NAMED if (name := getattr(options, role))}
    named = {f"score {name}": [name] for name in options.score or []}
    wanted |= named or {"score": ["score", "y_score"]}
    columns = {}
    for key, names in wanted.items():
        name = next((name for name in names if name in header), None)
        if header.count(name) != 1 or f"{name}_duplicated_0" in header:
            has = f"{'two columns' if name else 'no column'} {' or '.join(names)}"
            option = f"--{key.partition(' ')[0]}"
            way_out = f"Name one by {option}: the columns are {', '.join(header)[:200]}"
            if _may_be_data(header):
                way_out = f"{_data_hint(header)}, or pass names to --score and --label"
            raise ValueError(f"has {has}. {way_out}")
        columns[key] = pl.nth(header.index(name))
    return columns


def _check_header(frame, header, options):
    """Raise `ValueError` if the first sample was read as the names of the columns.

    Then the columns that the options name are a label and numbers.
    """
    is_number = (isinstance(_canonical(name), float) for name in options.score or [""])
    if options.label is None or not (all(is_number) and _may_be_data(header)):
        return
    texts = frame["label"].cast(pl.String).drop_nulls().unique().str.strip_chars(_BLANKS)
    labels = {*map(_canonical, texts), _canonical(options.pos_label or "1")}
    if _canonical(options.label) in labels:
        raise ValueError(f"{_data_hint(header)}, or rename the columns")


def _may_be_data(header):
    """Whether some names are numbers, other than the column numbers 0, 1, ..."""
    numbers = [name for name in map(_canonical, header) if isinstance(name, float)]
    return len(numbers) == 1 or numbers != [*range(len(numbers))]


def _data_hint(header):
    """What to do if the names of the columns may be the first sample."""
    shown = ", ".join(header)[:_LONGEST_SHOWN]
    hint = f"The names of the columns look like a first line of data: {shown}"
    return f"{hint}. Add a header line such as score,label"


# Rows


def _checked(frame, options):
    """The rows of a frame, checked, without rows of weight 0."""
    check, rows = partial(_check, frame), {}
    for key in frame.columns[1:]:
        role, values = key.partition(" ")[0], frame[key]
        if not values.dtype.is_numeric():  # a date is no number
            values = values.cast(pl.String).str.strip_chars(_BLANKS)
        if role == "label":
            rows[key] = _positives(values.cast(pl.String), options.pos_label, check)
        elif role in _RULES:
            rows[key] = _numbers(values, key, *_RULES[role], check)
        else:
            rows[key] = values = values.cast(pl.String).fill_null("")
            column = getattr(options, role)
            valid = ~values.str.to_lowercase().is_in([*_MISSING])
            check(valid, key, f"the {key} (column {column}) must not be missing")
            valid = ~values.str.contains(_NOT_UTF8)
            check(valid, key, f"the {key} (column {column}) must be UTF-8 text")
    checked = pl.DataFrame(rows)
    return checked.filter(pl.col("weight") > 0) if "weight" in rows else checked


def _numbers(values, key, rule, low, check):
    """The values as finite float64 from `low` on, none of them a rounded integer."""
    numbers = values.cast(pl.Float64, strict=False).to_numpy()
    check(np.isfinite(numbers) & (numbers >= low), key, f"the {key} must be {rule}")
    large = np.abs(numbers) >= 2**53
    if key != "weight" and large.any():
        is_integer = values.cast(pl.String).str.contains(r"^\s*[+-]?\d+\s*$").to_numpy()
        check(~(large & is_integer), key, _ROUNDED)
    return numbers


def _check(frame, valid, key, rule, way_out=None):
    """Raise `ValueError` with the first row that is not valid, if there is one."""
    if valid.all():
        return
    place = int(np.argmin(valid))
    got = (frame[key].cast(pl.String)[place] or "").strip(_BLANKS)[:_LONGEST_SHOWN]
    if way_out is None and got.lower() in _MISSING:
        way_out = "Drop rows with missing values"
        if got and key in ("label", "groups"):
            way_out += f", or rename {got} if it is no missing value"
    way_out = f". {way_out}" if way_out else ""
    raise ValueError(f"row {frame[_ROW][place]}: {rule}, got {got!r}{way_out}")


def _positives(texts, pos_label, check):
    """Whether each row has the positive label."""
    positive, rule = {1.0, "true"}, "the label must be 0 or 1, -1 or 1, false or true"
    if pos_label is not None:
        positive = {_canonical(pos_label)}
        rule = f"the label must be {pos_label} or one other"
    labels: dict[str | None, float | str] = {}
    distinct = texts.unique(maintain_order=True)
    if pos_label is None and _may_need_pos_label(distinct):
        shown = " and ".join(text[:_LONGEST_SHOWN] for text in distinct)
        rule += f", or --pos-label must name the positive one of {shown}"
    for text in distinct:
        label = labels[text] = _canonical(text or "")
        found = {*labels.values()}
        if pos_label is None:
            is_clear = any(found <= pair for pair in _CLEAR_LABELS)
        else:
            is_missing = str(label).lower() in _MISSING or _NOT_UTF8 in str(label)
            is_clear = len(found - positive) < 2 and not is_missing
        check(texts.ne_missing(text) | is_clear, "label", rule)
    named = [text for text, label in labels.items() if label in positive]
    return texts.is_in(named).to_numpy()


def _may_need_pos_label(texts):
    """Whether the texts are the labels of two classes, none of them a missing value."""
    return len(texts) == 2 and not any((text or "").lower() in _MISSING for text in texts)


def _canonical(text):
    """Label of a text: a float for numbers such as 1 and +1; lower case for booleans."""
    with contextlib.suppress(ValueError):
        return float(text)
    return text.lower() if text.lower() in ("false", "true") else text
