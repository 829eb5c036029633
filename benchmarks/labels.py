"""Planned labels against as many random labels.

Draws lists of scored samples, labels some of each list as `plan_labels` says, and as many
at random. Prints how often the interval contains the AUC-PR of the whole list, and the mean
squared error of random labels divided by that of planned labels::

    python benchmarks/labels.py [--quick] [--repetitions 400] [--out DIR]

Lists whose labeled samples have fewer than two positives are drawn again.
"""

import warnings

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line
from coverage import labels, population

from sklearn_achievable_pr import (
    auc_pr_interpolated,
    auc_pr_interval,
    compare_auc_pr,
    plan_labels,
)

# Prevalence, assumed prevalence, AUC-PR, spread of the scores of positives, spacing of
# ordinal scores, samples, labels.
ONE_SCORE = [
    (0.002, 0.002, 0.3, 1.0, 0.0, 50_000, 5000),
    (0.005, 0.005, 0.5, 1.0, 0.0, 50_000, 4000),
    (0.01, 0.01, 0.4, 2.0, 0.0, 20_000, 1000),
    (0.02, 0.02, 0.2, 1.0, 0.0, 20_000, 500),
    (0.02, 0.02, 0.6, 1.0, 0.0, 20_000, 1000),
    (0.02, 0.06, 0.6, 1.0, 0.5, 20_000, 1000),
    (0.05, 0.05, 0.8, 0.5, 0.0, 20_000, 1000),
    (0.05, 0.017, 0.5, 1.0, 0.0, 20_000, 400),
    (0.1, 0.1, 0.4, 1.0, 0.0, 20_000, 100),
    (0.1, 0.1, 0.6, 1.0, 1.0, 2000, 500),
    (0.2, 0.2, 0.6, 1.0, 0.0, 20_000, 200),
    (0.2, 0.2, 0.97, 1.0, 0.0, 20_000, 500),
]
# Prevalence, AUC-PR of the first score, AUC-PR of the second score, samples, labels.
TWO_SCORES = [
    (0.02, 0.6, 0.5, 20_000, 1000),
    (0.05, 0.4, 0.4, 20_000, 600),
    (0.1, 0.7, 0.6, 20_000, 400),
    (0.2, 0.6, 0.5, 20_000, 400),
]
CORRELATION = 0.5


def interval(y_true, scores, chosen, sample_weight=None):
    """Estimate and limits of AUC-PR, or of the difference between two scores."""
    columns = [score[chosen] for score in scores]
    if len(scores) == 1:
        result = auc_pr_interval(y_true[chosen], *columns, sample_weight=sample_weight)
        return result.estimate, *result.confidence_interval
    result = compare_auc_pr(y_true[chosen], *columns, sample_weight=sample_weight)
    return result.difference, *result.confidence_interval


def planned_beside_random(rng, draw, n_labels, prevalence, repetitions):
    """Coverage, mean width and error of planned labels beside those of random labels."""
    found = []
    while len(found) < repetitions:
        y_true, scores = draw()
        plan = plan_labels(
            scores[0],
            n_labels,
            prevalence=prevalence,
            y_score_b=scores[1] if len(scores) == 2 else None,
            random_state=rng,
        )
        at_random = rng.choice(len(y_true), n_labels, replace=False)
        if min(y_true[plan.indices].sum(), y_true[at_random].sum()) < 2:
            continue
        truth, *other = (auc_pr_interpolated(y_true, score) for score in scores)
        results = np.array(
            [
                interval(y_true, scores, plan.indices, plan.sample_weight),
                interval(y_true, scores, at_random),
            ]
        )
        found.append(results - (truth - sum(other)))
    error, low, high = np.moveaxis(found, 2, 0)
    covered = ((low <= 0) & (high >= 0)).mean(axis=0)
    width = (high - low).mean(axis=0)
    square = (error**2).mean(axis=0)
    return {
        "planned coverage": covered[0],
        "random coverage": covered[1],
        "planned width": width[0],
        "random width": width[1],
        "factor": square[1] / square[0],
        "bias": error[:, 0].mean(),
    }


def one_score(rng, setting, repetitions):
    """One row of the table of single scores."""
    prevalence, assumed, area, spread, step, n_samples, n_labels = setting
    where = population(prevalence, area, spread, step)

    def draw():
        y_true = labels(rng, n_samples, prevalence)
        return y_true, [where.score(y_true, rng.normal(size=n_samples))]

    names = ("prevalence", "assumed", "area", "spread", "grid", "n", "labels")
    row = dict(zip(names, setting, strict=True))
    row["positives"] = round(n_labels * prevalence)
    return row | planned_beside_random(rng, draw, n_labels, assumed, repetitions)


def two_scores(rng, setting, repetitions):
    """One row of the table of comparisons."""
    prevalence, *areas, n_samples, n_labels = setting
    first, second = (population(prevalence, area) for area in areas)

    def draw():
        y_true = labels(rng, n_samples, prevalence)
        noise, own = rng.normal(size=(2, n_samples))
        other = CORRELATION * noise + np.sqrt(1 - CORRELATION**2) * own
        return y_true, [first.score(y_true, noise), second.score(y_true, other)]

    names = ("prevalence", "area", "other area", "n", "labels")
    row = dict(zip(names, setting, strict=True))
    row["positives"] = round(n_labels * prevalence)
    return row | planned_beside_random(rng, draw, n_labels, prevalence, repetitions)


def main():
    """Run all settings and write the tables."""
    options = command_line(__doc__, repetitions={"type": int, "default": 400})
    n, step = (50, 3) if options.quick else (options.repetitions, 1)
    report = Report("label_plans", options, np, scipy, sklearn)
    rng = np.random.default_rng(0)
    # An assumed prevalence that is too low may warn of few positives.
    warnings.simplefilter("ignore")
    rows = [one_score(rng, setting, n) for setting in ONE_SCORE[::step]]
    report.table("label_plans", "Planned and random labels, one score", rows)
    rows = [two_scores(rng, setting, n) for setting in TWO_SCORES[::step]]
    report.table("label_plans_two", "Planned and random labels, two scores", rows)
    report.close()


if __name__ == "__main__":
    main()
