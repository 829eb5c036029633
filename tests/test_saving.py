"""Saved objects: round trips, and the names of modules that files hold."""

import copy
import io
import pickle
import pickletools
import sys
import typing

import joblib
import numpy as np
import pytest
import sklearn
from cases import each
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

import sklearn_achievable_pr as apr
from sklearn_achievable_pr import results

X, Y = make_classification(300, weights=[0.8], flip_y=0.2, random_state=0)
MODEL = LogisticRegression().fit(X, Y)
SCORE = MODEL.decision_function(X)


def of_classifier():
    return apr.HullThresholdClassifierCV(
        LogisticRegression(), min_recall=0.8, randomize=True, store_cv_results=True,
        random_state=0,
    ).fit(X, Y)  # fmt: skip


def of_search():
    search = GridSearchCV(LogisticRegression(), {"C": [1]}, scoring=apr.aucnpr_scorer)
    return search.fit(X, Y)


OBJECTS = {
    "classifier": of_classifier,
    "search": of_search,
    "counts": lambda: apr.PRCounts().update(Y, SCORE),
    "models": lambda: apr.compare_models(Y, {"a": SCORE, "b": SCORE - X[:, 0]}),
}


def with_joblib(value):
    file = io.BytesIO()
    joblib.dump(value, file)
    file.seek(0)
    return joblib.load(file)


def with_cloudpickle(value):
    cloudpickle = pytest.importorskip("cloudpickle")
    return pickle.loads(cloudpickle.dumps(value))


WAYS = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "joblib": with_joblib,
    "cloudpickle": with_cloudpickle,
}


def answer_of(value):
    """What an object says, as arrays or text."""
    if hasattr(value, "predict_proba"):
        return value.predict_proba(X).tolist()
    return value.auc_pr() if isinstance(value, apr.PRCounts) else str(value)


@pytest.mark.parametrize("way", WAYS)
@each(name=OBJECTS)
def test_saved_objects_answer_as_before(name, way):
    value = OBJECTS[name]()
    assert answer_of(WAYS[way](value)) == answer_of(value)


def modules_in(pickled):
    """The modules of this package that a pickle names."""
    texts = {text for _, text, _ in pickletools.genops(pickled) if isinstance(text, str)}
    return {text.split()[0] for text in texts if text.startswith("sklearn_achievable_pr")}


@pytest.mark.parametrize("name", OBJECTS)
def test_saved_objects_name_public_modules_only(name):
    public = {apr.__name__, results.__name__}
    assert modules_in(pickle.dumps(OBJECTS[name]())) <= public


def public_things():
    for module in (apr, results):
        for name in module.__all__:
            thing = getattr(module, name)
            if hasattr(thing, "__name__"):  # a scorer has no name
                yield module, name, thing


def test_public_names_say_the_module_that_they_are_imported_from():
    assert not [
        (name, thing.__module__)
        for module, name, thing in public_things()
        if thing.__module__ != module.__name__
    ]


def test_type_hints_of_public_names_can_be_resolved():
    assert all(isinstance(typing.get_type_hints(t), dict) for _, _, t in public_things())


COPIES = {"pickle": WAYS["pickle"], "deepcopy": copy.deepcopy}


@pytest.mark.parametrize("way", COPIES)
def test_copies_of_scorers_keep_their_options(way):
    scorer = apr.get_scorer("precision_at_recall", recall=0.5, pos_label=0)
    assert COPIES[way](scorer)(MODEL, X, Y) == scorer(MODEL, X, Y)
    assert COPIES[way](scorer).__doc__ == scorer.__doc__


@pytest.mark.parametrize("way", COPIES)
def test_copies_of_scorers_keep_their_requests(way):
    scorer = apr.get_scorer("aucnpr")
    with sklearn.config_context(enable_metadata_routing=True):
        scorer.set_score_request(sample_weight=True)
        found = COPIES[way](scorer).get_metadata_routing().score.requests
        assert found == {"sample_weight": True}
        others = apr.aucnpr_scorer.get_metadata_routing().score.requests
        assert not others.get("sample_weight")


def test_a_saved_classifier_predicts_with_its_threshold():
    model = of_classifier()
    np.testing.assert_array_equal(WAYS["pickle"](model).predict(X), model.predict(X))


def test_public_classes_say_the_module_of_their_source():
    """The links from the documentation to the source need it."""
    classes = [thing for _, _, thing in public_things() if isinstance(thing, type)]
    sources = [sys.modules[one._module_source] for one in classes]
    assert all(one.__name__ in vars(s) for one, s in zip(classes, sources, strict=True))


# Formats of other libraries; the stage `integrations` of .ci/run has these.

TRUSTED = [
    "sklearn_achievable_pr.HullThresholdClassifierCV",
    "sklearn_achievable_pr.results.OperatingPoint",
    "sklearn_achievable_pr.results.TuningCounts",
]


def of_rare_events():
    """A classifier whose threshold is far below 0.5, and its features."""
    features, labels = make_classification(2000, weights=[0.95], random_state=0)
    features = features.astype(np.float32)
    model = apr.HullThresholdClassifierCV(LogisticRegression(), min_recall=0.8)
    return model.fit(features, labels), features


def test_skops_needs_to_trust_three_public_names():
    skops = pytest.importorskip("skops.io")
    model, features = of_rare_events()
    data = skops.dumps(model)
    assert skops.get_untrusted_types(data=data) == TRUSTED
    loaded = skops.loads(data, trusted=TRUSTED)
    np.testing.assert_array_equal(loaded.predict(features), model.predict(features))
    assert loaded.operating_point_ == model.operating_point_


@pytest.mark.filterwarnings("ignore")  # of MLflow about its own dependencies
def test_mlflow_saves_with_the_names_to_trust(tmp_path):
    pytest.importorskip("skops")
    mlflow = pytest.importorskip("mlflow.sklearn")
    model, features = of_rare_events()
    mlflow.save_model(model, tmp_path / "model", skops_trusted_types=TRUSTED)
    loaded = mlflow.load_model(str(tmp_path / "model"))
    np.testing.assert_array_equal(loaded.predict(features), model.predict(features))


@pytest.mark.filterwarnings("ignore")  # of the converter about its own dependencies
def test_onnx_has_the_estimator_and_the_caller_applies_the_threshold():
    skl2onnx, runtime = map(pytest.importorskip, ("skl2onnx", "onnxruntime"))
    model, features = of_rare_events()
    options = {"zipmap": False}  # an array of probabilities
    exported = skl2onnx.to_onnx(model.estimator_, features[:1], options=options)
    session = runtime.InferenceSession(exported.SerializeToString())
    label, probability = session.run(None, {"X": features})
    is_positive = probability[:, 1] >= model.threshold_
    np.testing.assert_array_equal(is_positive, model.predict(features))
    assert label.sum() < is_positive.sum()  # the label has the threshold 0.5
