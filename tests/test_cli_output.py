"""The program for score files: what it writes, its process and its page."""

import os
import re
import shlex
import signal
import stat
import sys
import time
from pathlib import Path

import numpy as np
import polars
import pytest
from score_files import EXAMPLE, close, csv_of, in_a_process, legend_of, started

import sklearn_achievable_pr as package
from sklearn_achievable_pr._cli import output, results

PAGE = Path(__file__).parents[1] / "doc" / "how_to" / "command_line.rst"

# What is written


@pytest.mark.parametrize(
    ("which", "weighted"),
    [("empirical", False), ("empirical", True), ("achievable", False), ("both", True)],
)
def test_curve_holds_what_the_functions_return(run, folder, which, weighted):
    rng = np.random.default_rng(1)
    y_true, y_score = rng.integers(0, 2, 40), rng.integers(0, 9, 40) / 8
    weight = rng.integers(1, 4, 40) if weighted else None
    (folder / "a.csv").write_text(csv_of(score=y_score, label=y_true, w=weight))
    asked = ["a.csv", "--write-curve", "out.csv", "--curve", which]
    assert run(*asked, *(["--weight", "w"] if weighted else []))[0] == 0
    table = polars.read_csv("out.csv").to_pandas()
    functions = {
        "empirical": package.pr_curve_interpolated,
        "achievable": package.achievable_pr_curve,
    }
    kinds = [kind for kind in functions if which in (kind, "both")]
    assert [*table["curve"].unique()] == kinds
    for kind, part in table.groupby("curve"):
        curve = functions[kind](y_true, y_score, sample_weight=weight)
        np.testing.assert_array_equal(part["precision"], curve[0])
        np.testing.assert_array_equal(part["recall"], curve[1])
        np.testing.assert_array_equal(part["threshold"], [*curve[2], np.nan])


def test_a_file_without_positives_has_no_curve(run, failed, folder, example):
    (folder / "none.txt").write_text("0.5 0\n")
    status, _, errors = run(
        "none.txt", example, "--write-curve", "o.csv", "--plot", "o.svg"
    )
    assert status == 0
    assert "none.txt: There are no positives" in errors
    lines = (folder / "o.csv").read_text().splitlines()
    assert {line.split(",")[0] for line in lines} == {"file", "a.txt"}
    errors = failed("none.txt", "--plot", "p.svg")
    assert "--write-curve and --plot need samples of both classes." in errors
    assert not (folder / "p.svg").exists()


MAGIC = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.parametrize(
    "file_format",
    ["png", *(pytest.param(f, marks=pytest.mark.slow) for f in ("svg", "pdf"))],
)
@pytest.mark.usefixtures("no_doubts")
def test_the_ending_names_the_format_of_a_plot(run, folder, example, file_format):
    name = f"out.{file_format.upper()}"
    status, output, errors = run(example, "--plot", name)
    assert (status, errors) == (0, "")
    assert "0.825584" in output
    assert (folder / name).read_bytes().startswith(MAGIC[file_format])
    assert sorted(os.listdir(folder)) == [example, name]


@pytest.mark.usefixtures("no_doubts")
def test_plot_of_several_files_is_on_one_axes(run, folder, drawn):
    names = ["a.txt", "b$c$.txt", "only positives.txt"]
    for name, text in zip(names, (EXAMPLE, EXAMPLE, "1 1\n"), strict=True):
        (folder / name).write_text(text)
    status, _, errors = run(*names, "--plot", "out.png", "--curve", "both")
    assert (status, errors.count("warning")) == (0, 1)
    (ax,) = drawn
    legend = legend_of(ax)
    assert legend[0] == "a.txt (AUC-PR = 0.83)"
    assert legend[1] == "a.txt (achievable AUC-PR = 0.90)"
    assert legend[2].startswith("b\\$c\\$.txt (")
    assert any(text.startswith("Minimum") for text in legend)


def test_a_warning_of_a_plot_is_one_line(run, folder):
    (folder / "日.txt").write_text(EXAMPLE)
    errors = run("日.txt", "--plot", "out.png")[2].splitlines()
    (line,) = (line for line in errors if "Glyph" in line)
    assert line.startswith("achievable-pr: warning: --plot: Glyph 26085 (")


def test_a_plot_names_the_reference_prevalence(run, example, drawn):
    assert run(example, "--prevalence", 0.125, "--plot", "out.png")[0] == 0
    assert legend_of(drawn[0])[0].endswith(", at prevalence 0.125")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("no/where.csv", "No such file or directory."),
        ("d.csv", "is not a regular file."),
        (os.devnull, "is not a regular file."),
    ],
)
def test_outputs_that_cannot_be_written(failed, folder, example, name, reason):
    (folder / "d.csv").mkdir()
    assert failed(example, "--write-curve", name).endswith(f": {reason}\n")
    assert sorted(os.listdir(folder)) == [example, "d.csv"]


@pytest.mark.parametrize(
    "place", ["polars.DataFrame.write_csv", "matplotlib.figure.Figure.savefig"]
)
def test_a_failure_while_writing_leaves_what_was_there(
    failed, folder, example, monkeypatch, place
):
    (folder / "c.csv").write_text("old")
    (folder / "p.png").write_text("old")

    def full(self, path, *arguments):
        Path(path).write_text("half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(place, full)
    errors = failed(example, "--write-curve", "c.csv", "--plot", "p.png")
    assert errors.endswith(": No space left on device.\n")
    assert sorted(os.listdir(folder)) == [example, "c.csv", "p.png"]
    assert (folder / "c.csv").read_text() == (folder / "p.png").read_text() == "old"


def test_outputs_replace_the_files_that_links_name(run, folder, example):
    (folder / "real.csv").write_text("old")
    (folder / "link.csv").symlink_to("real.csv")
    assert run(example, "--write-curve", "link.csv")[0] == 0
    assert (folder / "link.csv").is_symlink()
    assert (folder / "real.csv").read_text().startswith("file,curve,recall")


def test_what_a_killed_run_left_does_not_block_the_next(run, folder, example):
    """Runs in containers often have the same process id."""
    with output.replacing("c.csv"):
        assert len(os.listdir(folder)) == 2  # as after SIGKILL
        assert run(example, "--write-curve", "c.csv")[0] == 0
        assert (folder / "c.csv").read_text().startswith("file,curve,recall")


posix_permissions = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX modes")


@posix_permissions
@pytest.mark.parametrize("mode", [0o600, 0o664])
def test_a_replaced_file_keeps_its_permissions(run, folder, example, mode):
    for name in ("c.csv", "p.png"):
        (folder / name).touch()
        (folder / name).chmod(mode)
    assert run(example, "--write-curve", "c.csv", "--plot", "p.png")[0] == 0
    for name in ("c.csv", "p.png"):
        found = (folder / name).stat()
        assert found.st_size > 0
        assert stat.S_IMODE(found.st_mode) == mode


@posix_permissions
def test_the_umask_decides_the_permissions_of_a_new_file(run, folder, example):
    before = os.umask(0o027)
    try:
        assert run(example, "--write-curve", "c.csv")[0] == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE((folder / "c.csv").stat().st_mode) == 0o640


@posix_permissions
def test_a_file_without_write_permission_is_not_replaced(failed, folder, example):
    (folder / "c.csv").write_text("old")
    (folder / "c.csv").chmod(0o400)
    if os.access(folder / "c.csv", os.W_OK):
        pytest.skip("the user may write to every file")
    assert failed(example, "--write-curve", "c.csv").endswith("c.csv: Permission denied.\n")
    assert (folder / "c.csv").read_text() == "old"
    assert sorted(os.listdir(folder)) == [example, "c.csv"]


@pytest.mark.parametrize(
    ("fault", "status", "message"),
    [
        (KeyboardInterrupt, 130, "interrupted."),
        (MemoryError, 2, "the files do not fit into memory."),
    ],
)
def test_an_interruption_leaves_no_files(
    run, folder, example, monkeypatch, fault, status, message
):
    def stop(*arguments):
        raise fault

    monkeypatch.setattr(results, "rows_of", stop)
    found = run(example, "--write-curve", "c.csv", "--plot", "p.png")
    assert found == (status, "", f"achievable-pr: error: {message}\n")
    assert os.listdir(folder) == [example]


# Warnings


def test_a_comparison_warns_as_compare_models_does(run, folder):
    rng = np.random.default_rng(0)
    label = np.arange(60) < 5
    scores = {name: np.round(rng.normal(size=60) + 4 * label, 3) for name in "ab"}
    (folder / "c.csv").write_text(csv_of(**scores, label=label.astype(int)))
    errors = run("c.csv", "--score", "a", "--score", "b", "--compare")[2]
    with pytest.warns(package.CoverageWarning, match="the t test is") as caught:
        package.compare_models(label, scores)
    expected = [str(warning.message).partition(' See "')[0] for warning in caught]
    assert [line.partition("--compare: ")[2] for line in errors.splitlines()] == expected


# The program as a process


@pytest.mark.slow
def test_a_reader_that_leaves(folder):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as output:
        result = in_a_process("-", stdout=output, input=EXAMPLE.encode())
    message = b"achievable-pr: error: standard output: [Errno 32] Broken pipe.\n"
    assert result.returncode == 2
    assert result.stderr.endswith(message)


def opened_for(process, pipe):
    """The pipe, opened once the process reads it; opening it alone waits for ever."""
    for _ in range(6000):
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # no reader yet
            assert process.poll() is None, process.stderr.read().decode()
            time.sleep(0.01)
    pytest.fail("the program did not open the pipe within a minute")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_signals_leave_no_files(folder, name):
    os.mkfifo(folder / "pipe")
    asked = ("pipe", "--write-curve", "c.csv")
    number = getattr(signal, name)
    # The tests themselves may run with SIGHUP ignored.
    before = signal.signal(number, signal.SIG_DFL)
    process = started(*asked)
    signal.signal(number, before)
    try:
        pipe = opened_for(process, folder / "pipe")
        # Opened by the program, so its files are there.
        assert len(os.listdir(folder)) == 2
        process.send_signal(number)
        os.close(pipe)  # a signal just before a read alone would not end it
        assert process.wait(60) == 128 + number
    finally:
        process.kill()
        process.communicate()
    assert os.listdir(folder) == ["pipe"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_closed_standard_output(folder, example):
    result = in_a_process(example, "--write-curve", "c.csv", preexec_fn=lambda: os.close(1))
    message = b"achievable-pr: error: standard output: is closed.\n"
    assert (result.returncode, result.stderr) == (2, message)
    assert os.listdir(folder) == [example]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_closed_standard_error(example):
    asked = example, "--recall-range", "0.9", "1", "--format", "csv"  # warns
    result = in_a_process(*asked, preexec_fn=lambda: os.close(2))
    assert result.returncode == 0
    assert result.stdout.startswith(b"file,")


# The page


def commands_of_page():
    """(command, what is printed) of the page's examples."""
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
    assert len(commands) > 4
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
    assert run("--version") == (0, f"achievable-pr {package.__version__}\n", "")
    options = set(re.findall(r"--[a-z-]+", run("--help")[1])) - {"--help", "--version"}
    assert {option for option in options if option not in text} == set()
