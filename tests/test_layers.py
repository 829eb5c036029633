"""Layers: a module imports only from its own layer or a lower one."""

import ast
from pathlib import Path

import pytest

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
MODULES = sorted(p.relative_to(ROOT).with_suffix("") for p in ROOT.rglob("*.py"))


def imported(module):
    """Top names that a module imports from this package, with lazy imports."""
    for node in ast.walk(ast.parse((ROOT / f"{module}.py").read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = module.parts[: len(module.parts) - node.level]
            names = [node.module] if node.module else [alias.name for alias in node.names]
            yield from ((*base, *name.split("."))[0] for name in names)


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_imports_point_downwards(module):
    if str(module) != "__init__":
        above = [n for n in imported(module) if LAYER.get(n, 0) > LAYER[module.parts[0]]]
        assert not above


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_optional_packages_are_imported_where_they_are_used(module):
    if module.parts[0] != "_cli":
        for node in ast.parse((ROOT / f"{module}.py").read_text()).body:
            if isinstance(node, ast.Import | ast.ImportFrom) and not getattr(
                node, "level", 0
            ):
                names = getattr(node, "module", None) or node.names[0].name
                assert names.partition(".")[0] not in OPTIONAL
