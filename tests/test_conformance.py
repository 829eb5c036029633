"""The cases of doc/conformance: the package passes, and the statements there are true."""

import json
import sys
from fractions import Fraction
from shutil import which
from subprocess import run

import pytest
from cases import CONFORMANCE, conformance_cases, each, script
from closeness import assert_exact
from sklearn.metrics import average_precision_score

CASES = conformance_cases()
CHECK = script(CONFORMANCE / "check.py")
RUNNER = script(CONFORMANCE / "runner.py")
QUANTITIES = (*CHECK.AREAS, *CHECK.AT_K)
TINY = [name for name, case in CASES.items() if len(case.get("y_true", ())) in range(1, 61)]
every_case = each(name=CASES)


# The package


@pytest.fixture(scope="module")
def package():
    return RUNNER.measured("package", CASES.values())


@every_case
def test_the_package_passes(name, package):
    for quantity in ("auc_pr", "auc_pr_achievable", "aucnpr"):
        exact, found = CASES[name]["expected"][quantity], package[quantity][name]
        if exact is None:
            assert found is None
        elif quantity == "aucnpr" and float(exact) < 1e-3:  # a difference of areas
            assert found == pytest.approx(float(exact), rel=1e-9, abs=1e-15)
        else:
            assert_exact(found, exact)


@pytest.mark.parametrize("quantity", CHECK.AT_K)
def test_the_package_passes_at_k(quantity, package):
    for name, case in CASES.items():
        for k, exact in case["expected"].get(quantity, {}).items():
            found = package[quantity][name][k]
            if exact is None:
                assert found is None
            else:
                assert_exact(found, exact)


@every_case
def test_scikit_learn_passes_average_precision(name):
    exact = CASES[name]["expected"].get("average_precision")
    if exact is not None:
        y_true, y_score, weight = RUNNER.samples(CASES[name])
        assert_exact(average_precision_score(y_true, y_score, sample_weight=weight), exact)


# The inputs and the expected values


def test_there_are_cases_of_every_kind():
    assert len(CASES) >= 60
    for key in ("sample_weight", "recall_range", "prevalence", "generator"):
        assert any(key in case for case in CASES.values())
    for quantity in CHECK.AREAS:
        assert any(case["expected"].get(quantity) is None for case in CASES.values())


def test_weights_ranges_and_prevalences_are_written_exactly():
    text = (CONFORMANCE / "cases.json").read_text("utf-8")
    for case in json.loads(text, parse_float=Fraction)["cases"]:
        own = CASES[case["name"]]
        for key in ("sample_weight", "recall_range"):
            assert case.get(key) == own.get(key)
        assert case.get("prevalence") == own.get("prevalence")
        for x in (*own.get("recall_range", ()), own.get("prevalence", 0)):
            assert Fraction(x).denominator <= 2**20


def test_generated_numbers_are_exact_in_double_precision():
    for case in CASES.values():
        rule = case.get("generator", {"multiplier": 0, "modulus": 0})
        assert rule["multiplier"] * rule["modulus"] < 2**53


# The checker


PROBLEMS = {name: CHECK.Problem(CASES[name]) for name in TINY}
# Method and options of the curve by their names as causes.
WRONG = {cause: (method, {}) for cause, method in CHECK.METHODS.items()}
WRONG |= {
    cause: (CHECK.exact, options)
    for cause, options in CHECK.CURVES.items()
    if "hull" not in options
}


def written(path, results):
    path.write_text(json.dumps(results), "utf-8")
    return str(path)


def test_the_checker_passes_the_package(package, tmp_path, capsys):
    assert CHECK.main([written(tmp_path / "r.json", package)]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    assert [line.split()[0] for line in lines] == [q for q in QUANTITIES if q in package]
    assert all(line.split()[-1] == "0" for line in lines)


@pytest.mark.slow
@each(cause=WRONG)
def test_each_wrong_method_is_named(cause, tmp_path, capsys):
    method, options = WRONG[cause]
    found = {
        name: CHECK.area_of(problem, "auc_pr", method, options)
        for name, problem in PROBLEMS.items()
        if problem.expected["auc_pr"] is not None
    }
    values = {name: value for name, value in found.items() if value is not None}
    assert CHECK.main([written(tmp_path / "r.json", {"auc_pr": values})]) == 1
    assert f"likely cause: {cause}" in capsys.readouterr().out.splitlines()[2]


@pytest.mark.parametrize("quantity", CHECK.AT_K)
def test_ties_at_the_cut_are_named(quantity):
    cause, method = next(CHECK.at_k_methods(quantity))
    values = {
        name: {k: method(problem, k=k) for k in problem.expected.get(quantity, ())}
        for name, problem in PROBLEMS.items()
        if problem.expected["auc_pr"] is not None
    }
    _, causes = CHECK.judge({quantity: values}, quantity, PROBLEMS)
    assert list(causes) == [cause]


def test_undefined_and_unknown_values_are_named():
    values = {"ten_samples": None, "no_positives": 0.0, "five_points": 0.123}
    passed, causes = CHECK.judge({"auc_pr": values}, "auc_pr", PROBLEMS)
    assert passed == 0
    assert {cause: failed[0][0] for cause, failed in causes.items()} == {
        "prints NaN for a defined value": "ten_samples",
        "prints a number for an undefined value": "no_positives",
        "unknown": "five_points",
    }


def test_a_case_without_a_known_name_raises(tmp_path):
    with pytest.raises(SystemExit, match="no case 'nobody'"):
        CHECK.main([written(tmp_path / "r.json", {"auc_pr": {"nobody": 1}})])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "is not JSON"),
        ('{"auc_pr": []}', "must hold"),
        ('{"auc_pr": {}}', "has no value of auc_pr"),
        (None, "cannot be read"),
    ],
)
def test_files_without_results_are_errors(text, problem, tmp_path, capsys):
    path = tmp_path / "r.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(SystemExit, match="2"):
        CHECK.main([str(path)])
    assert problem in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [("node", "runner.js"), ("Rscript", "runner.R"), (sys.executable, "runner.py")],
)
def test_runners_without_arguments_print_their_usage(command):
    if not which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    result = run(command, cwd=CONFORMANCE, capture_output=True, text=True, check=False)
    assert result.returncode
    assert "usage: " in result.stderr


# The folder


def test_stored_results_pass():
    problems = CHECK.problems_of()
    for language in ("r", "javascript", "java"):
        path = CONFORMANCE / "results" / f"{language}.json"
        results = json.loads(path.read_text("utf-8"))
        for quantity in CHECK.AREAS[:3]:
            passed, causes = CHECK.judge(results, quantity, problems)
            assert not causes
            assert passed > 100


@pytest.mark.parametrize("name", ["runner.js", "runner.R", "Runner.java"])
def test_runners_are_short(name):
    assert len((CONFORMANCE / name).read_text("utf-8").splitlines()) <= 80


def test_scripts_share_no_code_with_the_package():
    for name in ("make_cases.py", "check.py"):
        text = (CONFORMANCE / name).read_text("utf-8")
        assert "import sklearn_achievable_pr" not in text
        assert "from sklearn_achievable_pr" not in text
