"""`AchievablePRDisplay.from_cv_results`: curves of folds, their summary and its band."""

import re
from functools import partial

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from drawing import KINDS, assert_draws, data, folds, legend, of_folds
from scipy import stats
from scipy.sparse import coo_array
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import recall_score
from sklearn.model_selection import ShuffleSplit, cross_validate

import sklearn_achievable_pr as apr
from sklearn_achievable_pr import HullThresholdClassifierCV

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")


def test_data_other_than_those_that_were_cross_validated_raise():
    cv_results, X, y = folds(3)
    X, y = np.r_[X, X], np.r_[y, y]
    with pytest.raises(ValueError, match="the result of cross_validate for this `X` and"):
        of_folds(cv_results, X, y)


def test_one_curve_per_fold():
    X, y = data()
    weight = np.random.default_rng(0).random(len(y)) + 0.1
    cv_results, *_ = folds(3)
    inputs = cv_results, coo_array(X), pd.Series(y)
    display = of_folds(*inputs, sample_weight=weight, name="folds", summary=False)
    values = []
    for line, estimator, test in zip(
        display.line_, cv_results["estimator"], cv_results["indices"]["test"], strict=True
    ):
        score = estimator.predict_proba(X[test])[:, 1]
        options = {"sample_weight": weight[test]}
        assert_draws(line, y[test], score, "empirical", **options)
        values.append(apr.aucnpr(y[test], score, **options))
    assert display.aucnpr == pytest.approx(values)
    mean, std = np.mean(display.auc_pr), np.std(display.auc_pr)
    assert legend(display)[0] == f"folds (AUC-PR = {mean:.2f} +/- {std:.2f})"
    assert len(display.minimum_) == len(display.chance_level_) == len(legend(display)) == 3


@pytest.mark.parametrize("summary", [False, True])
def test_a_fold_without_a_class_is_omitted(summary):
    X, y = data()
    model = LogisticRegression().fit(X, y)
    tests = [np.flatnonzero(y == 0)[:5], np.arange(50, 150)]
    cv_results = {"estimator": [model, model], "indices": {"test": tests}}
    draw = partial(of_folds, X=X, y=y, summary=summary)
    with pytest.warns(UndefinedMetricWarning, match="1 of 2: no positive .* fold 0"):
        display = draw(cv_results)
    if summary:
        assert len(display.line_) == 2
        assert legend(display)[0].startswith("1 fold (")
        # The omitted fold still counts for the prevalence of all samples.
        assert display.prevalence[0] == pytest.approx(
            np.mean(y[np.concatenate(tests)]), rel=1e-15
        )
    else:
        assert isinstance(display.line_, mpl.lines.Line2D)
    cv_results = {"estimator": [model], "indices": {"test": tests[:1]}}
    with pytest.warns(UndefinedMetricWarning), pytest.raises(ValueError, match="by Strat"):
        draw(cv_results)


# The summary of folds


@pytest.mark.parametrize("curve", KINDS)
@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_the_drawn_summary_is_summary_pr_curve(curve, prevalence):
    cv_results, X, y = folds()
    weight = np.random.default_rng(0).random(len(y)) + 0.1
    display = of_folds(
        cv_results, X, y, sample_weight=weight, curve=curve, prevalence=prevalence, name="m"
    )
    labels, scores, weights = apr.fold_predictions(cv_results, X, y, sample_weight=weight)
    options = {"sample_weight": weights, "prevalence": prevalence}
    names = ("auc_pr_interpolated", "aucnpr")
    if curve == "achievable":
        names = ("achievable_auc_pr", "achievable_aucnpr")
    area, normalized = (
        apr.summary_auc_pr(labels, scores, metric=name, **options) for name in names
    )
    own = display.auc_pr[-1], display.aucnpr[-1]
    assert own == pytest.approx((area, normalized), rel=1e-13)
    assert np.mean(display.auc_pr[:-1]) == pytest.approx(area, rel=1e-13)
    pi = prevalence or np.average(y, weights=weight)
    assert display.prevalence == pytest.approx(6 * [pi])
    assert display.summary == 5 * [False] + [True]

    x, drawn = display.line_[-1].get_data()
    single = np.r_[False, np.minimum(np.diff(x)[1:], np.diff(x)[:-1]) > 1e-6, False]
    options = {"recall": x[single], "curve": curve, "prevalence": pi}
    each = [
        apr.precision_at_recall(*fold, sample_weight=own, **options)
        for *fold, own in zip(labels, scores, weights, strict=True)
    ]
    np.testing.assert_allclose(drawn[single], np.mean(each, axis=0), rtol=1e-9)
    assert np.all(drawn >= apr.precision_min(x, pi) - 1e-12)
    entry = f"m, mean of 5 folds (AUC-PR = {area:.2f})"
    if curve == "achievable":
        entry = f"m, mean of 5 folds\nachievable AUC-PR = {area:.2f}"
    if prevalence is not None:
        entry = entry.replace(" (", "\n").rstrip(")") + ", at prevalence 0.05"
    assert legend(display) == [
        entry,
        "Single folds",
        f"Minimum curve (AUC-PR = {apr.auc_pr_min(pi):.2f})",
        f"Chance level (prevalence {pi:.3g})",
    ]


def test_the_summary_is_in_front_of_thin_folds_of_its_color():
    first = of_folds(*folds(), name="a")
    second = of_folds(*folds(shift=1.0), name="b", curve="both", ax=first.ax_)
    summaries = [first.line_[-1], *second.line_[-2:]]
    thin = [*first.line_[:-1], *second.line_[:-2]]
    assert len(thin) == 15
    assert max(line.get_zorder() for line in thin) < min(s.get_zorder() for s in summaries)
    for display, summary in ((first, summaries[0]), (second, summaries[1])):
        assert {line.get_color() for line in display.line_} == {summary.get_color()}
    assert summaries[0].get_color() != summaries[1].get_color()
    assert len({line.get_linestyle() for line in summaries}) == 3
    assert [re.split(r"[\n(]", text)[0].strip() for text in legend(first)][:4] == [
        "a, mean of 5 folds",
        "b, mean of 5 folds",
        "b, mean of 5 folds",
        "Single folds",
    ]
    assert second.minimum_ is first.minimum_


def test_curve_kwargs_apply_to_the_summary_and_their_color_to_the_folds():
    draw = partial(of_folds, *folds())
    display = draw(curve_kwargs={"c": "red", "lw": 5, "label": "own"})
    assert {line.get_color() for line in display.line_} == {"red"}
    assert [line.get_linewidth() for line in display.line_] == 5 * [0.7] + [5]
    assert legend(display)[0] == "own"
    both = draw(curve="both", curve_kwargs=[{"c": "red"}, {"c": "blue"}])
    colors = [line.get_color() for line in both.line_]
    assert colors == 5 * ["red"] + 5 * ["blue"] + ["red", "blue"]


def test_a_band_of_folds_is_that_of_the_mean_curve():
    cv_results, X, y = folds(3)
    display, n_folds = of_folds(cv_results, X, y, band="folds", curve="both"), 6
    assert all(limits is None for limits in display.band[:n_folds])
    labels, scores, _ = apr.fold_predictions(cv_results, X, y)
    for i, (kind, artist) in enumerate(zip(KINDS, display.band_, strict=True)):
        recall, *limits = display.band[n_folds + i]
        assert (recall[0], recall[-1]) == (0, 1)
        options = {"recall": recall[1:-1], "curve": kind, "prevalence": np.mean(y)}
        each = [
            apr.precision_at_recall(*fold, **options)
            for fold in zip(labels, scores, strict=True)
        ]
        reach = stats.t.ppf(0.975, 2) * stats.sem(each, axis=0)
        ends = np.mean(each, axis=0) + np.array([[-1], [1]]) * reach
        ends = np.clip(ends, apr.precision_min(recall[1:-1], np.mean(y)), 1)
        np.testing.assert_allclose([limit[1:-1] for limit in limits], ends, rtol=1e-9)
        color = mpl.colors.to_rgb(display.line_[n_folds + i].get_color())
        assert artist.get_facecolor()[0, :3] == pytest.approx(color)
        assert artist.get_zorder() < display.line_[0].get_zorder()
    assert legend(display).count("95 % band, t interval over folds") == 1


def test_the_same_folds_again_do_not_make_a_band_narrower():
    cv_results, X, y = folds(3)
    twice = {
        "estimator": 2 * cv_results["estimator"],
        "indices": {"test": 2 * cv_results["indices"]["test"]},
    }
    once, again = (
        of_folds(results, X, y, band="folds").band[-1] for results in (cv_results, twice)
    )
    # Where a limit is clipped, the width is not that of the t interval.
    recall, low, high = once
    recall = recall.clip(1e-9, 1 - 1e-9)
    is_free = (low > apr.precision_min(recall, np.mean(y)) + 1e-6) & (high < 1 - 1e-6)
    assert np.count_nonzero(is_free) > 20
    # The standard deviation of 3 values divides by 2, and that of these values twice by 5.
    expected = np.sqrt(2 * 2 / 5) * (high - low)
    width = again[2] - again[1]
    np.testing.assert_allclose(width[is_free], expected[is_free], rtol=1e-9, atol=1e-12)


def test_a_band_of_random_splits_counts_folds_by_the_samples_that_they_test():
    X, y = data()
    splitter = ShuffleSplit(6, test_size=0.5, random_state=0)
    cv_results = cross_validate(
        LogisticRegression(), X, y, cv=splitter, return_estimator=True, return_indices=True
    )
    tests = cv_results["indices"]["test"]
    n_folds = 6 * len(np.unique(np.concatenate(tests))) / sum(map(len, tests))
    assert 1.5 < n_folds < 2.5
    recall, low, high = of_folds(cv_results, X, y, band="folds").band[-1]
    inside = recall[5:-5]
    labels, scores, _ = apr.fold_predictions(cv_results, X, y)
    prevalence = np.mean(np.concatenate(labels))
    options = {"recall": inside, "curve": "empirical", "prevalence": prevalence}
    each = [
        apr.precision_at_recall(*fold, **options)
        for fold in zip(labels, scores, strict=True)
    ]
    error = np.std(each, axis=0, ddof=1) / np.sqrt(n_folds)
    reach = stats.t.ppf(0.975, n_folds - 1) * error
    ends = np.mean(each, axis=0) + np.array([[-1], [1]]) * reach
    ends = np.clip(ends, apr.precision_min(inside, prevalence), 1)
    np.testing.assert_allclose([low[5:-5], high[5:-5]], ends, rtol=1e-9)


def test_a_band_needs_folds_that_test_different_samples():
    cv_results, X, y = folds(2)
    test = cv_results["indices"]["test"][0]
    cv_results["indices"]["test"] = [test, test]
    with pytest.raises(ValueError, match="that have both classes and test different"):
        of_folds(cv_results, X, y, band="folds")


def test_folds_of_tuned_thresholds_have_predicted_points_and_marks_without_a_summary():
    model = HullThresholdClassifierCV(
        LogisticRegression(), cv=0.5, random_state=0, pos_label="spam"
    )
    cv_results, X, y = folds(3, model, labels=("ham", "spam"))
    display = of_folds(cv_results, X, y, legend=False)
    assert display.threshold_marks_ is None
    assert display.pos_label == "spam"
    assert len(display.predicted_point_) == 3
    assert display.predicted_point[-1] is None
    of_fold = display.predicted_point[:-1], cv_results["estimator"]
    tests = cv_results["indices"]["test"]
    for (_, recall), estimator, test in zip(*of_fold, tests, strict=True):
        predicted = estimator.predict(X[test])
        assert recall == pytest.approx(recall_score(y[test], predicted, pos_label="spam"))
    assert len(display.plot(mark_thresholds=True, legend=False).threshold_marks_) == 3
    alone = of_folds(cv_results, X, y, summary=False, legend=False)
    assert len(alone.threshold_marks_) == 3


@pytest.mark.parametrize(
    ("factor", "text"), [(-1, "^The scores rank negatives"), (0, "^Fold 0, Fold 1, Fold 2")]
)
def test_scores_that_look_wrong_warn_once(factor, text):
    _, X, y = folds(3)
    score = factor * (y + X[:, 0] / 10)
    with pytest.warns(UserWarning, match=text) as caught:
        of_folds(apr.cv_results_from_scores(score, np.arange(400) % 3), None, y)
    assert len([w for w in caught if "prevalence" not in str(w.message)]) == 1
