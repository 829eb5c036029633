"""Which room of the package may take from which: data flows one way."""

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

from cases import each

import sklearn_achievable_pr

PACKAGE = Path(sklearn_achievable_pr.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts): path
    for path in PACKAGE.rglob("*.py")
    if path.name != "__init__.py" or path.parent == PACKAGE
}
# A room takes from the rooms above it in this list, and from none beside it.
FLOORS = [
    {"_input.arrays"},
    {"_input.options", "_input.labels"},
    {"_input.estimators"},
    {"_path.sorting", "_path.hull", "_path.integrals"},
    {"_path.path"},
    {"_path.counting"},
    {"_bins"},
    {"_bin_counts"},
    {"_ranges"},
    {"_batches", "_frames"},
    {"_clusters"},
    {"_averaging", "unachievable"},
    {"areas", "curves", "spaces"},
    {"folds", "gain", "large", "_fold_bands", "_operating_point"},
    {"_guarantee", "_tuning_splits", "_tuning_fits"},
    {"_influence", "_intervals"},
    {"_spread"},
    {"_resampling"},
    {"_permutations"},
    {"_confidence"},
    {"uncertainty"},
    {"_legend"},
    {"_drawing"},
    {"_drawn_curves"},
    {
        "hull_threshold",
        "threshold_display",
        "scorers",
        "metrics",
        "display",
        "_program.files",
    },
    {"_program.opened", "_program.points", "_program.by_fold", "_program.how_sure"},
    {"_program.beyond_memory"},
    {"_program.results"},
    {"_program.printing"},
    {"_program.writing", "_program.arguments"},
    {"__main__", "__init__"},
]
# What a room must not take, though it stands above.
NEVER = {
    # They know no PR formula.
    "_operating_point": {"areas", "curves", "spaces", "unachievable"},
    "_guarantee": {"areas", "curves", "spaces", "unachievable"},
    "hull_threshold": {"areas", "curves", "spaces", "unachievable"},
    # It measures nothing.
    "_drawing": {"areas", "curves", "spaces", "unachievable", "folds", "uncertainty"},
}
# Only these may sort, and what is not a score.
SORTING = {"sort", "argsort", "lexsort", "sorted", "argpartition"}
SORTED = {
    "_path.sorting": {"sort", "argsort"},
    "_batches": {"argsort"},  # numbers of ranges
    "_permutations": {"sort", "argsort"},  # places drawn at random, numbers of groups
    "unachievable": {"sort"},  # the fractional parts of a few weights
    "_tuning_fits": {"sort"},  # the classes of the estimator
    "_path.path": {"lexsort"},  # points between those of a path
    "_drawing": {"lexsort"},  # points on the screen
    "_legend": {"sorted"},  # its entries
    "display": {"sorted"},  # prevalences
    "_program.how_sure": {"argsort"},  # p-values
    "_program.points": {"lexsort"},  # points read from a file
    "_program.opened": {"sorted"},  # names of files
}
DRAWING = {"_drawing", "_legend", "display", "threshold_display", "_program.writing"}
every_module = each(module=sorted(MODULES))


def tree(module):
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def imports(module):
    """Pairs of (module, name) imported anywhere in it."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = "." * node.level + (node.module or "")
            yield from ((source, alias.name) for alias in node.names)


def taken(module):
    """Rooms of the package that a room imports, by their names in `MODULES`."""
    folder = module.split(".")[:-1]
    for source, name in imports(module):
        level = len(source) - len(source.lstrip("."))
        if level:
            above = folder[: len(folder) - level + 1]
            room = ".".join([*above, *filter(None, [source[level:]])])
            yield room if room in MODULES else ".".join(filter(None, [room, name]))


def imports_at_the_top(module):
    """Those that `import` runs: not within a function, not for a type checker."""
    for node in tree(module).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module


def test_every_room_has_its_floor():
    placed = [room for floor in FLOORS for room in floor]
    assert sorted(placed) == sorted(MODULES)


@every_module
def test_every_room_is_on_the_page_for_newcomers(module):
    """A name in double backticks, with or without the ending."""
    page = (Path(__file__).parent.parent / "doc" / "contributing.rst").read_text("utf-8")
    named = re.findall(r"``(\w+)(?:\.py)?``", page)
    assert module == "__init__" or module.rpartition(".")[2] in named


@every_module
def test_data_flows_one_way(module):
    above: set[str] = set()
    for floor in FLOORS:
        if module in floor:
            break
        above |= floor
    rooms = {room for room in taken(module) if room != "__version__"}
    assert rooms <= above - NEVER.get(module, set())


@every_module
def test_own_modules_are_imported_relatively(module):
    assert not any(
        source.startswith("sklearn_achievable_pr") for source, _ in imports(module)
    )


@every_module
def test_public_names_of_other_packages_only(module):
    for source, name in imports(module):
        if source.startswith(".") or source == "__future__":
            continue
        parts = [*source.split("."), name]
        assert not any(part.startswith("_") for part in parts), (source, name)


@every_module
def test_annotations_read_as_they_are_written(module):
    assert module == "__init__" or ("__future__", "annotations") in imports(module)


@every_module
def test_drawing_is_imported_where_it_is_done(module):
    assert not any(name.startswith("matplotlib") for name in imports_at_the_top(module))
    if module not in DRAWING:
        assert not any(source.startswith("matplotlib") for source, _ in imports(module))


@every_module
def test_scores_are_sorted_in_one_place(module):
    calls = {
        getattr(node.func, "attr", getattr(node.func, "id", None))
        for node in ast.walk(tree(module))
        if isinstance(node, ast.Call)
    }
    assert calls & SORTING <= SORTED.get(module, set())


def test_importing_the_package_imports_no_drawing_and_no_data_frames():
    """Beyond what scikit-learn imports itself."""
    program = (
        "import sys, sklearn.metrics, sklearn.model_selection; before = {*sys.modules}; "
        "import sklearn_achievable_pr; print(*{*sys.modules} - before)"
    )
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        check=True,
        capture_output=True,
        text=True,
    )
    imported = {name.partition(".")[0] for name in run.stdout.split()}
    assert "sklearn_achievable_pr" in imported
    engines = {"dask", "distributed", "duckdb", "narwhals", "pyspark"}
    assert imported.isdisjoint({"matplotlib", "pandas", "polars", "pyarrow"} | engines)


@every_module
def test_modules_import_alone(module):
    if module != "__main__":
        assert importlib.import_module(
            f"sklearn_achievable_pr.{module}".removesuffix(".__init__")
        )
