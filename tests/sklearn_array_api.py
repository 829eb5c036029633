"""scikit-learn's own common tests of array-API inputs, on metrics of this package.

Run in a process of its own by `test_array_api`, since SCIPY_ARRAY_API is read at import.
"""

from functools import wraps

import pytest
from sklearn.metrics import average_precision_score
from sklearn.metrics.tests import test_common as common

import sklearn_achievable_pr as apr


def has_cuda():
    """Without a driver some versions of PyTorch fail where the checks would skip."""
    try:
        import torch
    except ImportError:
        return False
    return torch.cuda.is_available()


HAS_CUDA = has_cuda()
CHECKERS = getattr(common, "array_api_metric_checkers", {})
if average_precision_score not in CHECKERS:
    pytest.skip("average precision takes no such arrays", allow_module_level=True)


def as_if_average_precision(metric):
    """The checks choose their data by this name."""

    @wraps(metric)
    def named(y_true, y_score, **options):
        return metric(y_true, y_score, **options)

    named.__name__ = "average_precision_score"
    return named


METRICS = {"auc_pr_interpolated": as_if_average_precision(apr.auc_pr_interpolated)}
every_metric = pytest.mark.parametrize("name", METRICS)
every_namespace = pytest.mark.parametrize(
    ("namespace", "device", "dtype"),
    [
        one
        for one in common.yield_namespace_device_dtype_combinations()
        if one[1] != "cuda" or HAS_CUDA
    ],
)
MIXED = [
    pytest.param(*one[:2], id=one[2])
    for one in common.yield_mixed_namespace_input_permutations()
    if "cuda" not in one[2] or HAS_CUDA
]


@pytest.fixture(autouse=True)
def known_to_the_checks(monkeypatch):
    """They look metrics up by name."""
    for name, metric in METRICS.items():
        monkeypatch.setitem(common.CONTINUOUS_CLASSIFICATION_METRICS, name, metric)
        monkeypatch.setitem(common.ALL_METRICS, name, metric)
    monkeypatch.setattr(
        common, "METRICS_WITH_POS_LABEL", {*common.METRICS_WITH_POS_LABEL, *METRICS}
    )


@pytest.mark.parametrize("check", CHECKERS[average_precision_score])
@every_namespace
@every_metric
def test_every_namespace_gives_the_value_of_numpy(name, namespace, device, dtype, check):
    common.test_array_api_compliance(METRICS[name], namespace, device, dtype, check)


@pytest.mark.parametrize(("other", "of_scores"), MIXED)
@every_metric
def test_namespaces_may_be_mixed(name, other, of_scores):
    common.test_mixed_array_api_namespace_input_compliance(name, other, of_scores)


@every_namespace
@every_metric
def test_text_for_labels_meets_any_namespace(name, namespace, device, dtype):
    common.test_array_api_classification_mixed_string_numeric_input(
        name, namespace, device, dtype
    )
