"""Files that the program reads: every form, in blocks, at once and in pieces."""

from __future__ import annotations

import gzip
import io

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sklearn_achievable_pr._cli import files
from sklearn_achievable_pr._cli.files import ColumnSpec, FileError, read_scores

SCORES = [0.1, 0.9, 1 / 3, 1e-5, -2.5, 7.0]
LABELS = [0, 1, 1, 0, 1, 0]


def stream_of(data):
    data = data.encode() if isinstance(data, str) else data
    return io.BufferedReader(io.BytesIO(data))


def read(data, asked=ColumnSpec()):  # noqa: B008
    return read_scores([(stream_of(data), "f", lambda n: None)], "f", asked)


def outcome(data, asked=ColumnSpec()):  # noqa: B008
    """All that is read, as lists, or the error's text."""
    try:
        table = read(data, asked)
    except FileError as error:
        return str(error)
    assert table.positive.dtype == bool
    assert {values.dtype for values in table.scores.values()} == {np.dtype(float)}
    scores = {column: values.tolist() for column, values in table.scores.items()}
    weight = None if table.weight is None else table.weight.tolist()
    return scores, table.positive.tolist(), weight


class Ways:
    """What is read at once and, if need be, in pieces; and what in pieces alone.

    Blocks are a few lines, so that a small file has several.
    """

    def __init__(self, patch):
        patch.setattr(files, "_FIRST_BLOCK", 40)
        patch.setattr(files, "_BLOCK", 60)
        self.at_once = files._at_once
        self.taken = []
        patch.setattr(files, "_at_once", self)
        self.refuse = False

    def __call__(self, data, layout):
        if self.refuse:
            raise files.RefusedError("in pieces")
        self.taken.append(False)
        columns = self.at_once(data, layout)
        self.taken[-1] = True
        return columns

    def both(self, data, asked=ColumnSpec()):  # noqa: B008
        self.taken.clear()
        usual = outcome(data, asked)
        self.refuse = True
        in_pieces = outcome(data, asked)
        self.refuse = False
        assert usual == in_pieces
        return usual


@pytest.fixture
def ways(monkeypatch):
    return Ways(monkeypatch)


# At once or in pieces, the same

FORMS = {
    "list": ("{s!r} {y}\n", "", ColumnSpec()),
    "aligned list": ("{s:25.17f}  {y}\n", "", ColumnSpec()),
    "list with commas": ("{s!r} , {y}\r\n", "", ColumnSpec()),
    "signs": ("{s!r}\t{sign}\n", "", ColumnSpec()),
    "truth": ("{s!r} {truth}\n", "", ColumnSpec()),
    "words": ("{s!r},{word}\n", "", ColumnSpec(pos_label="yes")),
    "csv": ("{i},{y},{s!r},{w}\n", "id,label,score,w\n", ColumnSpec(weight="w")),
    "quoted csv": (
        '"a, {i}";"{word}";"{s!r}"\n',
        "id;label;score\n",
        ColumnSpec(pos_label="no"),
    ),
    "blank csv": ("{s!r} {y}\n", "score label\n", ColumnSpec()),
    "quoted blank csv": (
        '"row {i}" {s!r} "{word}"\n',
        '"" "score" "label"\n',
        ColumnSpec(pos_label="yes"),
    ),
    "index first": ("{i}\t{s!r}\t{y}\n", "\ty_score\ty_true\n", ColumnSpec()),
}


def rows_of(line, n_rows=200):
    rng = np.random.default_rng(0)
    scores, labels = rng.normal(size=n_rows), rng.integers(0, 2, n_rows)
    text = "".join(
        line.format(
            i=i, s=s, y=y, w=i % 3, sign=2 * y - 1, truth=bool(y), word="yes" if y else "no"
        )
        for i, (s, y) in enumerate(zip(scores.tolist(), labels.tolist(), strict=True))
    )
    return scores, labels == 1, text


@pytest.mark.parametrize(("line", "header", "asked"), FORMS.values(), ids=FORMS)
def test_every_form_is_read_at_once(ways, line, header, asked):
    scores, positive, text = rows_of(line)
    found, labels, weight = ways.both(header + text, asked)
    assert all(ways.taken)
    assert len(ways.taken) > 5
    present = np.ones(200, bool) if asked.weight is None else np.arange(200) % 3 > 0
    np.testing.assert_allclose(found[""], scores[present], rtol=1e-14)
    assert labels == (positive[present] == (asked.pos_label != "no")).tolist()
    assert (weight is None) == (asked.weight is None)


def test_odd_blocks_are_read_in_pieces(ways):
    lines = ["0.25 1", "0.125 0"] * 50
    lines[20], lines[40], lines[60] = "\t# comment", "", " 0.5\t+1 "
    found, _, _ = ways.both("\n".join(lines))
    assert {*ways.taken} == {True, False}
    assert len(found[""]) == 98


def test_comments_are_passed_over_at_once(ways):
    lines = ["0.25 1", "0.125 0"] * 50
    lines[0] = lines[30] = "# of two words"
    assert len(ways.both("\n".join(lines))[0][""]) == 98
    assert all(ways.taken)


BAD_LINES = ["x 1", "0.5 1 1", "0.5", "0.5 NA", "inf 1", "1e999 1", "0.5 2", "0.5\x00 1"]


@pytest.mark.parametrize("line", BAD_LINES)
def test_a_bad_line_far_down_is_told_by_its_number(ways, line):
    lines = ["0.25 1", "0.125 0"] * 50
    lines[66] = line
    found = ways.both("\n".join(lines))
    assert found.startswith("f, line 67: ")
    assert found.endswith(repr(line))
    # What is wrong before comes first.
    lines[33] = "x 1"
    assert ways.both("\n".join(lines)).startswith("f, line 34: ")


def test_line_ends_in_quotes_may_meet_the_end_of_a_block(ways):
    notes = ["text\n" * (i % 10) for i in range(60)]
    rows = [f'"{note}",{i},{i % 2}\n' for i, note in enumerate(notes)]
    text = "note,score,label\n" + "".join(rows)
    assert ways.both(text)[0][""] == list(range(60))
    found = ways.both(text + "x,y,1\n")
    assert found.startswith(f"f, line {text.count(chr(10)) + 1}: the score must be a")


@pytest.mark.parametrize("far", [0, 1, 2, 9, 10])
def test_bytes_that_are_no_text_are_told_wherever_they_are(ways, far):
    """A block ends with a line, so a bad byte may be the first of the second block."""
    lines = [b"0.25 1", b"0.125 0"] * 50
    first = 40 // 7 + 1  # lines of the first block
    lines[first + far] = b"\xff.5 1"
    found = ways.both(b"\n".join(lines))
    assert found == (
        f"f, line {first + far + 1}: is not UTF-8 text (byte 0xff). Convert it to UTF-8."
    )


def test_letters_of_several_bytes_are_not_cut(ways):
    text = "score,label\n" + "".join(
        f"{i},{'née' if i % 3 else 'étage'}\n" for i in range(90)
    )
    found, positive, _ = ways.both(text, ColumnSpec(pos_label="étage"))
    assert found[""] == list(range(90))
    assert positive == [i % 3 == 0 for i in range(90)]


@pytest.mark.parametrize("positive", ["inf", "é", "1e0", "-1", "#1"])
def test_odd_labels(ways, positive):
    text = f"0.25 {positive}\n0.125 0\n" * 20
    assert ways.both(text, ColumnSpec(pos_label=positive))[1] == [True, False] * 20


def test_a_second_label_may_come_late(ways):
    text = "0.5 0\n" * 50 + "0.5 1.0\n" + "0.25 +1\n"
    assert ways.both(text)[1] == [False] * 50 + [True] * 2
    found = ways.both(text + "1 -1\n")
    assert found.startswith("f, line 53: the label -1 after 0 and 1: which of two labels")


ODD = [
    *[
        "0.9",
        "1",
        "0",
        "-1",
        "1e5",
        "1E-3",
        "+.5",
        "5.",
        "1e400",
        "-0",
        "0.0",
        "inf",
        "nan",
    ],
    *[
        "NA",
        "1_0",
        "0x1",
        "true",
        "False",
        "yes",
        "no",
        "1e",
        "1e+",
        "--1",
        "٣",
        "001",
        ".",
    ],
    *[
        "12345678901234567890",
        "0.1234567890123456789012",
        "1e-400",
        "4.9e-324",
        "1.5f",
        "é",
    ],
    *["1D3", "Infinity", "1;2", '"1"', '"a,b"', 'a"b', '"a""b"', '""', '"', "#", "", " 1"],
    *["1 ", "\t1", "a b", '"\n"', "\x0b1", "1\x0c", "\x01", '\t"q"', '"1" ', ' "1"', "#1"],
    '"a\nb"',
]
PAIRS = (("0", "1"), ("-1", "1"), ("true", "FALSE"), ("yes", "no"), ('"y"', "n"))
USUAL = {
    "score": st.sampled_from(["0.9", "1", "0", "0.25", "1e5", "-3.5"]),
    "w": st.sampled_from(["1", "0", "2.5"]),
    "note": st.sampled_from(["x", "", '"q, r"', "5"]),
}


@st.composite
def score_files(draw):
    """What is asked of a file, and its text: a few lines, most of them right."""
    asked = ColumnSpec(pos_label=draw(st.sampled_from([None, "yes", "1"])))
    mark = draw(st.sampled_from([",", "\t", ";", " ", None]))
    lines, columns = [], ["score", "label"]
    if mark is not None:
        names = ["score", "label", "w", "note"][: draw(st.integers(2, 4))]
        columns = draw(st.permutations(names))
        lines.append(mark.join(columns))
        if "w" in columns and draw(st.booleans()):
            asked = asked._replace(weight="w")
    else:
        mark = draw(st.sampled_from([" ", "\t", ",", ", ", "  ", " ,", "\t "]))
    fields = {**USUAL, "label": st.sampled_from(draw(st.sampled_from(PAIRS)))}
    right = draw(st.booleans())
    for _ in range(draw(st.integers(1, 9))):
        row = [draw(fields[column]) for column in columns]
        fault = (
            "" if right else draw(st.sampled_from(["", "", "odd", "more", "less", "line"]))
        )
        if fault == "odd":
            row[draw(st.integers(0, len(row) - 1))] = draw(st.sampled_from(ODD))
        elif fault == "more":
            row.append(draw(st.sampled_from(ODD)))
        elif fault == "less":
            row.pop()
        elif fault == "line":
            row = [draw(st.sampled_from(["", " ", "\t", "# c", "#"]))]
        lines.append(mark.join(row))
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    return asked, end.join(lines) + draw(st.sampled_from([end, "", end + end]))


@example((ColumnSpec(pos_label="yes"), '0.9 no\n0.9 "a,b"\n0.9\n'))
@example((ColumnSpec(pos_label="1"), "0.9 \x0b1\n"))
@example((ColumnSpec(), "score note w label\n0.9  0.9 0\n"))
@example((ColumnSpec(pos_label="yes"), 'score,label\n1,yes\n2,"'))
@example((ColumnSpec(), 'label,score\n1,"'))
@example((ColumnSpec(), 'note,score,label\n5" pipe,0.9,1\n6" pipe,0.8,0\n7 pipe,0.1,1\n'))
@settings(max_examples=400, deadline=None, derandomize=True)
@given(score_files())
def test_at_once_or_in_pieces_the_same_is_read(case):
    asked, text = case
    with pytest.MonkeyPatch.context() as patch:
        Ways(patch).both(text, asked)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(st.floats(allow_nan=False, allow_infinity=False), st.booleans()),
        min_size=1,
    ),
    st.sampled_from([" ", "\t", ",", "   "]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_numbers_are_read_to_the_last_bit(rows, mark, end):
    text = end.join(f"{score!r}{mark}{int(positive)}" for score, positive in rows)
    with pytest.MonkeyPatch.context() as patch:
        scores, positive, _ = Ways(patch).both(text)
    assert [s.hex() for s in scores[""]] == [float(score).hex() for score, _ in rows]
    assert positive == [positive for _, positive in rows]


# Columns

NAMES = [
    ("score", "label"),
    ("y_score", "y_true"),
    ("y_score", "label"),
    ("score", "y_true"),
]


@pytest.mark.parametrize(("score", "label"), NAMES)
def test_columns_are_found_by_their_usual_names(score, label):
    text = f"id,{label},{score}\n" + "".join(
        f"7,{y},{s!r}\n" for y, s in zip(LABELS, SCORES, strict=True)
    )
    assert outcome(text) == ({"": SCORES}, [y == 1 for y in LABELS], None)


def test_of_two_usual_names_the_shorter_is_taken():
    text = "y_score,score,y_true,label\n5,0.25,1,0\n6,0.5,0,1\n"
    assert outcome(text) == ({"": [0.25, 0.5]}, [False, True], None)


def test_several_columns_of_scores_and_a_weight():
    text = "b,label,w,a\n" + "".join(f"{-i},{i % 2},{i},{i}.5\n" for i in range(4))
    scores, positive, weight = outcome(text, ColumnSpec(("a", "b"), weight="w"))
    assert scores == {"a": [1.5, 2.5, 3.5], "b": [-1, -2, -3]}
    assert (positive, weight) == ([True, False, True], [1, 2, 3])
    bad = outcome(text + "x,1,1,1\n", ColumnSpec(("a", "b"), weight="w"))
    assert bad == "f, line 6: the score 'b' must be a finite number, got 'x': 'x,1,1,1'"


@pytest.mark.parametrize("quote", ["", '"'])
def test_columns_of_text_are_the_same_either_way(ways, quote):
    names = ["x", " y ", "7", "7.0", "ü", 'z" z'] if not quote else ["a,b", "x", 'z"" z']
    text = "g,label,score\n" + "".join(
        f"{quote}{names[i % len(names)]}{quote},{i % 2},{i}\n" for i in range(90)
    )
    asked = ColumnSpec(texts=("g",))
    ways.both(text, asked)
    expected = [name.strip().replace('""', '"') for name in names]
    for refuse in (False, True):
        ways.refuse = refuse
        found = read(text, asked).texts["g"].tolist()
        assert found == [expected[i % len(names)] for i in range(90)]


# Packed, and Parquet


@pytest.mark.parametrize("form", ["list", "quoted csv"])
def test_gzipped_files(ways, form):
    line, header, asked = FORMS[form]
    text = header + rows_of(line)[2]
    packed = gzip.compress(text.encode())
    assert ways.both(packed, asked) == ways.both(text, asked)
    # As programs append: several packed parts are one file.
    half = len(header) + text[len(header) :].index("\n", 500) + 1 - len(header)
    parts = [gzip.compress(part.encode()) for part in (text[:half], text[half:])]
    assert ways.both(b"".join(parts), asked) == ways.both(text, asked)


def test_parquet_packed_by_gzip_is_told():
    packed = gzip.compress(parquet(score=[0.5], label=[1]))
    assert outcome(packed) == "f: is Parquet packed by gzip. Unpack it."


def parquet(**columns):
    data = io.BytesIO()
    pl.DataFrame(columns).write_parquet(data)
    return data.getvalue()


LABEL_TYPES = {
    "int": (pl.Series(LABELS), None),
    "small int": (pl.Series(LABELS, dtype=pl.Int8), None),
    "float": (pl.Series(LABELS, dtype=pl.Float32), None),
    "bool": (pl.Series(LABELS).cast(pl.Boolean), None),
    "signs": (pl.Series(LABELS) * 2 - 1, None),
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
    expected = {"": SCORES}, [y == 1 for y in LABELS], None
    assert outcome(data, ColumnSpec(pos_label=pos_label)) == expected


@pytest.mark.parametrize("dtype", [pl.Float32, pl.Int16, pl.Decimal(6, 2), pl.String])
def test_scores_of_parquet_become_floats(dtype):
    scores = pl.Series([3, 1, 2]).cast(dtype)
    found = outcome(
        parquet(y_true=[1, 0, 1], y_score=scores, w=[1, 0, 2]), ColumnSpec(weight="w")
    )
    assert found == ({"": [3.0, 2.0]}, [True, True], [1.0, 2.0])


BAD_PARQUET = {
    "null": (
        {"score": [1.0, None]},
        "row 2: the score is missing",
    ),
    "nan": (
        {"score": [1.0, np.nan]},
        "row 2: the score must be a finite number, got 'nan'",
    ),
    "text": ({"score": ["1", "x"]}, "row 2: the score must be a finite number, got 'x'"),
    "list": ({"score": [[1.0], [2.0]]}, "cannot be read as Parquet: "),
    "no label": ({"label": [1, None]}, "row 2: the label is missing"),
    "NaN label": ({"label": [1.0, np.nan]}, "row 2: the label is missing"),
    "odd label": ({"label": [1, 3]}, "row 2: the label 3 after 1: which of two labels"),
    "lacks": (
        {"label": None},
        "has no column 'label' or 'y_true'. The columns are 'score'",
    ),
    "empty": (
        {"label": [], "score": []},
        "holds no scores. Needs lines of score and label",
    ),
}


@pytest.mark.parametrize(("columns", "message"), BAD_PARQUET.values(), ids=BAD_PARQUET)
def test_parquet_that_is_refused(columns, message):
    columns = {"label": [1, 0], "score": [0.5, 0.25], **columns}
    data = parquet(**{name: c for name, c in columns.items() if c is not None})
    assert outcome(data).startswith(
        f"f: {message}" if "row" not in message else f"f, {message}"
    )


@pytest.mark.parametrize("rows_at_once", [1, 4, 5, 6, 100])
def test_parquet_some_rows_at_a_time(monkeypatch, rows_at_once):
    monkeypatch.setattr(files, "_SLICE", rows_at_once)
    data = parquet(score=SCORES, label=LABELS, w=[0, 0, 1, 2, 1, 1])
    assert outcome(data) == ({"": SCORES}, [y == 1 for y in LABELS], None)
    kept = {"": SCORES[2:]}, [y == 1 for y in LABELS[2:]], [1.0, 2.0, 1.0, 1.0]
    assert outcome(data, ColumnSpec(weight="w")) == kept
    bad = parquet(score=[*SCORES[:5], np.inf], label=LABELS)
    assert outcome(bad) == "f, row 6: the score must be a finite number, got 'inf'."
    bad = parquet(score=SCORES, label=[*LABELS[:5], 2])
    assert outcome(bad).startswith("f, row 6: the label 2 after 0 and 1")


def test_parquet_from_a_pipe_and_from_a_file(tmp_path):
    class Pipe(io.RawIOBase):
        def __init__(self, data):
            self.data = io.BytesIO(data)

        def readable(self):
            return True

        def readinto(self, buffer):
            return self.data.readinto(buffer)

    data = parquet(label=LABELS, score=SCORES, wide=["x" * 1000] * 6)
    pipe = io.BufferedReader(Pipe(data))
    assert not pipe.seekable()
    (tmp_path / "f.parquet").write_bytes(data)
    with open(tmp_path / "f.parquet", "rb") as stream:
        tables = [read_scores([(s, "f", abs)], "f", ColumnSpec()) for s in (pipe, stream)]
    for table in tables:
        assert table.scores[""].tolist() == SCORES
