"""Coverage of the pointwise band of `AchievablePRDisplay` for samples of clusters.

Draws clusters from populations whose curve is known, and prints how often the band of
`from_predictions`, with `groups` and without, contained the precision of the population at
recalls 0.05 to 0.95::

    python benchmarks/simulations/bands_of_clusters.py \
        [--quick] [--repetitions 200] [--out DIR]
"""

import matplotlib
import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, monte_carlo_error
from coverage import grouped, population
from matplotlib.figure import Figure

from sklearn_achievable_pr import AchievablePRDisplay

# The band has 181 recalls. Coverage is counted at each fifth.
EVERY = 5
# Prevalence, AUC-PR, spread of the positives' scores, step of rounded scores.
POPULATIONS = [(0.1, 0.5, 1.0, 0.0), (0.3, 0.6, 1.0, 0.0), (0.3, 0.6, 1.0, 0.5)]
# Clusters, mean number of samples in each, shared part of the variance of the scores, and
# whether a cluster has one label.
DESIGNS = [
    (100, 4, 0.5, False),
    (100, 4, 0.5, True),
    (300, 4, 0.5, True),
    (100, 10, 0.8, False),
]
WAYS = ("with groups", "without")


def precision_of(there, recall):
    """Precision of the population at recalls."""
    tps, fps = (np.append(0, counts) for counts in there.counts())
    at = recall * there.prevalence
    return at / (at + np.interp(at, tps, fps))


def one_cell(rng, parameters, design, repetitions):
    """Coverage at the mean and at the worst recall, and mean width, of both bands."""
    there, ax = population(*parameters), Figure().subplots()
    inside, width = {way: [] for way in WAYS}, {way: [] for way in WAYS}
    for _ in range(repetitions):
        y_true, y_score, options = grouped(rng, there, *design)
        for way, groups in zip(WAYS, (options["groups"], None), strict=True):
            ax.clear()
            display = AchievablePRDisplay.from_predictions(
                y_true, y_score, groups=groups, band="pointwise", ax=ax, legend=False
            )
            recall, low, high = display.band[:, ::EVERY]
            truth = precision_of(there, recall)
            inside[way].append((low <= truth) & (truth <= high))
            width[way].append(np.mean(high - low))
    row = dict(zip(("prevalence", "AUC-PR", "spread", "step"), parameters, strict=True))
    names = ("clusters", "samples of a cluster", "shared", "one label")
    row |= dict(zip(names, design, strict=True))
    for way in WAYS:
        coverage = np.mean(inside[way], axis=0)
        row |= {way: f"{coverage.mean():.3f}", f"{way}, least": f"{coverage.min():.3f}"}
        row |= {f"{way}, width": f"{np.mean(width[way]):.3f}"}
    return row


def main():
    """Run all cells and write the table."""
    options = command_line(__doc__, repetitions={"type": int, "default": 200})
    n = 20 if options.quick else options.repetitions
    report = Report(options, np, scipy, sklearn, matplotlib)
    cells = [(there, design) for there in POPULATIONS for design in DESIGNS]
    rows = [
        one_cell(np.random.default_rng(seed), *cell, n) for seed, cell in enumerate(cells)
    ]
    title = "Coverage of the pointwise band of clusters; Monte Carlo error at one recall"
    report.table("bands_of_clusters", f"{title} {monte_carlo_error(n):.4f}", rows)
    report.close()


if __name__ == "__main__":
    main()
