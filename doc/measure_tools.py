"""Measure the programs of tools.rst that tests/data/values.json does not hold.

Run it in an environment with keras, torch, torchmetrics and xgboost:

    KERAS_BACKEND=torch python doc/measure_tools.py

It writes tools_measured.json beside itself: versions, calls and one value a case.
"""

import json
from importlib.metadata import version
from pathlib import Path

import keras
import numpy as np
import torch
import xgboost
from torchmetrics.functional.classification import binary_average_precision

HERE = Path(__file__).parent
CASES = HERE.parent / "tests" / "data" / "cases.npz"
PROGRAMS = {
    "xgboost_aucpr": "xgboost: eval_metric='aucpr' of the scores as base_margin",
    "torchmetrics": "torchmetrics: binary_average_precision(thresholds=None)",
    "torchmetrics_200": "torchmetrics: binary_average_precision(thresholds=200)",
    "keras_200": "keras: AUC(curve='PR'), 200 thresholds, the default",
}


def xgboost_aucpr(y_true, y_score, weight):
    rows = xgboost.DMatrix(
        np.zeros((len(y_true), 1)), label=y_true, weight=weight, base_margin=y_score
    )
    booster = xgboost.train(
        {"objective": "binary:logitraw", "eval_metric": "aucpr", "base_score": 0.5},
        rows,
        num_boost_round=0,
    )
    assert np.array_equal(booster.predict(rows), y_score.astype(np.float32))
    return float(booster.eval(rows).split("aucpr:")[1])


def torchmetrics_ap(y_true, y_score, thresholds):
    score, target = torch.tensor(y_score), torch.tensor(y_true.astype(int))
    return float(binary_average_precision(score, target, thresholds=thresholds))


def keras_200(y_true, y_score, weight):
    metric = keras.metrics.AUC(curve="PR")
    metric.update_state(y_true.astype("f4"), y_score.astype("f4"), sample_weight=weight)
    return float(metric.result())


def main():
    arrays = np.load(CASES)
    values = {}
    for name in sorted({key.split("/")[0] for key in arrays}):
        y_true, y_score = arrays[f"{name}/y_true"], arrays[f"{name}/y_score"]
        weight = arrays.get(f"{name}/sample_weight")
        values[name] = {
            "xgboost_aucpr": xgboost_aucpr(y_true, y_score, weight),
            "keras_200": keras_200(y_true, y_score, weight),
        }
        if weight is None:  # torchmetrics takes no weights here
            values[name] |= {
                "torchmetrics": torchmetrics_ap(y_true, y_score, None),
                "torchmetrics_200": torchmetrics_ap(y_true, y_score, 200),
            }
    measured = {
        "versions": {p: version(p) for p in ("keras", "torch", "torchmetrics", "xgboost")},
        "programs": PROGRAMS,
        "values": values,
    }
    (HERE / "tools_measured.json").write_text(json.dumps(measured, indent=1) + "\n")


if __name__ == "__main__":
    main()
