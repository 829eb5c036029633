"""Write tools.rst: the text of tools.rst.in with tables of measured values.

In the text, ``@VALUE program case@`` is a measured or (of "exact") an exact value.

    python doc/make_tools_page.py

Values come from tools_measured.json (measure_tools.py writes it) and, for programs that
were measured once, from tests/data/values.json. conformance/check.py says which values
agree and why others differ. A test checks that tools.rst is up to date.
"""

import csv
import importlib.util
import json
import re
from pathlib import Path

import numpy as np

from sklearn_achievable_pr import auprg_score

HERE = Path(__file__).parent
MEASURED = json.loads((HERE / "tools_measured.json").read_text("utf-8"))
RECORDED = json.loads((HERE.parent / "tests" / "data" / "values.json").read_text("utf-8"))
EXACT = "`auc_pr_interpolated`"
# Key of the values, or program and key in values.json; the title; the package whose version
# counts; what to call here instead.
PROGRAMS = [
    ("average_precision_score", "scikit-learn ``average_precision_score``", "scikit-learn",
     f"{EXACT}; `normalized_average_precision_score`"),
    ("trapezoids", "scikit-learn ``auc(recall, precision)``", "scikit-learn", EXACT),
    ("torchmetrics", "torchmetrics ``binary_average_precision``", "torchmetrics", EXACT),
    ("torchmetrics_200", "torchmetrics, ``thresholds=200``", "torchmetrics", EXACT),
    ("torcheval", "TorchEval ``binary_auprc``", "torcheval", EXACT),
    ("lightgbm_ap", "LightGBM ``average_precision``", "lightgbm", EXACT),
    ("weka", "Weka ``getPRCArea``, *PRC Area*", "weka", EXACT),
    ("catboost_prauc", "CatBoost ``PRAUC``", "catboost", EXACT),
    ("yardstick", "yardstick ``pr_auc``", "yardstick", EXACT),
    ("spark", "Spark ``areaUnderPR``", "pyspark", EXACT),
    ("xgboost_aucpr", "XGBoost ``aucpr``", "xgboost",
     f"{EXACT}: the same in single precision"),
    ("h2o", "H2O ``aucpr``", "h2o",
     f"{EXACT}: the same up to about 400 distinct scores"),
    (("keras", "auc_pr_midpoints_float64"), "Keras ``AUC(curve=\"PR\")``, thresholds "
     "between the scores", "keras",
     f"{EXACT}: the same in single precision"),
    ("keras_200", "Keras ``AUC(curve=\"PR\")``, 200 thresholds", "keras", EXACT),
    (("PRROC", "auc_pr"), "PRROC ``auc.integral``", "PRROC",
     f"{EXACT}: the same"),
    (("PRROC", "auc_pr_davis_goadrich"), "PRROC ``auc.davis.goadrich``", "PRROC",
     "``method=\"davis_goadrich\"``, if the highest score holds a positive"),
    (("precrec", "auc_pr"), "precrec ``auc(evalmod(...))``", "precrec",
     f"{EXACT}, approximated by 1000 bins of recall"),
    (("raucpr", "interpolate_convex_area"), "raucpr, interpolated convex area", "raucpr",
     f"{EXACT} with ``curve=\"achievable\"``: the same"),
    (("aucjar", "auc_jar_pr"), "AUCCalculator", "AUCCalculator",
     "``method=\"davis_goadrich\"``: the same"),
    (("ROCR", "aucpr"), "ROCR ``performance(..., \"aucpr\")``", "ROCR", EXACT),
    (("MLmetrics", "PRAUC"), "MLmetrics ``PRAUC``", "MLmetrics", EXACT),
    ("mleval", "MLeval ``evalm``", "MLeval", EXACT),
    ("perfmeas", "PerfMeas ``AUPRC``", "PerfMeas", EXACT),
]  # fmt: skip
# What the page calls a cause that conformance/check.py describes.
SHORT = {
    "step-wise interpolation (average precision)": "step-wise",
    "linear interpolation, from an artificial first point (recall 0, precision 1)":
    "linear, with the artificial first point",
    "linear interpolation": "linear",
    "rounding: right to single precision": "right to single precision",
    "approximation: right to 1 %": "right to 1 %",
}  # fmt: skip
ACHIEVABLE = ("raucpr", "interpolate_convex_area")
DIGITS = {"mleval": 2}
TABLES = {
    "FIRST": ["ten_samples", "five_points"],
    "MODELS": ["e_bc_dt", "f_dg06_fig7_II"],
}


def checker():
    """conformance/check.py as a module."""
    path = HERE / "conformance" / "check.py"
    spec = importlib.util.spec_from_file_location("check", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def values_of(key):
    """Value by case of a program."""
    if isinstance(key, str):
        return MEASURED["values"][key]
    program, name = key
    return {
        case: value["tools"][program][name]
        for case, value in RECORDED.items()
        if name in value["tools"].get(program, {})
    }


def grid(header, rows, widths=None, classes="numbers"):
    """The lines of a list-table."""
    lines = [".. list-table::", f"   :class: {classes}", "   :header-rows: 1"]
    if widths:
        lines.append(f"   :widths: {widths}")
    lines.append("")
    for row in (header, *rows):
        first, *others = row
        lines.append(f"   * - {first}")
        lines += [f"     - {cell}" for cell in others]
    return "\n".join(lines)


def summary(check, problems):
    """One row per program: values that agree, and the causes of the differences."""
    rows = []
    for key, title, package, here in PROGRAMS:
        values = values_of(key)
        quantity = "auc_pr_achievable" if key == ACHIEVABLE else "auc_pr"
        passed, causes = check.judge(
            {quantity: values}, quantity, problems, n_digits=DIGITS.get(key)
        )
        causes = "; ".join(f"{name} ({len(failed)})" for name, failed in causes.items())
        for cause, short in SHORT.items():
            causes = causes.replace(cause, short)
        counts = f"{passed} of {len(values)}"
        name = f"{title}, {MEASURED['versions'][package]}"
        rows.append([name, counts, causes or "--", here])
    header = [
        "Program, version",
        "Agrees in",
        "Likely cause of differences (number)",
        "Use here",
    ]
    return grid(header, rows, "28 10 36 26", "stacked")


def numbers(cases, problems):
    """The exact values and those of the programs, one row for all that print the same."""

    def texts(value_of, n_digits=4):
        found = [value_of(case) for case in cases]
        return ["--" if x is None else f"{float(x):.{n_digits}f}" for x in found]

    expected = {case: problems[case].expected for case in cases}
    rows = [
        ["**exact area**", *texts(lambda case: expected[case]["auc_pr"])],
        ["**achievable area**", *texts(lambda case: expected[case]["auc_pr_achievable"])],
    ]
    programs = {}
    for key, title, _, _ in PROGRAMS:
        row = tuple(texts(values_of(key).get, DIGITS.get(key, 4)))
        if set(row) != {"--"}:
            programs.setdefault(row, []).append(title)
    rows += [["; ".join(titles), *row] for row, titles in programs.items()]
    return grid(["Program", *cases], rows)


def one_value(match, problems):
    """The text of one value: of a program, or exact."""
    program, case = match.groups()
    if program == "exact":
        return f"{float(problems[case].expected['auc_pr']):.4f}"
    return f"{values_of(program)[case]:.4f}"


def largest_error(key, problems):
    """The largest difference of a program from the exact values."""
    values = {case: value for case, value in values_of(key).items() if value is not None}
    exact = {case: float(problems[case].expected["auc_pr"]) for case in values}
    return f"{max(abs(values[case] - exact[case]) for case in values):.6f}"


def of_mapie(method):
    """Mean precision at a guaranteed recall of 0.8, of 5000 samples with prevalence 0.1."""
    with (HERE / "benchmark" / "guarantee_mapie.csv").open(encoding="utf-8") as file:
        (row,) = (
            row for row in csv.DictReader(file)
            if row["method"] == method and row["constraint"] == "recall 0.8"
            and (row["tuning samples"], row["prevalence"]) == ("5000", "0.1")
        )  # fmt: skip
    return row["mean of the other"]


def page():
    """The text of tools.rst."""
    check = checker()
    problems = check.problems_of()
    text = (HERE / "tools.rst.in").read_text("utf-8")
    text = text.replace("@SUMMARY@", summary(check, problems))
    text = text.replace("@CASES@", str(len(problems)))
    text = text.replace("@PROGRAMS@", str(len({package for _, _, package, _ in PROGRAMS})))
    text = re.sub(r"@VALUE (\S+) (\S+)@", lambda match: one_value(match, problems), text)
    text = text.replace("@PRECREC_ERROR@", largest_error(("precrec", "auc_pr"), problems))
    text = text.replace("@MAPIE@", of_mapie("MAPIE (Holm)"))
    text = text.replace("@HULL@", of_mapie("HullThresholdClassifierCV"))
    prgain = {
        case: np.isclose(
            value, auprg_score(problem.labels, np.array(problem.scores, float))
        )
        for case, value in MEASURED["prgain"].items()
        for problem in [problems[case]]
    }
    text = text.replace("@PRGAIN@", f"{sum(prgain.values())} of {len(prgain)}")
    constant = f"{MEASURED['prgain']['c_allequal_half']:.1f}"
    text = text.replace("@PRGAIN_CONSTANT@", constant)
    for name, cases in TABLES.items():
        described = (f"``{case}``\n   {problems[case].catches}" for case in cases)
        text = text.replace(f"@{name}@", "\n".join(described) + "\n\n"
                            + numbers(cases, problems))  # fmt: skip
    return text


if __name__ == "__main__":
    (HERE / "tools.rst").write_text(page(), "utf-8")
