"""Time of every public call of one or two scores without resampling, in areas.

An area is the time of `auc_pr_interpolated` on the same labels and scores, without weights,
in the same run: medians of alternating runs, one in ten samples positive::

    python benchmarks/calls.py [--quick] [--out DIR]

Clusters have three samples on average. Tables have three rows. Averages are over two
labels. A threshold with `order_from`, and a selection from new scores, take twice as many
samples.
"""

import warnings
from functools import partial

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, labels_and_scores, medians, weights

import sklearn_achievable_pr as pr

PREVALENCE = 0.1


def calls(n_samples):
    """Dict from the name of a call, and what else it is given, to a function."""
    y, s = labels_and_scores(n_samples, PREVALENCE)
    rng = np.random.default_rng(1)
    other = s + rng.normal(size=n_samples)
    further_y, further_s = labels_and_scores(n_samples, PREVALENCE, seed=2)
    one = {"y_true": y, "y_score": s}
    two = {"y_true": y, "y_score_a": s, "y_score_b": other}
    models = {"y_true": y, "y_scores": {"a": s, "b": other}}
    subgroups = one | {"by": rng.integers(2, size=n_samples)}
    at_recall, at_precision = one | {"recall": 0.8}, one | {"precision": 0.3}
    at_fpr = one | {"fpr": 0.1}
    at_thresholds = one | {"thresholds": [0.0, 1.0, 2.0]}
    at_k = one | {"k": [n_samples // 100, n_samples // 20, n_samples // 10]}

    probabilities = {"y_true": y, "y_score": 1 / (1 + np.exp(-s))}
    benefit = {"thresholds": [0.2, 0.5, 0.8], "net_benefit": True}
    labels = {"y_true": np.column_stack((y, further_y))}
    of_labels = labels | {"y_score": np.column_stack((s, further_s))}
    others = np.column_stack((other, further_s))
    two_of_labels = labels | {"y_score_a": of_labels["y_score"], "y_score_b": others}
    models_of_labels = labels | {"y_scores": {"a": of_labels["y_score"], "b": others}}
    # Comparisons of a rate are at one operating point.
    rates = {
        "at recall": {"metric": "precision_at_recall", "at": 0.8},
        "at FPR": {"metric": "recall_at_fpr", "at": 0.1},
        "at k": {"metric": "precision_at_k", "at": n_samples // 10},
        "at threshold": {"metric": "recall_at_threshold", "at": 1.0},
    }

    plain = {"": {}}
    hull, prevalence = {"curve": "achievable"}, {"prevalence": 0.2}
    weight = {"sample_weight": weights(n_samples)}
    clusters = {"groups": rng.integers(n_samples // 3, size=n_samples)}
    weighted = plain | {"weights": weight}
    reweighted = weighted | {"prevalence": prevalence}
    curves = reweighted | {"hull": hull}
    both = {"clusters": clusters, "weights and clusters": weight | clusters}
    designs = weighted | both
    metrics = {
        "AUCNPR": {"metric": "aucnpr"},
        "AP": {"metric": "average_precision"},
        "normalized AP": {"metric": "normalized_average_precision"},
    }
    of_precision = {"min_precision": 0.12, "confidence_level": 0.8, "random_state": 0}
    rules = reweighted | {
        "constraint": {"min_recall": 0.8},
        "constraint, prevalence": {"min_recall": 0.8, **prevalence},
        "guaranteed recall": {"min_recall": 0.5, "confidence_level": 0.8},
        "guaranteed precision": of_precision,
        "guaranteed precision, order_from": of_precision
        | {"order_from": (further_y, further_s)},
        "guaranteed FPR": {"max_fpr": 0.2, "confidence_level": 0.8},
    }
    averages = {name: {"average": name} for name in ("macro", "weighted", "micro")}
    averages_of_clusters = averages | {"macro, clusters": clusters}

    table = [
        (pr.auc_pr_interpolated, "", one, curves),
        (pr.auc_pr_interpolated, "labels", of_labels, averages),
        (pr.aucnpr, "", one, curves),
        (pr.auprg_score, "", one, curves),
        (pr.normalized_average_precision_score, "", one, weighted),
        (pr.pr_curve_interpolated, "", one, reweighted),
        (pr.achievable_pr_curve, "", one, reweighted),
        (pr.pr_gain_curve, "", one, curves),
        (pr.roc_convex_hull, "", one, weighted),
        (pr.dominates, "", two, weighted),
        (pr.precision_at_recall, "", at_recall, curves),
        (pr.recall_at_precision, "", at_precision, curves),
        (pr.recall_at_fpr, "", at_fpr, weighted | {"hull": hull}),
        (pr.precision_at_k, "", at_k, reweighted),
        (pr.recall_at_k, "", at_k, reweighted),
        (pr.f1_above_chance_score, "", {"y_true": y, "y_pred": s > 1}, weighted),
        (pr.summary_pr_curve, "", {"y_true": [y], "y_score": [s]}, plain),
        (pr.summary_auc_pr, "", {"y_true": [y], "y_score": [s]}, plain),
        (pr.auc_pr_influence, "", one, reweighted),
        (pr.auc_pr_interval, "", one, reweighted | both | metrics),
        (pr.auc_pr_interval, "labels", of_labels, averages_of_clusters),
        (pr.compare_auc_pr, "", two, reweighted | both | metrics),
        (pr.compare_auc_pr, "labels", two_of_labels, averages_of_clusters),
        (pr.compare_models, "", models, designs | rates),
        (pr.compare_models, "labels", models_of_labels, averages_of_clusters),
        (pr.compare_subgroups, "", subgroups, designs | rates),
        (pr.operating_point_interval, "recall", at_recall, reweighted | both),
        (pr.operating_point_interval, "precision", at_precision, reweighted | both),
        (pr.operating_point_interval, "fpr", at_fpr, designs),
        (pr.threshold_table, "thresholds", at_thresholds, reweighted | both),
        (pr.threshold_table, "k", at_k, designs),
        (pr.threshold_table, "net benefit", probabilities | benefit, reweighted | both),
        (pr.choose_threshold, "", one, rules),
        (pr.select_positives, "", one | {"new_score": further_s, "max_fdr": 0.5}, plain),
    ]
    return {
        (call.__name__, ", ".join(filter(None, (at, further)))): partial(
            call, **data, **options
        )
        for call, at, data, variants in table
        for further, options in variants.items()
    }


def in_areas(sizes):
    """Rows of the table: a call, its milliseconds at the first size, and its areas."""
    rows = {}
    for n_samples in sizes:
        of_size = calls(n_samples)
        every = of_size.values()
        area, *seconds = medians(next(iter(every)), *every, seconds=0.15)
        for (name, given), time in zip(of_size, seconds, strict=True):
            row = rows.setdefault((name, given), {"call": name, "with": given})
            row.setdefault(f"ms at {sizes[0]}", 1e3 * time)
            row[f"areas at {n_samples}"] = time / area
    return [*rows.values()]


def main():
    options = command_line(__doc__)
    # Few samples have intervals that are not nominal, and say so.
    warnings.simplefilter("ignore", pr.CoverageWarning)
    report = Report("calls", options, np, scipy, sklearn, pr)
    sizes = (300, 10**4) if options.quick else (300, 10**4, 10**5, 10**6)
    report.table("calls", "Time of public calls", in_areas(sizes))
    report.close()


if __name__ == "__main__":
    main()
