"""Write the values of this package, or of scikit-learn's areas, for check.py.

    python runner.py RESULTS.json [average_precision_score | trapezoids]

It reads cases.json beside this file. Without a second argument the package is measured.
"""

import argparse
import json
import warnings
from pathlib import Path

import numpy as np
from sklearn.metrics import auc, average_precision_score, precision_recall_curve

import sklearn_achievable_pr as apr


def main():
    """Measure all cases and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("results", type=Path, help="JSON file to write")
    parser.add_argument("program", nargs="?", choices=PROGRAMS, default="package")
    options = parser.parse_args()
    text = Path(__file__).with_name("cases.json").read_text("utf-8")
    results = measured(options.program, json.loads(text)["cases"])
    options.results.write_text(json.dumps(results) + "\n", "utf-8")


def measured(program, cases):
    """`{quantity: {case: value}}` of a program."""
    results = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of undefined values, which are expected
        for case in cases:
            for quantity, value in PROGRAMS[program](case).items():
                results.setdefault(quantity, {})[case["name"]] = value
    return results


def samples(case):
    """Labels, scores and weights as arrays."""
    if "generator" in case:
        return *generated(**case["generator"]), None
    weight = case.get("sample_weight")
    return (
        np.array(case["y_true"]),
        np.array(case["y_score"], dtype=float),
        None if weight is None else np.array(weight, dtype=float),
    )


def generated(
    *, multiplier, modulus, seed, n_samples, positive_below, score_divisor, positive_shift
):
    """Labels and scores of a linear congruential generator."""
    labels, scores, state = [], [], seed
    for _ in range(n_samples):
        state = state * multiplier % modulus
        labels.append(int(state < positive_below))
        state = state * multiplier % modulus
        scores.append(state // score_divisor + labels[-1] * positive_shift)
    return np.array(labels), np.array(scores, dtype=float)


def package(case):
    """All quantities of the package that the case has."""
    y_true, y_score, weight = samples(case)
    options = {"sample_weight": weight, "pos_label": 1}
    part = {key: case[key] for key in ("recall_range", "prevalence") if key in case}
    area = apr.auc_pr_interpolated
    found = {
        "auc_pr": area(y_true, y_score, **options, **part),
        "auc_pr_achievable": area(y_true, y_score, curve="achievable", **options, **part),
        "aucnpr": apr.aucnpr(y_true, y_score, **options, **part),
    }
    for name in ("precision_at_k", "recall_at_k"):
        if name in case["expected"] and hasattr(apr, name):
            at_k = getattr(apr, name)
            found[name] = {
                k: at_k(y_true, y_score, k=int(k), **options)
                for k in case["expected"][name]
            }
    return json.loads(json.dumps(found), parse_constant=lambda text: None)


def of_sklearn(area, case):
    """The number that scikit-learn prints as an area, where it takes the options."""
    y_true, y_score, weight = samples(case)
    if "average_precision" not in case["expected"]:
        return {}
    return {"auc_pr": float(area(y_true, y_score, sample_weight=weight))}


def trapezoids(y_true, y_score, sample_weight):
    """Linear interpolation with trapezoids, as in many notebooks."""
    precision, recall, _ = precision_recall_curve(
        y_true, y_score, sample_weight=sample_weight
    )
    return auc(recall, precision)


PROGRAMS = {
    "package": package,
    "average_precision_score": lambda case: of_sklearn(average_precision_score, case),
    "trapezoids": lambda case: of_sklearn(trapezoids, case),
}

if __name__ == "__main__":
    main()
