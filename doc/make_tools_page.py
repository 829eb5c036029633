"""Write tools.rst: the text of tools.rst.in with tables of measured values.

    python doc/make_tools_page.py

Values come from tools_measured.json (measure_tools.py writes it) and, for programs that
were measured once, from tests/data/values.json. conformance/check.py says which values
agree and why others differ. A test checks that tools.rst is up to date.
"""

import csv
import importlib.util
import json
from pathlib import Path
from textwrap import indent

import numpy as np
from scipy.stats import rankdata

from sklearn_achievable_pr import auprg_score

HERE = Path(__file__).parent
MEASURED = json.loads((HERE / "tools_measured.json").read_text("utf-8"))
RECORDED = json.loads((HERE.parent / "tests" / "data" / "values.json").read_text("utf-8"))
# Key of the values, or program and key in values.json; the title; the package whose version
# counts.
PROGRAMS = [
    ("average_precision_score", "scikit-learn ``average_precision_score``", "scikit-learn"),
    ("trapezoids", "scikit-learn ``auc(recall, precision)``", "scikit-learn"),
    ("torchmetrics", "torchmetrics ``binary_average_precision``", "torchmetrics"),
    ("torchmetrics_200", "torchmetrics, ``thresholds=200``", "torchmetrics"),
    ("torcheval", "TorchEval ``binary_auprc``", "torcheval"),
    ("lightgbm_ap", "LightGBM ``average_precision``", "lightgbm"),
    ("weka", "Weka ``getPRCArea``, *PRC Area*", "weka"),
    ("catboost_prauc", "CatBoost ``PRAUC``", "catboost"),
    ("yardstick", "yardstick ``pr_auc``", "yardstick"),
    ("spark", "Spark ``areaUnderPR``", "pyspark"),
    ("xgboost_aucpr", "XGBoost ``aucpr``", "xgboost"),
    ("h2o", "H2O ``aucpr``", "h2o"),
    (("keras", "auc_pr_midpoints_float64"), "Keras ``AUC(curve=\"PR\")``, thresholds "
     "between the scores", "keras"),
    ("keras_200", "Keras ``AUC(curve=\"PR\")``, 200 thresholds", "keras"),
    (("PRROC", "auc_pr"), "PRROC ``auc.integral``", "PRROC"),
    (("PRROC", "auc_pr_davis_goadrich"), "PRROC ``auc.davis.goadrich``", "PRROC"),
    (("precrec", "auc_pr"), "precrec ``auc(evalmod(...))``", "precrec"),
    (("raucpr", "interpolate_convex_area"), "raucpr, interpolated convex area", "raucpr"),
    (("aucjar", "auc_jar_pr"), "AUCCalculator", "AUCCalculator"),
    (("ROCR", "aucpr"), "ROCR ``performance(..., \"aucpr\")``", "ROCR"),
    (("MLmetrics", "PRAUC"), "MLmetrics ``PRAUC``", "MLmetrics"),
    ("mleval", "MLeval ``evalm``", "MLeval"),
    ("perfmeas", "PerfMeas ``AUPRC``", "PerfMeas"),
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
EXAMPLES = ["ten_samples", "five_points", "e_bc_dt", "f_dg06_fig7_II"]


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
    for key, title, package in PROGRAMS:
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
        rows.append([name, counts, causes or "--"])
    header = ["Program, version", "Agrees in", "Likely cause of differences (number)"]
    return grid(header, rows, "40 15 45", "stacked")


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
    for key, title, _ in PROGRAMS:
        row = tuple(texts(values_of(key).get, DIGITS.get(key, 4)))
        if set(row) != {"--"}:
            programs.setdefault(row, []).append(title)
    rows += [["; ".join(titles), *row] for row, titles in programs.items()]
    return grid(["Program", *cases], rows)


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
    return f"{float(row['mean of the other']):.3f}"


def ranks(scores):
    """The rank of each score, from 1 on; equal scores share one."""
    return rankdata(np.array(scores, float), method="dense")


def page():
    """The text of tools.rst."""
    check = checker()
    problems = check.problems_of()
    text = (HERE / "tools.rst.in").read_text("utf-8")
    text = text.replace("@SUMMARY@", indent(summary(check, problems), "   "))  # in a fold
    text = text.replace("@CASES@", str(len(problems)))
    text = text.replace("@PROGRAMS@", str(len({package for _, _, package in PROGRAMS})))
    text = text.replace("@PRECREC_ERROR@", largest_error(("precrec", "auc_pr"), problems))
    text = text.replace("@MAPIE@", of_mapie("MAPIE (Holm)"))
    text = text.replace("@HULL@", of_mapie("HullThresholdClassifierCV"))
    prgain = {
        # Ranks from 2 on do not look like predicted labels.
        case: np.isclose(value, auprg_score(problem.labels, 1 + ranks(problem.scores)))
        for case, value in MEASURED["prgain"].items()
        for problem in [problems[case]]
    }
    text = text.replace("@PRGAIN@", f"{sum(prgain.values())} of {len(prgain)}")
    constant = f"{MEASURED['prgain']['c_allequal_half']:.1f}"
    text = text.replace("@PRGAIN_CONSTANT@", constant)
    described = (f"``{case}``\n   {problems[case].catches}" for case in EXAMPLES)
    examples = "\n".join(described) + "\n\n" + numbers(EXAMPLES, problems)
    return text.replace("@EXAMPLES@", examples)


if __name__ == "__main__":
    (HERE / "tools.rst").write_text(page(), "utf-8")
