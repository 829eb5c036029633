"""What HullThresholdClassifierCV costs beyond the estimator that it wraps.

Prints two ratios, medians over alternating runs:

- `fit`: own work (checks, pooling, sort, hull, choice) as a part of the base
  estimator's fits, logistic regression on 100,000 x 20; beside it what any
  cross-validation has to do, drawing the splits and cutting the rows;
- `predict`: its time as a part of the base estimator's scoring of 1,000,000 rows.

Run: python benchmarks/bench_hull_threshold.py [--repeats 9]
"""

import argparse
from statistics import median
from time import perf_counter

import numpy as np
from sklearn.linear_model import LogisticRegression

from sklearn_achievable_pr import HullThresholdClassifierCV

MOST_OWN_WORK = 0.05
MOST_PREDICT = 1.1


class Stopwatch:
    """Seconds spent under each name."""

    def __init__(self):
        self.seconds = {}

    def time(self, name, work, *args, **kwargs):
        start = perf_counter()
        result = work(*args, **kwargs)
        self.seconds[name] = self.seconds.get(name, 0.0) + perf_counter() - start
        return result


WATCH = Stopwatch()


class TimedLogisticRegression(LogisticRegression):
    """Notes how long its fits and its scoring take, all instances together."""

    def fit(self, X, y, sample_weight=None):
        return WATCH.time("fits", super().fit, X, y, sample_weight)

    def decision_function(self, X):
        return WATCH.time("scoring", super().decision_function, X)


class TimedHullThresholdClassifierCV(HullThresholdClassifierCV):
    """Notes how long its own steps take."""

    def _check_data(self, *args):
        return WATCH.time("own", super()._check_data, *args)

    def _choose_threshold(self, *args):
        return WATCH.time("own", super()._choose_threshold, *args)


def rare_events(n_rows, n_features=20, seed=0):
    """Noisy data with some 2 % positives."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features))
    return X, (X[:, :5].sum(axis=1) + 2 * rng.normal(size=n_rows) > 6).astype(int)


def seconds(work, *args):
    start = perf_counter()
    work(*args)
    return perf_counter() - start


def time_fit(X, y):
    """Seconds of one fit: own work, the base's fits, everything but its scoring."""
    WATCH.seconds.clear()
    total = seconds(TimedHullThresholdClassifierCV(TimedLogisticRegression()).fit, X, y)
    spent = WATCH.seconds
    return spent["own"], spent["fits"], total - spent["scoring"]


def report_fit(n_repeats):
    X, y = rare_events(100_000)
    runs = [time_fit(X, y) for _ in range(n_repeats)]
    own, fits, total = (median(column) for column in zip(*runs, strict=True))
    ratio = median(run[0] / run[1] for run in runs)
    print(
        f"fit      own work {1e3 * own:.1f} ms, splits and rows "
        f"{1e3 * (total - fits - own):.1f} ms, 6 base fits {1e3 * fits:.1f} ms: "
        f"ratio {ratio:.3f} (at most {MOST_OWN_WORK})"
    )
    return ratio


def report_predict(n_repeats):
    X, y = rare_events(1_000_000)
    model = HullThresholdClassifierCV(LogisticRegression()).fit(X[:100_000], y[:100_000])
    base = model.estimator_
    runs = [
        (seconds(model.predict, X), seconds(base.decision_function, X))
        for _ in range(n_repeats)
    ]
    predict, scoring = (median(column) for column in zip(*runs, strict=True))
    ratio = median(run[0] / run[1] for run in runs)
    print(
        f"predict  {1e3 * predict:7.1f} ms, base scoring {1e3 * scoring:7.1f} ms, "
        f"{len(model.thresholds_)} thresholds: ratio {ratio:.3f} (at most {MOST_PREDICT})"
    )
    return ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=9)
    n_repeats = parser.parse_args().repeats
    met = [
        report_fit(n_repeats) <= MOST_OWN_WORK,
        report_predict(5 * n_repeats) <= MOST_PREDICT,
    ]
    return 0 if all(met) else 1


if __name__ == "__main__":
    raise SystemExit(main())
