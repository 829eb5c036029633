"""Fixtures and settings that several files use."""

import json
from contextlib import contextmanager
from functools import partial

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from hypothesis import HealthCheck, settings
from score_files import EXAMPLE
from threadpoolctl import threadpool_limits

from sklearn_achievable_pr import CoverageWarning
from sklearn_achievable_pr.__main__ import main
from sklearn_achievable_pr._inference import doubts
from sklearn_achievable_pr._roc import counting, curve, hull, integrals, sorting

# Run by test_array_api.py, in a separate process.
collect_ignore = ["sklearn_array_api.py"]

mpl.use("agg")  # no windows

# Tests may run in parallel: each uses one thread only.
threadpool_limits(1)

# The same examples in every run, so that failures are reproducible.
settings.register_profile(
    "reproducible",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("reproducible")

# Private constants that choose between algorithms with the same result, by short names.
TUNING = {
    "few_samples": (sorting, "FEW_SAMPLES"),
    "rare": (counting, "_MINORITY"),
    "sorting_block": (sorting, "_BLOCK"),
    "part": (counting, "_PART"),
    "segments": (curve, "_BLOCK"),
    "few_segments": (integrals, "_FEW_SEGMENTS"),
    "walk": (hull, "_CHAIN_SIZE"),
    "many_slopes": (hull, "_MAX_FOR_SLOPES"),
}


@pytest.fixture(autouse=True)
def no_figure_stays():
    """Close the figures of each test."""
    yield
    plt.close("all")


class Tuning:
    """The constants of `TUNING` as attributes; a call changes them within a context."""

    def __getattr__(self, name):
        if name not in TUNING:
            raise AttributeError(name)
        return getattr(*TUNING[name])

    @contextmanager
    def __call__(self, **values):
        with pytest.MonkeyPatch.context() as patch:
            for name, value in values.items():
                patch.setattr(*TUNING[name], value)
            yield


@pytest.fixture(scope="session")
def tuning():
    """`tuning.part` is the value of a constant, `with tuning(part=2):` changes it."""
    return Tuning()


WAYS = {
    "permutation": {"few_samples": 10**9, "rare": 0},
    "keys": {"few_samples": 0, "rare": 0, "sorting_block": 4},
    "look-up": {"few_samples": 0, "rare": 1},
}


# Nearly all tests have few samples, whose counts come from a permutation.
@pytest.fixture(
    params=[pytest.param("permutation", marks=pytest.mark.slow), "keys", "look-up"],
    scope="module",
)
def every_way_to_the_counts(request, tuning):
    """Run a test with every algorithm from scores to counts, for any size of the data."""
    with tuning(**WAYS[request.param]):
        yield


@pytest.fixture(params=["by slopes where they differ", "never by slopes"], scope="module")
def every_way_to_the_hull(request, tuning):
    """Run a test with the hull from floating-point means, and without them."""
    with tuning(**({"many_slopes": 0} if request.param == "never by slopes" else {})):
        yield


@pytest.fixture
def n_sorts(monkeypatch):
    """Counts calls of the functions that sort scores; each call is one sort."""
    calls = []

    def counted(sort, *args, **options):
        calls.append(sort)
        return sort(*args, **options)

    for name in ("sorted_keys", "sorted_apart", "falling_order"):
        monkeypatch.setattr(sorting, name, partial(counted, getattr(sorting, name)))
    return lambda: len(calls)


# The program


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys, folder):
    """Run the program in `folder`; returns exit status, output, errors."""

    def run(*arguments):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as end:
            status = end.code
        output = capsys.readouterr()
        return status, output.out, output.err

    return run


@pytest.fixture
def no_doubts(monkeypatch):
    """No warnings about coverage, for the small files of most tests."""
    warn_caller = doubts.warn_caller

    def without_doubts(text, category):
        if category is not CoverageWarning:
            warn_caller(text, category)

    monkeypatch.setattr(doubts, "warn_caller", without_doubts)


@pytest.fixture
def printed(run):
    """What the program prints as JSON."""

    def printed(*arguments):
        status, output, _ = run(*arguments, "--format", "json")
        assert status == 0
        return json.loads(output)

    return printed


@pytest.fixture
def failed(run):
    """The error message with which the program ends."""

    def failed(*arguments):
        status, output, errors = run(*arguments)
        assert (status, output) == (2, "")
        return errors

    return failed


@pytest.fixture
def example(folder):
    """Name of a file with the example."""
    (folder / "a.txt").write_text(EXAMPLE)
    return "a.txt"


@pytest.fixture
def drawn(monkeypatch):
    """List of the axes of saved figures."""
    axes = []
    savefig = mpl.figure.Figure.savefig

    def spy(self, *arguments, **options):
        axes.extend(self.axes)
        return savefig(self, *arguments, **options)

    monkeypatch.setattr(mpl.figure.Figure, "savefig", spy)
    return axes
