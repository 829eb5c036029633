"""The recipes of the page "Integrations" run and give the stated results."""

import io
import json
import re
from contextlib import redirect_stdout
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest

from sklearn_achievable_pr import auc_pr_interpolated

PAGE = Path(__file__).parents[1] / "doc" / "how_to" / "integrations.rst"
SECTIONS = re.split(r"^([^\n]+)\n=+\n", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1:]
TEXTS = dict(zip(SECTIONS[::2], SECTIONS[1::2], strict=True))
COMMON = SECTIONS[0]  # the title of the page, whose section holds the lines of all recipes
# Other libraries issue warnings about each other.
pytestmark = pytest.mark.filterwarnings("ignore")


def blocks_of(text):
    found = re.findall(
        r"^\.\. code-block:: python\n\n((?: {3}.*\n|\n)+)", text, re.MULTILINE
    )
    return [dedent(block) for block in found]


def printed_by(text):
    """What the page says that the blocks print."""
    found = re.findall(
        r"^\.\. code-block:: text\n\n((?: {3}.*\n)+)", text, flags=re.MULTILINE
    )
    return "".join(dedent(block) for block in found)


def words_and_numbers(text):
    """The text without its numbers, and the decimal numbers."""
    number = r"\d+\.\d+"
    return re.sub(number, "#", text), [float(found) for found in re.findall(number, text)]


def run(section, *libraries):
    """Names defined by the code of a section; skips without its libraries.

    The blocks have to print what the page says. Fitted models of other versions of a
    library may differ in the second decimal.
    """
    for library in libraries:
        pytest.importorskip(library)
    names, printed = {}, io.StringIO()
    with redirect_stdout(printed):
        for block in blocks_of(TEXTS[COMMON]) + blocks_of(TEXTS[section]):
            exec(compile(block, section, "exec"), names)
    words, numbers = words_and_numbers(printed.getvalue())
    words_of_page, numbers_of_page = words_and_numbers(printed_by(TEXTS[section]))
    assert words.split() == words_of_page.split()
    assert numbers == pytest.approx(numbers_of_page, abs=0.03)
    return names


def area_of(names, model):
    return auc_pr_interpolated(
        names["y_valid"], model.predict_proba(names["X_valid"])[:, 1].astype(float)
    )


def test_every_section_has_a_test():
    source = Path(__file__).read_text("utf-8")
    for title in TEXTS:
        assert title == COMMON or f'"{title}"' in source, title
        assert blocks_of(TEXTS[title])


@pytest.mark.filterwarnings("error::FutureWarning", "error::DeprecationWarning")
def test_lightgbm_stops_at_the_best_round():
    names = run("LightGBM", "lightgbm")
    model = names["model"]
    assert 1 < model.best_iteration_ < 200
    assert list(model.best_score_["valid_0"]) == ["auc_pr"]
    assert model.best_score_["valid_0"]["auc_pr"] == area_of(names, model)
    shown = model.evals_result_["valid_0"]["auc_pr"]
    assert max(shown) == shown[model.best_iteration_ - 1]
    booster = names["booster"]
    score = booster.predict(names["X_valid"], num_iteration=booster.best_iteration)
    assert booster.best_score["valid_0"]["auc_pr"] == auc_pr_interpolated(
        names["y_valid"], score
    )


def test_xgboost_maximizes_with_the_option():
    names = run("XGBoost", "xgboost")
    model = names["model"]
    (shown,) = (
        values
        for name, values in model.evals_result()["validation_0"].items()
        if name == "normalized_average_precision_score"
    )
    # The library rounds the metric to six digits, also for early stopping.
    assert model.best_score == max(shown)
    assert model.best_iteration > 0


def test_xgboost_has_the_area_in_single_precision():
    names = run("XGBoost", "xgboost")
    own = names["xgboost"].XGBClassifier(
        n_estimators=200, eval_metric="aucpr", early_stopping_rounds=10
    )
    own.fit(
        names["X_train"],
        names["y_train"],
        eval_set=[(names["X_valid"], names["y_valid"])],
        verbose=False,
    )
    assert own.best_score == pytest.approx(area_of(names, own), abs=1e-7)


def test_xgboost_minimizes_by_default():
    names = run("XGBoost", "xgboost")
    wrong = names["xgboost"].XGBClassifier(
        n_estimators=50,
        eval_metric=names["normalized_average_precision_score"],
        early_stopping_rounds=10,
    )
    right = names["xgboost"].XGBClassifier(
        n_estimators=50, eval_metric=auc_pr_interpolated, early_stopping_rounds=10
    )
    valid = [(names["X_valid"], names["y_valid"])]
    for model in (wrong, right):
        model.fit(names["X_train"], names["y_train"], eval_set=valid, verbose=False)
    assert wrong.best_iteration == 0
    assert right.best_iteration > 0


def test_catboost_maximizes():
    names = run("CatBoost", "catboost")
    model = names["model"]
    shown = model.evals_result_["validation"]["AucPR"]
    assert max(shown) == shown[model.get_best_iteration()]
    assert model.get_best_score()["validation"]["AucPR"] == max(shown)


def test_optuna_keeps_the_best_trial():
    study = run("Optuna", "optuna")["study"]
    assert study.best_value == max(trial.value for trial in study.trials) > 0.5


def test_imbalanced_learn_does_not_resample_test_folds():
    names = run("imbalanced-learn", "imblearn")
    assert np.all((names["by_fold"] > 0.3) & (names["by_fold"] < 1))
    wrapped = names["HullThresholdClassifierCV"](names["balanced"])
    assert wrapped.fit(names["X_train"], names["y_train"]).threshold_ is not None


def test_skore_shows_the_area():
    names = run("skore", "skore")
    score = names["report"].estimator_.decision_function(names["X_valid"])
    area = auc_pr_interpolated(names["y_valid"], score)
    assert names["table"].loc["auc_pr_interpolated"].item() == area
    assert "aucnpr" in names["table"].index


def test_skore_shows_the_check_of_the_interval():
    (text,) = run("skore", "skore")["issues"].query("code == 'APR001'")["explanation"]
    assert re.fullmatch(r"The 95 % interval of AUC-PR is 0\.\d\d to 0\.\d\d\.", text)


def test_scoring_monitor_logs_the_area_of_each_iteration():
    names = run("scikit-learn's ScoringMonitor", "sklearn.callback")
    score = names["model"].decision_function(names["X_train"])
    assert len(names["by_iteration"]) > 1
    area = auc_pr_interpolated(names["y_train"], score)
    assert names["by_iteration"][-1] == pytest.approx(area, abs=1e-3)


def test_mlflow_stores_the_result(tmp_path, monkeypatch):
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", (tmp_path / "runs").as_uri())
    names = run("MLflow", "mlflow")
    (stored,) = tmp_path.rglob("auc_pr.json")
    assert json.loads(stored.read_text()) == names["result"].to_dict()
    logged = names["mlflow"].get_run(names["run"].info.run_id).data.metrics
    assert logged["auc_pr_low"] == names["low"]
    assert names["evaluated"].metrics == {"auc_pr": names["result"].estimate}


def test_fairlearn_shows_the_areas_of_subgroups():
    names = run("fairlearn", "fairlearn")
    found = names["frame"].by_group["AUC-PR"].to_dict()
    subgroups = names["tested"].subgroups
    assert found == {name: one.estimate for name, one in subgroups.items()}
    assert names["gap"] == pytest.approx(abs(names["tested"].pairs["A", "B"].difference))


@pytest.mark.parametrize(
    "logits",
    [[2, 1, 0, -1], [[2], [1], [0], [-1]], [[0, 2], [0, 1], [3, 3], [1, 0]]],
    ids=["flat", "one column", "one column per class"],
)
def test_logits_of_a_training_loop_have_the_area_of_their_scores(logits):
    metrics_of = run("PyTorch, Hugging Face, Keras, Lightning")["metrics_of"]
    labels = np.array([1, 0, 1, 0])
    area = auc_pr_interpolated(labels, [2, 1, 0, -1])
    assert metrics_of(np.array(logits), labels) == {"auc_pr": area}


def test_skorch_learns():
    pytest.importorskip("torch").set_num_threads(1)
    names = run("skorch", "torch", "skorch")
    shown = [epoch["auc_pr"] for epoch in names["model"].history]
    assert max(shown) > 0.5
    best = [epoch["auc_pr_best"] for epoch in names["model"].history]
    assert best[int(np.argmax(shown))]


def test_saved_and_exported_models_predict_as_the_fitted_one():
    names = run("Saving and deploying", "skops", "skl2onnx", "onnxruntime")
    predicted = names["model"].predict(names["X_valid"])
    assert np.array_equal(names["loaded"].predict(names["X_valid"]), predicted)
    # The exported classifier computes in single precision.
    assert np.mean(names["is_positive"] == predicted) > 0.998
