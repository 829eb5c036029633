"""Coverage of the intervals of net benefit in `threshold_table`.

Draws samples from populations whose net benefit is known, and prints how often the
intervals contained it. For comparison: Wald limits, the estimate and 1.96 standard errors
of the mean over samples, which ignore clusters::

    python benchmarks/simulations/net_benefit.py [--quick] [--repetitions 2000] [--out DIR]
"""

import warnings

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line
from coverage import Population, case_control, grouped, independent, weighted
from scipy.special import expit, logit, ndtr
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_achievable_pr import CoverageWarning, threshold_table

# Design, prevalence, mean score of the positives (negatives have mean 0), threshold
# probability, samples. A case-control study has a fifth of positives.
CELLS = [
    ("independent", 0.02, 2.0, 0.05, 300),
    ("independent", 0.05, 1.5, 0.1, 400),
    ("independent", 0.05, 1.5, 0.2, 1000),
    ("independent", 0.2, 1.0, 0.3, 200),
    ("independent", 0.5, 1.0, 0.7, 100),
    ("independent", 0.3, 2.0, 0.05, 100),
    ("prevalence", 0.05, 1.5, 0.1, 200),
    ("prevalence", 0.02, 2.0, 0.2, 400),
    ("weights", 0.05, 1.5, 0.1, 400),
    ("weights", 0.2, 1.0, 0.3, 200),
    ("clusters", 0.05, 1.5, 0.1, 400),
    ("clusters", 0.2, 1.0, 0.3, 200),
    ("patients", 0.1, 1.5, 0.1, 400),
    ("patients", 0.3, 1.0, 0.5, 400),
]
# Each draws labels, scores and options of the table.
DESIGNS = {
    "independent": independent,
    "prevalence": lambda rng, there, n: case_control(
        rng, there, n // 5, n - n // 5, there.prevalence
    ),
    "weights": lambda rng, there, n: weighted(rng, there, n, 0.5),
    "clusters": lambda rng, there, n: grouped(rng, there, n // 4, 4, 0.5),
    "patients": lambda rng, there, n: grouped(rng, there, n // 4, 4, 0.5, by_group=True),
}


def one_cell(rng, cell, repetitions):
    """Share of the data sets whose intervals contain the value of the population."""
    design, prevalence, shift, threshold, n = cell
    names = ("design", "prevalence", "shift", "threshold", "samples")
    there, odds = Population(prevalence, shift), threshold / (1 - threshold)
    # Calibrated probabilities: the cut is where the densities have this ratio.
    offset = logit(prevalence) - shift**2 / 2
    cut = (logit(threshold) - offset) / shift
    tp, fp = prevalence * ndtr(shift - cut), (1 - prevalence) * ndtr(-cut)
    value, hits, wald, n_tp = tp - fp * odds, [], [], []
    for _ in range(repetitions):
        y, score, options = DESIGNS[design](rng, there, n)
        probability = expit(offset + shift * score)
        table = threshold_table(
            y, probability, thresholds=threshold, net_benefit=True, **options
        )
        hits.append(table.net_benefit_low[0] <= value <= table.net_benefit_high[0])
        n_tp.append(np.count_nonzero(y & (probability >= threshold)))
        worth = np.where(y, 1.0, -odds) * (probability >= threshold)
        if "prevalence" in options:
            worth *= np.where(y, prevalence / y.mean(), (1 - prevalence) / (~y).mean())
        weight = options.get("sample_weight", np.ones(len(y)))
        mean = np.average(worth, weights=weight)
        error = np.sqrt(np.sum((weight * (worth - mean)) ** 2)) / weight.sum()
        wald.append(abs(value - mean) <= 1.96 * error)
    return dict(zip(names, cell, strict=True)) | {
        "true positives": round(float(np.mean(n_tp)), 1),
        "net benefit": round(float(value), 4),
        "coverage": float(np.mean(hits)),
        "Wald": float(np.mean(wald)),
        "error": float(np.sqrt(np.mean(hits) * (1 - np.mean(hits)) / repetitions)),
    }


def main():
    """Run all cells and write the table."""
    options = command_line(__doc__, repetitions={"type": int, "default": 2000})
    repetitions = 100 if options.quick else options.repetitions
    report = Report(options, np, scipy, sklearn)
    # Other rates of the table may be undefined, or have limits that are too narrow.
    warnings.simplefilter("ignore", UndefinedMetricWarning)
    warnings.simplefilter("ignore", CoverageWarning)
    rng = np.random.default_rng(0)
    rows = [one_cell(rng, cell, repetitions) for cell in CELLS]
    report.table("net_benefit", "Coverage of the intervals of net benefit", rows)
    report.close()


if __name__ == "__main__":
    main()
