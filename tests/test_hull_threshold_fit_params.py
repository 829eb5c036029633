"""Weights, groups, metadata and callbacks of `HullThresholdClassifierCV.fit`."""

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    StratifiedKFold,
    cross_val_predict,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tuning_sets import Scorer, tuned_on, two_classes

from sklearn_achievable_pr.thresholds.hull_threshold import HullThresholdClassifierCV

# Weights and metadata


def test_weights_are_used_in_the_hull_and_the_fits():
    X, y = two_classes()
    weight = np.random.default_rng(0).integers(1, 4, len(y))
    model = HullThresholdClassifierCV(GaussianNB(), cv=4).fit(X, y, sample_weight=weight)
    options = {"params": {"sample_weight": weight}, "method": "predict_proba"}
    score = cross_val_predict(GaussianNB(), X, y, cv=4, **options)[:, 1]
    expected = tuned_on(score, y, sample_weight=weight)
    np.testing.assert_array_equal(model.thresholds_, expected.thresholds_)
    assert model.threshold_ == expected.threshold_
    assert model.tuning_counts_.tps[-1] == weight[y == 1].sum()
    whole = GaussianNB().fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(model.estimator_.theta_, whole.theta_)


def test_estimators_without_weights_give_a_warning():
    X, y = two_classes()
    base = make_pipeline(StandardScaler(), GaussianNB())
    weight = np.random.default_rng(0).random(len(y))
    match = "`estimator` .Pipeline. has no `sample_weight`"
    with pytest.warns(UserWarning, match=match) as caught:
        model = HullThresholdClassifierCV(base).fit(X, y, sample_weight=weight)
    assert caught[0].filename == __file__
    np.testing.assert_allclose(model.tuning_counts_.tps[-1], weight[y == 1].sum())
    np.testing.assert_array_equal(model.estimator_[-1].theta_, base.fit(X, y)[-1].theta_)


class Notes(Scorer):
    """Records the parameters of every fit."""

    def __init__(self, seen=None):
        self.seen = seen

    def __sklearn_clone__(self):
        return Notes(self.seen)

    def fit(self, X, y, **params):
        self.classes_ = np.unique(y)
        self.seen.append((len(y), params))
        return self


@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series])
def test_fit_parameters_with_one_entry_per_sample_are_cut(kind):
    seen = []
    X = np.arange(20.0).reshape(-1, 1)
    splits = [(np.arange(0, 20, 3), np.arange(20)), (np.arange(15), np.arange(15, 20))]
    HullThresholdClassifierCV(Notes(seen), cv=splits).fit(
        X, np.arange(20) % 2, given=kind(range(20))
    )
    assert [list(params["given"]) for _, params in seen] == [
        list(range(0, 20, 3)),
        list(range(15)),
        list(range(20)),
    ]


def test_fits_do_not_share_array_parameters():
    X, y = two_classes()
    start = np.full(X.shape[1], 5.0)
    model = HullThresholdClassifierCV(SGDClassifier(random_state=0), cv=3)
    model.fit(X, y, coef_init=start.copy())
    whole = SGDClassifier(random_state=0).fit(X, y, coef_init=start.copy())
    np.testing.assert_array_equal(model.estimator_.coef_, whole.coef_)
    pooled = np.empty(len(y))
    for train, test in StratifiedKFold(3).split(X, y):
        fitted = SGDClassifier(random_state=0).fit(
            X[train], y[train], coef_init=start.copy()
        )
        pooled[test] = fitted.decision_function(X[test])
    np.testing.assert_array_equal(model.thresholds_, tuned_on(pooled, y).thresholds_)


def grouped():
    X, y = two_classes()
    return X, y, np.arange(len(y)) // 10


def test_groups_reach_the_split_without_routing():
    X, y, groups = grouped()
    model = HullThresholdClassifierCV(GaussianNB(), cv=GroupKFold(4))
    model.fit(X, y, groups=groups)
    folds = list(GroupKFold(4).split(X, y, groups))
    pooled = cross_val_predict(GaussianNB(), X, y, cv=folds, method="predict_proba")
    np.testing.assert_array_equal(model.thresholds_, tuned_on(pooled[:, 1], y).thresholds_)
    with pytest.raises(ValueError, match="groups"):
        model.fit(X, y)


class _SplitterWithoutGroups:
    """A splitter of the user's, whose `split` takes X and y only."""

    def split(self, X, y):
        return StratifiedKFold(3).split(X, y)

    def get_n_splits(self, X=None, y=None, groups=None):
        return 3


def test_a_splitter_that_takes_no_groups():
    X, y, _ = grouped()
    own, given = (
        HullThresholdClassifierCV(GaussianNB(), cv=cv).fit(X, y)
        for cv in (_SplitterWithoutGroups(), StratifiedKFold(3))
    )
    np.testing.assert_array_equal(own.thresholds_, given.thresholds_)


def test_groups_and_weights_with_routing():
    X, y, groups = grouped()
    weight = np.random.default_rng(0).random(len(y)) + 0.1
    plain = HullThresholdClassifierCV(GaussianNB(), cv=GroupKFold(4))
    plain.fit(X, y, sample_weight=weight, groups=groups)
    with config_context(enable_metadata_routing=True):
        base = GaussianNB().set_fit_request(sample_weight=True)
        routed = HullThresholdClassifierCV(base, cv=GroupKFold(4))
        routed.fit(X, y, sample_weight=weight, groups=groups)
        np.testing.assert_array_equal(routed.thresholds_, plain.thresholds_)
        np.testing.assert_array_equal(routed.estimator_.theta_, plain.estimator_.theta_)

        # Weights that the base estimator does not request still count in the hull.
        base = GaussianNB().set_fit_request(sample_weight=False)
        counted = HullThresholdClassifierCV(base, cv=GroupKFold(4))
        counted.fit(X, y, sample_weight=weight, groups=groups)
        np.testing.assert_array_equal(
            counted.estimator_.theta_, GaussianNB().fit(X, y).theta_
        )
        np.testing.assert_allclose(counted.tuning_counts_.tps[-1], weight[y == 1].sum())

        with pytest.raises(ValueError, match="sample_weight"):
            HullThresholdClassifierCV(GaussianNB()).fit(X, y, sample_weight=weight)
        with pytest.raises(TypeError, match="nonsense"):
            HullThresholdClassifierCV(GaussianNB()).fit(X, y, nonsense=weight)


# Inside other meta-estimators


def test_routed_weights_have_to_be_requested_by_the_wrapper_too():
    X, y, _ = grouped()
    with config_context(enable_metadata_routing=True):
        base = GaussianNB().set_fit_request(sample_weight=True)
        weight = {"sample_weight": np.ones(len(y))}
        with pytest.raises(ValueError, match="HullThresholdClassifierCV"):
            cross_validate(HullThresholdClassifierCV(base), X, y, params=weight)


def test_callbacks_reach_the_fits():
    callback = pytest.importorskip("sklearn.callback")

    class Recorder:
        """Records the tasks that begin; passed on to the inner estimators."""

        max_propagation_depth = None

        def __init__(self):
            self.begun, self.ended, self.is_set_up = [], [], 0

        def setup(self, estimator, context):
            self.is_set_up += 1

        def teardown(self, estimator, context):
            self.is_set_up -= 1

        def on_fit_task_begin(self, estimator, context):
            self.begun.append((type(estimator).__name__, context.task_name))

        def on_fit_task_end(self, estimator, context):
            self.ended.append((type(estimator).__name__, context.task_name))

    assert isinstance(Recorder(), callback.AutoPropagatedCallback)
    X, y = two_classes()
    recorder = Recorder()
    base = make_pipeline(LogisticRegression())  # a pipeline that takes callbacks
    model = HullThresholdClassifierCV(base, cv=3).set_callbacks(recorder).fit(X, y)
    ours = [task for name, task in recorder.begun if name == "HullThresholdClassifierCV"]
    assert ours.count("fit") == 1
    inner_fits = [pair for pair in recorder.begun if pair == ("Pipeline", "fit")]
    assert len(inner_fits) == 4  # three splits and the refit
    assert sorted(recorder.begun) == sorted(recorder.ended)
    assert recorder.is_set_up == 0
    assert not hasattr(model.estimator_, "_parent_callback_ctx")

    guaranteed = HullThresholdClassifierCV(
        base, min_precision=0.3, confidence_level=0.5, cv=0.5, refit=False, random_state=0
    )
    ordering = Recorder()
    guaranteed.set_callbacks(ordering).fit(X, y)
    assert (
        ordering.begun.count(("Pipeline", "fit")) == 6
    )  # the split and five for the order

    # Callbacks of an outer meta-estimator reach the inner fits.
    outer = Recorder()
    search = GridSearchCV(
        HullThresholdClassifierCV(base, cv=3), {"objective": ["f1", "mcc"]}, cv=2
    )
    search.set_callbacks(outer).fit(X, y)
    assert outer.begun.count(("Pipeline", "fit")) == (2 * 2 + 1) * 4

    frozen = HullThresholdClassifierCV(FrozenEstimator(model.estimator_))
    alone = Recorder()
    frozen.set_callbacks(alone).fit(X, y)
    assert alone.begun == [("HullThresholdClassifierCV", "fit")]
