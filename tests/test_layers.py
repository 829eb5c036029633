"""Layers: a module imports only from its own layer or a lower one."""

import ast
from pathlib import Path

import sklearn_achievable_pr

ROOT = Path(sklearn_achievable_pr.__file__).parent
LAYERS = [
    {"_input"},
    {"_roc"},
    {"_metrics"},
    {"_uncertainty", "_folds", "_threshold", "_out_of_core", "_plot"},
    {path.stem for path in ROOT.glob("[a-z]*.py")},
    {"_cli", "__main__"},
]
LAYER = {name: i for i, layer in enumerate(LAYERS) for name in layer}
# Optional: needed only for plots, data frames and the program.
OPTIONAL = {"matplotlib", "pandas", "polars", "pyarrow", "duckdb", "pyspark", "dask"}
# Path of each module below the package -> its syntax tree.
MODULES = {
    path.relative_to(ROOT).with_suffix(""): ast.parse(path.read_text(encoding="utf-8"))
    for path in ROOT.rglob("*.py")
}


def imported(module, tree):
    """Top names that a module imports from this package, with lazy imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = module.parts[: len(module.parts) - node.level]
            names = [node.module] if node.module else [alias.name for alias in node.names]
            yield from ((*base, *name.split("."))[0] for name in names)


def test_imports_point_downwards():
    assert not [
        f"{module} imports {name}"
        for module, tree in MODULES.items()
        if str(module) != "__init__"
        for name in imported(module, tree)
        if LAYER.get(name, 0) > LAYER[module.parts[0]]
    ]


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
