"""Reading of score files with Polars: frames of checked rows with known column names.

All fields of a text file are read as text and cast to numbers afterwards, so that an error
message can show the text of a field. Bytes that are not UTF-8 become U+FFFD, which is an
error only in columns that are used.
"""

import codecs
import contextlib
import csv
import gzip
import os
import re
import shutil
import tempfile
import warnings
import zlib
from argparse import Namespace
from functools import partial
from itertools import chain

import numpy as np
import polars as pl

from . import FileError, Note

_BLOCK, _LONGEST_LINE, _LONGEST_SHOWN = 1 << 21, 1 << 24, 60
_NUMBER, _NOT_UTF8, _BLANKS = "row number", "\ufffd", " \t"
_MISSING = {"", "na", "n/a", "nan", "null", "none"}
_CLEAR_LABELS: tuple[set, ...] = ({0.0, 1.0}, {-1.0, 1.0}, {"false", "true"})
_NAMING = ("label", "weight", "fold", "groups", "score", "all_scores")
_ROUNDED = "the score must be less than 2**53 in size if it is an integer; pass its rank"
# Columns of frames are named by their role and the name of the score or rate. For each role
# that holds numbers: what the numbers must be, and their limits.
_RULES = {
    "score": ("a finite number", -np.inf, np.inf),
    "weight": ("a finite number, not negative", 0, np.inf),
    "rate": ("a number within [0, 1]", 0, 1),
}
_LISTS = {"pr": ("rate recall", "rate precision"), "roc": ("rate fpr", "rate tpr")}


@contextlib.contextmanager
def file_errors(name: str):
    """Convert errors of the system, gzip, Polars and this package to a `FileError`."""
    of_polars = pl.exceptions.PolarsError, pl.exceptions.PanicException
    try:
        yield
    except (OSError, EOFError, ValueError, zlib.error, csv.Error, *of_polars) as error:
        why = getattr(error, "strerror", None) or str(error).partition("\n")[0].rstrip(".")
        why = f"{printable(name)}: {printable(why.replace('`', ''))[:300]}."
        raise FileError(why) from error


def printable(text: str) -> str:
    """The text, with control characters escaped."""
    return text if text.isprintable() else ascii(text)


# Files


def batches_of(path: str, folder: str, options: Namespace):
    """Frames of the checked rows of a file or folder; raises if there are no rows."""
    labels: dict[str | None, float | str] = {}
    n_rows, parts, options = 0, [path], Namespace(**vars(options))
    if os.path.isdir(path):  # without hidden and marker files
        names = [name for name in sorted(os.listdir(path)) if name[0] not in "._"]
        parts = [os.path.join(path, name) for name in names]
    for part in parts:
        file = 0 if part == "-" else part
        with file_errors(part), open(file, "rb", closefd=file != 0) as stream:
            for frame in _frames_of(stream, part, folder, options):
                rows = _checked(frame, labels, options.pos_label)
                n_rows += len(rows)
                yield rows
    if not n_rows:
        needs = "lines of score and label, or CSV, with a positive weight"
        raise ValueError(f"holds no scores. Needs {needs}")


# The next functions yield frames with the number of each row and unchecked columns.


def _frames_of(stream, path, folder, options):
    """Frames of a Parquet, list or CSV file, told apart by first bytes and first line."""
    if is_packed := stream.peek(2).startswith(b"\x1f\x8b"):
        stream = gzip.GzipFile(fileobj=stream)
    if stream.peek(4).startswith(b"PAR1"):
        if is_packed or path == "-" or not os.path.isfile(path):
            with tempfile.NamedTemporaryFile(dir=folder, delete=False) as copy:
                shutil.copyfileobj(stream, copy, _BLOCK)
            path = copy.name
        return _parquet_frames(path, options)
    blocks = _blocks(stream)
    block = next(blocks, b"#\n").removeprefix(codecs.BOM_UTF8)
    start = block.rfind(b"\n", 0, len(block) - len(block.lstrip())) + 1
    line, _, rest = block[start:].partition(b"\n")
    if block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in line[:2]:
        raise ValueError("is UTF-16 text. Save it as UTF-8")
    header = line.decode(errors="replace").rstrip()
    word = (header.replace(",", " ").split() or [""])[0]
    is_list = word.startswith("#") or isinstance(_canonical(word), float)
    if options.points or (is_list and not any(getattr(options, name) for name in _NAMING)):
        keys = _LISTS.get(options.points, ("score", "label"))
        return _list_frames(chain([block], blocks), keys)
    return _csv_frames(header, rest, blocks, options)


def _blocks(stream):
    """Blocks of whole lines of a text file, without blank lines at its end."""
    text = b""
    while new := stream.read(_BLOCK):
        text += new
        if len(new) < _BLOCK:  # the end of the file
            break
        if end := text.rfind(b"\n", 0, len(text.rstrip())) + 1:
            yield text[:end]
            text = text[end:]
        elif len(text) > _LONGEST_LINE:
            raise ValueError(f"has more than {_LONGEST_LINE} bytes without a line of text")
    if text := text.rstrip():
        yield text + b"\n"


def _list_frames(blocks, keys):
    """Frames of a list: two fields per line, separated by spaces, tabs or a comma."""
    n_rows = 0
    for block in blocks:
        text = pl.Series([block.decode(errors="replace").removesuffix("\n")])
        lines = text.str.split("\n").explode().str.strip_chars(_BLANKS + "\r")
        fields = lines.str.replace_all("[ \t]*[ \t,][ \t]*", " ").str.split(" ")
        columns = {_NUMBER: np.arange(n_rows + 1, n_rows + 1 + len(lines))}
        for place, key in enumerate((*keys, "field")):
            columns[key] = fields.list.get(place, null_on_oob=True)
        n_rows += len(lines)
        frame = pl.DataFrame(columns).filter((lines != "") & ~lines.str.starts_with("#"))
        _check(frame, frame["field"].is_null(), "field", "has a field too many")
        yield frame.drop("field")


def _csv_frames(header, block, blocks, options):
    """Frames of a CSV file with this line of names; `block` are the lines after it."""
    unquoted = re.sub('"[^"]*"', "", header)
    separator = next((mark for mark in ",\t;" if mark in unquoted), " ")
    if re.search("[\0-\x08\r]", header):
        raise ValueError("is no text, or its lines end in CR. Save it with LF lines")
    names = [field.strip() for field in next(csv.reader([header], delimiter=separator))]
    how = {"has_header": False, "separator": separator, "encoding": "utf8-lossy"}
    how |= {"missing_columns": "insert", "extra_columns": "raise"}
    scan = partial(pl.scan_csv, **how)
    columns = _columns(options, names, scan(block, infer_schema_length=1000))
    n_rows, schema = 0, dict.fromkeys(map(str, range(len(names))), pl.String)
    for lines in filter(None, chain([block], blocks)):
        n_lines = np.count_nonzero(np.frombuffer(lines, np.uint8) == ord("\n"))
        try:  # Polars counts the fields of a row only if it reads all columns
            frame = scan(lines, schema=schema).collect()
        except (pl.exceptions.ComputeError, pl.exceptions.SchemaError):
            _check_lines(lines, n_rows, len(names), separator)
            raise
        if len(frame) != n_lines:
            _check_lines(lines, n_rows, len(names), separator)
        yield frame.select(**columns).with_row_index(_NUMBER, n_rows + 1)
        n_rows += n_lines


def _check_lines(block, n_rows, n_fields, separator):
    """Raise `ValueError` with the first line after `n_rows` that Polars cannot read."""
    quoted = re.compile(f'(^|{separator})"([^"]|"")*"(?={separator}|$)')
    lines = block.decode(errors="replace").replace("\r", "").split("\n")
    for row, line in enumerate(lines, n_rows + 1):
        fields = next(csv.reader([line], delimiter=separator), [])
        if '"' in quoted.sub("", line):
            rule = "quotes must enclose a whole field in one line, and be doubled within it"
            raise ValueError(f"row {row}: {rule}, got {line[:_LONGEST_SHOWN]!r}") from None
        if len(fields) > n_fields:
            got = f"got {fields[n_fields][:_LONGEST_SHOWN]!r}"
            raise ValueError(f"row {row}: has a field too many, {got}") from None


def _parquet_frames(path, options):
    """Frames of a Parquet file."""
    rows = pl.scan_parquet(path, glob=False)
    columns = _columns(options, rows.collect_schema().names(), rows)
    return rows.select(**columns).with_row_index(_NUMBER, 1).collect_batches()


def _columns(options, header, rows):
    """The column of each role, found by its name in the header of the lazy frame `rows`."""
    wanted = {"label": [options.label] if options.label else ["label", "y_true"]}
    for role in ("weight", "fold", "groups"):
        if name := getattr(options, role):
            wanted[role] = [name]
    if options.all_scores:  # the other parts of a folder need the columns of the first
        others = {name for names in wanted.values() for name in names}
        _take_scores(options, zip(header, rows.head(1000).collect(), strict=False), others)
    named = {f"score {name}": [name] for name in options.score or []}
    wanted |= named or {"score": ["score", "y_score"]}
    columns = {}
    for key, names in wanted.items():
        name = next((name for name in names if name in header), None)
        if header.count(name) != 1:
            has = f"{'two columns' if name else 'no column'} {' or '.join(names)}"
            has += f". Name others by options: {', '.join(header)[:200]}"
            raise ValueError(f"has {has}")
        columns[key] = pl.nth(header.index(name))
    return columns


def _take_scores(options, columns, others):
    """Set the scores to the columns of numbers; say which they are, and which are not.

    Integers that are all different are taken for row numbers or the like.
    """
    options.score, options.all_scores, left = [], False, []
    for name, column in columns:
        if column.dtype.is_numeric() and name not in others:
            is_identifier = column.dtype.is_integer() and column.n_unique() == len(column)
            (left if is_identifier else options.score).append(name)
    text = f"--all-scores takes {', '.join(options.score)[:200] or 'no column'}"
    if left:
        which = "integers, all different: identifiers unless named by --score"
        text += f" and not {', '.join(left)[:200]} ({which})"
    warnings.warn(text, Note, stacklevel=1)


# Rows


def _checked(frame, labels, pos_label):
    """The rows of a frame, checked, without rows of weight 0."""
    check, rows = partial(_check, frame), {}
    for key in frame.columns[1:]:
        role, values = key.partition(" ")[0], frame[key]
        if not values.dtype.is_numeric():  # a date is no number
            values = values.cast(pl.String).str.strip_chars(_BLANKS)
        if role == "label":
            rows[key] = _positives(values.cast(pl.String), labels, pos_label, check)
        elif role in _RULES:
            rule, low, high = _RULES[role]
            rows[key] = values = values.cast(pl.Float64, strict=False).to_numpy()
            valid = np.isfinite(values) & (values >= low) & (values <= high)
            check(valid, key, f"the {key} must be {rule}")
            large = np.abs(values) >= 2**53
            if role == "score" and large.any():
                texts = frame[key].cast(pl.String)
                is_integer = texts.str.contains(r"^\s*[+-]?\d+\s*$").to_numpy()
                check(~(large & is_integer), key, _ROUNDED)
        else:
            rows[key] = values = values.cast(pl.String).fill_null("")
            valid = (values != "") & ~values.str.contains(_NOT_UTF8)
            check(valid, key, f"the {key} must be a text")
    checked = pl.DataFrame(rows)
    return checked.filter(pl.col("weight") > 0) if "weight" in rows else checked


def _check(frame, valid, key, rule):
    """Raise `ValueError` with the first row that is not valid, if there is one."""
    if not valid.all():
        place = int(np.argmin(valid))
        got = (frame[key].cast(pl.String)[place] or "")[:_LONGEST_SHOWN]
        raise ValueError(f"row {frame[_NUMBER][place]}: {rule}, got {got!r}")


def _positives(texts, labels, pos_label, check):
    """Whether each row has the positive label; `labels` maps known texts to labels."""
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
    """Label of a text: a float for numbers such as 1 and +1; lower case for booleans."""
    with contextlib.suppress(ValueError):
        return float(text)
    return text.lower() if text.lower() in ("false", "true") else text
