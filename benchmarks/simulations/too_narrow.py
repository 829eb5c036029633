"""Coverage of 95 % intervals in data whose intervals are too narrow.

Scores of negatives are standard normal. In each population a few samples determine the
result, and a data set that lacks them does not show it. The true value is that of a large
sample. Prints the coverage, and the share of data sets with a `CoverageWarning`::

    python benchmarks/simulations/too_narrow.py [--quick] [--repetitions 1000] [--out DIR]
"""

import warnings

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, monte_carlo_error

import sklearn_achievable_pr as pr

N_LARGE = 4_000_000


def unequal_models(rng, n_samples):
    """Labels, the scores of a nearly perfect model and of one without skill, no weights."""
    y_true = rng.random(n_samples) < 0.02
    noise = rng.normal(size=(2, n_samples))
    return y_true, np.column_stack([noise[0] + 4.9 * y_true, noise[1]]), None


def rare_negative(rng, n_samples):
    """A perfect ranking but for 0.7 negatives per 1,000 samples above all positives."""
    y_true = rng.random(n_samples) < 0.2
    is_high = ~y_true & (rng.random(n_samples) < 0.0007 / 0.8)
    return y_true, rng.normal(size=n_samples) + 10 * y_true + 20 * is_high, None


def growing_weights(prevalence):
    """Function that draws importance weights which grow with the score."""

    def draw(rng, n_samples):
        y_true = rng.random(n_samples) < prevalence
        y_score = rng.normal(size=n_samples) + y_true
        return y_true, y_score, np.exp(y_score)

    return draw


def difference(y_true, y_score, _):
    """Difference of two models, and its interval."""
    a, b = y_score.T
    pair = pr.compare_models(y_true, {"a": a, "b": b}).pairs["a", "b"]
    return pair.difference, pair.confidence_interval


def area(y_true, y_score, sample_weight):
    """AUC-PR and its interval."""
    result = pr.auc_pr_interval(y_true, y_score, sample_weight=sample_weight)
    return result.estimate, result.confidence_interval


# Name, samples, how they are drawn, and what is estimated.
POPULATIONS = [
    ("a negative above all 200 positives, in half of the data", 1000, rare_negative, area),
    ("weights that grow with the score, 90 positives", 300, growing_weights(0.3), area),
    ("weights that grow with the score, 100 positives", 1000, growing_weights(0.1), area),
    ("difference of AUC-PR 0.99 and 0.02, 30 positives", 1500, unequal_models, difference),
]


def simulate(name, n_samples, draw, estimate, repetitions):
    """One row of the table."""
    rng = np.random.default_rng(0)
    truth, n_covered, n_warned = estimate(*draw(rng, N_LARGE))[0], 0, 0
    for _ in range(repetitions):
        data = draw(rng, n_samples)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            _, (low, high) = estimate(*data)
        n_covered += low <= truth <= high
        n_warned += any(issubclass(w.category, pr.CoverageWarning) for w in caught)
    return {
        "population": name,
        "truth": float(truth),
        "coverage": n_covered / repetitions,
        "warned": n_warned / repetitions,
        "error": float(monte_carlo_error(repetitions, n_covered / repetitions)),
    }


def main():
    options = command_line(__doc__, repetitions={"type": int, "default": 1000})
    repetitions = 5 if options.quick else options.repetitions
    report = Report(options, np, scipy, sklearn, pr, repetitions=repetitions)
    rows = [simulate(*population, repetitions) for population in POPULATIONS]
    report.table("too_narrow", "Coverage of 95 % intervals", rows)
    report.close()


if __name__ == "__main__":
    main()
