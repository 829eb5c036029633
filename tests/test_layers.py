"""Folders import only folders before them in one order; a name stands in one module."""

import ast
from pathlib import Path

import sklearn_achievable_pr

ROOT = Path(sklearn_achievable_pr.__file__).parent
FOLDERS = [
    {"_input"},
    {"_roc"},
    {"metrics"},
    {"results"},
    {"_inference"},
    {"uncertainty", "out_of_core", "rates", "thresholds"},
    {"comparisons", "folds"},
    {"displays"},
    {"_cli"},
    {"__main__"},
]
ORDER = {name: i for i, folders in enumerate(FOLDERS) for name in folders}
# Forest plots and decision curves are imported when they are drawn.
LAZY = {("results", "displays")}
# Optional: needed only for plots, data frames and the program.
OPTIONAL = {"matplotlib", "pandas", "polars", "pyarrow", "duckdb", "pyspark", "dask"}
# Path of each module below the package -> its syntax tree.
MODULES = {
    path.relative_to(ROOT).with_suffix(""): ast.parse(path.read_text(encoding="utf-8"))
    for path in ROOT.rglob("*.py")
}
NAMED = ast.FunctionDef | ast.ClassDef


def imported(module, tree):
    """Folders that a module imports from this package, with lazy imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = module.parts[: len(module.parts) - node.level]
            names = [node.module] if node.module else [alias.name for alias in node.names]
            yield from ((*base, *name.split("."))[0] for name in names)


def test_folders_import_only_folders_before_them():
    assert not [
        f"{module} imports {name}"
        for module, tree in MODULES.items()
        if str(module) != "__init__"
        for name in imported(module, tree)
        if name != module.parts[0]
        and ORDER.get(name, 0) >= ORDER[module.parts[0]]
        and (module.parts[0], name) not in LAZY
    ]


def imported_modules(module):
    """Modules of this package that a module imports, with lazy imports."""
    for node in ast.walk(MODULES[module]):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = Path(*module.parts[: len(module.parts) - node.level])
            base /= (node.module or "").replace(".", "/")
            for alias in node.names:
                # A name is a module, or stands in a module or a package.
                places = base / alias.name, base, base / "__init__"
                yield next(place for place in places if place in MODULES)


IMPORTS = {module: {*imported_modules(module)} for module in MODULES}
PLOTS = {
    name
    for module, names in IMPORTS.items()
    if module.parts[0] == "results"
    for name in names
    if name.parts[0] == "displays"
}


def reached_from(modules):
    """The modules, and all modules that they import directly or through others."""
    reached, waiting = set(), [*modules]
    while waiting:
        module = waiting.pop()
        if module not in reached:
            reached.add(module)
            waiting += IMPORTS[module]
    return reached


def test_plots_of_results_are_the_forest_plot_and_the_decision_curve():
    assert {plot.name for plot in PLOTS} == {"_result_plots"}


def test_no_module_that_a_plot_of_a_result_imports_imports_results():
    assert not [path for path in reached_from(PLOTS) if path.parts[0] == "results"]


def imported_displays(module):
    """Names of the modules of displays that a module imports, with lazy imports."""
    return {name.name for name in IMPORTS[module] if name.parts[0] == "displays"}


def test_what_is_drawn_is_below_the_artists():
    assert not imported_displays(Path("displays", "_drawn"))


def test_the_program_draws_in_one_place_and_computes_no_curve_through_a_display():
    program = [module for module in MODULES if module.parts[0] == "_cli"]
    artists = {module.name: imported_displays(module) - {"_drawn"} for module in program}
    assert {name: found for name, found in artists.items() if found} == {
        "output": {"curve_display"}
    }


def test_modules_do_not_import_each_other_in_a_circle():
    assert not [module for module in MODULES if module in reached_from(IMPORTS[module])]


def test_every_folder_has_a_place_in_the_order():
    assert {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()} == {
        name for name in ORDER if name != "__main__"
    }


def imported_at_once(tree):
    """Top names that are imported from other packages when the module is."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.partition(".")[0]


def test_optional_packages_are_imported_where_they_are_used():
    assert not [
        f"{module} imports {name}"
        for module, tree in MODULES.items()
        if module.parts[0] != "_cli"
        for name in imported_at_once(tree)
        if name in OPTIONAL
    ]


# Top-level functions and classes whose name stands in several modules, with what the name
# means there. An entry goes when one of its functions is renamed. No entry is added.
SHARED_NAMES = {
    # The core of a public function has its name; it takes a ROC curve or a sample.
    "precision_at_k": "a core and its public function",
    "recall_at_fpr": "a core and its public function",
    "recall_at_k": "a core and its public function",
    # Alike, for different data.
    "_columns": "columns of labels, of a file and of a plot",
}


def modules_by_name():
    """Name of a top-level function or class -> the modules that define it."""
    found = {}
    for module, tree in MODULES.items():
        for name in {node.name for node in tree.body if isinstance(node, NAMED)}:
            found.setdefault(name, []).append(module.as_posix())
    return found


def test_a_name_stands_in_one_module():
    assert not {
        name: modules
        for name, modules in modules_by_name().items()
        if len(modules) > 1 and name not in SHARED_NAMES
    }


def test_no_exception_is_left_for_a_name_of_one_module():
    found = modules_by_name()
    assert not [name for name in SHARED_NAMES if len(found.get(name, [])) <= 1]
