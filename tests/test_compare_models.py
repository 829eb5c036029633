"""`compare_models`: numbers of the single functions, Holm, tables and the forest plot."""

import dataclasses
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_achievable_pr import (
    CoverageWarning,
    auc_pr_interval,
    compare_models,
)
from sklearn_achievable_pr._input import labels

# Samples of these tests are small.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")

RNG = np.random.default_rng(3)
Y = RNG.random(400) < 0.2
SHARED = RNG.normal(size=400) + Y
SCORES = {
    "forest": SHARED + 0.5 * Y + 0.3 * RNG.normal(size=400),
    "logistic": SHARED + 0.3 * RNG.normal(size=400),
    "nearly constant": np.r_[0.4, 0.6, np.full(398, 0.5)],
}
DESIGNS = {
    "plain": {},
    "AUCNPR of a part": {"metric": "aucnpr", "recall_range": (0.2, 0.9)},
    "weights and groups": {
        "sample_weight": RNG.uniform(0.5, 2, 400),
        "groups": np.arange(400) // 2,
    },
    "average precision": {"metric": "average_precision", "prevalence": 0.1},
}
every_design = pytest.mark.parametrize("design", DESIGNS)


@every_design
def test_models_have_the_intervals_of_auc_pr_interval(design):
    options = DESIGNS[design]
    result = compare_models(Y, SCORES, **options)
    for name, score in SCORES.items():
        model, alone = result.models[name], auc_pr_interval(Y, score, **options)
        for field, value in vars(alone).items():
            if isinstance(value, str | None):
                assert getattr(model, field) == value
            else:
                np.testing.assert_allclose(getattr(model, field), value, rtol=1e-12)


@every_design
def test_other_models_do_not_change_a_pair(design):
    result = compare_models(Y, SCORES, **DESIGNS[design])
    assert len(result.pairs) == 3
    for names, pair in result.pairs.items():
        two = {name: SCORES[name] for name in names}
        assert pair == compare_models(Y, two, **DESIGNS[design]).pairs[names]


def test_reference_is_the_second_of_every_pair():
    result = compare_models(Y, SCORES, reference="logistic")
    assert [*result.pairs] == [("forest", "logistic"), ("nearly constant", "logistic")]


# p.adjust(p, "holm") of R 4.3; NA is left out of the number of tests.
P_ADJUST = [
    ([0.01, 0.02, 0.03, 0.04, 0.05], [0.05, 0.08, 0.09, 0.09, 0.09]),
    ([0.04, 0.001, 0.6, 0.02], [0.08, 0.004, 0.6, 0.06]),
    ([0.5, 0.6, 0.7], [1.0, 1.0, 1.0]),
    ([0.01, np.nan, 0.02], [0.02, np.nan, 0.02]),
]


@pytest.mark.parametrize(("pvalues", "adjusted"), P_ADJUST)
def test_holm_agrees_with_p_adjust_of_r(pvalues, adjusted):
    result = compare_models(Y, SCORES)
    pair = result.pairs["forest", "logistic"]
    pairs = {
        ("forest", f"{i}"): dataclasses.replace(pair, pvalue=pvalue)
        for i, pvalue in enumerate(pvalues)
    }
    found = dataclasses.replace(result, pairs=pairs).adjusted_pvalues
    np.testing.assert_allclose([*found.values()], adjusted, rtol=1e-15)


def test_adjusted_pvalues_are_those_of_holm():
    result = compare_models(Y, SCORES)
    pvalues = sorted(pair.pvalue for pair in result.pairs.values())
    steps = np.maximum.accumulate(np.array(pvalues) * [3, 2, 1])
    assert sorted(result.adjusted_pvalues.values()) == pytest.approx(np.minimum(steps, 1))


def test_adjust_none_leaves_p_values_as_they_are():
    result = compare_models(Y, SCORES, adjust=None)
    assert result.adjusted_pvalues == {k: pair.pvalue for k, pair in result.pairs.items()}


# One-sided alternatives


RECALL = {"metric": "recall_at_threshold", "at": 1.0}
every_kind = pytest.mark.parametrize("options", [{}, RECALL], ids=["area", "rate"])


@every_kind
@pytest.mark.parametrize(("alternative", "side"), [("greater", "low"), ("less", "high")])
def test_a_one_sided_limit_is_that_of_the_two_sided_interval_of_90_percent(
    options, alternative, side
):
    found = compare_models(Y, SCORES, alternative=alternative, **options)
    both = compare_models(Y, SCORES, confidence_level=0.9, **options)
    for names, pair in found.pairs.items():
        limit = getattr(pair.confidence_interval, side)
        expected = getattr(both.pairs[names].confidence_interval, side)
        assert limit == pytest.approx(expected, rel=1e-12)
        assert abs(sum(pair.confidence_interval) - limit) == 1  # the other limit


@every_kind
def test_one_sided_p_values_are_of_the_first_model_minus_the_second(options):
    greater = compare_models(Y, SCORES, alternative="greater", **options)
    two_sided = compare_models(Y, SCORES, **options)
    for names, pair in greater.pairs.items():
        half = two_sided.pairs[names].pvalue / 2
        expected = half if pair.difference > 0 else 1 - half
        assert pair.pvalue == pytest.approx(expected, rel=1e-9)


def test_the_intervals_of_the_models_are_two_sided():
    assert compare_models(Y, SCORES, alternative="less").models == (
        compare_models(Y, SCORES).models
    )


def test_holm_adjusts_one_sided_p_values():
    result = compare_models(Y, SCORES, alternative="greater")
    pvalues = sorted(pair.pvalue for pair in result.pairs.values())
    steps = np.maximum.accumulate(np.array(pvalues) * [3, 2, 1])
    assert sorted(result.adjusted_pvalues.values()) == pytest.approx(np.minimum(steps, 1))


WORST_FIRST = dict([*SCORES.items()][::-1])


def test_one_sided_pairs_are_shown_in_the_order_of_the_models():
    result = compare_models(Y, WORST_FIRST, alternative="greater")
    _, pairs, _ = str(result).split("\n\n")
    title, *lines = pairs.splitlines()
    assert "difference (one-sided 95 % interval)" in title
    for line, ((a, b), pair) in zip(lines, result.pairs.items(), strict=True):
        assert line.startswith(f"{a} - {b} ")
        assert f"{pair.difference:.2f} (at least " in line
    assert [*result.to_frame("pairs")["model_a"]] == [a for a, _ in result.pairs]


def test_the_forest_plot_of_one_sided_intervals_is_of_the_first_model():
    result = compare_models(Y, WORST_FIRST, alternative="greater")
    left, right = result.plot()
    assert left.get_yticklabels()[0].get_text() == "forest"
    assert right.get_title().startswith("nearly constant - other model\n")
    assert "one-sided intervals" in right.get_title()
    (bars,) = right.collections
    drawn = [bar[:, 0].tolist() for bar in bars.get_segments()]
    others = ("logistic", "forest")
    pairs = [result.pairs["nearly constant", other] for other in others]
    expected = [[pair.confidence_interval.low, pair.difference] for pair in pairs]
    np.testing.assert_allclose(drawn, expected)


def test_rank_1_is_the_highest_estimate_and_equal_estimates_share_a_rank():
    scores = {"low": np.round(SHARED), "same": SHARED, "high": SHARED.copy()}
    assert compare_models(Y, scores).ranks == {"low": 3, "same": 1, "high": 1}


def test_frames_have_the_numbers_of_the_result():
    result = compare_models(Y, SCORES)
    models, pairs = result.to_frame(), result.to_frame("pairs", decimals=3)
    assert [*models["rank"]] == [1, 2, 3]
    best = result.models[models["model"][0]]
    low, high = best.confidence_interval
    text = f"{best.estimate:.3f} ({low:.3f}, {high:.3f})"
    assert models["estimate (interval)"][0] == text
    pair = result.pairs["forest", "logistic"]
    found = pairs[(pairs["model_a"] == "forest") & (pairs["model_b"] == "logistic")]
    assert found["pvalue"].item() == pair.pvalue
    assert found["difference (interval)"].item().startswith(f"{pair.difference:.3f} (")


@pytest.mark.parametrize("reference", [None, "logistic"])
def test_the_reference_is_in_the_dict(reference):
    found = compare_models(Y, SCORES, reference=reference).to_dict()
    assert found["reference"] == reference


def test_without_adjustment_no_interval_is_called_unadjusted():
    result = compare_models(Y, SCORES, adjust=None)
    assert "unadjusted" not in str(result)
    assert "difference (interval)" in result.to_frame("pairs").columns


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_of_scores_is_taken_column_by_column(library):
    frame = pytest.importorskip(library).DataFrame(SCORES)
    assert repr(compare_models(Y, frame)) == repr(compare_models(Y, SCORES))


def test_duplicate_names_in_a_frame():
    frame = pd.DataFrame(np.column_stack([SHARED, -SHARED]), columns=["a", "a"])
    with pytest.raises(TypeError, match=r"`y_scores` must have .* different names.*'a'"):
        compare_models(Y, frame)


BAD_SCORES = {
    "one model": ({"a": SHARED}, {}, TypeError, "`y_scores` must have at least two"),
    "no mapping": ([SHARED, SHARED], {}, TypeError, "`y_scores` must have .* a mapping"),
    "length": ({"a": SHARED, "b": SHARED[1:]}, {}, ValueError, r"y_scores\['b'\]"),
    "NaN": ({"a": SHARED, "b": SHARED * np.nan}, {}, ValueError, r"y_scores\['b'\]"),
}
BAD_OPTIONS = {
    "no metric": (SCORES, {"metric": "area"}, ValueError, "`metric` must be one of"),
    "reference": (SCORES, {"reference": "tree"}, ValueError, "`reference` must be one of"),
    "alternative": (
        SCORES,
        {"alternative": "above"},
        ValueError,
        "`alternative` must be one of 'two-sided'",
    ),
    "adjust": (
        SCORES,
        {"adjust": "bh"},
        ValueError,
        "`adjust` must be one of 'holm', None",
    ),
}


@pytest.mark.parametrize("name", BAD_SCORES)
def test_errors_name_the_score(name):
    scores, options, error, message = BAD_SCORES[name]
    with pytest.raises(error, match=message):
        compare_models(Y, scores, **options)


@pytest.mark.parametrize("name", BAD_OPTIONS)
def test_errors_name_the_option(name):
    scores, options, error, message = BAD_OPTIONS[name]
    with pytest.raises(error, match=message):
        compare_models(Y, scores, **options)


def test_a_missing_class_gives_nan_and_one_warning():
    with pytest.warns(UndefinedMetricWarning, match="No positive samples") as caught:
        result = compare_models(np.zeros(400), SCORES)
    assert len(caught) == 1
    assert np.isnan([*result.ranks.values(), *result.adjusted_pvalues.values()]).all()


def test_few_positives_give_one_warning():
    y = np.arange(400) < 5
    with pytest.warns(CoverageWarning, match="Only 5 samples are positive") as caught:
        compare_models(y, {name: score + 9 * y for name, score in SCORES.items()})
    assert len(caught) == 1


def test_the_forest_plot_shows_models_by_rank_and_differences_from_the_best():
    result = compare_models(Y, SCORES)
    left, right = result.plot()
    for ax in (left, right):
        names = [text.get_text() for text in ax.get_yticklabels()]
        assert names == ["forest", "logistic", "nearly constant"]
    (points,) = (line for line in left.lines if line.get_marker() == "o")
    estimates = [result.models[name].estimate for name in names]
    np.testing.assert_array_equal(points.get_xdata(), estimates)
    (points,) = (line for line in right.lines if line.get_marker() == "o")
    pairs = [result.pairs["forest", other] for other in ("logistic", "nearly constant")]
    np.testing.assert_array_equal(points.get_ydata(), [1, 2])
    np.testing.assert_array_equal(points.get_xdata(), [pair.difference for pair in pairs])
    (bars,) = right.collections
    limits = [pair.confidence_interval for pair in pairs]
    np.testing.assert_allclose([bar[:, 0] for bar in bars.get_segments()], limits)
    assert [left.get_xlabel(), right.get_xlabel()] == [
        "AUC-PR",
        "Difference of AUC-PR",
    ]
    assert left.get_title() == "95 % confidence interval"
    assert right.get_title().startswith("forest - other model\n")
    adjusted = [result.adjusted_pvalues[pair] for pair in (*result.pairs,)[:2]]
    shown = [text.get_text() for text in right.child_axes[0].get_yticklabels()]
    expected = ["p < 0.001" if p < 0.001 else f"p = {p:.3f}" for p in adjusted]
    assert shown == [*expected, "reference"]
    (reference,) = (line for line in right.lines if line.get_marker() == "D")
    np.testing.assert_array_equal(reference.get_xydata(), [[0, 0]])


@pytest.mark.parametrize("reference", [None, "logistic"])
@pytest.mark.parametrize("n_models", [2, 3])
def test_the_forest_plot_has_the_signs_of_the_print(reference, n_models):
    scores = dict([*SCORES.items()][::-1][-n_models:])
    result = compare_models(Y, scores, reference=reference)
    _, right = result.plot()
    (points,) = (line for line in right.lines if line.get_marker() == "o")
    names = [text.get_text() for text in right.get_yticklabels()]
    frame = result.to_frame("pairs")
    base = names[0] if reference is None else reference
    with_base = frame[(frame[["model_a", "model_b"]] == base).any(axis=1)]
    others = with_base["model_b" if reference is None else "model_a"]
    assert [names[int(place)] for place in points.get_ydata()] == [*others]
    assert [*points.get_xdata()] == [*with_base["difference"]]


def test_the_forest_plot_uses_passed_axes():
    _, axes = plt.subplots(1, 2)
    found = compare_models(Y, SCORES, reference="nearly constant").plot(axes)
    assert [*found] == [*axes]
    assert axes[0].get_ylim() == axes[1].get_ylim() == (2.5, -0.5)
    assert not any(text.get_visible() for text in axes[1].get_yticklabels())
    assert found[1].get_title().startswith("Difference from nearly constant\n")
    with pytest.raises(TypeError, match="`ax` must be two matplotlib Axes"):
        compare_models(Y, SCORES).plot(axes[0])


def test_two_objects_that_are_no_axes_raise():
    with pytest.raises(TypeError, match="`ax` must be two matplotlib Axes"):
        compare_models(Y, SCORES).plot([1, 2])


def test_the_forest_plot_is_as_high_as_its_names():
    long = {
        f"a name of several lines, {'long ' * 12}{i}": s
        for i, s in enumerate((SHARED, np.round(SHARED)))
    }
    heights = [
        compare_models(Y, names).plot()[0].figure.get_figheight()
        for names in (long, SCORES)
    ]
    assert heights[0] > heights[1]


@pytest.mark.slow
@pytest.mark.parametrize("noise", [1e-4, 0.3])
@pytest.mark.parametrize("size", [None, (4, 2.4)])
def test_tick_labels_of_the_forest_plot_do_not_touch(noise, size):
    names = ("a penalized logistic regression", "boosted trees", "forest")
    scores = {name: SHARED + noise * RNG.normal(size=400) for name in names}
    axes = None
    if size is not None:
        _, axes = plt.subplots(1, 2, figsize=size, layout="constrained")
    axes = compare_models(Y, scores).plot(axes)
    figure = axes[0].figure
    figure.canvas.draw()
    for ax in axes:
        labels = [text for text in ax.get_xticklabels() if text.get_text()]
        boxes = [text.get_window_extent() for text in labels]
        if not labels[0].get_rotation():
            assert all(a.x1 < b.x0 for a, b in pairwise(boxes))
    if size is None:
        # Readable in 400 pixels: 8 at least from baseline to ascender.
        assert 400 / figure.get_figwidth() * labels[0].get_size() / 72 > 8


@pytest.mark.parametrize(("adjust", "note"), [("holm", "p: Holm"), (None, "p: unadj")])
def test_the_forest_plot_says_how_p_values_are_adjusted(adjust, note):
    _, right = compare_models(Y, SCORES, adjust=adjust).plot()
    assert note in right.get_title()


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        ({}, []),
        ({"recall_range": (0.5, 1)}, ["recall 0.5 to 1"]),
        ({"prevalence": 0.1}, ["at prevalence 0.1"]),
        (
            {"recall_range": (0, 0.5), "prevalence": 0.1},
            ["recall 0 to 0.5, at prevalence 0.1"],
        ),
    ],
)
def test_the_forest_plot_names_recall_range_and_reference_prevalence(options, lines):
    result = compare_models(Y, SCORES, **options)
    left, right = result.plot()
    assert left.get_xlabel() == ",\n".join(["AUC-PR", *lines])
    assert right.get_xlabel() == ",\n".join(["Difference of AUC-PR", *lines])
    # As it is printed.
    assert left.get_xlabel().replace("\n", " ") in str(result)


def test_names_with_dollars_are_drawn_as_they_are():
    left, _ = compare_models(Y, {"$a_b_c$": SHARED, r"$\frac$": np.round(SHARED)}).plot()
    left.figure.draw_without_rendering()


@pytest.mark.parametrize(
    ("decimals", "error"), [("a", TypeError), (-1, ValueError), (2.5, TypeError)]
)
def test_decimals_of_a_frame(decimals, error):
    with pytest.raises(error, match="`decimals` must"):
        compare_models(Y, SCORES).to_frame(decimals=decimals)


def test_labels_of_several_models_are_converted_once(monkeypatch):
    calls, convert = [], labels.positives
    monkeypatch.setattr(
        labels, "positives", lambda *args: calls.append(args) or convert(*args)
    )
    compare_models(np.where(Y, "yes", "no"), SCORES, pos_label="yes")
    assert len(calls) == 1


# Scores that look wrong


@pytest.mark.parametrize("options", [{}, {"metric": "recall_at_fpr", "at": 0.2}], ids=str)
def test_a_constant_model_is_named(options):
    with pytest.warns(UserWarning, match="^Model 'dummy': All samples have one") as caught:
        compare_models(Y, {"good": SHARED, "dummy": np.zeros(400)}, **options)
    assert len([w for w in caught if w.category is UserWarning]) == 1


@pytest.mark.parametrize("options", [{}, {"metric": "recall_at_fpr", "at": 0.2}], ids=str)
def test_reversed_models_are_named_in_one_warning(options):
    scores = {"a": -SHARED, "good": SHARED, "b": -SHARED.round()}
    match = "^Model 'a', Model 'b': The scores rank negatives above positives"
    with pytest.warns(UserWarning, match=match) as caught:
        compare_models(Y, scores, **options)
    assert len([w for w in caught if w.category is UserWarning]) == 1


def test_a_warning_names_five_models_and_counts_the_others():
    scores = dict.fromkeys("abcdefg", -SHARED)
    with pytest.warns(UserWarning, match="Model 'e': The scores .* 2 more like this"):
        compare_models(Y, scores)


@pytest.mark.parametrize("unit", [1, 0.3, 7])
def test_equal_weights_give_the_comparison_without_weights(unit):
    weighted = compare_models(Y, SCORES, sample_weight=np.full(400, unit))
    assert weighted.to_dict() == compare_models(Y, SCORES).to_dict()
