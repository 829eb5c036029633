"""Overhead of HullThresholdClassifierCV relative to the wrapped estimator.

Prints two ratios, medians over alternating runs:

- `fit`: the time of its own steps (checks, pooling, sort, hull, choice) relative to the
  fits of the base estimator, logistic regression on 100,000 x 20, without and with a
  constraint, and with a guarantee on new data. A second column includes the work of any
  cross-validation, drawing splits and selecting samples;
- `fit` as a whole, and that of scikit-learn's TunedThresholdClassifierCV, relative to the
  bare fits of the base estimator on the same folds and on all samples;
- `predict`: its time relative to the scoring of 1,000,000 samples by the base estimator.

The exit status is 1 if a ratio is above its limit::

    python benchmarks/speed/threshold_classifier.py [--quick] [--repeats 9] [--out DIR]
"""

from statistics import median
from time import perf_counter

import numpy as np
import sklearn
from _bench import Report, command_line, rare_events, seconds_of, turns
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, TunedThresholdClassifierCV

import sklearn_achievable_pr
from sklearn_achievable_pr import HullThresholdClassifierCV

MOST_OWN_WORK = 0.05
MOST_PREDICT = 1.1
# Parameters for the choice of the threshold.
CHOICES = {
    "f1": {},
    "min_recall": {"objective": "precision", "min_recall": 0.7},
    "min_recall, min_precision": {"min_recall": 0.2, "min_precision": 0.2},
    "recall, confidence": {
        "objective": "precision",
        "min_recall": 0.7,
        "confidence_level": 0.95,
        "cv": 0.5,
        "refit": False,
    },
    "precision, confidence": {
        "objective": "recall",
        "min_precision": 0.2,
        "confidence_level": 0.95,
        "cv": 0.5,
        "refit": False,
        "random_state": 0,
    },
}


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
    """Records the time of fits and of scoring, for all instances together."""

    def fit(self, X, y, sample_weight=None):
        return WATCH.time("fits", super().fit, X, y, sample_weight)

    def predict_proba(self, X):
        return WATCH.time("scoring", super().predict_proba, X)


class TimedHullThresholdClassifierCV(HullThresholdClassifierCV):
    """Records the time of its own steps."""

    def _check_data(self, *args):
        return WATCH.time("own", super()._check_data, *args)

    def _choose_threshold(self, *args):
        return WATCH.time("own", super()._choose_threshold, *args)


def parts_of_fit(X, y, params):
    """Seconds of one fit: own steps, fits of the base, everything except its scoring."""
    WATCH.seconds.clear()
    model = TimedHullThresholdClassifierCV(TimedLogisticRegression(), **params)
    total = seconds_of(lambda: model.fit(X, y))
    spent = WATCH.seconds
    return spent["own"], spent["fits"], total - spent["scoring"]


def fit_row(choice, n_rows, n_repeats):
    X, y = rare_events(n_rows)
    runs = [parts_of_fit(X, y, CHOICES[choice]) for _ in range(n_repeats)]
    own, fits, total = (median(column) for column in zip(*runs, strict=True))
    return {
        "choice": choice,
        "rows": n_rows,
        "own ms": 1e3 * own,
        "splits and rows ms": 1e3 * (total - fits - own),
        "base fits ms": 1e3 * fits,
        "own / fits": median(run[0] / run[1] for run in runs),
        # With a single fit on half of the samples, the other steps take a larger share.
        "at most": MOST_OWN_WORK if CHOICES[choice].get("refit", True) else "-",
    }


def tuner_row(n_rows, n_repeats):
    """Time of `fit` of both meta-estimators over that of the bare fits."""
    X, y = rare_events(n_rows)
    base, folds = LogisticRegression(), [*StratifiedKFold().split(X, y)]

    def bare_fits():
        for train, _ in folds:
            base.fit(X[train], y[train])
        base.fit(X, y)

    bare, ours, theirs = turns(
        bare_fits,
        lambda: HullThresholdClassifierCV(base).fit(X, y),
        lambda: TunedThresholdClassifierCV(base, scoring="f1").fit(X, y),
        at_least=n_repeats,
    )
    return {
        "rows": n_rows,
        "bare fits ms": 1e3 * median(bare),
        "HullThresholdClassifierCV / bare": median(np.divide(ours, bare)),
        "TunedThresholdClassifierCV / bare": median(np.divide(theirs, bare)),
    }


def predict_row(n_rows, n_repeats):
    X, y = rare_events(n_rows)
    n_tuning = n_rows // 10
    model = HullThresholdClassifierCV(LogisticRegression()).fit(X[:n_tuning], y[:n_tuning])
    base = model.estimator_
    predict, scoring = turns(
        lambda: model.predict(X), lambda: base.predict_proba(X), at_least=n_repeats
    )
    return {
        "rows": n_rows,
        "thresholds": len(model.thresholds_),
        "predict ms": 1e3 * median(predict),
        "base scoring ms": 1e3 * median(scoring),
        "predict / scoring": median(np.divide(predict, scoring)),
        "at most": MOST_PREDICT,
    }


def main():
    options = command_line(__doc__, repeats={"type": int, "default": 9})
    repeats = 3 if options.quick else options.repeats
    report = Report(options, np, sklearn, sklearn_achievable_pr)
    # The limits are valid for these sizes only.
    fits = [fit_row(choice, 100_000, repeats) for choice in CHOICES]
    predict = predict_row(1_000_000, 5 * repeats)
    report.table("hull_threshold_fit", "Time of fit", fits)
    tuners = [tuner_row(n_rows, repeats) for n_rows in (1000, 10_000, 100_000)]
    report.table("hull_threshold_tuners", "Time of fit over the bare fits", tuners)
    report.table("hull_threshold_predict", "Time of predict", [predict])
    report.close()
    met = [fit["own / fits"] <= fit["at most"] for fit in fits if fit["at most"] != "-"]
    return 0 if all(met) and predict["predict / scoring"] <= MOST_PREDICT else 1


if __name__ == "__main__":
    raise SystemExit(main())
