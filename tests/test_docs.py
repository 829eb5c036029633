"""The documentation: examples run, pages are complete, numbers are right.

`.ci/run documentation` checks that it builds without warnings, such as that of a page
in no toctree.
"""

import ast
import doctest
import re
import tomllib
from pathlib import Path

import pytest
from cases import script

import sklearn_achievable_pr
from sklearn_achievable_pr import results

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


@pytest.mark.parametrize("path", [ROOT / "README.rst", *PAGES], ids=name_of)
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


def test_every_result_is_in_the_api_page_once():
    page = (DOC / "api" / "index.rst").read_text("utf-8")
    classes = [
        name
        for name, item in vars(results).items()
        if isinstance(item, type) and issubclass(item, results.Result)
        if not name.startswith("_")
    ]
    assert sorted(re.findall(r"^ +results\.(\w+)$", page, flags=re.MULTILINE)) == sorted(
        set(classes) - {"IntervalResult"}
    )


def test_every_file_that_the_readme_links_to_exists():
    text = (ROOT / "README.rst").read_text("utf-8")
    linked = re.findall(r"<([^>\s]+)>`__|^\.\. image:: (\S+)", text, flags=re.MULTILINE)
    files = [link or image for link, image in linked if not link.startswith("http")]
    assert files
    assert not [file for file in files if not (ROOT / file).exists()]


def test_every_page_that_the_list_for_language_models_names_exists():
    named = re.findall(r"\(([\w/]+)\.html\)", (DOC / "llms.txt").read_text("utf-8"))
    assert named
    assert not [page for page in named if not (DOC / f"{page}.rst").exists()]


def test_every_measured_table_is_on_a_page():
    pages = "".join(page.read_text("utf-8") for page in PAGES)
    on_pages = set(re.findall(r"\w+\.(?:csv|png)", pages))
    measured = {path.name for path in (DOC / "benchmark").iterdir()}
    assert measured - on_pages == set()


def test_every_reason_of_a_coverage_warning_has_a_section_of_its_name():
    modules = Path(sklearn_achievable_pr.__file__).parent.rglob("*.py")
    calls = [
        node
        for module in modules
        for node in ast.walk(ast.parse(module.read_text("utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Doubt"
    ]
    reasons = {call.args[0].value for call in calls if len(call.args) == 2}
    page = (DOC / "how_to" / "warnings.rst").read_text("utf-8")
    # Warnings about the score itself are no `CoverageWarning`.
    reasons |= {"Predicted labels as scores", "A constant score", "Reversed scores"}
    assert set(re.findall(r"^(.+)\n-{8,}$", page, flags=re.MULTILINE)) == reasons


def test_recipe_has_the_dependencies_of_the_package():
    recipe = (ROOT / "recipe.yaml").read_text("utf-8")
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for dependency in settings["project"]["dependencies"]:
        assert f"- {dependency.replace('>=', ' >=')}\n" in recipe


def test_recipe_and_citation_have_the_version_of_the_package():
    version = sklearn_achievable_pr.__version__
    assert f'version: "{version}"\n' in (ROOT / "recipe.yaml").read_text("utf-8")
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    heading = f"\nVersion {version} ("
    assert heading in (DOC / "whats_new.rst").read_text("utf-8")


# The page of other programs


@pytest.mark.slow
def test_the_tools_page_is_up_to_date():
    page = script(DOC / "make_tools_page.py").page()
    assert (DOC / "tools.rst").read_text("utf-8") == page


def test_versions_and_programs_of_the_tools_page_are_those_measured():
    make = script(DOC / "make_tools_page.py")
    measured = {key for key, *_ in make.PROGRAMS if isinstance(key, str)}
    assert measured == set(make.MEASURED["programs"]) == set(make.MEASURED["values"])
