"""Arrays of other libraries and devices."""

import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from cases import case
from situations import random_problem
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate

import sklearn_achievable_pr as apr

Y_TRUE, Y_SCORE, WEIGHT = random_problem(0, 60, n_levels=15, weights="whole")
NUMBERS = {
    "auc_pr_interpolated": apr.auc_pr_interpolated,
    "achievable": partial(apr.auc_pr_interpolated, curve="achievable"),
    "aucnpr": apr.aucnpr,
    "normalized_average_precision": apr.normalized_average_precision_score,
}
CURVES = {
    "achievable_pr_curve": partial(apr.achievable_pr_curve, interpolate=False),
    "pr_curve_interpolated": apr.pr_curve_interpolated,
    "roc_convex_hull": apr.roc_convex_hull,
    "pr_gain_curve": apr.pr_gain_curve,
}


def of_torch(values):
    torch = pytest.importorskip("torch")
    return torch.asarray(np.ascontiguousarray(values))


def of_torch_with_gradients(values):
    tensor = of_torch(values)
    return tensor.requires_grad_() if tensor.is_floating_point() else tensor


def of_array_api_strict(values, device="CPU_DEVICE"):
    strict = pytest.importorskip("array_api_strict")
    return strict.asarray(np.asarray(values), device=strict.Device(device))


def of_jax(values):
    return pytest.importorskip("jax.numpy").asarray(values)


LIBRARIES = {
    "torch with gradients": of_torch_with_gradients,
    "array_api_strict": of_array_api_strict,
    "array_api_strict, device1": partial(of_array_api_strict, device="device1"),
    "jax": of_jax,
}
every_library = pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)


@every_library
def test_numbers_are_python_floats(make):
    for name, metric in NUMBERS.items():
        with case(name):
            exact = metric(Y_TRUE, Y_SCORE, sample_weight=WEIGHT)
            found = metric(make(Y_TRUE), make(Y_SCORE), sample_weight=make(WEIGHT))
            assert type(found) is float
            assert found == exact
            assert metric(Y_TRUE, make(Y_SCORE), sample_weight=WEIGHT) == exact
            assert metric(make(Y_TRUE), Y_SCORE, sample_weight=make(WEIGHT)) == exact


@every_library
def test_curves_are_numpy_arrays(make):
    for name, curve in CURVES.items():
        with case(name):
            found = curve(make(Y_TRUE), make(Y_SCORE))
            for one, expected in zip(found, curve(Y_TRUE, Y_SCORE), strict=True):
                assert type(one) is np.ndarray
                np.testing.assert_array_equal(one, expected)


def test_scores_keep_their_gradients():
    score = of_torch_with_gradients(Y_SCORE)
    apr.auc_pr_interpolated(of_torch(Y_TRUE), score)
    assert score.requires_grad
    np.testing.assert_array_equal(score.detach().numpy(), Y_SCORE)


@every_library
def test_counts_of_batches_from_other_namespaces(make):
    counts = apr.PRCounts().update(make(Y_TRUE), make(Y_SCORE))
    assert counts == apr.PRCounts().update(Y_TRUE, Y_SCORE)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_narrow_floats_are_counted_without_rounding(dtype):
    torch = pytest.importorskip("torch")
    score = torch.tensor(Y_SCORE).to(getattr(torch, dtype))
    exact = apr.auc_pr_interpolated(Y_TRUE, score.double().numpy())
    assert apr.auc_pr_interpolated(Y_TRUE, score) == exact


def test_bfloat16_of_jax_is_counted_without_rounding():
    numpy_of_jax = pytest.importorskip("jax.numpy")
    score = numpy_of_jax.asarray(Y_SCORE, dtype="bfloat16")
    exact = apr.auc_pr_interpolated(Y_TRUE, np.asarray(score, dtype=np.float32))
    assert apr.auc_pr_interpolated(Y_TRUE, score) == exact


class OnDevice:
    """Imitates an array of CuPy on machines without such a device."""

    __module__ = "cupy"

    def __init__(self, values):
        self._values = np.asarray(values)

    def __array__(self, *_):
        raise TypeError("Implicit conversion to a NumPy array is not allowed.")

    def __len__(self):
        return len(self._values)

    def get(self):
        return self._values


class ModelOnDevice(ClassifierMixin, BaseEstimator):
    """Its fitted attributes and responses are on a device, and its input is not."""

    def fit(self, X, y):
        labels = y.get() if isinstance(y, OnDevice) else y
        self.model_ = LogisticRegression().fit(X, labels)
        self.classes_ = OnDevice(self.model_.classes_)
        return self

    def decision_function(self, X):
        return OnDevice(self.model_.decision_function(X))

    def predict(self, X):
        return OnDevice(self.model_.predict(X))


FEATURES = np.column_stack((Y_SCORE, np.arange(len(Y_SCORE)) % 7))
MODEL = LogisticRegression().fit(FEATURES, Y_TRUE)
OF_THREE = np.arange(len(Y_SCORE)) % 3


def test_arrays_of_cupy_are_copied():
    on_device = OnDevice(Y_TRUE), OnDevice(Y_SCORE)
    found = apr.auc_pr_interpolated(*on_device, sample_weight=OnDevice(WEIGHT))
    assert found == apr.auc_pr_interpolated(Y_TRUE, Y_SCORE, sample_weight=WEIGHT)


@pytest.mark.parametrize("labels", [Y_TRUE, OF_THREE], ids=["binary", "multiclass"])
def test_scorers_copy_what_an_estimator_has_on_a_device(labels):
    expected = apr.aucnpr_scorer(MODEL.__class__().fit(FEATURES, labels), FEATURES, labels)
    model = ModelOnDevice().fit(FEATURES, labels)
    assert apr.aucnpr_scorer(model, FEATURES, OnDevice(labels)) == expected


def of_folds(model, y):
    options = {"return_estimator": True, "return_indices": True}
    results = cross_validate(model, FEATURES, Y_TRUE, scoring=apr.aucnpr_scorer, **options)
    return apr.auc_pr_interval_cv(results, FEATURES, y).confidence_interval


def test_labels_of_folds_need_no_length():
    """Arrays of the array API standard need not have one."""
    y = of_array_api_strict(Y_TRUE)
    assert of_folds(MODEL, y) == of_folds(MODEL, Y_TRUE)
    cv_results = apr.cv_results_from_scores(Y_SCORE, np.arange(len(Y_TRUE)) % 3)
    found, expected = (apr.fold_predictions(cv_results, None, of) for of in (y, Y_TRUE))
    np.testing.assert_array_equal(found.y_true, expected.y_true)


ANSWERS = {
    "folds": of_folds,
    "display": lambda model, y: (
        apr.AchievablePRDisplay.from_estimator(
            model.fit(FEATURES, Y_TRUE), FEATURES, y
        ).recall
    ),
    "classifier": lambda model, y: (
        apr.HullThresholdClassifierCV(model).fit(FEATURES, y).thresholds_
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_copy_what_an_estimator_has_on_a_device(name):
    expected = ANSWERS[name](LogisticRegression(), Y_TRUE)
    if name == "classifier":  # scikit-learn's has probabilities, too
        options = {"response_method": "decision_function"}
        expected = apr.HullThresholdClassifierCV(LogisticRegression(), **options)
        expected = expected.fit(FEATURES, Y_TRUE).thresholds_
    found = ANSWERS[name](ModelOnDevice(), OnDevice(Y_TRUE))
    np.testing.assert_array_equal(found, expected)


def test_a_display_copies_labels_beside_probabilities_and_decision_values():
    draw = apr.AchievablePRDisplay.from_estimator
    found = draw(MODEL, FEATURES, OnDevice(Y_TRUE), sample_weight=OnDevice(WEIGHT))
    expected = draw(MODEL, FEATURES, Y_TRUE, sample_weight=WEIGHT)
    np.testing.assert_array_equal(found.recall, expected.recall)


def test_points_of_displays_are_copied():
    precision, recall, thresholds = apr.pr_curve_interpolated(Y_TRUE, Y_SCORE)
    points = OnDevice(precision), OnDevice(recall)
    found = apr.AchievablePRDisplay(*points, thresholds=OnDevice(thresholds)).plot()
    expected = apr.AchievablePRDisplay(precision, recall, thresholds=thresholds).plot()
    np.testing.assert_array_equal(found.line_.get_xydata(), expected.line_.get_xydata())


def test_an_array_that_cannot_be_copied_raises_with_the_reason():
    class OfAnotherLibrary:
        def __array__(self, *_):
            raise TypeError("Call to_host().")

    message = r"`y_score` cannot be converted to an array .*: Call to_host\(\)\."
    with pytest.raises(TypeError, match=message):
        apr.auc_pr_interpolated(Y_TRUE, OfAnotherLibrary())


def test_dask_arrays_raise():
    array = pytest.importorskip("dask.array").from_array(Y_SCORE, chunks=20)
    with pytest.raises(TypeError, match=r"`y_score` must be a dense array.*`PRCounts`"):
        apr.auc_pr_interpolated(Y_TRUE, array)


# scikit-learn's own tests


def run_with_scipy_array_api(*arguments):
    here = Path(__file__).parent
    return subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"SCIPY_ARRAY_API": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        cwd=here,
    )


@pytest.mark.slow
def test_common_tests_of_scikit_learn():
    """With the arguments of average precision, in every namespace that is installed."""
    pytest.importorskip("array_api_strict")
    alone = ["-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", "."]
    names = ["-o", "python_files=sklearn_*.py", "sklearn_array_api.py"]
    done = run_with_scipy_array_api("-m", "pytest", "-q", "-rs", *alone, *names)
    if "takes no such arrays" in done.stdout:
        pytest.skip("average precision of this scikit-learn takes no such arrays")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    passed = int(re.search(r"(\d+) passed", done.stdout)[1])
    assert passed >= 9
