"""get_scorer with options, its names, and string labels in a search."""

import copy
import pickle

import numpy as np
import pytest
from sklearn import config_context
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.model_selection import KFold, cross_val_score
from sklearn.naive_bayes import GaussianNB

import sklearn_achievable_pr as apr

X, BENIGN = load_breast_cancer(return_X_y=True)
X = X[:, :4]
WORDS = np.array(["sick", "well"])[BENIGN]
FITTED = GaussianNB().fit(X, BENIGN)
# The function and options of each name.
WITH_OPTIONS = {
    "auc_pr_interpolated": (
        apr.auc_pr_interpolated,
        {"recall_range": (0.8, 1), "prevalence": 0.05, "method": "exact"},
    ),
    "achievable_auc_pr": (
        lambda *given, **options: apr.auc_pr_interpolated(
            *given, curve="achievable", **options
        ),
        {"recall_range": (0.5, 0.9)},
    ),
    "aucnpr": (apr.aucnpr, {"recall_range": (0.8, 1), "prevalence": 0.3}),
    "auprg": (apr.auprg_score, {}),
    "normalized_average_precision": (apr.normalized_average_precision_score, {}),
    "precision_at_recall": (apr.precision_at_recall, {"recall": 0.9, "at_least": True}),
    "recall_at_precision": (
        apr.recall_at_precision,
        {"precision": np.float32(0.75), "curve": "achievable", "prevalence": 0.2},
    ),
    "recall_at_fpr": (apr.recall_at_fpr, {"fpr": 0.01, "curve": "achievable"}),
    "precision_at_k": (apr.precision_at_k, {"k": 100, "prevalence": 0.2}),
    "recall_at_k": (apr.recall_at_k, {"k": np.float64(0.25)}),
}
every_name = pytest.mark.parametrize("name", WITH_OPTIONS)


@every_name
@pytest.mark.parametrize("pos_label", [None, "well", "sick"])
def test_options_reach_the_metric(name, pos_label):
    metric, options = WITH_OPTIONS[name]
    y, options = BENIGN, dict(options)
    score = FITTED.predict_proba(X)[:, 1]
    if pos_label is not None:
        y, options["pos_label"] = WORDS, pos_label
        score = score if pos_label == "well" else 1 - score
    fitted = GaussianNB().fit(X, y)
    found = apr.get_scorer(name, **options)(fitted, X, y)
    assert found == pytest.approx(metric(y, score, **options), rel=1e-9)


@every_name
def test_scorers_survive_pickle_and_clone(name):
    _, options = WITH_OPTIONS[name]
    scorer = apr.get_scorer(name, **options)
    for other in (pickle.loads(pickle.dumps(scorer)), copy.deepcopy(scorer)):
        assert other(FITTED, X, BENIGN) == scorer(FITTED, X, BENIGN)
    parallel = cross_val_score(GaussianNB(), X, BENIGN, scoring=scorer, cv=3)
    assert np.isfinite(parallel).all()


@every_name
@pytest.mark.parametrize("replacement", [None, 0.25])
def test_an_undefined_fold_has_the_documented_score(name, replacement):
    _, options = WITH_OPTIONS[name]
    options = dict(options)
    if replacement is not None:
        options["replace_undefined_by"] = replacement
    scorer = apr.get_scorer(name, **options)
    with pytest.warns(UndefinedMetricWarning):
        assert scorer(FITTED, X, np.zeros(len(X), dtype=int)) == (replacement or 0)


def test_a_warning_in_a_cross_validation_points_at_its_line():
    """Joblib is between scikit-learn and the scorer."""
    scorer = apr.auc_pr_interpolated_scorer
    y = np.where(np.arange(len(X)) < 300, BENIGN, 0)  # the last of three folds has no 1
    with pytest.warns(UndefinedMetricWarning) as caught:
        cross_val_score(GaussianNB(), X, y, scoring=scorer, cv=KFold(3))
    assert [warning.filename for warning in caught] == [__file__]


# Names


@every_name
def test_each_call_makes_a_new_scorer(name):
    _, options = WITH_OPTIONS[name]
    one, two = (apr.get_scorer(name, **options) for _ in range(2))
    assert one is not two
    with config_context(enable_metadata_routing=True):
        one.set_score_request(sample_weight=True)
        assert repr(one.get_metadata_routing()) != repr(two.get_metadata_routing())


def test_names_of_scorers_are_sorted_and_complete():
    assert apr.get_scorer_names() == sorted(WITH_OPTIONS)


@pytest.mark.parametrize("name", [None, 3, ["aucnpr"]])
def test_a_name_is_a_string(name):
    with pytest.raises(TypeError, match="`name` must be the name of a scorer"):
        apr.get_scorer(name)


@pytest.mark.parametrize("name", ["auc_pr", "AUPRC", "auc_pr_interpolated_scorer"])
def test_a_scorer_by_another_word_is_answered_with_its_name_here(name):
    with pytest.raises(
        ValueError, match=f"Got '{name}', which is 'auc_pr_interpolated' he"
    ):
        apr.get_scorer(name)


# Unknown and missing options raise in get_scorer; a search turns errors of scorers into NaN


@pytest.mark.parametrize(
    ("name", "options", "match"),
    [
        ("aucnpr", {"recall": 0.9}, r"unexpected keyword argument 'recall'.*'aucnpr'\)"),
        ("aucnpr", {"sample_weight": [1, 1]}, "multiple .* 'sample_weight'"),
        ("achievable_auc_pr", {"curve": "empirical"}, "multiple .* 'curve'"),
        ("precision_at_recall", {}, r"get_scorer.'precision_at_recall', recall=...\)"),
        ("precision_at_k", {}, r"missing .* 'k'.*get_scorer.'precision_at_k', k=...\)"),
    ],
)
def test_unknown_and_missing_options_raise(name, options, match):
    with pytest.raises(TypeError, match=match):
        apr.get_scorer(name, **options)


@pytest.mark.parametrize("name", ["nothing", "roc_auc", "average_precision"])
def test_a_name_of_no_scorer_of_this_package_raises(name):
    ours = r"`name` must be one of 'achievable_auc_pr', .*, 'recall_at_precision'\. "
    with pytest.raises(
        ValueError, match=ours + f"Got '{name}'; sklearn.metrics.get_scorer"
    ):
        apr.get_scorer(name, pos_label=1)


def test_a_value_out_of_range_raises_where_the_scorer_is_called():
    scorer = apr.get_scorer("precision_at_k", k=10**9)
    with pytest.raises(ValueError, match="`k` must not exceed the number of samples"):
        scorer(FITTED, X, BENIGN)


# precision_at_recall(at_least=True)


def vertices(y, score):
    tps = np.cumsum(np.bincount(np.unique(-score, return_inverse=True)[1], weights=y))
    return tps / tps[-1]


@pytest.mark.parametrize("curve", ["empirical", "achievable"])
@pytest.mark.parametrize("seed", range(12))
def test_at_least_is_the_maximum_over_higher_recalls(seed, curve):
    rng = np.random.default_rng(seed)
    y = rng.random(60) < 0.3
    y[:2] = False, True
    score = np.round((rng.normal(size=60) + y) * 4) / 4
    prevalence = None if seed % 2 else 0.05
    recalls = [0.0, 1e-9, 0.1, 0.37, 0.5, 0.8, 0.99, 1.0, *vertices(y, score)[:5]]
    options = {"curve": curve, "prevalence": prevalence}
    found = apr.precision_at_recall(y, score, recall=recalls, at_least=True, **options)
    for recall, value in zip(recalls, found, strict=True):
        # The maximum is always at a vertex, so the grid finds it.
        at = np.concatenate((np.linspace(recall, 1, 4001), vertices(y, score)))
        expected = apr.precision_at_recall(y, score, recall=at[at >= recall], **options)
        assert value == pytest.approx(expected.max(), rel=1e-12)
    by_recall = found[np.argsort(recalls)]
    assert (np.diff(by_recall) <= 0).all()
