"""Coverage of the confidence bands and limits of points of the precision-recall curve.

Draws samples from populations whose curve is known, and prints how often the interval of
the precision at a recall, the interval of the recall at a precision, and the pointwise and
the simultaneous band contained the population's values, at recalls 0.05 to 0.95::

    python benchmarks/points.py [--quick] [--repetitions 1000] [--out DIR]
"""

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line
from coverage import population

from sklearn_achievable_pr import recall_at_precision
from sklearn_achievable_pr._input.labels import check_binary
from sklearn_achievable_pr._roc.counting import every_threshold
from sklearn_achievable_pr._uncertainty.likelihood import (
    SIMULTANEOUS_QUANTILE,
    pointwise_quantile,
    precision_limits,
    recall_limits,
)

RECALL = np.linspace(0.05, 0.95, 37)
# Prevalence, AUC-PR, spread of the positives' scores, step of rounded scores.
CELLS = [
    (0.05, 0.3, 1.0, 0.0),
    (0.05, 0.7, 2.0, 0.0),
    (0.3, 0.6, 1.0, 0.0),
    (0.3, 0.6, 1.0, 1.0),
    (0.5, 0.9, 0.5, 0.0),
    (0.1, 0.5, 1.0, 1.5),
]

COLUMNS = (
    "precision at 0.2",
    "precision at 0.5",
    "precision at 0.8",
    "pointwise band",
    "recall",
    "simultaneous band",
)


def one_cell(rng, cell, n_pos, repetitions):
    """Shares of samples whose limits contain the population's values."""
    prevalence, area, spread, step = cell
    where = population(prevalence, area, spread, step)
    tps, fps = where.counts()
    ends = np.append(0, tps), np.append(0, fps)
    truth = RECALL * prevalence
    truth = truth / (truth + np.interp(truth, *ends))
    places = {recall: np.argmin(np.abs(RECALL - recall)) for recall in (0.2, 0.5, 0.8)}
    n_samples = round(n_pos / prevalence)
    quantile = pointwise_quantile(0.95)
    found = []
    for _ in range(repetitions):
        y = rng.random(n_samples) < prevalence
        y[:2] = True, False
        score = where.score(y, rng.normal(size=n_samples))
        roc = every_threshold(check_binary(y, score, None, None))
        low, high = precision_limits(roc, RECALL, quantile)
        inside = (low <= truth) & (truth <= high)
        below, above = precision_limits(roc, RECALL, SIMULTANEOUS_QUANTILE)
        middle = places[0.5]
        estimate = recall_at_precision(y, score, precision=truth[middle])
        limits = recall_limits(roc, truth[middle], quantile, estimate)
        found.append(
            [
                *(inside[place] for place in places.values()),
                inside.mean(),
                limits[0] <= RECALL[middle] <= limits[1],
                np.all((below <= truth) & (truth <= above)),
            ]
        )
    return np.mean(found, axis=0)


def main():
    """Run all cells and write the table."""
    options = command_line(__doc__, repetitions={"type": int, "default": 1000})
    n = 50 if options.quick else options.repetitions
    report = Report("points", options, np, scipy, sklearn)
    rng = np.random.default_rng(0)
    rows = []
    for cell in CELLS[:: 3 if options.quick else 1]:
        for n_pos in (30, 300) if options.quick else (30, 100, 300):
            shares = one_cell(rng, cell, n_pos, n)
            columns = dict(zip(("prevalence", "area", "spread", "step"), cell, strict=True))
            columns |= {"positives": n_pos}
            columns |= dict(zip(COLUMNS, map("{:.3f}".format, shares), strict=True))
            rows.append(columns)
    error = np.sqrt(0.95 * 0.05 / n)
    report.table("points", f"Coverage of 0.95; Monte Carlo error {error:.4f}", rows)
    report.close()


if __name__ == "__main__":
    main()
