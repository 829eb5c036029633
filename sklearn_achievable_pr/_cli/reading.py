"""Files of scores to arrays: Polars scans text and Parquet, this module names the columns.

Text is scanned as text and cast to numbers afterwards, so that errors show what a field
holds. Bytes that are not UTF-8 become U+FFFD, and an error only where they are read.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import itertools
import os
import stat
import sys
import tempfile
import time
import zlib
from argparse import Namespace
from typing import Any, NamedTuple

import numpy as np

try:
    import polars as pl
except ImportError:  # an error where a file is read
    pl = None  # type: ignore[assignment]

_GZIP, _PARQUET, _NOT_UTF8 = b"\x1f\x8b", b"PAR1", "\ufffd"
_BLOCK, _LONGEST_LINE, _LONGEST_SHOWN = 1 << 20, 1 << 26, 60
_STARTED, _SECONDS_UNTIL_PROGRESS = time.monotonic(), 3
_MISSING = {"", "na", "n/a", "nan", "null", "none"}
_CLEAR_LABELS: tuple[set, ...] = ({0.0, 1.0}, {-1.0, 1.0}, {"false", "true"})
_RATES = {"pr": ("recall", "precision"), "roc": ("fpr", "tpr")}
_RULES = {
    "score": ("a finite number", -np.inf, np.inf),
    "weight": ("a finite number, not negative", 0, np.inf),
    "rate": ("a number within [0, 1]", 0, 1),
}
# Rows are a dict of arrays by role and column: ("label", "") of bool, ("score", name),
# ("rate", name) and ("weight", "") of finite float64, ("column", name) of str.
LABEL, WEIGHT, SCORE = ("label", ""), ("weight", ""), ("score", "")


class FileError(Exception):
    """A file that cannot be used; the message names the file, the row and the reason."""


def not_installed(what: str, extra: str) -> FileError:
    """The error where a package of an extra is missing."""
    install = f"Install it, e.g. pip install 'sklearn-achievable-pr[{extra}]'."
    return FileError(f"{what}. {install}")


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


def progress(text: str = "") -> None:
    """Show a line on a terminal once the work has taken a few seconds, or remove it."""
    is_late = time.monotonic() > _STARTED + _SECONDS_UNTIL_PROGRESS
    if is_late and sys.stderr is not None and sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


# Files


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


def writing_temporary_files(folder: str | None):
    """Make what the system raises an error that names the folder."""
    place = f"temporary files in {folder or 'the system folder'}, see --temp-folder"
    return reraise_as_file_error(place, "written")


@contextlib.contextmanager
def temporary_folder(parent: str | None):
    """A folder for temporary files, removed at the end."""
    with writing_temporary_files(parent):
        folder = tempfile.TemporaryDirectory(prefix="achievable_pr_", dir=parent)
    with folder as name:
        yield name


def _local(source, folder):
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
        with writing_temporary_files(folder):
            number, path = tempfile.mkstemp(dir=folder)
            copy = stack.enter_context(os.fdopen(number, "wb", buffering=0))
        while block := unpacked.read(_BLOCK):
            with writing_temporary_files(folder):
                copy.write(block)
            progress(f"{printable(source)}: {copy.tell() >> 20} MiB copied")
        return path


def batches_of(path: str, folder: str, options: Namespace):
    """The rows of a file or folder, some at a time; together they are not empty."""
    if pl is None:
        raise not_installed("files are read by Polars", "cli")
    errors = pl.exceptions.PolarsError, pl.exceptions.PanicException
    labels: dict[str | None, float | str] = {}
    shown, n_rows = printable(path), 0
    for source in files_of(path):
        name, part = printable(source), _local(source, folder)
        with reraise_as_file_error(source, errors=errors):
            before = os.stat(part)
            form = _form_of(name, part, options)
            if options.all_scores:  # the other parts need the columns of the first
                scores = [column for role, column in form.places if role == "score"]
                given = vars(options) | {"score": scores, "all_scores": False}
                options = Namespace(**given)
            for rows in _rows_of_part(name, part, form, labels, options.pos_label):
                n_rows += len(rows[next(iter(rows))])
                progress(f"{shown}: {n_rows:,} rows read")
                yield rows
            after = os.stat(part)
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise FileError(f"{name}: was changed while it was read. Run this again.")
    if not n_rows:
        needs = "Needs lines of score and label, or CSV, and a weight above 0"
        raise FileError(f"{shown}: holds no scores. {needs}.")


# The form of a file, and its columns


class _Form(NamedTuple):
    """How a file is scanned, and the places of the columns that are read."""

    name: str  # "list", "CSV" or "Parquet"
    places: dict[tuple[str, str], int]
    query: Any  # lazy frame of all columns
    needs: str = ""  # what each row must have
    skip: int = 0  # lines before the first row
    separator: str = ""


def _form_of(name, path, options):
    """The form by the first bytes of a file, and by its first line or its schema."""
    with open(path, "rb") as stream:
        is_parquet = stream.read(len(_PARQUET)) == _PARQUET
    if is_parquet:
        query = pl.scan_parquet(path, glob=False)
        schema = query.collect_schema()
        places = _places(name, options, schema.names(), schema.dtypes())
        return _Form("Parquet", places, query)
    with open(path, encoding="utf-8-sig", errors="replace", newline="\n") as stream:
        lines = enumerate(iter(lambda: stream.readline(_LONGEST_LINE), ""), 1)
        skip, first = next(
            ((n, line.strip()) for n, line in lines if line.strip()), (1, "#")
        )
        if len(first) > _LONGEST_LINE - 2:
            raise FileError(f"{name}: has a line that is longer than 64 MiB.")
    named = options.label, options.weight, options.fold, options.groups, options.all_scores
    start = "".join(first.replace(",", " ").split()[:1])
    is_list = first[0] == "#" or _number(start) is not None
    if options.points or (is_list and not any(named) and not options.score):
        keys = [("rate", rate) for rate in _RATES.get(options.points, ())] or [SCORE, LABEL]
        called = " and ".join(" ".join(key).strip() for key in keys)
        places = {key: place for place, key in enumerate(keys)}
        # A character that no text has: each line is one field.
        query = _scan_text(path, 0, "\x01", schema={"line": pl.String})
        return _Form("list", places, query, f"two fields, {called}")
    csv.field_size_limit(_LONGEST_LINE)
    separator = next((mark for mark in ",\t;" if mark in first), " ")
    header = [field.strip() for field in next(csv.reader([first], delimiter=separator))]
    types = None
    if options.all_scores:
        types = _scan_text(path, skip, separator, infer_schema_length=1000)
        types = types.collect_schema().dtypes()
    places = _places(f"{name}, line {skip}", options, header, types)
    # Polars ignores superfluous fields unless all columns are selected: one more column
    # shows them.
    schema = {str(place): pl.String for place in range(len(header) + 1)}
    more = {"missing_columns": "insert", "extra_columns": "ignore"}
    query = _scan_text(path, skip, separator, schema=schema, **more)
    needs = f"{len(header)} fields as the header has, and no more"
    return _Form("CSV", places, query, needs, skip, separator)


def _scan_text(path, skip, separator, **how):
    quote = None if separator == "\x01" else '"'
    how |= {"has_header": False, "glob": False, "encoding": "utf8-lossy"}
    return pl.scan_csv(path, skip_lines=skip, separator=separator, quote_char=quote, **how)


def _places(where, options, header, types):
    """The place of each column that is read; types are None for those of text."""
    wanted = {LABEL: (options.label,) if options.label else ("label", "y_true")}
    wanted |= {WEIGHT: (options.weight,)} if options.weight else {}
    wanted |= {("column", name): (name,) for name in (options.fold, options.groups) if name}
    scores = options.score
    if options.all_scores:
        others = {name for names in wanted.values() for name in names}
        typed = zip(header, types, strict=False)
        scores = [name for name, t in typed if t.is_numeric() and name not in others]
        if not scores:
            raise FileError(f"{where}: has no column of numbers for --all-scores.")
    wanted |= {("score", name): (name,) for name in scores} or {SCORE: ("score", "y_score")}
    places = {}
    for key, names in wanted.items():
        name = next((name for name in names if name in header), None)
        if header.count(name) != 1:
            has = "no column" if name is None else "two columns"
            shown = ", ".join(map(_shown, header[:20])) + ", ..." * (len(header) > 20)
            raise FileError(
                f"{where}: has {has} {' or '.join(map(_shown, names))}. The columns are "
                f"{shown}: name those to read by the options."
            )
        place = places[key] = header.index(name)
        # Dates and booleans are no scores, lists are no labels.
        texts = pl.String, pl.Categorical, pl.Enum, pl.Boolean
        fits = (pl.Null, *texts) if key[0] in ("label", "column") else (pl.Null,)
        if types and not types[place].is_numeric() and types[place] not in fits:
            what = f"the column {_shown(name)} has the type {_shown(types[place])}"
            raise FileError(f"{where}: {what}, which cannot be read.")
    return places


# Rows


def _rows_of_part(name, path, form, labels, pos_label):
    """The rows of a file, some at a time, without those of weight 0."""
    texts = {key: pl.nth(place) for key, place in form.places.items()}
    malformed = pl.nth(-1) if form.name == "CSV" else pl.lit(None, pl.String)
    if form.name == "list":
        line = pl.col("line").str.strip_chars(" \t")
        line = pl.when((line != "") & ~line.str.starts_with("#")).then(line)
        # Spaces and tabs separate two fields, or one comma among these.
        spaced = line.str.replace_many([",", "\t"], [" ", " "])
        first, rest = (spaced.str.splitn(" ", 2).struct[place] for place in (0, 1))
        rest = rest.str.strip_chars_start(" ")
        is_one = (rest != "") & ~rest.str.contains(" ", literal=True)
        is_row = is_one & (line.str.count_matches(",", literal=True) < 2)
        texts = dict(zip(form.places, (first, rest), strict=True))
        malformed = pl.when(~is_row.fill_null(False)).then(line)
    columns = {"malformed": malformed}
    for key, text in texts.items():
        columns[str(key)] = text.cast(pl.String) if key[0] in ("label", "column") else text
        text = text if form.name == "Parquet" else text.str.strip_chars(" \t")
        if key[0] in _RULES:
            columns[f"= {key}"] = text.cast(pl.Float64, strict=False)
    n_rows = n_blank = 0
    for frame in form.query.select(**columns).collect_batches():
        numbers = np.arange(n_rows + 1, n_rows + 1 + len(frame))
        n_rows += len(frame)
        if form.name != "Parquet" and frame.to_series(1).null_count():
            is_row = frame.select(pl.any_horizontal(pl.all().is_not_null())).to_series()
            n_blank += len(frame) - is_row.sum()
            frame, numbers = frame.filter(is_row), numbers[is_row.to_numpy()]

        def check(valid, rule, texts, numbers=numbers):
            if not valid.all():
                at = int(np.argmin(valid))
                where = f"{name}, {'line' if form.name == 'list' else 'row'} {numbers[at]}"
                note = ", which is not UTF-8" * (_NOT_UTF8 in str(texts[at]))
                raise FileError(f"{where}: {rule}, got {_shown(texts[at])}{note}.")

        rows = _arrays_of(frame, form, labels, pos_label, check)
        if WEIGHT in rows and rows[WEIGHT].min(initial=1.0) == 0:
            rows = {key: values[rows[WEIGHT] > 0] for key, values in rows.items()}
        yield rows
    if form.name == "CSV":
        _check_quotes(name, path, form, n_rows, n_blank)


def _arrays_of(frame, form, labels, pos_label, check):
    """The rows of a frame as arrays."""
    check(frame["malformed"].is_null(), f"needs {form.needs}", frame["malformed"])
    rows = {}
    for key in form.places:
        texts, (role, name) = frame[str(key)], key
        if role == "label":
            rows[key] = _positives(texts, labels, pos_label, check)
        elif role == "column":
            texts = texts.str.strip_chars(" \t").fill_null("")
            valid = (texts != "") & ~texts.str.contains(_NOT_UTF8)
            check(valid, f"the column {name} must be a text", texts)
            rows[key] = texts.to_numpy()
        else:
            values, (rule, low, high) = frame[f"= {key}"].to_numpy(), _RULES[role]
            valid = np.isfinite(values) & (values >= low) & (values <= high)
            check(valid, " ".join(("the", *key)).rstrip() + f" must be {rule}", texts)
            rows[key] = values
    return rows


def _positives(texts, labels, pos_label, check):
    """Whether each row has the positive label; `labels` are those known by their texts."""
    positive = {1.0, "true"} if pos_label is None else {_canonical(pos_label)}
    clear = "0 and 1, -1 and 1 or false and true unless --pos-label names the positive one"
    if pos_label is not None:
        clear = f"{_shown(pos_label)} and one other, as --pos-label says"
    for text in texts.unique(maintain_order=True):
        if text not in labels:
            rule = f"the label must be one of two, {clear}; after "
            rule += " and ".join(map(repr, labels)) or "no other"
            labels[text] = label = _canonical(text or "")
            found = {*labels.values()}
            is_clear = any(found <= two for two in _CLEAR_LABELS)
            if pos_label is not None:
                is_clear = len(found) == 1 or (len(found) == 2 and bool(positive & found))
            is_clear = is_clear and label not in _MISSING and _NOT_UTF8 not in str(label)
            check(texts.ne_missing(text) | is_clear, rule, texts)
    named = [text for text, label in labels.items() if label in positive]
    return texts.is_in(named).to_numpy()


def _canonical(text):
    """A number for what is one, so that 1, 1.0 and +1 are one label; true in any case."""
    text, number = text.strip(), _number(text)
    if number is not None and number == number:
        return number
    return text.lower() if text.lower() in {"false", "true", *_MISSING} else text


def _number(text):
    """The number that a text is, or None."""
    with contextlib.suppress(ValueError):
        return float(text)


def _check_quotes(name, path, form, n_rows, n_blank):
    """Raise an error if quotes hid rows, or if a row was taken for a blank line."""
    n_lines, last = -form.skip, b"\n"
    with open(path, "rb") as stream:
        while block := stream.read(_BLOCK):
            n_lines += np.count_nonzero(np.frombuffer(block, np.uint8) == ord("\n"))
            last = block[-1:]
    if n_lines + (last != b"\n") == n_rows and not n_blank:
        return
    n_found = 0
    with open(path, encoding="utf-8-sig", errors="replace", newline="") as stream:
        lines = itertools.islice(stream, form.skip, None)
        records = csv.reader(lines, delimiter=form.separator, strict=True)
        for row, fields in enumerate(records, 1):
            if any(map(str.strip, fields)):
                n_found += 1
                if not "".join(fields[form.places[LABEL] :][:1]).strip():
                    raise FileError(f"{name}, row {row}: the label is missing.")
    if n_found != n_rows - n_blank:
        raise FileError(f"{name}: has quotes that do not enclose whole fields.")
