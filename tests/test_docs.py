"""The documentation: its examples run, nothing is missing, its numbers are right.

That it builds without a warning is seen to by `.ci/run`.
"""

import doctest
import json
import re
from pathlib import Path

import pytest
from cases import each

import sklearn_achievable_pr

ROOT = Path(__file__).parents[1]
DOC = ROOT / "doc"
PAGES = sorted(
    path
    for path in DOC.rglob("*.rst")
    if not {"_build", "_templates", "auto_examples", "generated"} & set(path.parts)
    and path.name != "sg_execution_times.rst"
)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def name_of(path):
    return str(path.relative_to(ROOT))


@pytest.fixture
def no_window():
    """Examples may draw; nothing may open."""
    matplotlib = pytest.importorskip("matplotlib")
    before = matplotlib.get_backend()
    matplotlib.use("Agg")
    yield
    matplotlib.pyplot.close("all")
    matplotlib.use(before)


@pytest.mark.parametrize("path", [ROOT / "README.rst", *PAGES], ids=name_of)
@pytest.mark.usefixtures("no_window")
def test_examples_print_what_the_page_says(path):
    failed, _ = doctest.testfile(
        str(path), module_relative=False, optionflags=FLAGS, encoding="utf-8"
    )
    assert failed == 0


# Completeness


def test_every_public_name_is_in_the_api_page_once():
    page = (DOC / "api" / "index.rst").read_text("utf-8")
    named = re.findall(r"^   (\w+)$|^\.\. py:data:: (\w+)$", page, flags=re.MULTILINE)
    assert sorted(a or b for a, b in named) == sorted(sklearn_achievable_pr.__all__)


def in_toctrees(path):
    """The pages that a page's toctrees hold."""
    text = path.read_text("utf-8")
    for block in re.findall(r"\.\. toctree::\n((?:[ ]{3}.*\n|\n)+)", text):
        for line in block.splitlines():
            entry = line.strip()
            if entry and not entry.startswith(":"):
                entry = entry.partition("<")[2].rstrip(">") or entry  # a title of its own
                yield (path.parent / entry).resolve().with_suffix(".rst")


def test_every_page_is_in_a_toctree_and_the_other_way_round():
    listed = {entry for path in PAGES for entry in in_toctrees(path)}
    listed = {path for path in listed if "auto_examples" not in path.parts}
    pages = {path.resolve() for path in PAGES}
    assert listed == pages - {(DOC / "index.rst").resolve()}


@each(path=[ROOT / "README.rst", *PAGES])
def test_pages_name_no_package_registry(path):
    assert not re.search(r"pypi\.|pythonhosted|anaconda\.org", path.read_text("utf-8"))


# The numbers of tools.rst

VALUES = json.loads((ROOT / "tests" / "data" / "values.json").read_text("utf-8"))
MEASURED = json.loads((DOC / "tools_measured.json").read_text("utf-8"))
PROGRAMS = {
    "exact area": ("exact", "auc_pr"),
    "achievable area": ("exact", "auc_pr_achievable"),
    "scikit-learn AP": ("tools", "sklearn", "average_precision"),
    "scikit-learn lines": ("tools", "sklearn", "trapezoid"),
    "torchmetrics": ("measured", "torchmetrics"),
    "torchmetrics, 200": ("measured", "torchmetrics_200"),
    "torcheval": ("measured", "torcheval"),
    "LightGBM AP": ("measured", "lightgbm_ap"),
    "Weka": ("measured", "weka"),
    "CatBoost PRAUC": ("measured", "catboost_prauc"),
    "yardstick": ("measured", "yardstick"),
    "Spark": ("measured", "spark"),
    "XGBoost": ("measured", "xgboost_aucpr"),
    "H2O": ("measured", "h2o"),
    "Keras, midpoints": ("tools", "keras", "auc_pr_midpoints_float64"),
    "Keras, 200": ("measured", "keras_200"),
    "PRROC integral": ("tools", "PRROC", "auc_pr"),
    "PRROC D. & G.": ("tools", "PRROC", "auc_pr_davis_goadrich"),
    "precrec": ("tools", "precrec", "auc_pr"),
    "raucpr": ("tools", "raucpr", "interpolate_convex_area"),
    "AUCCalculator": ("tools", "aucjar", "auc_jar_pr"),
    "ROCR": ("tools", "ROCR", "aucpr"),
    "MLmetrics": ("tools", "MLmetrics", "PRAUC"),
    "MLeval": ("measured", "mleval"),
    "PerfMeas": ("measured", "perfmeas"),
}


def cells_of_tools_page():
    """(program, case, text) of each cell of the tables of numbers."""
    text = (DOC / "tools.rst").read_text("utf-8")
    for table in re.findall(r":class: numbers\n\n((?:   .*\n)+)", text):
        rows = [
            [cell.strip() for cell in re.split(r"\n\s+- ", row)]
            for row in re.split(r"\s*\* - ", table)[1:]
        ]
        (_, *cases), *rows = rows
        for program, *texts in rows:
            for case, cell in zip(cases, texts, strict=True):
                yield program, case, cell


def test_the_tables_of_the_tools_page_are_found():
    cells = list(cells_of_tools_page())
    assert {program for program, _, _ in cells} == set(PROGRAMS)
    assert len(cells) > 330


def told(program, value):
    if value is None:
        return "--"
    return f"{float(value):.2f}" if program == "MLeval" else f"{float(value):.4f}"


def test_numbers_of_the_tools_page_are_the_measured_ones():
    for program, case, cell in cells_of_tools_page():
        value = VALUES.get(case, {}) | {"measured": MEASURED["values"][case]}
        for key in PROGRAMS[program]:
            value = value[key]
        assert cell == told(program, value), (program, case)


def test_the_small_table_of_the_tools_page_has_the_measured_numbers():
    text = (DOC / "tools.rst").read_text("utf-8")
    table = text.partition("     - ten rows\n     - five points\n")[2].partition("\n\n")[0]
    sources = PROGRAMS | {
        "LightGBM": PROGRAMS["LightGBM AP"],
        "TorchEval": PROGRAMS["torcheval"],
        "CatBoost": PROGRAMS["CatBoost PRAUC"],
    }
    found = set()
    for row in re.split(r"\s*\* - ", table)[1:]:
        named, *cells = (cell.strip() for cell in re.split(r"\n\s+- ", row))
        for name in named.split(", "):
            source, *keys = sources.get(name, ("exact",))
            if source == "measured":
                found.add(keys[0])
                for case, cell in zip(["ten_rows", "five_points"], cells, strict=True):
                    value = MEASURED["values"][case][keys[0]]
                    assert cell == told(name, value), (name, case)
    assert found == set(MEASURED["programs"]) - {"keras_200", "torchmetrics_200"}


@each(case=["b03_tied", "c_perfect1000"])
def test_what_the_tools_page_says_of_the_order_of_rows(case):
    orders = ["", "_positives_first", "_negatives_first"]
    for program in MEASURED["programs"]:
        values = [MEASURED["values"][case + order][program] for order in orders]
        moves = {"b03_tied": "perfmeas", "c_perfect1000": "h2o"}[case] == program
        assert (max(values) - min(values) > 1e-3) == moves, program
        assert moves or max(values) - min(values) < 1e-6, program


def test_versions_of_the_tools_page_are_those_measured():
    text = " ".join((DOC / "tools.rst").read_text("utf-8").split())
    versions = MEASURED["versions"]
    for program, name in [
        ("xgboost", "XGBoost"),
        ("keras", "Keras"),
        ("torchmetrics", "torchmetrics"),
        ("torcheval", "TorchEval"),
        ("lightgbm", "LightGBM"),
        ("catboost", "CatBoost"),
        ("pyspark", "Spark"),
        ("h2o", "H2O"),
        ("weka", "Weka"),
        ("MLeval", "MLeval"),
        ("PerfMeas", "PerfMeas"),
        ("yardstick", "yardstick"),
    ]:
        assert f"{name} {versions[program]}" in text
    assert f"(torch {versions['torch'].partition('+')[0]})" in text


@each(case=sorted(VALUES))
def test_what_the_tools_page_says_of_all_cases(case):
    exact, tools = VALUES[case]["exact"], VALUES[case]["tools"]
    area = float(exact["auc_pr"])
    measured = MEASURED["values"][case]
    assert abs(tools["keras"]["auc_pr_midpoints_float64"] - area) < 2e-6
    # Weights in single precision in these three.
    assert abs(measured["xgboost_aucpr"] - area) < 1e-8
    assert abs(measured["catboost_prauc"] - tools["sklearn"]["trapezoid"]) < 1e-8
    if case == "d03_intw":
        assert measured["lightgbm_ap"] is measured["weka"] is None
    else:
        assert abs(measured["lightgbm_ap"] - tools["sklearn"]["average_precision"]) < 1e-8
        assert abs(measured["weka"] - tools["sklearn"]["average_precision"]) < 1e-12
    assert abs(measured["yardstick"] - tools["sklearn"]["trapezoid"]) < 1e-12
    if case == "c_perfect1000":
        assert round(area - measured["h2o"], 3) == 0.005
    elif case == "e_bc_lr":
        assert round(measured["h2o"] - area, 6) == 0.000004
    else:
        assert abs(measured["h2o"] / area - 1) < 1e-12
    if "MLmetrics" in tools:
        lines = tools["MLmetrics"]["PRAUC"]
        assert abs(measured["mleval"] - lines) < 0.005 + 1e-9
        if case.startswith("a"):
            assert abs(measured["perfmeas"] - lines) < 1e-12
    if "precrec" in tools:
        assert abs(tools["precrec"]["auc_pr"] - area) < 4e-6
        ap = float(exact["average_precision"])
        assert abs(measured["torchmetrics"] - ap) < 2e-7  # single precision
        assert abs(measured["torcheval"] - ap) < 2e-7
