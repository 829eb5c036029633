"""Share of tuning sets whose guaranteed constraints are violated on new data.

Prints tables of simulations with binormal scores, whose truth is known:

- the share of tuning sets after which recall, precision, selection rate or false positive
  rate of new data violate their bounds, with and without a confidence, for many sizes and
  prevalences, with continuous and rounded scores, and the shares of violated constraints
  and of tuning sets without a threshold side by side;
- on some of these tuning sets, the results of MAPIE's BinaryClassificationController (if
  installed). Its thresholds are 100 probabilities, so the true probabilities are passed.

Run: python benchmarks/guarantee.py [--quick] [--out DIR]
"""

import sys

import numpy as np
from _bench import Report, command_line
from scipy.optimize import brentq
from scipy.special import expit, logit
from scipy.stats import norm
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator

import sklearn_achievable_pr
from sklearn_achievable_pr import HullThresholdClassifierCV

CONFIDENCE = 0.9
# Number of samples, prevalence, distance of the classes in standard deviations.
SETTINGS = [
    (100, 0.5, 1.5),
    (200, 0.2, 1.5),
    (500, 0.1, 2.0),
    (500, 0.5, 1.0),
    (1000, 0.05, 2.0),
    (1000, 0.3, 1.5),
    (5000, 0.02, 2.5),
    (5000, 0.1, 1.5),
    (5000, 0.5, 1.0),
]
CONSTRAINTS = ("min_recall", "min_precision", "max_selection_rate", "max_fpr")
COMPARED = [(500, 0.5, 1.0), (1000, 0.3, 1.5), (5000, 0.02, 2.5), (5000, 0.1, 1.5)]
# Scores rounded to multiples of this value have many ties.
STEP = 0.25


class Known(ClassifierMixin, BaseEstimator):
    """Classifier whose score is the first feature."""

    classes_ = np.array([0, 1])

    def fit(self, X, y):
        return self

    def decision_function(self, X):
        return X[:, 0]


class Population:
    """Normal scores of two classes, with the true rates at every threshold."""

    def __init__(self, prevalence, distance, rounded):
        self.prevalence, self.distance, self.rounded = prevalence, distance, rounded

    def sample(self, rng, n_samples):
        y = (rng.random(n_samples) < self.prevalence).astype(int)
        score = rng.normal(size=n_samples) + self.distance * y
        return (np.floor(score / STEP) * STEP if self.rounded else score), y

    def recall(self, threshold):
        return norm.sf(self._reached(threshold) - self.distance)

    def precision(self, threshold):
        tpr, fpr = self.recall(threshold), norm.sf(self._reached(threshold))
        return self.prevalence * tpr / (self.prevalence * tpr + (1 - self.prevalence) * fpr)

    def fpr(self, threshold):
        return norm.sf(self._reached(threshold))

    def selection_rate(self, threshold):
        tpr, fpr = self.recall(threshold), self.fpr(threshold)
        return self.prevalence * tpr + (1 - self.prevalence) * fpr

    def _reached(self, threshold):
        """The lowest score that reaches the threshold, before scores are rounded down."""
        return np.ceil(threshold / STEP - 1e-9) * STEP if self.rounded else threshold

    def probability(self, score):
        """The probability that a sample is positive."""
        log_ratio = self.distance * score - self.distance**2 / 2
        return expit(logit(self.prevalence) + log_ratio)

    def score_at(self, probability):
        log_ratio = logit(probability) - logit(self.prevalence)
        return (log_ratio + self.distance**2 / 2) / self.distance

    def constraints(self):
        """Active constraints: recall 0.8, and the other rates at recall 0.5."""
        smooth = Population(self.prevalence, self.distance, rounded=False)
        precision = round(float(smooth.precision(self.distance)), 2)
        rate = round(float(smooth.selection_rate(self.distance)), 3)
        # A false positive rate that a few dozen negatives can guarantee.
        fpr = max(0.05, round(float(smooth.fpr(self.distance)), 3))
        return {
            "min_recall": 0.8,
            "min_precision": precision,
            "max_selection_rate": rate,
            "max_fpr": fpr,
        }


def ours(score, y, seed, confidence, **constraints):
    """The threshold; None if the constraints cannot be met or guaranteed."""
    objective = "precision" if "min_recall" in constraints else "recall"
    model = HullThresholdClassifierCV(
        FrozenEstimator(Known()),
        objective=objective,
        confidence_level=confidence,
        random_state=seed,
        **constraints,
    )
    try:
        return model.fit(score[:, np.newaxis], y).threshold_
    except ValueError as error:
        if "cannot be" not in str(error):
            raise
        return None


def missed(population, thresholds, constraints):
    """Mask of the thresholds that violate a constraint on new data."""
    found = np.zeros(len(thresholds), dtype=bool)
    for name, bound in constraints.items():
        end, _, rate = name.partition("_")
        excess = getattr(population, rate)(thresholds) - bound
        found |= (excess if end == "max" else -excess) > 1e-12
    return found


def guarantee_row(setting, rounded, kind, n_times):
    """Share of violated constraints, with and without a confidence."""
    n_samples, prevalence, distance = setting
    population = Population(prevalence, distance, rounded)
    constraints = population.constraints()
    if kind == "both":  # lower, because otherwise no threshold meets both
        low = round(0.8 * constraints["min_precision"], 2)
        constraints = {"min_recall": 0.4, "min_precision": low}
    elif kind == "caps":  # the two upper bounds do not share the error rate
        names = "max_selection_rate", "max_fpr"
        constraints = {name: constraints[name] for name in names}
    else:
        constraints = {kind: constraints[kind]}
    rng = np.random.default_rng(7)
    found = {CONFIDENCE: [], None: []}
    for seed in range(n_times):
        sample = population.sample(rng, n_samples)
        if sample[1].min() == sample[1].max():
            continue
        for confidence, thresholds in found.items():
            thresholds.append(ours(*sample, seed, confidence, **constraints))
    given = np.array([t for t in found[CONFIDENCE] if t is not None])
    plain = np.array([t for t in found[None] if t is not None])
    # A tuning set without a guaranteed threshold counts as not violated.
    rate = missed(population, given, constraints).sum() / n_times
    error = np.sqrt(CONFIDENCE * (1 - CONFIDENCE) / n_times)
    row = {
        "n": n_samples,
        "prevalence": prevalence,
        "scores": "rounded" if rounded else "continuous",
        "constraint": " ".join(f"{name}={bound:g}" for name, bound in constraints.items()),
        "no threshold": 1 - len(given) / n_times,
        "missed": rate,
        "within": "yes" if rate <= 1 - CONFIDENCE + 2 * error else "NO",
        "missed without": (
            missed(population, plain, constraints).mean() if len(plain) else "-"
        ),
    }
    for name in ("recall", "precision"):
        row[name] = float(getattr(population, name)(given).mean()) if len(given) else "-"
    return row


def mapie_controllers():
    """MAPIE's methods to control the error rate of many tests, by name."""
    try:
        from mapie.risk_control import BinaryClassificationController
    except ImportError:
        return {}

    def threshold(population, score, y, kind, bound, method):
        def probabilities(X):
            p = population.probability(X[:, 0])
            return np.column_stack((1 - p, p))

        controller = BinaryClassificationController(
            probabilities,
            kind,
            target_level=bound,
            confidence_level=CONFIDENCE,
            best_predict_param_choice="precision" if kind == "recall" else "recall",
            fwer_method=method,
        )
        X = score[:, np.newaxis]
        if method == "split_fixed_sequence":
            n_learning = len(y) // 5  # the number that this package sets aside
            controller.learn_fixed_sequence_order(X[:n_learning], y[:n_learning])
            X, y = X[n_learning:], y[n_learning:]
        controller.calibrate(X, y)
        best = controller.best_predict_param
        # MAPIE predicts positive if the probability is at least this threshold.
        return None if best is None else population.score_at(best)

    return {
        "MAPIE (Holm)": lambda *args: threshold(*args, "bonferroni_holm"),
        "MAPIE, split fixed sequence": lambda *args: threshold(
            *args, "split_fixed_sequence"
        ),
    }


def comparison_rows(setting, kind, n_times):
    """Results of each method on the same tuning sets."""
    n_samples, prevalence, distance = setting
    population = Population(prevalence, distance, rounded=False)
    bound = population.constraints()[f"min_{kind}"]
    methods = {
        "HullThresholdClassifierCV": lambda _, score, y, kind, bound: ours(
            score, y, n_samples, CONFIDENCE, **{f"min_{kind}": bound}
        ),
        **mapie_controllers(),
    }
    rng = np.random.default_rng(8)
    samples = [population.sample(rng, n_samples) for _ in range(n_times)]
    other = "precision" if kind == "recall" else "recall"
    at = brentq(lambda t: getattr(population, kind)(t) - bound, -5, 9)
    rows = [
        {
            "tuning samples": n_samples,
            "prevalence": prevalence,
            "constraint": f"{kind} {bound:g}",
            "method": "the ideal threshold",
            "no threshold": "-",
            "missed": "-",
            "distance above the constraint": "-",
            "mean of the other": float(getattr(population, other)(at)),
        }
    ]
    for method, find in methods.items():
        found = [find(population, *sample, kind, bound) for sample in samples]
        given = np.array([t for t in found if t is not None and np.isfinite(t)])
        value = getattr(population, kind)(given)
        rows.append(
            {
                **rows[0],
                "method": method,
                "no threshold": 1 - len(given) / n_times,
                "missed": float(np.sum(value < bound) / n_times),
                # Undefined without a threshold.
                "distance above the constraint": (
                    float(np.mean(value - bound)) if len(given) else "-"
                ),
                "mean of the other": (
                    float(np.sum(getattr(population, other)(given)) / n_times)
                ),
            }
        )
    return rows


def by_constraint(rows, rate):
    """A rate of all constraints side by side, one row per size, prevalence and scores."""
    found = {}
    for row in rows:
        setting = {name: row[name] for name in ("n", "prevalence", "scores")}
        names = [bound.partition("=")[0] for bound in row["constraint"].split()]
        found.setdefault(tuple(setting.values()), setting)[" and ".join(names)] = row[rate]
    return list(found.values())


def main():
    options = command_line(__doc__)
    n_times, n_compared = (100, 5) if options.quick else (2000, 100)
    report = Report("guarantee", options, np, sklearn_achievable_pr)
    rows = [
        guarantee_row(setting, rounded, kind, n_times)
        for setting in SETTINGS
        for rounded in (False, True)
        for kind in (*CONSTRAINTS, "both", "caps")
    ]
    title = f"Confidence {CONFIDENCE}, {n_times} tuning sets per row"
    report.table("guarantee", title, rows)
    for rate in ("missed", "no threshold"):
        name = f"guarantee_{rate.replace(' ', '_')}"
        report.table(name, f"{rate}, {title}", by_constraint(rows, rate))
    compared = [
        row
        for setting in COMPARED
        for kind in ("recall", "precision")
        for row in comparison_rows(setting, kind, n_compared)
    ]
    title = f"Comparison with MAPIE, {n_compared} tuning sets"
    report.table("guarantee_mapie", title, compared)
    report.close()
    return 0 if options.quick or all(row["within"] == "yes" for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
