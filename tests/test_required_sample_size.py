"""How many samples a study needs."""

import dataclasses
import re

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtri

import sklearn_achievable_pr as apr

ASSUMED = {"auc_pr": 0.6, "prevalence": 0.1}
Z = ndtri(0.975)


def study(seed=0, n=400, **options):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.2
    shared = rng.normal(size=n)
    scores = [shift * y + shared + rng.normal(size=n) for shift in (2, 1.5)]
    compared = apr.compare_models(y, dict(zip("ab", scores, strict=True)), **options)
    return compared.models["a"], compared.pairs["a", "b"]


INTERVAL, COMPARISON = study()


def beta_width(value, variance, t):
    """Width of the beta interval of an estimate with this variance."""
    n = value * (1 - value) / variance * (Z / t) ** 2
    hits, misses = n * value, n * (1 - value)
    low = stats.beta.ppf(0.025, hits, misses + 1)
    return stats.beta.ppf(0.975, hits + 1, misses) - low


@pytest.mark.parametrize(("prevalence", "distance"), [(0.1, 0.9), (0.3, 2.5)])
@pytest.mark.parametrize("width", [0.12, 0.03])
def test_planned_samples_give_the_width(prevalence, distance, width):
    """Beta interval with the influence values of a large sample."""
    rng, n = np.random.default_rng(0), 200_000
    y = np.arange(n) < prevalence * n
    score = rng.normal(size=n) * np.where(y, 2, 1) + distance * y
    area, influence = apr.auc_pr_interpolated(y, score), n * apr.auc_pr_influence(y, score)
    plan = apr.required_sample_size(
        width=width, auc_pr=area, prevalence=prevalence, spread=2.0
    )
    assert plan.n_positive == round(plan.n_samples * prevalence)
    assert (plan.width, plan.power) == (width, None)

    variance = np.mean(influence**2)
    t = stats.t.ppf(0.975, plan.n_samples * prevalence - 1)
    expected = beta_width(area, variance / plan.n_samples, t)
    assert width == pytest.approx(expected, rel=6e-3)


def test_size_of_the_pilot_gives_the_width_of_the_pilot():
    low, high = INTERVAL.confidence_interval
    plan = apr.required_sample_size(width=high - low, pilot=INTERVAL)
    assert plan.n_samples == pytest.approx(INTERVAL.n_samples, abs=1)
    assert plan.n_positive == pytest.approx(INTERVAL.n_positive, abs=1)
    low, high = COMPARISON.confidence_interval
    plan = apr.required_sample_size(width=high - low, pilot=COMPARISON)
    assert plan.n_samples == pytest.approx(COMPARISON.n_samples, abs=1)


@pytest.mark.parametrize(
    ("aim", "df"),
    [("width", None), ("difference", 7.5), ("beta width", None), ("beta width", 7.5)],
)
def test_degrees_of_freedom_of_a_small_pilot(aim, df):
    """At the size of a pilot with 12 positives t has its degrees of freedom, or else 11."""
    pilot = INTERVAL if aim == "beta width" else COMPARISON
    pilot = dataclasses.replace(pilot, df=df, n_positive=12)
    t = stats.t.ppf(0.975, df or 11)
    if aim == "beta width":
        target = beta_width(pilot.estimate, pilot.standard_error**2, t)
    else:
        factor = 2 * t if aim == "width" else t + ndtri(0.8)
        target = factor * pilot.standard_error
    plan = apr.required_sample_size(**{aim.split()[-1]: target}, pilot=pilot)
    assert plan.n_samples == pytest.approx(400, abs=1)


@pytest.mark.parametrize(
    "options",
    [
        {"metric": "aucnpr"},
        {"metric": "average_precision"},
        {"recall_range": (0.2, 0.8)},
    ],
)
def test_pilots_of_other_metrics_and_ranges(options):
    pilot = study(**options)[0]
    low, high = pilot.confidence_interval
    plan = apr.required_sample_size(width=high - low, pilot=pilot)
    assert plan.n_samples == pytest.approx(400, rel=0.25)


def test_many_samples_are_those_of_the_normal_limit():
    """The variance of one score is that of its influence at many quantiles."""
    n, prevalence = 400_000, 0.1
    z = ndtri((np.arange(n) + 0.5) / n)
    y, score = np.repeat([0, 1], n), np.append(z, z + 2)
    sample_weight = np.where(y, prevalence, 1 - prevalence) / n
    area = apr.auc_pr_interpolated(y, score, sample_weight=sample_weight)
    influence = apr.auc_pr_influence(y, score, sample_weight=sample_weight)
    variance = sample_weight @ influence**2
    plan = apr.required_sample_size(width=1e-3, auc_pr=area, prevalence=prevalence)
    assert plan.n_samples == pytest.approx(variance * (2 * Z / 1e-3) ** 2, rel=1e-3)
    plan = apr.required_sample_size(difference=1e-3, pilot=COMPARISON)
    variance = COMPARISON.n_samples * COMPARISON.standard_error**2
    expected = variance * ((Z + ndtri(0.8)) / 1e-3) ** 2
    assert plan.n_samples == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize(("spread", "correlation"), [(0.1, 0.9), (2.0, -0.3)])
def test_variances_are_those_of_a_large_sample(spread, correlation):
    rng, n = np.random.default_rng(1), 200_000
    y = rng.random(n) < 0.3
    noise, own = rng.normal(size=(2, n))
    other = correlation * noise + np.sqrt(1 - correlation**2) * own
    scores = [np.where(y, d + spread * z, z) for d, z in ((1.0, noise), (1.5, other))]
    areas = [apr.auc_pr_interpolated(y, score) for score in scores]
    influences = [n * apr.auc_pr_influence(y, score) for score in scores]
    assumed = {"auc_pr": areas[0], "prevalence": 0.3, "spread": spread}
    plan = apr.required_sample_size(width=1e-3, **assumed)
    variance = plan.n_samples * (1e-3 / (2 * Z)) ** 2
    assert np.var(influences[0]) == pytest.approx(variance, rel=0.03)
    error, aim = 1e-12, {"difference": areas[1] - areas[0], "correlation": correlation}
    rates = {"power": 1 - error, "confidence_level": 1 - error}
    plan = apr.required_sample_size(**assumed, **aim, **rates)
    t = stats.t.isf(error / 2, plan.n_samples * 0.3 - 1)
    variance = plan.n_samples * (aim["difference"] / (t + ndtri(1 - error))) ** 2
    assert np.var(influences[1] - influences[0]) == pytest.approx(variance, rel=0.03)


@pytest.mark.parametrize(
    ("more", "fewer"),
    [
        ({"width": 0.1, "confidence_level": 0.99}, {"width": 0.1}),
        ({"width": 0.1, "prevalence": 0.05}, {"width": 0.1}),
        ({"difference": 0.1, "power": 0.9}, {"difference": 0.1}),
        ({"difference": 0.01}, {"difference": 0.01, "correlation": 0.9999}),
    ],
)
def test_smaller_widths_and_differences_need_more_samples(more, fewer):
    needed = [apr.required_sample_size(**ASSUMED | aim).n_samples for aim in (more, fewer)]
    assert needed[0] > needed[1]


def width_of_clusters(pilot, n):
    """Width of the interval of n clusters like those of a pilot."""
    df = (pilot.df + 1) * n / pilot.n_clusters - 1
    variance = pilot.standard_error**2 * pilot.n_clusters / n
    return beta_width(pilot.estimate, variance, stats.t.ppf(0.975, df))


def test_pilot_with_clusters_plans_clusters():
    pilot = study(groups=np.arange(400) // 4)[0]
    plan = apr.required_sample_size(width=0.05, pilot=pilot)
    assert plan.n_samples == 4 * plan.n_clusters
    assert plan.n_positive == round(plan.n_samples * pilot.n_positive / 400)
    assert width_of_clusters(pilot, plan.n_clusters) <= 0.05
    assert width_of_clusters(pilot, plan.n_clusters - 1) > 0.05
    assert f" samples in {plan.n_clusters} clusters, " in str(plan)


ALL = ("width", "difference", "power", "confidence_level", "auc_pr", "assumed_prevalence")
ALL += ("spread", "correlation")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (ASSUMED | {"width": 0.1}, (0.1, None, None, 0.95, 0.6, 0.1, 1.0, None)),
        (ASSUMED | {"difference": 0.1}, (None, 0.1, 0.8, 0.95, 0.6, 0.1, 1.0, 0.5)),
        ({"width": 0.1, "pilot": INTERVAL}, (0.1, None, None, 0.95, *[None] * 4)),
        ({"difference": 0.1, "pilot": COMPARISON}, (None, 0.1, 0.8, 0.95, *[None] * 4)),
    ],
    ids=["width", "difference", "width by a pilot", "difference by a pilot"],
)
def test_a_plan_has_what_it_assumes_as_fields(options, expected):
    plan = apr.required_sample_size(**options)
    assert tuple(getattr(plan, name) for name in ALL) == expected


@pytest.mark.parametrize(
    ("options", "aim", "assumed"),
    [
        (
            {"width": 0.1, "confidence_level": 0.9, "spread": 2, **ASSUMED},
            "for a 90 % confidence interval of width 0.1 (about +- 0.05).",
            "Assumed: binormal scores with AUC-PR 0.6, prevalence 0.1, spread 2.",
        ),
        (
            {"difference": 0.1, **ASSUMED},
            "for a test with power 0.8 to detect a difference of 0.1 "
            "(significance level 0.05).",
            "Assumed: binormal scores with AUC-PR 0.6, prevalence 0.1, spread 1, "
            "correlation 0.5.",
        ),
        (
            {"width": 0.1, "pilot": INTERVAL},
            "for a 95 % confidence interval of width 0.1 (about +- 0.05).",
            "Assumed: the variance of the pilot.",
        ),
    ],
    ids=["width", "difference", "pilot"],
)
def test_a_plan_prints_its_aim_and_what_it_assumes(options, aim, assumed):
    plan = apr.required_sample_size(**options)
    needed = f"{plan.n_samples} samples, {plan.n_positive} of them positive, are needed"
    assert str(plan).splitlines() == [needed, aim, assumed]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (ASSUMED, "exactly one of `width`, `difference`. Got none"),
        (ASSUMED | {"width": 0.1, "difference": 0.1}, "Got width, difference"),
        (
            {"width": 0.1, "auc_pr": 0.6},
            "or `pilot`. Got `auc_pr`=0.6, `prevalence`=None and no `pilot`.",
        ),
        (ASSUMED | {"width": 0.1, "pilot": INTERVAL}, "or `pilot`. Got .* and a `pilot`"),
    ],
)
def test_too_few_or_too_many_arguments_raise(options, message):
    with pytest.raises(ValueError, match=message):
        apr.required_sample_size(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"width": 1.5}, "`width` must be inside"),
        ({"width": 0.1, "auc_pr": 0.01}, "`auc_pr`.* above the minimum AUC-PR"),
        ({"difference": 0.5}, "`auc_pr` . `difference`, must be below 1"),
        ({"difference": 0.1, "power": 0.001}, "`power` must be inside"),
    ],
)
def test_errors_name_the_argument(options, message):
    with pytest.raises(ValueError, match=message):
        apr.required_sample_size(**ASSUMED | options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (ASSUMED | {"width": 0.9}, "`width`=0.9 .* fewer than 10 .* Collect 100 samples"),
        (
            {"width": 0.9, "auc_pr": 0.96, "prevalence": 0.75},
            "positives or negatives, .* Collect 40 samples",
        ),
        (
            {"difference": 0.9, "pilot": COMPARISON},
            "`difference`=0.9 would need fewer than 10",
        ),
        (ASSUMED | {"width": 5e-8}, r"`width`=5e-08 would need more than 10\*\*15 samples"),
    ],
)
def test_plans_of_too_few_or_too_many_samples_raise(options, message):
    with pytest.raises(ValueError, match=message):
        apr.required_sample_size(**options)


def assert_error_of_pilot(fields, needed, got):
    """Such a pilot is an error of two sentences: what it must be, and what came."""
    with pytest.raises(ValueError, match="`pilot` must") as caught:
        apr.required_sample_size(width=0.1, pilot=dataclasses.replace(INTERVAL, **fields))
    assert re.search(rf"`pilot` must {needed}\. Got .*{got}", str(caught.value))
    assert len(str(caught.value)) < 170


@pytest.mark.parametrize(
    ("fields", "needed", "got"),
    [
        (
            {"average": "macro", "n_labels": 2, "n_positive": (9, 90)},
            "be of one binary label",
            "macro average of 2 labels",
        ),
        (
            {"metric": "precision_at_recall"},
            "be of an area",
            "'precision_at_recall': take a metric of `auc_pr_interval`",
        ),
        (
            {"method": "cross-validation"},
            "come from one fixed score, not from several models",
            "'cross-validation'",
        ),
        (
            {"metric": "achievable_auc_pr"},
            "be of the empirical curve",
            "'achievable_auc_pr': take 'auc_pr_interpolated'",
        ),
    ],
)
def test_a_pilot_of_another_kind_raises(fields, needed, got):
    assert_error_of_pilot(fields, needed, got)


@pytest.mark.parametrize(
    ("fields", "needed", "got"),
    [
        ({"n_positive": 391}, "have at least 10 negatives", "9 negatives in 400"),
        (
            {"standard_error": np.nan},
            "have a positive standard error",
            "nan: take a larger",
        ),
        ({"estimate": 1.0}, "not be a perfect ranking", "the estimate 1"),
        ({"estimate": 1e-170}, "not be a worst ranking", "the estimate 1e-170"),
    ],
)
def test_a_pilot_that_is_too_small_raises(fields, needed, got):
    assert_error_of_pilot(fields, needed, got)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pilot": 0.1}, "`pilot` must be a pair of .* Got float"),
        ({"pilot": INTERVAL}, "`pilot` must be .* Got AucPRIntervalResult"),
        (ASSUMED | {"spread": None}, "`spread` must be a real number"),
    ],
)
def test_arguments_of_wrong_type(options, message):
    with pytest.raises(TypeError, match=message):
        apr.required_sample_size(difference=0.1, **options)
