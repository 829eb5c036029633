"""One order of folders: a folder imports only from itself and from those before it."""

import ast
from pathlib import Path

import sklearn_achievable_pr

ROOT = Path(sklearn_achievable_pr.__file__).parent
FOLDERS = [
    {"_input"},
    {"_roc"},
    {"metrics"},
    {"results"},
    {"uncertainty", "out_of_core"},
    {"folds", "thresholds"},
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
