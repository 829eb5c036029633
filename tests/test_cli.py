"""The program for score files: what it reads, prints, writes and refuses."""

import argparse
import csv
import gzip
import io
import json
import os
import random
import re
import shlex
import stat
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas
import pytest
from cases import reference_arrays, reference_values
from sklearn.metrics import average_precision_score, roc_auc_score

import sklearn_achievable_pr as package
from sklearn_achievable_pr import __main__ as program
from sklearn_achievable_pr._cli import beyond_memory, opened, printing, results, writing
from sklearn_achievable_pr._cli.beyond_memory import BOUND_TITLES
from sklearn_achievable_pr._cli.files import ColumnSpec, FileError, read_scores
from sklearn_achievable_pr._cli.how_sure import INTERVAL_TITLES, PAIR_TITLES, holm
from sklearn_achievable_pr._roc import sorting

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "doc" / "user_guide" / "command_line.rst"
CASES, VALUES = reference_arrays(), reference_values()
EXAMPLE = "0.9 1, 0.8 1, 0.7 0, 0.6 1, 0.55 1, 0.54 1, 0.53 0, 0.52 0, 0.51 1, 0.505 0"
EXAMPLE = EXAMPLE.replace(", ", "\n") + "\n"
Y_TRUE = [1, 1, 0, 1, 1, 1, 0, 0, 1, 0]
Y_SCORE = [0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505]
# Sums in another order; the values lie within [0, 1].
ROUNDING = 1e-12


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys, folder):
    """Run the program in `folder`; returns exit status, output, errors."""

    def run(*arguments):
        try:
            status = program.main([str(argument) for argument in arguments])
        except SystemExit as end:
            status = end.code
        output = capsys.readouterr()
        return status, output.out, output.err

    return run


@pytest.fixture
def values(run, folder):
    """The values that the program prints for a text, as JSON."""

    def values(text, *arguments):
        (folder / "scores").write_text(text, "utf-8")
        status, output, errors = run("scores", "--format", "json", *arguments)
        assert (status, errors) == (0, "")
        return json.loads(output)[0]

    return values


@pytest.fixture
def error(run, folder):
    """The one line with which the program refuses a text (or bytes)."""

    def error(text, *arguments, name="scores.txt"):
        (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
        before = sorted(os.listdir(folder))
        status, output, errors = run(name, *arguments)
        assert (status, output) == (2, "")
        assert sorted(os.listdir(folder)) == before
        *_, last = errors.splitlines()
        assert last.startswith("achievable-pr: error: ")
        return last.removeprefix("achievable-pr: error: ")

    return error


def set_stdin(monkeypatch, data):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(buffered(data)))


def buffered(data):
    return io.BufferedReader(io.BytesIO(data))


def subprocess_run(*arguments, **options):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [sys.executable, "-m", "sklearn_achievable_pr", *arguments],
        capture_output=True,
        env=environment,
        timeout=120,
        **options,
    )


def close(found, expected):
    return abs(found - expected) <= ROUNDING * max(1, abs(expected))


# Values


def test_example_of_auccalculator(run, folder):
    (folder / "example.txt").write_text(EXAMPLE)
    status, output, errors = run("example.txt")
    assert (status, errors) == (0, "")
    name, *lines = output.splitlines()
    shown = dict(re.split(r"  +", line.strip()) for line in lines)
    assert name == "example.txt"
    assert shown == {
        "n": "10",
        "positives": "6",
        "prevalence": "0.600000",
        "AUC-PR, exact": "0.825584",
        "AUC-PR, achievable": "0.900130",
        "AUCNPR": "0.714475",
        "floor of AUC-PR": "0.389140",
        "AUC-PR, as AUCCalculator": "0.824306",
        "average precision": "0.841667",
        "AUC-ROC": "0.750000",
    }


@pytest.mark.parametrize("case", sorted(VALUES))
def test_values_of_the_reference_cases(values, case):
    y_true, y_score = CASES[f"{case}/y_true"], CASES[f"{case}/y_score"]
    weight = CASES.get(f"{case}/sample_weight")
    columns = [y_score.tolist(), y_true.tolist()]
    if weight is None:
        text = "".join(f"{s!r} {y}\n" for s, y in zip(*columns, strict=True))
        found = values(text)
    else:
        rows = zip(*columns, weight.tolist(), strict=True)
        text = "score,label,w\n" + "".join(f"{s!r},{y},{w!r}\n" for s, y, w in rows)
        found = values(text, "--weight", "w")
    exact = {k: v for k, v in VALUES[case]["exact"].items() if isinstance(v, str)}
    for key, name in {
        "auc_pr": "auc_pr",
        "auc_pr_achievable": "auc_pr_achievable",
        "auc_pr_min": "auc_pr_min",
        "aucnpr": "aucnpr",
        "average_precision": "average_precision",
        "auc_roc": "auc_roc",
    }.items():
        if name in exact:
            assert close(found[key], float(exact[name])), key
    auccalculator = VALUES[case]["tools"].get("aucjar", {}).get("auc_jar_pr")
    if weight is not None:
        assert found["auc_pr_davis_goadrich"] is None
    elif auccalculator is not None:
        assert close(found["auc_pr_davis_goadrich"], auccalculator)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("recall_range", [None, (0.25, 0.75), (0.5, 1.0)])
@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_values_are_those_of_the_functions(values, weighted, recall_range, prevalence):
    rng = np.random.default_rng(0)
    y_true, y_score = rng.integers(0, 2, 60), rng.integers(0, 20, 60) / 8
    weight = rng.integers(0, 4, 60) if weighted else None
    rows = zip(y_score, y_true, weight if weighted else y_true, strict=True)
    text = "score,label,w\n" + "".join(f"{s},{y},{w}\n" for s, y, w in rows)
    found = values(
        text,
        *(("--weight", "w") if weighted else ()),
        *(("--recall-range", *recall_range) if recall_range else ()),
        *(("--prevalence", prevalence) if prevalence else ()),
    )
    data = {"y_true": y_true, "y_score": y_score, "sample_weight": weight}
    how = {"recall_range": recall_range or (0.0, 1.0), "prevalence": prevalence}
    present = np.ones(60, bool) if weight is None else weight > 0
    fraction = float(np.average(y_true, weights=weight))
    assert found["n"] == present.sum()
    assert found["positives"] == y_true[present].sum()
    assert close(found["prevalence"], fraction)
    assert found["assumed_prevalence"] == prevalence
    assert (found["recall_low"], found["recall_high"]) == how["recall_range"]
    area = package.auc_pr_interpolated
    assert close(found["auc_pr"], area(**data, **how))
    assert close(found["auc_pr_achievable"], area(**data, **how, curve="achievable"))
    assert close(found["aucnpr"], package.aucnpr(**data, **how))
    floor = package.auc_pr_min(prevalence or fraction, how["recall_range"])
    assert close(found["auc_pr_min"], floor)
    if weighted:
        assert found["auc_pr_davis_goadrich"] is None
    else:
        steps = area(y_true, y_score, method="davis_goadrich", **how)
        assert close(found["auc_pr_davis_goadrich"], steps)
    balance = np.ones(60) if weight is None else weight.astype(float)
    if prevalence:
        balance[y_true == 0] *= fraction * (1 - prevalence) / (prevalence * (1 - fraction))
    average_precision = average_precision_score(y_true, y_score, sample_weight=balance)
    assert close(found["average_precision"], average_precision)
    assert close(found["auc_roc"], roc_auc_score(y_true, y_score, sample_weight=weight))


@pytest.mark.parametrize("weight", [1e-300, 1e300])
def test_auc_roc_of_weights_of_any_size(values, weight):
    rows = [f"{s},{y},{weight!r}" for s, y in zip(Y_SCORE, Y_TRUE, strict=True)]
    found = values("score,label,w\n" + "\n".join(rows), "--weight", "w")
    assert close(found["auc_roc"], 0.75)


def test_weights_of_zero_are_no_rows(values):
    with_zeros = "score,label,w\n0.9,1,1\n0.8,0,0\n0.7,0,2\n0.6,1,0\n0.5,1,1\n"
    without = "score,label,w\n0.9,1,1\n0.7,0,2\n0.5,1,1\n"
    found = values(with_zeros, "--weight", "w")
    assert found == values(without, "--weight", "w")
    assert (found["n"], found["positives"], found["prevalence"]) == (3, 2, 0.5)


@pytest.mark.parametrize(
    ("text", "message", "defined"),
    [
        (
            "0.3 0\n0.1 0\n",
            "has no positives: every area is undefined.",
            {"prevalence": 0.0},
        ),
        (
            "0.3 1\n0.1 1\n",
            "has no negatives: AUCNPR and AUC-ROC are undefined.",
            {
                "prevalence": 1.0,
                "auc_pr": 1.0,
                "auc_pr_achievable": 1.0,
                "auc_pr_min": 1.0,
                "auc_pr_davis_goadrich": 1.0,
                "average_precision": 1.0,
            },
        ),
    ],
)
def test_a_missing_class(run, folder, text, message, defined):
    (folder / "one.txt").write_text(text)
    status, output, errors = run("one.txt", "--format", "json")
    assert status == 0
    assert errors == f"achievable-pr: warning: one.txt: {message}\n"
    found = json.loads(output)[0]
    areas = {key: found[key] for key in ("prevalence", *results._EXACT)}
    assert {k: v for k, v in areas.items() if v is not None} == defined
    _, output, _ = run("one.txt")
    assert output.count("undefined") == 8 - len(defined)
    _, output, _ = run("one.txt", "--format", "csv")
    row = next(csv.DictReader(io.StringIO(output)))
    assert {k for k in areas if row[k]} == set(defined)


def test_no_negatives_at_another_prevalence(run, folder):
    (folder / "one.txt").write_text("0.3 1\n")
    status, output, errors = run("one.txt", "--prevalence", 0.1, "--curve", "out.csv")
    assert status == 0
    assert "nothing can be told of another prevalence" in errors
    assert output.count("undefined") == 7
    assert (folder / "out.csv").read_text().count("\n") == 1


# Forms of files

SEPARATORS = {
    "blank": " ",
    "blanks": "   ",
    "tab": "\t",
    "comma": ",",
    "comma and blank": ", ",
    "blanks round a comma": " \t, ",
}


@pytest.mark.parametrize("separator", SEPARATORS.values(), ids=SEPARATORS)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_list_form(values, separator, end):
    plain = values(EXAMPLE)
    assert values(EXAMPLE.replace(" ", separator).replace("\n", end)) == plain


def test_lists_with_byte_order_mark_comments_and_blank_lines(values):
    lines = EXAMPLE.rstrip().split("\n")
    text = "\ufeff# made by R\n\n" + "\n  \n\t# half\n ".join(lines)  # no line end last
    assert values(text) == values(EXAMPLE)


@pytest.mark.parametrize("separator", [",", "\t", ";", " "])
def test_csv_with_a_header(values, separator):
    rows = ["id,label,score", *(f"x,{y},{s}" for s, y in zip(Y_SCORE, Y_TRUE, strict=True))]
    text = "\n".join(rows).replace(",", separator)
    expected = values(EXAMPLE)
    assert values(text) == expected
    assert values(text, "--score", "score") == expected


def test_csv_with_quotes_blank_lines_and_line_ends_in_fields(values):
    rows = [
        f'"a ""b"", {s}\r\n{y}","{s}", "{y}"' for s, y in zip(Y_SCORE, Y_TRUE, strict=True)
    ]
    text = '\ufeff\r\n"the text","the score",\'\r\n' + "\r\n\r\n".join(rows)
    assert values(text, "--score", "the score", "--label", "'") == values(EXAMPLE)


def test_a_stray_quote_is_text(values):
    text = 'note,score,label\n5" pipe,0.9,1\n6" pipe,0.8,0\n7 pipe,0.1,1\n'
    assert values(text) == values("0.9 1\n0.8 0\n0.1 1")


def test_columns_may_be_chosen_by_unicode_names(values):
    text = "n°;Bewertung;größer?\n1;.9;ja\n2;.8;nein\n3;.5;ja\n"
    columns = ("--score", "Bewertung", "--label", "größer?", "--pos-label", "ja")
    assert values(text, *columns) == values("0.9 1\n0.8 0\n0.5 1")


@pytest.mark.parametrize(
    ("positive", "negative", "options"),
    [
        ("1", "-1", ()),
        ("1.0", "0.0", ()),
        ("+1", "0", ()),
        ("true", "FALSE", ()),
        ("True", "False", ()),
        ("true", "false", ("--pos-label", "TRUE")),
        ("2", "1", ("--pos-label", "2")),
        ("2", "1", ("--pos-label", "2.0")),
        ("-1", "1", ("--pos-label", "-1")),
        ("yes", "no", ("--pos-label", "yes")),
        ("inf", "0", ("--pos-label", "inf")),
        ("é", "É", ("--pos-label", "é")),
    ],
)
def test_labels(values, positive, negative, options):
    lines = (
        f"{s} {positive if y else negative}\n" for s, y in zip(Y_SCORE, Y_TRUE, strict=True)
    )
    assert values("".join(lines), *options) == values(EXAMPLE)


def test_spellings_of_one_label_may_be_mixed(values):
    assert values("0.9 1\n0.8 1.0\n0.7 0\n0.6 -0.0\n") == values("9 1\n8 1\n7 0\n6 0\n")


def test_a_positive_label_that_no_row_has(run, folder):
    (folder / "one.txt").write_text("0.3 no\n0.1 no\n")
    status, output, errors = run("one.txt", "--pos-label", "yes", "--format", "csv")
    assert status == 0
    assert "has no positives" in errors
    assert output.splitlines()[1].startswith("one.txt,2,0,0.0,")


@pytest.mark.parametrize("text", ["-.5", "5.", "1.0E-5", "+1e3", "1e-400", "00.5"])
def test_numbers(values, text):
    found = values(f"1e9 1\n{text} 0\n-1 1\n")
    assert found["auc_pr"] == package.auc_pr_interpolated([1, 0, 1], [1e9, float(text), -1])


def test_standard_input(run, monkeypatch, folder):
    (folder / "example.txt").write_text(EXAMPLE)
    set_stdin(monkeypatch, EXAMPLE.encode())
    _, output, errors = run("-", "example.txt", "--format", "json")
    first, second = json.loads(output)
    assert errors == ""
    assert (first.pop("file"), second.pop("file")) == ("-", "example.txt")
    assert first == second
    set_stdin(monkeypatch, EXAMPLE.encode())
    assert run("-")[1].startswith("standard input\n  n   ")


def test_gzipped_files_and_parquet(run, monkeypatch, folder):
    (folder / "a.txt").write_text(EXAMPLE)
    packed = gzip.compress(EXAMPLE.encode())
    (folder / "a.txt.gz").write_bytes(packed)
    frame = pandas.DataFrame({"y_true": Y_TRUE, "y_score": Y_SCORE})
    frame.to_parquet(folder / "a.parquet")
    frame.to_csv(folder / "a.tsv.gz", sep="\t")
    set_stdin(monkeypatch, packed)
    names = ["a.txt", "a.txt.gz", "-", "a.parquet", "a.tsv.gz"]
    status, output, errors = run(*names, "--format", "json")
    assert (status, errors) == (0, "")
    found = json.loads(output)
    assert [result.pop("file") for result in found] == names
    assert all(result == found[0] for result in found)
    set_stdin(monkeypatch, (folder / "a.parquet").read_bytes())
    assert json.loads(run("-", "--format", "json")[1]) == [{"file": "-"} | found[0]]


def test_without_polars(run, folder, monkeypatch):
    (folder / "a.txt").write_text(EXAMPLE)
    monkeypatch.setitem(sys.modules, "polars", None)
    assert run("a.txt", "--curve", "c.csv") == (
        2,
        "",
        "achievable-pr: error: files are read by Polars. Install it, e.g. pip install "
        "'sklearn-achievable-pr[cli]'.\n",
    )
    assert os.listdir(folder) == ["a.txt"]


def test_unicode_file_names(run, folder):
    (folder / "größe ☃.txt").write_text(EXAMPLE)
    assert run("größe ☃.txt")[1].startswith("größe ☃.txt\n")
    assert json.loads(run("größe ☃.txt", "--format", "json")[1])[0]["file"] == "größe ☃.txt"


def test_control_characters_of_a_name_do_not_reach_the_terminal(run, folder):
    (folder / "a\x1b[2J\n.txt").write_text(EXAMPLE)
    status, output, _ = run("a\x1b[2J\n.txt")
    assert status == 0
    assert output.startswith(r"'a\x1b[2J\n.txt'" + "\n  n ")


# Points


def points_of_example():
    precision, recall, _ = package.pr_curve_interpolated(Y_TRUE, Y_SCORE, interpolate=False)
    fpr = package.pr_to_roc(precision[recall > 0], recall[recall > 0], 0.6)[0]
    return precision, recall, fpr


@pytest.mark.parametrize("order", [1, -1])
def test_points_of_a_precision_recall_curve(values, order):
    precision, recall, _ = points_of_example()
    lines = [f"{r!r} {p!r}\n" for r, p in zip(recall.tolist(), precision.tolist())]  # noqa: B905
    totals = ("--n-pos", 6, "--n-neg", 4)
    found = values(
        "# recall precision\n" + "".join(lines[::order]), "--points", "pr", *totals
    )
    expected = values(EXAMPLE)
    for key, value in expected.items():
        assert found[key] == value or close(found[key], value), key


def test_points_of_a_roc_curve(values):
    _, recall, fpr = points_of_example()
    lines = [f"{f!r}, {r!r}\n" for f, r in zip(fpr.tolist(), recall.tolist(), strict=False)]
    random.Random(0).shuffle(lines)
    totals = ("--n-pos", 6, "--n-neg", 4)
    found = values("0 0\n" + "".join(lines), "--points", "roc", *totals)
    for key, value in values(EXAMPLE).items():
        assert found[key] == value or close(found[key], value), key


def test_points_are_interpolated_as_counts(values):
    arguments = ("--points", "pr", "--n-pos", 20, "--n-neg", 2000)
    found = values("0.5 0.25\n0.25 0.5\n", *arguments)
    counts = {"tps": [5, 10], "fps": [5, 30], "n_pos": 20, "n_neg": 2000}
    assert (found["n"], found["positives"]) == (2020, 20)
    assert close(found["auc_pr"], package.auc_pr_from_counts(**counts))
    hull = package.auc_pr_from_counts(**counts, curve="achievable")
    assert close(found["auc_pr_achievable"], hull)
    found = values("0.5 0.25\n0.25 0.5\n", *arguments, "--prevalence", 0.5)
    assert close(found["auc_pr"], package.auc_pr_from_counts(**counts, prevalence=0.5))


def test_fractional_totals_of_points(values):
    found = values("0.5 0.5\n", "--points", "roc", "--n-pos", 2.5, "--n-neg", 7.5)
    assert (found["n"], found["prevalence"], found["auc_roc"]) == (10.0, 0.25, 0.5)
    assert close(found["auc_pr"], 0.25)


@pytest.mark.parametrize("fine", [0, 1], ids=["fpr", "tpr"])
def test_rates_are_told_apart_to_the_seventh_digit(values, error, fine):
    """Counts that are not whole stay so, and the smallest fall is one."""
    how = ("--points", "roc", "--n-pos", 10**6, "--n-neg", 10**6)
    rates = [(0.1234567, 0.4), (0.1234568, 0.5)]
    rates = [rate[::-1] if fine else rate for rate in rates]
    found = values("".join(f"{fpr!r} {tpr!r}\n" for fpr, tpr in rates), *how)
    fps, tps = np.transpose(rates) * 1e6
    area = package.auc_pr_from_counts(tps, fps, n_pos=10**6, n_neg=10**6)
    assert abs(found["auc_pr"] - area) < 1e-13
    (fpr, low), (higher, high) = rates
    text = f"{fpr!r} {high!r}\n{higher!r} {low!r}\n"
    assert error(text, *how, name="p").startswith(
        "p, line 1: no ranking has this point and that of line 2: "
    )


def test_many_positives_behind_points(values):
    """No step a positive is taken where there are 10**12."""
    found = values("0.5 0.5\n", "--points", "roc", "--n-pos", 1e12, "--n-neg", 1e12)
    assert found["auc_pr_davis_goadrich"] is None
    assert close(found["auc_pr"], 0.5)


def test_curve_of_points(run, folder):
    (folder / "p.txt").write_text("0.25 0.5\n0.5 0.25\n")
    arguments = ("--points", "pr", "--n-pos", 20, "--n-neg", 2000)
    assert run("p.txt", *arguments, "--curve", "c.csv", "--which", "both")[0] == 0
    table = pandas.read_csv("c.csv")
    for kind, part in table.groupby("curve"):
        precision, recall, _ = package.pr_curve_from_counts(
            [5, 10], [5, 30], n_pos=20, n_neg=2000, curve=kind
        )
        np.testing.assert_array_equal(part["recall"], recall)
        np.testing.assert_allclose(part["precision"], precision, rtol=1e-14)
    assert table["threshold"].isna().all()


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("pr", "0.5 0.5\n0.6 0.2\n", "p, line 2: the lowest precision at recall 0.6 is "),
        ("pr", "0.5 0\n", "p, line 1: the lowest precision at recall 0.5 is "),
        (
            "pr",
            "0.5 1.5\n",
            "p, line 1: the precision must be a number within [0, 1], got '1.5'",
        ),
        (
            "pr",
            "-.5 1\n",
            "p, line 1: the recall must be a number within [0, 1], got '-.5'",
        ),
        (
            "roc",
            "0.5 2\n",
            "p, line 1: the true positive rate must be a number within [0, 1]",
        ),
        (
            "roc",
            "x 1\n",
            "p, line 1: the false positive rate must be a number within [0, 1], got 'x'",
        ),
        ("roc", "0 1 1\n", "p, line 1: needs two fields, false positive rate and true"),
        (
            "pr",
            "\n# nothing\n",
            "p: holds no points. Needs recall and precision, one at a rec",
        ),
        ("pr", "0 1\n", "p: holds no points. Needs recall and precision, one at a rec"),
        (
            "pr",
            "0.6 0.9\n\n0.5 0.5\n",
            "p, line 1: no ranking has this point and that of line 3: from 50 to 60 true "
            "positives the false positives fall from 50 to 6.66667. Leave one out; give "
            "rounded points with more digits: '0.6 0.9'",
        ),
        ("roc", "0.1 0.6\n0.2 0.5\n", "p, line 1: no ranking has this point and that of"),
    ],
)
def test_points_that_are_refused(error, kind, text, message):
    totals = ("--n-pos", 100, "--n-neg", 200)
    assert error(text, "--points", kind, *totals, name="p").startswith(message)


def test_a_point_on_the_floor_is_achievable(values):
    text = f"0.3 {30 / 230!r}\n0.7 {70 / 270!r}\n"
    found = values(text, "--points", "pr", "--n-pos", 100, "--n-neg", 200)
    counts = {"tps": [30, 70], "fps": [200, 200], "n_pos": 100, "n_neg": 200}
    assert close(found["auc_pr"], package.auc_pr_from_counts(**counts))


# Files that are refused

BAD_LINES = {
    "third field": ("0.9 1\n0.8 0 1\n", "line 2: needs two fields, score and label, got 3"),
    "one field": ("0.9 1\n0.8\n", "line 2: needs two fields, score and label, got 1"),
    "decimal comma": ("0.9 1\n0,8 1\n", "line 2: needs two fields, score and label, got 3"),
    "empty field": ("0.9,1\n0.8,\n", "line 2: the label is missing"),
    "no score": ("0.9,1\n,1\n", "line 2: the score must be a finite number, got ''"),
    "two commas": ("0.9,1\n0.8,,1\n", "line 2: needs two fields, score and label, got 3"),
    "text": ("0.9 1\n\n\nx 0\n", "line 4: the score must be a finite number, got 'x'"),
    "nan": ("0.9 1\nnan 1\n", "line 2: the score must be a finite number, got 'nan'"),
    "infinity": (
        "0.9 1\n-inf 1\n",
        "line 2: the score must be a finite number, got '-inf'",
    ),
    "overflow": (
        "0.9 1\n1e999 1\n",
        "line 2: the score must be a finite number, got '1e999'",
    ),
    "underscore": (
        "0.9 1\n1_0 1\n",
        "line 2: the score must be a finite number, got '1_0'",
    ),
    "other digits": ("0.9 1\n٣ 1\n", "line 2: the score must be a finite number, got '٣'"),
    "missing label": ("0.9 1\n0.8 NA\n", "line 2: the label is missing"),
    "odd label": ("0.9 1\n0.8 x\n", "line 2: the label 'x' after 1: which of two labels"),
    "first label": ("0.9 yes\n0.8 no\n", "line 1: the label 'yes': which of two labels"),
    "third label": ("0.9 1\n0.8 0\n.7 -1", "line 3: the label -1 after 1 and 0: which of"),
    "carriage return": ("0.9 1\n.8 0\r.7 0\n", "line 2: needs two fields, score and label"),
}


@pytest.mark.parametrize(("text", "message"), BAD_LINES.values(), ids=BAD_LINES)
def test_bad_lines_of_lists(error, text, message):
    found = error(text)
    number = int(re.match(r"line (\d+)", message)[1])
    assert found.startswith(f"scores.txt, {message}")
    assert found.endswith(f": {text.split(chr(10))[number - 1]!r}")


BAD_ROWS = {
    "short": ("0.9,1,1\n0.8,0\n", "line 3: needs 3 fields as the header has, got 2"),
    "long": ("0.9,1,1\n0.8,0,1,\n", "line 3: needs 3 fields as the header has, got 4"),
    "score": (
        "0.9,1,1\n'0.8',0,1\n",
        "line 3: the score must be a finite number, got \"'0.8'\"",
    ),
    "weight": (
        "0.9,1,1\n0.8,0,\n",
        "line 3: the weight must be a finite number, not negative, got ''",
    ),
    "negative weight": (
        "0.9,1,-2\n",
        "line 2: the weight must be a finite number, not negative, got '-2'",
    ),
    "infinite weight": (
        "0.9,1,1e999\n",
        "line 2: the weight must be a finite number, not negative, got '1e999'",
    ),
    "after a long field": (
        '0.9,1,"1"\n"0.8",1,"1\n"\n0.7,2,1\n',
        "line 3: the weight must be a finite number, not negative, got '1\\n'",
    ),
    "not closed": (
        '0.9,1,1\n0.8,0,"1\n0.7,0,1\n',
        "line 3: is no CSV: unexpected end of data",
    ),
    "carriage return": ("0.9,1,1\n0.8,0\rx,1\n", "line 3: is no CSV: new-line character"),
    "long field": (f"0.9,1,1\n{'1' * 200_000},1,1\n", "line 3: is no CSV: field larger"),
}


@pytest.mark.parametrize(("text", "message"), BAD_ROWS.values(), ids=BAD_ROWS)
def test_bad_rows_of_csv(error, text, message):
    found = error("score,label,w\n" + text, "--weight", "w", name="s.csv")
    assert found.startswith(f"s.csv, {message}")
    assert len(found) < 250


NOT_READABLE = {
    "empty": (b"", "holds no scores"),
    "blank": (b"\n \n\t\n", "holds no scores"),
    "comments only": (b"# nothing\n", "holds no scores"),
    "header only": (b"score,label\n", "holds no scores"),
    "zero byte": (
        b"0.9 1\n0.8\x00 1\n",
        r"line 2: the score must be a finite number, got '0.8\x00'",
    ),
    "not UTF-8": (b"0.9 1\n0.8 \xe9\n", "line 2: is not UTF-8 text (byte 0xe9)"),
    "UTF-16": ("0.9 1\n".encode("utf-16"), "line 1: is not UTF-8 text (byte 0xff). Conv"),
    "no gzip": (b"\x1f\x8bx", "cannot be read: "),
    "half of a gzip": (gzip.compress(b"0.9 1\n")[:-9], "cannot be read: Compressed file e"),
    "damaged gzip": (gzip.compress(b"0.9 1\n")[:10] + b"\xff" * 20, "cannot be read: "),
    "no Parquet": (b"PAR1\n0.9 1\n", "cannot be read as Parquet: "),
    "one line": (b"1" * 3_000_000, "line 1: needs two fields, score and label, got 1: '11"),
    "other header": (
        b"a,b\n0.9,1\n",
        "line 1: has no column 'label' or 'y_true'. The columns are 'a', 'b': name those "
        "to read by --score, --label and --weight.",
    ),
}


@pytest.mark.parametrize(("data", "message"), NOT_READABLE.values(), ids=NOT_READABLE)
def test_files_that_are_no_score_files(error, data, message):
    assert error(data).removeprefix("scores.txt")[2:].startswith(message)


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (
            '"a\n' + "1" * 200_000,
            ("--score", "c"),
            "line 1: has no column 'label' or 'y_true'. The columns are none: name those",
        ),
        (
            "a;label\n1;2\n",
            ("--score", "c"),
            "line 1: has no column 'c'. The columns are 'a', 'label': name those to read "
            "by --score, --label and --weight.",
        ),
        ("score,label,score\n", (), "line 1: has two columns 'score'. Rename one."),
        (
            "score,label\n1,a\n2,b\n",
            ("--pos-label", "c"),
            "has no label 'c', as --pos-label",
        ),
        (
            "1 a\n2 b\n3 c\n",
            ("--pos-label", "a"),
            "line 3: a third label, 'c', after 'a' an",
        ),
        (
            "score,label,w\n1,1,0\n",
            ("--weight", "w"),
            "every weight is 0, so no row is left",
        ),
        (
            "score,label,w\n1,1,1e308\n2,0,1e308\n",
            ("--weight", "w"),
            "the sum of the weights is too large. Divide them.",
        ),
    ],
)
def test_options_that_do_not_fit_the_file(error, text, arguments, message):
    assert error(text, *arguments).removeprefix("scores.txt")[2:].startswith(message)


def test_a_positive_label_that_is_none(error):
    found = error("1 1\n2 0\n", "--pos-label", "NA")
    assert found == (
        "scores.txt: has no label 'NA', as --pos-label says. Its labels are 1 and 0."
    )


def test_long_lines_and_control_characters_are_not_shown_as_they_are(error):
    found = error("0.9 1\n\x1b[2J" + "x" * 1000 + " 1\n")
    assert found.endswith(r"'\x1b[2J" + "x" * 56 + "...'")
    assert "\x1b" not in found


def test_files_that_cannot_be_opened(run, folder, monkeypatch):
    (folder / "scores.txt").write_text(EXAMPLE)
    status, output, errors = run("scores.txt", "nothing.txt")
    assert (status, output) == (2, "")
    found = "nothing.txt: cannot be read: No such file or directory.\n"
    assert errors == "achievable-pr: error: " + found

    def denied(*arguments):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(opened, "open", denied, raising=False)
    status, _, errors = run("scores.txt")
    assert (status, errors) == (
        2,
        "achievable-pr: error: scores.txt: cannot be read: Permission denied.\n",
    )


def test_a_file_that_fails_while_it_is_read():
    class Broken(io.BytesIO):
        def readinto(self, buffer):
            raise OSError(5, "Input/output error")

    with pytest.raises(FileError, match="f: cannot be read: Input/output error"):
        read_scores([(io.BufferedReader(Broken()), "f", abs)], "f", ColumnSpec())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "the following arguments are required: FILE"),
        (("f", "--recall-range", "0.5", "0.5"), "--recall-range needs 0 <= A < B <= 1"),
        (
            ("f", "--recall-range", "0", "2"),
            "--recall-range needs 0 <= A < B <= 1, got 0 an",
        ),
        (("f", "--recall-range", "nan", "1"), "--recall-range needs 0 <= A < B <= 1"),
        (("f", "--recall-range", "x", "1"), "argument --recall-range: invalid float value"),
        (("f", "--prevalence", "1"), "--prevalence must lie inside (0, 1), got 1"),
        (("f", "--prevalence", "nan"), "--prevalence must lie inside (0, 1), got nan"),
        (("-", "f", "-"), "- (standard input) can be read only once"),
        (("f", "--points", "pr"), "--points needs both --n-pos and --n-neg"),
        (
            ("f", "--points", "pr", "--n-pos", "1"),
            "--points needs both --n-pos and --n-neg",
        ),
        (("f", "--points", "xy"), "argument --points: invalid choice: 'xy'"),
        (("f", "--n-pos", "10"), "--n-pos and --n-neg belong to --points"),
        (("f", "--n-neg", "0"), "argument --n-neg: invalid count value: '0'"),
        (
            ("f", "--n-neg", "many"),
            "argument --n-neg: invalid count value: 'many'",
        ),
        (
            ("f", "--points", "roc", "--n-pos", "1", "--n-neg", "1", "--pos-label", "1"),
            "--points files have no labels",
        ),
        (
            ("f", "--plot", "f.jpg"),
            "--plot needs a name that ends in .png, .svg or .pdf, go",
        ),
        (("f", "--plot", "a.png", "--curve", "a.png"), "--curve and --plot name one file"),
        (("f", "--curve", "./f"), "'./f' is both read and written: name another output"),
        (("f", "--temp-folder", "./f"), "--temp-folder './f' is also read: name another"),
        (
            ("f", "--interval", "1"),
            "argument --interval: needs a level such as 0.9, got '1'",
        ),
        (
            ("f", "--interval", "nan"),
            "argument --interval: needs a level such as 0.9, got 'nan'",
        ),
        (("f", "--groups", "g"), "--groups belongs to --interval and --compare"),
        (
            ("f", "--points", "pr", "--n-pos", "1", "--n-neg", "1", "--interval"),
            "--interval needs rows: leave it out with --points",
        ),
        (("f", "--compare"), "--compare needs two columns of scores or two files"),
        (
            ("f", "g", "--points", "pr", "--n-pos", "1", "--n-neg", "1", "--compare"),
            "--compare needs rows: leave it out with --points",
        ),
        (
            ("f", "g", "--compare", "--fold", "k"),
            "--compare is of all rows, not of folds: leave out --compare or --fold",
        ),
        (
            ("f", "g", "--fold", "k", "--plot", "p.png"),
            "--plot draws the folds of one column of one file: leave out the others",
        ),
        (
            ("f", "--points", "pr", "--n-pos", "1", "--n-neg", "1", "--fold", "k"),
            "--fold needs rows: leave it out with --points",
        ),
        (("f", "--format", "xml"), "argument --format: invalid choice: 'xml'"),
        (("f", "--prev", "0.1"), "unrecognized arguments: --prev 0.1"),
    ],
)
def test_wrong_arguments(run, arguments, message):
    status, output, errors = run(*arguments)
    assert (status, output) == (2, "")
    assert errors.startswith("usage: achievable-pr")
    assert errors.splitlines()[-1].startswith(f"achievable-pr: error: {message}")


def test_a_part_of_a_folder_is_not_overwritten(run, folder):
    (folder / "parts").mkdir()
    (folder / "parts" / "one.txt").write_text(EXAMPLE)
    status, output, errors = run("parts", "--curve", "parts/one.txt")
    assert (status, output) == (2, "")
    assert errors.endswith(
        "error: 'parts/one.txt' is both read and written: name another output\n"
    )
    assert (folder / "parts" / "one.txt").read_text() == EXAMPLE


def test_help_and_version(run):
    status, output, _ = run("--help")
    assert status == 0
    for word in ("--score", "--points", "--recall-range", "--curve", "--plot", "AUC-ROC"):
        assert word in output
    assert run("--version") == (0, f"achievable-pr {package.__version__}\n", "")


# How sure


def grouped(folder, name="g.csv"):
    """A file with scores, weights and groups of text; the columns as a frame."""
    rng = np.random.default_rng(7)
    n_rows = 60
    frame = pandas.DataFrame(
        {
            "a": rng.normal(size=n_rows),
            "b": rng.integers(0, 6, n_rows),
            "label": rng.integers(0, 2, n_rows),
            "w": rng.integers(0, 3, n_rows),
            "who": [
                f"patient, {i}" if i % 2 else str(i) for i in rng.permutation(n_rows) // 3
            ],
        }
    )
    frame["a"] += frame["label"]
    frame.to_csv(folder / name, index=False)
    frame.to_parquet(folder / f"{name}.parquet")
    return frame


@pytest.mark.parametrize("packed", [False, True], ids=["csv", "parquet"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("clustered", [False, True])
def test_intervals_are_those_of_the_function(run, folder, packed, weighted, clustered):
    frame = grouped(folder)
    file = "g.csv.parquet" if packed else "g.csv"
    asked = [file, "--score", "a", "--score", "b", "--prevalence", 0.2]
    asked += ["--recall-range", 0.2, 0.9, "--format", "json"]
    asked += ["--weight", "w"] if weighted else []
    plain = json.loads(run(*asked)[1])
    asked += ["--groups", "who"] if clustered else []
    status, output, errors = run(*asked, "--interval", 0.9)
    assert (status, errors) == (0, "")
    for found, without, column in zip(json.loads(output), plain, ("a", "b"), strict=True):
        expected = package.auc_pr_interval(
            frame["label"],
            frame[column],
            confidence_level=0.9,
            groups=frame["who"] if clustered else None,
            sample_weight=frame["w"] if weighted else None,
            recall_range=(0.2, 0.9),
            prevalence=0.2,
        )
        low, high = expected.confidence_interval
        assert found.items() >= without.items()
        assert [*found][-4:] == [*INTERVAL_TITLES]
        assert found["confidence_level"] == 0.9
        assert close(found["standard_error"], expected.standard_error)
        assert close(found["confidence_low"], low)
        assert close(found["confidence_high"], high)


def test_the_level_of_an_interval_is_95_per_cent(run, folder):
    grouped(folder)
    asked = ("g.csv", "--score", "a")
    assert run(*asked, "--interval") == run(*asked, "--interval", 0.95)
    header, _ = run(*asked, "--interval", "--format", "csv")[1].splitlines()
    assert header.endswith(",".join(["", *INTERVAL_TITLES]))


def test_intervals_without_a_class_or_a_spread(run, folder):
    (folder / "none.txt").write_text("0.3 0\n0.1 0\n")
    status, output, errors = run("none.txt", "--interval", "--format", "json")
    assert status == 0
    assert errors.count("warning") == 1
    assert json.loads(output)[0]["confidence_low"] is None
    (folder / "one.txt").write_text("0.3 1\n0.2 0\n0.1 0\n")
    status, output, errors = run("one.txt", "--interval", "--format", "json")
    found = json.loads(output)[0]
    assert (found["standard_error"], found["confidence_low"]) == (None, 0)
    assert errors == (
        "achievable-pr: warning: one.txt: nothing is known about the spread: all positive "
        "samples of y_true, or all their weight, are one row.\n"
    )


@pytest.mark.parametrize("clustered", [False, True])
def test_pairs_are_those_of_the_function(run, folder, clustered):
    frame = grouped(folder)
    frame["c"] = frame["a"] + frame["b"]
    frame.to_csv(folder / "g.csv")
    asked = ["g.csv", "--score", "a", "--score", "b", "--score", "c", "--weight", "w"]
    asked += ["--compare", "--prevalence", 0.2, "--recall-range", 0.2, 0.9]
    asked += ["--groups", "who", "--interval", 0.9] if clustered else []
    status, output, errors = run(*asked, "--format", "json")
    assert (status, errors) == (0, "")
    both = json.loads(output)
    assert [row["score"] for row in both["results"]] == ["a", "b", "c"]
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    assert [(row["first"], row["second"]) for row in both["pairs"]] == pairs
    for row in both["pairs"]:
        expected = package.compare_auc_pr(
            frame["label"],
            frame[row["first"]],
            frame[row["second"]],
            confidence_level=0.9 if clustered else 0.95,
            groups=frame["who"] if clustered else None,
            sample_weight=frame["w"],
            recall_range=(0.2, 0.9),
            prevalence=0.2,
        )
        found = [row[key] for key in ("difference", "standard_error", "pvalue")]
        found += [row["confidence_low"], row["confidence_high"]]
        values = [expected.difference, expected.standard_error, expected.pvalue]
        assert all(map(close, found, [*values, *expected.confidence_interval]))
        assert row["confidence_level"] == (0.9 if clustered else 0.95)
    lowest, middle, highest = sorted(both["pairs"], key=lambda row: row["pvalue"])
    first = min(1, 3 * lowest["pvalue"])
    second = min(1, max(first, 2 * middle["pvalue"]))
    assert close(lowest["pvalue_holm"], first)
    assert close(middle["pvalue_holm"], second)
    assert close(highest["pvalue_holm"], max(second, highest["pvalue"]))
    _, _, text = run(*asked, "--format", "csv")[1].partition("\n\n")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [{k: str(v) for k, v in row.items()} for row in both["pairs"]] == rows
    lines = run(*asked)[1].partition("\n\n")[2].splitlines()
    assert [tuple(line.split()[:2]) for line in lines[2:]] == pairs


def test_p_values_corrected_by_holm():
    """By hand: 4 x .01, 3 x .02 and, not below it, 2 x .025, then 1 x .9."""
    found = holm(np.array([0.9, 0.02, 0.01, 0.025]))
    assert found.tolist() == pytest.approx([0.9, 0.06, 0.04, 0.06], rel=1e-15)
    assert holm(np.array([0.5, 0.6])).tolist() == [1, 1]
    assert holm(np.array([np.nan, 0.1])).tolist() == pytest.approx(
        [np.nan, 0.2], nan_ok=True
    )


def test_files_are_compared_if_they_are_of_the_same_rows(run, folder):
    frame = grouped(folder)
    frame.to_csv(folder / "a.csv", columns=["a", "label", "w", "who"])
    told = ("--score", "a", "--compare", "--weight", "w", "--groups", "who")
    frame.assign(a=frame["b"]).to_csv(folder / "b.csv")
    found = json.loads(run("a.csv", "b.csv", *told, "--format", "json")[1])["pairs"]
    one = run("g.csv", "--score", "a", "--score", "b", *told[2:], "--format", "json")[1]
    assert [found[0] | {"first": "a", "second": "b"}] == json.loads(one)["pairs"]
    assert (found[0]["first"], found[0]["second"]) == ("a.csv", "b.csv")
    heavy = frame.index[frame["w"] > 0]
    row = 4
    for column, value, what in (
        ("label", 1 - frame["label"][heavy[row]], "labels"),
        ("w", 5, "weights"),
        ("who", "nobody", "groups"),
    ):
        other = frame.copy()
        other.loc[heavy[row], column] = value
        other.to_csv(folder / "b.csv")
        assert run("a.csv", "b.csv", *told) == (
            2,
            "",
            f"achievable-pr: error: b.csv: its {what} are not those of a.csv, first in row "
            "5: --compare needs the same rows in the same order.\n",
        )
    frame.iloc[: heavy[-1]].to_csv(folder / "b.csv")
    n_rows = len(heavy)
    assert (
        f"b.csv: has {n_rows - 1} rows, a.csv has {n_rows}: --compare needs"
        in (run("a.csv", "b.csv", *told)[2])
    )


def test_nothing_to_compare_without_a_class(run, folder):
    (folder / "none.txt").write_text("0.3 0\n0.1 0\n")
    errors = run("none.txt", "none.txt", "--compare")[2]
    assert errors == (
        "achievable-pr: error: none.txt: --compare needs rows of both classes.\n"
    )


def test_a_row_without_a_group_is_refused(error):
    text = "score,label,g\n0.9,1,x\n0.8,0,\n"
    found = error(text, "--interval", "--groups", "g")
    assert found == "scores.txt, line 3: the column 'g' is empty: '0.8,0,'"
    found = error(text, "--interval", "--groups", "h")
    assert found.startswith("scores.txt, line 1: has no column 'h'. The columns are ")
    frame = pandas.DataFrame({"score": [1, 2], "label": [1, 0], "g": [1.5, None]})
    found = error(frame.to_parquet(), "--interval", "--groups", "g")
    assert found == "scores.txt, row 2: the column 'g' is empty."


# Folds


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_folds_and_their_summary(run, folder, weighted, prevalence):
    frame = grouped(folder)
    frame["k"] = [f"fold {i % 2}" for i in range(len(frame))]
    frame.to_csv(folder / "g.csv", index=False)
    asked = ["g.csv", "--score", "a", "--score", "b", "--fold", "k"]
    asked += ["--recall-range", 0.2, 0.9, "--interval"]
    asked += ["--weight", "w"] if weighted else ["--groups", "who"]
    asked += ["--prevalence", prevalence] if prevalence else []
    status, output, errors = run(*asked, "--format", "json")
    assert (status, errors) == (0, "")
    rows = json.loads(output)
    names = ["fold 0", "fold 1", None]
    assert [(r["score"], r["fold"]) for r in rows] == [(s, f) for s in "ab" for f in names]
    fraction = float(np.average(frame["label"], weights=frame["w"] if weighted else None))
    for row in rows:
        how = {"recall_range": (0.2, 0.9), "prevalence": prevalence or fraction}
        assert close(row["assumed_prevalence"], how["prevalence"])
        if row["fold"] is not None:
            part = frame[frame["k"] == row["fold"]]
            data = {"y_true": part["label"], "y_score": part[row["score"]]}
            data["sample_weight"] = part["w"] if weighted else None
            assert close(row["auc_pr"], package.auc_pr_interpolated(**data, **how))
            groups = None if weighted else part["who"]
            found = package.auc_pr_interval(**data, **how, groups=groups)
            assert close(row["standard_error"], found.standard_error)
            continue
        folds = [part for _, part in frame.groupby("k")]
        data = {
            "y_true": [part["label"] for part in folds],
            "y_score": [part[row["score"]] for part in folds],
            "sample_weight": [part["w"] for part in folds] if weighted else None,
            **how,
        }
        area = package.summary_auc_pr
        assert close(row["prevalence"], fraction)
        assert close(row["auc_pr"], area(**data))
        assert close(row["auc_pr_achievable"], area(**data, curve="achievable"))
        assert close(row["aucnpr"], area(**data, metric="aucnpr"))
        floor = package.auc_pr_min(how["prevalence"], (0.2, 0.9))
        assert close(row["auc_pr_min"], floor)
        assert (
            row["n"] == sum(r["n"] for r in rows if r["score"] == row["score"]) - row["n"]
        )
        assert row["average_precision"] is row["auc_roc"] is row["standard_error"] is None
    lines = run(*asked)[1].splitlines()
    assert [line.split()[2] for line in lines[2:]] == ["fold", "fold", "summary"] * 2


def test_folds_are_drawn_with_their_summary(run, folder, drawn):
    frame = grouped(folder).assign(k=np.arange(60) % 3)
    frame.to_csv(folder / "g.csv", index=False)
    asked = ("g.csv", "--score", "a", "--fold", "k", "--recall-range", 0.2, 1)
    status, _, errors = run(*asked, "--curve", "c.csv", "--plot", "p.png")
    assert (status, errors) == (0, "")
    legend = "\n".join(legend_of(drawn[0]))
    folds = [part for _, part in frame.groupby("k")]
    data = [part["label"] for part in folds], [part["a"] for part in folds]
    area = package.summary_auc_pr(*data, recall_range=(0.2, 1))
    assert f"{area:.2f}" in legend
    assert "folds" in legend
    table = pandas.read_csv("c.csv")
    assert [*table.columns[:3]] == ["file", "fold", "curve"]
    precision, recall = package.summary_pr_curve(*data)
    summary = table[table["fold"].isna()]
    np.testing.assert_allclose(summary["precision"], precision, rtol=1e-14)
    np.testing.assert_allclose(summary["recall"], recall, rtol=1e-14)
    assert summary["threshold"].isna().all()


def test_folds_without_a_class(run, folder):
    text = "k,score,label\nx,3,1\nx,2,0\ny,2,0\ny,1,0\n"
    (folder / "f.csv").write_text(text)
    status, output, errors = run("f.csv", "--fold", "k", "--format", "json")
    assert status == 0
    assert errors == (
        "achievable-pr: warning: f.csv: fold y has no positives: every area is undefined.\n"
    )
    first, second, summary = json.loads(output)
    assert (first["auc_pr"], second["auc_pr"], summary["auc_pr"]) == (1, None, 1)
    assert summary["assumed_prevalence"] == 0.25
    (folder / "f.csv").write_text(text.replace("x,2,0", "z,2,0"))
    assert run("f.csv", "--fold", "k")[2] == (
        "achievable-pr: error: f.csv: --fold: no fold has rows of both classes.\n"
    )


def test_folds_of_other_prevalences_are_warned_of(run, folder):
    rows = [
        f"{k},{i % 97},{int(i % 10 < few)}"
        for k, few in ((1, 1), (2, 8))
        for i in range(200)
    ]
    (folder / "f.csv").write_text("\n".join(["k,score,label", *rows]))
    errors = run("f.csv", "--fold", "k")[2]
    assert "f.csv: the folds' prevalences, 0.1 to 0.8, differ by more than chance" in errors
    assert run("f.csv", "--fold", "k", "--prevalence", 0.5)[2] == ""


# What is printed


def test_formats_hold_the_same_values(run, folder):
    (folder / "a.txt").write_text(EXAMPLE)
    (folder / "b,c.txt").write_text("0.3 0\n0.1 0\n")
    files = ("a.txt", "b,c.txt")
    objects = json.loads(run(*files, "--format", "json")[1])
    rows = list(csv.DictReader(io.StringIO(run(*files, "--format", "csv")[1])))
    for found, row in zip(objects, rows, strict=True):
        assert [*found] == [*row] == ["file", *results._OF_WHAT, *results._EXACT]
        assert {k: "" if v is None else str(v) for k, v in found.items()} == row
    names = [line.split()[0] for line in run(*files)[1].splitlines()]
    assert names[1:] == ["file", "a.txt", "b,c.txt"]


def test_several_files_are_lines_of_one_table(run, folder):
    (folder / "a.txt").write_text(EXAMPLE)
    (folder / "none").write_text("0.3 0\n0.1 0\n")
    head, titles, first, second = map(str.split, run("a.txt", "none")[1].splitlines())
    assert " ".join(head) == "AUC-PR, AUC-PR, floor of AUC-PR, as average"
    assert " ".join(titles) == (
        "file n positives prevalence exact achievable AUCNPR AUC-PR AUCCalculator "
        "precision AUC-ROC"
    )
    alone = [line.split()[-1] for line in run("a.txt")[1].splitlines()]
    assert first == alone
    assert second == ["none", "2", "0", "0.000000", *["undefined"] * 7]
    table = run("a.txt", "none", "--recall-range", 0.25, 1, "--prevalence", 0.001)[1]
    head, titles, first, _ = map(str.split, table.splitlines())
    assert head[:3] == ["assumed", "from", "to"]
    assert titles[3:7] == ["prevalence", "prevalence", "recall", "recall"]
    assert first[3:7] == ["0.600000", "0.001", "0.25", "1"]


def three_scores(folder, name="s.csv"):
    """A file with three columns of scores, weighted; the columns as arrays."""
    rng = np.random.default_rng(5)
    y_true, weight = rng.integers(0, 2, 40), rng.integers(0, 3, 40)
    scores = {"a": rng.normal(size=40), "b c": rng.integers(0, 5, 40), "_d": y_true + 0.0}
    frame = pandas.DataFrame({**scores, "y_true": y_true, "w": weight})
    frame.to_csv(folder / name, index=False)
    return y_true, scores, weight


@pytest.mark.parametrize("weighted", [False, True])
def test_several_columns_of_scores_are_lines_of_one_table(run, folder, weighted):
    y_true, scores, weight = three_scores(folder)
    told = ["s.csv", *(["--weight", "w"] if weighted else [])]
    asked = [word for column in scores for word in ("--score", column)]
    status, output, errors = run(*told, *asked, "--format", "json")
    assert (status, errors) == (0, "")
    found = json.loads(output)
    assert [(r["file"], r["score"]) for r in found] == [("s.csv", c) for c in scores]
    for result, (column, score) in zip(found, scores.items(), strict=True):
        alone = json.loads(run(*told, "--score", column, "--format", "json")[1])[0]
        assert {**alone, "score": column} == result
        area = package.auc_pr_interpolated(
            y_true, score, sample_weight=weight if weighted else None
        )
        assert close(result["auc_pr"], area)
    rows = list(csv.DictReader(io.StringIO(run(*told, *asked, "--format", "csv")[1])))
    assert [row["score"] for row in rows] == [*scores]
    table = run(*told, *asked)[1].splitlines()
    assert table[1].split()[:3] == ["file", "score", "n"]
    assert [line[7:10] for line in table[2:]] == ["a  ", "b c", "_d "]


def test_curves_of_several_columns_say_which(run, folder, drawn):
    _, scores, _ = three_scores(folder)
    asked = [word for column in scores for word in ("--score", column)]
    assert run("s.csv", *asked, "--curve", "c.csv", "--plot", "p.png")[0] == 0
    table = pandas.read_csv("c.csv")
    assert [*table.columns[:3]] == ["file", "score", "curve"]
    assert [*table["score"].unique()] == [*scores]
    names = [text.splitlines()[0] for text in legend_of(drawn[0])]
    assert names[:3] == ["s.csv: a", "s.csv: b c", "s.csv: _d"]


def test_a_column_named_twice_is_read_once(run, folder):
    three_scores(folder)
    twice = ("--score", "a", "--score", "a")
    assert run("s.csv", *twice) == run("s.csv", "--score", "a")


def test_scores_are_sorted_once(run, folder, monkeypatch):
    _, scores, _ = three_scores(folder)
    asked = [word for column in scores for word in ("--score", column)]
    sorts = []
    for name in ("by_falling_score", "sort_samples"):
        way = getattr(sorting, name)
        monkeypatch.setattr(
            sorting, name, lambda *a, way=way, **k: sorts.append(1) or way(*a, **k)
        )
    assert (
        run("s.csv", *asked, "--curve", "c.csv", "--plot", "p.png", "--which", "both")[0]
        == 0
    )
    assert len(sorts) == 3


def test_values_from_a_thousandth_up_have_six_digits(run, folder):
    (folder / "p").write_text("1 1\n")
    totals = ("--points", "roc", "--n-pos")
    table = run("p", *totals, 3, "--n-neg", 1997)[1]
    assert re.search(r"^  prevalence +0\.001500$", table, flags=re.MULTILINE)
    table = run("p", *totals, 3, "--n-neg", 3997)[1]
    assert re.search(r"^  prevalence +0\.00075$", table, flags=re.MULTILINE)


def test_table_shows_what_was_asked(run, folder):
    (folder / "a.txt").write_text(EXAMPLE)
    table = run("a.txt", "--recall-range", 0.25, 1, "--prevalence", 0.001)[1]
    assert re.search(r"^  assumed prevalence +0\.001$", table, flags=re.MULTILINE)
    assert re.search(r"^  from recall +0\.25$", table, flags=re.MULTILINE)
    assert re.search(r"^  to recall +1$", table, flags=re.MULTILINE)
    floor = package.auc_pr_min(0.001, (0.25, 1.0))
    assert re.search(rf"^  floor of AUC-PR +{floor:.6g}$", table, flags=re.MULTILINE)


def test_nothing_is_printed_if_one_file_is_bad(run, folder):
    (folder / "good.txt").write_text(EXAMPLE)
    (folder / "bad.txt").write_text("0.9 1\nx\n")
    status, output, errors = run(
        "good.txt", "bad.txt", "--curve", "c.csv", "--plot", "p.svg"
    )
    assert (status, output) == (2, "")
    assert errors.startswith("achievable-pr: error: bad.txt, line 2: ")
    assert sorted(os.listdir(folder)) == ["bad.txt", "good.txt"]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_only_on_a_terminal(folder, monkeypatch, capsys):
    (folder / "large.txt").write_text(EXAMPLE * 20_000)
    times = iter(range(1000))
    monkeypatch.setattr(opened.time, "monotonic", lambda: next(times))
    assert program.main(["large.txt"]) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert program.main(["large.txt"]) == 0
    shown = sys.stderr.getvalue()
    assert re.search(r"\r\x1b\[Kreading large\.txt: 1 MB, \d+%", shown)
    assert shown.endswith("\r\x1b[K")
    monkeypatch.setattr(sys, "stderr", Terminal())
    set_stdin(monkeypatch, (EXAMPLE * 20_000).encode())
    assert program.main(["-"]) == 0
    assert re.search(r"reading standard input: \d+ MB\r", sys.stderr.getvalue())


def test_output_in_a_narrow_encoding(folder, monkeypatch):
    (folder / "☃.txt").write_text(EXAMPLE)
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert program.main(["☃.txt"]) == 0
    assert raw.getvalue().startswith(rb"\u2603.txt")


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e300])
def test_only_ratios_of_weights_matter(run, folder, size):
    frame = pandas.DataFrame({"score": Y_SCORE, "label": Y_TRUE, "w": [1.0, 2.0] * 5})
    found = []
    for unit in (1.0, size):
        frame.assign(w=unit * frame.w).to_csv(folder / "w.csv", index=False)
        output = run("w.csv", "--weight", "w", "--interval", "--format", "csv")[1]
        found.append(pandas.read_csv(io.StringIO(output)))
    pandas.testing.assert_frame_equal(*found, rtol=1e-13, atol=0)


# Files larger than memory


def many_rows(folder, n_rows=5000):
    """The same rows as CSV, Parquet and a folder of both; labels and columns."""
    rng = np.random.default_rng(0)
    y_true = rng.random(n_rows) < 0.2
    frame = pandas.DataFrame(
        {
            "label": y_true.astype(int),
            "a": rng.normal(size=n_rows) + y_true,
            "b": (rng.integers(0, 50, n_rows) + 5 * y_true) / 50,
            "w": rng.integers(0, 5, n_rows) / 4,
        }
    )
    frame.to_csv(folder / "m.csv", index=False)
    frame.to_csv(folder / "m.csv.gz", index=False)
    frame.to_parquet(folder / "m.parquet", row_group_size=1000)
    (folder / "parts").mkdir()
    (folder / "parts" / "_marks").write_text("no scores")
    frame[:1500].to_parquet(folder / "parts" / "part-0.parquet")
    frame[1500:1500].to_parquet(folder / "parts" / "part-1.parquet")
    frame[1500:].to_csv(folder / "parts" / "part-2.csv", index=False)
    return frame


@pytest.fixture
def little_memory(monkeypatch):
    """Rows of more than a tenth of the test's file do not fit."""
    for name in ("_COPIES", "_COPIES_FOR_CURVES"):
        monkeypatch.setattr(beyond_memory, name, 2**26 / 1000)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ["m.csv", "m.csv.gz", "m.parquet", "parts"])
@pytest.mark.parametrize(
    "options", [(), ("--recall-range", "0.2", "0.9", "--prevalence", "0.01")]
)
def test_files_larger_than_memory(run, folder, monkeypatch, name, weighted, options):
    many_rows(folder)
    temporary = folder / "temporary"
    temporary.mkdir()
    asked = [name, "--score", "a", "--score", "b", "--format", "json", *options]
    asked += ["--weight", "w"] if weighted else []
    expected = json.loads(run(*asked)[1])
    monkeypatch.setattr(beyond_memory, "_COPIES", 2**26 / 1000)
    status, output, errors = run(*asked, "--max-memory", "64M", "--temp-folder", temporary)
    assert status == 0
    assert errors == (
        f"achievable-pr: warning: {name}: does not fit into 64 MiB of memory: its rows "
        "were sorted in temporary files, for the areas and nothing else.\n"
    )
    assert not any(temporary.iterdir())
    found = json.loads(output)
    assert [result["score"] for result in found] == ["a", "b"]
    absent = {"auc_pr_davis_goadrich", "average_precision", "auc_roc"}
    for result, other in zip(found, expected, strict=True):
        assert [*result] == [*other]
        for key, value in result.items():
            if key in absent:
                assert value is None
            elif isinstance(value, float):
                assert value == pytest.approx(other[key], rel=1e-13 if weighted else 1e-15)
            else:
                assert value == other[key]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ["m.csv", "m.parquet", "parts", "-"])
@pytest.mark.parametrize(
    "options", [(), ("--recall-range", "0.2", "0.9", "--prevalence", "0.01")]
)
def test_bounds(run, folder, monkeypatch, name, weighted, options):
    many_rows(folder)
    set_stdin(monkeypatch, (folder / "m.csv.gz").read_bytes())
    asked = ["--score", "a", "--score", "b", "--format", "json", *options]
    asked += ["--weight", "w"] if weighted else []
    expected = json.loads(run("m.csv", *asked)[1])
    status, output, errors = run(name, *asked, "--bounds")
    assert (status, errors) == (0, "")
    for result, other in zip(json.loads(output), expected, strict=True):
        for key in ("n", "positives", "recall_low", "assumed_prevalence"):
            assert result.pop(key) == other[key]
        for key in ("prevalence", "auc_pr_min"):
            assert close(result.pop(key), other[key])
        for key in ("auc_pr", "auc_pr_achievable", "aucnpr"):
            low, about, high = (
                result.pop(f"{key}_{end}") for end in ("low", "estimate", "high")
            )
            assert low <= other[key] <= high
            assert low <= about <= high
            assert high - low < 1e-3
        assert set(result) == {"file", "score", "recall_high"}


def test_bounds_are_rounded_outward(run, folder):
    many_rows(folder)
    found = json.loads(run("m.csv", "--score", "a", "--bounds", "--format", "json")[1])[0]
    table = run("m.csv", "--score", "a", "--bounds")[1]
    low, high = (
        float(re.search(rf"  AUC-PR, {end} +(\S+)", table)[1])
        for end in ("lowest", "highest")
    )
    assert found["auc_pr_low"] - 1e-6 < low <= found["auc_pr_low"]
    assert found["auc_pr_high"] <= high < found["auc_pr_high"] + 1e-6


def test_bounds_hold_the_exact_area_of_a_perfect_ranking(run, folder):
    """The exact area may be above the largest one by the rounding of its sum."""
    rng, y_true, y_score = np.random.default_rng(0), np.arange(30) >= 10, np.arange(30)
    weight = next(
        weight
        for weight in (rng.random(30) for _ in range(1000))
        if package.auc_pr_interpolated(y_true, y_score, sample_weight=weight) > 1
    )
    frame = pandas.DataFrame({"score": y_score, "label": y_true.astype(int), "w": weight})
    frame.to_csv(folder / "w.csv", index=False)
    found, bounds = (
        json.loads(run("w.csv", "--weight", "w", "--format", "json", *more)[1])[0]
        for more in ((), ("--bounds",))
    )
    assert 1 < found["auc_pr"] <= bounds["auc_pr_high"]
    table = run("w.csv", "--weight", "w", "--bounds")[1]
    assert re.search(r"AUC-PR, highest +1\.000000\n", table)


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [
        (0.00012345678, "0.000123456", "0.000123457"),
        (1e-9, "0.000000001", "0.00000000100001"),
        (0.25, "0.250000", "0.250000"),
        (0.1, "0.100000", "0.100001"),  # a double above a tenth
        (0.0, "0.000000", "0.000000"),
        (0.9999999999, "0.999999", "1.000000"),
    ],
)
def test_cells_of_bounds(value, low, high):
    assert printing._cell("auc_pr_low", value) == low
    assert printing._cell("auc_pr_high", value) == high


@pytest.mark.parametrize("label", [0, 1])
def test_a_missing_class_beyond_memory(run, folder, little_memory, label):
    scores = np.random.default_rng(0).normal(size=3000)
    frame = pandas.DataFrame({"score": scores, "label": label})
    frame.to_parquet(folder / "one.parquet")
    expected = run("one.parquet", "--max-memory", "1T", "--format", "json")
    found = run("one.parquet", "--max-memory", "64M", "--format", "json")
    message = expected[2].replace("AUCNPR and AUC-ROC are", "AUCNPR is")
    assert found[2].startswith(message)
    keys = ("auc_pr", "auc_pr_achievable", "aucnpr", "auc_pr_min", "prevalence")
    first, second = (json.loads(text[1])[0] for text in (expected, found))
    assert [first[key] for key in keys] == [second[key] for key in keys]
    status, output, errors = run("one.parquet", "--bounds", "--format", "json")
    assert (status, errors) == (0, message)
    bounds = json.loads(output)[0]
    if label:
        assert bounds["auc_pr_low"] == pytest.approx(first["auc_pr"], rel=1e-12)
    else:
        assert bounds["auc_pr_low"] is None
    assert bounds["aucnpr_high"] is None


@pytest.mark.parametrize(
    "option",
    [
        ("--interval",),
        ("--fold", "w"),
        ("--curve", "c.csv"),
        ("--plot", "p.png"),
        ("--compare", "--score", "b"),
    ],
)
def test_what_needs_all_rows_is_refused_beyond_memory(run, folder, little_memory, option):
    many_rows(folder)
    before = sorted(os.listdir(folder))
    found = run("m.csv", "--score", "a", "--max-memory", "64M", *option)
    assert found == (
        2,
        "",
        "achievable-pr: error: m.csv: does not fit into 64 MiB of memory, and "
        f"{option[0]} needs all rows. Raise --max-memory.\n",
    )
    assert sorted(os.listdir(folder)) == before
    status, output, errors = run("m.csv", "--score", "a", "--bounds", *option)
    assert (status, output) == (2, "")
    assert f"{option[0]} needs every row, --bounds keeps counts" in errors


def test_standard_input_is_read_once(run, folder, little_memory, monkeypatch):
    many_rows(folder)
    set_stdin(monkeypatch, (folder / "m.csv").read_bytes())
    status, output, errors = run("-", "--score", "a", "--max-memory", "64M")
    assert (status, output) == (2, "")
    assert errors == (
        "achievable-pr: error: standard input: does not fit into 64 MiB of memory, and it "
        "can be read only once. Raise --max-memory, or use --bounds.\n"
    )


def test_a_line_that_cannot_be_used_is_found_beyond_memory(run, folder, little_memory):
    many_rows(folder)
    with (folder / "m.csv").open("a") as file:
        file.write("1,x,0,1\n")
    for option in (("--max-memory", "64M", "--temp-folder", "."), ("--bounds",)):
        status, output, errors = run("m.csv", "--score", "a", *option)
        assert (status, output) == (2, "")
        found = "m.csv, line 5002: the score must be a finite number, got 'x': '1,x,0,1'\n"
        assert errors == f"achievable-pr: error: {found}"
    assert not any(path.name.startswith("achievable_pr_") for path in folder.iterdir())


@pytest.mark.parametrize("options", [(), ("--weight", "w")])
@pytest.mark.parametrize("change", ["rows", "labels", "scores", "order", "weights"])
def test_a_file_that_is_changed_while_it_is_read(
    run, folder, little_memory, monkeypatch, change, options
):
    frame = many_rows(folder)
    before = sorted(os.listdir(folder))
    changed = {
        "rows": frame[:-1],
        "labels": frame.assign(label=1 - frame["label"]),
        "scores": frame.assign(a=-frame["a"]),
        "order": frame[::-1],
        "weights": frame.assign(w=2 * frame["w"]),
    }[change]
    rows, passes = beyond_memory._Rows.__call__, []

    def meanwhile(self):
        if passes:
            changed.to_csv(folder / "m.csv", index=False)
        passes.append(self)
        return rows(self)

    monkeypatch.setattr(beyond_memory._Rows, "__call__", meanwhile)
    asked = ("--score", "a", "--max-memory", "64M", "--temp-folder", ".", *options)
    status, output, errors = run("m.csv", *asked)
    assert len(passes) == 2
    assert sorted(os.listdir(folder)) == before
    if change == "weights" and not options:
        assert status == 0
        return
    assert (status, output) == (2, "")
    assert errors == (
        "achievable-pr: error: m.csv: was changed while it was read: its rows are not "
        "those counted before. Run it again when nothing writes to it.\n"
    )


def test_weights_too_large_for_bounds(error):
    text = "score,label,w\n1,1,1e251\n2,0,1\n"
    assert error(text, "--weight", "w", "--bounds") == (
        "scores.txt: --bounds needs weights up to 1e+250, got 1e+251. Divide all of them "
        "by one number."
    )


def test_a_class_of_next_to_no_weight(run, folder, little_memory):
    """The prevalence is rounded to 1, and there are negatives nevertheless."""
    rows = [f"{i},{i % 2},{1e10 if i % 2 else 1e-10!r}" for i in range(2000)]
    (folder / "w.csv").write_text("\n".join(["score,label,w", *rows]))
    options = ("--weight", "w", "--recall-range", "0.5", "1", "--format", "json")
    for more in (("--bounds",), ("--max-memory", "64M"), ("--max-memory", "4G")):
        status, output, _ = run("w.csv", *options, *more)
        assert status == 0
        assert json.loads(output)[0]["auc_pr_min"] == 0.5


def test_a_place_for_temporary_files_that_is_none(run, folder, little_memory):
    many_rows(folder)
    asked = ("--score", "a", "--max-memory", "64M", "--temp-folder", "nowhere")
    assert run("m.csv", *asked) == (
        2,
        "",
        "achievable-pr: error: temporary files in nowhere, see --temp-folder: cannot be "
        "written: No such file or directory.\n",
    )


@pytest.mark.parametrize(
    ("text", "size"),
    [("64M", 2**26), ("1.5g", 3 * 2**29), ("100000000", 10**8), ("2T", 2**41)],
)
def test_sizes_of_memory(text, size):
    assert beyond_memory.size_of(text) == size


@pytest.mark.parametrize(
    "text",
    ["63M", "0", "-1G", "G", "4GB", "nan", "inf", "", "1e9G", "400MG", 400 * "9" + "G"],
)
def test_sizes_that_are_none(run, folder, text):
    status, output, errors = run("a.txt", f"--max-memory={text}")
    assert (status, output) == (2, "")
    assert (
        f"--max-memory: needs 64M or more, a number with M or G such as 4G, got {text!r}"
        in errors
    )


def test_half_of_the_machine_is_taken():
    memory = beyond_memory.memory_of_machine()
    assert 2**26 < memory < 2**50
    if Path("/proc/meminfo").exists():
        found = re.search(r"MemTotal: +(\d+) kB", Path("/proc/meminfo").read_text())
        assert memory <= 1024 * int(found[1])


def test_a_rounded_point_on_the_floor_stays_on_it(run, folder):
    """Its negatives would be more than there are, by the rounding of the precision."""
    (folder / "p").write_text("1 0.4444444444\n")
    totals = ("--points", "pr", "--n-pos", 2, "--n-neg", 2.5)
    status, output, errors = run("p", *totals, "--format", "json")
    assert (status, errors) == (0, "")
    assert json.loads(output)[0]["aucnpr"] == pytest.approx(
        package.aucnpr_from_counts([2], [2.5], n_pos=2, n_neg=2.5), abs=1e-12
    )


def test_rows_may_take_so_much_memory():
    def room(**options):
        given = {"max_memory": None, "curve": None, "plot": None} | options
        return beyond_memory.room_for_rows(argparse.Namespace(**given))

    assert room() == room(max_memory=beyond_memory.memory_of_machine() // 2)
    assert 4 * room(max_memory=2**30) < 2**30
    assert room(plot="p.png") == room(curve="c.csv") < room() / 2


def test_what_can_be_read_again(folder):
    (folder / "parts").mkdir()
    (folder / "parts" / "a.txt").write_text(EXAMPLE)
    assert opened.can_be_read_again("parts")
    assert opened.can_be_read_again("parts/a.txt")
    os.mkfifo(folder / "parts" / "b.txt")
    assert not any(map(opened.can_be_read_again, ["parts", "parts/b.txt", "-"]))


def test_folders(run, folder):
    many_rows(folder)
    whole = json.loads(run("m.csv", "--score", "a", "--format", "json")[1])[0]
    found = json.loads(run("parts", "--score", "a", "--format", "json")[1])[0]
    assert found == whole | {"file": "parts"}
    (folder / "empty").mkdir()
    (folder / "empty" / ".hidden").write_text(EXAMPLE)
    assert "empty: is a folder without files." in run("empty")[2]
    (folder / "parts" / "label=1").mkdir()
    message = "parts: has a folder in it, label=1. Name files."
    assert run("parts") == (2, "", f"achievable-pr: error: {message}\n")
    points = ("--points", "pr", "--n-pos", "1", "--n-neg", "1")
    assert "parts: is a folder: --points reads files." in run("parts", *points)[2]
    (folder / "parts" / "label=1").rmdir()
    (folder / "parts" / "part-3.csv").write_text("a,label\n0.5,2\n")
    assert (
        "parts/part-3.csv, line 2: the label 2 after 0 and 1"
        in run("parts", "--score", "a")[2]
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("--bounds", "--points", "pr", "--n-pos", "1", "--n-neg", "1"),
        ("--bounds", "--max-memory", "1G"),
        ("--points", "pr", "--n-pos", "1", "--n-neg", "1", "--max-memory", "1G"),
        ("--bounds", "--temp-folder", "."),
    ],
)
def test_what_makes_no_sense_beyond_memory(run, folder, arguments):
    (folder / "a.txt").write_text(EXAMPLE)
    status, output, errors = run("a.txt", *arguments)
    assert (status, output) == (2, "")
    assert arguments[0] in errors.splitlines()[-1]


# What is written


@pytest.mark.parametrize("which", ["empirical", "achievable", "both"])
@pytest.mark.parametrize("weighted", [False, True])
def test_curve_holds_what_the_functions_return(run, folder, which, weighted):
    rng = np.random.default_rng(1)
    y_true, y_score = rng.integers(0, 2, 40), rng.integers(0, 9, 40) / 8
    weight = rng.integers(1, 4, 40) if weighted else None
    rows = zip(y_score, y_true, weight if weighted else y_true, strict=True)
    text = "score,label,w\n" + "".join(f"{s},{y},{w}\n" for s, y, w in rows)
    (folder / "a.csv").write_text(text)
    (folder / "b.txt").write_text(EXAMPLE)
    files = ("a.csv", "--weight", "w") if weighted else ("a.csv", "b.txt")
    assert run(*files, "--curve", "out.csv", "--which", which)[0] == 0
    table = (
        pandas.read_csv("out.csv", float_precision="round_trip")
        if not hasattr(pandas.errors, "Pandas4Warning")
        else pandas.read_csv("out.csv")
    )
    functions = {
        "empirical": package.pr_curve_interpolated,
        "achievable": package.achievable_pr_curve,
    }
    kinds = [kind for kind in functions if which in (kind, "both")]
    data = {"a.csv": (y_true, y_score, weight), "b.txt": (Y_TRUE, Y_SCORE, None)}
    expected = [(f, k) for f in files if f in data for k in kinds]
    groups = table.groupby(["file", "curve"], sort=False)
    assert [name for name, _ in groups] == expected
    for (file, kind), part in groups:
        truth, score, weights = data[file]
        curve = functions[kind](truth, score, sample_weight=weights)
        np.testing.assert_array_equal(part["precision"], curve[0])
        np.testing.assert_array_equal(part["recall"], curve[1])
        np.testing.assert_array_equal(part["threshold"], [*curve[2], np.nan])


def test_curve_at_another_prevalence(run, folder):
    (folder / "a.txt").write_text(EXAMPLE)
    assert run("a.txt", "--prevalence", 0.1, "--curve", "out.csv")[0] == 0
    precision, _, _ = package.pr_curve_interpolated(Y_TRUE, Y_SCORE, prevalence=0.1)
    with open("out.csv") as lines:
        assert [
            float(row["precision"]) for row in csv.DictReader(lines)
        ] == precision.tolist()


def test_a_file_without_positives_has_no_curve(run, folder):
    (folder / "a.txt").write_text(EXAMPLE)
    (folder / "none.txt").write_text("0.5 0\n")
    status, output, errors = run("none.txt", "a.txt", "--curve", "o.csv", "--plot", "o.svg")
    assert status == 0
    assert "none.txt: has no positives" in errors
    lines = (folder / "o.csv").read_text().splitlines()
    assert {line.split(",")[0] for line in lines} == {"file", "a.txt"}
    status, output, errors = run("none.txt", "--plot", "p.svg")
    assert (status, output) == (2, "")
    assert "--plot: there is no curve to draw: no file has positives." in errors
    assert not (folder / "p.svg").exists()


MAGIC = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.parametrize("file_format", MAGIC)
def test_plot_formats(run, folder, file_format):
    (folder / "a.txt").write_text(EXAMPLE)
    name = f"out.{file_format.upper()}"
    status, output, errors = run("a.txt", "--plot", name)
    assert (status, errors) == (0, "")
    assert "0.825584" in output
    assert (folder / name).read_bytes().startswith(MAGIC[file_format])
    assert sorted(os.listdir(folder)) == ["a.txt", name]


@pytest.fixture
def drawn(monkeypatch):
    """The axes that are saved."""
    from matplotlib.figure import Figure

    axes = []
    savefig = Figure.savefig

    def spy(self, *arguments, **options):
        axes.extend(self.axes)
        return savefig(self, *arguments, **options)

    monkeypatch.setattr(Figure, "savefig", spy)
    return axes


def legend_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_plot_of_several_files_is_on_one_axes(run, folder, drawn):
    names = ["a.txt", "_b$c$.txt", "x" * 60 + ".txt", "only positives.txt"]
    for name, text in zip(names, (EXAMPLE, EXAMPLE, "1 1\n2 0\n", "1 1\n"), strict=True):
        (folder / name).write_text(text)
    status, _, errors = run(*names, "--plot", "out.png", "--which", "both")
    assert status == 0
    assert errors.count("warning") == 1
    (ax,) = drawn
    legend = legend_of(ax)
    assert legend[0] == "a.txt\ninterpolated AUC-PR = 0.83, AUCNPR = 0.71"
    assert legend[1] == "a.txt\nachievable AUC-PR = 0.90, AUCNPR = 0.84"
    assert legend[2].startswith("./_b\\$c\\$.txt\n")
    assert legend[4].startswith("..." + "x" * 36 + ".txt\n")
    assert legend[6] == "only positives.txt\ninterpolated AUC-PR = 1.00"
    assert any(text.startswith("Minimum") for text in legend)


def test_plot_says_which_recalls_its_areas_are_of(run, folder, drawn):
    (folder / "a.txt").write_text(EXAMPLE)
    assert run("a.txt", "--plot", "o.png", "--recall-range", 0.5, 1)[0] == 0
    area = package.auc_pr_interpolated(Y_TRUE, Y_SCORE, recall_range=(0.5, 1))
    assert legend_of(drawn[0])[0].startswith(
        f"a.txt, recall 0.5 to 1\ninterpolated AUC-PR = {area:.2f}, AUCNPR = "
    )


def test_plot_of_the_hull_has_the_areas_of_the_hull(run, folder, drawn):
    (folder / "a.txt").write_text(EXAMPLE)
    how = ("--which", "achievable", "--recall-range", 0.5, 1)
    assert run("a.txt", "--plot", "o.png", *how)[0] == 0
    area = package.auc_pr_interpolated(
        Y_TRUE, Y_SCORE, recall_range=(0.5, 1), curve="achievable"
    )
    floor = package.auc_pr_min(0.6, (0.5, 1))
    assert legend_of(drawn[0])[0] == (
        f"a.txt, recall 0.5 to 1\nachievable AUC-PR = {area:.2f}, "
        f"AUCNPR = {(area - floor) / (0.5 - floor):.2f}"
    )


def test_plot_of_a_name_without_glyphs_is_silent(run, folder):
    (folder / "鸡.txt").write_text(EXAMPLE)
    assert run("鸡.txt", "--plot", "o.png")[::2] == (0, "")


def test_plot_without_matplotlib(run, folder, monkeypatch):
    (folder / "a.txt").write_text(EXAMPLE)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    status, output, errors = run("a.txt", "--plot", "o.png")
    assert (status, output) == (2, "")
    assert errors == (
        "achievable-pr: error: --plot needs matplotlib. Install it, e.g. pip install "
        "'sklearn-achievable-pr[plot]'.\n"
    )


def test_outputs_that_cannot_be_written(run, folder, monkeypatch):
    (folder / "a.txt").write_text(EXAMPLE)
    (folder / "d.csv").mkdir()
    for name, reason in [
        ("no/where.csv", "No such file or directory."),
        ("a.txt/out.csv", "Not a directory."),
        ("d.csv", "it is no regular file."),
        (os.devnull, "it is no regular file."),
    ]:
        status, output, errors = run("a.txt", "--curve", name)
        assert (status, output) == (2, "")
        assert errors.endswith(f": cannot be written: {reason}\n")

    def denied(*arguments):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(writing.os, "open", denied)
        errors = run("a.txt", "--curve", "out.csv")[2]
    assert errors.endswith("out.csv: cannot be written: Permission denied.\n")
    assert sorted(os.listdir(folder)) == ["a.txt", "d.csv"]


@pytest.mark.parametrize("step", ["write_curves", "draw"])
def test_a_failure_while_writing_leaves_what_was_there(run, folder, monkeypatch, step):
    (folder / "a.txt").write_text(EXAMPLE)
    (folder / "c.csv").write_text("old")
    (folder / "p.png").write_text("old")

    def full(path, *arguments):
        Path(path).write_text("half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(program, step, full)
    status, output, errors = run("a.txt", "--curve", "c.csv", "--plot", "p.png")
    assert (status, output) == (2, "")
    assert errors.endswith("cannot be written: No space left on device.\n")
    assert sorted(os.listdir(folder)) == ["a.txt", "c.csv", "p.png"]
    assert (folder / "c.csv").read_text() == (folder / "p.png").read_text() == "old"


def test_a_failing_rename_is_told(run, folder, monkeypatch):
    (folder / "a.txt").write_text(EXAMPLE)

    def denied(*arguments):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(writing.os, "replace", denied)
    status, output, errors = run("a.txt", "--curve", "c.csv")
    assert (status, output) == (2, "")
    assert errors == "achievable-pr: error: c.csv: cannot be written: Permission denied.\n"
    assert os.listdir(folder) == ["a.txt"]


def test_outputs_replace_files_and_keep_their_modes_and_links(run, folder):
    (folder / "a.txt").write_text(EXAMPLE)
    (folder / "real.csv").write_text("old")
    (folder / "real.csv").chmod(0o640)
    (folder / "link.csv").symlink_to("real.csv")
    assert run("a.txt", "--curve", "link.csv")[0] == 0
    assert (folder / "link.csv").is_symlink()
    assert (folder / "real.csv").read_text().startswith("file,curve,recall")
    assert stat.S_IMODE((folder / "real.csv").stat().st_mode) == 0o640
    old = os.umask(0o027)
    try:
        assert run("a.txt", "--curve", "new.csv")[0] == 0
    finally:
        os.umask(old)
    assert stat.S_IMODE((folder / "new.csv").stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("fault", "status", "message"),
    [
        (KeyboardInterrupt, 130, "interrupted."),
        (MemoryError, 2, "the files do not fit into memory."),
    ],
)
def test_interrupted(run, folder, monkeypatch, fault, status, message):
    (folder / "a.txt").write_text(EXAMPLE)

    def stop(*arguments):
        raise fault

    monkeypatch.setattr(results, "read_scores", stop)
    found = run("a.txt", "--curve", "c.csv", "--plot", "p.png")
    assert found == (status, "", f"achievable-pr: error: {message}\n")
    assert os.listdir(folder) == ["a.txt"]


def test_other_warnings_are_not_hidden(run, folder, monkeypatch):
    (folder / "a.txt").write_text(EXAMPLE)

    def warn(*arguments, **options):
        warnings.warn("something else", UserWarning, stacklevel=2)

    monkeypatch.setattr(results, "normalized_area", warn)
    with pytest.raises(UserWarning, match="something else"):
        run("a.txt")


# The program as a process


def test_as_a_process(folder):
    (folder / "a.txt").write_text(EXAMPLE)
    result = subprocess_run("a.txt", "-", "--format", "csv", input=EXAMPLE.encode())
    assert (result.returncode, result.stderr) == (0, b"")
    header, first, second = result.stdout.decode().splitlines()
    assert header.startswith("file,n,positives,prevalence,")
    assert first.removeprefix("a.txt") == second.removeprefix("-")


def test_a_mistake_as_a_process(folder):
    result = subprocess_run("-", input=b"0.9 1\nx 0\n")
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr == (
        b"achievable-pr: error: standard input, line 2: the score must be a finite number, "
        b"got 'x': 'x 0'\n"
    )


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_closed_streams(folder, closed):
    (folder / "a.txt").write_text(EXAMPLE)
    name = "-" if closed == "<&-" else "a.txt"
    command = f"{shlex.quote(sys.executable)} -m sklearn_achievable_pr {name} {closed}"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run(
        ["sh", "-c", command], capture_output=True, env=environment, check=False
    )
    told = {
        "<&-": b"achievable-pr: error: standard input: cannot be read: it is closed.\n",
        ">&-": b"achievable-pr: error: standard output: cannot be written: it is closed.\n",
        "2>&-": b"",
    }
    assert result.stderr == told[closed]
    assert result.returncode == (0 if closed == "2>&-" else 2)


def test_a_reader_that_leaves(folder):
    (folder / "a.txt").write_text(EXAMPLE)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as output:
        result = subprocess.run(
            [sys.executable, "-m", "sklearn_achievable_pr", "a.txt", "--curve", "c.csv"],
            stdout=output,
            stderr=subprocess.PIPE,
            env=environment,
            check=False,
        )
    assert (result.returncode, result.stderr) == (141, b"")
    assert (folder / "c.csv").exists()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_a_full_device(folder):
    (folder / "a.txt").write_text(EXAMPLE)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with open("/dev/full", "wb") as output:
        result = subprocess.run(
            [sys.executable, "-m", "sklearn_achievable_pr", "a.txt"],
            stdout=output,
            stderr=subprocess.PIPE,
            env=environment,
            check=False,
        )
    assert result.returncode == 2
    assert result.stderr == (
        b"achievable-pr: error: standard output: cannot be written: No space left on "
        b"device.\n"
    )


# The page


def commands_of_page():
    """(command, what it prints) of the page's examples, in their order."""
    text = PAGE.read_text("utf-8")
    for block in re.findall(r"\.\. code-block:: console\n\n((?:   .*\n|\n(?=   ))+)", text):
        example = re.sub(r"^   ", "", block, flags=re.MULTILINE)
        for part in re.split(r"^\$ ", example, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield shlex.split(command), output


def same_text(found, expected):
    """Whether two texts are alike but for the last digits of numbers."""
    number = re.compile(r"\d+\.\d{7,}")
    assert number.sub("#", found) == number.sub("#", expected)
    pairs = zip(number.findall(found), number.findall(expected), strict=True)
    return all(close(float(a), float(b)) for a, b in pairs)


def test_the_page_shows_what_is_printed(run, folder):
    commands = list(commands_of_page())
    assert len(commands) > 12
    for (name, *arguments), expected in commands:
        if name == "cat":
            (path,) = map(Path, arguments)
            if path.exists():
                assert same_text(path.read_text(), expected)
            else:
                path.write_text(expected)
        else:
            assert name == "achievable-pr"
            _, output, errors = run(*arguments)
            assert same_text(errors + output, expected)


def test_the_page_names_every_option_and_key(run):
    text = PAGE.read_text("utf-8")
    options = set(re.findall(r"--[a-z-]+", run("--help")[1])) - {"--help", "--version"}
    assert {option for option in options if option not in text} == set()
    keys = {*results._OF_WHAT, *results._EXACT, *BOUND_TITLES, *PAIR_TITLES}
    assert {key for key in keys if f"``{key}``" not in text} == set()


def test_the_console_script_is_this_program():
    settings = (ROOT / "pyproject.toml").read_text("utf-8")
    assert 'achievable-pr = "sklearn_achievable_pr.__main__:main"' in settings
