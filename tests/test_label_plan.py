"""Which samples to label."""

import numpy as np
import pytest

import sklearn_achievable_pr as apr
from sklearn_achievable_pr.metrics._table import SMOOTH, MetricWithOptions
from sklearn_achievable_pr.uncertainty import _label_plan


def population(n=2000, prevalence=0.1, shift=2.0, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < prevalence
    return y, rng.normal(size=n) + shift * y, rng.normal(size=n) + shift * y


Y, SCORE, OTHER = population()
KINDS = {
    "continuous": SCORE,
    "ordinal": np.round(SCORE).astype(np.int8),
    "unsigned": np.arange(2000, dtype=np.uint16) % 7,
    "constant": np.zeros(2000),
}

few_positives = pytest.mark.filterwarnings("ignore:.n_labels. times")


@few_positives
@pytest.mark.parametrize("metric", SMOOTH[:3])
@pytest.mark.parametrize("score_b", [None, OTHER], ids=["one score", "two scores"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("n_samples", "n_labels"),
    [(40, 40), (41, 40), (100, 99), (2000, 43), (2000, 400), (2000, 1999)],
)
def test_plans_have_distinct_samples_and_weights_of_all(
    kind, score_b, metric, n_samples, n_labels
):
    plan = apr.plan_labels(
        KINDS[kind][:n_samples],
        n_labels,
        prevalence=0.2,
        y_score_b=None if score_b is None else score_b[:n_samples],
        metric=metric,
        random_state=0,
    )
    assert len(plan.indices) == n_labels
    assert (np.diff(plan.indices) > 0).all()
    assert 0 <= plan.indices[0] <= plan.indices[-1] < n_samples == plan.n_samples
    assert plan.sample_weight.sum() == pytest.approx(n_samples)
    assert plan.sample_weight.min() >= 1
    assert {*plan.stratum} == {*range(10)}


def test_strata_of_one_score_are_runs_of_scores():
    plan = apr.plan_labels(SCORE, 400, prevalence=0.1, random_state=0)
    ordered = plan.stratum[np.argsort(-SCORE[plan.indices])]
    assert (np.diff(ordered) >= 0).all()


def test_a_stratum_with_few_samples_is_labeled_whole():
    plan = apr.plan_labels(SCORE, 1500, prevalence=0.1, random_state=0)
    whole = np.sort(SCORE)[::-1][: np.count_nonzero(plan.stratum == 0)]
    assert set(SCORE[plan.indices[plan.stratum == 0]]) == set(whole)
    assert (plan.sample_weight[plan.stratum == 0] == 1).all()


def test_no_stratum_is_empty_where_one_sample_has_the_intensity_of_several():
    sizes, _ = _label_plan._strata(np.array([0.9] + [0.01] * 40), 40)
    assert sizes.min() >= 1
    assert sizes.sum() == 41


@pytest.mark.parametrize("seed", [3, np.random.default_rng, np.random.RandomState])
def test_the_same_seed_gives_the_same_plan(seed):
    first, second, other = (
        apr.plan_labels(SCORE, 100, prevalence=0.1, random_state=s(x) if callable(s) else s)
        for s, x in ((seed, 3), (seed, 3), (np.random.default_rng(4), None))
    )
    assert first.to_dict() == second.to_dict()
    assert (first.indices != other.indices).any()


def test_only_the_order_of_the_scores_matters():
    plans = [
        apr.plan_labels(s, 100, prevalence=0.1, random_state=0) for s in (SCORE, SCORE**3)
    ]
    assert plans[0].to_dict() == plans[1].to_dict()


def test_tied_samples_have_equal_chances_whatever_their_order():
    chosen = np.zeros(200)
    for seed in range(150):
        plan = apr.plan_labels(np.zeros(200), 50, prevalence=0.2, random_state=seed)
        chosen[plan.indices] += 1
    # Of 150 * 50 labels, 3750 are expected in each half; three standard errors.
    assert abs(chosen[:100].sum() - 3750) < 3 * np.sqrt(7500 / 4)


def test_weighted_totals_are_unbiased():
    totals = []
    for seed in range(150):
        plan = apr.plan_labels(SCORE, 100, prevalence=0.1, random_state=seed)
        totals.append(Y[plan.indices] @ plan.sample_weight)
    error = np.std(totals) / np.sqrt(len(totals))
    assert abs(np.mean(totals) - Y.sum()) < 3 * error


@pytest.mark.parametrize("metric", SMOOTH[:3])
@pytest.mark.parametrize("scores", [[SCORE], [SCORE, OTHER]], ids=["one", "two"])
def test_the_spread_is_that_of_the_influence_of_weighted_labels(scores, metric):
    """Each sample is a positive of weight p and a negative of weight 1 - p."""
    n = len(scores[0])
    p = np.random.default_rng(1).uniform(0.01, 0.9, n)
    both, weight = np.repeat([True, False], n), np.r_[p, 1 - p]
    found = 0
    for sign, score in zip((1, -1), scores, strict=False):
        tied = np.r_[score, score]
        found += sign * apr.auc_pr_influence(
            both, tied, sample_weight=weight, metric=metric
        )
    positive, negative = found.reshape(2, -1)
    if len(scores) == 1:
        expected = np.sqrt(p * (1 - p)) * np.abs(positive - negative)
    else:
        expected = np.sqrt(p * positive**2 + (1 - p) * negative**2)
    ranks = np.array([np.argsort(np.argsort(-score)) for score in scores])
    segments = np.arange(n + 1), ranks
    spread = _label_plan._influence_spread(MetricWithOptions(metric), *segments, p)
    np.testing.assert_allclose(spread, expected / expected.sum(), rtol=1e-8)


def test_scores_of_the_same_order_have_a_plan_of_equal_chances():
    plan = apr.plan_labels(SCORE, 100, prevalence=0.1, y_score_b=2 * SCORE)
    assert plan.sample_weight == pytest.approx(np.full(100, 20), rel=0.01)


@few_positives
@pytest.mark.parametrize("guess", [0.007, 0.02, 0.06])
def test_planned_labels_have_a_third_of_the_squared_error_of_random_labels(guess):
    squares = np.zeros(2)
    rng = np.random.default_rng(0)
    for seed in range(60):
        y, score, _ = population(5000, 0.02, seed=seed)
        plan = apr.plan_labels(score, 600, prevalence=guess, random_state=rng)
        at_random = rng.choice(5000, 600, replace=False)
        pairs = (plan.indices, plan.sample_weight), (at_random, None)
        areas = [apr.auc_pr_interpolated(y[i], score[i], sample_weight=w) for i, w in pairs]
        squares += (np.array(areas) - apr.auc_pr_interpolated(y, score)) ** 2
    assert 3 * squares[0] < squares[1]


@pytest.mark.parametrize("prevalence", [0.02, 0.1, 0.2])
@pytest.mark.parametrize("shift", [0.0, 2.0, 8.0])
@pytest.mark.parametrize("seed", range(3))
def test_planned_weights_give_no_warning(prevalence, shift, seed):
    """Warnings are errors here."""
    y, *scores = population(5000, prevalence, shift, seed)
    plan = apr.plan_labels(scores[0], 1000, prevalence=prevalence, random_state=seed)
    of_plan = {"sample_weight": plan.sample_weight}
    columns = y[plan.indices], *(score[plan.indices] for score in scores)
    assert apr.auc_pr_interval(*columns[:2], **of_plan).standard_error >= 0
    assert 0 <= apr.compare_auc_pr(*columns, **of_plan).pvalue <= 1


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ({"n_labels": 100.0}, TypeError, "`n_labels` must be an integer. Got 100.0"),
        ({"n_labels": 39}, ValueError, "from 40 to the number of samples, 2000. Got 39"),
        ({"n_labels": 2001}, ValueError, "to the number of samples, 2000. Got 2001"),
        ({"prevalence": 0.02}, ValueError, "is 2. It must be at least 3.* 500 samples"),
        ({"prevalence": None}, TypeError, "`prevalence` must be a real number. Got None"),
        ({"prevalence": 1.0}, ValueError, r"`prevalence` must be inside \(0, 1\). Got 1.0"),
        ({"prevalence": np.nan}, ValueError, r"`prevalence` must be inside \(0, 1\)"),
        ({"prevalence": "0.1"}, TypeError, "`prevalence` must be a real number"),
        ({"y_score": np.append(SCORE, np.nan)}, ValueError, "`y_score` must be finite"),
        ({"y_score": np.ones((50, 2))}, ValueError, "`y_score` must be one-dimensional"),
        ({"y_score": []}, ValueError, "`y_score` must not be empty"),
        ({"y_score_b": SCORE[1:]}, ValueError, "`y_score_b` must have .* 2000 and 1999"),
        ({"y_score_b": SCORE + np.inf}, ValueError, "`y_score_b` must be finite"),
        ({"metric": "auprg"}, ValueError, "`metric` must be one of 'auc_pr_interpolated'"),
        ({"random_state": "0"}, TypeError, "`random_state` must be an integer"),
    ],
)
def test_wrong_arguments_are_named(given, error, text):
    options = {"y_score": SCORE, "n_labels": 100, "prevalence": 0.1} | given
    with pytest.raises(error, match=text):
        apr.plan_labels(options.pop("y_score"), options.pop("n_labels"), **options)


@pytest.mark.parametrize(
    ("prevalence", "text"),
    [(0.05, "is 5.* below 10 .* biased upward. Label at least 200"), (0.3, "saves little")],
)
def test_plans_that_are_biased_or_of_little_use_give_a_warning(prevalence, text):
    with pytest.warns(UserWarning, match=text):
        apr.plan_labels(SCORE, 100, prevalence=prevalence)
