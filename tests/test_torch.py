"""Tensors of PyTorch where scikit-learn dispatches to their library.

Without PyTorch the tests are skipped. The stage `integrations` of .ci/run has it, and sets
SCIPY_ARRAY_API, which SciPy reads when it is imported.
"""

import os

import numpy as np
import pytest
import sklearn
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import GridSearchCV, cross_validate

import sklearn_achievable_pr as apr

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.skipif(
    os.environ.get("SCIPY_ARRAY_API") != "1", reason="SCIPY_ARRAY_API is not 1"
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 3))
Y = (X[:, 0] + RNG.normal(size=120) > 0.7).astype(int)
OF_THREE = np.digitize(X[:, 0] + RNG.normal(size=120), [-0.5, 0.7])
MODEL = LinearDiscriminantAnalysis()


class OnDevice(torch.Tensor):
    """A subclass that NumPy cannot convert, like a tensor on a GPU."""

    def __array__(self, *_):
        raise TypeError("can't convert cuda:0 device type tensor to numpy.")

    def cpu(self):
        return self.as_subclass(torch.Tensor)


def folds(x, y):
    return cross_validate(MODEL, x, y, return_estimator=True, return_indices=True)


def score_of_search(x, y):
    search = GridSearchCV(MODEL, {"tol": [1e-4]}, scoring=apr.aucnpr_scorer)
    return search.fit(x, y).best_score_


ANSWERS = {
    "search": score_of_search,
    "folds": lambda x, y: np.concatenate(apr.fold_predictions(folds(x, y), x, y).y_score),
    "interval": lambda x, y: apr.auc_pr_interval_cv(folds(x, y), x, y).confidence_interval,
    "display": lambda x, y: (
        apr.AchievablePRDisplay.from_estimator(MODEL.fit(x, y), x, y).precision
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_tensors_have_the_answers_of_arrays(name):
    expected = ANSWERS[name](X, Y)
    with sklearn.config_context(array_api_dispatch=True):
        found = ANSWERS[name](torch.asarray(X), torch.asarray(Y))
    np.testing.assert_allclose(found, expected, rtol=1e-10)


@pytest.mark.parametrize("labels", [Y, OF_THREE], ids=["binary", "multiclass"])
def test_a_scorer_of_tensors_has_the_value_of_arrays(labels):
    expected = apr.auc_pr_interpolated_scorer(MODEL.fit(X, labels), X, labels)
    x, y, weight = torch.asarray(X), torch.asarray(labels), torch.ones(len(labels))
    with sklearn.config_context(array_api_dispatch=True):
        model = LinearDiscriminantAnalysis().fit(x, y)
        found = apr.auc_pr_interpolated_scorer(model, x, y, sample_weight=weight)
    assert found == pytest.approx(expected, rel=1e-12)


def test_subclasses_of_tensors_are_copied_from_their_device():
    y, score = (torch.asarray(v).as_subclass(OnDevice) for v in (Y, X[:, 0]))
    score = score.requires_grad_()
    assert apr.auc_pr_interpolated(y, score) == apr.auc_pr_interpolated(Y, X[:, 0])


@pytest.mark.parametrize(
    ("of_score", "reason"),
    [
        (lambda score: score.to_sparse(), r"Use Tensor.to_dense\(\)"),
        (lambda score: score.to("meta"), "no data"),
        (lambda score: [*score.requires_grad_()], r"Use tensor.detach\(\).numpy\(\)"),
    ],
    ids=["sparse", "meta", "list with gradients"],
)
def test_tensors_that_numpy_cannot_have_raise_with_the_reason(of_score, reason):
    with pytest.raises(TypeError, match=rf"`y_score` cannot be converted .*{reason}"):
        apr.auc_pr_interpolated(Y, of_score(torch.asarray(X[:, 0])))
