"""Files that the program reads: every form, what is wrong with them, and where."""

from __future__ import annotations

import datetime
import gzip
import io
import os

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_achievable_pr._cli import reading
from sklearn_achievable_pr._cli.reading import LABEL, SCORE, WEIGHT, Columns, FileError

SCORES = [0.1, 0.9, 1 / 3, 1e-5, -2.5, 7.0]
LABELS = [0, 1, 1, 0, 1, 0]
POSITIVE = [label == 1 for label in LABELS]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(data, columns=Columns(), name="f"):  # noqa: B008
    """All rows of a file of this text or these bytes."""
    if data is not None:
        with open(name, "wb") as stream:
            stream.write(data.encode() if isinstance(data, str) else data)
    with reading.opened(name, None) as file:
        batches = [*file.batches(columns)]
    return {key: np.concatenate([b[key] for b in batches]).tolist() for key in batches[0]}


def error(data, columns=Columns(), name="f"):  # noqa: B008
    """The message with which a file is an error, without its name."""
    with pytest.raises(FileError) as caught:
        read(data, columns, name)
    message = str(caught.value)
    assert message.startswith(name)
    assert len(message) < 600
    assert message.isprintable()
    return message.removeprefix(name).lstrip(",: ")


# Lists

LIST = "".join(f"{s!r} {y}\n" for s, y in zip(SCORES, LABELS, strict=True))
SEPARATORS = ["   ", "\t", ",", ", ", " \t, "]


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_lists(separator, end):
    expected = {SCORE: SCORES, LABEL: POSITIVE}
    text = LIST.replace(" ", separator).replace("\n", end)
    assert read(text) == expected
    comments = f"\ufeff# made by R{end}{end}\t# two words{end}{text}  {end} {text}#{end}"
    assert read(comments) == {SCORE: 2 * SCORES, LABEL: 2 * POSITIVE}


def test_separators_may_be_mixed():
    assert read("0.5 1\n0.25, 0\n\t.125\t\t1 \n1,0") == {
        SCORE: [0.5, 0.25, 0.125, 1.0],
        LABEL: [True, False, True, False],
    }


@given(
    st.lists(
        st.tuples(st.floats(allow_nan=False, allow_infinity=False), st.booleans()),
        min_size=1,
    ),
    st.sampled_from([" ", "\t", ",", "   "]),
)
def test_numbers_are_read_to_the_last_bit(rows, mark):
    text = "\n".join(f"{score!r}{mark}{int(positive)}" for score, positive in rows)
    for data in (text, "score,label\n" + text.replace(mark, ",")):
        found = read(data)
        assert [s.hex() for s in found[SCORE]] == [float(score).hex() for score, _ in rows]
        assert found[LABEL] == [positive for _, positive in rows]


BAD_LINES = {
    "third field": ("0.8 0 1", "needs two fields, score and label, got '0.8 0 1'"),
    "one field": ("0.8", "needs two fields, score and label, got '0.8'"),
    "decimal comma": ("0,8 1", "needs two fields"),
    "two commas": ("0.8,,1", "needs two fields"),
    "empty field": ("0.8,", "needs two fields"),
    "carriage return": (".8 0\r.7 0", "needs two fields"),
    "text": ("x 0", "the score must be a finite number, got 'x'"),
    "nan": ("nan 1", "the score must be a finite number, got 'nan'"),
    "infinity": ("-inf 1", "the score must be a finite number, got '-inf'"),
    "overflow": ("1e999 1", "the score must be a finite number, got '1e999'"),
    "underscore": ("1_0 1", "the score must be a finite number, got '1_0'"),
    "other digits": ("٣ 1", "the score must be a finite number, got '٣'"),
    "zero byte": ("0.8\x00 1", r"the score must be a finite number, got '0.8\x00'"),
    "control": (
        "\x1b[2J" + "x" * 999 + " 1",
        r"the score must be a finite number, got '\x",
    ),
    "missing label": ("0.8 NA", "the label is missing"),
    "odd label": ("0.8 x", "the label 'x' after 1: which of two labels is positive is cl"),
    "third label": ("0.8 0\n.7 -1", "the label -1 after 1 and 0: which of two labels"),
}


@pytest.mark.parametrize("before", [0, 100_000])
@pytest.mark.parametrize(("line", "message"), BAD_LINES.values(), ids=BAD_LINES)
def test_bad_lines_of_lists(line, message, before):
    number = 2 + before + line.count("\n")
    found = error("0.9 1\n" + "0.9 1\n" * before + line)
    assert found.startswith(f"line {number}: {message}")


# CSV


@pytest.mark.parametrize("separator", [",", "\t", ";", " "])
@pytest.mark.parametrize("quote", ["", '"'])
def test_csv(separator, quote):
    rows = [f"{i}|x|{y}|{s!r}" for i, (s, y) in enumerate(zip(SCORES, LABELS, strict=True))]
    rows = ["id|größe|label|score", *rows]
    text = "\ufeff\n" + "".join(f"{quote}{row}{quote}\r\n" for row in rows)
    found = read(text.replace("|", f"{quote}{separator}{quote}"))
    assert found == {SCORE: SCORES, LABEL: POSITIVE}


NAMES = [
    ("score", "label"),
    ("y_score", "y_true"),
    ("y_score", "label"),
    ("score", "y_true"),
]


@pytest.mark.parametrize(("score", "label"), NAMES)
def test_columns_are_found_by_their_usual_names(score, label):
    text = f"id,{label},{score}\n7,1,0.5\n7,0,0.25\n"
    assert read(text) == {LABEL: [True, False], SCORE: [0.5, 0.25]}
    both = "y_score,score,y_true,label\n5,0.25,1,0\n6,0.5,0,1\n"
    assert read(both) == {LABEL: [False, True], SCORE: [0.25, 0.5]}


def test_several_columns_of_scores_weights_and_texts():
    text = 'b,label,w,a,"g"\n' + "".join(
        f"{-i},{i % 2},{i},{i}.5, t {i}\n" for i in range(4)
    )
    columns = Columns(("a", "b"), weight="w", texts=("g",))
    assert read(text, columns) == {
        ("score", "a"): [1.5, 2.5, 3.5],
        ("score", "b"): [-1, -2, -3],
        LABEL: [True, False, True],
        WEIGHT: [1, 2, 3],
        ("column", "g"): ["t 1", "t 2", "t 3"],
    }
    bad = error(text + "x,1,1,1,g\n", columns)
    assert bad == "row 5: the score 'b' must be a finite number, got 'x'."


def test_all_columns_of_numbers_are_scores():
    """But label, weight, texts, and what has other types."""
    frame = pl.DataFrame(
        {
            "a": [1, 2],
            "label": [0, 1],
            "note": ["x", "y"],
            "w": [1, 3],
            "b": [0.5, 0.25],
            "flag": [True, False],
            "day": [datetime.date(2026, 1, 1)] * 2,
        }
    )
    columns = Columns(weight="w", texts=("note",), all_scores=True)
    data = io.BytesIO()
    frame.write_parquet(data)
    for file in (data.getvalue(), frame.write_csv(), frame.write_csv(separator=";")):
        found = read(file, columns)
        assert [name for role, name in found if role == "score"] == ["a", "b"]
        assert found["score", "b"] == [0.5, 0.25]
    assert error("label,t\n1,x\n", columns._replace(weight=None, texts=())) == (
        "line 1: has no column of numbers for --all-scores."
    )


def test_line_ends_within_quotes():
    notes = ["two\nlines", "", 'a ""quote""', "x\n\ny"] * 50
    rows = [f'"{note}",{i},{i % 2}\n' for i, note in enumerate(notes)]
    text = "note,score,label\n" + "".join(rows)
    assert read(text)[SCORE] == [*range(200)]
    assert error(text + "x,y,1\n") == "row 201: the score must be a finite number, got 'y'."


def test_blank_lines_are_passed_over():
    text = "note,score,label\n\n \nx,0.5,1\n\nx,0.25,0\n\n  \n\n"
    assert read(text) == {LABEL: [True, False], SCORE: [0.5, 0.25]}
    assert error(text + "x,,\n") == "line 10: is no CSV: the label is missing."


BAD_CSV = {
    "short": ("0.9,1,1,x\n0.8,0\n", "line 3: the weight is missing."),
    "long": (
        "0.9,1,1,x\n0.8,0,1,x,y\n",
        "line 3: needs 4 fields as the header has, got ",
    ),
    "first row": ("0.9,1,1,x,y\n", "line 2: needs 4 fields as the header has, got "),
    "score": ("0.9,1,1,x\n'0.8',0,1,x\n", "line 3: the score must be a finite number, got"),
    "no score": ("0.9,1,1,x\n,0,1,x\n", "line 3: the score is missing."),
    "boolean": ("true,1,1,x\n", "line 2: the score must be a finite number, got 'true'."),
    "date": ("2026-01-01,1,1,x\n", "line 2: the score must be a finite number, got '2026"),
    "negative": (
        "0.9,1,-2,x\n",
        "line 2: the weight must be a finite number, not negative, got '-2'.",
    ),
    "no group": ("0.9,1,2,\n", "line 2: the column 'g' is empty."),
    "NUL": (
        "0.9,1,2,x\n.8\0,1,2,x\n",
        r"line 3: the score must be a finite number, got '.",
    ),
    "not closed": ('0.9,1,1,x\n0.8,0,1,"x\n', "line 3: is no CSV: unexpected end of data."),
    "after a quote": ('0.9,1,1,"x"y\n', "line 2: is no CSV: ',' expected after '\"'."),
    "not UTF-8": (b"0.9,1,2,x\n.8,1,2,\xe9\n", "line 3: is not UTF-8 text (byte 0xe9)."),
    "zero weight": ("0.9,1,0,x\n", "every weight is 0, so no row is left."),
}


@pytest.mark.parametrize(("text", "message"), BAD_CSV.values(), ids=BAD_CSV)
def test_bad_rows_of_csv(text, message):
    text = b"score,label,w,g\n" + (text if isinstance(text, bytes) else text.encode())
    assert error(text, Columns(weight="w", texts=("g",))).startswith(message)


@pytest.mark.parametrize(
    "text",
    [
        'score,label,n\n0.9,1,5" pipe\n0.8,0,6" pipe\n0.1,1,x\n',
        'n,score,label\n"abc,0.9,1\n"def,0.8,0\n',
        'n,score,label,m\n"abc,0.9,1,x\n"def,0.8,0,x\n',
        'n,score,label\n5" pipe,0.9,1\n6" pipe,0.8,0\n',
    ],
)
def test_stray_quotes_do_not_hide_rows(text):
    """Polars would read two lines as one."""
    error(text)


HEADERS = {
    "other": (
        "a,b\n1,1\n",
        "has no column 'label' or 'y_true'. The columns are 'a', 'b': ",
    ),
    "wide": ("c,label\n" + 10**5 * "x,", "has no column 'score' or 'y_score'. The colum"),
    "twice": ("score,label,score\n1,1,1\n", "has two columns 'score'. Rename one."),
}


@pytest.mark.parametrize(("text", "message"), HEADERS.values(), ids=HEADERS)
def test_headers(text, message):
    assert error(text).startswith(f"line 1: {message}")


def test_many_columns():
    header = ",".join(["label", *(f"c{i}" for i in range(20_000)), "score"])
    row = ",".join(["1", *["x"] * 20_000, "0.5"])
    assert read(f"{header}\n{row}\n")[SCORE] == [0.5]
    assert len(error(f"{header}\n{row}\n", Columns(label="no"))) < 500


# Labels

SPELLINGS = [
    ("1", "-1", None),
    ("1.0", "0.0", None),
    ("+1", "-0", None),
    ("true", "FALSE", None),
    ("true", "false", "TRUE"),
    ("2", "1", "2.0"),
    ("-1", "1", "-1"),
    ("yes", "no", "yes"),
    ("inf", "0", "inf"),
    ("é", "É", "é"),
    ("#1", "0", "#1"),
]


@pytest.mark.parametrize(("positive", "negative", "pos_label"), SPELLINGS)
def test_labels(positive, negative, pos_label):
    lines = [f"0.5 {positive if y else negative}" for y in LABELS]
    columns = Columns(pos_label=pos_label)
    assert read("\n".join(lines), columns)[LABEL] == POSITIVE
    assert read("score label\n" + "\n".join(lines), columns)[LABEL] == POSITIVE


def test_spellings_of_one_label_may_be_mixed():
    assert read("1 1\n1 1.0\n1 0\n1 -0.0\n1 +1")[LABEL] == [True, True, False, False, True]


def test_labels_that_are_not_the_one_named():
    columns = Columns(pos_label="a")
    assert error("1 a\n2 b\n3 c\n", columns) == (
        "line 3: a third label, 'c', after 'a' and 'b': there may be two."
    )
    assert error("1 0\n2 1\n", columns) == (
        "has no label 'a', as --pos-label says. Its labels are 0 and 1."
    )
    assert read("1 b\n", columns)[LABEL] == [False]


# Compressed files, pipes and folders


def test_gzip_and_what_is_no_file(monkeypatch):
    parts = gzip.compress(LIST.encode()) + gzip.compress(LIST.encode())
    assert read(parts)[SCORE] == 2 * SCORES
    assert read(gzip.compress(parquet(score=SCORES, label=LABELS)))[SCORE] == SCORES
    os.mkfifo("pipe")
    if os.fork() == 0:  # pragma: no cover
        with open("pipe", "w") as stream:
            stream.write(LIST)
        os._exit(0)
    assert read(None, name="pipe")[SCORE] == SCORES
    assert error(None, name="/dev/zero") == (
        "cannot be read: it is neither a file nor a folder nor a pipe."
    )


def test_one_long_line_takes_no_memory(monkeypatch):
    monkeypatch.setattr(reading, "_LONGEST_LINE", 2**16)
    monkeypatch.setattr(reading, "_BLOCK", 2**15)
    for text in (b"1" * 2**17, b"0.9 1\n" + b"1" * 2**17, LIST.encode() + b"1" * 2**17):
        assert error(gzip.compress(text)) == "has a line that is longer than 64 MiB."
    assert error(b"1" * 2**17) == "line 1: is longer than 64 MiB."
    assert len(read(gzip.compress(LIST.encode() * 5000))[SCORE]) == 30_000


NOT_READABLE = {
    "empty": (b"", "holds no scores. "),
    "empty gzip": (gzip.compress(b""), "holds no scores. "),
    "blank": (b"\n \n\t\n", "holds no scores. "),
    "comments only": (b"# nothing\n", "holds no scores. "),
    "header only": (b"score,label\n", "holds no scores. Needs lines of score and label"),
    "UTF-16": ("0.9 1\n".encode("utf-16"), "line 1: is not UTF-8 text (byte 0xff)."),
    "no gzip": (b"\x1f\x8bx", "cannot be read: "),
    "half of a gzip": (gzip.compress(b"0.9 1\n")[:-9], "cannot be read: Compressed file e"),
    "damaged gzip": (gzip.compress(b"0.9 1\n")[:10] + b"\xff" * 20, "cannot be read: "),
    "no Parquet": (b"PAR1\n0.9 1\n", "cannot be read as Parquet: "),
    "open quote": (b'"a\n' + b"1" * 200_000, "line 1: has no column 'label' or 'y_true'."),
}


@pytest.mark.parametrize(("data", "message"), NOT_READABLE.values(), ids=NOT_READABLE)
def test_files_that_are_no_score_files(data, message):
    assert error(data).startswith(message)


def test_folders(folder):
    (folder / "parts").mkdir()
    (folder / "parts" / "_marks").write_text("no scores")
    (folder / "parts" / "2.csv").write_text("label,score,more\n0,3,x\n")
    (folder / "parts" / "1.csv.gz").write_bytes(gzip.compress(b"score,label\n2,1\n"))
    (folder / "parts" / "0.parquet").write_bytes(parquet(score=[1.0], label=[0.0]))
    (folder / "parts" / "3.parquet").write_bytes(parquet(score=[], label=[]))
    assert read(None, name="parts")[SCORE] == [1, 2, 3]
    (folder / "parts" / "4.csv").write_text("score,label\n0.5,2\n")
    assert error(None, name="parts").startswith("/4.csv, line 2: the label 2 after 0 and 1")
    (folder / "parts" / "label=1").mkdir()
    assert error(None, name="parts") == "has a folder in it, label=1. Name files."
    (folder / "empty").mkdir()
    (folder / "empty" / ".hidden").write_text(LIST)
    assert error(None, name="empty").startswith("is a folder without files.")


def test_links_that_loop(folder):
    (folder / "parts").mkdir()
    (folder / "parts" / "loop").symlink_to("loop")
    message = "cannot be read: Too many levels of symbolic links."
    assert error(None, name="parts") == message
    assert error(None, name="parts/loop") == message


def test_a_file_that_changes_while_it_is_read(folder):
    (folder / "f").write_text(LIST)
    with reading.opened("f", None) as file:
        batches = file.batches(Columns())
        next(batches)
        (folder / "f").write_text(LIST + LIST)
        with pytest.raises(FileError, match="f: was changed while it was read"):
            next(batches)


# Parquet


def parquet(**columns):
    data = io.BytesIO()
    pl.DataFrame(columns).write_parquet(data)
    return data.getvalue()


LABEL_TYPES = {
    "int": (pl.Series(LABELS), None),
    "float": (pl.Series(LABELS, dtype=pl.Float32), None),
    "bool": (pl.Series(LABELS).cast(pl.Boolean), None),
    "signs": (pl.Series(LABELS, dtype=pl.Int8) * 2 - 1, None),
    "text": (pl.Series(["yes" if y else "no" for y in LABELS]), "yes"),
    "category": (
        pl.Series(["yes" if y else "no" for y in LABELS], dtype=pl.Categorical),
        "yes",
    ),
    "decimal": (pl.Series(LABELS).cast(pl.Decimal(4, 1)), None),
    "other number": (pl.Series(LABELS) + 1, "2.0"),
}


@pytest.mark.parametrize(("label", "pos_label"), LABEL_TYPES.values(), ids=LABEL_TYPES)
def test_parquet(label, pos_label):
    data = parquet(id=["x"] * 6, label=label, score=SCORES)
    assert read(data, Columns(pos_label=pos_label)) == {SCORE: SCORES, LABEL: POSITIVE}


@pytest.mark.parametrize("dtype", [pl.Float32, pl.Int16, pl.UInt64, pl.Decimal(6, 2)])
def test_numbers_of_parquet_become_floats(dtype):
    numbers = pl.Series([3, 0, 2]).cast(dtype)
    data = parquet(y_true=[1, 0, 1], y_score=numbers, w=numbers, g=[1.5, 2, 3])
    found = read(data, Columns(weight="w", texts=("g",)))
    assert (found[SCORE], found[WEIGHT]) == ([3.0, 2.0], [3.0, 2.0])
    assert found["column", "g"] == ["1.5", "3.0"]


DAY = datetime.datetime(2026, 1, 1)
BAD_PARQUET = {
    "null": ({"score": [1.0, None]}, "row 2: the score is missing."),
    "all null": ({"score": [None, None]}, "row 1: the score is missing."),
    "nan": (
        {"score": [1.0, np.nan]},
        "row 2: the score must be a finite number, got 'nan'",
    ),
    "no label": ({"label": [1, None]}, "row 2: the label is missing"),
    "NaN label": ({"label": [1.0, np.nan]}, "row 2: the label is missing"),
    "odd label": ({"label": [1, 3]}, "row 2: the label 3 after 1: which of two labels"),
    "lacks": (
        {"label": None},
        "has no column 'label' or 'y_true'. The columns are 'score'",
    ),
    "empty": ({"label": [], "score": [], "w": []}, "holds no scores. Needs lines of score"),
    "no group": ({"g": ["x", ""]}, "row 2: the column 'g' is empty."),
    "text": (
        {"score": ["1", "2"]},
        "the column 'score' must hold numbers, got the type 'S",
    ),
    "boolean": (
        {"score": [True, False]},
        "the column 'score' must hold numbers, got the t",
    ),
    "date": (
        {"score": [DAY.date()] * 2},
        "the column 'score' must hold numbers, got the t",
    ),
    "time": (
        {"score": [DAY.time()] * 2},
        "the column 'score' must hold numbers, got the t",
    ),
    "duration": ({"w": [DAY - DAY] * 2}, "the column 'w' must hold numbers, got the type "),
    "list": (
        {"score": [[1.0], [2.0]]},
        "the column 'score' must hold numbers, got the typ",
    ),
    "struct": (
        {"score": [{"x": 1}] * 2},
        "the column 'score' must hold numbers, got the t",
    ),
    "label struct": (
        {"label": [{"x": 1}] * 2},
        "the column 'label' must hold numbers, boo",
    ),
    "label date": ({"label": [DAY] * 2}, "the column 'label' must hold numbers, booleans"),
    "group list": ({"g": [[1], [2]]}, "the column 'g' must hold numbers, booleans or text"),
}


@pytest.mark.parametrize(("columns", "message"), BAD_PARQUET.values(), ids=BAD_PARQUET)
def test_bad_parquet(columns, message):
    columns = {"label": [1, 0], "score": [0.5, 0.25], "w": [1, 2], **columns}
    columns = {name: column for name, column in columns.items() if column is not None}
    asked = Columns(weight="w", texts=("g",) if "g" in columns else ())
    assert error(parquet(**columns), asked).startswith(message)
