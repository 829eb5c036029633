"""Measure other programs on the conformance cases, for tools.rst.

    python doc/measure_tools.py [PROGRAM ...]

measures the programs named, keys of PROGRAMS or keras_prgain, or all of them, and writes
versions and values to tools_measured.json; values of other programs stay as they are.
Afterwards run make_tools_page.py. The programs are given the cases of
doc/conformance/cases.json that have no recall range and no reference prevalence. R, Weka
and the programs of PROBABILITIES are given only those with scores from 0 to 1.
Programs in Python that take no weights get repeated samples in place of integer weights.

- h2o and spark need Java 17 beside their packages; set KERAS_BACKEND=torch for keras_200.
- keras_prgain is the area under Keras' precision-recall-gain curve, of unweighted cases.
- yardstick, perfmeas and mleval need Rscript and these packages (measure_tools.R).
- weka needs Java 17 and, in WEKA_JAR, the path of a weka.jar (MeasureWeka.java). The one
  in the package python-weka-wrapper3 will do; Weka 3.6 has no such area.
"""

import functools
import json
import os
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "conformance"))
from runner import samples  # noqa: E402

CASES = HERE / "conformance" / "cases.json"
MEASURED = HERE / "tools_measured.json"
PROGRAMS = {
    "average_precision_score": "scikit-learn: average_precision_score",
    "trapezoids": "scikit-learn: auc(recall, precision) of precision_recall_curve",
    "xgboost_aucpr": "xgboost: eval_metric='aucpr' of the scores as base_margin",
    "torchmetrics": "torchmetrics: binary_average_precision(thresholds=None)",
    "torchmetrics_200": "torchmetrics: binary_average_precision(thresholds=200)",
    "keras_200": "keras: AUC(curve='PR'), 200 thresholds, the default",
    "torcheval": "torcheval: binary_auprc",
    "catboost_prauc": "catboost: utils.eval_metric(..., 'PRAUC')",
    "lightgbm_ap": "lightgbm: metric='average_precision' of the scores as init_score",
    "spark": "pyspark: BinaryClassificationEvaluator(metricName='areaUnderPR')",
    "h2o": "h2o: make_metrics(...).aucpr()",
    "yardstick": "yardstick: pr_auc_vec",
    "perfmeas": "PerfMeas: AUPRC(list(precision.at.all.recall.levels(...)))",
    "mleval": "MLeval: AUC-PR of evalm, two digits",
    "weka": "weka: ThresholdCurve.getPRCArea",
}
PROBABILITIES = ("torchmetrics", "torchmetrics_200", "keras_200", "h2o")
NO_WEIGHTS = ("torcheval", "torchmetrics", "torchmetrics_200", "perfmeas", "mleval")


def all_cases():
    """Labels, scores and weights (None without weights) by case."""
    return {
        case["name"]: samples(case)
        for case in json.loads(CASES.read_text("utf-8"))["cases"]
        if not {"recall_range", "prevalence"} & case.keys()
    }


def of_probabilities(cases):
    """The cases with scores from 0 to 1."""
    return {
        name: case
        for name, case in cases.items()
        if case[1].min() >= 0 and case[1].max() <= 1
    }


def average_precision_score(y_true, y_score, weight):
    from sklearn import metrics

    return metrics.average_precision_score(y_true, y_score, sample_weight=weight)


def trapezoids(y_true, y_score, weight):
    from sklearn import metrics

    precision, recall, _ = metrics.precision_recall_curve(
        y_true, y_score, sample_weight=weight
    )
    return metrics.auc(recall, precision)


def xgboost_aucpr(y_true, y_score, weight):
    import xgboost

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
    import torch
    from torchmetrics.functional.classification import binary_average_precision

    score, target = torch.tensor(y_score), torch.tensor(y_true.astype(int))
    return float(binary_average_precision(score, target, thresholds=thresholds))


def keras_200(y_true, y_score, weight, curve="PR"):
    import keras

    metric = keras.metrics.AUC(curve=curve)
    metric.update_state(y_true.astype("f4"), y_score.astype("f4"), sample_weight=weight)
    return float(metric.result())


def torcheval_auprc(y_true, y_score):
    import torch
    from torcheval.metrics.functional import binary_auprc

    return float(binary_auprc(torch.tensor(y_score), torch.tensor(y_true.astype(int))))


def catboost_prauc(y_true, y_score, weight):
    import catboost.utils

    (value,) = catboost.utils.eval_metric(
        y_true.astype(float), y_score, "PRAUC", weight=weight, thread_count=1
    )
    return value


def lightgbm_ap(y_true, y_score, weight):
    """One round of trees that change nothing, on top of the scores."""
    import lightgbm

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
    return value


def spark_lines(y_true, y_score, weight):
    from pyspark.ml.evaluation import BinaryClassificationEvaluator

    weight = np.ones(len(y_true)) if weight is None else weight
    columns = zip(y_true.tolist(), y_score.tolist(), weight.tolist(), strict=True)
    rows = spark_session().createDataFrame(
        [(float(y), s, float(w)) for y, s, w in columns], ["label", "score", "weight"]
    )
    return BinaryClassificationEvaluator(
        rawPredictionCol="score", metricName="areaUnderPR", weightCol="weight"
    ).evaluate(rows)


@functools.cache
def spark_session():
    from pyspark.sql import SparkSession

    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "1"}
    builder = SparkSession.builder.master("local[1]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


@functools.cache
def h2o_server():
    import h2o

    h2o.init(
        ip="127.0.0.1", bind_to_localhost=True, nthreads=1, max_mem_size="2g", verbose=False
    )
    h2o.no_progress()
    return h2o


def h2o_aucpr(y_true, y_score, weight):
    h2o = h2o_server()
    columns = {"score": y_score.tolist(), "label": [str(int(y)) for y in y_true]}
    if weight is not None:
        columns["weight"] = weight.tolist()
    rows = h2o.H2OFrame(columns, column_types={"label": "categorical"})
    return h2o.make_metrics(
        rows["score"], rows["label"], domain=["0", "1"],
        weights=None if weight is None else rows["weight"],
    ).aucpr()  # fmt: skip


FROM_PYTHON = {
    "average_precision_score": average_precision_score,
    "trapezoids": trapezoids,
    "xgboost_aucpr": xgboost_aucpr,
    "torchmetrics": functools.partial(torchmetrics_ap, thresholds=None),
    "torchmetrics_200": functools.partial(torchmetrics_ap, thresholds=200),
    "keras_200": keras_200,
    "torcheval": torcheval_auprc,
    "catboost_prauc": catboost_prauc,
    "lightgbm_ap": lightgbm_ap,
    "spark": spark_lines,
    "h2o": h2o_aucpr,
}


def repeated(y_true, y_score, weight):
    """Samples repeated by their weights; None where that is not possible."""
    if weight is None:
        return y_true, y_score
    if (weight % 1).any() or weight.sum() > 1e6:
        return None
    repeats = weight.astype(int)
    return np.repeat(y_true, repeats), np.repeat(y_score, repeats)


def from_python(name, cases):
    package = PROGRAMS[name].partition(":")[0]
    needed = {package} | ({"torch"} if package.startswith("torch") else set())
    values = {}
    cases = of_probabilities(cases) if name in PROBABILITIES else cases
    for case, (y_true, y_score, weight) in cases.items():
        arguments = y_true, y_score, weight
        if name in NO_WEIGHTS:
            arguments = repeated(*arguments)
        if arguments is None:
            continue
        try:
            value = FROM_PYTHON[name](*arguments)
        except Exception as error:  # an error counts as no value
            print(f"{name}, {case}: {type(error).__name__}: {str(error)[:100]}")
            value = None
        values[case] = None if value is None or np.isnan(value) else float(value)
    return {package: version(package) for package in needed}, {name: values}


def from_command(command, cases):
    """What a program prints that reads the cases from a table."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "cases.csv"
        with table.open("w") as file:
            print("case,y_true,y_score,weight", file=file)
            for case, (y_true, y_score, weight) in cases.items():
                weight = [""] * len(y_true) if weight is None else weight.tolist()
                for row in zip(y_true.tolist(), y_score.tolist(), weight, strict=True):
                    print(case, *row, sep=",", file=file)
        printed = subprocess.run(
            [*command, table], check=True, stdout=subprocess.PIPE, text=True
        ).stdout
    versions, values = {}, {}
    for program, name, value in (line.split(",") for line in printed.split()):
        if program == "version":
            versions[name] = value
        else:
            value = None if value in {"NA", "NaN"} else float(value)
            values.setdefault(program, {})[name] = value
    return versions, values


def main(names):
    cases = all_cases()
    measured = json.loads(MEASURED.read_text())
    found = [from_python(name, cases) for name in names if name in FROM_PYTHON]
    cases = of_probabilities(cases)
    if {"yardstick", "perfmeas", "mleval"} & set(names):
        found.append(from_command(["Rscript", HERE / "measure_tools.R"], cases))
    if "weka" in names:
        jar = os.environ["WEKA_JAR"]
        found.append(from_command(["java", "-cp", jar, HERE / "MeasureWeka.java"], cases))
    for versions, values in found:
        measured["versions"] |= versions
        for program, by_case in values.items():
            measured["values"][program] = by_case
    if "keras_prgain" in names:
        measured["prgain"] = {
            case: keras_200(y_true, y_score, None, curve="PRGAIN")
            for case, (y_true, y_score, weight) in cases.items()
            if weight is None and 0 < y_true.sum() < len(y_true)
        }
    measured["programs"] = PROGRAMS
    for key in ("versions", "values"):
        measured[key] = dict(sorted(measured[key].items()))
    MEASURED.write_text(json.dumps(measured, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:] or [*PROGRAMS, "keras_prgain"])
