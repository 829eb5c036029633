"""The program for score files: what it measures and prints."""

import csv
import io
import json
import os
import re
import sys
import warnings

import numpy as np
import pandas
import pytest
from cases import case, each
from score_files import EXAMPLE, Y_SCORE, Y_TRUE, close, csv_of
from situations import random_problem
from sklearn.metrics import average_precision_score, roc_auc_score

import sklearn_achievable_pr as package

pytestmark = pytest.mark.usefixtures("no_doubts")

DATA = "n_samples", "n_positive", "own_prevalence", "prevalence"
DATA += "recall_low", "recall_high"
AREAS = "auc_pr", "auc_pr_achievable", "aucnpr", "auc_pr_min", "auc_pr_davis_goadrich"
AREAS += "average_precision", "auc_roc"
INTERVAL = "standard_error", "low", "high", "interval_level"


@pytest.fixture
def values(printed, folder):
    """The values that the program prints for a text."""

    def values(text, *arguments):
        (folder / "scores").write_text(text, "utf-8")
        return printed("scores", "--all-metrics", *arguments)[0]

    return values


# Values


@pytest.mark.parametrize(
    ("weighted", "recall_range", "prevalence"),
    [
        (False, None, None),
        (False, (0.25, 0.75), 0.05),
        (True, (0.5, 1.0), None),
        (True, None, 0.05),
    ],
)
def test_values_are_those_of_the_functions(values, weighted, recall_range, prevalence):
    rng = np.random.default_rng(0)
    y_true, y_score = rng.integers(0, 2, 60), rng.integers(0, 20, 60) / 8
    weight = rng.integers(0, 4, 60) if weighted else None
    found = values(
        csv_of(score=y_score, label=y_true, w=weight),
        *(("--weight", "w") if weighted else ()),
        *(("--recall-range", *recall_range) if recall_range else ()),
        *(("--prevalence", prevalence) if prevalence else ()),
    )
    data = {"y_true": y_true, "y_score": y_score, "sample_weight": weight}
    how = {"recall_range": recall_range or (0.0, 1.0), "prevalence": prevalence}
    present = np.ones(60, bool) if weight is None else weight > 0
    fraction = float(np.average(y_true, weights=weight))
    assert found["n_samples"] == present.sum()
    assert found["n_positive"] == y_true[present].sum()
    assert close(found["own_prevalence"], fraction)
    assert found["prevalence"] == prevalence
    assert (found["recall_low"], found["recall_high"]) == how["recall_range"]
    area = package.auc_pr_interpolated
    assert close(found["auc_pr"], area(**data, **how))
    assert close(found["auc_pr_achievable"], area(**data, **how, curve="achievable"))
    assert close(found["aucnpr"], package.aucnpr(**data, **how))
    lowest = package.auc_pr_min(prevalence or fraction, recall_range=how["recall_range"])
    assert close(found["auc_pr_min"], lowest)
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


OF_POSITIVES = ["auc_pr", "auc_pr_achievable", "auc_pr_min", "auc_pr_davis_goadrich"]


@pytest.mark.parametrize(("label", "missing"), [(0, "positives"), (1, "negatives")])
def test_a_missing_class_leaves_values_undefined_with_a_note(run, folder, label, missing):
    (folder / "one.txt").write_text(f"0.3 {label}\n0.1 {label}\n")
    status, output, errors = run("one.txt", "--all-metrics", "--format", "json")
    note = f"one.txt: There are no {missing}: some values are undefined"
    assert (status, errors) == (0, f"achievable-pr: warning: {note}.\n")
    (found,) = json.loads(output)
    defined = {key: 1.0 for key in [*OF_POSITIVES, "average_precision"] if label}
    assert {key: found[key] for key in AREAS if found[key] is not None} == defined
    assert [found[key] for key in INTERVAL] == [None, None, None, 0.95]
    assert found["own_prevalence"] == label


# Files


@pytest.mark.parametrize("module", ["_cli.reading", "displays._drawn"])
def test_without_an_optional_package(failed, folder, example, monkeypatch, module):
    for name in [name for name in sys.modules if "_cli" in name or "displays" in name]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, f"{package.__name__}.{module}", None)
    errors = failed(example, "--write-curve", "c.csv")
    assert errors.endswith("In a clone run python -m pip install '.[cli,plot]'.\n")
    assert os.listdir(folder) == [example]


NAMES = {"größe ☃.txt": "größe ☃.txt", "a\x1b[2J\n.txt": r"'a\x1b[2J\n.txt'"}


@pytest.mark.parametrize(("name", "shown"), NAMES.items(), ids=["unicode", "control"])
def test_names_of_files_show_control_characters(run, printed, folder, name, shown):
    (folder / name).write_text(EXAMPLE)
    assert shown in run(name)[1].splitlines()[0]
    assert printed(name)[0]["file"] == shown


# Arguments


WRONG = [
    ("", "the following arguments are required: FILE"),
    ("f --recall-range 0.5 0.5", "--recall-range must "),
    ("f --prevalence 1", "--prevalence must "),
    ("f --interval 1", "--interval must "),
    ("f --interval 90", "--interval must be inside (0, 1). Got 90.0. For 90 % pass 0.9."),
    ("f --objective --min-recall 80", "--min-recall must lie within [0, 1]. Got 80.0. For"),
    ("f --objective --max-fpr 0.1 --confidence-level 1", "--confidence-level must"),
    ("f --curve c.csv", "argument --curve: invalid choice: 'c.csv'"),
    ("f --groups=", "--groups must not be empty"),
    ("f --label=", "--label must not be empty"),
    ("f --weight=", "--weight must not be empty"),
    ("f --score a --score=", "--score must not be empty"),
    ("f --pos-label=", "--pos-label must not be empty"),
    ("f --max-fpr 0", "--max-fpr needs --objective"),
    (
        "f --objective --recall-range 0 0.5",
        "--objective cannot be combined with --recall-range",
    ),
    ("f --plot a.png --write-curve a.png", "a file cannot be written twice"),
    ("f --write-curve ./f", "a file cannot be written twice, or be both read and written"),
    (
        "f --plot a.png --write-curve b/../f",
        "a file cannot be written twice, or be both read and written",
    ),
    ("f --min-recall 0.9", "--min-recall needs --objective"),
    (
        "f --confidence-level 0.9",
        "--confidence-level needs --objective. The level of intervals is --interval",
    ),
    ("f --objective --prevalence 2", "--prevalence must be the fraction"),
    ("f --objective --groups g", "--groups with --objective needs --confidence-level"),
    ("f --objective --min-npv 2", "--min-npv must lie within"),
    ("f --objective best", "--objective must be one of 'f1'"),
    ("f --objective --max-fpr 2", "--max-fpr must lie within"),
    (
        "f --objective --write-curve a.csv",
        "--objective cannot be combined with --write-curve",
    ),
    ("f --format xml", "argument --format: invalid choice: 'xml'"),
    ("f --objective --min-rec 0.5", "unrecognized arguments: --min-rec 0.5\n"),
    ("f --score a b", "unrecognized arguments: b. Repeat --score for each column"),
    ("f --score a --b", "unrecognized arguments: --b\n"),
    ("f --curve both", "--curve needs --write-curve or --plot"),
    ("f --objective --curve both", "--curve needs --write-curve or --plot"),
]


@each(wrong=WRONG)
def test_wrong_arguments_print_usage_and_reason(failed, wrong):
    arguments, message = wrong
    errors = failed(*arguments.split())
    assert errors.startswith("usage: achievable-pr")
    assert errors.splitlines(keepends=True)[-1].startswith(
        f"achievable-pr: error: {message}"
    )


def test_the_error_names_the_objectives_that_the_program_takes(run, failed, example):
    errors = failed(example, "--objective", "f1_score")
    named, got = errors.rpartition("--objective must be one of ")[2].split(" Got ")
    assert got == "'f1_score', which is 'f1' here.\n"
    names = re.findall("'(.*?)'", named)
    assert {"f1", "mcc", "jaccard"} < {*names}
    accepted = "achievable-pr: error: no file: No such file or directory.\n"
    for name in names:
        with case(name):
            assert run("no file", "--objective", name)[2] == accepted
    assert not {"dict", "callable", "scorer", "function"} & {*re.findall(r"\w+", named)}


@pytest.mark.parametrize("name", ["roc_auc", "auc_pr"])
def test_a_metric_of_scores_is_no_objective(failed, example, name):
    errors = failed(example, "--objective", name)
    assert errors.endswith(
        f"Got {name!r}, which is a metric of scores, which a threshold does not change.\n"
    )


def test_help_names_the_columns_of_all_metrics(run, printed, example):
    added = {*printed(example, "--all-metrics")[0]} - {*printed(example)[0]}
    text = run("--help")[1].partition("Also print ")[2].partition("--objective")[0]
    assert {*re.findall(r"\w+", text)} - {"and"} == added


def test_help_tells_both_confidences_apart(run):
    text = " ".join(run("--help")[1].split())
    assert "confidence level of the interval of AUC-PR" in text
    assert "new data meet these bounds with this probability" in text
    assert "The confidence level of the interval of AUC-PR is set by --interval" in text


# How sure


@pytest.fixture
def frame(folder):
    """The columns of files with scores, weights and groups of text."""
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
    frame.to_csv(folder / "g.csv", index=False)
    frame.to_parquet(folder / "g.parquet")
    return frame


@pytest.mark.parametrize(
    ("packed", "weighted", "clustered"),
    [
        (False, False, False),
        (True, True, False),
        (True, False, True),
        (False, True, True),
    ],
)
def test_intervals_are_those_of_the_function(printed, frame, packed, weighted, clustered):
    file = "g.parquet" if packed else "g.csv"
    asked = [file, "--score", "a", "--score", "b", "--prevalence", 0.2]
    asked += ["--recall-range", 0.2, 0.9, "--all-metrics", "--interval", 0.9]
    asked += ["--weight", "w"] if weighted else []
    asked += ["--groups", "who"] if clustered else []
    for found, column in zip(printed(*asked), ("a", "b"), strict=True):
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
        assert found["interval_level"] == 0.9
        assert close(found["standard_error"], expected.standard_error)
        assert close(found["low"], low)
        assert close(found["high"], high)


@pytest.mark.parametrize("n_levels", [None, 100])
@pytest.mark.parametrize("prevalence", [0.01, 0.4])
def test_intervals_of_many_samples_are_those_of_the_function(
    values, tuning, n_levels, prevalence
):
    n_samples = tuning.few_samples + 100
    y_true, y_score, _ = random_problem(
        4, n_samples, prevalence=prevalence, n_levels=n_levels
    )
    found = values(csv_of(score=y_score, label=y_true))
    expected = package.auc_pr_interval(y_true, y_score)
    assert close(found["auc_pr"], expected.estimate)
    assert close(found["standard_error"], expected.standard_error)
    assert close(found["low"], expected.confidence_interval[0])


def test_intervals_without_a_spread(run, folder):
    (folder / "one.txt").write_text("0.3 1\n0.2 0\n0.1 0\n")
    _, output, errors = run("one.txt", "--all-metrics", "--format", "json")
    (found,) = json.loads(output)
    assert (found["interval_level"], found["low"]) == (0.95, 0)
    assert found["standard_error"] is None
    assert errors == (
        "achievable-pr: warning: one.txt: The spread between samples is unknown: all "
        "positives of y_true, or all their weight, are in one sample. The standard "
        "error is undefined, and an interval that needs it holds every possible value.\n"
    )
    table = dict(line.split() for line in run("one.txt", "--all-metrics")[1].splitlines())
    assert table["standard_error"] == "undefined"


@pytest.mark.parametrize("clustered", [False, True])
def test_pairs_are_those_of_the_function(run, folder, frame, clustered):
    frame["c"] = frame["a"] + frame["b"]
    frame.to_csv(folder / "g.csv")
    asked = ["g.csv", "--score", "a", "--score", "b", "--score", "c", "--weight", "w"]
    asked += ["--compare", "--prevalence", 0.3, "--recall-range", 0.2, 0.9]
    asked += ["--groups", "who", "--interval", 0.9] if clustered else []
    status, output, errors = run(*asked, "--format", "json")
    assert (status, errors) == (0, "")
    both = json.loads(output)
    assert [row["score"] for row in both["results"]] == ["a", "b", "c"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        expected = package.compare_models(
            frame["label"],
            frame[["a", "b", "c"]],
            confidence_level=0.9 if clustered else 0.95,
            groups=frame["who"] if clustered else None,
            sample_weight=frame["w"],
            recall_range=(0.2, 0.9),
            prevalence=0.3,
        )
    pairs = [(row["first"], row["second"]) for row in both["pairs"]]
    assert pairs == [*expected.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    for row, pair in zip(both["pairs"], pairs, strict=True):
        result = expected.pairs[pair]
        low, high = result.confidence_interval
        assert close(row["difference"], result.difference)
        assert close(row["standard_error"], result.standard_error)
        assert close(row["low"], low)
        assert close(row["high"], high)
        assert close(row["pvalue"], result.pvalue)
        assert close(row["pvalue_holm"], expected.adjusted_pvalues[pair])
        assert row["interval_level"] == (0.9 if clustered else 0.95)
    _, _, text = run(*asked, "--format", "csv")[1].partition("\n\n")
    pandas.testing.assert_frame_equal(
        pandas.DataFrame(both["pairs"]), pandas.read_csv(io.StringIO(text)), rtol=1e-15
    )


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_a_small_p_value_is_shown_as_less_than_0_001(run, printed, folder, form):
    rows = [f"{i},{i * 7919 % 100},{int(i >= 70)}" for i in range(100)]
    (folder / "c.csv").write_text("\n".join(["a,b,label", *rows]))
    asked = ("c.csv", "--score", "a", "--score", "b", "--compare")
    (pair,) = printed(*asked)["pairs"]
    assert 0 < pair["pvalue"] == pair["pvalue_holm"] < 0.001
    status, output, errors = run(*asked, "--format", form)
    assert (status, errors) == (0, "")
    assert output.count("< 0.001") == 2


def test_files_are_compared_if_they_are_of_the_same_rows(printed, failed, folder, frame):
    frame.to_csv(folder / "a.csv", columns=["a", "label", "w", "who"])
    asked = ("--score", "a", "--compare", "--weight", "w", "--groups", "who")
    frame.assign(a=frame["b"]).to_csv(folder / "b.csv")
    (found,) = printed("a.csv", "b.csv", *asked)["pairs"]
    one = printed("g.csv", "--score", "a", "--score", "b", *asked[2:])["pairs"]
    assert [found | {"first": "a", "second": "b"}] == one
    assert (found["first"], found["second"]) == ("a.csv", "b.csv")
    row = frame.index[frame["w"] > 0][4]
    others = {what: frame.copy() for what in ("labels", "weights", "groups")}
    others["labels"].loc[row, "label"] = 1 - frame["label"][row]
    others["weights"].loc[row, "w"] = 5
    others["groups"].loc[row, "who"] = "nobody"
    others["labels of fewer rows"] = frame[:-9]
    for what, other in others.items():
        other.to_csv(folder / "b.csv")
        with case(what):
            message = "b.csv has labels, weights or groups that are not those of a.csv"
            assert message in failed("a.csv", "b.csv", *asked)


@pytest.fixture
def one_each(folder):
    """A file whose rows have equal weights, and are clusters of one."""
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 40)
    columns = {name: np.round(rng.normal(size=40) + label, 2) for name in "ab"}
    columns |= {"label": label, "w": 0.3, "who": np.arange(40)}
    pandas.DataFrame(columns).to_csv(folder / "c.csv")
    return "c.csv", "--score", "a", "--score", "b"


@pytest.mark.parametrize("mode", ["--compare", "--objective"])
def test_equal_weights_are_no_weights(run, one_each, mode):
    asked = *one_each, "--format", "json", mode
    assert run(*asked, "--weight", "w") == run(*asked)


def test_clusters_of_one_row_are_no_clusters(printed, one_each):
    found, expected = (
        printed(*one_each, "--compare", *more) for more in (["--groups", "who"], [])
    )
    assert found["pairs"] == expected["pairs"]
    for row, other in zip(found["results"], expected["results"], strict=True):
        assert row == other | {"n_clusters": 40}


def test_one_score_has_nothing_to_be_compared_with(failed, example):
    error = "--compare: needs two columns of scores, or two files. Got one."
    assert failed(example, "--compare") == f"achievable-pr: error: {error}\n"


def test_a_file_that_is_named_twice_has_two_rows(printed, example):
    found = printed(example, example, "--compare")
    assert [row["file"] for row in found["results"]] == ["a.txt", "a.txt (2)"]
    (pair,) = found["pairs"]
    assert (pair["first"], pair["second"], pair["difference"]) == ("a.txt", "a.txt (2)", 0)


# What is printed


def test_limits_are_rounded_outward(run, printed, frame):
    asked = ("g.csv", "--score", "a", "--weight", "w")
    (found,) = printed(*asked)
    table = dict(line.split() for line in run(*asked)[1].splitlines())
    assert found["low"] - 1e-6 < float(table["low"]) < found["low"]
    assert found["high"] < float(table["high"]) < found["high"] + 1e-6


NOT_SHOWN = "prevalence", "recall_low", "recall_high"


def test_formats_hold_the_same_values(run, printed, folder, example):
    (folder / "b,c.txt").write_text("0.3 0\n0.1 0\n")
    files = (example, "b,c.txt", "--all-metrics")
    objects = printed(*files)
    rows = list(csv.DictReader(io.StringIO(run(*files, "--format", "csv")[1])))
    for found, row in zip(objects, rows, strict=True):
        assert [*found] == [*row]
        assert {*found} == {"file", *DATA, *AREAS, *INTERVAL}
        assert {k: "" if v is None else str(v) for k, v in found.items()} == row
    lines = [line.split() for line in run(*files)[1].splitlines()]
    assert lines[0] == [key for key in objects[0] if key not in NOT_SHOWN]
    assert [line[0] for line in lines[1:]] == [*files[:2]]
    one = run("a.txt", "--all-metrics")[1].splitlines()
    assert lines[1] == [line.split()[-1] for line in one]
    assert {*lines[2][4:]} == {"undefined", "0.95"}
    markdown = run(*files, "--format", "markdown")[1].splitlines()
    assert [line.split()[1] for line in markdown if " " in line] == [
        "file",
        "a.txt",
        "b,c.txt",
    ]


def test_a_value_and_its_limits_share_a_cell_of_markdown(run, folder):
    """They have the digits of the printed results of the package."""
    rng = np.random.default_rng(0)
    label = rng.random(300) < 0.3
    scores = {name: label + rng.normal(size=300) for name in "ab"}
    pandas.DataFrame(scores | {"label": label}).to_csv(folder / "c.csv")
    asked = ("c.csv", "--score", "a", "--score", "b", "--compare", "--format", "markdown")
    lines = [line.split(" | ") for line in run(*asked)[1].splitlines()]
    found = package.compare_models(label, scores)
    by_model = found.to_frame()["estimate (interval)"]
    assert [line[5].strip() for line in lines[2:4]] == by_model.sort_index().tolist()
    assert lines[-3][2].strip() == "difference"
    (pair,) = [line for line in str(found).splitlines() if line.startswith("a - b")]
    assert lines[-1][2].strip() == re.split("  +", pair)[1]


# Names of scores, and what they are in CSV: no formula of a spreadsheet.
CELLS = {
    "=1+1": "'=1+1",
    "+a": "'+a",
    "-a": "'-a",
    "@a": "'@a",
    "\ta": "'\ta",
    "a=1": "a=1",
    "-": "-",
    "-1.5": "-1.5",
    "+2e3": "+2e3",
}


def test_names_in_csv_are_no_formulas(run, printed, folder):
    scores = dict.fromkeys(CELLS, Y_SCORE)
    pandas.DataFrame(scores | {"label": Y_TRUE}).to_parquet(folder / "=1.parquet")
    asked = ["=1.parquet", "--write-curve", "c.csv", *(f"--score={name}" for name in CELLS)]
    text = run(*asked, "--format", "csv")[1]
    for written in (text, (folder / "c.csv").read_text()):
        rows = list(csv.DictReader(io.StringIO(written)))
        assert {row["file"] for row in rows} == {"'=1.parquet"}
        assert [*dict.fromkeys(row["score"] for row in rows)] == [*CELLS.values()]
    assert [row["score"] for row in printed(*asked)] == [*CELLS]


def test_names_of_pairs_in_csv_are_no_formulas(run, folder):
    scores = {"=a": Y_SCORE, "b": Y_SCORE[::-1], "label": Y_TRUE}
    (folder / "p.csv").write_text(csv_of(**scores))
    asked = ("p.csv", "--score", "=a", "--score", "b", "--compare", "--format", "csv")
    assert "\n'=a,b," in run(*asked)[1]


def test_negative_differences_in_csv_stay_numbers(run, folder):
    scores = {"a": Y_SCORE[::-1], "b": Y_SCORE, "label": Y_TRUE}
    (folder / "p.csv").write_text(csv_of(**scores))
    asked = ("p.csv", "--score", "a", "--score", "b", "--compare", "--format", "csv")
    (pair,) = csv.DictReader(io.StringIO(run(*asked)[1].partition("\n\n")[2]))
    assert float(pair["difference"]) < 0


def test_bars_in_names_end_no_cell_of_markdown(run, folder):
    for name in ("a|b.txt", "c.txt"):
        (folder / name).write_text(EXAMPLE)
    asked = ("a|b.txt", "c.txt", "--compare", "--format", "markdown")
    lines = run(*asked)[1].splitlines()
    first, second = lines[: lines.index("")], lines[lines.index("") + 1 :]
    for table in (first, second):
        assert "a\\|b.txt" in table[2]
        n_bars = {line.replace("\\|", "").count("|") for line in table}
        assert len(n_bars) == 1


@pytest.mark.parametrize("weighted", [False, True])
def test_clusters_are_counted(run, printed, frame, weighted):
    asked = ["g.csv", "--score", "a", "--groups", "who"]
    asked += ["--weight", "w"] if weighted else []
    weight = frame["w"] if weighted else None
    data = frame["label"], frame["a"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = package.auc_pr_interval(*data, groups=frame["who"], sample_weight=weight)
    (row,) = printed(*asked)
    assert row["n_clusters"] == found.n_clusters
    columns = run(*asked)[1].split()[::2]
    assert columns[1:5] == ["n_samples", "n_positive", "n_clusters", "own_prevalence"]


def test_columns_by_default_and_on_request(run, example):
    default = ["file", *DATA, "auc_pr", *INTERVAL[1:], "aucnpr", "average_precision"]
    more = ["auc_pr_min", "standard_error", "auc_pr_achievable", "auc_pr_davis_goadrich"]
    for asked, columns in ((), default), (("--all-metrics",), [*default, *more, "auc_roc"]):
        output = run(example, "--format", "csv", *asked)[1]
        assert output.splitlines()[0].split(",") == columns


EVERYTHING = [
    "--curve",
    "both",
    "--write-curve",
    "c.csv",
    "--plot",
    "p.png",
    "--all-metrics",
]


@pytest.mark.parametrize(
    ("options", "few"),
    [([], 0), (["--compare"], 0), (["--compare"], 5000), (EVERYTHING, 5000)],
)
@pytest.mark.usefixtures("frame")
def test_scores_are_sorted_once(run, tuning, n_sorts, options, few):
    asked = ["g.csv", "--score", "a", "--score", "b", *options]
    with tuning(few_samples=few):
        assert run(*asked)[0] == 0
    assert n_sorts() == 2


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e300])
def test_only_ratios_of_weights_matter(run, folder, size):
    frame = pandas.DataFrame({"score": Y_SCORE, "label": Y_TRUE, "w": [1.0, 2.0] * 5})
    found = []
    for unit in (1.0, size):
        frame.assign(w=unit * frame.w).to_csv(folder / "w.csv", index=False)
        output = run("w.csv", "--weight", "w", "--interval", "--format", "csv")[1]
        found.append(pandas.read_csv(io.StringIO(output)))
    pandas.testing.assert_frame_equal(*found, rtol=1e-13, atol=0)


# Thresholds


@pytest.mark.filterwarnings("ignore:At `prevalence`")
def test_the_operating_point_is_that_of_choose_threshold(printed, example):
    asked = "--objective precision --min-recall 0.5 --confidence-level 0.7"
    (row,) = printed(example, *asked.split())
    limits = {"min_recall": 0.5, "confidence_level": 0.7}
    point = package.choose_threshold(Y_TRUE, Y_SCORE, objective="precision", **limits)
    names = ("threshold", "precision", "recall", "selection_rate", "fpr")
    for name in (*names, "objective_value_without_guarantee"):
        assert row[name] == getattr(point, name)
    assert "auc_pr" not in row
    (row,) = printed(example, "--objective")
    assert "objective_value_without_guarantee" not in row
    assert row["prevalence"] is None
    (row,) = printed(example, "--objective", "--prevalence", 0.1)
    point = package.choose_threshold(Y_TRUE, Y_SCORE, prevalence=0.1)
    for name in ("threshold", "prevalence", "precision", "selection_rate"):
        assert row[name] == getattr(point, name)


def test_a_row_of_a_threshold_has_the_constraints_and_no_range_of_recalls(printed, example):
    (row,) = printed(example, "--objective", "precision", "--min-recall", 0.5)
    assert row["min_recall"] == 0.5
    assert not {"recall_low", "recall_high", "min_precision"} & {*row}


def test_a_guarantee_of_clusters_and_weights(printed, folder):
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(60), 3)
    y, weight = (rng.random(180) < 0.4).astype(int), 1.0 + (group % 2)
    score = np.round(rng.normal(size=180) + 2 * y, 3)
    lines = zip(score.tolist(), y.tolist(), weight.tolist(), group.tolist(), strict=True)
    text = "\n".join(",".join(map(str, line)) for line in lines)
    (folder / "rows.csv").write_text(f"score,label,w,patient\n{text}\n")
    asked = "--objective specificity --min-recall 0.8 --confidence-level 0.8"
    options = {"objective": "specificity", "min_recall": 0.8, "confidence_level": 0.8}
    for columns, more in (
        ("--groups patient", {"groups": group}),
        ("--weight w", {"sample_weight": weight}),
        ("--groups patient --weight w", {"groups": group, "sample_weight": weight}),
    ):
        (row,) = printed("rows.csv", *asked.split(), *columns.split())
        point = package.choose_threshold(y, score, **options, **more)
        assert row["threshold"] == point.threshold
        assert row["npv"] == point.npv
        assert row.get("n_clusters") == point.n_clusters


@pytest.mark.parametrize(
    ("rows", "constraint", "threshold"),
    [
        ("0.3 1\n0.2 0\n0.1 0\n", ("--max-selection-rate", 0), "inf"),
        ("0.1 1\n0.2 0\n0.3 0\n", (), "-inf"),
    ],
)
def test_a_threshold_that_json_cannot_hold_is_a_text(
    printed, folder, rows, constraint, threshold
):
    (folder / "scores").write_text(rows)
    (row,) = printed("scores", "--objective", *constraint)
    assert row["threshold"] == threshold


def test_bounds_that_no_threshold_meets(failed, folder):
    (folder / "scores").write_text("0.9 0\n0.8 1\n0.7 0\n")
    errors = failed("scores", "--objective", "--min-precision", 1)
    assert "--min-precision=1.0 cannot be met at any threshold" in errors


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_a_threshold_is_printed_in_full(run, folder, form):
    (folder / "scores").write_text("0.7654322 1\n0.7654321 0\n0.1 0\n")
    status, output = run("scores", "--objective", "--format", form)[:2]
    assert status == 0
    threshold = package.choose_threshold([1, 0, 0], [0.7654322, 0.7654321, 0.1]).threshold
    assert 0.7654321 < threshold <= 0.7654322
    assert str(threshold) in output


def test_the_program_warns_of_reversed_scores(run, folder):
    rows = (f"{i / 100} {int(i < 20)}\n" for i in range(100))
    (folder / "scores").write_text("".join(rows))
    assert "scores: The scores rank negatives above positives" in run("scores")[2]


# What scores look like


@pytest.fixture
def looks(folder):
    """Files of scores that look wrong, beside a good one."""
    rng = np.random.default_rng(1)
    label = rng.integers(0, 2, 300)
    frame = pandas.DataFrame(
        {
            "good": rng.normal(size=300) + 2 * label,
            "constant": 0.5,
            "predicted": rng.integers(0, 2, 300) + 1.0,
            "reversed": rng.normal(size=300) - label,
            "label": label + 1,
        }
    )
    for name in ("a.csv", "b.csv"):
        frame.to_csv(folder / name)
    return "--label", "label", "--pos-label", 2


LOOKS = {
    "constant": "All samples have one score, so no sample is ranked above another.",
    "predicted": "The score has only 1 and 2, like predicted labels.",
    "reversed": "The scores rank negatives above positives",
}


@pytest.mark.parametrize(
    ("score", "mode"),
    [
        ("constant", []),
        ("predicted", ["--objective"]),
        ("predicted", ["--compare"]),
        ("reversed", ["--compare"]),
    ],
)
def test_every_file_has_one_warning_of_what_its_scores_look_like(run, looks, score, mode):
    status, _, errors = run("a.csv", "b.csv", *looks, "--score", score, *mode)
    lines = [line for line in errors.splitlines() if "The chosen threshold" not in line]
    assert status == 0
    assert len(lines) == 2
    for name, line in zip(("a.csv", "b.csv"), lines, strict=True):
        assert line.startswith(f"achievable-pr: warning: {name}: {LOOKS[score]}")


@pytest.mark.parametrize("mode", [[], ["--objective"]], ids=str)
def test_warnings_name_the_columns_of_scores_that_they_are_about(run, looks, mode):
    scores = [f"--score={name}" for name in ("good", *LOOKS)]
    errors = run("a.csv", *looks, *scores, *mode)[2]
    assert "a.csv: Score 'constant': All samples have one score" in errors
    assert "a.csv: Score 'predicted' has only 1 and 2" in errors
    assert "a.csv: Score 'reversed': The scores rank negatives" in errors
    assert "good" not in errors


def test_a_column_of_decimal_commas_has_one_value(run, folder):
    (folder / "c.csv").write_text("label,score,note\n1,0,95\n0,0,90\n1,0,80\n0,0,72\n")
    assert "c.csv: All samples have one score" in run("c.csv")[2]


# Tables of counts

OF_COUNTS = {
    "areas": "--all-metrics --score a --score b --write-curve c.csv --curve both",
    "weights": "--all-metrics --score a --weight w --groups who --write-curve c.csv",
    "comparison": "--compare --score a --score b --groups who",
    "guarantee": "--objective recall --min-precision 0.3 --confidence-level 0.7 --score a",
}


@pytest.mark.parametrize("asked", OF_COUNTS.values(), ids=OF_COUNTS)
def test_a_table_of_counts_has_the_results_of_its_samples(run, folder, frame, asked):
    count = np.random.default_rng(0).integers(0, 5, len(frame))
    frame.assign(n=count).to_csv(folder / "t.csv")
    table = run("t.csv", "--count", "n", *asked.split())
    curve = (folder / "c.csv").read_text() if "c.csv" in asked else None
    frame.loc[frame.index.repeat(count)].to_csv(folder / "t.csv")
    assert run("t.csv", *asked.split()) == table
    assert table[0] == 0
    if curve:
        assert (folder / "c.csv").read_text() == curve


def test_a_plot_of_a_table_of_counts_is_that_of_its_samples(run, folder, drawn):
    frame = pandas.DataFrame({"score": Y_SCORE, "label": Y_TRUE, "n": 3})
    frame.to_csv(folder / "table.csv")
    frame.loc[frame.index.repeat(3)].to_csv(folder / "samples.csv")
    assert run("table.csv", "--count", "n", "--plot", "o.png")[0] == 0
    assert run("samples.csv", "--plot", "o.png")[0] == 0
    table, samples = (ax.lines[0].get_xydata() for ax in drawn)
    np.testing.assert_array_equal(table, samples)


def test_the_program_warns_where_every_row_is_predicted_positive(run, folder):
    (folder / "scores").write_text("0.1 1\n0.2 0\n0.3 0\n")
    errors = run("scores", "--objective")[2]
    assert "The chosen threshold is -inf: every tuning sample is predicted posi" in errors
