"""Measure the programs of tools.rst that tests/data/values.json does not hold.

Run it in an environment with catboost, keras, lightgbm, pyspark (and Java 17), torch,
torcheval, torchmetrics and xgboost:

    KERAS_BACKEND=torch python doc/measure_tools.py

It writes tools_measured.json beside itself: versions, calls and one value a case.
"""

import json
import os
from importlib.metadata import version
from pathlib import Path

import catboost.utils
import keras
import lightgbm
import numpy as np
import torch
import xgboost
from pyspark.ml.evaluation import BinaryClassificationEvaluator
from pyspark.sql import SparkSession
from torcheval.metrics.functional import binary_auprc
from torchmetrics.functional.classification import binary_average_precision

HERE = Path(__file__).parent
CASES = HERE.parent / "tests" / "data" / "cases.npz"
TOLD = (
    "catboost", "keras", "lightgbm", "pyspark", "torch", "torcheval", "torchmetrics",
    "xgboost",
)  # fmt: skip
PROGRAMS = {
    "xgboost_aucpr": "xgboost: eval_metric='aucpr' of the scores as base_margin",
    "torchmetrics": "torchmetrics: binary_average_precision(thresholds=None)",
    "torchmetrics_200": "torchmetrics: binary_average_precision(thresholds=200)",
    "keras_200": "keras: AUC(curve='PR'), 200 thresholds, the default",
    "torcheval": "torcheval: binary_auprc",
    "catboost_prauc": "catboost: utils.eval_metric(..., 'PRAUC')",
    "lightgbm_ap": "lightgbm: metric='average_precision' of the scores as init_score",
    "spark": "pyspark: BinaryClassificationEvaluator(metricName='areaUnderPR')",
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


def torcheval_auprc(y_true, y_score):
    return float(binary_auprc(torch.tensor(y_score), torch.tensor(y_true.astype(int))))


def catboost_prauc(y_true, y_score, weight):
    (value,) = catboost.utils.eval_metric(
        y_true.astype(float), y_score, "PRAUC", weight=weight, thread_count=1
    )
    return value


def lightgbm_ap(y_true, y_score, weight):
    """One round of trees that change nothing, on top of the scores."""
    options = {"metric": "average_precision", "verbose": -1, "num_threads": 1}
    options["objective"] = lambda score, rows: (np.zeros_like(score), np.ones_like(score))
    rows = lightgbm.Dataset(
        np.arange(len(y_true))[:, None], y_true, weight=weight, init_score=y_score,
        params={"min_data_in_bin": 1, "verbose": -1, "feature_pre_filter": False},
    )  # fmt: skip
    found = {}
    lightgbm.train(
        options, rows, 1, valid_sets=[rows], valid_names=["rows"],
        callbacks=[lightgbm.record_evaluation(found)],
    )  # fmt: skip
    (value,) = found["rows"]["average_precision"]
    return None if np.isnan(value) else float(value)


def spark_lines(spark, y_true, y_score, weight):
    weight = np.ones(len(y_true)) if weight is None else weight
    columns = zip(y_true.tolist(), y_score.tolist(), weight.tolist(), strict=True)
    rows = spark.createDataFrame(
        [(float(y), s, float(w)) for y, s, w in columns], ["label", "score", "weight"]
    )
    return BinaryClassificationEvaluator(
        rawPredictionCol="score", metricName="areaUnderPR", weightCol="weight"
    ).evaluate(rows)


def spark_session():
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "1"}
    builder = SparkSession.builder.master("local[1]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def main():
    spark = spark_session()
    arrays = np.load(CASES)
    values = {}
    for name in sorted({key.split("/")[0] for key in arrays}):
        y_true, y_score = arrays[f"{name}/y_true"], arrays[f"{name}/y_score"]
        weight = arrays.get(f"{name}/sample_weight")
        values[name] = {
            "xgboost_aucpr": xgboost_aucpr(y_true, y_score, weight),
            "keras_200": keras_200(y_true, y_score, weight),
            "catboost_prauc": catboost_prauc(y_true, y_score, weight),
            "lightgbm_ap": lightgbm_ap(y_true, y_score, weight),
            "spark": spark_lines(spark, y_true, y_score, weight),
        }
        if weight is None:  # neither takes weights here
            values[name] |= {
                "torcheval": torcheval_auprc(y_true, y_score),
                "torchmetrics": torchmetrics_ap(y_true, y_score, None),
                "torchmetrics_200": torchmetrics_ap(y_true, y_score, 200),
            }
    measured = {
        "versions": {program: version(program) for program in TOLD},
        "programs": PROGRAMS,
        "values": values,
    }
    (HERE / "tools_measured.json").write_text(json.dumps(measured, indent=1) + "\n")


if __name__ == "__main__":
    main()
