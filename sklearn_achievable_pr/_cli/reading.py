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
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from . import FileError, in_flags

_BLOCK, _LONGEST_SHOWN = 2**20, 60
_MOST_BYTES = 2**31  # the limit of gzipped files and streams, whose size is not known
_MOST_SAMPLES = 10**8  # of a table of counts, whose size does not limit them
_ROW, _FIRST, _NOT_UTF8, _BLANKS = "row number", "first field", "\ufffd", " \t"
# UTF-32 comes first, because its byte order mark starts with that of UTF-16.
_MARKS = {codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32"}
_MARKS |= {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_NAMED = "weight", "count", "groups"
_PACKED = b"\x1f\x8b", b"x\x9c", b"x\xda", b"\x28\xb5\x2f\xfd"  # gzip, zlib, zstd
# Programs write missing values as these words, which are in lower case here.
_MISSING = {"", "na", "n/a", "#n/a", "<na>", "nan", "null", "none"}
# NumPy's `savetxt` writes 1 as 1.0e+00.
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?0+)?")
_CLEAR_LABELS: tuple[set, ...] = ({0, 1}, {-1, 1}, {"false", "true"})
_ROUNDED = "must be less than 2**53 in size if it is an integer; pass its rank"
_FIELDS = (
    "A list has a score and a label per line, separated by spaces, a tab or a comma, and "
    "other columns need a header line"
)
_QUOTED = "quotes must enclose a whole field in one line, and be doubled within it"
_SEPARATORS = "The separator of CSV may be a comma, a tab, a semicolon or a space"
_BARS = f"has the separator |. {_SEPARATORS}"
# What a row is that CSV cannot have, by its first character.
_FOREIGN = {
    "": "is empty. Remove it: only lists may have empty lines between rows",
    "#": "is a comment. Remove it: only lists may have comments",
    "|": _BARS,
}
_JSON = re.compile(r'\{|\[ *([\[{"]|$|[-+.\deE]+,)')
# Each role of numbers has a rule, for the message, and a lower limit.
_RULES = {
    "score": ("a finite number", -np.inf),
    "weight": ("a finite number, not negative", 0),
    "count": ("an integer, not negative", 0),
}
# What a column of a role may hold in Parquet, and types that are neither number nor text.
_KINDS: dict[str, tuple[str, set]] = {
    "label": ("numbers, booleans or text", {pl.Boolean}),
    "groups": ("numbers, text or dates", {pl.Boolean, pl.Date, pl.Datetime, pl.Time}),
}
_NUMBERS: tuple[str, set] = ("numbers", set())
_TEXTS = {pl.String, pl.Categorical, pl.Enum, pl.Null}


@contextlib.contextmanager
def file_errors(name: str):
    """Convert errors of the system, gzip, Polars and this package to a `FileError`."""
    of_polars = pl.exceptions.PolarsError, pl.exceptions.PanicException
    try:
        yield
    except (OSError, EOFError, ValueError, zlib.error, csv.Error, *of_polars) as error:
        why = getattr(error, "strerror", None) or str(error).partition("\n")[0].rstrip(".")
        why = f"{printable(name)}: {printable(in_flags(why))[:500]}."
        raise FileError(why) from error


def printable(text: str) -> str:
    """The text, with control characters escaped."""
    return text if text.isprintable() else ascii(text)


def rows_of(path, options):
    """The checked rows of a file as a frame, and its labels; raises if there are none.

    Columns are named by their role, those of scores also by their name in the file. Labels
    are floats or texts.
    """
    file = 0 if path == "-" else path
    with open(file, "rb", closefd=file != 0) as stream:
        # Polars opens a Parquet file itself, so that it reads only the columns that are
        # needed.
        is_parquet = stream.peek(4).startswith(b"PAR1") and os.path.isfile(path)
        data = path if is_parquet else _content(stream)
    if is_parquet or data.startswith(b"PAR1"):
        scan = pl.scan_parquet(data if is_parquet else io.BytesIO(data), glob=False)
        header = scan.collect_schema().names()
        columns = _columns(options, header)
        frame = _columns_at(scan, columns).collect()
        _check_header(frame, header, options)
        names = {key: header[place] for key, place in columns.items()}
    elif data.startswith(b"PARE"):
        raise ValueError("is an encrypted Parquet file. Decrypt it first")
    else:
        frame, names = _text_frame(data, options)
    rows, labels = _checked(frame, names, options)
    if not len(rows):
        needed = "lines of score and label, or CSV, with samples of positive weight"
        raise ValueError(f"holds no scores. Pass {needed} and count")
    return rows, labels


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
    """Frame of a list or a CSV file, and the names of its columns.

    The first line that is not empty and no comment tells them apart.
    """
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
    first = re.search(rb"^[ \t]*[^#\s].*", text, re.MULTILINE)
    words = first[0].decode(errors="replace").replace(",", " ").split() if first else []
    is_list = not first or (words and _is_numeric(words[0]))
    named = options.label, options.score, *(getattr(options, role) for role in _NAMED)
    if not header or (is_list and not any(named)):
        return _list_frame(data), {}
    return _csv_frame(text, header, options)


def _list_frame(data):
    """Frame of a list: two fields per line, separated by spaces, tabs or a comma."""
    text = pl.Series([data.decode(errors="replace")])
    lines = text.str.split("\n").explode().str.strip_chars(_BLANKS + "\r")
    fields = lines.str.replace_all("[ \t]*[ \t,][ \t]*", " ").str.split(" ")
    columns: dict[str, Any] = {_ROW: np.arange(1, 1 + len(lines))}
    for place, key in enumerate(("score", "label", "field")):
        columns[key] = fields.list.get(place, null_on_oob=True)
    frame = pl.DataFrame(columns).filter((lines != "") & ~lines.str.starts_with("#"))
    _check(frame, frame["field"].is_null(), "field", "has a field too many", _FIELDS)
    return frame.drop("field")


def _csv_frame(data, header, options):
    """Frame of a CSV file that begins with this line of names, and the names used."""
    unquoted = re.sub('"[^"]*"', "", header)
    separator = next((mark for mark in ",\t;" if mark in unquoted), " ")
    how: dict[str, Any] = {"separator": separator, "infer_schema": False}
    how["encoding"] = "utf8-lossy"
    first_line = data[: data.index(b"\n") + 1]
    try:  # other errors of a file without these columns would not help
        names = [name.strip() for name in pl.read_csv(first_line, **how).columns]
        columns = _columns(options, names)
    except (pl.exceptions.PolarsError, ValueError):
        if why := _foreign_line(header, [header], separator):
            raise ValueError(f"header: {why}") from None
        _check_lines(first_line, separator)
        raise
    try:  # all columns are read, because Polars counts only their fields
        frame = pl.read_csv(data, **how)
    except pl.exceptions.ComputeError:
        _check_lines(data, separator)
        raise
    if 1 + len(frame) != data.count(b"\n"):  # a stray quote hides the end of a line
        _check_lines(data, separator)
    frame = _columns_at(frame, columns | {_FIRST: 0})
    _check_header(frame, names, options)
    return frame, {key: names[place] for key, place in columns.items()}


def _columns_at(frame, columns):
    """The columns of a frame at these places, after a column of row numbers."""
    places = {key: pl.nth(place) for key, place in columns.items()}
    return frame.select(**places).with_row_index(_ROW, 1)


def _check_lines(data, separator):
    """Raise `ValueError` with the first line of a CSV file that Polars cannot read."""
    quoted = re.compile(f'(^|{separator})"([^"]|"")*"(?={separator}|$)')
    lines = data.decode(errors="replace").replace("\r", "").removesuffix("\n").split("\n")
    n_fields = len(next(csv.reader(lines[:1], delimiter=separator)))
    for row, line in enumerate(lines):
        where, why = f"row {row}" if row else "header", ""
        if '"' in quoted.sub("", line):
            why = f"{_QUOTED}, got {line[:_LONGEST_SHOWN]!r}"
        elif len(fields := next(csv.reader([line], delimiter=separator), [])) > n_fields:
            why = f"has a field too many, got {fields[n_fields][:_LONGEST_SHOWN]!r}"
        if why:
            why = _foreign_line(line, lines, separator) or why
            raise ValueError(f"{where}: {why}") from None


def _columns(options, header):
    """The place of the column of each role, found by its name in the header."""
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
            elif len(header) == 1:
                way_out += f". {_SEPARATORS}"
            raise ValueError(f"has {has}. {way_out}")
        columns[key] = header.index(name)
    return columns


def _foreign(line, others):
    """What a row is that CSV cannot have, and what to do; empty if it may be CSV.

    `others` are lines, or first fields, of the file. If all of them start with #, these are
    names such as #1.
    """
    line = line.strip(_BLANKS)
    are_names = len(others) and others.str.strip_chars(_BLANKS).str.starts_with("#").all()
    if line.startswith("#") and (are_names or line.lower() in _MISSING):
        return ""
    return _FOREIGN.get(line[:1], "")


def _foreign_line(line, lines, separator):
    """What `_foreign` says of a line among the lines of a file, the first with names."""
    if separator == " " and "|" in lines[0]:
        return _BARS
    if _JSON.match(lines[0]):
        return "is JSON. Pass CSV with a header line, Parquet, or lines of score and label"
    return _foreign(line, pl.Series(lines[1:], dtype=pl.String))


def _check_header(frame, header, options):
    """Raise `ValueError` if the first sample was read as the names of the columns.

    Then the columns that the options name are a label and numbers.
    """
    are_numbers = all(map(_is_numeric, options.score or [""]))
    if options.label is None or not (are_numbers and _may_be_data(header)):
        return
    texts = frame["label"].cast(pl.String).drop_nulls().unique().str.strip_chars(_BLANKS)
    if _label(options.label) in {_label(options.pos_label or "1"), *map(_label, texts)}:
        raise ValueError(f"{_data_hint(header)}, or rename the columns")


def _may_be_data(header):
    """Whether some names are numbers, other than the column numbers 0, 1, ..."""
    numbers = [float(name) for name in filter(_is_numeric, header)]
    return len(numbers) == 1 or numbers != [*range(len(numbers))]


def _is_numeric(text):
    """Whether a field is a number as Python reads it."""
    with contextlib.suppress(ValueError):
        float(text)
        return True
    return False


def _data_hint(header):
    """What to do if the names of the columns may be the first sample."""
    shown = ", ".join(header)[:_LONGEST_SHOWN]
    hint = f"The names of the columns look like a first line of data: {shown}"
    return f"{hint}. Add a header line such as score,label"


# Rows


def _checked(frame, names, options):
    """The rows of a frame, checked, and their labels.

    Rows of weight or count 0 are dropped, and a row of count k is repeated k times. `names`
    are those of the columns of a table, by role.
    """
    check, rows, labels = partial(_check, frame), {}, []
    for key in frame.columns:
        if key in (_ROW, _FIRST):
            continue
        role, values = key.partition(" ")[0], frame[key]
        what = f"the {role}" + (f" (column {names[key]})" if key in names else "")
        kind, types = _KINDS.get(role, _NUMBERS)
        dtype = values.dtype.base_type()
        if not (dtype.is_numeric() or dtype in types | _TEXTS):
            way_out = f"convert it, or name another column by --{role}"
            raise ValueError(f"{what} must hold {kind}. Got type {dtype}: {way_out}")
        if not dtype.is_numeric():
            values = values.cast(pl.String).str.strip_chars(_BLANKS)
        if role == "label":
            texts = values.cast(pl.String).fill_null("")
            rows[key], labels = _positives(texts, options.pos_label, what, check)
        elif role == "groups":
            rows[key] = _clusters(values.cast(pl.String).fill_null(""), what, check)
        else:
            rows[key] = _numbers(values, key, what, check)
    checked = pl.DataFrame(rows)
    if "weight" in rows:
        checked = checked.filter(pl.col("weight") > 0)
    if "count" in rows:
        checked = _repeated(checked, names["count"])
    return checked, labels


def _numbers(values, key, what, check):
    """The values as finite float64, none of them a rounded integer."""
    role = key.partition(" ")[0]
    kind, low = _RULES[role]
    numbers = values.cast(pl.Float64, strict=False).to_numpy()
    valid = np.isfinite(numbers) & (numbers >= low)
    if role == "count":
        valid &= numbers == np.floor(numbers)
    check(valid, key, f"{what} must be {kind}")
    large = np.abs(numbers) >= 2**53
    if role == "score" and large.any():
        is_integer = values.cast(pl.String).str.contains(r"^\s*[+-]?\d+\s*$").to_numpy()
        check(~(large & is_integer), key, f"{what} {_ROUNDED}")
    return numbers


def _repeated(frame, name):
    """The frame with each row as many times as its count, in the column `name`, says."""
    count = frame["count"].to_numpy()
    if count.sum() > _MOST_SAMPLES:
        raise ValueError(
            f"the counts (column {name}) are {count.sum():.4g} samples, and at most "
            f"{_MOST_SAMPLES:.0e} are held in memory. Use auc_pr_from_counts in Python"
        )
    return frame.drop("count")[np.arange(len(frame)).repeat(count.astype(np.int64))]


def _check(frame, valid, key, rule, way_out=None):
    """Raise `ValueError` with the first row that is not valid, if there is one."""
    if valid.all():
        return
    place = int(np.argmin(valid))
    where = f"row {frame[_ROW][place]}"
    if _FIRST in frame.columns:
        fields = [(field or "").strip(_BLANKS) for field in frame.row(place)[1:]]
        if (fields[-1] or not any(fields)) and (why := _foreign(fields[-1], frame[_FIRST])):
            raise ValueError(f"{where}: {why}")
    got = (frame[key].cast(pl.String)[place] or "").strip(_BLANKS)[:_LONGEST_SHOWN]
    if way_out is None and got.lower() in _MISSING:
        way_out = "Drop rows with missing values"
        if got and key in ("label", "groups"):
            way_out += f", or rename {got} if it is no missing value"
    way_out = f". {way_out}" if way_out else ""
    raise ValueError(f"{where}: {rule}, got {got!r}{way_out}")


# Labels and groups are numbers if all fields of the column are decimals, else texts.


def _positives(texts, pos_label, what, check):
    """Whether each row has the positive label, and the distinct labels."""
    positive, rule = {1, "true"}, f"{what} must be 0 or 1, -1 or 1, false or true"
    distinct = texts.unique(maintain_order=True).to_list()
    labels = dict(zip(distinct, map(_label, distinct), strict=True))
    if pos_label is not None:
        labels = dict(zip(distinct, _numbers_or_texts(distinct), strict=True))
        are_numbers = any(isinstance(label, Decimal) for label in labels.values())
        positive = {_label(pos_label) if are_numbers else _word(pos_label)}
        rule = f"{what} must be {pos_label} or one other"
    elif _may_need_pos_label(distinct):
        shown = " and ".join(text[:_LONGEST_SHOWN] for text in distinct)
        rule += f", or --pos-label must name the positive one of {shown}"
    found = set()
    for text, label in labels.items():
        found.add(label)
        if pos_label is None:
            is_clear = any(found <= pair for pair in _CLEAR_LABELS)
        else:
            is_missing = text.lower() in _MISSING or _NOT_UTF8 in text
            is_clear = len(found - positive) < 2 and not is_missing
        if not is_clear:
            check(texts != text, "label", rule)
    named = [text for text, label in labels.items() if label in positive]
    values = (float(x) if isinstance(x, Decimal) else x for x in labels.values())
    return texts.is_in(named).to_numpy(), [*dict.fromkeys(values)]


def _may_need_pos_label(texts):
    """Whether the texts are the labels of two classes, none of them a missing value."""
    return len(texts) == 2 and not any(text.lower() in _MISSING for text in texts)


def _clusters(texts, what, check):
    """The groups as integers or texts, which are equal for rows of one cluster."""
    whole = texts.cast(pl.Int64, strict=False)
    if not whole.null_count():
        return whole
    distinct = texts.unique()
    numbers = _numbers_or_texts(distinct.to_list())
    if isinstance(numbers[0], Decimal):  # integers in the order of the numbers
        ranks = {number: rank for rank, number in enumerate(sorted({*numbers}))}
        return texts.replace_strict(distinct, [ranks[number] for number in numbers])
    valid = ~texts.str.to_lowercase().is_in([*_MISSING])
    check(valid, "groups", f"{what} must not be missing")
    check(~texts.str.contains(_NOT_UTF8), "groups", f"{what} must be UTF-8 text")
    return texts


def _numbers_or_texts(fields):
    """The fields as exact numbers if all of them are decimals, else as texts."""
    if all(map(_DECIMAL.fullmatch, fields)):
        return [*map(Decimal, fields)]
    return [*map(_word, fields)]


def _label(text):
    """A label as an exact number if it is a decimal, else as text."""
    return _numbers_or_texts([text])[0]


def _word(text):
    """A text; booleans are in lower case."""
    return text.lower() if text.lower() in ("false", "true") else text
