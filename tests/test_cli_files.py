"""Files that the program reads: every form, what is wrong with them, and where."""

import datetime
import gzip
import io
import os
import tracemalloc
import zlib

import numpy as np
import polars as pl
import pytest
from cases import each
from hypothesis import given
from hypothesis import strategies as st

from sklearn_achievable_pr._cli import FileError, reading
from sklearn_achievable_pr._cli.arguments import parse

SCORES = [0.1, 0.9, 1 / 3, 1e-5, -2.5, 7.0]
LABELS = [0, 1, 1, 0, 1, 0]
POSITIVE = [label == 1 for label in LABELS]


pytestmark = pytest.mark.usefixtures("folder")


def read(data, *arguments, name="f"):
    """All rows of a file of this text or these bytes."""
    if data is not None:
        with open(name, "wb") as stream:
            stream.write(
                data.encode(errors="surrogateescape") if isinstance(data, str) else data
            )
    with reading.file_errors(name):
        rows, _ = reading.rows_of(name, parse("achievable-pr", [name, *arguments]))
    return rows.to_dict(as_series=False)


def error(data, *arguments, name="f"):
    """The message with which a file is an error, without its name."""
    with pytest.raises(FileError) as caught:
        read(data, *arguments, name=name)
    message = str(caught.value)
    assert message.startswith(name)
    assert len(message) < 600
    assert message.isprintable()
    return message.removeprefix(name).lstrip(",: ")


# Lists

LIST = "".join(f"{s!r} {y}\n" for s, y in zip(SCORES, LABELS, strict=True))
SEPARATORS = [("   ", "\n"), ("\t", "\r\n"), (",", "\n"), (" \t, ", "\r\n")]


@pytest.mark.parametrize(("separator", "end"), SEPARATORS)
def test_lists_may_have_any_separator(separator, end):
    expected = {"score": SCORES, "label": POSITIVE}
    text = LIST.replace(" ", separator).replace("\n", end)
    assert read(text) == expected
    comments = f"\ufeff# made by R{end}{end}\t# two words{end}{text}  {end} {text}#{end}"
    assert read(comments) == {"score": 2 * SCORES, "label": 2 * POSITIVE}


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
        assert [s.hex() for s in found["score"]] == [
            float(score).hex() for score, _ in rows
        ]
        assert found["label"] == [positive for _, positive in rows]


BAD_LINES = {
    "third field": ("0.8 0 1", "has a field too many, got '1'"),
    "one field": ("0.8", "the label must be "),
    "decimal comma": ("0,8 1", "has a field too many, got '1'"),
    "comma at the end": ("0.8,1,", "has a field too many, got ''"),
    "empty field": ("0.8,", "the label must be "),
    "carriage return": (".8 0\r.7 0", "has a field too many, got '0'"),
    "not UTF-8": ("0.8\udcff 0", "the score must be a finite number, got '0.8\ufffd'"),
    "text": ("x 0", "the score must be a finite number, got 'x'"),
    "nan": ("nan 1", "the score must be a finite number, got 'nan'"),
    "overflow": ("1e999 1", "the score must be a finite number, got '1e999'"),
    "underscore": ("1_0 1", "the score must be a finite number, got '1_0'"),
    "other digits": ("٣ 1", "the score must be a finite number, got '٣'"),
    "zero byte": ("0.8\x00 1", r"the score must be a finite number, got '0.8\x00'"),
    "control": (
        "\x1b[2J" + "x" * 999 + " 1",
        r"the score must be a finite number, got '\x",
    ),
    "missing label": ("0.8 NA", "the label must be "),
    "odd label": ("0.8 x", "the label must be "),
    "third label": ("0.8 0\n.7 -1", "the label must be "),
}


@each(wrong=BAD_LINES.values())
def test_bad_lines_of_lists(wrong):
    line, message = wrong
    number = 2 + line.count("\n")
    assert error(f"0.9 1\n{line}").startswith(f"row {number}: {message}")


def test_a_bad_line_after_many_good_ones_has_its_number():
    assert error("0.9 1\n" * 100_000 + "x 0").startswith("row 100001: the score must")


# CSV


@pytest.mark.parametrize(
    ("separator", "quote"), [(",", '"'), ("\t", ""), (";", '"'), (" ", "")]
)
def test_csv_may_have_any_separator_and_quotes(separator, quote):
    rows = [f"{i}|x|{y}|{s!r}" for i, (s, y) in enumerate(zip(SCORES, LABELS, strict=True))]
    rows = [f"id|größe{', cm' * bool(quote)}|label|score", *rows]
    text = "\ufeff\n" + "".join(f"{quote}{row}{quote}\r\n" for row in rows)
    found = read(text.replace("|", f"{quote}{separator}{quote}"))
    assert found == {"score": SCORES, "label": POSITIVE}


def test_columns_are_found_by_their_usual_names():
    text = "id,y_true,y_score\n7,1,0.5\n7,0,0.25\n"
    assert read(text) == {"label": [True, False], "score": [0.5, 0.25]}
    both = "y_score,score,y_true,label\n5,0.25,1,0\n6,0.5,0,1\n"
    assert read(both) == {"label": [False, True], "score": [0.25, 0.5]}


def test_several_columns_of_scores_weights_and_texts():
    text = 'b,label,w,a,"g"\n' + "".join(
        f"{-i},{i % 2},{i},{i}.5, t {i}\n" for i in range(4)
    )
    asked = ["--score", "a", "--score", "b", "--weight", "w", "--groups", "g"]
    assert read(text, *asked) == {
        "score a": [1.5, 2.5, 3.5],
        "score b": [-1, -2, -3],
        "label": [True, False, True],
        "weight": [1, 2, 3],
        "groups": ["t 1", "t 2", "t 3"],
    }
    bad = error(text + "x,1,1,1,g\n", *asked)
    assert bad == "row 5: the score (column b) must be a finite number, got 'x'."


def test_blank_lines_are_skipped_outside_the_rows_only():
    """Before the header and at the end; within the rows they are errors."""
    text = "\n\nnote,score,label\nx,0.5,1\nx,0.25,0\n"
    for end in ("", "\n", "\n  \n\t\n\n"):
        assert read(text + end) == {"label": [True, False], "score": [0.5, 0.25]}
    empty = "row 3: is empty. Remove it: only lists may have empty lines between rows."
    assert error(text + "\nx,0.1,0\n") == empty
    assert error(text + "x,,\n").startswith("row 3: the label (column label) must be ")


COMMENTS = {
    "within": ("score,label\n0.9,1\n# x\n", "row 2"),
    "within, with commas": ("score,label\n# a, b, c\n0.9,1\n", "row 1"),
    "first": ("# made by R\nscore,label\n0.9,1\n", "header"),
}


@pytest.mark.parametrize(("text", "where"), COMMENTS.values(), ids=COMMENTS)
def test_comments_in_csv_say_that_only_lists_have_them(text, where):
    message = f"{where}: is a comment. Remove it: only lists may have comments."
    assert error(text) == message


BARS = {
    "csv": ("score|label\n0.9|1\n", "header"),
    "list": ("0.9|1\n0.8|0\n", "header"),
    "markdown": ("| score | label |\n|---|---|\n| 0.9 | 1 |\n", "row 1"),
}


@pytest.mark.parametrize(("text", "where"), BARS.values(), ids=BARS)
def test_bars_between_fields_say_which_separators_are_read(text, where):
    separators = "The separator of CSV may be a comma, a tab, a semicolon or a space."
    assert error(text) == f"{where}: has the separator |. {separators}"


JSON = {
    "lines": '{"score": 0.9, "label": 1}\n{"score": 0.8, "label": 0}\n',
    "compact lines": '{"score":0.9,"label":1}\n{"score":0.8,"label":0}\n',
    "pretty": '[\n  {\n    "score": 0.9,\n    "label": 1\n  }\n]\n',
    "arrays": "[0.9, 1]\n[0.8, 0]\n",
}


@pytest.mark.parametrize("text", JSON.values(), ids=JSON)
def test_json_says_what_is_read(text):
    formats = "Pass CSV with a header line, Parquet, or lines of score and label."
    assert error(text) == f"header: is JSON. {formats}"


def test_names_that_start_like_comments_are_no_comments():
    text = "id,score,label\n#1,0.9,1\n#2,x,0\n"
    assert error(text).startswith("row 2: the score (column score) must be a finite")
    assert read(text.replace("x", "0.8"))["score"] == [0.9, 0.8]


def test_a_column_that_starts_like_a_comment_may_be_named():
    found = read("#score,label\n0.9,1\n0.8,0\n", "--score=#score")
    assert found["score #score"] == [0.9, 0.8]


BAD_CSV = {
    "short": ("0.9,1,1,x\n0.8,0\n", "row 2: the weight (column w) must be a finite number"),
    "long": ("0.9,1,1,x\n0.8,0,1,x,y\n", "row 2: has a field too many, got 'y'"),
    "empty fifth field": (
        "0.9,1,1,x\n0.8,0,1,x,,y\n",
        "row 2: has a field too many, got ''",
    ),
    "score": ("0.9,1,1,x\n'0.8',0,1,x\n", "row 2: the score (column score) must be a"),
    "negative": ("0.9,1,-2,x\n", "row 1: the weight (column w) must be a finite number"),
    "not closed": ('0.9,1,1,x\n0.8,0,1,"x\n', ""),
    "after a quote": ('0.9,1,1,"x"y\n', "row 1: quotes must enclose a whole field in"),
    "not UTF-8": (
        b"0.9,1,2,x\n.8,1,2,\xe9\n",
        "row 2: the groups (column g) must be UTF-8 text, got '\ufffd'.",
    ),
    "zero weight": ("0.9,1,0,x\n", "holds no scores. "),
}


@each(wrong=BAD_CSV.values())
def test_bad_rows_of_csv(wrong):
    text, message = wrong
    text = b"score,label,w,g\n" + (text if isinstance(text, bytes) else text.encode())
    assert error(text, "--weight", "w", "--groups", "g").startswith(message)


def test_a_list_with_a_third_column_needs_a_header_line():
    assert error("1,0.9,1\n2,0.8,0\n") == (
        "row 1: has a field too many, got '1'. A list has a score and a label per line, "
        "separated by spaces, a tab or a comma, and other columns need a header line."
    )


def test_a_field_too_many_beside_columns_that_are_not_read():
    text = "id,score,label\n7,0.9,0\n8,0.5,1,\n"
    assert error(text).startswith("row 2: has a field too many, got ''")


@pytest.mark.parametrize(
    "text",
    [
        'n,score,label\n"a\nb",0.9,1\n',
        'n,score,label\n"abc,0.9,1\n"def,0.8,0\n',
        'n,score,label\n5" pipe,0.9,1\n6" pipe,0.8,0\n',
        'n,score,label\nx,0.9,1\nx,0.8,0\n"x,0.7,1\n',
    ],
)
def test_stray_quotes_do_not_hide_rows(text):
    """Polars would read two lines as one."""
    rule = "quotes must enclose a whole field in one line, and be doubled within it, got"
    assert error(text).partition(": ")[2].startswith(rule)


# CSV without a header

NO_HEADER = {
    "numbers": ("A,0.95,1\nB,0.4,0\nC,0.3,1\n", "A, 0.95, 1", "0.95", "1", None),
    "label words": (
        "0.9 x sick\n0.4 x well\n0.3 x sick\n",
        "0.9, x, sick",
        "0.9",
        "sick",
        "sick",
    ),
    "booleans": (
        "A;0.95;true\nB;0.4;false\nC;1;true\n",
        "A, 0.95, true",
        "0.95",
        "true",
        "true",
    ),
    "quoted": ('"A","0.95","1"\n"B","0.4","0"\n', "A, 0.95, 1", "0.95", "1", None),
}


def like_data(names):
    hint = f"The names of the columns look like a first line of data: {names}. Add a header"
    return f"{hint} line such as score,label, or "


@pytest.mark.parametrize("case", NO_HEADER.values(), ids=NO_HEADER)
def test_the_first_line_of_a_csv_file_without_a_header_looks_like_data(case):
    text, names, *_ = case
    way_out = f"{like_data(names)}pass names to --score and --label."
    asked = ["--label=label"] * text.startswith("0")
    found = error(text, *asked)
    assert found == f"has no column label{' or y_true' * (not asked)}. {way_out}"


@pytest.mark.parametrize("case", NO_HEADER.values(), ids=NO_HEADER)
def test_options_do_not_name_the_columns_by_the_first_sample(case):
    text, names, score, label, positive = case
    asked = ["--score", score, "--label", label]
    asked += ["--pos-label", positive] if positive else []
    assert error(text, *asked) == f"{like_data(names)}rename the columns."


def test_a_parquet_file_with_the_first_sample_as_names():
    data = parquet(**{"0.95": [0.4, 0.3], "1": [0, 1]})
    found = error(data, "--score", "0.95", "--label", "1")
    assert found == f"{like_data('0.95, 1')}rename the columns."


NUMBERS_AS_NAMES = {
    "column numbers": ("0,1\n1,0.9\n0,0.8\n", "0", ["1"]),
    "classes": ("y,0,1\n1,0.1,0.9\n0,0.2,0.8\n", "y", ["1"]),
    "quantiles": ("0.1,0.9,y\n0.9,0.9,1\n0.8,0.8,0\n", "y", ["0.1", "0.9"]),
}


@pytest.mark.parametrize(
    ("text", "label", "scores"), NUMBERS_AS_NAMES.values(), ids=NUMBERS_AS_NAMES
)
def test_columns_may_be_named_by_numbers(text, label, scores):
    asked = [f"--score={score}" for score in scores]
    found = read(text, "--label", label, *asked)
    assert found["label"] == [True, False]
    assert all(found[f"score {score}"] == [0.9, 0.8] for score in scores)


def test_columns_numbered_from_0_do_not_look_like_data():
    message = (
        "has no column label or y_true. Name one by --label: the columns are id, 0, 1."
    )
    assert error("id,0,1\nx,0.1,1\n") == message


# Missing values

MISSING = ["", "NA", "nan", "NaN", "null", "None", "N/A", "#N/A", "<NA>", " NA "]


def missing(role, column, row, word):
    """The message for a word of a column that is read as a missing value."""
    word = word.strip()
    way_out = "Drop rows with missing values"
    way_out += f", or rename {word} if it is no missing value" * bool(word)
    what = f"the {role} (column {column}) must not be missing"
    return f"row {row}: {what}, got {word!r}. {way_out}."


@pytest.mark.parametrize(
    ("form", "word"),
    [("csv", ""), ("gzip", "#N/A"), ("parquet", "nan"), ("standard input", " NA ")],
)
def test_missing_groups_are_not_one_cluster(feed, form, word):
    who = ["a", "b", word, word, "c", "a"]
    frame = pl.DataFrame({"score": SCORES, "label": LABELS, "who": who})
    data = frame.write_csv().encode()
    if form == "parquet":
        data = parquet(**frame.to_dict())
    elif form == "gzip":
        data = gzip.compress(data)
    name = "f"
    if form == "standard input":
        feed(data)
        data, name = None, "-"
    assert error(data, "--groups=who", name=name) == missing("groups", "who", 3, word)


NO_GROUP = {
    "null": pl.Series(["x", None]),
    "NaN": pl.Series([1.0, np.nan]),
    "category": pl.Series(["x", None], dtype=pl.Categorical),
    "date": pl.Series([datetime.date(2026, 1, 1), None]),
}


@pytest.mark.parametrize("groups", NO_GROUP.values(), ids=NO_GROUP)
def test_missing_groups_of_parquet_are_not_one_cluster(groups):
    data = parquet(label=[1, 0], score=[0.5, 0.25], who=groups)
    found = error(data, "--groups=who")
    row = 1 + int(groups.null_count() < 2)
    word = "NaN" if groups.dtype == pl.Float64 else ""
    assert found == missing("groups", "who", row, word)


@pytest.mark.parametrize("word", ["Nadia", "none of these", "0", "-"])
def test_groups_that_only_begin_like_missing_values_are_names(word):
    found = read(f"score,label,who\n0.9,1,{word}\n0.8,0,b\n", "--groups=who")
    assert found["groups"] == [word, "b"]


@each(word=MISSING, role=["score", "weight"])
def test_missing_numbers_say_how_to_go_on(role, word):
    row = {"score": "0.8", "label": "0", "weight": "1"} | {role: word}
    text = f"score,label,weight\n0.9,1,1\n{','.join(row.values())}\n"
    found = error(text, "--weight=weight")
    assert found.startswith(f"row 2: the {role} (column {role}) must be a finite")
    assert found.endswith(f", got {word.strip()!r}. Drop rows with missing values.")


@each(word=MISSING, positive=["sick", None])
def test_missing_labels_say_how_to_go_on(positive, word):
    text = f"score,label\n0.9,{positive or 1}\n0.8,{word}\n"
    found = error(text, *[f"--pos-label={positive}"] * bool(positive))
    _, way_out = missing("label", "label", 2, word).split(", got ")
    assert found.startswith("row 2: the label (column label) must be ")
    assert found.endswith(f", got {way_out}")


LARGE = 2**53 + 1


@pytest.mark.parametrize(
    ("form", "number"), [("list", LARGE), ("csv", -LARGE), ("parquet", LARGE)]
)
def test_integers_that_float64_would_round(form, number):
    columns = {"score": [number - 1, number], "label": [0, 1]}
    data = f"{number - 1} 0\n{number} 1\n"
    if form != "list":
        data = (
            parquet(**columns) if form == "parquet" else pl.DataFrame(columns).write_csv()
        )
    column = " (column score)" * (form != "list")
    rule = f"the score{column} must be less than 2**53 in size if it is an integer"
    message = f"{rule}; pass its rank, got '{number - 1}'."
    assert error(data).partition(": ")[2] == message


def test_large_floats_are_scores():
    assert read(f"1e300 1\n{2.0**60!r} 0\n")["score"] == [1e300, 2.0**60]


# Labels

SPELLINGS = [
    ("+1", "-0.0", None),
    ("true", "FALSE", None),
    ("2", "1", "2.0"),
    ("é", "É", "é"),
]


@pytest.mark.parametrize(("positive", "negative", "pos_label"), SPELLINGS)
def test_labels_of_every_spelling_are_read(positive, negative, pos_label):
    lines = [f"0.5 {positive if y else negative}" for y in LABELS]
    asked = [f"--pos-label={pos_label}"] * (pos_label is not None)
    assert read("\n".join(lines), *asked)["label"] == POSITIVE
    assert read("score label\n" + "\n".join(lines), *asked)["label"] == POSITIVE


@pytest.mark.parametrize(
    ("text", "where", "got", "labels"),
    [
        (
            "score,y\n2,sick\n1,well\n",
            "row 1: the label (column y)",
            "sick",
            "sick and well",
        ),
        ("2 1\n1 2\n", "row 2: the label", "2", "1 and 2"),
    ],
)
def test_other_labels_need_the_positive_one(text, where, got, labels):
    asked = ["--label=y"] if "y" in where else []
    assert error(text, *asked) == (
        f"{where} must be 0 or 1, -1 or 1, false or true, or --pos-label must name the "
        f"positive one of {labels}, got '{got}'."
    )


@pytest.mark.parametrize("text", ["2 1\n1 NA\n", "3 0\n2 1\n1 x\n", "2 x\n"])
def test_a_bad_label_needs_no_other_option(text):
    assert "--pos-label" not in error(text)


def test_labels_that_are_not_the_one_named():
    asked = ("--pos-label", "a")
    for text in ("1 a\n2 b\n3 c\n", "1 0\n2 2\n3 1\n"):
        assert error(text, *asked).startswith(
            f"row {3 - (text[2] == '0')}: the label must be a or"
        )
    assert read("1 b\n", *asked)["label"] == [False]


# Labels and groups that are numbers


@pytest.mark.parametrize(
    ("form", "one"),
    [("csv", "1."), ("csv", "+1"), ("parquet", "01"), ("parquet", "1.000e+00")],
)
def test_one_number_is_one_cluster_however_it_is_written(one, form):
    columns = {"score": [4, 3, 2, 1], "label": [1, 0, 1, 0], "who": ["1", one, "2", "10"]}
    data = pl.DataFrame(columns).write_csv() if form == "csv" else parquet(**columns)
    groups = read(data, "--groups=who")["groups"]
    assert groups[0] == groups[1]
    assert len({*groups}) == 3


APART = {
    "beside text": ["1", "1.0", "x"],
    "exponents": ["1e5", "100000", "2"],
    "many digits": ["9007199254740993", "9007199254740992", "1.0"],
    "fractions": ["0.12345678901234567", "0.12345678901234568", "1"],
}


@pytest.mark.parametrize("who", APART.values(), ids=APART)
def test_other_groups_stay_apart(who):
    rows = (f"{i},{i % 2},{name}\n" for i, name in enumerate(who))
    found = read("score,label,who\n" + "".join(rows), "--groups=who")
    assert len({*found["groups"]}) == 3


def test_groups_of_numbers_are_in_the_order_of_the_numbers():
    """A random split of clusters is then that of the package for the same numbers."""
    rows = "4,1,10.0\n3,0,9\n2,1,-1\n1,0,10\n"
    groups = np.array(read("score,label,who\n" + rows, "--groups=who")["groups"])
    assert groups.argsort(kind="stable").tolist() == [2, 1, 0, 3]


def test_labels_are_numbers_only_if_all_of_them_are():
    asked = ("--pos-label", "1")
    assert read("3 1\n2 1.0\n1 2\n", *asked)["label"] == [True, True, False]
    message = "row 3: the label must be 1 or one other, got 'x'."
    assert error("3 1\n2 1.0\n1 x\n", *asked) == message


# Tables of counts

COUNTS = "score,label,n,w,who\n3,1,2,1,a\n2,0,0,1,b\n2,1,1,0,b\n1,0,3.0,2,c\n"


def test_a_row_is_repeated_as_often_as_its_count_says():
    found = read(COUNTS, "--count=n", "--groups=who")
    assert found["score"] == [3, 3, 2, 1, 1, 1]
    assert found["label"] == [True, True, True, False, False, False]
    assert found["groups"] == [*"aabccc"]


def test_counts_and_weights_of_rows():
    found = read(COUNTS, "--count=n", "--weight=w")
    assert found["score"] == [3, 3, 1, 1, 1]
    assert found["weight"] == [1, 1, 2, 2, 2]


@pytest.mark.parametrize("count", ["-1", "0.5", "x", "inf"])
def test_counts_that_are_no_numbers_of_samples(count):
    found = error(f"score,label,n\n0.9,1,{count}\n0.8,0,1\n", "--count=n")
    rule = "the count (column n) must be an integer, not negative"
    assert found == f"row 1: {rule}, got {count!r}."


def test_counts_of_more_samples_than_memory_holds_name_the_function():
    assert error("score,label,n\n0.9,1,1e12\n0.8,0,1\n", "--count=n") == (
        "the counts (column n) are 1e+12 samples, and at most 1e+08 are held in memory. "
        "Use auc_pr_from_counts in Python."
    )


def test_counts_of_zero_leave_no_rows():
    assert error("score,label,n\n0.9,1,0\n", "--count=n").startswith("holds no scores. ")


# Compressed files and pipes


def test_gzip_and_what_is_no_file(monkeypatch):
    parts = gzip.compress(LIST.encode()) + gzip.compress(LIST.encode())
    assert read(parts)["score"] == 2 * SCORES
    assert read(gzip.compress(parquet(score=SCORES, label=LABELS)))["score"] == SCORES
    os.mkfifo("pipe")
    if os.fork() == 0:  # pragma: no cover
        with open("pipe", "w") as stream:
            stream.write(LIST)
        os._exit(0)
    assert read(None, name="pipe")["score"] == SCORES
    monkeypatch.setattr(reading, "_MOST_BYTES", 2**24)
    assert error(None, name="/dev/zero").startswith("has more than 16 MiB")


@pytest.fixture
def feed():
    """Puts bytes into standard input."""
    before = os.dup(0)

    def feed(data):
        reading_end, writing_end = os.pipe()
        os.write(writing_end, data)
        os.close(writing_end)
        os.dup2(reading_end, 0)
        os.close(reading_end)

    yield feed
    os.dup2(before, 0)
    os.close(before)


@pytest.mark.parametrize(
    ("kind", "pack"),
    [
        ("list", bytes),
        ("csv", gzip.compress),
        ("parquet", bytes),
        ("parquet", gzip.compress),
    ],
)
def test_standard_input_may_be_of_every_format(feed, kind, pack):
    packed, asked = LIST.encode(), []
    if kind != "list":
        frame = pl.DataFrame({"score": SCORES, "label": LABELS, "who": list("aabbcc")})
        asked = ["--interval", "--groups=who", "--format=json"]
        packed = (
            parquet(**frame.to_dict()) if kind == "parquet" else frame.write_csv().encode()
        )
    feed(pack(packed))
    found = read(None, *asked, name="-")
    assert (found["score"], found["label"]) == (SCORES, POSITIVE)
    assert found.get("groups", [*"aabbcc"]) == [*"aabbcc"]


@pytest.mark.parametrize(
    ("encoding", "pack", "name"),
    [
        ("utf-8-sig", bytes, "score"),
        ("utf-8-sig", gzip.compress, "größe"),
        ("utf-16", bytes, "größe"),
        ("utf-32", gzip.compress, "größe"),
    ],
)
def test_text_with_a_byte_order_mark(encoding, pack, name):
    text = f"{name},label\n" + LIST.replace(" ", ",")
    found = read(pack(text.encode(encoding)), "--score", name)
    assert found == {f"score {name}": SCORES, "label": POSITIVE}


@pytest.mark.slow
@pytest.mark.parametrize("byte", [b"0", b"\n"])
def test_a_gzipped_bomb_costs_no_more_than_the_limit(monkeypatch, byte):
    limit = 2**24
    monkeypatch.setattr(reading, "_MOST_BYTES", limit)
    bomb = gzip.compress(byte * 2**28)
    tracemalloc.start()
    found = error(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == (
        "has more than 16 MiB of unpacked data, the limit of gzipped files and streams. "
        "Store it unpacked in a file."
    )
    assert peak < 1.5 * limit


def test_a_file_larger_than_the_limit_of_streams_is_read(monkeypatch):
    monkeypatch.setattr(reading, "_MOST_BYTES", 10)
    assert read(LIST)["score"] == SCORES


NOT_READABLE = {
    "empty": (b"", "holds no scores. "),
    "empty gzip": (gzip.compress(b""), "holds no scores. "),
    "blank": (b"\n \n\t\n", "holds no scores. "),
    "header only": (b"score,label\n", "holds no scores. Pass lines of score and label"),
    "UTF-16, no mark": ("0.9 1\n".encode("utf-16-le"), "is not a text file. Save it as "),
    "half of UTF-16": ("0.9 1\n".encode("utf-16")[:-1], "'utf-16-le' codec can't decode"),
    "Excel": (
        b"PK\x03\x04\x14\0\x06\0\x08\0",
        "is not a text file. Save it as CSV in UTF-8 ",
    ),
    "lines of CR": (
        b"score,label\r0.9,1\r",
        "is not a text file. Save it as CSV in UTF-8 ",
    ),
    "gzip twice": (gzip.compress(gzip.compress(b"0.9 1\n")), "is not a text file. "),
    "zlib": (zlib.compress(b"score,label\n0.9,1\n"), "is not a text file. "),
    "encrypted": (b"PARE" + bytes(30) + b"PARE", "is an encrypted Parquet file. Decrypt"),
    "bad line": (b"0.9 1\nx 0\n", "row 2: the score must be a finite number, got 'x'"),
    "no gzip": (b"\x1f\x8bx", ""),
    "half of a gzip": (gzip.compress(b"0.9 1\n")[:-9], "Compressed file e"),
    "damaged gzip": (gzip.compress(b"0.9 1\n")[:10] + b"\xff" * 20, ""),
    "no Parquet": (b"PAR1\n0.9 1\n", "parquet: "),
    "no names": (b",,,\n1,1\n", "has no column label or y_true. "),
    "other": (b"a,b\n1,1\n", "has no column label or y_true. Name one by --label"),
    "wide": (10**5 * b"x," + b"label\n", "has no column score or y_score. Name"),
    "twice": (b"score,label,score\n1,1,1\n", "has two columns score or y_score. Name"),
    "open quote": (b'"a\n' + b"1" * 200_000, "header: quotes must enclose"),
}


@each(wrong=NOT_READABLE.values())
def test_files_that_are_no_score_files(feed, wrong):
    data, message = wrong
    found = error(data)
    assert message in found
    if len(data) < 2**16:
        feed(data)
        assert error(None, name="-") == found


# Parquet


def parquet(**columns):
    data = io.BytesIO()
    pl.DataFrame(columns).write_parquet(data)
    return data.getvalue()


WORDS = pl.Series(["yes" if y else "no" for y in LABELS])
LABEL_TYPES = {
    "bool": (pl.Series(LABELS).cast(pl.Boolean), None),
    "category": (WORDS.cast(pl.Categorical), "yes"),
    "decimal": (pl.Series(LABELS).cast(pl.Decimal(4, 1)), None),
    "other number": (pl.Series(LABELS) + 1, "2.0"),
}


@pytest.mark.parametrize(("label", "pos_label"), LABEL_TYPES.values(), ids=LABEL_TYPES)
def test_parquet_may_have_labels_of_every_type(label, pos_label):
    data = parquet(id=["x"] * 6, label=label, score=SCORES)
    asked = ["--pos-label", pos_label] if pos_label else []
    assert read(data, *asked) == {"score": SCORES, "label": POSITIVE}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names of files")
@pytest.mark.parametrize("name", ["*", "f?", "[f]"])
def test_a_parquet_file_may_be_named_like_a_pattern(name):
    read(parquet(label=[1, 0], score=[0.7, 0.3]), name="f")
    read(parquet(label=[1, 0], score=[0.7, 0.3]), name="fg")
    found = read(parquet(label=LABELS, score=SCORES), name=name)
    assert found == {"score": SCORES, "label": POSITIVE}


@pytest.mark.parametrize("dtype", [pl.Float32, pl.Int16, pl.UInt64, pl.Decimal(6, 2)])
def test_numbers_of_parquet_become_floats(dtype):
    numbers = pl.Series([3, 0, 2]).cast(dtype)
    data = parquet(y_true=[1, 0, 1], y_score=numbers, w=numbers, g=[1.5, 2, 3])
    found = read(data, "--weight", "w", "--groups", "g")
    assert (found["score"], found["weight"]) == ([3.0, 2.0], [3.0, 2.0])
    assert len({*found["groups"]}) == 2


DAY = datetime.datetime(2026, 1, 1)
BAD_PARQUET = {
    "null": ({"score": [1.0, None]}, "row 2: the score (column score) must"),
    "all null": ({"score": [None, None]}, "row 1: the score (column score) must"),
    "nan": ({"score": [1.0, np.nan]}, "row 2: the score (column score) must"),
    "no label": ({"label": [1, None]}, "row 2: the label (column label) must be"),
    "NaN label": ({"label": [1.0, np.nan]}, "row 2: the label (column label) must be"),
    "odd label": ({"label": [1, 3]}, "row 2: the label (column label) must be"),
    "lacks": ({"label": None}, "has no column label or y_true. Name one by --label"),
    "empty": ({"label": [], "score": [], "w": []}, "holds no scores. Pass lines of score"),
}


@each(wrong=BAD_PARQUET.values())
def test_bad_parquet_names_its_row_or_column(wrong):
    columns, message = wrong
    columns = {"label": [1, 0], "score": [0.5, 0.25], "w": [1, 2], **columns}
    columns = {name: column for name, column in columns.items() if column is not None}
    asked = ["--weight", "w", *["--groups", "g"] * ("g" in columns)]
    assert error(parquet(**columns), *asked).startswith(message)


NO_NUMBERS = {"d": DAY, "date": DAY.date(), "time": DAY.time(), "duration": DAY - DAY}
NO_NUMBERS |= {"list": [1.0], "struct": {"x": 1}, "boolean": True, "bytes": b"1"}
OPTIONS = {"score": "s", "label": "y", "weight": "w", "count": "n", "groups": "g"}


def error_of_type(role, value):
    """The message for a Parquet file whose column of a role has twice this value."""
    columns = {"s": [0.5, 0.25], "y": [1, 0], "w": [1, 2], "n": [1, 2], "g": [1, 2]}
    data = parquet(**columns | {OPTIONS[role]: [value] * 2})
    return error(data, *(f"--{option}={name}" for option, name in OPTIONS.items()))


@each(kind=NO_NUMBERS, role=["score", "weight", "count"])
def test_types_of_parquet_that_are_no_numbers(kind, role):
    found = error_of_type(role, NO_NUMBERS[kind])
    what = f"the {role} (column {OPTIONS[role]})"
    assert found.startswith(f"{what} must hold numbers. Got type ")


@pytest.mark.parametrize("kind", ["date", "list", "struct", "bytes"])
def test_types_of_parquet_that_are_no_labels(kind):
    found = error_of_type("label", NO_NUMBERS[kind])
    assert found.startswith("the label (column y) must hold numbers, booleans or text. Got")


@pytest.mark.parametrize("kind", ["duration", "list", "struct", "bytes"])
def test_types_of_parquet_that_are_no_groups(kind):
    found = error_of_type("groups", NO_NUMBERS[kind])
    assert found.startswith("the groups (column g) must hold numbers, text or dates. Got")


@pytest.mark.parametrize(
    ("role", "value"), [("score", "x"), ("weight", None), ("count", "x")]
)
def test_text_and_null_in_parquet_are_no_numbers(role, value):
    found = error_of_type(role, value)
    assert found.startswith(f"row 1: the {role} (column {OPTIONS[role]}) must be a")


def test_dates_of_parquet_are_groups():
    days = [DAY.date(), DAY.date(), DAY.date() + datetime.timedelta(1)]
    data = parquet(label=[1, 0, 1], score=[0.5, 0.25, 0.1], day=days)
    groups = read(data, "--groups=day")["groups"]
    assert groups[0] == groups[1] != groups[2]
