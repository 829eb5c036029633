"""The interval of average precision against a percentile bootstrap: coverage and time.

Draws many data sets from populations with a known average precision. On each data set both
intervals are computed: that of `auc_pr_interval`, and the percentiles of average precision
in 1,000 resamples, which use nothing of this package. Prints the share of the intervals
that contain the true value, and the CPU time of both on the same arrays::

    python benchmarks/simulations/bootstrap.py [--quick] [--repetitions 500] [--out DIR]
"""

import time
import warnings

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, monte_carlo_error
from coverage import independent, population
from sklearn.metrics import average_precision_score

import sklearn_achievable_pr
from sklearn_achievable_pr import auc_pr_interval

PREVALENCE = 0.05
POSITIVES = (5, 10, 20, 50, 100, 300)
AREAS = (0.3, 0.6, 0.9, 0.99)
N_RESAMPLES = 1000
# Resamples are drawn in blocks, each of at most this number of samples.
BLOCK = 2 * 10**6


# The bootstrap


def average_precisions(rng, y_true, y_score, n_resamples=N_RESAMPLES):
    """Average precision of resamples of the samples; no two scores may be equal.

    It is the value of scikit-learn, with the number of times that a sample was drawn as its
    weight. A resample without positives has the value 0, as in scikit-learn.
    """
    n = len(y_true)
    positive = y_true[np.argsort(-y_score)]
    values = []
    for start in range(0, n_resamples, max(1, BLOCK // n)):
        size = min(max(1, BLOCK // n), n_resamples - start)
        drawn = rng.integers(n, size=(size, n)) + n * np.arange(size)[:, None]
        times = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)
        true_positives = np.cumsum(times * positive, axis=1)
        precision = true_positives / np.maximum(np.cumsum(times, axis=1), 1)
        total = np.sum(times * positive * precision, axis=1)
        values.append(total / np.maximum(true_positives[:, -1], 1))
    return np.concatenate(values)


def percentile_interval(rng, y_true, y_score):
    """The 95 % percentile interval of average precision."""
    return np.quantile(average_precisions(rng, y_true, y_score), [0.025, 0.975])


def check_resamples(n=500, n_resamples=20):
    """Compare average precisions of resamples with those that scikit-learn computes."""
    y_true, y_score, _ = independent(np.random.default_rng(0), population(0.1, 0.5), n)
    order = np.argsort(-y_score)  # resamples are drawn from the samples in this order
    y_true, y_score = y_true[order], y_score[order]
    found = average_precisions(np.random.default_rng(1), y_true, y_score, n_resamples)
    drawn = np.random.default_rng(1).integers(n, size=(n_resamples, n))
    expected = [average_precision_score(y_true[each], y_score[each]) for each in drawn]
    np.testing.assert_allclose(found, expected)


# Coverage


def interval(y_true, y_score):
    """The interval of this package."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        result = auc_pr_interval(y_true, y_score, metric="average_precision")
    return result.confidence_interval


def coverage(n_pos, area, repetitions):
    """Coverage and mean width of both intervals, on the same data sets."""
    rng, there = np.random.default_rng(0), population(PREVALENCE, area)
    n = round(n_pos / PREVALENCE)
    limits = {"interval": [], "bootstrap": []}
    for _ in range(repetitions):
        y_true, y_score, _ = independent(rng, there, n)
        limits["interval"].append(interval(y_true, y_score))
        limits["bootstrap"].append(percentile_interval(rng, y_true, y_score))
    row = {"positives": n_pos, "samples": n, "average precision": area}
    limits = {name: np.transpose(each) for name, each in limits.items()}
    for name, (low, high) in limits.items():
        row[f"{name} coverage"] = float(np.mean((low <= area) & (area <= high)))
    for name, (low, high) in limits.items():
        row[f"{name} width"] = float(np.mean(high - low))
    return row


# Time


def plain_bootstrap(rng, y_true, y_score, n_resamples):
    """The loop that a user of scikit-learn writes."""
    values = []
    for _ in range(n_resamples):
        drawn = rng.integers(len(y_true), size=len(y_true))
        values.append(average_precision_score(y_true[drawn], y_score[drawn]))
    return np.quantile(values, [0.025, 0.975])


def cpu_seconds(function, *arguments):
    """CPU seconds of one call."""
    start = time.process_time()
    function(*arguments)
    return time.process_time() - start


def times(n, rounds=11):
    """Median CPU time of both intervals; 1,000 resamples take ten times as long as 100."""
    rng = np.random.default_rng(0)
    y_true, y_score, _ = independent(rng, population(PREVALENCE, 0.6), n)
    taken = []
    for _ in range(rounds):  # in turns, so that both share the noise of the machine
        ours = cpu_seconds(interval, y_true, y_score)
        resamples = cpu_seconds(plain_bootstrap, rng, y_true, y_score, N_RESAMPLES // 10)
        taken.append((ours, 10 * resamples))
    ours, theirs = np.median(taken, axis=0)
    return {
        "samples": n,
        "interval ms": float(1e3 * ours),
        "bootstrap ms": float(1e3 * theirs),
        "bootstrap / interval": float(theirs / ours),
    }


def main():
    options = command_line(__doc__, repetitions={"type": int, "default": 500})
    n, sizes = options.repetitions, (10**3, 10**4, 10**5)
    if options.quick:
        n, sizes = 20, sizes[:2]
    check_resamples()
    report = Report(options, np, scipy, sklearn, sklearn_achievable_pr)
    report.table(
        "bootstrap_time",
        f"CPU time of an interval of average precision, {N_RESAMPLES} resamples",
        [times(size) for size in sizes],
    )
    report.table(
        "bootstrap",
        f"Coverage of 95 % intervals; Monte Carlo error {monte_carlo_error(n):.4f}",
        [
            coverage(n_pos, area, n)
            for n_pos in POSITIVES[:: 3 if options.quick else 1]
            for area in AREAS
        ],
    )
    report.close()


if __name__ == "__main__":
    main()
