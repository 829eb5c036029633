"""Rule-out: the constraint `min_npv`, and the objectives "specificity" and "npv"."""

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.naive_bayes import GaussianNB
from tuning_sets import ALL_OR_NONE, tuned_on, two_classes

from sklearn_achievable_pr import (
    HullThresholdClassifierCV,
    HullThresholdDisplay,
    choose_threshold,
)

N_CHOICES = 2000


def every_cut(y, score, weight):
    """Rates of each cut by definition, from no sample predicted positive to all."""
    cells = []
    for threshold in [np.inf, *np.unique(score)[::-1]]:
        above = score >= threshold
        cells.append(
            [weight[m].sum() for m in (above & y, above & ~y, ~above & y, ~above & ~y)]
        )
    tp, fp, fn, tn = np.transpose(cells)
    with np.errstate(invalid="ignore"):
        return {
            "recall": tp / (tp + fn),
            "precision": np.nan_to_num(tp / (tp + fp)),
            "npv": np.nan_to_num(tn / (tn + fn)),
            "specificity": tn / (tn + fp),
            "selection_rate": (tp + fp) / (tp + fp + fn + tn),
            "fpr": fp / (fp + tn),
        }


def random_choice(seed):
    """Labels, scores with ties, weights, constraints and an objective."""
    rng = np.random.default_rng(seed)
    n_samples = int(rng.integers(2, 40))
    y = rng.random(n_samples) < rng.choice([0.1, 0.5, 0.8])
    y[:2] = False, True
    levels = rng.choice([1, 3, 100])
    score = np.round((rng.normal(size=n_samples) + y) * levels) / levels
    weight = rng.integers(1, 4, n_samples) / 2 if seed % 3 == 0 else np.ones(n_samples)
    names = ["recall", "precision", "selection_rate", "fpr"]
    chosen = ["npv", *names[: seed % 5]] if seed % 2 else names[: seed % 5]
    bounds = {name: rng.random() ** 0.5 for name in chosen}
    objective = ["specificity", "npv", "recall"][seed % 3]
    return y, score, weight, bounds, objective


def argument(name):
    return f"{'max' if name in ('selection_rate', 'fpr') else 'min'}_{name}"


@pytest.mark.slow
@ALL_OR_NONE
@pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")
@pytest.mark.filterwarnings("ignore:`y_score` has only")
def test_no_cut_that_meets_the_constraints_is_better():
    """Every cut of 2,000 tuning sets by definition; weights of 1 or none give the same."""
    n_met = 0
    for seed in range(N_CHOICES):
        y, score, weight, bounds, objective = random_choice(seed)
        rates = every_cut(y, score, weight)
        is_met = np.ones(len(rates["npv"]), dtype=bool)
        for name, bound in bounds.items():
            values = rates[name]
            is_met &= values >= bound if argument(name)[:3] == "min" else values <= bound
        constraints = {argument(name): bound for name, bound in bounds.items()}
        weights = [weight] if np.ptp(weight) else [None, weight]
        if not is_met.any():
            with pytest.raises(ValueError, match="cannot be met"):
                choose_threshold(
                    y, score, objective=objective, sample_weight=weight, **constraints
                )
            continue
        n_met += 1
        for sample_weight in weights:
            point = choose_threshold(
                y, score, objective=objective, sample_weight=sample_weight, **constraints
            )
            at = np.count_nonzero(np.unique(score) >= point.threshold)
            assert is_met[at]
            found = rates[objective][at]
            assert point.objective_value == pytest.approx(found, rel=1e-12)
            assert found >= rates[objective][is_met].max() - 1e-12
            npv = np.nan_to_num(point.npv)  # 0/0 is 0 in the table
            assert npv == pytest.approx(rates["npv"][at], rel=1e-12)
            if objective == "specificity":  # none is as specific with a higher recall
                as_good = is_met & (rates["specificity"] == found)
                assert point.recall >= rates["recall"][as_good].max() - 1e-12
    assert n_met > N_CHOICES / 2


def lattice(seed, n_samples):
    rng = np.random.default_rng(seed)
    y = rng.random(n_samples) < 0.4
    y[:2] = False, True
    return y, np.round(2 * (rng.normal(size=n_samples) + 1.5 * y)) / 2


SWAPPED = [
    ({"min_npv": 0.9}, "specificity", {"min_precision": 0.9}, "recall"),
    ({"min_npv": 0.85}, "npv", {"min_precision": 0.85}, "precision"),
    (
        {"min_npv": 0.8, "min_recall": 0.7},
        "specificity",
        {"min_precision": 0.8, "max_fpr": 0.3},
        "recall",
    ),
    ({"max_fpr": 0.25}, "npv", {"min_recall": 0.75}, "precision"),
]


def both_choices(swapped, tuning, **options):
    """The choice for labels and scores, and that of the other class; None if none."""
    (y, score), (of_npv, objective, of_precision, opposite) = tuning, swapped
    found = []
    for data, other, constraints, name in (
        ((y, score), options.get("order_from"), of_npv, objective),
        ((~y, -score), options.get("opposite_order"), of_precision, opposite),
    ):
        more = {k: v for k, v in options.items() if k == "confidence_level"}
        try:
            found.append(
                choose_threshold(
                    *data, objective=name, order_from=other, **constraints, **more
                )
            )
        except ValueError as error:
            if "cannot be" not in str(error):
                raise
            found.append(None)
    return found


@ALL_OR_NONE
@pytest.mark.parametrize("swapped", SWAPPED, ids=str)
def test_the_choice_is_that_of_precision_for_the_other_class(swapped):
    n_found = 0
    for seed in range(60):
        tuning = lattice(seed, 60)
        ruled_out, ruled_in = both_choices(swapped, tuning)
        assert (ruled_out is None) == (ruled_in is None)
        if ruled_out is None:
            continue
        n_found += 1
        assert ruled_out.npv == ruled_in.precision
        assert ruled_out.objective_value == ruled_in.objective_value
        if swapped[1] == "specificity":
            below = tuning[1] < ruled_out.threshold
            np.testing.assert_array_equal(below, -tuning[1] >= ruled_in.threshold)
    assert n_found > 40


def test_the_guarantee_is_that_of_precision_for_the_other_class():
    n_found, swapped = (
        0,
        ({"min_npv": 0.7}, "specificity", {"min_precision": 0.7}, "recall"),
    )
    for seed in range(60):
        tuning = lattice(seed, 200)
        y_other, score_other = lattice(1000 + seed, 200)
        ruled_out, ruled_in = both_choices(
            swapped,
            tuning,
            confidence_level=0.9,
            order_from=(y_other, score_other),
            opposite_order=(~y_other, -score_other),
        )
        assert (ruled_out is None) == (ruled_in is None)
        if ruled_out is not None:
            n_found += 1
            below = tuning[1] < ruled_out.threshold
            np.testing.assert_array_equal(below, -tuning[1] >= ruled_in.threshold)
    assert n_found > 40


# Guarantees


def separated(n_negatives):
    """Negatives below all positives."""
    return np.arange(n_negatives + 20) >= n_negatives, np.arange(n_negatives + 20.0)


@pytest.mark.parametrize(("bound", "needed"), [(0.98, 114), (0.99, 230), (0.995, 460)])
def test_the_stated_number_of_ruled_out_samples_is_enough(bound, needed):
    """Without a positive among them: bound ** needed <= 0.1."""
    params = {"objective": "specificity", "min_npv": bound, "confidence_level": 0.9}
    y, score = separated(needed)
    order_from = np.append(y, True), np.append(score, needed + 20.0)
    match = (
        rf"`min_npv`={bound} cannot be guaranteed with `confidence_level`=0\.9: no "
        rf"threshold passes .* `min_npv` takes {needed} or more predicted negatives "
        rf"\(ruled out\) among the {needed + 19} tested samples\. These samples guar"
    )
    with pytest.raises(ValueError, match=match):
        choose_threshold(y[1:], score[1:], order_from=order_from, **params)
    assert choose_threshold(y, score, order_from=order_from, **params).fpr == 0


def test_without_other_samples_four_fifths_test():
    rng = np.random.default_rng(0)
    y = rng.random(1000) < 0.3
    score = rng.normal(size=1000) + 2 * y
    params = {"objective": "specificity", "min_npv": 0.85, "confidence_level": 0.9}
    point = choose_threshold(y, score, random_state=4, **params)
    testing = np.random.default_rng(4).permutation(1000)[200:]
    below = score[testing] < point.threshold
    n_true = np.count_nonzero(below & ~y[testing])
    assert binom.sf(n_true - 1, below.sum(), 0.85) <= 0.1
    assert point.guarantee.min_npv == 0.85
    assert "On new data NPV is at least 0.85, with confidence 0.9" in str(point)


def test_min_npv_and_min_precision_share_one_sequence():
    y, score = separated(50)
    with pytest.raises(
        ValueError,
        match=r"shared by 2 constraints \(`min_precision` and `min_npv` count as one\): no",
    ):
        choose_threshold(
            y, score, min_npv=0.99, min_precision=0.95, min_recall=0.1, confidence_level=0.9
        )


def test_the_threshold_that_rules_out_no_sample_does_not_end_the_tests():
    """The other samples reach the bound at 2 only, and the tuning set at 3, too."""
    levels = np.array([3.0, 2, 2, 1])
    y_true, y_score = (np.repeat(x, [10, 1, 19, 80]) for x in ([1, 1, 0, 0], levels))
    others = tuple(np.repeat(x, [10, 20, 0, 40]) for x in ([1, 1, 0, 0], levels))
    rule = {"objective": "specificity", "min_npv": 0.8, "confidence_level": 0.9}
    assert choose_threshold(y_true, y_score, order_from=others, **rule).threshold == 2.5


def test_a_guaranteed_npv_at_another_prevalence_raises():
    y, score = separated(50)
    with pytest.raises(
        ValueError, match="with `prevalence` and `min_npv`, which depends on"
    ):
        choose_threshold(y, score, min_npv=0.9, confidence_level=0.9, prevalence=0.1)


@pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")
def test_a_prevalence_changes_the_npv():
    y, score = lattice(0, 200)
    plain = choose_threshold(y, score, objective="specificity", min_recall=0.9)
    rare = choose_threshold(
        y, score, objective="specificity", min_recall=0.9, prevalence=0.01
    )
    assert plain.threshold == rare.threshold
    odds = (1 - plain.fpr) / (1 - plain.recall)
    assert plain.npv == pytest.approx(odds * (~y).sum() / (odds * (~y).sum() + y.sum()))
    assert rare.npv == pytest.approx(odds * 99 / (odds * 99 + 1))


def test_the_classifier_orders_the_tests_of_npv_by_its_training_part():
    X, y = two_classes(n_samples=1500)
    Counted.n_fits = 0
    model = HullThresholdClassifierCV(
        Counted(), objective="specificity", min_npv=0.9, confidence_level=0.8, cv=0.5,
        refit=False, random_state=0, store_cv_results=True,
    ).fit(X, y)  # fmt: skip
    assert model.operating_point_.npv >= 0.9
    assert model.cv_results_["npv"].tolist() == [model.operating_point_.npv]
    assert Counted.n_fits == 6


class Counted(GaussianNB):
    """Counts its fits."""

    n_fits = 0

    def fit(self, X, y):
        type(self).n_fits += 1
        return super().fit(X, y)


# Results


def test_the_npv_is_printed_and_exported():
    y, score = lattice(0, 200)
    point = choose_threshold(y, score, objective="npv", min_precision=0.5)
    assert f", NPV {point.npv:.2g},\n" in str(point)
    assert "Objective" not in str(point)  # its value is printed already
    assert point.to_dict()["npv"] == point.to_frame()["npv"].item() == point.npv


def test_specificity_alone_keeps_the_recall_without_false_positives():
    y, score = np.array([0, 1, 0, 1, 1]), np.array([0.0, 0, 1, 2, 3])
    point = tuned_on(score, y, objective="specificity").operating_point_
    assert (point.threshold, point.recall) == (1.5, 2 / 3)


@ALL_OR_NONE
def test_the_npv_of_no_predicted_negative_is_undefined_and_counts_as_0():
    point = choose_threshold([0, 1], [1.0, 1.0], objective="npv", min_recall=0.5)
    assert point.threshold == -np.inf
    assert np.isnan(point.npv)
    assert point.to_dict()["npv"] is None
    assert point.objective_value == 0


def test_the_display_names_the_npv():
    y, score = lattice(0, 200)
    display = HullThresholdDisplay.from_predictions(
        y, score, objective="specificity", min_npv=0.8
    )
    assert "NPV" in display.values
    labels = [line.get_label() for line in display.constraints_]
    assert labels == ["Constraint: NPV ≥ 0.8"]
    assert display.constraints_[0].get_color() == display.lines_[-1].get_color()


def test_a_guarantee_predicts_a_tuning_sample_positive_if_other_scores_are_higher():
    """With few positives, ruling out everybody has a high NPV."""
    rng = np.random.default_rng(0)
    y_true, other = (rng.random((2, 5000)) < 0.002).astype(bool)
    score, other_score = rng.normal(size=(2, 5000)) + np.array([y_true, other])
    other_score[0] = score.max() + 1
    point = choose_threshold(
        y_true, score, objective="specificity", min_npv=0.99, confidence_level=0.9,
        order_from=(other, other_score),
    )  # fmt: skip
    assert point.threshold <= score.max()
